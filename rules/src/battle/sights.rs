//! What a side sees of its enemy and what it remembers, in the fog `line_of_sight`. Chapter LOS
//!
//! Owns the two halves: [`Sights`] is of this moment and stands on the table of a [`super::Battle`], where every rule can ask
//! for it; [`Memory`] is the side's own secret. How both come about is [`crate::los`]'s.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{Morale, Stance};
use protocol::ids::{BySide, FeatureId, LeaderId, Side, UnitId};
use protocol::orders::Stage;
use protocol::words::Arm;
use serde::{Deserialize, Serialize};

use super::{AbandonedGuns, Score};
use crate::ground::GroundChanges;

/// What one side sees of the enemy at this moment. LOS-02
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sights {
    /// Units in sight, and those that were seen to leave the battle. LOS-14
    pub units: BTreeSet<UnitId>,
    /// Those of them that have given themselves away in this stage. LOS-03, LOS-04
    pub given_away: BTreeSet<UnitId>,
    /// Leaders in sight, and those that were seen to fall. LOS-15
    pub leaders: BTreeSet<LeaderId>,
    /// Guns without a crew that are in sight, by the battery that left them. LOS-17
    pub guns: BTreeSet<UnitId>,
}

/// What one side remembers. LOS-07, LOS-17, LOS-18
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Enemy units as they were last seen; one that is in sight now is only a ghost to come.
    pub ghosts: BTreeMap<UnitId, Ghost>,
    /// The changes of the map that it has learnt.
    pub ground: GroundChanges,
    /// Its own guns that were left, as it left or last saw them. LOS-17
    #[serde(default)]
    pub guns: BTreeMap<UnitId, AbandonedGuns>,
    /// Who holds which place, as it sees it.
    pub held_by: BTreeMap<FeatureId, Option<Side>>,
    /// Who has reached which place, as it sees it. SCNV-07
    pub reached: BTreeMap<String, u32>,
    /// The score as it sees it.
    pub score: BySide<Score>,
}

/// A unit as it was last seen. LOS-07
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ghost {
    /// How it stood.
    pub stance: Stance,
    /// Figures on each stand.
    pub left: Vec<u32>,
    /// Its arm: a battery that has left its guns is a crew.
    pub arm: Arm,
    /// Its morale.
    pub morale: Morale,
    /// The turn.
    pub turn: u32,
    /// The stage.
    pub stage: Stage,
}
