//! The envelopes of a stage are opened: group orders and postures expanded, what is illegal left out.

use std::collections::BTreeMap;

use protocol::ids::Side;
use protocol::orders::Stage;

use crate::battle::{UnitOrders, known};
use crate::orders;
use crate::play::Play;
use crate::stage::Envelopes;

/// Opens every seat's envelope at one moment. ORD-02, ORD-03, TURN-06, TURN-08
///
/// What is sealed was legal on its owner's knowledge when it was sealed. It is tested once more here on the same
/// knowledge, so that an envelope that came by another way cannot do what a player may not.
pub fn open(play: &mut Play<'_>, envelopes: &Envelopes) {
    let stage = play.stage;
    for side in Side::BOTH {
        let known = known(&play.battle, side);
        let secrets = play.battle.secrets.get_mut(side).open_mut();
        if stage == Stage::Orders {
            secrets.orders = BTreeMap::new();
            secrets.leaders = BTreeMap::new();
            secrets.postures = BTreeMap::new();
        }
        for (seat, draft) in envelopes {
            let (legal, _) = orders::legal_part(&known, play.rules, seat, stage, draft);
            for (id, said) in orders::expand(&known, play.rules, seat, stage, &legal) {
                let order = || known.table.unit(&id).map_or_else(orders::hold, orders::unmarked);
                let unmarked = || UnitOrders { order: order(), by_group: false, said: BTreeMap::new() };
                let unit = secrets.orders.entry(id.clone()).or_insert_with(unmarked);
                let own = legal.units.get(&id).is_some_and(|said| said.order.is_some());
                if let Some(order) = said.order {
                    unit.by_group = !own;
                    unit.order = order;
                }
                unit.said.insert(stage, said.instructions);
                if let Some(posture) = said.posture {
                    secrets.postures.insert(id, posture);
                }
            }
            for (id, said) in legal.leaders {
                secrets.leaders.entry(id).or_default().said.insert(stage, said);
            }
        }
    }
}
