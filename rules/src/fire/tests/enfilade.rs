//! The test vectors of the chapter ENF: a target of four stands 875 x 625 at (0,0) facing north.

use protocol::event::FlankClass::{self, Front, Full, Partial, Rear};
use protocol::ids::Side;
use protocol::words::{Flank, Formation};

use super::{Laid, Occasion, Shot, shot};
use crate::field::Field;
use crate::fire::{Officers, Round, lay};
use crate::ruleset::Ruleset;
use crate::testing::{battery, infantry, open_ground, played_by, table};

/// Where a firer stands against the target, and the class of its fire. Origin in the middle of a wide table.
fn class_of(firer: crate::testing::Maker, target: crate::testing::Maker, at: (i32, i32), facing: i32) -> FlankClass {
    fire_of(firer, target, at, facing, Round::Plain).flank
}

/// The same fire reckoned, its opening volley used.
fn fire_of(
    firer: crate::testing::Maker,
    target: crate::testing::Maker,
    at: (i32, i32),
    facing: i32,
    round: Round,
) -> Laid {
    played_as(firer, target, at, facing, round, &[])
}

/// The same fire by a house-rules sheet.
fn played_as(
    firer: crate::testing::Maker,
    target: crate::testing::Maker,
    at: (i32, i32),
    facing: i32,
    round: Round,
    house: &[(&str, &str)],
) -> Laid {
    let firer = firer.with(|unit| unit.opening_volley_used = true);
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
    let table = played_by(table(open_ground(), [firer, target.at(middle, middle).facing(0)]), house);
    let field = Field::before_dice(table.theatre.rules(), &table);
    let shot = Shot { round, ..shot(&table, "firer", "target", &super::HOLD, Occasion::Hold) };
    lay(&field, &shot, &Officers::Present).unwrap_or_else(|reason| panic!("{reason:?}"))
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
fn enf_01_values_of_muskets_and_of_shot() {
    // The firers and the target have no other modifier.
    let drm = |firer, at, facing| fire_of(firer, line(), at, facing, Round::Plain).modifiers.total();
    assert_eq!([drm(foot(), (4_750, 3_000), 22_500), drm(foot(), (5_000, -312), 27_000)], [2, 4]);
    assert_eq!(drm(foot(), (0, -4_000), 0), 2);
    assert_eq!([drm(guns(), (8_000, 5_000), 23_800), drm(guns(), (8_000, 0), 27_000)], [3, 6]);
    assert_eq!(drm(guns(), (8_000, -1_200), 27_000), 3);
}

#[test]
fn enf_03_full_enfilade_wants_the_target_straight_ahead() {
    // Three stands of the firer are behind the front line, as ENF-05 asks. But it faces past the target: of its stands only
    // the right one lies whole in the primary zone, and the centres of the two on the left lie in the secondary one.
    assert_eq!(class_of(foot(), line(), (5_000, -1_000), 30_000), Partial);
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
fn enf_08_by_the_house_rule_a_broadside_straight_ahead_is_partial() {
    // The 17th New York's vector: square on the column's side, whose length does not point at it.
    let class =
        |word| played_as(foot(), column(), (5_000, -1_250), 27_000, Round::Plain, &[("column_partial", word)]).flank;
    assert_eq!([class("spine"), class("either")], [Front, Partial]);
    // Neither condition: no enfilade by either reading.
    let aside =
        |word| played_as(foot(), column(), (4_000, 4_000), 20_000, Round::Plain, &[("column_partial", word)]).flank;
    assert_eq!([aside("spine"), aside("either")], [Front, Front]);
}

#[test]
fn enf_10_by_the_house_rule_behind_the_rear_line_is_rear_wherever_the_target_lies() {
    let class =
        |word| played_as(foot(), line(), (4_500, -3_000), 31_500, Round::Plain, &[("infantry_rear", word)]).flank;
    assert_eq!([class("partial"), class("rear")], [Partial, Rear]);
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

#[test]
fn enf_17_a_group_has_the_lowest_class_of_its_batteries() {
    // One battery enfilades fully, the other stands ahead of the target.
    let target = line().at(30_000, 30_000);
    let aside = battery("aside", Side::Union).at(37_500, 30_000).facing(27_000);
    let ahead = battery("ahead", Side::Union).at(30_000, 35_000).facing(18_000);
    let table = table(open_ground(), [aside, ahead, target]);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let one = |firer| shot(&table, firer, "target", &super::HOLD, Occasion::Hold);
    let class = |shot: &Shot| lay(&field, shot, &Officers::Present).expect("both have it in their arc").flank;
    assert_eq!((class(&one("aside")), class(&one("ahead"))), (Full, Front));
    let mut both = one("aside");
    both.firers.extend(one("ahead").firers);
    assert_eq!(class(&both), Front);
}

#[test]
fn enf_18_canister_has_the_values_of_muskets_by_the_places_of_guns() {
    // A Napoleon 1.75 inches off the target's end: full, since it is inside the flank arc and crosses the front line.
    let fire = |round| fire_of(guns(), line(), (4_000, 0), 27_000, round);
    assert_eq!((fire(Round::Plain).flank, fire(Round::Canister).flank), (Full, Full));
    assert_eq!((fire(Round::Plain).modifiers.total(), fire(Round::Canister).modifiers.total()), (6, 4));
}
