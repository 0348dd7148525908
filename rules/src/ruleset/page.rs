//! The page for proof-reading, `docs/tables.md`: every number of the game, and where it comes from.
//!
//! Written for players and umpires, from `rules/tables/tables.toml` as it stands. A table that no chapter names, or a rule
//! that the catalogue does not have, is a fault: the page cannot fall behind either. With a club's own chart each cell that
//! it changes is marked where it stands, and all are listed before the tables.

mod cells;
mod chapters;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use cells::{Kind, Node, Origin};
use chapters::{CHAPTERS, Chapter, Subject};

use crate::catalogue::RuleId;
use crate::house::{Chart, ChartCell};

use super::{CombatResult, Ruleset, STANDARD_TEXT};

/// The page, of the tables as they are or with a club's own chart over them.
///
/// # Errors
/// A table without a chapter or a provenance, a rule that the catalogue does not have.
pub fn page(chart: Option<&Chart>) -> Result<String, String> {
    let tables = cells::read(STANDARD_TEXT)?;
    are_complete(&tables)?;
    are_known_rules()?;
    let mut count = Count { kinds: [0; 4], chart };
    let mut body = String::new();
    for Chapter { title, subjects } in &CHAPTERS {
        let _ = write!(body, "\n## {title}\n");
        for subject in *subjects {
            let table = tables.get(subject.table).ok_or_else(|| format!("there is no table {}", subject.table))?;
            let _ = write!(body, "\n### {}\n\n*`{}`; {}*\n", subject.title, subject.table, subject.rules.join(", "));
            if !subject.note.is_empty() {
                let _ = write!(body, "\n{}\n", subject.note);
            }
            match subject.table {
                "crt" => combat_results(&mut body, table, &mut count)?,
                _ => tell(&mut body, subject, table, &mut count)?,
            }
        }
    }
    conflicts(&mut body, &tables)?;
    sources(&mut body, &tables)?;
    Ok(preface(&count) + &chart.map(own_chart).unwrap_or_default() + &body)
}

/// What is counted on the way: how many cells are of each kind, in the order of [`Kind::ALL`]; and what is marked.
struct Count<'c> {
    kinds: [usize; 4],
    chart: Option<&'c Chart>,
}

impl Count<'_> {
    fn add(&mut self, kind: Kind) {
        self.kinds[kind as usize] += 1;
    }

    /// A cell as it is printed, or struck out with what the club plays behind it.
    fn marked(&self, path: &str, printed: &str) -> String {
        match self.chart.and_then(|chart| chart.cell(path)) {
            None => printed.to_owned(),
            Some(cell) => format!("~~{printed}~~ **{}**", own(cell)),
        }
    }
}

/// What the club plays in a cell.
fn own(cell: &ChartCell) -> String {
    cell.played.as_deref().map_or_else(|| "none".to_owned(), |played| line(&words(played)))
}

/// The list of what a chart changes, with the mean of what a cell of the combat results table kills.
fn own_chart(chart: &Chart) -> String {
    let cells = chart.cells();
    let mut text = format!("\n## {}\n\nOwn chart: {} cells differ. ", line(chart.title()), cells.len());
    text.push_str("In the tables below each is struck out, with what the club plays behind it.\n\n");
    text.push_str("| cell | printed | own | killed on average, printed | own |\n| --- | --- | --- | ---: | ---: |\n");
    let mean = |value: Option<&String>| value.and_then(|value| mean_killed(value)).unwrap_or_default();
    for cell in cells {
        let is_result = cell.path.starts_with("crt.") && !cell.path.ends_with(".sections");
        let [printed, played] = match is_result {
            true => [mean(cell.printed.as_ref()), mean(cell.played.as_ref())],
            false => [String::new(), String::new()],
        };
        let was = cell.printed.as_deref().map_or_else(|| "none".to_owned(), |printed| line(&words(printed)));
        let _ = writeln!(text, "| `{}` | {was} | {} | {printed} | {played} |", cell.path, own(cell));
    }
    text
}

/// The mean of the figures that a cell of the combat results table kills, in hundredths, as a decimal.
fn mean_killed(cell: &str) -> Option<String> {
    let confirmed = Ruleset::standard().casualty.star_kills_on.len();
    let hundredths = match cell.parse::<CombatResult>().ok()? {
        CombatResult::Nothing | CombatResult::MoraleCheck => 0,
        CombatResult::Star => 100 * confirmed / 6,
        CombatResult::Killed(killed) => 100 * usize::from(killed),
    };
    Some(format!("{}.{:02}", hundredths / 100, hundredths % 100))
}

/// Every table stands in one chapter; what the file says of itself stands in none.
fn are_complete(tables: &Node) -> Result<(), String> {
    let mut told: BTreeSet<&str> = ["meta", "sources", "conflict"].into();
    for subject in CHAPTERS.iter().flat_map(|chapter| chapter.subjects) {
        if !told.insert(subject.table) {
            return Err(format!("the table {} stands in two chapters", subject.table));
        }
    }
    match tables.entries().iter().find(|(name, _)| !told.contains(name.as_str())) {
        Some((name, _)) => Err(format!("the table {name} stands in no chapter")),
        None => Ok(()),
    }
}

/// The catalogue has every rule that a chapter names.
fn are_known_rules() -> Result<(), String> {
    let named = CHAPTERS.iter().flat_map(|chapter| chapter.subjects).flat_map(|subject| subject.rules);
    match named.into_iter().find(|id| id.parse::<RuleId>().is_err()) {
        Some(id) => Err(format!("the catalogue has no {id}")),
        None => Ok(()),
    }
}

fn preface(count: &Count<'_>) -> String {
    let mut text = String::from(
        "# Tables\n\n\
         <!-- Generated by `make gen` from rules/tables/tables.toml; not to be edited. -->\n\n\
         Every number that this server plays by, and where it comes from.\n\
         What the numbers are for is told in [the rulings](rulings.md), by the rules named under each heading.\n\n\
         A length is in inches at the 15 mm scale and has a decimal point; so has a factor, whose name says so.\n\
         Dice, modifiers, figures and stands are whole numbers. An empty cell means: not allowed, or it does not apply.\n\
         Numbers of book lines count the lines of the project's transcription, not pages.\n\n\
         | mark | the number is | cells |\n| --- | --- | ---: |\n",
    );
    for kind in Kind::ALL {
        let mark = if kind.mark().is_empty() { "none" } else { kind.mark().trim_start() };
        let _ = writeln!(text, "| {mark} | {} | {} |", kind.meaning(), count.kinds[kind as usize]);
    }
    let _ = writeln!(text, "| | together | {} |", count.kinds.iter().sum::<usize>());
    text.push_str("\nNames of rows and heads of rows and columns are not counted.\n");
    text
}

/// A table of any shape: plain, of rows, or of groups of rows.
fn tell(text: &mut String, subject: &Subject, table: &Node, count: &mut Count<'_>) -> Result<(), String> {
    let (first, _) = shape(subject.table, table)?;
    match first {
        Shape::Plain => plain(text, subject.table, table, count),
        Shape::Rows => rows(text, subject.table, table, count),
        Shape::Groups => {
            for (name, group) in table.entries() {
                let _ = write!(text, "\n**{}**\n", words(name));
                rows(text, &format!("{}.{name}", subject.table), group, count)?;
            }
            Ok(())
        }
    }
}

/// How a table is built. It has its provenance itself, or its rows have, or the rows of its rows.
enum Shape {
    Plain,
    Rows,
    Groups,
}

fn shape<'a>(path: &str, table: &'a Node) -> Result<(Shape, &'a Node), String> {
    let mut here = table;
    for shape in [Shape::Plain, Shape::Rows, Shape::Groups] {
        if here.get("provenance").is_some() {
            return Ok((shape, here));
        }
        here = here.entries().first().map(|(_, node)| node).ok_or_else(|| format!("{path} has no provenance"))?;
    }
    Err(format!("{path} has no provenance"))
}

/// A plain table: a line for each value.
fn plain(text: &mut String, path: &str, table: &Node, count: &mut Count<'_>) -> Result<(), String> {
    let origin = table.origin(path)?;
    let mut notes = Notes::default();
    text.push_str("\n| | |\n| --- | --- |\n");
    for (key, value) in table.values() {
        let shown = shown(path, key, value, &Row { origin: &origin, label: key }, count, &mut notes);
        let _ = writeln!(text, "| {} | {shown} |", words(key));
    }
    notes.of_row("the table", &origin);
    notes.tell(text, Some(&origin));
    Ok(())
}

/// A table of rows: a line for each row, a column for each key that any row has.
fn rows(text: &mut String, path: &str, table: &Node, count: &mut Count<'_>) -> Result<(), String> {
    let mut columns: Vec<&str> = Vec::new();
    for (_, row) in table.entries() {
        for (key, _) in row.values().filter(|(key, _)| *key != "name") {
            if !columns.contains(&key) {
                columns.push(key);
            }
        }
    }
    let heads: Vec<String> = columns.iter().map(|column| words(column)).collect();
    let _ = write!(text, "\n| | {} | book lines |\n| --- |", heads.join(" | "));
    let _ = writeln!(text, "{}", " --- |".repeat(columns.len() + 1));
    let mut notes = Notes::default();
    for (name, row) in table.entries() {
        let path = format!("{path}.{name}");
        let origin = row.origin(&path)?;
        let label = row.get("name").and_then(Node::leaf).map_or_else(|| words(name), line);
        let _ = write!(text, "| {label} |");
        for column in &columns {
            let of = Row { origin: &origin, label: &label };
            let cell = row.get(column).map(|value| shown(&path, column, value, &of, count, &mut notes));
            let _ = write!(text, " {} |", cell.unwrap_or_default());
        }
        let _ = writeln!(text, " {} |", origin.lines.as_deref().unwrap_or_default().replace(',', ", "));
        notes.of_row(&label, &origin);
    }
    notes.tell(text, None);
    Ok(())
}

/// A row: the origin of its cells, and what it is called.
struct Row<'r> {
    origin: &'r Origin,
    label: &'r str,
}

/// A value as a cell of the page, each of its numbers marked and counted.
fn shown(at: &str, key: &str, value: &Node, row: &Row<'_>, count: &mut Count<'_>, notes: &mut Notes) -> String {
    let mut cell = |path: &str, leaf: &str| {
        let own = row.origin.of_cell(path);
        let origin = own.map_or(row.origin, |(_, origin)| origin);
        count.add(origin.kind);
        if let Some((path, own)) = own {
            notes.of_cell(row.label, key, path, own);
        }
        count.marked(&format!("{at}.{path}"), &format!("{}{}", line(&words(leaf)), origin.kind.mark()))
    };
    match value {
        Node::Leaf(leaf) => cell(key, leaf),
        Node::List(items) => {
            let items: Vec<&str> = items.iter().filter_map(Node::leaf).collect();
            cell(key, &items.join(", "))
        }
        Node::Table(parts) => {
            let parts = parts.iter().map(|(name, part)| {
                let items: Vec<&str> = part.items().iter().filter_map(Node::leaf).collect();
                let leaf = part.leaf().map_or_else(|| items.join(", "), str::to_owned);
                let stop = if name.starts_with(|first: char| first.is_ascii_digit()) { ":" } else { "" };
                format!("{}{stop} {}", words(name), cell(&format!("{key}.{name}"), &leaf))
            });
            parts.collect::<Vec<_>>().join("; ")
        }
    }
}

/// What is said under a table of the numbers in it. The same words for several are said once.
#[derive(Default)]
struct Notes(Vec<(String, Vec<String>)>);

impl Notes {
    fn of_row(&mut self, name: &str, origin: &Origin) {
        if origin.kind != Kind::Printed || origin.note.is_some() {
            self.add(origin.told(false), name.to_owned());
        }
    }

    fn of_cell(&mut self, row: &str, key: &str, path: &str, origin: &Origin) {
        let part = words(&path.replace('.', ": "));
        // In a plain table the row is the key, and its name need not be said twice.
        let name = if row == key { part } else { format!("{row}: {part}") };
        self.add(origin.told(true), name);
    }

    fn add(&mut self, told: String, name: String) {
        match self.0.iter_mut().find(|(known, _)| *known == told) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => self.0.push((told, vec![name])),
        }
    }

    fn tell(&self, text: &mut String, whole: Option<&Origin>) {
        if let Some(lines) = whole.and_then(|origin| origin.lines.as_deref()) {
            let _ = write!(text, "\nBook lines {}.\n", lines.replace(',', ", "));
        }
        if !self.0.is_empty() {
            text.push('\n');
        }
        for (told, names) in &self.0 {
            let _ = writeln!(text, "- {}: {told}", names.join("; "));
        }
    }
}

/// The combat results table, whose cells the book shows only in part.
fn combat_results(text: &mut String, table: &Node, count: &mut Count<'_>) -> Result<(), String> {
    let origin = table.origin("crt")?;
    let list = |key: &str| table.get(key).map(Node::items).unwrap_or_default();
    let columns: Vec<&str> = list("columns").iter().filter_map(Node::leaf).collect();
    let value = |node: &Node, key: &str| node.get(key).and_then(Node::leaf).unwrap_or_default().to_owned();
    let _ = write!(text, "\n| figures | sections | {} |\n| ---: | ---: |", columns.join(" | "));
    let _ = writeln!(text, "{}", " :---: |".repeat(columns.len()));
    for row in list("rows") {
        let figures = value(row, "figures");
        let _ = write!(text, "| **{figures}** | {} |", value(row, "sections"));
        let results = row.get("values").map(Node::items).unwrap_or_default();
        for (column, result) in columns.iter().zip(results.iter().filter_map(Node::leaf)) {
            let seen = list("evidence")
                .iter()
                .find(|seen| value(seen, "figures") == figures && value(seen, "column") == *column);
            let kind = match seen {
                Some(seen) => Kind::read(&value(seen, "kind"))?,
                None => origin.kind,
            };
            count.add(kind);
            let result = result.replace("--", "–").replace('*', "\\*");
            let told = match kind {
                Kind::Printed => format!("**{result}**"),
                Kind::Example => format!("*{result}*"),
                Kind::Public | Kind::Reconstructed => result,
            };
            let _ = write!(text, " {} |", count.marked(&format!("crt.{figures}.{column}"), &told));
        }
        text.push('\n');
    }
    let _ = write!(
        text,
        "\nBold: printed in what is left of the book's chart. Italic: forced by an example. All others: {}\n\
         \n![Figures killed on average, by roll and row](tables/combat-results.svg)\n",
        origin.told(true)
    );
    for seen in list("evidence").iter().filter(|seen| seen.get("note").is_some()) {
        let _ = write!(
            text,
            "\n- {} figures, column {}: {}, book lines {}; {}\n",
            value(seen, "figures"),
            value(seen, "column"),
            value(seen, "value"),
            value(seen, "lines").replace(',', ", "),
            line(&value(seen, "note"))
        );
    }
    Ok(())
}

/// Where the book contradicts itself.
fn conflicts(text: &mut String, tables: &Node) -> Result<(), String> {
    let list = tables.get("conflict").map(Node::items).ok_or("the tables have no conflicts")?;
    text.push_str(
        "\n## Where the book contradicts itself\n\n\
         Each reading with its book lines, the one that is played, and the values that follow it.\n\n\
         | | readings | played | why | values |\n| --- | --- | --- | --- | --- |\n",
    );
    for conflict in list {
        let word = |key: &str| conflict.get(key).and_then(Node::leaf).unwrap_or_default();
        let many = |key: &str| -> Vec<String> {
            conflict.get(key).map(Node::items).unwrap_or_default().iter().filter_map(Node::leaf).map(line).collect()
        };
        let values: Vec<String> = many("values").iter().map(|path| format!("`{}`", path.replace('\\', ""))).collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            words(word("id")),
            many("readings").join("<br>"),
            line(word("chosen")),
            line(word("why")),
            values.join("<br>")
        );
    }
    Ok(())
}

/// Sources outside the book.
fn sources(text: &mut String, tables: &Node) -> Result<(), String> {
    let sources = tables.get("sources").ok_or("the tables have no sources")?;
    text.push_str("\n## Sources outside the book\n\n");
    for (name, source) in sources.entries() {
        let word = |key: &str| source.get(key).and_then(Node::leaf).map(line).unwrap_or_default();
        let addresses: Vec<&str> =
            source.get("where").map(Node::items).unwrap_or_default().iter().filter_map(Node::leaf).collect();
        let addresses: Vec<String> = addresses.iter().map(|address| format!("<{address}>")).collect();
        let _ = writeln!(text, "- `{name}`: {}. {} {}", word("what"), word("note"), addresses.join(", "));
    }
    Ok(())
}

/// A name of the tables as words.
fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// A text as it may stand in a cell: what Markdown would read as a mark of its own is escaped.
fn line(text: &str) -> String {
    let mut line = String::new();
    for character in text.chars() {
        if matches!(character, '<' | '>' | '*' | '_' | '[' | ']' | '|') {
            line.push('\\');
        }
        line.push(character);
    }
    line
}

#[cfg(test)]
mod tests;
