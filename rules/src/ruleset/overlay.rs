//! Tables with some cells changed: by a house-rules sheet, or by a club's own chart.
//!
//! Owns the names of cells and putting values into them. It never decides which cells are changed.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Table, Value};

use super::check::Fault;
use super::{Complaint, Inches};

/// Tables whose cells nobody changes: what the file says of itself, and the measures of figures, stands and markers.
const FIXED: [&str; 5] = ["meta", "sources", "conflict", "scale", "hidden_movement"];

/// A cell and what is put into it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CellChange {
    /// Its path, such as `dice.hold` or `crt.12.16`.
    pub(crate) path: String,
    /// Its new value.
    pub(crate) value: Value,
}

/// A fault of changed tables, by the paths of the cells that may have brought it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misplaced {
    /// The cell that is wrong.
    pub(crate) path: String,
    /// Others that it does not go with.
    also: Vec<String>,
    text: String,
}

impl Misplaced {
    pub(super) fn new(path: &str, text: impl std::fmt::Display) -> Misplaced {
        Misplaced { path: path.to_owned(), also: Vec::new(), text: text.to_string() }
    }

    /// The cells that may have brought it, the likeliest first.
    pub(crate) fn places(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.path.as_str()).chain(self.also.iter().map(String::as_str))
    }

    /// What is wrong with which cell.
    pub(crate) fn told(&self) -> String {
        format!("`{}` {}", self.path, self.text)
    }

    /// As a complaint about no place of a file.
    pub(crate) fn nowhere(&self) -> Complaint {
        Complaint::nowhere(&self.path, &self.text)
    }
}

impl From<Fault> for Misplaced {
    fn from(Fault { path, also, text }: Fault) -> Misplaced {
        Misplaced { path, also, text }
    }
}

/// Why a cell could not be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    /// The tables have no such cell.
    Unknown,
    /// What figures, stands and markers measure is the same for everybody.
    Fixed,
    /// It is a whole table, with cells of its own.
    Whole,
    /// The value is of another type than the cell's.
    Type(&'static str),
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Misfit::Unknown => f.write_str("is no cell of the tables"),
            Misfit::Fixed => f.write_str("is no cell that may be changed"),
            Misfit::Whole => f.write_str("is a whole table; name its cells"),
            Misfit::Type(wanted) => write!(f, "has another type; wanted is {wanted}"),
        }
    }
}

/// Tables with cells changed, each in its turn, and every change that does not fit and is left out.
pub(super) fn changed<'c>(tables: &Table, changes: impl Iterator<Item = &'c CellChange>) -> (Table, Vec<Misplaced>) {
    let mut tables = tables.clone();
    let mut faults = Vec::new();
    for CellChange { path, value } in changes {
        if let Err(misfit) = put(&mut tables, path, value.clone()) {
            faults.push(Misplaced::new(path, misfit));
        }
    }
    (tables, faults)
}

/// What cannot be read when only this cell is changed.
pub(super) fn unread(change: &CellChange) -> Option<Misplaced> {
    // Numbers are told apart by their types already; only words and lists can be unreadable.
    if !matches!(change.value, Value::String(_) | Value::Array(_)) {
        return None;
    }
    let tables = changed(super::written_standard(), std::iter::once(change)).0;
    let fault = super::Ruleset::deserialize(tables).err()?;
    Some(Misplaced::new(&change.path, fault.message().replace('\n', ", ")))
}

/// Takes out the cells that the book shows: whoever changes the table of results plays by other cells.
pub(super) fn forget_evidence(tables: &mut Table) {
    if let Some(evidence) = tables.get_mut("crt").and_then(|crt| crt.get_mut("evidence")).and_then(Value::as_array_mut)
    {
        evidence.clear();
    }
}

/// Every cell by its path, as it is shown; of the combat results table each cell by figures and column.
pub(crate) fn leaves(tables: &Table) -> BTreeMap<String, String> {
    let mut leaves = BTreeMap::new();
    for (name, value) in tables.iter().filter(|(name, _)| !matches!(name.as_str(), "meta" | "sources" | "conflict")) {
        match value {
            Value::Table(crt) if name == "crt" => result_leaves(&mut leaves, crt),
            value => collect_leaves(&mut leaves, name, value),
        }
    }
    leaves
}

fn collect_leaves(leaves: &mut BTreeMap<String, String>, path: &str, value: &Value) {
    match value {
        Value::Table(table) => {
            for (key, value) in table.iter().filter(|(key, _)| *key != "provenance") {
                collect_leaves(leaves, &format!("{path}.{key}"), value);
            }
        }
        value => {
            leaves.insert(path.to_owned(), shown(value));
        }
    }
}

fn result_leaves(leaves: &mut BTreeMap<String, String>, crt: &Table) {
    let list = |key: &str| crt.get(key).and_then(Value::as_array).into_iter().flatten();
    for row in list("rows") {
        let figures = row.get("figures").map(shown).unwrap_or_default();
        if let Some(sections) = row.get("sections") {
            leaves.insert(format!("crt.{figures}.sections"), shown(sections));
        }
        let values = row.get("values").and_then(Value::as_array).into_iter().flatten();
        for (column, value) in list("columns").zip(values) {
            leaves.insert(format!("crt.{figures}.{}", shown(column)), shown(value));
        }
    }
}

/// A value as it is shown.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Float(decimal) => {
            super::thousandths(*decimal).map(|length| Inches(length).to_string()).unwrap_or_default()
        }
        Value::Array(list) => list.iter().map(shown).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// The value of a cell.
pub(crate) fn cell<'t>(tables: &'t Table, path: &str) -> Option<&'t Value> {
    let mut parts = path.split('.');
    let first = tables.get(parts.next()?)?;
    parts.try_fold(first, |here, part| here.as_table()?.get(part))
}

/// Puts a value into the cell at a path.
fn put(tables: &mut Table, path: &str, value: Value) -> Result<(), Misfit> {
    if path.split('.').next().is_some_and(|first| FIXED.contains(&first)) {
        return Err(Misfit::Fixed);
    }
    let cell = cell_of(tables, path).ok_or(Misfit::Unknown)?;
    if cell.is_table() {
        return Err(Misfit::Whole);
    }
    if !cell.same_type(&value) {
        return Err(Misfit::Type(type_of(cell)));
    }
    *cell = value;
    Ok(())
}

/// The cell at a path such as `dice.hold`; of the combat results table `crt.<figures>.<column>`.
fn cell_of<'t>(tables: &'t mut Table, path: &str) -> Option<&'t mut Value> {
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        ["crt", "evidence" | "provenance", ..] => None,
        ["crt", list @ ("rows" | "columns")] => tables.get_mut("crt")?.get_mut(*list),
        ["crt", figures] => result_row(tables, figures),
        ["crt", figures, column] => result_cell(tables, figures, column),
        [first, rest @ ..] => {
            let mut here = tables.get_mut(*first)?;
            for part in rest {
                let is_cell = *part != "provenance";
                here = here.as_table_mut().filter(|_| is_cell)?.get_mut(*part)?;
            }
            Some(here)
        }
        [] => None,
    }
}

/// The cell of a row of so many figures in the column of a roll.
fn result_cell<'t>(tables: &'t mut Table, figures: &str, column: &str) -> Option<&'t mut Value> {
    let column: i64 = column.parse().ok()?;
    let columns = tables.get("crt")?.get("columns")?.as_array()?;
    let place = columns.iter().position(|head| head.as_integer() == Some(column))?;
    result_row(tables, figures)?.as_array_mut()?.get_mut(place)
}

/// The cells of the row of so many figures.
fn result_row<'t>(tables: &'t mut Table, figures: &str) -> Option<&'t mut Value> {
    let figures: i64 = figures.parse().ok()?;
    let rows = tables.get_mut("crt")?.get_mut("rows")?.as_array_mut()?;
    let row = rows.iter_mut().find(|row| row.get("figures").and_then(Value::as_integer) == Some(figures))?;
    row.get_mut("values")
}

/// A type as complaints name it.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text, such as \"2\"",
        Value::Integer(_) => "a whole number, such as 2",
        Value::Float(_) => "a decimal, such as 2.0",
        Value::Boolean(_) => "true or false",
        Value::Array(_) => "a list",
        Value::Datetime(_) | Value::Table(_) => "a table",
    }
}
