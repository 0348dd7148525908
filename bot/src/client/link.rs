//! The socket task: connects, speaks, connects again.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use protocol::message::{ClientMessage, ServerMessage, StageAt, VERSION};
use protocol::padding::padded;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use tracing::{debug, info, warn};

use crate::client::rest::{self, TicketError};
use crate::client::{Address, Ask, Board, ClientError, Patience, StageEvents, State, Table};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Largest message accepted from the server: a whole view of a great battle is well below.
const LARGEST_MESSAGE: usize = 32 * 1024 * 1024;
/// Longest wait for the welcome.
const WELCOME_WITHIN: Duration = Duration::from_secs(15);

/// Why a socket ended.
enum Broken {
    /// Worth another try.
    Lost(String),
    /// Not worth another.
    Final(ClientError),
    /// The owner is gone.
    Dropped,
}

/// Runs until the owner is gone or the server says no for good.
pub(super) async fn keep(address: Address, patience: Patience, mut asked: mpsc::Receiver<Ask>, board: Board) {
    let mut link = Link { address, board, pending: Vec::new(), have: None };
    let mut failures = 0_u32;
    let error = loop {
        let welcomed = *link.board.connections.borrow();
        let broken = link.connect_and_speak(&patience, &mut asked).await;
        if *link.board.connections.borrow() != welcomed {
            failures = 0;
        }
        let why = match broken {
            Broken::Dropped => break ClientError::Closed,
            Broken::Final(error) => break error,
            Broken::Lost(why) => why,
        };
        failures += 1;
        if patience.most_failures.is_some_and(|most| most <= failures) {
            break ClientError::Unreachable(why);
        }
        let wait = patience.least_wait.saturating_mul(1 << (failures - 1).min(16)).min(patience.most_wait);
        info!(
            game.id = link.address.game(),
            failures,
            wait_ms = wait.as_millis() as u64,
            why,
            "connection lost, trying again"
        );
        tokio::time::sleep(wait).await;
    };
    if !matches!(error, ClientError::Closed) {
        warn!(game.id = link.address.game(), %error, "client stopped");
    }
    // The reason is there before anybody can see that the task has ended.
    let _ = link.board.end.set(error.clone());
    for ask in link.pending {
        let _ = ask.answer.send(Err(error.clone()));
    }
}

struct Link {
    address: Address,
    board: Board,
    /// Sent or to be sent, not answered; in the order in which they were asked.
    pending: Vec<Ask>,
    /// The last stage whose events came.
    have: Option<StageAt>,
}

impl Link {
    async fn connect_and_speak(&mut self, patience: &Patience, asked: &mut mpsc::Receiver<Ask>) -> Broken {
        let mut socket = match self.open().await {
            Ok(socket) => socket,
            Err(broken) => return broken,
        };
        // What was asked before the break is asked again, under the same identifiers.
        for ask in &self.pending {
            if let Err(broken) = say(&mut socket, &ask.message).await {
                return broken;
            }
        }
        let mut heard = Instant::now();
        let mut asked_whether_there = false;
        loop {
            let limit = if asked_whether_there { patience.silence * 2 } else { patience.silence };
            tokio::select! {
                ask = asked.recv() => {
                    let Some(ask) = ask else { return Broken::Dropped };
                    let said = say(&mut socket, &ask.message).await;
                    self.pending.push(ask);
                    if let Err(broken) = said {
                        return broken;
                    }
                }
                frame = socket.next() => {
                    heard = Instant::now();
                    asked_whether_there = false;
                    match frame {
                        Some(Ok(Message::Text(text))) => {
                            if let Err(broken) = self.hear(&text) {
                                return broken;
                            }
                        }
                        Some(Ok(Message::Close(_))) | None => return Broken::Lost("the server closed".to_owned()),
                        Some(Ok(_)) => {}
                        Some(Err(error)) => return Broken::Lost(error.to_string()),
                    }
                }
                () = tokio::time::sleep_until(heard + limit) => {
                    if asked_whether_there {
                        return Broken::Lost("the server fell silent".to_owned());
                    }
                    asked_whether_there = true;
                    if let Err(broken) = say(&mut socket, &ClientMessage::Ping {}).await {
                        return broken;
                    }
                }
            }
        }
    }

    /// Ticket, socket, hello, welcome.
    async fn open(&mut self) -> Result<Socket, Broken> {
        let ticket = rest::ticket(&self.address).await.map_err(|error| match error {
            TicketError::Refused(status) => Broken::Final(ClientError::Refused(status.to_string())),
            TicketError::Unavailable(why) => Broken::Lost(why),
        })?;
        let lost = |error: tokio_tungstenite::tungstenite::Error| Broken::Lost(error.to_string());
        let config =
            WebSocketConfig::default().max_message_size(Some(LARGEST_MESSAGE)).max_frame_size(Some(LARGEST_MESSAGE));
        let welcome = async {
            let connecting = tokio_tungstenite::connect_async_with_config(self.address.socket(), Some(config), true);
            let (mut socket, _) = connecting.await.map_err(lost)?;
            say(&mut socket, &ClientMessage::Hello { version: VERSION, ticket, have: self.have }).await?;
            loop {
                match socket.next().await {
                    Some(Ok(Message::Text(text))) => return Ok((socket, text)),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(_)) | None => return Err(Broken::Lost("no welcome".to_owned())),
                    Some(Err(error)) => return Err(lost(error)),
                }
            }
        };
        let Ok(opened) = tokio::time::timeout(WELCOME_WITHIN, welcome).await else {
            return Err(Broken::Lost("no welcome in time".to_owned()));
        };
        let (socket, text) = opened?;
        match parse(&text)? {
            ServerMessage::Welcome { version, .. } if version != VERSION => {
                Err(Broken::Final(ClientError::Version(version)))
            }
            ServerMessage::Welcome { game, viewer, seats, card, settings, .. } => {
                debug!(game.id = game, "welcomed");
                let table = Table { game, viewer, seats, card, settings };
                self.board.table.send_replace(Some(table.into()));
                self.board.connections.send_modify(|count| *count += 1);
                Ok(socket)
            }
            ServerMessage::Error(error) if error.code == "wrong_version" => {
                Err(Broken::Final(ClientError::Answer(error.into())))
            }
            ServerMessage::Error(error) => Err(Broken::Lost(format!("{}: {}", error.code, error.message))),
            _ => Err(Broken::Lost("the first word was no welcome".to_owned())),
        }
    }

    fn hear(&mut self, text: &str) -> Result<(), Broken> {
        let message = parse(text)?;
        let about = match &message {
            ServerMessage::State { .. } | ServerMessage::Welcome { .. } | ServerMessage::Pong {} => None,
            ServerMessage::Events { request, .. } => request.clone(),
            ServerMessage::Saved { command, .. }
            | ServerMessage::Sealed { command, .. }
            | ServerMessage::Unsealed { command } => Some(command.clone()),
            ServerMessage::Checked { request, .. }
            | ServerMessage::Previewed { request, .. }
            | ServerMessage::Odds { request, .. }
            | ServerMessage::Standing { request, .. }
            | ServerMessage::Needs { request, .. } => Some(request.clone()),
            ServerMessage::Error(error) => error.about.clone(),
        };
        if let Some(id) = about {
            // An answer that nobody waits for any more: it came over the broken socket as well.
            let Some(index) = self.pending.iter().position(|ask| ask.id == id) else { return Ok(()) };
            let ask = self.pending.remove(index);
            let answer = match message {
                ServerMessage::Error(error) => Err(ClientError::Answer(error.into())),
                message => Ok(message),
            };
            let _ = ask.answer.send(answer);
            return Ok(());
        }
        match message {
            ServerMessage::State { status, view, draft, sealed, envelopes: _ } => {
                self.board.state.send_replace(Some(State { status, view, draft, sealed }.into()));
            }
            ServerMessage::Events { at, events, .. } => {
                self.have = self.have.max(Some(at));
                // Nobody may be listening.
                let _ = self.board.events.send(StageEvents { at, events }.into());
            }
            ServerMessage::Error(error) => {
                warn!(code = error.code, message = error.message, "the server complains");
            }
            _ => {}
        }
        Ok(())
    }
}

async fn say(socket: &mut Socket, message: &ClientMessage) -> Result<(), Broken> {
    let text = serde_json::to_string(message).map_err(|error| Broken::Lost(error.to_string()))?;
    // LEAK-18 What is said of orders has one of a few sizes.
    let plain = matches!(message, ClientMessage::Hello { .. } | ClientMessage::Ping {});
    let text = if plain { text } else { padded(text) };
    socket.send(Message::text(text)).await.map_err(|error| Broken::Lost(error.to_string()))
}

fn parse(text: &str) -> Result<ServerMessage, Broken> {
    serde_json::from_str(text).map_err(|error| Broken::Lost(format!("a message that does not parse: {error}")))
}
