//! What an order would do for a picket, from what its owner knows. HID-22, HID-23, HID-62
//!
//! Owns the answer to a player who draws a picket's line: the very way that would be gone, and its price.

use protocol::ids::{PicketNumber, UnitId};
use protocol::message::{CostPiece, Preview, Refusal};
use protocol::orders::Order;
use protocol::place::Point;

use super::legality::Reason;
use super::pickets::{Asked, faults_of_order};
use crate::battle::{Known, Unit};
use crate::catalogue::{HID_23, HID_62};
use crate::field::Field;
use crate::ground::TURN_POINTS;
use crate::hidden;
use crate::movement::{self, marker};
use crate::ruleset::Ruleset;

/// What an order would do for a picket of the seat, on what its side knows; nothing is told of any other. HID-22, HID-23, LEAK-71
pub fn preview_picket(known: &Known, rules: &Ruleset, number: PicketNumber, order: &Order) -> Option<Preview> {
    let asked = Asked::of(known, rules, number)?;
    let field = asked.field();
    let mut preview = Preview {
        unit: UnitId::new(number.0.to_string()),
        refusals: Vec::new(),
        pieces: Vec::new(),
        spent: 0,
        path: vec![asked.at()],
        end: None,
        column: Vec::new(),
        stops: None,
        notes: Vec::new(),
    };
    // How far it disengages is a key of its own: here it is shown as far as it could go.
    let travel = farthest_away(&asked, &field);
    let faults = faults_of_order(&asked, order, Some(travel));
    let refusal = |(rule, why): Reason| Refusal {
        subject: number.0.to_string(),
        key: "order".to_owned(),
        rule: rule.into(),
        message: format!("refused ({rule}): picket {} {why}", number.0),
    };
    preview.refusals = faults.into_iter().map(refusal).collect();
    let plan = match order {
        Order::Disengage { .. } => hidden::plan_of_leaving(known, number, travel),
        _ => hidden::march_of(order, asked.lead())
            .and_then(|march| hidden::plan(&field, &asked.judged, asked.under, number, &march)),
    };
    let Some(plan) = plan else { return Some(preview) };
    let (pieces, spent) = priced(&asked, &field, order, &plan.line);
    preview.pieces = pieces;
    preview.spent = u32::try_from(spent).unwrap_or(u32::MAX);
    preview.path.clone_from(&plan.line);
    let end = plan.steps.last();
    let units = &asked.under.units;
    let mut stances = end.into_iter().flat_map(|step| &step.bodies).zip(units);
    let stance = |(body, unit): (&movement::Body, &Unit)| body.stance(unit.stands.len() as u32);
    preview.end = stances.next().map(stance);
    preview.column = stances.map(stance).collect();
    Some(preview)
}

/// The price of a line, piece by piece, and its points in all.
fn priced(asked: &Asked<'_>, field: &Field<'_>, order: &Order, line: &[Point]) -> (Vec<CostPiece>, i64) {
    let lead = asked.judged.units.first().copied();
    match (lead, order, hidden::march_of(order, asked.lead())) {
        (Some(ix), Order::Disengage { .. }, _) => {
            let cost = marker::in_disorder(field, ix, line);
            (marker::pieces(&cost, HID_62), cost.total())
        }
        (Some(ix), _, Some(march)) => {
            let program = marker::priced(field, ix, &march, asked.judged.span);
            (program.pieces.clone(), program.spent())
        }
        _ => {
            let cost = hidden::dummy_cost(asked.rules, &asked.known.table, line);
            (marker::pieces(&cost, HID_23), cost.total())
        }
    }
}

/// HID-62 How far a picket could disengage, thousandths of an inch.
fn farthest_away(asked: &Asked<'_>, field: &Field<'_>) -> u32 {
    let Some(away) = hidden::away(&asked.known.table, asked.number, u32::MAX) else { return 0 };
    let reach = match asked.judged.units.as_slice() {
        [] => hidden::dummy_cost(asked.rules, &asked.known.table, &away.line).reach(TURN_POINTS),
        units => {
            let reaches = units.iter().map(|ix| marker::in_disorder(field, *ix, &away.line).reach(TURN_POINTS));
            reaches.min().unwrap_or(0)
        }
    };
    reach.unsigned_abs()
}
