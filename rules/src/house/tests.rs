//! The sheet: its words, its numbers, what it does to the tables and to their hash.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::Quality;

use super::*;
use crate::ruleset::{CombatResult, Inches, Ruleset, Strength};

fn sheet(choices: &[(&str, &str)]) -> HouseRules {
    let choices = choices.iter().map(|(id, word)| ((*id).to_owned(), (*word).to_owned())).collect();
    HouseRules::default().with(&choices).expect("the sheet has these choices")
}

fn played(choices: &[(&str, &str)]) -> Ruleset {
    Ruleset::played_by(&sheet(choices)).expect("the numbers make sense")
}

#[test]
fn the_default_is_the_first_choice_of_every_switch_and_changes_nothing() {
    let house = HouseRules::default();
    for switch in SHEET {
        assert_eq!(house.word(switch.id), Some(switch.default_word()), "{}", switch.id);
    }
    assert!(house.differing().is_empty());
    assert_eq!(Ruleset::played_by(&house).expect("they are sound"), *Ruleset::standard());
}

#[test]
fn every_switch_can_be_set_to_every_choice_and_is_told() {
    for switch in SHEET {
        assert!(2 <= switch.choices.len() && !switch.rules.is_empty(), "{}", switch.id);
        assert!(!switch.title().is_empty() && switch.title().ends_with('.'), "{}", switch.id);
        for choice in switch.choices {
            let house = sheet(&[(switch.id, choice.word)]);
            assert_eq!(house.word(switch.id), Some(choice.word));
            assert!(choice.meaning().ends_with('.'), "{} {}", switch.id, choice.word);
            let differs = choice.word != switch.default_word();
            assert_eq!(house.differing().len(), usize::from(differs));
        }
    }
    let ids: BTreeSet<&str> = SHEET.iter().map(|switch| switch.id).collect();
    assert_eq!(ids.len(), SHEET.len());
}

#[test]
fn twenty_rulings_and_more_have_another_reading() {
    assert!(20 <= SHEET.iter().filter(|switch| switch.kind == Kind::Ruling).count());
}

/// Numbers stand in the tables' folder, and nowhere else: every other choice of a number has cells there, and no cell is
/// left over.
#[test]
fn every_choice_of_a_number_changes_cells_of_the_tables() {
    for switch in SHEET.iter().filter(|switch| switch.kind == Kind::Number) {
        for choice in switch.choices.iter().skip(1) {
            let house = sheet(&[(switch.id, choice.word)]);
            assert!(!cells(&house).is_empty(), "{} {}", switch.id, choice.word);
            let changed = Ruleset::played_by(&house).unwrap_or_else(|faults| panic!("{}: {faults:?}", switch.id));
            let mut numbers_alone = changed.clone();
            numbers_alone.house = HouseRules::default();
            numbers_alone.hash = Ruleset::standard().hash.clone();
            assert!(numbers_alone != *Ruleset::standard(), "{} {} changes no number", switch.id, choice.word);
        }
    }
    for (id, choices) in numbers::numbers() {
        let known = switch(id).unwrap_or_else(|| panic!("the sheet has no {id}"));
        for word in choices.as_table().expect("a table of choices").keys() {
            assert!(known.choice(word).is_some_and(|choice| choice.word != known.default_word()), "{id} {word}");
        }
    }
}

#[test]
fn all_other_readings_at_once_still_make_sense() {
    for last in [false, true] {
        let other = |switch: &Switch| {
            let others = &switch.choices[1..];
            let choice = if last { others.last() } else { others.first() }.expect("another choice");
            (switch.id.to_owned(), choice.word.to_owned())
        };
        let choices: BTreeMap<String, String> = SHEET.iter().map(other).collect();
        let house = HouseRules::default().with(&choices).expect("the sheet has them");
        assert_eq!(house.differing().len(), SHEET.len());
        Ruleset::played_by(&house).expect("they make sense together");
    }
}

#[test]
fn the_hash_tells_every_choice_from_every_other() {
    let mut hashes: BTreeSet<String> = [Ruleset::standard().hash.clone()].into();
    let mut made = 1;
    for switch in SHEET {
        for choice in switch.choices.iter().skip(1) {
            let hash = played(&[(switch.id, choice.word)]).hash;
            assert_eq!(hash.len(), 64);
            hashes.insert(hash);
            made += 1;
        }
    }
    assert_eq!(hashes.len(), made);
}

#[test]
fn what_the_sheet_does_not_have_is_refused_with_what_it_has() {
    let mut house = HouseRules::default();
    let told = house.set("no_such", "on").expect_err("there is none").to_string();
    assert_eq!(told, "the house-rules sheet has no `no_such`");
    let told = house.set("fleeing_losses", "up").expect_err("there is none").to_string();
    assert_eq!(told, "`fleeing_losses` knows no `up`, but `by_die` and `down`");
    assert_eq!(house, HouseRules::default());
}

#[test]
fn a_stored_sheet_comes_back_whole() {
    let house = sheet(&[("fleeing_losses", "down"), ("order_limits", "on")]);
    let stored = serde_json::to_string(&house).expect("a sheet is JSON");
    assert!(stored.contains("\"behind_friendlies\":\"minus_4\""), "the defaults of the day are stored too: {stored}");
    assert_eq!(serde_json::from_str::<HouseRules>(&stored).expect("it can be read"), house);
    assert!(serde_json::from_str::<HouseRules>("{\"no_such\":\"on\"}").is_err());
}

/// Book lines 310 and 313: the text says 1, the table 2.
#[test]
fn tac_04_breechloaders_take_two_or_one_off() {
    let of = |rules: &Ruleset| (rules.weapon_trait.breechloader.target_drm, rules.weapon_trait.repeater.target_drm);
    assert_eq!(of(Ruleset::standard()), (-2, -2));
    assert_eq!(of(&played(&[("breechloader_target", "minus_1")])), (-1, -1));
}

/// Lines 573 and 685.
#[test]
fn mor_55_friends_in_front_take_four_or_five_off() {
    assert_eq!(Ruleset::standard().morale_modifier.behind_friendlies, -4);
    assert_eq!(played(&[("behind_friendlies", "minus_5")]).morale_modifier.behind_friendlies, -5);
}

/// Lines 129 and 1106.
#[test]
fn move_08_a_fence_costs_foot_one_inch_or_two() {
    let cost = |rules: &Ruleset| rules.cost.cross_fence_infantry.of(Quality::Green);
    assert_eq!(cost(Ruleset::standard()), crate::ruleset::Price::Inch(Inches(1_000)));
    assert_eq!(cost(&played(&[("fence_cost", "all_2")])), crate::ruleset::Price::Inch(Inches(2_000)));
}

/// Examples 534 and 536 against the sheet from outside: one cell, and its neighbours stay 3 (15) and 4 (17).
#[test]
fn fire_18_twelve_figures_at_sixteen_kill_three_or_four() {
    let cell = |rules: &Ruleset, roll| rules.crt.read(Strength::Figures(12), roll).map(|cell| cell.result);
    let other = played(&[("crt_12_at_16", "4")]);
    assert_eq!(cell(Ruleset::standard(), 16), Some(CombatResult::Killed(3)));
    assert_eq!([15, 16, 17].map(|roll| cell(&other, roll)), [3, 4, 4].map(|n| Some(CombatResult::Killed(n))));
}

/// Lines 1143 to 1151: with the chart every face of the second die is a death.
#[test]
fn off_07_a_hit_is_rolled_for_or_kills() {
    let first = |rules: &Ruleset| rules.officer_wound.by_face(1).0;
    assert_eq!(first(Ruleset::standard()), crate::ruleset::WoundKind::Minor);
    assert_eq!(first(&played(&[("officer_hit", "kills")])), crate::ruleset::WoundKind::Dead);
}
