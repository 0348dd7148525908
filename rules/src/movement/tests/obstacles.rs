//! Obstacles on an ordinary march. OBS-01, OBS-10, OBS-18, OBS-24, OBS-25, OBS-29

use protocol::ids::Side::Union;
use protocol::words::Formation;

use super::*;
use crate::testing::{battery, cavalry, infantry};

/// Open ground with an obstacle across the way of `u`, two inches on.
fn with_obstacle(kind: ObstacleKind) -> Ground {
    let obstacle = Obstacle { id: "o".into(), kind, line: vec![p(20_000, 12_000), p(40_000, 12_000)] };
    Ground { obstacles: vec![obstacle], ..open_ground() }
}

fn north(inches: i32) -> MoveOrder {
    path(&[(30_000, 10_000 + inches * 1_000)])
}

fn u() -> Maker {
    infantry("u", Union).at(30_000, 10_000)
}

#[test]
fn obs_01_an_obstacle_is_paid_where_the_anchor_crosses_and_disorders_no_march() {
    // Two inches to an abatis and four for crossing it are the whole turn of a line in the open.
    let program = alone(with_obstacle(ObstacleKind::Abatis), u(), &north(10));
    assert_eq!(end_of(&program), (30_000, 12_000));
    assert!(!program.end().footing.disorder);
    // Its flank alone sweeps the obstacle: nothing to pay.
    let beside = u().at(41_000, 10_000);
    assert_eq!(
        end_of(&alone(with_obstacle(ObstacleKind::Abatis), beside, &path(&[(41_000, 20_000)]))),
        (41_000, 16_000)
    );
}

#[test]
fn obs_10_and_obs_18_and_obs_25_the_price_is_told_with_its_rule() {
    let crossing = |kind| {
        let skirmishers = u().formation(Formation::SkirmishLine);
        let program = alone(with_obstacle(kind), skirmishers, &north(20));
        let piece = program.pieces.iter().find(|piece| piece.length == 0).expect("it crosses");
        (piece.rule.to_string(), piece.points, end_of(&program).1)
    };
    // Ten inches in the open. An abatis is an inch of rough ground at three, a third of the turn: 2 and 4.666 inches.
    assert_eq!(crossing(ObstacleKind::Abatis), ("OBS-10".to_owned(), 1_680_000, 16_666));
    // A fraise is six inches of ten: 2 and 2.
    assert_eq!(crossing(ObstacleKind::Fraise), ("OBS-18".to_owned(), 3_024_000, 14_000));
    assert_eq!(crossing(ObstacleKind::ChevauxDeFrise), ("OBS-25".to_owned(), 1_680_000, 16_666));
}

#[test]
fn obs_29_guns_and_formed_horse_stop_at_an_obstacle() {
    let ends = |maker: Maker, kind| {
        let program = alone(with_obstacle(kind), maker.at(30_000, 10_000), &north(6));
        (end_of(&program).1, program.stops.map(|(rule, _)| rule.as_str()))
    };
    let barred = (12_000, Some("OBS-29"));
    for kind in [ObstacleKind::Abatis, ObstacleKind::Fraise, ObstacleKind::ChevauxDeFrise] {
        assert_eq!(ends(battery("u", Union).formation(Formation::Limbered), kind), barred);
        assert_eq!(ends(cavalry("u", Union), kind), barred);
        assert_eq!(ends(cavalry("u", Union).formation(Formation::DoubleLine), kind), barred);
        assert_ne!(ends(cavalry("u", Union).formation(Formation::MarchColumn), kind).1, Some("OBS-29"));
        assert_ne!(ends(cavalry("u", Union).disordered(), kind).1, Some("OBS-29"));
    }
}
