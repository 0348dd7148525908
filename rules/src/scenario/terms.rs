//! What a scenario says in terms: places, conditions, arrivals, victory and special rules.
//!
//! Owns the closed vocabulary of SCNV and SCNS as types, one struct or variant a kind, with every field of the
//! vocabulary; and reading it. It never counts a score and never bends a rule: victory and the phases do, from
//! these types.

mod arrival;
mod condition;
mod place;
mod special;
mod victory;

use super::entry::Entry;
pub use arrival::*;
pub use condition::Condition;
pub(super) use place::stretch;
pub use place::{Edge, PlaceTerm, Stretch, door, facing_at_door};
pub use special::*;
pub use victory::*;
pub(super) use {
    arrival::arrival,
    special::special,
    victory::{VictoryTable, victory_term},
};

/// Units that a term concerns: ids of units, batteries and commanders; a commander means all under him. SCNS-01
pub type Who = Vec<String>;

fn turn(e: &mut Entry<'_, '_>, key: &'static str) -> u32 {
    e.int(key, 1..=200).unsigned_abs()
}

fn needed_turns(e: &mut Entry<'_, '_>) -> (u32, u32) {
    if e.need("turns", "the first and last turn, [a, b]").is_none() {
        return (1, 1);
    }
    e.opt_turns("turns").unwrap_or((1, 1))
}
