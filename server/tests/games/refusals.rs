//! What is refused, in which words, and that a refusal changes nothing.

use std::time::Duration;

use protocol::ids::Side;
use protocol::message::rest::{CreateGame, GameCard, GameCreated, Join, Joined, RuleText, ScenarioCard, Ticket};
use protocol::message::{ClientMessage, ServerMessage, StageAt, VERSION};
use protocol::orders::{Draft, Order, Stage};
use serde_json::json;
use server::store::{GameId, StageKey};
use tokio_tungstenite::tungstenite::Message;

use super::inventor::Inventor;
use super::table::*;

/// All that a player's message could have changed.
async fn kept(server: &Server, player: &Player) -> String {
    let game: GameId = player.joined.game.parse().expect("an identifier");
    let store = &server.running.app.store;
    let mut kept = format!("{:?}", store.game(game).await.expect("the game is there"));
    for stage in 1..=4 {
        let key = StageKey::new(game, 1, 1, stage);
        for seat in ["union", "confederate"] {
            let draft = store.draft(key, seat.into()).await.expect("the store answers");
            let envelope = store.envelope(key, seat.into()).await.expect("the store answers");
            kept += &format!(
                " {:?} {:?}",
                draft.map(|draft| (draft.revision, draft.body.as_bytes().to_vec())),
                envelope.map(|envelope| envelope.hash)
            );
        }
    }
    kept
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_that_make_no_sense_get_an_error_and_change_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, _confederate) = server.game_for_two(|_| {}).await;
    let enemy = union.last_state().a_unit_of(Side::Confederate);
    let own = union.last_state().a_unit_of(Side::Union);
    union.save(FIRST, hold(&own)).await.expect("a draft to be kept");
    let before = kept(&server, &union).await;
    let at = json!({"line": 1, "turn": 1, "stage": "orders"});
    let nonce = "11".repeat(32);
    let seal = |command: &str, at: &serde_json::Value, nonce: &str| {
        json!({"type": "seal", "command": command, "at": at, "draft": {}, "nonce": nonce}).to_string()
    };
    let save =
        |draft: serde_json::Value| json!({"type": "save_draft", "command": "c", "at": at, "draft": draft}).to_string();
    let too_long = "x".repeat(65);
    let cases: Vec<(String, &str, Option<&str>)> = vec![
        ("{".to_owned(), "bad_message", None),
        ("[]".to_owned(), "bad_message", None),
        ("null".to_owned(), "bad_message", None),
        ("[".repeat(10_000), "bad_message", None),
        (json!({"type": "conquer"}).to_string(), "bad_message", None),
        (json!({"type": "ping", "extra": 1}).to_string(), "bad_message", None),
        (json!({"type": "hello", "version": VERSION, "ticket": "again"}).to_string(), "bad_message", None),
        (json!({"type": "seal", "command": "c", "extra": 1}).to_string(), "bad_message", Some("c")),
        (save(json!({"units": {"20th_maine": {"order": {"type": "surrender"}}}})), "bad_message", Some("c")),
        (save(json!({"unit": {}})), "bad_message", Some("c")),
        (seal("", &at, &nonce), "bad_message", Some("")),
        (seal("a b", &at, &nonce), "bad_message", Some("a b")),
        (seal(&too_long, &at, &nonce), "bad_message", Some(&too_long)),
        (seal("c", &at, "00"), "bad_message", Some("c")),
        (seal("c", &at, &"zz".repeat(32)), "bad_message", Some("c")),
        (seal("c", &at, &"é".repeat(32)), "bad_message", Some("c")),
        (seal("c", &json!({"line": 1, "turn": 2, "stage": "orders"}), &nonce), "wrong_turn", Some("c")),
        (seal("c", &json!({"line": 1, "turn": 0, "stage": "orders"}), &nonce), "wrong_turn", Some("c")),
        (seal("c", &json!({"line": 2, "turn": 1, "stage": "orders"}), &nonce), "wrong_turn", Some("c")),
        (seal("c", &json!({"line": 1, "turn": 1, "stage": "movement"}), &nonce), "wrong_turn", Some("c")),
        (seal("c", &json!({"line": 1, "turn": u32::MAX, "stage": "orders"}), &nonce), "wrong_turn", Some("c")),
        (seal("c", &json!({"line": 1, "turn": -1, "stage": "orders"}), &nonce), "bad_message", Some("c")),
    ];
    for (text, code, about) in cases {
        union.say_text(&text).await;
        let error = union.error().await;
        assert_eq!((error.code.as_str(), error.about.as_deref()), (code, about), "{text:.200}: {}", error.message);
    }
    for message in [
        ClientMessage::SaveDraft { command: "late".to_owned(), at: orders_of(2), draft: Draft::default() },
        ClientMessage::Unseal { command: "late".to_owned(), at: orders_of(2) },
        ClientMessage::Check { request: "late".to_owned(), at: orders_of(2), draft: Draft::default() },
        ClientMessage::Preview {
            request: "late".to_owned(),
            at: StageAt { stage: Stage::Charges, ..FIRST },
            unit: own.clone(),
            order: Order::FirstFire {},
        },
        ClientMessage::Odds {
            request: "late".to_owned(),
            at: orders_of(2),
            firer: own.clone(),
            target: enemy.clone(),
            fire: None,
        },
        ClientMessage::Standing { request: "late".to_owned(), at: orders_of(2), unit: own.clone() },
        ClientMessage::Needs { request: "late".to_owned(), at: orders_of(2) },
    ] {
        union.say(&message).await;
        let error = union.answer("late").await.expect_err("that window is not open");
        assert_eq!(error.code, "wrong_turn", "{message:?}");
    }
    for (firer, target, code) in [
        (own.clone(), own.clone(), "bad_message"),
        (own.clone(), "no_such_unit".into(), "bad_message"),
        (enemy.clone(), own.clone(), "not_yours"),
        ("no_such_unit".into(), enemy.clone(), "not_yours"),
    ] {
        let odds = ClientMessage::Odds { request: "o".to_owned(), at: FIRST, firer, target, fire: None };
        union.say(&odds).await;
        assert_eq!(union.answer("o").await.expect_err("no such volley").code, code, "{odds:?}");
    }
    let standing = ClientMessage::Standing { request: "s".to_owned(), at: FIRST, unit: "no_such_unit".into() };
    union.say(&standing).await;
    assert_eq!(union.answer("s").await.expect_err("nobody stands there").code, "bad_message");
    for unit in [enemy, "no_such_unit".into()] {
        let preview =
            ClientMessage::Preview { request: "p".to_owned(), at: FIRST, unit, order: Order::Hold { task: None } };
        union.say(&preview).await;
        let error = union.answer("p").await.expect_err("she does not command it");
        assert_eq!((error.code.as_str(), error.message.as_str()), ("not_yours", "you command no such unit"));
    }
    union.say_frame(Message::binary(vec![1, 2, 3])).await;
    assert_eq!(union.error().await.code, "bad_message");
    let limit = server.running.app.config.limits.message_bytes;
    union.say_text(&format!("{{\"type\":\"{}\"}}", "x".repeat(limit))).await;
    assert_eq!(union.error().await.code, "too_large");
    union.say(&ClientMessage::Ping {}).await;
    union.hear_until(|message| matches!(message, ServerMessage::Pong {}).then_some(())).await;
    assert_eq!(kept(&server, &union).await, before);
    // Far too large to be read at all: the socket is closed, and nothing else happens.
    union.say_the_unbearable(&"x".repeat(4 * limit)).await;
    while union.next().await.is_some() {}
    assert_eq!(kept(&server, &union).await, before);
    server.running.stop().await;
}

/// I11 Whatever the schema allows, and texts that were damaged on the way: each is answered, by no fault of the server's;
/// commands for other windows change nothing, and the other player hears of none of it.
#[tokio::test(flavor = "multi_thread")]
async fn i11_messages_that_nobody_foresaw_are_answered_and_change_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|_| {}).await;
    let state = union.last_state();
    union.save(FIRST, hold(&state.a_unit_of(Side::Union))).await.expect("a draft to be kept");
    let before = kept(&server, &union).await;
    let heard = confederate.heard.len();
    let named = |names: Vec<String>| names.into_iter().chain(["nobody".to_owned()]).collect::<Vec<_>>();
    let identifiers = vec![
        ("UnitId", named(state.view.units.iter().map(|unit| unit.id.to_string()).collect())),
        ("LeaderId", named(state.view.leaders.iter().map(|leader| leader.id.to_string()).collect())),
        ("BrigadeId", named(state.view.brigades.iter().map(|brigade| brigade.id.to_string()).collect())),
    ];
    let mut inventor = Inventor::new(11, identifiers, 70_000);
    let mut answers = std::collections::BTreeMap::<String, u32>::new();
    for n in 0..400 {
        let mut message = inventor.invent("ClientMessage");
        if matches!(message["type"].as_str(), Some("save_draft" | "seal" | "unseal")) {
            // However its digits are damaged, it is not the window that is open.
            message["at"] = json!({"line": 1, "turn": 7777, "stage": "orders"});
        } else if message["at"].is_object() && n % 2 == 0 {
            message["at"] = json!({"line": 1, "turn": 1, "stage": "orders"});
        }
        let mut text: Vec<char> = message.to_string().chars().collect();
        for _ in 0..if n % 3 == 0 { 1 + inventor.below(3) } else { 0 } {
            if text.is_empty() {
                break;
            }
            let at = inventor.below(text.len());
            match inventor.below(3) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, ['{', '"', '9', '\u{7f}', 'ß'][inventor.below(5)]),
                _ => text.truncate(at.max(1)),
            }
        }
        let text: String = text.into_iter().collect();
        server.clock.advance(1_000);
        union.say_text(&text).await;
        let answer = union
            .hear_until(|message| match message {
                ServerMessage::State { .. } | ServerMessage::Welcome { .. } => None,
                ServerMessage::Error(error) => Some(error.code),
                _ => Some("an answer".to_owned()),
            })
            .await;
        assert_ne!(answer, "failed", "{text}");
        *answers.entry(answer).or_default() += 1;
    }
    assert!(["an answer", "bad_message", "wrong_turn"].iter().all(|kind| 20 < answers[*kind]), "{answers:?}");
    assert_eq!(kept(&server, &union).await, before);
    confederate.say(&ClientMessage::Ping {}).await;
    confederate.hear_until(|message| matches!(message, ServerMessage::Pong {}).then_some(())).await;
    assert_eq!(confederate.heard.len(), heard + 1, "{:?}", &confederate.heard[heard..]);
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seal_sent_again_is_done_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|_| {}).await;
    let own = union.last_state().a_unit_of(Side::Union);
    let first = union.seal_as("once", FIRST, hold(&own)).await.expect("she may seal");
    let before = kept(&server, &union).await;
    let again = union.seal_as("once", FIRST, hold(&own)).await.expect("a resend is answered");
    assert_eq!(first, again);
    let error = union.seal_as("once", FIRST, Draft::default()).await.expect_err("one name means one thing");
    assert_eq!(error.code, "command_reused");
    let error = union.seal_as("twice", FIRST, Draft::default()).await.expect_err("a window is sealed once");
    assert_eq!(error.code, "already_sealed");
    let error = union.save(FIRST, Draft::default()).await.expect_err("what is sealed is not drafted on");
    assert_eq!(error.code, "already_sealed");
    assert_eq!(kept(&server, &union).await, before);
    confederate.seal(FIRST, Draft::default()).await.expect("he may seal");
    union.state_at(orders_of(2), protocol::message::GamePhase::Window).await;
    let late = union.seal_as("once", FIRST, hold(&own)).await.expect("a late resend gets its answer too");
    assert_eq!(first, late);
    let joined = union.joined.clone();
    let mut second = server.sit(&joined).await;
    assert_eq!(second.seal_as("once", FIRST, hold(&own)).await.expect("over another socket too"), first);
    server.running.stop().await;
}

async fn greeted_with(server: &Server, game: &str, text: &str) -> (String, bool) {
    let joined = Joined { game: game.to_owned(), seat: "union".into(), token: String::new() };
    let mut player = Player::new(open(server.address(), game, None).await.expect("the socket opens"), joined);
    player.say_text(text).await;
    let error = player.error().await;
    (error.code, player.next().await.is_none())
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_good_ticket_opens_a_seat() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (union, _confederate) = server.game_for_two(|_| {}).await;
    let (other, _enemy) = server.game_for_two(|_| {}).await;
    let game = union.joined.game.as_str();
    let hello = |version: u32, ticket: &str| json!({"type": "hello", "version": version, "ticket": ticket}).to_string();
    let closed = |code: &str| (code.to_owned(), true);
    assert_eq!(greeted_with(&server, game, &hello(1, "made-up")).await, closed("bad_ticket"));
    assert_eq!(greeted_with(&server, game, &hello(2, "made-up")).await, closed("wrong_version"));
    let later = json!({"type": "hello", "version": 9, "who": "a later client"}).to_string();
    assert_eq!(greeted_with(&server, game, &later).await, closed("wrong_version"));
    assert_eq!(greeted_with(&server, game, "{}").await, closed("bad_message"));
    assert_eq!(greeted_with(&server, game, &hello(1, &"x".repeat(5000))).await, closed("too_large"));
    // A ticket for another game, a ticket used, a ticket too old.
    let ticket = server.ticket(&other.joined).await;
    assert_eq!(greeted_with(&server, game, &hello(1, &ticket)).await, closed("bad_ticket"));
    let ticket = server.ticket(&union.joined).await;
    let socket = open(server.address(), game, None).await.expect("the socket opens");
    let mut first = Player::new(socket, union.joined.clone());
    first.say_text(&hello(1, &ticket)).await;
    assert!(matches!(first.hear().await, ServerMessage::Welcome { .. }));
    assert_eq!(greeted_with(&server, game, &hello(1, &ticket)).await, closed("bad_ticket"));
    let ticket = server.ticket(&union.joined).await;
    server.clock.advance(30_000);
    assert_eq!(greeted_with(&server, game, &hello(1, &ticket)).await, closed("bad_ticket"));
    // Tokens: missing, made up, of another game, of no game.
    let ask = async |game: &str, token: Option<&str>| {
        let path = format!("/api/games/{game}/ticket");
        post::<Ticket>(server.address(), &path, token, &())
            .await
            .map(drop)
            .map_err(|(status, error)| (status, error.code))
    };
    let refused = |status: u16, code: &str| Err((status, code.to_owned()));
    assert_eq!(ask(game, None).await, refused(401, "unauthorized"));
    assert_eq!(ask(game, Some("made-up")).await, refused(403, "forbidden"));
    assert_eq!(ask(game, Some(&other.joined.token)).await, refused(403, "forbidden"));
    let nowhere = "00000000-0000-4000-8000-000000000000";
    assert_eq!(ask(nowhere, Some(&union.joined.token)).await, refused(404, "no_such_game"));
    assert_eq!(ask("nonsense", Some(&union.joined.token)).await, refused(404, "no_such_game"));
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_sites_page_opens_no_socket() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (union, _confederate) = server.game_for_two(|_| {}).await;
    let game = union.joined.game.as_str();
    let own = format!("http://{}", server.address());
    assert!(open(server.address(), game, Some(&own)).await.is_ok());
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", &format!("{own}.evil.example")] {
        assert_eq!(open(server.address(), game, Some(origin)).await.err(), Some(403), "{origin}");
    }
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_client_is_not_waited_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = format!("sqlite:{}", folder.path().join("picket.sqlite").display());
    let server = Server::start_with(database, folder.path(), 7, NOON, |config| {
        config.limits.greeting_timeout = Duration::from_millis(300);
        config.limits.heartbeat = Duration::from_millis(300);
    })
    .await;
    let (mut union, _confederate) = server.game_for_two(|_| {}).await;
    let socket = open(server.address(), &union.joined.game, None).await.expect("the socket opens");
    let mut silent = Player::new(socket, union.joined.clone());
    assert_eq!(silent.error().await.code, "late");
    assert!(silent.next().await.is_none());
    // A client that reads answers the server's pings by itself; this one does not read for longer than two of them.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    while union.next().await.is_some() {}
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_answers_and_refuses_in_json() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let address = server.address();
    let scenarios: Vec<ScenarioCard> = get(address, "/api/scenarios", None).await.expect("there are scenarios");
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios")).expect("the folder is there");
    let files =
        files.filter(|file| file.as_ref().is_ok_and(|file| file.path().extension().is_some_and(|e| e == "toml")));
    assert_eq!(scenarios.len(), files.count(), "each file of the folder stands on the shelf");
    assert!(scenarios.iter().any(|card| (card.id.as_str(), card.turns) == ("little_round_top", 9)));
    assert!(scenarios.is_sorted_by_key(|card| card.date.clone()));
    let rule: RuleText = get(address, "/api/rules/FIRE-07", None).await.expect("the rule is there");
    assert_eq!(rule.id, "FIRE-07");
    assert!(!rule.text.is_empty());
    let code = |answer: Result<serde_json::Value, (u16, protocol::message::ErrorMessage)>| {
        answer.map_err(|(status, error)| (status, error.code))
    };
    let refused = |status: u16, code: &str| Err((status, code.to_owned()));
    assert_eq!(code(get(address, "/api/rules/FIRE-999", None).await), refused(404, "no_such_rule"));
    let made =
        |body: serde_json::Value| async move { post::<serde_json::Value>(address, "/api/games", None, &body).await };
    assert_eq!(code(made(json!({"scenario": "nowhere"})).await), refused(404, "no_such_scenario"));
    assert_eq!(code(made(json!({"scenario": "little_round_top", "extra": 1})).await), refused(400, "bad_message"));
    assert_eq!(code(made(json!([])).await), refused(400, "bad_message"));
    let deadline = json!({"scenario": "little_round_top", "bot": "union", "deadline_seconds": 60});
    assert_eq!(code(made(deadline).await), refused(400, "bad_settings"));
    let large = json!({"scenario": "x".repeat(300 * 1024)});
    assert_eq!(code(made(large).await), refused(413, "too_large"));
    let asked = CreateGame { name: Some("  Ann's   battle ".to_owned()), ..create() };
    let created: GameCreated = post(address, "/api/games", None, &asked).await.expect("a game is made");
    let token = |created: &GameCreated| created.invitations[0].link.trim_start_matches("/join/").to_owned();
    let join = |invitation: String, name: &str| {
        let body = Join { invitation, name: name.to_owned(), held: Vec::new() };
        async move { post::<serde_json::Value>(address, "/api/join", None, &body).await }
    };
    assert_eq!(code(join(token(&created), " ").await), refused(400, "bad_name"));
    assert_eq!(code(join("made-up".to_owned(), "Ann").await), refused(404, "no_such_invitation"));
    let joined = join(token(&created), "Ann").await.expect("the invitation is good");
    assert_eq!(code(join(token(&created), "Bob").await), refused(409, "invitation_used"));
    let games: Vec<GameCard> = get(address, "/api/games", joined["token"].as_str()).await.expect("the token is good");
    assert_eq!(games.len(), 1);
    assert_eq!((games[0].name.as_str(), games[0].at), ("Ann's battle", FIRST));
    assert_eq!(code(get(address, "/api/games", None).await), refused(401, "unauthorized"));
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_games_from_one_address_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let mut made = 0;
    let refused = loop {
        let asked = CreateGame { scenario: "nowhere".to_owned(), ..create() };
        let (status, error) =
            post::<GameCreated>(server.address(), "/api/games", None, &asked).await.expect_err("there is no nowhere");
        match status {
            404 => made += 1,
            status => break (status, error.code),
        }
        assert!(made < 1000, "there is no end to it");
    };
    assert_eq!((made, refused), (30, (429, "too_many".to_owned())));
    server.clock.advance(60_000);
    let created: Result<GameCreated, _> = post(server.address(), "/api/games", None, &create()).await;
    assert!(created.is_ok(), "a minute later some may be made again");
    server.running.stop().await;
}
