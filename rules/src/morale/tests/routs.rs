//! ROUT: runs, abandoned guns, the table edge, losses; the routed moves of phase 2.

use super::*;
use crate::field::Field;
use crate::ground::{Area, Ground, Terrain, Way, WayKind, Wooded};
use crate::morale::routed_moves;
use crate::rout;
use crate::testing::{Maker, battery, cavalry, infantry, leader, open_ground, table};
use protocol::event::OrderShown;
use protocol::place::Bearing;
use protocol::view::Presence;
use protocol::words::{Arm, Formation, Quality};

/// `a` at (30, 30) throws a natural 2 when hit by guns 20 inches north of it.
fn routs(a: Maker, others: Vec<Maker>, dice: &str) -> Played {
    routs_on(open_ground(), a.at(30_000, 30_000), others, dice)
}

fn routs_on(ground: Ground, a: Maker, others: Vec<Maker>, dice: &str) -> Played {
    let guns = battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000);
    let table = table(ground, [a, guns].into_iter().chain(others));
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
    play(table, &format!("morale.hit a: 1 1\n{dice}"), vec![fired(hit)])
}

fn regiment() -> Maker {
    infantry("a", UNION)
}

fn ground_of(terrain: Terrain) -> Ground {
    let outline = vec![Point::new(0, 0), Point::new(60_000, 0), Point::new(60_000, 36_000), Point::new(0, 36_000)];
    let area = Area { id: "w".into(), name: "w".into(), terrain, wooded: Wooded::None, outline };
    Ground { areas: vec![area], ..open_ground() }
}

#[test]
fn rout_02_and_03_it_turns_its_back_in_disorder_and_runs_three_dice_in_the_open() {
    let shown = OrderShown::FirstFire {};
    let played = routs(regiment().with(|unit| unit.marks.shown = Some(shown)), vec![], "rout.distance a: 4 5 2");
    assert_eq!(played.log()[1..], ["a runs 11000"]);
    let unit = played.unit("a");
    assert_eq!((unit.footing.facing, unit.footing.disorder), (Bearing::SOUTH, true));
    // Turned about its centre, which lay at 29.687 and a half, its front came to 29.375.
    assert!((unit.footing.anchor.y - 18_375).abs() <= 1);
    assert_eq!(unit.marks.shown, Some(OrderShown::Routed {}));
    assert!(unit.marks.order_spent && unit.marks.bonus_taken);
}

#[test]
fn rout_03_and_move_11_by_the_ground_where_it_stood() {
    let cases = [
        (Terrain::Broken, "5 4", "a runs 9000"),
        (Terrain::Woods, "4", "a runs 4000"),
        (Terrain::Rough, "3", "a runs 1500"),
    ];
    for (terrain, dice, expected) in cases {
        let played =
            routs_on(ground_of(terrain), regiment().at(30_000, 30_000), vec![], &format!("rout.distance a: {dice}"));
        assert_eq!(played.log()[1], expected);
    }
}

#[test]
fn move_11_on_a_road_three_dice_for_who_marches_along_it() {
    let way = Way {
        id: "road".into(),
        name: "road".into(),
        kind: WayKind::Road,
        line: vec![Point::new(30_000, 0), Point::new(30_000, 60_000)],
        width: 1_000,
    };
    // A road through woods: the column on it throws three dice, the line beside it one.
    let ground = || Ground { ways: vec![way.clone()], ..ground_of(Terrain::Woods) };
    let column = regiment().at(30_000, 30_000).formation(Formation::MarchColumn);
    assert_eq!(routs_on(ground(), column, vec![], "rout.distance a: 1 2 3").log()[1], "a runs 6000");
    assert_eq!(routs_on(ground(), regiment().at(30_000, 30_000), vec![], "rout.distance a: 2").log()[1], "a runs 2000");
}

#[test]
fn form_13_skirmishers_who_rout_are_in_disorder_from_that_moment() {
    let skirmishers = regiment().formation(Formation::SkirmishLine);
    let played = routs(skirmishers, vec![], "rout.distance a: 1 1 1");
    let unit = played.unit("a");
    assert_eq!((unit.morale, unit.footing.disorder, unit.is_skirmishing()), (Morale::Routed, true, false));
    assert_eq!(unit.footing.formation, Formation::SkirmishLine, "FORM-26: its stands lie as they lay");
}

#[test]
fn rout_04_a_green_unit_with_4_5_5_is_picked_up_and_a_veteran_runs_14() {
    let green = routs(regiment().green(), vec![], "rout.distance a: 4 5 5");
    assert_eq!(green.log()[1..], ["a disintegrated"]);
    assert_eq!(green.unit("a").presence, Presence::Removed);
    let veteran = routs(regiment(), vec![], "rout.distance a: 4 5 5");
    assert_eq!(veteran.log()[1..], ["a runs 14000"]);
    let militia = routs(regiment().quality(Quality::Militia), vec![], "rout.distance a: 4 4 6");
    assert_eq!(militia.log()[1..], ["a disintegrated"]);
    let elite = routs(regiment().quality(Quality::Elite), vec![], "rout.distance a: 6 6 6");
    assert_eq!(elite.log()[1..], ["a disintegrated"]);
}

#[test]
fn rout_04_and_mor_20_a_unit_that_disintegrates_is_a_loss_that_is_seen() {
    // The friend stands an inch beside it: 4.5 inches from middle to middle.
    let friend = infantry("f", UNION).at(34_500, 30_000);
    let seen = routs(regiment().green(), vec![friend], "rout.distance a: 4 5 5\nmorale.saw_loss f a: 3 3");
    assert_eq!(seen.log()[1..], ["a disintegrated", "f saw a unit lost: 6 on 3, passes, good"]);
}

#[test]
fn rout_07_and_form_26_horsemen_flee_as_they_were_drawn_up() {
    let horse = cavalry("a", UNION).formation(Formation::DoubleLine);
    let played = routs(horse, vec![], "rout.distance a: 1 2 3");
    let footing = &played.unit("a").footing;
    assert_eq!((footing.formation, footing.disorder), (Formation::DoubleLine, true));
}

#[test]
fn mor_27_skirmishers_who_rout_are_minded_by_skirmishers_alone() {
    // One friend to each side, an inch off; only the skirmishers check.
    let skirmishers = |id: &str, x: i32| infantry(id, UNION).formation(Formation::SkirmishLine).at(x, 30_000);
    let line = infantry("f", UNION).at(38_000, 30_000);
    let dice = "rout.distance a: 1 2 3\nmorale.saw_rout s a: 3 3";
    let played = routs(skirmishers("a", 30_000), vec![line, skirmishers("s", 21_000)], dice);
    assert_eq!(played.log()[1..], ["a runs 6000", "s saw a rout: 6 on 3, passes, good"]);
}

#[test]
fn rout_06_of_two_ways_as_good_the_clockwise_one_is_taken() {
    // One enemy stand, routed itself, bars the way south; half a right angle to either side leads past it.
    let barrier = infantry("e", CONFEDERATE).stands_left(1).morale(Morale::Routed).at(30_000, 25_000);
    let played = routs(regiment(), vec![barrier], "rout.distance a: 1 2 3");
    // Clockwise from south is toward the west: 6 inches at 45 degrees are 4.243.
    let anchor = played.unit("a").footing.anchor;
    assert!((anchor.x - (30_000 - 4_243)).abs() <= 1, "{anchor:?}");
}

#[test]
fn rout_05_and_move_12_who_has_had_its_bonus_move_stays_and_turns_away() {
    let played = routs(regiment().with(|unit| unit.marks.bonus_taken = true), vec![], "");
    assert_eq!(played.log()[1..], ["a runs 0"]);
    assert_eq!(played.unit("a").footing.facing, Bearing::SOUTH);
}

#[test]
fn rout_06_it_runs_toward_the_back_of_a_formed_friend() {
    // Run of 9 inches. Straight south nobody stands; 30 degrees to its left, that is to the east, a friend covers the end.
    let friend = || infantry("f", UNION).at(34_000, 25_500);
    let dice = "rout.distance a: 3 3 3\nmorale.saw_rout f a: 3 3";
    let played = routs(regiment(), vec![friend()], &format!("{dice}\ntactical.pass_through f a: 6"));
    let sheltered = played.unit("a").footing.anchor;
    assert!(31_000 < sheltered.x, "{sheltered:?}");
    // A disordered one is no shelter.
    let played = routs(regiment(), vec![friend().disordered()], dice);
    assert!((played.unit("a").footing.anchor.x - 30_000).abs() <= 1);
}

#[test]
fn rout_06_it_keeps_an_inch_off_the_enemy() {
    // An enemy stands across the way due south and across the turns of up to 30 degrees.
    let wall = infantry("e", CONFEDERATE).at(30_000, 15_000).with(|unit| unit.morale = Morale::Routed);
    let played = routs(regiment(), vec![wall], "rout.distance a: 6 6 4");
    let anchor = played.unit("a").footing.anchor;
    let dice = ScriptedDice::new();
    let field = Field::new(Ruleset::standard(), &played.table, &dice);
    assert!(!field.distance(of(&played.table, "a"), of(&played.table, "e")).closer_than(1_000), "{anchor:?}");
    assert!(2_000 < (anchor.x - 30_000).abs(), "it bends its way: {anchor:?}");
}

#[test]
fn rout_07_dismounted_cavalry_remounts() {
    let dismounted = cavalry("a", UNION).with(|unit| {
        unit.mounted = false;
        unit.footing.formation = Formation::DismountedLine;
        (unit.stand_width, unit.stand_depth) = (875, 625);
    });
    let played = routs(dismounted, vec![], "rout.distance a: 1 1 1");
    let unit = played.unit("a");
    assert!(unit.mounted);
    assert_eq!((unit.stand_width, unit.stand_depth), (1_000, 1_333));
}

#[test]
fn rout_08_the_guns_stay_and_the_crew_runs() {
    let played = routs(battery("a", UNION), vec![], "rout.distance a: 1 2 3");
    assert_eq!(played.log()[1..], ["a runs 6000"]);
    let crew = played.unit("a");
    assert_eq!((crew.arm, crew.mounted, crew.guns.is_none(), crew.figures()), (Arm::GunCrew, false, true, 2));
    // On foot they are drawn as two figures of infantry, 0.625 inches wide, in disorder. ORG-02
    assert_eq!((crew.footing.disorder, crew.stand_width, crew.stand_depth), (true, 625, 625));
    let guns = played.table.abandoned.values().next().unwrap();
    assert_eq!((guns.footing.anchor, guns.guns.unmanned, guns.sections), (Point::new(30_000, 30_000), true, 2));
    let limbered = routs(battery("a", UNION).formation(Formation::Limbered), vec![], "rout.distance a: 1 2 3");
    assert!(limbered.unit("a").mounted, "limbers flee as cavalry");
}

#[test]
fn rout_08_a_lost_crew_is_a_lost_battery_and_the_guns_remain() {
    let played = routs(battery("a", UNION).green(), vec![], "rout.distance a: 4 4 4");
    assert_eq!(played.unit("a").presence, Presence::Removed);
    assert_eq!(played.table.abandoned.len(), 1);
}

#[test]
fn rout_10_a_friend_in_the_way_rolls_and_the_routed_unit_does_not() {
    let friend = infantry("f", UNION).at(30_000, 28_000);
    let dice = "rout.distance a: 3 3 3\ntactical.pass_through f a: 3\nmorale.saw_rout f a: 3 3";
    let played = routs(regiment(), vec![friend], dice);
    let expected = ["a runs 9000", "f passing through a: false", "f disordered", "f saw a rout: 6 on 3, passes, good"];
    assert_eq!(played.log()[1..], expected);
}

#[test]
fn rout_11_a_good_enemy_in_contact_takes_the_surrender() {
    let meet = |enemy: Maker| {
        let table = table(
            open_ground(),
            [regiment().at(30_000, 30_000).morale(Morale::Routed), enemy.at(30_000, 30_625).facing(0)],
        );
        let dice = ScriptedDice::new();
        let field = Field::new(Ruleset::standard(), &table, &dice);
        rout::surrenders_to(&field, of(&table, "a"), of(&table, "e"))
    };
    assert!(meet(infantry("e", CONFEDERATE)));
    assert!(!meet(infantry("e", CONFEDERATE).morale(Morale::Shaken)));
    assert!(!meet(battery("e", CONFEDERATE)) && !meet(infantry("e", UNION)));
}

#[test]
fn rout_12_a_routed_unit_that_fails_is_picked_up_once() {
    let table = table(
        open_ground(),
        [regiment().at(30_000, 30_000).morale(Morale::Routed), battery("guns", CONFEDERATE).at(30_000, 50_000)],
    );
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
    let played = play(table, "morale.hit a: 3 4", vec![fired(hit.clone()), fired(hit)]);
    assert_eq!(played.log(), ["a hit by artillery or sharpshooters: 7 on 7, fails, routed", "a picked up"]);
}

#[test]
fn rout_16_at_the_table_edge_it_must_rally_or_is_lost() {
    let at_edge = |dice: &str| {
        routs_on(
            open_ground(),
            regiment().at(30_000, 5_000),
            vec![],
            &format!("rout.distance a: 5 4 4\nrally a: {dice}"),
        )
    };
    // Its centre is at 4.6875, in thousandths 4.687; turned about it the front is at 4.374, by rounding: so far it comes.
    // It sees the guns: 3 + 4.
    let lost = at_edge("3 4");
    assert_eq!(lost.log()[1..], ["a runs 4374", "a rallies: 7 on 7, routed", "a left the table"]);
    let stays = at_edge("4 4");
    assert_eq!(stays.log()[1..], ["a runs 4374", "a rallies: 8 on 7, shaken"]);
    assert!(stays.unit("a").on_table());
    assert_eq!(at_edge("6 6").unit("a").morale, Morale::Good);
}

#[test]
fn rout_17_an_officer_stays_with_another_unit_and_else_follows() {
    let with_officer = |friends: Vec<Maker>| {
        let guns = battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000);
        let mut table = table(open_ground(), [regiment().at(30_000, 30_000), guns].into_iter().chain(friends));
        let officer = leader("l", UNION, 30_000, 28_500);
        table.leaders.insert(officer.id.clone(), officer);
        let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
        let dice = ScriptedDice::parse("morale.hit a: 1 1\nrout.distance a: 1 1 2\nmorale.saw_rout f a: 6 5").unwrap();
        play_with(7, table, &dice, |play| settle(play, vec![fired(hit)])).log().contains(&"l goes along".to_owned())
    };
    assert!(with_officer(vec![]));
    assert!(!with_officer(vec![infantry("f", UNION).at(33_000, 28_500)]));
}

#[test]
fn rally_02_routed_units_move_their_full_allowance_in_phase_2_and_friends_check() {
    let units = [
        regiment().at(30_000, 40_000).facing(18_000).morale(Morale::Routed).disordered(),
        infantry("v", UNION).at(26_000, 32_000),
        battery("guns", CONFEDERATE).at(30_000, 58_000).facing(18_000),
    ];
    let dice = ScriptedDice::parse("morale.saw_rout v a: 5 5").unwrap();
    let played = play_with(2, table(open_ground(), units), &dice, |play| {
        assert_eq!(routed_moves(play), []);
    });
    assert_eq!(dice.finish(), Ok(()));
    // Infantry, routed, in the open: ten inches.
    assert_eq!(played.log(), ["a runs 10000", "v saw a rout: 10 on 3, passes, good"]);
    assert!(!played.unit("a").marks.bonus_taken);
}
