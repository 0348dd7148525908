//! Hidden movement: markers that stand for a unit, a brigade, or nothing. Chapter HID
//!
//! Owns all that happens under pickets and all by which they end. The open table of a battle holds the markers and, for each
//! hidden unit, a name that stands there as the scenario prints it; what a picket really hides is its side's secret
//! ([`crate::battle::Under`]). So every other part of the rules plays open units alone, and cannot lean on what is hidden
//! (HID-61, HID-62): it does not have it.
//!
//! A hidden unit enters the open game by one door, [`change`], which replaces markers by what they hide. Start there.

mod change;
mod morale;
mod open_fire;
mod seal;
#[cfg(test)]
mod tests;
mod turn;
mod will;

pub(crate) use morale::{Owed, check_under_seal};
pub(crate) use open_fire::{keep_first_fire, open_fire};
pub(crate) use seal::{Seal, behind, label, stand, under_seal};
pub(crate) use turn::{begin as begin_turn, begin_phase, end as end_turn, replacements};
pub(crate) use will::{Moment, give_up, open_all};

use crate::ground::Terrain;
use crate::ruleset::{Branch, FormationRow, Ruleset};

/// HID-23 The most a dummy moves in open ground, thousandths of an inch: as a skirmish line of infantry.
pub(crate) fn dummy_rate(rules: &Ruleset) -> u32 {
    let rate = rules.rates(Branch::Infantry, FormationRow::SkirmishLine).and_then(|rates| rates.at(Terrain::Open));
    rate.map_or(0, |inches| inches.0.unsigned_abs())
}
