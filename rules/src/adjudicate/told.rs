//! A settled case as a referee writes it down: a paragraph an event, sums and dice indented under it.

use std::fmt::Write as _;

use protocol::event::{Dice, Event, Explanation, Sum, TableRead};
use protocol::view::{LeaderView, Presence, UnitView};

use super::Settled;

/// The phases in the book's words.
const PHASES: [&str; 9] = [
    "orders",
    "routs, rallies and replacements",
    "orders are revealed",
    "first fires",
    "disengagements",
    "charges",
    "movement",
    "moving fires",
    "officers",
];

/// The case as text for reading.
pub fn text(settled: &Settled) -> String {
    let mut out = String::new();
    title(&mut out, settled);
    let mut phase = 0;
    for event in &settled.events {
        if event.phase != phase {
            phase = event.phase;
            let name = PHASES.get(usize::from(phase).wrapping_sub(1)).copied().unwrap_or_default();
            line(&mut out, 0, &format!("Phase {phase}: {name}"));
            out.push('\n');
        }
        paragraph(&mut out, event);
    }
    if settled.events.is_empty() {
        line(&mut out, 0, "Nothing happens.");
        out.push('\n');
    }
    line(&mut out, 0, "Afterwards");
    out.push('\n');
    settled.after.units.iter().for_each(|unit| line(&mut out, 1, &of_unit(unit)));
    settled.after.leaders.iter().for_each(|leader| line(&mut out, 1, &of_leader(leader)));
    if !settled.unmet.is_empty() {
        out.push('\n');
        line(&mut out, 0, "Not as expected");
        out.push('\n');
        settled.unmet.iter().for_each(|unmet| line(&mut out, 1, unmet));
    }
    out
}

/// The dice that were thrown, as the lines of a case.
pub(super) fn script(settled: &Settled) -> String {
    let mut out = String::new();
    for thrown in &settled.thrown {
        let key: Vec<String> = thrown.key.iter().map(|part| format!("\"{part}\"")).collect();
        // Writing to a string cannot fail.
        let _written = write!(
            out,
            "[[die]]\nphase = {}\npurpose = \"{}\"\nkey = [{}]\nfaces = {:?}\n\n",
            thrown.phase,
            thrown.purpose,
            key.join(", "),
            thrown.faces
        );
    }
    out
}

impl Settled {
    /// The dice that were thrown, as the lines of a case, to settle it again with the same dice.
    pub fn script(&self) -> String {
        script(self)
    }
}

fn title(out: &mut String, settled: &Settled) {
    let title = match (settled.title.as_str(), &settled.rule) {
        ("", None) => return,
        ("", Some(rule)) => rule.clone(),
        (title, None) => title.to_owned(),
        (title, Some(rule)) => format!("{title} ({rule})"),
    };
    line(out, 0, &title);
    out.push('\n');
    for refusal in &settled.refused {
        line(out, 0, &format!("{}.", capital(&refusal.message)));
        out.push('\n');
    }
}

fn paragraph(out: &mut String, event: &Event) {
    let Explanation { sentence, sums, dice, tables, notes } = &event.explanation;
    let segment = event.segment.map_or_else(String::new, |segment| format!(", segment {segment}"));
    line(out, 1, &format!("{sentence} ({}{segment})", event.rule));
    sums.iter().for_each(|sum| line(out, 2, &of_sum(sum)));
    dice.iter().for_each(|dice| line(out, 2, &of_dice(dice)));
    tables.iter().for_each(|table| line(out, 2, &of_table(table)));
    notes.iter().for_each(|note| line(out, 2, &format!("{} ({})", note.text, note.rule)));
    out.push('\n');
}

/// `dice: 3 first fire (FIRE-06), +1 close range (FIRE-07) = 4`
pub(super) fn of_sum(sum: &Sum) -> String {
    let terms: Vec<String> = sum
        .terms
        .iter()
        .enumerate()
        .map(|(n, term)| match n {
            0 => format!("{} {} ({})", term.value, term.label, term.rule),
            _ => format!("{:+} {} ({})", term.value, term.label, term.rule),
        })
        .collect();
    match terms.as_slice() {
        [] => format!("{}: {}", sum.label, sum.total),
        terms => format!("{}: {} = {}", sum.label, terms.join(", "), sum.total),
    }
}

/// `morale.hit me20: 3 4 = 7, needed above 5`
fn of_dice(dice: &Dice) -> String {
    let faces: Vec<String> = dice.faces.iter().map(u8::to_string).collect();
    let sum: u32 = dice.faces.iter().map(|face| u32::from(*face)).sum();
    let total = if 1 < faces.len() { format!(" = {sum}") } else { String::new() };
    let needed = dice.needed.as_ref().map_or_else(String::new, |needed| format!(", needed {needed}"));
    format!("{} {}: {}{total}{needed}", dice.purpose, dice.key.join(" "), faces.join(" "))
}

pub(super) fn of_table(table: &TableRead) -> String {
    format!("table {}: {}, {}: {}", table.table, table.row, table.column, table.value)
}

fn of_unit(unit: &UnitView) -> String {
    let figures: u32 = unit.stands.iter().map(|stand| stand.figures).sum();
    let strength = match unit.sections {
        Some(sections) => format!("{sections} of {} sections", unit.figures_at_start),
        None => format!("{figures} of {} figures on {} stands", unit.figures_at_start, unit.stands.len()),
    };
    let place = match (&unit.stance, unit.presence) {
        (Some(stance), _) => {
            let disorder = if stance.disorder { ", in disorder" } else { "" };
            let prone = if stance.prone { ", prone" } else { "" };
            let facing = decimal(stance.facing.hundredths() as i32, 2);
            format!(
                "{}{disorder}{prone} at [{}, {}] facing {facing}",
                stance.formation,
                decimal(stance.anchor.x, 3),
                decimal(stance.anchor.y, 3)
            )
        }
        (None, Presence::ToCome) => "still to come".to_owned(),
        (None, Presence::Attached) => "attached to a regiment".to_owned(),
        (None, Presence::Left) => "left the table".to_owned(),
        (None, Presence::Hidden) => "under a picket".to_owned(),
        (None, Presence::Removed | Presence::Table) => "gone".to_owned(),
    };
    let morale = match unit.morale {
        protocol::event::Morale::Good => "good",
        protocol::event::Morale::Shaken => "shaken",
        protocol::event::Morale::Routed => "routed",
    };
    let ammunition = if unit.ammunition_out { ", out of ammunition" } else { "" };
    format!("{} ({}): {strength}, {morale}{ammunition}; {place}", unit.name, unit.id)
}

fn of_leader(leader: &LeaderView) -> String {
    let place = match (leader.at, leader.wounded_until) {
        (Some(at), _) => format!("at [{}, {}]", decimal(at.x, 3), decimal(at.y, 3)),
        (None, Some(_)) => "wounded".to_owned(),
        (None, None) => "not on the table".to_owned(),
    };
    format!("{} ({}), level {}: {place}", leader.name, leader.id, leader.level)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A whole number of small parts as a decimal number.
fn decimal(number: i32, places: u32) -> String {
    let unit = 10_u32.pow(places);
    let sign = if number < 0 { "-" } else { "" };
    let size = number.unsigned_abs();
    let text = format!("{sign}{}.{:0width$}", size / unit, size % unit, width = places as usize);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(super) fn line(out: &mut String, depth: usize, text: &str) {
    out.push_str(&"    ".repeat(depth));
    out.push_str(text);
    out.push('\n');
}
