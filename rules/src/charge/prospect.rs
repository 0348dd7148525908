//! Charges that are shown and not yet run, as the other side sees them: whom each would strike, and how likely its distance
//! leads so far. CHG-02, CHG-08, CHG-23 to CHG-28, CHG-52
//!
//! Owns what is foreseen of the charger alone, without a die. What would come of it stands in [`outcome`]. It asks the very
//! functions by which the charge will be measured, and knows no secret: a bearing or a feature that the charger's owner has
//! named is not foreseen.

pub mod outcome;

use std::collections::BTreeSet;

use protocol::event::{FlankClass, OrderShown};
use protocol::ids::{Side, UnitId};
use protocol::orders::Order;
use protocol::place::Bearing;

use super::columns::body_of;
use super::pace::Pace;
use super::run::{Numbers, OFF_THE_FRONT, Run, disorder_after, is_fit, toward};
use super::sweep::Slide;
use super::threat::{self, Why, distance};
use super::{answer, contact, counter, declare, leg, riders, riding, square, volley};
use crate::battle::UnitIx;
use crate::catalogue::CHG_09;
use crate::chance::{Chance, sums, ways_of};
use crate::explain::Reckoning;
use crate::field::Field;
use crate::ground::{Footing, PathCost, Terrain};

/// A charge that is to come.
#[derive(Clone, Debug)]
pub struct Coming {
    /// The unit that would strike.
    pub point: UnitIx,
    /// Those that would go in with it, the nearest first.
    pub supports: Vec<UnitIx>,
    /// At whom it was declared, if he still stands.
    pub declared: UnitIx,
    /// Whom it would strike.
    pub struck: UnitIx,
    /// How far its point stands from him, thousandths of an inch.
    pub gap: i32,
    /// How likely its distance leads so far. CHG-28
    pub reaches: Chance,
    /// The charge with the greatest distance that its dice can give.
    run: Run,
    /// Its way with that distance.
    way: PathCost,
    /// It is in disorder from its start. CHG-09
    in_disorder: bool,
    /// The ways in which its bonus can fall.
    bonuses: Vec<Bonus>,
    /// The travel to contact; none: it does not come so far with any bonus.
    contact: Option<i32>,
}

/// A way in which the bonus of a charge can fall.
#[derive(Clone, Copy, Debug)]
struct Bonus {
    chance: Chance,
    /// How far it then leads.
    reach: i32,
    /// The points after which it is in disorder; none: nowhere.
    disorder: Option<i64>,
}

/// The charges that enemies of `side` have shown and not yet run.
pub fn coming(field: &Field<'_>, side: Side) -> Vec<Coming> {
    let points =
        field.enemies_of(side).filter(|(_, unit)| declare::is_to_charge(unit) && support_of(field, unit).is_none());
    points.filter_map(|(point, _)| Coming::of(field, point)).collect()
}

/// CHG-21, CHG-22 The targets of all charges that were shown and not yet run.
pub fn targets(field: &Field<'_>) -> BTreeSet<UnitIx> {
    let chargers = field.table.units().filter(|(_, unit)| declare::is_to_charge(unit));
    chargers.filter_map(|(_, unit)| field.table.find(declare::declared_target(unit)?)).collect()
}

/// CC-02, CC-05, CC-06 Whether a unit under that order could go and meet this charge.
pub fn may_meet(field: &Field<'_>, ix: UnitIx, order: &Order, coming: &Coming) -> bool {
    counter::is_able(field, ix, order, &coming.run.members())
}

/// In what way horse comes to meet a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rides {
    /// From HOLD or Conditional Hold, by a roll for its order. CAVC-06, CAVC-10
    InOrderByRoll,
    /// Off the march, in disorder. CC-16, CAVC-11
    OffTheMarch,
    /// Out of forming, in disorder and with the penalty of it. CC-17, CAVC-16
    OutOfForming,
}

impl Rides {
    fn of(kind: counter::Kind) -> Option<Rides> {
        match kind {
            counter::Kind::Hold => Some(Rides::InOrderByRoll),
            counter::Kind::March => Some(Rides::OffTheMarch),
            counter::Kind::Form => Some(Rides::OutOfForming),
            counter::Kind::Charge => None,
        }
    }
}

/// CC-14, CAVC-03 How horse under that order comes to meet this charge on itself; none: it receives it at a halt.
pub fn rides_to_meet(field: &Field<'_>, ix: UnitIx, order: &Order, coming: &Coming) -> Option<Rides> {
    riders::comes_by_order(field, ix, order, &coming.run.members()).and_then(Rides::of)
}

/// CAVC-05, CC-15 to CC-17 How horse under that order could join in against this charge on somebody else.
pub fn may_ride_along(field: &Field<'_>, ix: UnitIx, order: &Order, coming: &Coming) -> Option<Rides> {
    riders::joins_by_order(field, ix, order, &coming.run.members()).and_then(Rides::of)
}

fn support_of<'u>(field: &Field<'_>, unit: &'u crate::battle::Unit) -> Option<&'u UnitId> {
    match &unit.marks.shown {
        Some(OrderShown::Charge { support_of: Some(of), .. }) => {
            let leads = field.table.unit(of).is_some_and(declare::is_to_charge);
            Some(of).filter(|_| leads)
        }
        _ => None,
    }
}

impl Coming {
    fn of(field: &Field<'_>, point: UnitIx) -> Option<Coming> {
        let unit = field.unit(point);
        let declared = declare::declared_target(unit).and_then(|target| field.table.find(target));
        let stands = |target: &UnitIx| field.unit(*target).on_table() && field.unit(*target).is_unrouted();
        // CHG-13 If he has gone it takes the most threatening one.
        let next =
            || threat::most_threatening(field, point, Why::Charge { reach: Some(threat::reach(field, point)) }, None);
        let declared = declared.filter(stands).or_else(next)?;
        let bearing = toward(field, point, declared)?;
        let off = OFF_THE_FRONT <= unit.footing.facing.angle_to(bearing);
        let pace = Pace::of(field, point, off)?;
        let in_rough = field.footing(point) == Footing::Ground(Terrain::Rough);
        let in_disorder = off || unit.footing.disorder || in_rough;
        let thrown = match threat::has_bonus(unit) {
            true => sums(pace.dice)
                .into_iter()
                .map(|(pips, ways)| (Some(pace.bonus(pips)), Chance::new(ways, ways_of(pace.dice))))
                .collect(),
            false => vec![(None, Chance::CERTAIN)],
        };
        let most = pace.rate + thrown.iter().filter_map(|(bonus, _)| *bonus).max().unwrap_or(0);
        let numbers = Numbers {
            pace,
            total: most,
            disorder: None,
            dice: None,
            sum: Reckoning::of("total distance"),
            notes: Vec::new(),
            in_disorder: off.then_some(CHG_09),
        };
        let run = Run::new(field.table, point, supports(field, point), Some(declared), bearing, &numbers);
        let way = run.way(field);
        let bonus = |(bonus, chance): (Option<i32>, Chance)| {
            let total = pace.rate + bonus.unwrap_or(0);
            let disorder = disorder_after(field.rules, unit.quality, &pace, bonus).1;
            Bonus { chance, reach: way.reach(pace.points(total)), disorder: disorder.map(|at| pace.points(at)) }
        };
        let bonuses: Vec<Bonus> = thrown.into_iter().map(bonus).collect();
        let farthest = way.reach(run.left());
        let touched = leg::first_touched(field, &run, farthest);
        let struck = touched.unwrap_or(declared);
        let contact = touched.and_then(|struck| contact::strikes_at(field, point, bearing, struck, farthest));
        let reaches = contact.map_or(Chance::NEVER, |contact| {
            bonuses.iter().filter(|bonus| contact <= bonus.reach).map(|bonus| bonus.chance).sum()
        });
        let gap = distance(field, point, struck).rounded();
        let supports = run.supports.clone();
        Some(Coming { point, supports, declared, struck, gap, reaches, run, way, in_disorder, bonuses, contact })
    }

    /// The direction in which it would run.
    pub fn bearing(&self) -> Bearing {
        self.run.bearing
    }

    /// IDD-07 From where it would strike, as all stand now.
    pub fn aspect(&self, field: &Field<'_>) -> FlankClass {
        self.contact.map_or(FlankClass::Front, |travel| answer::aspect_after(field, &self.run, self.struck, travel))
    }

    /// CF-07 Whether whom it would strike has time to form.
    pub fn leaves_time_to_form(&self, field: &Field<'_>) -> bool {
        let least = field.rules.charge.no_reform_if_started_within.thousandths();
        least <= volley::latest(field, &self.run, self.struck)
    }

    /// CAVC-24, CAVC-25, TAC-42 Whether it is on foot, or rides over nothing that may cost it its order, and at no square.
    pub fn needs_no_roll(&self, field: &Field<'_>) -> bool {
        let end = self.contact.unwrap_or_else(|| self.way.reach(self.run.left()));
        let met = riding::on_the_way(field.table, self.point, field.rules, &self.way, end);
        !field.unit(self.point).mounted || (met.is_empty() && !square::is_square(field.unit(self.struck)))
    }

    /// CC-02, CC-15 The travel at which any of its members first comes so near to a unit that it may be met there, if that is
    /// not beyond its contact.
    pub fn comes_near(&self, field: &Field<'_>, ix: UnitIx) -> Option<i32> {
        let limit = counter::trigger_distance(field, ix);
        let theirs = body_of(field, ix);
        let end = self.contact.unwrap_or_else(|| self.way.reach(self.run.left()));
        let members = self.run.members().into_iter();
        members.filter_map(|member| self.slide(field, member).first_within(&theirs, limit, end)).min()
    }

    fn slide(&self, field: &Field<'_>, member: UnitIx) -> Slide {
        Slide::new(body_of(field, member), self.run.bearing)
    }

    /// CHG-26, MOVE-05 Whether it is in disorder after a travel, if its bonus falls so.
    fn is_disordered(&self, bonus: &Bonus, travel: i32) -> bool {
        let spent = self.way.points_at(travel);
        self.in_disorder || bonus.disorder.is_some_and(|at| at <= spent) || counter::is_rough_before(&self.way, travel)
    }
}

/// CHG-17 Those that were shown to go in with a point, the nearest first.
fn supports(field: &Field<'_>, point: UnitIx) -> Vec<UnitIx> {
    let id = &field.unit(point).id;
    let friends = field.table.units_of(field.unit(point).side);
    let with = friends.filter(|(ix, unit)| {
        *ix != point && declare::is_to_charge(unit) && is_fit(unit) && support_of(field, unit) == Some(id)
    });
    let mut supports: Vec<UnitIx> = with.map(|(ix, _)| ix).collect();
    supports.sort_by_cached_key(|ix| (distance(field, point, *ix), field.center(*ix)));
    supports
}
