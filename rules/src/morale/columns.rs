//! A brigade column checks as one unit: its lead checks, and all its regiments are as the lead is then. TAC-32, TAC-33
//!
//! Owns what the lead's verdict comes to for those behind it, and their part in its fall-back. Whose stands count for a check,
//! and how many, is [`crate::column`]'s.

use protocol::event::Fact;

use super::check::{Checked, Verdict};
use crate::battle::UnitIx;
use crate::catalogue::TAC_32;
use crate::column;
use crate::explain::{Explain, sentence};
use crate::field::Field;
use crate::play::Play;

/// TAC-32 The verdicts of the regiments behind a lead: its own checks count for them. They are told whole for the lead alone.
pub(super) fn shared(field: &Field, of_lead: &Verdict) -> Vec<Verdict> {
    let lead = &field.unit(of_lead.unit).name;
    let behind = column::followers(field.table, of_lead.unit);
    let shared = behind.into_iter().map(|unit| {
        let name = &field.unit(unit).name;
        let explanation = sentence(format!("{name} takes part in the check of its column."))
            .with_note(TAC_32, format!("one check for the column of {lead}"));
        let taken = |checked: &Checked| Checked { rule: TAC_32, explanation: explanation.clone(), ..checked.clone() };
        Verdict {
            unit,
            checks: of_lead.checks.iter().map(taken).collect(),
            natural_twelve: false,
            screen: None,
            ..of_lead.clone()
        }
    });
    shared.collect()
}

/// TAC-32 Those behind a lead that has fallen back have fallen back with it.
pub(super) fn fall_back_with_lead(play: &mut Play, lead: UnitIx, distance: u32) {
    column::follow(play.table_mut(), lead);
    for ix in column::followers(play.table(), lead) {
        let unit = &mut play.table_mut()[ix];
        unit.marks.fell_back = true;
        let text = format!("{} falls back with the head of its column.", unit.name);
        let fact = Fact::FellBack { unit: unit.id.clone(), distance, after: unit.stance() };
        play.tell(TAC_32, fact, sentence(text));
    }
}
