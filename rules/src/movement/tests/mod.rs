//! Tests of movement, a rule each. Numbers are worked by hand from the tables: a veteran line moves 6 inches in the open, 4 in
//! broken ground, 2 in woods, 1 in rough; half a turn is 2520000 points.

mod chart;
mod costs;
mod exits;
mod fires;
mod formations;
mod horses;
mod meeting;
mod obstacles;
mod special_ground;
mod symmetry;
mod unveiled;

use protocol::event::Fact;
use protocol::ids::{Side, UnitId};
use protocol::orders::{Instructions, MoveOrder, Order, Stage};
use protocol::place::Point;

use super::Program;
use crate::battle::{Battle, Table, Unit};
use crate::dice::{Dice, Purpose, ScriptedDice};
use crate::field::Field;
use crate::ground::{Area, Ground, Obstacle, ObstacleKind, Terrain, Wooded};
use crate::play::{Event, Play};
use crate::ruleset::Ruleset;
use crate::testing::{self, Maker, give, ix, open_ground, table};

const TURN: i64 = 5_040_000;

// Most of these are tests of movement alone: everybody has fired already, so no holder fires on the way. HOLDF-05

fn infantry(id: &str, side: Side) -> Maker {
    testing::infantry(id, side).with(has_fired)
}

fn cavalry(id: &str, side: Side) -> Maker {
    testing::cavalry(id, side).with(has_fired)
}

fn battery(id: &str, side: Side) -> Maker {
    testing::battery(id, side).with(has_fired)
}

fn has_fired(unit: &mut Unit) {
    unit.marks.fires = 1;
}

fn p(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

/// Ground of one kind north of a line.
fn ground_from(y: i32, terrain: Terrain) -> Ground {
    let outline = vec![p(0, y), p(60_000, y), p(60_000, 60_000), p(0, 60_000)];
    let wooded = if terrain == Terrain::Woods { Wooded::Light } else { Wooded::None };
    let area = Area { id: "area".into(), name: "area".to_owned(), terrain, wooded, outline };
    Ground { areas: vec![area], ..open_ground() }
}

/// A fence from edge to edge.
fn with_fence(ground: Ground, y: i32) -> Ground {
    let fence = Obstacle { id: "fence".into(), kind: ObstacleKind::Fence, line: vec![p(0, y), p(60_000, y)] };
    Ground { obstacles: vec![fence], ..ground }
}

fn path(points: &[(i32, i32)]) -> MoveOrder {
    MoveOrder { path: points.iter().map(|&(x, y)| p(x, y)).collect(), ..MoveOrder::default() }
}

fn compiled(table: &Table, unit: &str, order: &MoveOrder) -> Program {
    let field = Field::before_dice(table.rules(), table);
    super::compile(&field, ix(table, unit), order)
}

/// The program of one unit, named `u`, alone on a ground.
fn alone(ground: Ground, unit: Maker, order: &MoveOrder) -> Program {
    compiled(&table(ground, [unit]), "u", order)
}

fn end_of(program: &Program) -> (i32, i32) {
    let anchor = program.end().footing.anchor;
    (anchor.x, anchor.y)
}

fn march(battle: &mut Battle, unit: &str, order: MoveOrder) {
    give(battle, unit, Order::Move(order), Instructions::default());
}

/// Plays phase 7 and returns the battle and what was told. The dice must be used up.
fn played(battle: Battle, dice: ScriptedDice) -> (Battle, Vec<Event>) {
    let result = played_with(battle, &dice);
    dice.finish().expect("the dice fit the script");
    result
}

fn played_with(battle: Battle, dice: &dyn Dice) -> (Battle, Vec<Event>) {
    let mut play = Play::new(Ruleset::standard(), dice, battle, Stage::Movement);
    play.phase = 7;
    super::play(&mut play);
    (play.battle, play.events)
}

fn no_dice() -> ScriptedDice {
    ScriptedDice::new()
}

fn unit<'a>(battle: &'a Battle, id: &str) -> &'a Unit {
    battle.table.unit(&UnitId::new(id)).expect("the test has this unit")
}

fn anchor(battle: &Battle, id: &str) -> (i32, i32) {
    let anchor = unit(battle, id).footing.anchor;
    (anchor.x, anchor.y)
}

/// Why a unit halted, with the rule.
fn halted(events: &[Event], id: &str) -> Option<String> {
    events.iter().find_map(|event| match &event.fact {
        Fact::Moved { unit, halted: Some(_), .. } if unit.as_str() == id => Some(event.rule.as_str().to_owned()),
        _ => None,
    })
}

fn pass_dice(a: &str, b: &str, face_of_a: u8, face_of_b: u8) -> ScriptedDice {
    let dice = ScriptedDice::new().with(Purpose::TacticalPassThrough, &[a, b], &[face_of_a]);
    dice.with(Purpose::TacticalPassThrough, &[b, a], &[face_of_b])
}
