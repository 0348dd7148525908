//! Hidden units that open fire, and are revealed by it. HID-52
//!
//! Owns who does so, and when. What he fires, and at whom, is found by the ordinary engines as if he stood there; they fire it when
//! his picket has been replaced. A dummy may be told the same, and does nothing.

use protocol::ids::PicketNumber;
use protocol::orders::{OpenFire, Order, RangeBand, Stage};

use super::change::{Changes, change};
use super::seal::{all_real_pickets, if_placed, units_under};
use crate::battle::{Battle, UnitIx, UnitOrders};
use crate::catalogue::HID_52;
use crate::field::Field;
use crate::fire::{self, Officers, Shot};
use crate::play::Play;

/// HID-52 Replaces all pickets of which a unit opens fire now, those of both sides together; `would_fire` finds what a unit fires where
/// it stands. All units of these pickets, which fire now as open ones do.
pub(crate) fn open_fire(play: &mut Play<'_>, would_fire: impl Fn(&Play<'_>, UnitIx) -> Option<Shot>) -> Vec<UnitIx> {
    let mut changes = Changes::default();
    let mut opened = Vec::new();
    for number in all_real_pickets(&play.battle) {
        let Some(wish) = wish(&play.battle, number, play.stage) else { continue };
        let units = units_under(&play.battle, number);
        let opens = if_placed(play, number, |trial| {
            let may_reach = units.iter().any(|ix| enemy_in_reach(trial, *ix));
            may_reach && units.iter().any(|ix| would_fire(trial, *ix).is_some_and(|shot| accepts(trial, &wish, &shot)))
        });
        if opens == Some(true) {
            changes.placed.insert(number);
            opened.extend(units);
        }
    }
    change(play, &changes, HID_52);
    opened
}

/// HID-52 At what a picket's owner lets it open fire; none: at nothing. Unsaid, a unit on FIRST FIRE opens at any target, all others at
/// none.
fn wish(battle: &Battle, number: PicketNumber, stage: Stage) -> Option<OpenFire> {
    let side = battle.table.pickets.get(&number)?.side;
    let orders = battle.secrets.get(side).open().picket_orders.get(&number);
    let said = orders.and_then(|UnitOrders { said, .. }| {
        said.iter().rev().filter(|(opened, _)| **opened <= stage).find_map(|(_, said)| said.open_fire.clone())
    });
    let first_fire = matches!(orders.map(|orders| &orders.order), Some(Order::FirstFire {}));
    match said {
        // What is hidden is never charged.
        Some(OpenFire::Never {} | OpenFire::WhenCharged {}) => None,
        None => first_fire.then_some(OpenFire::AtLong {}),
        wish => wish,
    }
}

/// Whether any enemy could be in reach, by the boxes about the units: a quick no.
fn enemy_in_reach(trial: &Play<'_>, ix: UnitIx) -> bool {
    let table = trial.table();
    let Some([_, _, long]) = fire::ranges(trial.rules, &table[ix]) else { return false };
    let about = table.extent(ix);
    table.units_of(table[ix].side.enemy()).any(|(enemy, _)| table.extent(enemy).may_be_within(about, long))
}

fn accepts(trial: &Play<'_>, wish: &OpenFire, shot: &Shot) -> bool {
    let field = Field::new(trial.rules, trial.table(), trial.dice);
    let band = || fire::lay(&field, shot, &Officers::Present).map(|laid| laid.band);
    let within = |limit: RangeBand| band().is_ok_and(|band| band <= limit);
    match wish {
        OpenFire::Never {} | OpenFire::WhenCharged {} => false,
        OpenFire::AtClose {} => within(RangeBand::Close),
        OpenFire::AtNormal {} => within(RangeBand::Normal),
        OpenFire::AtLong {} => within(RangeBand::Long),
        OpenFire::OnUnit { unit } => field.unit(shot.target).id == *unit && band().is_ok(),
    }
}

/// FF-09, HID-52 After the first fires hidden units on FIRST FIRE that found nothing keep their shot.
pub(crate) fn keep_first_fire(play: &mut Play<'_>) {
    for number in all_real_pickets(&play.battle) {
        let Some(side) = play.table().pickets.get(&number).map(|picket| picket.side) else { continue };
        let own = play.battle.secrets.get_mut(side).open_mut();
        let order = own.picket_orders.get(&number).map(|orders| &orders.order);
        if matches!(order, Some(Order::FirstFire {}))
            && let Some(under) = own.pickets.get_mut(&number)
        {
            under.units.iter_mut().for_each(|unit| unit.marks.shot_kept = unit.marks.fires == 0);
        }
    }
}
