//! Answers in the windows after the reveal: reactions, charges, movement.
//!
//! Orders and standing instructions already say nearly all; an answer is given only where what the reveal or
//! the fire has shown makes the order a mistake.

use protocol::event::{Morale, OrderShown};
use protocol::orders::{
    Countercharge, Draft, EmergencySquare, IfCharged, Instructions, Order, PathAnswer, Refuse, Stage, UnitDraft,
};
use protocol::words::Arm;

use crate::plan::fire;
use crate::plan::situation::{Body, Situation};

/// A charge shown so near at no declared target may be meant for anybody, inches.
const MAY_BE_MEANT: f64 = 8.0;
/// Who is charged from nearer has no time to form, inches. CF-07
const TIME_TO_FORM: f64 = 4.0;
/// A reserve goes in against a charge that comes so near, inches. CC-02
const REACHES: f64 = 6.0;

/// The draft of a later window; often empty, which lets everything stand.
pub(super) fn answer(situation: &Situation<'_>) -> Draft {
    let mut draft = Draft::default();
    for body in situation.own.iter().filter(|body| body.mine && !body.at_door) {
        let instructions = match situation.view.stage {
            Stage::Orders => None,
            Stage::Reactions => reaction(situation, body).or_else(|| reception(situation, body)),
            Stage::Charges => reception(situation, body),
            Stage::Movement => second_thoughts(situation, body),
        };
        if let Some(instructions) = instructions {
            draft.units.insert(body.id.clone(), UnitDraft { instructions, ..UnitDraft::default() });
        }
    }
    draft
}

/// The enemies who have shown that they charge a unit, the nearest first.
fn chargers<'s>(situation: &'s Situation<'_>, body: &Body) -> Vec<&'s Body> {
    let mut chargers: Vec<&Body> = situation
        .threats()
        .filter(|enemy| match &enemy.shown {
            Some(OrderShown::Charge { target: Some(target), .. }) => *target == body.id,
            Some(OrderShown::Charge { target: None, .. }) => enemy.footprint.distance(&body.footprint) <= MAY_BE_MEANT,
            _ => false,
        })
        .collect();
    let far = |enemy: &Body| enemy.footprint.distance(&body.footprint);
    chargers.sort_by(|one, other| far(one).total_cmp(&far(other)).then_with(|| one.id.cmp(&other.id)));
    chargers
}

/// Who marches or forms while somebody charges him stops and stands. REV-05
fn reaction(situation: &Situation<'_>, body: &Body) -> Option<Instructions> {
    let may = matches!(body.order, Some(Order::Move(_) | Order::Form { .. })) && body.morale == Morale::Good;
    (may && !body.is_guns() && !chargers(situation, body).is_empty())
        .then(|| Instructions { conditional_hold: Some(true), ..Instructions::default() })
}

/// What a holding unit does about the charge that it sees: form to face it while there is time, bend back the end that is
/// struck, form square against horse, go to meet it without a cartridge; or go in beside a friend who is charged.
fn reception(situation: &Situation<'_>, body: &Body) -> Option<Instructions> {
    let holds = matches!(body.order, None | Some(Order::Hold { .. }));
    if !holds || body.is_guns() || body.morale != Morale::Good {
        return None;
    }
    let chargers = chargers(situation, body);
    let Some(nearest) = chargers.first() else { return beside_a_friend(situation, body) };
    let distance = nearest.footprint.distance(&body.footprint);
    let in_front = body.covers(nearest.middle());
    let if_charged = match fire::reception(situation, body) {
        Some(meets @ (IfCharged::Countercharge | IfCharged::FormIfDisordered)) => Some(meets),
        _ if !in_front && TIME_TO_FORM < distance => Some(IfCharged::Form),
        other => other,
    };
    let square = (situation.view.stage == Stage::Reactions && nearest.is_mounted() && body.arm == Arm::Infantry)
        .then_some(EmergencySquare::IfCavalryChargesMe);
    Some(Instructions { if_charged, square, refuse: Some(Refuse::Threatened), ..Instructions::default() })
}

/// The reserve goes in when a charge comes at a friend beside it, if it can go in order. CC-02
fn beside_a_friend(situation: &Situation<'_>, body: &Body) -> Option<Instructions> {
    let near = |friend: &&Body| friend.id != body.id && friend.footprint.distance(&body.footprint) <= REACHES;
    let charged = situation.own.iter().filter(near).any(|friend| {
        !chargers(situation, friend).is_empty()
            && (friend.morale != Morale::Good || friend.disorder || friend.is_guns())
    });
    (charged && !body.disorder && situation.may_advance(body))
        .then(|| Instructions { countercharge: Some(Countercharge::IfFriendCharged {}), ..Instructions::default() })
}

/// Who was shaken since the orders does not go on toward the enemy. MV-31
fn second_thoughts(situation: &Situation<'_>, body: &Body) -> Option<Instructions> {
    let marches = matches!(body.order, Some(Order::Move(_)));
    let near = situation.nearest_threat(body).is_some_and(|(_, distance)| distance <= 12.0);
    let broken = body.disorder || body.morale == Morale::Shaken;
    (marches && near && broken).then(|| Instructions { path: Some(PathAnswer::Halt {}), ..Instructions::default() })
}
