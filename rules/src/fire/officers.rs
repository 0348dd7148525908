//! Officers who steady a fire. FIRE-27, ARTY-19, LEAD-07
//!
//! Owns which unit of a shot asks for help; who helps is [`crate::leaders`]'s.

use std::collections::BTreeMap;

use super::Shot;
use crate::battle::UnitIx;
use crate::field::Field;
use crate::leaders::{self, Help, Helper};
use crate::play::Play;

/// Who helps which unit's fire.
pub enum Officers {
    /// Whoever could: for odds, before help is allotted.
    Present,
    /// As it was allotted for this group of fires: by unit, in words. LEAD-07
    Allotted(BTreeMap<UnitIx, String>),
}

impl Officers {
    /// The officer who helps any of these units, which fire as one, in words. ARTY-19
    pub fn helping(&self, field: &Field<'_>, units: &[UnitIx]) -> Option<String> {
        match self {
            Officers::Present => {
                let leader = units.iter().find_map(|unit| leaders::present_for(field, *unit, Help::Fire))?;
                Some(Helper::of(field.table, leader).fire(field.rules).1)
            }
            Officers::Allotted(helped) => units.iter().find_map(|unit| helped.get(unit)).cloned(),
        }
    }
}

/// LEAD-07 Allots the officers' help to a group of fires. Guns that fire as one count as one unit, for which the first of
/// them that an officer could help asks. ARTY-19
pub(super) fn allot(play: &mut Play<'_>, shots: &[Shot]) -> Officers {
    let asking: Vec<(UnitIx, Help)> = {
        let field = super::look(play, play.table());
        let able = |unit: &UnitIx| leaders::present_for(&field, *unit, Help::Fire).is_some();
        let mut asking: Vec<UnitIx> =
            shots.iter().filter_map(|shot| shot.firers.iter().map(|firer| firer.unit).find(able)).collect();
        asking.sort_unstable();
        asking.dedup();
        asking.into_iter().map(|unit| (unit, Help::Fire)).collect()
    };
    let allotment = leaders::allot(play, &asking);
    let words = |unit: UnitIx| allotment.helper(unit).map(|helper| (unit, helper.fire(play.rules).1));
    Officers::Allotted(asking.into_iter().filter_map(|(unit, _)| words(unit)).collect())
}
