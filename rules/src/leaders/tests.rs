use protocol::event::Morale;
use protocol::ids::Side;
use protocol::orders::{LeaderDraft, Stage};
use protocol::place::Point;

use super::*;
use crate::battle::{Battle, LeaderOrders};
use crate::dice::ScriptedDice;
use crate::ground::{Area, Ground, Wooded};
use crate::testing;

/// Two regiments in line side by side, 3.5 inches wide each, facing north, their fronts on y = 20; a leader behind them.
/// His stand is an inch square.
fn pair(level: u8, at: (i32, i32)) -> Battle {
    pair_on(Ground::default(), level, at)
}

fn pair_on(ground: Ground, level: u8, at: (i32, i32)) -> Battle {
    let ground = Ground { areas: ground.areas, ..testing::open_ground() };
    let units = [
        testing::infantry("left", Side::Union).at(28_000, 20_000),
        testing::infantry("right", Side::Union).at(32_000, 20_000),
    ];
    let mut table = testing::table(ground, units);
    let mut leader = testing::leader("vincent", Side::Union, at.0, at.1);
    leader.level = level;
    table.leaders.insert(leader.id.clone(), leader);
    testing::battle(table)
}

fn play<'a>(dice: &'a ScriptedDice, battle: Battle) -> Play<'a> {
    let mut play = Play::new(Ruleset::standard(), dice, battle, Stage::Orders);
    play.phase = 2;
    play
}

fn helped(play: &mut Play<'_>, units: &[&str], help: Help) -> Vec<String> {
    let batch: Vec<_> = units.iter().map(|unit| (testing::ix(play.table(), unit), help)).collect();
    let allotment = allot(play, &batch);
    allotment.helpers.keys().map(|unit| play.table()[*unit].id.to_string()).collect()
}

fn vincent<'p>(play: &'p mut Play<'_>) -> &'p mut Leader {
    play.table_mut().leaders.get_mut(&LeaderId::new("vincent")).unwrap()
}

// The rear edge of a line is 0.625 behind its front: y = 19.375. A leader's stand reaches half an inch to each side.
const ONE_INCH_BEHIND: i32 = 19_375 - 1_000 - 500;

#[test]
fn lead_02_level_is_radius_in_inches() {
    for level in 1..=3 {
        let reach = i32::from(level) * 1_000;
        for (over, expected) in [(0, true), (3, false)] {
            let battle = pair(level, (28_000, 19_375 - reach - 500 - over));
            let field = Field::before_dice(Ruleset::standard(), &battle.table);
            let present = present(&field, testing::ix(&battle.table, "left"));
            assert_eq!(present.is_some(), expected, "level {level}, {over} beyond");
        }
    }
}

#[test]
fn lead_04_a_level_0_leader_helps_nobody() {
    let battle = pair(0, (28_000, 18_875));
    let field = Field::before_dice(Ruleset::standard(), &battle.table);
    assert!(present(&field, testing::ix(&battle.table, "left")).is_none());
}

#[test]
fn lead_01_the_dead_the_wounded_and_the_enemy_are_not_present() {
    let spoils: [fn(&mut Leader); 3] = [
        |leader| leader.lost_in = Some(1),
        |leader| leader.wounded_until = Some(2),
        |leader| leader.side = Side::Confederate,
    ];
    for spoil in spoils {
        let dice = ScriptedDice::new();
        let mut play = play(&dice, pair(1, (28_000, ONE_INCH_BEHIND)));
        spoil(vincent(&mut play));
        assert_eq!(helped(&mut play, &["left"], Help::Morale), Vec::<String>::new());
    }
}

#[test]
fn lead_06_the_best_of_several_counts() {
    let mut battle = pair(1, (28_000, ONE_INCH_BEHIND));
    let mut better = testing::leader("weed", Side::Union, 28_000, ONE_INCH_BEHIND - 500);
    better.level = 2;
    battle.table.leaders.insert(better.id.clone(), better);
    let field = Field::before_dice(Ruleset::standard(), &battle.table);
    assert_eq!(present(&field, testing::ix(&battle.table, "left")).unwrap().id, LeaderId::new("weed"));
}

#[test]
fn lead_07_a_leader_helps_the_nearest_first_and_no_more_than_his_level() {
    let dice = ScriptedDice::new();
    // Between the two, nearer to the right one.
    let mut play = play(&dice, pair(1, (30_900, ONE_INCH_BEHIND + 500)));
    assert_eq!(helped(&mut play, &["left", "right"], Help::Morale), ["right"]);
    // The list holds for the phase: the left one cannot be helped any more, the right one again.
    assert_eq!(helped(&mut play, &["left"], Help::Morale), Vec::<String>::new());
    assert_eq!(helped(&mut play, &["left", "right"], Help::Morale), ["right"]);
    begin_phase(&mut play);
    assert_eq!(helped(&mut play, &["left"], Help::Morale), ["left"]);
    assert_eq!(vincent(&mut play).marks.helped_in_turn.len(), 2);
    dice.finish().unwrap();
}

#[test]
fn lead_07_the_owners_list_goes_before_nearness() {
    let dice = ScriptedDice::new();
    let mut battle = pair(1, (30_900, ONE_INCH_BEHIND + 500));
    let draft = LeaderDraft { help: Some(vec!["left".into()]), ..LeaderDraft::default() };
    let orders = LeaderOrders { said: [(Stage::Orders, draft)].into() };
    battle.secrets.get_mut(Side::Union).open_mut().leaders.insert(LeaderId::new("vincent"), orders);
    let mut play = play(&dice, battle);
    assert_eq!(helped(&mut play, &["left", "right"], Help::Morale), ["left"]);
}

#[test]
fn lead_07_level_candidates_throw_dice() {
    let dice = ScriptedDice::new().with(Purpose::TieHelp, &["left"], &[2]).with(Purpose::TieHelp, &["right"], &[5]);
    let mut play = play(&dice, pair(1, (30_000, ONE_INCH_BEHIND + 500)));
    assert_eq!(helped(&mut play, &["left", "right"], Help::Morale), ["right"]);
    dice.finish().unwrap();
}

#[test]
fn lead_07_a_level_2_leader_helps_two() {
    let dice = ScriptedDice::new().with(Purpose::TieHelp, &["left"], &[2]).with(Purpose::TieHelp, &["right"], &[5]);
    let mut play = play(&dice, pair(2, (30_000, ONE_INCH_BEHIND)));
    assert_eq!(helped(&mut play, &["left", "right"], Help::Morale), ["left", "right"]);
}

#[test]
fn lead_08_in_woods_one_unit_fewer_but_at_least_one() {
    let outline = vec![Point::new(0, 0), Point::new(60_000, 0), Point::new(60_000, 19_000), Point::new(0, 19_000)];
    let (terrain, wooded) = (Terrain::Woods, Wooded::Light);
    let woods = Area { id: "woods".into(), name: "woods".to_owned(), terrain, wooded, outline };
    let ground = Ground { areas: vec![woods], ..Ground::default() };
    for (level, expected) in [(0, 0), (1, 1), (2, 1), (3, 2)] {
        let battle = pair_on(ground.clone(), level, (30_000, 18_000));
        let field = Field::before_dice(Ruleset::standard(), &battle.table);
        assert_eq!(places(&field, &battle.table.leaders[&LeaderId::new("vincent")]), expected, "level {level}");
    }
}

#[test]
fn lead_10_arms() {
    use Arm::{Artillery, Cavalry, Infantry};
    let cases = [
        (Help::Morale, [[true; 3]; 3]),
        (Help::Competence, [[true, false, false], [true, true, false], [true, false, true]]),
        (Help::Fire, [[true, true, false], [true, true, false], [false, false, true]]),
    ];
    for (help, by_leader) in cases {
        for (leader, by_unit) in [Infantry, Cavalry, Artillery].into_iter().zip(by_leader) {
            for (unit, expected) in [Infantry, Cavalry, Artillery].into_iter().zip(by_unit) {
                assert_eq!(arm_allows(Some(leader), unit, help), expected, "{help:?}: {leader} leader, {unit}");
            }
        }
    }
}

#[test]
fn lead_11_charging_and_routed_units_want_a_leader_who_began_with_them() {
    let dice = ScriptedDice::new();
    let mut play = play(&dice, pair(1, (28_000, ONE_INCH_BEHIND)));
    assert_eq!(helped(&mut play, &["left"], Help::Charge), Vec::<String>::new());
    begin_turn(&mut play);
    assert_eq!(helped(&mut play, &["left"], Help::Charge), ["left"]);

    let left = testing::ix(play.table(), "left");
    play.table_mut()[left].morale = Morale::Routed;
    assert_eq!(helped(&mut play, &["left"], Help::Morale), ["left"]);
    vincent(&mut play).marks.began_with.clear();
    assert_eq!(helped(&mut play, &["left"], Help::Morale), Vec::<String>::new());
}

#[test]
fn move_18_with_is_within_his_radius_at_the_end_of_phase_1() {
    for level in 1..=3_u8 {
        let reach = i32::from(level) * 1_000;
        // A boundary is inside, with its tolerance of 0.002.
        for (over, with) in [(0, true), (2, true), (3, false)] {
            let dice = ScriptedDice::new();
            let mut play = play(&dice, pair(level, (28_000, 19_375 - reach - 500 - over)));
            begin_turn(&mut play);
            assert_eq!(vincent(&mut play).marks.began_with.contains(&"left".into()), with, "level {level}, {over}");
            // Coming up afterwards makes no difference.
            vincent(&mut play).at = Point::new(28_000, ONE_INCH_BEHIND);
            assert_eq!(helped(&mut play, &["left"], Help::Charge), if with { vec!["left"] } else { vec![] });
        }
    }
}

#[test]
fn lead_05_by_rank_a_division_commander_is_level_2() {
    let edition = testing::edition(&[("leader_benefit", "rank")]);
    let scenario = crate::scenario::Scenario { edition, ground: testing::open_ground(), ..Default::default() };
    let table = Table::new(crate::battle::Theatre::new(std::sync::Arc::new(scenario)), Vec::new());
    let mut leader = testing::leader("law", Side::Confederate, 0, 0);
    for (post, arm, expected) in [
        (Post::Brigade, None, 1),
        (Post::Division, None, 2),
        (Post::Corps, None, 3),
        (Post::Division, Some(Arm::Artillery), 1),
    ] {
        (leader.post, leader.arm) = (post, arm);
        assert_eq!(level(&table, &leader), expected);
    }
}

#[test]
fn lead_13_a_leader_in_the_enemys_way_goes_beside_the_nearest_friend() {
    let dice = ScriptedDice::new();
    let mut battle = pair(1, (28_000, 25_000));
    battle.table.insert(testing::infantry("enemy", Side::Confederate).at(28_000, 25_000).unit());
    let mut play = play(&dice, battle);
    give_way(&mut play);
    // His stand touches the rear of the left regiment, y = 19.375.
    assert_eq!(vincent(&mut play).at, Point::new(28_000, 18_875));
    assert_eq!(vincent(&mut play).marks.closest_enemy, Some(2_000));
    let moved = play.events.iter().filter(|event| matches!(event.fact, protocol::event::Fact::LeaderMoved { .. }));
    assert_eq!(moved.count(), 1, "his ride is told");
    // No routed friend takes him in: with the left one routed he goes to the right one, three inches farther.
    let mut battle = pair(1, (29_500, 25_000));
    battle.table.insert(testing::infantry("enemy", Side::Confederate).at(29_500, 25_000).unit());
    let left = testing::ix(&battle.table, "left");
    battle.table[left].morale = Morale::Routed;
    let mut play = self::play(&dice, battle);
    give_way(&mut play);
    assert_eq!(vincent(&mut play).at, Point::new(32_000, 18_875));
}

#[test]
fn off_02_the_nearest_enemy_of_the_turn_is_kept() {
    let dice = ScriptedDice::new();
    let mut battle = pair(1, (28_000, ONE_INCH_BEHIND));
    // Facing south, its front four inches from the fronts of the two.
    battle.table.insert(testing::infantry("enemy", Side::Confederate).facing(18_000).at(28_000, 24_000).unit());
    let mut play = play(&dice, battle);
    mark_danger(&mut play);
    // To the leader's stand, whose edge is an inch behind the rear of the line.
    assert_eq!(vincent(&mut play).marks.closest_enemy, Some(4_000 + 625 + 1_000));
    let (left, enemy) = (testing::ix(play.table(), "left"), testing::ix(play.table(), "enemy"));
    assert_eq!(play.table()[left].marks.closest_enemy, Some(4_000));
    play.table_mut()[enemy].morale = Morale::Routed;
    play.table_mut()[enemy].footing.anchor.y = 20_500;
    mark_danger(&mut play);
    assert_eq!(play.table()[left].marks.closest_enemy, Some(4_000), "the routed endanger nobody");
}
