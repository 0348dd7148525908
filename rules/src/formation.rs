//! Where the stands of a unit are.
//!
//! Owns the geometry of every formation: from a formation, an anchor and a facing to the rectangles of the stands, the
//! front line and the rear line (FORM-03), and from an old layout to the anchor of a new one (FORM-35, FORM-37). It
//! never decides whether a unit may take a formation, what that costs, or who is in the way. Disorder changes nothing
//! here: it lies over the geometry that the unit had (FORM-26). Start at [`Drawn::layout`].

mod change;
mod layout;
mod of_unit;
mod stands;

pub use change::{
    NoSuchStand, anchor_keeping, column_into_line, form_on, least_slide, line_into_column, square_anchor,
};
pub use layout::{Drawn, Edges, Layout, Part, Placed, brigade_column};
pub use of_unit::form_at_once;
pub use stands::{infantry_stand_width, loss_order, loss_totals, stand_figures, stands_lost};

use std::ops::RangeInclusive;

use protocol::words::Formation;

/// TAC-11 The gap between line and reserve stand where the order is silent, thousandths of an inch.
pub const DEFAULT_RESERVE_GAP: i32 = 1_000;

/// TAC-16 The gap between line and screen where the order is silent, thousandths of an inch.
pub const DEFAULT_SCREEN_GAP: i32 = 3_000;

/// FORM-05, FORM-09, CAV-03, CAV-07, CAV-08 The gaps between stands that a formation allows, for a stand width, thousandths
/// of an inch; horse in the saddle spreads wider. None for formations without a gap of their own; those of reserve and
/// screen are lengths of the tables.
pub fn gaps_between_stands(formation: Formation, width: i32, mounted: bool) -> Option<RangeInclusive<i32>> {
    match formation {
        Formation::ExtendedLine => Some(1..=width),
        Formation::SkirmishLine if mounted => Some(width..=3 * width),
        Formation::SkirmishLine => Some(width..=2 * width),
        Formation::SingleLine if mounted => Some(0..=width),
        Formation::DismountedLine => Some(0..=width),
        _ => None,
    }
}

/// FORM-05, FORM-09, CAV-03, TAC-11, TAC-16 The gap where the order is silent, thousandths of an inch; 0 for formations
/// without one, and for the lines of horse.
pub fn default_gap(formation: Formation, width: i32, mounted: bool) -> i32 {
    match formation {
        Formation::ExtendedLine => (width + 1) / 2,
        Formation::SkirmishLine if mounted => 2 * width,
        Formation::SkirmishLine => (3 * width + 1) / 2,
        Formation::LineWithReserve => DEFAULT_RESERVE_GAP,
        Formation::LineWithSkirmishers => DEFAULT_SCREEN_GAP,
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
