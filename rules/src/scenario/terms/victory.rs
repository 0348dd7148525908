//! What is counted for victory, one variant a kind. SCNV-01 to SCNV-14
//!
//! Owns the types; `read` owns the reading. The counting is [`crate::victory`]'s.

mod read;

use protocol::ids::Side;
use protocol::words::Arm;
use serde::{Deserialize, Serialize};

use super::Who;
use super::place::PlaceTerm;
use crate::battle::Post;
pub(in crate::scenario) use read::{VictoryTable, victory_term};

/// Who may score a term. SCNV-01
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scorer {
    /// The Union.
    Union,
    /// The Confederates.
    Confederate,
    /// Whoever earns it.
    Either,
}

impl Scorer {
    /// Whether a side may score.
    pub fn includes(self, side: Side) -> bool {
        match self {
            Scorer::Union => side == Side::Union,
            Scorer::Confederate => side == Side::Confederate,
            Scorer::Either => true,
        }
    }
}

/// In which state a unit counts. SCNV-03
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountedState {
    /// A holder: good, formed, not disengaging.
    Holder,
    /// In good morale.
    Good,
    /// Every unrouted unit.
    Any,
}

/// When a term is counted. SCNV-13
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum When {
    /// After the last phase of the last turn.
    End,
    /// After phase 9 of one turn.
    Turn(u32),
    /// After phase 9 of each of these turns.
    Turns(u32, u32),
}

/// Units on a place. SCNV-04 to SCNV-06
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holding {
    /// The place.
    pub place: PlaceTerm,
    /// How many holders it takes.
    pub units: u32,
    /// Equal parts of a line.
    pub parts: Option<u32>,
    /// In how many parts.
    pub need_parts: Option<u32>,
    /// Points for each part by itself.
    pub each_part: bool,
    /// Only this arm.
    pub arm: Option<Arm>,
    /// In which state units count.
    pub state: CountedState,
}

/// How a lost leader counts. SCNV-10
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaderLoss {
    /// Killed.
    Killed,
    /// Killed, wounded and not back, or taken.
    Lost,
}

/// What counts as one unit lost. SCNV-08
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountBy {
    /// Each unit.
    Unit,
    /// A regiment in battalions once.
    Regiment,
}

/// What a victory term counts. SCNV-04 to SCNV-12
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VictoryKind {
    /// Own holders and no enemy holder. SCNV-04
    Hold(Holding),
    /// As hold, and no unrouted enemy at all. SCNV-05
    Sole(Holding),
    /// The last to have had it as sole. SCNV-06
    Last {
        /// The place and who holds.
        holding: Holding,
        /// Who owns it at first.
        initial: Option<Side>,
    },
    /// Points for each turn as sole. SCNV-07
    Control {
        /// The place and who holds.
        holding: Holding,
        /// First and last turn.
        turns: (u32, u32),
    },
    /// Points for each turn without such an enemy in the place. SCNV-07
    Deny {
        /// The place.
        place: PlaceTerm,
        /// First and last turn.
        turns: (u32, u32),
        /// Only this arm.
        arm: Option<Arm>,
        /// In which state an enemy spoils it.
        state: CountedState,
    },
    /// Points once, when an own unit has stood in the place. SCNV-07
    Reach {
        /// The place.
        place: PlaceTerm,
        /// Only this arm.
        arm: Option<Arm>,
        /// In which state.
        state: CountedState,
        /// Only in these turns.
        turns: Option<(u32, u32)>,
    },
    /// Per enemy unit lost. SCNV-08
    UnitLost {
        /// Only this arm.
        arm: Option<Arm>,
        /// By unit or by regiment.
        count: CountBy,
        /// Only these.
        who: Who,
    },
    /// Per enemy battery taken. SCNV-08
    BatteryTaken {
        /// Only these.
        who: Who,
    },
    /// Per section of enemy batteries taken. SCNV-08
    SectionTaken {
        /// Only these.
        who: Who,
    },
    /// Per enemy stand lost. SCNV-08
    StandLost {
        /// Only this arm.
        arm: Option<Arm>,
        /// Only these.
        who: Who,
    },
    /// Per enemy figure lost. SCNV-08
    FigureLost {
        /// Only this arm.
        arm: Option<Arm>,
        /// Only these.
        who: Who,
    },
    /// Per enemy formation that has reached a level of loss. SCNV-09
    Withdraw {
        /// Only formations of this post.
        post: Option<Post>,
        /// 40 or 60 percent.
        level: u8,
    },
    /// Per so many command points lost by the enemy. SCNV-09
    PointsLost {
        /// How many.
        per: u32,
    },
    /// Per enemy leader lost. SCNV-10
    LeaderLost {
        /// Only these.
        who: Who,
        /// Only of this post.
        post: Option<Post>,
        /// How.
        how: LeaderLoss,
    },
    /// Per own unit that has left by the stretch. SCNV-11
    Exit {
        /// The stretch.
        place: PlaceTerm,
        /// Only this arm.
        arm: Option<Arm>,
        /// In which state it left.
        state: CountedState,
        /// Only these.
        who: Who,
    },
    /// The game ends with a win of who has the place. SCNV-12
    InstantWin {
        /// The place.
        place: PlaceTerm,
        /// How many holders it takes.
        units: u32,
    },
}

/// One victory term. SCNV-01
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VictoryTerm {
    /// Its word.
    pub id: String,
    /// Who may score it.
    pub side: Scorer,
    /// What it is worth; nothing for an instant win.
    pub points: i32,
    /// What it counts.
    pub kind: VictoryKind,
    /// When it is counted.
    pub when: When,
    /// Words for readers, which bind nobody.
    pub note: String,
}

/// Who wins when nobody does. SCNV-14
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tie {
    /// The Union.
    Union,
    /// The Confederates.
    Confederate,
    /// Nobody.
    Draw,
}

/// How scores become a result. SCNV-14
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResultRule {
    /// The higher score wins.
    MorePoints {
        /// At equal scores.
        tie: Tie,
    },
    /// A side wins when it is so far ahead; in between it is a draw.
    Margins {
        /// Which side is tested first.
        first: Side,
        /// Points that the Union must be ahead.
        union_by: i32,
        /// Points that the Confederates must be ahead.
        confederate_by: i32,
    },
}
