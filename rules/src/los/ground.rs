//! The map as a side knows it. LOS-17

use protocol::ids::{FeatureId, Side};
use protocol::place::{Bearing, Point};

use super::memory::sees_clearly;
use crate::battle::Table;
use crate::field::Field;
use crate::geometry::Rect;
use crate::ground::{GroundChanges, Obstacle, Stretch, part_of_line};
use crate::play::Play;

/// LOS-17 Each side learns the changes of the map that it sees.
pub(super) fn learn(play: &mut Play<'_>) {
    for side in Side::BOTH {
        let Some(memory) = &play.battle.secrets.get(side).open().memory else { continue };
        if memory.ground == play.table().changes {
            continue;
        }
        let field = Field::new(play.rules, play.table(), play.dice);
        let sees = |at: &Point| sees_clearly(&field, side, &Rect::centered(*at, Bearing::NORTH, 0, 0));
        let learnt = learnt(&memory.ground, play.table(), &sees);
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

/// What is known when what is seen is known as it is, and the rest as it was known before.
fn learnt(known: &GroundChanges, table: &Table, sees: &impl Fn(&Point) -> bool) -> GroundChanges {
    let GroundChanges { destroyed_buildings, gaps, open, built } = &table.changes;
    let sees_some = |id: &FeatureId| places_of(table, id).iter().any(sees);
    let mut learnt = known.clone();
    learnt.destroyed_buildings.extend(destroyed_buildings.iter().filter(|id| sees_some(id)).cloned());
    for id in open.symmetric_difference(&known.open).filter(|id| sees_some(id)) {
        match open.contains(id) {
            true => _ = learnt.open.insert(id.clone()),
            false => _ = learnt.open.remove(id),
        }
    }
    let as_known = |id: &FeatureId| known.built.iter().find(|obstacle| obstacle.id == *id);
    let built = built.iter().filter_map(|obstacle| match sees_some(&obstacle.id) {
        true => Some(obstacle.clone()),
        false => as_known(&obstacle.id).cloned(),
    });
    learnt.built = built.collect();
    let drawn = table.scenario().ground.obstacles.iter();
    // Nothing is missing in works of which the side does not know.
    let obstacles: Vec<Obstacle> = drawn.chain(&learnt.built).filter(|it| gaps.contains_key(&it.id)).cloned().collect();
    for Obstacle { id, line, .. } in obstacles {
        let before = known.gaps.get(&id).map_or(&[][..], Vec::as_slice);
        let new = gaps.get(&id).into_iter().flatten().flat_map(|gap| without(*gap, before));
        for gap in new.filter(|gap| ends_of(&line, *gap).iter().any(sees)) {
            learnt.open_gap(&id, gap);
        }
    }
    learnt
}

/// LOS-17 The two ends of a stretch of a line.
fn ends_of(line: &[Point], stretch: Stretch) -> Vec<Point> {
    let part = part_of_line(line, stretch);
    part.first().into_iter().chain(part.last()).copied().collect()
}

/// What is new of a gap: the parts of it that are not in gaps known already, which are sorted and apart.
fn without(gap: Stretch, known: &[Stretch]) -> Vec<Stretch> {
    let mut parts = Vec::new();
    let mut from = gap.from;
    for part in known.iter().filter(|part| gap.from < part.to && part.from < gap.to) {
        parts.push(Stretch { from, to: part.from });
        from = part.to;
    }
    parts.push(Stretch { from, to: gap.to });
    parts.retain(|part| part.from < part.to);
    parts
}
