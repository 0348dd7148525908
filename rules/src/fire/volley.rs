//! Fires of phase 6, for the engine of charges to call. CHG-30 to CHG-42, CHG-50, IDD-14
//!
//! Owns whether such a fire may be fired and what it is fired with. It never knows where on a leg it falls: the caller has
//! put the charger there.

use protocol::orders::{ColumnFire, ExtraFire, Order};
use protocol::words::Formation;

use super::rights::may_fire;
use super::target::{Candidates, choose, shot_at_unit};
use super::wishes::Wishes;
use super::{NoFire, Occasion, Seen, Shot, Standing, look};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{ADDF_04, ADDF_14, CHG_40, CHG_50, CHG_55, FIRE_02, FORM_08, HOLDF_01};
use crate::column;
use crate::play::Play;

/// CHG-30, CHG-40 The defensive volley of a charged unit at the point of the charge, which stands at the volley point.
///
/// `supports` share the point's losses (CHG-42). A target that is not seen there is fired at by area fire (CHG-35).
///
/// # Errors
/// Why there is no volley. With FIRE-23, FIRE-24 or VIS-13 it is not used up (CHG-40).
pub fn volley(play: &Play<'_>, defender: UnitIx, point: UnitIx, supports: &[UnitIx]) -> Result<Shot, NoFire> {
    let wishes = may_volley(play, defender, point)?;
    aimed(play, defender, point, supports, Occasion::Charge, &wishes)
}

/// CHG-40 Whether a charged unit has a defensive volley at all, wherever the charger may stand when it is fired; if not, the
/// die of its distance is not rolled.
///
/// # Errors
/// Why it has none.
pub fn may_volley(play: &Play<'_>, defender: UnitIx, point: UnitIx) -> Result<Wishes, NoFire> {
    let wishes = Wishes::of(play, defender);
    owes_volley(&play.table()[defender], &play.table()[point], &play.order(defender), &wishes)?;
    Ok(wishes)
}

/// CHG-40 As [`may_volley`], by an order and wishes that are known.
fn owes_volley(unit: &Unit, point: &Unit, order: &Order, wishes: &Wishes) -> Result<(), NoFire> {
    may_fire(unit, order, Occasion::Charge)?;
    if unit.mounted || unit.marks.countercharged {
        return Err(NoFire::new(CHG_40, format!("`{}` fires no defensive volley", unit.name)));
    }
    if unit.marks.fired_at.contains(&point.id) {
        return Err(NoFire::new(ADDF_04, format!("`{}` has fired at the point of this charge already", unit.name)));
    }
    if 0 < unit.marks.fires && matches!(wishes.extra_fire, Some(ExtraFire::Never {})) {
        return Err(NoFire::new(ADDF_14, format!("`{}` declines its additional fires", unit.name)));
    }
    if !wishes.lets_fire(order, true) {
        return Err(NoFire::new(FIRE_02, format!("`{}` holds its fire", unit.name)));
    }
    column_may_fire(unit, wishes, true)
}

/// CHG-40 As [`may_volley`], before it is fired: on any look, by what its owner has said.
pub(crate) fn has_volley(looking: &Candidates<'_, '_>, point: UnitIx) -> Result<(), NoFire> {
    let field = looking.field;
    owes_volley(field.unit(looking.unit), field.unit(point), looking.order, looking.wishes)
}

/// CHG-30, CHG-40 As [`volley`], before it is fired: on any look, by what its owner has said.
pub(crate) fn foreseen_volley(
    looking: &Candidates<'_, '_>,
    point: UnitIx,
    supports: &[UnitIx],
) -> Result<Shot, NoFire> {
    has_volley(looking, point)?;
    aim(looking, point, supports)
}

/// CHG-50 The fire of a unit that is not itself charged at a member of a charge, where the charger stands now; `others` are
/// the supports of that member, if it is the point.
///
/// # Errors
/// Why there is none: also when another enemy holds its fire by FIRE-25.
pub fn bystander(play: &Play<'_>, unit: UnitIx, member: UnitIx, others: &[UnitIx]) -> Result<Shot, NoFire> {
    let (firing, order) = (&play.table()[unit], play.order(unit));
    let standing = Standing::of(firing, &order);
    if !(standing.holds() || firing.marks.shot_kept) || 0 < firing.marks.fires {
        return Err(NoFire::new(HOLDF_01, format!("`{}` has no fire for a charge on others", firing.name)));
    }
    may_fire(firing, &order, Occasion::Charge)?;
    let wishes = Wishes::of(play, unit);
    if !wishes.lets_fire(&order, false) {
        return Err(NoFire::new(FIRE_02, format!("`{}` holds its fire", firing.name)));
    }
    column_may_fire(firing, &wishes, false)?;
    let field = look(play, play.table());
    let looking = Candidates {
        field: &field,
        unit,
        order: &order,
        wishes: &wishes,
        occasion: Occasion::Charge,
        dice: Some((play.dice, play.phase)),
    };
    let mut shot = choose(&looking)?;
    // TAC-30 The regiments of a column are one target.
    if column::lead_of(play.table(), shot.target) != member {
        return Err(NoFire::new(CHG_50, format!("another enemy threatens `{}` more", firing.name)));
    }
    shot.target_charging = true;
    shot.supports = others.to_vec();
    Ok(shot)
}

/// IDD-14 One of the two volleys after a recoil.
///
/// # Errors
/// Why it is not fired.
pub fn end_volley(play: &Play<'_>, firer: UnitIx, target: UnitIx) -> Result<Shot, NoFire> {
    let (unit, order) = (&play.table()[firer], play.order(firer));
    may_fire(unit, &order, Occasion::EndOfCharge)?;
    let marks = &unit.marks;
    if 0 < marks.fires && (marks.charged || marks.countercharged || marks.fell_back) {
        return Err(NoFire::new(CHG_55, format!("`{}` has fired its one volley", unit.name)));
    }
    let wishes = Wishes::of(play, firer);
    if matches!(wishes.extra_fire, Some(ExtraFire::Never {})) || wishes.fire == Some(false) {
        return Err(NoFire::new(ADDF_14, format!("`{}` declines the volley", unit.name)));
    }
    column_may_fire(unit, &wishes, true)?;
    let mut shot = aimed(play, firer, target, &[], Occasion::EndOfCharge, &wishes)?;
    shot.target_charging = false;
    Ok(shot)
}

/// FORM-08 Whether an attack column fires at the price of its order.
pub(crate) fn column_may_fire(firing: &Unit, wishes: &Wishes, charged: bool) -> Result<(), NoFire> {
    let column = firing.footing.formation == Formation::AttackColumn && !firing.footing.disorder;
    let allowed = match wishes.column_fire {
        ColumnFire::Never => false,
        ColumnFire::IfCharged => charged,
        ColumnFire::Always => true,
    };
    if column && !allowed {
        return Err(NoFire::new(FORM_08, format!("`{}` keeps its order and does not fire", firing.name)));
    }
    Ok(())
}

fn aimed(
    play: &Play<'_>,
    unit: UnitIx,
    target: UnitIx,
    supports: &[UnitIx],
    occasion: Occasion,
    wishes: &Wishes,
) -> Result<Shot, NoFire> {
    let field = look(play, play.table());
    let order = play.order(unit);
    let looking =
        Candidates { field: &field, unit, order: &order, wishes, occasion, dice: Some((play.dice, play.phase)) };
    aim(&looking, target, supports)
}

fn aim(looking: &Candidates<'_, '_>, target: UnitIx, supports: &[UnitIx]) -> Result<Shot, NoFire> {
    let mut shot = shot_at_unit(looking, target)?;
    shot.target_charging = true;
    shot.supports = supports.to_vec();
    if looking.occasion == Occasion::Charge && !looking.field.sees(looking.unit, target) {
        shot.seen = Seen::Area;
    }
    Ok(shot)
}
