//! SCN-06 The players place their units: sealed from each other, opened together, and what becomes of it in every trouble.

use protocol::event::Stance;
use protocol::ids::{LeaderId, Side, UnitId};
use protocol::message::rest::CreateGame;
use protocol::message::{ClientMessage, Deployment, GamePhase, ServerMessage, StageAt};
use protocol::orders::{Draft, LeaderDraft, Order, Placement, Stage};
use protocol::place::Point;
use protocol::view::{DeploymentView, View};
use server::store::{EnvelopeSource, GameId, Hash, Seal, Seed, StageKey, StoredBytes};

use super::table::*;

/// The window in which units are placed.
pub(crate) const PLACING: StageAt = StageAt { line: 1, turn: 0, stage: Stage::Orders };

fn by_players(asked: &mut CreateGame) {
    asked.deployment = Deployment::Players;
}

/// A placement of one unit so far east of where it is shown, as it is shown.
pub(crate) fn moved_east(state: &State, unit: &str, thousandths: i32) -> Draft {
    let Stance { anchor, facing, formation, .. } = stance(&state.view, unit).expect("the unit is on the table");
    let anchor = Point::new(anchor.x + thousandths, anchor.y);
    let place = Placement { anchor, facing, formation, gap: None };
    Draft { deployment: [(unit.into(), place)].into(), ..Draft::default() }
}

fn stance(view: &View, unit: &str) -> Option<Stance> {
    view.units.iter().find(|seen| seen.id.as_str() == unit).and_then(|seen| seen.stance.clone())
}

fn anchor(view: &View, unit: &str) -> Option<Point> {
    stance(view, unit).map(|stance| stance.anchor)
}

fn choices(state: &State) -> &DeploymentView {
    state.view.deployment.as_ref().expect("there is something to place")
}

/// Each sees his own, places one unit, seals; at one instant both see all.
pub(crate) async fn both_place_and_begin(server: Server) {
    let (mut union, mut confederate) = server.game_for_two(by_players).await;
    let (hers, his) = (union.last_state(), confederate.state_at(PLACING, GamePhase::Window).await);
    for (state, side) in [(&hers, Side::Union), (&his, Side::Confederate)] {
        assert_eq!((state.status.at, state.view.turn), (PLACING, 0));
        assert!(state.view.units.iter().all(|unit| unit.side == side), "only the own side is shown");
        assert!(state.view.leaders.iter().all(|leader| leader.side == side), "only the own side is shown");
        assert!(!choices(state).zones.is_empty() && !choices(state).units.is_empty());
    }
    let (michigan, texas) = (moved_east(&hers, "mi16", 1_500), moved_east(&his, "tx05", -1_500));
    let receipt = union.seal(PLACING, michigan.clone()).await.expect("she may seal");
    assert_eq!((receipt.at, &receipt.content), (PLACING, &michigan));
    confederate.seal(PLACING, texas.clone()).await.expect("he may seal");
    for player in [&mut union, &mut confederate] {
        let begun = player.state_at(orders_of(1), GamePhase::Window).await;
        assert_eq!((begun.view.turn, &begun.view.deployment), (1, &None));
        for (unit, place) in michigan.deployment.iter().chain(&texas.deployment) {
            assert_eq!(anchor(&begun.view, unit.as_str()), Some(place.anchor), "{unit}");
        }
        // The others stand as printed.
        assert_eq!(anchor(&begun.view, "pa83"), anchor(&hers.view, "pa83"));
        assert_eq!(anchor(&begun.view, "tx04"), anchor(&his.view, "tx04"));
        let hashes: Vec<StageAt> = begun.status.receipts.iter().map(|receipt| receipt.at).collect();
        assert_eq!(hashes, [PLACING; 2], "the hashes of both are known");
    }
    assert_eq!(server.stages(&union.joined.game).await, [(0, 0), (0, 1)]);
    // What was shown before the reveal is what a replay shows of it.
    let replay = ClientMessage::Replay { request: "replay".to_owned(), at: PLACING };
    union.say(&replay).await;
    let answer = union.answer("replay").await.expect("it was resolved");
    let ServerMessage::Events { before: Some(before), .. } = answer else { panic!("no replay: {answer:?}") };
    assert_eq!(*before, hers.view);
    // And the battle goes on as any other.
    union.seal(orders_of(1), Draft::default()).await.expect("she may seal");
    confederate.seal(orders_of(1), Draft::default()).await.expect("he may seal");
    union.state_at(orders_of(2), GamePhase::Window).await;
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scn_06_both_place_and_begin() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    both_place_and_begin(Server::start(&folder).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scn_06_a_game_begins_as_printed_unless_asked() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (union, _) = server.game_for_two(|_| {}).await;
    let state = union.last_state();
    assert_eq!((state.status.at, state.view.deployment), (FIRST, None));
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scn_06_placements_are_refused_one_by_one_with_rule_and_remedy() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(by_players).await;
    let state = union.last_state();
    let mut draft = moved_east(&state, "mi16", 1_500);
    draft.deployment.extend(moved_east(&state, "me20", -9_000).deployment);
    let place = draft.deployment[&UnitId::new("mi16")].clone();
    draft.deployment.insert("al15".into(), place);
    let said = LeaderDraft { place: Some(Point::new(10_000, 10_000)), ..LeaderDraft::default() };
    draft.leaders.insert(LeaderId::new("vincent"), said);
    let saved = union.save(PLACING, draft.clone()).await.expect("a draft may be wrong");
    let ServerMessage::Saved { refusals, without_order, .. } = saved else { panic!("no answer: {saved:?}") };
    let found: Vec<(&str, &str)> =
        refusals.iter().map(|refusal| (refusal.subject.as_str(), refusal.rule.as_str())).collect();
    assert_eq!(found, [("vincent", "SCN-06"), ("al15", "SCN-06"), ("me20", "SCN-06")]);
    assert!(refusals.iter().all(|refusal| refusal.message.starts_with("refused (SCN-06): ")), "{refusals:?}");
    assert!(refusals[2].message.contains("`20th Maine`") && refusals[2].message.contains("place all its stands"));
    let others: Vec<&str> = without_order.iter().map(UnitId::as_str).collect();
    assert_eq!(others, ["ny44", "pa83"], "of these nothing is said: they stand as printed");
    let refused = union.seal(PLACING, draft).await.expect_err("it is refused whole");
    assert_eq!((refused.code.as_str(), refused.refusals), ("illegal_orders", refusals));
    // Orders and previews have to wait.
    let order = union.seal(PLACING, hold(&"me20".into())).await.expect_err("no orders yet");
    assert_eq!(order.refusals.len(), 1, "{order:?}");
    let preview = ClientMessage::Preview {
        request: "preview".to_owned(),
        at: PLACING,
        unit: "me20".into(),
        order: Order::Hold { task: None },
    };
    union.say(&preview).await;
    assert_eq!(union.answer("preview").await.expect_err("no orders yet").code, "wrong_turn");
    let odds = ClientMessage::Odds {
        request: "odds".to_owned(),
        at: PLACING,
        firer: "me20".into(),
        target: "al15".into(),
        fire: None,
    };
    union.say(&odds).await;
    assert_eq!(union.answer("odds").await.expect_err("nobody fires yet").code, "wrong_turn");
    let standing = ClientMessage::Standing { request: "standing".to_owned(), at: PLACING, unit: "me20".into() };
    union.say(&standing).await;
    assert_eq!(union.answer("standing").await.expect_err("nobody stands yet").code, "wrong_turn");
    union.say(&ClientMessage::Needs { request: "needs".to_owned(), at: PLACING }).await;
    assert_eq!(union.answer("needs").await.expect_err("nothing is shown yet").code, "wrong_turn");
    // A seal is taken back here as anywhere.
    // Each news is heard before the next thing is done: of two in a row the socket may tell the latest alone.
    union.seal(PLACING, Draft::default()).await.expect("she may seal");
    union.state().await;
    union.unseal(PLACING).await.expect("she may take it back");
    union.state().await;
    let early = confederate.seal(FIRST, Draft::default()).await.expect_err("turn 1 has not begun");
    assert_eq!(early.code, "wrong_turn");
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scn_06_at_the_deadline_the_legal_part_counts_and_the_rest_stands_as_printed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let timed = |asked: &mut CreateGame| {
        by_players(asked);
        asked.deadline_seconds = Some(60);
    };
    let (mut union, mut confederate) = server.game_for_two(timed).await;
    let state = confederate.state_at(PLACING, GamePhase::Window).await;
    assert_eq!(state.status.deadline, Some((NOON + 60_000).to_string()), "it counts from the last seat taken");
    let good = moved_east(&state, "tx05", -1_500);
    let mut draft = good.clone();
    draft.deployment.extend(moved_east(&state, "tx04", 9_000).deployment);
    confederate.save(PLACING, draft).await.expect("a draft may be wrong");
    server.clock.advance(60_000);
    let begun = union.state_at(orders_of(1), GamePhase::Window).await;
    assert_eq!(anchor(&begun.view, "tx05"), Some(good.deployment[&UnitId::new("tx05")].anchor));
    assert_eq!(anchor(&begun.view, "tx04"), anchor(&state.view, "tx04"));
    assert_eq!(begun.status.deadline, Some((NOON + 120_000).to_string()), "turn 1 has its own");
    let game: GameId = confederate.joined.game.parse().expect("an identifier");
    let key = StageKey::new(game, 1, 0, 1);
    let store = &server.running.app.store;
    let envelope = store.envelope(key, confederate.seat()).await.expect("the store answers").expect("it was sealed");
    assert_eq!(envelope.source, EnvelopeSource::Deadline);
    let sealed: Draft = serde_json::from_slice(envelope.body.as_bytes()).expect("a draft");
    assert_eq!(sealed, good, "the legal part and nothing else");
    server.running.stop().await;
}

/// A draft and a seal are there after a restart; then the last seal closes the window and nobody resolves, as if the process
/// died right there: the next start does.
pub(crate) async fn drafts_seals_and_a_closed_window_outlive_the_server(server: Server) {
    let (mut union, mut confederate) = server.game_for_two(by_players).await;
    let draft = moved_east(&confederate.last_state(), "tx05", -1_500);
    confederate.save(PLACING, draft.clone()).await.expect("a draft is saved");
    let placed = moved_east(&union.last_state(), "mi16", 1_500);
    let receipt = union.seal(PLACING, placed.clone()).await.expect("she may seal");
    let (ann, bob) = (union.joined.clone(), confederate.joined.clone());
    let server = server.restart().await;
    assert_eq!(server.sit(&ann).await.last_state().sealed, Some(receipt));
    assert_eq!(server.sit(&bob).await.last_state().draft, Some(draft.clone()));
    let game: GameId = ann.game.parse().expect("an identifier");
    let seal = Seal {
        key: StageKey::new(game, 1, 0, 1),
        seat: bob.seat.clone(),
        body: StoredBytes::from_store(serde_json::to_vec(&draft).expect("a draft is JSON")),
        nonce: Seed::new([1; 32]),
        salt: Seed::new([2; 32]),
        hash: Hash([3; 32]),
        command: server::store::CommandId::new("last").expect("an identifier"),
        request: Hash([4; 32]),
        answer: StoredBytes::from_store(b"{}".to_vec()),
        now: NOON,
    };
    assert_eq!(server.running.app.store.seal(seal).await.map(|sealed| sealed.closed), Ok(true));
    assert_eq!(server.stages(&ann.game).await, [(0, 0)]);
    let server = server.restart().await;
    let begun = server.sit(&ann).await.state_at(orders_of(1), GamePhase::Window).await;
    for (unit, place) in placed.deployment.iter().chain(&draft.deployment) {
        assert_eq!(anchor(&begun.view, unit.as_str()), Some(place.anchor), "{unit}");
    }
    assert_eq!(server.stages(&ann.game).await, [(0, 0), (0, 1)]);
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scn_06_drafts_seals_and_a_closed_window_outlive_the_server() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    drafts_seals_and_a_closed_window_outlive_the_server(Server::start(&folder).await).await;
}

/// One player's conversation up to the reveal, byte for byte, while the enemy places `his` units, or nothing; and where the
/// enemy's 5th Texas stands when all is revealed.
async fn heard_by_the_union(enemy_places: bool) -> (Vec<String>, Option<Point>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(by_players).await;
    let (hers, his) = (union.last_state(), confederate.last_state());
    let (own, other) = (moved_east(&hers, "mi16", 1_500), moved_east(&his, "tx05", -1_500));
    if enemy_places {
        confederate.save(PLACING, other.clone()).await.expect("he may draft");
        confederate.seal(PLACING, other.clone()).await.expect("he may seal");
    }
    union.save(PLACING, own.clone()).await.expect("she may draft");
    // Where the enemy stands, where he stood, and far out: the answers tell nothing.
    let mut probe = own.clone();
    for (unit, place) in ["me20", "ny44", "pa83"].iter().zip(other.deployment.values().cycle()) {
        probe.deployment.insert((*unit).into(), place.clone());
    }
    union.say(&ClientMessage::Check { request: "probe".to_owned(), at: PLACING, draft: probe }).await;
    union.answer("probe").await.expect("she may ask");
    if enemy_places {
        confederate.unseal(PLACING).await.expect("he may take it back");
        let joined = confederate.joined.clone();
        confederate.close().await;
        confederate = server.sit(&joined).await;
    }
    // Each news is heard before the next thing is done: of two in a row the socket may tell the latest alone.
    union.seal(PLACING, own).await.expect("she may seal");
    union.state().await;
    union.unseal(PLACING).await.expect("she may take it back");
    union.state().await;
    union.say(&ClientMessage::Ping {}).await;
    union.hear_until(|message| matches!(message, ServerMessage::Pong {}).then_some(())).await;
    let mut second = server.sit(&union.joined).await;
    second.say(&ClientMessage::Ping {}).await;
    second.hear_until(|message| matches!(message, ServerMessage::Pong {}).then_some(())).await;
    let mut heard = union.heard.clone();
    heard.append(&mut second.heard);
    let sealed = if enemy_places { other } else { Draft::default() };
    confederate.seal(PLACING, sealed).await.expect("he may seal");
    union.seal(PLACING, Draft::default()).await.expect("she may seal");
    let begun = union.state_at(orders_of(1), GamePhase::Window).await;
    server.running.stop().await;
    (heard, anchor(&begun.view, "tx05"))
}

#[tokio::test(flavor = "multi_thread")]
async fn scn_06_streams_are_byte_equal_when_only_the_enemys_placements_differ() {
    let (quiet, as_printed) = heard_by_the_union(false).await;
    let (busy, as_placed) = heard_by_the_union(true).await;
    assert!(8 < quiet.len(), "only {} messages were compared", quiet.len());
    must_be_the_same(&quiet, &busy);
    assert!(as_printed.is_some() && as_placed.is_some());
    assert_ne!(as_printed, as_placed, "the worlds were the same");
}

/// Of what the Confederates print, place or count, nothing stands in what the Union hears before the reveal but the order of
/// battle, which the scenario publishes.
#[tokio::test(flavor = "multi_thread")]
async fn scn_06_no_word_of_the_enemys_places_is_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (union, confederate) = server.game_for_two(by_players).await;
    let enemy = confederate.last_state().view;
    for text in union.heard.iter().filter(|text| text.contains(r#""type":"state""#)) {
        for unit in &enemy.units {
            assert!(!text.contains(&format!(r#""{}""#, unit.id)), "the {} is named", unit.name);
        }
        for zone in &enemy.deployment.as_ref().expect("it places").zones {
            let outline = serde_json::to_string(&zone.outline).expect("points are JSON");
            assert!(!text.contains(&outline), "the zone {} is shown", zone.id);
        }
    }
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scn_06_a_bot_stands_as_printed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let asked = CreateGame { bot: Some(Side::Confederate), deployment: Deployment::Players, ..create() };
    let created = post(server.address(), "/api/games", None, &asked).await.expect("a game is made");
    let mut union = server.sit(&server.join(&created, Side::Union, "Ann").await).await;
    let placed = moved_east(&union.last_state(), "mi16", 1_500);
    union.seal(PLACING, placed.clone()).await.expect("she may seal");
    let begun = union.state_at(orders_of(1), GamePhase::Window).await;
    assert_eq!(anchor(&begun.view, "mi16"), Some(placed.deployment[&UnitId::new("mi16")].anchor));
    // As the file prints it.
    assert_eq!(anchor(&begun.view, "tx05"), Some(Point::new(27_800, 18_600)));
    server.running.stop().await;
}
