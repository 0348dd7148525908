//! How near the enemy came to each leader, and leaders in the enemy's way.
//!
//! Owns the tracking of OFF-02 and the giving way of LEAD-13. It never rolls: phase 9 does.

use std::collections::BTreeMap;

use protocol::ids::LeaderId;
use protocol::orders::Order;
use protocol::place::Point;
use protocol::view::Presence;

use super::following::{behind, move_leader};
use crate::battle::{Leader, Unit, UnitIx};
use crate::catalogue::LEAD_13;
use crate::field::Field;
use crate::geometry::{self, Distance, Extent, Frame, Rect};
use crate::play::Play;

/// LEAD-13 A friend so near takes a leader in, thousandths of an inch.
const TAKEN_IN_WITHIN: i32 = 12_000;

/// LEAD-13 With no friend near he rides off so far, thousandths of an inch.
const RIDES_OFF: i32 = 3_000;

/// LEAD-13 He then counts as having been so near to the enemy, thousandths of an inch.
const CAUGHT_WITHIN: i32 = 2_000;

/// OFF-02 The enemies that endanger a leader of the other side now: on the table, neither routed nor disengaging.
pub fn enemies_that_endanger<'p>(play: &'p Play<'_>, leader: &Leader) -> impl Iterator<Item = UnitIx> + use<'p> {
    let enemies = play.table().units_of(leader.side.enemy());
    enemies.filter(|(enemy, unit)| unit.is_unrouted() && !is_disengaging(play, *enemy)).map(|(enemy, _)| enemy)
}

fn is_disengaging(play: &Play<'_>, unit: UnitIx) -> bool {
    matches!(play.order(unit), Order::Disengage { .. })
}

/// OFF-02 Takes down how near an enemy is to each leader and to each unit, where that is the nearest of the turn.
///
/// Called at the start of phase 2 and at the end of every segment, displacement and charge step up to phase 8.
pub fn mark_danger(play: &mut Play<'_>) {
    let limit = play.rules.officer_casualty.within_12.distance.map_or(0, |distance| distance.0);
    let field = Field::new(play.rules, play.table(), play.dice);
    let is_dangerous = |enemy: &UnitIx| field.unit(*enemy).is_unrouted() && !is_disengaging(play, *enemy);
    // What is no nearer than the nearest of the turn so far need not be measured.
    let nearest = |side, own: &[Rect], so_far: Option<i32>| -> Option<i32> {
        let limit = so_far.map_or(limit, |before| before.min(limit));
        let about = Extent::of(own);
        let near = field.enemies_near(side, about, limit).filter(is_dangerous);
        let distances = near.filter_map(|enemy| geometry::between_stands(own.iter(), field.layout(enemy).rects()));
        distances.min().filter(|distance| distance.within(limit)).map(Distance::rounded)
    };
    let leaders: BTreeMap<LeaderId, i32> = field
        .table
        .leaders_on_table()
        .filter_map(|leader| {
            Some((leader.id.clone(), nearest(leader.side, &[field.leader_stand(leader)], leader.marks.closest_enemy)?))
        })
        .collect();
    let lesser = |unit: &Unit, distance: i32| unit.marks.closest_enemy.is_none_or(|before| distance < before);
    let units: Vec<(UnitIx, i32)> = field
        .table
        .units()
        .filter_map(|(ix, unit)| {
            let nearest = nearest(unit.side, field.table.looker(ix).stands, unit.marks.closest_enemy);
            Some((ix, nearest.filter(|near| lesser(unit, *near))?))
        })
        .collect();
    for (id, distance) in leaders {
        if let Some(leader) = play.table_mut().leaders.get_mut(&id) {
            lessen(&mut leader.marks.closest_enemy, distance);
        }
    }
    for (ix, distance) in units {
        play.table_mut()[ix].marks.closest_enemy = Some(distance);
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
        ways.push((leader.id.clone(), leader.name.clone(), place_out_of_the_way(&field, leader, enemy)));
    }
    for (id, name, at) in ways {
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
