//! Phase 6: charges and melees. No unit can be given that order yet; leaders who ride before the charges do so.

use crate::play::Play;

/// Plays phase 6. MOVE-17
pub fn play(play: &mut Play) {
    crate::movement::ride_before_charges(play);
}
