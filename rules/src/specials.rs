//! The special rules of a scenario, as the phases ask for them: modifiers, cover, ground, allowances, orders.
//!
//! Owns the selection of terms (SCNS-01) and their conditions (SCNS-03). It never rolls a die and never applies anything: the
//! chapter that a term bends asks here, and cites the term. Start at [`in_force`].

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use protocol::event::Fact;
use protocol::ids::Side;
use protocol::place::Point;
use protocol::view::Presence;
use protocol::words::{Arm, Formation};

use crate::battle::{Footing, Table, Unit, UnitIx};
use crate::catalogue::{RuleId, SCNS_02, SCNS_03, SCNS_08};
use crate::explain::sentence;
use crate::field::Field;
use crate::ground::Bend;
use crate::places;
use crate::play::Play;
use crate::scenario::{
    Condition, CoverFacing, CoverKind, Edge, FormationWord, GroundUse, ModifierOn, OrderWord, PlaceTerm, RollFails,
    RollOn, RollResult, Special, SpecialKind,
};

/// SCNS-01 The special terms that concern a unit this turn: by side, name, arm, formation and turn. Place and condition are
/// asked by the kinds that have them. A term that is optional is off unless the game has switched it on.
pub fn in_force<'t>(table: &'t Table, unit: &'t Unit) -> impl Iterator<Item = &'t Special> {
    table.scenario().specials.iter().filter(move |special| concerns(table, special, unit, &unit.footing))
}

/// [`in_force`] for one term, and for the unit as it stands in the course of a move.
fn concerns(table: &Table, special: &Special, unit: &Unit, footing: &Footing) -> bool {
    (!special.optional || table.switched_on.contains(&special.id))
        && special.turns.is_none_or(|(from, to)| (from..=to).contains(&table.turn))
        && special.side.is_none_or(|side| side == unit.side)
        && special.arm.is_none_or(|arm| arm == unit.arm)
        && (special.formation.is_empty() || special.formation.iter().any(|word| stands_in_formation(footing, *word)))
        && (special.who.is_empty() || table.scenario().selected(&special.who).contains(&unit.id))
}

fn stands_in_formation(footing: &Footing, word: FormationWord) -> bool {
    match word {
        FormationWord::In(formation) => footing.formation == formation && !footing.disorder,
        FormationWord::Disorder(_) => footing.disorder,
    }
}

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
            let mut troops = table.units_of(*side).filter(|(_, troop)| troop.is_unrouted());
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
        !special.optional
            && special.side.is_none_or(|side| side == unit.side)
            && special.arm.is_none_or(|arm| arm == unit.arm)
            && (special.who.is_empty() || scenario.selected(&special.who).contains(&unit.id))
    })
}

/// SCNS-11 The special rule that bars a unit from drawing ammunition at a wagon.
pub fn bars_resupply<'t>(table: &'t Table, unit: &'t Unit) -> Option<&'t str> {
    let mut terms = in_force(table, unit);
    let barring = terms.find(|special| matches!(special.kind, SpecialKind::Ammunition { resupply: false, .. }));
    barring.map(|special| special.id.as_str())
}

/// SCNS-02 The modifiers of one kind that a scenario gives a unit now: rule, label, value, for its list of modifiers.
pub fn modifiers(field: &Field<'_>, unit: UnitIx, of: ModifierOn) -> Vec<(RuleId, String, i32)> {
    let subject = field.unit(unit);
    let terms = in_force(field.table, subject).filter_map(|special| match &special.kind {
        SpecialKind::Modifier { on, value, while_true, until } if *on == of => {
            let lasts = while_true.as_ref().is_none_or(|condition| holds(field, condition, unit))
                && (until.is_none() || !has_come_true(field.table, &special.id, subject))
                && is_in_its_place(field, special, unit);
            lasts.then(|| (SCNS_02, format!("special rule `{}`", special.id), *value))
        }
        _ => None,
    });
    terms.collect()
}

/// SCNS-02 The modifiers of a morale point, in checks and in rallies.
pub fn morale_point(field: &Field<'_>, unit: UnitIx) -> Vec<(RuleId, String, i32)> {
    modifiers(field, unit, ModifierOn::MoralePoint)
}

fn is_in_its_place(field: &Field<'_>, special: &Special, unit: UnitIx) -> bool {
    special.place.as_ref().is_none_or(|place| places::holds_unit(field, place, unit))
}

/// Cover that a scenario gives without an obstacle. SCNS-08
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialCover {
    /// The term.
    pub term: String,
    /// What it is likened to.
    pub treated_as: CoverKind,
}

/// SCNS-08 The cover that special rules give a unit against what comes from a point; none: from anywhere, as for checks
/// with no enemy known. Morale counts it like the thing that it is likened to (MOR-53).
pub fn cover(field: &Field<'_>, unit: UnitIx, from: Option<Point>) -> Vec<SpecialCover> {
    let subject = field.unit(unit);
    let front = field.layout(unit).as_target.front;
    let terms = in_force(field.table, subject).filter_map(|special| match &special.kind {
        SpecialKind::Cover { treated_as, facing, while_true } => {
            let meets = match facing {
                CoverFacing::All => true,
                CoverFacing::Front => from.is_none_or(|from| front.in_sector(from)),
            };
            let covers = meets
                && is_in_its_place(field, special, unit)
                && while_true.as_ref().is_none_or(|condition| holds(field, condition, unit));
            covers.then(|| SpecialCover { term: special.id.clone(), treated_as: *treated_as })
        }
        _ => None,
    });
    terms.collect()
}

/// The rule that [`cover`] is cited by.
pub const COVER_RULE: RuleId = SCNS_08;

/// SCNS-07, SCNS-09 What special rules make of the ground for a unit that moves: ground that counts as other ground, and
/// allowances that take the place of its rates, also where it has none. `footing` is how it stands at that moment.
pub fn bends<'t>(table: &'t Table, unit: &Unit, footing: &Footing) -> Vec<Bend<'t>> {
    let terms = table.scenario().specials.iter().filter_map(|special| {
        let plain = Bend {
            term: &special.id,
            holds: Box::new(move |point| {
                special.place.as_ref().is_none_or(|place| places::covers_point(table.ground(), place, point))
            }),
            terrain: None,
            wooded: None,
            allowance: None,
        };
        let bend = match &special.kind {
            SpecialKind::Terrain { treated_as, wooded, uses } if uses.contains(&GroundUse::Movement) => {
                Bend { terrain: *treated_as, wooded: *wooded, ..plain }
            }
            SpecialKind::MoveAllowance { inches, after_own_fire: false } => Bend { allowance: Some(*inches), ..plain },
            _ => return None,
        };
        concerns(table, special, unit, footing).then_some(bend)
    });
    terms.collect()
}

/// SCNS-09 How far a unit may fall back by itself after it has fired, thousandths of an inch, with the term.
pub fn fall_back_after_fire<'t>(table: &'t Table, unit: &'t Unit) -> Option<(&'t str, i32)> {
    in_force(table, unit).find_map(|special| match special.kind {
        SpecialKind::MoveAllowance { inches, after_own_fire: true } => Some((special.id.as_str(), inches)),
        _ => None,
    })
}

/// SCNS-10 The only orders that a unit may be given now, with the term that says so; none: any.
///
/// The default list is HOLD and FIRST FIRE, and DISENGAGE for a unit that has been charged.
pub fn allowed_orders<'t>(table: &'t Table, unit: &'t Unit) -> Option<(&'t str, BTreeSet<OrderWord>)> {
    let default = || {
        let mut orders = BTreeSet::from([OrderWord::Hold, OrderWord::FirstFire]);
        if unit.marks.charged_by.is_some() {
            orders.insert(OrderWord::Disengage);
        }
        orders
    };
    in_force(table, unit).find_map(|special| match &special.kind {
        SpecialKind::Orders { only, .. } if !has_come_true(table, &special.id, unit) => {
            let orders = if only.is_empty() { default() } else { only.iter().copied().collect() };
            Some((special.id.as_str(), orders))
        }
        SpecialKind::Release { turn } if table.turn < *turn => Some((special.id.as_str(), default())),
        _ => None,
    })
}

/// A die that a scenario asks for at the n-th event of a kind. SCNS-04
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roll<'t> {
    /// The term: first part of the die's key.
    pub term: &'t str,
    /// At what it fails.
    pub fails: &'t RollFails,
    /// What a failure does.
    pub result: RollResult,
}

/// SCNS-04 The dice due at the n-th event of a kind, counted from 1 over the game: at every one beyond `after`, or at the
/// `nth` alone.
pub fn rolls_due<'t>(table: &'t Table, unit: &'t Unit, event: RollOn, n: u32) -> Vec<Roll<'t>> {
    let terms = in_force(table, unit).filter_map(|special| match &special.kind {
        SpecialKind::Roll { on, result, after, nth, from_turn, fails } if *on == event && *from_turn <= table.turn => {
            let due = after.is_some_and(|after| after < n) || nth.is_some_and(|nth| nth == n);
            due.then_some(Roll { term: &special.id, fails, result: *result })
        }
        _ => None,
    });
    terms.collect()
}

/// SCNS-15 Whether a unit may form line with skirmishers by the scenario's leave, whatever its formation at the start.
pub fn screen_allowed(table: &Table, unit: &Unit) -> bool {
    in_force(table, unit).any(|special| matches!(special.kind, SpecialKind::Start { screen_allowed: true, .. }))
}

/// SCNS-15 So many whole turns of FORM it takes to leave the formation of the start; 0: what the book says.
pub fn turns_to_leave(table: &Table, unit: &Unit, formation: Formation) -> u32 {
    let terms = in_force(table, unit).filter_map(|special| match special.kind {
        SpecialKind::Start { formation: start, leave_turns, .. } if start == Some(formation) => Some(leave_turns),
        _ => None,
    });
    terms.max().unwrap_or(0)
}

/// SCNS-12 Whether a leader is rolled for as within two inches of the enemy while he is in the place of a term.
pub fn casualty_within_2(table: &Table, leader: &crate::battle::Leader) -> bool {
    table.scenario().specials.iter().any(|special| {
        let SpecialKind::Leader { casualty_within_2: true, .. } = special.kind else { return false };
        let named = special.who.iter().any(|who| who == leader.id.as_str());
        let here = special.place.as_ref().is_none_or(|place| places::holds_point(table.ground(), place, leader.at));
        let now = special.turns.is_none_or(|(from, to)| (from..=to).contains(&table.turn));
        !special.optional && named && here && now && leader.presence == Presence::Table
    })
}
