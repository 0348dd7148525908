//! Victory: what each term of a scenario is worth now, who holds its places, when the battle is over and who has won.
//!
//! Owns the counting of SCNV-01 to SCNV-14. It never moves anything. Start at [`count`], which the end of each turn calls.

mod losses;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use protocol::event::{Fact, OrderShown};
use protocol::ids::{BySide, FeatureId, Side};
use protocol::view::Presence;
use protocol::words::{Arm, Formation};

use crate::battle::{Ended, Score, Table, Unit, UnitIx};
use crate::catalogue::{
    RuleId, SCN_03, SCNV_04, SCNV_05, SCNV_06, SCNV_07, SCNV_08, SCNV_09, SCNV_10, SCNV_11, SCNV_12,
};
use crate::explain::{Explain, Reckoning, sentence};
use crate::field::Field;
use crate::places;
use crate::play::Play;
use crate::scenario::{CountedState, Holding, ResultRule, Tie, VictoryKind, VictoryTerm, When};
use protocol::event::Morale;

/// SCNV-03 Whether a unit can hold a place, by a term's arm and state.
pub fn is_holder(unit: &Unit, arm: Option<Arm>, state: CountedState) -> bool {
    let of_the_line = match unit.arm {
        Arm::Infantry | Arm::Cavalry => true,
        Arm::Artillery => !unit.is_limbered() && unit.guns.as_ref().is_some_and(|guns| !guns.unmanned),
        Arm::Sharpshooter | Arm::GunCrew => false,
    };
    let fit = match state {
        CountedState::Any => unit.is_unrouted(),
        CountedState::Good => unit.morale == Morale::Good,
        CountedState::Holder => {
            unit.morale == Morale::Good && is_in_order(unit) && !is_disengaging(unit) && is_strong(unit)
        }
    };
    unit.on_table() && of_the_line && fit && arm.is_none_or(|arm| arm == unit.arm)
}

/// SCNV-03 Formed; dismounted cavalry may skirmish.
fn is_in_order(unit: &Unit) -> bool {
    let skirmishers = unit.arm == Arm::Cavalry && !unit.mounted && unit.footing.formation == Formation::SkirmishLine;
    unit.is_formed() || (skirmishers && unit.is_unrouted() && !unit.footing.disorder)
}

fn is_disengaging(unit: &Unit) -> bool {
    matches!(unit.marks.shown, Some(OrderShown::Disengage {}))
}

/// SCNV-03 More than one stand or section left, or all it began with.
fn is_strong(unit: &Unit) -> bool {
    let (left, began) = match unit.arm {
        Arm::Artillery => (unit.figures(), unit.figures_at_start),
        _ => (unit.stands.len() as u32, unit.stands_at_start),
    };
    1 < left || left == began
}

/// Who holds what: each holder counted in one place of a kind. SCNV-03
struct Holders<'f, 'a> {
    field: &'f Field<'a>,
}

impl Holders<'_, '_> {
    /// The units of a side that hold a term's place.
    fn of(&self, term: &VictoryTerm, holding: &Holding, side: Side) -> Vec<UnitIx> {
        let troops = self.field.table.units_of(side);
        let fit = troops.filter(|(_, unit)| is_holder(unit, holding.arm, holding.state)).map(|(unit, _)| unit);
        let there = fit.filter(|unit| places::holds_unit(self.field, &holding.place, *unit));
        there.filter(|unit| self.counts_here(term, holding, *unit)).collect()
    }

    /// SCNV-03 Of the places of one kind a unit holds that in which most of its stands are, of equals the dearer one.
    fn counts_here(&self, term: &VictoryTerm, holding: &Holding, unit: UnitIx) -> bool {
        let worth =
            |term: &VictoryTerm, holding: &Holding| (places::stands_in(self.field, &holding.place, unit), term.points);
        let own = worth(term, holding);
        let others = self.field.table.scenario().victory.iter().filter(|other| other.id != term.id);
        let rivals = others.filter_map(|other| {
            let same_kind = std::mem::discriminant(&other.kind) == std::mem::discriminant(&term.kind);
            let rival = holding_of(&other.kind).filter(|_| same_kind)?;
            (rival.place != holding.place).then(|| worth(other, rival))
        });
        rivals.max().is_none_or(|rival| rival <= own)
    }

    /// SCNV-04 How many times over a side has a place by `hold`: once, or once for each part.
    fn hold(&self, term: &VictoryTerm, holding: &Holding, side: Side) -> u32 {
        let (own, enemy) = (self.of(term, holding, side), self.of(term, holding, side.enemy()));
        let Some(parts) = holding.parts else {
            return u32::from(enemy.is_empty() && holding.units as usize <= own.len());
        };
        let held = (0..parts).filter(|part| {
            let stands_in_part = |unit: &&UnitIx| {
                let ground = self.field.ground().ground();
                let mut stands = self.field.layout(**unit).rects();
                stands.any(|stand| places::part_of(ground, &holding.place, parts, stand) == Some(*part))
            };
            let own = own.iter().filter(stands_in_part).count();
            holding.units as usize <= own && !enemy.iter().any(|unit| stands_in_part(&unit))
        });
        let held = held.count() as u32;
        if holding.each_part { held } else { u32::from(holding.need_parts.unwrap_or(parts) <= held) }
    }

    /// SCNV-05 As `hold`, with no unrouted enemy in the place at all.
    fn sole(&self, term: &VictoryTerm, holding: &Holding, side: Side) -> u32 {
        let mut enemies = self.field.table.units_of(side.enemy()).filter(|(_, unit)| unit.is_unrouted());
        let disputed = enemies.any(|(enemy, _)| places::stands_in(self.field, &holding.place, enemy) != 0);
        if disputed { 0 } else { self.hold(term, holding, side) }
    }
}

fn holding_of(kind: &VictoryKind) -> Option<&Holding> {
    match kind {
        VictoryKind::Hold(holding)
        | VictoryKind::Sole(holding)
        | VictoryKind::Last { holding, .. }
        | VictoryKind::Control { holding, .. } => Some(holding),
        _ => None,
    }
}

/// Under what name the owner of a term's place is kept. SCNV-06
fn place_key(term: &VictoryTerm, holding: &Holding) -> FeatureId {
    places::feature(&holding.place).cloned().unwrap_or_else(|| FeatureId::new(term.id.as_str()))
}

/// SCNV-06 Who owns the place of a `last` term now.
pub fn owner(table: &Table, term: &VictoryTerm) -> Option<Side> {
    let VictoryKind::Last { holding, initial } = &term.kind else { return None };
    table.held_by.get(&place_key(term, holding)).copied().unwrap_or(*initial)
}

/// SCNV-13 Counts the turn that ends: owners of places, terms of this turn, the running score, and whether it is over.
pub fn count(play: &mut Play<'_>) {
    note_reached(play);
    pass_places(play);
    let before = play.table().score.clone();
    let counted = counted(play);
    tell_changes(play, &before, &counted);
    for side in Side::BOTH {
        let by_term =
            counted.iter().filter(|line| line.side == side).map(|line| (line.term.clone(), line.points)).collect();
        play.table_mut().score.get_mut(side).by_term = by_term;
    }
    end_if_over(play, &counted);
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
    let field = Field::new(play.rules, play.table(), play.dice);
    let turn = field.table.turn;
    let mut reached = Vec::new();
    for term in &field.table.scenario().victory {
        let VictoryKind::Reach { place, arm, state, turns } = &term.kind else { continue };
        if turns.is_some_and(|(from, to)| !(from..=to).contains(&turn)) {
            continue;
        }
        for side in Side::BOTH.into_iter().filter(|side| term.side.includes(*side)) {
            let mut troops =
                field.table.units_of(side).filter(|(_, unit)| unit.is_unrouted() && is_counted(unit, *arm, *state));
            if troops.any(|(unit, _)| places::holds_unit(&field, place, unit)) {
                reached.push(reach_key(term, side));
            }
        }
    }
    for key in reached {
        play.table_mut().came_true.entry(key).or_insert(turn);
    }
}

fn reach_key(term: &VictoryTerm, side: Side) -> String {
    format!("reach/{}/{side}", term.id)
}

/// Whether a unit is of the arm and state that a term names, where it need not hold anything.
fn is_counted(unit: &Unit, arm: Option<Arm>, state: CountedState) -> bool {
    let fit = match state {
        CountedState::Any => unit.is_unrouted(),
        CountedState::Good => unit.morale == Morale::Good,
        CountedState::Holder => return is_holder(unit, arm, state),
    };
    fit && arm.is_none_or(|arm| arm == unit.arm)
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

fn points_in_words(points: i32) -> String {
    if points == 1 { "1 point".to_owned() } else { format!("{points} points") }
}

/// SCN-03, SCNV-12, SCNV-14 Ends the battle after its last turn, by an instant win, or when a side has no troops left.
fn end_if_over(play: &mut Play<'_>, counted: &[Line]) {
    let table = play.table();
    let totals = BySide::from_fn(|side| table.score.get(side).total());
    let scenario = table.scenario();
    let at_once: Vec<(Side, String)> = instant_wins(play);
    let out_of_troops = Side::BOTH.into_iter().find(|side| !has_troops(table, *side));
    let (rule, winner, reason) = match (at_once.as_slice(), out_of_troops) {
        ([(side, place)], _) => (SCNV_12, Some(*side), format!("The {side} has {place}, which decides the day.")),
        ([_, _, ..], _) => {
            (SCNV_12, winner(scenario.result, &totals), "Both sides have a place that decides the day.".to_owned())
        }
        ([], Some(side)) => (
            SCN_03,
            winner(scenario.result, &totals),
            format!("The {side} has no unrouted unit left and none to come."),
        ),
        ([], None) if scenario.clock.turns <= table.turn => {
            (SCN_03, winner(scenario.result, &totals), "The last turn has been played.".to_owned())
        }
        ([], None) => return,
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

/// SCN-03 Whether a side has an unrouted unit on the table, or one to come.
fn has_troops(table: &Table, side: Side) -> bool {
    table.all_units().any(|(_, unit)| {
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
