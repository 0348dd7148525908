//! Enemies who come to meet a charge: countercharges, and charges that meet half way. CC-01 to CC-20, CHG-51, ALG-CHARGE 9, 10, 15
//!
//! Owns who may come, when and in what order, the way of both to the midpoint, and who goes on. What happens where they meet is
//! [`super::strike`]'s. Only foot: mounted units come with the cavalry's own rules.

use std::collections::BTreeSet;

use protocol::event::Fact;
use protocol::orders::{Countercharge, IfCharged, Order};
use protocol::words::Arm;

use super::clash::Ending;
use super::pace::{Pace, inches};
use super::run::{Numbers, OFF_THE_FRONT, Run, is_fit, nearest_first, numbers, toward};
use super::sweep::Slide;
use super::threat::{body, distance};
use super::{Charges, place, strike, volley};
use crate::battle::UnitIx;
use crate::catalogue::{CC_02, CC_03, CC_04, CC_08, CC_09, CHG_09, CHG_18, MOVE_05, RuleId};
use crate::competence::{self, Finding};
use crate::dice::{Purpose, break_tie};
use crate::explain::{Explain, called, named, sentence};
use crate::field::Field;
use crate::ground::{PathCost, Step, Terrain};
use crate::leaders;
use crate::morale::consequence::fall_into_disorder;
use crate::morale::officer;
use crate::play::Play;

/// CHG-51 A charge that comes from farther off the front than this strikes a unit where it stands, hundredths of a degree.
pub(super) const BEHIND: u32 = 9_000;

/// CC-08 A turn beyond this puts the charger in disorder, hundredths of a degree.
const SHARP_TURN: u32 = 4_500;

/// A unit that comes to meet a charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comer {
    /// The unit.
    pub unit: UnitIx,
    /// In what way.
    pub kind: Kind,
}

/// In what way a unit comes to meet a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By a charge of its own, not begun. CHG-51
    Charge,
    /// From HOLD. CC-02
    Hold,
    /// From MOVE, in disorder. CC-04
    March,
}

/// How a charge came out of its meetings.
pub enum Met {
    /// It won, and runs on.
    Won,
    /// Nobody came after all.
    Nobody,
    /// It lost: the charge of the other goes on.
    Turned(Box<Run>),
    /// It is over, and how.
    Over(&'static str),
}

/// CC-02, CC-05, CC-06 Whether a unit of foot could countercharge this charge at all.
pub fn may_countercharge(play: &Play<'_>, run: &Run, ix: UnitIx) -> bool {
    let field = Field::new(play.rules, play.table(), play.dice);
    let unit = field.unit(ix);
    let marks = &unit.marks;
    let order = play.order(ix);
    let on_hold = matches!(order, Order::Hold { .. } | Order::Special { .. }) && !marks.moved;
    let marches = matches!(order, Order::Move(_)) && !marks.order_spent;
    let running = u32::try_from(field.rules.charge.max_consecutive_charges).unwrap_or(0);
    let fired_at_it = run.members().iter().any(|member| marks.fired_at.contains(&field.unit(*member).id));
    unit.arm == Arm::Infantry
        && (on_hold || marches)
        && !marks.conditional_hold
        && is_fit(unit)
        && !unit.footing.prone
        && field.effect(ix).is_some_and(|effect| effect.may_charge)
        && !(marks.charged || marks.countercharged || marks.fell_back || marks.beaten || marks.in_melee)
        && !marks.changed_formation
        && unit.carried.charge_turns < running
        && !fired_at_it
        && !(unit.is_half_strength() && officer::present(&field, ix).is_none())
}

/// CC-02 The distance at which foot comes, thousandths of an inch.
fn trigger_distance(play: &Play<'_>) -> i32 {
    play.rules.charge.infantry_countercharge_distance.thousandths()
}

/// CF-09 Whether by the points plotted beforehand the charger will be in disorder when it comes so near to a unit.
pub fn charger_disordered_at_trigger(play: &Play<'_>, run: &Run, way: &PathCost, spent: i64, ix: UnitIx) -> bool {
    let field = Field::new(play.rules, play.table(), play.dice);
    if field.unit(run.point).footing.disorder {
        return true;
    }
    let near = run.slide(&field).first_within(&body(field.layout(ix)), trigger_distance(play), way.length());
    near.is_some_and(|travel| run.is_disordered_at(spent + way.points_at(travel)) || is_rough_before(way, travel))
}

fn is_rough_before(way: &PathCost, travel: i32) -> bool {
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
    let slides: Vec<Slide> =
        run.members().into_iter().map(|ix| Slide::new(body(field.layout(ix)), run.bearing)).collect();
    let mut candidates = Vec::new();
    for (ix, _) in field.enemies_of(side) {
        let limit = match (Some(ix) == target, target_comes) {
            (true, true) => Some(trigger_distance(play)),
            (true, false) => None,
            (false, _) => third_party(play, run, ix),
        };
        let Some(limit) = limit else { continue };
        let theirs = body(field.layout(ix));
        let travel = slides.iter().filter_map(|slide| slide.first_within(&theirs, limit, end)).min();
        candidates.extend(travel.map(|travel| (travel, ix)));
    }
    candidates
}

/// CC-02 At which distance a unit that is not charged would come; none: it never does.
fn third_party(play: &Play<'_>, run: &Run, ix: UnitIx) -> Option<i32> {
    if matches!(play.order(ix), Order::Move(_)) || !may_countercharge(play, run, ix) {
        return None;
    }
    match wish(play, ix) {
        Countercharge::Never {} => None,
        Countercharge::Within { distance } => {
            Some(i32::try_from(distance).unwrap_or(i32::MAX).min(trigger_distance(play)))
        }
        Countercharge::IfAttackerDisordered {} | Countercharge::IfFriendCharged {} | Countercharge::Always {} => {
            Some(trigger_distance(play))
        }
    }
}

fn wish(play: &Play<'_>, ix: UnitIx) -> Countercharge {
    play.choice(ix, Countercharge::Never {}, |said| said.countercharge).0
}

/// ALG-CHARGE 9 Those of the triggered who come, against the point, nearest first; none: the leg goes on. Those who go for a
/// support are set aside with it. CC-07, CC-20
pub fn triggered(
    play: &mut Play<'_>,
    charges: &Charges<'_>,
    run: &mut Run,
    target: Option<UnitIx>,
    units: &[UnitIx],
) -> Option<Vec<Comer>> {
    let _pending = charges;
    let mut at_point: Vec<UnitIx> = Vec::new();
    let mut at_support: Vec<(UnitIx, UnitIx)> = Vec::new();
    for ix in units.iter().copied() {
        if !comes(play, run, target, ix) {
            continue;
        }
        match nearest_member(play, run, ix) {
            Some(member) if member == run.point => at_point.push(ix),
            Some(member) => at_support.push((member, ix)),
            None => {}
        }
    }
    let supports: BTreeSet<UnitIx> = at_support.iter().map(|(support, _)| *support).collect();
    for support in supports {
        run.leaves(support);
        let theirs: Vec<UnitIx> = at_support.iter().filter(|(of, _)| *of == support).map(|(_, ix)| *ix).collect();
        let comers = in_order(play, support, theirs).into_iter().map(|unit| comer(play, unit)).collect();
        run.set_aside.push((support, comers));
    }
    if at_point.is_empty() {
        return None;
    }
    if let Some(target) = target.filter(|target| !at_point.contains(target)) {
        // CC-08 The old target is released; what it has done in answer stays done.
        play.table_mut()[target].marks.charged_by = None;
    }
    Some(in_order(play, run.point, at_point).into_iter().map(|unit| comer(play, unit)).collect())
}

fn comer(play: &Play<'_>, unit: UnitIx) -> Comer {
    let kind = if matches!(play.order(unit), Order::Move(_)) { Kind::March } else { Kind::Hold };
    Comer { unit, kind }
}

/// Whether a triggered unit still can come, sees the charge, and is told to.
fn comes(play: &mut Play<'_>, run: &Run, target: Option<UnitIx>, ix: UnitIx) -> bool {
    if !may_countercharge(play, run, ix) || nearest_member(play, run, ix).is_none() {
        return false;
    }
    let in_disorder = play.table()[run.point].footing.disorder;
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

/// CC-20 The member of the charge for which a unit goes: the nearest that it sees within reach.
fn nearest_member(play: &Play<'_>, run: &Run, ix: UnitIx) -> Option<UnitIx> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let limit = trigger_distance(play);
    let near = run.members().into_iter().filter(|member| distance(&field, ix, *member).within(limit));
    let seen = near.filter(|member| field.sees(ix, *member));
    seen.min_by_key(|member| (distance(&field, ix, *member), field.center(*member)))
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

/// CHG-28, CHG-51 Whether the distances of a charge and of its target's own charge together cover the gap; the target's bonus is
/// thrown for it.
pub fn covers(play: &Play<'_>, charges: &mut Charges<'_>, run: &Run, enemy: UnitIx) -> bool {
    let thrown = charges.thrown.get(&enemy).cloned();
    let found = of_own_charge(play, run, enemy, thrown);
    let Some(numbers) = found else { return false };
    let field = Field::new(play.rules, play.table(), play.dice);
    let gap = distance(&field, run.point, enemy).rounded();
    let theirs = numbers.pace.points(numbers.total);
    let bearing = toward(&field, enemy, run.point).unwrap_or(run.bearing.reversed());
    let reach = numbers.pace.way(&field, field.unit(enemy), bearing, theirs).reach(theirs);
    let own = run.way(&field).reach(run.left());
    if let (Some(dice), false) = (numbers.dice, charges.thrown.contains_key(&enemy)) {
        charges.thrown.insert(enemy, (dice, numbers.total - numbers.pace.rate));
    }
    gap <= own.saturating_add(reach)
}

fn of_own_charge(
    play: &Play<'_>,
    run: &Run,
    enemy: UnitIx,
    thrown: Option<(protocol::event::Dice, i32)>,
) -> Option<Numbers> {
    let off = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let bearing = toward(&field, enemy, run.point)?;
        OFF_THE_FRONT <= field.unit(enemy).footing.facing.angle_to(bearing)
    };
    let throw = |pace: &Pace| thrown.unwrap_or_else(|| pace.throw(play, Purpose::ChargeBonus, enemy));
    numbers(play, enemy, off.then_some(CHG_09), throw)
}

/// ALG-CHARGE 9, 10 The point meets those who come, one by one, while it wins and stays in good morale.
pub fn meet_all(play: &mut Play<'_>, charges: &mut Charges<'_>, run: &mut Run, others: Vec<Comer>) -> Met {
    let mut met = Met::Nobody;
    for comer in others {
        if !is_fit(&play.table()[run.point]) {
            return Met::Over("came to an end");
        }
        if !is_fit(&play.table()[comer.unit]) {
            continue;
        }
        let Some(mut other) = sets_out(play, charges, run, &comer) else { continue };
        if !close_in(play, run, &mut other) {
            place::finish(play, &other, "halted apart");
            return Met::Over("halted apart");
        }
        let ending = strike::meeting(play, charges, run, &other);
        other.show(play);
        match ending {
            Ending::Broken => {
                place::finish(play, &other, "was thrown back");
                met = Met::Won;
            }
            Ending::Repelled => {
                other.beaten.extend(run.members());
                other.limit_run_on(comer.kind);
                return Met::Turned(Box::new(other));
            }
            Ending::Recoiled | Ending::Fought => {
                place::finish(play, &other, "fought hand to hand");
                return Met::Over("fought hand to hand");
            }
        }
    }
    met
}

/// ALG-CHARGE 15 Supports that were set aside meet those who came for them, the nearest pair first.
pub fn meet_set_aside(play: &mut Play<'_>, charges: &mut Charges<'_>, run: &mut Run) {
    let mut aside = std::mem::take(&mut run.set_aside);
    let nearest = |play: &Play<'_>, support: UnitIx, comers: &[Comer]| {
        comers.iter().map(|comer| volley::gap(play, support, comer.unit)).min().unwrap_or(i32::MAX)
    };
    aside.sort_by_cached_key(|(support, comers)| (nearest(play, *support, comers), *support));
    for (support, comers) in aside {
        if !is_fit(&play.table()[support]) {
            continue;
        }
        let mut alone = run.alone(play, support);
        // It keeps its order, if it has it still.
        alone.disorder = run.disorder;
        let how = match meet_all(play, charges, &mut alone, comers) {
            Met::Won => {
                alone.is_victor = true;
                charges.play_out(play, alone);
                continue;
            }
            Met::Turned(mut other) => {
                place::finish(play, &alone, "was thrown back");
                other.is_victor = true;
                charges.play_out(play, *other);
                continue;
            }
            Met::Nobody => "stays where it is",
            Met::Over(how) => how,
        };
        place::finish(play, &alone, how);
    }
}

/// CC-02 to CC-04, CC-10, CC-20 A unit sets out against a charge: its order, its bonus, its supports.
fn sets_out(play: &mut Play<'_>, charges: &mut Charges<'_>, run: &Run, comer: &Comer) -> Option<Run> {
    let ix = comer.unit;
    let (bearing, angle) = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let bearing = toward(&field, ix, run.point)?;
        (bearing, field.unit(ix).footing.facing.angle_to(bearing))
    };
    let (numbers, supports) = match comer.kind {
        Kind::Charge => {
            let thrown = charges.thrown.remove(&ix);
            let numbers = of_own_charge(play, run, ix, thrown)?;
            (numbers, own_group(charges, ix))
        }
        Kind::Hold | Kind::March => {
            let rule = order_of(play, ix, comer.kind, angle);
            let numbers = numbers(play, ix, rule, |pace| pace.throw(play, Purpose::CcBonus, ix))?;
            (numbers, friends_of(play, charges, ix))
        }
    };
    let other = Run::new(play, ix, supports, Some(run.point), bearing, &numbers);
    tell(play, run, &other, &numbers);
    for member in other.members() {
        let marks = &mut play.table_mut()[member].marks;
        marks.bonus_taken |= member == ix && numbers.dice.is_some();
    }
    let marks = &mut play.table_mut()[ix].marks;
    marks.countercharged |= comer.kind != Kind::Charge;
    marks.order_spent = true;
    if let Some(rule) = numbers.in_disorder {
        other.members().into_iter().for_each(|member| fall_into_disorder(play, member, rule));
    }
    Some(other)
}

/// CHG-51 The unit leaves the list; if it was the point of a group its supports go in with it, if a support it leaves that group.
fn own_group(charges: &mut Charges<'_>, ix: UnitIx) -> Vec<UnitIx> {
    for group in &mut charges.pending {
        group.supports.retain(|support| *support != ix);
    }
    let n = charges.pending.iter().position(|group| group.point == ix);
    n.map_or_else(Vec::new, |n| charges.pending.remove(n).supports)
}

/// CC-20 Friends of foot within two inches who are fit go in with a countercharge.
fn friends_of(play: &Play<'_>, charges: &Charges<'_>, ix: UnitIx) -> Vec<UnitIx> {
    let mut friends = strike::defenders(play, charges, ix);
    let field = Field::new(play.rules, play.table(), play.dice);
    let limit = play.rules.charge.countercharge_support_infantry.thousandths();
    friends.retain(|friend| !field.unit(*friend).mounted && distance(&field, ix, *friend).within(limit));
    nearest_first(play, ix, &mut friends);
    friends
}

/// CC-02 to CC-04 The rule by which a countercharge goes in disorder: off its front, off the march, or by a roll that fails.
fn order_of(play: &mut Play<'_>, ix: UnitIx, kind: Kind, angle: u32) -> Option<RuleId> {
    if kind == Kind::March {
        return Some(CC_04);
    }
    if OFF_THE_FRONT <= angle {
        return Some(CC_03);
    }
    if play.table()[ix].footing.disorder {
        return Some(CC_02);
    }
    let finding = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let key = field.unit(ix).id.to_string();
        competence::roll(play, &field, ix, Purpose::CcOrder, &[&key], "countercharging in good order")
    };
    let passed = finding.passed;
    Finding { rule: CC_02, ..finding }.tell(play);
    (!passed).then_some(CC_02)
}

fn tell(play: &mut Play<'_>, run: &Run, other: &Run, numbers: &Numbers) {
    let (unit, charger) = (&play.table()[other.point], &play.table()[run.point]);
    let text = format!(
        "{} comes to meet {}: {} inches in all.",
        named(&unit.name),
        called(&charger.name),
        inches(numbers.total)
    );
    let mut told = sentence(text).with_sum(&numbers.sum);
    if let Some(dice) = &numbers.dice {
        told = told.with_dice(dice.clone());
    }
    for (rule, text) in &numbers.notes {
        told = told.with_note(*rule, text.clone());
    }
    let fact = Fact::Countercharges {
        unit: unit.id.clone(),
        charger: charger.id.clone(),
        total: numbers.total.unsigned_abs(),
    };
    play.tell(CC_09, fact, told);
}

/// CC-08, CC-09 Both go half of the gap along the shortest segment; if one runs out of distance the other covers the rest. False:
/// both do, and they halt apart.
fn close_in(play: &mut Play<'_>, run: &mut Run, other: &mut Run) -> bool {
    let (gap, bearing, own, theirs) = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let gap = distance(&field, run.point, other.point).rounded();
        let bearing = toward(&field, run.point, other.point).unwrap_or(run.bearing);
        let way = |of: &Run, bearing| of.pace.way(&field, field.unit(of.point), bearing, of.left());
        (gap, bearing, way(run, bearing), way(other, bearing.reversed()))
    };
    let (own_reach, their_reach) = (own.reach(run.left()).min(gap), theirs.reach(other.left()).min(gap));
    let meets = gap <= own_reach.saturating_add(their_reach);
    let own_part = if meets { (gap / 2).clamp(gap - their_reach, own_reach) } else { own_reach };
    let their_part = if meets { gap - own_part } else { their_reach };
    if SHARP_TURN < run.bearing.angle_to(bearing) {
        run.fall_into_disorder(play, CC_08);
    }
    (run.bearing, other.bearing) = (bearing, bearing.reversed());
    goes(play, run, &own, own_part);
    goes(play, other, &theirs, their_part);
    leaders::mark_danger(play);
    meets
}

/// One of two that close in goes its part of the way.
fn goes(play: &mut Play<'_>, run: &mut Run, way: &PathCost, travel: i32) {
    let before = run.spent;
    for ix in run.members() {
        run.carry(play, ix, 0, travel);
    }
    run.spent = before + way.points_at(travel);
    if run.is_disordered_at(run.spent) {
        run.fall_into_disorder(play, CHG_18);
    } else if is_rough_before(way, travel) && 0 < travel {
        run.fall_into_disorder(play, MOVE_05);
    }
    run.tell_way(play, None);
}

impl Run {
    /// CC-11 After winning, foot that countercharged may run on only for what is left of its normal move.
    fn limit_run_on(&mut self, kind: Kind) {
        if kind != Kind::Charge {
            self.budget = self.budget.min(self.pace.points(self.pace.rate).max(self.spent));
        }
    }
}
