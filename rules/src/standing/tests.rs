//! How a unit stands: worked by hand, the same as a check of the same moment reckons, and of an enemy nothing secret.

use protocol::event::Morale;
use protocol::ids::{BrigadeId, LeaderId, PicketNumber, Side};
use protocol::orders::{Instructions, LeaderDraft, Order};
use protocol::place::Point;
use protocol::words::Quality;

use super::*;
use crate::battle::{Battle, CommandLosses, Post, Table, known};
use crate::ground::{Area, Ground, Obstacle, ObstacleKind, Terrain, Wooded};
use crate::play::Play;
use crate::settle::Happening;
use crate::testing::{self, Maker, infantry, ix, leader, open_ground};

/// A Union regiment `a` of the brigade `b`, facing north at (30, 30).
fn a() -> Maker {
    infantry("a", Side::Union).at(30_000, 30_000).with(|unit| unit.name = "20th Maine".to_owned())
}

/// A table on that ground whose Union units are of the brigade `b`, which its commander leads from there.
fn brigade_on(ground: Ground, units: Vec<Maker>, commander: (i32, i32)) -> Table {
    let in_it = |unit: Maker| unit.with(|unit| unit.brigade = (unit.side == Side::Union).then(|| BrigadeId::new("b")));
    let mut table = testing::table(ground, units.into_iter().map(in_it));
    testing::commander(&mut table, "b", Post::Brigade, commander, None);
    table
}

fn asked(battle: &Battle, unit: &str) -> Standing {
    asked_by(battle, Side::Union, unit).expect("it is there")
}

fn asked_by(battle: &Battle, side: Side, unit: &str) -> Option<Standing> {
    standing(&known(battle, side), Ruleset::standard(), Stage::Orders, &UnitId::new(unit), None)
}

fn of(table: Table) -> Standing {
    asked(&testing::battle(table), "a")
}

fn command_of(table: Table) -> CommandStanding {
    of(table).command.expect("it is an own unit")
}

fn terms(standing: &Standing) -> Vec<(&str, i32)> {
    standing.point.terms.iter().map(|term| (term.rule.as_str(), term.value)).collect()
}

#[test]
fn mor_43_the_parts_of_a_point_and_how_likely_it_is_passed() {
    // The worked example: elite 2, two stands lost 6, an average brigade commander -1, behind a fence -1.
    let fence = Obstacle {
        id: "o".into(),
        kind: ObstacleKind::Fence,
        line: vec![Point::new(25_000, 30_250), Point::new(35_000, 30_250)],
    };
    let ground = Ground { obstacles: vec![fence], ..open_ground() };
    let enemy = infantry("e", Side::Confederate).at(30_000, 40_000).facing(18_000);
    let standing = of(brigade_on(ground, vec![a().quality(Quality::Elite).stands_left(2), enemy], (30_000, 28_500)));
    assert_eq!(terms(&standing), [("MOR-41", 2), ("MOR-47", 6), ("LEAD-02", -1), ("MOR-52", -1)]);
    assert_eq!(standing.point.total, 6);
    // 7 to 12 pass: 6 + 5 + 4 + 3 + 2 + 1 = 21 of 36.
    assert_eq!(standing.passes.map(|chance| chance.exact), Some("7/12".to_owned()));
    assert_eq!(standing.sentence, "The 20th Maine is in good morale: in a check it must beat 6, and holds in 58 %.");
    assert_eq!((standing.rally, standing.rallies), (None, None));
}

#[test]
fn mor_04_a_natural_2_and_a_natural_12_keep_their_say_in_the_chance() {
    let passes =
        |bmp: i32| of(brigade_on(open_ground(), vec![a().with(|unit| unit.bmp = Some(bmp))], (5_000, 5_000))).passes;
    assert_eq!(passes(14).map(|chance| chance.exact), Some("1/36".to_owned()));
    assert_eq!(passes(-3).map(|chance| chance.exact), Some("35/36".to_owned()));
}

#[test]
fn mor_43_it_is_the_point_that_a_check_of_this_moment_must_beat() {
    let friend = || infantry("f", Side::Union).at(26_000, 30_000);
    let cases = [
        vec![a(), friend()],
        vec![a().morale(Morale::Shaken).stands_left(3).green(), friend()],
        vec![a().with(|unit| unit.bmp = Some(5)), friend(), infantry("s", Side::Union).at(30_000, 33_000)],
    ];
    for units in cases {
        let mut table = brigade_on(open_ground(), units, (30_000, 28_500));
        table.brigades.values_mut().for_each(|brigade| brigade.regiments_lost_before = 1);
        let standing = of(table.clone());
        let routed = Happening::Routed(ix(&table, "f"));
        let mut play = Play::new(Ruleset::standard(), &ZealousDice, testing::battle(table), Stage::Orders);
        play.phase = 2;
        morale::settle(&mut play, vec![routed]);
        let of_a = |unit: &UnitId| unit.as_str() == "a";
        let check = play
            .events
            .iter()
            .find(|event| matches!(&event.fact, protocol::event::Fact::MoraleCheck { unit, .. } if of_a(unit)));
        assert_eq!(check.expect("it sees the rout").explanation.sums, [standing.point]);
    }
}

/// Sixes throughout.
struct ZealousDice;

impl crate::dice::Dice for ZealousDice {
    fn die(&self, _: u8, _: crate::dice::Purpose, _: &[&str], _: u32) -> u8 {
        6
    }
}

#[test]
fn rally_10_what_a_shaken_unit_must_beat_to_rally() {
    // Veteran 3, shaken 2, out of the enemy's sight -1 = 4: 5 to 12 rally it, 30 of 36.
    let standing = of(brigade_on(open_ground(), vec![a().morale(Morale::Shaken)], (5_000, 5_000)));
    assert_eq!(standing.rally.map(|sum| sum.total), Some(4));
    assert_eq!(standing.rallies.map(|chance| chance.exact), Some("5/6".to_owned()));
    // In a forced check being out of sight does not help: 5, which 6 to 12 beat, 26 of 36.
    assert_eq!((standing.point.total, standing.passes.map(|chance| chance.exact)), (5, Some("13/18".to_owned())));
}

#[test]
fn cmd_01_the_way_to_the_commander_is_told_in_inches_and_in_weight() {
    // The example: six inches of open ground and three of woods weigh twelve. His stand, an inch square, ends at 20.5; the rear
    // of the line lies at 29.375.
    let corner = |x, y| Point::new(x, y);
    let outline = vec![corner(0, 26_375), corner(60_000, 26_375), corner(60_000, 60_000), corner(0, 60_000)];
    let area = Area { id: "w".into(), name: "w".into(), terrain: Terrain::Woods, wooded: Wooded::Light, outline };
    let ground = Ground { areas: vec![area], ..open_ground() };
    let table = brigade_on(ground, vec![a()], (30_000, 29_375 - 9_000 - 500));
    let command = command_of(table);
    assert!(command.in_command && command.now);
    assert_eq!(command.leader, Some(LeaderId::new("b")));
    let [link] = &command.links[..] else { panic!("{command:?}") };
    assert_eq!((link.distance, link.weighed, link.radius, link.reaches), (9_000, 12_000, 12_000, true));
    assert_eq!((link.unit.as_str(), link.friend.as_ref()), ("a", None));
    assert_eq!((link.from.y, link.to.y), (29_375, 20_375));
}

#[test]
fn cmd_01_of_one_who_is_too_far_off_the_missing_inches_are_told() {
    let mut table = brigade_on(open_ground(), vec![a()], (30_000, 29_375 - 13_000 - 500));
    let unit = ix(&table, "a");
    table[unit].marks.in_command = false;
    let command = command_of(table);
    assert!(!command.in_command && !command.now);
    assert_eq!(command.rule.as_str(), "CMD-01");
    let link = &command.links[0];
    assert_eq!((link.distance, link.weighed, link.radius, link.reaches), (13_000, 13_000, 12_000, false));
}

#[test]
fn cmd_03_a_chain_is_told_link_by_link() {
    // a stands behind f, which stands within the radius. Stands of 0.875: contiguous up to 2.625 inches of open ground.
    let f = infantry("f", Side::Union).at(30_000, 30_000 - 625 - 2_000);
    let table = brigade_on(open_ground(), vec![a(), f], (30_000, 30_000 - 2 * 625 - 2_000 - 11_000 - 500));
    let command = command_of(table);
    assert_eq!(command.rule.as_str(), "CMD-03");
    let links: Vec<_> = command
        .links
        .iter()
        .map(|link| (link.unit.as_str(), link.friend.as_ref().map(UnitId::as_str), link.distance, link.radius))
        .collect();
    assert_eq!(links, [("a", Some("f"), 2_000, 2_625), ("f", None, 11_000, 12_000)]);
    assert!(command.links.iter().all(|link| link.reaches));
}

#[test]
fn cmd_06_who_has_moved_out_of_the_radius_is_in_command_for_this_turn_still() {
    let standing = of(brigade_on(open_ground(), vec![a()], (30_000, 5_000)));
    let command = standing.command.expect("own");
    assert!(command.in_command && !command.now);
    assert!(standing.notes.iter().any(|note| note.rule.as_str() == "CMD-06"), "{:?}", standing.notes);
}

#[test]
fn cmd_10_without_a_commander_there_is_no_link() {
    let mut table = brigade_on(open_ground(), vec![a()], (30_000, 28_500));
    table.leaders.values_mut().for_each(|leader| leader.lost_in = Some(1));
    let command = command_of(table);
    assert_eq!((command.rule.as_str(), command.leader, command.links.len()), ("CMD-10", None, 0));
}

/// `a` and `f` side by side, half an inch and an inch from a commander of that level who stands behind them.
fn two_in_reach(level: u8) -> Table {
    let f = infantry("f", Side::Union).at(30_000 - 3_500 - 100, 30_000);
    let mut table = brigade_on(open_ground(), vec![a(), f], (29_000, 28_875 - 500 + 100));
    table.leaders.values_mut().for_each(|leader| leader.level = level);
    table
}

#[test]
fn lead_07_a_leader_helps_the_nearest_and_the_rest_is_told_that_he_may_not() {
    let battle = testing::battle(two_in_reach(1));
    let help = |unit: &str| asked(&battle, unit).leaders.remove(0);
    let (a, f) = (help("a"), help("f"));
    assert_eq!((a.level, a.radius, a.places, a.morale), (1, 1_000, 1, -1));
    assert_eq!(a.order.iter().map(UnitId::as_str).collect::<Vec<_>>(), ["a", "f"]);
    assert_eq!((a.helps, f.helps), (true, false));
    assert!(a.distance < f.distance, "{} {}", a.distance, f.distance);
    // For f he is reckoned with, as nobody else asks; a note says that he may be asked for elsewhere.
    let standing = asked(&battle, "f");
    assert!(terms(&standing).contains(&("LEAD-02", -1)));
    assert!(standing.notes.iter().any(|note| note.rule.as_str() == "LEAD-07"));
    assert!(asked(&battle, "a").notes.is_empty());
}

#[test]
fn lead_07_the_owners_list_of_the_draft_goes_first() {
    let battle = testing::battle(two_in_reach(1));
    let said = LeaderDraft { help: Some(vec![UnitId::new("f")]), ..LeaderDraft::default() };
    let draft = Draft { leaders: [(LeaderId::new("b"), said)].into(), ..Draft::default() };
    let known = known(&battle, Side::Union);
    let help = |unit: &str| {
        let standing = standing(&known, Ruleset::standard(), Stage::Orders, &UnitId::new(unit), Some(&draft));
        standing.expect("own").leaders.remove(0).helps
    };
    assert_eq!((help("a"), help("f")), (false, true));
}

#[test]
fn lead_07_of_two_who_are_level_neither_is_sure_of_the_one_place() {
    // Both touch his stand.
    let f = infantry("f", Side::Union).at(30_000 - 3_500, 30_000);
    let table = brigade_on(open_ground(), vec![a(), f], (30_000 - 1_750, 28_875));
    let battle = testing::battle(table);
    for unit in ["a", "f"] {
        assert!(!asked(&battle, unit).leaders[0].helps, "{unit}");
    }
}

#[test]
fn lead_04_a_level_0_leader_is_no_help() {
    assert!(of(two_in_reach(0)).leaders.is_empty());
}

#[test]
fn lvl_03_points_and_limits_of_every_formation_above() {
    // The example: a brigade of a general and five regiments, three of which are lost: 6 of 12, limits 5 and 7. Its division
    // has 4 points more.
    let lost = |n: usize| {
        infantry(&format!("x{n}"), Side::Union).with(|unit| unit.presence = protocol::view::Presence::Removed)
    };
    let units = [vec![a(), infantry("y", Side::Union).at(50_000, 50_000)], (0..3).map(lost).collect()].concat();
    let mut table = brigade_on(open_ground(), units, (30_000, 28_500));
    testing::commander(&mut table, "division", Post::Division, (5_000, 5_000), None);
    if let Some(leader) = table.leaders.get_mut(&LeaderId::new("b")) {
        leader.superior = Some(LeaderId::new("division"));
    }
    let standing = of(table);
    let found: Vec<(&str, u8, Option<LevelPoints>)> =
        standing.levels.iter().map(|level| (level.leader.as_str(), level.level, level.points)).collect();
    let points = |total, limit_40, limit_60| Some(LevelPoints { total, lost: 6, limit_40, limit_60 });
    // Of 16: 6.4 and 9.6, to the nearest 6 and 10.
    assert_eq!(found, [("b", 0, points(12, 5, 7)), ("division", 0, points(16, 6, 10))]);
    // LVL-08: what has been reached in the turn binds from the next.
    let binding: Vec<&str> =
        standing.notes.iter().filter(|note| note.rule.as_str() == "LVL-08").map(|note| note.text.as_str()).collect();
    assert_eq!(
        binding,
        [
            "the brigade of b has come to 40 percent, which binds from next turn",
            "the division of division has come to 40 percent, which binds from next turn"
        ]
    );
}

/// A Union regiment and a Confederate one, `e`, of a brigade `z`, in sight of each other.
fn opponents() -> Table {
    let e = infantry("e", Side::Confederate).at(30_000, 36_000).facing(18_000).stands_left(3).morale(Morale::Shaken);
    let e = e.with(|unit| unit.brigade = Some(BrigadeId::new("z")));
    let mut table = brigade_on(open_ground(), vec![a(), e], (30_000, 28_500));
    testing::commander_of(&mut table, Side::Confederate, "z", Post::Brigade, (30_000, 38_000), None);
    let unit = ix(&table, "e");
    table[unit].brigade = Some(BrigadeId::new("z"));
    table
}

#[test]
fn hid_62_of_an_enemy_only_what_can_be_seen_is_told() {
    let standing = asked(&testing::battle(opponents()), "e");
    // Veteran 3, shaken 2, a stand lost 3.
    assert_eq!(terms(&standing), [("MOR-41", 3), ("MOR-46", 2), ("MOR-47", 3)]);
    assert!(!standing.own);
    assert_eq!((standing.passes, standing.rally, standing.rallies, standing.command), (None, None, None, None));
    assert!(standing.leaders.is_empty() && standing.notes.is_empty());
    let levels: Vec<_> =
        standing.levels.iter().map(|level| (level.leader.as_str(), level.level, level.points)).collect();
    assert_eq!(levels, [("z", 0, None)]);
}

#[test]
fn nothing_that_the_enemy_keeps_to_himself_changes_the_answer() {
    let plain = testing::battle(opponents());
    let mut other = plain.clone();
    let e = ix(&other.table, "e");
    let unit = &mut other.table[e];
    unit.bmp = Some(5);
    unit.marks.in_command = false;
    unit.marks.conditional_hold = true;
    unit.carried.checks_passed = 4;
    for brigade in other.table.brigades.values_mut().filter(|brigade| brigade.side == Side::Confederate) {
        (brigade.points_lost, brigade.regiments_lost_before, brigade.regiments_lost_now) = (6, 2, 1);
    }
    other.table.losses.insert(LeaderId::new("z"), CommandLosses { commanders_killed: 2, level: 0 });
    let near = other.table.leaders.get_mut(&LeaderId::new("z")).expect("he is there");
    near.took_over = Some(BrigadeId::new("z"));
    near.marks.helped.push(UnitId::new("e"));
    near.marks.began_with.push(UnitId::new("e"));
    testing::give(&mut other, "e", Order::FirstFire {}, Instructions::default());
    let hidden = infantry("h", Side::Confederate).at(31_000, 33_000).facing(18_000);
    testing::hide(&mut other, PicketNumber(1), Some(hidden.clone()), (31_000, 33_000), Side::Confederate);
    for unit in ["e", "a"] {
        assert_eq!(asked(&plain, unit), asked(&other, unit), "{unit}");
    }
    // Who is hidden is not there, no more than who does not exist.
    assert_eq!(asked_by(&other, Side::Union, "h"), asked_by(&other, Side::Union, "nobody"));
    assert_eq!(asked_by(&other, Side::Union, "h"), None);
    assert!(asked_by(&other, Side::Confederate, "h").is_some_and(|standing| standing.own));
    let mut open = plain.clone();
    open.table.insert(hidden.unit());
    assert!(
        asked_by(&open, Side::Union, "h").is_some_and(|standing| !standing.own),
        "it may be asked about once it stands openly"
    );
}

#[test]
fn scn_12_troops_of_the_enemy_who_have_still_to_come_are_not_there() {
    let mut table = opponents();
    let e = ix(&table, "e");
    table[e].presence = protocol::view::Presence::ToCome;
    assert_eq!(asked_by(&testing::battle(table), Side::Union, "e"), None);
}

#[test]
fn lead_01_the_best_leader_comes_first() {
    let mut table = two_in_reach(1);
    let mut general = leader("g", Side::Union, 30_000, 28_000);
    general.level = 2;
    table.leaders.insert(general.id.clone(), general);
    let found: Vec<String> = of(table).leaders.into_iter().map(|help| help.leader.to_string()).collect();
    assert_eq!(found, ["g", "b"]);
}
