//! The line of a picket in phase 7, as it counts after a segment. HID-24, HID-48
//!
//! Owns how far along its line a marker is: after segment k of N it has covered k/N of the length, whatever it hides. It moves
//! nothing.

use protocol::ids::PicketNumber;
use protocol::orders::Order;
use protocol::place::Point;

use crate::battle::SideSecrets;
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
