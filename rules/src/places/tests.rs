use protocol::place::Bearing;

use super::*;
use crate::ground::{Way, WayKind};
use crate::ruleset::Ruleset;
use crate::testing;
use protocol::ids::Side;

/// A road from west to east along y = 30, with a bend in its middle.
fn road() -> Ground {
    let line = vec![Point::new(10_000, 30_000), Point::new(30_000, 30_000), Point::new(50_000, 30_000)];
    let way = Way { id: "road".into(), name: "the road".to_owned(), kind: WayKind::Road, line, width: 800 };
    Ground { ways: vec![way], ..testing::open_ground() }
}

fn is_in(place: &PlaceTerm, y: i32) -> bool {
    let table = testing::table(road(), [testing::infantry("reg", Side::Union).at(30_000, y)]);
    holds_unit(&Field::before_dice(Ruleset::standard(), &table), place, testing::ix(&table, "reg"))
}

#[test]
fn scnv_02_at_a_line_means_within_an_inch_of_it() {
    let place = PlaceTerm::Feature("road".into());
    // The front is the nearer edge.
    assert!(is_in(&place, 29_000));
    assert!(!is_in(&place, 28_997));
}

#[test]
fn scnv_02_a_side_of_a_line_reaches_to_the_edges() {
    let table = testing::table(road(), []);
    let north = PlaceTerm::SideOf { line: "road".into(), side: Edge::North };
    let south = PlaceTerm::SideOf { line: "road".into(), side: Edge::South };
    for x in [1_000, 10_000, 30_000, 55_000] {
        for (y, is_north) in [(31_000, true), (29_000, false)] {
            let point = Point::new(x, y);
            assert_eq!(holds_point(table.ground(), &north, point), is_north, "{x} {y}");
            assert_eq!(holds_point(table.ground(), &south, point), !is_north, "{x} {y}");
        }
    }
}

#[test]
fn scnv_02_half_of_the_stands_are_enough() {
    let area = |west: i32| {
        let corner = |x, y| Point::new(x, y);
        PlaceTerm::Area(vec![corner(west, 0), corner(60_000, 0), corner(60_000, 60_000), corner(west, 60_000)])
    };
    // Four stands of 0.875 about x = 30: their centres lie at -1.3125, -0.4375, 0.4375 and 1.3125.
    assert!(is_in(&area(30_000), 20_000));
    assert!(!is_in(&area(31_000), 20_000));
}

#[test]
fn scnv_02_parts_of_a_line_are_equally_long() {
    let ground = road();
    let place = PlaceTerm::Feature("road".into());
    let part = |x: i32| part_of(&ground, &place, 4, &Rect::centered(Point::new(x, 30_500), Bearing::NORTH, 875, 625));
    assert_eq!([11_000, 21_000, 31_000, 49_999, 60_000].map(part), [Some(0), Some(1), Some(2), Some(3), Some(3)]);
}
