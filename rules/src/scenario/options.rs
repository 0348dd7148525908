//! The settings of a scenario, and its sheet of house rules.
//!
//! Owns names, values and defaults of the settings, and the reading of `[house_rules]` (SCN-20). The book's optional rules
//! are lines of the sheet ([`crate::house`]); `[options]` may set them too. What a switch does stands in the rule that it
//! names.

pub use protocol::words::Fog;
use serde::{Deserialize, Serialize};

use super::entry::Entry;
use crate::house::{self, HouseRules};

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

/// The settings, with the defaults of the catalogue. SCN-20
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
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
            hidden_movement: false,
            fog: Fog::Tabletop,
            allies_see_envelopes: true,
            umpire_orders: false,
            pace: Pace::Live,
            campaign: false,
        }
    }
}

/// Reads `[options]` and `[house_rules]`; what they do not say is the default. A switch may stand in one of them.
pub(super) fn settings(settings: Option<Entry<'_, '_>>, sheet: Option<Entry<'_, '_>>) -> (Options, HouseRules) {
    let mut house = HouseRules::default();
    let twice = |id: &str| settings.as_ref().is_some_and(|settings| settings.has(id));
    if let Some(mut sheet) = sheet {
        for switch in house::SHEET {
            if twice(switch.id) && sheet.has(switch.id) {
                let what = format!("`{}` stands under `[options]` too", switch.id);
                sheet.fault(sheet.place_of(switch.id), what, "leave one of them out");
            }
            sheet.choice(switch, &mut house);
        }
        sheet.finish();
    }
    let Some(mut e) = settings else { return (Options::default(), house) };
    for switch in house::optional() {
        e.choice(switch, &mut house);
    }
    (options(e), house)
}

fn options(mut e: Entry<'_, '_>) -> Options {
    let default = Options::default();
    let options = Options {
        hidden_movement: e.flag("hidden_movement", default.hidden_movement),
        fog: e.word_or("fog", default.fog),
        allies_see_envelopes: e.flag("allies_see_envelopes", default.allies_see_envelopes),
        umpire_orders: e.flag("umpire_orders", default.umpire_orders),
        pace: e.word_or("pace", default.pace),
        campaign: e.flag("campaign", default.campaign),
    };
    if options.fog == Fog::LineOfSight && options.hidden_movement {
        let what = "`fog = \"line_of_sight\"` and `hidden_movement = true` are not played together (LOS-01)";
        e.fault(e.place_of("fog"), what, "leave one of them out");
    }
    e.finish();
    options
}
