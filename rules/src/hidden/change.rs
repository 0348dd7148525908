//! What becomes of pickets at one instant: placed, removed, confirmed. HID-44, HID-46, HID-49, HID-50
//!
//! Owns the one door between hidden and open. It decides nothing: those who find that a picket is seen, touched or given up
//! hand it all that ends at one instant, and it is told as one fact, sorted by number.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{Fact, PicketEnd, PicketGone, PicketPlaced};
use protocol::ids::{FeatureId, PicketNumber};

use super::{placing, works};
use crate::battle::{GonePicket, Leader, Unit, UnitIx};
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
    /// Their works have come to light; they are of those confirmed, or were before. HID-64
    pub(crate) bared: BTreeSet<PicketNumber>,
}

impl Changes {
    /// Whether nothing becomes of anybody.
    pub(crate) fn is_empty(&self) -> bool {
        self.placed.is_empty() && self.gone.is_empty() && self.confirmed.is_empty() && self.bared.is_empty()
    }
}

/// What has been done at one instant, not yet told.
#[derive(Default)]
pub(super) struct Made {
    placed: Vec<PicketPlaced>,
    gone: BTreeMap<PicketNumber, PicketEnd>,
    confirmed: BTreeSet<PicketNumber>,
    bared: Vec<FeatureId>,
}

/// HID-46, HID-49, HID-50 Makes the changes of one instant and tells them, in one fact, to everybody. Nothing is told, and
/// nothing done, if there are none (HID-76).
pub(crate) fn change(play: &mut Play<'_>, changes: &Changes, rule: RuleId) {
    let mut made = Made::default();
    made.make(play, changes);
    made.tell(play, rule);
}

impl Made {
    /// HID-46 Makes the changes of one round: pickets are placed in ascending number. The units that were placed.
    pub(super) fn make(&mut self, play: &mut Play<'_>, changes: &Changes) -> BTreeSet<UnitIx> {
        let turn = play.table().turn;
        let mut fresh = BTreeSet::new();
        for number in &changes.placed {
            let (placed, units) = place(play, *number);
            self.placed.extend(placed);
            self.bared.extend(works::bare(play, *number));
            fresh.extend(units);
        }
        for (number, how) in &changes.gone {
            if play.table().pickets.contains_key(number) {
                remove(play, *number, *how);
                self.bared.extend(works::bare(play, *number));
                self.gone.insert(*number, *how);
            }
        }
        for number in &changes.confirmed {
            if let Some(picket) = play.table_mut().pickets.get_mut(number) {
                picket.confirmed.get_or_insert(turn);
                self.confirmed.insert(*number);
            }
        }
        for number in &changes.bared {
            self.bared.extend(works::bare(play, *number));
        }
        fresh
    }

    /// HID-46, HID-76 Tells all that was done in one fact, each list by number; nothing if there is nothing.
    pub(super) fn tell(mut self, play: &mut Play<'_>, rule: RuleId) {
        // HID-46 Placed in a later round of the same instant, it is not declared as well.
        self.confirmed.retain(|number| play.table().pickets.contains_key(number));
        let bared = std::mem::take(&mut self.bared);
        if !(self.placed.is_empty() && self.gone.is_empty() && self.confirmed.is_empty()) {
            self.tell_changed(play, rule);
        }
        works::tell_bared(play, bared);
    }

    fn tell_changed(mut self, play: &mut Play<'_>, rule: RuleId) {
        self.placed.sort_by_key(|placed| placed.picket);
        let text = self.in_words(play);
        let gone = self.gone.iter().map(|(picket, how)| PicketGone { picket: *picket, how: *how }).collect();
        let confirmed = self.confirmed.into_iter().collect();
        play.tell(rule, Fact::PicketsChanged { placed: self.placed, gone, confirmed }, sentence(text));
    }

    /// One line for all: who is placed, what is gone, what is known to be real. HID-43, HID-44
    fn in_words(&self, play: &Play<'_>) -> String {
        let name = |placed: &PicketPlaced| match play.table().unit(&placed.unit) {
            Some(unit) => format!("picket {} is {}", placed.picket.0, crate::explain::called(&unit.name)),
            None => format!("picket {} is placed", placed.picket.0),
        };
        let gone = self.gone.iter().map(|(number, how)| match how {
            PicketEnd::LeftTable => format!("picket {} leaves the table", number.0),
            PicketEnd::Dummy | PicketEnd::Withdrawn | PicketEnd::Placed => format!("picket {} is taken off", number.0),
        });
        let confirmed = self.confirmed.iter().map(|number| format!("picket {} is declared real", number.0));
        let all: Vec<String> = self.placed.iter().map(name).chain(gone).chain(confirmed).collect();
        format!("{}.", crate::explain::named(&all.join("; ")))
    }
}

/// HID-49, HID-50 Puts what a picket hides in its place, with the order that the picket has. What is told of it, and who it is.
fn place(play: &mut Play<'_>, number: PicketNumber) -> (Vec<PicketPlaced>, Vec<UnitIx>) {
    let Some(picket) = play.table().pickets.get(&number).cloned() else { return Default::default() };
    remove(play, number, PicketEnd::Placed);
    let secrets = play.battle.secrets.get_mut(picket.side).open_mut();
    let Some(under) = secrets.pickets.remove(&number) else { return Default::default() };
    let orders = secrets.picket_orders.remove(&number);
    for unit in &under.units {
        secrets.orders.extend(orders.iter().map(|orders| (unit.id.clone(), orders.clone())));
    }
    let mut units = Vec::new();
    // In the order of the plan: front to rear and left to right.
    for unit in under.units {
        let unit = placing::revealed(play, unit, number);
        if let Some(ix) = play.table().find(&unit.id) {
            play.table_mut()[ix] = unit;
            units.push(ix);
        }
    }
    // HID-74 Whoever was given the post in the open meanwhile keeps it.
    let is_filled = |leader: &Leader| play.table().leaders.get(&leader.id).is_some_and(Leader::on_table);
    let leaders: Vec<Leader> = under.leaders.into_iter().filter(|leader| !is_filled(leader)).collect();
    for leader in leaders {
        let leader = placing::revealed_leader(leader, &picket);
        play.table_mut().leaders.insert(leader.id.clone(), leader);
    }
    for ix in &units {
        placing::mark(play, *ix, &picket);
    }
    (units.iter().map(|ix| told(number, &play.table()[*ix])).collect(), units)
}

fn told(picket: PicketNumber, unit: &Unit) -> PicketPlaced {
    PicketPlaced {
        picket,
        unit: unit.id.clone(),
        after: unit.stance(),
        left: unit.stands.iter().map(|stand| stand.figures).collect(),
        shown: unit.marks.shown.clone(),
    }
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
