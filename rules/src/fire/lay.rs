//! A shot reckoned before a die is thrown: who is really hit, count, dice, modifiers, flank class.
//!
//! Owns the order of FIRE-01, the screens of FORM-17 and FORM-18, and what a group of batteries shares (ARTY-17 to ARTY-19,
//! ENF-17). It is the one reckoning: [`super::shoot`] rolls it, [`super::odds`] spreads it.

use protocol::event::FlankClass;
use protocol::orders::RangeBand;
use protocol::place::Point;
use protocol::words::Arm;

use super::aim::{Aim, Asked, aim};
use super::cover::{Cover, cover, cover_of};
use super::dice_count::{Past, dice_count, loading};
use super::enfilade::severity;
use super::modifiers::{chart, claims_opening_volley, is_fleeing, modifiers};
use super::officers::Officers;
use super::shooter::{Shooter, effect_of};
use super::{Firer, NoFire, Occasion, Shot, big_guns, bound};
use crate::battle::UnitIx;
use crate::catalogue::{ARTY_17, ARTY_19, FIRE_05, FIRE_21, FIRE_27, FIRE_35, RuleId};
use crate::column;
use crate::explain::Reckoning;
use crate::field::Field;
use crate::geometry::{Distance, EPS, Extent, Rect, convex_hull, segment_meets_polygon};
use crate::house::FleeingLosses;
use crate::ruleset::{Chart, Factor, Strength};

/// How losses are halved. FIRE-32, FIRE-33, FORM-15
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halving {
    /// Not at all.
    None,
    /// Rounded down: skirmishers.
    Down,
    /// A die for the fraction: those who flee.
    ByDie,
}

/// A shot reckoned.
#[derive(Clone, Debug)]
pub struct Laid {
    /// The shot, its target the unit that is really hit. FORM-18
    pub shot: Shot,
    /// Each firer's aim, in the order of the shot's firers.
    pub aims: Vec<Aim>,
    /// Figures or sections that fire.
    pub strength: Strength,
    /// The dice, limited. FIRE-09
    pub dice: Reckoning,
    /// The modifiers. FIRE-13
    pub modifiers: Reckoning,
    /// The flank class. ENF-01, ENF-17
    pub flank: FlankClass,
    /// The range.
    pub range: Distance,
    /// Its band.
    pub band: RangeBand,
    /// Which chart.
    pub chart: Chart,
    /// What covers the target; nothing covers a charger.
    pub cover: Cover,
    /// How its losses are halved.
    pub halving: Halving,
    /// The unit that is aimed at: the target, or a regiment of its brigade column. TAC-30
    pub aimed: UnitIx,
    /// Units close behind a skirmish line, who lose what it loses. FORM-18
    pub sharers: Vec<UnitIx>,
    /// Friends who need a roll. ARTY-32
    pub over: Vec<(UnitIx, Vec<UnitIx>)>,
    /// Each firer uses up its opening volley. FIRE-20
    pub opening_volleys: Vec<UnitIx>,
    /// The faces that put the firer out of ammunition when all dice show them. AMMO-01, AMMO-03
    pub empty_on: Vec<u8>,
}

impl Laid {
    /// C, the mean of the centres of the firing stands; of several batteries the mean of theirs.
    pub fn from(&self) -> Point {
        let middles: Vec<Point> = self.aims.iter().map(Aim::middle).collect();
        crate::geometry::mean(&middles).unwrap_or_default()
    }

    /// Fire of guns or sharpshooters, whose MC and 1* force a check. FIRE-16
    pub fn forces_checks(&self, field: &Field<'_>) -> bool {
        matches!(field.unit(self.shot.lead()).arm, Arm::Artillery | Arm::Sharpshooter)
    }

    /// The number of dice.
    pub fn dice_count(&self) -> u32 {
        u32::try_from(self.dice.total()).unwrap_or(0)
    }

    /// The stands that can be hit, of all aims.
    pub fn eligible(&self) -> Vec<Rect> {
        let mut all: Vec<Rect> = Vec::new();
        for rect in self.aims.iter().flat_map(|aim| &aim.eligible) {
            if !all.contains(rect) {
                all.push(*rect);
            }
        }
        all
    }
}

/// One unit's part of a shot.
struct Part {
    aim: Aim,
    dice: Reckoning,
    modifiers: Reckoning,
    opening: bool,
}

/// FIRE-01 Reckons a shot on a frozen look.
///
/// # Errors
/// The rule by which there is no fire.
pub fn lay(field: &Field<'_>, shot: &Shot, officers: &Officers) -> Result<Laid, NoFire> {
    let (shot, past, sharers) = who_is_hit(field, shot)?;
    // TAC-30 The part of a column that is aimed at gives range and line; its lead is hit.
    let aimed = shot.target;
    let shot = Shot { target: column::lead_of(field.table, aimed), ..shot };
    let mut parts = Vec::new();
    let mut strength = 0;
    let mut empty_on = Vec::new();
    let mut cover_of_first = Cover::default();
    for firer in &shot.firers {
        let (shooter, aim, count) = aimed_by(field, &shot, aimed, firer)?;
        strength += count;
        let cover = if shot.target_charging {
            Cover::default()
        } else {
            let chart = chart(&shooter, &shot);
            let woods = woods_between(field, firer.unit, aimed);
            match aim.at_screen {
                true => cover_of(field, shot.target, &aim.eligible, aim.middle(), chart, woods),
                false => cover(field, shot.target, aim.middle(), chart, woods),
            }
        };
        let dice = dice_count(field.rules, &shooter, firer, &shot, aim.band, past);
        let drm = modifiers(field, &shooter, firer, &shot, &aim, &cover);
        if parts.is_empty() {
            empty_on = faces_of_empty(field, &shooter, firer);
            cover_of_first = cover;
        }
        parts.push(Part { aim, dice, modifiers: drm, opening: claims_opening_volley(shooter.unit, &shooter) });
    }
    let guns = is_no_more_than_one_fire(field, &shot, strength)?;
    let flank = parts.iter().map(|part| part.aim.flank).min_by_key(|class| severity(*class));
    let flank = flank.unwrap_or(FlankClass::Front);
    let mut modifiers = shared_modifiers(&parts, field, &shot);
    let dice = shared_dice(&parts);
    officer_modifier(field, &shot, officers, &mut modifiers);
    let halving = halving(field, &shot, parts.iter().any(|part| part.aim.at_screen));
    let nearest = parts.iter().map(|part| (part.aim.range, part.aim.band)).min_by(|one, other| one.0.cmp(&other.0));
    let (range, band) = nearest.unwrap_or((Distance::ZERO, RangeBand::Close));
    let units = shot.firers.iter().map(|firer| firer.unit);
    let over = units.clone().zip(&parts).filter(|(_, part)| !part.aim.over.is_empty());
    let over = over.map(|(unit, part)| (unit, part.aim.over.clone())).collect();
    let opening_volleys = units.zip(&parts).filter(|(_, part)| part.opening).map(|(unit, _)| unit).collect();
    let chart_read = if guns && !shot.round.is_canister() { Chart::Shot } else { Chart::Musketry };
    Ok(Laid {
        aims: parts.into_iter().map(|part| part.aim).collect(),
        strength: if guns { Strength::Sections(strength) } else { Strength::Figures(strength) },
        dice,
        modifiers,
        flank,
        range,
        band,
        chart: chart_read,
        cover: cover_of_first,
        halving,
        aimed,
        sharers,
        over,
        opening_volleys,
        empty_on,
        shot,
    })
}

/// What is told of a shot by how it is aimed, before it is reckoned: as [`lay`] tells it.
pub(super) struct Glance {
    /// The range.
    pub range: Distance,
    /// Its band.
    pub band: RangeBand,
    /// The flank class.
    pub flank: FlankClass,
}

/// FIRE-01 Looks whether a shot can be fired, and how, without what its dice are told by: for holders, who look at every instant.
///
/// # Errors
/// The rule by which there is no fire, as in [`lay`].
pub(super) fn glance(field: &Field<'_>, shot: &Shot) -> Result<Glance, NoFire> {
    let (shot, _) = struck(field, shot)?;
    let aimed = shot.target;
    let shot = Shot { target: column::lead_of(field.table, aimed), ..shot };
    let mut aims = Vec::new();
    let mut strength = 0;
    for firer in &shot.firers {
        let (_, aim, count) = aimed_by(field, &shot, aimed, firer)?;
        strength += count;
        aims.push(aim);
    }
    is_no_more_than_one_fire(field, &shot, strength)?;
    let flank = aims.iter().map(|aim| aim.flank).min_by_key(|class| severity(*class)).unwrap_or(FlankClass::Front);
    let nearest = aims.iter().map(|aim| (aim.range, aim.band)).min_by(|one, other| one.0.cmp(&other.0));
    let (range, band) = nearest.unwrap_or((Distance::ZERO, RangeBand::Close));
    Ok(Glance { range, band, flank })
}

/// How one unit of a shot aims, and with how many figures or sections.
fn aimed_by<'f>(
    field: &'f Field<'_>,
    shot: &Shot,
    aimed: UnitIx,
    firer: &Firer,
) -> Result<(Shooter<'f>, Aim, i32), NoFire> {
    let shooter = Shooter::new(field, firer.unit, &firer.stands)?;
    big_guns::may_fire_again(field.rules, shooter.unit, shot.before_it)?;
    bound::has_the_round(field, shooter.unit, shot.round)?;
    let mut aim = aim(field, &shooter, aimed, Asked::of(firer, shot.round, shot.occasion))?;
    bound::fires_from_a_defile(field, &shooter, aimed, &mut aim)?;
    if let Some(named) = shot.named {
        // VIS-12 The range to the point decides, whoever stands near it.
        (aim.range, aim.band) = (named.range, named.band);
    }
    let count = fire_count(&shooter, &aim);
    if count <= 0 {
        return Err(NoFire::new(FIRE_05, format!("too few figures of `{}` can fire", shooter.unit.name)));
    }
    Ok((shooter, aim, count))
}

/// ARTY-17 Whether guns fire, and no more of them than may fire as one.
fn is_no_more_than_one_fire(field: &Field<'_>, shot: &Shot, strength: i32) -> Result<bool, NoFire> {
    let guns = field.unit(shot.lead()).arm == Arm::Artillery;
    let most = field.rules.gun_rules.sections_max_per_fire;
    if guns && most < strength {
        return Err(NoFire::new(ARTY_17, format!("more than {most} sections cannot fire as one")));
    }
    Ok(guns)
}

/// FIRE-03, FIRE-05 Living figures of the stands that fire, by the formation's factor, rounded down once.
fn fire_count(shooter: &Shooter<'_>, aim: &Aim) -> i32 {
    let factor = match aim.front.side {
        true => shooter.effect.fire_side.or(shooter.effect.fire),
        false => shooter.effect.fire,
    };
    factor.unwrap_or(Factor(0)).floor_of(aim.figures())
}

/// COVER-07 The woods on the pair's line of least depth.
fn woods_between(field: &Field<'_>, firer: UnitIx, target: UnitIx) -> i32 {
    if field.ground().ground().areas.is_empty() {
        return 0;
    }
    field.open_line(firer, target).map_or(0, |line| line.woods)
}

/// AMMO-01, AMMO-03, ARTY-55 The faces that empty the boxes when all dice show them; none for guns in a fort.
pub(super) fn faces_of_empty(field: &Field<'_>, shooter: &Shooter<'_>, firer: &Firer) -> Vec<u8> {
    if let Some(gun) = field.rules.gun.get(&shooter.unit.weapon).filter(|_| shooter.is_guns()) {
        let rolls = field.rules.gun_class.at(gun.class).ammo_roll;
        return if rolls { field.rules.weapon_trait.muzzleloader.out_of_ammo_faces.clone() } else { Vec::new() };
    }
    match loading(field.rules, shooter).filter(|_| firer.rapid) {
        Some(loading) => field.rules.weapon_trait.at(loading).out_of_ammo_faces.clone(),
        None => field.rules.weapon_trait.muzzleloader.out_of_ammo_faces.clone(),
    }
}

/// ARTY-18 A group rolls the fewest dice that any of its batteries would.
fn shared_dice(parts: &[Part]) -> Reckoning {
    let fewest = parts.iter().map(|part| &part.dice).min_by_key(|dice| dice.total());
    fewest.cloned().unwrap_or_else(|| Reckoning::of("dice"))
}

/// ARTY-18 Of a group only the modifiers that all its batteries have, unequal ones at their lowest; of mixed quality none for
/// quality. ENF-17: flank by the lowest class.
fn shared_modifiers(parts: &[Part], field: &Field<'_>, shot: &Shot) -> Reckoning {
    let Some((first, others)) = parts.split_first() else { return Reckoning::of("modifiers") };
    if others.is_empty() {
        return first.modifiers.clone();
    }
    let mut shared = Reckoning::of("modifiers");
    let qualities: Vec<_> = shot.firers.iter().map(|firer| field.unit(firer.unit).quality).collect();
    let mixed = qualities.windows(2).any(|pair| pair[0] != pair[1]);
    for (rule, label, value) in first.modifiers.terms() {
        if mixed && *rule == FIRE_21 {
            continue;
        }
        let theirs = others.iter().map(|part| sum_of(&part.modifiers, *rule));
        let lowest = theirs.min().unwrap_or(*value).min(*value);
        shared.add_if(lowest != 0, *rule, label.clone(), lowest);
    }
    shared
}

fn sum_of(reckoning: &Reckoning, rule: RuleId) -> i32 {
    reckoning.terms().iter().filter(|term| term.0 == rule).map(|term| term.2).sum()
}

/// FIRE-27, ARTY-19 One for an officer, whatever his level; two with three batteries as one.
fn officer_modifier(field: &Field<'_>, shot: &Shot, officers: &Officers, modifiers: &mut Reckoning) {
    let units: Vec<UnitIx> = shot.firers.iter().map(|firer| firer.unit).collect();
    let Some(officer) = officers.helping(field, &units) else { return };
    let table = &field.rules.firer_drm;
    let (rule, value) = match field.unit(shot.lead()).arm {
        Arm::Artillery if 3 <= units.len() => (ARTY_19, table.artillery_officer_battalion),
        Arm::Artillery => (ARTY_19, table.artillery_officer_battery),
        _ => (FIRE_27, table.officer_present),
    };
    modifiers.add(rule, officer, value);
}

/// FORM-15, FIRE-32, FIRE-33 Halved once; skirmishers round down even when they flee.
fn halving(field: &Field<'_>, shot: &Shot, at_screen: bool) -> Halving {
    let target = field.unit(shot.target);
    let effect = effect_of(field.rules, target);
    let skirmishing = effect.is_some_and(|effect| effect.casualties < Factor::ONE);
    if at_screen || skirmishing {
        Halving::Down
    } else if is_fleeing(target) {
        match field.rules.house.fleeing_losses {
            FleeingLosses::ByDie => Halving::ByDie,
            FleeingLosses::Down => Halving::Down,
        }
    } else {
        Halving::None
    }
}

/// FORM-17, FORM-18 Who is hit, whether the fire is aimed past skirmishers, and who shares the losses.
fn who_is_hit(field: &Field<'_>, shot: &Shot) -> Result<(Shot, Past, Vec<UnitIx>), NoFire> {
    let (shot, past) = struck(field, shot)?;
    let sharers = sharers(field, &shot)?;
    Ok((shot, past, sharers))
}

/// FORM-17 Who is hit, and whether the fire is aimed past skirmishers.
fn struck(field: &Field<'_>, shot: &Shot) -> Result<(Shot, Past), NoFire> {
    let mut shot = shot.clone();
    let mut past = Past::default();
    if shot.occasion == Occasion::EndOfCharge {
        return Ok((shot, past));
    }
    let firer = first_firer(&shot)?.clone();
    let shooter = Shooter::new(field, firer.unit, &firer.stands)?;
    let asked = Asked::of(&firer, shot.round, shot.occasion);
    if !is_skirmisher(field, shot.target) {
        let aim = aim(field, &shooter, shot.target, asked)?;
        match screen_of(field, &aim, shot.target) {
            Some((_, false)) => past.skirmishers = true,
            Some((screen, true)) => shot.target = screen,
            None => {}
        }
    }
    Ok((shot, past))
}

/// The firer from which it is told who is hit.
fn first_firer(shot: &Shot) -> Result<&Firer, NoFire> {
    let first = shot.firers.iter().min_by_key(|firer| firer.unit);
    first.ok_or_else(|| NoFire::new(FIRE_35, "nobody fires"))
}

/// FORM-18 Who shares the losses of the skirmishers that are hit.
fn sharers(field: &Field<'_>, shot: &Shot) -> Result<Vec<UnitIx>, NoFire> {
    if shot.occasion == Occasion::EndOfCharge || !is_skirmisher(field, shot.target) {
        return Ok(Vec::new());
    }
    let firer = first_firer(shot)?;
    let shooter = Shooter::new(field, firer.unit, &firer.stands)?;
    let asked = Asked::of(firer, shot.round, shot.occasion);
    let side = field.unit(shot.target).side;
    let mut sharers = Vec::new();
    let close = field.rules.skirmish_screen.friends_behind_share_within.thousandths();
    let near = field.near(field.extent(shot.target), close);
    let struck = shot.target;
    for behind in near.filter(|ix| *ix != struck && field.unit(*ix).side == side) {
        if is_skirmisher(field, behind) || !field.closer_than(behind, shot.target, close) {
            continue;
        }
        let screened = aim(field, &shooter, behind, asked).ok().and_then(|aim| screen_of(field, &aim, behind));
        let whole = column::lead_of(field.table, behind);
        if screened == Some((shot.target, true)) && !sharers.contains(&whole) {
            sharers.push(whole);
        }
    }
    Ok(sharers)
}

/// Skirmishers and sharpshooters, who screen those behind them. FORM-17
fn is_skirmisher(field: &Field<'_>, ix: UnitIx) -> bool {
    field.unit(ix).is_skirmishing()
}

/// FORM-17 The enemy skirmish line that screens a target from this aim, and whether it stands less than two inches before it.
/// Of several the nearest to the target.
pub(super) fn screen_of(field: &Field<'_>, aim: &Aim, target: UnitIx) -> Option<(UnitIx, bool)> {
    let side = field.unit(target).side;
    // Whoever meets every line meets the first, and the box about him reaches it.
    let (from, to) = aim.lines.first()?;
    let near = field.near(Extent::spanning(*from, *to), 2 * EPS).map(|ix| (ix, field.unit(ix)));
    let screens = near.filter(|(ix, unit)| unit.side == side && *ix != target && unit.is_skirmishing());
    let crossed = screens.filter(|(ix, _)| {
        let corners: Vec<Point> = field.layout(*ix).rects().flat_map(|rect| rect.corners).collect();
        let hull = convex_hull(&corners);
        aim.lines.iter().all(|(from, to)| segment_meets_polygon(*from, *to, &hull))
    });
    let measured = crossed.map(|(ix, _)| (field.distance(ix, target), ix));
    let (gap, screen) = measured.min_by(|one, other| one.0.cmp(&other.0).then(one.1.cmp(&other.1)))?;
    let close = field.rules.skirmish_screen.friends_behind_share_within.thousandths();
    Some((screen, gap.closer_than(close)))
}
