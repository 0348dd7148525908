//! From a unit of the battle to how it is drawn up.

use protocol::words::Formation;

use super::layout::{Drawn, Layout};
use crate::battle::Unit;

impl<'a> Drawn<'a> {
    /// How a unit is drawn up. FORM-03 to FORM-26
    ///
    /// A reserve is detached while all four stands live (TAC-14), a screen while it and a stand of the body do; a
    /// screen that has fallen back must be taken out by the caller (TAC-20, TAC-23). The unit's stand depth is that of
    /// unlimbered guns; limbered they stand behind their limber and take twice of it (ORG-09).
    pub fn of(unit: &'a Unit) -> Drawn<'a> {
        let stands = u32::try_from(unit.stands.len()).unwrap_or(u32::MAX);
        let formation = unit.footing.formation;
        Drawn {
            formation,
            gap: unit.footing.gap,
            width: unit.stand_width,
            depth: if formation == Formation::Limbered { 2 * unit.stand_depth } else { unit.stand_depth },
            stands,
            detached: match formation {
                Formation::LineWithReserve => stands == 4,
                Formation::LineWithSkirmishers => 2 <= stands,
                _ => false,
            },
            anchor: unit.footing.anchor,
            facing: unit.footing.facing,
            refused: unit.footing.refused,
            trail: &unit.footing.trail,
        }
    }
}

impl Unit {
    /// The stands of the unit in their places.
    pub fn layout(&self) -> Layout {
        Drawn::of(self).layout()
    }
}
