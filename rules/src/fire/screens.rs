//! The fire of a regiment's own skirmish screen. TAC-26
//!
//! Owns whether the screen fires in place of the body. Fire at a screen is [`super::aim`]'s.

use protocol::event::FlankClass;

use super::aim::{Asked, aim};
use super::shooter::{Shooter, Zone};
use super::{Occasion, Round, Stands};
use crate::battle::UnitIx;
use crate::field::Field;

/// TAC-26 Whether the screen fires in place of the body: as its owner wishes, without a wish unless the body has an enemy in
/// sight straight ahead and a clear line to him. Who has begun to fire in a turn goes on.
pub(super) fn fires(field: &Field<'_>, unit: UnitIx, wish: Option<bool>) -> bool {
    let own = field.unit(unit);
    if !own.footing.screen_is_out() || own.stands.len() < 2 {
        return false;
    }
    if 0 < own.marks.fires {
        return own.marks.screen_fired;
    }
    wish.unwrap_or_else(|| !body_has_target(field, unit))
}

/// The stands with which a unit fires of which nothing was said.
pub(super) fn unsaid(field: &Field<'_>, unit: UnitIx) -> Stands {
    if fires(field, unit, None) { Stands::Screen } else { Stands::All }
}

fn body_has_target(field: &Field<'_>, unit: UnitIx) -> bool {
    let Ok(shooter) = Shooter::new(field, unit, &Stands::All) else { return false };
    let asked = Asked { round: Round::Plain, occasion: Occasion::Hold, stands: &Stands::All, overhead_risk: false };
    let mut near = field.enemies_near(field.unit(unit).side, field.extent(unit), shooter.reach.long);
    near.any(|ix| {
        let ahead = aim(field, &shooter, ix, asked).is_ok_and(|aim| aim.zone == Zone::Primary);
        ahead && field.sees(unit, ix)
    })
}

/// TAC-18 Whether a fire of this class, whose line reaches the screen, strikes it: from the front, or because nothing of the
/// body can be fired at.
pub(super) fn is_struck(class: FlankClass, reaches_body: bool) -> bool {
    class == FlankClass::Front || !reaches_body
}
