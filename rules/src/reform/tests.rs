use protocol::event::Morale;
use protocol::ids::Side;
use protocol::orders::{Instructions, Order, Stage};

use super::*;
use crate::battle::Battle;
use crate::dice::ScriptedDice;
use crate::ruleset::Ruleset;
use crate::testing;

fn disordered(last: Formation, said: Instructions) -> Battle {
    let unit = testing::infantry("reg", Side::Union).at(30_000, 20_000).disordered().morale(Morale::Shaken);
    let mut battle =
        testing::battle(testing::table(testing::open_ground(), [unit.with(|unit| unit.last_formed = last)]));
    testing::give(&mut battle, "reg", Order::Hold { task: None }, said);
    battle
}

fn reformed(battle: Battle) -> (bool, Unit) {
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Orders);
    let unit = testing::ix(play.table(), "reg");
    let done = reform(&mut play, unit, Bearing::EAST);
    (done, play.table()[unit].clone())
}

#[test]
fn mor_05_the_default_is_the_last_formed_formation() {
    let (done, unit) = reformed(disordered(Formation::DoubleLine, Instructions::default()));
    assert!(done);
    assert_eq!(
        (unit.footing.formation, unit.footing.facing, unit.footing.disorder),
        (Formation::DoubleLine, Bearing::EAST, false)
    );
}

#[test]
fn rally_23_it_forms_about_its_centre() {
    let battle = disordered(Formation::AttackColumn, Instructions::default());
    let before = center(&battle.table[testing::ix(&battle.table, "reg")]);
    let after = center(&reformed(battle).1);
    assert!(geometry::between_points(before, after).within(0));
}

#[test]
fn rally_23_no_square_nor_reserve_and_where_told_no_change() {
    let (_, unit) = reformed(disordered(Formation::Square, Instructions::default()));
    assert_eq!(unit.footing.formation, Formation::SingleLine);
    let none = Instructions { reform: Some(Reform::None), ..Instructions::default() };
    assert!(!reformed(disordered(Formation::SingleLine, none)).0);
    let keep = Instructions { reform_facing: Some(ReformFacing::Keep {}), ..Instructions::default() };
    assert_eq!(reformed(disordered(Formation::SingleLine, keep)).1.footing.facing, Bearing::NORTH);
}

#[test]
fn rally_23_without_room_it_stays_in_disorder() {
    let mut battle = disordered(Formation::SingleLine, Instructions::default());
    for (id, x) in [("west", 28_500), ("east", 31_500)] {
        battle.table.insert(testing::infantry(id, Side::Union).facing(9_000).at(x, 19_700).unit());
    }
    let keep = Instructions { reform_facing: Some(ReformFacing::Keep {}), ..Instructions::default() };
    testing::give(&mut battle, "reg", Order::Hold { task: None }, keep);
    let (done, unit) = reformed(battle);
    assert_eq!((done, unit.footing.disorder), (false, true));
}
