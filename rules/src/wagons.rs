//! Ammunition wagons: where they may serve, who draws there, how they are lost. AMMO-05, AMMO-06, AMMO-10, SCNS-11
//!
//! A wagon stands where its scenario puts it. Owns the main battle line that it must be behind. It never moves a wagon: only its
//! loss is state of the battle.

#[cfg(test)]
mod tests;

use protocol::event::Fact;
use protocol::ids::{Side, UnitId};
use protocol::orders::{FormTask, Order};
use protocol::words::{Arm, Formation};

use crate::battle::{Table, UnitIx};
use crate::catalogue::{AMMO_05, AMMO_06, AMMO_10, RuleId, SCNS_11};
use crate::explain::{Explain, sentence};
use crate::field::Field;
use crate::geometry::{self, Distance, Rect};
use crate::los;
use crate::play::Play;
use crate::ruleset::Ruleset;
use crate::scenario::Wagon;
use crate::specials;

/// AMMO-05 A unit draws at a wagon within this distance, thousandths of an inch.
const BESIDE: i32 = 1_000;

/// AMMO-06 A unit is of the battle line while an enemy that its side sees is within this distance, thousandths of an inch.
const ENGAGED_WITHIN: i32 = 12_000;

/// The wagons that are left, in the order of the scenario.
pub(crate) fn standing(table: &Table) -> impl Iterator<Item = &Wagon> {
    table.scenario().wagons.iter().filter(|wagon| !table.lost_wagons.contains(&wagon.id))
}

/// A wagon takes as much room as a battery.
pub(crate) fn stand_of(rules: &Ruleset, table: &Table, wagon: &Wagon) -> Rect {
    let facing = table.scenario().sides.get(wagon.side).enemy_bearing;
    let scale = &rules.scale;
    Rect::centered(wagon.at, facing, scale.battery_width.thousandths(), scale.battery_depth.thousandths())
}

fn distance(field: &Field<'_>, wagon: &Wagon, ix: UnitIx) -> Option<Distance> {
    let stand = stand_of(field.rules, field.table, wagon);
    field.layout(ix).rects().map(|rect| geometry::between_polygons(&rect.corners, &stand.corners)).min()
}

fn is_beside(field: &Field<'_>, wagon: &Wagon, ix: UnitIx) -> bool {
    distance(field, wagon, ix).is_some_and(|distance| distance.within(BESIDE))
}

/// AMMO-05 Why a unit may not be told to draw ammunition.
pub(crate) fn why_not_resupply(field: &Field<'_>, ix: UnitIx) -> Option<(RuleId, String)> {
    let unit = field.unit(ix);
    if let Some(term) = specials::bars_resupply(field.table, unit) {
        return Some((SCNS_11, format!("draws no ammunition, by the special rule `{term}` of the scenario")));
    }
    if standing(field.table).any(|wagon| wagon.side == unit.side && is_beside(field, wagon, ix)) {
        return None;
    }
    Some((AMMO_05, "is not within an inch of an ammunition wagon; march there first".to_owned()))
}

/// AMMO-06 The enemies of a side that any of its units sees.
fn seen_by(field: &Field<'_>, side: Side) -> Vec<UnitIx> {
    field.enemies_of(side).map(|(ix, _)| ix).filter(|ix| field.is_in_sight(*ix)).collect()
}

/// AMMO-06 The main battle line of a side: its formed foot and guns in action that have an enemy near, whom their side sees.
fn battle_line(field: &Field<'_>, side: Side, seen: &[UnitIx]) -> Vec<UnitIx> {
    let units = field.table.units_of(side).filter(|(_, unit)| {
        let fights = match unit.arm {
            Arm::Infantry => true,
            Arm::Cavalry => !unit.mounted,
            Arm::Artillery => unit.footing.formation == Formation::Unlimbered,
            Arm::Sharpshooter | Arm::GunCrew => false,
        };
        fights && unit.is_unrouted() && !unit.is_skirmishing()
    });
    let near = |ix: UnitIx| seen.iter().any(|enemy| field.within(ix, *enemy, ENGAGED_WITHIN));
    units.map(|(ix, _)| ix).filter(|ix| near(*ix)).collect()
}

/// AMMO-06 The wagons that may serve as things stand: far enough behind the line and from every enemy in sight.
fn open<'t>(field: &Field<'t>) -> Vec<&'t Wagon> {
    let least = field.rules.gun_rules.wagon_min_distance_behind_line.thousandths();
    let is_open = |wagon: &&Wagon| {
        let seen = seen_by(field, wagon.side);
        let line = battle_line(field, wagon.side, &seen);
        let mut near = line.iter().chain(&seen).filter_map(|ix| distance(field, wagon, *ix));
        !near.any(|distance| distance.closer_than(least))
    };
    standing(field.table).filter(is_open).collect()
}

fn is_told_to_draw(play: &Play<'_>, ix: UnitIx) -> bool {
    let unit = &play.table()[ix];
    let marks = &unit.marks;
    matches!(play.order(ix), Order::Form { task: FormTask::Resupply {} })
        && unit.is_unrouted()
        && marks.fires == 0
        && !(marks.moved || marks.fell_back || marks.conditional_hold || marks.in_melee || marks.beaten)
        && marks.charged_by.is_none()
}

/// AMMO-05, AMMO-06 Marks, as phase 7 begins, who stands at a wagon that may serve.
pub(crate) fn begin(play: &mut Play<'_>) {
    let told: Vec<UnitIx> = play.table().units().map(|(ix, _)| ix).filter(|ix| is_told_to_draw(play, *ix)).collect();
    if told.is_empty() {
        return;
    }
    let (drawing, closed): (Vec<UnitIx>, Vec<UnitIx>) = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let open = open(&field);
        let serves =
            |ix: UnitIx| open.iter().any(|wagon| wagon.side == field.unit(ix).side && is_beside(&field, wagon, ix));
        told.into_iter().partition(|ix| serves(*ix))
    };
    for ix in drawing {
        play.table_mut()[ix].marks.draws_ammunition = true;
    }
    for ix in closed {
        let (side, id, name) = (play.table()[ix].side, play.table()[ix].id.clone(), play.table()[ix].name.clone());
        let text = format!(
            "{name} draws no ammunition: no wagon beside it stands far enough from the battle line and the enemy."
        );
        play.tell_side(side, AMMO_06, Fact::OrderVoid { unit: id }, sentence(text));
    }
}

/// AMMO-05, AMMO-10 At the end of phase 8 those who have drawn all turn are full again, canister included.
pub(crate) fn resupply(play: &mut Play<'_>) {
    let drawn = play.table().units().map(|(ix, _)| ix);
    let drawn: Vec<UnitIx> =
        drawn.filter(|ix| play.table()[*ix].marks.draws_ammunition && is_told_to_draw(play, *ix)).collect();
    for ix in drawn {
        let rules = play.rules;
        let unit = &mut play.table_mut()[ix];
        unit.ammunition_out_since = None;
        let class = rules.gun.get(&unit.weapon).map(|gun| rules.gun_class.at(gun.class)).filter(|class| class.reloads);
        if let (Some(guns), Some(class)) = (&mut unit.guns, class) {
            guns.canister = guns.canister.max(class.canister_charges.unsigned_abs());
        }
        let has_guns = unit.guns.is_some() && class.is_some();
        let (id, text) = (unit.id.clone(), format!("{} has drawn ammunition.", unit.name));
        let mut told = sentence(text);
        if has_guns {
            told = told.with_note(AMMO_10, "a turn at a wagon restores the canister");
        }
        play.tell(AMMO_05, Fact::Ammunition { unit: id, out: false }, told);
    }
}

/// AMMO-06 Wagons that an unrouted enemy unit touches are lost.
///
/// LOS-17 In the fog who does it is seen by their side, so that both know which are left.
pub(crate) fn overrun(play: &mut Play<'_>) {
    if standing(play.table()).next().is_none() {
        return;
    }
    let lost: Vec<(UnitId, Side, UnitIx)> = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let taken = standing(field.table).filter_map(|wagon| {
            let mut enemies = field.enemies_of(wagon.side).filter(|(_, enemy)| enemy.is_unrouted());
            let (by, _) =
                enemies.find(|(ix, _)| distance(&field, wagon, *ix).is_some_and(|distance| distance.within(0)))?;
            Some((wagon.id.clone(), wagon.side, by))
        });
        taken.collect()
    };
    for (wagon, owner, by) in lost {
        los::come_upon(play, owner, &[by]);
        let (id, name) = (play.table()[by].id.clone(), play.table()[by].name.clone());
        let text = format!("{name} destroys the ammunition wagon `{wagon}`.");
        play.table_mut().lost_wagons.insert(wagon);
        play.tell(AMMO_06, Fact::Special { unit: Some(id) }, sentence(text));
    }
}
