//! Phase 4: Conditional Holds take effect, then first fires.

use crate::play::Play;

/// Plays phase 4. REV-05, REV-11, FF-01 to FF-10
pub fn play(_play: &mut Play) {}
