//! Explanations that name nobody unseen. LOS-12

use protocol::event::{Dice, Explanation, Fact, Note, Sum, TableRead, Term};
use protocol::ids::Side;

use crate::battle::Table;
use crate::explain::sentence;

/// The sentence in the place of an explanation that names somebody out of sight.
pub(super) const OUT_OF_SIGHT: &str = "The reason is out of sight.";

/// LOS-13 What is said of fire whose effect is not told.
pub(super) const NO_EFFECT: &str = "No effect is observed.";

/// What stands in a fact for words that name somebody out of sight.
const SOMETHING: &str = "out of sight";

/// LOS-12 An explanation as a side reads it.
pub(super) fn explanation_for(table: &Table, side: Side, explanation: &Explanation) -> Explanation {
    if table.sights.is_none() {
        return explanation.clone();
    }
    let names = |text: &str| names_somebody_unseen(table, side, text);
    let mut told = explanation.clone();
    told.dice.retain(|dice| !dice.key.iter().chain(&dice.needed).any(|part| names(part)));
    told.notes.retain(|note| !names(&note.text));
    if names(&text_of(&told)) { sentence(OUT_OF_SIGHT) } else { told }
}

/// LOS-12 Whether the reasons of a fact about enemies alone would tell whom they see, fear or mean: then only its outline is told.
pub(super) fn is_his_own_affair(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::Command { .. }
            | Fact::ConditionalHold { .. }
            | Fact::OrderVoid { .. }
            | Fact::FireWithheld { .. }
            | Fact::Volley { .. }
            | Fact::MoraleCheck { .. }
            | Fact::Competence { .. }
            | Fact::MoraleChanged { .. }
            | Fact::FellBack { .. }
            | Fact::Ran { .. }
            | Fact::Rally { .. }
            | Fact::Moved { .. }
            | Fact::Choice { .. }
            | Fact::Disengages { .. }
            | Fact::LeaderHit { .. }
            | Fact::Special { .. }
    )
}

/// LOS-12 Such a fact as it looks from without.
pub(super) fn in_outline(mut fact: Fact) -> Fact {
    match &mut fact {
        Fact::MoraleCheck { because: words, .. } | Fact::Competence { because: words, .. } => {
            SOMETHING.clone_into(words);
        }
        Fact::Moved { halted, .. } => *halted = None,
        Fact::Disengages { from, .. } => *from = None,
        _ => {}
    }
    fact
}

/// LOS-12 Words within a fact that name somebody unseen are left out.
pub(super) fn fact_for(table: &Table, side: Side, mut fact: Fact) -> Fact {
    let words = match &mut fact {
        Fact::Moved { halted: Some(words), .. }
        | Fact::MoraleCheck { because: words, .. }
        | Fact::Competence { because: words, .. }
        | Fact::ChargeEnded { how: words, .. }
        | Fact::LeaderHit { outcome: words, .. } => words,
        _ => return fact,
    };
    if names_somebody_unseen(table, side, words) {
        SOMETHING.clone_into(words);
    }
    fact
}

/// Whether a text has the name or identifier of an enemy whom the side does not see.
fn names_somebody_unseen(table: &Table, side: Side, text: &str) -> bool {
    let Some(sights) = table.sights.as_ref().map(|sights| sights.get(side)) else { return false };
    let units = table.all_units().map(|(_, unit)| unit).filter(|unit| unit.side != side);
    let mut units = units.filter(|unit| !sights.units.contains(&unit.id));
    let leaders = table.leaders.values().filter(|leader| leader.side != side);
    let mut leaders = leaders.filter(|leader| !sights.leaders.contains(&leader.id));
    units.any(|unit| has_word(text, &unit.name) || has_word(text, unit.id.as_str()))
        || leaders.any(|leader| has_word(text, &leader.name) || has_word(text, leader.id.as_str()))
}

/// Whether a name stands in a text as a word of its own.
fn has_word(text: &str, name: &str) -> bool {
    if name.is_empty() {
        return false;
    }
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + name.len()..].chars().next());
        !is_letter(before) && !is_letter(after)
    })
}

/// All text of an explanation.
fn text_of(explanation: &Explanation) -> String {
    let Explanation { sentence, sums, dice, tables, notes } = explanation;
    let mut text = sentence.clone();
    let mut add = |more: &str| {
        text.push('\n');
        text.push_str(more);
    };
    for Sum { label, terms, total: _ } in sums {
        add(label);
        terms.iter().for_each(|Term { rule: _, label, value: _ }| add(label));
    }
    for Dice { purpose: _, key, faces: _, needed } in dice {
        key.iter().chain(needed).for_each(|part| add(part));
    }
    for TableRead { table: _, row, column, value } in tables {
        [row, column, value].into_iter().for_each(|part| add(part));
    }
    notes.iter().for_each(|Note { rule: _, text }| add(text));
    text
}
