//! Weapons, dice, DRMs, cover, flank, losses, penetration, sight (FIRE, ENF, COVER, PEN, VIS, AMMO, ADDF).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::provenance::Provenance;
use super::values::{ByChart, ByQuality, Factor, Inches};

/// How a small arm is loaded: a row of `weapon_trait`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loading {
    /// By the muzzle.
    Muzzleloader,
    /// By the breech.
    Breechloader,
    /// From a magazine.
    Repeater,
}

table! {
    /// A row of `small_arm`. Ranges are upper limits.
    SmallArm {
        /// What players call it.
        name: String,
        /// Greatest close range.
        close: Inches,
        /// Greatest normal range.
        normal: Inches,
        /// Greatest range.
        long: Inches,
        /// DRM at every range.
        drm: i32,
        /// Further DRM at close range.
        close_drm: i32,
        /// How it is loaded: its row of `weapon_trait`.
        r#trait: Loading,
    }
}

table! {
    /// A row of `weapon_trait` (TAC-01 to TAC-06, AMMO-01).
    WeaponTrait {
        /// DRM of rapid fire.
        firer_drm: i32,
        /// Dice more in rapid fire.
        extra_dice: i32,
        /// DRM of those who fire at a unit so armed.
        target_drm: i32,
        /// All dice on these faces: out of ammunition.
        out_of_ammo_faces: Vec<u8>,
    }
}

/// `weapon_trait`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeaponTraits {
    /// Muzzleloaders.
    pub muzzleloader: WeaponTrait,
    /// Breechloaders.
    pub breechloader: WeaponTrait,
    /// Repeaters.
    pub repeater: WeaponTrait,
}

impl WeaponTraits {
    /// The row of that loading.
    pub fn at(&self, loading: Loading) -> &WeaponTrait {
        match loading {
            Loading::Muzzleloader => &self.muzzleloader,
            Loading::Breechloader => &self.breechloader,
            Loading::Repeater => &self.repeater,
        }
    }
}

/// `small_arm.<id>`
pub type SmallArms = BTreeMap<String, SmallArm>;

table! {
    /// `dice`: how many dice a fire has, before and after what changes them (FIRE-07 and on).
    Dice {
        /// Fewest dice.
        min: i32,
        /// Most dice.
        max: i32,
        /// In melee.
        melee: i32,
        /// On HOLD.
        hold: i32,
        /// On FIRST FIRE.
        first_fire: i32,
        /// Moved, formed, pivoted, unlimbered, or by prolonge.
        moved: i32,
        /// More at close range; not artillery.
        close_range: i32,
        /// At long range.
        long_range: i32,
        /// Shaken.
        shaken: i32,
        /// Area fire.
        area_fire: i32,
        /// Blind fire, in place of area fire.
        blind_fire: i32,
        /// On Conditional Hold.
        conditional_hold: i32,
        /// Out of ammunition.
        out_of_ammo: i32,
        /// For each earlier fire of the turn.
        additional_fire: i32,
    }
}

table! {
    /// `firer_drm`.
    FirerDrm {
        /// Quality of the firer; melee too.
        quality: ByQuality<i32>,
        /// An officer with infantry or cavalry; melee too.
        officer_present: i32,
        /// An artillery officer with one or two batteries.
        artillery_officer_battery: i32,
        /// An artillery officer with three or more batteries.
        artillery_officer_battalion: i32,
        /// The first fire of a battle (FIRE-20).
        opening_volley: i32,
        /// On FIRST FIRE.
        first_fire: i32,
    }
}

table! {
    /// `target_drm`.
    TargetDrm {
        /// Quality of the target; melee too.
        quality: ByQuality<i32>,
        /// Factor of the mounted formation DRM while charging.
        cavalry_charging_factor: Factor,
    }
}

table! {
    /// A row of `cover_drm` or `flank_drm`.
    ChartRow {
        /// Infantry fire and canister.
        musketry: i32,
        /// Artillery shot and shell.
        shot: i32,
    }
}

impl ChartRow {
    /// The two values.
    pub const fn values(&self) -> ByChart {
        ByChart { musketry: self.musketry, shot: self.shot }
    }
}

/// `cover_drm`: by terrain and buildings (COVER). Works are in `works`; woods add to any other cover.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverDrm {
    /// Behind a wooden fence.
    pub wood_fence: ChartRow,
    /// Behind a stone wall.
    pub stone_wall: ChartRow,
    /// In woods.
    pub woods: ChartRow,
    /// In a wooden building.
    pub wood_building: ChartRow,
    /// In a stone building.
    pub stone_building: ChartRow,
}

table! {
    /// `cover_limits` (COVER-02).
    CoverLimits {
        /// The unit stands nearer than this to its cover; strict.
        max_distance: Inches,
        /// So many of its stands must be covered.
        min_stands_covered: i32,
    }
}

/// `flank_drm` (ENF).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlankDrm {
    /// A partial flank.
    pub partial_flank: ChartRow,
    /// A full flank.
    pub full_flank: ChartRow,
    /// The rear.
    pub rear: ChartRow,
}

table! {
    /// `fire_zone` (FIRE-26, ENF).
    FireZone {
        /// Depth of the primary zone.
        primary_depth: Inches,
        /// Degrees of the secondary zone, to each side.
        secondary_degrees: i32,
        /// Stands of the firer beyond the target's line, for an enfilade.
        stands_behind_line: i32,
        /// Stands of the target in the primary zone, for a full enfilade.
        target_stands_in_primary: i32,
        /// Steps that a refused stand takes off: full to partial, partial to none.
        refused_stand_steps: i32,
    }
}

table! {
    /// `casualty` (FIRE-17, FIRE-32, FIRE-33, COVER-12, PEN, RALLY).
    Casualty {
        /// Factor against skirmishers, rounded down.
        skirmishing_target: Factor,
        /// Factor against those who disengage or are routed; a fraction is one die.
        disengaging_or_routed_target: Factor,
        /// Share of the point's losses that supports take; a fraction is one die.
        support_share_of_point_losses: Factor,
        /// Share of losses that a penetrated unit takes; a fraction is one die.
        penetrated_unit_share: Factor,
        /// Faces on which a fraction kills.
        fraction_kills_on: Vec<u8>,
        /// Faces on which `1*` kills.
        star_kills_on: Vec<u8>,
        /// Figures lost to artillery in a turn that destroy a wooden building (COVER-12).
        wood_building_destroyed_by: i32,
        /// The same of a stone building.
        stone_building_destroyed_by: i32,
        /// Stands lost by a rally that fails.
        stands_lost_per_failed_rally: i32,
    }
}

table! {
    /// `penetration` (PEN). None at long range.
    Penetration {
        /// Infantry at close range.
        infantry_close: Inches,
        /// Infantry at normal range.
        infantry_normal: Inches,
        /// Canister.
        canister: Inches,
        /// Artillery at normal range: dice, an inch a pip.
        artillery_normal_dice: i32,
        /// Factor in woods or rough; works have their own.
        factor_in_woods_or_rough: Factor,
    }
}

table! {
    /// `visibility` (VIS).
    Visibility {
        /// Dice of a pair of units (VIS-02).
        dice: i32,
        /// Sight in light woods, a pip.
        light_woods_inches_per_pip: Inches,
        /// Sight in heavy woods and wooded rough, a pip.
        heavy_woods_inches_per_pip: Inches,
        /// Depth of the edge of woods (VIS-06).
        woods_edge_depth: Inches,
    }
}
