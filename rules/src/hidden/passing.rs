//! Hidden units of one side that pass through each other on their ways. HID-27, MV-14
//!
//! Owns who has come upon whom, by true stands, and what failure does. The rolls are those of open friends, under the seal of
//! each unit's own picket. An open friend rolls for nothing that hides, and nothing for him (HID-61).

use protocol::event::Fact;
use protocol::ids::{PicketNumber, Side, UnitId};
use protocol::words::Arm;

use super::march::March;
use super::seal::{real_pickets, under_seal};
use crate::battle::{Battle, UnitIx};
use crate::catalogue::MV_14;
use crate::competence::Finding;
use crate::explain::{named, sentence};
use crate::field::Field;
use crate::geometry::{self, Extent, Rect};
use crate::ground::WayKind;
use crate::movement;
use crate::play::Play;

/// A hidden unit with its stands; a screen passes through friends as skirmishers do. TAC-16
struct Body {
    number: PicketNumber,
    unit: UnitId,
    stands: Vec<Rect>,
    extent: Extent,
}

impl Body {
    fn meets(&self, other: &Body) -> bool {
        let overlap =
            |stand: &Rect| other.stands.iter().any(|friend| geometry::overlaps_beyond_eps(stand, &friend.corners));
        self.extent.may_be_within(other.extent, 0) && self.stands.iter().any(overlap)
    }
}

/// The hidden units of a side where they stand now, by the numbers of their pickets; none if there is but one picket.
fn bodies(battle: &Battle, side: Side) -> Vec<Body> {
    let numbers = real_pickets(battle, side);
    if numbers.len() < 2 {
        return Vec::new();
    }
    let own = battle.secrets.get(side).open();
    let under = numbers.iter().filter_map(|number| Some((*number, own.pickets.get(number)?)));
    let of_picket = under.flat_map(|(number, under)| under.units.iter().map(move |unit| (number, unit)));
    let bodies = of_picket.map(|(number, unit)| {
        let stands: Vec<Rect> = unit.layout().body().copied().collect();
        Body { number, unit: unit.id.clone(), extent: Extent::of(&stands), stands }
    });
    bodies.collect()
}

/// Those who stand on each other, the one on its way first, each pair once.
fn pairs<'b>(bodies: &'b [Body], marches: &[March]) -> Vec<(&'b Body, &'b Body)> {
    let mut pairs: Vec<(&Body, &Body)> = Vec::new();
    for march in marches {
        for mover in bodies.iter().filter(|body| body.number == march.number) {
            let others = bodies.iter().filter(|other| other.number != mover.number && mover.meets(other));
            for other in others {
                if !pairs.iter().any(|(one, two)| one.unit == other.unit && two.unit == mover.unit) {
                    pairs.push((mover, other));
                }
            }
        }
    }
    pairs
}

fn key(one: &Body, other: &Body) -> (UnitId, UnitId) {
    let (one, other) = (one.unit.clone(), other.unit.clone());
    if one < other { (one, other) } else { (other, one) }
}

/// MV-14 Those who stand on each other when a phase begins have met already.
pub(super) fn have_met(battle: &Battle, marches: &mut [March]) {
    for side in Side::BOTH {
        let bodies = bodies(battle, side);
        let met: Vec<_> = pairs(&bodies, marches).iter().map(|(one, other)| key(one, other)).collect();
        if let Some(march) = marches.iter_mut().find(|march| march.side == side) {
            march.met.extend(met);
        }
    }
}

/// HID-27, MV-14 Hidden units that have newly come upon each other in this segment roll, each under its own seal.
pub(crate) fn pass(play: &mut Play<'_>, marches: &mut [March]) {
    for side in Side::BOTH {
        if !marches.iter().any(|march| march.side == side && !march.units.is_empty()) {
            continue;
        }
        let bodies = bodies(&play.battle, side);
        let met = marches.iter().filter(|march| march.side == side).flat_map(|march| &march.met);
        let met: Vec<(UnitId, UnitId)> = met.cloned().collect();
        let fresh: Vec<(&Body, &Body)> =
            pairs(&bodies, marches).into_iter().filter(|(one, other)| !met.contains(&key(one, other))).collect();
        if let Some(march) = marches.iter_mut().find(|march| march.side == side) {
            march.met.extend(fresh.iter().map(|(one, other)| key(one, other)));
        }
        for (mover, other) in fresh {
            for rolls in [mover, other] {
                roll(play, rolls, (mover, other), marches);
            }
        }
    }
}

/// MV-14 to MV-16 The roll of one of two, told to its side alone; failure puts it in disorder, batteries apart.
fn roll(play: &mut Play<'_>, rolls: &Body, (mover, other): (&Body, &Body), marches: &[March]) {
    let goes: Vec<&UnitId> = marches.iter().filter(|march| march.goes()).flat_map(|march| &march.units).collect();
    under_seal(play, rolls.number, |inner| {
        let find = |body: &Body| inner.table().find(&body.unit);
        let (Some(own), Some(mover), Some(other)) = (find(rolls), find(mover), find(other)) else { return };
        let finding: Option<Finding> = {
            let field = Field::new(inner.rules, inner.table(), inner.dice);
            let along_road = |ix: UnitIx| {
                let footing = &field.unit(ix).footing;
                let way = field.ground().way(footing.anchor, geometry::forward(footing.facing));
                goes.contains(&&field.unit(ix).id) && way == Some(WayKind::Road)
            };
            movement::roll_of(inner, &field, own, (mover, other), along_road)
        };
        let Some(finding) = finding else { return };
        let passed = finding.passed;
        finding.tell(inner);
        let unit = &mut inner.table_mut()[own];
        if passed || unit.footing.disorder || unit.arm == Arm::Artillery {
            return;
        }
        unit.footing.disorder = true;
        let (id, name) = (unit.id.clone(), named(&unit.name));
        let fact = Fact::Disorder { unit: id, disorder: true };
        inner.tell(MV_14, fact, sentence(format!("{name} is put in disorder by the passage.")));
    });
}
