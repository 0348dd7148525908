//! Fire at a point where nobody is seen. VIS-09 to VIS-12
//!
//! Owns who may do it, the point, and who is found there. A victim suffers by the one reckoning of [`super::lay`]; with no victim
//! the dice count for ammunition alone. Hidden units are not found yet: that waits for their chapter. HID-58

use protocol::event::{Fact, FlankClass};
use protocol::orders::UnseenFire as Wish;
use protocol::place::Point;

use super::aim::{Asked, aim};
use super::dice_count::{Past, dice_count};
use super::lay::faces_of_empty;
use super::lines::is_target;
use super::resolve::Throws;
use super::shooter::{Shooter, Zone};
use super::target::{Candidates, targets};
use super::{Firer, Named, Round, Seen, Shot, scenario, tell};
use crate::battle::UnitIx;
use crate::catalogue::{AMMO_01, VIS_12};
use crate::column;
use crate::dice::{Purpose, break_tie};
use crate::explain::{Explain, Reckoning, sentence};
use crate::field::Field;
use crate::geometry;
use crate::play::Play;
use crate::sight::{UnseenFire, nearest_victims};

/// A fire at a point, and what comes of it.
#[derive(Clone, Debug)]
pub enum Unseen {
    /// Somebody stands near it.
    Victim(Box<Shot>),
    /// Nobody does.
    Nobody(Box<Nothing>),
}

/// A fire that finds nobody: all that its dice need.
#[derive(Clone, Debug)]
pub struct Nothing {
    firer: UnitIx,
    named: Named,
    seen: Seen,
    from: Point,
    dice: Reckoning,
    empty_on: Vec<u8>,
}

/// VIS-12 The fire of a unit that was told to fire at what it does not see: when no enemy in sight is straight ahead of it (in
/// the arc of guns), and the point is in its zones and its reach.
pub fn at_the_unseen(looking: &Candidates<'_, '_>) -> Option<Unseen> {
    let field = looking.field;
    let (point, seen) = named_point(field, looking.unit, &looking.wishes.unseen_fire)?;
    if targets(looking).iter().any(|target| target.aim.zone == Zone::Primary) {
        return None;
    }
    let standing = super::Standing::of(field.unit(looking.unit), looking.order);
    let firer = looking.wishes.firer(field, looking.unit, standing, false, looking.occasion);
    let shooter = Shooter::new(field, looking.unit, &firer.stands).ok()?;
    shooter.fronts.iter().find(|front| front.zone(point).is_some())?;
    let range = |corners: &[Point]| geometry::point_to_polygon(point, corners);
    let nearest = shooter.armed.iter().min_by_key(|stand| range(&stand.rect.corners))?;
    let range = range(&nearest.rect.corners);
    let named = Named { point, range, band: shooter.reach.band(range)? };
    let shot = |target: UnitIx| Shot { seen, named: Some(named), ..Shot::new(firer.clone(), target, looking.occasion) };
    match victim(looking, &shooter, &firer, point) {
        Some(victim) => Some(Unseen::Victim(Box::new(shot(victim)))),
        None => {
            let blank = shot(looking.unit);
            let dice = dice_count(field.rules, &shooter, &firer, &blank, named.band, Past::default());
            let empty_on = faces_of_empty(field, &shooter, &firer);
            let nothing = Nothing { firer: looking.unit, named, seen, from: nearest.rect.center, dice, empty_on };
            Some(Unseen::Nobody(Box::new(nothing)))
        }
    }
}

/// VIS-12 The point, and the kind of fire: at a unit that was located and is out of sight now, or anywhere.
fn named_point(field: &Field<'_>, firer: UnitIx, wish: &Wish) -> Option<(Point, Seen)> {
    match wish {
        Wish::None {} | Wish::Picket { .. } | Wish::Pickets { .. } => None,
        Wish::Point { at } => Some((*at, Seen::Blind)),
        Wish::Area { unit } => {
            let target = field.table.find(unit).filter(|target| is_target(field, *target))?;
            let enemy = field.unit(target).side != field.unit(firer).side;
            let kind = match UnseenFire::at(field.unit(target).located) {
                UnseenFire::Area => Seen::Area,
                UnseenFire::Blind => Seen::Blind,
            };
            (enemy && !field.sees(firer, target)).then(|| (field.center(target), kind))
        }
    }
}

/// VIS-12 The nearest enemy out of sight within two inches of the point, in the firer's zones and with a clear line; level ones
/// by their dice.
fn victim(looking: &Candidates<'_, '_>, shooter: &Shooter<'_>, firer: &Firer, point: Point) -> Option<UnitIx> {
    let field = looking.field;
    let asked = Asked::of(firer, Round::Plain, looking.occasion);
    let enemies = field.enemies_of(field.unit(looking.unit).side).map(|(ix, _)| ix);
    let found: Vec<UnitIx> = enemies
        .filter(|ix| is_target(field, *ix) && !field.sees(looking.unit, *ix))
        .filter(|ix| aim(field, shooter, *ix, asked).is_ok())
        .collect();
    let stands: Vec<_> = found.iter().map(|ix| field.stands(*ix)).collect();
    let stands: Vec<&[geometry::Rect]> = stands.iter().map(Vec::as_slice).collect();
    let mut level: Vec<UnitIx> = Vec::new();
    for ix in nearest_victims(point, &stands).into_iter().map(|n| found[n]) {
        // TAC-30 Regiments of one column are one target.
        if !level.iter().any(|known| column::are_one(field.table, *known, ix)) {
            level.push(ix);
        }
    }
    let (Some((dice, phase)), true) = (looking.dice, 1 < level.len()) else { return level.first().copied() };
    let own = field.unit(looking.unit).id.as_str();
    let keys: Vec<Vec<&str>> = level.iter().map(|ix| vec![own, field.unit(*ix).id.as_str()]).collect();
    break_tie(dice, phase, Purpose::TieBlind, &keys).order.first().map(|place| level[*place])
}

/// VIS-12 Rolls a fire that finds nobody: it may empty the boxes, and gives the firer away.
pub fn at_nothing(play: &mut Play<'_>, nothing: &Nothing) {
    let Nothing { firer, named, seen, from, dice, empty_on } = nothing;
    let id = play.table()[*firer].id.clone();
    let count = u32::try_from(dice.total()).unwrap_or(0);
    let thrown = Throws::new(play).next(Purpose::FireVolley, &[id.as_str()], count);
    let empty = !thrown.faces.is_empty() && thrown.faces.iter().all(|face| empty_on.contains(face));
    let turn = play.table().turn;
    let unit = &mut play.table_mut()[*firer];
    unit.marks.fires += 1;
    unit.marks.seen_by_firing = true;
    unit.marks.shot_kept = false;
    unit.carried.fires += 1;
    unit.carried.aim = None;
    unit.located = true;
    let runs_out = empty && unit.ammunition_out_since.is_none();
    if runs_out {
        unit.ammunition_out_since = Some(turn);
    }
    let name = tell::capital(&tell::called(&unit.name));
    let how = if *seen == Seen::Area { "by area fire" } else { "blind" };
    let range = tell::inches(named.range.rounded());
    let text = format!("{name} fires {how} at {range}: no effect is seen.");
    let fact = Fact::Volley {
        firers: vec![id.clone()],
        target: None,
        from: *from,
        to: named.point,
        range: named.range.rounded().unsigned_abs(),
        band: named.band,
        flank: FlankClass::Front,
        figures: 0,
        result: "--".to_owned(),
        canister: 0,
    };
    play.tell(VIS_12, fact, sentence(text).with_sum(dice).with_dice(thrown));
    if runs_out {
        let fact = Fact::Ammunition { unit: id, out: true };
        play.tell(AMMO_01, fact, sentence(format!("{name} is out of ammunition.")));
    }
    scenario::after_fire(play, *firer);
}
