//! SCALE-06 Directions as integer vectors, and points at offsets from an anchor.

use std::sync::LazyLock;

use protocol::place::{Bearing, Point};

use super::UNIT;

/// The sines of 0 to 90 degrees by hundredths, times 10^6, rounded half away from zero. SCALE-06
static SINES: LazyLock<Vec<i64>> = LazyLock::new(|| {
    let radians = std::f64::consts::PI / 18_000.0;
    (0..=9_000).map(|hundredths| libm::round(libm::sin(f64::from(hundredths) * radians) * 1e6) as i64).collect()
});

/// An integer vector: a displacement in thousandths of an inch, or a direction of length [`UNIT`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Vector {
    /// To the east.
    pub x: i64,
    /// To the north.
    pub y: i64,
}

impl Vector {
    /// The displacement that leads from one point to another.
    pub const fn between(from: Point, to: Point) -> Vector {
        Vector { x: to.x as i64 - from.x as i64, y: to.y as i64 - from.y as i64 }
    }

    /// The dot product.
    pub const fn dot(self, other: Vector) -> i64 {
        self.x * other.x + self.y * other.y
    }

    /// The cross product: positive when `other` lies counter-clockwise of this vector.
    pub const fn cross(self, other: Vector) -> i64 {
        self.x * other.y - self.y * other.x
    }

    /// The square of the length.
    pub const fn length_squared(self) -> i64 {
        self.dot(self)
    }

    /// This vector times a whole number.
    pub const fn times(self, factor: i64) -> Vector {
        Vector { x: self.x * factor, y: self.y * factor }
    }

    /// The sum of two vectors.
    pub const fn plus(self, other: Vector) -> Vector {
        Vector { x: self.x + other.x, y: self.y + other.y }
    }

    /// The opposite vector.
    pub const fn reversed(self) -> Vector {
        self.times(-1)
    }

    /// The point reached from `from`, after dividing both components by `divisor`, rounded.
    pub(super) fn applied_to(self, from: Point, divisor: i64) -> Point {
        Point::new(from.x + round_div(self.x, divisor) as i32, from.y + round_div(self.y, divisor) as i32)
    }
}

/// Division rounded half away from zero, as everywhere in the geometry. The divisor is positive. SCALE-06
pub const fn round_div(value: i64, divisor: i64) -> i64 {
    let rounded = (value.abs() * 2 + divisor) / (divisor * 2);
    if value < 0 { -rounded } else { rounded }
}

/// SCALE-06 The forward vector f of a bearing, of length [`UNIT`].
pub fn forward(bearing: Bearing) -> Vector {
    let hundredths = bearing.hundredths() as usize;
    let within_quarter = hundredths % 9_000;
    let (sine, cosine) = (SINES[within_quarter], SINES[9_000 - within_quarter]);
    match hundredths / 9_000 {
        0 => Vector { x: sine, y: cosine },
        1 => Vector { x: cosine, y: -sine },
        2 => Vector { x: -sine, y: -cosine },
        _ => Vector { x: -cosine, y: sine },
    }
}

/// SCALE-06 The right-hand vector r of a bearing, of length [`UNIT`].
pub fn right(bearing: Bearing) -> Vector {
    let Vector { x, y } = forward(bearing);
    Vector { x: y, y: -x }
}

/// The bearing from one point to another, rounded to hundredths of a degree. None when the points are the same.
pub fn bearing_between(from: Point, to: Point) -> Option<Bearing> {
    let Vector { x, y } = Vector::between(from, to);
    if x == 0 && y == 0 {
        return None;
    }
    // One quarter is computed and the others follow by symmetry, so that mirrored places have mirrored bearings.
    let angle = libm::atan2(x.abs() as f64, y.abs() as f64) * (18_000.0 / std::f64::consts::PI);
    let quarter = libm::round(angle) as i32;
    Some(Bearing::wrapping(match (x < 0, y < 0) {
        (false, false) => quarter,
        (false, true) => 18_000 - quarter,
        (true, true) => 18_000 + quarter,
        (true, false) => -quarter,
    }))
}

/// The point turned about a pivot by so many hundredths of a degree, clockwise when positive. Each component is rounded.
pub fn rotated_about(point: Point, pivot: Point, clockwise: i32) -> Point {
    let Vector { x: sine, y: cosine } = forward(Bearing::wrapping(clockwise));
    let Vector { x, y } = Vector::between(pivot, point);
    Vector { x: x * cosine + y * sine, y: y * cosine - x * sine }.applied_to(pivot, UNIT)
}

/// An anchor with a facing: from here offsets forward and to the right are measured. FORM-03
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// The point from which offsets are measured.
    pub anchor: Point,
    /// The direction called forward.
    pub facing: Bearing,
}

impl Frame {
    /// A frame at a point, facing a bearing.
    pub const fn new(anchor: Point, facing: Bearing) -> Frame {
        Frame { anchor, facing }
    }

    /// SCALE-06 The point at an offset in thousandths: so much forward, so much to the right.
    pub fn at(self, forward: i32, right: i32) -> Point {
        self.at_halves(i64::from(forward) * 2, i64::from(right) * 2)
    }

    /// SCALE-06 The point at an offset in half-thousandths: half widths are not whole thousandths.
    pub fn at_halves(self, forward: i64, right: i64) -> Point {
        self.offset(forward, right).applied_to(self.anchor, 2 * UNIT)
    }

    /// The unrounded offset vector; its scale is that of its arguments times [`UNIT`].
    pub(crate) fn offset(self, forward_by: i64, right_by: i64) -> Vector {
        forward(self.facing).times(forward_by).plus(right(self.facing).times(right_by))
    }

    /// How far a point lies ahead of the anchor: f.(Q - P), in thousandths times [`UNIT`].
    pub fn ahead(self, point: Point) -> i64 {
        forward(self.facing).dot(Vector::between(self.anchor, point))
    }

    /// How far a point lies to the right of the anchor: r.(Q - P), in thousandths times [`UNIT`].
    pub fn to_right(self, point: Point) -> i64 {
        right(self.facing).dot(Vector::between(self.anchor, point))
    }

    /// The frame carried along by an offset in thousandths, facing as before.
    pub fn moved(self, forward: i32, right: i32) -> Frame {
        Frame::new(self.at(forward, right), self.facing)
    }

    /// The frame wheeled about a pivot, clockwise when positive.
    pub fn wheeled(self, pivot: Point, clockwise: i32) -> Frame {
        Frame::new(rotated_about(self.anchor, pivot, clockwise), self.facing.turned(clockwise))
    }
}
