//! Obstacles on a line: what a move crosses, what a shot crosses, what covers a stand.
//!
//! Owns the geometry of COVER-01 and COVER-02 and of crossing. What a crossing costs and what cover is worth is told elsewhere.

use protocol::place::Point;

use super::lines::{self, Leg};
use super::query::GroundNow;
use super::{Obstacle, ObstacleKind, index};
use crate::geometry::{self, Rect};

/// COVER-02 Cover is had nearer than this, thousandths of an inch.
const NEAR: i32 = 1_000;

/// Works no farther apart on the way are on one line, thousandths of an inch. WORKS-16
const ON_ONE_LINE: i32 = 10;

/// A crossing of an obstacle by a straight leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing<'a> {
    /// Along the leg, thousandths of an inch.
    pub travel: i32,
    /// What is crossed.
    pub obstacle: &'a Obstacle,
    /// Obstacles of one kind that are joined have one number. COVER-01
    pub chain: usize,
    /// Where along the obstacle's line, thousandths of an inch from its first point. COVER-15
    pub along: i32,
    /// Whether the leg comes from the left of the obstacle's line, the side that works face. COVER-09
    pub from_left: bool,
}

/// An obstacle that covers one stand against fire from a point. COVER-01
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Covering<'a> {
    /// The crossing of the shot, the nearest to the stand of its chain.
    pub crossing: Crossing<'a>,
}

/// An obstacle behind which a whole unit claims cover. COVER-01
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim<'a> {
    /// The obstacle, of several joined ones the first that covers a stand.
    pub obstacle: &'a Obstacle,
    /// Its chain.
    pub chain: usize,
    /// COVER-09 Whether the fire comes from the side that works face. Always true for what has no facing.
    pub right_side: bool,
}

impl<'a> GroundNow<'a> {
    /// The standing obstacles that a straight leg crosses, in order. A point on a line counts as on its left, so that a path
    /// with a bend on a fence crosses it once. MOVE-08, OBS-01
    pub fn crossings(&self, from: Point, to: Point) -> Vec<Crossing<'a>> {
        let mut crossings = self.crossings_of_lines(from, to);
        crossings.retain(|crossing| !self.changes.is_gap(&crossing.obstacle.id, crossing.along));
        crossings
    }

    /// Whether the map has, or anybody has built, an obstacle of a kind.
    pub fn has_any(&self, kind: ObstacleKind) -> bool {
        self.index.kinds.contains(&kind) || self.changes.built.iter().any(|built| built.kind == kind)
    }

    /// OBS-24, WORKS-16 What hinders one who walks over the ground on so wide a front: what stands, openings that are narrower than
    /// he is, and of works on one line, which face both ways, only the strongest. 0: every opening lets him through.
    pub fn barriers(&self, from: Point, to: Point, front: i32) -> Vec<Crossing<'a>> {
        let mut barriers: Vec<Crossing<'a>> = Vec::new();
        for crossing in self.crossings_of_lines(from, to) {
            if !self.hinders(&crossing, front) {
                continue;
            }
            let same = barriers.iter_mut().find(|known| {
                let both_works = known.obstacle.kind.is_works() && crossing.obstacle.kind.is_works();
                both_works && (known.travel - crossing.travel).abs() <= ON_ONE_LINE
            });
            match same {
                Some(known) if known.obstacle.kind < crossing.obstacle.kind => *known = crossing,
                Some(_) => {}
                None => barriers.push(crossing),
            }
        }
        barriers
    }

    /// OBS-24, WORKS-23 Whether what is crossed stands there, or has only an opening that is too narrow.
    fn hinders(&self, crossing: &Crossing<'a>, front: i32) -> bool {
        match self.opening(crossing.obstacle, crossing.along) {
            // A fence in which there is a gap has gone into works, which have a price of their own.
            Some(width) => !crossing.obstacle.kind.is_fence() && width < front,
            None => true,
        }
    }

    /// As [`GroundNow::crossings`], also where a gap has been opened in what is crossed. COVER-15
    pub fn crossings_of_lines(&self, from: Point, to: Point) -> Vec<Crossing<'a>> {
        let leg = Leg::new(from, to);
        let mut crossings = Vec::new();
        for part in self.index.obstacles.beside(&leg, 0) {
            let obstacle = &self.ground().obstacles[part.line];
            crossings.extend(crossing(&leg, part, obstacle, self.index.chains[part.line]));
        }
        for (number, obstacle) in self.changes.built.iter().enumerate() {
            let chain = self.ground().obstacles.len() + number;
            for part in index::parts_of(chain, &obstacle.line) {
                crossings.extend(crossing(&leg, &part, obstacle, chain));
            }
        }
        crossings.sort_by_key(|crossing| (crossing.travel, crossing.chain, crossing.along));
        crossings
    }

    /// COVER-02 The chains of which some standing part is nearer than an inch to a stand, each once, in order.
    pub fn near_obstacles(&self, stand: &Rect) -> Vec<usize> {
        let diagonal = Leg::new(stand.front_left(), stand.rear_right());
        let margin = 1_000 + i64::from(lines::thousandths(diagonal.length));
        let mut near = Vec::new();
        for part in self.index.obstacles.beside(&diagonal, margin) {
            let chain = self.index.chains[part.line];
            if self.is_near(stand, part, &self.ground().obstacles[part.line]) {
                near.push(chain);
            }
        }
        for (number, obstacle) in self.changes.built.iter().enumerate() {
            let chain = self.ground().obstacles.len() + number;
            if index::parts_of(chain, &obstacle.line).any(|part| self.is_near(stand, &part, obstacle)) {
                near.push(chain);
            }
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    /// MOR-53 The obstacles that at least three of the stands (all, if fewer) are near, on either side and whoever looks on;
    /// one for each chain.
    pub fn beside(&self, stands: &[Rect]) -> Vec<&'a Obstacle> {
        let needed = stands.len().min(3);
        let mut near: Vec<usize> = stands.iter().flat_map(|stand| self.near_obstacles(stand)).collect();
        near.sort_unstable();
        let chains = near.chunk_by(|one, other| one == other).filter(|stands| 0 < needed && needed <= stands.len());
        chains.filter_map(|stands| self.first_of_chain(stands[0])).collect()
    }

    fn first_of_chain(&self, chain: usize) -> Option<&'a Obstacle> {
        let mapped = &self.ground().obstacles;
        let number = self.index.chains.iter().position(|&other| other == chain);
        number.map(|number| &mapped[number]).or_else(|| self.changes.built.get(chain.checked_sub(mapped.len())?))
    }

    /// Whether what stands of one straight part of an obstacle is near a stand.
    fn is_near(&self, stand: &Rect, part: &index::Part, obstacle: &Obstacle) -> bool {
        let near = |a: Point, b: Point| geometry::segment_to_polygon(a, b, &stand.corners).closer_than(NEAR);
        if !near(part.from, part.to) {
            return false;
        }
        if !self.changes.gaps.contains_key(&obstacle.id) && !self.changes.open.contains(&obstacle.id) {
            return true;
        }
        let leg = Leg::new(part.from, part.to);
        let (begins, length) = (lines::thousandths(part.begins), lines::thousandths(leg.length));
        let standing = self.changes.standing(&obstacle.id, begins + length);
        standing.into_iter().filter(|stretch| begins < stretch.to).any(|stretch| {
            let at = |along: i32| leg.at(i64::from((along - begins).clamp(0, length)) * lines::FINE);
            near(at(stretch.from), at(stretch.to))
        })
    }

    /// COVER-01, COVER-02 The obstacles that cover a stand against fire from `from`, the mean of the firing stands' centres;
    /// one for each chain, with the crossing nearest to the stand.
    pub fn covering(&self, from: Point, stand: &Rect) -> Vec<Covering<'a>> {
        let crossings = self.crossings(from, stand.center);
        if crossings.is_empty() {
            return Vec::new();
        }
        let near = self.near_obstacles(stand);
        let mut covering: Vec<Covering<'a>> = Vec::new();
        for crossing in crossings.into_iter().rev().filter(|crossing| near.contains(&crossing.chain)) {
            if covering.iter().all(|known| known.crossing.chain != crossing.chain) {
                covering.push(Covering { crossing });
            }
        }
        covering
    }

    /// COVER-01 The obstacles behind which a unit claims cover: at least three of its stands, or all if it has fewer, are
    /// covered by the same one. Works count from the right side if so many stands have the fire on the faced side.
    pub fn claims(&self, from: Point, stands: &[Rect]) -> Vec<Claim<'a>> {
        let needed = stands.len().min(3);
        if needed == 0 {
            return Vec::new();
        }
        let mut covered: Vec<Crossing<'a>> = Vec::new();
        for stand in stands {
            covered.extend(self.covering(from, stand).into_iter().map(|covering| covering.crossing));
        }
        covered.sort_by_key(|crossing| crossing.chain);
        let chains = covered.chunk_by(|one, other| one.chain == other.chain);
        chains
            .filter(|crossings| needed <= crossings.len())
            .map(|crossings| {
                let faced = crossings.iter().filter(|crossing| crossing.from_left).count();
                let first = crossings[0];
                let right_side = !first.obstacle.kind.is_works() || needed <= faced;
                Claim { obstacle: first.obstacle, chain: first.chain, right_side }
            })
            .collect()
    }
}

fn crossing<'a>(leg: &Leg, part: &index::Part, obstacle: &'a Obstacle, chain: usize) -> Option<Crossing<'a>> {
    let passage = lines::crosses(leg, part.from, part.to)?;
    let along = lines::thousandths(part.begins + passage.along);
    let travel = lines::thousandths(passage.travel);
    Some(Crossing { travel, obstacle, chain, along, from_left: passage.from_left })
}
