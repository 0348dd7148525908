//! A list by key of which copies are cheap: leaders, brigades and losses of a table.
//!
//! Owns [`Roll`], which reads like a map sorted by its keys and is stored like one. Copies share every entry that neither has
//! changed, and the list itself until one of them is changed: a look that is kept costs nothing, and a change one entry.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;
use std::sync::Arc;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Values by key, in the order of the keys.
#[derive(Clone)]
pub struct Roll<K, V>(Arc<Vec<Arc<(K, V)>>>);

impl<K, V> Default for Roll<K, V> {
    fn default() -> Self {
        Roll(Arc::default())
    }
}

impl<K, V> Roll<K, V> {
    /// A list without entries.
    pub fn new() -> Self {
        Roll::default()
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries in the order of their keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + Clone {
        self.0.iter().map(|entry| (&entry.0, &entry.1))
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + Clone {
        self.iter().map(|(_, value)| value)
    }
}

impl<K, V> Roll<K, V> {
    /// The entries that are not those of another list at the same places: all that have changed since it was copied, and maybe others.
    pub(crate) fn unlike<'r>(&'r self, before: &'r Roll<K, V>) -> impl Iterator<Item = (&'r K, &'r V)> {
        let all = if Arc::ptr_eq(&self.0, &before.0) { &[] } else { &self.0[..] };
        let is_shared =
            |(n, entry): &(usize, &Arc<(K, V)>)| before.0.get(*n).is_some_and(|old| Arc::ptr_eq(old, entry));
        all.iter().enumerate().filter(move |entry| !is_shared(entry)).map(|(_, entry)| (&entry.0, &entry.1))
    }
}

impl<K: Ord, V> Roll<K, V> {
    fn place(&self, key: &K) -> Result<usize, usize> {
        self.0.binary_search_by(|entry| entry.0.cmp(key))
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.place(key).ok().map(|place| &self.0[place].1)
    }

    /// Whether there is an entry of that key.
    pub fn contains_key(&self, key: &K) -> bool {
        self.place(key).is_ok()
    }
}

impl<K: Ord + Clone, V: Clone> Roll<K, V> {
    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let place = self.place(key).ok()?;
        Some(&mut Arc::make_mut(&mut Arc::make_mut(&mut self.0)[place]).1)
    }

    /// The value of a key, to be changed; a new one where there was none.
    pub fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let place = self.place(&key);
        let entries = Arc::make_mut(&mut self.0);
        let place = place.unwrap_or_else(|place| {
            entries.insert(place, Arc::new((key, V::default())));
            place
        });
        &mut Arc::make_mut(&mut entries[place]).1
    }

    /// The values that are to be changed, of few among many: the others stay shared.
    pub fn those_mut(&mut self, are_meant: impl Fn(&V) -> bool) -> impl Iterator<Item = &mut V> {
        let meant: Vec<bool> = self.values().map(are_meant).collect();
        let entries = match meant.contains(&true) {
            true => Arc::make_mut(&mut self.0).iter_mut(),
            false => [].iter_mut(),
        };
        let meant = entries.zip(meant).filter(|(_, meant)| *meant);
        meant.map(|(entry, _)| &mut Arc::make_mut(entry).1)
    }

    /// All values, to be changed: none is shared any more. Of few among many [`Roll::those_mut`] is asked.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        Arc::make_mut(&mut self.0).iter_mut().map(|entry| &mut Arc::make_mut(entry).1)
    }

    /// Enters a value, and gives back the one that it replaces.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let place = self.place(&key);
        let entries = Arc::make_mut(&mut self.0);
        match place {
            Ok(place) => {
                let before = std::mem::replace(&mut entries[place], Arc::new((key, value)));
                Some(Arc::unwrap_or_clone(before).1)
            }
            Err(place) => {
                entries.insert(place, Arc::new((key, value)));
                None
            }
        }
    }

    /// Takes an entry away.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let place = self.place(key).ok()?;
        Some(Arc::unwrap_or_clone(Arc::make_mut(&mut self.0).remove(place)).1)
    }

    /// Takes all entries away but those that are to stay.
    pub fn retain(&mut self, mut stays: impl FnMut(&K, &V) -> bool) {
        Arc::make_mut(&mut self.0).retain(|entry| stays(&entry.0, &entry.1));
    }

    /// Takes all entries away.
    pub fn clear(&mut self) {
        *self = Roll::default();
    }
}

impl<K: Ord, V> Index<&K> for Roll<K, V> {
    type Output = V;

    fn index(&self, key: &K) -> &V {
        self.get(key).expect("the key is on the list")
    }
}

impl<K: Ord + Clone, V: Clone> Extend<(K, V)> for Roll<K, V> {
    fn extend<T: IntoIterator<Item = (K, V)>>(&mut self, entries: T) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord + Clone, V: Clone> FromIterator<(K, V)> for Roll<K, V> {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(entries: T) -> Self {
        let mut roll = Roll::default();
        roll.extend(entries);
        roll
    }
}

impl<'r, K, V> IntoIterator for &'r Roll<K, V> {
    type Item = (&'r K, &'r V);
    type IntoIter = std::iter::Map<std::slice::Iter<'r, Arc<(K, V)>>, fn(&'r Arc<(K, V)>) -> (&'r K, &'r V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|entry| (&entry.0, &entry.1))
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Roll<K, V> {
    fn eq(&self, other: &Self) -> bool {
        let same = |n: usize| Arc::ptr_eq(&self.0[n], &other.0[n]) || self.0[n] == other.0[n];
        Arc::ptr_eq(&self.0, &other.0) || (self.len() == other.len() && (0..self.len()).all(same))
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Roll<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Serialize, V: Serialize> Serialize for Roll<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, K, V> Deserialize<'de> for Roll<K, V>
where
    K: Deserialize<'de> + Ord + Clone,
    V: Deserialize<'de> + Clone,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// Reads the entries of a list.
struct Entries<K, V>(PhantomData<(K, V)>);

impl<'de, K, V> Visitor<'de> for Entries<K, V>
where
    K: Deserialize<'de> + Ord + Clone,
    V: Deserialize<'de> + Clone,
{
    type Value = Roll<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut roll = Roll::default();
        while let Some((key, value)) = map.next_entry()? {
            roll.insert(key, value);
        }
        Ok(roll)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A list does what a map does, copies that were kept stay as they were, and both are stored alike.
        #[test]
        fn a_roll_is_a_map(deeds in proptest::collection::vec((0..7_u8, 0..9_u8, 0..100_i32), 1..60)) {
            let (mut roll, mut map) = (Roll::<String, i32>::new(), BTreeMap::<String, i32>::new());
            for (what, key, value) in deeds {
                let key = key.to_string();
                let (kept, before) = (roll.clone(), map.clone());
                match what {
                    0 | 1 => prop_assert_eq!(roll.insert(key.clone(), value), map.insert(key, value)),
                    2 => prop_assert_eq!(roll.remove(&key), map.remove(&key)),
                    3 => {
                        *roll.get_or_default(key.clone()) += value;
                        *map.entry(key).or_default() += value;
                    }
                    4 => {
                        roll.values_mut().for_each(|held| *held -= value);
                        map.values_mut().for_each(|held| *held -= value);
                    }
                    5 => {
                        roll.those_mut(|held| *held % 3 == 0).for_each(|held| *held += value);
                        map.values_mut().filter(|held| **held % 3 == 0).for_each(|held| *held += value);
                    }
                    _ => {
                        roll.retain(|_, held| *held % 7 != 3);
                        map.retain(|_, held| *held % 7 != 3);
                    }
                }
                prop_assert_eq!(roll.iter().collect::<Vec<_>>(), map.iter().collect::<Vec<_>>());
                prop_assert_eq!(kept.iter().collect::<Vec<_>>(), before.iter().collect::<Vec<_>>());
                prop_assert_eq!(roll == kept, map == before);
                let changed: Vec<_> = map.iter().filter(|(key, value)| before.get(*key) != Some(*value)).collect();
                let unlike: Vec<_> = roll.unlike(&kept).collect();
                prop_assert!(changed.iter().all(|entry| unlike.contains(entry)));
                let stored = serde_json::to_string(&roll).expect("text keys");
                prop_assert_eq!(&stored, &serde_json::to_string(&map).expect("text keys"));
                prop_assert_eq!(&serde_json::from_str::<Roll<String, i32>>(&stored).expect("as stored"), &roll);
            }
        }
    }
}
