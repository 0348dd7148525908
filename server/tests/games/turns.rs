//! Turns: sealed, closed once, resolved once, shown to both.

use std::time::Duration;

use protocol::ids::Side;
use protocol::message::{GamePhase, ServerMessage, StageAt};
use protocol::orders::{Draft, Order, Stage};
use server::store::{GameId, Hash, Seal, Seed, StageKey, StoredBytes, TokenHash};

use super::table::*;

/// Both seal at one instant, turn after turn, until the battle is over or `turns` have been played.
async fn play_empty_turns(union: &mut Player, confederate: &mut Player, turns: u32) -> u32 {
    for turn in 1..=turns {
        let at = orders_of(turn);
        let (one, other) = tokio::join!(union.seal(at, Draft::default()), confederate.seal(at, Draft::default()));
        one.expect("the Union may seal");
        other.expect("the Confederates may seal");
        let next = union.hear_until(|message| match message {
            ServerMessage::State { status, .. } if status.phase == GamePhase::Ended => Some(true),
            ServerMessage::State { status, .. } if status.at.turn == turn + 1 => Some(false),
            _ => None,
        });
        if next.await {
            return turn;
        }
        confederate.state_at(orders_of(turn + 1), GamePhase::Window).await;
    }
    turns
}

/// The stages of so many turns, each once, after the battle as it began.
fn stages_of(turns: u32) -> Vec<(u32, u8)> {
    std::iter::once((0, 0)).chain((1..=turns).flat_map(|turn| (1..=4).map(move |stage| (turn, stage)))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_is_played_to_its_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|_| {}).await;
    let ended = play_empty_turns(&mut union, &mut confederate, 20).await;
    assert_eq!(ended, 9, "Little Round Top has nine turns");
    assert_eq!(server.stages(&union.joined.game).await, stages_of(9));
    let game: GameId = union.joined.game.parse().expect("an identifier");
    let store = &server.running.app.store;
    assert!(store.result(game, 1).await.expect("the store answers").is_some(), "the result is recorded");
    assert_eq!(store.revealed_seeds(game).await.expect("the game is over").len(), 9, "the seeds come out at the end");
    let refused = union.seal(orders_of(9), Draft::default()).await.expect_err("the game is over");
    assert_eq!(refused.code, "ended");
    server.running.stop().await;
}

/// Two turns, both sealed at one instant.
async fn two_turns_are_resolved_once(server: Server) {
    let (mut union, mut confederate) = server.game_for_two(|_| {}).await;
    play_empty_turns(&mut union, &mut confederate, 2).await;
    assert_eq!(server.stages(&union.joined.game).await, stages_of(2));
    server.running.stop().await;
}

/// On Postgres: turns are played, and a game is taken up again.
#[test]
fn on_postgres() {
    let Some(cluster) = super::postgres::Cluster::start() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let server = Server::start_on(cluster.database(), folder.path(), 7, NOON).await;
        two_turns_are_resolved_once(server).await;
        let server = Server::start_on(cluster.database(), folder.path(), 7, NOON).await;
        a_stage_left_by_a_crash_is_picked_up(server).await;
        let server = Server::start_on(cluster.database(), folder.path(), 7, NOON).await;
        super::deployment::both_place_and_begin(server).await;
        let server = Server::start_on(cluster.database(), folder.path(), 7, NOON).await;
        super::deployment::drafts_seals_and_a_closed_window_outlive_the_server(server).await;
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn two_seals_at_the_same_instant_resolve_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    two_turns_are_resolved_once(Server::start(&folder).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn both_see_the_turn_with_its_events_and_the_receipts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|_| {}).await;
    let receipt = union.seal(FIRST, Draft::default()).await.expect("the Union may seal");
    let own = union.state().await;
    assert_eq!(own.sealed.as_ref(), Some(&receipt), "the own seal is shown");
    assert!(own.status.waiting_for.is_empty(), "of the enemy's nothing is told: {:?}", own.status.waiting_for);
    assert!(own.status.receipts.is_empty(), "no receipt is published before the window closes");
    let other = confederate.seal(FIRST, Draft::default()).await.expect("the Confederates may seal");
    let mut stages = Vec::new();
    let state = loop {
        match union.hear().await {
            ServerMessage::Events { at, before, request, .. } => {
                assert!(before.is_some() && request.is_none(), "the view before comes along");
                stages.push(at.stage);
            }
            ServerMessage::State { status, .. } if status.at == orders_of(2) => break status,
            _ => {}
        }
    };
    assert_eq!(stages, Stage::ALL);
    let hashes: Vec<_> = state.receipts.iter().map(|it| (it.seat.to_string(), it.hash.clone())).collect();
    assert_eq!(hashes, [("confederate".to_owned(), other.hash), ("union".to_owned(), receipt.hash)]);
    assert!(state.receipts.iter().all(|it| it.at == FIRST));
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn windows_open_as_the_game_was_made() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let all = Some(Stage::ALL.to_vec());
    let (mut union, mut confederate) = server.game_for_two(|asked| asked.windows = all).await;
    for stage in Stage::ALL {
        let at = StageAt { stage, ..FIRST };
        union.seal(at, Draft::default()).await.expect("the window is open");
        confederate.seal(at, Draft::default()).await.expect("the window is open");
        let next = stage.next().map_or(orders_of(2), |stage| StageAt { stage, ..FIRST });
        let state = union.state_at(next, GamePhase::Window).await;
        assert_eq!(state.view.stage, next.stage);
        confederate.state_at(next, GamePhase::Window).await;
    }
    let early = StageAt { stage: Stage::Movement, ..orders_of(2) };
    assert_eq!(union.seal(early, Draft::default()).await.expect_err("not yet").code, "wrong_turn");
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_that_nobody_took_is_waited_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let created = post(server.address(), "/api/games", None, &create()).await.expect("a game is made");
    let joined = server.join(&created, Side::Union, "Ann").await;
    let mut union = server.sit(&joined).await;
    union.seal(FIRST, Draft::default()).await.expect("she may seal before the other came");
    assert_eq!(union.state().await.status.phase, GamePhase::Gathering);
    let other = server.join(&created, Side::Confederate, "Bob").await;
    let welcome = union
        .hear_until(|message| match message {
            ServerMessage::Welcome { seats, .. } => Some(seats),
            _ => None,
        })
        .await;
    assert!(welcome.iter().all(|seat| seat.player.is_some()), "the seats are told again: {welcome:?}");
    assert_eq!(union.state().await.status.phase, GamePhase::Window);
    let mut confederate = server.sit(&other).await;
    confederate.seal(FIRST, Draft::default()).await.expect("he may seal");
    union.state_at(orders_of(2), GamePhase::Window).await;
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn at_the_deadline_the_legal_part_of_a_draft_counts_as_sealed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|asked| asked.deadline_seconds = Some(60)).await;
    let deadline = (NOON + 60_000).to_string();
    let state = confederate.state_at(FIRST, GamePhase::Window).await;
    assert_eq!(state.status.deadline.as_deref(), Some(deadline.as_str()), "it counts from the last seat taken");
    let own = state.a_unit_of(Side::Confederate);
    let enemy = state.a_unit_of(Side::Union);
    let mut draft = hold(&own);
    draft.units.extend(hold(&enemy).units);
    let saved = confederate.save(FIRST, draft).await.expect("a draft may be wrong");
    let ServerMessage::Saved { refusals, .. } = saved else { panic!("no answer to a draft: {saved:?}") };
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    union.seal(FIRST, Draft::default()).await.expect("in time");
    server.clock.advance(60_000);
    confederate.state_at(orders_of(2), GamePhase::Window).await;
    let game: GameId = confederate.joined.game.parse().expect("an identifier");
    let key = StageKey::new(game, 1, 1, 1);
    let envelope = server.running.app.store.envelope(key, confederate.seat()).await.expect("the store answers");
    let envelope = envelope.expect("the draft was sealed");
    assert_eq!(envelope.source, server::store::EnvelopeSource::Deadline);
    let sealed: Draft = serde_json::from_slice(envelope.body.as_bytes()).expect("a draft");
    assert_eq!(sealed, hold(&own), "the legal part and nothing else");
    let late = confederate.seal(FIRST, Draft::default()).await.expect_err("too late");
    assert_eq!(late.code, "wrong_turn");
    server.running.stop().await;
}

/// The window was closed and the process died before the outcome: the next start resolves it.
async fn a_stage_left_by_a_crash_is_picked_up(server: Server) {
    let (mut union, confederate) = server.game_for_two(|_| {}).await;
    union.seal(FIRST, Draft::default()).await.expect("the Union may seal");
    let (joined, other) = (union.joined.clone(), confederate.joined.clone());
    union.close().await;
    confederate.close().await;
    // The last seal is committed and closes the window, and nobody resolves: as if the process died right there.
    let game: GameId = joined.game.parse().expect("an identifier");
    let seal = Seal {
        key: StageKey::new(game, 1, 1, 1),
        seat: other.seat.clone(),
        body: StoredBytes::from_store(b"{}".to_vec()),
        nonce: Seed::new([1; 32]),
        salt: Seed::new([2; 32]),
        hash: Hash([3; 32]),
        command: server::store::CommandId::new("last").expect("an identifier"),
        request: Hash([4; 32]),
        answer: StoredBytes::from_store(b"{}".to_vec()),
        now: NOON,
    };
    let sealed = server.running.app.store.seal(seal).await.map(|sealed| sealed.closed);
    assert_eq!(sealed, Ok(true));
    assert_eq!(server.stages(&joined.game).await, [(0, 0)]);
    let server = server.restart().await;
    let mut union = server.sit(&joined).await;
    union.state_at(orders_of(2), GamePhase::Window).await;
    assert_eq!(server.stages(&joined.game).await, [(0, 0), (1, 1), (1, 2), (1, 3), (1, 4)]);
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stage_left_by_a_crash_is_picked_up_on_sqlite() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    a_stage_left_by_a_crash_is_picked_up(Server::start(&folder).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn drafts_and_seals_are_there_after_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|_| {}).await;
    let state = confederate.state_at(FIRST, GamePhase::Window).await;
    let draft = hold(&state.a_unit_of(Side::Confederate));
    confederate.save(FIRST, draft.clone()).await.expect("a draft is saved");
    let receipt = union.seal(FIRST, Draft::default()).await.expect("the Union may seal");
    let (ann, bob) = (union.joined.clone(), confederate.joined.clone());
    let server = server.restart().await;
    let union = server.sit(&ann).await;
    let confederate = server.sit(&bob).await;
    assert_eq!(union.last_state().sealed, Some(receipt));
    assert_eq!(confederate.last_state().draft, Some(draft));
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_sent_the_stages_it_lacks() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|_| {}).await;
    play_empty_turns(&mut union, &mut confederate, 2).await;
    let stages = |player: &Player| -> Vec<(u32, Stage)> {
        let parsed = player.heard.iter().map(|text| serde_json::from_str(text).expect("a message"));
        parsed
            .filter_map(|message| match message {
                ServerMessage::Events { at, .. } => Some((at.turn, at.stage)),
                _ => None,
            })
            .collect()
    };
    let fresh = server.sit(&union.joined).await;
    assert_eq!(stages(&fresh).len(), 8);
    let have = StageAt { stage: Stage::Reactions, ..orders_of(2) };
    let back = server.sit_with(&union.joined, Some(have)).await;
    assert_eq!(stages(&back), [(2, Stage::Charges), (2, Stage::Movement)]);
    let mut again = server.sit_with(&union.joined, Some(StageAt { stage: Stage::Movement, ..orders_of(2) })).await;
    assert!(stages(&again).is_empty());
    let replayed = StageAt { stage: Stage::Movement, ..FIRST };
    again.say(&protocol::message::ClientMessage::Replay { request: "r".to_owned(), at: replayed }).await;
    let answer = again.answer("r").await.expect("that stage was resolved");
    assert!(matches!(answer, ServerMessage::Events { at, before: Some(_), .. } if at == replayed));
    let unknown = protocol::message::ClientMessage::Replay { request: "s".to_owned(), at: orders_of(3) };
    again.say(&unknown).await;
    assert_eq!(again.answer("s").await.expect_err("not resolved yet").code, "no_such_stage");
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seal_is_taken_back_while_the_game_allows_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, _confederate) = server.game_for_two(|_| {}).await;
    union.seal(FIRST, Draft::default()).await.expect("she may seal");
    union.unseal(FIRST).await.expect("she may take it back");
    assert_eq!(union.unseal(FIRST).await.expect_err("there is none").code, "not_sealed");
    union.seal(FIRST, Draft::default()).await.expect("she may seal again");
    let (mut strict, _other) = server.game_for_two(|asked| asked.unseal = Some(false)).await;
    strict.seal(FIRST, Draft::default()).await.expect("she may seal");
    assert_eq!(strict.unseal(FIRST).await.expect_err("a seal is final here").code, "not_allowed");
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_battle_that_cannot_be_read_holds_the_game_with_a_reason() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (union, confederate) = server.game_for_two(|_| {}).await;
    let (ann, bob) = (union.joined.clone(), confederate.joined.clone());
    let mut union = union;
    let mut confederate = confederate;
    union.seal(FIRST, Draft::default()).await.expect("she may seal");
    confederate.save(FIRST, Draft::default()).await.expect("he may draft");
    drop((union, confederate));
    server.running.stop().await;
    // Seals that are no draft: nothing of ours writes such a thing, so it stands for a fault in the server.
    let url = format!("sqlite:{}", folder.path().join("picket.sqlite").display());
    let mut db = <sqlx::SqliteConnection as sqlx::Connection>::connect(&url).await.expect("SQLite opens the file");
    sqlx::Executor::execute(&mut db, "update envelopes set body = x'00'").await.expect("it can be changed");
    sqlx::Connection::close(db).await.expect("it closes");
    let server = Server::start_on(url, folder.path(), 8, NOON).await;
    let mut confederate = server.sit(&bob).await;
    confederate.seal(FIRST, Draft::default()).await.expect("he may seal");
    let held = confederate.state_at(FIRST, GamePhase::Held).await;
    assert!(held.status.held.is_some_and(|reason| reason.contains("cannot be read")));
    assert_eq!(server.stages(&ann.game).await, [(0, 0)], "nothing was recorded");
    assert_eq!(confederate.unseal(FIRST).await.expect_err("the game is held").code, "held");
    // Mended and released, it goes on where it stopped.
    let url = format!("sqlite:{}", folder.path().join("picket.sqlite").display());
    let mut db = <sqlx::SqliteConnection as sqlx::Connection>::connect(&url).await.expect("SQLite opens the file");
    sqlx::Executor::execute(&mut db, "update envelopes set body = x'7b7d'").await.expect("it can be changed");
    sqlx::Connection::close(db).await.expect("it closes");
    let game: GameId = ann.game.parse().expect("an identifier");
    server.running.app.games.release(game).await.map_err(|refused| refused.message).expect("it is released");
    confederate.state_at(orders_of(2), GamePhase::Window).await;
    assert_eq!(server.stages(&ann.game).await, stages_of(1));
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_takes_its_seat_and_plays() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let asked = protocol::message::rest::CreateGame { bot: Some(Side::Confederate), ..create() };
    let created: protocol::message::rest::GameCreated =
        post(server.address(), "/api/games", None, &asked).await.expect("a game is made");
    assert_eq!(created.invitations.len(), 1, "the bot's seat is taken");
    let joined = server.join(&created, Side::Union, "Ann").await;
    // A restart between: the bot comes back.
    let server = server.restart().await;
    let mut union = server.sit(&joined).await;
    union.seal(FIRST, Draft::default()).await.expect("she may seal");
    let state = tokio::time::timeout(Duration::from_secs(300), union.state_at(orders_of(2), GamePhase::Window)).await;
    let state = state.expect("the bot seals");
    assert_eq!(state.status.receipts.len(), 2, "both have sealed");
    assert_eq!(server.stages(&joined.game).await.len(), 5);
    let token = TokenHash::of(&joined.token);
    let seats = server.running.app.store.seats_of_token(token).await.expect("the store answers");
    assert_eq!(seats.len(), 1);
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn illegal_orders_are_refused_one_by_one_and_the_rest_may_be_sealed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, _confederate) = server.game_for_two(|_| {}).await;
    let state = union.state_at(FIRST, GamePhase::Window).await;
    let (own, enemy) = (state.a_unit_of(Side::Union), state.a_unit_of(Side::Confederate));
    let mut draft = hold(&own);
    draft.units.extend(told(&enemy, Order::FirstFire {}).units);
    let refused = union.seal(FIRST, draft.clone()).await.expect_err("an enemy's unit takes no orders of hers");
    assert_eq!(refused.code, "illegal_orders");
    assert_eq!(refused.refusals.iter().map(|it| it.subject.as_str()).collect::<Vec<_>>(), [enemy.as_str()]);
    let command = union.command();
    let nonce = "22".repeat(32);
    union
        .say(&protocol::message::ClientMessage::Seal {
            command: command.clone(),
            at: FIRST,
            draft,
            nonce,
            drop_illegal: true,
        })
        .await;
    let ServerMessage::Sealed { receipt, .. } = union.answer(&command).await.expect("the legal part is sealed") else {
        panic!("a seal is answered with a receipt")
    };
    assert_eq!(receipt.content, hold(&own));
    // The receipt proves itself: docs/dice.md.
    let bytes = |text: &str| -> [u8; 32] {
        let digits: Vec<u8> =
            (0..32).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("digits")).collect();
        digits.try_into().expect("32 bytes")
    };
    let hash = rules::dice::Envelope {
        salt: &bytes(&receipt.salt),
        game: &union.joined.game,
        turn: 1,
        stage: Stage::Orders,
        seat: "union",
        nonce: &bytes(&receipt.nonce),
        content: &serde_json::to_vec(&receipt.content).expect("a draft is JSON"),
    }
    .hash();
    assert_eq!(bytes(&receipt.hash), hash);
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn odds_are_those_of_the_order_that_was_said_last() {
    use protocol::message::{ClientMessage, OddsFire};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, _confederate) = server.game_for_two(|_| {}).await;
    let state = union.last_state();
    let (firer, target) = (state.a_unit_of(Side::Union), state.a_unit_of(Side::Confederate));
    let asked = |fire: Option<OddsFire>| ClientMessage::Odds {
        request: "odds".to_owned(),
        at: FIRST,
        firer: firer.clone(),
        target: target.clone(),
        fire,
    };
    let mut found = Vec::new();
    let mut ask = async |union: &mut Player, fire: Option<OddsFire>| {
        union.say(&asked(fire)).await;
        let answer = union.answer("odds").await.expect("she may ask");
        let ServerMessage::Odds { odds, .. } = answer else { panic!("no odds: {answer:?}") };
        found.push(odds.fire);
    };
    ask(&mut union, None).await;
    union.save(FIRST, told(&firer, Order::FirstFire {})).await.expect("a draft to be kept");
    ask(&mut union, None).await;
    ask(&mut union, Some(OddsFire::Moving)).await;
    union.seal(FIRST, hold(&firer)).await.expect("she may seal");
    ask(&mut union, None).await;
    assert_eq!(found, [OddsFire::Hold, OddsFire::FirstFire, OddsFire::Moving, OddsFire::Hold]);
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn how_an_own_unit_stands_is_told_whole_and_of_an_enemy_what_can_be_seen() {
    use protocol::message::ClientMessage;
    use protocol::standing::Standing;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, _confederate) = server.game_for_two(|_| {}).await;
    let state = union.last_state();
    let mut ask = async |unit: protocol::ids::UnitId| -> Standing {
        union.say(&ClientMessage::Standing { request: "standing".to_owned(), at: FIRST, unit }).await;
        let answer = union.answer("standing").await.expect("she may ask");
        let ServerMessage::Standing { standing, .. } = answer else { panic!("no standing: {answer:?}") };
        *standing
    };
    let own = ask(state.a_unit_of(Side::Union)).await;
    assert!(own.own && own.command.is_some() && own.passes.is_some());
    assert_eq!(own.point.terms.iter().map(|term| term.value).sum::<i32>(), own.point.total);
    assert!(own.levels.iter().all(|level| level.points.is_some()) && !own.levels.is_empty());
    let enemy = ask(state.a_unit_of(Side::Confederate)).await;
    assert!(!enemy.own && enemy.command.is_none() && enemy.passes.is_none() && enemy.leaders.is_empty());
    assert!(enemy.levels.iter().all(|level| level.points.is_none()));
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_reveal_each_seat_is_told_what_needs_its_own_units() {
    use protocol::message::ClientMessage;
    use protocol::needs::{NeedKind, Needs};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let all = Stage::ALL.to_vec();
    let (mut union, mut confederate) = server.game_for_two(|asked| asked.windows = Some(all)).await;
    let ask = async |player: &mut Player, at: StageAt| -> Needs {
        player.say(&ClientMessage::Needs { request: "needs".to_owned(), at }).await;
        let answer = player.answer("needs").await.expect("anybody seated may ask");
        let ServerMessage::Needs { needs, .. } = answer else { panic!("no needs: {answer:?}") };
        *needs
    };
    let state = union.last_state();
    let of = |side: Side| state.view.units.iter().filter(move |unit| unit.side == side && unit.stance.is_some());
    let with_the_orders = ask(&mut union, FIRST).await;
    assert_eq!((with_the_orders.needs.len(), with_the_orders.rest as usize), (0, of(Side::Union).count()));
    // Every Confederate that may charge does; the Union holds.
    let mut draft = Draft::default();
    for unit in of(Side::Confederate) {
        let charge = Order::Charge { target: None, bearing: None, objective: None, support_of: None };
        draft.units.entry(unit.id.clone()).or_default().order = Some(charge);
    }
    confederate.seal_legal(FIRST, draft).await.expect("he may seal");
    union.seal(FIRST, Draft::default()).await.expect("she may seal");
    let at = StageAt { stage: Stage::Reactions, ..FIRST };
    union.state_at(at, GamePhase::Window).await;
    confederate.state_at(at, GamePhase::Window).await;
    let (hers, his) = (ask(&mut union, at).await, ask(&mut confederate, at).await);
    let charged =
        |needs: &Needs| needs.needs.iter().filter(|need| matches!(need.what, NeedKind::Charged { .. })).count();
    assert!(0 < charged(&hers), "{hers:?}");
    assert_eq!(charged(&his), 0, "nobody charges him");
    for (needs, side) in [(hers, Side::Union), (his, Side::Confederate)] {
        let own: std::collections::BTreeSet<_> = of(side).map(|unit| &unit.id).collect();
        let listed: std::collections::BTreeSet<_> = needs.needs.iter().map(|need| &need.unit).collect();
        assert!(listed.is_subset(&own), "{listed:?}");
        assert_eq!(listed.len() + needs.rest as usize, own.len());
    }
    server.running.stop().await;
}
