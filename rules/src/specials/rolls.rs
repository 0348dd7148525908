//! Dice that a scenario asks for at the n-th event of a kind. SCNS-04
//!
//! Owns the roll and what a failure does to the unit. Where the event is a line that is crossed, [`crate::movement`] says
//! which; what ends a move is its affair too.

use std::collections::BTreeMap;

use protocol::event::{Dice as DiceShown, Fact};
use protocol::ids::UnitId;

use super::{concerns, in_force, is_in_its_place, is_on};
use crate::battle::{Table, Unit, UnitIx};
use crate::catalogue::{AMMO_02, SCNS_04, SCNS_10};
use crate::competence;
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, Reckoning, sentence};
use crate::field::Field;
use crate::fire::capital;
use crate::morale::officer;
use crate::play::Play;
use crate::scenario::{RollFails, RollOn, RollResult, Special, SpecialKind};

/// A die that a scenario asks for at the n-th event of a kind. SCNS-04
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roll<'t> {
    /// The term: first part of the die's key.
    pub term: &'t str,
    /// At what it fails.
    pub fails: &'t RollFails,
    /// What a failure does.
    pub result: RollResult,
}

/// SCNS-04 The dice due at the n-th event of a kind, counted from 1 over the game: at every one beyond `after`, at the `nth`
/// alone, or at each where the term names neither.
pub fn rolls_due<'t>(table: &'t Table, unit: &'t Unit, event: RollOn, n: u32) -> Vec<Roll<'t>> {
    in_force(table, unit).filter_map(|special| due(table, special, event, n)).collect()
}

fn due<'t>(table: &Table, special: &'t Special, event: RollOn, n: u32) -> Option<Roll<'t>> {
    let SpecialKind::Roll { on, result, after, nth, from_turn, fails } = &special.kind else { return None };
    let counts = after.is_none_or(|after| after < n) && nth.is_none_or(|nth| nth == n);
    (*on == event && *from_turn <= table.turn && counts).then_some(Roll { term: &special.id, fails, result: *result })
}

/// One roll that was made.
struct Rolled {
    term: String,
    number: Option<Reckoning>,
    dice: DiceShown,
    failed: bool,
    result: RollResult,
}

/// SCNS-04 The dice due after the n-th event of a unit, told and applied, but for what ends its move, which is given back.
pub(crate) fn roll(play: &mut Play<'_>, ix: UnitIx, event: RollOn, n: u32) -> Vec<RollResult> {
    let rolled: Vec<Rolled> = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let unit = field.unit(ix);
        let terms = in_force(field.table, unit).filter(|special| is_in_its_place(&field, special, ix));
        let due = terms.filter_map(|special| due(field.table, special, event, n));
        due.map(|roll| thrown(play, &field, ix, &roll, unit.id.as_str(), n)).collect()
    };
    rolled.into_iter().filter_map(|rolled| suffer_and_tell(play, &[ix], rolled)).collect()
}

/// SCNS-04 The roll of one term at the n-th crossing of its line, whatever place the unit is in by then.
pub(crate) fn roll_of_term(play: &mut Play<'_>, ix: UnitIx, term: &str, n: u32) -> Option<RollResult> {
    let rolled = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let unit = field.unit(ix);
        let mut terms = in_force(field.table, unit).filter(|special| special.id == term);
        let due = terms.find_map(|special| due(field.table, special, RollOn::Crosses, n))?;
        thrown(play, &field, ix, &due, unit.id.as_str(), n)
    };
    suffer_and_tell(play, &[ix], rolled)
}

/// SCNS-04 The rolls at the opening of a turn: a die for each unit, or one for the whole command of a leader who is named alone.
pub(crate) fn begin_turn(play: &mut Play<'_>) {
    let turn = play.table().turn;
    let mut groups: BTreeMap<(String, String), Vec<UnitIx>> = BTreeMap::new();
    for special in &play.table().scenario().specials {
        let table = play.table();
        if !is_on(table, special) || due(table, special, RollOn::TurnStart, turn).is_none() {
            continue;
        }
        let field = Field::new(play.rules, table, play.dice);
        let concerned = table.units().filter(|(ix, unit)| {
            concerns(table, special, unit, &unit.footing) && is_in_its_place(&field, special, *ix)
        });
        let alone = match special.who.as_slice() {
            [leader] if table.scenario().commander(leader).is_some() => Some(leader.clone()),
            _ => None,
        };
        for (ix, unit) in concerned {
            let key = alone.clone().unwrap_or_else(|| unit.id.to_string());
            groups.entry((special.id.clone(), key)).or_default().push(ix);
        }
    }
    for ((term, key), units) in groups {
        let Some(first) = units.first() else { continue };
        let rolled = {
            let field = Field::new(play.rules, play.table(), play.dice);
            let specials = &field.table.scenario().specials;
            let due = specials.iter().filter(|special| special.id == term);
            let Some(due) = due.filter_map(|special| due_at_start(field.table, special, turn)).next() else { continue };
            thrown(play, &field, *first, &due, &key, turn)
        };
        suffer_and_tell(play, &units, rolled);
    }
}

fn due_at_start<'t>(table: &Table, special: &'t Special, turn: u32) -> Option<Roll<'t>> {
    due(table, special, RollOn::TurnStart, turn)
}

fn thrown(play: &Play<'_>, field: &Field<'_>, ix: UnitIx, roll: &Roll<'_>, who: &str, n: u32) -> Rolled {
    let event = n.to_string();
    let mut dice = throw(play.dice, play.phase, Purpose::ScenarioRoll, &[roll.term, who, &event], 1, 1);
    let face = dice.faces.iter().copied().map(u32::from).sum::<u32>();
    let (needed, failed, number) = match roll.fails {
        RollFails::Faces(faces) => {
            let in_words: Vec<String> = faces.iter().map(u32::to_string).collect();
            (format!("not {}", in_words.join(" or ")), faces.contains(&face), None)
        }
        RollFails::Bmp => {
            // An officer helps as in any roll of competence. TC-02
            let number = competence::number_to_beat(field, ix, officer::for_competence(field, ix));
            let least = number.total();
            (format!("above {least}"), i32::try_from(face).unwrap_or(0) <= least, Some(number))
        }
    };
    dice.needed = Some(needed);
    Rolled { term: roll.term.to_owned(), number, dice, failed, result: roll.result }
}

fn suffer_and_tell(play: &mut Play<'_>, units: &[UnitIx], rolled: Rolled) -> Option<RollResult> {
    let Rolled { term, number, dice, failed, result } = rolled;
    let first = &play.table()[*units.first()?];
    let (id, name) = (first.id.clone(), capital(&first.name));
    let company = if 1 < units.len() { format!(" for {} units of its command", units.len()) } else { String::new() };
    let end = if failed { "and fails" } else { "and passes" };
    let text = format!("{name} rolls{company} for the special rule `{term}` of the scenario {end}.");
    let mut told = sentence(text).with_dice(dice);
    if let Some(number) = number {
        told = told.with_sum(&number);
    }
    play.tell(SCNS_04, Fact::Special { unit: Some(id) }, told);
    if !failed {
        return None;
    }
    for ix in units {
        let unit = &play.table()[*ix];
        let (id, name) = (unit.id.clone(), capital(&unit.name));
        suffer(play, *ix, &id, &name, result);
    }
    matches!(result, RollResult::Halt | RollResult::NotDone | RollResult::Disorder).then_some(result)
}

/// SCNS-04 What a failure does to a unit.
fn suffer(play: &mut Play<'_>, ix: UnitIx, id: &UnitId, name: &str, result: RollResult) {
    let turn = play.table().turn;
    let unit = &mut play.table_mut()[ix];
    match result {
        RollResult::OutOfAmmunition if unit.ammunition_out_since.is_none() => {
            unit.ammunition_out_since = Some(turn);
            let text = format!("{name} is out of ammunition.");
            play.tell(AMMO_02, Fact::Ammunition { unit: id.clone(), out: true }, sentence(text));
        }
        RollResult::Disorder if !unit.footing.disorder && unit.guns.is_none() => {
            unit.footing.disorder = true;
            let text = format!("{name} falls into disorder.");
            play.tell(SCNS_04, Fact::Disorder { unit: id.clone(), disorder: true }, sentence(text));
            crate::column::disorder_with_lead(play, ix);
        }
        RollResult::Cease => {
            unit.marks.ceased = true;
            let text = format!("{name} fires no more this turn.");
            play.tell(SCNS_04, Fact::Special { unit: Some(id.clone()) }, sentence(text));
        }
        RollResult::WithdrawTurn => {
            unit.marks.draws_off = true;
            let text = format!("{name} draws off this turn: it takes only MOVE or DISENGAGE toward its own edge.");
            play.tell(SCNS_10, Fact::Special { unit: Some(id.clone()) }, sentence(text));
        }
        // A whole turn lost at its start; on the way the march stops, which is told there.
        RollResult::NotDone => unit.marks.stays = true,
        RollResult::OutOfAmmunition | RollResult::Disorder | RollResult::Halt => {}
    }
}
