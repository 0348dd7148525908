//! Arcs and circles about a point.

use protocol::place::{Bearing, Point};

use super::{Frame, between_points, point_to_polygon, zones::EPS_UNIT};

/// True when a point lies in the arc about `facing` seen from `apex`: not more than `half_angle` hundredths of a
/// degree to either side, the rays included with the tolerance of SCALE-07. The apex itself is inside.
pub fn in_arc(apex: Point, facing: Bearing, half_angle: u32, point: Point) -> bool {
    if 18_000 <= half_angle {
        return true;
    }
    let turn = half_angle as i32;
    let right_of_left_ray = -EPS_UNIT <= Frame::new(apex, facing.turned(-turn)).to_right(point);
    let left_of_right_ray = Frame::new(apex, facing.turned(turn)).to_right(point) <= EPS_UNIT;
    let not_behind = -EPS_UNIT <= Frame::new(apex, facing).ahead(point);
    if half_angle <= 9_000 {
        right_of_left_ray && left_of_right_ray && not_behind
    } else {
        right_of_left_ray || left_of_right_ray
    }
}

/// A circle, boundary included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circle {
    /// Its centre.
    pub center: Point,
    /// Its radius in thousandths.
    pub radius: i32,
}

impl Circle {
    /// True when the point lies in the circle. SCALE-07
    pub fn contains(&self, point: Point) -> bool {
        between_points(self.center, point).within(self.radius)
    }

    /// True when the polygon reaches into the circle. SCALE-07
    pub fn reaches(&self, polygon: &[Point]) -> bool {
        point_to_polygon(self.center, polygon).within(self.radius)
    }
}
