//! What never changes in a battle, as sent once: map, order of battle, terms in words.

use protocol::ids::{FeatureId, Side};
use protocol::view::{AreaView, BattleCard, BrigadeCard, ContourView, LineView, MapView, OutlineView};
use protocol::view::{RosterLeader, RosterUnit};
use serde::Serialize;

use crate::battle::{Battle, Brigade, Leader, Unit};
use crate::ground::Ground;
use crate::house;
use crate::los;
use crate::orders::posture_cards;
use crate::ruleset::Ruleset;
use crate::scenario::{Holding, PlaceTerm, Scenario, Scorer, VictoryKind, VictoryTerm};
use crate::setup;

/// The card of a battle: public, the same for every viewer.
pub fn card(rules: &Ruleset, battle: &Battle) -> BattleCard {
    let scenario: &Scenario = battle.table.scenario();
    let brigades = battle.table.brigades.values().map(brigade_card);
    let fogged = los::is_played(&battle.table);
    let units = battle.table.all_units().filter(|_| fogged);
    let roster = units
        .filter_map(|(_, unit)| setup::as_printed(&battle.table.theatre, &battle.table.switched_on, &unit.id))
        .map(|unit| roster_unit(&unit));
    let leaders = battle.table.leaders.values();
    let prose = &scenario.prose;
    let story = [&prose.terrain, &prose.deployment, &prose.reinforcements];
    BattleCard {
        scenario: scenario.id.clone(),
        title: scenario.title.clone(),
        date: scenario.clock.date.clone(),
        start: scenario.clock.hour(1),
        turns: scenario.clock.turns,
        story: story.into_iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join("\n\n"),
        history: prose.history.clone(),
        weather: prose.weather.clone(),
        victory: scenario.victory.iter().map(|term| in_words(scenario, term)).collect(),
        special_rules: prose.special_rules.clone(),
        map: map(&scenario.ground),
        brigades: brigades.collect(),
        roster: roster.collect(),
        officers: leaders.filter(|_| fogged).map(|leader| roster_leader(scenario, leader)).collect(),
        ruleset: rules.hash.clone(),
        postures: posture_cards(),
        house_rules: house::card(&rules.house),
        chart: scenario.edition.chart().map(house::Chart::card),
    }
}

fn brigade_card(brigade: &Brigade) -> BrigadeCard {
    BrigadeCard {
        id: brigade.id.clone(),
        name: brigade.name.clone(),
        side: brigade.side,
        commander: brigade.commander.clone(),
        units: brigade.units.clone(),
    }
}

/// LOS-06 What the order of battle says of a unit.
fn roster_unit(unit: &Unit) -> RosterUnit {
    RosterUnit {
        unit: unit.id.clone(),
        name: unit.name.clone(),
        side: unit.side,
        brigade: unit.brigade.clone(),
        arm: unit.arm,
        quality: unit.quality,
        weapon: unit.weapon.clone(),
        figures: unit.figures_at_start,
        stands: unit.stands_at_start,
    }
}

/// LOS-15 What the scenario prints of a leader's post.
fn roster_leader(scenario: &Scenario, leader: &Leader) -> RosterLeader {
    let printed = scenario.commander(leader.id.as_str());
    RosterLeader {
        leader: leader.id.clone(),
        name: printed.map_or_else(|| leader.name.clone(), |printed| printed.name.clone()),
        side: leader.side,
        post: leader.post.as_str().to_owned(),
    }
}

/// The places that victory terms name, with what each is worth: place, name, points.
pub(super) fn objectives(scenario: &Scenario) -> Vec<(FeatureId, String, i32)> {
    let places = scenario.victory.iter().filter_map(|term| match &term.kind {
        VictoryKind::Hold(holding)
        | VictoryKind::Sole(holding)
        | VictoryKind::Last { holding, .. }
        | VictoryKind::Control { holding, .. } => match &holding.place {
            PlaceTerm::Feature(id) => Some((id.clone(), place_name(scenario, id), term.points)),
            _ => None,
        },
        _ => None,
    });
    places.collect()
}

fn place_name(scenario: &Scenario, id: &FeatureId) -> String {
    let ground = &scenario.ground;
    let places = ground.places.iter().map(|place| (&place.id, &place.name));
    let areas = ground.areas.iter().map(|area| (&area.id, &area.name));
    let buildings = ground.buildings.iter().map(|building| (&building.id, &building.name));
    let named = places.chain(areas).chain(buildings).find(|(own, _)| *own == id);
    named.map_or_else(|| id.to_string(), |(_, name)| name.clone())
}

/// A victory term as a player reads it.
fn in_words(scenario: &Scenario, term: &VictoryTerm) -> String {
    let who = match term.side {
        Scorer::Union => format!("{} ", Side::Union),
        Scorer::Confederate => format!("{} ", Side::Confederate),
        Scorer::Either => String::new(),
    };
    let points = if term.points == 1 { "1 point".to_owned() } else { format!("{} points", term.points) };
    let place = |place: &PlaceTerm| match place {
        PlaceTerm::Feature(id) => place_name(scenario, id),
        PlaceTerm::HeightOver(feet) => format!("the ground above {feet} feet"),
        PlaceTerm::Around { .. } | PlaceTerm::Area(_) | PlaceTerm::SideOf { .. } | PlaceTerm::Edge(_) => {
            "the marked ground".to_owned()
        }
    };
    let held = |holding: &Holding| place(&holding.place);
    let what = match &term.kind {
        VictoryKind::Hold(holding) => format!("holds {}", held(holding)),
        VictoryKind::Sole(holding) => format!("alone holds {}", held(holding)),
        VictoryKind::Last { holding, .. } => format!("was the last to hold {} alone", held(holding)),
        VictoryKind::Control { holding, turns } => {
            format!("holds {} alone, for each turn from {} to {}", held(holding), turns.0, turns.1)
        }
        VictoryKind::Deny { place: denied, turns, .. } => {
            format!("keeps the enemy off {}, for each turn from {} to {}", place(denied), turns.0, turns.1)
        }
        VictoryKind::Reach { place: reached, .. } => format!("has stood on {}", place(reached)),
        VictoryKind::UnitLost { .. } => "for each enemy regiment lost".to_owned(),
        VictoryKind::BatteryTaken { .. } => "for each enemy battery taken".to_owned(),
        VictoryKind::SectionTaken { .. } => "for each section of enemy guns taken".to_owned(),
        VictoryKind::StandLost { .. } => "for each enemy stand lost".to_owned(),
        VictoryKind::FigureLost { .. } => "for each enemy figure lost".to_owned(),
        VictoryKind::Withdraw { level, .. } => {
            format!("for each enemy command that has lost {level} percent of its points")
        }
        VictoryKind::PointsLost { per } => format!("for every {per} command points that the enemy has lost"),
        VictoryKind::LeaderLost { .. } => "for each enemy leader lost".to_owned(),
        VictoryKind::Exit { place: left, .. } => format!("for each unit that has left by {}", place(left)),
        VictoryKind::InstantWin { place: taken, .. } => return format!("{who}wins at once by taking {}", place(taken)),
    };
    format!("{who}{points}: {what}")
}

/// The word of an enum on the wire.
pub(super) fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        // Every enum of the ground is written as one word; a test reads the whole map of a scenario.
        _ => String::new(),
    }
}

fn map(ground: &Ground) -> MapView {
    let Ground { width, height, areas, contours, ways, streams, obstacles, buildings, places, seen_as: _ } = ground;
    let stream = |(n, stream): (usize, &crate::ground::Stream)| LineView {
        id: FeatureId::new(format!("stream_{n}")),
        name: stream.name.clone(),
        kind: "stream".to_owned(),
        line: stream.line.clone(),
        width: 0,
    };
    MapView {
        width: *width,
        height: *height,
        areas: areas
            .iter()
            .map(|area| AreaView {
                id: area.id.clone(),
                name: area.name.clone(),
                terrain: word(area.terrain),
                wooded: word(area.wooded),
                outline: area.outline.clone(),
            })
            .collect(),
        contours: contours
            .iter()
            .map(|contour| ContourView { feet: contour.feet, outline: contour.outline.clone() })
            .collect(),
        ways: ways
            .iter()
            .map(|way| LineView {
                id: way.id.clone(),
                name: way.name.clone(),
                kind: word(way.kind),
                line: way.line.clone(),
                width: way.width,
            })
            .collect(),
        streams: streams.iter().enumerate().map(stream).collect(),
        obstacles: obstacles
            .iter()
            .map(|obstacle| LineView {
                id: obstacle.id.clone(),
                name: String::new(),
                kind: word(obstacle.kind),
                line: obstacle.line.clone(),
                width: 0,
            })
            .collect(),
        buildings: buildings
            .iter()
            .map(|building| OutlineView {
                id: building.id.clone(),
                name: building.name.clone(),
                kind: word(building.kind),
                outline: building.outline.clone(),
            })
            .collect(),
        places: places
            .iter()
            .filter(|place| place.shown)
            .map(|place| OutlineView {
                id: place.id.clone(),
                name: place.name.clone(),
                kind: "place".to_owned(),
                outline: place.outline.clone(),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use protocol::ids::{BySide, UnitId};
    use protocol::view::Presence;

    use super::*;
    use crate::battle::Theatre;
    use crate::setup::Seating;

    #[test]
    fn los_06_and_15_the_card_names_all_in_the_fog_and_says_nothing_of_what_has_become_of_them() {
        let text = include_str!("../../../scenarios/little_round_top.toml");
        let theatre = Theatre::new(Arc::new(crate::scenario::read(text).expect("the scenario can be read")));
        let begin = |theatre: &Arc<Theatre>| {
            let rules = theatre.scenario.edition.rules();
            setup::start(theatre, rules, &Seating::one_each(), &Default::default(), &BySide::default())
        };
        let told = |battle: &Battle| card(battle.table.rules(), battle);
        assert!(told(&begin(&theatre)).roster.is_empty(), "in the open nobody needs the names");
        let mut battle = begin(&crate::secrecy::in_fog(&theatre));
        let before = told(&battle);
        // The 20th Maine: thirteen figures on four stands.
        let maine = before.roster.iter().find(|unit| unit.unit.as_str() == "me20").expect("it is named");
        assert_eq!((maine.name.as_str(), maine.figures, maine.stands), ("20th Maine", 13, 4));
        // A stand has gone to man guns, guns were left, a unit is gone, another man has taken a post.
        let sent = battle.table.find(&UnitId::new("me20")).expect("it takes part");
        let sent = &mut battle.table[sent];
        sent.stands.pop();
        sent.stands_at_start -= 1;
        sent.figures_at_start -= 3;
        "musket".clone_into(&mut sent.weapon);
        let gone = battle.table.find(&UnitId::new("al15")).expect("it takes part");
        battle.table[gone].presence = Presence::Removed;
        for leader in battle.table.leaders.values_mut() {
            "Somebody else".clone_into(&mut leader.name);
            leader.presence = Presence::Removed;
        }
        assert_eq!(told(&battle), before);
    }
}
