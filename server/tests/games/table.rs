//! A running server and its players, in short words: real sockets, a real database, given time and chance.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use protocol::ids::{SeatId, Side};
use protocol::message::rest::{CreateGame, GameCreated, Join, Joined, Ticket};
use protocol::message::{
    ClientMessage, Deployment, ErrorMessage, GamePhase, GameStatus, Receipt, SealedOrders, ServerMessage, Spectators,
    StageAt, VERSION,
};
use protocol::orders::{Draft, Order, Stage, UnitDraft};
use protocol::view::{BattleCard, View};
use serde::Serialize;
use serde::de::DeserializeOwned;
use server::clock::{GivenClock, SeededEntropy};
use server::config::{Config, ConfigArgs};
use server::serve::Running;
use server::store::GameId;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::MaybeTlsStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// When the tests begin.
pub(crate) const NOON: i64 = 1_800_000_000_000;
/// Longest wait for a message: the machine may be busy, and the rules are not optimised in tests.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) const FIRST: StageAt = StageAt { line: 1, turn: 1, stage: Stage::Orders };

/// A server over a database, which outlives it.
pub(crate) struct Server {
    pub(crate) running: Running,
    pub(crate) clock: Arc<GivenClock>,
    database: String,
    folder: std::path::PathBuf,
}

impl Server {
    /// Starts with seed 7 over a new SQLite file.
    pub(crate) async fn start(folder: &tempfile::TempDir) -> Server {
        let database = format!("sqlite:{}", folder.path().join("picket.sqlite").display());
        Server::start_on(database, folder.path(), 7, NOON).await
    }

    pub(crate) async fn start_on(database: String, folder: &std::path::Path, seed: u64, now: i64) -> Server {
        Server::start_with(database, folder, seed, now, |_| {}).await
    }

    pub(crate) async fn start_with(
        database: String,
        folder: &std::path::Path,
        seed: u64,
        now: i64,
        change: impl FnOnce(&mut Config),
    ) -> Server {
        let args = ConfigArgs {
            listen: Some(([127, 0, 0, 1], 0).into()),
            data: Some(folder.to_owned()),
            database: Some(database.clone()),
            ..ConfigArgs::default()
        };
        let mut config = Config::load(&args).expect("the settings are good");
        // A test that waits at one socket does not read the others, and so does not answer their pings.
        config.limits.heartbeat = Duration::from_secs(3600);
        change(&mut config);
        let clock = Arc::new(GivenClock::at(now));
        let entropy = Arc::new(SeededEntropy::new(seed));
        let running = Running::start(config, clock.clone(), entropy).await.expect("the server starts");
        Server { running, clock, database, folder: folder.to_owned() }
    }

    /// Stops and starts again over the same database.
    pub(crate) async fn restart(self) -> Server {
        let now = server::clock::Clock::now(&*self.clock);
        self.running.stop().await;
        // Another seed: nothing that matters may be drawn again.
        Server::start_on(self.database, &self.folder, 8, now).await
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.running.address
    }

    /// A game for two, with windows and settings as `change` says, and both players seated.
    pub(crate) async fn game_for_two(&self, change: impl FnOnce(&mut CreateGame)) -> (Player, Player) {
        let mut asked = create();
        change(&mut asked);
        let created: GameCreated = post(self.address(), "/api/games", None, &asked).await.expect("a game is made");
        let union = self.join(&created, Side::Union, "Ann").await;
        let confederate = self.join(&created, Side::Confederate, "Bob").await;
        (self.sit(&union).await, self.sit(&confederate).await)
    }

    pub(crate) async fn join(&self, created: &GameCreated, side: Side, name: &str) -> Joined {
        let invitation = created.invitations.iter().find(|it| it.side == side).expect("every side has a seat");
        let token = invitation.link.strip_prefix("/join/").expect("a link to join").to_owned();
        post(self.address(), "/api/join", None, &Join { invitation: token, name: name.to_owned(), held: Vec::new() })
            .await
            .expect("the invitation is good")
    }

    /// Opens the socket of a seat, says hello and hears the welcome and the first state.
    pub(crate) async fn sit(&self, joined: &Joined) -> Player {
        self.sit_with(joined, None).await
    }

    pub(crate) async fn sit_with(&self, joined: &Joined, have: Option<StageAt>) -> Player {
        sit_at(self.address(), joined, have).await
    }

    pub(crate) async fn ticket(&self, joined: &Joined) -> String {
        ticket_at(self.address(), joined).await
    }

    /// How often each stage of a game was resolved, in the order of the chain, from the database.
    pub(crate) async fn stages(&self, game: &str) -> Vec<(u32, u8)> {
        let game: GameId = game.parse().expect("an identifier");
        let outcomes = self.running.app.store.outcomes(game, 1, 0, 1000).await.expect("the store answers");
        outcomes.iter().map(|outcome| (outcome.key.turn, outcome.key.stage)).collect()
    }
}

/// A socket of a seat at whatever server listens there.
pub(crate) async fn sit_at(address: SocketAddr, joined: &Joined, have: Option<StageAt>) -> Player {
    let ticket = ticket_at(address, joined).await;
    sit_by(address, ticket, joined, have).await
}

/// Opens a socket with a ticket that is at hand, and hears the welcome and the first state.
pub(crate) async fn sit_by(address: SocketAddr, ticket: String, joined: &Joined, have: Option<StageAt>) -> Player {
    let socket = open(address, &joined.game, None).await.expect("the socket opens");
    let mut player = Player::new(socket, joined.clone());
    player.say(&ClientMessage::Hello { version: VERSION, ticket, have }).await;
    let welcome = player.hear().await;
    assert!(matches!(welcome, ServerMessage::Welcome { .. }), "the first word is a welcome: {welcome:?}");
    player.state().await;
    player
}

async fn ticket_at(address: SocketAddr, joined: &Joined) -> String {
    let path = format!("/api/games/{}/ticket", joined.game);
    let ticket: Ticket = post(address, &path, Some(&joined.token), &()).await.expect("the token is good");
    ticket.ticket
}

pub(crate) fn create() -> CreateGame {
    CreateGame {
        scenario: "little_round_top".to_owned(),
        name: None,
        bot: None,
        windows: None,
        deadline_seconds: None,
        unseal: None,
        deployment: Deployment::Printed,
        hidden_movement: None,
        fog: None,
        house_rules: Default::default(),
        chart: None,
        umpire: false,
        spectators: Spectators::Off,
        spectator_delay_turns: 0,
    }
}

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Opens a game's socket from a page of `origin`; the error is the status of the refusal.
pub(crate) async fn open(address: SocketAddr, game: &str, origin: Option<&str>) -> Result<Socket, u16> {
    use tokio_tungstenite::tungstenite::client::IntoClientRequest;
    let mut request = format!("ws://{address}/api/games/{game}/socket").into_client_request().expect("an address");
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().expect("a header"));
    }
    match tokio_tungstenite::connect_async(request).await {
        Ok((socket, _)) => Ok(socket),
        Err(tokio_tungstenite::tungstenite::Error::Http(response)) => Err(response.status().as_u16()),
        Err(error) => panic!("the server could not be reached: {error}"),
    }
}

/// A player at a socket. Everything heard is kept, byte for byte.
pub(crate) struct Player {
    socket: Socket,
    pub(crate) joined: Joined,
    pub(crate) heard: Vec<String>,
    commands: u32,
    name: String,
}

impl Player {
    pub(crate) fn new(socket: Socket, joined: Joined) -> Player {
        let name = joined.seat.to_string();
        Player { socket, joined, heard: Vec::new(), commands: 0, name }
    }

    pub(crate) fn seat(&self) -> SeatId {
        self.joined.seat.clone()
    }

    /// Who sits here.
    pub(crate) fn joined(&self) -> &Joined {
        &self.joined
    }

    /// The battle's card, as the welcome brought it.
    pub(crate) fn card(&self) -> BattleCard {
        let welcome = self.heard.first().expect("the first word was heard");
        match serde_json::from_str(welcome).expect("a message") {
            ServerMessage::Welcome { card, .. } => *card,
            other => panic!("the first word is a welcome: {other:?}"),
        }
    }

    /// A new command's identifier.
    pub(crate) fn command(&mut self) -> String {
        self.commands += 1;
        format!("{}-{}", self.name, self.commands)
    }

    pub(crate) async fn say(&mut self, message: &ClientMessage) {
        self.say_text(&serde_json::to_string(message).expect("a message is JSON")).await;
    }

    pub(crate) async fn say_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.expect("the socket takes it");
    }

    /// Says what makes the server hang up, perhaps before the last byte of it was taken.
    pub(crate) async fn say_the_unbearable(&mut self, text: &str) {
        use tokio_tungstenite::tungstenite::Error;
        match self.socket.send(Message::text(text)).await {
            Ok(()) | Err(Error::Io(_) | Error::ConnectionClosed | Error::AlreadyClosed) => {}
            Err(error) => panic!("the socket refuses for a reason of its own: {error}"),
        }
    }

    pub(crate) async fn say_frame(&mut self, message: Message) {
        self.socket.send(message).await.expect("the socket takes it");
    }

    /// The next message; none when the server has closed.
    pub(crate) async fn next(&mut self) -> Option<ServerMessage> {
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("the server says something");
            match frame {
                Some(Ok(Message::Text(text))) => {
                    self.heard.push(text.to_string());
                    return Some(serde_json::from_str(&text).expect("what the server says can be read"));
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    pub(crate) async fn hear(&mut self) -> ServerMessage {
        self.next().await.expect("the socket is open")
    }

    /// Hears until `wanted` finds what it wants.
    pub(crate) async fn hear_until<T>(&mut self, mut wanted: impl FnMut(ServerMessage) -> Option<T>) -> T {
        loop {
            if let Some(found) = wanted(self.hear().await) {
                return found;
            }
        }
    }

    pub(crate) async fn state(&mut self) -> State {
        self.hear_until(State::of).await
    }

    /// The last state that was heard.
    pub(crate) fn last_state(&self) -> State {
        let states = self.heard.iter().rev().map(|text| serde_json::from_str(text).expect("a message"));
        states.filter_map(State::of).next().expect("a state was heard")
    }

    /// The game standing at `at` with `phase`: as heard last, or as soon as that is heard.
    pub(crate) async fn state_at(&mut self, at: StageAt, phase: GamePhase) -> State {
        let mut state = self.last_state();
        while state.status.at != at || state.status.phase != phase {
            state = self.state().await;
        }
        state
    }

    /// The answer to a command or request.
    pub(crate) async fn answer(&mut self, to: &str) -> Result<ServerMessage, ErrorMessage> {
        self.hear_until(|message| {
            let about = match &message {
                ServerMessage::Error(error) => error.about.clone(),
                ServerMessage::Saved { command, .. }
                | ServerMessage::Sealed { command, .. }
                | ServerMessage::Unsealed { command } => Some(command.clone()),
                ServerMessage::Checked { request, .. }
                | ServerMessage::Previewed { request, .. }
                | ServerMessage::Odds { request, .. }
                | ServerMessage::Standing { request, .. }
                | ServerMessage::Needs { request, .. } => Some(request.clone()),
                ServerMessage::Events { request, .. } => request.clone(),
                ServerMessage::Welcome { .. } | ServerMessage::State { .. } | ServerMessage::Pong {} => None,
            };
            (about.as_deref() == Some(to)).then_some(message)
        })
        .await
        .into_result()
    }

    /// The next error.
    pub(crate) async fn error(&mut self) -> ErrorMessage {
        self.hear_until(|message| match message {
            ServerMessage::Error(error) => Some(error),
            _ => None,
        })
        .await
    }

    pub(crate) async fn seal(&mut self, at: StageAt, draft: Draft) -> Result<Receipt, ErrorMessage> {
        let command = self.command();
        self.seal_as(&command, at, draft).await
    }

    pub(crate) async fn seal_as(&mut self, command: &str, at: StageAt, draft: Draft) -> Result<Receipt, ErrorMessage> {
        self.say(&seal_message(command, at, draft)).await;
        match self.answer(command).await? {
            ServerMessage::Sealed { receipt, .. } => Ok(*receipt),
            other => panic!("no answer to a seal: {other:?}"),
        }
    }

    /// Seals the legal part of a draft.
    pub(crate) async fn seal_legal(&mut self, at: StageAt, draft: Draft) -> Result<Receipt, ErrorMessage> {
        self.seal_legal_with(at, draft, 0x11).await
    }

    /// Seals the legal part of a draft with a nonce of that byte.
    pub(crate) async fn seal_legal_with(
        &mut self,
        at: StageAt,
        draft: Draft,
        nonce: u8,
    ) -> Result<Receipt, ErrorMessage> {
        let command = self.command();
        let nonce = format!("{nonce:02x}").repeat(32);
        self.say(&ClientMessage::Seal { command: command.clone(), at, draft, nonce, drop_illegal: true }).await;
        match self.answer(&command).await? {
            ServerMessage::Sealed { receipt, .. } => Ok(*receipt),
            other => panic!("no answer to a seal: {other:?}"),
        }
    }

    pub(crate) async fn unseal(&mut self, at: StageAt) -> Result<(), ErrorMessage> {
        let command = self.command();
        self.say(&ClientMessage::Unseal { command: command.clone(), at }).await;
        self.answer(&command).await.map(drop)
    }

    pub(crate) async fn save(&mut self, at: StageAt, draft: Draft) -> Result<ServerMessage, ErrorMessage> {
        let command = self.command();
        self.say(&ClientMessage::SaveDraft { command: command.clone(), at, draft }).await;
        self.answer(&command).await
    }

    pub(crate) async fn close(mut self) {
        let _gone = self.socket.close(None).await;
    }
}

/// Two conversations, byte for byte; what differs is shown where it begins.
pub(crate) fn must_be_the_same(one: &[String], other: &[String]) {
    for (place, (one, other)) in one.iter().zip(other).enumerate() {
        let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let from = |text: &str| text.chars().skip(same.saturating_sub(80)).take(240).collect::<String>();
        assert!(one == other, "message {place} differs: …{} and …{}", from(one), from(other));
    }
    assert_eq!(one.len(), other.len(), "as many messages");
}

trait IntoResult {
    fn into_result(self) -> Result<ServerMessage, ErrorMessage>;
}

impl IntoResult for ServerMessage {
    fn into_result(self) -> Result<ServerMessage, ErrorMessage> {
        match self {
            ServerMessage::Error(error) => Err(error),
            message => Ok(message),
        }
    }
}

pub(crate) fn seal_message(command: &str, at: StageAt, draft: Draft) -> ClientMessage {
    let nonce = "11".repeat(32);
    ClientMessage::Seal { command: command.to_owned(), at, draft, nonce, drop_illegal: false }
}

/// A state as heard.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) envelopes: Vec<SealedOrders>,
    pub(crate) status: GameStatus,
    pub(crate) view: View,
    pub(crate) draft: Option<Draft>,
    pub(crate) sealed: Option<Receipt>,
}

impl State {
    fn of(message: ServerMessage) -> Option<State> {
        match message {
            ServerMessage::State { status, view, draft, sealed, envelopes } => {
                Some(State { envelopes, status, view: *view, draft, sealed: sealed.map(|receipt| *receipt) })
            }
            _ => None,
        }
    }

    /// A unit of `side` on the table.
    pub(crate) fn a_unit_of(&self, side: Side) -> protocol::ids::UnitId {
        let own = self.view.units.iter().find(|unit| unit.side == side && unit.stance.is_some());
        own.expect("the side has a unit on the table").id.clone()
    }
}

/// An order to hold for one unit: legal, and not nothing.
pub(crate) fn hold(unit: &protocol::ids::UnitId) -> Draft {
    told(unit, Order::Hold { task: None })
}

pub(crate) fn told(unit: &protocol::ids::UnitId, order: Order) -> Draft {
    let mut draft = Draft::default();
    draft.units.insert(unit.clone(), UnitDraft { order: Some(order), ..UnitDraft::default() });
    draft
}

/// The window of orders of a turn.
pub(crate) fn orders_of(turn: u32) -> StageAt {
    StageAt { turn, ..FIRST }
}

/// A request to the REST API; the error is status and body.
pub(crate) async fn post<T: DeserializeOwned>(
    address: SocketAddr,
    path: &str,
    token: Option<&str>,
    body: &impl Serialize,
) -> Result<T, (u16, ErrorMessage)> {
    request(address, "POST", path, token, &serde_json::to_string(body).expect("a body is JSON")).await
}

pub(crate) async fn get<T: DeserializeOwned>(
    address: SocketAddr,
    path: &str,
    token: Option<&str>,
) -> Result<T, (u16, ErrorMessage)> {
    request(address, "GET", path, token, "").await
}

pub(crate) async fn request<T: DeserializeOwned>(
    address: SocketAddr,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: &str,
) -> Result<T, (u16, ErrorMessage)> {
    let mut stream = TcpStream::connect(address).await.expect("the server accepts");
    let authorization = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\n{authorization}content-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.expect("the request is sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("the answer is read");
    let answer = String::from_utf8(answer).expect("the answer is text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("head and body");
    let status: u16 = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
    let body = match head.to_lowercase().contains("transfer-encoding: chunked") {
        true => unchunked(body),
        false => body.to_owned(),
    };
    if (200..300).contains(&status) {
        Ok(serde_json::from_str(&body).unwrap_or_else(|fault| panic!("{path}: {fault}: {body}")))
    } else {
        Err((status, serde_json::from_str(&body).unwrap_or_else(|fault| panic!("{path}: {fault}: {body}"))))
    }
}

fn unchunked(body: &str) -> String {
    let mut whole = String::new();
    let mut rest = body;
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).expect("a chunk's size");
        whole.push_str(&after[..size]);
        rest = after[size..].trim_start_matches("\r\n");
        if size == 0 {
            break;
        }
    }
    whole
}
