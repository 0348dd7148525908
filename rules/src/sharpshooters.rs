//! Sharpshooters who join an infantry regiment. SHARP-11, SHARP-12
//!
//! Owns who may join whom, the joining at the reveal, and that they share what becomes of the regiment. Their bonus to its fire
//! is one of the modifiers of [`crate::fire`].

#[cfg(test)]
mod tests;

use protocol::event::Fact;
use protocol::ids::UnitId;
use protocol::orders::{FormTask, Order};
use protocol::view::Presence;
use protocol::words::Arm;

use crate::battle::UnitIx;
use crate::catalogue::{RuleId, SHARP_11, SHARP_12};
use crate::explain::sentence;
use crate::field::Field;
use crate::play::Play;

/// SHARP-11 A detachment joins a regiment within this distance, thousandths of an inch.
const BESIDE: i32 = 1_000;

/// SHARP-11 Why a unit may not join a regiment.
pub(crate) fn why_not_join(field: &Field<'_>, ix: UnitIx, regiment: &UnitId) -> Option<(RuleId, String)> {
    let why = |text: String| Some((SHARP_11, text));
    let unit = field.unit(ix);
    if unit.arm != Arm::Sharpshooter {
        return why("cannot join a regiment: only sharpshooters do".to_owned());
    }
    let least = field.rules.sharpshooter.attached_min_figures.unsigned_abs();
    if unit.figures() < least {
        return why(format!("has fewer than {least} figures and is no help to a regiment"));
    }
    let host =
        field.table.find(regiment).filter(|host| field.unit(*host).side == unit.side && field.unit(*host).on_table());
    let Some(host) = host.filter(|host| field.unit(*host).arm == Arm::Infantry) else {
        return why("can join an infantry regiment of its own side only".to_owned());
    };
    if field.unit(host).sharpshooters.is_some() {
        return why("cannot join a regiment that has sharpshooters already".to_owned());
    }
    if !field.within(ix, host, BESIDE) {
        return why("must be within an inch of the regiment that it joins; march there first".to_owned());
    }
    None
}

/// SHARP-11 At the reveal those who were told so join their regiments: of two for one regiment the first by identifier.
pub(crate) fn join(play: &mut Play<'_>) {
    let told = play.table().units().filter_map(|(ix, _)| match play.order(ix) {
        Order::Form { task: FormTask::JoinRegiment { regiment } } => Some((ix, regiment)),
        _ => None,
    });
    let told: Vec<(UnitIx, UnitId)> = told.collect();
    for (ix, regiment) in told {
        let host = {
            let field = Field::new(play.rules, play.table(), play.dice);
            let steady = |ix: UnitIx| field.unit(ix).is_unrouted();
            let host = field.table.find(&regiment).filter(|host| steady(ix) && steady(*host));
            host.filter(|_| why_not_join(&field, ix, &regiment).is_none())
        };
        let Some(host) = host else { continue };
        let table = play.table_mut();
        let (id, name) = (table[ix].id.clone(), table[ix].name.clone());
        table[ix].presence = Presence::Attached;
        table[ix].marks.order_spent = true;
        table[host].sharpshooters = Some(id.clone());
        for leader in table.leaders.those_mut(|leader| leader.attached.as_ref() == Some(&id)) {
            leader.attached = Some(regiment.clone());
        }
        let text = format!("{name} joins {} for the rest of the battle.", table[host].name);
        play.tell(SHARP_11, Fact::Special { unit: Some(regiment) }, sentence(text));
    }
}

/// SHARP-12 What a phase has made of a regiment its sharpshooters share: shaken, routed, gone.
pub(crate) fn share(play: &mut Play<'_>) {
    let hosts = play.table().all_units().filter_map(|(ix, unit)| {
        let detachment = play.table().find(unit.sharpshooters.as_ref()?)?;
        (play.table()[detachment].presence == Presence::Attached).then_some((ix, detachment))
    });
    let hosts: Vec<(UnitIx, UnitIx)> = hosts.collect();
    for (host, ix) in hosts {
        let (morale, presence) = (play.table()[host].morale, play.table()[host].presence);
        let detachment = &mut play.table_mut()[ix];
        detachment.morale = morale;
        if presence == Presence::Left {
            detachment.presence = presence;
        }
        if presence == Presence::Removed {
            detachment.presence = presence;
            let (unit, name) = (detachment.id.clone(), detachment.name.clone());
            let text = format!("{name} is lost with {}.", play.table()[host].name);
            play.tell(SHARP_12, Fact::Removed { unit, how: "lost with its regiment".to_owned() }, sentence(text));
        }
    }
}
