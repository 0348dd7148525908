//! What can be asked of the store. Reads see every commit that was acknowledged.

use protocol::ids::SeatId;

use super::connection::{Connection, Failure, Row, Sql, sql, unexpected, values};
use super::outcomes::LatestOutcome;
use super::seating::read_seat;
use super::writer::Operation;
use super::{
    DraftRecord, EnvelopeRecord, GameId, GameRecord, Hash, Inputs, SeatRecord, Seed, StageKey, StoreError, StoredBytes,
    TokenHash, WindowRecord,
};

/// One game without its large parts.
pub(crate) struct ReadGame(pub(crate) GameId);

impl Operation for ReadGame {
    type Answer = GameRecord;

    async fn run(&self, db: &mut Connection) -> Result<GameRecord, Failure> {
        game(db, self.0).await
    }
}

pub(super) async fn game(db: &mut Connection, id: GameId) -> Result<GameRecord, Failure> {
    let row = db
        .fetch_optional(
            sql!(
                "select id, scenario, scenario_hash, settings, ruleset_hash, engine_version, status, held_reason, \
                 line, turn, stage, created_at, updated_at from games where id = $1"
            ),
            values![id],
        )
        .await?;
    match row {
        Some(row) => read_game(row),
        None => Err(StoreError::NoSuchGame(id).into()),
    }
}

fn read_game(mut row: Row) -> Result<GameRecord, Failure> {
    Ok(GameRecord {
        id: row.next()?,
        scenario: row.next()?,
        scenario_hash: row.next()?,
        settings: row.next()?,
        ruleset_hash: row.next()?,
        engine_version: row.next()?,
        status: row.next()?,
        held_reason: row.next()?,
        line: row.next()?,
        turn: row.next()?,
        stage: row.next()?,
        created_at: row.next()?,
        updated_at: row.next()?,
    })
}

/// The scenario file a game was made from, compressed.
pub(crate) struct ReadScenario(pub(crate) GameId);

impl Operation for ReadScenario {
    type Answer = StoredBytes;

    async fn run(&self, db: &mut Connection) -> Result<StoredBytes, Failure> {
        let row = db.fetch_optional(sql!("select scenario_text from games where id = $1"), values![self.0]).await?;
        match row {
            Some(mut row) => row.next(),
            None => Err(StoreError::NoSuchGame(self.0).into()),
        }
    }
}

/// Whether a token is the host's.
pub(crate) struct IsHost(pub(crate) GameId, pub(crate) TokenHash);

impl Operation for IsHost {
    type Answer = bool;

    async fn run(&self, db: &mut Connection) -> Result<bool, Failure> {
        let found = db
            .fetch_optional(
                sql!("select id from games where id = $1 and host_token_hash = $2"),
                values![self.0, self.1],
            )
            .await?;
        Ok(found.is_some())
    }
}

/// All seats of a game, sorted by identifier.
pub(crate) struct ReadSeats(pub(crate) GameId);

impl Operation for ReadSeats {
    type Answer = Vec<SeatRecord>;

    async fn run(&self, db: &mut Connection) -> Result<Vec<SeatRecord>, Failure> {
        seats(db, self.0).await
    }
}

async fn seats(db: &mut Connection, game: GameId) -> Result<Vec<SeatRecord>, Failure> {
    let rows = db
        .fetch(sql!("select game, seat, side, required, name, joined_at from seats where game = $1"), values![game])
        .await?;
    let mut seats = rows.into_iter().map(read_seat).collect::<Result<Vec<_>, _>>()?;
    // Databases differ in how they sort text; this order is the same everywhere.
    seats.sort_by(|a, b| a.seat.cmp(&b.seat));
    Ok(seats)
}

/// All seats that a token holds, in any game.
pub(crate) struct SeatsOfToken(pub(crate) TokenHash);

impl Operation for SeatsOfToken {
    type Answer = Vec<SeatRecord>;

    async fn run(&self, db: &mut Connection) -> Result<Vec<SeatRecord>, Failure> {
        let rows = db
            .fetch(
                sql!(
                    "select game, seat, side, required, name, joined_at from seats where token_hash = $1 \
                     order by joined_at desc"
                ),
                values![self.0],
            )
            .await?;
        rows.into_iter().map(read_seat).collect()
    }
}

/// The seat that a token holds in one game.
pub(crate) struct SeatOfToken(pub(crate) GameId, pub(crate) TokenHash);

impl Operation for SeatOfToken {
    type Answer = Option<SeatRecord>;

    async fn run(&self, db: &mut Connection) -> Result<Option<SeatRecord>, Failure> {
        let row = db
            .fetch_optional(
                sql!(
                    "select game, seat, side, required, name, joined_at from seats where token_hash = $1 and game = $2"
                ),
                values![self.1, self.0],
            )
            .await?;
        row.map(read_seat).transpose()
    }
}

/// The games in which a token holds a seat, the newest change first.
pub(crate) struct GamesOfToken(pub(crate) TokenHash);

impl Operation for GamesOfToken {
    type Answer = Vec<GameRecord>;

    async fn run(&self, db: &mut Connection) -> Result<Vec<GameRecord>, Failure> {
        let rows = db
            .fetch(
                sql!(
                    "select id, scenario, scenario_hash, settings, ruleset_hash, engine_version, status, held_reason, \
                     line, turn, stage, created_at, updated_at from games \
                     where id in (select game from seats where token_hash = $1) order by updated_at desc, id"
                ),
                values![self.0],
            )
            .await?;
        rows.into_iter().map(read_game).collect()
    }
}

/// Game and seat of an invitation.
pub(crate) struct ReadInvitation(pub(crate) TokenHash);

impl Operation for ReadInvitation {
    type Answer = (GameId, SeatRecord);

    async fn run(&self, db: &mut Connection) -> Result<(GameId, SeatRecord), Failure> {
        let row = db
            .fetch_optional(
                sql!(
                    "select seats.game, seats.seat, seats.side, seats.required, seats.name, seats.joined_at \
                     from invitations join seats on seats.game = invitations.game and seats.seat = invitations.seat \
                     where invitations.token_hash = $1"
                ),
                values![self.0],
            )
            .await?;
        let Some(row) = row else { return Err(StoreError::NoSuchInvitation.into()) };
        let seat = read_seat(row)?;
        Ok((seat.game, seat))
    }
}

/// A window.
pub(crate) struct ReadWindow(pub(crate) StageKey);

impl Operation for ReadWindow {
    type Answer = WindowRecord;

    async fn run(&self, db: &mut Connection) -> Result<WindowRecord, Failure> {
        super::windows::window(db, self.0).await
    }
}

/// One seat's draft.
pub(crate) struct ReadDraft(pub(crate) StageKey, pub(crate) SeatId);

impl Operation for ReadDraft {
    type Answer = Option<DraftRecord>;

    async fn run(&self, db: &mut Connection) -> Result<Option<DraftRecord>, Failure> {
        let StageKey { game, line, turn, stage } = self.0;
        let row = db
            .fetch_optional(
                sql!(
                    "select seat, body, revision, saved_at from drafts \
                     where game = $1 and line = $2 and turn = $3 and stage = $4 and seat = $5"
                ),
                values![game, line, turn, stage, &self.1],
            )
            .await?;
        row.map(read_draft).transpose()
    }
}

fn read_draft(mut row: Row) -> Result<DraftRecord, Failure> {
    Ok(DraftRecord { seat: row.next()?, body: row.next()?, revision: row.next()?, saved_at: row.next()? })
}

/// One seat's envelope.
pub(crate) struct ReadEnvelope(pub(crate) StageKey, pub(crate) SeatId);

impl Operation for ReadEnvelope {
    type Answer = Option<EnvelopeRecord>;

    async fn run(&self, db: &mut Connection) -> Result<Option<EnvelopeRecord>, Failure> {
        let StageKey { game, line, turn, stage } = self.0;
        let row = db
            .fetch_optional(
                sql!(
                    "select seat, body, nonce, salt, hash, source, sealed_at from envelopes \
                     where game = $1 and line = $2 and turn = $3 and stage = $4 and seat = $5"
                ),
                values![game, line, turn, stage, &self.1],
            )
            .await?;
        row.map(read_envelope).transpose()
    }
}

pub(super) fn read_envelope(mut row: Row) -> Result<EnvelopeRecord, Failure> {
    Ok(EnvelopeRecord {
        seat: row.next()?,
        body: row.next()?,
        nonce: row.next()?,
        salt: row.next()?,
        hash: row.next()?,
        source: row.next()?,
        sealed_at: row.next()?,
    })
}

/// The answer to a command that was carried out before, if it was and for the same request.
pub(crate) struct ReadAnswer {
    pub(crate) game: GameId,
    pub(crate) seat: SeatId,
    pub(crate) command: super::CommandId,
    pub(crate) request: Hash,
}

impl Operation for ReadAnswer {
    type Answer = Option<StoredBytes>;

    async fn run(&self, db: &mut Connection) -> Result<Option<StoredBytes>, Failure> {
        super::orders::answered(db, self.game, &self.seat, &self.command, self.request).await
    }
}

/// All that a closed stage is resolved from; the battle still compressed.
pub(crate) struct ReadInputs(pub(crate) StageKey);

impl Operation for ReadInputs {
    type Answer = Inputs;

    async fn run(&self, db: &mut Connection) -> Result<Inputs, Failure> {
        let StageKey { game: id, line, turn, stage } = self.0;
        // Once the window is closed, nothing that is read below changes until the outcome is in.
        let window = super::windows::window(db, self.0).await?;
        if window.closed_at.is_none() {
            return Err(StoreError::WindowOpen.into());
        }
        if window.resolved_at.is_some() {
            return Err(StoreError::AlreadyResolved.into());
        }
        let game = game(db, id).await?;
        let seats = seats(db, id).await?;
        let rows = db.fetch(ENVELOPES_OF_TURN, values![id, line, turn, stage]).await?;
        let mut envelopes = Vec::new();
        let mut earlier = Vec::new();
        for mut row in rows {
            let of: u8 = row.next()?;
            let envelope = read_envelope(row)?;
            if of == stage { envelopes.push(envelope) } else { earlier.push((of, envelope)) }
        }
        envelopes.sort_by(|a, b| a.seat.cmp(&b.seat));
        earlier.sort_by(|(a_stage, a), (b_stage, b)| (a_stage, &a.seat).cmp(&(b_stage, &b.seat)));
        let rows = db.fetch(DRAFTS_OF_STAGE, values![id, line, turn, stage]).await?;
        let mut drafts = rows.into_iter().map(read_draft).collect::<Result<Vec<_>, _>>()?;
        drafts.retain(|draft| envelopes.iter().all(|envelope| envelope.seat != draft.seat));
        drafts.sort_by(|a, b| a.seat.cmp(&b.seat));
        let seed = seed(db, id, line, turn).await?;
        let before = LatestOutcome { game: id, line }.run(db).await?;
        Ok(Inputs { game, window, seats, envelopes, earlier, drafts, seed, before })
    }
}

const ENVELOPES_OF_TURN: Sql = sql!(
    "select stage, seat, body, nonce, salt, hash, source, sealed_at from envelopes \
     where game = $1 and line = $2 and turn = $3 and stage <= $4"
);

const DRAFTS_OF_STAGE: Sql = sql!(
    "select seat, body, revision, saved_at from drafts where game = $1 and line = $2 and turn = $3 and stage = $4"
);

async fn seed(db: &mut Connection, game: GameId, line: u32, turn: u32) -> Result<Seed, Failure> {
    let row = db
        .fetch_optional(
            sql!("select seed from seeds where game = $1 and line = $2 and turn = $3"),
            values![game, line, turn],
        )
        .await?;
    match row {
        Some(mut row) => row.next(),
        None => Err(unexpected("a turn without a seed")),
    }
}

/// The public commitments of a line's turns, in order.
pub(crate) struct Commitments(pub(crate) GameId, pub(crate) u32);

impl Operation for Commitments {
    type Answer = Vec<(u32, Hash)>;

    async fn run(&self, db: &mut Connection) -> Result<Vec<(u32, Hash)>, Failure> {
        let rows = db
            .fetch(
                sql!("select turn, commitment from seeds where game = $1 and line = $2 order by turn"),
                values![self.0, self.1],
            )
            .await?;
        rows.into_iter().map(|mut row| Ok((row.next()?, row.next()?))).collect()
    }
}

/// The seeds of a game that is over, in order of line and turn. Refused before.
pub(crate) struct RevealedSeeds(pub(crate) GameId);

impl Operation for RevealedSeeds {
    type Answer = Vec<(u32, u32, Seed)>;

    async fn run(&self, db: &mut Connection) -> Result<Vec<(u32, u32, Seed)>, Failure> {
        let status = game(db, self.0).await?.status;
        if status != super::Status::Ended {
            return Err(StoreError::NotOpen(status).into());
        }
        let rows = db
            .fetch(sql!("select line, turn, seed from seeds where game = $1 order by line, turn"), values![self.0])
            .await?;
        rows.into_iter().map(|mut row| Ok((row.next()?, row.next()?, row.next()?))).collect()
    }
}

/// The seats that have sealed a stage. Of enemy seats nobody may learn this before all are in.
pub(crate) struct SealedSeats(pub(crate) StageKey);

impl Operation for SealedSeats {
    type Answer = Vec<SeatId>;

    async fn run(&self, db: &mut Connection) -> Result<Vec<SeatId>, Failure> {
        let StageKey { game, line, turn, stage } = self.0;
        let rows = db
            .fetch(
                sql!("select seat from envelopes where game = $1 and line = $2 and turn = $3 and stage = $4"),
                values![game, line, turn, stage],
            )
            .await?;
        let mut seats = rows.into_iter().map(|mut row| row.next()).collect::<Result<Vec<SeatId>, _>>()?;
        seats.sort();
        Ok(seats)
    }
}

/// A game's result, once recorded.
pub(crate) struct ReadResult(pub(crate) GameId, pub(crate) u32);

impl Operation for ReadResult {
    type Answer = Option<String>;

    async fn run(&self, db: &mut Connection) -> Result<Option<String>, Failure> {
        let row = db
            .fetch_optional(sql!("select result from results where game = $1 and line = $2"), values![self.0, self.1])
            .await?;
        row.map(|mut row| row.next()).transpose()
    }
}

/// The place of a stage in its line's chain; without a stage, that of the newest outcome.
pub(crate) struct OutcomeNumber {
    pub(crate) game: GameId,
    pub(crate) line: u32,
    pub(crate) of: Option<(u32, u8)>,
}

impl Operation for OutcomeNumber {
    type Answer = Option<u32>;

    async fn run(&self, db: &mut Connection) -> Result<Option<u32>, Failure> {
        let row = match self.of {
            Some((turn, stage)) => {
                db.fetch_optional(
                    sql!("select number from outcomes where game = $1 and line = $2 and turn = $3 and stage = $4"),
                    values![self.game, self.line, turn, stage],
                )
                .await?
            }
            None => {
                db.fetch_optional(
                    sql!("select number from outcomes where game = $1 and line = $2 order by number desc limit 1"),
                    values![self.game, self.line],
                )
                .await?
            }
        };
        row.map(|mut row| row.next()).transpose()
    }
}

/// The hashes of what was sealed for the newest closed window of a line: public from then on.
pub(crate) struct LastSealed(pub(crate) GameId, pub(crate) u32);

impl Operation for LastSealed {
    type Answer = Option<(StageKey, Vec<(SeatId, Hash)>)>;

    async fn run(&self, db: &mut Connection) -> Result<Self::Answer, Failure> {
        let LastSealed(game, line) = *self;
        let closed = db
            .fetch_optional(
                sql!(
                    "select turn, stage from windows where game = $1 and line = $2 and closed_at is not null \
                     order by turn desc, stage desc limit 1"
                ),
                values![game, line],
            )
            .await?;
        let Some(mut closed) = closed else { return Ok(None) };
        let key = StageKey::new(game, line, closed.next()?, closed.next()?);
        let rows = db
            .fetch(
                sql!("select seat, hash from envelopes where game = $1 and line = $2 and turn = $3 and stage = $4"),
                values![game, line, key.turn, key.stage],
            )
            .await?;
        let mut hashes =
            rows.into_iter().map(|mut row| Ok((row.next()?, row.next()?))).collect::<Result<Vec<_>, Failure>>()?;
        hashes.sort();
        Ok(Some((key, hashes)))
    }
}

/// All games that are not over, the latest change first.
pub(crate) struct UnfinishedGames(pub(crate) u32);

impl Operation for UnfinishedGames {
    type Answer = Vec<GameRecord>;

    async fn run(&self, db: &mut Connection) -> Result<Vec<GameRecord>, Failure> {
        let rows = db
            .fetch(
                sql!(
                    "select id, scenario, scenario_hash, settings, ruleset_hash, engine_version, status, held_reason, \
                     line, turn, stage, created_at, updated_at from games where status <> 'ended' \
                     order by updated_at desc, id limit $1"
                ),
                values![self.0],
            )
            .await?;
        rows.into_iter().map(read_game).collect()
    }
}

/// Answers when the database can be read.
pub(crate) struct Ping;

impl Operation for Ping {
    type Answer = ();

    async fn run(&self, db: &mut Connection) -> Result<(), Failure> {
        db.fetch(sql!("select number from schema_versions limit 1"), vec![]).await.map(drop)
    }
}
