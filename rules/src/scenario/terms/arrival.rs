//! Troops that come later. SCN-11, SCN-12

use protocol::ids::Side;
use protocol::words::Formation;
use serde::{Deserialize, Serialize};

use super::condition::{Condition, condition};
use super::place::{PlaceTerm, needed_place};
use super::{Who, turn};
use crate::scenario::entry::{Entry, Names};

/// Troops that come later. SCN-11, SCN-12
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrival {
    /// Its word.
    pub id: String,
    /// Its side.
    pub side: Side,
    /// The turn from which it may enter; turns after the trigger where there is one.
    pub turn: u32,
    /// Where it enters: a point or a stretch of an edge.
    pub place: PlaceTerm,
    /// Who comes, in the order of entry.
    pub who: Who,
    /// The least die that lets it enter.
    pub roll: Option<u32>,
    /// Whether the owner may keep it away for good.
    pub owner_may_refuse: bool,
    /// Takes part only when the game says so.
    pub optional: bool,
    /// Described but not listed: it cannot be switched on.
    pub unlisted: bool,
    /// The turn counts from the one after this came true.
    pub due_if: Option<Condition>,
    /// The formation in which all enter; absent: that of each unit.
    pub formation: Option<Formation>,
    /// Words for readers.
    pub note: String,
}

/// Reads one `[[arrival]]`.
pub(in crate::scenario) fn arrival(mut e: Entry<'_, '_>) -> Arrival {
    let unlisted = e.flag("unlisted", false);
    let choice: Option<OwnerChoice> = e.opt_word("choice");
    let arrival = Arrival {
        id: e.id("id"),
        side: e.word("side"),
        turn: turn(&mut e, "turn"),
        place: needed_place(&mut e),
        who: e.names("who", Names::Who),
        roll: e.opt_int("roll", 2..=6).map(i32::unsigned_abs),
        owner_may_refuse: choice.is_some(),
        optional: e.flag("optional", false),
        unlisted,
        due_if: condition(&mut e, "due_if"),
        formation: e.opt_word("formation"),
        note: e.text_or_empty("note"),
    };
    if arrival.who.is_empty() && !unlisted {
        e.fault(e.at, "nobody arrives", "name units in `who`, or set `unlisted = true`");
    }
    if !matches!(arrival.place, PlaceTerm::Around { .. } | PlaceTerm::Edge(_)) {
        e.fault(
            e.at,
            "an arrival enters at a point or an edge",
            "give `at = [x, y]` or `edge = [\"north\", from, to]`",
        );
    }
    e.finish();
    arrival
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum OwnerChoice {
    Owner,
}
