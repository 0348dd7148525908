//! The map as a side knows it. LOS-17

use protocol::ids::{FeatureId, Side};
use protocol::place::{Bearing, Point};

use super::memory::sees_clearly;
use crate::battle::Table;
use crate::field::Field;
use crate::geometry::Rect;
use crate::ground::GroundChanges;
use crate::play::Play;

/// LOS-17 Each side learns the changes of the map that it sees.
pub(super) fn learn(play: &mut Play<'_>) {
    for side in Side::BOTH {
        let Some(memory) = &play.battle.secrets.get(side).open().memory else { continue };
        if memory.ground == play.table().changes {
            continue;
        }
        let field = Field::new(play.rules, play.table(), play.dice);
        let sees = |feature: &FeatureId| {
            let places = places_of(play.table(), feature);
            places.iter().any(|at| sees_clearly(&field, side, &Rect::centered(*at, Bearing::NORTH, 0, 0)))
        };
        let learnt = learnt(&memory.ground, &play.table().changes, sees);
        if let Some(memory) = &mut play.battle.secrets.get_mut(side).open_mut().memory {
            memory.ground = learnt;
        }
    }
}

/// The corners and ends of an obstacle or building, as it is on the map or was built.
pub(super) fn places_of(table: &Table, feature: &FeatureId) -> Vec<Point> {
    let ground = &table.scenario().ground;
    let drawn = ground.obstacles.iter().chain(&table.changes.built).filter(|obstacle| obstacle.id == *feature);
    let buildings = ground.buildings.iter().filter(|building| building.id == *feature);
    let corners = buildings.flat_map(|building| building.outline.clone());
    drawn.flat_map(|obstacle| obstacle.line.clone()).chain(corners).collect()
}

/// What is known when the features that are seen are known as they are, and the others as they were known before.
fn learnt(known: &GroundChanges, now: &GroundChanges, sees: impl Fn(&FeatureId) -> bool) -> GroundChanges {
    let GroundChanges { destroyed_buildings, gaps, open, built } = now;
    let mut learnt = known.clone();
    learnt.destroyed_buildings.extend(destroyed_buildings.iter().filter(|id| sees(id)).cloned());
    learnt.gaps.extend(gaps.iter().filter(|(id, _)| sees(id)).map(|(id, gaps)| (id.clone(), gaps.clone())));
    for id in open.symmetric_difference(&known.open).filter(|id| sees(id)) {
        match open.contains(id) {
            true => _ = learnt.open.insert(id.clone()),
            false => _ = learnt.open.remove(id),
        }
    }
    let as_known = |id: &FeatureId| known.built.iter().find(|obstacle| obstacle.id == *id);
    let built = built.iter().filter_map(|obstacle| match sees(&obstacle.id) {
        true => Some(obstacle.clone()),
        false => as_known(&obstacle.id).cloned(),
    });
    learnt.built = built.collect();
    learnt
}
