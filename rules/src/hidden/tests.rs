//! Hidden movement, by rule.

mod charges;
mod dice;
mod entering;
mod fire;
mod inferences;
mod instants;
mod leaks;
mod marches;
mod morale;
mod moving;
mod open;
mod placing;
mod plan;
mod property;
mod score;
mod sighting;
mod stepping;
mod touch;
mod turn;
mod will;
mod world;

use protocol::event::{Fact, PicketEnd};
use protocol::ids::{PicketNumber, Side, UnitId};
use protocol::orders::Stage;
use protocol::place::Point;
use protocol::view::Presence;

use crate::battle::{Battle, Unit};
use crate::dice::Dice;
use crate::ground::{Area, Ground, Terrain, Wooded};
use crate::play::{Event, Play};
use crate::ruleset::Ruleset;
use crate::testing::{Maker, hide, infantry, open_ground, table};

const UNION: Side = Side::Union;
const CONFEDERATE: Side = Side::Confederate;

/// A picket of the Confederates.
const GREY: PicketNumber = PicketNumber(417);
/// Another.
const OTHER: PicketNumber = PicketNumber(802);
/// A picket of the Union.
const BLUE: PicketNumber = PicketNumber(205);

/// Light woods over a box, thousandths of an inch: west, south, east, north.
fn wood(west: i32, south: i32, east: i32, north: i32) -> Ground {
    woods(&[(west, south, east, north)], Wooded::Light)
}

fn woods(boxes: &[(i32, i32, i32, i32)], wooded: Wooded) -> Ground {
    let area = |(n, &(west, south, east, north)): (usize, &(i32, i32, i32, i32))| Area {
        id: protocol::ids::FeatureId::new(format!("wood_{n}")),
        name: "wood".to_owned(),
        terrain: Terrain::Woods,
        wooded,
        outline: vec![
            Point::new(west, south),
            Point::new(east, south),
            Point::new(east, north),
            Point::new(west, north),
        ],
    };
    Ground { areas: boxes.iter().enumerate().map(area).collect(), ..open_ground() }
}

/// Woods from edge to edge.
fn all_woods() -> Ground {
    wood(0, 0, 60_000, 60_000)
}

fn battle_on(ground: Ground, open: impl IntoIterator<Item = Maker>) -> Battle {
    crate::testing::battle(table(ground, open))
}

/// A regiment under a picket, at its point, facing north; it has fired already, so that nothing follows but what is tested.
fn under(battle: &mut Battle, number: PicketNumber, side: Side, name: &str, at: (i32, i32)) {
    let regiment = infantry(name, side).at(at.0, at.1).with(|unit| unit.marks.fires = 1);
    hide(battle, number, Some(regiment), at, side);
}

fn dummy(battle: &mut Battle, number: PicketNumber, side: Side, at: (i32, i32)) {
    hide(battle, number, None, at, side);
}

/// One instant of phase 4.
fn looked(battle: Battle, dice: &dyn Dice) -> (Battle, Vec<Event>) {
    let mut play = Play::new(Ruleset::standard(), dice, battle, Stage::Reactions);
    play.phase = 4;
    super::look(&mut play);
    (play.battle, play.events)
}

fn unit<'b>(battle: &'b Battle, name: &str) -> &'b Unit {
    battle.table.unit(&UnitId::new(name)).expect("the test has this unit")
}

fn is_placed(battle: &Battle, name: &str) -> bool {
    unit(battle, name).presence == Presence::Table
}

fn gone(battle: &Battle) -> Vec<(PicketNumber, PicketEnd)> {
    battle.table.pickets_gone.iter().map(|(number, gone)| (*number, gone.how)).collect()
}

/// What the facts about pickets say: who is placed, who is gone, who is declared real.
fn changed(events: &[Event]) -> Vec<(Vec<u32>, Vec<u32>, Vec<u32>)> {
    let of = |event: &Event| match &event.fact {
        Fact::PicketsChanged { placed, gone, confirmed } => Some((
            placed.iter().map(|placed| placed.picket.0).collect(),
            gone.iter().map(|gone| gone.picket.0).collect(),
            confirmed.iter().map(|confirmed| confirmed.0).collect(),
        )),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

fn rolled(events: &[Event]) -> Vec<(u32, String)> {
    let of = |event: &Event| match &event.fact {
        Fact::SightingRolled { picket, other } => Some((picket.0, other.clone())),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}
