//! What guns do to works and buildings. COVER-12 to COVER-15
//!
//! Owns the breach and the ruin. Cover is judged anew from the next fire on.

use protocol::event::Fact;
use protocol::ids::FeatureId;
use protocol::place::Point;
use protocol::words::{Arm, Quality};

use super::Seen;
use super::cover::grade as grade_of;
use super::officers::Officers;
use super::resolve::Fire;
use super::tell::{called, capital};
use crate::battle::UnitIx;
use crate::catalogue::{ARTY_53, COVER_12, COVER_13, COVER_14, COVER_15};
use crate::explain::{Explain, Reckoning, sentence};
use crate::field::Field;
use crate::geometry::{Rect, mean, polyline_length};
use crate::ground::{BuildingKind, Stretch};
use crate::play::Play;
use crate::ruleset::{GunKind, Strength, WorksGrade};

/// What a breach takes out, thousandths of an inch. COVER-15
const INCH: i32 = 1_000;

/// A piece left over that is shorter than this vanishes with it, thousandths of an inch. COVER-15
const SLIVER: i32 = 250;

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
    let Some((obstacle, gap)) = inch_hit(field, fire, grade) else { return };
    play.table_mut().changes.open_gap(&obstacle, gap);
    let target = field.unit(fire.laid.shot.target);
    let text = format!("The guns open an inch of the works before {}.", called(&target.name));
    let told = sentence(text).with_sum(&roll).with_note(COVER_15, "the inch about the line of fire");
    play.tell(COVER_13, Fact::Special { unit: Some(target.id.clone()) }, told);
}

/// COVER-15, WORKS-22 The works of that grade that the line of fire cuts, and which inch of them.
fn inch_hit(field: &Field<'_>, fire: &Fire, grade: WorksGrade) -> Option<(FeatureId, Stretch)> {
    let (ground, from) = (field.ground(), fire.laid.from());
    let stands = fire.laid.eligible();
    let is_covered = |stand: &&Rect| {
        let covering = ground.covering(from, stand);
        covering.iter().any(|covering| grade_of(covering.crossing.obstacle.kind) == Some(grade))
    };
    let covered: Vec<Point> = stands.iter().filter(is_covered).map(|stand| stand.center).collect();
    let centers = stands.iter().map(|stand| stand.center).collect::<Vec<_>>();
    let middle = mean(&covered).or_else(|| mean(&centers))?;
    let crossings = ground.crossings_of_lines(from, middle).into_iter().rev();
    let mut hits = crossings.filter(|crossing| grade_of(crossing.obstacle.kind) == Some(grade) && crossing.from_left);
    hits.find_map(|hit| {
        let standing = ground.changes().standing(&hit.obstacle.id, polyline_length(&hit.obstacle.line));
        Some((hit.obstacle.id.clone(), inch_of(&standing, hit.along)?))
    })
}

/// COVER-15 The inch about a place of what stands; nearer than half an inch to an end, the last inch there; in an old gap, the
/// inch beside the gap on its nearer side.
fn inch_of(standing: &[Stretch], along: i32) -> Option<Stretch> {
    let distance = |part: &Stretch| (part.from - along).max(along - part.to).max(0);
    let part = *standing.iter().min_by_key(|part| distance(part))?;
    let from = (along - INCH / 2).min(part.to - INCH).max(part.from);
    let gap = Stretch { from, to: (from + INCH).min(part.to) };
    let is_sliver = |length: i32| length < SLIVER;
    Some(Stretch {
        from: if is_sliver(gap.from - part.from) { part.from } else { gap.from },
        to: if is_sliver(part.to - gap.to) { part.to } else { gap.to },
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn works_22_and_cover_15_which_inch_goes() {
        let stands =
            |parts: &[(i32, i32)]| -> Vec<Stretch> { parts.iter().map(|&(from, to)| Stretch { from, to }).collect() };
        let inch = |parts: &[(i32, i32)], along: i32| inch_of(&stands(parts), along).map(|gap| (gap.from, gap.to));
        let whole = [(0, 10_000)];
        assert_eq!(inch(&whole, 4_000), Some((3_500, 4_500)), "the inch about the place");
        assert_eq!(inch(&whole, 9_700), Some((9_000, 10_000)), "the last inch at the end");
        let broken = [(0, 4_000), (6_000, 10_000)];
        assert_eq!(inch(&broken, 5_200), Some((6_000, 7_000)), "beside the gap, on its nearer side");
        assert_eq!(inch(&broken, 4_800), Some((3_000, 4_000)), "on the other");
        // 8.3 to 9.3, and what is left before the end.
        assert_eq!(inch(&[(0, 9_500)], 8_800), Some((8_300, 9_500)), "0.2 inches left over vanish");
        assert_eq!(inch(&[(0, 9_550)], 8_800), Some((8_300, 9_300)), "0.25 inches do not");
        assert_eq!(inch(&[(2_000, 2_600)], 2_300), Some((2_000, 2_600)), "a piece shorter than an inch goes whole");
        assert_eq!(inch(&[], 2_300), None, "nothing is left");
    }
}
