//! Half-planes and 45 degree rays off a front edge: fire zones and the lines of the enfilade rules, as pure geometry.

use protocol::place::{Bearing, Point};

use super::{EPS, UNIT, Vector, forward, right};

/// SCALE-07 The tolerance of a half-plane test along f or r.
pub const EPS_UNIT: i64 = EPS as i64 * UNIT;

/// SCALE-07 The tolerance of a half-plane test along f + r or f - r.
pub const EPS_DIAGONAL: i64 = 2_828_427;

/// A front: the edge from its left to its right corner and the bearing it faces. FORM-03, FIRE-22
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontEdge {
    /// The bearing it faces.
    pub facing: Bearing,
    /// FL, the left corner.
    pub left: Point,
    /// FR, the right corner.
    pub right: Point,
}

impl FrontEdge {
    /// A = f.(Q - FL): how far a point lies ahead of the front line, in thousandths times [`UNIT`].
    pub fn ahead(&self, point: Point) -> i64 {
        forward(self.facing).dot(Vector::between(self.left, point))
    }

    /// L = -r.(Q - FL): how far a point lies to the left of the left corner, in thousandths times [`UNIT`].
    pub fn left_of(&self, point: Point) -> i64 {
        -right(self.facing).dot(Vector::between(self.left, point))
    }

    /// R = r.(Q - FR): how far a point lies to the right of the right corner, in thousandths times [`UNIT`].
    pub fn right_of(&self, point: Point) -> i64 {
        right(self.facing).dot(Vector::between(self.right, point))
    }

    /// FIRE-22 In the primary zone: straight ahead of the front, not farther than `depth` thousandths.
    pub fn in_primary(&self, point: Point, depth: i32) -> bool {
        let ahead = self.ahead(point);
        self.is_straight_ahead(point) && ahead <= i64::from(depth) * UNIT + EPS_UNIT
    }

    /// FIRE-23 In the secondary zone: inside the two 45 degree rays and not in the primary zone.
    pub fn in_secondary(&self, point: Point, primary_depth: i32) -> bool {
        self.in_sector(point) && !self.in_primary(point, primary_depth)
    }

    /// FIRE-22, FIRE-23 In front of the edge and between the 45 degree rays from its corners, at any depth. ENF-09
    pub fn in_sector(&self, point: Point) -> bool {
        let ahead = self.ahead(point);
        -EPS_UNIT <= ahead
            && self.left_of(point) <= ahead + EPS_DIAGONAL
            && self.right_of(point) <= ahead + EPS_DIAGONAL
    }

    /// ENF-05 Behind the front line, or on it.
    pub fn is_behind(&self, point: Point) -> bool {
        self.ahead(point) <= EPS_UNIT
    }

    /// ENF-02 Behind the left line: behind the front line, or beyond the ray from the left corner.
    pub fn is_behind_left_line(&self, point: Point) -> bool {
        let ahead = self.ahead(point);
        ahead <= EPS_UNIT || ahead - self.left_of(point) <= EPS_DIAGONAL
    }

    /// ENF-02 Behind the right line: behind the front line, or beyond the ray from the right corner.
    pub fn is_behind_right_line(&self, point: Point) -> bool {
        let ahead = self.ahead(point);
        ahead <= EPS_UNIT || ahead - self.right_of(point) <= EPS_DIAGONAL
    }

    /// The middle of the edge, rounded.
    pub fn middle(&self) -> Point {
        super::mean(&[self.left, self.right]).unwrap_or(self.left)
    }

    fn is_straight_ahead(&self, point: Point) -> bool {
        -EPS_UNIT <= self.ahead(point) && self.left_of(point) <= EPS_UNIT && self.right_of(point) <= EPS_UNIT
    }
}
