//! What a battle cost a side, and what its charges came to, counted from what that side sees.
//!
//! It is for reports only: no plan reads it.

use std::collections::BTreeMap;

use protocol::event::{Event, Fact, ImpactResult};
use protocol::ids::{BrigadeId, UnitId};
use protocol::view::{Presence, View};

/// What a brigade lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// Figures that are no longer with their colours, those of units that are gone among them.
    pub figures: u32,
    /// Units that are gone.
    pub units: u32,
}

/// A side's account of a battle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Losses by brigade or gun battalion; without a brigade those of units that belong to none.
    pub losses: BTreeMap<Option<BrigadeId>, Loss>,
    /// Charges that set out.
    pub charges: u32,
    /// Of these, how often the dice came down.
    pub struck: u32,
    /// Of these, how often the enemy was thrown back.
    pub won: u32,
    /// Times that a unit of the side took a charge, or went to meet one, and was not thrown back.
    pub stood: u32,
}

impl Tally {
    /// All figures lost.
    pub fn figures(&self) -> u32 {
        self.losses.values().map(|loss| loss.figures).sum()
    }

    /// Counts the losses as they stand.
    pub fn count_losses(&mut self, view: &View) {
        let Some(side) = view.viewer.side() else { return };
        self.losses.clear();
        for unit in view.units.iter().filter(|unit| unit.side == side) {
            let loss = self.losses.entry(unit.brigade.clone()).or_default();
            let gone = unit.presence == Presence::Removed;
            let left: u32 = unit.stands.iter().map(|stand| stand.figures).sum();
            loss.figures += if gone { unit.figures_at_start } else { unit.figures_at_start.saturating_sub(left) };
            loss.units += u32::from(gone);
        }
    }

    /// Counts the charges of a stage.
    pub fn count_charges(&mut self, view: &View, events: &[Event]) {
        let Some(side) = view.viewer.side() else { return };
        let own = |id: &UnitId| view.units.iter().any(|unit| unit.id == *id && unit.side == side);
        for event in events {
            match &event.fact {
                Fact::ChargeBegan { unit, .. } => self.charges += u32::from(own(unit)),
                Fact::Impact { attacker, result, .. } if own(attacker) => {
                    self.struck += 1;
                    self.won += u32::from(*result == ImpactResult::DefenderThrownBack);
                }
                Fact::Impact { result, .. } => self.stood += u32::from(*result != ImpactResult::DefenderThrownBack),
                _ => {}
            }
        }
    }
}
