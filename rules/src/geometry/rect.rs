//! An oriented rectangle: a stand, a leader, a piece of works.

use protocol::place::{Bearing, Corners, Point};

use super::{Frame, FrontEdge, UNIT, Vector};

/// A rectangle with a front. Its corners are computed once, straight from the frame it was laid out in. SCALE-06
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Front left, front right, rear right, rear left.
    pub corners: Corners,
    /// The centre. SCALE-08
    pub center: Point,
    /// The bearing of its front.
    pub facing: Bearing,
    /// Its front, in thousandths.
    pub width: i32,
    /// Front to rear, in thousandths.
    pub depth: i32,
}

impl Rect {
    /// A rectangle from the middle of its front edge.
    pub fn from_front(front: Frame, width: i32, depth: i32) -> Rect {
        Rect::laid_out(front, 0, 0, 0, width, depth)
    }

    /// A rectangle about its centre.
    pub fn centered(center: Point, facing: Bearing, width: i32, depth: i32) -> Rect {
        Rect::laid_out(Frame::new(center, facing), i64::from(depth), 0, 0, width, depth)
    }

    /// A rectangle laid out in another frame: the middle of its front edge lies at an offset in half-thousandths, and
    /// it is turned against the frame by so many hundredths of a degree.
    pub fn laid_out(frame: Frame, forward: i64, right: i64, turn: i32, width: i32, depth: i32) -> Rect {
        let facing = frame.facing.turned(turn);
        let front_middle = frame.offset(forward, right);
        Rect::from_exact_front(frame.anchor, front_middle, facing, width, depth)
    }

    /// A rectangle turned about its own rear corner on one side: `hinge` is that corner's offset in the frame, in
    /// half-thousandths, and the rectangle lies to the right of the hinge (`side` 1) or to its left (-1). ENF-12
    pub fn hinged(frame: Frame, hinge: (i64, i64), side: i32, turn: i32, width: i32, depth: i32) -> Rect {
        let facing = frame.facing.turned(turn);
        let own = Frame::new(frame.anchor, facing);
        let front_middle =
            frame.offset(hinge.0, hinge.1).plus(own.offset(2 * i64::from(depth), i64::from(side) * i64::from(width)));
        Rect::from_exact_front(frame.anchor, front_middle, facing, width, depth)
    }

    /// All points from one exact vector, so that no rounded point is the base of another. SCALE-06
    fn from_exact_front(anchor: Point, front_middle: Vector, facing: Bearing, width: i32, depth: i32) -> Rect {
        let own = Frame::new(anchor, facing);
        let (half_width, whole_depth) = (i64::from(width), 2 * i64::from(depth));
        let point = |forward: i64, right: i64| -> Point {
            front_middle.plus(own.offset(forward, right)).applied_to(anchor, 2 * UNIT)
        };
        Rect {
            corners: [
                point(0, -half_width),
                point(0, half_width),
                point(-whole_depth, half_width),
                point(-whole_depth, -half_width),
            ],
            center: point(-i64::from(depth), 0),
            facing,
            width,
            depth,
        }
    }

    /// The same rectangle elsewhere, not turned. Exact, since offsets are rounded apart from the anchor. SCALE-06
    pub fn carried(&self, east: i32, north: i32) -> Rect {
        let moved = |point: Point| Point::new(point.x + east, point.y + north);
        Rect { corners: self.corners.map(moved), center: moved(self.center), ..*self }
    }

    /// The radius of a circle about its centre that holds it: half of width and depth together is never less than half the
    /// diagonal.
    pub const fn circle(&self) -> i32 {
        (self.width + self.depth) / 2 + 1
    }

    /// The front-left corner.
    pub fn front_left(&self) -> Point {
        self.corners[0]
    }

    /// The front-right corner.
    pub fn front_right(&self) -> Point {
        self.corners[1]
    }

    /// The rear-right corner.
    pub fn rear_right(&self) -> Point {
        self.corners[2]
    }

    /// The rear-left corner.
    pub fn rear_left(&self) -> Point {
        self.corners[3]
    }

    /// Its front edge, for the zones built on it. FIRE-22
    pub fn front_edge(&self) -> FrontEdge {
        FrontEdge { facing: self.facing, left: self.front_left(), right: self.front_right() }
    }

    /// Its left edge as a front facing left. FORM-22
    pub fn left_edge(&self) -> FrontEdge {
        FrontEdge { facing: self.facing.turned(-9_000), left: self.rear_left(), right: self.front_left() }
    }

    /// Its right edge as a front facing right. FORM-22
    pub fn right_edge(&self) -> FrontEdge {
        FrontEdge { facing: self.facing.turned(9_000), left: self.front_right(), right: self.rear_right() }
    }

    /// Its rear edge as a front facing backward. ENF-09
    pub fn rear_edge(&self) -> FrontEdge {
        FrontEdge { facing: self.facing.reversed(), left: self.rear_right(), right: self.rear_left() }
    }

    /// The corners drawn in by so many thousandths on every side. VIS-13
    pub fn shrunk(&self, by: i32) -> Corners {
        let inward = |corner: Point, forward: i32, right: i32| Frame::new(corner, self.facing).at(forward, right);
        [
            inward(self.corners[0], -by, by),
            inward(self.corners[1], -by, -by),
            inward(self.corners[2], by, -by),
            inward(self.corners[3], by, by),
        ]
    }
}
