//! Places before turn 1, where the players set up their troops. SCN-06
//!
//! The printed places are history's, and good: the bot changes them only for better ground near by, for guns to the best
//! field of fire of their zone, and for an attack to begin nearer. Every stand stays inside the zone, and clear of friends.

use std::collections::BTreeMap;

use protocol::event::Stance;
use protocol::ids::UnitId;
use protocol::orders::{Draft, Placement};
use protocol::view::{DeploymentView, PlaceableView, View};
use protocol::words::Formation;

use crate::geometry::{Footprint, Outline, Vector, turned};
use crate::ground::Ground;

/// Foot looks so far around its printed place, inches.
const STRAY: f64 = 3.0;
/// A new place has to be so much better than the printed one.
const INERTIA: f64 = 0.6;
/// Room between neighbours, inches.
const ROOM: f64 = 0.3;

/// The draft of turn 0; what it does not name stands as printed.
pub(super) fn place(ground: &Ground, view: &View, deployment: &DeploymentView) -> Draft {
    let mut draft = Draft::default();
    let printed = |unit: &PlaceableView| unit.stances.first().map(|stance| (unit.unit.clone(), footprint(stance)));
    let mut taken: BTreeMap<UnitId, Footprint> = deployment.units.iter().filter_map(printed).collect();
    for unit in &view.units {
        if let Some(stance) = unit.stance.as_ref() {
            taken.entry(unit.id.clone()).or_insert_with(|| footprint(stance));
        }
    }
    for unit in &deployment.units {
        let Some(stance) = unit.stances.first() else { continue };
        let zones: Vec<Outline> = deployment
            .zones
            .iter()
            .filter(|zone| zone.units.contains(&unit.unit))
            .map(|zone| Outline::new(&zone.outline))
            .collect();
        let here = Vector::from(stance.anchor);
        let best = best(ground, view, &unit.unit, stance, &zones, &taken);
        if 0.25 < best.distance(here) {
            taken.insert(unit.unit.clone(), footprint(stance).moved(best.minus(here)));
            let placement =
                Placement { anchor: best.into(), facing: stance.facing, formation: stance.formation, gap: None };
            draft.deployment.insert(unit.unit.clone(), placement);
        }
    }
    draft
}

fn footprint(stance: &Stance) -> Footprint {
    Footprint::new(Vector::from(stance.anchor), stance.facing, &stance.stands)
}

/// The best place of a unit within its zones, the printed one if none is clearly better.
fn best(
    ground: &Ground,
    view: &View,
    unit: &UnitId,
    stance: &Stance,
    zones: &[Outline],
    taken: &BTreeMap<UnitId, Footprint>,
) -> Vector {
    let here = Vector::from(stance.anchor);
    let guns = matches!(stance.formation, Formation::Unlimbered | Formation::Limbered);
    let worth = |place: Vector| {
        if guns { field_of_fire(ground, place, stance) } else { ground_of_foot(ground, view, place, stance) }
    };
    let fits = |place: Vector| {
        let by = place.minus(here);
        let inside = stance.stands.iter().flatten().all(|corner| {
            let corner = Vector::from(*corner).plus(by);
            zones.iter().any(|zone| zone.holds(corner))
        });
        let there = footprint(stance).moved(by);
        inside && taken.iter().all(|(other, place)| other == unit || ROOM < place.distance(&there))
    };
    let mut best = (worth(here) + INERTIA, here);
    let reach = if guns { 12.0 } else { STRAY };
    let steps = if guns { 6 } else { 4 };
    for x in -steps..=steps {
        for y in -steps..=steps {
            let by = Vector::new(f64::from(x), f64::from(y)).times(reach / f64::from(steps));
            // A step forward too: more than an inch back from a crest guns see nothing of what is below. VIS-14
            let forward = if guns { 0.7 } else { 0.0 };
            for step in [0.0, forward] {
                let place = here.plus(by).plus(Vector::along(stance.facing).times(step));
                let worth = worth(place);
                if best.0 < worth && fits(place) {
                    best = (worth, place);
                }
            }
        }
    }
    best.1
}

/// Height and what is seen before the muzzles.
fn field_of_fire(ground: &Ground, place: Vector, stance: &Stance) -> f64 {
    let seen = [6.0, 10.0, 14.0, 20.0].into_iter().flat_map(|inches| {
        [-30.0, 0.0, 30.0].map(|lean| place.plus(Vector::along(turned(stance.facing, lean)).times(inches)))
    });
    let seen = seen.filter(|aim| ground.on_table(*aim, 0.0) && ground.sees(place, *aim)).count();
    seen as f64 * 0.4 + ground.feet(place) / 60.0
}

/// Cover, height and sight to the front; near the ground that counts.
fn ground_of_foot(ground: &Ground, view: &View, place: Vector, stance: &Stance) -> f64 {
    let beyond = place.plus(Vector::along(stance.facing).times(4.0));
    let rise = ((ground.feet(place) - ground.feet(beyond)) / 20.0).clamp(-1.5, 1.5);
    let field = if ground.sees(place, beyond) { 0.8 } else { 0.0 };
    let near = view
        .objectives
        .iter()
        .filter(|objective| 0 < objective.points)
        .filter_map(|objective| ground.place(objective.place.as_str()))
        .map(|objective| objective.outline.distance(place))
        .fold(f64::INFINITY, f64::min);
    let far = if near.is_finite() { near } else { 0.0 };
    ground.cover(place, beyond) * 0.8 + rise + field - far * 0.3
}
