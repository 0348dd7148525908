//! Cavalry: on horseback behind the line and on its flanks, on foot to hold ground. CAV-23

use protocol::event::Morale;
use protocol::orders::{FormTask, Order};
use protocol::words::{Arm, Formation};

use crate::plan::Memory;
use crate::plan::roles::{Post, Role};
use crate::plan::situation::{Body, Situation};

/// Foot so near makes riders get down where they have to stay, inches.
const GETS_DOWN_AT: f64 = 14.0;
/// Who has so far to go takes to the horses, inches.
const RIDES_FROM: f64 = 16.0;

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
