//! MOR-03 to MOR-19, MOR-30, MOR-31, MOR-40: the checks of one unit.

use super::*;
use crate::battle::Stand;
use crate::ground::{Ground, Obstacle, ObstacleKind};
use crate::morale::{InCharge, settle_in_charge};
use crate::testing::{Maker, battery, infantry, open_ground, table};
use protocol::event::FlankClass;

/// A Union regiment `a` at (30, 30), and a Confederate battery `guns` 20 inches north of it, in the open.
fn duel(a: Maker) -> Table {
    table(open_ground(), [a.at(30_000, 30_000), battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000)])
}

fn veteran() -> Maker {
    infantry("a", UNION).with(|unit| unit.first_casualty_taken = true)
}

/// A check at the given BMP with that throw: passed or not.
fn passes_at(bmp: i32, dice: &str) -> bool {
    let table = duel(veteran().with(|unit| unit.bmp = Some(bmp)));
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
    // A fail costs a fall-back or a run as well.
    let more = "shaken.distance a: 1\nrout.distance a: 1 1 1";
    let dice = ScriptedDice::parse(&format!("morale.hit a: {dice}\n{more}")).unwrap();
    let played = play_with(7, table, &dice, |play| settle(play, vec![fired(hit)]));
    played.events.iter().any(|event| matches!(event.fact, Fact::MoraleCheck { passed: true, .. }))
}

#[test]
fn mor_03_only_a_throw_above_the_point_passes() {
    assert!(!passes_at(7, "3 4"));
    assert!(passes_at(7, "4 4"));
    assert!(!passes_at(3, "1 2"));
    assert!(passes_at(3, "1 3"));
}

#[test]
fn mor_04_a_hopeless_and_a_certain_check_are_thrown() {
    assert!(!passes_at(12, "5 6"));
    assert!(passes_at(12, "6 6"));
    assert!(passes_at(-3, "1 2"));
    assert!(!passes_at(-3, "1 1"));
}

#[test]
fn mor_05_a_natural_12_rallies_to_good() {
    let table = duel(veteran().morale(Morale::Routed));
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
    let played = play(table, "morale.hit a: 6 6", vec![fired(hit)]);
    assert_eq!(played.log(), ["a hit by artillery or sharpshooters: 12 on 7, passes, good"]);
    assert_eq!(played.unit("a").morale, Morale::Good);
}

#[test]
fn mor_06_a_natural_2_routs_a_good_unit() {
    let table = duel(veteran().with(|unit| unit.bmp = Some(0)));
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
    let played = play(table, "morale.hit a: 1 1\nrout.distance a: 1 2 3", vec![fired(hit)]);
    assert_eq!(played.log(), ["a hit by artillery or sharpshooters: 2 on 0, fails, routed", "a runs 6000"]);
}

#[test]
fn mor_07_a_routed_unit_that_throws_2_is_picked_up() {
    let table = duel(veteran().morale(Morale::Routed).with(|unit| unit.bmp = Some(-9)));
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
    let played = play(table, "morale.hit a: 1 1", vec![fired(hit)]);
    assert_eq!(played.log(), ["a hit by artillery or sharpshooters: 2 on -5, fails, routed", "a picked up"]);
}

#[test]
fn mor_09_first_casualty_then_hit_from_the_state_that_it_left() {
    let table = duel(infantry("a", UNION));
    let hit = FiredOn { forces_hit_check: true, figures: 2, first_casualty: true, ..fire(&table, "a", "guns") };
    let dice = "morale.first_casualty a: 1 2\nmorale.hit a: 3 4\nrout.distance a: 1 1 2";
    let played = play(table, dice, vec![fired(hit)]);
    let expected =
        ["a first casualty: 3 on 3, fails, shaken", "a hit by artillery or sharpshooters: 7 on 7, fails, routed"];
    assert_eq!(played.checks(), expected);
    // MOR-35: one move, for the state in which it ends.
    assert_eq!(played.log()[2..], ["a runs 4000"]);
}

#[test]
fn mor_10_and_11_one_first_casualty_check_which_sets_the_flag() {
    let table = duel(infantry("a", UNION));
    let first = FiredOn { figures: 2, first_casualty: true, ..fire(&table, "a", "guns") };
    let played = play(table, "morale.first_casualty a: 4 4", vec![fired(first.clone()), fired(first)]);
    assert_eq!(played.log(), ["a first casualty: 8 on 3, passes, good"]);
    assert!(played.unit("a").first_casualty_taken);
    assert_eq!(played.unit("a").carried.checks_passed, 1);
}

#[test]
fn mor_12_and_13_the_figures_of_the_fire_weigh_in_the_hit_check_alone() {
    let mut table = duel(infantry("a", UNION).green().morale(Morale::Shaken).stands_left(3).with(|unit| {
        unit.brigade = Some("b".into());
        unit.first_casualty_taken = true;
    }));
    brigade(&mut table, "b", 5_000, 5_000);
    table.brigades.values_mut().for_each(|brigade| brigade.commander_lost = true);
    let hit = FiredOn { forces_hit_check: true, figures: 1, stands: 1, ..fire(&table, "a", "guns") };
    // MOR-31: 4+1+2+1 = 8; then routed, 4+1+4+3 = 12.
    let dice = "morale.hit a: 4 4\nmorale.stand_lost a: 5 6";
    let played = play(table, dice, vec![fired(hit)]);
    let expected = [
        "a hit by artillery or sharpshooters: 8 on 8, fails, routed",
        "a stand lost: 11 on 12, fails, routed",
        "a picked up",
    ];
    assert_eq!(played.log(), expected);
    assert_eq!(played.table.brigades.values().next().unwrap().regiments_lost_now, 1);
}

#[test]
fn mor_31_exactly_12_saves_and_rallies() {
    let table =
        duel(infantry("a", UNION).green().morale(Morale::Shaken).stands_left(3).with(|unit| unit.bmp = Some(5)));
    let hit = FiredOn { forces_hit_check: true, figures: 1, stands: 1, ..fire(&table, "a", "guns") };
    let played = play(table, "morale.hit a: 4 4\nmorale.stand_lost a: 6 6", vec![fired(hit)]);
    let expected =
        ["a hit by artillery or sharpshooters: 8 on 8, fails, routed", "a stand lost: 12 on 12, passes, good"];
    // MOR-35: it ends good, and so it stays where it is.
    assert_eq!(played.log(), expected);
    assert_eq!(played.unit("a").footing.anchor, Point::new(30_000, 30_000));
}

#[test]
fn mor_14_no_effect_of_musketry_but_its_losses() {
    let table = duel(veteran());
    let musketry = FiredOn { starred: true, ..fire(&table, "a", "guns") };
    assert!(play(table, "", vec![fired(musketry)]).log().is_empty());
}

#[test]
fn mor_15_hits_are_taken_from_the_lowest_point_up() {
    let table = table(
        open_ground(),
        [
            veteran().at(30_000, 30_000),
            battery("c1", CONFEDERATE).at(30_000, 50_000).facing(18_000),
            battery("c2", CONFEDERATE).at(33_000, 50_000).facing(18_000),
        ],
    );
    let heavy = FiredOn { forces_hit_check: true, figures: 3, ..fire(&table, "a", "c1") };
    let light = FiredOn { forces_hit_check: true, figures: 1, ..fire(&table, "a", "c2") };
    let expected = [
        "a hit by artillery or sharpshooters: 8 on 4, passes, good",
        "a hit by artillery or sharpshooters: 7 on 6, passes, good",
    ];
    for fires in [[heavy.clone(), light.clone()], [light, heavy]] {
        let played = play(table.clone(), "morale.hit a: 4 4 3 4", fires.into_iter().map(fired).collect());
        assert_eq!(played.log(), expected);
    }
}

#[test]
fn mor_17_each_stand_lost_counts_itself_and_those_before() {
    let table = duel(infantry("a", UNION).stands_left(2));
    let volley = FiredOn { figures: 8, stands: 2, first_casualty: true, ..fire(&table, "a", "guns") };
    let dice = "morale.first_casualty a: 2 2\nmorale.stand_lost a: 3 4 5 5";
    let played = play(table, dice, vec![fired(volley)]);
    let expected = [
        "a first casualty: 4 on 3, passes, good",
        "a stand lost: 7 on 6, passes, good",
        "a stand lost: 10 on 9, passes, good",
    ];
    assert_eq!(played.log(), expected);
}

#[test]
fn mor_18_a_horse_adds_nothing_and_a_section_adds_3() {
    let guns = battery("b", UNION).at(30_000, 30_000).with(|unit| {
        unit.stands = vec![Stand { figures: 1, full: 2, loss_rank: 0 }];
        unit.first_casualty_taken = true;
    });
    let table = table(open_ground(), [guns, battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000)]);
    let hit = FiredOn { forces_hit_check: true, figures: 1, horses: 1, ..fire(&table, "b", "guns") };
    let dice = "morale.hit b: 3 3\nmorale.horse b: 3 3\nmorale.stand_lost b: 4 4";
    let played = play(table, dice, vec![fired(hit)]);
    let expected = [
        "b hit by artillery or sharpshooters: 6 on 4, passes, good",
        "b horse lost: 6 on 3, passes, good",
        "b stand lost: 8 on 6, passes, good",
    ];
    assert_eq!(played.log(), expected);
}

#[test]
fn mor_19_a_unit_behind_the_target_checks_for_a_hit_only_if_it_lost_a_figure() {
    let table = duel(veteran());
    let passed_on = FiredOn { forces_hit_check: true, starred: true, behind_target: true, ..fire(&table, "a", "guns") };
    assert!(play(table, "", vec![fired(passed_on)]).log().is_empty());
}

#[test]
fn mor_30_flank_fire_counts_in_every_check_of_the_fire() {
    let table = duel(veteran().stands_left(3));
    let hit =
        FiredOn { forces_hit_check: true, figures: 1, stands: 1, flank: FlankClass::Full, ..fire(&table, "a", "guns") };
    let dice = "morale.hit a: 5 4\nmorale.stand_lost a: 5 6";
    let played = play(table, dice, vec![fired(hit)]);
    // 3+4+1 and 3+3+4.
    let expected =
        ["a hit by artillery or sharpshooters: 9 on 8, passes, good", "a stand lost: 11 on 10, passes, good"];
    assert_eq!(played.log(), expected);
}

#[test]
fn mor_40_shared_checks_take_the_worst_fire_that_cost_a_figure() {
    let table = duel(infantry("a", UNION));
    let front = FiredOn { figures: 1, first_casualty: true, ..fire(&table, "a", "guns") };
    let flank = FiredOn { figures: 1, flank: FlankClass::Partial, ..front.clone() };
    let harmless = FiredOn { figures: 0, first_casualty: false, flank: FlankClass::Rear, ..front.clone() };
    let fires = vec![fired(front), fired(flank), fired(harmless)];
    let played = play(table, "morale.first_casualty a: 3 3", fires);
    assert_eq!(played.log(), ["a first casualty: 6 on 5, passes, good"]);
}

#[test]
fn mor_37_a_second_check_of_a_kind_in_a_phase_takes_the_next_dice() {
    let table = duel(veteran());
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
    let dice = ScriptedDice::parse("morale.hit a: 2 2 3 3").unwrap();
    let played = play_with(7, table, &dice, |play| {
        settle(play, vec![fired(hit.clone())]);
        settle(play, vec![fired(hit)]);
    });
    assert_eq!(dice.finish(), Ok(()));
    let expected = [
        "a hit by artillery or sharpshooters: 4 on 3, passes, good",
        "a hit by artillery or sharpshooters: 6 on 3, passes, good",
    ];
    assert_eq!(played.log(), expected);
}

#[test]
fn mor_45_checks_of_a_melee_take_the_basic_modifiers_alone() {
    // Shaken, in disorder, forming, on Conditional Hold and taken in the rear: by fire that would be 3+2+1+6+2.
    let a = infantry("a", UNION).at(30_000, 30_000).disordered().morale(Morale::Shaken).with(|unit| {
        (unit.marks.forming, unit.marks.conditional_hold) = (true, true);
    });
    let units = [a, infantry("e", CONFEDERATE).at(30_000, 30_250).facing(18_000)];
    let wall = Obstacle {
        id: "o".into(),
        kind: ObstacleKind::StoneWall,
        line: vec![Point::new(25_000, 30_125), Point::new(35_000, 30_125)],
    };
    let table = table(Ground { obstacles: vec![wall], ..open_ground() }, units);
    let (a, e) = (of(&table, "a"), of(&table, "e"));
    let charge = InCharge { opponent: [(a, e), (e, a)].into(), melee: true, ..InCharge::default() };
    let loss = FiredOn {
        figures: 1,
        first_casualty: true,
        flank: FlankClass::Rear,
        forces_hit_check: false,
        ..fire(&table, "a", "e")
    };
    // Veteran 3, shaken 2, behind the wall against its opponent -1.
    let dice = ScriptedDice::parse("morale.first_casualty a: 2 3").unwrap();
    let played = play_with(6, table, &dice, |play| {
        settle_in_charge(play, vec![fired(loss)], &charge);
    });
    assert_eq!(dice.finish(), Ok(()));
    assert_eq!(played.log(), ["a first casualty: 5 on 4, passes, shaken"]);
}

#[test]
fn mor_61_a_unit_that_routs_is_free_of_the_fire_modifiers_from_its_next_check_on() {
    let table = duel(veteran().stands_left(3).morale(Morale::Shaken));
    let hit =
        FiredOn { forces_hit_check: true, figures: 1, stands: 1, flank: FlankClass::Full, ..fire(&table, "a", "guns") };
    // 3+2+4+1 = 10, then 3+4+3 = 10.
    let dice = "morale.hit a: 5 5\nmorale.stand_lost a: 5 6\nrout.distance a: 1 1 1";
    let played = play(table, dice, vec![fired(hit)]);
    let expected =
        ["a hit by artillery or sharpshooters: 10 on 10, fails, routed", "a stand lost: 11 on 10, passes, routed"];
    assert_eq!(played.checks(), expected);
}

#[test]
fn mor_03_a_player_can_add_the_check_up() {
    let table = duel(infantry("a", UNION).green().morale(Morale::Shaken).with(|unit| unit.first_casualty_taken = true));
    let hit = FiredOn { forces_hit_check: true, figures: 2, ..fire(&table, "a", "guns") };
    let played = play(table, "morale.hit a: 6 3", vec![fired(hit)]);
    let explanation = &played.events[0].explanation;
    assert_eq!(
        explanation.sentence,
        "a checks its morale for the hit it took by the fire of guns: it throws 9, must beat 8, and stays shaken."
    );
    let terms: Vec<(&str, &str, i32)> =
        explanation.sums[0].terms.iter().map(|term| (term.rule.as_str(), term.label.as_str(), term.value)).collect();
    let expected = [
        ("MOR-41", "green, base morale point", 4),
        ("MOR-46", "shaken", 2),
        ("MOR-12", "2 figures lost to this fire", 2),
    ];
    assert_eq!(terms, expected);
    assert_eq!(explanation.dice[0].needed.as_deref(), Some("above 8"));
}
