//! Reinforcements that come in under pickets. HID-67
//!
//! Owns the way of a picket from the orders window, in which its seat says what enters hidden, to phase 7, in which its marker comes on
//! the table. Until then nobody but its own side has it: no number of it is shown, and the name that keeps its unit's place looks
//! as if it were still to come (LEAK-77). Then it goes the line that was sealed with it, like any picket, real and dummy alike.

use std::collections::BTreeMap;

use protocol::ids::{PicketNumber, SeatId, Side};
use protocol::orders::{MoveOrder, Order};
use protocol::view::Presence;

use super::{Kept, line};
use crate::battle::{Battle, Picket, Under, UnitOrders};
use crate::play::Play;
use crate::setup::hiding::Accepted;
use crate::setup::sealing::both_halves;

/// HID-02, HID-67 Takes down what a seat brings in hidden this turn. Numbers and salts were drawn with all others at the setup; for whom
/// none is left, he waits.
pub(crate) fn seal(battle: &mut Battle, side: Side, seat: &SeatId, pickets: Vec<Accepted>) {
    for picket in pickets {
        let secrets = battle.secrets.get_mut(side).open_mut();
        if secrets.kept_numbers.is_empty() {
            continue;
        }
        let kept: Kept = secrets.kept_numbers.remove(0);
        let roster = line(&battle.table, side, kept, &picket.hiding);
        for unit in &picket.units {
            if let Some(ix) = battle.table.find(&unit.id) {
                battle.table[ix].presence = Presence::Hidden;
            }
        }
        for leader in &picket.leaders {
            if let Some(leader) = battle.table.leaders.get_mut(&leader.id) {
                leader.presence = Presence::Hidden;
            }
        }
        let path = picket.hiding.path.clone();
        let halves = both_halves(side, seat.clone(), kept, picket, &roster.commitment);
        if !path.is_empty() {
            let order = Order::Move(MoveOrder { path, ..MoveOrder::default() });
            let orders = UnitOrders { order, by_group: false, said: BTreeMap::new() };
            secrets.picket_orders.insert(kept.number, orders);
        }
        secrets.roster.insert(kept.number, roster);
        secrets.entering.insert(kept.number, halves);
    }
}

/// HID-67 At the start of phase 7 the markers of both sides come on the table, with all that is under them.
pub(crate) fn come_in(play: &mut Play<'_>) {
    for side in Side::BOTH {
        let secrets = play.battle.secrets.get_mut(side).open_mut();
        let entering: BTreeMap<PicketNumber, (Picket, Under)> = std::mem::take(&mut secrets.entering);
        for (number, (marker, under)) in entering {
            secrets.pickets.insert(number, under);
            play.battle.table.pickets.insert(number, marker);
        }
    }
}
