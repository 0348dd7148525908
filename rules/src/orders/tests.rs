//! Orders: what is refused, by which rule, and what is expanded into what.

use std::collections::BTreeMap;

use protocol::event::Morale;
use protocol::ids::{BrigadeId, LeaderId, Side, UnitId};
use protocol::orders::{
    Canister, ChangeOnHold, Draft, ExtraFire, FormTask, GroupDraft, HoldTrigger, Instructions, MoveOrder, Order,
    ProneChange, RangeBand, Stage, Stop, UnitDraft, Wheel,
};
use protocol::place::{Bearing, Point};
use protocol::words::{Arm, Flank, Formation};

use super::legality::word_of;
use super::{check, expand, legal_part, without_order};
use crate::battle::{Battle, Post, Table, Theatre, known};
use crate::ruleset::Ruleset;
use crate::scenario::{Condition, OrderWord, Scenario, Special, SpecialKind};
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
    let own = change(infantry("a", Side::Union).at(30_000, 30_000).facing(0));
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
fn mel_21_after_a_melee_a_unit_may_only_form_and_does_so_unmarked() {
    let tired = || two_lines(|unit| unit.with(|unit| unit.carried.melee_last_turn = true));
    for order in [march(AWAY), Order::FirstFire {}, Order::Hold { task: None }] {
        assert_eq!(refused_by(&tired(), &draft("a", order)), ["MEL-21"]);
    }
    assert!(refused_by(&tired(), &draft("a", form(Formation::DoubleLine))).is_empty());
    // Unmarked it forms as it stands, and so fires only as one that forms: not in phase 4, 6 or 7, but in phase 8.
    let dice = crate::dice::ScriptedDice::new();
    let play = crate::play::Play::new(Ruleset::standard(), &dice, tired(), Stage::Orders);
    let (a, z) = (testing::ix(play.table(), "a"), testing::ix(play.table(), "z"));
    let order = play.order(a);
    assert_eq!((word_of(&order), word_of(&play.order(z))), (Some(OrderWord::Form), Some(OrderWord::Hold)));
    let may_fire = |occasion| crate::fire::may_fire(&play.table()[a], &order, occasion).is_ok();
    use crate::fire::Occasion::{FirstFire, Hold, Moving};
    assert_eq!([FirstFire, Hold, Moving].map(may_fire), [false, false, true]);
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
fn ord_16_and_tc_12_a_special_order_is_refused_where_no_umpire_answers_it() {
    let battle = two_lines(|unit| unit);
    let order = Order::Special { text: "Burn the bridge.".to_owned() };
    let seat = testing::seat(Side::Union);
    let refusals = check(&known(&battle, Side::Union), Ruleset::standard(), &seat, Stage::Orders, &draft("a", order));
    assert_eq!(refusals[0].rule.to_string(), "TC-12");
    assert!(refusals[0].message.contains("no umpire"), "{}", refusals[0].message);
}

#[test]
fn ord_16_an_order_that_the_arm_cannot_carry_out_is_refused_with_a_sentence_that_says_why() {
    let battle = two_lines(|unit| unit);
    let cases = [
        (Order::Form { task: FormTask::Mount { formation: Formation::SingleLine } }, "CAV-23", "no horses to mount"),
        (Order::Form { task: FormTask::Swing { elements: vec!["o".into()] } }, "OBS-23", "chevaux-de-frise"),
    ];
    for (order, rule, why) in cases {
        let seat = testing::seat(Side::Union);
        let draft = draft("a", order);
        let refusals = check(&known(&battle, Side::Union), Ruleset::standard(), &seat, Stage::Orders, &draft);
        assert_eq!(refusals[0].rule.to_string(), rule);
        assert!(refusals[0].message.contains(why), "{}", refusals[0].message);
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

/// Refusals with their messages.
fn messages(battle: &Battle, draft: &Draft) -> Vec<String> {
    let seat = testing::seat(Side::Union);
    let refusals = check(&known(battle, Side::Union), Ruleset::standard(), &seat, Stage::Orders, draft);
    refusals.into_iter().map(|refusal| refusal.message).collect()
}

/// How the unit of a case differs from a plain one.
type Change = fn(Maker) -> Maker;

#[test]
fn rev_11_and_tac_37_only_what_can_be_formed_at_once_is_tried_on_conditional_hold() {
    let tried = |formation: Formation| {
        let ch_form = Some(ChangeOnHold { formation, facing: None });
        let said = UnitDraft { instructions: Instructions { ch_form, ..Default::default() }, ..Default::default() };
        let draft = Draft { units: BTreeMap::from([(UnitId::new("a"), said)]), ..Draft::default() };
        messages(&two_lines(|unit| unit), &draft)
    };
    assert!(tried(Formation::LineWithReserve).is_empty());
    let refused = "refused (REV-11): `ch_form` for `a` names square, which it cannot take on Conditional Hold";
    assert_eq!(tried(Formation::Square), [refused]);
}

fn mounted(unit: Maker) -> Maker {
    unit.with(|unit| (unit.arm, unit.mounted) = (Arm::Cavalry, true))
}

#[test]
fn ord_12_horse_in_formation_may_be_told_to_charge_and_skirmishers_may_not() {
    let charge = Order::Charge { target: None, bearing: None, objective: None, support_of: None };
    let told = |change: Change| messages(&two_lines(change), &draft("a", charge.clone()));
    assert_eq!(told(mounted), Vec::<String>::new());
    assert_eq!(told(|unit| mounted(unit).disordered()), Vec::<String>::new());
    assert_eq!(told(|unit| mounted(unit).formation(Formation::SkirmishLine)).len(), 1);
}

#[test]
fn turn_08_the_postures_of_cavalry_say_all_that_they_mean_of_countercharges() {
    for name in ["cavalry_screen", "cavalry_strike", "reserve"] {
        let posture = crate::catalogue::Catalogue::standard().posture(name).expect("the catalogue has it");
        let of_countercharges = posture.expands.iter().filter(|(key, _)| key.contains("countercharge"));
        for (key, value) in of_countercharges {
            assert!(super::words::put(&mut Default::default(), key, value), "{name}: {key} = {value}");
        }
    }
}

#[test]
fn ord_16_every_refusal_reads_as_a_sentence_about_the_unit() {
    let verbs = ["is", "has", "may", "cannot", "lies", "needs", "must", "does", "takes", "advances"];
    let wheel = |facing: i32| {
        let wheel = Wheel { pivot: Flank::Right, facing: Bearing::wrapping(facing), last: false };
        MoveOrder { wheel: Some(wheel), ..MoveOrder::default() }
    };
    let toward = || MoveOrder { path: vec![Point::new(30_000, 32_000)], ..MoveOrder::default() };
    let charge = || Order::Charge { target: None, bearing: None, objective: None, support_of: None };
    let column: Change = |unit| unit.formation(Formation::MarchColumn);
    let cases: Vec<(Change, Order)> = vec![
        (|unit| unit.morale(Morale::Shaken), Order::Move(toward())),
        (|unit| unit.morale(Morale::Routed), Order::FirstFire {}),
        (|unit| unit.with(|unit| unit.marks.in_command = false), Order::Move(toward())),
        (|unit| unit.stands_left(2), Order::Move(toward())),
        (Maker::prone, Order::Move(toward())),
        (Maker::prone, form(Formation::DoubleLine)),
        (Maker::prone, Order::FirstFire {}),
        (|unit| unit, Order::Move(wheel(9_100))),
        (|unit| unit, Order::Move(wheel(-3_000))),
        (column, Order::Move(wheel(3_000))),
        (column, Order::Move(MoveOrder { about_face: true, ..MoveOrder::default() })),
        (column, Order::Move(MoveOrder { prone: Some(ProneChange::LieDown), ..MoveOrder::default() })),
        (|unit| unit, Order::Move(MoveOrder { prone: Some(ProneChange::Rise), ..MoveOrder::default() })),
        (|unit| unit, Order::Move(MoveOrder { backing: true, ..toward() })),
        (|unit| unit, Order::Move(MoveOrder { prolonge: true, ..MoveOrder::default() })),
        (Maker::disordered, Order::Move(MoveOrder { push: true, path: vec![Point::new(30_000, 10_000)], ..toward() })),
        (|unit| unit, form(Formation::DismountedLine)),
        (|unit| unit, Order::Form { task: FormTask::Limber { facing: None } }),
        (Maker::disordered, Order::Form { task: FormTask::FrontToFlank { toward: Flank::Left } }),
        (|unit| unit.formation(Formation::Square), Order::Form { task: FormTask::Square {} }),
        (|unit| unit.formation(Formation::Square), Order::Move(toward())),
        (|unit| unit.stands_left(3), form(Formation::LineWithReserve)),
        (|unit| unit.stands_left(3), form(Formation::LineWithSkirmishers)),
        (|unit| unit, form(Formation::BrigadeColumn)),
        (|unit| unit.with(|unit| unit.carried.disengage_turns = 2), Order::Disengage { abandon_guns: false }),
        (|unit| unit.formation(Formation::Square), Order::Disengage { abandon_guns: false }),
        (|unit| unit, Order::Disengage { abandon_guns: true }),
        (|unit| unit.with(|unit| unit.carried.charge_turns = 2), charge()),
        (Maker::prone, charge()),
        (|unit| unit.formation(Formation::SkirmishLine), charge()),
        (|unit| unit.formation(Formation::Square), charge()),
        (|unit| unit.with(|unit| unit.marks.in_command = false), charge()),
        (|unit| mounted(unit).formation(Formation::SkirmishLine), charge()),
    ];
    for (change, order) in cases {
        let found = messages(&two_lines(change), &draft("a", order.clone()));
        assert!(!found.is_empty(), "{order:?} is refused");
        for message in found {
            let rest = message.strip_prefix("refused (").and_then(|rest| rest.split_once("): `a` "));
            let (_, said) = rest.unwrap_or_else(|| panic!("{message}"));
            assert!(verbs.contains(&said.split(' ').next().unwrap_or("")), "{message}");
            assert!(!message.ends_with('.') && !message.contains("``"), "{message}");
        }
    }
}

#[test]
fn cmd_07_the_preview_says_the_same_as_the_seal() {
    let battle = two_lines(|unit| unit.with(|unit| unit.marks.in_command = false));
    let sealed = messages(&battle, &draft("a", march(TOWARD)));
    assert_eq!(
        sealed,
        ["refused (CMD-07): `a` is out of command and may not advance; hold or go back, or bring its commander nearer"]
    );
    let shown =
        crate::movement::preview(&known(&battle, Side::Union), Ruleset::standard(), &UnitId::new("a"), &march(TOWARD));
    assert_eq!(shown.refusals.into_iter().map(|refusal| refusal.message).collect::<Vec<_>>(), sealed);
}

/// A Union regiment under special rules, in a turn.
fn tied(kind: SpecialKind, turn: u32, change: fn(&mut Table)) -> Battle {
    let special = Special {
        id: "tied".to_owned(),
        kind,
        side: Some(Side::Union),
        who: Vec::new(),
        arm: None,
        formation: Vec::new(),
        place: None,
        turns: None,
        optional: false,
        note: String::new(),
    };
    let scenario = Scenario { ground: open_ground(), specials: vec![special], ..Scenario::default() };
    let units = vec![infantry("a", Side::Union).at(30_000, 30_000).unit()];
    let mut table = Table::new(Theatre::new(std::sync::Arc::new(scenario)), units);
    table.turn = turn;
    change(&mut table);
    testing::battle(table)
}

#[test]
fn scns_10_tied_troops_take_only_the_orders_of_their_list_until_they_are_released() {
    let only = || SpecialKind::Orders { only: vec![OrderWord::Hold, OrderWord::Form], until: Condition::AfterTurn(3) };
    let battle = tied(only(), 1, |_| ());
    assert_eq!(
        messages(&battle, &draft("a", march(TOWARD))),
        ["refused (SCNS-10): `a` may be given only HOLD or FORM for now, by the special rule `tied` of the scenario"]
    );
    assert!(messages(&battle, &draft("a", form(Formation::DoubleLine))).is_empty());
    assert!(messages(&battle, &draft("a", Order::Hold { task: None })).is_empty());
    // The trigger has come true, as the end of a turn writes it down. SCNS-03
    let released = tied(only(), 4, |table| {
        table.came_true.insert("tied/a".to_owned(), 3);
    });
    assert!(messages(&released, &draft("a", march(TOWARD))).is_empty());
}

#[test]
fn scns_10_a_release_lifts_the_default_list_in_its_turn() {
    let until = |turn| tied(SpecialKind::Release { turn: 3 }, turn, |_| ());
    assert_eq!(refused_by(&until(2), &draft("a", march(TOWARD))), ["SCNS-10"]);
    assert!(refused_by(&until(2), &draft("a", Order::FirstFire {})).is_empty());
    assert!(refused_by(&until(3), &draft("a", march(TOWARD))).is_empty());
}

#[test]
fn scns_10_what_is_illegal_when_the_envelope_is_opened_is_left_out_and_the_unit_holds() {
    let battle = tied(SpecialKind::Release { turn: 3 }, 2, |_| ());
    let dice = crate::dice::ScriptedDice::new();
    let envelopes = BTreeMap::from([(testing::seat(Side::Union), draft("a", march(TOWARD)))]);
    let outcome = crate::stage::resolve(Ruleset::standard(), Stage::Orders, battle, &envelopes, &dice);
    let secrets = outcome.battle.secrets.get(Side::Union).open();
    assert_eq!(secrets.orders[&UnitId::new("a")].order, Order::Hold { task: None });
}

/// A brigade of three regiments under a commander of level 1, with the option on, and a division commander far away or near.
fn limited(on: bool, change: impl FnOnce(&mut Table)) -> Battle {
    let member = |id: &str, x| {
        let unit = infantry(id, Side::Union).at(x, 30_000);
        unit.with(|unit| unit.brigade = Some(BrigadeId::new("vincent"))).unit()
    };
    let mut scenario = Scenario { ground: open_ground(), ..Scenario::default() };
    scenario.edition = testing::edition(&[("order_limits", if on { "on" } else { "off" })]);
    let units = vec![member("a", 20_000), member("b", 25_000), member("c", 30_000)];
    let mut table = Table::new(Theatre::new(std::sync::Arc::new(scenario)), units);
    testing::commander(&mut table, "barnes", Post::Division, (55_000, 5_000), None);
    testing::commander(&mut table, "vincent", Post::Brigade, (25_000, 27_000), Some("barnes"));
    change(&mut table);
    testing::battle(table)
}

/// The units of which an order is refused, and what each is left to do: `a` and `b` march, `c` and perhaps `b` fire first.
fn over_the_limit(battle: &Battle, kinds: [Order; 3]) -> Vec<String> {
    let units = ["a", "b", "c"].into_iter().zip(kinds);
    let said = units.map(|(id, order)| (UnitId::new(id), UnitDraft { order: Some(order), ..UnitDraft::default() }));
    let draft = Draft { units: said.collect(), ..Draft::default() };
    let seat = testing::seat(Side::Union);
    let (legal, refusals) = legal_part(&known(battle, Side::Union), Ruleset::standard(), &seat, Stage::Orders, &draft);
    for refusal in &refusals {
        assert_eq!(refusal.rule.to_string(), "CMD-12", "{}", refusal.message);
        assert_eq!(legal.units[&UnitId::new(refusal.subject.as_str())].order, Some(Order::Hold { task: None }));
    }
    refusals.into_iter().map(|refusal| refusal.subject).collect()
}

#[test]
fn cmd_12_a_commander_gives_as_many_kinds_of_orders_as_his_level() {
    let march_to = |x: i32| march(&[(x, 28_000)]);
    let back =
        |x: i32| Order::Move(MoveOrder { backing: true, path: vec![Point::new(x, 28_000)], ..Default::default() });
    let two_kinds = || [back(20_000), back(25_000), Order::FirstFire {}];
    assert_eq!(over_the_limit(&limited(true, |_| ()), two_kinds()), ["c"], "the kind of fewer units");
    assert_eq!(over_the_limit(&limited(false, |_| ()), two_kinds()), Vec::<String>::new(), "an option");
    let level_2 = |table: &mut Table| table.leaders.get_mut(&LeaderId::new("vincent")).expect("he is there").level = 2;
    assert_eq!(over_the_limit(&limited(true, level_2), two_kinds()), Vec::<String>::new());
    let level_0 = |table: &mut Table| table.leaders.get_mut(&LeaderId::new("vincent")).expect("he is there").level = 0;
    assert_eq!(over_the_limit(&limited(true, level_0), two_kinds()), ["c"], "at least one");
    // Marches of different directions are one kind, and HOLD is free.
    let free = [back(20_000), march_to(24_000), Order::Hold { task: None }];
    assert_eq!(over_the_limit(&limited(true, |_| ()), free), Vec::<String>::new());
}

#[test]
fn cmd_12_elite_regiments_and_superiors_give_orders_besides() {
    let back =
        |x: i32| Order::Move(MoveOrder { backing: true, path: vec![Point::new(x, 28_000)], ..Default::default() });
    let two_kinds = || [back(20_000), back(25_000), Order::FirstFire {}];
    let elite = |table: &mut Table| {
        let c = testing::ix(table, "c");
        table[c].quality = protocol::words::Quality::Elite;
    };
    assert_eq!(over_the_limit(&limited(true, elite), two_kinds()), Vec::<String>::new());
    // The division commander, of level 1, stands by: one order of his own, for the first whom he reaches.
    let by = |table: &mut Table| {
        table.leaders.get_mut(&LeaderId::new("barnes")).expect("he is there").at = Point::new(30_000, 28_000)
    };
    assert_eq!(over_the_limit(&limited(true, by), two_kinds()), Vec::<String>::new());
    let three = [back(20_000), Order::FirstFire {}, form(Formation::DoubleLine)];
    assert_eq!(over_the_limit(&limited(true, by), three.clone()).len(), 1);
    assert_eq!(over_the_limit(&limited(true, |_| ()), three).len(), 2);
}

#[test]
fn cmd_12_the_order_of_a_group_counts_like_those_of_its_members() {
    let group = GroupDraft { order: Some(Order::FirstFire {}), ..GroupDraft::default() };
    let one = UnitDraft { order: Some(form(Formation::DoubleLine)), ..UnitDraft::default() };
    let draft = Draft {
        brigades: BTreeMap::from([(BrigadeId::new("vincent"), group)]),
        units: BTreeMap::from([(UnitId::new("b"), one)]),
        ..Draft::default()
    };
    assert_eq!(refused_by(&limited(true, |_| ()), &draft), ["CMD-12"]);
    let seat = testing::seat(Side::Union);
    let battle = limited(true, |_| ());
    let known = known(&battle, Side::Union);
    let (legal, _) = legal_part(&known, Ruleset::standard(), &seat, Stage::Orders, &draft);
    let orders = expand(&known, Ruleset::standard(), &seat, Stage::Orders, &legal);
    assert_eq!(orders[&UnitId::new("b")].order, Some(Order::Hold { task: None }));
    assert_eq!(orders[&UnitId::new("a")].order, Some(Order::FirstFire {}));
}

#[test]
fn arty_55_guns_that_must_be_silent_are_not_told_to_fire_first() {
    let guns = |silent_turns: u32| {
        let guns = battery("a", Side::Union).weapon("fort_smooth_32").at(30_000, 30_000);
        let guns = guns.with(|unit| unit.carried.silent_turns = silent_turns);
        testing::battle(table(open_ground(), [guns]))
    };
    assert_eq!(refused_by(&guns(1), &draft("a", Order::FirstFire {})), ["ARTY-55"]);
    assert!(refused_by(&guns(0), &draft("a", Order::FirstFire {})).is_empty());
    let limits = |silent: u32| {
        let battle = guns(silent);
        super::limits(&battle.table, &battle.table[testing::ix(&battle.table, "a")])
    };
    assert!(limits(1).iter().any(|limit| limit.contains("ARTY-55")) && limits(0).is_empty());
}

#[test]
fn arty_54_guns_of_a_fort_cannot_be_moved() {
    let guns = |weapon: &str| {
        let guns = battery("a", Side::Union).weapon(weapon).at(30_000, 30_000);
        testing::battle(table(open_ground(), [guns]))
    };
    let limber = || Order::Form { task: FormTask::Limber { facing: None } };
    for order in [march(TOWARD), limber()] {
        assert_eq!(refused_by(&guns("fort_smooth_32"), &draft("a", order)), ["ARTY-54"]);
    }
    assert!(refused_by(&guns("napoleon_12"), &draft("a", limber())).is_empty());
}

#[test]
fn mv_09_what_is_done_standing_is_no_part_of_a_march() {
    let battle = two_lines(|unit| unit);
    let joining = FormTask::JoinRegiment { regiment: "b".into() };
    let manning = FormTask::ManGuns { battery: "guns".into() };
    for task in [FormTask::Resupply {}, joining, manning] {
        let path = AWAY.iter().map(|(x, y)| Point::new(*x, *y)).collect();
        let last = MoveOrder { path, backing: true, form_last: Some(task.clone()), ..MoveOrder::default() };
        assert_eq!(refused_by(&battle, &draft("a", Order::Move(last.clone()))), ["MV-09"]);
        let first = MoveOrder { form_first: last.form_last.clone(), form_last: None, ..last };
        assert_eq!(refused_by(&battle, &draft("a", Order::Move(first))), ["MV-09"]);
    }
}

#[test]
fn tc_12_without_an_umpire_there_is_no_free_form() {
    let order = Order::Special { text: "Let the drummers make a great noise.".to_owned() };
    assert_eq!(
        messages(&two_lines(|unit| unit), &draft("a", order)),
        ["refused (TC-12): `a` cannot be given a special order: this game has no umpire to answer it"]
    );
}
