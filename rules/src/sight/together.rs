//! Enemies who stand together, out of sight together: one look over the ground tells it of all of them.
//!
//! Owns [`Together`]. Many rules ask of every enemy at any distance whether he is seen (MOR-59, RALLY-13, CHG-13); most who are far
//! away stand behind the same ridge. It only ever says that somebody is surely hidden; whoever is not is looked for one by one.

use std::cell::RefCell;
use std::collections::BTreeMap;

use protocol::ids::Side;

use super::line::{Raised, about, raised};
use crate::battle::{Table, UnitIx};
use crate::geometry::Extent;

/// Who stands in one square of this side is looked at together, thousandths of an inch.
const SQUARE: i32 = 15_000;

/// Nearer ones are looked at one by one, thousandths of an inch.
pub(crate) const FAR: i32 = 15_000;

/// The middles of the stands of a unit or of several, and the highest level under them.
#[derive(Clone, Copy, Debug)]
struct Place {
    about: Extent,
    top: i32,
}

impl Place {
    fn of(stands: &[Raised]) -> Option<Place> {
        Some(Place { about: about(stands)?, top: stands.iter().map(|(_, level)| *level).max()? })
    }

    fn with(self, other: Place) -> Place {
        Place { about: self.about.with(other.about), top: self.top.max(other.top) }
    }
}

/// The units of one moment, by who stands together.
#[derive(Debug, Default)]
pub(crate) struct Together {
    /// Each unit by its place in the list, and the group that it is in; none for one that is not on the table.
    units: Vec<Option<(Place, usize)>>,
    groups: Vec<Place>,
    /// What has been told of each unit and each group: who sees whom.
    told: RefCell<Vec<Option<bool>>>,
}

impl Together {
    /// The units of a table.
    pub(crate) fn of(table: &Table) -> Together {
        let ground = table.ground();
        let mut together = Together::default();
        let mut numbers: BTreeMap<(Side, i32, i32), usize> = BTreeMap::new();
        together.units.resize(table.all_units().count(), None);
        for (ix, unit) in table.units() {
            let Some(place) = Place::of(&raised(&ground, &table.looker(ix).centers)) else { continue };
            let (x, y) = place.about.middle();
            let square = (unit.side, x.div_euclid(SQUARE), y.div_euclid(SQUARE));
            let number = *numbers.entry(square).or_insert_with(|| {
                together.groups.push(place);
                together.groups.len() - 1
            });
            together.groups[number] = together.groups[number].with(place);
            together.units[ix.0 as usize] = Some((place, number));
        }
        together.told = RefCell::new(vec![None; together.units.len() * together.groups.len()]);
        together
    }

    /// VIS-14 (a) Whether a unit surely does not see another, with all who stand by that one. A no is not sure.
    ///
    /// High ground that lies across every line to the box about all of them lies across every line to one of them; and it is above
    /// the highest of them, so above him.
    pub(crate) fn hides(&self, table: &Table, looker: UnitIx, target: UnitIx) -> bool {
        let at = |ix: UnitIx| self.units.get(ix.0 as usize).copied().flatten();
        let (Some((own, _)), Some((_, group))) = (at(looker), at(target)) else { return false };
        let place = looker.0 as usize * self.groups.len() + group;
        if let Some(told) = self.told.borrow()[place] {
            return told;
        }
        let all = self.groups[group];
        let hidden = table.ground().surely_rises_between(own.about, all.about, own.top.max(all.top));
        self.told.borrow_mut()[place] = Some(hidden);
        hidden
    }
}
