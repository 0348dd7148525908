//! The start and the end of a turn: marks, victory, arrivals.
//!
//! Owns what falls between the phases: step 1.1 of the turn at its start, step 9.4 at its end. It never takes an order.

#[cfg(test)]
mod tests;

use protocol::event::OrderShown;
use protocol::ids::{BrigadeId, Side};
use protocol::words::Arm;

use crate::battle::{TurnMarks, Unit, UnitIx};
use crate::levels::is_lost;
use crate::play::Play;
use crate::ruleset::Ruleset;
use crate::{arrivals, command, crews, fire, hidden, leaders, levels, orders, specials, victory};

/// Step 1.1 The start-of-turn marks of phase 1: wounded back, losses, limits, arrivals, command, where leaders begin.
pub fn begin(play: &mut Play<'_>) {
    wounded_come_back(play);
    lost_regiments_count(play);
    levels::mark(play);
    arrivals::open_turn(play);
    leaders::begin_turn(play);
    command::mark(play);
    hidden::begin_turn(play);
    crews::mark_at_guns(play);
    specials::begin_turn(play);
}

/// OFF-11 The wounded whose time is up are back before orders are marked.
fn wounded_come_back(play: &mut Play<'_>) {
    let turn = play.table().turn;
    for leader in play.table_mut().leaders.values_mut() {
        if leader.wounded_until.is_some_and(|back| back <= turn) {
            leader.wounded_until = None;
        }
    }
}

/// MOR-32, MOR-50 Regiments and battalions lost by the end of last turn count from now on.
fn lost_regiments_count(play: &mut Play<'_>) {
    let table = play.table_mut();
    let counts = |unit: &Unit| is_lost(unit) && matches!(unit.arm, Arm::Infantry | Arm::Cavalry);
    let lost: Vec<(BrigadeId, u32)> = table
        .brigades
        .keys()
        .map(|brigade| (brigade.clone(), table.members(brigade).filter(|(_, unit)| counts(unit)).count() as u32))
        .collect();
    for (id, lost) in lost {
        if let Some(brigade) = table.brigades.get_mut(&id) {
            brigade.regiments_lost_before = lost;
            brigade.regiments_lost_now = 0;
        }
    }
}

/// Step 9.4 Counts what the turn brought, and passes to the next: counters, triggers, victory terms.
pub fn end(play: &mut Play<'_>) {
    count_turns_running(play);
    specials::mark_triggers(play);
    arrivals::mark_triggers(play);
    victory::count(play);
    crews::man_guns(play);
    hidden::end_turn(play);
    clear_marks(play);
    if play.table().ended.is_none() {
        play.table_mut().turn += 1;
    }
}

/// ORD-14, DIS-14, MEL-21, LVL-05, ARTY-55, SCNS-03 The counters that run over several turns.
fn count_turns_running(play: &mut Play<'_>) {
    let rules = play.rules;
    let forms = |unit: &Unit| matches!(unit.marks.shown, Some(OrderShown::Form { .. }));
    let table = play.table();
    let formed: Vec<UnitIx> =
        table.units().filter(|(_, unit)| forms(unit) && orders::must_withdraw(table, unit)).map(|(ix, _)| ix).collect();
    let leaves = |unit: &Unit| forms(unit) && 0 < specials::turns_to_leave(table, unit, unit.footing.formation);
    let leaving: Vec<UnitIx> = table.units().filter(|(_, unit)| leaves(unit)).map(|(ix, _)| ix).collect();
    for ix in formed {
        play.table_mut()[ix].carried.formed_to_withdraw = true;
    }
    for (ix, unit) in play.table_mut().all_units_mut() {
        let disengages = matches!(unit.marks.shown, Some(OrderShown::Disengage {}));
        let held = unit.on_table() && !specials::left_its_place(unit);
        count_turn(rules, unit, Spent { held, disengages });
        let carried = &mut unit.carried;
        carried.leaving = if leaving.contains(&ix) { carried.leaving + 1 } else { 0 };
    }
}

/// How a unit has spent the turn.
pub(crate) struct Spent {
    /// In one place.
    pub(crate) held: bool,
    /// Disengaging.
    pub(crate) disengages: bool,
}

/// The counters of one unit, open or hidden. HID-74
pub(crate) fn count_turn(rules: &Ruleset, unit: &mut Unit, Spent { held, disengages }: Spent) {
    let silent_turns = fire::silent_turns(rules, unit);
    let carried = &mut unit.carried;
    carried.charge_turns = if unit.marks.charged { carried.charge_turns + 1 } else { 0 };
    carried.disengage_turns = if disengages { carried.disengage_turns + 1 } else { 0 };
    carried.held_turns = if held { carried.held_turns + 1 } else { 0 };
    carried.melee_last_turn = unit.marks.in_melee;
    carried.silent_turns = silent_turns;
}

/// Clears the marks of the turn, and the orders that were carried out. Whether a unit was in command is kept until command
/// is judged anew, so that only what changes is told.
fn clear_marks(play: &mut Play<'_>) {
    play.table_mut().building_losses.clear();
    hidden::clear(play);
    play.table_mut().sightings.clear();
    play.table_mut().all_units_mut().for_each(|(_, unit)| clear_marks_of(unit));
    for side in Side::BOTH {
        let secrets = play.battle.secrets.get_mut(side).open_mut();
        secrets.orders.clear();
        secrets.leaders.clear();
    }
}

/// The marks of one unit, open or hidden. HID-74
pub(crate) fn clear_marks_of(unit: &mut Unit) {
    let in_command = unit.marks.in_command;
    unit.marks = TurnMarks { in_command, ..TurnMarks::default() };
}
