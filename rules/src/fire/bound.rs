//! What special rules forbid a firer: shot that a battery has not, fire out of a cut. SCNS-11, SCNS-14

use super::aim::Aim;
use super::shooter::Shooter;
use super::{NoFire, Round};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{SCNS_11, SCNS_14};
use crate::field::Field;
use crate::geometry;
use crate::specials;

/// SCNS-14 A target within this angle of the line of a cut lies along it, hundredths of a degree.
const ALONG: u32 = 2_250;

/// SCNS-11 A battery that came with canister alone has no shot.
pub(super) fn has_the_round(field: &Field<'_>, unit: &Unit, round: Round) -> Result<(), NoFire> {
    if round.is_canister() {
        return Ok(());
    }
    match specials::has_no_shot(field.table, unit) {
        None => Ok(()),
        Some(term) => {
            Err(NoFire::new(SCNS_11, format!("`{}` has no shot left, by the special rule `{term}`", unit.name)))
        }
    }
}

/// SCNS-14 Who stands in a cut fires along it with all stands, and over its lip with as many as the term says.
pub(super) fn fires_from_a_defile(
    field: &Field<'_>,
    shooter: &Shooter<'_>,
    target: UnitIx,
    aim: &mut Aim,
) -> Result<(), NoFire> {
    let Some(defile) = specials::defile_of(field, shooter.ix) else { return Ok(()) };
    let (from, to) = (field.center(shooter.ix), field.center(target));
    let aside = geometry::bearing_between(from, to).map_or(0, |bearing| bearing.angle_to(defile.along));
    if aside.min(18_000_u32.saturating_sub(aside)) <= ALONG {
        return Ok(());
    }
    if defile.lip_stands == 0 {
        let text =
            format!("`{}` cannot fire out of its place, by the special rule `{}`", shooter.unit.name, defile.term);
        return Err(NoFire::new(SCNS_14, text));
    }
    // The stands nearest to the target stand at the lip.
    aim.firing.sort_by_key(|stand| (geometry::between_points(stand.rect.center, to), stand.place));
    aim.firing.truncate(defile.lip_stands as usize);
    aim.firing.sort_by_key(|stand| stand.place);
    Ok(())
}
