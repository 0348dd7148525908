//! What was held or reached under pickets, remembered from turn to turn. SCNV-06, SCNV-07, SCNV-15
//!
//! Owns what each side writes down of its own troops alone, hidden ones among them, with every turn. Neither side knows the other's
//! notes; both are laid side by side when the battle is over.

use std::collections::BTreeMap;

use protocol::ids::{FeatureId, Side};
use protocol::view::Presence;

use super::holders::{Holders, is_counted, place_key};
use super::{reach_key, reaches};
use crate::battle::{Stood, Table, Unit};
use crate::field::Field;
use crate::hidden;
use crate::places;
use crate::play::Play;
use crate::scenario::{PlaceTerm, VictoryKind};

/// SCNV-07 Writes down which sides have stood in the places of `reach` terms with hidden units.
pub(super) fn note_reached(play: &mut Play<'_>) {
    let turn = play.table().turn;
    for (side, key) in Side::BOTH.into_iter().flat_map(|side| reached_now(play, side)).collect::<Vec<_>>() {
        play.battle.secrets.get_mut(side).open_mut().reached.entry(key).or_insert(turn);
    }
}

/// The names of the terms whose places hidden units of a side stand in.
fn reached_now(play: &Play<'_>, side: Side) -> Vec<(Side, String)> {
    let table = play.table();
    let own = play.battle.secrets.get(side).open();
    let reached = reaches(table, side).filter(|(_, place, arm, state)| {
        let counts = |unit: &Unit| is_counted(&Unit { presence: Presence::Table, ..unit.clone() }, *arm, *state);
        let mut hidden = own.pickets.values().flat_map(|under| &under.units);
        hidden.any(|unit| counts(unit) && is_in(table, place, unit))
    });
    reached.map(|(term, ..)| (side, reach_key(term, side))).collect()
}

/// SCNV-02 Half of its stands or more.
fn is_in(table: &Table, place: &PlaceTerm, unit: &Unit) -> bool {
    let layout = unit.layout();
    let inside = layout.rects().filter(|stand| places::holds_stand(table.ground(), place, stand)).count();
    !layout.stands.is_empty() && layout.stands.len() <= 2 * inside
}

/// SCNV-06 Writes down for each side how its own troops, hidden ones among them, stand to the places of `last` terms at the turn's end.
pub(super) fn record(play: &mut Play<'_>) {
    let is_last = |kind: &VictoryKind| matches!(kind, VictoryKind::Last { .. });
    if !play.table().scenario().victory.iter().any(|term| is_last(&term.kind)) {
        return;
    }
    let turn = play.table().turn;
    for side in Side::BOTH {
        let stood: Vec<(String, Stood)> = {
            let own = play.battle.secrets.get(side).open();
            let behind = (!own.pickets.is_empty()).then(|| hidden::behind(&play.battle, side).table);
            let field = Field::new(play.rules, behind.as_ref().unwrap_or(play.table()), play.dice);
            let holders = Holders { field: &field };
            let terms = field.table.scenario().victory.iter().filter_map(|term| match &term.kind {
                VictoryKind::Last { holding, .. } => Some((term, holding)),
                _ => None,
            });
            let stood = terms.map(|(term, holding)| {
                let holds = 0 < holders.hold_alone(term, holding, side);
                (term.id.clone(), Stood { holds, there: holders.is_there(holding, side) })
            });
            stood.collect()
        };
        let own = play.battle.secrets.get_mut(side).open_mut();
        for (term, stood) in stood {
            own.stood.entry(term).or_default().insert(turn, stood);
        }
    }
}

/// Whether a side has anything to remember of what was hidden.
pub(super) fn is_any(play: &Play<'_>) -> bool {
    Side::BOTH.into_iter().any(|side| {
        let own = play.battle.secrets.get(side).open();
        let earned = |of: Side| !own.unseen.get(of).by_term.is_empty();
        !own.reached.is_empty() || Side::BOTH.into_iter().any(earned) || !own.owned.is_empty()
    })
}

/// SCNV-06, SCNV-07, SCNV-15 When all is opened: what was reached under pickets has been reached, and each place belongs to who had it
/// last alone in truth.
pub(super) fn recall(play: &mut Play<'_>) {
    for side in Side::BOTH {
        let reached = play.battle.secrets.get(side).open().reached.clone();
        for (key, turn) in reached {
            let known = play.table_mut().came_true.entry(key).or_insert(turn);
            *known = turn.min(*known);
        }
    }
    let mut owners: BTreeMap<FeatureId, Option<Side>> = BTreeMap::new();
    for term in &play.table().scenario().victory {
        let VictoryKind::Last { holding, initial } = &term.kind else { continue };
        let mut owner = *initial;
        for turn in 1..=play.table().turn {
            let stood = |side: Side| {
                let turns = play.battle.secrets.get(side).open().stood.get(&term.id);
                turns.and_then(|turns| turns.get(&turn)).copied().unwrap_or_default()
            };
            let sole = Side::BOTH.into_iter().find(|side| stood(*side).holds && !stood(side.enemy()).there);
            owner = sole.or(owner);
        }
        owners.insert(place_key(term, holding), owner);
    }
    play.table_mut().held_by.extend(owners);
}
