//! Who charges, with whom, and who does not.

use protocol::ids::{Side, UnitId};
use protocol::orders::{Draft, IfCharged, Order, Stage};
use protocol::view::View;
use serde_json::{Value, json};

use super::table::{card, foot, own_foot, view};
use super::{drafted, order};
use bot::chance::Chance;
use bot::plan::{Memory, think};

use Side::{Confederate, Union};

/// What a charge is of: its target, or the unit that it supports.
fn charge<'d>(draft: &'d Draft, unit: &str) -> Option<(Option<&'d str>, Option<&'d str>)> {
    match order(draft, unit) {
        Some(Order::Charge { target, support_of, .. }) => {
            Some((target.as_ref().map(UnitId::as_str), support_of.as_ref().map(UnitId::as_str)))
        }
        _ => None,
    }
}

/// Three sound regiments in the open, three inches from one that is shaken.
fn three_against_one() -> Vec<Value> {
    let mut target = foot("maine", Union, (27.0, 10.0), 90);
    target["morale"] = json!("shaken");
    vec![
        own_foot("alabama", Confederate, (30.8, 13.7), 270),
        own_foot("texas", Confederate, (30.8, 10.0), 270),
        own_foot("georgia", Confederate, (30.8, 6.3), 270),
        target,
    ]
}

/// A field where nothing but the enemy counts.
fn seen(side: Side, units: Vec<Value>) -> View {
    let mut seen = view(side, units, vec![]);
    seen.objectives.clear();
    seen
}

#[test]
fn a_brigade_charges_a_shaken_enemy_before_it() {
    let draft = drafted(&seen(Confederate, three_against_one()));
    let is_point = |unit: &&str| charge(&draft, unit) == Some((Some("maine"), None));
    let point = ["alabama", "texas", "georgia"].into_iter().find(is_point).unwrap();
    assert_eq!(draft.units[&UnitId::from(point)].posture.as_deref(), Some("assault"));
}

#[test]
fn nobody_charges_a_sound_line_behind_a_wall_alone() {
    let units = vec![
        own_foot("alabama", Confederate, (24.0, 20.0), 270),
        foot("maine", Union, (19.6, 21.9), 90),
        foot("michigan", Union, (19.6, 18.1), 90),
    ];
    let draft = drafted(&view(Confederate, units, vec![]));
    assert_eq!(charge(&draft, "alabama"), None);
}

#[test]
fn the_shaken_the_broken_the_tired_and_those_out_of_command_do_not_charge() {
    for (key, value) in [
        ("morale", json!("shaken")),
        ("in_command", json!(false)),
        ("limits", json!(["ORD-13: charged in two turns running, may not charge"])),
        ("limits", json!(["MEL-21: fought hand to hand last turn, may only form"])),
    ] {
        let mut units = three_against_one();
        for unit in &mut units[..3] {
            if key == "limits" { unit["own"][key] = value.clone() } else { unit[key] = value.clone() }
        }
        let draft = drafted(&seen(Confederate, units));
        for unit in ["alabama", "texas", "georgia"] {
            assert_eq!(charge(&draft, unit), None, "{unit} with {key} {value}");
        }
    }
}

#[test]
fn a_target_of_one_charge_is_not_the_target_of_another() {
    let draft = drafted(&seen(Confederate, three_against_one()));
    let points =
        ["alabama", "texas", "georgia"].into_iter().filter(|unit| matches!(charge(&draft, unit), Some((Some(_), _))));
    assert_eq!(points.count(), 1);
}

#[test]
fn who_gives_up_a_charge_has_something_else_to_do() {
    let card = card();
    let seen = seen(Confederate, three_against_one());
    let plan = think(&card, &seen, &Memory::new(&card), &mut Chance::new(7));
    assert!(!plan.charges.is_empty());
    let mut draft = plan.draft.clone();
    for given_up in &plan.charges {
        plan.give_up(given_up, &mut draft);
        let stays = order(&draft, given_up.point.as_str());
        assert!(matches!(stays, Some(Order::Hold { .. } | Order::FirstFire {})), "{stays:?}");
    }
}

#[test]
fn men_without_cartridges_go_to_meet_a_charge() {
    let mut units = vec![own_foot("maine", Union, (26.0, 30.0), 90), foot("alabama", Confederate, (32.0, 30.0), 270)];
    units[0]["ammunition_out"] = json!(true);
    let draft = drafted(&seen(Union, units.clone()));
    let told = &draft.units[&UnitId::from("maine")].instructions;
    assert_eq!(told.if_charged, Some(IfCharged::Countercharge));
    units[0]["ammunition_out"] = json!(false);
    let draft = drafted(&seen(Union, units));
    assert_ne!(draft.units[&UnitId::from("maine")].instructions.if_charged, Some(IfCharged::Countercharge));
}

#[test]
fn who_sees_a_charge_come_at_his_flank_forms_to_face_it() {
    let mut units = vec![own_foot("maine", Union, (26.0, 30.0), 0), foot("alabama", Confederate, (34.0, 28.0), 270)];
    units[1]["shown"] = json!({ "type": "charge", "target": "maine", "support_of": null });
    units[0]["own"]["order"] = json!({ "type": "hold", "task": null });
    let mut seen = view(Union, units, vec![]);
    seen.stage = Stage::Reactions;
    let draft = drafted(&seen);
    assert_eq!(draft.units[&UnitId::from("maine")].instructions.if_charged, Some(IfCharged::Form));
}
