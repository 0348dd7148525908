//! The test vectors of the chapter ENF: a target of four stands 875 x 625 at (0,0) facing north.

use protocol::event::FlankClass::{self, Front, Full, Partial, Rear};
use protocol::ids::Side;
use protocol::words::{Flank, Formation};

use super::{Occasion, shot};
use crate::field::Field;
use crate::fire::{Officers, lay};
use crate::ruleset::Ruleset;
use crate::testing::{battery, infantry, open_ground, table};

/// Where a firer stands against the target, and the class of its fire. Origin in the middle of a wide table.
fn class_of(firer: crate::testing::Maker, target: crate::testing::Maker, at: (i32, i32), facing: i32) -> FlankClass {
    let middle = 30_000;
    let guns = firer.clone().unit().guns.is_some();
    // Guns are given by their centre: their front edge is half a stand ahead.
    let firer = if guns {
        firer.with(|unit| {
            let place = crate::geometry::Rect::centered(
                protocol::place::Point::new(middle + at.0, middle + at.1),
                protocol::place::Bearing::wrapping(facing),
                1_000,
                1_000,
            );
            unit.footing.facing = place.facing;
            unit.footing.anchor = crate::geometry::Frame::new(place.center, place.facing).at(500, 0);
        })
    } else {
        firer.at(middle + at.0, middle + at.1).facing(facing)
    };
    let table = table(open_ground(), [firer, target.at(middle, middle).facing(0)]);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let shot = shot(&table, "firer", "target", &super::HOLD, Occasion::Hold);
    lay(&field, &shot, &Officers::Present).unwrap_or_else(|reason| panic!("{reason:?}")).flank
}

fn foot() -> crate::testing::Maker {
    infantry("firer", Side::Union)
}

fn guns() -> crate::testing::Maker {
    battery("firer", Side::Union)
}

fn line() -> crate::testing::Maker {
    infantry("target", Side::Confederate)
}

fn column() -> crate::testing::Maker {
    line().formation(Formation::MarchColumn)
}

#[test]
fn enf_04_partial_enfilade_of_a_line() {
    assert_eq!(class_of(foot(), line(), (0, 4_000), 18_000), Front);
    assert_eq!(class_of(foot(), line(), (4_750, 3_000), 22_500), Partial);
    assert_eq!(class_of(foot(), line(), (5_000, 700), 27_000), Partial);
}

#[test]
fn enf_05_full_enfilade_of_a_line() {
    assert_eq!(class_of(foot(), line(), (5_000, -312), 27_000), Full);
}

#[test]
fn enf_07_and_08_enfilade_of_a_column() {
    assert_eq!(class_of(foot(), column(), (0, 4_000), 18_000), Full);
    assert_eq!(class_of(foot(), column(), (5_000, -1_250), 27_000), Front);
    assert_eq!(class_of(foot(), column(), (1_200, 4_000), 20_500), Partial);
    assert_eq!(class_of(foot(), column(), (1_000, 3_000), 22_500), Partial);
    assert_eq!(class_of(foot(), column(), (4_000, 4_000), 22_500), Front);
    assert_eq!(class_of(foot(), column(), (-1_000, -6_500), 4_500), Partial);
}

#[test]
fn enf_09_guns_on_a_column() {
    assert_eq!(class_of(guns(), column(), (0, 8_000), 18_000), Full);
    assert_eq!(class_of(guns(), column(), (3_000, 8_000), 20_000), Partial);
    assert_eq!(class_of(guns(), column(), (2_500, -9_000), 35_000), Partial);
    assert_eq!(class_of(guns(), column(), (9_000, 5_000), 24_000), Front);
    assert_eq!(class_of(guns(), column(), (9_000, -1_250), 27_000), Front);
}

#[test]
fn enf_10_the_rear() {
    assert_eq!(class_of(foot(), line(), (0, -4_000), 0), Rear);
    assert_eq!(class_of(foot(), line(), (4_500, -3_000), 31_500), Partial);
}

#[test]
fn enf_11_disorder_and_square_have_no_flank() {
    let square = line().formation(Formation::Square);
    assert_eq!(class_of(foot(), line().disordered(), (5_000, -312), 27_000), Front);
    assert_eq!(class_of(foot(), square, (0, -4_000), 0), Front);
    // FORM-31: but a rear, directly behind.
    assert_eq!(class_of(foot(), line().disordered(), (0, -4_000), 0), Rear);
}

#[test]
fn enf_13_a_refused_stand_takes_a_step_off() {
    let refused = |flank| line().with(move |unit| unit.footing.refused = Some(flank));
    assert_eq!(class_of(foot(), refused(Flank::Right), (5_000, -312), 27_000), Partial);
    assert_eq!(class_of(foot(), refused(Flank::Right), (4_750, 3_000), 22_500), Front);
    assert_eq!(class_of(foot(), refused(Flank::Left), (4_750, 3_000), 22_500), Partial);
    assert_eq!(class_of(foot(), refused(Flank::Right), (0, -4_000), 0), Rear);
}

#[test]
fn enf_14_and_15_guns_on_a_line() {
    assert_eq!(class_of(guns(), line(), (8_000, 5_000), 23_800), Partial);
    assert_eq!(class_of(guns(), line(), (8_000, 6_500), 23_000), Front);
    assert_eq!(class_of(guns(), line(), (8_000, 0), 27_000), Full);
    assert_eq!(class_of(guns(), line(), (8_000, -600), 27_000), Full);
    assert_eq!(class_of(guns(), line(), (8_000, -1_200), 27_000), Rear);
}
