//! Phase 6: charges and melees. No unit can be given that order yet, so the phase is empty.

use crate::play::Play;

/// Plays phase 6.
pub fn play(_play: &mut Play) {}
