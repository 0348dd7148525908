//! A reckoned shot rolled: total, table, result, and how many each victim loses. Nothing is changed yet.
//!
//! Owns FIRE-14 to FIRE-18, FIRE-32 to FIRE-34, PEN-02, CHG-42 and ARTY-34 as arithmetic.

use protocol::event::{Dice as DiceShown, FlankClass};

use super::lay::{Halving, Laid};
use super::officers::Officers;
use super::{key, penetration};
use crate::battle::UnitIx;
use crate::catalogue::{ARTY_34, CHG_42, FORM_18, PEN_02, RuleId};
use crate::dice::{Dice, Purpose, throw};
use crate::field::Field;
use crate::ruleset::{CombatResult, CrtCell};

/// A fire rolled.
#[derive(Clone, Debug)]
pub struct Fire {
    /// The shot as it was reckoned.
    pub laid: Laid,
    /// Which fire of the turn it is for its lead firer, from 1.
    pub nth: u32,
    /// The volley's dice.
    pub thrown: DiceShown,
    /// The modified roll.
    pub roll: i32,
    /// The cell; none for a roll under the table.
    pub cell: Option<CrtCell>,
    /// All other dice, in order.
    pub side_dice: Vec<DiceShown>,
    /// The target's loss after every halving, before it is limited to its figures. FIRE-34
    pub net: u32,
    /// All who suffer, the target first.
    pub hits: Vec<Hit>,
    /// Every die showed a face that empties the boxes. AMMO-01
    pub empty: bool,
}

/// One who suffers from a fire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The victim.
    pub unit: UnitIx,
    /// What it loses, before it is limited to its figures.
    pub loss: u32,
    /// The flank class against it.
    pub flank: FlankClass,
    /// Why it suffers.
    pub why: Why,
}

/// Why a unit suffers from a fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It was fired at.
    Target,
    /// Its skirmish screen was. TAC-18
    Screen,
    /// It stands close behind the skirmishers fired at. FORM-18
    Sharer,
    /// It supports the charge fired at. CHG-42
    Support,
    /// It stands behind the target. PEN-02
    Behind,
    /// Its own guns fired over it and failed. ARTY-34
    Friend,
}

impl Why {
    /// The rule.
    pub const fn rule(self) -> Option<RuleId> {
        match self {
            Why::Target | Why::Screen => None,
            Why::Sharer => Some(FORM_18),
            Why::Support => Some(CHG_42),
            Why::Behind => Some(PEN_02),
            Why::Friend => Some(ARTY_34),
        }
    }

    /// Whether the fire itself struck it, with its MC and its 1*.
    pub const fn is_direct(self) -> bool {
        matches!(self, Why::Target | Why::Screen | Why::Sharer | Why::Friend)
    }
}

/// Rolls a shot. Dice are keyed, so the order in which shots are rolled changes nothing.
pub fn resolve(field: &Field<'_>, laid: Laid, dice: &dyn Dice, phase: u8) -> Fire {
    let lead = field.unit(laid.shot.lead());
    let target = field.unit(laid.shot.target);
    let nth = lead.marks.fires + laid.shot.before_it + 1;
    let nth_word = nth.to_string();
    let of_firer = key(&[&lead.id], &nth_word);
    let of_pair = key(&[&lead.id, &target.id], &nth_word);

    let thrown = throw(dice, phase, Purpose::FireVolley, &of_firer, 1, laid.dice_count());
    let roll = thrown.faces.iter().map(|face| i32::from(*face)).sum::<i32>() + laid.modifiers.total();
    let empty = !thrown.faces.is_empty() && thrown.faces.iter().all(|face| laid.empty_on.contains(face));
    let cell = field.rules.crt.read(laid.strength, roll);
    let mut side_dice = Vec::new();
    let casualty = &field.rules.casualty;

    let scored = match cell.map(|cell| cell.result) {
        None | Some(CombatResult::Nothing | CombatResult::MoraleCheck) => 0,
        Some(CombatResult::Killed(killed)) => u32::from(killed),
        Some(CombatResult::Star) => {
            let confirm = throw(dice, phase, Purpose::FireConfirm, &of_pair, 1, 1).needing("4 to 6");
            let kills = confirm.faces.iter().all(|face| casualty.star_kills_on.contains(face));
            side_dice.push(confirm);
            u32::from(kills)
        }
    };
    // Half of a loss, an odd half by a die.
    let half = |loss: u32, purpose: Purpose, of: &[&str], side_dice: &mut Vec<DiceShown>| {
        if loss % 2 == 0 {
            return loss / 2;
        }
        let fraction = throw(dice, phase, purpose, of, 1, 1).needing("4 to 6");
        let kills = fraction.faces.iter().all(|face| casualty.fraction_kills_on.contains(face));
        side_dice.push(fraction);
        loss / 2 + u32::from(kills)
    };
    let net = match laid.halving {
        Halving::None => scored,
        Halving::Down => scored / 2,
        Halving::ByDie => half(scored, Purpose::FireFraction, &of_pair, &mut side_dice),
    };
    let net = net.min(kills_left(field, &laid));

    let why = if laid.aims.iter().any(|aim| aim.at_screen) { Why::Screen } else { Why::Target };
    let mut hits = vec![Hit { unit: laid.shot.target, loss: net, flank: laid.flank, why }];
    for sharer in &laid.sharers {
        hits.push(Hit { unit: *sharer, loss: net, flank: penetration::flank(field, &laid, *sharer), why: Why::Sharer });
    }
    for support in &laid.shot.supports {
        let id = &field.unit(*support).id;
        let loss = half(net, Purpose::SupportFraction, &key(&[id, &lead.id], &nth_word), &mut side_dice);
        hits.push(Hit { unit: *support, loss, flank: FlankClass::Front, why: Why::Support });
    }
    for (battery, friends) in &laid.over {
        let roll = overhead_roll(field, *battery, dice, phase, &nth_word);
        for friend in friends.iter().filter(|_| !roll.1) {
            if hits.iter().any(|hit| hit.unit == *friend) {
                continue;
            }
            let flank = penetration::flank(field, &laid, *friend);
            hits.push(Hit { unit: *friend, loss: net, flank, why: Why::Friend });
        }
        side_dice.push(roll.0);
    }
    let (depth, depth_die) = penetration::depth(field, &laid, dice, phase, &of_firer);
    if 0 < net {
        for (unit, flank) in penetration::behind(field, &laid, depth) {
            let loss =
                half(net, Purpose::PenFraction, &key(&[&lead.id, &field.unit(unit).id], &nth_word), &mut side_dice);
            hits.push(Hit { unit, loss, flank, why: Why::Behind });
        }
    }
    side_dice.extend(depth_die);
    Fire { laid, nth, thrown, roll, cell, side_dice, net, hits, empty }
}

/// ARTY-32 The roll of a battery that fires over friends near the target: above its BMP.
fn overhead_roll(field: &Field<'_>, battery: UnitIx, dice: &dyn Dice, phase: u8, nth: &str) -> (DiceShown, bool) {
    let unit = field.unit(battery);
    let bmp = unit.bmp.unwrap_or_else(|| field.rules.bmp.at(unit.quality));
    let officer = i32::from(Officers::Present.helping(field, &[battery]).is_some());
    let thrown = throw(dice, phase, Purpose::ArtyOverhead, &key(&[&unit.id], nth), 1, 1);
    let passed = thrown.faces.iter().all(|face| bmp < i32::from(*face) + officer);
    (thrown.needing(&format!("above {}", bmp - officer)), passed)
}

/// SHARP-09 What a sharpshooter stand may still kill this turn.
fn kills_left(field: &Field<'_>, laid: &Laid) -> u32 {
    let firer = field.unit(laid.shot.lead());
    if firer.arm != protocol::words::Arm::Sharpshooter {
        return u32::MAX;
    }
    let most = u32::try_from(field.rules.sharpshooter.max_kills_per_turn).unwrap_or(0);
    most.saturating_sub(firer.marks.kills)
}

/// Names what a throw had to reach.
trait Needing {
    fn needing(self, what: &str) -> Self;
}

impl Needing for DiceShown {
    fn needing(self, what: &str) -> DiceShown {
        DiceShown { needed: Some(what.to_owned()), ..self }
    }
}
