//! What needs a player after the reveal: who is charged, who may countercharge, whose flank is open, whose shot will not come.
//! The answer to `needs`.
//!
//! All of it is the asker's own: his units, and what his side can see of the enemy.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::event::{ChoiceSource, FlankClass, Note, Sum};
use crate::ids::{RuleRef, UnitId};
use crate::message::{Chance, OddsFate};
use crate::orders::Instructions;
use crate::place::Bearing;

/// What needs a seat in the open window, the most urgent first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Needs {
    /// In the order in which they press.
    pub needs: Vec<Need>,
    /// How many other units of the seat stand on the table and need nothing.
    pub rest: u32,
}

/// One thing that a unit's owner may want to answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Need {
    /// The unit.
    pub unit: UnitId,
    /// What it is.
    pub what: NeedKind,
    /// One sentence.
    pub sentence: String,
    /// The rule.
    pub rule: RuleRef,
    /// What may be told to it, the answer in force among them. None: nothing can be changed any more.
    pub answers: Vec<NeedAnswer>,
}

/// What needs an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(export)]
pub enum NeedKind {
    /// An enemy charge would strike it. CHG-28
    Charged {
        /// The point of the charge.
        by: UnitId,
        /// The units that go in with it.
        supports: Vec<UnitId>,
        /// The unit at which it was declared, where that is another one. CHG-52
        declared_at: Option<UnitId>,
        /// From the unit to the charger.
        bearing: Bearing,
        /// How far the charger is, thousandths of an inch.
        distance: u32,
        /// From where it would strike, as all stand now. IDD-07
        aspect: FlankClass,
        /// How likely its distance leads so far. CHG-23
        reaches: Chance,
    },
    /// A charge on another unit comes so near that it may go and meet it. CC-02
    MayCountercharge {
        /// The point of that charge.
        charger: UnitId,
        /// The unit that it would strike.
        target: UnitId,
        /// From the unit to the charger.
        bearing: Bearing,
        /// How far the charger is, thousandths of an inch.
        distance: u32,
    },
    /// An enemy stands where he strikes its flank or rear. ENF-12
    FlankExposed {
        /// The nearest such enemy.
        to: UnitId,
        /// From the unit to him.
        bearing: Bearing,
        /// How far he is, thousandths of an inch.
        distance: u32,
        /// What he strikes.
        aspect: FlankClass,
    },
    /// It waits for a moment that cannot come, and will not fire at all. FIRE-35
    ShotMissed {
        /// At whom it could fire now.
        target: UnitId,
        /// From the unit to him.
        bearing: Bearing,
        /// How far he is, thousandths of an inch.
        distance: u32,
    },
}

/// Something that can be told to a unit in this window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct NeedAnswer {
    /// What it does, such as `form and face it`.
    pub label: String,
    /// The keys that say so.
    pub instructions: Instructions,
    /// It is what would be done if nothing more were said, by what was said before or by the rule's default. TURN-06
    pub in_force: bool,
    /// Of the answer in force: whether it was said after the reveal, or with the orders, or is the rule's default; absent where
    /// nothing can be said.
    pub source: Option<ChoiceSource>,
    /// The rule.
    pub rule: RuleRef,
    /// What may come of it; absent where that is not reckoned.
    pub odds: Option<ChargeOdds>,
    /// What else there is to know, each with its rule.
    pub notes: Vec<Note>,
}

/// What may come of a charge, exactly, from what the asker's side knows. The first five chances add up to one. IDD-03
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct ChargeOdds {
    /// The charge does not come so far. CHG-28
    pub falls_short: Chance,
    /// The unit's volley halts it. CHG-43
    pub halted: Chance,
    /// It strikes, and recoils or is thrown back. IDD-11, CC-19
    pub beaten_off: Chance,
    /// It comes to hand to hand fighting. IDD-04
    pub melee: Chance,
    /// The unit is thrown back. IDD-17
    pub thrown_back: Chance,
    /// How the unit would then stand, if it is thrown back; these add up to one. IDD-18
    pub fates: Vec<OddsFate>,
    /// What the attacker adds to its dice in the likeliest contact. IMP-01
    pub attacker: Option<Sum>,
    /// What the unit adds to its dice in the likeliest contact. IMP-01
    pub defender: Option<Sum>,
    /// Where the reckoning stops, each with its rule.
    pub notes: Vec<Note>,
}
