//! The envelopes of a stage are opened: group orders and postures expanded, what is illegal left out.

use std::collections::BTreeMap;

use protocol::event::{ChoiceSource, Fact};
use protocol::ids::{Side, UnitId};
use protocol::orders::{Order, Stage};

use crate::battle::{Known, UnitOrders, known};
use crate::catalogue::LVL_05;
use crate::column;
use crate::explain::{named, sentence};
use crate::hidden;
use crate::orders;
use crate::play::Play;
use crate::setup::hiding::{self, Occasion};
use crate::stage::Envelopes;

/// The phase in which orders are marked. TURN-01
const MARKING: u8 = 1;

/// Opens every seat's envelope at one moment. ORD-02, ORD-03, TAC-28, TURN-06, TURN-08
///
/// What is sealed was legal on its owner's knowledge when it was sealed. It is tested once more here on the same
/// knowledge, so that an envelope that came by another way cannot do what a player may not.
pub fn open(play: &mut Play<'_>, envelopes: &Envelopes) {
    let stage = play.stage;
    for side in Side::BOTH {
        let known = known(&play.battle, side).sharing_memory_of(&play.battle);
        let secrets = play.battle.secrets.get_mut(side).open_mut();
        if stage == Stage::Orders {
            secrets.orders = BTreeMap::new();
            secrets.picket_orders = BTreeMap::new();
            secrets.leaders = BTreeMap::new();
            secrets.postures = BTreeMap::new();
        }
        let mut entering = Vec::new();
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
            for (number, said) in orders::expand_pickets(&known, seat, stage, &legal) {
                let unmarked = || UnitOrders { order: orders::hold(), by_group: false, said: BTreeMap::new() };
                let picket = secrets.picket_orders.entry(number).or_insert_with(unmarked);
                if let Some(order) = said.order {
                    picket.order = order;
                }
                picket.said.insert(stage, said.instructions);
            }
            for (id, said) in legal.leaders {
                secrets.leaders.entry(id).or_default().said.insert(stage, said);
            }
            // HID-67: what is left of the word is legal, and in the orders window alone.
            let (accepted, _) = hiding::legal(&known, play.rules, seat, Occasion::Door, &legal.hiding);
            entering.push((seat, accepted));
        }
        if stage == Stage::Orders {
            column::orders::share(&known.table, &mut secrets.orders);
            withdraw(play, side, &known);
        }
        for (seat, accepted) in entering {
            hidden::seal(&mut play.battle, side, seat, accepted);
        }
    }
}

/// LVL-05 Units that must withdraw and were not ordered to are sent off by themselves, which their side is told.
fn withdraw(play: &mut Play, side: Side, known: &Known) {
    let secrets = play.battle.secrets.get_mut(side).open_mut();
    let order_of = |id: &UnitId| secrets.orders.get(id).map_or_else(orders::hold, |orders| orders.order.clone());
    let withdrawals = orders::withdrawals(known, play.rules, order_of);
    for (id, order) in &withdrawals {
        let unmarked = || UnitOrders { order: orders::hold(), by_group: false, said: BTreeMap::new() };
        secrets.orders.entry(id.clone()).or_insert_with(unmarked).order = order.clone();
    }
    play.phase = MARKING;
    for (unit, order) in withdrawals {
        let name = play.table().unit(&unit).map_or_else(|| unit.to_string(), |unit| named(&unit.name));
        let does = match order {
            Order::Move(_) => "it marches for the exit of its side",
            Order::Form { .. } => "it forms, to march off next turn",
            _ => "it can do nothing of the kind, and holds",
        };
        let text = format!("{name} must withdraw and was given no order to do so: {does}.");
        let fact = Fact::Choice { unit, key: "order".to_owned(), source: ChoiceSource::Default };
        play.tell_side(side, LVL_05, fact, sentence(text));
    }
}
