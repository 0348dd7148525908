//! A club's own chart: a TOML file with cells of the tables that it plays otherwise. SCN-20
//!
//! Owns the file's format and every check of it: known cells, their types and bounds, and what must hold of any tables. A
//! chart names its cells as `rules/tables/tables.toml` does; a cell of the combat results table is `crt.<figures>.<column>`, a
//! row of it a list at `crt.<figures>`, and `crt.columns` with `crt.rows` replace it whole. It reads no disk.
//!
//! Start at [`Chart::read`].

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::HouseRules;
use crate::ruleset::{self, CellChange, Complaint, Misplaced, Ruleset};

/// The version of the format.
const FORMAT: i64 = 1;
/// A larger file is no chart, bytes.
const MOST_BYTES: usize = 256 << 10;
/// So many cells may be named; the tables have fewer.
const MOST_CELLS: usize = 2_000;
/// The longest list of a cell: the combat results table has fewer rows and columns.
const LONGEST_LIST: usize = 64;
/// The longest title, characters.
const LONGEST_TITLE: usize = 80;
/// No length of a chart is longer, inches; no number is larger.
const LARGEST: i64 = 200;
/// The same in thousandths.
const LARGEST_LENGTH: i32 = 200_000;

/// A chart that was read: sound over the standard tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    text: String,
    title: String,
    changes: Vec<CellChange>,
    cells: Vec<ChartCell>,
}

/// A cell that a chart plays otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartCell {
    /// Its path, such as `crt.12.16`.
    pub path: String,
    /// What stands in the tables; absent: nothing.
    pub printed: Option<String>,
    /// What the chart says; absent: nothing.
    pub played: Option<String>,
}

impl Chart {
    /// Reads a chart.
    ///
    /// # Errors
    /// Every fault that can be found, with line and column, in the order of the file.
    pub fn read(text: &str) -> Result<Chart, Vec<Complaint>> {
        let placed = |(at, fault)| Complaint::at(text, at, fault);
        let faults = |faults: Vec<Fault>| sorted(faults.into_iter().map(placed).collect());
        let mut reading = Reading::of_file(text).map_err(faults)?;
        let format = reading.take("format").and_then(|format| format.as_integer());
        if format != Some(FORMAT) {
            let at = reading.place("format");
            reading.complain(at, format!("a chart begins with `format = {FORMAT}`, which this reader knows"));
        }
        reading.chart(text.to_owned()).map_err(faults)
    }

    /// Reads the `[chart]` of another file: its table with places in that file, and the same as values.
    ///
    /// # Errors
    /// Every fault that can be found, each with its byte of the file.
    pub(crate) fn read_part(spans: &DeTable<'_>, values: &Table) -> Result<Chart, Vec<(usize, String)>> {
        let whole: Table =
            std::iter::once(("format".to_owned(), Value::Integer(FORMAT))).chain(values.clone()).collect();
        let text = toml::to_string(&whole).map_err(|_| vec![(0, "the chart cannot be written".to_owned())])?;
        if MOST_BYTES < text.len() {
            return Err(vec![(0, too_large())]);
        }
        Reading::of_tables(spans, values)?.chart(text)
    }

    /// The file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the club calls it.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The cells that differ from the standard tables, by path.
    pub fn cells(&self) -> &[ChartCell] {
        &self.cells
    }

    /// The cell at a path, where the chart plays it otherwise.
    pub fn cell(&self, path: &str) -> Option<&ChartCell> {
        self.cells.binary_search_by(|cell| cell.path.as_str().cmp(path)).ok().and_then(|place| self.cells.get(place))
    }

    /// The tables with a house-rules sheet and this chart over it.
    ///
    /// # Errors
    /// Every number that makes no sense together.
    pub fn over(&self, house: &HouseRules) -> Result<Ruleset, Vec<Complaint>> {
        let played = Ruleset::with_changes(house, &self.changes);
        played.map(|played| played.rules).map_err(|faults| faults.iter().map(Misplaced::nowhere).collect())
    }
}

/// What differs between the standard tables and others, by path.
fn differing(written: &Table) -> Vec<ChartCell> {
    let (printed, played) = (ruleset::leaves(ruleset::written_standard()), ruleset::leaves(written));
    let mut paths: Vec<&String> = printed.keys().chain(played.keys()).collect();
    paths.sort_unstable();
    paths.dedup();
    let differs = paths.into_iter().filter(|path| printed.get(*path) != played.get(*path));
    let cell = |path: &String| ChartCell {
        path: path.clone(),
        printed: printed.get(path).cloned(),
        played: played.get(path).cloned(),
    };
    differs.map(cell).collect()
}

/// A fault with its byte of the file.
type Fault = (usize, String);

fn too_large() -> String {
    format!("the file is too large: a chart has at most {MOST_BYTES} bytes")
}

/// A chart while it is read: its values by path, each with its place in the text.
#[derive(Default)]
struct Reading {
    places: BTreeMap<String, usize>,
    values: Vec<(String, Value)>,
    faults: Vec<Fault>,
}

impl Reading {
    fn of_file(text: &str) -> Result<Self, Vec<Fault>> {
        if MOST_BYTES < text.len() {
            return Err(vec![(0, too_large())]);
        }
        let (document, faults) = DeTable::parse_recoverable(text);
        if !faults.is_empty() {
            let told = |fault: &toml::de::Error| {
                let at = fault.span().map_or(0, |span| span.start);
                (at, format!("this is not TOML: {}", fault.message().replace('\n', ", ")))
            };
            return Err(faults.iter().map(told).collect());
        }
        let written: Table = toml::from_str(text)
            .map_err(|fault| vec![(fault.span().map_or(0, |span| span.start), fault.message().replace('\n', ", "))])?;
        Reading::of_tables(document.get_ref(), &written)
    }

    fn of_tables(spans: &DeTable<'_>, values: &Table) -> Result<Self, Vec<Fault>> {
        let mut reading = Reading::default();
        reading.collect("", spans, values);
        if MOST_CELLS < reading.values.len() {
            return Err(vec![(0, format!("the file names more than {MOST_CELLS} cells"))]);
        }
        Ok(reading)
    }

    /// The chart, whose file is this text.
    fn chart(mut self, text: String) -> Result<Chart, Vec<Fault>> {
        let title = self.title();
        let changes = self.changes();
        let played = Ruleset::with_changes(&HouseRules::default(), &changes);
        match played {
            Ok(tables) if self.faults.is_empty() => {
                Ok(Chart { text, title, changes, cells: differing(&tables.written) })
            }
            Ok(_) => Err(self.faults),
            Err(faults) => {
                let placed = self.placed(&faults);
                self.faults.extend(placed);
                Err(self.faults)
            }
        }
    }

    /// Every value that is no table, with its path and place.
    fn collect(&mut self, path: &str, spans: &DeTable<'_>, values: &Table) {
        for (key, spanned) in spans {
            let name: &str = key.get_ref();
            let here = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            match (spanned.get_ref(), values.get(name)) {
                (DeValue::Table(spans), Some(Value::Table(values))) => self.collect(&here, spans, values),
                (_, Some(value)) => {
                    self.places.insert(here.clone(), key.span().start);
                    self.values.push((here, value.clone()));
                }
                (_, None) => {}
            }
        }
    }

    /// Takes a value out.
    fn take(&mut self, path: &str) -> Option<Value> {
        let place = self.values.iter().position(|(known, _)| known == path)?;
        Some(self.values.remove(place).1)
    }

    fn title(&mut self) -> String {
        match self.take("title") {
            None => "A chart of our own".to_owned(),
            Some(Value::String(title)) if title.chars().count() <= LONGEST_TITLE && !title.trim().is_empty() => {
                title.chars().filter(|character| !character.is_control()).collect::<String>().trim().to_owned()
            }
            Some(_) => {
                let at = self.place("title");
                self.complain(at, format!("`title` is a text of at most {LONGEST_TITLE} characters"));
                String::new()
            }
        }
    }

    /// The changes, each cell by itself checked: whole lists first, then rows, then cells.
    fn changes(&mut self) -> Vec<CellChange> {
        let mut changes: Vec<CellChange> =
            self.values.drain(..).map(|(path, value)| CellChange { path, value }).collect();
        changes.sort_by_key(|change| match change.path.as_str() {
            "crt.columns" => 0,
            "crt.rows" => 1,
            path if path.starts_with("crt.") && path.matches('.').count() == 1 => 2,
            _ => 3,
        });
        let printed = ruleset::written_standard();
        for change in &changes {
            if let Some(why) = out_of_bounds(&change.path, ruleset::cell(printed, &change.path), &change.value) {
                let at = self.place(&change.path);
                self.complain(at, format!("`{}` {why}", change.path));
            }
        }
        changes
    }

    fn place(&self, path: &str) -> usize {
        self.places.get(path).copied().unwrap_or(0)
    }

    fn complain(&mut self, at: usize, text: String) {
        self.faults.push((at, text));
    }

    /// Faults of the tables at the places of the cells that brought them: the cell itself, else the nearest by its path.
    fn placed(&self, faults: &[Misplaced]) -> Vec<Fault> {
        let near = |path: &str| {
            let shared =
                |known: &str| known.split('.').zip(path.split('.')).take_while(|(one, other)| one == other).count();
            let nearest = self.places.iter().max_by_key(|(known, _)| shared(known));
            nearest.filter(|(known, _)| 0 < shared(known)).map_or(0, |(_, at)| *at)
        };
        let place = |fault: &Misplaced| {
            let known = fault.places().find_map(|path| self.places.get(path).copied());
            known.unwrap_or_else(|| near(&fault.path))
        };
        faults.iter().map(|fault| (place(fault), fault.told())).collect()
    }
}

fn sorted(mut complaints: Vec<Complaint>) -> Vec<Complaint> {
    complaints.sort_by(|one, other| (one.line, one.column, &one.text).cmp(&(other.line, other.column, &other.text)));
    complaints.dedup();
    complaints
}

/// What is counted and can be neither negative nor absent, by a word of the cell's path.
const COUNTED: [&str; 16] = [
    "dice",
    "turns",
    "sections",
    "figures",
    "stands",
    "units",
    "percent",
    "batteries",
    "charges",
    "degrees",
    "orders",
    "steps",
    "horses",
    "roll",
    "loss",
    "points",
];

/// Why a value may not stand in a cell; whether the cell is known, and of which type, is told elsewhere.
fn out_of_bounds(path: &str, printed: Option<&Value>, value: &Value) -> Option<String> {
    match value {
        Value::Integer(number) => {
            let counted = path.split(['.', '_']).any(|word| COUNTED.contains(&word));
            let was_negative = printed.and_then(Value::as_integer).is_some_and(|printed| printed < 0);
            let least = if counted && !was_negative { 0 } else { -LARGEST };
            let fits = (least..=LARGEST).contains(number);
            (!fits).then(|| format!("is {number}; it may be from {least} to {LARGEST}"))
        }
        Value::Float(number) => {
            let needs_some =
                printed.and_then(Value::as_float).and_then(ruleset::thousandths).is_some_and(|was| 0 < was);
            let least = i32::from(needs_some);
            let fits = ruleset::thousandths(*number).is_some_and(|number| (least..=LARGEST_LENGTH).contains(&number));
            let from = if needs_some { "above 0" } else { "from 0" };
            (!fits).then(|| format!("may be {from} to {LARGEST}.0, with at most three decimals"))
        }
        Value::Array(list) if LONGEST_LIST < list.len() => Some(format!("has more than {LONGEST_LIST} entries")),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
