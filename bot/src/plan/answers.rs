//! Answers in the windows after the reveal: reactions, charges, movement.
//!
//! Orders and standing instructions already say nearly all; an answer is given only where what the reveal or
//! the fire has shown makes the order a mistake.

use protocol::event::{Morale, OrderShown};
use protocol::orders::{Draft, Instructions, Order, PathAnswer, Stage, UnitDraft};

use crate::plan::situation::{Body, Situation};

/// The draft of a later window; often empty, which lets everything stand.
pub(super) fn answer(situation: &Situation<'_>) -> Draft {
    let mut draft = Draft::default();
    for body in situation.own.iter().filter(|body| body.mine) {
        let instructions = match situation.view.stage {
            Stage::Orders => None,
            Stage::Reactions => reaction(situation, body),
            Stage::Charges | Stage::Movement => second_thoughts(situation, body),
        };
        if let Some(instructions) = instructions {
            draft.units.insert(body.id.clone(), UnitDraft { instructions, ..UnitDraft::default() });
        }
    }
    draft
}

/// Who marches or forms while somebody charges him stops and stands. REV-05
fn reaction(situation: &Situation<'_>, body: &Body) -> Option<Instructions> {
    let may = matches!(body.order, Some(Order::Move(_) | Order::Form { .. })) && body.morale == Morale::Good;
    let charged = situation.threats().any(|enemy| match &enemy.shown {
        Some(OrderShown::Charge { target: Some(target), .. }) => *target == body.id,
        Some(OrderShown::Charge { target: None, .. }) => enemy.footprint.distance(&body.footprint) <= 8.0,
        _ => false,
    });
    (may && charged && !body.is_guns())
        .then(|| Instructions { conditional_hold: Some(true), ..Instructions::default() })
}

/// Who was shaken since the orders does not go on toward the enemy. MV-31
fn second_thoughts(situation: &Situation<'_>, body: &Body) -> Option<Instructions> {
    let marches = matches!(body.order, Some(Order::Move(_)));
    let near = situation.nearest_threat(body).is_some_and(|(_, distance)| distance <= 12.0);
    let broken = body.disorder || body.morale == Morale::Shaken;
    (situation.view.stage == Stage::Movement && marches && near && broken)
        .then(|| Instructions { path: Some(PathAnswer::Halt {}), ..Instructions::default() })
}
