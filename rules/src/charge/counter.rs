//! Enemies who come to meet a charge: who may, when, and in what order. CC-01 to CC-07, CC-20, ALG-CHARGE 9
//!
//! Owns the triggers of a leg and the answers. How the two meet is [`super::meeting`]'s; what is peculiar to horse,
//! [`super::riders`]'.

use std::collections::BTreeSet;

use protocol::orders::{Countercharge, IfCharged, Order};
use protocol::words::Arm;

use super::columns::{body_of, extent_of};
use super::obstacle;
use super::riders;
use super::run::{Run, is_fit};
use super::sweep::Slide;
use super::threat::distance;
use crate::battle::UnitIx;
use crate::dice::{Purpose, break_tie};
use crate::field::Field;
use crate::geometry::Extent;
use crate::ground::{PathCost, Step, Terrain};
use crate::morale::officer;
use crate::play::Play;

/// CHG-51 A charge that comes from farther off the front than this strikes a unit where it stands, hundredths of a degree.
pub(super) const BEHIND: u32 = 9_000;

/// A unit that comes to meet a charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comer {
    /// The unit.
    pub unit: UnitIx,
    /// In what way.
    pub kind: Kind,
    /// It is not charged itself. CAVC-18
    pub joins: bool,
}

/// In what way a unit comes to meet a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By a charge of its own, not begun. CHG-51
    Charge,
    /// From HOLD, horse from Conditional Hold too. CC-02, CC-15
    Hold,
    /// From MOVE, in disorder. CC-04, CC-16
    March,
    /// Horse from FORM, in disorder and forming. CC-17
    Form,
}

/// CC-02, CC-05, CC-06 Whether a unit of foot could countercharge this charge at all.
pub fn may_countercharge(play: &Play<'_>, run: &Run, ix: UnitIx) -> bool {
    let field = Field::new(play.rules, play.table(), play.dice);
    is_able(&field, ix, &play.order(ix), &run.members())
}

/// CC-02, CC-05, CC-06, HID-18 As [`may_countercharge`], of a unit under that order against those chargers.
pub(super) fn is_able(field: &Field<'_>, ix: UnitIx, order: &Order, chargers: &[UnitIx]) -> bool {
    let unit = field.unit(ix);
    let marks = &unit.marks;
    let on_hold = matches!(order, Order::Hold { .. } | Order::Special { .. }) && !marks.moved;
    let marches = matches!(order, Order::Move(_)) && !marks.order_spent;
    let running = u32::try_from(field.rules.charge.max_consecutive_charges).unwrap_or(0);
    let fired_at_it = chargers.iter().any(|member| marks.fired_at.contains(&field.unit(*member).id));
    (unit.arm == Arm::Infantry || unit.arm == Arm::Cavalry && !unit.mounted)
        && !unit.follows_in_column()
        && (on_hold || marches)
        && !unit.began_hidden(field.table.turn)
        && !marks.conditional_hold
        && is_fit(unit)
        && !unit.footing.prone
        && field.effect(ix).is_some_and(|effect| effect.may_charge)
        && !(marks.charged || marks.countercharged || marks.fell_back || marks.beaten || marks.in_melee)
        && !marks.changed_formation
        && unit.carried.charge_turns < running
        && !fired_at_it
        && !(unit.is_half_strength() && officer::present(field, ix).is_none())
}

/// CC-02, CC-15 The distance at which a unit comes, thousandths of an inch.
pub(super) fn trigger_distance(field: &Field<'_>, ix: UnitIx) -> i32 {
    let table = &field.rules.charge;
    match field.unit(ix).mounted {
        true => table.cavalry_countercharge_distance.thousandths(),
        false => table.infantry_countercharge_distance.thousandths(),
    }
}

/// CF-09 Whether by the points plotted beforehand the charger will be in disorder when it comes so near to a unit.
pub fn charger_disordered_at_trigger(play: &Play<'_>, run: &Run, way: &PathCost, spent: i64, ix: UnitIx) -> bool {
    let field = Field::new(play.rules, play.table(), play.dice);
    if field.unit(run.point).footing.disorder {
        return true;
    }
    let near = run.slide(&field).first_within(&body_of(&field, ix), trigger_distance(&field, ix), way.length());
    near.is_some_and(|travel| {
        run.is_disordered_at(spent + way.points_at(travel))
            || is_rough_before(way, travel)
            || !obstacle::on_way(&field, run.point, run.bearing, travel).is_empty()
    })
}

pub(super) fn is_rough_before(way: &PathCost, travel: i32) -> bool {
    way.steps().iter().any(|step| matches!(step, Step::Ground { from, terrain: Terrain::Rough, .. } if *from <= travel))
}

/// CC-02, CC-07 Who may be triggered by a leg, and at which travel: the first at which a member comes within reach.
pub fn candidates(
    play: &Play<'_>,
    run: &Run,
    target: Option<UnitIx>,
    target_comes: bool,
    end: i32,
) -> Vec<(i32, UnitIx)> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let side = field.unit(run.point).side;
    let slides: Vec<Slide> = run.members().into_iter().map(|ix| Slide::new(body_of(&field, ix), run.bearing)).collect();
    let ways: Vec<Extent> = slides.iter().map(|slide| slide.extent(end)).collect();
    let may_be_reached = |ix: UnitIx| {
        let (about, limit) = (extent_of(&field, ix), trigger_distance(&field, ix));
        ways.iter().any(|way| way.may_be_within(about, limit))
    };
    let mut candidates = Vec::new();
    for (ix, unit) in field.enemies_of(side).filter(|(ix, _)| !run.stuck.contains(ix)) {
        let is_target = Some(ix) == target;
        if !is_target && !may_be_reached(ix) {
            continue;
        }
        if is_target && target_comes && unit.mounted {
            candidates.extend(riders::in_view_at(&field, run, ix, end).map(|travel| (travel, ix)));
            continue;
        }
        let limit = match (is_target, target_comes) {
            (true, true) => Some(trigger_distance(&field, ix)),
            (true, false) => None,
            (false, _) => third_party(play, run, ix),
        };
        let Some(limit) = limit else { continue };
        let theirs = body_of(&field, ix);
        let travel = slides.iter().filter_map(|slide| slide.first_within(&theirs, limit, end)).min();
        candidates.extend(travel.map(|travel| (travel, ix)));
    }
    candidates
}

/// CC-02, CC-15 At which distance a unit that is not charged would come; none: it never does.
fn third_party(play: &Play<'_>, run: &Run, ix: UnitIx) -> Option<i32> {
    let may = match play.table()[ix].mounted {
        true => riders::may_join(play, &run.members(), ix),
        false => !matches!(play.order(ix), Order::Move(_)) && may_countercharge(play, run, ix),
    };
    if !may {
        return None;
    }
    let limit = trigger_distance(&Field::new(play.rules, play.table(), play.dice), ix);
    match wish(play, ix) {
        Countercharge::Never {} => None,
        Countercharge::Within { distance } => Some(i32::try_from(distance).unwrap_or(i32::MAX).min(limit)),
        Countercharge::IfAttackerDisordered {} | Countercharge::IfFriendCharged {} | Countercharge::Always {} => {
            Some(limit)
        }
    }
}

fn wish(play: &Play<'_>, ix: UnitIx) -> Countercharge {
    play.choice(ix, Countercharge::Never {}, |said| said.countercharge).0
}

/// ALG-CHARGE 9 Those of the triggered who come, against the point, nearest first; none: the leg goes on. Those who go for a
/// support are set aside with it. CC-07, CC-20
pub fn triggered(play: &mut Play<'_>, run: &mut Run, target: Option<UnitIx>, units: &[UnitIx]) -> Option<Vec<Comer>> {
    let mut at_point: Vec<UnitIx> = Vec::new();
    let mut at_support: Vec<(UnitIx, UnitIx)> = Vec::new();
    for ix in units.iter().copied() {
        if !comes(play, run, target, ix) {
            continue;
        }
        match member_for(play, run, target, ix) {
            Some(member) if member == run.point => at_point.push(ix),
            Some(member) => at_support.push((member, ix)),
            None => {}
        }
    }
    let supports: BTreeSet<UnitIx> = at_support.iter().map(|(support, _)| *support).collect();
    for support in supports {
        run.leaves(support);
        let theirs: Vec<UnitIx> = at_support.iter().filter(|(of, _)| *of == support).map(|(_, ix)| *ix).collect();
        let comers = in_order(play, support, theirs).into_iter().map(|unit| comer(play, target, unit)).collect();
        run.set_aside.push((support, comers));
    }
    if at_point.is_empty() {
        return None;
    }
    if let Some(target) = target.filter(|target| !at_point.contains(target)) {
        // CC-08 The old target is released; what it has done in answer stays done.
        play.table_mut()[target].marks.charged_by = None;
    }
    Some(in_order(play, run.point, at_point).into_iter().map(|unit| comer(play, target, unit)).collect())
}

fn comer(play: &Play<'_>, target: Option<UnitIx>, unit: UnitIx) -> Comer {
    let by_order = if matches!(play.order(unit), Order::Move(_)) { Kind::March } else { Kind::Hold };
    let kind = if play.table()[unit].mounted { riders::kind(play, unit) } else { None };
    Comer { unit, kind: kind.unwrap_or(by_order), joins: Some(unit) != target }
}

/// Whether a triggered unit still can come, sees the charge, and is told to.
fn comes(play: &mut Play<'_>, run: &Run, target: Option<UnitIx>, ix: UnitIx) -> bool {
    let mounted = play.table()[ix].mounted;
    let may = if mounted { riders::may_join(play, &run.members(), ix) } else { may_countercharge(play, run, ix) };
    if !may || member_for(play, run, target, ix).is_none() {
        return false;
    }
    let in_disorder = play.table()[run.point].footing.disorder;
    if Some(ix) == target && mounted {
        return true;
    }
    if Some(ix) == target {
        let told = play.choice(ix, IfCharged::Stand, |said| said.if_charged).0;
        return told != IfCharged::CounterchargeIfAttackerDisordered || in_disorder;
    }
    let friend_charged = target.is_some_and(|target| play.table()[target].marks.charged_by.is_some());
    match play.decide(ix, "countercharge", Countercharge::Never {}, |said| said.countercharge) {
        Countercharge::Never {} => false,
        Countercharge::IfAttackerDisordered {} => in_disorder,
        Countercharge::IfFriendCharged {} => friend_charged,
        Countercharge::Within { .. } | Countercharge::Always {} => true,
    }
}

/// CC-20, CC-14 The member of the charge for which a unit goes: of those that it sees within reach the nearest, or as the owner
/// of horse says; horse that is charged itself goes for the point, however far.
fn member_for(play: &Play<'_>, run: &Run, target: Option<UnitIx>, ix: UnitIx) -> Option<UnitIx> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let mounted = field.unit(ix).mounted;
    if mounted && Some(ix) == target {
        return field.sees(ix, run.point).then_some(run.point);
    }
    let limit = trigger_distance(&Field::new(play.rules, play.table(), play.dice), ix);
    let near = run.members().into_iter().filter(|member| distance(&field, ix, *member).within(limit));
    let seen: Vec<UnitIx> = near.filter(|member| field.sees(ix, *member)).collect();
    match mounted {
        true => riders::member_for(play, run, ix, &seen),
        false => seen.into_iter().min_by_key(|member| (distance(&field, ix, *member), field.center(*member))),
    }
}

/// CC-07 The nearest first, level ones by their dice.
fn in_order(play: &Play<'_>, member: UnitIx, mut units: Vec<UnitIx>) -> Vec<UnitIx> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let gap = |ix: &UnitIx| distance(&field, member, *ix).rounded();
    units.sort_by_key(|ix| (gap(ix), *ix));
    let by_dice = |level: &[UnitIx]| -> Vec<UnitIx> {
        let keys: Vec<Vec<&str>> = level.iter().map(|ix| vec![field.unit(*ix).id.as_str()]).collect();
        let order = break_tie(play.dice, play.phase, Purpose::TieCountercharge, &keys).order;
        order.into_iter().map(|place| level[place]).collect()
    };
    units.chunk_by(|one, other| gap(one) == gap(other)).flat_map(by_dice).collect()
}
