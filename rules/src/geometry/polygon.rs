//! Polygons: what lies inside, centres, hulls, overlaps. An outline is not closed by a repeated point.

use protocol::place::Point;

use super::{EPS, Rect, UNIT, Vector, forward, point_to_segment, right};

/// Where a point lies with respect to a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// Strictly inside.
    Inside,
    /// On the outline.
    Outline,
    /// Outside.
    Outside,
}

/// Where a point lies with respect to a simple polygon. Exact.
pub fn locate(polygon: &[Point], point: Point) -> Location {
    let fits = |point: &Point| point.x.unsigned_abs().max(point.y.unsigned_abs()) < 1 << 29;
    if !fits(&point) || !polygon.iter().all(fits) {
        return locate_scaled(polygon, i128::from(point.x), i128::from(point.y), 1, 0);
    }
    // The same as below, in machine words.
    let mut inside = false;
    for (a, b) in edges(polygon) {
        let (along, to_point) = (Vector::between(a, b), Vector::between(a, point));
        let (cross, reach) = (along.cross(to_point), along.dot(to_point));
        if cross == 0 && 0 <= reach && reach <= along.length_squared() {
            return Location::Outline;
        }
        let spans = (a.y <= point.y) != (b.y <= point.y);
        let passes_east = if 0 < along.y { 0 < cross } else { cross < 0 };
        if spans && passes_east {
            inside = !inside;
        }
    }
    if inside { Location::Inside } else { Location::Outside }
}

/// True when the point lies inside a simple polygon or on its outline. SCALE-07, without its tolerance
pub fn contains(polygon: &[Point], point: Point) -> bool {
    locate(polygon, point) != Location::Outside
}

/// True when the point lies inside a simple polygon or not farther than [`EPS`] from its outline. SCALE-07
pub fn contains_within_eps(polygon: &[Point], point: Point) -> bool {
    contains(polygon, point) || edges(polygon).any(|(a, b)| point_to_segment(point, a, b).within(0))
}

/// SCALE-06 The mean of points, per component, rounded. It is reckoned from the first of them: so the same points elsewhere,
/// or turned by a quarter, have the same mean. None of no points.
pub fn mean(points: &[Point]) -> Option<Point> {
    let first = *points.first()?;
    let from_first = points.iter().map(|point| Vector::between(first, *point));
    let sum = from_first.fold(Vector::default(), Vector::plus);
    Some(sum.applied_to(first, i64::try_from(points.len()).ok()?))
}

/// The centroid of a polygon's area, rounded; the mean of its corners when it has no area. None of no points.
pub fn centroid(polygon: &[Point]) -> Option<Point> {
    let first = *polygon.first()?;
    let (mut area, mut x, mut y) = (0_i128, 0_i128, 0_i128);
    for (a, b) in edges(polygon) {
        let (a, b) = (Vector::between(first, a), Vector::between(first, b));
        let cross = i128::from(a.cross(b));
        area += cross;
        x += i128::from(a.x + b.x) * cross;
        y += i128::from(a.y + b.y) * cross;
    }
    if area == 0 {
        return mean(polygon);
    }
    let divided = |moment: i128| {
        let (moment, divisor) = (moment * area.signum(), 3 * area.abs());
        let rounded = (moment.abs() * 2 + divisor) / (divisor * 2);
        (if moment < 0 { -rounded } else { rounded }) as i32
    };
    Some(Point::new(first.x + divided(x), first.y + divided(y)))
}

/// The convex hull, counter-clockwise from the westernmost (then southernmost) point, without points along its edges.
pub fn convex_hull(points: &[Point]) -> Vec<Point> {
    let mut sorted = points.to_vec();
    sorted.sort();
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let mut hull = half_hull(sorted.iter().copied());
    let upper = half_hull(sorted.iter().rev().copied());
    hull.pop();
    hull.extend(upper);
    hull.pop();
    hull
}

/// PEN-05 The zone swept by a convex polygon that is moved by a vector, thousandths: the hull of both positions. The
/// polygon itself is part of it.
pub fn sweep(polygon: &[Point], by: Vector) -> Vec<Point> {
    let moved = polygon.iter().map(|&corner| by.applied_to(corner, 1));
    convex_hull(&polygon.iter().copied().chain(moved).collect::<Vec<_>>())
}

/// PEN-05 True when a rectangle overlaps a convex polygon by more than [`EPS`] in both directions of the rectangle.
///
/// The polygon is cut to the rectangle in the rectangle's own directions, to a millionth of a thousandth.
pub fn overlaps_beyond_eps(rect: &Rect, polygon: &[Point]) -> bool {
    may_overlap(rect, polygon) && exceeds_eps(&cut_to(rect, polygon))
}

/// Whether some corner of a polygon lies to this side of the far side of the circle about a rectangle, seen from each of the four
/// winds: else the two have nothing in common.
fn may_overlap(rect: &Rect, polygon: &[Point]) -> bool {
    let (center, reach) = (rect.center, rect.circle() + EPS);
    polygon.iter().any(|corner| corner.x <= center.x + reach)
        && polygon.iter().any(|corner| center.x - reach <= corner.x)
        && polygon.iter().any(|corner| corner.y <= center.y + reach)
        && polygon.iter().any(|corner| center.y - reach <= corner.y)
}

/// PEN-05 As [`overlaps_beyond_eps`], with the part of the polygon that lies outside another convex polygon, which is given
/// counter-clockwise. What lies beyond one edge of that other must by itself be large enough.
pub fn overlaps_outside_beyond_eps(rect: &Rect, polygon: &[Point], other: &[Point]) -> bool {
    let (cut, own) = (cut_to(rect, polygon), in_own(rect));
    exceeds_eps(&cut) && edges(other).any(|(a, b)| exceeds_eps(&right_of(&cut, own(a), own(b))))
}

/// Where points lie from a rectangle's centre, ahead and to the right, in millionths of a thousandth.
fn in_own(rect: &Rect) -> impl Fn(Point) -> (i64, i64) {
    let (center, ahead, aside) = (rect.center, forward(rect.facing), right(rect.facing));
    move |point| {
        let from_center = Vector::between(center, point);
        (ahead.dot(from_center), aside.dot(from_center))
    }
}

/// The part of a convex polygon that lies in a rectangle, in the rectangle's own directions.
fn cut_to(rect: &Rect, polygon: &[Point]) -> Vec<(i64, i64)> {
    let (half_depth, half_width) = (i64::from(rect.depth) * UNIT / 2, i64::from(rect.width) * UNIT / 2);
    let mut cut: Vec<(i64, i64)> = polygon.iter().copied().map(in_own(rect)).collect();
    // Four cuts, a quarter turn after each: front, right, rear, left.
    for limit in [half_depth, half_width, half_depth, half_width] {
        cut = keep_up_to(&cut, limit).into_iter().map(|(ahead, aside)| (aside, -ahead)).collect();
    }
    cut
}

/// Whether a part cut out by [`cut_to`] is larger than [`EPS`] in both directions.
fn exceeds_eps(cut: &[(i64, i64)]) -> bool {
    let extent = |component: fn(&(i64, i64)) -> i64| {
        let values = || cut.iter().map(component);
        values().max().zip(values().min()).map_or(0, |(most, least)| most - least)
    };
    let enough = i64::from(EPS) * UNIT;
    enough < extent(|point| point.0) && enough < extent(|point| point.1)
}

/// The part of a convex polygon to the right of a line, seen along it; points are ahead and to the right.
fn right_of(polygon: &[(i64, i64)], from: (i64, i64), to: (i64, i64)) -> Vec<(i64, i64)> {
    let along = (i128::from(to.0 - from.0), i128::from(to.1 - from.1));
    let side = |point: (i64, i64)| {
        let (ahead, aside) = (i128::from(point.0 - from.0), i128::from(point.1 - from.1));
        aside * along.0 - ahead * along.1
    };
    let mut kept = Vec::new();
    for (index, &here) in polygon.iter().enumerate() {
        let next = polygon[(index + 1) % polygon.len()];
        let (own, other) = (side(here), side(next));
        if 0 <= own {
            kept.push(here);
        }
        if (0 <= own) != (0 <= other) {
            // They lie on different sides, so the whole is more than nothing.
            let (part, whole) = (own.abs(), own.abs() + other.abs());
            let meet = |a: i64, b: i64| a + (i128::from(b - a) * part / whole) as i64;
            kept.push((meet(here.0, next.0), meet(here.1, next.1)));
        }
    }
    kept
}

/// True when two convex polygons have a point in common: no edge of either separates them. Exact.
pub(super) fn overlap_or_touch(one: &[Point], other: &[Point]) -> bool {
    !has_separating_edge(one, one, other) && !has_separating_edge(other, one, other)
}

/// Whether an edge of a polygon has all of one convex polygon strictly to its one side, and all of another to the other side.
fn has_separating_edge(polygon: &[Point], one: &[Point], other: &[Point]) -> bool {
    edges(polygon).any(|(a, b)| {
        let along = Vector::between(a, b);
        let reach = |corners: &[Point]| {
            let (mut least, mut most) = (i64::MAX, i64::MIN);
            for corner in corners {
                let side = along.cross(Vector::between(a, *corner));
                (least, most) = (least.min(side), most.max(side));
            }
            (least, most)
        };
        let (one_least, one_most) = reach(one);
        let (other_least, other_most) = reach(other);
        one_most < other_least || other_most < one_least
    })
}

/// The edges of a polygon, the closing one included.
pub(super) fn edges(polygon: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    polygon.iter().copied().zip(polygon.iter().skip(1).chain(polygon.first()).copied())
}

/// Parts of a thousandth in which middles of stretches are computed.
pub(super) const FINE: i128 = 1 << 20;

/// True when a point in [`FINE`] parts of a thousandth lies in the polygon, or on its outline but for its rounding.
pub(super) fn fine_point_is_inside(polygon: &[Point], x: i128, y: i128) -> bool {
    locate_scaled(polygon, x, y, FINE, 2) != Location::Outside
}

/// Counts the edges that pass to one side of the point; points not farther than `tolerance` from an edge are on it.
fn locate_scaled(polygon: &[Point], x: i128, y: i128, scale: i128, tolerance: i128) -> Location {
    let mut inside = false;
    for (a, b) in edges(polygon) {
        let (from_x, from_y) = (i128::from(a.x) * scale, i128::from(a.y) * scale);
        let along = Vector::between(a, b);
        let (along_x, along_y) = (i128::from(along.x), i128::from(along.y));
        let length_squared = i128::from(along.length_squared());
        let slack = if tolerance == 0 { 0 } else { tolerance * (length_squared.isqrt() + 1) };
        let cross = along_x * (y - from_y) - along_y * (x - from_x);
        let reach = along_x * (x - from_x) + along_y * (y - from_y);
        if cross.abs() <= slack && -slack <= reach && reach <= length_squared * scale + slack {
            return Location::Outline;
        }
        let spans = (from_y <= y) != (i128::from(b.y) * scale <= y);
        let passes_east = if 0 < along_y { 0 < cross } else { cross < 0 };
        if spans && passes_east {
            inside = !inside;
        }
    }
    if inside { Location::Inside } else { Location::Outside }
}

fn half_hull(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut chain: Vec<Point> = Vec::new();
    for point in points {
        while let [.., before, last] = chain[..] {
            if 0 < Vector::between(before, last).cross(Vector::between(before, point)) {
                break;
            }
            chain.pop();
        }
        chain.push(point);
    }
    chain
}

/// The part of a convex polygon whose first component is not above a limit.
fn keep_up_to(polygon: &[(i64, i64)], limit: i64) -> Vec<(i64, i64)> {
    let mut kept = Vec::new();
    for (index, &from) in polygon.iter().enumerate() {
        let to = polygon[(index + 1) % polygon.len()];
        if from.0 <= limit {
            kept.push(from);
        }
        if (from.0 <= limit) != (to.0 <= limit) {
            let (part, whole) = (i128::from(limit - from.0), i128::from(to.0 - from.0));
            let second = i128::from(from.1) + i128::from(to.1 - from.1) * part / whole;
            kept.push((limit, second as i64));
        }
    }
    kept
}
