//! SCALE-07 Distances, kept as exact squares and compared without a square root.

use std::cmp::Ordering;

use protocol::place::Point;

use super::polygon::{edges, overlap_or_touch};
use super::{EPS, Extent, Rect, Vector, contains, segment_meets_polygon};

/// A distance, kept as its exact square: a fraction of squared thousandths. SCALE-07
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    squared: i128,
    divisor: i128,
}

impl Distance {
    /// No distance at all: things that touch or overlap.
    pub const ZERO: Distance = Distance { squared: 0, divisor: 1 };

    /// A distance of so many thousandths.
    pub const fn of(thousandths: i32) -> Distance {
        Distance { squared: thousandths as i128 * thousandths as i128, divisor: 1 }
    }

    /// SCALE-07 'Within R': not more than R, boundary and tolerance included.
    pub fn within(self, limit: i32) -> bool {
        let limit = i128::from(limit) + i128::from(EPS);
        0 <= limit && self.squared <= limit * limit * self.divisor
    }

    /// SCALE-07 'Closer than R', 'less than R'.
    pub fn closer_than(self, limit: i32) -> bool {
        let limit = i128::from(limit) - i128::from(EPS);
        0 < limit && self.squared < limit * limit * self.divisor
    }

    /// True when the two things touch or overlap, exactly.
    pub fn is_zero(self) -> bool {
        self.squared == 0
    }

    /// The distance in thousandths, rounded; for showing and for arithmetic with lengths, not for comparing with a limit.
    pub fn rounded(self) -> i32 {
        let whole = root(self.squared / self.divisor);
        let next_is_nearer = (2 * whole + 1) * (2 * whole + 1) * self.divisor <= 4 * self.squared;
        i32::try_from(if next_is_nearer { whole + 1 } else { whole }).unwrap_or(i32::MAX)
    }

    /// Whether its parts may be multiplied with those of another small one.
    fn is_small(self) -> bool {
        self.squared < 1 << 84 && self.divisor < 1 << 42
    }

    fn between(from: Point, to: Point) -> Distance {
        Distance { squared: i128::from(Vector::between(from, to).length_squared()), divisor: 1 }
    }
}

impl PartialEq for Distance {
    fn eq(&self, other: &Distance) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Distance {}

impl PartialOrd for Distance {
    fn partial_cmp(&self, other: &Distance) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Distance {
    /// Exact. Of distances on a table of any usual size the fractions are compared crosswise, without a division; of larger
    /// ones the whole parts come first, so that the products of the remainders cannot overflow.
    fn cmp(&self, other: &Distance) -> Ordering {
        if self.is_small() && other.is_small() {
            return (self.squared * other.divisor).cmp(&(other.squared * self.divisor));
        }
        let whole = (self.squared / self.divisor).cmp(&(other.squared / other.divisor));
        whole.then_with(|| {
            let own = (self.squared % self.divisor) * other.divisor;
            own.cmp(&((other.squared % other.divisor) * self.divisor))
        })
    }
}

/// The whole part of a square root; in machine words where they suffice.
fn root(square: i128) -> i128 {
    u64::try_from(square).map_or_else(|_| square.isqrt(), |square| i128::from(square.isqrt()))
}

/// The distance between two points.
pub fn between_points(a: Point, b: Point) -> Distance {
    Distance::between(a, b)
}

/// The distance from a point to the nearest point of the segment from `a` to `b`.
pub fn point_to_segment(point: Point, a: Point, b: Point) -> Distance {
    let (along, to_point) = (Vector::between(a, b), Vector::between(a, point));
    let (length_squared, reach) = (along.length_squared(), along.dot(to_point));
    if reach <= 0 {
        Distance::between(a, point)
    } else if length_squared <= reach {
        Distance::between(b, point)
    } else {
        let cross = i128::from(along.cross(to_point));
        Distance { squared: cross * cross, divisor: i128::from(length_squared) }
    }
}

/// The distance from a point to a polygon, 0 inside it and on its outline.
pub fn point_to_polygon(point: Point, polygon: &[Point]) -> Distance {
    if contains(polygon, point) {
        return Distance::ZERO;
    }
    let to_edges = edges(polygon).map(|(a, b)| point_to_segment(point, a, b));
    to_edges.min().unwrap_or(Distance { squared: i128::from(i64::MAX), divisor: 1 })
}

/// The distance from a segment to a convex polygon, 0 where they touch or cross.
pub fn segment_to_polygon(a: Point, b: Point, polygon: &[Point]) -> Distance {
    if segment_meets_polygon(a, b, polygon) {
        return Distance::ZERO;
    }
    let ends = point_to_polygon(a, polygon).min(point_to_polygon(b, polygon));
    polygon.iter().map(|&corner| point_to_segment(corner, a, b)).fold(ends, Distance::min)
}

/// SCALE-07 The distance between two convex polygons: least over the corner-to-edge pairs, 0 if they overlap.
pub fn between_polygons(one: &[Point], other: &[Point]) -> Distance {
    if overlap_or_touch(one, other) {
        return Distance::ZERO;
    }
    let apart = Distance { squared: i128::from(i64::MAX), divisor: 1 };
    corners_to_edges(other, one, corners_to_edges(one, other, apart))
}

/// The least distance of the corners of one convex polygon to the edges of another that lies apart from it, or what is known
/// to be less. The nearest point of a convex polygon lies on an edge that a corner is beyond: the others are not measured.
fn corners_to_edges(corners: &[Point], polygon: &[Point], known: Distance) -> Distance {
    // To which side its outline turns; to both: it is not convex, and all edges are measured.
    let (mut left, mut right) = (false, false);
    let along = |(a, b)| Vector::between(a, b);
    let turning = || edges(polygon).map(along).filter(|edge| *edge != Vector::default());
    let mut before = turning().last().unwrap_or_default();
    for edge in turning() {
        let turn = before.cross(edge);
        (left, right) = (left || 0 < turn, right || turn < 0);
        before = edge;
    }
    let within = i64::from(left) - i64::from(right);
    let mut least = known;
    for &corner in corners {
        for (a, b) in edges(polygon) {
            if within * Vector::between(a, b).cross(Vector::between(a, corner)) <= 0 {
                least = least.min(point_to_segment(corner, a, b));
            }
        }
    }
    least
}

/// SCALE-07 The least distance of the stands of two units; none if either has no stand.
///
/// Stands lie in circles about their centres and in upright boxes, so a pair whose circles or boxes are farther apart than the
/// least distance found so far is not measured. The pair of nearest centres goes first.
pub fn between_stands<'r>(
    one: impl Iterator<Item = &'r Rect> + Clone,
    other: impl Iterator<Item = &'r Rect> + Clone,
) -> Option<Distance> {
    let pairs = || one.clone().flat_map(|a| other.clone().map(move |b| (a, b)));
    let centers = |(a, b): &(&Rect, &Rect)| Vector::between(a.center, b.center).length_squared();
    let (first, second) = pairs().min_by_key(centers)?;
    let mut least = between_polygons(&first.corners, &second.corners);
    let mut limit = i64::from(least.rounded()) + i64::from(EPS);
    for (a, b) in pairs() {
        let reach = limit + i64::from(a.circle()) + i64::from(b.circle());
        let may_be_nearer = || Extent::of([a]).least_square(Extent::of([b])) <= limit * limit;
        if reach * reach < centers(&(a, b)) || least.is_zero() || !may_be_nearer() {
            continue;
        }
        let distance = between_polygons(&a.corners, &b.corners);
        if distance < least {
            least = distance;
            limit = i64::from(least.rounded()) + i64::from(EPS);
        }
    }
    Some(least)
}

/// The ends of the shortest segment between two convex polygons, on the first and on the second; none if they overlap or
/// touch. Of several equally short ones the first found counts. Rounded to thousandths.
pub fn shortest_segment(one: &[Point], other: &[Point]) -> Option<(Point, Point)> {
    if overlap_or_touch(one, other) {
        return None;
    }
    let foot = |point: Point, (a, b): (Point, Point)| (point_to_segment(point, a, b), nearest_on_segment(point, a, b));
    let to_other = one.iter().flat_map(|&corner| {
        edges(other).map(move |edge| {
            let (distance, on_other) = foot(corner, edge);
            (distance, corner, on_other)
        })
    });
    let to_one = other.iter().flat_map(|&corner| {
        edges(one).map(move |edge| {
            let (distance, on_one) = foot(corner, edge);
            (distance, on_one, corner)
        })
    });
    to_other.chain(to_one).min_by_key(|(distance, _, _)| *distance).map(|(_, on_one, on_other)| (on_one, on_other))
}

/// The point of a segment that is nearest to a point, rounded to thousandths.
pub fn nearest_on_segment(point: Point, a: Point, b: Point) -> Point {
    let along = Vector::between(a, b);
    let length_squared = along.length_squared();
    if length_squared == 0 {
        return a;
    }
    let reach = along.dot(Vector::between(a, point)).clamp(0, length_squared);
    let component = |from: i32, by: i64| {
        let product = i128::from(by) * i128::from(reach);
        let half = i128::from(length_squared) / 2 * product.signum();
        from + ((product + half) / i128::from(length_squared)) as i32
    };
    Point::new(component(a.x, along.x), component(a.y, along.y))
}
