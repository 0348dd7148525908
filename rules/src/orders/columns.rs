//! Regiments that are to form a brigade column must all be told so, in the same words. TAC-27
//!
//! Owns what can be seen of that in one seat's draft. Whether each may have the order by itself has been settled before; whether
//! all had it is tested again when the column forms.

use std::collections::BTreeMap;

use protocol::ids::{SeatId, UnitId};
use protocol::orders::{Draft, Order};

use super::{Fault, groups, legality};
use crate::battle::UnitIx;
use crate::catalogue::TAC_27;
use crate::column::forming::list_of;
use crate::field::Field;

/// TAC-27 Drops the orders to form a column that others of the same seat on its list do not have.
pub(super) fn keep_agreed(field: &Field<'_>, seat: &SeatId, draft: &mut Draft, faults: &mut Vec<Fault>) {
    let lists = lists(field, seat, draft);
    for (id, list) in &lists {
        let is_own = |other: &&UnitId| field.table.unit(other).is_some_and(|unit| unit.seat == *seat);
        let mut others = list.iter().filter(is_own);
        let Some(otherwise) = others.find(|other| lists.get(other) != Some(list)) else { continue };
        if let Some(said) = draft.units.get_mut(id) {
            said.order = None;
        }
        let name = |id: &UnitId| field.table.unit(id).map_or_else(|| id.to_string(), |unit| unit.name.clone());
        let message = format!(
            "refused (TAC-27): `{}` cannot form a brigade column by itself: give `{}` the same order, with the same list",
            name(id),
            name(otherwise)
        );
        faults.push(Fault { subject: id.to_string(), key: "order", rule: TAC_27, message });
    }
}

/// The units of a seat that a draft tells to form a column, with their lists.
fn lists(field: &Field<'_>, seat: &SeatId, draft: &Draft) -> BTreeMap<UnitId, Vec<UnitId>> {
    let own = field.table.units().filter(|(_, unit)| unit.seat == *seat);
    own.filter_map(|(ix, unit)| Some((unit.id.clone(), list_of(&order_of(field, ix, draft)?)?))).collect()
}

/// The order that a draft comes to for a unit: its own, or that of its group where it is legal. ORD-02
fn order_of(field: &Field<'_>, ix: UnitIx, draft: &Draft) -> Option<Order> {
    let unit = field.unit(ix);
    if let Some(own) = draft.units.get(&unit.id).and_then(|said| said.order.clone()) {
        return Some(own);
    }
    let group = unit.brigade.as_ref().and_then(|brigade| draft.brigades.get(brigade))?;
    groups::order_of(field, ix, group).filter(|order| legality::faults_of_order(field, ix, order).is_empty())
}
