use protocol::ids::{BrigadeId, LeaderId, Side};
use protocol::orders::Stage;
use protocol::place::Point;

use super::*;
use crate::battle::{Battle, Table};
use crate::command::{self, Link};
use crate::dice::ScriptedDice;
use crate::field::Field;
use crate::testing;

/// A brigade of one regiment in turn 5 whose commander came so near to the enemy, thousandths of an inch; the enemy has gone.
fn table(closest: Option<i32>) -> Battle {
    let regiment = testing::infantry("me20", Side::Union).at(10_000, 50_000);
    let mut table =
        testing::table(testing::open_ground(), [regiment.with(|unit| unit.brigade = Some(BrigadeId::new("vincent")))]);
    testing::commander(&mut table, "vincent", Post::Brigade, (50_000, 10_000), None);
    table.turn = 5;
    table.leaders.get_mut(&LeaderId::new("vincent")).unwrap().marks.closest_enemy = closest;
    testing::battle(table)
}

fn told(dice: &ScriptedDice, battle: Battle) -> (Vec<String>, Battle) {
    let mut stage = Play::new(Ruleset::standard(), dice, battle, Stage::Movement);
    stage.phase = 9;
    super::play(&mut stage);
    let told = stage.events.iter().map(|event| format!("{}: {}", event.rule, event.explanation.sentence)).collect();
    (told, stage.battle)
}

const VINCENT: &[&str] = &["vincent"];

fn hit(faces: &[u8]) -> ScriptedDice {
    ScriptedDice::new().with(Purpose::OfficerHit, VINCENT, faces)
}

#[test]
fn off_03_beyond_twelve_inches_no_die_is_thrown() {
    for closest in [None, Some(12_003)] {
        let dice = ScriptedDice::new();
        assert_eq!(told(&dice, table(closest)).0, Vec::<String>::new());
        dice.finish().unwrap();
    }
}

#[test]
fn off_04_within_twelve_inches_only_a_12_hits() {
    for (closest, faces, expected) in [
        (12_000, [6, 5], "OFF-04: vincent was within 12 inches of the enemy and is not hit."),
        (2_003, [5, 6], "OFF-04: vincent was within 12 inches of the enemy and is not hit."),
    ] {
        let dice = hit(&faces);
        assert_eq!(told(&dice, table(Some(closest))).0, [expected]);
        dice.finish().unwrap();
    }
    let dice = hit(&[6, 6]).with(Purpose::OfficerOutcome, VINCENT, &[1]);
    assert_eq!(
        told(&dice, table(Some(12_000))).0,
        [
            "OFF-04: vincent was within 12 inches of the enemy and is hit.",
            "OFF-10: vincent has a minor wound and is back in turn 7.",
        ]
    );
    dice.finish().unwrap();
}

#[test]
fn off_05_within_two_inches_a_6_hits() {
    for (face, hits) in [(5, false), (6, true)] {
        let mut dice = hit(&[face]);
        if hits {
            dice = dice.with(Purpose::OfficerOutcome, VINCENT, &[4]);
        }
        assert_eq!(told(&dice, table(Some(2_000))).0.len(), 1 + usize::from(hits));
        dice.finish().unwrap();
    }
}

#[test]
fn off_06_in_a_melee_5_or_6_hits_and_only_the_worst_case_is_rolled() {
    for (face, hits) in [(4, false), (5, true), (6, true)] {
        let mut battle = table(Some(0));
        battle.table.leaders.get_mut(&LeaderId::new("vincent")).unwrap().marks.in_melee = true;
        let mut dice = hit(&[face]);
        if hits {
            dice = dice.with(Purpose::OfficerOutcome, VINCENT, &[1]);
        }
        let (told, _) = told(&dice, battle);
        assert_eq!(told.len(), 1 + usize::from(hits), "{told:?}");
        assert!(told[0].starts_with("OFF-06"), "{told:?}");
        dice.finish().unwrap();
    }
}

#[test]
fn off_02_the_danger_of_a_unit_he_helped_is_his() {
    let mut battle = table(None);
    let regiment = testing::ix(&battle.table, "me20");
    battle.table[regiment].marks.closest_enemy = Some(1_500);
    let leader = battle.table.leaders.get_mut(&LeaderId::new("vincent")).unwrap();
    leader.marks.helped_in_turn.push("me20".into());
    let dice = hit(&[3]);
    assert_eq!(told(&dice, battle).0, ["OFF-05: vincent was within 2 inches of the enemy and is not hit."]);
    dice.finish().unwrap();
}

#[test]
fn off_01_the_wounded_are_not_tested() {
    let mut battle = table(Some(0));
    battle.table.leaders.get_mut(&LeaderId::new("vincent")).unwrap().wounded_until = Some(7);
    let dice = ScriptedDice::new();
    assert_eq!(told(&dice, battle).0, Vec::<String>::new());
}

#[test]
fn off_11_a_serious_wound_in_turn_5_is_over_for_the_marking_of_turn_8() {
    let dice = hit(&[6]).with(Purpose::OfficerOutcome, VINCENT, &[2]);
    let (_, battle) = told(&dice, table(Some(1_000)));
    let leader = &battle.table.leaders[&LeaderId::new("vincent")];
    assert_eq!((leader.wounded_until, leader.lost_in), (Some(8), None));
    assert!(!battle.table.brigades[&BrigadeId::new("vincent")].commander_lost, "MOR-48: a wound is not a loss");
}

#[test]
fn off_12_a_dead_brigade_commander_is_off_the_table_and_counts() {
    let dice = hit(&[6]).with(Purpose::OfficerOutcome, VINCENT, &[6]);
    let (told, battle) = told(&dice, table(Some(1_000)));
    assert_eq!(told[1], "OFF-10: vincent is dead.");
    let leader = &battle.table.leaders[&LeaderId::new("vincent")];
    assert_eq!((leader.lost_in, leader.presence, leader.wounded_until), (Some(5), Presence::Removed, None));
    assert_eq!(battle.table.losses[&LeaderId::new("vincent")].commanders_killed, 1);
    assert!(battle.table.brigades[&BrigadeId::new("vincent")].commander_lost);
}

#[test]
fn off_08_nobodys_fate_depends_on_the_order_of_two_who_are_hit() {
    // Both are hit; the sightings come between the hits and the outcomes, and each die has its own key.
    let mut battle = table(Some(1_000));
    testing::commander(&mut battle.table, "weed", Post::Brigade, (40_000, 10_000), None);
    battle.table.leaders.get_mut(&LeaderId::new("weed")).unwrap().marks.closest_enemy = Some(1_000);
    let dice = hit(&[6]).with(Purpose::OfficerHit, &["weed"], &[6]).with(Purpose::OfficerOutcome, VINCENT, &[6]).with(
        Purpose::OfficerOutcome,
        &["weed"],
        &[1],
    );
    let (told, _) = told(&dice, battle);
    let rules: Vec<&str> = told.iter().map(|line| &line[..6]).collect();
    assert_eq!(rules, ["OFF-05", "OFF-05", "OFF-10", "OFF-10"]);
    dice.finish().unwrap();
}

#[test]
fn off_13_the_death_of_a_division_commander_leaves_command_as_it_is() {
    // The regiment stands 40 inches from its brigade commander, and beside its division commander, who falls.
    let mut battle = table(None);
    testing::commander(&mut battle.table, "law", Post::Division, (10_000, 48_000), None);
    battle.table.leaders.get_mut(&LeaderId::new("vincent")).unwrap().superior = Some(LeaderId::new("law"));
    battle.table.leaders.get_mut(&LeaderId::new("law")).unwrap().marks.closest_enemy = Some(1_000);
    let unit = testing::ix(&battle.table, "me20");
    let link = |table: &Table| command::link(&Field::before_dice(Ruleset::standard(), table), unit);
    assert_eq!(link(&battle.table), Link::Direct(LeaderId::new("law")));
    let dice = ScriptedDice::new()
        .with(Purpose::OfficerHit, &["law"], &[6])
        .with(Purpose::MoraleSawOfficer, &["me20", "law"], &[5, 5])
        .with(Purpose::OfficerOutcome, &["law"], &[4]);
    let (told, mut after) = told(&dice, battle);
    dice.finish().unwrap();
    assert_eq!(told.last().unwrap(), "OFF-10: law is dead.");
    // For this turn nothing changes; his brigade still has its commander, and the regiment needs him from the next on.
    assert!(after.table[unit].marks.in_command);
    assert!(!after.table.brigades[&BrigadeId::new("vincent")].commander_lost);
    assert_eq!(after.table.losses[&LeaderId::new("law")].commanders_killed, 1);
    assert_eq!(link(&after.table), Link::TooFar);
    after.table.leaders.get_mut(&LeaderId::new("vincent")).unwrap().at = Point::new(10_000, 45_000);
    assert_eq!(link(&after.table), Link::Direct(LeaderId::new("vincent")));
}
