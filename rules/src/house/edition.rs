//! The rules by which one game is played: the tables, a sheet of house rules over them, a club's own chart over both.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::{Chart, HouseRules};
use crate::ruleset::{Complaint, Ruleset};

/// What a game is played by, as it is written and stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// The choices of the house-rules sheet.
    pub house: HouseRules,
    /// The text of the club's own chart.
    #[serde(default)]
    pub chart: Option<String>,
}

/// What a game is played by. Made only where the tables that come of it make sense.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Sheet", into = "Sheet")]
pub struct Edition {
    sheet: Sheet,
    chart: Option<Chart>,
    rules: Arc<Ruleset>,
}

impl Edition {
    /// The tables with a sheet's choices, and a club's own chart over them.
    ///
    /// # Errors
    /// Every number that makes no sense then.
    pub fn new(house: HouseRules, chart: Option<Chart>) -> Result<Edition, Vec<Complaint>> {
        if house == HouseRules::default() && chart.is_none() {
            return Ok(Edition::default());
        }
        let rules = match &chart {
            None => Ruleset::played_by(&house)?,
            Some(chart) => chart.over(&house)?,
        };
        let sheet = Sheet { house, chart: chart.as_ref().map(|chart| chart.text().to_owned()) };
        Ok(Edition { sheet, chart, rules: Arc::new(rules) })
    }

    /// What it was made of.
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// The house rules.
    pub fn house(&self) -> &HouseRules {
        &self.sheet.house
    }

    /// The club's own chart.
    pub fn chart(&self) -> Option<&Chart> {
        self.chart.as_ref()
    }

    /// The tables in force, with the house rules beside them.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }
}

impl Default for Edition {
    /// The rules as we rule them.
    fn default() -> Self {
        static STANDARD: OnceLock<Arc<Ruleset>> = OnceLock::new();
        let rules = STANDARD.get_or_init(|| Arc::new(Ruleset::standard().clone()));
        Edition { sheet: Sheet::default(), chart: None, rules: Arc::clone(rules) }
    }
}

impl PartialEq for Edition {
    /// Editions are equal when what they were made of is: the tables are derived.
    fn eq(&self, other: &Self) -> bool {
        self.sheet == other.sheet
    }
}

impl Eq for Edition {}

impl TryFrom<Sheet> for Edition {
    type Error = String;

    fn try_from(sheet: Sheet) -> Result<Edition, String> {
        let told = |faults: Vec<Complaint>| faults.first().map(ToString::to_string).unwrap_or_default();
        let chart = sheet.chart.as_deref().map(Chart::read).transpose().map_err(told)?;
        Edition::new(sheet.house, chart).map_err(told)
    }
}

impl From<Edition> for Sheet {
    fn from(edition: Edition) -> Sheet {
        edition.sheet
    }
}
