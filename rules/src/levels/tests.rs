use protocol::ids::{BrigadeId, Side};

use super::*;
use crate::battle::CommandLosses;
use crate::testing;

/// A division under a general with brigades of so many regiments; units are called by brigade and number.
fn division(brigades: &[(&str, u32)], lost: &[&str]) -> Table {
    let units =
        brigades.iter().flat_map(|(brigade, count)| (0..*count).map(move |n| (*brigade, format!("{brigade}{n}"))));
    let makers = units.map(|(brigade, id)| {
        testing::infantry(&id, Side::Union).at(10_000, 10_000).with(|unit| {
            unit.brigade = Some(BrigadeId::new(brigade));
            if lost.contains(&unit.id.as_str()) {
                unit.presence = Presence::Removed;
            }
        })
    });
    let mut table = testing::table(testing::open_ground(), makers);
    testing::commander(&mut table, "general", Post::Division, (5_000, 5_000), None);
    for (brigade, _) in brigades {
        testing::commander(&mut table, brigade, Post::Brigade, (9_000, 9_000), Some("general"));
    }
    table
}

fn of(table: &Table, post: &str) -> Points {
    points(Ruleset::standard(), table, &LeaderId::new(post))
}

#[test]
fn lvl_01_a_brigade_of_a_general_and_five_regiments_is_12_points() {
    let table = division(&[("a", 5)], &[]);
    assert_eq!(of(&table, "a"), Points { total: 12, lost: 0 });
}

#[test]
fn lvl_01_a_division_of_its_general_three_such_brigades_and_a_gun_battalion_is_50() {
    let mut table = division(&[("a", 5), ("b", 5), ("c", 5), ("guns", 0)], &[]);
    for n in 0..4 {
        let battery = testing::battery(&format!("battery{n}"), Side::Union);
        table.insert(battery.with(|unit| unit.brigade = Some(BrigadeId::new("guns"))).unit());
    }
    assert_eq!(of(&table, "guns"), Points { total: 10, lost: 0 });
    assert_eq!(of(&table, "general"), Points { total: 50, lost: 0 });
}

#[test]
fn lvl_03_limits_are_rounded_to_the_nearest_point() {
    for (total, forty, sixty) in [(12, 5, 7), (50, 20, 30), (10, 4, 6)] {
        let points = Points { total, lost: 0 };
        assert_eq!((points.limit(40), points.limit(60)), (forty, sixty), "{total}");
    }
    let rules = Ruleset::standard();
    let level = |total, lost| Points { total, lost }.level(rules);
    assert_eq!([level(12, 4), level(12, 6), level(12, 7), level(12, 12)], [0, 40, 60, 60]);
    assert_eq!(level(0, 0), 0);
}

#[test]
fn lvl_06_a_brigade_at_its_limit_leaves_its_division_unaffected() {
    let mut table = division(&[("a", 5), ("b", 5), ("c", 5)], &["a0", "a1", "a2"]);
    assert_eq!(of(&table, "a"), Points { total: 12, lost: 6 });
    table.losses.insert(LeaderId::new("a"), CommandLosses { commanders_killed: 0, level: 40 });
    let bound = |table: &Table, unit: &str| binding(table, table.unit(&unit.into()).unwrap());
    assert_eq!((bound(&table, "a3"), bound(&table, "b0")), (40, 0));
    table.losses.insert(LeaderId::new("general"), CommandLosses { commanders_killed: 0, level: 60 });
    assert_eq!((bound(&table, "a3"), bound(&table, "b0")), (60, 60));
}

#[test]
fn lvl_07_commander_and_replacement_both_killed_are_4_points_at_every_level() {
    let mut table = division(&[("a", 5)], &[]);
    table.losses.insert(LeaderId::new("a"), CommandLosses { commanders_killed: 2, level: 0 });
    assert_eq!((of(&table, "a").lost, of(&table, "general").lost), (4, 4));
}

#[test]
fn lvl_08_a_limit_is_looked_up_at_the_start_of_the_turn_and_told_once() {
    let dice = crate::dice::ScriptedDice::new();
    let table = division(&[("a", 5)], &["a0", "a1", "a2"]);
    let battle = testing::battle(table);
    let mut play = Play::new(Ruleset::standard(), &dice, battle, protocol::orders::Stage::Movement);
    mark(&mut play);
    mark(&mut play);
    // 6 of 12 for the brigade, 6 of 16 for the division, whose limit is 6.
    let told: Vec<(String, String)> =
        play.events.iter().map(|event| (format!("{:?}", event.fact), event.explanation.sentence.clone())).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[0].1, "the brigade of a can advance no more: 6 of 12 command points are lost, the limit is 5.");
    assert_eq!(play.events[0].explanation.sums[0].total, 6);
    assert_eq!(play.table().brigades[&BrigadeId::new("a")].level, 40);
    dice.finish().unwrap();
}

#[test]
fn lvl_04_and_lvl_07_a_limit_names_its_rule_and_what_was_lost() {
    // Two commanders of a brigade of 12 points killed are 4 points; a regiment, 2 more: 6, over the limit of 5.
    let marked = |lost: &[&str], killed: u32| {
        let dice = crate::dice::ScriptedDice::new();
        let mut table = division(&[("a", 5)], lost);
        table.losses.insert(LeaderId::new("a"), CommandLosses { commanders_killed: killed, level: 0 });
        let mut play = Play::new(Ruleset::standard(), &dice, testing::battle(table), protocol::orders::Stage::Movement);
        mark(&mut play);
        let event = &play.events[0];
        let terms = event.explanation.sums[0].terms.iter().map(|term| (term.rule.to_string(), term.value)).collect();
        (event.rule, terms)
    };
    let term = |rule: &str, value: i32| (rule.to_owned(), value);
    let forty: (crate::catalogue::RuleId, Vec<(String, i32)>) = marked(&["a0"], 2);
    assert_eq!(forty, (LVL_04, vec![term("LVL-02", 2), term("LVL-07", 4)]));
    // Three regiments and a commander are 8: over the limit of 7.
    let sixty: (crate::catalogue::RuleId, Vec<(String, i32)>) = marked(&["a0", "a1", "a2"], 1);
    let regiment = || term("LVL-02", 2);
    assert_eq!(sixty, (LVL_05, vec![regiment(), regiment(), regiment(), regiment()]));
}

#[test]
fn lvl_02_units_lost_and_leaders_killed_count_in_every_formation_above_them() {
    let mut table = division(&[("a", 5), ("b", 5)], &["a0", "a1"]);
    table.losses.insert(LeaderId::new("a"), CommandLosses { commanders_killed: 1, level: 0 });
    // Two regiments and the commander, 2 each; the other brigade has lost nothing.
    assert_eq!((of(&table, "a").lost, of(&table, "b").lost, of(&table, "general").lost), (6, 0, 6));
    table.losses.insert(LeaderId::new("general"), CommandLosses { commanders_killed: 1, level: 0 });
    assert_eq!((of(&table, "a").lost, of(&table, "general").lost), (6, 10), "LVL-01: a division commander is 4");
}

#[test]
fn lvl_02_the_wounded_and_those_who_left_in_good_order_are_not_lost() {
    let mut table = division(&[("a", 5)], &[]);
    let before = of(&table, "general");
    table.leaders.values_mut().for_each(|leader| leader.wounded_until = Some(3));
    for (_, unit) in table.all_units_mut() {
        unit.presence = Presence::Left;
    }
    assert_eq!(of(&table, "general"), before);
    // Reinforcements still to come are in the total: a general of 4, a brigade of 12.
    for (_, unit) in table.all_units_mut() {
        unit.presence = Presence::ToCome;
    }
    assert_eq!(of(&table, "general"), Points { total: 16, lost: 0 });
}
