//! What may stop a picket short. HID-81
//!
//! Owns the two tests on the marker's point, against open enemies and enemy markers alone, the same for dummies.

use std::collections::BTreeSet;

use protocol::ids::PicketNumber;
use protocol::orders::Stop;
use protocol::place::{Bearing, Point};

use crate::battle::{Picket, Table, UnitIx};
use crate::dice::{Dice, Purpose};
use crate::geometry::{self, Distance, Rect};
use crate::sight::{self, Looker, Pair};

/// Somebody before whom a picket may stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Met {
    /// An open unit.
    Unit(UnitIx),
    /// A marker.
    Marker(PicketNumber),
}

/// HID-81 Whether a picket that is to go on to `next` stops where it is: before somebody at the distance that it was told.
pub(super) fn stops_before(table: &Table, picket: &Picket, next: Point, stop: Stop) -> bool {
    let Stop::Before { distance } = stop else { return false };
    let limit = i32::try_from(distance).unwrap_or(i32::MAX / 4).min(i32::MAX / 4);
    enemies(table, picket).any(|enemy| {
        let then = from_point(table, next, enemy);
        then.within(limit) && then < from_point(table, picket.at, enemy)
    })
}

/// HID-81 All enemies that are seen from the marker's point.
pub(super) fn in_sight(table: &Table, picket: &Picket, dice: &dyn Dice) -> BTreeSet<Met> {
    enemies(table, picket).filter(|enemy| sees(table, picket, *enemy, dice)).collect()
}

fn enemies<'t>(table: &'t Table, picket: &'t Picket) -> impl Iterator<Item = Met> + 't {
    let open = table.units_of(picket.side.enemy()).filter(|(_, enemy)| enemy.is_unrouted());
    let markers = table.pickets.values().filter(|other| other.side != picket.side);
    open.map(|(ix, _)| Met::Unit(ix)).chain(markers.map(|other| Met::Marker(other.number)))
}

fn from_point(table: &Table, at: Point, enemy: Met) -> Distance {
    match enemy {
        Met::Unit(ix) => {
            let stands = table.layout(ix).rects().map(|rect| geometry::point_to_polygon(at, &rect.corners));
            stands.min().unwrap_or(Distance::of(i32::MAX / 2))
        }
        Met::Marker(number) => table
            .pickets
            .get(&number)
            .map_or(Distance::of(i32::MAX / 2), |other| geometry::between_points(at, other.at)),
    }
}

/// HID-33, HID-37 Sight from the marker's point, with the pair's one die of the turn.
fn sees(table: &Table, picket: &Picket, enemy: Met, dice: &dyn Dice) -> bool {
    let own = name_of_marker(picket.number);
    let limits = table.sight_limits();
    let pair = Pair { fired_upon: false, limits: &limits };
    let point = [point_stand(picket.at)];
    let looker = Looker::new(&point);
    let ground = table.ground();
    let die = |other: &str| {
        let key = if own.as_str() <= other { [own.as_str(), other] } else { [other, own.as_str()] };
        dice.die(0, Purpose::VisibilityPair, &key, 1)
    };
    match enemy {
        Met::Unit(ix) => {
            let unit = &table[ix];
            let revealed =
                unit.picket.filter(|(_, turn)| *turn == table.turn).map(|(number, _)| name_of_marker(number));
            let name = revealed.unwrap_or_else(|| unit.id.to_string());
            sight::is_seen(&ground, &looker, &table.looker(ix), pair, || die(&name))
        }
        Met::Marker(number) => table.pickets.get(&number).is_some_and(|other| {
            let there = [point_stand(other.at)];
            let name = name_of_marker(number);
            sight::is_seen(&ground, &looker, &Looker::new(&there), pair, || die(&name))
        }),
    }
}

/// HID-37 The public name of a marker in the key of a die.
fn name_of_marker(number: PicketNumber) -> String {
    format!("#{}", number.0)
}

/// HID-33 A marker looks and is looked at as a unit of one stand about its point.
fn point_stand(at: Point) -> Rect {
    Rect::centered(at, Bearing::NORTH, 0, 0)
}
