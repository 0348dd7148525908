//! Officers who steady a fire. FIRE-27, ARTY-19, LEAD-07

use std::collections::BTreeMap;

use super::Shot;
use crate::battle::{Leader, UnitIx};
use crate::field::Field;
use crate::leaders::{self, Help};
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
    let mut batch: Vec<(UnitIx, Help)> = Vec::new();
    for shot in shots {
        let mut units = shot.firers.iter().map(|firer| firer.unit);
        let helped = units.find(|unit| present(&field, *unit).is_some());
        batch.extend(helped.filter(|unit| !batch.contains(&(*unit, Help::Fire))).map(|unit| (unit, Help::Fire)));
    }
    let allotment = leaders::allot(play, &batch);
    let in_words =
        allotment.helpers.into_iter().map(|(unit, helper)| (unit, format!("{} (level {})", helper.name, helper.level)));
    Officers::Allotted(in_words.collect())
}

fn words(leader: &Leader) -> String {
    format!("{} (level {})", leader.name, leader.level)
}

/// LEAD-01, LEAD-10 The officer who could help a unit's fire.
fn present<'a>(field: &Field<'a>, unit: UnitIx) -> Option<&'a Leader> {
    leaders::present_for(field, unit, Help::Fire)
}
