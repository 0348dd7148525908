//! Units that were revealed on their way: they keep the schedule of their picket to the end of its line. HID-24, HID-50
//!
//! Owns how they enter the clock. Whoever places units in phase 5 or 7 need do nothing but place them: before every segment
//! it is looked which pickets are gone.

use super::body::Body;
use super::clock::{self, Clock};
use super::program::{Deed, Kind, Program, SEGMENTS};
use crate::battle::UnitIx;
use crate::field::Field;
use crate::ground::TURN_POINTS;
use crate::hidden::March;

/// HID-24 Takes in the units whose picket is gone since it was last looked, at the end of this segment.
pub(super) fn take_in(clock: &mut Clock<'_, '_>, segment: u8) {
    let is_gone = |march: &March| !clock.play.table().pickets.contains_key(&march.number);
    let (gone, going): (Vec<March>, Vec<March>) = std::mem::take(&mut clock.marches).into_iter().partition(is_gone);
    clock.marches = going;
    if gone.is_empty() {
        return;
    }
    clock.redraw();
    for march in &gone {
        for n in 0..march.units.len() {
            let Some(ix) = clock.play.table().find(&march.units[n]) else { continue };
            if clock.play.table()[ix].on_table() {
                go_on(clock, march, (n, ix), segment);
            }
        }
    }
}

/// A mover for what is left of its schedule, from where it was placed.
fn go_on(clock: &mut Clock<'_, '_>, march: &March, (n, ix): (usize, UnitIx), segment: u8) {
    let mut rest = march.rest(n, segment);
    let start = Body::of(&clock.play.table()[ix]);
    if march.has_stopped() || rest.is_empty() {
        return;
    }
    // HID-49 It may have been placed behind its marker: it goes on beside its line.
    if let Some(under) = march.body_by(n, march.reached) {
        let by = (start.footing.anchor.x - under.footing.anchor.x, start.footing.anchor.y - under.footing.anchor.y);
        for body in &mut rest {
            body.footing.anchor.x += by.0;
            body.footing.anchor.y += by.1;
            body.footing.trail.iter_mut().for_each(|point| (point.x, point.y) = (point.x + by.0, point.y + by.1));
        }
    }
    let to = TURN_POINTS * rest.len() as i64 / i64::from(SEGMENTS);
    let pushes = march.pushes();
    let mut program = Program::idle(start.clone());
    program.deeds.push(Deed { from: 0, to, before: start.clone(), kind: Kind::Schedule { bodies: rest, pushes } });
    let stop = clock::stop(clock.play, ix);
    let field = Field::new(clock.play.rules, clock.play.table(), clock.play.dice);
    let mut mover = clock::of_program(&field, ix, march.order.clone(), program, stop);
    mover.entered = segment;
    mover.track = vec![(segment, start)];
    clock.movers.push(mover);
}
