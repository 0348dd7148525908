//! Fire at pickets that cannot be fired at. HID-56
//!
//! Owns the one refusal of `unseen_fire`: it names an enemy's picket that is on the table. All of it is public.

use protocol::ids::Side;
use protocol::orders::{Instructions, UnseenFire};

use super::legality::Reason;
use crate::battle::Table;
use crate::catalogue::HID_56;

/// HID-56 Why a side's unit may not be told to fire at that picket; words that follow the name of whom they were for.
pub(super) fn why_not(table: &Table, side: Side, said: &Instructions) -> Option<Reason> {
    let Some(UnseenFire::Picket { number }) = said.unseen_fire else { return None };
    let remedy = "name one of the enemy's that is on the table, or say none";
    match table.pickets.get(&number) {
        Some(picket) if picket.side != side => None,
        Some(_) => Some((HID_56, format!("names picket {}, which is your own; {remedy}", number.0))),
        None => Some((HID_56, format!("names picket {}, which is not on the table; {remedy}", number.0))),
    }
}
