//! Reforming: a disordered unit takes a formation again, on rallying or by a natural 12. MOR-05, RALLY-19, RALLY-21, RALLY-23
//!
//! Owns which formation and facing it takes, and whether it fits. Whether it may reform is the caller's to say: an officer
//! must be present.

#[cfg(test)]
mod tests;

use protocol::orders::{Reform, ReformFacing};
use protocol::place::{Bearing, Point};
use protocol::words::{Arm, Formation};

use crate::battle::{Table, Unit, UnitIx};
use crate::field::Field;
use crate::formation::default_gap;
use crate::geometry::{self, Rect};
use crate::morale::reference;
use crate::play::Play;

/// RALLY-23 Reforms a disordered unit by its owner's choice, about its centre; false: it stays in disorder.
///
/// `enemy` is the bearing of the reference enemy (MOR-59), from the snapshot in which the unit was allowed to reform.
pub fn reform(play: &mut Play<'_>, ix: UnitIx, enemy: Bearing) -> bool {
    let unit = &play.table()[ix];
    if !unit.footing.disorder || !unit.on_table() {
        return false;
    }
    let chosen = play.decide(ix, "reform", None, |said| said.reform.map(Some));
    let facing = play.decide(ix, "reform_facing", ReformFacing::Enemy {}, |said| said.reform_facing);
    let unit = &play.table()[ix];
    let bearing = match facing {
        ReformFacing::Enemy {} => enemy,
        ReformFacing::Keep {} => unit.footing.facing,
        ReformFacing::Bearing { bearing } => bearing,
    };
    let wished = match chosen {
        None => None,
        Some(Reform::None) => return false,
        Some(reform) => Some(formation_of(reform)),
    };
    // A wish that cannot be carried out counts as absent (TURN-06): then the default of MOR-05.
    let tries = [wished, Some(unit.last_formed), Some(line_of(unit))];
    let formations = tries.into_iter().flatten().filter(|formation| may_take(unit, *formation));
    let fitting =
        formations.map(|formation| formed(unit, formation, bearing)).find(|body| fits(play.table(), ix, body));
    let Some(body) = fitting else { return false };
    let unit = &mut play.table_mut()[ix];
    unit.footing = body.footing;
    unit.last_formed = unit.footing.formation;
    true
}

/// MOR-59 The bearing in which the reference enemy of a unit lies.
pub fn toward_the_enemy(field: &Field<'_>, ix: UnitIx) -> Bearing {
    reference::reference(field, ix, &[], None).away.reversed()
}

fn formation_of(reform: Reform) -> Formation {
    match reform {
        Reform::SingleLine => Formation::SingleLine,
        Reform::ExtendedLine => Formation::ExtendedLine,
        Reform::DoubleLine => Formation::DoubleLine,
        Reform::AttackColumn => Formation::AttackColumn,
        Reform::SkirmishLine => Formation::SkirmishLine,
        // `None` is answered before.
        Reform::MarchColumn | Reform::None => Formation::MarchColumn,
    }
}

/// The plain line of a unit as it is, mounted or not.
fn line_of(unit: &Unit) -> Formation {
    match unit.arm {
        Arm::Cavalry if !unit.mounted => Formation::DismountedLine,
        Arm::Sharpshooter => Formation::SkirmishLine,
        Arm::Infantry | Arm::Cavalry | Arm::Artillery | Arm::GunCrew => Formation::SingleLine,
    }
}

/// RALLY-23 Formations of its arm and mount; none that is prone, a square, or with a reserve or screen.
fn may_take(unit: &Unit, formation: Formation) -> bool {
    let few = unit.stands.len() < 2;
    match unit.arm {
        Arm::Infantry => matches!(
            formation,
            Formation::SingleLine
                | Formation::ExtendedLine
                | Formation::DoubleLine
                | Formation::AttackColumn
                | Formation::SkirmishLine
                | Formation::MarchColumn
        ),
        Arm::Cavalry if unit.mounted => matches!(
            formation,
            Formation::SingleLine | Formation::DoubleLine | Formation::SkirmishLine | Formation::MarchColumn
        ),
        Arm::Cavalry => matches!(formation, Formation::DismountedLine | Formation::SkirmishLine),
        Arm::Sharpshooter => formation == Formation::SkirmishLine,
        Arm::GunCrew => formation == Formation::SingleLine && few,
        Arm::Artillery => formation == unit.footing.formation,
    }
}

/// The unit in order again, its centre where it was.
fn formed(unit: &Unit, formation: Formation, facing: Bearing) -> Unit {
    let before = center(unit);
    let mut body = unit.clone();
    body.footing.disorder = false;
    body.footing.screen_back = false;
    body.footing.refused = None;
    body.footing.trail.clear();
    body.footing.formation = formation;
    body.footing.facing = facing;
    body.footing.gap = default_gap(formation, unit.stand_width);
    let after = center(&body);
    body.footing.anchor.x += before.x - after.x;
    body.footing.anchor.y += before.y - after.y;
    body
}

fn center(unit: &Unit) -> Point {
    let centers: Vec<Point> = unit.layout().rects().map(|stand| stand.center).collect();
    geometry::mean(&centers).unwrap_or(unit.footing.anchor)
}

/// RALLY-23, ENF-12, ARTY-27 Whether it stands on nobody, and whole on the table.
pub(crate) fn fits(table: &Table, ix: UnitIx, body: &Unit) -> bool {
    fits_but_for(table, ix, body, |_| false)
}

/// ARTY-28 As [`fits`], on nobody but those who are in no one's way.
pub(crate) fn fits_but_for(table: &Table, ix: UnitIx, body: &Unit, spared: impl Fn(&Unit) -> bool) -> bool {
    let ground = table.ground().ground();
    let own: Vec<Rect> = body.layout().rects().copied().collect();
    let on_table = |point: &Point| (0..=ground.width).contains(&point.x) && (0..=ground.height).contains(&point.y);
    let whole = own.iter().all(|stand| stand.corners.iter().all(on_table));
    let mut others = table.units().filter(|(other, unit)| *other != ix && !spared(unit));
    whole
        && !others.any(|(_, other)| {
            let theirs = other.layout();
            own.iter().any(|stand| theirs.rects().any(|rect| geometry::overlaps_beyond_eps(stand, &rect.corners)))
        })
}
