//! What guns do to works and buildings. COVER-12 to COVER-15
//!
//! Owns the breach and the ruin. Cover is judged anew from the next fire on.

use protocol::event::Fact;
use protocol::words::{Arm, Quality};

use super::Seen;
use super::officers::Officers;
use super::resolve::Fire;
use super::tell::{called, capital};
use crate::battle::UnitIx;
use crate::catalogue::{ARTY_53, COVER_12, COVER_13, COVER_14, COVER_15};
use crate::explain::{Explain, Reckoning, sentence};
use crate::field::Field;
use crate::geometry::{mean, polyline_length};
use crate::ground::{BuildingKind, Stretch};
use crate::play::Play;
use crate::ruleset::{GunKind, Strength};

/// Half of the inch that a breach takes out, thousandths of an inch. COVER-15
const HALF_INCH: i32 = 500;

/// After a fire and its losses: an inch of works, or the building that the target is in. Only shot and shell of guns at what
/// they see do either. HID-80
pub(super) fn batter(play: &mut Play<'_>, field: &Field<'_>, fire: &Fire, lost: &[(UnitIx, u32)], officers: &Officers) {
    let shot = &fire.laid.shot;
    let guns = field.unit(shot.lead()).arm == Arm::Artillery;
    if guns && !shot.round.is_canister() && shot.seen == Seen::Plainly {
        breach(play, field, fire, officers);
        ruin(play, field, lost);
    }
}

/// COVER-13, COVER-15 Enough sections and a high roll open an inch of the works that the target claims.
fn breach(play: &mut Play<'_>, field: &Field<'_>, fire: &Fire, officers: &Officers) {
    let (Some(grade), Strength::Sections(sections)) = (fire.laid.cover.works, fire.laid.strength) else { return };
    let needed = field.rules.works_destruction.at(grade);
    let roll = works_roll(field, fire, officers);
    if sections < needed.sections || roll.total() < needed.roll {
        return;
    }
    let centers: Vec<_> = fire.laid.eligible().iter().map(|stand| stand.center).collect();
    let Some(middle) = mean(&centers) else { return };
    let crossings = field.ground().crossings(fire.laid.from(), middle);
    let Some(hit) = crossings.into_iter().rev().find(|crossing| crossing.obstacle.kind.is_works()) else { return };
    let length = polyline_length(&hit.obstacle.line);
    // Nearer than half an inch to an end: the last inch at that end.
    let from = (hit.along - HALF_INCH).min(length - 2 * HALF_INCH).max(0);
    let gap = Stretch { from, to: (from + 2 * HALF_INCH).min(length) };
    let obstacle = hit.obstacle.id.clone();
    play.table_mut().changes.open_gap(&obstacle, gap);
    let target = field.unit(fire.laid.shot.target);
    let text = format!("The guns open an inch of the works before {}.", called(&target.name));
    let told = sentence(text).with_sum(&roll).with_note(COVER_15, "the inch about the line of fire");
    play.tell(COVER_13, Fact::Special { unit: Some(target.id.clone()) }, told);
}

/// COVER-14 The dice, and only these modifiers.
fn works_roll(field: &Field<'_>, fire: &Fire, officers: &Officers) -> Reckoning {
    let shot = &fire.laid.shot;
    let units: Vec<_> = shot.firers.iter().map(|firer| firer.unit).collect();
    let drm = &field.rules.works_destruction_drm;
    let mut roll = Reckoning::of("roll against the works");
    roll.add(COVER_13, "dice", fire.thrown.faces.iter().map(|face| i32::from(*face)).sum());
    let elite = units.iter().all(|unit| field.unit(*unit).quality == Quality::Elite);
    roll.add_if(elite, COVER_14, "elite battery", drm.elite_battery);
    roll.add_if(officers.helping(field, &units).is_some(), COVER_14, "artillery officer", drm.artillery_officer);
    let guns: Vec<_> = units.iter().filter_map(|unit| field.rules.gun.get(&field.unit(*unit).weapon)).collect();
    if guns.iter().all(|gun| gun.class != GunKind::Field) {
        roll.add(COVER_14, "siege guns", guns.iter().map(|gun| gun.drm).min().unwrap_or(0));
        let in_a_row = fire.laid.modifiers.terms().iter().filter(|term| term.0 == ARTY_53).map(|term| term.2).sum();
        roll.add_if(in_a_row != 0, ARTY_53, "further shots at the same target", in_a_row);
    }
    roll
}

/// COVER-12 A building falls when its occupants have lost enough to guns in this turn, in one fire or in several. The ground
/// beneath becomes broken.
fn ruin(play: &mut Play<'_>, field: &Field<'_>, lost: &[(UnitIx, u32)]) {
    for (victim, figures) in lost.iter().filter(|(_, figures)| 0 < *figures) {
        let Some(building) = field.ground().building_of(&field.stands(*victim)) else { continue };
        let casualty = &field.rules.casualty;
        let needed = match building.kind {
            BuildingKind::Wood => casualty.wood_building_destroyed_by,
            BuildingKind::Stone => casualty.stone_building_destroyed_by,
        };
        let table = play.table_mut();
        let sum = table.building_losses.entry(building.id.clone()).or_default();
        *sum += figures;
        let sum = *sum;
        if sum < needed.unsigned_abs() || !table.changes.destroyed_buildings.insert(building.id.clone()) {
            continue;
        }
        let mut losses = Reckoning::of("figures lost in it this turn");
        losses.add(COVER_12, "its occupants, to shot and shell", i32::try_from(sum).unwrap_or(i32::MAX));
        let told = sentence(format!("{} is shot to pieces.", capital(&building.name))).with_sum(&losses);
        play.tell(COVER_12, Fact::Special { unit: Some(field.unit(*victim).id.clone()) }, told);
    }
}
