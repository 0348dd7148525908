//! The state of one fight: the table, what each side keeps secret, what is carried from turn to turn.
//!
//! Owns the types that a battle is made of and the two forms in which it is looked at:
//! [`Battle`] is the truth; [`Known`] is what one side may know of it, with the enemy's secrets absent by type.
//! Both hold a [`Table`], so that geometry, sight, cost, legality and odds are written once, over `&Table`.
//! It never resolves anything: phases stand in [`crate::phases`], what is drawn of a battle in [`crate::view`].
//!
//! Start at [`Table`], then [`Unit`].

mod column;
mod known;
mod leader;
mod listed;
mod picket;
mod roll;
mod secrets;
mod sights;
mod snapshot;
mod table;
mod theatre;
mod unit;

pub use column::{Column, Rank};
pub use known::{Known, known};
pub use leader::{Brigade, CommandLosses, Leader, LeaderMarks, Post};
pub(crate) use listed::Drawn;
pub use picket::{GonePicket, Picket, Under};
pub use roll::Roll;
pub use secrets::{HiddenWorks, LeaderOrders, Secret, SideSecrets, Stood, UnitOrders};
pub use sights::{Ghost, Memory, Sights};
pub(crate) use snapshot::Snapshot;
pub use table::{Ended, Score, Table, UnitIx};
pub use theatre::Theatre;
pub use unit::{AbandonedGuns, Carried, Footing, Guns, Labour, SameAim, Stand, TurnMarks, Unit};

use protocol::ids::BySide;

/// The truth: the open table and both sides' secrets.
///
/// A battle does not serialise: only [`crate::archive`] turns it into bytes for the store.
#[derive(Clone, Debug, PartialEq)]
pub struct Battle {
    /// All that stands openly on the table, and what is public about it.
    pub table: Table,
    /// Orders, instructions and hidden things of each side.
    pub secrets: BySide<Secret<SideSecrets>>,
}
