//! Orders: what each unit is told this turn, given its post.
//!
//! Who stays is settled first, so that who marches knows where there is room. A unit fires rather than
//! marches when it has a good target and its place can wait; it reforms when it is broken up; it is never
//! told to go nearer to the enemy when it may not.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::Morale;
use protocol::ids::UnitId;
use protocol::orders::{
    BatteryWhenShaken, FormTask, IfHalted, Instructions, MoveOrder, Order, PressOn, Reform, ReformFacing, Stop,
    UnitDraft,
};
use protocol::words::Formation;

use crate::geometry::{Footprint, Vector, degrees_between};
use crate::ground::{Gait, Terrain};
use crate::plan::Memory;
use crate::plan::charge::Charge;
use crate::plan::exchange;
use crate::plan::fire;
use crate::plan::horse;
use crate::plan::march::{self, March};
use crate::plan::postures;
use crate::plan::roles::{Post, Role};
use crate::plan::shelter;
use crate::plan::situation::{Body, Situation};

/// Orders with the places to which they lead.
pub(super) struct Told {
    pub(super) units: BTreeMap<UnitId, UnitDraft>,
    /// Where each unit would stand at the end of the turn.
    pub(super) ends: BTreeMap<UnitId, Footprint>,
    /// What those who charge do if it turns out that they cannot.
    pub(super) instead: BTreeMap<UnitId, UnitDraft>,
}

/// What a unit is told, before it is written down.
struct Decision {
    order: Order,
    instructions: Instructions,
    end: Footprint,
}

/// Where friends stand.
pub(super) struct Room {
    /// All places in which nobody else may end.
    pub(super) taken: Vec<Footprint>,
    /// Those of friends who stay there, or will have come there.
    pub(super) staying: Vec<Footprint>,
}

/// What a unit does in the charges of this turn, if anything.
fn charge_of(body: &Body, charges: &[Charge]) -> Option<Decision> {
    let charge = charges.iter().find(|charge| charge.has(&body.id))?;
    let leads = charge.point == body.id;
    let order = Order::Charge {
        target: leads.then(|| charge.target.clone()),
        bearing: None,
        objective: None,
        support_of: (!leads).then(|| charge.point.clone()),
    };
    let instructions = Instructions { press_on: (!leads).then_some(PressOn::IfNoLosses), ..Instructions::default() };
    Some(Decision { order, instructions, end: body.footprint })
}

/// An order for each unit of this player that takes orders.
pub(super) fn give(
    situation: &Situation<'_>,
    memory: &Memory,
    posts: &BTreeMap<UnitId, Post>,
    charges: &[Charge],
) -> Told {
    let mut told = Told { units: BTreeMap::new(), ends: BTreeMap::new(), instead: BTreeMap::new() };
    let mut marching: Vec<(&Body, &Post)> = Vec::new();
    let mut taken: Vec<(UnitId, Footprint)> = Vec::new();
    for body in &situation.own {
        // Others' units are thought to stay; the routed run, but nobody knows where to. Who is at his door is not there yet.
        if !body.at_door {
            taken.push((body.id.clone(), body.footprint));
        }
        // A routed unit takes no order. ORD-07
        if !body.mine || body.morale == Morale::Routed {
            continue;
        }
        let post = posts.get(&body.id);
        if body.at_door {
            if let Some(post) = post {
                marching.push((body, post));
            }
            continue;
        }
        if let Some(decision) = charge_of(body, charges) {
            let otherwise = written(situation, body, post, stay(situation, body));
            told.instead.insert(body.id.clone(), otherwise);
            write(situation, &mut told, body, post, decision);
            continue;
        }
        let digs_on = post.and_then(|_| shelter::goes_on_digging(situation, body));
        let special = digs_on.or_else(|| horse::order(situation, memory, body, post)).or_else(|| {
            let lies_on = |post: &Post| body.prone && !matches!(post.role, Role::Attack | Role::Claim);
            let stays = post.is_none_or(|post| !goes(situation, body, post) || lies_on(post));
            stays.then(|| shelter::order(situation, memory, body, post)).flatten()
        });
        if let Some(order) = special {
            let decision = Decision { order, instructions: Instructions::default(), end: body.footprint };
            write(situation, &mut told, body, post, decision);
            continue;
        }
        match post {
            Some(post) if goes(situation, body, post) => marching.push((body, post)),
            _ => write(situation, &mut told, body, post, stay(situation, body)),
        }
    }
    // The foremost go first: the ones behind move into the room they leave.
    let distance = |body: &Body, post: &Post| body.anchor.distance(post.at);
    marching.sort_by(|one, other| {
        let (a, b) = (distance(one.0, one.1), distance(other.0, other.1));
        a.total_cmp(&b).then_with(|| one.0.id.cmp(&other.0.id))
    });
    // Ways lead around those who stay; who marches too will have gone.
    let mut goes: BTreeSet<UnitId> = marching.iter().map(|(body, _)| body.id.clone()).collect();
    for (body, post) in marching {
        goes.remove(&body.id);
        let others = |of: &dyn Fn(&UnitId) -> bool| -> Vec<Footprint> {
            taken.iter().filter(|(id, _)| *id != body.id && of(id)).map(|(_, place)| *place).collect()
        };
        let room = Room { taken: others(&|_| true), staying: others(&|id| !goes.contains(id)) };
        let decision = match go(situation, body, post, &room) {
            // Of whom nothing is said at his door marches straight in. SCN-11
            None if body.at_door => continue,
            Some(decision) => decision,
            None => stay(situation, body),
        };
        match taken.iter_mut().find(|(id, _)| *id == body.id) {
            Some(entry) => entry.1 = decision.end,
            None => taken.push((body.id.clone(), decision.end)),
        }
        write(situation, &mut told, body, Some(post), decision);
    }
    told
}

fn write(situation: &Situation<'_>, told: &mut Told, body: &Body, post: Option<&Post>, decision: Decision) {
    told.ends.insert(body.id.clone(), decision.end);
    told.units.insert(body.id.clone(), written(situation, body, post, decision));
}

fn written(situation: &Situation<'_>, body: &Body, post: Option<&Post>, decision: Decision) -> UnitDraft {
    let mut instructions = decision.instructions;
    // Whatever it does, it may break on the way: then it comes back as a line that faces the enemy.
    if body.makes_lines() {
        instructions.reform = Some(Reform::SingleLine);
        instructions.reform_facing = Some(ReformFacing::Enemy {});
    }
    if body.morale == Morale::Shaken {
        instructions.rally = Some(true);
    }
    if body.formation == Formation::Limbered {
        instructions.battery_when_shaken = Some(BatteryWhenShaken::StayLimbered);
    }
    let posture = postures::fitting(situation, body, post, &decision.order);
    UnitDraft { order: Some(decision.order), posture, instructions }
}

/// Whether a unit has something to do that is worth more than its fire from here.
fn goes(situation: &Situation<'_>, body: &Body, post: &Post) -> bool {
    let danger = situation.nearest_threat(body).map_or(f64::INFINITY, |(_, distance)| distance);
    if body.is_guns() {
        return guns_go(situation, body, post, danger);
    }
    if !body.only_forms
        && !body.disorder
        && (waits_under_fire(situation, body, post) || keeps_works(situation, body, post))
    {
        return body.prone && !shelter::lies_well(situation, body, Some(post));
    }
    if body.prone || body.only_forms {
        return true;
    }
    // Broken ranks reform, unless the enemy is upon them.
    if body.disorder {
        return 2.5 < danger || post.role == Role::Withdraw;
    }
    if post.role == Role::Withdraw {
        return true;
    }
    let distance = body.anchor.distance(post.at);
    if is_up(situation, body, post) {
        let front = situation.threatened_from(body.anchor).bearing();
        return 35.0 < degrees_between(body.facing, front) && !fire::has_good_target(situation, body);
    }
    if distance <= 0.8 {
        let off = degrees_between(body.facing, post.facing);
        return 35.0 < off && !fire::has_good_target(situation, body) || body.formation == Formation::MarchColumn;
    }
    if !fire::has_good_target(situation, body) {
        return true;
    }
    match post.role {
        // At its distance it fires; a bolder attack goes on through that fire.
        Role::Attack => post.standoff + 0.6 < danger && (danger > body.ranges[1] || post.standoff < 2.0),
        // A line that is to be taken up under fire is taken up only when it is far: the fight is here.
        Role::Hold | Role::Support => 6.0 < distance && body.ranges[0] + 0.5 < danger,
        Role::Claim | Role::Withdraw | Role::Guns => true,
    }
}

/// A march that can wait is not made under the eyes of muskets that are laid on the way, where lying still costs less.
fn waits_under_fire(situation: &Situation<'_>, body: &Body, post: &Post) -> bool {
    const URGENT: u32 = 4;
    const TOO_HOT: f64 = 0.45;
    let can_wait = matches!(post.role, Role::Hold | Role::Support | Role::Claim)
        && !situation.must_attack
        && URGENT < situation.turns_left
        && body.makes_lines()
        && !body.turns_freely()
        && 0.8 < body.anchor.distance(post.at)
        && exchange::is_quiet(situation, body);
    if !can_wait {
        return false;
    }
    // Halfway there is where a turn's march ends, or may.
    let half = body.middle().plus(post.at.minus(body.anchor).times(0.5));
    let whole = body.middle().plus(post.at.minus(body.anchor));
    let on_the_way =
        exchange::exposure(situation, body, half, false).max(exchange::exposure(situation, body, whole, false));
    TOO_HOT + exchange::exposure(situation, body, body.middle(), true) < on_the_way
}

/// Who stands behind works that face the enemy stays in them: no dressing of a line is worth leaving them.
fn keeps_works(situation: &Situation<'_>, body: &Body, post: &Post) -> bool {
    const WORKS: f64 = 3.0;
    let ahead = body.anchor.plus(situation.threatened_from(body.anchor).times(4.0));
    let near = situation.nearest_threat(body).is_some_and(|(_, distance)| distance <= 20.0);
    post.role == Role::Hold
        && near
        && body.morale == Morale::Good
        && body.anchor.distance(post.at) <= 6.0
        && degrees_between(body.facing, situation.threatened_from(body.anchor).bearing()) <= 45.0
        && WORKS <= situation.ground.cover(body.anchor, ahead)
}

/// An attacker who is as near as he means to go does not dress his line under fire, nor back off to do so.
fn is_up(situation: &Situation<'_>, body: &Body, post: &Post) -> bool {
    let danger = situation.nearest_threat(body).map_or(f64::INFINITY, |(_, distance)| distance);
    post.role == Role::Attack && danger <= post.standoff.min(body.ranges[1]) + 0.6
}

fn stay(situation: &Situation<'_>, body: &Body) -> Decision {
    let (order, instructions) = fire::stand(situation, body);
    Decision { order, instructions, end: body.footprint }
}

fn go(situation: &Situation<'_>, body: &Body, post: &Post, room: &Room) -> Option<Decision> {
    if body.at_door {
        return march::from_the_door(situation, body, post, &room.taken).map(|march| decided(body, march));
    }
    if body.only_forms {
        let front = situation.threatened_from(body.anchor).bearing();
        return Some(decided(body, march::form(body, line_of(body), front)));
    }
    if body.is_guns() {
        return drive(situation, body, post, &room.taken);
    }
    let front = situation.threatened_from(body.anchor).bearing();
    if body.disorder && post.role != Role::Withdraw {
        let march = march::out_of_the_press(situation, body, &room.taken)
            .unwrap_or_else(|| march::form(body, line_of(body), front));
        return Some(decided(body, march));
    }
    if body.prone {
        let order = MoveOrder { prone: Some(protocol::orders::ProneChange::Rise), ..MoveOrder::default() };
        return Some(Decision {
            order: Order::Move(order),
            instructions: fire::on_the_march(body),
            end: body.footprint,
        });
    }
    if is_up(situation, body, post) {
        return march::turn_to(situation, body, front).map(|march| decided(body, march));
    }
    let march = march::march(situation, body, post, room)?;
    Some(decided(body, march))
}

fn decided(body: &Body, march: March) -> Decision {
    let mut instructions =
        if matches!(march.order, Order::Move(_)) { fire::on_the_march(body) } else { Instructions::default() };
    instructions.stop = march.stop;
    Decision { order: march.order, instructions, end: march.end }
}

/// The line in which an arm fights.
fn line_of(body: &Body) -> Formation {
    match body.formation {
        Formation::DismountedLine | Formation::DoubleLine | Formation::ExtendedLine => body.formation,
        Formation::SkirmishLine if body.arm == protocol::words::Arm::Sharpshooter => Formation::SkirmishLine,
        _ => Formation::SingleLine,
    }
}

/// Guns move when their place is elsewhere, or when the enemy is about to have them.
fn guns_go(situation: &Situation<'_>, body: &Body, post: &Post, danger: f64) -> bool {
    let there = body.anchor.distance(post.at) <= 1.0;
    if body.formation == Formation::Limbered {
        return true;
    }
    if body.horses == Some(0) || body.morale == Morale::Shaken {
        return false;
    }
    // Guns in action stay in action while they have something to hit. Canister is their safety.
    !there && (body.withdraws || (!fire::bears_on_somebody(situation, body) && 6.0 < danger))
}

/// Limber, drive, unlimber, as far as one turn allows.
fn drive(situation: &Situation<'_>, body: &Body, post: &Post, others: &[Footprint]) -> Option<Decision> {
    let ground = situation.ground;
    let decision =
        |order: Order, instructions: Instructions, end: Footprint| Some(Decision { order, instructions, end });
    let slow = matches!(ground.terrain(body.anchor), Terrain::Woods | Terrain::Rough);
    let unlimber = FormTask::Unlimber { facing: Some(post.facing) };
    let limbered = body.formation == Formation::Limbered;
    if limbered && body.anchor.distance(post.at) <= 1.0 {
        return decision(Order::Form { task: unlimber }, Instructions::default(), body.footprint);
    }
    let avoid: Vec<(Vector, f64)> = situation.threats().map(|enemy| (enemy.middle(), 8.0)).collect();
    let way = ground.way(Gait::Limbered, body.anchor, post.at, &avoid);
    let bearing = way.get(1).map(|next| next.minus(body.anchor).bearing());
    // Behind its team a battery goes about eight times as far as by hand.
    let rate = if limbered { body.rate } else { body.rate * 8.0 };
    let limbering = if body.is_drilled() { 0.5 } else { 1.0 };
    let unlimbering = if body.is_drilled() { 0.25 } else { 0.5 };
    let mut share: f64 = if limbered { 1.0 } else { 1.0 - limbering };
    if !limbered && (slow || share <= 0.05) {
        let task = FormTask::Limber { facing: bearing };
        return decision(Order::Form { task }, Instructions::default(), body.footprint);
    }
    let cost: f64 = way.windows(2).map(|leg| ground.cost(Gait::Limbered, leg[0], leg[1])).sum();
    let arrives = limbered && cost <= rate * (share - unlimbering) * 0.95;
    if arrives {
        share -= unlimbering;
    }
    let (path, end) = march::trimmed(situation, body, Gait::Limbered, &way, rate * share, others);
    if path.is_empty() {
        // No way on: into action here, if there is anything to see.
        let task = if limbered { unlimber } else { return None };
        return decision(Order::Form { task }, Instructions::default(), body.footprint);
    }
    let order = MoveOrder {
        path,
        form_first: (!limbered).then_some(FormTask::Limber { facing: bearing }),
        form_last: arrives.then_some(unlimber),
        ..MoveOrder::default()
    };
    let danger = situation.nearest_threat(body).map_or(f64::INFINITY, |(_, distance)| distance);
    let instructions = Instructions {
        if_halted: Some(IfHalted::Unlimber { bearing: None }),
        stop: (post.standoff < danger).then_some(Stop::Before { distance: (post.standoff * 1000.0) as u32 }),
        ..Instructions::default()
    };
    decision(Order::Move(order), instructions, end)
}
