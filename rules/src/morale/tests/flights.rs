//! MOR-38, MOR-59, SHK: falling back.

use super::*;
use crate::dice::Purpose;
use crate::field::Field;
use crate::ground::{Area, Ground, Terrain, Wooded};
use crate::morale::reference::reference;
use crate::testing::{Maker, battery, cavalry, give, infantry, leader, open_ground, table};
use protocol::event::OrderShown;
use protocol::orders::{BatteryWhenShaken, CavalryWhenShaken, Instructions, Order};
use protocol::place::Bearing;
use protocol::words::Formation;

/// `a` in good morale at (30, 30) fails a check by the fire of guns 20 inches north of it.
fn shaken(a: Maker, others: Vec<Maker>, dice: &str) -> Played {
    shaken_on(open_ground(), a, others, dice)
}

fn shaken_on(ground: Ground, a: Maker, others: Vec<Maker>, dice: &str) -> Played {
    let guns = battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000);
    let units = [a.at(30_000, 30_000).with(|unit| unit.bmp = Some(6)), guns].into_iter().chain(others);
    shaken_at(table(ground, units), dice)
}

fn shaken_at(table: Table, dice: &str) -> Played {
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
    play(table, &format!("morale.hit a: 2 2\n{dice}"), vec![fired(hit)])
}

fn regiment() -> Maker {
    infantry("a", UNION)
}

fn everywhere(terrain: Terrain) -> Ground {
    let outline = vec![Point::new(0, 0), Point::new(60_000, 0), Point::new(60_000, 36_000), Point::new(0, 36_000)];
    let area = Area { id: "w".into(), name: "w".into(), terrain, wooded: Wooded::None, outline };
    Ground { areas: vec![area], ..open_ground() }
}

fn reference_of(table: &Table) -> (Option<UnitIx>, u32) {
    let dice = ScriptedDice::new();
    let found = reference(&Field::new(Ruleset::standard(), table, &dice), of(table, "a"), &[], None);
    (found.enemy, found.away.hundredths())
}

#[test]
fn mor_59_the_nearest_enemy_it_sees_else_the_scenario() {
    let a = || regiment().at(30_000, 30_000);
    let east = || infantry("e", CONFEDERATE).at(45_000, 30_000);
    let north = || infantry("n", CONFEDERATE).at(30_000, 35_000).facing(18_000);
    let alone = table(open_ground(), [a()]);
    // The Union's enemy lies to the south in the bare scenario.
    assert_eq!(reference_of(&alone), (None, 0));
    let both = table(open_ground(), [a(), east(), north()]);
    assert_eq!(reference_of(&both), (Some(of(&both, "n")), 18_000));
    let routed = table(open_ground(), [a(), east(), north().morale(Morale::Routed)]);
    assert_eq!(reference_of(&routed), (Some(of(&routed, "e")), 27_000));
}

#[test]
fn mor_59_equally_near_enemies_are_summed() {
    let west = infantry("w", CONFEDERATE).at(20_000, 39_688).facing(18_000);
    let east = infantry("e", CONFEDERATE).at(40_000, 39_688).facing(18_000);
    let (_, away) = reference_of(&table(open_ground(), [regiment().at(30_000, 30_000), west, east]));
    assert_eq!(away, 18_000);
}

#[test]
fn shk_02_to_04_infantry_falls_back_one_die_in_order_and_faces_the_enemy() {
    let played = shaken(regiment(), vec![], "shaken.distance a: 4");
    assert_eq!(played.log(), ["a hit by artillery or sharpshooters: 4 on 6, fails, shaken", "a falls back 4000"]);
    let footing = &played.unit("a").footing;
    assert_eq!((footing.anchor, footing.facing, footing.disorder), (Point::new(30_000, 26_000), Bearing::NORTH, false));
    assert!(played.unit("a").marks.fell_back);
}

#[test]
fn shk_04_it_turns_about_its_centre() {
    let played = shaken(regiment().facing(9_000), vec![], "shaken.distance a: 1");
    let unit = played.unit("a");
    // Facing east its centre lay half a stand's depth west of the anchor; from there the guns bear 89.1 degrees.
    assert!(unit.footing.facing.angle_to(Bearing::NORTH) < 200);
    assert!((unit.footing.anchor.x - 29_690).abs() <= 30 && (unit.footing.anchor.y - 29_313).abs() <= 30);
}

#[test]
fn shk_03_in_woods_or_rough_it_falls_back_in_disorder() {
    for (terrain, disorder) in [(Terrain::Woods, true), (Terrain::Rough, true), (Terrain::Broken, false)] {
        let played = shaken_on(everywhere(terrain), regiment(), vec![], "shaken.distance a: 2");
        assert_eq!(played.unit("a").footing.disorder, disorder);
        assert_eq!(played.unit("a").footing.anchor, Point::new(30_000, 28_000), "whatever the ground");
    }
}

#[test]
fn shk_01_an_officer_holds_it_where_it_is() {
    for (level, at, falls_back) in [(1, 29_000, false), (0, 29_000, true), (1, 27_000, true), (3, 27_000, false)] {
        let guns = battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000);
        let mut table = table(open_ground(), [regiment().at(30_000, 30_000).with(|unit| unit.bmp = Some(7)), guns]);
        let mut officer = leader("l", UNION, 30_000, at - 500);
        officer.level = level;
        table.leaders.insert(officer.id.clone(), officer);
        let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
        let dice = ScriptedDice::parse("morale.hit a: 1 2\nshaken.distance a: 1").unwrap();
        let played = play_with(7, table, &dice, |play| settle(play, vec![fired(hit)]));
        assert_eq!(played.unit("a").morale, Morale::Shaken);
        assert_eq!(played.log().contains(&"a falls back 1000".to_owned()), falls_back, "level {level} at {at}");
    }
}

#[test]
fn shk_05_it_stops_at_the_edge_and_an_inch_short_of_an_enemy() {
    let guns = || battery("guns", CONFEDERATE).at(30_000, 25_000).facing(18_000);
    let a = |y: i32| regiment().at(30_000, y).with(|unit| unit.bmp = Some(6));
    let played = shaken_at(table(open_ground(), [a(3_000), guns()]), "shaken.distance a: 5");
    // The rear of the line is 0.625 behind its front.
    assert_eq!(played.log()[1], "a falls back 2375");
    let behind_it = infantry("e", CONFEDERATE).at(30_000, 15_000).facing(18_000).morale(Morale::Routed);
    let played = shaken_at(table(open_ground(), [a(19_000), guns(), behind_it]), "shaken.distance a: 6");
    // Its rear is at 18.375, the enemy's rear, to the north, at 15.625: 2.75 less 1.
    let went = i32::try_from(match &played.events[1].fact {
        Fact::FellBack { distance, .. } => *distance,
        other => panic!("{other:?}"),
    });
    assert!((went.unwrap() - 1_750).abs() <= 2);
}

#[test]
fn shk_06_it_and_the_friend_it_passes_through_roll() {
    let friend = infantry("f", UNION).at(30_000, 28_000);
    let dice = "shaken.distance a: 5\ntactical.pass_through a f: 6\ntactical.pass_through f a: 2\nmorale.saw_rout x: 1";
    let dice = dice.lines().take(3).collect::<Vec<_>>().join("\n");
    // The BMP of `a` is 6 here: it cannot succeed.
    let played = shaken(regiment(), vec![friend], &dice);
    let expected = [
        "a falls back 5000",
        "a passing through f: false",
        "a disordered",
        "f passing through a: false",
        "f disordered",
    ];
    assert_eq!(played.log()[1..], expected);
}

#[test]
fn tc_08_skirmishers_and_guns_are_passed_without_a_roll() {
    let skirmishers = infantry("f", UNION).at(30_000, 28_000).formation(Formation::SkirmishLine);
    let played = shaken(regiment(), vec![skirmishers], "shaken.distance a: 5");
    assert_eq!(played.log()[1..], ["a falls back 5000"]);
    let guns = battery("g", UNION).at(30_000, 28_500);
    let played = shaken(regiment(), vec![guns], "shaken.distance a: 5");
    assert_eq!(played.log()[1..], ["a falls back 5000"]);
}

#[test]
fn mor_38_it_goes_on_until_it_is_clear_of_a_friend() {
    // Falling back 3 inches its stands, 0.625 deep, would lie on the friend's.
    let friend = infantry("f", UNION).at(30_000, 27_000).disordered();
    // MV-14 Who is in disorder rolls too, and has no order to lose.
    let dice = "shaken.distance a: 3\ntactical.pass_through a f: 1\ntactical.pass_through f a: 1";
    let played = shaken(regiment().disordered(), vec![friend], dice);
    assert_eq!(played.log()[2..], ["a passing through f: false", "f passing through a: false"]);
    let anchor = played.unit("a").footing.anchor;
    // Clear behind the friend, but for the tolerance of an overlap.
    assert!((anchor.y - 26_375).abs() <= 4, "{anchor:?}");
}

#[test]
fn shk_12_an_unlimbered_battery_goes_back_one_die_and_is_silent() {
    let played = shaken(battery("a", UNION), vec![], "shaken.distance a: 3");
    assert_eq!(played.log()[1], "a falls back 3000");
    let unit = played.unit("a");
    assert_eq!((unit.footing.formation, unit.footing.disorder), (Formation::Unlimbered, false));
    assert!(unit.marks.guns_silent, "SHK-14");
}

#[test]
fn shk_12_without_horses_it_stays_and_loses_its_fire() {
    let stuck = battery("a", UNION).with(|unit| unit.guns.as_mut().unwrap().horses = 0);
    let played = shaken(stuck, vec![], "");
    assert_eq!(played.log()[1], "a falls back 0");
    assert_eq!(played.unit("a").footing.anchor, Point::new(30_000, 30_000));
    assert!(played.unit("a").marks.guns_silent);
}

#[test]
fn shk_13_a_limbered_battery_goes_twice_the_die_and_may_unlimber() {
    let limbered = || battery("a", UNION).formation(Formation::Limbered);
    let played = shaken(limbered(), vec![], "shaken.distance a: 3");
    assert_eq!(played.log()[1], "a falls back 6000");
    assert_eq!(played.unit("a").footing.formation, Formation::Limbered);

    let guns = battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000);
    let table = table(open_ground(), [limbered().at(30_000, 30_000).with(|unit| unit.bmp = Some(6)), guns]);
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
    let dice = ScriptedDice::parse("morale.hit a: 2 2\nshaken.distance a: 3").unwrap();
    let played = play_with(7, table, &dice, |play| {
        let said = Instructions { battery_when_shaken: Some(BatteryWhenShaken::Unlimber), ..Instructions::default() };
        give(&mut play.battle, "a", Order::Hold { task: None }, said);
        settle(play, vec![fired(hit)]);
    });
    let unit = played.unit("a");
    assert_eq!((unit.footing.formation, unit.last_formed), (Formation::Unlimbered, Formation::Unlimbered));
    // ORG-09: the centre stays; limbered it lay 1 inch behind the front, unlimbered half an inch.
    assert_eq!(unit.footing.anchor, Point::new(30_000, 23_500));
}

#[test]
fn shk_15_mounted_cavalry_falls_back_two_dice_in_disorder() {
    let played = shaken(cavalry("a", UNION), vec![], "shaken.distance a: 3 4");
    assert_eq!(played.log()[1], "a falls back 7000");
    assert!(played.unit("a").footing.disorder);
    let sentence = &played.events.last().unwrap().explanation.sentence;
    assert!(sentence.contains(", in disorder: "), "{sentence}");
}

#[test]
fn shk_16_dismounted_cavalry_that_remounts_falls_back_two_dice_in_disorder() {
    let dismounted = cavalry("a", UNION).at(30_000, 30_000).with(|unit| {
        unit.mounted = false;
        unit.bmp = Some(6);
        unit.footing.formation = Formation::DismountedLine;
        unit.last_formed = Formation::DismountedLine;
        (unit.stand_width, unit.stand_depth) = (875, 625);
    });
    let table = table(open_ground(), [dismounted, battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000)]);
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
    let dice = ScriptedDice::parse("morale.hit a: 2 2\nshaken.distance a: 3 4").unwrap();
    let played = play_with(7, table, &dice, |play| {
        let said = Instructions { cavalry_when_shaken: Some(CavalryWhenShaken::Remount), ..Instructions::default() };
        give(&mut play.battle, "a", Order::Hold { task: None }, said);
        settle(play, vec![fired(hit)]);
    });
    assert_eq!(dice.finish(), Ok(()));
    assert_eq!(played.log()[1], "a falls back 7000");
    let unit = played.unit("a");
    assert!(unit.mounted && unit.footing.disorder);
    // Mounted stands are 1 inch wide and 1.333 deep; the front stays where the men stood, less the seven inches.
    assert_eq!((unit.stand_width, unit.stand_depth), (1_000, 1_333));
    assert_eq!((unit.footing.formation, unit.last_formed), (Formation::SingleLine, Formation::SingleLine));
    assert_eq!(unit.footing.anchor, Point::new(30_000, 23_000));
}

#[test]
fn shk_16_dismounted_cavalry_stays_dismounted_and_falls_back_one_die() {
    let dismounted = cavalry("a", UNION).with(|unit| {
        unit.mounted = false;
        (unit.stand_width, unit.stand_depth) = (875, 625);
    });
    let played = shaken(dismounted, vec![], "shaken.distance a: 3");
    assert_eq!(played.log()[1], "a falls back 3000");
    assert!(!played.unit("a").footing.disorder && !played.unit("a").mounted);
}

#[test]
fn shk_09_its_movement_is_over_when_it_has_fallen_back() {
    let shown = OrderShown::Move { bearing: Bearing::NORTH, formation: None };
    let played = shaken(regiment().with(|unit| unit.marks.shown = Some(shown)), vec![], "shaken.distance a: 1");
    assert_eq!(played.log()[1..], ["a order void", "a falls back 1000"]);
    assert!(played.unit("a").marks.order_spent);
}

/// `a`, in a charge, goes shaken by fire.
fn shaken_in_its_charge(officer: bool, dice: &str) -> Played {
    let charges = OrderShown::Charge { target: None, support_of: None };
    let a = regiment().at(30_000, 30_000).with(|unit| {
        unit.bmp = Some(6);
        unit.marks.shown = Some(charges);
    });
    let mut table = table(open_ground(), [a, battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000)]);
    if officer {
        let mut officer = leader("l", UNION, 30_000, 28_500);
        officer.marks.began_with.push("a".into());
        table.leaders.insert(officer.id.clone(), officer);
    }
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "a", "guns") };
    let charge = crate::morale::InCharge { charging: [of(&table, "a")].into(), ..Default::default() };
    let dice = ScriptedDice::parse(&format!("morale.hit a: 1 3\n{dice}")).unwrap();
    let played = play_with(6, table, &dice, |play| {
        crate::morale::settle_in_charge(play, vec![fired(hit)], &charge);
    });
    assert_eq!(dice.finish(), Ok(()));
    played
}

#[test]
fn shk_19_a_charging_unit_that_goes_shaken_is_out_of_the_charge() {
    // BMP 6, charging -1: a 4 fails. It falls back, and its order is over.
    let played = shaken_in_its_charge(false, "shaken.distance a: 2");
    let failed = "a hit by artillery or sharpshooters: 4 on 5, fails, shaken";
    assert_eq!(played.log(), [failed, "a order void", "a falls back 2000"]);
    // With an officer, -1 more, it halts where it is, and its order is over all the same.
    let played = shaken_in_its_charge(true, "");
    let failed = "a hit by artillery or sharpshooters: 4 on 4, fails, shaken";
    assert_eq!(played.log(), [failed, "a order void"]);
    assert_eq!(played.unit("a").footing.anchor, Point::new(30_000, 30_000));
    assert!(played.unit("a").marks.order_spent);
}

#[test]
fn shk_17_in_a_melee_it_stays_and_rout_13_a_rout_is_surrender() {
    let fight = |dice: &str| {
        let e = infantry("e", CONFEDERATE).at(30_000, 30_625).facing(18_000);
        let table = table(open_ground(), [regiment().at(30_000, 30_000), e]);
        let (a, e) = (of(&table, "a"), of(&table, "e"));
        let charge = crate::morale::InCharge { opponent: [(a, e), (e, a)].into(), melee: true, ..Default::default() };
        let loss = FiredOn { figures: 1, first_casualty: true, ..fire(&table, "a", "e") };
        let dice = ScriptedDice::new().with(Purpose::MoraleFirstCasualty, &["a"], &faces(dice));
        let played = play_with(6, table, &dice, |play| {
            crate::morale::settle_in_charge(play, vec![fired(loss)], &charge);
        });
        assert_eq!(dice.finish(), Ok(()));
        played.log()
    };
    assert_eq!(fight("1 2"), ["a first casualty: 3 on 3, fails, shaken"]);
    assert_eq!(fight("1 1"), ["a first casualty: 2 on 3, fails, routed", "a surrendered"]);
}

fn faces(dice: &str) -> Vec<u8> {
    dice.split(' ').map(|face| face.parse().unwrap()).collect()
}

#[test]
fn lead_12_an_officer_of_level_0_goes_along() {
    let guns = battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000);
    let mut table = table(open_ground(), [regiment().at(30_000, 30_000).with(|unit| unit.bmp = Some(6)), guns]);
    let mut officer = leader("l", UNION, 30_000, 28_500);
    officer.level = 0;
    table.leaders.insert(officer.id.clone(), officer);
    let played = shaken_at(table, "shaken.distance a: 4");
    assert_eq!(played.log()[1..], ["a falls back 4000", "l goes along"]);
    assert_eq!(played.table.leaders.values().next().unwrap().at, Point::new(30_000, 24_500));
}

#[test]
fn shk_05_an_enemy_picket_stops_it_an_inch_off_and_a_picket_of_its_own_does_not() {
    // The marker's rear is half a footprint... its front edge is at y = 26, facing north, so a rear edge at 27 is an inch off:
    // 30 - 0.625 - 27 = 2.375 inches, and the two thousandths of the tolerance. Its own picket bars nothing.
    for (side, distance) in [(CONFEDERATE, 2_377), (UNION, 4_000)] {
        let guns = battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000);
        let mut table = table(open_ground(), [regiment().at(30_000, 30_000).with(|unit| unit.bmp = Some(6)), guns]);
        let number = protocol::ids::PicketNumber(7);
        let (at, facing) = (Point::new(30_000, 26_000), Bearing::NORTH);
        let (confirmed, shown, travelled, commitment) = (None, None, Vec::new(), String::new());
        let picket = crate::battle::Picket { number, side, at, facing, confirmed, shown, travelled, commitment };
        table.pickets.insert(number, picket);
        let played = shaken_at(table, "shaken.distance a: 4");
        assert_eq!(played.log()[1], format!("a falls back {distance}"));
    }
}

#[test]
fn mor_38_with_no_free_place_farther_on_it_ends_at_the_last_free_one() {
    // It falls back four inches onto a friend whose front is at y = 26; farther on a routed enemy, whose front is at 23.9, bars
    // the way at an inch. So it ends before the friend, 30 - 0.625 - 26 = 3.375 inches off, and at most the tolerance of two
    // thousandths; not before the battery that it has passed, whose front is at 28.5 and which asks for no roll. TC-08
    let friends = vec![
        infantry("f", UNION).at(30_000, 26_000),
        battery("g", UNION).at(30_000, 28_500),
        infantry("e", CONFEDERATE).morale(Morale::Routed).at(30_000, 23_900),
    ];
    let played = shaken(regiment(), friends, "shaken.distance a: 4");
    let travelled = 30_000 - played.unit("a").footing.anchor.y;
    assert!((3_375..=3_377).contains(&travelled), "{:?}", played.log());
}

#[test]
fn shk_19_an_officer_holds_it_in_place_and_only_a_charge_ends() {
    let voided = |shown: OrderShown| {
        let guns = battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000);
        let shown = regiment().at(30_000, 30_000).with(|unit| {
            // Whatever the officer is worth, a 4 fails.
            unit.bmp = Some(6);
            unit.marks.shown = Some(shown);
        });
        let mut table = table(open_ground(), [shown, guns]);
        let mut officer = leader("l", UNION, 30_000, 28_700);
        officer.marks.began_with.push("a".into());
        table.leaders.insert(officer.id.clone(), officer);
        let played = shaken_at(table, "");
        assert_eq!(played.unit("a").footing.anchor, Point::new(30_000, 30_000), "{:?}", played.log());
        (played.unit("a").morale, played.unit("a").marks.order_spent)
    };
    assert_eq!(voided(OrderShown::Move { bearing: Bearing::NORTH, formation: None }), (Morale::Shaken, false));
}

#[test]
fn tac_07_men_who_lie_down_rise_to_fall_back() {
    let played = shaken(regiment().prone(), vec![], "shaken.distance a: 2");
    assert_eq!(played.log()[1], "a falls back 2000");
    assert!(!played.unit("a").footing.prone);
}
