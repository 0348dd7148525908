//! What a viewer is shown: whole, the latest wins.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::event::{Morale, OrderShown, PicketOrder, Stance};
use crate::ids::{BrigadeId, BySide, FeatureId, LeaderId, PicketNumber, RuleRef, ScenarioId, SeatId, Side, UnitId};
use crate::orders::{Hides, Instructions, Order, Stage, Work};
use crate::place::{Bearing, Corners, Point};
use crate::words::{Arm, Quality};

/// Who looks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum Viewer {
    /// A player's place on a side.
    Seat {
        /// His side.
        side: Side,
        /// His seat.
        seat: SeatId,
    },
    /// Somebody of a side without a seat.
    Side {
        /// The side.
        side: Side,
    },
    /// The umpire, who sees all.
    Umpire {},
    /// The public: what both sides know.
    Public {},
}

impl Viewer {
    /// The side whose knowledge the viewer has, where it is one side's.
    pub fn side(&self) -> Option<Side> {
        match self {
            Viewer::Seat { side, .. } | Viewer::Side { side } => Some(*side),
            Viewer::Umpire {} | Viewer::Public {} => None,
        }
    }
}

/// What never changes in a battle: sent once, with the welcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct BattleCard {
    /// The scenario.
    pub scenario: ScenarioId,
    /// Its title.
    pub title: String,
    /// The day, as `1863-07-02`.
    pub date: String,
    /// Clock time of turn 1, as `16:50`. A turn is twenty minutes. SCALE-01
    pub start: String,
    /// Number of turns.
    pub turns: u32,
    /// The story so far, in paragraphs.
    pub story: String,
    /// What history did.
    pub history: String,
    /// The weather in words.
    pub weather: String,
    /// Victory terms, in words, in order.
    pub victory: Vec<String>,
    /// Special rules, in words.
    pub special_rules: Vec<String>,
    /// The map.
    pub map: MapView,
    /// The order of battle: every brigade of both sides that is public.
    pub brigades: Vec<BrigadeCard>,
    /// The units of both sides by name; in the fog `line_of_sight` alone, where a view has only whom its viewer sees. LOS-06
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<RosterUnit>>")]
    pub roster: Vec<RosterUnit>,
    /// Their leaders, by the names that the scenario prints; in that fog alone. LOS-15
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<RosterLeader>>")]
    pub officers: Vec<RosterLeader>,
    /// Hash of the rule tables in force.
    pub ruleset: String,
    /// Postures that may be given, with a sentence each. TURN-08
    pub postures: Vec<PostureCard>,
    /// The house-rules sheet, with what this battle plays of each line. SCN-20
    #[serde(default)]
    pub house_rules: Vec<HouseRuleCard>,
    /// The club's own chart, where it plays one. SCN-20
    #[serde(default)]
    pub chart: Option<ChartCard>,
}

/// A line of the house-rules sheet. SCN-20
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct HouseRuleCard {
    /// Its word in files and messages.
    pub id: String,
    /// What sort of doubt it settles: `optional` by the book, a `number` of two, or a `ruling`.
    pub kind: String,
    /// What is chosen, in plain words.
    pub title: String,
    /// The rules whose ruling it changes.
    pub rules: Vec<RuleRef>,
    /// The ways to play it.
    pub choices: Vec<HouseChoiceCard>,
    /// The word of the server's own ruling.
    pub default: String,
    /// The word of what is played.
    pub chosen: String,
}

/// One way to play a line of the house-rules sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct HouseChoiceCard {
    /// Its word in files and messages.
    pub word: String,
    /// What it means, in plain words.
    pub meaning: String,
}

/// A club's own chart: what it changes in the tables. SCN-20
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct ChartCard {
    /// What the club calls it.
    pub title: String,
    /// How many cells differ from the printed ones.
    pub differing: u32,
    /// The cells that differ, by their paths.
    pub cells: Vec<ChartCellCard>,
}

/// A cell that a club's own chart changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct ChartCellCard {
    /// Its path, such as `crt.12.16`.
    pub path: String,
    /// What stands in the tables.
    pub printed: String,
    /// What the club plays.
    pub played: String,
}

/// A posture as offered. TURN-08
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct PostureCard {
    /// Its name.
    pub name: String,
    /// What it means.
    pub sentence: String,
    /// The arms it is for.
    pub arms: Vec<Arm>,
    /// The keys that it stands for; those that a unit cannot use are dropped.
    #[serde(default)]
    pub instructions: Instructions,
}

/// A brigade or gun battalion of the order of battle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct BrigadeCard {
    /// The brigade.
    pub id: BrigadeId,
    /// What players call it.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// Its commander's post.
    pub commander: Option<LeaderId>,
    /// Its units.
    pub units: Vec<UnitId>,
}

/// A unit as the order of battle has it, whatever has become of it. LOS-06
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct RosterUnit {
    /// The unit.
    pub unit: UnitId,
    /// What players call it.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// Its brigade.
    pub brigade: Option<BrigadeId>,
    /// Its arm.
    pub arm: Arm,
    /// Its quality.
    pub quality: Quality,
    /// Its weapon or gun, as the tables call it.
    pub weapon: String,
    /// Figures at the start.
    pub figures: u32,
    /// Stands at the start.
    pub stands: u32,
}

/// A leader as the order of battle has him, whatever has become of him. LOS-15
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct RosterLeader {
    /// The post.
    pub leader: LeaderId,
    /// The man who holds it at the start.
    pub name: String,
    /// His side.
    pub side: Side,
    /// `brigade`, `division`, `corps` or `army`.
    pub post: String,
}

/// The map as drawn. Outlines are in order and not closed by a repeated point.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct MapView {
    /// East-west extent, thousandths of an inch.
    pub width: i32,
    /// North-south extent, thousandths of an inch.
    pub height: i32,
    /// Terrain areas; `terrain` is `open`, `broken`, `woods` or `rough`, `wooded` `none`, `light` or `heavy`.
    pub areas: Vec<AreaView>,
    /// Contours.
    pub contours: Vec<ContourView>,
    /// Roads and trails; `kind` is `road` or `trail`.
    pub ways: Vec<LineView>,
    /// Streams.
    pub streams: Vec<LineView>,
    /// Fences, walls, works; `kind` is `fence`, `stone_wall`, `bank`, `hasty_works`, `medium_works`, `heavy_works`, `abatis`, `fraise` or `chevaux_de_frise`.
    pub obstacles: Vec<LineView>,
    /// Buildings; `kind` is `wood` or `stone`.
    pub buildings: Vec<OutlineView>,
    /// Named places and objectives.
    pub places: Vec<OutlineView>,
}

/// A terrain area as drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct AreaView {
    /// The map's word for it.
    pub id: FeatureId,
    /// What players call it.
    pub name: String,
    /// The kind of ground.
    pub terrain: String,
    /// Its trees.
    pub wooded: String,
    /// Its outline.
    pub outline: Vec<Point>,
}

/// A contour as drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct ContourView {
    /// Feet above the lowest ground.
    pub feet: i32,
    /// Its outline.
    pub outline: Vec<Point>,
}

/// A line as drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct LineView {
    /// The map's word for it.
    pub id: FeatureId,
    /// What players call it; may be empty.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// The line.
    pub line: Vec<Point>,
    /// Full width, thousandths of an inch; 0 for a bare line.
    pub width: i32,
}

/// An outlined thing as drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct OutlineView {
    /// The map's word for it.
    pub id: FeatureId,
    /// What players call it.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Its outline.
    pub outline: Vec<Point>,
}

/// The battle as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct View {
    /// Who looks.
    pub viewer: Viewer,
    /// The turn, from 1; one more than the last when the battle is over. 0 while the sides place their units.
    pub turn: u32,
    /// The stage whose window is open, or which is being resolved.
    pub stage: Stage,
    /// Clock time, as `17:10`.
    pub clock: String,
    /// Units on the table and, for their own side, those still to come.
    pub units: Vec<UnitView>,
    /// Leaders on the table and, for their own side, those still to come.
    pub leaders: Vec<LeaderView>,
    /// Brigades with what may be known of their state.
    pub brigades: Vec<BrigadeView>,
    /// Pickets, by number.
    pub pickets: Vec<PicketView>,
    /// Pickets that are no more, by number. HID-12
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<PicketGoneView>>")]
    pub pickets_gone: Vec<PicketGoneView>,
    /// Enemy units as the side saw them last, while it does not see them; in the fog `line_of_sight` alone. LOS-07
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<GhostView>>")]
    pub ghosts: Vec<GhostView>,
    /// Guns without a crew. ROUT-08
    pub abandoned: Vec<AbandonedGunsView>,
    /// Ammunition wagons that are left. AMMO-06
    #[serde(default)]
    pub wagons: Vec<WagonView>,
    /// Obstacles and buildings that are gone; obstacles that are not as the map has them are among them.
    pub destroyed: Vec<FeatureId>,
    /// Obstacles and works that were built, and what is left of those that are not as the map has them. OBS-01
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<ObstacleView>>")]
    pub obstacles: Vec<ObstacleView>,
    /// Who held each objective last.
    pub objectives: Vec<ObjectiveView>,
    /// The score of open facts: the same for all.
    pub score: BySide<i32>,
    /// What the hidden units that the viewer knows would change about it; absent without pickets of his own. SCNV-15
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hidden_score: Option<BySide<i32>>,
    /// Set when the battle is over.
    pub result: Option<ResultView>,
    /// What all pickets were, once the battle is over; not while the campaign goes on of which it was part. HID-72, LEAK-75
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<DisclosedPicketView>>")]
    pub disclosed: Vec<DisclosedPicketView>,
    /// What the viewer may place, and where; only in turn 0. SCN-06
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub deployment: Option<DeploymentView>,
}

/// What a seat may place before turn 1, and where. Of the enemy's zones, units and places nothing stands here. SCN-06
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct DeploymentView {
    /// The zones of the own side.
    pub zones: Vec<ZoneView>,
    /// The units that the seat places.
    pub units: Vec<PlaceableView>,
    /// The leaders that the seat places.
    pub leaders: Vec<LeaderId>,
    /// What may begin under pickets; absent where hidden movement is not played. HID-05
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hiding: Option<HidingView>,
}

/// A zone in which units may begin. SCN-06
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct ZoneView {
    /// The scenario's word for it.
    pub id: String,
    /// Its outline.
    pub outline: Vec<Point>,
    /// The seat's units that may begin in it.
    pub units: Vec<UnitId>,
    /// The seat's leaders that may.
    pub leaders: Vec<LeaderId>,
}

/// A unit that may be placed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct PlaceableView {
    /// The unit.
    pub unit: UnitId,
    /// How it would stand at its printed place and facing, in each formation in which it may begin; the printed formation
    /// is the first. Elsewhere it stands the same, moved and turned as a whole.
    pub stances: Vec<Stance>,
}

/// An obstacle or works as it stands now. OBS-01
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct ObstacleView {
    /// The map's word for it, or the one that it was given when it was built.
    pub id: FeatureId,
    /// Its kind, as `MapView::obstacles` has it.
    pub kind: String,
    /// Swung aside: it can be passed, and swung shut again. OBS-23
    pub open: bool,
    /// Its whole line while it is swung aside; else what stands of it, a line each. Works face to the left of their line.
    pub lines: Vec<Vec<Point>>,
}

/// Work in hand, as all see it. OBS-06
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct WorkView {
    /// What is built or destroyed.
    pub work: Work,
    /// Turns counted so far.
    pub turns: u32,
    /// Turns that are still needed, as it works now.
    pub left: u32,
    /// For its own side: the line along which it builds, or the stretch that it destroys or turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Point>>")]
    pub line: Vec<Point>,
}

/// An objective and its holder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct ObjectiveView {
    /// The place.
    pub place: FeatureId,
    /// What players call it.
    pub name: String,
    /// What it is worth.
    pub points: i32,
    /// Who held it last alone.
    pub held_by: Option<Side>,
}

/// The end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct ResultView {
    /// The winner; absent for a draw.
    pub winner: Option<Side>,
    /// Final points.
    pub points: BySide<i32>,
    /// The arithmetic, a line a term.
    pub lines: Vec<String>,
}

/// A unit as seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct UnitView {
    /// The unit.
    pub id: UnitId,
    /// What players call it.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// Its brigade.
    pub brigade: Option<BrigadeId>,
    /// Its arm.
    pub arm: Arm,
    /// Its quality.
    pub quality: Quality,
    /// Its weapon or gun, as the tables call it.
    pub weapon: String,
    /// How it stands; absent while it is not on the table.
    pub stance: Option<Stance>,
    /// Its stands, in the order of `Stance::stands`.
    pub stands: Vec<StandView>,
    /// Figures at the start.
    pub figures_at_start: u32,
    /// Stands at the start.
    pub stands_at_start: u32,
    /// Sections of guns left; batteries only.
    pub sections: Option<u32>,
    /// Horses left; batteries only.
    pub horses: Option<u32>,
    /// Whether horse is in the saddle; absent for all others. CAV-13
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mounted: Option<bool>,
    /// Morale.
    pub morale: Morale,
    /// Sharpshooters who have joined it. SHARP-11
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sharpshooters: Option<UnitId>,
    /// The regiments of the brigade column in which it stands, from the head. TAC-34
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<UnitId>>")]
    pub column: Vec<UnitId>,
    /// Is an engineer or pioneer unit, or has a company of them with it. OBS-05
    #[serde(default, skip_serializing_if = "crate::orders::is_false")]
    #[ts(optional, as = "Option<bool>")]
    pub engineers: bool,
    /// The work that it has in hand. OBS-06
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub work: Option<WorkView>,
    /// Out of ammunition.
    pub ammunition_out: bool,
    /// In command, as marked for the turn.
    pub in_command: bool,
    /// Its order, once revealed.
    pub shown: Option<OrderShown>,
    /// Fires made this turn.
    pub fires: u32,
    /// Where it is: `table`, `to_come`, `removed`, `left`, `attached`; `hidden` for its own side alone.
    pub presence: Presence,
    /// The picket under which it is, or was before it was revealed. HID-12
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub picket: Option<PicketNumber>,
    /// For its own side.
    pub own: Option<OwnUnitView>,
}

/// What a side remembers of an enemy unit that it does not see. LOS-07
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct GhostView {
    /// The unit.
    pub unit: UnitId,
    /// What players call it.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// Its arm.
    pub arm: Arm,
    /// How it stood when it was last seen.
    pub stance: Stance,
    /// Figures that it had on each stand.
    pub left: Vec<u32>,
    /// Its morale then.
    pub morale: Morale,
    /// The turn in which it was last seen.
    pub turn: u32,
    /// The stage.
    pub stage: Stage,
    /// How good the memory is.
    pub confidence: Confidence,
}

/// How good a memory is. LOS-08
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Confidence {
    /// Of this turn.
    Fresh,
    /// Of the turn before.
    Doubtful,
    /// Older.
    Old,
}

/// Guns that their crew has left on the field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct AbandonedGunsView {
    /// The battery whose guns they were; its unit goes on as the crew.
    pub battery: UnitId,
    /// What players call that battery.
    pub name: String,
    /// Whose guns they were.
    pub side: Side,
    /// The corners of their stand.
    pub corners: Corners,
    /// Sections.
    pub sections: u32,
    /// Spiked by their crew. ARTY-47
    pub spiked: bool,
}

/// An ammunition wagon. AMMO-06
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct WagonView {
    /// The scenario's word for it.
    pub id: UnitId,
    /// Whose it is.
    pub side: Side,
    /// The corners of its stand.
    pub corners: Corners,
}

/// Where a unit or leader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Presence {
    /// On the table.
    Table,
    /// Still to arrive.
    ToCome,
    /// Picked up, disintegrated or surrendered.
    Removed,
    /// Left the table.
    Left,
    /// Sharpshooters who have joined a regiment. SHARP-11
    Attached,
    /// Under a picket; shown to its own side alone. HID-01
    Hidden,
}

/// One stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct StandView {
    /// Figures left.
    pub figures: u32,
    /// Figures at the start.
    pub full: u32,
}

/// What only its own side knows of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct OwnUnitView {
    /// The seat that commands it.
    pub seat: SeatId,
    /// The order in force this turn, once sealed.
    pub order: Option<Order>,
    /// Instructions in force, once sealed.
    pub instructions: Instructions,
    /// Why it may not advance, charge and so on this turn, in words with rules.
    pub limits: Vec<String>,
    /// Its base morale point. MOR-41
    pub bmp: i32,
    /// Canister charges left; batteries only. AMMO-10
    pub canister: Option<u32>,
    /// Turn of arrival, where it is still to come.
    pub arrives: Option<u32>,
    /// Where and how it comes in, if it stands at the door this turn: it may be told to move, its path beginning there, or to
    /// hold, which is to wait. SCN-11
    pub at_door: Option<Stance>,
    /// The most inches it could move in open ground, thousandths.
    pub open_rate: u32,
    /// Range bands in thousandths of an inch: close, normal, long.
    pub ranges: [u32; 3],
}

/// A leader as seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct LeaderView {
    /// The post.
    pub id: LeaderId,
    /// The man.
    pub name: String,
    /// His side.
    pub side: Side,
    /// `brigade`, `division`, `corps` or `army`.
    pub post: String,
    /// His level; 0 gives no benefit. LEAD-02
    pub level: u8,
    /// Centre of his stand; absent while he is not on the table.
    pub at: Option<Point>,
    /// Corners of his stand.
    pub corners: Option<Corners>,
    /// The unit he is with.
    pub attached: Option<UnitId>,
    /// His brigade, for a brigade commander.
    pub brigade: Option<BrigadeId>,
    /// The post above him.
    pub superior: Option<LeaderId>,
    /// Command radius, thousandths of an inch. CMD-02
    pub command_radius: u32,
    /// Benefit radius, thousandths of an inch. LEAD-02
    pub benefit_radius: u32,
    /// Wounded until this turn.
    pub wounded_until: Option<u32>,
    /// Where he is.
    pub presence: Presence,
    /// The seat that moves him; own side only.
    pub seat: Option<SeatId>,
}

/// A brigade's public state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct BrigadeView {
    /// The brigade.
    pub id: BrigadeId,
    /// Command points at the start. LVL-01
    pub points: u32,
    /// Command points lost; own side only. LVL-02
    pub lost: Option<u32>,
    /// May not attack at 40, must withdraw at 60; 0 below. LVL-04, LVL-05
    pub level: u8,
}

/// A picket as seen. HID-12
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct PicketView {
    /// Its number.
    pub number: PicketNumber,
    /// Its side.
    pub side: Side,
    /// Where.
    pub at: Point,
    /// Its facing.
    pub facing: Bearing,
    /// Known to hide something since this turn. HID-44
    pub confirmed: Option<u32>,
    /// Its order of this turn, once revealed. HID-20
    pub shown: Option<PicketOrder>,
    /// The line that it travelled last, the start first; empty: it has not moved. HID-12
    pub travelled: Vec<Point>,
    /// Hash of what it hides with a random salt, both disclosed after the battle, in hexadecimal digits. HID-72
    pub commitment: String,
    /// For its own side; of every enemy picket absent alike.
    pub own: Option<OwnPicketView>,
}

/// What only its own side knows of a picket. HID-13
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct OwnPicketView {
    /// The seat that commands it.
    pub seat: SeatId,
    /// What it hides; its units stand in the view's units, hidden.
    pub hides: Hides,
    /// The units under it, in the order of the plan.
    pub units: Vec<UnitId>,
    /// Leaders under it. HID-11
    pub leaders: Vec<LeaderId>,
    /// The order in force this turn, once sealed.
    pub order: Option<Order>,
    /// Instructions in force, once sealed.
    pub instructions: Instructions,
    /// Why it may not move and so on this turn, in words with rules.
    pub limits: Vec<String>,
    /// The most inches it could move in open ground, thousandths; of a dummy those of a skirmish line. HID-23
    pub open_rate: u32,
}

/// A picket that is no more. HID-12
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct PicketGoneView {
    /// Its number.
    pub number: PicketNumber,
    /// Its side.
    pub side: Side,
    /// The turn.
    pub turn: u32,
    /// How.
    pub how: crate::event::PicketEnd,
}

/// What a picket was, disclosed to all after the battle: its published hash can be worked out again (docs/dice.md). HID-72
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct DisclosedPicketView {
    /// Its number.
    pub number: PicketNumber,
    /// Its side.
    pub side: Side,
    /// What it hid, and the leaders under it: the JSON that the hash covers.
    pub contents: String,
    /// Its line in its side's roster.
    pub line: String,
    /// The salt, in hexadecimal digits.
    pub salt: String,
    /// The hash that was published, in hexadecimal digits.
    pub commitment: String,
}

/// What may begin hidden. HID-05, HID-06
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct HidingView {
    /// The seat's units that may.
    pub units: Vec<UnitId>,
    /// The seat's brigades that may ride on one picket. HID-07
    pub brigades: Vec<BrigadeId>,
    /// Dummies that the seat may place.
    pub dummies: u32,
}

/// Orders as drafted, by seat of the own side, for display beside the view.
pub type DraftsBySeat = BTreeMap<SeatId, crate::orders::Draft>;
