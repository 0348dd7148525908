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
    battle_for(VictoryKind::Hold, 3_000, (turns, turn), (under, (30_000, 40_000)))
}

/// The same for another kind of term, whose place reaches so far about the middle; what is hidden stands there.
fn battle_for(
    kind: impl FnOnce(Holding) -> VictoryKind,
    radius: i32,
    (turns, turn): (u32, u32),
    (under, at): (Option<Maker>, (i32, i32)),
) -> Battle {
    let mut battle = World::new().hiding(REAL, under.map(|unit| unit.at(at.0, at.1)), at).battle();
    let mut scenario: Scenario = battle.table.scenario().clone();
    scenario.clock.turns = turns;
    let place = PlaceTerm::Around { at: Point::new(30_000, 40_000), radius };
    let (parts, need_parts, each_part, arm, state) = (None, None, false, None, CountedState::Any);
    let kind = kind(Holding { place, units: 1, parts, need_parts, each_part, arm, state });
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

/// Puts what is hidden, and its marker, somewhere else.
fn moves_to(battle: &mut Battle, at: (i32, i32)) {
    let point = Point::new(at.0, at.1);
    battle.table.pickets.get_mut(&REAL).expect("it is there").at = point;
    let under = battle.secrets.confederate.open_mut().pickets.get_mut(&REAL).expect("it is there");
    under.units.iter_mut().for_each(|unit| unit.footing.anchor = point);
}

fn turn_of(battle: Battle) -> Battle {
    Faces::of(3).play(Stage::Movement, battle).battle
}

const AWAY: (i32, i32) = (45_000, 45_000);

#[test]
fn scnv_07_and_scnv_15_what_was_reached_in_hiding_is_remembered_and_counts_at_the_end() {
    let reach = |holding: Holding| {
        let Holding { place, arm, state, .. } = holding;
        VictoryKind::Reach { place, arm, state, turns: None }
    };
    let twins = [Some(hidden_unit()), None].map(|under| {
        let mut battle = turn_of(battle_for(reach, 3_000, (3, 1), (under, (30_000, 40_000))));
        moves_to(&mut battle, AWAY);
        turn_of(battle)
    });
    let [real, dummy] = &twins;
    assert_eq!(seen_by(real, Side::Union), seen_by(dummy, Side::Union));
    assert!(real.table.came_true.is_empty(), "in the open nobody has reached it");
    let ten = Some(BySide { union: 0, confederate: 10 });
    assert_eq!(hidden_score(real, Viewer::Side { side: Side::Confederate }), ten, "it was there a turn ago");
    assert_eq!(real.secrets.confederate.open().reached.values().copied().collect::<Vec<_>>(), [1]);
    let [real, dummy] = twins.map(turn_of);
    assert_eq!((real.table.score.confederate.total(), dummy.table.score.confederate.total()), (10, 0));
}

#[test]
fn scnv_06_and_scnv_15_who_held_a_place_last_alone_in_hiding_has_it_when_all_is_opened() {
    let last = |holding| VictoryKind::Last { holding, initial: None };
    let mut battle = turn_of(battle_for(last, 3_000, (3, 1), (Some(hidden_unit()), (30_000, 40_000))));
    moves_to(&mut battle, AWAY);
    let second = turn_of(battle);
    // SCNV-15 In the open it is nobody's; its own side is shown that it has it.
    assert_eq!(second.table.score.confederate.total(), 0);
    let ten = Some(BySide { union: 0, confederate: 10 });
    assert_eq!(hidden_score(&second, Viewer::Side { side: Side::Confederate }), ten);
    assert!(second.table.held_by.values().all(Option::is_none));
    assert_eq!(turn_of(second.clone()).table.score.confederate.total(), 10);
    // An open enemy who has it alone in the last turn takes it from him.
    let mut taken = second;
    let blue = crate::testing::ix(&taken.table, "blue");
    taken.table[blue].footing.anchor = Point::new(30_000, 40_000);
    let score = turn_of(taken).table.score;
    assert_eq!((score.union.total(), score.confederate.total()), (10, 0));
}

#[test]
fn scnv_06_a_place_that_hidden_troops_disputed_was_never_the_enemy_s_alone() {
    // Four inches of wood lie between them: a die of 3 shows nobody. Six inches about the middle hold both.
    let last = |holding| VictoryKind::Last { holding, initial: None };
    let played = |under: Option<Maker>| {
        let mut battle = battle_for(last, 6_000, (2, 1), (under, (26_500, 40_000)));
        let blue = crate::testing::ix(&battle.table, "blue");
        battle.table[blue].footing.anchor = Point::new(34_000, 40_000);
        let mut first = turn_of(battle);
        assert_eq!(first.table.score.union.total(), 10, "in the open it is the Union's");
        let known = hidden_score(&first, Viewer::Side { side: Side::Confederate });
        // Both go away, and the battle ends.
        moves_to(&mut first, AWAY);
        first.table[blue].footing.anchor = Point::new(30_000, 20_000);
        (known, turn_of(first).table.score.union.total())
    };
    assert_eq!(played(Some(hidden_unit())), (Some(BySide { union: -10, confederate: 0 }), 0));
    assert_eq!(played(None), (Some(BySide { union: 0, confederate: 0 }), 10));
}
