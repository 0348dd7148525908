//! The line of a picket in phase 7, as it counts after a segment. HID-24, HID-48, HID-50
//!
//! Owns how far along its line a marker is: after segment k of N it has covered k/N of the length, whatever it hides. It moves
//! nothing.

use protocol::ids::PicketNumber;
use protocol::orders::{FormTask, MoveOrder, Order};
use protocol::place::Point;

use crate::battle::{SideSecrets, UnitIx};
use crate::geometry::{point_toward, segment_length};
use crate::movement::{self, SEGMENTS};
use crate::play::Play;

/// HID-24 Notes where the markers stand when phase 7 begins.
pub(crate) fn begin_marches(play: &mut Play<'_>) {
    play.sighted.starts = play.table().pickets.iter().map(|(number, picket)| (*number, picket.at)).collect();
}

/// HID-48 Whether the marker has come to the end of a leg of its newest path, from 1, in this phase 7.
pub(super) fn has_ended(play: &Play<'_>, own: &SideSecrets, number: PicketNumber, leg: u32) -> bool {
    let (Some(segment), Some(start)) = (play.segment, play.sighted.starts.get(&number)) else { return false };
    let path = own.picket_orders.get(&number).map(|orders| path_of(orders, *start, play.stage));
    let (Some(path), Some(picket)) = (path, play.table().pickets.get(&number)) else { return false };
    let Some(leg) = usize::try_from(leg).ok().filter(|leg| (1..=path.len()).contains(leg)) else { return false };
    let (whole, so_far) = (length(*start, &path), length(*start, &path[..leg]));
    // A marker that has stopped is not where the line would have it. HID-81
    let due = point_at(*start, &path, covered(whole, segment));
    so_far <= covered(whole, segment) && segment_length(due, picket.at) <= ROUNDING
}

/// Places along a line are rounded, thousandths of an inch.
const ROUNDING: i32 = 5;

/// The newest path of a picket that marches; empty for any other.
fn path_of(orders: &crate::battle::UnitOrders, start: Point, stage: protocol::orders::Stage) -> Vec<Point> {
    let Order::Move(order) = &orders.order else { return Vec::new() };
    let said = orders.said.iter().rev().filter(|(opened, _)| **opened <= stage);
    let answer = said.into_iter().find_map(|(_, said)| said.path.clone());
    movement::redrawn(order, start, answer.as_ref()).path
}

/// What is left of a line: the corners still to come, and the facing stays.
pub(crate) struct Rest {
    /// Where the unit is, then the corners of its own way.
    pub(crate) corners: Vec<Point>,
    /// The change of formation that closes the move.
    pub(crate) form_last: Option<FormTask>,
}

/// HID-24, HID-50 The rest of the line of a unit that is placed in phase 7: the marker's, carried to where the unit stands.
pub(crate) fn rest_of_line(play: &Play<'_>, ix: UnitIx, order: &MoveOrder) -> Option<Rest> {
    let unit = &play.table()[ix];
    let (number, _) = unit.picket?;
    let start = *play.sighted.starts.get(&number)?;
    let segment = play.segment?.min(SEGMENTS);
    let whole = length(start, &order.path);
    let done = covered(whole, segment);
    let here = point_at(start, &order.path, done);
    let mut from_start = 0;
    let mut before = start;
    let mut left = Vec::new();
    for corner in &order.path {
        from_start += segment_length(before, *corner);
        before = *corner;
        if done < from_start {
            left.push(*corner);
        }
    }
    let at = unit.footing.anchor;
    let carried = |point: &Point| Point::new(point.x - here.x + at.x, point.y - here.y + at.y);
    let corners: Vec<Point> = std::iter::once(at).chain(left.iter().map(carried)).collect();
    (1 < corners.len()).then(|| Rest { corners, form_last: order.form_last.clone() })
}

/// HID-24 How much of a line is covered after a segment, thousandths of an inch.
fn covered(whole: i32, segment: u8) -> i32 {
    let covered = i64::from(whole) * i64::from(segment.min(SEGMENTS)) / i64::from(SEGMENTS);
    i32::try_from(covered).unwrap_or(whole)
}

fn length(start: Point, path: &[Point]) -> i32 {
    let ends = std::iter::once(&start).chain(path);
    ends.zip(path).map(|(from, to)| segment_length(*from, *to)).sum()
}

/// The place after a travel along a line.
fn point_at(start: Point, path: &[Point], travel: i32) -> Point {
    let (mut here, mut left) = (start, travel);
    for corner in path {
        let length = segment_length(here, *corner);
        if left < length {
            return point_toward(here, *corner, left);
        }
        left -= length;
        here = *corner;
    }
    here
}
