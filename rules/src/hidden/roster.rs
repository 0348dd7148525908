//! The roster of a side: which number stands for what, the salt that seals it, and its disclosure. HID-02, HID-72
//!
//! Owns the drawing of numbers and the words that a commitment covers. `docs/dice.md` states both to the byte.

use std::collections::BTreeSet;

use protocol::ids::{PicketNumber, Side, UnitId};
use protocol::orders::{Hides, Hiding};
use protocol::view::DisclosedPicketView;
use serde::{Deserialize, Serialize};

use crate::battle::{Battle, Table};
use crate::dice::{Dice, KeyedDice, Purpose, SealedPicket};
use crate::ruleset::Ruleset;

/// HID-72 One line of a side's roster, as it was sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RosterLine {
    /// What the picket hides, with its leaders: the JSON that was sealed.
    pub contents: String,
    /// The same in words.
    pub line: String,
    /// 128 random bits.
    pub salt: [u8; 16],
    /// The hash that was published.
    pub commitment: String,
}

/// HID-02, HID-67 A number that was drawn with all others and is kept for what has still to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The number.
    pub number: PicketNumber,
    /// The salt of its commitment.
    pub salt: [u8; 16],
}

/// HID-02 Draws numbers without repetition, of both sides from one row of dice.
pub(crate) struct Numbers<'d> {
    dice: &'d KeyedDice,
    least: u32,
    most: u32,
    taken: BTreeSet<u32>,
    thrown: u32,
}

/// Dice of one number: five have 7776 faces together.
const DICE_OF_A_NUMBER: u32 = 5;

impl<'d> Numbers<'d> {
    pub(crate) fn new(rules: &Ruleset, dice: &'d KeyedDice) -> Numbers<'d> {
        let [least, most] = rules.hidden_movement.number_range;
        Numbers { dice, least, most, taken: BTreeSet::new(), thrown: 0 }
    }

    /// HID-02 The next number with its salt; none if all are taken. Every number that is left is as likely as any other.
    pub(crate) fn draw(&mut self) -> Option<Kept> {
        let all = (self.most + 1).saturating_sub(self.least);
        if all <= u32::try_from(self.taken.len()).unwrap_or(u32::MAX) {
            return None;
        }
        loop {
            let drawn = below(self.dice, Purpose::SetupNumber, &[], &mut self.thrown, DICE_OF_A_NUMBER, all)?;
            let number = PicketNumber(self.least + drawn);
            if self.taken.insert(number.0) {
                return Some(Kept { number, salt: self.dice.salt(number) });
            }
        }
    }
}

/// A number below `limit` from so many dice, read as digits of base six; numbers that would favour some are passed over.
/// None: the dice have not that many faces.
pub(crate) fn below(
    dice: &dyn Dice,
    purpose: Purpose,
    key: &[&str],
    thrown: &mut u32,
    dice_each: u32,
    limit: u32,
) -> Option<u32> {
    let faces = 6_u32.checked_pow(dice_each)?;
    let fair = faces - faces.checked_rem(limit)?;
    if fair == 0 {
        return None;
    }
    loop {
        let value = (0..dice_each).fold(0, |value, _| {
            *thrown += 1;
            value * 6 + u32::from(dice.die(SETUP, purpose, key, *thrown)).saturating_sub(1)
        });
        if value < fair {
            return Some(value % limit);
        }
    }
}

/// The phase in the name of a die that is thrown before turn 1.
const SETUP: u8 = 0;

/// HID-72 The line of a picket in its side's roster, with what it commits its side to.
pub(crate) fn line(table: &Table, side: Side, kept: Kept, hiding: &Hiding) -> RosterLine {
    let Kept { number, salt } = kept;
    let sealed = Contents { hides: &hiding.hides, leaders: &hiding.leaders };
    let contents = serde_json::to_string(&sealed).unwrap_or_default();
    let line = in_words(table, side, number, hiding);
    let sealed = SealedPicket { salt: &salt, number, side, contents: &contents, line: &line };
    let commitment = sealed.hash().iter().map(|byte| format!("{byte:02x}")).collect();
    RosterLine { contents, line, salt, commitment }
}

/// What a commitment covers of a picket: not its place, which all see.
#[derive(Serialize)]
struct Contents<'a> {
    hides: &'a Hides,
    leaders: &'a [protocol::ids::LeaderId],
}

fn in_words(table: &Table, side: Side, number: PicketNumber, hiding: &Hiding) -> String {
    let name = |unit: &UnitId| table.unit(unit).map_or_else(|| unit.to_string(), |unit| unit.name.clone());
    let mut words = match &hiding.hides {
        Hides::Dummy {} => "a dummy".to_owned(),
        Hides::Unit { unit, formation, gap: _ } => format!("{} in {formation}", name(unit)),
        Hides::Brigade { brigade, formation, plan } => {
            let called = table.brigades.get(brigade).map_or_else(|| brigade.to_string(), |found| found.name.clone());
            let regiments: Vec<String> = plan.order.iter().map(name).collect();
            format!("{called} in {formation}: {}", regiments.join(", "))
        }
    };
    for leader in &hiding.leaders {
        let name = table.leaders.get(leader).map_or_else(|| leader.to_string(), |leader| leader.name.clone());
        words = format!("{words}, with {name}");
    }
    format!("picket {} of the {side} side is {words}", number.0)
}

/// HID-72, LEAK-75 What is disclosed of all pickets, to everybody: nothing before the battle is over, and nothing while the campaign
/// of which it was part goes on.
pub(crate) fn disclosed(battle: &Battle) -> Vec<DisclosedPicketView> {
    if battle.table.ended.is_none() || battle.table.scenario().options.campaign {
        return Vec::new();
    }
    let of_side = |side: Side| {
        battle.secrets.get(side).open().roster.iter().map(move |(number, roster)| {
            let RosterLine { contents, line, salt, commitment } = roster.clone();
            let salt = salt.iter().map(|byte| format!("{byte:02x}")).collect();
            DisclosedPicketView { number: *number, side, contents, line, salt, commitment }
        })
    };
    let mut all: Vec<DisclosedPicketView> = Side::BOTH.into_iter().flat_map(of_side).collect();
    all.sort_by_key(|picket| picket.number);
    all
}
