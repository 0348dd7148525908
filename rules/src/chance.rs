//! Chances as exact fractions: ways of the dice over all their ways. No floats, and no die is thrown.
//!
//! Owns [`Chance`], the sums of several dice, and [`each_way`], which runs a piece of the rules once for every way in which its
//! yes-or-no dice can fall. What is thrown in play and what is reckoned beforehand is so the same piece of code.

use std::fmt;
use std::ops::{Add, Mul};

use protocol::message;

/// The faces of a die.
pub const FACES: u64 = 6;

/// A chance, in lowest terms; also a mean, which may be above 1.
///
/// Its parts come from dice of six faces. A volley with all that may follow it throws fewer than 49 of them, and 6 to the 49th
/// still fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    ways: u128,
    of: u128,
}

impl Chance {
    /// It does not happen.
    pub const NEVER: Chance = Chance { ways: 0, of: 1 };
    /// It happens.
    pub const CERTAIN: Chance = Chance { ways: 1, of: 1 };

    /// So many ways of so many, which are never none.
    pub fn new(ways: u64, of: u64) -> Chance {
        Chance::reduced(u128::from(ways), u128::from(of.max(1)))
    }

    fn reduced(ways: u128, of: u128) -> Chance {
        let common = greatest_common_divisor(ways, of);
        Chance { ways: ways / common, of: of / common }
    }

    /// So many times as much: for means.
    pub fn times(self, count: u32) -> Chance {
        self * Chance::new(u64::from(count), 1)
    }

    /// Whether it can happen at all.
    pub fn is_possible(self) -> bool {
        0 < self.ways
    }

    /// The chance that it does not happen.
    pub fn otherwise(self) -> Chance {
        Chance::reduced(self.of.saturating_sub(self.ways), self.of)
    }

    /// How likely it is once the other, which is never impossible and includes it, has happened.
    pub fn out_of(self, other: Chance) -> Chance {
        self * Chance { ways: other.of, of: other.ways.max(1) }
    }

    /// In parts of `whole`, a half rounded up.
    pub fn parts(self, whole: u32) -> u32 {
        // ways / of <= 1 for a chance: scaled in two steps, so that nothing overflows.
        let whole = u128::from(whole);
        let (quotient, rest) = (self.ways / self.of, self.ways % self.of);
        let rest = match rest.checked_mul(2 * whole) {
            Some(double) => (double / self.of).div_ceil(2),
            None => (rest / (self.of / (2 * whole))).div_ceil(2),
        };
        u32::try_from(quotient * whole + rest).unwrap_or(u32::MAX)
    }
}

impl Chance {
    /// In whole percent; 0 and 100 only where nothing else can be.
    pub fn percent(self) -> String {
        match self.parts(100) {
            0 if self.is_possible() => "under 1 %".to_owned(),
            100 if self != Chance::CERTAIN => "over 99 %".to_owned(),
            whole => format!("{whole} %"),
        }
    }

    /// As it goes over the wire.
    pub fn shown(self) -> message::Chance {
        message::Chance { millionths: self.parts(1_000_000), exact: self.to_string() }
    }
}

impl Add for Chance {
    type Output = Chance;

    fn add(self, other: Chance) -> Chance {
        let common = greatest_common_divisor(self.of, other.of);
        let (own, theirs) = (other.of / common, self.of / common);
        Chance::reduced(self.ways * own + other.ways * theirs, self.of * own)
    }
}

impl Mul for Chance {
    type Output = Chance;

    fn mul(self, other: Chance) -> Chance {
        let (one, two) = (Chance::reduced(self.ways, other.of), Chance::reduced(other.ways, self.of));
        Chance { ways: one.ways * two.ways, of: one.of * two.of }
    }
}

impl PartialOrd for Chance {
    fn partial_cmp(&self, other: &Chance) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Chance {
    /// By the value: over a common denominator.
    fn cmp(&self, other: &Chance) -> std::cmp::Ordering {
        let common = greatest_common_divisor(self.of, other.of);
        (self.ways * (other.of / common)).cmp(&(other.ways * (self.of / common)))
    }
}

impl std::iter::Sum for Chance {
    fn sum<I: Iterator<Item = Chance>>(chances: I) -> Chance {
        chances.fold(Chance::NEVER, Add::add)
    }
}

impl fmt::Display for Chance {
    /// As `5/36`; `0` and `1` without a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            1 => write!(f, "{}", self.ways),
            of => write!(f, "{}/{of}", self.ways),
        }
    }
}

fn greatest_common_divisor(one: u128, other: u128) -> u128 {
    let (mut one, mut other) = (one, other);
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.max(1)
}

/// The sums of so many dice, each with the ways to throw it; no dice have the sum 0 in one way.
pub fn sums(dice: u32) -> Vec<(i32, u64)> {
    let mut ways = vec![1_u64];
    for _ in 0..dice {
        let mut next = vec![0; ways.len() + 6];
        for (sum, count) in ways.iter().enumerate() {
            next.iter_mut().skip(sum + 1).take(6).for_each(|known| *known += count);
        }
        ways = next;
    }
    (0..).zip(ways).filter(|(_, count)| 0 < *count).collect()
}

/// The ways in which so many dice can fall.
pub fn ways_of(dice: u32) -> u64 {
    FACES.saturating_pow(dice)
}

/// Runs `run` once for each way in which the yes-or-no dice that it asks for can fall. `yes` says with how many of the six
/// faces a die is a yes. The chances of all results add up to one.
pub fn each_way<D: Copy, T>(yes: impl Fn(D) -> u64, run: impl Fn(&mut dyn FnMut(D) -> bool) -> T) -> Vec<(T, Chance)> {
    let mut results = Vec::new();
    let mut open = vec![Vec::<bool>::new()];
    while let Some(begun) = open.pop() {
        let mut fallen = Vec::new();
        let mut chance = Chance::CERTAIN;
        let result = run(&mut |die| {
            let faces = yes(die).min(FACES);
            let answer = begun.get(fallen.len()).copied().unwrap_or_else(|| {
                let either = 0 < faces && faces < FACES;
                if either {
                    open.push(fallen.iter().copied().chain([false]).collect());
                }
                0 < faces
            });
            fallen.push(answer);
            chance = chance * Chance::new(if answer { faces } else { FACES - faces }, FACES);
            answer
        });
        results.push((result, chance));
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_kept_in_lowest_terms() {
        assert_eq!(Chance::new(3, 6).to_string(), "1/2");
        assert_eq!((Chance::new(1, 6) + Chance::new(1, 3)).to_string(), "1/2");
        assert_eq!((Chance::new(2, 3) * Chance::new(3, 4)).to_string(), "1/2");
        assert_eq!(Chance::new(6, 6).to_string(), "1");
        assert!(Chance::new(1, 3) < Chance::new(5, 12));
    }

    #[test]
    fn parts_are_rounded_half_up() {
        assert_eq!(Chance::new(1, 6).parts(100), 17, "16.67");
        assert_eq!(Chance::new(1, 8).parts(100), 13, "12.5");
        assert_eq!(Chance::new(1, 3).parts(1_000_000), 333_333);
        assert_eq!(Chance::CERTAIN.parts(100), 100);
        let small = (0..40).fold(Chance::new(5, 6), |chance, _| chance * Chance::new(5, 6));
        // (5/6)^41 = 0.000567...
        assert_eq!(small.parts(1_000_000), 567);
    }

    #[test]
    fn sums_of_two_dice_are_those_of_every_table() {
        let ways: Vec<u64> = sums(2).into_iter().map(|(_, ways)| ways).collect();
        assert_eq!(ways, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
        assert_eq!(sums(2).first(), Some(&(2, 1)));
        for dice in 0..=6 {
            assert_eq!(sums(dice).iter().map(|(_, ways)| ways).sum::<u64>(), ways_of(dice));
        }
    }

    #[test]
    fn each_way_asks_again_only_after_what_was_answered() {
        // A second die is thrown only after a yes: yes yes 1/2 x 1/3, yes no 1/2 x 2/3, no 1/2.
        let faces = |die: u8| if die == 1 { 3 } else { 2 };
        let mut found = each_way(faces, |die| if die(1) { 1 + u32::from(die(2)) } else { 0 });
        found.sort_by_key(|(result, _)| *result);
        assert_eq!(found, [(0, Chance::new(1, 2)), (1, Chance::new(1, 3)), (2, Chance::new(1, 6))]);
    }

    #[test]
    fn a_die_that_cannot_fall_otherwise_opens_no_way() {
        assert_eq!(each_way(|_: ()| 6, |die| die(())), [(true, Chance::CERTAIN)]);
        assert_eq!(each_way(|_: ()| 0, |die| die(())), [(false, Chance::CERTAIN)]);
    }
}
