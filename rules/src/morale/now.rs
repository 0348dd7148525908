//! The morale point of a unit as it stands, for a check that nothing has caused yet.
//!
//! Owns nothing of the sum: it asks [`super::point`], and [`super::battalion`] for batteries that check as one.

use protocol::event::Morale;

use super::InCharge;
use super::battalion;
use super::point::{Cause, Modifiers, State, losses};
use crate::battle::UnitIx;
use crate::explain::Reckoning;
use crate::field::Field;

/// A morale point as all stand now.
#[derive(Clone, Debug)]
pub struct PointNow {
    /// The sum. MOR-43
    pub point: Reckoning,
    /// What the unit that checks counts as: of a battalion the worst of its batteries. MOR-64
    pub morale: Morale,
    /// The other batteries that check with it.
    pub together_with: Vec<UnitIx>,
}

/// MOR-43, MOR-64 What a unit would have to beat in a check that no fire and no melee causes.
pub fn point_now(field: &Field<'_>, phase: u8, ix: UnitIx) -> PointNow {
    let charge = InCharge::default();
    let modifiers = Modifiers::of(field, ix, phase, &charge);
    let battalion = battalion::battalions(field).into_iter().find(|members| members.contains(&ix));
    let Some(members) = battalion else {
        let state = State::of(field.unit(ix));
        let point = modifiers.forced(state, Cause::Other);
        return PointNow { point, morale: state.morale, together_with: Vec::new() };
    };
    let morale = members.iter().map(|member| field.unit(*member).morale).max().unwrap_or(field.unit(ix).morale);
    let state = State { morale, lost: members.iter().map(|member| losses(field.unit(*member))).sum() };
    let helped = battalion::helped(field, &members).unwrap_or(ix);
    let point = modifiers.of_battalion(&members, helped).forced(state, Cause::Other);
    PointNow { point, morale, together_with: members.into_iter().filter(|member| *member != ix).collect() }
}

/// RALLY-10 What a shaken or routed unit would have to beat to rally; nothing for one in good morale.
pub fn rally_now(field: &Field<'_>, ix: UnitIx) -> Option<Reckoning> {
    let charge = InCharge::default();
    let unsteady = field.unit(ix).morale != Morale::Good;
    unsteady.then(|| Modifiers::of(field, ix, RALLY_PHASE, &charge).rally())
}

/// The phase in which units rally. RALLY-01
const RALLY_PHASE: u8 = 2;
