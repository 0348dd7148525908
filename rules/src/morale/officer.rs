//! Officers who are present, as far as checks and competence rolls ask.
//!
//! Owns the one place where these chapters ask for an officer (LEAD-01, LEAD-10, TC-03). It never allots his help among
//! several units (LEAD-07).

use protocol::words::Arm;

use crate::battle::{Leader, UnitIx};
use crate::field::Field;

/// LEAD-01, LEAD-06 The officer present with a unit, the best of several; of equals the nearest.
pub fn present<'a>(field: &Field<'a>, unit: UnitIx) -> Option<&'a Leader> {
    best(field, unit, |_| true)
}

/// TC-03, LEAD-10 The officer who helps a unit in competence rolls: guns are helped by officers of artillery, cavalry by
/// officers of cavalry, foot by any.
pub fn for_competence<'a>(field: &Field<'a>, unit: UnitIx) -> Option<&'a Leader> {
    let arm = match field.unit(unit).arm {
        Arm::Artillery | Arm::GunCrew => Some(Arm::Artillery),
        Arm::Cavalry => Some(Arm::Cavalry),
        Arm::Infantry | Arm::Sharpshooter => None,
    };
    best(field, unit, |leader| arm.is_none() || leader.arm == arm)
}

fn best<'a>(field: &Field<'a>, unit: UnitIx, may_help: impl Fn(&Leader) -> bool) -> Option<&'a Leader> {
    let side = field.unit(unit).side;
    let near = field.table.leaders_on_table().filter(|leader| {
        let radius = field.rules.leader_level.at(leader.level).radius.thousandths();
        leader.side == side
            && 0 < leader.level
            && may_help(leader)
            && has_begun_with(field, leader, unit)
            && field.leader_distance(leader, unit).within(radius)
    });
    near.min_by_key(|leader| (u8::MAX - leader.level, field.leader_distance(leader, unit)))
}

/// LEAD-11 A routed unit is helped only by an officer who began the turn in reach of it; the place of the unit then is not
/// kept, so it is asked whether the officer has stayed where he was or with his unit.
fn has_begun_with(field: &Field, leader: &Leader, unit: UnitIx) -> bool {
    let unit = field.unit(unit);
    unit.is_unrouted() || leader.at == leader.at_turn_start || leader.attached.as_ref() == Some(&unit.id)
}
