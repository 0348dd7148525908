//! Phase 8: extra fires, then moving fires. ALG-FIRES

use crate::play::Play;

/// Plays phase 8.
pub fn play(_play: &mut Play) {}
