//! What a simultaneous step leaves to be settled: the happenings from which checks, falls back and routs follow.
//!
//! Owns the words in which a step (a volley, a segment, a melee round) reports what it did to units. [`crate::morale`]
//! turns them into checks, wave by wave, until nothing is owed. TURN-04, MOR-33 to MOR-38

use protocol::event::FlankClass;
use protocol::ids::LeaderId;
use protocol::orders::RangeBand;
use protocol::place::Point;

use crate::battle::UnitIx;

/// One thing that happened in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A unit was fired on.
    FiredOn(FiredOn),
    /// A unit routed in full sight. MOR-20
    Routed(UnitIx),
    /// A battery's crew routed and left its guns, which is all that is seen of it. MOR-28
    LeftGuns(UnitIx),
    /// A unit was picked up, disintegrated or surrendered. MOR-20
    Removed(UnitIx),
    /// An officer was hit. MOR-20
    OfficerHit(LeaderId),
}

/// One fire as its victim suffered it, after every halving. Losses have been taken off already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FiredOn {
    /// The victim.
    pub unit: UnitIx,
    /// The firers; several for a battalion of guns.
    pub by: Vec<UnitIx>,
    /// Fire of artillery or of sharpshooters, which forces a hit check. MOR-15
    pub forces_hit_check: bool,
    /// The result says that a check is owed although no figure was lost. FIRE-13
    pub starred: bool,
    /// Figures (sections) lost.
    pub figures: u32,
    /// Stands lost.
    pub stands: u32,
    /// Horses lost.
    pub horses: u32,
    /// First figure that the unit lost in this battle. MOR-10
    pub first_casualty: bool,
    /// The flank class of the shot. ENF-01
    pub flank: FlankClass,
    /// Its band.
    pub band: RangeBand,
    /// Middle of the firing stands.
    pub from: Point,
    /// Canister was fired.
    pub canister: bool,
    /// Area or blind fire. VIS-12
    pub unseen: bool,
    /// The unit stood in cover against this fire. COVER-01
    pub in_cover: bool,
    /// The unit's own skirmish screen took it; figures and stands are the screen's. TAC-18
    pub at_screen: bool,
    /// Struck as a unit behind the target. PEN-02
    pub behind_target: bool,
}
