//! Guns, their classes and rules; works and obstacles (ARTY, AMMO-10, COVER, OBS, WORKS).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::provenance::Provenance;
use super::values::{ByChart, ByGround, Factor, Inches};
use crate::ground::Terrain;

/// A class of guns: a row of `gun_class`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GunKind {
    /// Field guns.
    Field,
    /// Siege guns.
    Siege,
    /// Fortress guns.
    Fortress,
}

table! {
    /// A row of `gun`. Ranges are upper limits.
    Gun {
        /// What players call it.
        name: String,
        /// Its class.
        class: GunKind,
        /// A field gun that moves by `movement.artillery_heavy`.
        heavy: bool,
        /// Greatest range of canister.
        canister: Inches,
        /// Greatest normal range.
        normal: Inches,
        /// Greatest range.
        long: Inches,
        /// DRM at every range.
        drm: i32,
    }
}

/// `gun.<id>`
pub type Guns = BTreeMap<String, Gun>;

table! {
    /// A row of `gun_class` (ARTY-22, ARTY-51 to ARTY-55, AMMO-10).
    GunClass {
        /// Dice of canister.
        canister_dice: i32,
        /// Dice of double canister; none: it has none.
        double_canister_dice: Option<i32>,
        /// Charges of canister; double canister uses two.
        canister_charges: i32,
        /// A wagon restores them.
        reloads: bool,
        /// DRM for each consecutive shot at one target.
        consecutive_shot_drm: i32,
        /// It fires once in so many turns.
        fires_every_turns: i32,
        /// All sixes put it out of ammunition.
        ammo_roll: bool,
    }
}

/// `gun_class`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GunClasses {
    /// Field guns.
    pub field: GunClass,
    /// Siege guns.
    pub siege: GunClass,
    /// Fortress guns.
    pub fortress: GunClass,
}

impl GunClasses {
    /// The row of that class.
    pub fn at(&self, kind: GunKind) -> &GunClass {
        match kind {
            GunKind::Field => &self.field,
            GunKind::Siege => &self.siege,
            GunKind::Fortress => &self.fortress,
        }
    }
}

table! {
    /// `gun_rules` (ARTY).
    GunRules {
        /// Degrees to each side.
        arc_degrees: i32,
        /// Factor of ranges in woods.
        range_factor_in_woods: Factor,
        /// Most sections in one fire.
        sections_max_per_fire: i32,
        /// Sections of any batteries fire together so near.
        sections_join_distance: Inches,
        /// Greatest gap between batteries of one battalion.
        battalion_gap: ByGround<Inches>,
        /// Fewest batteries of a battalion.
        battalion_min_batteries: i32,
        /// Most batteries of a battalion.
        battalion_max_batteries: i32,
        /// Over friends only when they stand so far from the target.
        over_friends_min_distance_from_target: Inches,
        /// Faces on which a horse is hit.
        horse_hit_faces: Vec<u8>,
        /// Sections of a whole battery that infantry man.
        manned_by_infantry_sections: i32,
        /// Turns until a crew returns.
        crew_return_turns: i32,
        /// Share of a turn to spike guns (ARTY-47).
        spike_turns: Factor,
        /// Ammunition wagons stand so far behind the line.
        wagon_min_distance_behind_line: Inches,
        /// Turns of a resupply (AMMO-05).
        resupply_turns: i32,
    }
}

/// How strong works are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorksGrade {
    /// Hasty works.
    Hasty,
    /// Medium works.
    Medium,
    /// Heavy works.
    Heavy,
}

/// So many inches of a ground, in place of an extra cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossAs {
    /// The ground.
    pub terrain: Terrain,
    /// How much of it.
    pub inches: Inches,
}

table! {
    /// A row of `works` (WORKS, COVER).
    Works {
        /// DRM of those who fire from them.
        firer_drm: i32,
        /// DRM of those who fire at them.
        target_drm: ByChart,
        /// The same for a unit on the wrong side of them.
        wrong_side_drm: ByChart,
        /// Morale modifier in them.
        morale: i32,
        /// Factor of penetration.
        penetration_factor: Factor,
        /// Turns to build: this times the BMP; none: not built in play.
        build_turns_per_bmp: Option<i32>,
        /// The same with engineers.
        build_turns_per_bmp_engineers: Option<i32>,
        /// Turns to turn them round: this times the BMP.
        turn_round_turns_per_bmp: Option<i32>,
        /// Turns to destroy them.
        destroy_turns: Option<i32>,
        /// Extra cost of crossing.
        cross_cost: Inches,
        /// Or so much of that ground.
        cross_as: CrossAs,
        /// Dice that a charge loses in crossing.
        charge_loss_dice: i32,
    }
}

/// `works`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorksByGrade {
    /// Hasty works.
    pub hasty: Works,
    /// Medium works.
    pub medium: Works,
    /// Heavy works.
    pub heavy: Works,
}

impl WorksByGrade {
    /// The row of that grade.
    pub fn at(&self, grade: WorksGrade) -> &Works {
        match grade {
            WorksGrade::Hasty => &self.hasty,
            WorksGrade::Medium => &self.medium,
            WorksGrade::Heavy => &self.heavy,
        }
    }
}

table! {
    /// A row of `works_destruction`: siege and fortress guns against works.
    WorksDestruction {
        /// Sections that must fire.
        sections: i32,
        /// Modified roll that must be reached.
        roll: i32,
    }
}

/// `works_destruction`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorksDestructionByGrade {
    /// Hasty works.
    pub hasty: WorksDestruction,
    /// Medium works.
    pub medium: WorksDestruction,
    /// Heavy works.
    pub heavy: WorksDestruction,
}

impl WorksDestructionByGrade {
    /// The row of that grade.
    pub fn at(&self, grade: WorksGrade) -> &WorksDestruction {
        match grade {
            WorksGrade::Hasty => &self.hasty,
            WorksGrade::Medium => &self.medium,
            WorksGrade::Heavy => &self.heavy,
        }
    }
}

table! {
    /// `works_destruction_drm`; the guns' own DRMs count too.
    WorksDestructionDrm {
        /// An elite battery.
        elite_battery: i32,
        /// An artillery officer.
        artillery_officer: i32,
    }
}

/// Extra cost of crossing an obstacle by the ground it stands in; in rough ground nothing is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossCost {
    /// In the open.
    pub open: Inches,
    /// In broken ground.
    pub broken: Inches,
    /// In woods.
    pub woods: Inches,
}

impl CrossCost {
    /// The cost in that ground; none in rough, where the table has no number.
    pub fn at(&self, terrain: Terrain) -> Option<Inches> {
        match terrain {
            Terrain::Open => Some(self.open),
            Terrain::Broken => Some(self.broken),
            Terrain::Woods => Some(self.woods),
            Terrain::Rough => None,
        }
    }
}

table! {
    /// A row of `obstacle` (OBS).
    Obstacle {
        /// Turns to build: this times the BMP; none: not built in play.
        build_turns_per_bmp: Option<i32>,
        /// The same with engineers.
        build_turns_per_bmp_engineers: Option<i32>,
        /// Turns to destroy it.
        destroy_turns: i32,
        /// The same with engineers.
        destroy_turns_engineers: i32,
        /// Extra cost of crossing.
        cross_cost: CrossCost,
        /// Or so much of that ground.
        cross_as: CrossAs,
        /// Dice that a charge loses in crossing.
        charge_loss_dice: i32,
        /// An even die of the loss destroys it.
        even_die_destroys: bool,
        /// DRM of musketry and canister across it; not for the unit directly behind it.
        fire_drm: i32,
        /// Share of a turn to swing it open or shut (OBS-23).
        swing_cost_turn: Option<Factor>,
    }
}

/// `obstacle`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Obstacles {
    /// Felled trees.
    pub abatis: Obstacle,
    /// Slanting stakes.
    pub fraise: Obstacle,
    /// Movable stakes.
    pub chevaux_de_frise: Obstacle,
}
