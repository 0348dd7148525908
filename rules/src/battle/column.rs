//! A brigade column: several regiments as one body. TAC-27 to TAC-36
//!
//! Owns what is remembered of it. Each of its regiments carries the same record; [`crate::column`] alone changes it.

use protocol::ids::UnitId;
use serde::{Deserialize, Serialize};

use super::Unit;

/// A brigade column, the same with each of its regiments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The regiments from the head; the first leads.
    pub ranks: Vec<Rank>,
    /// How many they were when it was formed. TAC-33
    pub formed_of: u32,
    /// Stands that they have lost since. TAC-33
    pub stands_lost: u32,
    /// Those of them for which checks have been taken, as far as any were due. TAC-33
    pub stands_answered: u32,
}

/// A regiment's place in a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rank {
    /// The regiment.
    pub unit: UnitId,
    /// How far its front lies behind that of the lead, thousandths of an inch. TAC-34
    pub back: i32,
}

impl Column {
    /// The regiment that leads.
    pub fn lead(&self) -> Option<&UnitId> {
        self.ranks.first().map(|rank| &rank.unit)
    }

    /// Whether a regiment stands in it.
    pub fn has(&self, unit: &UnitId) -> bool {
        self.ranks.iter().any(|rank| rank.unit == *unit)
    }

    /// TAC-33 Checks for lost stands that are due and not yet taken: one for each multiple of the number of regiments that
    /// the count has reached since the last.
    pub fn checks_due(&self) -> u32 {
        let of = self.formed_of.max(1);
        (self.stands_lost / of).saturating_sub(self.stands_answered / of)
    }
}

impl Unit {
    /// TAC-34 Whether it stands in a brigade column behind the lead.
    pub fn follows_in_column(&self) -> bool {
        self.column.as_ref().is_some_and(|column| column.lead() != Some(&self.id))
    }

    /// TAC-34 Whether it leads a brigade column.
    pub fn leads_column(&self) -> bool {
        self.column.as_ref().is_some_and(|column| column.lead() == Some(&self.id))
    }
}
