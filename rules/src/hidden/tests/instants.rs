//! The test of an instant, and its rounds. HID-38, HID-40, HID-46, HID-48

use protocol::orders::{Instructions, MoveOrder, Order, Reveal};

use super::*;
use crate::catalogue::{HID_31, HID_41, HID_46};
use crate::dice::{Purpose, ScriptedDice};
use crate::testing::{give, tell_picket};

#[test]
fn hid_46_who_is_placed_looks_in_his_turn_and_all_of_it_is_one_fact() {
    // Two pickets stand on each other's points in the woods, and are both placed. The dummy outside, two inches of trees away, is
    // seen from inside alone: the picket could not, the regiment can.
    let mut battle = battle_on(wood(0, 0, 60_000, 22_000), []);
    under(&mut battle, BLUE, UNION, "blue", (30_000, 20_312));
    under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 19_600));
    dummy(&mut battle, OTHER, CONFEDERATE, (30_438, 24_000));
    let dice = ScriptedDice::new().with(Purpose::VisibilityPair, &["#205", "#802"], &[2]);
    let (battle, events) = looked(battle, &dice);
    dice.finish().expect("the die of the pair, with the number of the picket");
    assert!(is_placed(&battle, "blue") && is_placed(&battle, "grey"));
    assert_eq!(rolled(&events), [(802, "blue".to_owned())]);
    assert_eq!(changed(&events), [(vec![205, 417], vec![802], vec![])]);
    assert_eq!(events.last().map(|event| event.rule), Some(HID_46));
}

#[test]
fn hid_46_a_dummy_that_goes_has_been_seen_all_the_same() {
    // The dummy of the Union meets a dummy and a regiment at one instant: both dummies go, and the regiment has met one.
    let mut battle = battle_on(open_ground(), []);
    dummy(&mut battle, BLUE, UNION, (30_000, 20_000));
    dummy(&mut battle, OTHER, CONFEDERATE, (20_000, 40_000));
    under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 40_000));
    let (_, events) = looked(battle, &ScriptedDice::new());
    assert_eq!(changed(&events), [(vec![], vec![205, 802], vec![417])]);
    assert_eq!(events[0].rule, HID_41);
}

#[test]
fn hid_46_a_picket_placed_in_a_later_round_is_not_declared_as_well() {
    // The dummy 205 meets 417, which is thus known to be real; the regiment 206 meets the regiment 802 and is placed. Its marker
    // is 1.7 inches of trees from 417, too far for a 1; its stands, 0.575 inch from that point, touch it.
    let mut battle = battle_on(wood(0, 0, 30_000, 60_000), []);
    dummy(&mut battle, BLUE, UNION, (10_000, 20_000));
    let grey = infantry("grey", CONFEDERATE).at(10_000, 5_000);
    hide(&mut battle, GREY, Some(grey), (10_000, 20_900), CONFEDERATE);
    under(&mut battle, PicketNumber(206), UNION, "blue", (11_200, 22_100));
    under(&mut battle, OTHER, CONFEDERATE, "other", (11_200, 22_900));
    let dice = ScriptedDice::new()
        .with(Purpose::VisibilityPair, &["#205", "#417"], &[1])
        .with(Purpose::VisibilityPair, &["#206", "#417"], &[1])
        .with(Purpose::VisibilityPair, &["#205", "#802"], &[1])
        .with(Purpose::VisibilityPair, &["#206", "#802"], &[1]);
    let (battle, events) = looked(battle, &dice);
    assert!(is_placed(&battle, "grey"));
    assert_eq!(changed(&events), [(vec![206, 417, 802], vec![205], vec![])]);
}

#[test]
fn hid_40_both_sides_are_tested_at_once_and_nobody_calls() {
    let open = [infantry("blue", UNION).at(30_000, 20_000), infantry("grey", CONFEDERATE).at(30_000, 40_000)];
    let mut battle = battle_on(open_ground(), open);
    dummy(&mut battle, BLUE, UNION, (20_000, 20_000));
    dummy(&mut battle, GREY, CONFEDERATE, (20_000, 40_000));
    let (_, events) = looked(battle, &ScriptedDice::new());
    assert_eq!(changed(&events), [(vec![], vec![205, 417], vec![])]);
}

#[test]
fn hid_31_and_hid_41_are_named_where_one_alone_is_the_cause() {
    let mut battle = battle_on(open_ground(), [infantry("blue", UNION).at(30_000, 20_000)]);
    dummy(&mut battle, GREY, CONFEDERATE, (20_000, 40_000));
    let (_, events) = looked(battle, &ScriptedDice::new());
    assert_eq!(events[0].rule, HID_31);
}

#[test]
fn hid_38_phase_4_begins_with_a_test() {
    let mut battle = battle_on(open_ground(), [infantry("blue", UNION).at(30_000, 50_000)]);
    dummy(&mut battle, GREY, CONFEDERATE, (30_000, 10_000));
    let envelopes = crate::stage::Envelopes::new();
    let outcome =
        crate::stage::resolve(Ruleset::standard(), Stage::Reactions, battle, &envelopes, &ScriptedDice::new());
    let told = outcome.events.iter().find(|event| matches!(event.fact, Fact::PicketsChanged { .. }));
    assert_eq!(told.map(|event| event.phase), Some(4));
}

/// A regiment that marches six inches east along y = 10, past the end of a strip of trees behind which a picket stands.
///
/// It faces east, its northern stand's centre at y = 11.3125 and 0.3125 behind its anchor. The strip lies from y = 18 to 26, west
/// of x = 30; the marker at (30.5, 40). A line from (x, 11.3125) has an inch of the strip before it where it passes the corner
/// (30, 18.99): x = 29.82, the anchor at 30.13. From 26.0 that is 4.13 inches of six, in segment 83 of 120.
fn past_the_trees(hides: Option<Maker>) -> Battle {
    let blue = infantry("blue", UNION).at(26_000, 10_000).facing(9_000).with(|unit| unit.marks.fires = 1);
    let mut battle = battle_on(wood(0, 18_000, 30_000, 26_000), [blue]);
    hide(&mut battle, GREY, hides, (30_500, 40_000), CONFEDERATE);
    let march = MoveOrder { path: vec![Point::new(32_000, 10_000)], ..MoveOrder::default() };
    give(&mut battle, "blue", Order::Move(march), Instructions::default());
    battle
}

pub(super) fn phase_7(battle: Battle, dice: &dyn crate::dice::Dice) -> (Battle, Vec<Event>) {
    let mut play = Play::new(Ruleset::standard(), dice, battle, Stage::Movement);
    play.phase = 7;
    crate::movement::play(&mut play);
    (play.battle, play.events)
}

#[test]
fn hid_38_in_phase_7_every_segment_is_tested() {
    let (battle, events) = phase_7(past_the_trees(None), &ScriptedDice::new());
    assert_eq!(gone(&battle), [(GREY, PicketEnd::Dummy)]);
    let told = events.iter().find(|event| matches!(event.fact, Fact::PicketsChanged { .. }));
    let segment = told.and_then(|event| event.segment).expect("in a segment");
    assert!((82..=84).contains(&segment), "{segment}");
    assert_eq!(unit(&battle, "blue").footing.anchor, Point::new(32_000, 10_000));
}

#[test]
fn hid_50_hid_24_who_is_revealed_on_the_march_goes_on_at_the_pace_of_its_picket() {
    let grey = infantry("grey", CONFEDERATE).at(30_500, 40_000).with(|unit| unit.marks.fires = 1);
    let mut battle = past_the_trees(Some(grey));
    let march = MoveOrder { path: vec![Point::new(30_500, 46_000)], ..MoveOrder::default() };
    tell_picket(&mut battle, GREY, Order::Move(march), Instructions::default());
    let (battle, events) = phase_7(battle, &ScriptedDice::new());
    let told = events.iter().find(|event| matches!(event.fact, Fact::PicketsChanged { .. }));
    assert!(told.is_some_and(|event| event.segment.is_some_and(|segment| segment < 120)), "{events:?}");
    // It comes to the end of its line, as its marker would have.
    assert_eq!(unit(&battle, "grey").footing.anchor, Point::new(30_500, 46_000));
    let moved = events.iter().any(|event| matches!(&event.fact, Fact::Moved { unit, .. } if unit.as_str() == "grey"));
    assert!(moved);
}

#[test]
fn hid_50_who_is_revealed_while_it_forms_is_done_when_it_would_have_been() {
    use protocol::orders::FormTask;
    use protocol::words::Formation;
    // A green regiment takes the whole turn from line to column, and is revealed in segment 83.
    let grey = infantry("grey", CONFEDERATE).green().at(30_500, 40_000).with(|unit| unit.marks.fires = 1);
    let mut battle = past_the_trees(Some(grey));
    let task = FormTask::Formation { formation: Formation::DoubleLine, facing: None, pivot: None, gap: None };
    tell_picket(&mut battle, GREY, Order::Form { task }, Instructions::default());
    let (battle, events) = phase_7(battle, &ScriptedDice::new());
    assert_eq!(unit(&battle, "grey").footing.formation, Formation::DoubleLine);
    let done = |event: &&Event| matches!(&event.fact, Fact::Formed { unit, .. } if unit.as_str() == "grey");
    assert!(events.iter().find(done).is_some_and(|event| Some(83) < event.segment), "{events:?}");
}

/// A regiment outside woods, four inches from a marker three inches deep in them.
fn near(hides: Option<Maker>, distance: u32) -> Battle {
    let mut battle = battle_on(wood(0, 21_000, 60_000, 60_000), [infantry("blue", UNION).at(30_000, 20_000)]);
    hide(&mut battle, GREY, hides, (30_000, 24_000), CONFEDERATE);
    let said = Instructions { reveal: Some(Reveal::EnemyWithin { distance }), ..Instructions::default() };
    tell_picket(&mut battle, GREY, Order::Hold { task: None }, said);
    battle
}

#[test]
fn hid_48_a_picket_is_given_up_when_an_enemy_comes_near_and_a_dummy_withdrawn() {
    let grey = || infantry("grey", CONFEDERATE).at(30_000, 24_000);
    let (battle, _) = looked(near(Some(grey()), 4_000), &ScriptedDice::new());
    assert!(is_placed(&battle, "grey"));
    let (battle, _) = looked(near(None, 4_000), &ScriptedDice::new());
    assert_eq!(gone(&battle), [(GREY, PicketEnd::Withdrawn)]);
    let (battle, events) = looked(near(Some(grey()), 3_990), &ScriptedDice::new());
    assert!(!is_placed(&battle, "grey") && events.is_empty());
}

#[test]
fn hid_48_a_picket_is_given_up_at_the_end_of_a_leg() {
    // Three inches east and three north, in 120 segments: the first leg ends with segment 60.
    let path = vec![Point::new(13_000, 10_000), Point::new(13_000, 13_000)];
    let at_leg = |leg: u32, segment: u8, at: (i32, i32)| {
        let mut battle = battle_on(open_ground(), []);
        under(&mut battle, GREY, CONFEDERATE, "grey", (10_000, 10_000));
        let said = Instructions { reveal: Some(Reveal::AtLeg { leg }), ..Instructions::default() };
        let march = MoveOrder { path: path.clone(), ..MoveOrder::default() };
        tell_picket(&mut battle, GREY, Order::Move(march), said);
        let dice = ScriptedDice::new();
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
        play.phase = 7;
        crate::hidden::begin_marches(&mut play);
        let to = Point::new(at.0, at.1);
        play.table_mut().pickets.get_mut(&GREY).expect("it is there").at = to;
        let own = play.battle.secrets.get_mut(CONFEDERATE).open_mut();
        own.pickets.get_mut(&GREY).expect("it is there").units[0].footing.anchor = to;
        play.segment = Some(segment);
        crate::hidden::look(&mut play);
        is_placed(&play.battle, "grey")
    };
    assert!(at_leg(1, 60, (13_000, 10_000)));
    assert!(at_leg(1, 61, (13_000, 10_050)));
    assert!(!at_leg(1, 59, (12_950, 10_000)));
    assert!(!at_leg(2, 61, (13_000, 10_050)));
    assert!(at_leg(2, 120, (13_000, 13_000)));
    // HID-81 It has stopped short of the end of the leg.
    assert!(!at_leg(1, 100, (11_000, 10_000)));
    assert!(!at_leg(3, 120, (13_000, 13_000)));
}
