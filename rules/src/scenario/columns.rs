//! `[[column]]`: regiments of a scenario or case that stand in a brigade column when it begins. TAC-34
//!
//! Owns the reading. Where they stand is told by [`crate::column`]: the first where it is, the others behind it.

use protocol::ids::UnitId;
use protocol::words::Arm;

use super::Force;
use super::entry::{Entry, shorten};
use super::fault::nearest;

/// Reads every `[[column]]`.
pub(super) fn columns(file: &mut Entry<'_, '_>, forces: &[Force]) -> Vec<Vec<UnitId>> {
    let mut taken: Vec<String> = Vec::new();
    let columns = file.tables("column").into_iter().map(|e| column(e, forces, &mut taken));
    columns.collect()
}

fn column(mut e: Entry<'_, '_>, forces: &[Force], taken: &mut Vec<String>) -> Vec<UnitId> {
    let regiments = e.texts("regiments");
    let at = e.place_of("regiments");
    if regiments.len() < 2 {
        e.fault(
            at,
            "a brigade column has two regiments or more",
            "name them from the head: regiments = [\"a\", \"b\"]",
        );
    }
    let mut found: Vec<&Force> = Vec::new();
    for name in &regiments {
        let Some(force) = forces.iter().find(|force| force.id.as_str() == name) else {
            let known = forces.iter().map(|force| force.id.as_str());
            e.fault(at, format!("no unit of the file is called `{}`", shorten(name)), nearest(name, known));
            continue;
        };
        found.push(force);
        if force.arm != Arm::Infantry || force.standing.is_none() {
            let what = format!("`{}` is no infantry on the table", shorten(name));
            e.fault(at, what, "name regiments of infantry (TAC-27)");
        }
        if taken.contains(name) {
            e.fault(at, format!("`{}` is named twice", shorten(name)), "name each regiment once");
        }
        taken.push(name.clone());
    }
    if found.windows(2).any(|pair| pair[0].side != pair[1].side) {
        e.fault(at, "the regiments are of both sides", "name regiments of one side");
    } else if found.windows(2).any(|pair| pair[0].under != pair[1].under) {
        e.fault(at, "the regiments are of several brigades", "name regiments of one brigade (TAC-27)");
    }
    e.opt_text("note");
    e.finish();
    regiments.iter().map(UnitId::new).collect()
}
