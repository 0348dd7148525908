//! How deep in the trees a place lies. VIS-03, VIS-04
//!
//! Owns a quick no: where trees stand all round, every line of sight that ends there passes at least so many of them. It saves
//! looking along lines that no die would open, and never says no of one that a die might.

use protocol::place::Point;

use crate::geometry::{self, Vector};
use crate::ground::{Area, Ground, Wooded};

/// What is left for roundings, thousandths of an inch.
const MARGIN: i32 = 20;

/// Trees all round a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Screen {
    /// So far the trees reach in every direction, thousandths of an inch.
    radius: i32,
    /// Woods depth of each thousandth. VIS-03
    factor: i32,
}

impl Screen {
    /// About all of these places at once.
    pub(super) fn about(ground: &Ground, places: &[Point]) -> Screen {
        // SCNS-07 Where a term says how the trees look, the lines tell.
        let Some(center) = geometry::mean(places).filter(|_| ground.seen_as.is_empty()) else {
            return Screen::default();
        };
        let spread = places.iter().map(|place| geometry::segment_length(center, *place)).max().unwrap_or(0);
        let deepest = ground.areas.iter().filter_map(|area| Screen::within(area, center));
        let deepest = deepest.max_by_key(|screen| i64::from(screen.radius) * i64::from(screen.factor));
        let Some(Screen { radius, factor }) = deepest else { return Screen::default() };
        Screen { radius: (radius - spread - MARGIN).max(0), factor }
    }

    /// Within one wood, as far as its border is.
    fn within(area: &Area, place: Point) -> Option<Screen> {
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
        Some(Screen { radius: border.rounded(), factor })
    }

    /// The least woods depth of a line of at least this length that ends here, thousandths of an inch.
    pub(super) fn depth(self, length: i32) -> i32 {
        self.radius.min(length - MARGIN).max(0).saturating_mul(self.factor)
    }
}

/// The least length of a line between places, thousandths of an inch.
pub(super) fn apart(from: &[Point], to: &[Point]) -> i32 {
    let squares = from.iter().flat_map(|from| to.iter().map(|to| Vector::between(*from, *to).length_squared()));
    let nearest = squares.min().unwrap_or(0).unsigned_abs().isqrt();
    i32::try_from(nearest).unwrap_or(i32::MAX)
}
