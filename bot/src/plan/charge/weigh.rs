//! What a charge is worth, in figures: its chances times what each outcome brings.

use std::collections::BTreeSet;

use protocol::event::Morale;
use protocol::ids::UnitId;
use protocol::words::Formation;

use crate::geometry::{Vector, degrees_between};
use crate::plan::chances;
use crate::plan::situation::{Body, Situation};

/// A friend supports a defender within so many inches. CHG-21
const SUPPORTS_WITHIN: f64 = 2.0;

/// How a charge gets there.
struct Approach {
    /// How likely it arrives.
    arrives: f64,
    /// Of these times, how often in disorder.
    disorder: f64,
}

/// What a charge by `point` at `target` is worth with these supports, while those in `charged` are charged by others.
pub(super) fn worth(
    situation: &Situation<'_>,
    point: &Body,
    target: &Body,
    supports: &[&Body],
    charged: &BTreeSet<UnitId>,
) -> f64 {
    let approach = approach(situation, point, target);
    let short = 2.0 + 0.5 * supports.len() as f64;
    if approach.arrives < 0.25 {
        return -short;
    }
    let prize = prize(situation, target);
    // Routed men and guns behind their teams give themselves up. IDD-01
    if target.morale == Morale::Routed || (target.is_guns() && target.formation == Formation::Limbered) {
        return approach.arrives * prize - (1.0 - approach.arrives) * short;
    }
    let volley = volley(point, target, approach.disorder);
    let stand = (point.figures / point.stands_left.max(1.0)).max(1.0);
    let check = point.morale_point + 3 - 1 - i32::from(situation.has_officer(point));
    let halted = (volley / stand).min(1.0) * chances::check_fails(check);
    let defence = defence(situation, point, target, charged);
    let outcome = |disorder: bool| {
        let edge = defence - attack(point, supports, disorder);
        let clash = chances::clash(edge);
        let melee = melee(point, target, supports);
        clash.won * prize + clash.tied * melee - clash.lost * (2.8 + 0.9 * supports.len() as f64)
    };
    let struck = approach.disorder * outcome(true) + (1.0 - approach.disorder) * outcome(false);
    let cost = volley * (1.0 + 0.5 * supports.len() as f64);
    approach.arrives * ((1.0 - halted) * struck - halted * 3.0 - cost) - (1.0 - approach.arrives) * short
}

/// Rate, bonus and the point of disorder over the ground between. CHG-23 to CHG-26
fn approach(situation: &Situation<'_>, point: &Body, target: &Body) -> Approach {
    let ground = situation.ground;
    let gap = point.footprint.distance(&target.footprint);
    let toward = target.middle().minus(point.middle()).unit();
    let front = point.anchor;
    let start = ground.pace(point.gait(), point.middle()).max(0.01);
    let rate = point.rate * start;
    // The gap lies between the fronts; it is walked from the anchor.
    let open = ground.cost(point.gait(), front, front.plus(toward.times(gap)));
    let cost = if gap < 0.05 { 0.0 } else { open * start } + ground.walls_crossed(front, front.plus(toward.times(gap)));
    let off = 44.0 <= degrees_between(point.facing, toward.bearing());
    let green = !point.is_drilled();
    let bonuses =
        if point.charges_before == 0 { chances::bonus(ground.terrain(point.middle())) } else { vec![(0.0, 1.0)] };
    let (mut arrives, mut disorder) = (0.0, 0.0);
    for (bonus, chance) in bonuses {
        if rate + bonus < cost {
            continue;
        }
        arrives += chance;
        let breaks_at = if green { (rate + bonus) / 2.0 } else { rate + bonus / 2.0 };
        let breaks = off || point.disorder || (breaks_at <= cost && 0.0 < bonus);
        disorder += if breaks { chance } else { 0.0 };
    }
    Approach { arrives, disorder: if 0.0 < arrives { disorder / arrives } else { 0.0 } }
}

/// Impact Morale of the attacker. No officer is counted: most stay behind. IDD-02
fn attack(point: &Body, supports: &[&Body], disorder: bool) -> i32 {
    let shape = match (disorder, point.formation) {
        (true, _) => 4,
        (_, Formation::AttackColumn) => -2,
        (_, Formation::DoubleLine) => -1,
        (_, Formation::ExtendedLine) => 1,
        (_, Formation::DismountedLine) => 3,
        _ => 0,
    };
    let shape = if point.is_mounted() { shape - 1 } else { shape };
    let elan = i32::from(point.charges_before == 0);
    let each = if point.is_mounted() { 2 } else { 1 };
    point.morale_point + shape - elan - each * supports.len() as i32
}

/// Impact Morale of the defender as he stands now: nobody knows what he will be ordered. IDD-02
fn defence(situation: &Situation<'_>, point: &Body, target: &Body, charged: &BTreeSet<UnitId>) -> i32 {
    let ground = situation.ground;
    let from = point.middle();
    let shape = match target.formation {
        _ if target.disorder => 4,
        Formation::MarchColumn => 3 + flank(point, target),
        Formation::SkirmishLine => 6,
        Formation::DoubleLine => -1 + flank(point, target),
        Formation::ExtendedLine => 1 + flank(point, target),
        Formation::DismountedLine => 3 + flank(point, target),
        Formation::Square => 0,
        _ => flank(point, target),
    };
    let cover = match ground.cover(target.anchor, from) {
        works if 3.0 <= works => 2,
        some if 1.0 <= some => 1,
        _ => 0,
    };
    let helps = |other: &&Body| {
        other.id != target.id
            && other.morale == Morale::Good
            && !other.is_guns()
            && other.formation != Formation::SkirmishLine
            && !charged.contains(&other.id)
            && other.footprint.distance(&target.footprint) <= SUPPORTS_WITHIN
    };
    let supports = situation.enemies.iter().filter(helps).count() as i32;
    let shaken = if target.morale == Morale::Shaken { 2 } else { 0 };
    let prone = if target.prone { 2 } else { 0 };
    let officer = situation.enemy_officer(target);
    target.morale_point + shape + shaken + prone - cover - supports - officer
}

/// What the side that is struck adds: nothing in front, 3 and 6 on the flank, 9 in the rear. IDD-07
fn flank(point: &Body, target: &Body) -> i32 {
    let ahead = Vector::along(target.facing);
    let offset = point.middle().minus(target.middle());
    let (along, across) =
        (offset.dot(ahead), (offset.dot(ahead.right()).abs() - target.footprint.width() / 2.0).max(0.0));
    if along < -0.5 && across < along.abs() {
        9
    } else if along < 0.0 {
        6
    } else if along < across {
        3
    } else {
        0
    }
}

/// What the defensive volley takes off the point on the mean. CHG-39
fn volley(point: &Body, target: &Body, disorder: f64) -> f64 {
    if target.is_mounted() {
        return 0.0;
    }
    let in_front = target.covers(point.middle()) || target.disorder;
    if !in_front {
        return 0.0;
    }
    let close = 0.55 * 3.5;
    let dice = if target.is_guns() { 4.5 * 3.5 } else { 3.0 * 3.5 + close };
    let less = if target.morale == Morale::Shaken { 3.5 } else { 0.0 } + if target.ammunition_out { 3.5 } else { 0.0 };
    let quality = f64::from(3 - target.base_point) - f64::from(3 - point.base_point);
    let shape = match point.formation {
        Formation::AttackColumn => 2.0,
        Formation::DoubleLine => 1.0,
        Formation::DismountedLine => -2.0,
        _ => 0.0,
    };
    let total = dice - less + quality + shape + 3.0 * disorder * 0.7;
    let figures = if target.disorder { target.figures * 0.5 } else { target.figures };
    chances::volley(total, figures)
}

/// What a defender thrown back is worth: his strength for some turns, and the ground that he gives up.
fn prize(situation: &Situation<'_>, target: &Body) -> f64 {
    let figures = target.figures.min(16.0);
    let beaten = match target.morale {
        Morale::Routed => figures * 0.7,
        Morale::Shaken => 2.5 + figures * 0.35,
        Morale::Good => 2.5 + figures * 0.3,
    };
    let guns = if target.is_guns() { 5.0 } else { 0.0 };
    let stands_on = situation.objectives.iter().filter(|place| place.distance(target.middle()) <= 2.5);
    let ground: f64 = stands_on.map(|place| place.points * if situation.must_attack { 0.5 } else { 0.25 }).sum();
    beaten + guns + ground.min(4.0)
}

/// A melee is fought to a finish: it pays for whoever has many more. MEL-09
fn melee(point: &Body, target: &Body, supports: &[&Body]) -> f64 {
    let more: f64 = supports.iter().map(|body| body.figures * 0.5).sum();
    let ratio = (point.figures + more) / target.figures.max(1.0);
    ((ratio - 1.0) * 6.0).clamp(-6.0, 6.0)
}
