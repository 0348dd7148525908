//! Movement rates, limits, bonus movement, costs, scales (SCALE, ORG, FORM, MOVE, MV).

use std::collections::BTreeMap;

use protocol::words::{Formation, Quality};
use serde::{Deserialize, Serialize};

use super::provenance::Provenance;
use super::values::{ByPost, ByQuality, ByWay, Factor, Inches};
use crate::ground::Terrain;

/// The group of rows in `movement` and `formation_effect`: an arm as it stands on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Branch {
    /// Foot.
    Infantry,
    /// Cavalry in the saddle (CAV-01).
    CavalryMounted,
    /// Cavalry on foot (CAV-02).
    CavalryDismounted,
    /// Field guns. In `formation_effect` every class of guns.
    Artillery,
    /// Heavy field guns (ARTY-51).
    ArtilleryHeavy,
    /// Siege guns.
    ArtillerySiege,
    /// Fortress guns, which never move.
    ArtilleryFortress,
    /// Gunners parted from their guns (ROUT-08).
    ArtilleryCrew,
    /// A leader in the saddle (MOVE-16).
    OfficerMounted,
    /// A leader on foot (MOVE-16).
    OfficerFoot,
    /// A detached sharpshooter stand (SHARP-01).
    Sharpshooter,
    /// A wagon (AMMO-05).
    Wagon,
}

/// A row of `movement` or `formation_effect` within its branch: a formation, or a state that replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FormationRow {
    /// FORM-04
    SingleLine,
    /// FORM-05
    ExtendedLine,
    /// FORM-06
    DoubleLine,
    /// FORM-07
    AttackColumn,
    /// FORM-09
    SkirmishLine,
    /// FORM-19
    MarchColumn,
    /// TAC-27
    BrigadeColumn,
    /// TAC-11
    LineWithReserve,
    /// TAC-16
    LineWithSkirmishers,
    /// TAC-37
    Square,
    /// Dismounted cavalry's line.
    DismountedLine,
    /// ARTY-01
    Limbered,
    /// ARTY-01
    Unlimbered,
    /// Guns drawn by ropes (ARTY-44).
    Prolonge,
    /// Fortress guns.
    Emplaced,
    /// In disorder, whatever the geometry (FORM-26).
    Disorder,
    /// Routed (ROUT chapter). Not for the turn of the rout itself, which uses bonus dice.
    Routed,
    /// A leader, who has no formation.
    Any,
    /// An ammunition wagon.
    AmmoWagon,
}

impl From<Formation> for FormationRow {
    fn from(formation: Formation) -> Self {
        match formation {
            Formation::SingleLine => FormationRow::SingleLine,
            Formation::ExtendedLine => FormationRow::ExtendedLine,
            Formation::DoubleLine => FormationRow::DoubleLine,
            Formation::AttackColumn => FormationRow::AttackColumn,
            Formation::SkirmishLine => FormationRow::SkirmishLine,
            Formation::MarchColumn => FormationRow::MarchColumn,
            Formation::LineWithReserve => FormationRow::LineWithReserve,
            Formation::LineWithSkirmishers => FormationRow::LineWithSkirmishers,
            Formation::BrigadeColumn => FormationRow::BrigadeColumn,
            Formation::Square => FormationRow::Square,
            Formation::DismountedLine => FormationRow::DismountedLine,
            Formation::Limbered => FormationRow::Limbered,
            Formation::Unlimbered => FormationRow::Unlimbered,
        }
    }
}

table! {
    /// Inches a turn by ground (MOVE-01). None: no such move; no road rate: the rate of the ground beside the road.
    Rates {
        /// Along a road.
        road: Option<Inches>,
        /// In the open.
        open: Option<Inches>,
        /// In broken ground.
        broken: Option<Inches>,
        /// In woods.
        woods: Option<Inches>,
        /// In rough ground.
        rough: Option<Inches>,
    }
}

impl Rates {
    /// The rate in that ground, off the road. None: it may not go there.
    pub fn at(&self, terrain: Terrain) -> Option<Inches> {
        match terrain {
            Terrain::Open => self.open,
            Terrain::Broken => self.broken,
            Terrain::Woods => self.woods,
            Terrain::Rough => self.rough,
        }
    }

    /// The rates in order: road, open, broken, woods, rough.
    pub fn all(&self) -> [Option<Inches>; 5] {
        [self.road, self.open, self.broken, self.woods, self.rough]
    }
}

/// `movement.<branch>.<formation>`
pub type Movement = BTreeMap<Branch, BTreeMap<FormationRow, Rates>>;

/// How a wheel is measured (MV-19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WheelMeasure {
    /// The straight line between the ends of the outer stand's way.
    Chord,
    /// The way itself.
    Arc,
}

table! {
    /// `movement_limits` (FORM, MOVE, MV, ARTY).
    MovementLimits {
        /// Skirmishers come no nearer to an enemy.
        skirmisher_min_distance_to_enemy: Inches,
        /// Artillery comes no nearer to infantry.
        artillery_min_distance_to_infantry: Inches,
        /// Artillery comes no nearer to artillery.
        artillery_min_distance_to_artillery: Inches,
        /// Artillery comes no nearer to cavalry.
        artillery_min_distance_to_cavalry: Inches,
        /// Ordinary moves stop so far from an enemy (MV-26).
        move_stops_before_enemy: Inches,
        /// An about face of a single or double line costs so much (MV-21).
        about_face_cost: Inches,
        /// Rate while going backward, facing the enemy (MV-22).
        backward_rate_factor: Factor,
        /// Degrees; beyond it the whole move is in disorder.
        oblique_limit_degrees: i32,
        /// End stands refused without cost (ENF-12).
        refuse_stands_free: i32,
        /// How a wheel is measured (MV-19).
        wheel_measure: WheelMeasure,
        /// A trail is this ground, for march columns only (FORM-20).
        trail_counts_as: Terrain,
        /// With so few stands left it advances only with an officer (ORD-10).
        half_strength_stands: i32,
        /// Rate of a battery that lost one of its horses.
        one_horse_lost_rate_factor: Factor,
    }
}

table! {
    /// `bonus_movement`: charge, disengagement, the run of a unit that routs, quick march (MOVE-11 to MOVE-15).
    BonusMovement {
        /// Dice by ground.
        dice: ByWay<i32>,
        /// Inches a pip by ground.
        die_factor: ByWay<Factor>,
        /// Length of a push (MOVE-13).
        push_inches: ByWay<Inches>,
        /// Bonus moves a turn (MOVE-12).
        max_per_turn: i32,
        /// Faces by which a routing unit picks up its neighbours (ROUT).
        rout_pickup_faces: ByQuality<Vec<u8>>,
    }
}

/// The unit in which a cost is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostUnit {
    /// A share of the turn's movement.
    Turn,
    /// Inches of movement.
    Inch,
}

/// What something costs a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Price {
    /// A share of the turn's movement; 1000 is all of it, siege guns need more than one turn.
    Turn(Factor),
    /// Inches of movement.
    Inch(Inches),
}

table! {
    /// A row of `cost`.
    Cost {
        /// Elite units.
        elite: Factor,
        /// Veteran units.
        veteran: Factor,
        /// Green units.
        green: Factor,
        /// Militia.
        militia: Factor,
        /// What the numbers are.
        unit: CostUnit,
    }
}

impl Cost {
    /// What it costs a unit of that quality.
    pub fn of(&self, quality: Quality) -> Price {
        let number = match quality {
            Quality::Elite => self.elite,
            Quality::Veteran => self.veteran,
            Quality::Green => self.green,
            Quality::Militia => self.militia,
        };
        match self.unit {
            CostUnit::Turn => Price::Turn(number),
            CostUnit::Inch => Price::Inch(Inches(number.0)),
        }
    }
}

/// `cost`: what changes of formation and the like cost, by quality.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// Reforming from skirmish line or disorder.
    pub reform: Cost,
    /// From front to flank.
    pub front_to_flank: Cost,
    /// Limbering a field battery (ARTY-02).
    pub limber: Cost,
    /// Unlimbering a field battery (ARTY-02).
    pub unlimber: Cost,
    /// Heavy field guns, either way.
    pub limber_or_unlimber_heavy: Cost,
    /// Siege guns, either way: turns.
    pub limber_or_unlimber_siege: Cost,
    /// Mounting (MOVE-10).
    pub mount: Cost,
    /// Dismounting (MOVE-10).
    pub dismount: Cost,
    /// Reform, change, limber, mount or dismount in woods or rough.
    pub any_change_in_woods_or_rough: Cost,
    /// Forming square (TAC-37).
    pub form_square: Cost,
    /// Forming a brigade column (TAC-27).
    pub form_brigade_column: Cost,
    /// Lying down or rising (TAC-07).
    pub go_prone_or_rise: Cost,
    /// Infantry over a fence or wall in the open (MOVE-08).
    pub cross_fence_infantry: Cost,
    /// Everybody else over a fence or wall in the open (MOVE-08).
    pub cross_fence_other_arms: Cost,
    /// Any other change of formation of a formed unit, not in woods or rough.
    pub change_formation: Cost,
}

/// Width of an infantry stand by the largest number of figures on a stand of the unit (ORG).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandWidth {
    /// One figure.
    #[serde(rename = "1")]
    pub one: Inches,
    /// Two figures.
    #[serde(rename = "2")]
    pub two: Inches,
    /// Three figures.
    #[serde(rename = "3")]
    pub three: Inches,
    /// Four figures.
    #[serde(rename = "4")]
    pub four: Inches,
    /// Five figures.
    #[serde(rename = "5")]
    pub five: Inches,
}

impl StandWidth {
    /// The width for so many figures; less than one counts as one, more than five as five.
    pub fn at(&self, figures: i32) -> Inches {
        match figures {
            ..=1 => self.one,
            2 => self.two,
            3 => self.three,
            4 => self.four,
            5.. => self.five,
        }
    }
}

table! {
    /// `scale` (SCALE, ORG).
    Scale {
        /// Yards on the ground for an inch of the table.
        yards_per_inch: i32,
        /// Minutes of battle for a turn.
        minutes_per_turn: i32,
        /// Men for a figure.
        men_per_figure: i32,
        /// Guns for a section.
        guns_per_section: i32,
        /// Stands of a regiment.
        stands_per_unit: i32,
        /// Most figures on a stand of infantry.
        max_infantry_figures_per_stand: i32,
        /// Most figures on a stand of cavalry.
        max_cavalry_figures_per_stand: i32,
        /// Horses of a battery, as the rules count them (ORG-10).
        horses_per_battery: i32,
        /// Width of an infantry stand.
        infantry_stand_width: StandWidth,
        /// Depth of an infantry stand.
        infantry_stand_depth: Inches,
        /// Width of a cavalry stand.
        cavalry_stand_width: Inches,
        /// Depth of a cavalry stand.
        cavalry_stand_depth: Inches,
        /// Width of a battery.
        battery_width: Inches,
        /// Depth of an unlimbered battery.
        battery_depth: Inches,
        /// Depth of a limbered battery (ORG-09).
        battery_limbered_depth: Inches,
        /// Side of a leader's square stand.
        officer_stand: ByPost<Inches>,
        /// Factor by figure size; display only (SCALE-03).
        display: BTreeMap<String, Factor>,
    }
}
