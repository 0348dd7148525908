//! Supports whose point is halted by fire: they stack up behind it, or press on one by one. CHG-45 to CHG-47

use protocol::orders::PressOn;

use super::Charges;
use super::run::{Run, is_fit};
use crate::battle::UnitIx;
use crate::catalogue::{CHG_45, CHG_46};
use crate::field::Field;
use crate::morale;
use crate::morale::consequence::fall_into_disorder;
use crate::play::Play;

use super::threat::distance;

/// ALG-CHARGE 13 The checks of all who press on come first; those that pass go on at once, nearest first, each as a charge of its
/// own, in disorder, on what is left of the distance.
pub fn press_on(play: &mut Play<'_>, charges: &mut Charges<'_>, run: &mut Run) {
    let supports = std::mem::take(&mut run.supports);
    let (pressing, stacked): (Vec<UnitIx>, Vec<UnitIx>) = supports.into_iter().partition(|ix| presses(play, run, *ix));
    for ix in stacked {
        fall_into_disorder(play, ix, CHG_45);
        play.table_mut()[ix].marks.order_spent = true;
    }
    if pressing.is_empty() {
        return;
    }
    let charge = charges.in_charge(&pressing, run.target.as_slice(), &[]);
    let queued = morale::press_on(play, &pressing, &charge);
    charges.queue.extend(queued);
    let mut going: Vec<UnitIx> = pressing.iter().copied().filter(|ix| is_fit(&play.table()[*ix])).collect();
    if let Some(target) = run.target {
        let field = Field::new(play.rules, play.table(), play.dice);
        going.sort_by_cached_key(|ix| (distance(&field, *ix, target), field.center(*ix)));
    }
    let mut volley_due = run.volley_due.take();
    for ix in going {
        if !is_fit(&play.table()[ix]) {
            continue;
        }
        let mut alone = run.alone(play, ix);
        alone.volley_due = volley_due.take();
        fall_into_disorder(play, ix, CHG_46);
        let ended = charges.play_out(play, alone);
        volley_due = ended.volley_due;
    }
}

/// CHG-45 Whether a support presses on, as its owner says.
fn presses(play: &mut Play<'_>, run: &Run, ix: UnitIx) -> bool {
    if !is_fit(&play.table()[ix]) {
        return false;
    }
    match play.decide(ix, "press_on", PressOn::No, |said| said.press_on) {
        PressOn::Yes => true,
        PressOn::IfNoLosses => !run.lost_figures.contains(&ix),
        PressOn::No => false,
    }
}
