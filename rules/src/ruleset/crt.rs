//! The combat results table (FIRE-14 to FIRE-18).

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};

use super::provenance::{Kind, Provenance};

/// A cell of the combat results table. In the order of severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CombatResult {
    /// `--` Nothing.
    Nothing,
    /// `MC` A morale check only; by artillery and sharpshooters.
    MoraleCheck,
    /// `1*` One killed on `casualty.star_kills_on`.
    Star,
    /// So many figures, or sections, killed.
    Killed(u8),
}

impl CombatResult {
    /// Most that it kills.
    pub fn most_killed(self) -> i32 {
        match self {
            CombatResult::Nothing | CombatResult::MoraleCheck => 0,
            CombatResult::Star => 1,
            CombatResult::Killed(count) => i32::from(count),
        }
    }
}

impl fmt::Display for CombatResult {
    /// As the table prints it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CombatResult::Nothing => f.write_str("--"),
            CombatResult::MoraleCheck => f.write_str("MC"),
            CombatResult::Star => f.write_str("1*"),
            CombatResult::Killed(count) => write!(f, "{count}"),
        }
    }
}

impl FromStr for CombatResult {
    type Err = ();

    /// As the table prints it.
    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "--" => Ok(CombatResult::Nothing),
            "MC" => Ok(CombatResult::MoraleCheck),
            "1*" => Ok(CombatResult::Star),
            number => match number.parse::<u8>() {
                Ok(count @ 1..) => Ok(CombatResult::Killed(count)),
                _ => Err(()),
            },
        }
    }
}

impl<'de> Deserialize<'de> for CombatResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wanted = &"--, MC, 1* or a number of kills";
        text.parse().map_err(|()| de::Error::invalid_value(de::Unexpected::Str(&text), wanted))
    }
}

/// A row of the combat results table: used from its number of figures or sections up to the next.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrtRow {
    /// From so many figures on.
    pub figures: i32,
    /// From so many sections on; none: sections never use this row.
    pub sections: Option<i32>,
    /// A result for each column.
    pub values: Vec<CombatResult>,
}

/// A cell that the book itself shows.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The row.
    pub figures: i32,
    /// The column's head.
    pub column: i32,
    /// The cell.
    pub value: CombatResult,
    /// Printed or example.
    pub kind: Kind,
    /// Lines of the transcribed book.
    pub lines: String,
    /// Anything else.
    pub note: Option<String>,
}

/// Who fires, as the table counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Figures that fire.
    Figures(i32),
    /// Sections that fire.
    Sections(i32),
}

/// A cell as it was read: for the result and for its explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrtCell {
    /// The number of figures, or sections, at the head of the row.
    pub row: i32,
    /// The modified roll at the head of the column.
    pub column: i32,
    /// What stands there.
    pub result: CombatResult,
}

table! {
    /// `crt`: rows by falling strength, columns by rising roll.
    Crt {
        /// Modified rolls at the heads of the columns.
        columns: Vec<i32>,
        /// Rows, the strongest first.
        rows: Vec<CrtRow>,
        /// Cells that the book itself shows.
        evidence: Vec<Evidence>,
    }
}

impl Crt {
    /// The cell for that strength and modified roll; none for a roll under the first column or nobody who fires.
    pub fn read(&self, strength: Strength, roll: i32) -> Option<CrtCell> {
        let place = self.columns.iter().rposition(|&head| head <= roll)?;
        let head = |row: &CrtRow| match strength {
            Strength::Figures(count) => Some(row.figures).filter(|&figures| figures <= count),
            Strength::Sections(count) => row.sections.filter(|&sections| sections <= count),
        };
        let (row, head) = self.rows.iter().find_map(|row| head(row).map(|head| (row, head)))?;
        Some(CrtCell { row: head, column: self.columns[place], result: *row.values.get(place)? })
    }
}
