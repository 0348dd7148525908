//! What a battle has done to its ground: gaps, things swung aside, things built, buildings destroyed.
//!
//! Owns the small part of the ground that is state of the battle. The map itself never changes.

use std::collections::{BTreeMap, BTreeSet};

use protocol::ids::FeatureId;
use serde::{Deserialize, Serialize};

use super::{Ground, Obstacle};

/// A stretch along a line, thousandths of an inch from its first point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stretch {
    /// Where it begins.
    pub from: i32,
    /// Where it ends.
    pub to: i32,
}

/// What has changed since the map was drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroundChanges {
    /// COVER-12 Buildings destroyed: broken ground without cover.
    pub destroyed_buildings: BTreeSet<FeatureId>,
    /// OBS-12, COVER-15 Stretches of obstacles and works that are gone, sorted and apart.
    pub gaps: BTreeMap<FeatureId, Vec<Stretch>>,
    /// OBS-23 Chevaux-de-frise swung aside: nothing while open.
    pub open: BTreeSet<FeatureId>,
    /// OBS-09, WORKS-08, WORKS-14 Obstacles and works built or turned round in play, in the order of their completion.
    pub built: Vec<Obstacle>,
}

impl GroundChanges {
    /// Takes a stretch out of an obstacle; what overlaps or touches older gaps joins them.
    pub fn open_gap(&mut self, obstacle: &FeatureId, gap: Stretch) {
        if gap.to <= gap.from {
            return;
        }
        let gaps = self.gaps.entry(obstacle.clone()).or_default();
        gaps.push(gap);
        gaps.sort_unstable();
        let mut joined: Vec<Stretch> = Vec::with_capacity(gaps.len());
        for gap in gaps.drain(..) {
            match joined.last_mut() {
                Some(last) if gap.from <= last.to => last.to = last.to.max(gap.to),
                _ => joined.push(gap),
            }
        }
        *gaps = joined;
    }

    /// HID-64 Adds what others have built, and what went into it.
    pub(crate) fn add(&mut self, other: &GroundChanges) {
        for (obstacle, gaps) in &other.gaps {
            gaps.iter().for_each(|gap| self.open_gap(obstacle, *gap));
        }
        self.built.extend(other.built.iter().cloned());
    }

    /// OBS-23 Swings an element of chevaux-de-frise aside, or shut.
    pub fn swing(&mut self, element: &FeatureId, open: bool) {
        match open {
            true => self.open.insert(element.clone()),
            false => self.open.remove(element),
        };
    }

    /// Whether the obstacle is gone at this place along its line.
    pub fn is_gap(&self, obstacle: &FeatureId, along: i32) -> bool {
        self.open.contains(obstacle)
            || self.gaps.get(obstacle).is_some_and(|gaps| gaps.iter().any(|gap| gap.from <= along && along <= gap.to))
    }

    /// What stands of an obstacle of this length: the stretches between its gaps.
    pub fn standing(&self, obstacle: &FeatureId, length: i32) -> Vec<Stretch> {
        if self.open.contains(obstacle) {
            return Vec::new();
        }
        let mut standing = Vec::new();
        let mut from = 0;
        for gap in self.gaps.get(obstacle).into_iter().flatten() {
            if from < gap.from {
                standing.push(Stretch { from, to: gap.from.min(length) });
            }
            from = from.max(gap.to);
        }
        if from < length {
            standing.push(Stretch { from, to: length });
        }
        standing
    }

    /// All obstacles, of the map and built, gaps or not.
    pub fn obstacles<'a>(&'a self, ground: &'a Ground) -> impl Iterator<Item = &'a Obstacle> {
        ground.obstacles.iter().chain(&self.built)
    }
}
