//! Charges: who goes in, at whom, with whom beside him, and whether it is worth it.
//!
//! A charge is made at the enemy who threatens most (CHG-06), so the bot first looks whom each unit would be sent at.
//! For each of these it weighs the dice: whether the charge arrives and in order, what the volley costs, what the dice down
//! brings. Supports are added while each is worth more than the shot it gives up. A brigade's charge is one plan: once a
//! target is taken, its neighbours stand alone, and who is charged himself supports nobody (CHG-22), so the next group
//! is weighed with that in mind.

mod target;
mod weigh;

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::Morale;
use protocol::ids::UnitId;
use protocol::words::{Arm, Formation};

use crate::plan::fire;
use crate::plan::roles::{Post, Role};
use crate::plan::situation::{Body, Situation};

/// Supports begin the turn so near to their point, inches. CHG-16
const SUPPORT_WITHIN: f64 = 5.95;

/// A charge that is meant to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Charge {
    /// The unit that strikes.
    pub point: UnitId,
    /// Whom.
    pub target: UnitId,
    /// The units that go with it.
    pub supports: Vec<UnitId>,
    /// What it is thought to be worth, in figures.
    pub worth: f64,
}

impl Charge {
    /// Whether a unit is its point or one of its supports.
    pub fn has(&self, unit: &UnitId) -> bool {
        self.point == *unit || self.supports.contains(unit)
    }
}

/// The charges of this turn, the best first.
pub(super) fn plan(situation: &Situation<'_>, posts: &BTreeMap<UnitId, Post>, boldness: f64) -> Vec<Charge> {
    let mut charges: Vec<Charge> = Vec::new();
    let mut used: BTreeSet<UnitId> = BTreeSet::new();
    let mut charged: BTreeSet<UnitId> = BTreeSet::new();
    let claims = |body: &Body| posts.get(&body.id).is_some_and(|post| post.role == Role::Claim);
    let chargers: Vec<&Body> =
        situation.own.iter().filter(|body| may_charge(situation, body) && !claims(body)).collect();
    let declared: Vec<(&Body, &Body)> =
        chargers.iter().filter_map(|body| Some((*body, target::of(situation, body)?))).collect();
    loop {
        let mut best: Option<Charge> = None;
        for (point, target) in &declared {
            // Two points at one enemy strike one after another, and the first may have thrown him out of reach.
            if used.contains(&point.id) || charged.contains(&target.id) {
                continue;
            }
            let free: Vec<&Body> = chargers
                .iter()
                .copied()
                .filter(|body| body.id != point.id && !used.contains(&body.id))
                .filter(|body| body.footprint.distance(&point.footprint) <= SUPPORT_WITHIN)
                .collect();
            let charge = group(situation, posts, point, target, &free, &charged);
            if best.as_ref().is_none_or(|best| best.worth < charge.worth) {
                best = Some(charge);
            }
        }
        let Some(charge) = best.filter(|best| threshold(situation, posts, best, boldness) < best.worth) else { break };
        used.insert(charge.point.clone());
        used.extend(charge.supports.iter().cloned());
        charged.insert(charge.target.clone());
        charges.push(charge);
    }
    charges
}

/// A point with the supports that make its charge better, the nearest tried first.
fn group(
    situation: &Situation<'_>,
    posts: &BTreeMap<UnitId, Post>,
    point: &Body,
    target: &Body,
    free: &[&Body],
    charged: &BTreeSet<UnitId>,
) -> Charge {
    let mut near = free.to_vec();
    near.sort_by(|one, other| {
        let (a, b) = (one.footprint.distance(&target.footprint), other.footprint.distance(&target.footprint));
        a.total_cmp(&b).then_with(|| one.id.cmp(&other.id))
    });
    let mut supports: Vec<&Body> = Vec::new();
    let mut worth = weigh::worth(situation, point, target, &supports, charged) - given_up(situation, posts, point);
    for body in near {
        // Horse does not support foot, nor foot horse. CHG-17
        if body.is_mounted() != point.is_mounted() {
            continue;
        }
        supports.push(body);
        let with = weigh::worth(situation, point, target, &supports, charged)
            - given_up(situation, posts, point)
            - supports.iter().map(|body| given_up(situation, posts, body)).sum::<f64>();
        if worth + 0.1 < with {
            worth = with;
        } else {
            supports.pop();
        }
    }
    Charge {
        point: point.id.clone(),
        target: target.id.clone(),
        supports: supports.iter().map(|body| body.id.clone()).collect(),
        worth,
    }
}

/// What a unit gives up by charging: its shot, and the place that it was to hold.
fn given_up(situation: &Situation<'_>, posts: &BTreeMap<UnitId, Post>, body: &Body) -> f64 {
    let shot = if fire::has_good_target(situation, body) && !body.ammunition_out { 0.5 } else { 0.1 };
    let holds = posts.get(&body.id).is_some_and(|post| post.role == Role::Hold);
    let covered =
        situation.ground.cover(body.middle(), body.middle().plus(situation.threatened_from(body.middle()).times(4.0)));
    // Who stands behind a wall on ground that counts does not run down the hill for nothing.
    let place = if holds { 1.0 + covered * 0.6 } else { 0.0 };
    shot + place
}

/// How much a charge has to be worth: less for those who must win ground, and less still when time runs out.
fn threshold(situation: &Situation<'_>, posts: &BTreeMap<UnitId, Post>, charge: &Charge, boldness: f64) -> f64 {
    let attacks = posts.get(&charge.point).is_some_and(|post| post.role == Role::Attack);
    let base = match (attacks, situation.must_attack) {
        (true, true) if situation.turns_left <= 2 => -0.8,
        (true, true) if situation.turns_left <= 4 => -0.3,
        (true, true) => 0.2,
        (true, false) => 1.0,
        (false, _) => 1.5,
    };
    base / boldness
}

/// Who may be told to charge, as far as his owner can see. ORD-08 to ORD-13
fn may_charge(situation: &Situation<'_>, body: &Body) -> bool {
    let formed = matches!(
        body.formation,
        Formation::SingleLine
            | Formation::ExtendedLine
            | Formation::DoubleLine
            | Formation::AttackColumn
            | Formation::LineWithReserve
            | Formation::LineWithSkirmishers
            | Formation::DismountedLine
    );
    body.mine
        && !body.at_door
        && matches!(body.arm, Arm::Infantry | Arm::Cavalry)
        && body.morale == Morale::Good
        && formed
        && !body.prone
        && !body.only_forms
        && !body.withdraws
        && body.charges_before < 2
        && situation.may_advance(body)
}
