//! The competence rolls that movement asks for, told at once. TC-05, TC-08

use crate::battle::UnitIx;
use crate::catalogue::MOVE_14;
use crate::competence::{self, Finding};
use crate::dice::Purpose;
use crate::field::Field;
use crate::play::Play;

/// MOVE-14 The roll of a unit that has pushed: whether it keeps its order.
pub(super) fn push(play: &mut Play<'_>, ix: UnitIx) -> bool {
    let id = play.table()[ix].id.clone();
    let field = Field::new(play.rules, play.table(), play.dice);
    let finding = competence::roll(play, &field, ix, Purpose::Push, &[id.as_str()], "the quick march");
    let finding = Finding { rule: MOVE_14, ..finding };
    let passed = finding.passed;
    finding.tell(play);
    passed
}
