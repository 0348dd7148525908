//! Tables with some cells changed: by a house-rules sheet, or by a club's own chart.
//!
//! Owns the names of cells and putting values into them. It never decides which cells are changed.

use toml::{Table, Value};

/// Why a cell could not be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The tables have no such cell.
    Unknown,
    /// It is a whole table, with cells of its own.
    Whole,
    /// The value is of another type than the cell's.
    Type(&'static str),
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Misfit::Unknown => f.write_str("is no cell of the tables"),
            Misfit::Whole => f.write_str("is a whole table; name its cells"),
            Misfit::Type(wanted) => write!(f, "has another type; wanted is {wanted}"),
        }
    }
}

/// Puts a value into the cell at a path, and gives what stood there.
pub(super) fn put(tables: &mut Table, path: &str, value: Value) -> Result<Value, Misfit> {
    let cell = cell_of(tables, path).ok_or(Misfit::Unknown)?;
    if cell.is_table() {
        return Err(Misfit::Whole);
    }
    if !cell.same_type(&value) {
        return Err(Misfit::Type(type_of(cell)));
    }
    Ok(std::mem::replace(cell, value))
}

/// The cell at a path such as `dice.hold`; of the combat results table `crt.<figures>.<column>`.
fn cell_of<'t>(tables: &'t mut Table, path: &str) -> Option<&'t mut Value> {
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        ["crt", "rows" | "columns" | "evidence"] => None,
        ["crt", figures, column] => result_cell(tables, figures, column),
        ["meta" | "sources" | "conflict", ..] => None,
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
    let (figures, column): (i64, i64) = (figures.parse().ok()?, column.parse().ok()?);
    let crt = tables.get_mut("crt")?.as_table_mut()?;
    let place = crt.get("columns")?.as_array()?.iter().position(|head| head.as_integer() == Some(column))?;
    let rows = crt.get_mut("rows")?.as_array_mut()?;
    let row = rows.iter_mut().find(|row| row.get("figures").and_then(Value::as_integer) == Some(figures))?;
    row.get_mut("values")?.as_array_mut()?.get_mut(place)
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
