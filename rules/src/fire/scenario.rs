//! What a scenario has follow a fire: dice, and boxes that are empty after so many fires. SCNS-04, SCNS-11

use protocol::event::Fact;

use super::tell;
use crate::battle::UnitIx;
use crate::catalogue::{AMMO_02, SCNS_11};
use crate::explain::{Explain, sentence};
use crate::play::Play;
use crate::scenario::RollOn;
use crate::specials;

/// What follows a fire of a unit, which has been counted already.
pub(super) fn after_fire(play: &mut Play<'_>, ix: UnitIx) {
    let fires = play.table()[ix].carried.fires;
    specials::roll(play, ix, RollOn::Fires, fires);
    run_dry(play, ix);
}

/// SCNS-11 The last of the rounds that a scenario counts; canister is kept apart.
fn run_dry(play: &mut Play<'_>, ix: UnitIx) {
    let table = play.table();
    let unit = &table[ix];
    let Some((term, limit)) = specials::fires_allowed(table, unit) else { return };
    let counted = unit.carried.fires.saturating_sub(unit.carried.canister_fires);
    if counted < limit || unit.ammunition_out() {
        return;
    }
    let (id, name) = (unit.id.clone(), tell::capital(&tell::called(&unit.name)));
    let text = format!("{name} has fired {limit} times and is out of ammunition, by the special rule `{term}`.");
    let turn = table.turn;
    play.table_mut()[ix].ammunition_out_since = Some(turn);
    let explanation = sentence(text).with_note(AMMO_02, "it fires with fewer dice from now on");
    play.tell(SCNS_11, Fact::Ammunition { unit: id, out: true }, explanation);
}
