//! From a case to the battle that it describes.

use std::sync::Arc;

use protocol::ids::BySide;

use crate::battle::{Battle, Theatre, Unit};
use crate::column::forming;
use crate::losses;
use crate::ruleset::Ruleset;
use crate::scenario::case::{Case, UnitMarks};
use crate::setup::{self, Seating};

/// The battle with everything that the case marks, but for command, which phase 1 may judge.
pub(super) fn battle(case: &Case, rules: &Ruleset) -> Battle {
    let theatre = Theatre::new(Arc::clone(&case.scenario));
    let mut battle = setup::start(&theatre, rules, &Seating::one_each(), &case.switched_on, &BySide::default());
    battle.table.turn = case.turn;
    let plain = UnitMarks::default();
    for (_, unit) in battle.table.all_units_mut() {
        mark(unit, case.units.get(&unit.id).unwrap_or(&plain));
    }
    for regiments in &case.columns {
        let plan = forming::plan(&battle.table, regiments);
        forming::place_all(&mut battle.table, &plan);
    }
    for leader in battle.table.leaders.values_mut() {
        leader.attached = case.leaders.get(&leader.id).and_then(|mark| mark.attached.clone());
    }
    battle
}

fn mark(unit: &mut Unit, marks: &UnitMarks) {
    let UnitMarks {
        figures_lost,
        horses,
        in_command: _,
        shown: _,
        conditional_hold,
        changed_formation,
        moved,
        fires,
        fired_at,
        shot_kept,
        fell_back,
        charge_turns,
        disengage_turns,
        melee_last_turn,
    } = marks;
    // One figure at least is left: a unit that is lost is not in the case.
    let lost = (*figures_lost).min(unit.figures().saturating_sub(1));
    if 0 < lost {
        losses::take(unit, lost);
    }
    if let (Some(guns), Some(left)) = (unit.guns.as_mut(), horses) {
        guns.horses = *left;
    }
    unit.marks.in_command = true;
    unit.marks.conditional_hold = *conditional_hold;
    unit.marks.changed_formation = *changed_formation;
    unit.marks.moved = *moved;
    unit.marks.fires = *fires;
    unit.marks.fired_at = fired_at.clone();
    unit.marks.shot_kept = *shot_kept;
    unit.marks.fell_back = *fell_back;
    unit.carried.charge_turns = *charge_turns;
    unit.carried.disengage_turns = *disengage_turns;
    unit.carried.melee_last_turn = *melee_last_turn;
}

/// Who is in command, where the case says so.
pub(super) fn command(battle: &mut Battle, case: &Case) {
    for (_, unit) in battle.table.all_units_mut() {
        if let Some(in_command) = case.units.get(&unit.id).and_then(|marks| marks.in_command) {
            unit.marks.in_command = in_command;
        }
    }
}

/// The orders that the case shows in place of those that were sealed.
pub(super) fn show_orders(battle: &mut Battle, case: &Case) {
    for (_, unit) in battle.table.all_units_mut() {
        if let Some(shown) = case.units.get(&unit.id).and_then(|marks| marks.shown.clone()) {
            unit.marks.shown = Some(shown);
        }
    }
}
