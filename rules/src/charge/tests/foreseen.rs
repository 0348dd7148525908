//! What a player is shown before he seals: from his own knowledge, and without a die. CHG-06, CHG-23, DIS-02

use protocol::message::Preview;

use super::*;
use crate::battle::known;
use crate::movement::preview;

fn shown(units: Vec<Maker>, order: &Order) -> Preview {
    shown_on(open_ground(), units, order)
}

fn shown_on(ground: crate::ground::Ground, units: Vec<Maker>, order: &Order) -> Preview {
    let battle = battle(table(ground, units));
    preview(&known(&battle, Side::Union), Ruleset::standard(), &UnitId::new("a"), order)
}

fn notes(preview: &Preview) -> String {
    preview.notes.iter().map(|note| note.text.clone()).collect::<Vec<_>>().join(" ")
}

#[test]
fn chg_06_and_23_a_charge_is_foreseen_with_its_target_and_its_distances() {
    // Six inches and three dice: nine to twenty-four. Fifteen are up to the dice.
    let preview = shown(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 25_000)], &charge_at("x"));
    let notes = notes(&preview);
    assert!(notes.contains("Its target would be x, 15 inches off."), "{notes}");
    assert!(notes.contains("6 inches and 3 dice: 9 to 24 in all."), "{notes}");
    assert!(notes.contains("up to the dice"), "{notes}");
    assert_eq!(preview.path.last().map(|point| point.y), Some(25_000));
    assert_eq!(preview.stops, None);
}

#[test]
fn chg_28_a_charge_that_must_fall_short_is_foreseen_as_such() {
    let second = union("a", 30_000, 10_000).with(|unit| unit.carried.charge_turns = 1);
    let preview = shown(vec![second, confederate("x", 30_000, 25_000)], &charge_at("x"));
    assert_eq!(preview.stops.as_deref(), Some("it would fall short"));
    assert_eq!(preview.path.last().map(|point| point.y), Some(16_000));
}

#[test]
fn chg_09_a_charge_off_the_front_is_foreseen_in_disorder() {
    let preview = shown(vec![union("a", 20_000, 30_000), confederate("x", 35_000, 30_000)], &charge_at("x"));
    assert!(notes(&preview).contains("45 degrees or more"), "{}", notes(&preview));
}

#[test]
fn dis_02_the_sure_part_of_a_disengaging_move_is_shown() {
    // The six inches of disorder, from a front that is its rear now: 30 - 0.625 - 6.
    let order = Order::Disengage { abandon_guns: false };
    let preview = shown(vec![union("a", 30_000, 30_000), confederate("x", 30_000, 34_000)], &order);
    assert_eq!(preview.path.last().map(|point| (point.x, point.y)), Some((30_000, 23_375)));
    assert!(notes(&preview).contains("3 dice give further inches"), "{}", notes(&preview));
}

#[test]
fn cavc_03_and_24_and_25_and_tac_42_what_horse_will_meet_is_foreseen() {
    use crate::ground::{Area, Ground, Obstacle, ObstacleKind, Terrain, Wooded};
    use protocol::place::Point;
    let across = |y: i32| vec![Point::new(0, y), Point::new(60_000, y)];
    let mut outline = across(12_000);
    outline.extend([Point::new(60_000, 14_000), Point::new(0, 14_000)]);
    let broken =
        Area { id: "field".into(), name: "field".into(), terrain: Terrain::Broken, wooded: Wooded::None, outline };
    let fence = Obstacle { id: "fence".into(), kind: ObstacleKind::Fence, line: across(16_000) };
    let ground = || Ground { areas: vec![broken.clone()], obstacles: vec![fence.clone()], ..open_ground() };
    let of = |ground: Ground, a: Maker, x: Maker| notes(&shown_on(ground, vec![a, x], &charge_at("x")));
    let a = || rider("a", 30_000, 10_000);
    let told = of(ground(), a(), trooper("x", 30_000, 20_000));
    assert!(told.contains("It must roll to keep its order over the ground on its way."), "{told}");
    assert!(told.contains("It crosses a fence or wall: 2 inches, and a roll to keep its order, for each."), "{told}");
    assert!(told.contains("may come to meet it half-way"), "{told}");
    let square = confederate("x", 30_000, 20_000).formation(protocol::words::Formation::Square);
    let told = of(open_ground(), a(), square);
    assert!(told.contains("2 dice not above its BMP break it, else the horse turns away."), "{told}");
    // Foot has none of it.
    let told = of(ground(), union("a", 30_000, 10_000), confederate("x", 30_000, 20_000));
    assert!(!told.contains("roll") && !told.contains("meet"), "{told}");
}
