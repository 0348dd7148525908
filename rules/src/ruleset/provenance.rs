//! Where each number comes from, for explanations and for the page that shows the tables.
//!
//! Owns the record of origin of rows and cells, and the book's contradictions with the reading chosen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// In the book as a table, list or sentence.
    Printed,
    /// Forced by a worked example of the book.
    Example,
    /// Found outside the book; `source` names where.
    Public,
    /// Ours; `formula` says how it was got.
    Reconstructed,
}

/// The origin of a row, or of one of its cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// How it is known.
    pub kind: Kind,
    /// Lines of the transcribed book, such as `67,1081-1083`.
    pub lines: Option<String>,
    /// Anything else worth knowing.
    pub note: Option<String>,
    /// How a reconstructed value was got.
    pub formula: Option<String>,
    /// A name in `sources`.
    pub source: Option<String>,
    /// Cells of the row that differ from it, by `key` or `key.key`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cells: BTreeMap<String, Provenance>,
}

/// A source outside the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// What it is.
    pub what: String,
    /// Addresses.
    #[serde(rename = "where")]
    pub addresses: Vec<String>,
    /// What it is good for.
    pub note: String,
}

/// A contradiction inside the book, and the reading that is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conflict {
    /// Its name, such as `wheel_measure`.
    pub id: String,
    /// The readings, each with its lines.
    pub readings: Vec<String>,
    /// The one that is played.
    pub chosen: String,
    /// Why.
    pub why: String,
    /// Paths of the values that follow it.
    pub values: Vec<String>,
}
