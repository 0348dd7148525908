//! Every number of the rules, typed: the [`Ruleset`], read from `rules/tables/tables.toml`.
//!
//! Owns the shape of the tables, reading them exactly, refusing what does not fit, and the origin of each
//! number. It never computes a rule; the rules take numbers from here by the names of the tables.
//!
//! # How to use it
//! ```
//! use protocol::words::Quality;
//! use rules::ground::Terrain;
//! use rules::ruleset::{Branch, FormationRow, Inches, Ruleset, Strength};
//!
//! let rules = Ruleset::standard();
//! let rates = rules.rates(Branch::Infantry, FormationRow::SingleLine).expect("the tables have this row");
//! assert_eq!(rates.at(Terrain::Woods), Some(Inches(2_000)));
//! assert_eq!(rules.bmp.at(Quality::Veteran), 3);
//! assert_eq!(rules.small_arm["rifle_musket"].long, Inches(12_000));
//! assert_eq!(rules.crt.read(Strength::Figures(13), 21).map(|cell| (cell.row, cell.column)), Some((12, 20)));
//! ```
//!
//! # Kinds of values
//! - [`Inches`]`(i32)`: thousandths of an inch. [`Factor`]`(i32)`: thousandths; `of(Inches)`, `floor_of(count)`.
//! - DRMs, dice and modifiers: `i32`. Faces of dice: `Vec<u8>`.
//! - [`ByGround`]`.at(Terrain)`, [`ByWay`] (`.road`, `.at(Terrain)`), [`ByQuality`]`.at(Quality)` (a reference),
//!   [`ByChart`]`.at(Chart::Musketry | Chart::Shot)`, [`ByPost`]`{brigade, division, corps}`.
//!
//! # Tables, each a field of [`Ruleset`] of the table's name
//! - `movement`, better by [`Ruleset::rates`]`(Branch, FormationRow) -> Option<&Rates>`;
//!   `Rates { road, open, broken, woods, rough: Option<Inches> }`, `.at(Terrain)`. `FormationRow::from(Formation)`.
//! - `formation_effect`, better by [`Ruleset::effect`]`(Branch, FormationRow) -> Option<&FormationEffect>`: `melee, fire,
//!   fire_side: Option<Factor>, firing_stands, firer_drm, target_drm: ByChart, casualties, impact: Option<i32>, may_charge,
//!   opening_volley, flank`.
//! - `movement_limits`, `bonus_movement {dice, die_factor, push_inches, max_per_turn, rout_pickup_faces}`, `scale`,
//!   `cost.<action>.of(Quality) -> Price::{Turn(Factor), Inch(Inches)}`.
//! - `brigade_column`, `skirmish_screen`, `reserve_stand`, `prone`, `square`, `sharpshooter`, `artillery_support`.
//! - `small_arm[id] {close, normal, long, drm, close_drm, trait}`, `weapon_trait.at(Loading)`,
//!   `gun[id] {class, heavy, canister, normal, long, drm}`, `gun_class.at(GunKind)`, `gun_rules`.
//! - `dice {min, max, melee, hold, first_fire, moved, close_range, long_range, ...}`, `firer_drm`, `target_drm`,
//!   `cover_drm`, `cover_limits`, `flank_drm`, `fire_zone`, `casualty`, `penetration`, `visibility`.
//! - `crt.read(Strength::Figures(n) | Sections(n), roll) -> Option<CrtCell {row, column, result: CombatResult}>`.
//! - `bmp.at(Quality)`, `morale_check`, `morale_modifier`, `morale_if_hit.<case>.{fire, charge: Option}`, `fallback`, `rally`.
//! - `charge`, `defensive_volley`, `impact`, `melee`, `hidden_movement`.
//! - `leader_level.at(u8)`, `leaders`, `command`, `command_points`, `officer_casualty`, `officer_wound.by_face(u8)`.
//! - `works.at(WorksGrade)`, `works_destruction.at(WorksGrade)`, `works_destruction_drm`, `obstacle.{abatis, fraise, ...}`.
//! - `conflict`: contradictions of the book with the reading chosen; `sources`; every row has `.provenance`, and
//!   [`Ruleset::provenance`]`("firer_drm.quality.militia")` finds that of a cell.

/// A row of the tables: a struct that refuses unknown keys and knows its origin.
macro_rules! table {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
            /// Where the numbers come from.
            pub provenance: Provenance,
        }
    };
}

mod artillery;
mod charge;
mod check;
mod crt;
mod fire;
mod formation;
mod morale;
mod movement;
mod overlay;
mod page;
mod provenance;
mod text;
mod values;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::house::{self, HouseRules};
pub use artillery::*;
pub use charge::*;
pub use crt::*;
pub use fire::*;
pub use formation::*;
pub use morale::*;
pub use movement::*;
pub(crate) use overlay::{CellChange, Misplaced, cell, leaves};
pub use page::page;
pub use provenance::*;
pub use text::Complaint;
pub(crate) use values::thousandths;
pub use values::*;

/// The tables' text as it was when the program was built.
pub const STANDARD_TEXT: &str = include_str!("../../tables/tables.toml");

/// `meta`: what the file is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meta {
    /// The game's name.
    pub game: String,
    /// Version of the file's format.
    pub format_version: u32,
    /// The unit of lengths.
    pub length_unit: String,
}

/// Every number of the rules. The fields are the tables, by their names.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the table of its name; its type says what it holds")]
pub struct Ruleset {
    pub meta: Meta,
    pub sources: BTreeMap<String, Source>,
    pub scale: Scale,
    pub movement: Movement,
    pub movement_limits: MovementLimits,
    pub bonus_movement: BonusMovement,
    pub formation_effect: FormationEffects,
    pub brigade_column: BrigadeColumn,
    pub skirmish_screen: SkirmishScreen,
    pub reserve_stand: ReserveStand,
    pub prone: Prone,
    pub square: Square,
    pub sharpshooter: Sharpshooter,
    pub artillery_support: ArtillerySupport,
    pub small_arm: SmallArms,
    pub weapon_trait: WeaponTraits,
    pub gun: Guns,
    pub gun_class: GunClasses,
    pub gun_rules: GunRules,
    pub dice: Dice,
    pub firer_drm: FirerDrm,
    pub target_drm: TargetDrm,
    pub cover_drm: CoverDrm,
    pub cover_limits: CoverLimits,
    pub flank_drm: FlankDrm,
    pub fire_zone: FireZone,
    pub casualty: Casualty,
    pub penetration: Penetration,
    pub visibility: Visibility,
    pub crt: Crt,
    pub works_destruction: WorksDestructionByGrade,
    pub works_destruction_drm: WorksDestructionDrm,
    pub bmp: Bmp,
    pub morale_check: MoraleCheck,
    pub morale_modifier: MoraleModifier,
    pub morale_if_hit: MoraleIfHit,
    pub fallback: Fallback,
    pub rally: Rally,
    pub charge: Charge,
    pub defensive_volley: DefensiveVolley,
    pub impact: Impact,
    pub melee: Melee,
    pub leader_level: LeaderLevels,
    pub leaders: Leaders,
    pub command: Command,
    pub command_points: CommandPoints,
    pub officer_casualty: OfficerCasualty,
    pub officer_wound: OfficerWound,
    pub cost: Costs,
    pub works: WorksByGrade,
    pub obstacle: Obstacles,
    pub hidden_movement: HiddenMovement,
    pub conflict: Vec<Conflict>,
    /// SHA-256 of all numbers by their paths, in hexadecimal: for the record of a game. Comments, the order of
    /// tables, provenance and conflicts do not change it.
    #[serde(skip)]
    pub hash: String,
    /// The house rules by which these numbers are played; those of kind number are in them already.
    #[serde(skip)]
    pub house: HouseRules,
    /// Origin of every row and cell that has its own, by path.
    #[serde(skip)]
    origins: BTreeMap<String, Provenance>,
}

impl Ruleset {
    /// The tables that this program was built with, read once.
    pub fn standard() -> &'static Ruleset {
        static STANDARD: OnceLock<Ruleset> = OnceLock::new();
        STANDARD.get_or_init(|| Ruleset::parse(STANDARD_TEXT).expect("the embedded tables are tested"))
    }

    /// Reads tables.
    ///
    /// # Errors
    /// What does not fit, each with line and column: one complaint for what cannot be read at all (bad TOML,
    /// an unknown or missing key, a wrong type), otherwise every number that makes no sense.
    pub fn parse(text: &str) -> Result<Ruleset, Vec<Complaint>> {
        let ruleset: Ruleset = toml::from_str(text).map_err(|fault| vec![Complaint::of_toml(text, &fault)])?;
        let written: toml::Table = toml::from_str(text).map_err(|fault| vec![Complaint::of_toml(text, &fault)])?;
        let (ruleset, faults) = ruleset.finished(&written);
        match faults.is_empty() {
            true => Ok(ruleset),
            false => Err(faults.iter().map(|fault| Complaint::of_path(text, &fault.path, &fault.text)).collect()),
        }
    }

    /// The standard tables with the choices of a house-rules sheet: its numbers in their cells, the sheet beside them.
    ///
    /// # Errors
    /// Every number that makes no sense, with no place in a file.
    pub fn played_by(house: &HouseRules) -> Result<Ruleset, Vec<Complaint>> {
        let changed = Ruleset::with_changes(house, &[]);
        changed.map(|changed| changed.rules).map_err(|faults| faults.iter().map(Misplaced::nowhere).collect())
    }

    /// The standard tables with the numbers of a house-rules sheet and with these cells over them.
    pub(crate) fn with_changes(house: &HouseRules, changes: &[CellChange]) -> Result<Changed, Vec<Misplaced>> {
        let of_house = house::cells(house);
        let all = || of_house.iter().chain(changes);
        let (mut written, mut faults) = overlay::changed(written_standard(), all());
        if all().any(|change| change.path.starts_with("crt.")) {
            overlay::forget_evidence(&mut written);
        }
        match Ruleset::deserialize(written.clone()) {
            Ok(ruleset) => {
                let (mut rules, senseless) = ruleset.finished(&written);
                faults.extend(senseless.into_iter().map(Misplaced::from));
                if faults.is_empty() {
                    rules.hash = text::hash_with(&rules.hash, &house.told());
                    rules.house = house.clone();
                    return Ok(Changed { rules, written });
                }
            }
            Err(fault) => {
                let each: Vec<Misplaced> = all().filter_map(overlay::unread).take(MOST_UNREAD).collect();
                let whole = || vec![Misplaced::new("the tables", fault.message())];
                faults.extend(if each.is_empty() { whole() } else { each });
            }
        }
        Err(faults)
    }

    /// With what is derived of the written tables, and every fault of its numbers.
    fn finished(mut self, written: &toml::Table) -> (Ruleset, Vec<check::Fault>) {
        self.hash = text::hash(written);
        self.origins = text::origins(written);
        let faults = check::faults(&self, written);
        (self, faults)
    }

    /// The rates of a row of `movement` (MOVE-01); none: there is no such row.
    pub fn rates(&self, branch: Branch, row: FormationRow) -> Option<&Rates> {
        self.movement.get(&branch)?.get(&row)
    }

    /// A row of `formation_effect`; none: there is no such row.
    pub fn effect(&self, branch: Branch, row: FormationRow) -> Option<&FormationEffect> {
        self.formation_effect.get(&branch)?.get(&row)
    }

    /// Where a value comes from: the origin of the cell at that path, such as `firer_drm.quality.militia`, else of
    /// the row that holds it.
    pub fn provenance(&self, path: &str) -> Option<&Provenance> {
        let mut here = path;
        loop {
            if let Some(origin) = self.origins.get(here) {
                return Some(origin);
            }
            here = here.rsplit_once('.')?.0;
        }
    }

    /// The contradiction of the book that decided a value, if one did.
    pub fn conflict_of(&self, path: &str) -> Option<&Conflict> {
        self.conflict.iter().find(|conflict| conflict.values.iter().any(|value| value == path))
    }
}

/// So many cells that cannot be read are told one by one.
const MOST_UNREAD: usize = 20;

/// Tables with some cells changed.
pub(crate) struct Changed {
    /// The tables.
    pub(crate) rules: Ruleset,
    /// The same as they are written.
    pub(crate) written: toml::Table,
}

/// The standard tables as they are written, read once.
pub(crate) fn written_standard() -> &'static toml::Table {
    static WRITTEN: OnceLock<toml::Table> = OnceLock::new();
    WRITTEN.get_or_init(|| toml::from_str(STANDARD_TEXT).expect("the embedded tables are tested"))
}

#[cfg(test)]
mod tests;
