//! Chevaux-de-frise swung aside, and who passes. OBS-23, OBS-24

use protocol::ids::FeatureId;
use protocol::orders::MoveOrder;
use protocol::words::{Formation, Quality};

use super::*;
use crate::field::Field;
use crate::movement::{self, Program};
use crate::testing::{battery, cavalry};

const TURN: i64 = 5_040_000;

fn swings(elements: &[&str]) -> FormTask {
    FormTask::Swing { elements: elements.iter().map(|id| (*id).into()).collect() }
}

/// Five elements of 0.8 inches in a row, half an inch before the front of `a`: `e2` is straight before its anchor.
fn row() -> Ground {
    let element = |n: i32| {
        obstacle(&format!("e{n}"), ObstacleKind::ChevauxDeFrise, (28_000 + n * 800, 30_500), (28_800 + n * 800, 30_500))
    };
    Ground { obstacles: (0..5).map(element).collect(), ..open_ground() }
}

fn program(maker: Maker, order: &MoveOrder) -> Program {
    let battle = battle(row(), vec![maker]);
    let field = Field::before_dice(Ruleset::standard(), &battle.table);
    movement::compile(&field, ix(&battle.table, "a"), order)
}

fn end(maker: Maker, order: &MoveOrder) -> i32 {
    program(maker, order).end().footing.anchor.y
}

fn open(battle: &Battle) -> Vec<String> {
    battle.table.changes.open.iter().map(FeatureId::to_string).collect()
}

#[test]
fn obs_23_half_a_move_swings_one_aside_and_a_whole_one_two() {
    let swung = |battle: Battle, elements: &[&str]| {
        turn_with(battle, &ScriptedDice::new(), &[("a", Order::Form { task: swings(elements) })], |_| ())
    };
    let (one, told) = swung(battle(row(), vec![a()]), &["e2"]);
    assert_eq!(open(&one), ["e2"]);
    assert!(!unit(&one, "a").footing.disorder);
    let event = told.iter().find(|event| matches!(event.fact, Fact::ObstacleChanged { .. })).expect("it is told");
    // Half of the 120 segments.
    assert_eq!((event.rule.as_str(), event.phase, event.segment), ("OBS-23", 7, Some(60)));
    let (two, _) = swung(one, &["e1", "e3"]);
    assert_eq!(open(&two), ["e1", "e2", "e3"]);
    // What is open is swung shut in the same way.
    assert_eq!(open(&swung(two, &["e2"]).0), ["e1", "e3"]);
}

#[test]
fn obs_23_quality_makes_no_difference() {
    for quality in [Quality::Elite, Quality::Veteran, Quality::Green, Quality::Militia] {
        let order = MoveOrder { form_first: Some(swings(&["e2"])), ..MoveOrder::default() };
        assert_eq!(program(a().quality(quality), &order).spent(), TURN / 2);
    }
}

#[test]
fn obs_23_who_may_swing_what() {
    let why = |maker: Maker, elements: &[&str]| {
        refused(&battle(row(), vec![maker]), "a", Order::Form { task: swings(elements) })
    };
    assert!(why(a(), &["e0", "e4"]).is_empty());
    assert_eq!(why(a(), &["e0", "e1", "e2"]), ["OBS-23"]);
    assert_eq!(why(a(), &["e0", "e0"]), ["OBS-23"]);
    assert_eq!(why(a(), &[]), ["OBS-23"]);
    assert_eq!(why(a(), &["nothing"]), ["OBS-23"]);
    // Within an inch, on either side.
    assert!(why(a().at(30_000, 29_500), &["e2"]).is_empty());
    assert_eq!(why(a().at(30_000, 29_490), &["e2"]), ["OBS-23"]);
    assert!(why(a().at(30_000, 31_000).facing(18_000), &["e2"]).is_empty());
    assert_eq!(why(battery("a", Side::Union).at(30_000, 30_000), &["e2"]), ["OBS-08"]);
    assert_eq!(why(cavalry("a", Side::Union).at(30_000, 30_000), &["e2"]), ["OBS-08"]);
}

#[test]
fn obs_23_a_column_swings_one_aside_and_marches_through() {
    let through = |elements: &[&str]| {
        let form_first = (!elements.is_empty()).then(|| swings(elements));
        let order = MoveOrder { form_first, path: vec![Point::new(30_000, 50_000)], ..MoveOrder::default() };
        end(a().formation(Formation::MarchColumn), &order)
    };
    // Ten inches in the open. Half of the turn is left: five inches.
    assert_eq!(through(&["e2"]), 35_000);
    // Shut, an element costs an inch of rough ground at two, or four of ten: 0.5 and 5.5 inches.
    assert_eq!(through(&[]), 36_000);
    // It has swung another one than it comes to: 5 inches less 0.5 less 4 leave 0.5.
    assert_eq!(through(&["e1"]), 31_000);
}

#[test]
fn obs_24_a_line_passes_a_narrow_opening_in_disorder_or_not_at_all() {
    let through = |in_disorder: bool, elements: &[&str]| {
        let form_first = Some(swings(elements));
        let path = vec![Point::new(30_000, 50_000)];
        let order = MoveOrder { form_first, path, in_disorder, ..MoveOrder::default() };
        program(a(), &order).end()
    };
    // A front of 3.5 inches and an opening of 0.8: half a turn does not pay for what it must cross.
    let line = through(false, &["e2"]);
    assert_eq!((line.footing.anchor.y, line.footing.disorder), (30_500, false));
    // In disorder six inches a turn: three are left.
    let loose = through(true, &["e2"]);
    assert_eq!((loose.footing.anchor.y, loose.footing.disorder), (33_000, true));
}

#[test]
fn obs_24_going_into_disorder_is_told_and_not_for_guns() {
    let path = vec![Point::new(30_000, 30_400)];
    let order = Order::Move(MoveOrder { path: path.clone(), in_disorder: true, ..MoveOrder::default() });
    let (after, told) = turn_with(battle(row(), vec![a()]), &ScriptedDice::new(), &[("a", order.clone())], |_| ());
    assert!(unit(&after, "a").footing.disorder);
    assert!(told.iter().any(|event| event.rule.as_str() == "OBS-24"));
    let guns = battery("a", Side::Union).at(30_000, 29_000).formation(Formation::Limbered);
    assert_eq!(refused(&battle(row(), vec![guns]), "a", order), ["OBS-24"]);
}
