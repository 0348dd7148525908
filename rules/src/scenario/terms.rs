//! What a scenario says in terms: places, conditions, arrivals, victory and special rules.
//!
//! Owns the closed vocabulary of SCNV and SCNS as types, one struct or variant a kind, with every field of the
//! vocabulary; and reading it. It never counts a score and never bends a rule: victory and the phases do, from
//! these types.

use protocol::ids::{FeatureId, LeaderId, RuleRef, Side, UnitId};
use protocol::place::{Bearing, Point};
use protocol::words::{Arm, Formation, Quality};
use serde::{Deserialize, Serialize};

use super::entry::{Entry, Names, parse_word, shorten, variants};
use super::fault::{nearest, quoted};
use super::force::{GUNS, LeaderArm, StartMorale, WEAPONS};
use crate::battle::Post;
use crate::ground::{Terrain, Wooded};

/// An edge of the table. SCN-02
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// Greatest y.
    North,
    /// Greatest x.
    East,
    /// y = 0.
    South,
    /// x = 0.
    West,
}

/// An edge or a part of it. SCN-04, SCN-14
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// The edge.
    pub edge: Edge,
    /// Where it begins, thousandths of an inch along the edge from the west or south.
    pub from: i32,
    /// Where it ends.
    pub to: i32,
}

/// A place that a term names. SCNV-02
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlaceTerm {
    /// A feature of the map: an area, a named place, a building, or a line with an inch on either side.
    Feature(FeatureId),
    /// A circle.
    Around {
        /// Its middle.
        at: Point,
        /// Its radius, thousandths of an inch.
        radius: i32,
    },
    /// A polygon.
    Area(Vec<Point>),
    /// All ground higher than so many feet.
    HeightOver(i32),
    /// The ground on one side of a line feature, prolonged straight to the edges.
    SideOf {
        /// The line feature.
        line: FeatureId,
        /// On which side.
        side: Edge,
    },
    /// A stretch of an edge.
    Edge(Stretch),
}

/// Units that a term concerns: ids of units, batteries and commanders; a commander means all under him. SCNS-01
pub type Who = Vec<String>;

/// A condition or trigger. SCNS-03
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// `turn n`
    Turn(u32),
    /// `after_turn n`
    AfterTurn(u32),
    /// `passed_check`: it has passed a morale check.
    PassedCheck,
    /// `fires n`: it has fired so often this game.
    Fires(u32),
    /// `held_turns n`: it has neither moved nor fought hand to hand for so many whole turns.
    HeldTurns(u32),
    /// `in_place <feature>`: it is there.
    InPlace(FeatureId),
    /// `mounted`
    Mounted,
    /// `dismounted`
    Dismounted,
    /// `hidden`
    Hidden,
    /// `charged`: it has been charged.
    Charged,
    /// `fired_on`: it has been fired on.
    FiredOn,
    /// `enemy_within inches`: an open enemy that it sees is so near, thousandths of an inch.
    EnemyWithin(i32),
    /// `side_in_place <side> <feature>`: an open unrouted unit of the side is there.
    SideInPlace(Side, FeatureId),
    /// `lost n`: so many open units of its side are lost.
    Lost(u32),
    /// `friend_passed`: open friendly infantry stands nearer to the enemy edge.
    FriendPassed,
    /// `umpire`: the umpire says so.
    Umpire,
}

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

/// Troops that come later. SCN-11, SCN-12
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrival {
    /// Its word.
    pub id: String,
    /// Its side.
    pub side: Side,
    /// The turn from which it may enter; turns after the trigger where there is one.
    pub turn: u32,
    /// Where it enters: a point or a stretch of an edge.
    pub place: PlaceTerm,
    /// Who comes, in the order of entry.
    pub who: Who,
    /// The least die that lets it enter.
    pub roll: Option<u32>,
    /// Whether the owner may keep it away for good.
    pub owner_may_refuse: bool,
    /// Takes part only when the game says so.
    pub optional: bool,
    /// Described but not listed: it cannot be switched on.
    pub unlisted: bool,
    /// The turn counts from the one after this came true.
    pub due_if: Option<Condition>,
    /// The formation in which all enter; absent: that of each unit.
    pub formation: Option<Formation>,
    /// Words for readers.
    pub note: String,
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

// ---------------------------------------------------------------------------------------------- reading

/// Reads one `[[arrival]]`.
pub(super) fn arrival(mut e: Entry<'_, '_>) -> Arrival {
    let unlisted = e.flag("unlisted", false);
    let choice: Option<OwnerChoice> = e.opt_word("choice");
    let arrival = Arrival {
        id: e.id("id"),
        side: e.word("side"),
        turn: turn(&mut e, "turn"),
        place: needed_place(&mut e),
        who: e.names("who", Names::Who),
        roll: e.opt_int("roll", 2..=6).map(i32::unsigned_abs),
        owner_may_refuse: choice.is_some(),
        optional: e.flag("optional", false),
        unlisted,
        due_if: condition(&mut e, "due_if"),
        formation: e.opt_word("formation"),
        note: e.text_or_empty("note"),
    };
    if arrival.who.is_empty() && !unlisted {
        e.fault(e.at, "nobody arrives", "name units in `who`, or set `unlisted = true`");
    }
    if !matches!(arrival.place, PlaceTerm::Around { .. } | PlaceTerm::Edge(_)) {
        e.fault(
            e.at,
            "an arrival enters at a point or an edge",
            "give `at = [x, y]` or `edge = [\"north\", from, to]`",
        );
    }
    e.finish();
    arrival
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum OwnerChoice {
    Owner,
}

/// The kinds of victory terms, as the file spells them.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum VictoryWord {
    Hold,
    Sole,
    Last,
    Control,
    Deny,
    Reach,
    UnitLost,
    BatteryTaken,
    SectionTaken,
    StandLost,
    FigureLost,
    Withdraw,
    PointsLost,
    LeaderLost,
    Exit,
    InstantWin,
    Result,
}

/// A victory table is a term, or the one that says who has won.
pub(super) enum VictoryTable {
    /// A term.
    Term(VictoryTerm),
    /// The result, and where it stands.
    Result(ResultRule, usize),
}

/// Reads one `[[victory_term]]`.
pub(super) fn victory_term(mut e: Entry<'_, '_>) -> VictoryTable {
    let id = e.id("id");
    let note = e.text_or_empty("note");
    let word: VictoryWord = e.word("kind");
    if let VictoryWord::Result = word {
        let at = e.at;
        let rule = result_rule(&mut e);
        e.finish();
        return VictoryTable::Result(rule, at);
    }
    let side: Scorer = e.word("side");
    let points = match word {
        VictoryWord::InstantWin => 0,
        _ => e.int("points", -1000..=1000),
    };
    let kind = victory_kind(&mut e, word);
    let counted_each_turn =
        matches!(word, VictoryWord::Control | VictoryWord::Deny | VictoryWord::Reach | VictoryWord::Last);
    let when = if counted_each_turn { When::End } else { when(&mut e, word) };
    e.finish();
    VictoryTable::Term(VictoryTerm { id, side, points, kind, when, note })
}

fn victory_kind(e: &mut Entry<'_, '_>, word: VictoryWord) -> VictoryKind {
    match word {
        VictoryWord::Hold => VictoryKind::Hold(holding(e, word)),
        VictoryWord::Sole => VictoryKind::Sole(holding(e, word)),
        VictoryWord::Last => VictoryKind::Last { holding: holding(e, word), initial: e.opt_word("initial") },
        VictoryWord::Control => VictoryKind::Control { holding: holding(e, word), turns: needed_turns(e) },
        VictoryWord::Deny => VictoryKind::Deny {
            place: needed_place(e),
            turns: needed_turns(e),
            arm: e.opt_word("arm"),
            state: e.word_or("state", CountedState::Holder),
        },
        VictoryWord::Reach => VictoryKind::Reach {
            place: needed_place(e),
            arm: e.opt_word("arm"),
            state: e.word_or("state", CountedState::Any),
            turns: e.opt_turns("turns"),
        },
        VictoryWord::UnitLost => VictoryKind::UnitLost {
            arm: e.opt_word("arm"),
            count: e.word_or("count", CountBy::Unit),
            who: e.names("who", Names::Who),
        },
        VictoryWord::BatteryTaken => VictoryKind::BatteryTaken { who: e.names("who", Names::Who) },
        VictoryWord::SectionTaken => VictoryKind::SectionTaken { who: e.names("who", Names::Who) },
        VictoryWord::StandLost => VictoryKind::StandLost { arm: e.opt_word("arm"), who: e.names("who", Names::Who) },
        VictoryWord::FigureLost => VictoryKind::FigureLost { arm: e.opt_word("arm"), who: e.names("who", Names::Who) },
        VictoryWord::Withdraw => {
            let level = e.opt_int("level", 40..=60).unwrap_or(60);
            if level != 40 && level != 60 {
                e.fault(e.place_of("level"), "no such level of loss", "use 40 or 60 (LVL-03)");
            }
            VictoryKind::Withdraw { post: e.opt_word("post"), level: level.unsigned_abs() as u8 }
        }
        VictoryWord::PointsLost => VictoryKind::PointsLost { per: e.int("per", 1..=1000).unsigned_abs() },
        VictoryWord::LeaderLost => VictoryKind::LeaderLost {
            who: e.names("who", Names::Commander),
            post: e.opt_word("post"),
            how: e.word_or("how", LeaderLoss::Lost),
        },
        VictoryWord::Exit => {
            let place = needed_place(e);
            if !matches!(place, PlaceTerm::Edge(_)) {
                e.fault(e.at, "an exit is a stretch of an edge", "give `edge = [\"south\", from, to]`");
            }
            VictoryKind::Exit {
                place,
                arm: e.opt_word("arm"),
                state: e.word_or("state", CountedState::Good),
                who: e.names("who", Names::Who),
            }
        }
        VictoryWord::InstantWin | VictoryWord::Result => {
            VictoryKind::InstantWin { place: needed_place(e), units: units(e) }
        }
    }
}

fn units(e: &mut Entry<'_, '_>) -> u32 {
    e.opt_int("units", 1..=100).map_or(1, i32::unsigned_abs)
}

fn holding(e: &mut Entry<'_, '_>, word: VictoryWord) -> Holding {
    let by_parts = matches!(word, VictoryWord::Hold | VictoryWord::Sole);
    let holding = Holding {
        place: needed_place(e),
        units: units(e),
        parts: if by_parts { e.opt_int("parts", 2..=20).map(i32::unsigned_abs) } else { None },
        need_parts: if by_parts { e.opt_int("need_parts", 1..=20).map(i32::unsigned_abs) } else { None },
        each_part: by_parts && e.flag("each_part", false),
        arm: e.opt_word("arm"),
        state: e.word_or("state", CountedState::Holder),
    };
    let most = holding.parts.unwrap_or(0);
    if most < holding.need_parts.unwrap_or(0) || (holding.each_part && most == 0) {
        e.fault(e.at, "more parts are asked for than there are", "give `parts`, and `need_parts` not above it");
    }
    holding
}

/// SCNV-13 When it is counted.
fn when(e: &mut Entry<'_, '_>, word: VictoryWord) -> When {
    let at = e.place_of("when");
    let turns = match word {
        VictoryWord::Hold | VictoryWord::Sole | VictoryWord::InstantWin => e.opt_turns("turns"),
        _ => None,
    };
    let said = match word {
        VictoryWord::Hold | VictoryWord::Sole | VictoryWord::InstantWin => e.opt_text("when"),
        _ => None,
    };
    match (said.as_deref(), turns) {
        (Some(_), Some(_)) => {
            e.fault(at, "both `when` and `turns`", "give one of them (SCNV-13)");
            When::End
        }
        (None, Some((first, last))) => When::Turns(first, last),
        (None | Some("end"), None) => When::End,
        (Some(text), None) => match text.strip_prefix("turn ").and_then(|n| n.trim().parse().ok()) {
            Some(turn) if (1..=200).contains(&turn) => When::Turn(turn),
            _ => {
                let what = format!("`when` is the text `{}`", shorten(text));
                e.fault(at, what, "use \"end\" or \"turn n\" (SCNV-13)");
                When::End
            }
        },
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ResultWord {
    MorePoints,
    Margins,
}

fn result_rule(e: &mut Entry<'_, '_>) -> ResultRule {
    match e.word("rule") {
        ResultWord::MorePoints => ResultRule::MorePoints { tie: e.word_or("tie", Tie::Draw) },
        ResultWord::Margins => ResultRule::Margins {
            first: e.word("first"),
            union_by: e.int("union_by", 0..=1000),
            confederate_by: e.int("confederate_by", 0..=1000),
        },
    }
}

/// The kinds of special terms, as the file spells them.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SpecialWord {
    Modifier,
    Roll,
    OffTableBattery,
    Task,
    Terrain,
    Cover,
    MoveAllowance,
    Orders,
    Release,
    Ammunition,
    Leader,
    HiddenStart,
    RestrictedPlace,
    Start,
    AttachedCommand,
    ExitRight,
    Weapon,
    AsData,
    AsBook,
    Sight,
}

/// Reads one `[[special]]`.
pub(super) fn special(mut e: Entry<'_, '_>) -> Special {
    let word: SpecialWord = e.word("kind");
    let id = e.id("id");
    let kind = special_kind(&mut e, word);
    let takes_formations = matches!(word, SpecialWord::Roll | SpecialWord::Terrain | SpecialWord::MoveAllowance);
    let takes_arm = takes_formations;
    let special = Special {
        id,
        kind,
        side: e.opt_word("side"),
        who: e.names("who", Names::Who),
        arm: if takes_arm { e.opt_word("arm") } else { None },
        formation: if takes_formations { formations(&mut e) } else { Vec::new() },
        place: optional_place(&mut e),
        turns: e.opt_turns("turns"),
        optional: e.flag("optional", false),
        note: e.text_or_empty("note"),
    };
    let needs_place = matches!(
        word,
        SpecialWord::OffTableBattery | SpecialWord::Terrain | SpecialWord::Cover | SpecialWord::RestrictedPlace
    );
    if needs_place && special.place.is_none() {
        e.fault(e.at, "a place is missing", PLACE_CURE);
    }
    let needs_who = matches!(
        word,
        SpecialWord::Modifier
            | SpecialWord::Task
            | SpecialWord::Orders
            | SpecialWord::Release
            | SpecialWord::Ammunition
            | SpecialWord::Leader
            | SpecialWord::HiddenStart
            | SpecialWord::Start
            | SpecialWord::AttachedCommand
            | SpecialWord::ExitRight
            | SpecialWord::Weapon
    );
    if needs_who && special.who.is_empty() {
        e.fault(e.at, "`who` is missing", "name units, batteries or commanders: `who = [\"...\"]`");
    }
    if matches!(word, SpecialWord::OffTableBattery) && special.side.is_none() {
        e.fault(e.at, "`side` is missing", "say whose guns they are");
    }
    e.finish();
    special
}

fn special_kind(e: &mut Entry<'_, '_>, word: SpecialWord) -> SpecialKind {
    match word {
        SpecialWord::Modifier => SpecialKind::Modifier {
            on: e.word("on"),
            value: e.int("value", -10..=10),
            while_true: condition(e, "while"),
            until: condition(e, "until"),
        },
        SpecialWord::Roll => {
            let after = e.opt_int("after", 0..=100).map(i32::unsigned_abs);
            let nth = e.opt_int("nth", 1..=100).map(i32::unsigned_abs);
            if after.is_some() && nth.is_some() {
                e.fault(e.at, "both `after` and `nth`", "give one of them (SCNS-04)");
            }
            SpecialKind::Roll {
                on: e.word("on"),
                result: e.word("result"),
                after,
                nth,
                from_turn: e.opt_int("from_turn", 1..=200).map_or(1, i32::unsigned_abs),
                fails: roll_fails(e),
            }
        }
        SpecialWord::OffTableBattery => SpecialKind::OffTableBattery {
            sections: e.int("sections", 1..=6).unsigned_abs(),
            gun: listed(e, "gun", &GUNS),
            quality: e.word_or("quality", Quality::Veteran),
            dice: e.int("dice", 1..=20).unsigned_abs(),
            band: e.word("band"),
            class: e.word("class"),
            from: e.text_or_empty("from"),
        },
        SpecialWord::Task => SpecialKind::Task { action: e.id("action"), result: e.word("result") },
        SpecialWord::Terrain => {
            let (treated_as, wooded) = (e.opt_word("as"), e.opt_word("wooded"));
            if treated_as.is_none() && wooded.is_none() {
                e.fault(e.at, "neither `as` nor `wooded`", "say what the ground is treated as (SCNS-07)");
            }
            let uses: Vec<GroundUse> = e.words("use");
            if uses.is_empty() {
                let cure = format!("list some of {}", quoted(variants::<GroundUse>().iter().copied()));
                e.fault(e.place_of("use"), "`use` says nothing", cure);
            }
            SpecialKind::Terrain { treated_as, wooded, uses }
        }
        SpecialWord::Cover => SpecialKind::Cover {
            treated_as: e.word("as"),
            facing: e.word_or("facing", CoverFacing::Front),
            while_true: condition(e, "while"),
        },
        SpecialWord::MoveAllowance => SpecialKind::MoveAllowance {
            inches: e.decimal("inches", 0..=60_000),
            after_own_fire: e.opt_word::<AfterWord>("after").is_some(),
        },
        SpecialWord::Orders => {
            let only: Vec<OrderWord> = e.words("only");
            let default = vec![OrderWord::Hold, OrderWord::FirstFire, OrderWord::Disengage];
            let until = condition(e, "until");
            if until.is_none() && !e.has("until") {
                e.fault(e.at, "`until` is missing", "say when they are free, such as \"turn 3\" (SCNS-10)");
            }
            let only = if only.is_empty() { default } else { only };
            SpecialKind::Orders { only, until: until.unwrap_or(Condition::Umpire) }
        }
        SpecialWord::Release => SpecialKind::Release { turn: turn(e, "turn") },
        SpecialWord::Ammunition => {
            let fires = e.opt_int("fires", 0..=100).map(i32::unsigned_abs);
            let canister_only = e.flag("canister_only", false);
            if fires.is_none() && !canister_only {
                e.fault(e.at, "it limits nothing", "give `fires = n` or `canister_only = true` (SCNS-11)");
            }
            SpecialKind::Ammunition { fires, canister_only, resupply: e.flag("resupply", false) }
        }
        SpecialWord::Leader => SpecialKind::Leader {
            any_brigade: e.flag("any_brigade", false),
            casualty_within_2: e.opt_word::<CasualtyWord>("casualty_as").is_some(),
            arm: e.opt_word("arm"),
        },
        SpecialWord::HiddenStart => SpecialKind::HiddenStart { until: e.opt_word("until") },
        SpecialWord::RestrictedPlace => SpecialKind::RestrictedPlace {
            lip_stands: e.opt_int("lip_stands", 0..=4).map_or(0, i32::unsigned_abs),
            charged_full_flank: e.opt_word::<ChargedWord>("charged").is_some(),
        },
        SpecialWord::Start => SpecialKind::Start {
            formation: e.opt_word("formation"),
            screen_allowed: e.opt_word::<ScreenWord>("screen").is_some(),
            limbered: opt_flag(e, "limbered"),
            mounted: opt_flag(e, "mounted"),
            morale: e.opt_word("morale"),
            leave_turns: e.opt_int("leave_turns", 0..=20).map_or(0, i32::unsigned_abs),
        },
        SpecialWord::AttachedCommand => {
            SpecialKind::AttachedCommand { under: LeaderId::new(e.name("under", Names::Commander)) }
        }
        SpecialWord::ExitRight => {
            let when = condition(e, "when");
            if when.is_none() && !e.has("when") {
                e.fault(e.at, "`when` is missing", "say from when they may leave (SCNS-03)");
            }
            SpecialKind::ExitRight { when: when.unwrap_or(Condition::Umpire) }
        }
        SpecialWord::Weapon => SpecialKind::Weapon { weapon: listed(e, "weapon", &WEAPONS) },
        SpecialWord::AsData => SpecialKind::AsData { field: e.id("field") },
        SpecialWord::AsBook => SpecialKind::AsBook { rule: RuleRef::new(e.name("rule", Names::Rule)) },
        SpecialWord::Sight => SpecialKind::Sight { inches_per_pip: e.decimal("inches_per_pip", 125..=60_000) },
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum AfterWord {
    OwnFire,
}

#[derive(Deserialize)]
enum CasualtyWord {
    #[serde(rename = "within_2")]
    WithinTwo,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ChargedWord {
    FullFlank,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ScreenWord {
    Allowed,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum AgainstWord {
    Bmp,
}

fn roll_fails(e: &mut Entry<'_, '_>) -> RollFails {
    let faces: Vec<u32> = e.ints("fails", 1..=6).into_iter().map(i32::unsigned_abs).collect();
    let against = e.opt_word::<AgainstWord>("against");
    match (faces.is_empty(), against) {
        (false, None) => RollFails::Faces(faces),
        (true, Some(AgainstWord::Bmp)) => RollFails::Bmp,
        _ => {
            e.fault(e.at, "it takes one of `fails` and `against`", "`fails = [1, 2]` or `against = \"bmp\"` (SCNS-04)");
            RollFails::Bmp
        }
    }
}

fn opt_flag(e: &mut Entry<'_, '_>, key: &'static str) -> Option<bool> {
    e.has(key).then(|| e.flag(key, false))
}

fn turn(e: &mut Entry<'_, '_>, key: &'static str) -> u32 {
    e.int(key, 1..=200).unsigned_abs()
}

fn needed_turns(e: &mut Entry<'_, '_>) -> (u32, u32) {
    if e.need("turns", "the first and last turn, [a, b]").is_none() {
        return (1, 1);
    }
    e.opt_turns("turns").unwrap_or((1, 1))
}

fn listed(e: &mut Entry<'_, '_>, key: &'static str, known: &[&str]) -> String {
    let name = e.text(key);
    if !name.is_empty() && !known.contains(&name.as_str()) {
        let what = format!("`{key}` knows no `{}`", shorten(&name));
        e.fault(e.place_of(key), what, nearest(&name, known.iter().copied()));
    }
    name
}

/// A list of formations, `disorder` among them.
fn formations(e: &mut Entry<'_, '_>) -> Vec<FormationWord> {
    let texts = e.texts("formation");
    let at = e.place_of("formation");
    let known = || variants::<Formation>().iter().copied().chain(["disorder"]);
    let mut words = Vec::new();
    for text in texts {
        match (text.as_str(), parse_word(&text)) {
            ("disorder", _) => words.push(FormationWord::Disorder(DisorderWord::Disorder)),
            (_, Some(formation)) => words.push(FormationWord::In(formation)),
            _ => e.fault(at, format!("no formation is called `{}`", shorten(&text)), nearest(&text, known())),
        }
    }
    words
}

/// SCNS-03 A condition in words, such as "held_turns 1".
fn condition(e: &mut Entry<'_, '_>, key: &'static str) -> Option<Condition> {
    let text = e.opt_text(key)?;
    let at = e.place_of(key);
    let mut parts = text.split_whitespace();
    let word = parts.next().unwrap_or_default();
    let arguments: Vec<&str> = parts.collect();
    let number = |most: u32| match arguments.as_slice() {
        [n] => n.parse::<u32>().ok().filter(|n| (1..=most).contains(n)),
        _ => None,
    };
    let feature = |name: &str| {
        e.shared.refer(Names::Feature, name, at);
        FeatureId::new(name)
    };
    let read = match (word, arguments.as_slice()) {
        ("turn", [_]) => number(200).map(Condition::Turn),
        ("after_turn", [_]) => number(200).map(Condition::AfterTurn),
        ("fires", [_]) => number(100).map(Condition::Fires),
        ("held_turns", [_]) => number(100).map(Condition::HeldTurns),
        ("lost", [_]) => number(100).map(Condition::Lost),
        ("enemy_within", [_]) => number(200).map(|inches| Condition::EnemyWithin(inches as i32 * 1000)),
        ("in_place", [name]) => Some(Condition::InPlace(feature(name))),
        ("side_in_place", [side, name]) => parse_word(side).map(|side| Condition::SideInPlace(side, feature(name))),
        ("passed_check", []) => Some(Condition::PassedCheck),
        ("mounted", []) => Some(Condition::Mounted),
        ("dismounted", []) => Some(Condition::Dismounted),
        ("hidden", []) => Some(Condition::Hidden),
        ("charged", []) => Some(Condition::Charged),
        ("fired_on", []) => Some(Condition::FiredOn),
        ("friend_passed", []) => Some(Condition::FriendPassed),
        ("umpire", []) => Some(Condition::Umpire),
        _ => None,
    };
    if read.is_none() {
        let what = format!("`{key}` is no condition: `{}`", shorten(&text));
        e.fault(at, what, "known: turn n, after_turn n, passed_check, fires n, held_turns n, in_place <feature>, mounted, dismounted, hidden, charged, fired_on, enemy_within inches, side_in_place <side> <feature>, lost n, friend_passed, umpire (SCNS-03)");
    }
    read
}

const PLACE_CURE: &str =
    "give one of `place`, `at` with `radius_inches`, `area`, `height_over_ft`, `side_of`, `edge` (SCNV-02)";

fn needed_place(e: &mut Entry<'_, '_>) -> PlaceTerm {
    let said = PLACE_KEYS.iter().any(|key| e.has(key));
    let place = optional_place(e);
    if !said {
        e.fault(e.at, "a place is missing", PLACE_CURE);
    }
    place.unwrap_or(PlaceTerm::HeightOver(0))
}

const PLACE_KEYS: [&str; 6] = ["place", "at", "area", "height_over_ft", "side_of", "edge"];

/// SCNV-02 The place of a term.
fn optional_place(e: &mut Entry<'_, '_>) -> Option<PlaceTerm> {
    let said = PLACE_KEYS.iter().filter(|key| e.has(key)).count();
    if 1 < said {
        e.fault(e.at, "more than one place", PLACE_CURE);
    }
    let feature = e.opt_name("place", Names::Feature).map(|id| PlaceTerm::Feature(FeatureId::new(id)));
    let at = e.opt_point("at");
    let radius = e.opt_decimal("radius_inches", 1..=100_000).unwrap_or(2000);
    let around = at.map(|at| PlaceTerm::Around { at, radius });
    let area = e.opt_points("area", 0).map(|points| {
        if points.len() < 3 {
            e.fault(e.place_of("area"), "an area of fewer than three points", "give its corners in order");
        }
        PlaceTerm::Area(points)
    });
    let height = e.opt_int("height_over_ft", 0..=5000).map(PlaceTerm::HeightOver);
    let side_of = e.texts("side_of");
    let side_of = match side_of.as_slice() {
        [] => None,
        [line, side] => {
            e.shared.refer(Names::Line, line, e.place_of("side_of"));
            let side = parse_word(side).unwrap_or_else(|| {
                e.fault(
                    e.place_of("side_of"),
                    format!("no side is called `{}`", shorten(side)),
                    "use north, east, south or west",
                );
                Edge::North
            });
            Some(PlaceTerm::SideOf { line: FeatureId::new(line.clone()), side })
        }
        _ => {
            e.fault(e.place_of("side_of"), "`side_of` takes a line and a side", "such as [\"plum_run\", \"east\"]");
            None
        }
    };
    let stretch = stretch(e, "edge").map(PlaceTerm::Edge);
    feature.or(around).or(area).or(height).or(side_of).or(stretch)
}

/// An edge, `"north"`, or a stretch of it, `["north", from, to]` in inches.
pub(super) fn stretch(e: &mut Entry<'_, '_>, key: &'static str) -> Option<Stretch> {
    use toml::de::DeValue;
    let value = e.get(key)?;
    let (width, height) = e.shared.table.get();
    let length = |edge: Edge| if matches!(edge, Edge::North | Edge::South) { width } else { height };
    let wanted = "an edge is \"north\", or a stretch of it [\"north\", from, to] in inches from the west or south";
    let read = match value.get_ref() {
        DeValue::String(text) => parse_word(text).map(|edge| Stretch { edge, from: 0, to: length(edge) }),
        DeValue::Array(list) => match list.iter().collect::<Vec<_>>().as_slice() {
            [edge, from, to] => edge.get_ref().as_str().and_then(parse_word).map(|edge: Edge| Stretch {
                edge,
                from: e.as_decimal(key, from, 0..=length(edge)),
                to: e.as_decimal(key, to, 0..=length(edge)),
            }),
            _ => None,
        },
        _ => None,
    };
    match read {
        Some(stretch) if stretch.from < stretch.to => read,
        _ => {
            e.fault(value.span().start, format!("`{key}` is no stretch of an edge"), wanted);
            None
        }
    }
}

/// SCN-11 Who enters by an edge has his front along it, facing the table; an inner place says nothing.
pub fn facing_at_door(place: &PlaceTerm) -> Option<Bearing> {
    let PlaceTerm::Edge(stretch) = place else { return None };
    Some(match stretch.edge {
        Edge::North => Bearing::SOUTH,
        Edge::East => Bearing::WEST,
        Edge::South => Bearing::NORTH,
        Edge::West => Bearing::EAST,
    })
}

/// SCN-11 The point at which an arrival stands at the door: the place itself, or the middle of its stretch of edge.
pub fn door(place: &PlaceTerm, ground: &crate::ground::Ground) -> Point {
    match place {
        PlaceTerm::Around { at, .. } => *at,
        PlaceTerm::Edge(stretch) => {
            let along = (stretch.from + stretch.to) / 2;
            match stretch.edge {
                Edge::North => Point::new(along, ground.height),
                Edge::South => Point::new(along, 0),
                Edge::East => Point::new(ground.width, along),
                Edge::West => Point::new(0, along),
            }
        }
        // The reader lets an arrival enter at a point or an edge only.
        PlaceTerm::Feature(_) | PlaceTerm::Area(_) | PlaceTerm::HeightOver(_) | PlaceTerm::SideOf { .. } => {
            Point::new(ground.width / 2, ground.height / 2)
        }
    }
}
