//! What was found of charges that wait, for as long as nothing has happened that could change it. ALG-CHARGE 4
//!
//! Owns [`Waiting`]. After each charge that was played every other one looks at its target once more. What it finds depends on
//! itself, on its target, and on enemies who could now threaten more than that; the rest of the table is not asked again.
//! Every build with debug assertions looks anew and compares.

use std::collections::{BTreeMap, BTreeSet};

use protocol::ids::BySide;

use super::declare::{self, By};
use super::threat::{self, Why};
use super::{Group, columns};
use crate::battle::{Sights, Snapshot, UnitIx};
use crate::column;
use crate::field::Field;
use crate::geometry::EPS;
use crate::ground::GroundChanges;
use crate::play::Play;

/// What was found of charges that wait, by their points.
#[derive(Default)]
pub(super) struct Waiting {
    /// How all stood when it was found.
    stood: Snapshot,
    changes: GroundChanges,
    /// Whom each side saw then. LOS-19
    sights: Option<BySide<Sights>>,
    known: BTreeMap<UnitIx, Known>,
}

/// What was found of one charge.
struct Known {
    target: Option<UnitIx>,
    by: By,
    /// How far its target is from it, thousandths of an inch. CHG-02
    distance: i32,
}

impl Waiting {
    /// Forgets of whom something else could be found now.
    pub(super) fn look_about(&mut self, play: &Play<'_>) {
        let table = play.table();
        let changed = self.stood.changed(table);
        if self.changes != table.changes {
            (self.changes, self.known) = (table.changes.clone(), BTreeMap::new());
        }
        if self.sights != table.sights {
            (self.sights, self.known) = (table.sights.clone(), BTreeMap::new());
        }
        if changed.is_empty() {
            return;
        }
        // TAC-35 Who has changed in a column has changed the column.
        let whole = changed.into_iter().flat_map(|ix| std::iter::once(ix).chain(column::members(table, ix)));
        let changed: BTreeSet<UnitIx> = whole.collect();
        let field = Field::new(play.rules, table, play.dice);
        self.known.retain(|point, known| known.still_holds(&field, *point, &changed));
    }

    /// CHG-13 The target of a charge that waits.
    pub(super) fn target(&mut self, play: &Play<'_>, group: &Group) -> Option<Option<UnitIx>> {
        let known = self.known.get(&group.point).filter(|known| known.target == group.target);
        if let Some(known) = known {
            debug_assert_eq!(declare::target_now(play, group).map(|found| found.0), Some(known.target), "{group:?}");
            return Some(known.target);
        }
        let (target, by) = declare::target_now(play, group)?;
        let field = Field::new(play.rules, play.table(), play.dice);
        let distance = declare::distance(&field, group.point, target);
        self.known.insert(group.point, Known { target, by, distance });
        Some(target)
    }

    /// CHG-02 How far a charge is from its target.
    pub(super) fn distance(&self, field: &Field<'_>, group: &Group) -> i32 {
        let known = self.known.get(&group.point).filter(|known| known.target == group.target);
        known.map_or_else(|| declare::distance(field, group.point, group.target), |known| known.distance)
    }
}

impl Known {
    /// Whether a look would find the same again, when only those have changed since.
    ///
    /// A target that stands as declared depends on nobody else. Of targets that were sought the first is taken that is seen: those who
    /// ranked before it were not seen, and are not now; those behind it stay behind it, whoever else is gone. So only one who has
    /// changed can come before it, and only if he could rank so high, or is near enough now for the first of the two looks.
    /// Level ones throw dice of their own, whoever else throws (TURN-05).
    fn still_holds(&self, field: &Field<'_>, point: UnitIx, changed: &BTreeSet<UnitIx>) -> bool {
        let has_changed = |ix: UnitIx| !field.unit(ix).on_table() || changed.contains(&ix);
        if has_changed(point) || self.target.is_some_and(has_changed) {
            return false;
        }
        match &self.by {
            By::Declared => true,
            By::Ground => false,
            By::Threat(best) => {
                let side = field.unit(point).side;
                let reach = threat::reach(field, point).saturating_add(2 * EPS);
                let near = |enemy: UnitIx| {
                    columns::extent_of(field, point).may_be_within(columns::extent_of(field, enemy), reach)
                };
                let why = Why::Charge { reach: None };
                let enemies = changed.iter().filter(|ix| field.unit(**ix).side != side && field.unit(**ix).on_table());
                let mut leads = enemies.map(|ix| column::lead_of(field.table, *ix));
                !leads.any(|enemy| near(enemy) || threat::may_rank_before(field, point, enemy, why, best))
            }
        }
    }
}
