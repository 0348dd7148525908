//! Lines of sight that were reckoned before, kept for those who ask again.
//!
//! Owns [`Remembered`]. A line is a matter of two points and the ground alone, so what is remembered holds good until the
//! ground changes; the line that needs its place drives it out. It never knows a unit.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use protocol::place::Point;

use super::line::{Block, SightLine};
use crate::ground::{Ground, GroundChanges, GroundNow};

/// Places for lines to begin with. A turn of twenty units a side looks along some thousands of different ones at any one time.
const PLACES: usize = 1 << 13;

/// Places at most: enough for some hundreds of units a side, a few megabytes.
const MOST_PLACES: usize = 1 << 17;

/// Reckoned lines over one ground. A copy is the same memory.
#[derive(Clone, Default)]
pub struct Remembered(Arc<Mutex<Memory>>);

#[derive(Default)]
struct Memory {
    /// The ground over which the lines were reckoned; none while nothing is remembered.
    ground: Option<(Arc<Ground>, GroundChanges)>,
    lines: Vec<Option<Line>>,
    /// Lines that were driven out since there were so many places.
    driven_out: usize,
}

#[derive(Clone, Copy)]
struct Line {
    from: Point,
    to: Point,
    found: Result<SightLine, Block>,
}

impl Remembered {
    /// The line between two points over a ground: as it was found before, or as `reckon` finds it now.
    pub(super) fn line(
        &self,
        ground: &GroundNow<'_>,
        (from, to): (Point, Point),
        reckon: impl FnOnce() -> Result<SightLine, Block>,
    ) -> Result<SightLine, Block> {
        if let Some(found) = self.with(ground, |memory| memory.find(from, to)) {
            return found;
        }
        let found = reckon();
        self.with(ground, |memory| memory.keep(Line { from, to, found }));
        found
    }

    /// Opens the memory of that ground; lines over any other are forgotten.
    fn with<T>(&self, ground: &GroundNow<'_>, look: impl FnOnce(&mut Memory) -> T) -> T {
        // A memory left by a thread that panicked is as good as any: every line in it is whole.
        let mut memory = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (map, changes) = (ground.shared_ground(), ground.changes());
        let same = memory.ground.as_ref().is_some_and(|known| Arc::ptr_eq(&known.0, map) && known.1 == *changes);
        if !same {
            memory.ground = Some((Arc::clone(map), changes.clone()));
            memory.lines.clear();
            memory.lines.resize(PLACES, None);
            memory.driven_out = 0;
        }
        look(&mut memory)
    }
}

impl Memory {
    fn find(&self, from: Point, to: Point) -> Option<Result<SightLine, Block>> {
        let line = self.lines[place(from, to, self.lines.len())].as_ref();
        line.filter(|line| (line.from, line.to) == (from, to)).map(|line| line.found)
    }

    fn keep(&mut self, line: Line) {
        let place = place(line.from, line.to, self.lines.len());
        self.driven_out += usize::from(self.lines[place].replace(line).is_some());
        if self.lines.len() < self.driven_out && self.lines.len() < MOST_PLACES {
            self.grow();
        }
    }

    /// Twice the places, when as many lines were driven out as there are places.
    fn grow(&mut self) {
        let places = 2 * self.lines.len();
        let lines = std::mem::replace(&mut self.lines, vec![None; places]);
        for line in lines.into_iter().flatten() {
            self.lines[place(line.from, line.to, places)] = Some(line);
        }
        self.driven_out = 0;
    }
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

/// Where the line between two points is kept: any spread will do.
fn place(from: Point, to: Point, places: usize) -> usize {
    let mix = |sum: u64, part: i32| {
        (sum ^ u64::from(part.unsigned_abs())).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
    };
    let sum = [from.x, from.y, to.x, to.y].into_iter().fold(0, mix);
    (sum >> 32) as usize % places
}
