//! What the umpire may ask through a seat's eyes, and the order of battle that a late spectator is shown.

use std::sync::Arc;

use protocol::ids::{BrigadeId, Side, UnitId};
use protocol::message::{ClientMessage, GamePhase, StageAt, WatcherRole};
use protocol::orders::{Draft, Order, Stage};
use protocol::view::Viewer;
use rules::battle::Theatre;
use rules::dice::{KeyedDice, TurnSeed};
use rules::{archive, scenario, stage};
use server::games::{ENGINE_VERSION, News, Seated};
use server::store::{
    CommandId, GameId, Hash, NewOutcome, NewWindow, Next, Resolution, Seal, Seed, StageKey, StoredBytes,
};

use super::table::*;
use super::watching::{Watched, heard, seat, settle};
use super::worlds::after;

/// What is answered to questions about own units and enemies, and about one that nobody has.
async fn answered(player: &mut Player, units: &[UnitId]) -> Vec<String> {
    settle(player).await;
    let begun = player.heard.len();
    for unit in units {
        for target in units.iter().rev() {
            let (request, firer, target) = ("q".to_owned(), unit.clone(), target.clone());
            player.say(&ClientMessage::Odds { request, at: FIRST, firer, target, fire: None }).await;
            let _refused_or_not = player.answer("q").await;
        }
        let (request, unit) = ("q".to_owned(), unit.clone());
        player.say(&ClientMessage::Standing { request, at: FIRST, unit }).await;
        let _refused_or_not = player.answer("q").await;
    }
    // States come in between.
    player.heard[begun..].iter().filter(|text| text.contains(r#":"q""#)).cloned().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn through_a_seats_eyes_the_umpire_is_answered_what_the_seat_is_but_not_of_its_draft() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut table = Watched::begin(&folder, |_| {}).await;
    let umpire = table.watch(WatcherRole::Umpire, &[]).await.expect("the link is good");
    let mut tickets = Vec::new();
    for side in [Side::Union, Side::Confederate] {
        tickets.push(table.eyes(&umpire.token, &seat(side)).await.expect("the umpire may"));
    }
    let state = table.union.last_state();
    let (own, enemy) = (state.a_unit_of(Side::Union), state.a_unit_of(Side::Confederate));
    let units = [own.clone(), enemy, UnitId::new("nobody")];
    for player in [&mut table.union, &mut table.confederate] {
        let seat_told = answered(player, &units).await;
        let mut eyes = sit_by(table.server.address(), tickets.remove(0), &umpire, None).await;
        let umpire_told = answered(&mut eyes, &units).await;
        must_be_the_same(&seat_told, &umpire_told);
        assert!(12 <= umpire_told.len(), "only {} answers were compared", umpire_told.len());
        for kind in [r#""type":"odds""#, r#""type":"standing""#, r#""code":"not_yours""#, r#""code":"bad_message""#] {
            assert!(umpire_told.iter().any(|text| text.contains(kind)), "{kind}");
        }
    }
    // A draft changes what its seat is told, and nothing for the umpire until it is sealed.
    let mut eyes = table.through(&umpire, seat(Side::Union)).await;
    let before = answered(&mut eyes, &units).await;
    let secret = told(&own, Order::FirstFire {});
    table.union.save(FIRST, secret.clone()).await.expect("she may draft");
    let hers = answered(&mut table.union, &units).await;
    assert_ne!(hers, before, "the draft counts for her");
    must_be_the_same(&before, &answered(&mut eyes, &units).await);
    table.union.seal(FIRST, secret).await.expect("she may seal");
    must_be_the_same(&answered(&mut table.union, &units).await, &answered(&mut eyes, &units).await);
    table.server.running.stop().await;
}

/// Closes the orders window of turn 1, and has it come out that a brigade lost its commander: what came of it is recorded by hand, the
/// server goes on from there.
async fn lose_a_commander(table: &mut Watched) -> BrigadeId {
    table.union.seal(FIRST, Draft::default()).await.expect("the window is open");
    let (store, confederate) = (&table.server.running.app.store, &table.confederate);
    let game: GameId = table.created.game.parse().expect("an identifier");
    let key = StageKey::new(game, 1, 1, 1);
    let seal = Seal {
        key,
        seat: confederate.seat(),
        body: StoredBytes::from_store(serde_json::to_vec(&Draft::default()).expect("a draft is JSON")),
        nonce: Seed::new([1; 32]),
        salt: Seed::new([2; 32]),
        hash: Hash([3; 32]),
        command: CommandId::new("by-hand").expect("an identifier"),
        request: Hash([4; 32]),
        answer: StoredBytes::from_store(b"{}".to_vec()),
        now: NOON,
    };
    assert_eq!(store.seal(seal).await.map(|sealed| sealed.closed), Ok(true), "the last seal closes the window");
    let inputs = store.inputs(key).await.expect("the window is closed");
    let text = include_str!("../../../scenarios/little_round_top.toml");
    let theatre = Theatre::new(Arc::new(scenario::read(text).expect("the scenario can be read")));
    let before = archive::restore(&inputs.before.battle, theatre).expect("the battle can be read");
    let envelopes = ["union", "confederate"].map(|seat| (seat.into(), Draft::default())).into();
    let dice = KeyedDice::for_setup(&TurnSeed([5; 32]), &game.to_string());
    let mut outcome = stage::resolve(before.table.rules(), Stage::Orders, before.clone(), &envelopes, &dice);
    let led = outcome.battle.table.brigades.values_mut().find(|brigade| brigade.commander.is_some());
    let led = led.expect("a brigade has a commander");
    led.commander = None;
    let lost = led.id.clone();
    let resolution = Resolution {
        at: key,
        previous: inputs.before.hash,
        outcomes: vec![NewOutcome {
            stage: 1,
            battle: archive::store(&outcome.battle),
            events: archive::store_events(&outcome.events),
        }],
        engine_version: ENGINE_VERSION.to_owned(),
        next: Next::Window(NewWindow { turn: 1, stage: 2, deadline: None, seed: None }),
        now: NOON,
    };
    store.record(resolution).await.expect("nobody else has resolved it");
    let seated = Seated { game, seat: confederate.seat(), side: Side::Confederate };
    table.server.running.app.games.announce(&seated, News::Game);
    let next = StageAt { stage: Stage::Reactions, ..FIRST };
    table.union.state_at(next, GamePhase::Window).await;
    table.confederate.state_at(next, GamePhase::Window).await;
    lost
}

/// Whether a brigade has a commander on the card of somebody who has just come.
fn is_led(player: &Player, brigade: &BrigadeId) -> bool {
    let welcome = &heard(player, "welcome")[0];
    let brigades = welcome["card"]["brigades"].as_array().expect("a card has brigades");
    let found = brigades.iter().find(|other| other["id"] == brigade.as_str()).expect("it is on the card");
    !found["commander"].is_null()
}

#[tokio::test(flavor = "multi_thread")]
async fn leak_64_a_delayed_spectator_is_shown_the_order_of_battle_of_then() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut table = Watched::begin(&folder, |asked| {
        asked.windows = Some(Stage::ALL.to_vec());
        asked.spectator_delay_turns = 1;
    })
    .await;
    let umpire = table.watch(WatcherRole::Umpire, &[]).await.expect("the link is good");
    let joined = table.watch(WatcherRole::Spectator, &[]).await.expect("the link is good");
    let first = table.server.sit(&joined).await.heard[0].clone();
    let lost = lose_a_commander(&mut table).await;
    // Who is not behind sees it at once; who is behind comes to the table as it was, byte by byte.
    assert!(!is_led(&table.server.sit(table.union.joined()).await, &lost));
    assert!(!is_led(&table.through(&umpire, Viewer::Public {}).await, &lost));
    let late = table.server.sit(&joined).await;
    assert!(is_led(&late, &lost), "he is shown the order of battle of now");
    assert_eq!(late.heard[0], first);
    // A turn later he is shown it too.
    let rest = [Stage::Reactions, Stage::Charges, Stage::Movement].map(|stage| StageAt { stage, ..FIRST });
    for at in rest.into_iter().chain([orders_of(2)]) {
        assert!(is_led(&table.server.sit(&joined).await, &lost), "{at:?}");
        for player in [&mut table.union, &mut table.confederate] {
            player.seal(at, Draft::default()).await.expect("the window is open");
        }
        for player in [&mut table.union, &mut table.confederate] {
            player.state_at(after(at), GamePhase::Window).await;
        }
    }
    assert!(!is_led(&table.server.sit(&joined).await, &lost), "of then is of a turn ago, not of ever");
    table.server.running.stop().await;
}
