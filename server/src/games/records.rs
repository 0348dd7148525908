//! Resolved stages as values: copies of rows that never change, kept for a while because many ask for the same.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use rules::archive;
use rules::battle::{Battle, Theatre};
use rules::play::Event;
use tracing::error;

use super::{Games, Refused, lock};
use crate::store::{GameId, GameRecord, Hash, OutcomeRecord, StageKey};

/// A resolved stage.
pub(super) struct Resolved {
    /// Its stage.
    pub(super) key: StageKey,
    /// Its hash: public.
    pub(super) hash: Hash,
    /// The battle after it.
    pub(super) battle: Battle,
    /// What happened.
    pub(super) events: Vec<Event>,
}

type Key = (GameId, u32, u32);

/// The stages asked for last.
#[derive(Default)]
pub(super) struct Records {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    stages: HashMap<Key, Arc<Resolved>>,
    order: VecDeque<Key>,
}

/// Stages kept at once, of all games.
const MOST: usize = 96;

impl Games {
    /// The stage at a place of the game's chain.
    pub(super) async fn resolved(&self, game: &GameRecord, number: u32) -> Result<Arc<Resolved>, Refused> {
        let key = (game.id, game.line, number);
        if let Some(found) = lock(&self.shared.records.kept).stages.get(&key) {
            return Ok(Arc::clone(found));
        }
        let theatre = self.theatre(game).await?;
        let mut rows = self.shared.store.outcomes(game.id, game.line, number, 1).await?;
        let Some(row) = rows.pop().filter(|row| row.number == number) else {
            return Err(Refused::new("no_such_stage", "that stage has not been resolved"));
        };
        let read = self.compute(move || restore(&row, theatre)).await?;
        let stage = Arc::new(read.map_err(|cause| {
            error!(game.id = %game.id, number, %cause, "games: a stage cannot be read");
            Refused::new("unavailable", "the battle cannot be read by this version of the server; tell the host")
        })?);
        let mut kept = lock(&self.shared.records.kept);
        if kept.stages.insert(key, Arc::clone(&stage)).is_none() {
            kept.order.push_back(key);
        }
        while MOST < kept.order.len() {
            if let Some(oldest) = kept.order.pop_front() {
                kept.stages.remove(&oldest);
            }
        }
        Ok(stage)
    }

    /// The newest stage of a game, with the game as it stood at the same time.
    pub(super) async fn standing(&self, game: GameId) -> Result<(GameRecord, Arc<Resolved>), Refused> {
        loop {
            let before = self.shared.store.game(game).await?;
            let newest = self.shared.store.outcome_number(game, before.line, None).await?;
            let Some(newest) = newest else { return Err(Refused::new("no_such_game", "the game has no beginning")) };
            let resolved = self.resolved(&before, newest).await?;
            let after = self.shared.store.game(game).await?;
            // Between the two reads a stage may have been recorded: then what was read does not belong together.
            if after == before {
                return Ok((before, resolved));
            }
        }
    }
}

/// A row as values.
pub(super) fn restore(row: &OutcomeRecord, theatre: Arc<Theatre>) -> Result<Resolved, archive::Unreadable> {
    Ok(Resolved {
        key: row.key,
        hash: row.hash,
        battle: archive::restore(&row.battle, theatre)?,
        events: archive::restore_events(&row.events)?,
    })
}
