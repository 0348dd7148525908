//! Segments and polylines: crossings, lengths, points along them, and the parts that lie inside polygons.

use std::cmp::Ordering;

use protocol::place::{Bearing, Point};

use super::polygon::{FINE, edges, fine_point_is_inside};
use super::{EPS, Vector, bearing_between, contains, round_div};

/// A place on a segment as an exact fraction of its length: 0 at its start, 1 at its end.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    part: i128,
    whole: i128,
}

impl Share {
    /// The start of the segment.
    pub const START: Share = Share { part: 0, whole: 1 };
    /// The end of the segment.
    pub const END: Share = Share { part: 1, whole: 1 };

    /// A fraction in which the sign stands above.
    fn new(part: i64, whole: i64) -> Share {
        let sign = if whole < 0 { -1 } else { 1 };
        Share { part: i128::from(part) * sign, whole: i128::from(whole) * sign }
    }

    fn is_on_segment(self) -> bool {
        0 <= self.part && self.part <= self.whole
    }

    /// The point of the segment from `a` to `b` at this share, rounded.
    pub fn point(self, a: Point, b: Point) -> Point {
        let component = |from: i32, to: i32| {
            let product = i128::from(i64::from(to) - i64::from(from)) * self.part;
            from + round_wide(product, self.whole) as i32
        };
        Point::new(component(a.x, b.x), component(a.y, b.y))
    }

    /// One coordinate of the point, in [`FINE`] parts of a thousandth.
    fn fine_component(self, from: i32, to: i32) -> i128 {
        let (from, to) = (i128::from(from) * FINE, i128::from(to) * FINE);
        from + round_wide((to - from) * self.part, self.whole)
    }
}

impl PartialEq for Share {
    fn eq(&self, other: &Share) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Share {}

impl PartialOrd for Share {
    fn partial_cmp(&self, other: &Share) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Share {
    fn cmp(&self, other: &Share) -> Ordering {
        (self.part * other.whole).cmp(&(other.part * self.whole))
    }
}

/// A stretch of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Where it begins.
    pub from: Share,
    /// Where it ends; not before `from`.
    pub to: Share,
}

/// Stretches of one segment, in order, apart from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intervals(Vec<Interval>);

impl Intervals {
    /// The stretches, in order.
    pub fn iter(&self) -> impl Iterator<Item = Interval> + '_ {
        self.0.iter().copied()
    }

    /// True when the segment has no stretch inside, however short.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The stretches that lie in one, or the other, or both.
    pub fn union(&self, other: &Intervals) -> Intervals {
        let mut all: Vec<Interval> = self.iter().chain(other.iter()).collect();
        all.sort_by(|a, b| a.from.cmp(&b.from).then(a.to.cmp(&b.to)));
        let mut merged: Vec<Interval> = Vec::new();
        for interval in all {
            match merged.last_mut() {
                Some(last) if interval.from <= last.to => last.to = last.to.max(interval.to),
                _ => merged.push(interval),
            }
        }
        Intervals(merged)
    }

    /// The stretches that lie in this set and not in the other.
    pub fn minus(&self, other: &Intervals) -> Intervals {
        let mut left = Vec::new();
        for interval in self.iter() {
            let mut from = interval.from;
            for cut in other.iter().filter(|cut| interval.from < cut.to && cut.from < interval.to) {
                if from < cut.from {
                    left.push(Interval { from, to: cut.from });
                }
                from = from.max(cut.to);
            }
            if from < interval.to {
                left.push(Interval { from, to: interval.to });
            }
        }
        Intervals(left)
    }

    /// The length of all stretches together on the segment from `a` to `b`: summed, then rounded to thousandths. VIS-03
    pub fn length(&self, a: Point, b: Point) -> i32 {
        const PARTS: i128 = 1_000_000_000_000_000;
        let parts: i128 =
            self.iter().map(|Interval { from, to }| to.part * PARTS / to.whole - from.part * PARTS / from.whole).sum();
        to_thousandths(round_wide(parts * length_in_millionths(a, b), PARTS))
    }
}

/// Where the segment from `a` to `b` is crossed or touched by the segment from `c` to `d`. None when they miss each
/// other or are parallel.
pub fn crossing(a: Point, b: Point, c: Point, d: Point) -> Option<Share> {
    let (own, other, gap) = (Vector::between(a, b), Vector::between(c, d), Vector::between(a, c));
    let whole = own.cross(other);
    if whole == 0 {
        return None;
    }
    let on_own = Share::new(gap.cross(other), whole);
    let on_other = Share::new(gap.cross(own), whole);
    (on_own.is_on_segment() && on_other.is_on_segment()).then_some(on_own)
}

/// True when two segments have a point in common, ends included. Exact.
pub fn segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool {
    let side = |from: Point, to: Point, point: Point| Vector::between(from, to).cross(Vector::between(from, point));
    let (c_side, d_side, a_side, b_side) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b));
    if c_side == 0 && d_side == 0 {
        return in_box(a, b, c) || in_box(a, b, d) || in_box(c, d, a) || in_box(c, d, b);
    }
    c_side.signum() * d_side.signum() <= 0 && a_side.signum() * b_side.signum() <= 0
}

/// True when a segment has a point in common with a polygon, its outline included. Exact; any simple polygon.
pub fn segment_meets_polygon(a: Point, b: Point, polygon: &[Point]) -> bool {
    contains(polygon, a) || contains(polygon, b) || edges(polygon).any(|(c, d)| segments_meet(a, b, c, d))
}

/// ENF-06 True when the points are not all strictly on one side of the infinite line through `a` and `b`.
///
/// SCALE-07's tolerance is exact: a cross product s lies within EPS x length when s is of the right sign, or its
/// square is not more than EPS^2 x length^2.
pub fn meets_line(a: Point, b: Point, points: &[Point]) -> bool {
    let along = Vector::between(a, b);
    let tolerance = i128::from(EPS) * i128::from(EPS) * i128::from(along.length_squared());
    let sides = || points.iter().map(|&point| i128::from(along.cross(Vector::between(a, point))));
    let reaches_right = sides().any(|side| side <= 0 || side * side <= tolerance);
    let reaches_left = sides().any(|side| 0 <= side || side * side <= tolerance);
    reaches_right && reaches_left
}

/// The stretches of the segment from `a` to `b` that lie inside a simple polygon or on its outline.
///
/// The ends of the stretches are exact; whether what lies between two of them is inside is judged at its middle, which
/// is rounded to a millionth of a thousandth. A mere touch at a corner is no stretch.
pub fn clip_segment(a: Point, b: Point, polygon: &[Point]) -> Intervals {
    let along = Vector::between(a, b);
    let length_squared = along.length_squared();
    if length_squared == 0 {
        return Intervals::default();
    }
    let mut cuts = vec![Share::START, Share::END];
    for (c, d) in edges(polygon) {
        if along.cross(Vector::between(c, d)) == 0 && along.cross(Vector::between(a, c)) == 0 {
            let ends = [c, d].map(|end| Share::new(along.dot(Vector::between(a, end)), length_squared));
            cuts.extend(ends.into_iter().filter(|cut| cut.is_on_segment()));
        } else {
            cuts.extend(crossing(a, b, c, d));
        }
    }
    cuts.sort();
    cuts.dedup();
    let mut inside = Vec::new();
    for pair in cuts.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let middle_x = (from.fine_component(a.x, b.x) + to.fine_component(a.x, b.x)) / 2;
        let middle_y = (from.fine_component(a.y, b.y) + to.fine_component(a.y, b.y)) / 2;
        if fine_point_is_inside(polygon, middle_x, middle_y) {
            inside.push(Interval { from, to });
        }
    }
    Intervals(inside).union(&Intervals::default())
}

/// The length of a segment, rounded to thousandths.
pub fn segment_length(a: Point, b: Point) -> i32 {
    // No whole number has a root that ends in a half, so the root rounds up just when the square passes r^2 + r.
    let square = Vector::between(a, b).length_squared().unsigned_abs();
    let root = square.isqrt();
    let rounded = if root * root + root < square { root + 1 } else { root };
    i32::try_from(rounded).unwrap_or(i32::MAX)
}

/// The length of the arc of that radius over an angle in hundredths of a degree, rounded to thousandths.
pub fn arc_length(radius: i32, hundredths: i32) -> i32 {
    // 355 / 113 is pi to seven digits; a turn is 36000 hundredths of a degree.
    let way = i64::from(radius) * i64::from(hundredths.abs()) * 355;
    i32::try_from(round_div(way, 18_000 * 113)).unwrap_or(i32::MAX)
}

/// The length of a polyline: summed, then rounded to thousandths.
pub fn polyline_length(points: &[Point]) -> i32 {
    to_thousandths(points.windows(2).map(|leg| length_in_millionths(leg[0], leg[1])).sum())
}

/// The point at a distance from the start of a polyline, rounded, and the bearing of the leg it lies on. A point on a
/// corner belongs to the leg before it. Distances before the start or past the end give the start or the end. None
/// when the polyline has no length.
pub fn polyline_at(points: &[Point], distance: i32) -> Option<(Point, Bearing)> {
    polyline_at_halves(points, i64::from(distance) * 2)
}

/// As [`polyline_at`], the distance in half-thousandths: the middles of stands are not whole thousandths apart.
pub fn polyline_at_halves(points: &[Point], distance: i64) -> Option<(Point, Bearing)> {
    let wanted = i128::from(distance.max(0)) * (MILLION / 2);
    let mut walked = 0;
    let mut end = None;
    for leg in points.windows(2) {
        let (from, to) = (leg[0], leg[1]);
        let Some(bearing) = bearing_between(from, to) else { continue };
        let length = length_in_millionths(from, to);
        if wanted <= walked + length {
            return Some((share_of_leg(from, to, wanted - walked, length), bearing));
        }
        walked += length;
        end = Some((to, bearing));
    }
    end
}

/// The point at a distance from `from` in the direction of `to`, rounded; it may lie beyond `to`. Gives `from` when
/// the two are the same point.
pub fn point_toward(from: Point, to: Point, distance: i32) -> Point {
    match length_in_millionths(from, to) {
        0 => from,
        length => share_of_leg(from, to, i128::from(distance) * MILLION, length),
    }
}

const MILLION: i128 = 1_000_000;

fn share_of_leg(from: Point, to: Point, walked: i128, length: i128) -> Point {
    let component =
        |from: i32, to: i32| from + round_wide(i128::from(i64::from(to) - i64::from(from)) * walked, length) as i32;
    Point::new(component(from.x, to.x), component(from.y, to.y))
}

/// The length of a segment in millionths of a thousandth, rounded down.
fn length_in_millionths(a: Point, b: Point) -> i128 {
    (i128::from(Vector::between(a, b).length_squared()) * MILLION * MILLION).isqrt()
}

fn to_thousandths(millionths: i128) -> i32 {
    i32::try_from(round_wide(millionths, MILLION)).unwrap_or(i32::MAX)
}

/// Division rounded half away from zero; the divisor is positive.
fn round_wide(value: i128, divisor: i128) -> i128 {
    let rounded = (value.abs() * 2 + divisor) / (divisor * 2);
    if value < 0 { -rounded } else { rounded }
}

fn in_box(a: Point, b: Point, point: Point) -> bool {
    a.x.min(b.x) <= point.x && point.x <= a.x.max(b.x) && a.y.min(b.y) <= point.y && point.y <= a.y.max(b.y)
}
