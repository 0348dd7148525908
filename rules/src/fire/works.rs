//! What guns do to works and buildings. COVER-12 to COVER-15
//!
//! Owns the breach and the ruin. Cover is judged anew from the next fire on.

use protocol::event::Fact;
use protocol::words::{Arm, Quality};

use super::Seen;
use super::officers::Officers;
use super::resolve::Fire;
use super::tell::{called, capital};
use crate::catalogue::{COVER_12, COVER_13, COVER_14, COVER_15};
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
pub(super) fn batter(play: &mut Play<'_>, field: &Field<'_>, fire: &Fire, officers: &Officers) {
    let shot = &fire.laid.shot;
    let guns = field.unit(shot.lead()).arm == Arm::Artillery;
    if guns && !shot.round.is_canister() && shot.seen == Seen::Plainly {
        breach(play, field, fire, officers);
        ruin(play, field, fire);
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
    }
    roll
}

/// COVER-12 The building falls when its occupants have lost enough to one fire. The ground beneath becomes broken.
fn ruin(play: &mut Play<'_>, field: &Field<'_>, fire: &Fire) {
    let target = field.unit(fire.laid.shot.target);
    let Some(building) = field.ground().building_of(&field.stands(fire.laid.shot.target)) else { return };
    let needed = match building.kind {
        BuildingKind::Wood => field.rules.casualty.wood_building_destroyed_by,
        BuildingKind::Stone => field.rules.casualty.stone_building_destroyed_by,
    };
    let lost = i32::try_from(fire.net.min(target.figures())).unwrap_or(i32::MAX);
    if lost < needed || !play.table_mut().changes.destroyed_buildings.insert(building.id.clone()) {
        return;
    }
    let text = format!("{} is shot to pieces.", capital(&building.name));
    play.tell(COVER_12, Fact::Special { unit: Some(target.id.clone()) }, sentence(text));
}
