//! Horse that comes to meet a charge. CAVC-02 to CAVC-11, CAVC-15 to CAVC-22, CAVC-28, CAVC-29, CC-14 to CC-18
//!
//! A line of horse goes ten inches in the open and throws three dice; veterans are above 3 with a 4.

use protocol::orders::{Countercharge, CounterchargeTarget, FormTask, MoveOrder, SupportCountercharge};
use protocol::place::Point;
use protocol::words::{Formation, Quality};

use super::*;

/// Joins in against charges on others, and does not fire at them.
fn joins(key: Countercharge) -> Instructions {
    Instructions { countercharge: Some(key), fire: Some(false), ..Instructions::default() }
}

fn always() -> Instructions {
    joins(Countercharge::Always {})
}

fn march() -> Order {
    Order::Move(MoveOrder { path: vec![Point::new(5_000, 5_000)], ..MoveOrder::default() })
}

fn form() -> Order {
    let formation = Formation::DoubleLine;
    Order::Form { task: FormTask::Formation { formation, facing: None, pivot: None, gap: None } }
}

/// The horse A charges X, who stands so many inches to its north.
fn at(x: Maker, order: Order, said: Instructions) -> Field {
    Field::of(vec![rider("a", 30_000, 10_000), x]).charges("a", "x").order("x", order, said)
}

/// Twenty inches apart, with 17 for A.
fn twenty(order: Order, said: Instructions) -> Field {
    at(trooper("x", 30_000, 30_000), order, said).bonus("a", &[2, 2, 3])
}

/// A charges infantry X twenty inches off; the horse Z stands eleven inches to the right of A.
fn beside(order: Order, said: Instructions, z: Maker) -> Field {
    Field::of(vec![rider("a", 30_000, 10_000), confederate("x", 30_000, 30_000), z])
        .charges("a", "x")
        .silent("x")
        .order("z", order, said)
        .bonus("a", &[3, 3, 3])
}

fn z() -> Maker {
    trooper("z", 43_000, 10_000).facing(27_000)
}

#[test]
fn cavc_03_and_10_and_21_and_cc_14_horse_on_hold_meets_a_charge_on_itself_half_way() {
    // The example: at 20 inches with reaches of 17 and 16 they meet 10 inches from each.
    let played = twenty(hold(), Instructions::default())
        .die(Purpose::CcOrder, &["x"], &[4])
        .die(Purpose::CcBonus, &["x"], &[2, 2, 2])
        .ends(Ending::Fought)
        .play();
    assert_eq!(
        played.story()[..7],
        [
            "a charges 17000 disorder 13500",
            "x passes",
            "x is charged by a",
            "x meets a 16000",
            "a to 30000 20000",
            "x to 30000 20000",
            "a strikes x",
        ]
    );
    assert_eq!(played.clash(0), "a charging elan / x charging elan / Front");
    let x = played.unit("x");
    assert!(x.marks.countercharged && x.marks.order_spent && !x.footing.disorder && !x.marks.conditional_hold);
}

#[test]
fn cavc_03_horse_goes_to_meet_infantry_too() {
    // The infantry charges with six and nine inches; X comes from nine inches away.
    let played = Field::of(vec![union("a", 30_000, 10_000), trooper("x", 30_000, 19_000)])
        .charges("a", "x")
        .order("x", hold(), Instructions::default())
        .bonus("a", &[3, 3, 3])
        .die(Purpose::CcOrder, &["x"], &[5])
        .die(Purpose::CcBonus, &["x"], &[1, 1, 1])
        .ends(Ending::Fought)
        .play();
    assert_eq!((played.anchor("a"), played.anchor("x")), ((30_000, 14_500), (30_000, 14_500)));
    assert_eq!(played.clash(0), "a charging elan / x charging elan / Front");
}

#[test]
fn cavc_21_who_cannot_come_half_way_comes_as_far_as_it_can() {
    // 24 inches apart; X charged last turn and has its ten inches alone. A covers fourteen, and is in disorder from 13.5.
    let x = trooper("x", 30_000, 34_000).with(|unit| unit.carried.charge_turns = 1);
    let played = at(x, hold(), Instructions::default())
        .bonus("a", &[2, 2, 3])
        .die(Purpose::CcOrder, &["x"], &[4])
        .ends(Ending::Fought)
        .play();
    assert_eq!((played.anchor("a"), played.anchor("x")), ((30_000, 24_000), (30_000, 24_000)));
    assert!(played.unit("a").footing.disorder && !played.unit("x").footing.disorder);
    // CAVC-04, ORD-14: neither bonus nor elan.
    assert_eq!(played.clash(0), "a charging elan / x charging / Front");
}

#[test]
fn cavc_21_if_both_do_not_cover_the_gap_the_target_does_not_move() {
    // Ten inches each, twenty-two apart.
    let tired = |maker: Maker| maker.with(|unit| unit.carried.charge_turns = 1);
    let played = Field::of(vec![tired(rider("a", 30_000, 10_000)), tired(trooper("x", 30_000, 32_000))])
        .charges("a", "x")
        .order("x", hold(), always())
        .die(Purpose::CcOrder, &["x"], &[4])
        .play();
    assert_eq!(played.story(), ["a charges 10000", "x passes", "a to 30000 20000", "a fell short"]);
    let x = played.unit("x");
    assert_eq!((played.anchor("x"), &x.marks.charged_by, x.marks.countercharged), ((30_000, 32_000), &None, false));
    assert!(!x.marks.order_spent, "it keeps its order");
}

#[test]
fn cavc_04_and_38_who_cannot_come_receives_the_charge_where_it_stands() {
    // Neither order nor bonus are thrown for, and no volley is fired.
    let stands = |x: Maker| {
        let played = at(x, hold(), Instructions::default()).bonus("a", &[3, 3, 3]).ends(Ending::Fought).play();
        assert!(!played.unit("x").marks.countercharged);
        played.clash(0)
    };
    let x = || trooper("x", 30_000, 19_000);
    let received = "a charging elan / x / Front";
    assert_eq!(stands(x().formation(Formation::SkirmishLine)), received);
    assert_eq!(stands(x().morale(Morale::Shaken)), received);
    assert_eq!(stands(x().with(|unit| unit.carried.charge_turns = 2)), received);
    assert_eq!(stands(x().with(|unit| unit.carried.melee_last_turn = true)), received);
    assert_eq!(stands(x().with(|unit| unit.marks.fell_back = true)), received);
    assert!(stands(x().stands_left(2)).starts_with("a charging elan / x /"));
}

#[test]
fn cavc_05_and_18_and_cc_15_and_18_horse_near_a_charge_joins_in_with_a_die_less_if_told_so() {
    // Nobody comes without a word.
    let played = beside(hold(), Instructions { fire: Some(false), ..Instructions::default() }, z()).play();
    assert!(!played.unit("z").marks.countercharged);
    // Eleven inches: within twelve at once. Two dice.
    let played = beside(hold(), always(), z())
        .die(Purpose::CcOrder, &["z"], &[4])
        .die(Purpose::CcBonus, &["z"], &[3, 3])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.clash(0), "a charging elan / z charging elan / Front");
    assert!(played.story().contains(&"z meets a 16000".to_owned()));
    // 30 + 2 + 5.5: each goes half of the eleven inches between the flank of A and the front of Z.
    assert_eq!(played.anchor("a"), (35_500, 10_000));
    // CAVC-22: a turn of 90 degrees.
    assert!(played.unit("a").footing.disorder && !played.unit("z").footing.disorder);
}

#[test]
fn cavc_05_not_from_more_than_twelve_inches_nor_from_farther_than_its_owner_says() {
    let far = trooper("z", 44_100, 10_000).facing(27_000);
    let played = beside(hold(), always(), far).play();
    assert!(!played.unit("z").marks.countercharged);
    // Within ten: A never comes so near.
    let played = beside(hold(), joins(Countercharge::Within { distance: 10_000 }), z()).play();
    assert!(!played.unit("z").marks.countercharged);
}

#[test]
fn cavc_06_and_cc_15_a_roll_that_fails_sends_it_in_disorder() {
    let played = twenty(hold(), Instructions::default())
        .die(Purpose::CcOrder, &["x"], &[3])
        .die(Purpose::CcBonus, &["x"], &[2, 2, 2])
        .ends(Ending::Fought)
        .play();
    assert!(played.unit("x").footing.disorder && played.unit("x").marks.countercharged);
    // No roll for one that is in disorder, or that has the charge 45 degrees or more off its front.
    for x in [trooper("x", 30_000, 30_000).disordered(), trooper("x", 30_000, 30_000).facing(9_000)] {
        let played = at(x, hold(), Instructions::default())
            .bonus("a", &[2, 2, 3])
            .die(Purpose::CcBonus, &["x"], &[2, 2, 2])
            .ends(Ending::Fought)
            .play();
        assert!(played.unit("x").footing.disorder && played.unit("x").marks.countercharged);
    }
}

#[test]
fn cavc_07_told_so_it_stands_when_its_roll_fails() {
    let stand = || Instructions { countercharge_if_disordered: Some(false), ..Instructions::default() };
    let nine = || at(trooper("x", 30_000, 19_000), hold(), stand()).bonus("a", &[3, 3, 3]);
    let played = nine().die(Purpose::CcOrder, &["x"], &[3]).ends(Ending::Fought).play();
    assert_eq!(played.clash(0), "a charging elan / x / Front");
    assert!(!played.unit("x").footing.disorder && !played.unit("x").marks.countercharged);
    // In order it comes.
    let played = nine()
        .die(Purpose::CcOrder, &["x"], &[4])
        .die(Purpose::CcBonus, &["x"], &[1, 1, 1])
        .ends(Ending::Fought)
        .play();
    assert!(played.unit("x").marks.countercharged);
    // One that was to join in stays where it is, and keeps its order.
    let told = Instructions { countercharge_if_disordered: Some(false), ..always() };
    let played = beside(hold(), told, z()).die(Purpose::CcOrder, &["z"], &[3]).play();
    assert!(!played.unit("z").marks.countercharged && !played.unit("z").marks.order_spent);
}

#[test]
fn cavc_08_two_charges_aimed_at_each_other_meet_half_way_with_full_bonus() {
    let both = |x: Maker| {
        Field::of(vec![rider("a", 30_000, 10_000), x])
            .charges("a", "x")
            .charges("x", "a")
            .die(Purpose::TieChargeOrder, &["a"], &[6])
            .die(Purpose::TieChargeOrder, &["x"], &[1])
            .bonus("a", &[3, 3, 3])
            .bonus("x", &[1, 1, 1])
            .ends(Ending::Fought)
            .play()
    };
    let played = both(trooper("x", 30_000, 30_000));
    assert_eq!(played.clash(0), "a charging elan / x charging elan / Front");
    assert_eq!((played.anchor("a"), played.anchor("x")), ((30_000, 20_000), (30_000, 20_000)));
    assert!(!played.unit("x").footing.disorder);
    // At any angle, in disorder: its front is 90 degrees off.
    assert!(both(trooper("x", 30_000, 30_000).facing(9_000)).unit("x").footing.disorder);
}

#[test]
fn cavc_09_a_target_that_was_to_charge_a_third_unit_meets_its_own_attacker() {
    // B faces C, twenty-three inches off. A is twenty inches from B, at its side: B meets it in disorder.
    let b = trooper("b", 30_000, 30_000).facing(9_000);
    let played = Field::of(vec![rider("a", 29_000, 8_000), b, union("c", 53_000, 30_000).facing(27_000)])
        .charges("a", "b")
        .charges("b", "c")
        .silent("c")
        .bonus("a", &[3, 3, 3])
        .bonus("b", &[3, 3, 3])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.clashes.len(), 1);
    assert_eq!(played.clash(0), "a charging elan / b charging elan / Front");
    assert!(played.unit("b").marks.order_spent && played.unit("b").footing.disorder);
}

#[test]
fn cavc_09_one_that_has_charged_before_is_charged_where_it_then_is() {
    // B is eight inches from C, and A thirteen from B.
    let played = Field::of(vec![
        rider("a", 45_000, 30_000).facing(27_000),
        trooper("b", 30_000, 30_000),
        union("c", 30_000, 22_000),
    ])
    .charges("a", "b")
    .charges("b", "c")
    .silent("c")
    .bonus("b", &[3, 3, 3])
    .ends(Ending::Recoiled)
    .bonus("a", &[3, 3, 3])
    .ends(Ending::Fought)
    .play();
    assert_eq!(played.clash(0), "b charging elan / c / Front");
    assert!(played.clash(1).starts_with("a charging elan / b /"), "{}", played.clash(1));
    assert!(!played.unit("b").marks.countercharged);
}

#[test]
fn cavc_11_a_marching_target_comes_in_disorder_with_its_full_bonus_and_without_a_roll() {
    let played =
        twenty(march(), Instructions::default()).die(Purpose::CcBonus, &["x"], &[2, 2, 2]).ends(Ending::Fought).play();
    let x = played.unit("x");
    assert!(x.footing.disorder && x.marks.countercharged && x.marks.order_spent && !x.marks.conditional_hold);
    assert_eq!(played.anchor("x"), (30_000, 20_000));
}

#[test]
fn cavc_15_a_target_that_forms_receives_the_charge_in_disorder_and_forming() {
    let played = at(trooper("x", 30_000, 19_000), form(), Instructions::default())
        .bonus("a", &[3, 3, 3])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.clash(0), "a charging elan / x forming / Front");
    assert!(played.unit("x").footing.disorder && !played.unit("x").marks.countercharged);
    assert_eq!(played.unit("x").footing.formation, Formation::SingleLine, "its change is lost");
}

#[test]
fn cavc_16_and_cc_17_one_that_forms_may_join_in_disordered_and_forming() {
    let played = beside(form(), always(), z()).die(Purpose::CcBonus, &["z"], &[3, 3]).ends(Ending::Fought).play();
    assert_eq!(played.clash(0), "a charging elan / z charging elan forming / Front");
    assert!(played.unit("z").footing.disorder && played.unit("z").marks.order_spent);
}

#[test]
fn cc_16_one_that_marches_may_join_in_disorder() {
    let played = beside(march(), always(), z()).die(Purpose::CcBonus, &["z"], &[3, 3]).ends(Ending::Fought).play();
    assert_eq!(played.clash(0), "a charging elan / z charging elan / Front");
    assert!(played.unit("z").footing.disorder && played.unit("z").marks.countercharged);
}

#[test]
fn cavc_17_on_conditional_hold_it_rolls_and_comes_as_from_hold() {
    let held = trooper("x", 30_000, 30_000).with(|unit| unit.marks.conditional_hold = true);
    let played = at(held, march(), Instructions::default())
        .bonus("a", &[2, 2, 3])
        .die(Purpose::CcOrder, &["x"], &[4])
        .die(Purpose::CcBonus, &["x"], &[2, 2, 2])
        .ends(Ending::Fought)
        .play();
    assert!(played.unit("x").marks.countercharged && !played.unit("x").footing.disorder);
}

#[test]
fn cavc_18_one_less_than_half_a_die_is_none() {
    // In rough ground a line rides an inch, as disorder does, and is in disorder; half a die less one is none.
    let corner = Point::new;
    let mut ground = open_ground();
    ground.areas = vec![crate::ground::Area {
        id: protocol::ids::FeatureId::new("rough"),
        name: "Rough".to_owned(),
        terrain: crate::ground::Terrain::Rough,
        wooded: crate::ground::Wooded::None,
        outline: vec![corner(40_000, 0), corner(60_000, 0), corner(60_000, 60_000), corner(40_000, 60_000)],
    }];
    let played =
        beside(hold(), always(), z()).on(ground).die(Purpose::CcOrder, &["z"], &[6]).ends(Ending::Fought).play();
    assert!(played.story().contains(&"z meets a 1000".to_owned()), "{:?}", played.story());
    assert!(played.unit("z").footing.disorder);
}

#[test]
fn cavc_20_horse_that_wins_keeps_its_bonus_beyond_the_impact() {
    // X has 10 and 18. It meets A after ten inches and runs out the eighteen that are left.
    let played = twenty(hold(), Instructions::default())
        .die(Purpose::CcOrder, &["x"], &[6])
        .die(Purpose::CcBonus, &["x"], &[6, 6, 6])
        .ends(Ending::Repelled)
        .play();
    assert_eq!(played.anchor("x"), (30_000, 2_000));
}

#[test]
fn cavc_02_a_ride_after_victory_draws_in_horse_that_joins() {
    // A breaks X after six inches and rides on. After 5.4 more it is within twelve inches of Z, who has not come before.
    let played = Field::of(vec![
        rider("a", 30_000, 10_000),
        confederate("x", 30_000, 16_000),
        trooper("z", 42_000, 30_000).facing(27_000),
    ])
    .charges("a", "x")
    .silent("x")
    .order("z", hold(), always())
    .bonus("a", &[3, 3, 3])
    .ends(Ending::Broken)
    .die(Purpose::CcOrder, &["z"], &[4])
    .die(Purpose::CcBonus, &["z"], &[3, 3])
    .ends(Ending::Fought)
    .play();
    assert_eq!(played.clash(0), "a charging elan / x / Front");
    assert_eq!(played.clash(1), "a charging elan / z charging elan / Front");
}

#[test]
fn cavc_22_the_charger_meets_the_nearest_first_and_then_its_own_target() {
    // Z is eleven inches from A, X twenty; both come at once. A beats Z and turns to X, who has fourteen inches.
    let played = Field::of(vec![rider("a", 30_000, 10_000), trooper("x", 30_000, 30_000), z()])
        .charges("a", "x")
        .order("x", hold(), Instructions::default())
        .order("z", hold(), always())
        .bonus("a", &[6, 6, 6])
        .die(Purpose::CcOrder, &["x"], &[4])
        .die(Purpose::CcBonus, &["x"], &[1, 1, 2])
        .die(Purpose::CcOrder, &["z"], &[4])
        .die(Purpose::CcBonus, &["z"], &[1, 1])
        .ends(Ending::Broken)
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.clash(0), "a charging elan / z charging elan / Front");
    assert_eq!(played.clash(1), "a charging elan / x charging elan / Front");
}

#[test]
fn cavc_22_a_target_whose_turn_does_not_come_has_not_moved_and_keeps_its_order() {
    let played = Field::of(vec![rider("a", 30_000, 10_000), trooper("x", 30_000, 30_000), z()])
        .charges("a", "x")
        .order("x", hold(), Instructions::default())
        .order("z", hold(), always())
        .bonus("a", &[6, 6, 6])
        .die(Purpose::CcOrder, &["x"], &[4])
        .die(Purpose::CcBonus, &["x"], &[1, 1, 2])
        .die(Purpose::CcOrder, &["z"], &[4])
        .die(Purpose::CcBonus, &["z"], &[1, 1])
        .ends(Ending::Fought)
        .play();
    let x = played.unit("x");
    assert_eq!((played.anchor("x"), &x.marks.charged_by), ((30_000, 30_000), &None));
    assert!(!x.marks.order_spent && !x.marks.countercharged);
}

/// X is charged, its friend Y of the same brigade stands five inches to its side.
fn with_friend(said: Instructions, y: Maker) -> Field {
    let of_brigade = |maker: Maker| maker.with(|unit| unit.brigade = Some("b".into()));
    Field::of(vec![rider("a", 30_000, 10_000), of_brigade(trooper("x", 30_000, 30_000)), of_brigade(y)])
        .charges("a", "x")
        .order("x", hold(), Instructions::default())
        .order("y", hold(), Instructions { fire: Some(false), ..said })
        .bonus("a", &[2, 2, 3])
        .die(Purpose::CcOrder, &["x"], &[4])
        .die(Purpose::CcBonus, &["x"], &[2, 2, 2])
        .ends(Ending::Fought)
}

#[test]
fn cavc_28_friends_within_six_inches_who_are_told_so_ride_with_a_countercharge() {
    let key = |key| Instructions { support_countercharge: Some(key), ..Instructions::default() };
    let y = |x: i32| trooper("y", x, 30_000);
    let any = || key(SupportCountercharge::AnyInBrigade {});
    let with = "a charging elan / x charging elan + y / Front";
    let played = with_friend(any(), y(39_000)).play();
    assert_eq!(played.clash(0), with);
    let y_is = played.unit("y");
    assert!(y_is.marks.charged && y_is.marks.countercharged && y_is.marks.order_spent);
    // It rides as far as X.
    assert_eq!(played.anchor("y"), (39_000, 20_000));
    let of = key(SupportCountercharge::Of { unit: UnitId::new("x") });
    assert_eq!(with_friend(of, y(39_000)).play().clash(0), with);
    // Not by default, not from farther off, not out of skirmish line.
    let alone = "a charging elan / x charging elan / Front";
    assert_eq!(with_friend(Instructions::default(), y(39_000)).play().clash(0), alone);
    assert_eq!(with_friend(any(), y(40_100)).play().clash(0), alone);
    assert_eq!(with_friend(any(), y(38_000).formation(Formation::SkirmishLine)).play().clash(0), alone);
}

/// A charges X with B in support four and a half inches to its right; Z stands beyond B.
fn group(said: Instructions) -> Field {
    Field::of(vec![
        rider("a", 30_000, 10_000),
        rider("b", 34_500, 10_000),
        confederate("x", 30_000, 19_000),
        trooper("z", 45_000, 10_000).facing(27_000),
    ])
    .charges("a", "x")
    .order("b", in_support_of("a"), Instructions::default())
    .silent("x")
    .order("z", hold(), said)
    .bonus("a", &[3, 3, 3])
    .die(Purpose::CcOrder, &["z"], &[6])
    .die(Purpose::CcBonus, &["z"], &[1, 1])
}

#[test]
fn cavc_29_a_support_that_is_countercharged_supports_no_longer_and_fights_apart() {
    // B is 8.5 inches from Z, A thirteen.
    let played = group(always()).ends(Ending::Recoiled).ends(Ending::Fought).play();
    assert_eq!(played.clash(0), "a charging elan / x / Front");
    assert_eq!(played.clash(1), "b charging elan / z charging elan / Front");
    // It met Z half-way from where it stood.
    assert_eq!(played.anchor("b"), (34_500 + 4_250, 10_000));
}

#[test]
fn cavc_05_point_or_support_as_the_owner_says_if_both_are_in_reach() {
    let near = |key: CounterchargeTarget| {
        let said = Instructions { countercharge_target: Some(key), ..always() };
        Field::of(vec![
            rider("a", 30_000, 10_000),
            rider("b", 34_500, 10_000),
            confederate("x", 30_000, 19_000),
            trooper("z", 43_000, 10_000).facing(27_000),
        ])
        .charges("a", "x")
        .order("b", in_support_of("a"), Instructions::default())
        .silent("x")
        .order("z", hold(), said)
        .bonus("a", &[3, 3, 3])
        .die(Purpose::CcOrder, &["z"], &[6])
        .die(Purpose::CcBonus, &["z"], &[1, 1])
    };
    let at_point = near(CounterchargeTarget::Point).ends(Ending::Fought).play();
    assert!(
        at_point.clash(0).contains("a charging elan") && at_point.clash(0).contains("/ z"),
        "{}",
        at_point.clash(0)
    );
    let at_support = near(CounterchargeTarget::Support).ends(Ending::Recoiled).ends(Ending::Fought).play();
    assert_eq!(at_support.clash(1), "b charging elan / z charging elan / Front");
}

#[test]
fn cavc_33_who_rides_a_second_turn_running_has_no_elan() {
    let tired = |maker: Maker| maker.with(|unit| unit.carried.charge_turns = 1);
    let played = Field::of(vec![tired(rider("a", 30_000, 10_000)), trooper("x", 30_000, 18_000)])
        .charges("a", "x")
        .order("x", hold(), Instructions::default())
        .die(Purpose::CcOrder, &["x"], &[4])
        .die(Purpose::CcBonus, &["x"], &[1, 1, 1])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.clash(0), "a charging / x charging elan / Front");
}

#[test]
fn cavc_23_green_horse_that_comes_is_in_disorder_from_half_its_distance() {
    // 10 and 6: half is eight, and it rides ten.
    let x = trooper("x", 30_000, 30_000).quality(Quality::Green);
    let played = at(x, hold(), Instructions::default())
        .bonus("a", &[2, 2, 3])
        .die(Purpose::CcOrder, &["x"], &[5])
        .die(Purpose::CcBonus, &["x"], &[2, 2, 2])
        .ends(Ending::Fought)
        .play();
    assert!(played.unit("x").footing.disorder && !played.unit("a").footing.disorder);
}
