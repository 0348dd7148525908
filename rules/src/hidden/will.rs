//! Pickets that their owner gives up of his own will. HID-48
//!
//! Owns the instants that windows and the turn's end give him; those at which something comes near, or a leg ends, are found
//! where sight is tested. Whether it was an instruction of this window or of that is never told (HID-70, LEAK-22).

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::PicketEnd;
use protocol::ids::{PicketNumber, Side};
use protocol::orders::{Reveal, Stage};

use super::change::{Changes, change};
use super::line;
use super::sighting::Eye;
use super::touch::Marker;
use crate::battle::{SideSecrets, UnitIx, UnitOrders};
use crate::catalogue::{HID_48, HID_66};
use crate::play::Play;

/// HID-48 The instants of the turn itself at which an owner may give up a picket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// With the reveal of orders.
    WithOrders,
    /// When the window of this stage has closed.
    Closed(Stage),
    /// After phase 9.
    EndOfTurn,
}

/// HID-48 Real pickets whose owners want it so now are replaced by their units, dummies withdrawn, those of both sides together.
pub(crate) fn give_up(play: &mut Play<'_>, moment: Moment) {
    let mut changes = Changes::default();
    for side in Side::BOTH {
        let own = play.battle.secrets.get(side).open();
        for (number, under) in &own.pickets {
            if wished(own, *number, play.stage).is_none_or(|wish| !is_now(wish, moment)) {
                continue;
            }
            if under.is_dummy() {
                changes.gone.insert(*number, PicketEnd::Withdrawn);
            } else {
                changes.placed.insert(*number);
            }
        }
    }
    change(play, &changes, HID_48);
}

/// HID-48 The pickets that are given up at a test instant: an open enemy has come near enough, or a leg has ended.
pub(super) fn given_up_now(
    play: &Play<'_>,
    markers: &BTreeMap<PicketNumber, Marker<'_>>,
    units: &BTreeMap<UnitIx, Eye>,
) -> BTreeSet<PicketNumber> {
    let is_due = |marker: &&Marker<'_>| {
        let own = play.battle.secrets.get(marker.side).open();
        match wished(own, marker.number, play.stage) {
            Some(Reveal::EnemyWithin { distance }) => {
                let distance = i32::try_from(distance).unwrap_or(i32::MAX / 4).min(i32::MAX / 4);
                let mut enemies = units.values().filter(|unit| unit.side != marker.side);
                enemies.any(|enemy| marker.is_near(&enemy.stands, distance))
            }
            Some(Reveal::AtLeg { leg }) => line::has_ended(play, own, marker.number, leg),
            _ => false,
        }
    };
    markers.values().filter(is_due).map(|marker| marker.number).collect()
}

/// HID-66 When the battle is over all pickets are opened: what they hide is placed, and dummies are taken off.
pub(crate) fn open_all(play: &mut Play<'_>) {
    let mut changes = Changes::default();
    for side in Side::BOTH {
        for (number, under) in &play.battle.secrets.get(side).open().pickets {
            if under.is_dummy() {
                changes.gone.insert(*number, PicketEnd::Dummy);
            } else {
                changes.placed.insert(*number);
            }
        }
    }
    change(play, &changes, HID_66);
}

/// TURN-06 The newest word of the owner on this picket, in the windows that have opened.
pub(super) fn wished(own: &SideSecrets, number: PicketNumber, stage: Stage) -> Option<Reveal> {
    let UnitOrders { said, .. } = own.picket_orders.get(&number)?;
    said.iter().rev().filter(|(opened, _)| **opened <= stage).find_map(|(_, said)| said.reveal)
}

fn is_now(wish: Reveal, moment: Moment) -> bool {
    match (wish, moment) {
        (Reveal::WithOrders {}, Moment::WithOrders)
        | (Reveal::WithReactions {}, Moment::Closed(Stage::Reactions))
        | (Reveal::WithCharges {}, Moment::Closed(Stage::Charges))
        | (Reveal::WithMovement {}, Moment::Closed(Stage::Movement))
        | (Reveal::EndOfTurn {}, Moment::EndOfTurn) => true,
        (
            Reveal::Never {}
            | Reveal::WithOrders {}
            | Reveal::WithReactions {}
            | Reveal::WithCharges {}
            | Reveal::WithMovement {}
            | Reveal::EnemyWithin { .. }
            | Reveal::AtLeg { .. }
            | Reveal::EndOfTurn {},
            Moment::WithOrders | Moment::Closed(_) | Moment::EndOfTurn,
        ) => false,
    }
}
