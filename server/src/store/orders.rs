//! Drafts and seals: what a seat may do while a window is open.

use protocol::ids::SeatId;

use super::connection::{Connection, Failure, sql, unexpected, values};
use super::seating::{exactly_one, lock_game};
use super::writer::{Command, Operation};
use super::{ClosedBy, CommandId, EnvelopeSource, GameId, Hash, Millis, Seed, StageKey, StoreError, StoredBytes};

/// A draft to save.
pub struct SaveDraft {
    /// The stage it is for.
    pub key: StageKey,
    /// Whose it is.
    pub seat: SeatId,
    /// JSON as received.
    pub body: StoredBytes,
    /// The revision it replaces; 0 when there is none yet.
    pub replaces: u32,
    /// The client's identifier of this save.
    pub command: CommandId,
    /// The time now.
    pub now: Millis,
}

impl Command for SaveDraft {
    fn game(&self) -> GameId {
        self.key.game
    }
}

impl Operation for SaveDraft {
    /// The revision it got.
    type Answer = u32;

    async fn run(&self, db: &mut Connection) -> Result<u32, Failure> {
        let standing = lock_game(db, self.key.game).await?;
        let StageKey { game, line, turn, stage } = self.key;
        let draft = db
            .fetch_optional(
                sql!(
                    "select revision, command from drafts \
                     where game = $1 and line = $2 and turn = $3 and stage = $4 and seat = $5"
                ),
                values![game, line, turn, stage, &self.seat],
            )
            .await?;
        let (revision, last): (u32, Option<String>) = match draft {
            Some(mut row) => (row.next()?, Some(row.next()?)),
            None => (0, None),
        };
        // A resend is recognised before any rule can refuse it.
        if last.as_deref() == Some(self.command.as_str()) {
            return Ok(revision);
        }
        standing.must_wait_for(self.key)?;
        window_must_be_open(db, self.key, self.now).await?;
        super::seating::seat(db, game, &self.seat).await?;
        if is_sealed(db, self.key, &self.seat).await? {
            return Err(StoreError::Sealed.into());
        }
        if revision != self.replaces {
            return Err(StoreError::DraftChanged { revision }.into());
        }
        let next = revision.checked_add(1).ok_or_else(|| unexpected("a draft's revision"))?;
        let saved = db
            .execute(
                sql!(
                    "insert into drafts (game, line, turn, stage, seat, body, revision, command, saved_at) \
                     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
                     on conflict (game, line, turn, stage, seat) do update set body = excluded.body, \
                     revision = excluded.revision, command = excluded.command, saved_at = excluded.saved_at"
                ),
                values![game, line, turn, stage, &self.seat, &self.body, next, self.command.as_str(), self.now],
            )
            .await?;
        exactly_one(saved)?;
        Ok(next)
    }
}

/// An envelope to seal, with the answer to give and to give again.
pub struct Seal {
    /// The stage it is for.
    pub key: StageKey,
    /// Whose it is.
    pub seat: SeatId,
    /// Bytes as received, over which the hash was taken.
    pub body: StoredBytes,
    /// The player's part in the dice.
    pub nonce: Seed,
    /// What keeps the hash from being guessed.
    pub salt: Seed,
    /// The hash on the receipt.
    pub hash: Hash,
    /// The client's identifier of this seal.
    pub command: CommandId,
    /// Hash of what the client asked: one identifier means one thing.
    pub request: Hash,
    /// What to answer (the receipt), now and to every resend.
    pub answer: StoredBytes,
    /// The time now.
    pub now: Millis,
}

/// What became of a seal or unseal.
#[derive(Clone, PartialEq, Eq)]
pub struct Sealed {
    /// The answer to send: the first one, if the command was sent before.
    pub answer: StoredBytes,
    /// The command had been carried out before.
    pub repeated: bool,
    /// This seal was the last that the window waited for, and has closed it: its caller resolves the stage.
    pub closed: bool,
}

impl Command for Seal {
    fn game(&self) -> GameId {
        self.key.game
    }
}

impl Operation for Seal {
    type Answer = Sealed;

    async fn run(&self, db: &mut Connection) -> Result<Sealed, Failure> {
        let standing = lock_game(db, self.key.game).await?;
        if let Some(answer) = answered(db, self.key.game, &self.seat, &self.command, self.request).await? {
            return Ok(Sealed { answer, repeated: true, closed: false });
        }
        standing.must_wait_for(self.key)?;
        window_must_be_open(db, self.key, self.now).await?;
        super::seating::seat(db, self.key.game, &self.seat).await?;
        let envelope = NewEnvelope {
            seat: self.seat.clone(),
            body: self.body.clone(),
            nonce: self.nonce.clone(),
            salt: self.salt.clone(),
            hash: self.hash,
        };
        let source = EnvelopeSource::Player;
        if !insert_envelope(db, self.key, &envelope, source, self.command.as_str(), self.now).await? {
            return Err(StoreError::Sealed.into());
        }
        remember(db, self.key.game, &self.seat, &self.command, self.request, &self.answer, self.now).await?;
        let closed = all_in(db, self.key).await?;
        if closed {
            exactly_one(super::windows::close(db, self.key, ClosedBy::Seals, self.now).await?)?;
        }
        Ok(Sealed { answer: self.answer.clone(), repeated: false, closed })
    }
}

/// Takes a seal back while the window is open. The draft is as it was before the seal.
pub struct Unseal {
    /// The stage.
    pub key: StageKey,
    /// Whose envelope it is.
    pub seat: SeatId,
    /// The client's identifier of this command.
    pub command: CommandId,
    /// Hash of what the client asked.
    pub request: Hash,
    /// What to answer, now and to every resend.
    pub answer: StoredBytes,
    /// The time now.
    pub now: Millis,
}

impl Command for Unseal {
    fn game(&self) -> GameId {
        self.key.game
    }
}

impl Operation for Unseal {
    type Answer = Sealed;

    async fn run(&self, db: &mut Connection) -> Result<Sealed, Failure> {
        let standing = lock_game(db, self.key.game).await?;
        if let Some(answer) = answered(db, self.key.game, &self.seat, &self.command, self.request).await? {
            return Ok(Sealed { answer, repeated: true, closed: false });
        }
        standing.must_wait_for(self.key)?;
        window_must_be_open(db, self.key, self.now).await?;
        let StageKey { game, line, turn, stage } = self.key;
        let taken = db
            .execute(
                sql!("delete from envelopes where game = $1 and line = $2 and turn = $3 and stage = $4 and seat = $5"),
                values![game, line, turn, stage, &self.seat],
            )
            .await?;
        if taken != 1 {
            return Err(StoreError::NotSealed.into());
        }
        remember(db, game, &self.seat, &self.command, self.request, &self.answer, self.now).await?;
        Ok(Sealed { answer: self.answer.clone(), repeated: false, closed: false })
    }
}

/// An envelope before it has a place.
#[derive(Clone)]
pub struct NewEnvelope {
    /// Whose it is.
    pub seat: SeatId,
    /// The bytes over which the hash was taken.
    pub body: StoredBytes,
    /// The part in the dice: 32 zero bytes, as for an absent seat, when the player gave none.
    pub nonce: Seed,
    /// What keeps the hash from being guessed.
    pub salt: Seed,
    /// The hash.
    pub hash: Hash,
}

/// After a window has closed: drafts that count as sealed. A seat that has an envelope keeps it.
pub(crate) struct SealDrafts {
    pub(crate) key: StageKey,
    pub(crate) envelopes: Vec<NewEnvelope>,
    pub(crate) now: Millis,
}

impl Command for SealDrafts {
    fn game(&self) -> GameId {
        self.key.game
    }
}

impl Operation for SealDrafts {
    type Answer = ();

    async fn run(&self, db: &mut Connection) -> Result<(), Failure> {
        lock_game(db, self.key.game).await?;
        let window = super::windows::window(db, self.key).await?;
        if window.closed_at.is_none() {
            return Err(StoreError::WindowOpen.into());
        }
        if window.resolved_at.is_some() {
            return Err(StoreError::AlreadyResolved.into());
        }
        for envelope in &self.envelopes {
            super::seating::seat(db, self.key.game, &envelope.seat).await?;
            // Two nodes may see to the same window; the first envelope stands.
            insert_envelope(db, self.key, envelope, EnvelopeSource::Deadline, "deadline", self.now).await?;
        }
        Ok(())
    }
}

/// Stores an envelope; false when the seat has one.
async fn insert_envelope(
    db: &mut Connection,
    key: StageKey,
    envelope: &NewEnvelope,
    source: EnvelopeSource,
    command: &str,
    now: Millis,
) -> Result<bool, Failure> {
    let NewEnvelope { seat, body, nonce, salt, hash } = envelope;
    let inserted = db
        .execute(
            sql!(
                "insert into envelopes (game, line, turn, stage, seat, body, nonce, salt, hash, source, command, \
                 sealed_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing"
            ),
            values![
                key.game,
                key.line,
                key.turn,
                key.stage,
                seat,
                body,
                nonce,
                salt,
                *hash,
                source.as_str(),
                command,
                now
            ],
        )
        .await?;
    Ok(inserted == 1)
}

/// Whether no required seat is missing.
async fn all_in(db: &mut Connection, key: StageKey) -> Result<bool, Failure> {
    let missing = db
        .fetch_optional(
            sql!(
                "select seats.seat from seats where seats.game = $1 and seats.required = 1 and not exists \
                 (select 1 from envelopes where envelopes.game = $1 and envelopes.line = $2 and envelopes.turn = $3 \
                 and envelopes.stage = $4 and envelopes.seat = seats.seat) limit 1"
            ),
            values![key.game, key.line, key.turn, key.stage],
        )
        .await?;
    Ok(missing.is_none())
}

async fn is_sealed(db: &mut Connection, key: StageKey, seat: &SeatId) -> Result<bool, Failure> {
    let found = db
        .fetch_optional(
            sql!("select seat from envelopes where game = $1 and line = $2 and turn = $3 and stage = $4 and seat = $5"),
            values![key.game, key.line, key.turn, key.stage, seat],
        )
        .await?;
    Ok(found.is_some())
}

/// Open, and its deadline still ahead: at the deadline itself it is too late, whether or not it was closed yet.
async fn window_must_be_open(db: &mut Connection, key: StageKey, now: Millis) -> Result<(), Failure> {
    let row = db
        .fetch_optional(
            sql!("select closed_at, deadline from windows where game = $1 and line = $2 and turn = $3 and stage = $4"),
            values![key.game, key.line, key.turn, key.stage],
        )
        .await?;
    let Some(mut row) = row else { return Err(StoreError::NoSuchWindow.into()) };
    let closed_at: Option<Millis> = row.next()?;
    let deadline: Option<Millis> = row.next()?;
    let late = deadline.is_some_and(|deadline| deadline <= now);
    if closed_at.is_some() || late { Err(StoreError::WindowClosed.into()) } else { Ok(()) }
}

/// The answer to a command that was carried out before.
pub(crate) async fn answered(
    db: &mut Connection,
    game: GameId,
    seat: &SeatId,
    command: &CommandId,
    request: Hash,
) -> Result<Option<StoredBytes>, Failure> {
    let row = db
        .fetch_optional(
            sql!("select request, answer from commands where game = $1 and seat = $2 and command = $3"),
            values![game, seat, command.as_str()],
        )
        .await?;
    let Some(mut row) = row else { return Ok(None) };
    let first: Hash = row.next()?;
    if first != request {
        return Err(StoreError::CommandReused.into());
    }
    row.next().map(Some)
}

async fn remember(
    db: &mut Connection,
    game: GameId,
    seat: &SeatId,
    command: &CommandId,
    request: Hash,
    answer: &StoredBytes,
    now: Millis,
) -> Result<(), Failure> {
    let remembered = db
        .execute(
            sql!("insert into commands (game, seat, command, request, answer, at) values ($1, $2, $3, $4, $5, $6)"),
            values![game, seat, command.as_str(), request, answer, now],
        )
        .await?;
    exactly_one(remembered)
}
