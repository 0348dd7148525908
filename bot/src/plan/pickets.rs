//! Pickets: what begins hidden, and what hidden troops and dummies do. HID-05, HID-17
//!
//! Regiments in woods hide, each under a picket of its own; as many dummies as there are of them lie beside them in the same woods,
//! facing as they face. In play a dummy is told what a regiment would be told in its place, so that nobody tells them apart
//! by what they do.

use std::collections::BTreeMap;

use protocol::ids::{PicketNumber, UnitId};
use protocol::orders::{Draft, Hides, Hiding, MoveOrder, Order, UnitDraft};
use protocol::place::Bearing;
use protocol::view::{DeploymentView, PicketView};

use crate::geometry::{Outline, Vector};
use crate::ground::{Gait, Ground};
use crate::plan::situation::{Objective, Situation};

/// So far from its place of the plan, in inches, a hidden regiment has a dummy, on either hand.
const BESIDE: [f64; 4] = [3.0, -3.0, 5.0, -5.0];
/// A picket that near to its aim, in inches, stays.
const THERE: f64 = 2.0;

/// Puts regiments in woods under pickets, at the places that the draft or the file gives them, and dummies beside them.
pub(super) fn hide(ground: &Ground, deployment: &DeploymentView, draft: &mut Draft) {
    let Some(hiding) = &deployment.hiding else { return };
    let mut dummies = hiding.dummies as usize;
    let mut pickets = Vec::new();
    for unit in deployment.units.iter().filter(|unit| hiding.units.contains(&unit.unit)) {
        let Some(stance) = unit.stances.first() else { continue };
        let placed = draft.deployment.get(&unit.unit);
        let at = placed.map_or(stance.anchor, |placed| placed.anchor);
        let is_in_zone = zones(deployment, &unit.unit).any(|zone| zone.holds(Vector::from(at)));
        if !ground.is_wooded(Vector::from(at)) || !is_in_zone {
            continue;
        }
        draft.deployment.remove(&unit.unit);
        let hides = Hides::Unit { unit: unit.unit.clone(), formation: stance.formation, gap: None };
        pickets.push(Hiding { at, facing: stance.facing, hides, leaders: Vec::new(), path: Vec::new() });
        let beside = beside(ground, deployment, &unit.unit, Vector::from(at), stance.facing);
        if let Some(place) = beside.filter(|_| 0 < dummies) {
            dummies -= 1;
            let hides = Hides::Dummy {};
            pickets.push(Hiding {
                at: place.into(),
                facing: stance.facing,
                hides,
                leaders: Vec::new(),
                path: Vec::new(),
            });
        }
    }
    draft.hiding = pickets;
}

fn zones<'d>(deployment: &'d DeploymentView, unit: &'d UnitId) -> impl Iterator<Item = Outline> + 'd {
    deployment.zones.iter().filter(move |zone| zone.units.contains(unit)).map(|zone| Outline::new(&zone.outline))
}

/// The first place in the same woods and zone on either hand of a regiment.
fn beside(ground: &Ground, deployment: &DeploymentView, unit: &UnitId, at: Vector, facing: Bearing) -> Option<Vector> {
    let right = Vector::along(facing).right();
    let places = BESIDE.into_iter().map(|inches| at.plus(right.times(inches)));
    let mut fit = places.filter(|place| {
        let in_zone = zones(deployment, unit).any(|zone| zone.holds(*place));
        in_zone && ground.on_table(*place, 0.5) && ground.is_wooded(*place)
    });
    fit.next()
}

/// What the seat's pickets do this turn: on to the nearest ground worth points that is not its side's, or they hold.
pub(super) fn order(situation: &Situation<'_>) -> BTreeMap<PicketNumber, UnitDraft> {
    let mine = |picket: &&PicketView| {
        let own = picket.own.as_ref();
        own.is_some_and(|own| situation.seat.as_ref().is_none_or(|seat| own.seat == *seat))
    };
    let pickets = situation.view.pickets.iter().filter(mine);
    let told = pickets.map(|picket| {
        let order = onward(situation, picket).unwrap_or(Order::Hold { task: None });
        (picket.number, UnitDraft { order: Some(order), ..UnitDraft::default() })
    });
    told.collect()
}

/// A march through the woods to its aim, no farther than a line of regiments comes in a turn. It goes to the front alone: who would
/// have to turn stays.
fn onward(situation: &Situation<'_>, picket: &PicketView) -> Option<Order> {
    let own = picket.own.as_ref()?;
    let here = Vector::from(picket.at);
    let aim = situation.objectives.iter().filter(|place| wants(situation, place));
    let aim = aim.min_by(|one, other| one.distance(here).total_cmp(&other.distance(here)))?;
    if aim.distance(here) <= THERE || !lies_ahead(here, picket.facing, aim.middle) {
        return None;
    }
    // Half of the way is left for turns and fences: a path that is too long is refused.
    let budget = f64::from(own.open_rate) / 1000.0 * 0.5;
    let reached = situation.ground.reach(Gait::Line, &[here, aim.middle], budget);
    let end = *reached.last()?;
    let stays = end.distance(here) < 0.5 || !situation.ground.is_wooded(end);
    (!stays).then(|| Order::Move(MoveOrder { path: vec![end.into()], ..MoveOrder::default() }))
}

fn wants(situation: &Situation<'_>, place: &Objective) -> bool {
    0.0 < place.points && place.held_by != Some(situation.side)
}

/// MV-17 Within 45 degrees of the front.
fn lies_ahead(here: Vector, facing: Bearing, aim: Vector) -> bool {
    let (ahead, way) = (Vector::along(facing), aim.minus(here));
    way.dot(ahead.right()).abs() < way.dot(ahead)
}
