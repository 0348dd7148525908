//! The house-rules sheet: what a club may play otherwise than the rulings of the catalogue.
//!
//! Owns the list of switches ([`SHEET`], from which documents, cards, checks and the client are made), the typed
//! [`HouseRules`] that the code asks where a ruling is applied, and the [`Edition`] of the rules by which a game is played.
//! A choice of kind [`Kind::Number`] changes cells of the tables when the [`Ruleset`](crate::ruleset::Ruleset) is built
//! (`rules/tables/house_rules.toml`) and is never asked for afterwards. It reads no file.
//!
//! Start at [`sheet`] to add a switch: the first choice of each is our ruling, its doc comments are what players read.

mod card;
mod chart;
mod edition;
mod numbers;
mod options;
#[macro_use]
mod switches;
mod sheet;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::catalogue::RuleId;
pub use card::card;
pub use chart::{Chart, ChartCell};
pub use edition::{Edition, Sheet};
pub(crate) use numbers::cells;
pub(crate) use options::optional;
pub use sheet::*;

/// What sort of doubt a switch settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The book itself calls it optional.
    Optional,
    /// The book gives two numbers.
    Number,
    /// The book can be read in two ways.
    Ruling,
}

impl Kind {
    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Optional => "optional",
            Kind::Number => "number",
            Kind::Ruling => "ruling",
        }
    }
}

/// One line of the sheet.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// Its word in files and messages.
    pub id: &'static str,
    /// What sort of doubt it settles.
    pub kind: Kind,
    /// The rules whose ruling it changes.
    pub rules: &'static [RuleId],
    /// What is chosen, in plain words; begins and may go on with a blank.
    about: &'static str,
    /// The choices; the first is our ruling.
    pub choices: &'static [Choice],
}

impl Switch {
    /// What is chosen, in plain words.
    pub fn title(&self) -> &'static str {
        self.about.trim()
    }

    /// The choice of a word.
    pub fn choice(&self, word: &str) -> Option<&'static Choice> {
        self.choices.iter().find(|choice| choice.word == word)
    }

    /// Our ruling.
    pub fn default_word(&self) -> &'static str {
        self.choices.first().map_or("", |choice| choice.word)
    }
}

/// One way to play a switch.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Its word in files and messages.
    pub word: &'static str,
    about: &'static str,
}

impl Choice {
    /// What it means, in plain words.
    pub fn meaning(&self) -> &'static str {
        self.about.trim()
    }
}

/// The switch of a word.
pub fn switch(id: &str) -> Option<&'static Switch> {
    SHEET.iter().find(|switch| switch.id == id)
}

/// A choice that the sheet does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoChoice {
    /// There is no such switch.
    Switch(String),
    /// The switch has no such choice.
    Word(&'static str, String),
}

impl fmt::Display for NoChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |word: &str| word.chars().take(40).collect::<String>().escape_debug().to_string();
        match self {
            NoChoice::Switch(id) => write!(f, "the house-rules sheet has no `{}`", quoted(id)),
            NoChoice::Word(id, word) => {
                let known = switch(id).map(|switch| switch.choices).unwrap_or_default();
                let known: Vec<String> = known.iter().map(|choice| format!("`{}`", choice.word)).collect();
                write!(f, "`{id}` knows no `{}`, but {}", quoted(word), known.join(" and "))
            }
        }
    }
}

impl std::error::Error for NoChoice {}

impl HouseRules {
    /// The switches that are not played as we rule, with what is played, in the order of the sheet.
    pub fn differing(&self) -> Vec<(&'static Switch, &'static Choice)> {
        let played = |switch: &'static Switch| Some((switch, switch.choice(self.word(switch.id)?)?));
        let lines = SHEET.iter().filter_map(played);
        lines.filter(|(switch, choice)| choice.word != switch.default_word()).collect()
    }

    /// These choices, over those of this sheet.
    ///
    /// # Errors
    /// The first choice that the sheet does not have.
    pub fn with(mut self, choices: &BTreeMap<String, String>) -> Result<HouseRules, NoChoice> {
        for (id, word) in choices {
            self.set(id, word)?;
        }
        Ok(self)
    }

    /// The whole sheet, a word for each switch.
    pub fn words(&self) -> BTreeMap<String, String> {
        let lines = SHEET.iter().filter_map(|switch| Some((switch.id.to_owned(), self.word(switch.id)?.to_owned())));
        lines.collect()
    }

    /// A line `house_rules.<id> = <word>` for each switch that is not played as we rule: what a hash takes in.
    pub(crate) fn told(&self) -> String {
        let line = |(switch, choice): (&Switch, &Choice)| format!("house_rules.{} = {}\n", switch.id, choice.word);
        self.differing().into_iter().map(line).collect()
    }
}

impl Serialize for HouseRules {
    /// The whole sheet, so that a later ruling of ours does not reach a game that has begun.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.words().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for HouseRules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let choices = BTreeMap::<String, String>::deserialize(deserializer)?;
        HouseRules::default().with(&choices).map_err(serde::de::Error::custom)
    }
}
