//! Hasty works dug, turned about and torn down. WORKS-01, WORKS-03 to WORKS-09, WORKS-13 to WORKS-16

use protocol::words::Quality;

use super::super::{Plan, Site, plan};
use super::*;
use crate::field::Field;
use crate::ground::Stretch;
use crate::ruleset::WorksGrade;
use crate::testing::leader;

const DIG: Work = Work::BuildHastyWorks;

fn dig() -> Order {
    work(DIG, &[])
}

/// `a` on open ground with those obstacles; its stands reach from y = 29.375 to 30 and from x = 28.25 to 31.75.
fn beside(obstacles: Vec<Obstacle>) -> Battle {
    battle(Ground { obstacles, ..open_ground() }, vec![a()])
}

/// An obstacle of 20 inches across the front, so far ahead, from west to east: works face north.
fn across(kind: ObstacleKind, ahead: i32) -> Obstacle {
    obstacle("o", kind, (20_000, 30_000 + ahead), (40_000, 30_000 + ahead))
}

/// What a task would be for `a`.
fn planned(battle: &Battle, work: Work) -> Plan {
    let field = Field::before_dice(Ruleset::standard(), &battle.table);
    let footing = &unit(battle, "a").footing;
    let site = Site { anchor: footing.anchor, facing: footing.facing, obstacle: None };
    plan(&field, ix(&battle.table, "a"), site, work, &[]).expect("the task is legal")
}

fn line(points: &[(i32, i32)]) -> Vec<Vec<(i32, i32)>> {
    vec![points.to_vec()]
}

/// An elite regiment digs for its four turns.
fn dug(mut battle: Battle) -> Battle {
    let a = ix(&battle.table, "a");
    battle.table[a].quality = Quality::Elite;
    turns(battle, 4, &start(3), &dig())
}

#[test]
fn works_01_only_hasty_works_are_dug_in_play() {
    let rows = &Ruleset::standard().works;
    let built = [WorksGrade::Hasty, WorksGrade::Medium, WorksGrade::Heavy].map(|g| rows.at(g).build_turns_per_bmp);
    assert_eq!(built, [Some(2), None, None]);
    assert_eq!(standing(&dug(battle(woods(), vec![a()])))[0].0, ObstacleKind::HastyWorks);
}

#[test]
fn works_03_and_tc_06_a_roll_above_the_bmp_begins_hasty_works_in_the_same_turn() {
    // Veteran: the die must be above 3.
    let after = |face| turn_with(battle(woods(), vec![a()]), &start(face), &[("a", dig())], |_| ());
    let (begun, told) = after(4);
    assert_eq!(counted(&begun), Some(1));
    let rolls = told.iter().filter(|event| matches!(&event.fact, Fact::Competence { passed: true, .. }));
    assert_eq!(rolls.map(|event| event.rule.as_str()).collect::<Vec<_>>(), ["WORKS-03"]);
    let (failed, _) = after(3);
    assert_eq!(counted(&failed), Some(0));
    assert!(unit(&failed, "a").footing.disorder, "the turn is spent in disorder all the same");
    // The roll is not repeated in the same unbroken work.
    assert_eq!(counted(&turns(begun, 2, &ScriptedDice::new(), &dig())), Some(3));
}

#[test]
fn works_04_hasty_works_need_a_fence_or_wall_before_three_stands_or_trees() {
    let at = |battle: Battle| refused(&battle, "a", dig());
    assert!(at(battle(woods(), vec![a()])).is_empty());
    assert_eq!(at(beside(Vec::new())), ["WORKS-04"]);
    for kind in [ObstacleKind::Fence, ObstacleKind::StoneWall] {
        assert!(at(beside(vec![across(kind, 990)])).is_empty());
        assert_eq!(at(beside(vec![across(kind, 1_000)])), ["WORKS-04"], "nearer than an inch");
        assert_eq!(at(beside(vec![across(kind, -1_000)])), ["WORKS-04"], "on its front");
    }
    assert_eq!(at(beside(vec![across(ObstacleKind::Bank, 500)])), ["WORKS-04"], "of earth there are no rails");
    // Half an inch ahead: from x = 31 on only the two stands that reach to 31.75 and 30.875 are so near, from 30.5 on a third.
    let from = |x| vec![obstacle("o", ObstacleKind::Fence, (x, 30_500), (40_000, 30_500))];
    assert_eq!(at(beside(from(31_000))), ["WORKS-04"]);
    assert!(at(beside(from(30_500))).is_empty());
}

#[test]
fn works_05_and_06_twice_the_bmp_in_turns_and_with_engineers_the_bmp() {
    let all = [Quality::Elite, Quality::Veteran, Quality::Green, Quality::Militia];
    let spans = all.map(|quality| planned(&battle(woods(), vec![a().quality(quality)]), DIG).span);
    assert_eq!(spans.map(|span| span.alone), [4, 6, 8, 10]);
    assert_eq!(spans.map(|span| span.with_engineers), [2, 3, 4, 5]);
    let elite = || a().quality(Quality::Elite);
    let three = turns(battle(woods(), vec![elite()]), 3, &start(3), &dig());
    assert!(standing(&three).is_empty());
    assert_eq!(standing(&turns(three, 1, &ScriptedDice::new(), &dig())).len(), 1);
    let with = elite().with(|unit| unit.engineers = true);
    assert_eq!(standing(&turns(battle(woods(), vec![with]), 2, &start(3), &dig())).len(), 1);
}

#[test]
fn works_06_an_officer_helps_the_roll_and_shortens_nothing() {
    let mut battle = battle(woods(), vec![a()]);
    let officer = leader("officer", Side::Union, 30_000, 29_000);
    battle.table.leaders.insert(officer.id.clone(), officer);
    assert_eq!(planned(&battle, DIG).span.alone, 6);
    // Beside an officer 3 + 1 is above 3.
    assert_eq!(counted(&turns(battle, 1, &start(3), &dig())), Some(1));
}

#[test]
fn works_07_digging_is_disorder_and_nothing_else() {
    let two = || turns(battle(woods(), vec![a()]), 2, &start(4), &dig());
    assert!(unit(&two(), "a").footing.disorder && standing(&two()).is_empty(), "unfinished works are none");
    let third = |change: fn(&mut Unit)| counted(&turn_with(two(), &ScriptedDice::new(), &[("a", dig())], change).0);
    assert_eq!(third(|_| ()), Some(3));
    assert_eq!(third(|unit| unit.marks.fires = 1), Some(0));
    assert!(in_hand(&turns(two(), 1, &ScriptedDice::new(), &Order::Hold { task: None })).is_none());
    assert!(!unit(&dug(battle(woods(), vec![a()])), "a").footing.disorder, "it is over with the work");
}

#[test]
fn works_08_they_lie_along_its_front_or_on_the_course_of_the_fence_and_face_as_it_does() {
    // Along the front edge from left to right: the left of the line is ahead.
    let ends = [(28_250, 30_000), (31_750, 30_000)];
    assert_eq!(standing(&dug(battle(woods(), vec![a()]))), [(ObstacleKind::HastyWorks, line(&ends))]);
    let with_three = dug(battle(woods(), vec![a().stands_left(3)]));
    let ends = [(28_688, 30_000), (31_312, 30_000)];
    let built = standing(&with_three);
    let near = |one: (i32, i32), other: (i32, i32)| (one.0 - other.0).abs() <= 1 && one.1 == other.1;
    assert!(near(built[0].1[0][0], ends[0]) && near(built[0].1[0][1], ends[1]), "{built:?}");
    // A fence drawn from east to west and bent: an inch to the corner, then 0.75 north.
    let fence = Obstacle {
        id: "o".into(),
        kind: ObstacleKind::Fence,
        line: vec![Point::new(31_000, 40_000), Point::new(31_000, 30_500), Point::new(20_000, 30_500)],
    };
    let course = [(28_250, 30_500), (31_000, 30_500), (31_000, 31_250)];
    assert!(standing(&dug(beside(vec![fence]))).contains(&(ObstacleKind::HastyWorks, line(&course))));
}

#[test]
fn works_09_the_fence_goes_into_the_works_and_does_not_come_back() {
    let after = dug(beside(vec![across(ObstacleKind::Fence, 500)]));
    let fence = vec![vec![(20_000, 30_500), (28_250, 30_500)], vec![(31_750, 30_500), (40_000, 30_500)]];
    assert_eq!(standing(&after)[0], (ObstacleKind::Fence, fence.clone()));
    let crossed = |battle: &Battle| {
        let (from, to) = (Point::new(30_000, 29_000), Point::new(30_000, 33_000));
        battle
            .table
            .ground()
            .barriers(from, to, 3_500)
            .iter()
            .map(|crossing| crossing.obstacle.kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(crossed(&after), [ObstacleKind::HastyWorks]);
    let torn_down = turns(after, 1, &ScriptedDice::new(), &work(Work::Destroy, &[]));
    assert_eq!(standing(&torn_down)[0].1, fence);
    assert!(crossed(&torn_down).is_empty());
}

/// 3.5 inches about the middle of 20: from 8.25 to 11.75.
const FRONTAGE: Stretch = Stretch { from: 8_250, to: 11_750 };

#[test]
fn works_13_one_turn_of_disorder_tears_down_a_frontage_of_hasty_works() {
    for (ahead, engineers) in [(500, false), (-1_000, false), (500, true)] {
        let mut battle = beside(vec![across(ObstacleKind::HastyWorks, ahead)]);
        let a = ix(&battle.table, "a");
        battle.table[a].engineers = engineers;
        let after = turns(battle, 1, &ScriptedDice::new(), &work(Work::Destroy, &[]));
        assert_eq!(after.table.changes.gaps[&"o".into()], [FRONTAGE]);
    }
    let far = beside(vec![across(ObstacleKind::HastyWorks, 1_010)]);
    assert_eq!(refused(&far, "a", work(Work::Destroy, &[])), ["OBS-07"]);
}

#[test]
fn works_14_a_roll_and_the_bmp_in_turns_turn_a_frontage_of_hasty_works_about() {
    let turn = || work(Work::TurnWorks, &[]);
    let field = || beside(vec![across(ObstacleKind::HastyWorks, 500)]);
    let all = [Quality::Elite, Quality::Veteran, Quality::Green, Quality::Militia];
    let spans = all.map(|quality| {
        let mut battle = field();
        let a = ix(&battle.table, "a");
        battle.table[a].quality = quality;
        planned(&battle, Work::TurnWorks).span
    });
    assert_eq!(spans.map(|span| (span.alone, span.with_engineers)), [(2, 2), (3, 3), (4, 4), (5, 5)]);
    let failed = turns(field(), 1, &start(3), &turn());
    assert!(counted(&failed) == Some(0) && unit(&failed, "a").footing.disorder);
    let two = turns(field(), 2, &start(4), &turn());
    let faces_south = |battle: &Battle| {
        let south = Point::new(30_000, 20_000);
        let north_of_it =
            crate::geometry::Rect::centered(Point::new(30_000, 31_000), protocol::place::Bearing::NORTH, 800, 400);
        battle.table.ground().claims(south, &[north_of_it])[0].right_side
    };
    assert!(!faces_south(&two), "until it is finished they keep their facing");
    let three = turns(two, 1, &ScriptedDice::new(), &turn());
    assert!(faces_south(&three));
    let kept = vec![vec![(20_000, 30_500), (28_250, 30_500)], vec![(31_750, 30_500), (40_000, 30_500)]];
    let turned = line(&[(31_750, 30_500), (28_250, 30_500)]);
    assert_eq!(standing(&three), [(ObstacleKind::HastyWorks, kept), (ObstacleKind::HastyWorks, turned)]);
}

#[test]
fn works_15_medium_and_heavy_works_are_neither_destroyed_nor_turned() {
    for kind in [ObstacleKind::MediumWorks, ObstacleKind::HeavyWorks] {
        for task in [Work::Destroy, Work::TurnWorks] {
            assert_eq!(refused(&beside(vec![across(kind, 500)]), "a", work(task, &[])), ["WORKS-15"]);
        }
    }
}

#[test]
fn works_16_captured_works_get_hasty_works_that_face_the_other_way() {
    // Medium works that face north, taken from the south: hasty works on their line face south.
    let field = || beside(vec![across(ObstacleKind::MediumWorks, 500)]);
    let after = dug(field());
    let hasty = line(&[(31_750, 30_500), (28_250, 30_500)]);
    let medium = line(&[(20_000, 30_500), (40_000, 30_500)]);
    assert_eq!(standing(&after), [(ObstacleKind::MediumWorks, medium), (ObstacleKind::HastyWorks, hasty)]);
    // Who crosses them crosses the medium ones alone.
    let ground = after.table.ground();
    let crossed = ground.barriers(Point::new(30_000, 29_000), Point::new(30_000, 33_000), 3_500);
    assert_eq!(crossed.iter().map(|crossing| crossing.obstacle.kind).collect::<Vec<_>>(), [ObstacleKind::MediumWorks]);
    // An enemy an inch behind them holds them still.
    let enemy = |y| infantry("x", Side::Confederate).at(30_000, y).facing(18_000);
    let held = |y| {
        let ground = Ground { obstacles: vec![across(ObstacleKind::MediumWorks, 500)], ..open_ground() };
        refused(&battle(ground, vec![a(), enemy(y)]), "a", dig())
    };
    assert_eq!(held(31_500), ["WORKS-04"]);
    assert!(held(31_510).is_empty());
}
