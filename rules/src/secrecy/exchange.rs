//! Other things under the same markers: a second truth that the enemy cannot tell from the first.

use protocol::ids::{PicketNumber, Side};
use protocol::orders::{Order, Stage};

use super::chance::Chance;
use crate::battle::{Battle, Under, Unit, UnitOrders};

/// Exchanges what the pickets of `side` hide among those of whom as much is known: what stood under one now stands under another,
/// some of it with fewer men or without cartridges. Pickets whose order of this turn is on its way keep what they hide, since
/// what is legal for one is not for another.
pub(super) fn exchange(battle: &mut Battle, side: Side, stage: Stage, chance: &mut Chance) {
    let markers = battle.table.pickets.clone();
    let secrets = battle.secrets.get_mut(side).open_mut();
    let waits = |number: &PicketNumber| match secrets.picket_orders.get(number) {
        None => true,
        Some(UnitOrders { order, .. }) => matches!(order, Order::Hold { task: None } | Order::FirstFire {}),
    };
    for confirmed in [false, true] {
        let alike = markers.values().filter(|marker| {
            marker.side == side
                && marker.confirmed.is_some() == confirmed
                && (stage == Stage::Orders || waits(&marker.number))
        });
        let numbers: Vec<PicketNumber> = alike.map(|marker| marker.number).collect();
        let mut hidden: Vec<Under> = numbers.iter().filter_map(|number| secrets.pickets.get(number)).cloned().collect();
        if hidden.len() != numbers.len() {
            continue;
        }
        chance.shuffle(&mut hidden);
        for (number, mut under) in numbers.into_iter().zip(hidden) {
            let marker = &markers[&number];
            for unit in &mut under.units {
                (unit.footing.anchor, unit.footing.facing) = (marker.at, marker.facing);
                unit.footing.trail.clear();
            }
            for leader in &mut under.leaders {
                (leader.at, leader.facing) = (marker.at, marker.facing);
            }
            under.units.iter_mut().for_each(|unit| suffer(unit, chance));
            secrets.pickets.insert(number, under);
        }
    }
}

/// Losses that a unit might have had in secret: a figure here and there, its boxes empty.
pub(super) fn suffer(unit: &mut Unit, chance: &mut Chance) {
    if chance.once_in(3)
        && let Some(stand) = unit.stands.iter_mut().find(|stand| 1 < stand.figures)
    {
        stand.figures -= 1;
        unit.first_casualty_taken = true;
    }
    if chance.once_in(6) {
        unit.ammunition_out_since = Some(1);
    }
}
