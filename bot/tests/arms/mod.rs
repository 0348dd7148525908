//! What each arm does for which it is kept: foot under long fire, guns on hills, horse on the flanks, spades.

use bot::chance::Chance;
use bot::geometry::Vector;
use bot::plan::{Memory, plan};
use protocol::ids::{Side, UnitId};
use protocol::orders::{Draft, FormTask, Order, ProneChange, Work};
use protocol::view::View;
use serde_json::{Value, json};

use super::table::{card, foot, own_foot, own_guns, stance, view};
use super::{end_of, order};

use Side::{Confederate, Union};

/// A field where nothing but the enemy counts.
fn field(units: Vec<Value>) -> View {
    let mut seen = view(Union, units, vec![]);
    seen.objectives.clear();
    seen
}

/// The plan of a player who has seen everybody stand where he stands for a turn.
fn drafted_after_a_turn(seen: &View) -> Draft {
    let card = card();
    let mut memory = Memory::new(&card);
    memory.see(seen);
    let stands = |unit: &protocol::view::UnitView| Some((unit.id.clone(), Vector::from(unit.stance.as_ref()?.anchor)));
    memory.places = seen.units.iter().filter_map(stands).collect();
    plan(&card, seen, &memory, &mut Chance::new(7))
}

fn lies_down(draft: &Draft, unit: &str) -> bool {
    matches!(order(draft, unit), Some(Order::Move(order)) if order.prone == Some(ProneChange::LieDown))
}

/// A regiment in the open before so many enemies in line ten inches away.
fn before_so_many(enemies: usize) -> View {
    let mut units = vec![own_foot("maine", Union, (24.0, 10.0), 90)];
    for (index, y) in [10.0, 14.0, 6.0].into_iter().take(enemies).enumerate() {
        units.push(foot(&format!("c{index}"), Confederate, (33.8, y), 270));
    }
    field(units)
}

#[test]
fn who_is_shot_at_from_afar_by_more_than_he_can_answer_lies_down() {
    assert!(lies_down(&drafted_after_a_turn(&before_so_many(3)), "maine"));
    assert!(!lies_down(&drafted_after_a_turn(&before_so_many(1)), "maine"), "shot for shot he answers");
    // Of a fresh turn nobody knows yet who comes: then he stands to his arms.
    assert!(!lies_down(&super::drafted(&before_so_many(3)), "maine"));
}

/// Two regiments east of the hill, a battery behind its team in the north of it, an enemy far to the east.
fn below_the_hill() -> View {
    field(vec![
        own_foot("maine", Union, (23.5, 21.8), 90),
        own_foot("michigan", Union, (23.5, 18.2), 90),
        own_guns("battery", Union, (20.5, 32.0), 180, "limbered"),
        foot("alabama", Confederate, (44.0, 20.0), 270),
        foot("texas", Confederate, (44.0, 16.0), 270),
    ])
}

#[test]
fn a_battery_drives_onto_the_hill_behind_the_line_and_not_into_it() {
    let draft = drafted_after_a_turn(&below_the_hill());
    let Some(Order::Move(drive)) = order(&draft, "battery") else { panic!("{:?}", order(&draft, "battery")) };
    let end = end_of(&draft, "battery").unwrap();
    // The hill, 60 feet, lies between 9 and 19 inches from the west and 15 and 25 from the south.
    assert!(end.x <= 19_000 && end.y <= 25_000, "{end:?}");
    assert!(matches!(drive.form_last, Some(FormTask::Unlimber { .. })), "it arrives and goes into action: {drive:?}");
}

#[test]
fn guns_that_see_nobody_from_their_place_leave_it() {
    let mut units = vec![
        own_foot("maine", Union, (23.5, 21.8), 90),
        own_foot("michigan", Union, (23.5, 18.2), 90),
        own_guns("battery", Union, (24.0, 28.0), 90, "unlimbered"),
        foot("alabama", Confederate, (35.0, 26.0), 270),
    ];
    units[2]["own"]["ranges"] = json!([3_000, 12_000, 30_000]);
    let seen = field(units);
    let card = card();
    let mut memory = Memory::new(&card);
    let asked = bot::plan::questions(&card, &seen, &memory);
    let (gun, enemy) = (UnitId::from("battery"), UnitId::from("alabama"));
    assert_eq!(asked, [(gun.clone(), enemy.clone())]);
    let fires = |memory: &Memory| {
        let draft = plan(&card, &seen, memory, &mut Chance::new(7));
        matches!(order(&draft, "battery"), Some(Order::FirstFire {}))
    };
    assert!(fires(&memory));
    memory.learn_sight(&seen, &[(gun, enemy, false)]);
    assert!(!fires(&memory), "the server has said that it cannot");
}

/// Five regiments in line and a regiment of horse behind their middle.
fn line_with_horse() -> View {
    let mut units: Vec<Value> =
        (0..5).map(|index| own_foot(&format!("u{index}"), Union, (24.0, 2.5 + 3.9 * f64::from(index)), 90)).collect();
    units.push(own_horse("horse", Union, (20.0, 10.0), 90, "single_line"));
    units.push(foot("alabama", Confederate, (44.0, 12.0), 270));
    units.push(foot("texas", Confederate, (44.0, 8.0), 270));
    field(units)
}

#[test]
fn horse_waits_beyond_the_end_of_the_line() {
    let draft = drafted_after_a_turn(&line_with_horse());
    let end = end_of(&draft, "horse").unwrap();
    // The line ends near 20 inches from the south in the north, and at the table's edge in the south.
    assert!(14_000 < end.y, "it rides toward the open end: {end:?}");
}

#[test]
fn horse_gets_down_to_hold_ground_when_foot_comes() {
    let seen = |far: f64| {
        let units = vec![
            own_horse("horse", Union, (24.0, 10.0), 90, "single_line"),
            foot("texas", Confederate, (far, 10.0), 270),
        ];
        field(units)
    };
    let dismounts = |far: f64| {
        let draft = super::drafted(&seen(far));
        matches!(order(&draft, "horse"), Some(Order::Form { task: FormTask::Dismount { .. } }))
    };
    assert!(dismounts(35.0));
    assert!(!dismounts(46.0), "nobody is near yet");
}

#[test]
fn horse_charges_foot_that_is_broken_and_not_foot_that_stands() {
    let charges = |morale: &str, disorder: bool| {
        let mut target = foot("texas", Confederate, (36.0, 10.0), 90);
        target["morale"] = json!(morale);
        target["stance"]["disorder"] = json!(disorder);
        let units = vec![
            own_horse("horse", Union, (28.0, 10.0), 90, "single_line"),
            own_horse("more_horse", Union, (28.0, 14.0), 90, "single_line"),
            own_horse("most_horse", Union, (28.0, 6.0), 90, "single_line"),
            target,
        ];
        let draft = super::drafted(&field(units));
        ["horse", "more_horse", "most_horse"]
            .iter()
            .any(|unit| matches!(order(&draft, unit), Some(Order::Charge { target: Some(_), .. })))
    };
    assert!(charges("shaken", true));
    let mut steady = foot("texas", Confederate, (36.0, 10.0), 270);
    steady["stance"]["formation"] = json!("square");
    let units = vec![own_horse("horse", Union, (28.0, 10.0), 90, "single_line"), steady];
    let draft = super::drafted(&field(units));
    assert!(!matches!(order(&draft, "horse"), Some(Order::Charge { .. })));
}

/// A regiment of veterans behind the wall before the hill, the enemy so many inches east of it.
fn at_the_wall(far: f64) -> View {
    let units = vec![
        own_foot("maine", Union, (19.3, 21.8), 90),
        own_foot("michigan", Union, (19.3, 18.2), 90),
        foot("texas", Confederate, (19.3 + far, 20.0), 270),
    ];
    let mut seen = view(Union, units, vec![]);
    seen.objectives[0].held_by = Some(Union);
    seen
}

fn digs(draft: &Draft, unit: &str) -> bool {
    matches!(order(draft, unit), Some(Order::Form { task: FormTask::Work { work: Work::BuildHastyWorks, .. } }))
}

#[test]
fn who_holds_a_wall_digs_while_the_enemy_is_far() {
    assert!(digs(&drafted_after_a_turn(&at_the_wall(26.0)), "maine"));
    assert!(!digs(&drafted_after_a_turn(&at_the_wall(9.0)), "maine"));
}

#[test]
fn work_in_hand_goes_on_although_it_leaves_the_ranks_in_disorder() {
    let with_work = |far: f64| {
        let mut seen = at_the_wall(far);
        seen.units[0].stance.as_mut().unwrap().disorder = true;
        seen.units[0].work =
            Some(serde_json::from_value(json!({ "work": "build_hasty_works", "turns": 2, "left": 4 })).unwrap());
        seen
    };
    assert!(digs(&drafted_after_a_turn(&with_work(12.0)), "maine"));
    assert!(!digs(&drafted_after_a_turn(&with_work(4.0)), "maine"), "spades are dropped in time");
}

#[test]
fn finished_works_are_seen_and_kept() {
    let mut seen = at_the_wall(26.0);
    let line: Vec<Value> = [23_600, 20_000].map(|y| json!({ "x": 19_400, "y": y })).to_vec();
    seen.obstacles = serde_json::from_value(
        json!([{ "id": "works_of_maine", "kind": "hasty_works", "open": false, "lines": [line] }]),
    )
    .unwrap();
    let draft = drafted_after_a_turn(&seen);
    assert!(!digs(&draft, "maine"), "they are finished");
    assert!(
        matches!(order(&draft, "maine"), Some(Order::Hold { .. } | Order::FirstFire {})),
        "{:?}",
        order(&draft, "maine")
    );
    assert!(digs(&draft, "michigan"), "he has none yet");
}

/// A regiment of cavalry with carbines, seen by its own side.
fn own_horse(id: &str, side: Side, at: (f64, f64), facing: u32, formation: &str) -> Value {
    let mut unit = own_foot(id, side, at, facing);
    unit["arm"] = json!("cavalry");
    unit["weapon"] = json!("breech_carbine");
    unit["stance"] = stance(at, facing, formation, 4, 875, 625);
    unit["own"]["open_rate"] = json!(12_000);
    unit["own"]["ranges"] = json!([2_000, 4_000, 8_000]);
    unit
}
