//! Instructions as text: the words of the catalogue's table of keys, as postures use them.

use protocol::orders::{
    Canister, ColumnFire, ConditionalHoldIf, Countercharge, CounterchargeTarget, EmergencySquare, ExtraFire,
    FireOnCharges, GroupFire, HoldFire, HoldTrigger, IfCharged, IfHalted, Instructions, MovingFire, OpenFire, Pivot,
    PressOn, RangeBand, RangeChoice, Reform, Refuse, Reveal, SquareFire, Stop, SupportCountercharge, TargetChoice,
    UnseenFire,
};
use protocol::words::Formation;
use serde::de::DeserializeOwned;

/// Writes one key from its text. False: the key or the value is not one that is played yet, and nothing was written.
pub(super) fn put(said: &mut Instructions, key: &str, value: &str) -> bool {
    fn set<T>(field: &mut Option<T>, value: Option<T>) -> bool {
        let known = value.is_some();
        if known {
            *field = value;
        }
        known
    }
    match key {
        "conditional_hold_if" => set(&mut said.conditional_hold_if, conditional_hold_if(value)),
        "refuse" => set(&mut said.refuse, word::<Refuse>(value)),
        "fire" => set(&mut said.fire, yes_or_no(value)),
        "first_fire" => set(&mut said.first_fire, word::<RangeChoice>(value)),
        "hold_fire" => set(&mut said.hold_fire, hold_fire(value)),
        "fire_on_charges" => set(&mut said.fire_on_charges, word::<FireOnCharges>(value)),
        "extra_fire" => set(&mut said.extra_fire, extra_fire(value)),
        "moving_fire" => set(&mut said.moving_fire, word::<MovingFire>(value)),
        "column_fire" => set(&mut said.column_fire, word::<ColumnFire>(value)),
        "screen_fire" => set(&mut said.screen_fire, yes_or_no(value)),
        "fall_back_after_fire" => set(&mut said.fall_back_after_fire, yes_or_no(value)),
        "square_fire" => set(&mut said.square_fire, word::<SquareFire>(value)),
        "square" => set(&mut said.square, word::<EmergencySquare>(value)),
        "unseen_fire" => set(&mut said.unseen_fire, (value == "none").then_some(UnseenFire::None {})),
        "target" => set(&mut said.target, tagged::<TargetChoice>(value)),
        "group" => set(&mut said.group, word::<GroupFire>(value)),
        "canister" => set(&mut said.canister, word::<Canister>(value)),
        "pivot" => set(&mut said.pivot, tagged::<Pivot>(value)),
        "overhead_risk" => set(&mut said.overhead_risk, yes_or_no(value)),
        "if_halted" => set(&mut said.if_halted, tagged::<IfHalted>(value)),
        "stop" => set(&mut said.stop, tagged::<Stop>(value)),
        "reform" => set(&mut said.reform, word::<Reform>(value)),
        "if_charged" => set(&mut said.if_charged, word::<IfCharged>(value)),
        "form_if_charged" => set(&mut said.form_if_charged, word::<Formation>(value)),
        "press_on" => set(&mut said.press_on, word::<PressOn>(value)),
        "countercharge" => set(&mut said.countercharge, tagged::<Countercharge>(value)),
        "countercharge_target" => set(&mut said.countercharge_target, word::<CounterchargeTarget>(value)),
        "countercharge_if_disordered" => set(&mut said.countercharge_if_disordered, yes_or_no(value)),
        "reveal" => set(&mut said.reveal, tagged::<Reveal>(value)),
        "open_fire" => set(&mut said.open_fire, tagged::<OpenFire>(value)),
        "support_countercharge" => set(&mut said.support_countercharge, tagged::<SupportCountercharge>(value)),
        _ => false,
    }
}

/// A word that is an enum's name on the wire.
fn word<T: DeserializeOwned>(value: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(value.to_owned())).ok()
}

/// A word that is the tag of a variant without fields.
fn tagged<T: DeserializeOwned>(value: &str) -> Option<T> {
    serde_json::from_value(serde_json::json!({ "type": value })).ok()
}

fn yes_or_no(value: &str) -> Option<bool> {
    match value {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn conditional_hold_if(value: &str) -> Option<ConditionalHoldIf> {
    match value {
        "never" => Some(ConditionalHoldIf::Never),
        "if_enemy_charge_declared_on_me" => Some(ConditionalHoldIf::EnemyChargeDeclaredOnMe),
        _ => None,
    }
}

fn extra_fire(value: &str) -> Option<ExtraFire> {
    if let Some(dice) = value.strip_prefix("min_dice ") {
        return dice.parse().ok().map(|dice| ExtraFire::MinDice { dice });
    }
    tagged(value)
}

/// FIRE-35 Clauses joined by `or`, triggers inside a clause by `+`.
fn hold_fire(value: &str) -> Option<HoldFire> {
    let clause = |text: &str| text.split('+').map(|trigger| hold_trigger(trigger.trim())).collect::<Option<Vec<_>>>();
    let any_of = value.split(" or ").map(clause).collect::<Option<Vec<_>>>()?;
    Some(HoldFire { any_of, only_if_charged: false, wait_for: None })
}

fn hold_trigger(text: &str) -> Option<HoldTrigger> {
    Some(match text {
        "at close" => HoldTrigger::At { band: RangeBand::Close },
        "at normal" => HoldTrigger::At { band: RangeBand::Normal },
        "at long" => HoldTrigger::At { band: RangeBand::Long },
        "on_flank" => HoldTrigger::OnFlank {},
        "out_of_cover" => HoldTrigger::OutOfCover {},
        "before_leaving" => HoldTrigger::BeforeLeaving {},
        "before_move" => HoldTrigger::BeforeMove {},
        "after_move" => HoldTrigger::AfterMove {},
        _ => return None,
    })
}
