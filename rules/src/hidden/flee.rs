//! Fall-backs and runs that come upon hidden troops. HID-38, HID-39, HID-55
//!
//! Owns the walk along such a way, half an inch at a time: what is met is placed, and where the way ends is found anew against
//! troops that are open now. Neither how far one goes nor what stops one is decided here.

use crate::battle::{Table, Unit, UnitIx};
use crate::field::Field;
use crate::geometry::Rect;
use crate::los;
use crate::morale::flight::{Mover, Placed, SAMPLE, least_distance, takes_surrender};
use crate::play::Play;

use super::look::{Step, look_along};

/// HID-55 Where movers end that go at one time. `place` finds it on one look at the table. Who stops one short is seen before it
/// is told. LOS-02
pub(crate) fn flee(
    play: &mut Play<'_>,
    field: &Field<'_>,
    movers: &[Mover],
    place: impl Fn(&Field<'_>, &[Mover]) -> Vec<Placed>,
) -> Vec<Placed> {
    let placed = past_the_hidden(play, field, movers, place);
    let barred = movers.iter().zip(&placed).filter_map(|(mover, placed)| Some((mover.unit, placed.barred_by?)));
    let barred: Vec<(UnitIx, UnitIx)> = barred.collect();
    los::meet(play, &barred);
    placed
}

fn past_the_hidden(
    play: &mut Play<'_>,
    field: &Field<'_>,
    movers: &[Mover],
    place: impl Fn(&Field<'_>, &[Mover]) -> Vec<Placed>,
) -> Vec<Placed> {
    let mut movers = movers.to_vec();
    let mut placed = place(field, &movers);
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
            // ROUT-11 Who is in contact with them goes nowhere.
            for mover in movers.iter_mut().filter(|mover| mover.runs && is_in_contact(play, mover, &mover.from)) {
                mover.distance = 0;
            }
            placed = place(&Field::new(play.rules, &seen, play.dice), &movers);
        }
        travel = travel.saturating_add(SAMPLE);
    }
}

/// HID-55, ROUT-11 The routed units among movers who were in contact with troops that have come to light, or are so now: they surrender.
pub(crate) fn surrendered(play: &Play<'_>, movers: &[Mover]) -> Vec<UnitIx> {
    let is_taken = |mover: &&Mover| {
        let now = play.table().layout(mover.unit).rects().copied().collect::<Vec<Rect>>();
        mover.runs && (is_in_contact(play, mover, &mover.from) || is_in_contact(play, mover, &now))
    };
    movers.iter().filter(is_taken).map(|mover| mover.unit).collect()
}

/// ROUT-11 Whether stands of a mover touch a unit that has come to light in this turn and takes surrenders.
fn is_in_contact(play: &Play<'_>, mover: &Mover, stands: &[Rect]) -> bool {
    let table = play.table();
    let came_to_light = |unit: &Unit| unit.picket.is_some_and(|(_, turn)| turn == table.turn);
    let mut takers = table.units_of(mover.body.side.enemy()).filter(|(_, unit)| came_to_light(unit));
    takers.any(|(ix, unit)| takes_surrender(unit) && least_distance(stands, &table.stands(ix)).within(0))
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
