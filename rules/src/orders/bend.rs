//! A march bent after the reveal. MV-31

use protocol::event::OrderShown;
use protocol::orders::{MoveOrder, Order, PathAnswer};

use super::legality::{self, Reason};
use super::withdrawal;
use crate::battle::UnitIx;
use crate::catalogue::MV_31;
use crate::field::Field;
use crate::geometry;
use crate::movement;

/// How far the first leg of a bent path may lie off the bearing that was revealed, hundredths of a degree. MV-31
pub(super) const MOST_BEND: u32 = 4_500;

/// MV-31 Why a path may not be redrawn so; none when it may. `order` is the one in force.
pub(super) fn reason_against(field: &Field<'_>, ix: UnitIx, order: &Order, answer: &PathAnswer) -> Option<Reason> {
    let unit = field.unit(ix);
    let Order::Move(march) = order else {
        return Some((MV_31, "can only be given to a unit on MOVE".to_owned()));
    };
    if unit.marks.conditional_hold || unit.marks.order_spent {
        return Some((MV_31, "comes too late: its march is over for this turn".to_owned()));
    }
    let PathAnswer::Waypoints { points, no_push } = answer else {
        // The old path, shortened, halted or without its push, is lawful, but for who must withdraw. LVL-05
        let redrawn = movement::redrawn(march, unit.footing.anchor, Some(answer));
        return withdrawal::faults(field, ix, &Order::Move(redrawn)).into_iter().next();
    };
    let Some(first) = points.first() else {
        return Some((MV_31, "names no point; say halt to stand still".to_owned()));
    };
    if let (Some(OrderShown::Move { bearing, .. }), Some(leg)) =
        (&unit.marks.shown, geometry::bearing_between(unit.footing.anchor, *first))
        && MOST_BEND < bearing.angle_to(leg)
    {
        return Some((MV_31, "bends more than 45 degrees off the direction that was revealed".to_owned()));
    }
    let bent = MoveOrder { path: points.clone(), push: march.push && !no_push, ..march.clone() };
    let fault = legality::faults_of_order(field, ix, &Order::Move(bent)).into_iter().next();
    fault.map(|(rule, reason)| (rule, format!("cannot be followed: the unit {reason}")))
}
