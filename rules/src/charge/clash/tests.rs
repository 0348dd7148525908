//! Tests of what happens where a charge strikes.
//!
//! Owns the bench: a Union regiment `a` that has run north into the front of a Confederate regiment `d`.

mod impact;

use std::collections::BTreeSet;

use protocol::event::FlankClass;
use protocol::ids::Side;
use protocol::place::Point;

use super::{Clash, Front, Role, aspect, impact_morale};
use crate::battle::{Leader, Table};
use crate::dice::ScriptedDice;
use crate::field::Field;
use crate::geometry::forward;
use crate::ground::{Area, Ground, Obstacle, ObstacleKind, Terrain, Wooded};
use crate::ruleset::Ruleset;
use crate::testing::{Maker, infantry, ix, leader, open_ground};

/// A veteran Union regiment of 16 with its front on y = 30, facing north. It has been under fire before.
pub(super) fn a() -> Maker {
    seasoned(infantry("a", Side::Union).at(30_000, 30_000))
}

/// A veteran Confederate regiment of 16 that touches the front of [`a`] with its own.
pub(super) fn d() -> Maker {
    seasoned(infantry("d", Side::Confederate).at(30_000, 30_000).facing(18_000))
}

/// With its first casualty taken and its opening volley used.
pub(super) fn seasoned(maker: Maker) -> Maker {
    maker.with(|unit| {
        unit.first_casualty_taken = true;
        unit.opening_volley_used = true;
    })
}

/// One side as it stands.
pub(super) fn front(table: &Table, unit: &str, supports: &[&str]) -> Front {
    let supports = supports.iter().map(|support| ix(table, support)).collect();
    Front { unit: ix(table, unit), supports, charging: false, elan: false, forming: false }
}

/// The charge of `a` on `d`, which stands, each with those supports.
pub(super) fn charge(table: &Table, of_a: &[&str], of_d: &[&str]) -> Clash {
    let attacker = Front { charging: true, elan: true, ..front(table, "a", of_a) };
    let defender = front(table, "d", of_d);
    let ray = forward(table[attacker.unit].footing.facing);
    let aspect = with_field(table, |field| aspect(field, attacker.unit, defender.unit));
    Clash { attacker, defender, ray, aspect }
}

/// The same, met by a countercharge of `d`.
pub(super) fn countercharge(table: &Table, of_a: &[&str], of_d: &[&str]) -> Clash {
    let clash = charge(table, of_a, of_d);
    let defender = Front { charging: true, elan: true, ..clash.defender };
    Clash { defender, aspect: FlankClass::Front, ..clash }
}

pub(super) fn with_field<T>(table: &Table, ask: impl FnOnce(&Field<'_>) -> T) -> T {
    let dice = ScriptedDice::new();
    ask(&Field::new(Ruleset::standard(), table, &dice))
}

/// Both Impact Morales, the attacker's first.
pub(super) fn points(table: &Table, clash: &Clash) -> (i32, i32) {
    with_field(table, |field| {
        let point = |role| impact_morale(field, clash, role).total();
        (point(Role::Attacker), point(Role::Defender))
    })
}

/// The units charged by nobody else.
pub(super) fn nobody() -> BTreeSet<crate::battle::UnitIx> {
    BTreeSet::new()
}

/// A leader who stands there and began the turn with those units.
pub(super) fn officer(id: &str, side: Side, at: (i32, i32), level: u8, with: &[&str]) -> Leader {
    let mut officer = leader(id, side, at.0, at.1);
    officer.level = level;
    officer.marks.began_with = with.iter().map(|unit| (*unit).into()).collect();
    officer
}

pub(super) fn put(table: &mut Table, leader: Leader) {
    table.leaders.insert(leader.id.clone(), leader);
}

/// One kind of ground between two heights, from side to side.
pub(super) fn belt(terrain: Terrain, from: i32, to: i32) -> Ground {
    let outline = vec![Point::new(0, from), Point::new(60_000, from), Point::new(60_000, to), Point::new(0, to)];
    let area = Area { id: "belt".into(), name: "belt".into(), terrain, wooded: Wooded::Light, outline };
    Ground { areas: vec![area], ..open_ground() }
}

/// A straight obstacle from west to east; works along it face north. From east to west it is drawn with `facing_south`.
pub(super) fn line(kind: ObstacleKind, y: i32, facing_south: bool, ground: Ground) -> Ground {
    let mut line = vec![Point::new(20_000, y), Point::new(40_000, y)];
    if facing_south {
        line.reverse();
    }
    Ground { obstacles: vec![Obstacle { id: "line".into(), kind, line }], ..ground }
}
