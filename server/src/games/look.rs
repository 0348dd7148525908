//! What a player or a watcher is shown: the welcome, the game as it stands, what stages produced.
//!
//! All of the battle that leaves here was made by [`rules::view`] for who he is. Of enemy seats it tells what is
//! public, and of their seals nothing before the window has closed.

use std::sync::Arc;

use protocol::message::{GamePhase, Receipt, SeatView, ServerMessage, SettingsView, StageAt, VERSION};
use protocol::orders::{Draft, Stage};
use protocol::view::{ResultView, Viewer};
use rules::view;
use tracing::error;

use super::create::at;
use super::records::Resolved;
use super::{Games, Present, Refused, Seated, stage_of};
use crate::store::{DraftRecord, EnvelopeRecord, GameId, GameRecord, Hash, StageKey, Status, StoredBytes};

/// With so many of the newest stages the view before them is sent along, so that they can be played back at once; of
/// older ones it is sent when a replay is asked for.
const STAGES_WITH_VIEW: u32 = 8;

/// How much of a game's record a client has been sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// On this line of the game.
    pub line: u32,
    /// Up to this place of its chain.
    pub number: u32,
}

impl Games {
    /// The answer to hello.
    pub async fn welcome(&self, present: &Present) -> Result<ServerMessage, Refused> {
        self.start_first_clock(present.game()).await?;
        let game = self.shared.store.game(present.game()).await?;
        let settings = self.settings(&game)?;
        // Who commands changes with the battle: who is behind is told as of then.
        let stage = self.resolved(&game, self.shown(present, &game).await?).await?;
        let records = self.shared.store.seats(game.id).await?;
        let viewer = present.viewer();
        let player = match &viewer {
            Viewer::Seat { seat, .. } => records.iter().find(|record| record.seat == *seat),
            Viewer::Side { .. } | Viewer::Umpire {} | Viewer::Public {} => None,
        };
        let player = player.and_then(|record| record.name.clone());
        let seats = records.into_iter().map(|seat| SeatView {
            bot: settings.bot.as_ref().is_some_and(|bot| bot.seat == seat.seat),
            title: settings.title(seat.side),
            side: seat.side,
            player: seat.name,
            seat: seat.seat,
        });
        let seats = seats.collect();
        let fog = stage.battle.table.scenario().options.fog;
        let card = self.compute(move || view::card(stage.battle.table.rules(), &stage.battle)).await?;
        Ok(ServerMessage::Welcome {
            version: VERSION,
            game: game.id.to_string(),
            name: settings.name,
            viewer,
            player: player.unwrap_or_default(),
            seats,
            card: Box::new(card),
            settings: SettingsView {
                windows: settings.windows,
                unseal: settings.unseal,
                deadline_seconds: settings.deadline_seconds,
                deployment: settings.deployment,
                umpire: settings.umpire,
                spectators: settings.spectators,
                spectator_delay_turns: settings.spectator_delay_turns,
                fog,
            },
        })
    }

    /// The game as it stands for whoever is present.
    pub async fn state(&self, present: &Present) -> Result<ServerMessage, Refused> {
        match present {
            Present::Player(seated) => self.state_of_seat(present, seated).await,
            Present::Umpire(_) | Present::Spectator(_) => self.state_of_watcher(present).await,
        }
    }

    async fn state_of_seat(&self, present: &Present, seated: &Seated) -> Result<ServerMessage, Refused> {
        let store = &self.shared.store;
        let (game, newest) = self.standing(seated.game).await?;
        let key = game.window();
        let at = at(&game)?;
        let seats = store.seats(game.id).await?;
        let status = self.status_now(present, &game, &seats).await?;
        let draft =
            store.draft(key, seated.seat.clone()).await?.map(|draft| read_draft(game.id, &draft)).transpose()?;
        let envelope = store.envelope(key, seated.seat.clone()).await?;
        let sealed = envelope.map(|envelope| receipt(game.id, at, &envelope)).transpose()?.map(Box::new);
        let viewer = present.viewer();
        let view =
            self.compute(move || view::view(newest.battle.table.rules(), &newest.battle, at.stage, &viewer)).await?;
        Ok(ServerMessage::State { status, view: Box::new(view), draft, sealed, envelopes: Vec::new() })
    }

    /// Where a client stands that says what it has.
    pub async fn progress(&self, present: &Present, have: Option<StageAt>) -> Result<Progress, Refused> {
        let game = self.shared.store.game(present.game()).await?;
        let line = game.line;
        let Some(have) = have.filter(|have| have.line == line) else { return Ok(Progress { line, number: 0 }) };
        let shown = self.shown(present, &game).await?;
        let number = self.number_shown(&game, have, shown).await?;
        Ok(Progress { line, number: number.unwrap_or(0) })
    }

    /// The next stage that a client lacks, as who is at it may know it, and where the client stands after it.
    pub async fn next_events(
        &self,
        present: &Present,
        progress: Progress,
    ) -> Result<Option<(ServerMessage, Progress)>, Refused> {
        let game = self.shared.store.game(present.game()).await?;
        // On a new line nothing of the old one counts.
        let had = if progress.line == game.line { progress.number } else { 0 };
        let newest = self.shown(present, &game).await?;
        if newest <= had {
            return Ok(None);
        }
        let number = had + 1;
        let stage = self.resolved(&game, number).await?;
        let before = match number + STAGES_WITH_VIEW > newest {
            true => Some(self.resolved(&game, number - 1).await?),
            false => None,
        };
        let opening = self.opening(&game, number).await?;
        let message = self.events(present, opening, stage, before, None).await?;
        Ok(Some((message, Progress { line: game.line, number })))
    }

    /// The events of an earlier stage with the view before them.
    pub async fn replay(&self, present: &Present, at: StageAt, request: String) -> Result<ServerMessage, Refused> {
        let game = self.shared.store.game(present.game()).await?;
        let missing = || Refused::new("no_such_stage", "that stage has not been resolved");
        if at.line != game.line {
            return Err(missing());
        }
        let shown = self.shown(present, &game).await?;
        let number = self.number_shown(&game, at, shown).await?.ok_or_else(missing)?;
        let stage = self.resolved(&game, number).await?;
        let before = self.resolved(&game, number.saturating_sub(1)).await?;
        let opening = self.opening(&game, number).await?;
        self.events(present, opening, stage, Some(before), Some(request)).await
    }

    /// The battle as it began, whose start-of-turn marks are told with the first stage: later turns are opened by the stage
    /// before them.
    async fn opening(&self, game: &GameRecord, number: u32) -> Result<Option<Arc<Resolved>>, Refused> {
        if number == 1 { Ok(Some(self.resolved(game, 0).await?)) } else { Ok(None) }
    }

    async fn events(
        &self,
        present: &Present,
        opening: Option<Arc<Resolved>>,
        stage: Arc<Resolved>,
        before: Option<Arc<Resolved>>,
        request: Option<String>,
    ) -> Result<ServerMessage, Refused> {
        let at = stage_at(stage.key)?;
        let viewer = present.viewer();
        let shown = move || {
            let before =
                before.map(|before| view::view(before.battle.table.rules(), &before.battle, at.stage, &viewer));
            let told = match opening {
                Some(opening) => view::events(&[opening.events.as_slice(), &stage.events].concat(), &viewer),
                None => view::events(&stage.events, &viewer),
            };
            (told, before.map(Box::new))
        };
        let (events, before) = self.compute(shown).await?;
        Ok(ServerMessage::Events { at, events, before, request })
    }
}

/// What a game is doing.
pub(super) fn phase(status: Status, gathered: bool) -> GamePhase {
    match status {
        Status::Open if gathered => GamePhase::Window,
        Status::Open => GamePhase::Gathering,
        Status::Resolving => GamePhase::Resolving,
        Status::Held => GamePhase::Held,
        Status::Ended => GamePhase::Ended,
    }
}

/// The proof of a seal, again.
pub(super) fn receipt(game: GameId, at: StageAt, envelope: &EnvelopeRecord) -> Result<Receipt, Refused> {
    Ok(Receipt {
        at,
        seat: envelope.seat.clone(),
        hash: envelope.hash.hex(),
        salt: hex(envelope.salt.expose()),
        nonce: hex(envelope.nonce.expose()),
        content: parse(game, &envelope.body)?,
    })
}

fn read_draft(game: GameId, draft: &DraftRecord) -> Result<Draft, Refused> {
    parse(game, &draft.body)
}

/// A draft from the store. What was stored was written by us, so a failure is ours.
pub(super) fn parse(game: GameId, body: &StoredBytes) -> Result<Draft, Refused> {
    serde_json::from_slice(body.as_bytes()).map_err(|cause| {
        error!(game.id = %game, line = cause.line(), column = cause.column(), "games: a stored draft cannot be read");
        Refused::new("unavailable", "the stored orders cannot be read by this version of the server; tell the host")
    })
}

/// A stage as the wire names it.
pub(super) fn stage_at(key: StageKey) -> Result<StageAt, Refused> {
    let stage: Stage =
        stage_of(key.stage).ok_or_else(|| Refused::new("no_such_stage", "before turn 1 nothing happened"))?;
    Ok(StageAt { line: key.line, turn: key.turn, stage })
}

/// Lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A resolved stage in public figures, for those who run both sides: its key, its hash, and the result once there is one.
pub struct OutcomeSummary {
    /// Its stage.
    pub key: StageKey,
    /// The hash that stands for all up to it.
    pub hash: Hash,
    /// Units on the table, by side.
    pub units: protocol::ids::BySide<u32>,
    /// Figures on the table, by side.
    pub figures: protocol::ids::BySide<u32>,
    /// Points, by side.
    pub points: protocol::ids::BySide<i32>,
    /// The result.
    pub result: Option<ResultView>,
}

impl Games {
    /// The stages of a game from a place of its chain on, as the public may know them.
    pub async fn summaries(&self, game: GameId, from: u32) -> Result<Vec<OutcomeSummary>, Refused> {
        let game = self.shared.store.game(game).await?;
        let newest = self.shared.store.outcome_number(game.id, game.line, None).await?.unwrap_or(0);
        let mut summaries = Vec::new();
        for number in from..=newest {
            let stage = self.resolved(&game, number).await?;
            summaries.push(self.compute(move || summary(&stage)).await?);
        }
        Ok(summaries)
    }
}

fn summary(stage: &Resolved) -> OutcomeSummary {
    let of = stage_of(stage.key.stage).unwrap_or(Stage::Orders);
    let view = view::view(stage.battle.table.rules(), &stage.battle, of, &Viewer::Public {});
    let on_table = |side| view.units.iter().filter(move |unit| unit.side == side && unit.stance.is_some());
    OutcomeSummary {
        key: stage.key,
        hash: stage.hash,
        units: protocol::ids::BySide::from_fn(|side| on_table(side).count() as u32),
        figures: protocol::ids::BySide::from_fn(|side| {
            on_table(side).flat_map(|unit| &unit.stands).map(|stand| stand.figures).sum()
        }),
        points: view.score,
        result: view.result,
    }
}
