//! The exact spread of a fire's result, by the same reckoning that rolls it. FIRE-35 `expected`

use super::lay::{Halving, Laid, lay};
use super::officers::Officers;
use super::{NoFire, Shot};
use crate::field::Field;
use crate::ruleset::{CombatResult, CrtCell};

/// How a fire may come out.
#[derive(Clone, Debug)]
pub struct Odds {
    /// The shot as it is reckoned: dice, modifiers, flank class.
    pub laid: Laid,
    /// For each number of figures lost by the target, from 0: in how many of [`Odds::ways`] ways.
    pub kills: Vec<u64>,
    /// All ways in which the dice can fall, side dice included.
    pub ways: u64,
    /// Every total of the dice with the ways to throw it and the cell that it reads.
    pub totals: Vec<(i32, u64, Option<CrtCell>)>,
}

impl Odds {
    /// The mean of figures lost, as a fraction: over it stands [`Odds::ways`].
    pub fn mean_over_ways(&self) -> u64 {
        self.kills.iter().zip(0..).map(|(ways, kills): (&u64, u64)| ways * kills).sum()
    }

    /// Whether the mean is at least so many tenths of a figure, exactly. FIRE-35
    pub fn expects(&self, tenths: u32) -> bool {
        u64::from(tenths) * self.ways <= 10 * self.mean_over_ways()
    }

    /// The ways in which at least so many figures are lost.
    pub fn at_least(&self, kills: usize) -> u64 {
        self.kills.iter().skip(kills).sum()
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

/// Each way of the volley's dice counts for four: the side dice of a star and of a fraction halve it twice at most.
const SIDE_WAYS: u64 = 4;

fn spread(field: &Field<'_>, laid: Laid) -> Odds {
    let left = usize::try_from(field.unit(laid.shot.target).figures()).unwrap_or(usize::MAX);
    let sums = sums(laid.dice_count());
    let ways = sums.iter().map(|(_, ways)| ways).sum::<u64>() * SIDE_WAYS;
    let mut kills = vec![0; left + 1];
    let mut totals = Vec::new();
    for (sum, ways) in sums {
        let total = sum + laid.modifiers.total();
        let cell = field.rules.crt.read(laid.strength, total);
        totals.push((total, ways, cell));
        for (lost, share) in losses(cell, laid.halving) {
            kills[lost.min(left)] += ways * share;
        }
    }
    Odds { laid, kills, ways, totals }
}

/// What a cell kills after halving, with its share of [`SIDE_WAYS`].
fn losses(cell: Option<CrtCell>, halving: Halving) -> Vec<(usize, u64)> {
    let scored: Vec<(usize, u64)> = match cell.map(|cell| cell.result) {
        None | Some(CombatResult::Nothing | CombatResult::MoraleCheck) => vec![(0, 2)],
        Some(CombatResult::Star) => vec![(0, 1), (1, 1)],
        Some(CombatResult::Killed(killed)) => vec![(usize::from(killed), 2)],
    };
    let halved = scored.into_iter().flat_map(|(lost, share)| match halving {
        Halving::None => vec![(lost, 2 * share)],
        Halving::Down => vec![(lost / 2, 2 * share)],
        Halving::ByDie => vec![(lost / 2, share), (lost.div_ceil(2), share)],
    });
    halved.collect()
}

/// The sums of so many dice, with the ways to throw each.
fn sums(dice: u32) -> Vec<(i32, u64)> {
    let mut ways: Vec<(i32, u64)> = vec![(0, 1)];
    for _ in 0..dice {
        let mut next: Vec<(i32, u64)> = Vec::new();
        for (sum, count) in &ways {
            for face in 1..=6 {
                match next.iter_mut().find(|(known, _)| *known == sum + face) {
                    Some((_, known)) => *known += count,
                    None => next.push((sum + face, *count)),
                }
            }
        }
        next.sort_unstable();
        ways = next;
    }
    ways
}
