//! The score of what is hidden, and the end of a battle.

use protocol::event::{Fact, PicketEnd};
use protocol::ids::{BySide, Side};
use protocol::orders::Stage;
use protocol::place::Point;
use protocol::view::Viewer;

use super::world::{DUMMY, Faces, REAL, World, hidden_unit, seen_by, told_to};
use crate::battle::{Battle, Theatre};
use crate::ruleset::Ruleset;
use crate::scenario::{CountedState, Holding, PlaceTerm, Scenario, Scorer, VictoryKind, VictoryTerm, When};
use crate::testing::Maker;

/// Ten points for whoever holds the middle of the wood at the end; hidden there is a regiment, or nothing.
fn battle(turns: u32, turn: u32, under: Option<Maker>) -> Battle {
    let at = (30_000, 40_000);
    let mut battle = World::new().hiding(REAL, under.map(|unit| unit.at(at.0, at.1)), at).battle();
    let mut scenario: Scenario = battle.table.scenario().clone();
    scenario.clock.turns = turns;
    let place = PlaceTerm::Around { at: Point::new(at.0, at.1), radius: 3_000 };
    let (parts, need_parts, each_part, arm, state) = (None, None, false, None, CountedState::Any);
    let kind = VictoryKind::Hold(Holding { place, units: 1, parts, need_parts, each_part, arm, state });
    let (side, when, note) = (Scorer::Either, When::End, String::new());
    scenario.victory = vec![VictoryTerm { id: "middle".to_owned(), side, points: 10, kind, when, note }];
    battle.table.theatre = Theatre::new(std::sync::Arc::new(scenario));
    battle.table.turn = turn;
    battle
}

fn hidden_score(battle: &Battle, viewer: Viewer) -> Option<BySide<i32>> {
    crate::view::view(Ruleset::standard(), battle, Stage::Orders, &viewer).hidden_score
}

#[test]
fn scnv_15_and_hid_78_and_leak_59_and_99_a_side_is_shown_apart_what_its_hidden_units_would_change() {
    let real = Faces::of(3).play(Stage::Movement, battle(9, 1, Some(hidden_unit())));
    let dummy = Faces::of(3).play(Stage::Movement, battle(9, 1, None));
    assert_eq!(told_to(&real.events, Side::Union), told_to(&dummy.events, Side::Union));
    assert_eq!(seen_by(&real.battle, Side::Union), seen_by(&dummy.battle, Side::Union));
    assert_eq!(real.battle.table.score.confederate.total(), 0);
    let ten = Some(BySide { union: 0, confederate: 10 });
    assert_eq!(hidden_score(&real.battle, Viewer::Side { side: Side::Confederate }), ten);
    assert_eq!(hidden_score(&real.battle, Viewer::Umpire {}), ten);
    assert_eq!(hidden_score(&real.battle, Viewer::Side { side: Side::Union }), None);
    assert_eq!(hidden_score(&real.battle, Viewer::Public {}), None);
}

#[test]
fn hid_66_and_scnv_15_at_the_end_all_pickets_are_opened_and_the_true_count_is_made() {
    let mut battle = battle(2, 2, Some(hidden_unit()));
    crate::testing::hide(&mut battle, DUMMY, None, (20_000, 45_000), Side::Confederate);
    let outcome = Faces::of(3).play(Stage::Movement, battle);
    let ended = outcome.battle.table.ended.as_ref().expect("its last turn has been played");
    assert_eq!(ended.winner, Some(Side::Confederate));
    assert_eq!(outcome.battle.table.score.confederate.total(), 10);
    let gone: Vec<_> = outcome.battle.table.pickets_gone.iter().map(|(number, gone)| (*number, gone.how)).collect();
    assert_eq!(gone, [(REAL, PicketEnd::Placed), (DUMMY, PicketEnd::Dummy)]);
    let opened = outcome.events.iter().position(|event| matches!(event.fact, Fact::PicketsChanged { .. }));
    let over = outcome.events.iter().position(|event| matches!(event.fact, Fact::Ended { .. }));
    assert!(opened.expect("they are opened") < over.expect("it is over"));
}

#[test]
fn leak_99_a_battle_goes_on_as_long_as_a_side_has_a_marker() {
    for under in [Some(hidden_unit()), None] {
        let outcome = Faces::of(3).play(Stage::Movement, battle(9, 1, under));
        assert!(outcome.battle.table.ended.is_none(), "no open Confederate is left, and one marker");
    }
}
