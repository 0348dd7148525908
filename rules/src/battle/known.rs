//! What one side may know of a battle.

use std::sync::Arc;

use protocol::ids::{PicketNumber, Side};
use protocol::view::Presence;

use crate::los;

use super::{Battle, Leader, SideSecrets, Table, Under};

/// What one side may know: the table without the enemy's secrets, and its own.
///
/// The enemy's orders and hidden things are absent by type, so an answer computed from a `Known` cannot tell them.
/// Two battles that look alike to a side have equal `Known`s.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Whose knowledge this is.
    pub side: Side,
    /// The table as the side knows it; its own hidden units are on its list as they are.
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
///
/// HID-21, HID-61 Its own hidden units are on the list as they are, but not on the table: nothing that is asked for an open
/// unit finds them. What is asked for a hidden one is asked [`behind`](Known::behind) the pickets.
pub fn known(battle: &Battle, side: Side) -> Known {
    let Battle { table, secrets } = battle;
    let own = secrets.get(side).open().clone();
    let mut table = table.clone().with_own_memory();
    if table.is_deploying() {
        table.keep_only(Some(side));
    }
    los::veil(&mut table, los::Eyes::Side(side), battle);
    forget_who_came(&mut table, side.enemy());
    table.insert_hidden(&own);
    Known { side, table, own }
}

/// HID-67 Of the enemy's reinforcements nobody knows whether they wait or came in under pickets.
fn forget_who_came(table: &mut Table, enemy: Side) {
    let theatre = Arc::clone(&table.theatre);
    let comes = |id: &str| theatre.scenario.arrival_of(id).is_some();
    for (_, unit) in table.all_units_mut() {
        if unit.side == enemy && unit.presence == Presence::Hidden && comes(unit.id.as_str()) {
            unit.presence = Presence::ToCome;
        }
    }
    for leader in table.leaders.values_mut() {
        if leader.side == enemy && leader.presence == Presence::Hidden && comes(leader.id.as_str()) {
            leader.presence = Presence::ToCome;
        }
    }
}

impl Known {
    /// The same knowledge with all that the side's own pickets hide standing in its place, as if it had been revealed: the
    /// table on which a hidden unit is judged. HID-21, HID-61
    pub fn behind(&self) -> Known {
        let mut known = self.clone();
        for (number, under) in &self.own.pickets {
            for unit in &under.units {
                let mut unit = unit.clone();
                unit.presence = Presence::Table;
                // HID-37 Under seal too its visibility dice are those of its picket.
                unit.picket = Some((*number, known.table.turn));
                known.table.insert(unit);
            }
            for leader in &under.leaders {
                let leader = Leader { presence: Presence::Table, ..leader.clone() };
                known.table.leaders.insert(leader.id.clone(), leader);
            }
        }
        known
    }

    /// What the picket of that number hides, if it is the side's own.
    pub fn under(&self, number: PicketNumber) -> Option<&Under> {
        self.own.pickets.get(&number)
    }
}
