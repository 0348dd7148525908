//! Victors: running on, breaking through, halting at a feature; and what is done when a charge is over. CHG-12, CHG-53, IDD-24

use protocol::ids::FeatureId;
use protocol::place::Point;

use super::*;
use crate::ground::{Ground, Obstacle, ObstacleKind};

#[test]
fn chg_53_a_victor_strikes_whom_it_meets_next_with_what_is_left() {
    // The book's numbers: 16 in all, the first impact after eight; the second enemy three inches beyond. Six half inches are
    // three: the volley is fired where the leg begins.
    let played =
        Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 18_000), confederate("y", 30_000, 21_000)])
            .charges("a", "x")
            .silent("x")
            .order("y", hold(), quiet())
            .bonus("a", &[3, 3, 4])
            .ends(Ending::Broken)
            .die(Purpose::ChargeVolleyDistance, &["y", "a"], &[6])
            .die(Purpose::FireVolley, &["y"], &[1, 1, 1])
            .ends(Ending::Recoiled)
            .play();
    assert_eq!(
        played.story()[..9],
        [
            "a charges 16000 disorder 11000",
            "x is charged by a",
            "a to 30000 18000",
            "a strikes x",
            "y is charged by a",
            "y fires at 3000",
            "y hits a at 3000: 0",
            "a in disorder",
            "a to 30000 21000",
        ]
    );
    assert_eq!(played.clashes.len(), 2);
}

#[test]
fn idd_24_a_victor_runs_out_its_distance() {
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 18_000)])
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[3, 3, 4])
        .ends(Ending::Broken)
        .play();
    assert_eq!(played.anchor("a"), (30_000, 26_000));
    assert_eq!(played.story().last().unwrap(), "a ran out its distance");
}

/// A fence across the table.
fn fenced(y: i32) -> Ground {
    Ground {
        obstacles: vec![Obstacle {
            id: FeatureId::new("fence"),
            kind: ObstacleKind::Fence,
            line: vec![Point::new(0, y), Point::new(60_000, y)],
        }],
        ..open_ground()
    }
}

#[test]
fn chg_12_a_victor_tries_to_halt_at_the_feature_that_its_owner_named() {
    let run = |die: u8| {
        let said = Instructions { halt_at: Some(FeatureId::new("fence")), ..Instructions::default() };
        Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 18_000)])
            .on(fenced(22_000))
            .order("a", charge_at("x"), said)
            .silent("x")
            .bonus("a", &[3, 3, 4])
            .ends(Ending::Broken)
            .die(Purpose::ChargeHalt, &["a"], &[die])
            .play()
            .anchor("a")
            .1
    };
    assert_eq!(run(4), 22_000);
    // Failed, it runs to the end: the fence costs an inch of its sixteen, or the broken rate beyond it.
    assert_eq!(run(3), 25_000);
}

#[test]
fn chg_11_with_nobody_in_reach_a_feature_is_charged() {
    let order =
        Order::Charge { target: None, bearing: None, objective: Some(FeatureId::new("fence")), support_of: None };
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 50_000)])
        .on(fenced(15_000))
        .order("a", order, Instructions::default())
        .silent("x")
        .bonus("a", &[3, 3, 3])
        .die(Purpose::ChargeHalt, &["a"], &[6])
        .play();
    assert_eq!(played.anchor("a"), (30_000, 15_000));
    assert_eq!(played.story().last().unwrap(), "a halted at its objective");
}

#[test]
fn chg_05_the_engaged_look_back_at_a_rout_when_their_own_charge_is_over() {
    // A's charge runs X over: it is lost. Y, itself the target of B's charge still to come, checks only after that.
    let played = Field::of(vec![
        union("a", 26_000, 10_000),
        union("b", 40_000, 4_000),
        confederate("x", 26_000, 14_000).with(|unit| unit.morale = Morale::Routed),
        confederate("z", 26_000, 21_000),
        confederate("y", 31_000, 15_000),
    ])
    .charges("a", "z")
    .charges("b", "y")
    .silent("z")
    .silent("y")
    .bonus("a", &[1, 1, 1])
    .bonus("b", &[1, 1, 1])
    .die(Purpose::MoraleSawLoss, &["y", "x"], &[5, 6])
    .play();
    let story = played.story();
    let place = |told: &str| story.iter().position(|one| one == told).unwrap_or_else(|| panic!("{told}: {story:?}"));
    assert!(place("b fell short") < place("y checks, Good"), "{story:?}");
}

#[test]
fn ord_14_a_unit_that_moved_in_a_charge_has_charged() {
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 40_000)])
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[1, 1, 1])
        .play();
    assert!(played.unit("a").marks.charged && played.unit("a").marks.bonus_taken);
}

#[test]
fn ord_10_a_remnant_without_an_officer_does_not_start() {
    let remnant = union("a", 30_000, 10_000).stands_left(2);
    let played = Field::of(vec![remnant, confederate("x", 30_000, 18_000)]).charges("a", "x").silent("x").play();
    assert_eq!(played.story(), ["a on hold forced"]);
}

#[test]
fn mfire_02_and_chg_54_the_charger_that_has_not_fired_may_still_do_so() {
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 25_000)])
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[1, 1, 1])
        .play();
    let unit = played.unit("a");
    let order = charge_at("x");
    assert!(crate::fire::may_fire(unit, &order, crate::fire::Occasion::Moving).is_ok());
    let fired = Unit { marks: crate::battle::TurnMarks { fires: 1, ..unit.marks.clone() }, ..unit.clone() };
    assert!(crate::fire::may_fire(&fired, &order, crate::fire::Occasion::Moving).is_err());
}

#[test]
fn idd_22_a_beaten_unit_takes_a_later_charge_as_it_stands() {
    // B's charge at X, which A has thrown back: without a volley, but with a dice down of its own.
    let mut field = Field::of(vec![
        union("a", 30_000, 10_000),
        union("b", 43_000, 8_000),
        confederate("x", 30_000, 18_000),
        confederate("y", 43_000, 40_000),
    ])
    .charges("a", "x")
    .charges("b", "y")
    .order("x", hold(), quiet())
    .silent("y")
    .bonus("a", &[1, 1, 1])
    .bonus("b", &[6, 6, 6]);
    field = field
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[6])
        .die(Purpose::FireVolley, &["x"], &[1, 1, 1])
        .ends(Ending::Broken)
        .ends(Ending::Fought);
    // Beaten, X stands at 42, in the way of B.
    let played = field.play();
    assert!(played.clash(1).starts_with("b charging elan / x"), "{}", played.clash(1));
    assert_eq!(played.story().iter().filter(|told| told.contains("fires at")).count(), 1);
}
