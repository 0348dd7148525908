//! The worked examples of FIRE, COVER, PEN, ADDF, AMMO and ARTY, and one case for each rule that has none.

use protocol::event::{Fact, FlankClass, Morale};
use protocol::ids::{FeatureId, Side};
use protocol::orders::{Order, RangeBand};
use protocol::place::Point;
use protocol::words::{Formation, Quality};

use super::{
    HOLD, Occasion, Shot, Standing, Wishes, blue, chosen, fired, fired_as, grey, ground_with, laid, reckoned, shot,
    volley_dice,
};
use crate::chance::Chance;
use crate::dice::Purpose;
use crate::field::Field;
use crate::fire::{Round, odds};
use crate::ground::{Area, Obstacle, ObstacleKind, Terrain, Wooded};
use crate::losses;
use crate::ruleset::{Ruleset, Strength};
use crate::settle::Happening;
use crate::testing::{battery, cavalry, infantry, ix, leader, open_ground, table};

/// A battery of the Union, so many thousandths south of [`grey`]'s zero, facing north, its opening volley used.
pub(super) fn guns(id: &str, sections: u32) -> crate::testing::Maker {
    battery(id, Side::Union).at(30_000, 30_000).with(move |unit| {
        unit.stands[0].figures = sections;
        unit.stands[0].full = sections;
        unit.figures_at_start = sections;
        unit.opening_volley_used = true;
    })
}

/// A belt of light woods from west to east.
pub(super) fn woods(south: i32, north: i32) -> Area {
    Area {
        id: FeatureId::new("woods"),
        name: "Woods".to_owned(),
        terrain: Terrain::Woods,
        wooded: Wooded::Light,
        outline: vec![
            Point::new(10_000, south),
            Point::new(50_000, south),
            Point::new(50_000, north),
            Point::new(10_000, north),
        ],
    }
}

/// A line from west to east before the target; works face south.
pub(super) fn obstacle(kind: ObstacleKind, y: i32) -> Obstacle {
    Obstacle { id: FeatureId::new("line"), kind, line: vec![Point::new(50_000, y), Point::new(10_000, y)] }
}

#[test]
fn fire_05_counts_are_rounded_down() {
    let skirmishers = |figures| blue("a", figures).formation(Formation::SkirmishLine);
    let (_, _, strength) = reckoned(vec![skirmishers(13), grey("b", 12, 3_000)], "a", "b");
    assert_eq!(strength, Strength::Figures(6));
}

#[test]
fn fire_06_and_07_dice_by_order_and_range() {
    let dice = |order: &Order, range: i32| {
        let table = table(open_ground(), [blue("a", 12), grey("b", 12, range)]);
        laid(&table, &shot(&table, "a", "b", order, Occasion::Hold)).dice_count()
    };
    assert_eq!([dice(&HOLD, 2_000), dice(&HOLD, 3_000), dice(&HOLD, 5_000)], [4, 3, 2]);
    let moved = Order::Move(Default::default());
    assert_eq!([dice(&moved, 2_000), dice(&moved, 3_000), dice(&moved, 5_000)], [3, 2, 1]);
    // SCALE-07: exactly 2.000 inches is close; boundaries count as inside.
    assert_eq!([dice(&HOLD, 4_000), dice(&HOLD, 12_000)], [3, 2]);
}

#[test]
fn fire_08_other_dice_modifiers() {
    let dice = |change: fn(&mut crate::battle::Unit)| {
        reckoned(vec![blue("a", 12).with(change), grey("b", 12, 3_000)], "a", "b").0
    };
    assert_eq!(dice(|unit| unit.morale = Morale::Shaken), 2);
    assert_eq!(dice(|unit| unit.marks.conditional_hold = true), 2);
    assert_eq!(dice(|unit| unit.ammunition_out_since = Some(1)), 2);
    // FIRE-06: Conditional Hold that has formed, base 2 less 1.
    let formed = |unit: &mut crate::battle::Unit| {
        unit.marks.conditional_hold = true;
        unit.marks.formed_on_hold = true;
    };
    assert_eq!(dice(formed), 1);
}

#[test]
fn fire_09_and_addf_06_a_die_less_for_each_earlier_fire() {
    let dice = |fires, range| {
        reckoned(vec![blue("a", 12).with(move |unit| unit.marks.fires = fires), grey("b", 12, range)], "a", "b").0
    };
    assert_eq!([dice(0, 3_000), dice(1, 3_000), dice(2, 3_000)], [3, 2, 1]);
    // The fourth fire at close range: 0 + 1.
    assert_eq!(dice(3, 1_000), 1);
    // ADDF-11: the second fire within two inches.
    assert_eq!(dice(1, 1_000), 3);
}

#[test]
fn fire_15_the_volley_of_the_20th_maine_on_hold() {
    // 4 dice, 14 + 2 opening volley, elite against elite: 16 on twelve figures kills 3.
    let firer = blue("20th_maine", 12).quality(Quality::Elite).with(|unit| {
        unit.opening_volley_used = false;
        unit.name = "20th Maine".to_owned();
    });
    let target = grey("15th_alabama", 12, 1_500).quality(Quality::Elite).with(|unit| unit.name = "15th Alabama".into());
    let table = table(open_ground(), [firer, target]);
    let came = fired(
        table,
        7,
        volley_dice("20th_maine", &[4, 4, 3, 3]),
        &[("20th_maine", "15th_alabama", HOLD, Occasion::Hold)],
    );
    assert_eq!(came.left("15th_alabama"), 9);
    assert_eq!(
        came.sentences[0],
        "The 20th Maine fires at the 15th Alabama at 1.5 inches, close range: 4 dice, 16 with modifiers of +2: \
         3 figures lost."
    );
    let firer = &came.battle.table[ix(&came.battle.table, "20th_maine")];
    assert!(firer.opening_volley_used && firer.marks.fires == 1);
}

#[test]
fn fire_19_first_fire_of_the_20th_maine() {
    // Normal range, 3 dice: 11 + 1 First Fire + 1 elite = 13 kills 2 of skirmishers, of whom 1 falls. FORM-15
    let table = table(
        open_ground(),
        [
            blue("a", 12).quality(Quality::Elite),
            grey("b", 12, 2_500).formation(Formation::SkirmishLine).with(|unit| unit.first_casualty_taken = true),
        ],
    );
    let came = fired(table, 4, volley_dice("a", &[5, 3, 3]), &[("a", "b", Order::FirstFire {}, Occasion::FirstFire)]);
    assert_eq!(came.left("b"), 11);
}

#[test]
fn fire_19_not_for_skirmishers_or_disorder() {
    let drm = |firer: crate::testing::Maker| {
        let table = table(open_ground(), [firer, grey("b", 12, 3_000)]);
        laid(&table, &shot(&table, "a", "b", &Order::FirstFire {}, Occasion::FirstFire)).modifiers.total()
    };
    assert_eq!(drm(blue("a", 12)), 1);
    assert_eq!(drm(blue("a", 12).disordered()), 0);
    assert_eq!(drm(blue("a", 12).formation(Formation::SkirmishLine)), 0);
}

#[test]
fn fire_20_opening_volley_of_skirmishers_waits() {
    let firer = blue("a", 12).formation(Formation::SkirmishLine).with(|unit| unit.opening_volley_used = false);
    let table = table(open_ground(), [firer, grey("b", 12, 3_000)]);
    let came = fired(table, 7, volley_dice("a", &[1, 1, 2]), &[("a", "b", HOLD, Occasion::Hold)]);
    assert!(!came.battle.table[ix(&came.battle.table, "a")].opening_volley_used);
}

#[test]
fn fire_22_and_23_zones() {
    // The unit of FIRE-22 stands at (0,0); targets of one stand by their centre.
    let zone = |x: i32, y: i32| {
        let table = table(open_ground(), [blue("a", 16)]);
        let field = Field::before_dice(Ruleset::standard(), &table);
        let edge = field.layout(ix(&table, "a")).as_firer.front;
        let point = Point::new(30_000 + x, 30_000 + y);
        (edge.in_primary(point, 12_000), edge.in_secondary(point, 12_000))
    };
    assert_eq!(zone(0, 12_000), (true, false));
    assert_eq!(zone(1_750, 5_000), (true, false));
    assert_eq!(zone(3_000, 1_250), (false, true));
    assert_eq!(zone(-2_500, 800), (false, true));
    assert_eq!(zone(3_000, 1_200), (false, false));
    assert_eq!(zone(0, 12_500), (false, true));
}

#[test]
fn fire_25_the_nearest_ahead_is_forced_and_routed_ones_come_last() {
    let near = grey("near", 12, 3_000);
    let far = grey("far", 12, 6_000).at(33_500, 36_000);
    let units = [blue("a", 16), near.clone(), far.clone()];
    assert_eq!(chosen(&table(open_ground(), units), "a", &Wishes::default()).as_deref(), Some("near"));
    // At an angle though nearer: one straight ahead comes first.
    let oblique = grey("oblique", 12, 2_000).at(34_500, 34_000);
    let ahead = grey("ahead", 12, 8_000);
    let units = [blue("a", 16), oblique, ahead];
    assert_eq!(chosen(&table(open_ground(), units), "a", &Wishes::default()).as_deref(), Some("ahead"));
    let routed = grey("routed", 12, 3_000).at(29_000, 33_000).morale(Morale::Routed);
    let farther = grey("farther", 12, 6_000).at(31_500, 36_000);
    let units = [blue("a", 16), routed, farther];
    assert_eq!(chosen(&table(open_ground(), units), "a", &Wishes::default()).as_deref(), Some("farther"));
}

#[test]
fn vis_13_troops_between_block() {
    let friend = blue("friend", 16).at(30_000, 32_000);
    let units = [blue("a", 16), friend, grey("b", 16, 5_000)];
    assert_eq!(chosen(&table(open_ground(), units), "a", &Wishes::default()), None);
}

#[test]
fn fire_27_an_officer_adds_one_whatever_his_level() {
    let mut table = table(open_ground(), [blue("a", 12), grey("b", 12, 3_000)]);
    let mut officer = leader("vincent", Side::Union, 30_000, 29_000);
    officer.level = 3;
    table.leaders.insert(officer.id.clone(), officer);
    assert_eq!(laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold)).modifiers.total(), 1);
}

#[test]
fn fire_29_formations_as_targets() {
    let drm = |target: crate::testing::Maker| reckoned(vec![blue("a", 12), target], "a", "b").1;
    assert_eq!(drm(grey("b", 12, 3_000).formation(Formation::ExtendedLine)), -1);
    assert_eq!(drm(grey("b", 12, 3_000).formation(Formation::DoubleLine)), 1);
    assert_eq!(drm(grey("b", 12, 3_000).formation(Formation::AttackColumn)), 2);
    assert_eq!(drm(grey("b", 12, 3_000).disordered()), 3);
    // A march column square ahead shows its head: 3, and its full flank 4.
    assert_eq!(drm(grey("b", 12, 3_000).formation(Formation::MarchColumn)), 7);
    // FIRE-31
    assert_eq!(drm(grey("b", 12, 3_000).quality(Quality::Elite)), -1);
    assert_eq!(drm(grey("b", 12, 3_000).quality(Quality::Militia)), 1);
    // TAC-08, TAC-04
    assert_eq!(drm(grey("b", 12, 3_000).prone()), -4);
    assert_eq!(drm(grey("b", 12, 3_000).weapon("breech_rifle")), -2);
}

#[test]
fn fire_30_charging_cavalry_counts_half() {
    let drm = |formation, charging| {
        let horse = cavalry("b", Side::Confederate).at(30_000, 33_000).facing(18_000).formation(formation);
        let table = table(open_ground(), [blue("a", 12), horse]);
        let mut shot = shot(&table, "a", "b", &HOLD, Occasion::Charge);
        shot.target_charging = charging;
        laid(&table, &shot).modifiers.total()
    };
    assert_eq!((drm(Formation::SingleLine, false), drm(Formation::SingleLine, true)), (2, 1));
    assert_eq!((drm(Formation::DoubleLine, false), drm(Formation::DoubleLine, true)), (4, 2));
}

#[test]
fn fire_32_those_who_flee_lose_half_and_suffer_no_raising_modifier() {
    // 12 figures at 16 kill 3: half of it 1 and a die.
    let target = || grey("b", 12, 3_000).disordered().morale(Morale::Routed);
    assert_eq!(reckoned(vec![blue("a", 12), target()], "a", "b").1, 0);
    for (face, left) in [(4, 10), (3, 11)] {
        let table = table(open_ground(), [blue("a", 12), target()]);
        let dice = volley_dice("a", &[6, 5, 5]).with(Purpose::FireFraction, &["a", "b"], &[face]);
        let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
        assert_eq!(came.left("b"), left);
    }
}

#[test]
fn fire_17_a_star_is_confirmed_by_a_die() {
    // 12 figures at 7 and 8: 1*.
    for (face, left) in [(4, 11), (3, 12)] {
        let table = table(open_ground(), [blue("a", 12), grey("b", 12, 3_000)]);
        let dice = volley_dice("a", &[2, 3, 2]).with(Purpose::FireConfirm, &["a", "b"], &[face]);
        let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
        assert_eq!(came.left("b"), left);
    }
}

#[test]
fn fire_36_both_fire_with_all_their_figures() {
    let shots =
        [("a", "b", Order::FirstFire {}, Occasion::FirstFire), ("b", "a", Order::FirstFire {}, Occasion::FirstFire)];
    let dice = || volley_dice("a", &[6, 6, 5]).with(Purpose::FireVolley, &["b"], &[6, 6, 5]);
    let field = || table(open_ground(), [blue("a", 12), grey("b", 12, 3_000)]);
    let one = fired(field(), 4, dice(), &shots);
    // 17 + 1 First Fire: 18 on twelve figures kills 5, on both sides.
    assert_eq!((one.left("a"), one.left("b")), (7, 7));
    let other = fired(field(), 4, dice(), &[shots[1].clone(), shots[0].clone()]);
    assert_eq!(one.battle, other.battle);
    assert_eq!(one.facts, other.facts);
}

#[test]
fn cover_02_nearer_than_one_inch() {
    let cover = |distance: i32| {
        let ground = ground_with(|ground| {
            ground.obstacles.push(obstacle(ObstacleKind::Fence, 33_000 - distance));
        });
        let table = table(ground, [blue("24th", 12), grey("19th", 12, 3_000)]);
        laid(&table, &shot(&table, "24th", "19th", &HOLD, Occasion::Hold)).modifiers.total()
    };
    assert_eq!(cover(200), -1);
    assert_eq!(cover(1_000), 0);
}

#[test]
fn cover_03_and_04_values_against_muskets_and_shot() {
    let drm = |kind: Option<ObstacleKind>, wooded: bool, with_guns: bool| {
        let ground = ground_with(|ground| {
            ground.obstacles.extend(kind.map(|kind| obstacle(kind, 33_800)));
            if wooded {
                ground.areas.push(woods(34_000, 40_000));
            }
        });
        let firer = if with_guns { guns("a", 3) } else { blue("a", 12) };
        let table = table(ground, [firer, grey("b", 12, 4_000)]);
        laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold)).modifiers.total()
    };
    use ObstacleKind::{Fence, HastyWorks, HeavyWorks, MediumWorks, StoneWall};
    let muskets: Vec<i32> =
        [Fence, StoneWall, HastyWorks, MediumWorks, HeavyWorks].map(|kind| drm(Some(kind), false, false)).to_vec();
    assert_eq!(muskets, [-1, -2, -3, -6, -8]);
    let shot: Vec<i32> =
        [Fence, StoneWall, HastyWorks, MediumWorks, HeavyWorks].map(|kind| drm(Some(kind), false, true)).to_vec();
    assert_eq!(shot, [0, -1, -2, -5, -7]);
    assert_eq!((drm(None, true, false), drm(None, true, true)), (-2, -1));
    // COVER-05: hasty works in woods.
    assert_eq!((drm(Some(HastyWorks), true, false), drm(Some(HastyWorks), true, true)), (-5, -3));
}

#[test]
fn cover_09_wrong_side_of_works() {
    // Works that face north, away from the firer.
    let ground = ground_with(|ground| {
        let mut works = obstacle(ObstacleKind::MediumWorks, 33_800);
        works.line.reverse();
        ground.obstacles.push(works);
    });
    let table = table(ground, [blue("a", 12), grey("b", 12, 4_000)]);
    assert_eq!(laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold)).modifiers.total(), -2);
}

#[test]
fn fire_28_firer_in_works() {
    let drm = |kind| {
        let ground = ground_with(|ground| {
            let mut works = obstacle(kind, 30_200);
            works.line.reverse();
            ground.obstacles.push(works);
        });
        let table = table(ground, [blue("a", 12), grey("b", 12, 3_000)]);
        laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold)).modifiers.total()
    };
    assert_eq!(
        [drm(ObstacleKind::HastyWorks), drm(ObstacleKind::MediumWorks), drm(ObstacleKind::StoneWall)],
        [1, 2, 0]
    );
}

#[test]
fn fire_30_chargers_have_no_cover() {
    let ground = ground_with(|ground| ground.areas.push(woods(33_000, 40_000)));
    let table = table(ground, [blue("a", 12), grey("b", 12, 3_000)]);
    let mut shot = shot(&table, "a", "b", &HOLD, Occasion::Charge);
    assert_eq!(laid(&table, &shot).modifiers.total(), -2);
    shot.target_charging = true;
    assert_eq!(laid(&table, &shot).modifiers.total(), 0);
}

#[test]
fn form_18_a_unit_close_behind_skirmishers_shares_their_loss() {
    // The skirmishers lose 1 of 3 (halved down), the line 1.5 inches behind them the same.
    let screen = grey("s", 16, 3_000).formation(Formation::SkirmishLine);
    let line = |gap: i32| grey("t", 16, 3_625 + gap);
    let field = |gap| table(open_ground(), [blue("a", 12), screen.clone(), line(gap)]);
    let came = fired(field(1_500), 7, volley_dice("a", &[6, 5, 5]), &[("a", "t", HOLD, Occasion::Hold)]);
    assert_eq!((came.left("s"), came.left("t")), (15, 15));
    // FORM-17: two inches behind, aimed past them: a die less, no sharing.
    let table = field(2_000);
    let past = laid(&table, &shot(&table, "a", "t", &HOLD, Occasion::Hold));
    assert_eq!((past.dice_count(), past.sharers.len()), (1, 0));
    assert_eq!(chosen(&table, "a", &Wishes::default()).as_deref(), Some("s"));
    let wishes = Wishes { past_skirmishers: true, ..Wishes::default() };
    assert_eq!(chosen(&table, "a", &wishes).as_deref(), Some("t"));
}

#[test]
fn form_22_a_march_column_fires_a_quarter_ahead_and_half_to_a_side() {
    let column = || blue("a", 12).formation(Formation::MarchColumn);
    assert_eq!(reckoned(vec![column(), grey("b", 12, 3_000)], "a", "b").2, Strength::Figures(3));
    let beside = grey("b", 12, 0).at(33_000, 28_500).facing(27_000);
    assert_eq!(reckoned(vec![column(), beside], "a", "b").2, Strength::Figures(6));
}

#[test]
fn form_08_an_attack_column_that_fires_loses_its_order() {
    let table = table(open_ground(), [blue("a", 16).formation(Formation::AttackColumn), grey("b", 12, 3_000)]);
    let came = fired(table, 7, volley_dice("a", &[1, 1, 2]), &[("a", "b", HOLD, Occasion::Hold)]);
    assert!(came.battle.table[ix(&came.battle.table, "a")].footing.disorder);
    assert!(came.facts.iter().any(|fact| matches!(fact, Fact::Disorder { disorder: true, .. })));
}

#[test]
fn ammo_01_nothing_but_sixes() {
    let table = table(open_ground(), [blue("a", 12), grey("b", 16, 3_000)]);
    let came = fired(table, 7, volley_dice("a", &[6, 6, 6]), &[("a", "b", HOLD, Occasion::Hold)]);
    assert!(came.battle.table[ix(&came.battle.table, "a")].ammunition_out());
}

#[test]
fn ammo_03_breechloaders_in_rapid_fire_run_out_on_fives() {
    for (rapid, out) in [(true, true), (false, false)] {
        let table = table(open_ground(), [blue("a", 12).weapon("breech_rifle"), grey("b", 16, 3_000)]);
        let mut one = shot(&table, "a", "b", &HOLD, Occasion::Hold);
        one.firers[0].rapid = rapid;
        // TAC-02: +2 in rapid fire.
        assert_eq!(laid(&table, &one).modifiers.total(), if rapid { 2 } else { 0 });
        let came = fired_as(table, 7, volley_dice("a", &[5, 6, 5]), vec![one]);
        assert_eq!(came.battle.table[ix(&came.battle.table, "a")].ammunition_out(), out);
    }
}

#[test]
fn tac_03_repeaters_roll_a_die_more() {
    let table = table(open_ground(), [blue("a", 12).weapon("repeating_rifle"), grey("b", 16, 3_000)]);
    let mut one = shot(&table, "a", "b", &HOLD, Occasion::Hold);
    one.firers[0].rapid = true;
    assert_eq!(laid(&table, &one).dice_count(), 4);
}

#[test]
fn fire_12_flintlock_and_smoothbore() {
    let drm = |weapon: &str, range| reckoned(vec![blue("a", 12).weapon(weapon), grey("b", 12, range)], "a", "b").1;
    assert_eq!([drm("flintlock", 500), drm("flintlock", 4_000)], [-1, -1]);
    assert_eq!([drm("smoothbore", 1_000), drm("smoothbore", 2_000), drm("mixed_musket", 500)], [1, 0, 0]);
}

#[test]
fn pen_02_those_behind_take_half_and_a_die_for_the_fraction() {
    // At close range two inches: 16 on twelve figures kill 3, behind them 1 and a half.
    for (face, left) in [(4, 14), (3, 15)] {
        let table = table(open_ground(), [blue("a", 12), grey("b", 12, 2_000), grey("c", 16, 3_000)]);
        let dice = volley_dice("a", &[4, 4, 4, 4]).with(Purpose::PenFraction, &["a", "c"], &[face]);
        let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
        assert_eq!((came.left("b"), came.left("c")), (9, left));
    }
}

#[test]
fn pen_04_none_at_long_range() {
    // 2 dice, 12: two figures of the target.
    let table = table(open_ground(), [blue("a", 12), grey("b", 12, 5_000), grey("c", 16, 5_700)]);
    let came = fired(table, 7, volley_dice("a", &[6, 5]), &[("a", "b", HOLD, Occasion::Hold)]);
    assert_eq!((came.left("b"), came.left("c")), (10, 16));
}

#[test]
fn org_03_stands_of_fourteen_figures_are_lost_at_3_7_10_and_14() {
    let mut unit = infantry("a", Side::Union).figures(14).unit();
    let lost: Vec<u32> = (0..14).map(|_| losses::take(&mut unit, 1).stands).collect();
    assert_eq!(lost, [0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1]);
    assert!(unit.stands.is_empty());
}

#[test]
fn tac_14_a_reserve_takes_all_losses_first() {
    let mut unit = infantry("a", Side::Union).formation(Formation::LineWithReserve).unit();
    let taken = losses::take(&mut unit, 5);
    assert_eq!((taken.figures, taken.stands), (5, 1));
    assert_eq!(unit.footing.formation, Formation::SingleLine);
    assert_eq!(unit.stands.iter().map(|stand| stand.figures).collect::<Vec<_>>(), [3, 4, 4]);
}

#[test]
fn tac_18_other_losses_come_off_the_body_while_it_lasts() {
    let unit = || infantry("a", Side::Union).formation(Formation::LineWithSkirmishers).unit();
    let figures = |unit: &crate::battle::Unit| unit.stands.iter().map(|stand| stand.figures).collect::<Vec<_>>();
    let mut body = unit();
    losses::take(&mut body, 11);
    assert_eq!((figures(&body), body.footing.formation), (vec![1, 4], Formation::LineWithSkirmishers));
    losses::take(&mut body, 2);
    assert_eq!((figures(&body), body.footing.formation), (vec![3], Formation::SingleLine));
    let mut screen = unit();
    losses::take_from_screen(&mut screen, 3);
    assert_eq!((figures(&screen), screen.footing.formation), (vec![4, 4, 4, 1], Formation::LineWithSkirmishers));
}

#[test]
fn arty_23_canister() {
    let laid_with = |round| {
        let table = table(open_ground(), [guns("a", 2), grey("b", 12, 2_500)]);
        let one = Shot { round, ..shot(&table, "a", "b", &HOLD, Occasion::Hold) };
        laid(&table, &one)
    };
    assert_eq!(laid_with(Round::Plain).dice_count(), 3);
    assert_eq!(laid_with(Round::Canister).dice_count(), 5);
    assert_eq!(laid_with(Round::DoubleCanister).dice_count(), 6);
    assert_eq!(laid_with(Round::Canister).band, RangeBand::Close);
}

#[test]
fn arty_24_the_arc() {
    let in_arc = |x: i32, y: i32| {
        let table = table(open_ground(), [guns("a", 2)]);
        let field = Field::before_dice(Ruleset::standard(), &table);
        let edge = field.layout(ix(&table, "a")).as_firer.front;
        edge.in_sector(Point::new(30_000 + x, 30_000 + y))
    };
    assert_eq!([in_arc(3_000, 2_501), in_arc(3_000, 2_500), in_arc(3_000, 2_400)], [true, true, false]);
}

#[test]
fn arty_29_ranges_in_woods_count_double() {
    // The three-inch rifle wholly in woods: normal to 8, long to 18 inches.
    let band = |range: i32| {
        let ground = ground_with(|ground| ground.areas.push(woods(20_000, 59_000)));
        let rifles = guns("a", 2).weapon("rifle_10_or_3in");
        let table = table(ground, [rifles, grey("b", 12, range)]);
        let field = Field::before_dice(Ruleset::standard(), &table);
        let one = shot(&table, "a", "b", &HOLD, Occasion::Hold);
        crate::fire::lay(&field, &one, &super::Officers::Present).map(|laid| laid.band).ok()
    };
    assert_eq!(band(1_000), Some(RangeBand::Close));
    assert_eq!([band(7_900), band(8_100)], [Some(RangeBand::Normal), Some(RangeBand::Long)]);
    assert_eq!([band(17_900), band(18_100)], [Some(RangeBand::Long), None]);
}

#[test]
fn arty_29_by_the_house_rule_a_toe_of_woods_halves_all_ranges() {
    // Two inches of woods on a line of some ten: at 9 inches the range is 9 x (1 + 2 / 10), under 11 and so normal (16); halved
    // it is 18, which is long.
    let band = |word: &str| {
        let ground = ground_with(|ground| ground.areas.push(woods(34_000, 36_000)));
        let rifles = guns("a", 2).weapon("rifle_10_or_3in");
        let table =
            crate::testing::played_by(table(ground, [rifles, grey("b", 12, 9_000)]), &[("guns_through_woods", word)]);
        let field = Field::before_dice(table.theatre.rules(), &table);
        let shot = shot(&table, "a", "b", &HOLD, Occasion::Hold);
        let shot = Shot { seen: crate::fire::Seen::Area, ..shot };
        crate::fire::lay(&field, &shot, &super::Officers::Present).map(|laid| laid.band).ok()
    };
    assert_eq!([band("by_share"), band("halved")], [Some(RangeBand::Normal), Some(RangeBand::Long)]);
}

#[test]
fn arty_36_hits_on_a_battery_may_be_horses() {
    // 16 figures at 18 kill 6... of two sections and two horses: horse, section, horse, then a section without a roll.
    let battery_target = battery("g", Side::Confederate).at(30_000, 33_000).facing(18_000).with(|unit| {
        unit.stands[0].figures = 3;
        unit.stands[0].full = 3;
        unit.figures_at_start = 3;
    });
    let table = table(open_ground(), [blue("a", 12), battery_target]);
    // 18 less 3 for unlimbered guns: 15 on twelve figures kills 3.
    let dice = volley_dice("a", &[6, 6, 6]).with(Purpose::ArtyHorse, &["a", "g"], &[1, 5, 4]);
    let came = fired(table, 7, dice, &[("a", "g", HOLD, Occasion::Hold)]);
    let unit = &came.battle.table[ix(&came.battle.table, "g")];
    assert_eq!((unit.figures(), unit.guns.as_ref().map(|guns| guns.horses)), (2, Some(0)));
    let fired_on = came.happenings.iter().find_map(|happening| match happening {
        Happening::FiredOn(fire) => Some((fire.figures, fire.stands, fire.horses, fire.forces_hit_check)),
        _ => None,
    });
    assert_eq!(fired_on, Some((1, 1, 2, false)));
}

#[test]
fn arty_18_and_19_a_group_of_three_batteries() {
    let row = |n: i32| guns(&format!("g{n}"), 2).at(30_000 + 1_500 * n, 30_000);
    let mut table = table(open_ground(), [row(0), row(1), row(2), grey("b", 16, 10_000)]);
    let mut chief = leader("hunt", Side::Union, 31_500, 28_000);
    chief.arm = Some(protocol::words::Arm::Artillery);
    table.leaders.insert(chief.id.clone(), chief);
    let mut one = shot(&table, "g0", "b", &HOLD, Occasion::Hold);
    for other in ["g1", "g2"] {
        one.firers.extend(shot(&table, other, "b", &HOLD, Occasion::Hold).firers);
    }
    let laid = laid(&table, &one);
    assert_eq!((laid.strength, laid.dice_count(), laid.modifiers.total()), (Strength::Sections(6), 3, 2));
}

#[test]
fn fire_16_an_mc_of_guns_forces_a_check_and_of_muskets_none() {
    let forced = |firer: crate::testing::Maker, faces: &[u8]| {
        let table = table(open_ground(), [firer, grey("b", 12, 3_500)]);
        let mut dice = volley_dice("a", faces);
        if table[ix(&table, "a")].guns.is_some() {
            dice = dice.with(Purpose::PenDepth, &["a"], &[1]);
        }
        let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
        match came.happenings.as_slice() {
            [Happening::FiredOn(fire)] => (fire.forces_hit_check, fire.starred, fire.figures),
            other => panic!("{other:?}"),
        }
    };
    // Two sections at 9, twelve figures at 6: MC.
    assert_eq!(forced(guns("a", 2), &[3, 3, 3]), (true, true, 0));
    assert_eq!(forced(blue("a", 12), &[2, 2, 2]), (false, false, 0));
}

#[test]
fn fire_35_the_expected_loss_is_exact() {
    // Two dice of one figure at long range against a line, no modifiers: 14 and more is never thrown.
    let table = table(open_ground(), [blue("a", 12), grey("b", 12, 5_000)]);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let odds = odds(&field, &shot(&table, "a", "b", &HOLD, Occasion::Hold)).unwrap();
    // Row 12: 7 and 8 are 1*, 9 and 10 kill one, 11 and 12 two. Of 36 ways 11 are 1*, 7 kill one, 3 two.
    assert_eq!(odds.ways, 36);
    assert_eq!(odds.mean(), Chance::new(11 + 2 * 7 + 2 * 2 * 3, 2 * 36));
    assert!(odds.expects(5) && !odds.expects(6));
}

#[test]
fn idd_14_the_end_of_charge_volley_asks_for_no_zone() {
    // A recoiled attacker behind the defender's flank is still fired at, beyond range as at long range.
    let table = table(open_ground(), [blue("a", 12), grey("b", 12, 0).at(34_000, 29_000).facing(27_000)]);
    let one = laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::EndOfCharge));
    assert_eq!(one.band, RangeBand::Normal);
    assert_eq!(one.dice_count(), 3);
}

#[test]
fn addf_12_the_series_of_a_first_fire_unit() {
    let dice = |fires, occasion| {
        let table =
            table(open_ground(), [blue("a", 12).with(move |unit| unit.marks.fires = fires), grey("b", 12, 3_000)]);
        laid(&table, &shot(&table, "a", "b", &Order::FirstFire {}, occasion)).dice_count()
    };
    assert_eq!([dice(0, Occasion::FirstFire), dice(1, Occasion::Charge), dice(2, Occasion::EndOfCharge)], [3, 2, 1]);
}

#[test]
fn addf_16_uncoordinated_charges_against_a_holder() {
    // Three volleys at normal range: 3, 2, 1 dice; a fourth, at close range, has 0 + 1.
    let dice = |fires, range| {
        let table =
            table(open_ground(), [blue("a", 12).with(move |unit| unit.marks.fires = fires), grey("b", 12, range)]);
        laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Charge)).dice_count()
    };
    assert_eq!([dice(0, 3_000), dice(1, 3_000), dice(2, 3_000), dice(3, 1_500)], [3, 2, 1, 1]);
}

#[test]
fn tac_43_a_square_as_target_and_tac_39_as_firer() {
    let square = |maker: crate::testing::Maker| maker.formation(Formation::Square);
    assert_eq!(reckoned(vec![blue("a", 12), square(grey("b", 16, 3_000))], "a", "b").1, 2);
    let (_, _, strength) = reckoned(vec![square(blue("a", 16)), grey("b", 16, 3_000)], "a", "b");
    assert_eq!(strength, Strength::Figures(8));
}

#[test]
fn enf_16_infantry_on_the_flank_of_a_battery() {
    let target = battery("b", Side::Confederate).at(30_000, 30_000).facing(0);
    let firer = blue("a", 16).at(34_000, 29_500).facing(27_000);
    let table = table(open_ground(), [firer, target]);
    let one = laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold));
    assert_eq!(one.flank, FlankClass::Full);
    // +4 for the flank, -3 for unlimbered guns.
    assert_eq!(one.modifiers.total(), 1);
}

#[test]
fn standing_follows_order_and_marks() {
    let unit = infantry("a", Side::Union).unit();
    assert_eq!(Standing::of(&unit, &HOLD), Standing::Hold);
    let mut risen = unit.clone();
    risen.marks.risen = true;
    assert_eq!(Standing::of(&risen, &HOLD), Standing::Stirred);
    let mut driven = unit;
    driven.marks.fell_back = true;
    assert_eq!(Standing::of(&driven, &HOLD), Standing::Moved);
}

#[test]
fn cover_13_and_15_shot_opens_an_inch_of_works() {
    // Three sections against hasty works need 13: dice 13 do it, 12 do not.
    for (faces, opened) in [([5, 4, 4], true), ([4, 4, 4], false)] {
        let ground = ground_with(|ground| ground.obstacles.push(obstacle(ObstacleKind::HastyWorks, 33_800)));
        let table = table(ground, [guns("a", 3), grey("b", 12, 4_000)]);
        let dice = volley_dice("a", &faces).with(Purpose::PenDepth, &["a"], &[1]);
        let dice = if opened { dice } else { dice.with(Purpose::FireConfirm, &["a", "b"], &[1]) };
        let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
        let gaps = came.battle.table.changes.gaps.get(&FeatureId::new("line")).cloned().unwrap_or_default();
        // The line runs from x = 50 inches westward; the fire crosses it at x = 30 inches.
        let expected: Vec<_> = if opened { vec![crate::ground::Stretch { from: 19_500, to: 20_500 }] } else { vec![] };
        assert_eq!(gaps, expected);
    }
}

#[test]
fn cover_15_near_an_end_of_works_the_last_inch_goes() {
    // The line runs from x = 50 inches westward to 10, 40 inches long; the fire crosses it 0.45 inches before that end. One
    // stand of 0.75 inches is left behind it.
    let ground = ground_with(|ground| ground.obstacles.push(obstacle(ObstacleKind::HastyWorks, 33_800)));
    let table = table(ground, [guns("a", 3).at(10_450, 30_000), grey("b", 12, 0).stands_left(1).at(10_450, 34_000)]);
    let dice = volley_dice("a", &[5, 4, 4]).with(Purpose::PenDepth, &["a"], &[1]);
    let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
    let gaps = came.battle.table.changes.gaps.get(&FeatureId::new("line")).cloned().unwrap_or_default();
    assert_eq!(gaps, [crate::ground::Stretch { from: 39_000, to: 40_000 }]);
}
