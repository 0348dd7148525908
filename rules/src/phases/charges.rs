//! Phase 6: charges and melees. Leaders who ride before them do so first. ALG-CHARGE
//!
//! The charges themselves stand in [`crate::charge`].

use crate::charge;
use crate::charge::clash::{Clash, Ending};
use crate::play::Play;

/// Plays phase 6. MOVE-17, CHG-01 to CHG-03
pub fn play(play: &mut Play) {
    crate::movement::ride_before_charges(play);
    charge::play(play, &at_contact);
}

/// What settles a contact. While impact and melee are not played nobody can order a charge ([`charge::PLAYED`]), and none comes
/// to this: the two would stand where they touch.
fn at_contact(_play: &mut Play, _clash: &Clash) -> Ending {
    Ending::Fought
}
