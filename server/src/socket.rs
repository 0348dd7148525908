//! One socket: a player's or a watcher's conversation with a game. Protocol version 1.
//!
//! Owns the greeting, the limits, and the order of what is written. A socket is a subscription: it is told that the game
//! has moved on, and looks for itself what who is at it may know now. One task reads and answers, one task writes; between
//! them stand a few answers at most, and of states never more than the latest, so a slow client costs nobody anything.
//! It knows no rule and no store.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use protocol::message::{ClientMessage, ServerMessage, StageAt, VERSION};
use protocol::padding::padded;
use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tracing::{debug, error, info};

use crate::app::App;
use crate::games::{Bucket, Moves, News, OddsAsked, Present, Progress, Rate, Refused, SealAsked};
use crate::store::{GameId, Hash};

/// Answers that may wait to be written. When they do, nothing more is read.
const ANSWERS: usize = 8;
/// Messages of one socket: a player who drags a path asks many questions, but not without end.
const MESSAGES: Rate = Rate { burst: 200, per_minute: 3000 };
/// A watcher asks for earlier stages, and the umpire how units stand through a seat's eyes.
const WATCHERS_MESSAGES: Rate = Rate { burst: 60, per_minute: 600 };
/// The longest complaint about a message that cannot be read.
const LONGEST_COMPLAINT: usize = 300;

/// The codes with which a socket is closed.
mod close {
    /// The server stops; come again.
    pub(super) const RESTART: u16 = 1012;
    /// Something the protocol forbids.
    pub(super) const POLICY: u16 = 1008;
    /// A message too large to be read.
    pub(super) const TOO_LARGE: u16 = 1009;
    /// The server failed; come again.
    pub(super) const TRY_AGAIN: u16 = 1013;
}

/// Opens the socket of a game. Who it is for is said in the first message, never in the address.
pub async fn open(
    State(app): State<App>,
    Path(game): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !is_own_origin(&headers, &app.config.public_url) {
        return Refused::new("foreign_origin", "sockets are opened from this server's own pages alone").into_response();
    }
    let game = match crate::api::game_id(&game) {
        Ok(game) => game,
        Err(refused) => return refused.into_response(),
    };
    let limits = app.config.limits;
    // Up to twice the limit a message is read, so that it can be refused in words; beyond, the socket is closed.
    let most = 2 * limits.message_bytes.max(limits.greeting_bytes);
    upgrade
        .max_message_size(most)
        .max_frame_size(most)
        .read_buffer_size(limits.socket_buffer_bytes)
        .write_buffer_size(limits.socket_buffer_bytes)
        .on_upgrade(move |socket| converse(app, game, socket))
}

/// Browsers say from which page a socket is opened: it has to be our own. Programs say nothing.
fn is_own_origin(headers: &HeaderMap, public_url: &str) -> bool {
    let mut origins = headers.get_all(ORIGIN).iter();
    let (origin, more) = (origins.next(), origins.next());
    let (Some(origin), None) = (origin, more) else { return more.is_none() };
    let Ok(origin) = origin.to_str() else { return false };
    if origin.eq_ignore_ascii_case(origin_of(public_url)) {
        return true;
    }
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let host = headers.get(HOST).map(HeaderValue::to_str);
    match (authority, host) {
        (Some(authority), Some(Ok(host))) => authority.eq_ignore_ascii_case(host),
        _ => false,
    }
}

/// Scheme, host and port of an address.
fn origin_of(url: &str) -> &str {
    let after_scheme = url.find("://").map_or(0, |at| at + 3);
    let end = url[after_scheme..].find('/').map_or(url.len(), |at| after_scheme + at);
    &url[..end]
}

type Sink = SplitSink<WebSocket, Message>;
type Stream = SplitStream<WebSocket>;

async fn converse(app: App, game: GameId, socket: WebSocket) {
    let (mut sink, mut stream) = socket.split();
    let patience = app.config.limits.greeting_timeout;
    let greeting = timeout(patience, greet(&app, game, &mut stream)).await;
    let greeted = greeting.unwrap_or_else(|_| Err(Refused::new("late", "`hello` did not come in time")));
    let (present, have) = match greeted {
        Ok(greeted) => greeted,
        Err(refused) => {
            debug!(game.id = %game, code = refused.code, "socket: not greeted");
            let _gone = say_and_close(&mut sink, refused, None, close::POLICY, patience).await;
            return;
        }
    };
    debug!(game.id = %game, viewer = ?present.viewer(), "socket: greeted");
    // From here on nothing is missed: what moves before the first look is seen by it, what moves after wakes the writer.
    let moves = app.games.listen(game);
    let (answers, waiting) = mpsc::channel(ANSWERS);
    let writer = Writer { app: app.clone(), present: present.clone(), sink, sent: None, moves };
    let writing = tokio::spawn(writer.run(have, waiting));
    read(&app, &present, &mut stream, answers).await;
    if let Err(cause) = writing.await {
        error!(game.id = %game, %cause, "socket: the writer did not end well");
    }
    debug!(game.id = %game, viewer = ?present.viewer(), "socket: closed");
}

/// The first message: version and ticket. Who says it joins the game's listeners only after it.
async fn greet(app: &App, game: GameId, stream: &mut Stream) -> Result<(Present, Option<StageAt>), Refused> {
    let hello = || Refused::new("bad_message", "the first message has to be `hello`");
    let text = loop {
        match stream.next().await {
            Some(Ok(Message::Text(text))) => break text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Binary(_) | Message::Close(_))) | None => return Err(hello()),
            Some(Err(_)) => return Err(Refused::new("too_large", "the first message is too large")),
        }
    };
    if app.config.limits.greeting_bytes < text.len() {
        return Err(Refused::new("too_large", "the first message is too large"));
    }
    match serde_json::from_str::<ClientMessage>(&text) {
        Ok(ClientMessage::Hello { version, .. }) if version != VERSION => Err(wrong_version(version.into())),
        Ok(ClientMessage::Hello { version: _, ticket, have }) => {
            let present = app.games.take_ticket(game, &ticket);
            let present =
                present.ok_or_else(|| Refused::new("bad_ticket", "the ticket is not good; ask for a new one"));
            Ok((present?, have))
        }
        Ok(_) => Err(hello()),
        // A later version's hello may look otherwise: it is told the version, not the difference.
        Err(fault) => match version_of(&text) {
            Some(version) if version != u64::from(VERSION) => Err(wrong_version(version)),
            _ => Err(unreadable(&fault)),
        },
    }
}

fn wrong_version(theirs: u64) -> Refused {
    let message = format!("this server speaks version {VERSION} of the protocol, not {theirs}; reload the page");
    Refused::new("wrong_version", message)
}

fn version_of(text: &str) -> Option<u64> {
    serde_json::from_str::<serde_json::Value>(text).ok()?.get("version")?.as_u64()
}

fn unreadable(fault: &serde_json::Error) -> Refused {
    let mut complaint = format!("the message cannot be read: {fault}");
    if LONGEST_COMPLAINT < complaint.len() {
        let end = (0..=LONGEST_COMPLAINT).rev().find(|at| complaint.is_char_boundary(*at)).unwrap_or(0);
        complaint.truncate(end);
    }
    Refused::new("bad_message", complaint)
}

/// Reads and answers, one message after another, until the client is gone or silent.
async fn read(app: &App, present: &Present, stream: &mut Stream, answers: mpsc::Sender<Outgoing>) {
    let silence = 2 * app.config.limits.heartbeat;
    let rate = match present {
        Present::Player(_) => MESSAGES,
        Present::Umpire(_) | Present::Spectator(_) => WATCHERS_MESSAGES,
    };
    let mut bucket = Bucket::full(rate, app.clock.now());
    loop {
        let heard = tokio::select! {
            // The writer has ended: nobody would hear an answer.
            () = answers.closed() => return,
            heard = timeout(silence, stream.next()) => heard,
        };
        let text = match heard {
            Err(_silent) => {
                debug!(game.id = %present.game(), "socket: the client fell silent");
                return;
            }
            Ok(None | Some(Ok(Message::Close(_)))) => return,
            Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => continue,
            Ok(Some(Ok(Message::Text(text)))) => text,
            Ok(Some(Ok(Message::Binary(_)))) => {
                let refused = Refused::new("bad_message", "messages are JSON text, not binary");
                if answers.send(Outgoing::answer(refused, None)).await.is_err() {
                    return;
                }
                continue;
            }
            Ok(Some(Err(fault))) => {
                debug!(game.id = %present.game(), %fault, "socket: broken off");
                let refused = Refused::new("too_large", "the message is too large, and the socket is closed");
                let _gone = answers.send(Outgoing::Close(refused, close::TOO_LARGE)).await;
                return;
            }
        };
        let (answer, news) = if app.config.limits.message_bytes < text.len() {
            (Outgoing::answer(Refused::new("too_large", "the message is too large"), None), News::Nothing)
        } else if !bucket.take(rate, app.clock.now()) {
            let refused = Refused::new("overloaded", "too many messages; wait a moment");
            (Outgoing::answer(refused, about(&text)), News::Nothing)
        } else {
            respond(app, present, &text).await
        };
        let taken = answers.send(answer).await;
        // Others hear of it whether or not this client still does.
        if let Present::Player(seated) = present {
            app.games.announce(seated, news);
        }
        if taken.is_err() {
            return;
        }
    }
}

/// What is written besides states and events.
enum Outgoing {
    Say(Box<ServerMessage>),
    Close(Refused, u16),
}

impl Outgoing {
    fn answer(refused: Refused, about: Option<String>) -> Self {
        Outgoing::Say(Box::new(ServerMessage::Error(refused.about(about))))
    }
}

async fn respond(app: &App, present: &Present, text: &str) -> (Outgoing, News) {
    let message = match serde_json::from_str::<ClientMessage>(text) {
        Ok(message) => message,
        Err(fault) => return (Outgoing::answer(unreadable(&fault), about(text)), News::Nothing),
    };
    let games = &app.games;
    let quietly = |answer: Result<ServerMessage, Refused>| answer.map(|message| (message, News::Nothing));
    let (about, answer) = match (message, present.seated()) {
        (ClientMessage::Hello { .. }, _) => {
            (None, Err(Refused::new("bad_message", "`hello` is said once, at the beginning")))
        }
        (ClientMessage::Replay { request, at }, _) => {
            (Some(request.clone()), quietly(games.replay(present, at, request).await))
        }
        (ClientMessage::Ping {}, _) => (None, Ok((ServerMessage::Pong {}, News::Nothing))),
        // The umpire asks these as the seat through whose eyes he looks.
        (ClientMessage::Odds { request, at, firer, target, fire }, _) => {
            let asked = OddsAsked { firer, target, fire };
            let answer = match present.asking() {
                Ok(asking) => games.odds(&asking, request.clone(), at, asked).await,
                Err(watching) => Err(watching),
            };
            (Some(request), quietly(answer))
        }
        (ClientMessage::Standing { request, at, unit }, _) => {
            let answer = match present.asking() {
                Ok(asking) => games.unit_standing(&asking, request.clone(), at, unit).await,
                Err(watching) => Err(watching),
            };
            (Some(request), quietly(answer))
        }
        // Whatever else there is to say, a seat says it.
        (_, Err(watching)) => (about(text), Err(watching)),
        (ClientMessage::SaveDraft { command, at, draft }, Ok(seated)) => {
            (Some(command.clone()), quietly(games.save_draft(seated, command, at, draft).await))
        }
        (ClientMessage::Seal { command, at, draft, nonce, drop_illegal }, Ok(seated)) => {
            let asked = SealAsked { command: command.clone(), at, draft, nonce, drop_illegal };
            (Some(command), games.seal(seated, asked).await)
        }
        (ClientMessage::Unseal { command, at }, Ok(seated)) => {
            (Some(command.clone()), games.unseal(seated, command, at).await)
        }
        (ClientMessage::Check { request, at, draft }, Ok(seated)) => {
            (Some(request.clone()), quietly(games.check(seated, request, at, draft).await))
        }
        (ClientMessage::Preview { request, at, unit, order }, Ok(seated)) => {
            (Some(request.clone()), quietly(games.preview(seated, request, at, unit, order).await))
        }
        (ClientMessage::PreviewPicket { request, at, picket, order }, Ok(seated)) => {
            (Some(request.clone()), quietly(games.preview_picket(seated, request, at, picket, order).await))
        }
        (ClientMessage::Needs { request, at }, Ok(seated)) => {
            (Some(request.clone()), quietly(games.needs(seated, request, at).await))
        }
    };
    match answer {
        Ok((message, news)) => (Outgoing::Say(Box::new(message)), news),
        Err(refused) => {
            debug!(game.id = %present.game(), viewer = ?present.viewer(), code = refused.code, "socket: refused");
            (Outgoing::answer(refused, about), News::Nothing)
        }
    }
}

/// The command or request of a message that could not be read, so that its sender knows which one it was.
fn about(text: &str) -> Option<String> {
    let value = serde_json::from_str::<serde_json::Value>(text).ok()?;
    let about = value.get("command").or_else(|| value.get("request"))?.as_str()?;
    (about.len() <= 64).then(|| about.to_owned())
}

/// The one task that writes to a socket.
struct Writer {
    app: App,
    present: Present,
    sink: Sink,
    /// The state sent last, by its hash: the same one is not sent twice.
    sent: Option<Hash>,
    moves: watch::Receiver<Moves>,
}

/// Why a writer ends.
enum End {
    /// The client is gone.
    Gone,
    /// The server cannot go on with it; it may come again.
    Failed(Refused),
}

impl From<axum::Error> for End {
    fn from(_: axum::Error) -> Self {
        End::Gone
    }
}

impl From<Refused> for End {
    fn from(refused: Refused) -> Self {
        End::Failed(refused)
    }
}

impl Writer {
    async fn run(mut self, have: Option<StageAt>, waiting: mpsc::Receiver<Outgoing>) {
        let patience = self.app.config.limits.greeting_timeout;
        match self.write(have, waiting).await {
            Ok(()) | Err(End::Gone) => {}
            Err(End::Failed(refused)) => {
                info!(game.id = %self.present.game(), code = refused.code, "socket: given up");
                let _gone = say_and_close(&mut self.sink, refused, None, close::TRY_AGAIN, patience).await;
            }
        }
    }

    async fn write(&mut self, have: Option<StageAt>, mut waiting: mpsc::Receiver<Outgoing>) -> Result<(), End> {
        let limits = self.app.config.limits;
        let mut seen = *self.moves.borrow_and_update();
        let welcome = self.app.games.welcome(&self.present).await?;
        self.say(&welcome).await?;
        let mut progress = self.app.games.progress(&self.present, have).await?;
        self.show(&mut progress).await?;
        let mut heartbeat = interval(limits.heartbeat);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat.tick().await;
        let shutdown = self.app.shutdown.clone();
        loop {
            tokio::select! {
                biased;
                () = shutdown.requested() => {
                    return Ok(self.close(close::RESTART, "the server stops").await?);
                }
                answer = waiting.recv() => match answer {
                    Some(Outgoing::Say(message)) => self.answer(&message).await?,
                    Some(Outgoing::Close(refused, code)) => {
                        return Ok(say_and_close(&mut self.sink, refused, None, code, limits.greeting_timeout).await?);
                    }
                    // The reader has ended: the client is gone or silent.
                    None => return Ok(self.close(close::POLICY, "nothing was heard of the client").await?),
                },
                _ = heartbeat.tick() => self.sink.send(Message::Ping(Vec::new().into())).await?,
                changed = self.moves.changed() => {
                    if changed.is_err() {
                        return Ok(());
                    }
                    let now = *self.moves.borrow_and_update();
                    let seats = now.seats != seen.seats;
                    let concerns = self.present.concerned(&seen, &now);
                    seen = now;
                    if seats {
                        let welcome = self.app.games.welcome(&self.present).await?;
                        self.say(&welcome).await?;
                    }
                    if concerns {
                        self.show(&mut progress).await?;
                    }
                }
            }
        }
    }

    /// Sends the stages that the client lacks, then the game as it stands, if that is news.
    async fn show(&mut self, progress: &mut Progress) -> Result<(), End> {
        while let Some((events, after)) = self.app.games.next_events(&self.present, *progress).await? {
            self.say(&events).await?;
            *progress = after;
        }
        let state = text_of(&self.app.games.state(&self.present).await?);
        let hash = Hash::of(state.as_bytes());
        if self.sent != Some(hash) {
            self.sink.send(Message::Text(state.into())).await?;
            self.sent = Some(hash);
        }
        Ok(())
    }

    async fn say(&mut self, message: &ServerMessage) -> Result<(), axum::Error> {
        self.sink.send(Message::Text(text_of(message).into())).await
    }

    /// LEAK-09 Answers have one of a few sizes, whatever was said.
    async fn answer(&mut self, message: &ServerMessage) -> Result<(), axum::Error> {
        self.sink.send(Message::Text(padded(text_of(message)).into())).await
    }

    async fn close(&mut self, code: u16, reason: &'static str) -> Result<(), axum::Error> {
        self.sink.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await
    }
}

async fn say_and_close(
    sink: &mut Sink,
    refused: Refused,
    about: Option<String>,
    code: u16,
    patience: Duration,
) -> Result<(), axum::Error> {
    let text = text_of(&ServerMessage::Error(refused.about(about)));
    let saying = async {
        sink.send(Message::Text(text.into())).await?;
        sink.send(Message::Close(Some(CloseFrame { code, reason: "".into() }))).await
    };
    timeout(patience, saying).await.unwrap_or(Ok(()))
}

fn text_of(message: &ServerMessage) -> String {
    serde_json::to_string(message).expect("messages hold only maps with text keys, which JSON can write")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_str(host).expect("a host"));
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_str(origin).expect("an origin"));
        }
        headers
    }

    #[test]
    fn a_socket_is_opened_from_our_own_pages_alone() {
        let public = "https://picket.example/play";
        for (host, origin) in [
            ("127.0.0.1:8080", None),
            ("127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("[::1]:8080", Some("http://[::1]:8080")),
            ("LocalHost:8080", Some("http://localhost:8080")),
            ("inside:1", Some("https://picket.example")),
            ("inside:1", Some("HTTPS://Picket.Example")),
        ] {
            assert!(is_own_origin(&headers(host, origin), public), "{host} {origin:?}");
        }
        for (host, origin) in [
            ("127.0.0.1:8080", "null"),
            ("127.0.0.1:8080", "http://127.0.0.1:8081"),
            ("127.0.0.1:8080", "http://127.0.0.1"),
            ("picket.example", "https://evil.example"),
            ("picket.example", "https://picket.example.evil.example"),
            ("picket.example", "https://evilpicket.example"),
            ("inside:1", "http://picket.example"),
            ("inside:1", "https://picket.example:444"),
            ("inside:1", "ftp://inside:1"),
            ("inside:1", ""),
        ] {
            assert!(!is_own_origin(&headers(host, Some(origin)), public), "{host} {origin}");
        }
        let mut two = headers("h:1", Some("http://h:1"));
        two.append(ORIGIN, HeaderValue::from_static("http://h:1"));
        assert!(!is_own_origin(&two, public), "one page has one origin");
    }

    #[test]
    fn an_unreadable_message_keeps_its_name() {
        assert_eq!(about(r#"{"type":"seal","command":"c1","oops":1}"#), Some("c1".to_owned()));
        assert_eq!(about(r#"{"type":"check","request":"r1"}"#), Some("r1".to_owned()));
        assert_eq!(about(&format!(r#"{{"command":"{}"}}"#, "x".repeat(65))), None);
        assert_eq!(about("{"), None);
    }

    #[test]
    fn a_complaint_is_short_and_whole() {
        let text = format!(r#"{{"type":"{}"}}"#, "ü".repeat(1000));
        let fault = serde_json::from_str::<ClientMessage>(&text).expect_err("there is no such message");
        assert!(unreadable(&fault).message.len() <= LONGEST_COMPLAINT);
    }
}
