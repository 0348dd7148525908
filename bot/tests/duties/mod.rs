//! Postures, doors, shelter, officers, and places before turn 1.

use bot::chance::Chance;
use bot::plan::{Memory, plan};
use protocol::ids::{LeaderId, Side, UnitId};
use protocol::orders::{Hides, Order, ProneChange, Ride};
use protocol::view::View;
use serde_json::{Value, json};

use super::table::{POSTURES, card, foot, leader, own_foot, own_guns, view};
use super::{drafted, end_of, garrison, order};

use Side::{Confederate, Union};

#[test]
fn a_line_that_holds_is_stubborn_and_only_offered_postures_are_given() {
    let seen = view(Union, garrison(), vec![]);
    let draft = drafted(&seen);
    assert_eq!(draft.units[&UnitId::from("maine")].posture.as_deref(), Some("stubborn"));
    for told in draft.units.values().filter_map(|told| told.posture.as_deref()) {
        assert!(POSTURES.iter().any(|(name, _)| *name == told), "{told}");
    }
    let mut card = card();
    card.postures.clear();
    let draft = plan(&card, &seen, &Memory::new(&card), &mut Chance::new(7));
    assert!(draft.units.values().all(|told| told.posture.is_none()));
}

#[test]
fn troops_at_the_door_march_toward_their_post() {
    let mut units = garrison();
    let mut late = own_foot("late", Union, (2.0, 4.0), 90);
    late["presence"] = json!("to_come");
    late["own"]["at_door"] = late["stance"].take();
    late["own"]["at_door"]["formation"] = json!("march_column");
    late["own"]["open_rate"] = json!(10_000);
    units.push(late);
    let draft = drafted(&view(Union, units, vec![]));
    let end = end_of(&draft, "late").unwrap();
    assert!(4_500 < end.y || 4_500 < end.x, "it goes nowhere: {end:?}");
    assert!(end.y < 16_000, "it goes farther than it can: {end:?}");
}

/// A battery of the enemy sees a regiment in the open, far from anybody else.
fn under_the_guns(foot_at: f64) -> View {
    let mut guns = own_guns("battery", Confederate, (24.0, 10.0), 270, "unlimbered");
    guns["own"] = json!(null);
    let units =
        vec![own_foot("maine", Union, (13.0, 10.0), 90), guns, foot("alabama", Confederate, (foot_at, 10.0), 270)];
    let mut seen = view(Union, units, vec![]);
    seen.objectives.clear();
    seen
}

fn goes_prone(seen: &View) -> bool {
    let draft = drafted(seen);
    matches!(order(&draft, "maine"), Some(Order::Move(order)) if order.prone == Some(ProneChange::LieDown))
}

#[test]
fn foot_under_the_guns_lies_down_unless_others_are_near() {
    assert!(goes_prone(&under_the_guns(40.0)));
    assert!(!goes_prone(&under_the_guns(22.0)));
}

#[test]
fn who_lies_under_the_guns_rises_when_foot_comes() {
    let lying = |foot_at: f64| {
        let mut seen = under_the_guns(foot_at);
        seen.units[0].stance.as_mut().unwrap().prone = true;
        seen
    };
    let draft = drafted(&lying(40.0));
    assert_eq!(order(&draft, "maine"), Some(&Order::Hold { task: None }));
    let draft = drafted(&lying(22.0));
    assert!(matches!(order(&draft, "maine"), Some(Order::Move(order)) if order.prone == Some(ProneChange::Rise)));
}

#[test]
fn a_superior_rides_to_a_brigade_without_commander_and_takes_it_over() {
    let mut division = leader("division", Union, (10.0, 20.0));
    division["brigade"] = json!(null);
    division["post"] = json!("division");
    let draft = drafted(&view(Union, garrison(), vec![division.clone()]));
    let told = &draft.leaders[&LeaderId::from("division")];
    assert_eq!(told.take_over.as_ref().map(|brigade| brigade.as_str()), Some("brigade_of_union"));
    assert!(matches!(told.ride, Some(Ride::Path { .. })), "{told:?}");
    let with_one = vec![division, leader("brigadier", Union, (17.0, 20.0))];
    let draft = drafted(&view(Union, garrison(), with_one));
    assert!(draft.leaders.values().all(|told| told.take_over.is_none()));
}

/// A turn 0 in which one battery may be placed anywhere in a zone, and a regiment too.
fn free_setup() -> View {
    let stance_of = |unit: Value| unit["stance"].clone();
    let guns = stance_of(own_guns("battery", Union, (16.0, 30.0), 90, "unlimbered"));
    let line = stance_of(own_foot("maine", Union, (22.0, 30.0), 90));
    let corner = |x: i32, y: i32| json!({ "x": x, "y": y });
    let mut seen = view(Union, vec![], vec![]);
    seen.turn = 0;
    seen.deployment = Some(
        serde_json::from_value(json!({
            "zones": [{
                "id": "zone", "units": ["battery", "maine"], "leaders": [],
                "outline": [corner(12_000, 12_000), corner(25_000, 12_000), corner(25_000, 34_000), corner(12_000, 34_000)],
            }],
            "units": [{ "unit": "battery", "stances": [guns] }, { "unit": "maine", "stances": [line] }],
            "leaders": [],
        }))
        .unwrap(),
    );
    seen
}

#[test]
fn before_turn_one_guns_take_high_ground_and_all_stay_in_their_zone() {
    let draft = drafted(&free_setup());
    assert!(draft.units.is_empty() && draft.leaders.is_empty());
    let guns = &draft.deployment[&UnitId::from("battery")].anchor;
    // The hill, 60 feet, ends at y = 25 inches.
    assert!(guns.y < 25_000, "{guns:?}");
    for placement in draft.deployment.values() {
        let at = placement.anchor;
        assert!((12_000..=25_000).contains(&at.x) && (12_000..=34_000).contains(&at.y), "{at:?}");
    }
}

#[test]
fn a_bot_that_only_holds_moves_nobody() {
    let card = card();
    let seen = view(Union, garrison(), vec![leader("brigadier", Union, (17.0, 20.0))]);
    let plan = bot::plan::hold(&card, &seen, &Memory::new(&card));
    assert_eq!(plan.draft.units.len(), 2);
    assert!(plan.draft.leaders.is_empty());
    let stays = |order: &Order| matches!(order, Order::Hold { .. } | Order::FirstFire {});
    assert!(plan.draft.units.values().all(|told| told.order.as_ref().is_some_and(stays)));
}

/// The same, where the regiment stands in the woods of the hill and may hide.
fn hidden_setup() -> View {
    let mut seen = free_setup();
    let stance = |at| own_foot("maine", Union, at, 90)["stance"].clone();
    let deployment = seen.deployment.as_mut().unwrap();
    let corner = |x: i32, y: i32| json!({ "x": x, "y": y });
    let all = [corner(4_000, 4_000), corner(25_000, 4_000), corner(25_000, 34_000), corner(4_000, 34_000)];
    deployment.zones[0].outline = serde_json::from_value(json!(all)).unwrap();
    deployment.units[1].stances = vec![serde_json::from_value(stance((13.0, 20.0))).unwrap()];
    let hiding = json!({ "units": ["maine"], "brigades": [], "dummies": 4 });
    deployment.hiding = Some(serde_json::from_value(hiding).unwrap());
    seen
}

#[test]
fn hid_05_regiments_in_woods_begin_under_pickets_with_a_dummy_beside_them() {
    let draft = drafted(&hidden_setup());
    let units: Vec<&str> = draft
        .hiding
        .iter()
        .map(|picket| match &picket.hides {
            Hides::Unit { unit, .. } => unit.as_str(),
            Hides::Dummy {} => "",
            Hides::Brigade { .. } => "brigade",
        })
        .collect();
    assert_eq!(units, ["maine", ""], "the guns may not hide");
    assert!(draft.deployment.keys().all(|unit| unit.as_str() != "maine"));
    let [real, dummy] = draft.hiding.as_slice() else { panic!("two pickets") };
    assert_eq!(real.facing, dummy.facing);
    assert_ne!(real.at, dummy.at);
}

#[test]
fn a_picket_that_is_refused_is_left_out_and_the_others_stay() {
    let mut draft = drafted(&hidden_setup());
    let refusal = protocol::message::Refusal {
        subject: "hiding 2".to_owned(),
        key: "hiding".to_owned(),
        rule: "HID-06".into(),
        message: String::new(),
    };
    bot::plan::simplify(&mut draft, &[refusal], &|_| None, 0);
    assert!(matches!(draft.hiding.as_slice(), [picket] if matches!(picket.hides, Hides::Unit { .. })));
}

#[test]
fn hid_17_hidden_troops_and_dummies_are_told_something_alike() {
    let mut seen = view(Union, garrison(), vec![]);
    let picket = |number: u32, at: (i32, i32), hides: Value, units: Value| {
        json!({
            "number": number, "side": "union", "at": { "x": at.0, "y": at.1 }, "facing": 9_000, "confirmed": null,
            "shown": null, "travelled": [], "commitment": "",
            "own": {
                "seat": "union", "hides": hides, "units": units, "leaders": [], "order": null, "instructions": {},
                "limits": [], "open_rate": 10_000,
            },
        })
    };
    let regiment = json!({ "type": "unit", "unit": "hidden", "formation": "single_line", "gap": null });
    let pickets = [
        picket(417, (6_000, 12_000), regiment, json!(["hidden"])),
        picket(802, (6_000, 12_500), json!({ "type": "dummy" }), json!([])),
    ];
    seen.pickets = serde_json::from_value(json!(pickets)).unwrap();
    let draft = drafted(&seen);
    let orders: Vec<&Option<Order>> = draft.pickets.values().map(|told| &told.order).collect();
    assert_eq!(orders.len(), 2);
    assert!(orders.iter().all(|order| matches!(order, Some(Order::Hold { task: None } | Order::Move(_)))));
    assert!(draft.units.keys().all(|unit| unit.as_str() != "hidden"));
}
