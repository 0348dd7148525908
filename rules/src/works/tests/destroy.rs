//! Obstacles destroyed by working parties. OBS-15, OBS-20, OBS-27

use super::*;
use crate::ground::Stretch;

fn destroy() -> Order {
    work(Work::Destroy, &[])
}

/// `a` with the obstacles in front of it; its stands reach from y = 29.375 to 30.
fn at_obstacles(obstacles: Vec<Obstacle>) -> Battle {
    battle(Ground { obstacles, ..open_ground() }, vec![a()])
}

/// An obstacle of 20 inches across the front, so far ahead.
fn across(id: &str, kind: ObstacleKind, ahead: i32) -> Obstacle {
    obstacle(id, kind, (20_000, 30_000 + ahead), (40_000, 30_000 + ahead))
}

/// The gaps of an obstacle after so many turns of work, without a die.
fn gaps(kind: ObstacleKind, engineers: bool, count: u32) -> Vec<Stretch> {
    let mut battle = at_obstacles(vec![across("o", kind, 500)]);
    let a = ix(&battle.table, "a");
    battle.table[a].engineers = engineers;
    turns(battle, count, &ScriptedDice::new(), &destroy()).table.changes.gaps.remove(&"o".into()).unwrap_or_default()
}

/// 3.5 inches about the middle of 20: from 8.25 to 11.75.
const FRONTAGE: Stretch = Stretch { from: 8_250, to: 11_750 };

#[test]
fn obs_15_two_turns_of_disorder_remove_a_frontage_of_abatis() {
    assert!(gaps(ObstacleKind::Abatis, false, 1).is_empty());
    assert_eq!(gaps(ObstacleKind::Abatis, false, 2), [FRONTAGE]);
    assert_eq!(gaps(ObstacleKind::Abatis, true, 1), [FRONTAGE]);
}

#[test]
fn obs_15_within_an_inch_on_either_side() {
    let at = |ahead: i32| refused(&at_obstacles(vec![across("o", ObstacleKind::Abatis, ahead)]), "a", destroy());
    assert!(at(1_000).is_empty());
    assert_eq!(at(1_010), ["OBS-07"]);
    // Behind: from its rear at y = 29.375.
    assert!(at(-1_625).is_empty());
    assert_eq!(at(-1_635), ["OBS-07"]);
}

#[test]
fn obs_15_of_several_the_one_that_was_named() {
    let two =
        || at_obstacles(vec![across("near", ObstacleKind::Abatis, 200), across("far", ObstacleKind::Abatis, 900)]);
    let gone = |at: &[(i32, i32)]| {
        let after = turns(two(), 2, &ScriptedDice::new(), &work(Work::Destroy, at));
        after.table.changes.gaps.into_keys().map(|id| id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(gone(&[]), ["near"]);
    assert_eq!(gone(&[(33_000, 30_900)]), ["far"]);
}

#[test]
fn obs_15_an_end_is_removed_as_far_as_it_goes_and_on_into_the_next() {
    // The obstacle ends 1 inch to the right of the anchor, and another goes on from there.
    let first = obstacle("first", ObstacleKind::Abatis, (20_000, 30_500), (31_000, 30_500));
    let second = obstacle("second", ObstacleKind::Abatis, (31_000, 30_500), (31_000, 40_000));
    let alone = turns(at_obstacles(vec![first.clone()]), 2, &ScriptedDice::new(), &destroy());
    assert_eq!(alone.table.changes.gaps[&"first".into()], [Stretch { from: 8_250, to: 11_000 }]);
    let both = turns(at_obstacles(vec![first, second]), 2, &ScriptedDice::new(), &destroy());
    assert_eq!(both.table.changes.gaps[&"first".into()], [Stretch { from: 8_250, to: 11_000 }]);
    assert_eq!(both.table.changes.gaps[&"second".into()], [Stretch { from: 0, to: 750 }]);
}

#[test]
fn obs_20_a_fraise_takes_three_turns_two_with_engineers() {
    assert!(gaps(ObstacleKind::Fraise, false, 2).is_empty());
    assert_eq!(gaps(ObstacleKind::Fraise, false, 3), [FRONTAGE]);
    assert!(gaps(ObstacleKind::Fraise, true, 1).is_empty());
    assert_eq!(gaps(ObstacleKind::Fraise, true, 2), [FRONTAGE]);
}

#[test]
fn obs_27_a_line_of_chevaux_goes_in_a_turn_a_double_row_in_two() {
    assert_eq!(gaps(ObstacleKind::ChevauxDeFrise, false, 1), [FRONTAGE]);
    assert_eq!(gaps(ObstacleKind::ChevauxDeFrise, true, 1), [FRONTAGE]);
    let rows = |apart: i32, count: u32| {
        let rows = vec![
            across("near", ObstacleKind::ChevauxDeFrise, 500),
            across("far", ObstacleKind::ChevauxDeFrise, 500 + apart),
        ];
        let after = turns(at_obstacles(rows), count, &ScriptedDice::new(), &destroy());
        after.table.changes.gaps.into_keys().map(|id| id.to_string()).collect::<Vec<_>>()
    };
    assert!(rows(2_000, 1).is_empty());
    assert_eq!(rows(2_000, 2), ["far", "near"]);
    // Farther apart they are two lines.
    assert_eq!(rows(2_010, 1), ["near"]);
}

#[test]
fn works_15_working_parties_do_not_destroy_medium_or_heavy_works() {
    for kind in [ObstacleKind::MediumWorks, ObstacleKind::HeavyWorks] {
        assert_eq!(refused(&at_obstacles(vec![across("o", kind, 500)]), "a", destroy()), ["WORKS-15"]);
    }
}
