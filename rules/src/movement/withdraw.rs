//! The leg of a disengaging unit: whither, how far, and as a program of the clock. DIS-02 to DIS-06, ALG-MOVE 13
//!
//! Owns the choice among the candidate legs and what blocks one. It throws no dice: the caller says how far it may go.

use std::cmp::Ordering;

use protocol::event::Note;
use protocol::message::CostPiece;
use protocol::orders::Toward;
use protocol::place::{Bearing, Point};
use protocol::words::Arm;

use super::body::Body;
use super::program::{Deed, Kind, Program, Walk};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{DIS_02, DIS_05, DIS_06};
use crate::charge::pace::Pace;
use crate::charge::sweep::Slide;
use crate::charge::threat::{self, Ties, Why};
use crate::column;
use crate::field::Field;
use crate::geometry::{self, Distance, EPS, Frame, Rect, UNIT};
use crate::ground::{PathCost, PathLeg, Pricing};
use crate::morale::flight::{self, Mover, Stop, displacement};
use crate::morale::reference::Reference;
use crate::rout;
use crate::specials;

/// DIS-03 It may lean to either side by so much, hundredths of a degree.
const LEAN: u32 = 4_500;

/// DIS-05 The turns off the bearing away from the enemy that are tried, hundredths of a degree.
const TURNS: [i32; 7] = [0, 1_500, -1_500, 3_000, -3_000, 4_500, -4_500];

/// A disengaging move as it will be made. DIS-03 to DIS-05
#[derive(Clone, Debug)]
pub(crate) struct Withdrawal {
    /// The unit.
    pub(crate) unit: UnitIx,
    /// From whom it goes; none: no enemy is seen.
    pub(crate) from: Option<UnitIx>,
    /// The direction of its leg.
    pub(crate) bearing: Bearing,
    /// How far it goes, thousandths of an inch.
    pub(crate) travel: i32,
    /// What ends the leg short of its distance.
    pub(crate) stopped_by: Option<&'static str>,
    /// The unit as it goes, at the start of its leg. DIS-04
    pub(crate) body: Unit,
    pace: Pace,
    total: i32,
}

/// DIS-05 Lengths are level to this measure, thousandths of an inch: the corners of turned stands are rounded.
const LEVEL: i32 = 10;

/// One leg that could be taken.
struct Leg {
    bearing: Bearing,
    body: Unit,
    travel: i32,
    stopped_by: Option<&'static str>,
}

/// ARTY-46 Whether a battery leaves its guns: one that is unlimbered has no other way.
pub(crate) fn abandons(unit: &Unit, abandon_guns: bool) -> bool {
    unit.arm == Arm::Artillery && (abandon_guns || !unit.is_limbered())
}

/// ARTY-46 The unit that goes: of a battery that leaves its guns the crew, on foot.
pub(crate) fn leaver(field: &Field<'_>, ix: UnitIx, abandon_guns: bool) -> Unit {
    let unit = field.unit(ix);
    let mut body = if abandons(unit, abandon_guns) { rout::crew_on_foot(field, unit) } else { unit.clone() };
    body.footing.prone = false;
    // DIS-06, FORM-26: batteries have no disorder.
    body.footing.disorder |= body.arm != Arm::Artillery;
    body
}

/// DIS-02 Whether it throws for a bonus: not in a second turn running, and not with its guns. DIS-14, ARTY-46
pub(crate) fn has_bonus(unit: &Unit, body: &Unit) -> bool {
    unit.carried.disengage_turns == 0 && !unit.marks.bonus_taken && body.arm != Arm::Artillery
}

/// DIS-02 What it has to run with: the rate of disorder, limbered guns their own.
pub(crate) fn pace(field: &Field<'_>, ix: UnitIx, body: &Unit) -> Option<Pace> {
    Pace::of_body(field, ix, body, true)
}

/// DIS-03 to DIS-05 The leg that it takes for so many inches of total distance, in thousandths.
pub(crate) fn plan(
    field: &Field<'_>,
    ix: UnitIx,
    body: &Unit,
    (pace, total): (Pace, i32),
    toward: Option<&Toward>,
    ties: Ties<'_>,
) -> Withdrawal {
    let from = threat::most_threatening(field, ix, Why::Disengage, ties);
    let away = away(field, ix, from);
    let first = lean(field, ix, from, away, toward);
    let bearings = std::iter::once(first).chain(TURNS.into_iter().map(|turn| away.turned(turn)));
    let legs = bearings.map(|bearing| leg(field, ix, body, from, bearing, &pace, total)).collect();
    let Leg { bearing, body, travel, stopped_by } = best(field, ix, first, legs);
    Withdrawal { unit: ix, from, bearing, travel, stopped_by, body, pace, total }
}

/// DIS-03 From the nearest point of the enemy to the middle of the unit; with nobody in sight, straight back.
fn away(field: &Field<'_>, ix: UnitIx, from: Option<UnitIx>) -> Bearing {
    let center = middle(field, ix);
    let nearest = from.and_then(|enemy| nearest_point(&field.stands(enemy), center));
    let away = nearest.and_then(|nearest| geometry::bearing_between(nearest, center));
    away.unwrap_or(field.unit(ix).footing.facing.reversed())
}

/// The middle of a unit, of a brigade column that of all its stands. TAC-28
fn middle(field: &Field<'_>, ix: UnitIx) -> Point {
    let stands = column::stands_of(field.table, field.unit(ix)).into_iter();
    geometry::mean(&stands.map(|stand| stand.center).collect::<Vec<_>>()).unwrap_or(field.center(ix))
}

/// The point on the outlines of stands that is nearest to a point.
fn nearest_point(stands: &[Rect], to: Point) -> Option<Point> {
    let edges = stands.iter().flat_map(|stand| (0..4).map(|n| (stand.corners[n], stand.corners[(n + 1) % 4])));
    let feet = edges.map(|(a, b)| (geometry::point_to_segment(to, a, b), geometry::nearest_on_segment(to, a, b)));
    feet.min_by_key(|(distance, _)| *distance).map(|(_, foot)| foot)
}

/// DIS-03 Whither it leans: as its owner wishes, within the cone; else toward the nearest unrouted friend in it who is farther
/// from the enemy than the unit.
fn lean(field: &Field<'_>, ix: UnitIx, from: Option<UnitIx>, away: Bearing, toward: Option<&Toward>) -> Bearing {
    let Some(enemy) = from else { return away };
    let center = middle(field, ix);
    let to = |point: Point| geometry::bearing_between(center, point);
    let wished = match toward {
        Some(Toward::Unit { unit }) => field
            .table
            .find(unit)
            .filter(|friend| field.unit(*friend).on_table())
            .and_then(|friend| to(field.center(friend))),
        Some(Toward::Point { at }) => to(*at),
        Some(Toward::Bearing { bearing }) => Some(*bearing),
        None => None,
    };
    if let Some(wished) = wished {
        return into_cone(away, wished);
    }
    let own = field.distance(ix, enemy);
    let friends = field.table.units_of(field.unit(ix).side);
    let friends = friends.filter(|(friend, unit)| unit.is_unrouted() && !column::are_one(field.table, ix, *friend));
    let mut outward: Vec<(Distance, UnitIx)> =
        friends.map(|(friend, _)| (field.extent(ix).least_distance(field.extent(friend)), friend)).collect();
    outward.sort_unstable();
    let mut nearest: Option<(Distance, Point, Bearing)> = None;
    for (least, friend) in outward {
        if nearest.is_some_and(|(nearest, ..)| nearest < least) {
            break;
        }
        let bearing = to(field.center(friend)).filter(|bearing| away.angle_to(*bearing) <= LEAN);
        let Some(bearing) = bearing.filter(|_| own < field.distance(friend, enemy)) else { continue };
        let found = (field.distance(ix, friend), field.center(friend), bearing);
        // Equally near ones are told apart by their place, so that no name decides.
        if nearest.is_none_or(|(distance, center, _)| (found.0, found.1) < (distance, center)) {
            nearest = Some(found);
        }
    }
    nearest.map_or(away, |(_, _, bearing)| bearing)
}

fn into_cone(away: Bearing, wished: Bearing) -> Bearing {
    let lean = LEAN as i32;
    match away.angle_to(wished) {
        angle if angle <= LEAN => wished,
        _ if away.turned(lean).angle_to(wished) <= away.turned(-lean).angle_to(wished) => away.turned(lean),
        _ => away.turned(-lean),
    }
}

/// DIS-04, DIS-05 One candidate: the unit turned to face along the leg, and how far it comes.
fn leg(
    field: &Field<'_>,
    ix: UnitIx,
    body: &Unit,
    from: Option<UnitIx>,
    bearing: Bearing,
    pace: &Pace,
    total: i32,
) -> Leg {
    let body = turned(field, ix, body, from, bearing);
    let way = pace.way_back(field, &body, bearing, pace.points(total));
    let wanted = way.reach(pace.points(total));
    let reference = Reference { enemy: from, away: bearing };
    let mover = Mover {
        unit: ix,
        from: column::stands_of(field.table, field.unit(ix)),
        tail: column::stands_behind(field.table, &body),
        body,
        bearing,
        distance: wanted,
        reference,
        dice: Vec::new(),
        runs: false,
        foes: Vec::new(),
    };
    let (reach, stop) = flight::foreseen_reach(field, &mover, bearing, wanted);
    let mut ends =
        vec![(wanted, way.halt().filter(|_| way.length() <= wanted).map(|_| "it may not enter the ground before it"))];
    ends.push((reach, stop.map(words)));
    ends.extend(
        nearer_than_before(field, ix, &mover, wanted).map(|at| (at, Some("it would come nearer to the enemy"))),
    );
    let (travel, stopped_by) = ends.into_iter().min_by_key(|(at, why)| (*at, why.is_none())).unwrap_or((0, None));
    Leg { bearing, body: mover.body, travel, stopped_by }
}

const fn words(stop: Stop) -> &'static str {
    match stop {
        Stop::Enemy(_) => "an enemy is in the way",
        Stop::Ground => "it may not enter the ground before it",
        Stop::Edge => "the table ends there",
    }
}

/// DIS-04, TAC-28 Turned about its centre, a brigade column as one, to face along the leg, its rear edge as far along it as the stand nearest the enemy stood.
fn turned(field: &Field<'_>, ix: UnitIx, body: &Unit, from: Option<UnitIx>, bearing: Bearing) -> Unit {
    let leads = body.leads_column();
    let mut turned = if leads { column::turned(field.table, body, bearing) } else { flight::turned(body, bearing) };
    let stands = column::stands_of(field.table, field.unit(ix));
    let nearest: Vec<Rect> = match from.map(|enemy| field.stands(enemy)) {
        Some(theirs) => {
            let distance = |stand: &Rect| flight::least_distance(std::slice::from_ref(stand), &theirs);
            let least = stands.iter().map(distance).min();
            stands.into_iter().filter(|stand| Some(distance(stand)) == least).collect()
        }
        None => stands,
    };
    let shift = rear_along(bearing, &nearest) - rear_along(bearing, &column::stands_of(field.table, &turned));
    let by = displacement(bearing, shift);
    let anchor = turned.footing.anchor;
    turned.footing.anchor = Point::new(anchor.x + by.x, anchor.y + by.y);
    turned
}

/// How far along a bearing the hindmost corner lies, thousandths of an inch.
fn rear_along(bearing: Bearing, stands: &[Rect]) -> i32 {
    let frame = Frame::new(Point::default(), bearing);
    let ahead = stands.iter().flat_map(|stand| stand.corners).map(|corner| frame.ahead(corner)).min();
    i32::try_from(geometry::round_div(ahead.unwrap_or(0), UNIT)).unwrap_or(0)
}

/// DIS-03 Where the leg comes nearer to the enemies that it sees, neither routed nor disengaging, than the unit was.
fn nearer_than_before(field: &Field<'_>, ix: UnitIx, mover: &Mover, most: i32) -> Option<i32> {
    let stands_firm = |enemy: UnitIx| !threat::is_disengaging(field.unit(enemy));
    let slide = Slide::new(mover.stands(), mover.bearing);
    let least = |stands: &[Rect]| field.nearest_of_seen(ix, stands, stands_firm);
    let before = least(&mover.from)?.min(least(&slide.at(0))?);
    let limit = before.rounded() - 2 * EPS - 1;
    if limit <= 0 {
        return None;
    }
    let near = field.enemies_near(field.unit(ix).side, slide.extent(most), limit);
    let near = near.filter(|enemy| field.unit(*enemy).is_unrouted() && stands_firm(*enemy));
    let nearer = near.filter_map(|enemy| Some((slide.first_within(&field.stands(enemy), limit, most)?, enemy)));
    nearer.filter(|(_, enemy)| field.sees(ix, *enemy)).map(|(at, _)| at).min().map(|at| (at - 2 * EPS).max(0))
}

/// DIS-05 The first if it is free for the whole distance; else the free one of least turn from it; else the longest. Level
/// ones: the end farther from the nearest enemy that it sees, then the clockwise one.
fn best(field: &Field<'_>, ix: UnitIx, first: Bearing, legs: Vec<Leg>) -> Leg {
    let farness = |leg: &Leg| {
        let end = flight::carried(&column::stands_of(field.table, &leg.body), displacement(leg.bearing, leg.travel));
        field.nearest_of_seen(ix, &end, |_| true).unwrap_or(Distance::ZERO).rounded() / LEVEL
    };
    let merit = |leg: &Leg| {
        let free = leg.stopped_by.is_none();
        let turn = -i64::from(first.angle_to(leg.bearing));
        (free, if free { turn } else { i64::from(leg.travel / LEVEL) })
    };
    // The clockwise one of two level ones comes first in the list.
    let is_better = |leg: &Leg, known: &Leg| match merit(known).cmp(&merit(leg)) {
        Ordering::Equal => farness(known) < farness(leg),
        order => order == Ordering::Less,
    };
    let mut best: Option<Leg> = None;
    for leg in legs {
        if best.as_ref().is_none_or(|known| is_better(&leg, known)) {
            best = Some(leg);
        }
    }
    best.expect("there are eight candidates")
}

impl Withdrawal {
    /// ALG-MOVE 13 The program of its leg: in each segment 1/120 of its total distance.
    pub(crate) fn program(&self, field: &Field<'_>) -> Program {
        let mut program = Program::idle(Body::of(&self.body));
        program.total = self.pace.points(self.total);
        if self.travel <= 0 {
            return program;
        }
        let start = self.body.footing.anchor;
        let by = displacement(self.bearing, self.travel);
        let end = Point::new(start.x + by.x, start.y + by.y);
        let bends = specials::bends(field.table, &self.body, &self.body.footing);
        let pricing = Pricing::Charge { rate: self.pace.rate };
        let prices = super::prices_of(field.rules, &self.body);
        let legs = [PathLeg { to: end, front: &[] }];
        let cost = PathCost::new(
            &field.ground().bent(&bends),
            start,
            &legs,
            &self.pace.rates,
            &prices,
            pricing,
            program.total,
        );
        let points = cost.total().min(program.total);
        program.pieces.push(CostPiece {
            label: "disengages".to_owned(),
            length: self.travel.unsigned_abs(),
            points: u32::try_from(points).unwrap_or(u32::MAX),
            rule: DIS_02.into(),
        });
        let corners = vec![start, end];
        let walk = Walk { cost, corners, bearings: vec![self.bearing], column: false, length: 0 };
        program.deeds.push(Deed { from: 0, to: points, before: program.start.clone(), kind: Kind::Walk(walk) });
        program
    }

    /// What its owner is told of it beforehand.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let mut notes = vec![note(DIS_06, "It goes in disorder, and ends with its back to the enemy.")];
        if let Some(why) = self.stopped_by {
            notes.push(note(DIS_05, &format!("It stops short of its distance: {why}.")));
        }
        notes
    }
}

fn note(rule: crate::catalogue::RuleId, text: &str) -> Note {
    Note { rule: rule.into(), text: text.to_owned() }
}
