//! Impact Morale: the sum that each side brings to the dice down. IMP-01 to IMP-13, IDD-02, IDD-05 to IDD-10
//!
//! Owns what is added for formation, for supports and for being charged. What counts as in every check is
//! [`Modifiers::impact`]'s. It throws no die.

use std::collections::BTreeSet;

use protocol::event::{FlankClass, Morale};
use protocol::words::{Arm, Formation};

use super::{Clash, Front, Role, keeps_up};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{ARTY_12, IDD_06, IMP_03, IMP_05, IMP_07, IMP_08, IMP_09, SCNS_02, TAC_35};
use crate::column;
use crate::explain::Reckoning;
use crate::field::Field;
use crate::fire;
use crate::morale::Modifiers;
use crate::ruleset::{Branch, FormationEffect, FormationRow};
use crate::scenario::ModifierOn;
use crate::specials;

/// The phase in which charges are played.
const CHARGES: u8 = 6;

/// IMP-01 The Impact Morale of one side at contact. Officers help as they have been allotted. LEAD-07
pub fn impact_morale(field: &Field<'_>, clash: &Clash, role: Role) -> Reckoning {
    let (own, enemy) = (clash.front(role), clash.front(role.other()));
    let charge = clash.in_charge(&BTreeSet::new());
    let mut point = Modifiers::of(field, own.unit, CHARGES, &charge).with_elan(own.elan).impact(enemy.unit);
    add_formation(&mut point, field, own.unit);
    add_supports(&mut point, field, own);
    if !own.charging {
        add_charged_on(&mut point, field, own.unit, clash.struck(role));
    }
    // CAVC-16, CAVC-17 Of those who charge only horse that came from FORM or Conditional Hold pays these.
    add_unready(&mut point, field, own.unit, own.forming);
    for (_, label, value) in specials::modifiers(field, own.unit, ModifierOn::Impact) {
        point.add(SCNS_02, label, value);
    }
    point
}

/// IMP-03, TAC-35 The one entry for its formation, of a brigade column for each of its regiments; of guns whether they are supported.
fn add_formation(point: &mut Reckoning, field: &Field<'_>, ix: UnitIx) {
    let unit = field.unit(ix);
    if unit.arm == Arm::Artillery {
        let unsupported = field.rules.artillery_support.impact_unsupported;
        return point.add_if(!is_supported(field, ix), ARTY_12, "guns without support", unsupported);
    }
    if unit.leads_column() {
        let regiments = i32::try_from(column::members(field.table, ix).len()).unwrap_or(i32::MAX);
        let row = field.rules.effect(unit.branch(field.rules), FormationRow::BrigadeColumn);
        let value = row.and_then(|effect| effect.impact).unwrap_or_default();
        point.add(TAC_35, format!("a brigade column of {regiments} regiments"), value.saturating_mul(regiments));
        if !unit.footing.disorder {
            return;
        }
    }
    let value = effect(field, unit).and_then(|effect| effect.impact).unwrap_or_default();
    point.add(IMP_03, format!("in {}", row_words(unit)), value);
}

/// What a formation does at impact and in melee; gunners parted from their guns are disordered infantry. ARTY-46
pub(super) fn effect<'a>(field: &Field<'a>, unit: &Unit) -> Option<&'a FormationEffect> {
    match unit.arm {
        Arm::Artillery => field.rules.effect(Branch::Artillery, unit.row()),
        Arm::GunCrew => field.rules.effect(Branch::Infantry, FormationRow::Disorder),
        Arm::Sharpshooter => field.rules.effect(Branch::Sharpshooter, FormationRow::SkirmishLine),
        Arm::Infantry | Arm::Cavalry => field.rules.effect(unit.branch(field.rules), unit.row()),
    }
}

fn row_words(unit: &Unit) -> String {
    match (unit.footing.disorder, unit.arm) {
        (true, _) | (_, Arm::GunCrew) => "disorder".to_owned(),
        _ => unit.footing.formation.to_string(),
    }
}

/// ARTY-10, ARTY-11 Whether charged guns have infantry beside them, or are three batteries of one battalion.
fn is_supported(field: &Field<'_>, battery: UnitIx) -> bool {
    let reach = field.rules.artillery_support.distance.at(field.terrain(battery)).thousandths();
    let guards = |unit: &Unit| {
        let on_foot = unit.arm == Arm::Infantry || (unit.arm == Arm::Cavalry && !unit.mounted);
        on_foot && unit.morale == Morale::Good && !unit.is_skirmishing()
    };
    let mut friends = field.table.units_of(field.unit(battery).side);
    friends.any(|(friend, unit)| guards(unit) && field.distance(battery, friend).within(reach))
        || field.rules.artillery_support.batteries_that_support_themselves <= battalion_size(field, battery)
}

/// ARTY-11, ARTY-13 How many batteries in action are linked with this one, itself among them.
fn battalion_size(field: &Field<'_>, battery: UnitIx) -> i32 {
    let in_action = |unit: &Unit| {
        unit.arm == Arm::Artillery && unit.footing.formation == Formation::Unlimbered && unit.is_unrouted()
    };
    let own = field.table.units_of(field.unit(battery).side);
    let mut apart: Vec<UnitIx> = own.filter(|(_, unit)| in_action(unit)).map(|(ix, _)| ix).collect();
    apart.retain(|ix| *ix != battery);
    let mut linked = vec![battery];
    while let Some(place) =
        apart.iter().position(|ix| linked.iter().any(|other| fire::are_of_one_battalion(field, *ix, *other)))
    {
        linked.push(apart.swap_remove(place));
    }
    i32::try_from(linked.len()).unwrap_or(i32::MAX)
}

/// IMP-05, IMP-06, IDD-05 Each support by its arm; its formation and disorder do not matter.
fn add_supports(point: &mut Reckoning, field: &Field<'_>, own: &Front) {
    let table = &field.rules.impact;
    for support in &own.supports {
        let unit = field.unit(*support);
        if own.charging && !keeps_up(field.unit(own.unit), unit) {
            continue;
        }
        let value = match (unit.arm, unit.mounted) {
            (Arm::Cavalry, true) => table.support_cavalry_mounted,
            (Arm::Cavalry, false) => table.support_cavalry_dismounted,
            (Arm::Infantry | Arm::Sharpshooter, _) => table.support_infantry,
            (Arm::Artillery | Arm::GunCrew, _) => 0,
        };
        point.add(IMP_05, format!("supported by {}", crate::explain::called(&unit.name)), value);
    }
}

/// IMP-07, IMP-08 Charged on flank or rear; a disordered unit has no flank.
fn add_charged_on(point: &mut Reckoning, field: &Field<'_>, ix: UnitIx, aspect: FlankClass) {
    let if_hit = &field.rules.morale_if_hit;
    let disorder = field.unit(ix).footing.disorder;
    let (rule, label, row) = match (aspect, disorder) {
        (FlankClass::Front, _) | (FlankClass::Partial | FlankClass::Full, true) => return,
        (FlankClass::Partial, false) => (IMP_07, "charged on a partial flank", &if_hit.partial_flank),
        (FlankClass::Full, false) => (IMP_07, "charged on the full flank", &if_hit.full_flank),
        (FlankClass::Rear, false) => (IMP_07, "charged on the rear", &if_hit.rear),
        (FlankClass::Rear, true) => (IMP_08, "charged on the rear", &if_hit.rear),
    };
    point.add(rule, label, row.charge.unwrap_or_default());
}

/// IMP-09, IDD-06 Forming and Conditional Hold add up.
fn add_unready(point: &mut Reckoning, field: &Field<'_>, ix: UnitIx, forming: bool) {
    let if_hit = &field.rules.morale_if_hit;
    let held = field.unit(ix).marks.conditional_hold;
    point.add_if(forming, IMP_09, "charged while forming", if_hit.while_forming.charge.unwrap_or_default());
    point.add_if(held, IDD_06, "on Conditional Hold", if_hit.on_conditional_hold.charge.unwrap_or_default());
}
