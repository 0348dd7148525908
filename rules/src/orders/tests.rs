//! Orders: what is refused, by which rule, and what is expanded into what.

use std::collections::BTreeMap;

use protocol::event::Morale;
use protocol::ids::{BrigadeId, Side, UnitId};
use protocol::orders::{
    Canister, Draft, ExtraFire, FormTask, GroupDraft, HoldTrigger, Instructions, MoveOrder, Order, RangeBand, Stage,
    Stop, UnitDraft,
};
use protocol::place::Point;
use protocol::words::Formation;

use super::{check, expand, legal_part, without_order};
use crate::battle::{Battle, known};
use crate::ruleset::Ruleset;
use crate::testing::{self, Maker, battery, infantry, open_ground, table};

fn march(points: &[(i32, i32)]) -> Order {
    let path = points.iter().map(|(x, y)| Point::new(*x, *y)).collect();
    Order::Move(MoveOrder { path, ..MoveOrder::default() })
}

fn form(formation: Formation) -> Order {
    Order::Form { task: FormTask::Formation { formation, facing: None, pivot: None, gap: None } }
}

fn draft(unit: &str, order: Order) -> Draft {
    let said = UnitDraft { order: Some(order), ..UnitDraft::default() };
    Draft { units: BTreeMap::from([(UnitId::new(unit), said)]), ..Draft::default() }
}

/// A Union line at the middle of the table, facing north, and a Confederate one six inches before it.
fn two_lines(change: impl FnOnce(Maker) -> Maker) -> Battle {
    let own = change(infantry("a", Side::Union).at(30_000, 30_000).facing(0)).with(|unit| unit.marks.in_command = true);
    let enemy = infantry("z", Side::Confederate).at(30_000, 36_000).facing(18_000);
    testing::battle(table(open_ground(), [own, enemy]))
}

/// The rules that refuse a draft of the Union seat, in the orders window.
fn refused_by(battle: &Battle, draft: &Draft) -> Vec<String> {
    refused_in(battle, Stage::Orders, draft)
}

fn refused_in(battle: &Battle, stage: Stage, draft: &Draft) -> Vec<String> {
    let refusals = check(&known(battle, Side::Union), Ruleset::standard(), &testing::seat(Side::Union), stage, draft);
    refusals.into_iter().map(|refusal| refusal.rule.to_string()).collect()
}

const TOWARD: &[(i32, i32)] = &[(30_000, 32_000)];
const AWAY: &[(i32, i32)] = &[(30_000, 28_000)];

#[test]
fn ord_04_a_march_and_first_fire_are_legal_for_a_good_unit() {
    let battle = two_lines(|unit| unit);
    assert!(refused_by(&battle, &draft("a", march(TOWARD))).is_empty());
    assert!(refused_by(&battle, &draft("a", Order::FirstFire {})).is_empty());
}

#[test]
fn ord_07_a_routed_unit_takes_no_order() {
    let battle = two_lines(|unit| unit.morale(Morale::Routed));
    assert_eq!(refused_by(&battle, &draft("a", Order::FirstFire {})), ["ORD-07"]);
}

#[test]
fn shk_07_a_shaken_unit_may_not_come_nearer_but_may_go_back() {
    let battle = two_lines(|unit| unit.morale(Morale::Shaken));
    assert_eq!(refused_by(&battle, &draft("a", march(TOWARD))), ["SHK-07"]);
    let back = Order::Move(MoveOrder {
        path: AWAY.iter().map(|(x, y)| Point::new(*x, *y)).collect(),
        backing: true,
        ..MoveOrder::default()
    });
    assert!(refused_by(&battle, &draft("a", back)).is_empty());
}

#[test]
fn cmd_07_a_unit_out_of_command_may_not_advance() {
    let mut battle = two_lines(|unit| unit);
    let ix = testing::ix(&battle.table, "a");
    battle.table[ix].marks.in_command = false;
    assert_eq!(refused_by(&battle, &draft("a", march(TOWARD))), ["CMD-07"]);
    assert!(refused_by(&battle, &draft("a", Order::FirstFire {})).is_empty());
}

#[test]
fn ord_10_half_strength_advances_only_with_an_officer() {
    let battle = two_lines(|unit| unit.stands_left(2));
    assert_eq!(refused_by(&battle, &draft("a", march(TOWARD))), ["ORD-10"]);
}

#[test]
fn ord_16_each_order_is_refused_by_itself_and_the_rest_is_kept() {
    let battle = two_lines(|unit| unit);
    let mut both = draft("a", march(TOWARD));
    both.units.insert(UnitId::new("z"), UnitDraft { order: Some(Order::FirstFire {}), ..UnitDraft::default() });
    both.units.insert(UnitId::new("nobody"), UnitDraft::default());
    let seat = testing::seat(Side::Union);
    let (legal, refusals) = legal_part(&known(&battle, Side::Union), Ruleset::standard(), &seat, Stage::Orders, &both);
    assert_eq!(legal.units.keys().map(UnitId::as_str).collect::<Vec<_>>(), ["a"]);
    assert_eq!(refusals.iter().map(|refusal| refusal.subject.as_str()).collect::<Vec<_>>(), ["nobody", "z"]);
}

#[test]
fn fire_02_a_limbered_battery_is_not_told_to_fire_first() {
    let guns = battery("a", Side::Union).at(30_000, 30_000).formation(Formation::Limbered);
    let battle = testing::battle(table(open_ground(), [guns]));
    assert_eq!(refused_by(&battle, &draft("a", Order::FirstFire {})), ["FIRE-02"]);
}

#[test]
fn form_01_an_arm_takes_its_own_formations_only() {
    let battle = two_lines(|unit| unit);
    assert_eq!(refused_by(&battle, &draft("a", form(Formation::DismountedLine))), ["FORM-01"]);
    assert!(refused_by(&battle, &draft("a", form(Formation::DoubleLine))).is_empty());
}

#[test]
fn chg_01_orders_that_are_not_played_yet_are_refused_with_a_sentence_that_says_so() {
    let battle = two_lines(|unit| unit);
    let charge = Order::Charge { target: None, bearing: None, objective: None, support_of: None };
    let cases = [
        (charge, "CHG-01"),
        (Order::Disengage { abandon_guns: false }, "DIS-01"),
        (Order::Form { task: FormTask::Square {} }, "TAC-37"),
        (form(Formation::LineWithSkirmishers), "TAC-16"),
        (Order::Form { task: FormTask::BrigadeColumn { regiments: Vec::new() } }, "TAC-27"),
    ];
    for (order, rule) in cases {
        let seat = testing::seat(Side::Union);
        let draft = draft("a", order);
        let refusals = check(&known(&battle, Side::Union), Ruleset::standard(), &seat, Stage::Orders, &draft);
        assert_eq!(refusals[0].rule.to_string(), rule);
        assert!(refusals[0].message.contains("not played yet"), "{}", refusals[0].message);
    }
}

#[test]
fn turn_06_an_instruction_given_in_the_wrong_window_is_refused_alone() {
    let battle = two_lines(|unit| unit);
    let said = Instructions { rally: Some(false), fire: Some(true), ..Instructions::default() };
    let late = Draft {
        units: BTreeMap::from([(UnitId::new("a"), UnitDraft { instructions: said, ..UnitDraft::default() })]),
        ..Draft::default()
    };
    let seat = testing::seat(Side::Union);
    let (legal, refusals) =
        legal_part(&known(&battle, Side::Union), Ruleset::standard(), &seat, Stage::Reactions, &late);
    assert_eq!(refusals.iter().map(|refusal| refusal.key.as_str()).collect::<Vec<_>>(), ["rally"]);
    assert_eq!(legal.units[&UnitId::new("a")].instructions.fire, Some(true));
}

#[test]
fn ord_01_no_order_is_taken_after_the_orders_window() {
    let battle = two_lines(|unit| unit);
    assert_eq!(refused_in(&battle, Stage::Reactions, &draft("a", march(TOWARD))), ["ORD-01"]);
}

#[test]
fn ord_02_a_brigade_makes_one_displacement_and_keeps_its_shape() {
    let member = |id, x| {
        infantry(id, Side::Union).at(x, 30_000).facing(0).with(|unit| {
            unit.marks.in_command = true;
            unit.brigade = Some(BrigadeId::new("vincent"));
        })
    };
    let battle = testing::battle(table(open_ground(), [member("a", 20_000), member("b", 26_000)]));
    let group = GroupDraft {
        order: Some(march(&[(21_000, 33_000)])),
        from: Some(Point::new(20_000, 30_000)),
        ..GroupDraft::default()
    };
    let draft = Draft { brigades: BTreeMap::from([(BrigadeId::new("vincent"), group)]), ..Draft::default() };
    let seat = testing::seat(Side::Union);
    let orders = expand(&known(&battle, Side::Union), Ruleset::standard(), &seat, Stage::Orders, &draft);
    assert_eq!(orders[&UnitId::new("a")].order, Some(march(&[(21_000, 33_000)])));
    assert_eq!(orders[&UnitId::new("b")].order, Some(march(&[(27_000, 33_000)])));
    assert!(without_order(&known(&battle, Side::Union), &seat, &draft).is_empty());
}

#[test]
fn ord_03_units_of_which_a_draft_says_nothing_are_named() {
    let battle = two_lines(|unit| unit);
    let unmarked = without_order(&known(&battle, Side::Union), &testing::seat(Side::Union), &Draft::default());
    assert_eq!(unmarked, [UnitId::new("a")]);
}

#[test]
fn turn_08_a_posture_fills_what_the_unit_s_own_keys_leave_open() {
    let battle = two_lines(|unit| unit);
    let own = Instructions { extra_fire: Some(ExtraFire::Never {}), ..Instructions::default() };
    let said = UnitDraft { order: None, posture: Some("delay".to_owned()), instructions: own };
    let draft = Draft { units: BTreeMap::from([(UnitId::new("a"), said)]), ..Draft::default() };
    let seat = testing::seat(Side::Union);
    let orders = expand(&known(&battle, Side::Union), Ruleset::standard(), &seat, Stage::Orders, &draft);
    let keys = &orders[&UnitId::new("a")].instructions;
    assert_eq!(keys.extra_fire, Some(ExtraFire::Never {}), "the unit's own key comes first");
    assert_eq!(keys.stop, Some(Stop::BeforeClose {}));
    let hold_fire = keys.hold_fire.as_ref().map(|hold_fire| hold_fire.any_of.clone());
    let clauses = vec![
        vec![HoldTrigger::At { band: RangeBand::Normal }],
        vec![HoldTrigger::BeforeLeaving {}],
        vec![HoldTrigger::AfterMove {}],
    ];
    assert_eq!(hold_fire, Some(clauses));
    assert_eq!(keys.canister, None, "a posture gives no key that the arm cannot use");
}

#[test]
fn turn_08_a_posture_for_another_arm_is_refused() {
    let battle = two_lines(|unit| unit);
    let said = UnitDraft { posture: Some("guns_hold_to_canister".to_owned()), ..UnitDraft::default() };
    let draft = Draft { units: BTreeMap::from([(UnitId::new("a"), said)]), ..Draft::default() };
    assert_eq!(refused_by(&battle, &draft), ["TURN-08"]);
}

#[test]
fn turn_08_every_posture_of_the_catalogue_says_something_to_somebody() {
    for posture in &crate::catalogue::Catalogue::standard().postures {
        let mut said = Instructions::default();
        let understood = posture.expands.iter().filter(|(key, value)| super::words::put(&mut said, key, value)).count();
        assert!(0 < understood, "posture `{}` says nothing that is played", posture.id);
        assert_ne!(said, Instructions::default());
    }
    let mut said = Instructions::default();
    assert!(super::words::put(&mut said, "canister", "double_if_charged"));
    assert_eq!(said.canister, Some(Canister::DoubleIfCharged));
    assert!(!super::words::put(&mut said, "canister", "triple"), "an unknown value writes nothing");
}
