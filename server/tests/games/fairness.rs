//! The dice and the outcome come from what was sealed, and from nothing that happened afterwards or by the way.

use std::collections::BTreeMap;

use protocol::ids::Side;
use protocol::message::{GamePhase, Receipt, StageAt};
use protocol::orders::{Draft, Order, Stage};
use rules::archive;
use rules::dice::{Dice, KeyedDice, Purpose, SealedOrders, TurnSeed};
use server::store::GameId;

use super::table::*;

/// First fire for all of a side.
fn all_fire(player: &Player, side: Side) -> Draft {
    let mut draft = Draft::default();
    for unit in player.last_state().view.units.iter().filter(|unit| unit.side == side && unit.stance.is_some()) {
        draft.units.extend(told(&unit.id, Order::FirstFire {}).units);
    }
    draft
}

/// Seals the legal part of a draft with a nonce of that byte.
async fn seal(player: &mut Player, at: StageAt, draft: Draft, nonce: u8) -> Receipt {
    player.seal_legal_with(at, draft, nonce).await.expect("the window is open")
}

/// What both seal in a turn's windows: fire with the orders, nothing afterwards. The receipts of the orders window.
pub(super) async fn play_turn(
    union: &mut Player,
    confederate: &mut Player,
    turn: u32,
    union_first: bool,
) -> [Receipt; 2] {
    let mut of_orders = None;
    for stage in Stage::ALL {
        let at = StageAt { stage, ..orders_of(turn) };
        let (ours, theirs) = match stage {
            Stage::Orders => (all_fire(union, Side::Union), all_fire(confederate, Side::Confederate)),
            _ => (Draft::default(), Draft::default()),
        };
        // Another nonce in every window: only that of the orders window may count.
        let nonce = 10 * turn as u8 + stage as u8;
        let (ours, theirs) = if union_first {
            let ours = seal(union, at, ours, nonce).await;
            (ours, seal(confederate, at, theirs, 100 + nonce).await)
        } else {
            let theirs = seal(confederate, at, theirs, 100 + nonce).await;
            (seal(union, at, ours, nonce).await, theirs)
        };
        let next = stage.next().map_or(orders_of(turn + 1), |stage| StageAt { stage, ..at });
        union.state_at(next, GamePhase::Window).await;
        confederate.state_at(next, GamePhase::Window).await;
        of_orders.get_or_insert([theirs, ours]);
    }
    of_orders.expect("a turn has windows")
}

/// Two servers of one seed, the same envelopes, in one order and the other: the same outcomes to the last byte.
#[tokio::test(flavor = "multi_thread")]
async fn the_order_in_which_seats_seal_changes_no_byte_of_the_outcome() {
    let mut chains = Vec::new();
    for union_first in [true, false] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let server = Server::start(&folder).await;
        let (mut union, mut confederate) = server.game_for_two(|asked| asked.windows = Some(Stage::ALL.to_vec())).await;
        play_turn(&mut union, &mut confederate, 1, union_first).await;
        let game: GameId = union.joined.game.parse().expect("an identifier");
        let outcomes = server.running.app.store.outcomes(game, 1, 0, 99).await.expect("the store answers");
        // The hash stands for key, battle and events, and for all outcomes before.
        chains.push(outcomes.iter().map(|outcome| outcome.hash.hex()).collect::<Vec<_>>());
        server.running.stop().await;
    }
    assert_eq!(chains[0].len(), 5);
    assert_eq!(chains[0], chains[1]);
}

/// docs/dice.md: the commitments that were shown, the receipts that the players hold and the seeds that come out at the
/// end give back every die of the game. A server that mixes in anything else, or drops a seat's part, is found out.
#[tokio::test(flavor = "multi_thread")]
async fn i20_every_die_comes_from_the_commitment_and_the_receipts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let (mut union, mut confederate) = server.game_for_two(|asked| asked.windows = Some(Stage::ALL.to_vec())).await;
    let id = union.joined.game.clone();
    let game: GameId = id.parse().expect("an identifier");
    let (mut committed, mut receipts) = (Vec::new(), Vec::new());
    for turn in 1..=2 {
        committed.push(union.state_at(orders_of(turn), GamePhase::Window).await.status.commitment);
        receipts.push(play_turn(&mut union, &mut confederate, turn, true).await);
    }
    let store = &server.running.app.store;
    assert!(store.revealed_seeds(game).await.is_err(), "the seeds are secret while the game is played");
    store.end_game(game, "{}".to_owned(), NOON).await.expect("it can be ended");
    let seeds = store.revealed_seeds(game).await.map_err(|error| error.code()).expect("the game is over");
    let mut dice = Vec::new();
    for (turn, (commitment, receipts)) in (1..).zip(committed.iter().zip(&receipts)) {
        let (_, _, seed) = seeds.iter().find(|(_, of, _)| *of == turn).expect("every turn has a seed");
        let seed = TurnSeed(*seed.expose());
        assert_eq!(seed.commitment(&id, turn), bytes(commitment), "the seed of turn {turn} is another");
        let sealed = receipts
            .each_ref()
            .map(|receipt| SealedOrders { nonce: bytes(&receipt.nonce), envelope_hash: bytes(&receipt.hash) });
        dice.push(KeyedDice::new(seed.turn_key(&id, turn, &sealed)));
    }
    // All faces of a throw's name, however many events show them.
    let mut faces: BTreeMap<(u32, u8, String, Vec<String>), Vec<u8>> = BTreeMap::new();
    for outcome in store.outcomes(game, 1, 1, 99).await.expect("the store answers") {
        for event in archive::restore_events(&outcome.events).expect("what was stored can be read") {
            for throw in event.explanation.dice {
                let name = (outcome.key.turn, event.phase, throw.purpose, throw.key);
                faces.entry(name).or_default().extend(throw.faces);
            }
        }
    }
    assert!(10 < faces.len(), "only {} throws were compared", faces.len());
    for ((turn, phase, purpose, key), mut shown) in faces {
        let dice = &dice[turn as usize - 1];
        let word = Purpose::from_word(&purpose).expect("a purpose of the catalogue");
        let parts: Vec<&str> = key.iter().map(String::as_str).collect();
        let mut thrown: Vec<u8> = (1..).take(shown.len()).map(|n| dice.die(phase, word, &parts, n)).collect();
        shown.sort_unstable();
        thrown.sort_unstable();
        assert_eq!(shown, thrown, "turn {turn}, phase {phase}: {purpose} {key:?}");
    }
    server.running.stop().await;
}

fn bytes(hex: &str) -> [u8; 32] {
    let digit = |at: usize| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).expect("hexadecimal digits");
    std::array::from_fn(digit)
}
