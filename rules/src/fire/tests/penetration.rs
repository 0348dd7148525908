//! Chapter PEN: how far a fire reaches past its target, whom it strikes there and how hard.
//!
//! Twelve figures at 14 to 16 kill three, at 18 five, at 19 and 20 six; two sections at 15 to 18 kill two. Half of three is one
//! and a die.

use protocol::event::Fact;
use protocol::ids::{FeatureId, Side};
use protocol::orders::Stage;
use protocol::place::Point;
use protocol::words::Formation;

use super::{Came, HOLD, Occasion, Shot, blue, fired, fired_as, grey, ground_with, shoot, shot, volley_dice};
use crate::dice::{Purpose, ScriptedDice};
use crate::fire::Round;
use crate::ground::{Area, Building, BuildingKind, Ground, Obstacle, ObstacleKind, Terrain, Wooded};
use crate::play::Play;
use crate::ruleset::Ruleset;
use crate::settle::Happening;
use crate::testing::{Maker, battery, battle, infantry, ix, leader, open_ground, table};

/// A Union battery of two sections that faces north; its opening volley is used.
fn guns() -> Maker {
    battery("a", Side::Union).at(30_000, 30_000).with(|unit| unit.opening_volley_used = true)
}

/// A fire of `a` at a line of twelve so far off, and whether it strikes the regiment `c` that stands so far behind it.
struct Fire<'f> {
    ground: Ground,
    firer: Maker,
    range: i32,
    round: Round,
    faces: &'f [u8],
    /// The die of the depth, for guns that fire shot or shell.
    depth: Option<u8>,
    /// An odd half is left to a die.
    odd: bool,
}

impl Fire<'_> {
    /// Whether a unit so far behind the target's rear is struck. A stand is struck by more than 0.002 inches.
    fn strikes(&self, gap: i32) -> bool {
        let near = grey("c", 16, self.range + 625 + gap);
        let table = table(self.ground.clone(), [self.firer.clone(), grey("b", 12, self.range), near]);
        let one = Shot { round: self.round, ..shot(&table, "a", "b", &HOLD, Occasion::Hold) };
        let mut dice = volley_dice("a", self.faces);
        if let Some(face) = self.depth {
            dice = dice.with(Purpose::PenDepth, &["a"], &[face]);
        }
        if self.odd {
            dice = dice.with(Purpose::PenFraction, &["a", "c"], &[1]);
        }
        let mut play = Play::new(Ruleset::standard(), &dice, battle(table), Stage::Movement);
        play.phase = 7;
        shoot(&mut play, vec![one]);
        let left = |unit: &str| play.table()[ix(play.table(), unit)].figures();
        assert!(left("b") < 12, "a fire without a loss would show nothing");
        let struck = left("c") < 16;
        // The die for the half is thrown only for who is struck.
        assert_eq!(dice.finish().is_ok(), struck || !self.odd, "{:?}", dice.finish());
        struck
    }

    /// Asserts that it reaches exactly so far, thousandths of an inch.
    fn reaches(&self, depth: i32) {
        assert!(self.strikes(depth - 10), "struck at {}", depth - 10);
        assert!(!self.strikes(depth), "not struck at {depth}");
    }
}

/// Muskets at close range, four dice.
fn close<'f>(ground: Ground, faces: &'f [u8], odd: bool) -> Fire<'f> {
    Fire { ground, firer: blue("a", 12), range: 2_000, round: Round::Plain, faces, depth: None, odd }
}

fn area(terrain: Terrain) -> impl FnOnce(&mut Ground) {
    let wooded = if terrain == Terrain::Woods { Wooded::Light } else { Wooded::None };
    let outline = [(10_000, 31_900), (50_000, 31_900), (50_000, 59_000), (10_000, 59_000)];
    let outline = outline.map(|(x, y)| Point::new(x, y)).to_vec();
    move |ground| {
        ground.areas.push(Area { id: FeatureId::new("area"), name: "area".to_owned(), terrain, wooded, outline });
    }
}

/// A line a fifth of an inch before the target at close range; works face the firer.
fn works(kind: ObstacleKind) -> impl FnOnce(&mut Ground) {
    let line = vec![Point::new(50_000, 31_800), Point::new(10_000, 31_800)];
    move |ground| ground.obstacles.push(Obstacle { id: FeatureId::new("line"), kind, line })
}

fn building(kind: BuildingKind) -> impl FnOnce(&mut Ground) {
    let outline = [(28_000, 31_900), (32_000, 31_900), (32_000, 32_700), (28_000, 32_700)];
    let outline = outline.map(|(x, y)| Point::new(x, y)).to_vec();
    move |ground| {
        ground.buildings.push(Building { id: FeatureId::new("house"), name: "house".to_owned(), kind, outline });
    }
}

#[test]
fn pen_01_depth_by_weapon_and_range() {
    // 16 kills three. Muskets at close range two inches, at normal range one.
    close(open_ground(), &[4, 4, 4, 4], true).reaches(2_000);
    let normal = Fire { range: 3_000, faces: &[5, 5, 5], ..close(open_ground(), &[], true) };
    normal.reaches(1_000);
    // Canister, five dice, 15 of two sections kills two: two inches.
    let canister =
        Fire { firer: guns(), round: Round::Canister, faces: &[3, 3, 3, 3, 3], ..close(open_ground(), &[], false) };
    canister.reaches(2_000);
    // Shot and shell at normal range the inches of a die; within canister range they count as at normal range.
    for (range, face) in [(10_000, 4), (10_000, 1), (2_000, 6)] {
        let shell = Fire {
            firer: guns(),
            range,
            round: Round::Plain,
            faces: &[5, 5, 5],
            depth: Some(face),
            ..close(open_ground(), &[], false)
        };
        shell.reaches(i32::from(face) * 1_000);
    }
}

#[test]
fn pen_01_the_die_is_thrown_though_nobody_stands_behind_and_nobody_is_hit() {
    // Dice left over would be an error, so would missing ones. 8 of two sections is nothing.
    let field = table(open_ground(), [guns(), grey("b", 12, 10_000)]);
    let dice = volley_dice("a", &[3, 3, 2]).with(Purpose::PenDepth, &["a"], &[5]);
    assert_eq!(fired(field, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]).left("b"), 12);
}

#[test]
fn pen_03_halved_once_in_woods_rough_and_hasty_works() {
    // In woods -2: 20 - 2 = 18 kills five. Rough without trees: 16.
    close(ground_with(area(Terrain::Woods)), &[6, 5, 5, 4], true).reaches(1_000);
    close(ground_with(area(Terrain::Rough)), &[4, 4, 4, 4], true).reaches(1_000);
    // Hasty works -3: 23 - 3 = 20 kills six.
    close(ground_with(works(ObstacleKind::HastyWorks)), &[6, 6, 6, 5], false).reaches(1_000);
    // Both, -5: 23 - 5 = 18 kills five; half, not a quarter.
    let both = ground_with(|ground| {
        area(Terrain::Woods)(ground);
        works(ObstacleKind::HastyWorks)(ground);
    });
    close(both, &[6, 6, 6, 5], true).reaches(1_000);
    // A wooden house counts as hasty works; its -1 leaves 18 of 19.
    close(ground_with(building(BuildingKind::Wood)), &[6, 5, 4, 4], true).reaches(1_000);
    // Guns: the die in half inches. Woods -1: 17 - 1 = 16 of two sections kills two.
    let outline = [(10_000, 39_900), (50_000, 39_900), (50_000, 59_000), (10_000, 59_000)];
    let outline = outline.map(|(x, y)| Point::new(x, y)).to_vec();
    let ground = ground_with(move |ground| {
        area(Terrain::Woods)(ground);
        ground.areas[0].outline = outline;
    });
    let shell = Fire { firer: guns(), range: 10_000, faces: &[6, 6, 5], depth: Some(5), ..close(ground, &[], false) };
    shell.reaches(2_500);
}

#[test]
fn pen_04_none_through_stronger_works_and_stone_walls() {
    // Medium works -6: 24 - 6 = 18 kills five. Heavy works -8: 16 kills three.
    assert!(!close(ground_with(works(ObstacleKind::MediumWorks)), &[6; 4], true).strikes(10));
    assert!(!close(ground_with(works(ObstacleKind::HeavyWorks)), &[6; 4], true).strikes(10));
    assert!(!close(ground_with(building(BuildingKind::Stone)), &[6; 4], true).strikes(10));
    // From the wrong side they are only a fence that stops nothing: -2, 18 kills five.
    let wrong_side = ground_with(|ground| {
        works(ObstacleKind::MediumWorks)(ground);
        ground.obstacles[0].line.reverse();
    });
    close(wrong_side, &[6, 5, 5, 4], true).reaches(2_000);
    // A fence or a stone wall stops nothing either. -1 and -2.
    close(ground_with(works(ObstacleKind::Fence)), &[6, 5, 4, 4], true).reaches(2_000);
    close(ground_with(works(ObstacleKind::StoneWall)), &[6, 5, 5, 4], true).reaches(2_000);
}

/// `a` fires at `b` two inches off with 16: three figures.
fn fire_at_close_range(others: Vec<Maker>, fractions: &[(&str, u8)]) -> Came {
    let mut dice = volley_dice("a", &[4, 4, 4, 4]);
    for (unit, face) in fractions {
        dice = dice.with(Purpose::PenFraction, &["a", unit], &[*face]);
    }
    let mut units = vec![blue("a", 12), grey("b", 12, 2_000)];
    units.extend(others);
    fired(table(open_ground(), units), 7, dice, &[("a", "b", HOLD, Occasion::Hold)])
}

#[test]
fn pen_02_battery_l_behind_battery_k_takes_half() {
    // Battery K is enfiladed: +4 for its full flank, -3 for unlimbered guns. 13 + 1 = 14 kills three: half of it is one and a
    // die, and battery L behind it loses two. The dice for horses show sections.
    let k = battery("k", Side::Confederate).at(30_500, 32_500).facing(9_000).with(|unit| {
        unit.stands[0].figures = 3;
        unit.stands[0].full = 3;
    });
    let l = battery("l", Side::Confederate).at(30_500, 34_000).facing(9_000).with(|unit| {
        unit.stands[0].figures = 3;
        unit.stands[0].full = 3;
    });
    let dice = volley_dice("a", &[4, 3, 3, 3])
        .with(Purpose::PenFraction, &["a", "l"], &[4])
        .with(Purpose::ArtyHorse, &["a", "k"], &[5, 5, 6])
        .with(Purpose::ArtyHorse, &["a", "l"], &[6, 5]);
    let came = fired(table(open_ground(), [blue("a", 12), k, l]), 7, dice, &[("a", "k", HOLD, Occasion::Hold)]);
    assert_eq!((came.left("k"), came.left("l")), (0, 1));
}

#[test]
fn pen_02_the_same_for_everybody_whatever_his_formation() {
    // Side by side behind the target, in disorder and skirmishing: one and a half each, each with its own die.
    let disordered = grey("c", 16, 0).at(28_500, 33_000).stands_left(2).disordered();
    let skirmishers = grey("d", 8, 0).at(31_500, 33_000).stands_left(2).formation(Formation::SkirmishLine);
    let before = (8, 4);
    let came = fire_at_close_range(vec![disordered, skirmishers], &[("c", 4), ("d", 3)]);
    assert_eq!((before.0 - came.left("c"), before.1 - came.left("d")), (2, 1));
}

#[test]
fn pen_02_half_of_the_net_result_however_few_the_target_has_left() {
    // Three are scored on a target of one figure: those behind lose half of three.
    let last = grey("b", 4, 2_000).stands_left(1);
    let units = [blue("a", 12), last, grey("c", 16, 3_000)];
    let dice = volley_dice("a", &[4, 4, 4, 4]).with(Purpose::PenFraction, &["a", "c"], &[4]);
    let came = fired(table(open_ground(), units), 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
    assert_eq!((came.left("b"), came.left("c")), (0, 14));
}

#[test]
fn pen_06_friend_and_foe_in_the_zone_and_nobody_else() {
    // A friend of the firer stands behind the target; a leader there is not affected; what stands behind those struck, two
    // inches behind the target's rear, is not.
    let friend = infantry("c", Side::Union).at(30_000, 34_000);
    let farther = grey("d", 16, 4_700);
    let came = fire_at_close_range(vec![friend, farther], &[("c", 4)]);
    assert_eq!((came.left("c"), came.left("d")), (14, 16));
    let units = [blue("a", 12), grey("b", 12, 2_000)];
    let mut with_leader = table(open_ground(), units);
    with_leader.leaders.insert("l".into(), leader("l", Side::Confederate, 30_000, 33_200));
    let came = fired(with_leader, 7, volley_dice("a", &[4, 4, 4, 4]), &[("a", "b", HOLD, Occasion::Hold)]);
    assert!(came.battle.table.leaders[&protocol::ids::LeaderId::new("l")].on_table());
    assert!(!came.facts.iter().any(|fact| matches!(fact, Fact::LeaderHit { .. })));
}

#[test]
fn pen_06_a_unit_between_the_stands_of_the_target_is_not_behind_it() {
    // The target is in extended line, its stands 875 apart. One stand of half an inch stands in the middle gap, level with it;
    // it reaches into the zone when it stands a tenth of an inch farther back.
    for (back, struck) in [(0, false), (100, true)] {
        let target = grey("b", 16, 2_000).formation(Formation::ExtendedLine).with(|unit| unit.footing.gap = 875);
        let between = grey("c", 4, 2_000 + back).stands_left(1).with(|unit| unit.stands[0].figures = 1);
        // -1 for the extended line: 17 - 1 = 16 kills three.
        let mut dice = volley_dice("a", &[5, 4, 4, 4]);
        if struck {
            dice = dice.with(Purpose::PenFraction, &["a", "c"], &[1]);
        }
        let field = table(open_ground(), [blue("a", 12), target, between]);
        let came = fired(field, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
        assert_eq!((came.left("b"), came.left("c")), (13, if struck { 0 } else { 1 }), "{back} farther back");
    }
}

#[test]
fn pen_07_a_possible_loss_passes_on_half_a_figure_and_an_mc_nothing() {
    // 8 of twelve figures is 1*. Confirmed: half a figure for those behind. Not confirmed: nothing.
    for (confirmed, half, left) in [(4, Some(4), (11, 15)), (4, Some(3), (11, 16)), (3, None, (12, 16))] {
        let mut dice: ScriptedDice = volley_dice("a", &[2, 2, 2, 2]);
        dice = dice.with(Purpose::FireConfirm, &["a", "b"], &[confirmed]);
        if let Some(face) = half {
            dice = dice.with(Purpose::PenFraction, &["a", "c"], &[face]);
        }
        let field = table(open_ground(), [blue("a", 12), grey("b", 12, 2_000), grey("c", 16, 3_000)]);
        let came = fired(field, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
        assert_eq!((came.left("b"), came.left("c")), left);
    }
    // Guns, 9 of two sections: an MC for the target alone.
    let field = table(open_ground(), [guns(), grey("b", 12, 10_000), grey("c", 16, 11_000)]);
    let dice = volley_dice("a", &[3, 3, 3]).with(Purpose::PenDepth, &["a"], &[6]);
    let one = shot(&field, "a", "b", &HOLD, Occasion::Hold);
    let came = fired_as(field, 7, dice, vec![one]);
    let hit = |unit: &str| {
        let unit = ix(&came.battle.table, unit);
        came.happenings.iter().any(|happening| matches!(happening, Happening::FiredOn(fire) if fire.unit == unit))
    };
    assert_eq!((hit("b"), hit("c")), (true, false));
}
