//! What a formation does to fire, melee, losses and impact; particular formations and units (FORM, TAC, SHARP).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::movement::{Branch, FormationRow};
use super::provenance::Provenance;
use super::values::{ByChart, ByGround, Factor, Inches};

/// Which stands fire (FIRE-03). A rule, not a further factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FiringStands {
    /// All of them.
    All,
    /// The front rank.
    FrontRank,
    /// The first stand.
    FirstStand,
    /// Those of the leading regiment.
    LeadRegiment,
    /// Three of them.
    Three,
    /// Two at any one target.
    Two,
    /// Guns fire by sections.
    Sections,
    /// Nobody.
    None,
}

table! {
    /// A row of `formation_effect`.
    FormationEffect {
        /// Factor of the living figures that fight; none: it cannot.
        melee: Option<Factor>,
        /// Factor of the living figures that fire, applied once; none: it cannot.
        fire: Option<Factor>,
        /// The same for fire to the side, where the formation has any.
        fire_side: Option<Factor>,
        /// Which stands fire (FIRE-03).
        firing_stands: FiringStands,
        /// DRM of its own fire.
        firer_drm: i32,
        /// DRM of those who fire at it (mounted: half while charging).
        target_drm: ByChart,
        /// Factor of its losses from fire.
        casualties: Factor,
        /// Formation modifier in the impact dice down; none: it surrenders instead.
        impact: Option<i32>,
        /// May be ordered to charge.
        may_charge: bool,
        /// Can claim the opening volley.
        opening_volley: bool,
        /// Has a flank to be enfiladed.
        flank: bool,
    }
}

/// `formation_effect.<branch>.<formation>`
pub type FormationEffects = BTreeMap<Branch, BTreeMap<FormationRow, FormationEffect>>;

table! {
    /// `brigade_column` (TAC-27).
    BrigadeColumn {
        /// Regiments that are to form it stand no farther apart.
        regiment_distance_to_form: Inches,
    }
}

table! {
    /// `skirmish_screen`: the fourth stand of a line with skirmishers (TAC-16 to TAC-26).
    SkirmishScreen {
        /// Least distance before the body.
        min_distance: Inches,
        /// Greatest distance before the body.
        max_distance: Inches,
        /// Factor of frontal losses, which the screen takes.
        casualties: Factor,
        /// Morale modifier for each figure lost.
        morale_per_figure_lost: i32,
        /// Friends so near behind share; beyond, area fire.
        friends_behind_share_within: Inches,
    }
}

table! {
    /// `reserve_stand`: the fourth stand of a line with reserve (TAC-11).
    ReserveStand {
        /// Least distance behind the line.
        min_distance: Inches,
        /// Greatest distance behind the line.
        max_distance: Inches,
    }
}

table! {
    /// `prone` (TAC-07).
    Prone {
        /// DRM of any firer while it does not fire itself.
        target_drm: i32,
    }
}

table! {
    /// `square` (TAC-37 to TAC-43).
    Square {
        /// Cavalry must start so far off for a square to form on HOLD.
        cavalry_min_start_distance: Inches,
        /// Dice of cavalry that approaches one.
        cavalry_approach_dice: i32,
    }
}

table! {
    /// `sharpshooter` (SHARP).
    Sharpshooter {
        /// Least figures of a stand.
        min_figures: i32,
        /// Most figures of a stand.
        max_figures: i32,
        /// Most kills of a turn.
        max_kills_per_turn: i32,
        /// In place of `dice.long_range`.
        long_range_dice: i32,
        /// The target's formation DRM does not count.
        ignores_target_formation_drm: bool,
        /// Firer DRM that attached sharpshooters give.
        attached_firer_drm: i32,
        /// Least figures that must be left for it.
        attached_min_figures: i32,
    }
}

table! {
    /// `artillery_support` (ARTY).
    ArtillerySupport {
        /// Impact modifier of guns without support.
        impact_unsupported: i32,
        /// Support stands so near.
        distance: ByGround<Inches>,
        /// So many batteries together support themselves.
        batteries_that_support_themselves: i32,
    }
}
