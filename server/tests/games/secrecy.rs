//! Sealed is sealed: what one player is sent does not depend on the other's orders before they are revealed.

use protocol::ids::Side;
use protocol::message::{ClientMessage, GamePhase, ServerMessage, StageAt};
use protocol::orders::{Draft, Instructions, MoveOrder, Order, PathAnswer, RangeChoice, Stage, Stop};
use protocol::place::Point;

use super::table::*;

/// What the enemy does before the reveal.
#[derive(Clone, Copy, PartialEq)]
enum Enemy {
    /// Nothing at all.
    Waits,
    /// Drafts, asks, seals, takes it back, seals otherwise, and comes and goes.
    IsBusy,
}

/// One player's conversation up to the reveal, byte for byte, and the hash of what the enemy sealed in the end.
async fn heard_by_the_union(enemy: Enemy) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|_| {}).await;
    let state = union.last_state();
    let (own, other) = (state.a_unit_of(Side::Union), state.a_unit_of(Side::Confederate));
    let first_fire = told(&other, Order::FirstFire {});
    if enemy == Enemy::IsBusy {
        confederate.save(FIRST, hold(&other)).await.expect("he may draft");
        confederate.seal(FIRST, first_fire.clone()).await.expect("he may seal");
    }
    union.save(FIRST, hold(&own)).await.expect("she may draft");
    union.say(&ClientMessage::Check { request: "check".to_owned(), at: FIRST, draft: hold(&own) }).await;
    union.answer("check").await.expect("she may ask");
    let preview = ClientMessage::Preview {
        request: "preview".to_owned(),
        at: FIRST,
        unit: own.clone(),
        order: Order::Hold { task: None },
    };
    union.say(&preview).await;
    union.answer("preview").await.expect("she may ask");
    let odds = ClientMessage::Odds {
        request: "odds".to_owned(),
        at: FIRST,
        firer: own.clone(),
        target: other.clone(),
        fire: None,
    };
    union.say(&odds).await;
    union.answer("odds").await.expect("she may ask");
    for unit in [&own, &other] {
        let standing = ClientMessage::Standing { request: "standing".to_owned(), at: FIRST, unit: unit.clone() };
        union.say(&standing).await;
        union.answer("standing").await.expect("she may ask");
    }
    union.say(&ClientMessage::Needs { request: "needs".to_owned(), at: FIRST }).await;
    union.answer("needs").await.expect("she may ask");
    if enemy == Enemy::IsBusy {
        // LEAK-71, LEAK-80 He asks the same questions of the same battle at the same moment: nothing of his answers is kept for her.
        for unit in [&own, &other] {
            let standing = ClientMessage::Standing { request: "standing".to_owned(), at: FIRST, unit: unit.clone() };
            confederate.say(&standing).await;
            confederate.answer("standing").await.expect("he may ask");
        }
        confederate.unseal(FIRST).await.expect("he may take it back");
        confederate.save(FIRST, first_fire.clone()).await.expect("he may draft");
        let joined = confederate.joined.clone();
        confederate.close().await;
        confederate = server.sit(&joined).await;
    }
    // Each news is heard before the next thing is done: of two in a row the socket may tell the latest alone.
    union.seal(FIRST, hold(&own)).await.expect("she may seal");
    union.state().await;
    union.unseal(FIRST).await.expect("she may take it back");
    union.state().await;
    // The last thing before the reveal: all that was on its way is heard before the pong.
    union.say(&ClientMessage::Ping {}).await;
    union.hear_until(|message| matches!(message, ServerMessage::Pong {}).then_some(())).await;
    // A second socket of the same seat, opened afresh.
    let mut second = server.sit(&union.joined).await;
    second.say(&ClientMessage::Ping {}).await;
    second.hear_until(|message| matches!(message, ServerMessage::Pong {}).then_some(())).await;
    let mut heard = union.heard.clone();
    heard.append(&mut second.heard);
    // To see that the two worlds were not the same.
    let sealed = if enemy == Enemy::IsBusy { first_fire } else { Draft::default() };
    let hash = confederate.seal(FIRST, sealed).await.expect("he may seal").hash;
    server.running.stop().await;
    (heard, hash)
}

#[tokio::test(flavor = "multi_thread")]
async fn leak_11_and_16_and_17_and_25_and_65_and_67_and_69_and_71_and_80_streams_are_byte_equal_when_only_the_enemys_orders_differ()
 {
    let (quiet, quiet_hash) = heard_by_the_union(Enemy::Waits).await;
    let (busy, busy_hash) = heard_by_the_union(Enemy::IsBusy).await;
    assert!(10 < quiet.len(), "only {} messages were compared", quiet.len());
    must_be_the_same(&quiet, &busy);
    assert_ne!(quiet_hash, busy_hash, "the worlds were the same");
}

/// Orders for a whole side: every unit of it marches a little ahead, or holds where it may not.
fn all_march(state: &State, side: Side) -> Draft {
    let mut draft = Draft::default();
    for unit in state.view.units.iter().filter(|unit| unit.side == side) {
        let Some(stance) = &unit.stance else { continue };
        let (sin, cos) = (f64::from(stance.facing.hundredths()) / 100.0).to_radians().sin_cos();
        let ahead = |from: i32, by: f64| from + (800.0 * by) as i32;
        let path = vec![Point::new(ahead(stance.anchor.x, sin), ahead(stance.anchor.y, cos))];
        draft.units.extend(told(&unit.id, Order::Move(MoveOrder { path, ..MoveOrder::default() })).units);
    }
    draft
}

/// The words that the enemy adds in a window: such as would be so anyway, and such as come to nothing this turn.
type Words = fn(Stage) -> Option<Instructions>;

/// What one player hears from the first reveal on.
struct Heard {
    by_the_union: Vec<String>,
    by_the_enemy: Vec<String>,
    /// On the receipt of the enemy's orders.
    hash: String,
}

/// Plays the first windows of a turn. The enemy's orders are the same for all to see; the words he adds to them are not. The
/// hashes on his receipts are public and differ: they are left out.
async fn heard_after_the_reveal(windows: usize, words: Words) -> Heard {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|asked| asked.windows = Some(Stage::ALL.to_vec())).await;
    let own = union.last_state().a_unit_of(Side::Union);
    let orders = all_march(&confederate.last_state(), Side::Confederate);
    let mut hashes = Vec::new();
    for stage in Stage::ALL.into_iter().take(windows) {
        let at = StageAt { stage, ..FIRST };
        let of_orders = |draft: &Draft| if stage == Stage::Orders { draft.clone() } else { Draft::default() };
        let (ours, mut theirs) = (of_orders(&hold(&own)), of_orders(&orders));
        if let Some(said) = words(stage) {
            for unit in orders.units.keys() {
                theirs.units.entry(unit.clone()).or_default().instructions = said.clone();
            }
            if stage != Stage::Orders {
                confederate.save(at, theirs.clone()).await.expect("he may draft");
                confederate.seal_legal(at, theirs.clone()).await.expect("he may seal");
                confederate.unseal(at).await.expect("he may take it back");
            }
        }
        union.save(at, ours.clone()).await.expect("she may draft");
        union.say(&ClientMessage::Check { request: "check".to_owned(), at, draft: ours.clone() }).await;
        union.answer("check").await.expect("she may ask");
        union.say(&ClientMessage::Needs { request: "needs".to_owned(), at }).await;
        union.answer("needs").await.expect("she may ask");
        // What was on its way is heard before the window closes.
        union.say(&ClientMessage::Ping {}).await;
        union.hear_until(|message| matches!(message, ServerMessage::Pong {}).then_some(())).await;
        hashes.push(confederate.seal_legal(at, theirs).await.expect("he may seal").hash);
        union.seal(at, ours).await.expect("she may seal");
        let next = stage.next().map_or(orders_of(2), |stage| StageAt { stage, ..at });
        union.state_at(next, GamePhase::Window).await;
        confederate.state_at(next, GamePhase::Window).await;
        union.say(&ClientMessage::Replay { request: "replay".to_owned(), at }).await;
        union.answer("replay").await.expect("she may look back");
    }
    let mut second = server.sit(&union.joined).await;
    second.say(&ClientMessage::Ping {}).await;
    second.hear_until(|message| matches!(message, ServerMessage::Pong {}).then_some(())).await;
    let token = union.joined.token.clone();
    let games: serde_json::Value =
        get(server.address(), "/api/games", Some(&token)).await.expect("she may list her games");
    let mut heard = union.heard.clone();
    heard.append(&mut second.heard);
    heard.push(games.to_string());
    server.running.stop().await;
    let public = |text: String| hashes.iter().fold(text, |text, hash| text.replace(hash, "the public hash"));
    Heard {
        by_the_union: heard.into_iter().map(public).collect(),
        by_the_enemy: confederate.heard.clone(),
        hash: hashes[0].clone(),
    }
}

/// The dice come from the envelopes of the orders window, so that what follows the reveal may not be compared here.
#[tokio::test(flavor = "multi_thread")]
async fn the_reveal_is_byte_equal_when_only_hidden_words_differ() {
    let with_orders: Words = |stage| {
        let said = Instructions {
            stop: Some(Stop::Never {}),
            rally: Some(false),
            first_fire: Some(RangeChoice::OnlyClose),
            ..Instructions::default()
        };
        (stage == Stage::Orders).then_some(said)
    };
    let quiet = heard_after_the_reveal(1, |_| None).await;
    let busy = heard_after_the_reveal(1, with_orders).await;
    assert!(quiet.by_the_union.iter().any(|text| text.contains("order_revealed")), "the reveal was not heard");
    assert!(quiet.by_the_union.iter().any(|text| text.contains("the public hash")), "no receipt was published");
    must_be_the_same(&quiet.by_the_union, &busy.by_the_union);
    assert_ne!(quiet.hash, busy.hash, "the worlds were the same");
}

/// What is told of a choice, and of the words behind it, to its own side alone. TURN-06
const A_CHOICE: &str = "\"type\":\"choice\"";

#[tokio::test(flavor = "multi_thread")]
async fn leak_22_and_23_and_24_streams_after_the_reveal_are_byte_equal_when_only_hidden_words_differ() {
    let later: Words = |stage| match stage {
        Stage::Orders => None,
        Stage::Reactions => Some(Instructions { first_fire: Some(RangeChoice::OnlyClose), ..Instructions::default() }),
        Stage::Charges => Some(Instructions { rally: Some(false), ..Instructions::default() }),
        Stage::Movement => Some(Instructions {
            stop: Some(Stop::Never {}),
            path: Some(PathAnswer::AsOrdered {}),
            ..Instructions::default()
        }),
    };
    let quiet = heard_after_the_reveal(4, |_| None).await;
    let busy = heard_after_the_reveal(4, later).await;
    let choices = |heard: &[String]| heard.iter().filter(|text| text.contains(A_CHOICE)).count();
    assert_eq!((choices(&quiet.by_the_enemy), choices(&busy.by_the_enemy)), (0, 1), "told to his own side alone");
    must_be_the_same(&quiet.by_the_union, &busy.by_the_union);
    assert_eq!(quiet.hash, busy.hash, "the dice were others");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_impostor_hears_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|_| {}).await;
    let socket = open(server.address(), &union.joined.game, None).await.expect("anybody may knock");
    let mut impostor = Player::new(socket, union.joined.clone());
    union.seal(FIRST, Draft::default()).await.expect("she may seal");
    union.unseal(FIRST).await.expect("she may take it back");
    confederate.save(FIRST, Draft::default()).await.expect("he may draft");
    impostor.say(&ClientMessage::Ping {}).await;
    assert_eq!(impostor.error().await.code, "bad_message");
    assert!(impostor.next().await.is_none(), "the socket is closed");
    assert_eq!(impostor.heard.len(), 1, "{:?}", impostor.heard);
    server.running.stop().await;
}

/// LEAK-66, LEAK-70 Who is not there and who is not one's own are answered alike, in fixed words that quote nothing of the enemy.
#[tokio::test(flavor = "multi_thread")]
async fn leak_66_and_70_of_a_stranger_and_of_nobody_the_same_is_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|_| {}).await;
    let state = union.last_state();
    let own = state.a_unit_of(Side::Union);
    let stranger = state.a_unit_of(Side::Confederate);
    let sealed = told(&stranger, Order::FirstFire {});
    confederate.save(FIRST, sealed).await.expect("he may draft");
    let mut answers = Vec::new();
    for unit in [stranger, protocol::ids::UnitId::new("nobody")] {
        let request = "asked".to_owned();
        let order = Order::Hold { task: None };
        let preview = ClientMessage::Preview { request: request.clone(), at: FIRST, unit: unit.clone(), order };
        let (firer, target) = (unit.clone(), own.clone());
        let odds = ClientMessage::Odds { request: request.clone(), at: FIRST, firer, target, fire: None };
        let mut said = Vec::new();
        for message in [preview, odds] {
            union.say(&message).await;
            let refused = union.answer("asked").await.expect_err("it is not hers");
            said.push((refused.code, refused.message));
        }
        let check = ClientMessage::Check { request, at: FIRST, draft: hold(&unit) };
        union.say(&check).await;
        let answer = union.answer("asked").await.expect("she may ask");
        let ServerMessage::Checked { refusals, .. } = answer else { panic!("{answer:?}") };
        said.extend(refusals.into_iter().map(|refusal| {
            let message = refusal.message.replace(unit.as_str(), "it");
            (refusal.key, message)
        }));
        answers.push(said);
    }
    assert_eq!(answers[0], answers[1]);
    assert!(!format!("{answers:?}").contains("first_fire"), "{answers:?}");
    server.running.stop().await;
}
