//! Who may fire, by order and by what the turn has brought. FIRE-02, ADDF-01 to ADDF-08, FF-09
//!
//! Owns the rights of the fire ledger (ALG-FIRES 2) and the table of those in close range when phase 7 begins.

use std::collections::BTreeSet;

use protocol::event::OrderShown;
use protocol::ids::UnitId;
use protocol::orders::{HoldTask, Order};

use super::aim::{Asked, aim};
use super::shooter::{Reach, Shooter, is_able};
use super::{NoFire, Occasion, Round, Standing, screens};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{ADDF_01, ADDF_02, ARTY_47, FIRE_02, HOLDF_05, MFIRE_01, MFIRE_02};
use crate::field::Field;
use crate::play::Play;
use crate::ruleset::Ruleset;

/// FIRE-02 Whether a unit with that order may fire for that occasion now, by its state and by its fires of the turn.
///
/// # Errors
/// The rule that forbids it.
pub fn may_fire(unit: &Unit, order: &Order, occasion: Occasion) -> Result<(), NoFire> {
    is_able(unit)?;
    let name = &unit.name;
    let standing = Standing::of(unit, order);
    if matches!(order, Order::Disengage { .. }) {
        return Err(NoFire::new(FIRE_02, format!("`{name}` disengages")));
    }
    if matches!(order, Order::Hold { task: Some(HoldTask::Spike {}) }) {
        return Err(NoFire::new(ARTY_47, format!("`{name}` spikes guns this turn")));
    }
    let unfired = unit.marks.fires == 0;
    match occasion {
        Occasion::FirstFire if standing != Standing::FirstFire || !unfired => {
            Err(NoFire::new(FIRE_02, format!("`{name}` is not on FIRST FIRE")))
        }
        Occasion::Hold if !(standing.holds() || unit.marks.shot_kept) || !unfired => {
            Err(NoFire::new(HOLDF_05, format!("`{name}` is not holding an unfired volley")))
        }
        // CH, FORM and those that moved fire one volley a turn. CHG-39, CHG-40
        Occasion::Charge if !unfired && !standing.has_extra_fires() => {
            Err(NoFire::new(ADDF_01, format!("`{name}` has fired its one volley")))
        }
        Occasion::Extra if !standing.has_extra_fires() => {
            Err(NoFire::new(ADDF_02, format!("`{name}` has no additional fires")))
        }
        Occasion::Moving if !unfired => Err(NoFire::new(MFIRE_02, format!("`{name}` has fired already"))),
        Occasion::Moving if standing != Standing::Moved || unit.marks.failed_in_phase_8 => {
            Err(NoFire::new(MFIRE_01, format!("`{name}` is no mover that may fire")))
        }
        Occasion::FirstFire
        | Occasion::Hold
        | Occasion::Charge
        | Occasion::EndOfCharge
        | Occasion::Extra
        | Occasion::Moving => Ok(()),
    }
}

/// ADDF-05 The close range of a unit's weapon, canister range for guns, thousandths of an inch; 0 without a weapon.
pub fn close_range(rules: &Ruleset, unit: &Unit) -> i32 {
    Reach::of(rules, unit).map_or(0, |reach| reach.close)
}

/// FIRE-11 The greatest close, normal and long ranges of a unit's weapon, thousandths of an inch; none without a weapon.
pub fn ranges(rules: &Ruleset, unit: &Unit) -> Option<[i32; 3]> {
    Reach::of(rules, unit).map(|reach| [reach.close, reach.normal, reach.long])
}

/// FF-09 Marks on every holder the enemies within its close range as phase 7 begins. To be called before anybody moves.
pub fn mark_close_enemies(play: &mut Play<'_>) {
    let before = play.table().clone();
    let field = super::look(play, &before);
    for (ix, unit) in before.units() {
        let close = close_range(play.rules, unit);
        let near = field.enemies_near(unit.side, field.extent(ix), close);
        let near = near.filter(|enemy| field.distance(ix, *enemy).within(close) && field.knows_of(unit.side, *enemy));
        let near: BTreeSet<UnitId> = near.map(|enemy| field.unit(enemy).id.clone()).collect();
        play.table_mut()[ix].marks.close_at_start = near;
    }
}

/// ALG-FIRES 4 N(h): enemies that came into a holder's close range by their own march, are seen there and in its zones, and
/// have not been fired at by it.
pub(crate) fn newcomers(field: &Field<'_>, holder: UnitIx) -> Vec<UnitIx> {
    let unit = field.unit(holder);
    let close = close_range(field.rules, unit);
    let stands = screens::unsaid(field, holder);
    let Ok(shooter) = Shooter::new(field, holder, &stands) else { return Vec::new() };
    let asked = Asked { round: Round::Plain, occasion: Occasion::Extra, stands: &stands, overhead_risk: false };
    let came = |ix: UnitIx, enemy: &Unit| {
        let marched = matches!(enemy.marks.shown, Some(OrderShown::Move { .. })) && enemy.marks.moved;
        // TAC-28 A column comes as its lead does.
        marched
            && !enemy.follows_in_column()
            && !enemy.marks.fell_back
            && enemy.is_unrouted()
            && !unit.marks.close_at_start.contains(&enemy.id)
            && !unit.marks.fired_at.contains(&enemy.id)
            && field.within(holder, ix, close)
    };
    let candidates = field.enemies_of(unit.side).filter(|(ix, enemy)| came(*ix, enemy));
    let seen = candidates.filter(|(ix, _)| {
        let aimed = aim(field, &shooter, *ix, asked);
        aimed.is_ok_and(|aimed| aimed.range.within(close)) && field.sees(holder, *ix)
    });
    seen.map(|(ix, _)| ix).collect()
}
