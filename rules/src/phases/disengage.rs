//! Phase 5: disengagements. No unit can be given that order yet, so the phase is empty.

use crate::play::Play;

/// Plays phase 5.
pub fn play(_play: &mut Play) {}
