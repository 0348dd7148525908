//! Forces that a scenario hides until they leave the woods. SCNS-13
//!
//! Owns who has left them: a real picket by the true stands of those of whom the term speaks, a dummy of the same side by its point, so that
//! no marker of it goes on in the open. It looks at the ends of segments alone.

use std::collections::BTreeSet;

use protocol::ids::{PicketNumber, Side, UnitId};
use protocol::place::Point;

use crate::battle::{Table, Unit};
use crate::geometry;
use crate::ground::Wooded;
use crate::play::Play;
use crate::scenario::{HiddenUntil, SpecialKind};

/// SCNS-13 So near to woods one has not left them, thousandths of an inch.
const BESIDE: i32 = 1_000;

/// SCNS-13 The pickets that have left the woods at the end of this segment, of sides whose force a term hides until it does.
pub(super) fn left(play: &Play<'_>) -> BTreeSet<PicketNumber> {
    let mut left = BTreeSet::new();
    if play.segment.is_none() {
        return left;
    }
    let bound = bound(play.table());
    if bound.is_empty() {
        return left;
    }
    let in_woods = |points: &[Point]| points.iter().any(|point| is_near(play.table(), *point));
    for side in Side::BOTH {
        let is_bound = |unit: &Unit| bound.contains(&unit.id);
        if !play.table().all_units().any(|(_, unit)| unit.side == side && is_bound(unit)) {
            continue;
        }
        for (number, under) in &play.battle.secrets.get(side).open().pickets {
            let Some(picket) = play.table().pickets.get(number) else { continue };
            let own: Vec<&Unit> = under.units.iter().filter(|unit| is_bound(unit)).collect();
            let has_left = match under.is_dummy() {
                true => !in_woods(&[picket.at]),
                false => !own.is_empty() && !own.into_iter().any(|unit| in_woods(&points_of(unit))),
            };
            if has_left {
                left.insert(*number);
            }
        }
    }
    left
}

/// The units of which such terms speak.
fn bound(table: &Table) -> BTreeSet<UnitId> {
    let scenario = table.scenario();
    let on = scenario.specials.iter().filter(|special| !special.optional || table.switched_on.contains(&special.id));
    let until = |kind: &SpecialKind| matches!(kind, SpecialKind::HiddenStart { until: Some(HiddenUntil::LeavesWoods) });
    let terms = on.filter(|special| until(&special.kind));
    let named = |who: &[String]| who.iter().map(|who| UnitId::new(who.as_str())).collect::<Vec<UnitId>>();
    terms.flat_map(|special| scenario.selected(&special.who).into_iter().chain(named(&special.who))).collect()
}

/// The corners and middles of its stands.
fn points_of(unit: &Unit) -> Vec<Point> {
    unit.layout().rects().flat_map(|stand| stand.corners.into_iter().chain([stand.center])).collect()
}

fn is_near(table: &Table, point: Point) -> bool {
    let ground = table.ground();
    let woods = ground.ground().areas.iter().filter(|area| area.wooded != Wooded::None);
    woods.into_iter().any(|area| geometry::point_to_polygon(point, &area.outline).within(BESIDE))
}
