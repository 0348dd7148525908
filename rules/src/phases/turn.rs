//! The start and the end of a turn: marks, victory, arrivals.
//!
//! Owns what falls between the phases: step 1.1 of the turn at its start, step 9.4 at its end. It never takes an order.

use protocol::ids::BrigadeId;
use protocol::words::Arm;

use crate::battle::Unit;
use crate::levels::is_lost;
use crate::play::Play;
use crate::{command, leaders, levels};

/// Step 1.1 The start-of-turn marks of phase 1: wounded back, limits, command, where leaders begin.
pub fn begin(play: &mut Play<'_>) {
    wounded_come_back(play);
    lost_regiments_count(play);
    levels::mark(play);
    leaders::begin_turn(play);
    command::mark(play);
}

/// OFF-11 The wounded whose time is up are back before orders are marked.
fn wounded_come_back(play: &mut Play<'_>) {
    let turn = play.table().turn;
    for leader in play.table_mut().leaders.values_mut() {
        if leader.wounded_until.is_some_and(|back| back <= turn) {
            leader.wounded_until = None;
        }
    }
}

/// MOR-32, MOR-50 Regiments and battalions lost by the end of last turn count from now on.
fn lost_regiments_count(play: &mut Play<'_>) {
    let table = play.table_mut();
    let counts = |unit: &Unit| is_lost(unit) && matches!(unit.arm, Arm::Infantry | Arm::Cavalry);
    let lost: Vec<(BrigadeId, u32)> = table
        .brigades
        .keys()
        .map(|brigade| (brigade.clone(), table.members(brigade).filter(|(_, unit)| counts(unit)).count() as u32))
        .collect();
    for (id, lost) in lost {
        if let Some(brigade) = table.brigades.get_mut(&id) {
            brigade.regiments_lost_before = lost;
            brigade.regiments_lost_now = 0;
        }
    }
}

/// Counts what the turn brought, and passes to the next. SCNV-12, ORD-14
pub fn end(_play: &mut Play<'_>) {}
