//! Cavalry: on horseback behind the line and on its flanks, on foot to hold ground. CAV-23

use protocol::event::Morale;
use protocol::ids::UnitId;
use protocol::orders::{FormTask, Order};
use protocol::words::{Arm, Formation};

use crate::geometry::Vector;
use crate::plan::Memory;
use crate::plan::roles::{Post, Role};
use crate::plan::situation::{Body, Situation};

/// Foot so near makes riders get down where they have to stay, inches.
const GETS_DOWN_AT: f64 = 14.0;
/// Who has so far to go takes to the horses, inches.
const RIDES_FROM: f64 = 16.0;

/// So far beyond the end of the line horse waits, and so far behind it, inches.
const BESIDE: f64 = 3.0;
const BEHIND: f64 = 1.5;

/// Posts of riders beyond the ends of a line, left and right: a flank that horse watches is not turned, and from there it
/// strikes at the flanks of others. Each takes the end that is nearer to it, then the one that has fewer.
pub(super) fn on_the_flanks(
    situation: &Situation<'_>,
    objective: &str,
    riders: &[&Body],
    ends: [Vector; 2],
    ahead: Vector,
) -> Vec<(UnitId, Post)> {
    let outward = [ahead.right().times(-1.0), ahead.right()];
    let mut there = [0.0, 0.0];
    let mut posts = Vec::new();
    for body in riders {
        let cost = |end: usize| body.anchor.distance(ends[end]) + there[end] * 8.0;
        let end = usize::from(cost(1) < cost(0));
        let out = outward[end].times(BESIDE + there[end] * 4.5);
        there[end] += 1.0;
        let at = situation.ground.clamped(ends[end].plus(out).minus(ahead.times(BEHIND)), 1.0);
        let at = if body.anchor.distance(at) < 2.0 { body.anchor } else { at };
        let post = Post {
            role: Role::Support,
            at,
            facing: ahead.bearing(),
            standoff: 6.0,
            objective: Some(objective.to_owned()),
            against: None,
            waits: false,
        };
        posts.push((body.id.clone(), post));
    }
    posts
}

/// Gets down to hold a line, takes to the horses for a long way; nothing for who stays as he is.
pub(super) fn order(situation: &Situation<'_>, memory: &Memory, body: &Body, post: Option<&Post>) -> Option<Order> {
    let post = post?;
    if body.arm != Arm::Cavalry || body.morale != Morale::Good || body.disorder || memory.refuses_mounting {
        return None;
    }
    let near = situation.nearest_threat(body).map_or(f64::INFINITY, |(_, distance)| distance);
    let far_to_go = body.anchor.distance(post.at);
    let task = if body.is_mounted() {
        let holds = post.role == Role::Hold && far_to_go <= 2.0;
        let comes_on_foot =
            situation.nearest_threat(body).is_some_and(|(enemy, _)| !enemy.is_mounted() && !enemy.is_guns());
        (holds && comes_on_foot && near <= GETS_DOWN_AT && 3.0 < near)
            .then_some(FormTask::Dismount { formation: Formation::DismountedLine })
    } else {
        (RIDES_FROM < far_to_go && RIDES_FROM < near).then_some(FormTask::Mount { formation: Formation::SingleLine })
    };
    task.map(|task| Order::Form { task })
}
