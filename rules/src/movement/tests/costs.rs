//! What a move costs and where it ends, for a unit alone.

use protocol::ids::Side::Union;
use protocol::orders::{FormTask, MoveOrder, PathAnswer, ProneChange, Wheel};
use protocol::place::Bearing;
use protocol::words::{Flank, Formation};

use super::*;
use crate::ground::{Way, WayKind};

fn line() -> Maker {
    infantry("u", Union).at(30_000, 10_000)
}

fn form(formation: Formation) -> FormTask {
    FormTask::Formation { formation, facing: None, pivot: None, gap: None }
}

#[test]
fn move_01_a_line_moves_at_most_six_inches_in_the_open() {
    let program = alone(open_ground(), line(), &path(&[(30_000, 20_000)]));
    assert_eq!((end_of(&program), program.spent()), ((30_000, 16_000), TURN));
    let program = alone(open_ground(), line(), &path(&[(30_000, 12_000)]));
    assert_eq!((end_of(&program), program.spent(), program.stops), ((30_000, 12_000), TURN / 3, None));
}

#[test]
fn move_02_three_inches_of_open_leave_two_of_broken() {
    let program = alone(ground_from(13_000, Terrain::Broken), line(), &path(&[(30_000, 20_000)]));
    assert_eq!(end_of(&program), (30_000, 15_000));
    let pieces: Vec<(&str, u32, u32)> =
        program.pieces.iter().map(|piece| (piece.label.as_str(), piece.length, piece.points)).collect();
    assert_eq!(pieces, [("open", 3_000, 2_520_000), ("broken", 2_000, 2_520_000)]);
}

#[test]
fn move_02_a_line_pays_the_hardest_ground_under_its_front_and_a_column_that_under_its_head() {
    // Woods under the leftmost stand alone: its front's middle lies 1312 to the left of the anchor.
    let mut ground = ground_from(0, Terrain::Woods);
    ground.areas[0].outline = vec![p(0, 0), p(29_000, 0), p(29_000, 60_000), p(0, 60_000)];
    let program = alone(ground.clone(), line(), &path(&[(30_000, 20_000)]));
    assert_eq!(end_of(&program), (30_000, 12_000));
    let program = alone(ground, line().formation(Formation::MarchColumn), &path(&[(30_000, 30_000)]));
    assert_eq!(end_of(&program), (30_000, 20_000));
}

#[test]
fn mv_03_forbidden_ground_halts_at_its_edge() {
    let rider = cavalry("u", Union).at(30_000, 10_000);
    let program = alone(ground_from(13_000, Terrain::Rough), rider, &path(&[(30_000, 20_000)]));
    assert_eq!(end_of(&program), (30_000, 13_000));
    assert_eq!(program.stops.map(|(rule, _)| rule.as_str()), Some("MV-03"));
}

#[test]
fn mv_03_a_column_moves_at_the_road_rate_along_a_road() {
    let way = Way {
        id: "road".into(),
        name: "road".to_owned(),
        kind: WayKind::Road,
        line: vec![p(30_000, 0), p(30_000, 60_000)],
        width: 1_000,
    };
    let ground = Ground { ways: vec![way], ..open_ground() };
    let column = line().formation(Formation::MarchColumn);
    assert_eq!(end_of(&alone(ground.clone(), column, &path(&[(30_000, 40_000)]))), (30_000, 22_000));
    assert_eq!(end_of(&alone(ground, line(), &path(&[(30_000, 40_000)]))), (30_000, 16_000));
}

#[test]
fn move_08_a_fence_costs_foot_one_inch_and_horse_two() {
    let fenced = || with_fence(open_ground(), 12_000);
    assert_eq!(end_of(&alone(fenced(), line(), &path(&[(30_000, 30_000)]))), (30_000, 15_000));
    let rider = cavalry("u", Union).at(30_000, 10_000);
    assert_eq!(end_of(&alone(fenced(), rider, &path(&[(30_000, 30_000)]))), (30_000, 18_000));
}

#[test]
fn move_09_a_fence_in_woods_costs_nothing() {
    let ground = with_fence(ground_from(0, Terrain::Woods), 11_000);
    assert_eq!(end_of(&alone(ground, line(), &path(&[(30_000, 30_000)]))), (30_000, 12_000));
}

#[test]
fn move_13_a_push_adds_three_inches_in_the_open_two_in_broken_one_in_woods_and_a_half_in_rough() {
    let push = MoveOrder { push: true, ..path(&[(30_000, 30_000)]) };
    let open = alone(open_ground(), line(), &push);
    assert_eq!((end_of(&open), open.total), ((30_000, 19_000), TURN + 3 * 840_000));
    assert_eq!(end_of(&alone(ground_from(0, Terrain::Broken), line(), &push)), (30_000, 16_000));
    assert_eq!(end_of(&alone(ground_from(0, Terrain::Woods), line(), &push)), (30_000, 13_000));
    assert_eq!(end_of(&alone(ground_from(0, Terrain::Rough), line(), &push)), (30_000, 11_500));
    // The ground where the normal move ends decides: 6 inches of open, then 3 of whatever follows.
    assert_eq!(end_of(&alone(ground_from(16_500, Terrain::Woods), line(), &push)), (30_000, 19_000));
}

#[test]
fn mv_25_skirmishers_and_disordered_units_do_not_push() {
    let push = MoveOrder { push: true, ..path(&[(30_000, 30_000)]) };
    let skirmishers = alone(open_ground(), line().formation(Formation::SkirmishLine), &push);
    assert_eq!(end_of(&skirmishers), (30_000, 20_000));
    assert_eq!(skirmishers.refusals[0].0.as_str(), "MV-25");
    assert_eq!(end_of(&alone(open_ground(), line().disordered(), &push)), (30_000, 16_000));
}

#[test]
fn form_32_a_change_takes_half_the_turn_and_the_rest_is_moved_in_the_formation_held() {
    let first = MoveOrder { form_first: Some(form(Formation::DoubleLine)), ..path(&[(30_000, 30_000)]) };
    let program = alone(open_ground(), line(), &first);
    // The right-hand of the two middle stands stays: the double line's front is as far ahead, its middle at that stand's left edge.
    assert_eq!(program.end().footing.formation, Formation::DoubleLine);
    assert_eq!(program.end().footing.anchor.y, 13_500);
    let last = MoveOrder { form_last: Some(form(Formation::DoubleLine)), ..path(&[(30_000, 30_000)]) };
    let program = alone(open_ground(), line(), &last);
    assert_eq!((program.end().footing.formation, program.end().footing.anchor.y), (Formation::DoubleLine, 13_000));
    assert_eq!(program.spent(), TURN);
    // MV-07 The old formation is kept until the last of its segments is done.
    assert_eq!(program.body_at(program.points_by(119)).footing.formation, Formation::SingleLine);
    assert_eq!(program.body_at(program.points_by(120)).footing.formation, Formation::DoubleLine);
}

#[test]
fn form_33_green_units_skirmishers_and_disorder_take_the_whole_turn() {
    let order = MoveOrder { form_first: Some(form(Formation::DoubleLine)), ..MoveOrder::default() };
    assert_eq!(alone(open_ground(), line(), &order).spent(), TURN / 2);
    assert_eq!(alone(open_ground(), line().green(), &order).spent(), TURN);
    assert_eq!(alone(open_ground(), line().formation(Formation::SkirmishLine), &order).spent(), TURN);
    let reformed = alone(open_ground(), line().disordered(), &order);
    assert_eq!((reformed.spent(), reformed.end().footing.disorder), (TURN, false));
}

#[test]
fn move_03_green_units_do_not_combine_a_change_with_a_move() {
    let order = MoveOrder { form_first: Some(form(Formation::DoubleLine)), ..path(&[(30_000, 30_000)]) };
    let program = alone(open_ground(), line().green(), &order);
    assert_eq!(program.refusals[0].0.as_str(), "MOVE-03");
    assert_eq!(program.end().footing.anchor.y, 10_000);
}

#[test]
fn form_34_woods_slow_every_change_but_unlimbering() {
    let woods = || ground_from(0, Terrain::Woods);
    let order = |task| MoveOrder { form_first: Some(task), ..MoveOrder::default() };
    assert_eq!(alone(woods(), line(), &order(form(Formation::DoubleLine))).spent(), TURN);
    let guns = || battery("u", Union).at(30_000, 10_000);
    assert_eq!(alone(woods(), guns(), &order(FormTask::Limber { facing: None })).spent(), TURN);
    let limbered = guns().formation(Formation::Limbered);
    assert_eq!(alone(woods(), limbered, &order(FormTask::Unlimber { facing: None })).spent(), TURN / 4);
}

#[test]
fn form_35_one_stand_keeps_its_place() {
    let task = FormTask::Formation {
        formation: Formation::MarchColumn,
        facing: Some(Bearing::EAST),
        pivot: Some(0),
        gap: None,
    };
    let order = MoveOrder { form_first: Some(task), ..MoveOrder::default() };
    let program = alone(open_ground(), line(), &order);
    // The left end stand is centred 1312.5 to the left and 312.5 behind the anchor.
    let head = program.end().layout(4).stands[0].rect.center;
    assert!((head.x - 28_687).abs() <= 1 && (head.y - 9_688).abs() <= 1, "{head:?}");
}

#[test]
fn form_36_five_inches_and_a_turn_to_the_flank_spend_seven() {
    let column = line().formation(Formation::MarchColumn);
    let order =
        MoveOrder { form_last: Some(FormTask::FrontToFlank { toward: Flank::Left }), ..path(&[(30_000, 15_000)]) };
    let program = alone(open_ground(), column, &order);
    assert_eq!(program.spent(), TURN * 7 / 10);
    let end = program.end().footing;
    assert_eq!((end.formation, end.facing), (Formation::SingleLine, Bearing::WEST));
    let green = alone(open_ground(), line().green().formation(Formation::MarchColumn), &order);
    assert_eq!(green.spent(), TURN * 9 / 10);
}

#[test]
fn form_36_not_for_skirmishers_or_in_woods() {
    let order = MoveOrder { form_first: Some(FormTask::FrontToFlank { toward: Flank::Left }), ..MoveOrder::default() };
    let woods = alone(ground_from(0, Terrain::Woods), line(), &order);
    assert_eq!(woods.refusals[0].0.as_str(), "FORM-36");
    assert!(!alone(open_ground(), line().disordered(), &order).refusals.is_empty());
}

#[test]
fn form_21_a_column_turns_free_by_its_head() {
    let column = line().formation(Formation::MarchColumn);
    let program = alone(open_ground(), column, &path(&[(30_000, 14_000), (40_000, 14_000)]));
    assert_eq!(end_of(&program), (36_000, 14_000));
    assert_eq!(program.end().footing.facing, Bearing::EAST);
    assert!(program.end().footing.trail.is_empty(), "six inches of the last leg hold the whole column");
    // One inch into the second leg the tail still lies along the first.
    let bent = program.body_at(TURN / 2);
    assert_eq!(bent.footing.anchor, p(31_000, 14_000));
    assert_eq!(bent.layout(4).stands[3].rect.facing, Bearing::NORTH);
}

#[test]
fn form_23_a_column_reverses_from_its_head() {
    let column = line().formation(Formation::MarchColumn);
    let program = alone(open_ground(), column, &path(&[(30_000, 5_000)]));
    assert_eq!((end_of(&program), program.end().footing.facing), ((30_000, 5_000), Bearing::SOUTH));
    assert_eq!(program.spent(), TURN / 2);
}

#[test]
fn mv_17_more_than_45_degrees_off_the_front_disorders_the_whole_move() {
    let straight = alone(open_ground(), line(), &path(&[(32_000, 12_000)]));
    assert!(!straight.start.footing.disorder, "45.00 degrees is not more than 45");
    let oblique = alone(open_ground(), line(), &path(&[(32_000, 11_990)]));
    assert!(oblique.start.footing.disorder);
    // Woods: the line has 2 inches, disorder 3.
    let woods = alone(ground_from(0, Terrain::Woods), line(), &path(&[(40_000, 10_000)]));
    assert_eq!(end_of(&woods), (33_000, 10_000));
    let skirmishers = line().formation(Formation::SkirmishLine);
    assert!(!alone(open_ground(), skirmishers, &path(&[(40_000, 10_000)])).start.footing.disorder);
}

#[test]
fn mv_17_mounted_the_lower_of_formation_and_disorder() {
    let rider = || cavalry("u", Union).at(30_000, 10_000);
    assert_eq!(end_of(&alone(open_ground(), rider(), &path(&[(50_000, 10_000)]))), (40_000, 10_000));
    // Rough: the line may not go there in order, disorder has an inch.
    assert_eq!(end_of(&alone(ground_from(0, Terrain::Rough), rider(), &path(&[(50_000, 10_000)]))), (31_000, 10_000));
}

#[test]
fn mv_19_a_wheel_is_measured_along_the_chord_of_the_moving_end() {
    let wheel = Wheel { pivot: Flank::Right, facing: Bearing::EAST, last: false };
    let program = alone(open_ground(), line(), &MoveOrder { wheel: Some(wheel), ..MoveOrder::default() });
    // From the middle of the right end stand to the left corner of the line: 3.063 inches. Chord of a quarter: 4.332.
    assert_eq!(program.spent(), 4_332 * 840);
    assert_eq!(program.end().footing.facing, Bearing::EAST);
    let pivot = |program: &Program, points| {
        let body = program.body_at(points);
        body.layout(4).stands[3].rect.front_edge().middle()
    };
    let (start, half) = (pivot(&program, 0), pivot(&program, program.spent() / 2));
    assert!((start.x - half.x).abs() <= 1 && (start.y - half.y).abs() <= 1, "MV-20: the end stand does not move");
    assert_eq!(program.body_at(program.spent() / 2).footing.facing, Bearing::wrapping(4_500));
}

#[test]
fn mv_19_by_the_house_rule_a_wheel_is_measured_along_the_arc() {
    // Radius 3.063 (3.0625, rounded): a quarter of a circle is 3.063 x 1.5708 = 4.811 inches; the chord was 4.332.
    let wheel = Wheel { pivot: Flank::Right, facing: Bearing::EAST, last: false };
    let order = MoveOrder { wheel: Some(wheel), ..MoveOrder::default() };
    for (word, way) in [("chord", 4_332), ("arc", 4_811)] {
        let table = crate::testing::played_by(table(open_ground(), [line()]), &[("wheel_measure", word)]);
        assert_eq!(compiled(&table, "u", &order).spent(), way * 840, "{word}");
    }
}

#[test]
fn mv_18_a_wheel_turns_at_most_90_degrees_and_columns_do_not_wheel() {
    let wheel = |facing: i32| MoveOrder {
        wheel: Some(Wheel { pivot: Flank::Right, facing: Bearing::wrapping(facing), last: false }),
        ..MoveOrder::default()
    };
    assert_eq!(alone(open_ground(), line(), &wheel(9_001)).refusals[0].0.as_str(), "MV-18");
    assert!(alone(open_ground(), line(), &wheel(9_000)).refusals.is_empty());
    assert_eq!(alone(open_ground(), line(), &wheel(-3_000)).refusals[0].0.as_str(), "MV-20");
    let column = line().formation(Formation::MarchColumn);
    assert_eq!(alone(open_ground(), column, &wheel(3_000)).refusals[0].0.as_str(), "MV-20");
}

#[test]
fn mv_21_an_about_face_costs_an_inch() {
    let order = MoveOrder { about_face: true, ..path(&[(30_000, 0)]) };
    let program = alone(open_ground(), line(), &order);
    // The rear edge, 0.625 behind, becomes the front; five inches are left.
    assert_eq!(end_of(&program), (30_000, 4_375));
    assert_eq!(program.end().footing.facing, Bearing::SOUTH);
    let column = line().formation(Formation::AttackColumn);
    assert_eq!(alone(open_ground(), column, &order).refusals[0].0.as_str(), "MV-21");
}

#[test]
fn mv_22_backing_costs_double() {
    let order = MoveOrder { backing: true, ..path(&[(30_000, 0)]) };
    let program = alone(open_ground(), line(), &order);
    assert_eq!((end_of(&program), program.end().footing.facing), ((30_000, 7_000), Bearing::NORTH));
    let aside = MoveOrder { backing: true, ..path(&[(40_000, 9_000)]) };
    assert_eq!(alone(open_ground(), line(), &aside).refusals[0].0.as_str(), "MV-22");
}

#[test]
fn mv_10_limbering_and_unlimbering() {
    let guns = |quality: bool| if quality { battery("u", Union) } else { battery("u", Union).green() };
    let order = |task| MoveOrder { form_first: Some(task), ..MoveOrder::default() };
    let limber = order(FormTask::Limber { facing: None });
    assert_eq!(alone(open_ground(), guns(true).at(30_000, 10_000), &limber).spent(), TURN / 2);
    assert_eq!(alone(open_ground(), guns(false).at(30_000, 10_000), &limber).spent(), TURN);
    let unlimber = order(FormTask::Unlimber { facing: None });
    let limbered = |quality| guns(quality).at(30_000, 10_000).formation(Formation::Limbered);
    assert_eq!(alone(open_ground(), limbered(true), &unlimber).spent(), TURN / 4);
    assert_eq!(alone(open_ground(), limbered(false), &unlimber).spent(), TURN / 2);
}

#[test]
fn arty_03_limber_a_quarter_of_the_rate_and_unlimber() {
    let order = MoveOrder {
        form_first: Some(FormTask::Limber { facing: None }),
        form_last: Some(FormTask::Unlimber { facing: Some(Bearing::EAST) }),
        ..path(&[(30_000, 40_000)])
    };
    let program = alone(open_ground(), battery("u", Union).at(30_000, 10_000), &order);
    assert_eq!(program.spent(), TURN);
    // Limbered the centre stays, so the front lies half an inch farther; then a quarter of 16 inches, then the centre stays again.
    let end = program.end();
    assert_eq!((end.footing.formation, end.footing.facing), (Formation::Unlimbered, Bearing::EAST));
    assert_eq!(end.layout(1).stands[0].rect.center, p(30_000, 13_500));
}

#[test]
fn arty_38_one_horse_halves_and_arty_39_none_stops() {
    let limbered = |horses: u32| {
        let guns = battery("u", Union).at(30_000, 10_000).formation(Formation::Limbered);
        guns.with(|unit| unit.guns.as_mut().expect("a battery has guns").horses = horses)
    };
    assert_eq!(end_of(&alone(open_ground(), limbered(2), &path(&[(30_000, 40_000)]))), (30_000, 26_000));
    assert_eq!(end_of(&alone(open_ground(), limbered(1), &path(&[(30_000, 40_000)]))), (30_000, 18_000));
    let stuck = alone(open_ground(), limbered(0), &path(&[(30_000, 40_000)]));
    assert_eq!((end_of(&stuck), stuck.stops.map(|(rule, _)| rule.as_str())), ((30_000, 10_000), Some("ARTY-39")));
}

#[test]
fn arty_44_prolonge_goes_straight_back_where_no_enemy_is_seen() {
    let order = MoveOrder { prolonge: true, ..MoveOrder::default() };
    let program = alone(open_ground(), battery("u", Union).at(30_000, 10_000), &order);
    assert_eq!((end_of(&program), program.end().footing.facing), ((30_000, 6_000), Bearing::NORTH));
}

#[test]
fn tac_07_lying_down_and_rising_cost_two_inches() {
    let down = MoveOrder { prone: Some(ProneChange::LieDown), ..path(&[(30_000, 30_000)]) };
    let program = alone(open_ground(), line(), &down);
    assert_eq!((end_of(&program), program.end().footing.prone, program.spent()), ((30_000, 14_000), true, TURN));
    let rise = MoveOrder { prone: Some(ProneChange::Rise), ..path(&[(30_000, 30_000)]) };
    let program = alone(open_ground(), line().prone(), &rise);
    assert_eq!((end_of(&program), program.end().footing.prone), ((30_000, 14_000), false));
    // Rough: the rate is under two inches, so it takes the whole turn.
    let alone_down = MoveOrder { prone: Some(ProneChange::LieDown), ..MoveOrder::default() };
    assert_eq!(alone(ground_from(0, Terrain::Rough), line(), &alone_down).spent(), TURN);
    let stays = alone(open_ground(), line().prone(), &path(&[(30_000, 30_000)]));
    assert_eq!((end_of(&stays), stays.refusals[0].0.as_str()), ((30_000, 10_000), "TAC-07"));
}

#[test]
fn move_10_mounting_takes_half_a_turn_and_dismounting_a_quarter() {
    let rider = || cavalry("u", Union).at(30_000, 10_000);
    let off = MoveOrder {
        form_first: Some(FormTask::Dismount { formation: Formation::DismountedLine }),
        ..MoveOrder::default()
    };
    let program = alone(open_ground(), rider(), &off);
    assert_eq!((program.spent(), program.end().mounted, end_of(&program)), (TURN / 4, false, (30_000, 10_000)));
    let foot = rider().formation(Formation::DismountedLine).with(|unit| unit.mounted = false);
    let on =
        MoveOrder { form_first: Some(FormTask::Mount { formation: Formation::SingleLine }), ..MoveOrder::default() };
    assert_eq!(alone(open_ground(), foot, &on).spent(), TURN / 2);
}

#[test]
fn the_table_ends_a_path() {
    let program =
        alone(open_ground(), line(), &MoveOrder { about_face: true, ..path(&[(30_000, 8_000), (30_000, -5_000)]) });
    assert_eq!(end_of(&program), (30_000, 4_375));
    let near = infantry("u", Union).at(30_000, 58_000);
    let program = alone(open_ground(), near, &path(&[(30_000, 70_000)]));
    assert_eq!(end_of(&program), (30_000, 60_000));
    assert!(program.stops.is_some());
}

#[test]
fn mv_31_answers_redraw_shorten_halt_and_drop_the_push() {
    let order = MoveOrder { push: true, ..path(&[(30_000, 12_000), (33_000, 12_000)]) };
    let redrawn = |answer| super::super::compile::redrawn(&order, p(30_000, 10_000), Some(&answer));
    assert_eq!(redrawn(PathAnswer::Shorten { travel: 3_000 }).path, [p(30_000, 12_000), p(31_000, 12_000)]);
    assert!(redrawn(PathAnswer::Halt {}).path.is_empty());
    assert!(!redrawn(PathAnswer::NoPush {}).push);
    let other = redrawn(PathAnswer::Waypoints { points: vec![p(1, 2)], no_push: false });
    assert_eq!((other.path, other.push), (vec![p(1, 2)], true));
}
