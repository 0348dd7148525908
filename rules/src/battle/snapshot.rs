//! How all units were at some moment: who has changed since is told without a look at the others.
//!
//! Owns [`Snapshot`]. It holds the units as the table does, so to take one down costs no copy of any.

use super::UnitIx;
use super::listed::Listed;
use super::table::Table;

/// The units of a table at some moment; at first of no moment at all.
#[derive(Default)]
pub(crate) struct Snapshot(Vec<Listed>);

impl Snapshot {
    /// Who is not as he was when this was last asked, in the order of the list: everybody at first. Takes down how all are now.
    pub(crate) fn changed(&mut self, table: &Table) -> Vec<UnitIx> {
        let before = std::mem::replace(&mut self.0, table.listed().to_vec());
        let same_list = before.len() == self.0.len();
        let is_changed = |n: &usize| !same_list || before[*n] != self.0[*n];
        (0..self.0.len()).filter(is_changed).map(|n| UnitIx(n as u16)).collect()
    }
}
