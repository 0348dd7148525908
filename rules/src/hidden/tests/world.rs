//! A small battle with pickets in a wood, which nobody outside sees into, and dice that show the same face for a purpose.

use std::cell::RefCell;

use protocol::ids::{FeatureId, PicketNumber, Side};
use protocol::orders::Stage;
use protocol::place::Point;
use protocol::view::Viewer;

use crate::battle::Battle;
use crate::dice::{Dice, Purpose};
use crate::ground::{Area, Ground, Terrain, Wooded};
use crate::play::Event;
use crate::ruleset::Ruleset;
use crate::stage::{Envelopes, Outcome, resolve};
use crate::testing::{Maker, battle, hide, infantry, open_ground, table};

pub(super) const REAL: PicketNumber = PicketNumber(417);
pub(super) const DUMMY: PicketNumber = PicketNumber(802);

/// The regiment under a picket, facing south.
pub(super) fn hidden_unit() -> Maker {
    infantry("hidden", Side::Confederate).facing(18_000)
}

/// A picket, what it hides, where, and whose it is.
type UnderPicket = (PicketNumber, Option<Maker>, (i32, i32), Side);

/// A regiment of the Union at (30, 30) that faces north, to a wood that begins at y = 32.
pub(super) struct World {
    ground: Ground,
    open: Vec<Maker>,
    hidden: Vec<UnderPicket>,
}

impl World {
    pub(super) fn new() -> World {
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
        World { ground, open: vec![infantry("blue", Side::Union).at(30_000, 30_000)], hidden: Vec::new() }
    }

    pub(super) fn with(mut self, unit: Maker) -> World {
        self.open.push(unit);
        self
    }

    pub(super) fn hiding(mut self, number: PicketNumber, unit: Option<Maker>, at: (i32, i32)) -> World {
        self.hidden.push((number, unit, at, Side::Confederate));
        self
    }

    /// The battle. A name that keeps a hidden unit's place is on the list whatever the picket hides.
    pub(super) fn battle(self) -> Battle {
        let mut battle = battle(table(self.ground, self.open));
        // A battle longer than its first turn: at the end all pickets are opened. HID-66
        let mut scenario = battle.table.scenario().clone();
        scenario.clock.turns = 9;
        battle.table.theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
        for (number, unit, at, side) in self.hidden {
            if unit.is_none() {
                let printed = infantry("hidden", side).unit();
                let presence = protocol::view::Presence::Hidden;
                battle.table.insert(crate::battle::Unit { presence, ..printed });
            }
            hide(&mut battle, number, unit, at, side);
            battle.table.pickets.get_mut(&number).expect("it was put there").facing =
                protocol::place::Bearing::wrapping(18_000);
        }
        battle
    }
}

/// Dice that show one face for a purpose, and note who asked for what.
pub(super) struct Faces {
    face: u8,
    of: Vec<(Purpose, u8)>,
    asked: RefCell<Vec<(Purpose, String, u32)>>,
}

impl Dice for Faces {
    fn die(&self, _phase: u8, purpose: Purpose, key: &[&str], n: u32) -> u8 {
        self.asked.borrow_mut().push((purpose, key.join(" "), n));
        self.of.iter().rfind(|(of, _)| *of == purpose).map_or(self.face, |(_, face)| *face)
    }
}

impl Faces {
    pub(super) fn of(face: u8) -> Faces {
        Faces { face, of: Vec::new(), asked: RefCell::default() }
    }

    pub(super) fn with(mut self, purpose: Purpose, face: u8) -> Faces {
        self.of.push((purpose, face));
        self
    }

    pub(super) fn play(&self, stage: Stage, battle: Battle) -> Outcome {
        resolve(Ruleset::standard(), stage, battle, &Envelopes::new(), self)
    }

    /// The keys and places of the dice of a purpose, as they were asked for.
    pub(super) fn asked(&self, purpose: Purpose) -> Vec<(String, u32)> {
        let asked = self.asked.borrow();
        asked.iter().filter(|(of, ..)| *of == purpose).map(|(_, key, n)| (key.clone(), *n)).collect()
    }
}

/// What a side is told, as it goes over the wire.
pub(super) fn told_to(events: &[Event], side: Side) -> String {
    serde_json::to_string(&crate::view::events(events, &Viewer::Side { side })).expect("events can be written")
}

/// What a side is shown, as it goes over the wire.
pub(super) fn seen_by(battle: &Battle, side: Side) -> String {
    let view = crate::view::view(Ruleset::standard(), battle, Stage::Orders, &Viewer::Side { side });
    serde_json::to_string(&view).expect("a view can be written")
}
