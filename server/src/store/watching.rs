//! Who watches a game without a seat in it: its umpire, and spectators.

use super::connection::{Connection, Failure, sql, values};
use super::seating::lock_game;
use super::writer::{Command, Operation};
use super::{GameId, Millis, NewWatchLink, StoreError, TokenHash, WatchRole, WatcherRecord};

/// Adds the links of a new game, in the commit that makes it.
pub(super) async fn insert_links(
    db: &mut Connection,
    game: GameId,
    links: &[NewWatchLink],
    now: Millis,
) -> Result<(), Failure> {
    for NewWatchLink { role, token } in links {
        db.execute(
            sql!("insert into watch_links (game, role, token_hash, created_at) values ($1, $2, $3, $4)"),
            values![game, *role, *token, now],
        )
        .await?;
    }
    Ok(())
}

/// Game and role of a watcher's link.
pub(crate) struct ReadWatchLink(pub(crate) TokenHash);

impl Operation for ReadWatchLink {
    type Answer = (GameId, WatchRole);

    async fn run(&self, db: &mut Connection) -> Result<(GameId, WatchRole), Failure> {
        let row = db
            .fetch_optional(sql!("select game, role from watch_links where token_hash = $1"), values![self.0])
            .await?;
        let Some(mut row) = row else { return Err(StoreError::NoSuchInvitation.into()) };
        Ok((row.next()?, row.next()?))
    }
}

/// Takes a place among the watchers. An umpire's link is good once, a spectators' link as long as there is room. The same
/// token gets the same place again.
pub(crate) struct ClaimWatch {
    pub(crate) game: GameId,
    pub(crate) role: WatchRole,
    pub(crate) name: String,
    pub(crate) token: TokenHash,
    /// So many spectators at most.
    pub(crate) room: u32,
    pub(crate) now: Millis,
}

impl Command for ClaimWatch {
    fn game(&self) -> GameId {
        self.game
    }
}

impl Operation for ClaimWatch {
    type Answer = WatcherRecord;

    async fn run(&self, db: &mut Connection) -> Result<WatcherRecord, Failure> {
        lock_game(db, self.game).await?;
        match watcher(db, self.game, self.token).await? {
            // The answer was lost and the claim is sent again.
            Some(held) if held.role == self.role => return Ok(held),
            Some(_) => return Err(StoreError::SeatedElsewhere.into()),
            None => {}
        }
        let seat = sql!("select seat from seats where token_hash = $1 and game = $2");
        if db.fetch_optional(seat, values![self.token, self.game]).await?.is_some() {
            return Err(StoreError::SeatedElsewhere.into());
        }
        let rows = db.fetch(sql!("select role from watchers where game = $1"), values![self.game]).await?;
        let roles = rows.into_iter().map(|mut row| row.next()).collect::<Result<Vec<WatchRole>, _>>()?;
        let of_role = roles.iter().filter(|role| **role == self.role).count() as u64;
        match self.role {
            WatchRole::Umpire if 0 < of_role => return Err(StoreError::InvitationUsed.into()),
            WatchRole::Spectator if u64::from(self.room) <= of_role => return Err(StoreError::NoRoom.into()),
            WatchRole::Umpire | WatchRole::Spectator => {}
        }
        let number = roles.len() as u32 + 1;
        db.execute(
            sql!(
                "insert into watchers (game, number, role, name, token_hash, joined_at) \
                 values ($1, $2, $3, $4, $5, $6)"
            ),
            values![self.game, number, self.role, &self.name, self.token, self.now],
        )
        .await?;
        Ok(WatcherRecord { game: self.game, number, role: self.role, name: self.name.clone() })
    }
}

/// The place that a token has among the watchers of a game.
pub(crate) struct WatcherOfToken(pub(crate) GameId, pub(crate) TokenHash);

impl Operation for WatcherOfToken {
    type Answer = Option<WatcherRecord>;

    async fn run(&self, db: &mut Connection) -> Result<Option<WatcherRecord>, Failure> {
        watcher(db, self.0, self.1).await
    }
}

/// The watcher of a game who holds a token.
pub(super) async fn watcher(
    db: &mut Connection,
    game: GameId,
    token: TokenHash,
) -> Result<Option<WatcherRecord>, Failure> {
    let row = db
        .fetch_optional(
            sql!("select game, number, role, name from watchers where token_hash = $1 and game = $2"),
            values![token, game],
        )
        .await?;
    let Some(mut row) = row else { return Ok(None) };
    Ok(Some(WatcherRecord { game: row.next()?, number: row.next()?, role: row.next()?, name: row.next()? }))
}
