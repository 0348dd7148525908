//! Reforming: a disordered unit takes a formation again, on rallying or by a natural 12. MOR-05, RALLY-19, RALLY-21, RALLY-23
//!
//! Owns which formation and facing it takes, and whether it fits. Whether it may reform is the caller's to say: an officer
//! must be present.

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::BTreeSet;

use protocol::orders::{Instructions, Reform, ReformFacing};
use protocol::place::{Bearing, Point};
use protocol::words::{Arm, Formation};

use crate::battle::{Footing, Table, Unit, UnitIx};
use crate::catalogue::RALLY_23;
use crate::column;
use crate::field::Field;
use crate::formation::{default_gap, least_slide};
use crate::geometry::{self, Extent, Rect};
use crate::los;
use crate::morale::reference;
use crate::movement;
use crate::play::Play;

/// RALLY-23 Reforms a disordered unit by its owner's choice, about its centre; false: it stays in disorder.
///
/// `enemy` is the bearing of the reference enemy (MOR-59), from the snapshot in which the unit was allowed to reform.
pub fn reform(play: &mut Play<'_>, ix: UnitIx, enemy: Bearing) -> bool {
    let unit = &play.table()[ix];
    if !unit.footing.disorder || !unit.on_table() {
        return false;
    }
    if unit.leads_column() {
        return reform_column(play, ix);
    }
    let (facing, faced_by) = play.choice(ix, ReformFacing::Enemy {}, |said| said.reform_facing);
    let bearing = match facing {
        ReformFacing::Enemy {} => enemy,
        ReformFacing::Keep {} => unit.footing.facing,
        ReformFacing::Bearing { bearing } => bearing,
    };
    let field = Field::new(play.rules, play.table(), play.dice);
    let met = RefCell::default();
    let tried = |to: Formation| standing(&field, ix, (to, bearing), &met);
    let by_default = || [unit.last_formed, line_of(unit)].into_iter().find_map(tried);
    let wish = |said: &Instructions| outcome(said.reform?, tried);
    // MOR-65 A wish that cannot be carried out counts as absent, and the next older one is tried.
    let (outcome, formed_by) = match play.choice(ix, None, |said| wish(said).map(Some)) {
        (Some(outcome), source) => (outcome, source),
        (None, source) => (by_default().map_or(Outcome::Stays, Outcome::Forms), source),
    };
    drop(field);
    meet(play, ix, met.into_inner());
    play.tell_choice(ix, "reform", formed_by);
    play.tell_choice(ix, "reform_facing", faced_by);
    let Outcome::Forms(footing) = outcome else { return false };
    let unit = &mut play.table_mut()[ix];
    unit.footing = footing;
    unit.last_formed = unit.footing.formation;
    true
}

/// RALLY-23, TAC-31 A brigade column reforms as it stands, unless its owner wishes otherwise.
fn reform_column(play: &mut Play<'_>, ix: UnitIx) -> bool {
    let (wish, source) = play.choice(ix, None, |said| said.reform.map(Some));
    play.tell_choice(ix, "reform", source);
    let stays = wish == Some(Reform::None);
    if !stays {
        column::reform(play, ix, RALLY_23);
    }
    !stays
}

/// What comes of a wish to reform.
enum Outcome {
    /// It stays in disorder.
    Stays,
    /// It stands like this.
    Forms(Footing),
}

/// MOR-05 What comes of one answer, which is tried; nothing if it cannot be carried out.
fn outcome(wish: Reform, tried: impl Fn(Formation) -> Option<Footing>) -> Option<Outcome> {
    match formation_of(wish) {
        Some(formation) => tried(formation).map(Outcome::Forms),
        None => Some(Outcome::Stays),
    }
}

/// RALLY-23 How the unit stands in a formation, if it may take it, it fits and the ground is not impassable to it. `met` takes up
/// the enemies who alone keep it from that.
fn standing(
    field: &Field<'_>,
    ix: UnitIx,
    (formation, facing): (Formation, Bearing),
    met: &RefCell<BTreeSet<UnitIx>>,
) -> Option<Footing> {
    let unit = field.unit(ix);
    let body = may_take(unit, formation).then(|| formed(unit, formation, facing))?;
    if !movement::may_stand(field, &body) {
        return None;
    }
    met.borrow_mut().extend(barred_by(field.table, ix, &body, |_| false));
    fits(field.table, ix, &body).then_some(body.footing)
}

/// CF-10, FORM-35 A unit in a formation that faces a bearing, about its centre; slid along its front by the least distance that
/// clears the others, right before left. None: it may not take it, or there is no room.
pub(crate) fn facing(field: &Field<'_>, ix: UnitIx, formation: Formation, bearing: Bearing) -> Option<Footing> {
    facing_and_meeting(field, ix, (formation, bearing)).0
}

/// As [`facing`], and the enemies who alone keep it from the places that it tries. LOS-02
pub(crate) fn facing_and_meeting(
    field: &Field<'_>,
    ix: UnitIx,
    (formation, bearing): (Formation, Bearing),
) -> (Option<Footing>, BTreeSet<UnitIx>) {
    let unit = field.unit(ix);
    if !may_take(unit, formation) {
        return (None, BTreeSet::new());
    }
    let planned = formed(unit, formation, bearing);
    let slid = |slide: i32| {
        let mut body = planned.clone();
        body.footing.anchor = geometry::Frame::new(planned.footing.anchor, bearing).at(0, slide);
        body
    };
    let met: RefCell<BTreeSet<UnitIx>> = RefCell::default();
    let clears = |slide: i32| {
        let body = slid(slide);
        let is_free = fits(field.table, ix, &body);
        if !is_free {
            met.borrow_mut().extend(barred_by(field.table, ix, &body, |_| false));
        }
        is_free
    };
    let body = least_slide(unit.stand_width, clears).map(slid);
    let footing = body.filter(|body| movement::may_stand(field, body)).map(|body| body.footing);
    (footing, met.into_inner())
}

/// MOR-59 The bearing in which the reference enemy of a unit lies.
pub fn toward_the_enemy(field: &Field<'_>, ix: UnitIx) -> Bearing {
    reference::reference(field, ix, &[], None).away.reversed()
}

/// The formation that is wished for; none: to stay as it is.
fn formation_of(reform: Reform) -> Option<Formation> {
    Some(match reform {
        Reform::SingleLine => Formation::SingleLine,
        Reform::ExtendedLine => Formation::ExtendedLine,
        Reform::DoubleLine => Formation::DoubleLine,
        Reform::AttackColumn => Formation::AttackColumn,
        Reform::SkirmishLine => Formation::SkirmishLine,
        Reform::MarchColumn => Formation::MarchColumn,
        Reform::None => return None,
    })
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
pub(crate) fn may_take(unit: &Unit, formation: Formation) -> bool {
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
    body.footing.gap = default_gap(formation, unit.stand_width, unit.mounted);
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
    let own: Vec<Rect> = body.layout().rects().copied().collect();
    is_whole_on(table, &own) && stood_on(table, ix, &own, spared).next().is_none()
}

/// LOS-02 The enemies who alone keep a unit from standing so; nobody where a friend or the edge of the table does, nor in
/// the other fog.
pub(crate) fn barred_by(table: &Table, ix: UnitIx, body: &Unit, spared: impl Fn(&Unit) -> bool) -> Vec<UnitIx> {
    let own: Vec<Rect> = body.layout().rects().copied().collect();
    if !los::is_played(table) || !is_whole_on(table, &own) {
        return Vec::new();
    }
    let others: Vec<UnitIx> = stood_on(table, ix, &own, spared).collect();
    let are_enemies = others.iter().all(|other| table[*other].side != body.side);
    if are_enemies { others } else { Vec::new() }
}

/// LOS-02 A unit and those who keep it from its place see each other.
pub(crate) fn meet(play: &mut Play<'_>, ix: UnitIx, enemies: impl IntoIterator<Item = UnitIx>) {
    let met: Vec<(UnitIx, UnitIx)> = enemies.into_iter().map(|enemy| (ix, enemy)).collect();
    los::meet(play, &met);
}

fn is_whole_on(table: &Table, stands: &[Rect]) -> bool {
    let ground = table.ground().ground();
    let on_table = |point: &Point| (0..=ground.width).contains(&point.x) && (0..=ground.height).contains(&point.y);
    stands.iter().all(|stand| stand.corners.iter().all(on_table))
}

/// The others on whom these stands of a unit would stand.
fn stood_on(table: &Table, ix: UnitIx, own: &[Rect], spared: impl Fn(&Unit) -> bool) -> impl Iterator<Item = UnitIx> {
    let about = Extent::of(own);
    let is_near = move |other: UnitIx| table.extent(other).may_be_within(about, 0);
    let others = table.units().filter(move |(other, unit)| *other != ix && is_near(*other) && !spared(unit));
    let others = others.map(|(other, _)| other);
    others.filter(move |other| {
        let theirs = table.layout(*other);
        own.iter().any(|stand| theirs.rects().any(|rect| geometry::overlaps_beyond_eps(stand, &rect.corners)))
    })
}
