//! Rates and prices of a path, read from the tables.

use super::Terrain;
use super::path::{CrossingPrice, CrossingPrices, Rates};
use crate::ruleset::{self, Inches, Obstacle, Price, Ruleset, Works};
use protocol::words::Quality;

impl Rates {
    /// MOVE-01 The rates of a row of the tables. `trails`: whether it is a march column or a limbered battery (FORM-20).
    pub fn of(row: &ruleset::Rates, trails: bool) -> Rates {
        let rate = |inches: Option<Inches>| inches.map(Inches::thousandths).filter(|&rate| 0 < rate);
        Rates {
            road: rate(row.road),
            open: rate(row.open),
            broken: rate(row.broken),
            woods: rate(row.woods),
            rough: rate(row.rough),
            trails,
        }
    }
}

impl CrossingPrices {
    /// The prices of the tables. `foot`: infantry, dismounted cavalry and others on foot; else mounted or with guns. MOVE-08
    pub fn of(ruleset: &Ruleset, foot: bool) -> CrossingPrices {
        let cost = if foot { &ruleset.cost.cross_fence_infantry } else { &ruleset.cost.cross_fence_other_arms };
        // The fence costs every quality the same, and inches; a table that says a share of the turn gives no inches.
        let fence = match cost.of(Quality::Veteran) {
            Price::Inch(inches) => inches.thousandths(),
            Price::Turn(_) => 0,
        };
        let fence =
            CrossingPrice { open: fence, broken: 0, woods: 0, rough: 0, instead: None, needs_rough_rate: false };
        CrossingPrices {
            fence: Some(fence),
            hasty_works: Some(over_works(&ruleset.works.hasty)),
            heavier_works: Some(over_works(&ruleset.works.medium)),
            abatis: Some(over_obstacle(&ruleset.obstacle.abatis)),
            fraise: Some(over_obstacle(&ruleset.obstacle.fraise)),
            fences_in_full: false,
            frontage: 0,
        }
    }

    /// CAVC-25 With the same extra for each fence on any ground, in thousandths of an inch, and no other way to pay it.
    #[must_use]
    pub fn with_fences_at(self, extra: i32) -> CrossingPrices {
        let fence = CrossingPrice {
            open: extra,
            broken: extra,
            woods: extra,
            rough: extra,
            instead: None,
            needs_rough_rate: false,
        };
        CrossingPrices { fence: Some(fence), fences_in_full: true, ..self }
    }

    /// CHG-25 The prices of fences alone: a charge throws for what works and obstacles take. OBS-11, WORKS-11
    #[must_use]
    pub fn of_fences(self) -> CrossingPrices {
        CrossingPrices { fence: self.fence, fences_in_full: self.fences_in_full, ..CrossingPrices::default() }
    }
}

/// WORKS-10, WORKS-17 The same extra on every ground, or a stretch of other ground.
fn over_works(works: &Works) -> CrossingPrice {
    let extra = works.cross_cost.thousandths();
    CrossingPrice {
        open: extra,
        broken: extra,
        woods: extra,
        rough: extra,
        instead: Some((works.cross_as.inches.thousandths(), works.cross_as.terrain)),
        needs_rough_rate: works.cross_as.terrain == Terrain::Rough,
    }
}

/// OBS-10, OBS-18 Extra by ground; on rough ground the stretch of rough that it counts as.
fn over_obstacle(obstacle: &Obstacle) -> CrossingPrice {
    let stretch = obstacle.cross_as.inches.thousandths();
    let extra = obstacle.cross_cost;
    CrossingPrice {
        open: extra.open.thousandths(),
        broken: extra.broken.thousandths(),
        woods: extra.woods.thousandths(),
        rough: stretch,
        instead: Some((stretch, obstacle.cross_as.terrain)),
        needs_rough_rate: obstacle.cross_as.terrain == Terrain::Rough,
    }
}
