//! What a player may say: orders, standing instructions, answers, deployment.
//!
//! The same [`Draft`] travels while it is being written, when it is sealed, and as the readable copy of
//! a receipt. Each stage has its own kind of draft, but one type serves all: what may not be given in a
//! window is refused by the rules, never dropped silently (but see postures, TURN-08).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ids::{BrigadeId, FeatureId, LeaderId, PicketNumber, UnitId};
use crate::place::{Bearing, Point};
use crate::words::{Flank, Formation};

/// The four stages of a turn, each opened by a window of its own. TURN-06
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Stage {
    /// Window O, then phases 2 and 3.
    Orders,
    /// Window R, then phases 4 and 5.
    Reactions,
    /// Window C, then phase 6.
    Charges,
    /// Window M, then phases 7 to 9.
    Movement,
}

impl Stage {
    /// The stages in their order.
    pub const ALL: [Stage; 4] = [Stage::Orders, Stage::Reactions, Stage::Charges, Stage::Movement];

    /// The stage that follows in the same turn.
    pub fn next(self) -> Option<Stage> {
        match self {
            Stage::Orders => Some(Stage::Reactions),
            Stage::Reactions => Some(Stage::Charges),
            Stage::Charges => Some(Stage::Movement),
            Stage::Movement => None,
        }
    }
}

/// All that a seat says in one window: the content of its envelope.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[ts(export)]
pub struct Draft {
    /// Orders and instructions for units.
    pub units: BTreeMap<UnitId, UnitDraft>,
    /// One order or posture for a whole brigade or gun battalion. ORD-02
    pub brigades: BTreeMap<BrigadeId, GroupDraft>,
    /// Paths and choices of leaders.
    pub leaders: BTreeMap<LeaderId, LeaderDraft>,
    /// Places at the start; only before turn 1. SCN-06
    pub deployment: BTreeMap<UnitId, Placement>,
    /// Orders and instructions for pickets, real and dummy alike; absent means HOLD. HID-17, HID-19
    // Left out where there are none: the bytes that were sealed before this key was known stay the same.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<PicketNumber, UnitDraft>>")]
    pub pickets: BTreeMap<PicketNumber, UnitDraft>,
    /// What begins, or comes in, under pickets, and where. HID-05, HID-67
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Hiding>>")]
    pub hiding: Vec<Hiding>,
}

/// One picket to be set up: where it stands and what it hides. HID-01, HID-05
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct Hiding {
    /// The marker's point: the middle of the front of what it hides. HID-03
    pub at: Point,
    /// The marker's facing.
    pub facing: Bearing,
    /// What it hides.
    pub hides: Hides,
    /// Leaders who ride under it; a dummy has room for none. HID-11
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<LeaderId>>")]
    pub leaders: Vec<LeaderId>,
    /// The line that a reinforcement goes in the turn in which it comes in, from its point on; empty: it stands there. Before turn 1
    /// nobody marches. HID-67
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Point>>")]
    pub path: Vec<Point>,
}

/// What a picket hides. HID-01
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum Hides {
    /// Nothing. HID-06
    Dummy {},
    /// One regiment, battalion or battery.
    Unit {
        /// Which.
        unit: UnitId,
        /// Its formation. HID-04
        formation: Formation,
        /// Gap between stands, thousandths of an inch, where the formation has one; absent: the formation's own.
        #[serde(default)]
        gap: Option<u32>,
    },
    /// A whole brigade. HID-07
    Brigade {
        /// Which.
        brigade: BrigadeId,
        /// The formation of all its regiments. HID-08
        formation: Formation,
        /// How they lie about the marker. HID-10
        plan: Plan,
    },
}

/// How the regiments of a brigade lie about their picket when it is revealed. HID-10
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct Plan {
    /// The regiments, from left to right in a line, from the front in depth.
    pub order: Vec<UnitId>,
    /// Abreast, in depth, or in two lines.
    pub shape: PlanShape,
    /// The equal gap between them, 0 to 1.000 inch, in thousandths.
    pub gap: u32,
}

/// The shape of a brigade's deployment. HID-10
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum PlanShape {
    /// Fronts level, the whole frontage centred on the marker.
    Abreast {},
    /// One behind another, the first one's anchor on the marker.
    InDepth {},
    /// The first so many abreast, the others abreast 2.000 inches behind, both centred.
    TwoLines {
        /// Regiments of the first line.
        first: u32,
    },
}

/// What one unit is told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[ts(export)]
pub struct UnitDraft {
    /// Its order; absent means HOLD (ORD-03), or what the brigade's order says. Orders window only.
    pub order: Option<Order>,
    /// A named bundle of instructions. TURN-08
    pub posture: Option<String>,
    /// Single keys, which override the posture.
    pub instructions: Instructions,
}

/// What a brigade or gun battalion is told. ORD-02
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[ts(export)]
pub struct GroupDraft {
    /// Expanded into one order for each member without an order of its own. A path is a displacement from
    /// `from`: every member makes the same displacement and turn.
    pub order: Option<Order>,
    /// Where a path order of the brigade was drawn from; absent, the anchor of its first member.
    pub from: Option<Point>,
    /// A posture for every member.
    pub posture: Option<String>,
    /// Keys for every member.
    pub instructions: Instructions,
}

/// What a leader is told. MOVE-17
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[ts(export)]
pub struct LeaderDraft {
    /// Go with a unit, or ride a path of his own; absent: stay with the attached unit, else stand still.
    pub ride: Option<Ride>,
    /// When his unit routs before his eyes in phase 2. RALLY-05
    pub with_routed: Option<FollowOrStay>,
    /// When a unit he is with routs. ROUT-17
    pub if_unit_routs: Option<FollowOrStay>,
    /// When a unit he is with falls back. LEAD-12
    pub if_unit_falls_back: Option<FollowOrStay>,
    /// Whom to help first; absent: nearest first. LEAD-07
    pub help: Option<Vec<UnitId>>,
    /// A brigade to take over. LEAD-18
    pub take_over: Option<BrigadeId>,
    /// Lead a charge in person (option `lead_charge`). LEAD-14
    pub lead: Option<bool>,
    /// The charging unit to go in with. IMP-11
    pub go_in_with: Option<UnitId>,
    /// When a leader under a picket steps out into the open; absent: never. HID-11
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub step_out: Option<StepOut>,
    /// Where he begins; only before turn 1. SCN-06
    // Left out where there is none: the bytes that were sealed before this key was known stay the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub place: Option<Point>,
}

/// When a leader under a picket becomes an open figure at its point. HID-11
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum StepOut {
    /// He stays under it: the default.
    Never,
    /// With the reveal of orders.
    WithOrders,
    /// Before the charges.
    Phase6,
    /// Before the movement.
    Phase7,
}

/// How a leader moves in a turn. MOVE-17
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum Ride {
    /// Go with this unit in its moves and charges.
    Attach {
        /// The unit.
        unit: UnitId,
    },
    /// Ride along these points.
    Path {
        /// Waypoints, the start left out.
        points: Vec<Point>,
        /// Before the charges of phase 6 instead of in phase 7.
        #[serde(default)]
        before_charges: bool,
    },
    /// Stand still and attach to nobody.
    Stay {},
}

/// Follow or stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum FollowOrStay {
    /// Go with the unit.
    Follow,
    /// Stay where he is.
    Stay,
}

/// A place, facing and formation. SCN-06
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct Placement {
    /// Centre of the front edge (a battery's or leader's front edge as well). FORM-03
    pub anchor: Point,
    /// Bearing of the front.
    pub facing: Bearing,
    /// The formation.
    pub formation: Formation,
    /// Gap between stands in thousandths, where the formation has one (FORM-05, FORM-09); absent: the default.
    #[serde(default)]
    pub gap: Option<u32>,
}

/// An order of phase one. ORD-04
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum Order {
    /// Shoot before any movement. FF-01
    FirstFire {},
    /// Stay and react. ORD-03
    Hold {
        /// A task done while standing, for batteries.
        #[serde(default)]
        task: Option<HoldTask>,
    },
    /// Flee. DIS-01
    Disengage {
        /// The guns stay or come along. ARTY-46
        #[serde(default)]
        abandon_guns: bool,
    },
    /// Attack. CHG-01
    Charge {
        /// The named target; absent, the most threatening enemy. CHG-07
        #[serde(default)]
        target: Option<UnitId>,
        /// The bearing; absent, the shortest segment. CHG-08
        #[serde(default)]
        bearing: Option<Bearing>,
        /// A terrain objective. CHG-11
        #[serde(default)]
        objective: Option<FeatureId>,
        /// The unit whose charge this one supports; absent, a charge of its own. CHG-15
        #[serde(default)]
        support_of: Option<UnitId>,
    },
    /// Go in a stated direction. ORD-06
    Move(MoveOrder),
    /// Change formation, or work. MV-07
    Form {
        /// What is done.
        task: FormTask,
    },
    /// A free request, where an umpire answers. TC-12
    Special {
        /// The request.
        text: String,
    },
}

/// A march. MV-01 to MV-31
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[ts(export)]
pub struct MoveOrder {
    /// Waypoints of the anchor, the start left out. Empty: only the rest of the order is done.
    pub path: Vec<Point>,
    /// A formation change, limbering or mounting that opens the move. MV-09
    pub form_first: Option<FormTask>,
    /// A formation change, unlimbering or dismounting that closes the move. MV-09
    pub form_last: Option<FormTask>,
    /// One wheel, opening or closing the move. MV-18
    pub wheel: Option<Wheel>,
    /// Face about at the start. MV-21
    pub about_face: bool,
    /// March backward, still facing the enemy. MV-22
    pub backing: bool,
    /// Quick march beyond the rate. MV-24
    pub push: bool,
    /// Lie down or rise. TAC-07
    pub prone: Option<ProneChange>,
    /// Guns drawn by prolonge, or pushed by hand. ARTY-44
    pub prolonge: bool,
    /// Made in disorder of its own will, so as to pass a narrow opening. OBS-24
    #[serde(skip_serializing_if = "is_false")]
    #[ts(optional, as = "Option<bool>")]
    pub in_disorder: bool,
}

/// Flags that were added later are left out while they say nothing: the bytes that were sealed before stay the same.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
pub(crate) fn is_false(flag: &bool) -> bool {
    !*flag
}

/// A wheel on an end stand. MV-18 to MV-20
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct Wheel {
    /// The end stand that does not move.
    pub pivot: Flank,
    /// The facing after the wheel, at most 90.00 degrees from the facing before.
    pub facing: Bearing,
    /// At the end of the move instead of at its start.
    #[serde(default)]
    pub last: bool,
}

/// Lying down or rising in the course of a move. TAC-07
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ProneChange {
    /// Rise before the first leg.
    Rise,
    /// Lie down after the last leg.
    LieDown,
}

/// A task done while holding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum HoldTask {
    /// Lend a horse to a battery of the same battalion. ARTY-40
    LendHorse {
        /// The battery that needs it.
        to: UnitId,
    },
    /// Spike the guns. ARTY-47
    Spike {},
}

/// What a FORM order, or a change within a MOVE, does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum FormTask {
    /// Take another formation, or the same one with another facing or gap. FORM-35
    Formation {
        /// The formation to take.
        formation: Formation,
        /// The new facing; absent: unchanged.
        #[serde(default)]
        facing: Option<Bearing>,
        /// The stand that keeps its place, counted from 0 in the old formation; absent: FORM-35's choice.
        #[serde(default)]
        pivot: Option<u32>,
        /// Gap between stands in thousandths; absent: the default.
        #[serde(default)]
        gap: Option<u32>,
    },
    /// A march column turns into a line facing its flank, or a line into a march column. FORM-36, FORM-37
    FrontToFlank {
        /// Which way the line will face, or the column march.
        toward: Flank,
    },
    /// Hitch the guns to their horses. ARTY-02
    Limber {
        /// The bearing of the limbered battery; absent: unchanged.
        #[serde(default)]
        facing: Option<Bearing>,
    },
    /// Bring the guns into action. ARTY-06
    Unlimber {
        /// The bearing of the guns; absent: toward the nearest visible enemy.
        #[serde(default)]
        facing: Option<Bearing>,
    },
    /// Mount. CAV-23
    Mount {
        /// The mounted formation.
        formation: Formation,
    },
    /// Dismount. CAV-23
    Dismount {
        /// The dismounted formation.
        formation: Formation,
    },
    /// Form square. TAC-37
    Square {},
    /// Form a brigade column. TAC-27
    BrigadeColumn {
        /// The regiments, from the head.
        regiments: Vec<UnitId>,
    },
    /// Take ammunition from a wagon. AMMO-05
    Resupply {},
    /// Sharpshooters join an infantry regiment, for good. SHARP-11
    JoinRegiment {
        /// The regiment.
        regiment: UnitId,
    },
    /// Man guns whose crew is gone. ARTY-48
    ManGuns {
        /// The guns.
        battery: UnitId,
    },
    /// Work with axe and spade, turn after turn until it is done. OBS-07, WORKS-03
    Work {
        /// What is built or destroyed.
        work: Work,
        /// Where, in one point: of an abatis a point whose distance before the unit's front is that of the line, at most an inch;
        /// of what is destroyed or turned a point at or near it. Empty: an inch in front, the nearest, or the work in hand.
        at: Vec<Point>,
    },
    /// Swing chevaux-de-frise aside, or shut again: one for half a move, two for a whole one. OBS-23
    Swing {
        /// Which, by the map's words for them.
        elements: Vec<FeatureId>,
    },
    /// Change the deployment of a brigade under a picket; a full turn. HID-10
    Deploy {
        /// The new plan.
        plan: Plan,
    },
    /// Turn the marker of a picket to another facing: the one FORM task of a dummy. HID-19
    Face {
        /// The new facing.
        facing: Bearing,
    },
}

/// Works tasks. OBS-07
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Work {
    /// Fell an abatis.
    BuildAbatis,
    /// Throw up hasty works.
    BuildHastyWorks,
    /// Turn captured works about.
    TurnWorks,
    /// Destroy an obstacle or work.
    Destroy,
}

/// Standing instructions and answers: one field a key of the catalogue's table. An absent key says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[ts(export)]
pub struct Instructions {
    /// Go to Conditional Hold on what the reveal shows. REV-05
    pub conditional_hold_if: Option<ConditionalHoldIf>,
    /// Go to Conditional Hold; an answer of the reactions window. REV-05
    pub conditional_hold: Option<bool>,
    /// The formation to try for when going to Conditional Hold. REV-11
    pub ch_form: Option<ChangeOnHold>,
    /// Bend an end stand back. ENF-12
    pub refuse: Option<Refuse>,
    /// Fire at all. FIRE-02
    pub fire: Option<bool>,
    /// Which range a FIRST FIRE accepts. FF-06
    pub first_fire: Option<RangeChoice>,
    /// The moment of a holding unit's fire. FIRE-35
    pub hold_fire: Option<HoldFire>,
    /// Fire at chargers that are not aimed at this unit. CHG-50
    pub fire_on_charges: Option<FireOnCharges>,
    /// Additional fires. ADDF-14
    pub extra_fire: Option<ExtraFire>,
    /// Fire after a move, in phase 8. MFIRE-08
    pub moving_fire: Option<MovingFire>,
    /// Targets of the secondary zone. FIRE-26
    pub oblique: Option<Oblique>,
    /// Which stands fire. FIRE-04
    pub stands: Option<FiringStands>,
    /// Fire from an attack column, which disorders it. FORM-08
    pub column_fire: Option<ColumnFire>,
    /// Aim past enemy skirmishers. FORM-17
    pub past_skirmishers: Option<bool>,
    /// Let the regiment's own skirmish screen fire in its place. TAC-26
    pub screen_fire: Option<bool>,
    /// Fall back after its fire, where a special rule of the scenario lets it. SCNS-09
    #[serde(default)]
    pub fall_back_after_fire: Option<bool>,
    /// How many targets a square fires at. TAC-39
    pub square_fire: Option<SquareFire>,
    /// Try to form square against cavalry while holding. TAC-40
    pub square: Option<EmergencySquare>,
    /// Rapid fire of breechloaders and repeaters. TAC-01
    pub rapid_fire: Option<RapidFire>,
    /// Fire at what is not seen. VIS-12
    pub unseen_fire: Option<UnseenFire>,
    /// A battery's targets. ARTY-25
    pub target: Option<TargetChoice>,
    /// Fire as a battalion or battery by battery. ARTY-21
    pub group: Option<GroupFire>,
    /// Canister. ARTY-23
    pub canister: Option<Canister>,
    /// Turn the guns outside their arc. ARTY-27
    pub pivot: Option<Pivot>,
    /// Fire over friends in spite of the risk. ARTY-32
    pub overhead_risk: Option<bool>,
    /// What a limbered battery does when halted. ARTY-43
    pub if_halted: Option<IfHalted>,
    /// Stop a march early. MV-27
    pub stop: Option<Stop>,
    /// Another path; an answer of the later windows. MV-31
    pub path: Option<PathAnswer>,
    /// Try to rally. RALLY-09
    pub rally: Option<bool>,
    /// The formation taken on rallying. RALLY-19
    pub reform: Option<Reform>,
    /// The facing taken on rallying. RALLY-23
    pub reform_facing: Option<ReformFacing>,
    /// What a limbered battery does when shaken. SHK-13
    pub battery_when_shaken: Option<BatteryWhenShaken>,
    /// What dismounted cavalry does when shaken. SHK-16
    pub cavalry_when_shaken: Option<CavalryWhenShaken>,
    /// What a charged unit does. CF-09
    pub if_charged: Option<IfCharged>,
    /// Countercharge when not itself charged. CC-02
    pub countercharge: Option<Countercharge>,
    /// Whither a disengaging unit leans. DIS-03
    // The keys from here on are left out where there is none: the bytes that were sealed before they were known stay the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub disengage_toward: Option<Toward>,
    /// The formation in which a charged unit forms. CF-10
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub form_if_charged: Option<Formation>,
    /// A feature at which a charge tries to halt. CHG-12
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub halt_at: Option<FeatureId>,
    /// What a support does when its point is halted by fire. CHG-45
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub press_on: Option<PressOn>,
    /// The bearing along which a charge runs. CHG-08
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub charge_bearing: Option<Bearing>,
    /// Point of a charge of its own, or support of another. CHG-15
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub role: Option<Role>,
    /// Which member of a charge mounted cavalry goes for that is not itself charged. CC-15, CAVC-05
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub countercharge_target: Option<CounterchargeTarget>,
    /// Charged mounted cavalry whose roll fails goes all the same, in disorder. CAVC-07
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub countercharge_if_disordered: Option<bool>,
    /// Mounted cavalry rides in support of a friend's countercharge. CAVC-28
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub support_countercharge: Option<SupportCountercharge>,
    /// When a picket is replaced by what it hides; a dummy is then withdrawn. Pickets only. HID-48
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reveal: Option<Reveal>,
    /// At what a hidden unit opens fire, and is revealed by it; a dummy may be told it too. Pickets only. HID-52
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub open_fire: Option<OpenFire>,
    /// How far a picket that disengages goes, thousandths of an inch. Pickets only. HID-62
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub disengage_travel: Option<u32>,
}

/// When a picket is replaced by what it hides, or a dummy withdrawn. HID-48
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum Reveal {
    /// Of its owner's will never: the default.
    Never {},
    /// With the reveal of orders; orders window only.
    WithOrders {},
    /// When the reactions window closes.
    WithReactions {},
    /// When the charges window closes.
    WithCharges {},
    /// When the movement window closes.
    WithMovement {},
    /// As soon as an open enemy unit is so near to the marker's point.
    EnemyWithin {
        /// Thousandths of an inch.
        distance: u32,
    },
    /// At the end of this leg of its newest path, from 1.
    AtLeg {
        /// The leg.
        leg: u32,
    },
    /// After phase 9, before the next orders.
    EndOfTurn {},
}

/// At what a hidden unit opens fire. HID-52
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum OpenFire {
    /// At nothing.
    Never {},
    /// At any enemy in close range.
    AtClose {},
    /// At any enemy in normal range.
    AtNormal {},
    /// At any enemy in long range.
    AtLong {},
    /// When it is charged, having been revealed.
    WhenCharged {},
    /// At this unit.
    OnUnit {
        /// The enemy.
        unit: UnitId,
    },
}

/// Which member of a charge mounted cavalry goes for, where more than one is in reach. CC-15, CAVC-05
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum CounterchargeTarget {
    /// The nearest: the default.
    Nearest,
    /// The point.
    Point,
    /// The nearest of its supports.
    Support,
}

/// Whose countercharge mounted cavalry supports. CAVC-28
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum SupportCountercharge {
    /// Nobody's: the default.
    Never {},
    /// That of one unit.
    Of {
        /// The unit.
        unit: UnitId,
    },
    /// That of any unit of its own brigade.
    AnyInBrigade {},
}

/// Whither a disengaging unit leans. DIS-03
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum Toward {
    /// Toward this unit.
    Unit {
        /// The unit.
        unit: UnitId,
    },
    /// Toward this point.
    Point {
        /// The point.
        at: Point,
    },
    /// On this bearing.
    Bearing {
        /// The bearing.
        bearing: Bearing,
    },
}

/// What a support does when the point of its charge is halted by fire. CHG-45
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum PressOn {
    /// It tries to go on.
    Yes,
    /// It tries to go on if it has lost nothing in this charge.
    IfNoLosses,
    /// It stacks up behind the point: the default.
    No,
}

/// The role of a unit in a charge. CHG-15
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum Role {
    /// A charge of its own.
    Point {},
    /// In support of another unit.
    Support {
        /// The unit.
        of: UnitId,
    },
}

/// How many targets a square fires at, with two stands each. TAC-39
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum SquareFire {
    /// Two: the default.
    Both,
    /// The most threatening one alone.
    Nearest,
}

/// When a regiment on HOLD tries to form square at the reveal. TAC-40
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum EmergencySquare {
    /// When cavalry is shown to charge it.
    IfCavalryChargesMe,
    /// When cavalry in sight charges or moves within thirty inches.
    IfCavalryThreatens,
    /// Never: the default.
    Never,
}

/// When a sealed MOVE, FORM or HOLD turns into a Conditional Hold. REV-05
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ConditionalHoldIf {
    /// Never: the default.
    Never,
    /// An enemy declares a charge on this unit.
    EnemyChargeDeclaredOnMe,
    /// The most threatening enemy is marked FIRST FIRE.
    ThreatMarkedFirstFire,
    /// The most threatening enemy is marked HOLD.
    ThreatMarkedHold,
    /// The most threatening enemy is marked CHARGE.
    ThreatMarkedCharge,
    /// The most threatening enemy is marked MOVE.
    ThreatMarkedMove,
}

/// A formation to try for, and where to face. REV-11
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct ChangeOnHold {
    /// The formation.
    pub formation: Formation,
    /// The bearing; absent: toward the most threatening enemy.
    #[serde(default)]
    pub facing: Option<Bearing>,
}

/// Which end stand is bent back. ENF-12
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Refuse {
    /// The left end.
    Left,
    /// The right end.
    Right,
    /// The end that is threatened: the default.
    Threatened,
    /// Neither.
    Never,
}

/// Which ranges are good enough. FF-06
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum RangeChoice {
    /// Any: the default.
    Always,
    /// Normal or closer.
    NotAtLong,
    /// Close only.
    OnlyClose,
}

/// Fire after a move. MFIRE-08
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum MovingFire {
    /// At any range: the default.
    Always,
    /// Normal or closer.
    NotAtLong,
    /// Close only.
    OnlyClose,
    /// Not at all.
    Never,
}

/// A range band. FIRE-11
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum RangeBand {
    /// Close (guns: canister).
    Close,
    /// Normal.
    Normal,
    /// Long.
    Long,
}

/// When a holding unit fires: any clause whose triggers are all met at one instant. FIRE-35
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct HoldFire {
    /// Clauses joined by *or*; the triggers inside a clause are joined by *and*.
    #[serde(default)]
    pub any_of: Vec<Vec<HoldTrigger>>,
    /// Fire only at a unit that charges.
    #[serde(default)]
    pub only_if_charged: bool,
    /// Wait until the target is this unit.
    #[serde(default)]
    pub wait_for: Option<UnitId>,
}

/// A trigger of hold fire. FIRE-35
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum HoldTrigger {
    /// The target is in this band or a nearer one.
    At {
        /// The band.
        band: RangeBand,
    },
    /// The target is at most so far, thousandths of an inch.
    Within {
        /// Thousandths of an inch.
        distance: u32,
    },
    /// The shot would be partial, full or rear enfilade.
    OnFlank {},
    /// Nothing covers the target.
    OutOfCover {},
    /// The mean of figures lost is at least this, in tenths of a figure.
    Expected {
        /// Tenths of a figure.
        tenths: u32,
    },
    /// The target is about to leave range, sight or zone.
    BeforeLeaving {},
    /// Before the first segment.
    BeforeMove {},
    /// After the last segment.
    AfterMove {},
}

/// Fire at chargers that pass. CHG-50
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum FireOnCharges {
    /// Not at all.
    Never,
    /// At close range.
    Close,
    /// At normal range.
    Normal,
    /// At long range.
    Long,
    /// At the nearest point of its way: the default.
    Nearest,
}

/// Additional fires. ADDF-14
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum ExtraFire {
    /// Whenever allowed.
    Always {},
    /// Only when charged.
    ChargedOnly {},
    /// With at least so many dice.
    MinDice {
        /// The least number of dice.
        dice: u32,
    },
    /// Never.
    Never {},
}

/// Targets in the secondary zone. FIRE-26
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum Oblique {
    /// The nearest: the default.
    Nearest {},
    /// These, in this order.
    Units {
        /// In order of preference.
        units: Vec<UnitId>,
    },
    /// None.
    None {},
}

/// Which stands fire. FIRE-04
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum FiringStands {
    /// All that can: the default.
    All,
    /// The rear rank only.
    RearOnly,
}

/// Fire from an attack column. FORM-08
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ColumnFire {
    /// The default.
    Never,
    /// Only at a charger.
    IfCharged,
    /// Whenever it may.
    Always,
}

/// Rapid fire. TAC-01
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum RapidFire {
    /// The default.
    Always,
    /// At close range.
    Close,
    /// When charged.
    Charged,
    /// Never.
    Never,
}

/// Fire at what is not seen. VIS-12
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum UnseenFire {
    /// None: the default.
    None {},
    /// Area fire at a unit known to be there.
    Area {
        /// The unit.
        unit: UnitId,
    },
    /// Blind fire at a point.
    Point {
        /// The point.
        at: Point,
    },
    /// Blind fire at this picket. HID-56
    Picket {
        /// Its number.
        number: PicketNumber,
    },
    /// Blind fire at the nearest picket within so many thousandths of an inch. HID-56
    Pickets {
        /// Thousandths of an inch.
        distance: u32,
    },
}

/// A battery's targets. ARTY-25
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum TargetChoice {
    /// The nearest: the default.
    Nearest {},
    /// The nearest battery.
    Artillery {},
    /// The nearest infantry.
    Infantry {},
    /// The nearest cavalry.
    Cavalry {},
    /// These, in this order.
    Units {
        /// In order of preference.
        units: Vec<UnitId>,
    },
}

/// Battalion fire. ARTY-21
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum GroupFire {
    /// Together where dice, modifiers and class are equal: the default.
    Battalion,
    /// Each battery alone.
    Single,
}

/// Canister. ARTY-23
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Canister {
    /// Shot and shell only.
    Never,
    /// The default.
    Single,
    /// Double, at each fire.
    Double,
    /// Double when charged, else single.
    DoubleIfCharged,
}

/// Turning guns beyond their arc. ARTY-27
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum Pivot {
    /// When charged: the default.
    IfCharged {},
    /// To this bearing.
    To {
        /// The bearing.
        bearing: Bearing,
    },
    /// Toward this unit.
    At {
        /// The unit.
        unit: UnitId,
    },
    /// Never.
    Never {},
}

/// A limbered battery that is halted. ARTY-43
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum IfHalted {
    /// Unlimber.
    Unlimber {
        /// The bearing; absent: toward what halted it.
        #[serde(default)]
        bearing: Option<Bearing>,
    },
    /// Stay limbered: the default.
    Stay {},
}

/// When a march stops early. MV-27
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum Stop {
    /// As soon as an enemy comes into sight.
    OnSight {},
    /// Outside the close range of every seen enemy.
    BeforeClose {},
    /// So far from every seen enemy, thousandths of an inch.
    Before {
        /// Thousandths of an inch.
        distance: u32,
    },
    /// When fired on.
    IfFiredOn {},
    /// After so many thousandths of an inch.
    After {
        /// Thousandths of an inch.
        travel: u32,
    },
    /// Never: the default.
    Never {},
}

/// Another path, given after the reveal. MV-31
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum PathAnswer {
    /// The default.
    AsOrdered {},
    /// Along these points.
    Waypoints {
        /// From where the unit stands.
        points: Vec<Point>,
        /// Drop the push.
        #[serde(default)]
        no_push: bool,
    },
    /// The same path without the push.
    NoPush {},
    /// The same path, cut after so many thousandths of an inch.
    Shorten {
        /// Thousandths of an inch.
        travel: u32,
    },
    /// Not a step.
    Halt {},
}

/// The formation taken on rallying. RALLY-19
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Reform {
    /// Single line.
    SingleLine,
    /// Extended line.
    ExtendedLine,
    /// Double line.
    DoubleLine,
    /// Attack column.
    AttackColumn,
    /// Skirmish line.
    SkirmishLine,
    /// March column.
    MarchColumn,
    /// Stay as it is.
    None,
}

/// The facing taken on rallying. RALLY-23
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum ReformFacing {
    /// Toward the enemy: the default.
    Enemy {},
    /// As it stands.
    Keep {},
    /// This way.
    Bearing {
        /// The bearing.
        bearing: Bearing,
    },
}

/// A limbered battery that is shaken. SHK-13
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum BatteryWhenShaken {
    /// Unlimber.
    Unlimber,
    /// The default.
    StayLimbered,
}

/// Dismounted cavalry that is shaken. SHK-16
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum CavalryWhenShaken {
    /// The default.
    StayDismounted,
    /// Take to the horses, and fall back as mounted cavalry does.
    Remount,
}

/// What a charged unit does. CF-09
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum IfCharged {
    /// Stand.
    Stand,
    /// Form and face the charge.
    Form,
    /// Form only if the charge takes it in flank.
    FormIfFlanked,
    /// Form only if in disorder.
    FormIfDisordered,
    /// Countercharge.
    Countercharge,
    /// Countercharge a charger in disorder, else stand.
    CounterchargeIfAttackerDisordered,
}

/// Countercharges of units that are not themselves charged. CC-02
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum Countercharge {
    /// The default.
    Never {},
    /// A charger in disorder.
    IfAttackerDisordered {},
    /// When a friend is charged.
    IfFriendCharged {},
    /// A charge that comes within so many thousandths of an inch.
    Within {
        /// Thousandths of an inch.
        distance: u32,
    },
    /// Always.
    Always {},
}
