//! Who touches a hidden unit. HID-39, and what two pickets are to each other. HID-41 to HID-45

use super::*;
use crate::dice::{Purpose, ScriptedDice};

/// Deep in the woods with the worst of all dice nobody sees farther than an inch.
fn blind(pairs: &[[&str; 2]]) -> ScriptedDice {
    pairs.iter().fold(ScriptedDice::new(), |dice, pair| dice.with(Purpose::VisibilityPair, pair, &[1]))
}

#[test]
fn hid_39_within_an_inch_of_the_point_a_real_picket_is_placed_and_a_dummy_removed() {
    // Heavy woods: the centre of the nearest stand is 1.3 inches off, 2.6 of depth. The front edge is an inch off.
    let heavy = || woods(&[(0, 0, 60_000, 60_000)], Wooded::Heavy);
    for (y, touches) in [(21_000, true), (21_010, false)] {
        for real in [true, false] {
            let mut battle = battle_on(heavy(), [infantry("blue", UNION).at(30_000, 20_000)]);
            if real {
                under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, y));
                // It faces the same way, so its stands lie behind the point, nearer: put them before it.
                let under = battle.secrets.get_mut(CONFEDERATE).open_mut().pickets.get_mut(&GREY);
                under.into_iter().flat_map(|under| &mut under.units).for_each(|unit| {
                    unit.footing.facing = protocol::place::Bearing::wrapping(18_000);
                });
            } else {
                dummy(&mut battle, GREY, CONFEDERATE, (30_000, y));
            }
            let (battle, _) = looked(battle, &blind(&[["#417", "blue"]]));
            assert_eq!(battle.table.pickets.is_empty(), touches, "at {y}, real: {real}");
        }
    }
}

#[test]
fn hid_39_a_routed_unit_touches_and_true_stands_are_touched() {
    use protocol::event::Morale;
    let mut battle = battle_on(open_ground(), [infantry("blue", UNION).at(30_000, 20_000).morale(Morale::Routed)]);
    // The marker is far off; the true stands are not.
    let grey = infantry("grey", CONFEDERATE).at(30_000, 21_500);
    hide(&mut battle, GREY, Some(grey), (10_000, 21_000), CONFEDERATE);
    let (battle, _) = looked(battle, &ScriptedDice::new());
    assert!(is_placed(&battle, "grey"));
}

#[test]
fn hid_39_leak_83_a_dummy_neither_touches_nor_is_touched_by_true_stands_away_from_the_marker() {
    let beside = |real: bool| {
        let mut battle = battle_on(all_woods(), []);
        let grey = infantry("grey", CONFEDERATE).at(40_000, 20_000);
        hide(&mut battle, GREY, Some(grey), (20_000, 20_000), CONFEDERATE);
        let at = (40_000, 20_500);
        if real {
            under(&mut battle, BLUE, UNION, "blue", at);
        } else {
            dummy(&mut battle, BLUE, UNION, at);
        }
        let (battle, events) = looked(battle, &ScriptedDice::new());
        assert_eq!(events.is_empty(), !real);
        battle.table.pickets.is_empty()
    };
    // HID-41 Two real ones touch with their true stands.
    assert!(beside(true));
    assert!(!beside(false));
}

/// Two pickets in plain sight of each other.
fn meet(union_is_real: bool, confederate_is_real: bool) -> (Battle, Vec<Event>) {
    let mut battle = battle_on(open_ground(), []);
    match union_is_real {
        true => under(&mut battle, BLUE, UNION, "blue", (30_000, 20_000)),
        false => dummy(&mut battle, BLUE, UNION, (30_000, 20_000)),
    }
    match confederate_is_real {
        true => under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 40_000)),
        false => dummy(&mut battle, GREY, CONFEDERATE, (30_000, 40_000)),
    }
    looked(battle, &ScriptedDice::new())
}

#[test]
fn hid_42_two_dummies_in_mutual_sight_are_both_removed() {
    let (battle, events) = meet(false, false);
    assert_eq!(gone(&battle), [(BLUE, PicketEnd::Dummy), (GREY, PicketEnd::Dummy)]);
    assert_eq!(changed(&events), [(vec![], vec![205, 417], vec![])]);
}

#[test]
fn hid_43_two_real_pickets_in_mutual_sight_are_both_placed() {
    let (battle, events) = meet(true, true);
    assert!(is_placed(&battle, "blue") && is_placed(&battle, "grey"));
    assert_eq!(changed(&events), [(vec![205, 417], vec![], vec![])]);
}

#[test]
fn hid_44_of_a_dummy_and_a_real_picket_the_dummy_goes_and_the_other_is_known_to_be_real() {
    let (battle, events) = meet(false, true);
    assert!(!is_placed(&battle, "grey"));
    assert_eq!(gone(&battle), [(BLUE, PicketEnd::Dummy)]);
    assert_eq!(battle.table.pickets[&GREY].confirmed, Some(1));
    assert_eq!(changed(&events), [(vec![], vec![205], vec![417])]);
    // Once known it is not declared again.
    let mut again = battle;
    dummy(&mut again, PicketNumber(206), UNION, (30_000, 20_000));
    again.table.turn = 2;
    let (again, events) = looked(again, &ScriptedDice::new());
    assert_eq!(again.table.pickets[&GREY].confirmed, Some(1));
    assert_eq!(changed(&events), [(vec![], vec![206], vec![])]);
}

#[test]
fn hid_41_through_trees_both_must_see_with_the_pairs_one_die() {
    let met = |face: u8| {
        let mut battle = battle_on(all_woods(), []);
        dummy(&mut battle, BLUE, UNION, (30_000, 20_000));
        dummy(&mut battle, GREY, CONFEDERATE, (30_000, 23_000));
        let dice = ScriptedDice::new().with(Purpose::VisibilityPair, &["#205", "#417"], &[face]);
        let (battle, events) = looked(battle, &dice);
        dice.finish().expect("one die");
        assert_eq!(rolled(&events), [(205, "picket 417".to_owned())]);
        battle.table.pickets.is_empty()
    };
    assert!(met(3));
    assert!(!met(2));
}

#[test]
fn hid_45_one_way_sight_between_pickets_does_nothing_and_asks_for_no_die() {
    for real in [true, false] {
        let mut battle = battle_on(wood(0, 0, 60_000, 22_000), []);
        match real {
            true => under(&mut battle, BLUE, UNION, "blue", (30_000, 20_000)),
            false => dummy(&mut battle, BLUE, UNION, (30_000, 20_000)),
        }
        dummy(&mut battle, GREY, CONFEDERATE, (30_000, 24_000));
        let dice = ScriptedDice::new();
        let (battle, events) = looked(battle, &dice);
        dice.finish().expect("no die");
        assert!(events.is_empty());
        assert_eq!(battle.table.pickets.len(), 2);
    }
}
