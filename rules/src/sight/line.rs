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
    match ground.remembered() {
        Some(remembered) => remembered.best_line(ground, (looker, target), || best_of_all(ground, looker, target)),
        None => best_of_all(ground, looker, target),
    }
}

/// Lines no longer than this, thousandths of an inch, are remembered singly: along them one fires, stand by stand.
const REMEMBERED_SINGLY: i64 = 24_000;

fn best_of_all(ground: &GroundNow<'_>, looker: &[Point], target: &[Point]) -> Result<SightLine, Block> {
    let line = |from: Point, to: Point| {
        let apart = (i64::from(from.x) - i64::from(to.x)).abs().max((i64::from(from.y) - i64::from(to.y)).abs());
        if apart <= REMEMBERED_SINGLY { sight_line(ground, from, to) } else { reckoned_either_way(ground, from, to) }
    };
    let levels = |points: &[Point]| points.iter().map(|point| (*point, ground.level(*point))).collect::<Vec<_>>();
    let (lookers, targets) = (levels(looker), levels(target));
    if ridge_between(ground, &lookers, &targets) {
        return Err(Block::HigherGround);
    }
    let mut best: Result<SightLine, Block> = Err(Block::Nobody);
    for &(from, height) in &lookers {
        for &(to, other) in &targets {
            // Of lines that are blocked only the first tells why.
            let is_first = best == Err(Block::Nobody);
            if !is_first && stands_back(ground, &Leg::new(from, to), height, other) {
                continue;
            }
            match (line(from, to), &best) {
                (Ok(line), _) if line.depth == 0 => return Ok(line),
                (Ok(line), Ok(known)) if (known.depth, known.woods) <= (line.depth, line.woods) => {}
                (Ok(line), _) => best = Ok(line),
                (Err(block), Err(Block::Nobody)) => best = Err(block),
                (Err(_), _) => {}
            }
        }
    }
    best
}

/// VIS-14 (a) Whether ground above all of them surely lies across every line between two units, given by their stands and
/// the levels of these. So most who are far apart are told by one look.
fn ridge_between(ground: &GroundNow<'_>, lookers: &[(Point, i32)], targets: &[(Point, i32)]) -> bool {
    let about = |of: &[(Point, i32)]| of.iter().map(|(point, _)| Extent::about(*point, 0)).reduce(Extent::with);
    let top = lookers.iter().chain(targets).map(|(_, level)| *level).max().unwrap_or(0);
    let (Some(one), Some(other)) = (about(lookers), about(targets)) else { return false };
    ground.surely_rises_between(one, other, top)
}

/// VIS-14 (b) Whether the higher end of a line surely stands back from its crest, so that ground blocks the line here or
/// farther on. A no is not sure.
fn stands_back(ground: &GroundNow<'_>, leg: &Leg, first: i32, last: i32) -> bool {
    let back = CREST + FINE;
    if first == last || leg.length <= 2 * back {
        return false;
    }
    let (end, crest) = if last < first { (leg.from, leg.at(back)) } else { (leg.to, leg.at(leg.length - back)) };
    ground.is_surely_level(end, crest)
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
    if let Some(block) = blocked_by_ground(&ground.levels(&leg), first, last) {
        return Err(block);
    }
    if blocked_by_building(ground, &leg) {
        return Err(Block::Building);
    }
    let (mut light, mut heavy) = (0, 0);
    for (begins, ends, wooded) in ground.trees(&leg) {
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
        from,
        to,
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
