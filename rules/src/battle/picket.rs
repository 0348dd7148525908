//! Markers of hidden things, and what is under them.
//!
//! Owns the two halves of a hidden thing: [`Picket`] is the marker, which stands openly on the table; [`Under`] is what it
//! hides, which only its side has. Neither knows the other but by number.

use protocol::event::{PicketEnd, PicketOrder};
use protocol::ids::{PicketNumber, SeatId, Side};
use protocol::orders::Hides;
use protocol::place::{Bearing, Point};
use serde::{Deserialize, Serialize};

use super::{Leader, Unit};

/// The marker of a hidden unit, a hidden brigade, or nothing. All of it is public. HID-02, HID-12
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picket {
    /// Its public, random number.
    pub number: PicketNumber,
    /// Its side.
    pub side: Side,
    /// Where: the middle of the front of what it hides. HID-03
    pub at: Point,
    /// Its facing.
    pub facing: Bearing,
    /// Known to hide something since this turn. HID-44
    #[serde(default)]
    pub confirmed: Option<u32>,
    /// Its order of this turn, once revealed. HID-20
    #[serde(default)]
    pub shown: Option<PicketOrder>,
    /// The line that it travelled last, the start first. HID-12
    #[serde(default)]
    pub travelled: Vec<Point>,
    /// Hash of what it hides with its salt, in hexadecimal digits. HID-72
    #[serde(default)]
    pub commitment: String,
}

/// A picket that is no more. HID-12
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GonePicket {
    /// Its side.
    pub side: Side,
    /// The turn.
    pub turn: u32,
    /// How.
    pub how: PicketEnd,
}

/// What a picket hides, as only its side knows it. HID-01, HID-13
///
/// The same struct stands for a dummy, a unit and a brigade; a dummy has no units and no leaders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Under {
    /// The seat that commands it.
    pub seat: SeatId,
    /// What it hides, with the deployment plan of a brigade. HID-10
    pub hides: Hides,
    /// The units as they are, in the order of the plan, each with [`protocol::view::Presence::Hidden`] and with its anchor
    /// and facing where it would stand if it were revealed now.
    pub units: Vec<Unit>,
    /// Leaders under it. HID-11
    pub leaders: Vec<Leader>,
    /// 128 random bits that the commitment covers. HID-72
    pub salt: [u8; 16],
}

impl Under {
    /// HID-06 It hides nothing.
    pub fn is_dummy(&self) -> bool {
        self.units.is_empty()
    }
}
