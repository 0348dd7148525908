//! Fall-backs and runs that come upon hidden troops. HID-38, HID-39, HID-55
//!
//! Owns the walk along such a way, half an inch at a time: what is met is placed, and where the way ends is found anew against
//! troops that are open now. Neither how far one goes nor what stops one is decided here.

use crate::battle::{Table, UnitIx};
use crate::field::Field;
use crate::morale::flight::{Mover, Placed, SAMPLE};
use crate::play::Play;

use super::look::{Step, look_along};

/// HID-55 Where movers end that go at one time. `place` finds it on one look at the table.
pub(crate) fn flee(
    play: &mut Play<'_>,
    field: &Field<'_>,
    movers: &[Mover],
    place: impl Fn(&Field<'_>, &[Mover]) -> Vec<Placed>,
) -> Vec<Placed> {
    let mut placed = place(field, movers);
    if play.table().pickets.is_empty() || !(4..=8).contains(&play.phase) {
        return placed;
    }
    let mut travel = 0;
    loop {
        let still = movers.iter().zip(&placed).filter(|(_, placed)| travel < placed.travel.saturating_add(SAMPLE));
        let steps: Vec<Step> =
            still.map(|(mover, placed)| (mover.unit, mover.stands_at(travel.min(placed.travel)))).collect();
        if steps.is_empty() {
            return placed;
        }
        if look_along(play, &steps) {
            let seen = uncovered(field.table, play.table());
            let dice = play.dice;
            placed = place(&Field::new(play.rules, &seen, dice), movers);
        }
        travel = travel.saturating_add(SAMPLE);
    }
}

/// A table as it was, with those who have been placed since.
fn uncovered(before: &Table, now: &Table) -> Table {
    let mut table = before.clone();
    let placed = now
        .units()
        .filter(|(ix, _)| !before[*ix].on_table() && before[*ix].presence == protocol::view::Presence::Hidden);
    let placed: Vec<UnitIx> = placed.map(|(ix, _)| ix).collect();
    for ix in placed {
        table[ix] = now[ix].clone();
    }
    table.pickets.clone_from(&now.pickets);
    table
}
