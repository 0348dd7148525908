//! Postures: named bundles of standing instructions. TURN-08

use protocol::orders::{GroupDraft, Instructions, Order, Stage, UnitDraft};
use protocol::view::PostureCard;
use protocol::words::Arm;

use super::{groups, windows, words};
use crate::battle::Unit;
use crate::catalogue::{Catalogue, Posture, RuleId, TURN_08};

/// Whether this posture may be given to this unit.
pub(super) fn check(unit: &Unit, name: &str) -> Result<(), (RuleId, String)> {
    let Some(posture) = Catalogue::standard().posture(name) else {
        return Err((TURN_08, format!("refused (TURN-08): there is no posture `{name}`")));
    };
    if arms(posture).contains(&unit.arm) {
        Ok(())
    } else {
        Err((TURN_08, format!("refused (TURN-08): `{name}` is not for {}", unit.arm)))
    }
}

/// TURN-08 The keys that hold for a unit in one envelope, in order of precedence: the key given to the unit, the unit's
/// posture, the key given to the brigade, the brigade's posture. What a unit cannot use is dropped without a word.
pub(super) fn expand(
    unit: &Unit,
    order: Option<&Order>,
    stage: Stage,
    own: Option<&UnitDraft>,
    group: Option<&GroupDraft>,
) -> Instructions {
    let mut said = own.map(|own| own.instructions.clone()).unwrap_or_default();
    if let Some(name) = own.and_then(|own| own.posture.as_deref()) {
        windows::fill_from(&mut said, &keys_of(unit, order, stage, name));
    }
    if let Some(group) = group {
        let mut keys = groups::without_path(group.instructions.clone());
        windows::keep_usable_keys(unit, stage, &mut keys);
        windows::fill_from(&mut said, &keys);
        if let Some(name) = group.posture.as_deref() {
            windows::fill_from(&mut said, &keys_of(unit, order, stage, name));
        }
    }
    said
}

/// The keys of a posture that this unit can use now. A posture says nothing to a unit under an order that it is not for.
fn keys_of(unit: &Unit, order: Option<&Order>, stage: Stage, name: &str) -> Instructions {
    let mut said = Instructions::default();
    let Some(posture) = Catalogue::standard().posture(name).filter(|posture| arms(posture).contains(&unit.arm)) else {
        return said;
    };
    let hold = super::hold();
    let order = order.unwrap_or(&hold);
    if stage == Stage::Orders && !posture.orders.iter().any(|allowed| allowed == order_word(order)) {
        return said;
    }
    for (key, value) in &posture.expands {
        words::put(&mut said, key, value);
    }
    windows::keep_usable_keys(unit, stage, &mut said);
    said
}

fn order_word(order: &Order) -> &'static str {
    match order {
        Order::FirstFire {} => "FIRST FIRE",
        Order::Hold { .. } => "HOLD",
        Order::Disengage { .. } => "DISENGAGE",
        Order::Charge { .. } => "CHARGE",
        Order::Move(_) => "MOVE",
        Order::Form { .. } => "FORM",
        Order::Special { .. } => "SPECIAL",
    }
}

fn arms(posture: &Posture) -> Vec<Arm> {
    let known = [Arm::Infantry, Arm::Cavalry, Arm::Artillery, Arm::Sharpshooter];
    known.into_iter().filter(|arm| posture.arms.iter().any(|word| word == arm.as_str())).collect()
}

/// The postures as players are offered them.
pub fn posture_cards() -> Vec<PostureCard> {
    let postures = Catalogue::standard().postures.iter();
    let cards = postures.map(|posture| {
        let mut instructions = Instructions::default();
        for (key, value) in &posture.expands {
            words::put(&mut instructions, key, value);
        }
        PostureCard { name: posture.id.clone(), sentence: posture.text.clone(), arms: arms(posture), instructions }
    });
    cards.collect()
}
