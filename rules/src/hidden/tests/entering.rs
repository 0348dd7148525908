//! Reinforcements under pickets. HID-67

use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::ids::{BySide, SeatId, Side, UnitId};
use protocol::orders::{Draft, Hides, Hiding, Order, Stage, UnitDraft};
use protocol::place::{Bearing, Point};
use protocol::view::{Presence, Viewer};
use protocol::words::Formation;

use crate::battle::{Battle, Theatre, known};
use crate::dice::{KeyedDice, ScriptedDice, TurnSeed};
use crate::hidden;
use crate::play::Play;
use crate::ruleset::Ruleset;
use crate::setup::{Seating, deploy, muster};
use crate::stage::Envelopes;

/// The Wilderness in turn 2, when Winslow's battery stands at the door: in the middle of its stretch, 17.6 to 19.2 of the eastern edge.
fn turn_2() -> Battle {
    let mut scenario = crate::scenario::read(include_str!("../../../../scenarios/wilderness.toml")).unwrap();
    scenario.options.hidden_movement = true;
    let theatre = Theatre::new(Arc::new(scenario));
    let (rules, seating, off) = (Ruleset::standard(), Seating::one_each(), BTreeSet::new());
    let mustered = muster(&theatre, rules, &seating, &off);
    let dice = KeyedDice::for_setup(&TurnSeed([7; 32]), "a game");
    let mut battle = deploy(rules, &mustered, &seating, &off, &Envelopes::new(), &dice);
    battle.table.turn = 2;
    battle
}

const DOOR: (i32, i32) = (44_000, 18_400);

fn union() -> SeatId {
    Seating::one_each().otherwise.union.clone()
}

fn picket(hides: Hides, (x, y): (i32, i32)) -> Hiding {
    Hiding { at: Point::new(x, y), facing: Bearing::WEST, hides, leaders: Vec::new(), path: Vec::new() }
}

fn battery(place: (i32, i32)) -> Hiding {
    picket(Hides::Unit { unit: "d1ny".into(), formation: Formation::Limbered, gap: None }, place)
}

fn dummy(place: (i32, i32)) -> Hiding {
    picket(Hides::Dummy {}, place)
}

fn draft(hiding: impl IntoIterator<Item = Hiding>) -> Draft {
    Draft { hiding: hiding.into_iter().collect(), ..Draft::default() }
}

fn told(battle: &Battle, stage: Stage, draft: &Draft) -> Vec<String> {
    let known = known(battle, Side::Union);
    let (_, refusals) = crate::orders::legal_part(&known, Ruleset::standard(), &union(), stage, draft);
    refusals.into_iter().map(|refusal| format!("{} {}", refusal.subject, refusal.rule)).collect()
}

/// The battle when the orders are opened, and when phase 7 begins.
fn opened(hiding: impl IntoIterator<Item = Hiding>) -> (Battle, Battle) {
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, turn_2(), Stage::Orders);
    crate::phases::envelopes::open(&mut play, &[(union(), draft(hiding))].into());
    let sealed = play.battle.clone();
    hidden::come_in(&mut play);
    (sealed, play.battle)
}

#[test]
fn hid_67_what_may_enter_comes_in_hidden_near_its_door_with_two_dummies() {
    let battle = turn_2();
    let ask = |hiding: &[Hiding]| told(&battle, Stage::Orders, &draft(hiding.to_vec()));
    // Twelve inches along the edge and no farther; not inward.
    assert_eq!(ask(&[battery(DOOR), dummy((44_000, 30_400)), dummy((44_000, 6_400))]), Vec::<String>::new());
    assert_eq!(ask(&[battery((44_000, 30_410))]), ["hiding 1 HID-67"]);
    assert_eq!(ask(&[battery((43_000, 18_400))]), ["hiding 1 HID-67"]);
    // Dummies come with a unit that enters hidden, two with each.
    assert_eq!(ask(&[dummy(DOOR)]), ["hiding 1 HID-06"]);
    let three = [dummy(DOOR), battery(DOOR), dummy(DOOR), dummy(DOOR)];
    assert_eq!(ask(&three), ["hiding 4 HID-06"]);
    // Who is on the table never hides again, who comes later waits.
    let regiment =
        |id: &str| picket(Hides::Unit { unit: id.into(), formation: Formation::MarchColumn, gap: None }, DOOR);
    assert_eq!(ask(&[regiment("me20")]), ["hiding 1 HID-47"]);
    let mut early = turn_2();
    early.table.turn = 1;
    assert_eq!(told(&early, Stage::Orders, &draft([battery(DOOR)])), ["hiding 1 HID-67"]);
}

#[test]
fn hid_67_it_is_said_with_the_orders_and_takes_the_place_of_the_unit_s_own() {
    let battle = turn_2();
    for stage in [Stage::Reactions, Stage::Charges, Stage::Movement] {
        assert_eq!(told(&battle, stage, &draft([battery(DOOR)])), ["hiding HID-67"]);
    }
    let hold = UnitDraft { order: Some(Order::Hold { task: None }), ..UnitDraft::default() };
    let both = Draft { units: [("d1ny".into(), hold)].into(), ..draft([battery(DOOR)]) };
    assert_eq!(told(&battle, Stage::Orders, &both), ["d1ny HID-67"]);
}

#[test]
fn hid_79_an_open_leader_goes_under_no_picket_that_enters() {
    let with = |leader: &str| Hiding { leaders: vec![leader.into()], ..battery(DOOR) };
    assert_eq!(told(&turn_2(), Stage::Orders, &draft([with("wainwright")])), Vec::<String>::new());
    assert_eq!(told(&turn_2(), Stage::Orders, &draft([with("warren")])), ["hiding 1 HID-79"]);
}

#[test]
fn hid_67_its_marker_comes_on_the_table_in_phase_7_with_a_number_drawn_at_the_setup() {
    let kept: Vec<_> = turn_2().secrets.union.open().kept_numbers.iter().map(|kept| kept.number).collect();
    let (sealed, entered) = opened([battery(DOOR), dummy((44_000, 20_000))]);
    assert!(sealed.table.pickets.is_empty());
    let numbers: BTreeSet<_> = entered.table.pickets.keys().copied().collect();
    assert_eq!(numbers, kept[..2].iter().copied().collect());
    let own = entered.secrets.union.open();
    let under = own.pickets.values().find(|under| !under.is_dummy()).expect("the battery");
    assert_eq!((under.units[0].id.as_str(), under.units[0].presence), ("d1ny", Presence::Hidden));
    assert!(entered.table.pickets.iter().all(|(number, marker)| own.roster[number].commitment == marker.commitment));
    assert_eq!(own.kept_numbers.len(), 1);
    // It does not march in openly as well.
    let ix = entered.table.find(&UnitId::from("d1ny")).unwrap();
    assert!(!crate::arrivals::is_due(&entered.table, ix));
}

#[test]
fn leak_77_before_its_marker_is_there_the_enemy_is_given_the_same_whether_something_comes_hidden() {
    let seen = |battle: &Battle| {
        let viewer = Viewer::Seat { side: Side::Confederate, seat: Seating::one_each().otherwise.confederate.clone() };
        let view = crate::view::view(Ruleset::standard(), battle, Stage::Reactions, &viewer);
        serde_json::to_string(&view).unwrap()
    };
    let (nothing, _) = opened([]);
    let (sealed, entered) = opened([battery(DOOR), dummy((44_000, 20_000))]);
    assert_eq!(seen(&sealed), seen(&nothing));
    assert!(known(&sealed, Side::Confederate) == known(&nothing, Side::Confederate));
    assert_ne!(seen(&entered), seen(&nothing), "now the markers stand there");
    // Which of the two the battery is under tells nothing.
    let (_, other) = opened([dummy(DOOR), battery((44_000, 20_000))]);
    let blank = |battle: &Battle| {
        let mut battle = battle.clone();
        battle.table.pickets.values_mut().for_each(|marker| marker.commitment.clear());
        battle.secrets = BySide::from_fn(|side| battle.secrets.get(side).clone());
        battle
    };
    assert_eq!(seen(&blank(&other)), seen(&blank(&entered)));
}

/// The Union's reinforcements as the Confederates are told of them in the turn in which they enter, and where their markers end.
fn enters(hiding: Vec<Hiding>) -> (String, Vec<Point>) {
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, turn_2(), Stage::Orders);
    crate::phases::envelopes::open(&mut play, &[(union(), draft(hiding))].into());
    play.stage = Stage::Movement;
    play.phase = 7;
    hidden::come_in(&mut play);
    let mut marches = hidden::begin(&play);
    for segment in 1..=120 {
        hidden::step(&mut play, &mut marches, segment);
    }
    hidden::finish(&mut play, marches, crate::catalogue::HID_77);
    let viewer = Viewer::Side { side: Side::Confederate };
    let told = serde_json::to_string(&crate::view::events(&play.events, &viewer)).expect("events are JSON");
    (told, play.table().pickets.values().map(|picket| picket.at).collect())
}

#[test]
fn hid_67_a_picket_that_enters_goes_the_line_that_was_sealed_with_it_real_and_dummy_alike() {
    let inward = |x: i32, hiding: Hiding| Hiding { path: vec![Point::new(x, 18_400)], ..hiding };
    let two = |path_of_battery: bool| {
        let (battery, dummy) = (battery(DOOR), dummy((44_000, 20_000)));
        match path_of_battery {
            true => vec![inward(43_000, battery), dummy],
            false => vec![battery, Hiding { path: vec![Point::new(43_000, 20_000)], ..dummy }],
        }
    };
    let (told, ends) = enters(two(true));
    assert!(told.contains("has moved"), "{told}");
    assert!(ends.contains(&Point::new(43_000, 18_400)) && ends.contains(&Point::new(44_000, 20_000)), "{ends:?}");
    let (_, ends) = enters(two(false));
    assert!(ends.contains(&Point::new(43_000, 20_000)) && ends.contains(&Point::new(44_000, 18_400)), "{ends:?}");
    // Who is told nothing stands at its point.
    assert_eq!(enters(vec![battery(DOOR)]).1, [Point::new(DOOR.0, DOOR.1)]);
    // Nothing is cut: what is too far is refused, of each by its own rates, to its owner alone.
    let refused = |hiding: Vec<Hiding>| told_of(&hiding);
    assert_eq!(refused(vec![inward(10_000, battery(DOOR))]), ["hiding 1 HID-22"]);
    assert_eq!(refused(vec![battery(DOOR), inward(10_000, dummy(DOOR))]), ["hiding 2 HID-23"]);
    assert_eq!(refused(two(true)), Vec::<String>::new());
}

fn told_of(hiding: &[Hiding]) -> Vec<String> {
    told(&turn_2(), Stage::Orders, &draft(hiding.to_vec()))
}
