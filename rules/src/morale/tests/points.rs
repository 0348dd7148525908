//! MOR-41 to MOR-62, RALLY-10 to RALLY-17, TC: sums of modifiers, and competence.

use super::*;
use crate::battle::Post;
use crate::competence;
use crate::dice::Purpose;
use crate::field::Field;
use crate::ground::{Area, Ground, Obstacle, ObstacleKind, Terrain, Wooded};
use crate::morale::point::{Cause, Modifiers, State};
use crate::morale::{InCharge, shelter};
use crate::testing::{self, Maker, infantry, leader, open_ground, table};
use protocol::words::{Arm, Formation, Quality};

/// The forced check of `a` in a phase, for a happening that is no fire.
fn point_of(table: &Table, phase: u8) -> i32 {
    with_field(table, |field| {
        let charge = InCharge::default();
        let unit = of(table, "a");
        Modifiers::of(field, unit, phase, &charge).forced(State::of(&table[unit]), Cause::Other).total()
    })
}

fn rally_point(table: &Table) -> i32 {
    with_field(table, |field| Modifiers::of(field, of(table, "a"), 2, &InCharge::default()).rally().total())
}

/// A leader who began the turn with `a`. LEAD-11
fn officer(level: u8) -> crate::battle::Leader {
    let mut officer = leader("l", UNION, 30_000, 29_000);
    officer.level = level;
    officer.marks.began_with.push("a".into());
    officer
}

fn with_field<T>(table: &Table, ask: impl FnOnce(&Field) -> T) -> T {
    let dice = ScriptedDice::new();
    ask(&Field::new(Ruleset::standard(), table, &dice))
}

fn a() -> Maker {
    infantry("a", UNION).at(30_000, 30_000)
}

/// An enemy 10 inches north of `a`.
fn enemy() -> Maker {
    infantry("e", CONFEDERATE).at(30_000, 40_000).facing(18_000)
}

fn woods() -> Ground {
    let outline = vec![
        Point::new(25_000, 25_000),
        Point::new(35_000, 25_000),
        Point::new(35_000, 30_500),
        Point::new(25_000, 30_500),
    ];
    let area = Area { id: "w".into(), name: "w".into(), terrain: Terrain::Woods, wooded: Wooded::Light, outline };
    Ground { areas: vec![area], ..open_ground() }
}

/// A line a quarter of an inch before the front of `a`. It runs east, so that works face north.
fn behind(kind: ObstacleKind, ground: Ground) -> Ground {
    let line = vec![Point::new(25_000, 30_250), Point::new(35_000, 30_250)];
    Ground { obstacles: vec![Obstacle { id: "o".into(), kind, line }], ..ground }
}

#[test]
fn mor_41_and_42_the_base_point_goes_by_quality() {
    for (quality, point) in [(Quality::Elite, 2), (Quality::Veteran, 3), (Quality::Green, 4), (Quality::Militia, 5)] {
        assert_eq!(point_of(&table(open_ground(), [a().quality(quality)]), 7), point);
    }
    assert_eq!(point_of(&table(open_ground(), [a().with(|unit| unit.bmp = Some(1))]), 7), 1);
}

#[test]
fn mor_43_a_worked_sum() {
    // Elite 2, two stands +6, behind cover -1, average brigade commander -1.
    let mut table =
        table(behind(ObstacleKind::Fence, open_ground()), [a().quality(Quality::Elite).stands_left(2), enemy()]);
    let officer = officer(1);
    table.leaders.insert(officer.id.clone(), officer);
    assert_eq!(point_of(&table, 7), 6);
}

#[test]
fn mor_46_routed_stands_in_place_of_shaken() {
    assert_eq!(point_of(&table(open_ground(), [a().morale(Morale::Shaken)]), 7), 5);
    assert_eq!(point_of(&table(open_ground(), [a().morale(Morale::Routed)]), 7), 7);
}

#[test]
fn mor_48_and_50_the_brigade_commander_once_and_each_regiment_lost_before() {
    let mut table = table(open_ground(), [a().with(|unit| unit.brigade = Some("b".into()))]);
    brigade(&mut table, "b", 5_000, 5_000);
    let change =
        |table: &mut Table, change: fn(&mut crate::battle::Brigade)| table.brigades.values_mut().for_each(change);
    change(&mut table, |brigade| brigade.regiments_lost_now = 1);
    assert_eq!(point_of(&table, 7), 3, "MOR-32: not in the turn of the loss");
    change(&mut table, |brigade| brigade.regiments_lost_before = 2);
    change(&mut table, |brigade| brigade.commander_lost = true);
    assert_eq!(point_of(&table, 7), 6);
    change(&mut table, |brigade| brigade.guns = true);
    assert_eq!(point_of(&table, 7), 5, "a gun battalion is no brigade");
}

#[test]
fn mor_49_the_fall_of_a_division_or_corps_commander_changes_no_regiments_point() {
    let fallen = |post: &str| {
        let mut table = table(open_ground(), [a().with(|unit| unit.brigade = Some("b".into()))]);
        testing::commander(&mut table, "corps", Post::Corps, (5_000, 5_000), None);
        testing::commander(&mut table, "division", Post::Division, (5_000, 5_000), Some("corps"));
        testing::commander(&mut table, "b", Post::Brigade, (5_000, 5_000), Some("division"));
        table.leaders.values_mut().for_each(|leader| leader.marks.closest_enemy = None);
        let near = table.leaders.get_mut(&post.into()).unwrap();
        near.marks.closest_enemy = Some(1_000);
        // Phase 9: within 2 inches a 6 hits, and a 6 kills.
        let dice = format!("officer.hit {post}: 6\nofficer.outcome {post}: 6");
        let dice = ScriptedDice::parse(&dice).unwrap();
        let played = play_with(9, table, &dice, crate::phases::officers::play);
        assert!(played.table.leaders[&post.into()].lost_in.is_some());
        point_of(&played.table, 7)
    };
    assert_eq!((fallen("corps"), fallen("division")), (3, 3));
    assert_eq!(fallen("b"), 4, "MOR-48");
}

#[test]
fn mor_51_elan_from_the_declaration_on_but_not_in_a_second_turn() {
    let charging = |turns: u32| {
        a().with(|unit| {
            unit.marks.shown = Some(protocol::event::OrderShown::Charge { target: None, support_of: None });
            unit.carried.charge_turns = turns;
        })
    };
    assert_eq!(point_of(&table(open_ground(), [charging(0)]), 4), 2);
    assert_eq!(point_of(&table(open_ground(), [charging(1)]), 4), 3);
    assert_eq!(point_of(&table(open_ground(), [charging(0)]), 7), 3);
}

#[test]
fn lead_14_who_leads_a_charge_gives_one_more_while_it_has_elan() {
    let led = |by: bool, phase: u8| {
        let charges = protocol::event::OrderShown::Charge { target: None, support_of: None };
        let mut table = table(open_ground(), [a().with(|unit| unit.marks.shown = Some(charges))]);
        let mut officer = officer(1);
        officer.marks.led_charge = by;
        table.leaders.insert(officer.id.clone(), officer);
        point_of(&table, phase)
    };
    // Veteran 3, charging -1, level 1 leader -1; leading it -1 more. When the charge is over elan and lead are gone.
    assert_eq!((led(false, 6), led(true, 6), led(true, 7)), (1, 0, 2));
}

#[test]
fn mor_52_the_best_cover_and_woods_beside_it() {
    let cases = [
        (woods(), 2),
        (behind(ObstacleKind::Fence, open_ground()), 2),
        (behind(ObstacleKind::Fence, woods()), 1),
        (behind(ObstacleKind::HastyWorks, woods()), 0),
        (behind(ObstacleKind::MediumWorks, open_ground()), 0),
        (behind(ObstacleKind::HeavyWorks, open_ground()), 0),
        (behind(ObstacleKind::Abatis, open_ground()), 3),
    ];
    for (ground, point) in cases {
        assert_eq!(point_of(&table(ground, [a(), enemy()]), 7), point);
    }
}

#[test]
fn mor_53_on_the_wrong_side_works_are_only_cover() {
    let mut ground = behind(ObstacleKind::HeavyWorks, open_ground());
    ground.obstacles[0].line.reverse();
    assert_eq!(point_of(&table(ground, [a(), enemy()]), 7), 2);
}

#[test]
fn mor_53_with_no_enemy_either_side_will_do() {
    assert_eq!(point_of(&table(behind(ObstacleKind::StoneWall, open_ground()), [a()]), 7), 2);
}

#[test]
fn rally_15_a_friend_beside_does_not_shelter_and_one_ahead_does() {
    // U in single line, 3.5 inches wide; F touches its right end, then stands one inch ahead.
    let sheltered = |ahead: i32| {
        let f = infantry("f", UNION).at(33_500, 30_000 + ahead);
        let table = table(open_ground(), [a(), f, enemy()]);
        with_field(&table, |field| shelter::behind_friendlies(field, of(&table, "a"), &[]))
    };
    assert!(!sheltered(0));
    assert!(sheltered(1_000));
}

#[test]
fn rally_15_every_enemy_must_be_screened() {
    let f = || infantry("f", UNION).at(30_000, 33_000);
    let aside = infantry("g", CONFEDERATE).at(45_000, 30_000).facing(27_000);
    let sheltered = |units: Vec<Maker>| {
        let table = table(open_ground(), units);
        with_field(&table, |field| shelter::behind_friendlies(field, of(&table, "a"), &[]))
    };
    assert!(sheltered(vec![a(), f(), enemy()]));
    assert!(!sheltered(vec![a(), f(), enemy(), aside]));
    assert!(!sheltered(vec![a(), f().morale(Morale::Routed), enemy()]));
}

#[test]
fn rally_16_with_no_enemy_a_friend_to_the_front_shelters() {
    let sheltered = |unit: Maker, y: i32| {
        let table = table(open_ground(), [unit, infantry("f", UNION).at(30_000, y)]);
        with_field(&table, |field| shelter::behind_friendlies(field, of(&table, "a"), &[]))
    };
    assert!(sheltered(a(), 35_000));
    assert!(!sheltered(a(), 25_000));
    // A routed unit has its back to the enemy.
    assert!(sheltered(a().morale(Morale::Routed), 25_000));
}

#[test]
fn rally_10_worked_sums() {
    // Veteran 3, routed +4, one stand +3, one regiment of the brigade +1: 11.
    let routed = || a().morale(Morale::Routed).stands_left(3).with(|unit| unit.brigade = Some("b".into()));
    let build = |ground: Ground, units: Vec<Maker>| {
        let mut table = table(ground, units);
        brigade(&mut table, "b", 5_000, 5_000);
        table.brigades.values_mut().for_each(|brigade| brigade.regiments_lost_before = 1);
        table
    };
    assert_eq!(rally_point(&build(open_ground(), vec![routed(), enemy()])), 11);
    // With an average brigade commander -1, woods -1, behind friendlies -4: 5. The friend stands before the wood.
    let f = infantry("f", UNION).at(30_000, 33_000);
    let mut table = build(woods(), vec![routed(), f, enemy()]);
    let officer = officer(1);
    table.leaders.insert(officer.id.clone(), officer);
    assert_eq!(rally_point(&table), 5);
}

#[test]
fn rally_11_a_level_2_leader() {
    // 3 + 3 + 4 - 2 - 4.
    let f = infantry("f", UNION).at(30_000, 33_000);
    let mut table = table(open_ground(), [a().morale(Morale::Routed).stands_left(3), f, enemy()]);
    let officer = officer(2);
    table.leaders.insert(officer.id.clone(), officer);
    assert_eq!(rally_point(&table), 4);
}

#[test]
fn rally_13_out_of_sight_counts_as_cover_once() {
    assert_eq!(rally_point(&table(open_ground(), [a().morale(Morale::Shaken)])), 4);
    assert_eq!(rally_point(&table(behind(ObstacleKind::Fence, open_ground()), [a().morale(Morale::Shaken)])), 4);
}

fn competent(unit: Maker, officer: Option<(u8, Option<Arm>)>, face: u8) -> bool {
    let mut table = table(open_ground(), [unit.at(30_000, 30_000)]);
    if let Some((level, arm)) = officer {
        let mut officer = leader("l", UNION, 30_000, 29_000);
        (officer.level, officer.arm) = (level, arm);
        table.leaders.insert(officer.id.clone(), officer);
    }
    let dice = ScriptedDice::new().with(Purpose::TacticalSpecial, &["a"], &[face]);
    let mut passed = false;
    play_with(7, table, &dice, |play| {
        let before = play.table().clone();
        let field = Field::new(play.rules, &before, play.dice);
        let roll = competence::roll(play, &field, of(&before, "a"), Purpose::TacticalSpecial, &["a"], "a feat");
        passed = roll.passed;
        roll.tell(play);
    });
    assert_eq!(dice.finish(), Ok(()));
    passed
}

#[test]
fn tc_01_the_die_must_be_above_the_bmp() {
    assert!(!competent(infantry("a", UNION), None, 3));
    assert!(competent(infantry("a", UNION), None, 4));
    assert!(!competent(infantry("a", UNION).quality(Quality::Militia), None, 5));
    assert!(competent(infantry("a", UNION).quality(Quality::Militia), None, 6));
    // Morale and losses do not matter.
    assert!(competent(infantry("a", UNION).morale(Morale::Shaken).stands_left(1), None, 4));
}

#[test]
fn tc_02_an_officer_of_any_level_is_one() {
    assert!(!competent(infantry("a", UNION).green(), Some((3, None)), 3));
    assert!(competent(infantry("a", UNION).green(), Some((3, None)), 4));
    assert!(!competent(infantry("a", UNION).green(), None, 4));
}

#[test]
fn tc_03_level_0_and_the_wrong_arm_do_not_help() {
    assert!(!competent(infantry("a", UNION).green(), Some((0, None)), 4));
    let guns = || crate::testing::battery("a", UNION).green();
    assert!(!competent(guns(), Some((1, Some(Arm::Infantry))), 4));
    assert!(competent(guns(), Some((1, Some(Arm::Artillery))), 4));
    assert!(competent(infantry("a", UNION).green(), Some((1, Some(Arm::Cavalry))), 4));
    let horse = || crate::testing::cavalry("a", UNION).green();
    assert!(!competent(horse(), Some((1, None)), 4));
    assert!(competent(horse(), Some((1, Some(Arm::Cavalry))), 4));
}

#[test]
fn form_29_a_disordered_unit_under_fire_takes_one_in_place_of_its_flank() {
    // Veteran: 3.
    let point = |disordered: bool, flank: FlankClass| {
        let unit = if disordered { a().disordered() } else { a() };
        let table = table(open_ground(), [unit, enemy()]);
        let fire = FiredOn { flank, ..fire(&table, "a", "e") };
        with_field(&table, |field| {
            let (charge, unit) = (InCharge::default(), of(&table, "a"));
            Modifiers::of(field, unit, 7, &charge).forced(State::of(&table[unit]), Cause::Fire(&fire)).total()
        })
    };
    let classes = [FlankClass::Front, FlankClass::Partial, FlankClass::Full, FlankClass::Rear];
    assert_eq!(classes.map(|flank| point(false, flank)), [3, 5, 7, 9]);
    // FORM-31: directly from the rear that comes on top.
    assert_eq!(classes.map(|flank| point(true, flank)), [4, 4, 4, 10]);
}

#[test]
fn tac_21_and_22_a_screen_that_is_gone_counts_from_next_turn() {
    let lost = |taken: fn(&mut crate::battle::Unit)| {
        let mut unit = infantry("u", UNION).formation(Formation::LineWithSkirmishers).unit();
        taken(&mut unit);
        assert_eq!((unit.stands.len(), unit.footing.formation), (3, Formation::SingleLine));
        let now = crate::morale::point::losses(&unit);
        // The marks of a turn are cleared at its end.
        unit.marks = crate::battle::TurnMarks::default();
        (now, crate::morale::point::losses(&unit))
    };
    let runs = |unit: &mut crate::battle::Unit| {
        assert_eq!(crate::losses::screen_runs(unit).figures, 4);
    };
    let wiped_out = |unit: &mut crate::battle::Unit| {
        assert_eq!(crate::losses::take_from_screen(unit, 9).figures, 4);
    };
    assert_eq!((lost(runs), lost(wiped_out)), ((0, 1), (0, 1)));
    // A stand lost otherwise counts at once.
    let mut unit = infantry("u", UNION).unit();
    crate::losses::take(&mut unit, 4);
    assert_eq!(crate::morale::point::losses(&unit), 1);
}
