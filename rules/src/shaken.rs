//! Shaken units: how far and how they fall back. Chapter SHK
//!
//! Owns the distance, the direction and the order in which a unit falls back at the moment it goes shaken. Where it ends is
//! told by [`crate::morale::flight`]; what a shaken unit may be ordered (SHK-07, SHK-08) stands with the orders.

use protocol::orders::{BatteryWhenShaken, CavalryWhenShaken};
use protocol::place::Bearing;
use protocol::words::{Arm, Formation};

use crate::battle::{Unit, UnitIx};
use crate::column;
use crate::dice::{Purpose, throw};
use crate::field::Field;
use crate::ground::{Footing, Terrain};
use crate::morale::flight::{Mover, turned};
use crate::morale::reference::Reference;
use crate::play::Play;
use crate::rout;
use crate::ruleset::{Factor, GunKind};

/// What a unit that goes shaken without an officer does.
#[derive(Clone, Debug)]
pub enum FallBack {
    /// It falls back.
    Goes(Box<Mover>),
    /// It cannot move, and why. SHK-12
    CannotMove(&'static str),
}

/// SHK-02 to SHK-04, SHK-12, SHK-13, SHK-15, SHK-16 How a unit falls back.
pub fn fall_back(play: &Play, field: &Field, ix: UnitIx, reference: Reference) -> FallBack {
    let unit = field.unit(ix);
    if cannot_move(field, unit) {
        return FallBack::CannotMove("its guns cannot be moved");
    }
    let remounts = remounts(play, ix, unit);
    let dice = &field.rules.fallback.shaken_dice;
    let factor = &field.rules.fallback.distance_factor;
    let (count, factor) = match (unit.arm, unit.mounted || remounts, unit.is_limbered()) {
        (Arm::Artillery, _, true) => (dice.artillery_limbered, factor.artillery_limbered),
        (Arm::Artillery, _, false) => (dice.artillery_unlimbered, factor.artillery_unlimbered),
        (Arm::Cavalry, true, _) => (dice.cavalry_mounted, factor.cavalry_mounted),
        (Arm::Cavalry, false, _) => (dice.cavalry_dismounted, factor.cavalry_dismounted),
        (Arm::Infantry | Arm::Sharpshooter | Arm::GunCrew, ..) => (dice.infantry, factor.infantry),
    };
    let key = [unit.id.as_str()];
    let first = play.thrown(Purpose::ShakenDistance, &key) + 1;
    let throw = throw(play.dice, play.phase, Purpose::ShakenDistance, &key, first, u32::try_from(count).unwrap_or(1));
    let pips: i32 = throw.faces.iter().map(|face| i32::from(*face)).sum();
    let mut body = unit.clone();
    if remounts {
        rout::remount(field, &mut body);
    }
    // TAC-32 A column turns and goes as one.
    let facing = reference.away.reversed();
    let leads = unit.leads_column();
    let mut body = if leads { column::turned(field.table, unit, facing) } else { turned(&body, facing) };
    body.footing.prone = false;
    body.footing.disorder |= remounts || falls_into_disorder(field, ix);
    if unlimbers(play, ix, unit) {
        body = unlimbered(&body, reference.away.reversed());
    }
    FallBack::Goes(Box::new(Mover {
        unit: ix,
        from: column::stands_of(field.table, unit),
        tail: if leads { column::stands_behind(field.table, &body) } else { Vec::new() },
        body,
        bearing: reference.away,
        distance: pips_to_length(factor, pips),
        reference,
        dice: vec![throw],
        runs: false,
        foes: Vec::new(),
    }))
}

fn pips_to_length(factor: Factor, pips: i32) -> i32 {
    i32::try_from(factor.thousandths_of(pips)).unwrap_or(0)
}

/// SHK-12 Guns without horses, siege and fortress guns stay where they are.
fn cannot_move(field: &Field, unit: &Unit) -> bool {
    let heavy =
        field.rules.gun.get(&unit.weapon).is_some_and(|gun| matches!(gun.class, GunKind::Siege | GunKind::Fortress));
    unit.arm == Arm::Artillery && (heavy || unit.guns.as_ref().is_some_and(|guns| guns.horses == 0))
}

/// SHK-03, SHK-15, SHK-16 On foot in order, but for woods and rough ground; mounted always in disorder; guns in order.
fn falls_into_disorder(field: &Field, ix: UnitIx) -> bool {
    let unit = field.unit(ix);
    match unit.arm {
        Arm::Artillery | Arm::GunCrew => false,
        Arm::Cavalry if unit.mounted => true,
        Arm::Infantry | Arm::Cavalry | Arm::Sharpshooter => {
            matches!(field.footing(ix), Footing::Ground(Terrain::Woods | Terrain::Rough))
        }
    }
}

/// SHK-16 Dismounted cavalry may take to its horses, and then falls back as mounted cavalry does.
fn remounts(play: &Play, ix: UnitIx, unit: &Unit) -> bool {
    let choice = || play.choice(ix, CavalryWhenShaken::StayDismounted, |said| said.cavalry_when_shaken).0;
    unit.arm == Arm::Cavalry && !unit.mounted && choice() == CavalryWhenShaken::Remount
}

/// SHK-13 A limbered battery may unlimber where it ends; one that was unlimbered does so in any case (SHK-12).
fn unlimbers(play: &Play, ix: UnitIx, unit: &Unit) -> bool {
    let choice = || play.choice(ix, BatteryWhenShaken::StayLimbered, |said| said.battery_when_shaken).0;
    unit.arm == Arm::Artillery && unit.is_limbered() && choice() == BatteryWhenShaken::Unlimber
}

/// ORG-09 Unlimbering keeps the centre of the rectangle.
fn unlimbered(body: &Unit, facing: Bearing) -> Unit {
    let before = body.layout();
    let mut after = body.clone();
    after.footing.formation = Formation::Unlimbered;
    after.last_formed = Formation::Unlimbered;
    let shift = before.rects().zip(after.layout().rects()).map(|(old, new)| (old.center, new.center)).next();
    if let Some((old, new)) = shift {
        after.footing.anchor.x += old.x - new.x;
        after.footing.anchor.y += old.y - new.y;
    }
    after.footing.facing = facing;
    after
}
