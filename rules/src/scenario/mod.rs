//! The scenario: map, order of battle, arrivals, victory terms, special rules, switches.

use std::sync::Arc;

use crate::ground::Ground;
use crate::sight::SightLimit;

/// A validated scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// The map.
    pub ground: Ground,
}

impl Scenario {
    /// An empty table, for a battle that has not yet been given its scenario back by [`crate::archive`].
    pub fn empty_shared() -> Arc<Scenario> {
        Arc::new(Scenario::default())
    }

    /// The limits of sight that it sets. VIS-15
    pub fn sight_limits(&self) -> Vec<SightLimit> {
        Vec::new()
    }
}
