//! A phase does not depend on where it is played, in which mirror, on the names of units, or on who wears blue.

use protocol::ids::Side::{self, Confederate, Union};
use protocol::place::Bearing;
use protocol::words::Formation;

use super::*;
use crate::testing::battle;

/// The same face for every die.
struct Always(u8);

impl Dice for Always {
    fn die(&self, _phase: u8, _purpose: Purpose, _key: &[&str], _n: u32) -> u8 {
        self.0
    }
}

/// One unit of the case: number, side, place, facing, formation, path as displacements from the place.
type Row = (usize, Side, (i32, i32), i32, Formation, &'static [(i32, i32)]);

const CASE: [Row; 7] = [
    (0, Union, (20_000, 20_000), 0, Formation::SingleLine, &[(0, 6_000)]),
    (1, Union, (20_500, 22_000), 0, Formation::DoubleLine, &[(1_000, 3_000)]),
    (2, Union, (26_000, 18_000), 500, Formation::SkirmishLine, &[(1_000, 9_000)]),
    (3, Union, (32_000, 14_000), 0, Formation::MarchColumn, &[(0, 5_000), (6_000, 7_000)]),
    (4, Confederate, (20_000, 29_000), 18_000, Formation::SingleLine, &[(0, -6_000)]),
    (5, Confederate, (26_200, 30_000), 17_000, Formation::AttackColumn, &[(500, -7_000)]),
    (6, Confederate, (33_000, 33_000), 18_000, Formation::Limbered, &[(0, -15_000)]),
];

/// How a case is looked at.
#[derive(Clone, Copy)]
struct Look {
    shift: (i32, i32),
    mirrored: bool,
    sides_exchanged: bool,
    names: fn(usize) -> String,
}

const PLAIN: Look = Look { shift: (0, 0), mirrored: false, sides_exchanged: false, names: |n| format!("u{n}") };

impl Look {
    fn point(&self, (x, y): (i32, i32)) -> Point {
        let x = if self.mirrored { 60_000 - x } else { x };
        p(x + self.shift.0, y + self.shift.1)
    }

    fn bearing(&self, hundredths: i32) -> i32 {
        if self.mirrored { -hundredths } else { hundredths }
    }

    fn side(&self, side: Side) -> Side {
        if self.sides_exchanged { side.enemy() } else { side }
    }
}

/// Where every unit stands after the phase, told as the plain look would tell it.
fn outcome(look: Look) -> Vec<(usize, Point, Bearing, bool)> {
    let makers = CASE.iter().map(|&(n, side, at, facing, formation, _)| {
        let name = (look.names)(n);
        let at = look.point(at);
        let maker = match formation {
            Formation::Limbered => battery(&name, look.side(side)),
            _ => infantry(&name, look.side(side)),
        };
        maker.formation(formation).at(at.x, at.y).facing(look.bearing(facing))
    });
    let ground = Ground { width: 80_000, height: 80_000, ..open_ground() };
    let mut battle = battle(table(ground, makers));
    for (n, _, (x, y), _, _, way) in CASE {
        let points = way.iter().map(|(dx, dy)| look.point((x + dx, y + dy))).collect();
        march(&mut battle, &(look.names)(n), MoveOrder { path: points, ..MoveOrder::default() });
    }
    let (after, _) = played_with(battle, &Always(3));
    let back = |point: Point| {
        let (x, y) = (point.x - look.shift.0, point.y - look.shift.1);
        p(if look.mirrored { 60_000 - x } else { x }, y)
    };
    let told = CASE.iter().map(|&(n, ..)| {
        let footing = &unit(&after, &(look.names)(n)).footing;
        let facing = Bearing::wrapping(look.bearing(footing.facing.hundredths() as i32));
        (n, back(footing.anchor), facing, footing.disorder)
    });
    told.collect()
}

#[test]
fn something_happens_in_the_case() {
    let after = outcome(PLAIN);
    let whole = CASE.iter().zip(&after).filter(|(row, told)| {
        let (_, _, (x, y), _, _, way) = row;
        let (dx, dy) = way[way.len() - 1];
        told.1 == p(x + dx, y + dy)
    });
    assert!((1..7).contains(&whole.count()), "some arrive and some are stopped: {after:?}");
    assert!(after.iter().any(|told| told.3), "some are disordered by passing");
}

#[test]
fn a_phase_does_not_depend_on_the_names_of_units() {
    assert_eq!(outcome(Look { names: |n| format!("u{}", 9 - n), ..PLAIN }), outcome(PLAIN));
}

#[test]
fn a_phase_does_not_depend_on_the_colour_of_the_sides() {
    assert_eq!(outcome(Look { sides_exchanged: true, ..PLAIN }), outcome(PLAIN));
}

#[test]
fn a_phase_does_not_depend_on_the_place() {
    assert_eq!(outcome(Look { shift: (7_777, 3_331), ..PLAIN }), outcome(PLAIN));
}

#[test]
fn a_phase_is_the_same_in_a_mirror() {
    assert_eq!(outcome(Look { mirrored: true, ..PLAIN }), outcome(PLAIN));
}
