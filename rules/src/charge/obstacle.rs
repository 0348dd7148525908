//! Obstacles and works in the way of a charge. OBS-11 to OBS-14, OBS-19, OBS-26, OBS-30, WORKS-11, WORKS-18
//!
//! Owns what it is to reach one: disorder, the dice for the inches lost, whether it is trodden down, and where a unit halts that
//! has none left. Fences are paid, not thrown for. CHG-25

use protocol::event::{Dice as DiceShown, Fact};
use protocol::place::{Bearing, Point};

use super::pace::inches;
use super::run::Run;
use super::sweep::Slide;
use super::threat::body;
use crate::battle::UnitIx;
use crate::catalogue::{OBS_11, OBS_12, OBS_14, OBS_19, OBS_26, RuleId, WORKS_11, WORKS_18};
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, named, sentence};
use crate::field::Field;
use crate::fire;
use crate::geometry::{self, Frame, UNIT};
use crate::ground::{Across, AcrossKind};
use crate::morale::consequence::fall_into_disorder;
use crate::morale::flight::displacement;
use crate::play::Play;
use crate::ruleset::{self, Inches, Ruleset};
use crate::works;

/// OBS-14 A unit that is stopped halts with its rear so far beyond, thousandths of an inch.
const JUST_ACROSS: i32 = 100;

/// One that would come upon an enemy there halts so far short of him, thousandths of an inch.
const SHORT_OF: i32 = 10;

/// What crossing does to a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossed {
    /// It goes on with what is left.
    GoesOn,
    /// It has nothing left, and halts after so much more travel, thousandths of an inch. OBS-14
    Halts(i32),
}

/// What meeting an obstacle costs a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toll {
    /// The rule that says so.
    pub rule: RuleId,
    /// The dice for the inches lost.
    pub dice: u32,
    /// The rule by which an even throw destroys what is swept of it; none: it stays. OBS-12
    pub trodden_down: Option<RuleId>,
}

/// OBS-11, OBS-19, OBS-26, WORKS-11, WORKS-18 What an obstacle costs a charge that meets it.
pub fn toll(rules: &Ruleset, kind: AcrossKind) -> Toll {
    let (obstacle, works) = (&rules.obstacle, &rules.works);
    let of_obstacle = |rule, row: &ruleset::Obstacle, trodden_down: RuleId| {
        (rule, row.charge_loss_dice, row.even_die_destroys.then_some(trodden_down))
    };
    let (rule, dice, trodden_down) = match kind {
        AcrossKind::Abatis => of_obstacle(OBS_11, &obstacle.abatis, OBS_12),
        AcrossKind::Fraise => of_obstacle(OBS_19, &obstacle.fraise, OBS_19),
        AcrossKind::OneLine => of_obstacle(OBS_26, &obstacle.chevaux_de_frise, OBS_26),
        AcrossKind::DoubleRow => of_obstacle(OBS_26, &obstacle.fraise, OBS_26),
        AcrossKind::HastyWorks => (WORKS_11, works.hasty.charge_loss_dice, None),
        AcrossKind::MediumWorks => (WORKS_18, works.medium.charge_loss_dice, None),
        AcrossKind::HeavyWorks => (WORKS_18, works.heavy.charge_loss_dice, None),
    };
    Toll { rule, dice: u32::try_from(dice).unwrap_or(0), trodden_down }
}

/// How a charge ends that is stopped there. OBS-14
pub const fn stopped_at(kind: AcrossKind) -> &'static str {
    match kind {
        AcrossKind::HastyWorks | AcrossKind::MediumWorks | AcrossKind::HeavyWorks => {
            "was stopped in crossing the works"
        }
        AcrossKind::Abatis | AcrossKind::Fraise | AcrossKind::OneLine | AcrossKind::DoubleRow => {
            "was stopped in crossing an obstacle"
        }
    }
}

/// OBS-01, WORKS-11 What the anchor of a unit meets within so much travel along a bearing, in order.
pub fn on_way(field: &Field<'_>, ix: UnitIx, bearing: Bearing, most: i32) -> Vec<Across> {
    let from = field.unit(ix).footing.anchor;
    let by = displacement(bearing, most);
    field.ground().across(from, Point::new(from.x.saturating_add(by.x), from.y.saturating_add(by.y)))
}

/// OBS-11 to OBS-14, OBS-19, OBS-26, WORKS-11, WORKS-18 A member crosses: it is in disorder at once and throws for the inches
/// that it loses; an even throw may tread down what it crosses. `left` are its points there; a throw that is not less leaves it
/// just across. Where somebody has trodden it down before there is nothing to cross.
pub fn cross(play: &mut Play<'_>, run: &mut Run, ix: UnitIx, met: &Across, left: i64) -> Crossed {
    if met.lines.iter().all(|(obstacle, along)| play.table().changes.is_gap(obstacle, *along)) {
        return Crossed::GoesOn;
    }
    run.tell_way(play, None);
    let toll = toll(play.rules, met.kind);
    fall_into_disorder(play, ix, toll.rule);
    let dice = throw_loss(play, ix, toll.dice);
    let pips: i32 = dice.faces.iter().map(|face| i32::from(*face)).sum();
    let lost = Inches::whole(pips).thousandths();
    let points = run.pace.points(lost);
    *run.losses.entry(ix).or_default() += points;
    let halts = left <= points;
    let end = if halts { ", and has none left: it halts just across" } else { "" };
    let unit = &play.table()[ix];
    let text = format!("{} loses {} in crossing {}{end}.", named(&unit.name), fire::inches(lost), met.kind.what());
    let mut told = sentence(text).with_dice(dice);
    if halts {
        told = told.with_note(OBS_14, format!("it had {}", inches(run.pace.length_of(left))));
    }
    let obstacle = met.first().clone();
    let fact = Fact::ObstacleMet { unit: unit.id.clone(), obstacle, lost: lost.unsigned_abs(), stops: halts };
    play.tell(toll.rule, fact, told);
    if let (Some(rule), Some((obstacle, along))) = (toll.trodden_down.filter(|_| pips % 2 == 0), met.lines.first()) {
        works::tread_down(play, (ix, rule), run.bearing, obstacle, *along);
    }
    if halts { Crossed::Halts(travel_across(play, run, ix)) } else { Crossed::GoesOn }
}

/// OBS-11 Throws for the inches that a unit loses.
fn throw_loss(play: &Play<'_>, ix: UnitIx, count: u32) -> DiceShown {
    let key = [play.table()[ix].id.as_str()];
    let first = play.thrown(Purpose::ObstacleLoss, &key) + 1;
    throw(play.dice, play.phase, Purpose::ObstacleLoss, &key, first, count)
}

/// OBS-14 The travel that brings the rear of a unit, whose anchor is on the line, just beyond it; less if an enemy is so near.
pub fn travel_across(play: &Play<'_>, run: &Run, ix: UnitIx) -> i32 {
    let field = Field::new(play.rules, play.table(), play.dice);
    let stands = body(field.layout(ix));
    let frame = Frame::new(field.unit(ix).footing.anchor, run.bearing);
    let rear = stands.iter().flat_map(|stand| stand.corners).map(|corner| frame.ahead(corner)).min().unwrap_or(0);
    let depth = i32::try_from(geometry::round_div(-rear, UNIT)).unwrap_or(0);
    let wanted = depth + JUST_ACROSS;
    let slide = Slide::new(stands, run.bearing);
    let enemies = field.enemies_of(field.unit(ix).side).filter(|(enemy, _)| fire::is_target(&field, *enemy));
    let room = enemies.filter_map(|(enemy, _)| slide.first_touch(&body(field.layout(enemy)), wanted)).min();
    room.map_or(wanted, |room| (room - SHORT_OF).clamp(0, wanted))
}
