//! Reading one `[[victory_term]]`.

use serde::Deserialize;

use super::{CountBy, CountedState, Holding, LeaderLoss, ResultRule, Scorer, Tie, VictoryKind, VictoryTerm, When};
use crate::scenario::entry::{Entry, Names, shorten};
use crate::scenario::terms::needed_turns;
use crate::scenario::terms::place::{PlaceTerm, needed_place};

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum VictoryWord {
    Hold,
    Sole,
    Last,
    Control,
    Deny,
    Reach,
    UnitLost,
    BatteryTaken,
    SectionTaken,
    StandLost,
    FigureLost,
    Withdraw,
    PointsLost,
    LeaderLost,
    Exit,
    InstantWin,
    Result,
}

/// A victory table is a term, or the one that says who has won.
pub(in crate::scenario) enum VictoryTable {
    /// A term.
    Term(VictoryTerm),
    /// The result, and where it stands.
    Result(ResultRule, usize),
}

/// Reads one `[[victory_term]]`.
pub(in crate::scenario) fn victory_term(mut e: Entry<'_, '_>) -> VictoryTable {
    let id = e.id("id");
    let note = e.text_or_empty("note");
    let word: VictoryWord = e.word("kind");
    if let VictoryWord::Result = word {
        let at = e.at;
        let rule = result_rule(&mut e);
        e.finish();
        return VictoryTable::Result(rule, at);
    }
    let side: Scorer = e.word("side");
    let points = match word {
        VictoryWord::InstantWin => 0,
        _ => e.int("points", -1000..=1000),
    };
    let kind = victory_kind(&mut e, word);
    let counted_each_turn =
        matches!(word, VictoryWord::Control | VictoryWord::Deny | VictoryWord::Reach | VictoryWord::Last);
    let when = if counted_each_turn { When::End } else { when(&mut e, word) };
    e.finish();
    VictoryTable::Term(VictoryTerm { id, side, points, kind, when, note })
}

fn victory_kind(e: &mut Entry<'_, '_>, word: VictoryWord) -> VictoryKind {
    match word {
        VictoryWord::Hold => VictoryKind::Hold(holding(e, word)),
        VictoryWord::Sole => VictoryKind::Sole(holding(e, word)),
        VictoryWord::Last => VictoryKind::Last { holding: holding(e, word), initial: e.opt_word("initial") },
        VictoryWord::Control => VictoryKind::Control { holding: holding(e, word), turns: needed_turns(e) },
        VictoryWord::Deny => VictoryKind::Deny {
            place: needed_place(e),
            turns: needed_turns(e),
            arm: e.opt_word("arm"),
            state: e.word_or("state", CountedState::Holder),
        },
        VictoryWord::Reach => VictoryKind::Reach {
            place: needed_place(e),
            arm: e.opt_word("arm"),
            state: e.word_or("state", CountedState::Any),
            turns: e.opt_turns("turns"),
        },
        VictoryWord::UnitLost => VictoryKind::UnitLost {
            arm: e.opt_word("arm"),
            count: e.word_or("count", CountBy::Unit),
            who: e.names("who", Names::Who),
        },
        VictoryWord::BatteryTaken => VictoryKind::BatteryTaken { who: e.names("who", Names::Who) },
        VictoryWord::SectionTaken => VictoryKind::SectionTaken { who: e.names("who", Names::Who) },
        VictoryWord::StandLost => VictoryKind::StandLost { arm: e.opt_word("arm"), who: e.names("who", Names::Who) },
        VictoryWord::FigureLost => VictoryKind::FigureLost { arm: e.opt_word("arm"), who: e.names("who", Names::Who) },
        VictoryWord::Withdraw => {
            let level = e.opt_int("level", 40..=60).unwrap_or(60);
            if level != 40 && level != 60 {
                e.fault(e.place_of("level"), "no such level of loss", "use 40 or 60 (LVL-03)");
            }
            VictoryKind::Withdraw { post: e.opt_word("post"), level: level.unsigned_abs() as u8 }
        }
        VictoryWord::PointsLost => VictoryKind::PointsLost { per: e.int("per", 1..=1000).unsigned_abs() },
        VictoryWord::LeaderLost => VictoryKind::LeaderLost {
            who: e.names("who", Names::Commander),
            post: e.opt_word("post"),
            how: e.word_or("how", LeaderLoss::Lost),
        },
        VictoryWord::Exit => {
            let place = needed_place(e);
            if !matches!(place, PlaceTerm::Edge(_)) {
                e.fault(e.at, "an exit is a stretch of an edge", "give `edge = [\"south\", from, to]`");
            }
            VictoryKind::Exit {
                place,
                arm: e.opt_word("arm"),
                state: e.word_or("state", CountedState::Good),
                who: e.names("who", Names::Who),
            }
        }
        VictoryWord::InstantWin | VictoryWord::Result => {
            VictoryKind::InstantWin { place: needed_place(e), units: units(e) }
        }
    }
}

fn units(e: &mut Entry<'_, '_>) -> u32 {
    e.opt_int("units", 1..=100).map_or(1, i32::unsigned_abs)
}

fn holding(e: &mut Entry<'_, '_>, word: VictoryWord) -> Holding {
    let by_parts = matches!(word, VictoryWord::Hold | VictoryWord::Sole);
    let holding = Holding {
        place: needed_place(e),
        units: units(e),
        parts: if by_parts { e.opt_int("parts", 2..=20).map(i32::unsigned_abs) } else { None },
        need_parts: if by_parts { e.opt_int("need_parts", 1..=20).map(i32::unsigned_abs) } else { None },
        each_part: by_parts && e.flag("each_part", false),
        arm: e.opt_word("arm"),
        state: e.word_or("state", CountedState::Holder),
    };
    let most = holding.parts.unwrap_or(0);
    if most < holding.need_parts.unwrap_or(0) || (holding.each_part && most == 0) {
        e.fault(e.at, "more parts are asked for than there are", "give `parts`, and `need_parts` not above it");
    }
    holding
}

/// SCNV-13 When it is counted.
fn when(e: &mut Entry<'_, '_>, word: VictoryWord) -> When {
    let at = e.place_of("when");
    let turns = match word {
        VictoryWord::Hold | VictoryWord::Sole | VictoryWord::InstantWin => e.opt_turns("turns"),
        _ => None,
    };
    let said = match word {
        VictoryWord::Hold | VictoryWord::Sole | VictoryWord::InstantWin => e.opt_text("when"),
        _ => None,
    };
    match (said.as_deref(), turns) {
        (Some(_), Some(_)) => {
            e.fault(at, "both `when` and `turns`", "give one of them (SCNV-13)");
            When::End
        }
        (None, Some((first, last))) => When::Turns(first, last),
        (None | Some("end"), None) => When::End,
        (Some(text), None) => match text.strip_prefix("turn ").and_then(|n| n.trim().parse().ok()) {
            Some(turn) if (1..=200).contains(&turn) => When::Turn(turn),
            _ => {
                let what = format!("`when` is the text `{}`", shorten(text));
                e.fault(at, what, "use \"end\" or \"turn n\" (SCNV-13)");
                When::End
            }
        },
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ResultWord {
    MorePoints,
    Margins,
}

fn result_rule(e: &mut Entry<'_, '_>) -> ResultRule {
    match e.word("rule") {
        ResultWord::MorePoints => ResultRule::MorePoints { tie: e.word_or("tie", Tie::Draw) },
        ResultWord::Margins => ResultRule::Margins {
            first: e.word("first"),
            union_by: e.int("union_by", 0..=1000),
            confederate_by: e.int("confederate_by", 0..=1000),
        },
    }
}
