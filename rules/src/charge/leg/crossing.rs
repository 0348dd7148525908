//! The obstacles and works that the members of a charge cross on a leg. OBS-11 to OBS-14, WORKS-11, WORKS-18
//!
//! Owns how far each member comes after it. What crossing does to a unit is [`super::super::obstacle`]'s.

use super::super::obstacle::{self, Barrier, Crossed};
use super::super::run::Run;
use super::Leg;
use super::plan::Event;
use crate::battle::UnitIx;
use crate::field::Field;
use crate::play::Play;

/// OBS-01 The obstacles that the members meet on a leg up to a travel.
pub(super) fn planned(field: &Field<'_>, run: &Run, end: i32) -> Vec<(i32, Event)> {
    let members = run.members().into_iter().enumerate();
    let met = members.flat_map(|(place, member)| {
        let on_way = obstacle::on_way(field, member, run.bearing, end).into_iter();
        on_way.map(move |met| (met.travel, Event::Obstacle { place, member, met }))
    });
    met.collect()
}

impl Leg {
    /// OBS-11 to OBS-14, WORKS-11, WORKS-18 A member crosses an obstacle. The travel to contact after that.
    pub(super) fn crosses(
        &mut self,
        play: &mut Play<'_>,
        run: &mut Run,
        member: UnitIx,
        met: &Barrier,
        contact: Option<i32>,
    ) -> Option<i32> {
        if self.gone.get(&member).is_none_or(|gone| *gone < met.travel) || !run.members().contains(&member) {
            return contact;
        }
        run.tell_way(play, None);
        let left = run.left_to(member);
        let crossed = obstacle::cross(play, run, member, met, left);
        let reach = self.way.reach(run.left_to(member) + run.spent - self.spent);
        match crossed {
            Crossed::GoesOn if member == run.point => {
                // Never farther than before: horse may have turned away from a square. TAC-42
                self.reach = reach.min(self.reach);
                return self.contact(play, run);
            }
            Crossed::Halts(travel) if member == run.point => {
                self.reach = self.at + travel;
                self.stopped = Some(met.kind);
                return None;
            }
            Crossed::GoesOn if contact.is_none_or(|contact| contact <= reach) => {
                let hold = self.holds.entry(member).or_insert(i32::MAX);
                *hold = reach.min(*hold);
            }
            Crossed::GoesOn | Crossed::Halts(_) => falls_behind(play, run, member),
        }
        contact
    }
}

/// OBS-13 A support that can no longer come so far as the target halts just across and leaves the charge.
fn falls_behind(play: &mut Play<'_>, run: &mut Run, ix: UnitIx) {
    let across = obstacle::travel_across(play, run, ix);
    run.carry(play, ix, 0, across);
    run.tell_way(play, None);
    run.leaves(ix);
    play.table_mut()[ix].marks.order_spent = true;
}
