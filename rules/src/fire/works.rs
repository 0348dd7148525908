//! What guns do to works and buildings. COVER-12 to COVER-15

use super::resolve::Fire;
use crate::field::Field;
use crate::play::Play;

/// After a fire and its losses: an inch of works, or the building that the target is in.
pub(super) fn batter(_play: &mut Play<'_>, _field: &Field<'_>, _fire: &Fire) {}
