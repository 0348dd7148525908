//! The bot's own chance: a small generator seeded by its owner.
//!
//! It never asks the system for entropy, so the same seed plays the same game against the same enemy.
//! It settles ties and the small unpredictability of a plan, nothing that has to be secret.

/// SplitMix64: one word of state, good enough for ties.
#[derive(Clone, Debug)]
pub struct Chance {
    state: u64,
}

impl Chance {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Chance { state: seed }
    }

    /// For one window of a game: a plan that is made again, after a reconnection say, comes out the same.
    pub fn for_window(seed: u64, line: u32, turn: u32, stage: u32) -> Self {
        let mut chance = Chance::new(seed);
        for part in [line, turn, stage] {
            chance.state = chance.next_word() ^ u64::from(part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        chance
    }

    /// The next word.
    pub fn next_word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number from 0 up to, but not including, 1.
    pub fn share(&mut self) -> f64 {
        (self.next_word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number between two.
    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.share()
    }

    /// 32 bytes in hexadecimal: the nonce of a seal.
    pub fn nonce(&mut self) -> String {
        (0..4).map(|_| format!("{:016x}", self.next_word())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_says_the_same() {
        let words = |seed| {
            let mut chance = Chance::new(seed);
            (0..4).map(|_| chance.next_word()).collect::<Vec<_>>()
        };
        assert_eq!(words(7), words(7));
        assert_ne!(words(7), words(8));
        // The generator's published first word for the seed 0.
        assert_eq!(Chance::new(0).next_word(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn windows_differ_and_shares_stay_below_one() {
        let first = |turn| Chance::for_window(7, 1, turn, 0).next_word();
        assert_ne!(first(1), first(2));
        let mut chance = Chance::new(1);
        assert!((0..1_000).map(|_| chance.share()).all(|share| (0.0..1.0).contains(&share)));
        assert_eq!(chance.nonce().len(), 64);
    }
}
