//! Guns beyond the edge of the table that bear on the field. SCNS-05
//!
//! Owns their target, their roll and what it costs. They are no unit: nothing can be done to them, they see nobody, have no
//! order and never run out. They fire with the first fires of phase 4, from the same look.

use protocol::event::{Dice as DiceShown, Fact, FlankClass};
use protocol::ids::Side;
use protocol::orders::RangeBand;
use protocol::place::Point;
use protocol::words::Quality;

use super::apply::{is_struck, suffer};
use super::lay::Halving;
use super::modifiers::{is_fleeing, target_from_afar};
use super::resolve::{Hit, SideDice, Throws, Why, net_loss, with_columns};
use super::tell;
use crate::battle::UnitIx;
use crate::catalogue::{FIRE_13, FIRE_21, SCNS_05};
use crate::dice::{Purpose, break_tie};
use crate::explain::{Explain, Reckoning, sentence};
use crate::field::Field;
use crate::places;
use crate::play::Play;
use crate::ruleset::{CrtCell, Factor, Strength};
use crate::scenario::{Band, Special, SpecialKind, TargetClass};
use crate::settle::{FiredOn, Happening};
use crate::specials;

/// One fire of guns beyond the edge, rolled on the look of the phase and not yet applied.
pub struct FromAfar {
    term: String,
    guns: String,
    side: Side,
    target: UnitIx,
    modifiers: Reckoning,
    thrown: DiceShown,
    side_dice: Vec<DiceShown>,
    roll: i32,
    cell: Option<CrtCell>,
    hits: Vec<Hit>,
    band: RangeBand,
    from: Point,
    first_casualties: Vec<bool>,
}

/// SCNS-05 The fires of this turn, rolled as everybody stands now.
pub fn rolled(play: &Play<'_>) -> Vec<FromAfar> {
    let field = super::look(play, play.table());
    let specials = field.table.scenario().specials.iter();
    specials
        .filter(|special| specials::is_now(field.table, special))
        .filter_map(|term| fire(play, &field, term))
        .collect()
}

fn fire(play: &Play<'_>, field: &Field<'_>, special: &Special) -> Option<FromAfar> {
    let SpecialKind::OffTableBattery { sections, gun, quality, dice, band, class, from } = &special.kind else {
        return None;
    };
    let side = special.side?;
    let target = target(play, field, special, side)?;
    let flank = match class {
        TargetClass::None => FlankClass::Front,
        TargetClass::Partial => FlankClass::Partial,
        TargetClass::Full => FlankClass::Full,
    };
    let modifiers = modifiers(field, target, gun, *quality, flank);
    let (key, victim) = (special.id.as_str(), field.unit(target).id.as_str());
    let mut throws = Throws::new(play);
    let thrown = throws.next(Purpose::FireVolley, &[key], *dice);
    let roll = thrown.faces.iter().map(|face| i32::from(*face)).sum::<i32>() + modifiers.total();
    let cell = field.rules.crt.read(Strength::Sections(i32::try_from(*sections).unwrap_or(0)), roll);
    let mut side_dice = SideDice { throws: &mut throws, shown: Vec::new(), rules: play.rules };
    let net = net_loss(cell, halving(field, target), u32::MAX, &mut |die| {
        side_dice.kills(die, die.purpose(), &[key, victim])
    });
    let hits = with_columns(field, vec![Hit { unit: target, loss: net, flank, why: Why::Target }]);
    let side_dice = side_dice.shown;
    let exit = &field.table.scenario().sides.get(side).exit_edge;
    Some(FromAfar {
        term: special.id.clone(),
        guns: if from.is_empty() { "Guns beyond the edge".to_owned() } else { format!("The guns of {from}") },
        side,
        target,
        modifiers,
        thrown,
        side_dice,
        roll,
        cell,
        first_casualties: hits.iter().map(|hit| !field.unit(hit.unit).first_casualty_taken).collect(),
        hits,
        band: match band {
            Band::Canister | Band::Close => RangeBand::Close,
            Band::Normal => RangeBand::Normal,
            Band::Long => RangeBand::Long,
        },
        from: crate::movement::nearest_of_stretch(field.table, exit, field.center(target)),
    })
}

/// SCNS-05 Of the open, unrouted enemies in the place that with most figures; of equals a die tells. LOS-19 In the fog those count
/// whom its side sees.
fn target(play: &Play<'_>, field: &Field<'_>, special: &Special, side: Side) -> Option<UnitIx> {
    let place = special.place.as_ref()?;
    let there = field.enemies_of(side).filter(|(ix, enemy)| {
        enemy.is_unrouted()
            && !enemy.follows_in_column()
            && field.knows_of(side, *ix)
            && places::holds_unit(field, place, *ix)
    });
    let there: Vec<UnitIx> = there.map(|(ix, _)| ix).collect();
    let most = there.iter().map(|ix| field.unit(*ix).figures()).max()?;
    let level: Vec<UnitIx> = there.into_iter().filter(|ix| field.unit(*ix).figures() == most).collect();
    if let [only] = level.as_slice() {
        return Some(*only);
    }
    let keys: Vec<Vec<&str>> = level.iter().map(|ix| vec![special.id.as_str(), field.unit(*ix).id.as_str()]).collect();
    break_tie(play.dice, play.phase, Purpose::TieTarget, &keys).order.first().map(|place| level[*place])
}

/// SCNS-05 The modifiers of gun, gunners and target; neither First Fire nor opening volley, and no range.
fn modifiers(field: &Field<'_>, target: UnitIx, gun: &str, quality: Quality, flank: FlankClass) -> Reckoning {
    let mut drm = Reckoning::of("modifiers");
    drm.add_if(true, FIRE_21, format!("{quality} firer"), *field.rules.firer_drm.quality.at(quality));
    if let Some(row) = field.rules.gun.get(gun) {
        drm.add_if(row.drm != 0, FIRE_13, row.name.clone(), row.drm);
    }
    for (rule, label, value) in target_from_afar(field, target, flank) {
        drm.add_if(value != 0, rule, label, value);
    }
    drm
}

fn halving(field: &Field<'_>, target: UnitIx) -> Halving {
    let unit = field.unit(target);
    let skirmishing = field.effect(target).is_some_and(|effect| effect.casualties < Factor::ONE);
    if skirmishing {
        Halving::Down
    } else if is_fleeing(unit) {
        Halving::ByDie
    } else {
        Halving::None
    }
}

/// SCNS-05 Applies fires that were rolled, and gives what they leave to be settled.
pub fn strike(play: &mut Play<'_>, fires: Vec<FromAfar>) -> Vec<Happening> {
    let mut happenings = Vec::new();
    for fire in fires {
        tell(play, &fire);
        play.table_mut()[fire.target].marks.fired_on = true;
        for (hit, first) in fire.hits.iter().zip(&fire.first_casualties) {
            let lost = suffer(play, &fire.term, hit);
            let struck = is_struck(fire.cell);
            happenings.push(Happening::FiredOn(FiredOn {
                unit: hit.unit,
                by: Vec::new(),
                forces_hit_check: struck,
                starred: struck && lost.figures + lost.horses == 0,
                figures: lost.figures,
                stands: lost.stands,
                horses: lost.horses,
                first_casualty: 0 < lost.figures && *first,
                flank: hit.flank,
                band: fire.band,
                from: fire.from,
                canister: false,
                unseen: false,
                in_cover: false,
                at_screen: false,
                behind_target: false,
            }));
        }
    }
    happenings
}

fn tell(play: &mut Play<'_>, fire: &FromAfar) {
    let unit = &play.table()[fire.target];
    let (id, name) = (unit.id.clone(), tell::called(&unit.name));
    let result = fire.cell.map_or_else(|| "--".to_owned(), |cell| cell.result.to_string());
    let text = format!("{} for the {} fire at {name}: a roll of {} gives {result}.", fire.guns, fire.side, fire.roll);
    let told = fire.side_dice.iter().cloned().fold(sentence(text).with_dice(fire.thrown.clone()), Explain::with_dice);
    let told = told.with_sum(&fire.modifiers).with_note(SCNS_05, format!("special rule `{}`", fire.term));
    play.tell(SCNS_05, Fact::Special { unit: Some(id) }, told);
}
