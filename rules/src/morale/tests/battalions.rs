//! ARTY-14, MOR-64: gun battalions that take their checks as one. A veteran's base morale point is 3.

use super::*;
use crate::battle::{Stand, Theatre};
use crate::house::{ArtilleryChecks, Edition, HouseRules};
use crate::scenario::Scenario;
use crate::standing::standing;
use crate::testing::{self, Maker, battery, infantry, open_ground};
use protocol::words::{Formation, Quality};

/// Three batteries of a battalion, 1.9 inches apart, and an enemy ten inches before them, under a scenario's word. `b`, in the
/// middle, has lost one of its two sections.
fn battalion(checks: ArtilleryChecks, change: impl Fn(&str, Maker) -> Maker) -> Table {
    let guns = ["a", "b", "c"].into_iter().zip(0..).map(|(id, n): (&str, i32)| {
        let maker = battery(id, UNION).at(30_000 + n * 2_900, 30_000).with(|unit| {
            unit.brigade = Some("hunt".into());
            unit.first_casualty_taken = true;
            if id == "b" {
                unit.stands = vec![Stand { figures: 1, full: 2, loss_rank: 0 }];
            }
        });
        change(id, maker).unit()
    });
    let enemy = infantry("e", CONFEDERATE).at(32_900, 40_000).facing(18_000).unit();
    let house = HouseRules { artillery_checks: checks, ..HouseRules::default() };
    let edition = Edition::new(house, None).expect("the tables stay as they are");
    let scenario = Scenario { ground: open_ground(), edition, ..Scenario::default() };
    let mut table = Table::new(Theatre::new(std::sync::Arc::new(scenario)), guns.chain([enemy]).collect());
    // Their chief is far off.
    brigade(&mut table, "hunt", 2_000, 2_000);
    table.brigades.get_mut(&"hunt".into()).expect("it was just made").guns = true;
    table
}

/// `b` loses its section to the muskets of `e`.
fn section_lost(table: &Table) -> Vec<Happening> {
    vec![fired(FiredOn { figures: 1, stands: 1, ..fire(table, "b", "e") })]
}

fn morale_of(played: &Played) -> [Morale; 3] {
    ["a", "b", "c"].map(|id| played.unit(id).morale)
}

#[test]
fn arty_14_a_section_lost_counts_one_for_a_battalion_and_three_for_a_battery() {
    // 3 and 3 are 6: 5 fails. 3 and 1 are 4: 5 passes, and all three have checked.
    let alone = battalion(ArtilleryChecks::Battery, |_, maker| maker);
    let happened = section_lost(&alone);
    let played = play(alone, "morale.stand_lost b: 2 3\nshaken.distance b: 2", happened);
    assert_eq!(played.checks(), ["b stand lost: 5 on 6, fails, shaken"]);
    let rules: Vec<&str> = played.events[0].explanation.sums[0].terms.iter().map(|term| term.rule.as_str()).collect();
    assert_eq!(rules, ["MOR-41", "MOR-47"]);
    let table = battalion(ArtilleryChecks::Battalion, |_, maker| maker);
    let happened = section_lost(&table);
    let played = play(table, "morale.stand_lost a: 2 3", happened);
    assert_eq!(played.checks()[0], "a stand lost: 5 on 4, passes, good");
    assert_eq!(morale_of(&played), [Morale::Good; 3]);
    let notes = |event: &Event| event.explanation.notes.iter().any(|note| note.rule.as_str() == "MOR-64");
    assert_eq!(played.events.iter().filter(|event| notes(event)).count(), 3, "each battery is told of it");
    // One of them rolls by the rule that asked for the check, the others take part.
    let rules: Vec<&str> = played.events.iter().map(|event| event.rule.as_str()).collect();
    assert_eq!(rules[1..], ["MOR-64", "MOR-64"]);
    assert_ne!(rules[0], "MOR-64");
}

#[test]
fn mor_64_a_failure_shakes_all_of_them_and_each_falls_back_for_itself() {
    let table = battalion(ArtilleryChecks::Battalion, |_, maker| maker);
    let happened = section_lost(&table);
    let dice = "morale.stand_lost a: 2 2\nshaken.distance a: 1\nshaken.distance b: 2\nshaken.distance c: 3";
    let played = play(table, dice, happened);
    assert_eq!(morale_of(&played), [Morale::Shaken; 3]);
    let fell_back = played.events.iter().filter(|event| matches!(event.fact, Fact::FellBack { .. })).count();
    assert_eq!(fell_back, 3);
}

#[test]
fn mor_64_a_natural_2_routs_each_of_them() {
    let table = battalion(ArtilleryChecks::Battalion, |_, maker| maker);
    let happened = section_lost(&table);
    // Nobody else sees it: gunners mind no rout of guns of their own wave twice, and each run is told.
    let dice = ScriptedDice::parse(
        "morale.stand_lost a: 1 1\nrout.distance a: 4 4\nrout.distance b: 4 4\nrout.distance c: 4 4",
    )
    .expect("the dice of a test can be read");
    let played = play_with(7, table, &dice, |play| settle(play, happened));
    let routed = |unit: &str| played.unit(unit).morale == Morale::Routed || !played.unit(unit).on_table();
    assert!(["a", "b", "c"].into_iter().all(routed));
    assert_eq!(played.table.abandoned.len(), 3);
}

#[test]
fn mor_64_the_worst_state_counts_and_a_natural_12_makes_each_good() {
    // `c` is shaken, +2: 3 + 2 + 1 = 6, and 6 is not above it. `c`, shaken already, routs; the others are shaken.
    let shaken = |id: &str, maker: Maker| if id == "c" { maker.morale(Morale::Shaken) } else { maker };
    let table = battalion(ArtilleryChecks::Battalion, shaken);
    let happened = section_lost(&table);
    let dice = ScriptedDice::parse(
        "morale.stand_lost a: 3 3\nshaken.distance a: 1\nshaken.distance b: 1\nrout.distance c: 4 4\nmorale.saw_rout a c: 6 6\nmorale.saw_rout a c: 6 6",
    )
    .expect("the dice of a test can be read");
    let played = play_with(7, table, &dice, |play| settle(play, happened));
    assert_eq!(played.checks()[0], "a stand lost: 6 on 6, fails, shaken");
    let table = battalion(ArtilleryChecks::Battalion, shaken);
    let happened = section_lost(&table);
    let played = play(table, "morale.stand_lost a: 6 6", happened);
    assert_eq!(morale_of(&played), [Morale::Good; 3]);
}

#[test]
fn mor_64_the_base_point_of_most_of_them_counts() {
    let with = |qualities: [Quality; 3]| {
        let change = move |id: &str, maker: Maker| {
            let quality = match id {
                "a" => qualities[0],
                "b" => qualities[1],
                _ => qualities[2],
            };
            maker.quality(quality)
        };
        let table = battalion(ArtilleryChecks::Battalion, change);
        let happened = section_lost(&table);
        let played = play(table, "morale.stand_lost a: 6 5", happened);
        played.events[0].explanation.sums[0].total
    };
    use Quality::{Elite, Green, Veteran};
    // And one for the section. Two veterans of three: 3; of three different ones the highest: 4.
    assert_eq!([with([Elite, Veteran, Veteran]), with([Elite, Veteran, Green])], [4, 5]);
}

#[test]
fn mor_64_the_officer_of_one_helps_all_as_one_unit() {
    // An artillery officer of level 1 beside `c`, 3 inches from the battery that was hit: 3 + 1 - 1 = 3.
    let mut table = battalion(ArtilleryChecks::Battalion, |_, maker| maker);
    let mut chief = leader("chief", UNION, 35_800, 28_500);
    chief.arm = Some(protocol::words::Arm::Artillery);
    chief.marks.began_with.push("c".into());
    table.leaders.insert(chief.id.clone(), chief);
    let happened = section_lost(&table);
    let played = play(table, "morale.stand_lost a: 2 2", happened);
    assert_eq!(played.checks()[0], "a stand lost: 4 on 3, passes, good");
    // LEAD-07: it is on his list.
    assert_eq!(played.table.leaders[&protocol::ids::LeaderId::new("chief")].marks.helped.len(), 1);
}

#[test]
fn arty_14_fewer_than_three_in_action_within_the_gap_check_each_by_itself() {
    let alone = |change: fn(&str, Maker) -> Maker| {
        let table = battalion(ArtilleryChecks::Battalion, change);
        let happened = section_lost(&table);
        // 3 + 3 = 6.
        let played = play(table, "morale.stand_lost b: 6 5", happened);
        assert_eq!(played.checks(), ["b stand lost: 11 on 6, passes, good"]);
    };
    alone(|id, maker| if id == "c" { maker.formation(Formation::Limbered) } else { maker });
    alone(|id, maker| if id == "c" { maker.at(35_910, 30_000) } else { maker });
    alone(|id, maker| if id == "c" { maker.with(|unit| unit.brigade = Some("walker".into())) } else { maker });
}

#[test]
fn mor_64_a_battalion_that_is_hit_twice_checks_twice() {
    // Two fires that force a check, at `a` and at `b`.
    let table = battalion(ArtilleryChecks::Battalion, |_, maker| maker);
    let hit = |unit: &str| fired(FiredOn { forces_hit_check: true, starred: true, ..fire(&table, unit, "e") });
    let happened = vec![hit("a"), hit("b")];
    let played = play(table, "morale.hit a: 6 5\nmorale.hit a: 5 6", happened);
    // Each of the three is told of both.
    assert_eq!(played.checks().len(), 6, "{:?}", played.checks());
    assert_eq!(morale_of(&played), [Morale::Good; 3]);
}

#[test]
fn mor_64_how_a_battery_stands_is_reckoned_for_its_battalion() {
    // 3, and 1 for the section that b has lost: for each of the three, and so it is told.
    let battle = testing::battle(battalion(ArtilleryChecks::Battalion, |_, maker| maker));
    let known = crate::battle::known(&battle, UNION);
    for unit in ["a", "b", "c"] {
        let standing = standing(&known, Ruleset::standard(), Stage::Orders, &unit.into(), None).expect("it is there");
        assert_eq!(standing.point.total, 4, "{unit}");
        assert_eq!(standing.notes.iter().filter(|note| note.rule.as_str() == "MOR-64").count(), 1);
    }
    // Checking each by itself b has 3 for it, and the others nothing.
    let battle = testing::battle(battalion(ArtilleryChecks::Battery, |_, maker| maker));
    let known = crate::battle::known(&battle, UNION);
    let alone =
        |unit: &str| standing(&known, Ruleset::standard(), Stage::Orders, &unit.into(), None).expect("there").point;
    assert_eq!((alone("a").total, alone("b").total), (3, 6));
}
