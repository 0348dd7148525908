//! What horse is refused, by which rule, and what it is shown beforehand.

use std::collections::BTreeMap;

use protocol::ids::{Side, UnitId};
use protocol::orders::{ChangeOnHold, Draft, FormTask, Instructions, MoveOrder, Order, ProneChange, Stage, UnitDraft};
use protocol::place::Point;
use protocol::words::Formation;

use crate::battle::{Battle, known};
use crate::orders::check;
use crate::ruleset::Ruleset;
use crate::testing::{self, Maker, battery, cavalry, infantry, open_ground, seat, table};

/// Twelve veterans in the saddle, in line, facing north with an enemy in sight far off.
fn rider() -> Maker {
    cavalry("a", Side::Union).at(30_000, 20_000).facing(0)
}

/// The same on foot.
fn trooper(formation: Formation) -> Maker {
    let on_foot = |unit: &mut crate::battle::Unit| {
        unit.mounted = false;
        (unit.stand_width, unit.stand_depth) = (750, 625);
    };
    rider().with(on_foot).formation(formation)
}

fn facing_an_enemy(unit: Maker) -> Battle {
    testing::battle(table(open_ground(), [unit, infantry("z", Side::Confederate).at(30_000, 50_000).facing(18_000)]))
}

/// The rules that refuse what a unit is told in the orders window.
fn refusals(unit: Maker, order: Option<Order>, instructions: Instructions) -> Vec<String> {
    let said = UnitDraft { order, instructions, ..UnitDraft::default() };
    let draft = Draft { units: BTreeMap::from([(UnitId::new("a"), said)]), ..Draft::default() };
    let battle = facing_an_enemy(unit);
    let found = check(&known(&battle, Side::Union), Ruleset::standard(), &seat(Side::Union), Stage::Orders, &draft);
    found.into_iter().map(|refusal| refusal.rule.to_string()).collect()
}

fn refused(unit: Maker, order: Order) -> Vec<String> {
    refusals(unit, Some(order), Instructions::default())
}

fn form(formation: Formation) -> Order {
    Order::Form { task: FormTask::Formation { formation, facing: None, pivot: None, gap: None } }
}

fn mount(formation: Formation) -> FormTask {
    FormTask::Mount { formation }
}

fn dismount(formation: Formation) -> FormTask {
    FormTask::Dismount { formation }
}

fn charge() -> Order {
    Order::Charge { target: None, bearing: None, objective: None, support_of: None }
}

const NOTHING: [&str; 0] = [];

#[test]
fn cav_01_horse_has_line_double_line_skirmish_line_and_march_column() {
    use Formation::{AttackColumn, DoubleLine, ExtendedLine, MarchColumn, SingleLine, SkirmishLine};
    for formation in [SingleLine, DoubleLine, SkirmishLine, MarchColumn] {
        assert_eq!(refused(rider(), form(formation)), NOTHING, "{formation}");
        assert_eq!(refused(trooper(Formation::DismountedLine), Order::Form { task: mount(formation) }), NOTHING);
    }
    for formation in [ExtendedLine, AttackColumn] {
        assert_eq!(refused(rider(), form(formation)), ["CAV-01"], "{formation}");
        assert_eq!(refused(trooper(Formation::DismountedLine), Order::Form { task: mount(formation) }), ["CAV-01"]);
    }
}

#[test]
fn cav_02_what_infantry_alone_does_is_refused_mounted_and_on_foot() {
    let on_foot = || trooper(Formation::DismountedLine);
    for unit in [rider(), on_foot()] {
        for formation in [Formation::LineWithReserve, Formation::LineWithSkirmishers, Formation::Square] {
            assert_eq!(refused(unit.clone(), form(formation)), ["CAV-02"], "{formation}");
        }
        assert_eq!(refused(unit.clone(), Order::Form { task: FormTask::Square {} }), ["CAV-02"]);
        let column = FormTask::BrigadeColumn { regiments: vec![UnitId::new("a")] };
        assert_eq!(refused(unit.clone(), Order::Form { task: column }), ["TAC-27"]);
    }
    // Only who stands on foot lies down; who dismounts first may.
    let down = MoveOrder { prone: Some(ProneChange::LieDown), ..MoveOrder::default() };
    assert_eq!(refused(rider(), Order::Move(down.clone())), ["CAV-02"]);
    assert_eq!(refused(on_foot(), Order::Move(down.clone())), NOTHING);
    let then = MoveOrder { form_first: Some(dismount(Formation::DismountedLine)), ..down };
    assert_eq!(refused(rider(), Order::Move(then)), NOTHING);
}

#[test]
fn cav_06_on_foot_it_is_told_to_mount_for_a_formation_of_the_saddle() {
    assert_eq!(refused(trooper(Formation::DismountedLine), form(Formation::SkirmishLine)), NOTHING);
    for formation in [Formation::SingleLine, Formation::DoubleLine, Formation::MarchColumn, Formation::ExtendedLine] {
        assert_eq!(refused(trooper(Formation::DismountedLine), form(formation)), ["CAV-06"], "{formation}");
        assert_eq!(refused(rider(), Order::Form { task: dismount(formation) }), ["CAV-06"], "{formation}");
    }
}

#[test]
fn cav_13_who_sits_does_not_mount_and_who_stands_does_not_dismount() {
    assert_eq!(refused(rider(), Order::Form { task: mount(Formation::DoubleLine) }), ["CAV-13"]);
    let again = Order::Form { task: dismount(Formation::SkirmishLine) };
    assert_eq!(refused(trooper(Formation::DismountedLine), again), ["CAV-13"]);
    assert_eq!(refused(rider(), form(Formation::DismountedLine)), ["CAV-13"]);
}

#[test]
fn cav_22_and_mv_09_mounting_and_dismounting_may_stand_at_both_ends_and_nothing_else_beside_them() {
    let order = |first, last| {
        let path = vec![Point::new(30_000, 22_000)];
        Order::Move(MoveOrder { path, form_first: Some(first), form_last: Some(last), ..MoveOrder::default() })
    };
    let line = FormTask::Formation { formation: Formation::SkirmishLine, facing: None, pivot: None, gap: None };
    let (on, off) = (mount(Formation::SingleLine), dismount(Formation::DismountedLine));
    assert_eq!(refused(trooper(Formation::DismountedLine), order(on.clone(), off.clone())), NOTHING);
    assert_eq!(refused(rider(), order(off.clone(), on.clone())), NOTHING);
    assert_eq!(refused(trooper(Formation::DismountedLine), order(on.clone(), line.clone())), ["MV-09"]);
    assert_eq!(refused(rider(), order(line, off)), ["MV-09"]);
    // Who has mounted is in the saddle.
    assert_eq!(refused(trooper(Formation::DismountedLine), order(on.clone(), on)), ["CAV-13"]);
}

#[test]
fn cav_23_any_horse_may_be_told_to_mount_or_dismount_and_nobody_else() {
    for unit in [rider(), rider().green(), rider().disordered(), rider().formation(Formation::SkirmishLine)] {
        assert_eq!(refused(unit, Order::Form { task: dismount(Formation::DismountedLine) }), NOTHING);
    }
    for unit in [infantry("a", Side::Union).at(30_000, 20_000), battery("a", Side::Union).at(30_000, 20_000)] {
        for task in [mount(Formation::SingleLine), dismount(Formation::DismountedLine)] {
            assert_eq!(refused(unit.clone(), Order::Form { task }), ["CAV-23"]);
        }
    }
}

#[test]
fn cav_23_the_preview_shows_cost_and_end() {
    let battle = facing_an_enemy(rider());
    let order = Order::Form { task: dismount(Formation::SkirmishLine) };
    let shown = crate::movement::preview(&known(&battle, Side::Union), Ruleset::standard(), &UnitId::new("a"), &order);
    let piece = &shown.pieces[0];
    assert_eq!(
        (piece.label.as_str(), piece.points, piece.rule.as_str()),
        ("dismount into skirmish line", 1_260_000, "CAV-18")
    );
    let end = shown.end.expect("it stands on the table");
    // Four stands of 0.75 inches with gaps of half as much again: 3 + 3.375.
    let (left, right) = (end.stands[0][0], end.stands[3][1]);
    assert_eq!(end.formation, Formation::SkirmishLine);
    assert!((right.x - left.x - 6_375).abs() <= 1, "{left:?} {right:?}");
    assert!(shown.refusals.is_empty());
}

#[test]
fn cav_24_nobody_dismounts_or_mounts_at_once_against_a_charge() {
    // On Conditional Hold it may form at once, but only what it has as it stands.
    let answer = |formation| {
        let change = ChangeOnHold { formation, facing: Default::default() };
        Instructions { ch_form: Some(change), ..Instructions::default() }
    };
    let hold = || Some(Order::Hold { task: None });
    assert_eq!(refusals(rider(), hold(), answer(Formation::DismountedLine)), ["REV-11"]);
    assert_eq!(refusals(trooper(Formation::DismountedLine), hold(), answer(Formation::SingleLine)), ["REV-11"]);
    assert_eq!(refusals(trooper(Formation::DismountedLine), hold(), answer(Formation::SkirmishLine)), NOTHING);
}

#[test]
fn cav_25_skirmishing_horse_does_not_charge_mounted_or_on_foot() {
    assert_eq!(refused(rider().formation(Formation::SkirmishLine), charge()), ["CAV-25"]);
    assert_eq!(refused(trooper(Formation::SkirmishLine), charge()), ["CAV-25"]);
    assert_eq!(refused(trooper(Formation::DismountedLine), charge()), NOTHING);
}

#[test]
fn cav_26_only_on_foot_does_horse_fire_first() {
    assert_eq!(refused(rider(), Order::FirstFire {}), ["CAV-26"]);
    assert_eq!(refused(trooper(Formation::DismountedLine), Order::FirstFire {}), NOTHING);
    assert_eq!(refused(trooper(Formation::SkirmishLine), Order::FirstFire {}), NOTHING);
}
