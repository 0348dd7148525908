//! Chapters SCALE and ORG: what a scenario file makes of regiments, battalions, batteries and leaders.

use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::ids::{BySide, LeaderId, UnitId};
use protocol::words::Arm;

use crate::battle::{Battle, Theatre, Unit};
use crate::ruleset::{Factor, Inches, Ruleset};
use crate::scenario::{self, Fault, Scenario};
use crate::setup::{self, Seating};

/// A scenario of one brigade a side, with whatever else is said at its end.
fn file(extra: &str) -> String {
    let head = "format = 1\n\
        [scenario]\nid = \"small\"\ntitle = \"Small\"\ndate = \"1863-07-02\"\nstart = \"09:00\"\nturns = 4\ntable_inches = [60, 60]\n\
        [map]\n\
        [[commander]]\nid = \"grey\"\nside = \"confederate\"\nname = \"Grey\"\ncommand = \"Grey's Brigade\"\npost = \"brigade\"\nlevel = 1\nat = [5, 5]\n\
        [[commander]]\nid = \"blue\"\nside = \"union\"\nname = \"Blue\"\ncommand = \"Blue's Brigade\"\npost = \"brigade\"\nlevel = 1\nat = [5, 55]\n\
        [[victory_term]]\nid = \"result\"\nkind = \"result\"\nrule = \"more_points\"\n";
    format!("{head}{}{extra}", regiment("va01", "confederate", 12, "at = [5, 6]\nfacing = 0\n"))
}

/// A unit of so many figures, thirty men each. `rest` gives its place and whatever else.
fn unit(id: &str, side: &str, arm: &str, weapon: &str, figures: u32, rest: &str) -> String {
    let (under, men) = (if side == "union" { "blue" } else { "grey" }, figures * 30);
    format!(
        "[[unit]]\nid = \"{id}\"\nname = \"{id}\"\nside = \"{side}\"\narm = \"{arm}\"\nunder = \"{under}\"\nmen = {men}\n\
         figures = {figures}\nquality = \"veteran\"\nweapon = \"{weapon}\"\n{rest}"
    )
}

fn regiment(id: &str, side: &str, figures: u32, rest: &str) -> String {
    unit(id, side, "infantry", "rifle_musket", figures, rest)
}

/// Union infantry that stands somewhere.
fn infantry(figures: u32) -> String {
    regiment("ny01", "union", figures, "at = [20, 50]\nfacing = 180\n")
}

fn cavalry(figures: u32, formation: &str) -> String {
    let rest = format!("at = [20, 50]\nfacing = 180\nformation = \"{formation}\"\n");
    unit("ny01", "union", "cavalry", "muzzle_carbine", figures, &rest)
}

fn battery(guns: u32, sections: u32) -> String {
    format!(
        "[[battery]]\nid = \"ny01\"\nname = \"ny01\"\nside = \"union\"\nunder = \"blue\"\nguns = {guns}\n\
         sections = {sections}\ngun = \"napoleon_12\"\nquality = \"veteran\"\nat = [20, 50]\nfacing = 180\n"
    )
}

fn read(extra: &str) -> Result<Scenario, Vec<String>> {
    let told = |faults: Vec<Fault>| faults.iter().map(Fault::to_string).collect();
    scenario::read(&file(extra)).map_err(told)
}

/// The rule by which a scenario is refused.
fn refused_by(extra: &str, rule: &str) -> bool {
    read(extra).is_err_and(|faults| faults.iter().any(|fault| fault.contains(rule)))
}

fn battle(extra: &str) -> Battle {
    let scenario = read(extra).unwrap_or_else(|faults| panic!("{}", faults.join("\n")));
    let theatre = Theatre::new(Arc::new(scenario));
    setup::start(&theatre, Ruleset::standard(), &Seating::one_each(), &BTreeSet::new(), &BySide::default())
}

/// The unit `ny01` of a scenario.
fn begun(extra: &str) -> Unit {
    battle(extra).table.unit(&UnitId::new("ny01")).expect("every scenario here has it").clone()
}

fn figures(unit: &Unit) -> Vec<u32> {
    unit.stands.iter().map(|stand| stand.figures).collect()
}

fn inches(thousandths: i32) -> Inches {
    Inches(thousandths)
}

// ---------------------------------------------------------------------------------------------- SCALE

#[test]
fn scale_01_a_turn_is_twenty_minutes() {
    let clock = read(&infantry(12)).expect("a sound scenario").clock;
    assert_eq!([1, 2, 3, 4].map(|turn| clock.hour(turn)), ["09:00", "09:20", "09:40", "10:00"]);
    assert_eq!(Ruleset::standard().scale.minutes_per_turn, 20);
}

#[test]
fn scale_02_an_inch_is_fifty_yards() {
    let rules = Ruleset::standard();
    let of_yards = |yards: i32| inches(yards * 1_000 / rules.scale.yards_per_inch);
    // 200 / 50 = 4 and 600 / 50 = 12.
    assert_eq!((of_yards(200), of_yards(600)), (inches(4_000), inches(12_000)));
    let rifle = &rules.small_arm["rifle_musket"];
    assert_eq!((rifle.normal, rifle.long), (of_yards(200), of_yards(600)));
    // 36 inches are 1800 yards, about a mile of 1760.
    assert_eq!(36 * rules.scale.yards_per_inch, 1_800);
}

#[test]
fn scale_03_other_figures_only_change_what_is_displayed() {
    let rules = Ruleset::standard();
    let printed = [
        ("5mm", 500),
        ("10mm", 750),
        ("15mm", 1_000),
        ("20mm", 1_250),
        ("22mm", 1_250),
        ("25mm", 1_500),
        ("30mm", 2_000),
    ];
    let mut told: Vec<(&str, Factor)> =
        rules.scale.display.iter().map(|(size, factor)| (size.as_str(), *factor)).collect();
    told.sort_by_key(|(size, factor)| (factor.0, size.len(), *size));
    assert_eq!(told, printed.map(|(size, factor)| (size, Factor(factor))));
    // Stand sizes of other scales come out the same when divided by their factor: 25 mm 1.5 x 2, 10 mm 0.75 x 1.
    for (size, width, depth) in [("25mm", 1_500, 2_000), ("10mm", 750, 1_000)] {
        let factor = rules.scale.display[size].0;
        let own = |length: i32| inches((2 * length * 1_000 / factor + 1) / 2);
        assert_eq!((rules.scale.cavalry_stand_width, rules.scale.cavalry_stand_depth), (own(width), own(depth)));
    }
}

// ---------------------------------------------------------------------------------------------- ORG: infantry

#[test]
fn org_01_a_figure_is_thirty_men() {
    // 4 stands of 4 figures are 480 men, 4 of 3 are 360.
    for (men, per_stand) in [(480, 4), (360, 3)] {
        let regiment = begun(&infantry(men / 30));
        assert_eq!((figures(&regiment), regiment.figures() * 30), (vec![per_stand; 4], men));
    }
    let wrong = infantry(16).replace("figures = 16", "figures = 15");
    assert!(refused_by(&wrong, "ORG-01"), "{:?}", read(&wrong).err());
}

#[test]
fn org_02_stands_are_as_wide_as_their_figures_ask_and_stay_so() {
    // 16 figures: a front of 3.5 inches; 12 figures: 3 inches; 14 figures have stands of 4 and 3, all of one width.
    for (count, width, front) in [(16, 875, 3_500), (12, 750, 3_000), (14, 875, 3_500)] {
        let mut regiment = begun(&infantry(count));
        assert_eq!((regiment.stand_width, regiment.stand_depth), (width, 625));
        let edge = regiment.layout().as_target.front;
        assert_eq!((edge.left.x - edge.right.x).abs(), front);
        // Losses never change the width of a stand.
        crate::losses::take(&mut regiment, 5);
        assert!(regiment.layout().rects().all(|stand| stand.width == width));
    }
}

#[test]
fn org_04_five_figures_a_stand_are_legal_and_six_must_be_split() {
    assert_eq!(figures(&begun(&infantry(20))), [5, 5, 5, 5]);
    assert!(read(&infantry(21)).is_err(), "more than five on a stand");
    // A 660-man regiment as two battalions of 330.
    let battalion = |id: &str, x: u32| {
        let rest = format!("at = [{x}, 50]\nfacing = 180\nregiment = \"1st New York\"\nregiment_men = 660\n");
        regiment(id, "union", 11, &rest)
    };
    let split = battle(&format!("{}{}", battalion("ny01", 20), battalion("ny02", 30)));
    let half = |id: &str| split.table.unit(&UnitId::new(id)).expect("a battalion is a unit").clone();
    assert_eq!((half("ny01").figures(), half("ny02").figures()), (11, 11));
    assert_eq!(half("ny01").brigade, half("ny02").brigade);
    // Each counts as a regiment: the brigade has the points that two regiments give it.
    let two = battle(&format!("{}{}", infantry(11), regiment("ny02", "union", 11, "at = [30, 50]\nfacing = 180\n")));
    let points = |battle: &Battle| battle.table.brigades[&"blue".into()].points;
    assert_eq!(points(&split), points(&two));
    assert!(points(&battle(&infantry(11))) < points(&split));
    // They must add up to it, and one alone is no split.
    let wrong = battalion("ny02", 30).replace("men = 330", "men = 300").replace("figures = 11", "figures = 10");
    assert!(refused_by(&format!("{}{wrong}", battalion("ny01", 20)), "ORG-04"));
    assert!(read(&battalion("ny01", 20)).is_err(), "half a regiment");
}

// ---------------------------------------------------------------------------------------------- ORG: guns, leaders, horse

#[test]
fn org_08_a_battery_has_a_section_for_two_guns() {
    for (guns, sections) in [(6, 3), (4, 2)] {
        let battery = begun(&battery(guns, sections));
        assert_eq!((figures(&battery), battery.figures_at_start), (vec![sections], sections));
    }
    assert!(refused_by(&battery(6, 2), "ORG-08"));
}

#[test]
fn org_09_a_battery_is_an_inch_square_and_limbered_two_inches_deep() {
    let unlimbered = begun(&battery(6, 3));
    let limbered = begun(&format!("{}limbered = true\n", battery(4, 2)));
    let size = |battery: &Unit| {
        let stand = battery.layout().stands[0].rect;
        (stand.width, stand.depth)
    };
    assert_eq!((size(&unlimbered), size(&limbered)), ((1_000, 1_000), (1_000, 2_000)));
}

#[test]
fn org_10_and_ammo_10_a_battery_begins_with_two_horses_and_two_charges_of_canister() {
    let guns = begun(&battery(6, 3)).guns.expect("a battery has guns");
    assert_eq!((guns.horses, guns.canister), (2, 2));
}

#[test]
fn org_11_rank_is_the_size_of_a_leaders_stand() {
    let commander = |id: &str, post: &str| {
        format!(
            "[[commander]]\nid = \"{id}\"\nside = \"union\"\nname = \"{id}\"\ncommand = \"{id}\"\npost = \"{post}\"\n\
             level = 1\nat = [30, 50]\n"
        )
    };
    let extra = format!("{}{}{}", infantry(12), commander("division", "division"), commander("corps", "corps"));
    let battle = battle(&extra);
    let size = |id: &str| battle.table.leaders[&LeaderId::new(id)].stand_size();
    assert_eq!([size("blue"), size("division"), size("corps")], [1_000, 1_500, 2_000]);
    let table = &Ruleset::standard().scale.officer_stand;
    assert_eq!([table.brigade, table.division, table.corps], [1_000, 1_500, 2_000].map(Inches));
}

#[test]
fn org_12_a_battalion_of_horse_has_at_most_three_figures_a_stand() {
    // 360 men: 4 stands of 3 figures.
    let battalion = begun(&cavalry(12, "single_line"));
    assert_eq!((figures(&battalion), battalion.figures() * 30), (vec![3; 4], 360));
    assert_eq!(figures(&begun(&cavalry(8, "single_line"))), [2; 4]);
    assert!(refused_by(&cavalry(13, "single_line"), "ORG-12"));
}

#[test]
fn cav_16_horse_comes_in_battalions_of_four_stands_of_one_to_three() {
    for (men, stands) in [(4, [1; 4]), (8, [2; 4]), (12, [3; 4])] {
        let battalion = begun(&cavalry(men, "single_line"));
        assert_eq!((figures(&battalion), battalion.stands_at_start, battalion.arm), (stands.to_vec(), 4, Arm::Cavalry));
    }
    // 480 men are too many for one unit, whatever it is called.
    assert!(refused_by(&cavalry(16, "single_line"), "ORG-12"));
}

#[test]
fn org_14_stands_of_horse_and_of_the_same_men_on_foot() {
    let size = |formation: &str| {
        let battalion = begun(&cavalry(12, formation));
        (battalion.mounted, battalion.stand_width, battalion.stand_depth)
    };
    assert_eq!(size("single_line"), (true, 1_000, 1_333));
    // On foot three figures take three quarters of an inch.
    assert_eq!(size("dismounted_line"), (false, 750, 625));
}

// ---------------------------------------------------------------------------------------------- SHARP

#[test]
fn sharp_01_a_detachment_is_a_single_stand_of_two_to_four_figures_twice_as_wide_as_others() {
    let sharpshooters = |figures: u32, weapon: &str| {
        unit("ny01", "union", "sharpshooter", weapon, figures, "at = [20, 50]\nfacing = 180\n")
    };
    // A stand of 2, 3 and 4 figures is 0.625, 0.75 and 0.875 wide.
    for (men, width) in [(2, 1_250), (3, 1_500), (4, 1_750)] {
        let detachment = begun(&sharpshooters(men, "sharpshooter_rifle"));
        assert_eq!((figures(&detachment), detachment.stand_width, detachment.stand_depth), (vec![men], width, 625));
    }
    for men in [1, 5] {
        assert!(refused_by(&sharpshooters(men, "sharpshooter_rifle"), "SHARP-01"), "{men} figures");
    }
    // Special rifles or not, as the scenario says.
    assert_eq!(begun(&sharpshooters(2, "rifle_musket")).weapon, "rifle_musket");
    // It takes orders of its own.
    let battle = battle(&sharpshooters(2, "sharpshooter_rifle"));
    let known = crate::battle::known(&battle, protocol::ids::Side::Union);
    let seat = known.table.unit(&UnitId::new("ny01")).expect("the detachment stands there").seat.clone();
    let unmarked = crate::orders::without_order(&known, &seat, &protocol::orders::Draft::default());
    assert_eq!(unmarked, [UnitId::new("ny01")]);
}

// ---------------------------------------------------------------------------------------------- ARTY

#[test]
fn arty_56_only_guns_of_the_fortress_table_stand_on_a_ship() {
    let naval = battery(4, 2).replace("gun = \"napoleon_12\"", "gun = \"fort_columbiad_8in\"\nship = \"galena\"");
    let guns = begun(&naval).guns.expect("a battery has guns");
    assert_eq!(guns.ship.as_deref(), Some("galena"));
    assert!(refused_by(&battery(4, 2).replace("gun = ", "ship = \"galena\"\ngun = "), "ARTY-56"));
}

#[test]
fn sharp_11_a_scenario_attaches_a_detachment_to_an_infantry_regiment() {
    let sharpshooters = |rest: &str| unit("ny01", "union", "sharpshooter", "sharpshooter_rifle", 2, rest);
    let host = |arm: &str, weapon: &str| unit("ny02", "union", arm, weapon, 12, "at = [20, 50]\nfacing = 180\n");
    let infantry = || host("infantry", "rifle_musket");
    let attached = format!("{}{}", sharpshooters("attached_to = \"ny02\"\n"), infantry());
    let begun = battle(&attached).table;
    assert_eq!(begun.unit(&UnitId::new("ny02")).and_then(|host| host.sharpshooters.clone()), Some(UnitId::new("ny01")));
    assert_eq!(begun.unit(&UnitId::new("ny01")).map(|unit| unit.presence), Some(protocol::view::Presence::Attached));
    let wrong = |file: String| refused_by(&file, "SHARP-11");
    assert!(wrong(format!("{}{}", sharpshooters("attached_to = \"ny02\"\n"), host("cavalry", "muzzle_carbine"))));
    assert!(wrong(format!("{}{}", sharpshooters("attached_to = \"ny02\"\nat = [1, 1]\nfacing = 0\n"), infantry())));
    let second = unit("ny03", "union", "sharpshooter", "sharpshooter_rifle", 2, "attached_to = \"ny02\"\n");
    assert!(wrong(format!("{attached}{second}")));
}

// ---------------------------------------------------------------------------------------------- QRC

#[test]
fn qrc_02_the_four_scales() {
    let scale = &Ruleset::standard().scale;
    assert_eq!((scale.yards_per_inch, scale.minutes_per_turn, scale.men_per_figure), (50, 20, 30));
    // Twelve figures are 360 men, and a gun model is a battery whatever its sections.
    assert_eq!(begun(&infantry(12)).figures() * 30, 360);
    assert_eq!(begun(&battery(6, 3)).stands_at_start, 1);
}

#[test]
fn qrc_09_five_figures_on_a_stand_of_infantry_and_not_six() {
    assert_eq!(figures(&begun(&infantry(20))), [5; 4]);
    assert!(read(&infantry(24)).is_err());
}

#[test]
fn qrc_10_horse_is_four_stands_of_at_most_three_whether_battalion_or_regiment() {
    let battalion = |id: &str, x: u32| {
        let rest = format!("at = [{x}, 50]\nfacing = 180\nregiment = \"4th Virginia\"\nregiment_men = 600\n");
        unit(id, "union", "cavalry", "muzzle_carbine", 10, &rest)
    };
    let split = battle(&format!("{}{}", battalion("ny01", 20), battalion("ny02", 30)));
    let whole = begun(&cavalry(12, "single_line"));
    let half = split.table.unit(&UnitId::new("ny02")).expect("a battalion is a unit");
    assert_eq!((figures(half), figures(&whole)), (vec![3, 2, 2, 3], vec![3; 4]));
    // Each is a unit that its brigade can lose: two of them weigh as two regiments of as many men.
    let points = |battle: &Battle| battle.table.brigades[&"blue".into()].points;
    let other = unit("ny02", "union", "cavalry", "muzzle_carbine", 10, "at = [30, 50]\nfacing = 180\n");
    let first = unit("ny01", "union", "cavalry", "muzzle_carbine", 10, "at = [20, 50]\nfacing = 180\n");
    assert_eq!(points(&split), points(&battle(&format!("{first}{other}"))));
}

#[test]
fn qrc_11_a_gun_stand_is_a_battery_and_its_gunners_are_its_sections() {
    for (guns, sections) in [(6, 3), (4, 2), (2, 1)] {
        assert_eq!(figures(&begun(&battery(guns, sections))), [sections]);
    }
}
