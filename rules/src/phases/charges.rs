//! Phase 6: charges and melees. Leaders who ride before them do so first. ALG-CHARGE
//!
//! The charges themselves stand in [`crate::charge`].

use crate::hidden;
use crate::play::Play;

/// Plays phase 6. MOVE-17, CHG-01 to CHG-03
pub fn play(play: &mut Play) {
    hidden::step_out(play, hidden::Steps::Phase6);
    crate::movement::ride_before_charges(play);
    // HID-38 Who was placed when the window closed looks now.
    crate::hidden::look(play);
    crate::charge::play(play);
}
