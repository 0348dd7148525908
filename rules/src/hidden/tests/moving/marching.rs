//! How pickets travel.

use protocol::event::PicketEnd;
use protocol::orders::{FormTask, Stop, Wheel};
use protocol::place::Bearing;
use protocol::view::Viewer;
use protocol::words::{Flank, Formation};

use super::*;
use crate::battle::{Table, Theatre};
use crate::dice::Purpose;
use crate::hidden;
use crate::play::Audience;
use crate::scenario::{Edge, Scenario, Stretch};
use crate::testing::tell_picket;

fn march(battle: &mut Battle, number: PicketNumber, order: MoveOrder) {
    tell_picket(battle, number, Order::Move(order), Instructions::default());
}

/// Where a marker is, and what is under it, if anything.
type Places = ((i32, i32), Option<(i32, i32)>);

/// The places of a marker at the ends of these segments, and those of what is under it.
fn places(battle: Battle, number: PicketNumber, segments: &[u8]) -> Vec<Places> {
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    let mut marches = hidden::begin(&play);
    let mut found = Vec::new();
    for segment in 1..=120 {
        hidden::step(&mut play, &mut marches, segment);
        if segments.contains(&segment) {
            let under = &play.battle.secrets.get(Side::Confederate).open().pickets[&number];
            let anchor = under.units.first().map(|unit| (unit.footing.anchor.x, unit.footing.anchor.y));
            found.push((at(&play.battle, number), anchor));
        }
    }
    found
}

#[test]
fn hid_24_and_leak_26_every_picket_covers_k_of_120_of_its_line_after_segment_k() {
    // Six inches north for the line, ten for the dummy: after 30 of 120 segments a quarter of either.
    let mut battle = field_of(regiment());
    march(&mut battle, REAL, path(&[(10_000, 16_000)]));
    march(&mut battle, DUMMY, path(&[(20_000, 20_000)]));
    let real = places(battle.clone(), REAL, &[30, 60, 120]);
    let expected = [(10_000, 11_500), (10_000, 13_000), (10_000, 16_000)];
    assert_eq!(real, expected.map(|at| (at, Some(at))), "what is under it goes with it");
    let dummy = places(battle, DUMMY, &[30, 60, 120]);
    assert_eq!(dummy, [(20_000, 12_500), (20_000, 15_000), (20_000, 20_000)].map(|at| (at, None)));
}

#[test]
fn hid_24_ground_and_changes_of_formation_do_not_show_in_the_pace() {
    // Half a turn to form double line, then three inches: the marker goes from the first segment on.
    let task = FormTask::Formation { formation: Formation::DoubleLine, facing: None, pivot: None, gap: None };
    let mut battle = field_of(regiment());
    march(&mut battle, REAL, MoveOrder { form_first: Some(task), ..path(&[(10_000, 13_000)]) });
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    let mut marches = hidden::begin(&play);
    let mut formations = Vec::new();
    for segment in 1..=120 {
        hidden::step(&mut play, &mut marches, segment);
        let under = &play.battle.secrets.get(Side::Confederate).open().pickets[&REAL];
        formations.push(under.units[0].footing.formation);
        if segment == 40 {
            assert_eq!(at(&play.battle, REAL), (10_000, 11_000));
        }
    }
    // HID-25: done when its half of the turn has elapsed.
    assert_eq!((formations[58], formations[59]), (Formation::SingleLine, Formation::DoubleLine));
    assert_eq!(at(&play.battle, REAL), (10_000, 13_000));
}

#[test]
fn hid_03_and_leak_29_a_change_of_formation_leaves_the_marker_where_it_is() {
    let tasks = [
        FormTask::Formation { formation: Formation::MarchColumn, facing: Some(Bearing::EAST), pivot: None, gap: None },
        FormTask::FrontToFlank { toward: Flank::Right },
        FormTask::Formation { formation: Formation::SkirmishLine, facing: None, pivot: None, gap: None },
    ];
    for task in tasks {
        let mut battle = field_of(regiment());
        tell_picket(&mut battle, REAL, Order::Form { task: task.clone() }, Instructions::default());
        let (after, _) = moved(battle, &ScriptedDice::new());
        let unit = &after.secrets.get(Side::Confederate).open().pickets[&REAL].units[0];
        assert_ne!(unit.footing.formation, Formation::SingleLine, "{task:?}");
        assert_eq!((at(&after, REAL), unit.footing.anchor), ((10_000, 10_000), p(10_000, 10_000)), "{task:?}");
    }
}

#[test]
fn hid_77_and_leak_37_lines_are_told_once_by_number_rounded_and_without_times() {
    let mut battle = field_of(regiment());
    march(&mut battle, REAL, path(&[(10_000, 12_000), (11_003, 14_007)]));
    march(&mut battle, DUMMY, path(&[(22_000, 12_000)]));
    let (after, events) = moved(battle, &ScriptedDice::new());
    let expected = [
        (417, vec![(10_000, 10_000), (10_000, 12_000), (11_000, 14_010)], 0),
        (802, vec![(20_000, 10_000), (22_000, 12_000)], 4_500),
    ];
    assert_eq!(lines(&events), expected);
    let told: Vec<_> = events.iter().filter(|event| matches!(event.fact, Fact::PicketsMoved { .. })).collect();
    assert_eq!((told[0].audience, told[0].segment, told[0].rule.as_str()), (Audience::All, None, "HID-77"));
    assert_eq!(told[0].explanation.sentence, "Pickets 417 and 802 have moved.");
    assert_eq!(after.table.pickets[&DUMMY].travelled, [p(20_000, 10_000), p(22_000, 12_000)]);
}

#[test]
fn hid_30_and_leak_28_twin_worlds_march_alike_whatever_is_under_the_marker() {
    // A skirmish line and nothing at all, led along the same line of ten inches: the enemy is told the same, byte for byte.
    let world = |unit: Option<Maker>| {
        let open = [infantry("blue", Side::Union).at(30_000, 55_000).facing(18_000)];
        let ground = super::super::wood(0, 32_000, 60_000, 50_000);
        let mut battle = crate::testing::battle(crate::testing::table(ground, open));
        // The name that keeps the place of a unit stands on the list of both.
        let printed = regiment().with(|unit| unit.presence = protocol::view::Presence::Hidden).unit();
        battle.table.insert(printed);
        hide(&mut battle, REAL, unit, (10_000, 10_000), Side::Confederate);
        let order = MoveOrder { form_last: None, ..path(&[(13_000, 14_000), (13_000, 19_000)]) };
        march(&mut battle, REAL, order);
        battle
    };
    let skirmishers = regiment().formation(Formation::SkirmishLine).at(10_000, 10_000);
    let told = |battle: Battle| {
        let mut told = Vec::new();
        let mut battle = battle;
        for (stage, number, run) in [
            (Stage::Orders, 3, crate::phases::reveal::play as fn(&mut Play<'_>)),
            (Stage::Movement, 7, crate::phases::movement::play),
        ] {
            let (after, events) = phase(stage, number, battle, &ScriptedDice::new(), run);
            for viewer in [Viewer::Side { side: Side::Union }, Viewer::Public {}] {
                told.push(serde_json::to_string(&crate::view::events(&events, &viewer)).expect("events are JSON"));
                let mut view = crate::view::view(Ruleset::standard(), &after, stage, &viewer);
                // LEAK-31: which way a marker faces in the end is its owner's play.
                view.pickets.iter_mut().for_each(|picket| picket.facing = Bearing::NORTH);
                told.push(serde_json::to_string(&view).expect("a view is JSON"));
            }
            battle = after;
        }
        told.into_iter().map(|text| text.replace("\"facing\":0", "\"facing\":F")).collect::<Vec<_>>()
    };
    let (real, dummy) = (told(world(Some(skirmishers))), told(world(None)));
    assert_eq!(real.len(), 8);
    assert_eq!(real, dummy);
}

#[test]
fn leak_27_a_line_is_walked_whole_though_the_unit_has_become_slower() {
    let mut battle = field_of(regiment());
    march(&mut battle, REAL, path(&[(10_000, 16_000)]));
    let under = battle.secrets.get_mut(Side::Confederate).open_mut().pickets.get_mut(&REAL).expect("it is there");
    under.units[0].footing.disorder = true;
    let (after, events) = moved(battle, &ScriptedDice::new());
    assert_eq!((at(&after, REAL), lines(&events)[0].1.len()), ((10_000, 16_000), 2));
}

#[test]
fn hid_24_and_leak_89_a_wheel_is_walked_and_shown_as_a_chord() {
    // The line wheels about the middle of its left stand's front, which lies a stand and a half to the left of the anchor; by
    // 90 degrees to the left the anchor comes as far north of that pivot.
    let width = regiment().unit().stand_width;
    let from_pivot = 2 * width - width / 2;
    let mut battle = field_of(regiment());
    let wheel = Wheel { pivot: Flank::Left, facing: Bearing::WEST, last: true };
    march(&mut battle, REAL, MoveOrder { wheel: Some(wheel), ..MoveOrder::default() });
    let (after, events) = moved(battle, &ScriptedDice::new());
    let told = lines(&events);
    let (x, y) = told[0].1[1];
    assert_eq!(told[0].1.len(), 2, "a straight line, no arc");
    assert_eq!(told[0].2, 27_000);
    assert!((x - (10_000 - from_pivot)).abs() <= 10 && (y - (10_000 + from_pivot)).abs() <= 10, "{x} {y}");
    assert_eq!(at(&after, REAL), (x, y));
}

#[test]
fn hid_26_the_roll_of_a_quick_march_is_sealed_and_its_line_the_same() {
    for (face, disorder) in [(6, false), (1, true)] {
        let mut battle = field_of(regiment());
        march(&mut battle, REAL, MoveOrder { push: true, ..path(&[(10_000, 18_000)]) });
        let dice = ScriptedDice::new().with(Purpose::Push, &["417:hidden"], &[face]);
        let (after, events) = moved(battle, &dice);
        dice.finish().expect("one roll");
        assert_eq!(lines(&events), [(417, vec![(10_000, 10_000), (10_000, 18_000)], 0)]);
        let unit = &after.secrets.get(Side::Confederate).open().pickets[&REAL].units[0];
        assert_eq!(unit.footing.disorder, disorder);
        let seen = crate::view::events(&events, &Viewer::Side { side: Side::Union });
        assert!(seen.iter().all(|event| event.explanation.dice.is_empty()));
        assert_eq!(seen.len() + 1, events.len(), "the enemy lacks the roll alone");
    }
}

#[test]
fn hid_19_a_dummy_told_to_form_takes_its_new_facing_at_the_end_of_the_phase() {
    let mut battle = field_of(regiment());
    let task = FormTask::Face { facing: Bearing::SOUTH };
    for number in [REAL, DUMMY] {
        tell_picket(&mut battle, number, Order::Form { task: task.clone() }, Instructions::default());
    }
    let (after, events) = moved(battle, &ScriptedDice::new());
    assert_eq!(lines(&events), [(417, vec![(10_000, 10_000)], 18_000), (802, vec![(20_000, 10_000)], 18_000)]);
    assert_eq!(after.table.pickets[&DUMMY].facing, Bearing::SOUTH);
}

#[test]
fn hid_81_and_leak_22_and_leak_92_a_picket_stops_on_sight_or_before_an_enemy_the_same_for_dummies() {
    for number in [REAL, DUMMY] {
        let mut battle = wooded_field_of(regiment().formation(Formation::SkirmishLine));
        let (x, _) = at(&battle, number);
        let enemy = infantry("near", Side::Union).at(x, 19_000).facing(18_000);
        battle.table.insert(enemy.unit());
        let stop = Some(Stop::Before { distance: 5_000 });
        let order = Order::Move(path(&[(x, 20_000)]));
        tell_picket(&mut battle, number, order, Instructions { stop, ..Instructions::default() });
        // Its front is at 19 inches; a twelfth of an inch a segment: it stops short of 14, not by more than a step.
        let (after, events) = moved(battle, &ScriptedDice::new());
        let y = at(&after, number).1;
        assert!((13_890..=14_000).contains(&y), "{number:?} {y}");
        // LEAK-22 Nothing tells why, nor that it stopped at all.
        let told: Vec<_> = events.iter().map(|event| event.explanation.sentence.clone()).collect();
        assert_eq!(told, [format!("Picket {} has moved.", number.0)]);
    }
    // In the open everybody is seen from the start, and nobody new comes into sight.
    let mut battle = field_of(regiment());
    let keys = Instructions { stop: Some(Stop::OnSight {}), ..Instructions::default() };
    tell_picket(&mut battle, DUMMY, Order::Move(path(&[(20_000, 15_000)])), keys);
    assert_eq!(at(&moved(battle, &ScriptedDice::new()).0, DUMMY), (20_000, 15_000));
}

#[test]
fn hid_62_and_hid_76_disengaging_pickets_go_straight_from_the_nearest_open_enemy_as_far_as_named() {
    let mut battle = wooded_field_of(regiment());
    for (number, x) in [(REAL, 10_000), (DUMMY, 20_000)] {
        let enemy = infantry(&format!("near {x}"), Side::Union).at(x, 20_000).facing(18_000);
        battle.table.insert(enemy.unit());
        let keys = Instructions { disengage_travel: Some(4_000), ..Instructions::default() };
        tell_picket(&mut battle, number, Order::Disengage { abandon_guns: false }, keys);
    }
    let (after, events) = phase(Stage::Reactions, 5, battle, &ScriptedDice::new(), crate::phases::disengage::play);
    let expected = [
        (417, vec![(10_000, 10_000), (10_000, 6_000)], 18_000),
        (802, vec![(20_000, 10_000), (20_000, 6_000)], 18_000),
    ];
    assert_eq!(lines(&events), expected);
    // DIS-06: in disorder, under seal.
    let unit = &after.secrets.get(Side::Confederate).open().pickets[&REAL].units[0];
    assert!(unit.footing.disorder);
    assert_eq!(unit.footing.anchor, p(10_000, 6_000));
    assert!(events.iter().all(|event| !matches!(event.fact, Fact::Disorder { .. } | Fact::Disengages { .. })));
}

#[test]
fn hid_62_without_an_open_enemy_it_goes_from_the_nearest_marker() {
    let mut battle = wooded_field_of(regiment());
    battle.table.keep_only(Some(Side::Confederate));
    hide(&mut battle, PicketNumber(100), None, (20_000, 15_000), Side::Union);
    let keys = Instructions { disengage_travel: Some(2_000), ..Instructions::default() };
    tell_picket(&mut battle, DUMMY, Order::Disengage { abandon_guns: false }, keys);
    let (after, _) = phase(Stage::Reactions, 5, battle, &ScriptedDice::new(), crate::phases::disengage::play);
    assert_eq!(at(&after, DUMMY), (20_000, 8_000));
}

#[test]
fn hid_65_and_hid_66_and_leak_76_a_picket_that_leaves_is_told_of_in_the_same_words_whatever_it_hid() {
    let scenario = || {
        let mut scenario = Scenario { ground: crate::testing::open_ground(), ..Scenario::default() };
        scenario.sides.confederate.exit_edge = Stretch { edge: Edge::South, from: 0, to: 60_000 };
        scenario
    };
    let mut told = Vec::new();
    for unit in [None, Some(regiment().facing(18_000).at(10_000, 3_000))] {
        let real = unit.is_some();
        let mut battle = crate::testing::battle(Table::new(Theatre::new(std::sync::Arc::new(scenario())), Vec::new()));
        hide(&mut battle, REAL, unit, (10_000, 3_000), Side::Confederate);
        march(&mut battle, REAL, path(&[(10_000, -1_000)]));
        let (after, events) = moved(battle, &ScriptedDice::new());
        assert!(after.table.pickets.is_empty());
        assert_eq!(after.table.pickets_gone[&REAL].how, PicketEnd::LeftTable);
        // What was under it is kept for the count at the end.
        let left = &after.secrets.get(Side::Confederate).open().left;
        assert_eq!(left.contains_key(&REAL) && !left[&REAL].units.is_empty(), real);
        let seen = crate::view::events(&events, &Viewer::Side { side: Side::Union });
        let words: Vec<String> = seen.iter().map(|event| event.explanation.sentence.clone()).collect();
        told.push(words);
    }
    assert_eq!(told[0].len(), 2);
    assert!(told[0][1].contains("417 leaves the table"), "{told:?}");
    assert_eq!(told[0], told[1]);
}

#[test]
fn hid_70_and_hid_71_and_hid_83_and_leak_97_the_line_given_last_is_travelled_and_nothing_is_told_before() {
    let mut battle = field_of(regiment());
    march(&mut battle, DUMMY, path(&[(20_000, 15_000)]));
    let known_before = known(&battle, Side::Union);
    let points = vec![p(23_000, 13_000)];
    let bent = Instructions {
        path: Some(protocol::orders::PathAnswer::Waypoints { points, no_push: false }),
        ..Instructions::default()
    };
    let draft = Draft {
        pickets: [(DUMMY, UnitDraft { instructions: bent, ..UnitDraft::default() })].into(),
        ..Draft::default()
    };
    let envelopes = [(seat(Side::Confederate), draft)].into();
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    crate::phases::envelopes::open(&mut play, &envelopes);
    assert!(play.events.is_empty());
    assert_eq!(known(&play.battle, Side::Union), known_before);
    crate::movement::play(&mut play);
    assert_eq!(lines(&play.events), [(802, vec![(20_000, 10_000), (23_000, 13_000)], 4_500)]);
}

#[test]
fn leak_16_a_draft_without_a_word_to_pickets_opens_as_hold_for_each() {
    let battle = field_of(regiment());
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Orders);
    crate::phases::envelopes::open(&mut play, &[(seat(Side::Confederate), Draft::default())].into());
    let orders = &play.battle.secrets.get(Side::Confederate).open().picket_orders;
    let given: Vec<_> = orders.iter().map(|(number, orders)| (number.0, orders.order.clone())).collect();
    assert_eq!(given, [(417, Order::Hold { task: None }), (802, Order::Hold { task: None })]);
    assert!(play.events.is_empty());
}

/// Another regiment under 500, three inches before the first, which marches through it.
fn through_a_friend(friend: Maker, at: (i32, i32)) -> Battle {
    let mut battle = field_of(regiment());
    hide(&mut battle, PicketNumber(500), Some(friend.at(at.0, at.1)), at, Side::Confederate);
    march(&mut battle, REAL, path(&[(10_000, 16_000)]));
    battle
}

#[test]
fn hid_27_hidden_units_that_pass_through_each_other_roll_under_seal() {
    let under = |battle: &Battle, number: u32| {
        let own = battle.secrets.get(Side::Confederate).open();
        own.pickets[&PicketNumber(number)].units[0].footing.disorder
    };
    let sent = |events: &[Event]| crate::view::events(events, &Viewer::Side { side: Side::Union });
    let mut told = Vec::new();
    // A veteran's die must be above three: the one who is passed fails, then the one who passes.
    for (of_friend, of_mover) in [(3, 4), (4, 3), (4, 4)] {
        let battle = through_a_friend(infantry("friend", Side::Confederate), (10_000, 13_000));
        let key = ["500:friend", "417:hidden"];
        let dice = ScriptedDice::new().with(Purpose::TacticalPassThrough, &key, &[of_friend]).with(
            Purpose::TacticalPassThrough,
            &[key[1], key[0]],
            &[of_mover],
        );
        let (after, events) = moved(battle, &dice);
        dice.finish().expect("each of the two rolls, once");
        assert_eq!((under(&after, 500), under(&after, 417)), (of_friend == 3, of_mover == 3));
        assert_eq!(at(&after, REAL), (10_000, 16_000));
        told.push(sent(&events));
    }
    // The enemy is told of the march, and no more if they fail than if they pass.
    assert_eq!((told[0].len(), &told[0], &told[1]), (1, &told[2], &told[2]));
}

#[test]
fn hid_27_skirmishers_and_those_who_stand_on_each_other_already_call_for_no_roll() {
    let skirmishers = infantry("friend", Side::Confederate).formation(Formation::SkirmishLine);
    for (friend, at) in [(skirmishers, (10_000, 13_000)), (infantry("friend", Side::Confederate), (10_000, 10_200))] {
        let (_, events) = moved(through_a_friend(friend, at), &ScriptedDice::new());
        assert_eq!(events.len(), 1, "{events:?}");
    }
}
