//! A reckoned shot rolled: total, table, result, and how many each victim loses. Nothing is changed yet.
//!
//! Owns FIRE-14 to FIRE-18, FIRE-32 to FIRE-34, PEN-02, CHG-42 and ARTY-34 as arithmetic.

use std::collections::BTreeMap;

use protocol::event::{Dice as DiceShown, FlankClass};
use protocol::words::Arm;

use super::lay::{Halving, Laid};
use super::{Named, penetration};
use crate::battle::UnitIx;
use crate::catalogue::{ARTY_34, CHG_42, FORM_18, PEN_02, RuleId, TAC_18, TAC_30};
use crate::column;
use crate::competence::{self, Finding};
use crate::dice::{Purpose, throw};
use crate::field::Field;
use crate::play::Play;
use crate::ruleset::{CombatResult, CrtCell, Ruleset};

/// A fire rolled.
pub(super) struct Fire {
    /// The shot as it was reckoned.
    pub laid: Laid,
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
    /// How far it reaches past its target, thousandths of an inch. PEN-01
    pub reach: i32,
    /// Every die showed a face that empties the boxes. AMMO-01
    pub empty: bool,
    /// The rolls of batteries that fired over friends. ARTY-32
    pub findings: Vec<Finding>,
}

/// One who suffers from a fire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hit {
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
pub(super) enum Why {
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
    /// It stands in the brigade column whose lead was hit. TAC-30
    Column,
}

impl Why {
    /// The rule.
    pub(super) const fn rule(self) -> Option<RuleId> {
        match self {
            Why::Target => None,
            Why::Screen => Some(TAC_18),
            Why::Sharer => Some(FORM_18),
            Why::Support => Some(CHG_42),
            Why::Behind => Some(PEN_02),
            Why::Friend => Some(ARTY_34),
            Why::Column => Some(TAC_30),
        }
    }

    /// Whether the fire itself struck it, with its MC and its 1*. Who stands close behind skirmishers has only the checks of a
    /// unit behind a target. FORM-18, MOR-19
    pub(super) const fn is_direct(self) -> bool {
        matches!(self, Why::Target | Why::Screen | Why::Friend | Why::Column)
    }
}

/// The dice of a group of fires: a throw of a key already used in the phase takes its next dice. MOR-37
pub(super) struct Throws<'p> {
    play: &'p Play<'p>,
    used: BTreeMap<(Purpose, Vec<String>), u32>,
}

impl<'p> Throws<'p> {
    /// None thrown yet but those that the log tells.
    pub(super) fn new(play: &'p Play<'p>) -> Self {
        Throws { play, used: BTreeMap::new() }
    }

    /// The next dice of this key.
    pub(super) fn next(&mut self, purpose: Purpose, key: &[&str], count: u32) -> DiceShown {
        let owned: Vec<String> = key.iter().map(|part| (*part).to_owned()).collect();
        let used = self.used.entry((purpose, owned)).or_insert_with(|| self.play.thrown(purpose, key));
        let thrown = throw(self.play.dice, self.play.phase, purpose, key, *used + 1, count);
        *used += count;
        thrown
    }
}

/// A die that is thrown for the target's loss beside those of the volley.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SideDie {
    /// Confirms a 1*. FIRE-17
    Confirm,
    /// For an odd half. FIRE-33
    Fraction,
}

impl SideDie {
    /// The faces that kill.
    pub(super) fn kills_on(self, rules: &Ruleset) -> &[u8] {
        match self {
            SideDie::Confirm => &rules.casualty.star_kills_on,
            SideDie::Fraction => &rules.casualty.fraction_kills_on,
        }
    }

    pub(super) const fn purpose(self) -> Purpose {
        match self {
            SideDie::Confirm => Purpose::FireConfirm,
            SideDie::Fraction => Purpose::FireFraction,
        }
    }
}

/// FIRE-14 to FIRE-18, FIRE-32 to FIRE-34 What a cell costs the target, at most `most`; `kills` throws a die where one is due.
pub(super) fn net_loss(
    cell: Option<CrtCell>,
    halving: Halving,
    most: u32,
    kills: &mut dyn FnMut(SideDie) -> bool,
) -> u32 {
    let scored = match cell.map(|cell| cell.result) {
        None | Some(CombatResult::Nothing | CombatResult::MoraleCheck) => 0,
        Some(CombatResult::Killed(killed)) => u32::from(killed),
        Some(CombatResult::Star) => u32::from(kills(SideDie::Confirm)),
    };
    let net = match halving {
        Halving::None => scored,
        Halving::Down => scored / 2,
        Halving::ByDie => half(scored, &mut || kills(SideDie::Fraction)),
    };
    net.min(most)
}

/// Half of a loss, an odd half by a die. FIRE-33
fn half(loss: u32, kills: &mut dyn FnMut() -> bool) -> u32 {
    loss / 2 + u32::from(loss % 2 == 1 && kills())
}

/// The side dice of one fire, in order.
pub(super) struct SideDice<'t, 'p> {
    pub(super) throws: &'t mut Throws<'p>,
    pub(super) shown: Vec<DiceShown>,
    pub(super) rules: &'p Ruleset,
}

impl SideDice<'_, '_> {
    /// Whether one die kills.
    pub(super) fn kills(&mut self, die: SideDie, purpose: Purpose, key: &[&str]) -> bool {
        let thrown = self.throws.next(purpose, key, 1).needing("4 to 6");
        let kills = thrown.faces.iter().all(|face| die.kills_on(self.rules).contains(face));
        self.shown.push(thrown);
        kills
    }

    /// Half of a loss, an odd half by a die.
    pub(super) fn half(&mut self, loss: u32, purpose: Purpose, key: &[&str]) -> u32 {
        half(loss, &mut || self.kills(SideDie::Fraction, purpose, key))
    }
}

/// SCALE-05, HID-58 The key of a volley's dice: those of a fire of which nobody is shown the dice are apart from all others.
pub(super) fn volley_key<'k>(lead: &'k str, named: Option<&Named>) -> Vec<&'k str> {
    if named.is_some_and(|named| named.quiet) { vec![lead, "unseen"] } else { vec![lead] }
}

/// Rolls a shot. Dice are keyed, so the order in which the shots of a group are rolled changes nothing.
pub(super) fn resolve(field: &Field<'_>, laid: Laid, throws: &mut Throws<'_>) -> Fire {
    let play = throws.play;
    let lead = field.unit(laid.shot.lead()).id.as_str();
    let target = field.unit(laid.shot.target).id.as_str();

    let key = volley_key(lead, laid.shot.named.as_ref());
    let thrown = throws.next(Purpose::FireVolley, &key, laid.dice_count());
    let roll = thrown.faces.iter().map(|face| i32::from(*face)).sum::<i32>() + laid.modifiers.total();
    let empty = !thrown.faces.is_empty() && thrown.faces.iter().all(|face| laid.empty_on.contains(face));
    let cell = field.rules.crt.read(laid.strength, roll);
    let mut side = SideDice { throws, shown: Vec::new(), rules: play.rules };

    let mut left = kills_left(field, &laid);
    let net = net_loss(cell, laid.halving, left, &mut |die| side.kills(die, die.purpose(), &[lead, target]));
    left -= net;

    let mut hits = vec![target_hit(&laid, net)];
    for sharer in &laid.sharers {
        hits.push(Hit { unit: *sharer, loss: net, flank: penetration::flank(field, &laid, *sharer), why: Why::Sharer });
    }
    for support in &laid.shot.supports {
        let loss = side.half(net, Purpose::SupportFraction, &[field.unit(*support).id.as_str()]);
        hits.push(Hit { unit: *support, loss, flank: FlankClass::Front, why: Why::Support });
    }
    let mut findings = Vec::new();
    for (battery, friends) in &laid.over {
        let key = [field.unit(*battery).id.as_str()];
        let finding = competence::roll(play, field, *battery, Purpose::ArtyOverhead, &key, "firing over friends");
        for friend in friends.iter().filter(|_| !finding.passed) {
            let whole = column::lead_of(field.table, *friend);
            if hits.iter().all(|hit| hit.unit != whole) {
                let flank = penetration::flank(field, &laid, whole);
                hits.push(Hit { unit: whole, loss: net, flank, why: Why::Friend });
            }
        }
        findings.push(finding);
    }
    let depth = penetration::depth(field, &laid, side.throws);
    if 0 < net {
        for (unit, flank) in penetration::behind(field, &laid, depth.reach) {
            let loss = side.half(net, Purpose::PenFraction, &[lead, field.unit(unit).id.as_str()]);
            hits.push(Hit { unit, loss, flank, why: Why::Behind });
        }
    }
    let mut hits = with_columns(field, hits);
    // SHARP-09 counts the losses of all; the excess is dropped, those behind first.
    for hit in hits.iter_mut().skip(1) {
        hit.loss = hit.loss.min(left);
        left -= hit.loss;
    }
    let mut side_dice = side.shown;
    side_dice.extend(depth.thrown);
    Fire { laid, thrown, roll, cell, side_dice, net, hits, reach: depth.reach, empty, findings }
}

/// TAC-30 What the lead of a column loses, every regiment of it loses too.
pub(super) fn with_columns(field: &Field<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let with_column = |hit: Hit| {
        let behind = column::followers(field.table, hit.unit);
        let shared = behind.into_iter().map(|unit| Hit { unit, why: Why::Column, ..hit.clone() }).collect::<Vec<_>>();
        std::iter::once(hit).chain(shared)
    };
    hits.into_iter().flat_map(with_column).collect()
}

/// How the target suffers so much. TAC-18
pub(super) fn target_hit(laid: &Laid, loss: u32) -> Hit {
    let why = if laid.aims.iter().any(|aim| aim.at_screen) { Why::Screen } else { Why::Target };
    Hit { unit: laid.shot.target, loss, flank: laid.flank, why }
}

/// SHARP-09 What a sharpshooter stand may still kill this turn.
pub(super) fn kills_left(field: &Field<'_>, laid: &Laid) -> u32 {
    let firer = field.unit(laid.shot.lead());
    if firer.arm != Arm::Sharpshooter {
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
