//! What special rules change of a unit before the battle begins. SCNS-15, SCNS-16

use std::collections::BTreeSet;

use protocol::words::{Arm, Formation};

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
