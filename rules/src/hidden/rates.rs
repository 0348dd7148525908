//! What a marker with nothing under it may move. HID-23
//!
//! Owns the rates and prices of a dummy: a skirmish line of infantry on foot, without roads. It never knows an order.

use protocol::place::Point;

use crate::battle::Table;
use crate::ground::{CrossingPrices, PathCost, PathLeg, Pricing, Rates, TURN_POINTS};
use crate::ruleset::{Branch, FormationRow, Ruleset};

/// HID-23 The most a dummy moves in open ground, thousandths of an inch: as a skirmish line of infantry.
pub(crate) fn dummy_rate(rules: &Ruleset) -> u32 {
    dummy_rates(rules).open.map_or(0, i32::unsigned_abs)
}

/// HID-23 The rates of a dummy on every ground: a skirmish line has none on roads, and pays what lies beneath.
fn dummy_rates(rules: &Ruleset) -> Rates {
    let row = rules.rates(Branch::Infantry, FormationRow::SkirmishLine);
    row.map_or(Rates::default(), |row| Rates { road: None, ..Rates::of(row, false) })
}

/// HID-23 The price of a dummy's line, the start first. Openings are too narrow for a skirmish line: it pays for what is open
/// as for what is shut.
pub(crate) fn dummy_cost(rules: &Ruleset, table: &Table, line: &[Point]) -> PathCost {
    let ground = table.ground();
    let frontage = ground.ground().width.max(ground.ground().height);
    let prices = CrossingPrices { frontage, ..CrossingPrices::of(rules, true) };
    let start = line.first().copied().unwrap_or_default();
    let legs: Vec<PathLeg<'_>> = line.iter().skip(1).map(|to| PathLeg { to: *to, front: &[] }).collect();
    PathCost::new(&ground, start, &legs, &dummy_rates(rules), &prices, Pricing::Move, TURN_POINTS)
}
