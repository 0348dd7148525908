//! How far a charging or disengaging unit can go: rate, bonus dice, and what its way costs. CHG-23 to CHG-25, DIS-02
//!
//! Owns the numbers before a unit sets out. One measure serves both: the rate in the starting ground, and inches of the total
//! that cost more or less where the ground changes.

use protocol::event::Dice as DiceShown;
use protocol::place::{Bearing, Point};

use crate::battle::{Unit, UnitIx};
use crate::dice::{Purpose, throw};
use crate::field::Field;
use crate::fire;
use crate::ground::{CrossingPrices, Footing, PathCost, PathLeg, Pricing, Rates, TURN_POINTS, Terrain, points_for};
use crate::morale::flight::displacement;
use crate::movement;
use crate::play::Play;
use crate::ruleset::{Factor, Inches, Ruleset};
use crate::specials;

/// What a unit has to run with, by the ground where it starts. CHG-24
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Its rates on every ground.
    pub rates: Rates,
    /// Its normal move here, thousandths of an inch.
    pub rate: i32,
    /// Bonus dice.
    pub dice: u32,
    /// Inches for each pip of them.
    pub factor: Factor,
    /// The ground whose inches these are; none on a road. CHG-25
    ground: Option<Terrain>,
    /// It is that of a mounted charge, which pays fences by a figure of its own. CAVC-25
    rides: bool,
}

impl Pace {
    /// CHG-24, MOR-60, CAVC-24 Of a unit that charges from where it stands; `disordered`: at the rate of disorder. None: it cannot
    /// start here.
    pub fn of(field: &Field<'_>, ix: UnitIx, disordered: bool) -> Option<Pace> {
        let unit = field.unit(ix);
        let disordered = disordered || unit.footing.disorder;
        match unit.mounted {
            true => {
                let rates = movement::rates_of_mounted_charge(field.rules, unit, disordered);
                Some(Pace { rides: true, ..Pace::with(field, ix, rates)? })
            }
            false => Pace::of_body(field, ix, unit, disordered),
        }
    }

    /// DIS-02 Of a unit that goes back, as another body than it stands. ARTY-46
    pub fn of_body(field: &Field<'_>, ix: UnitIx, body: &Unit, disordered: bool) -> Option<Pace> {
        Pace::with(field, ix, movement::rates_of(field.rules, body, disordered))
    }

    fn with(field: &Field<'_>, ix: UnitIx, rates: Rates) -> Option<Pace> {
        let bonus = &field.rules.bonus_movement;
        let (rate, count, factor, ground) = match field.footing(ix) {
            Footing::Road => {
                let beside = rates.on(field.terrain(ix));
                (rates.road.or(beside), bonus.dice.road, bonus.die_factor.road, None)
            }
            Footing::Ground(terrain) => {
                (rates.on(terrain), bonus.dice.at(terrain), bonus.die_factor.at(terrain), Some(terrain))
            }
        };
        let rate = rate.filter(|rate| 0 < *rate)?;
        Some(Pace { rates, rate, dice: u32::try_from(count).unwrap_or(0), factor, ground, rides: false })
    }

    /// CHG-25 A distance as it is told: its inches are those of the ground where it starts, which is named where it is not open.
    pub fn told(&self, distance: i32) -> String {
        let of = match self.ground {
            None | Some(Terrain::Open) => "",
            Some(Terrain::Broken) => " of broken ground",
            Some(Terrain::Woods) => " of woods",
            Some(Terrain::Rough) => " of rough ground",
        };
        format!("{}{of}", fire::inches(distance))
    }

    /// CHG-25 Whether other ground on its way costs otherwise than the inches it is told in.
    pub fn is_off_open_ground(&self) -> bool {
        self.ground.is_some_and(|terrain| terrain != Terrain::Open)
    }

    /// CAVC-18 With one bonus die more or less; below none there is none.
    pub fn with_dice_more(self, more: i32) -> Pace {
        Pace { dice: self.dice.saturating_add_signed(more), ..self }
    }

    /// The greatest bonus that its dice can give, thousandths of an inch.
    pub fn greatest_bonus(&self) -> i32 {
        self.bonus(6 * i32::try_from(self.dice).unwrap_or(0))
    }

    /// The bonus for so many pips, thousandths of an inch; half a die is not rounded.
    pub(super) fn bonus(&self, pips: i32) -> i32 {
        i32::try_from(self.factor.thousandths_of(pips)).unwrap_or(0)
    }

    /// CHG-24, DIS-02 Throws its bonus.
    pub fn throw(&self, play: &Play<'_>, purpose: Purpose, ix: UnitIx) -> (DiceShown, i32) {
        let key = [play.table()[ix].id.as_str()];
        let first = play.thrown(purpose, &key) + 1;
        let dice = throw(play.dice, play.phase, purpose, &key, first, self.dice);
        let pips = dice.faces.iter().map(|face| i32::from(*face)).sum();
        (dice, self.bonus(pips))
    }

    /// CHG-25 So many inches of the total in points.
    pub fn points(&self, total: i32) -> i64 {
        points_for(total, self.rate)
    }

    /// The length that so many points are worth where it starts, thousandths of an inch, rounded down.
    pub fn length_of(&self, points: i64) -> i32 {
        i32::try_from(points.max(0) * i64::from(self.rate) / TURN_POINTS).unwrap_or(i32::MAX)
    }

    /// CHG-25 The straight way of a charge from an anchor, long enough for so many points. What obstacles and works take is
    /// thrown for when they are reached. OBS-11, WORKS-11
    pub fn way(&self, field: &Field<'_>, body: &Unit, bearing: Bearing, points: i64) -> PathCost {
        self.way_at(field, body, bearing, points, &self.prices(field.rules, body).of_fences())
    }

    /// DIS-02, OBS-10 As [`Pace::way`], of a disengaging move, which pays for all that it crosses, as any move does.
    pub fn way_back(&self, field: &Field<'_>, body: &Unit, bearing: Bearing, points: i64) -> PathCost {
        self.way_at(field, body, bearing, points, &self.prices(field.rules, body))
    }

    fn way_at(
        &self,
        field: &Field<'_>,
        body: &Unit,
        bearing: Bearing,
        points: i64,
        prices: &CrossingPrices,
    ) -> PathCost {
        let from = body.footing.anchor;
        let by = displacement(bearing, self.longest(field, points));
        let legs = [PathLeg { to: Point::new(from.x.saturating_add(by.x), from.y.saturating_add(by.y)), front: &[] }];
        let bends = specials::bends(field.table, body, &body.footing);
        let ground = field.ground().bent(&bends);
        let pricing = Pricing::Charge { rate: self.rate };
        PathCost::new(&ground, from, &legs, &self.rates, prices, pricing, points)
    }

    /// MV-06, CAVC-25 What fences and obstacles cost it.
    fn prices(&self, rules: &Ruleset, body: &Unit) -> CrossingPrices {
        let prices = movement::prices_of(rules, body);
        match self.rides {
            true => prices.with_fences_at(rules.charge.cavalry_fence_loss.thousandths()),
            false => prices,
        }
    }

    /// The farthest that so many points could lead, all on the fastest ground; never farther than across the table.
    fn longest(&self, field: &Field<'_>, points: i64) -> i32 {
        let grounds = [Terrain::Open, Terrain::Broken, Terrain::Woods, Terrain::Rough];
        let fastest = grounds.into_iter().filter_map(|terrain| self.rates.on(terrain)).max().unwrap_or(self.rate);
        let farthest = points * i64::from(fastest.max(self.rate)) / TURN_POINTS;
        let ground = field.ground().ground();
        i32::try_from(farthest).unwrap_or(i32::MAX).min(ground.width + ground.height)
    }
}

/// The first travel along a way at which so many points are spent; none: nowhere on it.
pub fn first_travel_at(way: &PathCost, points: i64) -> Option<i32> {
    let (mut low, mut high) = (0, way.length());
    if way.points_at(high) < points {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if points <= way.points_at(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}

/// A length in inches as a player reads it.
pub fn inches(thousandths: i32) -> Inches {
    Inches(thousandths)
}
