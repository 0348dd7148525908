//! Holding units choose their moment. FIRE-35, HOLDF-04
//!
//! Owns the triggers. They are tested on the target of the instant, on one look for all; none looks at hidden units.

use protocol::event::FlankClass;
use protocol::orders::{HoldTrigger, RangeBand};

use super::lay::{Laid, lay};
use super::officers::Officers;
use super::rights::may_fire;
use super::target::{Candidates, anybody_near, choose};
use super::volley::column_may_fire;
use super::wishes::Wishes;
use super::{Occasion, Shot, batteries, look, odds};
use crate::battle::{Table, UnitIx};
use crate::field::Field;
use crate::instant::{Instant, Proposed, When};
use crate::play::Play;

/// HOLDF-04 The shots that fall at one instant of phase 7: of every unit on HOLD or Conditional Hold that has not fired, and
/// of those on FIRST FIRE that kept their shot for want of a target, whose triggers are met.
pub fn hold_shots(play: &Play<'_>, instant: Instant<'_>) -> Vec<Shot> {
    let field = look(play, play.table());
    let mut waiting = Vec::new();
    for (ix, unit) in play.table().units() {
        let order = play.order(ix);
        if may_fire(unit, &order, Occasion::Hold).is_err() || !anybody_near(&field, ix) {
            continue;
        }
        let wishes = Wishes::of(play, ix);
        if !wishes.lets_fire(&order, false) || column_may_fire(play, ix, &wishes, false).is_err() {
            continue;
        }
        let looking = Candidates {
            field: &field,
            unit: ix,
            order: &order,
            wishes: &wishes,
            occasion: Occasion::Hold,
            dice: Some((play.dice, play.phase)),
        };
        if let Ok(shot) = choose(&looking) {
            waiting.push(Waiting { shot, wishes, leaving: None });
        }
    }
    foresee(play, instant, &mut waiting);
    let ready = waiting.iter().filter(|holder| holder.is_ready(&field, instant.when));
    let wishes: Vec<(UnitIx, Wishes)> =
        waiting.iter().map(|holder| (holder.shot.lead(), holder.wishes.clone())).collect();
    batteries::combine(&field, ready.map(|holder| holder.shot.clone()).collect(), &wishes)
}

/// A holder with a target.
struct Waiting {
    shot: Shot,
    wishes: Wishes,
    /// Whether the target is about to leave; none while nobody asked.
    leaving: Option<bool>,
}

impl Waiting {
    /// FIRE-35 Whether any clause is met.
    fn is_ready(&self, field: &Field<'_>, when: When) -> bool {
        let wish = &self.wishes.hold_fire;
        if wish.only_if_charged {
            return false;
        }
        let target = field.unit(self.shot.target);
        if wish.wait_for.as_ref().is_some_and(|wanted| *wanted != target.id) {
            return false;
        }
        let Ok(laid) = lay(field, &self.shot, &Officers::Present) else { return false };
        wish.any_of.iter().any(|clause| clause.iter().all(|trigger| self.is_met(field, trigger, &laid, when)))
    }

    fn is_met(&self, field: &Field<'_>, trigger: &HoldTrigger, laid: &Laid, when: When) -> bool {
        match trigger {
            HoldTrigger::At { band } => laid.band <= *band,
            HoldTrigger::Within { distance } => laid.range.within(i32::try_from(*distance).unwrap_or(i32::MAX)),
            HoldTrigger::OnFlank {} => laid.flank != FlankClass::Front,
            HoldTrigger::OutOfCover {} => laid.cover.total() == 0 && !field.unit(laid.shot.target).footing.prone,
            HoldTrigger::Expected { tenths } => odds(field, &self.shot).is_ok_and(|odds| odds.expects(*tenths)),
            HoldTrigger::BeforeLeaving {} => self.leaving == Some(true),
            HoldTrigger::BeforeMove {} => when == When::Before,
            HoldTrigger::AfterMove {} => when == When::After,
        }
    }

    fn asks_to_foresee(&self) -> bool {
        self.wishes.hold_fire.any_of.iter().flatten().any(|trigger| *trigger == HoldTrigger::BeforeLeaving {})
    }
}

/// FIRE-35 `before_leaving`: were every mover to take its next step, would the target go beyond normal range, beyond long
/// range, or out of sight, zones or lines?
fn foresee(play: &Play<'_>, instant: Instant<'_>, waiting: &mut [Waiting]) {
    let changes =
        |holder: &Waiting| holder.asks_to_foresee() && line_may_change(play.table(), &holder.shot, instant.next);
    for holder in waiting.iter_mut().filter(|holder| holder.asks_to_foresee()) {
        holder.leaving = Some(false);
    }
    if !waiting.iter().any(changes) {
        return;
    }
    let mut next: Table = play.table().clone();
    for proposed in instant.next {
        next[proposed.unit].footing = proposed.footing.clone();
    }
    let (now, next) = (look(play, play.table()), look(play, &next));
    for holder in waiting.iter_mut().filter(|holder| changes(holder)) {
        let Ok(here) = lay(&now, &holder.shot, &Officers::Present) else { continue };
        let there = lay(&next, &holder.shot, &Officers::Present).ok();
        let there = there.filter(|_| next.sees(holder.shot.lead(), holder.shot.target));
        holder.leaving = Some(match there {
            None => true,
            Some(there) => here.band <= RangeBand::Normal && RangeBand::Normal < there.band,
        });
    }
}

/// Whether the next step of any mover could touch a shot: of its target, or of somebody near enough to come between. Most
/// instants of a turn change nothing for most holders, and need no second look.
fn line_may_change(table: &Table, shot: &Shot, next: &[Proposed]) -> bool {
    let (from, to) = (table[shot.lead()].footing.anchor, table[shot.target].footing.anchor);
    let between = |low: i32, high: i32, value: i32| low.min(high) - BESIDE <= value && value <= low.max(high) + BESIDE;
    next.iter().any(|proposed| {
        let anchor = proposed.footing.anchor;
        proposed.unit == shot.target || (between(from.x, to.x, anchor.x) && between(from.y, to.y, anchor.y))
    })
}

/// No unit reaches farther than this from its anchor, thousandths of an inch: a long line, or a column and its step.
const BESIDE: i32 = 12_000;
