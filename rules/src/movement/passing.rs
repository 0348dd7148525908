//! Friends who move through each other. MV-13 to MV-16, TC-08
//!
//! Owns who rolls and what failure does. The roll itself is that of every competence roll.

use std::collections::BTreeSet;

use protocol::event::Fact;
use protocol::words::{Arm, Formation};

use super::body::Shape;
use super::clock::Clock;
use crate::battle::{Table, UnitIx};
use crate::catalogue::{MV_14, MV_16};
use crate::column;
use crate::competence::{self, Finding};
use crate::crowd::Crowd;
use crate::dice::Purpose;
use crate::explain::sentence;
use crate::field::Field;
use crate::geometry;
use crate::ground::WayKind;
use crate::play::Play;

/// Pairs of friends that stand on each other.
pub(super) fn overlapping(shapes: &[Option<Shape>], crowd: &Crowd, table: &Table) -> BTreeSet<(UnitIx, UnitIx)> {
    let mut pairs = BTreeSet::new();
    for (ix, unit) in table.units() {
        let Some(shape) = &shapes[ix.0 as usize] else { continue };
        let is_friend = |other: &UnitIx| ix < *other && table[*other].side == unit.side && table[*other].on_table();
        for other_ix in crowd.near(shape.extent(), 0).into_iter().filter(is_friend) {
            if stand_on_each_other(shapes, table, ix, other_ix) {
                pairs.insert((ix, other_ix));
            }
        }
    }
    pairs
}

/// MV-13, TAC-16 Whether two units stand on each other; a screen passes through friends as skirmishers do.
fn stand_on_each_other(shapes: &[Option<Shape>], table: &Table, one: UnitIx, other: UnitIx) -> bool {
    let (Some(a), Some(b)) = (&shapes[one.0 as usize], &shapes[other.0 as usize]) else { return false };
    let apart = |ix: UnitIx| table[ix].footing.screen_is_out();
    let without_screen = |ix: UnitIx, all: &Shape| if apart(ix) { body(table, ix) } else { all.clone() };
    a.overlaps(b) && ((!apart(one) && !apart(other)) || without_screen(one, a).overlaps(&without_screen(other, b)))
}

/// The stands of a unit without its screen.
fn body(table: &Table, ix: UnitIx) -> Shape {
    Shape::around(table[ix].layout().body().copied().collect())
}

/// MV-14 Those who have newly come upon each other in this segment roll, all on the state before any of the rolls.
pub(super) fn pass(clock: &mut Clock<'_, '_>) {
    let pairs = newly_met(clock);
    if pairs.is_empty() {
        return;
    }
    let field = Field::new(clock.play.rules, clock.play.table(), clock.play.dice);
    let rolls = |(mover, other): &(UnitIx, UnitIx)| rolls_of_passage(clock, &field, *mover, *other);
    let findings: Vec<Finding> = pairs.iter().flat_map(rolls).collect();
    drop(field);
    let failed: Vec<UnitIx> = findings.iter().filter(|finding| !finding.passed).map(|finding| finding.unit).collect();
    for finding in findings {
        finding.tell(clock.play);
    }
    for ix in failed {
        disorder(clock, ix);
    }
}

/// The friends who stand on each other and did not before, the mover first.
fn newly_met(clock: &mut Clock<'_, '_>) -> Vec<(UnitIx, UnitIx)> {
    let crowd = clock.crowd();
    let mut pairs = Vec::new();
    for mover in &clock.movers {
        let ix = mover.unit;
        let Some(shape) = &clock.shapes[ix.0 as usize] else { continue };
        let table = &clock.play.battle.table;
        let is_friend =
            |friend: &UnitIx| *friend != ix && table[*friend].side == mover.side && table[*friend].on_table();
        let friends = crowd.near(shape.extent(), 0).into_iter().filter(is_friend);
        for friend in friends {
            let meet = stand_on_each_other(&clock.shapes, &clock.play.battle.table, ix, friend);
            if meet && clock.met.insert((ix.min(friend), ix.max(friend))) {
                pairs.push((ix, friend));
            }
        }
    }
    pairs
}

/// MV-13 to MV-16 The rolls of two friends of whom one moves through the other, that of the mover first.
fn rolls_of_passage(clock: &Clock<'_, '_>, field: &Field<'_>, mover: UnitIx, other: UnitIx) -> Vec<Finding> {
    let along_road = |ix: UnitIx| moves_along_road(clock, ix);
    let roll = |rolls: UnitIx| roll_of(clock.play, field, rolls, (mover, other), along_road);
    [mover, other].into_iter().filter_map(roll).collect()
}

/// MV-13 to MV-16 The roll of one of two friends of whom the first moves through the second; none if it is not asked for one.
pub(crate) fn roll_of(
    play: &Play<'_>,
    field: &Field<'_>,
    rolls: UnitIx,
    (mover, other): (UnitIx, UnitIx),
    moves_along_road: impl Fn(UnitIx) -> bool,
) -> Option<Finding> {
    let (a, b) = (field.unit(mover), field.unit(other));
    if a.is_skirmishing() || b.is_skirmishing() || !a.is_unrouted() || !b.is_unrouted() {
        return None;
    }
    for (rider, rider_ix, foot, foot_ix) in [(a, mover, b, other), (b, other, a, mover)] {
        let gallops = rider.arm == Arm::Artillery || (rider.arm == Arm::Cavalry && rider.mounted);
        let in_column = foot.arm == Arm::Infantry && foot.footing.formation == Formation::MarchColumn;
        if gallops && in_column && moves_along_road(rider_ix) {
            // MV-16 Only the infantry rolls.
            let key = [foot.id.as_str(), rider.id.as_str()];
            let because = format!("letting {} gallop through", rider.name);
            let roll = || competence::roll(play, field, foot_ix, Purpose::TacticalPassThrough, &key, &because);
            return (rolls == foot_ix).then(|| Finding { rule: MV_16, ..roll() });
        }
    }
    competence::run_through(play, field, if rolls == mover { other } else { mover }, rolls)
}

fn moves_along_road(clock: &Clock<'_, '_>, ix: UnitIx) -> bool {
    let table = clock.play.table();
    let footing = &table[ix].footing;
    let moves = clock.movers.iter().any(|mover| mover.unit == ix && 1 < mover.track.len());
    moves && table.ground().way(footing.anchor, geometry::forward(footing.facing)) == Some(WayKind::Road)
}

/// MV-14 Disorder at once; batteries have none, and who is in disorder stays so. FORM-26
fn disorder(clock: &mut Clock<'_, '_>, ix: UnitIx) {
    let unit = &mut clock.play.battle.table[ix];
    if unit.footing.disorder || unit.arm == Arm::Artillery {
        return;
    }
    unit.footing.disorder = true;
    let (id, name) = (unit.id.clone(), unit.name.clone());
    for mover in clock.movers.iter_mut().filter(|mover| mover.unit == ix) {
        mover.disorder();
    }
    let text = format!("{name} is put in disorder by the passage.");
    clock.play.tell(MV_14, Fact::Disorder { unit: id, disorder: true }, sentence(text));
    column::disorder_with_lead(clock.play, ix);
}
