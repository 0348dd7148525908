//! Works under the fire of guns, and what they are worth. WORKS-02, WORKS-19 to WORKS-23

use protocol::ids::{FeatureId, Side};
use protocol::words::{Arm, Quality};

use super::examples::{guns, obstacle};
use super::{HOLD, Occasion, Shot, blue, fired_as, grey, ground_with, laid, shot, volley_dice};
use crate::battle::Table;
use crate::dice::{Purpose, ScriptedDice};
use crate::fire::{Round, Seen};
use crate::ground::{ObstacleKind, Stretch};
use crate::testing::{Maker, leader, table};

/// A battery at y = 30, and a regiment of twelve behind works at y = 33.8, which the line of fire crosses at x = 30: twenty
/// inches along their line.
fn before(kind: ObstacleKind, firer: Maker) -> Table {
    let ground = ground_with(|ground| ground.obstacles.push(obstacle(kind, 33_800)));
    table(ground, [firer, grey("b", 12, 4_000)])
}

/// The gaps in the works after a shot of `a` at `b`.
fn gaps_after(table: Table, dice: ScriptedDice, change: impl Fn(&mut Shot)) -> Vec<Stretch> {
    let mut one = shot(&table, "a", "b", &HOLD, Occasion::Hold);
    change(&mut one);
    let came = fired_as(table, 7, dice, vec![one]);
    came.battle.table.changes.gaps.get(&FeatureId::new("line")).cloned().unwrap_or_default()
}

/// The gaps after a plain shot that shows those faces; `confirm`: its result is a star, which a one does not confirm.
fn gaps(table: Table, faces: &[u8], confirm: bool) -> Vec<Stretch> {
    let dice = volley_dice("a", faces).with(Purpose::PenDepth, &["a"], &[1]);
    let dice = if confirm { dice.with(Purpose::FireConfirm, &["a", "b"], &[1]) } else { dice };
    gaps_after(table, dice, |_| ())
}

/// The inch about the line of fire.
fn the_inch() -> Vec<Stretch> {
    vec![Stretch { from: 19_500, to: 20_500 }]
}

#[test]
fn works_02_each_grade_is_worth_as_much_to_target_and_firer_as_the_tables_say() {
    // -3, -6, -8 against muskets and one less against shot; +1, +2, +2 for those who fire from them.
    let grades = [ObstacleKind::HastyWorks, ObstacleKind::MediumWorks, ObstacleKind::HeavyWorks];
    let worth = grades.map(|kind| {
        let against = |firer: Maker| {
            let open = table(ground_with(|_| ()), [firer.clone(), grey("b", 12, 4_000)]);
            let covered = before(kind, firer);
            let drm = |table: &Table| laid(table, &shot(table, "a", "b", &HOLD, Occasion::Hold)).modifiers.total();
            drm(&covered) - drm(&open)
        };
        let from = |table: &Table| laid(table, &shot(table, "b", "a", &HOLD, Occasion::Hold)).modifiers.total();
        let open = table(ground_with(|_| ()), [blue("a", 12), grey("b", 12, 4_000)]);
        (against(blue("a", 12)), against(guns("a", 2)), from(&before(kind, blue("a", 12))) - from(&open))
    });
    assert_eq!(worth, [(-3, -2, 1), (-6, -5, 2), (-8, -7, 2)]);
}

#[test]
fn works_19_shot_breaks_works_and_neither_canister_nor_fire_at_the_unseen_does() {
    // Six sections of an elite battery; the plain shot shows 18, area fire of a die less 12 + 1 for the elite: both are enough for
    // hasty works, as are the sixes of the canister.
    let battery = || guns("a", 6).quality(Quality::Elite).with(|unit| unit.guns.as_mut().unwrap().canister = 2);
    let field = || before(ObstacleKind::HastyWorks, battery());
    let depth = |dice: ScriptedDice| dice.with(Purpose::PenDepth, &["a"], &[1]);
    assert_eq!(gaps_after(field(), depth(volley_dice("a", &[6, 6, 6])), |_| ()), the_inch());
    let area = gaps_after(field(), depth(volley_dice("a", &[6, 6])), |one| one.seen = Seen::Area);
    assert_eq!(area, []);
    let near = || {
        let ground = ground_with(|ground| ground.obstacles.push(obstacle(ObstacleKind::HastyWorks, 31_800)));
        table(ground, [battery(), grey("b", 12, 2_000)])
    };
    let canister = gaps_after(near(), volley_dice("a", &[6, 6, 6, 6, 6]), |one| one.round = Round::Canister);
    assert_eq!(canister, []);
    assert_eq!(gaps_after(near(), depth(volley_dice("a", &[6, 6, 6])), |_| ()), the_inch());
}

#[test]
fn works_20_sections_and_the_roll_that_it_takes() {
    use ObstacleKind::{HastyWorks, HeavyWorks, MediumWorks};
    // The works take 2, 5, 7 off the roll for losses. Hasty: 12 - 2 on three sections, 13 - 2 on two are stars; nothing else is.
    let opens = |kind, sections, faces: &[u8], confirm| gaps(before(kind, guns("a", sections)), faces, confirm);
    assert_eq!(opens(HastyWorks, 3, &[5, 4, 4], false), the_inch(), "3 sections, 13");
    assert_eq!(opens(HastyWorks, 3, &[4, 4, 4], true), [], "3 sections, 12");
    assert_eq!(opens(HastyWorks, 2, &[5, 4, 4], true), [], "2 sections, 13");
    assert_eq!(opens(MediumWorks, 6, &[6, 5, 5], false), the_inch(), "6 sections, 16");
    assert_eq!(opens(MediumWorks, 6, &[5, 5, 5], false), [], "6 sections, 15");
    assert_eq!(opens(MediumWorks, 5, &[6, 5, 5], false), [], "5 sections, 16");
    assert_eq!(opens(HeavyWorks, 8, &[6, 6, 6], false), the_inch(), "8 sections, 18");
    assert_eq!(opens(HeavyWorks, 8, &[6, 6, 5], false), [], "8 sections, 17");
    assert_eq!(opens(HeavyWorks, 7, &[6, 6, 6], false), [], "7 sections, 18");
}

#[test]
fn works_21_an_elite_battery_and_an_officer_of_artillery_count_and_an_opening_volley_does_not() {
    // Twelve shown, one short. Six sections against hasty works: 12 - 2 = 10 is no star.
    let field = |change: fn(&mut crate::battle::Unit)| before(ObstacleKind::HastyWorks, guns("a", 6).with(change));
    let faces = [4, 4, 4];
    assert_eq!(gaps(field(|_| ()), &faces, false), []);
    assert_eq!(gaps(field(|unit| unit.opening_volley_used = false), &faces, false), []);
    assert_eq!(gaps(field(|unit| unit.quality = Quality::Elite), &faces, false), the_inch());
    let mut with_chief = field(|_| ());
    let mut chief = leader("chief", Side::Union, 30_000, 29_000);
    chief.arm = Some(Arm::Artillery);
    with_chief.leaders.insert(chief.id.clone(), chief);
    assert_eq!(gaps(with_chief, &faces, false), the_inch());
}

#[test]
fn works_22_one_shot_opens_an_inch_however_high_and_beside_an_older_gap() {
    let with_gap = |from: i32, to: i32| {
        let mut table = before(ObstacleKind::HastyWorks, guns("a", 6));
        table.changes.open_gap(&FeatureId::new("line"), Stretch { from, to });
        table
    };
    assert_eq!(
        gaps(before(ObstacleKind::HastyWorks, guns("a", 6)), &[6, 6, 6], false),
        the_inch(),
        "18 opens no more than 13"
    );
    // Three of four stands are covered yet. The line of fire passes through the gap, nearer to its end at 20.2: that inch goes,
    // and the gap has 1.8 inches.
    assert_eq!(gaps(with_gap(19_400, 20_200), &[5, 4, 4], false), [Stretch { from: 19_400, to: 21_200 }]);
}

#[test]
fn works_23_behind_a_breach_three_stands_must_still_be_covered() {
    // Stands of three figures are 0.75 inches wide; the lines of fire to them cut the works at 19, 19.67, 20.33 and 21 inches. A
    // breach about 20.4 leaves three behind them, a wider one only two.
    let drm = |from: i32, to: i32| {
        let mut table = before(ObstacleKind::MediumWorks, blue("a", 12));
        table.changes.open_gap(&FeatureId::new("line"), Stretch { from, to });
        let total = |by: &str, at: &str| laid(&table, &shot(&table, by, at, &HOLD, Occasion::Hold)).modifiers.total();
        (total("a", "b"), total("b", "a"))
    };
    assert_eq!(drm(20_100, 20_700), (-6, 2), "it keeps its works");
    assert_eq!(drm(19_400, 20_700), (0, 0), "it has lost them, as target and as firer");
}
