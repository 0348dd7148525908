//! The store: games, seats, drafts, envelopes, windows and outcomes, in SQLite or Postgres.
//!
//! It keeps what was acknowledged and lets a stage be resolved once. It knows no rules of the battle, no clock and no
//! chance: bodies are opaque bytes, times and identifiers are given. Every command is safe to send twice.
//!
//! Start at [`Store`]. A command runs in [`writer`], which commits together what waits together; a read runs in
//! [`readers`]. Statements stand in `seating` (games and seats), `watching`, `orders` (drafts and seals), `windows`, `outcomes` and
//! `reads`, each once, for both databases. The schema is in `migrations/`.

mod connection;
mod error;
mod migrate;
mod open;
mod orders;
mod outcomes;
mod readers;
mod reads;
mod seating;
mod values;
mod watching;
mod windows;
mod writer;

use std::sync::{Arc, Mutex, PoisonError};

use protocol::ids::SeatId;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tracing::{error, info};

pub use error::{OpenError, StoreError};
pub use orders::{NewEnvelope, SaveDraft, Seal, Sealed, Unseal};
pub use outcomes::{NewOutcome, Next, Resolution};
/// Battles, events, drafts and envelopes: bytes that neither print nor serialise.
pub use rules::archive::StoredBytes;
pub use values::*;

use readers::Readers;
use writer::Writers;

/// How many commands may wait for one writer by default. More are refused rather than queued.
pub const DEFAULT_QUEUE: usize = 4096;

/// The store. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    writers: Writers,
    readers: Readers,
    closing: watch::Sender<bool>,
    stopped: watch::Receiver<Option<String>>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl Store {
    /// Opens `sqlite:PATH` or `postgres://...`, checks that the database keeps what it commits, and brings its schema
    /// up to date. `now` is kept with the schema.
    pub async fn open(url: &str, queue: usize, now: Millis) -> Result<Store, OpenError> {
        let database = open::Database::parse(url)?;
        let mut first = database.connect_writer().await?;
        migrate::migrate(&mut first, now).await?;
        let mut connections = vec![first];
        while connections.len() < database.writers() {
            connections.push(database.connect_writer().await?);
        }
        let (closing, closes) = watch::channel(false);
        let (stops, stopped) = watch::channel(None);
        let (writers, tasks) = Writers::start(&database, connections, queue, &closes, &stops);
        let readers = Readers::new(database);
        Ok(Store { shared: Arc::new(Shared { writers, readers, closing, stopped, tasks: Mutex::new(tasks) }) })
    }

    /// Accepts nothing more, finishes what waits, and closes the database.
    pub async fn close(&self) {
        // The writer goes last: closing SQLite's last connection empties the log, which a reader may not do.
        self.shared.readers.close().await;
        self.shared.closing.send_replace(true);
        let tasks = std::mem::take(&mut *self.shared.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        for task in tasks {
            if let Err(cause) = task.await {
                error!(%cause, "store: a writer did not end well");
            }
        }
        info!("store: closed");
    }

    /// Resolves with the reason when a writer has stopped by failure: then the server has to stop.
    pub async fn stopped(&self) -> String {
        let mut stopped = self.shared.stopped.clone();
        loop {
            if let Some(reason) = stopped.borrow_and_update().clone() {
                return reason;
            }
            if stopped.changed().await.is_err() {
                // Closed in order: there is no failure to wait for any more.
                std::future::pending::<()>().await;
            }
        }
    }

    /// Whether the store can be written to and read.
    pub async fn ready(&self) -> bool {
        self.shared.stopped.borrow().is_none() && self.shared.readers.read(reads::Ping).await.is_ok()
    }
}

/// Games and seats.
impl Store {
    /// Makes a game with seats, invitations, the battle before turn 1, and the first window. Gives the hash of that
    /// outcome, with which the game's chain begins.
    pub async fn create_game(&self, game: NewGame, now: Millis) -> Result<Hash, StoreError> {
        let (game, beginning, scenario_text) = off_thread(move || {
            let beginning = outcomes::pack(0, &game.battle, &game.events)?;
            let scenario_text = outcomes::compress(&game.scenario_text)?;
            Ok((game, beginning, scenario_text))
        })
        .await?;
        self.shared.writers.submit(seating::CreateGame { game, beginning, scenario_text, now }).await
    }

    /// The game without its large parts.
    pub async fn game(&self, game: GameId) -> Result<GameRecord, StoreError> {
        self.shared.readers.read(reads::ReadGame(game)).await
    }

    /// The scenario file from which the game was made.
    pub async fn scenario_text(&self, game: GameId) -> Result<Vec<u8>, StoreError> {
        let packed = self.shared.readers.read(reads::ReadScenario(game)).await?;
        off_thread(move || outcomes::expand(&packed)).await.map(|text| text.as_bytes().to_vec())
    }

    /// Whether the token is the game's host's.
    pub async fn is_host(&self, game: GameId, token: TokenHash) -> Result<bool, StoreError> {
        self.shared.readers.read(reads::IsHost(game, token)).await
    }

    /// All seats of the game, sorted by identifier.
    pub async fn seats(&self, game: GameId) -> Result<Vec<SeatRecord>, StoreError> {
        self.shared.readers.read(reads::ReadSeats(game)).await
    }

    /// The seat that a token holds in the game.
    pub async fn seat_of_token(&self, game: GameId, token: TokenHash) -> Result<Option<SeatRecord>, StoreError> {
        self.shared.readers.read(reads::SeatOfToken(game, token)).await
    }

    /// All seats that a token holds, the newest first.
    pub async fn seats_of_token(&self, token: TokenHash) -> Result<Vec<SeatRecord>, StoreError> {
        self.shared.readers.read(reads::SeatsOfToken(token)).await
    }

    /// The games in which a token holds a seat, the latest change first.
    pub async fn games_of_token(&self, token: TokenHash) -> Result<Vec<GameRecord>, StoreError> {
        self.shared.readers.read(reads::GamesOfToken(token)).await
    }

    /// Adds an invitation to a seat that nobody holds yet.
    pub async fn invite(&self, game: GameId, seat: SeatId, token: TokenHash, now: Millis) -> Result<(), StoreError> {
        self.shared.writers.submit(seating::Invite { game, seat, token, now }).await
    }

    /// The seat an invitation is for, claimed or not.
    pub async fn invitation(&self, invitation: TokenHash) -> Result<SeatRecord, StoreError> {
        self.shared.readers.read(reads::ReadInvitation(invitation)).await.map(|(_, seat)| seat)
    }

    /// Claims the seat of an invitation: single use. The same claim with the same seat token gives the same answer, so
    /// a caller that wants resends to work makes the token from the invitation and the client's command.
    pub async fn claim_invitation(
        &self,
        invitation: TokenHash,
        name: String,
        seat_token: TokenHash,
        now: Millis,
    ) -> Result<SeatRecord, StoreError> {
        let (game, _) = self.shared.readers.read(reads::ReadInvitation(invitation)).await?;
        self.shared.writers.submit(seating::ClaimInvitation { game, invitation, name, seat_token, now }).await
    }
}

/// Who watches.
impl Store {
    /// The game and the role that a watcher's link is for.
    pub async fn watch_link(&self, link: TokenHash) -> Result<(GameId, WatchRole), StoreError> {
        self.shared.readers.read(watching::ReadWatchLink(link)).await
    }

    /// Takes the place of a link under a token: the umpire's once, a spectator's while fewer than `room` watch. A token that has
    /// a seat in the game is refused; the same claim with the same token gives the same answer.
    pub async fn claim_watch(
        &self,
        link: TokenHash,
        name: String,
        token: TokenHash,
        room: u32,
        now: Millis,
    ) -> Result<WatcherRecord, StoreError> {
        let (game, role) = self.watch_link(link).await?;
        self.shared.writers.submit(watching::ClaimWatch { game, role, name, token, room, now }).await
    }

    /// The place that a token has among the watchers of a game.
    pub async fn watcher_of_token(&self, game: GameId, token: TokenHash) -> Result<Option<WatcherRecord>, StoreError> {
        self.shared.readers.read(watching::WatcherOfToken(game, token)).await
    }
}

/// Drafts and seals.
impl Store {
    /// Saves a draft and gives its revision. Refused when another client saved in between, when the seat has sealed,
    /// and when the window is closed.
    pub async fn save_draft(&self, draft: SaveDraft) -> Result<u32, StoreError> {
        self.shared.writers.submit(draft).await
    }

    /// The seat's draft of a stage.
    pub async fn draft(&self, key: StageKey, seat: SeatId) -> Result<Option<DraftRecord>, StoreError> {
        self.shared.readers.read(reads::ReadDraft(key, seat)).await
    }

    /// Seals. When this returns `Ok`, the envelope is durable. The last seal that the window waits for closes it in the
    /// same commit.
    pub async fn seal(&self, seal: Seal) -> Result<Sealed, StoreError> {
        self.shared.writers.submit(seal).await
    }

    /// Takes a seal back while the window is open.
    pub async fn unseal(&self, unseal: Unseal) -> Result<Sealed, StoreError> {
        self.shared.writers.submit(unseal).await
    }

    /// The seat's own envelope of a stage.
    pub async fn envelope(&self, key: StageKey, seat: SeatId) -> Result<Option<EnvelopeRecord>, StoreError> {
        self.shared.readers.read(reads::ReadEnvelope(key, seat)).await
    }

    /// The seats that have sealed a stage. Of enemy seats nobody may learn this before all are in.
    pub async fn sealed_seats(&self, key: StageKey) -> Result<Vec<SeatId>, StoreError> {
        self.shared.readers.read(reads::SealedSeats(key)).await
    }

    /// The answer to a command that was carried out before: ask before any rule can refuse a resend.
    pub async fn answer(
        &self,
        game: GameId,
        seat: SeatId,
        command: CommandId,
        request: Hash,
    ) -> Result<Option<StoredBytes>, StoreError> {
        self.shared.readers.read(reads::ReadAnswer { game, seat, command, request }).await
    }

    /// After a window closed: stores the drafts that count as sealed. A seat that has an envelope keeps it, so this can
    /// be done twice. Load the inputs again afterwards.
    pub async fn seal_drafts(&self, key: StageKey, envelopes: Vec<NewEnvelope>, now: Millis) -> Result<(), StoreError> {
        self.shared.writers.submit(orders::SealDrafts { key, envelopes, now }).await
    }
}

/// Windows and outcomes.
impl Store {
    /// The window of a stage.
    pub async fn window(&self, key: StageKey) -> Result<WindowRecord, StoreError> {
        self.shared.readers.read(reads::ReadWindow(key)).await
    }

    /// Closes a window. True for exactly one caller, who resolves the stage.
    pub async fn close_window(&self, key: StageKey, by: ClosedBy, now: Millis) -> Result<bool, StoreError> {
        self.shared.writers.submit(windows::CloseWindow { key, by, now }).await
    }

    /// Moves the deadline of an open window; none waits for the seats, however long.
    pub async fn set_deadline(&self, key: StageKey, deadline: Option<Millis>) -> Result<(), StoreError> {
        self.shared.writers.submit(windows::SetDeadline { key, deadline }).await
    }

    /// All that a closed stage is resolved from.
    pub async fn inputs(&self, key: StageKey) -> Result<Inputs, StoreError> {
        let mut inputs = self.shared.readers.read(reads::ReadInputs(key)).await?;
        off_thread(move || {
            inputs.before = expand_outcome(inputs.before)?;
            Ok(inputs)
        })
        .await
    }

    /// Records what a stage came to and opens what follows, in one commit. `AlreadyResolved` means that another result
    /// was first: drop this one. Gives the hash of the last outcome.
    pub async fn record(&self, resolution: Resolution) -> Result<Hash, StoreError> {
        let well_formed = resolution.outcomes.first().is_some_and(|first| first.stage == resolution.at.stage);
        if !well_formed {
            error!(game.id = %resolution.at.game, "store: a resolution does not begin with its window's stage");
            return Err(StoreError::Unavailable);
        }
        let (resolution, packed) = off_thread(move || {
            let pack = |outcome: &NewOutcome| outcomes::pack(outcome.stage, &outcome.battle, &outcome.events);
            let packed = resolution.outcomes.iter().map(pack).collect::<Result<Vec<_>, _>>()?;
            Ok((resolution, packed))
        })
        .await?;
        self.shared.writers.submit(outcomes::Record { resolution, packed }).await
    }

    /// The newest outcome of a line: the battle as it stands.
    pub async fn latest_outcome(&self, game: GameId, line: u32) -> Result<OutcomeRecord, StoreError> {
        let packed = self.shared.readers.read(outcomes::LatestOutcome { game, line }).await?;
        off_thread(move || expand_outcome(packed)).await
    }

    /// At most `limit` outcomes of a line from `number` on, battles included: for records and verification.
    pub async fn outcomes(
        &self,
        game: GameId,
        line: u32,
        number: u32,
        limit: u32,
    ) -> Result<Vec<OutcomeRecord>, StoreError> {
        let packed = self.shared.readers.read(outcomes::OutcomesFrom { game, line, number, limit }).await?;
        off_thread(move || packed.into_iter().map(expand_outcome).collect()).await
    }

    /// At most `limit` stages' events of a line from `number` on; to be filtered for the viewer.
    pub async fn events(
        &self,
        game: GameId,
        line: u32,
        number: u32,
        limit: u32,
    ) -> Result<Vec<EventsRecord>, StoreError> {
        let packed = self.shared.readers.read(outcomes::EventsFrom { game, line, number, limit }).await?;
        off_thread(move || {
            let expand = |record: EventsRecord| {
                let events = outcomes::expand(&record.events)?;
                Ok(EventsRecord { events, ..record })
            };
            packed.into_iter().map(expand).collect()
        })
        .await
    }

    /// The place of a stage (turn, stage) in its line's chain, once resolved; without a stage, of the newest outcome.
    pub async fn outcome_number(
        &self,
        game: GameId,
        line: u32,
        of: Option<(u32, u8)>,
    ) -> Result<Option<u32>, StoreError> {
        self.shared.readers.read(reads::OutcomeNumber { game, line, of }).await
    }

    /// The newest closed window of a line with the hashes of what was sealed for it, by seat.
    pub async fn last_sealed(
        &self,
        game: GameId,
        line: u32,
    ) -> Result<Option<(StageKey, Vec<(SeatId, Hash)>)>, StoreError> {
        self.shared.readers.read(reads::LastSealed(game, line)).await
    }

    /// At most `limit` games that are not over, the latest change first.
    pub async fn unfinished_games(&self, limit: u32) -> Result<Vec<GameRecord>, StoreError> {
        self.shared.readers.read(reads::UnfinishedGames(limit)).await
    }

    /// Windows to close and stages to resolve. Stages closed after `closed_before` are left to whoever closed them.
    pub async fn due(&self, now: Millis, closed_before: Millis, limit: u32) -> Result<Due, StoreError> {
        self.shared.readers.read(windows::FindDue { now, closed_before, limit }).await
    }

    /// Stops a game with a reason for its players. Nothing is lost.
    pub async fn hold(&self, game: GameId, reason: String, now: Millis) -> Result<(), StoreError> {
        self.shared.writers.submit(windows::Hold { game, reason, now }).await
    }

    /// Lets a held game go on where it stopped.
    pub async fn release(&self, game: GameId, now: Millis) -> Result<Status, StoreError> {
        self.shared.writers.submit(windows::Release { game, now }).await
    }

    /// Ends a game by agreement, resignation or the host's word. Its result is recorded with it.
    pub async fn end_game(&self, game: GameId, result: String, now: Millis) -> Result<(), StoreError> {
        self.shared.writers.submit(outcomes::EndGame { game, result, now }).await
    }

    /// The result of a line, once recorded: JSON, public.
    pub async fn result(&self, game: GameId, line: u32) -> Result<Option<String>, StoreError> {
        self.shared.readers.read(reads::ReadResult(game, line)).await
    }

    /// The public commitments to the seeds of a line's turns, in order.
    pub async fn commitments(&self, game: GameId, line: u32) -> Result<Vec<(u32, Hash)>, StoreError> {
        self.shared.readers.read(reads::Commitments(game, line)).await
    }

    /// Line, turn and seed of all turns of a game that is over. Refused before.
    pub async fn revealed_seeds(&self, game: GameId) -> Result<Vec<(u32, u32, Seed)>, StoreError> {
        self.shared.readers.read(reads::RevealedSeeds(game)).await
    }
}

fn expand_outcome(packed: OutcomeRecord) -> std::io::Result<OutcomeRecord> {
    let battle = outcomes::expand(&packed.battle)?;
    let events = outcomes::expand(&packed.events)?;
    Ok(OutcomeRecord { battle, events, ..packed })
}

/// Compresses, expands and hashes where it blocks nobody.
async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, StoreError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(cause)) => {
            error!(%cause, "store: what is stored cannot be packed or unpacked");
            Err(StoreError::Unavailable)
        }
        Err(cause) => {
            error!(%cause, "store: packing stopped");
            Err(StoreError::Unavailable)
        }
    }
}
