//! The rules by which one game is played: the tables, a sheet of house rules over them, a club's own chart over both.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::HouseRules;
use crate::ruleset::{Complaint, Ruleset};

/// What a game is played by. Made only where the tables that come of it make sense.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Edition {
    house: HouseRules,
    rules: Arc<Ruleset>,
}

/// An edition as it is written.
#[derive(Clone, Serialize, Deserialize)]
struct Written {
    house: HouseRules,
}

impl Edition {
    /// The tables with a sheet's choices.
    ///
    /// # Errors
    /// Every number that makes no sense then.
    pub fn new(house: HouseRules) -> Result<Edition, Vec<Complaint>> {
        if house == HouseRules::default() {
            return Ok(Edition::default());
        }
        let rules = Arc::new(Ruleset::played_by(&house)?);
        Ok(Edition { house, rules })
    }

    /// The sheet.
    pub fn house(&self) -> &HouseRules {
        &self.house
    }

    /// The tables in force, with the sheet.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }
}

impl Default for Edition {
    /// The rules as we rule them.
    fn default() -> Self {
        static STANDARD: OnceLock<Arc<Ruleset>> = OnceLock::new();
        let rules = STANDARD.get_or_init(|| Arc::new(Ruleset::standard().clone()));
        Edition { house: HouseRules::default(), rules: Arc::clone(rules) }
    }
}

impl PartialEq for Edition {
    /// Editions are equal when what they were made of is: the tables are derived.
    fn eq(&self, other: &Self) -> bool {
        self.house == other.house
    }
}

impl Eq for Edition {}

impl TryFrom<Written> for Edition {
    type Error = String;

    fn try_from(written: Written) -> Result<Edition, String> {
        let told = |faults: Vec<Complaint>| faults.first().map(ToString::to_string).unwrap_or_default();
        Edition::new(written.house).map_err(told)
    }
}

impl From<Edition> for Written {
    fn from(edition: Edition) -> Written {
        Written { house: edition.house }
    }
}
