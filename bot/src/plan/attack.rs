//! The line of an attack: whom it goes for, along which axis, how near, and all together.
//!
//! Its axis and its target are kept from turn to turn and follow the defenders slowly: a line that turned about with every
//! step of theirs would only march.

use protocol::ids::UnitId;

use crate::geometry::{Vector, degrees_turned, turned};
use crate::plan::Memory;
use crate::plan::roles::{Aim, Line, Post, Role, centre, slot_score};
use crate::plan::situation::{Body, Situation, fades};

/// How far the axis of an attack turns in a turn, degrees.
const MOST_TURN: f64 = 12.0;

/// A firing line before the weakest near part of the defence, on the best ground around it.
pub(super) fn line(
    situation: &Situation<'_>,
    memory: &Memory,
    aim: &Aim,
    front: &[&Body],
    defenders: &[&Body],
    boldness: f64,
) -> Line {
    let here = centre(front.iter().copied()).unwrap_or(aim.place.middle);
    let strength: f64 = front.iter().map(|body| body.strength).sum();
    // Whom the line went for yesterday it goes for today.
    let against: Vec<&UnitId> = front
        .iter()
        .filter_map(|body| memory.posts.get(&body.id))
        .filter(|post| post.objective.as_deref() == Some(aim.place.id.as_str()))
        .filter_map(|post| post.against.as_ref())
        .collect();
    // Many against one is how fire wins: go for the defender who is weak, exposed and near.
    let ease = |enemy: &Body| {
        let cover = situation.ground.cover(enemy.middle(), here);
        let friends: f64 = defenders.iter().map(|o| o.strength * fades(o.middle().distance(enemy.middle()), 3.0)).sum();
        let same = if against.contains(&&enemy.id) { 8.0 } else { 0.0 };
        friends * (1.0 + 0.2 * cover) + enemy.middle().distance(here) * 1.5 - same
    };
    let chosen =
        defenders.iter().min_by(|one, other| ease(one).total_cmp(&ease(other)).then_with(|| one.id.cmp(&other.id)));
    let target = chosen.map_or(aim.place.middle, |enemy| enemy.middle());
    let against = chosen.map(|enemy| enemy.id.clone());
    let opposed: f64 = defenders
        .iter()
        .map(|enemy| {
            let cover = situation.ground.cover(enemy.middle(), here);
            enemy.strength * (1.0 + 0.15 * cover) * fades(enemy.middle().distance(target), 5.0)
        })
        .sum();
    let odds = strength / opposed.max(1.0) * boldness;
    // A line that turned about another enemy every turn would only march: yesterday's front counts, and follows the
    // defenders slowly.
    let before = front.iter().filter_map(|body| memory.posts.get(&body.id));
    let before = before.filter(|post| post.role == Role::Attack);
    let before = before.filter(|post| post.objective.as_deref() == Some(aim.place.id.as_str()));
    let habit = before.fold(Vector::default(), |sum, post| sum.plus(Vector::along(post.facing)));
    let straight = target.minus(here).unit();
    let axis = if habit.length() < 0.1 { None } else { Some(toward(habit.unit(), straight, MOST_TURN)) };
    let leans = if axis.is_some() { [0.0, 0.0, 0.0] } else { [0.0, -25.0, 25.0] };
    let straight = axis.unwrap_or(straight);
    let standoff = standoff(odds, situation.turns_left);
    let middle_of = |ahead: Vector| target.minus(ahead.times(standoff + 0.3));
    let mut best = Line { middle: middle_of(straight), ahead: straight, standoff, against: against.clone() };
    let mut best_score = f64::NEG_INFINITY;
    for lean in leans {
        let ahead = Vector::along(turned(straight.bearing(), lean));
        let middle = middle_of(ahead);
        let slots = front.len().clamp(1, 5);
        let ground: f64 = (0..slots)
            .map(|slot| {
                let across = (slot as f64 + 0.5 - slots as f64 / 2.0) * 3.5;
                let place = middle.plus(ahead.right().times(across));
                let through = if situation.distance_to_threats(place) + 0.5 < standoff { 1.5 } else { 0.0 };
                slot_score(situation, place, ahead) - through
            })
            .sum();
        // Troops that walk around an enemy are shot at on the way and arrive late.
        let score = ground / slots as f64 - here.distance(middle) * 0.25 - lean.abs() / 60.0;
        if best_score < score {
            best_score = score;
            best = Line { middle, ahead, standoff, against: against.clone() };
        }
    }
    best
}

/// A direction turned toward another by at most so many degrees.
fn toward(from: Vector, to: Vector, most: f64) -> Vector {
    let off = degrees_turned(from.bearing(), to.bearing());
    Vector::along(turned(from.bearing(), off.clamp(-most, most)))
}

/// How near an attack goes: the stronger and the later, the nearer.
fn standoff(ratio: f64, turns_left: u32) -> f64 {
    let pressing = match turns_left {
        ..=3 => 2.2,
        4..=6 => 1.8,
        _ => 1.25,
    };
    match ratio * pressing {
        odds if 2.2 < odds => 1.4,
        odds if 0.65 < odds => 3.4,
        _ => 7.0,
    }
}

/// A line comes on together: who is far ahead of the rest waits outside of musket range.
pub(super) fn keep_together(situation: &Situation<'_>, group: &[&Body], posts: &mut [(UnitId, Post)]) {
    let turns = |body: &Body, post: &Post| {
        let cost = situation.ground.cost(body.gait(), body.anchor, post.at);
        (cost / body.rate.max(1.0)).min(20.0)
    };
    let mut waits: Vec<f64> = Vec::new();
    for (id, post) in posts.iter().filter(|(_, post)| post.role == Role::Attack) {
        if let Some(body) = group.iter().find(|body| body.id == *id) {
            waits.push(turns(body, post));
        }
    }
    waits.sort_by(f64::total_cmp);
    let Some(&typical) = waits.get(waits.len() * 2 / 3) else { return };
    for (id, post) in posts {
        let Some(body) = group.iter().find(|body| body.id == *id) else { continue };
        let outside = situation.nearest_threat(body).is_some_and(|(_, distance)| 12.0 < distance);
        // Waiting is pointless when the day is nearly over.
        post.waits = outside && turns(body, post) + 1.5 < typical && 4 < situation.turns_left;
    }
}
