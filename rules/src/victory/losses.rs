//! What of the enemy's losses victory terms count. SCNV-08 to SCNV-10
//!
//! Each function gives how often a term is earned and says by what, for the list of points.

use std::collections::BTreeMap;

use protocol::ids::{LeaderId, Side};
use protocol::view::Presence;
use protocol::words::Arm;

use crate::battle::{Post, Table, Unit};
use crate::levels::{self, is_lost};
use crate::ruleset::Ruleset;
use crate::scenario::{CountBy, LeaderLoss};

type Counted = (u32, String);

/// A list of names with what befell them.
pub(super) fn named<'n>(names: impl Iterator<Item = &'n str>, verb: &str) -> Counted {
    let names: Vec<&str> = names.collect();
    let why = if names.is_empty() { format!("nobody {verb}") } else { format!("{verb}: {}", names.join(", ")) };
    (names.len() as u32, why)
}

/// Whether a term that names some means this unit; a term that names nobody means all.
pub(super) fn is_named(table: &Table, unit: &Unit, who: &[String]) -> bool {
    who.is_empty() || table.scenario().selected(who).contains(&unit.id)
}

/// The arm that a unit had at the start: a battery whose crew has fled goes on as a crew.
fn arm_at_start(table: &Table, unit: &Unit) -> Arm {
    table.scenario().force(unit.id.as_str()).map_or(unit.arm, |force| force.arm)
}

fn of_side<'t>(table: &'t Table, side: Side, arm: Option<Arm>, who: &'t [String]) -> impl Iterator<Item = &'t Unit> {
    table.all_units().map(|(_, unit)| unit).filter(move |unit| {
        // ARTY-48 What becomes of a stand at captured guns is counted with its regiment.
        unit.carried.stand_of.is_none()
            && unit.side == side
            && arm.is_none_or(|arm| arm == arm_at_start(table, unit))
            && is_named(table, unit, who)
    })
}

/// SCNV-08 Units lost, or regiments of which every battalion is lost.
pub(super) fn units(table: &Table, side: Side, arm: Option<Arm>, count: CountBy, who: &[String]) -> Counted {
    if count == CountBy::Unit {
        return named(
            of_side(table, side, arm, who).filter(|unit| is_lost(unit)).map(|unit| unit.name.as_str()),
            "lost",
        );
    }
    let mut regiments: BTreeMap<&str, bool> = BTreeMap::new();
    for unit in of_side(table, side, arm, who) {
        let regiment = table.scenario().force(unit.id.as_str()).and_then(|force| force.regiment.as_ref());
        let name = regiment.map_or(unit.name.as_str(), |(name, _)| name.as_str());
        let all_lost = regiments.entry(name).or_insert(true);
        *all_lost &= is_lost(unit);
    }
    named(regiments.into_iter().filter(|(_, lost)| *lost).map(|(name, _)| name), "lost")
}

/// SCNV-08 Whether a battery is lost, left by its crew, or spiked by it.
fn is_taken(table: &Table, unit: &Unit) -> bool {
    let guns_left = unit.guns.as_ref().is_none_or(|guns| guns.unmanned || guns.spiked);
    arm_at_start(table, unit) == Arm::Artillery && (is_lost(unit) || (unit.presence == Presence::Table && guns_left))
}

/// SCNV-08 Batteries taken.
pub(super) fn batteries(table: &Table, side: Side, who: &[String]) -> Counted {
    let taken = of_side(table, side, None, who).filter(|unit| is_taken(table, unit));
    named(taken.map(|unit| unit.name.as_str()), "guns taken")
}

/// SCNV-08 Sections of batteries taken: those lost to fire count only where the whole battery is lost.
pub(super) fn sections(table: &Table, side: Side, who: &[String]) -> Counted {
    let taken = of_side(table, side, None, who).filter(|unit| is_taken(table, unit));
    let sections = taken.map(|unit| if is_lost(unit) { unit.figures_at_start } else { unit.figures() });
    total(sections, "sections taken")
}

fn total(counts: impl Iterator<Item = u32>, what: &str) -> Counted {
    let sum = counts.sum();
    (sum, format!("{sum} {what}"))
}

/// SCNV-08 Stands lost.
pub(super) fn stands(table: &Table, side: Side, arm: Option<Arm>, who: &[String]) -> Counted {
    let lost = |unit: &Unit| if is_lost(unit) { unit.stands_at_start } else { unit.stands_lost() };
    total(of_side(table, side, arm, who).map(lost), "stands lost")
}

/// SCNV-08 Figures lost.
pub(super) fn figures(table: &Table, side: Side, arm: Option<Arm>, who: &[String]) -> Counted {
    let lost =
        |unit: &Unit| unit.figures_at_start - if is_lost(unit) { 0 } else { unit.figures().min(unit.figures_at_start) };
    total(of_side(table, side, arm, who).map(lost), "figures lost")
}

/// SCNV-09 Formations that have reached a level of loss, each once.
pub(super) fn withdrawn(rules: &Ruleset, table: &Table, side: Side, post: Option<Post>, level: u8) -> Counted {
    let spent = table.leaders.values().filter(|leader| {
        leader.side == side
            && post.is_none_or(|post| post == leader.post)
            && level <= levels::points(rules, table, &leader.id).level(rules)
    });
    let name = |id: &LeaderId| {
        let commander = table.scenario().commander(id.as_str());
        commander.map_or_else(|| id.to_string(), |commander| commander.command.clone())
    };
    let names: Vec<String> = spent.map(|leader| name(&leader.id)).collect();
    named(names.iter().map(String::as_str), &format!("at {level}% of command points"))
}

/// SCNV-09 Every full `per` command points lost.
pub(super) fn command_points(rules: &Ruleset, table: &Table, side: Side, per: u32) -> Counted {
    let units = table.all_units().filter(|(_, unit)| unit.side == side && is_lost(unit));
    let by_units: u32 = units.map(|(_, unit)| levels::worth(rules, unit)).sum();
    let killed = |id: &LeaderId| table.losses.get(id).map_or(0, |losses| losses.commanders_killed);
    let leaders = table.leaders.values().filter(|leader| leader.side == side);
    let by_leaders: u32 = leaders.map(|leader| killed(&leader.id) * levels::commander_worth(rules, leader.post)).sum();
    let lost = by_units + by_leaders;
    (lost.checked_div(per).unwrap_or(0), format!("{lost} command points lost"))
}

/// SCNV-10 Leaders lost.
pub(super) fn leaders(table: &Table, side: Side, who: &[String], post: Option<Post>, how: LeaderLoss) -> Counted {
    let lost = table.leaders.values().filter(|leader| {
        let killed = table.losses.get(&leader.id).is_some_and(|losses| 0 < losses.commanders_killed);
        let out = killed || leader.lost_in.is_some() || leader.wounded_until.is_some();
        leader.side == side
            && match who {
                // Commanders of the file alone: senior officers of regiments are no prizes.
                [] => {
                    table.scenario().commanders.is_empty() || table.scenario().commander(leader.id.as_str()).is_some()
                }
                named => named.iter().any(|named| named == leader.id.as_str()),
            }
            && post.is_none_or(|post| post == leader.post)
            && match how {
                LeaderLoss::Killed => killed,
                LeaderLoss::Lost => out,
            }
    });
    named(lost.map(|leader| leader.name.as_str()), "fallen")
}
