//! A hidden unit on its way: its order priced along the marker's line, and how it stands under the marker at every segment.
//! HID-03, HID-08, HID-22, HID-24
//!
//! Owns what differs from an open march: the marker's line alone is paid, nothing is ever cut, the pace is constant, and a wheel
//! is walked as a chord. The program itself is that of every march. What is shown of it stands in [`crate::hidden`].

use protocol::ids::{FeatureId, Side};
use protocol::message::CostPiece;
use protocol::orders::{MoveOrder, Order, Stop};
use protocol::place::Point;
use protocol::words::Arm;

use super::body::{Body, Shape};
use super::compile;
use super::exits;
use super::preview;
use super::program::{Kind, Program, SEGMENTS, Walk};
use super::refuse;
use crate::battle::{Table, UnitIx};
use crate::catalogue::{MV_26, RuleId};
use crate::field::Field;
use crate::geometry::{point_toward, segment_length};
use crate::ground::{PathCost, PathLeg, Pricing, Rates, Step, TURN_POINTS, points_for};
use crate::scenario::Edge;
use crate::specials;

/// For whom a program is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// A unit on the table.
    Open,
    /// A unit under a marker. HID-22
    Marker {
        /// The ends of the front of a whole brigade, left and right of the marker, thousandths of an inch. HID-08
        span: Option<(i32, i32)>,
        /// What the turn cannot pay is cut; else the line is walked whole, as it was submitted.
        bounded: bool,
    },
}

impl Manner {
    pub(super) fn is_open(self) -> bool {
        self == Manner::Open
    }

    pub(super) fn is_bounded(self) -> bool {
        !matches!(self, Manner::Marker { bounded: false, .. })
    }

    pub(super) fn span(self) -> Option<(i32, i32)> {
        match self {
            Manner::Open => None,
            Manner::Marker { span, .. } => span,
        }
    }
}

/// A rate on every ground, the same: of a line that is walked whatever it costs.
pub(super) fn any_ground() -> Rates {
    const ANY: Option<i32> = Some(1_000);
    Rates { road: None, open: ANY, broken: ANY, woods: ANY, rough: ANY, trails: false }
}

/// HID-22 The program of an order under a marker, as far as the turn pays for it.
pub(crate) fn priced(field: &Field<'_>, ix: UnitIx, order: &MoveOrder, span: Option<(i32, i32)>) -> Program {
    let start = Body::of(field.unit(ix));
    compile::compile_as(field, ix, Manner::Marker { span, bounded: true }, start, 0, order)
}

/// HID-22 Everything that forbids a priced march: what the order may not hold, what it may not come near, and that the turn
/// does not pay for it whole.
pub(crate) fn faults(field: &Field<'_>, ix: UnitIx, program: &Program) -> Vec<(RuleId, String)> {
    let mut faults = preview::refusals_of(field, ix, program);
    faults.extend(too_near(field, ix, program));
    faults
}

/// HID-22 What keeps a priced march from its end; none: it can be done whole.
pub(crate) fn shortfall(program: &Program) -> Option<(RuleId, String)> {
    program.stops.clone().or_else(|| program.undone.clone())
}

/// HID-28 The limits of skirmishers and guns, against the open enemies as they stand. What hides is no enemy here. HID-62
fn too_near(field: &Field<'_>, ix: UnitIx, program: &Program) -> Option<(RuleId, String)> {
    let unit = field.unit(ix);
    let stands = unit.stands.len() as u32;
    let enemies = field.enemies_of(unit.side).filter(|(_, enemy)| refuse::keeps_from(enemy));
    let enemies: Vec<_> =
        enemies.map(|(enemy_ix, enemy)| (enemy_ix, enemy, Shape::around(field.stands(enemy_ix)))).collect();
    let mut now = Shape::of(&program.start, stands);
    for segment in 1..=SEGMENTS {
        let next = Shape::of(&program.body_at(program.points_by(segment)), stands);
        for (enemy_ix, enemy, shape) in &enemies {
            let keeps = refuse::keeps(field.rules, unit, Stop::Never {}, enemy);
            let mut own = keeps.into_iter().filter(|keep| keep.rule != MV_26);
            let broken = own.find(|keep| {
                refuse::comes_too_near(&now, &next, shape, shape, keep.limit)
                    && (!keep.seen_only || field.sees(ix, *enemy_ix))
            });
            if let Some(keep) = broken {
                return Some((keep.rule, format!("may not come so near to `{}`", enemy.name)));
            }
        }
        now = next;
    }
    None
}

/// The line of a marker with nothing under it along a path, cut at the edge of the table. HID-65, HID-66
pub(crate) fn line_on_table(table: &Table, side: Side, from: Point, path: &[Point]) -> (Vec<Point>, Ends) {
    let ground = table.ground();
    let (width, height) = (ground.ground().width, ground.ground().height);
    let mut line = vec![from];
    for corner in path {
        let here = line[line.len() - 1];
        let inside = compile::within_table(here, *corner, width, height);
        if inside != here {
            line.push(inside);
        }
        if inside != *corner {
            let exit = exits::exit_of_side(table, side, inside).map(|stretch| stretch.edge);
            return (line, exit.map_or(Ends::AtTheEdge, Ends::OffTheTable));
        }
    }
    (line, Ends::OnTheTable)
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// On the table.
    OnTheTable,
    /// At an edge by which its side does not leave.
    AtTheEdge,
    /// Over an edge by which its side leaves.
    OffTheTable(Edge),
}

/// Elements of chevaux-de-frise, each swung aside (true) or shut. OBS-23
type Swung = Vec<(FeatureId, bool)>;

/// How one hidden unit goes its marker's line.
pub(crate) struct Course {
    /// The marker's line, the start first.
    pub(crate) line: Vec<Point>,
    /// It leaves the table at the end of its line. SCN-14
    pub(crate) leaves: bool,
    start: Body,
    /// What opens the move without a step: when it is done, and how the unit stands then.
    opening: Vec<(u8, Body)>,
    /// Chevaux-de-frise that it swings aside (true) or shut, and the place of that among what opens the move; none: at its end. OBS-23
    swings: Vec<(Option<usize>, Swung)>,
    /// The chord of an opening wheel, and how the unit stands after it.
    wheeled: Option<(i32, Body)>,
    walk: Option<(Body, Walk)>,
    end: Body,
}

impl Course {
    /// HID-24 The course of an order, walked whole.
    pub(crate) fn of(field: &Field<'_>, ix: UnitIx, order: &MoveOrder, span: Option<(i32, i32)>) -> Course {
        let start = Body::of(field.unit(ix));
        let program = compile::compile_as(field, ix, Manner::Marker { span, bounded: false }, start, 0, order);
        let mut course = Course {
            line: vec![program.start.footing.anchor],
            leaves: program.leaves_by.is_some(),
            start: program.start.clone(),
            opening: Vec::new(),
            swings: Vec::new(),
            wheeled: None,
            walk: None,
            end: program.end(),
        };
        for deed in &program.deeds {
            let after = deed.body_at(deed.to);
            if let Kind::Swing { elements, .. } = &deed.kind {
                course.swings.push((course.walk.is_none().then_some(course.opening.len()), elements.clone()));
            }
            match &deed.kind {
                Kind::Walk(walk) | Kind::Push { walk, .. } => {
                    course.line.extend(&walk.corners[1..]);
                    course.walk = Some((deed.before.clone(), walk.clone()));
                }
                Kind::Wheel { .. } => {
                    let (from, to) = (deed.before.footing.anchor, after.footing.anchor);
                    if course.walk.is_none() {
                        course.wheeled = Some((segment_length(from, to), after.clone()));
                    }
                    course.line.push(to);
                }
                Kind::Act { .. } | Kind::Change { .. } | Kind::Swing { .. } | Kind::Schedule { .. }
                    if course.walk.is_none() =>
                {
                    course.opening.push((segment_of(deed.to, program.total), after));
                }
                Kind::Act { .. } | Kind::Change { .. } | Kind::Swing { .. } | Kind::Schedule { .. } => {}
            }
        }
        course.line.dedup();
        course
    }

    /// HID-08 Opens no sooner than the slowest of its brigade.
    pub(crate) fn open_with(&mut self, slowest: &[u8]) {
        for ((due, _), slow) in self.opening.iter_mut().zip(slowest) {
            *due = (*due).max(*slow);
        }
    }

    /// The segments at which what opens the move is done.
    pub(crate) fn openings(&self) -> Vec<u8> {
        self.opening.iter().map(|(due, _)| *due).collect()
    }

    /// OBS-23 What it swings, by the segment at whose end it is done.
    pub(crate) fn swings(&self) -> impl Iterator<Item = (u8, &[(FeatureId, bool)])> {
        let due =
            |place: &Option<usize>| place.and_then(|place| self.opening.get(place)).map_or(SEGMENTS, |(due, _)| *due);
        self.swings.iter().map(move |(place, elements)| (due(place), elements.as_slice()))
    }

    /// HID-24 How the unit stands when the marker has come so far by the end of a segment.
    pub(crate) fn body_by(&self, segment: u8, travel: i32) -> Body {
        if SEGMENTS <= segment {
            return self.end.clone();
        }
        let done = self.opening.iter().rev().find(|(due, _)| *due <= segment);
        let mut body = done.map_or(&self.start, |(_, body)| body).clone();
        let mut left = travel;
        if let Some((chord, after)) = &self.wheeled {
            if left < *chord {
                let from = body.footing.anchor;
                body.footing.anchor = point_toward(from, after.footing.anchor, left);
                return body;
            }
            left -= chord;
            (body.footing.anchor, body.footing.facing) = (after.footing.anchor, after.footing.facing);
        }
        let Some((before, walk)) = &self.walk else { return body };
        let walked = walk.body_at(before, left);
        body.footing.anchor = walked.footing.anchor;
        // A column turns by its head. FORM-21
        if walk.column && body.footing.formation == walked.footing.formation {
            (body.footing.facing, body.footing.trail) = (walked.footing.facing, walked.footing.trail);
        }
        body
    }
}

/// HID-24 The segment at whose end so many points of the turn have passed.
fn segment_of(points: i64, total: i64) -> u8 {
    let total = total.max(1);
    let segment = (points * i64::from(SEGMENTS) + total - 1) / total;
    u8::try_from(segment).unwrap_or(SEGMENTS).min(SEGMENTS)
}

/// HID-62 The price of a disengaging picket's line for one of its units, which goes in disorder, guns apart. DIS-06
pub(crate) fn in_disorder(field: &Field<'_>, ix: UnitIx, line: &[Point]) -> PathCost {
    let unit = field.unit(ix);
    let rates = super::rates_of(field.rules, unit, unit.arm != Arm::Artillery);
    let prices = super::prices_of(field.rules, unit);
    let bends = specials::bends(field.table, unit, &unit.footing);
    let start = line.first().copied().unwrap_or(unit.footing.anchor);
    let legs: Vec<PathLeg<'_>> = line.iter().skip(1).map(|to| PathLeg { to: *to, front: &[] }).collect();
    PathCost::new(&field.ground().bent(&bends), start, &legs, &rates, &prices, Pricing::Move, TURN_POINTS)
}

/// MOVE-14 The travel of the marker at which a march begins to use its push; none: it uses no inch of it.
pub(crate) fn pushes_from(program: &Program) -> Option<i32> {
    let mut travel = 0;
    for deed in &program.deeds {
        match &deed.kind {
            Kind::Push { from, .. } => return Some(travel + from),
            Kind::Wheel { .. } => {
                travel += segment_length(deed.before.footing.anchor, deed.body_at(deed.to).footing.anchor);
            }
            Kind::Walk(_) | Kind::Act { .. } | Kind::Change { .. } | Kind::Swing { .. } | Kind::Schedule { .. } => {}
        }
    }
    None
}

/// What is told of the price of a line, as a player reads it.
pub(crate) fn pieces(cost: &PathCost, rule: RuleId) -> Vec<CostPiece> {
    let piece = |step: &Step| {
        let (label, length, points) = match step {
            Step::Ground { from, to, terrain, rate, .. } => {
                (compile::terrain_word(*terrain), to - from, points_for(to - from, *rate))
            }
            Step::Crossing { kind, points, .. } => (kind.name(), 0, *points),
        };
        CostPiece {
            label: label.to_owned(),
            length: length.unsigned_abs(),
            points: u32::try_from(points).unwrap_or(u32::MAX),
            rule: rule.into(),
        }
    };
    cost.steps().iter().map(piece).collect()
}

/// The march in an order, if there is one; its line from a redrawn path. MV-31, HID-83
pub(crate) fn march_in(order: &Order) -> Option<MoveOrder> {
    preview::as_move(order)
}
