use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::ids::{BySide, UnitId};

use super::*;
use crate::battle::{Battle, Theatre};
use crate::ground::Terrain;
use crate::play::Play;
use crate::ruleset::Ruleset;
use crate::scenario::{RollFails, RollOn, RollResult};
use crate::setup::{self, Seating};

/// Little Round Top as it begins.
fn little_round_top() -> Battle {
    let text = include_str!("../../../scenarios/little_round_top.toml");
    let scenario = Arc::new(crate::scenario::read(text).unwrap());
    let theatre = Theatre::new(scenario);
    setup::start(&theatre, Ruleset::standard(), &Seating::one_each(), &BTreeSet::new(), &BySide::default())
}

fn ix(table: &Table, unit: &str) -> UnitIx {
    table.find(&UnitId::new(unit)).unwrap()
}

#[test]
fn scns_02_thirst_is_one_more_for_two_regiments_until_they_have_passed_a_check() {
    let mut battle = little_round_top();
    let point = |table: &Table, unit: &str| {
        let field = Field::before_dice(Ruleset::standard(), table);
        morale_point(&field, ix(table, unit)).iter().map(|(_, _, value)| *value).sum::<i32>()
    };
    assert_eq!(["al15", "al47", "al04", "me20"].map(|unit| point(&battle.table, unit)), [1, 1, 0, 0]);

    let fifteenth = ix(&battle.table, "al15");
    battle.table[fifteenth].carried.checks_passed = 1;
    assert_eq!(point(&battle.table, "al15"), 1, "triggers are tested at the end of the turn");
    let dice = crate::dice::ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, protocol::orders::Stage::Movement);
    mark_triggers(&mut play);
    assert_eq!([point(play.table(), "al15"), point(play.table(), "al47")], [0, 1]);
    assert_eq!(play.events.len(), 1);
    mark_triggers(&mut play);
    assert_eq!(play.events.len(), 1, "told once");
}

#[test]
fn scns_04_cartridges_are_rolled_for_after_the_fourth_fire_from_turn_6() {
    let mut battle = little_round_top();
    let due = |table: &Table, unit: &str, n| rolls_due(table, &table[ix(table, unit)], RollOn::Fires, n).len();
    assert_eq!(due(&battle.table, "me20", 5), 0, "turn 1");
    battle.table.turn = 6;
    assert_eq!([4, 5, 9].map(|n| due(&battle.table, "me20", n)), [0, 1, 1]);
    assert_eq!(due(&battle.table, "al15", 9), 0);
    let roll = rolls_due(&battle.table, &battle.table[ix(&battle.table, "me20")], RollOn::Fires, 5)[0];
    assert_eq!(
        (roll.term, roll.fails, roll.result),
        ("cartridges", &RollFails::Faces(vec![1, 2]), RollResult::OutOfAmmunition)
    );
}

#[test]
fn scns_07_big_round_top_is_woods_to_skirmishers_and_the_disordered() {
    let battle = little_round_top();
    let table = &battle.table;
    let rocks = Point::new(32_500, 8_000);
    assert_eq!(table.ground().terrain(rocks), Terrain::Rough);
    let mut unit = table[ix(table, "al15")].clone();
    let treated = |unit: &Unit| table.ground().bent(&bends(table, unit, &unit.footing)).terrain(rocks);
    assert_eq!(treated(&unit), Terrain::Rough);
    unit.footing.disorder = true;
    assert_eq!(treated(&unit), Terrain::Woods);
    assert_eq!(table.ground().terrain(rocks), Terrain::Rough, "to nobody else");
    unit.footing.disorder = false;
    unit.footing.formation = Formation::SkirmishLine;
    assert_eq!(treated(&unit), Terrain::Woods);
}

#[test]
fn scns_08_rocks_cover_the_front_of_who_has_held_a_turn_on_the_heights() {
    let mut battle = little_round_top();
    let table = &mut battle.table;
    let unit = ix(table, "ny44");
    // The summit: everything about it is higher than 99 feet.
    let summit = (0..60).flat_map(|x| (0..45).map(move |y| Point::new(x * 1_000, y * 1_000)));
    let high = summit.filter(|at| 110 < table.ground().level(*at)).find(|at| {
        let mut there = table[unit].clone();
        there.footing.anchor = *at;
        there.layout().rects().all(|stand| 99 < table.ground().level(stand.center))
    });
    table[unit].footing.anchor = high.unwrap();
    table[unit].footing.facing = protocol::place::Bearing::WEST;
    let at = table[unit].footing.anchor;
    let (west, east) = (Point::new(at.x - 8_000, at.y), Point::new(at.x + 8_000, at.y));
    let covers = |table: &Table, from| {
        let field = Field::before_dice(Ruleset::standard(), table);
        cover(&field, unit, || from).iter().map(|cover| cover.treated_as).collect::<Vec<_>>()
    };
    assert_eq!(covers(table, Some(west)), [], "it has not held a whole turn yet");
    table[unit].carried.held_turns = 1;
    assert_eq!(covers(table, Some(west)), [CoverKind::StoneWall]);
    assert_eq!(covers(table, None), [CoverKind::StoneWall]);
    assert_eq!(covers(table, Some(east)), [], "only to the front");
    table[unit].marks.moved = true;
    assert_eq!(covers(table, Some(west)), []);
}

#[test]
fn scns_09_the_battery_hauls_its_guns_two_inches_a_turn_through_the_north_end() {
    let battle = little_round_top();
    let table = &battle.table;
    let allowed = |unit: &str, point: Point| {
        let unit = &table[ix(table, unit)];
        table.ground().bent(&bends(table, unit, &unit.footing)).allowance(point)
    };
    let north_end = Point::new(39_000, 29_000);
    assert_eq!(allowed("d5us", north_end), Some(2_000));
    assert_eq!(allowed("d5us", Point::new(1_000, 1_000)), None);
    assert_eq!(allowed("me20", north_end), None);
}

#[test]
fn scns_01_an_optional_term_acts_only_where_the_game_has_switched_it_on() {
    let text = include_str!("../../../scenarios/little_round_top.toml");
    let mut scenario = crate::scenario::read(text).unwrap();
    let is_thirst = |special: &&mut Special| matches!(&special.kind, SpecialKind::Modifier { .. });
    let thirst = scenario.specials.iter_mut().find(is_thirst).expect("thirst is a modifier");
    thirst.optional = true;
    let word = thirst.id.clone();
    let theatre = Theatre::new(Arc::new(scenario));
    let point_of_the_15th = |switched_on: &BTreeSet<String>| {
        let seating = Seating::one_each();
        let battle = setup::start(&theatre, Ruleset::standard(), &seating, switched_on, &BySide::default());
        let field = Field::before_dice(Ruleset::standard(), &battle.table);
        morale_point(&field, ix(&battle.table, "al15")).iter().map(|(_, _, value)| *value).sum::<i32>()
    };
    assert_eq!(point_of_the_15th(&BTreeSet::new()), 0);
    assert_eq!(point_of_the_15th(&[word].into()), 1);
}

#[test]
fn scns_15_vincents_men_may_send_out_skirmishers() {
    let battle = little_round_top();
    let table = &battle.table;
    assert!(screen_allowed(table, &table[ix(table, "me20")]));
    assert!(!screen_allowed(table, &table[ix(table, "al15")]));
}
