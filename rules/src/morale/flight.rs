//! Fall-backs and runs as movement: what stops one, where it ends, who is passed through. MOR-38, SHK-05, SHK-06, ROUT-10
//!
//! Owns the geometry of the moves of one wave, all computed from one snapshot. How far and which way is told by
//! [`crate::shaken`] and [`crate::rout`]; nothing is changed here.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{Dice as DiceShown, Morale};
use protocol::place::{Bearing, Point};
use protocol::words::Arm;

use super::reference::Reference;
use crate::battle::{Footing, Unit, UnitIx};
use crate::column;
use crate::dice::{Dice, Purpose, break_tie};
use crate::field::Field;
use crate::geometry::{self, Distance, Extent, Frame, Rect, Vector};
use crate::ground;
use crate::ruleset::FormationRow;
use crate::specials;

/// SHK-05, ROUT-06 So near to an enemy a fall-back or run stops, thousandths of an inch.
pub const KEEPS_OFF: i32 = 1_000;

/// MOR-23 The run is looked at after every such length of its path, thousandths of an inch.
pub const SAMPLE: i32 = 500;

/// The length in which paths are searched for a meeting, before the place is found to a thousandth.
const STRIDE: i32 = 125;

/// MOR-38 How far past whoever stands in the way a unit ends, thousandths of an inch.
const CLEAR_BY: i32 = 1;

/// A unit that is about to fall back or run.
#[derive(Clone, Debug)]
pub struct Mover {
    /// The unit.
    pub unit: UnitIx,
    /// The unit as it moves and as it stands at the end, but at the place where it starts.
    pub body: Unit,
    /// The stands of the regiments behind it, where it leads a brigade column that falls back as one. TAC-32
    pub tail: Vec<Rect>,
    /// Its stands at the start.
    pub from: Vec<Rect>,
    /// The bearing of its path.
    pub bearing: Bearing,
    /// How far it would go, thousandths of an inch.
    pub distance: i32,
    /// The enemy from whom it goes.
    pub reference: Reference,
    /// The dice of the distance.
    pub dice: Vec<DiceShown>,
    /// A routed unit: it runs through friends without a roll of its own, and may reach the table edge. ROUT-10, ROUT-16
    pub runs: bool,
    /// Enemies of the fight that it comes from, who do not stop it. IDD-17
    pub foes: Vec<UnitIx>,
}

/// Where a mover ends.
#[derive(Clone, Debug)]
pub struct Placed {
    /// How far it went, thousandths of an inch.
    pub travel: i32,
    /// Its place.
    pub footing: Footing,
    /// Open friends who stood in its way. TC-08
    pub passed: Vec<UnitIx>,
    /// It stopped at the edge of the table short of its distance. ROUT-16
    pub at_edge: bool,
    /// What stopped it short of its distance, in words.
    pub stopped_by: Option<&'static str>,
    /// The enemy who stopped it short of its distance.
    pub barred_by: Option<UnitIx>,
}

/// What ends a straight path early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// An enemy unit, or a picket, which has no name here. SHK-05
    Enemy(Option<UnitIx>),
    /// Ground that it may not enter.
    Ground,
    /// The table edge.
    Edge,
}

impl Stop {
    const fn words(self) -> &'static str {
        match self {
            Stop::Enemy(_) => "an enemy is in the way",
            Stop::Ground => "it may not enter the ground before it",
            Stop::Edge => "the table ends there",
        }
    }

    const fn unit(self) -> Option<UnitIx> {
        match self {
            Stop::Enemy(unit) => unit,
            Stop::Ground | Stop::Edge => None,
        }
    }
}

/// A copy of the unit turned about its centre. SHK-04
pub fn turned(unit: &Unit, facing: Bearing) -> Unit {
    let mut body = unit.clone();
    let before = center_of(unit);
    body.footing.facing = facing;
    body.footing.trail.clear();
    body.footing.refused = None;
    let after = center_of(&body);
    let anchor = body.footing.anchor;
    body.footing.anchor = Point::new(anchor.x + before.x - after.x, anchor.y + before.y - after.y);
    body
}

fn center_of(unit: &Unit) -> Point {
    let centers: Vec<Point> = unit.layout().rects().map(|rect| rect.center).collect();
    geometry::mean(&centers).unwrap_or(unit.footing.anchor)
}

/// The stands of a unit.
pub fn stands_of(unit: &Unit) -> Vec<Rect> {
    unit.layout().rects().copied().collect()
}

/// The vector of a travel along a bearing.
pub fn displacement(bearing: Bearing, travel: i32) -> Point {
    Frame::new(Point::default(), bearing).at(travel, 0)
}

/// Rectangles carried along.
pub fn carried(stands: &[Rect], by: Point) -> Vec<Rect> {
    let shift = |point: Point| Point::new(point.x + by.x, point.y + by.y);
    stands
        .iter()
        .map(|stand| Rect { corners: stand.corners.map(shift), center: shift(stand.center), ..*stand })
        .collect()
}

impl Mover {
    /// The stands that move, where they start.
    pub fn stands(&self) -> Vec<Rect> {
        let mut stands = stands_of(&self.body);
        stands.extend(&self.tail);
        stands
    }

    /// The stands after so much of the way.
    pub fn stands_at(&self, travel: i32) -> Vec<Rect> {
        carried(&self.stands(), displacement(self.bearing, travel))
    }

    /// MOR-23 The samples of the run: where it starts, after every half inch, and where it ends.
    pub fn samples(&self, travel: i32) -> Vec<Vec<Rect>> {
        let mut samples = vec![self.from.clone()];
        let body = self.stands();
        let along = (0..travel).step_by(SAMPLE as usize).chain([travel]);
        samples.extend(along.map(|travel| carried(&body, displacement(self.bearing, travel))));
        samples
    }
}

/// How far a body could go along a bearing, at most `distance`, and what ends it. SHK-05, ROUT-06
pub fn reach(field: &Field, mover: &Mover, bearing: Bearing, distance: i32) -> (i32, Option<Stop>) {
    reach_among(field, mover, bearing, distance, |_| true)
}

/// LOS-19 As [`reach`], as far as the unit's side can tell: those whom it does not see bar nobody before he is there.
pub fn foreseen_reach(field: &Field, mover: &Mover, bearing: Bearing, distance: i32) -> (i32, Option<Stop>) {
    reach_among(field, mover, bearing, distance, |enemy| field.knows_of(mover.body.side, enemy))
}

fn reach_among(
    field: &Field,
    mover: &Mover,
    bearing: Bearing,
    distance: i32,
    bars: impl Fn(UnitIx) -> bool,
) -> (i32, Option<Stop>) {
    let stands = mover.stands();
    let stops = [
        edge(field, &stands, bearing, distance).map(|at| (at, Stop::Edge)),
        closed_ground(field, mover, bearing, distance).map(|at| (at, Stop::Ground)),
        enemies(field, mover, &stands, (bearing, distance), bars).map(|(at, enemy)| (at, Stop::Enemy(enemy))),
    ];
    let nearest = stops.into_iter().flatten().min();
    nearest.map_or((distance, None), |(at, stop)| (at, Some(stop)))
}

/// The last travel at which all stands are on the table, if the path leaves it.
fn edge(field: &Field, stands: &[Rect], bearing: Bearing, distance: i32) -> Option<i32> {
    let ground = field.ground().ground();
    let inside = |travel: i32| {
        let by = displacement(bearing, travel);
        let mut corners = stands.iter().flat_map(|stand| stand.corners);
        corners.all(|corner| {
            (0..=ground.width).contains(&(corner.x + by.x)) && (0..=ground.height).contains(&(corner.y + by.y))
        })
    };
    // The table is convex: what has left it along a straight path does not come back.
    (!inside(distance)).then(|| last_true(0, distance, inside))
}

/// Where the ground along the anchor's path is closed to the unit. Foot goes everywhere.
fn closed_ground(field: &Field, mover: &Mover, bearing: Bearing, distance: i32) -> Option<i32> {
    let unit = &mover.body;
    let row = match (unit.arm, unit.mounted) {
        (Arm::Artillery, _) => FormationRow::Limbered,
        (Arm::Cavalry | Arm::GunCrew, true) => unit.row(),
        _ => return None,
    };
    let branch = match unit.arm {
        Arm::GunCrew => crate::ruleset::Branch::CavalryMounted,
        _ => unit.branch(field.rules),
    };
    let rates = ground::Rates::of(field.rules.rates(branch, row)?, unit.arm == Arm::Artillery);
    let start = unit.footing.anchor;
    let by = displacement(bearing, distance);
    let bends = specials::bends(field.table, unit, &unit.footing);
    let pieces = field.ground().bent(&bends).pieces(start, Point::new(start.x + by.x, start.y + by.y));
    let closed = |piece: &ground::Piece| piece.allowance.is_none() && rates.along(piece.terrain, piece.way).is_none();
    pieces.into_iter().find(closed).map(|piece| piece.from)
}

/// SHK-05 Where the path comes within an inch of an enemy unit or picket, real and dummy alike. Of one that is nearer
/// already it may draw away. With the enemy who is in the way, if it is a unit.
fn enemies(
    field: &Field,
    mover: &Mover,
    stands: &[Rect],
    (bearing, distance): (Bearing, i32),
    bars: impl Fn(UnitIx) -> bool,
) -> Option<(i32, Option<UnitIx>)> {
    let side = mover.body.side;
    let by = displacement(bearing, distance);
    let way = Extent::of(stands).with(Extent::of(&carried(stands, by)));
    let others = field.enemies_near(side, way, KEEPS_OFF).filter(|enemy| !mover.foes.contains(enemy) && bars(*enemy));
    let units = others.map(|enemy| (Some(enemy), field.stands(enemy)));
    let footprint = field.rules.hidden_movement.marker_footprint.thousandths();
    let pickets = field.table.pickets.values().filter(|picket| picket.side != side);
    let pickets = pickets
        .map(|picket| (None, vec![Rect::from_front(Frame::new(picket.at, picket.facing), footprint, footprint)]));
    let swept: Vec<Vec<Point>> =
        stands.iter().map(|stand| geometry::sweep(&stand.corners, Vector::between(Point::default(), by))).collect();
    let nearest = |(unit, enemy): (Option<UnitIx>, Vec<Rect>)| {
        approach(stands, &swept, &enemy, bearing, distance).map(|at| (at, unit))
    };
    units.chain(pickets).filter_map(nearest).min()
}

/// Where a path comes too near to one enemy. The distance of a body on a straight path is first falling, then rising.
fn approach(stands: &[Rect], swept: &[Vec<Point>], enemy: &[Rect], bearing: Bearing, distance: i32) -> Option<i32> {
    let comes_near = swept
        .iter()
        .any(|hull| enemy.iter().any(|other| geometry::between_polygons(hull, &other.corners).closer_than(KEEPS_OFF)));
    if !comes_near {
        return None;
    }
    let gap = |travel: i32| least_distance(&carried(stands, displacement(bearing, travel)), enemy);
    if gap(0).closer_than(KEEPS_OFF) {
        return (gap(STRIDE.min(distance)) < gap(0)).then_some(0);
    }
    let near = |travel: i32| gap(travel).closer_than(KEEPS_OFF);
    let first = strides(distance).find(|travel| near(*travel))?;
    Some(last_true((first - STRIDE).max(0), first, |travel| !near(travel)))
}

/// The least distance of two groups of stands.
pub fn least_distance(one: &[Rect], other: &[Rect]) -> Distance {
    geometry::between_stands(one.iter(), other.iter()).unwrap_or(Distance::of(i32::MAX))
}

fn strides(distance: i32) -> impl Iterator<Item = i32> {
    (STRIDE..distance).step_by(STRIDE as usize).chain([distance])
}

/// The greatest value of `from..=to` at which `holds`, which holds up to some place and not beyond; `from` if nowhere.
fn last_true(from: i32, to: i32, holds: impl Fn(i32) -> bool) -> i32 {
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low + (high - low + 1) / 2;
        if holds(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// MOR-38 Final places of all movers of a wave, in the order of the movers.
pub fn place(field: &Field, dice: &dyn Dice, phase: u8, movers: &[Mover]) -> Vec<Placed> {
    let mut standing = Standing::without(field, movers);
    let ends: Vec<(i32, Option<Stop>)> =
        movers.iter().map(|mover| reach(field, mover, mover.bearing, mover.distance)).collect();
    let mut placed: BTreeMap<usize, Placed> = BTreeMap::new();
    for n in order(field, dice, phase, movers, &ends) {
        let mover = &movers[n];
        let (end, stop) = ends[n];
        let (travel, stop) = settle_down(field, mover, &standing, end, stop);
        standing.placed.push(mover.stands_at(travel));
        placed.insert(n, finish(field, mover, &standing, travel, stop));
    }
    placed.into_values().collect()
}

/// IDD-12 Final places of those who go back together: the first goes its own distance, the others as far as it went and on until
/// clear of all before them.
pub fn place_behind(field: &Field, movers: &[Mover]) -> Vec<Placed> {
    let mut standing = Standing::without(field, movers);
    let mut placed: Vec<Placed> = Vec::new();
    for mover in movers {
        let distance = placed.first().map_or(mover.distance, |first| first.travel);
        let mover = Mover { distance, ..mover.clone() };
        let (end, stop) = reach(field, &mover, mover.bearing, distance);
        let (travel, stop) = settle_down(field, &mover, &standing, end, stop);
        standing.placed.push(mover.stands_at(travel));
        placed.push(finish(field, &mover, &standing, travel, stop));
    }
    placed
}

/// Who stands where while movers are placed: everybody who stays where he is, and those who are placed already.
struct Standing<'f> {
    field: &'f Field<'f>,
    movers: Vec<UnitIx>,
    placed: Vec<Vec<Rect>>,
}

impl<'f> Standing<'f> {
    fn without(field: &'f Field<'f>, movers: &[Mover]) -> Self {
        Standing { field, movers: movers.iter().map(|mover| mover.unit).collect(), placed: Vec::new() }
    }

    /// Those who stay where they are and may stand on some ground.
    fn near(&self, about: Extent) -> impl Iterator<Item = UnitIx> {
        let stays = |ix: &UnitIx| self.movers.iter().all(|mover| !column::are_one(self.field.table, *mover, *ix));
        self.field.near(about, 0).filter(stays)
    }

    /// Whether stands would stand on nobody.
    fn leave_free(&self, stands: &[Rect]) -> bool {
        let mut near = self.near(Extent::of(stands));
        !near.any(|ix| overlap(stands, self.field.table.looker(ix).stands))
            && !self.placed.iter().any(|others| overlap(stands, others))
    }
}

/// MOR-38 Farthest from its reference enemy first, none counting as farthest; level ones by their dice.
fn order(field: &Field, dice: &dyn Dice, phase: u8, movers: &[Mover], ends: &[(i32, Option<Stop>)]) -> Vec<usize> {
    let farness = |n: usize| {
        let stands = movers[n].stands_at(ends[n].0);
        movers[n].reference.enemy.map_or(Distance::of(i32::MAX), |enemy| least_distance(&stands, &field.stands(enemy)))
    };
    let mut by_distance: Vec<(Distance, usize)> = (0..movers.len()).map(|n| (farness(n), n)).collect();
    by_distance.sort_by_key(|(distance, _)| std::cmp::Reverse(*distance));
    let mut order = Vec::new();
    for level in by_distance.chunk_by(|one, other| one.0 == other.0) {
        let keys: Vec<Vec<&str>> = level.iter().map(|(_, n)| vec![field.unit(movers[*n].unit).id.as_str()]).collect();
        order.extend(break_tie(dice, phase, Purpose::TiePlace, &keys).order.into_iter().map(|place| level[place].1));
    }
    order
}

/// MOR-38 Goes on along the bearing until clear of whoever stands there; if it cannot, back to the last free place.
fn settle_down(field: &Field, mover: &Mover, standing: &Standing, end: i32, stop: Option<Stop>) -> (i32, Option<Stop>) {
    let body = mover.stands();
    let is_free = |travel: i32| standing.leave_free(&carried(&body, displacement(mover.bearing, travel)));
    if end == 0 || is_free(end) {
        return (end, stop);
    }
    if stop.is_none() {
        let ground = field.ground().ground();
        let (limit, further) = reach(field, mover, mover.bearing, ground.width + ground.height);
        let mut from = end;
        while from < limit {
            let to = (from + STRIDE).min(limit);
            if is_free(to) {
                let last_taken = last_true(from, to, |travel| !is_free(travel));
                return ((last_taken + CLEAR_BY).min(to), None);
            }
            from = to;
        }
        return (back(end, is_free), further.or(stop));
    }
    (back(end, is_free), stop)
}

/// The last free place short of `end`; its own place, if there is none.
fn back(end: i32, is_free: impl Fn(i32) -> bool) -> i32 {
    let mut to = end;
    while 0 < to {
        let from = (to - STRIDE).max(0);
        if is_free(from) {
            return last_true(from, to, &is_free);
        }
        to = from;
    }
    0
}

fn finish(field: &Field, mover: &Mover, standing: &Standing, travel: i32, stop: Option<Stop>) -> Placed {
    let by = displacement(mover.bearing, travel);
    let mut footing = mover.body.footing.clone();
    footing.anchor = Point::new(footing.anchor.x + by.x, footing.anchor.y + by.y);
    let hulls: Vec<Vec<Point>> =
        mover.from.iter().map(|stand| geometry::sweep(&stand.corners, Vector::between(Point::default(), by))).collect();
    let is_passed = |stands: &[Rect]| {
        stands.iter().any(|stand| hulls.iter().any(|hull| geometry::overlaps_beyond_eps(stand, hull)))
    };
    let side = mover.body.side;
    let way = Extent::of(&mover.from).with(Extent::of(&carried(&mover.from, by)));
    let friends = standing.near(way).filter(|ix| field.unit(*ix).side == side && 0 < travel);
    let passed = friends.filter(|ix| is_passed(field.table.looker(*ix).stands));
    let passed = passed.map(|ix| column::lead_of(field.table, ix));
    let passed: BTreeSet<UnitIx> = passed.collect();
    let short = travel < mover.distance;
    Placed {
        travel,
        footing,
        passed: passed.into_iter().collect(),
        at_edge: stop == Some(Stop::Edge) && short,
        stopped_by: stop.filter(|_| short).map(Stop::words),
        barred_by: stop.filter(|_| short).and_then(Stop::unit),
    }
}

fn overlap(one: &[Rect], other: &[Rect]) -> bool {
    one.iter().any(|a| other.iter().any(|b| geometry::overlaps_beyond_eps(a, &b.corners)))
}

/// Whether a unit takes the surrender of a routed one: foot or horse in good morale. ROUT-11
pub fn takes_surrender(unit: &Unit) -> bool {
    unit.morale == Morale::Good && matches!(unit.arm, Arm::Infantry | Arm::Cavalry)
}
