//! What a viewer is sent in a game with pickets does not depend on what hides under the enemy's: every byte that comes over a socket
//! or from REST, its errors, sizes and counts, and when outcomes come out. HID-14

use std::time::{Duration, Instant};

use protocol::ids::{PicketNumber, Side, UnitId};
use protocol::message::{ClientMessage, GamePhase, ServerMessage, StageAt};
use protocol::orders::{Draft, FormTask, Instructions, MoveOrder, Order, Stage, Stop, UnitDraft, UnseenFire};
use protocol::padding::SIZES;
use protocol::place::{Bearing, Point};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::deployment::PLACING;
use super::table::*;
use super::worlds::*;

/// Turns that both worlds play.
const TURNS: u32 = 2;

/// A whole answer of REST, head and body, but for the date.
async fn raw(server: &Server, method: &str, path: &str, token: Option<&str>, body: &str) -> String {
    let mut stream = tokio::net::TcpStream::connect(server.address()).await.expect("the server accepts");
    let authorization = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: picket\r\n{authorization}content-type: application/json\r\n\
         content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    stream.write_all(head.as_bytes()).await.expect("the request is sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("the answer is read");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let lines = answer.split("\r\n").filter(|line| !line.to_lowercase().starts_with("date:"));
    format!("{method} {path}: {}", lines.collect::<Vec<_>>().join("\r\n"))
}

/// What the viewer asks of REST, with her token and without: her games, what exists, and what does not.
async fn ask_rest(server: &Server, union: &Player, numbers: &[PicketNumber]) -> Vec<String> {
    let (game, token) = (union.joined.game.clone(), union.joined.token.clone());
    let mut paths = vec![
        "/api/games".to_owned(),
        "/api/scenarios".to_owned(),
        "/api/rules/HID-14".to_owned(),
        "/health".to_owned(),
        "/ready".to_owned(),
        format!("/api/games/{game}"),
        format!("/api/games/{game}/ticket"),
        format!("/api/games/{game}/socket"),
        format!("/api/games/{game}/units/al05"),
        format!("/api/games/{game}/units/nobody"),
    ];
    paths.extend(numbers.iter().map(|number| format!("/api/games/{game}/pickets/{}", number.0)));
    let mut answers = Vec::new();
    for path in paths {
        for token in [Some(token.as_str()), None] {
            answers.push(raw(server, "GET", &path, token, "").await);
        }
    }
    for token in [token.as_str(), "nobody's"] {
        answers.push(raw(server, "POST", &format!("/api/games/{game}/ticket"), Some(token), "{}").await);
    }
    answers.push(raw(server, "POST", "/api/join", None, r#"{"invitation":"none","name":"Eve"}"#).await);
    answers
}

/// A march of a marker by so much.
fn by(state: &State, number: PicketNumber, dx: i32, dy: i32) -> Order {
    let picket = state.view.pickets.iter().find(|picket| picket.number == number).expect("it stands there");
    let path = vec![Point::new(picket.at.x + dx, picket.at.y + dy)];
    Order::Move(MoveOrder { path, ..MoveOrder::default() })
}

/// A point an inch to the west of a unit.
fn ahead_of(state: &State, unit: &UnitId) -> Point {
    let stance = state.view.units.iter().find(|seen| seen.id == *unit).and_then(|seen| seen.stance.clone());
    let anchor = stance.expect("it stands on the table").anchor;
    Point::new(anchor.x - 1_000, anchor.y)
}

fn said(order: Option<Order>, instructions: Instructions) -> UnitDraft {
    UnitDraft { order, instructions, ..UnitDraft::default() }
}

/// Everything that may be asked about a marker or a unit that is not one's own, and about nobody.
async fn ask_about(union: &mut Player, at: StageAt, own: &UnitId, number: PicketNumber) -> Vec<String> {
    let from = union.heard.len();
    let request = || "about a marker".to_owned();
    let order = Order::Hold { task: None };
    let preview = ClientMessage::PreviewPicket { request: request(), at, picket: number, order: order.clone() };
    // A number is no unit, however it is asked.
    let as_unit = UnitId::new(number.0.to_string());
    let odds = ClientMessage::Odds { request: request(), at, firer: own.clone(), target: as_unit.clone(), fire: None };
    let standing = ClientMessage::Standing { request: request(), at, unit: as_unit };
    let his = Draft { pickets: [(number, said(Some(order), Instructions::default()))].into(), ..Draft::default() };
    let at_it = Instructions { unseen_fire: Some(UnseenFire::Picket { number }), ..Instructions::default() };
    let fire = Draft { units: [(own.clone(), said(Some(Order::FirstFire {}), at_it))].into(), ..Draft::default() };
    let check = |draft: Draft| ClientMessage::Check { request: request(), at, draft };
    for message in [preview, odds, standing, check(his), check(fire)] {
        union.say(&message).await;
        // A refusal is an answer too.
        let _answered = union.answer("about a marker").await;
    }
    union.heard[from..].to_vec()
}

/// The same about a unit by its name.
async fn ask_about_unit(union: &mut Player, at: StageAt, own: &UnitId, unit: &str) -> Vec<String> {
    let from = union.heard.len();
    let request = || "about a unit".to_owned();
    let unit = UnitId::new(unit);
    let order = Order::Hold { task: None };
    for message in [
        ClientMessage::Preview { request: request(), at, unit: unit.clone(), order },
        ClientMessage::Odds { request: request(), at, firer: own.clone(), target: unit.clone(), fire: None },
        ClientMessage::Odds { request: request(), at, firer: unit.clone(), target: own.clone(), fire: None },
        ClientMessage::Standing { request: request(), at, unit: unit.clone() },
        ClientMessage::Check { request: request(), at, draft: hold(&unit) },
    ] {
        union.say(&message).await;
        let _answered = union.answer("about a unit").await;
    }
    union.heard[from..].to_vec()
}

/// Asks of all markers of the enemy, real and dummy, and of one that nobody has: all is answered in the same words, of one size.
async fn ask_about_all(union: &mut Player, at: StageAt, own: &UnitId, enemy: &[PicketNumber]) {
    let unknown = (100..1_000).map(PicketNumber).find(|number| !enemy.contains(number)).expect("few have a number");
    let mut answers = Vec::new();
    for number in enemy.iter().copied().chain([unknown]) {
        let told = ask_about(union, at, own, number).await;
        let it = number.0.to_string();
        answers.push((number, told.into_iter().map(|text| text.replace(&it, "***")).collect::<Vec<_>>()));
    }
    for pair in answers.windows(2) {
        // Fire at a marker that nobody has may be refused, which tells what all see: it is not there.
        let known = if pair[1].0 == unknown { 4 } else { 5 };
        must_be_the_same(&pair[0].1[..known], &pair[1].1[..known]);
    }
    let mut of_units = Vec::new();
    for unit in ["al05", "al03", "la10", "nobody"] {
        let told = ask_about_unit(union, at, own, unit).await;
        of_units.push(told.into_iter().map(|text| words_about(&text, unit)).collect::<Vec<_>>());
    }
    for pair in of_units.windows(2) {
        must_be_the_same(&pair[0], &pair[1]);
    }
}

/// What is said of a unit, without its name and the blanks after it.
fn words_about(text: &str, unit: &str) -> String {
    text.trim_end().replace(unit, "it")
}

/// LEAK-09 Whatever is answered at a socket has one of a few sizes; welcomes, states and news are padded by nobody, for they follow
/// from what all may see.
fn answers_have_one_of_a_few_sizes(heard: &[String]) -> usize {
    let news = [r#"{"type":"welcome""#, r#"{"type":"state""#, r#"{"type":"events""#];
    let answers: Vec<&String> = heard.iter().filter(|text| !news.iter().any(|kind| text.starts_with(kind))).collect();
    let [.., most] = SIZES;
    for text in &answers {
        let size = text.len();
        assert!(SIZES.contains(&size) || size % most == 0, "{size} bytes: {}", text.trim_end());
    }
    answers.len()
}

/// What one player hears of a game, byte for byte, and what of it is public and differs by right.
struct Heard {
    bytes: Vec<String>,
    /// What the enemy himself is shown of his markers, to see that the worlds were not the same.
    his: String,
}

/// Commitments to what a marker hides are public and salted: they differ between the worlds, at one length.
pub(crate) fn without_commitments(state: &State, texts: Vec<String>) -> Vec<String> {
    let enemy = state.view.pickets.iter().filter(|picket| picket.side == Side::Confederate);
    let hashes: Vec<&str> = enemy.map(|picket| picket.commitment.as_str()).filter(|hash| !hash.is_empty()).collect();
    assert_eq!(hashes.len(), PLACES.len(), "each marker has one");
    let blank = |text: String, hash: &str| text.replace(hash, &"c".repeat(hash.len()));
    texts.into_iter().map(|text| hashes.iter().fold(text, |text, hash| blank(text, hash))).collect()
}

/// The enemy's orders of a turn, by number: the same words for real and dummy.
pub(crate) fn his_orders(state: &State, numbers: &[PicketNumber]) -> Draft {
    let stop = Instructions { stop: Some(Stop::OnSight {}), ..Instructions::default() };
    let nothing = Instructions::default;
    let face = FormTask::Face { facing: Bearing::wrapping(9_500) };
    let pickets = [
        (numbers[0], said(Some(by(state, numbers[0], 600, 0)), stop)),
        (numbers[1], said(Some(Order::FirstFire {}), nothing())),
        (numbers[2], said(Some(by(state, numbers[2], 500, 0)), nothing())),
        (numbers[3], said(Some(Order::Form { task: face }), nothing())),
        (numbers[4], said(Some(by(state, numbers[4], 400, 0)), nothing())),
        (numbers[5], said(Some(Order::Hold { task: None }), nothing())),
    ];
    Draft { pickets: pickets.into(), ..Draft::default() }
}

/// One world from the setup on, as the Union hears it. In a busy one the enemy drafts, asks, seals early and comes and goes.
async fn heard(contents: Contents, busy: bool) -> Heard {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(wilderness).await;
    union.state_at(PLACING, GamePhase::Window).await;
    let setup = his_setup(contents);
    let check = |draft: &Draft| ClientMessage::Check { request: "check".to_owned(), at: PLACING, draft: draft.clone() };
    confederate.say(&check(&setup)).await;
    let answer = confederate.answer("check").await.expect("he may ask");
    assert!(matches!(&answer, ServerMessage::Checked { refusals, .. } if refusals.is_empty()), "{answer:?}");
    if busy {
        confederate.save(PLACING, setup.clone()).await.expect("he may draft");
        confederate.seal(PLACING, setup.clone()).await.expect("he may seal");
        confederate.unseal(PLACING).await.expect("he may take it back");
    }
    union.save(PLACING, her_setup()).await.expect("she may draft");
    union.say(&check(&her_setup())).await;
    union.answer("check").await.expect("she may ask");
    union.seal(PLACING, her_setup()).await.expect("she may seal");
    union.state().await;
    open_setups(&server, &confederate, &setup).await;
    let begun = union.state_at(FIRST, GamePhase::Window).await;
    confederate.state_at(FIRST, GamePhase::Window).await;
    let enemy = numbers(&begun, Side::Confederate);
    let own = union.last_state().a_unit_of(Side::Union);
    assert_eq!(enemy.len(), PLACES.len(), "nothing was revealed by the setup");
    let mut rest = ask_rest(&server, &union, &enemy).await;
    let mut at = FIRST;
    while at.turn <= TURNS {
        let orders = at.stage == Stage::Orders;
        let theirs = if orders { his_orders(&confederate.last_state(), &enemy) } else { Draft::default() };
        if busy {
            confederate.save(at, theirs.clone()).await.expect("he may draft");
            confederate.seal_legal(at, theirs.clone()).await.expect("he may seal");
            confederate.unseal(at).await.expect("he may take it back");
        }
        let ours = if orders { hold(&own) } else { Draft::default() };
        union.save(at, ours.clone()).await.expect("she may draft");
        union.say(&ClientMessage::Needs { request: "needs".to_owned(), at }).await;
        union.answer("needs").await.expect("she may ask");
        if orders {
            // Across the field: from its edge one sees the works on the other side.
            for (firer, target) in [("ny140", "nc01"), ("ny140", "nc03"), ("ny146", "nc01"), ("pa91", "nc03")] {
                let (firer, target) = (UnitId::new(firer), UnitId::new(target));
                union.say(&ClientMessage::Odds { request: "odds".to_owned(), at, firer, target, fire: None }).await;
                // Some of them may have gone.
                let _answered = union.answer("odds").await;
            }
            let ahead = MoveOrder { path: vec![ahead_of(&union.last_state(), &own)], ..MoveOrder::default() };
            let (unit, order) = (own.clone(), Order::Move(ahead));
            union.say(&ClientMessage::Preview { request: "preview".to_owned(), at, unit, order }).await;
            union.answer("preview").await.expect("she may ask");
            let picket = numbers(&union.last_state(), Side::Union)[0];
            let order = by(&union.last_state(), picket, -400, 0);
            union.say(&ClientMessage::PreviewPicket { request: "preview".to_owned(), at, picket, order }).await;
            union.answer("preview").await.expect("she may ask");
            ask_about_all(&mut union, at, &own, &enemy).await;
        }
        union.say_text("{\"type\":\"pickets\"}").await;
        union.error().await;
        // What was on its way is heard before the window closes.
        union.say(&ClientMessage::Ping {}).await;
        union.hear_until(|message| matches!(message, ServerMessage::Pong {}).then_some(())).await;
        confederate.seal(at, theirs).await.expect("what he orders is legal in both worlds");
        union.seal(at, ours).await.expect("she may seal");
        let next = after(at);
        for player in [&mut union, &mut confederate] {
            player.state_at(next, GamePhase::Window).await;
        }
        union.say(&ClientMessage::Replay { request: "replay".to_owned(), at }).await;
        union.answer("replay").await.expect("she may look back");
        at = next;
    }
    let now = union.last_state();
    assert_eq!(numbers(&now, Side::Confederate).len(), PLACES.len(), "nothing was revealed: the worlds never part");
    assert!(now.view.pickets.iter().any(|picket| !picket.travelled.is_empty()), "a marker has moved");
    rest.extend(ask_rest(&server, &union, &enemy).await);
    let mut second = server.sit(&union.joined).await;
    second.say(&ClientMessage::Ping {}).await;
    second.hear_until(|message| matches!(message, ServerMessage::Pong {}).then_some(())).await;
    let mut bytes = union.heard.clone();
    bytes.append(&mut second.heard);
    assert!(100 < answers_have_one_of_a_few_sizes(&bytes), "there are few answers");
    bytes.append(&mut rest);
    let own: Vec<String> =
        confederate.last_state().view.pickets.iter().map(|picket| format!("{:?}", picket.own)).collect();
    server.running.stop().await;
    Heard { bytes: without_commitments(&begun, bytes), his: own.concat() }
}

#[tokio::test(flavor = "multi_thread")]
async fn leak_01_and_02_and_07_to_12_and_63_and_65_to_67_and_69_to_71_and_78_and_80_two_hidden_worlds_give_a_viewer_the_same_bytes()
 {
    let quiet = heard(ONE, false).await;
    let busy = heard(OTHER, true).await;
    assert!(100 < quiet.bytes.len(), "only {} messages were compared", quiet.bytes.len());
    must_be_the_same(&quiet.bytes, &busy.bytes);
    assert_ne!(quiet.his, busy.his, "the worlds were the same");
    let losses = r#""losses":[{"#;
    for told in ["pickets_moved", "picket_ordered", "not_yours", "bad_message", "ORD-01", losses] {
        assert!(quiet.bytes.iter().any(|text| text.contains(told)), "nobody was told of {told}");
    }
}

/// Two seconds: no stage of a test's battle takes so long that the step is missed.
const STEP: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread")]
async fn leak_14_and_15_nothing_of_a_stage_can_be_had_before_its_instant() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = slow_to_tell(&folder).await;
    let (union, confederate) = begun(&server, ONE).await;
    nothing_comes_out_early(server, union, confederate).await;
}

/// A server whose steps are long.
pub(crate) async fn slow_to_tell(folder: &tempfile::TempDir) -> Server {
    let database = format!("sqlite:{}", folder.path().join("picket.sqlite").display());
    Server::start_with(database, folder.path(), 7, NOON, |config| config.release = STEP).await
}

/// The stage of the first orders is played, and asked for all the while.
pub(crate) async fn nothing_comes_out_early(server: Server, mut union: Player, mut confederate: Player) {
    let next = after(FIRST);
    confederate.seal_legal(FIRST, Draft::default()).await.expect("he may seal");
    // The window closes after this.
    let closed = Instant::now();
    union.seal(FIRST, Draft::default()).await.expect("she may seal");
    // Asked for, it is not there, whatever way it is asked for, until it is told.
    let mut asked = 0;
    let token = union.joined.token.clone();
    let mut second = server.sit(&union.joined).await;
    loop {
        second.say(&ClientMessage::Replay { request: "early".to_owned(), at: FIRST }).await;
        let answer = second.answer("early").await;
        let games: serde_json::Value = get(server.address(), "/api/games", Some(&token)).await.expect("her games");
        let waited = closed.elapsed();
        if waited < STEP {
            assert_eq!(answer.map(drop).map_err(|error| error.code), Err("no_such_stage".to_owned()), "{waited:?}");
            assert_eq!(games[0]["phase"], "resolving", "{waited:?}");
            asked += 1;
        }
        if second.last_state().status.at == next {
            break;
        }
        // A socket takes so many questions and no more.
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    union.state_at(next, GamePhase::Window).await;
    assert!(STEP <= closed.elapsed(), "it came after {:?}", closed.elapsed());
    assert!(0 < asked, "nobody asked in between");
    server.running.stop().await;
}
