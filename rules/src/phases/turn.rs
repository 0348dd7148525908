//! The start and the end of a turn: marks, victory, arrivals.

use crate::play::Play;

/// The start-of-turn marks of phase 1. CMD-06, LVL-04
pub fn begin(_play: &mut Play) {}

/// Counts what the turn brought, and passes to the next. SCNV-12, ORD-14
pub fn end(_play: &mut Play) {}
