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
    Hiding { at: Point::new(x, y), facing: Bearing::WEST, hides, leaders: Vec::new() }
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
