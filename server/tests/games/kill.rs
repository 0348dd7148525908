//! Acknowledged is kept: the real process is killed with signal 9 at random moments, and started again.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bot::client::{Address, Client, ClientError, Patience};
use protocol::ids::{SeatId, Side};
use protocol::message::rest::{CreateGame, GameCreated, Join, Joined};
use protocol::message::{Deployment, GamePhase, StageAt};
use protocol::orders::{Draft, Stage};
use server::store::{GameId, StageKey, Store};
use tokio::sync::Notify;

use super::deployment::{PLACING, moved_east};
use super::table::{create, orders_of, post, sit_at};

/// `picket serve` as a process of its own.
struct Process(Child);

impl Process {
    fn start(address: SocketAddr, folder: &Path, database: &str) -> Process {
        let mut child = Command::new(env!("CARGO_BIN_EXE_picket"))
            .args(["serve", "--listen", &address.to_string(), "--database", database, "--log", "server=info"])
            .arg("--data")
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let log = BufReader::new(child.stderr.take().expect("the log is piped"));
        let mut lines = log.lines();
        let mut said = Vec::new();
        loop {
            let Some(Ok(line)) = lines.next() else { panic!("the server did not start: {said:#?}") };
            if line.contains("picket listens") {
                break;
            }
            said.push(line);
        }
        // The pipe is emptied for as long as the process lives, or it would stop at a full one.
        std::thread::spawn(move || lines.for_each(drop));
        Process(child)
    }

    /// SIGKILL: nothing is closed, nothing is said.
    fn kill(mut self) {
        self.0.kill().expect("the process is there to be killed");
        self.0.wait().expect("it ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A test that failed in between must leave no server behind.
        let _already_gone = self.0.kill();
        let _already_gone = self.0.wait();
    }
}

/// Games played at once: so many windows are open that every kill meets some seal.
const GAMES: usize = 6;

/// Seals that were acknowledged: game, window, seat and hash on the receipt.
#[derive(Default)]
struct Acknowledged {
    seals: Mutex<Vec<(String, StageAt, SeatId, String)>>,
    one_more: Notify,
}

impl Acknowledged {
    fn seals(&self) -> MutexGuard<'_, Vec<(String, StageAt, SeatId, String)>> {
        self.seals.lock().expect("nobody panics")
    }
}

/// Seals every window as soon as it opens, and writes down what was acknowledged.
async fn play(base: String, joined: Joined, acknowledged: Arc<Acknowledged>) {
    let patience = Patience {
        least_wait: Duration::from_millis(5),
        most_wait: Duration::from_millis(50),
        most_failures: None,
        silence: Duration::from_secs(5),
    };
    let mut client = Client::start(Address::new(&base, &joined.game, &joined.token).expect("an address"), patience);
    loop {
        let state = client.next_state().await.expect("the client goes on");
        if state.status.phase != GamePhase::Window || state.sealed.is_some() {
            continue;
        }
        let at = state.status.at;
        match client.seal(at, Draft::default(), "ab".repeat(32), true).await {
            Ok(receipt) => {
                let seal = (joined.game.clone(), at, receipt.seat.clone(), receipt.hash.clone());
                acknowledged.seals().push(seal);
                acknowledged.one_more.notify_one();
            }
            // Somebody was quicker: the window has closed meanwhile.
            Err(ClientError::Answer(error)) => assert!(
                ["wrong_turn", "window_closed", "already_sealed"].contains(&error.code.as_str()),
                "an odd refusal: {error:?}"
            ),
            Err(error) => panic!("the client gave up: {error}"),
        }
    }
}

async fn acknowledged_seals_survive(folder: &Path, database: &str, kills: u32) {
    // A port that was free a moment ago: the clients come back to the same one.
    let address = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port");
    let start = || Process::start(address, folder, database);
    let mut process = start();
    // In every other game the players place their units first.
    let deployments = [Deployment::Printed, Deployment::Players];
    let asked = |deployment| CreateGame { windows: Some(Stage::ALL.to_vec()), deployment, ..create() };
    let acknowledged = Arc::new(Acknowledged::default());
    let mut players = tokio::task::JoinSet::new();
    let mut games = Vec::new();
    for deployment in deployments.into_iter().cycle().take(GAMES) {
        let created: GameCreated = post(address, "/api/games", None, &asked(deployment)).await.expect("a game is made");
        for side in Side::BOTH {
            let invitation = created.invitations.iter().find(|it| it.side == side).expect("every side has a seat");
            let body =
                Join { invitation: invitation.link.replace("/join/", ""), name: side.to_string(), held: Vec::new() };
            let joined: Joined = post(address, "/api/join", None, &body).await.expect("the invitation is good");
            players.spawn(play(format!("http://{address}"), joined, Arc::clone(&acknowledged)));
        }
        games.push((created.game.parse::<GameId>().expect("an identifier"), deployment));
    }
    let mut chance: u64 = 7;
    for kill in 0..kills {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        tokio::time::sleep(Duration::from_millis((chance >> 33) % 700)).await;
        if kill % 2 == 1 {
            // The worst moment for whoever answers before he has written: the very instant of an answer.
            let next = async {
                acknowledged.one_more.notified().await;
                acknowledged.one_more.notified().await;
            };
            tokio::time::timeout(Duration::from_secs(120), next).await.expect("somebody seals");
        }
        process.kill();
        process = start();
    }
    // It still plays: some more windows are sealed after the last start.
    let before = acknowledged.seals().len();
    let goes_on = async {
        while acknowledged.seals().len() < before + 4 {
            assert!(players.try_join_next().is_none(), "a player stopped");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(600), goes_on).await.expect("the game goes on after the last start");
    process.kill();
    players.abort_all();
    let store = Store::open(database, 64, 0).await.expect("the store opens");
    let acknowledged = acknowledged.seals().clone();
    assert!(GAMES < acknowledged.len(), "only {} seals were acknowledged", acknowledged.len());
    for (game, at, seat, hash) in &acknowledged {
        let game = game.parse().expect("an identifier");
        let key = StageKey::new(game, at.line, at.turn, server::games::stage_number(at.stage));
        let envelope = store.envelope(key, seat.clone()).await.expect("the store answers");
        assert_eq!(envelope.map(|it| it.hash.hex()).as_ref(), Some(hash), "{seat} at {at:?} of {game}");
    }
    // Every stage once, in its order, without a gap.
    for (game, deployment) in games {
        let outcomes = store.outcomes(game, 1, 0, 1000).await.expect("the store answers");
        let stages: Vec<(u32, u8)> = outcomes.iter().map(|it| (it.key.turn, it.key.stage)).collect();
        let before = match deployment {
            Deployment::Printed => vec![(0, 0)],
            Deployment::Players => vec![(0, 0), (0, 1)],
        };
        let turns = (1..).flat_map(|turn| (1..=4).map(move |stage| (turn, stage)));
        let expected = before.into_iter().chain(turns);
        assert_eq!(stages, expected.take(stages.len()).collect::<Vec<_>>());
    }
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_seals_survive_kill_9() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = format!("sqlite:{}", folder.path().join("picket.sqlite").display());
    acknowledged_seals_survive(folder.path(), &database, 8).await;
}

#[test]
fn acknowledged_seals_survive_kill_9_on_postgres() {
    let Some(cluster) = super::postgres::Cluster::start() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(acknowledged_seals_survive(folder.path(), &cluster.database(), 4));
}

/// SCN-06 What one player has sealed and the other has drafted before turn 1 is there after kill -9, and counts.
#[tokio::test(flavor = "multi_thread")]
async fn scn_06_placements_survive_kill_9() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = format!("sqlite:{}", folder.path().join("picket.sqlite").display());
    let address = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port");
    let process = Process::start(address, folder.path(), &database);
    let asked = CreateGame { deployment: Deployment::Players, ..create() };
    let created: GameCreated = post(address, "/api/games", None, &asked).await.expect("a game is made");
    let mut seats = Vec::new();
    for side in Side::BOTH {
        let invitation = created.invitations.iter().find(|it| it.side == side).expect("every side has a seat");
        let body = Join { invitation: invitation.link.replace("/join/", ""), name: side.to_string(), held: Vec::new() };
        seats.push(post::<Joined>(address, "/api/join", None, &body).await.expect("the invitation is good"));
    }
    let mut union = sit_at(address, &seats[0], None).await;
    let mut confederate = sit_at(address, &seats[1], None).await;
    let sealed = moved_east(&union.last_state(), "mi16", 1_500);
    let drafted = moved_east(&confederate.last_state(), "tx05", -1_500);
    union.seal(PLACING, sealed.clone()).await.expect("she may seal");
    confederate.save(PLACING, drafted.clone()).await.expect("he may draft");
    process.kill();
    let process = Process::start(address, folder.path(), &database);
    let mut union = sit_at(address, &seats[0], None).await;
    let mut confederate = sit_at(address, &seats[1], None).await;
    assert_eq!(union.last_state().sealed.map(|receipt| receipt.content), Some(sealed.clone()));
    assert_eq!(confederate.last_state().draft, Some(drafted.clone()));
    confederate.seal(PLACING, drafted.clone()).await.expect("he may seal");
    let begun = union.state_at(orders_of(1), GamePhase::Window).await;
    for (unit, place) in sealed.deployment.iter().chain(&drafted.deployment) {
        let seen = begun.view.units.iter().find(|seen| seen.id == *unit).and_then(|seen| seen.stance.as_ref());
        assert_eq!(seen.map(|stance| stance.anchor), Some(place.anchor), "{unit}");
    }
    process.kill();
}

/// A port that another program has is named, with what would do; the database is not touched.
#[test]
fn a_port_in_use_is_said_clearly() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("it has an address").to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_picket"))
        .args(["run", "--listen", &address, "--data"])
        .arg(folder.path().join("data"))
        .output()
        .expect("the program runs");
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("is in use by another program") && said.contains("--listen"), "{said}");
    assert!(!folder.path().join("data/picket.sqlite").exists());
}

/// `picket run` prints an address that opens the seat; after kill -9 the same address opens the same seat of the same game.
#[tokio::test(flavor = "multi_thread")]
async fn run_goes_on_at_the_same_address() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let address = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port");
    let mut seats = Vec::new();
    for expected in ["The battle is ready", "The battle goes on"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_picket"))
            .args(["run", "--listen", &address.to_string(), "--data"])
            .arg(folder.path())
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let process = Process(child);
        let mut said = String::new();
        let link = loop {
            let line = lines.next().expect("it prints an address").expect("it is text");
            said += &line;
            if let Some(link) = line.trim().strip_prefix("Open") {
                break link.trim().to_owned();
            }
        };
        assert!(said.contains(expected), "{said}");
        let token = link.strip_prefix(&format!("http://{address}/join/")).expect("a link to this server").to_owned();
        let joined: Joined =
            post(address, "/api/join", None, &Join { invitation: token, name: "Ann".to_owned(), held: Vec::new() })
                .await
                .expect("the address is good");
        seats.push((link, joined));
        process.kill();
    }
    assert_eq!(seats[0], seats[1]);
}

/// What two bots do with the same seed is the same, to the last byte of the state; with another seed it is not.
#[test]
fn the_same_seed_plays_the_same_turn() {
    let last_line = |seed: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_picket"))
            .args(["bot", "--both", "--turns", "1", "--seed", seed])
            .output()
            .expect("the program runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said} {}", String::from_utf8_lossy(&output.stderr));
        said.lines().find(|line| line.starts_with("state hash ")).expect("a hash").to_owned()
    };
    let first = last_line("7");
    assert_eq!(first, last_line("7"));
    assert_ne!(first, last_line("8"));
}
