//! Time and chance, handed down from the top. Nothing else asks the system for either.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::store::Millis;

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// Milliseconds since 1970, UTC. Never earlier than the last answer.
    fn now(&self) -> Millis;
}

/// Gives random bytes.
pub trait Entropy: Send + Sync + 'static {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);

    /// 32 random bytes: a seed, a salt, a nonce.
    fn bytes32(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.fill(&mut bytes);
        bytes
    }

    /// 32 random bytes for one named purpose. A seeded source gives each name its own bytes, whoever asks first: so two
    /// players who seal at the same time get the same salts in every run of the same seed.
    fn bytes32_for(&self, _name: &str) -> [u8; 32] {
        self.bytes32()
    }

    /// A random identifier (uuid v4).
    fn uuid(&self) -> Uuid {
        let mut bytes = [0; 16];
        self.fill(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }

    /// A token of 256 bits as 64 hexadecimal digits.
    fn token(&self) -> String {
        self.bytes32().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The system's clock, kept from running backwards.
#[derive(Default)]
pub struct SystemClock {
    latest: AtomicI64,
}

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = Millis::try_from(since_1970.as_millis()).unwrap_or(Millis::MAX);
        // When the system's clock is set back, deadlines wait rather than pass twice.
        self.latest.fetch_max(now, Ordering::AcqRel).max(now)
    }
}

/// A clock that stands where it was set: for tests.
pub struct GivenClock {
    now: AtomicI64,
}

impl GivenClock {
    /// A clock that says `now`.
    pub fn at(now: Millis) -> Self {
        GivenClock { now: AtomicI64::new(now) }
    }

    /// Moves the clock on.
    pub fn advance(&self, by: Millis) {
        self.now.fetch_add(by, Ordering::AcqRel);
    }
}

impl Clock for GivenClock {
    fn now(&self) -> Millis {
        self.now.load(Ordering::Acquire)
    }
}

/// The system's randomness.
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the system gives random bytes; a server that has none must not deal dice");
    }
}

/// Bytes from a number, the same each time: for `--seed`, tests and sandboxes. Whoever knows the number knows all dice.
pub struct SeededEntropy {
    seed: u64,
    drawn: AtomicU64,
    /// Draws are served one at a time, so that one caller's bytes are never torn by another's.
    turn: Mutex<()>,
}

impl SeededEntropy {
    /// The bytes that belong to `seed`.
    pub fn new(seed: u64) -> Self {
        SeededEntropy { seed, drawn: AtomicU64::new(0), turn: Mutex::new(()) }
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        for chunk in bytes.chunks_mut(32) {
            let drawn = self.drawn.fetch_add(1, Ordering::Relaxed);
            let mut hash = Sha256::new();
            hash.update(b"picket seeded entropy 1");
            hash.update(self.seed.to_be_bytes());
            hash.update(drawn.to_be_bytes());
            let block: [u8; 32] = hash.finalize().into();
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
    }

    fn bytes32_for(&self, name: &str) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"picket named entropy 1");
        hash.update(self.seed.to_be_bytes());
        hash.update(name.as_bytes());
        hash.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_bytes_each_time() {
        let draws = |seed: u64| {
            let entropy = SeededEntropy::new(seed);
            (entropy.token(), entropy.uuid(), entropy.bytes32())
        };
        assert_eq!(draws(7), draws(7));
        assert_ne!(draws(7), draws(8));
        let (token, id, bytes) = draws(7);
        assert_eq!((token.len(), id.get_version_num()), (64, 4));
        assert_ne!(token, bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    }

    #[test]
    fn a_named_draw_does_not_depend_on_when_it_is_made() {
        let (early, late) = (SeededEntropy::new(7), SeededEntropy::new(7));
        late.token();
        assert_eq!(early.bytes32_for("salt"), late.bytes32_for("salt"));
        assert_ne!(early.bytes32_for("salt"), early.bytes32_for("seed"));
    }

    #[test]
    fn the_system_clock_does_not_run_backwards() {
        let clock = SystemClock::default();
        let ahead = clock.now() + 3_600_000;
        clock.latest.store(ahead, Ordering::Release);
        assert_eq!(clock.now(), ahead);
    }
}
