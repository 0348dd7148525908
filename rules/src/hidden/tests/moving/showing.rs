//! What is shown of pickets.

use protocol::event::PicketOrder;
use protocol::orders::{ChangeOnHold, FormTask};
use protocol::place::Bearing;
use protocol::view::Viewer;
use protocol::words::Formation;

use super::*;
use crate::dice::Purpose;
use crate::play::Audience;
use crate::testing::tell_picket;

/// What the reveal tells, by number.
fn shown(battle: Battle) -> Vec<(u32, PicketOrder)> {
    let (_, events) = phase(Stage::Orders, 3, battle, &ScriptedDice::new(), crate::phases::reveal::play);
    let told = events.iter().filter_map(|event| match event.fact {
        Fact::PicketOrdered { picket, shown } => {
            assert_eq!(event.audience, Audience::All);
            Some((picket.0, shown))
        }
        _ => None,
    });
    told.collect()
}

#[test]
fn hid_20_and_leak_19_every_picket_is_shown_and_the_unmarked_as_hold() {
    let mut battle = field_of(regiment());
    hide(&mut battle, PicketNumber(250), None, (40_000, 40_000), Side::Union);
    tell_picket(&mut battle, DUMMY, Order::Move(path(&[(23_000, 14_000)])), Instructions::default());
    // Three east and four north: 36.87 degrees, shown as 37.
    let bearing = Bearing::wrapping(3_700);
    let expected = [(250, PicketOrder::Hold {}), (417, PicketOrder::Hold {}), (802, PicketOrder::Move { bearing })];
    assert_eq!(shown(battle), expected);
}

#[test]
fn hid_20_and_leak_20_of_an_order_only_its_kind_and_first_bearing_are_shown() {
    let task = FormTask::Formation { formation: Formation::DoubleLine, facing: None, pivot: None, gap: None };
    let long = MoveOrder {
        form_last: Some(task.clone()),
        push: true,
        ..path(&[(10_000, 12_000), (12_000, 12_500), (12_000, 13_000)])
    };
    for (order, kind) in [
        (Order::Move(long), PicketOrder::Move { bearing: Bearing::NORTH }),
        (Order::Form { task }, PicketOrder::Form {}),
        (Order::FirstFire {}, PicketOrder::FirstFire {}),
        (Order::Disengage { abandon_guns: false }, PicketOrder::Disengage {}),
        // No leg: the facing, here north.
        (Order::Move(MoveOrder::default()), PicketOrder::Move { bearing: Bearing::NORTH }),
    ] {
        let mut battle = field_of(regiment());
        tell_picket(&mut battle, REAL, order.clone(), Instructions::default());
        assert_eq!(shown(battle)[0], (417, kind), "{order:?}");
    }
}

#[test]
fn hid_19_and_leak_84_a_dummy_turns_on_conditional_hold_as_a_real_unit_does() {
    let ch_form = Some(ChangeOnHold { formation: Formation::DoubleLine, facing: Some(Bearing::EAST) });
    let keys = Instructions { conditional_hold: Some(true), ch_form, ..Instructions::default() };
    let mut battle = field_of(regiment());
    for number in [REAL, DUMMY] {
        tell_picket(&mut battle, number, Order::Hold { task: None }, keys.clone());
    }
    // A veteran beats his base morale point with a six.
    let dice = ScriptedDice::new().with(Purpose::ChForm, &["417:hidden"], &[6]);
    let (after, events) = phase(Stage::Reactions, 4, battle, &dice, crate::hidden::conditional_holds);
    assert_eq!(lines(&events), [(417, vec![(10_000, 10_000)], 9_000), (802, vec![(20_000, 10_000)], 9_000)]);
    let under = &after.secrets.get(Side::Confederate).open().pickets[&REAL].units[0];
    // HID-03: the anchor stays.
    assert_eq!((under.footing.formation, under.footing.anchor), (Formation::DoubleLine, p(10_000, 10_000)));
    let rolls: Vec<_> = events.iter().filter(|event| matches!(event.fact, Fact::Competence { .. })).collect();
    assert_eq!(rolls.len(), 1);
    assert_eq!(rolls[0].audience, Audience::Side(Side::Confederate));
    for number in [REAL, DUMMY] {
        assert_eq!(after.table.pickets[&number].shown, Some(PicketOrder::ConditionalHold {}));
    }
}

#[test]
fn hid_75_conditional_holds_of_pickets_are_told_and_end_their_march() {
    let keys = Instructions { conditional_hold: Some(true), ..Instructions::default() };
    let mut battle = field_of(regiment());
    tell_picket(&mut battle, DUMMY, Order::Move(path(&[(20_000, 15_000)])), keys);
    let (battle, events) = phase(Stage::Reactions, 4, battle, &ScriptedDice::new(), crate::hidden::conditional_holds);
    assert!(matches!(events[0].fact, Fact::PicketOrdered { picket: DUMMY, shown: PicketOrder::ConditionalHold {} }));
    let (after, events) = moved(battle, &ScriptedDice::new());
    assert_eq!((at(&after, DUMMY), lines(&events)), ((20_000, 10_000), Vec::new()));
}

#[test]
fn leak_30_the_enemy_sees_every_picket_on_one_grid_and_its_owner_as_it_is() {
    let mut battle = field_of(regiment());
    for number in [REAL, DUMMY] {
        let picket = battle.table.pickets.get_mut(&number).expect("it is there");
        (picket.at, picket.facing) = (p(10_003, 20_987), Bearing::wrapping(12_349));
    }
    let seen = |side| crate::view::view(Ruleset::standard(), &battle, Stage::Orders, &Viewer::Side { side }).pickets;
    for picket in seen(Side::Union) {
        assert_eq!((picket.at, picket.facing), (p(10_000, 20_990), Bearing::wrapping(12_300)));
    }
    assert!(seen(Side::Confederate).iter().all(|picket| picket.at == p(10_003, 20_987)));
}

#[test]
fn leak_01_to_04_the_bytes_of_enemy_pickets_are_of_one_shape() {
    let mut battle = field_of(regiment());
    tell_picket(&mut battle, REAL, Order::Move(path(&[(10_000, 15_000)])), Instructions::default());
    let viewer = Viewer::Side { side: Side::Union };
    let seen = crate::view::view(Ruleset::standard(), &battle, Stage::Reactions, &viewer);
    let keys = |number: PicketNumber| {
        let picket = seen.pickets.iter().find(|picket| picket.number == number).expect("all markers are seen");
        let value = serde_json::to_value(picket).expect("a view is JSON");
        let value = value.as_object().expect("a picket is an object").clone();
        assert!(value["own"].is_null());
        value.into_iter().map(|(key, value)| (key, value.is_null(), value.is_array())).collect::<Vec<_>>()
    };
    assert_eq!(keys(REAL), keys(DUMMY));
    let bytes = serde_json::to_string(&seen).expect("a view is JSON");
    assert!(!bytes.contains("hidden\""), "no name of what hides");
}

#[test]
fn hid_12_and_hid_74_the_chits_come_off_when_the_turn_ends() {
    let mut battle = field_of(regiment());
    tell_picket(&mut battle, DUMMY, Order::FirstFire {}, Instructions::default());
    let (battle, _) = phase(Stage::Orders, 3, battle, &ScriptedDice::new(), crate::hidden::reveal);
    assert!(battle.table.pickets[&DUMMY].shown.is_some());
    let (battle, _) = phase(Stage::Movement, 9, battle, &ScriptedDice::new(), crate::hidden::clear);
    assert_eq!(battle.table.pickets[&DUMMY].shown, None);
    assert!(battle.secrets.get(Side::Confederate).open().picket_orders.is_empty());
}

#[test]
fn hid_62_what_needs_a_player_counts_nothing_that_hides() {
    let battle = field_of(regiment());
    let needs = |side| crate::needs::needs(&known(&battle, side), Ruleset::standard(), &seat(side), Stage::Reactions);
    let (own, theirs) = (needs(Side::Confederate), needs(Side::Union));
    // The Confederacy has nothing on the table but markers, the Union one regiment that nobody threatens.
    assert_eq!((own.needs.len(), own.rest, theirs.needs.len(), theirs.rest), (0, 0, 0, 1));
}

/// What the Union is sent after a regiment under 417 went to Conditional Hold, saying `ch_form`, with that die; and its side's events.
fn on_conditional_hold(change: Option<ChangeOnHold>, face: u8) -> (String, Battle, Vec<Event>) {
    let keys = Instructions { conditional_hold: Some(true), ch_form: change, ..Instructions::default() };
    let mut battle = field_of(regiment());
    tell_picket(&mut battle, REAL, Order::Hold { task: None }, keys);
    let dice = ScriptedDice::new().with(Purpose::ChForm, &["417:hidden"], &[face]);
    let (after, events) = phase(Stage::Reactions, 4, battle, &dice, crate::hidden::conditional_holds);
    let viewer = Viewer::Side { side: Side::Union };
    let view = crate::view::view(Ruleset::standard(), &after, Stage::Reactions, &viewer);
    let sent = serde_json::to_string(&(crate::view::events(&events, &viewer), view)).expect("what is sent is JSON");
    (sent, after, events)
}

#[test]
fn hid_25_a_change_of_formation_that_fails_leaves_disorder_that_nobody_else_is_told_of() {
    // North is where it faces already: the change would turn nothing.
    let change = ChangeOnHold { formation: Formation::DoubleLine, facing: Some(Bearing::NORTH) };
    let (untried, ..) = on_conditional_hold(None, 1);
    for (face, disorder, formation) in [(1, true, Formation::SingleLine), (6, false, Formation::DoubleLine)] {
        let (sent, after, events) = on_conditional_hold(Some(change.clone()), face);
        let under = &after.secrets.get(Side::Confederate).open().pickets[&REAL].units[0];
        assert_eq!((under.footing.disorder, under.footing.formation), (disorder, formation), "a roll of {face}");
        assert_eq!((at(&after, REAL), under.footing.anchor), ((10_000, 10_000), p(10_000, 10_000)));
        let rolls: Vec<_> = events.iter().filter(|event| matches!(event.fact, Fact::Competence { .. })).collect();
        assert!(matches!(rolls.as_slice(), [roll] if roll.audience == Audience::Side(Side::Confederate)));
        assert_eq!(sent, untried, "the enemy is sent what he would be sent of one that has not tried");
    }
}

#[test]
fn hid_25_a_change_of_formation_costs_under_a_picket_what_it_costs_openly() {
    // Half a turn to form double line, which goes seven inches in a turn: three and a half are left.
    let task = FormTask::Formation { formation: Formation::DoubleLine, facing: None, pivot: None, gap: None };
    let march = |length: i32| {
        Order::Move(MoveOrder { form_first: Some(task.clone()), ..path(&[(10_000, 10_000 + length)]) })
    };
    let battle = field_of(regiment());
    assert_eq!(rules_against(&battle, REAL, march(3_500)), Vec::<String>::new());
    assert_eq!(rules_against(&battle, REAL, march(3_600)), ["HID-22"]);
}

#[test]
fn hid_29_a_line_is_told_whole_and_what_it_lets_one_think_is_left_to_the_player() {
    // Mounted cavalry in double line goes twelve inches over open ground: no dummy does (HID-23), and anybody may see it.
    let horse = crate::testing::cavalry("hidden", Side::Confederate).formation(Formation::DoubleLine);
    let mut battle = field_of(horse);
    let far = path(&[(10_000, 22_000)]);
    assert_eq!(rules_against(&battle, DUMMY, Order::Move(path(&[(20_000, 22_000)]))), ["HID-23"]);
    assert_eq!(rules_against(&battle, REAL, Order::Move(far.clone())), Vec::<String>::new());
    tell_picket(&mut battle, REAL, Order::Move(far), Instructions::default());
    let (after, events) = moved(battle, &ScriptedDice::new());
    // Of the dummy, which stands still, nothing.
    assert_eq!(lines(&events), [(417, vec![(10_000, 10_000), (10_000, 22_000)], 0)]);
    let viewer = Viewer::Side { side: Side::Union };
    let seen = crate::view::view(Ruleset::standard(), &after, Stage::Movement, &viewer);
    // HID-12 is the whole list: the server adds no thought of its own.
    let listed = ["at", "commitment", "confirmed", "facing", "number", "own", "shown", "side", "travelled"];
    for picket in &seen.pickets {
        let value = serde_json::to_value(picket).expect("a picket is JSON");
        let mut keys: Vec<_> = value.as_object().expect("a picket is an object").keys().cloned().collect();
        keys.sort();
        assert_eq!(keys, listed);
        assert_eq!((picket.confirmed, picket.own.is_none()), (None, true));
    }
    let told = crate::view::events(&events, &viewer);
    let sentences: Vec<_> = told.iter().map(|event| event.explanation.sentence.as_str()).collect();
    assert_eq!(sentences, ["Picket 417 has moved."]);
    assert!(told.iter().all(|event| event.explanation.notes.is_empty()));
}

#[test]
fn hid_69_every_choice_of_a_hidden_thing_is_a_word_in_a_window_the_same_for_dummies() {
    use protocol::orders::{OpenFire, PathAnswer, Reveal, Stop};
    let mut battle = field_of(regiment());
    for (number, x) in [(REAL, 10_000), (DUMMY, 20_000)] {
        tell_picket(&mut battle, number, Order::Move(path(&[(x, 13_000)])), Instructions::default());
    }
    for (stage, own) in [
        (Stage::Reactions, Reveal::WithReactions {}),
        (Stage::Charges, Reveal::WithCharges {}),
        (Stage::Movement, Reveal::WithMovement {}),
    ] {
        let keys = [
            Instructions { reveal: Some(own), ..Instructions::default() },
            Instructions { reveal: Some(Reveal::WithOrders {}), ..Instructions::default() },
            Instructions { open_fire: Some(OpenFire::AtLong {}), ..Instructions::default() },
            Instructions { stop: Some(Stop::OnSight {}), ..Instructions::default() },
            Instructions { path: Some(PathAnswer::Halt {}), ..Instructions::default() },
        ];
        for keys in keys {
            let words = |number| {
                let keys = UnitDraft { instructions: keys.clone(), ..UnitDraft::default() };
                let found = refused(&battle, stage, number, keys);
                found.into_iter().map(|(key, rule, words)| (key, rule, words.replace("802", "417"))).collect::<Vec<_>>()
            };
            assert_eq!(words(REAL), words(DUMMY), "{stage:?} {keys:?}");
            assert_eq!(words(REAL).is_empty(), keys.reveal != Some(Reveal::WithOrders {}), "{stage:?} {keys:?}");
        }
    }
}

#[test]
fn hid_69_a_stage_asks_nobody_and_who_says_nothing_is_taken_as_one_who_waived_his_word() {
    // Orders are sealed; in the later windows one side says nothing at all, or seals an empty word.
    let play = |envelope: Option<Draft>| {
        let mut battle = field_of(regiment());
        let mut scenario = battle.table.scenario().clone();
        scenario.clock.turns = 9;
        battle.table.theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
        tell_picket(&mut battle, REAL, Order::Move(path(&[(10_000, 13_000)])), Instructions::default());
        let envelopes: crate::stage::Envelopes =
            envelope.into_iter().map(|draft| (seat(Side::Confederate), draft)).collect();
        let mut told = Vec::new();
        for stage in [Stage::Reactions, Stage::Charges, Stage::Movement] {
            let dice = crate::dice::KeyedDice::new(crate::dice::TurnKey([7; 32]));
            let outcome = crate::stage::resolve(Ruleset::standard(), stage, battle, &envelopes, &dice);
            battle = outcome.battle;
            told.push(outcome.events);
        }
        (battle.table.turn, told)
    };
    let silent = play(None);
    assert_eq!(silent.0, 2, "three stages play the turn to its end");
    assert_eq!(silent, play(Some(Draft::default())));
}
