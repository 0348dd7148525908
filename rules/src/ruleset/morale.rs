//! Morale, rallies, leaders, command, officers lost (MOR, SHK, ROUT, RALLY, LEAD, CMD, LVL, OFF).

use serde::{Deserialize, Serialize};

use super::provenance::Provenance;
use super::values::{ByGround, ByPost, ByQuality, Factor, Inches};

table! {
    /// `bmp`: the basic morale point (MOR-41).
    Bmp {
        /// Elite.
        elite: i32,
        /// Veteran.
        veteran: i32,
        /// Green.
        green: i32,
        /// Militia.
        militia: i32,
    }
}

impl Bmp {
    /// By quality.
    pub const fn values(&self) -> ByQuality<i32> {
        ByQuality { elite: self.elite, veteran: self.veteran, green: self.green, militia: self.militia }
    }

    /// The BMP of that quality.
    pub fn at(&self, quality: protocol::words::Quality) -> i32 {
        *self.values().at(quality)
    }
}

table! {
    /// `morale_check` (MOR, TC).
    MoraleCheck {
        /// Dice of a check.
        dice: i32,
        /// Sum of the dice that rallies whatever the modifiers.
        natural_rally: i32,
        /// Sum of the dice that routs whatever the modifiers.
        natural_rout: i32,
        /// For each figure lost to artillery or sharpshooters, in the hit check (MOR-12).
        per_figure_lost_to_artillery: i32,
        /// Events are seen so far.
        see_event_distance: Inches,
        /// Dice of a competence roll (TC).
        competence_dice: i32,
        /// The only modifier of a competence roll: an officer.
        competence_officer: i32,
    }
}

table! {
    /// `morale_modifier`: added to the BMP. In works: `works.<grade>.morale`.
    MoraleModifier {
        /// A brigade commander by post; by level see `leader_level`.
        officer_brigade: i32,
        /// A division commander by post.
        officer_division: i32,
        /// A corps commander by post.
        officer_corps: i32,
        /// Charge elan; impact too, counted once.
        charging: i32,
        /// Behind cover.
        behind_cover: i32,
        /// In woods.
        in_woods: i32,
        /// Behind friendlies.
        behind_friendlies: i32,
        /// For each stand lost.
        per_stand_lost: i32,
        /// For each section lost.
        per_section_lost: i32,
        /// For each section lost, three or more batteries checking together.
        per_section_lost_by_battalion: i32,
        /// The brigade's commander was lost.
        brigade_commander_lost: i32,
        /// For each regiment of the brigade that was lost, from the next turn.
        per_regiment_lost_of_brigade: i32,
        /// Shaken.
        shaken: i32,
        /// Routed.
        routed: i32,
        /// The option: he leads the charge (LEAD-14).
        leading_the_charge: i32,
    }
}

table! {
    /// A row of `morale_if_hit`.
    IfHit {
        /// Hit by fire.
        fire: i32,
        /// Hit by a charge: morale and impact; none: it does not count there.
        charge: Option<i32>,
    }
}

/// `morale_if_hit`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoraleIfHit {
    /// On a partial flank.
    pub partial_flank: IfHit,
    /// On a full flank.
    pub full_flank: IfHit,
    /// In the rear.
    pub rear: IfHit,
    /// In disorder; in a charge the +4 is `formation_effect.impact`.
    pub in_disorder: IfHit,
    /// While forming.
    pub while_forming: IfHit,
    /// On Conditional Hold.
    pub on_conditional_hold: IfHit,
    /// Option: artillery adds this to the fire column (MOR-62).
    pub option_artillery: IfHit,
}

/// A value for each way in which troops fall back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByFallback<T> {
    /// Foot.
    pub infantry: T,
    /// Guns ready to fire.
    pub artillery_unlimbered: T,
    /// Guns behind their limbers.
    pub artillery_limbered: T,
    /// Cavalry in the saddle.
    pub cavalry_mounted: T,
    /// Cavalry that stays on foot.
    pub cavalry_dismounted: T,
    /// Cavalry that mounts again.
    pub cavalry_remounted: T,
}

table! {
    /// `fallback` (SHK, MOR-60). An officer holds a unit within his radius (SHK-01).
    Fallback {
        /// Dice of a unit that becomes shaken, an inch a pip.
        shaken_dice: ByFallback<i32>,
        /// Factor of the sum.
        distance_factor: ByFallback<Factor>,
    }
}

table! {
    /// `rally` (RALLY).
    Rally {
        /// Dice of a rally.
        dice: i32,
        /// Radius of the zone in which it is protected.
        protection_zone: Inches,
        /// No enemy so near counts as behind friendlies.
        no_enemy_within: Inches,
        /// Cover counts so near.
        cover_distance: Inches,
    }
}

table! {
    /// A row of `leader_level` (LEAD).
    LeaderLevel {
        /// Morale modifier.
        morale: i32,
        /// Units that he helps in a phase.
        units: i32,
        /// How far he helps.
        radius: Inches,
        /// Firer DRM.
        firer_drm: i32,
        /// Modifier of a competence roll.
        competence: i32,
        /// Orders that he gives (CMD-12).
        orders: i32,
    }
}

/// `leader_level`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaderLevels {
    /// Level 0.
    #[serde(rename = "0")]
    pub zero: LeaderLevel,
    /// Level 1.
    #[serde(rename = "1")]
    pub one: LeaderLevel,
    /// Level 2.
    #[serde(rename = "2")]
    pub two: LeaderLevel,
    /// Level 3.
    #[serde(rename = "3")]
    pub three: LeaderLevel,
}

impl LeaderLevels {
    /// The row of that level; above 3 as 3.
    pub fn at(&self, level: u8) -> &LeaderLevel {
        match level {
            0 => &self.zero,
            1 => &self.one,
            2 => &self.two,
            3.. => &self.three,
        }
    }
}

table! {
    /// `leaders` (LEAD).
    Leaders {
        /// Level of an average man in that post.
        level_by_post: ByPost<u8>,
        /// Units fewer in woods or rough (LEAD-08).
        units_less_in_woods_or_rough: i32,
        /// But at least so many, levels 1 to 3.
        min_units_in_woods_or_rough: i32,
        /// Orders of its own of an elite regiment (CMD-12).
        elite_regiment_own_orders: i32,
        /// Level of a brigade commander's replacement (LEAD-16).
        replacement_brigade_level: u8,
        /// Level of a higher commander's replacement (LEAD-20).
        replacement_higher_level: u8,
    }
}

table! {
    /// `command` (CMD).
    Command {
        /// Command radius of infantry and artillery.
        radius_infantry: ByGround<Inches>,
        /// Command radius of cavalry.
        radius_cavalry: ByGround<Inches>,
        /// Gaps of a chain of units, in stands.
        chain_gap_stands: ByGround<i32>,
        /// Option: units act for themselves with an enemy so near (CMD-11).
        self_activation_enemy_within: Inches,
    }
}

table! {
    /// `command_points` (LVL).
    CommandPoints {
        /// A regiment.
        regiment: i32,
        /// A battalion.
        battalion: i32,
        /// A battery.
        battery: i32,
        /// A brigade commander.
        brigade_commander: i32,
        /// A division commander.
        division_commander: i32,
        /// A corps commander.
        corps_commander: i32,
        /// Per cent lost at which it cannot advance, rounded to the nearest point (LVL-04).
        cannot_advance_percent: i32,
        /// Per cent lost at which it must withdraw (LVL-05).
        must_withdraw_percent: i32,
    }
}

table! {
    /// A row of `officer_casualty` (OFF-01 to OFF-06).
    OfficerRisk {
        /// An enemy came so near; none: not by distance.
        distance: Option<Inches>,
        /// Dice.
        dice: i32,
        /// Lowest sum that hits.
        hit_from: i32,
    }
}

/// `officer_casualty`: by the closest approach of the turn.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfficerCasualty {
    /// Within twelve inches.
    pub within_12: OfficerRisk,
    /// Within two inches.
    pub within_2: OfficerRisk,
    /// In melee, or leading a charge.
    pub in_melee: OfficerRisk,
}

/// How badly an officer was hit (OFF-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WoundKind {
    /// Back soon.
    Minor,
    /// Back later.
    Serious,
    /// Never back.
    Dead,
}

table! {
    /// A row of `officer_wound`.
    Wound {
        /// Faces of the die.
        faces: Vec<u8>,
        /// Turns out; none: dead.
        turns_out: Option<i32>,
    }
}

/// `officer_wound`: what the hit was, by one die.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfficerWound {
    /// A minor wound.
    pub minor: Wound,
    /// A serious wound.
    pub serious: Wound,
    /// Dead.
    pub dead: Wound,
}

impl OfficerWound {
    /// What that face of the die means.
    pub fn by_face(&self, face: u8) -> (WoundKind, &Wound) {
        if self.minor.faces.contains(&face) {
            (WoundKind::Minor, &self.minor)
        } else if self.serious.faces.contains(&face) {
            (WoundKind::Serious, &self.serious)
        } else {
            (WoundKind::Dead, &self.dead)
        }
    }
}
