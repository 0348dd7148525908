//! How many dice a fire has. FIRE-06 to FIRE-09, ARTY-23, ADDF-06

use protocol::event::Morale;
use protocol::orders::RangeBand;
use protocol::words::Arm;

use super::shooter::Shooter;
use super::{Firer, Round, Seen, Shot};
use crate::catalogue::{
    ADDF_06, AMMO_02, ARTY_23, FIRE_07, FIRE_08, FIRE_09, FORM_17, SHARP_06, TAC_03, VIS_09, VIS_10,
};
use crate::explain::Reckoning;
use crate::house::SecondFireAtClose;
use crate::ruleset::{Loading, Ruleset};

/// What the choice of a target adds to a shot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Past {
    /// Aimed past enemy skirmishers. FORM-17
    pub skirmishers: bool,
}

/// FIRE-09 The dice of a fire: base, earlier fires and all modifiers together, limited once.
pub(super) fn dice_count(
    rules: &Ruleset,
    shooter: &Shooter<'_>,
    firer: &Firer,
    shot: &Shot,
    band: RangeBand,
    past: Past,
) -> Reckoning {
    let table = &rules.dice;
    let unit = shooter.unit;
    let mut dice = Reckoning::of("dice");
    let (rule, label, base) = firer.standing.base(rules);
    dice.add(rule, label, base);

    let earlier = i32::try_from(unit.marks.fires + shot.before_it).unwrap_or(i32::MAX);
    dice.add(ADDF_06, "earlier fires this turn", table.additional_fire.saturating_mul(earlier));
    match shot.round {
        Round::Plain => range_die(&mut dice, rules, shooter, band, earlier),
        Round::Canister | Round::DoubleCanister => canister_dice(&mut dice, rules, shooter, shot.round),
    }
    dice.add_if(unit.morale == Morale::Shaken, FIRE_08, "shaken", table.shaken);
    match shot.seen {
        Seen::Blind => dice.add(VIS_10, "blind fire", table.blind_fire),
        Seen::Area => dice.add(VIS_09, "area fire", table.area_fire),
        Seen::Plainly => dice.add_if(past.skirmishers, FORM_17, "aimed past skirmishers", table.area_fire),
    }
    dice.add_if(firer.standing.is_conditional(), FIRE_08, "Conditional Hold", table.conditional_hold);
    dice.add_if(unit.ammunition_out(), AMMO_02, "out of ammunition", table.out_of_ammo);
    if firer.rapid && loading(rules, shooter) == Some(Loading::Repeater) {
        dice.add(TAC_03, "repeaters", rules.weapon_trait.repeater.extra_dice);
    }
    dice.clamped(FIRE_09, table.min, table.max)
}

/// FIRE-07 A die for close range, one less for long; guns have none for close range, sharpshooters lose none.
fn range_die(dice: &mut Reckoning, rules: &Ruleset, shooter: &Shooter<'_>, band: RangeBand, earlier: i32) {
    // ADDF-11
    let none_at_close = 0 < earlier && rules.house.second_fire_at_close == SecondFireAtClose::None;
    match band {
        RangeBand::Close if none_at_close => {}
        RangeBand::Close if !shooter.is_guns() => dice.add(FIRE_07, "close range", rules.dice.close_range),
        RangeBand::Close | RangeBand::Normal => {}
        RangeBand::Long if shooter.unit.arm == Arm::Sharpshooter => {
            dice.add(SHARP_06, "long range", rules.sharpshooter.long_range_dice);
        }
        RangeBand::Long => dice.add(FIRE_07, "long range", rules.dice.long_range),
    }
}

/// ARTY-23, ARTY-52
fn canister_dice(dice: &mut Reckoning, rules: &Ruleset, shooter: &Shooter<'_>, round: Round) {
    let Some(gun) = rules.gun.get(&shooter.unit.weapon) else { return };
    let class = rules.gun_class.at(gun.class);
    match round {
        Round::DoubleCanister => {
            dice.add(ARTY_23, "double canister", class.double_canister_dice.unwrap_or(class.canister_dice));
        }
        _ => dice.add(ARTY_23, "canister", class.canister_dice),
    }
}

/// TAC-06 How a unit's weapon is loaded; mounted units and guns have no rapid fire.
pub(super) fn loading(rules: &Ruleset, shooter: &Shooter<'_>) -> Option<Loading> {
    if shooter.unit.mounted || shooter.is_guns() {
        return None;
    }
    rules.small_arm.get(&shooter.unit.weapon).map(|arm| arm.r#trait)
}
