//! Chapter CAV as it bears on fire: what horse fires with, and what it is worth as a target.

use protocol::ids::Side;
use protocol::orders::Order;
use protocol::words::{Formation, Quality};

use super::{HOLD, Occasion, blue, fired, grey, laid, reckoned, shot, volley_dice};
use crate::ruleset::Strength;
use crate::testing::{Maker, cavalry, infantry, ix, open_ground, table};

/// Veterans in the saddle with carbines, in line in the south, their opening volley used.
fn rider(figures: u32) -> Maker {
    let sized = |unit: &mut crate::battle::Unit| {
        (unit.stand_width, unit.stand_depth) = (1_000, 1_333);
        unit.opening_volley_used = true;
    };
    cavalry("a", Side::Union).at(30_000, 30_000).figures(figures).with(sized)
}

/// The same on foot.
fn trooper(figures: u32, formation: Formation) -> Maker {
    let on_foot = |unit: &mut crate::battle::Unit| {
        unit.mounted = false;
        (unit.stand_width, unit.stand_depth) = (750, 625);
    };
    rider(figures).with(on_foot).formation(formation)
}

/// Modifiers and strength of a unit's fire at infantry in close range.
fn fires(unit: Maker) -> (i32, Strength) {
    let (_, modifiers, strength) = reckoned(vec![unit, grey("b", 12, 900)], "a", "b");
    (modifiers, strength)
}

/// The modifiers of twelve veterans of infantry who fire at horse three inches before them, which is charging or not.
fn struck(target: Maker, charging: bool) -> i32 {
    let mut target = target.at(30_000, 33_000).facing(18_000).unit();
    (target.id, target.side) = ("b".into(), Side::Confederate);
    let mut table = table(open_ground(), [blue("a", 12), grey("b", 12, 3_000)]);
    let b = ix(&table, "b");
    table[b] = target;
    let mut shot = shot(&table, "a", "b", &HOLD, if charging { Occasion::Charge } else { Occasion::Hold });
    shot.target_charging = charging;
    laid(&table, &shot).modifiers.total()
}

#[test]
fn cav_10_and_cav_08_dismounted_men_fire_at_two_less() {
    // Line fires with all, skirmishers with half as those of infantry, and so does disorder.
    assert_eq!(fires(trooper(12, Formation::DismountedLine)), (-2, Strength::Figures(12)));
    assert_eq!(fires(trooper(12, Formation::SkirmishLine)), (-2, Strength::Figures(6)));
    assert_eq!(fires(trooper(12, Formation::DismountedLine).disordered()), (-2, Strength::Figures(6)));
    // In the saddle nobody holds horses.
    assert_eq!(fires(rider(12)).0, 0);
    assert_eq!(fires(infantry("a", Side::Union).at(30_000, 30_000).with(|unit| unit.opening_volley_used = true)).0, 0);
}

#[test]
fn cav_11_a_dismounted_line_is_a_target_at_two_less() {
    assert_eq!(struck(trooper(12, Formation::DismountedLine), false), -2);
    assert_eq!(struck(trooper(12, Formation::DismountedLine), true), -2, "it is not halved in a charge");
    assert_eq!(struck(trooper(12, Formation::SkirmishLine), false), 0);
    assert_eq!(struck(trooper(12, Formation::DismountedLine).disordered(), false), 3);
    // Of skirmishers half is lost, rounded down: 12 figures at 16 kill 3, and of that 1.
    let target = trooper(12, Formation::SkirmishLine).at(30_000, 33_000).facing(18_000);
    let target = target.with(|unit| (unit.id, unit.side) = ("b".into(), Side::Confederate));
    let field = table(open_ground(), [blue("a", 12), target]);
    let came = fired(field, 7, volley_dice("a", &[6, 5, 5]), &[("a", "b", HOLD, Occasion::Hold)]);
    assert_eq!(came.left("b"), 11);
}

#[test]
fn cav_27_the_opening_volley_is_fired_on_foot_and_in_line() {
    let fresh = |unit: Maker| unit.with(|unit| unit.opening_volley_used = false);
    let line = || fresh(trooper(12, Formation::DismountedLine));
    // Two for the opening volley, two less for the horse holders.
    assert_eq!(fires(line()).0, 0);
    assert_eq!(fires(fresh(trooper(12, Formation::SkirmishLine))).0, -2);
    assert_eq!(fires(fresh(rider(12))).0, 0);
    // Four dice of close range that show nothing; fire in the saddle and as skirmishers leaves the volley for later.
    let used = |unit: Maker| {
        let field = table(open_ground(), [unit, grey("b", 12, 900)]);
        let came = fired(field, 7, volley_dice("a", &[1, 1, 1, 1]), &[("a", "b", HOLD, Occasion::Hold)]);
        came.battle.table[ix(&came.battle.table, "a")].opening_volley_used
    };
    assert_eq!(
        [used(line()), used(fresh(trooper(12, Formation::SkirmishLine))), used(fresh(rider(12)))],
        [true, false, false]
    );
}

#[test]
fn cav_28_in_the_saddle_half_fires_and_a_quarter_in_disorder() {
    let figures = |unit: Maker| fires(unit).1;
    // 11 / 2 and 11 / 4, rounded down once.
    assert_eq!(figures(rider(11)), Strength::Figures(5));
    assert_eq!(figures(rider(11).disordered()), Strength::Figures(2));
    assert_eq!(figures(rider(12).disordered()), Strength::Figures(3));
    assert_eq!(figures(rider(12).formation(Formation::DoubleLine)), Strength::Figures(6), "both ranks");
    assert_eq!(figures(rider(12).formation(Formation::SkirmishLine)), Strength::Figures(3));
    assert_eq!(figures(rider(12).formation(Formation::MarchColumn)), Strength::Figures(3), "to its front");
    // To its side half: the enemy stands abreast of its middle, nine tenths of an inch from its flank.
    let column = rider(12).formation(Formation::MarchColumn).at(30_000, 30_000);
    let beside = grey("b", 12, 0).at(31_400, 27_000).facing(27_000);
    assert_eq!(reckoned(vec![column, beside], "a", "b").2, Strength::Figures(6));
}

#[test]
fn cav_28_a_count_of_nothing_cannot_fire() {
    // Three figures in disorder: three quarters of one.
    let few = rider(12).stands_left(1).disordered();
    let field = table(open_ground(), [few, grey("b", 12, 900)]);
    let look = crate::field::Field::before_dice(field.rules(), &field);
    let shot = shot(&field, "a", "b", &HOLD, Occasion::Hold);
    assert!(super::lay(&look, &shot, &super::Officers::Present).is_err());
}

#[test]
fn cav_35_a_charge_halves_the_modifier_of_the_formation_and_nothing_else() {
    let both = |unit: Maker| (struck(unit.clone(), false), struck(unit, true));
    assert_eq!(both(rider(12)), (2, 1));
    assert_eq!(both(rider(12).formation(Formation::DoubleLine)), (4, 2));
    assert_eq!(both(rider(12).disordered()), (6, 3));
    // A march column squarely ahead shows its head, a full flank of 4, which is not halved.
    assert_eq!(both(rider(12).formation(Formation::MarchColumn)), (8, 6));
    // Nor is quality: militia as a target adds one.
    assert_eq!(both(rider(12).quality(Quality::Militia)), (3, 2));
    // In phase 4 a unit that is yet to charge is as it stands: First Fire adds one, the line two.
    let horse = cavalry("b", Side::Confederate).at(30_000, 33_000).facing(18_000);
    let field = table(open_ground(), [blue("a", 12), horse]);
    let first = shot(&field, "a", "b", &Order::FirstFire {}, Occasion::FirstFire);
    assert_eq!(laid(&field, &first).modifiers.total(), 3);
}
