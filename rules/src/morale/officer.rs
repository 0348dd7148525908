//! Officers who are present, as far as checks and competence rolls ask.
//!
//! Owns nothing of LEAD: it is the place from which these chapters ask [`crate::leaders`] for the one test of LEAD-01.
//! Help has been allotted before the batch is computed (LEAD-07), so whoever is present here is who helps.

use super::InCharge;
use crate::battle::{Leader, UnitIx};
use crate::field::Field;
use crate::leaders::{self, Help};

/// LEAD-01, LEAD-06 The officer present with a unit, the best of several.
pub fn present<'a>(field: &Field<'a>, unit: UnitIx) -> Option<&'a Leader> {
    leaders::present(field, unit)
}

/// LEAD-01, LEAD-11, IMP-11 The officer present with a unit that may be in a charge.
pub fn present_in_charge<'a>(field: &Field<'a>, unit: UnitIx, charge: &InCharge) -> Option<&'a Leader> {
    leaders::present_for(field, unit, charge.help(unit, field.unit(unit)))
}

/// TC-03, LEAD-10 The officer who helps a unit in competence rolls: guns and cavalry are helped by their own arm only.
pub fn for_competence<'a>(field: &Field<'a>, unit: UnitIx) -> Option<&'a Leader> {
    leaders::present_for(field, unit, Help::Competence)
}
