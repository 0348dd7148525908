//! Command points: what a brigade, division or corps has lost, and the limits at which it stops and withdraws.
//!
//! Owns LVL-01 to LVL-08. It never forbids an order; [`binding`] is what orders ask.

#[cfg(test)]
mod tests;

use protocol::event::Fact;
use protocol::ids::{BrigadeId, LeaderId};
use protocol::view::Presence;

use crate::battle::{Brigade, Leader, Post, Table, Unit};
use crate::catalogue::{LVL_01, LVL_02, LVL_04, LVL_05, LVL_07};
use crate::command;
use crate::explain::{Explain, Reckoning, sentence};
use crate::play::Play;
use crate::ruleset::Ruleset;
use protocol::words::Arm;

/// LVL-05 The level at which a formation withdraws, percent.
pub const MUST_WITHDRAW: u8 = 60;

/// Command points of a formation. LVL-01, LVL-02
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Points {
    /// Of the whole order of battle at the start, reinforcements included.
    pub total: u32,
    /// Lost so far.
    pub lost: u32,
}

impl Points {
    /// LVL-03 The points at which a limit of so many percent is reached: the nearest whole number.
    pub fn limit(self, percent: i32) -> u32 {
        (self.total * percent.unsigned_abs() + 50) / 100
    }

    /// LVL-03 The level reached: 0, or one of the two limits in percent.
    pub fn level(self, rules: &Ruleset) -> u8 {
        let limits = [rules.command_points.must_withdraw_percent, rules.command_points.cannot_advance_percent];
        let reached = limits.into_iter().find(|percent| 0 < self.total && self.limit(*percent) <= self.lost);
        reached.and_then(|percent| u8::try_from(percent).ok()).unwrap_or(0)
    }
}

/// LVL-01 What a unit is worth. Detached sharpshooters count nothing; a crew that has left its guns is its battery still.
pub fn worth(rules: &Ruleset, unit: &Unit) -> u32 {
    let points = &rules.command_points;
    match unit.arm {
        Arm::Infantry | Arm::Cavalry => points.regiment.unsigned_abs(),
        Arm::Artillery | Arm::GunCrew => points.battery.unsigned_abs(),
        Arm::Sharpshooter => 0,
    }
}

/// LVL-01 What a commander is worth.
pub fn commander_worth(rules: &Ruleset, post: Post) -> u32 {
    let points = &rules.command_points;
    let worth = match post {
        Post::Brigade => points.brigade_commander,
        Post::Division => points.division_commander,
        Post::Corps | Post::Army => points.corps_commander,
    };
    worth.unsigned_abs()
}

/// ROUT-19 Whether a unit is lost. Those that left in good order are not.
pub fn is_lost(unit: &Unit) -> bool {
    unit.presence == Presence::Removed
}

/// Whether `post` is this leader's or above it.
fn is_under(table: &Table, leader: &Leader, post: &LeaderId) -> bool {
    let above = |leader: &&Leader| leader.superior.as_ref().and_then(|id| table.leaders.get(id));
    std::iter::successors(Some(leader), above).take(8).any(|leader| leader.id == *post)
}

/// LVL-01, LVL-02 The points of the formation that a commander's post stands for, everything under it included.
pub fn points(rules: &Ruleset, table: &Table, post: &LeaderId) -> Points {
    let mut points = Points::default();
    for (_, unit) in table.all_units() {
        if command::superiors(table, unit).iter().any(|superior| superior.id == *post) {
            let worth = worth(rules, unit);
            points.total += worth;
            points.lost += if is_lost(unit) { worth } else { 0 };
        }
    }
    for leader in table.leaders.values().filter(|leader| is_under(table, leader, post)) {
        let worth = commander_worth(rules, leader.post);
        let killed = table.losses.get(&leader.id).map_or(0, |losses| losses.commanders_killed);
        points.total += worth;
        // LVL-07: a replacement gives nothing back, and is lost again if he falls.
        points.lost += killed * worth;
    }
    points
}

/// LVL-06 The level that binds a unit this turn: the highest that its brigade, division or corps has reached, 0, 40 or 60.
pub fn binding(table: &Table, unit: &Unit) -> u8 {
    let above = command::superiors(table, unit);
    above.iter().filter_map(|leader| table.losses.get(&leader.id)).map(|losses| losses.level).max().unwrap_or(0)
}

/// LVL-05 Whether the formation that a commander's post stands for must withdraw.
pub fn must_withdraw(table: &Table, post: &LeaderId) -> bool {
    table.losses.get(post).is_some_and(|losses| MUST_WITHDRAW <= losses.level)
}

/// LVL-08 Looks the limits up at the start of a turn, and tells which have been newly reached.
pub fn mark(play: &mut Play<'_>) {
    let posts: Vec<LeaderId> = play.table().leaders.keys().cloned().collect();
    for post in posts {
        let points = points(play.rules, play.table(), &post);
        // Permanent: points once lost stay lost.
        let level = points.level(play.rules);
        let losses = play.table_mut().losses.get_or_default(post.clone());
        let before = std::mem::replace(&mut losses.level, level);
        if let Some(brigade) = brigade_of_post(play.table_mut(), &post) {
            brigade.points = points.total;
            brigade.points_lost = points.lost;
            brigade.level = level;
        }
        if before < level {
            tell(play, &post, points, level);
        }
    }
}

fn brigade_of_post<'t>(table: &'t mut Table, post: &LeaderId) -> Option<&'t mut Brigade> {
    table.brigades.those_mut(|brigade| brigade.commander.as_ref() == Some(post)).next()
}

/// What the formation of a commander is called.
pub fn name_of(table: &Table, leader: &Leader) -> String {
    let commander = table.scenario().commander(leader.id.as_str());
    commander.map_or_else(|| format!("the {} of {}", leader.post.as_str(), leader.name), |told| told.command.clone())
}

fn tell(play: &mut Play<'_>, post: &LeaderId, points: Points, level: u8) {
    let Some(leader) = play.table().leaders.get(post) else { return };
    let name = name_of(play.table(), leader);
    let rule = if level < 60 { LVL_04 } else { LVL_05 };
    let told = if level < 60 { "can advance no more" } else { "must withdraw from the field" };
    let mut lost = Reckoning::of("command points lost");
    let table = play.table();
    for (_, unit) in table.all_units().filter(|(_, unit)| is_lost(unit)) {
        if command::superiors(table, unit).iter().any(|superior| superior.id == *post) {
            lost.add(LVL_02, unit.name.clone(), worth(play.rules, unit) as i32);
        }
    }
    for leader in table.leaders.values().filter(|leader| is_under(table, leader, post)) {
        let killed = table.losses.get(&leader.id).map_or(0, |losses| losses.commanders_killed);
        let rule = if 1 < killed { LVL_07 } else { LVL_02 };
        if 0 < killed {
            lost.add(
                rule,
                format!("commander killed: {}", leader.id),
                (killed * commander_worth(play.rules, leader.post)) as i32,
            );
        }
    }
    let limit = points.limit(i32::from(level));
    let formation = leader.brigade.clone().unwrap_or_else(|| BrigadeId::new(post.as_str()));
    let text =
        format!("{name} {told}: {} of {} command points are lost, the limit is {limit}.", points.lost, points.total);
    let explanation = sentence(text)
        .with_sum(&lost)
        .with_note(LVL_01, "Units and brigade commanders count 2, a division commander 4, a corps commander 6.");
    let fact = Fact::CommandLevel { brigade: formation, percent: level };
    play.tell(rule, fact, explanation);
}
