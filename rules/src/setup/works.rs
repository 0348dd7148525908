//! SCN-18, HID-64 Hasty works that a side has dug before turn 1, as many inches as the scenario gives it.
//!
//! Owns which units begin behind works of their own. A unit says so with the task of FORM that it would have in play; where the
//! works lie is told by [`crate::works`].

use std::collections::BTreeMap;

use protocol::ids::{Side, UnitId};
use protocol::orders::{FormTask, Order, UnitDraft, Work};
use protocol::words::Arm;

use crate::battle::{Table, Unit};
use crate::catalogue::{OBS_08, RuleId, SCN_06, SCN_18};
use crate::fire;
use crate::ruleset::Ruleset;
use crate::works;

/// SCN-18 Why a unit may not begin behind works, rule and words; `left` are the inches that its side has still to place,
/// thousandths of an inch.
///
/// # Errors
/// The rule that forbids it.
pub(super) fn begins_dug_in(unit: &Unit, said: &UnitDraft, left: i32) -> Result<(), (RuleId, String)> {
    let task = Order::Form { task: FormTask::Work { work: Work::BuildHastyWorks, at: Vec::new() } };
    let only_the_task = UnitDraft { order: Some(task), ..UnitDraft::default() };
    let name = &unit.name;
    if *said != only_the_task {
        let text = "orders are given from turn 1 on; before it units are placed";
        return Err((SCN_06, text.to_owned()));
    }
    if !unit.on_table() || unit.mounted || !matches!(unit.arm, Arm::Infantry | Arm::Cavalry | Arm::Artillery) {
        return Err((
            OBS_08,
            format!("`{name}` cannot have dug hasty works: only foot and guns on the table stand behind them"),
        ));
    }
    let needed = works::frontage(unit);
    if left < needed {
        let text = format!(
            "`{name}` needs {} of hasty works, and its side has {} left to place; leave out another unit",
            fire::inches(needed),
            fire::inches(left)
        );
        return Err((SCN_18, text));
    }
    Ok(())
}

/// SCN-18 Digs the works of all who begin behind them, side by side and in the order of their names, as far as the inches of
/// their side go.
pub(super) fn dig(table: &mut Table, rules: &Ruleset, dug_in: &BTreeMap<UnitId, UnitDraft>) {
    for side in Side::BOTH {
        let mut left = table.scenario().sides.get(side).hasty_works;
        for (id, said) in dug_in {
            let Some(ix) = table.find(id).filter(|ix| table[*ix].side == side) else { continue };
            if begins_dug_in(&table[ix], said, left).is_ok() {
                left -= works::frontage(&table[ix]);
                works::dig_before_battle(table, rules, ix);
            }
        }
    }
}
