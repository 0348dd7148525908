//! Facts that resolution produced, as one viewer may know them, each with its explanation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ids::{BrigadeId, FeatureId, LeaderId, PicketNumber, RuleRef, Side, UnitId};
use crate::orders::{Order, RangeBand, Stage, Work};
use crate::place::{Bearing, Corners, Point};
use crate::words::Formation;

/// One fact, numbered for its viewer from 1 within a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Event {
    /// Number for this viewer, from 1 within a turn.
    pub n: u32,
    /// The stage that produced it.
    pub stage: Stage,
    /// The phase, 1 to 9.
    pub phase: u8,
    /// The segment of phase 7 or 5 (0 before the first, 121 after the last), where it matters.
    pub segment: Option<u8>,
    /// The rule that made it.
    pub rule: RuleRef,
    /// What happened.
    pub fact: Fact,
    /// Why, from what numbers.
    pub explanation: Explanation,
}

/// Why a thing happened: a sentence, the sum, the dice, the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
#[ts(export)]
pub struct Explanation {
    /// One good English sentence with a full stop.
    pub sentence: String,
    /// The sums behind it, in the order in which they were made.
    pub sums: Vec<Sum>,
    /// The dice thrown.
    pub dice: Vec<Dice>,
    /// Tables read.
    pub tables: Vec<TableRead>,
    /// Further rules that had a say.
    pub notes: Vec<Note>,
}

/// A sum of terms: arithmetic and explanation are the same list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Sum {
    /// What is summed, such as `dice modifiers` or `modified morale point`.
    pub label: String,
    /// The terms; the first is the base, where there is one.
    pub terms: Vec<Term>,
    /// Their sum, after the limits that `terms` or `notes` name.
    pub total: i32,
}

/// One modifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Term {
    /// The rule it comes from.
    pub rule: RuleRef,
    /// What it is for, such as `target in column`.
    pub label: String,
    /// Its value.
    pub value: i32,
}

/// A throw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Dice {
    /// The purpose, such as `fire.volley`.
    pub purpose: String,
    /// The parts of the key that make this throw this one.
    pub key: Vec<String>,
    /// The faces, each 1 to 6.
    pub faces: Vec<u8>,
    /// What had to be reached or passed, in words, where there is such a number.
    pub needed: Option<String>,
}

/// A cell that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct TableRead {
    /// The table's name in the rule tables.
    pub table: String,
    /// The row, in words.
    pub row: String,
    /// The column, in words.
    pub column: String,
    /// What stands there.
    pub value: String,
}

/// A rule with a remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Note {
    /// The rule.
    pub rule: RuleRef,
    /// What it did here.
    pub text: String,
}

/// The three states of morale. MOR-01
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Morale {
    /// Good.
    Good,
    /// Shaken.
    Shaken,
    /// Routed.
    Routed,
}

/// Where and how a unit stands: enough to draw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Stance {
    /// Centre of the front edge. FORM-03
    pub anchor: Point,
    /// Bearing of the front.
    pub facing: Bearing,
    /// The formation.
    pub formation: Formation,
    /// In disorder. FORM-26
    pub disorder: bool,
    /// Prone. TAC-07
    pub prone: bool,
    /// Corners of each stand, in the order of `UnitView::stands`.
    pub stands: Vec<Corners>,
}

/// A point of a unit's way in phase 5, 6 or 7.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct TrackPoint {
    /// The segment at whose end it stood there.
    pub segment: u8,
    /// How it stood.
    pub stance: Stance,
}

/// The flank class of a shot. ENF-01
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum FlankClass {
    /// From the front.
    Front,
    /// Partial enfilade.
    Partial,
    /// Full enfilade.
    Full,
    /// From the rear.
    Rear,
}

/// Where the choice that a rule needed came from; told to its owner only. TURN-06
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ChoiceSource {
    /// An answer given in a later window.
    Answer,
    /// The standing instruction given with the orders.
    Standing,
    /// The rule's default.
    Default,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(export)]
pub enum Fact {
    /// A phase begins. TURN-01
    PhaseBegan {},
    /// A unit's order, as the reveal shows it. REV-02
    OrderRevealed {
        /// The unit.
        unit: UnitId,
        /// What is shown of it.
        shown: OrderShown,
    },
    /// A unit is, or is not, in command this turn. CMD-06
    Command {
        /// The unit.
        unit: UnitId,
        /// In command.
        in_command: bool,
    },
    /// A unit goes to Conditional Hold. REV-05, REV-12, ORD-15
    ConditionalHold {
        /// The unit.
        unit: UnitId,
        /// Forced by a rule instead of chosen.
        forced: bool,
    },
    /// An order lapsed. ORD-15
    OrderVoid {
        /// The unit.
        unit: UnitId,
    },
    /// A volley. FIRE-01
    Volley {
        /// Who fired; several for a battalion of guns.
        firers: Vec<UnitId>,
        /// At whom; absent when fired blind at a point.
        target: Option<UnitId>,
        /// From where the range was measured.
        from: Point,
        /// To where.
        to: Point,
        /// Range in thousandths of an inch.
        range: u32,
        /// The band.
        band: RangeBand,
        /// The flank class.
        flank: FlankClass,
        /// Figures lost by the target.
        figures: u32,
        /// Its result as the table prints it, such as `2*`.
        result: String,
        /// Canister charges used.
        canister: u32,
    },
    /// A unit wanted to fire and did not, and why. Owner only.
    FireWithheld {
        /// The unit.
        unit: UnitId,
    },
    /// Ammunition ran out, or was filled up. AMMO-01
    Ammunition {
        /// The unit.
        unit: UnitId,
        /// Out of it.
        out: bool,
    },
    /// Losses taken. ORG-05
    Losses {
        /// The unit.
        unit: UnitId,
        /// Figures lost (sections of a battery).
        figures: u32,
        /// Stands lost.
        stands: u32,
        /// Horses lost.
        horses: u32,
        /// How it stands now.
        after: Stance,
        /// Figures left on each stand.
        left: Vec<u32>,
    },
    /// A morale check. MOR-03
    MoraleCheck {
        /// The unit.
        unit: UnitId,
        /// Why, such as `saw a rout`.
        because: String,
        /// Passed.
        passed: bool,
        /// Morale before.
        before: Morale,
        /// Morale after.
        after: Morale,
    },
    /// A competence roll. TC-01
    Competence {
        /// The unit.
        unit: UnitId,
        /// For what.
        because: String,
        /// Passed.
        passed: bool,
    },
    /// A unit loses or regains order. FORM-26
    Disorder {
        /// The unit.
        unit: UnitId,
        /// In disorder now.
        disorder: bool,
    },
    /// Morale changed without a check of its own.
    MoraleChanged {
        /// The unit.
        unit: UnitId,
        /// Before.
        before: Morale,
        /// After.
        after: Morale,
    },
    /// A shaken unit falls back. SHK-02
    FellBack {
        /// The unit.
        unit: UnitId,
        /// Distance, thousandths of an inch.
        distance: u32,
        /// How it stands now.
        after: Stance,
    },
    /// A unit runs. ROUT-01
    Ran {
        /// The unit.
        unit: UnitId,
        /// Distance, thousandths of an inch.
        distance: u32,
        /// How it stands now.
        after: Stance,
    },
    /// A charge struck, and both sides threw the dice down. IDD-03
    Impact {
        /// The point of the charge.
        attacker: UnitId,
        /// Its supports, the nearest first.
        attacker_supports: Vec<UnitId>,
        /// The unit that was struck, or that came to meet it.
        defender: UnitId,
        /// Its supports, the nearest first.
        defender_supports: Vec<UnitId>,
        /// From where the defender was struck.
        aspect: FlankClass,
        /// Impact Morale and dice of the attacker.
        attacker_total: i32,
        /// Impact Morale and dice of the defender.
        defender_total: i32,
        /// What came of it.
        result: ImpactResult,
    },
    /// One round of a melee. MEL-02
    MeleeRound {
        /// The round, from 1.
        round: u32,
        /// The side whose charge it was.
        attacker: MeleeSide,
        /// The other side.
        defender: MeleeSide,
    },
    /// A melee is over. MEL-09
    MeleeEnded {
        /// The front unit of the attacker when it began.
        attacker: UnitId,
        /// The front unit of the defender when it began.
        defender: UnitId,
        /// Who is left; absent: nobody.
        winner: Option<Side>,
    },
    /// A unit leaves the battle for good. MOR-01
    Removed {
        /// The unit.
        unit: UnitId,
        /// How: `picked up`, `disintegrated`, `surrendered`, `left the table`.
        how: String,
    },
    /// A rally roll. RALLY-10
    Rally {
        /// The unit.
        unit: UnitId,
        /// Morale before.
        before: Morale,
        /// Morale after.
        after: Morale,
        /// How it stands now.
        after_stance: Stance,
    },
    /// A unit moved. MV-02
    Moved {
        /// The unit.
        unit: UnitId,
        /// Its way; the last point is where it stands.
        track: Vec<TrackPoint>,
        /// Why it stopped before its path ended, if it did.
        halted: Option<String>,
    },
    /// A unit turns its back and goes. DIS-02
    Disengages {
        /// The unit.
        unit: UnitId,
        /// From whom; absent: no enemy is in sight.
        from: Option<UnitId>,
        /// The direction of its leg.
        bearing: Bearing,
        /// Its total distance, thousandths of an inch.
        total: u32,
    },
    /// A charge sets out, its distances worked out before anybody moves. CHG-23, CHG-26
    ChargeBegan {
        /// The point of the charge.
        unit: UnitId,
        /// Its supports, the nearest first.
        supports: Vec<UnitId>,
        /// At whom; absent: at a feature of the ground.
        target: Option<UnitId>,
        /// The direction in which it runs.
        bearing: Bearing,
        /// Its total distance, thousandths of an inch.
        total: u32,
        /// The travel at which it falls into disorder, thousandths of an inch; absent: nowhere.
        disorder_at: Option<u32>,
    },
    /// A unit is charged: the charge can reach it. CHG-28
    Charged {
        /// The unit.
        unit: UnitId,
        /// The point of the charge.
        by: UnitId,
    },
    /// The distance at which a charged unit fires. CHG-30
    VolleyDistance {
        /// The unit.
        unit: UnitId,
        /// The point of the charge.
        charger: UnitId,
        /// Thousandths of an inch.
        distance: u32,
        /// It is fired too soon, and does nothing. CHG-34
        wasted: bool,
    },
    /// A unit meets a charge with one of its own. CC-02
    Countercharges {
        /// The unit.
        unit: UnitId,
        /// The unit that it goes for.
        charger: UnitId,
        /// Its total distance, thousandths of an inch.
        total: u32,
    },
    /// Cavalry comes on to a square: it breaks it, or turns away at so many inches. TAC-42
    SquareApproached {
        /// The point of the charge.
        unit: UnitId,
        /// The square.
        square: UnitId,
        /// What was thrown.
        thrown: u32,
        /// The square is broken.
        broken: bool,
    },
    /// A charge strikes. CHG-52
    Contact {
        /// The unit that charges.
        unit: UnitId,
        /// The unit that is struck.
        target: UnitId,
        /// From where.
        flank: FlankClass,
    },
    /// A charge is over. CHG-54
    ChargeEnded {
        /// The point of the charge.
        unit: UnitId,
        /// How, such as `fell short`, `halted by fire`, `ran out`.
        how: String,
    },
    /// A formation change, limbering and the like was done. MV-09
    Formed {
        /// The unit.
        unit: UnitId,
        /// How it stands now.
        after: Stance,
    },
    /// A leader moved. MOVE-17
    LeaderMoved {
        /// The leader.
        leader: LeaderId,
        /// His way.
        path: Vec<Point>,
    },
    /// A leader was hit, or was not. OFF-04
    LeaderHit {
        /// The leader.
        leader: LeaderId,
        /// What came of it, such as `killed`, `wounded, back in turn 5`.
        outcome: String,
    },
    /// A post has a new man. LEAD-16
    Replaced {
        /// The leader's post.
        leader: LeaderId,
        /// The new name.
        name: String,
        /// His level.
        level: u8,
    },
    /// Reinforcements came. SCN-11
    Arrived {
        /// The unit.
        unit: UnitId,
        /// How it stands.
        after: Stance,
    },
    /// Leaders came. SCN-11
    LeaderArrived {
        /// The leader.
        leader: LeaderId,
        /// Where.
        at: Point,
    },
    /// A brigade or division must withdraw. LVL-04, LVL-05
    CommandLevel {
        /// The brigade.
        brigade: BrigadeId,
        /// 40 or 60.
        percent: u8,
    },
    /// A turn of work: counted, or not, and then its count is back at nothing. OBS-06
    Worked {
        /// The unit.
        unit: UnitId,
        /// At what.
        work: Work,
        /// Turns counted so far.
        turns: u32,
        /// Turns that are still needed, as it works now; 0: done.
        left: u32,
    },
    /// An obstacle or works: built, turned, swung, or a stretch of it gone. OBS-09, OBS-12, OBS-23
    ObstacleChanged {
        /// Which.
        obstacle: FeatureId,
        /// By whom, where one did it.
        by: Option<UnitId>,
        /// What befell it.
        change: ObstacleChange,
    },
    /// A charge meets an obstacle and loses inches in crossing it. OBS-11
    ObstacleMet {
        /// The unit.
        unit: UnitId,
        /// Which.
        obstacle: FeatureId,
        /// Inches lost, in thousandths.
        lost: u32,
        /// It comes no farther.
        stops: bool,
    },
    /// A victory term counted. SCNV-12
    Points {
        /// The side that scores.
        side: Side,
        /// How many.
        points: i32,
        /// The place, where there is one.
        place: Option<FeatureId>,
    },
    /// A special rule of the scenario acted. SCNS-01
    Special {
        /// The unit it touched, where there is one.
        unit: Option<UnitId>,
    },
    /// What the choice of a unit was, and where it came from. Owner only. TURN-06
    Choice {
        /// The unit.
        unit: UnitId,
        /// The key.
        key: String,
        /// Where it came from.
        source: ChoiceSource,
    },
    /// A picket's order, as the reveal shows it. HID-20
    PicketOrdered {
        /// The picket.
        picket: PicketNumber,
        /// What is shown of it.
        shown: PicketOrder,
    },
    /// What became of pickets at one instant, each list by number. HID-31, HID-41, HID-46, HID-48
    PicketsChanged {
        /// Replaced by what they hid.
        placed: Vec<PicketPlaced>,
        /// Of these nothing more is on the table, and how.
        gone: Vec<PicketGone>,
        /// Known from now on to hide something. HID-44
        confirmed: Vec<PicketNumber>,
    },
    /// The lines that pickets have travelled in a phase, by number. HID-77
    PicketsMoved {
        /// A line each.
        lines: Vec<PicketLine>,
    },
    /// A visibility die that public geometry asked for. HID-37
    SightingRolled {
        /// A picket.
        picket: PicketNumber,
        /// The other of the pair: an open unit or a picket, in words.
        other: String,
    },
    /// Fire at a picket: no effect is ever observed. HID-58
    FiredAtPicket {
        /// Who fired.
        unit: UnitId,
        /// From where the range was measured.
        from: Point,
        /// At what point.
        to: Point,
        /// Range in thousandths of an inch.
        range: u32,
    },
    /// Enemies who come in sight of a side, or are lost from it, each list by identifier; told to that side alone. LOS-05
    Sighted {
        /// Units that come in sight.
        came: Vec<UnitSighted>,
        /// Units that are seen no longer.
        lost: Vec<UnitId>,
        /// Leaders that come in sight.
        leaders: Vec<LeaderSighted>,
        /// Leaders that are seen no longer.
        leaders_lost: Vec<LeaderId>,
    },
    /// The battle is over. SCNV-13
    Ended {
        /// The winner; absent for a draw.
        winner: Option<Side>,
        /// Final points.
        points: crate::ids::BySide<i32>,
    },
}

/// What is shown of a picket's order. HID-20
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(export)]
pub enum PicketOrder {
    /// FIRST FIRE.
    FirstFire {},
    /// HOLD, or nothing said.
    Hold {},
    /// Conditional Hold.
    ConditionalHold {},
    /// DISENGAGE.
    Disengage {},
    /// MOVE.
    Move {
        /// Bearing of the first leg in whole degrees; of the facing where there is no leg.
        bearing: Bearing,
    },
    /// FORM.
    Form {},
}

/// A unit that has taken the place of its picket. HID-49
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct PicketPlaced {
    /// The picket.
    pub picket: PicketNumber,
    /// The unit.
    pub unit: UnitId,
    /// How it stands.
    pub after: Stance,
    /// Figures left on each stand.
    pub left: Vec<u32>,
    /// Its order, as an open unit shows it; none before the reveal of orders. HID-50
    pub shown: Option<OrderShown>,
}

/// A picket that is no more. HID-12
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct PicketGone {
    /// The picket.
    pub picket: PicketNumber,
    /// How.
    pub how: PicketEnd,
}

/// How a picket ends. HID-12
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum PicketEnd {
    /// Replaced by its units.
    Placed,
    /// Removed as a dummy.
    Dummy,
    /// Withdrawn by its owner, which shows that it was a dummy.
    Withdrawn,
    /// It left the table, and nothing is said of what it hid. HID-66
    LeftTable,
}

/// The line of a picket in a phase. HID-24, HID-30
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct PicketLine {
    /// The picket.
    pub picket: PicketNumber,
    /// Its way, the start first; travelled at one pace from the first segment to the last.
    pub line: Vec<Point>,
    /// Its facing at the end.
    pub facing: Bearing,
}

/// A unit that comes in sight. LOS-05
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct UnitSighted {
    /// The unit.
    pub unit: UnitId,
    /// How it stands.
    pub after: Stance,
    /// Figures left on each stand.
    pub left: Vec<u32>,
    /// Its morale.
    pub morale: Morale,
    /// Its order of this turn, once revealed. LOS-09
    pub shown: Option<OrderShown>,
}

/// A leader who comes in sight. LOS-15
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct LeaderSighted {
    /// The leader's post.
    pub leader: LeaderId,
    /// Where he is.
    pub at: Point,
}

/// What befalls an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ObstacleChange {
    /// It is new. OBS-09, WORKS-08
    Built,
    /// It faces the other way. WORKS-14
    Turned,
    /// A stretch was taken away, or all of it. OBS-15, OBS-20, OBS-27, WORKS-13
    Removed,
    /// A charge has trodden a stretch down. OBS-12
    TroddenDown,
    /// Swung aside. OBS-23
    SwungOpen,
    /// Swung shut again. OBS-23
    SwungShut,
}

/// What comes of the dice down: the lower total wins. IDD-03, IDD-04
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ImpactResult {
    /// The attacker recoils. IDD-11
    AttackerRecoils,
    /// The defender is thrown back. IDD-17
    DefenderThrownBack,
    /// Both charged, and the attacker is thrown back. CC-19
    AttackerThrownBack,
    /// Equal totals: melee. IDD-04
    Melee,
}

/// One side of a round of melee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct MeleeSide {
    /// Its front unit.
    pub unit: UnitId,
    /// Those behind it, in order.
    pub supports: Vec<UnitId>,
    /// Figures that count, after all factors. MEL-07, MEL-10
    pub figures: u32,
    /// Its dice with the modifiers; absent: it did not strike.
    pub roll: Option<i32>,
    /// What the table says of it, such as `2` or `1*`.
    pub result: String,
    /// Figures (sections) that the other side loses by it, after doubling. MEL-04
    pub kills: u32,
}

/// What an enemy learns of an order. REV-02
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(export)]
pub enum OrderShown {
    /// FIRST FIRE.
    FirstFire {},
    /// HOLD.
    Hold {},
    /// Conditional Hold.
    ConditionalHold {},
    /// DISENGAGE.
    Disengage {},
    /// CHARGE.
    Charge {
        /// The declared target.
        target: Option<UnitId>,
        /// The unit supported.
        support_of: Option<UnitId>,
    },
    /// MOVE.
    Move {
        /// Bearing of the first leg.
        bearing: Bearing,
        /// Any formation to be taken.
        formation: Option<Formation>,
    },
    /// FORM.
    Form {
        /// The formation to be taken, where one is.
        formation: Option<Formation>,
        /// The work in words, where it is work.
        work: Option<String>,
    },
    /// Routed: no order.
    Routed {},
}

impl OrderShown {
    /// Whether the order is one of those that stay in place.
    pub fn stays(&self) -> bool {
        matches!(self, OrderShown::FirstFire {} | OrderShown::Hold {} | OrderShown::ConditionalHold {})
    }
}

/// An order as its owner reads it in his log.
pub type OwnOrder = Order;
