//! The fires of phase 7, as the clock calls for them. HOLDF-04
//!
//! Owns nothing of fire or morale: who fires is [`crate::fire`]'s choice, what follows is settled by [`crate::morale`].

use crate::instant::Instant;
use crate::play::Play;

/// Lets the holders of one instant fire, and settles what follows. Whether anybody fired.
pub(super) fn at(_play: &mut Play<'_>, _instant: Instant<'_>) -> bool {
    false
}
