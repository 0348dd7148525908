//! Phase 2: routs, rallies, replacements.

use crate::play::Play;

/// Plays phase 2. RALLY-01 to RALLY-27
pub fn play(_play: &mut Play) {}
