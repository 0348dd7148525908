//! Units whose flank or rear lies open to an enemy in sight, and what may still be done about it. ENF-12, REV-05, REV-11

use protocol::event::{FlankClass, Morale, Note};
use protocol::needs::{Need, NeedAnswer, NeedKind};
use protocol::orders::{ChangeOnHold, Instructions, Order, Refuse, Stage};
use protocol::words::{Arm, Formation};

use super::{Looking, answer, is_conditional, wind};
use crate::battle::UnitIx;
use crate::catalogue::{ENF_12, REV_11};
use crate::chance::{Chance, FACES, sums};
use crate::competence;
use crate::explain::named;
use crate::fire::{self, inches};
use crate::holding::{self, THREAT_WITHIN};
use crate::morale::officer;

/// An enemy within reach who strikes the unit elsewhere than in front; none where nothing can be done about it any more.
pub(super) fn exposed(looking: &Looking<'_>, ix: UnitIx) -> Option<Need> {
    let field = looking.field;
    let near = field.enemies_of(field.unit(ix).side).filter(|(enemy, unit)| {
        unit.morale != Morale::Routed && fire::is_target(field, *enemy) && field.within(ix, *enemy, THREAT_WITHIN)
    });
    let strikes = near.filter_map(|(enemy, _)| {
        let class = fire::class_at_contact(field, enemy, ix);
        (class != FlankClass::Front && field.sees(ix, enemy)).then_some((enemy, class))
    });
    let (enemy, aspect) = strikes.min_by_key(|(enemy, _)| (field.distance(ix, *enemy), *enemy))?;
    let answers = answers(looking, ix, enemy, aspect);
    if answers.is_empty() {
        return None;
    }
    let bearing = looking.bearing(ix, enemy);
    let distance = field.distance(ix, enemy).rounded();
    let open = if aspect == FlankClass::Rear { "rear" } else { "flank" };
    let sentence = format!(
        "The {open} of {} lies open to {}, {} off to the {}.",
        looking.name(ix),
        looking.name(enemy),
        inches(distance),
        wind(bearing)
    );
    let what =
        NeedKind::FlankExposed { to: field.unit(enemy).id.clone(), bearing, distance: distance.unsigned_abs(), aspect };
    Some(Need { unit: field.unit(ix).id.clone(), what, sentence, rule: ENF_12.into(), answers })
}

fn answers(looking: &Looking<'_>, ix: UnitIx, enemy: UnitIx, aspect: FlankClass) -> Vec<NeedAnswer> {
    let (unit, order) = (looking.field.unit(ix), looking.order(ix));
    let mut answers = Vec::new();
    let bends = holding::may_bend(unit, &order) && aspect != FlankClass::Rear;
    if bends {
        let refuse = |refuse| Instructions { refuse: Some(refuse), ..Instructions::default() };
        answers.push(answer("bend back the threatened end", refuse(Refuse::Threatened), ENF_12));
        answers.push(answer("keep the line straight", refuse(Refuse::Never), ENF_12));
    }
    answers.extend(faces(looking, ix, enemy, &order));
    // Of itself it bends only as the reactions window closes.
    let default = if looking.stage == Stage::Reactions { Refuse::Threatened } else { Refuse::Never };
    let chosen = looking.said(ix).into_iter().find_map(|said| said.refuse).unwrap_or(default);
    looking.in_force(ix, answers, |said| said.refuse, &chosen)
}

/// REV-05, REV-11 In the reactions window it may go to Conditional Hold and turn to the enemy.
fn faces(looking: &Looking<'_>, ix: UnitIx, enemy: UnitIx, order: &Order) -> Option<NeedAnswer> {
    let field = looking.field;
    let unit = field.unit(ix);
    let may = matches!(order, Order::Hold { .. } | Order::Move(_) | Order::Form { .. })
        && looking.stage == Stage::Reactions
        && !is_conditional(unit)
        && unit.arm == Arm::Infantry
        && unit.morale == Morale::Good
        && unit.footing.formation != Formation::Square;
    if !may {
        return None;
    }
    let formation =
        if unit.is_formed() && !unit.footing.disorder { unit.footing.formation } else { Formation::SingleLine };
    let change = ChangeOnHold { formation, facing: Some(looking.bearing(ix, enemy)) };
    let said = Instructions { conditional_hold: Some(true), ch_form: Some(change), ..Instructions::default() };
    let number = competence::number_to_beat(field, ix, officer::for_competence(field, ix)).total();
    let passing = sums(1).into_iter().filter(|(face, _)| number < *face).map(|(_, ways)| ways).sum();
    let text = format!("{} succeeds in {}", named(&unit.name), Chance::new(passing, FACES).percent());
    let notes = vec![Note { rule: REV_11.into(), text }];
    Some(NeedAnswer { notes, ..answer("go to Conditional Hold and face him", said, REV_11) })
}
