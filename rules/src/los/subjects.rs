//! Whose a fact is, and whom it gives away: one match over all facts, so that a new one does not compile until somebody has
//! decided who may know it. LOS-03, LOS-04, LOS-10

use protocol::event::{Fact, OrderShown};
use protocol::ids::{BrigadeId, LeaderId, UnitId};

/// Who is concerned.
pub(super) enum Concerns<'f> {
    /// Everybody.
    All,
    /// The umpire, until the battle is over. LOS-18
    Umpire,
    /// Units: whose deed or fate it is, and upon whom they act.
    Units { of: Vec<&'f UnitId>, upon: Vec<&'f UnitId>, shows: Shows },
    /// A leader. LOS-15
    Leader(&'f LeaderId),
    /// A command: its own side alone. LOS-16
    Command(&'f BrigadeId),
    /// A place of the map, changed by nobody. LOS-17
    Place,
}

/// Whom a deed gives away. LOS-03, LOS-04
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    /// Nobody.
    Nobody,
    /// Those who act, to those upon whom they act.
    Actors,
    /// Those who act, to the enemy, whoever is struck.
    Firers,
    /// Both to both.
    Both,
}

/// Who is concerned by a fact.
pub(super) fn concerns(fact: &Fact) -> Concerns<'_> {
    let one = |unit| Concerns::Units { of: vec![unit], upon: Vec::new(), shows: Shows::Nobody };
    let upon = |of: Vec<_>, upon: Vec<_>, shows| Concerns::Units { of, upon, shows };
    match fact {
        Fact::PhaseBegan {} | Fact::Ended { .. } => Concerns::All,
        Fact::OrderRevealed { unit, shown } => {
            let OrderShown::Charge { target, support_of } = shown else { return one(unit) };
            upon(vec![unit], target.iter().chain(support_of).collect(), Shows::Actors)
        }
        Fact::Command { unit, in_command: _ }
        | Fact::ConditionalHold { unit, forced: _ }
        | Fact::OrderVoid { unit }
        | Fact::FireWithheld { unit }
        | Fact::Ammunition { unit, out: _ }
        | Fact::Losses { unit, .. }
        | Fact::MoraleCheck { unit, .. }
        | Fact::Competence { unit, .. }
        | Fact::Disorder { unit, .. }
        | Fact::MoraleChanged { unit, .. }
        | Fact::FellBack { unit, .. }
        | Fact::Ran { unit, .. }
        | Fact::Removed { unit, .. }
        | Fact::Rally { unit, .. }
        | Fact::Moved { unit, .. }
        | Fact::ChargeEnded { unit, .. }
        | Fact::Formed { unit, .. }
        | Fact::Arrived { unit, .. }
        | Fact::Worked { unit, .. }
        | Fact::ObstacleMet { unit, .. }
        | Fact::Choice { unit, .. } => one(unit),
        Fact::Disengages { unit, from, .. } => upon(vec![unit], from.iter().collect(), Shows::Nobody),
        Fact::Volley { firers, target, .. } => upon(firers.iter().collect(), target.iter().collect(), Shows::Firers),
        Fact::Impact { attacker, attacker_supports, defender, defender_supports, .. } => {
            upon(with(attacker, attacker_supports), with(defender, defender_supports), Shows::Both)
        }
        Fact::MeleeRound { round: _, attacker, defender } => {
            upon(with(&attacker.unit, &attacker.supports), with(&defender.unit, &defender.supports), Shows::Both)
        }
        Fact::MeleeEnded { attacker, defender, winner: _ } => upon(vec![attacker], vec![defender], Shows::Both),
        Fact::ChargeBegan { unit, supports, target, .. } => {
            upon(with(unit, supports), target.iter().collect(), Shows::Actors)
        }
        Fact::Charged { unit, by } => upon(vec![by], vec![unit], Shows::Actors),
        Fact::VolleyDistance { unit, charger, .. } | Fact::Countercharges { unit, charger, .. } => {
            upon(vec![unit], vec![charger], Shows::Actors)
        }
        Fact::SquareApproached { unit, square, .. } => upon(vec![unit], vec![square], Shows::Both),
        Fact::Contact { unit, target, flank: _ } => upon(vec![unit], vec![target], Shows::Both),
        Fact::LeaderMoved { leader, .. }
        | Fact::LeaderHit { leader, .. }
        | Fact::Replaced { leader, .. }
        | Fact::LeaderArrived { leader, .. } => Concerns::Leader(leader),
        Fact::CommandLevel { brigade, percent: _ } => Concerns::Command(brigade),
        Fact::ObstacleChanged { obstacle: _, by: Some(unit), change: _ } => one(unit),
        Fact::ObstacleChanged { obstacle: _, by: None, change: _ } => Concerns::Place,
        Fact::Points { .. } | Fact::Sighted { .. } => Concerns::Umpire,
        Fact::Special { unit: Some(unit) } => one(unit),
        Fact::Special { unit: None } => Concerns::All,
        // There are no pickets in this fog. LOS-01
        Fact::PicketOrdered { .. }
        | Fact::PicketsChanged { .. }
        | Fact::PicketsMoved { .. }
        | Fact::SightingRolled { .. }
        | Fact::FiredAtPicket { .. } => Concerns::Umpire,
    }
}

/// The units whose deed or fate a fact is, and those upon whom they act.
pub(crate) fn units_of(fact: &Fact) -> (Vec<&UnitId>, Vec<&UnitId>) {
    match concerns(fact) {
        Concerns::Units { of, upon, shows: _ } => (of, upon),
        Concerns::All | Concerns::Umpire | Concerns::Leader(_) | Concerns::Command(_) | Concerns::Place => {
            Default::default()
        }
    }
}

fn with<'f>(front: &'f UnitId, supports: &'f [UnitId]) -> Vec<&'f UnitId> {
    std::iter::once(front).chain(supports).collect()
}

/// LOS-09 An order as it is shown to those who do not know everybody that it names.
pub(super) fn order_for(shown: OrderShown, knows: &impl Fn(&UnitId) -> bool) -> OrderShown {
    match shown {
        OrderShown::Charge { target, support_of } => {
            OrderShown::Charge { target: target.filter(knows), support_of: support_of.filter(knows) }
        }
        other => other,
    }
}

/// LOS-10 What is left of a fact for those who do not know everybody in it; nothing, where it is nothing without them.
pub(super) fn part_of(fact: &Fact, knows: &impl Fn(&UnitId) -> bool) -> Option<Fact> {
    let known = |units: &[UnitId]| units.iter().filter(|unit| knows(unit)).cloned().collect::<Vec<UnitId>>();
    Some(match fact.clone() {
        Fact::OrderRevealed { unit, shown } => Fact::OrderRevealed { unit, shown: order_for(shown, knows) },
        Fact::Disengages { unit, from, bearing, total } => {
            Fact::Disengages { unit, from: from.filter(knows), bearing, total }
        }
        Fact::ChargeBegan { unit, supports, target, bearing, total, disorder_at } if knows(&unit) => {
            let (supports, target) = (known(&supports), target.filter(knows));
            Fact::ChargeBegan { unit, supports, target, bearing, total, disorder_at }
        }
        _ => return None,
    })
}
