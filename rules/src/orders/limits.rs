//! The optional limit to the kinds of orders that a commander gives his brigade in a turn. CMD-12
//!
//! Owns the counting. Whether an order is legal by itself has been settled before: [`super::legality`].

use std::collections::BTreeMap;

use protocol::ids::{LeaderId, SeatId};
use protocol::orders::{Draft, Order};
use protocol::words::Quality;

use super::legality::{name_of, word_of};
use super::{Fault, groups, hold, legality};
use crate::battle::{Brigade, Table, UnitIx};
use crate::catalogue::CMD_12;
use crate::command;
use crate::field::Field;
use crate::house::OrderLimits;
use crate::leaders;
use crate::scenario::OrderWord;

/// CMD-12 Drops the orders that are of one kind too many for their brigade, and that no superior can give either. What is
/// left unmarked holds, which is free.
pub(super) fn keep_within_limits(field: &Field<'_>, seat: &SeatId, draft: &mut Draft, faults: &mut Vec<Fault>) {
    if field.table.house().order_limits == OrderLimits::Off {
        return;
    }
    let mut left: BTreeMap<LeaderId, u8> = BTreeMap::new();
    for brigade in field.table.brigades.values() {
        let given = given_to(field, brigade, seat, draft);
        let limit = limit_of(field.table, brigade);
        let kept = kinds_kept(&given, limit);
        for (ix, word) in given.into_iter().filter(|(_, word)| !kept.contains(word)) {
            if superior_gives(field, ix, seat, &mut left) {
                continue;
            }
            let unit = field.unit(ix);
            // Said for the unit itself, so that the order of its group does not reach it.
            draft.units.entry(unit.id.clone()).or_default().order = Some(hold());
            let names: Vec<&str> = kept.iter().map(|word| name_of(*word)).collect();
            let message = format!(
                "refused (CMD-12): `{}` may not be given {} as well: the commander of `{}` gives {limit} kinds of order a turn; give it {}, or leave it unmarked",
                unit.name,
                name_of(word),
                brigade.name,
                names.join(" or "),
            );
            faults.push(Fault { subject: unit.id.to_string(), key: "order", rule: CMD_12, message });
        }
    }
}

/// The kinds of orders that a draft gives the members of a brigade, without elite regiments, who have one of their own, and
/// without HOLD, which costs nothing.
fn given_to(field: &Field<'_>, brigade: &Brigade, seat: &SeatId, draft: &Draft) -> Vec<(UnitIx, OrderWord)> {
    let group = draft.brigades.get(&brigade.id);
    let members = field.table.members(&brigade.id).filter(|(_, unit)| {
        unit.seat == *seat && unit.on_table() && unit.is_unrouted() && unit.quality != Quality::Elite
    });
    let order_of = |ix: UnitIx| -> Option<Order> {
        let own = draft.units.get(&field.unit(ix).id).and_then(|said| said.order.clone());
        let of_group = || group.and_then(|group| groups::order_of(field, ix, group));
        own.or_else(|| of_group().filter(|order| legality::faults_of_order(field, ix, order).is_empty()))
    };
    let words = members.filter_map(|(ix, _)| Some((ix, word_of(&order_of(ix)?)?)));
    words.filter(|(_, word)| *word != OrderWord::Hold).collect()
}

/// CMD-12 His level, at least one; one for a replacement and where nobody commands.
fn limit_of(table: &Table, brigade: &Brigade) -> usize {
    let commander = brigade.commander.as_ref().and_then(|id| table.leaders.get(id)).filter(|leader| leader.on_table());
    let level = commander.filter(|_| !brigade.commander_lost).map_or(1, |leader| leaders::level(table, leader));
    usize::from(level.max(1))
}

/// The kinds that most units were given, as many as the limit lets; of equals the first of the list of orders.
fn kinds_kept(given: &[(UnitIx, OrderWord)], limit: usize) -> Vec<OrderWord> {
    let mut counts: BTreeMap<OrderWord, usize> = BTreeMap::new();
    for (_, word) in given {
        *counts.entry(*word).or_default() += 1;
    }
    let mut kinds: Vec<(OrderWord, usize)> = counts.into_iter().collect();
    kinds.sort_by_key(|(word, count)| (usize::MAX - count, *word));
    kinds.into_iter().take(limit).map(|(word, _)| word).collect()
}

/// CMD-12 Whether a division or corps commander of the same seat, within whose benefit radius the unit stands, has an
/// individual order left for it.
fn superior_gives(field: &Field<'_>, ix: UnitIx, seat: &SeatId, left: &mut BTreeMap<LeaderId, u8>) -> bool {
    let unit = field.unit(ix);
    let superiors = command::superiors(field.table, unit);
    for superior in superiors.into_iter().filter(|leader| leader.brigade.is_none() && leader.seat == *seat) {
        let reach = leaders::radius(field.rules, field.table, superior);
        let orders = left.entry(superior.id.clone()).or_insert_with(|| leaders::level(field.table, superior));
        if superior.on_table() && 0 < *orders && field.leader_within(superior, ix, reach) {
            *orders -= 1;
            return true;
        }
    }
    false
}
