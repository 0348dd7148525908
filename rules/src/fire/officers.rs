//! Officers who steady a fire. FIRE-27, ARTY-19, LEAD-07

use std::collections::BTreeMap;

use protocol::words::Arm;

use super::Shot;
use crate::battle::{Leader, UnitIx};
use crate::field::Field;
use crate::play::Play;

/// Who helps which unit's fire.
pub enum Officers {
    /// Whoever could: for odds, before help is allotted.
    Present,
    /// As it was allotted for this group of fires: by unit, in words. LEAD-07
    Allotted(BTreeMap<UnitIx, String>),
}

impl Officers {
    /// The officer who helps any of these units, which fire as one. ARTY-19
    pub fn helping(&self, field: &Field<'_>, units: &[UnitIx]) -> Option<String> {
        match self {
            Officers::Present => units.iter().find_map(|unit| present(field, *unit)).map(words),
            Officers::Allotted(helped) => units.iter().find_map(|unit| helped.get(unit)).cloned(),
        }
    }
}

/// LEAD-07 Allots the officers' help to a group of fires. Guns that fire as one count as one unit. ARTY-19
pub(super) fn allot(play: &mut Play<'_>, shots: &[Shot]) -> Officers {
    let before = play.table().clone();
    let field = super::look(play, &before);
    let mut helped = BTreeMap::new();
    for shot in shots {
        let units: Vec<UnitIx> = shot.firers.iter().map(|firer| firer.unit).collect();
        if let Some(unit) = units.iter().copied().find(|unit| present(&field, *unit).is_some()) {
            helped.extend(present(&field, unit).map(|leader| (unit, words(leader))));
        }
    }
    Officers::Allotted(helped)
}

fn words(leader: &Leader) -> String {
    format!("{} (level {})", leader.name, leader.level)
}

/// LEAD-01, LEAD-10 The officer who could help a unit's fire.
fn present<'a>(field: &Field<'a>, unit: UnitIx) -> Option<&'a Leader> {
    let firing = field.unit(unit);
    let able = field.table.leaders_on_table().filter(|leader| {
        let guns = firing.arm == Arm::Artillery;
        leader.side == firing.side
            && 0 < leader.level
            && (leader.arm == Some(Arm::Artillery)) == guns
            && field.leader_distance(leader, unit).within(i32::from(leader.level) * 1_000)
    });
    able.max_by_key(|leader| leader.level)
}
