//! Stands that slide along a bearing without turning: where they first come near to, or upon, others. CHG-08
//!
//! Pure geometry: it knows neither units nor rules.

use protocol::place::Bearing;

use crate::geometry::{self, Distance, EPS, Extent, Rect, Vector};
use crate::morale::flight::{carried, displacement, least_distance};

/// Stands that slide along a bearing.
#[derive(Clone, Debug)]
pub struct Slide {
    stands: Vec<Rect>,
    bearing: Bearing,
}

impl Slide {
    /// From where the stands are.
    pub fn new(stands: Vec<Rect>, bearing: Bearing) -> Slide {
        Slide { stands, bearing }
    }

    /// The stands after a travel, thousandths of an inch.
    pub fn at(&self, travel: i32) -> Vec<Rect> {
        carried(&self.stands, displacement(self.bearing, travel))
    }

    /// The box about all that they sweep in a travel.
    pub fn extent(&self, travel: i32) -> Extent {
        Extent::of(&self.stands).with(Extent::of(&self.at(travel)))
    }

    /// The distance to others after a travel.
    pub fn gap(&self, others: &[Rect], travel: i32) -> Distance {
        least_distance(&self.at(travel), others)
    }

    /// The first travel, at most `most`, at which others are so near, thousandths of an inch. The tolerance of SCALE-07, which
    /// would let it come two thousandths too early, is walked as well.
    pub fn first_within(&self, others: &[Rect], limit: i32, most: i32) -> Option<i32> {
        self.first(others, (most, limit), |hull, other| geometry::between_polygons(hull, &other.corners).within(limit))
            .map(|travel| if travel == 0 { 0 } else { (travel + EPS).min(most) })
    }

    /// The first travel, at most `most`, at which the stands touch others.
    pub fn first_touch(&self, others: &[Rect], most: i32) -> Option<i32> {
        self.first_within(others, 0, most)
    }

    /// The first travel, at most `most`, at which the stands lie on others by more than a rounding.
    pub fn first_overlap(&self, others: &[Rect], most: i32) -> Option<i32> {
        self.first(others, (most, 0), |hull, other| geometry::overlaps_beyond_eps(other, hull))
    }

    /// The first travel at which what one stand has swept so far is so to some other. Once it is so it stays so, for the
    /// swept ground only grows. To those farther than `reach` from it nothing is so.
    fn first(
        &self,
        others: &[Rect],
        (most, reach): (i32, i32),
        so: impl Fn(&[protocol::place::Point], &Rect) -> bool,
    ) -> Option<i32> {
        let mut best: Option<i32> = None;
        if most < 0 || others.is_empty() || !self.extent(most).may_be_within(Extent::of(others), reach) {
            return best;
        }
        let end = displacement(self.bearing, most);
        for stand in &self.stands {
            let swept = Extent::of([stand, &stand.carried(end.x, end.y)]);
            for other in others.iter().filter(|other| swept.may_be_within(Extent::of([*other]), reach)) {
                let limit = best.map_or(most, |best| best - 1);
                if limit < 0 {
                    return best;
                }
                let by_then = |travel: i32| {
                    let by = displacement(self.bearing, travel);
                    let by = Vector { x: i64::from(by.x), y: i64::from(by.y) };
                    so(&geometry::sweep(&stand.corners, by), other)
                };
                if !by_then(limit) {
                    continue;
                }
                let (mut low, mut high) = (0, limit);
                while low < high {
                    let middle = low + (high - low) / 2;
                    if by_then(middle) {
                        high = middle;
                    } else {
                        low = middle + 1;
                    }
                }
                best = Some(low);
            }
        }
        best
    }
}
