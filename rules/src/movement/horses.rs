//! Mounting and dismounting. CAV-05, CAV-13 to CAV-23
//!
//! Owns the size of the stands of horse in the saddle and on foot, how the unit stands after the change, what that costs, and
//! which formations either state has. When it is done stands in `clock`; who may be told to do it is the orders' to say.

use protocol::orders::FormTask;
use protocol::words::{Arm, Formation};

use super::body::Body;
use super::forming::{self, Refused};
use crate::battle::Unit;
use crate::catalogue::{CAV_01, CAV_02, CAV_06, CAV_13, CAV_17, CAV_18, CAV_19, CAV_20, CAV_23, RuleId};
use crate::field::Field;
use crate::formation;
use crate::geometry::Frame;
use crate::ruleset::{Cost, Ruleset};

/// CAV-01 The formations in the saddle, disorder apart.
pub(super) const IN_THE_SADDLE: [Formation; 4] =
    [Formation::SingleLine, Formation::DoubleLine, Formation::SkirmishLine, Formation::MarchColumn];

/// CAV-06 The formations on foot, disorder apart.
pub(super) const ON_FOOT: [Formation; 2] = [Formation::DismountedLine, Formation::SkirmishLine];

/// CAV-02 What the book gives to infantry alone.
const OF_INFANTRY: [Formation; 4] =
    [Formation::LineWithReserve, Formation::LineWithSkirmishers, Formation::BrigadeColumn, Formation::Square];

/// CAV-14, ORG-14, SCN-05 Width and depth of a stand of that horse in the saddle or on foot, thousandths of an inch.
pub(crate) fn stand_size(field: &Field<'_>, unit: &Unit, mounted: bool) -> (i32, i32) {
    let scale = &field.rules.scale;
    let (width, depth) = match mounted {
        true => (scale.cavalry_stand_width.thousandths(), scale.cavalry_stand_depth.thousandths()),
        false => {
            let most = unit.stands.iter().map(|stand| stand.full).max().unwrap_or(1);
            (formation::infantry_stand_width(most), scale.infantry_stand_depth.thousandths())
        }
    };
    let factor = i32::try_from(field.table.scenario().frontage_factor).unwrap_or(1_000);
    ((width * factor + 500) / 1_000, depth)
}

/// CAV-14, CAV-21, CAV-23, MOVE-10 The unit in the other state and in any formation of it: the stands are redrawn in the other
/// set's size, anchor and facing do not change.
pub(super) fn changed(
    field: &Field<'_>,
    unit: &Unit,
    body: &Body,
    formation: Formation,
    mount: bool,
) -> Result<Body, Refused> {
    if unit.arm != Arm::Cavalry {
        return Err((CAV_23, format!("is {} and has no horses to mount or to leave", unit.arm)));
    }
    if body.mounted == mount {
        let state = if mount { "in the saddle" } else { "on foot" };
        return Err((CAV_13, format!("is {state} already")));
    }
    forming::may_take(unit, mount, formation)?;
    let (stand_width, stand_depth) = stand_size(field, unit, mount);
    let gap = formation::default_gap(formation, stand_width, mount);
    let frame = Frame::new(body.footing.anchor, body.footing.facing);
    Ok(Body { mounted: mount, stand_width, stand_depth, ..forming::settled(body, formation, gap, frame) })
}

/// CAV-17 to CAV-20 The row of prices by which a unit mounts or dismounts into a formation, and the rule that says so.
/// `slow_ground`: in woods or rough where it begins.
pub(super) fn cost<'r>(
    rules: &'r Ruleset,
    body: &Body,
    task: &FormTask,
    formation: Formation,
    slow_ground: bool,
) -> (&'r Cost, RuleId) {
    let leaves_skirmish_line = body.is_skirmishing() && formation != Formation::SkirmishLine;
    match task {
        _ if slow_ground => (&rules.cost.any_change_in_woods_or_rough, CAV_19),
        _ if body.footing.disorder || leaves_skirmish_line => (&rules.cost.reform, CAV_20),
        FormTask::Mount { .. } => (&rules.cost.mount, CAV_17),
        _ => (&rules.cost.dismount, CAV_18),
    }
}

/// CAV-01, CAV-02, CAV-06 Why horse has no such formation in the saddle, or on foot.
pub(super) fn why_no_formation(mounted: bool, formation: Formation) -> Refused {
    if OF_INFANTRY.contains(&formation) {
        return (CAV_02, format!("is cavalry and has no {formation}: only infantry does"));
    }
    match mounted {
        true if formation == Formation::DismountedLine => {
            (CAV_13, format!("is in the saddle and has no {formation}; let it dismount"))
        }
        true => {
            let has = "single line, double line, skirmish line and march column";
            (CAV_01, format!("is in the saddle and has no {formation}; it has {has}"))
        }
        false => {
            let has = "dismounted line and skirmish line";
            (CAV_06, format!("is on foot and has no {formation}; it has {has}, or let it mount"))
        }
    }
}
