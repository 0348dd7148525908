//! Work with axe and spade: what a unit fells, digs, turns about and tears down, turn after turn. OBS-02 to OBS-09, OBS-15,
//! OBS-20, OBS-27, WORKS-03 to WORKS-16
//!
//! One kind of work is one file: it says what the work needs where the unit stands ([`Plan`]), and what its end does to the
//! ground. `labour` counts the turns of them all alike: taken up at the reveal (phase 3), begun or gone on with when phase 7
//! opens, counted when phase 8 closes. `obstacles` is the one place that changes obstacles on the table and tells of it.
//!
//! Start at [`plan`], then `labour`.

mod abatis;
mod destroy;
mod hasty;
mod labour;
mod obstacles;
mod reach;
mod swing;
#[cfg(test)]
mod tests;
mod tread;

use protocol::event::Morale;
use protocol::ids::FeatureId;
use protocol::orders::Work;
use protocol::place::{Bearing, Point};
use protocol::words::Arm;

pub(crate) use labour::{begin, begin_of, close, close_of, foreseen, limit, shown, take_up, take_up_of};
pub(crate) use obstacles::{Changed, changed, dig_before_battle, free_name};
pub(crate) use swing::{swing, swinging};
pub(crate) use tread::tread_down;

use crate::battle::{Unit, UnitIx};
use crate::catalogue::{OBS_08, RuleId, TAC_07};
use crate::field::Field;
use crate::ground::{ObstacleKind, Stretch};

/// Why a task cannot be given: rule, and words to be read after the unit's name.
pub(crate) type Reason = (RuleId, String);

/// Where a unit stands when it begins, and what it is at already. OBS-09
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    /// Its anchor.
    pub anchor: Point,
    /// Its facing.
    pub facing: Bearing,
    /// The obstacle or works that it has begun to destroy or turn: these and no others.
    pub obstacle: Option<&'a FeatureId>,
}

/// Turns that a work takes, without engineers and with them. OBS-04, OBS-05
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Without engineers.
    pub alone: u32,
    /// With engineers all the time.
    pub with_engineers: u32,
}

/// What a task is for a unit where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The rule of the work.
    pub rule: RuleId,
    /// The turns that it takes.
    pub span: Span,
    /// The rule by which a competence roll comes before its first turn, where one does. OBS-02
    pub roll: Option<RuleId>,
    /// What there is when it is done.
    pub outcome: Outcome,
}

/// What a work does to the ground when it is done. A new kind of outcome is carried out in `obstacles`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A new obstacle or works along this line; works face to the left of it.
    Build(ObstacleKind, Vec<Point>),
    /// Works along this line, which take the place of these stretches of a fence or wall. WORKS-09
    Replace {
        /// Their kind.
        kind: ObstacleKind,
        /// Their line; they face to the left of it.
        line: Vec<Point>,
        /// What goes into them.
        swallowed: Vec<(FeatureId, Stretch)>,
    },
    /// Stretches of works face the other way. The first is the one that the work was given for. WORKS-14
    Turn(Vec<(FeatureId, Stretch)>),
    /// Stretches are taken out of these. The first is the one that the work was given for.
    Remove(Vec<(FeatureId, Stretch)>),
}

/// What a task is for a unit at a site. A new kind of work has its line here.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn plan(field: &Field<'_>, ix: UnitIx, site: Site<'_>, work: Work, at: &[Point]) -> Result<Plan, Reason> {
    may_work(field.unit(ix))?;
    match work {
        Work::BuildAbatis => abatis::plan(field, ix, site, at),
        Work::Destroy => destroy::plan(field, ix, site, at),
        Work::BuildHastyWorks => hasty::plan_building(field, ix, site, at),
        Work::TurnWorks => hasty::plan_turning(field, ix, site, at),
    }
}

/// OBS-07 Why a unit may not be told to work like this.
pub(crate) fn why_not(field: &Field<'_>, ix: UnitIx, work: Work, at: &[Point]) -> Option<Reason> {
    let (site, at) = labour::resumed(field.unit(ix), work, at);
    plan(field, ix, site, work, at).err()
}

/// OBS-08 Foot alone works: regiments and battalions, and cavalry that has dismounted.
fn may_work(unit: &Unit) -> Result<(), Reason> {
    let no = |text: &str| Err((OBS_08, text.to_owned()));
    match unit.arm {
        Arm::Infantry => {}
        Arm::Cavalry if !unit.mounted => {}
        Arm::Cavalry => return no("is mounted and cannot work with axe and spade; dismount first"),
        Arm::Artillery | Arm::GunCrew => return no("is of the artillery, which does no such work; send infantry"),
        Arm::Sharpshooter => return no("is a detachment of sharpshooters, too few for such work; send a regiment"),
    }
    if unit.morale == Morale::Routed {
        return no("is routed and cannot work until it has rallied");
    }
    if unit.footing.prone {
        return Err((TAC_07, "lies prone and must rise before it works; let it rise in a MOVE".to_owned()));
    }
    Ok(())
}

/// OBS-04 The frontage of a unit in line: its stands side by side, thousandths of an inch.
pub(crate) fn frontage(unit: &Unit) -> i32 {
    i32::try_from(unit.stands.len()).unwrap_or(i32::MAX).saturating_mul(unit.stand_width)
}

/// REV-02, OBS-07 What the reveal says of a task, to be read after the unit's name.
pub(crate) const fn in_words(work: Work) -> &'static str {
    match work {
        Work::BuildAbatis => "builds an abatis",
        Work::BuildHastyWorks => "builds hasty works",
        Work::TurnWorks => "turns works about",
        Work::Destroy => "destroys obstacles or works",
    }
}
