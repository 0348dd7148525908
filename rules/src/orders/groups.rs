//! One order for a whole brigade or gun battalion, expanded into one for each member. ORD-02

use protocol::ids::{BrigadeId, SeatId};
use protocol::orders::{GroupDraft, MoveOrder, Order, PathAnswer, Stage};
use protocol::place::Point;

use super::{Fault, legality, postures, windows};
use crate::battle::UnitIx;
use crate::catalogue::{ORD_02, TURN_08};
use crate::field::Field;

/// ORD-02 Whether a group may be told this. Members for whom the order is illegal are reported one by one and, if left so,
/// are unmarked; the group's words stay.
pub(super) fn check(
    field: &Field<'_>,
    seat: &SeatId,
    id: &BrigadeId,
    stage: Stage,
    said: &mut GroupDraft,
) -> Result<Vec<Fault>, Fault> {
    let fault = |key, rule, message: String| Fault { subject: id.to_string(), key, rule, message };
    let members: Vec<UnitIx> =
        field.table.members(id).filter(|(_, unit)| unit.seat == *seat && unit.on_table()).map(|(ix, _)| ix).collect();
    if members.is_empty() {
        return Err(fault(
            "order",
            ORD_02,
            format!("refused (ORD-02): you command no unit of a brigade `{id}` on the table"),
        ));
    }
    let mut faults = Vec::new();
    if said.order.is_some() && stage != Stage::Orders {
        let (rule, message) = windows::order_too_late();
        faults.push(fault("order", rule, format!("refused ({rule}): `{id}` {message}")));
        said.order = None;
    }
    if let Some(name) = &said.posture
        && members.iter().all(|ix| postures::check(field.unit(*ix), name).is_err())
    {
        faults.push(fault("posture", TURN_08, format!("refused (TURN-08): `{name}` is no posture for `{id}`")));
        said.posture = None;
    }
    // TAC-28 Who marches behind the lead of a column has its order, and needs none of the group's.
    let takes_orders = |ix: &UnitIx| field.unit(*ix).is_unrouted() && !field.unit(*ix).follows_in_column();
    for ix in members.into_iter().filter(takes_orders) {
        let unit = field.unit(ix);
        let Some(order) = order_of(field, ix, said) else {
            continue;
        };
        faults.extend(legality::faults_of_order(field, ix, &order).into_iter().map(|(rule, message)| Fault {
            subject: unit.id.to_string(),
            key: "order",
            rule,
            message: format!("left out of the order of `{id}` ({rule}): `{}` {message}", unit.name),
        }));
    }
    Ok(faults)
}

/// ORD-02 The group's order as it comes to one member: a path becomes the same displacement from where that member stands.
pub(super) fn order_of(field: &Field<'_>, ix: UnitIx, said: &GroupDraft) -> Option<Order> {
    let order = said.order.clone()?;
    let Order::Move(march) = order else {
        return Some(order);
    };
    let from = said.from.or_else(|| first_anchor(field, ix))?;
    let anchor = field.unit(ix).footing.anchor;
    let shifted = |point: Point| {
        let x = anchor.x.saturating_add(point.x).saturating_sub(from.x);
        let y = anchor.y.saturating_add(point.y).saturating_sub(from.y);
        Point::new(x, y)
    };
    let path = march.path.iter().copied().map(shifted).collect();
    Some(Order::Move(MoveOrder { path, ..march }))
}

/// The anchor of the first member of a unit's brigade that stands on the table.
fn first_anchor(field: &Field<'_>, ix: UnitIx) -> Option<Point> {
    let brigade = field.unit(ix).brigade.as_ref()?;
    let first = field.table.members(brigade).find(|(_, unit)| unit.on_table() && unit.is_unrouted())?;
    Some(first.1.footing.anchor)
}

/// A redrawn path of a group is not a thing: each unit redraws its own. MV-31
pub(super) fn without_path(mut said: protocol::orders::Instructions) -> protocol::orders::Instructions {
    if matches!(said.path, Some(PathAnswer::Waypoints { .. })) {
        said.path = None;
    }
    said
}
