//! The catalogue's vectors, hand-computed cases, and symmetries.

use proptest::prelude::*;
use protocol::place::{Bearing, Point};

use super::*;

const fn p(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

fn square(x: i32, y: i32, side: i32) -> [Point; 4] {
    [p(x, y), p(x + side, y), p(x + side, y + side), p(x, y + side)]
}

#[test]
fn scale_06_the_quarters_follow_by_sign_and_exchange() {
    let vector = |hundredths| forward(Bearing::wrapping(hundredths));
    assert_eq!(vector(0), Vector { x: 0, y: 1_000_000 });
    assert_eq!(vector(9_000), Vector { x: 1_000_000, y: 0 });
    assert_eq!(vector(18_000), Vector { x: 0, y: -1_000_000 });
    assert_eq!(vector(27_000), Vector { x: -1_000_000, y: 0 });
    assert_eq!(vector(4_500), Vector { x: 707_107, y: 707_107 });
    assert_eq!(vector(3_000), Vector { x: 500_000, y: 866_025 });
    assert_eq!(vector(12_000), Vector { x: 866_025, y: -500_000 });
    assert_eq!(vector(33_000), Vector { x: -500_000, y: 866_025 });
    assert_eq!(right(Bearing::wrapping(3_000)), Vector { x: 866_025, y: -500_000 });
}

#[test]
fn scale_06_no_sine_of_the_table_is_near_a_half() {
    // Were one within the error of the library, platforms could differ. 1e-6 is ten thousand times that error.
    for hundredths in 0..=9_000 {
        let scaled = libm::sin(f64::from(hundredths) * std::f64::consts::PI / 18_000.0) * 1e6;
        let from_half = ((scaled - libm::floor(scaled)) - 0.5).abs();
        assert!(1e-6 < from_half, "{hundredths}: {scaled}");
    }
}

#[test]
fn scale_06_rounding_is_half_away_from_zero() {
    assert_eq!([round_div(5, 2), round_div(-5, 2), round_div(4, 3), round_div(-4, 3)], [3, -3, 1, -1]);
    assert_eq!(Frame::new(p(10, 10), Bearing::NORTH).at_halves(-1, 1), p(11, 9));
    assert_eq!(Frame::new(p(10, 10), Bearing::SOUTH).at_halves(-1, 1), p(9, 11));
}

#[test]
fn scale_06_offsets_are_measured_forward_and_to_the_right() {
    assert_eq!(Frame::new(p(100, 200), Bearing::EAST).at(1_000, 500), p(1_100, -300));
    assert_eq!(Frame::new(p(0, 0), Bearing::wrapping(4_500)).at(1_000, 0), p(707, 707));
}

#[test]
fn scale_07_within_and_closer_than_leave_the_tolerance_on_either_side() {
    assert!(Distance::of(4_002).within(4_000));
    assert!(!Distance::of(4_003).within(4_000));
    assert!(Distance::of(3_997).closer_than(4_000));
    assert!(!Distance::of(3_998).closer_than(4_000));
    assert!(!Distance::ZERO.closer_than(2));
    assert!(Distance::ZERO.within(0));
}

#[test]
fn scale_07_distance_of_rectangles_is_corner_to_edge_or_zero() {
    let near = square(0, 0, 1_000);
    assert_eq!(between_polygons(&near, &square(4_000, 200, 1_000)).rounded(), 3_000);
    assert_eq!(between_polygons(&near, &square(4_000, 5_000, 1_000)).rounded(), 5_000);
    assert!(between_polygons(&near, &square(1_000, 0, 1_000)).is_zero(), "touching");
    assert!(between_polygons(&near, &square(200, 200, 100)).is_zero(), "one inside the other");
    let bar = [p(-500, 400), p(1_500, 400), p(1_500, 600), p(-500, 600)];
    assert!(between_polygons(&near, &bar).is_zero(), "crossing without a corner inside");
    let turned = Rect::centered(p(3_000, 500), Bearing::wrapping(4_500), 1_000, 1_000);
    // The near corner of the turned square lies 707 from its centre.
    assert_eq!(between_polygons(&near, &turned.corners).rounded(), 1_293);
}

#[test]
fn distances_compare_exactly() {
    let slanted = point_to_segment(p(0, 1_000), p(0, 0), p(1_000, 1_000));
    assert_eq!(slanted.rounded(), 707);
    assert!(Distance::of(707) < slanted && slanted < Distance::of(708));
    assert_eq!(point_to_segment(p(-3, 4), p(0, 0), p(9, 0)), Distance::of(5));
}

#[test]
fn the_corners_of_the_table_do_not_overflow() {
    let far = 1_000_000;
    let (one, other) = (square(-far, -far, 1_000), square(far - 1_000, far - 1_000, 1_000));
    let diagonal = between_polygons(&one, &other);
    assert_eq!(diagonal.rounded(), 2_825_599); // 1,998,000 x sqrt 2
    assert!(diagonal.within(2_825_600) && !diagonal.within(2_825_590));
    let slanted = point_to_segment(p(-far, far), p(-far, -far), p(far, far - 1));
    assert!(slanted < diagonal && slanted.rounded() == 1_414_214);
    let whole = clip_segment(p(-far, -far), p(far, far), &square(-far, -far, 2 * far));
    assert_eq!(whole.length(p(-far, -far), p(far, far)), 2_828_427);
    assert_eq!(centroid(&square(-far, -far, 2 * far)), Some(p(0, 0)));
}

#[test]
fn bearings_are_clockwise_from_north() {
    let from_origin = |x, y| bearing_between(p(0, 0), p(x, y)).map(Bearing::hundredths);
    assert_eq!(from_origin(0, 5), Some(0));
    assert_eq!(from_origin(7, 7), Some(4_500));
    assert_eq!(from_origin(5, 0), Some(9_000));
    assert_eq!(from_origin(1, -1), Some(13_500));
    assert_eq!(from_origin(-1_000, 1), Some(27_006));
    assert_eq!(from_origin(-1_000_000, 1), Some(27_000));
    assert_eq!(from_origin(-1, 1_000_000), Some(0));
    assert_eq!(from_origin(0, 0), None);
}

#[test]
fn a_polygon_holds_its_outline() {
    // An L: the notch is outside.
    let ell = [p(0, 0), p(100, 0), p(100, 50), p(50, 50), p(50, 100), p(0, 100)];
    assert_eq!(locate(&ell, p(25, 75)), Location::Inside);
    assert_eq!(locate(&ell, p(75, 75)), Location::Outside);
    assert_eq!(locate(&ell, p(50, 75)), Location::Outline);
    assert_eq!(locate(&ell, p(50, 50)), Location::Outline);
    assert_eq!(locate(&ell, p(25, 50)), Location::Inside);
    assert_eq!(locate(&ell, p(-25, 50)), Location::Outside);
    assert!(contains_within_eps(&ell, p(102, 20)) && !contains_within_eps(&ell, p(103, 20)));
}

#[test]
fn vis_03_a_segment_is_cut_to_the_woods() {
    let (a, b) = (p(0, 0), p(10_000, 0));
    let light = clip_segment(a, b, &square(2_000, -500, 4_000));
    let heavy = clip_segment(a, b, &square(5_000, -500, 3_000));
    assert_eq!(light.length(a, b), 4_000);
    assert_eq!(heavy.length(a, b), 3_000);
    assert_eq!(light.minus(&heavy).length(a, b), 3_000);
    assert_eq!(light.union(&heavy).length(a, b), 6_000);
    assert_eq!(light.union(&heavy).iter().count(), 1);
    let border = clip_segment(a, b, &square(1_000, 0, 2_000));
    assert_eq!(border.length(a, b), 2_000, "along the outline counts as inside");
    assert!(clip_segment(a, b, &[p(0, 10), p(50, 10), p(50, 90)]).is_empty());
    let notched = [p(1_000, -1_000), p(9_000, -1_000), p(9_000, 500), p(5_000, -500), p(1_000, 500)];
    let twice = clip_segment(a, b, &notched);
    assert_eq!((twice.iter().count(), twice.length(a, b)), (2, 4_000));
}

#[test]
fn segments_meet_at_ends_and_along_each_other() {
    let meet = |a: (i32, i32), b: (i32, i32), c: (i32, i32), d: (i32, i32)| {
        segments_meet(p(a.0, a.1), p(b.0, b.1), p(c.0, c.1), p(d.0, d.1))
    };
    assert!(meet((0, 0), (10, 10), (0, 10), (10, 0)));
    assert!(meet((0, 0), (10, 0), (10, 0), (10, 9)));
    assert!(meet((0, 0), (10, 0), (5, 0), (20, 0)));
    assert!(!meet((0, 0), (10, 0), (11, 0), (20, 0)));
    assert!(!meet((0, 0), (10, 0), (5, 1), (5, 9)));
    let halfway = crossing(p(0, 0), p(10, 10), p(0, 10), p(10, 0)).expect("they cross");
    assert_eq!(halfway.point(p(0, 0), p(10, 10)), p(5, 5));
}

#[test]
fn a_point_along_a_polyline_knows_its_leg() {
    let bent = [p(0, 0), p(0, 3_000), p(4_000, 3_000)];
    assert_eq!(polyline_length(&bent), 7_000);
    assert_eq!(polyline_at(&bent, 1_000), Some((p(0, 1_000), Bearing::NORTH)));
    assert_eq!(polyline_at(&bent, 3_000), Some((p(0, 3_000), Bearing::NORTH)));
    assert_eq!(polyline_at(&bent, 3_500), Some((p(500, 3_000), Bearing::EAST)));
    assert_eq!(polyline_at(&bent, 9_999), Some((p(4_000, 3_000), Bearing::EAST)));
    assert_eq!(polyline_at(&[p(1, 1), p(1, 1)], 5), None);
    assert_eq!(point_toward(p(0, 0), p(3, 4), 10), p(6, 8));
}

#[test]
fn centres_and_hulls() {
    assert_eq!(mean(&[p(0, 0), p(1, -1)]), Some(p(1, -1)));
    assert_eq!(mean(&[]), None);
    assert_eq!(centroid(&[p(0, 0), p(300, 0), p(0, 300)]), Some(p(100, 100)));
    assert_eq!(centroid(&[p(0, 300), p(300, 0), p(0, 0)]), Some(p(100, 100)));
    let hull = convex_hull(&[p(0, 0), p(50, 0), p(100, 0), p(50, 50), p(100, 100), p(0, 100), p(0, 0)]);
    assert_eq!(hull, vec![p(0, 0), p(100, 0), p(100, 100), p(0, 100)]);
}

/// SCALE-06 Half a thousandth is rounded away from the first point: 2 of 3 stands lie a half to the east of it wherever the
/// unit stands, and however it is turned. By the plain sum 1.5 and -1.5 would be rounded to either side of the unit.
#[test]
fn scale_06_a_mean_is_the_same_elsewhere_and_turned() {
    assert_eq!(mean(&[p(1, 5), p(2, 5)]), Some(p(2, 5)));
    assert_eq!(mean(&[p(-2, 5), p(-1, 5)]), Some(p(-1, 5)));
    assert_eq!(mean(&[p(5, -1), p(5, -2)]), Some(p(5, -2)));
    assert_eq!(mean(&[p(9, 5), p(8, 5)]), Some(p(8, 5)));
}

#[test]
fn pen_05_the_zone_beyond_a_line() {
    let target = [p(-1_750, -625), p(1_750, -625), p(1_750, 0), p(-1_750, 0)];
    let zone = sweep(&target, Vector { x: 0, y: -1_000 });
    assert_eq!(zone, vec![p(-1_750, -1_625), p(1_750, -1_625), p(1_750, 0), p(-1_750, 0)]);
    let stand = |y| Rect::from_front(Frame::new(p(0, y), Bearing::NORTH), 875, 625);
    assert!(overlaps_beyond_eps(&stand(-1_622), &zone));
    assert!(!overlaps_beyond_eps(&stand(-1_623), &zone), "by EPS only");
    assert!(!overlaps_beyond_eps(&stand(-1_700), &zone));
    let corner_in = Rect::from_front(Frame::new(p(1_750 + 437, -1_000), Bearing::NORTH), 875, 625);
    assert!(!overlaps_beyond_eps(&corner_in, &zone));
}

#[test]
fn pen_05_and_pen_06_the_ground_of_the_target_itself_is_not_in_the_zone() {
    // The target is 3.5 inches wide and 0.625 deep, the zone reaches an inch to the south of it.
    let target = convex_hull(&[p(-1_750, -625), p(1_750, -625), p(1_750, 0), p(-1_750, 0)]);
    let zone = sweep(&target, Vector { x: 0, y: -1_000 });
    let struck = |x, y, facing| {
        let stand = Rect::from_front(Frame::new(p(x, y), Bearing::wrapping(facing)), 500, 624);
        overlaps_outside_beyond_eps(&stand, &zone, &target)
    };
    // Level with the target and within its ground; half an inch ahead; beside it.
    assert_eq!([struck(0, 0, 0), struck(0, 500, 0), struck(2_001, -300, 0)], [false; 3]);
    // The stand is 0.624 deep. Two thousandths behind the target are tolerance, three are not, whichever way it faces.
    assert_eq!([struck(0, -3, 0), struck(0, -4, 0)], [false, true]);
    assert_eq!([struck(0, -627, 18_000), struck(0, -628, 18_000)], [false, true]);
    assert_eq!([struck(313, -377, 27_000), struck(313, -378, 27_000)], [false, true]);
    // Wholly behind it.
    assert_eq!([struck(0, -700, 0), struck(0, -1_622, 0), struck(0, -1_623, 0)], [true, true, false]);
}

#[test]
fn fire_22_and_23_zones_of_a_line() {
    let front = FrontEdge { facing: Bearing::NORTH, left: p(-1_750, 0), right: p(1_750, 0) };
    assert!(front.in_primary(p(-1_750, 12_000), 12_000));
    assert!(!front.in_primary(p(-1_753, 12_000), 12_000));
    assert!(!front.in_primary(p(0, 12_003), 12_000));
    assert!(front.in_secondary(p(3_000, 1_250), 12_000));
    assert!(front.in_secondary(p(-2_500, 800), 12_000));
    assert!(!front.in_secondary(p(3_000, 1_200), 12_000));
    assert!(front.in_secondary(p(0, 12_500), 12_000));
    assert!(!front.in_secondary(p(0, 500), 12_000));
}

#[test]
fn enf_02_behind_the_front_line_or_beyond_a_ray() {
    let front = FrontEdge { facing: Bearing::NORTH, left: p(-1_750, 0), right: p(1_750, 0) };
    assert!(front.is_behind_right_line(p(2_750, 1_000)));
    assert!(!front.is_behind_right_line(p(2_745, 1_000)));
    assert!(front.is_behind_left_line(p(-3_000, 1_000)) && !front.is_behind_right_line(p(-3_000, 1_000)));
    assert!(front.is_behind_left_line(p(0, 0)) && front.is_behind(p(9_999, 2)) && !front.is_behind(p(0, 3)));
}

#[test]
fn enf_06_a_spine_meets_what_is_not_all_on_one_side() {
    let (head, tail) = (p(0, 0), p(0, -2_500));
    assert!(meets_line(head, tail, &[p(-100, 4_000), p(100, 4_000)]));
    assert!(meets_line(head, tail, &[p(2, 4_000), p(100, 4_000)]));
    assert!(!meets_line(head, tail, &[p(3, 4_000), p(100, 4_000)]));
    assert!(!meets_line(head, tail, &[p(-3, 4_000), p(-100, 4_000)]));
}

#[test]
fn arcs_and_circles_include_their_boundary() {
    assert!(in_arc(p(0, 0), Bearing::NORTH, 4_500, p(1_000, 1_000)));
    assert!(!in_arc(p(0, 0), Bearing::NORTH, 4_500, p(1_010, 1_000)));
    assert!(!in_arc(p(0, 0), Bearing::NORTH, 4_500, p(0, -1_000)));
    assert!(in_arc(p(0, 0), Bearing::NORTH, 9_000, p(1_000, 0)));
    assert!(in_arc(p(0, 0), Bearing::NORTH, 13_500, p(1_000, -1_000)));
    assert!(!in_arc(p(0, 0), Bearing::NORTH, 13_500, p(900, -1_000)));
    assert!(in_arc(p(0, 0), Bearing::NORTH, 18_000, p(0, -1_000)));
    let circle = Circle { center: p(0, 0), radius: 5_000 };
    assert!(circle.contains(p(3_000, 4_000)) && !circle.contains(p(3_004, 4_000)));
    assert!(circle.reaches(&square(5_002, -500, 1_000)) && !circle.reaches(&square(5_003, -500, 1_000)));
}

#[test]
fn a_rectangle_is_drawn_in_on_every_side() {
    let rect = Rect::from_front(Frame::new(p(0, 0), Bearing::NORTH), 1_000, 600);
    assert_eq!(rect.corners, [p(-500, 0), p(500, 0), p(500, -600), p(-500, -600)]);
    assert_eq!(rect.shrunk(2), [p(-498, -2), p(498, -2), p(498, -598), p(-498, -598)]);
    assert_eq!(rect.center, p(0, -300));
}

#[test]
fn wheeling_turns_place_and_facing_about_the_pivot() {
    let wheeled = Frame::new(p(0, 0), Bearing::NORTH).wheeled(p(1_750, 0), 9_000);
    assert_eq!(wheeled, Frame::new(p(1_750, 1_750), Bearing::EAST));
}

#[test]
fn scale_07_a_corner_of_a_house_that_points_inward_is_measured_too() {
    // An L: the stand lies in its corner, a quarter of an inch from either wing.
    let house = [p(0, 0), p(4_000, 0), p(4_000, 1_000), p(1_000, 1_000), p(1_000, 4_000), p(0, 4_000)];
    let stand = [p(1_250, 1_250), p(2_250, 1_250), p(2_250, 2_250), p(1_250, 2_250)];
    let brute = |corners: &[Point], polygon: &[Point]| {
        let edges = || polygon.iter().zip(polygon.iter().skip(1).chain(polygon.first()));
        corners.iter().flat_map(|c| edges().map(|(a, b)| point_to_segment(*c, *a, *b)).collect::<Vec<_>>()).min()
    };
    let least = brute(&stand, &house).min(brute(&house, &stand)).map(|distance| distance.rounded());
    assert_eq!(least, Some(250));
    // The hull of the house holds the stand, so that only their edges tell them apart.
    assert!(between_polygons(&house, &stand).rounded() <= 250);
}

fn any_point() -> impl Strategy<Value = Point> {
    (-1_000_000..=1_000_000, -1_000_000..=1_000_000).prop_map(|(x, y)| p(x, y))
}

fn any_rect() -> impl Strategy<Value = Rect> {
    let near = (-5_000..5_000, -5_000..5_000).prop_map(|(x, y)| p(x, y));
    (near, 0..36_000, 500..2_000, 500..2_000)
        .prop_map(|(center, facing, width, depth)| Rect::centered(center, Bearing::wrapping(facing), width, depth))
}

proptest! {
    #[test]
    fn distance_is_symmetric(one in any_rect(), other in any_rect()) {
        prop_assert_eq!(
            between_polygons(&one.corners, &other.corners),
            between_polygons(&other.corners, &one.corners)
        );
    }

    #[test]
    fn scale_07_the_distance_of_two_stands_is_the_least_of_a_corner_and_an_edge(one in any_rect(), other in any_rect()) {
        let to = |from: &Rect, at: &Rect| from.corners.map(|corner| point_to_polygon(corner, &at.corners));
        let least = to(&one, &other).into_iter().chain(to(&other, &one)).min();
        let distance = between_polygons(&one.corners, &other.corners);
        prop_assert!(distance.is_zero() || Some(distance) == least);
    }

    #[test]
    fn scale_07_the_least_distance_of_stands_is_that_of_all_pairs(
        one in proptest::collection::vec(any_rect(), 1..6),
        other in proptest::collection::vec(any_rect(), 1..6),
    ) {
        let pairs = one.iter().flat_map(|a| other.iter().map(move |b| between_polygons(&a.corners, &b.corners)));
        prop_assert_eq!(between_stands(one.iter(), other.iter()), pairs.min());
    }

    #[test]
    fn a_length_is_the_nearest_whole_number(a in any_point(), b in any_point()) {
        let square = i128::from(Vector::between(a, b).length_squared());
        let twice = 2 * i128::from(segment_length(a, b));
        prop_assert!((twice - 1).pow(2) <= 4 * square || twice == 0);
        prop_assert!(4 * square <= (twice + 1).pow(2));
    }

    #[test]
    fn distance_is_least_over_points_of_both(one in any_rect(), other in any_rect()) {
        let distance = between_polygons(&one.corners, &other.corners);
        for corner in one.corners {
            prop_assert!(distance <= point_to_polygon(corner, &other.corners));
        }
        prop_assert!(distance <= between_points(one.center, other.center));
        let overlapping = one.corners.iter().chain([&one.center]).any(|&point| contains(&other.corners, point));
        prop_assert!(!overlapping || distance.is_zero());
    }

    #[test]
    fn bearings_are_reversed_from_the_other_end(a in any_point(), b in any_point()) {
        let there = bearing_between(a, b);
        let back = bearing_between(b, a).map(Bearing::reversed);
        prop_assert_eq!(there, back);
    }

    #[test]
    fn a_bearing_leads_to_its_point(facing in 0..36_000, distance in 20_000..900_000) {
        let facing = Bearing::wrapping(facing);
        let reached = Frame::new(p(0, 0), facing).at(distance, 0);
        let back = bearing_between(p(0, 0), reached).expect("the points differ");
        prop_assert!(back.angle_to(facing) <= 1);
        prop_assert!((segment_length(p(0, 0), reached) - distance).abs() <= 2);
    }

    #[test]
    fn the_parts_of_a_segment_inside_and_outside_make_the_whole(a in any_point(), b in any_point(), rect in any_rect()) {
        let inside = clip_segment(a, b, &rect.corners);
        let whole = Intervals::default().union(&clip_segment(a, b, &square(-1_000_000, -1_000_000, 2_000_000)));
        let outside = whole.minus(&inside);
        let sum = inside.length(a, b) + outside.length(a, b);
        prop_assert!((sum - segment_length(a, b)).abs() <= 1);
        prop_assert!(inside.is_empty() || segment_meets_polygon(a, b, &rect.corners));
        prop_assert!(inside.iter().count() <= 1, "a convex polygon is cut once");
    }

    #[test]
    fn a_hull_holds_its_points(points in prop::collection::vec(any_point(), 3..12)) {
        let hull = convex_hull(&points);
        prop_assume!(3 <= hull.len());
        for point in points {
            prop_assert!(contains(&hull, point));
        }
    }
}

/// FIRE-22, SCALE-07 A point on the front line or on the line ahead of a corner is ahead, with the tolerance.
#[test]
fn fire_22_the_edges_of_the_primary_zone_belong_to_it() {
    let edge = FrontEdge { facing: Bearing::NORTH, left: p(0, 0), right: p(1_000, 0) };
    let ahead = |x, y| edge.in_primary(p(x, y), 4_000);
    assert_eq!([ahead(500, 0), ahead(500, -2), ahead(500, -3)], [true, true, false]);
    assert_eq!([ahead(-2, 10), ahead(-3, 10), ahead(1_002, 10), ahead(1_003, 10)], [true, false, true, false]);
    assert_eq!([ahead(500, 4_002), ahead(500, 4_003)], [true, false]);
    let sector = |y| edge.in_sector(p(500, y));
    assert_eq!([sector(0), sector(-2), sector(-3)], [true, true, false]);
}
