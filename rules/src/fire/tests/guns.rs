//! One test a rule for ARTY, AMMO and PEN, where the worked examples are silent.

use protocol::event::{Fact, FlankClass};
use protocol::ids::{BrigadeId, FeatureId, Side};
use protocol::orders::{Canister, GroupFire, Order, RangeBand, TargetChoice};
use protocol::place::Point;
use protocol::words::{Arm, Formation};

use super::examples::{guns, obstacle, woods};
use super::{
    Candidates, HOLD, Occasion, Shot, Wishes, blue, chosen, fired, fired_as, grey, ground_with, laid, shot, volley_dice,
};
use crate::battle::{Post, Table};
use crate::catalogue::{ARTY_01, ARTY_55, RuleId, VIS_13};
use crate::dice::{Purpose, ScriptedDice};
use crate::field::Field;
use crate::fire::{Laid, Officers, Round, choose, combine, lay, may_fire};
use crate::geometry::EPS;
use crate::ground::{Building, BuildingKind, Contour, Ground, ObstacleKind};
use crate::ruleset::{Ruleset, Strength};
use crate::testing::{Maker, battery, cavalry, commander, infantry, ix, leader, open_ground, table};

/// The shot that a battery would choose on HOLD.
fn aimed(table: &Table, unit: &str, wishes: &Wishes, order: &Order, occasion: Occasion) -> Option<Shot> {
    let field = Field::before_dice(Ruleset::standard(), table);
    let looking = Candidates { field: &field, unit: ix(table, unit), order, wishes, occasion, dice: None };
    choose(&looking).ok()
}

/// The reckoning of a shot on HOLD, or the rule that forbids it.
fn tried(table: &Table, change: impl FnOnce(&mut Shot)) -> Result<Laid, RuleId> {
    let field = Field::before_dice(Ruleset::standard(), table);
    let mut one = shot(table, "a", "b", &HOLD, Occasion::Hold);
    change(&mut one);
    lay(&field, &one, &Officers::Present).map_err(|reason| reason.rule)
}

#[test]
fn arty_01_limbered_guns_do_not_fire() {
    let unit = guns("a", 2).formation(Formation::Limbered).unit();
    assert_eq!(may_fire(&unit, &HOLD, Occasion::Hold).map_err(|reason| reason.rule), Err(ARTY_01));
    assert_eq!(may_fire(&guns("a", 2).unit(), &HOLD, Occasion::Hold), Ok(()));
}

#[test]
fn arty_08_guns_as_a_target() {
    let drm = |firer: Maker, formation| {
        let target = battery("b", Side::Confederate).at(30_000, 34_000).facing(18_000).formation(formation);
        let table = table(open_ground(), [firer, target]);
        laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold)).modifiers.total()
    };
    use Formation::{Limbered, Unlimbered};
    assert_eq!([drm(blue("a", 12), Limbered), drm(blue("a", 12), Unlimbered)], [3, -3]);
    assert_eq!([drm(guns("a", 2), Limbered), drm(guns("a", 2), Unlimbered)], [3, -3]);
}

/// Batteries in a row from x = 30 inches eastward, with gaps of so many thousandths between the guns, of these sections; a
/// regiment twenty inches north of the first. All of one battalion, or of none.
fn row(ground: Ground, gap: i32, sections: &[u32], battalion: bool) -> (Table, Vec<String>) {
    let ids: Vec<String> = (0..sections.len()).map(|n| format!("g{n}")).collect();
    let batteries = ids.iter().zip(sections).enumerate().map(|(n, (id, sections))| {
        let place = 30_000 + (1_000 + gap) * n as i32;
        guns(id, *sections).at(place, 30_000).with(|unit| unit.brigade = battalion.then(|| BrigadeId::new("hunt")))
    });
    let mut table = table(ground, batteries.chain([grey("b", 16, 20_000)]));
    commander(&mut table, "hunt", Post::Brigade, (2_000, 2_000), None);
    table.brigades.get_mut(&BrigadeId::new("hunt")).expect("the commander has his battalion").guns = true;
    (table, ids)
}

/// The sections of each shoot that comes of shots of all batteries at the regiment, in order.
fn shoots((table, ids): &(Table, Vec<String>), group: GroupFire) -> Vec<i32> {
    let field = Field::before_dice(Ruleset::standard(), table);
    let shots = ids.iter().map(|id| shot(table, id, "b", &HOLD, Occasion::Hold)).collect();
    let wishes: Vec<_> = ids.iter().map(|id| (ix(table, id), Wishes { group, ..Wishes::default() })).collect();
    let mut sections: Vec<i32> = combine(&field, shots, &wishes)
        .iter()
        .map(|shot| match laid(table, shot).strength {
            Strength::Sections(count) => count,
            Strength::Figures(count) => panic!("guns fire by sections, not by {count} figures"),
        })
        .collect();
    sections.sort_unstable();
    sections
}

#[test]
fn arty_13_and_16_which_batteries_fire_as_one() {
    let open = |gap, battalion| shoots(&row(open_ground(), gap, &[2, 3], battalion), GroupFire::Battalion);
    // Of one battalion two inches, others one.
    assert_eq!([open(2_000, true), open(2_010, true)], [vec![5], vec![2, 3]]);
    assert_eq!([open(1_000, false), open(1_010, false)], [vec![5], vec![2, 3]]);
    // In woods one inch for all. The wood reaches half an inch before the guns.
    let wooded = |gap| {
        let ground = ground_with(|ground| ground.areas.push(woods(28_000, 30_500)));
        shoots(&row(ground, gap, &[2, 3], true), GroupFire::Battalion)
    };
    assert_eq!([wooded(1_000), wooded(1_010)], [vec![5], vec![2, 3]]);
    // Nor is the wood asked for under both: it ends a quarter of an inch east of the first.
    let half_wooded = |gap| {
        let mut wood = woods(28_000, 30_500);
        wood.outline.iter_mut().filter(|corner| 40_000 < corner.x).for_each(|corner| corner.x = 30_750);
        let ground = ground_with(|ground| ground.areas.push(wood));
        shoots(&row(ground, gap, &[2, 3], true), GroupFire::Battalion)
    };
    assert_eq!([half_wooded(1_000), half_wooded(1_010)], [vec![5], vec![2, 3]]);
    // Two battalions are not one, however near an inch and a half is.
    let (mut table, ids) = row(open_ground(), 1_500, &[2, 3], true);
    let other = ix(&table, "g0");
    table[other].brigade = Some(BrigadeId::new("walker"));
    assert_eq!(shoots(&(table, ids), GroupFire::Battalion), [2, 3]);
    // Links pass on from battery to battery.
    assert_eq!(shoots(&row(open_ground(), 1_900, &[2, 2, 2], true), GroupFire::Battalion), [6]);
}

#[test]
fn arty_15_sections_are_counted() {
    let after_a_loss = guns("a", 3).with(|unit| unit.stands[0].figures = 2);
    let table = table(open_ground(), [after_a_loss, grey("b", 12, 5_000)]);
    assert_eq!(laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold)).strength, Strength::Sections(2));
}

#[test]
fn arty_17_sixteen_sections_at_most() {
    let all = |sections: &[u32]| shoots(&row(open_ground(), 500, sections, true), GroupFire::Battalion);
    // From the nearest on: 6 + 6, then 5, which would make 17.
    assert_eq!(all(&[6, 6, 5]), [5, 12]);
    assert_eq!(all(&[6, 6, 4]), [16]);
    // From the nearest on 4 + 6 + 5, 6 + 6 and 5 would be three shoots; the largest first make two of sixteen: 6 + 6 + 4
    // and 6 + 5 + 5.
    assert_eq!(all(&[4, 6, 5, 6, 6, 5]), [16, 16]);
    // Two either way: then from the nearest on, 5 + 6 and 6, not 6 + 6 and 5.
    assert_eq!(all(&[5, 6, 6]), [6, 11]);
}

#[test]
fn arty_21_combining_is_a_right() {
    let three = row(open_ground(), 500, &[2, 2, 2], true);
    assert_eq!(shoots(&three, GroupFire::Battalion), [6]);
    assert_eq!(shoots(&three, GroupFire::Single), [2, 2, 2]);
    // By default only those of equal dice: a shaken battery has a die less.
    let (mut table, ids) = three;
    let shaken = ix(&table, "g1");
    table[shaken].morale = protocol::event::Morale::Shaken;
    assert_eq!(shoots(&(table, ids), GroupFire::Battalion), [2, 4]);
    // And of equal modifiers: an elite battery has its own.
    let (mut table, ids) = row(open_ground(), 500, &[2, 2, 2], true);
    let elite = ix(&table, "g1");
    table[elite].quality = protocol::words::Quality::Elite;
    assert_eq!(shoots(&(table, ids), GroupFire::Battalion), [2, 4]);
}

#[test]
fn arty_22_canister_within_its_range_or_shot() {
    let round = |range: i32, canister| {
        let table = table(open_ground(), [guns("a", 2), grey("b", 12, range)]);
        let wishes = Wishes { canister, ..Wishes::default() };
        let one = aimed(&table, "a", &wishes, &HOLD, Occasion::Hold).expect("it is in the arc");
        (one.round, laid(&table, &one).dice_count())
    };
    // A Napoleon's canister reaches three inches. HOLD 3, canister 2 more.
    assert_eq!(round(3_000, Canister::Single), (Round::Canister, 5));
    assert_eq!(round(3_000 + EPS + 1, Canister::Single), (Round::Plain, 3));
    // Shot within canister range: as at normal range.
    assert_eq!(round(2_000, Canister::Never), (Round::Plain, 3));
}

#[test]
fn arty_25_guns_choose_freely_in_their_arc() {
    let units = || {
        let horse = cavalry("horse", Side::Confederate).at(26_000, 37_000).facing(18_000);
        let pieces = battery("pieces", Side::Confederate).at(34_500, 39_000).facing(18_000);
        [guns("a", 2), grey("foot", 12, 5_000), horse, pieces]
    };
    let whom = |target| {
        let table = table(open_ground(), units());
        chosen(&table, "a", &Wishes { target, ..Wishes::default() }).unwrap_or_default()
    };
    assert_eq!(whom(TargetChoice::Nearest {}), "foot");
    assert_eq!(whom(TargetChoice::Cavalry {}), "horse");
    assert_eq!(whom(TargetChoice::Artillery {}), "pieces");
    assert_eq!(whom(TargetChoice::Units { units: vec!["ghost".into(), "pieces".into(), "foot".into()] }), "pieces");
    // Nearest of all if there is none of the kind.
    let table = table(open_ground(), [guns("a", 2), grey("foot", 12, 5_000)]);
    let wishes = Wishes { target: TargetChoice::Cavalry {}, ..Wishes::default() };
    assert_eq!(chosen(&table, "a", &wishes).as_deref(), Some("foot"));
}

#[test]
fn arty_26_on_first_fire_only_what_is_in_the_arc() {
    let target = |x| grey("b", 12, 0).at(x, 33_000);
    let fires = |x| {
        let table = table(open_ground(), [guns("a", 2), target(x)]);
        aimed(&table, "a", &Wishes::default(), &Order::FirstFire {}, Occasion::FirstFire).is_some()
    };
    // The corner is at x = 30.5. The nearest stand's centre is 3.31 ahead of it and 1.12 west of the target's middle: within 45
    // degrees while the middle is at most at x = 34.93.
    assert!(fires(34_700));
    assert!(!fires(35_000));
}

#[test]
fn arty_30_no_canister_through_friendly_skirmishers() {
    // One of the skirmishers' stands is straight ahead of the guns: they stand a stand's width apart.
    let skirmishers = infantry("f", Side::Union).at(30_875, 31_500).formation(Formation::SkirmishLine);
    let skirmishers = skirmishers.with(|unit| unit.footing.gap = 875);
    let table = table(open_ground(), [guns("a", 2), skirmishers, grey("b", 8, 2_800)]);
    assert_eq!(tried(&table, |one| one.round = Round::Canister).err(), Some(VIS_13));
    let one = aimed(&table, "a", &Wishes::default(), &HOLD, Occasion::Hold).expect("shot passes skirmishers");
    assert_eq!(one.round, Round::Plain);
}

/// Guns on a hill whose crest is 0.4 inches before their front, or on level ground, a friend below at so many thousandths, the enemy ten inches
/// off.
fn over_a_friend(feet: i32, friend: i32) -> Table {
    let ground = ground_with(|ground| {
        let outline = [(10_000, 20_000), (50_000, 20_000), (50_000, 30_400), (10_000, 30_400)];
        let outline = outline.map(|(x, y)| Point::new(x, y)).into();
        ground.contours.extend((0 < feet).then_some(Contour { feet, outline }));
    });
    table(ground, [guns("a", 4), infantry("f", Side::Union).at(30_000, 30_000 + friend), grey("b", 16, 10_000)])
}

#[test]
fn arty_31_over_friends_near_the_guns() {
    // The friend's front is 3 inches ahead, its rear 2.375: nearer to the guns than its 7 inches to the enemy.
    let near = over_a_friend(20, 3_000);
    assert!(tried(&near, |_| {}).is_ok_and(|laid| laid.over.is_empty()));
    // On level ground, or with canister, nobody fires over anybody.
    assert_eq!(tried(&over_a_friend(0, 3_000), |_| {}).err(), Some(VIS_13));
    assert_eq!(tried(&near, |one| one.round = Round::Canister).err(), Some(VIS_13));
}

#[test]
fn arty_32_over_friends_near_the_enemy_with_a_roll() {
    // The friend's rear is 5.375 inches from the guns, its front 4 from the enemy.
    let field = || over_a_friend(20, 6_000);
    assert_eq!(tried(&field(), |_| {}).err(), Some(VIS_13), "no risk is taken unasked");
    let mut one = shot(&field(), "a", "b", &HOLD, Occasion::Hold);
    one.firers[0].overhead_risk = true;
    // A veteran's 4 beats 3: only the enemy is hit. Four sections at 13 kill two.
    let dice =
        volley_dice("a", &[5, 5, 3]).with(Purpose::ArtyOverhead, &["a"], &[4]).with(Purpose::PenDepth, &["a"], &[1]);
    let came = fired_as(field(), 7, dice, vec![one.clone()]);
    assert_eq!((came.left("b"), came.left("f")), (14, 16));
    // An artillery officer takes one off.
    let mut led = field();
    let mut chief = leader("hunt", Side::Union, 30_000, 29_000);
    chief.arm = Some(Arm::Artillery);
    led.leaders.insert(chief.id.clone(), chief);
    // 13 and 1 for the officer are 14: two.
    let dice =
        volley_dice("a", &[5, 5, 3]).with(Purpose::ArtyOverhead, &["a"], &[3]).with(Purpose::PenDepth, &["a"], &[1]);
    let came = fired_as(led, 7, dice, vec![one]);
    assert_eq!((came.left("b"), came.left("f")), (14, 16));
}

#[test]
fn arty_33_never_over_friends_within_three_inches_of_the_enemy() {
    let risky = |one: &mut Shot| one.firers[0].overhead_risk = true;
    assert!(tried(&over_a_friend(20, 7_000), risky).is_ok());
    assert_eq!(tried(&over_a_friend(20, 7_010), risky).err(), Some(VIS_13));
}

#[test]
fn arty_34_and_35_a_failed_roll_hits_the_friends_too_from_behind() {
    let field = over_a_friend(20, 6_000);
    let mut one = shot(&field, "a", "b", &HOLD, Occasion::Hold);
    one.firers[0].overhead_risk = true;
    let dice =
        volley_dice("a", &[5, 5, 3]).with(Purpose::ArtyOverhead, &["a"], &[3]).with(Purpose::PenDepth, &["a"], &[1]);
    let came = fired_as(field, 7, dice, vec![one]);
    assert_eq!((came.left("b"), came.left("f")), (14, 14));
    let struck = came.happenings.iter().filter_map(|happening| match happening {
        crate::settle::Happening::FiredOn(fire) => Some((fire.figures, fire.flank, fire.forces_hit_check)),
        _ => None,
    });
    let mut struck: Vec<_> = struck.collect();
    struck.sort_by_key(|(_, flank, _)| *flank);
    assert_eq!(struck, [(2, FlankClass::Front, true), (2, FlankClass::Rear, true)]);
}

#[test]
fn arty_50_uncommon_guns_have_their_own_ranges() {
    let band = |weapon: &str, range| {
        let table = table(open_ground(), [guns("a", 2).weapon(weapon), grey("b", 12, range)]);
        tried(&table, |_| {}).map(|laid| laid.band).ok()
    };
    let of = |weapon: &str, ranges: [i32; 4]| ranges.map(|range| band(weapon, range));
    use RangeBand::{Close, Long, Normal};
    assert_eq!(of("wiard_6", [1_000, 1_010, 16_010, 29_000]), [Some(Close), Some(Normal), Some(Long), Some(Long)]);
    assert_eq!(of("james_12", [2_000, 2_010, 14_000, 14_010]), [Some(Close), Some(Normal), Some(Normal), Some(Long)]);
}

#[test]
fn arty_52_and_54_siege_and_fortress_guns_roll_three_more_for_canister_and_never_double() {
    for (weapon, reach) in [("siege_parrott_30", 3_000), ("fort_columbiad_10in", 5_000)] {
        let table = table(open_ground(), [guns("a", 2).weapon(weapon), grey("b", 12, reach)]);
        let wishes = Wishes { canister: Canister::Double, ..Wishes::default() };
        let one = aimed(&table, "a", &wishes, &HOLD, Occasion::Hold).expect("it is in the arc");
        assert_eq!((one.round, laid(&table, &one).dice_count()), (Round::Canister, 6), "{weapon}");
    }
}

#[test]
fn ammo_02_a_die_less_and_nothing_more_for_sixes_again() {
    let empty = || blue("a", 12).with(|unit| unit.ammunition_out_since = Some(1));
    let table = table(open_ground(), [empty(), grey("b", 16, 3_000)]);
    assert_eq!(laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold)).dice_count(), 2);
    let came = fired(table, 7, volley_dice("a", &[6, 6]), &[("a", "b", HOLD, Occasion::Hold)]);
    assert_eq!(came.battle.table[ix(&came.battle.table, "a")].ammunition_out_since, Some(1));
    assert!(!came.facts.iter().any(|fact| matches!(fact, Fact::Ammunition { .. })));
    // At least one die is left: shaken and out of ammunition, at long range. FIRE-09
    let worst = empty().morale(protocol::event::Morale::Shaken);
    let table = crate::testing::table(open_ground(), [worst, grey("b", 16, 5_000)]);
    assert_eq!(laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold)).dice_count(), 1);
}

#[test]
fn ammo_07_a_group_runs_out_together() {
    let (table, ids) = row(open_ground(), 500, &[2, 2], true);
    let mut one = shot(&table, &ids[0], "b", &HOLD, Occasion::Hold);
    one.firers.extend(shot(&table, &ids[1], "b", &HOLD, Occasion::Hold).firers);
    // Two dice at long range: 12 and nothing else, on four sections one figure.
    let came = fired_as(table, 7, volley_dice("g0", &[6, 6]), vec![one]);
    let out = |unit: &str| came.battle.table[ix(&came.battle.table, unit)].ammunition_out();
    assert!(out("g0") && out("g1"));
}

#[test]
fn ammo_09_and_10_sixes_with_canister_and_its_charges() {
    let with_charges = |charges: u32, range: i32| {
        let firer = guns("a", 2).with(|unit| unit.guns.as_mut().expect("a battery has guns").canister = charges);
        table(open_ground(), [firer, grey("b", 16, range)])
    };
    let wished = |charges, canister| {
        let wishes = Wishes { canister, ..Wishes::default() };
        aimed(&with_charges(charges, 2_500), "a", &wishes, &HOLD, Occasion::Hold).expect("it is in the arc").round
    };
    assert_eq!([wished(2, Canister::Double), wished(1, Canister::Double)], [Round::DoubleCanister, Round::Canister]);
    assert_eq!(wished(0, Canister::Double), Round::Plain);
    // Canister costs one charge, double canister two; five sixes empty the chests for shot and canister alike, and leave the
    // canister as it is.
    for (round, dice, left) in [(Round::Canister, 5, 1), (Round::DoubleCanister, 6, 0)] {
        let table = with_charges(2, 2_500);
        let one = Shot { round, ..shot(&table, "a", "b", &HOLD, Occasion::Hold) };
        let came = fired_as(table, 7, volley_dice("a", &vec![6; dice]), vec![one]);
        let unit = &came.battle.table[ix(&came.battle.table, "a")];
        assert_eq!((unit.ammunition_out(), unit.guns.as_ref().map(|guns| guns.canister)), (true, Some(left)));
    }
}

/// What stands so far behind a target's rear loses to a volley, of which the target loses two or more.
fn struck_behind(ground: Ground, firer: Maker, range: i32, gap: i32, round: Round, dice: ScriptedDice) -> bool {
    let table = table(ground, [firer, grey("b", 16, range), grey("c", 16, range + 625 + gap)]);
    let one = Shot { round, ..shot(&table, "a", "b", &HOLD, Occasion::Hold) };
    fired_as(table, 7, dice, vec![one]).left("c") < 16
}

#[test]
fn pen_01_how_far_fire_reaches_past_its_target() {
    let open = |firer, range, gap, round, dice| struck_behind(open_ground(), firer, range, gap, round, dice);
    // Twelve figures at 12 kill two, of which those behind lose one. At close range two inches, at normal range one.
    let muskets = |range, gap| {
        let faces: &[u8] = if range <= 2_000 { &[3, 3, 3, 3] } else { &[4, 4, 4] };
        open(blue("a", 12), range, gap, Round::Plain, volley_dice("a", faces))
    };
    assert_eq!([muskets(2_000, 1_900), muskets(2_000, 2_100)], [true, false]);
    assert_eq!([muskets(4_000, 900), muskets(4_000, 1_100)], [true, false]);
    // Four sections, 14: two. Shot reaches a die of inches, canister two inches.
    let shot = |gap, pips| {
        let dice = volley_dice("a", &[5, 5, 4]).with(Purpose::PenDepth, &["a"], &[pips]);
        open(guns("a", 4), 6_000, gap, Round::Plain, dice)
    };
    assert_eq!([shot(2_900, 3), shot(3_100, 3), shot(5_900, 6)], [true, false, true]);
    let canister = |gap| open(guns("a", 4), 2_500, gap, Round::Canister, volley_dice("a", &[3, 3, 3, 3, 2]));
    assert_eq!([canister(1_900), canister(2_100)], [true, false]);
}

#[test]
fn pen_03_halved_by_woods_and_by_hasty_works() {
    // Close range: two inches, halved one. Sixteen figures: the dice show 14, less 2 for woods or 3 for works: 12 and 11
    // kill three and two; half of three is settled by a die.
    let wooded = |gap| {
        let ground = ground_with(|ground| ground.areas.push(woods(31_400, 36_000)));
        let dice = volley_dice("a", &[4, 4, 3, 3]).with(Purpose::PenFraction, &["a", "c"], &[4]);
        let dice = if gap < 1_000 { dice } else { volley_dice("a", &[4, 4, 3, 3]) };
        struck_behind(ground, blue("a", 16), 1_500, gap, Round::Plain, dice)
    };
    assert_eq!([wooded(900), wooded(1_100)], [true, false]);
    let behind_works = |kind, gap| {
        let ground = ground_with(|ground| ground.obstacles.push(obstacle(kind, 31_300)));
        struck_behind(ground, blue("a", 16), 1_500, gap, Round::Plain, volley_dice("a", &[4, 4, 3, 3]))
    };
    assert_eq!(
        [behind_works(ObstacleKind::HastyWorks, 900), behind_works(ObstacleKind::HastyWorks, 1_100)],
        [true, false]
    );
}

#[test]
fn pen_06_units_of_either_side_are_hit() {
    let friend = infantry("f", Side::Union).at(30_000, 33_500);
    let table = table(open_ground(), [blue("a", 12), grey("b", 16, 2_000), friend]);
    let came = fired(table, 7, volley_dice("a", &[3, 3, 3, 3]), &[("a", "b", HOLD, Occasion::Hold)]);
    assert_eq!((came.left("b"), came.left("f")), (14, 15));
}

#[test]
fn pen_06_by_the_house_rule_only_the_side_that_was_fired_at_is_hit() {
    // 12 on twelve figures: 2 of `b`, and 1 of each who stands behind it; the friend of the firer goes free.
    let friend = infantry("f", Side::Union).at(30_000, 33_500);
    for (word, left) in [("everybody", 15), ("enemies", 16)] {
        let units = [blue("a", 12), grey("b", 16, 2_000), friend.clone()];
        let table = crate::testing::played_by(table(open_ground(), units), &[("penetration_hits", word)]);
        let came = fired(table, 7, volley_dice("a", &[3, 3, 3, 3]), &[("a", "b", HOLD, Occasion::Hold)]);
        assert_eq!((came.left("b"), came.left("f")), (14, left), "{word}");
    }
}

#[test]
fn pen_07_only_casualties_penetrate() {
    // Twelve figures at 8: 1*. Confirmed it passes on half a figure, which a die settles; unconfirmed nothing is thrown for.
    for (confirm, fraction, left) in [(4, Some(4), 15), (4, Some(3), 16), (3, None, 16)] {
        let table = table(open_ground(), [blue("a", 12), grey("b", 16, 2_000), grey("c", 16, 3_500)]);
        let mut dice = volley_dice("a", &[2, 2, 2, 2]).with(Purpose::FireConfirm, &["a", "b"], &[confirm]);
        if let Some(face) = fraction {
            dice = dice.with(Purpose::PenFraction, &["a", "c"], &[face]);
        }
        let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
        assert_eq!(came.left("c"), left);
    }
}

/// A house about the regiment `b` at four inches, and what two batteries of two sections do to it, in one group of fires or in
/// two. Whether it stands after each group.
fn shelled(kind: BuildingKind, groups: &[&[(&str, u8)]]) -> Vec<bool> {
    let house = FeatureId::new("house");
    let corners = [(28_000, 33_900), (32_000, 33_900), (32_000, 34_700), (28_000, 34_700)];
    let outline = corners.map(|(x, y)| Point::new(x, y)).to_vec();
    let ground = ground_with(|ground| {
        ground.buildings.push(Building { id: house.clone(), name: "house".to_owned(), kind, outline });
    });
    let beside = guns("c", 2).at(31_500, 30_000);
    let mut table = table(ground, [guns("a", 2), beside, grey("b", 12, 4_000)]);
    let mut stands = Vec::new();
    for group in groups {
        let dice = group.iter().fold(ScriptedDice::new(), |dice, (firer, last)| {
            let volley = dice.with(Purpose::FireVolley, &[*firer], &[4, 4, *last]);
            volley.with(Purpose::PenDepth, &[*firer], &[1])
        });
        let shots = group.iter().map(|(firer, _)| shot(&table, firer, "b", &HOLD, Occasion::Hold)).collect();
        table = fired_as(table.clone(), 7, dice, shots).battle.table;
        stands.push(!table.changes.destroyed_buildings.contains(&house));
    }
    stands
}

#[test]
fn cover_12_the_losses_of_a_turn_bring_a_building_down() {
    use BuildingKind::{Stone, Wood};
    // Two sections at 12 kill one. Wood is worth nothing against shot, stone one: 4 4 4 and 4 4 5.
    assert_eq!(shelled(Wood, &[&[("a", 4)]]), [false]);
    assert_eq!(shelled(Stone, &[&[("a", 5)]]), [true]);
    // A second battery's one makes two, in the same group of fires or in a later one of the turn.
    assert_eq!(shelled(Stone, &[&[("a", 5)], &[("c", 5)]]), [true, false]);
    assert_eq!(shelled(Stone, &[&[("a", 5), ("c", 5)]]), [false]);
    // 4 4 1 less one are 8: nothing.
    assert_eq!(shelled(Stone, &[&[("a", 5)], &[("c", 1)]]), [true, true]);
}

/// A battery of two sections at another gun.
fn heavy(id: &str, weapon: &str) -> Maker {
    guns(id, 2).weapon(weapon)
}

/// The DRM of `a` at `b` after one shot, when something was changed since. The gun's own is in it.
fn after_a_shot(weapon: &str, change: impl FnOnce(&mut Table)) -> i32 {
    let table =
        table(open_ground(), [heavy("a", weapon), grey("b", 16, 10_000), grey("c", 16, 10_000).at(33_600, 40_000)]);
    let mut table = fired_at(table, "b");
    change(&mut table);
    laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold)).modifiers.total()
}

/// A shot of `a` that hits nothing: three ones; the marks of the turn are cleared after it.
fn fired_at(table: Table, target: &str) -> Table {
    let dice = volley_dice("a", &[1, 1, 1]).with(Purpose::PenDepth, &["a"], &[1]);
    let mut table = fired(table, 7, dice, &[("a", target, HOLD, Occasion::Hold)]).battle.table;
    table.all_units_mut().for_each(|(_, unit)| unit.marks = crate::battle::TurnMarks::default());
    table
}

#[test]
fn arty_53_each_further_shot_in_a_row_adds_one() {
    // A 30-pounder Parrott has +2 of its own.
    let target = || grey("b", 16, 10_000);
    let mut table = table(open_ground(), [heavy("a", "siege_parrott_30"), target()]);
    for expected in [2, 3, 4, 5] {
        let one = shot(&table, "a", "b", &HOLD, Occasion::Hold);
        assert_eq!(laid(&table, &one).modifiers.total(), expected);
        table = fired_at(table, "b");
    }
}

#[test]
fn arty_53_what_breaks_the_row() {
    let siege = |change: fn(&mut Table)| after_a_shot("siege_parrott_30", change);
    let change = |table: &mut Table, unit: &str, change: fn(&mut crate::battle::Unit)| {
        let ix = ix(table, unit);
        change(&mut table[ix]);
    };
    assert_eq!(siege(|_| ()), 3, "a turn without a shot does not");
    assert_eq!(siege(|table| *table = fired_at(table.clone(), "c")), 2, "a shot at another unit");
    let moved = |by: i32| {
        after_a_shot("siege_parrott_30", |table| {
            let target = ix(table, "b");
            table[target].footing.anchor.y += by;
        })
    };
    assert_eq!([moved(1_000), moved(1_000 + EPS + 1)], [3, 2], "a target that moves more than an inch");
    let turned = after_a_shot("siege_parrott_30", |table| {
        change(table, "a", |guns| guns.footing.facing = protocol::place::Bearing::wrapping(500));
    });
    let pushed = after_a_shot("siege_parrott_30", |table| change(table, "a", |guns| guns.footing.anchor.y += 100));
    assert_eq!([turned, pushed], [2, 2]);
    // Field guns have no such bonus: a Napoleon has 0, and 0 again.
    assert_eq!(after_a_shot("napoleon_12", |_| ()), 0);
}

#[test]
fn arty_53_a_group_has_the_lowest_count() {
    // `a` fires its second shot, +1; `c` its first.
    let second = heavy("c", "siege_parrott_30").at(31_500, 30_000);
    let table = table(open_ground(), [heavy("a", "siege_parrott_30"), second, grey("b", 16, 10_000)]);
    let table = fired_at(table, "b");
    let mut together = shot(&table, "a", "b", &HOLD, Occasion::Hold);
    assert_eq!(laid(&table, &together).modifiers.total(), 3);
    together.firers.extend(shot(&table, "c", "b", &HOLD, Occasion::Hold).firers);
    assert_eq!(laid(&table, &together).modifiers.total(), 2);
}

#[test]
fn cover_14_and_arty_53_siege_guns_count_their_own_modifiers_against_works() {
    // The vector of COVER-14: elite, a gun of +2, three sections, dice 9. 9 + 1 + 2 = 12 opens nothing, and 1 more for the second
    // shot does. The works are worth -2 against shot: 9 + 1 + 2 - 2 = 10 on three sections is 1*, not confirmed; 11 kills one.
    let firer = heavy("a", "siege_parrott_30").quality(protocol::words::Quality::Elite).with(|unit| {
        unit.stands[0] = crate::battle::Stand { figures: 3, full: 3, loss_rank: 0 };
        unit.figures_at_start = 3;
    });
    let ground = ground_with(|ground| ground.obstacles.push(obstacle(ObstacleKind::HastyWorks, 33_800)));
    let mut table = table(ground, [firer, grey("b", 12, 4_000)]);
    let line = FeatureId::new("line");
    for (opened, confirm) in [(false, Some(1)), (true, None)] {
        let dice = volley_dice("a", &[3, 3, 3]).with(Purpose::PenDepth, &["a"], &[1]);
        let dice = match confirm {
            Some(face) => dice.with(Purpose::FireConfirm, &["a", "b"], &[face]),
            None => dice,
        };
        table = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]).battle.table;
        table.all_units_mut().for_each(|(_, unit)| unit.marks = crate::battle::TurnMarks::default());
        assert_eq!(table.changes.gaps.contains_key(&line), opened);
    }
}

#[test]
fn arty_55_guns_of_a_fort_have_one_shot_in_two_turns_and_never_run_out() {
    let fires = |marks: u32, silent_turns: u32, before_it: u32| {
        let firer = heavy("a", "fort_smooth_32").with(|unit| {
            unit.marks.fires = marks;
            unit.carried.silent_turns = silent_turns;
        });
        let table = table(open_ground(), [firer, grey("b", 16, 10_000)]);
        tried(&table, |one| one.before_it = before_it).map(|_| ())
    };
    assert_eq!(fires(0, 0, 0), Ok(()));
    assert_eq!([fires(1, 0, 0), fires(0, 1, 0), fires(0, 0, 1)], [Err(ARTY_55); 3]);
    // Not even at a charger.
    let resting = heavy("a", "fort_smooth_32").with(|unit| unit.carried.silent_turns = 1).unit();
    assert_eq!(may_fire(&resting, &HOLD, Occasion::Charge).map_err(|reason| reason.rule), Err(ARTY_55));
    // Siege guns fire every turn, and again in one.
    let siege = heavy("a", "siege_parrott_30").with(|unit| unit.marks.fires = 1);
    let table = table(open_ground(), [siege, grey("b", 16, 10_000)]);
    assert!(tried(&table, |_| {}).is_ok());
    // Three sixes and +3 are 21: three of sixteen, and the half of nobody behind.
    let table = crate::testing::table(open_ground(), [heavy("a", "fort_smooth_32"), grey("b", 16, 10_000)]);
    let dice = volley_dice("a", &[6, 6, 6]).with(Purpose::PenDepth, &["a"], &[1]);
    let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
    assert!(!came.battle.table[ix(&came.battle.table, "a")].ammunition_out());
}

#[test]
fn arty_56_guns_of_a_ship_fire_as_one_with_those_of_the_same_ship_only() {
    let together = |ships: [Option<&str>; 2]| {
        let (mut table, ids) = row(open_ground(), 500, &[2, 3], true);
        for (id, ship) in ids.iter().zip(ships) {
            let ix = ix(&table, id);
            table[ix].weapon = "fort_columbiad_8in".to_owned();
            table[ix].guns.as_mut().expect("a battery has guns").ship = ship.map(str::to_owned);
        }
        shoots(&(table, ids), GroupFire::Battalion)
    };
    assert_eq!(together([Some("monitor"), Some("monitor")]), [5]);
    assert_eq!(together([Some("monitor"), Some("galena")]), [2, 3]);
    assert_eq!(together([Some("monitor"), None]), [2, 3]);
    assert_eq!(together([None, None]), [5], "guns of a fort");
}

#[test]
fn arty_16_batteries_with_targets_of_their_own_fire_by_themselves() {
    let units = [
        guns("a", 2),
        guns("c", 2).at(31_500, 30_000),
        grey("b", 16, 0).at(28_000, 50_000),
        grey("d", 16, 0).at(34_000, 50_000),
    ];
    let table = table(open_ground(), units);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let wishes = ["a", "c"].map(|id| (ix(&table, id), Wishes::default()));
    let fires = |targets: [&str; 2]| {
        let shots = ["a", "c"]
            .into_iter()
            .zip(targets)
            .map(|(firer, target)| shot(&table, firer, target, &HOLD, Occasion::Hold));
        combine(&field, shots.collect(), &wishes).len()
    };
    assert_eq!((fires(["b", "b"]), fires(["b", "d"])), (1, 2));
}

#[test]
fn arty_53_field_guns_count_no_shots_in_a_row() {
    let counted = |weapon: &str| {
        let table = table(open_ground(), [guns("a", 2).weapon(weapon), grey("b", 16, 10_000)]);
        let dice = volley_dice("a", &[1, 1, 2]).with(Purpose::PenDepth, &["a"], &[1]);
        let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
        came.battle.table[ix(&came.battle.table, "a")].carried.aim.is_some()
    };
    assert!(!counted("napoleon_12"));
}
