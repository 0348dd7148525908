//! A column that charges, and one that is charged. TAC-28, TAC-35, TAC-36

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{Fact, FlankClass, Morale, OrderShown};
use protocol::ids::{Side, UnitId};
use protocol::orders::{Draft, Instructions, Order, Stage, UnitDraft};
use protocol::place::Bearing;
use protocol::words::Formation;

use super::{anchor, column, enemy, form, list, regiment};
use crate::battle::{Table, known};
use crate::charge::clash::{Clash, Front, Role, impact_morale, supports_of_defence};
use crate::charge::{self, prospect};
use crate::dice::ScriptedDice;
use crate::field::Field;
use crate::geometry;
use crate::movement::preview;
use crate::orders::check;
use crate::phases;
use crate::play::{Event, Play};
use crate::ruleset::Ruleset;
use crate::testing::{self, Maker, infantry, ix};

fn charge_at(target: &str) -> Order {
    Order::Charge { target: Some(UnitId::new(target)), bearing: None, objective: None, support_of: None }
}

fn in_support_of(point: &str) -> Order {
    Order::Charge { target: None, bearing: None, objective: None, support_of: Some(UnitId::new(point)) }
}

/// Plays phases 3 and 6; the others hold without a shot, and so do those who charge.
fn played(table: Table, orders: &[(&str, Order)], dice: &str) -> (Table, Vec<Event>) {
    let dice = ScriptedDice::parse(dice).expect("the dice of a test can be read");
    let mut battle = testing::battle(table);
    let silent = || Instructions { fire: Some(false), ..Instructions::default() };
    let ids: Vec<UnitId> = battle.table.units().map(|(_, unit)| unit.id.clone()).collect();
    for id in ids {
        let own = orders.iter().find(|(unit, _)| *unit == id.as_str()).map(|(_, order)| order.clone());
        // TAC-28 Those behind a lead have its order.
        let column = battle.table.unit(&id).and_then(|unit| unit.column.clone());
        let lead = column.and_then(|column| column.lead().cloned());
        let of_lead = lead.and_then(|lead| orders.iter().find(|(unit, _)| *unit == lead.as_str()));
        let order = own.or(of_lead.map(|(_, order)| order.clone())).unwrap_or(Order::Hold { task: None });
        testing::give(&mut battle, id.as_str(), order, silent());
    }
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Charges);
    play.phase = 3;
    phases::reveal::play(&mut play);
    play.phase = 6;
    charge::play(&mut play);
    let (battle, events) = (play.battle, play.events);
    let told: Vec<&str> = events.iter().map(|event| event.explanation.sentence.as_str()).collect();
    assert_eq!(dice.finish().map_err(|faults| faults.to_string()), Ok(()), "{told:#?}");
    (battle.table, events)
}

/// A column of four with its head at (30, 30), the enemy `e` in touch with its front.
fn in_touch(others: Vec<Maker>) -> Table {
    let touching = enemy("e", 30_000, 30_000);
    column(&["a", "b", "c", "d"], std::iter::once(touching).chain(others).collect())
}

/// The Impact Morale of `a`, with those supports, charging or charged by `e`.
fn point(table: &Table, supports: &[&str], charging: bool) -> i32 {
    let supports = supports.iter().map(|id| ix(table, id)).collect();
    let own = Front { unit: ix(table, "a"), supports, charging, elan: charging, forming: false };
    let other =
        Front { unit: ix(table, "e"), supports: Vec::new(), charging: !charging, elan: !charging, forming: false };
    let (attacker, defender, role) = match charging {
        true => (own, other, Role::Attacker),
        false => (other, own, Role::Defender),
    };
    let ray = geometry::forward(table[attacker.unit].footing.facing);
    let clash = Clash { attacker, defender, ray, aspect: FlankClass::Front };
    impact_morale(&Field::before_dice(Ruleset::standard(), table), &clash, role).total()
}

/// How many stand in column still, and which of a list are in disorder.
fn in_disorder<'i>(table: &Table, regiments: &[&'i str]) -> Vec<&'i str> {
    regiments.iter().copied().filter(|id| table[ix(table, id)].footing.disorder).collect()
}

#[test]
fn tac_35_one_less_for_each_regiment() {
    // A veteran's 3, 1 less for elan, and 4 less for four regiments.
    let table = in_touch(vec![]);
    assert_eq!(point(&table, &[], true), -2);
    // Of two regiments 2.
    assert_eq!(point(&column(&["a", "b"], vec![enemy("e", 30_000, 30_000)]), &[], true), 0);
    // In disorder 4 more, as for anybody else.
    let mut disordered = table.clone();
    for id in ["a", "b", "c", "d"] {
        let regiment = ix(&disordered, id);
        disordered[regiment].footing.disorder = true;
    }
    assert_eq!(point(&disordered, &[], true), 2);
    // It has them when it is charged, too: 3 less 4.
    assert_eq!(point(&table, &[], false), -1);
}

#[test]
fn tac_35_units_outside_the_column_still_support_it() {
    let table = in_touch(vec![infantry("f", Side::Union).at(36_000, 30_000)]);
    assert_eq!(point(&table, &["f"], true), -3);
    // In defence those within two inches of any of its regiments; none of its own. The third regiment ends at x 31.75 and lies
    // behind y 27; the friend's stands begin at 33.7.
    let beside = infantry("f", Side::Union).at(35_450, 27_000);
    let beyond = infantry("g", Side::Union).at(20_000, 20_000);
    let table = in_touch(vec![beside, beyond]);
    let field = Field::before_dice(Ruleset::standard(), &table);
    assert_eq!(supports_of_defence(&field, ix(&table, "a"), &BTreeSet::new()), [ix(&table, "f")]);
    // And it supports a friend as one unit.
    assert_eq!(supports_of_defence(&field, ix(&table, "f"), &BTreeSet::new()), [ix(&table, "a")]);
}

fn refusals(table: Table, unit: &str, order: Order) -> Vec<String> {
    let said = UnitDraft { order: Some(order), ..UnitDraft::default() };
    let draft = Draft { units: BTreeMap::from([(UnitId::new(unit), said)]), ..Draft::default() };
    let battle = testing::battle(table);
    let known = known(&battle, Side::Union);
    let refusals = check(&known, Ruleset::standard(), &testing::seat(Side::Union), Stage::Orders, &draft);
    refusals.into_iter().map(|refusal| refusal.rule.to_string()).collect()
}

#[test]
fn tac_35_the_lead_is_told_to_charge_for_all() {
    let table = || column(&["a", "b"], vec![enemy("e", 30_000, 37_000), infantry("f", Side::Union).at(36_000, 30_000)]);
    assert_eq!(refusals(table(), "a", charge_at("e")), [""; 0]);
    assert_eq!(refusals(table(), "a", Order::Disengage { abandon_guns: false }), [""; 0]);
    assert_eq!(refusals(table(), "b", charge_at("e")), ["TAC-28"]);
    assert_eq!(refusals(table(), "b", Order::Disengage { abandon_guns: false }), ["TAC-28"]);
    // It is the point of its charge; others may support it.
    assert_eq!(refusals(table(), "a", in_support_of("f")), ["TAC-35"]);
    assert_eq!(refusals(table(), "f", in_support_of("a")), [""; 0]);
}

#[test]
fn tac_35_the_preview_shows_all_of_it() {
    let battle = testing::battle(column(&["a", "b"], vec![enemy("e", 30_000, 37_000)]));
    let known = known(&battle, Side::Union);
    // The front of the enemy lies 7 inches off: there the head would stand, the second 1.5 inches behind it.
    let shown = preview(&known, Ruleset::standard(), &UnitId::new("a"), &charge_at("e"));
    let places: Vec<i32> = shown.end.iter().chain(&shown.column).map(|stance| stance.anchor.y).collect();
    assert_eq!(places, [37_000, 35_500]);
    let rules: Vec<String> = shown.notes.iter().map(|note| note.rule.to_string()).collect();
    assert!(rules.contains(&"TAC-35".to_owned()) && rules.contains(&"TAC-36".to_owned()), "{rules:?}");
    // It would go 6 inches for sure, turned about: from 27.875 and 29.375.
    let shown = preview(&known, Ruleset::standard(), &UnitId::new("a"), &Order::Disengage { abandon_guns: false });
    let places: Vec<i32> = shown.end.iter().chain(&shown.column).map(|stance| stance.anchor.y).collect();
    assert_eq!(places, [21_875, 23_375]);
}

#[test]
fn tac_28_a_charge_is_shown_for_all_and_is_one() {
    let orders = [("a", charge_at("e"))];
    let dice = "charge.bonus a: 1 1 1\nimpact a e: 1 1\nimpact e a: 6 6\nimpact.defender_result e: 2 2";
    let (table, events) = played(column(&["a", "b"], vec![enemy("e", 30_000, 37_000)]), &orders, dice);
    let charge = |event: &&Event| matches!(&event.fact, Fact::OrderRevealed { shown: OrderShown::Charge { .. }, .. });
    assert_eq!(events.iter().filter(charge).count(), 2);
    let began = events.iter().filter(|event| matches!(event.fact, Fact::ChargeBegan { .. })).count();
    assert_eq!(began, 1);
    let names = ["a", "b"];
    assert!(names.iter().all(|id| table[ix(&table, id)].marks.charged && table[ix(&table, id)].marks.bonus_taken));
    // Both are told of their way: 7 inches to contact, and the 2 that are left.
    let ways = |of: &str| {
        let moved =
            events.iter().filter(|event| matches!(&event.fact, Fact::Moved { unit, .. } if unit.as_str() == of));
        moved.count()
    };
    assert_eq!((ways("a"), ways("b")), (2, 2));
}

#[test]
fn tac_36_its_regiments_must_be_reformed_one_by_one() {
    let dice = "charge.bonus a: 1 1 1";
    let table = column(&["a", "b", "c"], vec![enemy("e", 30_000, 42_000)]);
    let (table, events) = played(table, &[("a", charge_at("e"))], dice);
    let regiments = ["a", "b", "c"];
    assert_eq!(in_disorder(&table, &regiments), regiments);
    assert!(regiments.iter().all(|id| table[ix(&table, id)].column.is_none()));
    assert!(regiments.iter().all(|id| table[ix(&table, id)].footing.formation == Formation::SingleLine));
    let told: Vec<String> = events
        .iter()
        .filter(|event| event.rule.as_str() == "TAC-36")
        .map(|event| format!("{:?}", event.fact))
        .collect();
    assert_eq!(told.len(), 3, "{told:#?}");
    assert_eq!(refusals(table, "b", form(&["a", "b"])), ["TAC-27"], "one in disorder forms no column");
}

#[test]
fn tac_36_a_column_that_does_not_set_out_stays_one() {
    // Nobody is left to charge: the order is void, and no charge has come to its end.
    let mut gone = column(&["a", "b"], vec![enemy("e", 30_000, 37_000)]);
    let e = ix(&gone, "e");
    gone[e].stands.clear();
    let (table, _) = played(gone, &[("a", charge_at("e"))], "");
    assert_eq!(list(&table, "b"), ["a", "b"]);
    assert_eq!(in_disorder(&table, &["a", "b"]), [""; 0]);
}

#[test]
fn tac_36_and_mel_12_in_melee_each_stands_behind_the_one_before_it() {
    // 3 less 1 less 2 are 0 for the column, and 6 thrown; 3 for the enemy, and 3 thrown: a melee. The lead's 16 figures count twice, as
    // an attack column's do, and half of the 16 behind it: 40, against 16. 24 thrown by 32 figures or more kill 24, twice; 4 by 16 none.
    let table = column(&["a", "b"], vec![enemy("e", 30_000, 37_000)]);
    let dice = "charge.bonus a: 1 1 1\nimpact a e: 3 3\nimpact e a: 1 2\nmelee a: 6 6 6 6\nmelee e: 1 1 1 1";
    let (table, events) = played(table, &[("a", charge_at("e"))], dice);
    let rounds = events.iter().filter_map(|event| match &event.fact {
        Fact::MeleeRound { attacker, defender, .. } => {
            Some((attacker.figures, attacker.supports.len(), defender.figures))
        }
        _ => None,
    });
    assert_eq!(rounds.collect::<Vec<_>>(), [(40, 1, 16)]);
    assert!(!table[ix(&table, "e")].on_table());
    assert_eq!(in_disorder(&table, &["a", "b"]), ["a", "b"]);
    assert!(table[ix(&table, "a")].column.is_none());
}

#[test]
fn tac_32_and_idd_21_a_column_that_is_struck_in_its_side_is_struck_as_its_lead() {
    // From the east at the height of the third regiment, whose line ends at x 31.75: 4.25 inches off. It brings 3 less 1 for elan;
    // 1 and 1 win against 6 and 6 in any case. Each of the three regiments throws for itself: 6, 7 and 8 are shaken, and
    // are the inches that it goes along the ray.
    let charger = enemy("e", 36_000, 27_000).facing(27_000);
    let table = column(&["a", "b", "c"], vec![charger]);
    let results = "impact.defender_result a: 1 5\nimpact.defender_result b: 2 5\nimpact.defender_result c: 3 5";
    let dice = format!("charge.bonus e: 1 1 1\nimpact e a: 1 1\nimpact a e: 6 6\n{results}");
    let (table, events) = played(table, &[("e", charge_at("c"))], &dice);
    let struck = events.iter().find_map(|event| match &event.fact {
        Fact::Contact { unit, target, flank } => Some((unit.to_string(), target.to_string(), *flank)),
        _ => None,
    });
    let (unit, target, flank) = struck.expect("it comes so far");
    assert_eq!((unit.as_str(), target.as_str()), ("e", "a"));
    assert_ne!(flank, FlankClass::Front);
    for (id, inches) in [("a", 6), ("b", 7), ("c", 8)] {
        let regiment = &table[ix(&table, id)];
        assert_eq!((regiment.morale, regiment.column.is_none()), (Morale::Shaken, true), "{id}");
        // Its middle stood at x 30; turned to face the east its front lies 0.3125 inches ahead of it.
        assert_eq!(regiment.footing.facing, Bearing::wrapping(9_000), "{id}");
        assert!((anchor(&table, id).0 - (30_313 - inches * 1_000)).abs() <= 1, "{id}: {:?}", anchor(&table, id));
    }
}

#[test]
fn tac_32_a_column_that_beats_off_a_charge_stays_one() {
    // 3 less 1 for elan and 12 thrown against 3 less 2 and 2 thrown: the charger recoils an inch.
    let table = column(&["a", "b"], vec![enemy("e", 30_000, 37_000)]);
    let dice = "charge.bonus e: 1 1 1\nimpact e a: 6 6\nimpact a e: 1 1\nimpact.attacker_fallback e: 1";
    let (table, _) = played(table, &[("e", charge_at("a"))], dice);
    assert_eq!((list(&table, "b"), in_disorder(&table, &["a", "b"])), (vec!["a".to_owned(), "b".to_owned()], vec![]));
}

#[test]
fn tac_28_and_cf_10_a_column_that_is_charged_on_the_march_faces_it_as_one() {
    // From the east again, at the height of the first regiment: a march that is struck in the flank must form. The roll passes with
    // 4, which is above 3: the column turns about the middle of all its stands, (30, 28.9375), to face the east.
    let charger = enemy("e", 40_000, 29_000).facing(27_000);
    let table = column(&["a", "b"], vec![charger]);
    let march = Order::Move(protocol::orders::MoveOrder {
        path: vec![protocol::place::Point::new(30_000, 33_000)],
        ..Default::default()
    });
    let ends = "impact e a: 6 6\nimpact a e: 1 1\nimpact.attacker_fallback e: 1";
    let dice = format!("charge.bonus e: 6 6 6\ncf.form a: 4\n{ends}");
    let (table, _) = played(table, &[("e", charge_at("a")), ("a", march)], &dice);
    assert_eq!(list(&table, "b"), ["a", "b"]);
    let of = |id: &str| &table[ix(&table, id)];
    for id in ["a", "b"] {
        assert_eq!((of(id).footing.facing, of(id).marks.conditional_hold), (Bearing::wrapping(9_000), true), "{id}");
        assert!(!of(id).footing.disorder);
    }
    // The two fronts lie 1.5 inches behind each other; the centres are 0.75 inches from the middle, the fronts 0.3125 before them.
    // Rounded to a thousandth.
    for (id, x) in [("a", 31_063), ("b", 29_563)] {
        let (is_x, is_y) = anchor(&table, id);
        assert!((is_x - x).abs() <= 1 && (is_y - 28_938).abs() <= 1, "{id}: {is_x} {is_y}");
    }
}

#[test]
fn tac_34_and_tac_36_when_the_lead_is_lost_the_charge_is_over() {
    // The lead has one figure, and an officer to go with it. The volley falls at 2 inches: 8 and 2 for the column are 10, which kills 1 of one figure's regiment
    // and 2 of the other.
    let mut table = column(&["a", "b", "c"], vec![enemy("e", 30_000, 37_000)]);
    let a = ix(&table, "a");
    table[a].stands.truncate(1);
    table[a].stands[0].figures = 1;
    let mut officer = testing::leader("cruft", Side::Union, 30_000, 29_800);
    officer.attached = Some(UnitId::new("a"));
    table.leaders.insert(officer.id.clone(), officer);
    let dice = "charge.bonus a: 1 1 1\ncharge.volley_distance e a: 4\nfire.volley e: 2 2 2 2";
    let dice = ScriptedDice::parse(dice).expect("the dice of a test can be read");
    let mut battle = testing::battle(table);
    for id in ["a", "b", "c"] {
        testing::give(&mut battle, id, charge_at("e"), Instructions::default());
    }
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Charges);
    play.phase = 3;
    phases::reveal::play(&mut play);
    play.phase = 6;
    charge::play(&mut play);
    assert_eq!(dice.finish().map_err(|faults| faults.to_string()), Ok(()));
    let table = play.table();
    assert!(!table[ix(table, "a")].on_table());
    assert_eq!(in_disorder(table, &["b", "c"]), ["b", "c"]);
    assert!(["b", "c"].iter().all(|id| table[ix(table, id)].column.is_none()));
    // They have come as far as the lead had: 5 inches.
    assert_eq!((anchor(table, "b").1, anchor(table, "c").1), (33_500, 32_000));
}

#[test]
fn tac_35_under_an_order_for_all_others_support_the_column() {
    // The regiment beside the column is farther from the enemy than its head: it supports it.
    let beside = regiment("f", 36_000, 29_000);
    let mut battle = testing::battle(column(&["a", "b"], vec![beside, enemy("e", 30_000, 37_000)]));
    for id in ["a", "b", "f"] {
        testing::give(&mut battle, id, charge_at("e"), Instructions::default());
    }
    let orders = &mut battle.secrets.get_mut(Side::Union).open_mut().orders;
    orders.values_mut().for_each(|orders| orders.by_group = true);
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Charges);
    play.phase = 3;
    phases::reveal::play(&mut play);
    let groups = charge::declare::list(&play);
    assert_eq!(groups.len(), 1);
    assert_eq!((groups[0].point, groups[0].supports.clone()), (ix(play.table(), "a"), vec![ix(play.table(), "f")]));
}

#[test]
fn tac_35_the_enemy_foresees_one_charge() {
    let mut battle = testing::battle(column(&["a", "b"], vec![enemy("e", 30_000, 37_000)]));
    for id in ["a", "b"] {
        testing::give(&mut battle, id, charge_at("e"), Instructions::default());
    }
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Charges);
    play.phase = 3;
    phases::reveal::play(&mut play);
    let known = known(&play.battle, Side::Confederate);
    let field = Field::before_dice(Ruleset::standard(), &known.table);
    let coming = prospect::coming(&field, Side::Confederate);
    assert_eq!(coming.iter().map(|coming| coming.point).collect::<Vec<_>>(), [ix(&known.table, "a")]);
}
