//! Conditions and triggers of special rules. SCNS-03
//!
//! Owns whether one holds now, and the writing down of triggers at the ends of turns.

use protocol::event::Fact;
use protocol::ids::Side;
use protocol::place::Point;
use protocol::words::Arm;

use super::is_on;
use crate::battle::{Table, Unit, UnitIx};
use crate::catalogue::SCNS_03;
use crate::explain::sentence;
use crate::field::Field;
use crate::places;
use crate::play::Play;
use crate::scenario::{Condition, Edge, PlaceTerm, Special, SpecialKind};

/// SCNS-03 Whether a condition holds for a unit now.
pub fn holds(field: &Field<'_>, condition: &Condition, ix: UnitIx) -> bool {
    let (table, unit) = (field.table, field.unit(ix));
    match condition {
        Condition::Turn(turn) => table.turn == *turn,
        Condition::AfterTurn(turn) => *turn < table.turn,
        Condition::PassedCheck => 0 < unit.carried.checks_passed,
        Condition::Fires(fires) => *fires <= unit.carried.fires,
        // Whole turns: what it does this turn breaks the spell at once.
        Condition::HeldTurns(turns) => *turns <= unit.carried.held_turns && !left_its_place(unit),
        Condition::InPlace(place) => places::holds_unit(field, &PlaceTerm::Feature(place.clone()), ix),
        Condition::Mounted => unit.mounted,
        Condition::Dismounted => unit.arm == Arm::Cavalry && !unit.mounted,
        // Units under pickets stand on no open table.
        Condition::Hidden => false,
        Condition::Charged => unit.marks.charged_by.is_some(),
        Condition::FiredOn => unit.marks.fired_on,
        Condition::EnemyWithin(inches) => {
            let mut enemies = field.enemies_of(unit.side);
            enemies.any(|(enemy, _)| field.within(ix, enemy, *inches) && field.sees(ix, enemy))
        }
        Condition::SideInPlace(side, place) => {
            let place = PlaceTerm::Feature(place.clone());
            // SCNS-04, LOS-19 No trigger tells of an enemy of whom its side does not know.
            let known = |troop: UnitIx| table.knows_of(unit.side, troop);
            let mut troops = table.units_of(*side).filter(|(ix, troop)| troop.is_unrouted() && known(*ix));
            troops.any(|(troop, _)| places::holds_unit(field, &place, troop))
        }
        Condition::Lost(count) => {
            let lost = table.all_units().filter(|(_, other)| other.side == unit.side && crate::levels::is_lost(other));
            *count <= lost.count() as u32
        }
        Condition::FriendPassed => {
            let edge = enemy_edge(table, unit.side);
            let nearness = |other: UnitIx| distance_to(table, edge, field.center(other));
            let mut friends =
                table.units_of(unit.side).filter(|(other, friend)| *other != ix && friend.arm == Arm::Infantry);
            friends.any(|(friend, _)| nearness(friend) < nearness(ix))
        }
        // The umpire speaks by his own orders, which set the term as come true.
        Condition::Umpire => false,
    }
}

/// Whether a unit has moved or fought hand to hand this turn.
pub fn left_its_place(unit: &Unit) -> bool {
    let marks = &unit.marks;
    marks.moved || marks.fell_back || marks.in_melee || marks.charged || marks.beaten || !unit.is_unrouted()
}

/// The edge by which the enemy withdraws. SCN-04
fn enemy_edge(table: &Table, side: Side) -> Edge {
    table.scenario().sides.get(side.enemy()).exit_edge.edge
}

fn distance_to(table: &Table, edge: Edge, point: Point) -> i32 {
    let ground = table.ground().ground();
    match edge {
        Edge::North => ground.height - point.y,
        Edge::East => ground.width - point.x,
        Edge::South => point.y,
        Edge::West => point.x,
    }
}

/// Under what name a trigger of a unit is written down.
fn trigger_key(term: &str, unit: &Unit) -> String {
    format!("{term}/{}", unit.id)
}

/// SCNS-03 Whether a trigger has come true for a unit, as tested at the ends of turns.
pub fn has_come_true(table: &Table, term: &str, unit: &Unit) -> bool {
    table.came_true.contains_key(&trigger_key(term, unit)) || table.came_true.contains_key(term)
}

fn trigger(kind: &SpecialKind) -> Option<&Condition> {
    match kind {
        SpecialKind::Modifier { until, .. } => until.as_ref(),
        SpecialKind::Orders { until, .. } => Some(until),
        SpecialKind::ExitRight { when } => Some(when),
        _ => None,
    }
}

/// SCNS-03 Tests the triggers at the end of a turn, and tells which have come true.
pub fn mark_triggers(play: &mut Play<'_>) {
    let field = Field::new(play.rules, play.table(), play.dice);
    let mut came_true = Vec::new();
    for (ix, unit) in field.table.units() {
        let terms = in_force_ever(field.table, unit).filter(|special| !has_come_true(field.table, &special.id, unit));
        let met = terms.filter(|special| trigger(&special.kind).is_some_and(|condition| holds(&field, condition, ix)));
        came_true.extend(
            met.map(|special| (special.id.clone(), unit.id.clone(), unit.name.clone(), trigger_key(&special.id, unit))),
        );
    }
    let turn = play.table().turn;
    for (term, unit, name, key) in came_true {
        play.table_mut().came_true.insert(key, turn);
        let text = format!("The special rule `{term}` of the scenario has come true for {name}.");
        play.tell(SCNS_03, Fact::Special { unit: Some(unit) }, sentence(text));
    }
}

/// As [`in_force`], whatever the turn and the formation: triggers are tested for whoever the term may concern.
fn in_force_ever<'t>(table: &'t Table, unit: &'t Unit) -> impl Iterator<Item = &'t Special> {
    let scenario = table.scenario();
    scenario.specials.iter().filter(move |special| {
        is_on(table, special)
            && special.side.is_none_or(|side| side == unit.side)
            && special.arm.is_none_or(|arm| arm == unit.arm)
            && (special.who.is_empty() || scenario.selected(&special.who).contains(&unit.id))
    })
}
