//! What may be ordered to regiments of a brigade column: one order for all, or FORM to leave it. TAC-28, TAC-34
//!
//! Owns the refusals, the order that comes to the regiments behind the lead, and who steps out when phase 7 begins. It never
//! looks at an enemy.

use std::collections::BTreeMap;

use protocol::ids::UnitId;
use protocol::orders::{FormTask, Order};

use super::{lead_of, leave};
use crate::battle::{Column, Table, Unit, UnitIx, UnitOrders};
use crate::catalogue::{RuleId, TAC_28, TAC_34};
use crate::movement;
use crate::play::Play;

/// TAC-28, TAC-34 Why a regiment of a brigade column may not be given an order; none for everybody else.
pub(crate) fn why_not(table: &Table, ix: UnitIx, order: &Order) -> Option<(RuleId, String)> {
    let unit = &table[ix];
    if unit.follows_in_column() && !leaves(order) {
        let lead = &table[lead_of(table, ix)].name;
        return Some((
            TAC_28,
            format!(
                "marches in the brigade column of `{lead}` and has no order of its own: order `{lead}`, or give it FORM to leave the column"
            ),
        ));
    }
    if !unit.leads_column() {
        return None;
    }
    match order {
        Order::Move(march) if march.form_first.is_some() || march.form_last.is_some() => Some((
            TAC_34,
            "leads a brigade column, which changes formation by FORM alone: give FORM to leave it, or MOVE without a change".to_owned(),
        )),
        Order::Form { task: FormTask::ManGuns { .. } } => {
            Some((TAC_34, "leads a brigade column and spares no stand for guns: give FORM to leave it first".to_owned()))
        }
        _ => None,
    }
}

/// TAC-34 Whether an order takes a regiment out of its column: a FORM that changes its formation.
pub(crate) fn leaves(order: &Order) -> bool {
    matches!(
        order,
        Order::Form {
            task: FormTask::Formation { .. }
                | FormTask::FrontToFlank { .. }
                | FormTask::Square {}
                | FormTask::BrigadeColumn { .. }
        }
    )
}

/// TAC-28 Gives the regiments behind a lead its order, but for those who were told to leave. A FORM to the lead is for all:
/// each takes that formation.
pub(crate) fn share(table: &Table, orders: &mut BTreeMap<UnitId, UnitOrders>) {
    let mut shared: Vec<(UnitId, Order)> = Vec::new();
    for (ix, unit) in table.units().filter(|(_, unit)| unit.follows_in_column()) {
        let own = orders.get(&unit.id).map(|said| &said.order);
        let lead = orders.get(&table[lead_of(table, ix)].id).map(|said| said.order.clone());
        if !own.is_some_and(leaves) {
            shared.push((unit.id.clone(), for_follower(unit, lead)));
        }
    }
    for (id, order) in shared {
        let unmarked = || UnitOrders { order: crate::orders::hold(), by_group: false, said: BTreeMap::new() };
        orders.entry(id).or_insert_with(unmarked).order = order;
    }
}

/// The lead's order as it comes to a regiment behind it: what only the lead can do is a HOLD.
fn for_follower(unit: &Unit, lead: Option<Order>) -> Order {
    match lead {
        Some(Order::Form { task: FormTask::Formation { formation, facing, gap, .. } }) => {
            Order::Form { task: FormTask::Formation { formation, facing, pivot: None, gap } }
        }
        Some(Order::Form { task: FormTask::BrigadeColumn { regiments } }) if !regiments.contains(&unit.id) => {
            crate::orders::hold()
        }
        Some(Order::Form { task }) if !leaves(&Order::Form { task: task.clone() }) => crate::orders::hold(),
        Some(Order::Hold { .. }) | None => crate::orders::hold(),
        Some(order) => order,
    }
}

/// TAC-34 When phase 7 begins those who were told to leave step out of their columns, in single line where they stand. Those who
/// form a new column with their lead stay together until it stands.
pub(crate) fn step_out(play: &mut Play<'_>) {
    let new_column = |order: &Order| matches!(order, Order::Form { task: FormTask::BrigadeColumn { .. } });
    let leaving = play.table().units().filter(|(ix, unit)| {
        let order = play.order(*ix);
        unit.column.is_some()
            && unit.is_unrouted()
            && movement::keeps_its_order(unit)
            && leaves(&order)
            && !(new_column(&order) && new_column(&play.order(lead_of(play.table(), *ix))))
    });
    let leaving: Vec<UnitIx> = leaving.map(|(ix, _)| ix).collect();
    for ix in leaving {
        leave(play.table_mut(), ix);
    }
}

/// TAC-28, TAC-33 What being in a column means for a unit this turn, for its own player.
pub(crate) fn limits(table: &Table, unit: &Unit) -> Vec<String> {
    let Some(column) = unit.column.as_ref().filter(|_| unit.on_table()) else { return Vec::new() };
    if unit.follows_in_column() {
        let lead = column.lead().and_then(|lead| table.unit(lead)).map_or("its lead", |lead| lead.name.as_str());
        return vec![format!(
            "TAC-28: marches in the column of {lead}, takes no order of its own but FORM to leave it"
        )];
    }
    let Column { formed_of, stands_lost, .. } = column;
    let due = formed_of - stands_lost % formed_of.max(&1);
    vec![
        "TAC-28: leads a brigade column, its order is for all".to_owned(),
        format!("TAC-33: its column has lost {stands_lost} stands; {due} more call for a check"),
    ]
}
