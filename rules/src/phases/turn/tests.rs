use std::sync::Arc;

use protocol::ids::{LeaderId, UnitId};
use protocol::orders::{Instructions, Order, Stage};
use protocol::view::Presence;

use super::*;
use crate::battle::{Battle, Post, Theatre};
use crate::dice::ScriptedDice;
use crate::ruleset::Ruleset;
use crate::scenario::{Clock, Scenario};
use crate::testing;

fn two_sides(turns: u32) -> Battle {
    let scenario = Scenario {
        ground: testing::open_ground(),
        clock: Clock { date: String::new(), start: 0, turns },
        ..Scenario::default()
    };
    let units = vec![
        testing::infantry("me20", Side::Union).at(10_000, 10_000).unit(),
        testing::infantry("al15", Side::Confederate).at(10_000, 50_000).unit(),
    ];
    testing::battle(crate::battle::Table::new(Theatre::new(Arc::new(scenario)), units))
}

fn after(battle: Battle, step: fn(&mut Play<'_>)) -> (Battle, Vec<String>) {
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 9;
    step(&mut play);
    dice.finish().unwrap();
    let told = play.events.iter().map(|event| format!("{}: {}", event.rule, event.explanation.sentence)).collect();
    (play.battle, told)
}

#[test]
fn ord_14_turns_of_charging_run_on_and_break_off() {
    let mut battle = two_sides(9);
    let unit = testing::ix(&battle.table, "me20");
    for (charged, expected) in [(true, 1), (true, 2), (false, 0), (true, 1)] {
        battle.table[unit].marks.charged = charged;
        battle = after(battle, end).0;
        assert_eq!(battle.table[unit].carried.charge_turns, expected);
    }
}

#[test]
fn dis_14_turns_of_disengaging_run_on_and_break_off() {
    let mut battle = two_sides(9);
    let unit = testing::ix(&battle.table, "me20");
    for (shown, expected) in [(Some(OrderShown::Disengage {}), 1), (Some(OrderShown::Disengage {}), 2), (None, 0)] {
        battle.table[unit].marks.shown = shown;
        battle = after(battle, end).0;
        assert_eq!(battle.table[unit].carried.disengage_turns, expected);
    }
}

#[test]
fn scns_03_turns_held_are_whole_turns_without_a_move() {
    let mut battle = two_sides(9);
    let unit = testing::ix(&battle.table, "me20");
    for (moved, expected) in [(false, 1), (false, 2), (true, 0), (false, 1)] {
        battle.table[unit].marks.moved = moved;
        battle = after(battle, end).0;
        assert_eq!(battle.table[unit].carried.held_turns, expected);
    }
}

#[test]
fn turn_01_the_end_clears_marks_and_orders_and_passes_on() {
    let mut battle = two_sides(9);
    let unit = testing::ix(&battle.table, "me20");
    battle.table[unit].marks.moved = true;
    battle.table[unit].marks.in_melee = true;
    testing::give(&mut battle, "me20", Order::FirstFire {}, Instructions::default());
    let (battle, told) = after(battle, end);
    assert_eq!(told, Vec::<String>::new());
    assert_eq!(battle.table.turn, 2);
    assert!(!battle.table[unit].marks.moved && battle.table[unit].carried.melee_last_turn);
    assert!(battle.secrets.get(Side::Union).open().orders.is_empty());
}

#[test]
fn scn_03_the_battle_ends_after_its_last_turn() {
    let (battle, told) = after(two_sides(1), end);
    assert_eq!(told, ["SCN-03: The last turn has been played. It is a draw, 0 to 0."]);
    assert_eq!((battle.table.ended.unwrap().winner, battle.table.turn), (None, 1));
}

#[test]
fn scn_03_a_side_without_troops_ends_it_one_with_troops_to_come_does_not() {
    let mut battle = two_sides(9);
    let unit = testing::ix(&battle.table, "al15");
    battle.table[unit].presence = Presence::ToCome;
    let (mut battle, _) = after(battle, end);
    assert!(battle.table.ended.is_none());
    battle.table[unit].presence = Presence::Removed;
    let (battle, told) = after(battle, end);
    assert!(battle.table.ended.is_some());
    assert_eq!(told, ["SCN-03: The Confederate has no unrouted unit left and none to come. It is a draw, 0 to 0."]);
}

fn brigade() -> Battle {
    let mut battle = two_sides(9);
    let unit = testing::ix(&battle.table, "me20");
    battle.table[unit].brigade = Some(BrigadeId::new("vincent"));
    testing::commander(&mut battle.table, "vincent", Post::Brigade, (10_000, 8_000), None);
    battle.table.turn = 2;
    battle
}

#[test]
fn cmd_06_marks_are_made_at_the_start_and_only_changes_are_told() {
    let mut battle = brigade();
    let unit = testing::ix(&battle.table, "me20");
    let (next, told) = after(battle, begin);
    battle = next;
    assert!(battle.table[unit].marks.in_command);
    // The enemy regiment has no commander at all, which is no lack.
    assert_eq!(told, Vec::<String>::new());
    battle.table[unit].footing.anchor.y = 40_000;
    let (mut battle, told) = after(battle, begin);
    assert!(!battle.table[unit].marks.in_command);
    assert_eq!(told, ["CMD-01: me20 is out of command: too far from its commanders, and on no chain to them."]);
    battle.table[unit].footing.anchor.y = 10_000;
    let (battle, told) = after(battle, begin);
    assert!(battle.table[unit].marks.in_command);
    assert_eq!(told, ["CMD-01: me20 is in command: it stands within the radius of vincent."]);
}

#[test]
fn off_11_the_wounded_come_back_before_orders_are_marked() {
    let mut battle = brigade();
    battle.table.leaders.get_mut(&LeaderId::new("vincent")).unwrap().wounded_until = Some(3);
    let unit = testing::ix(&battle.table, "me20");
    let (mut battle, _) = after(battle, begin);
    assert!(!battle.table[unit].marks.in_command, "turn 2: still wounded");
    battle.table.turn = 3;
    let (battle, _) = after(battle, begin);
    assert!(battle.table[unit].marks.in_command);
}

#[test]
fn mor_32_a_regiment_lost_counts_from_the_next_turn() {
    let mut battle = brigade();
    let lost = testing::infantry("pa83", Side::Union).with(|unit| {
        unit.brigade = Some(BrigadeId::new("vincent"));
        unit.presence = Presence::Removed;
    });
    battle.table.insert(lost.unit());
    assert_eq!(battle.table.brigades[&BrigadeId::new("vincent")].regiments_lost_before, 0);
    let (battle, _) = after(battle, begin);
    assert_eq!(battle.table.brigades[&BrigadeId::new("vincent")].regiments_lost_before, 1);
    assert!(battle.table.unit(&UnitId::new("pa83")).is_some());
}

#[test]
fn cmd_06_a_battle_that_is_set_up_has_the_marks_of_turn_1() {
    let text = include_str!("../../../../scenarios/little_round_top.toml");
    let theatre = Theatre::new(Arc::new(crate::scenario::read(text).unwrap()));
    let (seating, off) = (crate::setup::Seating::one_each(), std::collections::BTreeSet::new());
    let sealed = protocol::ids::BySide::default();
    let battle = crate::setup::start(&theatre, Ruleset::standard(), &seating, &off, &sealed);
    let marks = |battle: &Battle| -> Vec<(String, bool)> {
        battle.table.units().map(|(_, unit)| (unit.id.to_string(), unit.marks.in_command)).collect()
    };
    // The opening of the turn makes the same marks again, with their events.
    assert_eq!(marks(&after(battle.clone(), begin).0), marks(&battle));
    assert!(marks(&battle).iter().any(|(_, in_command)| *in_command), "{:?}", marks(&battle));
}

#[test]
fn cover_12_a_new_turn_begins_with_no_losses_in_a_building() {
    let mut battle = two_sides(3);
    battle.table.building_losses.insert("house".into(), 1);
    assert!(after(battle, end).0.table.building_losses.is_empty());
}

#[test]
fn arty_55_guns_of_a_fort_are_silent_in_the_turn_after_a_shot() {
    for (weapon, silent) in [("fort_smooth_32", [1, 0, 1]), ("siege_parrott_30", [0; 3]), ("napoleon_12", [0; 3])] {
        let guns = testing::battery("a", Side::Union).weapon(weapon).at(20_000, 20_000);
        let mut battle = testing::battle(testing::table(testing::open_ground(), [guns]));
        let ix = testing::ix(&battle.table, "a");
        for (fires, silent) in [1, 0, 1].into_iter().zip(silent) {
            battle.table[ix].marks.fires = fires;
            battle = after(battle, end).0;
            assert_eq!(battle.table[ix].carried.silent_turns, silent, "{weapon}");
        }
    }
}
