use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::ids::BySide;

use super::*;
use crate::battle::{Battle, CommandLosses, Theatre};
use crate::ruleset::Ruleset;
use crate::setup::{self, Seating};

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
