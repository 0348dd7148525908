//! Who holds a place. SCNV-03 to SCNV-06
//!
//! Owns what makes a holder, and what `hold`, `sole` and `last` ask of a place. It never counts a point.

use protocol::event::{Morale, OrderShown};
use protocol::ids::{FeatureId, Side};
use protocol::words::{Arm, Formation};

use crate::battle::{Table, Unit, UnitIx};
use crate::field::Field;
use crate::places;
use crate::scenario::{CountedState, Holding, VictoryKind, VictoryTerm};

/// SCNV-03 Whether a unit can hold a place, by a term's arm and state.
pub fn is_holder(unit: &Unit, arm: Option<Arm>, state: CountedState) -> bool {
    let of_the_line = match unit.arm {
        Arm::Infantry | Arm::Cavalry => true,
        Arm::Artillery => !unit.is_limbered() && unit.guns.as_ref().is_some_and(|guns| !guns.unmanned),
        Arm::Sharpshooter | Arm::GunCrew => false,
    };
    let fit = match state {
        CountedState::Any => unit.is_unrouted(),
        CountedState::Good => unit.morale == Morale::Good,
        CountedState::Holder => {
            unit.morale == Morale::Good && is_in_order(unit) && !is_disengaging(unit) && is_strong(unit)
        }
    };
    unit.on_table() && of_the_line && fit && arm.is_none_or(|arm| arm == unit.arm)
}

/// SCNV-03 Formed; dismounted cavalry may skirmish.
fn is_in_order(unit: &Unit) -> bool {
    let skirmishers = unit.arm == Arm::Cavalry && !unit.mounted && unit.footing.formation == Formation::SkirmishLine;
    unit.is_formed() || (skirmishers && unit.is_unrouted() && !unit.footing.disorder)
}

fn is_disengaging(unit: &Unit) -> bool {
    matches!(unit.marks.shown, Some(OrderShown::Disengage {}))
}

/// SCNV-03 More than one stand or section left, or all it began with.
fn is_strong(unit: &Unit) -> bool {
    let (left, began) = match unit.arm {
        Arm::Artillery => (unit.figures(), unit.figures_at_start),
        _ => (unit.stands.len() as u32, unit.stands_at_start),
    };
    1 < left || left == began
}

/// Who holds what: each holder counted in one place of a kind. SCNV-03
pub(super) struct Holders<'f, 'a> {
    pub(super) field: &'f Field<'a>,
}

impl Holders<'_, '_> {
    /// The units of a side that hold a term's place.
    fn of(&self, term: &VictoryTerm, holding: &Holding, side: Side) -> Vec<UnitIx> {
        let troops = self.field.table.units_of(side);
        let fit = troops.filter(|(_, unit)| is_holder(unit, holding.arm, holding.state)).map(|(unit, _)| unit);
        let there = fit.filter(|unit| places::holds_unit(self.field, &holding.place, *unit));
        there.filter(|unit| self.counts_here(term, holding, *unit)).collect()
    }

    /// SCNV-03 Of the places of one kind a unit holds that in which most of its stands are, of equals the dearer one.
    fn counts_here(&self, term: &VictoryTerm, holding: &Holding, unit: UnitIx) -> bool {
        let worth =
            |term: &VictoryTerm, holding: &Holding| (places::stands_in(self.field, &holding.place, unit), term.points);
        let own = worth(term, holding);
        let others = self.field.table.scenario().victory.iter().filter(|other| other.id != term.id);
        let rivals = others.filter_map(|other| {
            let same_kind = std::mem::discriminant(&other.kind) == std::mem::discriminant(&term.kind);
            let rival = holding_of(&other.kind).filter(|_| same_kind)?;
            (rival.place != holding.place).then(|| worth(other, rival))
        });
        rivals.max().is_none_or(|rival| rival <= own)
    }

    /// SCNV-04 How many times over a side has a place by `hold`: once, or once for each part.
    pub(super) fn hold(&self, term: &VictoryTerm, holding: &Holding, side: Side) -> u32 {
        self.against(term, holding, side, &self.of(term, holding, side.enemy()))
    }

    /// As [`Self::hold`], if there were no enemy.
    pub(super) fn hold_alone(&self, term: &VictoryTerm, holding: &Holding, side: Side) -> u32 {
        self.against(term, holding, side, &[])
    }

    fn against(&self, term: &VictoryTerm, holding: &Holding, side: Side, enemy: &[UnitIx]) -> u32 {
        let own = self.of(term, holding, side);
        let Some(parts) = holding.parts else {
            return u32::from(enemy.is_empty() && holding.units as usize <= own.len());
        };
        let held = (0..parts).filter(|part| {
            let stands_in_part = |unit: &&UnitIx| {
                let ground = self.field.ground().ground();
                let mut stands = self.field.layout(**unit).rects();
                stands.any(|stand| places::part_of(ground, &holding.place, parts, stand) == Some(*part))
            };
            let own = own.iter().filter(stands_in_part).count();
            holding.units as usize <= own && !enemy.iter().any(|unit| stands_in_part(&unit))
        });
        let held = held.count() as u32;
        if holding.each_part { held } else { u32::from(holding.need_parts.unwrap_or(parts) <= held) }
    }

    /// SCNV-05 As `hold`, with no unrouted enemy in the place at all.
    pub(super) fn sole(&self, term: &VictoryTerm, holding: &Holding, side: Side) -> u32 {
        if self.is_there(holding, side.enemy()) { 0 } else { self.hold(term, holding, side) }
    }

    /// SCNV-05 Whether an unrouted unit of a side is in the place at all.
    pub(super) fn is_there(&self, holding: &Holding, side: Side) -> bool {
        let mut troops = self.field.table.units_of(side).filter(|(_, unit)| unit.is_unrouted());
        troops.any(|(unit, _)| places::stands_in(self.field, &holding.place, unit) != 0)
    }
}

fn holding_of(kind: &VictoryKind) -> Option<&Holding> {
    match kind {
        VictoryKind::Hold(holding)
        | VictoryKind::Sole(holding)
        | VictoryKind::Last { holding, .. }
        | VictoryKind::Control { holding, .. } => Some(holding),
        _ => None,
    }
}

/// Under what name the owner of a term's place is kept. SCNV-06
pub(super) fn place_key(term: &VictoryTerm, holding: &Holding) -> FeatureId {
    places::feature(&holding.place).cloned().unwrap_or_else(|| FeatureId::new(term.id.as_str()))
}

/// SCNV-06 Who owns the place of a `last` term now.
pub fn owner(table: &Table, term: &VictoryTerm) -> Option<Side> {
    let VictoryKind::Last { holding, initial } = &term.kind else { return None };
    table.held_by.get(&place_key(term, holding)).copied().unwrap_or(*initial)
}

/// Whether a unit is of the arm and state that a term names, where it need not hold anything.
pub(super) fn is_counted(unit: &Unit, arm: Option<Arm>, state: CountedState) -> bool {
    let fit = match state {
        CountedState::Any => unit.is_unrouted(),
        CountedState::Good => unit.morale == Morale::Good,
        CountedState::Holder => return is_holder(unit, arm, state),
    };
    fit && arm.is_none_or(|arm| arm == unit.arm)
}
