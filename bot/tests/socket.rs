//! The client against a server of a few lines over real sockets: it breaks connections at bad moments, refuses
//! orders and counts what it was told.

#![expect(clippy::unwrap_used, reason = "in a test that is how it fails")]

mod table;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bot::client::{Address, Client, ClientError, Patience};
use futures_util::{SinkExt, StreamExt};
use protocol::ids::{SeatId, Side};
use protocol::message::{
    ClientMessage, Deployment, ErrorMessage, GamePhase, GameStatus, Preview, Receipt, Refusal, ServerMessage,
    SettingsView, StageAt, VERSION,
};
use protocol::orders::{Draft, Order, Stage};
use protocol::view::{ResultView, View, Viewer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;

const AT: StageAt = StageAt { line: 1, turn: 1, stage: Stage::Orders };

/// What the fake server does and what it saw.
#[derive(Default)]
struct Log {
    /// Tickets given.
    tickets: u32,
    /// Sockets opened.
    sockets: u32,
    /// Identifiers of seals, in the order received.
    seals: Vec<String>,
    /// Envelopes by window: each command is done once.
    sealed: BTreeMap<StageAt, (String, Draft)>,
    checks: u32,
    previews: u32,
    /// Breaks the socket on so many more seals, after noting them but before the answer.
    break_on_seal: u32,
    /// Refuses so many more checks.
    refuse_checks: u32,
    /// Answers so many more ticket requests with 503.
    busy: u32,
    /// Turns until the game ends.
    turns: u32,
}

type Shared = Arc<Mutex<Log>>;

struct Server {
    base: String,
    log: Shared,
}

impl Server {
    async fn start(log: Log) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let log: Shared = Arc::new(Mutex::new(log));
        let shared = log.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, shared.clone()));
            }
        });
        Server { base, log }
    }

    fn client(&self) -> Client {
        Client::start(Address::new(&self.base, "g1", "token").unwrap(), quick())
    }
}

fn quick() -> Patience {
    Patience {
        least_wait: Duration::from_millis(5),
        most_wait: Duration::from_millis(20),
        most_failures: Some(10),
        silence: Duration::from_secs(20),
    }
}

/// A ticket request is answered; anything else is taken for a socket.
async fn serve(mut stream: TcpStream, log: Shared) {
    let mut head = [0_u8; 5];
    if stream.peek(&mut head).await.is_err() {
        return;
    }
    if head.starts_with(b"POST ") { give_ticket(&mut stream, &log).await } else { speak(stream, log).await }
}

async fn give_ticket(stream: &mut TcpStream, log: &Shared) {
    let mut request = Vec::new();
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut part = [0_u8; 1024];
        match stream.read(&mut part).await {
            Ok(0) | Err(_) => return,
            Ok(count) => request.extend_from_slice(&part[..count]),
        }
    }
    let request = String::from_utf8(request).unwrap().to_lowercase();
    let (status, body) = if !request.contains("authorization: bearer token\r\n") {
        ("401 Unauthorized", String::new())
    } else if !request.starts_with("post /api/games/g1/ticket ") {
        ("404 Not Found", String::new())
    } else {
        let mut log = log.lock().unwrap();
        if 0 < log.busy {
            log.busy -= 1;
            ("503 Service Unavailable", String::new())
        } else {
            log.tickets += 1;
            ("200 OK", format!("{{\"ticket\":\"t{}\"}}", log.tickets))
        }
    };
    let answer = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
    let _ = stream.write_all(answer.as_bytes()).await;
}

fn the_view(turn: u32, ended: bool) -> View {
    let units = vec![
        table::own_foot("maine", Side::Union, (17.0, 21.8), 90),
        table::own_foot("michigan", Side::Union, (6.0, 6.0), 90),
        table::own_guns("battery", Side::Union, (16.0, 29.0), 90, "limbered"),
        table::foot("alabama", Side::Confederate, (40.0, 20.0), 270),
    ];
    let mut view = table::view(Side::Union, units, vec![table::leader("vincent", Side::Union, (15.0, 21.0))]);
    view.turn = turn;
    view.result =
        ended.then(|| ResultView { winner: Some(Side::Union), points: Default::default(), lines: Vec::new() });
    view
}

fn state(log: &Log) -> ServerMessage {
    let turn = log.sealed.len() as u32 + 1;
    let ended = log.turns != 0 && log.turns < turn;
    ServerMessage::State {
        status: GameStatus {
            at: StageAt { turn, ..AT },
            phase: if ended { GamePhase::Ended } else { GamePhase::Window },
            waiting_for: Vec::new(),
            deadline: None,
            held: None,
            commitment: String::new(),
            receipts: Vec::new(),
        },
        view: Box::new(the_view(turn, ended)),
        draft: None,
        sealed: None,
        envelopes: Vec::new(),
    }
}

async fn speak(stream: TcpStream, log: Shared) {
    let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await else { return };
    let Some(Ok(Message::Text(hello))) = socket.next().await else { return };
    let ClientMessage::Hello { version, ticket, .. } = serde_json::from_str(&hello).unwrap() else {
        panic!("the first word was no hello: {hello}")
    };
    let greeting = {
        let mut log = log.lock().unwrap();
        log.sockets += 1;
        assert_eq!(version, VERSION);
        assert_eq!(ticket, format!("t{}", log.tickets), "each socket has its own ticket");
        let welcome = ServerMessage::Welcome {
            version: VERSION,
            game: "g1".to_owned(),
            name: "a game".to_owned(),
            viewer: Viewer::Seat { side: Side::Union, seat: SeatId::from("union") },
            player: "bot".to_owned(),
            seats: Vec::new(),
            card: Box::new(table::card()),
            settings: SettingsView {
                windows: vec![Stage::Orders],
                unseal: true,
                deadline_seconds: None,
                deployment: Deployment::Printed,
                umpire: false,
                spectators: Default::default(),
                spectator_delay_turns: 0,
                fog: Default::default(),
            },
        };
        [welcome, state(&log)]
    };
    for message in greeting {
        let _ = socket.send(Message::text(serde_json::to_string(&message).unwrap())).await;
    }
    while let Some(Ok(frame)) = socket.next().await {
        let Message::Text(text) = frame else { continue };
        let answers = answer(serde_json::from_str(&text).unwrap(), &mut log.lock().unwrap());
        // No answer: the connection breaks after the command was done.
        let Some(answers) = answers else { return };
        for message in answers {
            let _ = socket.send(Message::text(serde_json::to_string(&message).unwrap())).await;
        }
    }
}

fn answer(message: ClientMessage, log: &mut Log) -> Option<Vec<ServerMessage>> {
    Some(match message {
        ClientMessage::Check { request, draft, .. } => {
            log.checks += 1;
            let mut refusals = Vec::new();
            if 0 < log.refuse_checks {
                log.refuse_checks -= 1;
                refusals.extend(draft.units.keys().map(|unit| Refusal {
                    subject: unit.to_string(),
                    key: "order".to_owned(),
                    rule: "ORD-16".into(),
                    message: "refused (ORD-16): a test".to_owned(),
                }));
            }
            vec![ServerMessage::Checked {
                request,
                refusals,
                without_order: Vec::new(),
                pickets_without_order: Vec::new(),
            }]
        }
        ClientMessage::Preview { request, unit, .. } => {
            log.previews += 1;
            let preview = Preview {
                column: Vec::new(),
                unit,
                refusals: Vec::new(),
                pieces: Vec::new(),
                spent: 0,
                path: Vec::new(),
                end: None,
                stops: Some("the turn ends before".to_owned()),
                notes: Vec::new(),
            };
            vec![ServerMessage::Previewed { request, preview: Box::new(preview) }]
        }
        ClientMessage::Seal { command, at, draft, nonce, .. } => {
            log.seals.push(command.clone());
            assert_eq!(nonce.len(), 64);
            if let Some((first, _)) = log.sealed.get(&at) {
                if *first != command {
                    let error = ErrorMessage {
                        code: "already_sealed".to_owned(),
                        message: "sealed already".to_owned(),
                        about: Some(command),
                        refusals: Vec::new(),
                    };
                    return Some(vec![ServerMessage::Error(error)]);
                }
            } else {
                log.sealed.insert(at, (command.clone(), draft.clone()));
            }
            if 0 < log.break_on_seal {
                log.break_on_seal -= 1;
                return None;
            }
            let receipt = Receipt {
                at,
                seat: SeatId::from("union"),
                hash: String::new(),
                salt: String::new(),
                nonce,
                content: draft,
            };
            vec![ServerMessage::Sealed { command, receipt: Box::new(receipt) }, state(log)]
        }
        ClientMessage::SaveDraft { command, .. } => {
            vec![ServerMessage::Saved {
                command,
                refusals: Vec::new(),
                without_order: Vec::new(),
                pickets_without_order: Vec::new(),
            }]
        }
        ClientMessage::Ping {} => vec![ServerMessage::Pong {}],
        other => panic!("not expected here: {other:?}"),
    })
}

#[tokio::test]
async fn questions_get_their_own_answers() {
    let server = Server::start(Log::default()).await;
    let mut client = server.client();
    assert_eq!(client.table().await.unwrap().game, "g1");
    assert_eq!(client.next_state().await.unwrap().status.at, AT);
    let (verdict, saved) = tokio::join!(client.check(AT, Draft::default()), client.save(AT, Draft::default()));
    assert!(verdict.unwrap().refusals.is_empty() && saved.unwrap().refusals.is_empty());
    let preview = client.preview(AT, "maine".into(), Order::FirstFire {}).await.unwrap();
    assert_eq!(preview.unit.as_str(), "maine");
}

#[tokio::test]
async fn a_seal_whose_answer_was_lost_is_sent_again_under_the_same_name() {
    let server = Server::start(Log { break_on_seal: 2, ..Log::default() }).await;
    let mut client = server.client();
    client.table().await.unwrap();
    let receipt = client.seal(AT, Draft::default(), "0".repeat(64), true).await.unwrap();
    assert_eq!(receipt.at, AT);
    let log = server.log.lock().unwrap();
    assert_eq!(log.seals.len(), 3, "sent, and sent again after each break");
    assert!(log.seals.iter().all(|command| *command == log.seals[0]), "{:?}", log.seals);
    assert_eq!((log.sockets, log.tickets, log.sealed.len()), (3, 3, 1));
    assert_eq!(client.connections(), 3);
}

#[tokio::test]
async fn a_second_seal_of_a_window_is_an_error_with_a_code() {
    let server = Server::start(Log::default()).await;
    let client = server.client();
    client.seal(AT, Draft::default(), "0".repeat(64), true).await.unwrap();
    match client.seal(AT, Draft::default(), "0".repeat(64), true).await {
        Err(ClientError::Answer(error)) => assert_eq!(error.code, "already_sealed"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_busy_server_is_asked_again() {
    let server = Server::start(Log { busy: 3, ..Log::default() }).await;
    let mut client = server.client();
    client.table().await.unwrap();
    assert_eq!(server.log.lock().unwrap().tickets, 1);
}

#[tokio::test]
async fn a_wrong_token_is_final() {
    let server = Server::start(Log::default()).await;
    let mut client = Client::start(Address::new(&server.base, "g1", "wrong").unwrap(), quick());
    assert!(matches!(client.table().await, Err(ClientError::Refused(_))));
    assert!(matches!(client.check(AT, Draft::default()).await, Err(ClientError::Refused(_))));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_given_up_when_patience_ends() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let mut client = Client::start(Address::new(&base, "g1", "token").unwrap(), quick());
    assert!(matches!(client.table().await, Err(ClientError::Unreachable(_))));
}

fn options(server: &Server) -> bot::Options {
    bot::Options { patience: quick(), ..bot::Options::new(&server.base, "g1", "token", 7) }
}

#[tokio::test]
async fn a_game_is_played_to_its_end_through_breaks_and_refusals() {
    let log = Log { turns: 3, break_on_seal: 1, refuse_checks: 2, ..Log::default() };
    let server = Server::start(log).await;
    let report = bot::run(options(&server)).await.unwrap();
    assert_eq!(report.result.unwrap().winner, Some(Side::Union));
    let log = server.log.lock().unwrap();
    assert_eq!(log.sealed.len(), 3);
    assert_eq!(report.connections, 2);
    assert_eq!(report.refused, 3, "each of the three units was refused in the first round of the first turn");
    assert!(3 <= log.checks);
    assert!(1 <= log.previews, "the battery's march closes with unlimbering");
    let last = &log.sealed[&StageAt { turn: 3, ..AT }].1;
    assert_eq!(last.units.len(), 3);
}

#[tokio::test]
async fn the_same_seed_seals_the_same_envelopes() {
    let mut games = Vec::new();
    for _ in 0..2 {
        let server = Server::start(Log { turns: 3, ..Log::default() }).await;
        bot::run(options(&server)).await.unwrap();
        let log = server.log.lock().unwrap();
        games.push(log.sealed.values().map(|(_, draft)| draft.clone()).collect::<Vec<_>>());
    }
    assert_eq!(games[0], games[1]);
}
