//! What a battle cost a side, and what its charges came to, counted from what that side sees.
//!
//! It is for reports only: no plan reads it.

use std::collections::BTreeMap;

use protocol::event::{Event, Fact, ImpactResult};
use protocol::ids::{BrigadeId, UnitId};
use protocol::orders::{Draft, FormTask, Order, ProneChange, Work};
use protocol::view::{Presence, View};
use protocol::words::{Arm, Formation};

/// What a brigade lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// Figures that are no longer with their colours, those of units that are gone among them.
    pub figures: u32,
    /// Units that are gone.
    pub units: u32,
}

impl Rare {
    fn count_task(&mut self, task: &FormTask) {
        match task {
            FormTask::Dismount { .. } => self.dismounts += 1,
            FormTask::Mount { .. } => self.mounts += 1,
            FormTask::Work { work: Work::BuildHastyWorks, .. } => self.works += 1,
            FormTask::Unlimber { .. } => self.unlimbered += 1,
            _ => {}
        }
    }
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
    /// Orders of kinds that a battle has few of.
    pub orders: Rare,
}

/// Orders that were sealed, by kinds of which a battle has few.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rare {
    /// Charges on horseback, by their points.
    pub mounted_charges: u32,
    /// Riders that get down.
    pub dismounts: u32,
    /// Riders that take to their horses.
    pub mounts: u32,
    /// Turns of work at hasty works.
    pub works: u32,
    /// Batteries that go into action, at the end of a drive or where they are.
    pub unlimbered: u32,
    /// Foot that lies down.
    pub lie_down: u32,
}

impl Rare {
    /// Each kind with its word.
    pub fn named(&self) -> [(&'static str, u32); 6] {
        [
            ("mounted charges", self.mounted_charges),
            ("dismounted", self.dismounts),
            ("mounted", self.mounts),
            ("turns of works", self.works),
            ("unlimbered", self.unlimbered),
            ("lay down", self.lie_down),
        ]
    }
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

    /// Counts the rarer orders of an envelope.
    pub fn count_orders(&mut self, view: &View, draft: &Draft) {
        let rare = &mut self.orders;
        for (unit, told) in &draft.units {
            let seen = view.units.iter().find(|seen| seen.id == *unit);
            let mounted = seen.is_some_and(|seen| {
                let shape = seen.stance.as_ref().map(|stance| stance.formation);
                seen.arm == Arm::Cavalry && !matches!(shape, Some(Formation::DismountedLine | Formation::SkirmishLine))
            });
            match &told.order {
                Some(Order::Charge { support_of: None, .. }) if mounted => rare.mounted_charges += 1,
                Some(Order::Form { task }) => rare.count_task(task),
                Some(Order::Move(order)) => {
                    rare.lie_down += u32::from(order.prone == Some(ProneChange::LieDown));
                    order.form_first.iter().chain(&order.form_last).for_each(|task| rare.count_task(task));
                }
                _ => {}
            }
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
