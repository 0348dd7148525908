//! Who was seen in the phase that is played, and where. LOS-11

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::Stance;
use protocol::ids::{BySide, LeaderId, UnitId};

use crate::battle::UnitIx;

/// What was seen of the enemy at one instant, with how each unit stood.
pub(crate) type Seen = BTreeMap<UnitId, Stance>;

/// What a stage under way keeps of what was seen. No part of a battle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vision {
    /// What each side saw at each instant of this phase, by its segment; the first when the phase began. LOS-11
    pub(super) instants: Vec<(u8, BySide<Seen>)>,
    /// The leaders whom each side saw when the phase began. LOS-11
    pub(super) leaders: BySide<BTreeSet<LeaderId>>,
    /// Who saw a unit last: he is asked first.
    pub(super) witnesses: BTreeMap<UnitIx, UnitIx>,
}

impl Vision {
    /// LOS-11 The places at which a side saw a unit in this phase, by segment, and whether it saw it at every instant.
    pub(super) fn of(&self, side: protocol::ids::Side, unit: &UnitId) -> (Vec<(u8, Stance)>, bool) {
        let seen = self.instants.iter().filter_map(|(segment, seen)| {
            let stance = seen.get(side).get(unit)?;
            Some((*segment, stance.clone()))
        });
        let seen: Vec<(u8, Stance)> = seen.collect();
        let always = seen.len() == self.instants.len();
        (seen, always)
    }
}
