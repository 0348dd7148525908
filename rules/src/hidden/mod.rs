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
mod entering;
mod flee;
mod judge;
mod leaving;
mod line;
mod look;
mod march;
mod morale;
mod open_fire;
mod passing;
mod placing;
pub(crate) mod plan;
mod rates;
mod roster;
mod seal;
mod shown;
mod sighting;
mod stepping;
mod stops;
#[cfg(test)]
mod tests;
mod touch;
mod turn;
mod will;
mod woods;
mod works;

#[cfg(test)]
pub(crate) use change::{Changes, change};
pub(crate) use course::{march_of, plan, plan_of_leaving};
pub(crate) use entering::{come_in, seal};
pub(crate) use flee::{flee, surrendered};
pub(crate) use judge::{Judged, judged};
pub(crate) use leaving::away;
pub(crate) use line::begin_marches;
pub(crate) use look::{EACH, Step, look, look_ahead, look_at_setup};
pub(crate) use march::{March, begin, begin_leaving, finish, push_rolls, step};
pub(crate) use morale::{Owed, check_under_seal};
pub(crate) use open_fire::{keep_first_fire, open_fire};
pub(crate) use passing::pass;
pub(crate) use rates::{dummy_cost, dummy_rate};
pub use roster::{Kept, RosterLine};
pub(crate) use roster::{Numbers, below, disclosed, line};
pub(crate) use seal::{Seal, behind, label, stand, under_seal};
pub(crate) use shown::{clear, conditional_holds, order_of, public_bearing, public_point, reveal};
pub(crate) use sighting::{Sighted, name_of};
pub(crate) use stepping::{Steps, step_out, why_not_out};
pub(crate) use turn::{begin as begin_turn, begin_phase, end as end_turn, replace_leaders, replacements};
pub(crate) use will::{Moment, give_up, open_all};
pub(crate) use works::{dig_before_battle, work};
