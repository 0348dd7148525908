//! Tests of fire: worked examples of the catalogue, and what must hold of every fire.

mod enfilade;
mod examples;
mod formations;
mod guns;
mod horses;
mod obstacles;
mod penetration;
mod phases;
mod properties;
mod stands;
mod volleys;
mod wishes;
mod works;

use protocol::event::Fact;
use protocol::ids::Side;
use protocol::orders::{Instructions, Order, Stage};

use super::{Candidates, Firer, Laid, Occasion, Officers, Shot, Standing, Stands, Wishes, choose, lay, shoot};
use crate::battle::{Battle, Table};
use crate::dice::{Purpose, ScriptedDice};
use crate::field::Field;
use crate::ground::Ground;
use crate::play::Play;
use crate::ruleset::{Ruleset, Strength};
use crate::settle::Happening;
use crate::testing::{Maker, battle, give, infantry, ix, open_ground, table};

/// A regiment of the Union in the south, facing north, its opening volley used.
pub(super) fn blue(id: &str, figures: u32) -> Maker {
    infantry(id, Side::Union).figures(figures).at(30_000, 30_000).with(|unit| unit.opening_volley_used = true)
}

/// A Confederate regiment facing south, so many thousandths north of the front of [`blue`].
pub(super) fn grey(id: &str, figures: u32, north: i32) -> Maker {
    infantry(id, Side::Confederate)
        .figures(figures)
        .at(30_000, 30_000 + north)
        .facing(18_000)
        .with(|unit| unit.opening_volley_used = true)
}

pub(super) const HOLD: Order = Order::Hold { task: None };

/// A shot of one unit at another, with default wishes.
pub(super) fn shot(table: &Table, firer: &str, target: &str, order: &Order, occasion: Occasion) -> Shot {
    let unit = ix(table, firer);
    let firer = Firer {
        unit,
        standing: Standing::of(&table[unit], order),
        rapid: false,
        stands: Stands::All,
        overhead_risk: false,
    };
    Shot::new(firer, ix(table, target), occasion)
}

/// The reckoning of a shot.
pub(super) fn laid(table: &Table, shot: &Shot) -> Laid {
    let field = Field::before_dice(table.theatre.rules(), table);
    lay(&field, shot, &Officers::Present).unwrap_or_else(|reason| panic!("{reason:?}"))
}

/// Dice, modifiers and strength of a shot on HOLD.
pub(super) fn reckoned(units: Vec<Maker>, firer: &str, target: &str) -> (u32, i32, Strength) {
    let table = table(open_ground(), units);
    let laid = laid(&table, &shot(&table, firer, target, &HOLD, Occasion::Hold));
    (laid.dice_count(), laid.modifiers.total(), laid.strength)
}

/// What came of a group of shots.
pub(super) struct Came {
    pub(super) battle: Battle,
    pub(super) happenings: Vec<Happening>,
    pub(super) facts: Vec<Fact>,
    pub(super) sentences: Vec<String>,
}

/// Fires shots in a phase with given dice, all of which must be asked for.
pub(super) fn fired(table: Table, phase: u8, dice: ScriptedDice, shots: &[(&str, &str, Order, Occasion)]) -> Came {
    let shots: Vec<Shot> =
        shots.iter().map(|(firer, target, order, occasion)| shot(&table, firer, target, order, *occasion)).collect();
    fired_as(table, phase, dice, shots)
}

pub(super) fn fired_as(table: Table, phase: u8, dice: ScriptedDice, shots: Vec<Shot>) -> Came {
    let edition = table.scenario().edition.clone();
    let mut play = Play::new(edition.rules(), &dice, battle(table), Stage::Movement);
    play.phase = phase;
    let happenings = shoot(&mut play, shots);
    let (battle, events) = (play.battle, play.events);
    dice.finish().unwrap_or_else(|faults| panic!("{faults}"));
    let sentences = events.iter().map(|event| event.explanation.sentence.clone()).collect();
    Came { battle, happenings, facts: events.into_iter().map(|event| event.fact).collect(), sentences }
}

impl Came {
    /// Figures that a unit has left.
    pub(super) fn left(&self, unit: &str) -> u32 {
        self.battle.table[ix(&self.battle.table, unit)].figures()
    }
}

/// Whom a unit on HOLD would fire at.
pub(super) fn chosen(table: &Table, unit: &str, wishes: &Wishes) -> Option<String> {
    let field = Field::before_dice(Ruleset::standard(), table);
    let looking =
        Candidates { field: &field, unit: ix(table, unit), order: &HOLD, wishes, occasion: Occasion::Hold, dice: None };
    choose(&looking).ok().map(|shot| table[shot.target].id.to_string())
}

/// A volley's dice.
pub(super) fn volley_dice(firer: &str, faces: &[u8]) -> ScriptedDice {
    ScriptedDice::new().with(Purpose::FireVolley, &[firer], faces)
}

/// Ground with one feature drawn by the test.
pub(super) fn ground_with(change: impl FnOnce(&mut Ground)) -> Ground {
    let mut ground = open_ground();
    change(&mut ground);
    ground
}

/// An order with standing instructions.
pub(super) fn ordered(mut battle: Battle, orders: Vec<(&str, Order, Instructions)>) -> Battle {
    for (unit, order, standing) in orders {
        give(&mut battle, unit, order, standing);
    }
    battle
}
