//! What nobody may learn from sights, touches and placings. Each of these fails if the channel of its name is opened.

use protocol::orders::{Instructions, MoveOrder, Order};
use protocol::view::Viewer;
use protocol::words::Formation;

use super::instants::phase_7;
use super::*;
use crate::catalogue::HID_48;
use crate::dice::{Purpose, ScriptedDice};
use crate::field::Field;
use crate::hidden::change::{Changes, change};
use crate::play::Audience;
use crate::testing::{battery, cavalry, give, ix, leader};

/// All that a marker may hide, the same point and facing for each.
fn contents() -> Vec<Option<Maker>> {
    vec![
        None,
        Some(infantry("grey", CONFEDERATE)),
        Some(infantry("grey", CONFEDERATE).green().formation(Formation::MarchColumn)),
        Some(cavalry("grey", CONFEDERATE)),
        Some(battery("grey", CONFEDERATE)),
    ]
}

fn hides(battle: &mut Battle, contents: Option<Maker>, at: (i32, i32)) {
    // The name that holds the regiment's place is on the list in every twin.
    under(battle, PicketNumber(999), CONFEDERATE, "grey", (1_000, 1_000));
    battle.table.pickets.remove(&PicketNumber(999));
    battle.secrets.get_mut(CONFEDERATE).open_mut().pickets.remove(&PicketNumber(999));
    hide(battle, GREY, contents.map(|maker| maker.at(at.0, at.1)), at, CONFEDERATE);
}

#[test]
fn leak_07_leak_44_all_changes_of_an_instant_are_one_fact_by_number() {
    let mut battle = battle_on(open_ground(), [infantry("blue", UNION).at(30_000, 50_000)]);
    // Neither the order of setting up nor that of names is that of numbers.
    under(&mut battle, PicketNumber(901), CONFEDERATE, "a", (10_000, 20_000));
    dummy(&mut battle, PicketNumber(902), CONFEDERATE, (14_000, 20_000));
    under(&mut battle, PicketNumber(101), CONFEDERATE, "b", (20_000, 20_000));
    dummy(&mut battle, PicketNumber(102), CONFEDERATE, (24_000, 20_000));
    let (_, events) = looked(battle, &ScriptedDice::new());
    assert_eq!(changed(&events), [(vec![101, 901], vec![102, 902], vec![])]);
    assert_eq!(events.len(), 1);
}

#[test]
fn leak_10_a_test_that_finds_nothing_tells_nothing() {
    for contents in contents() {
        let mut battle = battle_on(wood(0, 0, 60_000, 30_000), [infantry("blue", UNION).at(30_000, 40_000)]);
        hides(&mut battle, contents, (30_000, 20_000));
        let before = battle.clone();
        let (after, events) = looked(battle, &ScriptedDice::new());
        assert!(events.is_empty());
        assert_eq!(after, before);
    }
}

#[test]
fn leak_36_nearness_limits_know_nothing_of_hidden_units() {
    // Skirmishers keep two inches from enemies that they see; these are 1.6 inches from the end of the way, unseen on a die of 1.
    let march = |hidden: bool| {
        let blue = infantry("blue", UNION).at(30_000, 20_000).formation(Formation::SkirmishLine);
        let ground = woods(&[(0, 0, 60_000, 60_000)], Wooded::Heavy);
        let mut battle = battle_on(ground, [blue.with(|unit| unit.marks.fires = 1)]);
        if hidden {
            under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 23_225));
        }
        let march = MoveOrder { path: vec![Point::new(30_000, 21_000)], ..MoveOrder::default() };
        give(&mut battle, "blue", Order::Move(march), Instructions::default());
        let dice = ScriptedDice::new().with(Purpose::VisibilityPair, &["#417", "blue"], &[1]);
        let (battle, _) = phase_7(battle, &dice);
        assert!(!hidden || !is_placed(&battle, "grey"));
        unit(&battle, "blue").footing.anchor
    };
    assert_eq!(march(true), march(false));
    assert_eq!(march(false), Point::new(30_000, 21_000));
}

#[test]
fn leak_39_the_same_pairs_throw_the_same_dice_whatever_a_marker_hides() {
    let told = |contents: Option<Maker>| {
        let mut battle = battle_on(all_woods(), [infantry("blue", UNION).at(30_000, 20_000)]);
        dummy(&mut battle, BLUE, UNION, (34_000, 20_000));
        hides(&mut battle, contents, (30_000, 25_000));
        let dice = ScriptedDice::new().with(Purpose::VisibilityPair, &["#417", "blue"], &[1]).with(
            Purpose::VisibilityPair,
            &["#205", "#417"],
            &[1],
        );
        let (_, events) = looked(battle, &dice);
        events
    };
    let first = told(None);
    // 6.4 inches from marker to marker is too far for any die.
    assert_eq!(rolled(&first), [(417, "blue".to_owned())]);
    for contents in contents() {
        assert_eq!(told(contents), first);
    }
}

#[test]
fn leak_40_a_hidden_unit_that_looks_out_enters_no_die() {
    // Three inches deep in the woods it needs a die to see the regiment outside, which could not see it on any.
    for contents in contents() {
        let mut battle = battle_on(wood(0, 0, 60_000, 23_000), [infantry("blue", UNION).at(30_000, 30_000)]);
        hides(&mut battle, contents, (30_000, 20_000));
        let dice = ScriptedDice::new().with(Purpose::VisibilityPair, &["#417", "blue"], &[6]);
        let known = crate::battle::known(&battle, CONFEDERATE).behind();
        let field = Field::new(Ruleset::standard(), &known.table, &dice);
        if known.table[ix(&known.table, "grey")].on_table() {
            assert!(field.sees(ix(&known.table, "grey"), ix(&known.table, "blue")));
        }
        let (battle, events) = looked(battle, &dice);
        assert!(events.is_empty() && battle.table.sightings.is_empty());
    }
}

#[test]
fn leak_41_nobody_asks_for_a_check() {
    // The same two markers, whichever side has which: one instant, one fact, and no word of who found whom.
    for (one, other) in [(UNION, CONFEDERATE), (CONFEDERATE, UNION)] {
        let mut battle = battle_on(open_ground(), []);
        dummy(&mut battle, GREY, one, (30_000, 20_000));
        dummy(&mut battle, OTHER, other, (30_000, 40_000));
        let (_, events) = looked(battle, &ScriptedDice::new());
        assert_eq!(changed(&events), [(vec![], vec![417, 802], vec![])]);
        assert_eq!(events[0].explanation.sentence, "picket 417 is taken off; picket 802 is taken off.");
    }
}

#[test]
fn leak_42_both_declarations_are_told_to_everybody_at_once() {
    let mut battle = battle_on(open_ground(), []);
    under(&mut battle, BLUE, UNION, "blue", (30_000, 20_000));
    dummy(&mut battle, GREY, CONFEDERATE, (30_000, 40_000));
    let (_, events) = looked(battle, &ScriptedDice::new());
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].audience, changed(&events)), (Audience::All, vec![(vec![], vec![417], vec![205])]));
}

#[test]
fn leak_43_a_picket_that_is_declared_real_says_nothing_else() {
    let declared = |contents: Maker| {
        let mut battle = battle_on(open_ground(), []);
        dummy(&mut battle, BLUE, UNION, (30_000, 20_000));
        hides(&mut battle, Some(contents), (30_000, 40_000));
        let (battle, events) = looked(battle, &ScriptedDice::new());
        let view = crate::view::view(Ruleset::standard(), &battle, Stage::Reactions, &Viewer::Side { side: UNION });
        (events, serde_json::to_string(&view).expect("a view is JSON"))
    };
    let first = declared(infantry("grey", CONFEDERATE));
    assert_eq!(changed(&first.0), [(vec![], vec![205], vec![417])]);
    for contents in contents().into_iter().flatten() {
        assert_eq!(declared(contents), first);
    }
}

#[test]
fn leak_53_an_officer_has_not_been_near_an_enemy_who_stayed_hidden() {
    let danger = |hidden: bool| {
        let mut battle = battle_on(all_woods(), [infantry("blue", UNION).at(30_000, 20_000)]);
        let officer = leader("l", UNION, 30_000, 19_000);
        let id = officer.id.clone();
        battle.table.leaders.insert(id.clone(), officer);
        if hidden {
            under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 25_000));
        }
        let dice = ScriptedDice::new().with(Purpose::VisibilityPair, &["#417", "blue"], &[1]);
        let (battle, _) = phase_7(battle, &dice);
        assert!(!hidden || !is_placed(&battle, "grey"));
        battle.table.leaders[&id].marks.closest_enemy
    };
    assert_eq!((danger(true), danger(false)), (None, None));
}

#[test]
fn leak_74_what_befell_it_under_its_picket_is_not_told_when_it_is_revealed() {
    let revealed = |past: bool| {
        let mut battle = battle_on(open_ground(), []);
        let grey = infantry("grey", CONFEDERATE).at(30_000, 20_000).with(|unit| {
            if past {
                unit.carried.checks = 4;
                unit.carried.checks_passed = 4;
                unit.carried.fires = 3;
                unit.carried.held_turns = 2;
                unit.first_casualty_taken = true;
            }
        });
        hide(&mut battle, GREY, Some(grey), (30_000, 20_000), CONFEDERATE);
        let dice = ScriptedDice::new();
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Reactions);
        play.phase = 4;
        change(&mut play, &Changes { placed: [GREY].into(), ..Changes::default() }, HID_48);
        let viewer = Viewer::Side { side: UNION };
        let view = crate::view::view(Ruleset::standard(), &play.battle, Stage::Reactions, &viewer);
        (play.events, serde_json::to_string(&view).expect("a view is JSON"))
    };
    assert_eq!(revealed(true), revealed(false));
}
