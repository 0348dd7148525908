//! Fire: from a unit that may fire to figures that fall.
//!
//! Owns the chapters FIRE, ENF, COVER, PEN, AMMO, ADDF, and of ARTY, SHARP, TAC and FORM what touches a fire. It never moves a
//! unit and takes no check: what a fire leaves to settle is returned as [`Happening`]s for [`crate::morale`].
//!
//! A [`Shot`] says who fires at whom, and why. [`lay`] reckons it on a frozen [`Field`], without a die: count, dice, modifiers,
//! flank class. [`shoot`] rolls a group of shots that fall together, all from one look, and applies them. [`odds`] is the
//! exact distribution of the same reckoning. Who fires when: [`crate::phases::first_fire`], [`hold`],
//! [`crate::phases::moving_fire`], and the charges by [`volley`], [`bystander`] and [`end_volley`].

mod aim;
mod aimed;
mod apply;
mod batteries;
mod big_guns;
mod bound;
mod cover;
mod dice_count;
pub mod enfilade;
mod hold;
mod lay;
mod lines;
mod modifiers;
mod odds;
mod off_table;
mod officers;
mod penetration;
mod resolve;
mod rights;
mod scenario;
mod screens;
mod shooter;
mod standing;
mod target;
mod tell;
mod unseen;
mod veiled;
mod volley;
mod wishes;
mod works;

#[cfg(test)]
mod tests;

use protocol::orders::RangeBand;
use protocol::place::Point;

use crate::battle::UnitIx;
use crate::catalogue::RuleId;
use crate::field::Field;
use crate::geometry::Distance;
use crate::play::Play;
use crate::settle::Happening;

pub(crate) use self::tell::inches;
pub use aim::zone_at;
pub(crate) use aim::{bears_on, class_at_contact};
pub(crate) use aimed::Aims;
pub use apply::{Look, shoot, shoot_from};
pub(crate) use batteries::are_of_one_battalion;
pub use batteries::combine;
pub(crate) use big_guns::silent_turns;
pub use hold::{Holders, hold_shots};
pub(crate) use hold::{is_met_now, is_waiting};
pub use lay::{Halving, Laid, lay};
pub(crate) use lines::is_target;
pub use odds::{Odds, Suffered, Total, odds};
pub use off_table::{FromAfar, rolled as rolled_from_afar, strike as strike_from_afar};
pub use officers::Officers;
pub(crate) use rights::newcomers;
pub use rights::{close_range, mark_close_enemies, may_fire, ranges};
pub use shooter::Zone;
pub(crate) use shooter::why_silent;
pub use standing::Standing;
pub(crate) use target::shot_at_unit;
pub use target::{Candidates, choose, other_faces, targets};
pub(crate) use tell::{called, capital, dice_words, listed, row_words};
pub use unseen::{Nothing, Unseen, at_nothing, at_the_unseen};
pub use volley::{bystander, end_volley, may_volley, volley};
pub(crate) use volley::{column_may_fire, foreseen_volley, has_volley};
pub use wishes::{Wishes, range_of};

/// One fire to be resolved. FIRE-01, FIRE-37
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shot {
    /// Who fires: one unit, or several batteries as one. ARTY-16
    pub firers: Vec<Firer>,
    /// At whom.
    pub target: UnitIx,
    /// What it is fired for.
    pub occasion: Occasion,
    /// What is fired; muskets have only [`Round::Plain`].
    pub round: Round,
    /// Whether the target is seen. VIS-09, VIS-10
    pub seen: Seen,
    /// The point that was named in its place. VIS-12
    pub named: Option<Named>,
    /// The target is in its own charge or countercharge. FIRE-30
    pub target_charging: bool,
    /// Supports of the charging target, who share its losses. CHG-42
    pub supports: Vec<UnitIx>,
    /// Further fires of the same unit in the same simultaneous group that come before this one. ADDF-13
    pub before_it: u32,
}

/// One unit of those that fire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firer {
    /// The unit.
    pub unit: UnitIx,
    /// What its order and its turn so far leave it. FIRE-06
    pub standing: Standing,
    /// Breechloaders and repeaters fire rapidly. TAC-01
    pub rapid: bool,
    /// Which of its stands.
    pub stands: Stands,
    /// Guns take the risk of firing over friends near the target. ARTY-32
    pub overhead_risk: bool,
}

/// Which stands of a unit fire. FIRE-03, FIRE-04
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Stands {
    /// All that can.
    #[default]
    All,
    /// Only those behind the target's rear line, if that makes the shot one into the rear.
    RearOnly,
    /// The skirmish screen in place of the body. TAC-26
    Screen,
    /// A square's second target: without these faces, by their place in the layout. TAC-39
    NotThese(Vec<usize>),
}

/// What a fire is fired for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Occasion {
    /// In phase 4. FF-01
    FirstFire,
    /// At a moment of the firer's own choice, in phase 7. HOLDF-01
    Hold,
    /// At a charging unit: defensive volley or bystander. CHG-30, CHG-50
    Charge,
    /// After a recoil: no zones, and never too far. IDD-14
    EndOfCharge,
    /// In phase 8, before the movers. ADDF-09
    Extra,
    /// In phase 8, after moving. MFIRE-01
    Moving,
}

/// What is fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Round {
    /// Muskets; guns: shot and shell.
    Plain,
    /// Canister. ARTY-23
    Canister,
    /// Double canister.
    DoubleCanister,
}

impl Round {
    /// Either kind of canister.
    pub const fn is_canister(self) -> bool {
        matches!(self, Round::Canister | Round::DoubleCanister)
    }

    /// AMMO-10 Charges that it costs each battery.
    pub const fn charges(self) -> u32 {
        match self {
            Round::Plain => 0,
            Round::Canister => 1,
            Round::DoubleCanister => 2,
        }
    }
}

/// Whether the target is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seen {
    /// In plain sight.
    Plainly,
    /// Area fire. VIS-09, VIS-16
    Area,
    /// Blind fire. VIS-10
    Blind,
}

/// A point that was named because nobody is seen there. VIS-12
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Where.
    pub point: Point,
    /// The range to it.
    pub range: Distance,
    /// Its band.
    pub band: RangeBand,
    /// Something may be hidden there: the dice are not shown, and thrown apart from those of other fires. HID-58
    pub quiet: bool,
}

/// Why there is no fire, with the rule that forbids it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoFire {
    /// The rule.
    pub rule: RuleId,
    /// What it says here: lower case, no full stop.
    pub text: String,
}

impl NoFire {
    pub(crate) fn new(rule: RuleId, text: impl Into<String>) -> NoFire {
        NoFire { rule, text: text.into() }
    }
}

impl Shot {
    /// A shot of one unit at an enemy in plain sight.
    pub fn new(firer: Firer, target: UnitIx, occasion: Occasion) -> Shot {
        Shot {
            firers: vec![firer],
            target,
            occasion,
            round: Round::Plain,
            seen: Seen::Plainly,
            named: None,
            target_charging: false,
            supports: Vec::new(),
            before_it: 0,
        }
    }

    /// The firer by which the fire is keyed: of a group its first by identifier. SCALE-05
    pub fn lead(&self) -> UnitIx {
        self.firers.iter().map(|firer| firer.unit).min().expect("a shot has a firer")
    }
}

/// What a group of simultaneous fires leaves to be settled.
pub type Settlement = Vec<Happening>;

/// A look at the table of a play as it stands now. The caller keeps the copy.
pub(crate) fn look<'a>(play: &Play<'a>, table: &'a crate::battle::Table) -> Field<'a> {
    Field::new(play.rules, table, play.dice)
}
