//! Abatis felled in play: who, where, how long, and what is there in the end. OBS-02 to OBS-09

use protocol::event::Morale;
use protocol::orders::MoveOrder;
use protocol::words::{Arm, Quality};

use super::super::{Outcome, Site, Span, plan};
use super::*;
use crate::battle::UnitIx;
use crate::field::Field;
use crate::testing::{battery, cavalry, leader, played_by};

const ABATIS: Work = Work::BuildAbatis;

fn fell() -> Order {
    work(ABATIS, &[])
}

#[test]
fn obs_02_and_tc_06_a_roll_above_the_bmp_begins_an_abatis_in_the_same_turn() {
    // Veteran: the die must be above 3.
    let after = |face| turn_with(battle(woods(), vec![a()]), &start(face), &[("a", fell())], |_| ());
    let (begun, told) = after(4);
    assert_eq!(counted(&begun), Some(1), "the turn of the roll is the first");
    let rolls = told.iter().filter(|event| matches!(&event.fact, Fact::Competence { passed: true, .. }));
    assert_eq!(rolls.map(|event| event.rule.as_str()).collect::<Vec<_>>(), ["OBS-02"]);
    let (failed, _) = after(3);
    assert_eq!(counted(&failed), Some(0));
    assert!(unit(&failed, "a").footing.disorder, "the turn is spent in disorder all the same");
    // It tries again, and needs no roll once it has begun.
    let again = turns(failed, 2, &start(6), &fell());
    assert_eq!(counted(&again), Some(2));
}

#[test]
fn obs_02_an_officer_helps_the_roll() {
    let mut battle = battle(woods(), vec![a()]);
    let officer = leader("officer", Side::Union, 30_000, 29_000);
    battle.table.leaders.insert(officer.id.clone(), officer);
    // Beside an officer 3 + 1 is above 3.
    assert_eq!(counted(&turns(battle, 1, &start(3), &fell())), Some(1));
}

#[test]
fn obs_02_who_was_charged_or_driven_back_makes_no_roll() {
    let disturbed = |change: fn(&mut Unit)| {
        let dice = ScriptedDice::new();
        let (after, _) = turn_with(battle(woods(), vec![a()]), &dice, &[("a", fell())], change);
        assert!(dice.asked().is_empty());
        counted(&after)
    };
    assert_eq!(disturbed(|unit| unit.marks.charged_by = Some("z".into())), Some(0));
    assert_eq!(disturbed(|unit| unit.marks.fell_back = true), Some(0));
    assert_eq!(disturbed(|unit| unit.morale = Morale::Routed), Some(0));
}

#[test]
fn obs_03_only_where_there_are_small_trees() {
    let at = |ground: Ground, y| refused(&battle(ground, vec![a().at(30_000, y).facing(0)]), "a", fell());
    assert!(at(woods(), 30_000).is_empty());
    // South of the woods, whose edge is at y = 20: the unit an inch off, the line at the edge.
    assert!(at(woods(), 19_000).is_empty());
    assert_eq!(at(woods(), 18_990), ["OBS-03"]);
    assert!(at(square_of(Terrain::Rough, Wooded::Heavy), 30_000).is_empty());
    assert_eq!(at(square_of(Terrain::Rough, Wooded::None), 30_000), ["OBS-03"]);
    assert!(at(square_of(Terrain::Broken, Wooded::None), 30_000).is_empty());
    assert_eq!(at(open_ground(), 30_000), ["OBS-03"]);
}

#[test]
fn obs_03_no_brush_where_the_scenario_says_so() {
    let ground = square_of(Terrain::Broken, Wooded::None);
    let brush =
        |word| refused(&testing::battle(played_by(table(ground.clone(), [a()]), &[("brush", word)])), "a", fell());
    assert_eq!((brush("off"), brush("on")), (vec!["OBS-03".to_owned()], Vec::new()));
}

#[test]
fn obs_03_trees_are_dragged_an_inch_and_no_farther() {
    // It faces north at the north edge of the woods, y = 40: a line an inch in front of y = 40.5 would lie 1.5 inches off.
    let battle = battle(woods(), vec![a().at(30_000, 40_500)]);
    assert_eq!(refused(&battle, "a", fell()), ["OBS-03"]);
    assert!(refused(&battle, "a", work(ABATIS, &[(30_000, 41_000)])).is_empty());
    assert_eq!(refused(&battle, "a", work(ABATIS, &[(30_000, 41_010)])), ["OBS-03"]);
}

fn span(maker: Maker) -> Span {
    let battle = battle(woods(), vec![maker]);
    let field = Field::before_dice(Ruleset::standard(), &battle.table);
    let site = Site { anchor: Point::new(30_000, 30_000), facing: protocol::place::Bearing::NORTH, obstacle: None };
    plan(&field, ix(&battle.table, "a"), site, ABATIS, &[]).expect("it stands in the woods").span
}

#[test]
fn obs_04_twice_the_bmp_in_turns() {
    let alone = |quality| span(a().quality(quality)).alone;
    let all = [Quality::Elite, Quality::Veteran, Quality::Green, Quality::Militia].map(alone);
    assert_eq!(all, [4, 6, 8, 10]);
    // An elite regiment: not there after three turns, there after four.
    let three = turns(battle(woods(), vec![a().quality(Quality::Elite)]), 3, &start(3), &fell());
    assert!(standing(&three).is_empty());
    assert_eq!(standing(&turns(three, 1, &ScriptedDice::new(), &fell())).len(), 1);
}

#[test]
fn obs_05_with_engineers_the_bmp_in_turns() {
    let all = [Quality::Elite, Quality::Veteran, Quality::Green, Quality::Militia];
    assert_eq!(all.map(|quality| span(a().quality(quality)).with_engineers), [2, 3, 4, 5]);
    let engineers = a().with(|unit| unit.engineers = true);
    let two = turns(battle(woods(), vec![engineers]), 2, &start(4), &fell());
    assert!(standing(&two).is_empty());
    assert_eq!(standing(&turns(two, 1, &ScriptedDice::new(), &fell())).len(), 1);
}

#[test]
fn obs_05_turns_with_engineers_count_as_two() {
    // Two turns without, two with: 2 + 4 = 6, a veteran's whole time.
    let after = turns(battle(woods(), vec![a()]), 2, &start(4), &fell());
    assert_eq!(in_hand(&after).map(|labour| (labour.turns, labour.turns_with_engineers)), Some((2, 0)));
    let mut joined = after;
    let a = ix(&joined.table, "a");
    joined.table[a].engineers = true;
    let three = turns(joined, 1, &ScriptedDice::new(), &fell());
    assert_eq!(in_hand(&three).map(|labour| (labour.turns, labour.turns_with_engineers)), Some((2, 1)));
    assert!(standing(&three).is_empty());
    assert_eq!(standing(&turns(three, 1, &ScriptedDice::new(), &fell())).len(), 1);
    // Of three turns alone and two with engineers (a fraise): one of each is 1/3 + 1/2, two and one are enough.
    let fraise = Span { alone: 3, with_engineers: 2 };
    assert_eq!((fraise.is_done(1, 1), fraise.is_done(2, 1), fraise.is_done(1, 2)), (false, true, true));
}

#[test]
fn obs_05_pioneers_beside_it_with_the_same_task_count_too() {
    let with = |x: i32, theirs: Order| {
        let pioneers = infantry("p", Side::Union).at(x, 30_000).with(|unit| unit.engineers = true);
        let dice = start(4).with(Purpose::WorkStart, &["p"], &[4]);
        let (after, _) =
            turn_with(battle(woods(), vec![a(), pioneers]), &dice, &[("a", fell()), ("p", theirs)], |_| ());
        in_hand(&after).map(|labour| labour.turns_with_engineers)
    };
    // Fronts of 3.5 inches: from middle to middle 4.5 leave an inch between them.
    assert_eq!(with(34_500, fell()), Some(1));
    assert_eq!(with(34_510, fell()), Some(0));
    assert_eq!(with(34_500, Order::Hold { task: None }), Some(0));
}

#[test]
fn obs_06_it_is_in_disorder_from_the_reveal_until_the_work_is_done() {
    let one = turns(battle(woods(), vec![a().quality(Quality::Elite)]), 1, &start(3), &fell());
    assert!(unit(&one, "a").footing.disorder);
    let four = turns(one, 3, &ScriptedDice::new(), &fell());
    assert!(!unit(&four, "a").footing.disorder && in_hand(&four).is_none());
    // What was in disorder before is so still.
    let before = a().quality(Quality::Elite).disordered();
    assert!(unit(&turns(battle(woods(), vec![before]), 4, &start(3), &fell()), "a").footing.disorder);
}

#[test]
fn obs_06_a_turn_that_does_not_count_sets_the_count_to_nothing() {
    let third = |change: fn(&mut Unit)| {
        let two = turns(battle(woods(), vec![a()]), 2, &start(4), &fell());
        counted(&turn_with(two, &ScriptedDice::new(), &[("a", fell())], change).0)
    };
    assert_eq!(third(|_| ()), Some(3));
    assert_eq!(third(|unit| unit.marks.fires = 1), Some(0));
    assert_eq!(third(|unit| unit.marks.charged_by = Some("z".into())), Some(0));
    assert_eq!(third(|unit| unit.marks.fell_back = true), Some(0));
    assert_eq!(third(|unit| unit.marks.moved = true), Some(0));
    assert_eq!(third(|unit| unit.marks.changed_formation = true), Some(0));
    assert_eq!(third(|unit| unit.marks.conditional_hold = true), Some(0));
    // Losses, passed checks and being shaken in place do not matter.
    assert_eq!(third(|unit| unit.marks.fired_on = true), Some(3));
    assert_eq!(third(|unit| unit.stands[3].figures -= 1), Some(3));
    assert_eq!(third(|unit| unit.morale = Morale::Shaken), Some(3));
}

#[test]
fn obs_06_another_order_breaks_it_off_and_the_disorder_stays() {
    let two = || turns(battle(woods(), vec![a()]), 2, &start(4), &fell());
    let (held, told) = turn_with(two(), &ScriptedDice::new(), &[("a", Order::Hold { task: None })], |_| ());
    assert!(in_hand(&held).is_none() && unit(&held, "a").footing.disorder);
    assert!(told.iter().any(|event| matches!(event.fact, Fact::Worked { turns: 0, .. })));
    // Another place is other work.
    let (moved, _) = turn_with(two(), &start(4), &[("a", work(ABATIS, &[(30_000, 30_500)]))], |_| ());
    assert_eq!(counted(&moved), Some(1));
}

#[test]
fn obs_07_work_is_a_form_order_and_is_shown_with_its_task() {
    let limited = |change: fn(&mut Unit)| refused(&battle(woods(), vec![a().with(change)]), "a", fell());
    assert!(limited(|unit| unit.marks.in_command = false).is_empty());
    assert!(limited(|unit| unit.morale = Morale::Shaken).is_empty());
    let (_, told) = turn_with(battle(woods(), vec![a()]), &start(4), &[("a", fell())], |_| ());
    let sentences: Vec<&str> = told.iter().map(|event| event.explanation.sentence.as_str()).collect();
    assert!(sentences.contains(&"a builds an abatis."), "{sentences:?}");
    // It is no part of a march. MV-09
    let march = MoveOrder { form_last: Some(FormTask::Work { work: ABATIS, at: Vec::new() }), ..MoveOrder::default() };
    assert_eq!(refused(&battle(woods(), vec![a()]), "a", Order::Move(march)), ["MV-09"]);
}

#[test]
fn obs_08_who_may_work() {
    let told = |maker: Maker| refused(&battle(woods(), vec![maker.at(30_000, 30_000)]), "a", fell());
    assert_eq!(told(battery("a", Side::Union)), ["OBS-08"]);
    assert_eq!(told(cavalry("a", Side::Union)), ["OBS-08"]);
    assert!(told(cavalry("a", Side::Union).with(|unit| unit.mounted = false)).is_empty());
    assert_eq!(told(a().with(|unit| unit.arm = Arm::Sharpshooter)), ["OBS-08"]);
    assert_eq!(told(a().with(|unit| unit.arm = Arm::GunCrew)), ["OBS-08"]);
    assert_eq!(told(a().prone()), ["TAC-07"]);
}

/// The line of an abatis that `a` would build as it stands, for a task at a place.
fn line(battle: &Battle, at: &[Point]) -> Vec<(i32, i32)> {
    let field = Field::before_dice(Ruleset::standard(), &battle.table);
    let a: UnitIx = ix(&battle.table, "a");
    let footing = &battle.table[a].footing;
    let site = Site { anchor: footing.anchor, facing: footing.facing, obstacle: None };
    match plan(&field, a, site, ABATIS, at).expect("it stands in the woods").outcome {
        Outcome::Build(ObstacleKind::Abatis, line) => line.into_iter().map(|point| (point.x, point.y)).collect(),
        other => panic!("an abatis is built, not {other:?}"),
    }
}

#[test]
fn obs_09_as_long_as_the_stands_that_are_left() {
    // Four stands of 0.875: 3.5 inches, 1.75 to either side, an inch in front.
    let battle = battle(woods(), vec![a()]);
    assert_eq!(line(&battle, &[]), [(28_250, 31_000), (31_750, 31_000)]);
    assert_eq!(line(&battle, &[Point::new(29_000, 30_400)]), [(28_250, 30_400), (31_750, 30_400)]);
    assert_eq!(refused(&battle, "a", work(ABATIS, &[(30_000, 31_010)])), ["OBS-09"]);
    assert_eq!(refused(&battle, "a", work(ABATIS, &[(30_000, 29_990)])), ["OBS-09"]);
    // Facing east with three stands: 2.625 inches from north to south, 1312.5 to either side, rounded away from the middle.
    let east = super::battle(woods(), vec![a().facing(9_000).stands_left(3)]);
    assert_eq!(line(&east, &[]), [(31_000, 31_313), (31_000, 28_687)]);
}

#[test]
fn obs_09_it_lies_where_the_unit_stood_when_the_work_began() {
    let three = turns(battle(woods(), vec![a().quality(Quality::Elite)]), 3, &start(3), &fell());
    let (four, told) = turn_with(three, &ScriptedDice::new(), &[("a", fell())], |unit| unit.footing.anchor.x += 200);
    assert_eq!(standing(&four), [(ObstacleKind::Abatis, vec![vec![(28_250, 31_000), (31_750, 31_000)]])]);
    let built = told.iter().find(|event| matches!(event.fact, Fact::ObstacleChanged { .. })).expect("it is told");
    assert_eq!((built.phase, built.rule.as_str()), (8, "OBS-09"));
    assert_eq!(built.explanation.sentence, "a has built 3.5 inches of abatis.");
}

#[test]
fn obs_17_and_obs_22_fraise_and_chevaux_are_on_the_map_or_nowhere() {
    let rows = &Ruleset::standard().obstacle;
    assert_eq!((rows.fraise.build_turns_per_bmp, rows.chevaux_de_frise.build_turns_per_bmp), (None, None));
    for task in ["build_fraise", "build_chevaux_de_frise"] {
        let order = serde_json::json!({ "type": "work", "work": task, "at": [] });
        assert!(serde_json::from_value::<FormTask>(order).is_err(), "{task}");
    }
    let kind = |word: &str| serde_json::from_value::<ObstacleKind>(serde_json::json!(word)).ok();
    assert_eq!(kind("fraise"), Some(ObstacleKind::Fraise));
    assert_eq!(kind("chevaux_de_frise"), Some(ObstacleKind::ChevauxDeFrise));
}
