//! Ground that special rules treat as other ground. SCNS-07, SCNS-09
//!
//! Owns what a unit makes of the ground for movement, cover and morale. What sight makes of it is the same for everybody,
//! and was settled when the map was prepared.

use super::concerns;
use crate::battle::{Footing, Table, Unit};
use crate::ground::Bend;
use crate::places;
use crate::scenario::{GroundUse, SpecialKind};

/// SCNS-07, SCNS-09 What special rules make of the ground for a unit that moves: ground that counts as other ground, and
/// allowances that take the place of its rates, also where it has none. `footing` is how it stands at that moment.
pub fn bends<'t>(table: &'t Table, unit: &Unit, footing: &Footing) -> Vec<Bend<'t>> {
    bends_for(table, unit, footing, GroundUse::Movement)
}

/// SCNS-07 What special rules make of the ground for a unit where cover or morale asks what it stands on.
pub fn treated<'t>(table: &'t Table, unit: &Unit, r#use: GroundUse) -> Vec<Bend<'t>> {
    bends_for(table, unit, &unit.footing, r#use)
}

fn bends_for<'t>(table: &'t Table, unit: &Unit, footing: &Footing, r#use: GroundUse) -> Vec<Bend<'t>> {
    let moves = r#use == GroundUse::Movement;
    let terms = table.scenario().specials.iter().filter_map(|special| {
        let plain = Bend {
            term: &special.id,
            holds: Box::new(move |point| {
                special.place.as_ref().is_none_or(|place| places::covers_point(table.ground(), place, point))
            }),
            terrain: None,
            wooded: None,
            allowance: None,
        };
        let bend = match &special.kind {
            SpecialKind::Terrain { treated_as, wooded, uses } if uses.contains(&r#use) => {
                Bend { terrain: *treated_as, wooded: *wooded, ..plain }
            }
            SpecialKind::MoveAllowance { inches, after_own_fire: false } if moves => {
                Bend { allowance: Some(*inches), ..plain }
            }
            _ => return None,
        };
        concerns(table, special, unit, footing).then_some(bend)
    });
    terms.collect()
}
