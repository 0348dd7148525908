//! The special rules of a scenario, as the phases ask for them: modifiers, cover, ground, allowances, orders.
//!
//! Owns the selection of terms (SCNS-01) and their conditions (SCNS-03). It never rolls a die and never applies anything: the
//! chapter that a term bends asks here, and cites the term. Start at [`in_force`].

#[cfg(test)]
mod acts;
mod conditions;
mod defiles;
mod drawing_back;
mod ground;
mod people;
mod rolls;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use protocol::place::Point;
use protocol::words::Formation;

use crate::battle::{Footing, Table, Unit, UnitIx};
use crate::catalogue::{RuleId, SCNS_02, SCNS_08};
use crate::field::Field;
use crate::places;
use crate::scenario::{
    CoverFacing, CoverKind, FormationWord, ModifierOn, OrderWord, PlaceTerm, Special, SpecialKind, Stretch,
};
use crate::sight::SightLimit;

pub use conditions::{has_come_true, holds, left_its_place, mark_triggers};
pub use defiles::{Defile, defile_of, is_charged_in_a_defile};
pub(crate) use drawing_back::{draw_back, fires_before};
pub use ground::{bends, treated};
pub use people::{any_brigade, attached_to, casualty_within_2, leads_as};
pub use rolls::{Roll, rolls_due};
pub(crate) use rolls::{begin_turn, roll, roll_of_term};

/// SCNS-01 The special terms that concern a unit this turn: by side, name, arm, formation and turn. Place and condition are
/// asked by the kinds that have them. A term that is optional is off unless the game has switched it on.
pub fn in_force<'t>(table: &'t Table, unit: &'t Unit) -> impl Iterator<Item = &'t Special> {
    table.scenario().specials.iter().filter(move |special| concerns(table, special, unit, &unit.footing))
}

/// [`in_force`] for one term, and for the unit as it stands in the course of a move.
fn concerns(table: &Table, special: &Special, unit: &Unit, footing: &Footing) -> bool {
    is_now(table, special)
        && special.side.is_none_or(|side| side == unit.side)
        && special.arm.is_none_or(|arm| arm == unit.arm)
        && (special.formation.is_empty() || special.formation.iter().any(|word| stands_in_formation(footing, *word)))
        && (special.who.is_empty() || table.scenario().selected(&special.who).contains(&unit.id))
}

/// SCNS-01 Whether a term takes part in the game: an optional one only when it was switched on.
fn is_on(table: &Table, special: &Special) -> bool {
    !special.optional || table.switched_on.contains(&special.id)
}

/// SCNS-01 Whether a term takes part, and holds in this turn.
pub fn is_now(table: &Table, special: &Special) -> bool {
    is_on(table, special) && special.turns.is_none_or(|(from, to)| (from..=to).contains(&table.turn))
}

fn stands_in_formation(footing: &Footing, word: FormationWord) -> bool {
    match word {
        FormationWord::In(formation) => footing.formation == formation && !footing.disorder,
        FormationWord::Disorder(_) => footing.disorder,
    }
}

/// SCNS-11 The special rule that bars a unit from drawing ammunition at a wagon.
pub fn bars_resupply<'t>(table: &'t Table, unit: &'t Unit) -> Option<&'t str> {
    let mut terms = in_force(table, unit);
    let barring = terms.find(|special| matches!(special.kind, SpecialKind::Ammunition { resupply: false, .. }));
    barring.map(|special| special.id.as_str())
}

/// SCNS-02 The modifiers of one kind that a scenario gives a unit now: rule, label, value, for its list of modifiers.
pub fn modifiers(field: &Field<'_>, unit: UnitIx, of: ModifierOn) -> Vec<(RuleId, String, i32)> {
    let subject = field.unit(unit);
    let terms = in_force(field.table, subject).filter_map(|special| match &special.kind {
        SpecialKind::Modifier { on, value, while_true, until } if *on == of => {
            let lasts = while_true.as_ref().is_none_or(|condition| holds(field, condition, unit))
                && (until.is_none() || !has_come_true(field.table, &special.id, subject))
                && is_in_its_place(field, special, unit);
            lasts.then(|| (SCNS_02, format!("special rule `{}`", special.id), *value))
        }
        _ => None,
    });
    terms.collect()
}

/// SCNS-02 The modifiers of a morale point, in checks and in rallies.
pub fn morale_point(field: &Field<'_>, unit: UnitIx) -> Vec<(RuleId, String, i32)> {
    modifiers(field, unit, ModifierOn::MoralePoint)
}

fn is_in_its_place(field: &Field<'_>, special: &Special, unit: UnitIx) -> bool {
    special.place.as_ref().is_none_or(|place| places::holds_unit(field, place, unit))
}

/// Cover that a scenario gives without an obstacle. SCNS-08
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialCover {
    /// The term.
    pub term: String,
    /// What it is likened to.
    pub treated_as: CoverKind,
}

/// SCNS-08 The cover that special rules give a unit against what comes from a point; none: from anywhere, as for checks
/// with no enemy known. Morale counts it like the thing that it is likened to (MOR-53).
pub fn cover(field: &Field<'_>, unit: UnitIx, from: impl Fn() -> Option<Point>) -> Vec<SpecialCover> {
    let subject = field.unit(unit);
    let front = field.layout(unit).as_target.front;
    let terms = in_force(field.table, subject).filter_map(|special| match &special.kind {
        SpecialKind::Cover { treated_as, facing, while_true } => {
            let meets = match facing {
                CoverFacing::All => true,
                CoverFacing::Front => from().is_none_or(|from| front.in_sector(from)),
            };
            let covers = meets
                && is_in_its_place(field, special, unit)
                && while_true.as_ref().is_none_or(|condition| holds(field, condition, unit));
            covers.then(|| SpecialCover { term: special.id.clone(), treated_as: *treated_as })
        }
        _ => None,
    });
    terms.collect()
}

/// The rule that [`cover`] is cited by.
pub const COVER_RULE: RuleId = SCNS_08;

/// SCNS-09 How far a unit may fall back by itself after it has fired, thousandths of an inch, with the term.
pub fn fall_back_after_fire<'t>(table: &'t Table, unit: &'t Unit) -> Option<(&'t str, i32)> {
    in_force(table, unit).find_map(|special| match special.kind {
        SpecialKind::MoveAllowance { inches, after_own_fire: true } => Some((special.id.as_str(), inches)),
        _ => None,
    })
}

/// SCNS-10 The only orders that a unit may be given now, with the term that says so; none: any.
///
/// The default list is HOLD and FIRST FIRE, and DISENGAGE for a unit that has been charged.
pub fn allowed_orders<'t>(table: &'t Table, unit: &'t Unit) -> Option<(&'t str, BTreeSet<OrderWord>)> {
    let default = || {
        let mut orders = BTreeSet::from([OrderWord::Hold, OrderWord::FirstFire]);
        if unit.marks.charged_by.is_some() {
            orders.insert(OrderWord::Disengage);
        }
        orders
    };
    if unit.marks.stays {
        return Some(("roll", BTreeSet::from([OrderWord::Hold, OrderWord::FirstFire])));
    }
    if unit.marks.draws_off {
        return Some(("roll", BTreeSet::from([OrderWord::Move, OrderWord::Disengage])));
    }
    in_force(table, unit).find_map(|special| match &special.kind {
        SpecialKind::Orders { only, .. } if !has_come_true(table, &special.id, unit) => {
            let orders = if only.is_empty() { default() } else { only.iter().copied().collect() };
            Some((special.id.as_str(), orders))
        }
        SpecialKind::Release { turn } if table.turn < *turn => Some((special.id.as_str(), default())),
        _ => None,
    })
}

/// SCNS-15 Whether a unit may form line with skirmishers by the scenario's leave, whatever its formation at the start.
pub fn screen_allowed(table: &Table, unit: &Unit) -> bool {
    in_force(table, unit).any(|special| matches!(special.kind, SpecialKind::Start { screen_allowed: true, .. }))
}

/// SCNS-15 So many whole turns of FORM it takes to leave the formation of the start; 0: what the book says.
pub fn turns_to_leave(table: &Table, unit: &Unit, formation: Formation) -> u32 {
    let terms = in_force(table, unit).filter_map(|special| match special.kind {
        SpecialKind::Start { formation: start, leave_turns, .. } if start == Some(formation) => Some(leave_turns),
        _ => None,
    });
    terms.max().unwrap_or(0)
}

/// SCN-16, VIS-15 The limits of sight that hold this turn.
pub fn sight_limits(table: &Table) -> Vec<SightLimit> {
    let limits = table.scenario().specials.iter().filter_map(|special| match special.kind {
        SpecialKind::Sight { inches_per_pip }
            if is_on(table, special) && special.turns.is_none_or(|(from, to)| (from..=to).contains(&table.turn)) =>
        {
            Some(SightLimit { per_pip: inches_per_pip, zone: special.place.clone() })
        }
        _ => None,
    });
    limits.collect()
}

/// SCNS-11 After how many fires a unit is out of ammunition, with the term.
pub fn fires_allowed<'t>(table: &'t Table, unit: &'t Unit) -> Option<(&'t str, u32)> {
    let mut terms = in_force(table, unit);
    terms.find_map(|special| match special.kind {
        SpecialKind::Ammunition { fires: Some(fires), .. } => Some((special.id.as_str(), fires)),
        _ => None,
    })
}

/// SCNS-11 The term by which a battery has canister and no shot.
pub fn has_no_shot<'t>(table: &'t Table, unit: &'t Unit) -> Option<&'t str> {
    unit.guns.as_ref()?;
    let mut terms = in_force(table, unit);
    let shotless = terms.find(|special| matches!(special.kind, SpecialKind::Ammunition { canister_only: true, .. }));
    shotless.map(|special| special.id.as_str())
}

/// SCNS-16 The stretches of the edge by which special rules let a unit leave, once what they wait for has come true. A right
/// without a place is to the own exit edge, which is open anyhow (SCN-14).
pub fn exit_rights<'t>(table: &'t Table, unit: &Unit) -> Vec<&'t Stretch> {
    let rights = table.scenario().specials.iter().filter_map(|special| match (&special.kind, &special.place) {
        (SpecialKind::ExitRight { .. }, Some(PlaceTerm::Edge(stretch)))
            if concerns(table, special, unit, &unit.footing) && has_come_true(table, &special.id, unit) =>
        {
            Some(stretch)
        }
        _ => None,
    });
    rights.collect()
}

/// SCNS-15 Whether the FORM of this turn is but one of those that it takes a unit to leave the formation of the start.
pub fn is_still_leaving(table: &Table, unit: &Unit) -> bool {
    unit.carried.leaving + 1 < turns_to_leave(table, unit, unit.footing.formation)
}
