//! The sheet: its words, its numbers, what it does to the tables and to their hash.

use std::collections::{BTreeMap, BTreeSet};

use protocol::words::Quality;

use super::*;
use crate::ruleset::{Branch, CombatResult, FormationRow, GunKind, Inches, Price, Ruleset, Strength};

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
    assert_eq!(cost(Ruleset::standard()), Price::Inch(Inches(1_000)));
    assert_eq!(cost(&played(&[("fence_cost", "all_2")])), Price::Inch(Inches(2_000)));
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

/// What a switch makes of a number: by our ruling, and by its other choice.
fn both<T>(id: &str, word: &str, number: impl Fn(&Ruleset) -> T) -> (T, T) {
    (number(&played(&[])), number(&played(&[(id, word)])))
}

fn target_drm(rules: &Ruleset, branch: Branch, row: FormationRow) -> (i32, i32) {
    let drm = rules.effect(branch, row).expect("a row").target_drm;
    (drm.musketry, drm.shot)
}

/// Lines 119 and 998.
#[test]
fn form_28_disorder_adds_three_or_four() {
    let of = |rules: &Ruleset| target_drm(rules, Branch::Infantry, FormationRow::Disorder);
    assert_eq!(both("disorder_target", "plus_4", of), ((3, 3), (4, 4)));
}

/// Lines 203 and 1238.
#[test]
fn cavc_44_disordered_horse_adds_six_or_five() {
    let of = |rules: &Ruleset| target_drm(rules, Branch::CavalryMounted, FormationRow::Disorder);
    assert_eq!(both("cavalry_disorder_target", "plus_5", of), ((6, 6), (5, 5)));
}

/// Lines 115 and 260.
#[test]
fn form_25_a_march_column_adds_three_or_two() {
    let of = |rules: &Ruleset| target_drm(rules, Branch::Infantry, FormationRow::MarchColumn);
    assert_eq!(both("march_column_target", "plus_2", of), ((3, 3), (2, 2)));
}

/// Lines 204 and 1165: as firer, as target.
#[test]
fn cav_11_the_two_of_a_dismounted_line_counts_once_or_twice() {
    let of = |rules: &Ruleset| {
        let effect = rules.effect(Branch::CavalryDismounted, FormationRow::DismountedLine).expect("a row");
        (effect.firer_drm, effect.target_drm.musketry)
    };
    assert_eq!(both("dismounted_line", "as_firer", of), ((-2, -2), (-2, 0)));
    assert_eq!(both("dismounted_line", "as_target", of).1, (0, -2));
}

/// Lines 132 and 1110.
#[test]
fn move_10_dismounting_costs_a_quarter_or_a_half() {
    let of = |rules: &Ruleset| [Quality::Veteran, Quality::Green].map(|quality| rules.cost.dismount.of(quality));
    let turns = |shares: [i32; 2]| shares.map(|share| Price::Turn(crate::ruleset::Factor(share)));
    assert_eq!(both("dismount_cost", "half", of), (turns([250, 500]), turns([500, 1_000])));
}

/// Lines 220 and 378.
#[test]
fn arty_16_a_battalion_closes_to_two_inches_or_one() {
    let of = |rules: &Ruleset| rules.gun_rules.battalion_gap.open;
    assert_eq!(both("battalion_gap", "1_inch", of), (Inches(2_000), Inches(1_000)));
}

/// Lines 420 and 455.
#[test]
fn ammo_10_canister_is_renewed_or_not() {
    let of = |rules: &Ruleset| rules.gun_class.at(GunKind::Field).reloads;
    assert_eq!(both("canister_supply", "per_battle", of), (true, false));
}

/// Lines 686 and 831.
#[test]
fn lead_08_a_level_1_leader_helps_one_or_none_in_woods() {
    let of = |rules: &Ruleset| rules.leaders.min_units_in_woods_or_rough;
    assert_eq!(both("leader_in_woods", "1_fewer", of), (1, 0));
}

/// Lines 543 and 638.
#[test]
fn shk_15_shaken_horse_goes_back_two_dice_or_one() {
    let of = |rules: &Ruleset| rules.fallback.shaken_dice.cavalry_mounted;
    assert_eq!(both("shaken_dice", "1_die", of), (2, 1));
}

/// Line 466: the list breaks off.
#[test]
fn arty_51_three_guns_are_heavy_or_none() {
    let of = |rules: &Ruleset| rules.gun.values().filter(|gun| gun.heavy).count();
    assert_eq!(both("heavy_field_guns", "none", of), (3, 0));
}

/// Line 489.
#[test]
fn arty_55_fortress_guns_roll_for_ammunition_or_do_not() {
    let of = |rules: &Ruleset| rules.gun_class.at(GunKind::Fortress).ammo_roll;
    assert_eq!(both("fortress_guns_run_out", "on", of), (false, true));
}

/// Lines 585 and 700.
#[test]
fn cavc_34_disordered_horse_adds_three_or_four_to_its_impact() {
    let of = |rules: &Ruleset| rules.effect(Branch::CavalryMounted, FormationRow::Disorder).expect("a row").impact;
    assert_eq!(both("cavalry_disorder_impact", "plus_4", of), (Some(3), Some(4)));
}

/// Lines 895 and 992.
#[test]
fn chg_32_elite_defenders_take_one_off_or_nothing() {
    assert_eq!(both("volley_elite", "nothing", |rules| rules.defensive_volley.elite), (-1, 0));
}

/// Lines 974 and 1018.
#[test]
fn cf_07_no_time_to_form_within_four_inches_or_six() {
    let of = |rules: &Ruleset| rules.charge.no_reform_if_started_within;
    assert_eq!(both("no_time_to_form", "6_inches", of), (Inches(4_000), Inches(6_000)));
}

/// Lines 818 and 930.
#[test]
fn idd_11_beaten_horse_recoils_two_dice_or_one() {
    assert_eq!(both("cavalry_recoil", "1_die", |rules| rules.impact.cavalry_attacker_recoil_dice), (2, 1));
}

/// Lines 703 and 1206.
#[test]
fn cavc_31_dismounted_support_takes_one_off_or_adds_it() {
    assert_eq!(both("dismounted_support", "plus_1", |rules| rules.impact.support_cavalry_dismounted), (-1, 1));
}
