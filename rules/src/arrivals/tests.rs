use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::ids::{BySide, SeatId};
use protocol::orders::{Draft, MoveOrder, Order, Stage, UnitDraft};
use protocol::place::Point;
use protocol::view::Viewer;

use super::*;
use crate::battle::{Battle, CommandLosses, Theatre, known};
use crate::dice::{KeyedDice, TurnSeed};
use crate::ruleset::Ruleset;
use crate::setup::{self, Seating};
use crate::{orders, stage, view};

fn little_round_top() -> Battle {
    let text = include_str!("../../../scenarios/little_round_top.toml");
    let theatre = Theatre::new(Arc::new(crate::scenario::read(text).unwrap()));
    setup::start(&theatre, Ruleset::standard(), &Seating::one_each(), &BTreeSet::new(), &BySide::default())
}

fn at_the_door(table: &Table, side: Side) -> Vec<String> {
    let due = due(table, side);
    let units = due.iter().flat_map(|due| due.units.iter().map(|unit| table[*unit].id.to_string()));
    units.chain(due.iter().flat_map(|due| due.leaders.iter().map(LeaderId::to_string))).collect()
}

#[test]
fn scn_11_who_stands_at_the_door_by_turn_in_the_order_of_the_list() {
    let mut table = little_round_top().table;
    let mut by_turn = Vec::new();
    for turn in 1..=5 {
        table.turn = turn;
        by_turn.push(at_the_door(&table, Side::Union));
    }
    assert_eq!(by_turn[0], Vec::<String>::new());
    assert_eq!(by_turn[1], ["d5us"]);
    assert_eq!(by_turn[2], ["d5us", "ny140"], "whoever waits is at the door still");
    assert_eq!(by_turn[3], ["d5us", "ny140", "ny146", "pa91", "weed"]);
    assert_eq!(by_turn[4], ["d5us", "ny140", "ny146", "pa91", "pa155", "weed"]);
}

#[test]
fn scn_15_units_of_a_brigade_that_must_withdraw_do_not_enter() {
    let mut table = little_round_top().table;
    table.turn = 4;
    table.losses.insert(LeaderId::new("sheffield"), CommandLosses { commanders_killed: 0, level: 60 });
    assert_eq!(at_the_door(&table, Side::Confederate), Vec::<String>::new());
}

fn told(unit: &str, order: Order) -> Draft {
    let mut draft = Draft::default();
    draft.units.insert(UnitId::new(unit), UnitDraft { order: Some(order), ..UnitDraft::default() });
    draft
}

fn march(path: &[(i32, i32)]) -> Order {
    let path = path.iter().map(|(x, y)| Point::new(*x, *y)).collect();
    Order::Move(MoveOrder { path, ..MoveOrder::default() })
}

fn union_seat(battle: &Battle) -> SeatId {
    battle.table[battle.table.find(&UnitId::new("d5us")).unwrap()].seat.clone()
}

#[test]
fn scn_11_who_stands_at_the_door_may_be_told_to_move_or_to_wait() {
    let mut battle = little_round_top();
    let seat = union_seat(&battle);
    let refused = |battle: &Battle, unit: &str, order: Order| -> Vec<String> {
        let draft = told(unit, order);
        let found = orders::check(&known(battle, Side::Union), Ruleset::standard(), &seat, Stage::Orders, &draft);
        found.into_iter().map(|refusal| refusal.rule.to_string()).collect()
    };
    assert_eq!(refused(&battle, "d5us", Order::Hold { task: None }), ["ORD-01"], "not yet at the door");
    battle.table.turn = 2;
    assert_eq!(refused(&battle, "d5us", Order::Hold { task: None }), Vec::<String>::new());
    assert_eq!(refused(&battle, "d5us", march(&[(40_000, 30_000)])), Vec::<String>::new());
    assert_eq!(refused(&battle, "d5us", Order::FirstFire {}), ["SCN-11"]);
    assert_eq!(refused(&battle, "ny140", Order::Hold { task: None }), ["ORD-01"]);
}

#[test]
fn scn_11_its_owner_alone_sees_where_it_will_come_in() {
    let mut battle = little_round_top();
    battle.table.turn = 2;
    let of = |side: Side| {
        let viewer = Viewer::Seat { side, seat: union_seat(&battle) };
        view::view(Ruleset::standard(), &battle, Stage::Orders, &viewer).units
    };
    let door = |id: &str| {
        let unit = of(Side::Union).into_iter().find(|unit| unit.id.as_str() == id);
        unit.and_then(|unit| unit.own).and_then(|own| own.at_door).map(|stance| stance.anchor)
    };
    // The place of the file, in inches: 41.2, 31.2.
    assert_eq!(door("d5us"), Some(Point::new(41_200, 31_200)));
    assert_eq!(door("ny140"), None, "it comes in turn 3");
    assert!(of(Side::Confederate).iter().all(|unit| unit.id.as_str() != "d5us"));
}

/// Turn 2 as the Union tells it: where Hazlett's battery is afterwards, and whether it stands where it came in.
fn after_turn_2(draft: Draft) -> (Presence, bool, Vec<String>) {
    let (rules, dice) = (Ruleset::standard(), KeyedDice::for_setup(&TurnSeed([7; 32]), "a game"));
    let mut battle = little_round_top();
    battle.table.turn = 2;
    let seat = union_seat(&battle);
    let mut halts = Vec::new();
    let mut envelopes = stage::Envelopes::from([(seat, draft)]);
    battle = stage::open(rules, battle, &dice).battle;
    for stage in Stage::ALL {
        let outcome = stage::resolve(rules, stage, battle, &std::mem::take(&mut envelopes), &dice);
        battle = outcome.battle;
        halts.extend(outcome.events.into_iter().filter_map(|event| match event.fact {
            Fact::Moved { unit, halted: Some(why), .. } if unit.as_str() == "d5us" => Some(why),
            _ => None,
        }));
    }
    let unit = battle.table.unit(&UnitId::new("d5us")).unwrap();
    (unit.presence, unit.footing.anchor == Point::new(41_200, 31_200), halts)
}

#[test]
fn scn_11_a_unit_at_the_door_waits_when_told_to_and_comes_in_without_a_word() {
    assert_eq!(after_turn_2(told("d5us", Order::Hold { task: None })).0, Presence::ToCome);
    let (presence, at_the_place_of_entry, _) = after_turn_2(Draft::default());
    assert_eq!((presence, at_the_place_of_entry), (Presence::Table, false), "one move long, out of the doorway");
}

#[test]
fn scn_15_who_comes_in_needs_no_commander_that_turn() {
    // Toward the enemy, over ground where limbered guns go: nobody stops it for being out of command (CMD-07).
    let (presence, _, halts) = after_turn_2(told("d5us", march(&[(40_200, 30_200)])));
    assert_eq!(presence, Presence::Table);
    assert!(!halts.iter().any(|why| why.contains("nearer")), "{halts:?}");
}
