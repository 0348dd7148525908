//! VIS-09 to VIS-12 Fire at what is not seen.

use protocol::place::Point;

use crate::geometry::{self, Distance, Rect};

/// The kinds of fire at an enemy that is not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnseenFire {
    /// VIS-09 At an enemy once located.
    Area,
    /// VIS-10 At an enemy never located.
    Blind,
}

impl UnseenFire {
    /// VIS-11 The kind, by whether the side has ever located the enemy.
    pub const fn at(located: bool) -> UnseenFire {
        if located { UnseenFire::Area } else { UnseenFire::Blind }
    }
}

/// VIS-12 How near a stand must be to the point named, thousandths of an inch.
const VICTIM_WITHIN: i32 = 2_000;

/// VIS-12 Of the candidates, each given by its stands, the numbers of those nearest to the point named and within two inches
/// of it. More than one is a tie for `tie.blind`.
pub fn nearest_victims(point: Point, candidates: &[&[Rect]]) -> Vec<usize> {
    let distance = |stands: &&[Rect]| -> Option<Distance> {
        let stands = stands.iter().map(|stand| geometry::point_to_polygon(point, &stand.corners));
        stands.min().filter(|distance| distance.within(VICTIM_WITHIN))
    };
    let distances: Vec<Option<Distance>> = candidates.iter().map(distance).collect();
    let Some(nearest) = distances.iter().flatten().min() else {
        return Vec::new();
    };
    (0..candidates.len()).filter(|&number| distances[number].as_ref() == Some(nearest)).collect()
}
