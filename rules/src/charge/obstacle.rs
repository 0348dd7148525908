//! Obstacles and works in the way of a charge. OBS-11 to OBS-14, OBS-19, OBS-26, OBS-30, WORKS-11, WORKS-18
//!
//! Owns what it is to reach one: disorder, the dice for the inches lost, and where a unit halts that has none left. Fences are
//! paid, not thrown for. CHG-25

use protocol::event::Fact;
use protocol::ids::FeatureId;
use protocol::place::{Bearing, Point};

use super::pace::inches;
use super::run::Run;
use super::sweep::Slide;
use super::threat::body;
use crate::battle::UnitIx;
use crate::catalogue::{OBS_11, OBS_14, OBS_19, OBS_26, RuleId, WORKS_11, WORKS_18};
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, named, sentence};
use crate::field::Field;
use crate::fire;
use crate::formation::Drawn;
use crate::geometry::{self, Frame, UNIT};
use crate::ground::ObstacleKind;
use crate::morale::consequence::fall_into_disorder;
use crate::morale::flight::displacement;
use crate::play::Play;
use crate::ruleset::{Inches, Ruleset};

/// OBS-14 A unit that is stopped halts with its rear so far beyond, thousandths of an inch.
const JUST_ACROSS: i32 = 100;

/// One that would come upon an enemy there halts so far short of him, thousandths of an inch.
const SHORT_OF: i32 = 10;

/// An obstacle on the way of one member of a charge. OBS-01
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Barrier {
    /// The travel at which its anchor meets it, thousandths of an inch.
    pub travel: i32,
    /// Which.
    pub obstacle: FeatureId,
    /// Its kind.
    pub kind: ObstacleKind,
}

/// What crossing does to a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossed {
    /// It goes on with what is left.
    GoesOn,
    /// It has nothing left, and halts after so much more travel, thousandths of an inch. OBS-14
    Halts(i32),
}

/// The dice that a charge throws for the inches it loses at an obstacle; none: it loses none there.
pub fn loss_dice(rules: &Ruleset, kind: ObstacleKind) -> u32 {
    let dice = match kind {
        ObstacleKind::Fence | ObstacleKind::StoneWall | ObstacleKind::Bank => 0,
        ObstacleKind::HastyWorks => rules.works.hasty.charge_loss_dice,
        ObstacleKind::MediumWorks => rules.works.medium.charge_loss_dice,
        ObstacleKind::HeavyWorks => rules.works.heavy.charge_loss_dice,
        ObstacleKind::Abatis => rules.obstacle.abatis.charge_loss_dice,
        ObstacleKind::Fraise => rules.obstacle.fraise.charge_loss_dice,
        ObstacleKind::ChevauxDeFrise => rules.obstacle.chevaux_de_frise.charge_loss_dice,
    };
    u32::try_from(dice).unwrap_or(0)
}

/// The rule by which an obstacle hinders a charge.
pub const fn rule_of(kind: ObstacleKind) -> RuleId {
    match kind {
        ObstacleKind::MediumWorks | ObstacleKind::HeavyWorks => WORKS_18,
        ObstacleKind::Abatis => OBS_11,
        ObstacleKind::Fraise => OBS_19,
        ObstacleKind::ChevauxDeFrise => OBS_26,
        ObstacleKind::HastyWorks | ObstacleKind::Fence | ObstacleKind::StoneWall | ObstacleKind::Bank => WORKS_11,
    }
}

/// An obstacle as a sentence names it.
pub const fn words(kind: ObstacleKind) -> &'static str {
    match kind {
        ObstacleKind::Fence => "the fence",
        ObstacleKind::StoneWall => "the stone wall",
        ObstacleKind::Bank => "the bank",
        ObstacleKind::HastyWorks => "the hasty works",
        ObstacleKind::MediumWorks => "the medium works",
        ObstacleKind::HeavyWorks => "the heavy works",
        ObstacleKind::Abatis => "the abatis",
        ObstacleKind::Fraise => "the fraise",
        ObstacleKind::ChevauxDeFrise => "the chevaux-de-frise",
    }
}

/// How a charge ends that is stopped there. OBS-14
pub const fn stopped_at(kind: ObstacleKind) -> &'static str {
    if kind.is_works() { "was stopped in crossing the works" } else { "was stopped in crossing an obstacle" }
}

/// OBS-01, WORKS-11 The obstacles that the anchor of a unit meets within so much travel along a bearing, in order.
pub fn on_way(field: &Field<'_>, ix: UnitIx, bearing: Bearing, most: i32) -> Vec<Barrier> {
    let from = field.unit(ix).footing.anchor;
    let by = displacement(bearing, most);
    let to = Point::new(from.x.saturating_add(by.x), from.y.saturating_add(by.y));
    let ground = field.ground().for_front(Drawn::of(field.unit(ix)).frontage());
    let crossings = ground.barriers(from, to).into_iter();
    let met = crossings.filter(|crossing| 0 < loss_dice(field.rules, crossing.obstacle.kind)).map(|crossing| Barrier {
        travel: crossing.travel,
        obstacle: crossing.obstacle.id.clone(),
        kind: crossing.obstacle.kind,
    });
    met.collect()
}

/// OBS-11, OBS-19, WORKS-11, WORKS-18 A member crosses: it is in disorder at once and throws for the inches that it loses. `left`
/// are its points there; a throw that is not less leaves it just across.
pub fn cross(play: &mut Play<'_>, run: &mut Run, ix: UnitIx, met: &Barrier, left: i64) -> Crossed {
    let rule = rule_of(met.kind);
    fall_into_disorder(play, ix, rule);
    let (id, name) = (play.table()[ix].id.clone(), named(&play.table()[ix].name));
    let key = [id.as_str()];
    let first = play.thrown(Purpose::ObstacleLoss, &key) + 1;
    let dice = throw(play.dice, play.phase, Purpose::ObstacleLoss, &key, first, loss_dice(play.rules, met.kind));
    let lost = dice.faces.iter().map(|face| i32::from(*face)).sum();
    let points = run.pace.points(Inches::whole(lost).thousandths());
    *run.losses.entry(ix).or_default() += points;
    let halts = left <= points;
    let loss = fire::inches(Inches::whole(lost).thousandths());
    let mut text = format!("{name} loses {loss} in crossing {}.", words(met.kind));
    if halts {
        text = format!("{name} loses {loss} in crossing {}, and has none left: it halts just across.", words(met.kind));
    }
    let mut told = sentence(text).with_dice(dice);
    if halts {
        told = told.with_note(OBS_14, format!("it had {}", inches(run.pace.length_of(left))));
    }
    let lost = Inches::whole(lost).thousandths().unsigned_abs();
    let fact = Fact::ObstacleMet { unit: id, obstacle: met.obstacle.clone(), lost, stops: halts };
    play.tell(rule, fact, told);
    if halts { Crossed::Halts(travel_across(play, run, ix)) } else { Crossed::GoesOn }
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
