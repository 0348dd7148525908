//! How pickets travel: every one its whole line at one pace, whatever is under it. HID-22 to HID-26, HID-30, HID-62, HID-66, HID-77
//!
//! Owns a picket's steps segment by segment, and what is told when the phase is over. What a line costs is tested when it is
//! submitted; here nothing is cut. It moves the marker and what is under it together, so that a test of sight
//! finds both where they are.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{Fact, PicketEnd, PicketLine, PicketOrder};
use protocol::ids::{PicketNumber, Side, UnitId};
use protocol::orders::{FormTask, Hides, MoveOrder, Order, PathAnswer, Stop};
use protocol::view::Presence;
use protocol::words::{Arm, Formation};

use super::change::{Changes, change};
use super::course::{Plan, Step, march_of, plan, plan_of_leaving};
use super::shown::{said, tell_roll};
use super::stops::{self, Met};
use super::works::change_ground;
use super::{judged, order_of, passing, public_bearing, public_point};
use crate::battle::{Known, Under, Unit, known};
use crate::catalogue::{HID_66, MOVE_14, RuleId};
use crate::competence::{self, Finding};
use crate::dice::Purpose;
use crate::explain::sentence;
use crate::field::Field;
use crate::geometry::segment_length;
use crate::movement::{self, Body, SEGMENTS};
use crate::play::Play;
use crate::works;

/// A picket on its way.
pub(crate) struct March {
    /// Its number.
    pub(crate) number: PicketNumber,
    /// Its side.
    pub(crate) side: Side,
    /// Its whole way.
    pub(crate) plan: Plan,
    /// What is under it, in the order of the plan.
    pub(crate) units: Vec<UnitId>,
    /// The order as it goes.
    pub(crate) order: MoveOrder,
    /// The last segment at whose end it was carried on.
    pub(crate) reached: u8,
    stop: Stop,
    in_sight: BTreeSet<Met>,
    stopped: bool,
    /// Pairs of hidden friends that have met in this phase, or stood on each other when it began. MV-14
    pub(super) met: BTreeSet<(UnitId, UnitId)>,
    /// A brigade's new deployment, taken with the end of the phase. HID-10
    deploys: Option<protocol::orders::Plan>,
}

impl March {
    fn is_going(&self, play: &Play<'_>) -> bool {
        !self.stopped && play.table().pickets.contains_key(&self.number)
    }

    /// HID-26 Whether it has used any inch of its push.
    pub(crate) fn has_pushed(&self) -> bool {
        self.plan.pushes_from.is_some_and(|from| from < self.plan.travel_by(self.reached))
    }

    /// HID-26 Whether its order has a push that it comes to.
    pub(crate) fn pushes(&self) -> bool {
        self.plan.pushes_from.is_some()
    }

    /// HID-81 Whether it has stopped short.
    pub(crate) fn has_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether it has come on at all.
    pub(super) fn goes(&self) -> bool {
        self.plan.travel_by(self.reached) != 0
    }

    /// HID-24 The rest of its schedule after a segment, for one of its units.
    pub(crate) fn rest(&self, n: usize, segment: u8) -> Vec<Body> {
        let steps = self.plan.steps.iter().skip(usize::from(segment) + 1);
        steps.filter_map(|step| step.bodies.get(n).cloned()).collect()
    }

    /// How one of its units stood under it at the end of a segment.
    pub(crate) fn body_by(&self, n: usize, segment: u8) -> Option<&Body> {
        self.plan.steps.get(usize::from(segment))?.bodies.get(n)
    }
}

/// HID-24 All pickets that march or form in phase 7, by number.
pub(crate) fn begin(play: &Play<'_>) -> Vec<March> {
    each_picket(play, |known, number| {
        let order = order_of(&play.battle, number);
        let under = known.under(number)?;
        let at = known.table.pickets.get(&number)?.at;
        let march = march_of(&order, under.units.first());
        let answer: Option<PathAnswer> = said(&play.battle, known.side, number, play.stage, |said| said.path.clone());
        let march = march.map(|march| match order {
            Order::Move(_) => movement::redrawn(&march, at, answer.as_ref()),
            _ => march,
        });
        let deploys = match order {
            Order::Form { task: FormTask::Deploy { plan } } => Some(plan),
            _ => None,
        };
        let march = march.or_else(|| deploys.as_ref().map(|_| MoveOrder::default()))?;
        let judged = judged(known, number)?;
        let field = Field::new(play.rules, &judged.table, play.dice);
        let plan = plan(&field, &judged, under, number, &march)?;
        Some((plan, march, deploys))
    })
}

/// HID-62 All pickets that disengage in phase 5, by number.
pub(crate) fn begin_leaving(play: &Play<'_>) -> Vec<March> {
    each_picket(play, |known, number| {
        if !matches!(order_of(&play.battle, number), Order::Disengage { .. }) {
            return None;
        }
        let travel = said(&play.battle, known.side, number, play.stage, |said| said.disengage_travel);
        let plan = plan_of_leaving(known, number, travel.unwrap_or(0))?;
        Some((plan, MoveOrder::default(), None))
    })
}

/// What a picket does in a phase: its way, the order, and a brigade's new deployment.
type Doing = (Plan, MoveOrder, Option<protocol::orders::Plan>);

fn each_picket(play: &Play<'_>, doing: impl Fn(&Known, PicketNumber) -> Option<Doing>) -> Vec<March> {
    let mut marches: BTreeMap<PicketNumber, March> = BTreeMap::new();
    for side in Side::BOTH {
        if play.battle.secrets.get(side).open().picket_orders.is_empty() {
            continue;
        }
        let known = known(&play.battle, side);
        for (number, under) in &known.own.pickets {
            let Some(picket) = play.table().pickets.get(number) else { continue };
            if matches!(picket.shown, Some(PicketOrder::ConditionalHold {})) {
                continue;
            }
            let Some((plan, order, deploys)) = doing(&known, *number) else { continue };
            let stop = said(&play.battle, side, *number, play.stage, |said| said.stop).unwrap_or(Stop::Never {});
            let in_sight = match stop {
                Stop::OnSight {} => stops::in_sight(play.table(), picket, play.dice),
                _ => BTreeSet::new(),
            };
            let units = under.units.iter().map(|unit| unit.id.clone()).collect();
            let (number, reached, stopped) = (*number, 0, false);
            let met = BTreeSet::new();
            let march = March { number, side, plan, units, order, reached, stop, in_sight, stopped, met, deploys };
            marches.insert(number, march);
        }
    }
    let mut marches: Vec<March> = marches.into_values().collect();
    passing::have_met(&play.battle, &mut marches);
    marches
}

/// HID-24 Carries every picket on by one segment, all at once; HID-81 stops those that were told so.
pub(crate) fn step(play: &mut Play<'_>, marches: &mut [March], segment: u8) {
    let next = |march: &March| march.plan.steps.get(usize::from(segment)).cloned();
    let halts = |march: &March| {
        let picket = play.table().pickets.get(&march.number);
        let stops = |at| picket.is_some_and(|picket| stops::stops_before(play.table(), picket, at, march.stop));
        next(march).is_some_and(|step| stops(step.at))
    };
    let going: Vec<bool> = marches.iter().map(|march| march.is_going(play) && !halts(march)).collect();
    for (march, going) in marches.iter_mut().zip(&going) {
        match next(march).filter(|_| *going) {
            Some(step) => {
                march.reached = segment;
                put(play, march, &step);
                swing(play, march, segment);
            }
            None if play.table().pickets.contains_key(&march.number) => march.stopped = true,
            None => {}
        }
    }
    for march in marches.iter_mut().filter(|march| march.stop == (Stop::OnSight {}) && !march.stopped) {
        let Some(picket) = play.table().pickets.get(&march.number) else { continue };
        let seen = stops::in_sight(play.table(), picket, play.dice);
        march.stopped = seen.difference(&march.in_sight).next().is_some();
    }
}

/// OBS-23, HID-64 What its units swing aside or shut in this segment, all see.
fn swing(play: &mut Play<'_>, march: &March, segment: u8) {
    for swing in march.plan.swings.iter().filter(|swing| swing.segment == segment) {
        if let Some(ix) = play.table().find(&swing.unit) {
            change_ground(play, march.number, |inner| works::swing(inner, ix, &swing.elements));
        }
    }
}

/// Moves a marker, and what is under it with it.
fn put(play: &mut Play<'_>, march: &March, step: &Step) {
    if let Some(picket) = play.table_mut().pickets.get_mut(&march.number) {
        (picket.at, picket.facing) = (step.at, step.facing);
    }
    let secrets = play.battle.secrets.get_mut(march.side).open_mut();
    let Some(under) = secrets.pickets.get_mut(&march.number) else { return };
    for (unit, body) in under.units.iter_mut().zip(&step.bodies) {
        let disorder = unit.footing.disorder;
        let reforms = body.footing.formation != unit.footing.formation;
        body.put(unit);
        // What has befallen it on the way stays with it; what it forms it forms in order.
        unit.footing.disorder |= disorder && !reforms && march.plan_keeps_disorder(step);
    }
    for leader in &mut under.leaders {
        (leader.at, leader.facing) = (step.at, step.facing);
    }
}

impl March {
    /// Whether a step changes nothing of the order of the ranks, so that disorder of the way stays.
    fn plan_keeps_disorder(&self, step: &Step) -> bool {
        let first = self.plan.steps.first().and_then(|first| first.bodies.first());
        let began = first.is_some_and(|body| body.footing.disorder);
        let now = step.bodies.first().is_some_and(|body| body.footing.disorder);
        began == now
    }
}

/// HID-26, MOVE-14 The rolls of hidden units that have pushed, under seal; the line is the same for success and failure.
pub(crate) fn push_rolls(play: &mut Play<'_>, marches: &[March]) {
    for march in marches.iter().filter(|march| march.has_pushed()) {
        let known = known(&play.battle, march.side);
        let Some(judged) = judged(&known, march.number) else { continue };
        let findings: Vec<Finding> = {
            let field = Field::new(play.rules, &judged.table, play.dice);
            let roll = |ix| {
                let key = label(march.number, field.unit(ix));
                let finding = competence::roll(play, &field, ix, Purpose::Push, &[&key], "the quick march");
                Finding { rule: MOVE_14, ..finding }
            };
            judged.units.iter().map(|ix| roll(*ix)).collect()
        };
        for finding in findings {
            let (id, passed) = (judged.table[finding.unit].id.clone(), finding.passed);
            tell_roll(play, march.side, &judged, finding);
            let secrets = play.battle.secrets.get_mut(march.side).open_mut();
            let units = secrets.pickets.get_mut(&march.number).into_iter().flat_map(|under| &mut under.units);
            for unit in units.filter(|unit| unit.id == id && !passed && unit.arm != Arm::Artillery) {
                unit.footing.disorder = true;
            }
        }
    }
}

/// HID-66, HID-77 Closes a phase: the lines of all pickets are told in one message, by number, and who has come to the exit is
/// taken off.
pub(crate) fn finish(play: &mut Play<'_>, marches: Vec<March>, rule: RuleId) {
    let lines: Vec<PicketLine> = marches.iter().filter_map(|march| line_of(play, march)).collect();
    for line in lines.iter().filter(|line| 1 < line.line.len()) {
        if let Some(picket) = play.table_mut().pickets.get_mut(&line.picket) {
            picket.travelled.clone_from(&line.line);
        }
    }
    if !lines.is_empty() {
        let verb = if lines.len() == 1 { "has" } else { "have" };
        let text = format!("{} {verb} moved.", names(&lines));
        play.tell(rule, Fact::PicketsMoved { lines }, sentence(text));
    }
    let mut changes = Changes::default();
    for march in marches {
        settle(play, &march);
        let arrived = march.reached == SEGMENTS && march.plan.leaves;
        if arrived && play.table().pickets.contains_key(&march.number) {
            changes.gone.insert(march.number, PicketEnd::LeftTable);
        }
    }
    change(play, &changes, HID_66);
}

/// The pickets of some lines, at the head of a sentence.
pub(super) fn names(lines: &[PicketLine]) -> String {
    let numbers: Vec<String> = lines.iter().map(|line| line.picket.0.to_string()).collect();
    match numbers.split_last() {
        Some((last, [])) => format!("Picket {last}"),
        Some((last, others)) => format!("Pickets {} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// HID-24, HID-30 What is shown of a picket's way: its line so far, and its facing now. Nothing of one that neither went nor turned.
fn line_of(play: &Play<'_>, march: &March) -> Option<PicketLine> {
    let picket = play.table().pickets.get(&march.number)?;
    let travelled = march.plan.travel_by(march.reached);
    let mut line = Vec::new();
    let mut begins = 0;
    for (n, corner) in march.plan.line.iter().enumerate() {
        begins += if n == 0 { 0 } else { segment_length(march.plan.line[n - 1], *corner) };
        if n != 0 && travelled <= begins {
            break;
        }
        line.push(public_point(*corner));
    }
    line.push(public_point(picket.at));
    line.dedup();
    let facing = public_bearing(picket.facing);
    let began = march.plan.steps.first().map(|step| public_bearing(step.facing));
    let turned = began.is_some_and(|began| began != facing);
    (1 < line.len() || turned).then_some(PicketLine { picket: march.number, line, facing })
}

/// What a march leaves behind on the units that are still under the picket.
fn settle(play: &mut Play<'_>, march: &March) {
    let secrets = play.battle.secrets.get_mut(march.side).open_mut();
    let Some(under) = secrets.pickets.get_mut(&march.number) else { return };
    let moved = march.plan.travel_by(march.reached) != 0;
    let before = march.plan.steps.first();
    for (n, unit) in under.units.iter_mut().enumerate() {
        let was = before.and_then(|step| step.bodies.get(n)).map(|body| body.footing.formation);
        let now = unit.footing.formation;
        unit.marks.moved |= moved;
        unit.marks.order_spent = true;
        unit.marks.forming = false;
        if was.is_some_and(|was| was != now) {
            unit.marks.changed_formation = true;
            unit.marks.guns_silent |= now == Formation::Limbered;
            if now != Formation::SkirmishLine && unit.guns.is_none() {
                unit.last_formed = now;
            }
        }
    }
    if let (Some(deployed), Hides::Brigade { plan, .. }, false) = (&march.deploys, &mut under.hides, march.stopped) {
        *plan = deployed.clone();
    }
}

/// HID-68 The label under which the dice of a hidden unit are kept: number and name together, which only its side knows.
pub(super) fn label(number: PicketNumber, unit: &Unit) -> String {
    format!("{}:{}", number.0, unit.id)
}

/// HID-66 What goes off the table with its marker.
pub(super) fn off_the_table(mut under: Under) -> Under {
    under.units.iter_mut().for_each(|unit| unit.presence = Presence::Left);
    under.leaders.iter_mut().for_each(|leader| leader.presence = Presence::Left);
    under
}
