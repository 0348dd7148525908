//! The modifiers of a fire's roll: one list, summed once. FIRE-13
//!
//! Owns the firer's and the target's DRMs. Base dice are [`super::dice_count`]'s, cover is [`super::cover`]'s.

use protocol::event::{FlankClass, Morale, OrderShown};
use protocol::orders::RangeBand;
use protocol::words::{Arm, Formation};

use super::aim::Aim;
use super::cover::{self, Cover};
use super::dice_count::loading;
use super::shooter::{Shooter, effect_of};
use super::{Firer, Occasion, Shot, Standing, big_guns};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{
    ARTY_08, ARTY_53, CAV_35, ENF_01, FIRE_12, FIRE_13, FIRE_19, FIRE_20, FIRE_21, FIRE_29, FIRE_31, FORM_25, FORM_28,
    OBS_21, RuleId, SHARP_08, SHARP_11, TAC_02, TAC_04, TAC_08, TAC_43,
};
use crate::explain::Reckoning;
use crate::field::Field;
use crate::geometry;
use crate::ground::{Obstacle, ObstacleKind};
use crate::house::{FirstFireBonus, SharpshooterTargets};
use crate::ruleset::{Chart, Loading, Ruleset};
use crate::scenario::ModifierOn;
use crate::specials;

/// FIRE-29 Which of two chart values a fire takes.
pub(super) fn chart(shooter: &Shooter<'_>, shot: &Shot) -> Chart {
    if shooter.is_guns() && !shot.round.is_canister() { Chart::Shot } else { Chart::Musketry }
}

/// FIRE-13 The DRMs of one unit's fire, the officer's left out: he may serve several batteries as one. ARTY-19
pub(super) fn modifiers(
    field: &Field<'_>,
    shooter: &Shooter<'_>,
    firer: &Firer,
    shot: &Shot,
    aim: &Aim,
    cover: &Cover,
) -> Reckoning {
    let mut drm = Reckoning::of("modifiers");
    firer_modifiers(&mut drm, field, shooter, firer, shot, aim);
    target_modifiers(&mut drm, field, shooter, shot, aim, cover);
    drm
}

fn firer_modifiers(
    drm: &mut Reckoning,
    field: &Field<'_>,
    shooter: &Shooter<'_>,
    firer: &Firer,
    shot: &Shot,
    aim: &Aim,
) {
    let (rules, unit) = (field.rules, shooter.unit);
    if unit.arm == Arm::Sharpshooter {
        put(drm, SHARP_08, "sharpshooters", shooter.effect.firer_drm);
    } else {
        put(drm, FIRE_21, format!("{} firer", unit.quality), *rules.firer_drm.quality.at(unit.quality));
        let label = match shooter.screen {
            true => "firer a skirmish screen".to_owned(),
            false => format!("firer in {}", unit.footing.formation),
        };
        put(drm, FIRE_13, label, shooter.effect.firer_drm);
    }
    if let Some(arm) = rules.small_arm.get(&unit.weapon).filter(|_| !shooter.is_guns()) {
        put(drm, FIRE_12, arm.name.to_lowercase(), arm.drm);
        if aim.band == RangeBand::Close {
            put(drm, FIRE_12, format!("{} at close range", arm.name.to_lowercase()), arm.close_drm);
        }
    }
    if let Some(gun) = rules.gun.get(&unit.weapon).filter(|_| shooter.is_guns()) {
        put(drm, FIRE_13, gun.name.clone(), gun.drm);
        let in_a_row = big_guns::shots_in_a_row_drm(rules, unit, field.unit(shot.target));
        put(drm, ARTY_53, "further shots at the same target", in_a_row);
    }
    put(drm, SHARP_11, "sharpshooters attached", attached_sharpshooters(rules, unit));
    if claims_opening_volley(unit, shooter) {
        put(drm, FIRE_20, "opening volley", rules.firer_drm.opening_volley);
    }
    let counts = shot.occasion == Occasion::FirstFire || rules.house.first_fire_bonus == FirstFireBonus::EveryFire;
    let first_fire = counts && firer.standing == Standing::FirstFire;
    // TAC-26: a screen fires as skirmishers do. FIRE-19
    if first_fire && unit.is_formed() && !shooter.screen {
        put(drm, FIRE_19, "First Fire", rules.firer_drm.first_fire);
    }
    if firer.rapid && loading(rules, shooter) == Some(Loading::Breechloader) {
        put(drm, TAC_02, "breechloaders", rules.weapon_trait.breechloader.firer_drm);
    }
    if let Some(works) = cover::works_bonus(field, &aim.all, aim.target_middle()) {
        put(drm, works.rule, works.label, works.drm);
    }
    for (rule, label, value) in specials::modifiers(field, firer.unit, ModifierOn::FirerDrm) {
        put(drm, rule, label, value);
    }
    if chart(shooter, shot) == Chart::Musketry {
        put(drm, OBS_21, "across a fraise", fraise(field, aim));
    }
}

/// OBS-21 What a fraise between firer and target does to musketry and canister; nothing for who fires out from directly behind it.
fn fraise(field: &Field<'_>, aim: &Aim) -> i32 {
    let ground = field.ground();
    let is_fraise = |obstacle: &Obstacle| obstacle.kind == ObstacleKind::Fraise;
    if !ground.obstacles().any(is_fraise) {
        return 0;
    }
    let centers: Vec<_> = aim.all.iter().map(|stand| stand.center).collect();
    let Some(from) = geometry::mean(&centers) else { return 0 };
    let target = aim.target_middle();
    let crosses = ground.crossings(from, target).iter().any(|crossing| is_fraise(crossing.obstacle));
    let fires_out = ground.claims(target, &aim.all).iter().any(|claim| is_fraise(claim.obstacle));
    if crosses && !fires_out { field.rules.obstacle.fraise.fire_drm } else { 0 }
}

/// SHARP-11 What the sharpshooters who have joined a regiment add to each of its fires.
fn attached_sharpshooters(rules: &Ruleset, unit: &Unit) -> i32 {
    if unit.sharpshooters.is_some() { rules.sharpshooter.attached_firer_drm } else { 0 }
}

/// FIRE-20 Whether a fire gets the opening volley, which uses it up.
pub(super) fn claims_opening_volley(unit: &Unit, shooter: &Shooter<'_>) -> bool {
    !unit.opening_volley_used && shooter.effect.opening_volley
}

fn target_modifiers(
    drm: &mut Reckoning,
    field: &Field<'_>,
    shooter: &Shooter<'_>,
    shot: &Shot,
    aim: &Aim,
    cover: &Cover,
) {
    let rules = field.rules;
    let target = field.unit(shot.target);
    let chart = chart(shooter, shot);
    let mut found: Vec<(RuleId, String, i32)> = Vec::new();
    // SHARP-07: sharpshooters meet neither the lowering nor the raising ones. TAC-18: a screen is a skirmish line without any.
    let ignored = shooter.unit.arm == Arm::Sharpshooter && rules.sharpshooter.ignores_target_formation_drm;
    let benefits_alone = rules.house.sharpshooter_targets == SharpshooterTargets::IgnoreBenefits;
    let counts = |value: i32| !ignored || (0 < value && benefits_alone);
    if !aim.at_screen {
        let formation = formation_modifier(rules, target, chart, shot.target_charging);
        found.extend(formation.filter(|(_, _, value)| counts(*value)));
    }
    let quality = *rules.target_drm.quality.at(target.quality);
    found.push((FIRE_31, format!("{} target", target.quality), quality));
    found.extend(rapid_loaders(rules, target, shot.target_charging));
    if target.footing.prone {
        found.push((TAC_08, "target prone".to_owned(), rules.prone.target_drm));
    }
    if !shot.target_charging {
        found.extend(cover.all().map(|covers| (covers.rule, covers.label.to_owned(), covers.drm)));
    }
    found.extend(flank_modifier(rules, aim.flank, chart));
    found.extend(specials::modifiers(field, shot.target, ModifierOn::TargetDrm));

    let spared = is_fleeing(target);
    for (rule, label, value) in found {
        // FIRE-32: those who flee suffer nothing that would raise their losses.
        if !spared || value <= 0 {
            put(drm, rule, label, value);
        }
    }
}

/// SCNS-05 What is found at a target of guns beyond the edge: formation, quality, woods, the class that the term gives.
pub(super) fn target_from_afar(field: &Field<'_>, ix: UnitIx, flank: FlankClass) -> Vec<(RuleId, String, i32)> {
    let (rules, target) = (field.rules, field.unit(ix));
    let mut found = Vec::from_iter(formation_modifier(rules, target, Chart::Shot, false));
    found.push((FIRE_31, format!("{} target", target.quality), *rules.target_drm.quality.at(target.quality)));
    found.extend(rapid_loaders(rules, target, false));
    if target.footing.prone {
        found.push((TAC_08, "target prone".to_owned(), rules.prone.target_drm));
    }
    if let Some(woods) = cover::of_woods(field, ix, Chart::Shot) {
        found.push((woods.rule, woods.label.to_owned(), woods.drm));
    }
    found.extend(flank_modifier(rules, flank, Chart::Shot));
    found.extend(specials::modifiers(field, ix, ModifierOn::TargetDrm));
    found.retain(|(_, _, value)| !is_fleeing(target) || *value <= 0);
    found
}

/// ENF-01 What the class of a shot does.
fn flank_modifier(rules: &Ruleset, flank: FlankClass, chart: Chart) -> Option<(RuleId, String, i32)> {
    let (label, values) = match flank {
        FlankClass::Front => return None,
        FlankClass::Partial => ("partial flank", rules.flank_drm.partial_flank.values()),
        FlankClass::Full => ("full flank", rules.flank_drm.full_flank.values()),
        FlankClass::Rear => ("rear", rules.flank_drm.rear.values()),
    };
    Some((ENF_01, label.to_owned(), values.at(chart)))
}

/// FIRE-29, FIRE-30, CAV-35 What the target's formation does.
fn formation_modifier(rules: &Ruleset, target: &Unit, chart: Chart, charging: bool) -> Option<(RuleId, String, i32)> {
    let whole = effect_of(rules, target)?.target_drm.at(chart);
    if charging && target.mounted {
        let half = rules.target_drm.cavalry_charging_factor.floor_of(whole);
        return Some((CAV_35, format!("charging {}", formation_words(target)), half));
    }
    let rule = match target.footing.formation {
        _ if target.footing.disorder && target.arm != Arm::Artillery => FORM_28,
        Formation::MarchColumn => FORM_25,
        Formation::Square => TAC_43,
        Formation::Limbered | Formation::Unlimbered => ARTY_08,
        _ => FIRE_29,
    };
    Some((rule, format!("target in {}", formation_words(target)), whole))
}

fn formation_words(target: &Unit) -> String {
    if target.footing.disorder {
        return "disorder".to_owned();
    }
    match target.footing.formation {
        Formation::Limbered => "limbers".to_owned(),
        Formation::Unlimbered => "unlimbered guns".to_owned(),
        other => other.to_string(),
    }
}

/// TAC-05 Men with breechloaders and repeaters load crouched or lying.
fn rapid_loaders(rules: &Ruleset, target: &Unit, charging: bool) -> Option<(RuleId, String, i32)> {
    let on_foot = matches!(target.arm, Arm::Infantry) || (target.arm == Arm::Cavalry && !target.mounted);
    let in_column = !target.footing.disorder
        && matches!(target.footing.formation, Formation::MarchColumn | Formation::AttackColumn);
    if !on_foot || in_column || charging || target.morale == Morale::Routed || target.footing.prone {
        return None;
    }
    let arm = rules.small_arm.get(&target.weapon)?;
    let drm = rules.weapon_trait.at(arm.r#trait).target_drm;
    (drm != 0).then(|| (TAC_04, format!("target loads {}", arm.name.to_lowercase()), drm))
}

/// FIRE-32 Disengaging, or routed. A battery that takes its limbered guns along is spared nothing. ARTY-46
pub(super) fn is_fleeing(unit: &Unit) -> bool {
    let disengaging = matches!(unit.marks.shown, Some(OrderShown::Disengage {}));
    unit.morale == Morale::Routed || (disengaging && !unit.is_limbered())
}

/// Adds a modifier that changes something.
fn put(drm: &mut Reckoning, rule: RuleId, label: impl Into<String>, value: i32) {
    drm.add_if(value != 0, rule, label, value);
}
