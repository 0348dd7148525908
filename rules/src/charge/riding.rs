//! What a mounted charge meets on its way: bad ground and fences. CAVC-24, CAVC-25
//!
//! Owns the rolls by which it keeps its order. Where they fall on a leg is [`super::leg`]'s.

use protocol::place::Bearing;

use super::pace::Pace;
use crate::battle::{Table, UnitIx};
use crate::catalogue::{CAVC_24, CAVC_25, RuleId};
use crate::competence::{self, Finding};
use crate::dice::Purpose;
use crate::field::Field;
use crate::ground::{PathCost, Step, Terrain};
use crate::play::Play;
use crate::ruleset::{OrderOfCharge, Ruleset};

/// What a mounted charge meets that may cost it its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Met {
    /// Bad ground. CAVC-24
    Ground(Terrain),
    /// A fence or a wall. CAVC-25
    Fence,
}

/// CAVC-24, CAVC-25 What a mounted unit meets on a way up to a travel, in order; nothing on foot.
pub(super) fn on_the_way(table: &Table, ix: UnitIx, rules: &Ruleset, way: &PathCost, end: i32) -> Vec<(i32, Met)> {
    if !table[ix].mounted {
        return Vec::new();
    }
    let ground = bad_ground(rules, way, end).into_iter().map(|(at, terrain)| (at, Met::Ground(terrain)));
    let mut met: Vec<(i32, Met)> = ground.chain(fences(way, end).into_iter().map(|at| (at, Met::Fence))).collect();
    met.sort();
    met
}

/// CAVC-24, CAVC-25 The rule by which what it meets puts a mounted charge in disorder that is in order still.
pub(super) fn loses_order_at(play: &mut Play<'_>, ix: UnitIx, met: Met) -> Option<RuleId> {
    if play.table()[ix].footing.disorder {
        return None;
    }
    match met {
        Met::Ground(terrain) => {
            let order = order_on(play.rules, terrain)?;
            loses_order(play, ix, order).then_some(CAVC_24)
        }
        Met::Fence => {
            fails(play, ix, Purpose::ChargeFence, CAVC_25, "keeping its order over a fence").then_some(CAVC_25)
        }
    }
}

/// CAVC-24 What a kind of ground does to the order of a mounted charge.
fn order_on(rules: &Ruleset, terrain: Terrain) -> Option<OrderOfCharge> {
    let table = &rules.charge.cavalry_order;
    match terrain {
        Terrain::Open => None,
        Terrain::Broken => Some(table.broken),
        Terrain::Woods => Some(table.woods),
        Terrain::Rough => Some(table.rough),
    }
}

/// CAVC-24 The kinds of ground that come first on a way up to a travel, each with the travel at which it begins.
fn bad_ground(rules: &Ruleset, way: &PathCost, end: i32) -> Vec<(i32, Terrain)> {
    let bad = way.steps().iter().filter_map(|step| match step {
        Step::Ground { from, terrain, .. } if *from < end => Some((*from, *terrain)),
        Step::Ground { .. } | Step::Crossing { .. } => None,
    });
    bad.filter(|(_, terrain)| order_on(rules, *terrain).is_some()).collect()
}

/// CAVC-25 The travels at which fences are crossed before a travel.
fn fences(way: &PathCost, end: i32) -> Vec<i32> {
    let crossed = way.steps().iter().filter_map(|step| match step {
        Step::Crossing { at, kind, .. } if kind.is_fence() && *at < end => Some(*at),
        Step::Ground { .. } | Step::Crossing { .. } => None,
    });
    crossed.collect()
}

/// CAVC-24 The worst that the ground up to a travel does to the order of a mounted charge.
pub(super) fn worst_ground(field: &Field<'_>, ix: UnitIx, way: &PathCost, end: i32) -> Option<OrderOfCharge> {
    if !field.unit(ix).mounted {
        return None;
    }
    let ground = bad_ground(field.rules, way, end).into_iter();
    let orders = ground.filter_map(|(_, terrain)| order_on(field.rules, terrain));
    orders.max_by_key(|order| *order == OrderOfCharge::Disorder)
}

/// CAVC-24 Whether the ground up to the impact puts a mounted charge in disorder from its start, by a roll or without one, with
/// this bonus. Nothing of one that is in disorder or on foot.
pub(super) fn disorder_from_the_start(
    play: &mut Play<'_>,
    ix: UnitIx,
    bearing: Bearing,
    bonus: i32,
    impact: i32,
) -> Option<RuleId> {
    let order = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let unit = field.unit(ix);
        if !unit.mounted || unit.footing.disorder {
            return None;
        }
        let pace = Pace::of(&field, ix, false)?;
        let points = pace.points(pace.rate + bonus);
        let way = pace.way(&field, unit, bearing, points);
        worst_ground(&field, ix, &way, way.reach(points).min(impact))?
    };
    loses_order(play, ix, order).then_some(CAVC_24)
}

/// CAVC-24 A mounted charge comes upon such ground: it is in disorder, or rolls, once a turn in all.
fn loses_order(play: &mut Play<'_>, ix: UnitIx, order: OrderOfCharge) -> bool {
    match order {
        OrderOfCharge::Disorder => true,
        OrderOfCharge::Roll if play.table()[ix].marks.ground_rolled => false,
        OrderOfCharge::Roll => {
            play.table_mut()[ix].marks.ground_rolled = true;
            fails(play, ix, Purpose::ChargeGround, CAVC_24, "keeping its order over bad ground")
        }
    }
}

fn fails(play: &mut Play<'_>, ix: UnitIx, purpose: Purpose, rule: RuleId, because: &str) -> bool {
    let finding = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let key = field.unit(ix).id.to_string();
        competence::roll(play, &field, ix, purpose, &[&key], because)
    };
    let passed = finding.passed;
    Finding { rule, ..finding }.tell(play);
    !passed
}
