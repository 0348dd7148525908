//! What the server writes to its log at the usual level, while a game with pickets is played, tells nothing that a seat may not know.
//! LEAK-68

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use protocol::ids::Side;
use protocol::message::rest::{CreateGame, GameCreated, Join, Joined};
use protocol::message::{ClientMessage, GamePhase, StageAt};
use protocol::orders::{Draft, Order};
use protocol::words::Fog;

use super::deployment::PLACING;
use super::table::*;
use super::worlds::*;

/// `picket serve` with the log that an operator has who sets nothing, and all that it writes.
struct Logged {
    process: Child,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Logged {
    fn start(address: SocketAddr, folder: &Path) -> Logged {
        let mut process = Command::new(env!("CARGO_BIN_EXE_picket"))
            .args(["serve", "--listen", &address.to_string(), "--data"])
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut log = BufReader::new(process.stderr.take().expect("the log is piped")).lines();
        let lines = Arc::new(Mutex::new(Vec::new()));
        loop {
            let Some(Ok(line)) = log.next() else { panic!("the server did not start: {lines:?}") };
            let listens = line.contains("picket listens");
            lines.lock().expect("nobody panics").push(line);
            if listens {
                break;
            }
        }
        let written = Arc::clone(&lines);
        std::thread::spawn(move || {
            log.map_while(Result::ok).for_each(|line| written.lock().expect("nobody panics").push(line));
        });
        Logged { process, lines }
    }

    fn said(&self) -> Vec<String> {
        self.lines.lock().expect("nobody panics").clone()
    }
}

impl Drop for Logged {
    fn drop(&mut self) {
        let _already_gone = self.process.kill();
        let _already_gone = self.process.wait();
    }
}

async fn join(address: SocketAddr, created: &GameCreated, side: Side, name: &str) -> Joined {
    let invitation = created.invitations.iter().find(|it| it.side == side).expect("every side has a seat");
    let invitation = invitation.link.strip_prefix("/join/").expect("a link to join").to_owned();
    let asked = Join { invitation, name: name.to_owned(), held: Vec::new() };
    post(address, "/api/join", None, &asked).await.expect("the invitation is good")
}

/// A window in which the Confederate drafts, asks, seals, takes it back and seals; nothing of it is written before she seals too.
async fn his_window(log: &Logged, confederate: &mut Player, at: StageAt, draft: &Draft) {
    let before = log.said();
    confederate.save(at, draft.clone()).await.expect("he may draft");
    confederate.say(&ClientMessage::Check { request: "check".to_owned(), at, draft: draft.clone() }).await;
    confederate.answer("check").await.expect("he may ask");
    confederate.seal_legal(at, draft.clone()).await.expect("he may seal");
    confederate.unseal(at).await.expect("he may take it back");
    confederate.seal_legal(at, draft.clone()).await.expect("he may seal");
    let refused = confederate.save(at, draft.clone()).await.expect_err("he has sealed");
    assert_eq!(refused.code, "already_sealed");
    assert_eq!(log.said()[before.len()..], [] as [String; 0], "a seat's drafts and seals are written down");
}

#[tokio::test(flavor = "multi_thread")]
async fn leak_68_the_log_of_a_hidden_game_names_no_unit_no_contents_and_no_seat_that_sealed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let address = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port");
    let log = Logged::start(address, folder.path());
    let mut asked = create();
    wilderness(&mut asked);
    let created: GameCreated = post(address, "/api/games", None, &asked).await.expect("a game is made");
    let (ann, bob) =
        (join(address, &created, Side::Union, "Ann").await, join(address, &created, Side::Confederate, "Bob").await);
    let mut union = sit_at(address, &ann, None).await;
    let mut confederate = sit_at(address, &bob, None).await;
    let seated = log.said().len();
    his_window(&log, &mut confederate, PLACING, &his_setup(ONE)).await;
    union.seal(PLACING, her_setup()).await.expect("she may seal");
    let mut at = FIRST;
    for _ in 0..4 {
        union.state_at(at, GamePhase::Window).await;
        let state = confederate.state_at(at, GamePhase::Window).await;
        let mut draft = Draft::default();
        if at == FIRST {
            draft = hold(&state.a_unit_of(Side::Confederate));
            for number in numbers(&state, Side::Confederate) {
                draft.pickets.insert(number, hold_of());
            }
        }
        his_window(&log, &mut confederate, at, &draft).await;
        union.seal(at, Draft::default()).await.expect("she may seal");
        at = after(at);
    }
    let state = union.state_at(at, GamePhase::Window).await;
    let lines = log.said();
    assert!(lines.len() < seated + 60, "a line for every thing that happens: {lines:#?}");
    let resolved = lines.iter().filter(|line| line.contains("games: resolved")).count();
    assert!(5 <= resolved, "the log is not that of the game: {lines:#?}");
    // No word of the battle, whoever may know it; of seats nothing once they are taken; no time of a computation.
    let mut words: Vec<String> = ONE.iter().filter(|unit| !unit.is_empty()).map(|unit| (*unit).to_owned()).collect();
    words.extend(state.view.units.iter().flat_map(|unit| [unit.id.to_string(), unit.name.clone()]));
    words.extend(union.card().brigades.iter().map(|brigade| brigade.name.clone()));
    words.extend([ann.token.clone(), bob.token.clone()]);
    tells_nothing(&lines[seated..], &words);
}

#[tokio::test(flavor = "multi_thread")]
async fn leak_68_the_log_of_a_game_in_the_fog_names_no_unit_and_tells_no_time() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let address = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port");
    let log = Logged::start(address, folder.path());
    let asked = CreateGame { fog: Some(Fog::LineOfSight), ..create() };
    let created: GameCreated = post(address, "/api/games", None, &asked).await.expect("a game is made");
    let (ann, bob) =
        (join(address, &created, Side::Union, "Ann").await, join(address, &created, Side::Confederate, "Bob").await);
    let mut union = sit_at(address, &ann, None).await;
    let mut confederate = sit_at(address, &bob, None).await;
    let seated = log.said().len();
    let draft = hold(&confederate.last_state().a_unit_of(Side::Confederate));
    his_window(&log, &mut confederate, FIRST, &draft).await;
    union.seal(FIRST, Draft::default()).await.expect("she may seal");
    union.state_at(orders_of(2), GamePhase::Window).await;
    let lines = log.said();
    assert!(lines.iter().any(|line| line.contains("games: resolved")), "the log is not that of the game: {lines:#?}");
    let roster = union.card().roster;
    assert!(!roster.is_empty());
    let words: Vec<String> = roster.into_iter().flat_map(|unit| [unit.unit.to_string(), unit.name]).collect();
    tells_nothing(&lines[seated..], &words);
}

/// No line has one of these words, or one of those that say what a seat does, or tells how long a stage took.
fn tells_nothing(lines: &[String], of_the_game: &[String]) {
    let of_all = ["union", "confederate", "dummy", "hiding", "hold", "salt", "nonce"].map(str::to_owned);
    for line in lines {
        let said = line.to_lowercase();
        for word in of_all.iter().chain(of_the_game) {
            assert!(!has_word(&said, &word.to_lowercase()), "`{word}` is written: {line}");
        }
        assert!(!(line.contains("games: resolved") && line.contains("micros")), "it tells how long it took: {line}");
    }
}

/// Whether a word stands in a line as a word of its own: a game's identifier may hold any letters.
fn has_word(line: &str, word: &str) -> bool {
    let ends = |found: Option<char>| found.is_none_or(|found| !found.is_alphanumeric());
    line.match_indices(word)
        .any(|(at, _)| ends(line[..at].chars().next_back()) && ends(line[at + word.len()..].chars().next()))
}

fn hold_of() -> protocol::orders::UnitDraft {
    protocol::orders::UnitDraft { order: Some(Order::Hold { task: None }), ..Default::default() }
}
