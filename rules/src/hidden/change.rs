//! What becomes of pickets at one instant: placed, removed, confirmed. HID-44, HID-46, HID-49, HID-50
//!
//! Owns the one door between hidden and open. It decides nothing: those who find that a picket is seen, touched or given up
//! hand it all that ends at one instant, and it is told as one fact, sorted by number.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{Fact, PicketEnd, PicketGone, PicketPlaced};
use protocol::ids::PicketNumber;
use protocol::view::Presence;

use crate::battle::{GonePicket, Unit};
use crate::catalogue::RuleId;
use crate::explain::sentence;
use crate::play::Play;

/// What becomes of pickets at one instant; a picket stands in one of the three at most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Real ones, replaced by their units.
    pub(crate) placed: BTreeSet<PicketNumber>,
    /// Gone without a unit, and how.
    pub(crate) gone: BTreeMap<PicketNumber, PicketEnd>,
    /// Known from now on to hide something.
    pub(crate) confirmed: BTreeSet<PicketNumber>,
}

impl Changes {
    /// Whether nothing becomes of anybody.
    pub(crate) fn is_empty(&self) -> bool {
        self.placed.is_empty() && self.gone.is_empty() && self.confirmed.is_empty()
    }
}

/// HID-46, HID-49, HID-50 Makes the changes of one instant and tells them, in one fact, to everybody. Nothing is told, and
/// nothing done, if there are none (HID-76).
pub(crate) fn change(play: &mut Play<'_>, changes: &Changes, rule: RuleId) {
    if changes.is_empty() {
        return;
    }
    let turn = play.table().turn;
    let mut placed = Vec::new();
    for number in &changes.placed {
        placed.extend(place(play, *number));
    }
    for (number, how) in &changes.gone {
        remove(play, *number, *how);
    }
    for number in &changes.confirmed {
        if let Some(picket) = play.table_mut().pickets.get_mut(number) {
            picket.confirmed.get_or_insert(turn);
        }
    }
    let gone = changes.gone.iter().map(|(picket, how)| PicketGone { picket: *picket, how: *how }).collect();
    let confirmed = changes.confirmed.iter().copied().collect();
    let text = in_words(play, changes, &placed);
    play.tell(rule, Fact::PicketsChanged { placed, gone, confirmed }, sentence(text));
}

/// HID-49, HID-50 Puts what a picket hides in its place, with the order that the picket has.
fn place(play: &mut Play<'_>, number: PicketNumber) -> Vec<PicketPlaced> {
    let turn = play.table().turn;
    let Some(side) = play.table().pickets.get(&number).map(|picket| picket.side) else { return Vec::new() };
    remove(play, number, PicketEnd::Placed);
    let secrets = play.battle.secrets.get_mut(side).open_mut();
    let Some(under) = secrets.pickets.remove(&number) else { return Vec::new() };
    let orders = secrets.picket_orders.remove(&number);
    for unit in &under.units {
        secrets.orders.extend(orders.iter().map(|orders| (unit.id.clone(), orders.clone())));
    }
    let mut placed = Vec::new();
    for unit in under.units {
        let unit = Unit { presence: Presence::Table, picket: Some((number, turn)), ..unit };
        placed.push(PicketPlaced {
            picket: number,
            unit: unit.id.clone(),
            after: unit.stance(),
            left: unit.stands.iter().map(|stand| stand.figures).collect(),
            shown: unit.marks.shown.clone(),
        });
        if let Some(ix) = play.table().find(&unit.id) {
            play.table_mut()[ix] = unit;
        }
    }
    for leader in under.leaders {
        let leader = crate::battle::Leader { presence: Presence::Table, ..leader };
        play.table_mut().leaders.insert(leader.id.clone(), leader);
    }
    placed
}

/// HID-12 Takes a marker off, and notes how it ended. What a removed marker hid and is not placed goes with it.
fn remove(play: &mut Play<'_>, number: PicketNumber, how: PicketEnd) {
    let table = play.table_mut();
    let Some(picket) = table.pickets.remove(&number) else { return };
    table.pickets_gone.insert(number, GonePicket { side: picket.side, turn: table.turn, how });
    if how != PicketEnd::Placed {
        let secrets = play.battle.secrets.get_mut(picket.side).open_mut();
        let under = secrets.pickets.remove(&number);
        secrets.picket_orders.remove(&number);
        // HID-66 Who marched off is counted when all pickets are opened.
        if let Some(under) = under.filter(|_| how == PicketEnd::LeftTable) {
            secrets.left.insert(number, super::march::off_the_table(under));
        }
    }
}

/// One line for all: who is placed, what is gone, what is known to be real. HID-43, HID-44
fn in_words(play: &Play<'_>, changes: &Changes, placed: &[PicketPlaced]) -> String {
    let name = |placed: &PicketPlaced| match play.table().unit(&placed.unit) {
        Some(unit) => format!("picket {} is {}", placed.picket.0, crate::explain::called(&unit.name)),
        None => format!("picket {} is placed", placed.picket.0),
    };
    let gone = changes.gone.iter().map(|(number, how)| match how {
        PicketEnd::LeftTable => format!("picket {} leaves the table", number.0),
        PicketEnd::Dummy | PicketEnd::Withdrawn | PicketEnd::Placed => format!("picket {} is taken off", number.0),
    });
    let confirmed = changes.confirmed.iter().map(|number| format!("picket {} is declared real", number.0));
    let all: Vec<String> = placed.iter().map(name).chain(gone).chain(confirmed).collect();
    format!("{}.", crate::explain::named(&all.join("; ")))
}
