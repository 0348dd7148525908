//! Who has moved since one last looked: of a pair of which neither has, nothing new can be told.
//!
//! Owns [`Watch`]. It never measures.

use std::collections::BTreeSet;

use protocol::ids::LeaderId;

use crate::battle::{Leader, Roll, Table};

/// How all units and leaders stood when one last looked; `S` is what matters of a unit's standing.
#[derive(Debug)]
pub(crate) struct Watch<S> {
    /// Every unit, by its place in the list; none for one of whom nothing matters.
    units: Vec<Option<S>>,
    /// The leaders.
    leaders: Roll<LeaderId, Leader>,
}

impl<S> Default for Watch<S> {
    /// Nobody has looked yet: all have moved.
    fn default() -> Self {
        Watch { units: Vec::new(), leaders: Roll::new() }
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
        let before = std::mem::replace(&mut self.leaders, table.leaders.clone());
        let stood = |leader: &Leader| leader.on_table().then(|| leader.stand());
        // Most are the very entries that they were then, and stand where they stood.
        let on_table = self.leaders.unlike(&before).filter(|(_, leader)| leader.on_table());
        let moved = on_table.filter(|(id, leader)| before.get(id).and_then(stood) != stood(leader));
        moved.map(|(id, _)| id.clone()).collect()
    }

    /// How a unit stood when one last looked.
    pub(crate) fn unit(&self, place: usize) -> Option<&S> {
        self.units.get(place)?.as_ref()
    }
}
