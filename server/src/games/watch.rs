//! Who watches: taking a watcher's place, looking through others' eyes, and how far behind the game spectators are.
//!
//! A spectator who is so many turns behind stands where the game stood when the same stage of that earlier turn had been
//! resolved. All that he is sent is made of the record up to there, as if the game stood there: window, commitment, view. So
//! nothing of what he is sent tells of the turns between, but that one stage more was resolved. LEAK-64

use std::net::IpAddr;

use protocol::message::rest::{Eyes, Ticket, Watch, Watching};
use protocol::message::{GamePhase, GameStatus, SealedHash, SealedOrders, ServerMessage, StageAt, WatcherRole};
use protocol::view::Viewer;
use rules::view;
use tracing::info;

use super::create::at;
use super::look::{parse, phase, stage_at};
use super::present::{Present, Spectator, Umpire};
use super::{Games, Refused, names, stage_number};
use crate::store::{GameId, GameRecord, Hash, SeatRecord, Status, StoreError, TokenHash, WatchRole, WatcherRecord};

/// Spectators of one game.
const MOST_SPECTATORS: u32 = 100;
/// Tokens that a device may name as its own.
const MOST_HELD: usize = 100;

impl Games {
    /// Takes the place of a watcher's link under a name.
    pub async fn watch(&self, asked: Watch, address: IpAddr) -> Result<Watching, Refused> {
        self.shared.knocks.take(address, self.now())?;
        let name = names::clean(&asked.name)?;
        let store = &self.shared.store;
        let link = TokenHash::of(&asked.link);
        let (game, _) = store.watch_link(link).await?;
        for held in tokens(&asked.held)? {
            // LEAK-73 After the end all is open to all.
            let plays = store.seat_of_token(game, held).await?.is_some();
            if plays && store.game(game).await?.status != Status::Ended {
                return Err(StoreError::SeatedElsewhere.into());
            }
        }
        let token = self.shared.entropy.token();
        let watcher = store.claim_watch(link, name, TokenHash::of(&token), MOST_SPECTATORS, self.now()).await?;
        // How many watch is nobody's affair: no socket is woken.
        info!(game.id = %game, role = watcher.role.as_str(), "games: somebody watches");
        let role = match watcher.role {
            WatchRole::Umpire => WatcherRole::Umpire,
            WatchRole::Spectator => WatcherRole::Spectator,
        };
        Ok(Watching { game: game.to_string(), role, token })
    }

    /// LEAK-73 Refuses a seat to a device that watches the game.
    pub(super) async fn must_not_watch(&self, game: GameId, held: &[String]) -> Result<(), Refused> {
        for held in tokens(held)? {
            if self.shared.store.watcher_of_token(game, held).await?.is_some() {
                return Err(StoreError::SeatedElsewhere.into());
            }
        }
        Ok(())
    }

    /// A ticket for a look through somebody's eyes, for the umpire alone.
    pub async fn eyes(&self, game: GameId, token: &str, asked: Eyes, address: IpAddr) -> Result<Ticket, Refused> {
        self.shared.knocks.take(address, self.now())?;
        let record = self.shared.store.game(game).await?;
        let watcher = self.shared.store.watcher_of_token(game, TokenHash::of(token)).await?;
        if watcher.is_none_or(|watcher| watcher.role != WatchRole::Umpire) {
            return Err(Refused::new("umpire_only", "the umpire alone looks through others' eyes"));
        }
        let eyes = match asked.viewer {
            Viewer::Umpire {} => None,
            Viewer::Seat { side, seat } => {
                let seats = self.settings(&record)?.seats();
                if !seats.contains(&(seat.clone(), side)) {
                    return Err(Refused::new("bad_message", "`as` is no seat of this game"));
                }
                Some(Viewer::Seat { side, seat })
            }
            viewer @ (Viewer::Side { .. } | Viewer::Public {}) => Some(viewer),
        };
        self.give_ticket(Present::Umpire(Umpire { game, eyes }))
    }

    /// How much of a game's record somebody may know: its place in the chain.
    pub(super) async fn shown(&self, present: &Present, game: &GameRecord) -> Result<u32, Refused> {
        let newest = self.shared.store.outcome_number(game.id, game.line, None).await?.unwrap_or(0);
        let delay = self.delay(present, game)?;
        if delay == 0 {
            return Ok(newest);
        }
        let key = self.resolved(game, newest).await?.key;
        let Some(turn) = key.turn.checked_sub(delay) else { return Ok(0) };
        // Turn 0 has one stage, where the players place their units, or none.
        for stage in (1..=key.stage).rev() {
            let of = Some((turn, stage));
            if let Some(number) = self.shared.store.outcome_number(game.id, game.line, of).await? {
                return Ok(number);
            }
        }
        Ok(0)
    }

    /// So many turns behind somebody is: none once the game is over.
    fn delay(&self, present: &Present, game: &GameRecord) -> Result<u32, Refused> {
        match present {
            Present::Spectator(Spectator { .. }) if game.status != Status::Ended => {
                Ok(self.settings(game)?.spectator_delay_turns)
            }
            Present::Player(_) | Present::Umpire(_) | Present::Spectator(_) => Ok(0),
        }
    }

    /// The game as it stands for a watcher, or as it stood.
    pub(super) async fn state_of_watcher(&self, present: &Present) -> Result<ServerMessage, Refused> {
        let store = &self.shared.store;
        let (game, newest) = self.standing(present.game()).await?;
        let delay = self.delay(present, &game)?;
        let seats = store.seats(game.id).await?;
        let (status, stage) = if delay == 0 {
            (self.status_now(present, &game, &seats).await?, newest)
        } else {
            let shown = self.shown(present, &game).await?;
            (self.status_then(&game, &seats, shown).await?, self.resolved(&game, shown).await?)
        };
        let envelopes = match present.viewer() {
            Viewer::Umpire {} => self.envelopes(&game, &seats).await?,
            Viewer::Seat { .. } | Viewer::Side { .. } | Viewer::Public {} => Vec::new(),
        };
        let (viewer, of) = (present.viewer(), status.at.stage);
        let view = self.compute(move || view::view(stage.battle.table.rules(), &stage.battle, of, &viewer)).await?;
        Ok(ServerMessage::State { status, view: Box::new(view), draft: None, sealed: None, envelopes })
    }

    /// Where the game stands, as somebody may know it who is not behind it.
    pub(super) async fn status_now(
        &self,
        present: &Present,
        game: &GameRecord,
        seats: &[SeatRecord],
    ) -> Result<GameStatus, Refused> {
        let store = &self.shared.store;
        let key = game.window();
        let window = store.window(key).await?;
        let sealed = store.sealed_seats(key).await?;
        let viewer = present.viewer();
        let told = |seat: &&SeatRecord| match &viewer {
            Viewer::Seat { side, .. } | Viewer::Side { side } => seat.side == *side,
            Viewer::Umpire {} => true,
            // Who has sealed is told to nobody else before all are in.
            Viewer::Public {} => false,
        };
        let open = game.status == Status::Open;
        let wanted = seats.iter().filter(told).filter(|seat| seat.required && open).map(|seat| seat.seat.clone());
        let waiting_for = wanted.filter(|seat| !sealed.contains(seat)).collect();
        let receipts = match store.last_sealed(game.id, game.line).await? {
            Some((of, hashes)) => {
                let of = stage_at(of)?;
                let shown = |(seat, hash): (_, Hash)| SealedHash { at: of, seat, hash: hash.hex() };
                hashes.into_iter().map(shown).collect()
            }
            None => Vec::new(),
        };
        Ok(GameStatus {
            at: at(game)?,
            phase: phase(game.status, gathered(seats)),
            waiting_for,
            deadline: window.deadline.map(|deadline| deadline.to_string()),
            held: game.held_reason.clone(),
            commitment: window.commitment.hex(),
            receipts,
        })
    }

    /// Where the game stood when `shown` was the newest stage of its record. That the window of now has closed, is held, or when
    /// it ends, is of now and not told; the hashes of what was sealed come with the end.
    async fn status_then(&self, game: &GameRecord, seats: &[SeatRecord], shown: u32) -> Result<GameStatus, Refused> {
        let newest = self.shared.store.outcome_number(game.id, game.line, None).await?.unwrap_or(0);
        let key = if shown < newest { self.resolved(game, shown + 1).await?.key } else { game.window() };
        let window = self.shared.store.window(key).await?;
        Ok(GameStatus {
            at: stage_at(key)?,
            phase: if gathered(seats) { GamePhase::Window } else { GamePhase::Gathering },
            waiting_for: Vec::new(),
            deadline: None,
            held: None,
            commitment: window.commitment.hex(),
            receipts: Vec::new(),
        })
    }

    /// What has been sealed for the window at which a game stands. Drafts are nobody's but their seat's.
    async fn envelopes(&self, game: &GameRecord, seats: &[SeatRecord]) -> Result<Vec<SealedOrders>, Refused> {
        let mut envelopes = Vec::new();
        for seat in seats {
            let sealed = self.shared.store.envelope(game.window(), seat.seat.clone()).await?;
            if let Some(sealed) = sealed {
                envelopes.push(SealedOrders { seat: seat.seat.clone(), content: parse(game.id, &sealed.body)? });
            }
        }
        Ok(envelopes)
    }

    /// The place of a stage in a game's chain, if it was resolved and somebody who may know `shown` of it may know it: a stage
    /// that he may not know is to him one that has not been resolved.
    pub(super) async fn number_shown(
        &self,
        game: &GameRecord,
        of: StageAt,
        shown: u32,
    ) -> Result<Option<u32>, Refused> {
        let of = Some((of.turn, stage_number(of.stage)));
        let number = self.shared.store.outcome_number(game.id, game.line, of).await?;
        Ok(number.filter(|number| *number <= shown))
    }
}

/// Whether every seat that a window waits for is taken.
pub(super) fn gathered(seats: &[SeatRecord]) -> bool {
    seats.iter().all(|seat| !seat.required || seat.joined_at.is_some())
}

/// The watcher as he is present.
pub(super) fn present(watcher: &WatcherRecord) -> Present {
    let (game, number) = (watcher.game, watcher.number);
    match watcher.role {
        WatchRole::Umpire => Present::Umpire(Umpire { game, eyes: None }),
        WatchRole::Spectator => Present::Spectator(Spectator { game, number }),
    }
}

/// The tokens that a device says it holds.
fn tokens(held: &[String]) -> Result<Vec<TokenHash>, Refused> {
    if MOST_HELD < held.len() {
        return Err(Refused::new("bad_message", format!("`held` may name {MOST_HELD} tokens")));
    }
    Ok(held.iter().map(|token| TokenHash::of(token)).collect())
}
