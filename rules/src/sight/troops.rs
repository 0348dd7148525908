//! VIS-13 A clear line of fire past other troops.

use protocol::place::{Corners, Point};

use crate::geometry::{self, EPS, Rect, Vector};

/// A stand in the way: its rectangle, drawn in by the tolerance.
#[derive(Clone, Copy, Debug)]
pub struct Bulk {
    corners: Corners,
    /// The lowest and the highest coordinates of the corners.
    low: Point,
    high: Point,
}

impl Bulk {
    /// A stand as it stands in the way.
    pub fn of(stand: &Rect) -> Bulk {
        let corners = stand.shrunk(EPS);
        let most = |pick: fn(i32, i32) -> i32| {
            let [first, rest @ ..] = corners;
            rest.iter().fold(first, |all, corner| Point::new(pick(all.x, corner.x), pick(all.y, corner.y)))
        };
        Bulk { corners, low: most(i32::min), high: most(i32::max) }
    }

    /// Whether the line between two points meets it.
    fn is_met(&self, from: Point, to: Point) -> bool {
        let apart = self.high.x < from.x.min(to.x)
            || from.x.max(to.x) < self.low.x
            || self.high.y < from.y.min(to.y)
            || from.y.max(to.y) < self.low.y;
        if apart {
            return false;
        }
        // With all corners on one side of the line nothing can be met.
        let along = Vector::between(from, to);
        let side = |corner: &Point| along.cross(Vector::between(from, *corner));
        let beside =
            self.corners.iter().all(|corner| 0 < side(corner)) || self.corners.iter().all(|corner| side(corner) < 0);
        !beside && geometry::segment_meets_polygon(from, to, &self.corners)
    }
}

/// VIS-13 Whether the line between the centres of two stands meets none of the stands that could be in the way.
///
/// The caller chooses them: stands of open third units that block this kind of fire. He leaves out the hidden, leaders,
/// abandoned guns, wagons, and the firer's and the target's own. Ground is another question: `sight_line`.
pub fn clear_of_troops(from: Point, to: Point, blocking: &[Bulk]) -> bool {
    !blocking.iter().any(|stand| stand.is_met(from, to))
}
