//! From a unit of the battle to how it is drawn up.

use protocol::event::Stance;
use protocol::place::Bearing;
use protocol::words::Formation;

use super::change::form_on;
use super::default_gap;
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

    /// How it stands, to be drawn.
    pub fn stance(&self) -> Stance {
        let footing = &self.footing;
        Stance {
            anchor: footing.anchor,
            facing: footing.facing,
            formation: footing.formation,
            disorder: footing.disorder,
            prone: footing.prone,
            stands: self.layout().corners(),
        }
    }
}

/// FORM-35 Puts a unit in another formation and facing at once, on the stand that keeps its place; it is in order again.
/// Where nothing of the old layout can be kept, the anchor is. Not to be confused with reforming after disorder, about the
/// centre and only where there is room, which is [`crate::reform`]'s (RALLY-23).
pub fn form_at_once(unit: &mut Unit, formation: Formation, facing: Bearing) {
    let old = Drawn::of(unit);
    let gap = default_gap(formation, old.width);
    let new = Drawn { formation, gap, facing, refused: None, trail: &[], ..old };
    let anchor = form_on(&old, &new, None, None).unwrap_or(old.anchor);
    let footing = &mut unit.footing;
    (footing.anchor, footing.facing, footing.formation, footing.gap) = (anchor, facing, formation, gap);
    footing.refused = None;
    footing.trail.clear();
    footing.disorder = false;
    unit.last_formed = formation;
}
