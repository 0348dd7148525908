//! The most threatening enemy of a unit that charges or disengages. ALG-MTE, CHG-06, DIS-03
//!
//! One ranking for both, the same for both sides and arms. It reads the unit, the enemies that it sees, and dice for ties; it
//! never knows an order.

use protocol::event::OrderShown;
use protocol::ids::UnitId;
use protocol::place::Point;

use super::columns::{body_of, extent_of, sees};
use super::pace::Pace;
use crate::battle::{Unit, UnitIx};
use crate::column;
use crate::dice::{Dice, Purpose, break_tie};
use crate::field::Field;
use crate::fire::is_target;
use crate::formation::Layout;
use crate::geometry::{self, Distance, Rect};

/// CHG-07 A preferred target may be so much farther off than the nearest, thousandths of an inch.
const NEAR_EQUAL: i32 = 500;

/// What the most threatening enemy is asked for. ALG-MTE 1
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A charge at an enemy who may be so far off, thousandths of an inch; none: at any distance. CHG-13
    Charge {
        /// The greatest distance.
        reach: Option<i32>,
    },
    /// A disengagement.
    Disengage,
}

/// Dice for candidates that are level; none while orders are written: the first by identifier is then named.
pub type Ties<'d> = Option<(&'d dyn Dice, u8)>;

/// An enemy as it ranks: what is smaller threatens more. ALG-MTE 5
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threat {
    /// The enemy.
    pub enemy: UnitIx,
    /// It flees or gives way, and is kept away from only when all do. DIS-03
    flees: bool,
    /// k1: it is routed.
    pub routed: bool,
    /// k2: 0 straight ahead, 1 at an angle, 2 neither; always 0 for a disengagement.
    pub zone: u8,
    /// k3: thousandths of an inch.
    pub distance: i32,
    /// k4: from the facing to the shortest segment, hundredths of a degree.
    pub angle: u32,
}

impl Threat {
    fn key(&self) -> Rank {
        (self.flees, self.routed, self.zone, self.distance, self.angle)
    }
}

/// ALG-MTE All candidates, the most threatening first.
pub fn threats(field: &Field<'_>, ix: UnitIx, why: Why, ties: Ties<'_>) -> Vec<Threat> {
    let seen = candidates(field, ix, why).into_iter().filter(|enemy| sees(field, ix, *enemy));
    let threats = seen.map(|enemy| ranked(field, ix, enemy, why)).filter(|threat| is_in_reach(threat, why));
    let mut threats: Vec<Threat> = threats.collect();
    let least_flight = threats.iter().map(|threat| threat.flees).min();
    threats.retain(|threat| Some(threat.flees) == least_flight);
    threats.sort_by_key(|threat| (threat.key(), threat.enemy));
    let levels = threats.chunk_by(|one, other| one.key() == other.key());
    levels.flat_map(|level| by_dice(field, ix, level.to_vec(), ties)).collect()
}

/// Those who are level, in the order of their dice; while there are none, of the list.
fn by_dice(field: &Field<'_>, ix: UnitIx, level: Vec<Threat>, ties: Ties<'_>) -> Vec<Threat> {
    let Some((dice, phase)) = ties else { return level };
    let own = field.unit(ix).id.as_str();
    let keys: Vec<Vec<&str>> = level.iter().map(|one| vec![own, field.unit(one.enemy).id.as_str()]).collect();
    let order = break_tie(dice, phase, Purpose::TieMte, &keys).order;
    order.into_iter().map(|place| level[place].clone()).collect()
}

fn is_in_reach(threat: &Threat, why: Why) -> bool {
    match why {
        Why::Charge { reach } => reach.is_none_or(|reach| threat.distance <= reach + geometry::EPS),
        Why::Disengage => true,
    }
}

/// The enemies who may count: for a charge with a reach only those whose boxes are so near, so that sight is not asked of all. A
/// brigade column is one of them, its lead. TAC-32
fn candidates(field: &Field<'_>, ix: UnitIx, why: Why) -> Vec<UnitIx> {
    let side = field.unit(ix).side;
    let enemies: Vec<UnitIx> = match why {
        Why::Charge { reach: Some(reach) } => {
            field.enemies_near(side, extent_of(field, ix), reach.saturating_add(2 * geometry::EPS)).collect()
        }
        Why::Charge { reach: None } | Why::Disengage => field.enemies_of(side).map(|(enemy, _)| enemy).collect(),
    };
    let mut whole: Vec<UnitIx> = enemies.into_iter().map(|enemy| column::lead_of(field.table, enemy)).collect();
    whole.sort_unstable();
    whole.dedup();
    whole.into_iter().filter(|enemy| is_target(field, *enemy)).collect()
}

/// DIS-03 Whether an enemy gives way himself, which counts when one gets away from him.
fn flees(field: &Field<'_>, enemy: UnitIx, why: Why) -> bool {
    let unit = field.unit(enemy);
    why == Why::Disengage && (!unit.is_unrouted() || is_disengaging(unit))
}

fn zone_asked_for(field: &Field<'_>, ix: UnitIx, enemy: UnitIx, why: Why) -> u8 {
    if why == Why::Disengage { 0 } else { zone(field, ix, enemy) }
}

/// ALG-MTE 6 The most threatening enemy: the first of [`threats`].
///
/// Whom nobody can rank behind is looked at first, so that few lines of sight are asked for.
pub fn most_threatening(field: &Field<'_>, ix: UnitIx, why: Why, ties: Ties<'_>) -> Option<UnitIx> {
    foremost(field, ix, why, ties).map(|threat| threat.enemy)
}

/// How an enemy ranks: what is smaller comes first.
type Rank = (bool, bool, u8, i32, u32);

/// A rank before which an enemy does not come, unmeasured.
fn at_least(field: &Field<'_>, ix: UnitIx, enemy: UnitIx, why: Why) -> Rank {
    let distance = extent_of(field, ix).least_distance(extent_of(field, enemy)).rounded();
    let zone = zone_asked_for(field, ix, enemy, why);
    (flees(field, enemy, why), !field.unit(enemy).is_unrouted(), zone, distance, 0)
}

/// Whether an enemy could rank before another, or beside him: never no when he does. In which zone he is is asked last.
pub(super) fn may_rank_before(field: &Field<'_>, ix: UnitIx, enemy: UnitIx, why: Why, best: &Threat) -> bool {
    let distance = extent_of(field, ix).least_distance(extent_of(field, enemy)).rounded();
    let straight_ahead = (flees(field, enemy, why), !field.unit(enemy).is_unrouted(), 0, distance, 0);
    straight_ahead <= best.key() && at_least(field, ix, enemy, why) <= best.key()
}

/// ALG-MTE 6 The first of [`threats`], as it ranks.
pub(super) fn foremost(field: &Field<'_>, ix: UnitIx, why: Why, ties: Ties<'_>) -> Option<Threat> {
    let seen = candidates(field, ix, why).into_iter();
    let mut candidates: Vec<_> = seen.map(|enemy| (at_least(field, ix, enemy, why), enemy)).collect();
    candidates.sort_unstable();
    let mut best: Vec<Threat> = Vec::new();
    for (at_least, enemy) in candidates {
        let before = best.first().map(Threat::key);
        if before.is_some_and(|before| before < at_least) {
            break;
        }
        // While nobody is found most are out of sight, and looked at sooner than measured.
        if before.is_none() && !field.sees(ix, enemy) {
            continue;
        }
        let threat = ranked(field, ix, enemy, why);
        if before.is_some_and(|before| before < threat.key()) || !is_in_reach(&threat, why) || !sees(field, ix, enemy) {
            continue;
        }
        if before != Some(threat.key()) {
            best.clear();
        }
        best.push(threat);
    }
    best.sort_by_key(|threat| threat.enemy);
    by_dice(field, ix, best, ties).into_iter().next()
}

/// CHG-06, CHG-07 Whom a charge is declared at: the most threatening enemy within reach, or one that its owner prefers and
/// that is as good as level with him.
pub fn declared(field: &Field<'_>, ix: UnitIx, wish: Option<&UnitId>, ties: Ties<'_>) -> Option<UnitIx> {
    let threats = threats(field, ix, Why::Charge { reach: Some(reach(field, ix)) }, ties);
    let best = threats.first()?;
    let is_as_good = |threat: &&Threat| {
        (threat.routed, threat.zone) == (best.routed, best.zone) && threat.distance <= best.distance + NEAR_EQUAL
    };
    let wish = wish.and_then(|wish| field.table.find(wish)).map(|wish| column::lead_of(field.table, wish));
    let preferred = threats.iter().filter(is_as_good).find(|threat| Some(threat.enemy) == wish);
    Some(preferred.unwrap_or(best).enemy)
}

/// ALG-MTE 4 The greatest distance at which a unit may find a target of its charge, thousandths of an inch: its rate and all
/// sixes. 0 where no charge starts.
pub fn reach(field: &Field<'_>, ix: UnitIx) -> i32 {
    let pace = Pace::of(field, ix, false);
    pace.map_or(0, |pace| pace.rate + if has_bonus(field.unit(ix)) { pace.greatest_bonus() } else { 0 })
}

/// ORD-13, MOVE-12 Whether a charge has a bonus: not the second one running, nor after another bonus move of the turn.
pub fn has_bonus(unit: &Unit) -> bool {
    unit.carried.charge_turns == 0 && !unit.marks.bonus_taken
}

/// DIS-08, HID-20 A unit that was shown to disengage.
pub fn is_disengaging(unit: &Unit) -> bool {
    matches!(unit.marks.shown, Some(OrderShown::Disengage {}))
}

fn ranked(field: &Field<'_>, ix: UnitIx, enemy: UnitIx, why: Why) -> Threat {
    let unit = field.unit(ix);
    let distance = distance(field, ix, enemy).rounded();
    let angle = match shortest(field, ix, enemy) {
        Some((from, to)) => {
            geometry::bearing_between(from, to).map_or(0, |bearing| unit.footing.facing.angle_to(bearing))
        }
        None => 0,
    };
    let (flees, zone) = (flees(field, enemy, why), zone_asked_for(field, ix, enemy, why));
    Threat { enemy, flees, routed: !field.unit(enemy).is_unrouted(), zone, distance, angle }
}

/// ALG-MTE 2 Straight ahead, at an angle, or neither: by the centres of the enemy's stands.
fn zone(field: &Field<'_>, ix: UnitIx, enemy: UnitIx) -> u8 {
    let front = field.layout(ix).as_firer.front;
    let depth = field.rules.fire_zone.primary_depth.thousandths();
    let regiments = || std::iter::once(enemy).chain(column::followers(field.table, enemy));
    let centers = || regiments().flat_map(|regiment| field.layout(regiment).body()).map(|stand| stand.center);
    if centers().any(|center| front.in_primary(center, depth)) {
        0
    } else if centers().any(|center| front.in_sector(center)) {
        1
    } else {
        2
    }
}

/// TAC-23 The stands from which the distances of a charge are measured: a skirmish screen is none of them.
pub fn body(layout: &Layout) -> Vec<Rect> {
    layout.body().copied().collect()
}

/// The distance of two units as charges measure it. TAC-23, TAC-28
pub fn distance(field: &Field<'_>, one: UnitIx, other: UnitIx) -> Distance {
    let (one, other) = (body_of(field, one), body_of(field, other));
    geometry::between_stands(one.iter(), other.iter()).unwrap_or(Distance::of(i32::MAX / 2))
}

/// CHG-08 The shortest segment from a unit, of a column its lead, to another; of level pairs of stands the one nearest the unit's
/// anchor. None where they touch.
pub fn shortest(field: &Field<'_>, from: UnitIx, to: UnitIx) -> Option<(Point, Point)> {
    let anchor = field.unit(from).footing.anchor;
    let theirs = body_of(field, to);
    let segments = body(field.layout(from)).into_iter().flat_map(|own| {
        theirs.iter().map(move |other| geometry::shortest_segment(&own.corners, &other.corners)).collect::<Vec<_>>()
    });
    let segments: Vec<(Point, Point)> = segments.collect::<Option<_>>()?;
    let merit = |(own, other): &(Point, Point)| {
        (geometry::between_points(*own, *other), geometry::between_points(anchor, *own))
    };
    segments.into_iter().min_by(|one, other| merit(one).cmp(&merit(other)))
}
