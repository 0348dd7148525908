//! Whole battles of Little Round Top, played by random legal players: what must hold of every battle.

#[expect(unreachable_pub, dead_code, reason = "shared with the benchmark, each uses its part")]
mod random_play;

use protocol::ids::Side;
use protocol::orders::{Order, Stage};
use protocol::view::Viewer;
use random_play::{Chance, Table, play_to_the_end};
use rules::archive;
use rules::ruleset::Ruleset;
use rules::sight::sight_line;
use rules::stage::Outcome;
use rules::view::{events, view};

#[test]
fn a_battle_ends_after_its_last_turn() {
    for seed in 0..2 {
        let table = Table::little_round_top();
        let end = play_to_the_end(&table, seed, |_, _| {});
        assert!(end.table.ended.is_some(), "seed {seed}");
        assert!(end.table.turn <= 10, "seed {seed} stands at turn {}", end.table.turn);
    }
}

#[test]
fn the_same_inputs_give_the_same_battle() {
    let table = Table::little_round_top();
    let one = play_to_the_end(&table, 7, |_, _| {});
    let other = play_to_the_end(&table, 7, |_, _| {});
    assert!(archive::store(&one) == archive::store(&other), "two runs of seed 7 differ");
    let different = play_to_the_end(&table, 8, |_, _| {});
    assert!(archive::store(&one) != archive::store(&different), "seeds 7 and 8 give one battle");
}

#[test]
fn a_battle_survives_the_store_at_every_stage() {
    let table = Table::little_round_top();
    play_to_the_end(&table, 3, |battle, _| {
        let bytes = archive::store(battle);
        let back = archive::restore(&bytes, table.theatre.clone()).expect("what was stored can be read");
        assert!(back == *battle, "turn {} came back changed", battle.table.turn);
    });
}

/// What the table keeps of its units and of lines of sight is what would be found anew, at every stage of a battle.
#[test]
fn what_the_table_keeps_is_what_would_be_found_anew() {
    let table = Table::little_round_top();
    play_to_the_end(&table, 5, |battle, _| {
        let units: Vec<_> = battle.table.units().collect();
        let fresh = table.theatre.map.now(&battle.table.changes);
        for (ix, unit) in &units {
            assert_eq!(*battle.table.layout(*ix), unit.layout(), "{} in turn {}", unit.id, battle.table.turn);
            for (other, _) in units.iter().step_by(5) {
                let ends = [*ix, *other].map(|ix| battle.table.layout(ix).stands[0].rect.center);
                let kept = sight_line(&battle.table.ground(), ends[0], ends[1]);
                assert_eq!(kept, sight_line(&fresh, ends[0], ends[1]), "turn {}", battle.table.turn);
            }
        }
    });
}

/// Promise 1, REV-02: two worlds that differ in what the enemy sealed and the reveal does not show. The bytes that the
/// Union is sent, view and log, stay equal: paths beyond the first leg, pushes and standing instructions are secret.
#[test]
fn sealed_is_sealed_beyond_what_the_reveal_shows() {
    let table = Table::little_round_top();
    let union = Viewer::Seat { side: Side::Union, seat: table.seat(Side::Union) };
    let enemy = table.seat(Side::Confederate);
    let mut differing = 0;
    for seed in 0..12 {
        let start = table.start();
        let mut envelopes = table.random_envelopes(&start, Stage::Orders, &mut Chance::new(seed));
        let plain = table.resolve(Stage::Orders, start.clone(), &envelopes, seed);
        let mut changed = envelopes[&enemy].clone();
        for said in changed.units.values_mut() {
            said.instructions.rally = Some(false);
            said.instructions.fire = Some(false);
            if let Some(Order::Move(march)) = &mut said.order {
                march.path.truncate(1);
                march.push = false;
            }
        }
        differing += usize::from(changed != envelopes[&enemy]);
        envelopes.insert(enemy.clone(), changed);
        let other = table.resolve(Stage::Orders, start, &envelopes, seed);
        assert_eq!(shown(&plain, &union), shown(&other, &union), "seed {seed}");
        let theirs = Viewer::Seat { side: Side::Confederate, seat: enemy.clone() };
        assert_ne!(shown(&plain, &theirs), shown(&other, &theirs), "seed {seed}: the two worlds are one");
    }
    assert_eq!(differing, 12);
}

/// All that a viewer is sent after a stage: the view and the log.
fn shown(outcome: &Outcome, viewer: &Viewer) -> String {
    let shown = view(Ruleset::standard(), &outcome.battle, Stage::Reactions, viewer);
    serde_json::to_string(&(shown, events(&outcome.events, viewer))).expect("plain data")
}
