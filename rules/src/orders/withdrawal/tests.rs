//! LVL-05: what must withdraw, does.

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::event::{ChoiceSource, Fact, Morale, OrderShown};
use protocol::ids::{BrigadeId, LeaderId, Side, UnitId};
use protocol::orders::{Draft, Instructions, PathAnswer, Stage, UnitDraft};
use protocol::place::Bearing;
use protocol::view::Presence;

use super::*;
use crate::battle::{Battle, CommandLosses, Post, Theatre, known};
use crate::dice::ScriptedDice;
use crate::orders::check;
use crate::play::Event;
use crate::ruleset::Ruleset;
use crate::scenario::{Edge, Scenario, SideTerms};
use crate::stage;
use crate::testing::{self, Maker, battery, infantry, ix, open_ground};

/// Union units of brigade `b`, which has lost 60 percent of its points; its side leaves by the middle third of the southern
/// edge. The brigade commander and his general stand by; no enemy is near.
fn spent(units: Vec<Maker>) -> Battle {
    let mut scenario = Scenario { ground: open_ground(), ..Scenario::default() };
    let exit_edge = Stretch { edge: Edge::South, from: 20_000, to: 40_000 };
    scenario.sides.union = SideTerms { exit_edge, ..scenario.sides.union.clone() };
    let own = units.into_iter().map(|unit| unit.with(|unit| unit.brigade = Some(BrigadeId::new("b"))));
    let mut table = Table::new(Theatre::new(Arc::new(scenario)), own.map(Maker::unit).collect());
    testing::commander(&mut table, "general", Post::Division, (50_000, 50_000), None);
    testing::commander(&mut table, "b", Post::Brigade, (45_000, 50_000), Some("general"));
    table.losses.insert(LeaderId::new("b"), CommandLosses { commanders_killed: 0, level: 60 });
    testing::battle(table)
}

/// A veteran line at (30, 30) that faces the southern edge; it marches 6 inches in the open.
fn line() -> Maker {
    infantry("u", Side::Union).at(30_000, 30_000).facing(18_000)
}

fn march(path: &[(i32, i32)]) -> Order {
    let path = path.iter().map(|(x, y)| Point::new(*x, *y)).collect();
    Order::Move(MoveOrder { path, ..MoveOrder::default() })
}

fn form(formation: Formation) -> Order {
    Order::Form { task: FormTask::Formation { formation, facing: None, pivot: None, gap: None } }
}

fn draft(unit: &str, said: UnitDraft) -> Draft {
    Draft { units: BTreeMap::from([(UnitId::new(unit), said)]), ..Draft::default() }
}

fn refused_in(battle: &Battle, stage: Stage, said: UnitDraft) -> Vec<String> {
    let (known, seat) = (known(battle, Side::Union), testing::seat(Side::Union));
    let refusals = check(&known, Ruleset::standard(), &seat, stage, &draft("u", said));
    refusals.into_iter().map(|refusal| refusal.rule.to_string()).collect()
}

fn refused(unit: Maker, order: Order) -> Vec<String> {
    refused_in(&spent(vec![unit]), Stage::Orders, UnitDraft { order: Some(order), ..UnitDraft::default() })
}

/// Plays a stage for which the Union seat sealed nothing.
fn resolved(battle: Battle, stage: Stage) -> (Battle, Vec<Event>) {
    let dice = ScriptedDice::new();
    let envelopes = [(testing::seat(Side::Union), Draft::default())].into();
    let outcome = stage::resolve(Ruleset::standard(), stage, battle, &envelopes, &dice);
    dice.finish().expect("nobody throws");
    (outcome.battle, outcome.events)
}

/// The order of `u` after the envelopes were opened.
fn order_given(unit: Maker) -> Order {
    let (battle, _) = resolved(spent(vec![unit]), Stage::Orders);
    battle.secrets.get(Side::Union).open().orders[&UnitId::new("u")].order.clone()
}

#[test]
fn lvl_05_at_60_percent_only_a_march_of_half_a_turn_toward_the_exit_is_legal() {
    // Half of six inches is three.
    assert_eq!(refused(line(), march(&[(30_000, 27_000)])), Vec::<String>::new());
    assert_eq!(refused(line(), march(&[(30_000, 27_010)])), ["LVL-05"]);
    // Sideways is not nearer, and neither is north.
    assert_eq!(refused(line().facing(0), march(&[(30_000, 34_000)])), ["LVL-05"]);
    for order in [Order::Hold { task: None }, Order::FirstFire {}, form(Formation::DoubleLine)] {
        assert_eq!(refused(line(), order), ["LVL-05"]);
    }
    // A march that leaves the table is enough, however short.
    assert_eq!(refused(line().at(30_000, 1_000), march(&[(30_000, -1_000)])), Vec::<String>::new());
}

#[test]
fn lvl_05_who_must_form_before_it_marches_has_one_turn_for_it() {
    let spent_turn = |unit: Maker| unit.with(|unit| unit.carried.formed_to_withdraw = true);
    let guns = || battery("u", Side::Union).at(30_000, 30_000).facing(18_000);
    let limber = || Order::Form { task: FormTask::Limber { facing: None } };
    let cases: [(Maker, Order); 3] = [
        (line().disordered(), form(Formation::SingleLine)),
        (line().formation(Formation::SkirmishLine), form(Formation::SingleLine)),
        (guns(), limber()),
    ];
    for (unit, order) in cases {
        assert_eq!(refused(unit.clone(), order.clone()), Vec::<String>::new(), "{order:?}");
        assert_eq!(refused(spent_turn(unit), order), ["LVL-05"]);
    }
}

#[test]
fn lvl_05_the_turn_to_form_is_counted_when_it_is_over() {
    let forming = OrderShown::Form { formation: Some(Formation::SingleLine), work: None };
    let unit = line().disordered().with(|unit| unit.marks.shown = Some(forming));
    let (battle, _) = resolved(spent(vec![unit]), Stage::Movement);
    assert!(battle.table[ix(&battle.table, "u")].carried.formed_to_withdraw);
}

#[test]
fn lvl_05_who_has_no_such_order_is_sent_straight_to_the_exit() {
    let (battle, events) = resolved(spent(vec![line().facing(0)]), Stage::Orders);
    let told: Vec<&Event> = events.iter().filter(|event| event.rule == LVL_05).collect();
    assert_eq!(told.len(), 1);
    assert_eq!(
        told[0].explanation.sentence,
        "u must withdraw and was given no order to do so: it marches for the exit of its side."
    );
    assert_eq!(told[0].audience, crate::play::Audience::Side(Side::Union));
    assert!(matches!(&told[0].fact, Fact::Choice { key, source: ChoiceSource::Default, .. } if key == "order"));
    // About face for an inch: the rear, 0.625 behind, becomes the front; then five inches south.
    let (battle, _) = resolved(battle, Stage::Movement);
    let footing = &battle.table[ix(&battle.table, "u")].footing;
    assert_eq!((footing.anchor, footing.facing), (Point::new(30_000, 24_375), Bearing::wrapping(18_000)));
    assert!(!footing.disorder);
}

#[test]
fn lvl_05_the_way_out_leads_to_the_nearest_point_of_the_exit() {
    // West of the exit, which begins at 20 inches.
    let west = order_given(line().at(12_000, 30_000));
    let path = vec![Point::new(20_000, 0), Point::new(20_000, -1_000)];
    assert_eq!(west, Order::Move(MoveOrder { path, ..MoveOrder::default() }));
}

#[test]
fn lvl_05_guns_limber_first_and_a_square_forms_line() {
    let guns = order_given(battery("u", Side::Union).at(30_000, 30_000).facing(18_000));
    let Order::Move(march) = guns else { panic!("{guns:?}") };
    assert_eq!(march.form_first, Some(FormTask::Limber { facing: None }));
    assert_eq!(order_given(line().formation(Formation::Square)), form(Formation::SingleLine));
    // Without horses they stay.
    let stuck = battery("u", Side::Union).at(30_000, 30_000).with(|unit| {
        unit.guns = unit.guns.take().map(|guns| crate::battle::Guns { horses: 0, ..guns });
    });
    assert_eq!(order_given(stuck), hold());
}

#[test]
fn lvl_05_an_order_that_withdraws_is_not_touched() {
    let said = UnitDraft { order: Some(march(&[(31_000, 26_500)])), ..UnitDraft::default() };
    let envelopes = [(testing::seat(Side::Union), draft("u", said))].into();
    let dice = ScriptedDice::new();
    let outcome = stage::resolve(Ruleset::standard(), Stage::Orders, spent(vec![line()]), &envelopes, &dice);
    let orders = &outcome.battle.secrets.get(Side::Union).open().orders;
    assert_eq!(orders[&UnitId::new("u")].order, march(&[(31_000, 26_500)]));
    assert!(outcome.events.iter().all(|event| event.rule != LVL_05));
}

#[test]
fn lvl_05_the_march_may_not_be_halted_after_the_reveal() {
    let mut battle = spent(vec![line()]);
    testing::give(&mut battle, "u", march(&[(30_000, 24_000)]), Instructions::default());
    let answer = |path: PathAnswer| UnitDraft {
        instructions: Instructions { path: Some(path), ..Instructions::default() },
        ..UnitDraft::default()
    };
    assert_eq!(refused_in(&battle, Stage::Reactions, answer(PathAnswer::Halt {})), ["LVL-05"]);
    assert_eq!(refused_in(&battle, Stage::Reactions, answer(PathAnswer::Shorten { travel: 2_900 })), ["LVL-05"]);
    let enough = refused_in(&battle, Stage::Reactions, answer(PathAnswer::Shorten { travel: 3_000 }));
    assert_eq!(enough, Vec::<String>::new());
}

#[test]
fn lvl_05_who_reaches_the_edge_leaves_unlost_and_his_leader_with_the_last() {
    let own = |id: &str, y: i32| infantry(id, Side::Union).at(30_000, y).facing(18_000);
    let leaves = |units: Vec<Maker>| {
        let (battle, _) = resolved(spent(units), Stage::Orders);
        let (battle, events) = resolved(battle, Stage::Movement);
        let told: Vec<String> = events
            .iter()
            .filter(|event| event.rule == LVL_05 && matches!(event.fact, Fact::LeaderMoved { .. }))
            .map(|event| event.explanation.sentence.clone())
            .collect();
        (battle.table, told)
    };
    // The second is far from the edge yet: the commander stays for it.
    let (table, told) = leaves(vec![own("u", 2_000), own("v", 50_000)]);
    assert_eq!(table[ix(&table, "u")].presence, Presence::Left);
    assert_eq!((table.leaders[&LeaderId::new("b")].presence, told), (Presence::Table, Vec::<String>::new()));
    let (table, told) = leaves(vec![own("u", 2_000)]);
    assert_eq!(told, ["b leaves the table with the last unit of his command."]);
    assert_eq!(table.leaders[&LeaderId::new("b")].presence, Presence::Left);
    assert_eq!(table.leaders[&LeaderId::new("general")].presence, Presence::Table, "his division is whole");
    assert_eq!(levels::points(Ruleset::standard(), &table, &LeaderId::new("b")).lost, 0);
}

#[test]
fn lvl_05_routed_units_follow_their_own_rules() {
    let (battle, events) = resolved_routed();
    assert!(events.iter().all(|event| event.rule != LVL_05));
    assert!(
        !battle.secrets.get(Side::Union).open().orders.contains_key(&UnitId::new("u")) || {
            battle.secrets.get(Side::Union).open().orders[&UnitId::new("u")].order == hold()
        }
    );
}

/// A routed unit that rallies in phase 2 of that turn: it was marked with nothing, and holds. RALLY-07
fn resolved_routed() -> (Battle, Vec<Event>) {
    let dice = ScriptedDice::parse("rally u: 6 5").expect("dice");
    let envelopes = [(testing::seat(Side::Union), Draft::default())].into();
    let battle = spent(vec![line().morale(Morale::Routed)]);
    let outcome = stage::resolve(Ruleset::standard(), Stage::Orders, battle, &envelopes, &dice);
    dice.finish().expect("it rallies");
    (outcome.battle, outcome.events)
}

#[test]
fn scns_10_who_draws_off_marches_toward_his_own_edge_alone() {
    let scenario = Scenario { ground: open_ground(), ..Scenario::default() };
    let unit = line().with(|unit| unit.marks.draws_off = true);
    let table = Table::new(Theatre::new(Arc::new(scenario)), vec![unit.unit()]);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let faults = |order: Order| {
        let faults = faults(&field, ix(&table, "u"), &order);
        faults.into_iter().map(|(rule, _)| rule.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(faults(march(&[(30_000, 27_000)])), [""; 0]);
    assert_eq!(faults(march(&[(33_000, 30_000)])), ["SCNS-10"]);
}
