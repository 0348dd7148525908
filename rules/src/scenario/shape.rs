//! Soundness of shapes: that an outline encloses ground and never crosses itself, that contours do not cross.
//!
//! Whole numbers only. Owns no rule of the game.

use protocol::place::Point;

/// Twice the signed area of an outline; positive when it runs counter-clockwise.
pub(super) fn twice_area(outline: &[Point]) -> i64 {
    edges(outline).map(|(a, b)| i64::from(a.x) * i64::from(b.y) - i64::from(b.x) * i64::from(a.y)).sum()
}

/// The edges of a closed outline.
pub(super) fn edges(outline: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    outline.iter().copied().zip(outline.iter().copied().cycle().skip(1))
}

/// A point where a closed outline crosses or touches itself, if there is one.
pub(super) fn self_crossing(outline: &[Point]) -> Option<Point> {
    let edges: Vec<(Point, Point)> = edges(outline).collect();
    for (i, first) in edges.iter().enumerate() {
        for (j, second) in edges.iter().enumerate().skip(i + 2) {
            let neighbours = i == 0 && j + 1 == edges.len();
            if !neighbours && cross(*first, *second) {
                return Some(second.0);
            }
        }
    }
    None
}

/// A point near which two closed outlines cross, if there is one.
pub(super) fn crossing(a: &[Point], b: &[Point]) -> Option<Point> {
    let (a_box, b_box) = (bounds(a)?, bounds(b)?);
    if !overlap(a_box, b_box) {
        return None;
    }
    let near: Vec<(Point, Point)> = edges(b).filter(|edge| overlap(edge_box(*edge), a_box)).collect();
    edges(a).find(|first| near.iter().any(|second| cross(*first, *second))).map(|(at, _)| at)
}

/// Whether a point lies inside of a closed outline; the border counts by chance.
pub(super) fn inside(outline: &[Point], p: Point) -> bool {
    let mut odd = false;
    for (a, b) in edges(outline) {
        if (p.y < a.y) != (p.y < b.y) {
            // x of the edge at the height of the point, compared without division.
            let rise = i64::from(b.y) - i64::from(a.y);
            let left = (i64::from(p.x) - i64::from(a.x)) * rise;
            let right = (i64::from(p.y) - i64::from(a.y)) * (i64::from(b.x) - i64::from(a.x));
            if (left < right) == (0 < rise) {
                odd = !odd;
            }
        }
    }
    odd
}

type Box = (i32, i32, i32, i32);

fn bounds(points: &[Point]) -> Option<Box> {
    let x = || points.iter().map(|p| p.x);
    let y = || points.iter().map(|p| p.y);
    Some((x().min()?, x().max()?, y().min()?, y().max()?))
}

fn edge_box((a, b): (Point, Point)) -> Box {
    (a.x.min(b.x), a.x.max(b.x), a.y.min(b.y), a.y.max(b.y))
}

fn overlap(a: Box, b: Box) -> bool {
    a.0 <= b.1 && b.0 <= a.1 && a.2 <= b.3 && b.2 <= a.3
}

/// Whether two segments share a point.
fn cross((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    if !overlap(edge_box((a, b)), edge_box((c, d))) {
        return false;
    }
    let turn = |p: Point, q: Point, r: Point| {
        let product = |u: i32, v: i32, s: i32, t: i32| (i64::from(u) - i64::from(v)) * (i64::from(s) - i64::from(t));
        (product(q.x, p.x, r.y, p.y) - product(q.y, p.y, r.x, p.x)).signum()
    };
    turn(a, b, c) * turn(a, b, d) <= 0 && turn(c, d, a) * turn(c, d, b) <= 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(points: &[(i32, i32)]) -> Vec<Point> {
        points.iter().map(|(x, y)| Point::new(*x, *y)).collect()
    }

    #[test]
    fn a_bow_tie_crosses_itself_and_a_square_does_not() {
        assert!(self_crossing(&outline(&[(0, 0), (10, 10), (10, 0), (0, 10)])).is_some());
        let square = outline(&[(0, 0), (10, 0), (10, 10), (0, 10)]);
        assert_eq!(self_crossing(&square), None);
        assert_eq!(twice_area(&square), 200);
        assert!(inside(&square, Point::new(5, 5)));
        assert!(!inside(&square, Point::new(15, 5)));
    }

    #[test]
    fn nested_outlines_do_not_cross_and_shifted_ones_do() {
        let outer = outline(&[(0, 0), (10, 0), (10, 10), (0, 10)]);
        assert_eq!(crossing(&outer, &outline(&[(2, 2), (8, 2), (8, 8), (2, 8)])), None);
        assert!(crossing(&outer, &outline(&[(5, 5), (15, 5), (15, 15), (5, 15)])).is_some());
    }
}
