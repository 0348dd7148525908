//! IDD-01 to IDD-04, CC-19: the throw, and contacts without one.

use protocol::event::{FlankClass, ImpactResult, Morale};
use protocol::words::Formation;

use super::*;
use crate::charge::clash::dice_down::compare;
use crate::testing::{battery, cavalry, table};

#[test]
fn idd_03_the_lower_total_wins_and_both_sums_are_told() {
    // 3 - 1 and 7 thrown are 9, against 3 and 7: 10.
    let dice = "impact a d: 3 4\nimpact d a: 3 4\nimpact.defender_result d: 1 1";
    let played = charged(open_ground(), vec![a(), d()], &[], &[], dice);
    assert_eq!(played.ending, Ending::Broken);
    let event = &played.events[0];
    assert_eq!(event.rule.to_string(), "IDD-03");
    assert_eq!(
        event.fact,
        Fact::Impact {
            attacker: "a".into(),
            attacker_supports: vec![],
            defender: "d".into(),
            defender_supports: vec![],
            aspect: FlankClass::Front,
            attacker_total: 9,
            defender_total: 10,
            result: ImpactResult::DefenderThrownBack,
        }
    );
    let told = &event.explanation;
    assert_eq!(told.sums.iter().map(|sum| sum.total).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(told.dice.iter().map(|dice| dice.key.clone()).collect::<Vec<_>>(), [["a", "d"], ["d", "a"]]);
    assert_eq!(told.sentence, "a strikes d: 2 and 7 thrown make 9 against 3 and 7, which make 10; d is thrown back.");
    assert!(told.sums[0].terms.iter().any(|term| term.rule.to_string() == "MOR-51"), "each part names its rule");
}

#[test]
fn idd_04_and_mel_01_equal_totals_are_a_melee() {
    // 2 and 7 against 3 and 6. 12 figures a side on the row of twelve: 20 kills 6, doubled 12.
    let twelve = |maker: Maker| maker.figures(12);
    let dice = "impact a d: 3 4\nimpact d a: 3 3\nmelee a: 6 6 6 2\nmelee d: 1 1 1 1";
    let played = charged(open_ground(), vec![twelve(a()), twelve(d())], &[], &[], dice);
    assert_eq!(played.ending, Ending::Fought);
    assert!(!played.unit("d").on_table());
    let told = played.events.iter().find(|event| matches!(event.fact, Fact::Impact { .. })).unwrap();
    assert_eq!(told.explanation.notes[0].text, "equal totals go to melee");
}

#[test]
fn idd_03_a_second_throw_of_the_same_pair_takes_the_next_dice() {
    let table = table(open_ground(), [a(), d()]);
    let clash = charge(&table, &[], &[]);
    let dice = ScriptedDice::parse("impact a d: 1 1 1 2\nimpact d a: 6 6 6 6\nimpact.defender_result d: 1 1 1 1");
    let dice = dice.expect("the dice can be read");
    let twice = |play: &mut Play<'_>, clash: &Clash| {
        resolve(play, clash);
        resolve(play, clash)
    };
    play_step(ordered(table), &clash, &dice, twice);
    assert_eq!(dice.finish().map_err(|faults| faults.to_string()), Ok(()));
}

#[test]
fn idd_01_a_routed_unit_and_limbered_guns_surrender_on_contact() {
    let played = charged(open_ground(), vec![a(), d().morale(Morale::Routed)], &[], &[], "");
    assert_eq!(played.ending, Ending::Broken);
    assert!(!played.unit("d").on_table());
    let guns = battery("d", Side::Confederate).at(30_000, 30_000).facing(18_000);
    let played = charged(open_ground(), vec![a(), guns.clone().formation(Formation::Limbered)], &[], &[], "");
    assert!(!played.unit("d").on_table() && played.tells("surrenders"));
    // Guns in action throw like anybody else: 3 and 8 for want of support.
    let dice = "impact a d: 1 1\nimpact d a: 1 1\nimpact.defender_result d: 1 1";
    assert_eq!(charged(open_ground(), vec![a(), guns], &[], &[], dice).ending, Ending::Broken);
}

#[test]
fn idd_01_infantry_strikes_a_square_like_any_unit() {
    let square = d().formation(Formation::Square);
    let dice = "impact a d: 1 1\nimpact d a: 3 3\nimpact.defender_result d: 1 1";
    assert_eq!(charged(open_ground(), vec![a(), square], &[], &[], dice).ending, Ending::Broken);
}

#[test]
fn idd_01_and_cavc_13_horse_on_fleeing_horse_goes_straight_to_melee() {
    let rider = |id: &str, side| seasoned(cavalry(id, side).at(30_000, 30_000));
    let fleeing = rider("d", Side::Confederate).with(|unit| {
        unit.marks.shown = Some(protocol::event::OrderShown::Disengage {});
        unit.footing.disorder = true;
    });
    // The rear +2 and pistols +1: 12 figures, 23 thrown and 3 are over 24: 9, and 3 are left, who throw with pistols +1.
    let table = table(open_ground(), [rider("a", Side::Union), fleeing]);
    let clash = charge(&table, &[], &[]);
    assert_eq!(clash.aspect, FlankClass::Rear);
    let dice = "melee a: 6 6 6 5 6 6 6 5\nmelee d: 1 1 1 1 1 1 1 1\nmorale.stand_lost d: 6 6 6 6 6 6";
    let played = play(ordered(table), &clash, dice);
    assert_eq!(played.ending, Ending::Fought);
    assert!(played.facts().all(|fact| !matches!(fact, Fact::Impact { .. })));
}

#[test]
fn cc_19_who_is_beaten_by_a_countercharge_is_thrown_back_with_the_same_result() {
    let table = table(open_ground(), [a(), d()]);
    let clash = countercharge(&table, &[], &[]);
    for (own, theirs, result) in [
        (8, 9, ImpactResult::DefenderThrownBack),
        (9, 8, ImpactResult::AttackerThrownBack),
        (9, 9, ImpactResult::Melee),
    ] {
        assert_eq!(compare(&clash, own, theirs), result);
    }
    assert_eq!(compare(&charge(&table, &[], &[]), 9, 8), ImpactResult::AttackerRecoils);
    // 2 and 12 against 2 and 2. 7 thrown: shaken, 7 inches back to the south, facing north; nobody fires.
    let dice = "impact a d: 6 6\nimpact d a: 1 1\nimpact.defender_result a: 3 4";
    let played = play(ordered(table), &clash, dice);
    assert_eq!(played.ending, Ending::Repelled);
    assert_eq!((played.at("a"), played.unit("a").morale), ((30_000, 23_000), Morale::Shaken));
    assert_eq!(played.unit("a").footing.facing.hundredths(), 0);
    assert!(played.volley("a").is_none() && played.volley("d").is_none());
}
