//! Obstacles along their own line: what stands of one, where it is nearest, how it goes on in the next.
//!
//! Owns the walk along an obstacle and those of its kind that are joined to it, end to end. What is taken out of it, and by
//! whom, is told elsewhere.

use protocol::ids::FeatureId;
use protocol::place::Point;

use super::changes::Stretch;
use super::lines::{self, Leg};
use super::query::GroundNow;
use super::{Obstacle, index};
use crate::geometry::{self, Distance};

/// The place of an obstacle that is nearest to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nearest<'a> {
    /// The obstacle.
    pub obstacle: &'a Obstacle,
    /// Along its line, thousandths of an inch.
    pub along: i32,
    /// The place itself.
    pub point: Point,
    /// How far it is.
    pub distance: Distance,
}

/// A part of an obstacle, walked over one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outward<'a> {
    /// The obstacle.
    pub obstacle: &'a Obstacle,
    /// The part, in the numbers of its own line.
    pub stretch: Stretch,
    /// Whether it is walked from its first point to its last.
    pub forward: bool,
}

impl<'a> GroundNow<'a> {
    /// All obstacles, of the map and built, gaps or not.
    pub fn obstacles(&self) -> impl Iterator<Item = &'a Obstacle> + use<'a> {
        self.changes.obstacles(self.index.ground())
    }

    /// The obstacle of that name; of one that was turned, as it is now.
    pub fn obstacle(&self, id: &FeatureId) -> Option<&'a Obstacle> {
        self.obstacles().filter(|obstacle| obstacle.id == *id).last()
    }

    /// What stands of an obstacle, a line each. OBS-12
    pub fn standing_lines(&self, obstacle: &Obstacle) -> Vec<Vec<Point>> {
        let length = geometry::polyline_length(&obstacle.line);
        let standing = self.changes.standing(&obstacle.id, length);
        standing.into_iter().map(|stretch| part_of_line(&obstacle.line, stretch)).collect()
    }

    /// The standing place of an obstacle that is nearest to a point.
    pub fn nearest_standing(&self, obstacle: &'a Obstacle, to: Point) -> Option<Nearest<'a>> {
        let length = geometry::polyline_length(&obstacle.line);
        let standing = self.changes.standing(&obstacle.id, length);
        let parts = standing.into_iter().flat_map(|stretch| {
            let line = part_of_line(&obstacle.line, stretch);
            let parts: Vec<(i32, Leg)> = index::parts_of(0, &line)
                .map(|part| (stretch.from + lines::thousandths(part.begins), Leg::new(part.from, part.to)))
                .collect();
            parts
        });
        let nearest = parts.map(|(begins, leg)| {
            let point = geometry::nearest_on_segment(to, leg.from, leg.to);
            let along = begins + geometry::segment_length(leg.from, point);
            Nearest { obstacle, along, point, distance: geometry::between_points(to, point) }
        });
        nearest.min_by_key(|nearest| (nearest.distance, nearest.along))
    }

    /// The walk along an obstacle from a place on it, and on through those of its kind that are joined to it, to the end.
    pub fn outward(&self, obstacle: &'a Obstacle, along: i32, forward: bool) -> Vec<Outward<'a>> {
        let length = geometry::polyline_length(&obstacle.line);
        let along = along.clamp(0, length);
        let stretch = if forward { Stretch { from: along, to: length } } else { Stretch { from: 0, to: along } };
        let mut walk = vec![Outward { obstacle, stretch, forward }];
        let mut end = end_of(obstacle, forward);
        while let Some(next) = self.joined_at(obstacle, end, &walk) {
            end = end_of(next.obstacle, next.forward);
            walk.push(next);
        }
        walk
    }

    /// Whether two obstacles are one, or joined end to end by others of their kind. COVER-01
    pub fn are_joined(&self, one: &'a Obstacle, other: &Obstacle) -> bool {
        let both_ways = [false, true].into_iter().flat_map(|way| self.outward(one, 0, way));
        both_ways.into_iter().any(|walked| walked.obstacle.id == other.id)
    }

    /// OBS-24 The width of the opening at a place of an obstacle, on through what is open of its neighbours; without limit where it
    /// reaches the end of them all. None: nothing is open there.
    pub fn opening(&self, obstacle: &'a Obstacle, along: i32) -> Option<i32> {
        if !self.changes.is_gap(&obstacle.id, along) {
            return None;
        }
        let mut width: i32 = 0;
        for forward in [false, true] {
            let mut ends = true;
            for walked in self.outward(obstacle, along, forward) {
                let Stretch { from, to } = walked.stretch;
                let standing =
                    self.changes.standing(&walked.obstacle.id, geometry::polyline_length(&walked.obstacle.line));
                let until = match walked.forward {
                    true => standing.iter().find(|piece| from < piece.to).map(|piece| piece.from - from),
                    false => standing.iter().rev().find(|piece| piece.from < to).map(|piece| to - piece.to),
                };
                if let Some(until) = until {
                    width = width.saturating_add(until.max(0));
                    ends = false;
                    break;
                }
                width = width.saturating_add(to - from);
            }
            if ends {
                return Some(i32::MAX);
            }
        }
        Some(width)
    }

    /// The next obstacle of a kind at a point, none that the walk has come through.
    fn joined_at(&self, kind: &Obstacle, at: Option<Point>, walk: &[Outward<'a>]) -> Option<Outward<'a>> {
        let at = at?;
        let touches = |end: Option<Point>| end.is_some_and(|end| geometry::between_points(end, at).within(0));
        let fresh =
            |other: &&'a Obstacle| other.kind == kind.kind && walk.iter().all(|walked| walked.obstacle.id != other.id);
        self.obstacles().filter(fresh).find_map(|other| {
            let forward = touches(end_of(other, false));
            let stretch = Stretch { from: 0, to: geometry::polyline_length(&other.line) };
            (forward || touches(end_of(other, true))).then_some(Outward { obstacle: other, stretch, forward })
        })
    }

    /// The stretches about a place of an obstacle that make so much of it, half to either side as far as it goes, gaps
    /// included: a stretch of each obstacle that is part of it. OBS-15
    pub fn stretches_about(&self, obstacle: &'a Obstacle, along: i32, length: i32) -> Vec<(&'a Obstacle, Stretch)> {
        let half = length / 2;
        let mut stretches = Vec::new();
        for (forward, length) in [(false, half), (true, length - half)] {
            let mut left = length;
            for walked in self.outward(obstacle, along, forward) {
                let Stretch { from, to } = walked.stretch;
                let taken = (to - from).min(left);
                let stretch = match walked.forward {
                    true => Stretch { from, to: from + taken },
                    false => Stretch { from: to - taken, to },
                };
                stretches.push((walked.obstacle, stretch));
                left -= taken;
                if left <= 0 {
                    break;
                }
            }
        }
        joined(stretches)
    }
}

/// Stretches of one obstacle that touch are one.
fn joined(mut stretches: Vec<(&Obstacle, Stretch)>) -> Vec<(&Obstacle, Stretch)> {
    stretches.sort_by(|one, other| (&one.0.id, one.1).cmp(&(&other.0.id, other.1)));
    let mut all: Vec<(&Obstacle, Stretch)> = Vec::new();
    for (obstacle, stretch) in stretches {
        match all.last_mut() {
            Some((last, before)) if last.id == obstacle.id && stretch.from <= before.to => {
                before.to = before.to.max(stretch.to);
            }
            _ => all.push((obstacle, stretch)),
        }
    }
    all
}

fn end_of(obstacle: &Obstacle, last: bool) -> Option<Point> {
    if last { obstacle.line.last().copied() } else { obstacle.line.first().copied() }
}

/// The part of a line that is a stretch of it.
pub fn part_of_line(line: &[Point], stretch: Stretch) -> Vec<Point> {
    let mut part = Vec::new();
    let at = |along: i32| geometry::polyline_at(line, along).map(|(point, _)| point);
    part.extend(at(stretch.from));
    for piece in index::parts_of(0, line) {
        let ends = lines::thousandths(piece.begins + Leg::new(piece.from, piece.to).length);
        if stretch.from < ends && ends < stretch.to {
            part.push(piece.to);
        }
    }
    part.extend(at(stretch.to));
    part.dedup();
    part
}
