//! Victory: what each term of a scenario is worth now, who holds its places, when the battle is over and who has won.
//!
//! Owns the counting of SCNV-01 to SCNV-14. It never moves anything. Start at [`count`], which the end of each turn calls.

mod ending;
mod holders;
mod losses;
mod memory;
#[cfg(test)]
mod tests;
mod unseen;

use std::collections::BTreeMap;

use protocol::event::{Fact, Morale};
use protocol::ids::{BySide, FeatureId, Side};
use protocol::view::Presence;
use protocol::words::Arm;

use crate::battle::{Score, Table};
use crate::catalogue::{RuleId, SCNV_04, SCNV_05, SCNV_06, SCNV_07, SCNV_08, SCNV_09, SCNV_10, SCNV_11};
use crate::explain::{Explain, Reckoning, sentence};
use crate::field::Field;
use crate::hidden;
use crate::los;
use crate::places;
use crate::play::Play;
use crate::scenario::{CountedState, VictoryKind, VictoryTerm, When};
pub use ending::winner;
pub use holders::{is_holder, owner};

use holders::{Holders, is_counted, place_key};

/// SCNV-13 Counts the turn that ends: owners of places, terms of this turn, the running score, and whether it is over.
pub fn count(play: &mut Play<'_>) {
    note_reached(play);
    let held_before = play.table().held_by.clone();
    pass_places(play);
    memory::record(play);
    let before = play.table().score.clone();
    let over = ending::over(play);
    if over.is_some() && (!play.table().pickets.is_empty() || memory::is_any(play)) {
        open_and_recall(play);
    } else {
        unseen::count(play, &held_before);
    }
    let counted = counted(play);
    tell_changes(play, &before, &counted);
    play.table_mut().score = scores(&counted);
    los::count(play);
    if let Some(over) = over {
        ending::end(play, over, &counted);
    }
}

/// HID-66, SCNV-15 At the end all pickets are opened, and what hidden units have earned in single turns counts with the rest.
fn open_and_recall(play: &mut Play<'_>) {
    let unseen = Side::BOTH.map(|side| play.battle.secrets.get(side).open().unseen.clone());
    hidden::open_all(play);
    note_reached(play);
    memory::recall(play);
    for by_side in unseen {
        unseen::add(&mut play.table_mut().score, &by_side);
    }
}

/// LOS-18 Counts a table as a side sees it: places, what was reached, points. Nothing is told, and no battle ends by it.
pub(crate) fn count_what_is_seen(play: &mut Play<'_>) {
    note_reached(play);
    pass_places(play);
    play.table_mut().score = scores(&counted(play));
}

/// The points of each side by term.
fn scores(counted: &[Line]) -> BySide<Score> {
    BySide::from_fn(|side| {
        let own = counted.iter().filter(|line| line.side == side);
        Score { by_term: own.map(|line| (line.term.clone(), line.points)).collect() }
    })
}

/// One term as it stands for one side. SCNV-16
struct Line {
    term: String,
    side: Side,
    rule: RuleId,
    points: i32,
    place: Option<FeatureId>,
    why: String,
}

/// SCNV-07 Writes down which sides have stood in the places of `reach` terms. Called at the end of the turn; the phases
/// call it too at the instants at which troops may pass through a place and leave it.
pub fn note_reached(play: &mut Play<'_>) {
    let is_reach = |term: &VictoryTerm| matches!(term.kind, VictoryKind::Reach { .. });
    if !play.table().scenario().victory.iter().any(is_reach) {
        return;
    }
    let turn = play.table().turn;
    let mut reached = Vec::new();
    {
        let field = Field::new(play.rules, play.table(), play.dice);
        for side in Side::BOTH {
            for (term, place, arm, state) in reaches(field.table, side) {
                let mut troops =
                    field.table.units_of(side).filter(|(_, unit)| unit.is_unrouted() && is_counted(unit, arm, state));
                if troops.any(|(unit, _)| places::holds_unit(&field, place, unit)) {
                    reached.push(reach_key(term, side));
                }
            }
        }
    }
    for key in reached {
        play.table_mut().came_true.entry(key).or_insert(turn);
    }
    memory::note_reached(play);
}

/// A place that a side may reach for points now, with the arm and state of who counts.
type Reach<'t> = (&'t VictoryTerm, &'t crate::scenario::PlaceTerm, Option<Arm>, CountedState);

/// SCNV-07 What a side may still reach for points in this turn, in the open.
fn reaches(table: &Table, side: Side) -> impl Iterator<Item = Reach<'_>> {
    table.scenario().victory.iter().filter_map(move |term| {
        let VictoryKind::Reach { place, arm, state, turns } = &term.kind else { return None };
        let is_due = turns.is_none_or(|(from, to)| (from..=to).contains(&table.turn));
        let is_new = !table.came_true.contains_key(&reach_key(term, side));
        (is_due && is_new && term.side.includes(side)).then_some((term, place, *arm, *state))
    })
}

/// Whether a key of what has come true is one of `reach` terms. LOS-18
pub(crate) fn is_of_reaching(key: &str) -> bool {
    key.starts_with("reach/")
}

fn reach_key(term: &VictoryTerm, side: Side) -> String {
    format!("reach/{}/{side}", term.id)
}

/// SCNV-06 Places pass to the side that has them alone at the end of the turn.
fn pass_places(play: &mut Play<'_>) {
    let field = Field::new(play.rules, play.table(), play.dice);
    let holders = Holders { field: &field };
    let mut owners = BTreeMap::new();
    for term in &field.table.scenario().victory {
        let VictoryKind::Last { holding, .. } = &term.kind else { continue };
        let sole = Side::BOTH.into_iter().find(|side| 0 < holders.sole(term, holding, *side));
        owners.insert(place_key(term, holding), sole.or(owner(field.table, term)));
    }
    play.table_mut().held_by.extend(owners);
}

/// Every term for every side that may score it, as it would be counted if the battle ended now.
fn counted(play: &Play<'_>) -> Vec<Line> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let terms = &field.table.scenario().victory;
    let sides =
        |term: &VictoryTerm| Side::BOTH.into_iter().filter(|side| term.side.includes(*side)).collect::<Vec<_>>();
    terms
        .iter()
        .flat_map(|term| sides(term).into_iter().map(move |side| (term, side)))
        .filter_map(|(term, side)| line(&field, term, side))
        .collect()
}

/// SCNV-13 One term for one side: counted now, or as it was stored at its turns.
fn line(field: &Field<'_>, term: &VictoryTerm, side: Side) -> Option<Line> {
    let table = field.table;
    let stored = table.score.get(side).by_term.get(&term.id).copied().unwrap_or(0);
    let is_due = |turns: (u32, u32)| (turns.0..=turns.1).contains(&table.turn);
    let now = measure(field, term, side)?;
    let worth = term.points * i32::try_from(now.times).unwrap_or(0);
    // Terms of single turns add up; the others are counted anew, as if the battle ended now.
    let points = match (&term.kind, term.when) {
        (VictoryKind::Control { turns, .. } | VictoryKind::Deny { turns, .. }, _) => {
            stored + if is_due(*turns) { worth } else { 0 }
        }
        (_, When::Turns(from, to)) => stored + if is_due((from, to)) { worth } else { 0 },
        (_, When::Turn(turn)) => {
            if table.turn == turn {
                worth
            } else {
                stored
            }
        }
        (_, When::End) => worth,
    };
    let place = now.place.as_ref().and_then(|place| places::feature(place)).cloned();
    Some(Line { term: term.id.clone(), side, rule: now.rule, points, place, why: now.why })
}

/// How often a term is earned, and why.
struct Measure<'t> {
    rule: RuleId,
    times: u32,
    place: Option<&'t crate::scenario::PlaceTerm>,
    why: String,
}

/// SCNV-04 to SCNV-11 What a term measures now for a side; none for an instant win, which has no points.
fn measure<'t>(field: &Field<'t>, term: &'t VictoryTerm, side: Side) -> Option<Measure<'t>> {
    let table = field.table;
    let holders = Holders { field };
    let ground = table.ground().ground();
    let of_place = |rule, times: u32, place: &'t crate::scenario::PlaceTerm, verb: &str| {
        let why = format!("the {side} {verb} {}", places::name(ground, place));
        Measure { rule, times, place: Some(place), why }
    };
    let listed = |rule, (times, why): (u32, String)| Measure { rule, times, place: None, why };
    Some(match &term.kind {
        VictoryKind::Hold(holding) => of_place(SCNV_04, holders.hold(term, holding, side), &holding.place, "holds"),
        VictoryKind::Sole(holding) => {
            of_place(SCNV_05, holders.sole(term, holding, side), &holding.place, "alone holds")
        }
        VictoryKind::Last { holding, .. } => {
            let owns = owner(table, term) == Some(side);
            of_place(SCNV_06, u32::from(owns), &holding.place, "was the last to hold alone")
        }
        VictoryKind::Control { holding, .. } => {
            of_place(SCNV_07, holders.sole(term, holding, side), &holding.place, "controls")
        }
        VictoryKind::Deny { place, arm, state, .. } => {
            let mut enemies = table.units_of(side.enemy()).filter(|(_, unit)| is_counted(unit, *arm, *state));
            let denied = !enemies.any(|(enemy, _)| places::stands_in(field, place, enemy) != 0);
            of_place(SCNV_07, u32::from(denied), place, "keeps the enemy from")
        }
        VictoryKind::Reach { place, .. } => {
            let reached = table.came_true.contains_key(&reach_key(term, side));
            of_place(SCNV_07, u32::from(reached), place, "has reached")
        }
        VictoryKind::UnitLost { arm, count, who } => {
            listed(SCNV_08, losses::units(table, side.enemy(), *arm, *count, who))
        }
        VictoryKind::BatteryTaken { who } => listed(SCNV_08, losses::batteries(table, side.enemy(), who)),
        VictoryKind::SectionTaken { who } => listed(SCNV_08, losses::sections(table, side.enemy(), who)),
        VictoryKind::StandLost { arm, who } => listed(SCNV_08, losses::stands(table, side.enemy(), *arm, who)),
        VictoryKind::FigureLost { arm, who } => listed(SCNV_08, losses::figures(table, side.enemy(), *arm, who)),
        VictoryKind::Withdraw { post, level } => {
            listed(SCNV_09, losses::withdrawn(field.rules, table, side.enemy(), *post, *level))
        }
        VictoryKind::PointsLost { per } => {
            listed(SCNV_09, losses::command_points(field.rules, table, side.enemy(), *per))
        }
        VictoryKind::LeaderLost { who, post, how } => {
            listed(SCNV_10, losses::leaders(table, side.enemy(), who, *post, *how))
        }
        VictoryKind::Exit { place, arm, state, who } => {
            let gone = table.all_units().filter(|(_, unit)| {
                unit.side == side
                    && unit.presence == Presence::Left
                    && arm.is_none_or(|arm| arm == unit.arm)
                    && (*state == CountedState::Any || unit.morale == Morale::Good)
                    && losses::is_named(table, unit, who)
                    && places::holds_point(table.ground(), place, unit.footing.anchor)
            });
            listed(SCNV_11, losses::named(gone.map(|(_, unit)| unit.name.as_str()), "left the table"))
        }
        VictoryKind::InstantWin { .. } => return None,
    })
}

/// Tells every term whose points have changed.
fn tell_changes(play: &mut Play<'_>, before: &BySide<Score>, counted: &[Line]) {
    for Line { term, side, rule, points, place, why } in counted {
        let known = before.get(*side).by_term.get(term).copied().unwrap_or(0);
        if known == *points {
            continue;
        }
        let mut sum = Reckoning::of(format!("points of `{term}`"));
        sum.add(*rule, "before", known);
        sum.add(*rule, why.clone(), points - known);
        let text = match known < *points {
            true => format!("Points for the {side}: {why}."),
            false => format!("The {side} loses points of `{term}`."),
        };
        let fact = Fact::Points { side: *side, points: points - known, place: place.clone() };
        play.tell(*rule, fact, sentence(text).with_sum(&sum));
    }
}
