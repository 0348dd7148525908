//! When the battle is over, and who has won. SCN-03, SCNV-12, SCNV-14

use protocol::event::Fact;
use protocol::ids::{BySide, Side};
use protocol::view::Presence;

use super::Line;
use super::holders::Holders;
use crate::battle::{Ended, Table};
use crate::catalogue::{SCN_03, SCNV_12};
use crate::explain::{Explain, Reckoning, sentence};
use crate::field::Field;
use crate::places;
use crate::play::Play;
use crate::scenario::{CountedState, Holding, ResultRule, Tie, VictoryKind, When};

fn points_in_words(points: i32) -> String {
    if points == 1 { "1 point".to_owned() } else { format!("{points} points") }
}

/// Why a battle is over.
pub(super) enum Over {
    /// A side has a place that decides the day. SCNV-12
    AtOnce(Side, String),
    /// Both have one.
    BothAtOnce,
    /// A side has no troops left.
    NoTroops(Side),
    /// Its last turn has been played.
    LastTurn,
}

/// SCN-03, SCNV-12 Whether the battle is over after its last turn, by an instant win, or when a side has no troops left. Open facts and
/// markers decide it alone: that a battle goes on tells nothing of what is hidden (LEAK-99).
pub(super) fn over(play: &Play<'_>) -> Option<Over> {
    let table = play.table();
    let at_once: Vec<(Side, String)> = instant_wins(play);
    let out_of_troops = Side::BOTH.into_iter().find(|side| !has_troops(table, *side));
    match (at_once.as_slice(), out_of_troops) {
        ([(side, place)], _) => Some(Over::AtOnce(*side, place.clone())),
        ([_, _, ..], _) => Some(Over::BothAtOnce),
        ([], Some(side)) => Some(Over::NoTroops(side)),
        ([], None) => (table.scenario().clock.turns <= table.turn).then_some(Over::LastTurn),
    }
}

/// SCNV-14 Ends the battle, by the score as it stands.
pub(super) fn end(play: &mut Play<'_>, over: Over, counted: &[Line]) {
    let table = play.table();
    let totals = BySide::from_fn(|side| table.score.get(side).total());
    let scenario = table.scenario();
    let (rule, winner, reason) = match over {
        Over::AtOnce(side, place) => (SCNV_12, Some(side), format!("The {side} has {place}, which decides the day.")),
        Over::BothAtOnce => {
            (SCNV_12, winner(scenario.result, &totals), "Both sides have a place that decides the day.".to_owned())
        }
        Over::NoTroops(side) => (
            SCN_03,
            winner(scenario.result, &totals),
            format!("The {side} has no unrouted unit left and none to come."),
        ),
        Over::LastTurn => (SCN_03, winner(scenario.result, &totals), "The last turn has been played.".to_owned()),
    };
    let text = match winner {
        Some(side) => format!("{reason} The {side} wins, {} to {}.", totals.get(side), totals.get(side.enemy())),
        None => format!("{reason} It is a draw, {} to {}.", totals.union, totals.confederate),
    };
    let mut explanation = sentence(text);
    for side in Side::BOTH {
        let mut sum = Reckoning::of(format!("points of the {side}"));
        for line in counted.iter().filter(|line| line.side == side) {
            sum.add(line.rule, format!("{}: {}", line.term, line.why), line.points);
        }
        explanation = explanation.with_sum(&sum);
    }
    let lines = counted.iter().filter(|line| line.points != 0);
    let lines = lines.map(|line| format!("{}, {}: {}", line.side, points_in_words(line.points), line.why)).collect();
    play.table_mut().ended = Some(Ended { winner, lines });
    play.tell(rule, Fact::Ended { winner, points: totals }, explanation);
}

/// SCNV-12 The sides that have the place of an instant win now, with the place.
fn instant_wins(play: &Play<'_>) -> Vec<(Side, String)> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let holders = Holders { field: &field };
    let table = field.table;
    let mut wins = Vec::new();
    for term in &table.scenario().victory {
        let VictoryKind::InstantWin { place, units } = &term.kind else { continue };
        let due = match term.when {
            When::End => true,
            When::Turn(turn) => table.turn == turn,
            When::Turns(from, to) => (from..=to).contains(&table.turn),
        };
        let (arm, state) = (None, CountedState::Holder);
        let holding = Holding {
            place: place.clone(),
            units: *units,
            parts: None,
            need_parts: None,
            each_part: false,
            arm,
            state,
        };
        for side in Side::BOTH.into_iter().filter(|side| due && term.side.includes(*side)) {
            let known = wins.iter().any(|(winner, _)| *winner == side);
            if !known && 0 < holders.hold(term, &holding, side) {
                wins.push((side, places::name(table.ground().ground(), place)));
            }
        }
    }
    wins
}

/// SCN-03 Whether a side has an unrouted unit on the table, one to come, or a marker that may hide one.
fn has_troops(table: &Table, side: Side) -> bool {
    let has_marker = table.pickets.values().any(|picket| picket.side == side);
    has_marker
        || table.all_units().any(|(_, unit)| {
            unit.side == side && (unit.presence == Presence::ToCome || (unit.on_table() && unit.is_unrouted()))
        })
}

/// SCNV-14 Who has won by these scores; none for a draw.
pub fn winner(rule: ResultRule, totals: &BySide<i32>) -> Option<Side> {
    let lead = |side: Side| totals.get(side) - totals.get(side.enemy());
    match rule {
        ResultRule::MorePoints { tie } => match lead(Side::Union) {
            0 => match tie {
                Tie::Union => Some(Side::Union),
                Tie::Confederate => Some(Side::Confederate),
                Tie::Draw => None,
            },
            union_ahead => Some(if 0 < union_ahead { Side::Union } else { Side::Confederate }),
        },
        ResultRule::Margins { first, union_by, confederate_by } => {
            let margin = BySide { union: union_by, confederate: confederate_by };
            [first, first.enemy()].into_iter().find(|side| *margin.get(*side) <= lead(*side))
        }
    }
}
