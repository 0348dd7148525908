//! A client of the socket: one task that keeps a seat connected and loses nothing.
//!
//! Owns the conversation: ticket, hello, welcome, states, and questions with their answers. A question or a
//! command stays pending until it is answered; when the socket breaks, a new one is opened and everything
//! pending is sent again with the same identifier, so that a command is done once however often it is sent.
//! It decides nothing: a bot, a test or a load driver sits on top of it.

mod address;
mod link;
mod rest;

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use protocol::event::Event;
use protocol::ids::UnitId;
use protocol::message::{
    ClientMessage, ErrorMessage, GameStatus, Odds, OddsFire, Preview, Receipt, Refusal, SeatView, ServerMessage,
    SettingsView, StageAt,
};
use protocol::orders::{Draft, Order};
use protocol::view::{BattleCard, View, Viewer};
use tokio::sync::{broadcast, mpsc, oneshot, watch};

pub use address::Address;

/// How patient a client is.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// First wait before connecting again; doubled with every failure.
    pub least_wait: Duration,
    /// Longest wait before connecting again.
    pub most_wait: Duration,
    /// Failures in a row after which the client gives up; absent: never.
    pub most_failures: Option<u32>,
    /// Silence after which the server is asked whether it is there; twice that, and the socket is given up.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            least_wait: Duration::from_millis(100),
            most_wait: Duration::from_secs(5),
            most_failures: None,
            silence: Duration::from_secs(20),
        }
    }
}

/// Why a client stopped, or a question has no answer.
#[derive(Clone, Debug)]
pub enum ClientError {
    /// The address cannot be one.
    Address(String),
    /// The server does not accept the seat's token, or has no such game.
    Refused(String),
    /// The server speaks another version.
    Version(u32),
    /// The server could not be reached as often as patience allows.
    Unreachable(String),
    /// The server answered with an error.
    Answer(Box<ErrorMessage>),
    /// The client was stopped.
    Closed,
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Address(why) => write!(f, "the address is wrong: {why}"),
            ClientError::Refused(why) => write!(f, "the server refused the seat: {why}"),
            ClientError::Version(theirs) => {
                write!(f, "the server speaks version {theirs} of the protocol, not {}", protocol::message::VERSION)
            }
            ClientError::Unreachable(why) => write!(f, "the server cannot be reached: {why}"),
            ClientError::Answer(error) => write!(f, "{}: {}", error.code, error.message),
            ClientError::Closed => f.write_str("the client was stopped"),
        }
    }
}

impl std::error::Error for ClientError {}

/// What the server said at the welcome.
#[derive(Clone, Debug)]
pub struct Table {
    /// The game's identifier.
    pub game: String,
    /// Who the client is.
    pub viewer: Viewer,
    /// The seats.
    pub seats: Vec<SeatView>,
    /// What never changes.
    pub card: Box<BattleCard>,
    /// The game's settings.
    pub settings: SettingsView,
}

/// The game as last told; the latest wins.
#[derive(Clone, Debug)]
pub struct State {
    /// Where the game stands.
    pub status: GameStatus,
    /// The battle as the seat may know it.
    pub view: Box<View>,
    /// The draft as last saved.
    pub draft: Option<Draft>,
    /// The sealed envelope of the open window.
    pub sealed: Option<Box<Receipt>>,
}

/// Events of one stage.
#[derive(Clone, Debug)]
pub struct StageEvents {
    /// Which stage.
    pub at: StageAt,
    /// In order.
    pub events: Vec<Event>,
}

/// The answer to a check or to a saved draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// What is not legal.
    pub refusals: Vec<Refusal>,
    /// Own units on the table for which the draft says nothing.
    pub without_order: Vec<UnitId>,
}

/// What a socket task is asked to send, and where the answer goes.
pub(crate) struct Ask {
    pub(crate) id: String,
    pub(crate) message: ClientMessage,
    pub(crate) answer: oneshot::Sender<Result<ServerMessage, ClientError>>,
}

/// What the socket task writes and everybody reads.
pub(crate) struct Board {
    pub(crate) table: watch::Sender<Option<Arc<Table>>>,
    pub(crate) state: watch::Sender<Option<Arc<State>>>,
    pub(crate) events: broadcast::Sender<Arc<StageEvents>>,
    pub(crate) connections: watch::Sender<u32>,
    pub(crate) end: Arc<OnceLock<ClientError>>,
}

/// A connected seat. Dropping it ends its task.
pub struct Client {
    asks: mpsc::Sender<Ask>,
    table: watch::Receiver<Option<Arc<Table>>>,
    state: watch::Receiver<Option<Arc<State>>>,
    events: broadcast::Sender<Arc<StageEvents>>,
    connections: watch::Receiver<u32>,
    end: Arc<OnceLock<ClientError>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Client {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Client {
    /// Starts the task that connects; returns at once. Has to be called within a tokio runtime.
    pub fn start(address: Address, patience: Patience) -> Client {
        let (asks, asked) = mpsc::channel(64);
        let (table, table_seen) = watch::channel(None);
        let (state, state_seen) = watch::channel(None);
        let (events, _) = broadcast::channel(64);
        let (connections, connections_seen) = watch::channel(0);
        let end = Arc::new(OnceLock::new());
        let board = Board { table, state, events: events.clone(), connections, end: end.clone() };
        let task = tokio::spawn(link::keep(address, patience, asked, board));
        Client { asks, table: table_seen, state: state_seen, events, connections: connections_seen, end, task }
    }

    /// The table, as soon as the server has welcomed the client.
    pub async fn table(&mut self) -> Result<Arc<Table>, ClientError> {
        let table = self.table.wait_for(Option::is_some).await.ok().and_then(|table| table.clone());
        table.ok_or_else(|| self.why())
    }

    /// The latest state, if one has come.
    pub fn state(&self) -> Option<Arc<State>> {
        self.state.borrow().clone()
    }

    /// Waits until a state comes that was not given by this function before.
    pub async fn next_state(&mut self) -> Result<Arc<State>, ClientError> {
        loop {
            if self.state.changed().await.is_err() {
                return Err(self.why());
            }
            if let Some(state) = self.state.borrow_and_update().clone() {
                return Ok(state);
            }
        }
    }

    /// Events as they come from now on; a reader that is too slow loses the oldest.
    pub fn events(&self) -> broadcast::Receiver<Arc<StageEvents>> {
        self.events.subscribe()
    }

    /// How often the client has been welcomed.
    pub fn connections(&self) -> u32 {
        *self.connections.borrow()
    }

    /// Whether a draft is legal.
    pub async fn check(&self, at: StageAt, draft: Draft) -> Result<Verdict, ClientError> {
        let answer = self.ask(|request| ClientMessage::Check { request, at, draft }).await?;
        match answer {
            ServerMessage::Checked { refusals, without_order, .. } => Ok(Verdict { refusals, without_order }),
            _ => Err(ClientError::Closed),
        }
    }

    /// Where an order would take a unit.
    pub async fn preview(&self, at: StageAt, unit: UnitId, order: Order) -> Result<Box<Preview>, ClientError> {
        let answer = self.ask(|request| ClientMessage::Preview { request, at, unit, order }).await?;
        match answer {
            ServerMessage::Previewed { preview, .. } => Ok(preview),
            _ => Err(ClientError::Closed),
        }
    }

    /// What a volley of an own unit on First Fire would do to an enemy.
    pub async fn odds(&self, at: StageAt, firer: UnitId, target: UnitId) -> Result<Box<Odds>, ClientError> {
        let fire = Some(OddsFire::FirstFire);
        let answer = self.ask(|request| ClientMessage::Odds { request, at, firer, target, fire }).await?;
        match answer {
            ServerMessage::Odds { odds, .. } => Ok(odds),
            _ => Err(ClientError::Closed),
        }
    }

    /// Saves a draft.
    pub async fn save(&self, at: StageAt, draft: Draft) -> Result<Verdict, ClientError> {
        let answer = self.ask(|command| ClientMessage::SaveDraft { command, at, draft }).await?;
        match answer {
            ServerMessage::Saved { refusals, without_order, .. } => Ok(Verdict { refusals, without_order }),
            _ => Err(ClientError::Closed),
        }
    }

    /// Seals an envelope. `nonce` is 32 bytes in hexadecimal.
    pub async fn seal(
        &self,
        at: StageAt,
        draft: Draft,
        nonce: String,
        drop_illegal: bool,
    ) -> Result<Box<Receipt>, ClientError> {
        let answer = self.ask(|command| ClientMessage::Seal { command, at, draft, nonce, drop_illegal }).await?;
        match answer {
            ServerMessage::Sealed { receipt, .. } => Ok(receipt),
            _ => Err(ClientError::Closed),
        }
    }

    /// Takes a seal back.
    pub async fn unseal(&self, at: StageAt) -> Result<(), ClientError> {
        self.ask(|command| ClientMessage::Unseal { command, at }).await.map(|_| ())
    }

    /// Sends a question under an identifier of its own and waits for the answer, over as many sockets as it takes.
    async fn ask(&self, message: impl FnOnce(String) -> ClientMessage) -> Result<ServerMessage, ClientError> {
        let id = uuid::Uuid::new_v4().to_string();
        let (answer, answered) = oneshot::channel();
        let ask = Ask { id: id.clone(), message: message(id), answer };
        if self.asks.send(ask).await.is_err() {
            return Err(self.why());
        }
        answered.await.unwrap_or_else(|_| Err(self.why()))
    }

    fn why(&self) -> ClientError {
        self.end.get().cloned().unwrap_or(ClientError::Closed)
    }
}
