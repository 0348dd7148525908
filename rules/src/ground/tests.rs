//! Tiny grounds made by hand, and the rules tested on them.

use proptest::prelude::*;
use protocol::ids::FeatureId;
use protocol::place::{Bearing, Point};

use super::*;
use crate::geometry::{Rect, Vector};

/// A map of 40 by 40 inches, open and flat until something is put on it. Lengths here are thousandths of an inch.
pub(crate) fn map() -> Ground {
    Ground { width: 40_000, height: 40_000, ..Ground::default() }
}

pub(crate) fn at(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

/// The outline of a box given by its south-west and north-east corners.
pub(crate) fn outline(west: i32, south: i32, east: i32, north: i32) -> Vec<Point> {
    vec![at(west, south), at(east, south), at(east, north), at(west, north)]
}

pub(crate) fn area(terrain: Terrain, wooded: Wooded, outline: Vec<Point>) -> Area {
    Area { id: "area".into(), name: "area".into(), terrain, wooded, outline }
}

pub(crate) fn contour(feet: i32, outline: Vec<Point>) -> Contour {
    Contour { feet, outline }
}

pub(crate) fn building(id: &str, outline: Vec<Point>) -> Building {
    Building { id: id.into(), name: id.into(), kind: BuildingKind::Wood, outline }
}

fn obstacle(id: &str, kind: ObstacleKind, line: &[Point]) -> Obstacle {
    Obstacle { id: id.into(), kind, line: line.to_vec() }
}

fn way(kind: WayKind, line: &[Point]) -> Way {
    Way { id: "way".into(), name: "way".into(), kind, line: line.to_vec(), width: 500 }
}

/// A stand half an inch wide and deep.
pub(crate) fn stand(x: i32, y: i32) -> Rect {
    Rect::centered(at(x, y), Bearing::NORTH, 500, 500)
}

fn with<T>(ground: Ground, ask: impl FnOnce(GroundNow<'_>) -> T) -> T {
    with_changes(ground, &GroundChanges::default(), ask)
}

fn with_changes<T>(ground: Ground, changes: &GroundChanges, ask: impl FnOnce(GroundNow<'_>) -> T) -> T {
    ask(GroundIndex::new(ground).now(changes))
}

/// Woods in the west, rough ground over their southern part, broken ground beside them.
fn patches() -> Ground {
    Ground {
        areas: vec![
            area(Terrain::Broken, Wooded::None, outline(0, 0, 20_000, 20_000)),
            area(Terrain::Woods, Wooded::Light, outline(0, 0, 10_000, 20_000)),
            area(Terrain::Rough, Wooded::None, outline(5_000, 0, 15_000, 5_000)),
        ],
        ..map()
    }
}

#[test]
fn scale_04_the_hardest_ground_wins_and_open_lies_elsewhere() {
    with(patches(), |ground| {
        assert_eq!(ground.terrain(at(30_000, 30_000)), Terrain::Open);
        assert_eq!(ground.terrain(at(18_000, 10_000)), Terrain::Broken);
        assert_eq!(ground.terrain(at(3_000, 10_000)), Terrain::Woods);
        assert_eq!(ground.terrain(at(7_000, 2_000)), Terrain::Rough);
    });
}

#[test]
fn scale_04_rough_that_is_wooded_is_heavy_woods() {
    with(patches(), |ground| {
        assert_eq!(ground.wooded(at(3_000, 10_000)), Wooded::Light);
        assert_eq!(ground.wooded(at(7_000, 2_000)), Wooded::Heavy, "rough over light woods");
        assert_eq!(ground.wooded(at(12_000, 2_000)), Wooded::None, "rough without trees");
    });
}

#[test]
fn scale_04_a_road_counts_only_along_it() {
    let ground = Ground { ways: vec![way(WayKind::Road, &[at(0, 10_000), at(20_000, 10_000)])], ..patches() };
    with(ground, |ground| {
        assert_eq!(ground.way(at(3_000, 10_200), Vector { x: 1, y: 0 }), Some(WayKind::Road));
        assert_eq!(ground.way(at(3_000, 10_200), Vector { x: -9, y: 1 }), Some(WayKind::Road));
        assert_eq!(ground.way(at(3_000, 10_200), Vector { x: 0, y: 1 }), None, "across it");
        assert_eq!(ground.way(at(3_000, 10_300), Vector { x: 1, y: 0 }), None, "beside it");
        assert_eq!(ground.terrain(at(3_000, 10_200)), Terrain::Woods);
        let pieces = ground.pieces(at(8_000, 10_000), at(22_000, 10_000));
        let found: Vec<_> = pieces.iter().map(|piece| (piece.length(), piece.terrain, piece.way)).collect();
        // The road's square end reaches half its width, and the tolerance, beyond its last point.
        assert_eq!(
            found,
            [
                (2_000, Terrain::Woods, Some(WayKind::Road)),
                (10_000, Terrain::Broken, Some(WayKind::Road)),
                (252, Terrain::Open, Some(WayKind::Road)),
                (1_748, Terrain::Open, None),
            ]
        );
        assert!(ground.pieces(at(8_000, 8_000), at(8_000, 12_000)).iter().all(|piece| piece.way.is_none()));
    });
}

#[test]
fn scale_08_half_of_the_stands_decide() {
    let (open, woods, rough) = (stand(30_000, 30_000), stand(3_000, 10_000), stand(7_000, 2_000));
    with(patches(), |ground| {
        assert_eq!(ground.terrain_of(&[woods, woods, open, open]), Terrain::Woods, "2 of 4");
        assert_eq!(ground.terrain_of(&[woods, open, open, open]), Terrain::Open, "1 of 4");
        assert_eq!(ground.terrain_of(&[woods, open, open]), Terrain::Open, "1 of 3");
        assert_eq!(ground.terrain_of(&[woods, woods, open]), Terrain::Woods, "2 of 3");
        assert_eq!(ground.terrain_of(&[rough, open]), Terrain::Rough, "1 of 2");
        assert_eq!(ground.terrain_of(&[rough, woods, open, open]), Terrain::Woods, "harder ones count with it");
        assert_eq!(ground.terrain_of(&[]), Terrain::Open);
    });
}

#[test]
fn scale_08_the_border_belongs_to_the_harder_ground() {
    with(patches(), |ground| {
        assert_eq!(ground.terrain(at(10_000, 10_000)), Terrain::Woods);
        assert_eq!(ground.terrain(at(10_002, 10_000)), Terrain::Woods, "within the tolerance");
        assert_eq!(ground.terrain(at(10_003, 10_000)), Terrain::Broken);
        assert!(ground.in_woods(&[stand(10_000, 10_000), stand(30_000, 30_000)]));
        assert!(!ground.in_woods(&[stand(12_000, 2_000)]), "rough without trees is no woods");
    });
}

#[test]
fn mor_60_a_road_counts_for_a_column_on_it() {
    let ground = Ground { ways: vec![way(WayKind::Road, &[at(0, 10_000), at(20_000, 10_000)])], ..patches() };
    let stands = [stand(3_000, 10_000)];
    with(ground, |ground| {
        assert_eq!(ground.footing(&stands, Some((at(3_000, 10_000), Bearing::WEST))), Footing::Road);
        assert_eq!(ground.footing(&stands, Some((at(3_000, 10_000), Bearing::NORTH))), Footing::Ground(Terrain::Woods));
        assert_eq!(ground.footing(&stands, None), Footing::Ground(Terrain::Woods), "a line");
    });
}

#[test]
fn cover_11_a_unit_is_in_a_building_with_half_its_stands() {
    let ground = Ground { buildings: vec![building("barn", outline(1_000, 1_000, 2_000, 2_000))], ..map() };
    let (inside, outside) = (stand(1_500, 1_500), stand(3_000, 3_000));
    let mut changes = GroundChanges::default();
    changes.destroyed_buildings.insert("barn".into());
    with(ground.clone(), |ground| {
        assert!(ground.building_of(&[inside, outside]).is_some());
        assert!(ground.building_of(&[inside, outside, outside]).is_none());
        assert_eq!(ground.terrain(at(1_500, 1_500)), Terrain::Open);
    });
    with_changes(ground, &changes, |ground| {
        assert!(ground.building_of(&[inside]).is_none());
        assert_eq!(ground.terrain(at(1_500, 1_500)), Terrain::Broken, "COVER-12");
        let lengths: Vec<_> = ground.pieces(at(0, 1_500), at(3_000, 1_500)).iter().map(Piece::length).collect();
        assert_eq!(lengths, [1_000, 1_000, 1_000]);
    });
}

/// A stone wall along y = 10 inches with a bend, drawn as two obstacles that join, from west to east.
fn wall() -> Ground {
    Ground {
        obstacles: vec![
            obstacle("west", ObstacleKind::StoneWall, &[at(10_000, 10_000), at(15_000, 10_000)]),
            obstacle("east", ObstacleKind::StoneWall, &[at(15_000, 10_000), at(20_000, 10_000), at(20_000, 5_000)]),
        ],
        ..map()
    }
}

#[test]
fn cover_01_three_stands_behind_joined_walls_claim_cover() {
    let behind = |x: i32| stand(x, 8_500);
    let close = |x: i32| stand(x, 9_700);
    let enemy = at(14_000, 20_000);
    with(wall(), |ground| {
        let line = [close(13_000), close(14_000), close(15_500), close(16_500)];
        let claims = ground.claims(enemy, &line);
        assert_eq!(claims.len(), 1);
        assert!(claims[0].right_side, "a wall protects either side, COVER-08");
        assert!(ground.claims(at(14_000, 0), &line).is_empty(), "fire from the rear passes no wall");
        assert!(ground.claims(enemy, &[close(13_000), close(14_000), behind(15_500), behind(16_500)]).is_empty());
        assert_eq!(ground.claims(enemy, &[close(13_000), close(14_000)]).len(), 1, "all of two");
    });
}

#[test]
fn cover_02_a_unit_one_inch_behind_its_fence_claims_nothing() {
    let enemy = at(14_000, 20_000);
    with(wall(), |ground| {
        // The front edge lies a quarter inch ahead of the centre.
        assert!(ground.claims(enemy, &[stand(14_000, 8_750)]).is_empty(), "one inch: 19th Indiana");
        assert!(ground.claims(enemy, &[stand(14_000, 8_752)]).is_empty(), "998 thousandths are not nearer");
        assert_eq!(ground.claims(enemy, &[stand(14_000, 8_753)]).len(), 1, "997 thousandths");
    });
}

#[test]
fn cover_09_works_face_to_the_left_of_their_line() {
    let works = obstacle("works", ObstacleKind::HastyWorks, &[at(10_000, 10_000), at(20_000, 10_000)]);
    let ground = Ground { obstacles: vec![works], ..map() };
    with(ground, |ground| {
        let claims = ground.claims(at(14_000, 20_000), &[stand(14_000, 9_700)]);
        assert!(claims[0].right_side, "fire from the north, which they face");
        let claims = ground.claims(at(14_000, 0), &[stand(14_000, 10_300)]);
        assert!(!claims[0].right_side, "taken, and used from the front");
    });
}

#[test]
fn cover_15_a_gap_covers_nobody_and_is_crossed_freely() {
    let mut changes = GroundChanges::default();
    changes.open_gap(&"west".into(), Stretch { from: 3_500, to: 4_500 });
    changes.open_gap(&"west".into(), Stretch { from: 4_500, to: 4_800 });
    assert_eq!(changes.gaps[&FeatureId::from("west")], [Stretch { from: 3_500, to: 4_800 }]);
    with_changes(wall(), &changes, |ground| {
        let enemy = at(14_000, 20_000);
        assert!(ground.claims(enemy, &[stand(14_000, 9_700)]).is_empty());
        assert_eq!(ground.claims(enemy, &[stand(13_000, 9_700)]).len(), 1);
        assert!(ground.crossings(at(14_000, 9_000), at(14_000, 11_000)).is_empty());
    });
}

#[test]
fn move_08_a_bend_of_the_path_on_a_fence_crosses_it_once() {
    with(wall(), |ground| {
        let on_wall = at(12_000, 10_000);
        for (start, end) in [(at(11_000, 9_000), at(13_000, 11_000)), (at(13_000, 11_000), at(11_000, 9_000))] {
            let crossed = ground.crossings(start, on_wall).len() + ground.crossings(on_wall, end).len();
            assert_eq!(crossed, 1, "from {start:?}");
        }
        let crossings = ground.crossings(at(12_000, 8_000), at(12_000, 12_000));
        let crossing = crossings[0];
        assert_eq!((crossing.travel, crossing.along, crossing.from_left), (2_000, 2_000, false));
        // Through the corner of a wall: still one wall.
        assert_eq!(ground.crossings(at(18_000, 8_000), at(22_000, 12_000)).len(), 1);
        assert_eq!(ground.crossings(at(12_000, 9_000), at(18_000, 9_900)).len(), 0);
    });
}

/// Infantry in single line.
const LINE: Rates = rates(None, 6_000, 4_000, 2_000, 1_000);
/// Infantry in march column.
const COLUMN: Rates = Rates { trails: true, ..rates(Some(12_000), 10_000, 8_000, 4_000, 2_000) };
/// Skirmishers on foot.
const SKIRMISHERS: Rates = rates(None, 10_000, 7_000, 4_000, 3_000);

const fn rates(road: Option<i32>, open: i32, broken: i32, woods: i32, rough: i32) -> Rates {
    Rates { road, open: Some(open), broken: Some(broken), woods: Some(woods), rough: Some(rough), trails: false }
}

/// The printed prices, for foot.
fn foot_prices() -> CrossingPrices {
    let price = CrossingPrice { open: 0, broken: 0, woods: 0, rough: 0, instead: None, needs_rough_rate: false };
    let flat = |inches: i32| CrossingPrice { open: inches, broken: inches, woods: inches, rough: inches, ..price };
    let instead = |inches: i32, terrain: Terrain| Some((inches, terrain));
    CrossingPrices {
        fence: Some(CrossingPrice { open: 1_000, ..price }),
        hasty_works: Some(CrossingPrice { instead: instead(1_000, Terrain::Broken), ..flat(2_000) }),
        heavier_works: Some(CrossingPrice {
            instead: instead(1_000, Terrain::Rough),
            needs_rough_rate: true,
            ..flat(4_000)
        }),
        abatis: Some(CrossingPrice {
            open: 4_000,
            rough: 1_000,
            instead: instead(1_000, Terrain::Rough),
            needs_rough_rate: true,
            ..flat(2_000)
        }),
        fences_in_full: false,
        fraise: Some(CrossingPrice {
            open: 6_000,
            rough: 2_000,
            instead: instead(2_000, Terrain::Rough),
            needs_rough_rate: true,
            ..flat(4_000)
        }),
        frontage: 0,
    }
}

#[test]
fn move_08_the_tables_hold_the_printed_prices() {
    let ruleset = crate::ruleset::Ruleset::standard();
    assert_eq!(CrossingPrices::of(ruleset, true), foot_prices());
    let mounted = CrossingPrices::of(ruleset, false);
    assert_eq!(mounted.fence.map(|price| price.open), Some(2_000));
    use crate::ruleset::{Branch, FormationRow};
    let row = |row| ruleset.rates(Branch::Infantry, row).expect("the tables have this row");
    assert_eq!(Rates::of(row(FormationRow::SingleLine), false), LINE);
    assert_eq!(Rates::of(row(FormationRow::MarchColumn), true), COLUMN);
    assert_eq!(Rates::of(row(FormationRow::Square), false), Rates::default());
}

/// A straight move to the east along y = 10 inches from the west edge, priced for a whole turn.
fn eastward(ground: &GroundNow<'_>, rates: &Rates, front: &[Point]) -> PathCost {
    let legs = [PathLeg { to: at(30_000, 10_000), front }];
    PathCost::new(ground, at(0, 10_000), &legs, rates, &foot_prices(), Pricing::Move, TURN_POINTS)
}

/// A stripe of ground from the south edge to the north edge.
fn stripe(terrain: Terrain, west: i32, east: i32) -> Area {
    area(terrain, Wooded::None, outline(west, 0, east, 40_000))
}

/// Obstacles of one kind right across the eastward path.
fn across(kind: ObstacleKind, places: &[i32]) -> Vec<Obstacle> {
    let name = |x: &i32| format!("at_{x}");
    places.iter().map(|x| obstacle(&name(x), kind, &[at(*x, 0), at(*x, 20_000)])).collect()
}

#[test]
fn move_02_three_inches_of_open_leave_two_of_broken_to_a_line() {
    let ground = Ground { areas: vec![stripe(Terrain::Broken, 3_000, 40_000)], ..map() };
    with(ground, |ground| {
        let cost = eastward(&ground, &LINE, &[]);
        assert_eq!(cost.points_at(3_000), TURN_POINTS / 2);
        assert_eq!(cost.reach(TURN_POINTS), 5_000);
        assert_eq!(cost.point(cost.reach(TURN_POINTS)), at(5_000, 10_000));
        assert_eq!(cost.reach(0), 0);
        assert_eq!(cost.reach(cost.total()), 30_000);
    });
}

#[test]
fn move_02_a_formed_line_pays_the_hardest_ground_under_its_front() {
    let patch = area(Terrain::Woods, Wooded::Light, outline(1_000, 11_000, 2_000, 12_000));
    with(Ground { areas: vec![patch], ..map() }, |ground| {
        let front = [at(0, 1_500), at(0, 500), at(0, -500), at(0, -1_500)];
        let cost = eastward(&ground, &LINE, &front);
        // 1 in open, 1 in woods: a sixth and a half of the turn; the third that is left is 2 in of open.
        assert_eq!(cost.reach(TURN_POINTS), 4_000);
        assert_eq!(eastward(&ground, &LINE, &[]).reach(TURN_POINTS), 6_000, "others pay under the anchor");
    });
}

#[test]
fn move_02_a_column_pays_the_road_rate_along_a_road() {
    let ground = Ground {
        areas: vec![stripe(Terrain::Woods, 0, 6_000)],
        ways: vec![way(WayKind::Road, &[at(-1_000, 10_000), at(40_000, 10_000)])],
        ..map()
    };
    with(ground, |ground| {
        assert_eq!(eastward(&ground, &COLUMN, &[]).reach(TURN_POINTS), 12_000);
        assert_eq!(eastward(&ground, &LINE, &[]).reach(TURN_POINTS), 2_000, "a line gains nothing");
    });
}

#[test]
fn form_20_a_column_pays_the_broken_rate_along_a_trail() {
    let ground = Ground {
        areas: vec![stripe(Terrain::Woods, 0, 20_000)],
        ways: vec![way(WayKind::Trail, &[at(-1_000, 10_000), at(40_000, 10_000)])],
        ..map()
    };
    with(ground, |ground| {
        assert_eq!(eastward(&ground, &COLUMN, &[]).reach(TURN_POINTS), 8_000);
        assert_eq!(eastward(&ground, &SKIRMISHERS, &[]).reach(TURN_POINTS), 4_000);
    });
}

#[test]
fn mv_03_forbidden_ground_halts_at_its_edge() {
    let mounted_line = Rates { open: Some(10_000), broken: Some(6_000), woods: Some(2_000), ..Rates::default() };
    with(Ground { areas: vec![stripe(Terrain::Rough, 7_000, 9_000)], ..map() }, |ground| {
        let cost = eastward(&ground, &mounted_line, &[]);
        assert_eq!(cost.length(), 7_000);
        assert_eq!(cost.halt(), Some(&Halt::Forbidden(Terrain::Rough)));
        assert_eq!(cost.reach(TURN_POINTS), 7_000);
    });
}

#[test]
fn move_08_foot_pay_an_inch_a_fence_or_go_at_the_broken_rate() {
    let reach = |places: &[i32]| {
        let ground = Ground { obstacles: across(ObstacleKind::Fence, places), ..map() };
        with(ground, |ground| {
            let cost = eastward(&ground, &LINE, &[]);
            (cost.reach(TURN_POINTS), cost.fences())
        })
    };
    assert_eq!(reach(&[1_000]), (5_000, FencePayment::ExtraInches));
    assert_eq!(reach(&[1_000, 2_000, 3_000]), (4_000, FencePayment::BrokenRate), "not 3 inches");
}

#[test]
fn move_08_horse_and_guns_pay_two_inches() {
    let ground = Ground { obstacles: across(ObstacleKind::StoneWall, &[3_000]), ..map() };
    let mounted = rates(Some(24_000), 16_000, 12_000, 4_000, 1_000);
    let two = CrossingPrice { open: 2_000, broken: 0, woods: 0, rough: 0, instead: None, needs_rough_rate: false };
    let prices = CrossingPrices { fence: Some(two), ..CrossingPrices::default() };
    with(ground, |ground| {
        let legs = [PathLeg { to: at(30_000, 10_000), front: &[] }];
        let cost = PathCost::new(&ground, at(0, 10_000), &legs, &mounted, &prices, Pricing::Move, TURN_POINTS);
        assert_eq!(cost.reach(TURN_POINTS), 14_000);
    });
}

#[test]
fn move_08_a_unit_that_cannot_pay_stays_before_the_fence() {
    let ground = Ground { obstacles: across(ObstacleKind::Fence, &[5_500]), ..map() };
    with(ground, |ground| {
        let cost = eastward(&ground, &LINE, &[]);
        assert_eq!(cost.reach(TURN_POINTS), 5_500);
        assert_eq!(cost.points_at(5_500), 5_500 * 840, "not yet paid");
        assert_eq!(cost.points_at(5_501), 6_501 * 840);
    });
}

#[test]
fn move_09_fences_cost_nothing_from_woods_and_broken_ground() {
    let reach = |terrain: Terrain, west: i32, east: i32| {
        let ground = Ground {
            areas: vec![stripe(terrain, west, east)],
            obstacles: across(ObstacleKind::Fence, &[1_000]),
            ..map()
        };
        with(ground, |ground| eastward(&ground, &LINE, &[]).reach(TURN_POINTS))
    };
    assert_eq!(reach(Terrain::Woods, 0, 40_000), 2_000);
    assert_eq!(reach(Terrain::Broken, 0, 40_000), 4_000);
    // The side the unit comes from decides: half a turn in an inch of woods, then three inches of open.
    assert_eq!(reach(Terrain::Woods, 0, 1_000), 4_000);
    // Coming from the open: a sixth of the turn for the inch and a sixth for the fence would leave 1 1/3 inches of woods; at
    // the broken rate a quarter for the inch leaves 1 1/2.
    assert_eq!(reach(Terrain::Woods, 1_000, 40_000), 2_500);
}

/// The points of the first crossing of one kind of obstacle on one kind of ground.
fn crossing_points(rates: &Rates, terrain: Terrain, kind: ObstacleKind, places: &[i32]) -> Vec<i64> {
    let ground = Ground { areas: vec![stripe(terrain, 0, 40_000)], obstacles: across(kind, places), ..map() };
    with(ground, |ground| {
        let cost = eastward(&ground, rates, &[]);
        cost.steps()
            .iter()
            .filter_map(|step| match step {
                Step::Crossing { points, .. } => Some(*points),
                Step::Ground { .. } => None,
            })
            .collect()
    })
}

#[test]
fn obs_10_abatis_cost_extra_inches_or_an_inch_of_rough() {
    let abatis = |rates, terrain| crossing_points(rates, terrain, ObstacleKind::Abatis, &[1_000]);
    assert_eq!(abatis(&LINE, Terrain::Open), [3_360_000], "4 inches at 6");
    assert_eq!(abatis(&SKIRMISHERS, Terrain::Open), [1_680_000], "1 inch at 3 instead of 4 at 10");
    assert_eq!(abatis(&LINE, Terrain::Broken), [2_520_000], "2 inches at 4");
    assert_eq!(abatis(&LINE, Terrain::Rough), [5_040_000], "1 inch at 1");
}

#[test]
fn obs_18_a_fraise_costs_more_than_an_abatis() {
    let fraise = |rates, terrain| crossing_points(rates, terrain, ObstacleKind::Fraise, &[1_000]);
    assert_eq!(fraise(&LINE, Terrain::Open), [5_040_000], "6 inches at 6");
    assert_eq!(fraise(&SKIRMISHERS, Terrain::Open), [3_024_000], "6 inches at 10, less than 2 at 3");
    assert_eq!(fraise(&LINE, Terrain::Broken), [5_040_000], "4 inches at 4");
    assert_eq!(fraise(&SKIRMISHERS, Terrain::Woods), [3_360_000], "2 inches at 3, less than 4 at 4");
    assert_eq!(fraise(&SKIRMISHERS, Terrain::Rough), [3_360_000], "2 inches at 3");
}

#[test]
fn obs_24_an_opening_is_as_wide_as_the_open_elements_side_by_side() {
    let element = |n: i32| {
        let line = vec![at(10_000 + n * 800, 5_000), at(10_800 + n * 800, 5_000)];
        Obstacle { id: format!("e{n}").as_str().into(), kind: ObstacleKind::ChevauxDeFrise, line }
    };
    let ground = Ground { obstacles: (0..5).map(element).collect(), ..map() };
    let index = GroundIndex::new(ground);
    let width = |open: &[&str]| {
        let mut changes = GroundChanges::default();
        open.iter().for_each(|id| changes.swing(&(*id).into(), true));
        let now = index.now(&changes);
        now.opening(now.obstacle(&"e2".into()).expect("it is there"), 400)
    };
    assert_eq!(width(&["e1"]), None);
    assert_eq!(width(&["e2"]), Some(800));
    assert_eq!(width(&["e2", "e3", "e0"]), Some(1_600));
    assert_eq!(width(&["e1", "e2", "e3"]), Some(2_400));
    // Where the row itself ends, there is nothing more in the way.
    assert_eq!(width(&["e2", "e3", "e4"]), Some(i32::MAX));
    // A gap in a line is an opening as well.
    let mut changes = GroundChanges::default();
    changes.open_gap(&"e2".into(), Stretch { from: 300, to: 700 });
    let now = index.now(&changes);
    let e2 = now.obstacle(&"e2".into()).expect("it is there");
    assert_eq!((now.opening(e2, 500), now.opening(e2, 200)), (Some(400), None));
}

#[test]
fn obs_25_two_lines_of_chevaux_near_each_other_are_a_fraise() {
    let chevaux = |places: &[i32]| crossing_points(&SKIRMISHERS, Terrain::Open, ObstacleKind::ChevauxDeFrise, places);
    assert_eq!(chevaux(&[1_000, 3_000]), [3_024_000], "6 inches at 10, paid once");
    assert_eq!(chevaux(&[1_000, 3_500]), [1_680_000, 1_680_000], "two abatis");
    assert_eq!(chevaux(&[1_000, 2_000, 3_000]), [3_024_000, 1_680_000], "a fraise and an abatis");
}

#[test]
fn obs_29_what_has_no_rough_rate_cannot_cross() {
    let limbered = Rates { rough: None, ..rates(Some(24_000), 16_000, 12_000, 1_000, 0) };
    let barred = |kind: ObstacleKind| {
        let ground = Ground { obstacles: across(kind, &[2_000]), ..map() };
        with(ground, |ground| {
            let cost = eastward(&ground, &limbered, &[]);
            (cost.length(), cost.halt().cloned())
        })
    };
    let halt = Some(Halt::Barred("at_2000".into()));
    assert_eq!(barred(ObstacleKind::Abatis), (2_000, halt.clone()));
    assert_eq!(barred(ObstacleKind::HeavyWorks), (2_000, halt), "WORKS-17");
    assert_eq!(barred(ObstacleKind::HastyWorks), (30_000, None), "WORKS-10");
}

#[test]
fn works_10_hasty_works_cost_two_inches_or_one_of_broken() {
    let works = |rates| crossing_points(rates, Terrain::Open, ObstacleKind::HastyWorks, &[1_000]);
    assert_eq!(works(&LINE), [1_260_000], "1 inch at 4 instead of 2 at 6");
    assert_eq!(works(&COLUMN), [630_000], "1 inch at 8 instead of 2 at 10");
}

#[test]
fn works_17_medium_and_heavy_works_cost_four_inches_or_one_of_rough() {
    let works = |rates, kind| crossing_points(rates, Terrain::Open, kind, &[1_000]);
    for kind in [ObstacleKind::MediumWorks, ObstacleKind::HeavyWorks] {
        assert_eq!(works(&LINE, kind), [3_360_000], "4 inches at 6 instead of 1 at 1");
        assert_eq!(works(&SKIRMISHERS, kind), [1_680_000], "1 inch at 3 instead of 4 at 10");
    }
    // Guns have no rough rate: they stay before them, but pass hasty works.
    let limbered = Rates { rough: None, ..rates(Some(24_000), 16_000, 12_000, 1_000, 0) };
    let comes = |kind| {
        let ground = Ground { obstacles: across(kind, &[2_000]), ..map() };
        with(ground, |ground| eastward(&ground, &limbered, &[]).length())
    };
    assert_eq!(comes(ObstacleKind::MediumWorks), 2_000);
    assert_eq!(comes(ObstacleKind::HastyWorks), 30_000);
}

#[test]
fn works_23_a_gap_as_wide_as_its_front_lets_a_unit_through_free() {
    // Works across the way of one who walks east along y = 10, with a gap of 3.5 inches about that place.
    let ground = GroundIndex::new(Ground { obstacles: across(ObstacleKind::HastyWorks, &[2_000]), ..map() });
    let works = ground.ground().obstacles[0].clone();
    let through = gap_place(&works);
    let mut changes = GroundChanges::default();
    changes.open_gap(&works.id, Stretch { from: through - 1_000, to: through + 2_500 });
    let crossed = |changes: &GroundChanges, front: i32| {
        ground.now(changes).barriers(at(0, 10_000), at(10_000, 10_000), front).len()
    };
    assert_eq!([0, 3_500, 3_501].map(|front| crossed(&changes, front)), [0, 0, 1]);
    // A gap that reaches the end of the works leads round them.
    changes.open_gap(&works.id, Stretch { from: 0, to: through });
    assert_eq!(crossed(&changes, 20_000), 0);
}

/// How far along an obstacle across the way the line y = 10 is.
fn gap_place(obstacle: &Obstacle) -> i32 {
    (obstacle.line[0].y - 10_000).abs()
}

#[test]
fn chg_25_a_charge_from_woods_into_the_open() {
    let ground = Ground { areas: vec![stripe(Terrain::Woods, 0, 1_000)], ..map() };
    with(ground, |ground| {
        let legs = [PathLeg { to: at(30_000, 10_000), front: &[] }];
        let pricing = Pricing::Charge { rate: 2_000 };
        let total = points_for(6_000, 2_000);
        let none = CrossingPrices::default();
        let cost = PathCost::new(&ground, at(0, 10_000), &legs, &LINE, &none, pricing, total);
        assert_eq!(cost.reach(total), 16_000);
    });
}

#[test]
fn move_02_bends_keep_the_travel() {
    with(map(), |ground| {
        let legs = [PathLeg { to: at(3_000, 4_000), front: &[] }, PathLeg { to: at(3_000, 9_000), front: &[] }];
        let cost = PathCost::new(&ground, at(0, 0), &legs, &LINE, &foot_prices(), Pricing::Move, TURN_POINTS);
        assert_eq!(cost.length(), 10_000);
        assert_eq!(cost.reach(TURN_POINTS), 6_000);
        assert_eq!(cost.point(5_000), at(3_000, 4_000));
        assert_eq!(cost.point(6_000), at(3_000, 5_000));
        assert_eq!((cost.leg_number(5_000), cost.leg_number(5_001)), (0, 1));
        assert_eq!(cost.steps().len(), 1, "one ground, one step");
    });
}

#[test]
fn relief_meets_the_contours() {
    let ground = Ground {
        contours: vec![
            contour(20, outline(10_000, 10_000, 30_000, 30_000)),
            contour(40, outline(15_000, 15_000, 25_000, 25_000)),
        ],
        ..map()
    };
    let relief = ground.relief(2_500);
    let height = |x: i32, y: i32| relief.heights[(y / 2_500) as usize * relief.columns + (x / 2_500) as usize];
    assert_eq!((relief.columns, relief.rows), (17, 17));
    assert_eq!(height(10_000, 20_000), 200);
    assert_eq!(height(12_500, 20_000), 300);
    assert_eq!(height(15_000, 20_000), 400);
    assert!(height(5_000, 20_000) < 200 && 400 < height(20_000, 20_000));
}

fn any_outline() -> impl Strategy<Value = Vec<Point>> {
    // Star-shaped about a centre, so that it never crosses itself.
    let radii = proptest::collection::vec(500..12_000_i32, 3..9);
    ((0..40_000_i32), (0..40_000_i32), radii).prop_map(|(x, y, radii)| {
        let turn = 36_000 / radii.len() as i32;
        let corner = |(number, radius): (usize, &i32)| {
            crate::geometry::Frame::new(at(x, y), Bearing::wrapping(number as i32 * turn)).at(*radius, 0)
        };
        radii.iter().enumerate().map(corner).collect()
    })
}

fn any_point() -> impl Strategy<Value = Point> {
    (-2_000..42_000_i32, -2_000..42_000_i32).prop_map(|(x, y)| at(x, y))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn scale_04_the_grid_answers_as_the_outlines_do(
        outlines in proptest::collection::vec(any_outline(), 1..6),
        points in proptest::collection::vec(any_point(), 20),
    ) {
        let contours = outlines.iter().enumerate().map(|(number, outline)| contour(number as i32 + 1, outline.clone()));
        let ground = Ground { contours: contours.collect(), ..map() };
        let index = GroundIndex::new(ground.clone());
        let changes = GroundChanges::default();
        for point in points {
            let holding = ground.contours.iter().filter(|c| crate::geometry::contains_within_eps(&c.outline, point));
            prop_assert_eq!(index.now(&changes).level(point), holding.map(|c| c.feet).max().unwrap_or(0));
        }
    }

    #[test]
    fn move_02_pieces_add_up_to_the_leg(
        outlines in proptest::collection::vec(any_outline(), 1..6),
        from in any_point(),
        to in any_point(),
    ) {
        let areas = outlines.into_iter().map(|outline| area(Terrain::Woods, Wooded::Light, outline));
        let ground = Ground { areas: areas.collect(), ..map() };
        let outlines: Vec<Vec<Point>> = ground.areas.iter().map(|area| area.outline.clone()).collect();
        let index = GroundIndex::new(ground);
        let changes = GroundChanges::default();
        let pieces = index.now(&changes).pieces(from, to);
        prop_assert_eq!(pieces.iter().map(Piece::length).sum::<i32>(), crate::geometry::segment_length(from, to));
        let inside = outlines.iter().map(|outline| crate::geometry::clip_segment(from, to, outline));
        let woods = inside.reduce(|one, other| one.union(&other)).unwrap_or_default().length(from, to);
        let found: i32 = pieces.iter().filter(|piece| piece.terrain == Terrain::Woods).map(Piece::length).sum();
        let slack = 4 + outlines.iter().map(|outline| blur(from, to, outline)).max().unwrap_or(0);
        prop_assert!((woods - found).abs() <= slack, "{} of woods, {} by the grid, {} of them doubtful", woods, found, slack);
    }
}

/// How far along a leg the meeting with a border moves when the border moves a thousandth: little, but where the leg grazes it.
fn blur(from: Point, to: Point, outline: &[Point]) -> i32 {
    let vector = |a: Point, b: Point| (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
    let length = |(x, y): (i64, i64)| (x * x + y * y).isqrt();
    let leg = vector(from, to);
    let grazes = |edge: (i64, i64)| {
        let across = (leg.0 * edge.1 - leg.1 * edge.0).abs();
        if across == 0 { 0 } else { length(leg) * length(edge) / across }
    };
    let edges = outline.iter().zip(outline.iter().cycle().skip(1));
    let most = edges.map(|(a, b)| grazes(vector(*a, *b))).max().unwrap_or(0);
    i32::try_from(most).unwrap_or(i32::MAX / 2)
}

/// A leg that grazes a border: where it leaves the woods is a matter of less than a thousandth.
#[test]
fn move_02_a_leg_that_grazes_a_border_is_cut_near_it() {
    let corners =
        [(28_809, 18_619), (32_675, 11_544), (29_242, 9_062), (28_809, 8_812), (28_376, 9_062), (28_376, 9_562)];
    let outline: Vec<Point> = corners.into_iter().map(|(x, y)| at(x, y)).collect();
    let (from, to) = (at(32_103, 12_591), at(16_127, 40_306));
    // The border is met at 1.3 degrees: a thousandth aside is 1 / sin 1.3 = 43 or 44 along.
    assert!((40..48).contains(&blur(from, to, &outline)), "{}", blur(from, to, &outline));
    let index = GroundIndex::new(Ground { areas: vec![area(Terrain::Woods, Wooded::Light, outline.clone())], ..map() });
    let changes = GroundChanges::default();
    let pieces = index.now(&changes).pieces(from, to);
    let found: i32 = pieces.iter().filter(|piece| piece.terrain == Terrain::Woods).map(Piece::length).sum();
    assert!((found - crate::geometry::clip_segment(from, to, &outline).length(from, to)).abs() <= 44);
}
