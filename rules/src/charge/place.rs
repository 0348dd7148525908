//! Where a charge leaves its units. CHG-54, ORD-14
//!
//! Owns facing, overlaps and the marks of those who took part.

use std::cmp::Reverse;
use std::collections::VecDeque;

use protocol::event::Fact;
use protocol::place::{Bearing, Point};

use super::run::{Run, shift};
use super::{END, columns};
use crate::battle::UnitIx;
use crate::catalogue::CHG_54;
use crate::column;
use crate::explain::{called, named, sentence};
use crate::field::Field;
use crate::geometry::{self, Extent, Vector};
use crate::morale::flight::{self, displacement};
use crate::play::Play;
use crate::reform;

/// How far a unit that would end on a friend is taken back at a time, thousandths of an inch.
const STEP: i32 = 10;

/// How far at most, thousandths of an inch.
const FARTHEST: i32 = 24_000;

/// ALG-CHARGE 16 Ends a charge: all who took part have spent their orders, face along the ray where their stands fit, and stand on
/// nobody.
pub fn finish(play: &mut Play<'_>, run: &Run, how: &str) {
    let mut to_place = order_of_placing(play, run);
    while let Some(ix) = to_place.pop_front() {
        let moved = run.moved.contains(&ix);
        let unit = &mut play.table_mut()[ix];
        unit.marks.order_spent = true;
        unit.marks.charged |= moved;
        let stays = unit.on_table()
            && unit.is_unrouted()
            && !unit.marks.fell_back
            && !unit.marks.beaten
            && !unit.marks.in_melee;
        if moved && stays {
            clear(play, run, ix, &to_place);
            if !run.turned_away {
                face(play, ix, run.bearing);
            }
        }
    }
    let unit = &play.table()[run.point];
    let text = format!("The charge of {} is over: it {how}.", called(&unit.name));
    let fact = Fact::ChargeEnded { unit: unit.id.clone(), how: how.to_owned() };
    play.tell(END, fact, sentence(text));
    columns::come_apart(play, run);
}

/// CHG-54 The point keeps its place, and the foremost of the others theirs, so that no name decides who goes back.
fn order_of_placing(play: &Play<'_>, run: &Run) -> VecDeque<UnitIx> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let ahead = geometry::forward(run.bearing);
    let place = |ix: &UnitIx| {
        let unit = field.unit(*ix);
        let center = if unit.on_table() { field.center(*ix) } else { unit.footing.anchor };
        (*ix != run.point, Reverse(ahead.dot(Vector::between(Point::default(), center))), center)
    };
    let mut order: Vec<UnitIx> = run.all.iter().copied().collect();
    order.sort_by_cached_key(place);
    order.into()
}

/// CHG-54 Back along the ray to the last place where it stands on nobody, but for those `to_place` after it; never farther than
/// two feet.
fn clear(play: &mut Play<'_>, run: &Run, ix: UnitIx, to_place: &VecDeque<UnitIx>) {
    let field = Field::new(play.rules, play.table(), play.dice);
    let own = column::stands_of(field.table, field.unit(ix));
    let is_another = |other: UnitIx| !column::are_one(field.table, ix, other) && !to_place.contains(&other);
    let stands_on_another = |back: i32| {
        let own = flight::carried(&own, displacement(run.bearing.reversed(), back));
        let mut others = field.near(Extent::of(&own), 0).filter(|other| is_another(*other));
        others.any(|other| {
            let mut theirs = field.layout(other).rects();
            theirs.any(|stand| own.iter().any(|own| geometry::overlaps_beyond_eps(own, &stand.corners)))
        })
    };
    if !stands_on_another(0) {
        return;
    }
    let Some(back) = (0..FARTHEST).step_by(STEP as usize).find(|back| !stands_on_another(*back)) else { return };
    let by = displacement(run.bearing.reversed(), back);
    shift(play, ix, (by.x, by.y));
    let unit = &play.table()[ix];
    let text = format!("{} stops short of a friend.", named(&unit.name));
    let fact = Fact::Formed { unit: unit.id.clone(), after: unit.stance() };
    play.tell(CHG_54, fact, sentence(text));
}

/// CHG-54 It takes the bearing of the ray as its facing, if its stands then fit.
fn face(play: &mut Play<'_>, ix: UnitIx, bearing: Bearing) {
    let unit = &play.table()[ix];
    if unit.footing.facing == bearing {
        return;
    }
    let (turned, met) = match unit.leads_column() {
        true => (columns::turned(play.table(), ix, bearing), Vec::new()),
        false => {
            let turned = flight::turned(unit, bearing);
            let met = reform::barred_by(play.table(), ix, &turned, |_| false);
            (Some(turned).filter(|turned| reform::fits(play.table(), ix, turned)), met)
        }
    };
    reform::meet(play, ix, met);
    let Some(turned) = turned else { return };
    let text = format!("{} faces where it charged.", named(&turned.name));
    let fact = Fact::Formed { unit: turned.id.clone(), after: turned.stance() };
    play.table_mut()[ix] = turned;
    columns::bring_up(play, ix);
    play.tell(CHG_54, fact, sentence(text));
}
