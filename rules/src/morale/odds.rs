//! The exact chances of a unit's checks, by the same reckoning that rolls them.
//!
//! Owns how the chances go from check to check. Which checks are due, what each must beat and what a throw does are asked of
//! [`super::check`]. It throws no die and changes nothing; what follows from a verdict is left out.

use std::collections::BTreeMap;

use protocol::event::Morale;
use protocol::message::Fate;

use super::InCharge;
use super::check::{Case, Due, dice_count, ruling};
use crate::chance::{Chance, sums, ways_of};
use crate::explain::Reckoning;
use crate::field::Field;
use crate::ruleset::Ruleset;
use crate::settle::FiredOn;

/// What may become of a unit in a batch of checks.
#[derive(Clone, Debug)]
pub struct Fates {
    /// How likely each is.
    pub fates: BTreeMap<Fate, Chance>,
    /// What the first of its checks must beat; none if no check is due.
    pub first: Option<Reckoning>,
}

/// MOR-09 What may become of a unit that was fired on: all checks that the fire forces, in order. `field` is the look after
/// its losses. A unit that has lost everybody is lost without a check. ROUT-19
pub fn fates(field: &Field<'_>, phase: u8, fire: &FiredOn) -> Fates {
    fates_in_charge(field, phase, &InCharge::default(), fire)
}

/// MOR-51 As [`fates`], of a unit that may be in a charge.
pub fn fates_in_charge(field: &Field<'_>, phase: u8, charge: &InCharge, fire: &FiredOn) -> Fates {
    let unit = field.unit(fire.unit);
    if unit.figures() == 0 {
        return Fates { fates: [(Fate::Destroyed, Chance::CERTAIN)].into(), first: None };
    }
    let case = Case { fires: vec![fire.clone()], ..Case::default() };
    // TAC-19: a screen that was struck checks by itself.
    let due = match fire.at_screen {
        true => Due::of_screen(field, phase, charge, fire.unit, &case),
        false => Some(Due::new(field, phase, charge, fire.unit, &case)),
    };
    let Some(due) = due else {
        return Fates { fates: [(fate(unit.morale), Chance::CERTAIN)].into(), first: None };
    };
    let mut state = due.begin();
    let mut first = None;
    let mut standing: BTreeMap<Morale, Chance> = [(state.morale, Chance::CERTAIN)].into();
    let mut picked_up = Chance::NEVER;
    for place in 0..due.count() {
        let lost_before = state.lost;
        let mut next: BTreeMap<Morale, Chance> = BTreeMap::new();
        for (morale, chance) in standing {
            (state.morale, state.lost) = (morale, lost_before);
            let Some(point) = due.point(place, &mut state) else {
                add(&mut next, morale, chance);
                continue;
            };
            let dice = dice_count(field.rules);
            for (thrown, ways) in sums(dice) {
                let ruling = ruling(field.rules, morale, point.total(), thrown);
                let share = chance * Chance::new(ways, ways_of(dice));
                if ruling.picked_up {
                    picked_up = picked_up + share;
                } else {
                    add(&mut next, ruling.after, share);
                }
            }
            first.get_or_insert(point);
        }
        standing = next;
    }
    let mut fates: BTreeMap<Fate, Chance> =
        standing.into_iter().map(|(morale, chance)| (fate(morale), chance)).collect();
    if picked_up.is_possible() {
        fates.insert(Fate::PickedUp, picked_up);
    }
    Fates { fates, first }
}

/// MOR-03 to MOR-06 How likely a unit of that morale passes a check in which it must beat that point.
pub fn chance_to_pass(rules: &Ruleset, morale: Morale, point: i32) -> Chance {
    let dice = dice_count(rules);
    let passing = sums(dice).into_iter().filter(|(thrown, _)| ruling(rules, morale, point, *thrown).passed);
    Chance::new(passing.map(|(_, ways)| ways).sum(), ways_of(dice))
}

/// The fate of a unit that stands in that morale.
pub fn fate(morale: Morale) -> Fate {
    match morale {
        Morale::Good => Fate::Good,
        Morale::Shaken => Fate::Shaken,
        Morale::Routed => Fate::Routed,
    }
}

fn add(chances: &mut BTreeMap<Morale, Chance>, morale: Morale, chance: Chance) {
    let known = chances.entry(morale).or_insert(Chance::NEVER);
    *known = *known + chance;
}
