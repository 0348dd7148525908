//! Hasty works: throwing them up, turning them about, tearing them down. WORKS-03 to WORKS-16
//!
//! They are not dug in play yet: each task is refused by the rule that will own it.

use protocol::place::Point;

use super::{Plan, Reason, Site};
use crate::battle::UnitIx;
use crate::catalogue::{RuleId, WORKS_03, WORKS_13, WORKS_14};
use crate::field::Field;
use crate::ground::Nearest;

/// WORKS-03 to WORKS-08 The works that a unit would throw up.
pub(super) fn plan_building(_field: &Field<'_>, _ix: UnitIx, _site: Site<'_>, _at: &[Point]) -> Result<Plan, Reason> {
    Err(not_played(WORKS_03))
}

/// WORKS-14 The works that a unit would turn about.
pub(super) fn plan_turning(_field: &Field<'_>, _ix: UnitIx, _site: Site<'_>, _at: &[Point]) -> Result<Plan, Reason> {
    Err(not_played(WORKS_14))
}

/// WORKS-13 The works that a unit would tear down, about the place nearest to it.
pub(super) fn plan_destroying(_field: &Field<'_>, _ix: UnitIx, _nearest: &Nearest<'_>) -> Result<Plan, Reason> {
    Err(not_played(WORKS_13))
}

fn not_played(rule: RuleId) -> Reason {
    (rule, "cannot be given this order: hasty works are not built, turned or destroyed in play yet".to_owned())
}
