//! What closes the phase: nobody stands on anybody, and those who pushed roll. MV-29, MOVE-14

use protocol::event::Fact;
use protocol::words::Arm;

use super::body::{Body, Shape};
use super::clock::{Clock, State};
use super::leaders;
use super::program::SEGMENTS;
use super::tail;
use crate::catalogue::{MOVE_14, MV_29};
use crate::column;
use crate::crowd::Crowd;
use crate::explain::sentence;

/// MV-29 Movers on top of others go back along their own ways, all by equal times, until everybody is clear.
pub(super) fn clear_overlaps(clock: &mut Clock<'_, '_>) {
    let mut back: Vec<u8> = vec![SEGMENTS; clock.movers.len()];
    let mut moved_back = vec![false; clock.movers.len()];
    loop {
        let crowd = clock.crowd();
        let overlapping: Vec<usize> = (0..clock.movers.len())
            .filter(|&n| clock.movers[n].entered < back[n] && stands_on_another(clock, &crowd, n))
            .collect();
        if overlapping.is_empty() {
            break;
        }
        // All go back by the same time: who came first stays where it is until the others' time reaches its own.
        let mut redrawn = false;
        for n in overlapping {
            back[n] -= 1;
            let moved = put_back(clock, n, back[n]);
            moved_back[n] |= moved;
            // Once a round is enough for all the others: after that nobody moves but who is put back.
            if moved && !std::mem::replace(&mut redrawn, true) {
                clock.redraw();
            }
        }
    }
    for n in (0..clock.movers.len()).filter(|&n| moved_back[n]) {
        let (ix, body) = (clock.movers[n].unit, clock.movers[n].body.clone());
        let mover = &mut clock.movers[n];
        mover.track.retain(|(segment, _)| *segment <= back[n]);
        mover.track.push((SEGMENTS, body));
        mover.state = State::Halted(MV_29, "another unit stands where it would have ended".to_owned());
        clock.play.table_mut()[ix].marks.moved = true;
    }
}

fn stands_on_another(clock: &Clock<'_, '_>, crowd: &Crowd, n: usize) -> bool {
    let mover = &clock.movers[n];
    let unit = &clock.play.table()[mover.unit];
    if mover.state == State::Waiting || !unit.on_table() || unit.marks.fell_back || !unit.is_unrouted() {
        return false;
    }
    let Some(shape) = &clock.shapes[mover.unit.0 as usize] else { return false };
    let others = crowd.near(shape.extent(), 0).into_iter().filter(|other| *other != mover.unit);
    others.filter_map(|other| clock.shapes[other.0 as usize].as_ref()).any(|other| shape.overlaps(other))
}

/// Puts a mover where it stood at the end of a segment; whether that is elsewhere.
fn put_back(clock: &mut Clock<'_, '_>, n: usize, segment: u8) -> bool {
    let mover = &mut clock.movers[n];
    let mut earlier: Body = mover.body_by(segment);
    earlier.footing.prone = mover.body.footing.prone;
    if earlier == mover.body {
        return false;
    }
    let ix = mover.unit;
    let (before, shape) =
        (clock.shapes[ix.0 as usize].as_ref().map(Shape::center), mover.tail.shape(&earlier, mover.stands));
    mover.body = earlier.clone();
    earlier.put(&mut clock.play.battle.table[ix]);
    if let Some(before) = before {
        let after = shape.center();
        leaders::carry(clock.play, ix, (after.x - before.x, after.y - before.y));
    }
    tail::drag(clock.play, ix, false, false);
    clock.redraw_unit(ix);
    true
}

/// MOVE-14 One roll for each unit that used any of its push.
pub(super) fn push_rolls(clock: &mut Clock<'_, '_>) {
    for n in 0..clock.movers.len() {
        let mover = &clock.movers[n];
        let unit = &clock.play.table()[mover.unit];
        if !mover.has_pushed() || !unit.on_table() || !unit.is_unrouted() {
            continue;
        }
        let ix = mover.unit;
        let passed = super::officer::push(clock.play, ix);
        let unit = &mut clock.play.battle.table[ix];
        if passed || unit.footing.disorder || unit.arm == Arm::Artillery {
            continue;
        }
        unit.footing.disorder = true;
        let (id, name) = (unit.id.clone(), unit.name.clone());
        clock.movers[n].body.footing.disorder = true;
        let text = format!("{name} has lost its order in the quick march.");
        clock.play.tell(MOVE_14, Fact::Disorder { unit: id, disorder: true }, sentence(text));
        column::disorder_with_lead(clock.play, ix);
        if let Some((_, body)) = clock.movers[n].track.last_mut() {
            body.footing.disorder = true;
        }
    }
}
