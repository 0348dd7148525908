//! Who touches a hidden unit. HID-39
//!
//! Owns the one test that looks at what stands under a marker: its effect is always an open event, for a real unit that is
//! touched is placed. A dummy touches, and is touched, at its point alone.

use std::collections::{BTreeMap, BTreeSet};

use protocol::ids::{BySide, PicketNumber, Side};
use protocol::place::{Bearing, Point};

use super::sighting::Eye;
use crate::battle::{Picket, SideSecrets, Table, Unit, UnitIx};
use crate::geometry::{self, Extent, Rect};

/// A marker with what stands under it.
pub(super) struct Marker<'t> {
    pub(super) number: PicketNumber,
    pub(super) side: Side,
    at: Point,
    /// The units under it; none under a dummy.
    units: &'t [Unit],
    /// From the point to the farthest corner of a stand under it, at most, thousandths of an inch.
    reach: i32,
}

impl Marker<'_> {
    /// HID-06 It hides nothing.
    pub(super) fn is_dummy(&self) -> bool {
        self.units.is_empty()
    }

    /// Its point, and the true stands under it.
    fn places(&self) -> Vec<Rect> {
        let stands = self.units.iter().flat_map(|unit| unit.layout().rects().copied().collect::<Vec<Rect>>());
        std::iter::once(point_of(self.at)).chain(stands).collect()
    }

    fn about(&self) -> Extent {
        Extent::about(self.at, self.reach)
    }

    /// HID-39 Whether stands are within touch of its point or of any true stand.
    pub(super) fn is_touched_by(&self, stands: &[Rect], touch: i32) -> bool {
        self.about().may_be_within(Extent::of(stands), touch) && within(&self.places(), stands, touch)
    }

    /// HID-39 Whether two markers touch: at their points, or both being real at any of their true stands.
    pub(super) fn touches(&self, other: &Marker<'_>, touch: i32) -> bool {
        if geometry::between_points(self.at, other.at).within(touch) {
            return true;
        }
        let real = !self.is_dummy() && !other.is_dummy();
        real && self.about().may_be_within(other.about(), touch)
            && within(&self.true_stands(), &other.true_stands(), touch)
    }

    fn true_stands(&self) -> Vec<Rect> {
        self.places().split_off(1)
    }

    /// HID-48 Whether an open unit is so near to its point.
    pub(super) fn is_near(&self, stands: &[Rect], distance: i32) -> bool {
        Extent::about(self.at, 0).may_be_within(Extent::of(stands), distance)
            && within(&[point_of(self.at)], stands, distance)
    }
}

fn point_of(at: Point) -> Rect {
    Rect::centered(at, Bearing::NORTH, 0, 0)
}

fn within(one: &[Rect], other: &[Rect], limit: i32) -> bool {
    geometry::between_stands(one.iter(), other.iter()).is_some_and(|distance| distance.within(limit))
}

/// All markers on the table with what stands under them, by number.
pub(super) fn markers<'t>(table: &'t Table, secrets: BySide<&'t SideSecrets>) -> BTreeMap<PicketNumber, Marker<'t>> {
    let marker = |picket: &Picket| {
        let units: &[Unit] = &secrets.get(picket.side).pickets.get(&picket.number)?.units;
        let reach = units.iter().map(|unit| reach_of(unit, picket.at)).max().unwrap_or(0);
        Some(Marker { number: picket.number, side: picket.side, at: picket.at, units, reach })
    };
    table.pickets.iter().filter_map(|(number, picket)| Some((*number, marker(picket)?))).collect()
}

/// How far any stand of a unit may lie from a point: an upper bound, for a quick no.
fn reach_of(unit: &Unit, from: Point) -> i32 {
    let footing = &unit.footing;
    let stand = unit.stand_width.saturating_add(unit.stand_depth).saturating_add(footing.gap.abs());
    let all = i32::try_from(unit.stands.len() + 1).unwrap_or(i32::MAX).saturating_mul(stand);
    // A skirmish screen goes out before its line.
    let screen = if footing.screen_is_out() { 4 * stand } else { 0 };
    geometry::segment_length(from, footing.anchor).saturating_add(all).saturating_add(screen)
}

/// HID-39 The markers that enemy units touch with these stands.
pub(super) fn touched(
    markers: &BTreeMap<PicketNumber, Marker<'_>>,
    units: &BTreeMap<UnitIx, Eye>,
    touch: i32,
) -> BTreeSet<PicketNumber> {
    let by_anybody = |marker: &&Marker<'_>| {
        let mut enemies = units.values().filter(|unit| unit.side != marker.side);
        enemies.any(|unit| marker.is_touched_by(&unit.stands, touch))
    };
    markers.values().filter(by_anybody).map(|marker| marker.number).collect()
}

/// HID-39, HID-41 The pairs of enemy markers that touch, the lower number first.
pub(super) fn touching(
    markers: &BTreeMap<PicketNumber, Marker<'_>>,
    touch: i32,
) -> BTreeSet<(PicketNumber, PicketNumber)> {
    let mut pairs = BTreeSet::new();
    for one in markers.values() {
        let others = markers.range(one.number..).map(|(_, other)| other).filter(|other| other.side != one.side);
        pairs.extend(others.filter(|other| one.touches(other, touch)).map(|other| (one.number, other.number)));
    }
    pairs
}
