//! Tests of morale on small hand-made tables.
//!
//! Owns the bench on which a case is played: a table, given dice, happenings; and the log as short lines.

mod battalions;
mod chart;
mod checks;
mod flights;
mod horses;
mod points;
mod properties;
mod routs;
mod sightings;

use protocol::event::{Fact, FlankClass, Morale};
use protocol::ids::Side;
use protocol::orders::{RangeBand, Stage};
use protocol::place::Point;

use super::settle;
use crate::battle::{Brigade, Table, Unit, UnitIx};
use crate::dice::{Dice, ScriptedDice};
use crate::play::{Event, Play};
use crate::ruleset::Ruleset;
use crate::settle::{FiredOn, Happening};
use crate::testing::{battle, ix, leader};

pub(super) const UNION: Side = Side::Union;
pub(super) const CONFEDERATE: Side = Side::Confederate;

/// What became of a case.
pub(super) struct Played {
    pub(super) table: Table,
    pub(super) events: Vec<Event>,
}

impl Played {
    pub(super) fn unit(&self, id: &str) -> &Unit {
        &self.table[ix(&self.table, id)]
    }

    pub(super) fn log(&self) -> Vec<String> {
        self.events.iter().filter_map(line).collect()
    }

    /// The lines of the log that speak of checks.
    pub(super) fn checks(&self) -> Vec<String> {
        let checks = self.events.iter().filter(|event| matches!(event.fact, Fact::MoraleCheck { .. }));
        checks.filter_map(line).collect()
    }
}

/// A fact as a short line: checks with the point that was to be beaten and the throw.
fn line(event: &Event) -> Option<String> {
    let total = || event.explanation.sums.first().map_or(0, |sum| sum.total);
    let thrown =
        || event.explanation.dice.iter().flat_map(|dice| &dice.faces).map(|face| u32::from(*face)).sum::<u32>();
    Some(match &event.fact {
        Fact::MoraleCheck { unit, because, passed, after, .. } => {
            let verb = if *passed { "passes" } else { "fails" };
            format!("{unit} {because}: {} on {}, {verb}, {}", thrown(), total(), word(*after))
        }
        Fact::FellBack { unit, distance, .. } => format!("{unit} falls back {distance}"),
        Fact::Ran { unit, distance, .. } => format!("{unit} runs {distance}"),
        Fact::Removed { unit, how } => format!("{unit} {how}"),
        Fact::Competence { unit, because, passed } => format!("{unit} {because}: {passed}"),
        Fact::Disorder { unit, .. } => format!("{unit} disordered"),
        Fact::Rally { unit, after, .. } => format!("{unit} rallies: {} on {}, {}", thrown(), total(), word(*after)),
        Fact::LeaderMoved { leader, .. } => format!("{leader} goes along"),
        Fact::OrderVoid { unit } => format!("{unit} order void"),
        _ => return None,
    })
}

fn word(morale: Morale) -> &'static str {
    match morale {
        Morale::Good => "good",
        Morale::Shaken => "shaken",
        Morale::Routed => "routed",
    }
}

/// Plays happenings in phase 7 with given dice, of which none may be missing or left over.
pub(super) fn play(table: Table, dice: &str, happenings: Vec<Happening>) -> Played {
    play_in(7, table, dice, happenings)
}

pub(super) fn play_in(phase: u8, table: Table, dice: &str, happenings: Vec<Happening>) -> Played {
    let dice = ScriptedDice::parse(dice).expect("the dice of a test can be read");
    let played = play_with(phase, table, &dice, |play| settle(play, happenings));
    assert_eq!(dice.finish().map_err(|faults| faults.to_string()), Ok(()), "log: {:#?}", played.log());
    played
}

pub(super) fn play_with(phase: u8, table: Table, dice: &dyn Dice, step: impl FnOnce(&mut Play)) -> Played {
    let edition = table.scenario().edition.clone();
    let mut play = Play::new(edition.rules(), dice, battle(table), Stage::Movement);
    play.phase = phase;
    step(&mut play);
    Played { table: play.battle.table, events: play.events }
}

/// A fire without effect; tests say what it did.
pub(super) fn fire(table: &Table, unit: &str, by: &str) -> FiredOn {
    let firer = ix(table, by);
    let from = table[firer].layout().rects().next().map_or(Point::default(), |stand| stand.center);
    FiredOn {
        unit: ix(table, unit),
        by: vec![firer],
        forces_hit_check: false,
        starred: false,
        figures: 0,
        stands: 0,
        horses: 0,
        first_casualty: false,
        flank: FlankClass::Front,
        band: RangeBand::Normal,
        from,
        canister: false,
        unseen: false,
        in_cover: false,
        at_screen: false,
        behind_target: false,
    }
}

pub(super) fn fired(fire: FiredOn) -> Happening {
    Happening::FiredOn(fire)
}

pub(super) fn of(table: &Table, unit: &str) -> UnitIx {
    ix(table, unit)
}

/// A Union brigade and its commander, who stands there.
pub(super) fn brigade(table: &mut Table, id: &str, x: i32, y: i32) {
    let commander = leader(id, UNION, x, y);
    let brigade = Brigade {
        id: id.into(),
        name: id.to_owned(),
        side: UNION,
        guns: false,
        commander: Some(commander.id.clone()),
        superior: None,
        units: Vec::new(),
        points: 0,
        points_lost: 0,
        regiments_lost_before: 0,
        regiments_lost_now: 0,
        commander_lost: false,
        level: 0,
        withdrawal_counted: false,
    };
    table.leaders.insert(commander.id.clone(), commander);
    table.brigades.insert(id.into(), brigade);
}
