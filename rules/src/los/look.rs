//! The test of one instant: whom each side sees. LOS-02, LOS-05, LOS-15

use std::collections::BTreeSet;

use protocol::ids::{BySide, LeaderId, Side, UnitId};
use protocol::view::Presence;

use super::memory::{self, Change};
use super::{ground, guns, is_played};
use crate::battle::{Leader, Memory, Sights, Unit, UnitIx};
use crate::catalogue::LOS_05;
use crate::crews;
use crate::field::Field;
use crate::geometry::Extent;
use crate::play::Play;

/// LOS-05 In phases 5 and 7 so many segments lie between two tests of sight.
const EACH: u8 = 6;

/// LOS-05 How much is tested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    /// Who is seen.
    Sight,
    /// And what has become of memories and of the map.
    Whole,
}

/// LOS-03, LOS-05 The start of a stage: who gave himself away in the last is seen only if he is in sight.
pub(crate) fn begin_stage(play: &mut Play<'_>) {
    if !is_played(play.table()) || play.table().is_deploying() {
        return;
    }
    let sights = play.table_mut().sights.get_or_insert_default();
    Side::BOTH.into_iter().for_each(|side| sights.get_mut(side).given_away.clear());
    for side in Side::BOTH {
        play.battle.secrets.get_mut(side).open_mut().memory.get_or_insert_with(Memory::default);
    }
    test(play, Test::Whole);
}

/// LOS-11 The start of a phase: what was seen in the last is seen no longer as its beginning.
pub(crate) fn begin_phase(play: &mut Play<'_>) {
    let Some(sights) = &play.table().sights else { return };
    play.vision.leaders = BySide::from_fn(|side| sights.get(side).leaders.clone());
    play.vision.instants.clear();
    note(play, 0);
}

/// LOS-05 The end of a phase.
pub(crate) fn end_phase(play: &mut Play<'_>) {
    if play.table().sights.is_some() {
        test(play, Test::Whole);
    }
}

/// LOS-05 One of the instants at which markers are looked for (HID-38). In phases 5 and 7 every sixth segment is one.
pub(crate) fn look(play: &mut Play<'_>) {
    if play.table().sights.is_none() {
        return;
    }
    match play.segment {
        None => test(play, Test::Sight),
        Some(segment) if segment.is_multiple_of(EACH) => {
            test(play, Test::Sight);
            note(play, segment);
        }
        Some(_) => {}
    }
}

/// LOS-05, LOS-19 Whether distances count at this moment: in the fog within a march only where sight is tested, so that what
/// befalls one's own troops can be told by what one's side has seen. Always in another fog.
pub(crate) fn is_instant(play: &Play<'_>) -> bool {
    play.table().sights.is_none() || play.segment.is_none_or(|segment| segment.is_multiple_of(EACH))
}

/// LOS-11 Notes who is seen, and where.
fn note(play: &mut Play<'_>, segment: u8) {
    let seen = {
        let table = play.table();
        let Some(sights) = &table.sights else { return };
        BySide::from_fn(|side| {
            let units = sights.get(side).units.iter().filter_map(|id| table.unit(id)).filter(|unit| unit.on_table());
            units.map(|unit| (unit.id.clone(), unit.stance())).collect()
        })
    };
    play.vision.instants.push((segment, seen));
}

/// LOS-05 Tests both sides on one table, then makes all that follows.
fn test(play: &mut Play<'_>, how: Test) {
    let mut vision = std::mem::take(&mut play.vision);
    let field = Field::new(play.rules, play.table(), play.dice);
    let seen = BySide::from_fn(|side| {
        let mut look = Look { field: &field, side, witnesses: &mut vision.witnesses };
        look.sights()
    });
    play.vision = vision;
    if how == Test::Whole {
        memory::forget(play, &seen);
        ground::learn(play);
        guns::learn(play);
    }
    for side in Side::BOTH {
        let change = Change::between(play, side, seen.get(side));
        memory::change(play, side, seen.get(side).clone());
        change.tell(play, side, LOS_05);
    }
}

/// One side that looks at the other.
struct Look<'f, 'a> {
    field: &'f Field<'a>,
    side: Side,
    witnesses: &'f mut std::collections::BTreeMap<UnitIx, UnitIx>,
}

impl<'a> Look<'_, 'a> {
    fn sights(&mut self) -> Sights {
        let Some(before) = self.field.table.sights.as_ref().map(|sights| sights.get(self.side)) else {
            return Sights::default();
        };
        let alone: Vec<&Leader> = self.leaders(self.side).filter(|leader| self.is_alone(leader)).collect();
        let mut units = BTreeSet::new();
        let (table, side) = (self.field.table, self.side);
        for (ix, unit) in table.all_units().filter(|(_, unit)| unit.side != side) {
            let seen = match unit.on_table() && !unit.stands.is_empty() {
                true => before.given_away.contains(&unit.id) || self.sees(ix, &alone),
                // LOS-14 Who was seen to go is known to be gone.
                false => is_gone(unit) && before.units.contains(&unit.id),
            };
            if seen {
                units.insert(unit.id.clone());
            }
        }
        // SHARP-11 Sharpshooters who have joined a regiment are seen where it is.
        let hosts = table.all_units().filter(|(_, unit)| unit.side != side && units.contains(&unit.id));
        let joined: Vec<UnitId> = hosts.filter_map(|(_, host)| host.sharpshooters.clone()).collect();
        units.extend(joined.into_iter().filter(|id| table.unit(id).is_some_and(|unit| !is_gone(unit))));
        let leaders = self.leaders_in_sight(&units);
        let guns = self.guns_in_sight();
        Sights { units, given_away: before.given_away.clone(), leaders, guns }
    }

    /// The leaders of a side on the table.
    fn leaders(&self, side: Side) -> impl Iterator<Item = &'a Leader> + use<'a> {
        self.field.table.leaders_on_table().filter(move |leader| leader.side == side)
    }

    /// LOS-15 Whether he stands by himself.
    fn is_alone(&self, leader: &Leader) -> bool {
        let with = leader.attached.as_ref().and_then(|unit| self.field.table.unit(unit));
        with.is_none_or(|unit| !unit.on_table())
    }

    /// LOS-02 Whether anybody of the side sees an enemy unit, or is within touch of it. Who saw it last is asked first.
    fn sees(&mut self, target: UnitIx, alone: &[&Leader]) -> bool {
        let field = self.field;
        let last = self.witnesses.get(&target).copied();
        let is_own = |last: &UnitIx| field.unit(*last).side == self.side;
        if last.filter(is_own).is_some_and(|last| looks(field, last) && field.has_in_view(last, target)) {
            return true;
        }
        let touch = field.rules.hidden_movement.touch_distance.thousandths();
        let (owner, about) = (field.unit(target).side, field.extent(target));
        if field.enemies_near(owner, about, touch).any(|near| field.within(near, target, touch)) {
            return true;
        }
        let mut eyes = field.enemies_outward(owner, about).filter(|eye| looks(field, *eye));
        if let Some(witness) = eyes.find(|eye| field.has_in_view(*eye, target)) {
            self.witnesses.insert(target, witness);
            return true;
        }
        alone.iter().any(|leader| field.leader_sees(leader, target))
    }

    /// LOS-15 The enemy's leaders whom the side sees.
    fn leaders_in_sight(&self, units: &BTreeSet<UnitId>) -> BTreeSet<LeaderId> {
        let seen = self.leaders(self.side.enemy()).filter(|leader| match &leader.attached {
            Some(unit) if !self.is_alone(leader) => units.contains(unit),
            _ => self.sees_leader(leader),
        });
        seen.map(|leader| leader.id.clone()).collect()
    }

    fn sees_leader(&self, leader: &Leader) -> bool {
        let (field, stand) = (self.field, self.field.leader_stand(leader));
        let touch = field.rules.hidden_movement.touch_distance.thousandths();
        let mut eyes = field.enemies_outward(leader.side, Extent::of([&stand]));
        eyes.any(|eye| {
            field.leader_within(leader, eye, touch)
                || (looks(field, eye) && field.sees_place(eye, leader.id.as_str(), &[stand]))
        })
    }

    /// LOS-17 The enemy's guns without a crew that the side sees.
    fn guns_in_sight(&self) -> BTreeSet<UnitId> {
        let field = self.field;
        let left = field.table.abandoned.iter().filter(|(_, guns)| guns.side != self.side);
        let seen = left.filter(|(battery, guns)| {
            let stand = crews::stand_of(guns);
            let mut eyes = field.enemies_outward(guns.side, Extent::of([&stand]));
            eyes.any(|eye| looks(field, eye) && field.sees_place(eye, battery.as_str(), &[stand]))
        });
        seen.map(|(battery, _)| battery.clone()).collect()
    }
}

/// LOS-14 Whether a unit is out of the battle.
fn is_gone(unit: &Unit) -> bool {
    matches!(unit.presence, Presence::Removed | Presence::Left) || (unit.on_table() && unit.stands.is_empty())
}

/// LOS-02 Whether a unit looks for its side: guns without a crew see nothing.
pub(super) fn looks(field: &Field<'_>, ix: UnitIx) -> bool {
    let unit = field.unit(ix);
    unit.on_table() && !unit.stands.is_empty() && !unit.guns.as_ref().is_some_and(|guns| guns.unmanned)
}
