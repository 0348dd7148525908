//! What never changes in a battle: the scenario and its prepared map.

use std::sync::Arc;

use crate::ground::{GroundIndex, Trees};
use crate::ruleset::Ruleset;
use crate::scenario::Scenario;

/// The scenario with its map prepared for quick questions. Built once for a scenario and shared by all its battles.
#[derive(Debug)]
pub struct Theatre {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// Its map, prepared.
    pub map: GroundIndex,
    /// How deep in the trees its places lie.
    pub(crate) trees: Trees,
}

impl Theatre {
    /// Prepares a scenario.
    pub fn new(scenario: Arc<Scenario>) -> Arc<Theatre> {
        let map = GroundIndex::new(scenario.ground.clone());
        let trees = Trees::new(&scenario.ground);
        Arc::new(Theatre { scenario, map, trees })
    }

    /// The tables and house rules by which its battles are played. SCN-20
    pub fn rules(&self) -> &Ruleset {
        self.scenario.edition.rules()
    }

    /// An empty place, for a battle that has not yet been given its theatre back by [`crate::archive`].
    pub(crate) fn nowhere() -> Arc<Theatre> {
        Theatre::new(Scenario::empty_shared())
    }
}

impl PartialEq for Theatre {
    /// Theatres are equal when their scenarios are: the rest is derived.
    fn eq(&self, other: &Self) -> bool {
        self.scenario == other.scenario
    }
}
