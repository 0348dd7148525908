//! Phase 9: officers hit. OFF-01 to OFF-14

use crate::play::Play;

/// Plays phase 9.
pub fn play(_play: &mut Play) {}
