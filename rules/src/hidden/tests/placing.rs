//! Where a revealed unit stands, and with what it comes. HID-47 to HID-51, HID-63

use std::collections::BTreeSet;

use protocol::event::OrderShown;
use protocol::orders::{Hides, Instructions, MoveOrder, Order, Plan, PlanShape};
use protocol::place::Bearing;
use protocol::words::Formation;

use super::*;
use crate::catalogue::HID_48;
use crate::dice::ScriptedDice;
use crate::hidden::change::{Changes, change};
use crate::testing::{cavalry, leader, tell_picket};

/// Replaces pickets in that phase of a stage.
fn placed_in(battle: Battle, stage: Stage, phase: u8, numbers: &[PicketNumber]) -> (Battle, Vec<Event>) {
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, stage);
    play.phase = phase;
    let placed: BTreeSet<PicketNumber> = numbers.iter().copied().collect();
    change(&mut play, &Changes { placed, ..Changes::default() }, HID_48);
    (play.battle, play.events)
}

fn placed(battle: Battle, numbers: &[PicketNumber]) -> Battle {
    placed_in(battle, Stage::Reactions, 4, numbers).0
}

fn anchor(battle: &Battle, name: &str) -> (i32, i32) {
    let at = unit(battle, name).footing.anchor;
    (at.x, at.y)
}

#[test]
fn hid_49_it_stands_at_the_marker_in_its_true_formation_and_with_its_losses() {
    let mut battle = battle_on(open_ground(), []);
    let column = infantry("grey", CONFEDERATE).at(10_000, 20_000).facing(4_500).formation(Formation::MarchColumn);
    hide(&mut battle, GREY, Some(column.stands_left(3)), (10_000, 20_000), CONFEDERATE);
    let (battle, events) = placed_in(battle, Stage::Reactions, 4, &[GREY]);
    let grey = unit(&battle, "grey");
    assert_eq!((anchor(&battle, "grey"), grey.footing.facing), ((10_000, 20_000), Bearing::wrapping(4_500)));
    assert_eq!((grey.footing.formation, grey.stands.len()), (Formation::MarchColumn, 3));
    let Fact::PicketsChanged { placed, .. } = &events[0].fact else { panic!("{events:?}") };
    assert_eq!((placed[0].after.anchor, placed[0].left.len()), (Point::new(10_000, 20_000), 3));
}

#[test]
fn hid_49_on_open_stands_it_is_shifted_straight_back_by_the_least_tenths_of_an_inch() {
    // A stand is 0.625 deep: six tenths leave 0.025 inch on the friend, seven are enough.
    let mut battle = battle_on(open_ground(), [infantry("open", CONFEDERATE).at(30_000, 20_000)]);
    under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 20_000));
    assert_eq!(anchor(&placed(battle, &[GREY]), "grey"), (30_000, 19_300));
}

#[test]
fn hid_49_back_is_along_its_facing() {
    let mut battle = battle_on(open_ground(), [infantry("open", CONFEDERATE).at(30_000, 20_000).facing(9_000)]);
    let grey = infantry("grey", CONFEDERATE).at(30_000, 20_000).facing(9_000);
    hide(&mut battle, GREY, Some(grey), (30_000, 20_000), CONFEDERATE);
    // It faces east, so west is back.
    assert_eq!(anchor(&placed(battle, &[GREY]), "grey"), (29_300, 20_000));
}

#[test]
fn hid_49_pickets_of_one_instant_are_placed_in_ascending_number() {
    let mut battle = battle_on(open_ground(), []);
    // The higher number comes first in the list of units.
    under(&mut battle, OTHER, CONFEDERATE, "a", (30_000, 20_000));
    under(&mut battle, GREY, CONFEDERATE, "b", (30_000, 20_000));
    let battle = placed(battle, &[OTHER, GREY]);
    assert_eq!((anchor(&battle, "b"), anchor(&battle, "a")), ((30_000, 20_000), (30_000, 19_300)));
}

#[test]
fn leak_95_a_friend_that_is_still_hidden_shifts_nobody() {
    let mut battle = battle_on(open_ground(), []);
    under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 20_000));
    under(&mut battle, OTHER, CONFEDERATE, "hidden", (30_000, 20_000));
    assert_eq!(anchor(&placed(battle, &[GREY]), "grey"), (30_000, 20_000));
}

#[test]
fn hid_49_ground_that_is_closed_to_it_shifts_it_too() {
    // Mounted cavalry in line may not be on rough ground, which begins at y = 19.85: two tenths back it is clear.
    let rough = Ground {
        areas: vec![Area {
            id: "rough".into(),
            name: "rough".to_owned(),
            terrain: Terrain::Rough,
            wooded: Wooded::None,
            outline: [(0, 19_850), (60_000, 19_850), (60_000, 60_000), (0, 60_000)]
                .map(|(x, y)| Point::new(x, y))
                .to_vec(),
        }],
        ..open_ground()
    };
    let mut battle = battle_on(rough, []);
    hide(&mut battle, GREY, Some(cavalry("grey", CONFEDERATE).at(30_000, 20_000)), (30_000, 20_000), CONFEDERATE);
    let battle = placed(battle, &[GREY]);
    assert_eq!((anchor(&battle, "grey"), unit(&battle, "grey").footing.disorder), ((30_000, 19_800), false));
}

#[test]
fn hid_49_with_no_place_within_six_inches_it_is_placed_in_disorder_at_the_nearest_free_point() {
    // Friends in line behind line, each a stand deep, from the marker to 6.9 inches behind it, and as wide as it is itself. The
    // nearest point that is clear of them to the rear lies beside them: a front of 3.5 inches, and so 3.5 inches aside.
    let ranks = (0..11).map(|n| infantry(&format!("open_{n:02}"), CONFEDERATE).at(30_000, 30_000 - 625 * n));
    let mut battle = battle_on(open_ground(), ranks);
    under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 30_000));
    let battle = placed(battle, &[GREY]);
    assert!(unit(&battle, "grey").footing.disorder);
    assert_eq!(anchor(&battle, "grey"), (26_500, 30_000));
}

#[test]
fn hid_49_the_edge_of_the_table_shifts_as_well() {
    // It faces south a third of an inch from the northern edge: its stands would hang over it, and back is over it too.
    let mut battle = battle_on(open_ground(), []);
    let grey = infantry("grey", CONFEDERATE).at(30_000, 59_700).facing(18_000);
    hide(&mut battle, GREY, Some(grey), (30_000, 59_700), CONFEDERATE);
    let battle = placed(battle, &[GREY]);
    let corners: Vec<Point> = unit(&battle, "grey").layout().rects().flat_map(|rect| rect.corners).collect();
    assert!(corners.iter().all(|corner| corner.y <= 60_000), "{corners:?}");
}

#[test]
fn hid_49_a_brigade_is_placed_whole_by_its_plan() {
    let mut battle = battle_on(open_ground(), []);
    under(&mut battle, GREY, CONFEDERATE, "left", (30_000, 20_000));
    let right = infantry("right", CONFEDERATE).at(32_000, 20_000).unit();
    battle.table.insert(Unit { presence: Presence::Hidden, ..right.clone() });
    let brigade = battle.secrets.get_mut(CONFEDERATE).open_mut().pickets.get_mut(&GREY).expect("it is there");
    brigade.units[0].footing.anchor = Point::new(28_000, 20_000);
    brigade.units.push(Unit { presence: Presence::Hidden, ..right });
    brigade.hides = Hides::Brigade {
        brigade: "brigade".into(),
        formation: Formation::SingleLine,
        plan: Plan { order: vec!["left".into(), "right".into()], shape: PlanShape::Abreast {}, gap: 500 },
    };
    let (battle, events) = placed_in(battle, Stage::Reactions, 4, &[GREY]);
    assert_eq!((anchor(&battle, "left"), anchor(&battle, "right")), ((28_000, 20_000), (32_000, 20_000)));
    assert_eq!(changed(&events), [(vec![417, 417], vec![], vec![])]);
}

#[test]
fn hid_47_who_is_revealed_stays_on_the_table() {
    let mut battle = battle_on(open_ground(), [infantry("blue", UNION).at(30_000, 50_000)]);
    under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 10_000));
    tell_picket(&mut battle, GREY, Order::Hold { task: None }, Instructions::default());
    let dice = ScriptedDice::new();
    for stage in [Stage::Reactions, Stage::Charges, Stage::Movement] {
        let envelopes = crate::stage::Envelopes::new();
        battle = crate::stage::resolve(Ruleset::standard(), stage, battle, &envelopes, &dice).battle;
        assert!(is_placed(&battle, "grey"));
    }
    let own = battle.secrets.get(CONFEDERATE).open();
    assert!(own.pickets.is_empty() && own.picket_orders.is_empty() && battle.table.pickets.is_empty());
}

#[test]
fn hid_50_it_keeps_the_order_of_its_picket_which_is_shown_from_then_on() {
    let march = MoveOrder { path: vec![Point::new(30_000, 26_000)], ..MoveOrder::default() };
    let hidden = || {
        let mut battle = battle_on(open_ground(), []);
        under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 20_000));
        tell_picket(&mut battle, GREY, Order::Move(march.clone()), Instructions::default());
        battle
    };
    let (battle, events) = placed_in(hidden(), Stage::Reactions, 4, &[GREY]);
    let orders = &battle.secrets.get(CONFEDERATE).open().orders;
    assert_eq!(orders[&UnitId::new("grey")].order, Order::Move(march.clone()));
    let shown = OrderShown::Move { bearing: Bearing::NORTH, formation: None };
    assert_eq!(unit(&battle, "grey").marks.shown, Some(shown.clone()));
    let Fact::PicketsChanged { placed, .. } = &events[0].fact else { panic!("{events:?}") };
    assert_eq!(placed[0].shown, Some(shown));
    // Before the reveal of orders nothing is shown of it.
    let (battle, _) = placed_in(hidden(), Stage::Orders, 2, &[GREY]);
    assert_eq!(unit(&battle, "grey").marks.shown, None);
}

#[test]
fn hid_51_who_stands_within_close_range_when_it_is_revealed_has_not_come_into_it() {
    // Muskets reach two inches and more at close range; the enemy stands an inch and a half before it.
    let mut battle = battle_on(open_ground(), [infantry("blue", UNION).at(30_000, 21_500).facing(18_000)]);
    under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 20_000));
    let (battle, _) = placed_in(battle, Stage::Movement, 7, &[GREY]);
    assert!(unit(&battle, "blue").marks.close_at_start.contains(&UnitId::new("grey")));
    assert!(unit(&battle, "grey").marks.close_at_start.contains(&UnitId::new("blue")));
}

#[test]
fn hid_63_a_leader_who_is_revealed_stands_at_the_point_and_has_been_near_nobody() {
    let mut battle = battle_on(open_ground(), []);
    under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 20_000));
    let officer = crate::battle::Leader { presence: Presence::Hidden, ..leader("l", CONFEDERATE, 1_000, 1_000) };
    let id = officer.id.clone();
    battle.table.leaders.insert(id.clone(), officer.clone());
    let secrets = battle.secrets.get_mut(CONFEDERATE).open_mut();
    secrets.pickets.get_mut(&GREY).expect("it is there").leaders.push(officer);
    let battle = placed(battle, &[GREY]);
    let officer = &battle.table.leaders[&id];
    assert_eq!((officer.presence, officer.at), (Presence::Table, Point::new(30_000, 20_000)));
    assert_eq!(officer.marks.closest_enemy, None);
}
