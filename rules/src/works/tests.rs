//! Whole turns of work on small tables.

mod build;
mod destroy;
mod hasty;
mod shown;
mod swing;

use protocol::event::Fact;
use protocol::ids::Side;
use protocol::orders::{Draft, FormTask, Instructions, Order, Stage, UnitDraft, Work};
use protocol::place::Point;

use crate::battle::{Battle, Labour, Unit, known};
use crate::dice::{Purpose, ScriptedDice};
use crate::ground::{Area, Ground, Obstacle, ObstacleKind, Terrain, Wooded};
use crate::orders;
use crate::phases;
use crate::play::{Event, Play};
use crate::ruleset::Ruleset;
use crate::testing::{self, Maker, infantry, ix, open_ground, table};

/// A task of FORM, at a place or at none.
fn work(work: Work, at: &[(i32, i32)]) -> Order {
    let at = at.iter().map(|(x, y)| Point::new(*x, *y)).collect();
    Order::Form { task: FormTask::Work { work, at } }
}

/// A square of ground from 20 to 40 inches both ways.
fn square_of(terrain: Terrain, wooded: Wooded) -> Ground {
    let outline = [(20_000, 20_000), (40_000, 20_000), (40_000, 40_000), (20_000, 40_000)];
    let outline = outline.iter().map(|(x, y)| Point::new(*x, *y)).collect();
    let area = Area { id: "square".into(), name: "Square".to_owned(), terrain, wooded, outline };
    Ground { areas: vec![area], ..open_ground() }
}

fn woods() -> Ground {
    square_of(Terrain::Woods, Wooded::Light)
}

/// A straight obstacle on open ground.
fn obstacle(id: &str, kind: ObstacleKind, from: (i32, i32), to: (i32, i32)) -> Obstacle {
    Obstacle { id: id.into(), kind, line: vec![Point::new(from.0, from.1), Point::new(to.0, to.1)] }
}

/// The Union regiment `a` in the middle of the table, facing north: its front is 3.5 inches wide.
fn a() -> Maker {
    infantry("a", Side::Union).at(30_000, 30_000)
}

fn battle(ground: Ground, units: Vec<Maker>) -> Battle {
    testing::battle(table(ground, units))
}

fn refused(battle: &Battle, unit: &str, order: Order) -> Vec<String> {
    let said = UnitDraft { order: Some(order), ..UnitDraft::default() };
    let draft = Draft { units: [(unit.into(), said)].into(), ..Draft::default() };
    let (known, seat) = (known(battle, Side::Union), testing::seat(Side::Union));
    let refusals = orders::check(&known, Ruleset::standard(), &seat, Stage::Orders, &draft);
    refusals.into_iter().map(|refusal| refusal.rule.to_string()).collect()
}

/// Plays phases 3, 7 and 8 of a turn and its end; `between` befalls `a` after the reveal.
fn turn_with(
    mut battle: Battle,
    dice: &ScriptedDice,
    orders: &[(&str, Order)],
    between: impl Fn(&mut Unit),
) -> (Battle, Vec<Event>) {
    for (unit, order) in orders {
        testing::give(&mut battle, unit, order.clone(), Instructions::default());
    }
    let mut play = Play::new(Ruleset::standard(), dice, battle, Stage::Orders);
    play.phase = 3;
    phases::reveal::play(&mut play);
    let a = ix(play.table(), "a");
    between(&mut play.table_mut()[a]);
    play.stage = Stage::Movement;
    play.phase = 7;
    phases::movement::play(&mut play);
    play.phase = 8;
    phases::moving_fire::play(&mut play);
    play.phase = 9;
    phases::turn::end(&mut play);
    (play.battle, play.events)
}

/// So many quiet turns in which `a` has the same order.
fn turns(mut battle: Battle, count: u32, dice: &ScriptedDice, order: &Order) -> Battle {
    for _ in 0..count {
        battle = turn_with(battle, dice, &[("a", order.clone())], |_| ()).0;
    }
    battle
}

/// One die with which `a` begins its work.
fn start(face: u8) -> ScriptedDice {
    ScriptedDice::new().with(Purpose::WorkStart, &["a"], &[face])
}

fn unit<'b>(battle: &'b Battle, id: &str) -> &'b Unit {
    &battle.table[ix(&battle.table, id)]
}

fn in_hand(battle: &Battle) -> Option<&Labour> {
    unit(battle, "a").carried.labour.as_ref()
}

fn counted(battle: &Battle) -> Option<u32> {
    in_hand(battle).map(Labour::counted)
}

/// The places along a stretch that stands, thousandths of an inch.
type Course = Vec<(i32, i32)>;

/// The lines of all obstacles that stand, by kind.
fn standing(battle: &Battle) -> Vec<(ObstacleKind, Vec<Course>)> {
    let ground = battle.table.ground();
    let pairs = |line: Vec<Point>| line.into_iter().map(|point| (point.x, point.y)).collect();
    let lines = |obstacle: &Obstacle| ground.standing_lines(obstacle).into_iter().map(pairs).collect();
    ground.obstacles().map(|obstacle| (obstacle.kind, lines(obstacle))).collect()
}
