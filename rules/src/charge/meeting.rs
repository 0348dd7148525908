//! Two that charge meet: countercharges, and charges aimed at each other. CC-02 to CC-13, CC-19, CC-20, CHG-51, ALG-CHARGE 10, 15
//!
//! Owns how each sets out, the way of both to the midpoint, and who goes on. What happens where they meet is [`super::strike`]'s.

use std::collections::{BTreeSet, VecDeque};

use protocol::event::Fact;

use super::clash::Ending;
use super::counter::{Comer, Kind, is_rough_before};
use super::obstacle::{self, Crossed};
use super::run::{Bonus, Numbers, OFF_THE_FRONT, Run, is_fit, nearest_first, numbers, throw_bonus, toward};
use super::threat::distance;
use super::{Charges, clash, place, riders, riding, strike, volley};
use crate::battle::UnitIx;
use crate::catalogue::{
    CAVC_06, CAVC_11, CC_02, CC_03, CC_04, CC_08, CC_09, CC_16, CC_17, CHG_09, CHG_18, MOVE_05, RuleId,
};
use crate::competence::{self, Finding};
use crate::dice::Purpose;
use crate::explain::{Explain, called, named, sentence};
use crate::field::Field;
use crate::ground::{Across, PathCost};
use crate::hidden;
use crate::leaders;
use crate::morale::consequence::fall_into_disorder;
use crate::morale::flight;
use crate::play::Play;

/// CC-08 A turn beyond this puts the charger in disorder, hundredths of a degree.
const SHARP_TURN: u32 = 4_500;

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

/// CHG-28, CHG-51 Whether the distances of a charge and of its target's own charge together cover the gap; the target's bonus is
/// thrown for it.
pub fn covers(play: &Play<'_>, charges: &mut Charges<'_>, run: &Run, enemy: UnitIx) -> bool {
    let off = off_its_front(play, run, enemy);
    let thrown = charges.thrown.get(&enemy).cloned();
    let bonus = thrown.or_else(|| throw_bonus(play, enemy, off.is_some(), Purpose::ChargeBonus, 0));
    if let Some(bonus) = &bonus {
        charges.thrown.insert(enemy, bonus.clone());
    }
    numbers(play, enemy, off, bonus).is_some_and(|numbers| cover_the_gap(play, run, enemy, &numbers))
}

/// CAVC-21 Whether a charge and the horse that is ready to meet it together cover the gap.
pub fn ready_covers(play: &Play<'_>, run: &Run, ix: UnitIx) -> bool {
    run.ready.get(&ix).is_some_and(|numbers| cover_the_gap(play, run, ix, numbers))
}

fn cover_the_gap(play: &Play<'_>, run: &Run, ix: UnitIx, numbers: &Numbers) -> bool {
    let field = Field::new(play.rules, play.table(), play.dice);
    let gap = distance(&field, run.point, ix).rounded();
    let theirs = numbers.pace.points(numbers.total);
    let bearing = toward(&field, ix, run.point).unwrap_or(run.bearing.reversed());
    let reach = numbers.pace.way(&field, field.unit(ix), bearing, theirs).reach(theirs);
    let own = run.way(&field).reach(run.left());
    gap <= own.saturating_add(reach)
}

/// CHG-51, CC-03 The rule by which a unit goes in disorder that has the charge 45 degrees or more off its front.
fn off_its_front(play: &Play<'_>, run: &Run, ix: UnitIx) -> Option<RuleId> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let bearing = toward(&field, ix, run.point)?;
    (OFF_THE_FRONT <= field.unit(ix).footing.facing.angle_to(bearing)).then_some(CHG_09)
}

/// ALG-CHARGE 9, 10 The point meets those who come, one by one, while it wins and stays in good morale.
pub fn meet_all(play: &mut Play<'_>, charges: &mut Charges<'_>, run: &mut Run, others: Vec<Comer>) -> Met {
    let mut waiting = VecDeque::from(others);
    let met = meet_each(play, charges, run, &mut waiting);
    for comer in waiting {
        // CC-07 A pair that is no longer due lapses: it is charged no longer.
        let (charger, marks) = (play.table()[run.point].id.clone(), &mut play.table_mut()[comer.unit].marks);
        if marks.charged_by.as_ref() == Some(&charger) {
            marks.charged_by = None;
        }
    }
    met
}

fn meet_each(play: &mut Play<'_>, charges: &mut Charges<'_>, run: &mut Run, waiting: &mut VecDeque<Comer>) -> Met {
    let mut met = Met::Nobody;
    while let Some(comer) = waiting.pop_front() {
        if !is_fit(&play.table()[run.point]) {
            waiting.push_front(comer);
            return Met::Over("came to an end");
        }
        let Some(mut other) = is_free(play, &comer).then(|| sets_out(play, charges, run, &comer)).flatten() else {
            run.stuck.insert(comer.unit);
            continue;
        };
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
                other.beaten.extend(run.everybody());
                other.limit_run_on(play, comer.kind);
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

/// Whether one that was to come still can: in good morale, and not gone in with another that came.
fn is_free(play: &Play<'_>, comer: &Comer) -> bool {
    let unit = &play.table()[comer.unit];
    is_fit(unit) && !(unit.marks.charged || unit.marks.countercharged)
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

/// CC-02 to CC-04, CC-10, CC-20 A unit sets out against a charge: its order, its bonus, its supports. None: it cannot, or stands.
fn sets_out(play: &mut Play<'_>, charges: &mut Charges<'_>, run: &mut Run, comer: &Comer) -> Option<Run> {
    let ix = comer.unit;
    let bearing = toward(&Field::new(play.rules, play.table(), play.dice), ix, run.point)?;
    let mounted = play.table()[ix].mounted;
    let (numbers, supports) = match comer.kind {
        Kind::Charge => {
            let off = off_its_front(play, run, ix);
            let thrown = charges.thrown.remove(&ix);
            let bonus = thrown.or_else(|| throw_bonus(play, ix, off.is_some(), Purpose::ChargeBonus, 0));
            (numbers_over_ground(play, run, ix, off, bonus)?, own_group(charges, ix))
        }
        Kind::Hold | Kind::March | Kind::Form => {
            if !run.ready.contains_key(&ix) && !makes_ready(play, run, comer) {
                return None;
            }
            let numbers = run.ready.remove(&ix)?;
            let supports = match mounted {
                true => riders::supports(play, charges, run, ix),
                false => friends_of(play, charges, ix),
            };
            (numbers, supports)
        }
    };
    let mut other = Run::new(play.table(), ix, supports, Some(run.point), bearing, &numbers);
    other.forming = comer.kind == Kind::Form;
    tell(play, run, &other, &numbers);
    for member in other.members() {
        let marks = &mut play.table_mut()[member].marks;
        let comes = comer.kind != Kind::Charge && (member == ix || mounted);
        marks.bonus_taken |= member == ix && numbers.dice.is_some();
        marks.countercharged |= comes;
        marks.order_spent |= member == ix || comes;
    }
    if let Some(rule) = numbers.in_disorder {
        other.members().into_iter().for_each(|member| fall_into_disorder(play, member, rule));
    }
    Some(other)
}

/// CC-10, CAVC-06, CAVC-07, CAVC-18 Throws for the order and the bonus with which a unit will come. False: its roll has failed, and
/// its owner lets it stand, or it cannot set out.
pub(super) fn makes_ready(play: &mut Play<'_>, run: &mut Run, comer: &Comer) -> bool {
    let ix = comer.unit;
    let disorder = match order_of(play, run, comer) {
        InOrder::Yes => None,
        InOrder::No(rule) => Some(rule),
        InOrder::Failed(rule) => {
            let goes = !play.table()[ix].mounted
                || play.decide(ix, "countercharge_if_disordered", true, |said| said.countercharge_if_disordered);
            if !goes {
                return false;
            }
            Some(rule)
        }
    };
    let less = match comer.joins && play.table()[ix].mounted {
        true => play.rules.charge.cavalry_join_in_dice,
        false => 0,
    };
    let bonus = throw_bonus(play, ix, disorder.is_some(), Purpose::CcBonus, less);
    let Some(numbers) = numbers_over_ground(play, run, ix, disorder, bonus) else { return false };
    run.ready.insert(ix, numbers);
    true
}

/// CAVC-24 The numbers of one that comes, with what the ground up to half-way does to the order of horse.
fn numbers_over_ground(
    play: &mut Play<'_>,
    run: &Run,
    ix: UnitIx,
    disorder: Option<RuleId>,
    bonus: Option<Bonus>,
) -> Option<Numbers> {
    let (bearing, half) = {
        let field = Field::new(play.rules, play.table(), play.dice);
        (toward(&field, ix, run.point)?, distance(&field, run.point, ix).rounded() / 2)
    };
    let inches = bonus.as_ref().map_or(0, |(_, inches)| *inches);
    let disorder = match disorder {
        Some(rule) => Some(rule),
        None => riding::disorder_from_the_start(play, ix, bearing, inches, half),
    };
    numbers(play, ix, disorder, bonus)
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
    let field = Field::new(play.rules, play.table(), play.dice);
    let mut friends = friends_by(&field, ix, &charges.targets());
    nearest_first(play, ix, &mut friends);
    friends
}

/// CC-20 As [`friends_of`], on any look; `targets` are those of the charges that are still to come.
pub(super) fn friends_by(field: &Field<'_>, ix: UnitIx, targets: &BTreeSet<UnitIx>) -> Vec<UnitIx> {
    let mut friends = clash::supports_of_defence(field, ix, targets);
    let limit = field.rules.charge.countercharge_support_infantry.thousandths();
    friends.retain(|friend| !field.unit(*friend).mounted && distance(field, ix, *friend).within(limit));
    friends
}

/// Whether a countercharge goes in order.
enum InOrder {
    Yes,
    /// Without a roll, by a rule.
    No(RuleId),
    /// A roll has failed.
    Failed(RuleId),
}

/// CC-02 to CC-04, CC-16, CC-17, CAVC-06, CAVC-11 A countercharge goes in disorder off its front, off the march, out of forming, or
/// by a roll that fails.
fn order_of(play: &mut Play<'_>, run: &Run, comer: &Comer) -> InOrder {
    let ix = comer.unit;
    let mounted = play.table()[ix].mounted;
    match comer.kind {
        Kind::March if !mounted => return InOrder::No(CC_04),
        Kind::March if comer.joins => return InOrder::No(CC_16),
        Kind::March => return InOrder::No(CAVC_11),
        Kind::Form => return InOrder::No(CC_17),
        Kind::Hold | Kind::Charge => {}
    }
    if off_its_front(play, run, ix).is_some() {
        return InOrder::No(CC_03);
    }
    let rule = if mounted { CAVC_06 } else { CC_02 };
    if play.table()[ix].footing.disorder {
        return InOrder::No(rule);
    }
    let finding = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let key = field.unit(ix).id.to_string();
        competence::roll(play, &field, ix, Purpose::CcOrder, &[&key], "countercharging in good order")
    };
    let passed = finding.passed;
    Finding { rule, ..finding }.tell(play);
    if passed { InOrder::Yes } else { InOrder::Failed(rule) }
}

fn tell(play: &mut Play<'_>, run: &Run, other: &Run, numbers: &Numbers) {
    let (unit, charger) = (&play.table()[other.point], &play.table()[run.point]);
    let text = format!(
        "{} comes to meet {}: {} in all.",
        named(&unit.name),
        called(&charger.name),
        numbers.pace.told(numbers.total)
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
    if SHARP_TURN < run.bearing.angle_to(bearing) {
        run.fall_into_disorder(play, CC_08);
    }
    (run.bearing, other.bearing) = (bearing, bearing.reversed());
    let (mut ours, mut his) = (Approach::of(play, run, own, gap), Approach::of(play, other, theirs, gap));
    let (meets, own_part, their_part) = loop {
        let (own_reach, their_reach) = (ours.reach(run).min(gap), his.reach(other).min(gap));
        let meets = gap <= own_reach.saturating_add(their_reach);
        let own_part = if meets { (gap / 2).clamp(gap - their_reach, own_reach) } else { own_reach };
        let their_part = if meets { gap - own_part } else { their_reach };
        if !ours.crosses(play, run, own_part) && !his.crosses(play, other, their_part) {
            break (meets, own_part, their_part);
        }
    };
    goes(play, run, &ours.way, own_part);
    goes(play, other, &his.way, their_part);
    leaders::mark_danger(play);
    meets
}

/// The way of one of two that close in, and the obstacles on it.
struct Approach {
    way: PathCost,
    /// Those that its members have still to cross, the nearest first. WORKS-11
    ahead: Vec<(Across, UnitIx)>,
    /// Where it halts that has run out of distance in crossing one. OBS-14
    stop: Option<i32>,
}

impl Approach {
    fn of(play: &Play<'_>, run: &Run, way: PathCost, gap: i32) -> Approach {
        let field = Field::new(play.rules, play.table(), play.dice);
        let of_member =
            |ix: UnitIx| obstacle::on_way(&field, ix, run.bearing, gap).into_iter().map(move |met| (met, ix));
        let mut ahead: Vec<(Across, UnitIx)> = run.members().into_iter().flat_map(of_member).collect();
        ahead.sort_by_key(|(met, _)| met.travel);
        Approach { way, ahead, stop: None }
    }

    /// How far it comes, thousandths of an inch.
    fn reach(&self, run: &Run) -> i32 {
        self.stop.unwrap_or_else(|| self.way.reach(run.left()))
    }

    /// WORKS-11, WORKS-18, OBS-11 The next obstacle within so much travel is crossed; false: there is none. A support that is
    /// stopped there leaves the charge where it set out.
    fn crosses(&mut self, play: &mut Play<'_>, run: &mut Run, travel: i32) -> bool {
        let Some(n) = self.ahead.iter().position(|(met, ix)| met.travel < travel && run.members().contains(ix)) else {
            return false;
        };
        let (met, ix) = self.ahead.remove(n);
        let left = run.left_to(ix) - self.way.points_at(met.travel);
        if let Crossed::Halts(across) = obstacle::cross(play, run, ix, &met, left) {
            if ix == run.point {
                self.stop = Some(met.travel.saturating_add(across));
            } else {
                run.leaves(ix);
            }
        }
        true
    }
}

/// One of two that close in goes its part of the way.
fn goes(play: &mut Play<'_>, run: &mut Run, way: &PathCost, travel: i32) {
    let before = run.spent;
    walks(play, run, travel);
    for (at, met) in riding::on_the_way(play.table(), run.point, play.rules, way, travel) {
        if run.is_disordered_at(before + way.points_at(at)) {
            break;
        }
        if let Some(rule) = riding::loses_order_at(play, run.point, met) {
            run.fall_into_disorder(play, rule);
        }
    }
    run.spent = before + way.points_at(travel);
    if run.is_disordered_at(run.spent) {
        run.fall_into_disorder(play, CHG_18);
    } else if is_rough_before(way, travel) && 0 < travel {
        run.fall_into_disorder(play, MOVE_05);
    }
    run.tell_way(play, None);
}

/// HID-38 All members go so far, and markers are looked for on the way.
fn walks(play: &mut Play<'_>, run: &mut Run, travel: i32) {
    let each = if play.table().pickets.is_empty() { travel.max(1) } else { hidden::EACH };
    let mut gone = 0;
    while gone < travel {
        let next = gone.saturating_add(each).min(travel);
        let step = |ix: UnitIx| {
            (ix, flight::carried(play.table().looker(ix).stands, flight::displacement(run.bearing, next - gone)))
        };
        let steps: Vec<hidden::Step> = run.members().into_iter().map(step).collect();
        hidden::look_ahead(play, &steps);
        run.members().into_iter().for_each(|ix| run.carry(play, ix, gone, next));
        hidden::look(play);
        gone = next;
    }
}

impl Run {
    /// CC-11, CAVC-20 After winning, foot that countercharged may run on only for what is left of its normal move; horse keeps its
    /// bonus.
    fn limit_run_on(&mut self, play: &Play<'_>, kind: Kind) {
        if kind != Kind::Charge && !play.table()[self.point].mounted {
            self.budget = self.budget.min(self.pace.points(self.pace.rate).max(self.spent));
        }
    }
}
