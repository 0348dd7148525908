//! Postures: the named bundle of standing instructions that fits a unit's task. TURN-08
//!
//! A posture says what is usual for a task; what the plan says of its own for a unit goes before it. One that the server
//! does not offer is not given.

use protocol::event::Morale;
use protocol::orders::Order;
use protocol::words::Arm;

use crate::plan::fire;
use crate::plan::roles::{Post, Role};
use crate::plan::situation::{Body, Situation};

/// The posture for a unit under this order, if there is one to give.
pub(super) fn fitting(situation: &Situation<'_>, body: &Body, post: Option<&Post>, order: &Order) -> Option<String> {
    let name = match body.arm {
        Arm::Artillery => of_guns(situation, body, order),
        Arm::Sharpshooter => "skirmish_screen",
        Arm::Cavalry if body.is_mounted() => of_horse(order),
        _ => of_foot(situation, body, post, order),
    };
    let offered = situation.postures.iter().any(|card| card.name == name && card.arms.contains(&body.arm));
    offered.then(|| name.to_owned())
}

fn of_foot(situation: &Situation<'_>, body: &Body, post: Option<&Post>, order: &Order) -> &'static str {
    let role = post.map_or(Role::Hold, |post| post.role);
    match (order, role) {
        (Order::Charge { .. }, _) => "assault",
        (_, Role::Withdraw) => "delay",
        _ if body.morale != Morale::Good => "delay",
        (Order::Move(_), Role::Attack) if post.is_some_and(|post| post.standoff < 2.0 && !post.waits) => "assault",
        (_, Role::Support) => "reserve",
        (Order::Move(_), _) => "cautious_advance",
        _ if goes_to_meet(situation, body) => "volley_and_countercharge",
        _ => "stubborn",
    }
}

/// Steady men with an officer, in order and without a wall to give up, meet a charge whose ranks the run has broken.
pub(super) fn goes_to_meet(situation: &Situation<'_>, body: &Body) -> bool {
    let covered =
        0.9 <= situation.ground.cover(body.anchor, body.anchor.plus(situation.threatened_from(body.anchor).times(4.0)));
    let far = situation.nearest_threat(body).is_some_and(|(_, distance)| 6.0 < distance);
    body.base_point <= 2 && !body.disorder && !covered && far && situation.has_officer(body)
}

fn of_guns(situation: &Situation<'_>, body: &Body, order: &Order) -> &'static str {
    let near = situation.nearest_threat(body).is_some_and(|(_, distance)| distance <= body.ranges[0] + 6.0);
    let target = fire::targets(situation, body).into_iter().next();
    match order {
        Order::FirstFire {} | Order::Hold { .. } if target.as_ref().is_some_and(|target| target.enemy.is_guns()) => {
            "guns_counter_battery"
        }
        Order::Hold { .. } if near => "guns_hold_to_canister",
        _ => "guns_save_the_guns",
    }
}

fn of_horse(order: &Order) -> &'static str {
    match order {
        Order::Charge { .. } => "cavalry_strike",
        _ => "cavalry_screen",
    }
}
