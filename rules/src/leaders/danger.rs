//! How near the enemy came to each leader, and leaders in the enemy's way.
//!
//! Owns the tracking of OFF-02 and the giving way of LEAD-13. It never rolls: phase 9 does.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use protocol::ids::{LeaderId, Side};
use protocol::orders::Order;
use protocol::place::Point;
use protocol::view::Presence;

use super::following::{behind, move_leader};
use super::watch::Watch;
use crate::battle::{Leader, Unit, UnitIx};
use crate::catalogue::LEAD_13;
use crate::field::Field;
use crate::geometry::{self, Extent, Frame, Rect};
use crate::los;
use crate::play::Play;

/// LEAD-13 A friend so near takes a leader in, thousandths of an inch.
const TAKEN_IN_WITHIN: i32 = 12_000;

/// LEAD-13 With no friend near he rides off so far, thousandths of an inch.
const RIDES_OFF: i32 = 3_000;

/// LEAD-13 He then counts as having been so near to the enemy, thousandths of an inch.
const CAUGHT_WITHIN: i32 = 2_000;

/// OFF-02 The enemies that endanger a leader of the other side now: on the table, neither routed nor disengaging.
pub fn enemies_that_endanger<'p>(play: &'p Play<'_>, leader: &Leader) -> impl Iterator<Item = UnitIx> + use<'p> {
    let side = leader.side;
    // LOS-19
    let enemies = play.table().units_of(side.enemy()).filter(move |(enemy, _)| play.table().knows_of(side, *enemy));
    enemies.filter(|(enemy, unit)| unit.is_unrouted() && !is_disengaging(play, *enemy)).map(|(enemy, _)| enemy)
}

fn is_disengaging(play: &Play<'_>, unit: UnitIx) -> bool {
    matches!(play.order(unit), Order::Disengage { .. })
}

/// What matters of a unit on the table to those who may be near it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stood {
    stands: Arc<[Rect]>,
    /// Whether it endangers the enemies that are near it.
    endangers: bool,
    /// Whether the enemy knows of it. LOS-19
    known: bool,
}

/// OFF-02 Takes down how near an enemy is to each leader and to each unit, where that is the nearest of the turn.
///
/// Called at the start of phase 2 and at the end of every segment, displacement and charge step up to phase 8. Only those are
/// measured who are not as they were at the call before, and those near them.
pub fn mark_danger(play: &mut Play<'_>) {
    #[cfg(test)]
    let plain = tests::plainly_marked(play);
    let stood = all_as_they_stand(play);
    let moved = play.danger.units_moved(stood);
    let ridden = play.danger.leaders_moved(&play.battle.table);
    let field = Field::new(play.rules, play.table(), play.dice);
    let moved: BTreeSet<UnitIx> = field.table.units().map(|(ix, _)| ix).filter(|ix| moved[ix.0 as usize]).collect();
    let look = Look { limit: limit(play), watch: &play.danger, field: &field, moved: &moved };
    let (units, leaders) = (look.nearer_to_units(), look.nearer_to_leaders(&ridden));
    for (ix, distance) in units {
        play.table_mut()[ix].marks.closest_enemy = Some(distance);
    }
    for (id, distance) in leaders {
        if let Some(leader) = play.table_mut().leaders.get_mut(&id) {
            lessen(&mut leader.marks.closest_enemy, distance);
        }
    }
    #[cfg(test)]
    assert_eq!(tests::marks(play.table()), plain, "the nearest enemies");
}

/// OFF-02 Who is farther away endangers nobody, thousandths of an inch.
fn limit(play: &Play<'_>) -> i32 {
    play.rules.officer_casualty.within_12.distance.map_or(0, |distance| distance.0)
}

fn all_as_they_stand(play: &Play<'_>) -> Vec<Option<Stood>> {
    let table = play.table();
    let leaving = disengaging(play);
    let stood = |(ix, unit): (UnitIx, &Unit)| {
        let endangers = unit.is_unrouted() && !leaving.contains(&ix);
        let known = table.knows_of(unit.side.enemy(), ix);
        unit.on_table().then(|| Stood { stands: table.stands(ix), endangers, known })
    };
    table.all_units().map(stood).collect()
}

/// The units that are told to disengage.
fn disengaging(play: &Play<'_>) -> BTreeSet<UnitIx> {
    let of = |side: Side| {
        let orders = &play.battle.secrets.get(side).open().orders;
        let told = orders.iter().filter(|(_, said)| matches!(said.order, Order::Disengage { .. }));
        told.filter_map(|(id, _)| play.table().find(id)).filter(move |ix| play.table()[*ix].side == side)
    };
    Side::BOTH.into_iter().flat_map(of).collect()
}

/// A look at those who have moved since the look before.
struct Look<'l> {
    limit: i32,
    watch: &'l Watch<Stood>,
    field: &'l Field<'l>,
    /// The units that are not as they were.
    moved: &'l BTreeSet<UnitIx>,
}

impl Look<'_> {
    /// The units to which an enemy has come nearer than any in this turn, and how near.
    fn nearer_to_units(&self) -> BTreeMap<UnitIx, i32> {
        let mut nearer: BTreeMap<UnitIx, i32> = BTreeMap::new();
        for &one in self.moved {
            for other in self.field.enemies_near(self.field.unit(one).side, self.field.extent(one), self.limit) {
                // Two who have both moved are one pair.
                if !(self.moved.contains(&other) && other < one) {
                    self.measure(one, other, &mut nearer);
                }
            }
        }
        nearer
    }

    /// Takes down the distance of two enemies for each of them to whom the other is the nearest. What is no nearer than the
    /// nearest of the turn so far need not be measured.
    fn measure(&self, one: UnitIx, other: UnitIx, nearer: &mut BTreeMap<UnitIx, i32>) {
        let closest = |own: UnitIx, nearer: &BTreeMap<UnitIx, i32>| {
            nearer.get(&own).copied().or(self.field.unit(own).marks.closest_enemy)
        };
        let reach = |own: UnitIx, enemy: UnitIx, nearer: &BTreeMap<UnitIx, i32>| {
            let known = self.field.knows_of(self.field.unit(own).side, enemy);
            (known && self.endangers(enemy))
                .then(|| closest(own, nearer).map_or(self.limit, |so_far| so_far.min(self.limit)))
        };
        let farthest = reach(one, other, nearer).max(reach(other, one, nearer));
        let may_be_near = |reach| self.field.extent(one).may_be_within(self.field.extent(other), reach);
        if !farthest.is_some_and(may_be_near) {
            return;
        }
        let (own, theirs) = (self.field.layout(one), self.field.layout(other));
        let Some(distance) = geometry::between_stands(own.rects(), theirs.rects()) else { return };
        for (own, enemy) in [(one, other), (other, one)] {
            let is_near = reach(own, enemy, nearer).is_some_and(|reach| distance.within(reach));
            let rounded = distance.rounded();
            if is_near && closest(own, nearer).is_none_or(|so_far| rounded < so_far) {
                nearer.insert(own, rounded);
            }
        }
    }

    /// How near an enemy is to each leader that has moved, or to whom an enemy has.
    fn nearer_to_leaders(&self, ridden: &BTreeSet<LeaderId>) -> Vec<(LeaderId, i32)> {
        let nearest = |leader: &Leader| {
            let reach = leader.marks.closest_enemy.map_or(self.limit, |so_far| so_far.min(self.limit));
            let ridden_near = ridden.contains(&leader.id);
            // His stand is square, and no corner of it as far from its middle as it is wide: most are told by that box.
            let about_him = Extent::about(leader.at, leader.stand_size());
            if !ridden_near && self.moved_enemies_near(leader.side, about_him, reach).next().is_none() {
                return None;
            }
            let stand = leader.stand();
            let about = Extent::of([&stand]);
            let near: Vec<UnitIx> = match ridden_near {
                true => self.field.enemies_near(leader.side, about, reach).collect(),
                false => self.moved_enemies_near(leader.side, about, reach).collect(),
            };
            let known = |enemy: &UnitIx| self.field.knows_of(leader.side, *enemy);
            let dangerous = near.into_iter().filter(|enemy| known(enemy) && self.endangers(*enemy));
            let distances = dangerous.filter_map(|enemy| {
                geometry::between_stands(std::iter::once(&stand), self.field.layout(enemy).rects())
            });
            let nearest = distances.min().filter(|distance| distance.within(reach))?;
            Some((leader.id.clone(), nearest.rounded()))
        };
        self.field.table.leaders_on_table().filter_map(nearest).collect()
    }

    fn moved_enemies_near(&self, side: Side, about: Extent, reach: i32) -> impl Iterator<Item = UnitIx> {
        let enemies = self.moved.iter().copied().filter(move |ix| self.field.unit(*ix).side != side);
        enemies.filter(move |ix| self.field.extent(*ix).may_be_within(about, reach))
    }

    fn endangers(&self, unit: UnitIx) -> bool {
        self.watch.unit(unit.0 as usize).is_some_and(|stood| stood.endangers)
    }
}

fn lessen(least: &mut Option<i32>, distance: i32) {
    *least = Some(least.map_or(distance, |before| before.min(distance)));
}

/// LEAD-13 Leaders whose stands an enemy stand touches are moved out of its way, wounded ones too.
///
/// Called after every displacement of units, as [`mark_danger`] is.
pub fn give_way(play: &mut Play<'_>) {
    let field = Field::new(play.rules, play.table(), play.dice);
    let mut ways = Vec::new();
    for leader in field.table.leaders.values() {
        if leader.presence != Presence::Table || leader.lost_in.is_some() {
            continue;
        }
        let mut enemies = field.enemies_near(leader.side, Extent::of([&field.leader_stand(leader)]), 0);
        let reached = |enemy: &UnitIx| field.leader_distance(leader, *enemy).is_zero();
        let Some(enemy) = enemies.find(reached) else { continue };
        let at = place_out_of_the_way(&field, leader, enemy);
        ways.push((leader.id.clone(), leader.name.clone(), at, (leader.side, enemy)));
    }
    for (id, name, at, (side, enemy)) in ways {
        // LOS-02 Who drives him off is seen before it is told.
        los::come_upon(play, side, &[enemy]);
        if let Some(leader) = play.table_mut().leaders.get_mut(&id) {
            lessen(&mut leader.marks.closest_enemy, CAUGHT_WITHIN);
        }
        move_leader(play, &id, at, LEAD_13, format!("The enemy reached {name}, who rode out of the way."));
    }
}

fn place_out_of_the_way(field: &Field<'_>, leader: &Leader, enemy: UnitIx) -> Point {
    let friends = field.table.units_of(leader.side).filter(|(_, unit)| unit.is_unrouted());
    let near = friends.map(|(unit, _)| (field.leader_distance(leader, unit), unit)).min();
    match near.filter(|(distance, _)| distance.within(TAKEN_IN_WITHIN)) {
        Some((_, unit)) => behind(field, unit, leader.stand_size()).0,
        None => {
            let away = geometry::bearing_between(field.center(enemy), leader.at);
            Frame::new(leader.at, away.unwrap_or(leader.facing.reversed())).at(RIDES_OFF, 0)
        }
    }
}
