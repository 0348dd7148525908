//! Dice: each is named by its key, not by its place in a stream. SCALE-05, TURN-05, MOR-37
//!
//! Owns the purposes of the catalogue, the trait by which phases ask for a die, and its implementations. A die does not
//! depend on how many others were thrown, or in what order: the key alone decides.

mod keyed;
mod scripted;
mod ties;

pub use keyed::{Envelope, KeyedDice, SealedOrders, SealedPicket, TurnKey, TurnSeed};
pub use scripted::{ScriptFaults, ScriptedDice};
pub use ties::{TieBreak, break_tie};

use protocol::event::Dice as DiceShown;

/// What a die is thrown for: the purposes of the catalogue. Key parts are those of its table "Dice purposes".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// `fire.volley`
    FireVolley,
    /// `fire.confirm`
    FireConfirm,
    /// `fire.fraction`
    FireFraction,
    /// `support.fraction`
    SupportFraction,
    /// `pen.depth`
    PenDepth,
    /// `pen.fraction`
    PenFraction,
    /// `visibility.pair`
    VisibilityPair,
    /// `arty.horse`
    ArtyHorse,
    /// `arty.overhead`
    ArtyOverhead,
    /// `push`
    Push,
    /// `square.form`
    SquareForm,
    /// `square.approach`
    SquareApproach,
    /// `morale.first_casualty`
    MoraleFirstCasualty,
    /// `morale.hit`
    MoraleHit,
    /// `morale.stand_lost`
    MoraleStandLost,
    /// `morale.horse`
    MoraleHorse,
    /// `morale.press_on`
    MoralePressOn,
    /// `morale.saw_rout`
    MoraleSawRout,
    /// `morale.saw_loss`
    MoraleSawLoss,
    /// `morale.saw_officer`
    MoraleSawOfficer,
    /// `shaken.distance`
    ShakenDistance,
    /// `rout.distance`
    RoutDistance,
    /// `rally`
    Rally,
    /// `replace.horse`
    ReplaceHorse,
    /// `replace.ammunition`
    ReplaceAmmunition,
    /// `replace.leader`
    ReplaceLeader,
    /// `command.self`
    CommandSelf,
    /// `tactical.pass_through`
    TacticalPassThrough,
    /// `tactical.special`
    TacticalSpecial,
    /// `scenario.arrival`
    ScenarioArrival,
    /// `scenario.roll`
    ScenarioRoll,
    /// `ch.form`
    ChForm,
    /// `cf.form`
    CfForm,
    /// `disengage.bonus`
    DisengageBonus,
    /// `charge.bonus`
    ChargeBonus,
    /// `cc.bonus`
    CcBonus,
    /// `charge.volley_distance`
    ChargeVolleyDistance,
    /// `charge.halt`
    ChargeHalt,
    /// `charge.ground`
    ChargeGround,
    /// `charge.fence`
    ChargeFence,
    /// `cc.order`
    CcOrder,
    /// `impact`
    Impact,
    /// `impact.attacker_fallback`
    ImpactAttackerFallback,
    /// `impact.defender_result`
    ImpactDefenderResult,
    /// `impact.foot_morale`
    ImpactFootMorale,
    /// `melee`
    Melee,
    /// `obstacle.loss`
    ObstacleLoss,
    /// `work.start`
    WorkStart,
    /// `officer.hit`
    OfficerHit,
    /// `officer.outcome`
    OfficerOutcome,
    /// `setup.number`
    SetupNumber,
    /// `setup.place`
    SetupPlace,
    /// `tie.target`
    TieTarget,
    /// `tie.blind`
    TieBlind,
    /// `tie.group`
    TieGroup,
    /// `tie.mte`
    TieMte,
    /// `tie.charge_order`
    TieChargeOrder,
    /// `tie.countercharge`
    TieCountercharge,
    /// `tie.obstacle`
    TieObstacle,
    /// `tie.place`
    TiePlace,
    /// `tie.help`
    TieHelp,
    /// `tie.leader`
    TieLeader,
    /// `tie.melee`
    TieMelee,
}

impl Purpose {
    /// Every purpose.
    pub const ALL: [Purpose; 63] = [
        Purpose::FireVolley,
        Purpose::FireConfirm,
        Purpose::FireFraction,
        Purpose::SupportFraction,
        Purpose::PenDepth,
        Purpose::PenFraction,
        Purpose::VisibilityPair,
        Purpose::ArtyHorse,
        Purpose::ArtyOverhead,
        Purpose::Push,
        Purpose::SquareForm,
        Purpose::SquareApproach,
        Purpose::MoraleFirstCasualty,
        Purpose::MoraleHit,
        Purpose::MoraleStandLost,
        Purpose::MoraleHorse,
        Purpose::MoralePressOn,
        Purpose::MoraleSawRout,
        Purpose::MoraleSawLoss,
        Purpose::MoraleSawOfficer,
        Purpose::ShakenDistance,
        Purpose::RoutDistance,
        Purpose::Rally,
        Purpose::ReplaceHorse,
        Purpose::ReplaceAmmunition,
        Purpose::ReplaceLeader,
        Purpose::CommandSelf,
        Purpose::TacticalPassThrough,
        Purpose::TacticalSpecial,
        Purpose::ScenarioArrival,
        Purpose::ScenarioRoll,
        Purpose::ChForm,
        Purpose::CfForm,
        Purpose::DisengageBonus,
        Purpose::ChargeBonus,
        Purpose::CcBonus,
        Purpose::ChargeVolleyDistance,
        Purpose::ChargeHalt,
        Purpose::ChargeGround,
        Purpose::ChargeFence,
        Purpose::CcOrder,
        Purpose::Impact,
        Purpose::ImpactAttackerFallback,
        Purpose::ImpactDefenderResult,
        Purpose::ImpactFootMorale,
        Purpose::Melee,
        Purpose::ObstacleLoss,
        Purpose::WorkStart,
        Purpose::OfficerHit,
        Purpose::OfficerOutcome,
        Purpose::SetupNumber,
        Purpose::SetupPlace,
        Purpose::TieTarget,
        Purpose::TieBlind,
        Purpose::TieGroup,
        Purpose::TieMte,
        Purpose::TieChargeOrder,
        Purpose::TieCountercharge,
        Purpose::TieObstacle,
        Purpose::TiePlace,
        Purpose::TieHelp,
        Purpose::TieLeader,
        Purpose::TieMelee,
    ];

    /// The name in the catalogue, such as `fire.volley`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Purpose::FireVolley => "fire.volley",
            Purpose::FireConfirm => "fire.confirm",
            Purpose::FireFraction => "fire.fraction",
            Purpose::SupportFraction => "support.fraction",
            Purpose::PenDepth => "pen.depth",
            Purpose::PenFraction => "pen.fraction",
            Purpose::VisibilityPair => "visibility.pair",
            Purpose::ArtyHorse => "arty.horse",
            Purpose::ArtyOverhead => "arty.overhead",
            Purpose::Push => "push",
            Purpose::SquareForm => "square.form",
            Purpose::SquareApproach => "square.approach",
            Purpose::MoraleFirstCasualty => "morale.first_casualty",
            Purpose::MoraleHit => "morale.hit",
            Purpose::MoraleStandLost => "morale.stand_lost",
            Purpose::MoraleHorse => "morale.horse",
            Purpose::MoralePressOn => "morale.press_on",
            Purpose::MoraleSawRout => "morale.saw_rout",
            Purpose::MoraleSawLoss => "morale.saw_loss",
            Purpose::MoraleSawOfficer => "morale.saw_officer",
            Purpose::ShakenDistance => "shaken.distance",
            Purpose::RoutDistance => "rout.distance",
            Purpose::Rally => "rally",
            Purpose::ReplaceHorse => "replace.horse",
            Purpose::ReplaceAmmunition => "replace.ammunition",
            Purpose::ReplaceLeader => "replace.leader",
            Purpose::CommandSelf => "command.self",
            Purpose::TacticalPassThrough => "tactical.pass_through",
            Purpose::TacticalSpecial => "tactical.special",
            Purpose::ScenarioArrival => "scenario.arrival",
            Purpose::ScenarioRoll => "scenario.roll",
            Purpose::ChForm => "ch.form",
            Purpose::CfForm => "cf.form",
            Purpose::DisengageBonus => "disengage.bonus",
            Purpose::ChargeBonus => "charge.bonus",
            Purpose::CcBonus => "cc.bonus",
            Purpose::ChargeVolleyDistance => "charge.volley_distance",
            Purpose::ChargeHalt => "charge.halt",
            Purpose::ChargeGround => "charge.ground",
            Purpose::ChargeFence => "charge.fence",
            Purpose::CcOrder => "cc.order",
            Purpose::Impact => "impact",
            Purpose::ImpactAttackerFallback => "impact.attacker_fallback",
            Purpose::ImpactDefenderResult => "impact.defender_result",
            Purpose::ImpactFootMorale => "impact.foot_morale",
            Purpose::Melee => "melee",
            Purpose::ObstacleLoss => "obstacle.loss",
            Purpose::WorkStart => "work.start",
            Purpose::OfficerHit => "officer.hit",
            Purpose::OfficerOutcome => "officer.outcome",
            Purpose::SetupNumber => "setup.number",
            Purpose::SetupPlace => "setup.place",
            Purpose::TieTarget => "tie.target",
            Purpose::TieBlind => "tie.blind",
            Purpose::TieGroup => "tie.group",
            Purpose::TieMte => "tie.mte",
            Purpose::TieChargeOrder => "tie.charge_order",
            Purpose::TieCountercharge => "tie.countercharge",
            Purpose::TieObstacle => "tie.obstacle",
            Purpose::TiePlace => "tie.place",
            Purpose::TieHelp => "tie.help",
            Purpose::TieLeader => "tie.leader",
            Purpose::TieMelee => "tie.melee",
        }
    }
}

/// Who may see a throw, by its purpose. The column `shown` of the catalogue's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Everybody, whoever is concerned.
    Public,
    /// Everybody when the units of its key stand open on the table; otherwise only the side of the hidden one, under a
    /// label that only that side knows. HID-68
    PublicIfOpen,
    /// The side that throws until something enters, then everybody. SCN-12
    SecretUntilArrival,
    /// Nobody before the game is over. HID-02, HID-82
    SecretUntilTheEnd,
}

impl Purpose {
    /// The purpose of a name in the catalogue.
    pub fn from_word(word: &str) -> Option<Purpose> {
        Purpose::ALL.into_iter().find(|purpose| purpose.as_str() == word)
    }

    /// Who may see a throw of this purpose.
    pub const fn shown(self) -> Shown {
        match self {
            Purpose::FireVolley
            | Purpose::PenFraction
            | Purpose::VisibilityPair
            | Purpose::ReplaceLeader
            | Purpose::ReplaceHorse
            | Purpose::ReplaceAmmunition
            | Purpose::ScenarioRoll
            | Purpose::ChForm
            | Purpose::CfForm
            | Purpose::ObstacleLoss
            | Purpose::WorkStart
            | Purpose::TieTarget
            | Purpose::TieBlind
            | Purpose::TieGroup
            | Purpose::TieMte
            | Purpose::TieChargeOrder
            | Purpose::TieCountercharge
            | Purpose::TieObstacle
            | Purpose::TiePlace
            | Purpose::TieHelp
            | Purpose::TieLeader
            | Purpose::TieMelee => Shown::PublicIfOpen,
            Purpose::ScenarioArrival => Shown::SecretUntilArrival,
            Purpose::SetupNumber | Purpose::SetupPlace => Shown::SecretUntilTheEnd,
            Purpose::FireConfirm
            | Purpose::FireFraction
            | Purpose::SupportFraction
            | Purpose::PenDepth
            | Purpose::ArtyHorse
            | Purpose::ArtyOverhead
            | Purpose::Push
            | Purpose::SquareForm
            | Purpose::SquareApproach
            | Purpose::MoraleFirstCasualty
            | Purpose::MoraleHit
            | Purpose::MoraleStandLost
            | Purpose::MoraleHorse
            | Purpose::MoralePressOn
            | Purpose::MoraleSawRout
            | Purpose::MoraleSawLoss
            | Purpose::MoraleSawOfficer
            | Purpose::ShakenDistance
            | Purpose::RoutDistance
            | Purpose::Rally
            | Purpose::CommandSelf
            | Purpose::TacticalPassThrough
            | Purpose::TacticalSpecial
            | Purpose::DisengageBonus
            | Purpose::ChargeBonus
            | Purpose::CcBonus
            | Purpose::ChargeVolleyDistance
            | Purpose::ChargeHalt
            | Purpose::ChargeGround
            | Purpose::ChargeFence
            | Purpose::CcOrder
            | Purpose::Impact
            | Purpose::ImpactAttackerFallback
            | Purpose::ImpactDefenderResult
            | Purpose::ImpactFootMorale
            | Purpose::Melee
            | Purpose::OfficerHit
            | Purpose::OfficerOutcome => Shown::Public,
        }
    }
}

/// A source of dice for one turn.
pub trait Dice {
    /// The `n`-th die (from 1) of this purpose and key in this phase: 1 to 6. Asked twice, it gives the same face.
    fn die(&self, phase: u8, purpose: Purpose, key: &[&str], n: u32) -> u8;
}

/// Throws `count` dice of one purpose and key, numbered on from `first` (1 for the first throw of the kind in the phase).
pub fn throw(dice: &dyn Dice, phase: u8, purpose: Purpose, key: &[&str], first: u32, count: u32) -> DiceShown {
    let faces = (first..first + count).map(|n| dice.die(phase, purpose, key, n)).collect();
    let key = key.iter().map(|part| (*part).to_owned()).collect();
    DiceShown { purpose: purpose.as_str().to_owned(), key, faces, needed: None }
}

/// The sum of `count` dice of one purpose and key, numbered on from `first`, for those who show no faces.
pub fn roll_sum(dice: &dyn Dice, phase: u8, purpose: Purpose, key: &[&str], first: u32, count: u32) -> u32 {
    (first..first + count).map(|n| u32::from(dice.die(phase, purpose, key, n))).sum()
}

#[cfg(test)]
mod tests;
