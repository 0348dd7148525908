//! A small generator for random play: variety, not quality. Never a die of a battle.

/// Numbers from a seed, the same each time.
pub struct Chance(u64);

impl Chance {
    /// The numbers that belong to `seed`.
    pub fn new(seed: u64) -> Self {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66)
    }

    /// A number below `limit`; 0 if that is 0.
    pub fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % u64::from(limit.max(1))) as u32
    }

    /// Once in `times`.
    pub fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// A number from `-reach` to `reach`.
    pub fn offset(&mut self, reach: i32) -> i32 {
        self.below(2 * reach.unsigned_abs() + 1) as i32 - reach
    }

    /// One of several.
    pub fn one_of<'a, T>(&mut self, several: &'a [T]) -> Option<&'a T> {
        several.get(self.below(several.len() as u32) as usize)
    }

    /// Any order of a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for n in (1..list.len()).rev() {
            list.swap(n, self.below(n as u32 + 1) as usize);
        }
    }
}
