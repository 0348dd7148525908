//! Two that charge meet: countercharges, and charges aimed at each other. CC-02 to CC-13, CC-19, CC-20, CHG-51, ALG-CHARGE 10, 15
//!
//! Owns how each sets out, the way of both to the midpoint, and who goes on. What happens where they meet is [`super::strike`]'s.

use protocol::event::Fact;

use super::clash::Ending;
use super::counter::{Comer, Kind, is_rough_before};
use super::obstacle::{self, Barrier, Crossed};
use super::pace::Pace;
use super::run::{Numbers, OFF_THE_FRONT, Run, is_fit, nearest_first, numbers, toward};
use super::threat::distance;
use super::{Charges, clash, place, strike, volley};
use crate::battle::UnitIx;
use crate::catalogue::{CC_02, CC_03, CC_04, CC_08, CC_09, CHG_09, CHG_18, MOVE_05, RuleId};
use crate::competence::{self, Finding};
use crate::dice::Purpose;
use crate::explain::{Explain, called, named, sentence};
use crate::field::Field;
use crate::fire;
use crate::ground::PathCost;
use crate::leaders;
use crate::morale::consequence::fall_into_disorder;
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
        let able = is_fit(&play.table()[comer.unit]);
        let Some(mut other) = able.then(|| sets_out(play, charges, run, &comer)).flatten() else {
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
    let field = Field::new(play.rules, play.table(), play.dice);
    let mut friends = clash::supports_of_defence(&field, ix, &charges.targets());
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
        "{} comes to meet {}: {} in all.",
        named(&unit.name),
        called(&charger.name),
        fire::inches(numbers.total)
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
    ahead: Vec<(Barrier, UnitIx)>,
    /// Where it halts that has run out of distance in crossing one. OBS-14
    stop: Option<i32>,
}

impl Approach {
    fn of(play: &Play<'_>, run: &Run, way: PathCost, gap: i32) -> Approach {
        let field = Field::new(play.rules, play.table(), play.dice);
        let of_member =
            |ix: UnitIx| obstacle::on_way(&field, ix, run.bearing, gap).into_iter().map(move |met| (met, ix));
        let mut ahead: Vec<(Barrier, UnitIx)> = run.members().into_iter().flat_map(of_member).collect();
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
