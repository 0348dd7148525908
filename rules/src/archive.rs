//! A battle and its events as bytes for the store, and back. The only way by which secrets leave the rules, and only as [`StoredBytes`].
//!
//! Owns the stored form (JSON, versioned by [`FORMAT`]). It never compresses, encrypts or writes: the store does.

use std::sync::Arc;

use protocol::event::{Explanation, Fact};
use protocol::ids::{BySide, Side};
use protocol::orders::Stage;
use serde::{Deserialize, Serialize};

use crate::battle::{Battle, Secret, SideSecrets, Table, Theatre};
use crate::catalogue::RuleId;
use crate::play::{Audience, Event};

/// The version of the stored form.
pub const FORMAT: u32 = 1;

/// Bytes that only the store takes: they neither print nor serialise.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredBytes(Vec<u8>);

impl StoredBytes {
    /// Bytes that come back from the store.
    pub fn from_store(bytes: Vec<u8>) -> Self {
        StoredBytes(bytes)
    }

    /// The bytes, for the store.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

#[derive(Serialize)]
struct StoredBattle<'a> {
    format: u32,
    table: &'a Table,
    secrets: BySide<&'a SideSecrets>,
}

#[derive(Deserialize)]
struct RestoredBattle {
    format: u32,
    table: Table,
    secrets: BySide<SideSecrets>,
}

/// Why stored bytes could not be read.
#[derive(Debug)]
pub enum Unreadable {
    /// They are not what this version writes.
    Malformed(serde_json::Error),
    /// They were written by another version.
    Format(u32),
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            // The error of serde_json quotes no content but a place, so no secret leaks through it.
            Unreadable::Malformed(cause) => write!(f, "stored bytes are malformed at byte {}", cause.column()),
            Unreadable::Format(format) => write!(f, "stored bytes have format {format}, this version reads {FORMAT}"),
        }
    }
}

impl std::error::Error for Unreadable {}

/// The battle as bytes. Equal battles give equal bytes.
pub fn store(battle: &Battle) -> StoredBytes {
    let Battle { table, secrets } = battle;
    let secrets = BySide { union: secrets.union.open(), confederate: secrets.confederate.open() };
    let stored = StoredBattle { format: FORMAT, table, secrets };
    StoredBytes(serde_json::to_vec(&stored).expect("a battle holds only maps with text keys, which JSON can write"))
}

/// The battle back from its bytes, in its theatre.
pub fn restore(bytes: &StoredBytes, theatre: Arc<Theatre>) -> Result<Battle, Unreadable> {
    let RestoredBattle { format, mut table, secrets } =
        serde_json::from_slice(&bytes.0).map_err(Unreadable::Malformed)?;
    if format != FORMAT {
        return Err(Unreadable::Format(format));
    }
    table.theatre = theatre;
    let BySide { union, confederate } = secrets;
    Ok(Battle { table, secrets: BySide { union: Secret::new(union), confederate: Secret::new(confederate) } })
}

#[derive(Serialize)]
struct StoredEvents<'a> {
    format: u32,
    events: Vec<StoredEvent<'a>>,
}

#[derive(Serialize)]
struct StoredEvent<'a> {
    stage: Stage,
    phase: u8,
    segment: Option<u8>,
    rule: RuleId,
    fact: &'a Fact,
    explanation: &'a Explanation,
    /// The one side that may know it; absent: everybody.
    only: Option<Side>,
    /// In the fog: kept from the side's enemy, or from both, by giving them something else or nothing. LOS-10
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<Part>,
}

/// How an event of the fog belongs to others. LOS-10
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    /// For both sides and nobody else.
    Both,
    /// Told in the place of a whole fact.
    Instead,
    /// For the umpire alone.
    Umpire,
}

#[derive(Deserialize)]
struct RestoredEvents {
    format: u32,
    events: Vec<RestoredEvent>,
}

#[derive(Deserialize)]
struct RestoredEvent {
    stage: Stage,
    phase: u8,
    segment: Option<u8>,
    rule: RuleId,
    fact: Fact,
    explanation: Explanation,
    only: Option<Side>,
    #[serde(default)]
    part: Option<Part>,
}

/// The events of a stage as bytes, each with those who may know it. Equal events give equal bytes.
pub fn store_events(events: &[Event]) -> StoredBytes {
    let events = StoredEvents { format: FORMAT, events: events.iter().map(stored_event).collect() };
    StoredBytes(serde_json::to_vec(&events).expect("events hold only maps with text keys, which JSON can write"))
}

fn stored_event(event: &Event) -> StoredEvent<'_> {
    let Event { stage, phase, segment, rule, fact, explanation, audience } = event;
    let (only, part) = match audience {
        Audience::All => (None, None),
        Audience::Side(side) => (Some(*side), None),
        Audience::Instead(side) => (Some(*side), Some(Part::Instead)),
        Audience::Both => (None, Some(Part::Both)),
        Audience::Umpire => (None, Some(Part::Umpire)),
    };
    StoredEvent { stage: *stage, phase: *phase, segment: *segment, rule: *rule, fact, explanation, only, part }
}

/// The events back from their bytes.
pub fn restore_events(bytes: &StoredBytes) -> Result<Vec<Event>, Unreadable> {
    let RestoredEvents { format, events } = serde_json::from_slice(&bytes.0).map_err(Unreadable::Malformed)?;
    if format != FORMAT {
        return Err(Unreadable::Format(format));
    }
    let restored = events.into_iter().map(|event| {
        let RestoredEvent { stage, phase, segment, rule, fact, explanation, only, part } = event;
        let audience = match (only, part) {
            (None, None | Some(Part::Instead)) => Audience::All,
            (_, Some(Part::Umpire)) => Audience::Umpire,
            (_, Some(Part::Both)) => Audience::Both,
            (Some(side), None) => Audience::Side(side),
            (Some(side), Some(Part::Instead)) => Audience::Instead(side),
        };
        Event { stage, phase, segment, rule, fact, explanation, audience }
    });
    Ok(restored.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_back_with_their_audience() {
        let event = |audience| Event {
            stage: Stage::Movement,
            phase: 7,
            segment: Some(71),
            rule: crate::catalogue::TURN_06,
            fact: Fact::PhaseBegan {},
            explanation: crate::explain::sentence("It began."),
            audience,
        };
        let instead = event(Audience::Instead(Side::Union));
        let fog = [instead, event(Audience::Both), event(Audience::Umpire)];
        let mut events = vec![event(Audience::All), event(Audience::Side(Side::Confederate))];
        events.extend(fog);
        assert_eq!(restore_events(&store_events(&events)).expect("what was stored can be read"), events);
    }

    #[test]
    fn another_format_is_not_guessed_at() {
        let bytes = StoredBytes::from_store(b"{\"format\":99,\"events\":[]}".to_vec());
        assert!(matches!(restore_events(&bytes), Err(Unreadable::Format(99))));
        let bytes = StoredBytes::from_store(b"secret".to_vec());
        let refused = restore_events(&bytes).expect_err("that is no JSON").to_string();
        assert!(!refused.contains("secret"), "{refused}");
    }
}
