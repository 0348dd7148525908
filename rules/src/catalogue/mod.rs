//! The rule catalogue: every numbered rule, and the small id by which code, logs and players name it.
//!
//! Owns [`RuleId`], one constant for each rule, algorithm and leak ([`ids`], written by `make gen`),
//! and the catalogue's text as it is shown to players. It never computes a rule and holds no number
//! of the game: those are in [`crate::ruleset`].
//!
//! Start at [`RuleId`] to name a rule, at [`Catalogue::standard`] to read one.

pub mod ids;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use protocol::ids::RuleRef;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use ids::*;

/// The id of a rule (`FIRE-07`), algorithm (`ALG-CHARGE`) or leak (`LEAK-12`) of the catalogue.
///
/// Only ids that the catalogue holds can be made: by the constants of [`ids`], or from text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(&'static str);

impl RuleId {
    /// The id as the catalogue writes it, such as `FIRE-07`.
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// The letters before the number, such as `FIRE`.
    pub fn chapter(self) -> &'static str {
        self.0.rsplit_once('-').map_or(self.0, |(chapter, _)| chapter)
    }

    /// What the catalogue says of this id; none for an algorithm or a leak.
    pub fn rule(self) -> Option<&'static Rule> {
        Catalogue::standard().rules.get(&self)
    }

    /// The title of the rule, algorithm or leak.
    pub fn title(self) -> &'static str {
        let catalogue = Catalogue::standard();
        let rule = catalogue.rules.get(&self).map(|rule| rule.title.as_str());
        let algorithm = || catalogue.algorithms.get(&self).map(|algorithm| algorithm.title.as_str());
        let leak = || catalogue.leaks.get(&self).map(|leak| leak.fact.as_str());
        rule.or_else(algorithm).or_else(leak).unwrap_or_default()
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A text that is no id of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule(pub String);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the catalogue has no rule `{}`", self.0)
    }
}

impl std::error::Error for UnknownRule {}

impl FromStr for RuleId {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<Self, UnknownRule> {
        match ALL.binary_search_by(|id| id.0.cmp(text)) {
            Ok(place) => Ok(ALL[place]),
            Err(_) => Err(UnknownRule(text.to_owned())),
        }
    }
}

impl From<RuleId> for RuleRef {
    fn from(id: RuleId) -> RuleRef {
        RuleRef::from(id.0)
    }
}

impl Serialize for RuleId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for RuleId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// How clear the book is about a rule. Everything but [`Status::Printed`] has a ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Clear as it stands in the book.
    Printed,
    /// The book can be read in several ways.
    Ambiguous,
    /// The book contradicts itself.
    Conflict,
    /// The book is silent.
    Missing,
}

/// A numbered rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The id, which is stable.
    pub id: RuleId,
    /// The rule in a few words.
    pub title: String,
    /// What the book says, in the catalogue's words.
    pub text: String,
    /// Lines of the transcribed book, such as `67,1081-1083`.
    pub lines: String,
    /// Where in the turn it matters: `any`, `setup`, or phases such as `4,8`.
    pub phase: String,
    /// How clear the book is.
    pub status: Status,
    /// How the rule is computed. It binds.
    pub ruling: Option<String>,
    /// The choice that a player has, with its windows and default.
    pub decision: Option<String>,
    /// Numbers to test.
    pub example: Option<String>,
    /// The rule that owns this one, where two are one: a refusal cites the owner.
    pub same_as: Option<RuleId>,
}

/// A procedure of several rules, step by step.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Algorithm {
    /// The id, such as `ALG-CHARGE`.
    pub id: RuleId,
    /// What it does.
    pub title: String,
    /// Lines of the transcribed book.
    pub lines: String,
    /// The steps in order; a step begins with its number.
    pub steps: Vec<String>,
}

/// A way in which a secret could get out, and what is done about it. Each is a test.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leak {
    /// The id, such as `LEAK-12`.
    pub id: RuleId,
    /// What must stay secret.
    pub fact: String,
    /// How it could get out.
    pub channel: String,
    /// What is done about it.
    pub countermeasure: String,
}

/// A named bundle of standing instructions (TURN-08).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Posture {
    /// The word a player gives.
    pub id: String,
    /// The words a player reads.
    pub title: String,
    /// Arms that may take it.
    pub arms: Vec<String>,
    /// Orders with which it may go.
    pub orders: Vec<String>,
    /// Instruction key to value, as if the player had given each.
    pub expands: BTreeMap<String, String>,
    /// What it is for.
    pub text: String,
}

/// A word of the closed vocabulary of scenarios (SCN, SCNV, SCNS).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The name of the term.
    pub id: String,
    /// The scenario's table in which it may stand: `victory_term`, `arrival` or `special`.
    pub table: String,
    /// The `kind` by which a scenario calls it.
    pub kind: String,
    /// Fields it must have; `PLACE` is any one kind of place.
    pub needs: Vec<String>,
    /// Fields it may have.
    pub may: Vec<String>,
    /// The rule that says what it does.
    pub rule: RuleId,
}

/// A question that only the printed book can settle. Its rule keeps its ruling until then.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenQuestion {
    /// The id, such as `Q-ARTY-2`.
    pub id: String,
    /// The question.
    pub text: String,
    /// What is done meanwhile.
    pub recommendation: String,
}

/// The whole catalogue.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// Rules by id.
    pub rules: BTreeMap<RuleId, Rule>,
    /// Algorithms by id.
    pub algorithms: BTreeMap<RuleId, Algorithm>,
    /// Leaks by id.
    pub leaks: BTreeMap<RuleId, Leak>,
    /// Postures in the catalogue's order.
    pub postures: Vec<Posture>,
    /// Scenario terms in the catalogue's order.
    pub terms: Vec<Term>,
    /// Open questions in the catalogue's order.
    pub open_questions: Vec<OpenQuestion>,
}

/// The catalogue's files as they were when the program was built: name and text, in reading order.
pub const SOURCES: [(&str, &str); 6] = [
    ("10-infantry-artillery.toml", include_str!("../../catalogue/10-infantry-artillery.toml")),
    ("20-morale-command.toml", include_str!("../../catalogue/20-morale-command.toml")),
    ("30-turn-charges.toml", include_str!("../../catalogue/30-turn-charges.toml")),
    ("40-cavalry-obstacles-hidden.toml", include_str!("../../catalogue/40-cavalry-obstacles-hidden.toml")),
    ("45-line-of-sight.toml", include_str!("../../catalogue/45-line-of-sight.toml")),
    ("50-scenario.toml", include_str!("../../catalogue/50-scenario.toml")),
];

impl Catalogue {
    /// The catalogue that this program was built with, read once.
    pub fn standard() -> &'static Catalogue {
        static STANDARD: OnceLock<Catalogue> = OnceLock::new();
        STANDARD.get_or_init(|| {
            SOURCES.iter().fold(Catalogue::default(), |mut catalogue, (name, text)| {
                let file: File = toml::from_str(text)
                    .unwrap_or_else(|fault| panic!("the catalogue is embedded and tested, but {name}: {fault}"));
                catalogue.take_in(file);
                catalogue
            })
        })
    }

    /// The posture of that name (TURN-08).
    pub fn posture(&self, id: &str) -> Option<&Posture> {
        self.postures.iter().find(|posture| posture.id == id)
    }

    fn take_in(&mut self, file: File) {
        self.rules.extend(file.rule.into_iter().map(|rule| (rule.id, rule)));
        self.algorithms.extend(file.algorithm.into_iter().map(|algorithm| (algorithm.id, algorithm)));
        self.leaks.extend(file.leak.into_iter().map(|leak| (leak.id, leak)));
        self.postures.extend(file.posture);
        self.terms.extend(file.term);
        self.open_questions.extend(file.open_question);
    }
}

/// One file of the catalogue as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    rule: Vec<Rule>,
    #[serde(default)]
    algorithm: Vec<Algorithm>,
    #[serde(default)]
    leak: Vec<Leak>,
    #[serde(default)]
    posture: Vec<Posture>,
    #[serde(default)]
    term: Vec<Term>,
    #[serde(default)]
    open_question: Vec<OpenQuestion>,
}

#[cfg(test)]
mod tests;
