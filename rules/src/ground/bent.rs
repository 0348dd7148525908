//! Ground that special rules make other ground for one mover, or over which they allow it so much a turn. SCNS-07, SCNS-09
//!
//! Owns what such a rule is to the ground: a place, and what holds there. It never knows a unit or a scenario: who is meant
//! is chosen by the caller, who then asks the ground with [`GroundNow::bent`].

use std::fmt;

use protocol::place::Point;

use super::lines::{FINE, Leg};
use super::query::GroundNow;
use super::{Terrain, Wooded};

/// A special rule of the ground, for whoever asks with it.
pub struct Bend<'a> {
    /// The scenario's word for the rule.
    pub term: &'a str,
    /// Whether a point lies in its place.
    pub holds: Box<dyn Fn(Point) -> bool + 'a>,
    /// The ground as which the place counts. SCNS-07
    pub terrain: Option<Terrain>,
    /// The trees as which it counts. SCNS-07
    pub wooded: Option<Wooded>,
    /// The most in a turn through the place, in the place of the rate, thousandths of an inch. SCNS-09
    pub allowance: Option<i32>,
}

impl fmt::Debug for Bend<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bend { term, holds: _, terrain, wooded, allowance } = self;
        let mut shown = f.debug_struct("Bend");
        shown.field("term", term).field("terrain", terrain).field("wooded", wooded).field("allowance", allowance);
        shown.finish()
    }
}

/// How far apart a leg is tried for the borders of a place, thousandths of an inch. A tongue of the place that is thinner
/// than this may be passed over.
const STRIDE: i64 = 100;

impl<'a> GroundNow<'a> {
    /// The same ground, as special rules make it.
    pub fn bent<'b>(self, bends: &'b [Bend<'b>]) -> GroundNow<'b>
    where
        'a: 'b,
    {
        GroundNow { bends, ..self }
    }

    /// SCNS-07 Ground and trees at a point as the special rules have them.
    pub(super) fn as_treated(&self, point: Point, (terrain, wooded): (Terrain, Wooded)) -> (Terrain, Wooded) {
        let here = |bend: &&Bend<'_>| (bend.terrain.is_some() || bend.wooded.is_some()) && (bend.holds)(point);
        match self.bends.iter().find(here) {
            Some(bend) => (bend.terrain.unwrap_or(terrain), bend.wooded.unwrap_or(wooded)),
            None => (terrain, wooded),
        }
    }

    /// SCNS-09 What a special rule allows in a turn at a point, thousandths of an inch; of several the least.
    pub fn allowance(&self, point: Point) -> Option<i32> {
        self.bends.iter().filter(|bend| (bend.holds)(point)).filter_map(|bend| bend.allowance).min()
    }

    /// The fine travels at which a leg enters or leaves the place of a special rule.
    pub(super) fn borders_of_bends(&self, leg: &Leg) -> Vec<i64> {
        let mut borders = Vec::new();
        for bend in self.bends {
            let holds = |travel: i64| (bend.holds)(leg.at(travel));
            let mut from = 0;
            while from < leg.length {
                let to = (from + STRIDE * FINE).min(leg.length);
                let before = holds(from);
                if before != holds(to) {
                    let (mut low, mut high) = (from, to);
                    while 1 < high - low {
                        let middle = (low + high) / 2;
                        if holds(middle) == before { low = middle } else { high = middle }
                    }
                    // Points are rounded, and the border itself is inside: it lies half a thousandth within.
                    borders.push(if before { high - FINE / 2 } else { high + FINE / 2 });
                }
                from = to;
            }
        }
        borders
    }
}
