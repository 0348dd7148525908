//! What may happen to the members of a charge on a leg. CHG-12, CHG-44, CHG-49

use protocol::ids::FeatureId;
use protocol::orders::Order;

use super::super::run::{Run, is_fit};
use crate::battle::UnitIx;
use crate::catalogue::{CHG_12, CHG_44};
use crate::competence;
use crate::dice::Purpose;
use crate::field::Field;
use crate::morale::consequence::fall_into_disorder;
use crate::play::Play;

/// CHG-44 Supports that are halted leave the charge in disorder.
pub(super) fn drop_halted(play: &mut Play<'_>, run: &mut Run) {
    for ix in run.supports.clone() {
        if is_fit(&play.table()[ix]) {
            continue;
        }
        run.leaves(ix);
        play.table_mut()[ix].marks.order_spent = true;
        fall_into_disorder(play, ix, CHG_44);
    }
}

/// CHG-49 The rolls of the point and of a friend in its way.
pub(super) fn pass_through(play: &mut Play<'_>, run: &Run, friend: UnitIx) {
    let findings = {
        let field = Field::new(play.rules, play.table(), play.dice);
        competence::pass_through(play, &field, run.point, friend)
    };
    for finding in findings {
        let (unit, passed, rule) = (finding.unit, finding.passed, finding.rule);
        finding.tell(play);
        if !passed {
            fall_into_disorder(play, unit, rule);
        }
    }
}

/// CHG-12 The feature at which a charge may halt: its own objective, or one that its owner named, for one that runs on.
pub(super) fn feature_of(play: &Play<'_>, run: &Run) -> Option<FeatureId> {
    let named = play.choice(run.point, None, |said| said.halt_at.clone().map(Some)).0;
    match (play.order(run.point), run.target) {
        (Order::Charge { objective, .. }, None) => named.or(objective),
        _ => named.filter(|_| run.is_victor),
    }
}

/// CHG-12 One competence roll to halt there.
pub(super) fn halts_at_feature(play: &mut Play<'_>, run: &Run) -> bool {
    let finding = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let key = field.unit(run.point).id.to_string();
        competence::roll(play, &field, run.point, Purpose::ChargeHalt, &[&key], "halting its charge")
    };
    let passed = finding.passed;
    competence::Finding { rule: CHG_12, ..finding }.tell(play);
    passed
}
