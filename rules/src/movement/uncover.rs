//! Marches that come upon hidden troops, and hidden troops that are placed on the march. HID-38, HID-39, HID-50, HID-55
//!
//! Owns where the clock tests its segments, and how a unit that is placed in the midst of the phase is taken into it. Who is
//! seen or touched is found by [`crate::hidden`].

use std::collections::BTreeSet;

use protocol::orders::MoveOrder;

use super::body::Body;
use super::clock::{Clock, Mover, carried_or_drawn, entitled, mark, of_program, stop};
use super::compile;
use super::forming;
use super::program::{Deed, Kind, Program, SEGMENTS, Walk};
use super::rates::{self, Gait};
use crate::battle::UnitIx;
use crate::field::Field;
use crate::fire::Holders;
use crate::geometry::bearing_between;
use crate::ground::{PathCost, PathLeg, Pricing, TURN_POINTS};
use crate::hidden::{self, Rest, Step};
use crate::specials;

/// HID-39, HID-55 Tests the touch of the steps of a segment before they are made: who is placed can refuse them.
pub(super) fn touch(clock: &mut Clock<'_, '_>, proposals: &[Option<Body>]) {
    if clock.play.table().pickets.is_empty() {
        return;
    }
    let step = |(mover, proposal): (&Mover, &Option<Body>)| {
        let now = clock.shapes[mover.unit.0 as usize].as_ref();
        let next = carried_or_drawn(now, &mover.body, proposal.as_ref()?, mover.stands, &mover.tail);
        Some((mover.unit, next.rects))
    };
    let steps: Vec<Step> = clock.movers.iter().zip(proposals).filter_map(step).collect();
    if !steps.is_empty() && hidden::look_ahead(clock.play, &steps) {
        placed(clock);
    }
}

/// HID-38 Tests the end of a segment.
pub(super) fn look(clock: &mut Clock<'_, '_>) {
    if hidden::look(clock.play) {
        placed(clock);
    }
}

fn placed(clock: &mut Clock<'_, '_>) {
    take_in(clock);
    clock.redraw();
}

/// HID-50 Takes those into the phase who have been placed in it: they hold, or go on along their lines.
pub(super) fn take_in(clock: &mut Clock<'_, '_>) {
    let turn = clock.play.table().turn;
    let known: BTreeSet<UnitIx> = clock.movers.iter().map(|mover| mover.unit).collect();
    let is_new = |ix: UnitIx| clock.shapes[ix.0 as usize].is_none() && !known.contains(&ix);
    let table = clock.play.table();
    let new = table.units().filter(|(ix, unit)| {
        is_new(*ix) && !unit.follows_in_column() && unit.picket.is_some_and(|(_, revealed)| revealed == turn)
    });
    let new: Vec<UnitIx> = new.map(|(ix, _)| ix).collect();
    if new.is_empty() {
        return;
    }
    // What they have been told counts for their fire from now on.
    clock.holders = Holders::of(clock.play);
    if clock.play.phase != 7 {
        return;
    }
    for ix in new {
        let Some(order) = entitled(clock.play, ix) else { continue };
        let rest = hidden::rest_of_line(clock.play, ix, &order);
        let stop = stop(clock.play, ix);
        let segment = clock.play.segment.unwrap_or(0).min(SEGMENTS);
        let field = Field::new(clock.play.rules, clock.play.table(), clock.play.dice);
        let program = match &rest {
            Some(rest) => at_the_same_pace(&field, ix, rest, segment),
            None if order.path.is_empty() => still_forming(&field, ix, &order, segment),
            None => None,
        };
        let Some(program) = program else { continue };
        let mut mover = of_program(&field, ix, MoveOrder { push: false, ..order }, program, stop);
        mover.points = i64::from(segment) * TURN_POINTS / i64::from(SEGMENTS);
        mover.track = vec![(segment, mover.body.clone())];
        mover.keeps_pace = true;
        mark(clock.play, &mover);
        clock.movers.push(mover);
    }
}

/// HID-50 A change of formation that was begun under the picket with the phase, and is not done yet.
fn still_forming(field: &Field<'_>, ix: UnitIx, order: &MoveOrder, segment: u8) -> Option<Program> {
    let program = compile::compile(field, ix, order);
    (program.points_by(segment) < program.spent()).then_some(program)
}

/// HID-24 The rest of a line, walked inch for inch from now until the phase is over.
fn at_the_same_pace(field: &Field<'_>, ix: UnitIx, rest: &Rest, segment: u8) -> Option<Program> {
    let unit = field.unit(ix);
    let body = Body::of(unit);
    let rates = rates::rates(field.rules, unit, &body, Gait::Plain);
    let prices = rates::crossing_prices(field.rules, unit, &body);
    let bends = specials::bends(field.table, unit, &body.footing);
    let ground = field.ground().bent(&bends);
    let legs: Vec<PathLeg<'_>> = rest.corners[1..].iter().map(|&to| PathLeg { to, front: &[] }).collect();
    let cost = PathCost::new(&ground, rest.corners[0], &legs, &rates, &prices, Pricing::Move, TURN_POINTS);
    let bearings: Option<Vec<_>> = rest.corners.windows(2).map(|pair| bearing_between(pair[0], pair[1])).collect();
    let length = body.stand_depth.saturating_mul(i32::try_from(unit.stands.len()).unwrap_or(1));
    let to = cost.length();
    let walk = Walk { cost, corners: rest.corners.clone(), bearings: bearings?, column: body.is_column(), length };
    let from = i64::from(segment) * TURN_POINTS / i64::from(SEGMENTS);
    let mut program = Program::idle(body.clone());
    let kind = Kind::Push { walk, from: 0, to };
    program.deeds.push(Deed { from, to: TURN_POINTS, before: body, kind });
    // HID-24 What closes the move is done when the phase is over.
    let end = program.end();
    let toward = || compile::toward_enemy(field, ix, &end);
    let last = rest.form_last.as_ref().map(|task| (task, forming::after(field, unit, &end, task, toward)));
    if let Some((task, Ok(after))) = last {
        let kind = Kind::Change { task: task.clone(), after, last: true };
        program.deeds.push(Deed { from: TURN_POINTS, to: TURN_POINTS, before: end, kind });
    }
    Some(program)
}
