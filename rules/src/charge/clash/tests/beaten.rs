//! IDD-17 to IDD-25, DIS-16: who is beaten at the dice down, and what becomes of him.

use protocol::event::{Morale, OrderShown};
use protocol::words::{Arm, Quality};

use super::*;
use crate::charge::clash::beaten::{foot_morale, morale_by, result};
use crate::fire::{Occasion, may_fire};
use crate::testing::{battery, cavalry, table};

/// The attacker throws 2 and the defender 12: it is thrown back.
const BEATEN: &str = "impact a d: 1 1\nimpact d a: 6 6\n";

fn broken(ground: Ground, units: Vec<Maker>, of_d: &[&str], dice: &str) -> Played {
    let played = charged(ground, units, &[], of_d, &format!("{BEATEN}{dice}"));
    assert_eq!(played.ending, Ending::Broken);
    played
}

#[test]
fn idd_17_thrown_back_in_disorder_by_two_dice() {
    let back = |ground: Ground, d: Maker| {
        let played = broken(ground, vec![a(), d], &[], "impact.defender_result d: 1 3");
        assert!(played.unit("d").footing.disorder);
        assert_eq!(played.unit("d").footing.facing.hundredths(), 18_000, "it faces the enemy");
        assert_eq!(played.at("a"), (30_000, 30_000), "the victor is not moved by it");
        played.at("d").1 - 30_000
    };
    assert_eq!(back(open_ground(), d()), 4_000);
    assert_eq!(back(belt(Terrain::Broken, 10_000, 50_000), d()), 4_000);
    assert_eq!(back(belt(Terrain::Woods, 10_000, 50_000), d()), 2_000);
    assert_eq!(back(belt(Terrain::Rough, 10_000, 50_000), d()), 2_000);
    // Doubled for cavalry in the open; half inches in woods for cavalry too.
    let rider = || cavalry("d", Side::Confederate).at(30_000, 30_000).facing(18_000);
    assert_eq!(back(open_ground(), rider()), 8_000);
    assert_eq!(back(belt(Terrain::Woods, 10_000, 50_000), rider()), 2_000);
}

#[test]
fn idd_17_a_unit_that_would_end_on_a_friend_goes_on_and_both_roll() {
    // Four inches back its body lies from 34 to 34.625, where the friend stands.
    let friend = infantry("f", Side::Confederate).at(30_000, 34_200).facing(18_000);
    let dice = "impact.defender_result d: 1 3\ntactical.pass_through d f: 5\ntactical.pass_through f d: 5";
    let played = broken(open_ground(), vec![a(), d(), friend], &[], dice);
    // The friend's rear edge is at 34.825.
    assert!((played.at("d").1 - 34_825).abs() <= 4, "{:?}", played.at("d"));
}

#[test]
fn idd_17_and_shk_05_an_enemy_of_another_fight_stops_it_an_inch_short() {
    let other = infantry("x", Side::Union).at(30_000, 33_000).facing(18_000);
    let played = broken(open_ground(), vec![a(), d(), other], &[], "impact.defender_result d: 1 3");
    // Its rear edge starts at 30.625, the other's front edge lies at 33, his rear at 33.625: 2.375 less an inch.
    assert!((played.at("d").1 - 31_375).abs() <= 2, "{:?}", played.at("d"));
}

#[test]
fn idd_18_the_throw_gives_the_morale_by_quality_and_officer() {
    let after = |quality, officer, thrown| {
        let rules = Ruleset::standard();
        morale_by(rules, result(rules, quality, officer, thrown).total(), Morale::Good)
    };
    let veteran: Vec<_> = (2..=12).map(|thrown| after(Quality::Veteran, false, thrown)).collect();
    let (good, shaken, routed) = (Some(Morale::Good), Some(Morale::Shaken), Some(Morale::Routed));
    assert_eq!(veteran, [good, good, good, shaken, shaken, shaken, shaken, routed, routed, routed, None]);
    assert_eq!(after(Quality::Elite, false, 5), good);
    assert_eq!(after(Quality::Elite, true, 6), good);
    assert_eq!(after(Quality::Veteran, true, 12), routed);
    assert_eq!(after(Quality::Green, false, 4), shaken);
    assert_eq!(after(Quality::Militia, false, 11), None);
    // Limited to 2 and 12.
    let total = |quality, officer, thrown| result(Ruleset::standard(), quality, officer, thrown).total();
    assert_eq!((total(Quality::Elite, true, 2), total(Quality::Green, false, 12)), (2, 12));
}

#[test]
fn idd_18_distance_uses_the_throw_unmodified_and_an_officer_counts() {
    let mut table = table(open_ground(), [a(), d().quality(Quality::Elite)]);
    put(&mut table, officer("l", Side::Confederate, (30_000, 31_400), 1, &[]));
    let clash = charge(&table, &[], &[]);
    let dice = format!("{BEATEN}impact.defender_result d: 2 4");
    let played = play(ordered(table), &clash, &dice);
    // 6, elite -1, officer -1 = 4: good. Six inches back, and he goes along.
    assert_eq!((played.at("d"), played.unit("d").morale), ((30_000, 36_000), Morale::Good));
    let leader = played.battle.table.leaders.values().next().map(|leader| leader.at.y);
    assert_eq!(leader, Some(37_400));
}

#[test]
fn idd_18_twelve_breaks_a_unit_up() {
    let played = broken(open_ground(), vec![a(), d()], &[], "impact.defender_result d: 6 6");
    assert!(!played.unit("d").on_table());
    assert!(played.facts().any(|fact| matches!(fact, Fact::Removed { how, .. } if how == "picked up")));
}

#[test]
fn idd_19_a_shaken_loser_takes_the_worse_of_both() {
    let rules = Ruleset::standard();
    assert_eq!(morale_by(rules, 2, Morale::Shaken), Some(Morale::Shaken));
    assert_eq!(morale_by(rules, 7, Morale::Shaken), Some(Morale::Shaken));
    assert_eq!(morale_by(rules, 9, Morale::Shaken), Some(Morale::Routed));
    let dice = "impact.defender_result d: 1 1";
    let played = broken(open_ground(), vec![a(), d().morale(Morale::Shaken)], &[], dice);
    assert_eq!((played.unit("d").morale, played.at("d")), (Morale::Shaken, (30_000, 32_000)));
}

#[test]
fn idd_20_and_rout_14_and_shk_18_no_run_and_no_fall_back_on_top_and_others_see_it() {
    // 10: routed, ten inches back. No dice of a rout or a fall back are thrown. A friend near its end checks.
    let friend = infantry("f", Side::Confederate).at(35_000, 41_000).facing(18_000);
    let dice = "impact.defender_result d: 4 6\nmorale.saw_rout f d: 6 5";
    let played = broken(open_ground(), vec![a(), d(), friend], &[], dice);
    let routed = played.unit("d");
    assert_eq!(routed.morale, Morale::Routed);
    assert!((played.at("d").1 - 40_625).abs() <= 1);
    // ROUT-02: it shows its back; its anchor is the middle of the edge that leads.
    assert_eq!(routed.footing.facing.hundredths(), 0);
    assert_eq!(played.checks(), ["f saw a rout: 11 on 3, good"]);
    // Shaken: two dice and no more, with an officer or without.
    let played = broken(open_ground(), vec![a(), d()], &[], "impact.defender_result d: 3 4");
    assert_eq!((played.unit("d").morale, played.at("d")), (Morale::Shaken, (30_000, 37_000)));
}

#[test]
fn idd_21_each_support_rolls_for_itself_from_its_own_place() {
    let beside = infantry("s", Side::Confederate).at(33_500, 30_500).facing(18_000);
    let green = infantry("t", Side::Confederate).green().at(26_500, 30_500).facing(17_000);
    // The two who are left see the rout when their own fight is over. CHG-05
    let dice = "impact.defender_result d: 1 2\nimpact.defender_result s: 2 3\nimpact.defender_result t: 4 4\n\
                morale.saw_rout d t: 6 5\nmorale.saw_rout s t: 6 5";
    let played = broken(open_ground(), vec![a(), d(), beside, green], &["s", "t"], dice);
    // 3: good. 5: shaken. 8 and green +1 is 9: routed.
    let morale = ["d", "s", "t"].map(|unit| played.unit(unit).morale);
    assert_eq!(morale, [Morale::Good, Morale::Shaken, Morale::Routed]);
    assert_eq!((played.at("d"), played.at("s")), ((30_000, 33_000), (33_500, 35_500)));
    assert!(["d", "s", "t"].iter().all(|unit| played.unit(unit).marks.beaten && played.unit(unit).footing.disorder));
}

#[test]
fn idd_22_its_own_plan_is_over_and_it_does_not_fire() {
    let moving = OrderShown::Move { bearing: protocol::place::Bearing::NORTH, formation: None };
    let d = d().with(|unit| unit.marks.shown = Some(moving));
    let played = broken(open_ground(), vec![a(), d], &[], "impact.defender_result d: 1 1");
    let unit = played.unit("d");
    assert!(unit.marks.beaten && unit.marks.order_spent);
    assert!(played.facts().any(|fact| matches!(fact, Fact::OrderVoid { unit } if unit.as_str() == "d")));
    for occasion in [Occasion::Charge, Occasion::EndOfCharge, Occasion::Hold, Occasion::Moving] {
        assert!(may_fire(unit, &Order::Hold { task: None }, occasion).is_err(), "{occasion:?}");
    }
}

#[test]
fn idd_23_and_rout_08_gunners_go_back_without_their_guns() {
    let guns = battery("d", Side::Confederate).at(30_000, 30_000).facing(18_000);
    let played = broken(open_ground(), vec![a(), guns.clone()], &[], "impact.defender_result d: 1 2");
    let crew = played.unit("d");
    assert_eq!((crew.arm, crew.morale, crew.guns.is_none()), (Arm::GunCrew, Morale::Good, true));
    assert!(33_000 - 1_000 <= crew.footing.anchor.y, "three inches back");
    let left = played.battle.table.abandoned.values().next().map(|left| (left.footing.anchor, left.sections));
    assert_eq!(left, Some((Point::new(30_000, 30_000), 2)));
    // MOR-28: when it routs, those who see the guns being left check, though the crew itself is far off then.
    let near = infantry("f", Side::Confederate).at(35_000, 31_000).facing(18_000);
    let dice = "impact.defender_result d: 5 5\nmorale.saw_rout f d: 6 5";
    let played = broken(open_ground(), vec![a(), guns, near], &[], dice);
    assert_eq!(played.checks(), ["f saw a rout: 11 on 3, good"]);
}

#[test]
fn idd_24_the_victor_stays_at_the_place_of_the_impact_until_it_runs_on() {
    let played = broken(open_ground(), vec![a(), d()], &[], "impact.defender_result d: 1 1");
    let victor = played.unit("a");
    assert_eq!((played.at("a"), victor.marks.order_spent, victor.footing.disorder), ((30_000, 30_000), false, false));
}

#[test]
fn idd_25_a_beaten_unit_that_is_caught_surrenders_or_fights_without_another_dice_down() {
    let beaten = |morale| {
        let table = table(open_ground(), [a(), d().morale(morale).disordered().with(|unit| unit.marks.beaten = true)]);
        let clash = Clash { aspect: FlankClass::Full, ..charge(&table, &[], &[]) };
        (ordered(table), clash)
    };
    let (battle, clash) = beaten(Morale::Routed);
    let played = caught(battle, &clash, "");
    assert!(played.ending == Ending::Broken && !played.unit("d").on_table());
    // Frontally: 16 thrown read 5 on the row of sixteen, doubled 10; with the +4 of the flank 20 would read 11.
    let (battle, clash) = beaten(Morale::Good);
    let dice = "melee a: 4 4 4 4 6 6 6 6\nmelee d: 1 1 1 1 1 1 1 1\nmorale.stand_lost d: 6 5 6 5";
    let played = caught(battle, &clash, dice);
    assert_eq!(played.ending, Ending::Fought);
    assert_eq!(played.rounds(), [(16, 16), (16, 6)]);
    assert!(played.facts().all(|fact| !matches!(fact, Fact::Impact { .. })));
}

#[test]
fn dis_16_a_disengaging_unit_beaten_as_it_runs_keeps_its_back_to_the_enemy() {
    let fleeing =
        d().facing(0).at(30_000, 30_625).disordered().with(|unit| unit.marks.shown = Some(OrderShown::Disengage {}));
    let table = table(open_ground(), [a(), fleeing]);
    let clash = charge(&table, &[], &[]);
    let dice = format!("{BEATEN}impact.defender_result d: 1 2");
    let mut battle = ordered(table);
    give(&mut battle, "d", Order::Disengage { abandon_guns: false }, Instructions::default());
    let played = play(battle, &clash, &dice);
    assert_eq!((played.unit("d").footing.facing.hundredths(), played.at("d")), (0, (30_000, 33_625)));
    assert!(played.volley("d").is_none());
    // Caught again, it is struck from behind, and the attacker strikes first. 16 thrown and 2: 7, doubled 14; it is down to 2.
    let checks = "morale.stand_lost d: 6 6 6 6 6 6";
    let dice = format!("melee a: 4 4 4 4 4 4 4 4\nmelee d: 1 1 1 1 1 1 1 1\n{checks}");
    let again = caught(played.battle, &clash, &dice);
    assert_eq!(again.rounds(), [(16, 0), (0, 2), (16, 2)]);
}

#[test]
fn cavc_46_foot_beaten_by_horse_goes_back_by_the_ground() {
    let back = |ground: Ground, result: &str| {
        let rider = cavalry("a", Side::Union).at(30_000, 30_000);
        let dice = format!("impact.defender_result d: {result}\nimpact.foot_morale d: 4");
        broken(ground, vec![rider, d()], &[], &dice).at("d").1 - 30_000
    };
    assert_eq!(back(open_ground(), "3 4"), 7_000);
    assert_eq!(back(belt(Terrain::Woods, 10_000, 50_000), "3 4"), 3_500);
    assert_eq!(back(belt(Terrain::Rough, 10_000, 50_000), "5"), 5_000);
}

#[test]
fn cavc_47_foot_beaten_by_horse_is_never_better_than_shaken() {
    // Veteran 3: 4 to 6 shaken, 1 to 3 routed; with an officer 2: 3 to 6. Militia 5: 6.
    let shaken = |to_beat| (1..=6).filter(|face| foot_morale(to_beat, *face) == Morale::Shaken).count();
    assert_eq!((shaken(3), shaken(2), shaken(5)), (3, 4, 1));
    let rider = || cavalry("a", Side::Union).at(30_000, 30_000);
    let dice = |face| format!("impact.defender_result d: 1 1\nimpact.foot_morale d: {face}");
    let morale = |d: Maker, face| broken(open_ground(), vec![rider(), d], &[], &dice(face)).unit("d").morale;
    assert_eq!((morale(d(), 4), morale(d(), 3)), (Morale::Shaken, Morale::Routed));
    // A mounted loser takes the general result.
    let horse = cavalry("d", Side::Confederate).at(30_000, 30_000).facing(18_000);
    let played = broken(open_ground(), vec![rider(), horse], &[], "impact.defender_result d: 1 1");
    assert_eq!((played.unit("d").morale, played.at("d").1), (Morale::Good, 34_000));
}
