//! Who is told that a game has moved on: a counter for each game and side, latest wins, nothing queued.
//!
//! It holds no state of a game. A lost word costs a second at most with several nodes (the sweep looks), nothing with one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use protocol::ids::{BySide, Side};
use tokio::sync::watch;

use crate::store::GameId;

/// How often something changed, by who may know it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// Stage, window, holding, end.
    pub game: u64,
    /// Who sits where.
    pub seats: u64,
    /// What only one side may know: who of it has sealed. The other side's sockets do not even look.
    pub sides: BySide<u64>,
}

/// The counters of all games that somebody listens to.
#[derive(Default)]
pub(super) struct Hub {
    games: Mutex<HashMap<GameId, watch::Sender<Moves>>>,
}

impl Hub {
    /// Listens to a game from now on.
    pub(super) fn subscribe(&self, game: GameId) -> watch::Receiver<Moves> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.retain(|id, sender| *id == game || 0 < sender.receiver_count());
        games.entry(game).or_insert_with(|| watch::channel(Moves::default()).0).subscribe()
    }

    /// The games that somebody listens to.
    pub(super) fn heard(&self) -> Vec<GameId> {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.iter().filter(|(_, sender)| 0 < sender.receiver_count()).map(|(game, _)| *game).collect()
    }

    /// The game has moved on, for all.
    pub(super) fn game_moved(&self, game: GameId) {
        self.change(game, |moves| moves.game += 1);
    }

    /// Somebody took a seat.
    pub(super) fn seats_changed(&self, game: GameId) {
        self.change(game, |moves| moves.seats += 1);
    }

    /// Something changed that only `side` may know.
    pub(super) fn side_changed(&self, game: GameId, side: Side) {
        self.change(game, |moves| *moves.sides.get_mut(side) += 1);
    }

    fn change(&self, game: GameId, change: impl FnOnce(&mut Moves)) {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = games.get(&game) {
            sender.send_modify(change);
        }
    }
}
