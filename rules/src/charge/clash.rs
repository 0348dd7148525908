//! Where a charge strikes: impact, dice down, what becomes of the beaten, and melee. IMP, IDD, MEL

use crate::battle::UnitIx;
use crate::geometry::Vector;
use protocol::event::FlankClass;

/// Two fronts in contact, as they are at that instant. ALG-CHARGE 11
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The side whose charge it is.
    pub attacker: Front,
    /// The side that is struck, or that came to meet it.
    pub defender: Front,
    /// The direction in which the attacker runs, of length [`crate::geometry::UNIT`].
    pub ray: Vector,
    /// From where the defender is struck; a unit that charges too is struck from the front. IDD-07
    pub aspect: FlankClass,
}

/// One side of a clash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Front {
    /// The point of a charge, or the unit that is charged.
    pub unit: UnitIx,
    /// The supports that are fit, the nearest first. CHG-17, CHG-20 to CHG-22
    pub supports: Vec<UnitIx>,
    /// It charges or countercharges: no cover, no flank.
    pub charging: bool,
    /// It has elan. CHG-29
    pub elan: bool,
    /// It was forming when it was struck. CF-02, IDD-06
    pub forming: bool,
}

/// How a clash ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The attacker recoiled, and both sides have fired. IDD-11 to IDD-16
    Recoiled,
    /// The defender and its supports were thrown back; the attacker may run on. IDD-17 to IDD-24
    Broken,
    /// Both charged and the attacker was thrown back; the defender may run on.
    Repelled,
    /// They fought a melee to its end; nobody runs on. MEL-20
    Fought,
}
