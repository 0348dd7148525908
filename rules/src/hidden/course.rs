//! The whole way of a picket, made before it sets out: its line, and how all stand at the end of every segment. HID-19, HID-22 to HID-24,
//! HID-62
//!
//! Owns the schedule: k of N of the line after segment k, whatever is under the marker. It moves nothing; [`super::march`] does.

use protocol::ids::{FeatureId, PicketNumber, Side, UnitId};
use protocol::orders::{FormTask, MoveOrder, Order};
use protocol::place::{Bearing, Point};
use protocol::words::Arm;

use super::shown::facing_of;
use super::{Judged, away, public_point};
use crate::battle::{Known, Under, Unit};
use crate::field::Field;
use crate::geometry::{Frame, UNIT, polyline_at, polyline_length, round_div};
use crate::movement::marker::{self, Course, Ends};
use crate::movement::{Body, SEGMENTS};

/// Where a picket is at the end of a segment, and how what is under it stands.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The marker's point, on the public grid. HID-30
    pub(crate) at: Point,
    /// The marker's facing.
    pub(crate) facing: Bearing,
    /// The units under it, in the order of their plan.
    pub(crate) bodies: Vec<Body>,
}

/// A picket's whole way, made before it sets out. HID-24
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The line, the start first.
    pub(crate) line: Vec<Point>,
    /// How all stand at the end of every segment, from 0.
    pub(crate) steps: Vec<Step>,
    /// It leaves the table at the end of its line. HID-66
    pub(crate) leaves: bool,
    /// The travel at which it begins to push, thousandths of an inch. HID-26
    pub(super) pushes_from: Option<i32>,
    /// Chevaux-de-frise that its units swing. OBS-23
    pub(super) swings: Vec<Swing>,
}

/// One of the units under a marker swings these, each aside (true) or shut, with the end of a segment.
#[derive(Clone, Debug)]
pub(super) struct Swing {
    pub(super) segment: u8,
    pub(super) unit: UnitId,
    pub(super) elements: Vec<(FeatureId, bool)>,
}

impl Plan {
    /// HID-24 How far the marker has come by the end of a segment, thousandths of an inch.
    pub(super) fn travel_by(&self, segment: u8) -> i32 {
        travel_by(&self.line, segment)
    }
}

fn travel_by(line: &[Point], segment: u8) -> i32 {
    (i64::from(polyline_length(line)) * i64::from(segment) / i64::from(SEGMENTS)) as i32
}

/// HID-24, HID-30 The place of a marker at the end of a segment; one that goes nowhere stays to the thousandth where it is.
fn place_by(line: &[Point], segment: u8) -> Point {
    let start = line.first().copied().unwrap_or_default();
    let travel = travel_by(line, segment);
    if travel == 0 {
        return start;
    }
    public_point(polyline_at(line, travel).map_or(start, |(at, _)| at))
}

/// HID-19 The march in a picket's order, if there is one; a dummy forms as it is told and only turns by it.
pub(crate) fn march_of(order: &Order, lead: Option<&Unit>) -> Option<MoveOrder> {
    match (order, lead) {
        (Order::Move(march), _) => {
            let task = |task: &Option<FormTask>| task.as_ref().map(|task| turned_by(task, lead));
            Some(MoveOrder { form_first: task(&march.form_first), form_last: task(&march.form_last), ..march.clone() })
        }
        (Order::Form { task }, None) => Some(MoveOrder { form_first: Some(task.clone()), ..MoveOrder::default() }),
        (Order::Form { task }, Some(_)) => marker::march_in(&Order::Form { task: turned_by(task, lead) }),
        _ => None,
    }
}

/// HID-19 What turning the marker is for a real unit: its own formation, facing another way.
fn turned_by(task: &FormTask, lead: Option<&Unit>) -> FormTask {
    match (task, lead) {
        (FormTask::Face { facing }, Some(unit)) => {
            let formation = if unit.footing.disorder { unit.last_formed } else { unit.footing.formation };
            let gap = u32::try_from(unit.footing.gap).ok().filter(|_| !unit.footing.disorder);
            FormTask::Formation { formation, facing: Some(*facing), pivot: None, gap }
        }
        _ => task.clone(),
    }
}

/// HID-24 The way of a picket under an order to march or to form.
pub(crate) fn plan(
    field: &Field<'_>,
    judged: &Judged,
    under: &Under,
    number: PicketNumber,
    march: &MoveOrder,
) -> Option<Plan> {
    let marker = field.table.pickets.get(&number)?;
    match judged.units.is_empty() {
        true => Some(plan_of_dummy(field, marker.side, (marker.at, marker.facing), march)),
        false => Some(plan_of_units(field, judged, under, (marker.at, marker.facing), march)),
    }
}

/// HID-19, HID-23 A dummy goes along its path, and faces as it goes unless it is told otherwise.
fn plan_of_dummy(field: &Field<'_>, side: Side, (at, facing): (Point, Bearing), march: &MoveOrder) -> Plan {
    let (line, ends) = marker::line_on_table(field.table, side, at, &march.path);
    let wheel = |last: bool| march.wheel.filter(|wheel| wheel.last == last).map(|wheel| wheel.facing);
    let start = if march.about_face { facing.reversed() } else { facing };
    let first = march.form_first.as_ref().and_then(facing_of).or(wheel(false)).unwrap_or(start);
    let step = |segment: u8| {
        let goes = polyline_length(&line) != 0;
        let along = polyline_at(&line, travel_by(&line, segment)).filter(|_| goes && !march.backing);
        let facing = match segment {
            0 => facing,
            // What only forms is done with the end of the phase.
            _ if !goes && segment < SEGMENTS => facing,
            _ => along.map_or(first, |(_, bearing)| bearing),
        };
        let last = march.form_last.as_ref().and_then(facing_of).or(wheel(true)).filter(|_| segment == SEGMENTS);
        Step { at: place_by(&line, segment), facing: last.unwrap_or(facing), bodies: Vec::new() }
    };
    let steps = (0..=SEGMENTS).map(step).collect();
    Plan { leaves: matches!(ends, Ends::OffTheTable(_)), steps, line, pushes_from: None, swings: Vec::new() }
}

/// HID-08, HID-22 A real picket goes as its first unit does; a brigade with all others about the marker as they lay.
fn plan_of_units(
    field: &Field<'_>,
    judged: &Judged,
    under: &Under,
    (at, facing): (Point, Bearing),
    march: &MoveOrder,
) -> Plan {
    let mut courses: Vec<Course> = judged.units.iter().map(|ix| Course::of(field, *ix, march, judged.span)).collect();
    let mut slowest: Vec<u8> = Vec::new();
    for due in courses.iter().map(Course::openings) {
        slowest = due.iter().enumerate().map(|(n, due)| slowest.get(n).map_or(*due, |slow| *due.max(slow))).collect();
    }
    courses.iter_mut().for_each(|course| course.open_with(&slowest));
    let (line, leaves) = courses.first().map_or((vec![at], false), |lead| (lead.line.clone(), lead.leaves));
    let before = Frame::new(at, facing);
    let step = |segment: u8| {
        let travel = travel_by(&line, segment);
        let mut bodies: Vec<Body> = courses.iter().map(|course| course.body_by(segment, travel)).collect();
        if segment == 0 {
            bodies = under.units.iter().map(Body::of).collect();
            return Step { at, facing, bodies };
        }
        let place = place_by(&line, segment);
        let facing = bodies.first().map_or(facing, |lead| lead.footing.facing);
        if let [lead] = bodies.as_mut_slice() {
            lead.footing.anchor = place;
        } else {
            let now = Frame::new(place, facing);
            for (body, unit) in bodies.iter_mut().zip(&under.units) {
                body.footing.anchor = carried(before, now, unit.footing.anchor);
                body.footing.facing = facing;
                body.footing.trail = Vec::new();
            }
        }
        Step { at: place, facing, bodies }
    };
    let steps = (0..=SEGMENTS).map(step).collect();
    let lead = judged.units.first();
    let pushes =
        lead.filter(|_| march.push).and_then(|ix| marker::pushes_from(&marker::priced(field, *ix, march, judged.span)));
    let swings = under.units.iter().zip(&courses).flat_map(|(unit, course)| {
        let swing = |(segment, elements): (u8, &[(FeatureId, bool)])| Swing {
            segment,
            unit: unit.id.clone(),
            elements: elements.to_vec(),
        };
        course.swings().map(swing).collect::<Vec<Swing>>()
    });
    Plan { line, steps, leaves, pushes_from: pushes, swings: swings.collect() }
}

/// HID-08 A point about one place of the marker, carried to another as one body.
fn carried(before: Frame, now: Frame, point: Point) -> Point {
    let inches = |scaled: i64| round_div(scaled, UNIT) as i32;
    now.at(inches(before.ahead(point)), inches(before.to_right(point)))
}

/// HID-62 The way of a picket that disengages: straight, with its back to the enemy, a real unit in disorder. DIS-06
pub(crate) fn plan_of_leaving(known: &Known, number: PicketNumber, travel: u32) -> Option<Plan> {
    let under = known.under(number)?;
    let marker = known.table.pickets.get(&number)?;
    let away = away(&known.table, number, travel)?;
    let before = Frame::new(marker.at, marker.facing);
    let step = |segment: u8| {
        if segment == 0 {
            let bodies = under.units.iter().map(Body::of).collect();
            return Step { at: marker.at, facing: marker.facing, bodies };
        }
        let now = Frame::new(place_by(&away.line, segment), away.bearing);
        let body = |unit: &Unit| {
            let mut body = Body::of(unit);
            body.footing.anchor = carried(before, now, unit.footing.anchor);
            body.footing.facing = away.bearing;
            body.footing.trail = Vec::new();
            body.footing.prone = false;
            body.footing.refused = None;
            body.footing.disorder |= unit.arm != Arm::Artillery;
            body
        };
        Step { at: now.anchor, facing: away.bearing, bodies: under.units.iter().map(body).collect() }
    };
    let steps = (0..=SEGMENTS).map(step).collect();
    Some(Plan { steps, leaves: false, pushes_from: None, swings: Vec::new(), line: away.line })
}
