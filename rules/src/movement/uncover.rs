//! Marches that come upon hidden troops, and hidden troops that are placed on the march. HID-38, HID-39, HID-51, HID-55
//!
//! Owns where the clock tests its segments. Who is seen or touched is found by [`crate::hidden`]; how a unit that was revealed on
//! its way goes on stands in `unveiled`.

use super::body::Body;
use super::clock::{Clock, Mover, carried_or_drawn};
use crate::fire::Holders;
use crate::hidden::{self, Step};

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

/// HID-50, HID-51 Who has been placed stands in the way and may fire from now on; who marches goes on by `unveiled`.
fn placed(clock: &mut Clock<'_, '_>) {
    clock.holders = Holders::of(clock.play);
    clock.redraw();
}
