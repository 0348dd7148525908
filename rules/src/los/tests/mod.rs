//! The fog, rule by rule.

mod acting;
mod barring;
mod memory;
mod sight;
mod telling;
mod things;
mod veil;

use std::sync::Arc;

use protocol::event::Fact;
use protocol::ids::{FeatureId, Side, UnitId};
use protocol::orders::Stage;
use protocol::place::Point;
use protocol::view::{Presence, Viewer};

use crate::battle::{Battle, Known, Theatre, known};
use crate::dice::{Dice, Purpose};
use crate::ground::{Area, Ground, Terrain, Wooded};
use crate::play::{Event, Play};
use crate::ruleset::Ruleset;
use crate::scenario::{Fog, Scenario};
use crate::stage::{Envelopes, Outcome, resolve};
use crate::testing::{Maker, battle, infantry, open_ground, table};

const UNION: Side = Side::Union;
const CONFEDERATE: Side = Side::Confederate;

/// Dice of one face.
struct All(u8);

impl Dice for All {
    fn die(&self, _: u8, _: Purpose, _: &[&str], _: u32) -> u8 {
        self.0
    }
}

/// A wood from y = 32 to 50 inches across the middle of the table.
fn wood() -> Ground {
    let corners = [(10_000, 32_000), (50_000, 32_000), (50_000, 50_000), (10_000, 50_000)];
    let wood = Area {
        id: FeatureId::new("wood"),
        name: "Wood".to_owned(),
        terrain: Terrain::Woods,
        wooded: Wooded::Light,
        outline: corners.map(|(x, y)| Point::new(x, y)).to_vec(),
    };
    let mut ground = open_ground();
    ground.areas.push(wood);
    ground
}

/// A regiment of the Union at (30, 30) that looks north to the wood.
fn blue() -> Maker {
    infantry("blue", UNION).at(30_000, 30_000)
}

/// A regiment of the Confederates, deep in the wood at (30, 42): eight inches and more of trees are before it, and no die reaches
/// through more than six (VIS-04).
fn red() -> Maker {
    infantry("red", CONFEDERATE).at(30_000, 42_000).facing(18_000)
}

/// A battle in this fog. The units are in the order of battle.
fn fog(ground: Ground, units: impl IntoIterator<Item = Maker>) -> Battle {
    fog_with(ground, units, |_| {})
}

fn fog_with(ground: Ground, units: impl IntoIterator<Item = Maker>, change: impl FnOnce(&mut Scenario)) -> Battle {
    let mut battle = battle(table(ground, units));
    let mut scenario = battle.table.scenario().clone();
    scenario.options.fog = Fog::LineOfSight;
    scenario.clock.turns = 9;
    change(&mut scenario);
    battle.table.theatre = Theatre::new(Arc::new(scenario));
    battle
}

/// The same battle, its first look taken.
fn looked(battle: Battle, dice: &All) -> Battle {
    let mut play = Play::new(Ruleset::standard(), dice, battle, Stage::Orders);
    super::begin_stage(&mut play);
    play.battle
}

/// A play whose first look is taken, and forgotten as an event.
fn play_of(battle: Battle, dice: &All) -> Play<'_> {
    let mut play = Play::new(Ruleset::standard(), dice, battle, Stage::Reactions);
    super::begin_stage(&mut play);
    play.phase = 4;
    play.events.clear();
    play
}

fn played(battle: Battle, stage: Stage, dice: &All) -> Outcome {
    resolve(Ruleset::standard(), stage, battle, &Envelopes::new(), dice)
}

/// Whom a side sees.
fn sees(battle: &Battle, side: Side) -> Vec<&str> {
    let sights = battle.table.sights.as_ref().expect("the fog is played");
    sights.get(side).units.iter().map(UnitId::as_str).collect()
}

/// What a side is told, without the numbers.
fn told(events: &[Event], side: Side) -> Vec<Fact> {
    crate::view::events(events, &Viewer::Side { side }).into_iter().map(|event| event.fact).collect()
}

fn view_bytes(battle: &Battle, viewer: &Viewer) -> String {
    let view = crate::view::view(Ruleset::standard(), battle, Stage::Orders, viewer);
    serde_json::to_string(&view).expect("a view can be written")
}

fn presence(known: &Known, unit: &str) -> Presence {
    known.table.unit(&UnitId::new(unit)).expect("the name is on the list").presence
}

fn of_side(battle: &Battle, side: Side) -> Known {
    known(battle, side)
}
