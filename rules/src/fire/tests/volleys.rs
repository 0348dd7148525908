//! One test a rule for FIRE, VIS and COVER, where the worked examples are silent.

use protocol::event::FlankClass;
use protocol::ids::{FeatureId, Side};
use protocol::orders::{Oblique, Order, RangeBand};
use protocol::words::{Formation, Quality};

use super::examples::{guns, obstacle, woods};
use super::{
    HOLD, Occasion, Shot, Stands, Wishes, blue, chosen, fired, fired_as, grey, ground_with, laid, reckoned, shot,
    volley_dice,
};
use crate::battle::Table;
use crate::dice::Purpose;
use crate::field::Field;
use crate::fire::{Officers, Seen, combine, lay};
use crate::ground::ObstacleKind;
use crate::ruleset::{CombatResult, Ruleset, Strength};
use crate::settle::Happening;
use crate::testing::{Maker, battery, infantry, ix, leader, open_ground, table};

/// A regiment on the flank of another, facing west along it.
fn beside(id: &str, side: Side, x: i32, y: i32) -> Maker {
    infantry(id, side).at(x, y).facing(27_000).with(|unit| unit.opening_volley_used = true)
}

/// Whether a shot may be fired, and its band.
fn band(units: Vec<Maker>) -> Option<RangeBand> {
    let table = table(open_ground(), units);
    let field = Field::before_dice(Ruleset::standard(), &table);
    lay(&field, &shot(&table, "a", "b", &HOLD, Occasion::Hold), &Officers::Present).ok().map(|laid| laid.band)
}

#[test]
fn fire_01_the_steps_of_a_fire() {
    // Thirteen skirmishers fire as 6. 2 dice at long range: 11, less 1 for an elite target: 10 on the row of six is 1*, which
    // 4 confirms. The target is in skirmish line too: half of 1, rounded down.
    let firer = blue("a", 13).formation(Formation::SkirmishLine);
    let target = grey("b", 16, 5_000).quality(Quality::Elite).formation(Formation::SkirmishLine);
    let table = table(open_ground(), [firer, target]);
    let dice = volley_dice("a", &[5, 6]).with(Purpose::FireConfirm, &["a", "b"], &[4]);
    let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
    assert_eq!(came.left("b"), 16);
}

#[test]
fn fire_03_which_stands_fire_in_each_formation() {
    // A line with a skirmish screen is left out: straight ahead its own screen masks it (VIS-13).
    let figures = |formation| reckoned(vec![blue("a", 16).formation(formation), grey("b", 16, 3_000)], "a", "b").2;
    for (formation, count) in [
        (Formation::SingleLine, 16),
        (Formation::ExtendedLine, 16),
        (Formation::SkirmishLine, 8),
        (Formation::DoubleLine, 8),
        // One stand wide. FORM-07
        (Formation::AttackColumn, 4),
        (Formation::LineWithReserve, 12),
        (Formation::Square, 8),
        (Formation::MarchColumn, 4),
    ] {
        assert_eq!(figures(formation), Strength::Figures(count), "{formation}");
    }
    let disordered = reckoned(vec![blue("a", 16).disordered(), grey("b", 16, 3_000)], "a", "b").2;
    assert_eq!(disordered, Strength::Figures(8));
}

#[test]
fn fire_04_end_stands_alone_fire_into_the_rear_of_a_battery() {
    // The 5th Virginia beside a battery: two of its stands lie wholly behind the battery's rear line at 29.000.
    let target = battery("b", Side::Confederate).at(30_000, 30_000).facing(0);
    let table = table(open_ground(), [beside("a", Side::Union, 34_000, 29_000), target]);
    let mut one = shot(&table, "a", "b", &HOLD, Occasion::Hold);
    let all = laid(&table, &one);
    assert_eq!((all.strength, all.flank), (Strength::Figures(16), FlankClass::Full));
    one.firers[0].stands = Stands::RearOnly;
    let rear = laid(&table, &one);
    assert_eq!((rear.strength, rear.flank), (Strength::Figures(8), FlankClass::Rear));
}

#[test]
fn fire_04_a_masked_stand_does_not_fire() {
    // A friend ahead reaches east to x = 29.90. From the stand at 28.69 even the line to the target's east end, at 31.31,
    // enters it: it passes x = 29.55 at its rear. From the next, at 29.56, that line passes 30.14.
    let friend = infantry("f", Side::Union).at(28_150, 31_500);
    let table = table(open_ground(), [blue("a", 16), friend, grey("b", 16, 3_000)]);
    let one = laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold));
    assert_eq!(one.strength, Strength::Figures(12));
}

#[test]
fn fire_11_bands_of_the_rifle_musket() {
    let at = |range| band(vec![blue("a", 12), grey("b", 12, range)]);
    // SCALE-07: two thousandths of tolerance.
    assert_eq!([at(2_000), at(2_002), at(2_003)], [RangeBand::Close, RangeBand::Close, RangeBand::Normal].map(Some));
    assert_eq!([at(4_002), at(4_003), at(12_002)], [RangeBand::Normal, RangeBand::Long, RangeBand::Long].map(Some));
    assert_eq!(at(12_003), None);
}

#[test]
fn fire_13_all_modifiers_add_up() {
    // Elite 1, smoothbore at close range 1, opening volley 2, First Fire 1, an officer 1; green target 1, double line 1.
    let firer =
        blue("a", 12).quality(Quality::Elite).weapon("smoothbore").with(|unit| unit.opening_volley_used = false);
    let target = grey("b", 12, 1_000).green().formation(Formation::DoubleLine);
    let mut table = table(open_ground(), [firer, target]);
    let officer = leader("vincent", Side::Union, 30_000, 29_000);
    table.leaders.insert(officer.id.clone(), officer);
    let one = laid(&table, &shot(&table, "a", "b", &Order::FirstFire {}, Occasion::FirstFire));
    assert_eq!(one.modifiers.total(), 8);
}

#[test]
fn fire_14_the_row_is_the_greatest_not_above_the_count() {
    let crt = &Ruleset::standard().crt;
    let row = |strength| crt.read(strength, 16).map(|cell| cell.result);
    let kills = |count| Some(CombatResult::Killed(count));
    // Column 16: rows 12, 14 and 16 kill 3, 4 and 5, the top row 9.
    assert_eq!([12, 13, 14, 15, 16].map(|n| row(Strength::Figures(n))), [3, 3, 4, 4, 5].map(kills));
    assert_eq!([32, 40].map(|n| row(Strength::Figures(n))), [kills(9), kills(9)]);
    // Sections: five fire on the row of four (10 figures: 3), seven on that of six (12: 3), sixteen on the top row.
    assert_eq!([1, 4, 5, 7, 16].map(|n| row(Strength::Sections(n))), [1, 3, 3, 3, 9].map(kills));
    assert_eq!(row(Strength::Figures(0)), None);
}

#[test]
fn fire_15_columns_beyond_the_printed_ones() {
    let crt = &Ruleset::standard().crt;
    let at = |roll| crt.read(Strength::Figures(12), roll).map(|cell| cell.result);
    let kills = |count| Some(CombatResult::Killed(count));
    assert_eq!([at(16), at(13), at(10)], [kills(3), kills(2), kills(1)]);
    assert!([0, -4].iter().all(|roll| matches!(at(*roll), None | Some(CombatResult::Nothing))));
    assert_eq!([20, 21, 22, 23, 24, 30].map(at), [6, 6, 7, 7, 9, 9].map(kills));
}

#[test]
fn fire_18_what_is_really_lost_worsens_the_check() {
    // Four sections, 3 dice: 13 kills two; of skirmishers one falls, and one is what the hit check counts.
    let target = grey("b", 16, 5_000).formation(Formation::SkirmishLine);
    let table = table(open_ground(), [guns("a", 4), target]);
    let dice = volley_dice("a", &[5, 5, 3]).with(Purpose::PenDepth, &["a"], &[1]);
    let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
    assert_eq!(came.left("b"), 15);
    match came.happenings.as_slice() {
        [Happening::FiredOn(fire)] => assert_eq!((fire.figures, fire.forces_hit_check), (1, true)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn fire_18_figures_of_a_battery_are_sections() {
    // No horses left: 12 less 3 for unlimbered guns, on sixteen figures, is 2: both sections.
    let target = battery("b", Side::Confederate).at(30_000, 33_000).facing(18_000).with(|unit| {
        unit.stands[0].figures = 3;
        unit.stands[0].full = 3;
        unit.guns.as_mut().expect("a battery has guns").horses = 0;
    });
    let table = table(open_ground(), [blue("a", 16), target]);
    let came = fired(table, 7, volley_dice("a", &[4, 4, 4]), &[("a", "b", HOLD, Occasion::Hold)]);
    assert_eq!(came.left("b"), 1);
}

#[test]
fn fire_21_and_31_quality_of_firer_and_target() {
    let drm = |firer, target| {
        let units = vec![blue("a", 12).quality(firer), grey("b", 12, 3_000).quality(target)];
        reckoned(units, "a", "b").1
    };
    use Quality::{Elite, Green, Militia, Veteran};
    assert_eq!([Elite, Veteran, Green, Militia].map(|quality| drm(quality, Veteran)), [1, 0, -1, -1]);
    assert_eq!([Elite, Veteran, Green, Militia].map(|quality| drm(Veteran, quality)), [-1, 0, 1, 1]);
}

#[test]
fn fire_24_who_is_a_target() {
    let whom = |units: Vec<Maker>| chosen(&table(open_ground(), units), "a", &Wishes::default());
    assert_eq!(whom(vec![blue("a", 16), grey("b", 16, 3_000)]).as_deref(), Some("b"));
    // Behind the firer; out of reach; beside it, outside the 45 degrees.
    assert_eq!(whom(vec![blue("a", 16), grey("b", 16, -3_000)]), None);
    assert_eq!(whom(vec![blue("a", 16), grey("b", 16, 12_100)]), None);
    assert_eq!(whom(vec![blue("a", 16), grey("b", 16, 1_000).at(36_000, 31_000)]), None);
    // One stand in a zone is enough: its centre is 4.69 inches beside the corner and 4.81 ahead.
    let edge = grey("b", 16, 0).at(37_750, 34_500);
    assert_eq!(whom(vec![blue("a", 16), edge]).as_deref(), Some("b"));
    // Abandoned guns are none.
    let guns = |unmanned: bool| {
        battery("b", Side::Confederate).at(30_000, 33_000).facing(18_000).with(move |unit| {
            unit.guns.as_mut().expect("a battery has guns").unmanned = unmanned;
        })
    };
    assert_eq!(whom(vec![blue("a", 16), guns(false)]).as_deref(), Some("b"));
    assert_eq!(whom(vec![blue("a", 16), guns(true)]), None);
}

#[test]
fn fire_26_at_an_angle_the_choice_is_free() {
    let near = || grey("near", 8, 0).at(34_500, 34_000);
    let far = || grey("far", 8, 0).at(23_500, 37_000);
    let wish = |oblique| Wishes { oblique, ..Wishes::default() };
    let whom = |wishes: &Wishes, ahead: Option<Maker>| {
        let units = [blue("a", 16), near(), far()].into_iter().chain(ahead);
        chosen(&table(open_ground(), units), "a", wishes)
    };
    let list = wish(Oblique::Units { units: vec!["ghost".into(), "far".into(), "near".into()] });
    assert_eq!(whom(&Wishes::default(), None).as_deref(), Some("near"));
    assert_eq!(whom(&list, None).as_deref(), Some("far"));
    assert_eq!(whom(&wish(Oblique::None {}), None), None);
    // An enemy straight ahead takes the choice away, but not one beyond reach.
    assert_eq!(whom(&list, Some(grey("ahead", 8, 11_000))).as_deref(), Some("ahead"));
    assert_eq!(whom(&list, Some(grey("ahead", 8, 12_500))).as_deref(), Some("far"));
}

#[test]
fn fire_33_skirmishers_who_flee_are_halved_once_rounded_down() {
    // 16 on twelve figures kill 3: half of it is 1, and no die is thrown for the fraction.
    let target = grey("b", 12, 3_000).formation(Formation::SkirmishLine).morale(protocol::event::Morale::Routed);
    let table = table(open_ground(), [blue("a", 12), target]);
    let came = fired(table, 7, volley_dice("a", &[6, 5, 5]), &[("a", "b", HOLD, Occasion::Hold)]);
    assert_eq!(came.left("b"), 11);
}

#[test]
fn fire_34_shares_are_of_the_full_number() {
    // Three are killed of a unit that has two; those behind lose half of three: 1, and a die for the fraction.
    let target = grey("b", 12, 2_000).with(|unit| {
        for stand in &mut unit.stands {
            stand.figures = 0;
        }
        unit.stands.truncate(1);
        unit.stands[0].figures = 2;
    });
    let table = table(open_ground(), [blue("a", 12), target, grey("c", 12, 3_500)]);
    let dice = volley_dice("a", &[4, 4, 4, 4]).with(Purpose::PenFraction, &["a", "c"], &[4]);
    let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
    assert_eq!((came.left("b"), came.left("c")), (0, 10));
}

#[test]
fn fire_37_regiments_never_fire_as_one() {
    let table = table(
        open_ground(),
        [blue("a", 12).at(28_000, 30_000), blue("c", 12).at(32_000, 30_000), grey("b", 12, 3_000)],
    );
    let field = Field::before_dice(Ruleset::standard(), &table);
    let shots: Vec<Shot> = ["a", "c"].map(|unit| shot(&table, unit, "b", &HOLD, Occasion::Hold)).into();
    let wishes: Vec<_> = ["a", "c"].map(|unit| (ix(&table, unit), Wishes::default())).into();
    let combined = combine(&field, shots, &wishes);
    assert_eq!(combined.len(), 2);
    assert!(combined.iter().all(|shot| shot.firers.len() == 1));
}

#[test]
fn vis_09_and_10_area_and_blind_fire() {
    let table = table(open_ground(), [blue("a", 12), grey("b", 12, 3_000)]);
    let dice = |seen| laid(&table, &Shot { seen, ..shot(&table, "a", "b", &HOLD, Occasion::Hold) }).dice_count();
    // Blind fire takes the place of area fire: not three less. FIRE-08
    assert_eq!([Seen::Plainly, Seen::Area, Seen::Blind].map(dice), [3, 2, 1]);
}

/// The modifiers against a line four inches north of a regiment, or of guns, with these obstacles between.
fn covered(obstacles: &[(ObstacleKind, i32)], belt: Option<(i32, i32)>, with_guns: bool) -> Table {
    let ground = ground_with(|ground| {
        for (n, (kind, y)) in obstacles.iter().enumerate() {
            let mut one = obstacle(*kind, *y);
            one.id = FeatureId::new(format!("line{n}"));
            ground.obstacles.push(one);
        }
        ground.areas.extend(belt.map(|(south, north)| woods(south, north)));
    });
    let firer = if with_guns { guns("a", 3) } else { blue("a", 12) };
    table(ground, [firer, grey("b", 12, 4_000)])
}

fn cover_drm(table: &Table) -> i32 {
    laid(table, &shot(table, "a", "b", &HOLD, Occasion::Hold)).modifiers.total()
}

#[test]
fn cover_01_three_stands_behind_one_obstacle() {
    // A fence from x = 10 to the given end; the target's stands are centred at 29.0, 29.7, 30.3 and 31.0.
    let drm = |end: i32| {
        let ground = ground_with(|ground| {
            let mut fence = obstacle(ObstacleKind::Fence, 33_800);
            fence.line[0].x = end;
            ground.obstacles.push(fence);
        });
        cover_drm(&table(ground, [blue("a", 12), grey("b", 12, 4_000)]))
    };
    assert_eq!([drm(50_000), drm(30_600), drm(30_000)], [-1, -1, 0]);
}

#[test]
fn cover_05_the_best_obstacle_and_the_woods() {
    use ObstacleKind::{Fence, HastyWorks, StoneWall};
    let both = &[(Fence, 33_500), (HastyWorks, 33_800)];
    assert_eq!(cover_drm(&covered(both, None, false)), -3);
    assert_eq!(cover_drm(&covered(&[(Fence, 33_500), (StoneWall, 33_800)], None, false)), -2);
    assert_eq!(cover_drm(&covered(&[(HastyWorks, 33_800)], Some((34_000, 40_000)), false)), -5);
}

#[test]
fn cover_06_half_of_the_stands_in_woods() {
    let drm = |edge: i32, wooded| {
        let ground = ground_with(|ground| {
            let mut wood = woods(33_000, 40_000);
            wood.wooded = wooded;
            // From the west up to the edge.
            wood.outline[1].x = edge;
            wood.outline[2].x = edge;
            ground.areas.push(wood);
        });
        cover_drm(&table(ground, [blue("a", 12), grey("b", 12, 4_000)]))
    };
    use crate::ground::Wooded::{Heavy, Light};
    // Two of four centres are west of x = 30.0; heavy woods are worth no more.
    assert_eq!([drm(30_000, Light), drm(30_000, Heavy), drm(29_500, Light)], [-2, -2, 0]);
}

#[test]
fn cover_07_fire_through_more_than_an_inch_of_woods() {
    assert_eq!(cover_drm(&covered(&[], Some((31_000, 32_500)), false)), -2);
    assert_eq!(cover_drm(&covered(&[], Some((31_000, 31_900)), false)), 0);
    assert_eq!(cover_drm(&covered(&[], Some((31_000, 32_500)), true)), -1, "shot");
}

#[test]
fn cover_08_fences_and_walls_from_either_side() {
    for (kind, drm) in [(ObstacleKind::Fence, -1), (ObstacleKind::StoneWall, -2)] {
        let mut found = Vec::new();
        for reversed in [false, true] {
            let ground = ground_with(|ground| {
                let mut one = obstacle(kind, 33_800);
                if reversed {
                    one.line.reverse();
                }
                ground.obstacles.push(one);
            });
            found.push(cover_drm(&table(ground, [blue("a", 12), grey("b", 12, 4_000)])));
        }
        assert_eq!(found, [drm, drm]);
    }
}

#[test]
fn cover_10_a_fence_is_cover_for_morale_against_guns_too() {
    let table = covered(&[(ObstacleKind::Fence, 33_800)], None, true);
    // Three sections at 14: two figures.
    let dice = volley_dice("a", &[5, 5, 4]).with(Purpose::PenDepth, &["a"], &[1]);
    assert_eq!(cover_drm(&table), 0);
    let came = fired(table, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
    match came.happenings.as_slice() {
        [Happening::FiredOn(fire)] => assert!(fire.in_cover),
        other => panic!("{other:?}"),
    }
}

#[test]
fn cover_14_elite_guns_and_their_officer_count_against_works_and_nothing_else_does() {
    // Hasty works need 13 of three sections. 12 and 1 for an elite battery do it, and 12 with an officer of guns.
    let opened = |firer: Maker, officer: bool, first_fire: bool| {
        let ground = ground_with(|ground| ground.obstacles.push(obstacle(ObstacleKind::HastyWorks, 33_800)));
        let mut table = table(ground, [firer, grey("b", 12, 4_000)]);
        if officer {
            let mut chief = leader("hunt", Side::Union, 30_000, 29_000);
            chief.arm = Some(protocol::words::Arm::Artillery);
            table.leaders.insert(chief.id.clone(), chief);
        }
        let order = if first_fire { Order::FirstFire {} } else { HOLD };
        let occasion = if first_fire { Occasion::FirstFire } else { Occasion::Hold };
        let one = shot(&table, "a", "b", &order, occasion);
        let dice = volley_dice("a", &[4, 4, 4]).with(Purpose::PenDepth, &["a"], &[1]);
        !fired_as(table, 7, dice, vec![one]).battle.table.changes.gaps.is_empty()
    };
    assert!(opened(guns("a", 3).quality(Quality::Elite), false, false));
    assert!(opened(guns("a", 3), true, false));
    // Neither First Fire, nor the opening volley, nor the 20-pounder's own modifier.
    assert!(!opened(guns("a", 3), false, true));
    assert!(!opened(guns("a", 3).weapon("rifle_20"), false, false));
    assert!(!opened(guns("a", 3).with(|unit| unit.opening_volley_used = false), false, false));
}

#[test]
fn cover_14_a_group_is_elite_when_all_its_batteries_are() {
    // Two sections and one beside them, as one: 12 are not 13 while one of them is veteran.
    for (second, opened) in [(Quality::Veteran, false), (Quality::Elite, true)] {
        let ground = ground_with(|ground| ground.obstacles.push(obstacle(ObstacleKind::HastyWorks, 33_800)));
        let pair = [guns("a", 2).quality(Quality::Elite), guns("c", 1).at(31_500, 30_000).quality(second)];
        let table = table(ground, pair.into_iter().chain([grey("b", 12, 4_000)]));
        let mut one = shot(&table, "a", "b", &HOLD, Occasion::Hold);
        one.firers.extend(shot(&table, "c", "b", &HOLD, Occasion::Hold).firers);
        let mut dice = volley_dice("a", &[4, 4, 4]).with(Purpose::PenDepth, &["a"], &[1]);
        if !opened {
            dice = dice.with(Purpose::FireConfirm, &["a", "b"], &[1]);
        }
        let came = fired_as(table, 7, dice, vec![one]);
        assert_eq!(came.battle.table.changes.gaps.is_empty(), !opened, "{second:?}");
    }
}
