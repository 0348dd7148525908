//! Whether special rules say something that can be played: fields that their kind does not read, and words that do not go
//! together. SCN-01, SCNS-01
//!
//! Owns these complaints, and the trees that sight has in place of the map's (SCNS-07), which are the same for everybody.

use super::check::Placed;
use super::entry::Shared;
use super::{Force, GroundUse, HiddenStarts, PlaceTerm, RollOn, RollResult, Special, SpecialKind};
use crate::ground::{Ground, Terrain, Wooded};
use crate::setup::arm_may_stand;
use protocol::words::{Arm, Formation};

/// Complains of every special rule that could never do what it says.
pub(super) fn check(shared: &Shared<'_>, ground: &Ground, forces: &Placed<Force>, specials: &Placed<Special>) {
    for (at, special) in specials {
        let mut fault = |what: &str, cure: &str| {
            shared.faults.add(*at, format!("special `{}`: {what}", special.id), cure);
        };
        roll(special, &mut fault);
        place(special, &mut fault);
        reach_of_selection(special, &mut fault);
        sight(ground, special, &mut fault);
        for (_, force) in forces.iter().filter(|(_, force)| names(special, force)) {
            troops(special, force, &mut fault);
        }
    }
}

/// SCN-07, SCNS-13 Who begins hidden is said by the setting and by the terms alike.
pub(super) fn hidden(shared: &Shared<'_>, told: Option<HiddenStarts>, specials: &Placed<Special>) {
    let mut terms = specials.iter().filter(|(_, special)| matches!(special.kind, SpecialKind::HiddenStart { .. }));
    match (told, terms.next()) {
        (Some(HiddenStarts::None), Some((at, special))) => {
            let what = format!("special `{}`: nobody begins hidden, by `hidden = \"none\"`", special.id);
            shared.faults.add(*at, what, "say `hidden = \"listed\"`, or leave out the term (SCN-07)");
        }
        (Some(HiddenStarts::Listed), None) => {
            let cure = "add a special rule of kind `hidden_start`, or say `hidden = \"none\"` (SCN-07)";
            shared.faults.add(0, "`hidden = \"listed\"`, and no unit is listed", cure);
        }
        _ => {}
    }
}

type Fault<'f> = dyn FnMut(&str, &str) + 'f;

/// SCNS-04 Which results have a meaning at which event.
fn roll(special: &Special, fault: &mut Fault<'_>) {
    let SpecialKind::Roll { on, result, .. } = &special.kind else { return };
    let (known, words): (&[RollResult], &str) = match on {
        RollOn::Fires | RollOn::Check => (
            &[RollResult::OutOfAmmunition, RollResult::Disorder, RollResult::Cease],
            "`out_of_ammunition`, `disorder` or `cease`",
        ),
        RollOn::Crosses => {
            (&[RollResult::Disorder, RollResult::Halt, RollResult::NotDone], "`disorder`, `halt` or `not_done`")
        }
        RollOn::TurnStart => (
            &[RollResult::OutOfAmmunition, RollResult::Disorder, RollResult::NotDone, RollResult::WithdrawTurn],
            "`out_of_ammunition`, `disorder`, `not_done` or `withdraw_turn`",
        ),
    };
    if !known.contains(result) {
        fault("its `result` means nothing at this event", &format!("use {words} (SCNS-04)"));
    }
    if *on == RollOn::Crosses && special.place.is_none() {
        fault("it does not say what is crossed", "give `place`, a line of the map or an area with fences (SCNS-04)");
    }
}

/// SCNS-14, SCNS-16 Which kinds of place a term takes.
fn place(special: &Special, fault: &mut Fault<'_>) {
    match (&special.kind, &special.place) {
        (SpecialKind::RestrictedPlace { .. }, Some(place))
            if !matches!(place, PlaceTerm::Feature(_) | PlaceTerm::Area(_)) =>
        {
            fault("such a place has no direction", "give `place`, a feature of the map, or `area` (SCNS-14)");
        }
        (SpecialKind::ExitRight { .. }, Some(place)) if !matches!(place, PlaceTerm::Edge(_)) => {
            fault("units leave by an edge", "give `edge = [\"east\", from, to]` (SCNS-16)");
        }
        _ => {}
    }
}

/// SCNS-01 Selections that a kind never looks at.
fn reach_of_selection(special: &Special, fault: &mut Fault<'_>) {
    let from_the_start = matches!(
        special.kind,
        SpecialKind::Start { .. } | SpecialKind::Weapon { .. } | SpecialKind::HiddenStart { .. }
    );
    if from_the_start && (special.turns.is_some() || special.place.is_some()) {
        fault("it holds from the start, everywhere", "leave out `turns` and the place (SCNS-15)");
    }
    let nobodys = matches!(special.kind, SpecialKind::Sight { .. } | SpecialKind::OffTableBattery { .. });
    if nobodys && !special.who.is_empty() {
        fault("it concerns no unit", "leave out `who` (SCN-16, SCNS-05)");
    }
}

/// SCNS-07 Sight looks at ground from everywhere at once, so what it makes of it is the same for all.
fn sight(ground: &Ground, special: &Special, fault: &mut Fault<'_>) {
    if !for_sight(special) {
        return;
    }
    let known =
        matches!(&special.place, Some(PlaceTerm::Feature(id)) if ground.areas.iter().any(|area| area.id == *id));
    if !known {
        fault("for sight it names no area of the map", "give `place = \"...\"`, the id of a [[map.area]] (SCNS-07)");
    }
    let narrowed = special.side.is_some()
        || !special.who.is_empty()
        || special.arm.is_some()
        || !special.formation.is_empty()
        || special.turns.is_some()
        || special.optional;
    if narrowed {
        fault(
            "sight over ground is the same for everybody at all times",
            "leave out `side`, `who`, `arm`, `formation`, `turns` and `optional`, or give sight a term of its own (SCNS-07)",
        );
    }
}

fn for_sight(special: &Special) -> bool {
    matches!(&special.kind, SpecialKind::Terrain { uses, .. } if uses.contains(&GroundUse::Sight))
}

/// SCNS-07 The trees of areas as sight has them, by the area's place on the map.
pub(super) fn trees_for_sight(ground: &Ground, specials: &Placed<Special>) -> Vec<(usize, Wooded)> {
    let terms = specials.iter().filter(|(_, special)| for_sight(special)).filter_map(|(_, special)| {
        let SpecialKind::Terrain { treated_as, wooded, .. } = &special.kind else { return None };
        let Some(PlaceTerm::Feature(id)) = &special.place else { return None };
        let area = ground.areas.iter().position(|area| area.id == *id)?;
        let trees = match treated_as {
            Some(Terrain::Woods) => Wooded::Light,
            _ => Wooded::None,
        };
        Some((area, wooded.unwrap_or(trees)))
    });
    terms.collect()
}

/// SCNS-11, SCNS-12, SCNS-15, SCNS-16 What a term gives a unit that cannot have it.
fn troops(special: &Special, force: &Force, fault: &mut Fault<'_>) {
    let id = &force.id;
    match &special.kind {
        SpecialKind::Start { formation: Some(Formation::BrigadeColumn), .. } => {
            fault(
                "a brigade column is formed in play, or begun by `[[column]]`",
                "begin in another formation (TAC-27)",
            );
        }
        SpecialKind::Start { formation: Some(formation), .. } if !arm_may_stand(force.arm, *formation) => {
            fault(&format!("`{id}` cannot stand in {formation}"), "give a formation of its arm (SCNS-15)");
        }
        SpecialKind::Start { limbered: Some(_), .. } if force.arm != Arm::Artillery => {
            fault(&format!("`{id}` has no guns"), "name batteries, or leave out `limbered` (SCNS-15)");
        }
        SpecialKind::Start { mounted: Some(_), .. } if force.arm != Arm::Cavalry => {
            fault(&format!("`{id}` has no horses to ride"), "name cavalry, or leave out `mounted` (SCNS-15)");
        }
        SpecialKind::Weapon { .. } if force.arm == Arm::Artillery => {
            fault(&format!("`{id}` has guns"), "say `gun` in its [[battery]] (SCNS-16)");
        }
        SpecialKind::Ammunition { canister_only: true, .. } if force.arm != Arm::Artillery => {
            fault(&format!("`{id}` has no canister"), "name batteries (SCNS-11)");
        }
        SpecialKind::Leader { .. } if special.names_unit(id) => {
            fault(&format!("`{id}` is no leader"), "name commanders in `who` (SCNS-12)");
        }
        _ => {}
    }
}

/// Whether a term names a unit by itself, or the commander right above it.
fn names(special: &Special, force: &Force) -> bool {
    special.names_unit(&force.id) || special.who.iter().any(|who| who == force.under.as_str())
}
