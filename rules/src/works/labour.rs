//! Work in hand: taken up, begun, counted, finished or broken off, whatever the work is. OBS-02, OBS-05, OBS-06
//!
//! Owns [`Labour`] of a unit from the reveal of its order to the last turn. What a work needs and does is its own file's.

use protocol::event::Fact;
use protocol::ids::FeatureId;
use protocol::orders::{FormTask, Order, Work};
use protocol::place::Point;

use super::obstacles;
use super::{Outcome, Plan, Reason, Site, Span, in_words, plan};
use crate::battle::{Labour, Table, Unit, UnitIx};
use crate::catalogue::{OBS_06, RuleId};
use crate::competence::{self, Finding};
use crate::dice::Purpose;
use crate::explain::{named, sentence};
use crate::field::Field;
use crate::morale;
use crate::morale::consequence::fall_into_disorder;
use crate::movement;
use crate::play::Play;
use crate::ruleset::Ruleset;

/// OBS-05 Engineers help a unit from within this distance, thousandths of an inch.
const BESIDE: i32 = 1_000;

impl Plan {
    /// The obstacle or works that it is done to; none: on new ground.
    pub(super) fn obstacle(&self) -> Option<FeatureId> {
        match &self.outcome {
            Outcome::Build(..) => None,
            Outcome::Remove(stretches) | Outcome::Turn(stretches) | Outcome::Replace { swallowed: stretches, .. } => {
                super::hasty::first_of(stretches)
            }
        }
    }
}

impl Span {
    /// OBS-05 Whether so many turns without engineers and so many with them are enough: each counts as its share of the whole.
    pub(crate) fn is_done(self, turns: u32, with_engineers: u32) -> bool {
        let whole = u64::from(self.alone) * u64::from(self.with_engineers);
        let alone = u64::from(turns) * u64::from(self.with_engineers);
        whole <= alone + u64::from(with_engineers) * u64::from(self.alone)
    }

    /// The turns that are still needed after those of a labour, with engineers or without.
    pub(crate) fn left(self, labour: &Labour, engineers: bool) -> u32 {
        let enough = |more: &u32| match engineers {
            true => self.is_done(labour.turns, labour.turns_with_engineers + more),
            false => self.is_done(labour.turns + more, labour.turns_with_engineers),
        };
        (0..=self.alone.max(self.with_engineers)).find(enough).unwrap_or(0)
    }
}

/// Where the unit stood, and the place that it was told, of a task that it goes on with; else where it stands now.
pub(super) fn resumed<'a>(unit: &'a Unit, work: Work, at: &'a [Point]) -> (Site<'a>, &'a [Point]) {
    match unit.carried.labour.as_ref().filter(|labour| 0 < labour.counted() && is_same(labour, work, at)) {
        Some(labour) => (site_of(labour), &labour.at),
        None => (Site { anchor: unit.footing.anchor, facing: unit.footing.facing, obstacle: None }, at),
    }
}

fn site_of(labour: &Labour) -> Site<'_> {
    Site { anchor: labour.anchor, facing: labour.facing, obstacle: labour.obstacle.as_ref() }
}

/// OBS-06 Whether a task is the one in hand: a task without a place goes on wherever it was.
fn is_same(labour: &Labour, work: Work, at: &[Point]) -> bool {
    labour.work == work && (at.is_empty() || labour.at == at)
}

fn everybody(play: &Play<'_>) -> Vec<UnitIx> {
    play.table().units().map(|(ix, _)| ix).collect()
}

/// The work that a unit is told to do, while it may.
fn told(play: &Play<'_>, ix: UnitIx) -> Option<(Work, Vec<Point>)> {
    let unit = &play.table()[ix];
    match play.order(ix) {
        Order::Form { task: FormTask::Work { work, at } } if unit.is_unrouted() => Some((work, at)),
        _ => None,
    }
}

/// The plan of the work in hand.
fn plan_in_hand(field: &Field<'_>, ix: UnitIx, labour: &Labour) -> Result<Plan, Reason> {
    plan(field, ix, site_of(labour), labour.work, &labour.at)
}

// ------------------------------------------------------------------------------------------ phase 3

/// OBS-06, OBS-07 As orders are revealed: who is told to work is in disorder from now on; who is told otherwise has broken off.
pub(crate) fn take_up(play: &mut Play<'_>) {
    let units = everybody(play);
    take_up_of(play, &units);
}

/// As [`take_up`], of these units alone.
pub(crate) fn take_up_of(play: &mut Play<'_>, units: &[UnitIx]) {
    for ix in units.iter().copied() {
        let in_hand = play.table()[ix].carried.labour.clone();
        match told(play, ix) {
            Some((work, at)) => {
                let goes_on = in_hand.as_ref().is_some_and(|labour| is_same(labour, work, &at));
                if !goes_on {
                    break_off(play, ix, in_hand.as_ref(), "takes up other work");
                    play.table_mut()[ix].carried.labour = Some(taken_up(&play.table()[ix], work, at, in_hand.as_ref()));
                }
                fall_into_disorder(play, ix, OBS_06);
            }
            None => {
                break_off(play, ix, in_hand.as_ref(), "breaks off its work");
                play.table_mut()[ix].carried.labour = None;
            }
        }
    }
}

/// A task of which nothing is done yet. A unit that has been at other work was in order before that, or was not.
fn taken_up(unit: &Unit, work: Work, at: Vec<Point>, before: Option<&Labour>) -> Labour {
    Labour {
        work,
        at,
        obstacle: None,
        anchor: unit.footing.anchor,
        facing: unit.footing.facing,
        turns: 0,
        turns_with_engineers: 0,
        was_in_order: before.map_or(!unit.footing.disorder, |labour| labour.was_in_order),
    }
}

/// OBS-06 Work that is broken off leaves nothing behind.
fn break_off(play: &mut Play<'_>, ix: UnitIx, labour: Option<&Labour>, how: &str) {
    let Some(labour) = labour.filter(|labour| 0 < labour.counted()) else { return };
    let text = format!("{} {how}, and what it has done comes to nothing.", named(&play.table()[ix].name));
    tell_count(play, ix, labour.work, (0, 0), text);
}

// ------------------------------------------------------------------------------------------ phase 7

/// OBS-02, WORKS-03 As phase 7 opens, all on one look: work that has a count goes on, other work begins, after its roll.
pub(crate) fn begin(play: &mut Play<'_>) {
    let units = everybody(play);
    begin_of(play, &units);
}

/// As [`begin`], of these units alone.
pub(crate) fn begin_of(play: &mut Play<'_>, units: &[UnitIx]) {
    let units: Vec<UnitIx> = units.iter().copied().filter(|ix| is_undisturbed(play, *ix)).collect();
    if units.is_empty() {
        return;
    }
    let mut begun: Vec<(UnitIx, Plan)> = Vec::new();
    let mut findings: Vec<Finding> = Vec::new();
    let mut void: Vec<(UnitIx, Reason)> = Vec::new();
    {
        let field = Field::new(play.rules, play.table(), play.dice);
        for ix in units {
            let Some(labour) = &field.unit(ix).carried.labour else { continue };
            let (site, at) = resumed(field.unit(ix), labour.work, &labour.at);
            match plan(&field, ix, site, labour.work, at) {
                Ok(plan) => {
                    let roll = plan.roll.filter(|_| labour.counted() == 0);
                    let finding = roll.map(|rule| {
                        let id = field.unit(ix).id.as_str();
                        let because = beginning(labour.work);
                        Finding { rule, ..competence::roll(play, &field, ix, Purpose::WorkStart, &[id], because) }
                    });
                    if finding.as_ref().is_none_or(|finding| finding.passed) {
                        begun.push((ix, plan));
                    }
                    findings.extend(finding);
                }
                Err(reason) => void.push((ix, reason)),
            }
        }
    }
    findings.into_iter().for_each(|finding| finding.tell(play));
    for (ix, plan) in begun {
        let unit = &mut play.table_mut()[ix];
        unit.marks.at_work = true;
        let (anchor, facing) = (unit.footing.anchor, unit.footing.facing);
        if let Some(labour) = unit.carried.labour.as_mut().filter(|labour| labour.counted() == 0) {
            (labour.anchor, labour.facing, labour.obstacle) = (anchor, facing, plan.obstacle());
        }
    }
    for (ix, (rule, why)) in void {
        let unit = &play.table()[ix];
        let (side, id, name) = (unit.side, unit.id.clone(), named(&unit.name));
        play.tell_side(side, rule, Fact::OrderVoid { unit: id }, sentence(format!("{name} cannot work: it {why}.")));
    }
}

const fn beginning(work: Work) -> &'static str {
    match work {
        Work::BuildAbatis => "starting an abatis",
        Work::BuildHastyWorks => "starting hasty works",
        Work::TurnWorks => "turning works about",
        Work::Destroy => "starting to destroy",
    }
}

/// OBS-06 Whether nothing has happened since the reveal that keeps a turn from counting.
fn is_undisturbed(play: &Play<'_>, ix: UnitIx) -> bool {
    let unit = &play.table()[ix];
    let marks = &unit.marks;
    unit.carried.labour.is_some()
        && told(play, ix).is_some()
        && movement::keeps_its_order(unit)
        && marks.fires == 0
        && !(marks.moved || marks.changed_formation || marks.charged)
}

// ------------------------------------------------------------------------------------------ phase 8

/// OBS-05, OBS-06, OBS-09 At the end of phase 8 the turn counts, or the count is back at nothing; what is finished is there.
pub(crate) fn close(play: &mut Play<'_>) {
    let units = everybody(play);
    close_of(play, &units);
}

/// As [`close`], of these units alone.
pub(crate) fn close_of(play: &mut Play<'_>, units: &[UnitIx]) {
    let works = |ix: &UnitIx| play.table()[*ix].carried.labour.is_some();
    let working: Vec<UnitIx> = units.iter().copied().filter(works).collect();
    if working.is_empty() {
        return;
    }
    let counted: Vec<UnitIx> =
        working.iter().copied().filter(|ix| play.table()[*ix].marks.at_work && is_undisturbed(play, *ix)).collect();
    let helped: Vec<bool> = {
        let field = Field::new(play.rules, play.table(), play.dice);
        counted.iter().map(|ix| has_engineers(&field, *ix)).collect()
    };
    for ix in working.iter().filter(|ix| !counted.contains(ix)) {
        comes_to_nothing(play, *ix);
    }
    for (ix, engineers) in counted.iter().zip(&helped) {
        if let Some(labour) = &mut play.table_mut()[*ix].carried.labour {
            if *engineers { labour.turns_with_engineers += 1 } else { labour.turns += 1 }
        }
    }
    // All that is finished is worked out on one look at the ground, then done.
    let plans: Vec<Option<Plan>> = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let plan_of = |ix: &UnitIx| plan_in_hand(&field, *ix, field.unit(*ix).carried.labour.as_ref()?).ok();
        counted.iter().map(plan_of).collect()
    };
    for ((ix, engineers), plan) in counted.into_iter().zip(helped).zip(plans) {
        advance(play, ix, engineers, plan);
    }
}

/// A turn that counted: told, and the work finished where it was the last.
fn advance(play: &mut Play<'_>, ix: UnitIx, engineers: bool, plan: Option<Plan>) {
    let Some(labour) = play.table()[ix].carried.labour.clone() else { return };
    let name = named(&play.table()[ix].name);
    let Some(plan) = plan else {
        // Others have taken away what it was working at.
        play.table_mut()[ix].carried.labour = None;
        tell_count(play, ix, labour.work, (0, 0), format!("{name} has nothing left to work at."));
        return;
    };
    let left = plan.span.left(&labour, engineers);
    let turns = labour.counted();
    let text = match left {
        0 => format!("{name} {}: done after {}.", in_words(labour.work), in_turns(turns)),
        _ => format!("{name} {}: {} done, {left} to come.", in_words(labour.work), in_turns(turns)),
    };
    tell_count(play, ix, labour.work, (turns, left), text);
    if 0 < left {
        return;
    }
    obstacles::carry_out(play, ix, &plan);
    let unit = &mut play.table_mut()[ix];
    unit.carried.labour = None;
    if labour.was_in_order && unit.footing.disorder {
        unit.footing.disorder = false;
        let text = format!("{name} has done its work and stands in {}.", unit.footing.formation);
        let fact = Fact::Disorder { unit: unit.id.clone(), disorder: false };
        play.tell(OBS_06, fact, sentence(text));
    }
}

/// OBS-06 A turn that does not count sets the count to nothing. Who was moved or struck is in disorder for that as well.
fn comes_to_nothing(play: &mut Play<'_>, ix: UnitIx) {
    let unit = &mut play.table_mut()[ix];
    let (name, thrown) = (named(&unit.name), !movement::keeps_its_order(unit) || unit.marks.moved);
    let Some(labour) = &mut unit.carried.labour else { return };
    let had = labour.counted();
    (labour.turns, labour.turns_with_engineers) = (0, 0);
    labour.was_in_order &= !thrown;
    let work = labour.work;
    if 0 < had {
        let text = format!("{name} has been kept from its work, and what it has done comes to nothing.");
        tell_count(play, ix, work, (0, 0), text);
    }
}

/// Tells a count: turns done, and turns to come.
fn tell_count(play: &mut Play<'_>, ix: UnitIx, work: Work, (turns, left): (u32, u32), text: String) {
    let unit = play.table()[ix].id.clone();
    play.tell(OBS_06, Fact::Worked { unit, work, turns, left }, sentence(text));
}

fn in_turns(turns: u32) -> String {
    if turns == 1 { "1 turn".to_owned() } else { format!("{turns} turns") }
}

// ------------------------------------------------------------------------------------------ engineers

/// OBS-05 Whether engineers are with a unit: its own, or a company of them within an inch that was told the same.
fn has_engineers(field: &Field<'_>, ix: UnitIx) -> bool {
    let unit = field.unit(ix);
    let Some(labour) = &unit.carried.labour else { return unit.engineers };
    let same = |other: &Unit| other.carried.labour.as_ref().is_some_and(|theirs| theirs.work == labour.work);
    let mut others = field.table.units_of(unit.side).filter(|(other, _)| *other != ix);
    unit.engineers || others.any(|(other, theirs)| theirs.engineers && same(theirs) && field.within(ix, other, BESIDE))
}

// ------------------------------------------------------------------------------------------ what is shown

/// What all see of the work in hand: what it is, turns that count, turns to come; and the line of it, for its own side.
pub(crate) fn shown(rules: &Ruleset, table: &Table, ix: UnitIx) -> Option<(Work, u32, u32, Vec<Point>)> {
    let labour = table[ix].carried.labour.as_ref()?;
    let field = Field::before_dice(rules, table);
    let plan = plan_in_hand(&field, ix, labour).ok()?;
    let left = plan.span.left(labour, has_engineers(&field, ix));
    Some((labour.work, labour.counted(), left, obstacles::line_of(&field, &plan)))
}

/// What the owner is told of the work in hand before he gives another order.
pub(crate) fn limit(table: &Table, unit: &Unit) -> Option<String> {
    let labour = unit.carried.labour.as_ref().filter(|labour| 0 < labour.counted())?;
    let done = in_turns(labour.counted());
    let to_come = table.find(&unit.id).and_then(|ix| shown(table.rules(), table, ix)).map(|(_, _, left, _)| left);
    let to_come = to_come.map_or_else(String::new, |left| format!(", {left} to come"));
    Some(format!("{OBS_06}: at work, {done} done{to_come}; another order breaks it off"))
}

/// OBS-07 What a player reads of a task before he orders it: how it begins, how long it takes, what is there in the end.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn foreseen(
    field: &Field<'_>,
    ix: UnitIx,
    work: Work,
    at: &[Point],
) -> Result<Vec<(RuleId, String)>, Reason> {
    let unit = field.unit(ix);
    let (site, place) = resumed(unit, work, at);
    let plan = plan(field, ix, site, work, place)?;
    let fresh = Labour { at: place.to_vec(), ..taken_up(unit, work, Vec::new(), None) };
    let in_hand = unit.carried.labour.as_ref().filter(|labour| 0 < labour.counted());
    let labour = in_hand.filter(|labour| is_same(labour, work, at)).unwrap_or(&fresh);
    let mut notes = Vec::new();
    if let Some(rule) = plan.roll.filter(|_| labour.counted() == 0) {
        let officer = morale::officer::for_competence(field, ix);
        let number = competence::number_to_beat(field, ix, officer).total();
        let text = format!("It begins when one die is above {number}; else the turn is spent in disorder for nothing.");
        notes.push((rule, text));
    }
    let left = plan.span.left(labour, has_engineers(field, ix));
    let last = field.table.turn + left.max(1) - 1;
    let done = match labour.counted() {
        0 => String::new(),
        turns => format!("{} done, ", in_turns(turns)),
    };
    let end = obstacles::outcome_in_words(field, &plan);
    notes.push((plan.rule, format!("{done}{} to come: at the end of turn {last} {end}.", in_turns(left))));
    notes.push((
        OBS_06,
        "From the reveal on it is in disorder and does nothing else; what disturbs it, or another order, sets the count \
         back to nothing."
            .to_owned(),
    ));
    if let Some(other) = in_hand.filter(|other| !is_same(other, work, at)) {
        let text = format!("{} of work in hand come to nothing.", in_turns(other.counted()));
        notes.push((OBS_06, text));
    }
    Ok(notes)
}
