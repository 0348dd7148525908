//! Chains of friends by which command goes beyond a commander's radius. CMD-03 to CMD-05
//!
//! Owns [`Chains`], the rings of units about each commander, found once a look: what links one unit links all.

use std::collections::{BTreeMap, BTreeSet};

use protocol::ids::LeaderId;

use super::{Weighing, reach_at, reaches, within_radius};
use crate::battle::{Leader, Unit, UnitIx};
use crate::field::Field;
use crate::geometry::{self, Rect};
use crate::ruleset::ByGround;

/// The rings about the commanders who were asked for so far.
pub(super) struct Chains<'f, 'a> {
    field: &'f Field<'a>,
    rings: BTreeMap<LeaderId, Rings>,
}

/// The carriers about one commander: those within his radius, those contiguous to them, and so on.
struct Rings {
    outward: Vec<Vec<UnitIx>>,
    /// The neighbour of each on the way in; none for those within the radius.
    inward: BTreeMap<UnitIx, Option<UnitIx>>,
}

impl<'f, 'a> Chains<'f, 'a> {
    pub(super) fn new(field: &'f Field<'a>) -> Self {
        Chains { field, rings: BTreeMap::new() }
    }

    /// CMD-03 The shortest chain from a unit that stands outside a commander's radius to him, the unit's neighbour first.
    pub(super) fn shortest(&mut self, leader: &Leader, unit: UnitIx) -> Option<Vec<UnitIx>> {
        let field = self.field;
        let rings = self.rings.entry(leader.id.clone()).or_insert_with(|| Rings::about(field, leader));
        // A shortest chain never comes back to where it started, so the unit's own place in the rings is passed over.
        let mut carriers = rings.outward.iter().flatten().filter(|friend| **friend != unit);
        let neighbour = carriers.find(|friend| contiguous(field, unit, **friend))?;
        Some(std::iter::successors(Some(*neighbour), |friend| rings.inward.get(friend).copied().flatten()).collect())
    }
}

impl Rings {
    fn about(field: &Field<'_>, leader: &Leader) -> Rings {
        let carriers = field.table.units_of(leader.side).filter(|(_, unit)| carries_chain(unit));
        let (mut ring, mut waiting): (Vec<UnitIx>, BTreeSet<UnitIx>) = (Vec::new(), BTreeSet::new());
        for (friend, _) in carriers {
            if within_radius(field, leader, friend) {
                ring.push(friend);
            } else {
                waiting.insert(friend);
            }
        }
        let mut inward: BTreeMap<UnitIx, Option<UnitIx>> = ring.iter().map(|friend| (*friend, None)).collect();
        let mut outward = Vec::new();
        while !ring.is_empty() {
            let mut next = Vec::new();
            for friend in std::mem::take(&mut waiting) {
                match ring.iter().find(|carrier| contiguous(field, **carrier, friend)) {
                    Some(carrier) => {
                        inward.insert(friend, Some(*carrier));
                        next.push(friend);
                    }
                    None => {
                        waiting.insert(friend);
                    }
                }
            }
            outward.push(std::mem::replace(&mut ring, next));
        }
        Rings { outward, inward }
    }
}

/// CMD-04 Whether a chain can pass through a unit: formed, that is neither disordered nor skirmishing nor routed.
fn carries_chain(unit: &Unit) -> bool {
    unit.on_table() && unit.is_formed()
}

/// CMD-05 What an inch-long stand's gap costs: 6 stand widths of cost are three stands of open ground.
const STANDS: i32 = 6;

/// CMD-05 Whether two units are contiguous: so near that a chain can pass from one to the other.
pub fn contiguous(field: &Field<'_>, one: UnitIx, other: UnitIx) -> bool {
    let (prices, limit) = (chain_prices(field), chain_limit(field, one, other));
    // Over the cheapest ground it reaches so far; who is farther away is not measured.
    let reach = reach_at(&prices, limit);
    if !field.extent(one).may_be_within(field.extent(other), i32::try_from(reach).unwrap_or(i32::MAX)) {
        return false;
    }
    nearest_stands(field, one, other).is_some_and(|(a, b)| reaches(field, a, b, &prices, limit, Weighing::EachPiece))
}

/// CMD-05 What an inch of gap costs by ground, thousandths.
pub(super) fn chain_prices(field: &Field<'_>) -> ByGround<i64> {
    let gaps = &field.rules.command.chain_gap_stands;
    let price = |stands: i32| i64::from(STANDS) * 1_000 / i64::from(stands.max(1));
    ByGround { open: price(gaps.open), broken: price(gaps.broken), woods: price(gaps.woods), rough: price(gaps.rough) }
}

/// CMD-05 What a gap between two units may cost, thousandths.
pub(super) fn chain_limit(field: &Field<'_>, one: UnitIx, other: UnitIx) -> i64 {
    let width = (field.unit(one).stand_width + field.unit(other).stand_width) / 2;
    i64::from(STANDS) * i64::from(width)
}

/// The two stands of two units that are nearest to each other.
pub(super) fn nearest_stands<'f>(field: &Field<'f>, one: UnitIx, other: UnitIx) -> Option<(&'f Rect, &'f Rect)> {
    let pairs = field.layout(one).rects().flat_map(|a| field.layout(other).rects().map(move |b| (a, b)));
    pairs.min_by_key(|(a, b)| geometry::between_polygons(&a.corners, &b.corners))
}
