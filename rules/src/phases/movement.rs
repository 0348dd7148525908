//! Phase 7: segmented simultaneous movement with opportunity fire. ALG-MOVE

use crate::play::Play;

/// Plays phase 7.
pub fn play(_play: &mut Play) {}
