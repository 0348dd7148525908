//! Guns: where they unlimber, and when they leave.
//!
//! A battery is worth what it can see in its normal range with foot beside it. So it looks for height, a
//! field of fire and friends near, drives there behind its horses, unlimbers, and stays: a battery that moves
//! does not fire. It never goes into rocks (ARTY-01) nor near the enemy (ARTY-04), and woods halve its range.

use std::collections::BTreeMap;

use protocol::event::Morale;
use protocol::ids::UnitId;
use protocol::words::Formation;

use crate::geometry::{Vector, segments_cross};
use crate::ground::{Gait, Terrain};
use crate::plan::Memory;
use crate::plan::exchange;
use crate::plan::roles::{Post, Role, centre};
use crate::plan::situation::{Body, Situation, fades};

/// A new place has to be so much better than the present one.
const INERTIA: f64 = 1.2;
/// What a figure lost in a turn weighs beside what can be hit.
const UNDER_MUSKETS: f64 = 1.5;

/// Posts for this player's batteries, given those of the lines.
pub(crate) fn assign(
    situation: &Situation<'_>,
    memory: &Memory,
    lines: &BTreeMap<UnitId, Post>,
) -> BTreeMap<UnitId, Post> {
    let mut posts: BTreeMap<UnitId, Post> = BTreeMap::new();
    let batteries = situation.own.iter().filter(|body| body.mine && body.is_guns() && body.morale != Morale::Routed);
    let aims = aims(situation);
    for body in batteries {
        let others: Vec<Vector> = posts.values().map(|post| post.at).collect();
        let dead = memory.dead_ground.get(&body.id).map_or(&[][..], Vec::as_slice);
        let before = memory.posts.get(&body.id).filter(|post| post.role == Role::Guns).map(|post| post.at);
        let search = Search { before, situation, body, lines, aims: &aims, others: &others, dead };
        let at = if body.withdraws { rear(situation, body) } else { search.position() };
        let facing = look(&aims, at).unwrap_or(situation.front).bearing();
        let post = Post { role: Role::Guns, at, facing, standoff: 7.0, objective: None, against: None, waits: false };
        posts.insert(body.id.clone(), post);
    }
    posts
}

/// What guns may want to hit: an enemy, or where he will come from.
struct Aim {
    at: Vector,
    weight: f64,
    enemy: Option<UnitId>,
}

/// What guns may want to hit.
fn aims(situation: &Situation<'_>) -> Vec<Aim> {
    let mut enemies: Vec<&Body> = situation.threats().collect();
    enemies.sort_by(|one, other| other.strength.total_cmp(&one.strength).then_with(|| one.id.cmp(&other.id)));
    let mut aims: Vec<Aim> = enemies
        .iter()
        .take(8)
        .map(|enemy| Aim { at: enemy.middle(), weight: 1.0, enemy: Some(enemy.id.clone()) })
        .collect();
    let before = |place: Vector| place.plus(situation.threatened_from(place).times(6.0));
    // The ground before an objective is where he has to come.
    aims.extend(situation.objectives.iter().map(|place| Aim { at: before(place.middle), weight: 0.6, enemy: None }));
    if aims.is_empty() {
        let middle = centre(situation.own.iter()).unwrap_or_default();
        aims.push(Aim { at: middle.plus(situation.front.times(10.0)), weight: 1.0, enemy: None });
    }
    aims
}

/// Where guns look from a place: at what is near and weighs much.
fn look(aims: &[Aim], from: Vector) -> Option<Vector> {
    let sum = aims.iter().fold(Vector::default(), |sum, aim| {
        sum.plus(aim.at.minus(from).unit().times(aim.weight * fades(from.distance(aim.at), 8.0)))
    });
    (1e-6 < sum.length()).then(|| sum.unit())
}

fn rear(situation: &Situation<'_>, body: &Body) -> Vector {
    let away = situation.threatened_from(body.middle()).times(-14.0);
    situation.ground.clamped(body.anchor.plus(away), 1.5)
}

/// A battery that looks for its place.
struct Search<'a> {
    situation: &'a Situation<'a>,
    body: &'a Body,
    /// Posts of the lines.
    lines: &'a BTreeMap<UnitId, Post>,
    aims: &'a [Aim],
    /// Places that other batteries have taken.
    others: &'a [Vector],
    /// Places at which it turned out to see nobody.
    dead: &'a [Vector],
    /// Where it was to stand by the last plan: guns that change their minds every turn only drive.
    before: Option<Vector>,
}

impl Search<'_> {
    fn position(&self) -> Vector {
        let (situation, body) = (self.situation, self.body);
        let stuck = body.horses == Some(0) && body.formation != Formation::Limbered;
        if stuck {
            return body.anchor;
        }
        let mut best = (self.worth(body.anchor) + INERTIA, body.anchor);
        for place in self.candidates() {
            let place = situation.ground.clamped(place, 1.0);
            let worth = self.worth(place);
            if best.0 < worth {
                best = (worth, place);
            }
        }
        best.1
    }

    fn candidates(&self) -> Vec<Vector> {
        let (situation, here) = (self.situation, self.body.anchor);
        let mut places = self.heights();
        // On the objectives that are ours or free, and on rising ground about them.
        for place in situation.objectives.iter().filter(|place| place.with != Some(situation.side.enemy())) {
            let around = [(0.0, 0.0), (2.0, 0.0), (-2.0, 0.0), (0.0, 2.0), (0.0, -2.0)];
            places.extend(around.map(|(x, y)| place.middle.plus(Vector::new(x, y))));
        }
        // Beside and behind the lines.
        let mut near: Vec<&Post> = self.lines.values().filter(|post| post.role != Role::Withdraw).collect();
        near.sort_by(|one, other| one.at.distance(here).total_cmp(&other.at.distance(here)));
        for post in near.iter().take(6) {
            let ahead = Vector::along(post.facing);
            places.extend([-3.5, 3.5].map(|across| post.at.plus(ahead.right().times(across)).minus(ahead.times(0.5))));
            places.push(post.at.minus(ahead.times(4.0)));
        }
        // Around where it is.
        for reach in [3.0, 7.0] {
            places.extend((0..8).map(|step| {
                let angle = f64::from(step) * std::f64::consts::FRAC_PI_4;
                here.plus(Vector::new(angle.sin(), angle.cos()).times(reach))
            }));
        }
        places
    }

    /// The highest ground within a drive, where a hill looks over the heads of the line.
    fn heights(&self) -> Vec<Vector> {
        const REACH: f64 = 16.0;
        const STEP: f64 = 2.0;
        const MOST: usize = 12;
        let (ground, here) = (self.situation.ground, self.body.anchor);
        let steps = (REACH / STEP) as i32;
        let mut found: Vec<(f64, Vector)> = Vec::new();
        for x in -steps..=steps {
            for y in -steps..=steps {
                let place = here.plus(Vector::new(f64::from(x), f64::from(y)).times(STEP));
                let far = place.distance(here);
                if far <= REACH && ground.on_table(place, 1.0) && 0.1 < ground.pace(Gait::Limbered, place) {
                    found.push((ground.feet(place) / 20.0 - far * 0.1, place));
                }
            }
        }
        found.sort_by(|one, other| other.0.total_cmp(&one.0));
        found.into_iter().take(MOST).map(|(_, place)| place).collect()
    }

    fn worth(&self, place: Vector) -> f64 {
        let (situation, body) = (self.situation, self.body);
        let ground = situation.ground;
        let at_home = place.distance(body.anchor) < 0.1;
        if !ground.on_table(place, 0.5) || (!at_home && ground.pace(Gait::Limbered, place) <= 0.1) {
            return -50.0;
        }
        let mut sum = ground.feet(place) / 50.0 + self.field_of_fire(place, at_home);
        // Guns alone are guns lost; guns in front of the foot are too.
        let friends =
            self.lines.values().filter(|post| post.role != Role::Withdraw && post.at.distance(place) <= 5.5).count();
        sum += match friends {
            0 => -1.0,
            1 => 0.6,
            _ => 1.0,
        };
        let enemy = situation.distance_to_threats(place);
        if enemy < 7.0 && !at_home {
            sum -= (7.0 - enemy) * 1.5;
        }
        // Muskets that reach the gunners kill more of them than they do.
        sum -= exchange::exposure(situation, body, place, false).min(3.0) * UNDER_MUSKETS;
        // A friend's place is his.
        let crowded = self.lines.values().any(|post| post.at.distance(place) < 2.2)
            || self.others.iter().any(|other| other.distance(place) < 1.6);
        if crowded && !at_home {
            sum -= 3.0;
        }
        if self.before.is_some_and(|before| before.distance(place) < 2.0) {
            sum += INERTIA;
        }
        if self.dead.iter().any(|dead| dead.distance(place) < 1.5) {
            sum -= 4.0;
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

    /// What a battery could hit from a place, the nearer the better.
    fn field_of_fire(&self, place: Vector, at_home: bool) -> f64 {
        let (situation, body) = (self.situation, self.body);
        let woods = situation.ground.terrain(place) == Terrain::Woods;
        let reach = if woods { 0.5 } else { 1.0 };
        let of = |aim: &Aim| {
            let range = place.distance(aim.at);
            let band = if range <= body.ranges[1] * reach {
                1.0
            } else if range <= body.ranges[2] * reach {
                0.35
            } else {
                return 0.0;
            };
            let told = at_home && aim.enemy.as_ref().is_some_and(|enemy| situation.is_blind_to(body, enemy));
            if told || !situation.ground.sees(place, aim.at) || self.is_masked(place, aim.at) {
                0.0
            } else {
                aim.weight * band
            }
        };
        self.aims.iter().map(of).sum()
    }

    /// Whether the line would stand before the muzzles, at their height or above it. ARTY-31
    fn is_masked(&self, place: Vector, aim: Vector) -> bool {
        let feet = self.situation.ground.feet(place);
        self.lines.values().any(|post| {
            let right = Vector::along(post.facing).right().times(1.75);
            let before = place.distance(post.at) < place.distance(aim);
            before
                && segments_cross(place, aim, post.at.minus(right), post.at.plus(right))
                && feet <= self.situation.ground.feet(post.at)
        })
    }
}
