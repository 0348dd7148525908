//! Windows: opened once, closed once, and what holds a game in between.

use super::connection::{Connection, Failure, sql, values};
use super::seating::{exactly_one, lock_game};
use super::writer::{Command, Operation};
use super::{ClosedBy, Due, GameId, Millis, NewWindow, StageKey, Status, StoreError, WindowRecord};

/// Closes a window; the answer is true for exactly one caller.
pub(crate) struct CloseWindow {
    pub(crate) key: StageKey,
    pub(crate) by: ClosedBy,
    pub(crate) now: Millis,
}

impl Command for CloseWindow {
    fn game(&self) -> GameId {
        self.key.game
    }
}

impl Operation for CloseWindow {
    type Answer = bool;

    async fn run(&self, db: &mut Connection) -> Result<bool, Failure> {
        let standing = lock_game(db, self.key.game).await?;
        let window = window(db, self.key).await?;
        if window.closed_at.is_some() {
            return Ok(false);
        }
        standing.must_wait_for(self.key)?;
        // The deadline may have been moved since the caller looked.
        let early = window.deadline.is_none_or(|deadline| self.now < deadline);
        if self.by == ClosedBy::Deadline && early {
            return Err(StoreError::WindowOpen.into());
        }
        Ok(close(db, self.key, self.by, self.now).await? == 1)
    }
}

/// Moves the deadline of an open window.
pub(crate) struct SetDeadline {
    pub(crate) key: StageKey,
    pub(crate) deadline: Option<Millis>,
}

impl Command for SetDeadline {
    fn game(&self) -> GameId {
        self.key.game
    }
}

impl Operation for SetDeadline {
    type Answer = ();

    async fn run(&self, db: &mut Connection) -> Result<(), Failure> {
        let standing = lock_game(db, self.key.game).await?;
        standing.must_wait_for(self.key)?;
        let moved = db
            .execute(
                sql!(
                    "update windows set deadline = $5 \
                     where game = $1 and line = $2 and turn = $3 and stage = $4 and closed_at is null"
                ),
                values![self.key.game, self.key.line, self.key.turn, self.key.stage, self.deadline],
            )
            .await?;
        if moved == 1 { Ok(()) } else { Err(StoreError::WindowClosed.into()) }
    }
}

/// Stops a game with a reason. Its window keeps its state; nothing is lost.
pub(crate) struct Hold {
    pub(crate) game: GameId,
    pub(crate) reason: String,
    pub(crate) now: Millis,
}

impl Command for Hold {
    fn game(&self) -> GameId {
        self.game
    }
}

impl Operation for Hold {
    type Answer = ();

    async fn run(&self, db: &mut Connection) -> Result<(), Failure> {
        let standing = lock_game(db, self.game).await?;
        if standing.status == Status::Ended {
            return Err(StoreError::NotOpen(Status::Ended).into());
        }
        let held = db
            .execute(
                sql!("update games set status = 'held', held_reason = $2, updated_at = $3 where id = $1"),
                values![self.game, &self.reason, self.now],
            )
            .await?;
        exactly_one(held)
    }
}

/// Lets a held game go on where it stopped: open, or with an outcome still to come.
pub(crate) struct Release {
    pub(crate) game: GameId,
    pub(crate) now: Millis,
}

impl Command for Release {
    fn game(&self) -> GameId {
        self.game
    }
}

impl Operation for Release {
    type Answer = Status;

    async fn run(&self, db: &mut Connection) -> Result<Status, Failure> {
        let standing = lock_game(db, self.game).await?;
        if standing.status != Status::Held {
            return Err(StoreError::NotOpen(standing.status).into());
        }
        let key = StageKey::new(self.game, standing.line, standing.turn, standing.stage);
        let status = match window(db, key).await?.closed_at {
            Some(_) => Status::Resolving,
            None => Status::Open,
        };
        let released = db
            .execute(
                sql!("update games set status = $2, held_reason = null, updated_at = $3 where id = $1"),
                values![self.game, status.as_str(), self.now],
            )
            .await?;
        exactly_one(released)?;
        Ok(status)
    }
}

/// The guarded update: open to closed, once. Says how many windows it closed: 1 or 0.
pub(crate) async fn close(db: &mut Connection, key: StageKey, by: ClosedBy, now: Millis) -> Result<u64, Failure> {
    let closed = db
        .execute(
            sql!(
                "update windows set closed_at = $5, closed_by = $6 \
                 where game = $1 and line = $2 and turn = $3 and stage = $4 and closed_at is null"
            ),
            values![key.game, key.line, key.turn, key.stage, now, by.as_str()],
        )
        .await?;
    if closed == 1 {
        let moved = db
            .execute(
                sql!("update games set status = 'resolving', updated_at = $2 where id = $1"),
                values![key.game, now],
            )
            .await?;
        exactly_one(moved)?;
    }
    Ok(closed)
}

/// Opens a window, and records the turn's seed when the turn is new.
pub(crate) async fn insert(
    db: &mut Connection,
    game: GameId,
    line: u32,
    window: &NewWindow,
    now: Millis,
) -> Result<(), Failure> {
    let NewWindow { turn, stage, deadline, seed } = window;
    let opened = db
        .execute(
            sql!("insert into windows (game, line, turn, stage, opened_at, deadline) values ($1, $2, $3, $4, $5, $6)"),
            values![game, line, *turn, *stage, now, *deadline],
        )
        .await?;
    exactly_one(opened)?;
    if let Some(seed) = seed {
        let kept = db
            .execute(
                sql!("insert into seeds (game, line, turn, seed, commitment) values ($1, $2, $3, $4, $5)"),
                values![game, line, *turn, &seed.seed, seed.commitment],
            )
            .await?;
        exactly_one(kept)?;
    }
    Ok(())
}

/// One window with the commitment of its turn.
pub(crate) async fn window(db: &mut Connection, key: StageKey) -> Result<WindowRecord, Failure> {
    let row = db
        .fetch_optional(
            sql!(
                "select windows.opened_at, windows.deadline, windows.closed_at, windows.closed_by, \
                 windows.resolved_at, seeds.commitment from windows join seeds on seeds.game = windows.game \
                 and seeds.line = windows.line and seeds.turn = windows.turn \
                 where windows.game = $1 and windows.line = $2 and windows.turn = $3 and windows.stage = $4"
            ),
            values![key.game, key.line, key.turn, key.stage],
        )
        .await?;
    let Some(mut row) = row else { return Err(StoreError::NoSuchWindow.into()) };
    Ok(WindowRecord {
        key,
        opened_at: row.next()?,
        deadline: row.next()?,
        closed_at: row.next()?,
        closed_by: row.next()?,
        resolved_at: row.next()?,
        commitment: row.next()?,
    })
}

/// Looks for windows to close and stages to resolve, in games that are neither held nor over.
pub(crate) struct FindDue {
    pub(crate) now: Millis,
    /// Stages closed later than this are left to whoever closed them.
    pub(crate) closed_before: Millis,
    pub(crate) limit: u32,
}

impl Operation for FindDue {
    type Answer = Due;

    async fn run(&self, db: &mut Connection) -> Result<Due, Failure> {
        let past_deadline = db
            .fetch(
                sql!(
                    "select windows.game, windows.line, windows.turn, windows.stage from windows \
                     join games on games.id = windows.game \
                     where windows.closed_at is null and windows.deadline is not null and windows.deadline <= $1 \
                     and games.status = 'open' and games.line = windows.line order by windows.deadline limit $2"
                ),
                values![self.now, self.limit],
            )
            .await?;
        let unresolved = db
            .fetch(
                sql!(
                    "select windows.game, windows.line, windows.turn, windows.stage from windows \
                     join games on games.id = windows.game \
                     where windows.closed_at is not null and windows.resolved_at is null and windows.closed_at <= $1 \
                     and games.status = 'resolving' and games.line = windows.line order by windows.closed_at limit $2"
                ),
                values![self.closed_before, self.limit],
            )
            .await?;
        let keys = |rows: Vec<super::connection::Row>| -> Result<Vec<StageKey>, Failure> {
            rows.into_iter()
                .map(|mut row| Ok(StageKey::new(row.next()?, row.next()?, row.next()?, row.next()?)))
                .collect()
        };
        Ok(Due { past_deadline: keys(past_deadline)?, unresolved: keys(unresolved)? })
    }
}
