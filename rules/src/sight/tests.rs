//! Sight over tiny grounds made by hand.

use std::sync::Arc;

use proptest::prelude::*;
use protocol::ids::Side;
use protocol::place::{Bearing, Point};

use super::*;
use crate::geometry::Frame;
use crate::ground::lines::Leg;
use crate::ground::tests::{area, at, building, contour, map, outline, stand};
use crate::ground::{Area, Ground, GroundChanges, GroundIndex, Place, Terrain, Wooded};
use crate::scenario::PlaceTerm;

fn with<T>(ground: Ground, ask: impl FnOnce(&GroundNow<'_>) -> T) -> T {
    let changes = GroundChanges::default();
    ask(&GroundIndex::new(ground).now(&changes))
}

/// Whether two points see each other over the ground; both directions must agree.
fn line(ground: &GroundNow<'_>, from: Point, to: Point) -> Result<i32, Block> {
    let (there, back) = (sight_line(ground, from, to), sight_line(ground, to, from));
    let depth = |line: Result<SightLine, Block>| line.map(|line| line.depth);
    assert_eq!(depth(there), depth(back), "the same in both directions");
    depth(there)
}

/// A die that must not be asked for.
fn no_die() -> u8 {
    panic!("VIS-01: no die is rolled when it does not matter")
}

/// Light woods between x = 10 and 20 inches, heavy woods beyond them to 30.
fn woods() -> Ground {
    Ground {
        areas: vec![
            area(Terrain::Woods, Wooded::Light, outline(10_000, 0, 20_000, 40_000)),
            area(Terrain::Woods, Wooded::Heavy, outline(20_000, 0, 30_000, 40_000)),
        ],
        ..map()
    }
}

/// Whether the unit with one stand at the first place sees the one at the second.
fn look(from: Point, to: Point, pair: Pair<'_>, die: impl FnOnce() -> u8) -> Sight {
    with(woods(), |ground| {
        let (looker, target) = ([stand(from.x, from.y)], [stand(to.x, to.y)]);
        sees(ground, &Looker::new(&looker), &Looker::new(&target), pair, die)
    })
}

const Y: i32 = 20_000;

#[test]
fn vis_03_heavy_woods_count_twice_and_open_ground_not_at_all() {
    with(woods(), |ground| {
        assert_eq!(line(ground, at(2_000, Y), at(9_000, Y)), Ok(0));
        assert_eq!(line(ground, at(2_000, Y), at(13_000, Y)), Ok(3_000), "22nd Connecticut");
        assert_eq!(line(ground, at(35_000, Y), at(27_000, Y)), Ok(6_000), "3 inches of heavy woods");
        assert_eq!(line(ground, at(19_000, Y), at(21_000, Y)), Ok(3_000), "one light and one heavy");
        let line = sight_line(ground, at(19_000, Y), at(21_000, Y)).expect("nothing blocks");
        assert_eq!((line.woods, line.length), (2_000, 2_000), "COVER-07 does not double");
    });
}

#[test]
fn vis_03_overlapping_woods_count_once_and_as_heavy() {
    let areas = vec![
        area(Terrain::Woods, Wooded::Light, outline(10_000, 0, 20_000, 40_000)),
        area(Terrain::Woods, Wooded::Heavy, outline(12_000, 0, 13_000, 40_000)),
        area(Terrain::Rough, Wooded::None, outline(15_000, 0, 16_000, 40_000)),
    ];
    with(Ground { areas, ..map() }, |ground| {
        assert_eq!(line(ground, at(5_000, Y), at(14_000, Y)), Ok(5_000));
        assert_eq!(line(ground, at(14_500, Y), at(16_500, Y)), Ok(3_000), "rough that is wooded is heavy");
    });
}

#[test]
fn vis_03_the_least_depth_of_all_stands_counts() {
    with(woods(), |ground| {
        let (looker, target) = ([at(5_000, Y), at(8_000, Y)], [at(14_000, Y), at(12_000, Y)]);
        assert_eq!(best_line(ground, &looker.into(), &target.into()).map(|line| line.depth), Ok(2_000));
        assert_eq!(best_line(ground, &[].into(), &target.into()), Err(Block::Nobody));
    });
}

#[test]
fn vis_04_the_die_must_reach_the_depth() {
    assert!(reaches(1_000, 1) && reaches(3_000, 3) && reaches(6_000, 6));
    assert!(!reaches(3_100, 3) && !reaches(6_100, 6));
    // No die at the edge, in plain sight, or beyond six inches.
    let within = look(at(11_000, Y), at(12_000, Y), Pair::default(), no_die);
    assert_eq!((within.seen, within.reason), (true, Reason::Clear));
    let deep = look(at(17_001, Y), at(10_000, Y), Pair::default(), no_die);
    assert_eq!((deep.seen, deep.reason), (false, Reason::TooDeep));
}

#[test]
fn vis_05_two_units_in_woods_see_by_the_die() {
    let (one, other) = (at(12_000, Y), at(15_000, Y));
    assert!(look(one, other, Pair::default(), || 3).seen && look(other, one, Pair::default(), || 3).seen);
    let missed = look(one, other, Pair::default(), || 2);
    assert_eq!((missed.seen, missed.reason, missed.die), (false, Reason::Die, Some(2)));
}

#[test]
fn vis_06_from_outside_only_the_edge_is_seen() {
    let outside = at(5_000, Y);
    assert!(look(outside, at(11_000, Y), Pair::default(), no_die).seen);
    let inside = look(outside, at(11_500, Y), Pair::default(), no_die);
    assert_eq!((inside.seen, inside.reason), (false, Reason::OnlyTheEdge));
    // Beyond a belt of trees as well.
    let belt = Ground { areas: vec![area(Terrain::Woods, Wooded::Light, outline(10_000, 0, 12_000, 40_000))], ..map() };
    with(belt, |ground| {
        let (looker, target) = ([stand(5_000, Y)], [stand(15_000, Y)]);
        let sight = sees(ground, &Looker::new(&looker), &Looker::new(&target), Pair::default(), no_die);
        assert_eq!(sight.reason, Reason::OnlyTheEdge);
    });
}

#[test]
fn vis_07_from_inside_the_unit_outside_is_seen_on_the_die() {
    let (inside, outside) = (at(13_000, Y), at(5_000, Y));
    assert!(look(inside, outside, Pair::default(), || 3).seen, "22nd Connecticut sees the 19th Virginia on a 3");
    assert!(!look(inside, outside, Pair::default(), || 2).seen);
    assert!(!look(outside, inside, Pair::default(), no_die).seen, "and is not seen");
}

#[test]
fn vis_08_firing_gives_a_unit_away() {
    let fired = Pair { fired_upon: true, ..Pair::default() };
    let sight = look(at(5_000, Y), at(13_000, Y), fired, no_die);
    assert_eq!((sight.seen, sight.reason), (true, Reason::GaveItselfAway));
}

#[test]
fn vis_08_by_the_house_rule_firing_gives_a_unit_away_to_the_whole_side() {
    // `hidden` stands six inches deep in woods and has fired at `hit`; `other` stands beside it in the open.
    let outline =
        [(0, 30_000), (60_000, 30_000), (60_000, 50_000), (0, 50_000)].map(|(x, y)| Point::new(x, y)).to_vec();
    let area = Area { id: "w".into(), name: "w".into(), terrain: Terrain::Woods, wooded: Wooded::Light, outline };
    let ground = Ground { areas: vec![area], ..crate::testing::open_ground() };
    let union = |id: &str, x| crate::testing::infantry(id, Side::Union).at(x, 28_000);
    let hidden = crate::testing::infantry("hidden", Side::Confederate).at(30_000, 34_000).facing(18_000);
    let hidden = hidden.with(|unit| unit.marks.fired_at = ["hit".into()].into());
    for (word, expected) in [("target", [true, false]), ("side", [true, true])] {
        let units = [union("hit", 30_000), union("other", 36_000), hidden.clone()];
        let table =
            crate::testing::played_by(crate::testing::table(ground.clone(), units), &[("firing_reveals", word)]);
        let field = crate::field::Field::before_dice(table.theatre.rules(), &table);
        let sees = |looker| field.sees(crate::testing::ix(&table, looker), crate::testing::ix(&table, "hidden"));
        assert_eq!([sees("hit"), sees("other")], expected, "{word}");
    }
}

#[test]
fn vis_11_fire_at_a_located_enemy_is_area_fire() {
    assert_eq!(UnseenFire::at(true), UnseenFire::Area);
    assert_eq!(UnseenFire::at(false), UnseenFire::Blind);
}

#[test]
fn vis_12_the_victim_is_the_nearest_within_two_inches() {
    let (near, far, out) = ([stand(11_000, Y)], [stand(8_500, Y)], [stand(12_300, Y)]);
    assert_eq!(nearest_victims(at(10_000, Y), &[&far, &near, &out]), [1]);
    // The edge of a stand lies a quarter inch before its centre.
    assert!(nearest_victims(at(10_000, Y), &[&out]).is_empty(), "2.050 inches");
    assert_eq!(nearest_victims(at(10_000, Y), &[&[stand(12_250, Y)]]), [0], "2.000 inches");
    assert_eq!(nearest_victims(at(10_000, Y), &[&near, &[stand(9_000, Y)]]), [0, 1], "a tie");
}

#[test]
fn vis_13_troops_between_block_the_line() {
    let (from, to) = (at(5_000, Y), at(15_000, Y));
    assert!(!clear_of_troops(from, to, &[Bulk::of(&stand(10_000, Y))]));
    assert!(clear_of_troops(from, to, &[stand(10_000, Y + 1_000), stand(20_000, Y)].map(|stand| Bulk::of(&stand))));
    // A line along the very edge does not meet a stand drawn in by the tolerance.
    assert!(clear_of_troops(from, to, &[Bulk::of(&stand(10_000, Y + 250))]));
    assert!(!clear_of_troops(from, to, &[Bulk::of(&stand(10_000, Y + 247))]));
    let turned = Rect::centered(at(10_000, Y + 300), Bearing::wrapping(4_500), 500, 500);
    assert!(!clear_of_troops(from, to, &[Bulk::of(&turned)]), "a corner reaches 354 thousandths");
}

/// A hill with its foot at x = 10 and 30 inches.
fn hill(feet: i32) -> Ground {
    Ground { contours: vec![contour(feet, outline(10_000, 0, 30_000, 40_000))], ..map() }
}

#[test]
fn vis_14_ground_above_both_blocks() {
    with(hill(20), |ground| {
        assert_eq!(line(ground, at(5_000, Y), at(35_000, Y)), Err(Block::HigherGround));
        assert_eq!(line(ground, at(12_000, Y), at(28_000, Y)), Ok(0), "on one level");
        assert_eq!(line(ground, at(1_000, Y), at(9_000, Y)), Ok(0));
    });
}

#[test]
fn vis_14_a_unit_back_from_the_crest_does_not_see_down() {
    with(hill(20), |ground| {
        assert_eq!(line(ground, at(11_000, Y), at(5_000, Y)), Ok(0), "one inch back");
        assert_eq!(line(ground, at(11_010, Y), at(5_000, Y)), Err(Block::Crest));
        assert_eq!(line(ground, at(15_000, Y), at(5_000, Y)), Err(Block::Crest));
    });
}

#[test]
fn vis_14_a_lower_ridge_hides_the_ground_behind_it() {
    // The hill ends at x = 10; a ridge of half its height lies before the lower end, or before the higher one.
    let with_ridge = |west: i32, east: i32| Ground {
        contours: vec![contour(40, outline(0, 0, 10_000, 40_000)), contour(20, outline(west, 0, east, 40_000))],
        ..map()
    };
    let (high, low) = (at(9_500, Y), at(29_500, Y));
    with(with_ridge(22_000, 26_000), |ground| assert_eq!(line(ground, high, low), Err(Block::DeadGround)));
    with(with_ridge(12_000, 16_000), |ground| assert_eq!(line(ground, high, low), Ok(0)));
    with(with_ridge(22_000, 35_000), |ground| assert_eq!(line(ground, high, low), Ok(0), "the lower end is on it"));
    with(with_ridge(10_000, 26_000), |ground| assert_eq!(line(ground, high, low), Ok(0), "a terrace, not a rise"));
}

#[test]
fn vis_14_a_valley_between_equal_heights_hides_nothing() {
    let contours = vec![contour(20, outline(0, 0, 10_000, 40_000)), contour(20, outline(30_000, 0, 40_000, 40_000))];
    with(Ground { contours, ..map() }, |ground| assert_eq!(line(ground, at(5_000, Y), at(35_000, Y)), Ok(0)));
}

#[test]
fn vis_14_buildings_block_but_not_for_those_inside_or_beside() {
    let ground = Ground { buildings: vec![building("barn", outline(10_000, 19_000, 11_000, 21_000))], ..map() };
    with(ground.clone(), |ground| {
        assert_eq!(line(ground, at(5_000, Y), at(15_000, Y)), Err(Block::Building));
        assert_eq!(line(ground, at(5_000, 22_000), at(15_000, 22_000)), Ok(0));
        assert_eq!(line(ground, at(10_500, Y), at(15_000, Y)), Ok(0), "from inside");
        assert_eq!(line(ground, at(9_900, 20_800), at(10_300, 21_200)), Ok(0), "round the corner, at both ends");
    });
    let mut changes = GroundChanges::default();
    changes.destroyed_buildings.insert("barn".into());
    let index = GroundIndex::new(ground);
    assert_eq!(line(&index.now(&changes), at(5_000, Y), at(15_000, Y)), Ok(0), "destroyed");
}

#[test]
fn vis_14_blocked_ground_is_stronger_than_fire_that_gives_away() {
    with(hill(20), |ground| {
        let (looker, target) = ([stand(5_000, Y)], [stand(35_000, Y)]);
        let pair = Pair { fired_upon: true, ..Pair::default() };
        let sight = sees(ground, &Looker::new(&looker), &Looker::new(&target), pair, no_die);
        assert_eq!((sight.seen, sight.reason.rule()), (false, "VIS-14"));
    });
}

#[test]
fn vis_15_a_sight_limit_compares_the_die_with_the_distance() {
    let places =
        vec![Place { id: "smoke".into(), name: "smoke".into(), outline: outline(0, 0, 6_000, 40_000), shown: false }];
    with(Ground { places, ..map() }, |ground| {
        let (one, near, far) = ([stand(5_000, Y)], [stand(9_500, Y)], [stand(25_000, Y)]);
        let (one, near, far) = (Looker::new(&one), Looker::new(&near), Looker::new(&far));
        let dusk = [SightLimit { per_pip: 2_000, zone: None }];
        let dusk = Pair { limits: &dusk, ..Pair::default() };
        // The stands are 4.000 inches apart.
        assert!(sees(ground, &one, &near, dusk, || 2).seen);
        assert!(!sees(ground, &one, &near, dusk, || 1).seen);
        let smoke = [SightLimit { per_pip: 1_000, zone: Some(PlaceTerm::Feature("smoke".into())) }];
        let smoke = Pair { limits: &smoke, ..Pair::default() };
        assert!(!sees(ground, &near, &one, smoke, || 3).seen);
        assert!(sees(ground, &near, &far, smoke, no_die).seen, "no smoke there");
    });
}

#[test]
fn vis_16_a_volley_beyond_visibility() {
    // Visibility 3: a charger at four inches of light woods is not seen, at two it is.
    assert!(!reaches(4_000, 3));
    assert!(reaches(2_000, 3));
}

/// VIS-13 The tolerance draws a stand in by two thousandths; a line along what is left of it meets it, on every side.
#[test]
fn vis_13_a_line_along_a_stand_meets_it() {
    let square = Rect::from_front(Frame::new(at(500, 1_000), Bearing::NORTH), 1_000, 1_000);
    let clear =
        |from: (i32, i32), to: (i32, i32)| clear_of_troops(at(from.0, from.1), at(to.0, to.1), &[Bulk::of(&square)]);
    let upright = |x: i32| clear((x, -5_000), (x, 5_000));
    let level = |y: i32| clear((-5_000, y), (5_000, y));
    for (inside, outside) in [(998, 999), (2, 1)] {
        assert_eq!([upright(inside), upright(outside), level(inside), level(outside)], [false, true, false, true]);
    }
}

/// VIS-13 A line that would meet a stand farther on, and ends before it, meets nothing.
#[test]
fn vis_13_a_line_that_ends_before_a_stand_is_clear() {
    // A square on its corner: at x = 650 it reaches 57 thousandths up and down, and 707 at x = 0.
    let diamond = Rect::from_front(Frame::new(at(354, 354), Bearing::wrapping(4_500)), 1_000, 1_000);
    let upright = |to: i32| clear_of_troops(at(650, 1_500), at(650, to), &[Bulk::of(&diamond)]);
    assert_eq!([upright(600), upright(0)], [true, false]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn vis_14_a_line_remembered_is_the_line_found_anew(
        ends in proptest::collection::vec((0..40_i32, 0..40_i32, 0..40_i32, 0..40_i32), 60),
    ) {
        let with_building = Ground { buildings: vec![building("barn", outline(14_000, 14_000, 16_000, 16_000))], ..woods() };
        let index = GroundIndex::new(Ground { contours: hill(20).contours, ..with_building });
        let remembered = Remembered::default();
        let (whole, mut burnt) = (GroundChanges::default(), GroundChanges::default());
        burnt.destroyed_buildings.insert("barn".into());
        // Twice over the same lines, the barn burning down halfway and standing again.
        for changes in [&whole, &whole, &burnt, &burnt, &whole] {
            for &(x, y, u, v) in &ends {
                let (from, to) = (at(1_000 * x, 1_000 * y), at(1_000 * u, 1_000 * v));
                let again = sight_line(&index.now(changes).remembering(&remembered), from, to);
                prop_assert_eq!(again, sight_line(&index.now(changes), from, to));
            }
        }
    }

    #[test]
    fn vis_03_the_best_line_remembered_is_the_one_found_anew(
        stands in proptest::collection::vec((0..40_000_i32, 0..40_000_i32), 12),
    ) {
        let index = GroundIndex::new(Ground { contours: hill(20).contours, ..woods() });
        let (changes, remembered) = (GroundChanges::default(), Remembered::default());
        let points: Vec<Point> = stands.into_iter().map(|(x, y)| at(x, y)).collect();
        let units: Vec<Arc<[Point]>> = points.chunks(3).map(Arc::from).collect();
        for _ in 0..2 {
            for (looker, target) in units.iter().flat_map(|one| units.iter().map(move |other| (one, other))) {
                let again = best_line(&index.now(&changes).remembering(&remembered), looker, target);
                prop_assert_eq!(again, best_line(&index.now(&changes), looker, target));
            }
        }
    }

    /// A line that is cut short at the first whole cell of high ground is the line that is followed to its end.
    #[test]
    fn vis_14_what_surely_rises_above_a_line_does(
        hills in proptest::collection::vec((2..30_i32, 2..30_i32, 1..12_i32, 1..12_i32, 1..9_i32), 1..6),
        ends in proptest::collection::vec((0..40_000_i32, 0..40_000_i32, 0..40_000_i32, 0..40_000_i32), 40),
    ) {
        let hill = |(x, y, width, depth, height): (i32, i32, i32, i32, i32)| {
            let to = |from: i32, size: i32| 1_000 * (from + size).min(39);
            contour(10 * height, outline(1_000 * x, 1_000 * y, to(x, width), to(y, depth)))
        };
        let contours = hills.into_iter().map(hill).collect();
        with(Ground { contours, ..map() }, |ground| {
            for (x, y, u, v) in ends {
                let leg = Leg::new(at(x, y), at(u, v));
                let highest = ground.levels(&leg).into_iter().map(|(_, _, level)| level).max().unwrap_or(0);
                assert!(!ground.surely_rises_above(&leg, highest));
                let low = ground.level(at(x, y)).max(ground.level(at(u, v)));
                if ground.surely_rises_above(&leg, low) {
                    assert_eq!(sight_line(ground, at(x, y), at(u, v)), Err(Block::HigherGround));
                }
            }
        });
    }

    /// Of units that stand apart, on hills: what is told by one look, or passed over, is what all lines tell.
    #[test]
    fn vis_03_the_best_line_is_the_best_of_all(
        hills in proptest::collection::vec((2..30_i32, 2..30_i32, 1..12_i32, 1..12_i32, 1..9_i32), 1..6),
        units in proptest::collection::vec((0..36_000_i32, 0..36_000_i32, -900..900_i32, -900..900_i32), 8),
    ) {
        let hill = |(x, y, width, depth, height): (i32, i32, i32, i32, i32)| {
            let to = |from: i32, size: i32| 1_000 * (from + size).min(39);
            contour(10 * height, outline(1_000 * x, 1_000 * y, to(x, width), to(y, depth)))
        };
        let contours = hills.into_iter().map(hill).collect();
        let stands = |(x, y, dx, dy): (i32, i32, i32, i32)| (0..4).map(|n| at(x + n * dx, y + n * dy)).collect();
        let units: Vec<Arc<[Point]>> = units.into_iter().map(stands).collect();
        with(Ground { contours, ..woods() }, |ground| {
            for (looker, target) in units.iter().flat_map(|one| units.iter().map(move |other| (one, other))) {
                let ends = looker.iter().flat_map(|from| target.iter().map(move |to| (*from, *to)));
                let lines: Vec<_> = ends.map(|(from, to)| sight_line(ground, from, to)).collect();
                let open = || lines.iter().flatten().copied();
                let best = open().find(|line| line.depth == 0).or(open().min_by_key(|line| (line.depth, line.woods)));
                let first_block = lines.iter().find_map(|line| line.err());
                assert_eq!(best_line(ground, looker, target).ok(), best);
                if best.is_none() {
                    assert_eq!(best_line(ground, looker, target).err(), first_block);
                }
            }
        });
    }

    #[test]
    fn vis_03_depth_is_the_same_in_both_directions(
        x in 0..40_000_i32, y in 0..40_000_i32, u in 0..40_000_i32, v in 0..40_000_i32,
    ) {
        let ground = Ground { contours: hill(20).contours, ..woods() };
        with(ground, |ground| line(ground, at(x, y), at(u, v)).map(|_| ()).unwrap_or(()));
    }
}
