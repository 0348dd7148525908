//! A referee's bench: one case, settled by the rules of the game, and told.
//!
//! Owns the way from a [`Case`] to events with their explanations and the battle after. It reads no file (the caller gives the
//! text) and knows no rule: everything is asked of [`crate::stage`]. Start at [`settle`], then [`text`].

mod compare;
mod odds;
mod recorder;
mod set_up;
mod standing;
mod told;

use std::collections::BTreeMap;
use std::fmt;

use protocol::event::Event;
use protocol::ids::Side;
use protocol::message::Refusal;
use protocol::orders::{Draft, Stage};
use protocol::view::{View, Viewer};
use serde::Serialize;

pub use crate::scenario::case::{Case, read};
pub use odds::{odds, odds_text};
pub use recorder::Thrown;
pub use standing::{standing, standing_text};
pub use told::text;

use crate::battle::{Battle, known};
use crate::dice::{Dice, KeyedDice, ScriptFaults, ScriptedDice, TurnSeed};
use crate::leaders;
use crate::orders;
use crate::phases;
use crate::play::{self, Play};
use crate::ruleset::Ruleset;
use crate::setup::Seating;
use crate::stage::{self, Envelopes};
use crate::view;
use recorder::Recorder;

/// Where the dice of a case come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Roll {
    /// The dice of the case: each must be asked for, and each that is asked for must be there.
    Script,
    /// Dice by key from a seed; those of the case must be none.
    Seed([u8; 32]),
}

/// A case that was settled.
#[derive(Clone, Debug, Serialize)]
pub struct Settled {
    /// What the case is called.
    pub title: String,
    /// The rule that it pins.
    pub rule: Option<String>,
    /// What was ordered and refused; the units concerned were left as if nothing had been said.
    pub refused: Vec<Refusal>,
    /// What happened, as an umpire may know it.
    pub events: Vec<Event>,
    /// The dice that were thrown, in order.
    pub thrown: Vec<Thrown>,
    /// The battle after, as an umpire may know it.
    pub after: View,
    /// Where the case came out otherwise than its `[expect]` says, a line each.
    pub unmet: Vec<String>,
}

/// Why a case could not be settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSettled {
    /// Dice too few, too many or misnamed.
    Dice(ScriptFaults),
    /// Dice are given, and others are to be rolled.
    ScriptAndSeed,
}

impl fmt::Display for NotSettled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotSettled::Dice(faults) => write!(
                f,
                "the dice do not fit what was asked for; give each `[[die]]` by purpose and key, or roll with a seed\n{faults}"
            ),
            NotSettled::ScriptAndSeed => f.write_str(
                "the case gives dice and a seed was given too; leave out the seed, or take the `[[die]]` out",
            ),
        }
    }
}

impl std::error::Error for NotSettled {}

/// Settles a case.
///
/// # Errors
/// When its dice do not fit what the rules ask for.
pub fn settle(case: &Case, rules: &Ruleset, roll: &Roll) -> Result<Settled, NotSettled> {
    match roll {
        Roll::Script => {
            let script = script(case);
            let settled = settle_with(case, rules, &script);
            script.finish().map_err(NotSettled::Dice)?;
            Ok(settled)
        }
        Roll::Seed(_) if !case.dice.is_empty() => Err(NotSettled::ScriptAndSeed),
        Roll::Seed(seed) => {
            let key = TurnSeed(*seed).turn_key("adjudicate", case.turn, &[]);
            Ok(settle_with(case, rules, &KeyedDice::new(key)))
        }
    }
}

fn script(case: &Case) -> ScriptedDice {
    case.dice.iter().fold(ScriptedDice::new(), |script, throw| {
        let key: Vec<&str> = throw.key.iter().map(String::as_str).collect();
        match throw.phase {
            Some(phase) => script.with_in_phase(phase, throw.purpose, &key, &throw.faces),
            None => script.with(throw.purpose, &key, &throw.faces),
        }
    })
}

fn settle_with(case: &Case, rules: &Ruleset, source: &dyn Dice) -> Settled {
    let dice = Recorder::new(source);
    let mut events = Vec::new();
    let mut refused = Vec::new();
    let mut battle = begin(case, rules, &dice, &mut events);
    let last = Stage::ALL.into_iter().rev().find(|stage| is_played(case, *stage)).unwrap_or(Stage::Orders);
    for stage in Stage::ALL.into_iter().take_while(|stage| *stage <= last) {
        let (envelopes, mut refusals) = envelopes(case, rules, &battle, stage);
        refused.append(&mut refusals);
        let wanted = |phase: u8| phase != 1 && case.phases.contains(&phase);
        let outcome = stage::resolve_phases(rules, stage, battle, &envelopes, &dice, wanted);
        battle = outcome.battle;
        events.extend(outcome.events);
        if stage == Stage::Orders && !case.phases.contains(&3) && last != Stage::Orders {
            battle = reveal_unseen(rules, battle, &dice);
            set_up::show_orders(&mut battle, case);
        }
    }
    let next = if case.phases.contains(&9) { Stage::Orders } else { last };
    let after = view::view(rules, &battle, next, &Viewer::Umpire {});
    let events = view::events(&events, &Viewer::Umpire {});
    let unmet = compare::unmet(&case.expect, &refused, &events, &after);
    let rule = case.rule.map(|rule| rule.to_string());
    Settled { title: case.title.clone(), rule, refused, events, thrown: dice.thrown(), after, unmet }
}

/// The battle when the first window closes. A case that plays phase 1 has its marks; else everybody is in command.
fn begin(case: &Case, rules: &Ruleset, dice: &dyn Dice, events: &mut Vec<play::Event>) -> Battle {
    let battle = set_up::battle(case, rules);
    let mut battle = if case.phases.contains(&1) {
        let opened = stage::open(rules, battle, dice);
        events.extend(opened.events);
        opened.battle
    } else {
        let mut play = Play::new(rules, dice, battle, Stage::Orders);
        leaders::begin_turn(&mut play);
        play.battle
    };
    set_up::command(&mut battle, case);
    battle
}

fn is_played(case: &Case, stage: Stage) -> bool {
    let phases = match stage {
        Stage::Orders => 1..=3,
        Stage::Reactions => 4..=5,
        Stage::Charges => 6..=6,
        Stage::Movement => 7..=9,
    };
    phases.into_iter().any(|phase| case.phases.contains(&phase))
}

/// What each side seals in a window, and what of it is refused.
fn envelopes(case: &Case, rules: &Ruleset, battle: &Battle, stage: Stage) -> (Envelopes, Vec<Refusal>) {
    let Some(draft) = case.envelopes.get(&stage) else { return (Envelopes::new(), Vec::new()) };
    let mut refused = Vec::new();
    let sealed = Side::BOTH.map(|side| {
        let seat = Seating::one_each().otherwise.get(side).clone();
        let own = of_side(draft, battle, side);
        refused.extend(orders::check(&known(battle, side), rules, &seat, stage, &own));
        (seat, own)
    });
    (sealed.into_iter().collect(), refused)
}

/// The part of a draft that speaks of one side's troops.
fn of_side(draft: &Draft, battle: &Battle, side: Side) -> Draft {
    let table = &battle.table;
    let mut own = draft.clone();
    own.units.retain(|id, _| table.unit(id).is_none_or(|unit| unit.side == side));
    own.brigades.retain(|id, _| table.brigades.get(id).is_none_or(|brigade| brigade.side == side));
    own.leaders.retain(|id, _| table.leaders.get(id).is_none_or(|leader| leader.side == side));
    own.deployment = BTreeMap::new();
    own
}

/// REV-02 Orders are on the table when the later phases begin, though the reveal is not what the case is about.
fn reveal_unseen(rules: &Ruleset, battle: Battle, dice: &dyn Dice) -> Battle {
    let mut play = Play::new(rules, dice, battle, Stage::Orders);
    play.phase = 3;
    phases::reveal::play(&mut play);
    play.battle
}
