//! Chapter QRC as it bears on morale: what the quick reference chart says, and where the text has more to say.

use super::*;
use crate::ground::{Area, Ground, Terrain, Wooded};
use crate::ruleset::{Branch, FormationRow};
use crate::testing::{Maker, battery, cavalry, infantry, open_ground, table};
use protocol::words::Formation;

/// `a` in the middle of the table and guns twenty inches north of it.
fn before_guns(a: Maker) -> Table {
    table(open_ground(), [a.at(30_000, 30_000), battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000)])
}

/// What comes of a hit of the guns that takes nobody.
fn hit(a: Maker, dice: &str) -> Vec<String> {
    let table = before_guns(a);
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
    play(table, dice, vec![fired(hit)]).log()
}

/// What comes of a fire that had this effect.
fn struck(a: Maker, effect: impl FnOnce(FiredOn) -> FiredOn, dice: &str) -> Vec<String> {
    let table = before_guns(a);
    let struck = effect(fire(&table, "a", "guns"));
    play(table, dice, vec![fired(struck)]).log()
}

#[test]
fn qrc_01_what_only_the_chart_says_is_a_rule_and_the_text_decides_where_it_says_more() {
    let rules = Ruleset::standard();
    // Of the chart alone: two less at dismounted cavalry.
    let foot = rules.effect(Branch::CavalryDismounted, FormationRow::DismountedLine).expect("a row");
    assert_eq!(foot.target_drm.musketry, -2);
    // The chart has one die for all who fall back shaken, the text two for horse.
    let dice = &rules.fallback.shaken_dice;
    assert_eq!((dice.infantry, dice.cavalry_mounted), (1, 2));
}

#[test]
fn qrc_14_a_rout_within_six_inches_counts_for_those_who_see_it() {
    let outline = [(10_000, 10_000), (50_000, 10_000), (50_000, 50_000), (10_000, 50_000)];
    let outline = outline.map(|(x, y)| Point::new(x, y)).to_vec();
    let area = Area { id: "w".into(), name: "w".into(), terrain: Terrain::Woods, wooded: Wooded::Light, outline };
    let woods = Ground { areas: vec![area], ..open_ground() };
    // Two lines of four stands of 0.875 inches; between their nearest stands the given gap.
    let checks = |ground: Ground, gap: i32, dice: &str| {
        let viewer = infantry("v", UNION).at(26_500 - gap, 30_000);
        let table = table(ground, [infantry("r", UNION).at(30_000, 30_000), viewer]);
        let happened = vec![Happening::Routed(of(&table, "r"))];
        let dice = ScriptedDice::parse(dice).expect("the dice can be read");
        play_with(7, table, &dice, |play| settle(play, happened)).checks().len()
    };
    assert_eq!(checks(open_ground(), 6_000, "morale.saw_rout v r: 5 5"), 1);
    assert_eq!(checks(open_ground(), 6_100, ""), 0);
    // From the middle of one stand to that of the other it is 4.875 inches of light woods: a 5 shows it, a 4 does not.
    assert_eq!(checks(woods.clone(), 4_000, "visibility.pair r v: 5\nmorale.saw_rout v r: 5 5"), 1);
    assert_eq!(checks(woods, 4_000, "visibility.pair r v: 4"), 0);
}

#[test]
fn qrc_15_the_dice_of_a_fall_back_go_by_arm() {
    // The chart's one die is that of infantry; horse throws two, limbers go twice as far as one shows.
    let weak = |unit: Maker| unit.with(|unit| unit.bmp = Some(6));
    let falls_back =
        |unit: Maker, dice: &str| hit(weak(unit), &format!("morale.hit a: 2 2\nshaken.distance a: {dice}"))[1].clone();
    assert_eq!(falls_back(infantry("a", UNION), "3"), "a falls back 3000");
    assert_eq!(falls_back(cavalry("a", UNION), "3 4"), "a falls back 7000");
    assert_eq!(falls_back(battery("a", UNION).formation(Formation::Limbered), "3"), "a falls back 6000");
}

#[test]
fn qrc_16_a_unit_that_routs_runs_the_bonus_dice_at_once() {
    // Three dice in the open.
    let log = hit(infantry("a", UNION), "morale.hit a: 1 1\nrout.distance a: 1 2 3");
    assert_eq!(log, ["a hit by artillery or sharpshooters: 2 on 3, fails, routed", "a runs 6000"]);
}

#[test]
fn qrc_17_two_dice_above_the_point_pass_and_2_and_12_are_natural() {
    // A veteran's point is 3.
    let check = |unit: Maker, dice: &str| hit(unit, &format!("morale.hit a: {dice}"))[0].clone();
    let veteran = || infantry("a", UNION);
    assert_eq!(check(veteran(), "1 3"), "a hit by artillery or sharpshooters: 4 on 3, passes, good");
    assert_eq!(
        check(veteran(), "1 2\nshaken.distance a: 1"),
        "a hit by artillery or sharpshooters: 3 on 3, fails, shaken"
    );
    // A 2 routs whoever it is, a 12 brings the shaken back; shaken the point is 5.
    let steady = veteran().with(|unit| unit.bmp = Some(0));
    assert_eq!(
        check(steady, "1 1\nrout.distance a: 1 2 3"),
        "a hit by artillery or sharpshooters: 2 on 0, fails, routed"
    );
    let shaken = veteran().morale(Morale::Shaken);
    assert_eq!(check(shaken, "6 6"), "a hit by artillery or sharpshooters: 12 on 5, passes, good");
}

#[test]
fn qrc_19_a_check_is_due_for_the_first_loss_a_hit_a_stand_and_what_is_seen() {
    let a = || infantry("a", UNION);
    let first =
        struck(a(), |fire| FiredOn { figures: 1, first_casualty: true, ..fire }, "morale.first_casualty a: 4 4");
    assert_eq!(first, ["a first casualty: 8 on 3, passes, good"]);
    // Guns: one worse for each of two figures.
    let bloodied = || a().with(|unit| unit.first_casualty_taken = true);
    let by_guns =
        struck(bloodied(), |fire| FiredOn { figures: 2, forces_hit_check: true, ..fire }, "morale.hit a: 4 4");
    assert_eq!(by_guns, ["a hit by artillery or sharpshooters: 8 on 5, passes, good"]);
    // A stand: three worse for it.
    let stand =
        struck(bloodied().stands_left(3), |fire| FiredOn { figures: 4, stands: 1, ..fire }, "morale.stand_lost a: 4 4");
    assert_eq!(stand, ["a stand lost: 8 on 6, passes, good"]);
    // A second loss of a figure to muskets asks for nothing.
    assert_eq!(struck(bloodied(), |fire| FiredOn { figures: 1, ..fire }, ""), Vec::<String>::new());
    // An officer hit four inches off.
    let mut near = table(open_ground(), [a().at(30_000, 30_000)]);
    brigade(&mut near, "l", 30_000, 34_000);
    near.leaders.values_mut().for_each(|leader| leader.wounded_until = Some(9));
    let seen = play_in(9, near, "morale.saw_officer a l: 5 4", vec![Happening::OfficerHit("l".into())]);
    assert_eq!(seen.log(), ["a saw an officer hit: 9 on 3, passes, good"]);
}
