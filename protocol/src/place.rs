//! Points, bearings and shapes on the table, as integers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A point on the table: `x` to the east, `y` to the north, thousandths of an inch from the south-west corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct Point {
    /// Thousandths of an inch to the east.
    pub x: i32,
    /// Thousandths of an inch to the north.
    pub y: i32,
}

impl Point {
    /// A point from its two coordinates, thousandths of an inch.
    pub const fn new(x: i32, y: i32) -> Self {
        Point { x, y }
    }
}

/// A bearing: hundredths of a degree clockwise from north, 0 to 35999.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(try_from = "u32", into = "u32")]
#[schemars(with = "u32")]
#[ts(export, as = "u32")]
pub struct Bearing(u32);

impl Bearing {
    /// North.
    pub const NORTH: Bearing = Bearing(0);
    /// East.
    pub const EAST: Bearing = Bearing(9_000);
    /// South.
    pub const SOUTH: Bearing = Bearing(18_000);
    /// West.
    pub const WEST: Bearing = Bearing(27_000);

    /// A bearing from any number of hundredths of a degree, brought into one turn.
    pub const fn wrapping(hundredths: i32) -> Self {
        Bearing(hundredths.rem_euclid(36_000) as u32)
    }

    /// Hundredths of a degree, 0 to 35999.
    pub const fn hundredths(self) -> u32 {
        self.0
    }

    /// This bearing turned clockwise by so many hundredths of a degree (counter-clockwise when negative).
    pub const fn turned(self, hundredths: i32) -> Self {
        Bearing::wrapping(self.0 as i32 + hundredths)
    }

    /// The opposite bearing.
    pub const fn reversed(self) -> Self {
        self.turned(18_000)
    }

    /// The least angle between two bearings, hundredths of a degree, 0 to 18000.
    pub const fn angle_to(self, other: Bearing) -> u32 {
        let clockwise = (other.0 as i32 - self.0 as i32).rem_euclid(36_000) as u32;
        if clockwise <= 18_000 { clockwise } else { 36_000 - clockwise }
    }
}

impl TryFrom<u32> for Bearing {
    type Error = String;

    fn try_from(hundredths: u32) -> Result<Self, Self::Error> {
        if hundredths < 36_000 {
            Ok(Bearing(hundredths))
        } else {
            Err(format!("a bearing lies between 0 and 35999 hundredths of a degree, not {hundredths}"))
        }
    }
}

impl From<Bearing> for u32 {
    fn from(bearing: Bearing) -> u32 {
        bearing.0
    }
}

/// A rectangle on the table, four corners in the order front left, front right, rear right, rear left.
pub type Corners = [Point; 4];
