//! What becomes of a skirmish screen that fails its checks. TAC-19 to TAC-21
//!
//! Owns the telling of its checks and its end. Its regiment is neither shaken nor alarmed by it, and nobody minds who sees it.

use protocol::event::{Fact, Morale};

use super::check::Verdict;
use crate::catalogue::{TAC_20, TAC_21};
use crate::explain::{Explain, sentence};
use crate::field::Field;
use crate::losses;
use crate::play::Play;

/// TAC-19 Tells the checks of a screen. The morale of its regiment, which the facts name, is what it was.
pub(super) fn tell_checks(play: &mut Play, field: &Field, verdict: &Verdict) {
    let unit = field.unit(verdict.unit).id.clone();
    for checked in verdict.screen.iter().flat_map(|screen| &screen.checks) {
        let fact = Fact::MoraleCheck {
            unit: unit.clone(),
            because: format!("skirmish screen: {}", checked.because),
            passed: checked.passed,
            before: verdict.after,
            after: verdict.after,
        };
        play.tell(checked.rule, fact, checked.explanation.clone());
    }
}

/// TAC-20, TAC-21 A screen that goes shaken falls back behind its regiment, one that routs is gone; the screen of a regiment
/// that is lost or has lost its order goes with it.
pub(super) fn go(play: &mut Play, verdict: &Verdict) {
    let Some(worse) = verdict.screen.as_ref().and_then(|screen| screen.worse) else { return };
    let unit = &play.table()[verdict.unit];
    if !unit.on_table() || !unit.footing.screen_is_out() {
        return;
    }
    match worse {
        Morale::Good => {}
        Morale::Shaken => fall_back(play, verdict),
        Morale::Routed => run(play, verdict),
    }
}

fn fall_back(play: &mut Play, verdict: &Verdict) {
    let unit = &mut play.table_mut()[verdict.unit];
    unit.footing.screen_back = true;
    let text = format!("The skirmish screen of {} falls back behind its regiment.", unit.name);
    let fact = Fact::Formed { unit: unit.id.clone(), after: unit.stance() };
    play.tell(TAC_20, fact, sentence(text).with_note(TAC_20, "it rejoins the line at the end of phase 3 of next turn"));
}

fn run(play: &mut Play, verdict: &Verdict) {
    let unit = &mut play.table_mut()[verdict.unit];
    let taken = losses::screen_runs(unit);
    let text = format!("The skirmish screen of {} runs and is gone.", unit.name);
    let note = "the regiment takes no check for it; it counts as a stand lost from next turn";
    let fact = losses::fact(&play.table()[verdict.unit], taken, 0);
    play.tell(TAC_21, fact, sentence(text).with_note(TAC_21, note));
}
