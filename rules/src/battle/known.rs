//! What one side may know of a battle.

use protocol::ids::Side;

use super::{Battle, SideSecrets, Table};

/// What one side may know: the table without the enemy's secrets, and its own.
///
/// The enemy's orders and hidden things are absent by type, so an answer computed from a `Known` cannot tell them.
/// Two battles that look alike to a side have equal `Known`s.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Whose knowledge this is.
    pub side: Side,
    /// The table as the side knows it, with its own hidden units on it.
    pub table: Table,
    /// Its own secrets.
    pub(crate) own: SideSecrets,
}

impl Known {
    /// The same knowledge with the battle's memory for lines of sight: for an answer that no player waits for.
    pub(crate) fn sharing_memory_of(mut self, battle: &Battle) -> Known {
        self.table = self.table.with_memory_of(&battle.table);
        self
    }
}

/// What `side` may know of `battle`. In the fog setting `tabletop` every open unit and every marker is seen. HID-12
///
/// SCN-06 While the sides place their units, a side has only its own before it.
pub fn known(battle: &Battle, side: Side) -> Known {
    let Battle { table, secrets } = battle;
    let own = secrets.get(side).open().clone();
    let mut table = table.clone().with_own_memory();
    if table.is_deploying() {
        table.keep_only(Some(side));
    }
    for unit in own.hidden.values().flatten() {
        table.insert(unit.clone());
    }
    Known { side, table, own }
}
