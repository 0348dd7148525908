//! Marches, fall-backs and runs that come upon hidden troops. HID-39, HID-55

use protocol::orders::{Instructions, MoveOrder, Order};
use protocol::place::Bearing;

use super::instants::phase_7;
use super::*;
use crate::dice::{Purpose, ScriptedDice};
use crate::field::Field;
use crate::geometry::Rect;
use crate::hidden::flee;
use crate::morale::flight::{self, Mover};
use crate::morale::reference::Reference;
use crate::testing::{give, ix};

/// A regiment in heavy woods whose front is at y = 20 and that marches north; an enemy, in its way or hidden there, faces it with
/// its front at y = 20.6 + 1: on a die of 1 it is not seen.
fn marches(open: bool, hidden: Option<Option<Maker>>) -> (Battle, Vec<Event>) {
    let fired = |maker: Maker| maker.with(|unit| unit.marks.fires = 1);
    let grey = || fired(infantry("grey", CONFEDERATE).at(30_000, 21_600).facing(18_000));
    let mut units = vec![fired(infantry("blue", UNION).at(30_000, 20_000))];
    units.extend(open.then(grey));
    let mut battle = battle_on(woods(&[(0, 0, 60_000, 60_000)], Wooded::Heavy), units);
    if let Some(hides) = hidden {
        hide(&mut battle, GREY, hides.map(|_| grey()), (30_000, 21_600), CONFEDERATE);
    }
    let march = MoveOrder { path: vec![Point::new(30_000, 22_000)], ..MoveOrder::default() };
    give(&mut battle, "blue", Order::Move(march), Instructions::default());
    let dice = ScriptedDice::new().with(Purpose::VisibilityPair, &["#417", "blue"], &[1]).with(
        Purpose::VisibilityPair,
        &["blue", "grey"],
        &[1],
    );
    phase_7(battle, &dice)
}

#[test]
fn hid_55_leak_82_a_march_halts_before_hidden_troops_where_it_halts_before_open_ones() {
    let (open, _) = marches(true, None);
    let (hidden, events) = marches(false, Some(Some(infantry("grey", CONFEDERATE))));
    let end = unit(&open, "blue").footing.anchor;
    assert!(end.y < 20_605 && 20_550 < end.y, "an inch before y = 21.6: {end:?}");
    assert_eq!(unit(&hidden, "blue").footing.anchor, end);
    // It stands before troops that it can see.
    assert!(is_placed(&hidden, "grey"));
    let told = events.iter().position(|event| matches!(event.fact, Fact::PicketsChanged { .. }));
    let halted = events.iter().position(|event| matches!(&event.fact, Fact::Moved { halted: Some(_), .. }));
    assert!(told.is_some() && told < halted, "{events:?}");
}

#[test]
fn hid_39_a_dummy_is_removed_and_halts_nobody() {
    let free = unit(&marches(false, None).0, "blue").footing.anchor;
    let (battle, _) = marches(false, Some(None));
    assert_eq!(gone(&battle), [(GREY, PicketEnd::Dummy)]);
    assert_eq!(unit(&battle, "blue").footing.anchor, free);
}

#[test]
fn leak_35_leak_45_hidden_troops_that_are_not_touched_change_nothing_of_a_march() {
    let free = marches(false, None);
    // A twin with a hidden enemy an inch and more beside its way; on a die of 1 it is not seen.
    let fired = |maker: Maker| maker.with(|unit| unit.marks.fires = 1);
    let ground = woods(&[(0, 0, 60_000, 60_000)], Wooded::Heavy);
    let mut battle = battle_on(ground, [fired(infantry("blue", UNION).at(30_000, 20_000))]);
    under(&mut battle, GREY, CONFEDERATE, "grey", (35_000, 20_500));
    let march = MoveOrder { path: vec![Point::new(30_000, 22_000)], ..MoveOrder::default() };
    give(&mut battle, "blue", Order::Move(march), Instructions::default());
    let dice = ScriptedDice::new().with(Purpose::VisibilityPair, &["#417", "blue"], &[1]);
    let (beside, events) = phase_7(battle, &dice);
    assert!(!is_placed(&beside, "grey"));
    let of_others = |events: &[Event]| -> Vec<Fact> {
        let facts = events.iter().map(|event| event.fact.clone());
        facts.filter(|fact| !matches!(fact, Fact::SightingRolled { .. })).collect()
    };
    assert_eq!(of_others(&events), of_others(&free.1));
}

#[test]
fn hid_55_a_fall_back_ends_an_inch_before_hidden_troops_and_they_are_placed() {
    // The marker stands deep in woods, out of sight; the true stands lie in the open, their front at y = 26. The regiment's rear
    // is at 29.375: 2.375 inches to go to an inch off, and at most the tolerance more.
    let mut battle = battle_on(wood(0, 0, 12_000, 40_000), [infantry("blue", UNION).at(30_000, 30_000)]);
    hide(&mut battle, GREY, Some(infantry("grey", CONFEDERATE).at(30_000, 26_000)), (2_000, 20_000), CONFEDERATE);
    let fell_back = |phase: u8| {
        let dice = ScriptedDice::new();
        let mut play = Play::new(Ruleset::standard(), &dice, battle.clone(), Stage::Movement);
        play.phase = phase;
        let before = play.table().clone();
        let field = Field::new(play.rules, &before, play.dice);
        let blue = ix(&before, "blue");
        let from: Vec<Rect> = field.stands(blue);
        let mover = Mover {
            unit: blue,
            body: before[blue].clone(),
            tail: Vec::new(),
            from,
            bearing: Bearing::wrapping(18_000),
            distance: 6_000,
            reference: Reference { enemy: None, away: Bearing::wrapping(18_000) },
            dice: Vec::new(),
            runs: false,
            foes: Vec::new(),
        };
        let placed = flee(&mut play, &field, &[mover], |field, movers| flight::place(field, &dice, phase, movers));
        (placed[0].travel, is_placed(&play.battle, "grey"))
    };
    let (travel, is_placed) = fell_back(7);
    assert!((2_375..=2_377).contains(&travel), "{travel}");
    assert!(is_placed);
    // HID-39 is not for phase 2: what it has run upon is found at the next test.
    assert_eq!(fell_back(2), (6_000, false));
}

/// Every die shows a 3: a veteran runs.
struct Threes;

impl Dice for Threes {
    fn die(&self, _: u8, _: Purpose, _: &[&str], _: u32) -> u8 {
        3
    }
}

#[test]
fn hid_55_and_rout_11_who_runs_into_contact_with_hidden_troops_surrenders_to_them() {
    // Its rear is at 29.375, where the front of hidden troops touches it; their marker stands deep in woods.
    let ran = |y: i32, quality: crate::testing::Maker| {
        // It runs from the one whom it sees in the north.
        let far = infantry("far", CONFEDERATE).at(30_000, 45_000).facing(18_000);
        let mut battle = battle_on(wood(0, 0, 12_000, 40_000), [infantry("blue", UNION).at(30_000, 30_000), far]);
        hide(&mut battle, GREY, Some(quality.at(30_000, y)), (2_000, 20_000), CONFEDERATE);
        let mut play = Play::new(Ruleset::standard(), &Threes, battle, Stage::Movement);
        play.phase = 8;
        let blue = ix(play.table(), "blue");
        crate::morale::rout_at_once(&mut play, &[blue], Vec::new());
        (play.table()[blue].presence, is_placed(&play.battle, "grey"))
    };
    let grey = || infantry("grey", CONFEDERATE);
    assert_eq!(ran(29_375, grey()), (Presence::Removed, true));
    // An inch off it stops short of them, as of open troops.
    assert_eq!(ran(28_300, grey()), (Presence::Table, true));
    // ROUT-11 Guns take nobody.
    assert_eq!(ran(29_375, crate::testing::battery("grey", CONFEDERATE)), (Presence::Table, true));
}
