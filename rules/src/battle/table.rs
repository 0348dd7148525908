//! The table: all that stands openly on it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use protocol::ids::{BrigadeId, BySide, FeatureId, LeaderId, PicketNumber, Side, UnitId};
use serde::{Deserialize, Serialize};

use super::listed::{Drawn, Listed};
use super::{
    AbandonedGuns, Brigade, CommandLosses, GonePicket, HiddenWorks, Leader, Picket, Roll, SideSecrets, Sights, Theatre,
    Unit,
};
use crate::formation::Layout;
use crate::geometry::{Extent, Rect};
use crate::ground::{GroundChanges, GroundNow};
use crate::house::HouseRules;
use crate::ruleset::Ruleset;
use crate::scenario::Scenario;
use crate::sight::{Bulk, Looker, Remembered, SightLimit};
use crate::specials;

/// The place of a unit in its table's list: a short name that is good for that table only.
///
/// Units are never taken out of the list (a unit that is gone changes its presence), so an index stays good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitIx(pub(crate) u16);

/// All that stands openly on the table, and what is public about it.
///
/// In a [`super::Battle`] it holds every open unit of both sides; in a [`super::Known`] those that the side may know,
/// with its own hidden ones. Code over `&Table` serves both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What never changes: scenario and map. Public, and not archived with the battle.
    #[serde(skip, default = "Theatre::nowhere")]
    pub theatre: Arc<Theatre>,
    /// The turn, from 1; 0 while the sides place their units.
    pub turn: u32,
    /// Units, sorted by identifier; gone and coming ones stay in the list with their presence.
    #[serde(with = "super::listed")]
    units: Vec<Listed>,
    /// Leaders by post.
    pub leaders: Roll<LeaderId, Leader>,
    /// Brigades and gun battalions.
    pub brigades: Roll<BrigadeId, Brigade>,
    /// What each command has lost, by the post of its commander. LVL-02
    pub losses: Roll<LeaderId, CommandLosses>,
    /// Markers of hidden things.
    pub pickets: BTreeMap<PicketNumber, Picket>,
    /// Markers that are no more. HID-12
    #[serde(default)]
    pub pickets_gone: BTreeMap<PicketNumber, GonePicket>,
    /// Pairs whose visibility die has been entered in this turn, by the names that key it. HID-37
    #[serde(default)]
    pub sightings: BTreeSet<(String, String)>,
    /// Guns without a crew, by the battery that left them. ROUT-08
    #[serde(default)]
    pub abandoned: BTreeMap<UnitId, AbandonedGuns>,
    /// Obstacles, buildings and works that are gone or breached.
    pub changes: GroundChanges,
    /// Ammunition wagons that were destroyed. AMMO-06
    #[serde(default)]
    pub lost_wagons: BTreeSet<UnitId>,
    /// COVER-12 Figures that the occupants of each building have lost to shot and shell in this turn.
    #[serde(default)]
    pub building_losses: BTreeMap<FeatureId, u32>,
    /// Who held each objective last alone; an absent one has its first owner. A place without a name of its own goes by the
    /// word of its term. SCNV-06
    pub held_by: BTreeMap<FeatureId, Option<Side>>,
    /// The turn in which a condition of the scenario came true, by term, or by term and unit. SCNS-03
    pub came_true: BTreeMap<String, u32>,
    /// Optional troops, arrivals and special terms that the game has switched on before the setup; known to all. SCN-12, SCNS-01
    #[serde(default)]
    pub switched_on: BTreeSet<String>,
    /// Points counted so far, by victory term. SCNV-12
    pub score: BySide<Score>,
    /// Set when the battle is over. SCNV-13
    pub ended: Option<Ended>,
    /// What each side sees of the other; in the fog `line_of_sight` alone, and never in a [`super::Known`]. LOS-02
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sights: Option<BySide<Sights>>,
    /// Lines of sight found before. No part of the battle.
    #[serde(skip)]
    remembered: Remembered,
}

/// How a battle ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The winner; none for a draw.
    pub winner: Option<Side>,
    /// The arithmetic, a line a term.
    pub lines: Vec<String>,
}

/// Points of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Points by victory term.
    pub by_term: BTreeMap<String, i32>,
}

impl Score {
    /// The sum.
    pub fn total(&self) -> i32 {
        self.by_term.values().sum()
    }
}

impl Table {
    /// A table of `units`, in any order, in that theatre.
    pub fn new(theatre: Arc<Theatre>, mut units: Vec<Unit>) -> Self {
        units.sort_by(|a, b| a.id.cmp(&b.id));
        Table {
            theatre,
            turn: 1,
            units: units.into_iter().map(Listed::new).collect(),
            leaders: Roll::new(),
            brigades: Roll::new(),
            losses: Roll::new(),
            pickets: BTreeMap::new(),
            pickets_gone: BTreeMap::new(),
            sightings: BTreeSet::new(),
            abandoned: BTreeMap::new(),
            changes: GroundChanges::default(),
            lost_wagons: BTreeSet::new(),
            building_losses: BTreeMap::new(),
            held_by: BTreeMap::new(),
            came_true: BTreeMap::new(),
            switched_on: BTreeSet::new(),
            score: BySide::default(),
            ended: None,
            sights: None,
            remembered: Remembered::default(),
        }
    }

    /// The same table with a memory of its own: nobody can tell by the time an answer takes what others have looked at.
    pub(super) fn with_own_memory(mut self) -> Self {
        self.remembered = Remembered::default();
        self
    }

    /// The same table with the memory of another.
    pub(super) fn with_memory_of(mut self, other: &Table) -> Self {
        self.remembered = other.remembered.clone();
        self
    }

    /// SCN-06 Whether the battle has yet to begin: the sides place their units, and all stand as printed until both are done.
    pub fn is_deploying(&self) -> bool {
        self.turn == 0
    }

    /// Takes away all units and leaders but those of `side`, or all. Indices taken before are void.
    pub(crate) fn keep_only(&mut self, side: Option<Side>) {
        self.units.retain(|listed| Some(listed.unit().side) == side);
        self.remembered = Remembered::default();
        self.leaders.retain(|_, leader| Some(leader.side) == side);
    }

    /// LOS-06 Puts names in the place of units that are not `open`, or nothing where there is no name. Indices taken before are void.
    pub(crate) fn veil_units(&mut self, open: impl Fn(&Unit) -> bool, name: impl Fn(&Unit) -> Option<Unit>) {
        let veiled = |listed: Listed| match open(listed.unit()) {
            true => Some(listed),
            false => name(listed.unit()).map(Listed::new),
        };
        self.units = std::mem::take(&mut self.units).into_iter().filter_map(veiled).collect();
        self.remembered = Remembered::default();
    }

    /// LOS-19 Whether a unit counts for a side: its own, and in the fog `line_of_sight` the enemies whom it sees.
    pub(crate) fn knows_of(&self, side: Side, ix: UnitIx) -> bool {
        let Some(sights) = &self.sights else { return true };
        let unit = &self[ix];
        unit.side == side || sights.get(side).units.contains(&unit.id)
    }

    /// The scenario that is played.
    pub fn scenario(&self) -> &Scenario {
        &self.theatre.scenario
    }

    /// The tables and house rules by which it is played. SCN-20
    pub fn rules(&self) -> &Ruleset {
        self.theatre.rules()
    }

    /// The house rules by which it is played. SCN-20
    pub fn house(&self) -> &HouseRules {
        self.scenario().edition.house()
    }

    /// The ground as the battle has left it.
    pub fn ground(&self) -> GroundNow<'_> {
        self.theatre.map.now(&self.changes).remembering(&self.remembered)
    }

    /// The limits of sight that the scenario sets this turn. VIS-15, SCN-16
    pub fn sight_limits(&self) -> Vec<SightLimit> {
        specials::sight_limits(self)
    }

    /// Every unit of the list, gone and coming ones included, in order of identifier.
    pub fn all_units(&self) -> impl DoubleEndedIterator<Item = (UnitIx, &Unit)> + Clone {
        self.units.iter().enumerate().map(|(n, listed)| (UnitIx(n as u16), listed.unit()))
    }

    /// The units that stand on the table.
    pub fn units(&self) -> impl DoubleEndedIterator<Item = (UnitIx, &Unit)> + Clone {
        self.all_units().filter(|(_, unit)| unit.on_table())
    }

    /// The units of `side` that stand on the table.
    pub fn units_of(&self, side: Side) -> impl DoubleEndedIterator<Item = (UnitIx, &Unit)> + Clone {
        self.units().filter(move |(_, unit)| unit.side == side)
    }

    /// Every unit of the list, to change it.
    pub fn all_units_mut(&mut self) -> impl Iterator<Item = (UnitIx, &mut Unit)> {
        self.units.iter_mut().enumerate().map(|(n, listed)| (UnitIx(n as u16), listed.unit_mut()))
    }

    /// The unit of this identifier.
    pub fn find(&self, id: &UnitId) -> Option<UnitIx> {
        self.units.binary_search_by(|listed| listed.unit().id.cmp(id)).ok().map(|n| UnitIx(n as u16))
    }

    /// The unit of this identifier.
    pub fn unit(&self, id: &UnitId) -> Option<&Unit> {
        self.find(id).map(|ix| &self[ix])
    }

    /// The stands of a unit in their places, drawn once for as long as the unit is not changed. FORM-03
    pub fn layout(&self, ix: UnitIx) -> &Layout {
        &self.units[ix.0 as usize].drawing().layout
    }

    /// The list of units.
    pub(super) fn listed(&self) -> &[Listed] {
        &self.units
    }

    /// A unit as it is drawn now, to be kept.
    pub(crate) fn drawn(&self, ix: UnitIx) -> Drawn {
        self.units[ix.0 as usize].drawn()
    }

    /// Whether a unit stands as it did when that was drawn: a no may be a mistake, a yes is sure.
    pub(crate) fn is_drawn(&self, ix: UnitIx, drawn: &Drawn) -> bool {
        self.units[ix.0 as usize].is_drawn(drawn)
    }

    /// The box about a unit's stands.
    pub fn extent(&self, ix: UnitIx) -> Extent {
        self.units[ix.0 as usize].drawing().extent
    }

    /// A unit's stands in their places.
    pub(crate) fn stands(&self, ix: UnitIx) -> Arc<[Rect]> {
        Arc::clone(&self.units[ix.0 as usize].drawing().stands)
    }

    /// A unit as it looks and is looked at.
    pub fn looker(&self, ix: UnitIx) -> Looker<'_> {
        let drawing = self.units[ix.0 as usize].drawing();
        Looker { stands: &drawing.stands, centers: Arc::clone(&drawing.centers) }
    }

    /// A unit's stands as they stand in the way of others. VIS-13
    pub fn bulk(&self, ix: UnitIx) -> &[Bulk] {
        &self.units[ix.0 as usize].drawing().bulk
    }

    /// Puts a unit on the list, or replaces the one of the same identifier. Indices taken before are void.
    pub fn insert(&mut self, unit: Unit) {
        match self.units.binary_search_by(|other| other.unit().id.cmp(&unit.id)) {
            Ok(n) => self.units[n] = Listed::new(unit),
            Err(n) => self.units.insert(n, Listed::new(unit)),
        }
    }

    /// Puts what the pickets of a side hide on the list as it is, for those who may know it. It stays off the table. HID-13
    pub(crate) fn insert_hidden(&mut self, own: &SideSecrets) {
        let entering = own.entering.values().map(|(_, under)| under);
        for under in own.pickets.values().chain(entering).chain(own.left.values()) {
            under.units.iter().for_each(|unit| self.insert(unit.clone()));
            self.leaders.extend(under.leaders.iter().map(|leader| (leader.id.clone(), leader.clone())));
        }
    }

    /// HID-64 Puts on the map the works that only some know of, for those who may know them.
    pub(crate) fn build_hidden<'w>(&mut self, works: impl IntoIterator<Item = &'w HiddenWorks>) {
        for works in works {
            self.changes.add(&works.changes);
            // The lines of sight over that ground are not remembered among those of all.
            self.remembered = Remembered::default();
        }
    }

    /// HID-03 Measures a unit by one rectangle in place of its stands, for those who judge a hidden unit by its marker.
    pub(crate) fn measure_as(&mut self, ix: UnitIx, rect: Rect) {
        self.units[ix.0 as usize] = self.units[ix.0 as usize].measured_as(rect);
    }

    /// The leaders that stand on the table.
    pub fn leaders_on_table(&self) -> impl Iterator<Item = &Leader> {
        self.leaders.values().filter(|leader| leader.on_table())
    }

    /// The brigade of a unit.
    pub fn brigade_of(&self, unit: &Unit) -> Option<&Brigade> {
        self.brigades.get(unit.brigade.as_ref()?)
    }

    /// The members of a brigade, gone and coming ones included.
    pub fn members<'a>(&'a self, brigade: &'a BrigadeId) -> impl Iterator<Item = (UnitIx, &'a Unit)> {
        self.all_units().filter(move |(_, unit)| unit.brigade.as_ref() == Some(brigade))
    }
}

impl Index<UnitIx> for Table {
    type Output = Unit;

    fn index(&self, ix: UnitIx) -> &Unit {
        self.units[ix.0 as usize].unit()
    }
}

impl IndexMut<UnitIx> for Table {
    fn index_mut(&mut self, ix: UnitIx) -> &mut Unit {
        self.units[ix.0 as usize].unit_mut()
    }
}
