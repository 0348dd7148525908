//! Where a charge strikes: impact, dice down, what becomes of the beaten, and melee. IMP, IDD, MEL
//!
//! Owns ALG-CHARGE 11 and 12 and ALG-MELEE. How the two came to meet is told by the caller in a [`Clash`]; how the victor runs
//! on is his again. Sightings of those who have a charge of their own to look to are put off. CHG-05
//!
//! Start at [`resolve`]. The sum of a side stands in [`impact`], the throw in [`dice_down`], what becomes of who lost it in
//! [`recoil`] and [`beaten`], hand to hand fighting in [`melee`].

mod beaten;
mod blow;
mod dice_down;
mod impact;
mod melee;
mod odds;
mod recoil;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use protocol::event::{Fact, FlankClass, ImpactResult, Morale, OrderShown};
use protocol::place::{Bearing, Point};
use protocol::words::Arm;

use super::columns;
use super::run::is_fit;
use super::threat::distance;
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{ARTY_07, RuleId};
use crate::column;
use crate::explain::{named, sentence};
use crate::field::Field;
use crate::fire;
use crate::geometry::{self, Vector};
use crate::morale::flight::takes_surrender;
use crate::morale::{self, InCharge, Queued};
use crate::play::Play;
use crate::rout::{self, Loss};
use crate::settle::Happening;

pub use impact::impact_morale;
pub use odds::{Odds, odds};

/// Two fronts in contact, as they are at that instant. ALG-CHARGE 11
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The side whose charge it is.
    pub attacker: Front,
    /// The side that is struck, or that came to meet it.
    pub defender: Front,
    /// The direction in which the attacker runs, of length [`crate::geometry::UNIT`].
    pub ray: Vector,
    /// From where the defender is struck; a unit that charges too is struck from the front. IDD-07
    pub aspect: FlankClass,
}

/// One side of a clash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Front {
    /// The point of a charge, or the unit that is charged.
    pub unit: UnitIx,
    /// The supports that are fit, the nearest first. CHG-17, CHG-20 to CHG-22
    pub supports: Vec<UnitIx>,
    /// It charges or countercharges: no cover, no flank.
    pub charging: bool,
    /// It has elan. CHG-29
    pub elan: bool,
    /// It was forming when it was struck. CF-02, IDD-06
    pub forming: bool,
}

/// How a clash ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The attacker recoiled, and both sides have fired. IDD-11 to IDD-16
    Recoiled,
    /// The defender and its supports were thrown back, or it gave itself up on contact; the attacker may run on. IDD-17 to
    /// IDD-24, IDD-01
    Broken,
    /// Both charged and the attacker was thrown back; the defender may run on.
    Repelled,
    /// They fought a melee to its end; nobody runs on. MEL-20
    Fought,
}

/// All who have a charge to look to, and the sightings that they put off until it is over. CHG-05, MOR-39
#[derive(Clone, Debug, Default)]
pub struct Engaged {
    /// Points, supports, counterchargers and declared targets of all charges pending or running.
    pub units: BTreeSet<UnitIx>,
    /// What they will look back at.
    pub put_off: Vec<Queued>,
}

/// One of the two sides of a clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The side whose charge it is.
    Attacker,
    /// The side that is struck.
    Defender,
}

impl Role {
    /// The other one.
    pub const fn other(self) -> Role {
        match self {
            Role::Attacker => Role::Defender,
            Role::Defender => Role::Attacker,
        }
    }
}

impl Front {
    /// The front unit and its supports.
    pub fn units(&self) -> impl Iterator<Item = UnitIx> + '_ {
        std::iter::once(self.unit).chain(self.supports.iter().copied())
    }
}

impl Clash {
    /// That side.
    pub const fn front(&self, role: Role) -> &Front {
        match role {
            Role::Attacker => &self.attacker,
            Role::Defender => &self.defender,
        }
    }

    /// The bearing of the ray.
    pub fn bearing(&self) -> Bearing {
        let coordinate = |value: i64| i32::try_from(value).unwrap_or(0);
        let toward = Point::new(coordinate(self.ray.x), coordinate(self.ray.y));
        geometry::bearing_between(Point::default(), toward).unwrap_or_default()
    }

    /// IDD-07 From where that side is struck, as far as that counts.
    pub fn struck(&self, role: Role) -> FlankClass {
        match role {
            Role::Defender if !self.defender.charging => self.aspect,
            Role::Attacker | Role::Defender => FlankClass::Front,
        }
    }

    /// What this clash changes about checks; `engaged` are all who have a charge to look to. MOR-39, MOR-51, MOR-59
    pub fn in_charge(&self, engaged: &BTreeSet<UnitIx>) -> InCharge {
        let mut charge = InCharge { engaged: engaged.clone(), ..InCharge::default() };
        for role in [Role::Attacker, Role::Defender] {
            let (own, enemy) = (self.front(role), self.front(role.other()));
            charge.engaged.extend(own.units());
            charge.opponent.extend(own.units().map(|unit| (unit, enemy.unit)));
            if own.charging {
                charge.charging.extend(own.units());
            }
        }
        charge
    }
}

/// ALG-CHARGE 11 and 12 Plays a clash to its end, when no other charge is pending: what its members put off, they look back at
/// when it is over.
pub fn resolve(play: &mut Play<'_>, clash: &Clash) -> Ending {
    let mut engaged = Engaged::default();
    let ending = resolve_among(play, clash, &mut engaged);
    morale::look_back(play, &engaged.put_off, &InCharge::default());
    ending
}

/// ALG-CHARGE 11 and 12 Plays a clash to its end, among others who have a charge to look to. What is put off is left to the
/// caller. CHG-05
pub fn resolve_among(play: &mut Play<'_>, clash: &Clash, engaged: &mut Engaged) -> Ending {
    if give_up(play, clash, engaged) {
        return Ending::Broken;
    }
    if is_ridden_down(play, clash) {
        return melee::fight(play, clash, engaged);
    }
    match dice_down::throw_down(play, clash, engaged) {
        ImpactResult::AttackerRecoils => {
            recoil::recoil(play, clash, engaged);
            Ending::Recoiled
        }
        ImpactResult::DefenderThrownBack => {
            let clash = columns::apart(play, clash, &[Role::Defender]);
            beaten::throw_back(play, &clash, Role::Defender, engaged);
            Ending::Broken
        }
        ImpactResult::AttackerThrownBack => {
            let clash = columns::apart(play, clash, &[Role::Attacker]);
            beaten::throw_back(play, &clash, Role::Attacker, engaged);
            Ending::Repelled
        }
        ImpactResult::Melee => melee::fight(play, clash, engaged),
    }
}

/// IDD-25 A victor has run into a beaten unit, or the phase ends with two in contact: no dice down. A routed unit surrenders and
/// the advance goes on; any other fights hand to hand, taken from the front unless it shows its back. MEL-01, DIS-16
pub fn catch(play: &mut Play<'_>, clash: &Clash, engaged: &mut Engaged) -> Ending {
    if give_up(play, clash, engaged) {
        return Ending::Broken;
    }
    let shows_its_back = is_disengaging(&play.table()[clash.defender.unit]);
    let aspect = if shows_its_back { FlankClass::Rear } else { FlankClass::Front };
    melee::fight(play, &Clash { aspect, ..clash.clone() }, engaged)
}

/// IDD-01, ROUT-11, ARTY-07 Routed units and limbered guns surrender on contact.
fn give_up(play: &mut Play<'_>, clash: &Clash, engaged: &mut Engaged) -> bool {
    let ix = clash.defender.unit;
    let unit = &play.table()[ix];
    if !takes_surrender(&play.table()[clash.attacker.unit]) {
        return false;
    }
    let happening = match (unit.morale, unit.arm) {
        (Morale::Routed, _) => rout::surrender(play, ix, false),
        (_, Arm::Artillery) if unit.is_limbered() => {
            rout::lose(play, ix, ARTY_07, Loss::Surrendered, Vec::new());
            Happening::Removed(ix)
        }
        _ => return false,
    };
    settle(play, vec![happening], &clash.in_charge(&engaged.units), engaged);
    true
}

/// IDD-01, CAVC-13 Mounted cavalry that catches disengaging mounted cavalry opens a melee at once.
fn is_ridden_down(play: &Play<'_>, clash: &Clash) -> bool {
    let (attacker, defender) = (&play.table()[clash.attacker.unit], &play.table()[clash.defender.unit]);
    attacker.mounted && defender.mounted && is_disengaging(defender)
}

/// MOR-39 Settles what a step of the clash left, and keeps what was put off.
fn settle(play: &mut Play<'_>, happenings: Vec<Happening>, charge: &InCharge, engaged: &mut Engaged) {
    engaged.put_off.extend(morale::settle_in_charge(play, happenings, charge));
}

/// ORD-15, IDD-22, MEL-20 What a unit was still to do this turn is void; said of one that was to move.
fn void_order(play: &mut Play<'_>, ix: UnitIx, rule: RuleId) {
    let unit = &mut play.table_mut()[ix];
    let was_to_go = unit.marks.shown.as_ref().is_some_and(|shown| !shown.stays());
    let is_news = was_to_go && unit.is_unrouted() && !unit.marks.order_spent && !unit.marks.charged;
    unit.marks.forming = false;
    unit.marks.order_spent = true;
    if is_news {
        let (id, text) = (unit.id.clone(), format!("{} can no longer carry out its order.", named(&unit.name)));
        play.tell(rule, Fact::OrderVoid { unit: id }, sentence(text));
    }
}

/// IDD-07, IDD-08, DIS-16 From where a unit is struck by one that stands in contact with it. Of a unit that charges too nothing
/// of it counts.
pub fn aspect(field: &Field<'_>, attacker: UnitIx, defender: UnitIx) -> FlankClass {
    match is_disengaging(field.unit(defender)) {
        true => FlankClass::Rear,
        false => fire::class_at_contact(field, attacker, defender),
    }
}

/// DIS-16 A unit that shows its back, as its order has it, also when it was beaten as it ran; one that fell back shaken has turned.
fn is_disengaging(unit: &Unit) -> bool {
    let marks = &unit.marks;
    let turned = marks.fell_back && !marks.beaten;
    matches!(marks.shown, Some(OrderShown::Disengage {})) && !turned
}

/// CHG-17, CHG-21, CHG-22 Who supports a unit that is charged, the nearest first, level ones by their place. `targets` are the
/// declared targets of the charges that are still to come; those of one that runs are marked.
pub fn supports_of_defence(field: &Field<'_>, defender: UnitIx, targets: &BTreeSet<UnitIx>) -> Vec<UnitIx> {
    let reach = field.rules.charge.support_distance_defence.thousandths();
    // TAC-32 Of a column its lead is asked, whichever regiment of it stands there.
    let near = field.near(columns::extent_of(field, defender), reach.saturating_add(2 * geometry::EPS));
    let whole: BTreeSet<UnitIx> = near.map(|friend| column::lead_of(field.table, friend)).collect();
    let friends = whole.into_iter().map(|friend| (friend, field.unit(friend)));
    let side = field.unit(defender).side;
    let fit = friends.filter(|(_, unit)| unit.side == side).filter(|(friend, unit)| {
        // TAC-32 A brigade column is one friend, its lead.
        !column::are_one(field.table, defender, *friend)
            && !unit.follows_in_column()
            && is_fit_to_support(unit)
            && is_free_to_support(unit)
            && !targets.contains(friend)
            && distance(field, defender, *friend).within(reach)
    });
    let mut supports: Vec<UnitIx> = fit.map(|(friend, _)| friend).collect();
    supports.sort_by_cached_key(|friend| (distance(field, defender, *friend), field.center(*friend)));
    supports
}

/// CHG-17, CHG-21 In good morale, and neither skirmishing nor guns. Disorder does not matter.
pub fn is_fit_to_support(unit: &Unit) -> bool {
    matches!(unit.arm, Arm::Infantry | Arm::Cavalry) && is_fit(unit)
}

/// IMP-06, CHG-17 In attack horse supports horse, and foot supports foot; in defence either supports either.
pub fn keeps_up(point: &Unit, support: &Unit) -> bool {
    point.mounted == support.mounted
}

/// CHG-21, CHG-22, IDD-22, MEL-20 Neither charged nor beaten this turn, nor in a melee, nor disengaging, nor about to charge.
fn is_free_to_support(unit: &Unit) -> bool {
    let marks = &unit.marks;
    let is_to_charge = matches!(marks.shown, Some(OrderShown::Charge { .. })) && !marks.order_spent && !marks.charged;
    let disengages = matches!(marks.shown, Some(OrderShown::Disengage {}));
    let has_fought = marks.charged_by.is_some() || marks.beaten || marks.in_melee;
    !has_fought && !disengages && !is_to_charge
}
