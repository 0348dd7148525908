//! How a unit of a case stands.
//!
//! Owns the way from a [`Case`] to a question of [`crate::standing`], and the answer as a referee writes it down. No phase is
//! played: the units stand as the case has them. Command and the levels of the formations are judged as phase 1 does, but
//! where the case says who is in command.

use protocol::event::Sum;
use protocol::ids::{LeaderId, UnitId};
use protocol::orders::Stage;
use protocol::standing::{CommandLink, CommandStanding, LeaderHelp, LevelStanding, Standing};

use super::told::{line, of_sum};
use super::{Case, of_side, set_up};
use crate::battle::{Table, known};
use crate::command;
use crate::dice::ScriptedDice;
use crate::leaders;
use crate::levels;
use crate::play::Play;
use crate::ruleset::{Inches, Ruleset};
use crate::standing;

/// How a unit of a case stands, as its own side knows; nothing if it is not on the table.
pub fn standing(case: &Case, rules: &Ruleset, unit: &UnitId) -> Option<Standing> {
    let table = set_up::battle(case, rules).table;
    let side = table.unit(unit)?.side;
    let no_dice = ScriptedDice::new();
    let mut play = Play::new(rules, &no_dice, set_up::battle(case, rules), Stage::Orders);
    levels::mark(&mut play);
    leaders::begin_turn(&mut play);
    let mut battle = play.battle;
    command::begin_battle(rules, &mut battle.table);
    set_up::command(&mut battle, case);
    set_up::show_orders(&mut battle, case);
    let draft = case.envelopes.get(&Stage::Orders).map(|draft| of_side(draft, &battle, side));
    standing::standing(&known(&battle, side), rules, Stage::Orders, unit, draft.as_ref())
}

/// An answer as text for reading: the sentence and the sum, then command, leaders and formations.
pub fn standing_text(case: &Case, standing: &Standing) -> String {
    let table = set_up::battle(case, case.rules()).table;
    let mut out = String::new();
    line(&mut out, 0, &standing.sentence);
    out.push('\n');
    line(&mut out, 1, &of_sum(&standing.point));
    let passes = standing.passes.as_ref().map(|chance| chance.exact.as_str());
    passes.iter().for_each(|exact| line(&mut out, 1, &format!("two dice beat it in {exact}")));
    if let (Some(rally), Some(chance)) = (&standing.rally, &standing.rallies) {
        let rally = Sum { label: "to rally".to_owned(), ..rally.clone() };
        line(&mut out, 1, &format!("{}; in {}", of_sum(&rally), chance.exact));
    }
    standing.notes.iter().for_each(|note| line(&mut out, 1, &format!("{} ({})", note.text, note.rule)));
    if let Some(command) = &standing.command {
        heading(&mut out, "Command");
        of_command(&mut out, &table, command);
    }
    if !standing.leaders.is_empty() {
        heading(&mut out, "Leaders who can help");
        standing.leaders.iter().for_each(|help| line(&mut out, 1, &help_words(&table, standing, help)));
    }
    if !standing.levels.is_empty() {
        heading(&mut out, "Command points");
        standing.levels.iter().for_each(|level| line(&mut out, 1, &level_words(level)));
    }
    out
}

fn heading(out: &mut String, words: &str) {
    out.push('\n');
    line(out, 0, words);
    out.push('\n');
}

fn of_command(out: &mut String, table: &Table, command: &CommandStanding) {
    line(out, 1, &format!("{} ({})", command.sentence, command.rule));
    for link in &command.links {
        line(out, 2, &link_words(table, command.leader.as_ref(), link));
    }
}

/// `20th Maine to Vincent: 5.5 inches, which weigh 8.5 of 12`
fn link_words(table: &Table, leader: Option<&LeaderId>, link: &CommandLink) -> String {
    let unit = |id: &UnitId| table.unit(id).map_or_else(|| id.to_string(), |unit| unit.name.clone());
    let leader = leader.and_then(|id| table.leaders.get(id)).map_or("its commander", |leader| leader.name.as_str());
    let to = link.friend.as_ref().map_or_else(|| leader.to_owned(), unit);
    let end = if link.reaches { "" } else { ": too far" };
    format!(
        "{} to {to}: {} inches, which weigh {} of {}{end}",
        unit(&link.unit),
        inches(link.distance),
        inches(link.weighed),
        inches(link.radius)
    )
}

fn help_words(table: &Table, standing: &Standing, help: &LeaderHelp) -> String {
    let name = |id: &UnitId| table.unit(id).map_or_else(|| id.to_string(), |unit| unit.name.clone());
    let others: Vec<String> = help.order.iter().filter(|id| **id != standing.unit).map(name).collect();
    let asked = if others.is_empty() { String::new() } else { format!("; he may be asked by {}", others.join(", ")) };
    let sure = if help.helps { "helps it first" } else { "may have no place for it" };
    format!(
        "{} (level {}), {} of {} inches away: {:+}, {sure}{asked}",
        help.name,
        help.level,
        inches(help.distance),
        inches(help.radius),
        help.morale
    )
}

fn level_words(level: &LevelStanding) -> String {
    match level.points {
        Some(points) => format!(
            "{}: {} of {} lost; it stops at {} and withdraws at {}",
            level.name, points.lost, points.total, points.limit_40, points.limit_60
        ),
        None => format!("{}: at {} percent", level.name, level.level),
    }
}

fn inches(thousandths: u32) -> Inches {
    Inches(i32::try_from(thousandths).unwrap_or(i32::MAX))
}
