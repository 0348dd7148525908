//! Who sees a marker.
//!
//! A regiment's four stands are 0.875 inch wide and 0.625 deep: with its anchor at (30, y) the centre of the third lies at
//! (30.4375, y - 0.3125). Markers stand straight before that one, so that the woods between are what the numbers say.

use protocol::event::Morale;
use protocol::words::Formation;

use super::*;
use crate::dice::{Purpose, ScriptedDice};
use crate::field::Field;
use crate::testing::{battery, cavalry, ix, leader};

/// East of a regiment's middle: the centre of its third stand.
const BEFORE_THIRD: i32 = 30_438;

fn seen_by(ground: Ground, observer: Maker, marker: (i32, i32), dice: &ScriptedDice) -> bool {
    let mut battle = battle_on(ground, [observer]);
    under(&mut battle, GREY, CONFEDERATE, "grey", marker);
    let (battle, _) = looked(battle, dice);
    dice.finish().expect("all dice given are asked for, and no other");
    is_placed(&battle, "grey")
}

fn die(face: u8) -> ScriptedDice {
    ScriptedDice::new().with(Purpose::VisibilityPair, &["#417", "blue"], &[face])
}

#[test]
fn hid_31_a_picket_in_sight_of_a_unit_is_replaced_and_a_dummy_removed() {
    let mut battle = battle_on(open_ground(), [infantry("blue", UNION).at(30_000, 50_000)]);
    under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 10_000));
    dummy(&mut battle, OTHER, CONFEDERATE, (20_000, 10_000));
    let (battle, events) = looked(battle, &ScriptedDice::new());
    assert!(is_placed(&battle, "grey"));
    assert_eq!(gone(&battle), [(GREY, PicketEnd::Placed), (OTHER, PicketEnd::Dummy)]);
    assert_eq!(changed(&events), [(vec![417], vec![802], vec![])]);
    assert_eq!(unit(&battle, "grey").footing.anchor, Point::new(30_000, 10_000));
}

#[test]
fn hid_31_one_way_sight_is_enough() {
    // The regiment is three inches deep in the woods: the hidden unit outside could not see it on any die.
    let marker = (BEFORE_THIRD, 23_000);
    assert!(seen_by(wood(0, 0, 60_000, 22_688), infantry("blue", UNION).at(30_000, 20_000), marker, &die(3)));
}

#[test]
fn hid_32_good_and_shaken_units_of_every_arm_see_and_routed_ones_and_leaders_do_not() {
    let marker = (30_000, 40_000);
    let sees = |observer: Maker| seen_by(open_ground(), observer, marker, &ScriptedDice::new());
    assert!(sees(infantry("blue", UNION).at(30_000, 20_000)));
    assert!(sees(infantry("blue", UNION).at(30_000, 20_000).morale(Morale::Shaken)));
    // All round: it faces away.
    assert!(sees(infantry("blue", UNION).at(30_000, 20_000).facing(18_000)));
    assert!(sees(infantry("blue", UNION).at(30_000, 20_000).formation(Formation::MarchColumn).disordered()));
    assert!(sees(cavalry("blue", UNION).at(30_000, 20_000)));
    assert!(sees(battery("blue", UNION).at(30_000, 20_000)));
    assert!(!sees(infantry("blue", UNION).at(30_000, 20_000).morale(Morale::Routed)));
    let left = |unit: &mut Unit| unit.guns.iter_mut().for_each(|guns| guns.unmanned = true);
    assert!(!sees(battery("blue", UNION).at(30_000, 20_000).with(left)));
    let mut battle = battle_on(open_ground(), []);
    let officer = leader("l", UNION, 30_000, 20_000);
    battle.table.leaders.insert(officer.id.clone(), officer);
    under(&mut battle, GREY, CONFEDERATE, "grey", marker);
    assert!(!is_placed(&looked(battle, &ScriptedDice::new()).0, "grey"));
}

#[test]
fn hid_33_leak_38_only_the_marker_point_is_tested() {
    // The regiment stands in the open, in plain sight; its marker is ten inches deep in the woods.
    let mut battle = battle_on(wood(0, 0, 20_000, 60_000), [infantry("blue", UNION).at(30_000, 50_000)]);
    let grey = infantry("grey", CONFEDERATE).at(40_000, 20_000);
    hide(&mut battle, GREY, Some(grey), (10_000, 20_000), CONFEDERATE);
    let (battle, events) = looked(battle, &ScriptedDice::new());
    assert!(!is_placed(&battle, "grey"));
    assert!(events.is_empty());
}

#[test]
fn hid_34_clear_sight_has_no_limit_of_distance() {
    assert!(seen_by(open_ground(), infantry("blue", UNION).at(30_000, 59_000), (30_000, 1_000), &ScriptedDice::new()));
}

#[test]
fn hid_35_from_outside_the_edge_of_the_woods_is_seen_and_no_deeper() {
    // The woods begin at y = 22. No die is thrown, in them or beyond them.
    let seen = |ground: Ground, y: i32| {
        seen_by(ground, infantry("blue", UNION).at(30_000, 20_000), (BEFORE_THIRD, y), &ScriptedDice::new())
    };
    assert!(seen(wood(0, 22_000, 60_000, 60_000), 23_000));
    assert!(!seen(wood(0, 22_000, 60_000, 60_000), 23_010));
    assert!(seen(wood(0, 22_000, 60_000, 23_000), 25_000));
    assert!(!seen(wood(0, 22_000, 60_000, 23_100), 25_000));
}

#[test]
fn hid_36_from_inside_the_die_reaches_so_many_inches_of_light_woods_and_half_as_many_of_heavy() {
    // From the centre of the third stand at y = 19.6875 to the marker: three inches of trees.
    let blue = || infantry("blue", UNION).at(30_000, 20_000);
    let marker = (BEFORE_THIRD, 22_688);
    assert!(seen_by(all_woods(), blue(), marker, &die(3)));
    assert!(!seen_by(all_woods(), blue(), marker, &die(2)));
    let heavy = || woods(&[(0, 0, 60_000, 60_000)], Wooded::Heavy);
    assert!(seen_by(heavy(), blue(), marker, &die(6)));
    assert!(!seen_by(heavy(), blue(), marker, &die(5)));
    // An inch needs no die, and through more than six none helps.
    assert!(seen_by(all_woods(), blue(), (BEFORE_THIRD, 20_688), &ScriptedDice::new()));
    assert!(!seen_by(all_woods(), blue(), (BEFORE_THIRD, 25_700), &ScriptedDice::new()));
}

#[test]
fn hid_37_a_pairs_die_is_entered_once_a_turn_and_for_a_dummy_as_for_a_regiment() {
    for real in [true, false] {
        let mut battle = battle_on(all_woods(), [infantry("blue", UNION).at(30_000, 20_000)]);
        let at = (BEFORE_THIRD, 22_688);
        if real {
            under(&mut battle, GREY, CONFEDERATE, "grey", at);
        } else {
            dummy(&mut battle, GREY, CONFEDERATE, at);
        }
        let (battle, events) = looked(battle, &die(2));
        assert_eq!(rolled(&events), [(417, "blue".to_owned())], "real: {real}");
        let dice = &events[0].explanation.dice[0];
        assert_eq!(
            (dice.key.as_slice(), dice.faces.as_slice()),
            (&["#417".to_owned(), "blue".to_owned()][..], &[2][..])
        );
        assert!(changed(&events).is_empty());
        // Nearer, in the same turn: the same die, not entered again. 1.9 inches: it is seen.
        let mut nearer = battle;
        let to = Point::new(at.0, 21_588);
        nearer.table.pickets.get_mut(&GREY).expect("it is there").at = to;
        if let Some(under) = nearer.secrets.get_mut(CONFEDERATE).open_mut().pickets.get_mut(&GREY) {
            under.units.iter_mut().for_each(|unit| unit.footing.anchor = to);
        }
        let (battle, events) = looked(nearer, &die(2));
        assert!(rolled(&events).is_empty());
        assert_eq!(is_placed_or_gone(&battle), real);
        assert!(battle.table.pickets.is_empty());
    }
}

fn is_placed_or_gone(battle: &Battle) -> bool {
    gone(battle) == [(GREY, PicketEnd::Placed)]
}

#[test]
fn hid_37_a_unit_keeps_the_dice_of_its_picket_until_the_turn_ends() {
    let revealed = |turn: u32, key: [&str; 2]| {
        let grey = infantry("grey", CONFEDERATE).at(BEFORE_THIRD, 22_688).with(|unit| unit.picket = Some((GREY, 1)));
        let mut battle = battle_on(all_woods(), [infantry("blue", UNION).at(30_000, 20_000), grey]);
        battle.table.turn = turn;
        let dice = ScriptedDice::new().with(Purpose::VisibilityPair, &key, &[6]);
        let field = Field::new(Ruleset::standard(), &battle.table, &dice);
        assert!(field.sees(ix(&battle.table, "blue"), ix(&battle.table, "grey")));
        dice.finish().expect("it is the pair's die");
    };
    revealed(1, ["#417", "blue"]);
    revealed(2, ["blue", "grey"]);
}

#[test]
fn hid_37_under_seal_a_hidden_unit_uses_the_same_die() {
    let mut battle = battle_on(all_woods(), [infantry("blue", UNION).at(30_000, 20_000)]);
    under(&mut battle, GREY, CONFEDERATE, "grey", (BEFORE_THIRD, 22_688));
    let known = crate::battle::known(&battle, CONFEDERATE).behind();
    let dice = die(6);
    let field = Field::new(Ruleset::standard(), &known.table, &dice);
    assert!(field.sees(ix(&known.table, "grey"), ix(&known.table, "blue")));
    dice.finish().expect("it is the pair's die");
}

#[test]
fn hid_05_when_the_setup_opens_no_die_is_used() {
    let setup = |ground: Ground| {
        let mut battle = battle_on(ground, [infantry("blue", UNION).at(30_000, 20_000)]);
        under(&mut battle, GREY, CONFEDERATE, "grey", (BEFORE_THIRD, 21_500));
        let dice = ScriptedDice::new();
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Orders);
        crate::hidden::look::look_at_setup(&mut play);
        dice.finish().expect("no die is asked for");
        is_placed(&play.battle, "grey")
    };
    assert!(setup(open_ground()));
    assert!(!setup(all_woods()));
}
