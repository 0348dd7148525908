//! Complaints about a scenario file: where, what, and what would do.
//!
//! Owns the list of faults found so far and the way from a byte to a line and column. It never decides what is
//! a fault.

use std::cell::RefCell;
use std::fmt;

/// One complaint about a scenario file. SCN-01
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// What would do instead.
    pub cure: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}; {}", self.line, self.column, self.what, self.cure)
    }
}

/// Faults collected while one file is read. Shared by all its readers.
pub(super) struct Faults<'t> {
    text: &'t str,
    /// Byte offset at which each line begins.
    lines: Vec<usize>,
    found: RefCell<Vec<Fault>>,
}

/// After so many faults the rest is not told: the file is not a scenario.
const MOST_FAULTS: usize = 200;

impl<'t> Faults<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Faults { text, lines, found: RefCell::new(Vec::new()) }
    }

    /// Notes a fault at a byte of the file.
    pub(super) fn add(&self, at: usize, what: impl Into<String>, cure: impl Into<String>) {
        let mut found = self.found.borrow_mut();
        if found.len() < MOST_FAULTS {
            let (line, column) = self.position(at);
            found.push(Fault { line, column, what: what.into(), cure: cure.into() });
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.borrow().is_empty()
    }

    /// All faults in the order of the file, each once.
    pub(super) fn into_sorted(self) -> Vec<Fault> {
        let mut found = self.found.into_inner();
        found.sort();
        found.dedup();
        found
    }

    /// The line of a byte, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.position(at).0
    }

    fn position(&self, at: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= at).max(1);
        let start = self.lines[line - 1];
        let column = self.text.get(start..at).map_or(at.saturating_sub(start), |before| before.chars().count()) + 1;
        (line, column)
    }
}

/// "did you mean" with the nearest known names, else the whole list.
pub(super) fn nearest<'n>(given: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let given: String = given.chars().take(64).collect();
    let mut close: Vec<(usize, &str)> = known
        .iter()
        .map(|name| (distance(&given, name), *name))
        .filter(|(apart, name)| *apart <= (name.chars().count() / 3).max(2))
        .collect();
    close.sort();
    match close.as_slice() {
        [] if known.is_empty() => "there is none to name".to_owned(),
        [] if known.len() <= 24 => format!("known: {}", quoted(known)),
        [] => format!("there are {} known names, none like it", known.len()),
        [(_, one)] => format!("did you mean `{one}`?"),
        several => format!("did you mean one of {}?", quoted(several.iter().take(3).map(|(_, name)| *name))),
    }
}

/// Names in quotes, parted by commas.
pub(super) fn quoted<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Edits (insert, delete, replace a character) between two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_tells_line_and_column_in_characters() {
        let faults = Faults::new("a = 1\nä = \"ö\" b\n");
        faults.add("a = 1\nä = \"ö\" ".len(), "what", "cure");
        faults.add(0, "first", "cure");
        let told: Vec<String> = faults.into_sorted().iter().map(Fault::to_string).collect();
        assert_eq!(told, ["line 1, column 1: first; cure", "line 2, column 9: what; cure"]);
    }

    #[test]
    fn the_nearest_name_is_offered() {
        assert_eq!(nearest("facng", ["facing", "formation"]), "did you mean `facing`?");
        assert_eq!(nearest("zzz", ["facing", "formation"]), "known: `facing`, `formation`");
        assert_eq!(nearest("zzz", []), "there is none to name");
    }
}
