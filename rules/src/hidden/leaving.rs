//! Whither a picket disengages. HID-62
//!
//! Owns the one line of it, the same for dummies: directly away from the nearest open enemy, as far as its order says. No bonus
//! is thrown for what hides.

use protocol::ids::{PicketNumber, Side};
use protocol::place::{Bearing, Point};

use crate::battle::{Picket, Table};
use crate::geometry::{self, Frame};
use crate::movement::marker;

/// A disengaging move as it lies on the table.
pub(crate) struct Away {
    /// The line, the start first; it ends at the edge of the table.
    pub(crate) line: Vec<Point>,
    /// Its direction.
    pub(crate) bearing: Bearing,
}

/// HID-62 The line of a picket that disengages over so many thousandths of an inch.
pub(crate) fn away(table: &Table, number: PicketNumber, travel: u32) -> Option<Away> {
    let picket = table.pickets.get(&number)?;
    let bearing = nearest_enemy(table, picket)
        .and_then(|enemy| geometry::bearing_between(enemy, picket.at))
        .unwrap_or(picket.facing.reversed());
    let ground = table.ground();
    let farthest = ground.ground().width + ground.ground().height;
    let travel = i32::try_from(travel).unwrap_or(farthest).min(farthest);
    let to = Frame::new(picket.at, bearing).at(travel, 0);
    let (line, _) = marker::line_on_table(table, picket.side, picket.at, &[to]);
    Some(Away { line, bearing })
}

/// HID-62 The nearest point of the nearest open enemy that is not routed; if there is none, that of the nearest enemy marker.
fn nearest_enemy(table: &Table, picket: &Picket) -> Option<Point> {
    nearest_unit(table, picket.side, picket.at).or_else(|| {
        let markers = table.pickets.values().filter(|other| other.side != picket.side);
        markers.map(|other| other.at).min_by_key(|at| (geometry::between_points(picket.at, *at), *at))
    })
}

fn nearest_unit(table: &Table, side: Side, at: Point) -> Option<Point> {
    let enemies = table.units_of(side.enemy()).filter(|(_, enemy)| enemy.is_unrouted());
    let stands = enemies.flat_map(|(ix, _)| table.layout(ix).rects().copied().collect::<Vec<_>>());
    let edges = stands.flat_map(|stand| (0..4).map(move |n| (stand.corners[n], stand.corners[(n + 1) % 4])));
    let feet = edges.map(|(a, b)| geometry::nearest_on_segment(at, a, b));
    feet.min_by_key(|foot| (geometry::between_points(at, *foot), *foot))
}
