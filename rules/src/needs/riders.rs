//! Horse that a charge strikes, and how it would join in against one on somebody else. CC-14 to CC-17, CAVC-05 to CAVC-16

use protocol::event::Note;
use protocol::needs::NeedAnswer;
use protocol::orders::Instructions;

use super::charged::as_ordered;
use super::{Looking, answer};
use crate::catalogue::{CAVC_06, CAVC_07, CAVC_11, CAVC_38, CC_16, CC_17, RuleId};
use crate::charge::prospect::outcome::Asked;
use crate::charge::prospect::{self, Rides};

/// CC-14 Charged horse comes to meet the charge if it can; what its owner says is what a failed roll does. CAVC-07
pub(super) fn charged(looking: &Looking<'_>, asked: &Asked<'_>) -> Vec<NeedAnswer> {
    match prospect::rides_to_meet(asked.field, asked.unit, asked.order, asked.coming) {
        None | Some(Rides::OutOfForming) => vec![as_ordered("receives the charge at a halt", None, CAVC_38)],
        Some(Rides::OffTheMarch) => vec![as_ordered("comes to meet it, in disorder", None, CAVC_11)],
        Some(Rides::InOrderByRoll) => by_roll(looking, asked),
    }
}

fn by_roll(looking: &Looking<'_>, asked: &Asked<'_>) -> Vec<NeedAnswer> {
    let said = |goes| Instructions { countercharge_if_disordered: Some(goes), ..Instructions::default() };
    let goes = answer("come to meet it, if the roll fails in disorder", said(true), CAVC_07);
    let answers = vec![
        NeedAnswer { notes: notes(asked), ..goes },
        answer("come to meet it, but stand if the roll fails", said(false), CAVC_07),
    ];
    let chosen = looking.said(asked.unit).into_iter().find_map(|said| said.countercharge_if_disordered);
    looking.in_force(asked.unit, answers, |said| said.countercharge_if_disordered, &chosen.unwrap_or(true))
}

/// In what order it would come.
pub(super) fn notes(asked: &Asked<'_>) -> Vec<Note> {
    let note = |rule: RuleId, text: String| vec![Note { rule: rule.into(), text }];
    match prospect::may_ride_along(asked.field, asked.unit, asked.order, asked.coming) {
        None => Vec::new(),
        Some(Rides::OffTheMarch) => note(CC_16, "off the march it comes in disorder".to_owned()),
        Some(Rides::OutOfForming) => {
            note(CC_17, "out of forming it comes in disorder, with 2 more at impact".to_owned())
        }
        Some(Rides::InOrderByRoll) => {
            let keeps = asked.keeps_order();
            let text = match keeps.is_possible() {
                true => format!("{} of coming in good order, before bad ground on the way", keeps.percent()),
                false => "it comes in disorder".to_owned(),
            };
            note(CAVC_06, text)
        }
    }
}
