//! Upright boxes about stands, for a quick no.

use protocol::place::Point;

use super::{Distance, EPS, Rect};

/// A box about some stands, its sides east-west and north-south.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    west: i32,
    east: i32,
    south: i32,
    north: i32,
}

impl Extent {
    /// The box of rectangles; of none a box that is near nothing.
    pub fn of<'r>(rects: impl IntoIterator<Item = &'r Rect>) -> Extent {
        let mut all = Extent { west: i32::MAX, east: i32::MIN, south: i32::MAX, north: i32::MIN };
        for corner in rects.into_iter().flat_map(|rect| rect.corners) {
            all.west = all.west.min(corner.x);
            all.east = all.east.max(corner.x);
            all.south = all.south.min(corner.y);
            all.north = all.north.max(corner.y);
        }
        all
    }

    /// The box about a circle.
    pub fn about(center: Point, radius: i32) -> Extent {
        Extent { west: center.x - radius, east: center.x + radius, south: center.y - radius, north: center.y + radius }
    }

    /// The box about the line between two points.
    pub fn spanning(one: Point, other: Point) -> Extent {
        let (west, east) = (one.x.min(other.x), one.x.max(other.x));
        Extent { west, east, south: one.y.min(other.y), north: one.y.max(other.y) }
    }

    /// The box in which all straight lines from here to another box are after so many of some equal parts of their way.
    pub fn on_the_way(self, to: Extent, part: i32, parts: i32) -> Extent {
        let weighed =
            |here: i32, there: i32| i64::from(here) * i64::from(parts - part) + i64::from(there) * i64::from(part);
        let parts = i64::from(parts.max(1));
        let down = |here, there| weighed(here, there).div_euclid(parts) as i32;
        let up = |here, there| -(-weighed(here, there)).div_euclid(parts) as i32;
        Extent {
            west: down(self.west, to.west),
            east: up(self.east, to.east),
            south: down(self.south, to.south),
            north: up(self.north, to.north),
        }
    }

    /// Its south-western and its north-eastern corner.
    pub fn corners(self) -> (Point, Point) {
        (Point::new(self.west, self.south), Point::new(self.east, self.north))
    }

    /// The middle of the box, east and north.
    pub fn middle(self) -> (i32, i32) {
        (self.west.midpoint(self.east), self.south.midpoint(self.north))
    }

    /// Half of its longer side, rounded up.
    pub fn half(self) -> i32 {
        let half = |low: i32, high: i32| i64::from(high).saturating_sub(i64::from(low)).max(0) / 2 + 1;
        i32::try_from(half(self.west, self.east).max(half(self.south, self.north))).unwrap_or(i32::MAX)
    }

    /// The box of both.
    pub fn with(self, other: Extent) -> Extent {
        Extent {
            west: self.west.min(other.west),
            east: self.east.max(other.east),
            south: self.south.min(other.south),
            north: self.north.max(other.north),
        }
    }

    /// A distance that the things in two boxes are at least apart.
    pub fn least_distance(self, other: Extent) -> Distance {
        Distance::of(i32::try_from(self.least_square(other).unsigned_abs().isqrt()).unwrap_or(i32::MAX))
    }

    /// The square of it, square thousandths.
    pub(super) fn least_square(self, other: Extent) -> i64 {
        let gap = |low: i32, high: i32| i64::from(high).saturating_sub(i64::from(low)).max(0);
        let aside = gap(self.east, other.west).max(gap(other.east, self.west));
        let along = gap(self.north, other.south).max(gap(other.north, self.south));
        aside * aside + along * along
    }

    /// Whether two boxes are nearer than so many thousandths, or touch; never no when the things in them are.
    pub fn may_be_within(self, other: Extent, reach: i32) -> bool {
        let apart = |low: i32, high: i32| low.saturating_add(reach).saturating_add(EPS) < high;
        !(apart(self.east, other.west)
            || apart(other.east, self.west)
            || apart(self.north, other.south)
            || apart(other.north, self.south))
    }
}
