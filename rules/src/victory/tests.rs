use std::sync::Arc;

use protocol::event::OrderShown;
use protocol::orders::Stage;
use protocol::place::Point;
use protocol::words::{Arm, Formation};

use super::*;
use crate::battle::{Battle, Table, Theatre, Unit};
use crate::dice::ScriptedDice;
use crate::ground::{Ground, Place};
use crate::ruleset::Ruleset;
use crate::scenario::{Clock, CountBy, Holding, LeaderLoss, PlaceTerm, ResultRule, Scenario, Scorer, Tie};
use crate::testing::{self, Maker};

/// A hill of ten by ten inches in the middle of the table, and these terms about it.
fn scenario(victory: Vec<VictoryTerm>) -> Scenario {
    let corner = |x: i32, y: i32| Point::new(x * 1_000, y * 1_000);
    let outline = vec![corner(25, 25), corner(35, 25), corner(35, 35), corner(25, 35)];
    let hill = Place { id: "hill".into(), name: "the hill".to_owned(), outline, shown: true };
    let ground = Ground { places: vec![hill], ..testing::open_ground() };
    Scenario { ground, victory, clock: Clock { date: String::new(), start: 0, turns: 9 }, ..Scenario::default() }
}

fn battle(scenario: Scenario, units: Vec<Maker>) -> Battle {
    let units = units.into_iter().map(Maker::unit).collect();
    testing::battle(Table::new(Theatre::new(Arc::new(scenario)), units))
}

fn holding() -> Holding {
    Holding {
        place: PlaceTerm::Feature("hill".into()),
        units: 1,
        parts: None,
        need_parts: None,
        each_part: false,
        arm: None,
        state: CountedState::Holder,
    }
}

fn term(points: i32, kind: VictoryKind) -> VictoryTerm {
    VictoryTerm { id: "term".to_owned(), side: Scorer::Either, points, kind, when: When::End, note: String::new() }
}

fn on_the_hill(id: &str, side: Side) -> Maker {
    testing::infantry(id, side).at(30_000, if side == Side::Union { 28_000 } else { 33_000 })
}

fn off_the_hill(id: &str, side: Side) -> Maker {
    testing::infantry(id, side).at(10_000, if side == Side::Union { 8_000 } else { 12_000 })
}

/// Counts the turn, and gives the points of both sides.
fn points(battle: &mut Battle) -> (i32, i32) {
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle.clone(), Stage::Movement);
    play.phase = 9;
    count(&mut play);
    *battle = play.battle;
    (battle.table.score.union.total(), battle.table.score.confederate.total())
}

fn counted_for(kind: VictoryKind, units: Vec<Maker>) -> (i32, i32) {
    points(&mut battle(scenario(vec![term(3, kind)]), units))
}

fn spoilt() -> Vec<fn(Maker) -> Maker> {
    vec![
        |unit| unit.morale(Morale::Shaken),
        |unit| unit.disordered(),
        |unit| unit.formation(Formation::SkirmishLine),
        |unit| unit.stands_left(1),
        |unit| unit.with(|unit| unit.marks.shown = Some(OrderShown::Disengage {})),
    ]
}

#[test]
fn scnv_03_a_holder_is_good_formed_strong_and_staying() {
    let hold = || VictoryKind::Hold(holding());
    assert_eq!(
        counted_for(hold(), vec![on_the_hill("me20", Side::Union), off_the_hill("al15", Side::Confederate)]),
        (3, 0)
    );
    for spoil in spoilt() {
        assert_eq!(counted_for(hold(), vec![spoil(on_the_hill("me20", Side::Union))]), (0, 0));
    }
    let any = || VictoryKind::Hold(Holding { state: CountedState::Any, ..holding() });
    assert_eq!(counted_for(any(), vec![on_the_hill("me20", Side::Union).morale(Morale::Shaken)]), (3, 0));
    assert_eq!(counted_for(any(), vec![on_the_hill("me20", Side::Union).morale(Morale::Routed)]), (0, 0));
}

#[test]
fn scnv_04_unfit_enemies_do_not_spoil_a_hold_but_holders_do() {
    let hold = || VictoryKind::Hold(holding());
    let both = vec![on_the_hill("me20", Side::Union), on_the_hill("al15", Side::Confederate)];
    assert_eq!(counted_for(hold(), both), (0, 0));
    for spoil in spoilt() {
        let units = vec![on_the_hill("me20", Side::Union), spoil(on_the_hill("al15", Side::Confederate))];
        assert_eq!(counted_for(hold(), units), (3, 0));
    }
}

#[test]
fn scnv_05_any_unrouted_enemy_spoils_a_sole_possession() {
    let sole = || VictoryKind::Sole(holding());
    for (morale, expected) in [(Morale::Shaken, 0), (Morale::Routed, 3)] {
        let enemy = on_the_hill("al15", Side::Confederate).morale(morale);
        assert_eq!(counted_for(sole(), vec![on_the_hill("me20", Side::Union), enemy]), (expected, 0));
    }
    // One stand of four inside is enough to spoil it, not to hold it: the hill begins at x = 25.
    let edge = testing::infantry("al15", Side::Confederate).at(24_000, 33_000);
    assert_eq!(counted_for(sole(), vec![on_the_hill("me20", Side::Union), edge]), (0, 0));
}

#[test]
fn scnv_06_a_place_belongs_to_the_last_who_had_it_alone() {
    let last = VictoryKind::Last { holding: holding(), initial: Some(Side::Confederate) };
    let units = vec![off_the_hill("me20", Side::Union), off_the_hill("al15", Side::Confederate)];
    let mut battle = battle(scenario(vec![term(6, last)]), units);
    let (me, al) = (testing::ix(&battle.table, "me20"), testing::ix(&battle.table, "al15"));
    assert_eq!(points(&mut battle), (0, 6), "owned at first");
    battle.table[me].footing.anchor = Point::new(30_000, 28_000);
    assert_eq!(points(&mut battle), (6, 0), "taken");
    battle.table[al].footing.anchor = Point::new(30_000, 33_000);
    assert_eq!(points(&mut battle), (6, 0), "disputed: kept");
    battle.table[me].presence = Presence::Removed;
    assert_eq!(points(&mut battle), (0, 6), "lost");
    battle.table[al].footing.anchor = Point::new(10_000, 12_000);
    assert_eq!(points(&mut battle), (0, 6), "kept when the troops move on");
}

#[test]
fn scnv_07_control_and_denial_add_up_turn_by_turn() {
    let units = || vec![on_the_hill("me20", Side::Union), off_the_hill("al15", Side::Confederate)];
    let place = PlaceTerm::Feature("hill".into());
    let deny = VictoryKind::Deny { place, turns: (2, 3), arm: Some(Arm::Infantry), state: CountedState::Holder };
    for kind in [VictoryKind::Control { holding: holding(), turns: (2, 3) }, deny] {
        let side = Scorer::Union;
        let mut battle = battle(scenario(vec![VictoryTerm { side, ..term(1, kind) }]), units());
        let mut by_turn = Vec::new();
        for turn in 1..=4 {
            battle.table.turn = turn;
            by_turn.push(points(&mut battle).0);
        }
        assert_eq!(by_turn, [0, 1, 2, 2]);
    }
}

#[test]
fn scnv_08_units_lost_by_arm() {
    let lost = |id: &str, side| off_the_hill(id, side).with(|unit| unit.presence = Presence::Removed);
    let units =
        || vec![lost("al15", Side::Confederate), lost("al47", Side::Confederate), off_the_hill("me20", Side::Union)];
    let kind = |arm| VictoryKind::UnitLost { arm, count: CountBy::Regiment, who: Vec::new() };
    assert_eq!(counted_for(kind(Some(Arm::Infantry)), units()), (6, 0));
    assert_eq!(counted_for(kind(Some(Arm::Cavalry)), units()), (0, 0));
}

#[test]
fn scnv_08_a_battery_is_taken_when_lost_left_or_spiked() {
    type Change = fn(&mut Unit);
    let cases: [(Change, i32); 4] = [
        (|_| {}, 0),
        (|unit| unit.presence = Presence::Removed, 3),
        (|unit| unit.guns.as_mut().unwrap().unmanned = true, 3),
        (|unit| unit.guns.as_mut().unwrap().spiked = true, 3),
    ];
    for (change, expected) in cases {
        let guns = testing::battery("guns", Side::Union).at(30_000, 30_000).with(change);
        assert_eq!(counted_for(VictoryKind::BatteryTaken { who: Vec::new() }, vec![guns]), (0, expected));
    }
}

#[test]
fn scnv_09_a_formation_at_its_limit_counts_once() {
    let kind = VictoryKind::Withdraw { post: Some(crate::battle::Post::Brigade), level: 60 };
    let units = (0..4).map(|n| {
        off_the_hill(&format!("reg{n}"), Side::Union).with(|unit| {
            unit.brigade = Some("vincent".into());
            unit.presence = if n < 3 { Presence::Removed } else { Presence::Table };
        })
    });
    // 6 of 10 points lost: the limit of 60 per cent is 6.
    let mut battle = battle(scenario(vec![term(2, kind)]), units.collect());
    testing::commander(&mut battle.table, "vincent", crate::battle::Post::Brigade, (5_000, 5_000), None);
    assert_eq!(points(&mut battle), (0, 2));
}

#[test]
fn scnv_10_leaders_killed_or_lost() {
    let kind = |how| VictoryKind::LeaderLost { who: Vec::new(), post: None, how };
    for (how, expected) in [(LeaderLoss::Killed, 0), (LeaderLoss::Lost, 3)] {
        let mut battle = battle(scenario(vec![term(3, kind(how))]), vec![off_the_hill("me20", Side::Union)]);
        testing::commander(&mut battle.table, "vincent", crate::battle::Post::Brigade, (5_000, 5_000), None);
        battle.table.leaders.values_mut().for_each(|leader| leader.wounded_until = Some(20));
        assert_eq!(points(&mut battle).1, expected);
    }
}

#[test]
fn scnv_12_an_instant_win_ends_the_battle_whatever_the_points() {
    let place = PlaceTerm::Feature("hill".into());
    let units = vec![on_the_hill("al15", Side::Confederate), off_the_hill("me20", Side::Union)];
    let mut battle = battle(scenario(vec![term(0, VictoryKind::InstantWin { place, units: 1 })]), units);
    points(&mut battle);
    assert_eq!(battle.table.ended.unwrap().winner, Some(Side::Confederate));
}

#[test]
fn scnv_14_margins() {
    let rule = ResultRule::Margins { first: Side::Confederate, union_by: 0, confederate_by: 12 };
    let wins = |union, confederate| winner(rule, &BySide { union, confederate });
    assert_eq!(wins(3, 14), None);
    assert_eq!(wins(3, 15), Some(Side::Confederate));
    assert_eq!(wins(8, 8), Some(Side::Union));
}

#[test]
fn scnv_14_more_points_and_ties() {
    let wins = |tie, union, confederate| winner(ResultRule::MorePoints { tie }, &BySide { union, confederate });
    assert_eq!(wins(Tie::Draw, 4, 3), Some(Side::Union));
    assert_eq!(wins(Tie::Draw, 3, 4), Some(Side::Confederate));
    assert_eq!([wins(Tie::Draw, 3, 3), wins(Tie::Union, 3, 3)], [None, Some(Side::Union)]);
}

#[test]
fn scnv_16_points_are_told_with_their_sum_when_they_change() {
    let dice = ScriptedDice::new();
    let battle = battle(scenario(vec![term(3, VictoryKind::Hold(holding()))]), vec![on_the_hill("me20", Side::Union)]);
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    let units_to_come = testing::infantry("al15", Side::Confederate).with(|unit| unit.presence = Presence::ToCome);
    play.table_mut().insert(units_to_come.unit());
    count(&mut play);
    count(&mut play);
    let told: Vec<&str> = play.events.iter().map(|event| event.explanation.sentence.as_str()).collect();
    assert_eq!(told, ["Points for the Union: the Union holds the hill."]);
    assert_eq!(play.events[0].explanation.sums[0].total, 3);
}

#[test]
fn scnv_property_swapping_the_sides_swaps_the_points() {
    let kinds = || {
        [
            VictoryKind::Hold(holding()),
            VictoryKind::Sole(holding()),
            VictoryKind::Last { holding: holding(), initial: None },
            VictoryKind::UnitLost { arm: None, count: CountBy::Unit, who: Vec::new() },
            VictoryKind::StandLost { arm: None, who: Vec::new() },
            VictoryKind::FigureLost { arm: None, who: Vec::new() },
        ]
    };
    let troops = |one: Side| {
        vec![
            on_the_hill("a", one),
            off_the_hill("b", one).stands_left(2),
            off_the_hill("c", one.enemy()).with(|unit| unit.presence = Presence::Removed),
            off_the_hill("d", one.enemy()),
        ]
    };
    for kind in kinds() {
        let (union, confederate) = counted_for(kind.clone(), troops(Side::Union));
        let swapped = counted_for(kind.clone(), troops(Side::Confederate));
        assert_eq!((confederate, union), swapped, "{kind:?}");
    }
}

fn named(id: &str, points: i32, kind: VictoryKind) -> VictoryTerm {
    VictoryTerm { id: id.to_owned(), ..term(points, kind) }
}

#[test]
fn scnv_01_a_score_is_the_sum_of_the_terms_that_a_side_may_score() {
    let lost = |side| off_the_hill("gone", side).with(|unit| unit.presence = Presence::Removed);
    let units = vec![on_the_hill("me20", Side::Union), off_the_hill("al15", Side::Confederate), lost(Side::Union)];
    let terms = vec![
        named("hill", 3, VictoryKind::Hold(holding())),
        named("lost", 2, VictoryKind::UnitLost { arm: None, count: CountBy::Unit, who: Vec::new() }),
        VictoryTerm { side: Scorer::Union, ..named("delay", -5, VictoryKind::Hold(holding())) },
        VictoryTerm { side: Scorer::Confederate, ..named("never", 7, VictoryKind::Hold(holding())) },
    ];
    // The Union holds the hill: 3 - 5; the Confederates have picked up a regiment: 2.
    let mut battle = battle(scenario(terms), units);
    assert_eq!(points(&mut battle), (-2, 2));
}

#[test]
fn scnv_13_terms_are_counted_at_the_end_at_one_turn_or_at_each_of_some() {
    let by_turn = |when: When| {
        let hold = VictoryTerm { when, ..named("hill", 3, VictoryKind::Hold(holding())) };
        let units = vec![on_the_hill("me20", Side::Union), off_the_hill("al15", Side::Confederate)];
        let mut battle = battle(scenario(vec![hold]), units);
        let me = testing::ix(&battle.table, "me20");
        (1..=4)
            .map(|turn| {
                battle.table.turn = turn;
                if turn == 4 {
                    battle.table[me].footing.anchor = Point::new(10_000, 8_000);
                }
                points(&mut battle).0
            })
            .collect::<Vec<_>>()
    };
    // The hill is held in turns 1 to 3 and left in turn 4.
    assert_eq!(by_turn(When::End), [3, 3, 3, 0]);
    assert_eq!(by_turn(When::Turn(2)), [0, 3, 3, 3], "counted once, and kept");
    assert_eq!(by_turn(When::Turn(9)), [0, 0, 0, 0], "a turn that is not reached counts nothing");
    assert_eq!(by_turn(When::Turns(2, 3)), [0, 3, 6, 6]);
}

#[test]
fn scnv_15_both_sides_and_spectators_are_shown_one_score_of_open_facts() {
    use protocol::view::Viewer;
    let units = vec![on_the_hill("me20", Side::Union), off_the_hill("al15", Side::Confederate)];
    let mut battle = battle(scenario(vec![named("hill", 3, VictoryKind::Hold(holding()))]), units);
    points(&mut battle);
    let viewers = [
        Viewer::Side { side: Side::Union },
        Viewer::Side { side: Side::Confederate },
        Viewer::Public {},
        Viewer::Umpire {},
    ];
    let shown = |battle: &Battle| {
        viewers.clone().map(|viewer| crate::view::view(Ruleset::standard(), battle, Stage::Orders, &viewer).score)
    };
    assert!(shown(&battle).iter().all(|score| (score.union, score.confederate) == (3, 0)));
    // Nothing that is secret to a side moves it: not what waits off the table, nor what was sealed.
    let before = shown(&battle);
    battle.secrets.get_mut(Side::Confederate).open_mut().orders.clear();
    battle
        .table
        .insert(testing::infantry("al47", Side::Confederate).with(|unit| unit.presence = Presence::ToCome).unit());
    points(&mut battle);
    assert_eq!(shown(&battle), before);
}

#[test]
fn scnv_07_who_has_passed_through_a_place_has_reached_it() {
    let place = PlaceTerm::Around { at: Point::new(30_000, 33_000), radius: 1_400 };
    let reach = VictoryKind::Reach { place, arm: None, state: CountedState::Any, turns: None };
    let unit = testing::infantry("me20", Side::Union).at(30_000, 30_500);
    let mut battle =
        battle(scenario(vec![named("bridge", 4, reach)]), vec![unit, off_the_hill("al15", Side::Confederate)]);
    let path = vec![Point::new(30_000, 36_000)];
    let order = protocol::orders::Order::Move(protocol::orders::MoveOrder { path, ..Default::default() });
    testing::give(&mut battle, "me20", order, protocol::orders::Instructions::default());
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    crate::movement::play(&mut play);
    let me = testing::ix(play.table(), "me20");
    assert!(34_500 < play.table()[me].footing.anchor.y, "it has gone on beyond the place");
    let mut battle = play.battle;
    assert_eq!(points(&mut battle), (4, 0));
}
