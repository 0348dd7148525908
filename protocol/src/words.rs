//! The plain words of a unit: its arm, its quality, its formation.
//!
//! Owns the words that orders, views and the rules share, spelled as in the tables
//! (`formation_effect.<arm>.<formation>`). It never says what a word does: layouts stand in
//! `rules::formation`, numbers in the tables.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is seen of the table. HID-12, LOS-01
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Fog {
    /// Every marker is seen, what a picket hides is not.
    #[default]
    Tabletop,
    /// What no unit of a side sees is not shown to it; what it saw it remembers.
    LineOfSight,
}

/// A formation that a unit may hold, as its geometry. FORM-01, TAC-11, TAC-16, TAC-27, TAC-37
///
/// Disorder is not among them: it is a state laid over the geometry that the unit had when it was
/// disordered (FORM-26), so a unit carries it as a flag beside its formation. The same holds for rout,
/// for lying prone, for a refused end stand (ENF-12), and for being mounted: a mounted line, double line
/// or march column is the formation of that name of a unit that is mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Formation {
    /// All stands side by side, touching. FORM-04
    SingleLine,
    /// One rank with gaps of up to one stand's width. FORM-05
    ExtendedLine,
    /// Two touching ranks. FORM-06
    DoubleLine,
    /// One stand wide, a stand's width between successive stands. FORM-07
    AttackColumn,
    /// One rank with gaps of one to two stand widths. FORM-09
    SkirmishLine,
    /// One stand wide, touching, along the path marched. FORM-19
    MarchColumn,
    /// Three stands in line, the fourth centred behind them. TAC-11
    LineWithReserve,
    /// Three stands in line, the fourth spread in front of them as a screen. TAC-16
    LineWithSkirmishers,
    /// A regiment in single line as a member of a column of regiments. TAC-34
    BrigadeColumn,
    /// Four faces outward. TAC-43
    Square,
    /// Dismounted cavalry's single line. FORM-01
    DismountedLine,
    /// Guns behind their limbers. ARTY-01, ORG-09
    Limbered,
    /// Guns ready to fire. ARTY-01, ORG-09
    Unlimbered,
}

impl Formation {
    /// Every formation, in the order in which they are listed everywhere.
    pub const ALL: [Formation; 13] = [
        Formation::SingleLine,
        Formation::ExtendedLine,
        Formation::DoubleLine,
        Formation::AttackColumn,
        Formation::SkirmishLine,
        Formation::MarchColumn,
        Formation::LineWithReserve,
        Formation::LineWithSkirmishers,
        Formation::BrigadeColumn,
        Formation::Square,
        Formation::DismountedLine,
        Formation::Limbered,
        Formation::Unlimbered,
    ];

    /// The word in the tables and on the wire, such as `single_line`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Formation::SingleLine => "single_line",
            Formation::ExtendedLine => "extended_line",
            Formation::DoubleLine => "double_line",
            Formation::AttackColumn => "attack_column",
            Formation::SkirmishLine => "skirmish_line",
            Formation::MarchColumn => "march_column",
            Formation::LineWithReserve => "line_with_reserve",
            Formation::LineWithSkirmishers => "line_with_skirmishers",
            Formation::BrigadeColumn => "brigade_column",
            Formation::Square => "square",
            Formation::DismountedLine => "dismounted_line",
            Formation::Limbered => "limbered",
            Formation::Unlimbered => "unlimbered",
        }
    }
}

impl fmt::Display for Formation {
    /// The words as a player reads them, such as `single line`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.as_str().replace('_', " "))
    }
}

/// What kind of troops a unit is. It never changes; whether cavalry is mounted does, and is a flag of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Arm {
    /// Foot regiments and battalions. ORG-01
    Infantry,
    /// Cavalry battalions, mounted or dismounted. ORG-12
    Cavalry,
    /// Batteries. ORG-08
    Artillery,
    /// A detached stand of sharpshooters. SHARP-01
    Sharpshooter,
    /// Gunners parted from their guns. ROUT-08
    GunCrew,
}

impl Arm {
    /// The word on the wire, such as `infantry`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Arm::Infantry => "infantry",
            Arm::Cavalry => "cavalry",
            Arm::Artillery => "artillery",
            Arm::Sharpshooter => "sharpshooter",
            Arm::GunCrew => "gun_crew",
        }
    }
}

impl fmt::Display for Arm {
    /// The words as a player reads them, such as `gun crew`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.as_str().replace('_', " "))
    }
}

/// A unit's quality, best first. MOR-41
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Quality {
    /// The best.
    Elite,
    /// Seasoned troops.
    Veteran,
    /// New troops.
    Green,
    /// The least.
    Militia,
}

impl Quality {
    /// The word in the tables and on the wire, such as `veteran`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Quality::Elite => "elite",
            Quality::Veteran => "veteran",
            Quality::Green => "green",
            Quality::Militia => "militia",
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The left or the right of a unit, seen from behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Flank {
    /// To the left of its facing.
    Left,
    /// To the right of its facing.
    Right,
}

impl Flank {
    /// Both flanks.
    pub const BOTH: [Flank; 2] = [Flank::Left, Flank::Right];

    /// The other flank.
    pub const fn other(self) -> Flank {
        match self {
            Flank::Left => Flank::Right,
            Flank::Right => Flank::Left,
        }
    }

    /// 1 to the right, -1 to the left: the sign of rightward offsets and of clockwise turns.
    pub const fn sign(self) -> i32 {
        match self {
            Flank::Left => -1,
            Flank::Right => 1,
        }
    }
}

impl fmt::Display for Flank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Flank::Left => "left",
            Flank::Right => "right",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_spelled_on_the_wire_as_in_the_tables() {
        for formation in Formation::ALL {
            assert_eq!(serde_json::to_value(formation).unwrap(), formation.as_str());
        }
        for arm in [Arm::Infantry, Arm::Cavalry, Arm::Artillery, Arm::Sharpshooter, Arm::GunCrew] {
            assert_eq!(serde_json::to_value(arm).unwrap(), arm.as_str());
        }
        for quality in [Quality::Elite, Quality::Veteran, Quality::Green, Quality::Militia] {
            assert_eq!(serde_json::to_value(quality).unwrap(), quality.as_str());
        }
    }
}
