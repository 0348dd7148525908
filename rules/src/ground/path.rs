//! What a path costs: points by ground, ways, fences, works and obstacles, and where the points run out.
//!
//! Owns MOVE-02, MOVE-08, MOVE-09, OBS-10, OBS-18, OBS-25, OBS-29, WORKS-10, WORKS-17 and the measure of CHG-25. It never
//! knows a unit: rates, prices and the places of the front come from the caller. Movement, previews and bots all ask here.

use protocol::ids::FeatureId;
use protocol::place::Point;

use super::lines::{self, FINE, Leg};
use super::query::{GroundNow, Piece};
use super::{ObstacleKind, Terrain, WayKind};
use crate::geometry::EPS;

/// MOVE-02 The points of a whole turn.
pub const TURN_POINTS: i64 = 5_040_000;

/// What a formation may move in a turn, thousandths of an inch by ground. None: may not enter; on a road: gains nothing
/// from it. MOVE-01, MV-03
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// Along a road.
    pub road: Option<i32>,
    /// In the open.
    pub open: Option<i32>,
    /// On broken ground.
    pub broken: Option<i32>,
    /// In woods.
    pub woods: Option<i32>,
    /// On rough ground.
    pub rough: Option<i32>,
    /// FORM-20 Whether the formation uses trails, at its broken rate.
    pub trails: bool,
}

impl Rates {
    /// The rate on a kind of ground.
    pub const fn on(&self, terrain: Terrain) -> Option<i32> {
        match terrain {
            Terrain::Open => self.open,
            Terrain::Broken => self.broken,
            Terrain::Woods => self.woods,
            Terrain::Rough => self.rough,
        }
    }

    /// The rate on a kind of ground, moving along a way.
    pub fn along(&self, terrain: Terrain, way: Option<WayKind>) -> Option<i32> {
        match way {
            Some(WayKind::Road) if self.road.is_some() => self.road,
            Some(WayKind::Trail) if self.trails => self.broken,
            Some(WayKind::Road | WayKind::Trail) | None => self.on(terrain),
        }
    }
}

/// What crossing one obstacle costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrossingPrice {
    /// Extra thousandths of an inch where it stands in the open.
    pub open: i32,
    /// On broken ground.
    pub broken: i32,
    /// In woods.
    pub woods: i32,
    /// On rough ground.
    pub rough: i32,
    /// Or so many thousandths at the rate of this ground, if that is cheaper. OBS-10, WORKS-10
    pub instead: Option<(i32, Terrain)>,
    /// Whether a formation without a rough rate cannot cross at all. OBS-29, WORKS-17
    pub needs_rough_rate: bool,
}

impl CrossingPrice {
    const fn on(&self, terrain: Terrain) -> i32 {
        match terrain {
            Terrain::Open => self.open,
            Terrain::Broken => self.broken,
            Terrain::Woods => self.woods,
            Terrain::Rough => self.rough,
        }
    }
}

/// The prices of all obstacles for one mover. None: crossing costs nothing here, as where a charge rolls for its loss instead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrossingPrices {
    /// Fences, stone walls, banks; or the broken rate for the whole move. MOVE-08
    pub fence: Option<CrossingPrice>,
    /// Hasty works. WORKS-10
    pub hasty_works: Option<CrossingPrice>,
    /// Medium and heavy works. WORKS-17
    pub heavier_works: Option<CrossingPrice>,
    /// Abatis, and a single line of chevaux-de-frise. OBS-10, OBS-25
    pub abatis: Option<CrossingPrice>,
    /// Fraise, and a double row of chevaux-de-frise. OBS-18, OBS-25
    pub fraise: Option<CrossingPrice>,
    /// Fences are paid by extra inches alone. CAVC-25
    pub fences_in_full: bool,
    /// OBS-24 The width of opening that the mover needs, thousandths of an inch: by a narrower one it pays as if it were shut.
    pub frontage: i32,
}

/// How the cost is reckoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pricing {
    /// MOVE-02 A move: roads count, extra inches are paid at the rate where they fall.
    Move,
    /// CHG-25 A charge or a disengaging move that began at this rate: a road counts as the ground beneath, extra inches
    /// are inches of the total. An inch of the total is `TURN_POINTS * 1000 / rate` points.
    Charge {
        /// The rate in the starting terrain, thousandths of an inch.
        rate: i32,
    },
}

/// MOVE-08 How fences were paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FencePayment {
    /// Extra inches for each.
    ExtraInches,
    /// The broken rate in place of the open one for the whole move.
    BrokenRate,
}

/// A straight leg of a path, walked by the anchor.
#[derive(Clone, Copy, Debug)]
pub struct PathLeg<'a> {
    /// Where it ends.
    pub to: Point,
    /// MOVE-02 For a formed line: the middles of its front-rank stands' front edges, as offsets east and north of the
    /// anchor, thousandths of an inch. Empty for all others, who pay the ground under the anchor.
    pub front: &'a [Point],
}

/// What stops a path before its end, however many points are left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// MV-03 Ground that the formation may not enter.
    Forbidden(Terrain),
    /// OBS-29 An obstacle that it cannot cross.
    Barred(FeatureId),
}

/// One part of the cost of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Ground walked over.
    Ground {
        /// From this travel, thousandths of an inch.
        from: i32,
        /// To this travel.
        to: i32,
        /// The ground that is paid.
        terrain: Terrain,
        /// The way along which it runs.
        way: Option<WayKind>,
        /// Thousandths of an inch a turn.
        rate: i32,
        /// Whether that is what a special rule allows, in the place of the rate. SCNS-09
        allowed: bool,
    },
    /// An obstacle crossed.
    Crossing {
        /// At this travel.
        at: i32,
        /// Which.
        obstacle: FeatureId,
        /// Its kind.
        kind: ObstacleKind,
        /// What it costs.
        points: i64,
    },
}

impl Step {
    fn points(&self) -> i64 {
        match *self {
            Step::Ground { from, to, rate, .. } => points_for(to - from, rate),
            Step::Crossing { points, .. } => points,
        }
    }
}

/// The priced path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathCost {
    corners: Vec<Point>,
    steps: Vec<Step>,
    length: i32,
    fences: FencePayment,
    halt: Option<Halt>,
}

/// MOVE-02 Points for so many thousandths of an inch at a rate, rounded up.
pub fn points_for(thousandths: i32, rate: i32) -> i64 {
    (TURN_POINTS * i64::from(thousandths.max(0)) + i64::from(rate.max(1)) - 1) / i64::from(rate.max(1))
}

/// The thousandths of an inch that so many points reach at a rate, rounded down.
fn reach_of(points: i64, rate: i32) -> i32 {
    (i128::from(points.max(0)) * i128::from(rate) / i128::from(TURN_POINTS)).min(i128::from(i32::MAX)) as i32
}

impl PathCost {
    /// Prices the path from `start` along the legs. Of the two ways to pay for fences it takes the one that reaches
    /// farther with `budget` points, of equal ones the cheaper, then the extra inches. MOVE-08
    pub fn new(
        ground: &GroundNow<'_>,
        start: Point,
        legs: &[PathLeg<'_>],
        rates: &Rates,
        prices: &CrossingPrices,
        pricing: Pricing,
        budget: i64,
    ) -> PathCost {
        let walk = Walk::new(ground, start, legs, pricing, prices.frontage);
        let extra = walk.priced(rates, prices, pricing, FencePayment::ExtraInches);
        let meets_fence = walk.crossings.iter().any(|crossing| crossing.kind.is_fence());
        if !meets_fence || rates.broken.is_none() || prices.fences_in_full {
            return extra;
        }
        let slow = walk.priced(rates, prices, pricing, FencePayment::BrokenRate);
        let (extra_reach, slow_reach) = (extra.reach(budget), slow.reach(budget));
        let slow_is_better = extra_reach < slow_reach
            || (extra_reach == slow_reach && slow.points_at(slow_reach) < extra.points_at(extra_reach));
        if slow_is_better { slow } else { extra }
    }

    /// How far the path can be walked at all, thousandths of an inch: its length, or less where something stops it.
    pub fn length(&self) -> i32 {
        self.length
    }

    /// What stops it at [`PathCost::length`], if it does not simply end there.
    pub fn halt(&self) -> Option<&Halt> {
        self.halt.as_ref()
    }

    /// How fences are paid.
    pub fn fences(&self) -> FencePayment {
        self.fences
    }

    /// The parts of the cost, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The points spent when the anchor has travelled so far. At an obstacle itself it is not yet paid.
    pub fn points_at(&self, travel: i32) -> i64 {
        let mut spent = 0;
        for step in &self.steps {
            match *step {
                Step::Ground { from, to, .. } if to <= travel || from < travel => {
                    let Step::Ground { rate, .. } = *step else { continue };
                    spent += points_for(to.min(travel) - from, rate);
                }
                Step::Crossing { at, points, .. } if at < travel => spent += points,
                _ => return spent,
            }
        }
        spent
    }

    /// The travel that so many points reach. A unit that cannot pay an obstacle stays before it.
    pub fn reach(&self, points: i64) -> i32 {
        let mut left = points;
        for step in &self.steps {
            let price = step.points();
            if left < price {
                return match *step {
                    Step::Ground { from, rate, .. } => from + reach_of(left, rate),
                    Step::Crossing { at, .. } => at,
                };
            }
            left -= price;
        }
        self.length
    }

    /// The points of the whole walkable path.
    pub fn total(&self) -> i64 {
        self.steps.iter().map(Step::points).sum()
    }

    /// The place of the anchor at a travel.
    pub fn point(&self, travel: i32) -> Point {
        let (leg, along) = self.leg_of(travel);
        leg.at(along)
    }

    /// The number of the leg on which the anchor is at a travel; at a bend the leg that ends there.
    pub fn leg_number(&self, travel: i32) -> usize {
        let mut begins = 0;
        for (number, pair) in self.corners.windows(2).enumerate() {
            begins += lines::thousandths(Leg::new(pair[0], pair[1]).length);
            if travel <= begins {
                return number;
            }
        }
        self.corners.len().saturating_sub(2)
    }

    fn leg_of(&self, travel: i32) -> (Leg, i64) {
        let number = self.leg_number(travel);
        let length = |pair: &[Point]| lines::thousandths(Leg::new(pair[0], pair[1]).length);
        let begins: i32 = self.corners.windows(2).take(number).map(length).sum();
        let from = self.corners[number];
        let leg = Leg::new(from, *self.corners.get(number + 1).unwrap_or(&from));
        let along = (i64::from(travel) - i64::from(begins)) * FINE;
        (leg, along.clamp(0, leg.length))
    }
}

/// A part of the path on one ground.
struct Stage {
    from: i32,
    to: i32,
    /// The ground under the anchor, for obstacles.
    under_anchor: Terrain,
    /// The ground that is paid.
    paid: Terrain,
    way: Option<WayKind>,
    /// What a special rule allows here in a turn. SCNS-09
    allowance: Option<i32>,
}

/// An obstacle on the path.
struct Met {
    at: i32,
    obstacle: FeatureId,
    kind: ObstacleKind,
}

/// The path as it lies on the ground, before any price.
struct Walk {
    corners: Vec<Point>,
    stages: Vec<Stage>,
    crossings: Vec<Met>,
}

impl Walk {
    fn new(ground: &GroundNow<'_>, start: Point, legs: &[PathLeg<'_>], pricing: Pricing, frontage: i32) -> Walk {
        let mut walk = Walk { corners: vec![start], stages: Vec::new(), crossings: Vec::new() };
        let (mut here, mut travelled) = (start, 0);
        for leg in legs {
            let anchor = ground.pieces(here, leg.to);
            let front: Vec<Vec<Piece>> = leg
                .front
                .iter()
                .map(|offset| ground.pieces(shifted(here, *offset), shifted(leg.to, *offset)))
                .collect();
            walk.add_stages(travelled, &anchor, &front, pricing);
            walk.crossings.extend(ground.barriers(here, leg.to, frontage).into_iter().map(|crossing| Met {
                at: travelled + crossing.travel,
                obstacle: crossing.obstacle.id.clone(),
                kind: crossing.obstacle.kind,
            }));
            travelled += anchor.last().map_or(0, |piece| piece.to);
            here = leg.to;
            walk.corners.push(here);
        }
        walk
    }

    /// Cuts a leg wherever the ground changes under the anchor or under a place of the front. MOVE-02
    fn add_stages(&mut self, travelled: i32, anchor: &[Piece], front: &[Vec<Piece>], pricing: Pricing) {
        let mut borders: Vec<i32> = anchor.iter().chain(front.iter().flatten()).map(|piece| piece.to).collect();
        let length = anchor.last().map_or(0, |piece| piece.to);
        borders.retain(|&border| border <= length);
        borders.sort_unstable();
        borders.dedup();
        let mut from = 0;
        for to in borders {
            let Some(under) = piece_over(anchor, from, to) else { continue };
            let hardest =
                front.iter().filter_map(|pieces| piece_over(pieces, from, to)).map(|piece| piece.terrain).max();
            self.stages.push(Stage {
                from: travelled + from,
                to: travelled + to,
                under_anchor: under.terrain,
                paid: hardest.unwrap_or(under.terrain),
                way: if pricing == Pricing::Move { under.way } else { None },
                allowance: under.allowance,
            });
            from = to;
        }
    }

    fn priced(&self, rates: &Rates, prices: &CrossingPrices, pricing: Pricing, fences: FencePayment) -> PathCost {
        let mut cost = PathCost { corners: self.corners.clone(), steps: Vec::new(), length: 0, fences, halt: None };
        let mut next = 0;
        for stage in &self.stages {
            let Some(rate) = rate_on(rates, stage, fences) else {
                cost.halt = Some(Halt::Forbidden(stage.paid));
                return cost;
            };
            let mut from = stage.from;
            // An obstacle at the border of two grounds is met on the side from which the unit comes. MOVE-09
            while let Some(met) = self.crossings.get(next).filter(|met| met.at <= stage.to) {
                push_ground(&mut cost, stage, from, met.at, rate);
                from = met.at;
                let Some(price) = self.price(next, prices) else {
                    next += 1;
                    continue;
                };
                if price.needs_rough_rate && rates.rough.is_none() {
                    cost.halt = Some(Halt::Barred(met.obstacle.clone()));
                    return cost;
                }
                let paid_by_rate = fences == FencePayment::BrokenRate && met.kind.is_fence();
                let points = if paid_by_rate { 0 } else { crossing_points(&price, stage, rate, rates, pricing) };
                cost.steps.push(Step::Crossing { at: met.at, obstacle: met.obstacle.clone(), kind: met.kind, points });
                next += 1;
            }
            push_ground(&mut cost, stage, from, stage.to, rate);
        }
        cost
    }

    /// The price of one crossing. OBS-25 Two lines of chevaux within two inches are a fraise, paid at the first.
    fn price(&self, number: usize, prices: &CrossingPrices) -> Option<CrossingPrice> {
        match self.crossings[number].kind {
            ObstacleKind::Fence | ObstacleKind::StoneWall | ObstacleKind::Bank => prices.fence,
            ObstacleKind::HastyWorks => prices.hasty_works,
            ObstacleKind::MediumWorks | ObstacleKind::HeavyWorks => prices.heavier_works,
            ObstacleKind::Abatis => prices.abatis,
            ObstacleKind::Fraise => prices.fraise,
            ObstacleKind::ChevauxDeFrise => match self.place_in_row(number) {
                RowPlace::Single => prices.abatis,
                RowPlace::First => prices.fraise,
                RowPlace::Second => None,
            },
        }
    }

    /// OBS-25 Pairs lines of chevaux from the first on: a triple row is a pair and a single line.
    fn place_in_row(&self, number: usize) -> RowPlace {
        let chevaux = |met: &&Met| met.kind == ObstacleKind::ChevauxDeFrise;
        let mut open_pair: Option<i32> = None;
        for met in self.crossings[..number].iter().filter(chevaux) {
            open_pair = match open_pair {
                Some(first) if met.at - first <= DOUBLE_ROW => None,
                _ => Some(met.at),
            };
        }
        let at = self.crossings[number].at;
        if open_pair.is_some_and(|first| at - first <= DOUBLE_ROW) {
            return RowPlace::Second;
        }
        let following = self.crossings[number + 1..].iter().find(chevaux);
        if following.is_some_and(|met| met.at - at <= DOUBLE_ROW) { RowPlace::First } else { RowPlace::Single }
    }
}

/// OBS-25 Lines of chevaux no farther apart than this are a double row.
pub(super) const DOUBLE_ROW: i32 = 2_000 + EPS;

/// The place of a line of chevaux in its row.
enum RowPlace {
    Single,
    First,
    Second,
}

/// MOVE-08 The rate of a stage; paying fences by the broken rate, that replaces the open one. SCNS-09 What a special rule
/// allows takes its place, also where there is none.
fn rate_on(rates: &Rates, stage: &Stage, fences: FencePayment) -> Option<i32> {
    if stage.allowance.is_some() {
        return stage.allowance.filter(|&allowed| 0 < allowed);
    }
    let on_way = match stage.way {
        Some(WayKind::Road) => rates.road.is_some(),
        Some(WayKind::Trail) => rates.trails,
        None => false,
    };
    if fences == FencePayment::BrokenRate && stage.paid == Terrain::Open && !on_way {
        return rates.broken;
    }
    rates.along(stage.paid, stage.way).filter(|&rate| 0 < rate)
}

/// The points of one crossing, on the ground from which the unit comes.
fn crossing_points(price: &CrossingPrice, stage: &Stage, rate: i32, rates: &Rates, pricing: Pricing) -> i64 {
    let rate = match pricing {
        Pricing::Move => rate,
        Pricing::Charge { rate } => rate,
    };
    let extra = points_for(price.on(stage.under_anchor), rate);
    let instead = price.instead.and_then(|(length, terrain)| Some(points_for(length, rates.on(terrain)?)));
    instead.map_or(extra, |instead| extra.min(instead))
}

/// Adds ground to the steps; it joins what comes before if nothing has changed, so that cuts cost no rounding.
fn push_ground(cost: &mut PathCost, stage: &Stage, from: i32, to: i32, rate: i32) {
    cost.length = cost.length.max(to);
    if to <= from {
        return;
    }
    let allowed = stage.allowance.is_some();
    if let Some(Step::Ground { to: end, terrain, way, rate: last, allowed: before, .. }) = cost.steps.last_mut()
        && (*terrain, *way, *last, *before) == (stage.paid, stage.way, rate, allowed)
    {
        *end = to;
        return;
    }
    cost.steps.push(Step::Ground { from, to, terrain: stage.paid, way: stage.way, rate, allowed });
}

/// The piece that holds the stretch of a leg.
fn piece_over(pieces: &[Piece], from: i32, to: i32) -> Option<&Piece> {
    pieces.iter().find(|piece| piece.from <= from && to <= piece.to).or(pieces.last())
}

fn shifted(point: Point, by: Point) -> Point {
    Point::new(point.x.saturating_add(by.x), point.y.saturating_add(by.y))
}
