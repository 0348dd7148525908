//! A group of simultaneous fires: all from one look, then all applied. FIRE-36
//!
//! Owns what a fire changes: losses, horses, ammunition, canister, marks of the ledger, an attack column's order, works and
//! buildings. It settles nothing: it returns what happened.

use protocol::event::{Dice as DiceShown, Fact, FlankClass};
use protocol::words::Formation;

use super::cover::cover;
use super::lay::{Laid, lay};
use super::resolve::{Fire, Hit, Throws, Why, resolve};
use super::{NoFire, Shot, Stands, big_guns, officers, scenario, tell, unseen, veiled};
use crate::battle::{Table, Unit, UnitIx};
use crate::catalogue::{AMMO_01, AMMO_07, ARTY_36, FIRE_01, FORM_08, ORG_05, TAC_22};
use crate::column;
use crate::dice::Purpose;
use crate::explain::{Explain, sentence};
use crate::field::Field;
use crate::losses;
use crate::play::Play;
use crate::ruleset::{CombatResult, CrtCell};
use crate::settle::{FiredOn, Happening};

/// The shots of a group that are laid on one look at the table.
pub struct Look {
    /// The table as those who fire have it before them.
    pub table: Table,
    /// Their shots.
    pub shots: Vec<Shot>,
}

/// FIRE-36 Fires a group of shots at once: everything is computed from the table as it stands, then applied together and told.
///
/// Shots that no rule allows are not fired, and their side is told why. What follows is for [`crate::morale`] to settle.
pub fn shoot(play: &mut Play<'_>, shots: Vec<Shot>) -> Vec<Happening> {
    let table = play.table().clone();
    shoot_from(play, vec![Look { table, shots }])
}

/// HID-52 As [`shoot`], where some have another look than others: whoever opens fire from hiding is there for the enemy only after
/// the group.
pub fn shoot_from(play: &mut Play<'_>, mut looks: Vec<Look>) -> Vec<Happening> {
    // The order changes nothing but the order of the log.
    looks.iter_mut().for_each(|look| look.shots.sort_by_key(|shot| (shot.lead(), shot.before_it, shot.target)));
    let all: Vec<Shot> = looks.iter().flat_map(|look| look.shots.iter().cloned()).collect();
    let officers = officers::allot(play, &all);
    let fields: Vec<Field<'_>> = looks.iter().map(|look| super::look(play, &look.table)).collect();
    let (mut fires, mut refused) = (Vec::new(), Vec::new());
    let mut throws = Throws::new(play);
    for (field, look) in fields.iter().zip(&looks) {
        for shot in &look.shots {
            match lay(field, shot, &officers) {
                Ok(laid) => fires.push((field, &look.table, resolve(field, laid, &mut throws))),
                Err(reason) => refused.push((field, shot, reason)),
            }
        }
    }
    for (field, shot, reason) in refused {
        withhold(play, field, shot, &reason);
    }
    let mut happenings = Vec::new();
    let mut losses = Vec::new();
    for (field, table, fire) in &mut fires {
        for finding in fire.findings.drain(..) {
            finding.tell(play);
        }
        losses.push(apply(play, field, fire, &mut happenings));
        veiled::strike_behind(play, table, fire);
    }
    for ((field, _, fire), lost) in fires.iter().zip(&losses) {
        super::works::batter(play, field, fire, lost, &officers);
    }
    happenings
}

fn withhold(play: &mut Play<'_>, field: &Field<'_>, shot: &Shot, reason: &NoFire) {
    let unit = field.unit(shot.lead());
    let fact = Fact::FireWithheld { unit: unit.id.clone() };
    let who = tell::capital(&tell::called(&unit.name));
    play.tell_side(unit.side, reason.rule, fact, sentence(format!("{who} does not fire: {}.", reason.text)));
}

/// Applies one fire, and says who lost how many figures (sections of a battery) by it.
fn apply(play: &mut Play<'_>, field: &Field<'_>, fire: &Fire, happenings: &mut Vec<Happening>) -> Vec<(UnitIx, u32)> {
    play.tell(FIRE_01, tell::fact(field, fire), tell::explanation(field, fire));
    enter_in_ledger(play, field, fire);
    let mut lost = Vec::new();
    for hit in &fire.hits {
        let firer = field.unit(fire.laid.shot.lead()).id.as_str();
        let taken = suffer(play, firer, hit);
        lost.push((hit.unit, taken.figures));
        if hit.why.is_direct() || 0 < taken.figures + taken.horses {
            happenings.push(Happening::FiredOn(fired_on(field, &fire.laid, is_struck(fire.cell), hit, taken)));
        }
    }
    disorder_attack_column(play, fire);
    run_out(play, fire);
    lost
}

/// ALG-FIRES 1 The fire counts, the enemy is known, the opening volley and canister are used.
fn enter_in_ledger(play: &mut Play<'_>, field: &Field<'_>, fire: &Fire) {
    if !field.knows_of(field.unit(fire.laid.shot.lead()).side, fire.laid.shot.target) {
        return enter_as_at_nobody(play, fire);
    }
    let target_id = field.unit(fire.laid.shot.target).id.clone();
    let kills: u32 = fire.hits.iter().map(|hit| hit.loss).sum();
    for firer in &fire.laid.shot.firers {
        let (before, target) = (field.unit(firer.unit), field.unit(fire.laid.shot.target));
        let aim = big_guns::count_shot(field.rules, before, target);
        let unit = &mut play.table_mut()[firer.unit];
        unit.carried.aim = aim;
        // TAC-39 Both fires of a square count as one.
        unit.marks.fires += u32::from(!matches!(firer.stands, Stands::NotThese(_)));
        unit.marks.screen_fired |= firer.stands == Stands::Screen;
        unit.marks.fired_at.insert(target_id.clone());
        unit.marks.seen_by_firing = true;
        unit.marks.shot_kept = false;
        unit.marks.rapid_fire |= firer.rapid;
        unit.marks.kills += kills;
        unit.carried.fires += 1;
        unit.carried.canister_fires += u32::from(fire.laid.shot.round.is_canister());
        unit.located = true;
        unit.opening_volley_used |= fire.laid.opening_volleys.contains(&firer.unit);
        if let Some(guns) = &mut unit.guns {
            guns.canister = guns.canister.saturating_sub(fire.laid.shot.round.charges());
        }
    }
    let target = &mut play.table_mut()[fire.laid.shot.target];
    target.marks.fired_on = true;
    target.located = true;
}

/// LOS-13 The firers keep the same of a fire at whom their side does not know as of one at nobody. VIS-08 Whom they fired at may see
/// them for it.
fn enter_as_at_nobody(play: &mut Play<'_>, fire: &Fire) {
    for firer in &fire.laid.shot.firers {
        let opening = fire.laid.opening_volleys.contains(&firer.unit);
        let unit = &mut play.table_mut()[firer.unit];
        unseen::enter_in_ledger(unit, opening);
        let id = unit.id.clone();
        play.table_mut()[fire.laid.shot.target].marks.fired_on_blind_by.insert(id);
    }
    play.table_mut()[fire.laid.shot.target].marks.fired_on = true;
}

/// What one victim lost to one fire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lost {
    /// Figures, or sections.
    pub figures: u32,
    /// Stands as morale counts them: a section is a stand, and so is a figure of sharpshooters. MOR-18
    pub stands: u32,
    /// Horses.
    pub horses: u32,
}

/// Takes what one victim loses: figures, stands and horses. `firer` keys the dice for horses.
pub(super) fn suffer(play: &mut Play<'_>, firer: &str, hit: &Hit) -> Lost {
    let (split, thrown) = horses_and_sections(play, firer, hit);
    let turn = play.table().turn;
    let unit = &mut play.table_mut()[hit.unit];
    let (lost, taken) = take_off(unit, hit.why, split);
    if taken.figures + lost.horses == 0 {
        return lost;
    }
    column::count_losses(play.table_mut(), hit.unit, taken.stands);
    let unit = &mut play.table_mut()[hit.unit];
    if let (Some(guns), true) = (&mut unit.guns, 0 < lost.horses) {
        guns.horse_lost_in = Some(turn);
    }
    let unit = &play.table()[hit.unit];
    let fact = losses::fact(unit, taken, lost.horses);
    let who = tell::capital(&tell::struck(&unit.name, hit.why == Why::Screen));
    let guns = unit.guns.is_some() && !unit.is_manned_by_infantry();
    let text = format!("{who} loses {}.", loss_words(guns, taken.figures, taken.stands, lost.horses));
    let mut told = thrown.into_iter().fold(sentence(text), Explain::with_dice);
    if 0 < lost.horses {
        told = told.with_note(ARTY_36, "a hit of 1 to 4 kills a horse instead of a section");
    }
    if hit.why == Why::Screen && 0 < taken.stands {
        told = told
            .with_note(TAC_22, "the screen is gone: it counts as a stand lost from next turn, and calls for no check");
    }
    play.tell(hit.why.rule().unwrap_or(ORG_05), fact, told);
    lost
}

/// Takes figures and horses off a victim; what exceeds its figures is ignored. FIRE-34
pub(super) fn take_off(unit: &mut Unit, why: Why, split: Split) -> (Lost, losses::LossTaken) {
    let taken = match why {
        Why::Screen => losses::take_from_screen(unit, split.sections),
        _ => losses::take(unit, split.sections),
    };
    if let Some(guns) = &mut unit.guns {
        guns.horses = guns.horses.saturating_sub(split.horses);
    }
    let each_a_stand = unit.counts_by_figure();
    let stands = if each_a_stand { taken.figures } else { taken.stands };
    (Lost { figures: taken.figures, stands, horses: split.horses }, taken)
}

/// ARTY-36 Of the hits on a battery those that kill horses, and those that kill sections.
fn horses_and_sections(play: &Play<'_>, firer: &str, hit: &Hit) -> (Split, Vec<DiceShown>) {
    let unit = &play.table()[hit.unit];
    let mut throws = Throws::new(play);
    let mut thrown = Vec::new();
    let split = split(unit, hit.loss, &mut || {
        let die = throws.next(Purpose::ArtyHorse, &[firer, unit.id.as_str()], 1);
        let horse = die.faces.iter().all(|face| play.rules.gun_rules.horse_hit_faces.contains(face));
        thrown.push(die);
        horse
    });
    (split, thrown)
}

/// The hits on a unit, told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Split {
    /// Those that kill a horse.
    pub horses: u32,
    /// Those that kill a section, or a figure.
    pub sections: u32,
}

/// ARTY-36 Of the hits on a battery those that kill horses, while it has any; `hits_horse` throws a die.
pub(super) fn split(unit: &Unit, loss: u32, hits_horse: &mut dyn FnMut() -> bool) -> Split {
    let horses = unit.guns.as_ref().filter(|guns| !guns.unmanned).map_or(0, |guns| guns.horses);
    let mut split = Split::default();
    for _ in 0..loss {
        if split.horses < horses && hits_horse() {
            split.horses += 1;
        } else {
            split.sections += 1;
        }
    }
    split
}

fn loss_words(guns: bool, figures: u32, stands: u32, horses: u32) -> String {
    let mut words = Vec::new();
    if 0 < figures {
        words.push(count_words(figures, if guns { "section" } else { "figure" }));
    }
    if 0 < horses {
        words.push(count_words(horses, "horse"));
    }
    let mut text = tell::listed(&words);
    if 0 < stands && !guns {
        text = format!("{text}, and with them {}", count_words(stands, "stand"));
    }
    text
}

fn count_words(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// FIRE-16, FIRE-17 Whether a cell strikes its target, be it without a loss.
pub(super) fn is_struck(cell: Option<CrtCell>) -> bool {
    !matches!(cell.map(|cell| cell.result), None | Some(CombatResult::Nothing))
}

/// What a fire leaves to be settled for one victim. `field` is the look from which it was fired.
pub(super) fn fired_on(field: &Field<'_>, laid: &Laid, struck: bool, hit: &Hit, lost: Lost) -> FiredOn {
    let Lost { figures, stands, horses } = lost;
    let forces_hit_check = laid.forces_checks(field) && if hit.why.is_direct() { struck } else { 0 < figures + horses };
    let is_target = hit.unit == laid.shot.target;
    let in_cover = match is_target {
        true => laid.cover.behind,
        false => cover(field, hit.unit, laid.from(), laid.chart, 0).behind,
    };
    FiredOn {
        unit: hit.unit,
        by: laid.shot.firers.iter().map(|firer| firer.unit).collect(),
        forces_hit_check,
        starred: forces_hit_check && figures + horses == 0,
        figures,
        stands,
        horses,
        first_casualty: 0 < figures && !field.unit(hit.unit).first_casualty_taken,
        flank: if hit.why == Why::Support { FlankClass::Front } else { hit.flank },
        band: laid.band,
        from: laid.from(),
        canister: laid.shot.round.is_canister(),
        unseen: laid.shot.seen != super::Seen::Plainly,
        in_cover,
        at_screen: hit.why == Why::Screen,
        behind_target: matches!(hit.why, Why::Behind | Why::Sharer | Why::Support),
    }
}

/// FORM-08 An attack column that fires is in disorder at once.
fn disorder_attack_column(play: &mut Play<'_>, fire: &Fire) {
    for firer in &fire.laid.shot.firers {
        let unit = &mut play.table_mut()[firer.unit];
        if unit.footing.formation != Formation::AttackColumn || unit.footing.disorder {
            continue;
        }
        unit.footing.disorder = true;
        unit.last_formed = Formation::AttackColumn;
        let fact = Fact::Disorder { unit: unit.id.clone(), disorder: true };
        let text = format!("{} loses its order by firing.", tell::capital(&tell::called(&unit.name)));
        play.tell(FORM_08, fact, sentence(text));
    }
}

/// AMMO-01, AMMO-07 Nothing but sixes: all that fired together are out of ammunition.
fn run_out(play: &mut Play<'_>, fire: &Fire) {
    for firer in &fire.laid.shot.firers {
        scenario::after_fire(play, firer.unit);
    }
    if !fire.empty {
        return;
    }
    let turn = play.table().turn;
    let group = 1 < fire.laid.shot.firers.len();
    for firer in &fire.laid.shot.firers {
        let unit = &mut play.table_mut()[firer.unit];
        if unit.ammunition_out_since.is_some() {
            continue;
        }
        unit.ammunition_out_since = Some(turn);
        let fact = Fact::Ammunition { unit: unit.id.clone(), out: true };
        let text = format!("{} is out of ammunition.", tell::capital(&tell::called(&unit.name)));
        play.tell(if group { AMMO_07 } else { AMMO_01 }, fact, sentence(text));
    }
}
