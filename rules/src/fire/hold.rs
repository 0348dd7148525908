//! Holding units choose their moment. FIRE-35, HOLDF-04
//!
//! Owns the triggers. They are tested on the target of the instant, on one look for all; none looks at hidden units.

use std::rc::Rc;

use protocol::event::FlankClass;
use protocol::orders::{HoldTrigger, Order, RangeBand, UnseenFire};

use super::lay::{Glance, glance, lay};
use super::officers::Officers;
use super::rights::may_fire;
use super::shooter::Reach;
use super::target::{Candidates, choose, other_faces};
use super::unseen::{Unseen, at_the_unseen};
use super::volley::column_may_fire;
use super::wishes::Wishes;
use super::{Aims, Occasion, Shot, Standing, batteries, look, odds};
use crate::battle::{Table, Unit, UnitIx};
use crate::column;
use crate::field::Field;
use crate::instant::{Instant, Proposed, When};
use crate::play::Play;

/// What those who may hold their fire in a phase 7 have been told: their orders and their owners' wishes, both given before
/// it and unchanged in it.
#[derive(Default)]
pub struct Holders {
    told: Vec<(UnitIx, Order, Wishes)>,
    /// How they have aimed at the instants before.
    aims: Rc<Aims>,
}

impl Holders {
    /// The holders of a phase that is about to begin.
    pub fn of(play: &Play<'_>) -> Holders {
        let told = play.table().all_units().map(|(ix, _)| (ix, play.order(ix), Wishes::of(play, ix)));
        Holders { told: told.collect(), aims: Rc::default() }
    }

    /// HOLDF-04 The shots that fall at one instant of phase 7: of every unit on HOLD or Conditional Hold that has not fired,
    /// and of those on FIRST FIRE that kept their shot for want of a target, whose triggers are met.
    pub fn shots(&self, play: &Play<'_>, instant: Instant<'_>) -> Vec<Shot> {
        self.shots_of(play, instant, may_be_ready)
    }

    /// HID-52 As [`Holders::shots`], of these units alone.
    pub fn shots_of_these(&self, play: &Play<'_>, instant: Instant<'_>, units: &[UnitIx]) -> Vec<Shot> {
        if units.is_empty() {
            return Vec::new();
        }
        self.shots_of(play, instant, |field, ix, wishes, instant| {
            units.contains(&ix) && may_be_ready(field, ix, wishes, instant)
        })
    }

    /// VIS-12 The fires at what is not seen, at the instant after the last segment: of all who hold and have not fired, and are not
    /// among those whose shots fall now.
    pub fn at_the_unseen(&self, play: &Play<'_>, shots: &[Shot]) -> Vec<Unseen> {
        let field = look(play, play.table());
        let fires_now = |ix: UnitIx| shots.iter().flat_map(|shot| &shot.firers).any(|firer| firer.unit == ix);
        let told = self.told.iter().filter(|(ix, order, wishes)| {
            wishes.unseen_fire != UnseenFire::None {} && is_waiting(field.unit(*ix), order) && !fires_now(*ix)
        });
        let fires = told.filter_map(|(ix, order, wishes)| {
            let unit = field.unit(*ix);
            may_fire(unit, order, Occasion::Hold).ok()?;
            column_may_fire(unit, wishes, false).ok()?;
            let dice = Some((play.dice, play.phase));
            let looking = Candidates { field: &field, unit: *ix, order, wishes, occasion: Occasion::Hold, dice };
            at_the_unseen(play, &looking).filter(|_| wishes.lets_fire(order, false))
        });
        fires.collect()
    }

    /// The shots of those whom a sieve lets through.
    fn shots_of(
        &self,
        play: &Play<'_>,
        instant: Instant<'_>,
        sieve: impl Fn(&Field<'_>, UnitIx, &Wishes, Instant<'_>) -> bool,
    ) -> Vec<Shot> {
        let field = Field::aiming(play.rules, play.table(), play.dice, &self.aims);
        let mut waiting = Vec::new();
        for (ix, order, wishes) in &self.told {
            let unit = field.unit(*ix);
            if !is_waiting(unit, order) || !sieve(&field, *ix, wishes, instant) {
                continue;
            }
            let bound = may_fire(unit, order, Occasion::Hold).is_err() || column_may_fire(unit, wishes, false).is_err();
            if bound || !wishes.lets_fire(order, false) {
                continue;
            }
            let looking = Candidates {
                field: &field,
                unit: *ix,
                order,
                wishes,
                occasion: Occasion::Hold,
                dice: Some((play.dice, play.phase)),
            };
            let Some(shot) = choose(&looking).ok() else { continue };
            let beside = other_faces(&looking, &shot);
            waiting.extend(Waiting::new(&field, shot, wishes).map(|holder| Waiting { beside, ..holder }));
        }
        foresee(play, &self.aims, &field, instant, &mut waiting);
        let ready: Vec<&Waiting<'_>> = waiting.iter().filter(|holder| holder.is_ready(&field, instant.when)).collect();
        if ready.is_empty() {
            return Vec::new();
        }
        let wishes: Vec<(UnitIx, Wishes)> =
            ready.iter().map(|holder| (holder.shot.lead(), holder.wishes.clone())).collect();
        let shots = ready.into_iter().flat_map(|holder| [Some(holder.shot.clone()), holder.beside.clone()]);
        batteries::combine(&field, shots.flatten().collect(), &wishes)
    }
}

/// HOLDF-04 The shots of one instant, without the quick no: for the test that it makes no difference.
#[cfg(test)]
pub(super) fn hold_shots_unsieved(play: &Play<'_>, instant: Instant<'_>) -> Vec<Shot> {
    Holders::of(play).shots_of(play, instant, |_, _, _, _| true)
}

/// HOLDF-04 The shots of one instant, of holders who have not been asked before.
pub fn hold_shots(play: &Play<'_>, instant: Instant<'_>) -> Vec<Shot> {
    Holders::of(play).shots(play, instant)
}

/// Whether a unit has a shot that it holds: what [`may_fire`] tells first, without its words.
pub(crate) fn is_waiting(unit: &Unit, order: &Order) -> bool {
    unit.on_table() && unit.marks.fires == 0 && (unit.marks.shot_kept || Standing::of(unit, order).holds())
}

/// FIRE-35 Whether a trigger is met by a shot as all stand now, in the midst of phase 7.
pub(crate) fn is_met_now(field: &Field<'_>, shot: Shot, wishes: &Wishes, trigger: &HoldTrigger) -> bool {
    let waiting = Waiting::new(field, shot, wishes);
    waiting.is_some_and(|waiting| waiting.is_met(field, trigger, When::Segment(1)))
}

/// Whether any clause of a holder could be met at this instant, from the boxes about the units: never no when one is.
fn may_be_ready(field: &Field<'_>, ix: UnitIx, wishes: &Wishes, instant: Instant<'_>) -> bool {
    let Some(reach) = Reach::of(field.rules, field.unit(ix)).filter(|_| !wishes.hold_fire.only_if_charged) else {
        return false;
    };
    let unit = field.unit(ix);
    let own = field.extent(ix);
    let near: Vec<UnitIx> = field.enemies_near(unit.side, own, reach.long).collect();
    if near.is_empty() {
        return false;
    }
    let within =
        |distance: i32| near.iter().any(|enemy| field.extent(*enemy).may_be_within(own, distance.min(reach.long)));
    let may_be_met = |trigger: &HoldTrigger| match trigger {
        HoldTrigger::At { band: RangeBand::Close } => within(reach.close),
        HoldTrigger::At { band: RangeBand::Normal } => within(reach.normal),
        HoldTrigger::Within { distance } => within(i32::try_from(*distance).unwrap_or(i32::MAX)),
        HoldTrigger::BeforeLeaving {} => !instant.next.is_empty(),
        HoldTrigger::BeforeMove {} => instant.when == When::Before,
        HoldTrigger::AfterMove {} => instant.when == When::After,
        HoldTrigger::At { band: RangeBand::Long }
        | HoldTrigger::OnFlank {}
        | HoldTrigger::OutOfCover {}
        | HoldTrigger::Expected { .. } => true,
    };
    wishes.hold_fire.any_of.iter().any(|clause| clause.iter().all(&may_be_met))
}

/// A holder with a target.
struct Waiting<'h> {
    shot: Shot,
    /// What a square fires at the same moment with its other faces. TAC-39
    beside: Option<Shot>,
    wishes: &'h Wishes,
    /// How it would be fired now.
    laid: Glance,
    /// Whether the target is about to leave; no while nobody asked.
    leaving: bool,
}

impl<'h> Waiting<'h> {
    /// None: it waits for another target, or no rule allows the shot.
    fn new(field: &Field<'_>, shot: Shot, wishes: &'h Wishes) -> Option<Waiting<'h>> {
        let other = wishes.hold_fire.wait_for.as_ref().is_some_and(|wanted| {
            let struck = column::lead_of(field.table, shot.target);
            *wanted != field.unit(shot.target).id && *wanted != field.unit(struck).id
        });
        if other {
            return None;
        }
        let laid = glance(field, &shot).ok()?;
        Some(Waiting { shot, beside: None, wishes, laid, leaving: false })
    }

    /// FIRE-35 Whether any clause is met.
    fn is_ready(&self, field: &Field<'_>, when: When) -> bool {
        let mut clauses = self.wishes.hold_fire.any_of.iter();
        clauses.any(|clause| clause.iter().all(|trigger| self.is_met(field, trigger, when)))
    }

    fn is_met(&self, field: &Field<'_>, trigger: &HoldTrigger, when: When) -> bool {
        let laid = &self.laid;
        match trigger {
            HoldTrigger::At { band } => laid.band <= *band,
            HoldTrigger::Within { distance } => laid.range.within(i32::try_from(*distance).unwrap_or(i32::MAX)),
            HoldTrigger::OnFlank {} => laid.flank != FlankClass::Front,
            HoldTrigger::OutOfCover {} => {
                let laid = lay(field, &self.shot, &Officers::Present);
                laid.is_ok_and(|laid| laid.cover.total() == 0 && !field.unit(laid.shot.target).footing.prone)
            }
            HoldTrigger::Expected { tenths } => odds(field, &self.shot).is_ok_and(|odds| odds.expects(*tenths)),
            HoldTrigger::BeforeLeaving {} => self.leaving,
            HoldTrigger::BeforeMove {} => when == When::Before,
            HoldTrigger::AfterMove {} => when == When::After,
        }
    }

    fn asks_to_foresee(&self) -> bool {
        self.wishes.hold_fire.any_of.iter().flatten().any(|trigger| *trigger == HoldTrigger::BeforeLeaving {})
    }
}

/// FIRE-35 `before_leaving`: were every mover to take its next step, would the target go beyond normal range, beyond long
/// range, or out of sight, zones or lines? Nobody foresees who is ready without it.
fn foresee(play: &Play<'_>, aims: &Rc<Aims>, now: &Field<'_>, instant: Instant<'_>, waiting: &mut [Waiting<'_>]) {
    let asks = |holder: &Waiting<'_>| {
        holder.asks_to_foresee()
            && line_may_change(now.table, &holder.shot, instant.next)
            && !holder.is_ready(now, instant.when)
    };
    let asking: Vec<&mut Waiting<'_>> = waiting.iter_mut().filter(|holder| asks(holder)).collect();
    if asking.is_empty() {
        return;
    }
    let mut next: Table = now.table.clone();
    for proposed in instant.next {
        next[proposed.unit].footing = proposed.footing.clone();
    }
    // Most of these steps are taken: how is aimed then is found once.
    let next = Field::aiming(play.rules, &next, play.dice, aims);
    for holder in asking {
        let there = glance(&next, &holder.shot).ok();
        let there = there.filter(|_| next.sees(holder.shot.lead(), holder.shot.target));
        holder.leaving = match there {
            None => true,
            Some(there) => holder.laid.band <= RangeBand::Normal && RangeBand::Normal < there.band,
        };
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
