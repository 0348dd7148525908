//! Who bars, halts or is taken is seen before it is told. LOS-02
//!
//! In most of these tests an enemy comes to where he is after the look of the stage: he stands there, and nobody has seen him.

use protocol::event::Morale;
use protocol::ids::{BrigadeId, LeaderId};
use protocol::orders::{FormTask, Instructions, MoveOrder, Order};
use protocol::place::Bearing;
use protocol::words::Formation;

use super::*;
use crate::battle::UnitIx;
use crate::field::Field;
use crate::ground::{Building, BuildingKind};
use crate::hidden;
use crate::morale::flight::{self, Mover};
use crate::morale::reference::Reference;
use crate::scenario::{Arrival, PlaceTerm};
use crate::testing::{give, ix, leader};

/// A play in which neither blue nor red, of whom one is in a deep wood, has seen the other.
fn unseen<'d>(units: Vec<Maker>, dice: &'d All) -> Play<'d> {
    let play = play_of(fog(wood(), units), dice);
    assert_eq!((sees(&play.battle, UNION).len(), sees(&play.battle, CONFEDERATE).len()), (0, 0));
    play
}

/// Red, so deep in the wood that nobody sees it, nor it anybody.
fn deep(id: &str) -> Maker {
    infantry(id, CONFEDERATE).at(30_000, 49_000).facing(18_000)
}

fn comes_to(play: &mut Play<'_>, unit: &str, (x, y): (i32, i32)) -> UnitIx {
    let unit = ix(play.table(), unit);
    play.table_mut()[unit].footing.anchor = Point::new(x, y);
    unit
}

/// Where among the facts somebody came in sight.
fn sighted(facts: &[Fact], who: &str) -> Option<usize> {
    facts.iter().position(
        |fact| matches!(fact, Fact::Sighted { came, .. } if came.iter().any(|came| came.unit.as_str() == who)),
    )
}

fn wall(id: &str, (west, east): (i32, i32)) -> Building {
    let corners = [(west, 10_000), (east, 10_000), (east, 50_000), (west, 50_000)];
    Building {
        id: FeatureId::new(id),
        name: "Wall".to_owned(),
        kind: BuildingKind::Wood,
        outline: corners.map(|(x, y)| Point::new(x, y)).to_vec(),
    }
}

#[test]
fn los_02_who_leaves_no_room_to_form_is_seen() {
    // The line of four stands of 0.875 inches is 3.5 wide, from 28.25 to 31.75; red stands from 31.55 and from 28.45, each behind
    // a wall and more than an inch off the column: to slide aside for one is to stand on the other. FORM-35
    let mut ground = open_ground();
    ground.buildings.extend([wall("west", (28_900, 29_200)), wall("east", (30_800, 31_100))]);
    let blue = infantry("blue", UNION).at(30_000, 30_000).formation(Formation::MarchColumn);
    let red = |id: &str, x: i32| infantry(id, CONFEDERATE).at(x, 30_000);
    let mut battle = fog(ground, [blue, red("red", 33_300), red("ruby", 26_700)]);
    let task = FormTask::Formation { formation: Formation::SingleLine, gap: None, pivot: None, facing: None };
    give(&mut battle, "blue", Order::Form { task }, Instructions::default());
    let dice = All(6);
    let battle = looked(battle, &dice);
    assert_eq!(sees(&battle, UNION), [""; 0]);
    let outcome = played(battle, Stage::Movement, &dice);
    let facts = told(&outcome.events, UNION);
    let unit = &outcome.battle.table[ix(&outcome.battle.table, "blue")];
    assert_eq!(unit.footing.formation, Formation::MarchColumn, "{facts:?}");
    assert!(sighted(&facts, "red").is_some() && sighted(&facts, "ruby").is_some(), "{facts:?}");
}

#[test]
fn los_02_who_keeps_a_unit_from_reforming_is_seen() {
    let dice = All(6);
    let mut play = unseen(vec![blue().disordered(), deep("red")], &dice);
    let blue = ix(play.table(), "blue");
    comes_to(&mut play, "red", (31_000, 29_800));
    assert!(!crate::reform::reform(&mut play, blue, Bearing::NORTH));
    assert_eq!((sees(&play.battle, UNION), sees(&play.battle, CONFEDERATE)), (vec!["red"], vec!["blue"]));
}

#[test]
fn los_02_a_friend_who_leaves_no_room_shows_nobody_behind_him() {
    let dice = All(6);
    let friend = infantry("friend", UNION).at(29_000, 30_000);
    let mut play = unseen(vec![blue().disordered(), friend, deep("red")], &dice);
    let blue = ix(play.table(), "blue");
    comes_to(&mut play, "red", (31_000, 29_800));
    assert!(!crate::reform::reform(&mut play, blue, Bearing::NORTH));
    assert_eq!(sees(&play.battle, UNION), [""; 0]);
}

#[test]
fn los_02_who_is_taken_on_a_march_is_seen_first() {
    // Red is 0.02 inches before blue, who touches it in the first segments; sight is tested at the end of the sixth.
    let dice = All(6);
    let mut battle = fog(wood(), [blue(), deep("red").morale(Morale::Routed)]);
    let march = MoveOrder { path: vec![Point::new(30_000, 31_500)], ..MoveOrder::default() };
    give(&mut battle, "blue", Order::Move(march), Instructions::default());
    let mut play = play_of(battle, &dice);
    assert_eq!(sees(&play.battle, UNION), [""; 0]);
    play.phase = 7;
    comes_to(&mut play, "red", (30_000, 30_020));
    crate::movement::play(&mut play);
    let facts = told(&play.events, UNION);
    let removed = facts.iter().position(|fact| matches!(fact, Fact::Removed { unit, .. } if unit.as_str() == "red"));
    let first = sighted(&facts, "red");
    assert!(removed.is_some() && first.is_some() && first < removed, "{facts:?}");
}

#[test]
fn los_02_who_bars_the_places_beside_an_arrival_is_seen() {
    // In the wood, with dice of one, only touch shows anybody. Red bars the place of entry; ruby, whose flank is at 32.85, stands
    // 1.1 inches off it, and less than one off a place a quarter of an inch to the east.
    let arrival = Arrival {
        id: "relief".to_owned(),
        side: UNION,
        turn: 1,
        place: PlaceTerm::Around { at: Point::new(30_000, 41_000), radius: 2_000 },
        who: vec!["blue".to_owned()],
        roll: None,
        owner_may_refuse: false,
        optional: false,
        unlisted: false,
        due_if: None,
        formation: None,
        note: String::new(),
    };
    let blue = infantry("blue", UNION).at(30_000, 41_000).with(|unit| {
        (unit.presence, unit.arrives) = (Presence::ToCome, Some(1));
    });
    let red = |id: &str, x: i32| infantry(id, CONFEDERATE).at(x, 41_000);
    let dice = All(1);
    let units = [blue, red("red", 30_000), red("ruby", 34_600)];
    let mut play = play_of(fog_with(wood(), units, |scenario| scenario.arrivals = vec![arrival]), &dice);
    play.phase = 7;
    crate::movement::play(&mut play);
    assert_eq!(play.table()[ix(play.table(), "blue")].presence, Presence::Table);
    assert_eq!(sees(&play.battle, UNION), ["red", "ruby"]);
}

#[test]
fn los_02_who_bars_a_brigade_column_is_seen_first() {
    let dice = All(6);
    let brigade =
        |id: &str, x: i32| infantry(id, UNION).at(x, 28_000).with(|unit| unit.brigade = Some(BrigadeId::new("cruft")));
    let mut battle = fog(wood(), [brigade("a", 30_000), brigade("b", 36_500), deep("red")]);
    for unit in ["a", "b"] {
        let regiments = ["a", "b"].map(UnitId::new).to_vec();
        let order = Order::Form { task: FormTask::BrigadeColumn { regiments } };
        give(&mut battle, unit, order, Instructions::default());
    }
    let mut play = play_of(battle, &dice);
    play.phase = 7;
    // The place of the second is behind the first, 1.5 inches back.
    comes_to(&mut play, "red", (30_000, 25_000));
    crate::column::forming::form_columns(&mut play);
    let facts = told(&play.events, UNION);
    let void = facts.iter().position(|fact| matches!(fact, Fact::OrderVoid { .. }));
    assert!(void.is_some() && sighted(&facts, "red").is_some() && sighted(&facts, "red") < void, "{facts:?}");
}

#[test]
fn los_02_who_stops_a_flight_is_seen_though_it_ends_farther_off() {
    let dice = All(6);
    // Blue runs south; red bars it four inches on; a friend stands where it would be stopped, so it ends before him.
    let friend = infantry("friend", UNION).at(30_000, 26_400);
    let mut play = unseen(vec![blue(), friend, deep("red")], &dice);
    let blue = ix(play.table(), "blue");
    let red = comes_to(&mut play, "red", (30_000, 24_500));
    let table = play.table().clone();
    let field = Field::new(Ruleset::standard(), &table, &dice);
    let bearing = Bearing::NORTH.reversed();
    let mover = Mover {
        unit: blue,
        body: flight::turned(field.unit(blue), bearing),
        tail: Vec::new(),
        from: field.stands(blue),
        bearing,
        distance: 8_000,
        reference: Reference { enemy: None, away: bearing },
        dice: Vec::new(),
        runs: false,
        foes: Vec::new(),
    };
    let movers = [mover];
    let placed = hidden::flee(&mut play, &field, &movers, |field, movers| flight::place(field, &dice, 4, movers));
    assert_eq!(placed[0].stopped_by, Some("an enemy is in the way"));
    let off = flight::least_distance(&movers[0].stands_at(placed[0].travel), &field.stands(red));
    assert!(!off.within(1_000), "touch does not show him");
    assert_eq!((sees(&play.battle, UNION), sees(&play.battle, CONFEDERATE)), (vec!["red"], vec!["blue"]));
}

#[test]
fn lead_13_who_drives_a_leader_off_is_seen_first() {
    let dice = All(6);
    let mut battle = fog(wood(), [blue(), deep("red")]);
    battle.table.leaders.insert(LeaderId::new("hood"), leader("hood", UNION, 30_000, 20_000));
    let mut play = play_of(battle, &dice);
    comes_to(&mut play, "red", (30_000, 20_000));
    crate::leaders::give_way(&mut play);
    let facts = told(&play.events, UNION);
    assert!(sighted(&facts, "red") == Some(0) && 1 < facts.len(), "{facts:?}");
}
