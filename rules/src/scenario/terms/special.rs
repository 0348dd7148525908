//! Special rules, one variant a kind. SCNS-01 to SCNS-16
//!
//! Owns the types; `read` owns the reading. What they do is asked of [`crate::specials`].

mod read;

use protocol::ids::{LeaderId, RuleRef, Side, UnitId};
use protocol::words::{Arm, Formation, Quality};
use serde::{Deserialize, Serialize};

use super::Who;
use super::condition::Condition;
use super::place::PlaceTerm;
use crate::ground::{Terrain, Wooded};
use crate::scenario::force::{LeaderArm, StartMorale};
pub(in crate::scenario) use read::special;

/// A formation as special terms narrow by it: one of the formations, or disorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FormationWord {
    /// A formation.
    In(Formation),
    /// In disorder, whatever the formation was.
    Disorder(DisorderWord),
}

/// The word `disorder` among formations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisorderWord {
    /// In disorder. FORM-26
    Disorder,
}

/// What a modifier changes. SCNS-02
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of SCNS-02, explained there")]
pub enum ModifierOn {
    MoralePoint,
    Impact,
    FirerDrm,
    TargetDrm,
    VolleyDie,
    Competence,
    Rally,
}

/// What a roll answers to. SCNS-04
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of SCNS-04, explained there")]
pub enum RollOn {
    Fires,
    Crosses,
    TurnStart,
    Check,
}

/// What a failed roll does. SCNS-04
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of SCNS-04, explained there")]
pub enum RollResult {
    OutOfAmmunition,
    Disorder,
    NotDone,
    Halt,
    WithdrawTurn,
    Cease,
}

/// What a roll must beat. SCNS-04
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RollFails {
    /// On these faces.
    Faces(Vec<u32>),
    /// Unless higher than the unit's BMP.
    Bmp,
}

/// A range band by name. SCNS-05
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of SCNS-05, explained there")]
pub enum Band {
    Canister,
    Close,
    Normal,
    Long,
}

/// A target class. SCNS-05
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of SCNS-05, explained there")]
pub enum TargetClass {
    None,
    Partial,
    Full,
}

/// What a failed task leads to. SCNS-06
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of SCNS-06, explained there")]
pub enum TaskFailure {
    Disorder,
    NotDone,
    Both,
}

/// For what ground counts as other ground. SCNS-07
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of SCNS-07, explained there")]
pub enum GroundUse {
    Movement,
    Sight,
    Cover,
    Morale,
}

/// What cover is likened to. SCNS-08
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "rows of the cover table and grades of works, explained there")]
pub enum CoverKind {
    WoodFence,
    StoneWall,
    Woods,
    WoodBuilding,
    StoneBuilding,
    Hasty,
    Medium,
    Heavy,
}

/// From where cover covers. SCNS-08
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CoverFacing {
    /// Shots that meet the front or its 45 degree lines.
    Front,
    /// All shots.
    All,
}

/// An order as terms name it. SCNS-10
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the orders of ORD-01")]
pub enum OrderWord {
    FirstFire,
    Hold,
    Disengage,
    Charge,
    Move,
    Form,
}

/// What makes hidden units show themselves besides the rules. SCNS-13
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HiddenUntil {
    /// No stand is in or within an inch of woods.
    LeavesWoods,
}

/// The kinds of special rules, with the fields of each. SCNS-02 to SCNS-16
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of the vocabulary, explained in SCNS-02 to SCNS-16 and docs/scenarios.md")]
pub enum SpecialKind {
    /// SCNS-02
    Modifier { on: ModifierOn, value: i32, while_true: Option<Condition>, until: Option<Condition> },
    /// SCNS-04
    Roll { on: RollOn, result: RollResult, after: Option<u32>, nth: Option<u32>, from_turn: u32, fails: RollFails },
    /// SCNS-05
    OffTableBattery {
        sections: u32,
        gun: String,
        quality: Quality,
        dice: u32,
        band: Band,
        class: TargetClass,
        from: String,
    },
    /// SCNS-06
    Task { action: String, result: TaskFailure },
    /// SCNS-07
    Terrain { treated_as: Option<Terrain>, wooded: Option<Wooded>, uses: Vec<GroundUse> },
    /// SCNS-08
    Cover { treated_as: CoverKind, facing: CoverFacing, while_true: Option<Condition> },
    /// SCNS-09; inches in thousandths
    MoveAllowance { inches: i32, after_own_fire: bool },
    /// SCNS-10
    Orders { only: Vec<OrderWord>, until: Condition },
    /// SCNS-10
    Release { turn: u32 },
    /// SCNS-11
    Ammunition { fires: Option<u32>, canister_only: bool, resupply: bool },
    /// SCNS-12
    Leader { any_brigade: bool, casualty_within_2: bool, arm: Option<LeaderArm> },
    /// SCNS-13
    HiddenStart { until: Option<HiddenUntil> },
    /// SCNS-14
    RestrictedPlace { lip_stands: u32, charged_full_flank: bool },
    /// SCNS-15
    Start {
        formation: Option<Formation>,
        screen_allowed: bool,
        limbered: Option<bool>,
        mounted: Option<bool>,
        morale: Option<StartMorale>,
        leave_turns: u32,
    },
    /// SCNS-16
    AttachedCommand { under: LeaderId },
    /// SCNS-16
    ExitRight { when: Condition },
    /// SCNS-16
    Weapon { weapon: String },
    /// SCNS-16: the unit tables already carry it
    AsData { field: String },
    /// SCNS-16: a reminder
    AsBook { rule: RuleRef },
    /// SCN-16; thousandths of an inch for each pip
    Sight { inches_per_pip: i32 },
}

/// One special rule: its kind, and the selection that narrows it. SCNS-01
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Special {
    /// Its word, cited in the log.
    pub id: String,
    /// What it does.
    pub kind: SpecialKind,
    /// Only this side.
    pub side: Option<Side>,
    /// Only these; empty: all of the side.
    pub who: Who,
    /// Only this arm.
    pub arm: Option<Arm>,
    /// Only in these formations; empty: all.
    pub formation: Vec<FormationWord>,
    /// Only here.
    pub place: Option<PlaceTerm>,
    /// Only in these turns.
    pub turns: Option<(u32, u32)>,
    /// On or off for the game, off unless it says so.
    pub optional: bool,
    /// Words for readers.
    pub note: String,
}

impl Special {
    /// The units it names by themselves, when a list of units is what counts.
    pub fn names_unit(&self, unit: &UnitId) -> bool {
        self.who.iter().any(|who| who == unit.as_str())
    }
}
