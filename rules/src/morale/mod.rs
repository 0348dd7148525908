//! Morale: what a step did to units is turned into checks, fall-backs, routs and losses, until nothing is owed.
//!
//! Owns chapter MOR: the batches and waves of TURN-04 and MOR-33 to MOR-38. A wave reads one snapshot, finds all verdicts,
//! then applies them together; what friends see of it is the next wave. It never fires, and never chooses for a player.
//!
//! Start at [`settle`]. The sum of a check stands in [`point`], the checks of one unit in [`check`], who sees what in
//! [`sighting`], what a verdict changes in [`consequence`], the moves of a wave in [`flight`].

mod battalion;
mod cause;
pub mod check;
mod columns;
pub mod consequence;
pub mod driven;
pub mod flight;
mod now;
mod odds;
pub mod officer;
pub mod point;
pub mod reference;
mod screens;
pub mod shelter;
pub mod sighting;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::battle::{Unit, UnitIx};
use crate::catalogue::ROUT_19;
use crate::column;
use crate::field::Field;
use crate::hidden;
use crate::leaders::{self, Help};
use crate::play::Play;
use crate::rout::{self, Loss};
use crate::settle::Happening;

use check::{Case, examine};
pub use now::{PointNow, point_now, rally_now};
pub use odds::{Fates, chance_to_pass, fate, fates, fates_in_charge};
pub use point::{Cause, Modifiers, State, base_point};
use sighting::Happened;
pub use sighting::Queued;

/// What a charge under way changes about checks. Empty outside phase 6.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InCharge {
    /// Points, supports, counterchargers and targets of charges pending or running: they look at routs later. MOR-39
    pub engaged: BTreeSet<UnitIx>,
    /// Units whose charge or countercharge has begun: they have elan and no cover. MOR-51, MOR-52
    pub charging: BTreeSet<UnitIx>,
    /// The opposing unit of each that is in contact. MOR-45, MOR-59
    pub opponent: BTreeMap<UnitIx, UnitIx>,
    /// The losses are those of a melee round: no fire modifiers, nobody falls back, a rout is a surrender. MOR-45, SHK-17
    pub melee: bool,
    /// A disengaging unit that was taken from behind, in the first round of that melee. DIS-17
    pub caught: Option<UnitIx>,
}

impl InCharge {
    /// LEAD-11, IMP-11 What a unit wants a leader's help for when it checks or strikes.
    pub fn help(&self, ix: UnitIx, unit: &Unit) -> Help {
        match self.charging.contains(&ix) {
            false => Help::Morale,
            true if unit.marks.countercharged => Help::Countercharge,
            true => Help::Charge,
        }
    }
}

/// TURN-04, MOR-33 to MOR-38 Takes all checks that the happenings of one simultaneous step force, and all that follows.
pub fn settle(play: &mut Play, happenings: Vec<Happening>) {
    // Nobody is engaged, so nothing can be put off.
    settle_in_charge(play, happenings, &InCharge::default());
}

/// MOR-39 As [`settle`], within a charge. What the engaged will look at when their charge is over comes back, for
/// [`look_back`].
pub fn settle_in_charge(play: &mut Play, happenings: Vec<Happening>, charge: &InCharge) -> Vec<Queued> {
    let mut queue = Vec::new();
    let wiped_out = remove_wiped_out(play, &happenings);
    let mut cases: BTreeMap<UnitIx, Case> = BTreeMap::new();
    {
        let before = play.table().clone();
        let field = Field::new(play.rules, &before, play.dice);
        let mut happened: Vec<Happened> = wiped_out
            .iter()
            .filter_map(|ix| sighting::loss(&field, *ix))
            .map(|seen| Happened { how: Loss::WipedOut.seen(), ..seen })
            .collect();
        for happening in happenings {
            match happening {
                // TAC-33 The stands of those behind the lead of a column are counted already; it checks for all.
                Happening::FiredOn(fire) if field.unit(fire.unit).follows_in_column() => {}
                Happening::FiredOn(fire) if field.unit(fire.unit).on_table() => {
                    let case = cases.entry(fire.unit).or_default();
                    if fire.at_screen { &mut case.screen } else { &mut case.fires }.push(fire);
                }
                Happening::FiredOn(_) => {}
                Happening::Routed(ix) => {
                    happened.extend(sighting::rout(&field, ix, vec![sighting::place_of(field.unit(ix))]))
                }
                Happening::LeftGuns(ix) => happened.extend(sighting::guns_left(&field, ix)),
                Happening::Removed(ix) => happened.extend(sighting::loss(&field, ix)),
                Happening::OfficerHit(leader) => happened.extend(sighting::officer(&field, &leader)),
            }
        }
        offer(play, &field, charge, &happened, &mut cases, &mut queue);
    }
    cascade(play, cases, charge, &mut queue);
    queue
}

/// MOR-39 The checks of units whose charge is over, for what was put off. One batch, with its own consequences.
pub fn look_back(play: &mut Play, queued: &[Queued], charge: &InCharge) -> Vec<Queued> {
    let mut queue = Vec::new();
    let mut cases = BTreeMap::new();
    let before = play.table().clone();
    sighting::look_back(&Field::new(play.rules, &before, play.dice), queued, &mut cases);
    cascade(play, cases, charge, &mut queue);
    queue
}

/// CHG-46 The checks of supports that press on past their halted point, in one batch, and all that follows. Who is in good
/// morale afterwards has passed.
pub fn press_on(play: &mut Play, units: &[UnitIx], charge: &InCharge) -> Vec<Queued> {
    let mut queue = Vec::new();
    let pressing = |ix: &UnitIx| (*ix, Case { presses_on: true, ..Case::default() });
    cascade(play, units.iter().map(pressing).collect(), charge, &mut queue);
    queue
}

/// RALLY-02, RALLY-03 The moves of all routed units in phase 2, with the checks of those who see them and all that follows.
/// The units that ran to the table edge and stayed there, whose attempt to rally has thus been made. RALLY-08
pub fn routed_moves(play: &mut Play) -> Vec<UnitIx> {
    let (mut queue, mut cases) = (Vec::new(), BTreeMap::new());
    let charge = InCharge::default();
    let before = play.table().clone();
    let field = Field::new(play.rules, &before, play.dice);
    let routed = before.units().filter(|(_, unit)| !unit.is_unrouted());
    let movers: Vec<_> =
        routed.map(|(ix, _)| rout::routed_move(&field, ix, reference::reference(&field, ix, &[], None))).collect();
    let (happened, tried) = consequence::routed_moves(play, &field, &movers);
    offer(play, &field, &charge, &happened, &mut cases, &mut queue);
    cascade(play, cases, &charge, &mut queue);
    tried
}

/// RALLY-24 Units that rout without a forced check run at once; with other happenings of the step, and all that follows.
pub fn rout_at_once(play: &mut Play, routs: &[UnitIx], happenings: Vec<Happening>) {
    let (mut queue, mut cases) = (Vec::new(), BTreeMap::new());
    let charge = InCharge::default();
    let before = play.table().clone();
    let field = Field::new(play.rules, &before, play.dice);
    // TAC-32 A column routs whole.
    let all = routs.iter().flat_map(|ix| column::members(field.table, *ix));
    let verdicts = all.map(check::Verdict::routed).collect();
    let mut happened = consequence::apply(play, &field, &charge, verdicts);
    for happening in happenings {
        if let Happening::Removed(ix) = happening {
            happened.extend(sighting::loss(&field, ix));
        }
    }
    offer(play, &field, &charge, &happened, &mut cases, &mut queue);
    cascade(play, cases, &charge, &mut queue);
}

/// MOR-36 Wave after wave, until a wave has no happenings.
fn cascade(play: &mut Play, mut cases: BTreeMap<UnitIx, Case>, charge: &InCharge, queue: &mut Vec<Queued>) {
    loop {
        while !cases.is_empty() {
            cases = wave(play, &cases, charge, queue);
            // HID-38 In phase 7 the end of the segment is soon enough.
            if matches!(play.phase, 4 | 5 | 6 | 8) {
                hidden::look(play);
            }
        }
        // HID-59 Hidden units check apart, and whoever fails is then one of those that are seen.
        let happened = hidden::check_under_seal(play, charge);
        if happened.is_empty() {
            return;
        }
        let before = play.table().clone();
        let field = Field::new(play.rules, &before, play.dice);
        offer(play, &field, charge, &happened, &mut cases, queue);
    }
}

/// MOR-20 Offers happenings to all who see them, hidden units under seal.
fn offer(
    play: &mut Play,
    field: &Field,
    charge: &InCharge,
    happened: &[Happened],
    cases: &mut BTreeMap<UnitIx, Case>,
    queue: &mut Vec<Queued>,
) {
    sighting::offer(field, charge, happened, cases, queue);
    play.owed.happened.extend_from_slice(happened);
}

/// MOR-34 to MOR-36 One wave: all checks from one snapshot, then all moves, then what friends saw of them.
fn wave(
    play: &mut Play,
    cases: &BTreeMap<UnitIx, Case>,
    charge: &InCharge,
    queue: &mut Vec<Queued>,
) -> BTreeMap<UnitIx, Case> {
    // LEAD-07: one allotment of help for all checks of the wave.
    // MOR-64 Who checks as one with others has its case in theirs.
    let battalions: Vec<(Vec<UnitIx>, Case)> = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let battalions = if charge.melee { Vec::new() } else { battalion::battalions(&field) };
        battalions
            .into_iter()
            .filter_map(|members| battalion::joined(&members, cases).map(|case| (members, case)))
            .collect()
    };
    let alone = |ix: &UnitIx| battalions.iter().all(|(members, _)| !members.contains(ix));
    let help = |ix: UnitIx| (ix, charge.help(ix, &play.table()[ix]));
    let mut batch: Vec<(UnitIx, Help)> =
        cases.keys().filter(|ix| play.table()[**ix].on_table() && alone(ix)).map(|ix| help(*ix)).collect();
    if !battalions.is_empty() {
        let field = Field::new(play.rules, play.table(), play.dice);
        let helped = battalions.iter().filter_map(|(members, _)| battalion::helped(&field, members));
        batch.extend(helped.map(help));
    }
    leaders::allot(play, &batch);
    let before = play.table().clone();
    let field = Field::new(play.rules, &before, play.dice);
    let due = cases.iter().filter(|(ix, _)| field.unit(**ix).on_table() && alone(ix));
    let mut verdicts = Vec::new();
    for (ix, case) in due {
        let verdict = examine(play, &field, charge, *ix, case);
        let shared = columns::shared(&field, &verdict);
        verdicts.push(verdict);
        verdicts.extend(shared);
    }
    for (members, case) in &battalions {
        verdicts.extend(battalion::examine(play, &field, charge, members, case));
    }
    for ix in cases.keys() {
        column::answer(play.table_mut(), *ix);
    }
    let happened = consequence::apply(play, &field, charge, verdicts);
    for fire in cases.values().flat_map(|case| &case.fires).filter(|fire| fire.first_casualty) {
        play.table_mut()[fire.unit].first_casualty_taken = true;
    }
    let mut next = BTreeMap::new();
    offer(play, &field, charge, &happened, &mut next, queue);
    next
}

/// ROUT-19 Units whose last figure fell in the step are lost without a check.
fn remove_wiped_out(play: &mut Play, happenings: &[Happening]) -> BTreeSet<UnitIx> {
    let fired_on = happenings.iter().filter_map(|happening| match happening {
        Happening::FiredOn(fire) => Some(fire.unit),
        Happening::Routed(_) | Happening::LeftGuns(_) | Happening::Removed(_) | Happening::OfficerHit(_) => None,
    });
    let wiped_out: BTreeSet<UnitIx> =
        fired_on.filter(|ix| play.table()[*ix].on_table() && play.table()[*ix].figures() == 0).collect();
    for ix in &wiped_out {
        // ARTY-48 The guns outlast the infantry that manned them.
        let unit = &play.table()[*ix];
        let left = rout::abandoned(unit).filter(|_| unit.is_manned_by_infantry()).map(|guns| (unit.id.clone(), guns));
        play.table_mut().abandoned.extend(left);
        rout::lose(play, *ix, ROUT_19, Loss::WipedOut, Vec::new());
    }
    wiped_out
}
