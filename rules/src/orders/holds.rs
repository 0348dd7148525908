//! Conditional Hold: orders given up after the reveal. REV-05 to REV-11

use protocol::event::{Fact, OrderShown};
use protocol::orders::{ChangeOnHold, ConditionalHoldIf, Order};
use protocol::place::Bearing;

use crate::battle::UnitIx;
use crate::catalogue::{REV_05, REV_11};
use crate::column;
use crate::competence;
use crate::dice::Purpose;
use crate::explain::{named, sentence};
use crate::field::Field;
use crate::formation;
use crate::geometry;
use crate::movement;
use crate::play::Play;

/// REV-05, REV-11 When the reactions window has closed, or its place has come, all chosen Conditional Holds take effect
/// together, and the units that try to form on them roll.
pub fn conditional_holds(play: &mut Play<'_>) {
    let units: Vec<UnitIx> = play.table().units().filter(|(_, unit)| unit.is_unrouted()).map(|(ix, _)| ix).collect();
    // TAC-28 A column holds as its lead does.
    let decides = |ix: UnitIx| if follows(play, ix) { column::lead_of(play.table(), ix) } else { ix };
    let holding: Vec<UnitIx> = units.into_iter().filter(|ix| goes_to_hold(play, decides(*ix))).collect();
    let forming: Vec<(UnitIx, ChangeOnHold, Bearing)> = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let wish = |ix: UnitIx| {
            let change = play.choice(ix, None, |said| said.ch_form.clone().map(Some)).0?;
            if !movement::may_take_at_once(field.unit(ix), change.formation) {
                return None;
            }
            let facing = change.facing.unwrap_or_else(|| toward_enemy(&field, ix));
            Some((ix, change, facing))
        };
        holding.iter().filter_map(|ix| wish(*ix)).collect()
    };
    for ix in holding {
        let unit = &mut play.table_mut()[ix];
        unit.marks.conditional_hold = true;
        unit.marks.shown = Some(OrderShown::ConditionalHold {});
        let (id, name) = (unit.id.clone(), unit.name.clone());
        let text = format!("{} gives up its order and holds as it stands.", named(&name));
        play.tell(REV_05, Fact::ConditionalHold { unit: id, forced: false }, sentence(text));
    }
    for (ix, change, facing) in forming {
        try_to_form(play, ix, &change, facing);
    }
}

/// TAC-28 Whether a unit goes by the order of the lead of its column.
fn follows(play: &Play<'_>, ix: UnitIx) -> bool {
    play.table()[ix].follows_in_column() && !column::orders::leaves(&play.order(ix))
}

/// REV-05, REV-06 Whether a unit goes to Conditional Hold: an answer overrides the condition given with the orders.
fn goes_to_hold(play: &Play<'_>, ix: UnitIx) -> bool {
    let order = play.order(ix);
    if !matches!(order, Order::Move(_) | Order::Form { .. } | Order::Hold { .. }) {
        return false;
    }
    if play.table()[ix].marks.conditional_hold {
        return false;
    }
    let answer: Option<bool> = play.choice(ix, None, |said| said.conditional_hold.map(Some)).0;
    if let Some(answer) = answer {
        return answer;
    }
    let condition = play.choice(ix, ConditionalHoldIf::Never, |said| said.conditional_hold_if).0;
    let field = Field::new(play.rules, play.table(), play.dice);
    let own = &field.unit(ix).id;
    let threat_shows = |is: fn(&OrderShown) -> bool| {
        nearest_threat(&field, ix).and_then(|enemy| field.unit(enemy).marks.shown.as_ref()).is_some_and(is)
    };
    match condition {
        ConditionalHoldIf::Never => false,
        ConditionalHoldIf::EnemyChargeDeclaredOnMe => field.enemies_of(field.unit(ix).side).any(|(_, enemy)| {
            matches!(&enemy.marks.shown, Some(OrderShown::Charge { target: Some(target), .. }) if target == own)
        }),
        ConditionalHoldIf::ThreatMarkedFirstFire => threat_shows(|shown| matches!(shown, OrderShown::FirstFire {})),
        ConditionalHoldIf::ThreatMarkedHold => threat_shows(|shown| matches!(shown, OrderShown::Hold {})),
        ConditionalHoldIf::ThreatMarkedCharge => threat_shows(|shown| matches!(shown, OrderShown::Charge { .. })),
        ConditionalHoldIf::ThreatMarkedMove => threat_shows(|shown| matches!(shown, OrderShown::Move { .. })),
    }
}

/// The nearest enemy that a unit sees: its threat while it stands. Routed ones threaten nobody.
fn nearest_threat(field: &Field<'_>, ix: UnitIx) -> Option<UnitIx> {
    field.nearest_seen(ix).into_iter().next()
}

fn toward_enemy(field: &Field<'_>, ix: UnitIx) -> Bearing {
    let toward =
        nearest_threat(field, ix).and_then(|enemy| geometry::bearing_between(field.center(ix), field.center(enemy)));
    toward.unwrap_or(field.unit(ix).footing.facing)
}

/// REV-11 One competence roll: success takes the new formation, failure brings disorder.
fn try_to_form(play: &mut Play<'_>, ix: UnitIx, change: &ChangeOnHold, facing: Bearing) {
    let finding = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let key = field.unit(ix).id.to_string();
        competence::roll(play, &field, ix, Purpose::ChForm, &[&key], "forming on Conditional Hold")
    };
    let formed = finding.passed;
    finding.tell(play);
    let unit = &mut play.table_mut()[ix];
    unit.marks.changed_formation = true;
    if formed {
        formation::form_at_once(unit, change.formation, facing);
        unit.marks.formed_on_hold = true;
    } else {
        unit.footing.disorder = true;
    }
    let (id, name, after) = (unit.id.clone(), unit.name.clone(), crate::view::stance(unit));
    let (fact, text) = if formed {
        (Fact::Formed { unit: id, after }, format!("{} takes {} on Conditional Hold.", named(&name), change.formation))
    } else {
        (Fact::Disorder { unit: id, disorder: true }, format!("{} loses its order in trying to form.", named(&name)))
    };
    play.tell(REV_11, fact, sentence(text));
}
