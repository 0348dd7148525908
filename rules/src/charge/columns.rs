//! Brigade columns that charge, and that are charged: several regiments that are one body. TAC-35, TAC-36
//!
//! Owns the stands that such a body brings, how the regiments behind the lead go along, how it turns, and how it comes apart. The
//! lead is the point of the charge, or the unit that is charged; those behind it are on no list of supports.

use std::iter::once;

use protocol::event::Fact;
use protocol::place::{Bearing, Point};

use super::clash::{Clash, Front, Role};
use super::run::Run;
use super::threat::body;
use crate::battle::{Table, Unit, UnitIx};
use crate::catalogue::TAC_36;
use crate::column;
use crate::explain::{named, sentence};
use crate::field::Field;
use crate::geometry::{self, Extent, Rect};
use crate::play::Play;

/// TAC-23, TAC-28 The stands from which the distances of a charge are measured: of a brigade column those of all its regiments.
pub fn body_of(field: &Field<'_>, ix: UnitIx) -> Vec<Rect> {
    let mut stands = body(field.layout(ix));
    for behind in column::followers(field.table, ix) {
        stands.extend(body(field.layout(behind)));
    }
    stands
}

/// What lies about those stands.
pub(super) fn extent_of(field: &Field<'_>, ix: UnitIx) -> Extent {
    match field.unit(ix).leads_column() {
        true => Extent::of(&body_of(field, ix)),
        false => field.extent(ix),
    }
}

/// TAC-32 Whether a unit sees an enemy, or any regiment of the column that he leads.
pub(super) fn sees(field: &Field<'_>, ix: UnitIx, enemy: UnitIx) -> bool {
    column::members(field.table, enemy).into_iter().any(|regiment| field.sees(ix, regiment))
}

/// TAC-28 The regiments behind a lead that has been moved go where it puts them, with the leaders attached to them.
pub(super) fn bring_up(play: &mut Play<'_>, lead: UnitIx) {
    let behind = column::followers(play.table(), lead);
    let anchor = |table: &Table, ix: UnitIx| table[ix].footing.anchor;
    let before: Vec<Point> = behind.iter().map(|ix| anchor(play.table(), *ix)).collect();
    column::follow(play.table_mut(), lead);
    for (ix, before) in behind.into_iter().zip(before) {
        let after = anchor(play.table(), ix);
        crate::movement::carry_leaders(play, ix, (after.x - before.x, after.y - before.y));
    }
}

/// CF-10, CHG-54 A lead turned with its whole column, if that fits.
pub(super) fn turned(table: &Table, lead: UnitIx, bearing: Bearing) -> Option<Unit> {
    let body = column::turned(table, &table[lead], bearing);
    let stands = column::stands_of(table, &body);
    let ground = table.ground().ground();
    let on_table = |point: &Point| (0..=ground.width).contains(&point.x) && (0..=ground.height).contains(&point.y);
    let whole = stands.iter().flat_map(|stand| &stand.corners).all(on_table);
    let mut others = table.units().filter(|(other, _)| !column::are_one(table, lead, *other));
    let is_free = !others.any(|(_, other)| {
        let theirs = other.layout();
        stands.iter().any(|own| theirs.rects().any(|rect| geometry::overlaps_beyond_eps(own, &rect.corners)))
    });
    (whole && is_free).then_some(body)
}

/// IDD-21, MEL-12 The columns of those sides come apart: the regiments behind each lead are supports, from the head.
pub(super) fn apart(play: &mut Play<'_>, clash: &Clash, sides: &[Role]) -> Clash {
    let mut clash = clash.clone();
    for role in sides {
        let front = match role {
            Role::Attacker => &mut clash.attacker,
            Role::Defender => &mut clash.defender,
        };
        front.supports = behind_the_front(play.table(), front);
        for ix in front.units() {
            if play.table()[ix].column.is_some() {
                column::dissolve(play.table_mut(), ix);
            }
        }
    }
    clash
}

fn behind_the_front(table: &Table, front: &Front) -> Vec<UnitIx> {
    let regiments = |ix: &UnitIx| column::members(table, *ix);
    column::followers(table, front.unit).into_iter().chain(front.supports.iter().flat_map(regiments)).collect()
}

/// TAC-36 At the end of its charge a column is dissolved: each regiment stands where it is, in disorder and by itself.
pub(super) fn come_apart(play: &mut Play<'_>, run: &Run) {
    if run.behind.is_empty() {
        return;
    }
    let moved = run.moved.contains(&run.point);
    for ix in once(run.point).chain(run.behind.iter().copied()) {
        let was_in_column = play.table()[ix].on_table() && play.table()[ix].column.is_some();
        if was_in_column {
            column::dissolve(play.table_mut(), ix);
        }
        let unit = &mut play.table_mut()[ix];
        unit.marks.order_spent = true;
        unit.marks.charged |= moved;
    }
    for ix in once(run.point).chain(run.behind.iter().copied()) {
        let unit = &mut play.table_mut()[ix];
        if !unit.on_table() || !unit.is_unrouted() {
            continue;
        }
        unit.footing.disorder = true;
        let text = format!("{} stands by itself, in disorder: the charge of its column is over.", named(&unit.name));
        let fact = Fact::Formed { unit: unit.id.clone(), after: unit.stance() };
        play.tell(TAC_36, fact, sentence(text));
    }
}
