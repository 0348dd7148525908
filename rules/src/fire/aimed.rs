//! Aims that were found before, for those who aim again while nothing that an aim depends on has changed.
//!
//! Owns [`Aims`]. In phase 7 every holder looks for a target at every segment, and each shot is aimed three times over. An aim
//! depends on no more than is compared here: on the stands of both and how they are armed and ordered, on the stands of all
//! third units in the lane between them, and on the ground. So an answer that is kept is the one that would be found anew;
//! every build with debug assertions finds it anew and compares.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::aim::{Aim, Asked};
use super::lines::Between;
use super::shooter::{Armed, Front, Reach, Shooter};
use super::{NoFire, Occasion, Round, Stands};
use crate::battle::{Drawn, UnitIx};
use crate::column;
use crate::field::Field;
use crate::ground::GroundChanges;

/// What was found of pairs of units, the firer first.
#[derive(Default)]
pub(crate) struct Aims(RefCell<Known>);

#[derive(Default)]
struct Known {
    /// The ground over which it was found; the map itself is that of the battle.
    changes: GroundChanges,
    aims: BTreeMap<(UnitIx, UnitIx), Vec<Aimed>>,
}

/// How many aims are kept of a pair, the newest: as all stand, as they would stand after the next step, with canister.
const WAYS: usize = 4;

impl Aims {
    /// The aim of a pair: as it was found before, or as `find` finds it now.
    pub(super) fn aim(
        &self,
        field: &Field<'_>,
        shooter: &Shooter<'_>,
        target: UnitIx,
        asked: Asked<'_>,
        between: &Between<'_>,
        find: impl FnOnce() -> Result<Aim, NoFire>,
    ) -> Result<Aim, NoFire> {
        self.forget_other_ground(field);
        let pair = (shooter.ix, target);
        let is_known = |aimed: &&Aimed| aimed.wish.is(asked) && aimed.is_as(field, shooter, target, between);
        if let Some(aimed) = self.0.borrow().aims.get(&pair).and_then(|ways| ways.iter().find(is_known)) {
            debug_assert_eq!(aimed.found, find(), "aimed as before");
            return aimed.found.clone();
        }
        let found = find();
        let aimed = Aimed::of(field, shooter, target, asked, between, found.clone());
        let mut known = self.0.borrow_mut();
        let ways = known.aims.entry(pair).or_default();
        ways.insert(0, aimed);
        ways.truncate(WAYS);
        found
    }

    fn forget_other_ground(&self, field: &Field<'_>) {
        let changes = &field.table.changes;
        let mut known = self.0.borrow_mut();
        if known.changes != *changes {
            *known = Known { changes: changes.clone(), ..Known::default() };
        }
    }
}

impl std::fmt::Debug for Aims {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Aims")
    }
}

/// What was asked, as [`Asked`].
struct Wish {
    round: Round,
    occasion: Occasion,
    stands: Stands,
    overhead_risk: bool,
}

impl Wish {
    fn is(&self, asked: Asked<'_>) -> bool {
        let Asked { round, occasion, stands, overhead_risk } = asked;
        self.round == round
            && self.occasion == occasion
            && self.overhead_risk == overhead_risk
            && self.stands == *stands
    }
}

/// An aim, and all that it depends on.
struct Aimed {
    wish: Wish,
    firer: Drawn,
    armed: Vec<Armed>,
    fronts: Vec<Front>,
    reach: Reach,
    /// Guns, a square, a screen.
    kind: (bool, bool, bool),
    struck: Drawn,
    lead: Lead,
    /// The third units in the lane, with as many of their stands as are in the way.
    others: Vec<(UnitIx, Drawn, usize)>,
    found: Result<Aim, NoFire>,
}

/// TAC-31 The unit by whose lines the class of a fire is told: the target, or the lead of its column.
#[derive(PartialEq)]
struct Lead {
    unit: UnitIx,
    stands: Drawn,
    disordered: bool,
    routed: bool,
}

impl Lead {
    fn of(field: &Field<'_>, target: UnitIx) -> Lead {
        let lead = column::lead_of(field.table, target);
        let unit = field.unit(lead);
        let (disordered, routed) = (unit.footing.disorder, !unit.is_unrouted());
        Lead { unit: lead, stands: field.table.drawn(lead), disordered, routed }
    }
}

fn kind(shooter: &Shooter<'_>) -> (bool, bool, bool) {
    (shooter.is_guns(), shooter.square, shooter.screen)
}

impl Aimed {
    fn of(
        field: &Field<'_>,
        shooter: &Shooter<'_>,
        target: UnitIx,
        asked: Asked<'_>,
        between: &Between<'_>,
        found: Result<Aim, NoFire>,
    ) -> Aimed {
        let Asked { round, occasion, stands, overhead_risk } = asked;
        Aimed {
            wish: Wish { round, occasion, stands: stands.clone(), overhead_risk },
            firer: field.table.drawn(shooter.ix),
            armed: shooter.armed.clone(),
            fronts: shooter.fronts.clone(),
            reach: shooter.reach,
            kind: kind(shooter),
            struck: field.table.drawn(target),
            lead: Lead::of(field, target),
            others: between.others().map(|(ix, stands)| (ix, field.table.drawn(ix), stands)).collect(),
            found,
        }
    }

    /// Whether all stands as it did when this was found.
    fn is_as(&self, field: &Field<'_>, shooter: &Shooter<'_>, target: UnitIx, between: &Between<'_>) -> bool {
        let table = field.table;
        let same_other = |(known, (ix, stands)): (&(UnitIx, Drawn, usize), (UnitIx, usize))| {
            known.0 == ix && known.2 == stands && table.is_drawn(ix, &known.1)
        };
        table.is_drawn(shooter.ix, &self.firer)
            && table.is_drawn(target, &self.struck)
            && self.kind == kind(shooter)
            && self.reach == shooter.reach
            && self.armed == shooter.armed
            && self.fronts == shooter.fronts
            && self.lead == Lead::of(field, target)
            && self.others.len() == between.others().len()
            && self.others.iter().zip(between.others()).all(same_other)
    }
}
