//! The switches of a scenario: the book's optional rules, and settings of the game.
//!
//! Owns their names, values and defaults; a game may set them otherwise before it begins (SCN-20). What a switch
//! does stands in the rule that it names.

use serde::{Deserialize, Serialize};

use super::entry::Entry;

/// By what a leader's benefit goes. LEAD-05
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaderBenefit {
    /// By his level.
    Level,
    /// By his post.
    Rank,
}

/// How a lost division or corps commander is replaced. LEAD-20
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplaceDivision {
    /// By a roll.
    Roll,
    /// At once.
    Automatic,
    /// Not at all.
    Never,
}

/// By what artillery checks morale. ARTY-14, MOR-64
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArtilleryChecks {
    /// Each battery by itself.
    Battery,
    /// Contiguous battalions as one.
    Battalion,
}

/// Which windows open. TURN-06
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// Orders alone.
    Correspondence,
    /// Orders and reactions, by correspondence.
    CorrespondenceReactions,
    /// Orders and reactions, live.
    Live,
    /// All four windows, live.
    Stepped,
}

/// What is seen of the table. HID-12
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fog {
    /// Every marker is seen, what a picket hides is not.
    Tabletop,
    /// What nobody sees is not shown.
    LineOfSight,
}

/// The switches, with the defaults of the catalogue. SCN-20
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Artillery fired on checks with one more. MOR-62
    pub artillery_fired_on_plus_one: bool,
    /// Units out of command may act by themselves. CMD-11
    pub self_activation: bool,
    /// Commanders may give only so many orders. CMD-12
    pub order_limits: bool,
    /// Leaders may lead charges. LEAD-14
    pub lead_charge: bool,
    /// By what a leader's benefit goes. LEAD-05
    pub leader_benefit: LeaderBenefit,
    /// Leaders help only their own command. LEAD-09
    pub benefit_own_command_only: bool,
    /// How division and corps commanders are replaced. LEAD-20
    pub replace_division: ReplaceDivision,
    /// By what artillery checks. ARTY-14
    pub artillery_checks: ArtilleryChecks,
    /// Broken ground hides. HID-34
    pub obscuring: bool,
    /// There is brush to make abatis of. OBS-03
    pub brush: bool,
    /// Fortress guns may run out of ammunition. ARTY-54
    pub fortress_guns_run_out: bool,
    /// Hidden movement is played. HID-01
    pub hidden_movement: bool,
    /// What is seen of the table. HID-12
    pub fog: Fog,
    /// Allies see each other's envelopes. HID-15
    pub allies_see_envelopes: bool,
    /// An umpire takes free orders. TC-12
    pub umpire_orders: bool,
    /// Which windows open. TURN-06
    pub pace: Pace,
    /// The battle is part of a campaign, whose order of battle is not public. LEAK-75
    pub campaign: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            artillery_fired_on_plus_one: false,
            self_activation: false,
            order_limits: false,
            lead_charge: false,
            leader_benefit: LeaderBenefit::Level,
            benefit_own_command_only: false,
            replace_division: ReplaceDivision::Roll,
            artillery_checks: ArtilleryChecks::Battery,
            obscuring: false,
            brush: true,
            fortress_guns_run_out: false,
            hidden_movement: false,
            fog: Fog::Tabletop,
            allies_see_envelopes: true,
            umpire_orders: false,
            pace: Pace::Live,
            campaign: false,
        }
    }
}

/// Reads `[options]`; what it does not say is the default.
pub(super) fn options(mut e: Entry<'_, '_>) -> Options {
    let default = Options::default();
    let options = Options {
        artillery_fired_on_plus_one: e.flag("artillery_fired_on_plus_one", default.artillery_fired_on_plus_one),
        self_activation: e.flag("self_activation", default.self_activation),
        order_limits: e.flag("order_limits", default.order_limits),
        lead_charge: e.flag("lead_charge", default.lead_charge),
        leader_benefit: e.word_or("leader_benefit", default.leader_benefit),
        benefit_own_command_only: e.flag("benefit_own_command_only", default.benefit_own_command_only),
        replace_division: e.word_or("replace_division", default.replace_division),
        artillery_checks: e.word_or("artillery_checks", default.artillery_checks),
        obscuring: e.flag("obscuring", default.obscuring),
        brush: e.flag("brush", default.brush),
        fortress_guns_run_out: e.flag("fortress_guns_run_out", default.fortress_guns_run_out),
        hidden_movement: e.flag("hidden_movement", default.hidden_movement),
        fog: e.word_or("fog", default.fog),
        allies_see_envelopes: e.flag("allies_see_envelopes", default.allies_see_envelopes),
        umpire_orders: e.flag("umpire_orders", default.umpire_orders),
        pace: e.word_or("pace", default.pace),
        campaign: e.flag("campaign", default.campaign),
    };
    e.finish();
    options
}
