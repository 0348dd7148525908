//! ALG-MELEE, MEL-01 to MEL-22: a melee from its beginning to its end.

use protocol::event::{Morale, OrderShown};
use protocol::words::Formation;

use super::*;
use crate::charge::clash::melee;
use crate::testing::{battery, cavalry, table};

/// Goes straight to melee, with given dice.
fn fought(table: Table, clash: &Clash, dice: &str) -> Played {
    play_by(ordered(table), clash, dice, |play, clash| melee::fight(play, clash, &mut Engaged::default()))
}

fn melee_of(units: Vec<Maker>, of_a: &[&str], of_d: &[&str], dice: &str) -> Played {
    let table = table(open_ground(), units);
    let clash = charge(&table, of_a, of_d);
    fought(table, &clash, dice)
}

fn winner(played: &Played) -> Option<Option<Side>> {
    played.facts().find_map(|fact| match fact {
        Fact::MeleeEnded { winner, .. } => Some(*winner),
        _ => None,
    })
}

/// The test vector of ALG-MELEE: 16 and a support of 12 against 12.
fn vector(dice: &str) -> Played {
    let support = seasoned(infantry("s", Side::Union).figures(12).at(30_000, 29_000));
    melee_of(vec![a(), d().figures(12), support], &["s"], &[], dice)
}

#[test]
fn mel_10_the_test_vector_counts_22_and_12_then_28_less_losses() {
    // Round 1: 12 on the row of twenty is 3, doubled 6: two stands, with checks on 6 and 9. 8 on the row of twelve is 1*, confirmed,
    // doubled 2. Round 2: 28 - 2 = 26 and 6; 16 on the row of twenty-four is 7, more than are left.
    let dice = "melee a: 3 3 3 3 4 4 4 4\nmelee d: 2 2 2 2 1 1 1 1\nfire.confirm d a: 4\nmorale.stand_lost d: 6 5 6 5";
    let played = vector(dice);
    assert_eq!(played.rounds(), [(22, 12), (26, 6)]);
    assert_eq!(played.checks(), ["d stand lost: 11 on 6, good", "d stand lost: 11 on 9, good"]);
    assert_eq!(winner(&played), Some(Some(Side::Union)));
    assert_eq!((played.unit("a").figures(), played.unit("s").figures()), (14, 12));
    let first = "Melee, round 1: a with 22 figures throws 12 with modifiers, and d loses 6; \
                 d with 12 figures throws 8 with modifiers, and a loses 2.";
    assert!(played.tells(first));
}

#[test]
fn tac_24_the_stand_of_a_screen_fights_as_part_of_its_regiment() {
    // The screen has been drawn in, and all sixteen figures count. 24 thrown by sixteen on either side: 12 and more, doubled.
    let screened = d().formation(Formation::LineWithSkirmishers).with(|unit| unit.footing.screen_back = true);
    let played = melee_of(vec![a(), screened], &[], &[], "melee a: 6 6 6 6\nmelee d: 6 6 6 6");
    assert_eq!(played.rounds(), [(16, 16)]);
    assert!(!played.unit("d").on_table(), "the screen shares its fate");
}

#[test]
fn mel_09_and_mel_20_fought_to_a_finish_and_then_nobody_moves_or_fires() {
    let dice = "melee a: 3 3 3 3 4 4 4 4\nmelee d: 2 2 2 2 1 1 1 1\nfire.confirm d a: 1\nmorale.stand_lost d: 6 5 6 5";
    let played = vector(dice);
    assert_eq!(played.ending, Ending::Fought);
    assert!(!played.unit("d").on_table());
    for unit in ["a", "s"].map(|unit| played.unit(unit)) {
        assert!(unit.marks.in_melee && unit.marks.order_spent && unit.footing.disorder, "a second round was fought");
        assert!(crate::fire::may_fire(unit, &CHARGE, crate::fire::Occasion::Moving).is_err());
    }
    assert_eq!(played.at("a"), (30_000, 30_000), "it stays at the place of contact");
    // After one round the front unit keeps its formation; the support is in disorder.
    let played = vector("melee a: 6 6 6 6\nmelee d: 1 1 1 1");
    assert_eq!((played.unit("a").footing.disorder, played.unit("s").footing.disorder), (false, true));
}

#[test]
fn mel_03_both_strike_at_once_and_nobody_may_be_left() {
    // 24 thrown: 12 figures kill 9, doubled 18.
    let twelve = |maker: Maker| maker.figures(12);
    let played = melee_of(vec![twelve(a()), twelve(d())], &[], &[], "melee a: 6 6 6 6\nmelee d: 6 6 6 6");
    assert!(!played.unit("a").on_table() && !played.unit("d").on_table());
    assert_eq!(winner(&played), Some(None));
}

#[test]
fn mel_05_and_rout_13_and_mel_13_who_fails_twice_in_a_round_surrenders() {
    // 16 thrown: 5, doubled 10: two stands. 3 on 6: shaken. 5 on 3 + 2 + 6 = 11: routed, which is surrender.
    let dice = "melee a: 4 4 4 4\nmelee d: 1 1 1 1\nmorale.stand_lost d: 1 2 2 3";
    let played = melee_of(vec![a(), d()], &[], &[], dice);
    assert_eq!(played.checks(), ["d stand lost: 3 on 6, shaken", "d stand lost: 5 on 11, routed"]);
    assert!(!played.unit("d").on_table() && played.tells("d surrenders"));
    assert_eq!(played.rounds().len(), 1);
}

#[test]
fn mel_06_and_shk_17_who_shakes_fights_on_with_a_die_less() {
    // 9 thrown: 2, doubled 4: one stand, and 3 on 6 shakes it. Round 2: it throws three dice, and falls to 24.
    let dice = "melee a: 3 2 2 2 6 6 6 6\nmelee d: 1 1 1 1 1 1 1\nmorale.stand_lost d: 1 2";
    let played = melee_of(vec![a(), d()], &[], &[], dice);
    assert_eq!(played.rounds(), [(16, 16), (16, 12)]);
    assert_eq!(played.checks(), ["d stand lost: 3 on 6, shaken"]);
    assert!(played.facts().all(|fact| !matches!(fact, Fact::FellBack { .. })));
}

#[test]
fn mel_12_the_surplus_passes_on_and_the_nearest_support_comes_to_the_front() {
    // 24 thrown by 12: 9, doubled 18. The front unit of 16 falls whole, and 2 of the nearer support; the farther is untouched.
    let near = seasoned(infantry("s", Side::Confederate).at(33_500, 30_000).facing(18_000));
    let far = seasoned(infantry("t", Side::Confederate).at(26_000, 30_000).facing(18_000));
    let units = || vec![a().figures(12), d(), near.clone(), far.clone()];
    // Round 1: d counts 16 + 8 + 8 and throws 4: 1 on the row of thirty-two, doubled 2. Round 2: 14 and 16 throw 24, which is more than
    // the ten that are left.
    let dice = "melee a: 6 6 6 6 1 1 1 1\nmelee d: 1 1 1 1\nmelee s: 6 6 6 6\nmorale.saw_loss s d: 6 5\nmorale.saw_loss t d: 6 5";
    let table = table(open_ground(), units());
    let clash = charge(&table, &[], &["s", "t"]);
    let played = play_by(ordered(table), &clash, dice, |play, clash| {
        let mut engaged = Engaged::default();
        let ending = melee::fight(play, clash, &mut engaged);
        crate::morale::look_back(play, &engaged.put_off, &crate::morale::InCharge::default());
        ending
    });
    assert_eq!(played.rounds(), [(12, 32), (10, 30)]);
    assert_eq!((played.unit("s").figures(), played.unit("t").figures()), (14, 16));
    assert_eq!(winner(&played), Some(Some(Side::Confederate)));
}

#[test]
fn mel_12_the_surplus_is_doubled_by_the_arm_of_whom_it_strikes() {
    // 5 hits on infantry are 10; 2 figures stood in front, and 8 of ten pass on to horse as 4.
    let horse = seasoned(cavalry("s", Side::Confederate).at(35_000, 30_000).facing(18_000));
    let two = d().figures(8).with(|unit| unit.stands.iter_mut().for_each(|stand| stand.figures = 0)).stands_left(1);
    let two = two.with(|unit| unit.stands[0].figures = 2);
    let dice = "melee a: 4 4 4 4 6 6 6 6\nmelee d: 1 1 1 1\nmelee s: 1 1 1 1\nmorale.stand_lost s: 6 5";
    let played = melee_of(vec![a(), two, horse], &[], &["s"], dice);
    // Round 1: 2 and 12/2 are 8. Round 2: 12 - 4 = 8.
    assert_eq!(played.rounds(), [(16, 8), (16, 8)]);
}

#[test]
fn mel_13_and_mor_45_checks_come_between_rounds_with_basic_modifiers_alone() {
    let held = |unit: &mut Unit| {
        unit.marks.conditional_hold = true;
        unit.footing.disorder = true;
    };
    // Behind a wall -1, and neither disorder, flank, forming nor Conditional Hold: 3 + 3 - 1 = 5. The attacker has elan and has left
    // its cover: 3 + 3 - 1 = 5.
    let table = table(line(ObstacleKind::StoneWall, 30_000, true, open_ground()), [a(), d().with(held)]);
    let clash = Clash { aspect: FlankClass::Full, ..charge(&table, &[], &[]) };
    // 9 thrown: 2, doubled 4, on both sides.
    let dice = "melee a: 3 2 2 2 6 6 6 6\nmelee d: 3 2 2 2 1 1 1 1\nmorale.stand_lost a: 3 3\nmorale.stand_lost d: 3 3";
    let played = fought(table, &clash, dice);
    assert_eq!(played.checks(), ["a stand lost: 6 on 5, good", "d stand lost: 6 on 5, good"]);
    assert_eq!(played.rounds(), [(16, 16), (12, 12)]);
}

#[test]
fn mel_13_and_mor_45_a_unit_checks_though_the_front_that_it_fought_has_fallen() {
    // 24 by sixteen: 12, doubled 24: d falls whole. It struck in the same moment: 9 by twelve is 1, doubled 2, and has taken the second
    // of two stands: 3 + 9 - 1 = 11.
    let two = a().with(|unit| {
        unit.stands.truncate(2);
        unit.stands[0].figures = 14;
        unit.stands[1].figures = 2;
        unit.stands[1].loss_rank = 0;
    });
    let dice = "melee a: 6 6 6 6\nmelee d: 3 2 2 2\nmorale.stand_lost a: 6 6";
    let played = melee_of(vec![two, d().figures(12)], &[], &[], dice);
    assert_eq!(played.checks(), ["a stand lost: 12 on 11, good"]);
    assert!(!played.unit("d").on_table());
}

#[test]
fn mel_11_a_support_of_guns_and_a_count_of_nothing() {
    // One section counts half a figure: nothing, and it throws nothing. 4 thrown by 16: MC, which has no effect.
    let guns =
        battery("d", Side::Confederate).at(30_000, 30_000).facing(18_000).with(|unit| unit.stands[0].figures = 1);
    let dice = "melee a: 1 1 1 1 6 6 6 6";
    let played = melee_of(vec![a(), guns], &[], &[], dice);
    assert_eq!(played.rounds(), [(16, 0), (16, 0)]);
    assert!(!played.unit("d").on_table());
}

#[test]
fn mel_20_leaders_who_were_in_it_are_marked_and_orders_are_void() {
    let mut table = table(
        open_ground(),
        [
            a(),
            d().figures(12).with(|unit| {
                unit.marks.shown = Some(OrderShown::Move { bearing: protocol::place::Bearing::NORTH, formation: None });
            }),
        ],
    );
    put(&mut table, officer("near", Side::Union, (30_000, 28_000), 1, &[]));
    put(&mut table, officer("far", Side::Union, (30_000, 20_000), 1, &[]));
    let clash = charge(&table, &[], &[]);
    let played = fought(table, &clash, "melee a: 6 6 6 6\nmelee d: 1 1 1 1");
    let marked: Vec<bool> = played.battle.table.leaders.values().map(|leader| leader.marks.in_melee).collect();
    assert_eq!(marked, [false, true], "far, near");
    assert!(played.facts().any(|fact| matches!(fact, Fact::OrderVoid { unit } if unit.as_str() == "d")));
}

#[test]
fn mel_22_after_ten_idle_rounds_the_smaller_side_gives_up() {
    // 4 thrown by sixteen and by twelve figures reads MC and nothing.
    let ones = |count: usize| vec!["1"; 4 * count].join(" ");
    let dice = format!("melee a: {}\nmelee d: {}", ones(10), ones(10));
    let played = melee_of(vec![a(), d().figures(12)], &[], &[], &dice);
    assert_eq!((played.rounds().len(), winner(&played)), (10, Some(Some(Side::Union))));
    assert!(played.tells("d surrenders"));
    // Level: the higher die wins.
    let dice = format!("{dice}\ntie.melee a: 2\ntie.melee d: 5");
    let played = melee_of(vec![a(), d()], &[], &[], &dice);
    assert_eq!(winner(&played), Some(Some(Side::Confederate)));
    // A loss begins the count anew: 8 thrown by twelve is 1*, confirmed in round 5.
    let dice = format!("melee a: {}\nmelee d: {} 2 2 2 2 {}\nfire.confirm d a: 4", ones(15), ones(4), ones(10));
    let played = melee_of(vec![a(), d().figures(12)], &[], &[], &dice);
    assert_eq!(played.rounds().len(), 15);
}

#[test]
fn mel_08_in_the_second_round_everybody_is_in_disorder_but_guns() {
    let guns = seasoned(battery("d", Side::Confederate).at(30_000, 30_000).facing(18_000));
    let column = a().formation(Formation::AttackColumn);
    // 32 figures throw 4 on the first round: 1 hit, on guns not doubled; the section lost is checked on 3 + 3.
    let dice = "melee a: 1 1 1 1 6 6 6 6\nmelee d: 1 1 1 1\nmorale.stand_lost d: 6 5";
    let played = melee_of(vec![column, guns], &[], &[], dice);
    assert_eq!(played.rounds(), [(32, 1), (16, 0)]);
    assert!(played.unit("a").footing.disorder && !played.unit("d").footing.disorder);
    assert_eq!(played.checks(), ["d stand lost: 11 on 6, good"]);
}

#[test]
fn mor_51_a_charger_that_shakes_in_a_melee_has_no_elan_any_more() {
    // Twice 4 lost: 4 on 5 shakes it; then 3 + 2 + 6 = 11, and no elan.
    let dice = "melee a: 1 1 1 1 1 1 1\nmelee d: 3 2 2 2 3 2 2 2\nmorale.stand_lost a: 1 3 1 1";
    let played = melee_of(vec![a(), d()], &[], &[], dice);
    assert_eq!(played.checks(), ["a stand lost: 4 on 5, shaken", "a stand lost: 2 on 11, routed"]);
    assert_eq!(played.unit("d").morale, Morale::Good);
}
