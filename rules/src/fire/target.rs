//! Whom a unit fires at. FIRE-24 to FIRE-26, ARTY-25, FORM-17
//!
//! Owns the choice among enemies. How one is aimed at is [`super::aim`]'s; who may fire at all, and when, is
//! [`super::rights`]'s and [`super::hold`]'s.

use protocol::orders::{Canister, Oblique, Order, RangeBand, SquareFire, TargetChoice};
use protocol::words::{Arm, Formation};

use super::aim::{Aim, Asked, aim};
use super::lay::{lay, screen_of};
use super::lines::is_target;
use super::modifiers::is_fleeing;
use super::officers::Officers;
use super::shooter::{Shooter, Zone};
use super::wishes::Wishes;
use super::{Firer, NoFire, Occasion, Round, Shot, Standing, Stands};
use crate::battle::UnitIx;
use crate::catalogue::{FIRE_24, FIRE_26};
use crate::column;
use crate::dice::{Dice, Purpose, break_tie};
use crate::field::Field;
use crate::geometry::Distance;

/// A unit looking for a target.
pub struct Candidates<'f, 'a> {
    /// The frozen look.
    pub field: &'f Field<'a>,
    /// The unit.
    pub unit: UnitIx,
    /// Its order.
    pub order: &'f Order,
    /// What its owner wishes.
    pub wishes: &'f Wishes,
    /// What it would fire for.
    pub occasion: Occasion,
    /// Dice for ties with the phase; none while orders are written: the first by identifier is then named.
    pub dice: Option<(&'f dyn Dice, u8)>,
}

/// An enemy that can be fired at.
#[derive(Clone, Debug)]
pub struct Target {
    /// The enemy.
    pub unit: UnitIx,
    /// How it is aimed at.
    pub aim: Aim,
}

impl Candidates<'_, '_> {
    fn firer(&self, close: bool) -> Firer {
        let standing = Standing::of(self.field.unit(self.unit), self.order);
        self.wishes.firer(self.field, self.unit, standing, close, self.occasion)
    }
}

/// FIRE-25, FIRE-26, ARTY-25 The shot that a unit fires of its own choice or duty; none if no enemy can be fired at.
///
/// # Errors
/// The rule by which there is no target.
pub fn choose(looking: &Candidates<'_, '_>) -> Result<Shot, NoFire> {
    let firer = looking.firer(false);
    let shooter = Shooter::new(looking.field, looking.unit, &firer.stands)?;
    let target = if shooter.is_guns() { gun_target(looking, &shooter)? } else { musket_target(looking, &shooter)? };
    Ok(shot_at(looking, &shooter, &target))
}

/// TAC-39 The second fire of a square at the same opportunity: with the faces that its first leaves, at another enemy, straight
/// ahead of one of them before at an angle. None for everybody else, and where it is not wished.
pub fn other_faces(looking: &Candidates<'_, '_>, first: &Shot) -> Option<Shot> {
    let in_square = looking.field.unit(looking.unit).footing.formation == Formation::Square;
    if !in_square || looking.wishes.square_fire == SquareFire::Nearest {
        return None;
    }
    let laid = lay(looking.field, first, &Officers::Present).ok()?;
    let used = laid.aims.first()?.firing.iter().map(|stand| stand.place).collect();
    let stands = Stands::NotThese(used);
    let shooter = Shooter::new(looking.field, looking.unit, &stands).ok().filter(|shooter| shooter.square)?;
    let found = eligible(looking, &shooter, |ix| !column::are_one(looking.field.table, ix, first.target));
    let ahead: Vec<Target> = found.iter().filter(|target| target.aim.zone == Zone::Primary).cloned().collect();
    let at_an_angle = looking.wishes.oblique != Oblique::None {};
    let pool = if ahead.is_empty() && at_an_angle { found } else { ahead };
    let pool = behind_skirmishers(looking, pool);
    let best = most_threatening(looking, &pool)?;
    let target = taken(pool, best).ok()?;
    let mut shot = shot_at(looking, &shooter, &target);
    shot.firers.iter_mut().for_each(|firer| firer.stands = stands.clone());
    Some(shot)
}

/// Every enemy that the unit could fire at now in plain sight, in the order of FIRE-25, whatever it must fire at.
pub fn targets(looking: &Candidates<'_, '_>) -> Vec<Target> {
    let firer = looking.firer(false);
    let Ok(shooter) = Shooter::new(looking.field, looking.unit, &firer.stands) else { return Vec::new() };
    let found = eligible(looking, &shooter, |_| true);
    let mut ordered: Vec<Target> = Vec::new();
    let mut left = found;
    while let Some(best) = most_threatening(looking, &left) {
        let place = left.iter().position(|target| target.unit == best).unwrap_or(0);
        ordered.push(left.remove(place));
    }
    ordered
}

/// The shot at an enemy that was named, whatever the unit must fire at; whether it is seen is not asked.
///
/// # Errors
/// Why it cannot be aimed at.
pub(crate) fn shot_at_unit(looking: &Candidates<'_, '_>, target: UnitIx) -> Result<Shot, NoFire> {
    let firer = looking.firer(false);
    let shooter = Shooter::new(looking.field, looking.unit, &firer.stands)?;
    let aim = aim(looking.field, &shooter, target, Asked::of(&firer, Round::Plain, looking.occasion))?;
    Ok(shot_at(looking, &shooter, &Target { unit: target, aim }))
}

fn shot_at(looking: &Candidates<'_, '_>, shooter: &Shooter<'_>, target: &Target) -> Shot {
    let close = target.aim.band == RangeBand::Close;
    let mut shot = Shot::new(looking.firer(close), target.unit, looking.occasion);
    shot.round = round(looking, shooter, target);
    shot
}

/// ARTY-22, ARTY-23 The round that guns fire within canister range.
fn round(looking: &Candidates<'_, '_>, shooter: &Shooter<'_>, target: &Target) -> Round {
    let Some(guns) = shooter.unit.guns.as_ref().filter(|_| target.aim.band == RangeBand::Close) else {
        return Round::Plain;
    };
    let rules = looking.field.rules;
    let gun = rules.gun.get(&shooter.unit.weapon);
    let double = gun.is_some_and(|gun| rules.gun_class.at(gun.class).double_canister_dice.is_some());
    let charged = matches!(looking.occasion, Occasion::Charge | Occasion::EndOfCharge);
    let wished = match looking.wishes.canister {
        Canister::Never => Round::Plain,
        Canister::Double if double => Round::DoubleCanister,
        Canister::DoubleIfCharged if double && charged => Round::DoubleCanister,
        Canister::Single | Canister::Double | Canister::DoubleIfCharged => Round::Canister,
    };
    // Shot when the charges do not suffice or friendly skirmishers are in the way. ARTY-30
    let fits = |round: &Round| {
        let firer = looking.firer(true);
        round.charges() <= guns.canister
            && aim(looking.field, shooter, target.unit, Asked::of(&firer, *round, looking.occasion)).is_ok()
    };
    let options = match wished {
        Round::DoubleCanister => vec![Round::DoubleCanister, Round::Canister],
        other => vec![other],
    };
    options.into_iter().filter(|round| round.is_canister()).find(fits).unwrap_or(Round::Plain)
}

/// FIRE-25 Forced straight ahead; FIRE-26 free at an angle when nobody is ahead.
fn musket_target(looking: &Candidates<'_, '_>, shooter: &Shooter<'_>) -> Result<Target, NoFire> {
    let ahead = |ix: UnitIx| has_stand_in(looking.field, shooter, ix, Zone::Primary);
    let mut forced = nearest_first(looking, shooter, ahead, |target| target.aim.zone == Zone::Primary);
    forced = behind_skirmishers(looking, forced);
    if let Some(best) = most_threatening(looking, &forced) {
        return taken(forced, best);
    }
    let mut free = match &looking.wishes.oblique {
        Oblique::None {} => {
            return Err(NoFire::new(FIRE_26, "nobody is straight ahead, and no fire at an angle was wished"));
        }
        Oblique::Nearest {} => nearest_first(looking, shooter, |_| true, |target| target.aim.zone == Zone::Secondary),
        Oblique::Units { units } => {
            let mut found = eligible(looking, shooter, |ix| units.contains(&looking.field.unit(ix).id));
            let rank = |target: &Target| units.iter().position(|id| *id == looking.field.unit(target.unit).id);
            found.sort_by_key(rank);
            found.truncate(1);
            found
        }
    };
    free = behind_skirmishers(looking, free);
    match most_threatening(looking, &free) {
        Some(best) => taken(free, best),
        None => Err(NoFire::new(FIRE_24, "no enemy can be fired at")),
    }
}

/// ARTY-25 Guns choose freely: by list, or the nearest of a kind, of all if there is none.
fn gun_target(looking: &Candidates<'_, '_>, shooter: &Shooter<'_>) -> Result<Target, NoFire> {
    let field = looking.field;
    let of_kind = |arm: Arm| nearest_first(looking, shooter, |ix| field.unit(ix).arm == arm, |_| true);
    let mut wished = match &looking.wishes.target {
        TargetChoice::Nearest {} => Vec::new(),
        TargetChoice::Artillery {} => of_kind(Arm::Artillery),
        TargetChoice::Infantry {} => of_kind(Arm::Infantry),
        TargetChoice::Cavalry {} => of_kind(Arm::Cavalry),
        TargetChoice::Units { units } => {
            let mut found = eligible(looking, shooter, |ix| units.contains(&field.unit(ix).id));
            found.sort_by_key(|target| units.iter().position(|id| *id == field.unit(target.unit).id));
            found.truncate(1);
            found
        }
    };
    if wished.is_empty() {
        wished = nearest_first(looking, shooter, |_| true, |_| true);
    }
    wished = behind_skirmishers(looking, wished);
    match most_threatening(looking, &wished) {
        Some(best) => taken(wished, best),
        None => Err(NoFire::new(FIRE_24, "no enemy can be fired at")),
    }
}

fn taken(targets: Vec<Target>, best: UnitIx) -> Result<Target, NoFire> {
    let found = targets.into_iter().find(|target| target.unit == best);
    found.ok_or_else(|| NoFire::new(FIRE_24, "no enemy can be fired at"))
}

/// Whether the centre of some stand lies in that zone of some front: a first sieve.
fn has_stand_in(field: &Field<'_>, shooter: &Shooter<'_>, ix: UnitIx, zone: Zone) -> bool {
    let mut centers = field.layout(ix).rects().map(|rect| rect.center);
    centers.any(|center| shooter.fronts.iter().any(|front| front.zone(center) == Some(zone)))
}

/// Whether the centre of some stand lies in any zone of some front.
fn has_stand_before(field: &Field<'_>, shooter: &Shooter<'_>, ix: UnitIx) -> bool {
    let mut centers = field.layout(ix).rects().map(|rect| rect.center);
    centers.any(|center| shooter.fronts.iter().any(|front| front.zone(center).is_some()))
}

/// Enemies within long range by their boxes, with a stand in some zone.
fn within_sieve<'s>(
    looking: &'s Candidates<'_, '_>,
    shooter: &'s Shooter<'_>,
    asked: impl Fn(UnitIx) -> bool + 's,
) -> impl Iterator<Item = UnitIx> + 's {
    let field = looking.field;
    let own = field.extent(shooter.ix);
    field
        .enemies_near(shooter.unit.side, own, shooter.reach.long)
        .filter(move |ix| is_target(field, *ix) && has_stand_before(field, shooter, *ix) && asked(*ix))
}

/// All enemies asked for that can be fired at in plain sight.
fn eligible(looking: &Candidates<'_, '_>, shooter: &Shooter<'_>, asked: impl Fn(UnitIx) -> bool) -> Vec<Target> {
    let firer = looking.firer(false);
    within_sieve(looking, shooter, asked).filter_map(|ix| visible_aim(looking, shooter, &firer, ix)).collect()
}

fn visible_aim(looking: &Candidates<'_, '_>, shooter: &Shooter<'_>, firer: &Firer, ix: UnitIx) -> Option<Target> {
    // Sight is asked first: one open line is enough for it, where an aim follows the lines of all stands.
    if !looking.field.sees(looking.unit, ix) {
        return None;
    }
    let aim = aim(looking.field, shooter, ix, Asked::of(firer, Round::Plain, looking.occasion)).ok()?;
    Some(Target { unit: ix, aim })
}

/// As [`eligible`], but stops when nobody farther off could come before those found: by the distance of the boxes about
/// them, which no range falls below.
fn nearest_first(
    looking: &Candidates<'_, '_>,
    shooter: &Shooter<'_>,
    asked: impl Fn(UnitIx) -> bool,
    counts: impl Fn(&Target) -> bool,
) -> Vec<Target> {
    let field = looking.field;
    let own = field.extent(shooter.ix);
    let mut sieved: Vec<(bool, Distance, UnitIx)> = within_sieve(looking, shooter, asked)
        .map(|ix| (is_fleeing(field.unit(ix)), own.least_distance(field.extent(ix)), ix))
        .collect();
    sieved.sort_by(|one, other| one.0.cmp(&other.0).then(one.1.cmp(&other.1)).then(one.2.cmp(&other.2)));
    let firer = looking.firer(false);
    let mut found: Vec<Target> = Vec::new();
    let mut best: Option<(bool, Distance)> = None;
    for (fleeing, bound, ix) in sieved {
        // With `past_skirmishers` a unit farther off may be wished for, so all are looked at.
        let beyond = best.is_some_and(|known| known < (fleeing, bound));
        if beyond && !looking.wishes.past_skirmishers {
            break;
        }
        let Some(target) = visible_aim(looking, shooter, &firer, ix).filter(&counts) else { continue };
        if best.is_none_or(|(known, range)| (fleeing, target.aim.range) < (known, range)) {
            best = Some((fleeing, target.aim.range));
        }
        found.push(target);
    }
    found
}

/// FORM-17 Without the wish to aim past them, units two inches and more behind skirmishers are no targets; with it, the
/// skirmishers before such a unit are none.
fn behind_skirmishers(looking: &Candidates<'_, '_>, mut targets: Vec<Target>) -> Vec<Target> {
    let field = looking.field;
    let screened: Vec<(UnitIx, UnitIx)> = targets
        .iter()
        .filter(|target| !field.unit(target.unit).is_skirmishing())
        .filter_map(|target| match screen_of(field, &target.aim, target.unit) {
            Some((screen, false)) => Some((target.unit, screen)),
            _ => None,
        })
        .collect();
    // A screen that cannot itself be fired at hides nobody.
    let is_among = |unit: UnitIx| targets.iter().any(|target| target.unit == unit);
    let screened: Vec<_> = screened.into_iter().filter(|(_, screen)| is_among(*screen)).collect();
    targets.retain(|target| {
        let dropped = if looking.wishes.past_skirmishers {
            screened.iter().any(|(_, screen)| *screen == target.unit)
        } else {
            screened.iter().any(|(behind, _)| *behind == target.unit)
        };
        !dropped
    });
    targets
}

/// FIRE-25 (2) to (5): not fleeing, nearest, least angle, highest die. Who charges the firer is fired at by
/// [`super::volley`], without a choice.
fn most_threatening(looking: &Candidates<'_, '_>, targets: &[Target]) -> Option<UnitIx> {
    let field = looking.field;
    let rank = |target: &Target| (is_fleeing(field.unit(target.unit)), target.aim.range, target.aim.angle());
    let best = targets.iter().map(rank).min()?;
    let mut level: Vec<&Target> = Vec::new();
    for target in targets.iter().filter(|target| rank(target) == best) {
        // TAC-30 Regiments of one column are one target: no die is thrown between them.
        if !level.iter().any(|known| column::are_one(field.table, known.unit, target.unit)) {
            level.push(target);
        }
    }
    let first = level.first()?;
    let (Some((dice, phase)), true) = (looking.dice, 1 < level.len()) else { return Some(first.unit) };
    let own = field.unit(looking.unit).id.as_str();
    let keys: Vec<Vec<&str>> = level.iter().map(|target| vec![own, field.unit(target.unit).id.as_str()]).collect();
    let order = break_tie(dice, phase, Purpose::TieTarget, &keys).order;
    order.first().map(|place| level[*place].unit)
}
