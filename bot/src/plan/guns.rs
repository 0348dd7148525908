//! Guns: where they unlimber, and when they leave.
//!
//! A battery is worth what it can see in its normal range with foot beside it. So it looks for height, a
//! field of fire and friends near, drives there behind its horses, unlimbers, and stays: a battery that moves
//! does not fire. It never goes into rocks (ARTY-01) nor near the enemy (ARTY-04), and woods halve its range.

use std::collections::BTreeMap;

use protocol::event::Morale;
use protocol::ids::UnitId;
use protocol::words::Formation;

use crate::geometry::Vector;
use crate::ground::{Gait, Terrain};
use crate::plan::roles::{Post, Role, centre};
use crate::plan::situation::{Body, Situation, fades};

/// A new place has to be so much better than the present one.
const INERTIA: f64 = 1.2;

/// Posts for this player's batteries, given those of the lines.
pub(crate) fn assign(situation: &Situation<'_>, lines: &BTreeMap<UnitId, Post>) -> BTreeMap<UnitId, Post> {
    let mut posts: BTreeMap<UnitId, Post> = BTreeMap::new();
    let batteries = situation.own.iter().filter(|body| body.mine && body.is_guns() && body.morale != Morale::Routed);
    let aims = aims(situation);
    for body in batteries {
        let others: Vec<Vector> = posts.values().map(|post| post.at).collect();
        let at = if body.withdraws { rear(situation, body) } else { position(situation, body, lines, &aims, &others) };
        let facing = look(&aims, at).unwrap_or(situation.front).bearing();
        let post = Post { role: Role::Guns, at, facing, standoff: 7.0, objective: None, against: None, waits: false };
        posts.insert(body.id.clone(), post);
    }
    posts
}

/// What guns may want to hit, with a weight: enemies, or where they will come from.
fn aims(situation: &Situation<'_>) -> Vec<(Vector, f64)> {
    let mut enemies: Vec<&Body> = situation.threats().collect();
    enemies.sort_by(|one, other| other.strength.total_cmp(&one.strength).then_with(|| one.id.cmp(&other.id)));
    let mut aims: Vec<(Vector, f64)> = enemies.iter().take(8).map(|enemy| (enemy.middle(), 1.0)).collect();
    let before = |place: Vector| place.plus(situation.threatened_from(place).times(6.0));
    // The ground before an objective is where he has to come.
    aims.extend(situation.objectives.iter().map(|place| (before(place.middle), 0.6)));
    if aims.is_empty() {
        let middle = centre(situation.own.iter()).unwrap_or_default();
        aims.push((middle.plus(situation.front.times(10.0)), 1.0));
    }
    aims
}

/// Where guns look from a place: at what is near and weighs much.
fn look(aims: &[(Vector, f64)], from: Vector) -> Option<Vector> {
    let sum = aims.iter().fold(Vector::default(), |sum, (aim, weight)| {
        sum.plus(aim.minus(from).unit().times(weight * fades(from.distance(*aim), 8.0)))
    });
    (1e-6 < sum.length()).then(|| sum.unit())
}

fn rear(situation: &Situation<'_>, body: &Body) -> Vector {
    let away = situation.threatened_from(body.middle()).times(-14.0);
    situation.ground.clamped(body.anchor.plus(away), 1.5)
}

fn position(
    situation: &Situation<'_>,
    body: &Body,
    lines: &BTreeMap<UnitId, Post>,
    aims: &[(Vector, f64)],
    others: &[Vector],
) -> Vector {
    let score = |place: Vector| worth(situation, body, lines, aims, others, place);
    let stuck = body.horses == Some(0) && body.formation != Formation::Limbered;
    if stuck {
        return body.anchor;
    }
    let mut best = (score(body.anchor) + INERTIA, body.anchor);
    let mut look_at = |place: Vector| {
        let place = situation.ground.clamped(place, 1.0);
        let worth = score(place);
        if best.0 < worth {
            best = (worth, place);
        }
    };
    // On the objectives that are ours or free, and on rising ground about them.
    for place in situation.objectives.iter().filter(|place| place.with != Some(situation.side.enemy())) {
        for (x, y) in [(0.0, 0.0), (2.0, 0.0), (-2.0, 0.0), (0.0, 2.0), (0.0, -2.0)] {
            look_at(place.middle.plus(Vector::new(x, y)));
        }
    }
    // Beside and behind the lines.
    let here = body.anchor;
    let mut near: Vec<&Post> = lines.values().filter(|post| post.role != Role::Withdraw).collect();
    near.sort_by(|one, other| one.at.distance(here).total_cmp(&other.at.distance(here)));
    for post in near.iter().take(6) {
        let ahead = Vector::along(post.facing);
        for across in [-3.5, 3.5] {
            look_at(post.at.plus(ahead.right().times(across)).minus(ahead.times(0.5)));
        }
        look_at(post.at.minus(ahead.times(4.0)));
    }
    // Around where it is.
    for reach in [3.0, 7.0] {
        for step in 0..8 {
            let angle = f64::from(step) * std::f64::consts::FRAC_PI_4;
            look_at(here.plus(Vector::new(angle.sin(), angle.cos()).times(reach)));
        }
    }
    best.1
}

fn worth(
    situation: &Situation<'_>,
    body: &Body,
    lines: &BTreeMap<UnitId, Post>,
    aims: &[(Vector, f64)],
    others: &[Vector],
    place: Vector,
) -> f64 {
    let ground = situation.ground;
    let at_home = place.distance(body.anchor) < 0.1;
    if !ground.on_table(place, 0.5) || (!at_home && ground.pace(Gait::Limbered, place) <= 0.1) {
        return -50.0;
    }
    let woods = ground.terrain(place) == Terrain::Woods;
    let reach = if woods { 0.5 } else { 1.0 };
    let mut sum = ground.feet(place) / 50.0;
    for (aim, weight) in aims {
        let range = place.distance(*aim);
        let band = if range <= body.ranges[1] * reach {
            1.0
        } else if range <= body.ranges[2] * reach {
            0.35
        } else {
            0.0
        };
        if 0.0 < band && ground.sees(place, *aim) {
            sum += weight * band;
        }
    }
    // Guns alone are guns lost; guns in front of the foot are too.
    let friends = lines.values().filter(|post| post.role != Role::Withdraw && post.at.distance(place) <= 5.5).count();
    sum += match friends {
        0 => -1.0,
        1 => 0.6,
        _ => 1.0,
    };
    let enemy = situation.distance_to_threats(place);
    if enemy < 7.0 && !at_home {
        sum -= (7.0 - enemy) * 1.5;
    }
    // A friend's place is his.
    let crowded =
        lines.values().any(|post| post.at.distance(place) < 2.2) || others.iter().any(|o| o.distance(place) < 1.6);
    if crowded && !at_home {
        sum -= 3.0;
    }
    if !at_home {
        let rate = if body.formation == Formation::Unlimbered { body.rate * 8.0 } else { body.rate };
        let turns = ground.cost(Gait::Limbered, body.anchor, place).min(200.0) / rate.max(2.0);
        // A turn on the road is a turn without fire, and so are limbering and unlimbering.
        let silent = if body.formation == Formation::Unlimbered { turns + 1.0 } else { turns };
        sum -= silent.min(20.0) * 0.7;
    }
    sum
}
