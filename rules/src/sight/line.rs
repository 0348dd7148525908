//! VIS-14, VIS-03 One line of sight: what blocks it and what trees it passes.

use std::sync::Arc;

use protocol::place::Point;

use crate::geometry::{EPS, Extent};
use crate::ground::lines::{FINE, Leg, thousandths};
use crate::ground::{GroundNow, Wooded};

/// What blocks a line of sight. VIS-14
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Block {
    /// (a) Ground above both ends.
    HigherGround,
    /// (b) The higher end stands back from its crest.
    Crest,
    /// (c) The lower end lies in dead ground behind a ridge.
    DeadGround,
    /// (d) A building.
    Building,
    /// There is no stand to see or to look from.
    Nobody,
}

/// A line that ground and buildings leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SightLine {
    /// VIS-03 Woods depth: inches of light woods and twice those of heavy, thousandths.
    pub depth: i32,
    /// COVER-07 Woods passed, not doubled, thousandths of an inch.
    pub woods: i32,
    /// The length of the line.
    pub length: i32,
    /// Where the looker's stand is.
    pub from: Point,
    /// Where the target's stand is.
    pub to: Point,
}

/// VIS-03 The open line of least woods depth between the stands of two units, given by their centres. With none open, what
/// blocks the first. Depth and woods are the same in both directions.
pub fn best_line(ground: &GroundNow<'_>, looker: &Arc<[Point]>, target: &Arc<[Point]>) -> Result<SightLine, Block> {
    open_line(ground, looker, target).ok_or_else(|| {
        let first = looker.first().zip(target.first());
        let blocked = first.and_then(|(from, to)| sight_line(ground, *from, *to).err());
        blocked.unwrap_or(Block::Nobody)
    })
}

/// VIS-03 As [`best_line`], for those who do not ask what blocks it: most who are far apart are then told by a quick look.
pub fn open_line(ground: &GroundNow<'_>, looker: &Arc<[Point]>, target: &Arc<[Point]>) -> Option<SightLine> {
    match ground.remembered() {
        Some(remembered) => remembered.open_line(ground, (looker, target), || best_of_all(ground, looker, target)),
        None => best_of_all(ground, looker, target),
    }
}

/// Lines no longer than this, thousandths of an inch, are remembered singly: along them one fires, stand by stand.
const REMEMBERED_SINGLY: i64 = 24_000;

/// A stand's centre, and the level of the ground there.
type Raised = (Point, i32);

fn best_of_all(ground: &GroundNow<'_>, looker: &Arc<[Point]>, target: &Arc<[Point]>) -> Option<SightLine> {
    let (lookers, targets) = (raised(ground, looker), raised(ground, target));
    if ridge_between(ground, &lookers, &targets) {
        return None;
    }
    let mut best: Option<SightLine> = None;
    for from in &lookers {
        for to in &targets {
            let Some(line) = open_between(ground, *from, *to) else { continue };
            if line.depth == 0 {
                return Some(line);
            }
            if best.is_none_or(|known| (line.depth, line.woods) < (known.depth, known.woods)) {
                best = Some(line);
            }
        }
    }
    best
}

fn raised(ground: &GroundNow<'_>, stands: &Arc<[Point]>) -> Vec<Raised> {
    let levels = || stands.iter().map(|point| ground.level(*point)).collect();
    let levels: Arc<[i32]> = match ground.remembered() {
        Some(remembered) => remembered.levels(ground, stands, levels),
        None => levels(),
    };
    stands.iter().copied().zip(levels.iter().copied()).collect()
}

/// VIS-14 The line between two stands, if it is open.
fn open_between(ground: &GroundNow<'_>, from: Raised, to: Raised) -> Option<SightLine> {
    let (high, low) = if from.1 < to.1 { (to, from) } else { (from, to) };
    let down = Leg::new(high.0, low.0);
    if stands_back(ground, &down, high.1, low.1) || ground.surely_hides(&down, (high.1, low.1)) {
        return None;
    }
    let ((from, one), (to, other)) = (from, to);
    let apart = (i64::from(from.x) - i64::from(to.x)).abs().max((i64::from(from.y) - i64::from(to.y)).abs());
    if apart <= REMEMBERED_SINGLY {
        return sight_line(ground, from, to).ok();
    }
    let (first, last, levels) = if from <= to { (from, to, (one, other)) } else { (to, from, (other, one)) };
    let line = reckoned_to_its_end(ground, &Leg::new(first, last), levels).ok()?;
    Some(SightLine { from, to, ..line })
}

/// VIS-14 (a) Whether ground above all of them surely lies across every line between two units, given by their stands and
/// the levels of these. So most who are far apart are told by one look.
fn ridge_between(ground: &GroundNow<'_>, lookers: &[Raised], targets: &[Raised]) -> bool {
    let about = |of: &[Raised]| of.iter().map(|(point, _)| Extent::about(*point, 0)).reduce(Extent::with);
    let top = lookers.iter().chain(targets).map(|(_, level)| *level).max().unwrap_or(0);
    let (Some(one), Some(other)) = (about(lookers), about(targets)) else { return false };
    ground.surely_rises_between(one, other, top)
}

/// VIS-14 (b) Whether the higher end of a line, which comes first, surely stands back from its crest, so that ground blocks
/// the line here or farther on. A no is not sure.
fn stands_back(ground: &GroundNow<'_>, down: &Leg, high: i32, low: i32) -> bool {
    let back = CREST + FINE;
    low < high && 2 * back < down.length && ground.is_surely_level(down.from, down.at(back))
}

/// VIS-14, VIS-03 The line of sight between two points.
pub fn sight_line(ground: &GroundNow<'_>, from: Point, to: Point) -> Result<SightLine, Block> {
    let line = match ground.remembered() {
        Some(remembered) => remembered.line(ground, in_order(from, to), || reckoned_either_way(ground, from, to)),
        None => reckoned_either_way(ground, from, to),
    };
    line.map(|line| SightLine { from, to, ..line })
}

/// A line is reckoned from one end whoever looks, so that both have one answer.
fn in_order(from: Point, to: Point) -> (Point, Point) {
    if from <= to { (from, to) } else { (to, from) }
}

fn reckoned_either_way(ground: &GroundNow<'_>, from: Point, to: Point) -> Result<SightLine, Block> {
    let (first, last) = in_order(from, to);
    reckoned(ground, first, last).map(|line| SightLine { from, to, ..line })
}

fn reckoned(ground: &GroundNow<'_>, from: Point, to: Point) -> Result<SightLine, Block> {
    let leg = Leg::new(from, to);
    let (first, last) = (ground.level(leg.from), ground.level(leg.to));
    if ground.surely_rises_above(&leg, first.max(last)) {
        return Err(Block::HigherGround);
    }
    reckoned_to_its_end(ground, &leg, (first, last))
}

/// The same with the levels at both ends, without a quick look for a ridge.
fn reckoned_to_its_end(ground: &GroundNow<'_>, leg: &Leg, (first, last): (i32, i32)) -> Result<SightLine, Block> {
    if let Some(block) = blocked_by_ground(&ground.levels(leg), first, last) {
        return Err(block);
    }
    if blocked_by_building(ground, leg) {
        return Err(Block::Building);
    }
    let (mut light, mut heavy) = (0, 0);
    for (begins, ends, wooded) in ground.trees(leg) {
        match wooded {
            Wooded::None => {}
            Wooded::Light => light += ends - begins,
            Wooded::Heavy => heavy += ends - begins,
        }
    }
    Ok(SightLine {
        depth: thousandths(light + 2 * heavy),
        woods: thousandths(light + heavy),
        length: thousandths(leg.length),
        from: leg.from,
        to: leg.to,
    })
}

/// VIS-14 (a) to (c) What the ground blocks, from the levels along the line and at its ends.
fn blocked_by_ground(levels: &[(i64, i64, i32)], first: i32, last: i32) -> Option<Block> {
    let top = first.max(last);
    if levels.iter().any(|&(_, _, level)| top < level) {
        return Some(Block::HigherGround);
    }
    if first == last {
        return None;
    }
    let length = levels.last().map_or(0, |&(_, ends, _)| ends);
    // Each part from the higher end on: where it ends, and its level.
    let down: Vec<(i64, i32)> = if last < first {
        levels.iter().map(|&(_, ends, level)| (ends, level)).collect()
    } else {
        levels.iter().rev().map(|&(begins, _, level)| (length - begins, level)).collect()
    };
    let on_top = down.iter().take_while(|&&(_, level)| level == top).last().map_or(0, |&(ends, _)| ends);
    if CREST < on_top {
        return Some(Block::Crest);
    }
    let low = first.min(last);
    let mut lowest = top;
    for &(ends, level) in &down {
        // Ground that stands above a dip before it belongs to a rise.
        if lowest < level && low < level && length + i64::from(EPS) * FINE < 2 * ends {
            return Some(Block::DeadGround);
        }
        lowest = lowest.min(level);
    }
    None
}

/// VIS-14 (b) How far back from its crest one may stand and still see down.
const CREST: i64 = (1_000 + EPS as i64) * FINE;

/// VIS-14 (d) The part of a line at either end in which a building does not block.
const BESIDE_BUILDING: i64 = 500 * FINE;

/// VIS-14 (d) Whether a building that holds neither end blocks the line.
fn blocked_by_building(ground: &GroundNow<'_>, leg: &Leg) -> bool {
    let along = ground.buildings_along(leg);
    if along.is_empty() {
        return false;
    }
    let mut own = ground.standing_buildings(leg.from);
    own.extend(ground.standing_buildings(leg.to));
    along.iter().any(|(begins, ends, held)| {
        let begins = (*begins).max(BESIDE_BUILDING);
        let ends = (*ends).min(leg.length - BESIDE_BUILDING);
        begins + i64::from(EPS) * FINE < ends && held.iter().any(|building| !own.contains(building))
    })
}
