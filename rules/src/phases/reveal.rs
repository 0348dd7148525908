//! Phase 3: orders are revealed; what the reactions window changed takes effect when it closes.

use crate::play::Play;

/// Plays phase 3. REV-01 to REV-04
pub fn play(_play: &mut Play) {}
