//! The fog `line_of_sight` over sockets and REST: what a side is sent names nobody whom it has not seen, and what it does not see
//! changes nothing of it. Chapter LOS

use std::collections::BTreeSet;

use protocol::event::Fact;
use protocol::ids::{Side, UnitId};
use protocol::message::rest::{CreateGame, Disclosure, ScenarioCard};
use protocol::message::{ClientMessage, Deployment, GamePhase, ServerMessage, StageAt, WatcherRole};
use protocol::orders::{Draft, FormTask, Order, Placement, Stage, UnitDraft};
use protocol::place::{Bearing, Point};
use protocol::view::{View, Viewer};
use protocol::words::{Fog, Formation};
use rules::scenario::{Options, Scenario};
use serde_json::json;
use server::verify::verify;

use super::deployment::PLACING;
use super::hidden::{nothing_comes_out_early, slow_to_tell};
use super::table::*;
use super::watching::{Watched, seat, settle};
use super::worlds::{after, open_setups_of, printed_wilderness, wilderness};

/// Little Round Top in this fog.
fn in_fog(asked: &mut CreateGame) {
    asked.fog = Some(Fog::LineOfSight);
}

fn all_windows_in_fog(asked: &mut CreateGame) {
    in_fog(asked);
    asked.windows = Some(Stage::ALL.to_vec());
}

/// The units of a side's enemy that a view has before it.
fn enemies(view: &View, side: Side) -> BTreeSet<UnitId> {
    view.units.iter().filter(|unit| unit.side != side).map(|unit| unit.id.clone()).collect()
}

/// The fog of a game as its players are told.
fn fog_of(player: &Player) -> Fog {
    match serde_json::from_str(&player.heard[0]).expect("a message") {
        ServerMessage::Welcome { settings, .. } => settings.fog,
        other => panic!("the first word is a welcome: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn los_01_the_fog_is_chosen_with_the_game_and_told_with_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (plain, _) = server.game_for_two(|_| {}).await;
    let (open, _) = server.game_for_two(|asked| asked.fog = Some(Fog::Tabletop)).await;
    let (fogged, _) = server.game_for_two(in_fog).await;
    assert_eq!([&plain, &open, &fogged].map(fog_of), [Fog::Tabletop, Fog::Tabletop, Fog::LineOfSight]);
    // In the open everybody is shown, and the card has no list of names; in the fog the names are there, and the enemies are not.
    assert_eq!(plain.last_state().view, open.last_state().view);
    assert_eq!((plain.card().roster.len(), plain.card().officers.len()), (0, 0));
    let all: BTreeSet<UnitId> = plain.last_state().view.units.iter().map(|unit| unit.id.clone()).collect();
    let named: BTreeSet<UnitId> = fogged.card().roster.iter().map(|unit| unit.unit.clone()).collect();
    assert!(all.is_subset(&named), "{:?}", all.difference(&named));
    assert!(fogged.last_state().view.units.len() < all.len(), "some are out of sight");
    let cards: Vec<ScenarioCard> = get(server.address(), "/api/scenarios", None).await.expect("there are scenarios");
    assert!(cards.iter().all(|card| card.fog == Fog::Tabletop));
    let with_pickets: Vec<&str> =
        cards.iter().filter(|card| card.hidden_movement).map(|card| card.id.as_str()).collect();
    assert!(with_pickets.contains(&"wilderness") && !with_pickets.contains(&"little_round_top"), "{with_pickets:?}");
    // In the Wilderness it takes the place of the pickets: they begin as printed.
    let (wild, _) = server
        .game_for_two(|asked| {
            wilderness(asked);
            in_fog(asked);
        })
        .await;
    let state = wild.last_state();
    assert_eq!((state.status.at, state.view.pickets.len()), (FIRST, 0));
    let made = |body: serde_json::Value| {
        let address = server.address();
        async move {
            let answer = post::<serde_json::Value>(address, "/api/games", None, &body).await;
            answer.map(drop).map_err(|(status, error)| (status, error.code, error.message))
        }
    };
    let (status, code, _) =
        made(json!({"scenario": "wilderness", "fog": "mist"})).await.expect_err("there is no such fog");
    assert_eq!((status, code.as_str()), (400, "bad_message"));
    let both = json!({"scenario": "wilderness", "fog": "line_of_sight", "hidden_movement": true});
    let (status, code, why) = made(both).await.expect_err("two ways to hide");
    assert_eq!((status, code.as_str()), (400, "bad_settings"));
    assert!(why.starts_with("refused (LOS-01)"), "{why}");
    server.running.stop().await;
}

/// Everybody of a side fires first or, every third of them, marches an inch to his front.
fn fire_or_march(player: &Player, side: Side) -> Draft {
    let own = player.last_state().view.units.into_iter().filter(|unit| unit.side == side);
    let mut draft = Draft::default();
    for (n, unit) in own.enumerate() {
        let Some(stance) = unit.stance else { continue };
        let step = if side == Side::Union { -1_000 } else { 1_000 };
        let ahead = Point::new(stance.anchor.x + step, stance.anchor.y);
        let order = match n % 3 {
            0 => Order::Move(protocol::orders::MoveOrder { path: vec![ahead], ..Default::default() }),
            _ => Order::FirstFire {},
        };
        draft.units.insert(unit.id, UnitDraft { order: Some(order), ..UnitDraft::default() });
    }
    draft
}

/// Everybody of a side goes back.
fn go_back(player: &Player, side: Side) -> Draft {
    let own = player.last_state().view.units.into_iter().filter(|unit| unit.side == side);
    let order = Some(Order::Disengage { abandon_guns: false });
    let said = own.map(|unit| (unit.id, UnitDraft { order: order.clone(), ..UnitDraft::default() }));
    Draft { units: said.collect(), ..Draft::default() }
}

/// All windows of a turn; what both order is legal or left out.
async fn play_turn(union: &mut Player, confederate: &mut Player, turn: u32) {
    play_turn_with(union, confederate, turn, fire_or_march).await;
}

/// The same, with other orders for him.
async fn play_turn_with(union: &mut Player, confederate: &mut Player, turn: u32, his: fn(&Player, Side) -> Draft) {
    for stage in Stage::ALL {
        let at = StageAt { stage, ..orders_of(turn) };
        let (ours, theirs) = match stage {
            Stage::Orders => (fire_or_march(union, Side::Union), his(confederate, Side::Confederate)),
            _ => (Draft::default(), Draft::default()),
        };
        union.seal_legal(at, ours).await.expect("she may seal");
        confederate.seal_legal(at, theirs).await.expect("he may seal");
        for player in [&mut *union, &mut *confederate] {
            player.state_at(after(at), GamePhase::Window).await;
        }
    }
}

/// An enemy whom something that a side heard names although it has never had him before it.
fn named_and_never_seen(player: &Player, side: Side) -> Option<(String, String)> {
    let roster = player.card().roster;
    let mut seen = BTreeSet::new();
    // The welcome names all, by right.
    let texts = || player.heard.iter().filter(|text| !text.starts_with(r#"{"type":"welcome""#));
    for text in texts() {
        match serde_json::from_str(text).expect("a message") {
            ServerMessage::State { view, .. } => seen.extend(enemies(&view, side)),
            ServerMessage::Events { events, before, .. } => {
                seen.extend(before.iter().flat_map(|before| enemies(before, side)));
                let sighted = events.into_iter().filter_map(|event| match event.fact {
                    Fact::Sighted { came, .. } => Some(came),
                    _ => None,
                });
                seen.extend(sighted.flatten().map(|came| came.unit));
            }
            _ => {}
        }
    }
    let unseen = roster.iter().filter(|unit| unit.side != side && !seen.contains(&unit.unit));
    let mut found = unseen.filter_map(|unit| {
        let words = [format!("\"{}\"", unit.unit), unit.name.clone()];
        let text = texts().find(|text| words.iter().any(|word| text.contains(word)))?;
        Some((unit.unit.to_string(), text.trim_end().chars().take(400).collect()))
    });
    found.next()
}

#[tokio::test(flavor = "multi_thread")]
async fn los_06_and_10_and_21_a_side_is_sent_nobody_whom_it_has_not_seen_and_those_who_watch_are_sent_nobody() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut table = Watched::begin(&folder, all_windows_in_fog).await;
    let umpire = table.watch(WatcherRole::Umpire, &[]).await.expect("the link is good");
    let mut all_seeing = table.server.sit(&umpire).await;
    let mut spectator = table.watcher(WatcherRole::Spectator).await;
    for turn in [1, 2] {
        play_turn(&mut table.union, &mut table.confederate, turn).await;
    }
    let at = orders_of(3);
    all_seeing.state_at(at, GamePhase::Window).await;
    settle(&mut spectator).await;
    for (player, side) in [(&table.union, Side::Union), (&table.confederate, Side::Confederate)] {
        assert_eq!(named_and_never_seen(player, side), None, "{side}");
        let shown = enemies(&player.last_state().view, side).len();
        let there = all_seeing.last_state().view.units.iter().filter(|unit| unit.side != side).count();
        assert!(0 < shown && shown < there, "{side} sees {shown} of {there}");
        assert!(player.heard.iter().any(|text| text.contains(r#""type":"sighted""#)), "{side} was told of nobody");
    }
    // The umpire sees all with their own affairs; through a seat's eyes what the seat sees, byte by byte.
    let truth = all_seeing.last_state().view;
    assert!(truth.units.iter().all(|unit| unit.own.is_some()));
    for (side, player) in [(Side::Union, &table.union), (Side::Confederate, &table.confederate)] {
        let eyes = table.through(&umpire, seat(side)).await;
        assert_eq!(eyes.last_state().view, player.last_state().view);
    }
    // The public is shown nobody, not even one whom both have before them, and no fact that names one.
    let names: Vec<String> = spectator.card().roster.iter().map(|unit| format!("\"{}\"", unit.unit)).collect();
    assert!(names.len() > 10, "{names:?}");
    let mut public = table.through(&umpire, Viewer::Public {}).await;
    settle(&mut public).await;
    for watcher in [&spectator, &public] {
        let view = watcher.last_state().view;
        assert_eq!((view.units.len(), view.leaders.len(), view.ghosts.len()), (0, 0, 0));
        let told = watcher.heard.iter().filter(|text| !text.starts_with(r#"{"type":"welcome""#));
        let named: Vec<&String> = told.filter(|text| names.iter().any(|name| text.contains(name))).collect();
        assert!(named.iter().all(|text| text.starts_with(r#"{"type":"state""#)), "{:?}", named.first());
    }
    table.server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn los_07_what_was_seen_and_what_is_remembered_outlives_the_server_and_is_played_back_as_it_was() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let wild = |asked: &mut CreateGame| {
        wilderness(asked);
        in_fog(asked);
    };
    let (mut union, mut confederate) = server.game_for_two(wild).await;
    for turn in [1, 2] {
        play_turn_with(&mut union, &mut confederate, turn, go_back).await;
    }
    let (hers, his) = (union.last_state().view, confederate.last_state().view);
    assert!(0 < hers.ghosts.len() + his.ghosts.len(), "nobody was lost from sight");
    for (view, side) in [(&hers, Side::Union), (&his, Side::Confederate)] {
        let in_sight = enemies(view, side);
        assert!(view.ghosts.iter().all(|ghost| ghost.side != side && !in_sight.contains(&ghost.unit)), "{side}");
    }
    let replayed = |player: &Player| {
        let texts = player.heard.iter().filter(|text| text.starts_with(r#"{"type":"events""#));
        texts.map(|text| serde_json::from_str::<serde_json::Value>(text).expect("JSON")).collect::<Vec<_>>()
    };
    let told = replayed(&union);
    let (union, confederate) = (union.joined().clone(), confederate.joined().clone());
    let server = server.restart().await;
    let again = server.sit(&union).await;
    assert_eq!((again.last_state().view, server.sit(&confederate).await.last_state().view), (hers, his));
    // Of the newest stages the view before them comes along.
    let newest = |all: &[serde_json::Value]| all[all.len() - 4..].to_vec();
    let after_restart = replayed(&again);
    assert_eq!(after_restart.len(), told.len());
    assert_eq!(newest(&after_restart), newest(&told));
    server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn los_18_when_it_is_over_all_is_open_to_everybody() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut table = Watched::begin(&folder, in_fog).await;
    let spectator = table.watch(WatcherRole::Spectator, &[]).await.expect("the link is good");
    for turn in 1..=9 {
        let at = orders_of(turn);
        table.union.seal(at, Draft::default()).await.expect("she may seal");
        table.confederate.seal(at, Draft::default()).await.expect("he may seal");
        for player in [&mut table.union, &mut table.confederate] {
            player
                .hear_until(|message| match message {
                    ServerMessage::State { status, .. } => {
                        (status.phase == GamePhase::Ended || status.at == orders_of(turn + 1)).then_some(())
                    }
                    _ => None,
                })
                .await;
        }
    }
    let (hers, his) = (table.union.last_state(), table.confederate.last_state());
    assert_eq!(hers.status.phase, GamePhase::Ended, "Little Round Top has nine turns");
    let watched = table.server.sit(&spectator).await.last_state();
    // Who never came is his own side's still, as in the other fog.
    let on_table = |view: &View| -> BTreeSet<UnitId> {
        view.units.iter().filter(|unit| unit.stance.is_some()).map(|unit| unit.id.clone()).collect()
    };
    for view in [&hers.view, &his.view, &watched.view] {
        assert!(Side::BOTH.iter().all(|side| view.units.iter().any(|unit| unit.side == *side)));
        assert_eq!((on_table(view), &view.score), (on_table(&hers.view), &hers.view.score));
        assert_eq!(&view.result, &hers.view.result);
        assert!(view.ghosts.is_empty() && view.result.is_some());
    }
    // What she saw of turn 1 is what she saw then.
    table.union.say(&ClientMessage::Replay { request: "replay".to_owned(), at: FIRST }).await;
    let ServerMessage::Events { before: Some(before), .. } = table.union.answer("replay").await.expect("it was played")
    else {
        panic!("no replay")
    };
    assert!(before.units.len() < hers.view.units.len(), "she did not see all");
    let path = format!("/api/games/{}/record", table.union.joined.game);
    let record: Disclosure =
        get(table.server.address(), &path, Some(&table.union.joined.token)).await.expect("it is over");
    assert_eq!(verify(&record).faults, Vec::<String>::new());
    table.server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn leak_14_and_los_06_nothing_of_a_stage_in_the_fog_can_be_had_before_its_instant() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = slow_to_tell(&folder).await;
    let (union, confederate) = server.game_for_two(all_windows_in_fog).await;
    nothing_comes_out_early(server, union, confederate).await;
}

/// Deep in the woods of Saunders Field, out of sight of everybody, thousandths of an inch.
const DEEP: [(i32, i32); 3] = [(12_000, 22_000), (12_000, 25_500), (12_000, 29_000)];
/// Two ways to put three regiments there.
const ONE: [&str; 3] = ["al05", "al03", "la10"];
const OTHER: [&str; 3] = ["la10", "al05", "al03"];

/// The Wilderness in this fog, placed by its players.
fn placed_in_fog(asked: &mut CreateGame) {
    wilderness(asked);
    in_fog(asked);
    asked.deployment = Deployment::Players;
}

fn fogged_wilderness() -> Scenario {
    let printed = printed_wilderness();
    let options = Options { fog: Fog::LineOfSight, hidden_movement: false, ..printed.options.clone() };
    Scenario { options, ..printed }
}

fn placed(world: [&str; 3]) -> Draft {
    let place = |(x, y)| Placement {
        anchor: Point::new(x, y),
        facing: Bearing::wrapping(9_000),
        formation: Formation::SingleLine,
        gap: None,
    };
    let deployment = world.iter().zip(DEEP).map(|(unit, at)| (UnitId::new(*unit), place(at))).collect();
    Draft { deployment, ..Draft::default() }
}

/// His orders of a turn: words that name no place, the same in both worlds.
fn his_orders() -> Draft {
    let task = FormTask::Formation { formation: Formation::MarchColumn, facing: None, pivot: None, gap: None };
    let orders = [("al05", Order::Form { task }), ("al03", Order::FirstFire {}), ("nc01", Order::FirstFire {})];
    let said = |order| UnitDraft { order: Some(order), ..UnitDraft::default() };
    Draft { units: orders.map(|(unit, order)| (UnitId::new(unit), said(order))).into(), ..Draft::default() }
}

/// What she may ask of enemies by their names, in sight and out of it, and of nobody.
async fn ask_about(union: &mut Player, at: StageAt, own: &UnitId, enemy: &str) {
    let request = || "about".to_owned();
    let enemy = UnitId::new(enemy);
    let charge = Order::Charge { target: Some(enemy.clone()), bearing: None, objective: None, support_of: None };
    for message in [
        ClientMessage::Odds { request: request(), at, firer: own.clone(), target: enemy.clone(), fire: None },
        ClientMessage::Odds { request: request(), at, firer: enemy.clone(), target: own.clone(), fire: None },
        ClientMessage::Standing { request: request(), at, unit: enemy.clone() },
        ClientMessage::Preview { request: request(), at, unit: enemy.clone(), order: Order::Hold { task: None } },
        ClientMessage::Preview { request: request(), at, unit: own.clone(), order: charge.clone() },
        ClientMessage::Check { request: request(), at, draft: told(own, charge) },
    ] {
        union.say(&message).await;
        let _refused_or_not = union.answer("about").await;
    }
}

/// One world as the Union, a spectator and the umpire through the Union's eyes hear it; with it where his three regiments are.
async fn heard(world: [&str; 3], busy: bool) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut table = Watched::begin(&folder, placed_in_fog).await;
    let umpire = table.watch(WatcherRole::Umpire, &[]).await.expect("the link is good");
    let spectator = table.watcher(WatcherRole::Spectator).await;
    let mut watchers = [spectator, table.through(&umpire, seat(Side::Union)).await];
    let setup = placed(world);
    if busy {
        table.confederate.save(PLACING, setup.clone()).await.expect("he may draft");
        table.confederate.seal(PLACING, setup.clone()).await.expect("what he places is legal");
        table.confederate.unseal(PLACING).await.expect("he may take it back");
    }
    table.union.seal(PLACING, Draft::default()).await.expect("she may seal");
    open_setups_of(&table.server, &table.confederate, &setup, fogged_wilderness()).await;
    table.union.state_at(FIRST, GamePhase::Window).await;
    table.confederate.state_at(FIRST, GamePhase::Window).await;
    let own = table.union.last_state().a_unit_of(Side::Union);
    let mut at = FIRST;
    while at.turn <= 2 {
        let theirs = if at.stage == Stage::Orders { his_orders() } else { Draft::default() };
        if busy {
            table.confederate.save(at, theirs.clone()).await.expect("he may draft");
            table.confederate.seal(at, theirs.clone()).await.expect("he may seal");
            table.confederate.unseal(at).await.expect("he may take it back");
        }
        table.union.say(&ClientMessage::Needs { request: "needs".to_owned(), at }).await;
        table.union.answer("needs").await.expect("she may ask");
        if at.stage == Stage::Orders {
            for enemy in ["nc01", "al05", "al03", "la10", "nobody"] {
                ask_about(&mut table.union, at, &own, enemy).await;
            }
        }
        settle(&mut table.union).await;
        for watcher in &mut watchers {
            settle(watcher).await;
        }
        table.confederate.seal(at, theirs).await.expect("what he orders is legal in both worlds");
        table.union.seal(at, Draft::default()).await.expect("she may seal");
        table.union.state_at(after(at), GamePhase::Window).await;
        table.confederate.state_at(after(at), GamePhase::Window).await;
        for watcher in &mut watchers {
            watcher.state_at(after(at), GamePhase::Window).await;
        }
        table.union.say(&ClientMessage::Replay { request: "replay".to_owned(), at }).await;
        table.union.answer("replay").await.expect("she may look back");
        at = after(at);
    }
    let view = table.confederate.last_state().view;
    let his: Vec<String> = view
        .units
        .iter()
        .filter(|unit| ONE.contains(&unit.id.as_str()))
        .map(|unit| format!("{:?}", unit.stance))
        .collect();
    let seen = enemies(&table.union.last_state().view, Side::Union);
    assert!(
        !seen.is_empty() && ONE.iter().all(|unit| !seen.contains(&UnitId::new(*unit))),
        "the worlds part: {seen:?}"
    );
    let mut bytes = std::mem::take(&mut table.union.heard);
    bytes.extend(watchers.iter_mut().flat_map(|watcher| std::mem::take(&mut watcher.heard)));
    table.server.running.stop().await;
    // Of two states in a row a socket may tell the latest alone: when a window closes, and its stage is there.
    bytes.retain(|text| !text.contains(r#""phase":"resolving""#));
    (bytes, his.concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn los_06_two_worlds_in_the_fog_give_a_side_and_those_who_watch_the_same_bytes() {
    let (quiet, of_quiet) = heard(ONE, false).await;
    let (busy, of_busy) = heard(OTHER, true).await;
    assert!(100 < quiet.len(), "only {} messages were compared", quiet.len());
    must_be_the_same(&quiet, &busy);
    assert_ne!(of_quiet, of_busy, "the worlds were the same");
}
