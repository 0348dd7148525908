//! Hidden movement: markers that stand for a unit, a brigade, or nothing. Chapter HID
//!
//! Owns all that happens under pickets and all by which they end. The open table of a battle holds the markers and, for each
//! hidden unit, a name that stands there as the scenario prints it; what a picket really hides is its side's secret
//! ([`crate::battle::Under`]). So every other part of the rules plays open units alone, and cannot lean on what is hidden
//! (HID-61, HID-62): it does not have it.
//!
//! A hidden unit enters the open game by one door, [`change`], which replaces markers by what they hide. Start there.

mod change;
mod course;
mod judge;
mod leaving;
mod march;
mod rates;
mod shown;
mod stops;
#[cfg(test)]
mod tests;
mod will;

#[cfg(test)]
pub(crate) use change::{Changes, change};
pub(crate) use course::{march_of, plan, plan_of_leaving};
pub(crate) use judge::{Judged, judged};
pub(crate) use leaving::away;
pub(crate) use march::{March, begin, begin_leaving, finish, push_rolls, step};
pub(crate) use rates::{dummy_cost, dummy_rate};
pub(crate) use shown::{clear, conditional_holds, order_of, public_bearing, public_point, reveal};
pub(crate) use will::{Moment, give_up};
