//! What horse may be told: to mount, to dismount, and the formations of either state. CAV-01, CAV-02, CAV-06, CAV-13, CAV-23
//!
//! Owns the refusals that the unit as it stands gives; what ground and time allow is asked of [`crate::movement`].

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use protocol::orders::{FormTask, MoveOrder, ProneChange};
use protocol::words::{Arm, Formation};

use super::legality::Reason;
use crate::battle::Unit;
use crate::catalogue::{CAV_02, CAV_13, CAV_23, MV_09};
use crate::movement;

/// Why a unit cannot be given a task, as far as it is a matter of horses; none: it can.
pub(super) fn fault_of_task(unit: &Unit, task: &FormTask) -> Option<Reason> {
    let horse = unit.arm == Arm::Cavalry;
    match task {
        FormTask::Mount { .. } | FormTask::Dismount { .. } if !horse => {
            Some((CAV_23, format!("is {} and has no horses to mount or to leave", unit.arm)))
        }
        FormTask::Mount { .. } if unit.mounted => Some((CAV_13, "is in the saddle already".to_owned())),
        FormTask::Dismount { .. } if !unit.mounted => Some((CAV_13, "is on foot already".to_owned())),
        FormTask::Mount { formation } => movement::why_no_formation(unit, true, *formation),
        FormTask::Dismount { formation } => movement::why_no_formation(unit, false, *formation),
        FormTask::Formation { formation, .. } if horse => movement::why_no_formation(unit, unit.mounted, *formation),
        FormTask::Square {} if horse => movement::why_no_formation(unit, unit.mounted, Formation::Square),
        _ => None,
    }
}

/// CAV-02, CAV-22 What a MOVE may not hold of horse: two changes that are not mounting and dismounting, or lying down in the
/// saddle.
pub(super) fn fault_of_march(unit: &Unit, march: &MoveOrder) -> Option<Reason> {
    let turns = |task: &Option<FormTask>| matches!(task, Some(FormTask::Mount { .. } | FormTask::Dismount { .. }));
    let (first, last) = (turns(&march.form_first), turns(&march.form_last));
    if march.form_first.is_some() && march.form_last.is_some() && first != last {
        let why = "cannot make two changes in one turn, but for mounting and dismounting; leave one of them out";
        return Some((MV_09, why.to_owned()));
    }
    let mounted = match march.prone {
        Some(ProneChange::LieDown) => after(unit, march.form_first.as_ref()).mounted,
        Some(ProneChange::Rise) => unit.mounted,
        None => false,
    };
    let horse = unit.arm == Arm::Cavalry && mounted;
    horse.then(|| (CAV_02, "is in the saddle and cannot lie down; let it dismount first".to_owned()))
}

/// CAV-22 The unit as what opens its march leaves it, for what closes it.
pub(super) fn after<'u>(unit: &'u Unit, first: Option<&FormTask>) -> Cow<'u, Unit> {
    match first {
        Some(FormTask::Mount { .. } | FormTask::Dismount { .. }) => {
            Cow::Owned(Unit { mounted: !unit.mounted, ..unit.clone() })
        }
        _ => Cow::Borrowed(unit),
    }
}
