//! What the file changes of units before the battle begins: special rules, brigade columns. SCNS-15, SCNS-16, TAC-34

use std::collections::BTreeSet;

use protocol::ids::UnitId;
use protocol::words::{Arm, Formation};

use crate::battle::Table;
use crate::column::forming;
use crate::scenario::{Force, Scenario, SpecialKind, Strength};

/// SCNS-15, SCNS-16 A unit of the order of battle as it begins: with the weapon, formation and state that terms give it.
pub(super) fn as_it_begins(scenario: &Scenario, force: &Force, switched_on: &BTreeSet<String>) -> Force {
    let mut begun = force.clone();
    let on = scenario.specials.iter().filter(|special| !special.optional || switched_on.contains(&special.id));
    for special in on.filter(|special| scenario.selected(&special.who).contains(&force.id)) {
        match &special.kind {
            SpecialKind::Weapon { weapon: told } => {
                if let Strength::Stands { weapon, .. } = &mut begun.strength {
                    weapon.clone_from(told);
                }
            }
            SpecialKind::Start { formation, limbered, mounted, morale, .. } => {
                begun.formation = formation.unwrap_or(begun.formation);
                if let Some(limbered) = limbered.filter(|_| begun.arm == Arm::Artillery) {
                    begun.formation = if limbered { Formation::Limbered } else { Formation::Unlimbered };
                }
                if let Some(mounted) = mounted.filter(|_| begun.arm == Arm::Cavalry) {
                    begun.state.mounted = mounted;
                    if !mounted && formation.is_none() && begun.formation != Formation::SkirmishLine {
                        begun.formation = Formation::DismountedLine;
                    }
                }
                begun.state.morale = morale.unwrap_or(begun.state.morale);
            }
            _ => {}
        }
    }
    begun
}

/// TAC-34 Regiments that begin in a brigade column stand behind its head, with its morale.
pub(super) fn stand_in_columns(table: &mut Table) {
    let takes_part = |table: &Table, unit: &UnitId| table.unit(unit).is_some_and(|unit| unit.on_table());
    for mut list in table.scenario().columns.clone() {
        list.retain(|unit| takes_part(table, unit));
        let morale = list.first().and_then(|lead| table.unit(lead)).map(|lead| lead.morale);
        let Some(morale) = morale.filter(|_| 2 <= list.len()) else { continue };
        let plan = forming::plan(table, &list);
        forming::place_all(table, &plan);
        for ix in list.iter().filter_map(|unit| table.find(unit)).collect::<Vec<_>>() {
            table[ix].morale = morale;
        }
    }
}
