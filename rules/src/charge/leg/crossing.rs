//! The obstacles and works that the members of a charge cross on a leg. OBS-11 to OBS-14, WORKS-11, WORKS-18
//!
//! Owns who crosses when, and how far each member comes after it. What crossing does to a unit is [`super::super::obstacle`]'s.

use std::collections::BTreeMap;

use super::super::obstacle::{self, Crossed};
use super::super::run::Run;
use super::super::sweep::Slide;
use super::super::threat::distance;
use super::Leg;
use super::plan::Event;
use crate::battle::UnitIx;
use crate::dice::{Purpose, break_tie};
use crate::field::Field;
use crate::ground::Across;
use crate::play::Play;

/// OBS-01, OBS-13 The obstacles that the members meet on a leg up to a travel, each member by its place in the order of crossing.
pub(super) fn planned(play: &Play<'_>, field: &Field<'_>, run: &Run, end: i32) -> Vec<(i32, Event)> {
    let on_way = |member: UnitIx| obstacle::on_way(field, member, run.bearing, end);
    let supports = run.supports.iter().copied().filter(|support| !on_way(*support).is_empty()).collect();
    let members = std::iter::once(run.point).chain(in_order(play, field, run.point, supports)).enumerate();
    let met = members.flat_map(|(place, member)| {
        on_way(member).into_iter().map(move |met| (met.travel, Event::Obstacle { place, member, met }))
    });
    met.collect()
}

/// OBS-13 Supports in the order of their distance from the point, level ones by their dice.
fn in_order(play: &Play<'_>, field: &Field<'_>, point: UnitIx, supports: Vec<UnitIx>) -> Vec<UnitIx> {
    let mut by_distance: BTreeMap<i32, Vec<UnitIx>> = BTreeMap::new();
    for ix in supports {
        by_distance.entry(distance(field, point, ix).rounded()).or_default().push(ix);
    }
    let in_turn = |level: Vec<UnitIx>| {
        let keys: Vec<Vec<&str>> = level.iter().map(|ix| vec![field.unit(*ix).id.as_str()]).collect();
        let order = break_tie(play.dice, play.phase, Purpose::TieObstacle, &keys).order;
        order.into_iter().map(|place| level[place]).collect::<Vec<_>>()
    };
    by_distance.into_values().flat_map(in_turn).collect()
}

impl Leg {
    /// OBS-11 to OBS-14, WORKS-11, WORKS-18 A member crosses an obstacle. The travel to contact after that.
    pub(super) fn crosses(
        &mut self,
        play: &mut Play<'_>,
        run: &mut Run,
        member: UnitIx,
        met: &Across,
        contact: Option<i32>,
    ) -> Option<i32> {
        let has_come = self.gone.get(&member).is_some_and(|gone| met.travel <= *gone);
        if !has_come || self.stopped.is_some() || !run.members().contains(&member) {
            return contact;
        }
        let crossed = obstacle::cross(play, run, member, met, run.left_to(member));
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
                self.holds_supports(play, run);
                return None;
            }
            Crossed::GoesOn if contact.is_none_or(|contact| contact <= reach) => {
                let hold = self.holds.entry(member).or_insert(i32::MAX);
                *hold = reach.min(*hold);
            }
            Crossed::GoesOn | Crossed::Halts(_) => self.falls_behind(play, run, member),
        }
        contact
    }

    /// OBS-13 Where the point is stopped its supports halt before what they have still to cross.
    fn holds_supports(&mut self, play: &Play<'_>, run: &Run) {
        let field = Field::new(play.rules, play.table(), play.dice);
        for support in &run.supports {
            let gone = self.gone.get(support).copied().unwrap_or(0);
            let ahead = obstacle::on_way(&field, *support, run.bearing, (self.reach - gone).max(0));
            if let Some(met) = ahead.first() {
                let hold = self.holds.entry(*support).or_insert(i32::MAX);
                *hold = (gone + met.travel).min(*hold);
            }
        }
    }

    /// OBS-13 A support that can no longer come so far as the target leaves the charge, and is to halt just across.
    fn falls_behind(&mut self, play: &mut Play<'_>, run: &mut Run, ix: UnitIx) {
        self.stragglers.insert(ix, self.at + obstacle::travel_across(play, run, ix));
        run.leaves(ix);
        play.table_mut()[ix].marks.order_spent = true;
    }

    /// OBS-13 Those who have fallen behind go on with the others, no farther than where they are to halt.
    pub(super) fn advance_stragglers(&mut self, play: &mut Play<'_>, run: &mut Run, travel: i32) {
        for (ix, stop) in &self.stragglers {
            let from = self.gone.get(ix).copied().unwrap_or(0);
            let to = travel.min(*stop).max(from);
            run.carry(play, *ix, from, to);
            self.gone.insert(*ix, to);
        }
    }

    /// OBS-13 At the end of the leg they come up to where they halt, as far as nobody stands in their way.
    pub(super) fn bring_up_stragglers(&mut self, play: &mut Play<'_>, run: &mut Run) {
        for (ix, stop) in std::mem::take(&mut self.stragglers) {
            let gone = self.gone.get(&ix).copied().unwrap_or(0);
            let rest = (stop - gone).max(0);
            let free = {
                let field = Field::new(play.rules, play.table(), play.dice);
                let slide = Slide::new(field.stands(ix), run.bearing);
                let others = field.table.units().filter(|(other, _)| *other != ix);
                let met = others.filter_map(|(other, _)| slide.first_overlap(&field.stands(other), rest)).min();
                met.map_or(rest, |at| (at - 1).max(0))
            };
            run.carry(play, ix, gone, gone + free);
            run.tell_way_of(play, ix, Some("too late across to be of help"));
        }
    }
}
