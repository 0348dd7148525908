use protocol::event::Morale;
use protocol::ids::{BrigadeId, LeaderId, Side};
use protocol::place::Point;
use protocol::view::Presence;
use protocol::words::Formation;

use super::*;
use crate::battle::{Leader, Post};
use crate::ground::{Area, Terrain, Wooded};
use crate::ruleset::Ruleset;
use crate::testing::{self, Maker};

/// A Union brigade with its commander at (30, 10); units stand north of him.
fn brigade(units: Vec<Maker>) -> Table {
    brigade_on(vec![], units)
}

fn brigade_on(areas: Vec<Area>, units: Vec<Maker>) -> Table {
    let ground = crate::ground::Ground { areas, ..testing::open_ground() };
    let in_it = |unit: Maker| unit.with(|unit| unit.brigade = Some(BrigadeId::new("vincent")));
    let mut table = testing::table(ground, units.into_iter().map(in_it));
    testing::commander(&mut table, "vincent", Post::Brigade, (30_000, 10_000), None);
    table
}

fn belt(terrain: Terrain, south: i32, north: i32) -> Area {
    let corner = |x, y| Point::new(x, y);
    Area {
        id: "belt".into(),
        name: "belt".to_owned(),
        terrain,
        wooded: if terrain == Terrain::Woods { Wooded::Light } else { Wooded::None },
        outline: vec![corner(0, south), corner(60_000, south), corner(60_000, north), corner(0, north)],
    }
}

/// A regiment facing south whose front is so far north of the commander's stand (one inch square, so his edge is half an
/// inch north of his centre).
fn away(id: &str, distance: i32) -> Maker {
    testing::infantry(id, Side::Union).facing(18_000).at(30_000, 10_500 + distance)
}

fn linked(table: &Table, unit: &str) -> Link {
    link(&Field::before_dice(table.theatre.rules(), table), testing::ix(table, unit))
}

fn direct() -> Link {
    Link::Direct(LeaderId::new("vincent"))
}

#[test]
fn cmd_01_twelve_inches_of_open_ground_and_no_more() {
    let table = brigade(vec![away("near", 12_000)]);
    assert_eq!(linked(&table, "near"), direct());
    let table = brigade(vec![away("far", 12_003)]);
    assert_eq!(linked(&table, "far"), Link::TooFar);
}

#[test]
fn cmd_01_six_inches_of_woods_three_of_rough() {
    for (terrain, limit) in [(Terrain::Woods, 6_000), (Terrain::Broken, 6_000), (Terrain::Rough, 3_000)] {
        let everywhere = || vec![belt(terrain, 0, 60_000)];
        assert_eq!(linked(&brigade_on(everywhere(), vec![away("near", limit)]), "near"), direct(), "{terrain:?}");
        assert_eq!(linked(&brigade_on(everywhere(), vec![away("far", limit + 3)]), "far"), Link::TooFar, "{terrain:?}");
    }
}

#[test]
fn cmd_01_mixed_ground_is_weighed() {
    // 6 inches of open and 3 of woods: 18 + 18 = 36. With 3.1 of woods: out.
    let woods = |depth: i32| vec![belt(Terrain::Woods, 12_000, 12_000 + depth)];
    assert_eq!(linked(&brigade_on(woods(3_000), vec![away("in", 9_000)]), "in"), direct());
    assert_eq!(linked(&brigade_on(woods(3_100), vec![away("out", 9_100)]), "out"), Link::TooFar);
}

#[test]
fn cmd_01_cavalry_reaches_eighteen_inches_in_the_open() {
    let horse = |distance| testing::cavalry("horse", Side::Union).facing(18_000).at(30_000, 10_500 + distance);
    assert_eq!(linked(&brigade(vec![horse(18_000)]), "horse"), direct());
    assert_eq!(linked(&brigade(vec![horse(18_003)]), "horse"), Link::TooFar);
}

#[test]
fn cmd_02_any_superior_of_the_own_chain_links() {
    let mut table = brigade(vec![away("reg", 20_000)]);
    testing::commander(&mut table, "sykes", Post::Corps, (30_000, 36_000), None);
    assert_eq!(linked(&table, "reg"), Link::TooFar, "he is not of its chain");
    table.leaders.get_mut(&LeaderId::new("vincent")).unwrap().superior = Some(LeaderId::new("sykes"));
    assert_eq!(linked(&table, "reg"), Link::Direct(LeaderId::new("sykes")));
}

/// The next regiment behind one that faces south: a line is 3.5 wide and 0.625 deep.
fn behind(id: &str, front_gap: i32) -> Maker {
    away(id, front_gap)
}

#[test]
fn cmd_03_a_chain_of_formed_friends_links() {
    // The carrier's front is 12 inches off, its rear 12.625; the outer one stands 2.625 behind: three stands of 0.875.
    let outer = 12_000 + 625 + 2_625;
    let table = brigade(vec![away("carrier", 12_000), behind("outer", outer)]);
    let carrier = testing::ix(&table, "carrier");
    assert_eq!(linked(&table, "outer"), Link::Chain(LeaderId::new("vincent"), vec![carrier]));
    let table = brigade(vec![away("carrier", 12_000), behind("outer", outer + 3)]);
    assert_eq!(linked(&table, "outer"), Link::TooFar);
}

#[test]
fn cmd_03_the_last_link_must_be_within_the_radius() {
    let table = brigade(vec![away("carrier", 12_100), behind("outer", 12_100 + 625 + 1_000)]);
    assert_eq!(linked(&table, "outer"), Link::TooFar);
}

#[test]
fn cmd_04_disorder_skirmish_and_rout_break_a_chain_but_not_its_outer_end() {
    let outer = || behind("outer", 12_000 + 625 + 2_000);
    let spoils: [fn(Maker) -> Maker; 3] =
        [|unit| unit.disordered(), |unit| unit.formation(Formation::SkirmishLine), |unit| unit.morale(Morale::Routed)];
    for spoil in spoils {
        assert_eq!(linked(&brigade(vec![spoil(away("carrier", 12_000)), outer()]), "outer"), Link::TooFar);
        assert!(linked(&brigade(vec![away("carrier", 12_000), spoil(outer())]), "outer").in_command());
    }
    let shaken = away("carrier", 12_000).morale(Morale::Shaken);
    assert!(linked(&brigade(vec![shaken, outer()]), "outer").in_command());
}

#[test]
fn cmd_05_contiguous_goes_by_ground_and_is_symmetric() {
    for (terrain, stands) in [(Terrain::Open, 3), (Terrain::Broken, 2), (Terrain::Woods, 2), (Terrain::Rough, 1)] {
        for (over, expected) in [(0, true), (3, false)] {
            let gap = 875 * stands + over;
            let table = brigade_on(vec![belt(terrain, 0, 60_000)], vec![away("a", 0), away("b", 625 + gap)]);
            let field = Field::before_dice(Ruleset::standard(), &table);
            let (a, b) = (testing::ix(&table, "a"), testing::ix(&table, "b"));
            assert_eq!(contiguous(&field, a, b), expected, "{terrain:?} {gap}");
            assert_eq!(contiguous(&field, b, a), expected, "{terrain:?} {gap}");
        }
    }
}

#[test]
fn cmd_09_batteries_go_by_their_artillery_officer_or_any_higher_commander() {
    let guns = testing::battery("guns", Side::Union).facing(18_000).at(30_000, 20_000);
    let mut table = brigade(vec![guns]);
    assert_eq!(linked(&table, "guns"), direct());
    testing::commander(&mut table, "sykes", Post::Corps, (30_000, 30_000), None);
    table.leaders.get_mut(&LeaderId::new("vincent")).unwrap().superior = Some(LeaderId::new("sykes"));
    table.leaders.get_mut(&LeaderId::new("vincent")).unwrap().lost_in = Some(1);
    assert_eq!(linked(&table, "guns"), Link::Direct(LeaderId::new("sykes")));

    let free = testing::table(testing::open_ground(), [testing::battery("free", Side::Union).at(30_000, 20_000)]);
    assert_eq!(linked(&free, "free"), Link::Free);
}

fn with_corps(change: impl FnOnce(&mut Leader)) -> Table {
    let mut table = brigade(vec![away("reg", 5_000)]);
    testing::commander(&mut table, "sykes", Post::Corps, (30_000, 20_000), None);
    let vincent = table.leaders.get_mut(&LeaderId::new("vincent")).unwrap();
    vincent.superior = Some(LeaderId::new("sykes"));
    change(vincent);
    table
}

#[test]
fn cmd_10_a_brigade_without_its_commander_is_out_until_a_superior_takes_over() {
    let mut table = with_corps(|vincent| vincent.lost_in = Some(1));
    assert_eq!(linked(&table, "reg"), Link::NoCommander);
    table.leaders.get_mut(&LeaderId::new("sykes")).unwrap().took_over = Some(BrigadeId::new("vincent"));
    assert_eq!(linked(&table, "reg"), Link::Direct(LeaderId::new("sykes")));
}

#[test]
fn cmd_10_by_the_house_rule_a_superior_in_reach_commands_the_orphaned_brigade() {
    for (word, expected) in [("out", Link::NoCommander), ("superior", Link::Direct(LeaderId::new("sykes")))] {
        let table = with_corps(|vincent| vincent.lost_in = Some(1));
        let table = testing::played_by(table, &[("orphaned_brigade", word)]);
        assert_eq!(linked(&table, "reg"), expected, "{word}");
    }
}

#[test]
fn off_11_nobody_links_a_brigade_whose_commander_is_wounded() {
    let mut table = with_corps(|vincent| vincent.wounded_until = Some(3));
    table.leaders.get_mut(&LeaderId::new("sykes")).unwrap().took_over = Some(BrigadeId::new("vincent"));
    assert_eq!(linked(&table, "reg"), Link::NoCommander);
}

#[test]
fn off_14_a_wounded_corps_commander_still_links() {
    let mut table = with_corps(|vincent| vincent.at = Point::new(30_000, 58_000));
    table.leaders.get_mut(&LeaderId::new("sykes")).unwrap().wounded_until = Some(3);
    assert_eq!(linked(&table, "reg"), Link::Direct(LeaderId::new("sykes")));
}

#[test]
fn scn_15_a_commander_still_to_come_counts_as_none() {
    let table = with_corps(|vincent| vincent.presence = Presence::ToCome);
    assert_eq!(linked(&table, "reg"), Link::NoCommander);
}

#[test]
fn lvl_04_a_spent_formation_counts_as_out_of_command() {
    let mut table = brigade(vec![away("reg", 5_000)]);
    let losses = crate::battle::CommandLosses { commanders_killed: 0, level: 40 };
    table.losses.insert(LeaderId::new("vincent"), losses);
    assert_eq!(linked(&table, "reg"), Link::Spent);
}
