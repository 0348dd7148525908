//! Leaving the table by order.

use protocol::event::Morale;
use protocol::ids::Side::{Confederate, Union};
use protocol::orders::FormTask;
use protocol::view::Presence;
use protocol::words::Formation;

use super::*;
use crate::battle::{Theatre, known};
use crate::scenario::{
    CountedState, Edge, PlaceTerm, Scenario, Scorer, SideTerms, Stretch, VictoryKind, VictoryTerm, When,
};
use crate::testing::{battle, leader};

/// Open ground; the Union leaves by the middle third of the southern edge, and the Confederates by the whole northern one.
fn scenario() -> Scenario {
    let mut scenario = Scenario { ground: open_ground(), ..Scenario::default() };
    let terms = |edge, from, to| SideTerms { exit_edge: Stretch { edge, from, to }, ..scenario.sides.union.clone() };
    let (union, confederate) = (terms(Edge::South, 20_000, 40_000), terms(Edge::North, 0, 60_000));
    (scenario.sides.union, scenario.sides.confederate) = (union, confederate);
    scenario
}

fn on(scenario: Scenario, units: impl IntoIterator<Item = Maker>) -> Battle {
    let units = units.into_iter().map(Maker::unit).collect();
    battle(Table::new(Theatre::new(std::sync::Arc::new(scenario)), units))
}

/// A line that faces the southern edge.
fn own(x: i32, y: i32) -> Maker {
    infantry("u", Union).at(x, y).facing(18_000)
}

fn told(events: &[Event], rule: &str) -> Vec<String> {
    events.iter().filter(|event| event.rule.as_str() == rule).map(|event| event.explanation.sentence.clone()).collect()
}

#[test]
fn scn_14_a_unit_leaves_when_its_anchor_passes_the_exit_edge_and_is_not_lost() {
    let mut battle = on(scenario(), [own(30_000, 4_000)]);
    march(&mut battle, "u", path(&[(30_000, -3_000)]));
    let (after, events) = played(battle, no_dice());
    assert_eq!((unit(&after, "u").presence, anchor(&after, "u")), (Presence::Left, (30_000, 0)));
    assert_eq!(told(&events, "SCN-14"), ["u marches off the table by the south edge."]);
    // Four of six inches: the eightieth segment.
    let left = events.iter().find(|event| event.rule.as_str() == "SCN-14");
    assert_eq!(left.and_then(|event| event.segment), Some(80));
    assert!(!crate::levels::is_lost(unit(&after, "u")));
}

#[test]
fn scn_14_elsewhere_the_edge_stops_it() {
    for (x, y, to) in [(10_000, 4_000, (10_000, -3_000)), (30_000, 57_000, (30_000, 63_000))] {
        let facing = if to.1 < 0 { 18_000 } else { 0 };
        let mut battle = on(scenario(), [infantry("u", Union).at(x, y).facing(facing)]);
        march(&mut battle, "u", path(&[to]));
        let (after, _) = played(battle, no_dice());
        assert_eq!(unit(&after, "u").presence, Presence::Table);
        assert_eq!(anchor(&after, "u").1, if to.1 < 0 { 0 } else { 60_000 });
    }
}

#[test]
fn scn_14_who_does_not_come_so_far_or_stands_at_the_edge_already() {
    let mut battle = on(scenario(), [own(30_000, 7_000)]);
    march(&mut battle, "u", path(&[(30_000, -3_000)]));
    assert_eq!(unit(&played(battle, no_dice()).0, "u").presence, Presence::Table, "six inches of seven");
    let mut battle = on(scenario(), [own(30_000, 0)]);
    march(&mut battle, "u", path(&[(30_000, -3_000)]));
    assert_eq!(unit(&played(battle, no_dice()).0, "u").presence, Presence::Left);
}

#[test]
fn scn_14_what_would_close_the_move_is_not_paid_by_who_leaves() {
    let form = FormTask::Formation { formation: Formation::DoubleLine, facing: None, pivot: None, gap: None };
    let order = MoveOrder { form_last: Some(form), ..path(&[(30_000, -3_000)]) };
    let mut battle = on(scenario(), [own(30_000, 5_000)]);
    march(&mut battle, "u", order.clone());
    assert_eq!(unit(&played(battle, no_dice()).0, "u").presence, Presence::Left, "five inches of six");
    // Too far for this turn: it forms at the end of three inches.
    let mut battle = on(scenario(), [own(30_000, 8_000)]);
    march(&mut battle, "u", order);
    let (after, _) = played(battle, no_dice());
    assert_eq!(
        (unit(&after, "u").presence, unit(&after, "u").footing.formation),
        (Presence::Table, Formation::DoubleLine)
    );
}

#[test]
fn scn_14_attached_leaders_go_with_it_and_others_stay() {
    let mut battle = on(scenario(), [own(30_000, 2_000)]);
    for (id, attached) in [("with", true), ("other", false)] {
        let mut man = leader(id, Union, 30_000, 3_500);
        man.attached = attached.then(|| UnitId::new("u"));
        battle.table.leaders.insert(man.id.clone(), man);
    }
    march(&mut battle, "u", path(&[(30_000, -3_000)]));
    let (after, events) = played(battle, no_dice());
    let presence = |id: &str| after.table.leaders[&protocol::ids::LeaderId::new(id)].presence;
    assert_eq!((presence("with"), presence("other")), (Presence::Left, Presence::Table));
    assert_eq!(told(&events, "SCN-14"), ["u marches off the table by the south edge, and with with it."]);
}

#[test]
fn scn_14_an_exit_of_a_victory_term_is_open_to_its_side() {
    let stretch = Stretch { edge: Edge::North, from: 0, to: 60_000 };
    let exit = |side| {
        let kind = VictoryKind::Exit {
            place: PlaceTerm::Edge(stretch),
            arm: None,
            state: CountedState::Good,
            who: Vec::new(),
        };
        VictoryTerm { id: "out".to_owned(), side, points: 3, kind, when: When::End, note: String::new() }
    };
    let goes = |side: Scorer| {
        let mut scenario = scenario();
        scenario.victory = vec![exit(side)];
        let enemy = infantry("e", Confederate).at(5_000, 30_000);
        let mut battle = on(scenario, [infantry("u", Union).at(30_000, 58_000), enemy]);
        march(&mut battle, "u", path(&[(30_000, 63_000)]));
        let (after, _) = played(battle, no_dice());
        let dice = no_dice();
        let mut play = Play::new(Ruleset::standard(), &dice, after, Stage::Movement);
        play.phase = 9;
        crate::victory::count(&mut play);
        let score = *play.battle.table.score.union.by_term.get("out").unwrap_or(&0);
        (unit(&play.battle, "u").presence, score)
    };
    assert_eq!(goes(Scorer::Union), (Presence::Left, 3), "SCNV-11 counts it");
    assert_eq!(goes(Scorer::Confederate), (Presence::Table, 0));
}

#[test]
fn scnv_11_a_shaken_unit_that_leaves_is_not_counted_by_a_term_for_good_ones() {
    let stretch = Stretch { edge: Edge::South, from: 20_000, to: 40_000 };
    let kind = |state| VictoryKind::Exit { place: PlaceTerm::Edge(stretch), arm: None, state, who: Vec::new() };
    let mut scenario = scenario();
    let term = |id: &str, state| VictoryTerm {
        id: id.to_owned(),
        side: Scorer::Either,
        points: 1,
        kind: kind(state),
        when: When::End,
        note: String::new(),
    };
    scenario.victory = vec![term("good", CountedState::Good), term("any", CountedState::Any)];
    let mut battle = on(scenario, [own(30_000, 2_000).morale(Morale::Shaken)]);
    march(&mut battle, "u", path(&[(30_000, -3_000)]));
    let (after, _) = played(battle, no_dice());
    let dice = no_dice();
    let mut play = Play::new(Ruleset::standard(), &dice, after, Stage::Movement);
    crate::victory::count(&mut play);
    let score = &play.battle.table.score.union.by_term;
    assert_eq!((score["good"], score["any"]), (0, 1));
}

#[test]
fn scn_14_the_preview_says_that_the_unit_leaves() {
    let battle = on(scenario(), [own(30_000, 4_000)]);
    let order = Order::Move(path(&[(30_000, -3_000)]));
    let shown = crate::movement::preview(&known(&battle, Union), Ruleset::standard(), &UnitId::new("u"), &order);
    assert_eq!((shown.stops, shown.refusals), (None, vec![]));
    assert!(shown.notes.iter().any(|note| note.rule.as_str() == "SCN-14"), "{:?}", shown.notes);
}
