//! Who sees routs, losses of units and officers hit. MOR-20 to MOR-29, MOR-39
//!
//! Owns which friends a happening is offered to. A viewer stands where the snapshot has it: where it stood when the
//! displacement began. That routed viewers ignore routs (MOR-26) is found when they would check, not here.

use std::collections::BTreeMap;

use protocol::ids::Side;
use protocol::words::Arm;

use super::InCharge;
use super::check::{Case, Sight};
use super::flight::least_distance;
use crate::battle::{Unit, UnitIx};
use crate::field::Field;
use crate::geometry::{Frame, Rect};

/// Something that friends may see. MOR-20
#[derive(Clone, Debug)]
pub struct Happened {
    /// What they see.
    pub what: Sight,
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
        let minds = |unit: &Unit| !happening.skirmishers_only || unit.is_skirmishing();
        let viewers = field.table.units_of(happening.side).filter(|(viewer, unit)| Some(*viewer) != own && minds(unit));
        for (viewer, _) in viewers {
            let is_put_off = charge.engaged.contains(&viewer) && own.is_some();
            if is_put_off && !happening.guns {
                let place = happening.samples.last().cloned().unwrap_or_default();
                queue.push(Queued { viewer, what: happening.what.clone(), place, seen: false });
            } else if sees(field, viewer, happening) {
                if is_put_off {
                    queue.push(Queued { viewer, what: happening.what.clone(), place: Vec::new(), seen: true });
                } else {
                    add(cases, viewer, &happening.what);
                }
            }
        }
    }
}

/// MOR-29 Adds a sighting to a case, once.
pub fn add(cases: &mut BTreeMap<UnitIx, Case>, viewer: UnitIx, what: &Sight) {
    let seen = &mut cases.entry(viewer).or_default().seen;
    if !seen.contains(what) {
        seen.push(what.clone());
        seen.sort();
    }
}

/// MOR-23 to MOR-25 Whether a unit sees any of the samples within six inches.
pub fn sees(field: &Field, viewer: UnitIx, happening: &Happened) -> bool {
    happening.samples.iter().any(|sample| sees_within_reach(field, viewer, &happening.name, sample))
}

/// MOR-20, MOR-24 Whether a unit sees stands at a place within six inches.
pub fn sees_within_reach(field: &Field, viewer: UnitIx, name: &str, stands: &[Rect]) -> bool {
    let reach = field.rules.morale_check.see_event_distance.thousandths();
    least_distance(&field.stands(viewer), stands).within(reach) && field.sees_place(viewer, name, stands)
}

/// MOR-39 What a unit whose charge is over finds when it looks back: of those that still flee, where they are now; of
/// those that are gone, the place where they vanished.
pub fn look_back(field: &Field, queue: &[Queued], cases: &mut BTreeMap<UnitIx, Case>) {
    for queued in queue.iter().filter(|queued| field.unit(queued.viewer).on_table()) {
        let (Sight::Rout(unit) | Sight::Loss(unit)) = queued.what else {
            continue;
        };
        let fled = field.unit(unit);
        let place = match (fled.on_table(), fled.is_unrouted()) {
            (true, true) => Vec::new(),
            (true, false) => field.stands(unit),
            (false, _) => queued.place.clone(),
        };
        let sees = !place.is_empty() && sees_within_reach(field, queued.viewer, fled.id.as_str(), &place);
        if queued.seen || sees {
            add(cases, queued.viewer, &queued.what);
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
    Some(Happened {
        what: Sight::Rout(ix),
        side: unit.side,
        name: unit.id.to_string(),
        samples,
        skirmishers_only: minds_skirmishers_only(unit),
        guns,
    })
}

/// MOR-28 The guns that a beaten crew has just left, which has routed. IDD-23
pub fn guns_left(field: &Field, ix: UnitIx) -> Option<Happened> {
    let unit = field.unit(ix);
    let left = field.table.abandoned.get(&unit.id)?;
    Some(Happened {
        what: Sight::Rout(ix),
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
    Some(Happened {
        what: Sight::Loss(ix),
        side: unit.side,
        name: unit.id.to_string(),
        samples: vec![place_of(unit)],
        skirmishers_only: minds_skirmishers_only(unit),
        guns: false,
    })
}

/// OFF-09 An officer was hit, seen where he stands.
pub fn officer(field: &Field, id: &protocol::ids::LeaderId) -> Option<Happened> {
    let leader = field.table.leaders.get(id)?;
    Some(Happened {
        what: Sight::Officer(id.clone()),
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
