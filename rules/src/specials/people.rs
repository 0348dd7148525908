//! Leaders with wider powers, and units under another command. SCNS-12, SCNS-16

use protocol::ids::LeaderId;
use protocol::view::Presence;

use super::{in_force, is_on};
use crate::battle::{Leader, Table, Unit};
use crate::places;
use crate::scenario::{LeaderArm, Scenario, Special, SpecialKind};

/// SCNS-12 Whether a leader is rolled for as within two inches of the enemy while he is in the place of a term.
pub fn casualty_within_2(table: &Table, leader: &Leader) -> bool {
    let mut terms = of_leader(table, leader);
    terms.any(|special| matches!(special.kind, SpecialKind::Leader { casualty_within_2: true, .. }))
}

/// SCNS-12 The leaders of a unit's side who count as commanders of any brigade's unit within their radius.
pub fn any_brigade<'t>(table: &'t Table, unit: &Unit) -> impl Iterator<Item = &'t Leader> {
    let side = unit.side;
    table.leaders_on_table().filter(move |leader| {
        let mut terms = of_leader(table, leader);
        leader.side == side
            && terms.any(|special| matches!(special.kind, SpecialKind::Leader { any_brigade: true, .. }))
    })
}

/// SCNS-12 The arm as which a leader counts, if a term says another one than the file's. LEAD-10
pub fn leads_as(scenario: &Scenario, leader: &LeaderId) -> Option<LeaderArm> {
    let named = |special: &&Special| !special.optional && special.who.iter().any(|who| who == leader.as_str());
    scenario.specials.iter().filter(named).find_map(|special| match special.kind {
        SpecialKind::Leader { arm, .. } => arm,
        _ => None,
    })
}

/// SCNS-16 The commander under whom a unit counts for command in place of its own.
pub fn attached_to<'t>(table: &'t Table, unit: &'t Unit) -> Option<&'t LeaderId> {
    in_force(table, unit).find_map(|special| match &special.kind {
        SpecialKind::AttachedCommand { under } => Some(under),
        _ => None,
    })
}

/// The terms that name a leader himself, and hold where he stands now.
fn of_leader<'t>(table: &'t Table, leader: &'t Leader) -> impl Iterator<Item = &'t Special> {
    table.scenario().specials.iter().filter(move |special| {
        is_on(table, special)
            && special.who.iter().any(|who| who == leader.id.as_str())
            && special.place.as_ref().is_none_or(|place| places::holds_point(table.ground(), place, leader.at))
            && special.turns.is_none_or(|(from, to)| (from..=to).contains(&table.turn))
            && leader.presence == Presence::Table
    })
}
