//! Horse where it strikes: CAVC-14, CAVC-16, CAVC-17, CAVC-27, CAVC-35 to CAVC-38, CAVC-41 to CAVC-45, CAVC-49
//!
//! Base morale points: elite 2, veteran 3, green 4. A mounted line has -1, its elan is -1.

use protocol::event::{MeleeSide, Morale, OrderShown};
use protocol::words::{Formation, Quality};

use super::*;
use crate::dice::Purpose;
use crate::testing::{battery, cavalry, table};

/// A mounted line that touches the front of the Confederate [`foe`] with its own.
fn rider() -> Maker {
    seasoned(cavalry("a", Side::Union).at(30_000, 30_000))
}

fn foe() -> Maker {
    seasoned(cavalry("d", Side::Confederate).at(30_000, 30_000).facing(18_000))
}

fn beside(id: &str, side: Side, x: i32, facing: i32) -> Maker {
    seasoned(cavalry(id, side).at(x, 30_000).facing(facing))
}

/// The attacker throws high, the defender low, a recoil two fours, and everything else ones.
struct Loses;

impl Dice for Loses {
    fn die(&self, _phase: u8, purpose: Purpose, key: &[&str], _n: u32) -> u8 {
        match purpose {
            Purpose::Impact if key[0] == "a" => 6,
            Purpose::ImpactAttackerFallback => 4,
            _ => 1,
        }
    }
}

/// Both throw the same, and nobody is hit.
struct Level;

impl Dice for Level {
    fn die(&self, _phase: u8, purpose: Purpose, _key: &[&str], _n: u32) -> u8 {
        if purpose == Purpose::Impact { 3 } else { 1 }
    }
}

#[test]
fn cavc_27_each_mounted_support_takes_two_off_in_charge_and_countercharge() {
    let supports = [beside("s", Side::Union, 25_000, 0), beside("t", Side::Confederate, 35_000, 18_000)];
    let table = table(open_ground(), [rider(), foe()].into_iter().chain(supports));
    // 3 - 1 - 1, and 2 less for the support of either.
    assert_eq!(points(&table, &countercharge(&table, &[], &[])), (1, 1));
    assert_eq!(points(&table, &countercharge(&table, &["s"], &["t"])), (-1, -1));
}

#[test]
fn cavc_16_and_17_forming_and_conditional_hold_cost_a_countercharger_two_each() {
    let comes = |maker: Maker, forming: bool| {
        let table = table(open_ground(), [rider(), maker]);
        let mut clash = countercharge(&table, &[], &[]);
        clash.defender.forming = forming;
        points(&table, &clash).1
    };
    let held = || foe().with(|unit| unit.marks.conditional_hold = true);
    // Line -1, elan -1 and Conditional Hold +2; in disorder +3 in place of the line's -1.
    assert_eq!(comes(foe(), false), 1);
    assert_eq!(comes(held(), false), 3);
    assert_eq!(comes(foe().disordered(), true), 7);
    assert_eq!(comes(held().disordered(), false), 7);
}

#[test]
fn cavc_35_by_the_tables_the_line_and_the_level_count_in_full() {
    let sum = |quality, level: Option<u8>| {
        let mut table = table(open_ground(), [rider().quality(quality), foe()]);
        if let Some(level) = level {
            put(&mut table, officer("l", Side::Union, (30_000, 28_000), level, &["a"]));
        }
        points(&table, &charge(&table, &[], &[])).0
    };
    // 2 - 1 - 1 - 2, and 4 - 1 - 1.
    assert_eq!(sum(Quality::Elite, Some(2)), -2);
    assert_eq!(sum(Quality::Green, None), 2);
    // The printed sums, without the line and with a level 2 leader as -1, are arithmetic alone.
    let printed = |terms: &[i32]| {
        let mut sum = crate::explain::Reckoning::of("printed");
        terms.iter().for_each(|term| sum.add(crate::catalogue::CAVC_35, "term", *term));
        sum.total()
    };
    assert_eq!((printed(&[2, -1, -1]), printed(&[4, -1])), (0, 3));
}

#[test]
fn cavc_36_beaten_horse_goes_back_twice_the_dice_whichever_side_began() {
    let met = |a: Maker, d: Maker, dice: &str| {
        let table = table(open_ground(), [a, d]);
        let clash = countercharge(&table, &[], &[]);
        play(ordered(table), &clash, dice)
    };
    // The examples: veterans, 7: 14 inches and shaken. Twelve: 24 inches.
    let defeat = "impact a d: 1 1\nimpact d a: 6 6\n";
    let played = met(rider(), foe(), &format!("{defeat}impact.defender_result d: 3 4"));
    assert_eq!(played.ending, Ending::Broken);
    assert_eq!((played.at("d"), played.unit("d").morale), ((30_000, 44_000), Morale::Shaken));
    assert!(played.unit("d").footing.disorder && played.volley("a").is_none() && played.volley("d").is_none());
    let played = met(rider(), foe(), "impact a d: 6 6\nimpact d a: 1 1\nimpact.defender_result a: 3 4");
    assert_eq!(played.ending, Ending::Repelled);
    assert_eq!((played.at("a"), played.unit("a").morale), ((30_000, 16_000), Morale::Shaken));
    // Elite with an officer, 12: 10 is routed, 24 inches back. Its rear edge leads: 30 + 24 + 1.333.
    let mut table = table(open_ground(), [rider(), foe().quality(Quality::Elite)]);
    put(&mut table, officer("l", Side::Confederate, (30_000, 32_000), 1, &["d"]));
    let clash = countercharge(&table, &[], &[]);
    let played = play(ordered(table), &clash, &format!("{defeat}impact.defender_result d: 6 6"));
    assert_eq!(played.unit("d").morale, Morale::Routed);
    assert!((played.at("d").1 - 55_333).abs() <= 2, "{:?}", played.at("d"));
}

#[test]
fn cavc_37_equal_totals_are_fought_out_where_they_met() {
    // Nobody is ever hit; after ten rounds the eight figures give up before the twelve.
    let table = table(open_ground(), [rider(), foe().figures(8).with(|unit| unit.stand_width = 1_000)]);
    let clash = countercharge(&table, &[], &[]);
    let played = play_step(ordered(table), &clash, &Level, resolve);
    assert_eq!(played.ending, Ending::Fought);
    assert!(!played.unit("d").on_table());
    assert_eq!(played.at("a"), (30_000, 30_000));
}

#[test]
fn cavc_38_and_43_who_stood_and_won_fires_and_so_does_who_recoiled() {
    let table = table(open_ground(), [rider(), foe(), beside("s", Side::Union, 25_000, 0)]);
    let clash = charge(&table, &["s"], &[]);
    // It has no elan and no cover: 3 - 1.
    assert_eq!(points(&table, &clash).1, 2);
    let played = play_step(ordered(table), &clash, &Loses, resolve);
    assert_eq!(played.ending, Ending::Recoiled);
    // CAVC-42: two dice of four: eight inches, and the support goes with it.
    assert_eq!((played.at("a"), played.at("s")), ((30_000, 22_000), (25_000, 22_000)));
    // Beyond a carbine's reach, as long: base 3 - 1 on HOLD, 2 - 1 for who charged. Disordered horse that charges no longer +6,
    // a mounted line +2.
    assert_eq!((played.volley("d"), played.volley("a")), (Some((2, 6)), Some((1, 2))));
    assert_eq!(played.volley("s"), None);
    // Half of twelve figures fire mounted, a quarter in disorder.
    let row = |firer: &str| {
        let volley = played.events.iter().find(|event| match &event.fact {
            Fact::Volley { firers, .. } => firers[0].as_str() == firer,
            _ => false,
        });
        volley.map(|event| event.explanation.tables[0].row.clone()).expect("it fires")
    };
    assert!(row("d").starts_with("6 figures"), "{}", row("d"));
    assert!(row("a").starts_with("3 figures"), "{}", row("a"));
}

#[test]
fn cavc_42_horse_recoils_by_two_dice_where_foot_does_by_one() {
    let back = |maker: Maker| {
        let table = table(open_ground(), [maker, d()]);
        let clash = charge(&table, &[], &[]);
        30_000 - play_step(ordered(table), &clash, &Loses, resolve).at("a").1
    };
    assert_eq!((back(rider()), back(a())), (8_000, 4_000));
}

#[test]
fn cavc_41_the_worked_sums_of_horse_that_charges_infantry_behind_a_fence() {
    let attacker = rider().stands_left(3);
    let extended = d().formation(Formation::ExtendedLine);
    let units = [attacker, extended, beside("s", Side::Union, 20_000, 0)];
    let mut table = table(line(ObstacleKind::Fence, 30_000, true, open_ground()), units);
    put(&mut table, officer("l", Side::Union, (30_000, 28_000), 1, &["a"]));
    let clash = charge(&table, &["s"], &[]);
    // 3, a stand lost +3, line -1, support -2, leader -1, elan -1; and 3, fence -1, extended line +1.
    assert_eq!(points(&table, &clash), (1, 3));
}

#[test]
fn cavc_45_melee_of_horse_and_infantry() {
    let extended = d().formation(Formation::ExtendedLine);
    let mut table = table(open_ground(), [rider(), extended, beside("s", Side::Union, 25_000, 0)]);
    put(&mut table, officer("l", Side::Union, (30_000, 28_600), 1, &["a"]));
    let clash = charge(&table, &["s"], &[]);
    // The horse throws 8, with pistols +1 and the officer +1: 10 by eighteen figures is 2, doubled. The infantry throws 16: 5 on
    // the row of sixteen, not doubled.
    struct Thrown;
    impl Dice for Thrown {
        fn die(&self, _phase: u8, purpose: Purpose, key: &[&str], _n: u32) -> u8 {
            match (purpose, key[0]) {
                (Purpose::Impact, _) => 3,
                (Purpose::Melee, "a" | "s") => 2,
                (Purpose::Melee, _) => 4,
                _ => 6,
            }
        }
    }
    let played = play_step(ordered(table), &clash, &Thrown, |play, clash| {
        super::super::melee::fight(play, clash, &mut Engaged::default())
    });
    let first = played.events.iter().find_map(|event| match &event.fact {
        Fact::MeleeRound { round: 1, attacker, defender } => Some((attacker, defender, &event.explanation)),
        _ => None,
    });
    let (attacker, defender, told) = first.expect("they fight");
    // Line 1X: 12 and half of the twelve of the support.
    assert_eq!((attacker.figures, defender.figures), (18, 16));
    assert_eq!((told.sums[0].total, told.sums[1].total), (2, 0));
    assert_eq!(
        told.dice.iter().filter(|dice| dice.purpose == "melee").map(|dice| dice.faces.len()).collect::<Vec<_>>(),
        [4, 4]
    );
    assert_eq!((attacker.kills, defender.kills), (4, 5));
}

#[test]
fn cavc_14_who_is_caught_checks_with_nine_and_turns_to_fight_in_disorder() {
    let fleeing = foe().with(|unit| {
        unit.marks.shown = Some(OrderShown::Disengage {});
        unit.footing.disorder = true;
    });
    let table = table(open_ground(), [rider(), fleeing]);
    let clash = charge(&table, &[], &[]);
    // 12 thrown, the rear +2 and pistols +1: 15 by twelve is 3, a stand. Its check: 3, stand +3, charged on the rear +9; a natural 12
    // passes. It replies with nine, and a second round is fought without the +2.
    let dice = "melee a: 3 3 3 3 6 6 6 6\nmelee d: 1 1 1 1 1 1 1 1\nmorale.stand_lost d: 6 6";
    let played = play(ordered(table), &clash, dice);
    assert_eq!(played.checks(), ["d stand lost: 12 on 15, good"]);
    let rounds: Vec<(u32, u32, u32)> = played
        .facts()
        .filter_map(|fact| match fact {
            Fact::MeleeRound { round, attacker, defender } => Some((*round, attacker.figures, defender.figures)),
            _ => None,
        })
        .collect();
    assert_eq!(rounds, [(1, 12, 0), (1, 0, 9), (2, 12, 9)]);
    let added: Vec<i32> = played
        .events
        .iter()
        .filter(|event| matches!(event.fact, Fact::MeleeRound { attacker: MeleeSide { roll: Some(_), .. }, .. }))
        .map(|event| event.explanation.sums[0].total)
        .collect();
    assert_eq!(added, [3, 1]);
    assert!(played.unit("a").footing.disorder && !played.unit("d").on_table());
}

#[test]
fn cavc_49_guns_without_support_add_eight_and_their_crew_falls_back_from_horse() {
    let guns = || {
        battery("d", Side::Confederate).at(30_000, 30_000).facing(18_000).with(|unit| {
            unit.first_casualty_taken = true;
            unit.opening_volley_used = true;
        })
    };
    let units = [rider(), guns()];
    let field = table(open_ground(), units);
    assert_eq!(points(&field, &charge(&field, &[], &[])), (1, 11));
    let clash = charge(&field, &[], &[]);
    // Two dice in inches, and one against the BMP: 4 is above 3.
    let dice = "impact a d: 1 1\nimpact d a: 6 6\nimpact.defender_result d: 2 3\nimpact.foot_morale d: 4";
    let played = play(ordered(field), &clash, dice);
    assert_eq!((played.at("d"), played.unit("d").morale), ((30_000, 35_000), Morale::Shaken));
    assert_eq!(played.battle.table.abandoned.len(), 1, "the pieces stay");
    // Limbered they surrender on contact.
    let field = table(open_ground(), [rider(), guns().formation(Formation::Limbered)]);
    let clash = charge(&field, &[], &[]);
    let played = play(ordered(field), &clash, "");
    assert_eq!(played.ending, Ending::Broken);
    assert!(!played.unit("d").on_table());
}
