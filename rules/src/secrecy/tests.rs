//! Two worlds over battles of the shelf.

use std::sync::Arc;

use super::*;
use crate::battle::Theatre;
use crate::scenario::read;

fn theatre(text: &str) -> Arc<Theatre> {
    Theatre::new(Arc::new(read(text).expect("a battle of the shelf can be read")))
}

/// Battles with the seeds from 0 on, all of so many turns.
fn two_worlds_of(text: &str, battles: u32, turns: u32) {
    let theatre = theatre(text);
    let mut stages = 0;
    for seed in 0..battles {
        match two_worlds(&theatre, seed.into(), turns) {
            Ok(ran) => stages += ran.stages,
            Err(leak) => panic!("{leak}"),
        }
    }
    assert_eq!(stages, battles * turns * 4);
}

#[test]
fn hid_14_two_worlds_of_little_round_top_that_look_alike_to_a_side_give_it_the_same_bytes() {
    two_worlds_of(include_str!("../../../scenarios/little_round_top.toml"), 4, 4);
}

#[test]
fn hid_14_two_worlds_of_the_wilderness_that_look_alike_to_a_side_give_it_the_same_bytes() {
    two_worlds_of(include_str!("../../../scenarios/wilderness.toml"), 2, 2);
}

/// Two battles in the fog, of so many turns.
fn two_worlds_in_the_fog_of(text: &str, turns: u32) {
    let theatre = theatre(text);
    let (mut ran, mut parted) = (0, 0);
    for seed in 0..2 {
        match two_worlds_in_fog(&theatre, seed, turns) {
            Ok(Ran { stages, parted: times, .. }) => (ran, parted) = (ran + stages, parted + times),
            Err(leak) => panic!("{leak}"),
        }
    }
    assert_eq!(ran, 2 * turns * 4);
    assert!(0 < parted && parted < ran, "of {ran} stages {parted} brought somebody who differs in sight");
}

#[test]
fn los_06_two_worlds_of_little_round_top_in_the_fog_give_a_side_the_same_bytes() {
    two_worlds_in_the_fog_of(include_str!("../../../scenarios/little_round_top.toml"), 3);
}

#[test]
fn los_06_two_worlds_of_the_wilderness_in_the_fog_give_a_side_the_same_bytes() {
    two_worlds_in_the_fog_of(include_str!("../../../scenarios/wilderness.toml"), 2);
}

#[test]
fn hid_09_what_a_picket_hides_never_changes() {
    use std::collections::BTreeMap;

    use protocol::ids::{PicketNumber, Side, UnitId};
    use protocol::orders::Stage;

    use super::players::seat;
    use crate::battle::{Battle, known};
    use crate::dice::{KeyedDice, SealedOrders, TurnSeed};

    let theatre = theatre(include_str!("../../../scenarios/little_round_top.toml"));
    let rules = theatre.scenario.edition.rules();
    let mut chance = Chance::new(9);
    let mut battle = setting::begin(&theatre, rules, &mut chance);
    let hidden = |battle: &Battle| -> BTreeMap<PicketNumber, Vec<UnitId>> {
        let of = |side: Side| battle.secrets.get(side).open().pickets.clone();
        let all = Side::BOTH.into_iter().flat_map(of);
        all.map(|(number, under)| (number, under.units.into_iter().map(|unit| unit.id).collect())).collect()
    };
    let at_first = hidden(&battle);
    assert!(5 < at_first.len(), "{at_first:?}");
    for stage in Stage::ALL.into_iter().chain(Stage::ALL) {
        let sealed = Side::BOTH.map(|side| {
            let (known, seat) = (known(&battle, side), seat(side));
            let draft = random_draft(&known, &seat, stage, &mut chance);
            let legal = crate::orders::legal_part(&known, rules, &seat, stage, &draft).0;
            (seat, legal)
        });
        let absent = [SealedOrders::ABSENT, SealedOrders::ABSENT];
        let dice = KeyedDice::new(TurnSeed([9; 32]).turn_key("hid_09", battle.table.turn, &absent));
        battle = crate::stage::resolve(rules, stage, battle, &sealed.into_iter().collect(), &dice).battle;
        // A picket may be gone; no other thing ever stands under one that is left, and no new one comes.
        for (number, units) in hidden(&battle) {
            assert_eq!(at_first.get(&number), Some(&units), "{number:?}");
        }
    }
}
