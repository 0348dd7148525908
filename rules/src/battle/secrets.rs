//! What only one side may know: orders, instructions, what its pickets hide.

use std::collections::BTreeMap;
use std::fmt;

use protocol::ids::{BySide, FeatureId, LeaderId, PicketNumber, Side, UnitId};
use protocol::orders::{Instructions, LeaderDraft, Order, Stage};
use protocol::place::Point;
use serde::{Deserialize, Serialize};

use super::{Memory, Picket, Score, Under};
use crate::ground::GroundChanges;
use crate::hidden::{Kept, RosterLine};

/// A value that only some may know. It does not serialise, print or open outside the rules.
#[derive(Clone, Default, PartialEq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Locks a value up.
    pub fn new(value: T) -> Self {
        Secret(value)
    }

    /// The value, for the rules alone.
    pub(crate) fn open(&self) -> &T {
        &self.0
    }

    /// The value, for the rules alone, to change it.
    pub(crate) fn open_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// All that one side keeps to itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideSecrets {
    /// This turn's orders, once sealed; empty before.
    pub orders: BTreeMap<UnitId, UnitOrders>,
    /// This turn's words to leaders.
    pub leaders: BTreeMap<LeaderId, LeaderOrders>,
    /// Postures given last turn, offered again in the draft. TURN-08
    pub postures: BTreeMap<UnitId, String>,
    /// What each picket hides; a dummy hides nothing. HID-01
    #[serde(default)]
    pub pickets: BTreeMap<PicketNumber, Under>,
    /// What has left the table under its picket. HID-66
    #[serde(default)]
    pub left: BTreeMap<PicketNumber, Under>,
    /// This turn's orders of pickets, once sealed; empty before. Of a picket that is revealed they become those of its units.
    /// HID-19, HID-50
    #[serde(default)]
    pub picket_orders: BTreeMap<PicketNumber, UnitOrders>,
    /// Which number stood for what when it was sealed. It stays when a picket is gone: it is disclosed after the game. HID-72
    #[serde(default)]
    pub roster: BTreeMap<PicketNumber, RosterLine>,
    /// Numbers drawn with all others and kept for reinforcements, in the order in which they are given out. HID-67
    #[serde(default)]
    pub kept_numbers: Vec<Kept>,
    /// Pickets at the door, which come on the table in phase 7 of this turn. HID-67
    #[serde(default)]
    pub entering: BTreeMap<PicketNumber, (Picket, Under)>,
    /// What its hidden units would have changed about the score of each side by the end of last turn, by term. SCNV-15
    #[serde(default)]
    pub unseen: BySide<Score>,
    /// Works that stand with its pickets, and that nobody else has seen. HID-64
    #[serde(default)]
    pub works: BTreeMap<PicketNumber, HiddenWorks>,
    /// The turn in which its hidden units first stood in the place of a `reach` term, by the term's name. SCNV-07
    #[serde(default)]
    pub reached: BTreeMap<String, u32>,
    /// Who had each place of a `last` term last alone, as the side has it that knows its own pickets. SCNV-06
    #[serde(default)]
    pub owned: BTreeMap<FeatureId, Option<Side>>,
    /// How its own troops, hidden ones among them, stood to the places of `last` terms at the end of each turn. SCNV-06
    #[serde(default)]
    pub stood: BTreeMap<String, BTreeMap<u32, Stood>>,
    /// What it remembers of what it saw; in the fog `line_of_sight` alone. LOS-07
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
}

/// How a side's own troops stand to a place at the end of a turn, whatever the enemy has there. SCNV-05
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stood {
    /// They hold it, if no enemy disputes it.
    pub holds: bool,
    /// They dispute it.
    pub there: bool,
}

/// What hidden units have built where they are; it is on the map of nobody but their own side. HID-64
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenWorks {
    /// Where the marker stood when the first of it was made.
    pub at: Point,
    /// What is built, and what went into it.
    pub changes: GroundChanges,
}

impl SideSecrets {
    /// The orders of a unit; of a hidden one those of its picket. HID-50
    pub(crate) fn orders_of(&self, unit: &UnitId) -> Option<&UnitOrders> {
        let of_picket = || {
            let mut pickets = self.pickets.iter();
            let (number, _) = pickets.find(|(_, under)| under.units.iter().any(|hidden| hidden.id == *unit))?;
            self.picket_orders.get(number)
        };
        self.orders.get(unit).or_else(of_picket)
    }
}

/// One unit's order and all that was said about it, window by window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitOrders {
    /// The order sealed in phase one; HOLD where nothing was said. ORD-03
    pub order: Order,
    /// It came with the order of its whole brigade. ORD-02, CHG-15
    #[serde(default)]
    pub by_group: bool,
    /// Keys with postures expanded, by the window in which they were given.
    pub said: BTreeMap<Stage, Instructions>,
}

/// A leader's orders, window by window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaderOrders {
    /// What was said, by the window in which it was given.
    pub said: BTreeMap<Stage, LeaderDraft>,
}
