//! What happens to a game: made, joined, drafted, sealed, closed, resolved, shown.
//!
//! Owns the service behind REST and socket. It keeps nothing of a game but copies of what can never change again; the
//! truth is in the store, and any node can serve any player. It knows no rule of the battle: legality, resolution and
//! views are the rules' affair, asked off the async threads. Nothing of a battle reaches a player but what
//! [`rules::view`] made of it.
//!
//! Start at [`Games`]. Making and joining stand in `create`, what a seated player asks in `speak`, what who is present is
//! shown in `look`, who only watches in `watch`, the turning of turns in `keeper`.

mod bots;
mod create;
mod disclose;
mod hub;
mod keeper;
mod look;
pub mod names;
mod present;
mod quota;
mod records;
mod refusal;
mod release;
mod settings;
mod shelf;
mod speak;
mod tickets;
mod watch;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tracing::error;

pub use create::{Created, House};
pub use hub::Moves;
pub use look::{OutcomeSummary, Progress};
pub use present::{Asking, Present, Spectator, Umpire};
pub use quota::{Bucket, Quota, Rate};
pub use refusal::Refused;
pub use release::STEP as RELEASE_STEP;
pub use settings::{BotSeat, Settings, stage_number, stage_of};
pub(crate) use shelf::shelf_files;
pub use speak::{News, OddsAsked, SealAsked};
pub use tickets::Seated;

use crate::clock::{Clock, Entropy};
use crate::shutdown::Shutdown;
use crate::store::{GameId, GameRecord, Millis, StageKey, Store};
use hub::Hub;
use records::Records;
use shelf::Shelf;
use tickets::Tickets;

/// The version that resolves stages, as their records name it.
pub const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Games that one address may make.
const NEW_GAMES: Rate = Rate { burst: 30, per_minute: 10 };
/// Invitations that one address may try, and tickets it may ask for.
const KNOCKS: Rate = Rate { burst: 300, per_minute: 300 };

/// The service. Cheap to clone.
#[derive(Clone)]
pub struct Games {
    shared: Arc<Shared>,
}

struct Shared {
    store: Store,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    shelf: Shelf,
    records: Records,
    hub: Hub,
    tickets: Tickets,
    new_games: Quota,
    knocks: Quota,
    /// Places for computations of the rules: as many as there are processors.
    places: Arc<Semaphore>,
    /// Stages that this node resolves at the moment.
    resolving: Mutex<BTreeSet<StageKey>>,
    /// Set by `picket run`: the seat of whoever sits at this machine.
    house: OnceLock<House>,
    /// Where bots of this process find the server, once it listens.
    own_address: OnceLock<(String, Shutdown)>,
    /// Whether other nodes may change games.
    many_nodes: bool,
    /// The step after which, or twice, four times it, outcomes of games with hidden things come out. LEAK-14
    release: Duration,
}

impl Games {
    /// The service over a store. `many_nodes`: others may write to the same database; `release`: see [`release`].
    pub fn new(
        store: Store,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        many_nodes: bool,
        release: Duration,
    ) -> Games {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let shared = Shared {
            store,
            clock,
            entropy,
            shelf: Shelf::default(),
            records: Records::default(),
            hub: Hub::default(),
            tickets: Tickets::default(),
            new_games: Quota::new(NEW_GAMES),
            knocks: Quota::new(KNOCKS),
            places: Arc::new(Semaphore::new(processors)),
            resolving: Mutex::default(),
            house: OnceLock::new(),
            own_address: OnceLock::new(),
            many_nodes,
            release,
        };
        Games { shared: Arc::new(shared) }
    }

    /// Listens to what happens to a game.
    pub fn listen(&self, game: GameId) -> tokio::sync::watch::Receiver<Moves> {
        self.shared.hub.subscribe(game)
    }

    fn now(&self) -> Millis {
        self.shared.clock.now()
    }

    /// The settings of a game, as stored with it.
    fn settings(&self, game: &GameRecord) -> Result<Settings, Refused> {
        serde_json::from_str(&game.settings).map_err(|cause| {
            error!(game.id = %game.id, %cause, "games: the settings of a game cannot be read");
            Refused::new("unavailable", "the game's settings cannot be read; tell its host")
        })
    }

    /// Computes with the rules off the async threads. The place is given up by the computation, not by who waits for it:
    /// a client that hangs up frees nothing before its question is done.
    async fn compute<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Panicked> {
        let place = Arc::clone(&self.shared.places).acquire_owned().await.map_err(|_| Panicked)?;
        let done = tokio::task::spawn_blocking(move || {
            let answer = work();
            drop(place);
            answer
        });
        done.await.map_err(|_| Panicked)
    }
}

/// A computation that did not come to its end: a fault of ours, caught. The panic itself is in the log.
#[derive(Clone, Copy, Debug)]
struct Panicked;

impl From<Panicked> for Refused {
    fn from(_: Panicked) -> Self {
        Refused::new("failed", "the server failed at this question; nothing was changed, and its host can see why")
    }
}

/// Locks; a panic elsewhere leaves plain lists, which are good as they are.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
