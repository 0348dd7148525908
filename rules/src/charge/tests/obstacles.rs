//! Works in the way of a charge, and obstacles before them. OBS-11 to OBS-14, OBS-19, OBS-30, WORKS-11, WORKS-12, WORKS-18

use protocol::place::Point;

use super::*;
use crate::ground::{Ground, Obstacle, ObstacleKind};

/// The depth of a stand, thousandths of an inch.
const DEPTH: i32 = 625;

/// A line from west to east across the middle of the table; works along it face south, to a charge that comes from there.
fn line(kind: ObstacleKind, y: i32) -> Obstacle {
    let line = vec![Point::new(50_000, y), Point::new(10_000, y)];
    Obstacle { id: format!("{kind:?} {y}").as_str().into(), kind, line }
}

fn behind(obstacles: Vec<Obstacle>) -> Ground {
    Ground { obstacles, ..open_ground() }
}

/// `a` charges north from y = 10; `x` stands ten inches off, and does not fire. 6 + 3 + 3 + 3 = 15 inches, in order for
/// 6 + 9 / 2 = 10.5 of them.
fn charge(ground: Ground) -> Field {
    Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 20_000)])
        .on(ground)
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[3, 3, 3])
}

fn loss(field: Field, unit: &str, faces: &[u8]) -> Field {
    field.die(Purpose::ObstacleLoss, &[unit], faces)
}

#[test]
fn works_11_crossing_hasty_works_is_disorder_and_a_die_of_inches() {
    // Works at y = 14, five inches and more before `x`: crossed after four inches. 15 - 4 - 5 = 6: the six to `x` are just so many.
    let played =
        loss(charge(behind(vec![line(ObstacleKind::HastyWorks, 14_000)])), "a", &[5]).ends(Ending::Recoiled).play();
    let expected = [
        "a charges 15000 disorder 10500",
        "x is charged by a",
        "a to 30000 14000",
        "a in disorder",
        "a loses 5000 at HastyWorks 14000",
        "a to 30000 20000",
        "a strikes x",
        "a was thrown back",
    ];
    assert_eq!(played.story(), expected);
    let disorder = played.events.iter().find(|event| matches!(event.fact, Fact::Disorder { .. })).unwrap();
    assert_eq!(disorder.rule, crate::catalogue::WORKS_11);
}

#[test]
fn works_11_a_loss_that_leaves_too_little_makes_the_charge_fall_short() {
    // 15 - 4 - 6 = 5 inches from y = 14: it stops at 19. `x` has been charged all the same: CHG-28 was settled before.
    let played = loss(charge(behind(vec![line(ObstacleKind::HastyWorks, 14_000)])), "a", &[6]).play();
    assert_eq!(played.anchor("a"), (30_000, 19_000));
    assert_eq!(played.story().last().unwrap(), "a fell short");
    assert!(played.unit("x").marks.charged_by.is_some());
}

#[test]
fn works_11_and_obs_14_a_loss_of_all_that_is_left_halts_it_just_across() {
    // Six inches and no bonus; works at y = 13: three inches are left there. Four lost stop it, three as well: its stands are
    // 0.625 inches deep, so its front halts 0.625 + 0.100 beyond. Two let it go on for one more.
    let end = |face: u8| {
        let second = union("a", 30_000, 10_000).with(|unit| unit.carried.charge_turns = 1);
        let field = Field::of(vec![second, confederate("x", 30_000, 15_500)])
            .on(behind(vec![line(ObstacleKind::HastyWorks, 13_000)]))
            .charges("a", "x")
            .silent("x");
        let played = loss(field, "a", &[face]).play();
        assert!(played.unit("a").footing.disorder);
        (played.anchor("a").1, played.story().last().unwrap().clone())
    };
    let across = 13_000 + DEPTH + 100;
    assert_eq!(end(4), (across, "a was stopped in crossing the works".to_owned()));
    assert_eq!(end(3), (across, "a was stopped in crossing the works".to_owned()));
    assert_eq!(end(2), (14_000, "a fell short".to_owned()));
}

#[test]
fn works_18_medium_and_heavy_works_take_two_dice() {
    // 15 - 4 - (2 + 3) = 6 as above; a single die more and it falls short by one.
    for kind in [ObstacleKind::MediumWorks, ObstacleKind::HeavyWorks] {
        let played = loss(charge(behind(vec![line(kind, 14_000)])), "a", &[2, 3]).ends(Ending::Recoiled).play();
        assert_eq!(played.anchor("a"), (30_000, 20_000), "{kind:?}");
        let short = loss(charge(behind(vec![line(kind, 14_000)])), "a", &[3, 3]).play();
        assert_eq!(short.anchor("a"), (30_000, 19_000), "{kind:?}");
        let disorder = short.events.iter().find(|event| matches!(event.fact, Fact::Disorder { .. })).unwrap();
        assert_eq!(disorder.rule, crate::catalogue::WORKS_18);
    }
}

#[test]
fn works_12_it_strikes_those_directly_behind_the_works_in_order_and_at_the_works() {
    // Works half an inch before `x`: contact at y = 19.5, after 9.5 of the 10.5 inches in order, and no die.
    let played = charge(behind(vec![line(ObstacleKind::HeavyWorks, 19_500)])).ends(Ending::Recoiled).play();
    assert_eq!(played.anchor("a"), (30_000, 19_490));
    assert!(!played.unit("a").footing.disorder);
    assert_eq!(played.clash(0), "a charging elan / x / Front");
}

#[test]
fn works_12_the_winner_crosses_the_works_in_its_advance() {
    // It has won at y = 19.5 with 15 - 9.5 = 5.5 inches left. Two dice: 1 + 1. 3.5 inches on from the works: 23.
    let field = charge(behind(vec![line(ObstacleKind::MediumWorks, 19_500)])).ends(Ending::Broken);
    let played = loss(field, "a", &[1, 1]).play();
    assert_eq!(played.anchor("a"), (30_000, 23_000));
    assert!(played.unit("a").footing.disorder);
    assert_eq!(played.story().last().unwrap(), "a ran out its distance");
}

#[test]
fn works_12_works_far_before_the_defender_disorder_the_charge() {
    // An inch and a half before him he is not directly behind them: he would have no cover.
    let field = charge(behind(vec![line(ObstacleKind::HastyWorks, 18_500)])).ends(Ending::Recoiled);
    let played = loss(field, "a", &[1]).play();
    assert!(played.unit("a").footing.disorder);
    assert_eq!(played.anchor("a"), (30_000, 20_000));
}

#[test]
fn works_11_supports_are_disordered_at_the_same_place_and_throw_for_themselves() {
    // `s` stands an inch and a half behind `a`, its front at y = 8.5: it crosses when `a` has gone 5.5. The point has
    // 15 - 4 - 1 = 10 left from the works, enough. The support: 15 - 5.5 - 3 = 6.5 more, travel 12: enough for the ten to `x`.
    let field = |face: u8| {
        let field =
            Field::of(vec![union("a", 30_000, 10_000), union("s", 30_000, 8_500), confederate("x", 30_000, 20_000)]);
        let field = field
            .on(behind(vec![line(ObstacleKind::HastyWorks, 14_000)]))
            .charges("a", "x")
            .order("s", in_support_of("a"), Instructions::default())
            .silent("x")
            .bonus("a", &[3, 3, 3]);
        loss(loss(field, "a", &[1]), "s", &[face]).ends(Ending::Recoiled).play()
    };
    let played = field(3);
    assert_eq!(played.clash(0), "a charging elan + s / x / Front");
    assert!(played.unit("s").footing.disorder && played.unit("a").footing.disorder);
    // OBS-13: six lost: 15 - 6 = 9 are less than ten: it halts just across.
    let played = field(6);
    assert_eq!(played.clash(0), "a charging elan / x / Front");
    assert_eq!(played.anchor("s"), (30_000, 14_000 + DEPTH + 100));
}

#[test]
fn works_11_one_that_comes_out_to_meet_a_charge_crosses_its_own_works() {
    // `y` stands an inch behind its works and countercharges at six inches: in disorder, and a die.
    let told = Instructions {
        if_charged: Some(protocol::orders::IfCharged::Countercharge),
        fire: Some(false),
        ..Instructions::default()
    };
    let field = Field::of(vec![union("a", 30_000, 10_000), confederate("y", 30_000, 20_000)])
        .on(behind(vec![line(ObstacleKind::HastyWorks, 19_000)]))
        .charges("a", "y")
        .order("y", hold(), told)
        .bonus("a", &[3, 3, 3])
        .die(Purpose::CcOrder, &["y"], &[6])
        .die(Purpose::CcBonus, &["y"], &[3, 3, 3])
        .ends(Ending::Fought);
    let played = loss(field, "y", &[2]).play();
    assert!(played.unit("y").footing.disorder);
    // The gap of six inches is halved.
    assert_eq!((played.anchor("a").1, played.anchor("y").1), (17_000, 17_000));
}

#[test]
fn works_24_an_abatis_an_inch_before_medium_works_meets_the_volley_with_men_in_disorder() {
    // `x` stands directly behind works at y = 19.8, an abatis lies an inch before these. A volley at an inch, or half of one,
    // catches a charge that has come through it: +3. At 1.5 inches it is still in order; veterans count half inches, and works
    // take one off the die.
    let fort = || behind(vec![line(ObstacleKind::Abatis, 18_800), line(ObstacleKind::MediumWorks, 19_800)]);
    let drm = |die: u8, confirm: Option<u8>| {
        let field = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 20_000)])
            .on(fort())
            .charges("a", "x")
            .order("x", hold(), Instructions::default())
            .bonus("a", &[3, 3, 3])
            .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[die])
            .die(Purpose::FireVolley, &["x"], &[1, 1, 1, 1])
            .ends(Ending::Recoiled);
        let field = match confirm {
            Some(face) => field.die(Purpose::FireConfirm, &["x", "a"], &[face]),
            None => field,
        };
        let played = loss(field, "a", &[1]).play();
        assert!(played.unit("a").footing.disorder);
        played.sums("modifiers")
    };
    // +2 from works: 4 + 2 on sixteen figures is a star, 4 + 5 two figures.
    let (at_an_inch, farther) = (drm(3, None), drm(4, Some(1)));
    assert_eq!(at_an_inch, [farther[0] + 3]);
}

#[test]
fn works_23_a_charge_goes_free_through_a_gap_that_is_wide_enough() {
    // Two works with four inches between their ends: `a` is 3.5 inches wide.
    let part = |id: &str, from: i32, to: i32| Obstacle {
        id: id.into(),
        kind: ObstacleKind::HeavyWorks,
        line: vec![Point::new(from, 14_000), Point::new(to, 14_000)],
    };
    let played =
        charge(behind(vec![part("east", 50_000, 32_000), part("west", 28_000, 10_000)])).ends(Ending::Recoiled).play();
    assert!(!played.unit("a").footing.disorder);
}

/// The horse `a` charges `x` with 10 + 1 + 1 + 1 = 13 inches, in order for 11.5 of them.
fn horse(ground: Ground, x: i32) -> Field {
    Field::of(vec![rider("a", 30_000, 10_000), confederate("x", 30_000, x)])
        .on(ground)
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[1, 1, 1])
}

#[test]
fn works_11_and_cavc_25_horse_pays_for_a_fence_and_throws_for_works() {
    // 13 - 2 for the fence - 4 to the works - 5 thrown: two inches on from y = 14. It keeps its order at the fence only.
    let field = horse(behind(vec![line(ObstacleKind::Fence, 12_000), line(ObstacleKind::HastyWorks, 14_000)]), 30_000);
    let played = loss(field.die(Purpose::ChargeFence, &["a"], &[6]), "a", &[5]).play();
    assert_eq!(played.anchor("a"), (30_000, 16_000));
    let disorder = played.events.iter().find(|event| matches!(event.fact, Fact::Disorder { .. })).unwrap();
    assert_eq!(disorder.rule, crate::catalogue::WORKS_11);
}

#[test]
fn works_12_horse_strikes_those_directly_behind_works_in_order() {
    let played = horse(behind(vec![line(ObstacleKind::HeavyWorks, 19_500)]), 20_000).ends(Ending::Recoiled).play();
    assert_eq!(played.anchor("a"), (30_000, 19_490));
    assert!(!played.unit("a").footing.disorder);
}
