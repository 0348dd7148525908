//! Lines that special rules have rolled for when a march crosses them. SCNS-04
//!
//! Owns which lines a step crosses and how often a unit has crossed them. The die is [`crate::specials`]'.

use protocol::place::Point;

use super::clock::Clock;
use crate::battle::UnitIx;
use crate::catalogue::SCNS_04;
use crate::geometry::{self, Vector};
use crate::ground::{Ground, GroundNow};
use crate::places;
use crate::scenario::{PlaceTerm, RollOn, RollResult, SpecialKind};
use crate::specials;

/// SCNS-04 Rolls for every line that a mover's anchor has passed in this segment. In disorder it goes on; halted it stands
/// just beyond.
pub(super) fn roll(clock: &mut Clock<'_, '_>, before: &[Option<Point>]) {
    let terms: Vec<(String, PlaceTerm)> = {
        let specials = &clock.play.table().scenario().specials;
        let crossing =
            specials.iter().filter(|special| matches!(special.kind, SpecialKind::Roll { on: RollOn::Crosses, .. }));
        crossing.filter_map(|special| Some((special.id.clone(), special.place.clone()?))).collect()
    };
    if terms.is_empty() {
        return;
    }
    for n in 0..clock.movers.len() {
        let (ix, to) = (clock.movers[n].unit, clock.movers[n].body.footing.anchor);
        let Some(from) = before.get(n).copied().flatten().filter(|from| *from != to) else { continue };
        for (term, place) in &terms {
            for _ in 0..crossings(clock.play.table().ground(), place, from, to) {
                let result = count_and_roll(clock, ix, term);
                suffer(clock, n, result);
            }
        }
    }
}

/// Where the anchors of all movers are now, for [`roll`] after the step.
pub(super) fn anchors(clock: &Clock<'_, '_>) -> Vec<Option<Point>> {
    let there = |ix: UnitIx| clock.play.table()[ix].on_table();
    clock.movers.iter().map(|mover| there(mover.unit).then_some(mover.body.footing.anchor)).collect()
}

fn count_and_roll(clock: &mut Clock<'_, '_>, ix: UnitIx, term: &str) -> Option<RollResult> {
    let crossed = &mut clock.play.table_mut()[ix].carried.crossed;
    let n = crossed.entry(term.to_owned()).or_insert(0);
    *n += 1;
    let n = *n;
    specials::roll_of_term(clock.play, ix, term, n)
}

fn suffer(clock: &mut Clock<'_, '_>, n: usize, result: Option<RollResult>) {
    let mover = &mut clock.movers[n];
    match result {
        Some(RollResult::Disorder) => mover.disorder(),
        Some(RollResult::Halt | RollResult::NotDone) => {
            mover.halt(SCNS_04, "a special rule of the scenario stopped it")
        }
        _ => {}
    }
}

/// How often a step crosses a place: a line of the map, or the fences, walls and works that lie in an area.
fn crossings(ground: GroundNow<'_>, place: &PlaceTerm, from: Point, to: Point) -> usize {
    let map: &Ground = ground.ground();
    if let Some(line) = places::line(map, place) {
        return line.windows(2).filter(|leg| passes(from, to, leg[0], leg[1])).count();
    }
    let legs = map.obstacles.iter().flat_map(|obstacle| obstacle.line.windows(2));
    let crossed = legs.filter(|leg| passes(from, to, leg[0], leg[1]));
    crossed.filter(|leg| places::holds_point(ground, place, geometry::nearest_on_segment(to, leg[0], leg[1]))).count()
}

/// Whether a step passes from one side of a leg to the other. What ends on the line has not passed it yet, and a corner of
/// the line belongs to one of its legs: so each passage counts once.
fn passes(from: Point, to: Point, a: Point, b: Point) -> bool {
    let side = |from: Point, to: Point, point: Point| 0 < Vector::between(from, to).cross(Vector::between(from, point));
    side(a, b, from) != side(a, b, to) && side(from, to, a) != side(from, to, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scns_04_a_passage_counts_once_also_through_a_corner() {
        let p = Point::new;
        // A step that ends on the line, and the next from it.
        assert!(
            [passes(p(0, -5), p(0, 0), p(-9, 0), p(9, 0)), passes(p(0, 0), p(0, 5), p(-9, 0), p(9, 0))]
                .iter()
                .filter(|passed| **passed)
                .count()
                == 1
        );
        // Through the corner of a bent line.
        let bent = [p(-9, 0), p(0, 0), p(9, 3)];
        assert_eq!(bent.windows(2).filter(|leg| passes(p(0, -5), p(0, 5), leg[0], leg[1])).count(), 1);
        // Beside it.
        assert!(!passes(p(20, -5), p(20, 5), p(-9, 0), p(9, 0)));
    }
}
