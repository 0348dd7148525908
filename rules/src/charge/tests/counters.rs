//! Countercharges and charges that meet. CC-01 to CC-13, CC-20, CHG-51

use protocol::orders::{Countercharge, IfCharged, MoveOrder};
use protocol::place::Point;

use super::*;

fn comes(key: Countercharge) -> Instructions {
    Instructions { countercharge: Some(key), fire: Some(false), ..Instructions::default() }
}

fn comes_if_charged() -> Instructions {
    Instructions { if_charged: Some(IfCharged::Countercharge), ..Instructions::default() }
}

/// A charge of 15 inches at X, nine inches off.
fn at(said: Instructions) -> Field {
    Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 19_000)])
        .charges("a", "x")
        .order("x", hold(), said)
        .bonus("a", &[3, 3, 3])
}

#[test]
fn cc_01_and_02_and_09_and_13_a_holding_target_meets_the_charge_half_way_from_six_inches() {
    // After three inches the gap is six: each goes three more. In order on a 4.
    let played = at(comes_if_charged())
        .die(Purpose::CcOrder, &["x"], &[4])
        .die(Purpose::CcBonus, &["x"], &[1, 1, 1])
        .ends(Ending::Fought)
        .play();
    assert_eq!(
        played.story(),
        [
            "a charges 15000 disorder 10500",
            "x is charged by a",
            "a to 30000 13000",
            "x passes",
            "x meets a 9000",
            "a to 30000 16000",
            "x to 30000 16000",
            "a strikes x",
            "x fought hand to hand",
            "a fought hand to hand",
        ]
    );
    assert_eq!(played.clash(0), "a charging elan / x charging elan / Front");
    assert!(played.unit("x").marks.countercharged && !played.unit("x").footing.disorder);
}

#[test]
fn cc_02_and_10_and_tc_09_a_roll_that_fails_sends_it_in_disorder() {
    let played = at(comes_if_charged())
        .die(Purpose::CcOrder, &["x"], &[3])
        .die(Purpose::CcBonus, &["x"], &[1, 1, 1])
        .ends(Ending::Fought)
        .play();
    assert!(played.unit("x").footing.disorder);
}

#[test]
fn cc_03_off_its_front_it_goes_in_disorder_without_a_roll() {
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 19_000).facing(9_000)])
        .charges("a", "x")
        .order("x", hold(), comes_if_charged())
        .bonus("a", &[3, 3, 3])
        .die(Purpose::CcBonus, &["x"], &[1, 1, 1])
        .ends(Ending::Fought)
        .play();
    assert!(played.unit("x").footing.disorder);
}

#[test]
fn cc_04_a_marching_target_countercharges_in_disorder_if_told_so() {
    let march = Order::Move(MoveOrder { path: vec![Point::new(30_000, 30_000)], ..MoveOrder::default() });
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 19_000)])
        .charges("a", "x")
        .order("x", march, comes_if_charged())
        .bonus("a", &[3, 3, 3])
        .die(Purpose::CcBonus, &["x"], &[1, 1, 1])
        .ends(Ending::Fought)
        .play();
    assert!(played.unit("x").footing.disorder && !played.unit("x").marks.conditional_hold);
}

#[test]
fn cc_06_shaken_and_skirmishing_units_do_not_come() {
    let comes = |x: Maker| {
        let played = Field::of(vec![union("a", 30_000, 10_000), confederate("y", 30_000, 20_000), x])
            .charges("a", "y")
            .silent("y")
            .order("x", hold(), comes(Countercharge::Always {}))
            .bonus("a", &[1, 1, 1])
            .play();
        played.unit("x").marks.countercharged
    };
    let beside = || confederate("x", 36_000, 16_000).facing(27_000);
    assert!(!comes(beside().morale(Morale::Shaken)));
    assert!(!comes(beside().formation(protocol::words::Formation::SkirmishLine)));
    assert!(!comes(beside().with(|unit| unit.carried.charge_turns = 2)));
    assert!(!comes(beside().with(|unit| unit.marks.conditional_hold = true)));
}

#[test]
fn cc_08_and_12_a_third_unit_takes_the_charge_and_the_target_keeps_its_volley() {
    // The walk-through of the catalogue: X is charged and rolls its volley for two inches, travel seven; Y, 5 inches from A,
    // answers at travel 0.
    let played = Field::of(vec![
        union("a", 30_000, 10_000),
        confederate("x", 30_000, 19_000),
        confederate("y", 36_750, 10_000).facing(27_000),
    ])
    .charges("a", "x")
    .order("x", hold(), Instructions::default())
    .order("y", hold(), comes(Countercharge::Always {}))
    .bonus("a", &[3, 3, 3])
    .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[4])
    .die(Purpose::CcOrder, &["y"], &[6])
    .die(Purpose::CcBonus, &["y"], &[1, 1, 1])
    .ends(Ending::Fought)
    .play();
    assert!(played.clash(0).contains("/ y"), "{}", played.clash(0));
    assert_eq!(played.unit("x").marks.fires, 0);
    assert_eq!(played.unit("x").marks.charged_by, None);
    // CC-08: the turn is 90 degrees, more than 45.
    assert!(played.unit("a").footing.disorder);
}

#[test]
fn cc_07_who_is_triggered_later_comes_too_late() {
    // Y is within six inches at once, Z only after an inch: Y meets the charge, Z stays.
    let played = Field::of(vec![
        union("a", 30_000, 10_000),
        confederate("x", 30_000, 30_000),
        confederate("y", 37_000, 10_000).facing(27_000),
        confederate("z", 23_000, 13_000).facing(9_000),
    ])
    .charges("a", "x")
    .silent("x")
    .order("y", hold(), comes(Countercharge::Always {}))
    .order("z", hold(), comes(Countercharge::Within { distance: 4_000 }))
    .bonus("a", &[3, 3, 3])
    .die(Purpose::CcOrder, &["y"], &[6])
    .die(Purpose::CcBonus, &["y"], &[1, 1, 1])
    .ends(Ending::Fought)
    .play();
    assert!(played.unit("y").marks.countercharged);
    assert!(!played.unit("z").marks.countercharged);
}

#[test]
fn cc_07_the_point_meets_those_who_come_one_by_one_while_it_wins() {
    let played = Field::of(vec![
        union("a", 30_000, 10_000),
        confederate("x", 30_000, 30_000),
        confederate("y", 37_000, 10_000).facing(27_000),
        confederate("z", 24_500, 10_500).facing(9_000),
    ])
    .charges("a", "x")
    .silent("x")
    .order("y", hold(), comes(Countercharge::Always {}))
    .order("z", hold(), comes(Countercharge::Always {}))
    .bonus("a", &[3, 3, 3])
    .die(Purpose::CcOrder, &["z"], &[6])
    .die(Purpose::CcBonus, &["z"], &[1, 1, 1])
    .die(Purpose::CcOrder, &["y"], &[6])
    .die(Purpose::CcBonus, &["y"], &[1, 1, 1])
    .ends(Ending::Broken)
    .ends(Ending::Fought)
    .play();
    // Z is the nearer.
    assert!(played.clash(0).contains("/ z") && played.clash(1).contains("/ y"));
}

#[test]
fn cc_09_if_one_runs_out_of_distance_the_other_covers_the_rest() {
    // In rough ground Y goes an inch and half a die, 1: 1.5 inches; the six inches between are covered by A.
    let mut ground = open_ground();
    let corner = Point::new;
    ground.areas = vec![crate::ground::Area {
        id: protocol::ids::FeatureId::new("rough"),
        name: "Rough".to_owned(),
        terrain: crate::ground::Terrain::Rough,
        wooded: crate::ground::Wooded::None,
        outline: vec![corner(35_000, 0), corner(60_000, 0), corner(60_000, 60_000), corner(35_000, 60_000)],
    }];
    let played = Field::of(vec![
        union("a", 30_000, 10_000),
        confederate("x", 30_000, 30_000),
        confederate("y", 37_750, 10_000).facing(27_000),
    ])
    .on(ground)
    .charges("a", "x")
    .silent("x")
    .order("y", hold(), comes(Countercharge::Always {}))
    .bonus("a", &[3, 3, 3])
    .die(Purpose::CcOrder, &["y"], &[6])
    .die(Purpose::CcBonus, &["y"], &[1])
    .ends(Ending::Fought)
    .play();
    assert_eq!(played.anchor("a").0 - 30_000, 4_500);
}

#[test]
fn cc_11_a_countercharger_that_wins_runs_on_only_within_its_normal_move() {
    // X meets A after three inches and breaks it: three of its six are left.
    let played = at(comes_if_charged())
        .die(Purpose::CcOrder, &["x"], &[6])
        .die(Purpose::CcBonus, &["x"], &[6, 6, 6])
        .ends(Ending::Repelled)
        .play();
    assert_eq!(played.anchor("x"), (30_000, 13_000));
}

#[test]
fn cc_20_who_goes_for_a_support_meets_it_after_the_main_charge() {
    // Y is within reach of the support B alone.
    let played = Field::of(vec![
        union("a", 30_000, 10_000),
        union("b", 34_500, 10_000),
        confederate("x", 30_000, 19_000),
        confederate("y", 42_000, 10_000).facing(27_000),
    ])
    .charges("a", "x")
    .order("b", in_support_of("a"), Instructions::default())
    .silent("x")
    .order("y", hold(), comes(Countercharge::Always {}))
    .bonus("a", &[3, 3, 3])
    .die(Purpose::CcOrder, &["y"], &[6])
    .die(Purpose::CcBonus, &["y"], &[1, 1, 1])
    .ends(Ending::Recoiled)
    .ends(Ending::Fought)
    .play();
    assert_eq!(played.clash(0), "a charging elan / x / Front");
    assert!(played.clash(1).starts_with("b charging elan / y charging elan"), "{}", played.clash(1));
}

#[test]
fn chg_51_two_charges_aimed_at_each_other_meet_half_way_without_volley_or_roll() {
    // Twenty inches apart: 15 and 9 together cover them. A goes ten, X its nine and A the rest.
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 30_000)])
        .charges("a", "x")
        .charges("x", "a")
        .die(Purpose::TieChargeOrder, &["a"], &[6])
        .die(Purpose::TieChargeOrder, &["x"], &[1])
        .bonus("a", &[3, 3, 3])
        .bonus("x", &[1, 1, 1])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.clash(0), "a charging elan / x charging elan / Front");
    assert_eq!(played.anchor("x"), (30_000, 21_000));
    assert_eq!(played.anchor("a"), (30_000, 21_000));
}

#[test]
fn chg_51_two_that_do_not_cover_the_gap_halt_apart() {
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 30_000)])
        .charges("a", "x")
        .charges("x", "a")
        .die(Purpose::TieChargeOrder, &["a"], &[6])
        .die(Purpose::TieChargeOrder, &["x"], &[1])
        .bonus("a", &[1, 1, 1])
        .bonus("x", &[1, 1, 1])
        .play();
    assert_eq!(played.anchor("a"), (30_000, 19_000));
    assert_eq!(played.anchor("x"), (30_000, 21_000));
}

#[test]
fn chg_51_a_charger_taken_from_behind_is_struck_where_it_stands() {
    // X faces away, to the north, and is to charge B there.
    let played = Field::of(vec![
        union("a", 30_000, 10_000),
        union("b", 30_000, 40_000).facing(18_000),
        confederate("x", 30_000, 19_000).facing(0),
    ])
    .charges("a", "x")
    .silent("b")
    .charges("x", "b")
    .bonus("a", &[3, 3, 3])
    .ends(Ending::Fought)
    .play();
    assert_eq!(played.clash(0), "a charging elan / x / Rear");
    assert!(played.unit("x").marks.order_spent && !played.unit("x").marks.charged);
}
