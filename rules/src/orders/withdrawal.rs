//! Units of a command that has lost 60 percent of its points: they withdraw from the field. LVL-05
//!
//! Owns which orders they may still be given, and the march of those who were given none. Whether a command has come to
//! that is told by [`crate::levels`]; that a march may not lead nearer to the enemy is the business of [`crate::movement`].

#[cfg(test)]
mod tests;

use protocol::orders::{FormTask, MoveOrder, Order, ProneChange};
use protocol::place::Point;
use protocol::words::{Arm, Formation};

use super::hold;
use super::legality::{self, Reason};
use crate::battle::{Table, Unit, UnitIx};
use crate::catalogue::{LVL_05, SCNS_10};
use crate::field::Field;
use crate::geometry::{self, Distance, Frame};
use crate::ground::TURN_POINTS;
use crate::levels;
use crate::movement::{self, Body};
use crate::places::edge_word;
use crate::scenario::Stretch;

/// LVL-05 At least half of the full move for the terrain, in points of the turn.
const LEAST_MARCH: i64 = TURN_POINTS / 2;

/// SCN-14 A march that leaves the table is drawn so far over its edge, thousandths of an inch.
const OVER_THE_EDGE: i32 = 1_000;

/// Beyond this angle the exit lies behind a line, which then faces about first, hundredths of a degree.
const BEHIND: u32 = 9_000;

/// LVL-05 Whether a unit must withdraw.
pub fn must_withdraw(table: &Table, unit: &Unit) -> bool {
    levels::MUST_WITHDRAW <= levels::binding(table, unit)
}

/// LVL-05 What forbids an order to a unit that must withdraw.
pub(super) fn faults(field: &Field<'_>, ix: UnitIx, order: &Order) -> Vec<Reason> {
    let unit = field.unit(ix);
    if let Order::Move(march) = order
        && unit.marks.draws_off
        && !ends_nearer_to_exit(field, ix, march)
    {
        let edge = edge_word(exit_of(field, ix).edge);
        return vec![(
            SCNS_10,
            format!("draws off this turn by a special rule; let the march end nearer to the {edge} edge"),
        )];
    }
    if !must_withdraw(field.table, unit) || may_be_given(field, ix, order) {
        return Vec::new();
    }
    let edge = edge_word(exit_of(field, ix).edge);
    let why = if matches!(order, Order::Form { .. }) && must_form(unit) {
        format!("must withdraw, and has had its turn to form; give MOVE toward the {edge} edge")
    } else {
        format!(
            "must withdraw, its command having lost 60 percent of its points; give MOVE toward the {edge} edge, at least half of its full move"
        )
    };
    vec![(LVL_05, why)]
}

/// LVL-05 DISENGAGE, a march that withdraws, or for one turn FORM, of a unit that has to form before it can march.
fn may_be_given(field: &Field<'_>, ix: UnitIx, order: &Order) -> bool {
    let unit = field.unit(ix);
    match order {
        Order::Disengage { .. } => true,
        Order::Move(march) => withdraws(field, ix, march),
        Order::Form { task: FormTask::Formation { .. } | FormTask::Limber { .. } } => {
            must_form(unit) && !unit.carried.formed_to_withdraw
        }
        Order::Form { .. }
        | Order::FirstFire {}
        | Order::Hold { .. }
        | Order::Charge { .. }
        | Order::Special { .. } => false,
    }
}

/// LVL-05 Disorder, skirmishers, unlimbered guns; a square too, which cannot move.
fn must_form(unit: &Unit) -> bool {
    let loose = unit.arm != Arm::Sharpshooter && unit.footing.formation == Formation::SkirmishLine;
    let fixed = matches!(unit.footing.formation, Formation::Unlimbered | Formation::Square);
    unit.footing.disorder || loose || fixed
}

/// LVL-05 Whether a march takes at least half of the full move, what it forms and turns included, and ends nearer to the exit
/// than it began; or leaves the table.
fn withdraws(field: &Field<'_>, ix: UnitIx, march: &MoveOrder) -> bool {
    let program = movement::compile(field, ix, march);
    let from_exit = |point: Point| movement::distance_of_stretch(field.table, exit_of(field, ix), point);
    let ends = program.end().footing.anchor;
    let is_enough = LEAST_MARCH <= program.spent() || from_exit(ends) == Distance::ZERO;
    is_enough && from_exit(ends) < from_exit(field.unit(ix).footing.anchor)
}

/// SCNS-10 Whether a march ends nearer to the exit than it began.
fn ends_nearer_to_exit(field: &Field<'_>, ix: UnitIx, march: &MoveOrder) -> bool {
    let from_exit = |point: Point| movement::distance_of_stretch(field.table, exit_of(field, ix), point);
    let ends = movement::compile(field, ix, march).end().footing.anchor;
    from_exit(ends) < from_exit(field.unit(ix).footing.anchor)
}

/// SCN-04 The exit of a unit's side.
fn exit_of<'f>(field: &Field<'f>, ix: UnitIx) -> &'f Stretch {
    &field.table.scenario().sides.get(field.unit(ix).side).exit_edge
}

/// LVL-05 The order of a unit that must withdraw and was given none that does: straight to the nearest point of the exit, a
/// line after an about face if that lies behind it, guns limbered first. A square that cannot march forms line; what can
/// do nothing of this holds.
pub(crate) fn default_order(field: &Field<'_>, ix: UnitIx) -> Order {
    let unit = field.unit(ix);
    let march = march_out(field, ix);
    let first = match unit.footing.formation {
        Formation::Square if !unit.footing.disorder => {
            Some(FormTask::Formation { formation: Formation::SingleLine, facing: None, pivot: None, gap: None })
        }
        Formation::Unlimbered => Some(FormTask::Limber { facing: None }),
        _ => None,
    };
    let orders = match first {
        Some(first) => {
            let at_once = MoveOrder { form_first: Some(first.clone()), ..march };
            vec![Order::Move(at_once), Order::Form { task: first }]
        }
        None => vec![Order::Move(march)],
    };
    orders.into_iter().find(|order| legality::can_be_done(field, ix, order)).unwrap_or_else(hold)
}

fn march_out(field: &Field<'_>, ix: UnitIx) -> MoveOrder {
    let unit = field.unit(ix);
    let (exit, from) = (exit_of(field, ix), unit.footing.anchor);
    let at_edge = movement::nearest_of_stretch(field.table, exit, from);
    // SCN-14 The last leg leads over the edge, square to it, so that the march ends off the table.
    let outward = movement::outward_of_stretch(exit);
    let beyond = Frame::new(at_edge, outward).at(OVER_THE_EDGE, 0);
    let bearing = geometry::bearing_between(from, at_edge).unwrap_or(outward);
    let lies_behind = BEHIND < bearing.angle_to(unit.footing.facing);
    MoveOrder {
        path: vec![at_edge, beyond],
        about_face: lies_behind && Body::of(unit).is_plain_line(),
        prone: unit.footing.prone.then_some(ProneChange::Rise),
        ..MoveOrder::default()
    }
}

/// What a unit that must withdraw may be told, for its own player.
pub(super) fn limit(table: &Table, unit: &Unit) -> Option<String> {
    let edge = edge_word(table.scenario().sides.get(unit.side).exit_edge.edge);
    must_withdraw(table, unit)
        .then(|| format!("LVL-05: must withdraw by the {edge} edge, each turn at least half of its full move"))
}
