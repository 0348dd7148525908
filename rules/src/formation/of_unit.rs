//! From a unit of the battle to how it is drawn up.

use protocol::event::Stance;
use protocol::place::Bearing;
use protocol::words::Formation;

use super::change::{form_on, square_anchor};
use super::default_gap;
use super::layout::{Drawn, Layout};
use crate::battle::{Footing, Unit};
use crate::geometry;

impl<'a> Drawn<'a> {
    /// How a unit is drawn up. FORM-03 to FORM-26
    ///
    /// The unit's stand depth is that of unlimbered guns; limbered they stand behind their limber and take twice of it
    /// (ORG-09).
    pub fn of(unit: &'a Unit) -> Drawn<'a> {
        let stands = u32::try_from(unit.stands.len()).unwrap_or(u32::MAX);
        Drawn::standing(&unit.footing, stands, unit.stand_width, unit.stand_depth)
    }

    /// OBS-24, WORKS-23 How wide it is as it goes: its front line, thousandths of an inch.
    pub fn frontage(&self) -> i32 {
        let front = self.layout().as_firer.front;
        geometry::segment_length(front.left, front.right)
    }

    /// How so many living stands of that size are drawn up where they stand.
    ///
    /// A reserve is detached while all four stands live (TAC-14), a screen while it and a stand of the body do. A screen that
    /// has fallen back is among the body and not drawn; so is that of a regiment in disorder. TAC-20
    pub fn standing(footing: &'a Footing, stands: u32, width: i32, depth: i32) -> Drawn<'a> {
        let formation = footing.formation;
        let told_off = formation == Formation::LineWithSkirmishers && 2 <= stands;
        let out = told_off && footing.screen_is_out();
        Drawn {
            formation,
            gap: footing.gap,
            width,
            depth: if formation == Formation::Limbered { 2 * depth } else { depth },
            stands: if told_off && !out { stands - 1 } else { stands },
            detached: if formation == Formation::LineWithReserve { stands == 4 } else { out },
            anchor: footing.anchor,
            facing: footing.facing,
            refused: footing.refused,
            trail: &footing.trail,
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

/// FORM-35, TAC-43 Puts a unit in another formation and facing at once, on the stand that keeps its place, or in square about
/// its centre; it is in order again. Where nothing of the old layout can be kept, the anchor is. Not to be confused with reforming after disorder, about the
/// centre and only where there is room, which is [`crate::reform`]'s (RALLY-23).
pub fn form_at_once(unit: &mut Unit, formation: Formation, facing: Bearing) {
    let old = Drawn::of(unit);
    let stands = u32::try_from(unit.stands.len()).unwrap_or(u32::MAX);
    let gap = default_gap(formation, old.width, unit.mounted);
    let new = Drawn { gap, ..Drawn::new(formation, stands, old.width, old.depth) }.at(old.anchor, facing);
    let anchor = match formation {
        Formation::Square => square_anchor(&old.layout(), &new),
        _ => form_on(&old, &new, None, None).unwrap_or(old.anchor),
    };
    let footing = &mut unit.footing;
    (footing.anchor, footing.facing, footing.formation, footing.gap) = (anchor, facing, formation, gap);
    footing.refused = None;
    footing.trail.clear();
    footing.disorder = false;
    footing.screen_back = false;
    unit.last_formed = formation;
}
