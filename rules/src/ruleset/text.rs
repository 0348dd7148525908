//! The tables as text: complaints with line and column, the hash, the origin of every path.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::provenance::Provenance;
use super::values::thousandths;

/// Something in the tables' text that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complaint {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub text: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.text)
    }
}

impl std::error::Error for Complaint {}

impl Complaint {
    /// What the TOML reader says.
    pub(super) fn of_toml(text: &str, fault: &toml::de::Error) -> Complaint {
        let start = fault.span().map_or(0, |span| span.start);
        Complaint::at(text, start, fault.message().replace('\n', ", "))
    }

    /// A complaint about the value at a path, or about the deepest table on the way to it.
    pub(super) fn of_path(text: &str, path: &str, fault: &str) -> Complaint {
        Complaint::at(text, start_of(text, path).unwrap_or(0), format!("`{path}` {fault}"))
    }

    /// A complaint about a value that stands in no text: line and column are 0.
    pub(super) fn nowhere(path: &str, fault: impl fmt::Display) -> Complaint {
        Complaint { line: 0, column: 0, text: format!("`{path}` {fault}") }
    }

    pub(crate) fn at(text: &str, offset: usize, fault: String) -> Complaint {
        let before = text.get(..offset).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |place| place + 1);
        let column = before[line_start..].chars().count() + 1;
        Complaint { line: before.matches('\n').count() + 1, column, text: fault }
    }
}

/// Where in the text the deepest part of a dotted path stands.
fn start_of(text: &str, path: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let mut table: &DeTable<'_> = document.get_ref();
    let mut start = None;
    for part in path.split('.') {
        let entry: Option<(_, &Spanned<DeValue<'_>>)> = table.iter().find(|(key, _)| key.get_ref() == part);
        let Some((key, value)) = entry else { break };
        start = Some(key.span().start);
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => break,
        }
    }
    start
}

/// SHA-256 of every number by its path, in hexadecimal.
pub(super) fn hash(written: &Table) -> String {
    let mut lines = String::new();
    for (name, value) in written.iter().filter(|(name, _)| !matches!(name.as_str(), "sources" | "conflict")) {
        write_leaves(&mut lines, name, value);
    }
    hex(lines.as_bytes())
}

/// The hash of numbers with what is played beside them; nothing beside them leaves it as it is.
pub(super) fn hash_with(hash: &str, told: &str) -> String {
    if told.is_empty() { hash.to_owned() } else { hex(format!("{hash}\n{told}").as_bytes()) }
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// One line `path = value` for each value; decimals in thousandths, tables in the order of their keys.
fn write_leaves(lines: &mut String, path: &str, value: &Value) {
    let _ = match value {
        Value::Table(table) => {
            for (key, value) in table.iter().filter(|(key, _)| *key != "provenance") {
                write_leaves(lines, &format!("{path}.{key}"), value);
            }
            Ok(())
        }
        Value::Array(values) => {
            for (place, value) in values.iter().enumerate() {
                write_leaves(lines, &format!("{path}.{place}"), value);
            }
            Ok(())
        }
        Value::Float(decimal) => writeln!(lines, "{path} = {}/1000", thousandths(*decimal).unwrap_or_default()),
        Value::String(text) => writeln!(lines, "{path} = {text:?}"),
        other => writeln!(lines, "{path} = {other}"),
    };
}

/// The origin of each row, and of each cell that has its own, by path.
pub(super) fn origins(written: &Table) -> BTreeMap<String, Provenance> {
    let mut origins = BTreeMap::new();
    for (name, value) in written {
        collect_origins(&mut origins, name, value);
    }
    origins
}

fn collect_origins(origins: &mut BTreeMap<String, Provenance>, path: &str, value: &Value) {
    let Some(table) = value.as_table() else { return };
    let Some(origin) = table.get("provenance") else {
        for (key, value) in table {
            collect_origins(origins, &format!("{path}.{key}"), value);
        }
        return;
    };
    let Ok(origin) = Provenance::deserialize(origin.clone()) else { return };
    for (cell, origin) in &origin.cells {
        origins.insert(format!("{path}.{cell}"), origin.clone());
    }
    origins.insert(path.to_owned(), origin);
}

/// Is there a value at that path? `table.column` is a column that a row of the table has.
pub(super) fn has_path(written: &Table, path: &str) -> bool {
    let mut here = written;
    let mut parts = path.split('.').peekable();
    while let Some(part) = parts.next() {
        match (here.get(part), parts.peek()) {
            (Some(_), None) => return true,
            (Some(Value::Table(inner)), Some(_)) => here = inner,
            (Some(_), Some(_)) => return false,
            (None, None) => return here.values().any(|row| row.as_table().is_some_and(|row| has_column(row, part))),
            (None, Some(_)) => return false,
        }
    }
    false
}

fn has_column(row: &Table, column: &str) -> bool {
    row.contains_key(column)
        || row.values().any(|inner| inner.as_table().is_some_and(|inner| has_column(inner, column)))
}
