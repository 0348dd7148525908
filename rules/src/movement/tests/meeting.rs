//! What units do to each other while they move. A line goes 0.050 inches in a segment.

use protocol::event::Morale;
use protocol::ids::Side::{Confederate, Union};
use protocol::orders::{FormTask, Ride, Stop};
use protocol::place::Bearing;
use protocol::words::Formation;

use super::*;
use crate::battle::LeaderOrders;
use crate::testing::{battle, leader};

fn on_open(units: impl IntoIterator<Item = Maker>) -> Battle {
    battle(table(open_ground(), units))
}

/// A line that stands with its rear toward the north and faces south.
fn enemy(y: i32) -> Maker {
    infantry("e", Confederate).at(30_000, y).facing(18_000)
}

fn own() -> Maker {
    infantry("u", Union).at(30_000, 10_000)
}

#[test]
fn mv_02_a_move_is_spread_over_the_segments() {
    let mut battle = on_open([own()]);
    march(&mut battle, "u", path(&[(30_000, 16_000)]));
    let (after, events) = played(battle, no_dice());
    assert_eq!(anchor(&after, "u"), (30_000, 16_000));
    assert!(unit(&after, "u").marks.moved && !unit(&after, "u").marks.changed_formation);
    let track: Vec<(u8, i32)> = events
        .iter()
        .find_map(|event| match &event.fact {
            Fact::Moved { track, .. } => Some(track.iter().map(|at| (at.segment, at.stance.anchor.y)).collect()),
            _ => None,
        })
        .expect("the move is told");
    assert_eq!(track, [(0, 10_000), (120, 16_000)]);
}

#[test]
fn mv_01_a_compromised_unit_does_not_move() {
    for spoil in [
        (|unit: &mut Unit| unit.marks.fell_back = true) as fn(&mut Unit),
        |unit| unit.marks.conditional_hold = true,
        |unit| unit.marks.in_melee = true,
        |unit| unit.marks.charged_by = Some("e".into()),
        |unit| unit.morale = Morale::Routed,
    ] {
        let mut battle = on_open([own().with(spoil)]);
        march(&mut battle, "u", path(&[(30_000, 16_000)]));
        assert_eq!(anchor(&played(battle, no_dice()).0, "u"), (30_000, 10_000));
    }
}

#[test]
fn mv_26_two_lines_that_meet_both_halt_outside_an_inch() {
    let mut battle = on_open([own(), enemy(15_000)]);
    march(&mut battle, "u", path(&[(30_000, 16_000)]));
    march(&mut battle, "e", path(&[(30_000, 9_000)]));
    let (after, events) = played(battle, no_dice());
    // Five inches apart, they come 0.1 nearer in a segment: after 39 they are 1.1 apart, the 40th would bring them to 1.0.
    assert_eq!((anchor(&after, "u"), anchor(&after, "e")), ((30_000, 11_950), (30_000, 13_050)));
    assert_eq!((halted(&events, "u").as_deref(), halted(&events, "e").as_deref()), (Some("MV-26"), Some("MV-26")));
}

#[test]
fn mv_26_one_that_draws_away_is_not_halted_and_who_follows_as_fast_is_neither() {
    // The enemy's rear edge is 0.9 inches ahead; both march north.
    let ahead = infantry("e", Confederate).at(30_000, 11_525);
    let mut battle = on_open([own(), ahead]);
    march(&mut battle, "u", path(&[(30_000, 16_000)]));
    march(&mut battle, "e", path(&[(30_000, 17_525)]));
    let (after, _) = played(battle, no_dice());
    assert_eq!((anchor(&after, "u"), anchor(&after, "e")), ((30_000, 16_000), (30_000, 17_525)));
}

#[test]
fn mv_26_routed_enemies_stop_nobody() {
    let mut battle = on_open([own(), enemy(18_000).morale(Morale::Routed)]);
    march(&mut battle, "u", path(&[(30_000, 16_000)]));
    assert_eq!(anchor(&played(battle, no_dice()).0, "u").1, 16_000);
}

#[test]
fn rout_11_a_routed_enemy_who_is_reached_surrenders() {
    let mut battle = on_open([own(), enemy(14_000).morale(Morale::Routed)]);
    march(&mut battle, "u", path(&[(30_000, 16_000)]));
    let (after, _) = played(battle, no_dice());
    assert_eq!(unit(&after, "e").presence, protocol::view::Presence::Removed);
    assert_eq!(anchor(&after, "u").1, 16_000);
}

#[test]
fn mv_14_a_unit_already_in_disorder_rolls_without_effect() {
    let friend = infantry("f", Union).at(30_000, 13_000).disordered();
    let mut battle = on_open([own(), friend]);
    march(&mut battle, "u", path(&[(30_000, 16_000)]));
    let dice = ScriptedDice::new().with(Purpose::TacticalPassThrough, &["u", "f"], &[6]);
    let dice = dice.with(Purpose::TacticalPassThrough, &["f", "u"], &[1]);
    let (after, events) = played(battle, dice);
    assert!(!unit(&after, "u").footing.disorder && unit(&after, "f").footing.disorder);
    let lost_order = |event: &&Event| matches!(event.fact, Fact::Disorder { .. });
    assert_eq!(events.iter().filter(lost_order).count(), 0);
}

#[test]
fn mv_16_infantry_in_column_rolls_for_guns_that_gallop_through_on_a_road() {
    let way = crate::ground::Way {
        id: "road".into(),
        name: "road".to_owned(),
        kind: crate::ground::WayKind::Road,
        line: vec![p(30_000, 0), p(30_000, 60_000)],
        width: 1_000,
    };
    let ground = Ground { ways: vec![way], ..open_ground() };
    let foot = infantry("f", Union).formation(Formation::MarchColumn).at(30_000, 15_000);
    let guns = battery("u", Union).at(30_000, 10_000).formation(Formation::Limbered);
    let mut battle = battle(table(ground, [foot, guns]));
    march(&mut battle, "u", path(&[(30_000, 30_000)]));
    let dice = ScriptedDice::new().with(Purpose::TacticalPassThrough, &["f", "u"], &[3]);
    let (after, _) = played(battle, dice);
    assert!(unit(&after, "f").footing.disorder && !unit(&after, "u").footing.disorder);
}

#[test]
fn form_10_skirmishers_keep_two_inches_off() {
    let skirmishers = own().formation(Formation::SkirmishLine);
    let mut battle = on_open([skirmishers, enemy(16_000)]);
    march(&mut battle, "u", path(&[(30_000, 20_000)]));
    let (after, events) = played(battle, no_dice());
    // Ten inches a turn: 83.33 thousandths a segment. 47 segments bring it to 13.916; the 48th would reach 14.000.
    assert_eq!(anchor(&after, "u"), (30_000, 13_916));
    assert_eq!(halted(&events, "u").as_deref(), Some("FORM-10"));
}

#[test]
fn arty_04_guns_keep_four_inches_off_infantry_and_six_off_guns() {
    let limbered = || battery("u", Union).at(30_000, 15_000).formation(Formation::Limbered);
    let mut battle = on_open([limbered(), enemy(30_000)]);
    march(&mut battle, "u", path(&[(30_000, 40_000)]));
    let (after, events) = played(battle, no_dice());
    // 133.33 thousandths a segment: 82 segments reach 25.933, the 83rd would come to 3.934 inches.
    assert_eq!((anchor(&after, "u"), halted(&events, "u").as_deref()), ((30_000, 25_933), Some("ARTY-04")));
    let mut battle = on_open([limbered(), battery("e", Confederate).at(30_000, 30_000).facing(18_000)]);
    march(&mut battle, "u", path(&[(30_000, 40_000)]));
    // 67 segments reach 23.933; the 68th would come to 5.934 inches.
    assert_eq!(anchor(&played(battle, no_dice()).0, "u"), (30_000, 23_933));
}

#[test]
fn shk_07_a_shaken_unit_is_cut_where_it_would_come_nearer() {
    let mut battle = on_open([own().morale(Morale::Shaken), enemy(30_000)]);
    march(&mut battle, "u", path(&[(30_000, 16_000)]));
    let (after, events) = played(battle, no_dice());
    assert_eq!((anchor(&after, "u"), halted(&events, "u").as_deref()), ((30_000, 10_000), Some("SHK-07")));
    let mut battle = on_open([own().morale(Morale::Shaken), enemy(30_000)]);
    march(&mut battle, "u", MoveOrder { backing: true, ..path(&[(30_000, 0)]) });
    assert_eq!(anchor(&played(battle, no_dice()).0, "u"), (30_000, 7_000));
}

#[test]
fn ord_09_out_of_command_and_half_strength_do_not_advance() {
    let lost = own().with(|unit| unit.marks.in_command = false);
    let half = own().stands_left(2);
    for (unit, rule) in [(lost, "CMD-07"), (half.clone(), "ORD-10")] {
        let mut battle = on_open([unit, enemy(30_000)]);
        march(&mut battle, "u", path(&[(30_000, 16_000)]));
        assert_eq!(halted(&played(battle, no_dice()).1, "u").as_deref(), Some(rule));
    }
    let mut table = table(open_ground(), [half, enemy(30_000)]);
    table.leaders.insert("l".into(), leader("l", Union, 30_000, 9_000));
    let mut battle = battle(table);
    march(&mut battle, "u", path(&[(30_000, 16_000)]));
    assert_eq!(anchor(&played(battle, no_dice()).0, "u").1, 16_000);
}

#[test]
fn mv_27_a_standing_stop_ends_the_move() {
    let stopping = |stop: Stop| {
        let mut battle = on_open([own(), enemy(20_000)]);
        let standing = Instructions { stop: Some(stop), ..Instructions::default() };
        give(&mut battle, "u", Order::Move(path(&[(30_000, 16_000)])), standing);
        anchor(&played(battle, no_dice()).0, "u").1
    };
    assert_eq!(stopping(Stop::Never {}), 16_000);
    assert_eq!(stopping(Stop::After { travel: 2_000 }), 12_000);
    // Ten inches apart: the 80th step of 0.050 would end within six.
    assert_eq!(stopping(Stop::Before { distance: 6_000 }), 13_950);
    // However wide a distance is named: the first step toward anybody in sight is one too many.
    for distance in [u32::MAX, i32::MAX.unsigned_abs(), i32::MAX.unsigned_abs() - 9] {
        assert_eq!(stopping(Stop::Before { distance }), 10_000);
    }
    // Close range of a rifle musket is two inches: never reached by this path.
    assert_eq!(stopping(Stop::BeforeClose {}), 16_000);
}

#[test]
fn mv_14_both_roll_and_the_one_that_fails_is_disordered_but_completes_its_move() {
    let friend = infantry("f", Union).at(30_000, 13_000);
    let mut battle = on_open([own(), friend]);
    march(&mut battle, "u", path(&[(30_000, 16_000)]));
    // Veterans: BMP 3.
    let (after, _) = played(battle, pass_dice("u", "f", 3, 4));
    assert_eq!(anchor(&after, "u"), (30_000, 16_000));
    assert!(unit(&after, "u").footing.disorder && !unit(&after, "f").footing.disorder);
}

#[test]
fn mv_15_a_change_still_to_come_is_dropped() {
    let friend = infantry("f", Union).at(30_000, 11_500);
    let mut battle = on_open([own(), friend]);
    let task = FormTask::Formation { formation: Formation::DoubleLine, facing: None, pivot: None, gap: None };
    march(&mut battle, "u", MoveOrder { form_last: Some(task), ..path(&[(30_000, 13_000)]) });
    let (after, _) = played(battle, pass_dice("u", "f", 1, 6));
    assert_eq!(anchor(&after, "u"), (30_000, 13_000));
    assert_eq!(unit(&after, "u").footing.formation, Formation::SingleLine);
}

#[test]
fn mv_13_skirmishers_and_mv_16_guns_pass_without_a_roll() {
    let friend = || infantry("f", Union).at(30_000, 13_000);
    for mover in [
        own().formation(Formation::SkirmishLine),
        battery("u", Union).at(30_000, 10_000).formation(Formation::Limbered),
    ] {
        let mut battle = on_open([mover, friend()]);
        march(&mut battle, "u", path(&[(30_000, 19_000)]));
        assert_eq!(anchor(&played(battle, no_dice()).0, "u"), (30_000, 19_000));
    }
}

#[test]
fn mv_29_who_ends_on_a_friend_goes_back_to_the_last_clear_place() {
    let friend = infantry("f", Union).at(30_000, 13_000);
    let mut battle = on_open([own(), friend]);
    march(&mut battle, "u", path(&[(30_000, 13_000)]));
    let (after, events) = played(battle, pass_dice("u", "f", 6, 6));
    // The friend's rear edge is at 12.375: after 47 steps the mover's front is at 12.350.
    assert_eq!((anchor(&after, "u"), halted(&events, "u").as_deref()), ((30_000, 12_350), Some("MV-29")));
}

#[test]
fn mv_29_who_came_first_keeps_its_place() {
    // Both end at 20.000; `a` has one inch to go, `u` comes after it from farther behind.
    let first = infantry("a", Union).at(30_000, 19_000);
    let second = infantry("u", Union).at(30_000, 15_000);
    let mut battle = on_open([first, second]);
    march(&mut battle, "a", path(&[(30_000, 20_000)]));
    march(&mut battle, "u", path(&[(30_000, 20_000)]));
    let (after, _) = played(battle, pass_dice("a", "u", 6, 6));
    assert_eq!((anchor(&after, "a"), anchor(&after, "u")), ((30_000, 20_000), (30_000, 19_350)));
}

#[test]
fn move_14_a_push_needs_a_die_above_the_bmp() {
    for (face, disorder) in [(3, true), (4, false)] {
        let mut battle = on_open([own()]);
        march(&mut battle, "u", MoveOrder { push: true, ..path(&[(30_000, 19_000)]) });
        let (after, _) = played(battle, ScriptedDice::new().with(Purpose::Push, &["u"], &[face]));
        assert_eq!((anchor(&after, "u"), unit(&after, "u").footing.disorder), ((30_000, 19_000), disorder));
    }
    // Not used, not rolled.
    let mut battle = on_open([own()]);
    march(&mut battle, "u", MoveOrder { push: true, ..path(&[(30_000, 15_000)]) });
    played(battle, no_dice());
}

#[test]
fn mv_17_the_unit_is_in_disorder_from_its_first_step() {
    let mut battle = on_open([own()]);
    march(&mut battle, "u", path(&[(36_000, 10_000)]));
    let (after, events) = played(battle, no_dice());
    assert!(unit(&after, "u").footing.disorder);
    let told = events.iter().find(|event| matches!(event.fact, Fact::Disorder { .. })).expect("disorder is told");
    assert_eq!((told.segment, told.rule.as_str()), (Some(1), "MV-17"));
}

#[test]
fn mv_07_a_form_order_is_done_after_sixty_segments() {
    let mut battle = on_open([own()]);
    let task = FormTask::Formation { formation: Formation::DoubleLine, facing: None, pivot: None, gap: None };
    give(&mut battle, "u", Order::Form { task }, Instructions::default());
    let (after, events) = played(battle, no_dice());
    let told = events.iter().find(|event| matches!(event.fact, Fact::Formed { .. })).expect("the change is told");
    assert_eq!(told.segment, Some(60));
    let marks = &unit(&after, "u").marks;
    assert!(marks.changed_formation && !marks.moved && !marks.forming);
    assert_eq!(unit(&after, "u").last_formed, Formation::DoubleLine);
}

#[test]
fn form_35_a_change_slides_along_its_front_where_a_friend_is_in_the_way() {
    // A column of one stand forms line; a friend stands 0.2 inches into the place of its right end.
    let column = own().formation(Formation::MarchColumn);
    let friend = infantry("f", Union).formation(Formation::MarchColumn).at(31_987, 10_000);
    let mut battle = on_open([column, friend]);
    let task = FormTask::Formation { formation: Formation::SingleLine, facing: None, pivot: None, gap: None };
    give(&mut battle, "u", Order::Form { task }, Instructions::default());
    let (after, _) = played(battle, no_dice());
    // On its head as the right middle stand the line would reach from 28.250 to 31.313 + 0.437: no friend there; the
    // pivot's half stand is rounded.
    let shape = unit(&after, "u").layout();
    assert!(shape.rects().all(|rect| rect.corners.iter().all(|corner| corner.x <= 31_552)));
}

#[test]
fn arty_03_guns_that_limbered_have_no_fire() {
    let mut battle = on_open([battery("u", Union).at(30_000, 10_000)]);
    let order = MoveOrder {
        form_first: Some(FormTask::Limber { facing: None }),
        form_last: Some(FormTask::Unlimber { facing: Some(Bearing::NORTH) }),
        ..path(&[(30_000, 40_000)])
    };
    march(&mut battle, "u", order);
    let (after, _) = played(battle, no_dice());
    let guns = unit(&after, "u");
    assert_eq!((guns.footing.formation, guns.marks.guns_silent), (Formation::Unlimbered, true));
    assert_eq!(guns.layout().stands[0].rect.center, p(30_000, 13_500));
}

#[test]
fn move_17_an_attached_leader_goes_with_his_unit_and_a_rider_twelve_inches() {
    let mut table = table(open_ground(), [own()]);
    let mut with = leader("with", Union, 30_000, 9_000);
    with.attached = Some("u".into());
    table.leaders.insert("with".into(), with);
    table.leaders.insert("alone".into(), leader("alone", Union, 10_000, 10_000));
    let mut battle = battle(table);
    march(&mut battle, "u", path(&[(30_000, 16_000)]));
    let draft = protocol::orders::LeaderDraft {
        ride: Some(Ride::Path { points: vec![p(10_000, 40_000)], before_charges: false }),
        ..Default::default()
    };
    let said = LeaderOrders { said: [(Stage::Orders, draft)].into() };
    battle.secrets.get_mut(Union).open_mut().leaders.insert("alone".into(), said);
    let (after, _) = played(battle, no_dice());
    let at = |id: &str| after.table.leaders[&protocol::ids::LeaderId::new(id)].at;
    assert_eq!((at("with"), at("alone")), (p(30_000, 15_000), p(10_000, 22_000)));
}

#[test]
fn off_02_the_closest_approach_is_logged() {
    let mut table = table(open_ground(), [own(), enemy(20_000)]);
    table.leaders.insert("l".into(), leader("l", Confederate, 30_000, 21_125));
    let mut battle = battle(table);
    march(&mut battle, "u", path(&[(30_000, 16_000)]));
    let (after, _) = played(battle, no_dice());
    // His square inch begins at 20.625.
    assert_eq!(after.table.leaders[&protocol::ids::LeaderId::new("l")].marks.closest_enemy, Some(4_625));
}

#[test]
fn the_preview_is_what_happens() {
    let mut battle = on_open([own(), enemy(14_000)]);
    let order = Order::Move(path(&[(30_000, 16_000)]));
    let known = crate::battle::known(&battle, Union);
    let preview = super::super::preview(&known, Ruleset::standard(), &UnitId::new("u"), &order);
    give(&mut battle, "u", order, Instructions::default());
    let (after, _) = played(battle, no_dice());
    let end = preview.end.expect("the unit is on the table");
    assert_eq!((end.anchor.x, end.anchor.y), anchor(&after, "u"));
    assert!(preview.stops.expect("the enemy stops it").contains("MV-26"));
}
