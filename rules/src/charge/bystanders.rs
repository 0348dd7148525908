//! Fire at a charge by units that are not charged by it. CHG-50
//!
//! Owns the point of the leg at which each would fire. Whether it may, and at whom, is [`crate::fire::bystander`]'s.

use protocol::orders::FireOnCharges;

use super::Charges;
use super::columns::body_of;
use super::run::Run;
use super::sweep::Slide;
use super::threat::body;
use crate::battle::UnitIx;
use crate::field::Field;
use crate::fire::{self, Occasion, Shot, Standing, Wishes};
use crate::geometry::{Distance, Extent, Rect};
use crate::play::Play;

/// The length in which a way is searched for its nearest point, thousandths of an inch.
const STRIDE: i32 = 125;

/// CHG-50 Who would fire at the charge, and at which travel, of those that are not its target.
pub fn planned(
    play: &Play<'_>,
    charges: &Charges<'_>,
    run: &Run,
    target: Option<UnitIx>,
    end: i32,
) -> Vec<(i32, UnitIx)> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let side = field.unit(run.point).side;
    let slides: Vec<Slide> = run.members().into_iter().map(|ix| Slide::new(body_of(&field, ix), run.bearing)).collect();
    let mut planned = Vec::new();
    let ways: Vec<Extent> = slides.iter().map(|slide| slide.extent(end)).collect();
    for (ix, unit) in field.enemies_of(side).filter(|(ix, _)| Some(*ix) != target) {
        let Some([close, normal, long]) = fire::ranges(play.rules, unit) else { continue };
        let farthest = close.max(normal).max(long);
        if !ways.iter().any(|way| way.may_be_within(field.extent(ix), farthest)) {
            continue;
        }
        let order = play.order(ix);
        let may = Standing::of(unit, &order).holds() || unit.marks.shot_kept;
        if !may || 0 < unit.marks.fires || fire::may_fire(unit, &order, Occasion::Charge).is_err() {
            continue;
        }
        let default = if charges.targets().contains(&ix) { FireOnCharges::Never } else { FireOnCharges::Nearest };
        let wish = Wishes::of(play, ix).fire_on_charges.unwrap_or(default);
        let theirs = body(field.layout(ix));
        let enters = |limit: i32| slides.iter().filter_map(|slide| slide.first_within(&theirs, limit, end)).min();
        let travel = match wish {
            FireOnCharges::Never => None,
            FireOnCharges::Close => enters(close),
            FireOnCharges::Normal => enters(normal),
            FireOnCharges::Long => enters(long),
            FireOnCharges::Nearest => nearest(&slides, &theirs, end, normal),
        };
        planned.extend(travel.map(|travel| (travel, ix)));
    }
    planned
}

/// The travel at which any of the members is nearest, if that is within normal range.
fn nearest(slides: &[Slide], theirs: &[Rect], end: i32, normal: i32) -> Option<i32> {
    let near = slides.iter().filter(|slide| slide.first_within(theirs, normal, end).is_some());
    let near: Vec<&Slide> = near.collect();
    let gap = |travel: i32| near.iter().map(|slide| slide.gap(theirs, travel)).min().unwrap_or(Distance::of(i32::MAX));
    if near.is_empty() {
        return None;
    }
    (0..end).step_by(STRIDE as usize).chain([end]).min_by_key(|travel| (gap(*travel), *travel))
}

/// CHG-50, HID-52 The shot of a unit that would open fire from hiding, and does not decline to fire at charges.
pub fn hidden_shot(trial: &Play<'_>, run: &Run, unit: UnitIx) -> Option<Shot> {
    let declines = Wishes::of(trial, unit).fire_on_charges == Some(FireOnCharges::Never);
    let charger = trial.table()[run.point].side;
    shot(trial, run, unit).filter(|_| !declines && trial.table()[unit].side != charger)
}

/// CHG-50 The shot of a unit at whichever member of the charge it must fire at where they stand now.
pub fn shot(play: &Play<'_>, run: &Run, unit: UnitIx) -> Option<Shot> {
    run.members().into_iter().find_map(|member| {
        let others: &[UnitIx] = if member == run.point { &run.supports } else { &[] };
        fire::bystander(play, unit, member, others).ok()
    })
}
