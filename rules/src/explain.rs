//! Explanations: modifiers are collected, then summed, and the same list is what the player reads.
//!
//! Owns [`Reckoning`] and the small builders of [`Explanation`]. It never decides anything.

use protocol::event::{Dice as DiceShown, Explanation, Note, Sum, TableRead, Term};

use crate::catalogue::RuleId;

/// A unit's name within a sentence: regiments have an article, batteries that begin with a name have none.
pub(crate) fn called(name: &str) -> String {
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("the {name}") } else { name.to_owned() }
}

/// A unit's name at the head of a sentence.
pub(crate) fn named(name: &str) -> String {
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("The {name}") } else { name.to_owned() }
}

/// How far off a thing was seen, in a sentence: `3.2 inches away in sight`, `right beside it`. Thousandths of an inch, told in tenths.
pub(crate) fn away(distance: i32) -> String {
    let tenths = (distance + 50) / 100;
    match (tenths / 10, tenths % 10) {
        (0, 0) => "right beside it".to_owned(),
        (1, 0) => "1 inch away in sight".to_owned(),
        (whole, 0) => format!("{whole} inches away in sight"),
        (whole, tenth) => format!("{whole}.{tenth} inches away in sight"),
    }
}

/// A list of modifiers on the way to a sum. Arithmetic and explanation come from this one list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reckoning {
    label: String,
    terms: Vec<(RuleId, String, i32)>,
}

impl Reckoning {
    /// An empty list; `label` says what is summed.
    pub fn of(label: impl Into<String>) -> Self {
        Reckoning { label: label.into(), terms: Vec::new() }
    }

    /// Adds a modifier. One that changes nothing is left out, unless it is the base.
    pub fn add(&mut self, rule: RuleId, label: impl Into<String>, value: i32) {
        if value != 0 || self.terms.is_empty() {
            self.terms.push((rule, label.into(), value));
        }
    }

    /// Adds a modifier where `condition` holds.
    pub fn add_if(&mut self, condition: bool, rule: RuleId, label: impl Into<String>, value: i32) {
        if condition {
            self.add(rule, label, value);
        }
    }

    /// The sum.
    pub fn total(&self) -> i32 {
        self.terms.iter().map(|(_, _, value)| value).sum()
    }

    /// The terms: rule, label, value.
    pub fn terms(&self) -> &[(RuleId, String, i32)] {
        &self.terms
    }

    /// The sum brought between two limits; the step that the limit takes is a term of its own, citing `rule`.
    pub fn clamped(mut self, rule: RuleId, least: i32, most: i32) -> Self {
        let total = self.total();
        let limited = total.clamp(least, most);
        if limited != total {
            let label = if limited < total { format!("at most {most}") } else { format!("at least {least}") };
            self.terms.push((rule, label, limited - total));
        }
        self
    }

    /// As the player reads it.
    pub fn shown(&self) -> Sum {
        Sum {
            label: self.label.clone(),
            terms: self
                .terms
                .iter()
                .map(|(rule, label, value)| Term { rule: (*rule).into(), label: label.clone(), value: *value })
                .collect(),
            total: self.total(),
        }
    }
}

/// An explanation that is only a sentence.
pub fn sentence(text: impl Into<String>) -> Explanation {
    Explanation { sentence: text.into(), ..Explanation::default() }
}

/// Builds an explanation step by step.
pub trait Explain: Sized {
    /// With a sum.
    fn with_sum(self, reckoning: &Reckoning) -> Self;
    /// With a throw.
    fn with_dice(self, dice: DiceShown) -> Self;
    /// With a table cell.
    fn with_table(
        self,
        table: &str,
        row: impl Into<String>,
        column: impl Into<String>,
        value: impl Into<String>,
    ) -> Self;
    /// With a remark that cites a rule.
    fn with_note(self, rule: RuleId, text: impl Into<String>) -> Self;
}

impl Explain for Explanation {
    fn with_sum(mut self, reckoning: &Reckoning) -> Self {
        self.sums.push(reckoning.shown());
        self
    }

    fn with_dice(mut self, dice: DiceShown) -> Self {
        self.dice.push(dice);
        self
    }

    fn with_table(
        mut self,
        table: &str,
        row: impl Into<String>,
        column: impl Into<String>,
        value: impl Into<String>,
    ) -> Self {
        self.tables.push(TableRead {
            table: table.to_owned(),
            row: row.into(),
            column: column.into(),
            value: value.into(),
        });
        self
    }

    fn with_note(mut self, rule: RuleId, text: impl Into<String>) -> Self {
        self.notes.push(Note { rule: rule.into(), text: text.into() });
        self
    }
}
