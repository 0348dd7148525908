//! MOR-59 The enemy from whom a unit falls back, whom it faces, from whom it flees.

use protocol::ids::Side;
use protocol::place::{Bearing, Point};

use crate::battle::{Table, UnitIx};
use crate::field::Field;
use crate::geometry::{self, Vector};

/// The reference enemy of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The enemy; none: only a direction is known.
    pub enemy: Option<UnitIx>,
    /// The bearing that leads away from him.
    pub away: Bearing,
}

/// MOR-59 Who `the enemy` of a unit is: its opponent in a charge or melee; else the nearest of those it sees and those
/// who hit it in this step; else nobody, and the enemy lies where the scenario says.
pub fn reference(field: &Field, unit: UnitIx, hit_by: &[UnitIx], opponent: Option<UnitIx>) -> Reference {
    let nearest = match opponent {
        Some(opponent) => vec![opponent],
        None => nearest(field, unit, hit_by),
    };
    let away = away_from(field, unit, &nearest)
        .unwrap_or_else(|| enemy_bearing(field.table, field.unit(unit).side).reversed());
    // Equally near ones are told apart by their place, so that no name decides.
    let enemy = nearest.into_iter().min_by_key(|enemy| field.center(*enemy));
    Reference { enemy, away }
}

fn nearest(field: &Field, unit: UnitIx, hit_by: &[UnitIx]) -> Vec<UnitIx> {
    let mut enemies = field.nearest_seen(unit);
    enemies.extend(hit_by.iter().filter(|enemy| field.unit(**enemy).on_table()));
    enemies.sort_unstable();
    enemies.dedup();
    let Some(least) = enemies.iter().map(|enemy| field.distance(unit, *enemy)).min() else {
        return enemies;
    };
    enemies.retain(|enemy| field.distance(unit, *enemy) == least);
    enemies
}

/// The bearing of the sum of the unit vectors away from each; none where they cancel out.
fn away_from(field: &Field, unit: UnitIx, enemies: &[UnitIx]) -> Option<Bearing> {
    let own = field.center(unit);
    let bearings: Vec<Bearing> =
        enemies.iter().filter_map(|enemy| geometry::bearing_between(field.center(*enemy), own)).collect();
    if let [only] = bearings[..] {
        return Some(only);
    }
    let sum = bearings.iter().fold(Vector::default(), |sum, bearing| sum.plus(geometry::forward(*bearing)));
    let component = |value: i64| i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX });
    geometry::bearing_between(Point::default(), Point::new(component(sum.x), component(sum.y)))
}

/// SCN-04 Where the enemy of a side lies when none is seen.
pub fn enemy_bearing(table: &Table, side: Side) -> Bearing {
    table.scenario().sides.get(side).enemy_bearing
}
