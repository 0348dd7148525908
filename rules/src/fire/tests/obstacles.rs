//! Fire across obstacles. OBS-01, OBS-16, OBS-21, OBS-28

use protocol::place::Point;

use super::*;
use crate::fire::Round;
use crate::ground::{Ground, Obstacle, ObstacleKind};
use crate::testing::battery;

fn across(id: &str, kind: ObstacleKind, north: i32) -> Obstacle {
    let y = 30_000 + north;
    Obstacle { id: id.into(), kind, line: vec![Point::new(20_000, y), Point::new(40_000, y)] }
}

/// The sum of modifiers of a shot of `b` at `g`, four inches north of it, across these.
fn modifiers(firer: Maker, obstacles: Vec<Obstacle>, round: Round) -> i32 {
    let table = table(Ground { obstacles, ..open_ground() }, [firer, grey("g", 16, 4_000)]);
    let shot = Shot { round, ..shot(&table, "b", "g", &HOLD, Occasion::Hold) };
    laid(&table, &shot).modifiers.total()
}

fn musketry(obstacles: Vec<Obstacle>) -> i32 {
    modifiers(blue("b", 16), obstacles, Round::Plain)
}

#[test]
fn obs_16_and_obs_01_fire_passes_over_an_abatis_which_covers_nobody() {
    for north in [500, 2_000, 3_500] {
        assert_eq!(musketry(vec![across("o", ObstacleKind::Abatis, north)]), musketry(Vec::new()), "at {north}");
    }
}

#[test]
fn obs_28_chevaux_have_no_effect_on_fire() {
    for north in [500, 2_000, 3_500] {
        assert_eq!(
            musketry(vec![across("o", ObstacleKind::ChevauxDeFrise, north)]),
            musketry(Vec::new()),
            "at {north}"
        );
    }
}

#[test]
fn obs_21_a_fraise_takes_one_from_musketry_and_canister_across_it() {
    let fraise = |north: i32| across("o", ObstacleKind::Fraise, north);
    let plain = musketry(Vec::new());
    assert_eq!(musketry(vec![fraise(2_000)]), plain - 1);
    // In at a unit directly behind it, all the same; out from directly behind it, not.
    assert_eq!(musketry(vec![fraise(3_500)]), plain - 1);
    assert_eq!(musketry(vec![fraise(500)]), plain);
    // Nearer than an inch is behind it: an inch is too far.
    assert_eq!(musketry(vec![fraise(1_000)]), plain - 1);
    // One, however many.
    assert_eq!(musketry(vec![fraise(2_000), across("p", ObstacleKind::Fraise, 2_500)]), plain - 1);
    let guns = |obstacles: Vec<Obstacle>, round| {
        let guns = battery("b", Side::Union).at(30_000, 30_000).with(|unit| unit.opening_volley_used = true);
        modifiers(guns, obstacles, round)
    };
    assert_eq!(guns(vec![fraise(2_000)], Round::Canister), guns(Vec::new(), Round::Canister) - 1);
    assert_eq!(guns(vec![fraise(2_000)], Round::Plain), guns(Vec::new(), Round::Plain));
}
