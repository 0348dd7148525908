//! Friends who move through each other. MV-13 to MV-16, TC-08
//!
//! Owns who rolls and what failure does. The roll itself is that of every competence roll.

use std::collections::BTreeSet;

use protocol::event::Fact;
use protocol::words::{Arm, Formation};

use super::body::Shape;
use super::clock::Clock;
use crate::battle::{Table, Unit, UnitIx};
use crate::catalogue::MV_14;
use crate::dice::Purpose;
use crate::explain::sentence;
use crate::geometry;
use crate::ground::WayKind;

/// Pairs of friends that stand on each other.
pub(super) fn overlapping(shapes: &[Option<Shape>], table: &Table) -> BTreeSet<(UnitIx, UnitIx)> {
    let mut pairs = BTreeSet::new();
    for (ix, unit) in table.units() {
        for (other_ix, _) in table.units_of(unit.side).filter(|(other, _)| ix < *other) {
            if let (Some(a), Some(b)) = (&shapes[ix.0 as usize], &shapes[other_ix.0 as usize])
                && a.overlaps(b)
            {
                pairs.insert((ix, other_ix));
            }
        }
    }
    pairs
}

/// MV-14 Those who have newly come upon each other in this segment roll, all on the state before any of the rolls.
pub(super) fn pass(clock: &mut Clock<'_, '_>) {
    let mut rolls: Vec<(UnitIx, UnitIx)> = Vec::new();
    for mover in 0..clock.movers.len() {
        let ix = clock.movers[mover].unit;
        let Some(own) = &clock.shapes[ix.0 as usize] else { continue };
        let table = clock.play.table();
        let friends = table.units_of(clock.movers[mover].side).filter(|(friend, _)| *friend != ix);
        let near =
            friends.filter(|(friend, _)| clock.shapes[friend.0 as usize].as_ref().is_some_and(|s| own.overlaps(s)));
        let met: Vec<UnitIx> = near.map(|(friend, _)| friend).collect();
        for friend in met {
            let pair = (ix.min(friend), ix.max(friend));
            if clock.met.insert(pair) {
                rolls.extend(who_rolls(clock, ix, friend));
            }
        }
    }
    let failed: Vec<UnitIx> =
        rolls.into_iter().filter(|(unit, passed)| !roll(clock, *unit, *passed)).map(|(u, _)| u).collect();
    for ix in failed {
        disorder(clock, ix);
    }
}

/// MV-13, MV-14, MV-16 Which of two friends roll, each with the unit it passes.
fn who_rolls(clock: &Clock<'_, '_>, mover: UnitIx, other: UnitIx) -> Vec<(UnitIx, UnitIx)> {
    let table = clock.play.table();
    let (a, b) = (&table[mover], &table[other]);
    let skirmishing = |unit: &Unit| unit.is_skirmishing();
    if skirmishing(a) || skirmishing(b) || !a.is_unrouted() || !b.is_unrouted() {
        return Vec::new();
    }
    for (rider, rider_ix, foot, foot_ix) in [(a, mover, b, other), (b, other, a, mover)] {
        let gallops = rider.arm == Arm::Artillery || (rider.arm == Arm::Cavalry && rider.mounted);
        let in_column = foot.arm == Arm::Infantry && foot.footing.formation == Formation::MarchColumn;
        if gallops && in_column && moves_along_road(clock, rider_ix) {
            return vec![(foot_ix, rider_ix)];
        }
    }
    if a.arm == Arm::Artillery || b.arm == Arm::Artillery {
        return Vec::new();
    }
    vec![(mover, other), (other, mover)]
}

fn moves_along_road(clock: &Clock<'_, '_>, ix: UnitIx) -> bool {
    let table = clock.play.table();
    let footing = &table[ix].footing;
    let moves = clock.movers.iter().any(|mover| mover.unit == ix && 1 < mover.track.len());
    moves && table.ground().way(footing.anchor, geometry::forward(footing.facing)) == Some(WayKind::Road)
}

/// MV-14 The competence roll of one of two who pass.
fn roll(clock: &mut Clock<'_, '_>, ix: UnitIx, passed: UnitIx) -> bool {
    let other = clock.play.table()[passed].clone();
    let why = format!("passing through {}", other.name);
    super::officer::competence(clock.play, ix, Purpose::TacticalPassThrough, &[other.id.as_str()], MV_14, &why)
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
}
