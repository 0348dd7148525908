//! Units that hold their fire for a moment that cannot come any more. FIRE-35, HOLDF-04
//!
//! Owns when that is sure: a trigger that an enemy's march could still meet may come, and is passed over.

use protocol::event::OrderShown;
use protocol::needs::{Need, NeedKind};
use protocol::orders::{HoldFire, HoldTrigger, Instructions, RangeBand};

use super::{Looking, answer, wind};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::FIRE_35;
use crate::charge::threat;
use crate::column;
use crate::explain::named;
use crate::fire::{self, Candidates, Occasion, Wishes, inches};

/// A unit that could fire now, and will not in this turn as it was told.
pub(super) fn missed(looking: &Looking<'_>, ix: UnitIx) -> Option<Need> {
    let (field, order, wishes) = (looking.field, looking.order(ix), looking.wishes(ix));
    let unit = field.unit(ix);
    if !fire::is_waiting(unit, &order) || !wishes.lets_fire(&order, false) {
        return None;
    }
    fire::may_fire(unit, &order, Occasion::Hold).ok()?;
    fire::column_may_fire(unit, &wishes, false).ok()?;
    let looks = Candidates { field, unit: ix, order: &order, wishes: &wishes, occasion: Occasion::Hold, dice: None };
    let target = fire::choose(&looks).ok()?.target;
    // A unit that a charge will strike is listed as charged.
    if may_come(&looks) {
        return None;
    }
    let bearing = looking.bearing(ix, target);
    let distance = field.distance(ix, target).rounded();
    let sentence = format!(
        "{} waits for a moment that cannot come: as it is told it will not fire, though {} is {} off to the {}.",
        named(&unit.name),
        looking.name(target),
        inches(distance),
        wind(bearing)
    );
    let what =
        NeedKind::ShotMissed { target: field.unit(target).id.clone(), bearing, distance: distance.unsigned_abs() };
    let said = |hold_fire: HoldFire| Instructions { hold_fire: Some(hold_fire), ..Instructions::default() };
    let at_once = HoldFire { any_of: vec![vec![HoldTrigger::BeforeMove {}]], only_if_charged: false, wait_for: None };
    let answers = vec![
        answer("keep the shot", said(wishes.hold_fire.clone()), FIRE_35),
        answer("fire before anybody moves", said(at_once), FIRE_35),
        answer("fire at close range, or after the moves", said(Wishes::default().hold_fire), FIRE_35),
    ];
    let answers = looking.in_force(ix, answers, |said| said.hold_fire.clone(), &wishes.hold_fire);
    Some(Need { unit: unit.id.clone(), what, sentence, rule: FIRE_35.into(), answers })
}

/// Whether any clause could still be met by any enemy.
fn may_come(looks: &Candidates<'_, '_>) -> bool {
    let Candidates { field, unit: ix, wishes, .. } = *looks;
    let hold = &wishes.hold_fire;
    if hold.only_if_charged {
        return false;
    }
    let waited_for = |enemy: UnitIx| {
        let lead = column::lead_of(field.table, enemy);
        hold.wait_for.as_ref().is_none_or(|wanted| [enemy, lead].iter().any(|ix| field.unit(*ix).id == *wanted))
    };
    let enemies = field.enemies_of(field.unit(ix).side);
    let mut enemies =
        enemies.filter(|(enemy, unit)| unit.is_unrouted() && fire::is_target(field, *enemy) && waited_for(*enemy));
    enemies.any(|(enemy, _)| {
        hold.any_of.iter().any(|clause| clause.iter().all(|trigger| could_meet(looks, enemy, trigger)))
    })
}

/// Whether one enemy could still meet a trigger, by the farthest that he could come.
fn could_meet(looks: &Candidates<'_, '_>, enemy: UnitIx, trigger: &HoldTrigger) -> bool {
    let Candidates { field, unit: ix, wishes, .. } = *looks;
    let moves = !stays(field.unit(enemy));
    let Some([close, normal, long]) = fire::ranges(field.rules, field.unit(ix)) else { return false };
    let comes = if moves { threat::reach(field, enemy) } else { 0 };
    let within = |limit: i32| field.within(ix, enemy, limit.min(long).saturating_add(comes));
    let now = || {
        let shot = fire::shot_at_unit(looks, enemy).ok();
        shot.is_some_and(|shot| fire::is_met_now(field, shot, wishes, trigger))
    };
    match trigger {
        HoldTrigger::At { band } => within(match band {
            RangeBand::Close => close,
            RangeBand::Normal => normal,
            RangeBand::Long => long,
        }),
        HoldTrigger::Within { distance } => within(i32::try_from(*distance).unwrap_or(i32::MAX)),
        HoldTrigger::BeforeMove {} | HoldTrigger::AfterMove {} => within(long),
        HoldTrigger::BeforeLeaving {} => moves && within(long),
        HoldTrigger::OnFlank {} | HoldTrigger::OutOfCover {} | HoldTrigger::Expected { .. } => {
            (moves && within(long)) || now()
        }
    }
}

/// Whether an enemy was shown to stay where he is.
fn stays(unit: &Unit) -> bool {
    unit.marks.shown.as_ref().is_some_and(OrderShown::stays)
}
