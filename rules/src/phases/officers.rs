//! Phase 9: officer casualties.
//!
//! Owns the three steps of OFF-08: all hits, then all who saw them, then all outcomes. How near the enemy came was taken
//! down during the turn by [`crate::leaders::mark_danger`].

#[cfg(test)]
mod tests;

use protocol::event::{Dice as DiceShown, Fact};
use protocol::ids::LeaderId;
use protocol::view::Presence;
use protocol::words::Arm;

use crate::battle::{Leader, Post, Table};
use crate::catalogue::{OFF_04, OFF_05, OFF_06, OFF_10, OFF_11, OFF_12, OFF_13, RuleId};
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, sentence};
use crate::geometry::EPS;
use crate::play::Play;
use crate::ruleset::{Inches, OfficerRisk, Ruleset, WoundKind};
use crate::settle::Happening;
use crate::{morale, specials};

/// Phase 9.
pub fn play(play: &mut Play<'_>) {
    let hit = hits(play);
    for id in &hit {
        // OFF-08: whoever is hit gives no benefits while the others look on.
        let until = play.table().turn + 1;
        if let Some(leader) = play.table_mut().leaders.get_mut(id) {
            leader.wounded_until = Some(until);
        }
    }
    // OFF-09: the sightings of all hits are one batch.
    morale::settle(play, hit.iter().cloned().map(Happening::OfficerHit).collect());
    for id in &hit {
        outcome(play, id);
    }
}

/// The class of danger that an officer met. OFF-02 to OFF-06
struct Danger<'r> {
    rule: RuleId,
    risk: &'r OfficerRisk,
    why: &'static str,
}

/// OFF-02 to OFF-06, SCNS-12 The worst danger of the turn; none: not tested.
fn danger<'r>(rules: &'r Ruleset, table: &Table, leader: &Leader) -> Option<Danger<'r>> {
    let casualty = &rules.officer_casualty;
    if leader.marks.in_melee || leader.marks.led_charge {
        let why = if leader.marks.in_melee { "was in a melee" } else { "led a charge" };
        return Some(Danger { rule: OFF_06, risk: &casualty.in_melee, why });
    }
    let helped = leader.marks.helped_in_turn.iter().filter_map(|unit| table.unit(unit));
    let closest = helped.filter_map(|unit| unit.marks.closest_enemy).chain(leader.marks.closest_enemy).min();
    let within = |distance: Option<Inches>| {
        distance.is_some_and(|limit| closest.is_some_and(|closest| closest <= limit.0 + EPS))
    };
    if within(casualty.within_2.distance) {
        return Some(Danger { rule: OFF_05, risk: &casualty.within_2, why: "was within 2 inches of the enemy" });
    }
    if specials::casualty_within_2(table, leader) {
        return Some(Danger { rule: OFF_05, risk: &casualty.within_2, why: "was in a place of danger" });
    }
    let near = within(casualty.within_12.distance);
    near.then_some(Danger { rule: OFF_04, risk: &casualty.within_12, why: "was within 12 inches of the enemy" })
}

/// OFF-01 The outcome of an officer who was in danger and is not hit.
pub(crate) const UNHURT: &str = "unhurt";

/// OFF-01 Tests every officer once, all together, and gives those who were hit.
fn hits(play: &mut Play<'_>) -> Vec<LeaderId> {
    let mut tests: Vec<(LeaderId, String, RuleId, DiceShown, &'static str, bool)> = Vec::new();
    for leader in play.table().leaders_on_table() {
        let Some(danger) = danger(play.rules, play.table(), leader) else { continue };
        let count = danger.risk.dice.unsigned_abs();
        let mut dice = throw(play.dice, play.phase, Purpose::OfficerHit, &[leader.id.as_str()], 1, count);
        let sum: i32 = dice.faces.iter().map(|face| i32::from(*face)).sum();
        dice.needed = Some(format!("hit by {} or more", danger.risk.hit_from));
        tests.push((
            leader.id.clone(),
            leader.name.clone(),
            danger.rule,
            dice,
            danger.why,
            danger.risk.hit_from <= sum,
        ));
    }
    let mut hit = Vec::new();
    for (id, name, rule, dice, why, is_hit) in tests {
        let (word, end) = if is_hit { ("hit", "and is hit") } else { (UNHURT, "and is not hit") };
        let fact = Fact::LeaderHit { leader: id.clone(), outcome: word.to_owned() };
        play.tell(rule, fact, sentence(format!("{name} {why} {end}.")).with_dice(dice));
        if is_hit {
            hit.push(id);
        }
    }
    hit
}

/// OFF-10 to OFF-14 What became of an officer who was hit.
fn outcome(play: &mut Play<'_>, id: &LeaderId) {
    let turn = play.table().turn;
    let mut die = throw(play.dice, play.phase, Purpose::OfficerOutcome, &[id.as_str()], 1, 1);
    die.needed = Some("1 minor wound, 2 or 3 serious wound, 4 to 6 dead".to_owned());
    let face = die.faces.iter().copied().next().unwrap_or(1);
    let (kind, wound) = play.rules.officer_wound.by_face(face);
    // OFF-11: the next one or two whole turns; back at the start of the turn after.
    let back = turn + 1 + wound.turns_out.unwrap_or(0).unsigned_abs();
    let Some(leader) = play.table_mut().leaders.get_mut(id) else { return };
    let name = leader.name.clone();
    let (outcome, text) = match kind {
        WoundKind::Dead => ("killed".to_owned(), format!("{name} is dead.")),
        WoundKind::Minor => {
            (format!("wounded, back in turn {back}"), format!("{name} has a minor wound and is back in turn {back}."))
        }
        WoundKind::Serious => (
            format!("seriously wounded, back in turn {back}"),
            format!("{name} has a serious wound and is back in turn {back}."),
        ),
    };
    leader.wounded_until = Some(back);
    let links_a_brigade = leader.brigade.is_some();
    let mut explanation = sentence(text).with_dice(die);
    if kind == WoundKind::Dead {
        kill(play, id);
        let (rule, note) = match links_a_brigade {
            true => (OFF_12, "His command is without a commander until he is replaced or a superior takes it over."),
            false => (OFF_13, "Command is not affected, but units that he alone linked need another link."),
        };
        explanation = explanation.with_note(rule, note);
    } else if links_a_brigade {
        explanation = explanation.with_note(OFF_11, "He gives no benefits and links nobody until then.");
    }
    play.tell(OFF_10, Fact::LeaderHit { leader: id.clone(), outcome }, explanation);
}

/// OFF-12, OFF-13, LVL-02, MOR-48 Takes a dead leader off the table and counts him.
fn kill(play: &mut Play<'_>, id: &LeaderId) {
    let turn = play.table().turn;
    let table = play.table_mut();
    let Some(leader) = table.leaders.get_mut(id) else { return };
    leader.presence = Presence::Removed;
    leader.lost_in = Some(turn);
    leader.wounded_until = None;
    leader.took_over = None;
    leader.attached = None;
    // LEAD-19: beside the attempt of the next turn, one by a division commander who takes the brigade over.
    leader.replacement_attempts = u32::from(leader.post == Post::Brigade && leader.arm != Some(Arm::Artillery));
    table.losses.get_or_default(id.clone()).commanders_killed += 1;
    if let Some(brigade) = table.brigades.those_mut(|brigade| brigade.commander.as_ref() == Some(id)).next() {
        // MOR-48: a gun battalion is no brigade.
        brigade.commander_lost |= !brigade.guns;
    }
}
