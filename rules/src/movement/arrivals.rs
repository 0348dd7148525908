//! Reinforcements at the door. SCN-11, SCN-13
//!
//! Owns when a unit comes in and where: at its place of entry, or near it where an enemy bars it. When it is due and whether
//! it may be kept away is the turn's affair.

use std::collections::BTreeSet;

use protocol::orders::{MoveOrder, Order};
use protocol::place::{Bearing, Point};

use super::body::{Body, Shape};
use super::clock::{self, Clock, Mover, State};
use super::exits;
use super::program::Program;
use super::rates::{self, Gait};
use crate::arrivals;
use crate::battle::UnitIx;
use crate::dice::{Purpose, break_tie};
use crate::field::Field;
use crate::geometry::Frame;
use crate::los;
use crate::play::Play;
use crate::scenario::PlaceTerm;

/// SCN-13 How far from its place of entry a unit may come in, and in which steps it looks, thousandths of an inch.
const FARTHEST: i32 = 12_000;
const STEP: i32 = 250;

/// SCN-13 In how many directions, ten degrees apart, a unit looks about an inner place of entry: the points that it tries lie
/// half an inch apart where they are three inches off, and two inches apart where they are farthest.
const DIRECTIONS: i32 = 36;

/// The place of entry of a unit that is still to come.
#[derive(Clone, Debug)]
pub(super) struct Door {
    /// How it comes in.
    body: Body,
    /// It enters on the table, not by an edge of it.
    inner: bool,
}

/// SCN-11 The units that may come in this turn and are not told to wait, in the order of the list.
pub(super) fn at_the_door(play: &mut Play<'_>) -> Vec<Mover> {
    let coming = play.table().all_units().filter(|(ix, _)| arrivals::is_due(play.table(), *ix));
    let coming: Vec<UnitIx> = coming.map(|(ix, _)| ix).collect();
    let mut movers = Vec::new();
    for ix in in_order_of_entry(play, coming) {
        let Some(order) = order_at_the_door(play, ix) else { continue };
        let mut mover = clock::mover(play, ix, order);
        mover.state = State::Waiting;
        mover.door = Some(Door { body: mover.body.clone(), inner: enters_inside(play, ix) });
        mover.program = Program::idle(mover.body.clone());
        movers.push(mover);
    }
    movers
}

/// SCN-11 Whether its place of entry is a point of the table and no edge.
fn enters_inside(play: &Play<'_>, ix: UnitIx) -> bool {
    let arrival = play.table().scenario().arrival_of(play.table()[ix].id.as_str());
    arrival.is_some_and(|arrival| !matches!(arrival.place, PlaceTerm::Edge(_)))
}

/// The order of the list: that of the scenario's arrivals, and of the names in each.
fn in_order_of_entry(play: &Play<'_>, mut coming: Vec<UnitIx>) -> Vec<UnitIx> {
    let table = play.table();
    let scenario = table.scenario();
    let place = |ix: UnitIx| {
        let id = &table[ix].id;
        let arrival = scenario.arrival_of(id.as_str());
        let listed = arrival.and_then(|arrival| scenario.arrivals.iter().position(|other| other.id == arrival.id));
        let named = arrival.and_then(|arrival| arrival.who.iter().position(|who| who == id.as_str()));
        (listed, named.is_none(), named, scenario.forces.iter().position(|force| force.id == *id))
    };
    coming.sort_by_key(|ix| place(*ix));
    coming
}

/// MOVE as ordered; HOLD waits; without a word it moves straight in, one move long, or waits to be called. SCN-11, SCN-12
fn order_at_the_door(play: &Play<'_>, ix: UnitIx) -> Option<MoveOrder> {
    let unit = &play.table()[ix];
    let said = play.battle.secrets.get(unit.side).open().orders.get(&unit.id).map(|orders| &orders.order);
    match said {
        Some(Order::Move(order)) => Some(order.clone()),
        Some(_) => None,
        // SCN-12 Who may stay away for good comes only when he is called.
        None if is_called(play, ix) => None,
        None => {
            let rates = rates::rates(play.rules, unit, &Body::of(unit), Gait::Plain);
            let all = [rates.road, rates.open, rates.broken, rates.woods, rates.rough];
            let most = all.into_iter().flatten().max().unwrap_or(0);
            let ahead = Frame::new(unit.footing.anchor, unit.footing.facing).at(most, 0);
            Some(MoveOrder { path: vec![ahead], ..MoveOrder::default() })
        }
    }
}

/// SCN-12 Whether a unit's arrival is at the choice of its owner.
fn is_called(play: &Play<'_>, ix: UnitIx) -> bool {
    let arrival = play.table().scenario().arrival_of(play.table()[ix].id.as_str());
    arrival.is_some_and(|arrival| arrival.owner_may_refuse)
}

/// Where a waiting unit can come in now. Friends in the way only delay it; an enemy makes it come in somewhere near.
pub(super) fn place(clock: &Clock<'_, '_>, n: usize) -> Option<Body> {
    let mover = &clock.movers[n];
    let door = mover.door.as_ref()?;
    let shape = Shape::of(&door.body, mover.stands);
    if !near_enemy(clock, n, &shape) {
        return clear_of_friends(clock, n, &shape).then(|| door.body.clone());
    }
    let anchor = if door.inner { around(clock, n, &door.body, &shape) } else { beside(clock, n, &door.body, &shape) }?;
    let mut body = door.body.clone();
    body.footing.anchor = anchor;
    Some(body)
}

/// SCN-13 The nearest free point along the edge; of two equally near a die tells.
fn beside(clock: &Clock<'_, '_>, n: usize, door: &Body, shape: &Shape) -> Option<Point> {
    let frame = Frame::new(door.footing.anchor, door.footing.facing);
    let free = |aside: i32| {
        let point = frame.at(0, aside);
        (on_table(clock, point) && is_free(clock, n, &moved(shape, door, point))).then_some(point)
    };
    (1..=FARTHEST / STEP).find_map(|step| match (free(step * STEP), free(-step * STEP)) {
        (Some(right), Some(left)) => Some(if right_first(clock, n) { right } else { left }),
        (right, left) => right.or(left),
    })
}

/// SCN-13 The nearest free point about an inner place, on any side of it, at which the unit stands whole on the table. Rings
/// about the place are tried one after the other; the points of one ring count as equally near.
fn around(clock: &Clock<'_, '_>, n: usize, door: &Body, shape: &Shape) -> Option<Point> {
    (1..=FARTHEST / STEP).find_map(|step| {
        let bearings = (0..DIRECTIONS).map(|direction| Bearing::wrapping(direction * 36_000 / DIRECTIONS));
        let points = bearings.map(|bearing| (bearing, Frame::new(door.footing.anchor, bearing).at(step * STEP, 0)));
        let free = points.filter(|(_, point)| {
            let there = moved(shape, door, *point);
            is_whole_on_table(clock, &there) && is_free(clock, n, &there)
        });
        nearest_to_exit(clock, n, free.collect())
    })
}

/// SCN-13 Of points equally near, the one nearest to the own exit edge; of several a die tells, keyed by the unit and the
/// bearing of the point from the place of entry.
fn nearest_to_exit(clock: &Clock<'_, '_>, n: usize, points: Vec<(Bearing, Point)>) -> Option<Point> {
    let (play, mover) = (&clock.play, &clock.movers[n]);
    let exit = &play.table().scenario().sides.get(mover.side).exit_edge;
    let distance = |point: Point| exits::distance(play.table(), exit, point);
    let least = points.iter().map(|(_, point)| distance(*point)).min()?;
    let level: Vec<(String, Point)> = points
        .into_iter()
        .filter(|(_, point)| distance(*point) == least)
        .map(|(bearing, point)| (bearing.hundredths().to_string(), point))
        .collect();
    let id = play.table()[mover.unit].id.as_str();
    let keys: Vec<Vec<&str>> = level.iter().map(|(bearing, _)| vec![id, bearing.as_str()]).collect();
    let order = break_tie(play.dice, play.phase, Purpose::TiePlace, &keys).order;
    order.first().map(|place| level[*place].1)
}

/// The footprint of a unit at the door, were its anchor there.
fn moved(shape: &Shape, door: &Body, anchor: Point) -> Shape {
    shape.carried((anchor.x - door.footing.anchor.x, anchor.y - door.footing.anchor.y))
}

fn is_free(clock: &Clock<'_, '_>, n: usize, shape: &Shape) -> bool {
    !near_enemy(clock, n, shape) && clear_of_friends(clock, n, shape)
}

fn right_first(clock: &Clock<'_, '_>, n: usize) -> bool {
    let play = &clock.play;
    let id = &play.table()[clock.movers[n].unit].id;
    let die = |side: &str| play.dice.die(play.phase, Purpose::TiePlace, &[id.as_str(), side], 1);
    die("left") <= die("right")
}

fn on_table(clock: &Clock<'_, '_>, point: Point) -> bool {
    let ground = clock.play.table().ground().ground();
    (0..=ground.width).contains(&point.x) && (0..=ground.height).contains(&point.y)
}

fn is_whole_on_table(clock: &Clock<'_, '_>, shape: &Shape) -> bool {
    shape.rects.iter().flat_map(|rect| rect.corners).all(|corner| on_table(clock, corner))
}

fn near_enemy(clock: &Clock<'_, '_>, n: usize, shape: &Shape) -> bool {
    enemies_near(clock, n, shape).next().is_some()
}

/// SCN-13 The unrouted enemies within an inch of the footprint.
fn enemies_near<'c, 'p, 'a>(
    clock: &'c Clock<'p, 'a>,
    n: usize,
    shape: &'c Shape,
) -> impl Iterator<Item = UnitIx> + use<'c, 'p, 'a> {
    let limit = clock.play.rules.movement_limits.move_stops_before_enemy.thousandths();
    let enemies = clock.play.table().units_of(clock.movers[n].side.enemy());
    let enemies = enemies.filter(|(_, enemy)| enemy.is_unrouted()).map(|(ix, _)| ix);
    enemies.filter(move |ix| clock.shapes[ix.0 as usize].as_ref().is_some_and(|enemy| shape.within(enemy, limit)))
}

/// LOS-02 Who bars the place of entry of a waiting unit is seen by those who come, and so is who bars the places near it where
/// it would come in instead.
pub(super) fn see_who_bars(clock: &mut Clock<'_, '_>, n: usize) {
    let mover = &clock.movers[n];
    let Some(door) = mover.door.as_ref().filter(|_| los::is_played(clock.play.table())) else { return };
    let (side, shape) = (mover.side, Shape::of(&door.body, mover.stands));
    let mut barring: BTreeSet<UnitIx> = enemies_near(clock, n, &shape).collect();
    if !barring.is_empty() {
        barring.extend(who_bars_aside(clock, n, door, &shape));
    }
    let barring: Vec<UnitIx> = barring.into_iter().collect();
    los::come_upon(clock.play, side, &barring);
}

/// SCN-13 The enemies who alone keep a unit from places that are nearer than the one where it comes in.
fn who_bars_aside(clock: &Clock<'_, '_>, n: usize, door: &Door, shape: &Shape) -> BTreeSet<UnitIx> {
    let mut barring = BTreeSet::new();
    for step in 1..=FARTHEST / STEP {
        let places = places_aside(clock, door, shape, step * STEP);
        let free = places.into_iter().filter(|there| clear_of_friends(clock, n, there));
        let kept: Vec<Vec<UnitIx>> = free.map(|there| enemies_near(clock, n, &there).collect()).collect();
        barring.extend(kept.iter().flatten());
        if kept.iter().any(Vec::is_empty) {
            break;
        }
    }
    barring
}

/// SCN-13 Where a unit would stand so far from its place of entry, thousandths of an inch: [`beside`] it or [`around`] it.
fn places_aside(clock: &Clock<'_, '_>, door: &Door, shape: &Shape, far: i32) -> Vec<Shape> {
    let (at, facing) = (door.body.footing.anchor, door.body.footing.facing);
    let there = |point: Point| moved(shape, &door.body, point);
    if door.inner {
        let bearings = (0..DIRECTIONS).map(|direction| Bearing::wrapping(direction * 36_000 / DIRECTIONS));
        let places = bearings.map(|bearing| there(Frame::new(at, bearing).at(far, 0)));
        places.filter(|there| is_whole_on_table(clock, there)).collect()
    } else {
        let points = [far, -far].map(|aside| Frame::new(at, facing).at(0, aside));
        points.into_iter().filter(|point| on_table(clock, *point)).map(there).collect()
    }
}

fn clear_of_friends(clock: &Clock<'_, '_>, n: usize, shape: &Shape) -> bool {
    let friends = clock.play.table().units_of(clock.movers[n].side);
    !friends.filter_map(|(ix, _)| clock.shapes[ix.0 as usize].as_ref()).any(|friend| shape.overlaps(friend))
}

/// The program of a unit that has just come in, from where it stands.
pub(super) fn compile(clock: &mut Clock<'_, '_>, n: usize) {
    let field = Field::new(clock.play.rules, clock.play.table(), clock.play.dice);
    let mover = &clock.movers[n];
    let mut order = mover.order.clone();
    if order.path.len() == 1 && said_nothing(clock, n) {
        let (door, facing): (Point, Bearing) = (mover.body.footing.anchor, mover.body.footing.facing);
        let length = crate::geometry::segment_length(door, order.path[0]).max(1);
        order.path = vec![Frame::new(door, facing).at(length, 0)];
    }
    let program = super::compile::compile(&field, mover.unit, &order);
    clock.movers[n].program = program;
}

fn said_nothing(clock: &Clock<'_, '_>, n: usize) -> bool {
    let unit = &clock.play.table()[clock.movers[n].unit];
    !clock.play.battle.secrets.get(unit.side).open().orders.contains_key(&unit.id)
}
