//! The table on which the order of a real picket is judged. HID-21, HID-22, HID-61
//!
//! Owns what a hidden unit leans on: open friends and enemies, and the leaders under its own marker alone (HID-11). It judges
//! nothing.

use protocol::ids::{LeaderId, PicketNumber};
use protocol::view::Presence;

use crate::battle::{Known, Table, UnitIx};
use crate::geometry::{Frame, UNIT, round_div};

/// A side's table with what one of its pickets hides standing at the marker.
pub(crate) struct Judged {
    /// The table.
    pub(crate) table: Table,
    /// What the picket hides, in the order of its plan; nothing for a dummy.
    pub(crate) units: Vec<UnitIx>,
    /// The ends of the front of a whole brigade, left and right of the marker, thousandths of an inch. HID-08
    pub(crate) span: Option<(i32, i32)>,
}

/// The table on which the orders of that picket are judged, if it is the side's own.
pub(crate) fn judged(known: &Known, number: PicketNumber) -> Option<Judged> {
    let under = known.under(number)?;
    let marker = known.table.pickets.get(&number)?;
    let mut table = known.behind().table;
    // HID-64 Its works stand for it alone.
    table.build_hidden(known.own.works.get(&number));
    let units: Vec<UnitIx> = under.units.iter().filter_map(|unit| table.find(&unit.id)).collect();
    let span = (1 < units.len()).then(|| span(&table, &units, Frame::new(marker.at, marker.facing)));
    // HID-08 A brigade goes as one body, led by its marker.
    for ix in &units {
        let footing = &mut table[*ix].footing;
        (footing.anchor, footing.facing) = (marker.at, marker.facing);
    }
    let beneath: Vec<&LeaderId> = under.leaders.iter().map(|leader| &leader.id).collect();
    for leader in table.leaders.values_mut() {
        if leader.side == known.side && leader.on_table() && !beneath.contains(&&leader.id) {
            leader.presence = Presence::Hidden;
        }
    }
    Some(Judged { table, units, span })
}

/// How far the stands of a brigade reach to the left and to the right of its marker, thousandths of an inch.
fn span(table: &Table, units: &[UnitIx], marker: Frame) -> (i32, i32) {
    let corners = units.iter().flat_map(|ix| table.layout(*ix).rects().flat_map(|rect| rect.corners));
    let across = corners.map(|corner| round_div(marker.to_right(corner), UNIT) as i32);
    across.fold((0, 0), |(left, right), to_right| (left.min(to_right), right.max(to_right)))
}
