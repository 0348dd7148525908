//! Sealed is sealed: what one player is sent does not depend on the other's orders before they are revealed.

use protocol::ids::Side;
use protocol::message::{ClientMessage, GamePhase, ServerMessage, StageAt};
use protocol::orders::{Draft, HoldFire, HoldTrigger, Instructions, Order, RangeChoice, Stage, UnitDraft};

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
    if enemy == Enemy::IsBusy {
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
async fn streams_are_byte_equal_when_only_the_enemys_orders_differ() {
    let (quiet, quiet_hash) = heard_by_the_union(Enemy::Waits).await;
    let (busy, busy_hash) = heard_by_the_union(Enemy::IsBusy).await;
    assert!(10 < quiet.len(), "only {} messages were compared", quiet.len());
    must_be_the_same(&quiet, &busy);
    assert_ne!(quiet_hash, busy_hash, "the worlds were the same");
}

/// One player's conversation from the reveal to the end of the reactions window. The enemy's orders are the same for all
/// to see; what he added to them, and what he does in this window, are not. The hash on his receipt is public and differs:
/// it is left out.
async fn heard_after_the_reveal(enemy: Enemy) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|asked| asked.windows = Some(Stage::ALL.to_vec())).await;
    let (own, other) = (union.last_state().a_unit_of(Side::Union), union.last_state().a_unit_of(Side::Confederate));
    let mut draft = hold(&other);
    if enemy == Enemy::IsBusy {
        for said in draft.units.values_mut() {
            said.instructions.rally = Some(false);
            said.instructions.first_fire = Some(RangeChoice::OnlyClose);
            said.instructions.hold_fire =
                Some(HoldFire { any_of: vec![vec![HoldTrigger::OnFlank {}]], only_if_charged: true, wait_for: None });
        }
    }
    union.seal(FIRST, hold(&own)).await.expect("she may seal");
    let hash = confederate.seal(FIRST, draft).await.expect("he may seal").hash;
    let at = StageAt { stage: Stage::Reactions, ..FIRST };
    union.state_at(at, GamePhase::Window).await;
    confederate.state_at(at, GamePhase::Window).await;
    if enemy == Enemy::IsBusy {
        let mut answer = Draft::default();
        let said = UnitDraft {
            instructions: Instructions { fire: Some(false), ..Instructions::default() },
            ..UnitDraft::default()
        };
        answer.units.insert(other.clone(), said);
        confederate.save(at, answer.clone()).await.expect("he may draft");
        confederate.seal(at, answer.clone()).await.expect("he may seal");
        confederate.unseal(at).await.expect("he may take it back");
        confederate.seal(at, answer).await.expect("he may seal again");
    }
    union.save(at, Draft::default()).await.expect("she may draft");
    union.say(&ClientMessage::Check { request: "check".to_owned(), at, draft: Draft::default() }).await;
    union.answer("check").await.expect("she may ask");
    union.say(&ClientMessage::Replay { request: "replay".to_owned(), at: FIRST }).await;
    union.answer("replay").await.expect("she may look back");
    let mut second = server.sit(&union.joined).await;
    for player in [&mut union, &mut second] {
        player.say(&ClientMessage::Ping {}).await;
        player.hear_until(|message| matches!(message, ServerMessage::Pong {}).then_some(())).await;
    }
    let token = union.joined.token.clone();
    let games: serde_json::Value =
        get(server.address(), "/api/games", Some(&token)).await.expect("she may list her games");
    let mut heard = union.heard.clone();
    heard.append(&mut second.heard);
    heard.push(games.to_string());
    server.running.stop().await;
    (heard.into_iter().map(|text| text.replace(&hash, "the public hash")).collect(), hash)
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_after_the_reveal_are_byte_equal_when_only_hidden_words_differ() {
    let (quiet, quiet_hash) = heard_after_the_reveal(Enemy::Waits).await;
    let (busy, busy_hash) = heard_after_the_reveal(Enemy::IsBusy).await;
    assert!(quiet.iter().any(|text| text.contains("order_revealed")), "the reveal was not heard");
    assert!(quiet.iter().any(|text| text.contains("the public hash")), "no receipt was published");
    assert_eq!(quiet.len(), busy.len(), "as many messages");
    for (place, (quiet, busy)) in quiet.iter().zip(&busy).enumerate() {
        assert!(quiet == busy, "message {place} differs: {:.300} and {:.300}", quiet, busy);
    }
    assert_ne!(quiet_hash, busy_hash, "the worlds were the same");
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
