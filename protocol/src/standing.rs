//! How a unit stands: its morale point, its command, who helps it, what its commands have lost. The answer to `standing`.
//!
//! Of an enemy only what can be seen of him is there; the rest is absent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::event::{Morale, Note, Sum};
use crate::ids::{LeaderId, RuleRef, UnitId};
use crate::message::Chance;
use crate::place::Point;

/// How a unit stands now, from what the asker's side knows: no die is thrown for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Standing {
    /// The unit.
    pub unit: UnitId,
    /// It is of the asker's side. Of an enemy the keys below `point` are absent or empty.
    pub own: bool,
    /// One sentence.
    pub sentence: String,
    /// Its morale.
    pub morale: Morale,
    /// What two dice must beat in a check that no fire causes: the base and every modifier, each with its rule. MOR-43
    /// Of an enemy, as far as it can be seen.
    pub point: Sum,
    /// How likely such a check is passed.
    pub passes: Option<Chance>,
    /// What a shaken or routed unit must beat to rally. RALLY-10
    pub rally: Option<Sum>,
    /// How likely it rallies.
    pub rallies: Option<Chance>,
    /// Who commands it.
    pub command: Option<CommandStanding>,
    /// The leaders in whose benefit radius it stands, the best first. LEAD-01
    pub leaders: Vec<LeaderHelp>,
    /// What the formations above it have lost, the brigade first. LVL-01
    pub levels: Vec<LevelStanding>,
    /// What else there is to know, each with its rule.
    pub notes: Vec<Note>,
}

/// Whether a unit is in command, and through whom. CMD-01 to CMD-10
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct CommandStanding {
    /// In command this turn, as it was judged when the turn began. CMD-06
    pub in_command: bool,
    /// In command, were it judged as everybody stands now.
    pub now: bool,
    /// The rule that decides it now.
    pub rule: RuleRef,
    /// Why, in a sentence.
    pub sentence: String,
    /// The commander to whom the links lead.
    pub leader: Option<LeaderId>,
    /// The links from the unit to him. Of a unit that is too far off, one link that does not reach: to the commander who is
    /// nearest to reaching it.
    pub links: Vec<CommandLink>,
}

/// A link of command. CMD-01, CMD-05
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct CommandLink {
    /// The unit at its outer end.
    pub unit: UnitId,
    /// The friend at its inner end; none: the commander.
    pub friend: Option<UnitId>,
    /// From where it is measured.
    pub from: Point,
    /// To where.
    pub to: Point,
    /// Its length, thousandths of an inch.
    pub distance: u32,
    /// How far it would be, were all of it open ground, thousandths of an inch: what broken ground, woods and rough ground
    /// weigh is in it. CMD-01
    pub weighed: u32,
    /// How far it may be over open ground, thousandths of an inch.
    pub radius: u32,
    /// It reaches.
    pub reaches: bool,
}

/// What a leader can do for a unit. LEAD-01 to LEAD-10
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct LeaderHelp {
    /// His post.
    pub leader: LeaderId,
    /// The man.
    pub name: String,
    /// The level at which he helps. LEAD-05
    pub level: u8,
    /// How far he is, thousandths of an inch.
    pub distance: u32,
    /// How far his benefit reaches, thousandths of an inch. LEAD-02
    pub radius: u32,
    /// How many units he helps in a phase, where he stands. LEAD-07, LEAD-08
    pub places: u32,
    /// All units that he could help in a check of morale now, in the order in which he would help them; level ones throw for
    /// it. LEAD-07
    pub order: Vec<UnitId>,
    /// He would help this unit, even if all of them had to check at once.
    pub helps: bool,
    /// What he adds to a morale point.
    pub morale: i32,
}

/// What a formation has lost of its command points. LVL-01 to LVL-08
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct LevelStanding {
    /// The post of its commander.
    pub leader: LeaderId,
    /// What it is called.
    pub name: String,
    /// Its level as it was judged when the turn began: 0, 40 or 60. LVL-08
    pub level: u8,
    /// Its points; own formations only.
    pub points: Option<LevelPoints>,
}

/// Command points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct LevelPoints {
    /// Of the whole order of battle. LVL-01
    pub total: u32,
    /// Lost so far. LVL-02
    pub lost: u32,
    /// Where it advances no more. LVL-03, LVL-04
    pub limit_40: u32,
    /// Where it must withdraw. LVL-03, LVL-05
    pub limit_60: u32,
}
