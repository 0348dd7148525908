//! Who has moved since one last looked: of a pair of which neither has, nothing new can be told.
//!
//! Owns [`Watch`]. It never measures.

use std::collections::{BTreeMap, BTreeSet};

use protocol::ids::LeaderId;

use crate::battle::Table;
use crate::geometry::Rect;

/// How all units and leaders stood when one last looked; `S` is what matters of a unit's standing.
#[derive(Debug)]
pub(crate) struct Watch<S> {
    /// Every unit, by its place in the list; none for one of whom nothing matters.
    units: Vec<Option<S>>,
    /// The stands of the leaders on the table.
    leaders: BTreeMap<LeaderId, Rect>,
}

impl<S> Default for Watch<S> {
    /// Nobody has looked yet: all have moved.
    fn default() -> Self {
        Watch { units: Vec::new(), leaders: BTreeMap::new() }
    }
}

impl<S: PartialEq> Watch<S> {
    /// Takes down how all units stand now, and says which of them are not as they were.
    pub(crate) fn units_moved(&mut self, now: Vec<Option<S>>) -> Vec<bool> {
        let same_list = self.units.len() == now.len();
        let before = std::mem::replace(&mut self.units, now);
        let moved = |(n, now): (usize, &Option<S>)| !same_list || before[n] != *now;
        self.units.iter().enumerate().map(moved).collect()
    }

    /// Takes down where all leaders stand now, and says which of them did not stand there.
    pub(crate) fn leaders_moved(&mut self, table: &Table) -> BTreeSet<LeaderId> {
        let now = table.leaders_on_table().map(|leader| (leader.id.clone(), leader.stand())).collect();
        let before = std::mem::replace(&mut self.leaders, now);
        let moved = self.leaders.iter().filter(|(id, stand)| before.get(*id) != Some(stand));
        moved.map(|(id, _)| id.clone()).collect()
    }

    /// How a unit stood when one last looked.
    pub(crate) fn unit(&self, place: usize) -> Option<&S> {
        self.units.get(place)?.as_ref()
    }
}
