//! SCN-18, HID-64 Hasty works that a side has dug before turn 1, as many inches as the scenario gives it.
//!
//! Owns which units begin behind works of their own. A unit says so with the task of FORM that it would have in play; where the
//! works lie is told by [`crate::works`].

use std::collections::BTreeMap;

use protocol::ids::{PicketNumber, Side, UnitId};
use protocol::orders::{FormTask, Order, UnitDraft, Work};
use protocol::view::Presence;
use protocol::words::Arm;

use crate::battle::{Battle, Unit};
use crate::catalogue::{OBS_08, RuleId, SCN_06, SCN_18};
use crate::fire;
use crate::hidden;
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
    let is_here = matches!(unit.presence, Presence::Table | Presence::Hidden);
    if !is_here || unit.mounted || !matches!(unit.arm, Arm::Infantry | Arm::Cavalry | Arm::Artillery) {
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
/// their side go. Those of hidden units are their side's secret. HID-64
pub(super) fn dig(battle: &mut Battle, rules: &Ruleset, dug_in: &BTreeMap<UnitId, UnitDraft>) {
    for side in Side::BOTH {
        let mut left = battle.table.scenario().sides.get(side).hasty_works;
        for (id, said) in dug_in {
            let Some(ix) = battle.table.find(id).filter(|ix| battle.table[*ix].side == side) else { continue };
            let under = under(battle, side, id).map(|(number, unit)| (number, unit.clone()));
            let unit = under.as_ref().map_or(&battle.table[ix], |(_, unit)| unit);
            if begins_dug_in(unit, said, left).is_err() {
                continue;
            }
            left -= works::frontage(unit);
            match under {
                Some((number, _)) => hidden::dig_before_battle(battle, rules, number, ix),
                None => works::dig_before_battle(&mut battle.table, rules, ix),
            }
        }
    }
}

/// The picket that hides a unit, and the unit as it is under it.
fn under<'b>(battle: &'b Battle, side: Side, id: &UnitId) -> Option<(PicketNumber, &'b Unit)> {
    let mut pickets = battle.secrets.get(side).open().pickets.iter();
    pickets.find_map(|(number, under)| Some((*number, under.units.iter().find(|unit| unit.id == *id)?)))
}
