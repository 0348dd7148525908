//! Two worlds of a game with pickets: the same markers at the same places, and other things under those of the enemy. HID-14
//!
//! Everything is played over sockets and REST but one step: the dice of the setup, which give out the numbers, follow from what was
//! sealed, so that two setups would have other numbers. Here both worlds open their setups with the same dice, and the server goes on
//! from what came of it as from any other outcome.

use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::ids::{PicketNumber, Side, UnitId};
use protocol::message::rest::CreateGame;
use protocol::message::{GamePhase, StageAt};
use protocol::orders::{Draft, Hides, Hiding, Stage};
use protocol::place::{Bearing, Point};
use protocol::words::Formation;
use rules::battle::Theatre;
use rules::dice::{KeyedDice, TurnSeed};
use rules::scenario::Scenario;
use rules::setup::{self, Seating};
use rules::stage::Envelopes;
use rules::{archive, scenario, stage};
use server::games::{ENGINE_VERSION, News, Seated};
use server::store::{
    CommandId, GameId, Hash, NewOutcome, NewSeed, NewWindow, Next, Resolution, Seal, Seed, StageKey, StoredBytes,
};

use super::deployment::PLACING;
use super::table::*;

/// Where the enemy's markers stand in both worlds, deep in the woods, from west to east, thousandths of an inch.
pub(crate) const PLACES: [(i32, i32); 6] =
    [(12_000, 24_000), (12_100, 12_130), (13_300, 10_000), (13_300, 14_500), (13_500, 28_500), (15_070, 33_000)];

/// What stands under each of them: the same regiments in both worlds, under other markers. A blank is a dummy.
pub(crate) type Contents = [&'static str; 6];
pub(crate) const ONE: Contents = ["", "al05", "", "al03", "", "la10"];
pub(crate) const OTHER: Contents = ["", "", "al05", "la10", "al03", ""];

/// The Wilderness with all windows.
pub(crate) fn wilderness(asked: &mut CreateGame) {
    asked.scenario = "wilderness".to_owned();
    asked.windows = Some(Stage::ALL.to_vec());
}

/// A marker, and what it hides: a regiment in single line, or nothing.
pub(crate) fn hiding((x, y): (i32, i32), unit: &str, facing: i32) -> Hiding {
    let hides = match unit {
        "" => Hides::Dummy {},
        unit => Hides::Unit { unit: UnitId::new(unit), formation: Formation::SingleLine, gap: None },
    };
    Hiding { at: Point::new(x, y), facing: Bearing::wrapping(facing), hides, leaders: Vec::new(), path: Vec::new() }
}

/// The enemy's setup in a world.
pub(crate) fn his_setup(contents: Contents) -> Draft {
    let hiding = PLACES.into_iter().zip(contents).map(|(at, unit)| hiding(at, unit, 9_000)).collect();
    Draft { hiding, ..Draft::default() }
}

/// The viewer's own: a regiment and a dummy.
pub(crate) fn her_setup() -> Draft {
    let hiding = vec![hiding((33_000, 6_000), "pa83", 27_000), hiding((33_000, 9_000), "", 27_000)];
    Draft { hiding, ..Draft::default() }
}

/// The Wilderness as its file has it.
pub(crate) fn printed_wilderness() -> Scenario {
    scenario::read(include_str!("../../../scenarios/wilderness.toml")).expect("the scenario can be read")
}

/// Seals the enemy's setup, and opens both sides' with the dice of the test; everybody hears of it.
pub(crate) async fn open_setups(server: &Server, confederate: &Player, setup: &Draft) {
    open_setups_of(server, confederate, setup, printed_wilderness()).await;
}

/// The same for a scenario as the game plays it.
pub(crate) async fn open_setups_of(server: &Server, confederate: &Player, setup: &Draft, played: Scenario) {
    let store = &server.running.app.store;
    let game: GameId = confederate.joined.game.parse().expect("an identifier");
    let key = StageKey::new(game, PLACING.line, PLACING.turn, 1);
    let seal = Seal {
        key,
        seat: confederate.seat(),
        body: StoredBytes::from_store(serde_json::to_vec(setup).expect("a draft is JSON")),
        nonce: Seed::new([1; 32]),
        salt: Seed::new([2; 32]),
        hash: Hash([3; 32]),
        command: CommandId::new("setup").expect("an identifier"),
        request: Hash([4; 32]),
        answer: StoredBytes::from_store(b"{}".to_vec()),
        now: NOON,
    };
    assert_eq!(store.seal(seal).await.map(|sealed| sealed.closed), Ok(true), "the last seal closes the window");
    let inputs = store.inputs(key).await.expect("the window is closed");
    let envelopes: Envelopes = inputs
        .envelopes
        .iter()
        .map(|it| (it.seat.clone(), serde_json::from_slice(it.body.as_bytes()).expect("a draft")))
        .collect();
    let theatre = Theatre::new(Arc::new(played));
    let mustered = archive::restore(&inputs.before.battle, theatre).expect("the battle can be read");
    let dice = KeyedDice::for_setup(&TurnSeed([5; 32]), &game.to_string());
    let rules = mustered.table.rules();
    let battle = setup::deploy(rules, &mustered, &Seating::one_each(), &BTreeSet::new(), &envelopes, &dice);
    let opened = stage::open(rules, battle, &dice);
    let seed = [9; 32];
    let commitment = Hash(TurnSeed(seed).commitment(&game.to_string(), 1));
    let resolution = Resolution {
        at: key,
        previous: inputs.before.hash,
        outcomes: vec![NewOutcome {
            stage: 1,
            battle: archive::store(&opened.battle),
            events: archive::store_events(&opened.events),
        }],
        engine_version: ENGINE_VERSION.to_owned(),
        next: Next::Window(NewWindow {
            turn: 1,
            stage: 1,
            deadline: None,
            seed: Some(NewSeed { seed: Seed::new(seed), commitment }),
        }),
        now: NOON,
    };
    store.record(resolution).await.expect("nobody else has resolved it");
    let seated = Seated { game, seat: confederate.seat(), side: Side::Confederate };
    server.running.app.games.announce(&seated, News::Game);
}

/// A game at the orders of turn 1, in a world.
pub(crate) async fn begun(server: &Server, contents: Contents) -> (Player, Player) {
    let (mut union, mut confederate) = server.game_for_two(wilderness).await;
    union.state_at(PLACING, GamePhase::Window).await;
    union.seal(PLACING, her_setup()).await.expect("she may seal");
    open_setups(server, &confederate, &his_setup(contents)).await;
    for player in [&mut union, &mut confederate] {
        player.state_at(FIRST, GamePhase::Window).await;
    }
    (union, confederate)
}

/// The numbers of a side's markers, by where they stand: the places that the test chose.
pub(crate) fn numbers(state: &State, side: Side) -> Vec<PicketNumber> {
    let mut seen: Vec<_> = state.view.pickets.iter().filter(|picket| picket.side == side).collect();
    seen.sort_by_key(|picket| (picket.at.x, picket.at.y));
    seen.into_iter().map(|picket| picket.number).collect()
}

/// The window after one of a turn.
pub(crate) fn after(at: StageAt) -> StageAt {
    at.stage.next().map_or(orders_of(at.turn + 1), |stage| StageAt { stage, ..at })
}
