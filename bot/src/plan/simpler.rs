//! What to give instead of an order that was refused: always something simpler, in the end nothing.
//!
//! A refusal names a subject and a key. A refused instruction is taken off; a refused order loses its frills,
//! then half its way, then becomes HOLD; a HOLD that is refused is left out, and a unit without an order
//! holds anyway (ORD-03). So a draft is legal after a few rounds, whatever the server's reasons are.

use protocol::ids::{BrigadeId, LeaderId, PicketNumber, UnitId};
use protocol::message::{Preview, Refusal};
use protocol::orders::{Draft, Instructions, LeaderDraft, MoveOrder, Order, UnitDraft};
use protocol::place::Point;

use crate::geometry::Vector;

/// Takes back what was refused. `round` counts from 0; late rounds are blunt, so that it ends.
pub fn simplify(draft: &mut Draft, refusals: &[Refusal], starts: &dyn Fn(&UnitId) -> Option<Point>, round: u32) {
    for refusal in refusals {
        let unit = UnitId::from(refusal.subject.as_str());
        let leader = LeaderId::from(refusal.subject.as_str());
        let brigade = BrigadeId::from(refusal.subject.as_str());
        if let Some(told) = draft.units.get_mut(&unit)
            && !simplify_unit(told, &refusal.key, starts(&unit), round)
        {
            draft.units.remove(&unit);
        }
        if let Some(told) = draft.leaders.get_mut(&leader)
            && !simplify_leader(told, &refusal.key, round)
        {
            draft.leaders.remove(&leader);
        }
        // A picket is named by its number, and one to be set up by its place in the list; what is refused of it is left out.
        if let Ok(number) = refusal.subject.parse() {
            draft.pickets.remove(&PicketNumber(number));
        }
        draft.brigades.remove(&brigade);
        draft.deployment.remove(&unit);
    }
    let refused: Vec<usize> = refusals.iter().filter_map(|refusal| place_in_list(&refusal.subject)).collect();
    let mut place = 0;
    draft.hiding.retain(|_| {
        place += 1;
        !refused.contains(&place)
    });
}

/// HID-05 Which picket of the list a refusal is about, counted from 1.
fn place_in_list(subject: &str) -> Option<usize> {
    subject.strip_prefix("hiding ")?.parse().ok()
}

/// False when nothing is left to say.
fn simplify_unit(told: &mut UnitDraft, key: &str, start: Option<Point>, round: u32) -> bool {
    if 5 <= round {
        return false;
    }
    if key == "posture" {
        told.posture = None;
        return true;
    }
    if key != "order" && without_key(&mut told.instructions, key) {
        return true;
    }
    match told.order.take() {
        Some(Order::Move(order)) => {
            told.order = Some(simpler_move(order, start, round));
            if !matches!(told.order, Some(Order::Move(_))) {
                told.instructions = Instructions::default();
            }
            true
        }
        Some(Order::Hold { task: None }) | None => false,
        Some(_) => {
            told.order = Some(Order::Hold { task: None });
            told.instructions = Instructions::default();
            true
        }
    }
}

/// First without frills, then half the way, then HOLD.
fn simpler_move(order: MoveOrder, start: Option<Point>, round: u32) -> Order {
    let plain = MoveOrder {
        path: order.path.clone(),
        about_face: order.about_face,
        backing: order.backing,
        ..MoveOrder::default()
    };
    let has_path = !order.path.is_empty();
    if has_path && round == 0 && plain != order {
        return Order::Move(plain);
    }
    match start {
        Some(start) if has_path && round < 3 => {
            Order::Move(MoveOrder { path: shortened(start, &order.path, 0.5), ..plain })
        }
        _ => Order::Hold { task: None },
    }
}

/// Takes one key off; false where there is no such key.
fn without_key(instructions: &mut Instructions, key: &str) -> bool {
    let Ok(serde_json::Value::Object(mut keys)) = serde_json::to_value(&*instructions) else { return false };
    if keys.remove(key).is_none_or(|value| value.is_null()) {
        return false;
    }
    let Ok(rest) = serde_json::from_value(serde_json::Value::Object(keys)) else { return false };
    *instructions = rest;
    true
}

fn simplify_leader(told: &mut LeaderDraft, key: &str, round: u32) -> bool {
    match key {
        "help" if told.help.is_some() => told.help = None,
        "with_routed" => told.with_routed = None,
        "if_unit_routs" => told.if_unit_routs = None,
        "if_unit_falls_back" => told.if_unit_falls_back = None,
        "take_over" => told.take_over = None,
        "go_in_with" => told.go_in_with = None,
        "lead" => told.lead = None,
        "place" => told.place = None,
        _ => told.ride = None,
    }
    round < 3 && *told != LeaderDraft::default()
}

/// A part of a path, measured along it from where the unit stands.
fn shortened(start: Point, path: &[Point], part: f64) -> Vec<Point> {
    let mut all = vec![Vector::from(start)];
    all.extend(path.iter().copied().map(Vector::from));
    let whole: f64 = all.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
    let mut left = whole * part;
    let mut kept = Vec::new();
    for leg in all.windows(2) {
        let length = leg[0].distance(leg[1]);
        if left <= length {
            kept.push(Point::from(leg[0].toward(leg[1], left / length.max(1e-9))));
            break;
        }
        left -= length;
        kept.push(leg[1].into());
    }
    kept
}

/// Whether a preview says that the order's closing task would not be reached, and the order with a shorter way.
/// A battery that arrives with its guns still hitched is a target; better to stop short and unlimber.
pub fn simplify_end(order: &Order, preview: &Preview, start: Option<Point>) -> Option<Order> {
    let Order::Move(order) = order else { return None };
    let closes = order.form_last.is_some() || order.wheel.is_some_and(|wheel| wheel.last);
    if !closes || preview.stops.is_none() || order.path.is_empty() {
        return None;
    }
    Some(Order::Move(MoveOrder { path: shortened(start?, &order.path, 0.7), ..order.clone() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::ids::RuleRef;
    use protocol::orders::{FormTask, MovingFire, Stop};

    fn refusal(subject: &str, key: &str) -> Refusal {
        Refusal {
            subject: subject.to_owned(),
            key: key.to_owned(),
            rule: RuleRef::from("ORD-16"),
            message: "refused".to_owned(),
        }
    }

    fn draft(order: Order) -> Draft {
        let mut draft = Draft::default();
        let instructions = Instructions {
            moving_fire: Some(MovingFire::Always),
            stop: Some(Stop::BeforeClose {}),
            ..Instructions::default()
        };
        draft.units.insert("a".into(), UnitDraft { order: Some(order), posture: None, instructions });
        draft
    }

    fn at_origin(_: &UnitId) -> Option<Point> {
        Some(Point::new(0, 0))
    }

    #[test]
    fn a_refused_key_is_taken_off_and_the_order_kept() {
        let mut draft = draft(Order::FirstFire {});
        simplify(&mut draft, &[refusal("a", "stop")], &at_origin, 0);
        let told = &draft.units[&UnitId::from("a")];
        assert_eq!(told.order, Some(Order::FirstFire {}));
        assert_eq!(told.instructions.stop, None);
        assert_eq!(told.instructions.moving_fire, Some(MovingFire::Always));
    }

    #[test]
    fn a_refused_march_loses_its_frills_then_half_its_way_then_holds() {
        let order = MoveOrder {
            path: vec![Point::new(0, 8_000)],
            form_last: Some(FormTask::Unlimber { facing: None }),
            ..MoveOrder::default()
        };
        let mut draft = draft(Order::Move(order));
        let order_of = |draft: &Draft| draft.units.get(&UnitId::from("a")).and_then(|told| told.order.clone());
        simplify(&mut draft, &[refusal("a", "order")], &at_origin, 0);
        let plain = MoveOrder { path: vec![Point::new(0, 8_000)], ..MoveOrder::default() };
        assert_eq!(order_of(&draft), Some(Order::Move(plain.clone())));
        simplify(&mut draft, &[refusal("a", "order")], &at_origin, 1);
        let half = MoveOrder { path: vec![Point::new(0, 4_000)], ..MoveOrder::default() };
        assert_eq!(order_of(&draft), Some(Order::Move(half)));
        simplify(&mut draft, &[refusal("a", "order")], &at_origin, 3);
        assert_eq!(order_of(&draft), Some(Order::Hold { task: None }));
        simplify(&mut draft, &[refusal("a", "order")], &at_origin, 4);
        assert_eq!(order_of(&draft), None, "a unit without an order holds");
    }

    #[test]
    fn whatever_is_refused_again_and_again_ends_with_nothing_said() {
        for order in
            [Order::FirstFire {}, Order::Form { task: FormTask::Resupply {} }, Order::Disengage { abandon_guns: false }]
        {
            let mut draft = draft(order);
            for round in 0..6 {
                simplify(&mut draft, &[refusal("a", "a key that is not there")], &at_origin, round);
            }
            assert!(draft.units.is_empty());
        }
    }

    #[test]
    fn a_way_too_long_for_its_closing_task_is_cut() {
        let order = Order::Move(MoveOrder {
            path: vec![Point::new(0, 6_000), Point::new(4_000, 6_000)],
            form_last: Some(FormTask::Unlimber { facing: None }),
            ..MoveOrder::default()
        });
        let mut preview = Preview {
            column: Vec::new(),
            unit: "a".into(),
            refusals: Vec::new(),
            pieces: Vec::new(),
            spent: 5_040_000,
            path: Vec::new(),
            end: None,
            stops: None,
            notes: Vec::new(),
        };
        assert_eq!(simplify_end(&order, &preview, Some(Point::new(0, 0))), None);
        preview.stops = Some("the turn is over".to_owned());
        let Some(Order::Move(cut)) = simplify_end(&order, &preview, Some(Point::new(0, 0))) else { panic!("not cut") };
        assert_eq!(cut.path, [Point::new(0, 6_000), Point::new(1_000, 6_000)]);
        assert!(cut.form_last.is_some());
    }
}
