//! Leaders on the move: with the unit they are attached to, or along a path of their own. MOVE-16, MOVE-17
//!
//! Owns their ways in phases 6 and 7 and the log of how near the enemy came. What they help with stands elsewhere.

use std::collections::BTreeSet;

use protocol::event::Fact;
use protocol::ids::{LeaderId, Side};
use protocol::orders::Ride;
use protocol::place::Point;
use protocol::view::Presence;

use super::body::Shape;
use super::clock::crowd_of;
use super::program::SEGMENTS;
use super::rates;
use crate::battle::{Leader, UnitIx};
use crate::catalogue::{MOVE_17, SCN_11};
use crate::crowd::Crowd;
use crate::explain::sentence;
use crate::field::Field;
use crate::geometry::{self, Distance};
use crate::ground::{PathCost, PathLeg, Pricing, TURN_POINTS};
use crate::leaders;
use crate::play::Play;

/// A leader who rides a path of his own.
pub(super) struct Rider {
    leader: LeaderId,
    cost: PathCost,
    /// What he had spent before this phase.
    spent: i64,
    way: Vec<Point>,
}

/// MOVE-17 Who is told to go with a unit he stands with is attached to it; who is told to stay, to nobody.
pub(super) fn attach(play: &mut Play<'_>) {
    let leaders: Vec<LeaderId> = play.table().leaders_on_table().map(|leader| leader.id.clone()).collect();
    for id in leaders {
        let side = play.table().leaders[&id].side;
        let Some(ride) = play.leader_choice(side, &id, |draft| draft.ride.clone()) else { continue };
        let attached = match ride {
            Ride::Attach { unit } => {
                let field = Field::new(play.rules, play.table(), play.dice);
                let leader = &play.table().leaders[&id];
                play.table().find(&unit).filter(|ix| stands_with(&field, leader, *ix)).map(|_| unit)
            }
            Ride::Path { .. } | Ride::Stay {} => None,
        };
        if let Some(leader) = play.table_mut().leaders.get_mut(&id) {
            leader.attached = attached;
        }
    }
}

/// Within his benefit radius; a leader of level 0 within an inch.
fn stands_with(field: &Field<'_>, leader: &Leader, ix: UnitIx) -> bool {
    let unit = field.unit(ix);
    let radius = field.rules.leader_level.at(leader.level.max(1)).radius;
    unit.on_table() && unit.side == leader.side && field.leader_within(leader, ix, radius.thousandths())
}

/// MOVE-17 The leaders who ride now, before the charges of phase 6 or in phase 7.
pub(super) fn riders(play: &Play<'_>, before_charges: bool) -> Vec<Rider> {
    let ground = play.table().ground();
    let (rates, prices) = (rates::officer_rates(play.rules), rates::officer_prices(play.rules));
    let mut riders = Vec::new();
    for leader in play.table().leaders_on_table() {
        let ride = play.leader_choice(leader.side, &leader.id, |draft| draft.ride.clone());
        let Some(Ride::Path { points, before_charges: early }) = ride else { continue };
        if early != before_charges || points.is_empty() {
            continue;
        }
        let legs: Vec<PathLeg<'_>> = points.iter().map(|&to| PathLeg { to, front: &[] }).collect();
        let spent = i64::from(leader.marks.spent);
        let cost = PathCost::new(&ground, leader.at, &legs, &rates, &prices, Pricing::Move, TURN_POINTS - spent);
        riders.push(Rider { leader: leader.id.clone(), cost, spent, way: vec![leader.at] });
    }
    riders
}

/// Brings every rider where he is at the end of a segment.
pub(super) fn ride(play: &mut Play<'_>, riders: &mut [Rider], segment: u8) {
    let (width, height) = (play.table().ground().ground().width, play.table().ground().ground().height);
    let by_now = i64::from(segment) * TURN_POINTS / i64::from(SEGMENTS);
    for rider in riders {
        let travel = rider.cost.reach(by_now.min(TURN_POINTS - rider.spent));
        let to = rider.cost.point(travel);
        let Some(leader) = play.battle.table.leaders.get_mut(&rider.leader) else { continue };
        let inside = (0..=width).contains(&to.x) && (0..=height).contains(&to.y);
        if !inside || leader.at == to || !leader.on_table() {
            continue;
        }
        leader.at = to;
        let points = rider.spent + rider.cost.points_at(travel);
        leader.marks.spent = u32::try_from(points).unwrap_or(u32::MAX);
        rider.way.push(to);
    }
}

/// MOVE-17 Paths ridden before the first charge is resolved. Called by phase 6.
pub(crate) fn ride_before_charges(play: &mut Play<'_>) {
    let mut riders = riders(play, true);
    ride(play, &mut riders, SEGMENTS);
    tell(play, &riders);
}

/// Tells the ways that were ridden: start, corners and end.
pub(super) fn tell(play: &mut Play<'_>, riders: &[Rider]) {
    for rider in riders {
        let Some(end) = rider.way.last().filter(|_| 1 < rider.way.len()) else { continue };
        let name = play.table().leaders[&rider.leader].name.clone();
        let path = vec![rider.way[0], *end];
        let text = format!("{name} rides on.");
        play.tell(
            MOVE_17,
            Fact::LeaderMoved { leader: rider.leader.clone(), path: thinned(&rider.way).unwrap_or(path) },
            sentence(text),
        );
    }
}

/// A way without the points that lie straight between their neighbours.
fn thinned(way: &[Point]) -> Option<Vec<Point>> {
    let mut kept: Vec<Point> = vec![*way.first()?];
    for (n, &point) in way.iter().enumerate().skip(1) {
        let from = kept[kept.len() - 1];
        let next = way.get(n + 1);
        let straight = next.is_some_and(|&next| geometry::point_to_segment(point, from, next).within(5));
        if !straight {
            kept.push(point);
        }
    }
    Some(kept)
}

/// MOVE-17 Leaders attached to a unit go with it.
pub(crate) fn carry(play: &mut Play<'_>, ix: UnitIx, by: (i32, i32)) {
    if by == (0, 0) {
        return;
    }
    let unit = play.table()[ix].id.clone();
    let with_it = |leader: &Leader| leader.on_table() && leader.attached.as_ref() == Some(&unit);
    for leader in play.table_mut().leaders.those_mut(with_it) {
        leader.at = Point::new(leader.at.x + by.0, leader.at.y + by.1);
    }
}

/// SCN-11 Leaders come in beside the first unit of their own.
pub(super) fn arrive(play: &mut Play<'_>, ix: UnitIx) {
    let turn = play.table().turn;
    let unit = &play.table()[ix];
    let (side, id, anchor, facing) = (unit.side, unit.id.clone(), unit.footing.anchor, unit.footing.facing);
    let commands = |leader: &Leader| {
        let brigade = play.table().brigade_of(unit);
        brigade.is_some_and(|brigade| {
            brigade.commander.as_ref() == Some(&leader.id)
                || brigade.superior.as_ref() == Some(&leader.id)
                || superiors(play, brigade.commander.as_ref()).contains(&leader.id)
        })
    };
    let coming: Vec<LeaderId> = play
        .table()
        .leaders
        .values()
        .filter(|leader| leader.side == side && leader.presence == Presence::ToCome)
        .filter(|leader| leader.arrives.is_some_and(|due| due <= turn) && commands(leader))
        .map(|leader| leader.id.clone())
        .collect();
    for leader_id in coming {
        let at = geometry::Frame::new(anchor, facing).at(0, 0);
        if let Some(leader) = play.table_mut().leaders.get_mut(&leader_id) {
            leader.presence = Presence::Table;
            leader.at = at;
            leader.at_turn_start = at;
            leader.facing = facing;
            leader.attached = Some(id.clone());
            let name = leader.name.clone();
            let fact = Fact::LeaderArrived { leader: leader_id, at };
            play.tell(SCN_11, fact, sentence(format!("{name} comes on the table.")));
        }
    }
}

fn superiors(play: &Play<'_>, commander: Option<&LeaderId>) -> Vec<LeaderId> {
    let mut above = Vec::new();
    let mut post = commander.and_then(|id| play.table().leaders.get(id));
    while let Some(superior) = post.and_then(|leader| leader.superior.clone()) {
        if above.contains(&superior) {
            break;
        }
        post = play.table().leaders.get(&superior);
        above.push(superior);
    }
    above
}

/// OFF-02 Beyond this nobody is in danger, and nothing is taken down, thousandths of an inch.
fn danger_limit(play: &Play<'_>) -> i32 {
    play.rules.officer_casualty.within_12.distance.map_or(0, |distance| distance.thousandths())
}

/// A unit farther from a leader than this cannot have been helped by him in this segment, thousandths of an inch.
const HELPED_WITHIN: i32 = 3_000;

/// What was watched in the segment before. Of a pair of which neither has moved since, nothing new can be told.
#[derive(Debug, Default)]
pub(super) struct Watch {
    stood: leaders::Watch<Stood>,
    /// The units that were watched.
    units: BTreeSet<UnitIx>,
}

/// A unit on the table as those who may be near it see it.
#[derive(Clone, Debug, PartialEq)]
struct Stood {
    shape: Shape,
    /// Whether the enemy knows of it. LOS-19
    known: bool,
}

/// OFF-02 Takes down how near an unrouted enemy came to every leader, and to the units that stand near enough to be helped
/// by one or were helped this turn.
pub(super) fn watch(play: &mut Play<'_>, shapes: &[Option<Shape>], crowd: &Crowd, watch: &mut Watch) {
    let limit = danger_limit(play);
    let table = &play.battle.table;
    let known = |n: usize| {
        let ix = UnitIx(n as u16);
        table.knows_of(table[ix].side.enemy(), ix)
    };
    let stood = shapes.iter().enumerate().map(|(n, shape)| Some(Stood { shape: shape.clone()?, known: known(n) }));
    let moved = watch.stood.units_moved(stood.collect());
    let ridden = watch.stood.leaders_moved(table);
    let ground = table.ground().ground();
    let who_moved = shapes.iter().zip(&moved).map(|(shape, moved)| shape.as_ref().filter(|_| *moved));
    let who_moved = crowd_of(who_moved, (ground.width, ground.height));
    // `anew`: he was not watched before, or has moved; else only enemies who have are looked at.
    let nearest = |side: Side, own: &Shape, anew: bool, known: Option<i32>| -> Option<i32> {
        let mut best = known.unwrap_or(limit);
        let mut nearer = None;
        let all = if anew { crowd } else { &who_moved };
        for ix in all.near(own.extent(), best) {
            let enemy = &table[ix];
            if enemy.side == side || !enemy.is_unrouted() || !enemy.on_table() {
                continue;
            }
            if !table.knows_of(side, ix) {
                continue;
            }
            let Some(shape) = &shapes[ix.0 as usize] else { continue };
            let Some(distance) = own.distance_within(shape, best).map(Distance::rounded) else { continue };
            if distance < best || (known.is_none() && distance <= best) {
                best = distance;
                nearer = Some(distance);
            }
        }
        nearer
    };
    let mut leaders: Vec<(LeaderId, i32)> = Vec::new();
    let mut units: Vec<(UnitIx, i32)> = Vec::new();
    let mut watched = BTreeSet::new();
    for leader in table.leaders_on_table() {
        let own = Shape::around(vec![leader.stand()]);
        let anew = ridden.contains(&leader.id);
        if let Some(distance) = nearest(leader.side, &own, anew, leader.marks.closest_enemy) {
            leaders.push((leader.id.clone(), distance));
        }
        let near = crowd.near(own.extent(), HELPED_WITHIN).into_iter();
        let near =
            near.filter(|ix| shapes[ix.0 as usize].as_ref().is_some_and(|shape| own.may_reach(shape, HELPED_WITHIN)));
        let helped = leader.marks.helped_in_turn.iter().filter_map(|id| table.find(id));
        for ix in near.chain(helped) {
            let unit = &table[ix];
            let Some(shape) = shapes[ix.0 as usize].as_ref().filter(|_| unit.on_table()) else { continue };
            if unit.side != leader.side || !watched.insert(ix) {
                continue;
            }
            let anew = moved[ix.0 as usize] || !watch.units.contains(&ix);
            if let Some(distance) = nearest(leader.side, shape, anew, unit.marks.closest_enemy) {
                units.push((ix, distance));
            }
        }
    }
    watch.units = watched;
    for (id, distance) in leaders {
        if let Some(leader) = play.battle.table.leaders.get_mut(&id) {
            leader.marks.closest_enemy = Some(distance);
        }
    }
    for (ix, distance) in units {
        play.battle.table[ix].marks.closest_enemy = Some(distance);
    }
}
