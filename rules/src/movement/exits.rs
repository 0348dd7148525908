//! Leaving the table by order. SCN-14
//!
//! Owns where a side may march off, and what becomes of a unit that does. Units that flee from the table are lost, which is
//! [`crate::rout`]'s affair.

use protocol::event::Fact;
use protocol::ids::{LeaderId, Side};
use protocol::place::{Bearing, Point};
use protocol::view::Presence;

use super::clock::{Clock, State};
use crate::battle::{Leader, Table, Unit, UnitIx};
use crate::catalogue::{LVL_05, SCN_14};
use crate::column;
use crate::command;
use crate::explain::sentence;
use crate::geometry::{self, Distance, EPS};
use crate::levels;
use crate::places::edge_word;
use crate::scenario::{Edge, PlaceTerm, Stretch, VictoryKind};
use crate::specials;

/// SCN-14 The stretch of the edge by which a unit may leave at a point of the edge: its side's exit edge, that of a
/// victory term for its side, or one to which a special rule gives it the right. SCNS-16
pub(super) fn exit_at<'t>(table: &'t Table, unit: &Unit, point: Point) -> Option<&'t Stretch> {
    let mut rights = specials::exit_rights(table, unit).into_iter();
    exit_of_side(table, unit.side, point).or_else(|| rights.find(|stretch| lies_on(table, stretch, point)))
}

/// SCN-14 The stretch of the edge by which anybody of a side may leave at a point of the edge, a marker with nothing under it
/// too. HID-65
pub(super) fn exit_of_side(table: &Table, side: Side, point: Point) -> Option<&Stretch> {
    let scenario = table.scenario();
    let own = &scenario.sides.get(side).exit_edge;
    let of_terms = scenario.victory.iter().filter(|term| term.side.includes(side));
    let aims = of_terms.filter_map(|term| match &term.kind {
        VictoryKind::Exit { place: PlaceTerm::Edge(stretch), .. } => Some(stretch),
        _ => None,
    });
    std::iter::once(own).chain(aims).find(|stretch| lies_on(table, stretch, point))
}

fn lies_on(table: &Table, stretch: &Stretch, point: Point) -> bool {
    let ground = table.ground().ground();
    let (off, along) = match stretch.edge {
        Edge::North => (ground.height - point.y, point.x),
        Edge::South => (point.y, point.x),
        Edge::East => (ground.width - point.x, point.y),
        Edge::West => (point.x, point.y),
    };
    off <= EPS && (stretch.from - EPS..=stretch.to + EPS).contains(&along)
}

/// SCN-13 How far a point is from a stretch of the edge.
pub(crate) fn distance(table: &Table, stretch: &Stretch, point: Point) -> Distance {
    let (from, to) = ends(table, stretch);
    geometry::point_to_segment(point, from, to)
}

/// LVL-05 The point of a stretch of the edge that lies nearest.
pub(crate) fn nearest(table: &Table, stretch: &Stretch, point: Point) -> Point {
    let (from, to) = ends(table, stretch);
    geometry::nearest_on_segment(point, from, to)
}

/// The bearing that leads off the table over a stretch of the edge.
pub(crate) fn outward(stretch: &Stretch) -> Bearing {
    match stretch.edge {
        Edge::North => Bearing::NORTH,
        Edge::East => Bearing::NORTH.turned(9_000),
        Edge::South => Bearing::NORTH.reversed(),
        Edge::West => Bearing::NORTH.turned(-9_000),
    }
}

fn ends(table: &Table, stretch: &Stretch) -> (Point, Point) {
    let ground = table.ground().ground();
    let end = |along: i32| match stretch.edge {
        Edge::North => Point::new(along, ground.height),
        Edge::South => Point::new(along, 0),
        Edge::East => Point::new(ground.width, along),
        Edge::West => Point::new(0, along),
    };
    (end(stretch.from), end(stretch.to))
}

/// SCN-14 Who has come to the exit is off the table, whole, with the leaders who are with it, and is not lost.
pub(super) fn leave(clock: &mut Clock<'_, '_>) {
    for n in 0..clock.movers.len() {
        let mover = &clock.movers[n];
        let Some(edge) = mover.program.leaves_by.filter(|_| mover.state == State::Done) else { continue };
        let ix = mover.unit;
        if !clock.play.table()[ix].on_table() {
            continue;
        }
        // TAC-28 A column goes whole.
        for regiment in column::members(clock.play.table(), ix) {
            march_off(clock, regiment, edge);
        }
        clock.redraw();
    }
}

fn march_off(clock: &mut Clock<'_, '_>, ix: UnitIx, edge: Edge) {
    let table = &mut clock.play.battle.table;
    let unit = &mut table[ix];
    unit.presence = Presence::Left;
    unit.marks.order_spent = true;
    let (id, name) = (unit.id.clone(), unit.name.clone());
    let with_it = |leader: &Leader| leader.on_table() && leader.attached.as_ref() == Some(&id);
    let mut leaders = Vec::new();
    for leader in table.leaders.those_mut(with_it) {
        leader.presence = Presence::Left;
        leaders.push(leader.name.clone());
    }
    let company = if leaders.is_empty() { String::new() } else { format!(", and {} with it", leaders.join(", ")) };
    let text = format!("{name} marches off the table by the {} edge{company}.", edge_word(edge));
    let fact = Fact::Removed { unit: id, how: "marched off the table".to_owned() };
    clock.play.tell(SCN_14, fact, sentence(text));
    leaders_follow(clock, ix);
}

/// LVL-05 The commanders of formations that must withdraw leave with the last unit of theirs on the table.
fn leaders_follow(clock: &mut Clock<'_, '_>, left: UnitIx) {
    let table = clock.play.table();
    let spent = |leader: &&&Leader| leader.on_table() && levels::must_withdraw(table, &leader.id);
    let above = command::superiors(table, &table[left]);
    let bare = |leader: &&&Leader| {
        let mut others = table.units_of(leader.side);
        !others.any(|(_, unit)| command::superiors(table, unit).iter().any(|above| above.id == leader.id))
    };
    let going: Vec<LeaderId> = above.iter().filter(spent).filter(bare).map(|leader| leader.id.clone()).collect();
    for id in going {
        let Some(leader) = clock.play.table_mut().leaders.get_mut(&id) else { continue };
        leader.presence = Presence::Left;
        leader.attached = None;
        let text = format!("{} leaves the table with the last unit of his command.", leader.name);
        let fact = Fact::LeaderMoved { leader: id, path: vec![leader.at] };
        clock.play.tell(LVL_05, fact, sentence(text));
    }
}
