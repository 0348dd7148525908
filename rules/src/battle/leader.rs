//! Leaders and brigades.

use protocol::ids::{BrigadeId, LeaderId, SeatId, Side, UnitId};
use protocol::place::{Bearing, Point};
use protocol::view::Presence;
use protocol::words::Arm;
use serde::{Deserialize, Serialize};

use crate::geometry::Rect;

/// What a leader commands. ORG-11
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Post {
    /// A brigade or gun battalion.
    Brigade,
    /// A division.
    Division,
    /// A corps.
    Corps,
    /// An army; for the rules a corps.
    Army,
}

impl Post {
    /// The word as players read it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Post::Brigade => "brigade",
            Post::Division => "division",
            Post::Corps => "corps",
            Post::Army => "army",
        }
    }
}

/// A leader's post and the man who holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leader {
    /// The post.
    pub id: LeaderId,
    /// The man's name.
    pub name: String,
    /// His side.
    pub side: Side,
    /// The seat that moves him.
    pub seat: SeatId,
    /// What he commands.
    pub post: Post,
    /// The arm he may help; none: every arm. LEAD-10
    pub arm: Option<Arm>,
    /// 0 to 3; level 0 links commands and gives no benefit. LEAD-02
    pub level: u8,
    /// The post above.
    pub superior: Option<LeaderId>,
    /// The brigade he commands; brigade commanders only.
    pub brigade: Option<BrigadeId>,
    /// A brigade he has taken over. LEAD-18
    pub took_over: Option<BrigadeId>,
    /// Centre of his stand.
    pub at: Point,
    /// Bearing of his stand.
    pub facing: Bearing,
    /// Centre of his stand when the turn began. MOVE-18
    pub at_turn_start: Point,
    /// The unit he is with.
    pub attached: Option<UnitId>,
    /// Where he is.
    pub presence: Presence,
    /// Turn of arrival, while he is still to come.
    pub arrives: Option<u32>,
    /// Wounded, and back in this turn; `u32::MAX`: not in this battle. OFF-11
    pub wounded_until: Option<u32>,
    /// Dead or captured, in this turn. OFF-10
    pub lost_in: Option<u32>,
    /// Attempts to replace him that are still to be made. LEAD-16
    pub replacement_attempts: u32,
    /// Marks of this turn.
    pub marks: LeaderMarks,
}

/// What is marked on a leader during a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaderMarks {
    /// Units allotted his help in this phase. LEAD-07
    pub helped: Vec<UnitId>,
    /// Every unit he helped in this turn, for phase 9. OFF-06
    pub helped_in_turn: Vec<UnitId>,
    /// Units within his benefit radius when the turn began. MOVE-18, LEAD-11
    pub began_with: Vec<UnitId>,
    /// Units within six inches of him when the turn began, for coordinated charges. LEAD-11
    pub began_near: Vec<UnitId>,
    /// Least distance to an unrouted enemy this turn, thousandths of an inch. OFF-02
    pub closest_enemy: Option<i32>,
    /// Points of his movement spent this turn, of 5040000. MOVE-17
    pub spent: u32,
    /// Took part in a melee. LEAD-13
    pub in_melee: bool,
    /// Led a charge. LEAD-14
    pub led_charge: bool,
    /// The charge or countercharge of this turn that is his, by its point unit: no other has his help. IMP-11
    #[serde(default)]
    pub goes_in_with: Option<UnitId>,
}

impl Leader {
    /// Whether he stands on the table, unhurt.
    pub fn on_table(&self) -> bool {
        self.presence == Presence::Table && self.wounded_until.is_none() && self.lost_in.is_none()
    }

    /// His stand. ORG-11
    pub fn stand(&self) -> Rect {
        Rect::centered(self.at, self.facing, self.stand_size(), self.stand_size())
    }

    /// Side of his square stand, thousandths of an inch. ORG-11
    pub fn stand_size(&self) -> i32 {
        match self.post {
            Post::Brigade => 1000,
            Post::Division => 1500,
            Post::Corps | Post::Army => 2000,
        }
    }
}

/// A brigade or gun battalion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brigade {
    /// The scenario's word for it.
    pub id: BrigadeId,
    /// What players call it.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// A gun battalion.
    pub guns: bool,
    /// Its commander's post.
    pub commander: Option<LeaderId>,
    /// The post above it, where it has no commander of its own.
    pub superior: Option<LeaderId>,
    /// Its units, as the scenario lists them.
    pub units: Vec<UnitId>,
    /// Command points at the start. LVL-01
    pub points: u32,
    /// Command points lost. LVL-02
    pub points_lost: u32,
    /// Regiments lost up to the end of last turn: the +1 of MOR-32.
    pub regiments_lost_before: u32,
    /// Regiments lost this turn.
    pub regiments_lost_now: u32,
    /// Its commander was lost: +1 for good. MOR-48
    pub commander_lost: bool,
    /// 0, 40 or 60 percent of its points lost, as judged at the start of the turn. LVL-04, LVL-05
    pub level: u8,
    /// A victory term has counted its withdrawal.
    pub withdrawal_counted: bool,
}

/// What a command has lost, by the post of its commander; a command without an entry has lost nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandLosses {
    /// How often the man who held the post was killed; each counts in the command points. LVL-07
    pub commanders_killed: u32,
    /// 0, 40 or 60 percent of its points lost, as judged at the start of the turn. LVL-04, LVL-05, LVL-08
    pub level: u8,
}
