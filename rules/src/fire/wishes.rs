//! What a unit's owner has said about its fire, with the defaults. TURN-06

use protocol::orders::{
    Canister, ColumnFire, ExtraFire, FireOnCharges, FiringStands, FormTask, GroupFire, HoldFire, HoldTrigger,
    Instructions, MovingFire, Oblique, Order, Pivot, RangeBand, RangeChoice, RapidFire, SquareFire, TargetChoice,
    UnseenFire,
};

use super::{Firer, Occasion, Standing, Stands, screens};
use crate::battle::UnitIx;
use crate::field::Field;
use crate::play::Play;
use crate::ruleset::Loading;

/// What the owner wishes: one field a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wishes {
    /// Fire at all; none: nothing was said. FIRE-02
    pub fire: Option<bool>,
    /// FF-06
    pub first_fire: RangeChoice,
    /// FIRE-35
    pub hold_fire: HoldFire,
    /// CHG-50; none: nothing was said.
    pub fire_on_charges: Option<FireOnCharges>,
    /// ADDF-14; none: nothing was said.
    pub extra_fire: Option<ExtraFire>,
    /// MFIRE-08
    pub moving_fire: MovingFire,
    /// FIRE-26
    pub oblique: Oblique,
    /// FIRE-04
    pub stands: FiringStands,
    /// FORM-08
    pub column_fire: ColumnFire,
    /// FORM-17
    pub past_skirmishers: bool,
    /// TAC-26; none: nothing was said.
    pub screen_fire: Option<bool>,
    /// TAC-39
    pub square_fire: SquareFire,
    /// TAC-01
    pub rapid_fire: RapidFire,
    /// VIS-12
    pub unseen_fire: UnseenFire,
    /// ARTY-25
    pub target: TargetChoice,
    /// ARTY-21
    pub group: GroupFire,
    /// ARTY-23
    pub canister: Canister,
    /// ARTY-27
    pub pivot: Pivot,
    /// ARTY-32
    pub overhead_risk: bool,
}

impl Default for Wishes {
    fn default() -> Self {
        let clause = |trigger| vec![trigger];
        Wishes {
            fire: None,
            first_fire: RangeChoice::Always,
            hold_fire: HoldFire {
                any_of: vec![
                    clause(HoldTrigger::At { band: RangeBand::Close }),
                    clause(HoldTrigger::BeforeLeaving {}),
                    clause(HoldTrigger::AfterMove {}),
                ],
                only_if_charged: false,
                wait_for: None,
            },
            fire_on_charges: None,
            extra_fire: None,
            moving_fire: MovingFire::Always,
            oblique: Oblique::Nearest {},
            stands: FiringStands::All,
            column_fire: ColumnFire::Never,
            past_skirmishers: false,
            screen_fire: None,
            square_fire: SquareFire::Both,
            rapid_fire: RapidFire::Always,
            unseen_fire: UnseenFire::None {},
            target: TargetChoice::Nearest {},
            group: GroupFire::Battalion,
            canister: Canister::Single,
            pivot: Pivot::IfCharged {},
            overhead_risk: false,
        }
    }
}

impl Wishes {
    /// The newest answers, else the standing instructions, else the defaults.
    pub fn of(play: &Play<'_>, unit: UnitIx) -> Wishes {
        let said: Vec<&Instructions> = play.said(unit).map(|(_, instructions)| instructions).collect();
        Wishes::among(&said)
    }

    /// As [`Wishes::of`], of what was said, the newest first. TURN-06
    pub fn among(told: &[&Instructions]) -> Wishes {
        let default = Wishes::default();
        Wishes {
            fire: told.iter().find_map(|said| said.fire),
            first_fire: said(told, default.first_fire, |said| said.first_fire),
            hold_fire: said(told, default.hold_fire, |said| said.hold_fire.clone()),
            fire_on_charges: told.iter().find_map(|said| said.fire_on_charges),
            extra_fire: told.iter().find_map(|said| said.extra_fire),
            moving_fire: said(told, default.moving_fire, |said| said.moving_fire),
            oblique: said(told, default.oblique, |said| said.oblique.clone()),
            stands: said(told, default.stands, |said| said.stands),
            column_fire: said(told, default.column_fire, |said| said.column_fire),
            past_skirmishers: said(told, default.past_skirmishers, |said| said.past_skirmishers),
            screen_fire: told.iter().find_map(|said| said.screen_fire),
            square_fire: said(told, default.square_fire, |said| said.square_fire),
            rapid_fire: said(told, default.rapid_fire, |said| said.rapid_fire),
            unseen_fire: said(told, default.unseen_fire, |said| said.unseen_fire.clone()),
            target: said(told, default.target, |said| said.target.clone()),
            group: said(told, default.group, |said| said.group),
            canister: said(told, default.canister, |said| said.canister),
            pivot: said(told, default.pivot, |said| said.pivot.clone()),
            overhead_risk: said(told, default.overhead_risk, |said| said.overhead_risk),
        }
    }

    /// FIRE-02 Whether the owner lets the unit fire: unless he forbids it, and with a task that firing would break only at
    /// a unit that charges it.
    pub fn lets_fire(&self, order: &Order, charged: bool) -> bool {
        self.fire.unwrap_or(charged || !has_task(order))
    }

    /// The firer that these wishes make of a unit.
    pub fn firer(&self, field: &Field<'_>, unit: UnitIx, standing: Standing, close: bool, occasion: Occasion) -> Firer {
        Firer {
            unit,
            standing,
            rapid: self.is_rapid(field, unit, close, occasion),
            stands: match self.stands {
                _ if screens::fires(field, unit, self.screen_fire) => Stands::Screen,
                FiringStands::All => Stands::All,
                FiringStands::RearOnly => Stands::RearOnly,
            },
            overhead_risk: self.overhead_risk,
        }
    }

    /// TAC-01 Whether breechloaders and repeaters fire rapidly: chosen before the first fire of a turn, then kept.
    fn is_rapid(&self, field: &Field<'_>, ix: UnitIx, close: bool, occasion: Occasion) -> bool {
        let unit = field.unit(ix);
        let loading = field.rules.small_arm.get(&unit.weapon).map(|arm| arm.r#trait);
        if unit.mounted || !matches!(loading, Some(Loading::Breechloader | Loading::Repeater)) {
            return false;
        }
        if 0 < unit.marks.fires {
            return unit.marks.rapid_fire;
        }
        match self.rapid_fire {
            RapidFire::Always => true,
            RapidFire::Close => close,
            RapidFire::Charged => matches!(occasion, Occasion::Charge | Occasion::EndOfCharge),
            RapidFire::Never => false,
        }
    }

    /// FF-06, MFIRE-08 Whether a band is near enough.
    pub fn accepts(choice: RangeChoice, band: RangeBand) -> bool {
        match choice {
            RangeChoice::Always => true,
            RangeChoice::NotAtLong => band <= RangeBand::Normal,
            RangeChoice::OnlyClose => band == RangeBand::Close,
        }
    }
}

/// MFIRE-08 At which ranges a mover fires; none: at none.
pub fn range_of(wish: MovingFire) -> Option<RangeChoice> {
    match wish {
        MovingFire::Always => Some(RangeChoice::Always),
        MovingFire::NotAtLong => Some(RangeChoice::NotAtLong),
        MovingFire::OnlyClose => Some(RangeChoice::OnlyClose),
        MovingFire::Never => None,
    }
}

fn said<T>(told: &[&Instructions], default: T, key: impl Fn(&Instructions) -> Option<T>) -> T {
    told.iter().find_map(|said| key(said)).unwrap_or(default)
}

/// FIRE-02 A task that firing would break. OBS-06, AMMO-05, ARTY-40, ARTY-47, ARTY-48
pub(super) fn has_task(order: &Order) -> bool {
    match order {
        Order::Hold { task } => task.is_some(),
        Order::Form { task } => {
            matches!(task, FormTask::Work { .. } | FormTask::Resupply {} | FormTask::ManGuns { .. })
        }
        Order::FirstFire {}
        | Order::Disengage { .. }
        | Order::Charge { .. }
        | Order::Move(_)
        | Order::Special { .. } => false,
    }
}
