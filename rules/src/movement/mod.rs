//! Movement: programs of timed actions, the clock of phase 7, previews. Chapters MOVE, MV and FORM in time; ALG-MOVE
//!
//! Owns how an order becomes a [`Program`] in points of a turn (`compile`), how programs of both sides run together in 120
//! segments (`clock`), and what a player is shown beforehand ([`preview`]), which is the same program. It never resolves
//! a fire or a check: it calls for them at the instants of HOLDF-04.
//!
//! Start at `compile` for the price of a move, at `clock` for what happens between units.

mod arrivals;
mod body;
mod clock;
mod compile;
mod crossings;
mod ending;
mod exits;
mod fires;
mod forming;
mod horses;
mod leaders;
pub(crate) mod marker;
mod officer;
mod passing;
mod preview;
mod program;
mod rates;
mod refuse;
mod tail;
#[cfg(test)]
mod tests;
mod track;
mod uncover;
mod unveiled;
mod withdraw;

pub use body::Body;
pub use preview::{advances, is_done_standing, is_feasible, preview, refusals};
pub use program::{Program, SEGMENTS};

pub(crate) use clock::{keeps_its_order, play, play_withdrawals};
pub(crate) use compile::redrawn;
pub(crate) use exits::{distance as distance_of_stretch, nearest as nearest_of_stretch, outward as outward_of_stretch};
pub(crate) use forming::{gap_of, has_stands_for, may_take_at_once, why_no_formation};
pub(crate) use horses::stand_size as stand_size_of_horse;
pub(crate) use leaders::{carry as carry_leaders, ride_before_charges};
pub(crate) use passing::roll_of;
pub(crate) use refuse::{restricted_by, why_not_nearer};
pub(crate) use withdraw::Withdrawal;
pub(crate) mod withdrawal {
    //! What phase 5 asks of a disengaging unit.
    pub(crate) use super::withdraw::{abandons, has_bonus, leaver, pace, plan};
}

use protocol::orders::MoveOrder;
use protocol::place::{Bearing, Point};
use protocol::words::Formation;

use crate::battle::{Unit, UnitIx};
use crate::catalogue::RuleId;
use crate::field::Field;
use crate::geometry::bearing_between;
use crate::ground::{CrossingPrices, PathCost, PathLeg, Pricing, Rates, TURN_POINTS};
use crate::ruleset::Ruleset;
use crate::specials;

/// The program of a MOVE order for a unit where it stands. ALG-MOVE 1
pub fn compile(field: &Field<'_>, ix: UnitIx, order: &MoveOrder) -> Program {
    compile::compile(field, ix, order)
}

/// MOVE-01, MV-17 What a unit may move in a turn on every ground, as it stands or at the rates of disorder.
pub(crate) fn rates_of(rules: &Ruleset, unit: &Unit, disordered: bool) -> Rates {
    let mut body = Body::of(unit);
    body.footing.disorder |= disordered;
    rates::rates(rules, unit, &body, rates::Gait::Plain)
}

/// MV-06, OBS-10, WORKS-10 What obstacles cost a unit as it stands.
pub(crate) fn prices_of(rules: &Ruleset, unit: &Unit) -> CrossingPrices {
    rates::crossing_prices(rules, unit, &Body::of(unit))
}

/// CAVC-24 What a mounted unit may ride in a charge on every ground, in order or in disorder.
pub(crate) fn rates_of_mounted_charge(rules: &Ruleset, unit: &Unit, disordered: bool) -> Rates {
    rates::of_mounted_charge(rules, unit, disordered)
}

/// RALLY-23, MV-03 Whether a unit may be where it stands as it stands: the ground has a rate for its formation.
pub(crate) fn may_stand(field: &Field<'_>, unit: &Unit) -> bool {
    let body = Body::of(unit);
    let bends = specials::bends(field.table, unit, &body.footing);
    let rates = rates::rates(field.rules, unit, &body, rates::Gait::Plain);
    rates::rate_here(&field.ground().bent(&bends), &body, unit.stands.len() as u32, &rates).is_some()
}

/// TAC-27 Whether a regiment can come in line to a place by the straight way: no ground and no obstacle on it is closed to it.
pub(crate) fn has_way(field: &Field<'_>, ix: UnitIx, to: Point) -> bool {
    let unit = field.unit(ix);
    let mut body = Body::of(unit);
    (body.footing.formation, body.footing.disorder) = (Formation::SingleLine, false);
    let rates = rates::rates(field.rules, unit, &body, rates::Gait::Plain);
    let prices = rates::crossing_prices(field.rules, unit, &body);
    let bends = specials::bends(field.table, unit, &body.footing);
    let ground = field.ground().bent(&bends);
    let legs = [PathLeg { to, front: &[] }];
    let from = body.footing.anchor;
    PathCost::new(&ground, from, &legs, &rates, &prices, Pricing::Move, TURN_POINTS).halt().is_none()
}

/// ORD-09 The rule that keeps a unit from standing there, nearer to the enemy, and why in words that follow its name; none: it may.
pub(crate) fn why_not_there(field: &Field<'_>, ix: UnitIx, there: &Unit) -> Option<(RuleId, &'static str)> {
    let rule = refuse::restricted_by(field, ix)?;
    let shape = body::Shape::of(&Body::of(there), there.stands.len() as u32);
    let nearer = refuse::Limit::now(field, ix).bars(field, &shape);
    nearer.then(|| (rule, refuse::why_not_nearer(rule)))
}

/// ORD-06, REV-02 The bearing that the reveal shows of a MOVE: that of the first leg from where the unit stands; of a path
/// that opens with a wheel, the chord of the anchor's way; without any leg, the facing.
pub fn revealed_bearing(field: &Field<'_>, ix: UnitIx, order: &MoveOrder) -> Bearing {
    let footing = &field.unit(ix).footing;
    let wheels_first = order.wheel.is_some_and(|wheel| !wheel.last);
    let first = if wheels_first {
        let only = MoveOrder { wheel: order.wheel, ..MoveOrder::default() };
        Some(compile::compile(field, ix, &only).end().footing.anchor)
    } else {
        order.path.iter().copied().find(|point| *point != footing.anchor)
    };
    first.and_then(|first| bearing_between(footing.anchor, first)).unwrap_or(footing.facing)
}
