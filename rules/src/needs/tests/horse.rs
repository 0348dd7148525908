//! Horse on the list: charged itself, and beside a charge on somebody else. A veteran beats 3 with one die: 4, 5 or 6, one half.

use protocol::orders::FormTask;

use super::*;
use crate::testing::cavalry;

/// A Union battalion in the saddle at (x, y), facing north.
fn horse(id: &str, x: i32, y: i32) -> Maker {
    seasoned(cavalry(id, Side::Union).at(x, y)).with(|unit| unit.marks.shown = Some(OrderShown::Hold {}))
}

fn charged_on(order: Order, said: Instructions) -> Need {
    let enemy = charges(seasoned(cavalry("x", Side::Confederate).at(30_000, 22_000).facing(18_000)), "a", None);
    only(asked(&field(vec![horse("a", 30_000, 10_000), enemy], &[("a", order, said)])))
}

fn forms() -> Order {
    let task = FormTask::Formation { formation: Formation::DoubleLine, facing: None, pivot: None, gap: None };
    Order::Form { task }
}

fn marches() -> Order {
    Order::Move(MoveOrder { path: vec![protocol::place::Point::new(30_000, 8_000)], ..MoveOrder::default() })
}

#[test]
fn cc_14_and_cavc_07_charged_horse_on_hold_must_come_and_says_what_a_failed_roll_does() {
    let need = charged_on(hold(), silent());
    let (goes, stands) =
        ("come to meet it, if the roll fails in disorder", "come to meet it, but stand if the roll fails");
    let labels: Vec<&str> = need.answers.iter().map(|answer| answer.label.as_str()).collect();
    assert_eq!(labels, [goes, stands]);
    assert_eq!(in_force(&need), [goes]);
    assert!(of(&need, goes).notes[0].text.starts_with("50 % of coming in good order"));
    let said = Instructions { countercharge_if_disordered: Some(false), ..silent() };
    assert_eq!(in_force(&charged_on(hold(), said)), [stands]);
}

#[test]
fn cavc_11_and_cavc_15_charged_horse_on_the_march_comes_in_disorder_and_forming_horse_does_not_come() {
    assert_eq!(in_force(&charged_on(marches(), silent())), ["comes to meet it, in disorder"]);
    assert_eq!(in_force(&charged_on(forms(), silent())), ["receives the charge at a halt"]);
}

#[test]
fn cavc_05_horse_within_twelve_inches_of_a_charge_may_join_in_from_hold_and_from_the_march() {
    // The charge comes down at 30; stands of either reach out two inches: ten apart from 16, eighteen from 8.
    let beside = |x: i32, order: Order| {
        let enemy = charges(confederate("x", 30_000, 18_000), "a", None);
        let units = vec![union("a", 30_000, 10_000), horse("b", x, 10_000), enemy];
        let needs = asked(&field(units, &[("a", hold(), silent()), ("b", order, silent())]));
        needs.needs.into_iter().find(|need| need.unit.as_str() == "b")
    };
    let note = |need: &Need| of(need, "countercharge").notes[0].text.clone();
    let held = beside(16_000, hold()).expect("it is within twelve");
    assert_eq!((held.rule.as_str(), in_force(&held)), ("CAVC-05", vec!["stay"]));
    // Ten or more inches to the side and eight ahead: more than 45 degrees off its front, and no roll.
    assert_eq!(note(&held), "it comes in disorder");
    let marching = beside(16_000, marches()).expect("it is within twelve");
    assert_eq!(note(&marching), "off the march it comes in disorder");
    assert!(beside(8_000, hold()).is_none_or(|need| !matches!(need.what, NeedKind::MayCountercharge { .. })));
}
