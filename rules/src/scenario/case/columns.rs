//! `[[column]]`: regiments of a case that stand in a brigade column when it begins. TAC-34
//!
//! Owns the reading. Where they stand is told by [`crate::column`]: the first where it is, the others behind it.

use protocol::ids::UnitId;
use protocol::words::Arm;

use crate::scenario::Scenario;
use crate::scenario::entry::{Entry, shorten};
use crate::scenario::fault::nearest;

/// Reads every `[[column]]`.
pub(super) fn columns(file: &mut Entry<'_, '_>, scenario: &Scenario) -> Vec<Vec<UnitId>> {
    let mut taken: Vec<String> = Vec::new();
    let columns = file.tables("column").into_iter().map(|e| column(e, scenario, &mut taken));
    columns.collect()
}

fn column(mut e: Entry<'_, '_>, scenario: &Scenario, taken: &mut Vec<String>) -> Vec<UnitId> {
    let regiments = e.texts("regiments");
    let at = e.place_of("regiments");
    if regiments.len() < 2 {
        e.fault(
            at,
            "a brigade column has two regiments or more",
            "name them from the head: regiments = [\"a\", \"b\"]",
        );
    }
    let mut sides = Vec::new();
    for name in &regiments {
        let Some(force) = scenario.forces.iter().find(|force| force.id.as_str() == name) else {
            let known = scenario.forces.iter().map(|force| force.id.as_str());
            e.fault(at, format!("no unit of the case is called `{}`", shorten(name)), nearest(name, known));
            continue;
        };
        sides.push(force.side);
        if force.arm != Arm::Infantry || force.standing.is_none() {
            let what = format!("`{}` is no infantry on the table", shorten(name));
            e.fault(at, what, "name regiments of infantry (TAC-27)");
        }
        if taken.contains(name) {
            e.fault(at, format!("`{}` is named twice", shorten(name)), "name each regiment once");
        }
        taken.push(name.clone());
    }
    if sides.windows(2).any(|pair| pair[0] != pair[1]) {
        e.fault(at, "the regiments are of both sides", "name regiments of one side");
    }
    e.opt_text("note");
    e.finish();
    regiments.iter().map(UnitId::new).collect()
}
