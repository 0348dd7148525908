//! Who sees routs, losses of units and officers hit. MOR-20 to MOR-29, MOR-39
//!
//! Owns which friends a happening is offered to. A viewer stands where the snapshot has it: where it stood when the
//! displacement began. That routed viewers ignore routs (MOR-26) is found when they would check, not here.

use std::collections::BTreeMap;

use protocol::ids::Side;
use protocol::words::Arm;

use super::InCharge;
use super::check::{Case, Seen, Sight};
use super::flight::least_distance;
use crate::battle::{Unit, UnitIx};
use crate::column;
use crate::field::Field;
use crate::geometry::{Extent, Frame, Rect};
use crate::house::Sightings;

/// Something that friends may see. MOR-20
#[derive(Clone, Debug)]
pub struct Happened {
    /// What they see.
    pub what: Sight,
    /// What happened to it, as a sentence goes on: `routed`, `was picked up`.
    pub how: &'static str,
    /// Whose friends they are.
    pub side: Side,
    /// Its name in the key of a visibility die.
    pub name: String,
    /// The places, one after the other, each as stands. MOR-23
    pub samples: Vec<Vec<Rect>>,
    /// Only skirmishers mind. MOR-27
    pub skirmishers_only: bool,
    /// Guns left behind: their place is all that can be seen. MOR-28
    pub guns: bool,
}

/// A sighting that is put off until the viewer's own charge is over. MOR-39
#[derive(Clone, Debug)]
pub struct Queued {
    /// Who will look back.
    pub viewer: UnitIx,
    /// At what.
    pub what: Sight,
    /// The place where it happened, or where it vanished.
    pub place: Vec<Rect>,
    /// It has been seen already, and is owed whatever comes. MOR-28
    pub seen: bool,
}

/// MOR-20 Offers happenings to all who see them: each once to each viewer; the engaged get theirs later. MOR-36, MOR-39
pub fn offer(
    field: &Field,
    charge: &InCharge,
    happened: &[Happened],
    cases: &mut BTreeMap<UnitIx, Case>,
    queue: &mut Vec<Queued>,
) {
    for happening in happened {
        let own = match &happening.what {
            Sight::Rout(unit) | Sight::Loss(unit) => Some(*unit),
            Sight::Officer(_) => None,
        };
        let about = Extent::of(happening.samples.iter().flatten());
        let reach = field.rules.morale_check.see_event_distance.thousandths();
        let minds = |unit: &Unit| !happening.skirmishers_only || unit.is_skirmishing();
        // TAC-32 Regiments of one column are one unit: they do not check for each other.
        let is_own = |viewer: UnitIx| own.is_some_and(|own| column::are_one(field.table, own, viewer));
        let viewers = field.table.units_of(happening.side).filter(|(viewer, unit)| !is_own(*viewer) && minds(unit));
        for (viewer, _) in viewers {
            let checks = column::lead_of(field.table, viewer);
            let is_put_off = charge.engaged.contains(&checks) && own.is_some();
            if is_put_off && !happening.guns {
                let place = happening.samples.last().cloned().unwrap_or_default();
                queue.push(Queued { viewer: checks, what: happening.what.clone(), place, seen: false });
            } else if field.extent(viewer).may_be_within(about, reach)
                && let Some(distance) = sees(field, viewer, happening)
            {
                if is_put_off {
                    let place = happening.samples.last().cloned().unwrap_or_default();
                    queue.push(Queued { viewer: checks, what: happening.what.clone(), place, seen: true });
                } else {
                    add(cases, checks, Seen { what: happening.what.clone(), how: happening.how, distance });
                }
            }
        }
    }
}

/// MOR-29 Adds a sighting to a case, once.
fn add(cases: &mut BTreeMap<UnitIx, Case>, viewer: UnitIx, sighting: Seen) {
    cases.entry(viewer).or_default().see(sighting);
}

/// MOR-23 to MOR-25 How near a unit sees any of the samples within six inches, thousandths of an inch.
pub fn sees(field: &Field, viewer: UnitIx, happening: &Happened) -> Option<i32> {
    let reach = field.rules.morale_check.see_event_distance.thousandths();
    let unseen_too = field.rules.house.sightings == Sightings::Within;
    let (own, about) = (field.table.looker(viewer).stands, field.extent(viewer));
    let samples = happening.samples.iter().filter(|sample| about.may_be_within(Extent::of(sample.iter()), reach));
    let measured = samples.map(|sample| (least_distance(own, sample), sample));
    let mut near: Vec<_> = measured.filter(|(distance, _)| distance.within(reach)).collect();
    near.sort_by_key(|(distance, _)| *distance);
    let seen = near.into_iter().find(|(_, sample)| unseen_too || field.sees_place(viewer, &happening.name, sample));
    seen.map(|(distance, _)| distance.rounded())
}

/// MOR-39 What a unit whose charge is over finds when it looks back: of those that still flee, where they are now; of
/// those that are gone, the place where they vanished.
pub fn look_back(field: &Field, queue: &[Queued], cases: &mut BTreeMap<UnitIx, Case>) {
    for queued in queue.iter().filter(|queued| field.unit(queued.viewer).on_table()) {
        let (Sight::Rout(unit) | Sight::Loss(unit)) = queued.what else {
            continue;
        };
        let fled = field.unit(unit);
        let (place, how) = match (fled.on_table(), fled.is_unrouted()) {
            (true, true) => continue,
            (true, false) => (field.stands(unit), "is in rout"),
            (false, _) => (queued.place.clone(), "is gone"),
        };
        let what = || queued.what.clone();
        if queued.seen {
            // MOR-28 It saw the guns left at the time, and owes the check whatever it sees now.
            let distance = least_distance(&field.stands(queued.viewer), &queued.place).rounded();
            add(cases, queued.viewer, Seen { what: what(), how: LEFT_ITS_GUNS, distance });
            continue;
        }
        let looked_at = Happened { how, samples: vec![place], ..happened(fled, what()) };
        if let Some(distance) = sees(field, queued.viewer, &looked_at) {
            add(cases, queued.viewer, Seen { what: what(), how, distance });
        }
    }
}

/// Where a unit is or was: its stands; of one that has lost them all, a stand at its front.
pub fn place_of(unit: &Unit) -> Vec<Rect> {
    if unit.stands.is_empty() {
        let front = Frame::new(unit.footing.anchor, unit.footing.facing);
        return vec![Rect::from_front(front, unit.stand_width, unit.stand_depth)];
    }
    super::flight::stands_of(unit)
}

/// MOR-22, MOR-27, MOR-28 The rout of a unit, seen along its run; of a battery its guns are seen, of a crew nothing.
pub fn rout(field: &Field, ix: UnitIx, run: Vec<Vec<Rect>>) -> Option<Happened> {
    let unit = field.unit(ix);
    let guns = unit.arm == Arm::Artillery;
    let samples = match unit.arm {
        Arm::GunCrew => return None,
        Arm::Artillery => vec![place_of(unit)],
        Arm::Infantry | Arm::Cavalry | Arm::Sharpshooter => run,
    };
    let how = if guns { LEFT_ITS_GUNS } else { "routed" };
    Some(Happened { how, samples, guns, ..happened(unit, Sight::Rout(ix)) })
}

/// MOR-28 What friends see of the rout of a battery.
const LEFT_ITS_GUNS: &str = "left its guns";

/// What happened to a unit, before it is known how and where.
fn happened(unit: &Unit, what: Sight) -> Happened {
    Happened {
        what,
        how: "",
        side: unit.side,
        name: unit.id.to_string(),
        samples: Vec::new(),
        skirmishers_only: minds_skirmishers_only(unit),
        guns: false,
    }
}

/// MOR-28 The guns that a beaten crew has just left, which has routed. IDD-23
pub fn guns_left(field: &Field, ix: UnitIx) -> Option<Happened> {
    let unit = field.unit(ix);
    let left = field.table.abandoned.get(&unit.id)?;
    Some(Happened {
        what: Sight::Rout(ix),
        how: LEFT_ITS_GUNS,
        side: unit.side,
        name: unit.id.to_string(),
        samples: vec![vec![crate::crews::stand_of(left)]],
        skirmishers_only: false,
        guns: true,
    })
}

/// MOR-20, MOR-27, MOR-28 The loss of a unit, seen where it was.
pub fn loss(field: &Field, ix: UnitIx) -> Option<Happened> {
    let unit = field.unit(ix);
    if unit.arm == Arm::GunCrew {
        return None;
    }
    Some(Happened { how: "was lost", samples: vec![place_of(unit)], ..happened(unit, Sight::Loss(ix)) })
}

/// OFF-09 An officer was hit, seen where he stands.
pub fn officer(field: &Field, id: &protocol::ids::LeaderId) -> Option<Happened> {
    let leader = field.table.leaders.get(id)?;
    Some(Happened {
        what: Sight::Officer(id.clone()),
        how: "was hit",
        side: leader.side,
        name: id.to_string(),
        samples: vec![vec![field.leader_stand(leader)]],
        skirmishers_only: false,
        guns: false,
    })
}

/// MOR-27 A unit that routs, or routed this turn, out of skirmish line.
fn minds_skirmishers_only(unit: &Unit) -> bool {
    if unit.is_unrouted() { unit.is_skirmishing() } else { unit.marks.routed_skirmishing }
}
