//! Token buckets: so many at once, so many a second after that.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use super::Refused;
use crate::store::Millis;

/// One bucket.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    /// Thousandths of what may still be taken.
    left: i64,
    at: Millis,
}

/// How large buckets of one kind are, and how fast they fill.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// What may be taken at once.
    pub burst: i64,
    /// What comes back in a minute.
    pub per_minute: i64,
}

impl Bucket {
    /// A full bucket.
    pub fn full(rate: Rate, now: Millis) -> Self {
        Bucket { left: rate.burst * 1000, at: now }
    }

    /// Takes one, if there is one.
    pub fn take(&mut self, rate: Rate, now: Millis) -> bool {
        let passed = now.saturating_sub(self.at).max(0);
        self.at = now;
        // A thousandth of a piece for a thousandth of a second is a piece a second.
        let back = passed.saturating_mul(rate.per_minute) / 60;
        self.left = self.left.saturating_add(back).min(rate.burst * 1000);
        if self.left < 1000 {
            return false;
        }
        self.left -= 1000;
        true
    }
}

/// A bucket for each address. Behind a proxy all clients have the proxy's: there the proxy has to limit.
pub struct Quota {
    rate: Rate,
    addresses: Mutex<HashMap<IpAddr, Bucket>>,
}

/// Addresses remembered; beyond, those with a full bucket are forgotten.
const MOST_ADDRESSES: usize = 16_384;

impl Quota {
    /// An empty list.
    pub fn new(rate: Rate) -> Self {
        Quota { rate, addresses: Mutex::default() }
    }

    /// Takes one from the bucket of `address`, or refuses.
    pub fn take(&self, address: IpAddr, now: Millis) -> Result<(), Refused> {
        let mut addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        if MOST_ADDRESSES <= addresses.len() {
            let rate = self.rate;
            addresses.retain(|_, bucket| now.saturating_sub(bucket.at) < rate.burst * 60_000 / rate.per_minute.max(1));
        }
        if MOST_ADDRESSES <= addresses.len() && !addresses.contains_key(&address) {
            return Err(Refused::new("too_many", "too many ask at once; try again in a minute"));
        }
        let bucket = addresses.entry(address).or_insert_with(|| Bucket::full(self.rate, now));
        match bucket.take(self.rate, now) {
            true => Ok(()),
            false => Err(Refused::new("too_many", "that was asked too often; try again in a minute")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let rate = Rate { burst: 2, per_minute: 60 };
        let mut bucket = Bucket::full(rate, 0);
        assert!(bucket.take(rate, 0) && bucket.take(rate, 0) && !bucket.take(rate, 0));
        assert!(!bucket.take(rate, 999));
        assert!(bucket.take(rate, 1000) && !bucket.take(rate, 1000));
        assert!(bucket.take(rate, 3_600_000) && bucket.take(rate, 3_600_000) && !bucket.take(rate, 3_600_000));
    }

    #[test]
    fn each_address_has_its_own() {
        let quota = Quota::new(Rate { burst: 1, per_minute: 1 });
        let (one, other) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        assert!(quota.take(one, 0).is_ok() && quota.take(one, 0).is_err() && quota.take(other, 0).is_ok());
    }
}
