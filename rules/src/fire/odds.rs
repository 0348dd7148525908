//! The exact spread of a fire's result, by the same reckoning that rolls it. FIRE-35 `expected`
//!
//! Owns which totals the dice can have and what each costs the target: dice and modifiers come from [`lay`], the loss of a cell
//! from the code that rolls it. It throws no die and knows nothing of morale: [`Odds::suffered`] says in which states the fire
//! may leave the target, and [`crate::morale::fates`] what may come of each.

use std::collections::BTreeMap;

use super::apply::{self, Lost, Split};
use super::lay::{Laid, lay};
use super::officers::Officers;
use super::resolve::{SideDie, Why, kills_left, net_loss, target_hit};
use super::{NoFire, Shot, penetration};
use crate::battle::{Table, UnitIx};
use crate::chance::{Chance, each_way, sums, ways_of};
use crate::column;
use crate::field::Field;
use crate::ruleset::CrtCell;
use crate::settle::FiredOn;

/// How a fire may come out.
#[derive(Clone, Debug)]
pub struct Odds {
    /// The shot as it is reckoned: dice, modifiers, flank class.
    pub laid: Laid,
    /// For each number of figures lost by the target, from 0 to all it has: how likely it is. FIRE-34
    pub kills: Vec<Chance>,
    /// All ways in which the volley's dice can fall: six to the number of dice.
    pub ways: u64,
    /// Every total of the volley's dice.
    pub totals: Vec<Total>,
    nets: BTreeMap<Net, Chance>,
}

/// One total that the volley's dice can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// The dice with the modifiers.
    pub total: i32,
    /// In how many of [`Odds::ways`] ways it falls.
    pub ways: u64,
    /// The cell that it reads; none for a total under the table.
    pub cell: Option<CrtCell>,
}

/// What a total came to, as far as what follows can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Net {
    /// Figures, before they are limited to those the target has.
    loss: u32,
    /// The cell strikes, which matters for guns. FIRE-16
    struck: bool,
}

/// A state in which a fire may leave its target.
#[derive(Clone, Debug)]
pub struct Suffered {
    /// How likely it is.
    pub chance: Chance,
    /// What it leaves to be settled; its losses are off.
    pub fire: FiredOn,
    /// The table with the target's losses taken off.
    pub after: Table,
}

impl Odds {
    /// The mean of figures lost.
    pub fn mean(&self) -> Chance {
        self.kills.iter().zip(0..).map(|(chance, kills)| chance.times(kills)).sum()
    }

    /// Whether the mean is at least so many tenths of a figure, exactly. FIRE-35
    pub fn expects(&self, tenths: u32) -> bool {
        Chance::new(u64::from(tenths), 10) <= self.mean()
    }

    /// The chance that at least so many figures are lost.
    pub fn at_least(&self, kills: usize) -> Chance {
        self.kills.iter().skip(kills).copied().sum()
    }

    /// Every state in which the fire may leave its target, the lightest first, horses told from sections. ARTY-36
    ///
    /// Who else suffers (FORM-18, PEN-02, ARTY-34) is left out.
    pub fn suffered(&self, field: &Field<'_>) -> Vec<Suffered> {
        let target = field.unit(self.laid.shot.target);
        let horse_faces = field.rules.gun_rules.horse_hit_faces.len() as u64;
        let mut states: BTreeMap<(Lost, bool), (Chance, Split)> = BTreeMap::new();
        for (net, chance) in &self.nets {
            for (split, share) in each_way(|()| horse_faces, |die| apply::split(target, net.loss, &mut || die(()))) {
                let lost = apply::take_off(&mut target.clone(), target_hit(&self.laid, 0).why, split).0;
                let state = states.entry((lost, net.struck)).or_insert((Chance::NEVER, split));
                state.0 = state.0 + *chance * share;
            }
        }
        let states = states.into_iter();
        states.map(|((_, struck), (chance, split))| self.left(field, struck, chance, split)).collect()
    }

    /// PEN-01 The units behind the target that may suffer too.
    pub fn threatened(&self, field: &Field<'_>) -> Vec<UnitIx> {
        penetration::threatened(field, &self.laid)
    }

    fn left(&self, field: &Field<'_>, struck: bool, chance: Chance, split: Split) -> Suffered {
        let hit = target_hit(&self.laid, split.horses + split.sections);
        let mut after = field.table.clone();
        let lost = apply::take_off(&mut after[hit.unit], hit.why, split).0;
        let mut stands = lost.stands;
        for behind in column::followers(field.table, hit.unit) {
            stands += apply::take_off(&mut after[behind], Why::Column, split).0.stands;
        }
        column::count_losses(&mut after, hit.unit, stands);
        let fire = apply::fired_on(field, &self.laid, struck, &hit, lost);
        Suffered { chance, fire, after }
    }
}

/// The odds of a shot, without morale, penetration or horses: the figures that its target loses. FIRE-35
///
/// # Errors
/// The rule by which there is no fire.
pub fn odds(field: &Field<'_>, shot: &Shot) -> Result<Odds, NoFire> {
    let laid = lay(field, shot, &Officers::Present)?;
    Ok(spread(field, laid))
}

fn spread(field: &Field<'_>, laid: Laid) -> Odds {
    let figures = field.unit(laid.shot.target).figures();
    let most = kills_left(field, &laid);
    let ways = ways_of(laid.dice_count());
    let mut nets = BTreeMap::new();
    let mut totals = Vec::new();
    for (sum, count) in sums(laid.dice_count()) {
        let total = sum + laid.modifiers.total();
        let cell = field.rules.crt.read(laid.strength, total);
        totals.push(Total { total, ways: count, cell });
        let kills = |die: SideDie| die.kills_on(field.rules).len() as u64;
        for (loss, share) in each_way(kills, |die| net_loss(cell, laid.halving, most, die)) {
            let chance = nets.entry(Net { loss, struck: apply::is_struck(cell) }).or_insert(Chance::NEVER);
            *chance = *chance + Chance::new(count, ways) * share;
        }
    }
    let lost = |kills: u32| {
        let so_many = nets.iter().filter(|(net, _)| net.loss.min(figures) == kills);
        so_many.map(|(_, chance)| *chance).sum()
    };
    let kills = (0..=figures).map(lost).collect();
    Odds { laid, kills, ways, totals, nets }
}
