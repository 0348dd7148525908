//! A battle as bytes for the store, and back. The only way by which secrets leave the rules, and only as [`StoredBytes`].
//!
//! Owns the stored form (JSON, versioned by [`FORMAT`]). It never compresses, encrypts or writes: the store does.

use std::sync::Arc;

use protocol::ids::BySide;
use serde::{Deserialize, Serialize};

use crate::battle::{Battle, Secret, SideSecrets, Table, Theatre};

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
            Unreadable::Malformed(cause) => write!(f, "stored battle is malformed at byte {}", cause.column()),
            Unreadable::Format(format) => write!(f, "stored battle has format {format}, this version reads {FORMAT}"),
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
