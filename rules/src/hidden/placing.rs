//! Where a revealed unit stands. HID-49, HID-50, HID-51
//!
//! Owns the place and the marks that a unit takes when it is placed: its own place and facing, moved straight back where open
//! troops, closed ground or the table's edge leave no room. Stands that are still hidden are not on the table, and so shift
//! nobody (LEAK-95).

use protocol::event::{OrderShown, PicketOrder};
use protocol::ids::PicketNumber;
use protocol::orders::Stage;
use protocol::place::Point;
use protocol::view::Presence;

use crate::battle::{Leader, Picket, Table, Unit, UnitIx};
use crate::field::Field;
use crate::fire;
use crate::morale::flight::displacement;
use crate::movement;
use crate::phases;
use crate::play::Play;
use crate::reform;

/// HID-49 The steps by which a unit is shifted, thousandths of an inch.
const STEP: i32 = 100;

/// HID-49 How far straight back it is shifted in order, thousandths of an inch.
const STRAIGHT_BACK: i32 = 6_000;

/// The bearings to the rear at which a free point is looked for, hundredths of a degree to either side of straight back.
const FAN: i32 = 1_000;

/// How far from straight back is still to the rear, hundredths of a degree.
const TO_THE_REAR: i32 = 9_000;

/// All bearings, hundredths of a degree from straight back.
const ALL_ROUND: i32 = 18_000;

/// HID-49 A unit that a picket hid, as it is placed on the open table.
pub(super) fn revealed(play: &Play<'_>, unit: Unit, number: PicketNumber) -> Unit {
    let unit = Unit { presence: Presence::Table, picket: Some((number, play.table().turn)), ..unit };
    let field = Field::before_dice(play.rules, play.table());
    let back = (0..=STRAIGHT_BACK).step_by(STEP as usize);
    let in_order = back.map(|back| shifted(&unit, 0, back)).find(|there| is_free(&field, there));
    in_order.unwrap_or_else(|| in_disorder(&field, &unit))
}

/// HID-49 In disorder at the nearest free point to the rear; if there is none, all round; where nothing is free, where it is.
fn in_disorder(field: &Field<'_>, unit: &Unit) -> Unit {
    let mut loose = unit.clone();
    loose.footing.disorder = true;
    let ground = field.ground().ground();
    let farthest = ground.width.saturating_add(ground.height);
    let nearest = |widest: i32| {
        // Straight back first, then farther and farther to both sides.
        let fan = move || (0..=widest).step_by(FAN as usize).flat_map(|aside| [aside, -aside]);
        let places = (0..=farthest).step_by(STEP as usize).flat_map(|back| fan().map(move |aside| (aside, back)));
        places.map(|(aside, back)| shifted(&loose, aside, back)).find(|there| is_free(field, there))
    };
    nearest(TO_THE_REAR).or_else(|| nearest(ALL_ROUND)).unwrap_or_else(|| loose.clone())
}

/// A unit so far to its rear, so many hundredths of a degree off straight back.
fn shifted(unit: &Unit, aside: i32, back: i32) -> Unit {
    let by = displacement(unit.footing.facing.reversed().turned(aside), back);
    let mut there = unit.clone();
    let moved = |point: Point| Point::new(point.x + by.x, point.y + by.y);
    there.footing.anchor = moved(there.footing.anchor);
    there.footing.trail.iter_mut().for_each(|point| *point = moved(*point));
    there
}

/// HID-49 On the table, on no open unit's stands, and not on ground that is closed to it.
fn is_free(field: &Field<'_>, unit: &Unit) -> bool {
    let Some(ix) = field.table.find(&unit.id) else { return true };
    reform::fits(field.table, ix, unit) && movement::may_stand(field, unit)
}

/// HID-63 A leader who was under a picket stands at its point.
pub(super) fn revealed_leader(leader: Leader, picket: &Picket) -> Leader {
    Leader { presence: Presence::Table, at: picket.at, facing: picket.facing, ..leader }
}

/// HID-50, HID-51 What is marked on a unit that has just been placed: what is shown of its order once orders are revealed, and
/// which enemies stood within close range of it, and it of them, when it came to be there.
pub(super) fn mark(play: &mut Play<'_>, ix: UnitIx, picket: &Picket) {
    if play.stage != Stage::Orders {
        let shown = shown(play, ix, picket);
        let marks = &mut play.table_mut()[ix].marks;
        marks.conditional_hold |= shown == OrderShown::ConditionalHold {};
        marks.shown = Some(shown);
    }
    let near = within_close_range(play.table(), play, ix);
    let id = play.table()[ix].id.clone();
    for (enemy, sees_it_close, is_close) in near {
        let enemy_id = play.table()[enemy].id.clone();
        if sees_it_close {
            play.table_mut()[enemy].marks.close_at_start.insert(id.clone());
        }
        if is_close {
            play.table_mut()[ix].marks.close_at_start.insert(enemy_id);
        }
    }
}

/// The order as an open unit shows it. REV-02
fn shown(play: &Play<'_>, ix: UnitIx, picket: &Picket) -> OrderShown {
    let field = Field::new(play.rules, play.table(), play.dice);
    match (&picket.shown, phases::reveal::shown(&field, ix, &play.order(ix))) {
        (Some(PicketOrder::ConditionalHold {}), _) => OrderShown::ConditionalHold {},
        // HID-20 The bearing that was shown stays.
        (Some(PicketOrder::Move { bearing }), OrderShown::Move { formation, .. }) => {
            OrderShown::Move { bearing: *bearing, formation }
        }
        (_, shown) => shown,
    }
}

/// The enemies of a unit within close range, theirs of it, its own of them, or both.
fn within_close_range(table: &Table, play: &Play<'_>, ix: UnitIx) -> Vec<(UnitIx, bool, bool)> {
    let field = Field::new(play.rules, table, play.dice);
    let own = fire::close_range(play.rules, field.unit(ix));
    let enemies = field.enemies_of(field.unit(ix).side);
    let near = enemies.map(|(enemy, unit)| {
        let theirs = fire::close_range(play.rules, unit);
        (enemy, field.within(ix, enemy, theirs), field.within(ix, enemy, own))
    });
    near.filter(|(_, theirs, own)| *theirs || *own).collect()
}
