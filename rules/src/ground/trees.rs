//! How deep in the trees two places lie from each other. VIS-03, VIS-04
//!
//! Owns a quick no: between discs that trees fill, every line of sight passes at least so many of them. It saves looking along
//! lines that no die would open, and never says no of one that a die might.

use std::sync::OnceLock;

use protocol::place::Point;

use super::{Area, Ground, Wooded};
use crate::geometry::{self, Vector, segment_length};

/// The places about which trees are told stand in a grid of squares, thousandths of an inch.
const GRID: i32 = 500;

/// From a place to the middle of its square, at most, and what is left for roundings, thousandths of an inch.
const OFF: i32 = 380;

/// A disc that trees fill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Disc {
    /// So far the trees reach in every direction, thousandths of an inch.
    radius: i32,
    /// Woods depth of each thousandth. VIS-03
    factor: i32,
}

/// The trees of a ground, square by square, each looked at when somebody first asks. They never change, so all battles on a
/// ground share them.
#[derive(Debug, Default)]
pub(crate) struct Trees {
    columns: usize,
    squares: Box<[OnceLock<Disc>]>,
}

impl Trees {
    /// Of a ground of that extent; nobody has asked yet.
    pub(crate) fn new(ground: &Ground) -> Trees {
        let squares = |extent: i32| usize::try_from(extent.max(0) / GRID + 1).unwrap_or(0);
        let (columns, rows) = (squares(ground.width), squares(ground.height));
        Trees { columns, squares: (0..columns * rows).map(|_| OnceLock::new()).collect() }
    }

    /// The trees about every place of the square in which a place lies; none beyond the edge.
    fn about(&self, ground: &Ground, place: Point) -> Disc {
        let square = |at: i32| usize::try_from(at.div_euclid(GRID)).ok();
        let inside = square(place.x).filter(|column| *column < self.columns).zip(square(place.y));
        let found = inside.and_then(|(column, row)| self.squares.get(row * self.columns + column));
        found.map_or_else(Disc::default, |disc| *disc.get_or_init(|| disc_about(ground, place)))
    }

    /// The least woods depth of any line between these places, thousandths of an inch; no more than about `enough` is reckoned.
    ///
    /// One goes from the middle of the first to that of the others, from disc to disc. A line beside it is never farther off
    /// than the places lie from their middles, so of each disc that much is taken away.
    pub(crate) fn depth(&self, ground: &Ground, from: &[Point], to: &[Point], enough: i32) -> i32 {
        // SCNS-07 Where a term says how the trees look, the lines tell.
        let (Some(here), Some(there)) = (geometry::mean(from), geometry::mean(to)) else { return 0 };
        if !ground.seen_as.is_empty() {
            return 0;
        }
        let (spread, shortest) = (spread(from, here).max(spread(to, there)), apart(from, to));
        let length = segment_length(here, there);
        let (mut gone, mut depth) = (0, 0);
        // A thousandth beside the line or along it is within what `OFF` leaves for roundings.
        let part = |from: i32, to: i32, gone: i32| {
            let way = i64::from(to) - i64::from(from);
            from + i32::try_from(way * i64::from(gone) / i64::from(length)).unwrap_or(0)
        };
        while gone < length && depth <= enough.saturating_mul(2) {
            let at = Point::new(part(here.x, there.x, gone), part(here.y, there.y, gone));
            let Disc { radius, factor } = self.about(ground, at);
            let trees = (radius - spread).clamp(0, length - gone);
            depth += trees * factor;
            gone += trees.max(GRID);
        }
        // A line beside it may be shorter, and each of its parts with it.
        let depth = i64::from(depth) * i64::from(shortest.min(length)) / i64::from(length.max(1));
        i32::try_from(depth).unwrap_or(i32::MAX)
    }
}

/// The trees about every place of the square in which that place lies.
fn disc_about(ground: &Ground, place: Point) -> Disc {
    let middle = |at: i32| at.div_euclid(GRID) * GRID + GRID / 2;
    let middle = Point::new(middle(place.x), middle(place.y));
    let all = ground.areas.iter().filter_map(|area| within(area, middle));
    let Disc { radius, factor } = all.max_by_key(|disc| disc.radius * disc.factor).unwrap_or_default();
    Disc { radius: (radius - OFF).max(0), factor }
}

/// How far a wood reaches about a place in it.
fn within(area: &Area, place: Point) -> Option<Disc> {
    let factor = match area.wooded {
        Wooded::None => return None,
        Wooded::Light => 1,
        Wooded::Heavy => 2,
    };
    if !geometry::contains(&area.outline, place) {
        return None;
    }
    let ends = area.outline.iter().zip(area.outline.iter().cycle().skip(1));
    let border = ends.map(|(from, to)| geometry::point_to_segment(place, *from, *to)).min()?;
    Some(Disc { radius: border.rounded(), factor })
}

/// How far places lie from their middle.
fn spread(places: &[Point], middle: Point) -> i32 {
    if places.len() < 2 {
        return 0;
    }
    places.iter().map(|place| segment_length(middle, *place)).max().unwrap_or(0) + 1
}

/// The least length of a line between places, thousandths of an inch.
fn apart(from: &[Point], to: &[Point]) -> i32 {
    let squares = from.iter().flat_map(|from| to.iter().map(|to| Vector::between(*from, *to).length_squared()));
    let nearest = squares.min().unwrap_or(0).unsigned_abs().isqrt();
    i32::try_from(nearest).unwrap_or(i32::MAX)
}
