//! Fire at a point where nobody is seen. VIS-09 to VIS-12
//!
//! Owns who may do it, the point, and who is found there. A victim suffers by the one reckoning of [`super::lay`]; with no victim
//! the dice count for ammunition alone. What a hidden unit suffers is [`super::veiled`]'s; the firer is told the same of it as of
//! nothing. HID-58

use protocol::event::{Fact, FlankClass};
use protocol::ids::PicketNumber;
use protocol::orders::UnseenFire as Wish;
use protocol::place::Point;

use super::aim::{Asked, aim};
use super::dice_count::{Past, dice_count};
use super::lay::faces_of_empty;
use super::lines::is_target;
use super::modifiers::claims_opening_volley;
use super::resolve::{Throws, volley_key};
use super::shooter::{Shooter, Zone};
use super::target::{Candidates, targets};
use super::veiled::{self, Veiled};
use super::{Firer, Named, Round, Seen, Shot, scenario, tell};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{AMMO_01, HID_58, VIS_12};
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

/// A fire that finds nobody who stands openly: all that its dice need.
#[derive(Clone, Debug)]
pub struct Nothing {
    pub(super) firer: Firer,
    pub(super) named: Named,
    pub(super) seen: Seen,
    /// The picket that was named. HID-56
    picket: Option<PicketNumber>,
    from: Point,
    dice: Reckoning,
    empty_on: Vec<u8>,
    /// It uses up the opening volley. FIRE-20
    opening: bool,
    /// The hidden unit that it strikes.
    veiled: Option<Box<Veiled>>,
}

/// VIS-12, HID-56 The fire of a unit that was told to fire at what it does not see, with the hidden unit that it strikes.
pub fn at_the_unseen(play: &Play<'_>, looking: &Candidates<'_, '_>) -> Option<Unseen> {
    Some(match at_a_point(looking)? {
        Unseen::Nobody(mut nothing) => {
            nothing.veiled = veiled::find(play, looking, &nothing).map(Box::new);
            Unseen::Nobody(nothing)
        }
        found @ Unseen::Victim(_) => found,
    })
}

/// VIS-12 The fire of a unit that was told to fire at what it does not see, as far as open units are concerned: when no enemy in
/// sight is straight ahead of it (in the arc of guns), and the point is in its zones and its reach.
pub(super) fn at_a_point(looking: &Candidates<'_, '_>) -> Option<Unseen> {
    let field = looking.field;
    if looking.wishes.unseen_fire == (Wish::None {}) {
        return None;
    }
    let standing = super::Standing::of(field.unit(looking.unit), looking.order);
    let firer = looking.wishes.firer(field, looking.unit, standing, false, looking.occasion);
    let shooter = Shooter::new(field, looking.unit, &firer.stands).ok()?;
    let Spot { point, seen, picket } = named_spot(field, &shooter, &looking.wishes.unseen_fire)?;
    if targets(looking).iter().any(|target| target.aim.zone == Zone::Primary) {
        return None;
    }
    let (range, from) = reached(&shooter, point)?;
    // LEAK-46 Where something may be hidden, no dice are shown: they would tell what it suffers if it is there.
    let enemy = field.unit(looking.unit).side.enemy();
    let quiet = field.table.pickets.values().any(|picket| picket.side == enemy);
    let named = Named { point, range, band: shooter.reach.band(range)?, quiet };
    let shot = |target: UnitIx, named: Named| Shot {
        seen,
        named: Some(named),
        ..Shot::new(firer.clone(), target, looking.occasion)
    };
    match victim(looking, &shooter, &firer, point) {
        Some(victim) => Some(Unseen::Victim(Box::new(shot(victim, Named { quiet: false, ..named })))),
        None => {
            let blank = shot(looking.unit, named);
            let dice = dice_count(field.rules, &shooter, &firer, &blank, named.band, Past::default());
            let empty_on = faces_of_empty(field, &shooter, &firer);
            let opening = claims_opening_volley(shooter.unit, &shooter);
            let nothing = Nothing { firer, named, seen, picket, from, dice, empty_on, opening, veiled: None };
            Some(Unseen::Nobody(Box::new(nothing)))
        }
    }
}

/// The range to a point that lies in the zones of a unit, with the middle of the stand from which it is measured.
fn reached(shooter: &Shooter<'_>, point: Point) -> Option<(geometry::Distance, Point)> {
    shooter.fronts.iter().find(|front| front.zone(point).is_some())?;
    let ranges = shooter.armed.iter();
    let ranges = ranges.map(|stand| (geometry::point_to_polygon(point, &stand.rect.corners), stand.rect.center));
    ranges.min_by(|one, other| one.0.cmp(&other.0))
}

/// VIS-12 What is fired at where nobody is seen.
struct Spot {
    point: Point,
    seen: Seen,
    picket: Option<PicketNumber>,
}

/// VIS-12 The point, and the kind of fire: at a unit that was located and is out of sight now, at a picket, or anywhere.
///
/// HID-57 At a picket it is blind fire, whatever is known of it.
fn named_spot(field: &Field<'_>, shooter: &Shooter<'_>, wish: &Wish) -> Option<Spot> {
    let firer = shooter.ix;
    let enemy = field.unit(firer).side.enemy();
    match wish {
        Wish::None {} => None,
        Wish::Picket { number } => {
            let picket = field.table.pickets.get(number).filter(|picket| picket.side == enemy)?;
            Some(Spot { point: picket.at, seen: Seen::Blind, picket: Some(*number) })
        }
        Wish::Pickets { distance } => {
            let pickets = field.table.pickets.values().filter(|picket| picket.side == enemy);
            let within = i32::try_from(*distance).unwrap_or(i32::MAX);
            let near = pickets.filter_map(|picket| {
                let (range, _) = reached(shooter, picket.at).filter(|(range, _)| range.within(within))?;
                shooter.reach.band(range).map(|_| (range, picket.number, picket.at))
            });
            let (_, number, point) = near.min_by(|one, other| one.0.cmp(&other.0).then(one.1.cmp(&other.1)))?;
            Some(Spot { point, seen: Seen::Blind, picket: Some(number) })
        }
        Wish::Point { at } => Some(Spot { point: *at, seen: Seen::Blind, picket: None }),
        Wish::Area { unit } => {
            // LOS-13 Whom nobody of the side sees is no aim: a memory is fired at by its point.
            let knows = |target: &UnitIx| field.knows_of(field.unit(firer).side, *target);
            let target = field.table.find(unit).filter(|target| is_target(field, *target) && knows(target))?;
            let seen = match UnseenFire::at(field.unit(target).located) {
                UnseenFire::Area => Seen::Area,
                UnseenFire::Blind => Seen::Blind,
            };
            let is_unseen = field.unit(target).side == enemy && !field.sees(firer, target);
            is_unseen.then(|| Spot { point: field.center(target), seen, picket: None })
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

/// VIS-12 Rolls a fire that finds nobody who stands openly: it may empty the boxes, and gives the firer away.
pub fn at_nothing(play: &mut Play<'_>, nothing: &Nothing) {
    let Nothing { firer, named, seen, picket, from: _, dice, empty_on, opening, veiled } = nothing;
    let firer = firer.unit;
    let id = play.table()[firer].id.clone();
    let count = u32::try_from(dice.total()).unwrap_or(0);
    let thrown = Throws::new(play).next(Purpose::FireVolley, &volley_key(id.as_str(), Some(named)), count);
    let empty = !thrown.faces.is_empty() && thrown.faces.iter().all(|face| empty_on.contains(face));
    let turn = play.table().turn;
    let unit = &mut play.table_mut()[firer];
    enter_in_ledger(unit, *opening);
    let runs_out = empty && unit.ammunition_out_since.is_none();
    if runs_out {
        unit.ammunition_out_since = Some(turn);
    }
    let (name, side) = (tell::capital(&tell::called(&unit.name)), unit.side);
    let range = tell::inches(named.range.rounded());
    let told = match picket {
        // HID-58 The same words whatever happened.
        Some(picket) => sentence(format!("{name} fires at picket {} at {range}: no effect observed.", picket.0)),
        None => {
            let how = if *seen == Seen::Area { "by area fire" } else { "blind" };
            sentence(format!("{name} fires {how} at {range}: no effect is seen."))
        }
    };
    let fact = fact_of(nothing, &id, picket.is_some());
    if named.quiet {
        play.tell(VIS_12, fact.clone(), told);
    } else {
        play.tell(VIS_12, fact.clone(), told.with_sum(dice).with_dice(thrown.clone()));
    }
    match veiled {
        Some(veiled) => veiled::strike(play, veiled),
        // HID-58 The dice are the other side's to know, who may have hidden nothing there.
        None if named.quiet => {
            let text = format!("{name} has fired at nobody.");
            play.tell_side(side.enemy(), HID_58, fact, sentence(text).with_sum(dice).with_dice(thrown));
        }
        None => {}
    }
    if runs_out {
        let fact = Fact::Ammunition { unit: id, out: true };
        play.tell(AMMO_01, fact, sentence(format!("{name} is out of ammunition.")));
    }
    scenario::after_fire(play, firer);
}

/// VIS-12 What a unit keeps of a fire at nobody of whom its side knows. LOS-13
pub(super) fn enter_in_ledger(unit: &mut Unit, opening: bool) {
    unit.marks.fires += 1;
    unit.marks.seen_by_firing = true;
    unit.marks.shot_kept = false;
    unit.carried.fires += 1;
    unit.carried.aim = None;
    unit.located = true;
    unit.opening_volley_used |= opening;
}

fn fact_of(nothing: &Nothing, firer: &protocol::ids::UnitId, at_picket: bool) -> Fact {
    let Nothing { named, from, .. } = nothing;
    let range = named.range.rounded().unsigned_abs();
    if at_picket {
        return Fact::FiredAtPicket { unit: firer.clone(), from: *from, to: named.point, range };
    }
    Fact::Volley {
        firers: vec![firer.clone()],
        target: None,
        from: *from,
        to: named.point,
        range,
        band: named.band,
        flank: FlankClass::Front,
        figures: 0,
        result: "--".to_owned(),
        canister: 0,
    }
}
