//! The tables as they are written, in the order of the file, with the origin of each cell.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

/// A part of the file.
pub(super) enum Node {
    /// A number, a word, yes or no, as it is written.
    Leaf(String),
    /// Several of one kind.
    List(Vec<Node>),
    /// Named parts, in the order of the file.
    Table(Vec<(String, Node)>),
}

/// How a number is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Printed,
    Example,
    Public,
    Reconstructed,
}

/// The origin of a row or of a cell.
pub(super) struct Origin {
    /// How it is known.
    pub(super) kind: Kind,
    /// Lines of the book.
    pub(super) lines: Option<String>,
    /// Anything else.
    pub(super) note: Option<String>,
    formula: Option<String>,
    source: Option<String>,
    /// Cells of the row that differ from it, by `key` or `key.key`.
    cells: BTreeMap<String, Origin>,
}

/// Reads the file.
///
/// # Errors
/// It is no TOML.
pub(super) fn read(text: &str) -> Result<Node, String> {
    let table = DeTable::parse(text).map_err(|fault| format!("tables.toml: {fault}"))?;
    Ok(of_table(table.get_ref()))
}

fn of_table(table: &DeTable<'_>) -> Node {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    Node::Table(
        entries.into_iter().map(|(key, value)| (key.get_ref().to_string(), of_value(value.get_ref()))).collect(),
    )
}

fn of_value(value: &DeValue<'_>) -> Node {
    match value {
        DeValue::String(text) => Node::Leaf(text.to_string()),
        DeValue::Integer(number) => Node::Leaf(number.to_string()),
        DeValue::Float(number) => Node::Leaf(number.to_string()),
        DeValue::Boolean(true) => Node::Leaf("yes".to_owned()),
        DeValue::Boolean(false) => Node::Leaf("no".to_owned()),
        DeValue::Datetime(moment) => Node::Leaf(moment.to_string()),
        DeValue::Array(items) => Node::List(items.iter().map(|item| of_value(item.get_ref())).collect()),
        DeValue::Table(table) => of_table(table),
    }
}

impl Node {
    /// The named parts; none of a leaf or a list.
    pub(super) fn entries(&self) -> &[(String, Node)] {
        match self {
            Node::Table(entries) => entries,
            Node::Leaf(_) | Node::List(_) => &[],
        }
    }

    /// The named parts without the provenance.
    pub(super) fn values(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.entries().iter().filter(|(key, _)| key != "provenance").map(|(key, value)| (key.as_str(), value))
    }

    /// A named part.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// What a leaf says.
    pub(super) fn leaf(&self) -> Option<&str> {
        match self {
            Node::Leaf(text) => Some(text),
            Node::List(_) | Node::Table(_) => None,
        }
    }

    /// The items of a list.
    pub(super) fn items(&self) -> &[Node] {
        match self {
            Node::List(items) => items,
            Node::Leaf(_) | Node::Table(_) => &[],
        }
    }

    /// The origin of a row.
    ///
    /// # Errors
    /// It has none, or one of no known kind.
    pub(super) fn origin(&self, path: &str) -> Result<Origin, String> {
        let provenance = self.get("provenance").ok_or_else(|| format!("{path} has no provenance"))?;
        Origin::read(provenance).map_err(|fault| format!("{path}: {fault}"))
    }
}

impl Kind {
    /// All kinds.
    pub(super) const ALL: [Kind; 4] = [Kind::Printed, Kind::Example, Kind::Public, Kind::Reconstructed];

    /// The kind of that name in the tables.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn read(name: &str) -> Result<Kind, String> {
        match name {
            "printed" => Ok(Kind::Printed),
            "example" => Ok(Kind::Example),
            "public" => Ok(Kind::Public),
            "reconstructed" => Ok(Kind::Reconstructed),
            other => Err(format!("`{other}` is no kind of provenance")),
        }
    }

    /// The mark behind a number; what is printed has none.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Kind::Printed => "",
            Kind::Example => " <sup>E</sup>",
            Kind::Public => " <sup>P</sup>",
            Kind::Reconstructed => " <sup>R</sup>",
        }
    }

    /// What it means.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Kind::Printed => "printed in the book as a table, list or sentence",
            Kind::Example => "forced by a worked example of the book",
            Kind::Public => "found outside the book, in a public source",
            Kind::Reconstructed => {
                "reconstructed: ours, by the formula told below its table, and free to be tuned by play"
            }
        }
    }

    fn word(self) -> &'static str {
        match self {
            Kind::Printed => "printed",
            Kind::Example => "forced by an example",
            Kind::Public => "public",
            Kind::Reconstructed => "reconstructed",
        }
    }
}

impl Origin {
    fn read(provenance: &Node) -> Result<Origin, String> {
        let word = |key: &str| provenance.get(key).and_then(Node::leaf).map(str::to_owned);
        let cells = provenance.get("cells").map(Node::entries).unwrap_or_default();
        let cells = cells.iter().map(|(path, cell)| Ok((path.clone(), Origin::read(cell)?)));
        Ok(Origin {
            kind: Kind::read(&word("kind").unwrap_or_default())?,
            lines: word("lines"),
            note: word("note"),
            formula: word("formula"),
            source: word("source"),
            cells: cells.collect::<Result<_, String>>()?,
        })
    }

    /// The origin of a cell that has its own, by its path in the row, and the path that it is written under: a part of a
    /// cell has the origin of the whole.
    pub(super) fn of_cell<'a>(&'a self, path: &'a str) -> Option<(&'a str, &'a Origin)> {
        let whole = || path.split_once('.').map(|(whole, _)| whole);
        let own = |path: &'a str| self.cells.get(path).map(|origin| (path, origin));
        own(path).or_else(|| whole().and_then(own))
    }

    /// In words: kind, formula, source, note, and the book's lines where they are not said elsewhere.
    pub(super) fn told(&self, with_lines: bool) -> String {
        let mut parts = Vec::new();
        if self.kind != Kind::Printed || with_lines {
            parts.push(self.kind.word().to_owned());
        }
        if let Some(source) = &self.source {
            parts.push(format!("source `{source}`"));
        }
        if let Some(lines) = self.lines.as_ref().filter(|_| with_lines) {
            parts.push(format!("book lines {}", lines.replace(',', ", ")));
        }
        parts.extend([&self.formula, &self.note].into_iter().flatten().map(|text| super::line(text)));
        format!("{}.", parts.join("; "))
    }
}
