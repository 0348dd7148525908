//! Reinforcements: who stands at the door this turn, in which order. SCN-11 to SCN-15
//!
//! Owns the bookkeeping of arrivals. The door itself, the place and the first steps, is [`crate::movement`]'s.

#[cfg(test)]
mod tests;

use protocol::event::Fact;
use protocol::ids::{LeaderId, Side, UnitId};
use protocol::view::Presence;

use crate::battle::{Table, UnitIx};
use crate::catalogue::SCN_12;
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, sentence};
use crate::field::Field;
use crate::play::Play;
use crate::scenario::Arrival;
use crate::{levels, specials};

/// Troops of one arrival who may enter this turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Due<'t> {
    /// The arrival: its place of entry, its formation.
    pub arrival: &'t Arrival,
    /// Its units at the door, in the order of the list, which is the order of entry.
    pub units: Vec<UnitIx>,
    /// Its leaders at the door, who come in beside the first unit of their own.
    pub leaders: Vec<LeaderId>,
}

/// SCN-11 Who of a side stands at the door this turn: come of age, not yet entered, and not of a formation that must
/// withdraw (SCN-15). The owner may still have them wait.
pub fn due(table: &Table, side: Side) -> Vec<Due<'_>> {
    let arrivals = table.scenario().arrivals.iter().filter(|arrival| arrival.side == side && !arrival.unlisted);
    let due =
        arrivals.map(|arrival| Due { arrival, units: units_due(table, arrival), leaders: leaders_due(table, arrival) });
    due.filter(|due| !due.units.is_empty() || !due.leaders.is_empty()).collect()
}

/// SCN-11 Whether a unit stands at the door this turn.
pub fn is_due(table: &Table, unit: UnitIx) -> bool {
    let waiting = &table[unit];
    waiting.presence == Presence::ToCome
        && waiting.arrives.is_some_and(|turn| turn <= table.turn)
        && levels::binding(table, waiting) < 60
}

fn units_due(table: &Table, arrival: &Arrival) -> Vec<UnitIx> {
    let named = arrival.who.iter().filter_map(|who| table.find(&UnitId::new(who.as_str())));
    named.filter(|unit| is_due(table, *unit)).collect()
}

fn leaders_due(table: &Table, arrival: &Arrival) -> Vec<LeaderId> {
    let named = arrival.who.iter().filter_map(|who| table.leaders.get(&LeaderId::new(who.as_str())));
    let due = named
        .filter(|leader| leader.presence == Presence::ToCome && leader.arrives.is_some_and(|turn| turn <= table.turn));
    due.map(|leader| leader.id.clone()).collect()
}

/// SCN-12 At the opening of a turn: arrivals that depend on a die or on a trigger, and are not let in, wait a turn more.
/// Told to their own side alone.
pub(crate) fn open_turn(play: &mut Play<'_>) {
    let turn = play.table().turn;
    let arrivals: Vec<Arrival> = play.table().scenario().arrivals.clone();
    for arrival in arrivals.iter().filter(|arrival| arrival.roll.is_some() || arrival.due_if.is_some()) {
        let from = match &arrival.due_if {
            // Its turn counts from the one after the trigger came true.
            Some(_) => play.table().came_true.get(&trigger_key(arrival)).map(|came_true| came_true + arrival.turn),
            None => Some(arrival.turn),
        };
        if from.is_none_or(|from| turn < from) {
            wait(play, arrival);
        } else if let Some(least) = arrival.roll {
            roll(play, arrival, least);
        }
    }
}

/// Under what name the trigger of an arrival is written down.
pub(crate) fn trigger_key(arrival: &Arrival) -> String {
    format!("arrival/{}", arrival.id)
}

fn roll(play: &mut Play<'_>, arrival: &Arrival, least: u32) {
    if units_due(play.table(), arrival).is_empty() && leaders_due(play.table(), arrival).is_empty() {
        return;
    }
    let turn = play.table().turn.to_string();
    let side = arrival.side.to_string();
    let key = [side.as_str(), arrival.id.as_str(), turn.as_str()];
    let mut die = throw(play.dice, play.phase, Purpose::ScenarioArrival, &key, 1, 1);
    die.needed = Some(format!("{least} or more"));
    let comes = die.faces.iter().any(|face| least <= u32::from(*face));
    let text = if comes { "may enter this turn" } else { "must wait another turn" };
    let explanation = sentence(format!("The reinforcements `{}` {text}.", arrival.id)).with_dice(die);
    play.tell_side(arrival.side, SCN_12, Fact::Special { unit: None }, explanation);
    if !comes {
        wait(play, arrival);
    }
}

/// Puts the troops of an arrival who have come of age off to the next turn.
fn wait(play: &mut Play<'_>, arrival: &Arrival) {
    let (units, leaders) = (units_due(play.table(), arrival), leaders_due(play.table(), arrival));
    let next = Some(play.table().turn + 1);
    for unit in units {
        play.table_mut()[unit].arrives = next;
    }
    for id in leaders {
        if let Some(leader) = play.table_mut().leaders.get_mut(&id) {
            leader.arrives = next;
        }
    }
}

/// SCNS-03 Tests at the end of a turn the triggers on which arrivals wait. A trigger speaks of a side's own troops, so it is
/// asked of each unit of the side that stands on the table.
pub(crate) fn mark_triggers(play: &mut Play<'_>) {
    let field = Field::new(play.rules, play.table(), play.dice);
    let mut met = Vec::new();
    for arrival in &field.table.scenario().arrivals {
        let Some(condition) = &arrival.due_if else { continue };
        let mut own = field.table.units_of(arrival.side);
        if own.any(|(unit, _)| specials::holds(&field, condition, unit)) {
            met.push(trigger_key(arrival));
        }
    }
    let turn = play.table().turn;
    for key in met {
        play.table_mut().came_true.entry(key).or_insert(turn);
    }
}
