//! Obstacles across the way of a charge: what is trodden down, double rows, supports that come too late. OBS-11 to OBS-14, OBS-19, OBS-26, OBS-29, OBS-30

use protocol::place::Point;

use super::*;
use crate::ground::{Ground, Obstacle, ObstacleKind, Stretch};

/// A straight obstacle from west to east across the way at a place.
fn across(kind: ObstacleKind, id: &str, y: i32) -> Obstacle {
    Obstacle { id: id.into(), kind, line: vec![Point::new(20_000, y), Point::new(40_000, y)] }
}

fn with(obstacles: Vec<Obstacle>) -> Ground {
    Ground { obstacles, ..open_ground() }
}

/// It has no bonus: 6 inches in all, and keeps its order.
fn second(id: &'static str, y: i32) -> Maker {
    union(id, 30_000, y).with(|unit| unit.carried.charge_turns = 1)
}

/// A at y = 10 charges X, whose front is at `enemy`, over these obstacles.
fn charge(obstacles: Vec<Obstacle>, enemy: i32) -> Field {
    Field::of(vec![second("a", 10_000), confederate("x", 30_000, enemy)])
        .on(with(obstacles))
        .charges("a", "x")
        .silent("x")
}

fn loses(field: Field, unit: &str, faces: &[u8]) -> Field {
    field.die(Purpose::ObstacleLoss, &[unit], faces)
}

fn gaps(played: &Played, id: &str) -> Vec<Stretch> {
    played.battle.table.changes.gaps.get(&id.into()).cloned().unwrap_or_default()
}

const ABATIS: ObstacleKind = ObstacleKind::Abatis;

#[test]
fn obs_11_an_abatis_disorders_a_charge_and_takes_a_die_of_inches() {
    // Two inches on: 6 - 3 = 3 inches in all, and in disorder from the abatis on.
    let played = loses(charge(vec![across(ABATIS, "o", 12_000)], 25_000), "a", &[3]).play();
    assert_eq!(
        played.story(),
        [
            "a charges 6000",
            "a to 30000 12000",
            "a in disorder",
            "a loses 3000 at o",
            "a to 30000 13000",
            "a fell short"
        ]
    );
    let disorder = played.events.iter().find(|event| matches!(event.fact, Fact::Disorder { .. })).unwrap();
    assert_eq!(disorder.rule, crate::catalogue::OBS_11);
}

#[test]
fn obs_11_whether_the_target_is_charged_is_decided_before_the_die() {
    // Five inches to the enemy, six in all: he is charged, though the charge then falls short.
    let played = loses(charge(vec![across(ABATIS, "o", 12_000)], 15_000), "a", &[3]).play();
    assert_eq!(played.unit("x").marks.charged_by, Some("a".into()));
    assert_eq!(played.anchor("a"), (30_000, 13_000));
}

#[test]
fn obs_12_an_even_die_destroys_what_the_unit_sweeps() {
    // Its front reaches from 28.25 to 31.75, 8.25 to 11.75 along the line.
    let swept = |faces: &[u8]| gaps(&loses(charge(vec![across(ABATIS, "o", 12_000)], 25_000), "a", faces).play(), "o");
    assert_eq!(swept(&[2]), [Stretch { from: 8_250, to: 11_750 }]);
    assert!(swept(&[3]).is_empty());
}

#[test]
fn obs_12_what_would_be_left_and_is_shorter_than_a_stand_goes_too() {
    // A line from 27.4 to 33: swept from 0.85 to 4.35. The 0.85 before it is less than a stand of 0.875, the 1.25 after it is not.
    let line = vec![Point::new(27_400, 12_000), Point::new(33_000, 12_000)];
    let played = loses(charge(vec![Obstacle { id: "o".into(), kind: ABATIS, line }], 25_000), "a", &[2]).play();
    assert_eq!(gaps(&played, "o"), [Stretch { from: 0, to: 4_350 }]);
}

#[test]
fn obs_14_a_loss_of_all_that_is_left_stops_it_just_across() {
    // Four inches on, two left. Its stands are 0.625 deep: 14 + 0.625 + 0.1.
    let stopped = |faces: &[u8]| {
        let played = loses(charge(vec![across(ABATIS, "o", 14_000)], 25_000), "a", faces).play();
        (played.anchor("a").1, played.story().last().cloned().unwrap())
    };
    assert_eq!(stopped(&[2]), (14_725, "a was stopped in crossing an obstacle".to_owned()));
    assert_eq!(stopped(&[5]), (14_725, "a was stopped in crossing an obstacle".to_owned()));
    assert_eq!(stopped(&[1]), (15_000, "a fell short".to_owned()));
}

#[test]
fn obs_14_who_is_stopped_strikes_nobody_though_he_was_charged() {
    let played = loses(charge(vec![across(ABATIS, "o", 14_000)], 15_500), "a", &[6]).play();
    assert!(played.clashes.is_empty() && played.unit("x").marks.charged_by == Some("a".into()));
    assert!(played.unit("a").footing.disorder);
}

/// A with B two inches behind it in support, an abatis two inches on, X at 14.9.
fn supported(point: &[u8], support: &[u8]) -> Played {
    let field = Field::of(vec![second("a", 10_000), second("b", 8_000), confederate("x", 30_000, 14_900)])
        .on(with(vec![across(ABATIS, "o", 12_000)]))
        .charges("a", "x")
        .order("b", in_support_of("a"), Instructions::default())
        .silent("x")
        .ends(Ending::Fought);
    let field = loses(field, "a", point);
    if support.is_empty() { field.play() } else { loses(field, "b", support).play() }
}

#[test]
fn obs_13_a_support_throws_for_itself_and_may_come_too_late() {
    // The point loses one inch of six and has 4.9 to go. So has the support, from where it stands.
    let in_time = supported(&[1], &[1]);
    assert_eq!(in_time.clash(0), "a charging + b / x / Front");
    // Two lost of six are four: B halts with its rear just across, 12 + 0.625 + 0.1, unless A stands there.
    let late = supported(&[1], &[2]);
    assert_eq!(late.clash(0), "a charging / x / Front");
    assert!(late.unit("b").footing.disorder && late.unit("b").marks.order_spent);
    assert_eq!(late.anchor("b"), (30_000, 12_725));
}

#[test]
fn obs_13_where_the_point_has_trodden_it_down_nobody_throws() {
    let field =
        Field::of(vec![union("a", 30_000, 10_000), union("b", 30_000, 8_000), confederate("x", 30_000, 14_900)])
            .on(with(vec![across(ABATIS, "o", 12_000)]))
            .charges("a", "x")
            .order("b", in_support_of("a"), Instructions::default())
            .silent("x")
            .bonus("a", &[1, 1, 1])
            .ends(Ending::Fought);
    let played = loses(field, "a", &[4]).play();
    assert_eq!(played.clash(0), "a charging elan + b / x / Front");
    assert_eq!(gaps(&played, "o").len(), 1);
}

#[test]
fn obs_13_where_the_point_is_stopped_its_supports_halt_before_the_obstacle() {
    // Four inches are left at the abatis and five lost: A halts at 12.725. B, 0.7 behind it, would come to 12.025.
    let played = loses(
        Field::of(vec![second("a", 10_000), second("b", 9_300), confederate("x", 30_000, 15_000)])
            .on(with(vec![across(ABATIS, "o", 12_000)]))
            .charges("a", "x")
            .order("b", in_support_of("a"), Instructions::default())
            .silent("x"),
        "a",
        &[5],
    )
    .play();
    assert_eq!((played.anchor("a").1, played.anchor("b").1), (12_725, 12_000));
    assert!(!played.story().iter().any(|told| told.starts_with("b loses")));
}

#[test]
fn obs_13_supports_that_come_to_it_together_cross_in_order_of_their_dice() {
    // B and C stand level, 1.8 inches to either side of A.
    let order = |of_b: u8, of_c: u8| {
        let level = |id, x: i32| union(id, x, 8_500).with(|unit| unit.carried.charge_turns = 1);
        let field = Field::of(vec![
            second("a", 10_000),
            level("b", 28_200),
            level("c", 31_800),
            confederate("x", 30_000, 14_900),
        ])
        .on(with(vec![across(ABATIS, "o", 12_000)]))
        .charges("a", "x")
        .order("b", in_support_of("a"), Instructions::default())
        .order("c", in_support_of("a"), Instructions::default())
        .silent("x")
        .die(Purpose::TieObstacle, &["b"], &[of_b])
        .die(Purpose::TieObstacle, &["c"], &[of_c])
        .ends(Ending::Fought);
        let played = loses(loses(loses(field, "a", &[1]), "b", &[1]), "c", &[1]).play();
        let met = |event: &Event| match &event.fact {
            Fact::ObstacleMet { unit, .. } => Some(unit.to_string()),
            _ => None,
        };
        played.events.iter().filter_map(met).collect::<Vec<_>>()
    };
    assert_eq!(order(6, 1), ["a", "b", "c"]);
    assert_eq!(order(1, 6), ["a", "c", "b"]);
}

#[test]
fn obs_19_a_fraise_takes_two_dice_and_stays() {
    let over = |faces: &[u8]| {
        let played = loses(charge(vec![across(ObstacleKind::Fraise, "o", 12_000)], 25_000), "a", faces).play();
        assert!(gaps(&played, "o").is_empty());
        played.anchor("a").1
    };
    // 6 - 2 = 4 inches; with four lost of the four that are left it stops just across.
    assert_eq!(over(&[1, 1]), 14_000);
    assert_eq!(over(&[2, 2]), 12_725);
}

#[test]
fn obs_26_a_line_of_chevaux_is_an_abatis_a_double_row_a_fraise() {
    let chevaux = |id: &str, y: i32| across(ObstacleKind::ChevauxDeFrise, id, y);
    let one = loses(charge(vec![chevaux("o", 12_000)], 25_000), "a", &[2]).play();
    assert_eq!(one.anchor("a").1, 14_000);
    assert_eq!(gaps(&one, "o"), [Stretch { from: 8_250, to: 11_750 }]);
    // Two inches apart: two dice, once, and neither line goes. 6 - 2 = 4 inches.
    let two = loses(charge(vec![chevaux("o", 11_500), chevaux("p", 13_500)], 25_000), "a", &[1, 1]).play();
    assert_eq!(two.anchor("a").1, 14_000);
    assert!(gaps(&two, "o").is_empty() && gaps(&two, "p").is_empty());
}

#[test]
fn obs_29_horse_in_formation_may_charge_across() {
    let table =
        table(with(vec![across(ABATIS, "o", 12_000)]), [crate::testing::cavalry("h", Side::Union).at(30_000, 10_000)]);
    let field = crate::field::Field::before_dice(Ruleset::standard(), &table);
    let h = crate::testing::ix(&table, "h");
    let pace = crate::charge::pace::Pace::of(&field, h, false).expect("it can move");
    let north = protocol::place::Bearing::NORTH;
    let way = pace.way(&field, field.unit(h), north, pace.points(8_000));
    assert_eq!((way.halt(), way.reach(pace.points(8_000))), (None, 8_000));
    // Of its own will it does not cross, going back either.
    let going_back = crate::charge::pace::Pace::of_body(&field, h, field.unit(h), false).expect("it can move");
    let back = going_back.way_back(&field, field.unit(h), north, going_back.points(8_000));
    assert_eq!(back.length(), 2_000);
}

#[test]
fn obs_07_a_working_party_that_is_charged_tries_to_form() {
    // X destroys an abatis behind it, and is in disorder from the reveal: a veteran forms with more than 3.
    let charged = |face: u8| {
        let task = protocol::orders::FormTask::Work { work: protocol::orders::Work::Destroy, at: Vec::new() };
        let played = Field::of(vec![second("a", 10_000), confederate("x", 30_000, 15_000)])
            .on(with(vec![across(ABATIS, "o", 16_000)]))
            .charges("a", "x")
            .order("x", Order::Form { task }, silent())
            .die(Purpose::CfForm, &["x"], &[face])
            .ends(Ending::Fought)
            .play();
        (played.clash(0), played.unit("x").footing.disorder)
    };
    assert_eq!(charged(4), ("a charging / x forming / Front".to_owned(), false));
    assert_eq!(charged(3), ("a charging / x / Front".to_owned(), true));
}

/// X fires at the charge over an abatis an inch in front of it, at a distance in half inches.
fn volley(half_inches: u8, dice: &[u8]) -> bool {
    let field = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 19_000)])
        .on(with(vec![across(ABATIS, "o", 18_000)]))
        .charges("a", "x")
        .order("x", hold(), Instructions::default())
        .bonus("a", &[6, 6, 6])
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[half_inches])
        .die(Purpose::FireVolley, &["x"], dice)
        .ends(Ending::Fought);
    let played = loses(field, "a", &[1]).play();
    let fired = played.events.iter().find(|event| matches!(event.fact, Fact::Volley { .. })).expect("it fires");
    fired.explanation.sums.iter().flat_map(|sum| &sum.terms).any(|term| term.label == "target in disorder")
}

#[test]
fn obs_30_a_volley_at_the_obstacle_or_nearer_meets_disorder() {
    // 24 inches in all, in disorder of itself only after 15: an inch is two half inches, an inch and a half three.
    assert!(volley(2, &[1, 1, 1, 1]));
    assert!(!volley(3, &[1, 1, 1, 1]));
}

#[test]
fn obs_30_a_charge_that_is_stopped_is_fired_at_if_it_came_so_near() {
    // 6 inches in all, the abatis after 4.5, X an inch and a half behind it. A stops 0.725 across, 0.775 from X.
    let fires = |half_inches: u8| {
        let field = Field::of(vec![second("a", 10_000), confederate("x", 30_000, 16_000)])
            .on(with(vec![across(ABATIS, "o", 14_500)]))
            .charges("a", "x")
            .order("x", hold(), Instructions::default())
            .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[half_inches]);
        let field = if half_inches == 1 { field } else { field.die(Purpose::FireVolley, &["x"], HARMLESS) };
        let played = loses(field, "a", &[5]).play();
        played.story().iter().any(|told| told.starts_with("x hits a"))
    };
    assert!(fires(2) && fires(3));
    assert!(!fires(1));
}

/// No shot of four dice that sum to four hurts sixteen men.
const HARMLESS: &[u8] = &[1, 1, 1, 1];
