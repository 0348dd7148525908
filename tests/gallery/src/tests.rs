//! The pictures show what the catalogue says, at spots reckoned by hand, and stay small.

use protocol::event::FlankClass;
use protocol::orders::RangeBand;
use protocol::place::Point;
use rules::command::{Link, link};
use rules::fire::{Zone, zone_at};

use crate::command::SCENE;
use crate::cover::Scene;
use crate::enfilade::{By, Duel, MIDDLE, Struck};
use crate::grid::Grid;
use crate::scene;
use crate::zones::LINE;

fn class(by: By, struck: Struck, east: i32, north: i32) -> Option<FlankClass> {
    let mut duel = Duel::new(by, struck).expect("the scene is sound");
    duel.class_from(Point::new(MIDDLE.x + east, MIDDLE.y + north))
}

#[test]
fn enf_04_a_line_is_enfiladed_from_where_the_picture_says() {
    // The line is three inches wide, its front 0.3 ahead of its middle. Three out and eight ahead is 1.5 beyond its end and 7.7
    // ahead of its front: inside the 45 degree line. Nine out and three ahead is 7.5 beyond and 2.7 ahead: outside. Half an inch
    // back two stands of the firer are behind the front; four inches back all are behind the rear.
    assert_eq!(class(By::Muskets, Struck::Line, 3_000, 8_000), Some(FlankClass::Front));
    assert_eq!(class(By::Muskets, Struck::Line, 9_000, 3_000), Some(FlankClass::Partial));
    assert_eq!(class(By::Muskets, Struck::Line, 8_000, -500), Some(FlankClass::Full));
    assert_eq!(class(By::Muskets, Struck::Line, 0, -4_000), Some(FlankClass::Rear));
}

#[test]
fn enf_13_a_refused_right_stand_lessens_fire_from_the_right_alone() {
    assert_eq!(class(By::Muskets, Struck::RefusedLine, 8_000, -500), Some(FlankClass::Partial));
    assert_eq!(class(By::Muskets, Struck::RefusedLine, -8_000, -500), Some(FlankClass::Full));
}

#[test]
fn enf_09_guns_enfilade_a_column_by_its_spine_and_its_sectors() {
    assert_eq!(class(By::Guns, Struck::Column, 0, 8_000), Some(FlankClass::Full));
    assert_eq!(class(By::Guns, Struck::Column, 4_000, 8_000), Some(FlankClass::Partial));
    assert_eq!(class(By::Guns, Struck::Column, 8_000, 0), Some(FlankClass::Front));
}

#[test]
fn cover_01_a_wall_covers_only_close_before_the_line() {
    let ahead = Point::new(20_000, 26_000);
    let behind = Point::new(20_000, 14_000);
    let mut near = Scene::new(300).expect("the scene is sound");
    assert_eq!((near.cover_from(ahead), near.cover_from(behind)), (Some(-2), Some(0)));
    let mut far = Scene::new(1_300).expect("the scene is sound");
    assert_eq!(far.cover_from(ahead), Some(0));
}

#[test]
fn fire_22_a_line_has_its_zones_where_the_picture_says() {
    let battle = scene::battle(LINE).expect("the scene is sound");
    let firer = scene::unit(&battle.table, "firer").expect("the scene has it");
    let zone = |x, y| zone_at(&scene::look(&battle.table), firer, Point::new(x, y));
    // The front reaches from 13.25 to 16.75 at y = 2. Five inches beyond its end and six ahead is inside the ray, 7.8 inches
    // off; eight beyond and two ahead is outside; so is what lies behind. Twelve inches ahead is the last of its range.
    assert_eq!(zone(15_000, 3_500), Some((Zone::Primary, RangeBand::Close)));
    assert_eq!(zone(16_700, 14_000), Some((Zone::Primary, RangeBand::Long)));
    assert_eq!(zone(15_000, 14_100), None);
    assert_eq!(zone(21_750, 8_000), Some((Zone::Secondary, RangeBand::Long)));
    assert_eq!(zone(24_750, 4_000), None);
    assert_eq!(zone(15_000, 1_000), None);
}

#[test]
fn cmd_03_the_chain_of_the_picture_reaches_two_regiments() {
    let battle = scene::battle(SCENE).expect("the scene is sound");
    let of = |name| link(&scene::look(&battle.table), scene::unit(&battle.table, name).expect("the scene has it"));
    // From the commander's stand to the nearest stand it is under 8, under 13 and under 18 inches of open ground.
    assert!(matches!(of("first"), Link::Direct(_)));
    assert!(matches!(of("second"), Link::Chain(_, chain) if chain.len() == 1));
    assert!(matches!(of("third"), Link::Chain(_, chain) if chain.len() == 2));
    assert_eq!(of("fourth"), Link::TooFar);
}

#[test]
fn a_grid_asked_sparingly_is_the_grid_asked_in_full() {
    // A ring and a slanting border, on a grid that is no whole number of blocks.
    let ask = |x: i32, y: i32| {
        let ring = (x - 20).pow(2) + (y - 17).pow(2);
        if (60..150).contains(&ring) { Some("ring") } else { (x < 2 * y - 5).then_some("west") }
    };
    let mut asked = 0;
    let grid = Grid::asked(47, 38, |x, y| {
        asked += 1;
        ask(x, y)
    });
    for (x, y) in (0..38).flat_map(|y| (0..47).map(move |x| (x, y))) {
        assert_eq!(grid.at(x, y), ask(x, y), "{x} {y}");
    }
    assert!(asked < 47 * 38, "{asked}");
}

#[test]
fn every_picture_is_small() {
    // The files that are checked in; that they are those that are drawn is tested with the other generated files.
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    for folder in ["gallery", "tables"] {
        for file in std::fs::read_dir(format!("{docs}/{folder}")).expect("the folder is there") {
            let file = file.expect("the folder can be read");
            let bytes = file.metadata().expect("the file is there").len();
            assert!(bytes < 60_000, "{}: {bytes} bytes", file.path().display());
        }
    }
}
