//! TURN-05 Breaking of ties: each candidate has its own dice, highest first.

use protocol::event::Dice as DiceShown;

use super::{Dice, Purpose, throw};

/// Candidates that were level, put in order by their dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TieBreak {
    /// Indices of the candidates, the winner first.
    pub order: Vec<usize>,
    /// What each candidate threw, in the order in which the candidates were given.
    pub throws: Vec<DiceShown>,
}

/// So many rounds leave two candidates level once in 6^40 times. Only a list of given dice, or two candidates of one
/// key, can do it; the key then decides.
const ROUNDS: u32 = 40;

/// TURN-05 Puts level candidates in order: highest die first, those still level compare their next one.
///
/// A candidate is named by the key parts of its die, which must be its own. Nobody's dice depend on who else is a
/// candidate; a single candidate throws none.
pub fn break_tie(dice: &dyn Dice, phase: u8, purpose: Purpose, candidates: &[Vec<&str>]) -> TieBreak {
    let mut faces: Vec<Vec<u8>> = vec![Vec::new(); candidates.len()];
    for n in 1..=ROUNDS {
        let level = |index: usize| {
            let equals = faces.iter().enumerate().filter(|(other, thrown)| *other != index && **thrown == faces[index]);
            equals.count() != 0
        };
        let still_level: Vec<usize> = (0..candidates.len()).filter(|&index| level(index)).collect();
        if still_level.is_empty() {
            break;
        }
        for index in still_level {
            faces[index].push(dice.die(phase, purpose, &candidates[index], n));
        }
    }
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    // Level candidates have thrown equally often, so comparing the lists compares die by die.
    order.sort_by(|&one, &other| faces[other].cmp(&faces[one]).then_with(|| candidates[one].cmp(&candidates[other])));
    let shown = candidates.iter().zip(&faces).filter(|(_, thrown)| !thrown.is_empty());
    let throws = shown
        .map(|(key, thrown)| DiceShown { faces: thrown.clone(), ..throw(dice, phase, purpose, key, 1, 0) })
        .collect();
    TieBreak { order, throws }
}
