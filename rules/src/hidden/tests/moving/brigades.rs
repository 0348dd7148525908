//! Brigades under one picket.

use protocol::ids::{BrigadeId, UnitId};
use protocol::orders::{FormTask, Hides, Plan, PlanShape, Wheel};
use protocol::place::Bearing;
use protocol::view::Presence;
use protocol::words::{Flank, Formation, Quality};

use super::*;
use crate::battle::Unit;
use crate::testing::tell_picket;

/// Two regiments abreast under 417, their anchors two inches to either side of the marker.
fn brigade() -> Battle {
    let mut battle = field_of(regiment());
    let regiment = |id: &str, x: i32| {
        let unit = infantry(id, Side::Confederate).at(x, 10_000).unit();
        Unit { presence: Presence::Hidden, ..unit }
    };
    let units = vec![regiment("left", 8_000), regiment("right", 12_000)];
    units.iter().for_each(|unit| battle.table.insert(unit.clone()));
    let order = units.iter().map(|unit| unit.id.clone()).collect();
    let under = battle.secrets.get_mut(Side::Confederate).open_mut().pickets.get_mut(&REAL).expect("it is there");
    under.units = units;
    let plan = Plan { order, shape: PlanShape::Abreast {}, gap: 500 };
    under.hides = Hides::Brigade { brigade: BrigadeId::new("b"), formation: Formation::SingleLine, plan };
    battle
}

fn anchors(battle: &Battle) -> Vec<(i32, i32)> {
    let under = &battle.secrets.get(Side::Confederate).open().pickets[&REAL];
    under.units.iter().map(|unit| (unit.footing.anchor.x, unit.footing.anchor.y)).collect()
}

#[test]
fn hid_08_a_brigade_goes_as_one_body_at_the_rate_of_its_formation() {
    let mut battle = brigade();
    assert_eq!(rules_against(&battle, REAL, Order::Move(path(&[(10_000, 16_010)]))), ["HID-22"]);
    tell_picket(&mut battle, REAL, Order::Move(path(&[(10_000, 16_000)])), Instructions::default());
    let (after, _) = moved(battle, &ScriptedDice::new());
    assert_eq!((at(&after, REAL), anchors(&after)), ((10_000, 16_000), vec![(8_000, 16_000), (12_000, 16_000)]));
}

#[test]
fn hid_08_it_wheels_about_one_end_of_its_whole_frontage() {
    // A regiment's front is four stands of 0.875, so the brigade reaches 3.75 to either side: 7.5 inches less half a stand from
    // pivot to outer end, 7.0625. A chord of six inches is a wheel of 50.3 degrees; of 55 it is 6.5, and too far.
    let mut battle = brigade();
    let wheel = |degrees: i32| {
        let wheel = Wheel { pivot: Flank::Left, facing: Bearing::wrapping(-degrees * 100), last: false };
        MoveOrder { wheel: Some(wheel), ..MoveOrder::default() }
    };
    assert_eq!(rules_against(&battle, REAL, Order::Move(wheel(50))), [""; 0]);
    assert_eq!(rules_against(&battle, REAL, Order::Move(wheel(55))), ["HID-22"]);
    tell_picket(&mut battle, REAL, Order::Move(wheel(50)), Instructions::default());
    let (after, _) = moved(battle, &ScriptedDice::new());
    let (marker, found) = (at(&after, REAL), anchors(&after));
    // The two anchors stay four inches apart, the marker in their middle.
    let (dx, dy) = (found[1].0 - found[0].0, found[1].1 - found[0].1);
    assert!((crate::geometry::segment_length(p(0, 0), p(dx, dy)) - 4_000).abs() <= 2);
    let middle = ((found[0].0 + found[1].0) / 2, (found[0].1 + found[1].1) / 2);
    assert!((middle.0 - marker.0).abs() <= 1 && (middle.1 - marker.1).abs() <= 1, "{middle:?} {marker:?}");
    assert_ne!(marker, (10_000, 10_000));
}

#[test]
fn hid_08_its_worst_unit_sets_the_price_of_a_change() {
    // Green regiments need the whole turn to form: nothing is left to march.
    let task = FormTask::Formation { formation: Formation::DoubleLine, facing: None, pivot: None, gap: None };
    let order = Order::Move(MoveOrder { form_first: Some(task), ..path(&[(10_000, 12_000)]) });
    let mut battle = brigade();
    assert_eq!(rules_against(&battle, REAL, order.clone()), [""; 0]);
    let under = battle.secrets.get_mut(Side::Confederate).open_mut().pickets.get_mut(&REAL).expect("it is there");
    under.units[1].quality = Quality::Green;
    assert!(!rules_against(&battle, REAL, order).is_empty());
}

#[test]
fn hid_10_a_new_deployment_takes_a_form_order_and_is_there_after_the_phase() {
    let ids = |names: [&str; 2]| names.map(UnitId::new).to_vec();
    let plan = Plan { order: ids(["right", "left"]), shape: PlanShape::InDepth {}, gap: 200 };
    let deploy = |plan: &Plan| Order::Form { task: FormTask::Deploy { plan: plan.clone() } };
    let mut battle = brigade();
    assert_eq!(rules_against(&battle, REAL, deploy(&plan)), [""; 0]);
    for wrong in [
        Plan { order: ids(["right", "right"]), ..plan.clone() },
        Plan { gap: 1_001, ..plan.clone() },
        Plan { shape: PlanShape::TwoLines { first: 2 }, ..plan.clone() },
    ] {
        assert_eq!(rules_against(&battle, REAL, deploy(&wrong)), ["HID-10"], "{wrong:?}");
    }
    tell_picket(&mut battle, REAL, deploy(&plan), Instructions::default());
    let (after, events) = moved(battle, &ScriptedDice::new());
    let under = &after.secrets.get(Side::Confederate).open().pickets[&REAL];
    assert!(matches!(&under.hides, Hides::Brigade { plan: deployed, .. } if *deployed == plan));
    assert!(events.is_empty(), "nothing shows");
}
