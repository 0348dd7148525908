//! Obstacles across the way of a charge: disorder, inches lost, what is trodden down, who no longer comes up. OBS-11 to OBS-14,
//! OBS-19, OBS-26, OBS-30
//!
//! Owns what lies across and what meeting it does to the members of a charge. What treading down does to the table is told by
//! [`crate::works`].

use std::collections::BTreeMap;

use protocol::event::{Dice as DiceShown, Fact};
use protocol::ids::FeatureId;
use protocol::place::Point;

use super::Leg;
use crate::battle::UnitIx;
use crate::catalogue::{OBS_11, OBS_12, OBS_13, OBS_14, OBS_19, OBS_26, RuleId};
use crate::charge::run::Run;
use crate::charge::sweep::Slide;
use crate::charge::threat::distance;
use crate::dice::{Purpose, break_tie, throw};
use crate::explain::{Explain, named, sentence};
use crate::field::Field;
use crate::fire;
use crate::geometry::{Frame, UNIT, round_div};
use crate::ground::{self, Across};
use crate::morale::consequence::fall_into_disorder;
use crate::morale::flight::displacement;
use crate::play::Play;
use crate::ruleset::{self, Ruleset};
use crate::works;

/// OBS-14 Who is stopped halts with its rear so far beyond the obstacle, thousandths of an inch.
const JUST_ACROSS: i32 = 100;

/// So far from an enemy at least it halts, thousandths of an inch: it has not struck.
const SHORT_OF: i32 = 10;

/// An obstacle on the way of one member of a charge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Met {
    /// Who meets it.
    pub member: UnitIx,
    /// What it meets, at a travel of its own.
    pub across: Across,
}

/// OBS-11, OBS-19, OBS-26 What a charge loses at an obstacle: the rule, and the row of the tables.
fn row<'r>(rules: &'r Ruleset, across: &Across) -> (RuleId, &'r ruleset::Obstacle) {
    match across.kind {
        ground::AcrossKind::Abatis => (OBS_11, &rules.obstacle.abatis),
        ground::AcrossKind::Fraise => (OBS_19, &rules.obstacle.fraise),
        ground::AcrossKind::OneLine => (OBS_26, &rules.obstacle.chevaux_de_frise),
        ground::AcrossKind::DoubleRow => (OBS_26, &rules.obstacle.fraise),
    }
}

/// The obstacles that still stand across the way of a member in this leg, up to a travel; `gone`: how far it has come.
fn on_way(field: &Field<'_>, run: &Run, member: UnitIx, gone: i32, most: i32) -> Vec<Across> {
    let here = field.unit(member).footing.anchor;
    let (behind, ahead) = (displacement(run.bearing, gone), displacement(run.bearing, most));
    let from = Point::new(here.x - behind.x, here.y - behind.y);
    field.ground().across(from, Point::new(from.x + ahead.x, from.y + ahead.y))
}

/// How far a unit's rearmost corner lies behind its anchor along a ray, thousandths of an inch.
fn depth(field: &Field<'_>, run: &Run, ix: UnitIx) -> i32 {
    let frame = Frame::new(field.unit(ix).footing.anchor, run.bearing);
    let corners = field.layout(ix).rects().flat_map(|stand| stand.corners);
    let behind = corners.map(|corner| round_div(-frame.ahead(corner), UNIT)).max().unwrap_or(0);
    i32::try_from(behind.max(0)).unwrap_or(i32::MAX)
}

impl Leg {
    /// OBS-11 What the point meets on its way, and what a support meets that the point does not.
    pub(super) fn obstacles(&self, field: &Field<'_>, run: &Run) -> Vec<(i32, Met)> {
        let of = |member: UnitIx| {
            let met = on_way(field, run, member, 0, self.reach).into_iter();
            met.map(move |across| (across.travel, Met { member, across })).collect::<Vec<_>>()
        };
        let mut all = of(run.point);
        for support in &run.supports {
            let own: Vec<_> = of(*support)
                .into_iter()
                .filter(|(_, met)| all.iter().all(|(_, known)| known.across.chain != met.across.chain))
                .collect();
            all.extend(own);
        }
        all
    }

    /// OBS-11 to OBS-14, OBS-30 A member has come to an obstacle: it is in disorder at once, and loses what it throws.
    pub(super) fn meets(&mut self, play: &mut Play<'_>, run: &mut Run, met: &Met, contact: Option<i32>) {
        if self.stopped {
            return;
        }
        if met.member != run.point {
            let changes = &play.table().changes;
            let still_stands = met.across.lines.iter().any(|(obstacle, along)| !changes.is_gap(obstacle, *along));
            if run.supports.contains(&met.member) && still_stands {
                let (rule, _) = row(play.rules, &met.across);
                fall_into_disorder(play, met.member, rule);
                self.support_crosses(play, run, met, contact);
            }
            return;
        }
        let (rule, _) = row(play.rules, &met.across);
        run.fall_into_disorder(play, rule);
        let (dice, loss) = self.throw(play, met);
        let lost = run.pace.points(loss);
        let stops = run.left() <= lost;
        tell(play, met, rule, dice.clone(), loss, stops);
        self.treads_down(play, run, met, &dice);
        run.budget -= lost;
        *self.lost.entry(run.point).or_default() += lost;
        if stops {
            self.stops_just_across(play, run, contact);
            return;
        }
        self.reach = self.reach.min(self.way.reach(run.budget - self.spent));
        for support in in_order(play, run) {
            let across = {
                let field = Field::new(play.rules, play.table(), play.dice);
                let gone = self.gone.get(&support).copied().unwrap_or(0);
                let ahead = on_way(&field, run, support, gone, self.reach);
                ahead.into_iter().find(|own| own.chain == met.across.chain)
            };
            if let Some(across) = across {
                self.support_crosses(play, run, &Met { member: support, across }, contact);
            }
        }
    }

    /// OBS-13 A support throws for itself; if its own reach no longer covers the distance to the target it halts just across.
    fn support_crosses(&mut self, play: &mut Play<'_>, run: &mut Run, met: &Met, contact: Option<i32>) {
        let (_, row) = row(play.rules, &met.across);
        let treads = row.even_die_destroys;
        let (dice, loss) = self.throw(play, met);
        let lost = self.lost.entry(met.member).or_default();
        *lost += run.pace.points(loss);
        let lost = *lost;
        let own_total = run.budget + self.lost.get(&run.point).copied().unwrap_or(0) - lost;
        let needed = contact.unwrap_or(0);
        let is_out = self.way.reach(own_total - self.spent) < needed;
        tell(play, met, OBS_13, dice.clone(), loss, is_out);
        if treads {
            self.treads_down(play, run, met, &dice);
        }
        if is_out {
            let stop = {
                let field = Field::new(play.rules, play.table(), play.dice);
                met.across.travel + depth(&field, run, met.member) + JUST_ACROSS
            };
            self.stragglers.insert(met.member, stop);
            run.leaves(met.member);
            play.table_mut()[met.member].marks.order_spent = true;
        }
    }

    /// Throws the inches lost in crossing.
    fn throw(&self, play: &Play<'_>, met: &Met) -> (DiceShown, i32) {
        let (_, row) = row(play.rules, &met.across);
        let key = [play.table()[met.member].id.as_str()];
        let first = play.thrown(Purpose::ObstacleLoss, &key) + 1;
        let count = row.charge_loss_dice.unsigned_abs();
        let dice = throw(play.dice, play.phase, Purpose::ObstacleLoss, &key, first, count);
        let pips: i32 = dice.faces.iter().map(|face| i32::from(*face)).sum();
        (dice, pips * 1_000)
    }

    /// OBS-12, OBS-26 An even die: what the unit's stands sweep of it is gone.
    fn treads_down(&self, play: &mut Play<'_>, run: &Run, met: &Met, dice: &DiceShown) {
        let (rule, row) = row(play.rules, &met.across);
        let pips: u32 = dice.faces.iter().map(|face| u32::from(*face)).sum();
        if !row.even_die_destroys || pips % 2 != 0 {
            return;
        }
        let rule = if rule == OBS_11 { OBS_12 } else { rule };
        let Some((obstacle, along)) = met.across.lines.first() else { return };
        works::tread_down(play, (met.member, rule), run.bearing, obstacle, *along);
    }

    /// OBS-14 The point crosses and halts with its rear just beyond, short of any enemy; its supports halt before the obstacle.
    fn stops_just_across(&mut self, play: &Play<'_>, run: &mut Run, contact: Option<i32>) {
        let field = Field::new(play.rules, play.table(), play.dice);
        let stop = self.at + depth(&field, run, run.point) + JUST_ACROSS;
        self.reach = contact.map_or(stop, |contact| stop.min(contact - SHORT_OF)).max(self.at);
        self.stopped = true;
        for support in run.supports.clone() {
            let gone = self.gone.get(&support).copied().unwrap_or(0);
            let before = on_way(&field, run, support, gone, self.reach).into_iter().map(|across| across.travel);
            if let Some(before) = before.filter(|travel| gone <= *travel).min() {
                let hold = self.holds.entry(support).or_insert(i32::MAX);
                *hold = before.min(*hold);
            }
        }
    }

    /// OBS-13 Those who have fallen out come up to where they halt, as far as nobody stands in their way.
    pub(super) fn bring_up_stragglers(&mut self, play: &mut Play<'_>, run: &mut Run) {
        for (ix, stop) in std::mem::take(&mut self.stragglers) {
            let gone = self.gone.get(&ix).copied().unwrap_or(0);
            let rest = (stop - gone).max(0);
            let free = {
                let field = Field::new(play.rules, play.table(), play.dice);
                let slide = Slide::new(field.stands(ix), run.bearing);
                let others = field.table.units().filter(|(other, _)| *other != ix);
                let met = others.filter_map(|(other, _)| slide.first_overlap(&field.stands(other), rest)).min();
                met.map_or(rest, |at| (at - 1).max(0))
            };
            run.carry(play, ix, gone, gone + free);
            self.gone.insert(ix, gone + free);
            let unit = &play.table()[ix];
            if unit.on_table() {
                let text = format!("{} comes across too late to be of help, and halts.", named(&unit.name));
                let fact = Fact::Formed { unit: unit.id.clone(), after: unit.stance() };
                play.tell(OBS_13, fact, sentence(text));
            }
        }
    }
}

/// OBS-13 The supports in the order of their distance from the point, level ones by their dice.
fn in_order(play: &Play<'_>, run: &Run) -> Vec<UnitIx> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let mut by_distance: BTreeMap<i32, Vec<UnitIx>> = BTreeMap::new();
    for ix in &run.supports {
        by_distance.entry(distance(&field, run.point, *ix).rounded()).or_default().push(*ix);
    }
    let level = |level: Vec<UnitIx>| {
        let keys: Vec<Vec<&str>> = level.iter().map(|ix| vec![field.unit(*ix).id.as_str()]).collect();
        let order = break_tie(play.dice, play.phase, Purpose::TieObstacle, &keys).order;
        order.into_iter().map(|place| level[place]).collect::<Vec<_>>()
    };
    by_distance.into_values().flat_map(level).collect()
}

/// Tells what a member loses.
fn tell(play: &mut Play<'_>, met: &Met, rule: RuleId, dice: DiceShown, loss: i32, stops: bool) {
    let unit = &play.table()[met.member];
    let (id, name, what) = (unit.id.clone(), named(&unit.name), met.across.kind.what());
    let end = match (stops, rule == OBS_13) {
        (false, _) => "",
        (true, true) => ", too much to come up in support",
        (true, false) => ", all that it has left",
    };
    let text = format!("{name} crosses {what} and loses {}{end}.", fire::inches(loss));
    let obstacle: FeatureId = met.across.first().clone();
    let mut told = sentence(text).with_dice(dice);
    if stops && rule != OBS_13 {
        told = told.with_note(OBS_14, "it halts just across");
    }
    play.tell(rule, Fact::ObstacleMet { unit: id, obstacle, lost: loss.unsigned_abs(), stops }, told);
}
