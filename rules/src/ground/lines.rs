//! Straight lines across the map, in whole numbers: where a leg meets edges, and what lies near what.
//!
//! Owns the arithmetic of the ground's queries. A place along a leg is a travel in 64ths of a thousandth of an inch,
//! so equal meetings have equal travels and rounding stays far below the thousandth that SCALE-06 asks for.

use protocol::place::Point;

use crate::geometry::{EPS, round_div};

/// Parts of a thousandth of an inch in which travel along a leg is reckoned.
pub(crate) const FINE: i64 = 64;

/// Farther out than this, in thousandths of an inch, nothing is drawn and no unit goes: the limit of the geometry.
const FARTHEST: i32 = 1_000_000;

/// A straight line from one point to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub(crate) from: Point,
    pub(crate) to: Point,
    dx: i64,
    dy: i64,
    /// Length in fine units.
    pub(crate) length: i64,
}

impl Leg {
    pub(crate) fn new(from: Point, to: Point) -> Self {
        let (from, to) = (clamped(from), clamped(to));
        let dx = i64::from(to.x) - i64::from(from.x);
        let dy = i64::from(to.y) - i64::from(from.y);
        let length = (dx * dx + dy * dy).saturating_mul(FINE * FINE).isqrt();
        Leg { from, to, dx, dy, length }
    }

    /// The point at a travel, rounded to thousandths.
    pub(crate) fn at(&self, travel: i64) -> Point {
        if self.length == 0 {
            return self.from;
        }
        let along = |start: i32, delta: i64| (i64::from(start) + round_div(delta * travel, self.length)) as i32;
        Point::new(along(self.from.x, self.dx), along(self.from.y, self.dy))
    }

    /// Positive when the point lies to the left of the leg's direction, zero on it.
    pub(crate) fn side(&self, point: Point) -> i64 {
        cross(self.dx, self.dy, from_to(self.from, point))
    }

    /// Adds the travels strictly inside the leg at which it meets the edge; both ends of what lies along it.
    pub(crate) fn meetings(&self, a: Point, b: Point, out: &mut Vec<i64>) {
        let (side_a, side_b) = (self.side(a), self.side(b));
        if (side_a > 0 && side_b > 0) || (side_a < 0 && side_b < 0) {
            return;
        }
        if side_a == 0 && side_b == 0 {
            for end in [a, b] {
                out.extend(self.projected(end).filter(|&travel| 0 < travel && travel < self.length));
            }
            return;
        }
        out.extend(self.meeting(a, b).filter(|&travel| 0 < travel && travel < self.length));
    }

    /// The travel at which the line of the leg meets the line of the edge, if that lies on the leg.
    pub(crate) fn meeting(&self, a: Point, b: Point) -> Option<i64> {
        let edge = from_to(a, b);
        let across = cross(self.dx, self.dy, edge);
        if across == 0 {
            return None;
        }
        let start = from_to(self.from, a);
        let part = cross(start.0, start.1, edge);
        let (part, across) = if across < 0 { (-part, -across) } else { (part, across) };
        if part < 0 || across < part {
            return None;
        }
        Some(self.share(part, across))
    }

    /// The travel of the foot of the perpendicular from a point, if it lies on the leg.
    fn projected(&self, point: Point) -> Option<i64> {
        let (x, y) = from_to(self.from, point);
        let along = self.dx * x + self.dy * y;
        let whole = self.dx * self.dx + self.dy * self.dy;
        if whole == 0 || along < 0 || whole < along {
            return None;
        }
        Some(self.share(along, whole))
    }

    /// The travel at a fraction of the leg, rounded down; in machine words where they suffice.
    fn share(&self, part: i64, whole: i64) -> i64 {
        match self.length.checked_mul(part) {
            Some(product) => product / whole,
            None => (i128::from(self.length) * i128::from(part) / i128::from(whole)) as i64,
        }
    }

    /// The travels between which the leg lies inside all the half planes `a x + b y <= c`, if anywhere.
    pub(crate) fn clipped(&self, planes: &[(i64, i64, i128)]) -> Option<(i64, i64)> {
        let (mut enter, mut leave) = (0, self.length);
        for &(a, b, c) in planes {
            let start = i128::from(a) * i128::from(self.from.x) + i128::from(b) * i128::from(self.from.y);
            let slope = i128::from(a) * i128::from(self.dx) + i128::from(b) * i128::from(self.dy);
            let room = c - start;
            if slope == 0 {
                if room < 0 {
                    return None;
                }
                continue;
            }
            let travel = i128::from(self.length) * room / slope;
            let travel = travel.clamp(-1, i128::from(self.length) + 1) as i64;
            if slope > 0 {
                if room < 0 {
                    return None;
                }
                leave = leave.min(travel);
            } else {
                if room < slope {
                    return None;
                }
                enter = enter.max(travel);
            }
        }
        (enter <= leave).then_some((enter, leave))
    }
}

/// The crossing of an edge by a leg. A point on a line counts as on its left, so that two legs that meet on a fence
/// cross it once and not twice.
pub(crate) fn crosses(leg: &Leg, a: Point, b: Point) -> Option<Passage> {
    let edge = Leg::new(a, b);
    let (starts_left, ends_left) = (edge.side(leg.from) >= 0, edge.side(leg.to) >= 0);
    let (a_left, b_left) = (leg.side(a) >= 0, leg.side(b) >= 0);
    if starts_left == ends_left || a_left == b_left {
        return None;
    }
    let travel = leg.meeting(a, b)?;
    let along = edge.meeting(leg.from, leg.to)?;
    Some(Passage { travel, along, from_left: starts_left })
}

/// Where a leg crosses an edge.
pub(crate) struct Passage {
    /// Along the leg, fine.
    pub(crate) travel: i64,
    /// Along the edge, fine.
    pub(crate) along: i64,
    /// Whether the leg comes from the left of the edge's direction.
    pub(crate) from_left: bool,
}

/// Fine travel as thousandths, half up.
pub(crate) fn thousandths(fine: i64) -> i32 {
    ((fine + FINE / 2) / FINE) as i32
}

/// Whether the outline holds the point; its border, with SCALE-07's tolerance, counts as inside.
pub(crate) fn holds(outline: &[Point], point: Point) -> bool {
    let point = clamped(point);
    edges(outline).any(|(a, b)| touches(a, b, point))
        || edges(outline).filter(|(a, b)| lies_east(*a, *b, point)).count() % 2 == 1
}

/// Whether a line from the point straight east meets the edge: an outline holds the points for which an odd number of its
/// edges does. Of the ends of an edge the lower one belongs to it.
pub(crate) fn lies_east(a: Point, b: Point, point: Point) -> bool {
    if (a.y > point.y) == (b.y > point.y) {
        return false;
    }
    let (dx, dy) = from_to(a, b);
    let (x, y) = from_to(a, point);
    (dx * y - dy * x > 0) == (dy > 0)
}

/// Whether the point lies on the edge, within SCALE-07's tolerance.
pub(crate) fn touches(a: Point, b: Point, point: Point) -> bool {
    let beside = |p: i32, low: i32, high: i32| low - EPS <= p && p <= high + EPS;
    beside(point.x, a.x.min(b.x), a.x.max(b.x))
        && beside(point.y, a.y.min(b.y), a.y.max(b.y))
        && near_edge(a, b, point, i64::from(EPS * EPS))
}

/// Whether the square of the distance from the point to the edge is at most `square`, square thousandths.
fn near_edge(a: Point, b: Point, point: Point, square: i64) -> bool {
    let (dx, dy) = from_to(a, b);
    let (x, y) = from_to(a, point);
    let along = dx * x + dy * y;
    let whole = dx * dx + dy * dy;
    if along <= 0 {
        return x * x + y * y <= square;
    }
    if whole <= along {
        let (x, y) = from_to(b, point);
        return x * x + y * y <= square;
    }
    let off = i128::from(dx * y - dy * x);
    off * off <= i128::from(square) * i128::from(whole)
}

/// The distance from a point to an edge, thousandths, rounded down.
pub(crate) fn distance(a: Point, b: Point, point: Point) -> i64 {
    let (dx, dy) = from_to(a, b);
    let (x, y) = from_to(a, point);
    let along = dx * x + dy * y;
    let whole = dx * dx + dy * dy;
    if along <= 0 {
        return (x * x + y * y).isqrt();
    }
    if whole <= along {
        let (x, y) = from_to(b, point);
        return (x * x + y * y).isqrt();
    }
    (dx * y - dy * x).abs() / whole.isqrt().max(1)
}

/// The edges of a closed outline.
pub(crate) fn edges(outline: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    let shifted = outline.iter().skip(1).chain(outline.first());
    outline.iter().zip(shifted).map(|(&a, &b)| (clamped(a), clamped(b)))
}

/// The edges of an open line.
pub(crate) fn steps(line: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    line.windows(2).map(|pair| (clamped(pair[0]), clamped(pair[1])))
}

/// The vector from one point to another.
pub(crate) fn from_to(a: Point, b: Point) -> (i64, i64) {
    (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y))
}

fn cross(dx: i64, dy: i64, other: (i64, i64)) -> i64 {
    dx * other.1 - dy * other.0
}

/// A point brought back to where arithmetic is safe.
pub(crate) fn clamped(point: Point) -> Point {
    Point::new(point.x.clamp(-FARTHEST, FARTHEST), point.y.clamp(-FARTHEST, FARTHEST))
}
