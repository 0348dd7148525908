//! Units struck behind the target. PEN-01 to PEN-07

use protocol::event::{Dice as DiceShown, FlankClass};
use protocol::orders::RangeBand;
use protocol::words::Arm;

use super::aim::class_against;
use super::cover::in_thick_ground;
use super::enfilade::{Primary, Striking};
use super::lay::Laid;
use super::resolve::Throws;
use crate::battle::UnitIx;
use crate::chance::FACES;
use crate::column;
use crate::dice::Purpose;
use crate::field::Field;
use crate::geometry::{EPS, Extent, Rect, Vector, convex_hull, overlaps_outside_beyond_eps, point_toward, sweep};
use crate::ground::BuildingKind;
use crate::house::PenetrationHits;
use crate::ruleset::{Factor, Inches, WorksGrade};

/// How far a fire reaches past its target.
pub(super) struct Depth {
    /// Thousandths of an inch.
    pub(super) reach: i32,
    /// The die thrown for it, by guns. It is thrown whether anybody stands there or not.
    pub(super) thrown: Option<DiceShown>,
}

/// How far a fire reaches past its target before anything shortens it.
enum Reach {
    /// So far.
    Fixed(Inches),
    /// So many dice of inches.
    Thrown(u32),
}

/// PEN-01, PEN-03, PEN-04
pub(super) fn depth(field: &Field<'_>, laid: &Laid, throws: &mut Throws<'_>) -> Depth {
    let (whole, thrown) = match reach(field, laid) {
        Reach::Fixed(whole) => (whole, None),
        Reach::Thrown(count) => {
            let thrown = throws.next(Purpose::PenDepth, &[field.unit(laid.shot.lead()).id.as_str()], count);
            let pips: i32 = thrown.faces.iter().map(|face| i32::from(*face)).sum();
            (Inches::whole(pips), Some(thrown))
        }
    };
    Depth { reach: factor(field, laid).of(whole).thousandths(), thrown }
}

/// PEN-01 The units that the fire may strike behind its target, however the die of the depth falls.
pub(super) fn threatened(field: &Field<'_>, laid: &Laid) -> Vec<UnitIx> {
    let most = match reach(field, laid) {
        Reach::Fixed(whole) => whole,
        Reach::Thrown(count) => Inches::whole(i32::try_from(u64::from(count) * FACES).unwrap_or(i32::MAX)),
    };
    let units = behind(field, laid, factor(field, laid).of(most).thousandths());
    units.into_iter().map(|(unit, _)| unit).collect()
}

/// PEN-01, PEN-03
fn reach(field: &Field<'_>, laid: &Laid) -> Reach {
    let table = &field.rules.penetration;
    let guns = field.unit(laid.shot.lead()).arm == Arm::Artillery;
    match (guns, laid.shot.round.is_canister(), laid.band) {
        (true, true, _) => Reach::Fixed(table.canister),
        (_, _, RangeBand::Long) => Reach::Fixed(Inches(0)),
        (true, false, _) => Reach::Thrown(u32::try_from(table.artillery_normal_dice).unwrap_or(1)),
        (false, _, RangeBand::Close) => Reach::Fixed(table.infantry_close),
        (false, _, RangeBand::Normal) => Reach::Fixed(table.infantry_normal),
    }
}

/// PEN-03, PEN-04 Halved once, by woods, rough or hasty works; nothing passes stronger works or stone walls of a house.
fn factor(field: &Field<'_>, laid: &Laid) -> Factor {
    let works = |grade| field.rules.works.at(grade).penetration_factor;
    let behind_works = laid.cover.works.map_or(Factor::ONE, works);
    let in_building = match laid.cover.building {
        Some(BuildingKind::Stone) => works(WorksGrade::Medium),
        Some(BuildingKind::Wood) => works(WorksGrade::Hasty),
        None => Factor::ONE,
    };
    let thick = in_thick_ground(field, laid.shot.target);
    let in_ground = if thick { field.rules.penetration.factor_in_woods_or_rough } else { Factor::ONE };
    behind_works.min(in_building).min(in_ground)
}

/// PEN-05, PEN-06 The units in the zone behind the target, of either side, each with the class of this fire against it.
pub(super) fn behind(field: &Field<'_>, laid: &Laid, depth: i32) -> Vec<(UnitIx, FlankClass)> {
    let eligible = laid.eligible();
    let centers: Vec<_> = eligible.iter().map(|rect| rect.center).collect();
    let Some(middle) = crate::geometry::mean(&centers) else { return Vec::new() };
    let from = laid.from();
    if depth <= 0 || from == middle {
        return Vec::new();
    }
    let beyond = {
        // The point beyond the middle: as far again on the far side of it as the firer is on the near one.
        let mirrored = protocol::place::Point::new(2 * middle.x - from.x, 2 * middle.y - from.y);
        point_toward(middle, mirrored, depth)
    };
    let hull = convex_hull(&eligible.iter().flat_map(|rect| rect.corners).collect::<Vec<_>>());
    let zone = sweep(&hull, Vector::between(middle, beyond));
    let mut struck: Vec<(UnitIx, FlankClass)> = Vec::new();
    // By one reading whoever stands there is hit, by the other only the side that was fired at.
    let target_side = field.unit(laid.shot.target).side;
    let friends_too = field.rules.house.penetration_hits == PenetrationHits::Everybody;
    let about = zone.iter().map(|corner| Extent::about(*corner, 0)).reduce(Extent::with);
    let near = about.into_iter().flat_map(|about| field.near(about, 2 * EPS));
    for ix in near.filter(|ix| friends_too || field.unit(*ix).side == target_side) {
        // PEN-06 The regiments of the target's column share its losses already.
        let concerned = column::are_one(field.table, ix, laid.shot.target)
            || laid.shot.firers.iter().any(|firer| firer.unit == ix)
            || laid.shot.supports.contains(&ix)
            || laid.sharers.contains(&ix);
        // The zone is what the target's stands sweep, less the ground on which they stand.
        if !concerned && field.layout(ix).rects().any(|rect| overlaps_outside_beyond_eps(rect, &zone, &hull)) {
            // TAC-30 A column is struck once, as its lead.
            let whole = column::lead_of(field.table, ix);
            if struck.iter().all(|(known, _)| *known != whole) {
                struck.push((whole, flank(field, laid, whole)));
            }
        }
    }
    struck
}

/// PEN-02, ARTY-35 The class of a fire against a unit that it was not aimed at.
pub(super) fn flank(field: &Field<'_>, laid: &Laid, victim: UnitIx) -> FlankClass {
    let all: Vec<Rect> = laid.aims.iter().flat_map(|aim| aim.all.clone()).collect();
    let taking_part: Vec<Rect> = laid.aims.iter().flat_map(|aim| &aim.firing).map(|stand| stand.rect).collect();
    let guns = field.unit(laid.shot.lead()).arm == Arm::Artillery;
    let front = laid.aims.first().map(|aim| aim.front);
    let primary = front.and_then(|front| front.depth.map(|depth| Primary { edge: front.edge, depth }));
    class_against(field, &Striking { all: &all, taking_part: &taking_part, primary, guns }, victim)
}
