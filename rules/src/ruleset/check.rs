//! Whether numbers that have the right shape also make sense.
//!
//! Owns the checks that hold for any ruleset, house rules included. What must hold for the standard tables
//! alone, because the book says so, is in the tests.

use toml::Table;

use super::text::has_path;
use super::{Branch, CombatResult, CrtRow, FormationRow, Kind, Provenance, Ruleset};

/// Budget of a turn's movement, which every rate must divide (MOVE-02).
const POINTS_PER_TURN: i32 = 5_040_000;

/// A value that makes no sense.
pub(super) struct Fault {
    /// Its path.
    pub(super) path: String,
    /// Others with which it does not go.
    pub(super) also: Vec<String>,
    /// What is wrong with it.
    pub(super) text: String,
}

/// Every fault of a ruleset.
pub(super) fn faults(ruleset: &Ruleset, written: &Table) -> Vec<Fault> {
    let mut faults = Faults(Vec::new());
    movement(ruleset, &mut faults);
    formations(ruleset, &mut faults);
    weapons(ruleset, &mut faults);
    combat_results(ruleset, &mut faults);
    faces(ruleset, &mut faults);
    origins(ruleset, &mut faults);
    conflicts(ruleset, written, &mut faults);
    faults.0
}

struct Faults(Vec<Fault>);

impl Faults {
    fn unless(&mut self, holds: bool, path: impl Into<String>, text: impl Into<String>) {
        if !holds {
            self.0.push(Fault { path: path.into(), also: Vec::new(), text: text.into() });
        }
    }

    /// A cell that does not go with another.
    fn against(&mut self, path: String, other: String, text: String) {
        self.0.push(Fault { path, also: vec![other], text });
    }
}

/// The word of the tables for a key.
fn word(key: impl serde::Serialize) -> String {
    serde_json::to_value(key).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// MOVE-01, MOVE-02 Rates fall with harder ground and divide the turn's budget.
fn movement(ruleset: &Ruleset, faults: &mut Faults) {
    for (branch, rows) in &ruleset.movement {
        for (row, rates) in rows {
            let path = format!("movement.{}.{}", word(branch), word(row));
            let known: Vec<i32> = rates.all().into_iter().flatten().map(|rate| rate.0).collect();
            faults.unless(known.is_sorted_by(|a, b| a >= b), &path, "is faster in harder ground");
            let divides = known.iter().all(|&rate| rate == 0 || (0 < rate && POINTS_PER_TURN % rate == 0));
            faults.unless(divides, &path, "has a rate that does not divide the turn's 5040000 points (MOVE-02)");
        }
    }
    for (branch, rows) in REQUIRED {
        for row in rows {
            let path = format!("movement.{}.{}", word(branch), word(row));
            faults.unless(ruleset.rates(branch, *row).is_some(), path, "is missing");
        }
    }
}

/// Rows of `movement` without which the rules cannot be played.
const REQUIRED: [(Branch, &[FormationRow]); 11] = {
    use FormationRow::*;
    [
        (
            Branch::Infantry,
            &[
                SingleLine,
                ExtendedLine,
                DoubleLine,
                AttackColumn,
                SkirmishLine,
                MarchColumn,
                BrigadeColumn,
                LineWithReserve,
                LineWithSkirmishers,
                Square,
                Disorder,
                Routed,
            ],
        ),
        (Branch::CavalryMounted, &[SingleLine, DoubleLine, SkirmishLine, MarchColumn, Disorder, Routed]),
        (Branch::CavalryDismounted, &[DismountedLine, SkirmishLine, Disorder]),
        (Branch::Artillery, &[Limbered, Unlimbered, Prolonge]),
        (Branch::ArtilleryHeavy, &[Limbered, Unlimbered]),
        (Branch::ArtillerySiege, &[Limbered, Unlimbered]),
        (Branch::ArtilleryFortress, &[Emplaced]),
        (Branch::ArtilleryCrew, &[Routed]),
        (Branch::OfficerMounted, &[Any]),
        (Branch::OfficerFoot, &[Any]),
        (Branch::Sharpshooter, &[SkirmishLine]),
    ]
};

/// Every formation that moves has an effect, and the other way round.
fn formations(ruleset: &Ruleset, faults: &mut Faults) {
    for (branch, rows) in &ruleset.formation_effect {
        for row in rows.keys() {
            let path = format!("formation_effect.{}.{}", word(branch), word(row));
            faults.unless(ruleset.rates(*branch, *row).is_some(), path, "has no row in `movement`");
        }
    }
    for branch in
        [Branch::Infantry, Branch::CavalryMounted, Branch::CavalryDismounted, Branch::Artillery, Branch::Sharpshooter]
    {
        for row in ruleset.movement.get(&branch).into_iter().flat_map(|rows| rows.keys()) {
            let is_exempt = matches!(row, FormationRow::Routed | FormationRow::Prolonge);
            let path = format!("formation_effect.{}.{}", word(branch), word(row));
            faults.unless(is_exempt || ruleset.effect(branch, *row).is_some(), path, "is missing");
        }
    }
}

/// Ranges rise from close to long.
fn weapons(ruleset: &Ruleset, faults: &mut Faults) {
    for (id, arm) in &ruleset.small_arm {
        let rises = 0 < arm.close.0 && arm.close < arm.normal && arm.normal < arm.long;
        faults.unless(rises, format!("small_arm.{id}"), "has ranges that do not rise");
    }
    for (id, gun) in &ruleset.gun {
        let rises = 0 < gun.canister.0 && gun.canister < gun.normal && gun.normal < gun.long;
        faults.unless(rises, format!("gun.{id}"), "has ranges that do not rise");
        let is_field = gun.class == super::GunKind::Field;
        faults.unless(!gun.heavy || is_field, format!("gun.{id}.heavy"), "is only for field guns");
    }
    let dice = &ruleset.dice;
    faults.unless(1 <= dice.min && dice.min <= dice.max, "dice.max", "is less than `dice.min`, or no die is left");
}

/// FIRE-14, FIRE-15 The combat results table is a rectangle, worse for the target to the right and upward.
fn combat_results(ruleset: &Ruleset, faults: &mut Faults) {
    let crt = &ruleset.crt;
    faults.unless(!crt.columns.is_empty() && crt.columns.is_sorted_by(|a, b| a < b), "crt.columns", "do not rise");
    let has_last = crt.rows.last().is_some_and(|row| row.figures == 1);
    faults.unless(has_last, "crt.rows", "do not go down to one figure");
    faults.unless(crt.rows.is_sorted_by(|a, b| a.figures > b.figures), "crt.rows", "do not fall in figures");
    let sections: Vec<i32> = crt.rows.iter().filter_map(|row| row.sections).collect();
    faults.unless(sections.is_sorted_by(|a, b| a > b), "crt.rows", "do not fall in sections");
    faults.unless(sections.last() == Some(&1), "crt.rows", "do not go down to one section");
    for row in &crt.rows {
        let name = row.figures;
        let cell = |column: &i32| format!("crt.{name}.{column}");
        let full = row.values.len() == crt.columns.len();
        let text = format!("has {} cells for {} columns", row.values.len(), crt.columns.len());
        faults.unless(full, format!("crt.{name}"), text);
        let cells: Vec<(&i32, &CombatResult)> = crt.columns.iter().zip(&row.values).collect();
        for pair in cells.windows(2) {
            let [(lower, fewer), (higher, more)] = pair else { continue };
            if more < fewer {
                let text = format!("is {more}, less than the {fewer} of a lower roll: it falls with a higher roll");
                faults.against(cell(higher), cell(lower), text);
            }
        }
        for (column, result) in cells {
            let fits = result.most_killed() <= name.max(1);
            faults.unless(fits, cell(column), format!("kills more than the {name} figures that fire"));
        }
    }
    for pair in crt.rows.windows(2) {
        let [strong, weak] = pair else { continue };
        for (column, (more, fewer)) in crt.columns.iter().zip(strong.values.iter().zip(&weak.values)) {
            if more < fewer {
                let cell = |row: &CrtRow| format!("crt.{}.{column}", row.figures);
                let text = format!(
                    "is {fewer} where more figures have {more}: it lets {} figures beat {}",
                    weak.figures, strong.figures
                );
                faults.against(cell(weak), cell(strong), text);
            }
        }
    }
    for cell in &crt.evidence {
        let read = crt.read(super::Strength::Figures(cell.figures), cell.column);
        let agrees = read.is_some_and(|read| read.result == cell.value);
        let text = format!("is not what the book shows at {} figures, column {}", cell.figures, cell.column);
        faults.unless(agrees, "crt.evidence", text);
    }
}

/// Faces are faces, and a wound has each face once.
fn faces(ruleset: &Ruleset, faults: &mut Faults) {
    let pickup = &ruleset.bonus_movement.rout_pickup_faces;
    let wound = &ruleset.officer_wound;
    let weapons = &ruleset.weapon_trait;
    let lists = [
        ("bonus_movement.rout_pickup_faces.elite", &pickup.elite),
        ("bonus_movement.rout_pickup_faces.veteran", &pickup.veteran),
        ("bonus_movement.rout_pickup_faces.green", &pickup.green),
        ("bonus_movement.rout_pickup_faces.militia", &pickup.militia),
        ("gun_rules.horse_hit_faces", &ruleset.gun_rules.horse_hit_faces),
        ("casualty.fraction_kills_on", &ruleset.casualty.fraction_kills_on),
        ("casualty.star_kills_on", &ruleset.casualty.star_kills_on),
        ("weapon_trait.muzzleloader.out_of_ammo_faces", &weapons.muzzleloader.out_of_ammo_faces),
        ("weapon_trait.breechloader.out_of_ammo_faces", &weapons.breechloader.out_of_ammo_faces),
        ("weapon_trait.repeater.out_of_ammo_faces", &weapons.repeater.out_of_ammo_faces),
    ];
    for (path, list) in lists {
        let fits = list.is_sorted_by(|a, b| a < b) && list.iter().all(|face| (1..=6).contains(face));
        faults.unless(fits, path, "are not faces of a die, each once, rising");
    }
    let mut all: Vec<u8> =
        [&wound.minor, &wound.serious, &wound.dead].into_iter().flat_map(|w| w.faces.clone()).collect();
    all.sort_unstable();
    faults.unless(all == [1, 2, 3, 4, 5, 6], "officer_wound", "has not each face of a die once");
}

/// Every origin says what its kind needs.
fn origins(ruleset: &Ruleset, faults: &mut Faults) {
    for (path, origin) in &ruleset.origins {
        let fits = match origin.kind {
            Kind::Printed | Kind::Example => origin.lines.is_some() && origin.formula.is_none(),
            Kind::Public => origin.source.is_some() && origin.formula.is_none(),
            Kind::Reconstructed => origin.formula.as_ref().is_some_and(|formula| !formula.is_empty()),
        };
        faults.unless(fits, path, "has an origin without what its kind needs (lines, source or formula)");
        let Provenance { source, .. } = origin;
        let is_known = source.as_ref().is_none_or(|source| ruleset.sources.contains_key(source));
        faults.unless(is_known, path, "names a source that is not in `sources`");
    }
}

/// Every contradiction has readings, and values that exist.
fn conflicts(ruleset: &Ruleset, written: &Table, faults: &mut Faults) {
    for (place, conflict) in ruleset.conflict.iter().enumerate() {
        let id = &conflict.id;
        let is_first = ruleset.conflict.iter().position(|other| other.id == *id) == Some(place);
        faults.unless(is_first, "conflict", format!("has `{id}` twice"));
        let is_told = 1 < conflict.readings.len() && !conflict.chosen.is_empty() && !conflict.why.is_empty();
        faults.unless(is_told, "conflict", format!("`{id}` wants two readings, the one chosen, and why"));
        for value in &conflict.values {
            faults.unless(has_path(written, value), "conflict", format!("`{id}` names no value: {value}"));
        }
    }
}
