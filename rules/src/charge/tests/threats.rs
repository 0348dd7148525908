//! ALG-MTE: whom a charge is made at, and from whom a unit flees.

use protocol::event::{Morale, OrderShown};
use protocol::ids::Side;

use crate::charge::threat::{Why, declared, most_threatening, threats};
use crate::dice::{Purpose, ScriptedDice};
use crate::field::Field;
use crate::ruleset::Ruleset;
use crate::testing::{Maker, infantry, ix, open_ground, table};

/// The unit of the test vector: at (0,0) facing 0 with a front of 3.5 inches; here its anchor lies at (30, 30).
fn charger() -> Maker {
    infantry("u", Side::Union).at(30_000, 30_000)
}

/// One small stand at a point.
fn small(id: &str, x: i32, y: i32) -> Maker {
    infantry(id, Side::Confederate).at(30_000 + x, 30_000 + y - 5).facing(18_000).stands_left(1).with(|unit| {
        (unit.stand_width, unit.stand_depth) = (10, 10);
    })
}

/// 11 inches straight ahead.
fn a() -> Maker {
    small("a", 0, 11_000)
}

/// 3 inches off, 30 degrees right of the right front corner at (1750, 0): 3 sin 30 = 1.5, 3 cos 30 = 2.598.
fn b() -> Maker {
    small("b", 1_750 + 1_500, 2_598)
}

/// 2 inches off the left flank end.
fn c() -> Maker {
    small("c", -1_750 - 2_000, -312)
}

fn names(why: Why, enemies: Vec<Maker>) -> String {
    let table = table(open_ground(), enemies.into_iter().chain([charger()]));
    let field = Field::before_dice(Ruleset::standard(), &table);
    let found = threats(&field, ix(&table, "u"), why, None);
    found.iter().map(|threat| field.unit(threat.enemy).id.to_string()).collect::<Vec<_>>().join(" ")
}

const CHARGE: Why = Why::Charge { reach: None };

#[test]
fn chg_06_straight_ahead_before_at_an_angle_before_neither() {
    assert_eq!(names(CHARGE, vec![a(), b(), c()]), "a b c");
    assert_eq!(names(CHARGE, vec![b(), c()]), "b c");
}

#[test]
fn chg_06_beyond_twelve_inches_straight_ahead_is_at_an_angle() {
    // D stands 13 inches straight ahead: it is in the secondary zone like B, which is nearer.
    assert_eq!(names(CHARGE, vec![small("d", 0, 13_000), b()]), "b d");
}

#[test]
fn dis_03_a_unit_runs_from_the_nearest_whatever_zone_it_is_in() {
    assert_eq!(names(Why::Disengage, vec![a(), b(), c()]), "c b a");
}

#[test]
fn chg_06_a_routed_enemy_comes_last() {
    assert_eq!(names(CHARGE, vec![a().morale(Morale::Routed), b(), c()]), "b c a");
}

#[test]
fn dis_03_routed_and_disengaging_enemies_count_only_if_nobody_else_is_seen() {
    let flees = |maker: Maker| maker.with(|unit| unit.marks.shown = Some(OrderShown::Disengage {}));
    let routed = || a().morale(Morale::Routed);
    assert_eq!(names(Why::Disengage, vec![routed(), flees(b()), c()]), "c");
    // B is the nearer, but k1 puts the routed one last in any case.
    assert_eq!(names(Why::Disengage, vec![routed(), flees(b())]), "b a");
}

#[test]
fn chg_13_nobody_beyond_its_greatest_reach_is_a_target() {
    // A line in the open: 6 inches and three sixes, 24 in all.
    let declared_at = |y: i32| {
        let table = table(open_ground(), [charger(), small("far", 0, y)]);
        let field = Field::before_dice(Ruleset::standard(), &table);
        declared(&field, ix(&table, "u"), None, None).is_some()
    };
    assert!(declared_at(24_005));
    assert!(!declared_at(24_015));
}

#[test]
fn ord_13_a_second_charge_running_reaches_only_its_rate() {
    let second = charger().with(|unit| unit.carried.charge_turns = 1);
    let table = table(open_ground(), [second, small("near", 0, 6_005), small("far", 100, 6_105)]);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let found = threats(
        &field,
        ix(&table, "u"),
        Why::Charge { reach: Some(crate::charge::threat::reach(&field, ix(&table, "u"))) },
        None,
    );
    assert_eq!(found.iter().map(|threat| threat.distance).collect::<Vec<_>>(), [6_000]);
}

#[test]
fn chg_07_a_preferred_target_may_be_half_an_inch_farther_off() {
    let target = |second: i32| {
        let table = table(open_ground(), [charger(), small("first", -500, 8_000), small("second", 500, second)]);
        let field = Field::before_dice(Ruleset::standard(), &table);
        let wish = protocol::ids::UnitId::new("second");
        let found = declared(&field, ix(&table, "u"), Some(&wish), None).expect("both are in reach");
        field.unit(found).id.to_string()
    };
    assert_eq!(target(8_500), "second");
    assert_eq!(target(8_501), "first");
}

#[test]
fn chg_07_a_preferred_target_must_be_of_the_same_zone() {
    let table = table(open_ground(), [charger(), a(), b()]);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let wish = protocol::ids::UnitId::new("b");
    assert_eq!(declared(&field, ix(&table, "u"), Some(&wish), None), Some(ix(&table, "a")));
}

#[test]
fn turn_05_level_enemies_are_told_apart_by_dice_of_their_own() {
    // Mirrored to left and right: the same distance, the same angle.
    let table = table(open_ground(), [charger(), small("left", -800, 5_000), small("right", 800, 5_000)]);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let dice =
        ScriptedDice::new().with(Purpose::TieMte, &["u", "left"], &[3]).with(Purpose::TieMte, &["u", "right"], &[5]);
    let found = most_threatening(&field, ix(&table, "u"), CHARGE, Some((&dice, 3)));
    assert_eq!(found, Some(ix(&table, "right")));
    assert_eq!(dice.finish(), Ok(()));
}
