//! Making a game, and claiming its seats.

use protocol::ids::SeatId;

use super::connection::{Connection, Failure, sql, sql_locking, unexpected, values};
use super::outcomes::{Packed, chained};
use super::writer::{Command, Operation};
use super::{GameId, Hash, Millis, NewGame, SeatRecord, StageKey, Status, StoreError, TokenHash};

/// Makes a game with its seats, its invitations, its first window and the battle before the first turn.
pub(crate) struct CreateGame {
    pub(crate) game: NewGame,
    /// Battle and events, compressed.
    pub(crate) beginning: Packed,
    /// The scenario text, compressed.
    pub(crate) scenario_text: Vec<u8>,
    pub(crate) now: Millis,
}

impl Command for CreateGame {
    fn game(&self) -> GameId {
        self.game.id
    }
}

impl Operation for CreateGame {
    type Answer = Hash;

    async fn run(&self, db: &mut Connection) -> Result<Hash, Failure> {
        let NewGame {
            id,
            scenario,
            scenario_text,
            settings,
            ruleset_hash,
            engine_version,
            host_token,
            seats,
            watch_links,
            battle: _,
            events: _,
            first,
        } = &self.game;
        let made = db
            .execute(
                sql!(
                    "insert into games (id, scenario, scenario_hash, scenario_text, settings, ruleset_hash, \
                     engine_version, host_token_hash, status, line, turn, stage, created_at, updated_at) \
                     values ($1, $2, $3, $4, $5, $6, $7, $8, 'open', 1, $9, $10, $11, $11) on conflict do nothing"
                ),
                values![
                    *id,
                    scenario,
                    Hash::of(scenario_text),
                    self.scenario_text.clone(),
                    settings,
                    *ruleset_hash,
                    engine_version,
                    *host_token,
                    first.turn,
                    first.stage,
                    self.now,
                ],
            )
            .await?;
        if made != 1 {
            return Err(StoreError::GameExists.into());
        }
        db.execute(
            sql!(
                "insert into lines (game, line, from_turn, from_stage, reason, started_at) \
                 values ($1, 1, 0, 0, 'the game begins', $2)"
            ),
            values![*id, self.now],
        )
        .await?;
        for seat in seats {
            db.execute(
                sql!("insert into seats (game, seat, side, required) values ($1, $2, $3, $4)"),
                values![*id, &seat.seat, seat.side, seat.required],
            )
            .await?;
            if let Some(invitation) = seat.invitation {
                insert_invitation(db, *id, &seat.seat, invitation, self.now).await?;
            }
        }
        super::watching::insert_links(db, *id, watch_links, self.now).await?;
        let key = StageKey::beginning(*id, 1);
        let hash = chained(Hash::ZERO, key, engine_version, &self.beginning);
        super::outcomes::insert(db, key, 0, &self.beginning, Hash::ZERO, hash, engine_version, self.now).await?;
        super::windows::insert(db, *id, 1, first, self.now).await?;
        Ok(hash)
    }
}

async fn insert_invitation(
    db: &mut Connection,
    game: GameId,
    seat: &SeatId,
    token: TokenHash,
    now: Millis,
) -> Result<(), Failure> {
    db.execute(
        sql!("insert into invitations (game, seat, token_hash, created_at) values ($1, $2, $3, $4)"),
        values![game, seat, token, now],
    )
    .await?;
    Ok(())
}

/// Adds an invitation to a seat that nobody holds.
pub(crate) struct Invite {
    pub(crate) game: GameId,
    pub(crate) seat: SeatId,
    pub(crate) token: TokenHash,
    pub(crate) now: Millis,
}

impl Command for Invite {
    fn game(&self) -> GameId {
        self.game
    }
}

impl Operation for Invite {
    type Answer = ();

    async fn run(&self, db: &mut Connection) -> Result<(), Failure> {
        lock_game(db, self.game).await?;
        let seat = seat(db, self.game, &self.seat).await?;
        if seat.joined_at.is_some() {
            return Err(StoreError::InvitationUsed.into());
        }
        insert_invitation(db, self.game, &self.seat, self.token, self.now).await
    }
}

/// Claims the seat of an invitation. Single use: only the same seat token may claim again, and changes nothing.
pub(crate) struct ClaimInvitation {
    pub(crate) game: GameId,
    pub(crate) invitation: TokenHash,
    pub(crate) name: String,
    pub(crate) seat_token: TokenHash,
    pub(crate) now: Millis,
}

impl Command for ClaimInvitation {
    fn game(&self) -> GameId {
        self.game
    }
}

impl Operation for ClaimInvitation {
    type Answer = SeatRecord;

    async fn run(&self, db: &mut Connection) -> Result<SeatRecord, Failure> {
        lock_game(db, self.game).await?;
        let found = db
            .fetch_optional(
                sql!("select seat, used_at from invitations where token_hash = $1 and game = $2"),
                values![self.invitation, self.game],
            )
            .await?;
        let Some(mut invitation) = found else { return Err(StoreError::NoSuchInvitation.into()) };
        let seat_id: SeatId = invitation.next()?;
        let used_at: Option<Millis> = invitation.next()?;
        let held: Option<SeatId> = match db
            .fetch_optional(
                sql!("select seat from seats where token_hash = $1 and game = $2"),
                values![self.seat_token, self.game],
            )
            .await?
        {
            Some(mut row) => Some(row.next()?),
            None => None,
        };
        match held {
            // The answer was lost and the claim is sent again.
            Some(held) if held == seat_id && used_at.is_some() => return seat(db, self.game, &seat_id).await,
            Some(held) if held == seat_id => return Err(StoreError::InvitationUsed.into()),
            Some(_) => return Err(StoreError::SeatedElsewhere.into()),
            // LEAK-73 Who watches a game has no seat in it.
            None if super::watching::watcher(db, self.game, self.seat_token).await?.is_some() => {
                return Err(StoreError::SeatedElsewhere.into());
            }
            None => {}
        }
        let used = db
            .execute(
                sql!("update invitations set used_at = $2 where token_hash = $1 and used_at is null"),
                values![self.invitation, self.now],
            )
            .await?;
        let seated = db
            .execute(
                sql!(
                    "update seats set name = $3, token_hash = $4, joined_at = $5 \
                     where game = $1 and seat = $2 and token_hash is null"
                ),
                values![self.game, &seat_id, &self.name, self.seat_token, self.now],
            )
            .await?;
        if used != 1 || seated != 1 {
            return Err(StoreError::InvitationUsed.into());
        }
        seat(db, self.game, &seat_id).await
    }
}

/// One seat of a game.
pub(crate) async fn seat(db: &mut Connection, game: GameId, seat: &SeatId) -> Result<SeatRecord, Failure> {
    let row = db
        .fetch_optional(
            sql!("select game, seat, side, required, name, joined_at from seats where game = $1 and seat = $2"),
            values![game, seat],
        )
        .await?;
    let Some(row) = row else { return Err(StoreError::NoSuchSeat(seat.clone()).into()) };
    read_seat(row)
}

/// Reads `game, seat, side, required, name, joined_at`.
pub(crate) fn read_seat(mut row: super::connection::Row) -> Result<SeatRecord, Failure> {
    Ok(SeatRecord {
        game: row.next()?,
        seat: row.next()?,
        side: row.next()?,
        required: row.next()?,
        name: row.next()?,
        joined_at: row.next()?,
    })
}

/// Where a game stands, as far as every command has to know.
pub(crate) struct Standing {
    pub(crate) status: Status,
    pub(crate) line: u32,
    pub(crate) turn: u32,
    pub(crate) stage: u8,
}

impl Standing {
    /// Refuses unless the game waits for this very window.
    pub(crate) fn must_wait_for(&self, key: StageKey) -> Result<(), Failure> {
        if (self.line, self.turn, self.stage) != (key.line, key.turn, key.stage) {
            return Err(StoreError::WindowClosed.into());
        }
        match self.status {
            Status::Open => Ok(()),
            Status::Resolving => Err(StoreError::WindowClosed.into()),
            status @ (Status::Held | Status::Ended) => Err(StoreError::NotOpen(status).into()),
        }
    }
}

/// Locks the game to the end of the transaction: commands on one game come one after another, on any number of nodes.
pub(crate) async fn lock_game(db: &mut Connection, game: GameId) -> Result<Standing, Failure> {
    let row = db
        .fetch_optional(sql_locking!("select status, line, turn, stage from games where id = $1"), values![game])
        .await?;
    let Some(mut row) = row else { return Err(StoreError::NoSuchGame(game).into()) };
    Ok(Standing { status: row.next()?, line: row.next()?, turn: row.next()?, stage: row.next()? })
}

/// Exactly one row had to be touched; anything else means that the record is not what the checks saw.
pub(crate) fn exactly_one(touched: u64) -> Result<(), Failure> {
    if touched == 1 { Ok(()) } else { Err(unexpected(&format!("{touched} rows were changed where one was meant"))) }
}
