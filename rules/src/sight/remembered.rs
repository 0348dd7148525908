//! Lines of sight that were reckoned before, kept for those who ask again.
//!
//! Owns [`Remembered`]. A line is a matter of its ends and the ground alone, and so are the best of all lines between two units
//! and the levels under them: what is remembered holds good until the ground changes; what needs its place drives it out. It never knows a unit.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use protocol::ids::FeatureId;
use protocol::place::Point;

use super::line::{Block, SightLine};
use crate::ground::{Ground, GroundNow};

/// Places to begin with. A turn of twenty units a side looks along some thousands of different lines at any one time.
const PLACES: usize = 1 << 13;

/// Places at most: enough for some hundreds of units a side, a few megabytes.
const MOST_PLACES: usize = 1 << 17;

type Found = Result<SightLine, Block>;

/// Reckoned lines over one ground. A copy is the same memory.
#[derive(Clone, Default)]
pub struct Remembered(Arc<Mutex<Memory>>);

/// The places of a unit's stands.
type Stands = Arc<[Point]>;

#[derive(Default)]
struct Memory {
    /// The ground over which the lines were reckoned, and the buildings that were destroyed on it: nothing else that a battle
    /// changes stands in the way of sight. None while nothing is remembered.
    ground: Option<(Arc<Ground>, BTreeSet<FeatureId>)>,
    /// Single lines, by their ends.
    lines: Places<(Point, Point), Found>,
    /// The best of all open lines from the stands of one unit to those of another, by where these stand.
    open: Places<(Stands, Stands), Option<SightLine>>,
    /// The levels under the stands of a unit.
    levels: Places<Stands, Arc<[i32]>>,
}

impl Remembered {
    /// The line between two points over a ground: as it was found before, or as `reckon` finds it now.
    pub(super) fn line(&self, ground: &GroundNow<'_>, ends: (Point, Point), reckon: impl FnOnce() -> Found) -> Found {
        if let Some(found) = self.with(ground, |memory| memory.lines.find(&ends)) {
            return found;
        }
        let found = reckon();
        self.with(ground, |memory| memory.lines.keep(ends, found));
        found
    }

    /// The best open line between the stands of two units: as it was found before, or as `reckon` finds it now.
    pub(super) fn open_line(
        &self,
        ground: &GroundNow<'_>,
        (looker, target): (&Stands, &Stands),
        reckon: impl FnOnce() -> Option<SightLine>,
    ) -> Option<SightLine> {
        let ends = (Arc::clone(looker), Arc::clone(target));
        if let Some(found) = self.with(ground, |memory| memory.open.find(&ends)) {
            return found;
        }
        let found = reckon();
        self.with(ground, |memory| {
            if found.is_none() {
                // What is blocked is blocked for both.
                memory.open.keep((Arc::clone(target), Arc::clone(looker)), found);
            }
            memory.open.keep(ends, found);
        });
        found
    }

    /// The levels under the stands of a unit: as they were found before, or as `reckon` finds them now.
    pub(super) fn levels(
        &self,
        ground: &GroundNow<'_>,
        stands: &Stands,
        reckon: impl FnOnce() -> Arc<[i32]>,
    ) -> Arc<[i32]> {
        if let Some(found) = self.with(ground, |memory| memory.levels.find(stands)) {
            return found;
        }
        let found = reckon();
        self.with(ground, |memory| memory.levels.keep(Arc::clone(stands), Arc::clone(&found)));
        found
    }

    /// Opens the memory of that ground; lines over any other are forgotten.
    fn with<T>(&self, ground: &GroundNow<'_>, look: impl FnOnce(&mut Memory) -> T) -> T {
        // A memory left by a thread that panicked is as good as any: every line in it is whole.
        let mut memory = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (map, destroyed) = (ground.shared_ground(), &ground.changes().destroyed_buildings);
        let same = memory.ground.as_ref().is_some_and(|known| Arc::ptr_eq(&known.0, map) && known.1 == *destroyed);
        if !same {
            *memory = Memory { ground: Some((Arc::clone(map), destroyed.clone())), ..Memory::default() };
        }
        look(&mut memory)
    }
}

/// What was found, by what it was asked of: each has one place, and drives out whatever was there.
struct Places<Of, What> {
    places: Vec<Option<(Of, What)>>,
    /// Answers that were driven out since there were so many places.
    driven_out: usize,
}

impl<Of, What> Default for Places<Of, What> {
    fn default() -> Self {
        Places { places: Vec::new(), driven_out: 0 }
    }
}

impl<Of: Spread + PartialEq, What: Clone> Places<Of, What> {
    fn find(&self, of: &Of) -> Option<What> {
        let kept = self.places.get(place(of, self.places.len()))?.as_ref();
        kept.filter(|(known, _)| known == of).map(|(_, found)| found.clone())
    }

    fn keep(&mut self, of: Of, found: What) {
        if self.places.is_empty() {
            self.places.resize_with(PLACES, || None);
        }
        let place = place(&of, self.places.len());
        self.driven_out += usize::from(self.places[place].replace((of, found)).is_some());
        if self.places.len() < self.driven_out && self.places.len() < MOST_PLACES {
            self.grow();
        }
    }

    /// Twice the places, when as many answers were driven out as there are places.
    fn grow(&mut self) {
        let more = 2 * self.places.len();
        let kept = std::mem::take(&mut self.places);
        self.places.resize_with(more, || None);
        for (of, found) in kept.into_iter().flatten() {
            let place = place(&of, more);
            self.places[place] = Some((of, found));
        }
        self.driven_out = 0;
    }
}

/// Where an answer is kept.
fn place<Of: Spread>(of: &Of, places: usize) -> usize {
    (of.spread() >> 32) as usize % places.max(1)
}

/// Spreads answers over places: any way will do.
trait Spread {
    fn spread(&self) -> u64;
}

impl Spread for (Point, Point) {
    fn spread(&self) -> u64 {
        mixed([self.0, self.1].iter())
    }
}

impl Spread for (Arc<[Point]>, Arc<[Point]>) {
    fn spread(&self) -> u64 {
        mixed(self.0.iter().chain(self.1.iter()))
    }
}

impl Spread for Arc<[Point]> {
    fn spread(&self) -> u64 {
        mixed(self.iter())
    }
}

fn mixed<'p>(points: impl Iterator<Item = &'p Point>) -> u64 {
    let mix = |sum: u64, part: i32| {
        (sum ^ u64::from(part.unsigned_abs())).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
    };
    points.flat_map(|point| [point.x, point.y]).fold(0, mix)
}

impl PartialEq for Remembered {
    /// What is remembered is no part of a battle.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Remembered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Remembered")
    }
}
