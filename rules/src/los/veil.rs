//! What is taken off a table before a side, or the public, may look at it. LOS-06, LOS-14 to LOS-18, LOS-21
//!
//! Owns the one way from the truth to what is known. A unit that is not seen becomes a name, the same whatever has become of it.

use std::sync::Arc;

use protocol::event::Morale;
use protocol::ids::{BySide, Side, UnitId};
use protocol::place::Point;
use protocol::view::Presence;

use super::is_played;
use crate::battle::{Battle, Brigade, Carried, Footing, Leader, LeaderMarks, Memory, Sights, Table, TurnMarks, Unit};
use crate::setup;

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Eyes {
    /// One side.
    Side(Side),
    /// Those who know what both sides know that both know: nobody on the table. LOS-21
    Public,
}

/// LOS-06 Whether a unit of a veiled table is a name only.
pub(crate) fn is_veiled(unit: &Unit) -> bool {
    matches!(unit.presence, Presence::Hidden | Presence::ToCome)
}

/// LOS-06, LOS-21 Takes off a copy of a battle's table what is not known to those who look; nothing in another fog, before the
/// battle begins, or when it is over.
pub(crate) fn veil(table: &mut Table, eyes: Eyes, battle: &Battle) {
    if !is_played(table) || table.is_deploying() || table.ended.is_some() {
        table.sights = None;
        return;
    }
    // Before the first look nobody is seen.
    let sights = table.sights.take().unwrap_or_default();
    let veil = Veil { eyes, sights, nobody: Sights::default() };
    veil.take_units_off(table);
    veil.take_leaders_off(table);
    veil.take_commands_off(table);
    table.abandoned.retain(|battery, guns| veil.of(guns.side).is_none_or(|seen| seen.guns.contains(battery)));
    let memory = match eyes {
        Eyes::Side(side) => battle.secrets.get(side).open().memory.clone(),
        Eyes::Public => None,
    };
    put_memory_on(table, memory.unwrap_or_default());
    // Both sides see who destroys a wagon; the public sees nobody.
    if eyes == Eyes::Public {
        table.lost_wagons.clear();
    }
}

/// LOS-17, LOS-18 Map, own guns left, score and places as they are remembered.
fn put_memory_on(table: &mut Table, memory: Memory) {
    let Memory { ghosts: _, ground, guns, held_by, reached, score } = memory;
    table.changes = ground;
    table.abandoned.extend(guns);
    table.held_by = held_by;
    table.score = score;
    table.came_true.retain(|key, _| !crate::victory::is_of_reaching(key));
    table.came_true.extend(reached);
    table.building_losses.clear();
}

struct Veil {
    eyes: Eyes,
    sights: BySide<Sights>,
    /// What the public sees. LOS-21
    nobody: Sights,
}

impl Veil {
    /// What those who look see of a side; none of their own, of whom they know all.
    fn of(&self, owner: Side) -> Option<&Sights> {
        match self.eyes {
            Eyes::Side(side) if side == owner => None,
            Eyes::Side(side) => Some(self.sights.get(side)),
            Eyes::Public => Some(&self.nobody),
        }
    }

    fn sees(&self, owner: Side, unit: &UnitId) -> bool {
        self.of(owner).is_none_or(|seen| seen.units.contains(unit))
    }

    /// LOS-06 Unseen units become names. LOS-09 Orders of those who are seen name nobody unseen.
    fn take_units_off(&self, table: &mut Table) {
        let (theatre, switched_on) = (Arc::clone(&table.theatre), table.switched_on.clone());
        // A stand that has left its regiment to man guns is not in the order of battle. ARTY-48
        let is_printed = |unit: &Unit| unit.carried.stand_of.is_none();
        let printed = |unit: &Unit| setup::as_printed(&theatre, &switched_on, &unit.id).unwrap_or_else(|| unit.clone());
        let name = |unit: &Unit| is_printed(unit).then(|| name_of(unit, printed(unit)));
        table.veil_units(|unit| self.sees(unit.side, &unit.id), name);
        let names: Vec<UnitId> =
            table.all_units().filter(|(_, unit)| is_veiled(unit)).map(|(_, unit)| unit.id.clone()).collect();
        self.shorten_columns(table, &names);
        self.take_marks_off(table);
        let third = |unit: &Unit| match &unit.marks.shown {
            Some(protocol::event::OrderShown::Charge { target, support_of }) => {
                [target, support_of].into_iter().flatten().any(|id| names.contains(id))
            }
            _ => false,
        };
        let concerned: Vec<_> = table.all_units().filter(|(_, unit)| third(unit)).map(|(ix, _)| ix).collect();
        for ix in concerned {
            let own = table[ix].side;
            let knows = |id: &UnitId| self.of(own).is_none() || !names.contains(id);
            let shown = table[ix].marks.shown.take();
            table[ix].marks.shown = shown.map(|shown| super::subjects::order_for(shown, &knows));
        }
    }

    /// LOS-06 How near the viewer's troops came to an enemy as far as his side knows, and that he was struck by fire at a place, is not
    /// to be seen on him. OFF-02, LOS-13
    fn take_marks_off(&self, table: &mut Table) {
        let marked = |unit: &Unit| unit.marks.closest_enemy.is_some() || !unit.marks.fired_on_blind_by.is_empty();
        let enemies = table.all_units().filter(|(_, unit)| self.of(unit.side).is_some() && marked(unit));
        for ix in enemies.map(|(ix, _)| ix).collect::<Vec<_>>() {
            let marks = &mut table[ix].marks;
            marks.closest_enemy = None;
            marks.fired_on_blind_by.clear();
        }
    }

    /// LOS-06 A column that is seen in part is a column of those who are seen; one alone is none. TAC-27
    fn shorten_columns(&self, table: &mut Table, names: &[UnitId]) {
        let enemy = |unit: &Unit| self.of(unit.side).is_some() && unit.column.is_some();
        let concerned: Vec<_> = table.all_units().filter(|(_, unit)| enemy(unit)).map(|(ix, _)| ix).collect();
        for ix in concerned {
            let Some(mut column) = table[ix].column.take() else { continue };
            column.ranks.retain(|rank| !names.contains(&rank.unit));
            table[ix].column = Some(column).filter(|column| 1 < column.ranks.len());
        }
    }

    /// LOS-15 Unseen leaders are names as the scenario prints them.
    fn take_leaders_off(&self, table: &mut Table) {
        let theatre = Arc::clone(&table.theatre);
        for leader in table.leaders.values_mut() {
            let Some(seen) = self.of(leader.side) else { continue };
            if seen.leaders.contains(&leader.id) {
                // Who of his own is about him is known as far as they are seen.
                let marks = &mut leader.marks;
                for near in [&mut marks.helped, &mut marks.helped_in_turn, &mut marks.began_with, &mut marks.began_near]
                {
                    near.retain(|unit| seen.units.contains(unit));
                }
                marks.closest_enemy = None;
                marks.goes_in_with = marks.goes_in_with.take().filter(|unit| seen.units.contains(unit));
                continue;
            }
            let printed = theatre.scenario.commander(leader.id.as_str());
            *leader = Leader {
                name: printed.map_or_else(|| leader.name.clone(), |printed| printed.name.clone()),
                level: printed.map_or(leader.level, |printed| printed.level),
                took_over: None,
                at: Point::default(),
                at_turn_start: Point::default(),
                attached: None,
                presence: Presence::Hidden,
                arrives: None,
                wounded_until: None,
                lost_in: None,
                replacement_attempts: 0,
                marks: LeaderMarks::default(),
                ..leader.clone()
            };
        }
    }

    /// LOS-16 Of the enemy's commands it is known what the scenario prints.
    fn take_commands_off(&self, table: &mut Table) {
        for brigade in table.brigades.values_mut().filter(|brigade| self.of(brigade.side).is_some()) {
            *brigade = Brigade {
                points_lost: 0,
                regiments_lost_before: 0,
                regiments_lost_now: 0,
                commander_lost: false,
                level: 0,
                withdrawal_counted: false,
                ..brigade.clone()
            };
        }
        let leaders = &table.leaders;
        table.losses.retain(|post, _| leaders.get(post).is_some_and(|leader| self.of(leader.side).is_none()));
    }
}

/// LOS-06 The name of a unit: what the order of battle says of it, and nothing of what has become of it.
fn name_of(unit: &Unit, printed: Unit) -> Unit {
    Unit {
        seat: unit.seat.clone(),
        presence: Presence::Hidden,
        picket: None,
        arrives: None,
        stands: Vec::new(),
        footing: Footing {
            anchor: Point::default(),
            facing: protocol::place::Bearing::NORTH,
            formation: protocol::words::Formation::SingleLine,
            gap: 0,
            refused: None,
            prone: false,
            trail: Vec::new(),
            disorder: false,
            screen_back: false,
        },
        stand_width: 0,
        stand_depth: 0,
        last_formed: protocol::words::Formation::SingleLine,
        morale: Morale::Good,
        first_casualty_taken: false,
        mounted: false,
        guns: None,
        sharpshooters: None,
        ammunition_out_since: None,
        opening_volley_used: false,
        located: false,
        column: None,
        carried: Carried::default(),
        marks: TurnMarks::default(),
        ..printed
    }
}
