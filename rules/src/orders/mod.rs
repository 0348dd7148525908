//! Orders: what a seat may say in a window, tested on its own side's knowledge, and how it is expanded when opened.
//!
//! Owns chapter ORD, the windows of instructions (TURN-06), group orders (ORD-02) and postures (TURN-08). Legality never
//! looks at an enemy's secret: it takes a [`Known`]. Costs and paths are asked of [`crate::movement`].
//!
//! Start at [`check`] for what is refused, at [`legal_part`] for what may be sealed, at [`expand`] for what it comes to.

mod bend;
mod columns;
mod groups;
mod holds;
mod horse;
mod legality;
mod limits;
mod picket_previews;
mod pickets;
mod postures;
#[cfg(test)]
mod tests;
mod unseen;
mod windows;
mod withdrawal;
mod words;

pub use holds::conditional_holds;
pub use legality::limits;
pub use picket_previews::preview_picket;
pub(crate) use pickets::why_not_enter;
pub use pickets::{expand as expand_pickets, picket_limits, pickets_without_order};
pub use postures::posture_cards;
pub use withdrawal::must_withdraw;

use std::collections::BTreeMap;

use protocol::ids::{LeaderId, SeatId, UnitId};
use protocol::message::Refusal;
use protocol::orders::{Draft, FormTask, Hides, LeaderDraft, Order, Stage, UnitDraft};

use crate::arrivals;
use crate::battle::{Known, Table, Unit, UnitIx};
use crate::catalogue::{HID_67, LEAD_14, MOVE_17, ORD_01, REV_11, RuleId, SCN_06};
use crate::field::Field;
use crate::hidden;
use crate::house::LeadCharge;
use crate::ruleset::Ruleset;
use crate::setup::hiding::{self, Occasion};

/// One thing that was said and may not be, before it is put in words for the player.
struct Fault {
    subject: String,
    key: &'static str,
    rule: RuleId,
    message: String,
}

impl Fault {
    fn refusal(self) -> Refusal {
        Refusal { subject: self.subject, key: self.key.to_owned(), rule: self.rule.into(), message: self.message }
    }
}

/// ORD-16 All that is not legal in a seat's draft for the window of `stage`, on what its side knows; empty when all is.
pub fn check(known: &Known, rules: &Ruleset, seat: &SeatId, stage: Stage, draft: &Draft) -> Vec<Refusal> {
    legal_part(known, rules, seat, stage, draft).1
}

/// ORD-16 The legal part of a draft, and what was left out of it. Refused orders are dropped one by one; the rest stays.
pub fn legal_part(known: &Known, rules: &Ruleset, seat: &SeatId, stage: Stage, draft: &Draft) -> (Draft, Vec<Refusal>) {
    if known.table.is_deploying() {
        return crate::setup::legal_part(known, rules, seat, draft);
    }
    let field = Field::before_dice(rules, &known.table);
    let mut legal = draft.clone();
    let mut faults = Vec::new();

    legal.units.retain(|id, said| match own_unit(&known.table, seat, id) {
        Err(fault) => {
            faults.push(fault);
            false
        }
        Ok(ix) => {
            keep_legal_unit(known, &field, ix, stage, said, &mut faults);
            true
        }
    });
    legal.brigades.retain(|id, said| match groups::check(&field, seat, id, stage, said) {
        Ok(mut members) => {
            faults.append(&mut members);
            true
        }
        Err(fault) => {
            faults.push(fault);
            false
        }
    });
    if stage == Stage::Orders {
        columns::keep_agreed(&field, seat, &mut legal, &mut faults);
        limits::keep_within_limits(&field, seat, &mut legal, &mut faults);
    }
    legal.leaders.retain(|id, said| match own_leader(&known.table, seat, id, stage, said) {
        Ok(()) => true,
        Err(fault) => {
            faults.push(fault);
            false
        }
    });
    pickets::keep_legal(known, rules, seat, stage, &mut legal, &mut faults);
    let not_hidden = keep_legal_hiding(known, rules, seat, stage, &mut legal);
    if !legal.deployment.is_empty() {
        legal.deployment.clear();
        let message = "refused (SCN-06): units are placed before turn 1; give a MOVE order instead".to_owned();
        faults.push(Fault { subject: "deployment".to_owned(), key: "deployment", rule: SCN_06, message });
    }
    (legal, faults.into_iter().map(Fault::refusal).chain(not_hidden).collect())
}

/// HID-67 Drops what may not come in under a picket this turn, and the words to units that do: their pickets have no number yet, and
/// stand in the first turn.
fn keep_legal_hiding(known: &Known, rules: &Ruleset, seat: &SeatId, stage: Stage, legal: &mut Draft) -> Vec<Refusal> {
    let wanted = std::mem::take(&mut legal.hiding);
    if wanted.is_empty() {
        return Vec::new();
    }
    let refused = |subject: &str, key: &'static str, why: String| {
        Fault { subject: subject.to_owned(), key, rule: HID_67, message: format!("refused (HID-67): {why}") }.refusal()
    };
    if stage != Stage::Orders {
        return vec![refused("hiding", "hiding", "what comes in hidden is said with the orders".to_owned())];
    }
    let (accepted, mut refusals) = hiding::legal(known, rules, seat, Occasion::Door, &wanted);
    for unit in accepted.iter().flat_map(|picket| &picket.units) {
        if legal.units.remove(&unit.id).is_some() {
            let why = format!("`{}` comes in under a picket and takes no order of its own", unit.name);
            refusals.push(refused(unit.id.as_str(), "order", why));
        }
    }
    legal.hiding = accepted.into_iter().map(|picket| picket.hiding).collect();
    refusals
}

/// The seat's units on the table for which a draft says nothing, neither to them nor to their brigade. They will hold
/// (ORD-03), and before turn 1 they stand as printed (SCN-06).
pub fn without_order(known: &Known, seat: &SeatId, draft: &Draft) -> Vec<UnitId> {
    let said = |unit: &crate::battle::Unit| {
        let own = draft.units.get(&unit.id).is_some_and(|said| said.order.is_some());
        let group = unit.brigade.as_ref().and_then(|brigade| draft.brigades.get(brigade));
        own || group.is_some_and(|said| said.order.is_some())
    };
    let said = |unit: &crate::battle::Unit| match known.table.is_deploying() {
        true => draft.deployment.contains_key(&unit.id) || is_hidden_by(draft, unit),
        false => said(unit),
    };
    // TAC-28 Who marches behind the lead of a column has its order.
    let units = known.table.units_of(known.side).map(|(_, unit)| unit).filter(|unit| !unit.follows_in_column());
    units.filter(|unit| unit.seat == *seat && unit.is_unrouted() && !said(unit)).map(|unit| unit.id.clone()).collect()
}

/// HID-05 Whether a draft puts a unit under a picket.
fn is_hidden_by(draft: &Draft, unit: &Unit) -> bool {
    draft.hiding.iter().any(|hiding| match &hiding.hides {
        Hides::Dummy {} => false,
        Hides::Unit { unit: hidden, .. } => *hidden == unit.id,
        Hides::Brigade { plan, .. } => plan.order.contains(&unit.id),
    })
}

/// LVL-05 The units of a side that must withdraw and were not ordered to, each with the march that it is then given.
pub(crate) fn withdrawals(known: &Known, rules: &Ruleset, order_of: impl Fn(&UnitId) -> Order) -> Vec<(UnitId, Order)> {
    let field = Field::before_dice(rules, &known.table);
    let bound = known
        .table
        .units_of(known.side)
        .filter(|(_, unit)| unit.is_unrouted() && withdrawal::must_withdraw(&known.table, unit));
    let idle = bound.filter(|(ix, unit)| !withdrawal::faults(&field, *ix, &order_of(&unit.id)).is_empty());
    idle.map(|(ix, unit)| (unit.id.clone(), withdrawal::default_order(&field, ix))).collect()
}

/// What a sealed draft comes to: every unit of the seat with its order and keys, group orders and postures expanded.
/// A member for whom the group's order is illegal is unmarked, and holds. ORD-02, ORD-03, TURN-08
pub fn expand(
    known: &Known,
    rules: &Ruleset,
    seat: &SeatId,
    stage: Stage,
    draft: &Draft,
) -> BTreeMap<UnitId, UnitDraft> {
    let field = Field::before_dice(rules, &known.table);
    // SCN-11: who stands at the door and was told nothing moves straight in; he has no part in the order of a group.
    let at_the_door = known.table.all_units().filter(|(ix, unit)| {
        let told = draft.units.get(&unit.id).is_some_and(|said| said.order.is_some());
        told && unit.side == known.side && arrivals::is_due(&known.table, *ix)
    });
    let units = known.table.units_of(known.side).chain(at_the_door).filter(|(_, unit)| unit.seat == *seat);
    let expanded = units.map(|(ix, unit)| {
        let own = draft.units.get(&unit.id);
        let group = unit.brigade.as_ref().and_then(|brigade| draft.brigades.get(brigade));
        let order = match own.and_then(|own| own.order.clone()) {
            Some(order) => Some(order),
            None => group
                .and_then(|group| groups::order_of(&field, ix, group))
                .filter(|order| legality::faults_of_order(&field, ix, order).is_empty()),
        };
        let instructions = postures::expand(unit, order.as_ref(), stage, own, group);
        let posture = own.and_then(|own| own.posture.clone()).or_else(|| group.and_then(|group| group.posture.clone()));
        (unit.id.clone(), UnitDraft { order, posture, instructions })
    });
    expanded.collect()
}

/// Drops what is illegal of a unit's words, and reports it.
fn keep_legal_unit(
    known: &Known,
    field: &Field<'_>,
    ix: UnitIx,
    stage: Stage,
    said: &mut UnitDraft,
    faults: &mut Vec<Fault>,
) {
    let unit = field.unit(ix);
    if let Some(order) = &said.order {
        let found = match stage {
            Stage::Orders => legality::faults_of_order(field, ix, order),
            Stage::Reactions | Stage::Charges | Stage::Movement => vec![windows::order_too_late()],
        };
        if !found.is_empty() {
            said.order = None;
        }
        faults.extend(found.into_iter().map(|(rule, message)| Fault {
            subject: unit.id.to_string(),
            key: "order",
            rule,
            message: format!("refused ({rule}): `{}` {message}", unit.name),
        }));
    }
    if let Some(name) = &said.posture
        && let Err((rule, message)) = postures::check(unit, name)
    {
        said.posture = None;
        faults.push(Fault { subject: unit.id.to_string(), key: "posture", rule, message });
    }
    let mut keys = windows::drop_illegal_keys(field, ix, stage, &mut said.instructions);
    if let Some(answer) = &said.instructions.path {
        let order = known.own.orders.get(&unit.id).map_or_else(hold, |orders| orders.order.clone());
        if let Some((rule, message)) = bend::reason_against(field, ix, &order, answer) {
            said.instructions.path = None;
            keys.push(("path", rule, message));
        }
    }
    if let Some(change) = &said.instructions.ch_form
        && !crate::movement::may_take_at_once(unit, change.formation)
    {
        let message = format!("names {}, which it cannot take on Conditional Hold", change.formation);
        said.instructions.ch_form = None;
        keys.push(("ch_form", REV_11, message));
    }
    if let Some((rule, message)) = unseen::why_not(&known.table, unit.side, &said.instructions) {
        said.instructions.unseen_fire = None;
        keys.push(("unseen_fire", rule, message));
    }
    for (key, rule, message) in keys {
        let message = format!("refused ({rule}): `{key}` for `{}` {message}", unit.name);
        faults.push(Fault { subject: unit.id.to_string(), key, rule, message });
    }
}

/// The seat's own unit, on the table or at the door.
fn own_unit(table: &Table, seat: &SeatId, id: &UnitId) -> Result<UnitIx, Fault> {
    let fault = |message: String| Fault { subject: id.to_string(), key: "order", rule: ORD_01, message };
    let Some(ix) = table.find(id).filter(|ix| table[*ix].seat == *seat) else {
        return Err(fault(format!("refused (ORD-01): you command no unit `{id}`")));
    };
    if table[ix].on_table() || arrivals::is_due(table, ix) {
        Ok(ix)
    } else {
        let name = &table[ix].name;
        Err(fault(format!("refused (ORD-01): `{name}` is not on the table and takes no orders")))
    }
}

/// The seat's own leader on the table, and whether what he is told can be done.
fn own_leader(table: &Table, seat: &SeatId, id: &LeaderId, stage: Stage, said: &LeaderDraft) -> Result<(), Fault> {
    let fault = |message: String| Fault { subject: id.to_string(), key: "ride", rule: MOVE_17, message };
    let Some(leader) = table.leaders.get(id).filter(|leader| leader.seat == *seat) else {
        return Err(fault(format!("refused (MOVE-17): you command no leader `{id}`")));
    };
    if let Some((rule, why)) = hidden::why_not_out(leader, stage, said) {
        let message = format!("refused ({rule}): {why}");
        return Err(Fault { subject: id.to_string(), key: "step_out", rule, message });
    }
    // HID-11 Who is under a picket rides in the open as soon as he has stepped out.
    let is_here = leader.on_table() || leader.presence == protocol::view::Presence::Hidden;
    if !is_here {
        return Err(fault(format!("refused (MOVE-17): `{}` is not on the table", leader.name)));
    }
    let LeaderDraft {
        ride,
        with_routed,
        if_unit_routs: _,
        if_unit_falls_back: _,
        help,
        take_over,
        lead,
        go_in_with: _,
        step_out: _,
        place,
    } = said;
    if place.is_some() {
        let message = "refused (SCN-06): leaders are placed before turn 1; give a ride instead".to_owned();
        return Err(Fault { subject: id.to_string(), key: "place", rule: SCN_06, message });
    }
    let is_friend = |unit: &UnitId| table.unit(unit).is_some_and(|unit| unit.side == leader.side && unit.on_table());
    match ride {
        Some(protocol::orders::Ride::Attach { unit }) if !is_friend(unit) => {
            return Err(fault(format!("refused (MOVE-17): `{}` has no unit `{unit}` to go with", leader.name)));
        }
        Some(protocol::orders::Ride::Path { points, .. }) => {
            let ground = table.ground();
            let (width, height) = (ground.ground().width, ground.ground().height);
            if points.iter().any(|point| point.x < 0 || point.y < 0 || width < point.x || height < point.y) {
                return Err(fault(format!("refused (MOVE-17): the ride of `{}` leaves the table", leader.name)));
            }
        }
        _ => {}
    }
    if with_routed.is_some() && stage != Stage::Orders {
        return Err(fault("refused (RALLY-05): whether to go with a routed unit is said with the orders".to_owned()));
    }
    if *lead == Some(true) && table.house().lead_charge == LeadCharge::Off {
        let message = format!(
            "refused (LEAD-14): `{}` may not lead a charge: this game is played without the option `lead_charge`; he may still go in with one",
            leader.name
        );
        return Err(Fault { subject: id.to_string(), key: "lead", rule: LEAD_14, message });
    }
    if let Some(stranger) = help.iter().flatten().find(|unit| !is_friend(unit)) {
        return Err(fault(format!("refused (LEAD-07): `{}` has no unit `{stranger}` to help", leader.name)));
    }
    if let Some(brigade) = take_over
        && table.brigades.get(brigade).is_none_or(|brigade| brigade.side != leader.side)
    {
        return Err(fault(format!("refused (LEAD-18): `{}` has no brigade `{brigade}` to take over", leader.name)));
    }
    Ok(())
}

/// ORD-03 The order of a unit that was given none.
pub(crate) fn hold() -> Order {
    Order::Hold { task: None }
}

/// ORD-03, MEL-21 As [`hold`], but for a unit that fought hand to hand last turn: it forms as it stands, or stood in order.
pub(crate) fn unmarked(unit: &Unit) -> Order {
    if !unit.carried.melee_last_turn {
        return hold();
    }
    let footing = &unit.footing;
    let (formation, gap) = match footing.disorder {
        true => (unit.last_formed, None),
        false => (footing.formation, u32::try_from(footing.gap).ok()),
    };
    Order::Form { task: FormTask::Formation { formation, facing: None, pivot: None, gap } }
}
