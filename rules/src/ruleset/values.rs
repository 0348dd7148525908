//! The kinds of values that the tables hold: lengths, factors, values by ground, quality, chart.
//!
//! Owns reading them exactly from decimals. It never knows a rule.

use std::fmt;

use protocol::words::Quality;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

use crate::ground::Terrain;

/// A length in thousandths of a table inch (SCALE-02).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Inches(pub i32);

impl Inches {
    /// Thousandths of an inch.
    pub const fn thousandths(self) -> i32 {
        self.0
    }

    /// So many whole inches.
    pub const fn whole(inches: i32) -> Self {
        Inches(inches * 1000)
    }

    /// This length so many times.
    pub const fn times(self, count: i32) -> Self {
        Inches(self.0 * count)
    }
}

/// A factor in thousandths: 500 is a half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Factor(pub i32);

impl Factor {
    /// Once.
    pub const ONE: Factor = Factor(1000);

    /// The factor in thousandths.
    pub const fn thousandths(self) -> i32 {
        self.0
    }

    /// That share of a whole number, in thousandths: nothing is rounded.
    pub const fn thousandths_of(self, count: i32) -> i64 {
        self.0 as i64 * count as i64
    }

    /// That share of a whole number, rounded down (FIRE-05 rounds once, at the end).
    pub const fn floor_of(self, count: i32) -> i32 {
        self.thousandths_of(count).div_euclid(1000) as i32
    }

    /// That share of a length; half a thousandth is rounded away from zero (SCALE-07).
    pub const fn of(self, length: Inches) -> Inches {
        let product = self.thousandths_of(length.0);
        let half = if product < 0 { -500 } else { 500 };
        Inches(((product + half) / 1000) as i32)
    }
}

/// Writes thousandths as a decimal: `4.5`, `0.625`, `12`.
fn write_decimal(f: &mut fmt::Formatter<'_>, thousandths: i32) -> fmt::Result {
    let sign = if thousandths < 0 { "-" } else { "" };
    let (whole, rest) = (thousandths.unsigned_abs() / 1000, thousandths.unsigned_abs() % 1000);
    match rest {
        0 => write!(f, "{sign}{whole}"),
        rest => write!(f, "{sign}{whole}.{}", format!("{rest:03}").trim_end_matches('0')),
    }
}

impl fmt::Display for Inches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decimal(f, self.0)
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decimal(f, self.0)
    }
}

/// A decimal of the tables as thousandths; none when it has further digits or is out of bounds.
///
/// The only float outside `geometry`: TOML hands decimals over as floats. Rounding to thousandths gives back
/// exactly the digits that were written, because a double keeps fifteen of them.
pub(crate) fn thousandths(decimal: f64) -> Option<i32> {
    let scaled = decimal * 1000.0;
    let rounded = scaled.round();
    let is_exact = (scaled - rounded).abs() < 1e-6;
    (is_exact && rounded.abs() <= 1e9).then_some(rounded as i32)
}

/// Reads a decimal; a whole number without a decimal point is refused, as the tables say.
struct Decimal;

impl Visitor<'_> for Decimal {
    type Value = i32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a decimal of at most three places, such as 4.0")
    }

    fn visit_f64<E: de::Error>(self, decimal: f64) -> Result<i32, E> {
        thousandths(decimal).ok_or_else(|| E::invalid_value(de::Unexpected::Float(decimal), &self))
    }
}

impl<'de> Deserialize<'de> for Inches {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Decimal).map(Inches)
    }
}

impl<'de> Deserialize<'de> for Factor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Decimal).map(Factor)
    }
}

/// A value for each kind of ground. On a road the ground beside it counts (SCALE-04).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByGround<T> {
    /// In the open.
    pub open: T,
    /// In broken ground.
    pub broken: T,
    /// In woods.
    pub woods: T,
    /// In rough ground.
    pub rough: T,
}

impl<T: Copy> ByGround<T> {
    /// The value in that ground.
    pub fn at(&self, terrain: Terrain) -> T {
        match terrain {
            Terrain::Open => self.open,
            Terrain::Broken => self.broken,
            Terrain::Woods => self.woods,
            Terrain::Rough => self.rough,
        }
    }
}

/// A value for a road and for each kind of ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByWay<T> {
    /// Along a road.
    pub road: T,
    /// In the open.
    pub open: T,
    /// In broken ground.
    pub broken: T,
    /// In woods.
    pub woods: T,
    /// In rough ground.
    pub rough: T,
}

impl<T: Copy> ByWay<T> {
    /// The value in that ground, off the road.
    pub fn at(&self, terrain: Terrain) -> T {
        match terrain {
            Terrain::Open => self.open,
            Terrain::Broken => self.broken,
            Terrain::Woods => self.woods,
            Terrain::Rough => self.rough,
        }
    }
}

/// A value for each quality (MOR-41).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByQuality<T> {
    /// Elite troops.
    pub elite: T,
    /// Veteran troops.
    pub veteran: T,
    /// Green troops.
    pub green: T,
    /// Militia: green in all but their BMP (MOR-42).
    pub militia: T,
}

impl<T> ByQuality<T> {
    /// The value of that quality.
    pub fn at(&self, quality: Quality) -> &T {
        match quality {
            Quality::Elite => &self.elite,
            Quality::Veteran => &self.veteran,
            Quality::Green => &self.green,
            Quality::Militia => &self.militia,
        }
    }
}

/// Which of two chart values a fire takes (FIRE chapter).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chart {
    /// Small arms and canister: the left value.
    Musketry,
    /// Artillery shot and shell: the right value.
    Shot,
}

/// A DRM for musketry and canister, and one for shot and shell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByChart {
    /// Infantry fire and canister.
    pub musketry: i32,
    /// Artillery shot and shell.
    pub shot: i32,
}

impl ByChart {
    /// The value of that chart.
    pub const fn at(&self, chart: Chart) -> i32 {
        match chart {
            Chart::Musketry => self.musketry,
            Chart::Shot => self.shot,
        }
    }
}

/// The three posts of leaders (ORG-11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByPost<T> {
    /// Brigade commanders.
    pub brigade: T,
    /// Division commanders.
    pub division: T,
    /// Corps commanders.
    pub corps: T,
}
