//! The turning of turns: windows are closed, stages resolved, what follows is opened.
//!
//! A stage is a pure computation between two commits: the one that closed its window and the one that records its outcome
//! under a unique key. Whoever closed the window resolves; the sweep picks up what a crash or a failed database left, and
//! the deadlines that have passed. Done twice, the second outcome loses. If a computation fails, the game is held with a
//! reason and nothing is lost.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use protocol::ids::SeatId;
use protocol::message::StageAt;
use protocol::orders::{Draft, Stage};
use protocol::view::Viewer;
use rules::battle::{Battle, Theatre};
use rules::dice::{Dice, KeyedDice, SealedOrders, TurnSeed};
use rules::stage::{Envelopes, resolve};
use rules::{archive, setup, stage, view};
use tracing::{debug, error, info, warn};

use super::records::restore;
use super::release;
use super::{ENGINE_VERSION, Games, Refused, Seated, Settings, lock, stage_number, stage_of};
use crate::shutdown::Shutdown;
use crate::store::{
    ClosedBy, EnvelopeRecord, Inputs, Millis, NewOutcome, NewWindow, Next, Resolution, StageKey, Status, StoreError,
};

/// How often the sweep looks.
const SWEEP: Duration = Duration::from_secs(1);
/// So long a closed stage is left to whoever closed it.
const GRACE: Millis = 2_000;
/// Windows and stages that one sweep takes up.
const BATCH: u32 = 64;

impl Games {
    /// Resolves a closed stage in a task of its own.
    pub(super) fn resolve_soon(&self, key: StageKey) {
        // One task a stage is enough; a second outcome would lose anyway.
        if !lock(&self.shared.resolving).insert(key) {
            return;
        }
        let games = self.clone();
        tokio::spawn(async move {
            games.resolve(key).await;
            lock(&games.shared.resolving).remove(&key);
        });
    }

    async fn resolve(&self, key: StageKey) {
        match self.try_to_resolve(key).await {
            Ok(()) => self.shared.hub.game_moved(key.game),
            // Somebody else did it: another node, or this one a moment ago.
            Err(Trouble::Done) => debug!(game.id = %key.game, turn = key.turn, "games: resolved already"),
            // The sweep tries again.
            Err(Trouble::Later(cause)) => {
                warn!(game.id = %key.game, turn = key.turn, stage = key.stage, %cause, "games: not resolved yet");
            }
            Err(Trouble::Fault(reason)) => {
                error!(game.id = %key.game, turn = key.turn, stage = key.stage, reason, "games: a stage failed, the game is held");
                let held = self.shared.store.hold(key.game, reason, self.now()).await;
                match held {
                    Ok(()) => self.shared.hub.game_moved(key.game),
                    Err(cause) => error!(game.id = %key.game, %cause, "games: the game could not be held"),
                }
            }
        }
    }

    async fn try_to_resolve(&self, key: StageKey) -> Result<(), Trouble> {
        let inputs = self.inputs(key).await?;
        let settings = self.settings(&inputs.game).map_err(fault)?;
        let theatre = self.theatre(&inputs.game).await.map_err(later)?;
        let previous = inputs.before.hash;
        let hides = release::waits(&theatre.scenario);
        let closed_at = inputs.window.closed_at.unwrap_or_else(|| self.now());
        let began = tokio::time::Instant::now();
        let computed = self.compute(move || play(&inputs, &settings, theatre)).await;
        let played = computed.map_err(|_| Trouble::Fault(FAILED.to_owned()))??;
        let micros = began.elapsed().as_micros() as u64;
        let next = match played.next {
            Following::Window { turn, stage, deadline_seconds } => {
                let now = self.now();
                let deadline = deadline_seconds.map(|seconds| now + i64::from(seconds) * 1000);
                let seed = (turn != key.turn).then(|| self.new_seed(key.game, key.line, turn));
                Next::Window(NewWindow { turn, stage: stage_number(stage), deadline, seed })
            }
            Following::End { result } => Next::End { result },
        };
        let stages = played.outcomes.len();
        // LEAK-14 Before it is recorded nobody can see it, not by asking again either.
        if hides {
            tokio::time::sleep(release::wait(closed_at, self.now(), self.shared.release)).await;
        }
        let resolution = Resolution {
            at: key,
            previous,
            outcomes: played.outcomes,
            engine_version: ENGINE_VERSION.to_owned(),
            next,
            now: self.now(),
        };
        let hash = self.shared.store.record(resolution).await?;
        // LEAK-68 How long it took is told of games in which nothing is hidden.
        match hides {
            true => info!(game.id = %key.game, turn = key.turn, stage = key.stage, "games: resolved"),
            false => {
                info!(game.id = %key.game, turn = key.turn, stage = key.stage, stages, micros, hash = %hash.hex(), "games: resolved");
            }
        }
        Ok(())
    }

    /// The inputs of a closed stage, once what time has sealed is among them.
    async fn inputs(&self, key: StageKey) -> Result<Inputs, Trouble> {
        let inputs = self.shared.store.inputs(key).await?;
        let by_seals = inputs.window.closed_by == Some(ClosedBy::Seals);
        if by_seals || inputs.drafts.is_empty() {
            return Ok(inputs);
        }
        let Some(stage) = stage_of(key.stage) else { return Err(Trouble::Fault(FAILED.to_owned())) };
        let at = StageAt { line: key.line, turn: key.turn, stage };
        let theatre = self.theatre(&inputs.game).await.map_err(later)?;
        let before = inputs.before.clone();
        let battle = self.compute(move || restore(&before, theatre)).await;
        let battle = Arc::new(battle.map_err(|_| Trouble::Fault(FAILED.to_owned()))?.map_err(unreadable)?);
        let mut envelopes = Vec::new();
        for draft in &inputs.drafts {
            let Some(seat) = inputs.seats.iter().find(|seat| seat.seat == draft.seat) else { continue };
            let seated = Seated { game: key.game, seat: seat.seat.clone(), side: seat.side };
            let content = super::look::parse(key.game, &draft.body).map_err(fault)?;
            let (battle, judged) = (Arc::clone(&battle), seated.clone());
            let legal = self.compute(move || super::speak::legal_part(&battle.battle, &judged, at, &content)).await;
            let legal = legal.map_err(|_| Trouble::Fault(FAILED.to_owned()))?;
            // The player gave no nonce: 32 zero bytes, as for an absent seat.
            envelopes.push(self.envelope(&seated, key, at, legal, [0; 32]).0);
        }
        self.shared.store.seal_drafts(key, envelopes, self.now()).await?;
        Ok(self.shared.store.inputs(key).await?)
    }

    /// Looks at once for what an earlier run left, then each second, until the server stops.
    pub async fn keep(self, shutdown: Shutdown) {
        self.sweep(self.now()).await;
        let mut seen = BTreeMap::new();
        loop {
            tokio::select! {
                () = shutdown.requested() => return,
                () = tokio::time::sleep(SWEEP) => {}
            }
            self.sweep(self.now() - GRACE).await;
            self.shared.tickets.tidy(self.now());
            if self.shared.many_nodes {
                self.look_at_other_nodes(&mut seen).await;
            }
        }
    }

    /// Closes windows whose deadline has passed, and resolves stages closed before `closed_before` without an outcome.
    pub async fn sweep(&self, closed_before: Millis) {
        let due = match self.shared.store.due(self.now(), closed_before, BATCH).await {
            Ok(due) => due,
            Err(cause) => {
                warn!(%cause, "games: the sweep could not look");
                return;
            }
        };
        for key in due.past_deadline {
            match self.shared.store.close_window(key, ClosedBy::Deadline, self.now()).await {
                Ok(true) => {
                    info!(game.id = %key.game, turn = key.turn, stage = key.stage, "games: the deadline closed the window");
                    self.shared.hub.game_moved(key.game);
                    self.resolve_soon(key);
                }
                // The last seal, another node or a moved deadline was first.
                Ok(false) | Err(StoreError::WindowOpen | StoreError::WindowClosed | StoreError::NotOpen(_)) => {}
                Err(cause) => warn!(game.id = %key.game, %cause, "games: a window could not be closed"),
            }
        }
        for key in due.unresolved {
            self.resolve_soon(key);
        }
    }

    /// Wakes the sockets of games that another node has moved on.
    async fn look_at_other_nodes(&self, seen: &mut BTreeMap<crate::store::GameId, (StageKey, Status, Millis)>) {
        let heard = self.shared.hub.heard();
        seen.retain(|game, _| heard.contains(game));
        for game in heard {
            let Ok(record) = self.shared.store.game(game).await else { continue };
            let stands = (record.window(), record.status, record.updated_at);
            // At the first look too: it may have moved since the sockets began to listen. Who has heard it is sent nothing.
            if seen.insert(game, stands) != Some(stands) {
                self.shared.hub.game_moved(game);
            }
        }
    }

    /// Lets a held game go on where it stopped, for its operator.
    pub async fn release(&self, game: crate::store::GameId) -> Result<(), Refused> {
        let status = self.shared.store.release(game, self.now()).await?;
        self.shared.hub.game_moved(game);
        if status == Status::Resolving {
            self.resolve_soon(self.shared.store.game(game).await?.window());
        }
        Ok(())
    }
}

/// What players read when the rules failed.
const FAILED: &str = "the server failed to resolve this stage; orders and dice are kept, and it can be resolved again \
                      once the fault is mended";

/// Why a stage was not resolved.
enum Trouble {
    /// It was, by somebody else.
    Done,
    /// Worth another try.
    Later(String),
    /// Not worth one: the game is held, with this reason for its players.
    Fault(String),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::AlreadyResolved | StoreError::NotOpen(_) => Trouble::Done,
            error => Trouble::Later(error.to_string()),
        }
    }
}

fn fault(refused: Refused) -> Trouble {
    Trouble::Fault(refused.message)
}

fn later(refused: Refused) -> Trouble {
    match refused.code {
        "failed" => Trouble::Fault(FAILED.to_owned()),
        _ => Trouble::Later(refused.message),
    }
}

fn unreadable(cause: archive::Unreadable) -> Trouble {
    error!(%cause, "games: the battle to begin with cannot be read");
    Trouble::Fault("the battle cannot be read by this version of the server; nothing is lost".to_owned())
}

/// What a window came to.
struct Played {
    outcomes: Vec<NewOutcome>,
    next: Following,
}

enum Following {
    Window { turn: u32, stage: Stage, deadline_seconds: Option<u32> },
    End { result: String },
}

/// Plays the stage of a window, and after it those of the same turn whose windows do not open, each an outcome of its own.
fn play(inputs: &Inputs, settings: &Settings, theatre: Arc<Theatre>) -> Result<Played, Trouble> {
    let key = inputs.window.key;
    let dice = dice(inputs);
    let edition = theatre.scenario.edition.clone();
    let rules = edition.rules();
    let mut battle = archive::restore(&inputs.before.battle, theatre).map_err(unreadable)?;
    let mut envelopes = open(inputs)?;
    if key.turn == 0 {
        return Ok(deploy(inputs, settings, &battle, &envelopes, &dice));
    }
    let mut stage = stage_of(key.stage).ok_or_else(|| Trouble::Fault(FAILED.to_owned()))?;
    let mut outcomes = Vec::new();
    loop {
        let outcome = resolve(rules, stage, battle, &envelopes, &dice as &dyn Dice);
        battle = outcome.battle;
        outcomes.push(NewOutcome {
            stage: stage_number(stage),
            battle: archive::store(&battle),
            events: archive::store_events(&outcome.events),
        });
        if battle.table.ended.is_some() {
            return Ok(Played { outcomes, next: Following::End { result: result(&battle, stage) } });
        }
        let deadline_seconds = settings.deadline_seconds;
        match stage.next() {
            Some(next) if settings.opens(next) => {
                return Ok(Played {
                    outcomes,
                    next: Following::Window { turn: key.turn, stage: next, deadline_seconds },
                });
            }
            // No window: the newest earlier answer, the standing instruction or the default decides.
            Some(next) => {
                envelopes = Envelopes::new();
                stage = next;
            }
            None => {
                let next = Following::Window { turn: key.turn + 1, stage: Stage::Orders, deadline_seconds };
                return Ok(Played { outcomes, next });
            }
        }
    }
}

/// SCN-06 The window of turn 0: both sides' placements are opened together, and turn 1 begins (CMD-06).
fn deploy(inputs: &Inputs, settings: &Settings, mustered: &Battle, envelopes: &Envelopes, dice: &KeyedDice) -> Played {
    let rules = mustered.table.rules();
    let switched_on = super::create::switched_on();
    let battle = setup::deploy(rules, mustered, &settings.seating, &switched_on, envelopes, dice);
    let opened = stage::open(rules, battle, dice);
    let outcome = NewOutcome {
        stage: inputs.window.key.stage,
        battle: archive::store(&opened.battle),
        events: archive::store_events(&opened.events),
    };
    let deadline_seconds = settings.deadline_seconds;
    Played { outcomes: vec![outcome], next: Following::Window { turn: 1, stage: Stage::Orders, deadline_seconds } }
}

/// The turn's dice: one key for all its stages, fixed by the seed and by what was sealed for the orders window.
fn dice(inputs: &Inputs) -> KeyedDice {
    let key = inputs.window.key;
    let of_orders: BTreeMap<&SeatId, &EnvelopeRecord> = match key.stage {
        1 => inputs.envelopes.iter().map(|envelope| (&envelope.seat, envelope)).collect(),
        _ => inputs.earlier.iter().filter(|(stage, _)| *stage == 1).map(|(_, it)| (&it.seat, it)).collect(),
    };
    // Seats come sorted by identifier.
    let sealed: Vec<SealedOrders> = inputs
        .seats
        .iter()
        .map(|seat| match of_orders.get(&seat.seat) {
            Some(envelope) => SealedOrders { nonce: *envelope.nonce.expose(), envelope_hash: envelope.hash.0 },
            None => SealedOrders::ABSENT,
        })
        .collect();
    KeyedDice::new(TurnSeed(*inputs.seed.expose()).turn_key(&key.game.to_string(), key.turn, &sealed))
}

fn open(inputs: &Inputs) -> Result<BTreeMap<SeatId, Draft>, Trouble> {
    let parsed = inputs.envelopes.iter().map(|envelope| {
        let draft = super::look::parse(inputs.game.id, &envelope.body).map_err(fault)?;
        Ok((envelope.seat.clone(), draft))
    });
    parsed.collect()
}

/// The public result of a battle that has ended, as JSON.
fn result(battle: &Battle, stage: Stage) -> String {
    let view = view::view(battle.table.rules(), battle, stage, &Viewer::Public {});
    serde_json::to_string(&view.result).expect("a result holds only what JSON can write")
}
