//! Obstacles on the table: built, taken away, told. OBS-09, OBS-12, OBS-15
//!
//! Owns every change of [`crate::ground::GroundChanges`] that work or a charge makes to an obstacle, and the words for it.

use protocol::event::{Fact, ObstacleChange};
use protocol::ids::{FeatureId, UnitId};
use protocol::place::Point;

use super::{Outcome, Plan, hasty};
use crate::battle::{Table, UnitIx};
use crate::catalogue::{RuleId, WORKS_09};
use crate::explain::{Explain, named, sentence};
use crate::field::Field;
use crate::geometry;
use crate::ground::{Obstacle, ObstacleKind, Stretch, part_of_line};
use crate::play::Play;
use crate::ruleset::Ruleset;

/// An obstacle that is not as the map has it, or is not on the map.
pub(crate) struct Changed<'a> {
    /// The obstacle.
    pub obstacle: &'a Obstacle,
    /// Swung aside. OBS-23
    pub open: bool,
    /// Its line while it is swung aside; else what stands of it.
    pub lines: Vec<Vec<Point>>,
}

/// All obstacles that are not as the map has them, those of the map first.
pub(crate) fn changed(table: &Table) -> impl Iterator<Item = Changed<'_>> {
    let ground = table.ground();
    let changes = &table.changes;
    let is_changed = |id: &FeatureId| {
        let is_turned = changes.built.iter().any(|built| built.id == *id);
        changes.gaps.contains_key(id) || changes.open.contains(id) || is_turned
    };
    let of_map = ground.ground().obstacles.iter().filter(move |obstacle| is_changed(&obstacle.id));
    of_map.chain(&changes.built).map(move |obstacle| {
        let open = changes.open.contains(&obstacle.id);
        let lines = if open { vec![obstacle.line.clone()] } else { ground.standing_lines(obstacle) };
        Changed { obstacle, open, lines }
    })
}

/// The line that a work builds, or the stretch that it was given for.
pub(super) fn line_of(field: &Field<'_>, plan: &Plan) -> Vec<Point> {
    match &plan.outcome {
        Outcome::Build(_, line) | Outcome::Replace { line, .. } => line.clone(),
        Outcome::Remove(stretches) | Outcome::Turn(stretches) => {
            let first = stretches.first().and_then(|(id, stretch)| Some((field.ground().obstacle(id)?, *stretch)));
            first.map_or_else(Vec::new, |(obstacle, stretch)| part_of_line(&obstacle.line, stretch))
        }
    }
}

/// What a work will have done, to be read after a time.
pub(super) fn outcome_in_words(field: &Field<'_>, plan: &Plan) -> String {
    match &plan.outcome {
        Outcome::Build(kind, line) | Outcome::Replace { kind, line, .. } => {
            format!("there are {} of {}", crate::fire::inches(geometry::polyline_length(line)), kind.name())
        }
        Outcome::Remove(stretches) => format!("{} are gone", length_in_words(field, plan, stretches)),
        Outcome::Turn(stretches) => format!("{} face the other way", length_in_words(field, plan, stretches)),
    }
}

fn length_in_words(field: &Field<'_>, plan: &Plan, stretches: &[(FeatureId, Stretch)]) -> String {
    let length = stretches.iter().map(|(_, stretch)| stretch.to - stretch.from).sum();
    let kind = plan.obstacle().and_then(|id| field.ground().obstacle(&id)).map(|obstacle| obstacle.kind);
    format!("{} of {}", crate::fire::inches(length), kind.map_or("obstacles", ObstacleKind::name))
}

/// OBS-09, OBS-15 What a unit has finished is there, or is gone.
pub(super) fn carry_out(play: &mut Play<'_>, ix: UnitIx, plan: &Plan) {
    match &plan.outcome {
        Outcome::Build(kind, line) => build(play, ix, plan.rule, *kind, line.clone(), None),
        Outcome::Replace { kind, line, swallowed } => replace(play, ix, plan.rule, *kind, line.clone(), swallowed),
        Outcome::Turn(stretches) => turn(play, ix, plan.rule, stretches),
        Outcome::Remove(stretches) => {
            let by = (ix, plan.rule);
            take_out(play, by, stretches, ObstacleChange::Removed, |name, what| format!("{name} has removed {what}."));
        }
    }
}

/// SCN-18 Puts the works there behind which a unit begins.
pub(crate) fn dig_before_battle(table: &mut Table, rules: &Ruleset, ix: UnitIx) {
    let outcome = hasty::dug_before(&Field::before_dice(rules, table), ix);
    let (kind, line, swallowed) = match outcome {
        Outcome::Build(kind, line) => (kind, line, Vec::new()),
        Outcome::Replace { kind, line, swallowed } => (kind, line, swallowed),
        Outcome::Turn(_) | Outcome::Remove(_) => return,
    };
    for (obstacle, stretch) in swallowed {
        table.changes.open_gap(&obstacle, stretch);
    }
    let id = name_of(table, kind, &table[ix].id);
    table.changes.built.push(Obstacle { id, kind, line });
}

/// WORKS-09 The fence or wall has gone into the works.
fn replace(
    play: &mut Play<'_>,
    ix: UnitIx,
    rule: RuleId,
    kind: ObstacleKind,
    line: Vec<Point>,
    swallowed: &[(FeatureId, Stretch)],
) {
    let of = swallowed.first().and_then(|(id, _)| play.table().ground().obstacle(id)).map(|fence| fence.kind.name());
    for (obstacle, stretch) in swallowed {
        play.table_mut().changes.open_gap(obstacle, *stretch);
    }
    build(play, ix, rule, kind, line, of);
}

/// WORKS-14 What stands of the stretches faces the other way: works of their own, in the place of what was there.
fn turn(play: &mut Play<'_>, ix: UnitIx, rule: RuleId, stretches: &[(FeatureId, Stretch)]) {
    for (id, stretch) in stretches {
        let (kind, lines) = {
            let field = Field::new(play.rules, play.table(), play.dice);
            let Some(works) = field.ground().obstacle(id) else { continue };
            (works.kind, hasty::turned(&field, works, *stretch))
        };
        play.table_mut().changes.open_gap(id, *stretch);
        for line in lines {
            let unit = &play.table()[ix];
            let (by, name) = (unit.id.clone(), named(&unit.name));
            let obstacle = name_of(play.table(), kind, &by);
            let inches = crate::fire::inches(geometry::polyline_length(&line));
            let text = format!("{name} has turned {inches} of {} about.", kind.name());
            play.table_mut().changes.built.push(Obstacle { id: obstacle.clone(), kind, line });
            let fact = Fact::ObstacleChanged { obstacle, by: Some(by), change: ObstacleChange::Turned };
            play.tell(rule, fact, sentence(text));
        }
    }
}

/// `of`: what went into it.
fn build(play: &mut Play<'_>, ix: UnitIx, rule: RuleId, kind: ObstacleKind, line: Vec<Point>, of: Option<&str>) {
    let unit = &play.table()[ix];
    let (by, name) = (unit.id.clone(), named(&unit.name));
    let id = name_of(play.table(), kind, &by);
    let inches = crate::fire::inches(geometry::polyline_length(&line));
    let text = format!("{name} has built {inches} of {}.", kind.name());
    play.table_mut().changes.built.push(Obstacle { id: id.clone(), kind, line });
    let fact = Fact::ObstacleChanged { obstacle: id, by: Some(by), change: ObstacleChange::Built };
    let mut told = sentence(text);
    if let Some(of) = of {
        told = told.with_note(WORKS_09, format!("the {of} along which they were dug has gone into them"));
    }
    play.tell(rule, fact, told);
}

/// What it is, who built it, and when.
fn name_of(table: &Table, kind: ObstacleKind, by: &UnitId) -> FeatureId {
    let name = format!("{}_{by}_{}", kind.name().replace([' ', '-'], "_"), table.turn);
    free_name(table, name, |_| false)
}

/// A name that nothing on the map has, nor anything else that is `taken`.
pub(crate) fn free_name(table: &Table, mut name: String, taken: impl Fn(&FeatureId) -> bool) -> FeatureId {
    let ground = table.ground();
    let map = ground.ground();
    let is_taken = |id: &FeatureId| {
        let areas = map.areas.iter().map(|area| &area.id);
        let buildings = map.buildings.iter().map(|building| &building.id);
        let places = map.places.iter().map(|place| &place.id);
        let ways = map.ways.iter().map(|way| &way.id);
        areas.chain(buildings).chain(places).chain(ways).any(|other| other == id)
            || ground.obstacle(id).is_some()
            || taken(id)
    };
    while is_taken(&FeatureId::new(&name)) {
        name.push_str("_again");
    }
    FeatureId::new(name)
}

/// OBS-12, OBS-15 Takes stretches out of obstacles; each obstacle is told once. `words` gets who did it, and to how much of what.
pub(super) fn take_out(
    play: &mut Play<'_>,
    (ix, rule): (UnitIx, RuleId),
    stretches: &[(FeatureId, Stretch)],
    change: ObstacleChange,
    words: impl Fn(&str, &str) -> String,
) {
    for (obstacle, stretch) in stretches {
        let Some(kind) = play.table().ground().obstacle(obstacle).map(|obstacle| obstacle.kind) else { continue };
        play.table_mut().changes.open_gap(obstacle, *stretch);
        let unit = &play.table()[ix];
        let how_much = format!("{} of {}", crate::fire::inches(stretch.to - stretch.from), kind.name());
        let text = words(&named(&unit.name), &how_much);
        let fact = Fact::ObstacleChanged { obstacle: obstacle.clone(), by: Some(unit.id.clone()), change };
        play.tell(rule, fact, sentence(text));
    }
}
