//! How a brigade lies about its marker. HID-10

use protocol::ids::Side;
use protocol::orders::{Plan, PlanShape};
use protocol::place::{Bearing, Point};

use crate::battle::Unit;
use crate::hidden::plan::anchors;
use crate::testing::infantry;

/// Three regiments in single line: four stands of 0.875, of 0.750 for twelve figures, of 0.875; all 0.625 deep.
fn brigade() -> Vec<Unit> {
    let of = |id: &str, figures: u32| infantry(id, Side::Union).figures(figures).unit();
    vec![of("a", 16), of("b", 12), of("c", 16)]
}

fn lie(shape: PlanShape, gap: u32, facing: Bearing) -> Vec<(i32, i32)> {
    let plan = Plan { order: ["a", "b", "c"].map(Into::into).to_vec(), shape, gap };
    let anchors = anchors(&plan, &brigade(), Point::new(30_000, 20_000), facing);
    anchors.into_iter().map(|place| (place.x, place.y)).collect()
}

#[test]
fn hid_10_abreast_the_whole_frontage_is_centred_on_the_marker() {
    let widths: Vec<i32> = brigade().iter().map(|unit| 4 * unit.stand_width).collect();
    assert_eq!(widths, [3_500, 3_000, 3_500]);
    // 3500 + 500 + 3000 + 500 + 3500 = 11000, half of it 5500 to the left. Middles: -5500 + 1750 = -3750;
    // -5500 + 3500 + 500 + 1500 = 0; and 3750 on the right. Facing north the right hand is east.
    let there = [(30_000 - 3_750, 20_000), (30_000, 20_000), (30_000 + 3_750, 20_000)];
    assert_eq!(lie(PlanShape::Abreast {}, 500, Bearing::NORTH), there);
    // Facing west the left hand is south.
    let there = [(30_000, 20_000 - 3_750), (30_000, 20_000), (30_000, 20_000 + 3_750)];
    assert_eq!(lie(PlanShape::Abreast {}, 500, Bearing::WEST), there);
}

#[test]
fn hid_10_in_depth_the_first_anchor_is_on_the_marker_and_the_others_follow() {
    // Each is 0.625 deep, with a gap of 0.250 between: 0.875 from front to front.
    let there = [(30_000, 20_000), (30_000, 19_125), (30_000, 18_250)];
    assert_eq!(lie(PlanShape::InDepth {}, 250, Bearing::NORTH), there);
}

#[test]
fn hid_10_the_second_of_two_lines_is_two_inches_behind_the_first() {
    // One regiment before; the others, 3000 and 3500 wide without a gap, 0.625 + 2.000 behind: 6500 wide, centred. Middles at
    // -3250 + 1500 = -1750 and -3250 + 3000 + 1750 = 1500.
    let there = [(30_000, 20_000), (30_000 - 1_750, 17_375), (30_000 + 1_500, 17_375)];
    assert_eq!(lie(PlanShape::TwoLines { first: 1 }, 0, Bearing::NORTH), there);
}
