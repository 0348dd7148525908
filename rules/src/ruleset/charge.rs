//! Charges, the defensive volley, impact, melee, hidden movement (CHG, CC, IDD, MEL, CAVC, HID).

use serde::{Deserialize, Serialize};

use super::provenance::Provenance;
use super::values::{ByGround, ByQuality, Factor, Inches};

/// What ground does to the order of a mounted charge (CAVC-24).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderOfCharge {
    /// It rolls for it.
    Roll,
    /// All of it is in disorder.
    Disorder,
}

/// `charge.cavalry_order`: by the ground of a mounted charge; in the open nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CavalryOrder {
    /// In broken ground.
    pub broken: OrderOfCharge,
    /// In woods.
    pub woods: OrderOfCharge,
    /// In rough ground.
    pub rough: OrderOfCharge,
}

/// Shares of the bonus after which elite and veteran chargers fall into disorder (MOVE-06).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareOfBonus {
    /// Elite.
    pub elite: Factor,
    /// Veteran.
    pub veteran: Factor,
}

/// Shares of the whole charge after which green and militia chargers fall into disorder (MOVE-07).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareOfCharge {
    /// Green.
    pub green: Factor,
    /// Militia.
    pub militia: Factor,
}

table! {
    /// `charge` (CHG, CF, CC, CAVC).
    Charge {
        /// Degrees to each side in which a target may lie.
        arc_degrees: i32,
        /// A support starts so near its point.
        support_start_distance: Inches,
        /// A unit supports the defence so near.
        support_distance_defence: Inches,
        /// Infantry countercharges so far.
        infantry_countercharge_distance: Inches,
        /// Cavalry countercharges so far.
        cavalry_countercharge_distance: Inches,
        /// Support of an infantry countercharge (CC-20).
        countercharge_support_infantry: Inches,
        /// Support of a cavalry countercharge (CAVC-28).
        countercharge_support_cavalry: Inches,
        /// Bonus dice more or less, only when it joins in (CAVC-18).
        cavalry_join_in_dice: i32,
        /// No time to form when the charge started so near (CF-07).
        no_reform_if_started_within: Inches,
        /// Forming is done after this share of the charge.
        forming_done_after_fraction: Factor,
        /// Charges running; the second without bonus and elan (ORD-13).
        max_consecutive_charges: i32,
        /// Inches that a fence costs charging cavalry, and a roll.
        cavalry_fence_loss: Inches,
        /// Order of a mounted charge by ground (CAVC-24).
        cavalry_order: CavalryOrder,
        /// Disorder after the normal move and this share of the bonus (MOVE-06).
        disorder_share_of_bonus: ShareOfBonus,
        /// Disorder after this share of move and bonus (MOVE-07).
        disorder_share_of_charge: ShareOfCharge,
    }
}

table! {
    /// `defensive_volley`: when a charged unit fires (CHG-32).
    DefensiveVolley {
        /// Dice.
        dice: i32,
        /// Inches before contact for a pip.
        inches_per_pip: ByQuality<Inches>,
        /// Elite units.
        elite: i32,
        /// An officer.
        officer: i32,
        /// Behind works, wall or fence.
        behind_works_wall_or_fence: i32,
        /// On Conditional Hold.
        conditional_hold: i32,
        /// In disorder.
        disorder: i32,
        /// Forming.
        forming: i32,
        /// Least sum of the modifiers.
        total_min: i32,
        /// Greatest sum of the modifiers.
        total_max: i32,
    }
}

table! {
    /// `impact`: the dice down (IMP, IDD, CAVC). Low total wins, a tie is melee.
    /// Formation modifiers stand in `formation_effect`, flank and the like in `morale_if_hit`.
    Impact {
        /// Dice of each side.
        dice: i32,
        /// For each infantry unit in support.
        support_infantry: i32,
        /// For each mounted unit in support.
        support_cavalry_mounted: i32,
        /// For each dismounted unit in support.
        support_cavalry_dismounted: i32,
        /// Dice of the recoil of an infantry attacker.
        infantry_attacker_recoil_dice: i32,
        /// Dice of the recoil of a cavalry attacker (CAVC-42).
        cavalry_attacker_recoil_dice: i32,
        /// Dice of a loser's fall back.
        loser_fallback_dice: i32,
        /// Inches a pip of a loser's fall back.
        loser_fallback_factor: ByGround<Factor>,
        /// The same for mounted losers.
        cavalry_loser_fallback_factor: ByGround<Factor>,
        /// Modifier of the loser's roll by quality.
        loser_modifier_quality: ByQuality<i32>,
        /// Modifier of the loser's roll: an officer.
        loser_modifier_officer: i32,
        /// Good morale up to this total.
        loser_good_up_to: i32,
        /// Shaken up to this total.
        loser_shaken_up_to: i32,
        /// Routed up to this total; above: picked up.
        loser_routed_up_to: i32,
        /// Dice of foot beaten by horse, by ground (CAVC-46).
        foot_beaten_by_horse_dice: ByGround<i32>,
        /// Inches a pip of it.
        foot_beaten_by_horse_factor: ByGround<Factor>,
    }
}

table! {
    /// `melee` (MEL). Dice in `dice`; quality and officer in `firer_drm` and `target_drm`.
    Melee {
        /// Factor of infantry losses.
        infantry_loss_factor: Factor,
        /// Factor of cavalry losses.
        cavalry_loss_factor: Factor,
        /// Share of the figures of supports in the first round.
        support_share_first_round: Factor,
        /// Share of the figures of supports later.
        support_share_later: Factor,
        /// On a partial flank; first round only.
        partial_flank: i32,
        /// On a full flank; first round only.
        full_flank: i32,
        /// In the rear; first round only.
        rear: i32,
        /// Cavalry with pistols.
        cavalry_pistols: i32,
        /// Cavalry with shotguns, on top of pistols.
        cavalry_shotguns: i32,
        /// Gunners of a section, as figures.
        figures_per_section: i32,
    }
}

table! {
    /// `hidden_movement` (HID).
    HiddenMovement {
        /// Dummies for a hidden unit.
        dummies_per_unit: i32,
        /// Touching a picket is coming so near (HID-39).
        touch_distance: Inches,
        /// Side of a picket's square; its front-edge centre is its point (HID-03).
        marker_footprint: Inches,
        /// Least and greatest number of a picket (HID-02).
        number_range: [u32; 2],
    }
}
