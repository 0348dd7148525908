//! Brigade columns: several regiments that march, fire, suffer and check as one body. TAC-27 to TAC-34
//!
//! Owns who stands in a column, where the regiments behind the lead stand (TAC-34), what befalls all when it befalls the lead
//! (TAC-31, TAC-32), the count of stands lost (TAC-33), and how a column is formed and left ([`forming`], [`orders`]). The
//! lead alone has a place of its own: the others stand where it puts them. Movement, fire and morale ask here whom they deal
//! with: start at [`lead_of`] and [`members`].

pub(crate) mod forming;
pub(crate) mod orders;
#[cfg(test)]
mod tests;

use protocol::event::{Fact, Morale};
use protocol::ids::UnitId;
use protocol::place::{Bearing, Point};
use protocol::words::Formation;

use crate::battle::{Column, Footing, Table, Unit, UnitIx};
use crate::catalogue::{RuleId, TAC_31, TAC_32};
use crate::explain::{Explain, sentence};
use crate::geometry::{self, Frame, Rect};
use crate::play::Play;

/// TAC-32 The regiment that stands for a unit: the lead of its column; of any other unit itself.
pub fn lead_of(table: &Table, ix: UnitIx) -> UnitIx {
    let unit = &table[ix];
    match unit.column.as_ref().and_then(Column::lead) {
        Some(lead) if unit.on_table() => table.find(lead).unwrap_or(ix),
        _ => ix,
    }
}

/// The regiments of a unit's column, the lead first; of any other unit itself alone.
pub fn members(table: &Table, ix: UnitIx) -> Vec<UnitIx> {
    let unit = &table[ix];
    match unit.column.as_ref().filter(|_| unit.on_table()) {
        Some(column) => column.ranks.iter().filter_map(|rank| table.find(&rank.unit)).collect(),
        None => vec![ix],
    }
}

/// The regiments behind a lead; none of any other unit.
pub fn followers(table: &Table, ix: UnitIx) -> Vec<UnitIx> {
    if table[ix].leads_column() { members(table, ix).split_off(1) } else { Vec::new() }
}

/// Whether two units stand in one column, or stood in it until one of them was lost.
pub fn are_one(table: &Table, one: UnitIx, other: UnitIx) -> bool {
    let has = |of: UnitIx, whom: UnitIx| table[of].column.as_ref().is_some_and(|column| column.has(&table[whom].id));
    one == other || has(one, other) || has(other, one)
}

/// TAC-34 How a regiment stands so far behind the lead: in single line, faced like it and in the same order.
pub fn footing_behind(lead: &Footing, back: i32) -> Footing {
    let frame = Frame::new(lead.anchor, lead.facing).moved(-back, 0);
    Footing {
        anchor: frame.anchor,
        facing: frame.facing,
        formation: Formation::BrigadeColumn,
        gap: 0,
        refused: None,
        prone: lead.prone,
        trail: Vec::new(),
        disorder: lead.disorder,
        screen_back: false,
    }
}

/// TAC-34 Puts the regiments behind a lead where they belong now. Those whom a unit leads; nothing for any other.
pub fn follow(table: &mut Table, lead: UnitIx) {
    if !table[lead].leads_column() {
        return;
    }
    let (footing, column) = (table[lead].footing.clone(), table[lead].column.clone());
    for rank in column.iter().flat_map(|column| column.ranks.iter().skip(1)) {
        if let Some(ix) = table.find(&rank.unit) {
            table[ix].footing = footing_behind(&footing, rank.back);
        }
    }
}

/// The stands of all regiments of a unit's column, were its lead that body; of any other unit the body's own.
pub fn stands_of(table: &Table, body: &Unit) -> Vec<Rect> {
    let mut stands: Vec<Rect> = body.layout().rects().copied().collect();
    stands.extend(stands_behind(table, body));
    stands
}

/// The stands of the regiments behind the lead of a column, were it that body; of any other unit none. A unit in a square or with
/// a stand told off draws fewer of its own than it has, so they are not told from the number of its stands.
pub fn stands_behind(table: &Table, body: &Unit) -> Vec<Rect> {
    let mut stands = Vec::new();
    let ranks = body.column.iter().filter(|_| body.leads_column()).flat_map(|column| column.ranks.iter().skip(1));
    for rank in ranks {
        let Some(follower) = table.unit(&rank.unit) else { continue };
        let behind = Unit { footing: footing_behind(&body.footing, rank.back), ..follower.clone() };
        stands.extend(behind.layout().rects());
    }
    stands
}

/// SHK-04 A copy of a lead turned with its whole column about the middle of all its stands.
pub fn turned(table: &Table, lead: &Unit, facing: Bearing) -> Unit {
    let middle = |body: &Unit| {
        let centers: Vec<Point> = stands_of(table, body).iter().map(|stand| stand.center).collect();
        geometry::mean(&centers).unwrap_or(body.footing.anchor)
    };
    let mut body = lead.clone();
    body.footing.facing = facing;
    let (before, after) = (middle(lead), middle(&body));
    let anchor = body.footing.anchor;
    body.footing.anchor = Point::new(anchor.x + before.x - after.x, anchor.y + before.y - after.y);
    body
}

/// Changes the record that all regiments of a column carry.
fn amend(table: &mut Table, ix: UnitIx, change: impl Fn(&mut Column)) {
    let lead = lead_of(table, ix);
    for member in members(table, lead) {
        if let Some(column) = &mut table[member].column {
            change(column);
        }
    }
}

/// TAC-33 Counts stands that a regiment of a column has lost.
pub fn count_losses(table: &mut Table, ix: UnitIx, stands: u32) {
    amend(table, ix, |column| column.stands_lost += stands);
}

/// TAC-33 Notes that the checks that were due have been taken.
pub fn answer(table: &mut Table, ix: UnitIx) {
    amend(table, ix, |column| column.stands_answered = column.stands_lost);
}

/// TAC-34 Takes a regiment out of its column, in single line where it stands. If it led, the next leads; of two the other is
/// by itself again.
pub fn leave(table: &mut Table, ix: UnitIx) {
    without(table, ix);
    into_line(table, ix);
}

/// TAC-34 A regiment is lost: the others are a column without it. It keeps the record of the column in which it stood.
pub(crate) fn lose(table: &mut Table, ix: UnitIx) {
    without(table, ix);
}

fn without(table: &mut Table, ix: UnitIx) {
    let Some(column) = table[ix].column.clone() else { return };
    let gone = table[ix].id.clone();
    let others: Vec<UnitIx> =
        column.ranks.iter().filter(|rank| rank.unit != gone).filter_map(|rank| table.find(&rank.unit)).collect();
    let left = Column { ranks: closed_up(&column, &gone), ..column };
    for other in others {
        if left.ranks.len() < 2 {
            into_line(table, other);
        } else {
            table[other].column = Some(left.clone());
        }
    }
}

/// The ranks without one regiment, measured from the one that now leads. Nobody moves.
fn closed_up(column: &Column, gone: &UnitId) -> Vec<crate::battle::Rank> {
    let mut ranks = column.ranks.clone();
    ranks.retain(|rank| rank.unit != *gone);
    let lead = ranks.first().map_or(0, |rank| rank.back);
    ranks.iter_mut().for_each(|rank| rank.back -= lead);
    ranks
}

fn into_line(table: &mut Table, ix: UnitIx) {
    let unit = &mut table[ix];
    unit.column = None;
    if unit.footing.formation == Formation::BrigadeColumn {
        unit.footing.formation = Formation::SingleLine;
    }
}

/// Every regiment of a column is by itself again, in single line where it stands, in the order in which it is.
pub fn dissolve(table: &mut Table, ix: UnitIx) {
    for member in members(table, ix) {
        into_line(table, member);
    }
}

/// TAC-31 The regiments behind a lead that has lost its order lose theirs, and it is told.
pub fn disorder_with_lead(play: &mut Play<'_>, lead: UnitIx) {
    for ix in followers(play.table(), lead) {
        let unit = &mut play.table_mut()[ix];
        if unit.footing.disorder {
            continue;
        }
        unit.footing.disorder = true;
        let text = format!("{} loses its order with the head of its column.", unit.name);
        let fact = Fact::Disorder { unit: unit.id.clone(), disorder: true };
        play.tell(TAC_31, fact, sentence(text));
    }
}

/// RALLY-23, TAC-31 The column of a unit is in order again as it stands, and it is told.
pub fn reform(play: &mut Play<'_>, lead: UnitIx, rule: RuleId) {
    for ix in members(play.table(), lead) {
        let unit = &mut play.table_mut()[ix];
        unit.footing.disorder = false;
        let fact = Fact::Formed { unit: unit.id.clone(), after: unit.stance() };
        let text = format!("{} is in order again.", unit.name);
        play.tell(rule, fact, sentence(text).with_note(TAC_31, "the column reforms as it stands"));
    }
}

/// TAC-32 The regiments behind a lead have its morale, and it is told.
pub fn share_morale(play: &mut Play<'_>, lead: UnitIx) {
    let after = play.table()[lead].morale;
    for ix in followers(play.table(), lead) {
        let unit = &mut play.table_mut()[ix];
        let before: Morale = std::mem::replace(&mut unit.morale, after);
        if before == after {
            continue;
        }
        let text = format!("{} has the morale of the head of its column.", unit.name);
        let fact = Fact::MoraleChanged { unit: unit.id.clone(), before, after };
        play.tell(TAC_32, fact, sentence(text));
    }
}
