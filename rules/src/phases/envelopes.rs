//! The envelopes of a stage are opened: group orders and postures expanded, illegal orders of absent seats left out.

use protocol::orders::{Order, Stage};

use crate::battle::UnitOrders;
use crate::play::Play;
use crate::stage::Envelopes;

/// Opens every seat's envelope at one moment. ORD-02, ORD-03, TURN-08
pub fn open(play: &mut Play, envelopes: &Envelopes) {
    let stage = play.stage;
    for (seat, draft) in envelopes {
        for (id, said) in &draft.units {
            let Some(unit) = play.table().unit(id).filter(|unit| unit.seat == *seat) else {
                continue;
            };
            let side = unit.side;
            let orders = &mut play.battle.secrets.get_mut(side).open_mut().orders;
            let hold = UnitOrders { order: Order::Hold { task: None }, said: Default::default() };
            let orders = orders.entry(id.clone()).or_insert(hold);
            if stage == Stage::Orders {
                orders.order = said.order.clone().unwrap_or(Order::Hold { task: None });
            }
            orders.said.insert(stage, said.instructions.clone());
        }
    }
}
