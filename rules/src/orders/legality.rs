//! Which orders a unit may be given. ORD-04 to ORD-16
//!
//! A list of tests in the order of the catalogue's table; each gives the rule that owns the refusal and what would do.

use protocol::event::Morale;
use protocol::ids::UnitId;
use protocol::orders::{FormTask, HoldTask, MoveOrder, Order};
use protocol::words::{Arm, Formation};

use super::horse;
use super::withdrawal;
use crate::battle::{Table, Unit, UnitIx};
use crate::catalogue::{
    ARTY_01, ARTY_39, ARTY_46, ARTY_54, CAV_25, CAV_26, CHG_07, CHG_15, CHG_24, DIS_02, DIS_14, FIRE_02, FORM_01,
    FORM_11, HID_17, MEL_21, MV_09, ORD_07, ORD_12, ORD_13, RuleId, SCN_11, SCNS_10, SCNS_15, TAC_07, TAC_27, TAC_35,
    TAC_37, TAC_38, TC_12,
};
use crate::charge::pace::Pace;
use crate::column;
use crate::crews;
use crate::field::Field;
use crate::fire;
use crate::movement;
use crate::ruleset::{GunKind, Ruleset};
use crate::scenario::OrderWord;
use crate::sharpshooters;
use crate::specials;
use crate::wagons;
use crate::works;

/// A rule that forbids, and why, to be read after the unit's name.
pub(super) type Reason = (RuleId, String);

/// ORD-16 Everything that forbids an order; empty when it is legal.
pub(super) fn faults_of_order(field: &Field<'_>, ix: UnitIx, order: &Order) -> Vec<Reason> {
    let mut faults = faults_as_told(field, ix, order);
    if faults.is_empty() {
        faults.extend(crate::movement::refusals(field, ix, order));
    }
    if faults.is_empty() {
        faults.extend(withdrawal::faults(field, ix, order));
    }
    faults
}

/// What forbids an order by its words alone, before its path is priced.
pub(super) fn faults_as_told(field: &Field<'_>, ix: UnitIx, order: &Order) -> Vec<Reason> {
    let unit = field.unit(ix);
    if !unit.on_table() && !matches!(order, Order::Move(_) | Order::Hold { task: None }) {
        return vec![(SCN_11, "is at the door: it may be told to MOVE, or to HOLD, which is to wait there".to_owned())];
    }
    if !unit.is_unrouted() {
        return vec![(ORD_07, "is routed and takes no orders until it has rallied".to_owned())];
    }
    if unit.carried.melee_last_turn && !matches!(order, Order::Form { .. }) {
        return vec![(MEL_21, "fought hand to hand last turn and takes no order but FORM".to_owned())];
    }
    if let Some(tied) = why_tied(field, unit, order) {
        return vec![tied];
    }
    if let Some(later) = without_an_umpire(order) {
        return vec![later];
    }
    if let Some(in_column) = column::orders::why_not(field.table, ix, order) {
        return vec![in_column];
    }
    match order {
        Order::FirstFire {} => faults_of_first_fire(unit),
        Order::Hold { task: None } => Vec::new(),
        Order::Hold { task: Some(HoldTask::LendHorse { to }) } => {
            crews::why_not_lend(field, ix, to).into_iter().collect()
        }
        Order::Hold { task: Some(HoldTask::Spike {}) } => crews::why_not_spike(field, ix).into_iter().collect(),
        Order::Form { task: FormTask::Resupply {} } => wagons::why_not_resupply(field, ix).into_iter().collect(),
        Order::Form { task: FormTask::JoinRegiment { regiment } } => {
            sharpshooters::why_not_join(field, ix, regiment).into_iter().collect()
        }
        Order::Form { task: FormTask::ManGuns { battery } } => {
            crews::why_not_man(field, ix, battery).into_iter().collect()
        }
        Order::Form { task: FormTask::BrigadeColumn { regiments } } => {
            column::forming::why_not(field, ix, regiments).into_iter().collect()
        }
        Order::Form { task: FormTask::Deploy { .. } | FormTask::Face { .. } } => {
            vec![(HID_17, "is no picket: give it a formation, with a facing if it is to turn".to_owned())]
        }
        Order::Form { task: FormTask::Work { work, at } } => works::why_not(field, ix, *work, at).into_iter().collect(),
        Order::Form { task } => faults_of_task(unit, task),
        Order::Move(march) => {
            let mut faults = faults_of_march(field.rules, unit, march);
            faults.extend(why_not_leave(field.table, unit, march));
            faults
        }
        Order::Disengage { abandon_guns } => faults_of_disengaging(field, ix, *abandon_guns),
        Order::Charge { target, support_of, .. } => faults_of_charge(field, ix, target.as_ref(), support_of.as_ref()),
        Order::Special { .. } => Vec::new(),
    }
}

/// SCNS-10 An order that a special rule of the scenario does not let the unit have.
fn why_tied(field: &Field<'_>, unit: &Unit, order: &Order) -> Option<Reason> {
    let (term, allowed) = specials::allowed_orders(field.table, unit)?;
    if word_of(order).is_some_and(|word| allowed.contains(&word)) {
        return None;
    }
    let list: Vec<&str> = allowed.iter().map(|word| name_of(*word)).collect();
    let given = if list.is_empty() { "no order".to_owned() } else { format!("only {}", list.join(" or ")) };
    Some((SCNS_10, format!("may be given {given} for now, by the special rule `{term}` of the scenario")))
}

/// SCNS-15 The formation of the start that takes whole turns to leave is left by FORM alone.
fn why_not_leave(table: &Table, unit: &Unit, march: &MoveOrder) -> Option<Reason> {
    let turns = specials::turns_to_leave(table, unit, unit.footing.formation);
    (0 < turns && march.form_first.is_some())
        .then(|| (SCNS_15, format!("needs {turns} whole turns to leave its formation; give FORM")))
}

/// SCNS-10 What a scenario calls an order; an order to the umpire has no word, and so is on no list.
pub(super) fn word_of(order: &Order) -> Option<OrderWord> {
    match order {
        Order::FirstFire {} => Some(OrderWord::FirstFire),
        Order::Hold { .. } => Some(OrderWord::Hold),
        Order::Disengage { .. } => Some(OrderWord::Disengage),
        Order::Charge { .. } => Some(OrderWord::Charge),
        Order::Move(_) => Some(OrderWord::Move),
        Order::Form { .. } => Some(OrderWord::Form),
        Order::Special { .. } => None,
    }
}

pub(super) const fn name_of(word: OrderWord) -> &'static str {
    match word {
        OrderWord::FirstFire => "FIRST FIRE",
        OrderWord::Hold => "HOLD",
        OrderWord::Disengage => "DISENGAGE",
        OrderWord::Charge => "CHARGE",
        OrderWord::Move => "MOVE",
        OrderWord::Form => "FORM",
    }
}

/// TC-12 A special order needs an umpire.
pub(super) fn without_an_umpire(order: &Order) -> Option<Reason> {
    let why = "cannot be given a special order: this game has no umpire to answer it";
    matches!(order, Order::Special { .. }).then(|| (TC_12, why.to_owned()))
}

/// ORD-08, ORD-10 to ORD-13, FORM-11, CHG-24, TAC-35 Who may not be told to charge.
fn faults_of_charge(
    field: &Field<'_>,
    ix: UnitIx,
    target: Option<&UnitId>,
    support_of: Option<&UnitId>,
) -> Vec<Reason> {
    let unit = field.unit(ix);
    let formation = unit.footing.formation;
    let in_order = !unit.footing.disorder;
    let running = u32::try_from(field.rules.charge.max_consecutive_charges).unwrap_or(0);
    let mut faults: Vec<Reason> = Vec::new();
    if !matches!(unit.arm, Arm::Infantry | Arm::Cavalry) {
        faults.push((ORD_12, format!("is {} and cannot charge: only foot and horse do", unit.arm)));
    } else if unit.is_skirmishing() {
        let rule = if unit.arm == Arm::Cavalry { CAV_25 } else { FORM_11 };
        faults.push((rule, "is in skirmish line and cannot charge; give FORM first".to_owned()));
    } else if formation == Formation::Square && in_order {
        faults.push((TAC_38, "is in square and cannot move; give FORM to leave it first".to_owned()));
    } else if unit.footing.prone {
        faults.push((ORD_12, "lies prone and cannot charge; let it rise in a MOVE".to_owned()));
    } else if !field.effect(ix).is_some_and(|effect| effect.may_charge) {
        faults.push((ORD_12, format!("cannot charge in {formation}; give FORM first")));
    } else if Pace::of(field, ix, false).is_none() {
        faults.push((CHG_24, "cannot charge from this ground in its formation".to_owned()));
    }
    if let Some(rule) = movement::restricted_by(field, ix) {
        faults.push((rule, movement::why_not_nearer(rule).to_owned()));
    }
    if running <= unit.carried.charge_turns {
        faults.push((ORD_13, "has charged in two turns running and may not do so in a third".to_owned()));
    }
    let on_table = |id: &UnitId| field.table.unit(id).filter(|other| other.on_table());
    if target.is_some_and(|id| on_table(id).is_none_or(|other| other.side == unit.side)) {
        faults.push((CHG_07, "cannot charge a unit that is no enemy on the table".to_owned()));
    }
    if support_of.is_some() && unit.leads_column() {
        let why = "leads a brigade column, which is the point of its charge: let it charge without supporting another";
        faults.push((TAC_35, why.to_owned()));
    }
    if support_of.is_some_and(|id| *id == unit.id || on_table(id).is_none_or(|other| other.side != unit.side)) {
        faults.push((CHG_15, "cannot support a unit that is no friend on the table".to_owned()));
    }
    faults
}

/// DIS-14 Turns running in which a unit may disengage.
const MOST_DISENGAGEMENTS: u32 = 2;

/// DIS-02, DIS-14, ARTY-46, TAC-38 Who may not be told to disengage.
fn faults_of_disengaging(field: &Field<'_>, ix: UnitIx, abandon_guns: bool) -> Vec<Reason> {
    let unit = field.unit(ix);
    if unit.footing.formation == Formation::Square && !unit.footing.disorder {
        return vec![(TAC_38, "is in square and cannot move; give FORM to leave it first".to_owned())];
    }
    if MOST_DISENGAGEMENTS <= unit.carried.disengage_turns {
        let why = "has disengaged in two turns running and may not do so in a third; let it MOVE away";
        return vec![(DIS_14, why.to_owned())];
    }
    if abandon_guns && unit.arm != Arm::Artillery {
        return vec![(ARTY_46, "has no guns to abandon".to_owned())];
    }
    let body = movement::withdrawal::leaver(field, ix, abandon_guns);
    match movement::withdrawal::pace(field, ix, &body) {
        None if unit.arm == Arm::Artillery => {
            vec![(ARTY_46, "cannot take its guns along from here; abandon them, or hold".to_owned())]
        }
        None => vec![(DIS_02, "cannot move where it stands".to_owned())],
        Some(_) => Vec::new(),
    }
}

/// FIRE-02, CAV-26 Who may not be told to fire first.
fn faults_of_first_fire(unit: &Unit) -> Vec<Reason> {
    let mut faults = Vec::new();
    if unit.mounted {
        faults.push((CAV_26, "is mounted and does not fire first; dismount it".to_owned()));
    }
    if unit.footing.prone {
        faults.push((FIRE_02, "lies prone and does not fire; let it rise in a MOVE".to_owned()));
    }
    if let Some((rule, why)) = fire::why_silent(unit) {
        faults.push((rule, format!("{why}; give HOLD")));
    }
    if unit.is_limbered() {
        faults.push((FIRE_02, "is limbered and cannot fire; give FORM to unlimber".to_owned()));
    }
    faults
}

/// FORM-01, ARTY-01, CAV-01, CAV-02, CAV-06 Formations that the arm has not.
fn faults_of_task(unit: &Unit, task: &FormTask) -> Vec<Reason> {
    let guns = unit.arm == Arm::Artillery;
    if let Some(fault) = horse::fault_of_task(unit, task) {
        return vec![fault];
    }
    match task {
        FormTask::Formation { formation: Formation::BrigadeColumn, .. } if unit.arm == Arm::Infantry => {
            let what = "cannot form a brigade column by itself: name the regiments that are to form it, from the head";
            vec![(TAC_27, what.to_owned())]
        }
        FormTask::Formation { formation, .. } if !has_formation(unit, *formation) => {
            vec![(FORM_01, format!("has no {formation}; choose a formation of its arm"))]
        }
        FormTask::Square {} if unit.arm != Arm::Infantry => {
            vec![(TAC_37, format!("is {} and forms no square: only infantry does", unit.arm))]
        }
        FormTask::Square {} if unit.footing.formation == Formation::Square && !unit.footing.disorder => {
            vec![(TAC_37, "is in square already".to_owned())]
        }
        FormTask::FrontToFlank { .. } if guns => {
            vec![(ARTY_01, "is a battery and has no flank to turn to; give MOVE".to_owned())]
        }
        FormTask::Limber { .. } if !guns => vec![(ARTY_01, "has no guns to limber".to_owned())],
        FormTask::Unlimber { .. } if !guns => vec![(ARTY_01, "has no guns to unlimber".to_owned())],
        FormTask::Limber { .. } if unit.is_limbered() => vec![(ARTY_01, "is limbered already".to_owned())],
        FormTask::Unlimber { .. } if !unit.is_limbered() => vec![(ARTY_01, "is unlimbered already".to_owned())],
        _ => Vec::new(),
    }
}

fn has_formation(unit: &Unit, formation: Formation) -> bool {
    match unit.arm {
        Arm::Infantry => matches!(
            formation,
            Formation::SingleLine
                | Formation::ExtendedLine
                | Formation::DoubleLine
                | Formation::AttackColumn
                | Formation::SkirmishLine
                | Formation::MarchColumn
                | Formation::LineWithReserve
                | Formation::LineWithSkirmishers
                | Formation::Square
        ),
        Arm::Cavalry => movement::why_no_formation(unit, unit.mounted, formation).is_none(),
        Arm::Sharpshooter | Arm::GunCrew => formation == Formation::SkirmishLine,
        Arm::Artillery => false,
    }
}

/// What a MOVE may not hold, apart from its path.
fn faults_of_march(rules: &Ruleset, unit: &Unit, march: &MoveOrder) -> Vec<Reason> {
    let mut faults: Vec<Reason> = Vec::new();
    if let Some(first) = &march.form_first {
        faults.extend(faults_of_task(unit, first));
    }
    if let Some(last) = &march.form_last {
        // A battery that limbers first may unlimber last. MV-09
        let limbers_first = matches!(march.form_first, Some(FormTask::Limber { .. }));
        if !(limbers_first && matches!(last, FormTask::Unlimber { .. })) {
            faults.extend(faults_of_task(&horse::after(unit, march.form_first.as_ref()), last));
        }
    }
    faults.extend(horse::fault_of_march(unit, march));
    let mut tasks = [&march.form_first, &march.form_last].into_iter().flatten();
    if tasks.any(movement::is_done_standing) {
        faults.push((MV_09, "cannot do that on the march: give it as FORM alone".to_owned()));
    }
    let gun = rules.gun.get(&unit.weapon).filter(|_| unit.arm == Arm::Artillery);
    if gun.is_some_and(|gun| gun.class == GunKind::Fortress) {
        faults.push((ARTY_54, "has fortress guns, which cannot be moved; give HOLD or FIRST FIRE".to_owned()));
    } else if unit.guns.as_ref().is_some_and(|guns| guns.horses == 0) {
        faults.push((ARTY_39, "has no horses left and cannot move; hold, or give FORM to unlimber".to_owned()));
    }
    let in_square = unit.footing.formation == Formation::Square && !unit.footing.disorder;
    if in_square && (!march.path.is_empty() || march.wheel.is_some()) {
        faults.push((TAC_38, "is in square and cannot move; give FORM to leave it first".to_owned()));
    }
    if march.prone.is_some() && !matches!(unit.arm, Arm::Infantry | Arm::Cavalry) {
        faults.push((TAC_07, "cannot lie down: only foot can".to_owned()));
    }
    faults
}

/// Whether a unit as it stands could carry an order out, whatever the state of its command.
pub(super) fn can_be_done(field: &Field<'_>, ix: UnitIx, order: &Order) -> bool {
    let unit = field.unit(ix);
    let faults = match order {
        Order::Form { task } => faults_of_task(unit, task),
        Order::Move(march) => faults_of_march(field.rules, unit, march),
        _ => Vec::new(),
    };
    faults.is_empty() && without_an_umpire(order).is_none() && movement::is_feasible(field, ix, order)
}

/// What limits a unit this turn, for its own player: in words, with rules.
pub fn limits(table: &Table, unit: &Unit) -> Vec<String> {
    let mut limits = Vec::new();
    if !unit.is_unrouted() {
        limits.push("ORD-07: routed, takes no orders".to_owned());
    }
    if unit.morale == Morale::Shaken {
        limits.push("SHK-07: shaken, may not move nearer to the enemy".to_owned());
    }
    if !unit.marks.in_command {
        limits.push("CMD-07: out of command, may not advance".to_owned());
    }
    if unit.carried.melee_last_turn {
        limits.push("MEL-21: fought hand to hand last turn, may only form".to_owned());
    }
    if unit.is_half_strength() {
        limits.push("ORD-10: at half strength, advances only with an officer".to_owned());
    }
    limits.extend(withdrawal::limit(table, unit));
    if let Some((term, allowed)) = specials::allowed_orders(table, unit) {
        let list: Vec<&str> = allowed.iter().map(|word| name_of(*word)).collect();
        limits.push(format!("SCNS-10: takes only {}, by special rule `{term}`", list.join(" or ")));
    }
    if let Some((rule, why)) = fire::why_silent(unit) {
        limits.push(format!("{rule}: {why}"));
    }
    if unit.footing.formation == Formation::Square && !unit.footing.disorder {
        limits.push("TAC-38: in square, does not move".to_owned());
    }
    limits.extend(column::orders::limits(table, unit));
    if unit.carried.melee_last_turn {
        limits.push("MEL-21: fought hand to hand, takes only FORM".to_owned());
    }
    match unit.carried.charge_turns {
        0 => {}
        1 => limits.push("ORD-13: charged last turn, a second charge has neither bonus nor elan".to_owned()),
        _ => limits.push("ORD-13: charged in two turns running, may not charge".to_owned()),
    }
    match unit.carried.disengage_turns {
        0 => {}
        1 => limits.push("DIS-14: disengaged last turn, a second time there is no bonus".to_owned()),
        _ => limits.push("DIS-14: disengaged in two turns running, may not disengage".to_owned()),
    }
    limits.extend(works::limit(table, unit));
    if unit.footing.screen_back {
        limits.push("TAC-20: its skirmishers have fallen back, and stand in line again after the reveal".to_owned());
    }
    if unit.ammunition_out() {
        limits.push("AMMO-01: out of ammunition".to_owned());
    }
    limits
}
