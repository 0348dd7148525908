//! Which instruction may be given in which window, and to whom: the catalogue's table of keys. TURN-06
//!
//! Owns the one list of keys; everything that treats all keys alike is generated from it.

use protocol::orders::{Instructions, Stage};
use protocol::view::Presence;
use protocol::words::Arm;

use crate::battle::{Unit, UnitIx};
use crate::catalogue::*;
use crate::field::Field;

const O: Stage = Stage::Orders;
const R: Stage = Stage::Reactions;
const C: Stage = Stage::Charges;
const M: Stage = Stage::Movement;

/// To whom a key may be given.
type Whom = fn(&Unit) -> bool;

fn anybody(_: &Unit) -> bool {
    true
}

fn guns(unit: &Unit) -> bool {
    unit.arm == Arm::Artillery
}

fn horse(unit: &Unit) -> bool {
    unit.arm == Arm::Cavalry
}

fn foot_or_horse(unit: &Unit) -> bool {
    !guns(unit)
}

/// HID-17, HID-19 What is under a picket. A dummy is no unit, and is asked for nothing here.
fn picket(unit: &Unit) -> bool {
    unit.presence == Presence::Hidden
}

/// Calls `$visit!` with each key, its windows, its rule and whom it is for.
macro_rules! each_key {
    ($visit:ident) => {
        $visit!(conditional_hold_if, [O], REV_05, anybody);
        $visit!(conditional_hold, [R], REV_05, anybody);
        $visit!(ch_form, [O, R], REV_11, foot_or_horse);
        $visit!(refuse, [O, R, C, M], ENF_12, foot_or_horse);
        $visit!(fire, [O, R, C, M], FIRE_02, anybody);
        $visit!(first_fire, [O, R], FF_06, anybody);
        $visit!(hold_fire, [O, R, C, M], FIRE_35, anybody);
        $visit!(fire_on_charges, [O, R, C], CHG_50, anybody);
        $visit!(extra_fire, [O, R, C, M], ADDF_14, anybody);
        $visit!(moving_fire, [O, R, C, M], MFIRE_08, anybody);
        $visit!(oblique, [O, R, C, M], FIRE_26, foot_or_horse);
        $visit!(stands, [O, R, C, M], FIRE_04, foot_or_horse);
        $visit!(column_fire, [O, R, C, M], FORM_08, foot_or_horse);
        $visit!(past_skirmishers, [O, R, C, M], FORM_17, anybody);
        $visit!(screen_fire, [O, R, C, M], TAC_26, foot_or_horse);
        $visit!(square_fire, [O, R, C, M], TAC_39, foot_or_horse);
        $visit!(fall_back_after_fire, [O, R, C, M], SCNS_09, anybody);
        $visit!(square, [O, R], TAC_40, foot_or_horse);
        $visit!(rapid_fire, [O, R, C, M], TAC_01, foot_or_horse);
        $visit!(unseen_fire, [O, R, C, M], VIS_12, anybody);
        $visit!(target, [O, R, C, M], ARTY_25, guns);
        $visit!(group, [O, R, C, M], ARTY_21, guns);
        $visit!(canister, [O, R, C, M], ARTY_23, guns);
        $visit!(pivot, [O, R, C, M], ARTY_27, guns);
        $visit!(overhead_risk, [O, R, C, M], ARTY_32, guns);
        $visit!(if_halted, [O, R, C, M], ARTY_43, guns);
        $visit!(stop, [O, R, C, M], MV_27, anybody);
        $visit!(path, [R, C, M], MV_31, anybody);
        $visit!(rally, [O], RALLY_09, anybody);
        $visit!(reform, [O, R, C, M], RALLY_19, foot_or_horse);
        $visit!(reform_facing, [O, R, C, M], RALLY_23, anybody);
        $visit!(battery_when_shaken, [O, R, C, M], SHK_13, guns);
        $visit!(cavalry_when_shaken, [O, R, C, M], SHK_16, horse);
        $visit!(if_charged, [O, R, C], CF_09, foot_or_horse);
        $visit!(countercharge, [O, R, C], CC_02, foot_or_horse);
        $visit!(disengage_toward, [O, R], DIS_03, anybody);
        $visit!(form_if_charged, [O, R, C], CF_10, foot_or_horse);
        $visit!(halt_at, [O, R, C], CHG_12, foot_or_horse);
        $visit!(press_on, [O, R, C], CHG_45, foot_or_horse);
        $visit!(charge_bearing, [O, R, C], CHG_08, foot_or_horse);
        $visit!(role, [O, R], CHG_15, foot_or_horse);
        $visit!(countercharge_target, [O, R, C], CAVC_05, horse);
        $visit!(countercharge_if_disordered, [O, R, C], CAVC_07, horse);
        $visit!(support_countercharge, [O, R, C], CAVC_28, horse);
        $visit!(reveal, [O, R, C, M], HID_48, picket);
        $visit!(open_fire, [O, R, C, M], HID_52, picket);
        $visit!(disengage_travel, [O, R], HID_62, picket);
    };
}

/// The refusal of an order that comes after the orders window. ORD-01
pub(super) fn order_too_late() -> (RuleId, String) {
    (ORD_01, "has its order for this turn already: orders are given in the orders window alone".to_owned())
}

/// Takes out the keys that this window or this unit does not allow, and says which and why.
pub(super) fn drop_illegal_keys(
    field: &Field<'_>,
    ix: UnitIx,
    stage: Stage,
    said: &mut Instructions,
) -> Vec<(&'static str, RuleId, String)> {
    drop_illegal_keys_of(Some(field.unit(ix)), stage, said)
}

/// As [`drop_illegal_keys`]; without a unit for a dummy, which may be told whatever a real picket may. HID-19
pub(super) fn drop_illegal_keys_of(
    unit: Option<&Unit>,
    stage: Stage,
    said: &mut Instructions,
) -> Vec<(&'static str, RuleId, String)> {
    let mut faults = Vec::new();
    macro_rules! test {
        ($key:ident, $windows:expr, $rule:ident, $whom:expr) => {
            if said.$key.is_some() {
                let (windows, whom): (&[Stage], Whom) = (&$windows, $whom);
                if !windows.contains(&stage) {
                    said.$key = None;
                    faults.push((stringify!($key), $rule, format!("may be given {}", in_words(windows))));
                } else if let Some(unit) = unit.filter(|unit| !whom(unit)) {
                    said.$key = None;
                    faults.push((stringify!($key), $rule, format!("is not for {}", unit.arm)));
                }
            }
        };
    }
    each_key!(test);
    faults
}

/// Takes out the keys that this window or this unit does not allow, without a word: what a posture does. TURN-08
pub(super) fn keep_usable_keys(unit: &Unit, stage: Stage, said: &mut Instructions) {
    macro_rules! keep {
        ($key:ident, $windows:expr, $rule:ident, $whom:expr) => {
            let (windows, whom): (&[Stage], Whom) = (&$windows, $whom);
            if !(windows.contains(&stage) && whom(unit)) {
                said.$key = None;
            }
        };
    }
    each_key!(keep);
}

/// Fills the keys that `said` leaves open from what comes after it in precedence. TURN-08
pub(super) fn fill_from(said: &mut Instructions, other: &Instructions) {
    macro_rules! fill {
        ($key:ident, $windows:expr, $rule:ident, $whom:expr) => {
            if said.$key.is_none() {
                said.$key.clone_from(&other.$key);
            }
        };
    }
    each_key!(fill);
}

fn in_words(windows: &[Stage]) -> String {
    let names = windows.iter().map(|window| match window {
        Stage::Orders => "with the orders",
        Stage::Reactions => "after the reveal",
        Stage::Charges => "before the charges",
        Stage::Movement => "before the movement",
    });
    let list = names.collect::<Vec<_>>().join(" or ");
    format!("only {list}")
}
