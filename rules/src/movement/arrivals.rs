//! Reinforcements at the door. SCN-11, SCN-13
//!
//! Owns when a unit comes in and where: at its place of entry, or beside it where an enemy bars it. When it is due and whether
//! it may be kept away is the turn's affair.

use protocol::orders::{MoveOrder, Order};
use protocol::place::{Bearing, Point};

use super::body::{Body, Shape};
use super::clock::{self, Clock, Mover, State};
use super::program::Program;
use super::rates::{self, Gait};
use crate::arrivals;
use crate::battle::UnitIx;
use crate::dice::Purpose;
use crate::field::Field;
use crate::geometry::Frame;
use crate::play::Play;

/// SCN-13 How far beside its place of entry a unit may come in, and in which steps it looks, thousandths of an inch.
const BESIDE: i32 = 12_000;
const STEP: i32 = 250;

/// The place of entry of a unit that is still to come.
#[derive(Clone, Debug)]
pub(super) struct Door {
    /// How it comes in.
    body: Body,
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
        mover.door = Some(Door { body: mover.body.clone() });
        mover.program = Program::idle(mover.body.clone());
        movers.push(mover);
    }
    movers
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

/// MOVE as ordered; HOLD waits; without a word it moves straight in, one move long.
fn order_at_the_door(play: &Play<'_>, ix: UnitIx) -> Option<MoveOrder> {
    let unit = &play.table()[ix];
    let said = play.battle.secrets.get(unit.side).open().orders.get(&unit.id).map(|orders| &orders.order);
    match said {
        Some(Order::Move(order)) => Some(order.clone()),
        Some(_) => None,
        None => {
            let rates = rates::rates(play.rules, unit, &Body::of(unit), Gait::Plain);
            let all = [rates.road, rates.open, rates.broken, rates.woods, rates.rough];
            let most = all.into_iter().flatten().max().unwrap_or(0);
            let ahead = Frame::new(unit.footing.anchor, unit.footing.facing).at(most, 0);
            Some(MoveOrder { path: vec![ahead], ..MoveOrder::default() })
        }
    }
}

/// Where a waiting unit can come in now. Friends in the way only delay it; an enemy makes it come in beside.
pub(super) fn place(clock: &Clock<'_, '_>, n: usize) -> Option<Body> {
    let mover = &clock.movers[n];
    let door = mover.door.as_ref()?;
    let shape = Shape::of(&door.body, mover.stands);
    if !near_enemy(clock, n, &shape) {
        return clear_of_friends(clock, n, &shape).then(|| door.body.clone());
    }
    // SCN-13 The nearest free point along the edge; of two equally near a die tells.
    let frame = Frame::new(door.body.footing.anchor, door.body.footing.facing);
    let free = |aside: i32| {
        let mut body = door.body.clone();
        body.footing.anchor = frame.at(0, aside);
        let shape = Shape::of(&body, mover.stands);
        let is_free =
            on_table(clock, body.footing.anchor) && !near_enemy(clock, n, &shape) && clear_of_friends(clock, n, &shape);
        is_free.then_some(body)
    };
    (1..=BESIDE / STEP).find_map(|step| match (free(step * STEP), free(-step * STEP)) {
        (Some(right), Some(left)) => Some(if right_first(clock, n) { right } else { left }),
        (right, left) => right.or(left),
    })
}

fn right_first(clock: &Clock<'_, '_>, n: usize) -> bool {
    let play = &clock.play;
    let id = &play.table()[clock.movers[n].unit].id;
    let die = |side: &str| play.dice.die(play.phase, Purpose::TiePlace, &[id.as_str(), side], 1);
    die("left") <= die("right")
}

fn on_table(clock: &Clock<'_, '_>, anchor: Point) -> bool {
    let ground = clock.play.table().ground().ground();
    (0..=ground.width).contains(&anchor.x) && (0..=ground.height).contains(&anchor.y)
}

/// SCN-13 An unrouted enemy within an inch of the footprint.
fn near_enemy(clock: &Clock<'_, '_>, n: usize, shape: &Shape) -> bool {
    let limit = clock.play.rules.movement_limits.move_stops_before_enemy.thousandths();
    let enemies = clock.play.table().units_of(clock.movers[n].side.enemy());
    let enemies = enemies.filter(|(_, enemy)| enemy.is_unrouted());
    enemies.filter_map(|(ix, _)| clock.shapes[ix.0 as usize].as_ref()).any(|enemy| shape.within(enemy, limit))
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
