//! Horse that comes to meet a charge: who must, who may, and who rides with it. CAVC-03 to CAVC-07, CAVC-16, CAVC-17, CAVC-28,
//! CC-14 to CC-18
//!
//! Owns the right to come and the answer of a mounted unit that is charged itself. When it is due, [`super::counter`] says; how
//! it sets out, [`super::meeting`].

use protocol::orders::{CounterchargeTarget, Order, SupportCountercharge};
use protocol::place::Point;
use protocol::words::Arm;

use super::counter::{Comer, Kind};
use super::run::{Run, is_fit, nearest_first};
use super::threat::distance;
use super::{Charges, meeting};
use crate::battle::{Unit, UnitIx};
use crate::field::Field;
use crate::morale::flight::displacement;
use crate::morale::officer;
use crate::play::Play;

/// The length in which a way is searched for where a unit first sees the charge, thousandths of an inch.
const STRIDE: i32 = 125;

/// What a unit that is charged does about it as a leg begins. ALG-CHARGE 6b
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is on foot, or cannot come, or is to stand: it is charged where it is, if it can be reached.
    Stands,
    /// It does not see the charge yet, and comes when it does.
    Later,
    /// It comes.
    Comes,
    /// It would come, but both together do not cover the gap: it is not charged.
    Short,
}

/// CAVC-03, CC-14 What a unit does of which the charge is the business of this leg; a mounted one is made ready for it.
pub fn answer(play: &mut Play<'_>, run: &mut Run, ix: UnitIx) -> Answer {
    // CAVC-22, CHG-53 One that was charged, and released before it saw the charge, is asked anew.
    if play.table()[ix].mounted && play.table()[ix].marks.charged_by.is_none() {
        run.answered.remove(&ix);
    }
    let asked = run.stuck.contains(&ix) || run.answered.contains(&ix) || run.beaten.contains(&ix);
    if asked || !must_come(play, &run.members(), ix) {
        return Answer::Stands;
    }
    if !sees(play, ix, run.point) {
        return Answer::Later;
    }
    let Some(kind) = kind(play, ix) else { return Answer::Stands };
    let comes = meeting::makes_ready(play, run, &Comer { unit: ix, kind, joins: false });
    if comes && meeting::ready_covers(play, run, ix) {
        return Answer::Comes;
    }
    run.stuck.insert(ix);
    if comes { Answer::Short } else { Answer::Stands }
}

/// CAVC-03, CAVC-15 Whether a mounted unit must come to meet a charge on itself, as far as its order and state go.
pub fn must_come(play: &Play<'_>, chargers: &[UnitIx], ix: UnitIx) -> bool {
    let field = Field::new(play.rules, play.table(), play.dice);
    comes_by_order(&field, ix, &play.order(ix), chargers).is_some()
}

/// CAVC-03, CAVC-10, CAVC-11, CAVC-15 As [`must_come`], of a unit under that order, and in what way it comes.
pub(super) fn comes_by_order(field: &Field<'_>, ix: UnitIx, order: &Order, chargers: &[UnitIx]) -> Option<Kind> {
    let kind = kind_by(field.unit(ix), order).filter(|kind| matches!(kind, Kind::Hold | Kind::March));
    kind.filter(|_| is_able(field, chargers, ix))
}

/// CAVC-05, CC-15 to CC-17 Whether it may come to meet a charge on somebody else; not in the turn in which it was revealed. HID-18
pub fn may_join(play: &Play<'_>, chargers: &[UnitIx], ix: UnitIx) -> bool {
    let field = Field::new(play.rules, play.table(), play.dice);
    !field.unit(ix).began_hidden(field.table.turn) && joins_by_order(&field, ix, &play.order(ix), chargers).is_some()
}

/// CAVC-05, CC-15 to CC-17 As [`may_join`], of a unit under that order, and in what way it comes.
pub(super) fn joins_by_order(field: &Field<'_>, ix: UnitIx, order: &Order, chargers: &[UnitIx]) -> Option<Kind> {
    kind_by(field.unit(ix), order).filter(|_| is_able(field, chargers, ix))
}

/// CAVC-10, CAVC-11, CAVC-16, CAVC-17 In what way a mounted unit comes by its order; on Conditional Hold as on HOLD.
pub fn kind(play: &Play<'_>, ix: UnitIx) -> Option<Kind> {
    kind_by(&play.table()[ix], &play.order(ix))
}

fn kind_by(unit: &Unit, order: &Order) -> Option<Kind> {
    let marks = &unit.marks;
    match order {
        _ if marks.conditional_hold => Some(Kind::Hold),
        Order::Hold { .. } | Order::Special { .. } if !marks.moved => Some(Kind::Hold),
        Order::Move(_) if !marks.order_spent => Some(Kind::March),
        Order::Form { .. } if !marks.order_spent => Some(Kind::Form),
        _ => None,
    }
}

/// CAVC-04, CC-06 Whether a mounted unit could countercharge at all, whatever its order.
fn is_able(field: &Field<'_>, chargers: &[UnitIx], ix: UnitIx) -> bool {
    let unit = field.unit(ix);
    let marks = &unit.marks;
    let running = u32::try_from(field.rules.charge.max_consecutive_charges).unwrap_or(0);
    let fired_at_it = chargers.iter().any(|charger| marks.fired_at.contains(&field.unit(*charger).id));
    unit.arm == Arm::Cavalry
        && unit.mounted
        && is_fit(unit)
        && field.effect(ix).is_some_and(|effect| effect.may_charge)
        && !(marks.charged || marks.countercharged || marks.fell_back || marks.beaten || marks.in_melee)
        && !unit.carried.melee_last_turn
        && unit.carried.charge_turns < running
        && !fired_at_it
        && !(unit.is_half_strength() && officer::present(field, ix).is_none())
}

fn sees(play: &Play<'_>, ix: UnitIx, other: UnitIx) -> bool {
    Field::new(play.rules, play.table(), play.dice).sees(ix, other)
}

/// CC-14 The first travel at which a unit sees the point of a charge, at most `end`.
pub fn in_view_at(field: &Field<'_>, run: &Run, ix: UnitIx, end: i32) -> Option<i32> {
    if field.sees(ix, run.point) {
        return Some(0);
    }
    let mut ghosts = field.table.clone();
    let start = field.unit(run.point).footing.anchor;
    let dice = field.dice()?;
    (STRIDE..end).step_by(STRIDE as usize).chain([end]).find(|travel| {
        let by = displacement(run.bearing, *travel);
        ghosts[run.point].footing.anchor = Point::new(start.x + by.x, start.y + by.y);
        Field::new(field.rules, &ghosts, dice).sees(ix, run.point)
    })
}

/// CC-15, CAVC-05 The member of a charge for which a mounted unit goes that is not charged itself, of those in its reach: as its
/// owner says, else the nearest.
pub fn member_for(play: &Play<'_>, run: &Run, ix: UnitIx, reach: &[UnitIx]) -> Option<UnitIx> {
    let point = reach.iter().copied().find(|member| *member == run.point);
    let nearest = |among: &[UnitIx]| nearest_of(play, ix, among);
    let supports: Vec<UnitIx> = reach.iter().copied().filter(|member| *member != run.point).collect();
    match play.choice(ix, CounterchargeTarget::Nearest, |said| said.countercharge_target).0 {
        CounterchargeTarget::Nearest => nearest(reach),
        CounterchargeTarget::Point => point.or_else(|| nearest(reach)),
        CounterchargeTarget::Support => nearest(&supports).or(point),
    }
}

fn nearest_of(play: &Play<'_>, ix: UnitIx, among: &[UnitIx]) -> Option<UnitIx> {
    let field = Field::new(play.rules, play.table(), play.dice);
    among.iter().copied().min_by_key(|member| (distance(&field, ix, *member), field.center(*member)))
}

/// CAVC-28 The mounted friends within six inches who are able, are not charged themselves, and were told to ride in support of a
/// countercharge, the nearest first. None of them has moved this turn: where they stand is where they began it.
pub fn supports(play: &mut Play<'_>, charges: &Charges<'_>, run: &Run, ix: UnitIx) -> Vec<UnitIx> {
    let mut friends: Vec<UnitIx> = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let limit = field.rules.charge.countercharge_support_cavalry.thousandths();
        let targets = charges.targets();
        let friends = field.table.units_of(field.unit(ix).side).filter(|(friend, unit)| {
            *friend != ix
                && unit.mounted
                && unit.marks.charged_by.is_none()
                && !targets.contains(friend)
                && !charges.is_pending(*friend)
                && may_join(play, &run.members(), *friend)
                && distance(&field, ix, *friend).within(limit)
        });
        friends.map(|(friend, _)| friend).collect()
    };
    friends.retain(|friend| rides_with(play, *friend, ix));
    nearest_first(play, ix, &mut friends);
    friends
}

/// CAVC-28 Whether its owner lets it ride in support of that unit.
fn rides_with(play: &mut Play<'_>, friend: UnitIx, ix: UnitIx) -> bool {
    let never = SupportCountercharge::Never {};
    let told = play.decide(friend, "support_countercharge", never, |said| said.support_countercharge.clone());
    let (own, other) = (&play.table()[friend], &play.table()[ix]);
    match told {
        SupportCountercharge::Never {} => false,
        SupportCountercharge::Of { unit } => unit == other.id,
        SupportCountercharge::AnyInBrigade {} => own.brigade.is_some() && own.brigade == other.brigade,
    }
}
