//! Plain geometry of the table, in inches.
//!
//! Owns vectors, outlines and boxes as the bot reckons with them. It is rough on purpose: the server
//! judges every order, so a judgement of the bot may be off by a hair and no rule is broken. Floats
//! are fine here: a plan has to be the same on one machine only.

use protocol::place::{Bearing, Corners, Point};

/// A place or a displacement: `x` east, `y` north, inches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vector {
    /// Inches to the east.
    pub x: f64,
    /// Inches to the north.
    pub y: f64,
}

impl Vector {
    /// From its parts, inches.
    pub const fn new(x: f64, y: f64) -> Self {
        Vector { x, y }
    }

    /// The unit vector along a bearing.
    pub fn along(bearing: Bearing) -> Self {
        let angle = (f64::from(bearing.hundredths()) / 100.0).to_radians();
        Vector::new(angle.sin(), angle.cos())
    }

    /// The bearing in which this vector points; north for no length.
    pub fn bearing(self) -> Bearing {
        Bearing::wrapping((self.x.atan2(self.y).to_degrees() * 100.0).round() as i32)
    }

    /// A quarter turn clockwise: the right hand of somebody who looks along this vector.
    pub fn right(self) -> Self {
        Vector::new(self.y, -self.x)
    }

    /// Sum.
    pub fn plus(self, other: Vector) -> Self {
        Vector::new(self.x + other.x, self.y + other.y)
    }

    /// Difference.
    pub fn minus(self, other: Vector) -> Self {
        Vector::new(self.x - other.x, self.y - other.y)
    }

    /// Times a number.
    pub fn times(self, factor: f64) -> Self {
        Vector::new(self.x * factor, self.y * factor)
    }

    /// Dot product.
    pub fn dot(self, other: Vector) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Length in inches.
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Distance in inches.
    pub fn distance(self, other: Vector) -> f64 {
        self.minus(other).length()
    }

    /// Length one in the same direction; north for no length.
    pub fn unit(self) -> Self {
        let length = self.length();
        if length < 1e-9 { Vector::new(0.0, 1.0) } else { self.times(1.0 / length) }
    }

    /// Part of the way to `other`: 0 is here, 1 is there.
    pub fn toward(self, other: Vector, part: f64) -> Self {
        self.plus(other.minus(self).times(part))
    }
}

impl From<Point> for Vector {
    fn from(point: Point) -> Self {
        Vector::new(f64::from(point.x) / 1000.0, f64::from(point.y) / 1000.0)
    }
}

impl From<Vector> for Point {
    fn from(vector: Vector) -> Self {
        Point::new((vector.x * 1000.0).round() as i32, (vector.y * 1000.0).round() as i32)
    }
}

/// The least angle between two bearings in degrees.
pub fn degrees_between(one: Bearing, other: Bearing) -> f64 {
    f64::from(one.angle_to(other)) / 100.0
}

/// The turn from one bearing to another in degrees, clockwise positive, between -180 and 180.
pub fn degrees_turned(from: Bearing, to: Bearing) -> f64 {
    let clockwise = (f64::from(to.hundredths()) - f64::from(from.hundredths())).rem_euclid(36_000.0) / 100.0;
    if clockwise <= 180.0 { clockwise } else { clockwise - 360.0 }
}

/// A bearing turned by so many degrees, clockwise positive.
pub fn turned(bearing: Bearing, degrees: f64) -> Bearing {
    bearing.turned((degrees * 100.0).round() as i32)
}

/// Distance from a place to a segment.
pub fn distance_to_segment(place: Vector, a: Vector, b: Vector) -> f64 {
    let along = b.minus(a);
    let length = along.dot(along);
    if length < 1e-12 {
        return place.distance(a);
    }
    let part = (place.minus(a).dot(along) / length).clamp(0.0, 1.0);
    place.distance(a.toward(b, part))
}

/// Whether two segments cross.
pub fn segments_cross(a: Vector, b: Vector, c: Vector, d: Vector) -> bool {
    let side = |p: Vector, q: Vector, r: Vector| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

/// A closed outline with its bounding box.
#[derive(Clone, Debug)]
pub struct Outline {
    corners: Vec<Vector>,
    least: Vector,
    most: Vector,
}

impl Outline {
    /// From its corners in order.
    pub fn new(points: &[Point]) -> Self {
        let corners: Vec<Vector> = points.iter().copied().map(Vector::from).collect();
        let mut least = Vector::new(f64::INFINITY, f64::INFINITY);
        let mut most = Vector::new(f64::NEG_INFINITY, f64::NEG_INFINITY);
        for corner in &corners {
            least = Vector::new(least.x.min(corner.x), least.y.min(corner.y));
            most = Vector::new(most.x.max(corner.x), most.y.max(corner.y));
        }
        Outline { corners, least, most }
    }

    /// The middle of its bounding box; the corner of the table for an outline without corners.
    pub fn middle(&self) -> Vector {
        if self.corners.is_empty() { Vector::default() } else { self.least.toward(self.most, 0.5) }
    }

    /// Half the longer side of its bounding box, inches.
    pub fn reach(&self) -> f64 {
        if self.corners.is_empty() {
            return 0.0;
        }
        (self.most.x - self.least.x).max(self.most.y - self.least.y) / 2.0
    }

    /// Whether a place lies inside.
    pub fn holds(&self, place: Vector) -> bool {
        let outside =
            place.x < self.least.x || self.most.x < place.x || place.y < self.least.y || self.most.y < place.y;
        if outside || self.corners.len() < 3 {
            return false;
        }
        let mut inside = false;
        let mut previous = self.corners[self.corners.len() - 1];
        for &corner in &self.corners {
            let straddles = (place.y < corner.y) != (place.y < previous.y);
            if straddles {
                let x = previous.x + (corner.x - previous.x) * (place.y - previous.y) / (corner.y - previous.y);
                if place.x < x {
                    inside = !inside;
                }
            }
            previous = corner;
        }
        inside
    }

    /// Distance of a place from the outline's inside: 0 within.
    pub fn distance(&self, place: Vector) -> f64 {
        if self.holds(place) {
            return 0.0;
        }
        let Some(&last) = self.corners.last() else { return f64::INFINITY };
        let mut previous = last;
        let mut least = f64::INFINITY;
        for &corner in &self.corners {
            least = least.min(distance_to_segment(place, previous, corner));
            previous = corner;
        }
        least
    }
}

/// The box around a unit's stands, set square to its facing.
#[derive(Clone, Copy, Debug)]
pub struct Footprint {
    /// Front left, front right, rear right, rear left.
    pub corners: [Vector; 4],
}

impl Footprint {
    /// The box around all stands; a point where a unit shows none.
    pub fn new(anchor: Vector, facing: Bearing, stands: &[Corners]) -> Self {
        let ahead = Vector::along(facing);
        let right = ahead.right();
        let (mut front, mut rear, mut left, mut far_right) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        for corner in stands.iter().flatten() {
            let offset = Vector::from(*corner).minus(anchor);
            front = front.max(offset.dot(ahead));
            rear = rear.min(offset.dot(ahead));
            far_right = far_right.max(offset.dot(right));
            left = left.min(offset.dot(right));
        }
        let at = |along: f64, across: f64| anchor.plus(ahead.times(along)).plus(right.times(across));
        Footprint { corners: [at(front, left), at(front, far_right), at(rear, far_right), at(rear, left)] }
    }

    /// Its middle.
    pub fn middle(&self) -> Vector {
        self.corners[0].toward(self.corners[2], 0.5)
    }

    /// Width of its front, inches.
    pub fn width(&self) -> f64 {
        self.corners[0].distance(self.corners[1])
    }

    /// Depth, inches.
    pub fn depth(&self) -> f64 {
        self.corners[1].distance(self.corners[2])
    }

    /// The same box moved.
    pub fn moved(&self, by: Vector) -> Self {
        Footprint { corners: self.corners.map(|corner| corner.plus(by)) }
    }

    /// Whether a straight line passes through the box.
    pub fn is_crossed_by(&self, a: Vector, b: Vector) -> bool {
        (0..4).any(|side| segments_cross(self.corners[side], self.corners[(side + 1) % 4], a, b))
    }

    /// Least distance between two boxes; 0 where they overlap or touch.
    pub fn distance(&self, other: &Footprint) -> f64 {
        let mut least = f64::INFINITY;
        for i in 0..4 {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % 4]);
            for j in 0..4 {
                let (c, d) = (other.corners[j], other.corners[(j + 1) % 4]);
                if segments_cross(a, b, c, d) {
                    return 0.0;
                }
                least = least.min(distance_to_segment(c, a, b)).min(distance_to_segment(a, c, d));
            }
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bearings_and_vectors_agree() {
        for (vector, bearing) in [
            (Vector::new(0.0, 1.0), Bearing::NORTH),
            (Vector::new(1.0, 0.0), Bearing::EAST),
            (Vector::new(0.0, -1.0), Bearing::SOUTH),
            (Vector::new(-1.0, 0.0), Bearing::WEST),
        ] {
            assert_eq!(vector.bearing(), bearing);
            assert!(Vector::along(bearing).distance(vector) < 1e-9);
        }
        assert_eq!(Vector::new(0.0, 1.0).right(), Vector::new(1.0, 0.0));
        assert_eq!(degrees_turned(Bearing::NORTH, Bearing::WEST), -90.0);
        assert_eq!(degrees_turned(Bearing::wrapping(35_000), Bearing::wrapping(1_000)), 20.0);
    }

    #[test]
    fn an_outline_holds_what_lies_inside() {
        let square = Outline::new(&[
            Point::new(0, 0),
            Point::new(4_000, 0),
            Point::new(4_000, 4_000),
            Point::new(2_000, 2_000),
            Point::new(0, 4_000),
        ]);
        assert!(square.holds(Vector::new(1.0, 1.0)));
        assert!(!square.holds(Vector::new(2.0, 3.0)), "the notch is outside");
        assert_eq!(square.distance(Vector::new(6.0, 1.0)), 2.0);
    }

    #[test]
    fn boxes_measure_their_gap() {
        let stand = [Point::new(-1_000, 0), Point::new(1_000, 0), Point::new(1_000, -500), Point::new(-1_000, -500)];
        let one = Footprint::new(Vector::default(), Bearing::NORTH, &[stand]);
        assert!((one.width() - 2.0).abs() < 1e-9 && (one.depth() - 0.5).abs() < 1e-9);
        assert!((one.distance(&one.moved(Vector::new(0.0, 3.0))) - 2.5).abs() < 1e-9);
        assert_eq!(one.distance(&one.moved(Vector::new(1.0, 0.25))), 0.0);
    }
}
