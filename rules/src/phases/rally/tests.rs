use protocol::ids::{BrigadeId, LeaderId, Side};
use protocol::orders::{Instructions, Order, Reform, Stage};
use protocol::place::Point;
use protocol::view::Presence;
use protocol::words::{Formation, Quality};

use super::*;
use crate::battle::{Battle, Guns, Post, Table};
use crate::dice::ScriptedDice;
use crate::field::Field;
use crate::ground::{Area, Ground, Terrain, Wooded};
use crate::leaders::{self, Help};
use crate::ruleset::Ruleset;
use crate::testing::{self, Maker};
use crate::{command, levels};

/// A regiment at (30, 20) facing north with an enemy far away behind the crest of the world: out of everybody's sight.
fn alone(maker: Maker) -> Battle {
    testing::battle(testing::table(testing::open_ground(), [maker.at(30_000, 20_000)]))
}

fn regiment() -> Maker {
    testing::infantry("reg", Side::Union)
}

fn phase(dice: &ScriptedDice, battle: Battle) -> (Battle, Vec<String>) {
    let edition = battle.table.scenario().edition.clone();
    let mut stage = Play::new(edition.rules(), dice, battle, Stage::Orders);
    stage.phase = 2;
    super::play(&mut stage);
    dice.finish().unwrap();
    let told = stage.events.iter().map(|event| format!("{}: {}", event.rule, event.explanation.sentence)).collect();
    (stage.battle, told)
}

fn rolls(faces: [u8; 2]) -> ScriptedDice {
    ScriptedDice::new().with(Purpose::Rally, &["reg"], &faces)
}

fn morale_of(battle: &Battle) -> Morale {
    battle.table[testing::ix(&battle.table, "reg")].morale
}

/// What the regiment must beat, by the sum that the log shows.
fn number_to_beat(battle: Battle, faces: [u8; 2]) -> i32 {
    let dice = rolls(faces);
    let mut stage = Play::new(Ruleset::standard(), &dice, battle, Stage::Orders);
    stage.phase = 2;
    rallies(&mut stage, &[]);
    stage.events[0].explanation.sums[0].total
}

#[test]
fn rally_10_a_shaken_regiment_out_of_sight_adds_up() {
    // Veteran 3, shaken +2, out of the enemy's sight -1 = 4.
    assert_eq!(number_to_beat(alone(regiment().morale(Morale::Shaken)), [3, 3]), 4);
    // Routed +4, one stand lost +3: 3 + 4 + 3 - 1 = 9.
    let routed = regiment().stands_left(3).morale(Morale::Routed);
    assert_eq!(number_to_beat(alone(routed), [1, 3]), 9);
}

/// The regiment in woods, with a friend ahead of it between it and an enemy whom it sees beyond the woods' edge.
fn sheltered(maker: Maker, level: u8, woods: bool) -> Battle {
    let outline = vec![Point::new(0, 0), Point::new(60_000, 0), Point::new(60_000, 20_500), Point::new(0, 20_500)];
    let (terrain, wooded) = (Terrain::Woods, Wooded::Light);
    let area = Area { id: "woods".into(), name: "woods".to_owned(), terrain, wooded, outline };
    let ground = Ground { areas: if woods { vec![area] } else { Vec::new() }, ..testing::open_ground() };
    let in_it = |maker: Maker| maker.with(|unit| unit.brigade = Some(BrigadeId::new("vincent")));
    let units = [
        in_it(maker.at(30_000, 20_000)),
        in_it(testing::infantry("friend", Side::Union).at(30_000, 24_000)),
        testing::infantry("enemy", Side::Confederate).at(30_000, 34_000).facing(18_000),
    ];
    let mut table = testing::table(ground, units);
    testing::commander(&mut table, "vincent", Post::Brigade, (30_000, 18_500), None);
    let leader = table.leaders.get_mut(&LeaderId::new("vincent")).unwrap();
    leader.level = level;
    leader.marks.began_with = vec!["reg".into()];
    testing::battle(table)
}

#[test]
fn rally_10_worked_example_with_an_average_commander_in_woods_behind_friendlies() {
    // 3 + 4 routed + 3 stand + 1 regiment = 11; less 1 commander, 1 woods, 4 behind friendlies = 5.
    let mut battle = sheltered(regiment().stands_left(3).morale(Morale::Routed), 1, true);
    battle.table.brigades.get_mut(&BrigadeId::new("vincent")).unwrap().regiments_lost_before = 1;
    assert_eq!(number_to_beat(battle, [1, 2]), 5);
}

#[test]
fn rally_11_worked_example_with_a_level_2_leader() {
    // 3 + 3 + 4 = 10; less 2 for the leader and 4 behind friendlies = 4.
    let battle = sheltered(regiment().stands_left(3).morale(Morale::Routed), 2, false);
    assert_eq!(number_to_beat(battle, [1, 2]), 4);
}

#[test]
fn rally_19_20_a_shaken_unit_rallies_by_beating_its_point_and_else_stays() {
    for (faces, expected) in [([2, 2], Morale::Shaken), ([2, 3], Morale::Good)] {
        let dice = rolls(faces);
        let (battle, told) = phase(&dice, alone(regiment().morale(Morale::Shaken)));
        assert_eq!(morale_of(&battle), expected, "{told:?}");
        assert_eq!(battle.table[testing::ix(&battle.table, "reg")].footing.anchor, Point::new(30_000, 20_000));
    }
}

#[test]
fn rally_09_a_shaken_unit_may_decline() {
    let mut battle = alone(regiment().morale(Morale::Shaken));
    let decline = Instructions { rally: Some(false), ..Instructions::default() };
    testing::give(&mut battle, "reg", Order::Hold { task: None }, decline);
    let dice = ScriptedDice::new();
    let (battle, _) = phase(&dice, battle);
    assert_eq!(morale_of(&battle), Morale::Shaken);
}

#[test]
fn rally_24_a_natural_12_makes_good_and_a_natural_2_routs_a_shaken_unit() {
    let dice = rolls([6, 6]);
    let hopeless = regiment().quality(Quality::Militia).stands_left(1).morale(Morale::Shaken);
    assert_eq!(morale_of(&phase(&dice, alone(hopeless)).0), Morale::Good);

    // Elite: 2 + 2 - 1 = 3; a 2 is below, but even a 2 that would do routs. It runs at once by its rout dice, in the open 3.
    let dice = rolls([1, 1]).with(Purpose::RoutDistance, &["reg"], &[2, 3, 4]);
    let (battle, told) = phase(&dice, alone(regiment().quality(Quality::Elite).morale(Morale::Shaken)));
    assert_eq!(morale_of(&battle), Morale::Routed);
    assert!(told.iter().any(|line| line.starts_with("ROUT-03")), "{told:?}");
    // Nine inches away from where the enemy lies: to the north, for the Union's enemy bearing is south here.
    let reg = &battle.table[testing::ix(&battle.table, "reg")];
    assert_ne!(reg.footing.anchor, Point::new(30_000, 20_000));
}

#[test]
fn rally_21_a_routed_unit_rallies_to_shaken_and_in_disorder() {
    let mut battle = alone(regiment().morale(Morale::Routed).disordered());
    // Veteran 3, routed +4, out of sight -1 = 6.
    let unit = testing::ix(&battle.table, "reg");
    battle.table[unit].marks.bonus_taken = true;
    let dice = rolls([3, 4]);
    let (battle, _) = phase(&dice, battle);
    assert_eq!(morale_of(&battle), Morale::Shaken);
    assert!(battle.table[unit].footing.disorder);
}

#[test]
fn rally_22_a_routed_unit_that_fails_loses_its_next_stand() {
    for faces in [[1, 2], [1, 1]] {
        let dice = rolls(faces);
        let (battle, told) = phase(&dice, alone(regiment().morale(Morale::Routed).disordered()));
        let unit = &battle.table[testing::ix(&battle.table, "reg")];
        assert_eq!((unit.stands.len(), unit.figures(), unit.morale), (3, 12, Morale::Routed), "{told:?}");
        assert!(unit.stands.iter().all(|stand| stand.loss_rank != 0), "the first in the order of loss is gone");
    }
}

#[test]
fn rally_22_the_last_stand_lost_is_the_end_of_the_unit() {
    let dice = rolls([1, 2]);
    let (battle, told) = phase(&dice, alone(regiment().stands_left(1).morale(Morale::Routed).disordered()));
    let unit = &battle.table[testing::ix(&battle.table, "reg")];
    assert_eq!(unit.presence, Presence::Removed, "{told:?}");
}

#[test]
fn rally_12_a_unit_rallied_in_the_step_shelters_nobody_yet() {
    // Both shaken, one straight behind the other; neither attempt sees the other's result, so the numbers are the same
    // whatever the other throws.
    let number = |faces: [u8; 2]| {
        let battle = sheltered(regiment().morale(Morale::Shaken), 0, false);
        let mut battle = battle;
        let friend = testing::ix(&battle.table, "friend");
        battle.table[friend].morale = Morale::Shaken;
        let dice = rolls([3, 3]).with(Purpose::Rally, &["friend"], &faces).with(
            Purpose::RoutDistance,
            &["friend"],
            &[1, 2, 3],
        );
        let mut stage = Play::new(Ruleset::standard(), &dice, battle, Stage::Orders);
        stage.phase = 2;
        rallies(&mut stage, &[]);
        let own =
            stage.events.iter().find(|event| matches!(&event.fact, Fact::Rally { unit, .. } if unit.as_str() == "reg"));
        own.unwrap().explanation.sums[0].total
    };
    assert_eq!(number([6, 6]), number([1, 1]));
}

#[test]
fn rally_19_with_an_officer_a_disordered_unit_reforms_as_told_toward_the_enemy() {
    for (level, in_disorder) in [(1, false), (0, true)] {
        let mut battle = sheltered(regiment().morale(Morale::Shaken).disordered().facing(18_000), level, false);
        let column = Instructions { reform: Some(Reform::DoubleLine), ..Instructions::default() };
        testing::give(&mut battle, "reg", Order::Hold { task: None }, column);
        let dice = rolls([5, 6]);
        let (battle, _) = phase(&dice, battle);
        let unit = &battle.table[testing::ix(&battle.table, "reg")];
        assert_eq!((unit.morale, unit.footing.disorder), (Morale::Good, in_disorder));
        if !in_disorder {
            assert_eq!((unit.footing.formation, unit.footing.facing), (Formation::DoubleLine, Bearing::NORTH));
        }
    }
}

fn with_ammunition_out(since: u32) -> Battle {
    let mut battle = alone(regiment().with(|unit| unit.ammunition_out_since = Some(since)));
    battle.table.turn = 4;
    battle
}

#[test]
fn rally_27_ammunition_is_rolled_for_in_the_turn_after_and_then_no_more() {
    // Veteran: above 3.
    for (face, out) in [(3, true), (4, false)] {
        let dice = ScriptedDice::new().with(Purpose::ReplaceAmmunition, &["reg"], &[face]);
        let (battle, _) = phase(&dice, with_ammunition_out(3));
        assert_eq!(battle.table[testing::ix(&battle.table, "reg")].ammunition_out(), out);
    }
    let dice = ScriptedDice::new();
    assert!(
        phase(&dice, with_ammunition_out(2)).0.table[testing::ix(&with_ammunition_out(2).table, "reg")]
            .ammunition_out()
    );
}

#[test]
fn ammo_04_one_try_in_the_turn_after_and_then_only_the_wagon() {
    // Veteran: above 3. It ran out in turn 3 and fails in turn 4; in turn 5 no die is thrown.
    let dice = ScriptedDice::new().with(Purpose::ReplaceAmmunition, &["reg"], &[3]);
    let (mut battle, _) = phase(&dice, with_ammunition_out(3));
    battle.table.turn = 5;
    let (battle, told) = phase(&ScriptedDice::new(), battle);
    assert!(battle.table[testing::ix(&battle.table, "reg")].ammunition_out());
    assert!(told.is_empty(), "{told:?}");
    // Nor in the turn itself in which it ran out.
    let (battle, _) = phase(&ScriptedDice::new(), with_ammunition_out(4));
    assert!(battle.table[testing::ix(&battle.table, "reg")].ammunition_out());
}

#[test]
fn ammo_08_batteries_do_not_roll_for_ammunition() {
    let guns = testing::battery("reg", Side::Union).at(30_000, 20_000);
    let guns = guns.with(|unit| unit.ammunition_out_since = Some(3));
    let mut table = testing::table(testing::open_ground(), [guns]);
    table.turn = 4;
    let (battle, told) = phase(&ScriptedDice::new(), testing::battle(table));
    assert!(battle.table[testing::ix(&battle.table, "reg")].ammunition_out() && told.is_empty());
}

#[test]
fn rally_26_and_arty_41_one_horse_is_rolled_for_and_two_are_not() {
    let lost = |horses| {
        let guns = testing::battery("reg", Side::Union).at(30_000, 20_000).with(|unit| {
            let guns = unit.guns.take();
            unit.guns = guns.map(|guns| Guns { horses, horse_lost_in: Some(3), ..guns });
        });
        let mut table = testing::table(testing::open_ground(), [guns]);
        table.turn = 4;
        testing::battle(table)
    };
    let horses = |battle: &Battle| battle.table[testing::ix(&battle.table, "reg")].guns.as_ref().unwrap().horses;
    let dice = ScriptedDice::new().with(Purpose::ReplaceHorse, &["reg"], &[4]);
    assert_eq!(horses(&phase(&dice, lost(1)).0), 2);
    let dice = ScriptedDice::new().with(Purpose::ReplaceHorse, &["reg"], &[3]);
    assert_eq!(horses(&phase(&dice, lost(1)).0), 1);
    let dice = ScriptedDice::new();
    assert_eq!(horses(&phase(&dice, lost(0)).0), 0);
}

#[test]
fn rally_25_and_arty_41_only_in_the_turn_after_the_loss() {
    let lost_in = |turn| {
        let guns = testing::battery("reg", Side::Union).at(30_000, 20_000).with(|unit| {
            let guns = unit.guns.take();
            unit.guns = guns.map(|guns| Guns { horses: 1, horse_lost_in: Some(turn), ..guns });
        });
        let mut table = testing::table(testing::open_ground(), [guns]);
        table.turn = 4;
        testing::battle(table)
    };
    let horses = |battle: &Battle| battle.table[testing::ix(&battle.table, "reg")].guns.as_ref().unwrap().horses;
    // Lost in turn 2, or in this turn: no die is thrown.
    for turn in [2, 4] {
        assert_eq!(horses(&phase(&ScriptedDice::new(), lost_in(turn)).0), 1);
    }
    let dice = ScriptedDice::new().with(Purpose::ReplaceHorse, &["reg"], &[4]);
    assert_eq!(horses(&phase(&dice, lost_in(3)).0), 2);
}

/// A brigade in turn 6 whose commander was killed in that turn: a veteran and an elite regiment.
fn vacant(killed_in: u32) -> Table {
    let units = [("veteran", Quality::Veteran, 20_000), ("elite", Quality::Elite, 30_000)];
    let makers = units.map(|(id, quality, x)| {
        let maker = testing::infantry(id, Side::Union).quality(quality).at(x, 20_000);
        maker.with(|unit| unit.brigade = Some(BrigadeId::new("vincent")))
    });
    let mut table = testing::table(testing::open_ground(), makers);
    testing::commander(&mut table, "law", Post::Division, (40_000, 10_000), None);
    testing::commander(&mut table, "vincent", Post::Brigade, (20_000, 15_000), Some("law"));
    table.turn = 6;
    let vincent = table.leaders.get_mut(&LeaderId::new("vincent")).unwrap();
    vincent.lost_in = Some(killed_in);
    vincent.presence = Presence::Removed;
    vincent.level = 2;
    vincent.replacement_attempts = 1;
    table
}

#[test]
fn lead_16_one_die_above_the_best_regiments_bmp_in_the_turn_after() {
    // Elite: BMP 2.
    let bmp = Ruleset::standard().bmp.elite as u8;
    for (face, found) in [(bmp, false), (bmp + 1, true)] {
        let dice = ScriptedDice::new().with(Purpose::ReplaceLeader, &["vincent"], &[face]);
        let (battle, _) = phase(&dice, testing::battle(vacant(5)));
        let leader = &battle.table.leaders[&LeaderId::new("vincent")];
        assert_eq!(leader.presence == Presence::Table, found);
        if found {
            // LEAD-17: level 0, touching the rear of the elite regiment.
            assert_eq!((leader.level, leader.at), (0, Point::new(30_000, 18_875)));
        }
    }
    let dice = ScriptedDice::new();
    phase(&dice, testing::battle(vacant(4)));
}

#[test]
fn lead_18_and_19_a_division_commander_takes_over_and_may_promote_once() {
    let mut table = vacant(4);
    let law = table.leaders.get_mut(&LeaderId::new("law")).unwrap();
    // Behind the veteran regiment, touching.
    law.at = Point::new(20_000, 18_500);
    law.took_over = Some(BrigadeId::new("vincent"));
    let dice = ScriptedDice::new().with(Purpose::ReplaceLeader, &["vincent"], &[3]);
    // Against the regiment he rode to, veteran 3: a 3 fails, and there is no other attempt.
    let (battle, _) = phase(&dice, testing::battle(table));
    let leaders = &battle.table.leaders;
    assert_eq!(leaders[&LeaderId::new("vincent")].replacement_attempts, 0);
    assert_eq!(leaders[&LeaderId::new("law")].took_over, Some(BrigadeId::new("vincent")));
    let dice = ScriptedDice::new();
    phase(&dice, battle);
}

#[test]
fn lead_17_the_new_man_links_his_brigade_and_gives_nothing_else() {
    let dice = ScriptedDice::new().with(Purpose::ReplaceLeader, &["vincent"], &[6]);
    let mut lost = vacant(5);
    lost.losses.get_or_default(LeaderId::new("vincent")).commanders_killed = 1;
    lost.brigades.values_mut().for_each(|brigade| brigade.commander_lost = true);
    let (battle, _) = phase(&dice, testing::battle(lost));
    let (table, rules) = (&battle.table, Ruleset::standard());
    let (field, elite) = (Field::before_dice(rules, table), testing::ix(table, "elite"));
    let new_man = &table.leaders[&LeaderId::new("vincent")];
    // He touches the elite regiment's rear, and helps it in nothing.
    for help in [Help::Morale, Help::Competence, Help::Fire, Help::Charge] {
        assert!(!leaders::can_help(&field, new_man, elite, help), "{help:?}");
    }
    assert_eq!(command::link(&field, elite), command::Link::Direct(LeaderId::new("vincent")));
    // MOR-48 stays, and the two points of the fallen one are not given back: 2 of 2 x 2 + 2.
    assert!(table.brigades[&BrigadeId::new("vincent")].commander_lost);
    assert_eq!(levels::points(rules, table, &LeaderId::new("vincent")), levels::Points { total: 6, lost: 2 });
}

#[test]
fn lead_17_the_turn_after_the_death_is_spent_out_of_command() {
    // He is found in phase 2 of turn 6; whether the brigade is in command was settled at the start of that turn.
    let mut table = vacant(5);
    let ix = testing::ix(&table, "elite");
    assert_eq!(command::link(&Field::before_dice(Ruleset::standard(), &table), ix), command::Link::NoCommander);
    table[ix].marks.in_command = false;
    let dice = ScriptedDice::new().with(Purpose::ReplaceLeader, &["vincent"], &[6]);
    let (battle, _) = phase(&dice, testing::battle(table));
    assert!(!battle.table[ix].marks.in_command);
}

/// The vacant brigade in turn 6, its commander killed in turn 4, and the division commander with the veteran regiment.
fn taken_over() -> Table {
    let mut table = vacant(4);
    let law = table.leaders.get_mut(&LeaderId::new("law")).unwrap();
    law.at = Point::new(20_000, 18_500);
    law.took_over = Some(BrigadeId::new("vincent"));
    table
}

#[test]
fn lead_19_the_second_attempt_beats_the_regiment_that_he_rode_to() {
    // Veteran 3: a 4 succeeds. The best regiment of the brigade is elite, 2, and does not count here.
    let dice = ScriptedDice::new().with(Purpose::ReplaceLeader, &["vincent"], &[4]);
    let (battle, _) = phase(&dice, testing::battle(taken_over()));
    let leaders = &battle.table.leaders;
    assert_eq!(leaders[&LeaderId::new("vincent")].presence, Presence::Table);
    assert_eq!(leaders[&LeaderId::new("law")].took_over, None, "he gives the brigade back");
}

#[test]
fn lead_19_parted_from_the_regiment_there_is_no_attempt() {
    let mut table = taken_over();
    // The rear of the veteran regiment lies at 19.375, and his stand is 1.5 inches deep: 1.003 inches off.
    table.leaders.get_mut(&LeaderId::new("law")).unwrap().at = Point::new(20_000, 19_375 - 1_003 - 750);
    let (battle, _) = phase(&ScriptedDice::new(), testing::battle(table));
    assert_eq!(battle.table.leaders[&LeaderId::new("vincent")].replacement_attempts, 1, "it is still to be made");
}

#[test]
fn lead_19_by_the_house_rule_the_best_regiment_counts() {
    // He rode to the veteran regiment, BMP 3; the elite one's is 2: a 3 beats the second and not the first.
    for (word, found) in [("rode_to", false), ("best", true)] {
        let mut table = testing::played_by(vacant(4), &[("second_attempt", word)]);
        let law = table.leaders.get_mut(&LeaderId::new("law")).unwrap();
        law.at = Point::new(20_000, 18_500);
        law.took_over = Some(BrigadeId::new("vincent"));
        let dice = ScriptedDice::new().with(Purpose::ReplaceLeader, &["vincent"], &[3]);
        let (battle, _) = phase(&dice, testing::battle(table));
        assert_eq!(battle.table.leaders[&LeaderId::new("vincent")].presence == Presence::Table, found, "{word}");
    }
}

#[test]
fn lead_20_a_division_commander_is_replaced_at_level_1() {
    let mut table = vacant(2);
    let law = table.leaders.get_mut(&LeaderId::new("law")).unwrap();
    (law.lost_in, law.presence, law.level) = (Some(5), Presence::Removed, 2);
    let dice = ScriptedDice::new().with(Purpose::ReplaceLeader, &["law"], &[6]);
    let (battle, _) = phase(&dice, testing::battle(table));
    let law = &battle.table.leaders[&LeaderId::new("law")];
    assert_eq!((law.level, law.presence, law.lost_in), (1, Presence::Table, None));
}

#[test]
fn rally_22_who_rallies_loses_nothing_and_nothing_is_told_of_a_loss() {
    // 4 must be beaten: see the sum above.
    let (battle, told) = phase(&rolls([3, 3]), alone(regiment().morale(Morale::Shaken)));
    assert_eq!((morale_of(&battle), told.len()), (Morale::Good, 1), "{told:?}");
}

#[test]
fn rally_25_an_officer_helps_to_find_ammunition() {
    // Veteran 3, an officer 1 less: 3 is above 2. LEAD-03
    let mut battle = with_ammunition_out(3);
    let officer = testing::leader("vincent", Side::Union, 30_000, 18_700);
    battle.table.leaders.insert(officer.id.clone(), officer);
    let dice = ScriptedDice::new().with(Purpose::ReplaceAmmunition, &["reg"], &[3]);
    let (battle, told) = phase(&dice, battle);
    assert!(!battle.table[testing::ix(&battle.table, "reg")].ammunition_out());
    assert!(told[0].contains("must beat 2"), "{told:?}");
}

#[test]
fn rally_22_the_stand_that_is_lost_is_told() {
    // Routed +4, out of sight -1: 3 + 4 - 1 = 6 is not beaten by 5.
    let (_, told) = phase(&rolls([2, 3]), alone(regiment().morale(Morale::Routed)));
    assert!(told.iter().any(|line| line.starts_with("RALLY-22: reg loses a stand")), "{told:?}");
}

#[test]
fn lead_16_of_regiments_equally_good_and_near_the_dice_choose() {
    // Both elite, five inches to either side of the place where the commander fell.
    for (faces, x) in [((2, 5), 15_000), ((5, 2), 25_000)] {
        let mut table = vacant(5);
        for (id, x) in [("elite", 25_000), ("veteran", 15_000)] {
            let unit = testing::ix(&table, id);
            table[unit].quality = Quality::Elite;
            table[unit].footing.anchor.x = x;
        }
        let dice = ScriptedDice::new()
            .with(Purpose::ReplaceLeader, &["vincent"], &[6])
            .with(Purpose::TieLeader, &["elite"], &[faces.0])
            .with(Purpose::TieLeader, &["veteran"], &[faces.1]);
        let (battle, _) = phase(&dice, testing::battle(table));
        assert_eq!(battle.table.leaders[&LeaderId::new("vincent")].at, Point::new(x, 18_875));
    }
}

/// Whether the general, told to, takes over the brigade whose commander is lost, from so far behind a regiment of it.
fn takes_over(told: bool, vacant_post: bool, y: i32) -> bool {
    let mut table = vacant(4);
    table.leaders.get_mut(&LeaderId::new("law")).unwrap().at = Point::new(30_000, y);
    if !vacant_post {
        let vincent = table.leaders.get_mut(&LeaderId::new("vincent")).unwrap();
        vincent.lost_in = None;
        vincent.presence = Presence::Table;
    }
    let mut battle = testing::battle(table);
    let take_over = told.then(|| BrigadeId::new("vincent"));
    let draft = protocol::orders::LeaderDraft { take_over, ..Default::default() };
    let orders = crate::battle::LeaderOrders { said: [(Stage::Orders, draft)].into() };
    battle.secrets.get_mut(Side::Union).open_mut().leaders.insert(LeaderId::new("law"), orders);
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    leaders::take_over(&mut play);
    let took = play.table().leaders[&LeaderId::new("law")].took_over == Some(BrigadeId::new("vincent"));
    assert_eq!(play.events.len(), usize::from(took));
    took
}

#[test]
fn lead_18_a_superior_takes_a_vacant_brigade_over_when_told_and_with_a_regiment_of_it() {
    // The rear of a line lies 0.625 behind its front at y = 20; his stand is an inch square or larger.
    assert!(takes_over(true, true, 18_500));
    assert!(!takes_over(false, true, 18_500));
    assert!(!takes_over(true, false, 18_500));
    assert!(!takes_over(true, true, 10_000));
}

#[test]
fn lead_19_a_new_commander_has_his_brigade_from_whoever_held_it_for_him() {
    for (face, held) in [(6, false), (1, true)] {
        let mut table = vacant(5);
        table.leaders.get_mut(&LeaderId::new("law")).unwrap().took_over = Some(BrigadeId::new("vincent"));
        let dice = ScriptedDice::new().with(Purpose::ReplaceLeader, &["vincent"], &[face]);
        let (battle, _) = phase(&dice, testing::battle(table));
        assert_eq!(battle.table.leaders[&LeaderId::new("law")].took_over.is_some(), held, "{face}");
    }
}

#[test]
fn lead_16_the_die_says_what_it_must_beat_and_whose_point_that_is() {
    let bmp = Ruleset::standard().bmp.elite;
    let dice = ScriptedDice::new().with(Purpose::ReplaceLeader, &["vincent"], &[6]);
    let mut stage = Play::new(Ruleset::standard(), &dice, testing::battle(vacant(5)), Stage::Orders);
    stage.phase = 2;
    super::play(&mut stage);
    let needed = stage.events.iter().flat_map(|event| &event.explanation.dice).find_map(|dice| dice.needed.clone());
    assert_eq!(needed, Some(format!("above {bmp}, the base morale point of elite")));
}

#[test]
fn rally_20_a_shaken_unit_that_fails_does_not_reform_though_an_officer_is_there() {
    // A throw of 3 beats nothing: its base morale point alone is 3.
    for (faces, disorder) in [([1, 2], true), ([6, 5], false)] {
        let mut battle = alone(regiment().morale(Morale::Shaken).disordered());
        let officer = testing::leader("vincent", Side::Union, 30_000, 18_700);
        battle.table.leaders.insert(officer.id.clone(), officer);
        let (battle, _) = phase(&rolls(faces), battle);
        let unit = &battle.table[testing::ix(&battle.table, "reg")];
        assert_eq!((unit.morale == Morale::Shaken, unit.footing.disorder), (disorder, disorder), "{faces:?}");
    }
}
