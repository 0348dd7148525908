//! Siege and fortress guns: shots in a row at one target, and a shot every other turn. ARTY-53, ARTY-55
//!
//! Owns the count of the row, and who has to be silent. Class and numbers stand in `gun_class` of the tables.

use super::NoFire;
use crate::battle::{SameAim, Unit};
use crate::catalogue::ARTY_55;
use crate::geometry;
use crate::ruleset::{GunClass, Ruleset};

/// ARTY-53 A target that has moved farther than this since the last shot is aimed at anew, thousandths of an inch.
const SAME_PLACE: i32 = 1_000;

fn class<'r>(rules: &'r Ruleset, unit: &Unit) -> Option<&'r GunClass> {
    unit.guns.as_ref()?;
    rules.gun.get(&unit.weapon).map(|gun| rules.gun_class.at(gun.class))
}

/// ARTY-53 What the shots in a row at a target add to the next one.
pub(super) fn shots_in_a_row_drm(rules: &Ruleset, unit: &Unit, target: &Unit) -> i32 {
    let each = class(rules, unit).map_or(0, |class| class.consecutive_shot_drm);
    each.saturating_mul(i32::try_from(shots_before(unit, target)).unwrap_or(i32::MAX))
}

/// ARTY-53 The shots that a battery has made in a row at a target that stands where it stood.
fn shots_before(unit: &Unit, target: &Unit) -> u32 {
    let Some(aim) = &unit.carried.aim else { return 0 };
    let stayed = (aim.at, aim.facing) == (unit.footing.anchor, unit.footing.facing);
    let stays = geometry::between_points(aim.target_at, target.footing.anchor).within(SAME_PLACE);
    if aim.target == target.id && stayed && stays { aim.shots } else { 0 }
}

/// ARTY-53 Counts a shot at a target, as both stood when it was fired.
pub(super) fn count_shot(rules: &Ruleset, before: &Unit, target: &Unit) -> Option<SameAim> {
    class(rules, before).filter(|class| class.consecutive_shot_drm != 0)?;
    Some(SameAim {
        target: target.id.clone(),
        target_at: target.footing.anchor,
        at: before.footing.anchor,
        facing: before.footing.facing,
        shots: shots_before(before, target) + 1,
    })
}

/// ARTY-55 Whether guns that fire only every other turn have had their shot, in this turn or in a group of simultaneous fires.
pub(super) fn may_fire_again(rules: &Ruleset, unit: &Unit, before_it: u32) -> Result<(), NoFire> {
    let once = class(rules, unit).is_some_and(|class| 1 < class.fires_every_turns);
    if once && 0 < unit.marks.fires + before_it {
        return Err(NoFire::new(ARTY_55, format!("`{}` has fired its one shot of two turns", unit.name)));
    }
    Ok(())
}

/// ARTY-55 The turns for which a battery is silent after a turn with so many fires.
pub(crate) fn silent_turns(rules: &Ruleset, unit: &Unit) -> u32 {
    match (unit.marks.fires, class(rules, unit)) {
        (0, _) | (_, None) => unit.carried.silent_turns.saturating_sub(1),
        (_, Some(class)) => class.fires_every_turns.unsigned_abs().saturating_sub(1),
    }
}
