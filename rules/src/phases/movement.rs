//! Phase 7: segmented simultaneous movement with opportunity fire. ALG-MOVE
//!
//! The clock and the programs stand in [`crate::movement`].

use crate::hidden;
use crate::play::Play;

/// Plays phase 7.
pub fn play(play: &mut Play) {
    hidden::come_in(play);
    hidden::step_out(play, hidden::Steps::Phase7);
    crate::fire::mark_close_enemies(play);
    crate::wagons::begin(play);
    crate::works::begin(play);
    hidden::work(play, crate::works::begin_of);
    crate::movement::play(play);
    // Step 7.6: TAC-27, LEAD-18
    crate::column::forming::form_columns(play);
    crate::leaders::take_over(play);
}
