//! Work under pickets. HID-64

use protocol::event::{Fact, ObstacleChange};
use protocol::orders::{Draft, FormTask, Instructions, MoveOrder, Order, Reveal, UnitDraft, Work};
use protocol::view::Viewer;
use protocol::words::Quality;

use super::*;
use crate::battle::HiddenWorks;
use crate::dice::{Purpose, ScriptedDice};
use crate::ground::{GroundChanges, Obstacle, ObstacleKind};
use crate::hidden::seal::under_seal;
use crate::play::Audience;
use crate::stage::{Envelopes, resolve};
use crate::testing::{give, ix, seat, tell_picket};

/// An elite regiment, whose die must be above 2, and which digs hasty works for four turns.
fn elite() -> Maker {
    infantry("hidden", CONFEDERATE).quality(Quality::Elite).at(10_000, 10_000)
}

/// Deep in woods, out of sight of everybody, 417 at 10, 10 and a dummy 802 at 20, 10. The name of the regiment stands on the list
/// whatever is under 417.
fn wooded(under: Option<Maker>, obstacles: Vec<Obstacle>) -> Battle {
    let ground = Ground { obstacles, ..wood(0, 0, 25_000, 20_000) };
    let mut battle = battle_on(ground, [infantry("blue", UNION).at(30_000, 50_000)]);
    let mut scenario = battle.table.scenario().clone();
    scenario.clock.turns = 20;
    battle.table.theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
    battle.table.insert(elite().with(|unit| unit.presence = Presence::Hidden).unit());
    hide(&mut battle, GREY, under, (10_000, 10_000), CONFEDERATE);
    hide(&mut battle, OTHER, None, (20_000, 10_000), CONFEDERATE);
    battle
}

fn work(work: Work) -> Order {
    Order::Form { task: FormTask::Work { work, at: Vec::new() } }
}

/// One whole turn in which both pickets have this order and these instructions; what happened.
fn turn(battle: Battle, order: &Order, keys: &Instructions) -> (Battle, Vec<Event>) {
    let said = UnitDraft { order: Some(order.clone()), instructions: keys.clone(), ..UnitDraft::default() };
    let draft = Draft { pickets: [(GREY, said.clone()), (OTHER, said)].into(), ..Draft::default() };
    let (mut battle, mut events) = (battle, Vec::new());
    for stage in Stage::ALL {
        let envelopes = match stage {
            Stage::Orders => [(seat(CONFEDERATE), draft.clone())].into(),
            _ => Envelopes::new(),
        };
        let dice = ScriptedDice::new().with(Purpose::WorkStart, &["417:hidden"], &[3]);
        let outcome = resolve(Ruleset::standard(), stage, battle, &envelopes, &dice);
        battle = outcome.battle;
        events.extend(outcome.events);
    }
    (battle, events)
}

fn turns(mut battle: Battle, count: u32, order: &Order) -> Battle {
    for _ in 0..count {
        battle = turn(battle, order, &Instructions::default()).0;
    }
    battle
}

fn seen(battle: &Battle, side: Side) -> protocol::view::View {
    crate::view::view(Ruleset::standard(), battle, Stage::Orders, &Viewer::Side { side })
}

/// What stands on the map in the eyes of a side that the map did not have.
fn built(battle: &Battle, side: Side) -> Vec<String> {
    seen(battle, side).obstacles.iter().map(|obstacle| obstacle.id.to_string()).collect()
}

/// What is told to all of obstacles: which, what became of it, and whether somebody is said to have done it.
fn told(events: &[Event]) -> Vec<(String, ObstacleChange, bool)> {
    let open = events.iter().filter(|event| event.audience == Audience::All);
    let of = |event: &Event| match &event.fact {
        Fact::ObstacleChanged { obstacle, by, change } => Some((obstacle.to_string(), *change, by.is_some())),
        _ => None,
    };
    open.filter_map(of).collect()
}

#[test]
fn hid_64_and_leak_57_work_under_a_picket_is_known_to_its_side_alone() {
    let order = work(Work::BuildHastyWorks);
    let (mut real, mut nothing) = (wooded(Some(elite()), Vec::new()), wooded(None, Vec::new()));
    for day in 1..=5 {
        let (after, events) = turn(real, &order, &Instructions::default());
        let (other, others) = turn(nothing, &order, &Instructions::default());
        for viewer in [Viewer::Side { side: UNION }, Viewer::Public {}] {
            let sent = |battle: &Battle, events: &[Event]| {
                let view = crate::view::view(Ruleset::standard(), battle, Stage::Orders, &viewer);
                serde_json::to_string(&(crate::view::events(events, &viewer), view)).expect("what is sent is JSON")
            };
            assert_eq!(sent(&after, &events), sent(&other, &others), "turn {day}, {viewer:?}");
        }
        let own = seen(&after, CONFEDERATE);
        let work = own.units.iter().find(|unit| unit.id.as_str() == "hidden").and_then(|unit| unit.work.clone());
        // Four turns, and after the fourth it stands behind them.
        assert_eq!(work.map(|work| (work.turns, work.left)), [(1, 3), (2, 2), (3, 1)].get(day - 1).copied().or(None));
        (real, nothing) = (after, other);
        if day == 4 {
            let unit = &real.secrets.get(CONFEDERATE).open().pickets[&GREY].units[0];
            assert!(!unit.footing.disorder, "OBS-06 what was in order is in order again");
            break;
        }
    }
    assert_eq!(built(&real, CONFEDERATE), ["hasty_works_of_417"]);
    assert_eq!((built(&real, UNION), real.table.changes == GroundChanges::default()), (Vec::new(), true));
}

#[test]
fn hid_64_until_they_are_seen_works_are_there_for_their_maker_alone() {
    let mut battle = turns(wooded(Some(elite()), Vec::new()), 4, &work(Work::BuildHastyWorks));
    hide(
        &mut battle,
        PicketNumber(500),
        Some(infantry("beside", CONFEDERATE).at(10_000, 8_000)),
        (10_000, 8_000),
        CONFEDERATE,
    );
    let known = crate::battle::known(&battle, CONFEDERATE);
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Orders);
    let there = |play: &mut Play<'_>, number| under_seal(play, number, |inner| inner.table().changes.built.len());
    assert_eq!((there(&mut play, GREY), there(&mut play, PicketNumber(500))), (Some(1), Some(0)));
    let judged = |number| crate::hidden::judged(&known, number).map(|judged| judged.table.changes.built.len());
    assert_eq!((judged(GREY), judged(PicketNumber(500)), known.table.changes.built.len()), (Some(1), Some(0), 0));
}

#[test]
fn hid_64_works_come_to_light_with_the_unit_that_made_them() {
    let battle = turns(wooded(Some(elite()), Vec::new()), 4, &work(Work::BuildHastyWorks));
    let keys = Instructions { reveal: Some(Reveal::WithOrders {}), ..Instructions::default() };
    let (after, events) = turn(battle, &Order::Hold { task: None }, &keys);
    assert!(is_placed(&after, "hidden"));
    assert_eq!(told(&events), [("hasty_works_of_417".to_owned(), ObstacleChange::Built, false)]);
    assert_eq!(built(&after, UNION), ["hasty_works_of_417"]);
    assert!(after.secrets.get(CONFEDERATE).open().works.is_empty());
    // OBS-09 As long as its line: four stands.
    let works = &after.table.changes.built[0];
    let unit = unit(&after, "hidden");
    let length = crate::geometry::polyline_length(&works.line);
    assert_eq!((works.kind, length), (ObstacleKind::HastyWorks, 4 * unit.stand_width));
}

#[test]
fn hid_64_works_come_to_light_when_their_marker_leaves_them_and_it_is_thereby_real() {
    let battle = turns(wooded(Some(elite()), Vec::new()), 4, &work(Work::BuildHastyWorks));
    // Half an inch to the rear is enough, a little less is not. Its works would stand in its way to the front.
    for (travel, leaves) in [(490, false), (500, true)] {
        let back = MoveOrder { path: vec![Point::new(10_000, 10_000 - travel)], backing: true, ..MoveOrder::default() };
        let (after, events) = turn(battle.clone(), &Order::Move(back), &Instructions::default());
        assert_eq!(after.table.pickets[&GREY].at, Point::new(10_000, 10_000 - travel));
        let turn = after.table.turn - 1;
        assert_eq!(after.table.pickets[&GREY].confirmed, leaves.then_some(turn), "{travel}");
        assert_eq!(built(&after, UNION).len(), usize::from(leaves), "{travel}");
        let changes = changed(&events);
        assert_eq!(changes, if leaves { vec![(vec![], vec![], vec![417])] } else { vec![] }, "{travel}");
        assert!(!is_placed(&after, "hidden"), "it stays hidden");
    }
}

/// Works that the picket 417 at 10, 10 has made, from 12 to 15 inches north; an enemy in the same woods, his stands' middles at 19,312.
fn near_works() -> Battle {
    let mut battle = battle_on(all_woods(), [infantry("blue", UNION).at(10_000, 19_000).facing(18_000)]);
    under(&mut battle, GREY, CONFEDERATE, "hidden", (10_000, 10_000));
    let line = vec![Point::new(10_000, 12_000), Point::new(10_000, 15_000)];
    let abatis = Obstacle { id: "abatis_of_417".into(), kind: ObstacleKind::Abatis, line };
    let changes = GroundChanges { built: vec![abatis], ..GroundChanges::default() };
    let works = HiddenWorks { at: Point::new(10_000, 10_000), changes };
    battle.secrets.get_mut(CONFEDERATE).open_mut().works.insert(GREY, works);
    battle
}

#[test]
fn hid_64_works_come_to_light_when_an_enemy_sees_a_point_of_them_with_the_die_of_the_pair() {
    // From 19.312 to 15 are 4.312 inches of woods: five sees through, four does not. The marker, 9 inches off, is never seen.
    for (face, seen) in [(4, false), (5, true)] {
        let dice = ScriptedDice::new().with(Purpose::VisibilityPair, &["#417", "blue"], &[face]);
        let (after, events) = looked(near_works(), &dice);
        assert_eq!(built(&after, UNION).len(), usize::from(seen), "{face}");
        assert_eq!(after.table.pickets[&GREY].confirmed.is_some(), seen, "{face}");
        if !seen {
            // LEAK-10 What finds nothing tells nothing, and enters no die.
            assert_eq!(events, []);
            continue;
        }
        assert_eq!(changed(&events), [(vec![], vec![], vec![417])]);
        assert_eq!(events[0].rule.as_str(), "HID-64");
        assert_eq!(told(&events), [("abatis_of_417".to_owned(), ObstacleChange::Built, false)]);
        assert!(!is_placed(&after, "hidden"));
    }
}

#[test]
fn hid_64_works_under_a_picket_that_stand_in_the_open_are_seen_when_the_setup_opens_and_no_die_is_thrown() {
    let setup = |battle: Battle| {
        let dice = ScriptedDice::new();
        let outcome = crate::stage::open(Ruleset::standard(), battle, &dice);
        built(&outcome.battle, UNION).len()
    };
    assert_eq!(setup(near_works()), 0);
    // An inch of woods hides nobody (VIS-06): from the middle of the nearest stand, at 9.562, 19.312, it is 0.92.
    let mut battle = near_works();
    let works = battle.secrets.get_mut(CONFEDERATE).open_mut().works.get_mut(&GREY).expect("they are there");
    works.changes.built[0].line.push(Point::new(10_000, 18_500));
    assert_eq!(setup(battle), 1);
}

/// Abatis half an inch before the front of the unit at 10, 10.
fn abatis() -> Obstacle {
    let line = vec![Point::new(5_000, 10_500), Point::new(15_000, 10_500)];
    Obstacle { id: "abatis".into(), kind: ObstacleKind::Abatis, line }
}

#[test]
fn hid_64_and_leak_58_what_stood_openly_changes_at_once_and_nobody_is_said_to_have_done_it() {
    // Two turns destroy an abatis.
    let order = work(Work::Destroy);
    let (first, events) = turn(wooded(Some(elite()), vec![abatis()]), &order, &Instructions::default());
    assert_eq!((told(&events), first.table.changes.gaps.is_empty()), (vec![], true));
    let (second, events) = turn(first, &order, &Instructions::default());
    assert_eq!(told(&events), [("abatis".to_owned(), ObstacleChange::Removed, false)]);
    assert!(second.table.changes.gaps.contains_key(&protocol::ids::FeatureId::new("abatis")));
    assert_eq!((second.table.pickets[&GREY].confirmed, built(&second, UNION)), (None, vec!["abatis".to_owned()]));
    let sent = crate::view::events(&events, &Viewer::Side { side: UNION });
    let bytes = serde_json::to_string(&sent).expect("events are JSON");
    assert!(!bytes.contains("hidden") && !bytes.contains("worked"), "{bytes}");
    // A dummy works nothing. HID-65
    let (second, events) = turn(wooded(None, vec![abatis()]), &order, &Instructions::default());
    assert_eq!((told(&events), second.table.changes.gaps.is_empty()), (vec![], true));
}

#[test]
fn hid_64_and_leak_58_chevaux_swung_aside_under_a_picket_are_seen_and_nobody_with_them() {
    let line = vec![Point::new(9_600, 10_500), Point::new(10_400, 10_500)];
    let element = Obstacle { id: "e1".into(), kind: ObstacleKind::ChevauxDeFrise, line };
    let mut battle = wooded(Some(elite()), vec![element]);
    let order = Order::Form { task: FormTask::Swing { elements: vec!["e1".into()] } };
    for number in [GREY, OTHER] {
        tell_picket(&mut battle, number, order.clone(), Instructions::default());
    }
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    crate::phases::movement::play(&mut play);
    assert_eq!(told(&play.events), [("e1".to_owned(), ObstacleChange::SwungOpen, false)]);
    assert!(play.table().changes.open.contains(&protocol::ids::FeatureId::new("e1")));
}

#[test]
fn hid_64_a_fence_that_went_into_hidden_works_stands_in_the_eyes_of_all_until_they_are_seen() {
    let line = vec![Point::new(5_000, 10_200), Point::new(15_000, 10_200)];
    let fence = Obstacle { id: "fence".into(), kind: ObstacleKind::Fence, line };
    let battle = turns(wooded(Some(elite()), vec![fence]), 4, &work(Work::BuildHastyWorks));
    assert_eq!((built(&battle, UNION), battle.table.changes == GroundChanges::default()), (Vec::new(), true));
    assert_eq!(built(&battle, CONFEDERATE), ["fence", "hasty_works_of_417"]);
    let keys = Instructions { reveal: Some(Reveal::WithOrders {}), ..Instructions::default() };
    let (after, _) = turn(battle, &Order::Hold { task: None }, &keys);
    assert_eq!(built(&after, UNION), ["fence", "hasty_works_of_417"]);
}

#[test]
fn hid_64_who_is_revealed_at_its_work_goes_on_with_it() {
    let battle = turns(wooded(Some(elite()), Vec::new()), 2, &work(Work::BuildHastyWorks));
    let keys = Instructions { reveal: Some(Reveal::WithOrders {}), ..Instructions::default() };
    let (mut battle, _) = turn(battle, &work(Work::BuildHastyWorks), &keys);
    assert_eq!(unit(&battle, "hidden").carried.labour.as_ref().map(|labour| labour.counted()), Some(3));
    give(&mut battle, "hidden", work(Work::BuildHastyWorks), Instructions::default());
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    let hidden = ix(play.table(), "hidden");
    crate::works::take_up(&mut play);
    crate::works::begin(&mut play);
    crate::works::close(&mut play);
    assert_eq!((play.table().changes.built.len(), play.table()[hidden].footing.disorder), (1, false));
}
