//! Outcomes: recorded once under a unique key, chained by hash, and what opens after them.

use sha2::{Digest, Sha256};

use super::connection::{Connection, Failure, Row, sql, values};
use super::seating::{exactly_one, lock_game};
use super::writer::{Command, Operation};
use super::{EventsRecord, GameId, Hash, Millis, NewWindow, OutcomeRecord, StageKey, Status, StoreError, StoredBytes};

/// The result of a window: the outcomes of the stages it decided, and what comes next.
pub struct Resolution {
    /// The window that was resolved.
    pub at: StageKey,
    /// The hash of the outcome that the computation began from.
    pub previous: Hash,
    /// The outcome of the window's stage, then those of the stages of the same turn that open no window of their own.
    pub outcomes: Vec<NewOutcome>,
    /// The version that resolved them.
    pub engine_version: String,
    /// What opens.
    pub next: Next,
    /// The time now.
    pub now: Millis,
}

/// A stage's outcome.
pub struct NewOutcome {
    /// The stage, 1 to 4.
    pub stage: u8,
    /// The battle after it.
    pub battle: StoredBytes,
    /// What happened.
    pub events: StoredBytes,
}

/// What follows a resolution.
pub enum Next {
    /// Another window, of this turn or the next.
    Window(NewWindow),
    /// The game is over.
    End {
        /// JSON, public.
        result: String,
    },
}

/// Battle and events as stored, with the hashes of what they were.
pub(crate) struct Packed {
    pub(crate) stage: u8,
    battle: Vec<u8>,
    events: Vec<u8>,
    battle_hash: Hash,
    events_hash: Hash,
}

/// Fast, and small enough: a battle is read once for each stage.
const COMPRESSION: i32 = 3;

/// Compresses; off the async threads.
pub(crate) fn pack(stage: u8, battle: &StoredBytes, events: &StoredBytes) -> std::io::Result<Packed> {
    Ok(Packed {
        stage,
        battle: compress(battle.as_bytes())?,
        events: compress(events.as_bytes())?,
        battle_hash: Hash::of(battle.as_bytes()),
        events_hash: Hash::of(events.as_bytes()),
    })
}

/// zstd, one frame.
pub(crate) fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    zstd::encode_all(bytes, COMPRESSION)
}

/// The reverse of [`compress`].
pub(crate) fn expand(bytes: &StoredBytes) -> std::io::Result<StoredBytes> {
    zstd::decode_all(bytes.as_bytes()).map(StoredBytes::from_store)
}

/// The hash of an outcome: SHA-256 over the previous hash, the key, the engine version, and the hashes of battle and
/// events. Numbers are eight bytes, the highest first; the version is preceded by its length.
pub(crate) fn chained(previous: Hash, key: StageKey, engine_version: &str, packed: &Packed) -> Hash {
    let mut hash = Sha256::new();
    hash.update(b"picket outcome 1");
    hash.update(previous.0);
    hash.update(key.game.0.as_bytes());
    for number in [u64::from(key.line), u64::from(key.turn), u64::from(key.stage), engine_version.len() as u64] {
        hash.update(number.to_be_bytes());
    }
    hash.update(engine_version.as_bytes());
    hash.update(packed.battle_hash.0);
    hash.update(packed.events_hash.0);
    Hash(hash.finalize().into())
}

/// Records a resolution. A second one of the same stage loses.
pub(crate) struct Record {
    pub(crate) resolution: Resolution,
    pub(crate) packed: Vec<Packed>,
}

impl Command for Record {
    fn game(&self) -> GameId {
        self.resolution.at.game
    }
}

impl Operation for Record {
    /// The hash of the last outcome.
    type Answer = Hash;

    async fn run(&self, db: &mut Connection) -> Result<Hash, Failure> {
        let Resolution { at, previous, outcomes: _, engine_version, next, now } = &self.resolution;
        let standing = lock_game(db, at.game).await?;
        let window = super::windows::window(db, *at).await?;
        if window.resolved_at.is_some() {
            return Err(StoreError::AlreadyResolved.into());
        }
        if window.closed_at.is_none() {
            return Err(StoreError::WindowOpen.into());
        }
        if standing.status != Status::Resolving {
            return Err(StoreError::NotOpen(standing.status).into());
        }
        let latest = latest(db, at.game, at.line).await?;
        if latest.hash != *previous {
            return Err(StoreError::AlreadyResolved.into());
        }
        let mut chain = latest.hash;
        for (number, packed) in (latest.number + 1..).zip(&self.packed) {
            let key = StageKey { stage: packed.stage, ..*at };
            let hash = chained(chain, key, engine_version, packed);
            insert(db, key, number, packed, chain, hash, engine_version, *now).await?;
            chain = hash;
        }
        let resolved = db
            .execute(
                sql!(
                    "update windows set resolved_at = $5 where game = $1 and line = $2 and turn = $3 and stage = $4 \
                     and closed_at is not null and resolved_at is null"
                ),
                values![at.game, at.line, at.turn, at.stage, *now],
            )
            .await?;
        exactly_one(resolved)?;
        match next {
            Next::Window(window) => {
                super::windows::insert(db, at.game, at.line, window, *now).await?;
                let moved = db
                    .execute(
                        sql!(
                            "update games set status = 'open', turn = $2, stage = $3, engine_version = $4, \
                             updated_at = $5 where id = $1"
                        ),
                        values![at.game, window.turn, window.stage, engine_version, *now],
                    )
                    .await?;
                exactly_one(moved)?;
            }
            Next::End { result } => {
                let ended = db
                    .execute(
                        sql!("update games set status = 'ended', updated_at = $2 where id = $1"),
                        values![at.game, *now],
                    )
                    .await?;
                exactly_one(ended)?;
                insert_result(db, at.game, at.line, result, *now).await?;
            }
        }
        Ok(chain)
    }
}

/// Ends a game by agreement, resignation or the host's word, with its result.
pub(crate) struct EndGame {
    pub(crate) game: GameId,
    pub(crate) result: String,
    pub(crate) now: Millis,
}

impl Command for EndGame {
    fn game(&self) -> GameId {
        self.game
    }
}

impl Operation for EndGame {
    type Answer = ();

    async fn run(&self, db: &mut Connection) -> Result<(), Failure> {
        let standing = lock_game(db, self.game).await?;
        if standing.status == Status::Ended {
            return Err(StoreError::NotOpen(Status::Ended).into());
        }
        let ended = db
            .execute(
                sql!("update games set status = 'ended', held_reason = null, updated_at = $2 where id = $1"),
                values![self.game, self.now],
            )
            .await?;
        exactly_one(ended)?;
        insert_result(db, self.game, standing.line, &self.result, self.now).await
    }
}

async fn insert_result(db: &mut Connection, game: GameId, line: u32, result: &str, now: Millis) -> Result<(), Failure> {
    let kept = db
        .execute(
            sql!("insert into results (game, line, result, recorded_at) values ($1, $2, $3, $4)"),
            values![game, line, result, now],
        )
        .await?;
    exactly_one(kept)
}

/// Inserts one outcome; refuses when the stage has one.
#[expect(clippy::too_many_arguments, reason = "one row of one table, at two places")]
pub(crate) async fn insert(
    db: &mut Connection,
    key: StageKey,
    number: u32,
    packed: &Packed,
    previous: Hash,
    hash: Hash,
    engine_version: &str,
    now: Millis,
) -> Result<(), Failure> {
    let inserted = db
        .execute(
            sql!(
                "insert into outcomes (game, line, number, turn, stage, battle, events, previous_hash, hash, \
                 engine_version, resolved_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
                 on conflict do nothing"
            ),
            values![
                key.game,
                key.line,
                number,
                key.turn,
                key.stage,
                packed.battle.as_slice(),
                packed.events.as_slice(),
                previous,
                hash,
                engine_version,
                now
            ],
        )
        .await?;
    if inserted == 1 { Ok(()) } else { Err(StoreError::AlreadyResolved.into()) }
}

/// Number and hash of a line's newest outcome.
struct Latest {
    number: u32,
    hash: Hash,
}

async fn latest(db: &mut Connection, game: GameId, line: u32) -> Result<Latest, Failure> {
    let row = db
        .fetch_optional(
            sql!("select number, hash from outcomes where game = $1 and line = $2 order by number desc limit 1"),
            values![game, line],
        )
        .await?;
    let Some(mut row) = row else { return Err(StoreError::NoSuchGame(game).into()) };
    Ok(Latest { number: row.next()?, hash: row.next()? })
}

/// Reads a line's newest outcome, still compressed.
pub(crate) struct LatestOutcome {
    pub(crate) game: GameId,
    pub(crate) line: u32,
}

impl Operation for LatestOutcome {
    type Answer = OutcomeRecord;

    async fn run(&self, db: &mut Connection) -> Result<OutcomeRecord, Failure> {
        let row = db
            .fetch_optional(
                sql!(
                    "select game, line, turn, stage, number, battle, events, previous_hash, hash, engine_version, \
                     resolved_at from outcomes where game = $1 and line = $2 order by number desc limit 1"
                ),
                values![self.game, self.line],
            )
            .await?;
        match row {
            Some(row) => read_outcome(row),
            None => Err(StoreError::NoSuchGame(self.game).into()),
        }
    }
}

/// Reads all outcomes of a line from a number on, still compressed.
pub(crate) struct OutcomesFrom {
    pub(crate) game: GameId,
    pub(crate) line: u32,
    pub(crate) number: u32,
    pub(crate) limit: u32,
}

impl Operation for OutcomesFrom {
    type Answer = Vec<OutcomeRecord>;

    async fn run(&self, db: &mut Connection) -> Result<Vec<OutcomeRecord>, Failure> {
        db.fetch(
            sql!(
                "select game, line, turn, stage, number, battle, events, previous_hash, hash, engine_version, \
                 resolved_at from outcomes where game = $1 and line = $2 and number >= $3 order by number limit $4"
            ),
            values![self.game, self.line, self.number, self.limit],
        )
        .await?
        .into_iter()
        .map(read_outcome)
        .collect()
    }
}

fn read_outcome(mut row: Row) -> Result<OutcomeRecord, Failure> {
    Ok(OutcomeRecord {
        key: StageKey::new(row.next()?, row.next()?, row.next()?, row.next()?),
        number: row.next()?,
        battle: row.next()?,
        events: row.next()?,
        previous_hash: row.next()?,
        hash: row.next()?,
        engine_version: row.next()?,
        resolved_at: row.next()?,
    })
}

/// Reads the events of a line from a number on, still compressed.
pub(crate) struct EventsFrom {
    pub(crate) game: GameId,
    pub(crate) line: u32,
    pub(crate) number: u32,
    pub(crate) limit: u32,
}

impl Operation for EventsFrom {
    type Answer = Vec<EventsRecord>;

    async fn run(&self, db: &mut Connection) -> Result<Vec<EventsRecord>, Failure> {
        let rows = db
            .fetch(
                sql!(
                    "select game, line, turn, stage, number, events, hash, resolved_at from outcomes \
                     where game = $1 and line = $2 and number >= $3 order by number limit $4"
                ),
                values![self.game, self.line, self.number, self.limit],
            )
            .await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(EventsRecord {
                    key: StageKey::new(row.next()?, row.next()?, row.next()?, row.next()?),
                    number: row.next()?,
                    events: row.next()?,
                    hash: row.next()?,
                    resolved_at: row.next()?,
                })
            })
            .collect()
    }
}
