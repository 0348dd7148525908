//! Two worlds in the fog `line_of_sight`: the enemy's unseen units stand elsewhere, and nobody who cannot see them can tell. LOS-06
//!
//! Owns battles in which much of both sides is in the woods, the exchange of what a side does not see, and the comparison of all
//! that it is sent or may ask, until somebody who differs comes in its sight, or acts in it. Beside the comparison of two
//! worlds it holds what a side is told against what it sees: no fact may name an enemy who is out of sight.
//!
//! Start at [`two_worlds_in_fog`].

use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::event::{Event as Shown, Fact};
use protocol::ids::{BySide, LeaderId, Side, UnitId};
use protocol::orders::{Draft, HoldFire, HoldTrigger, Stage, Stop, UnseenFire};
use protocol::place::Point;

use super::chance::Chance;
use super::exchange::suffer;
use super::players::seat;
use super::questions::json;
use super::setting::in_the_woods;
use super::worlds::{Course, Hidden, Leak, Ran, Worlds, dice};
use crate::battle::{Battle, Known, Table, Theatre, UnitIx, known};
use crate::dice::{Dice, Purpose};
use crate::field::Field;
use crate::orders::legal_part;
use crate::ruleset::Ruleset;
use crate::scenario::{Fog, Options, Scenario};
use crate::setup::{self, Seating};
use crate::stage::{Envelopes, Outcome};
use crate::view;

/// By which the dice of this check are told from those of others.
const LABEL: &str = "fog";
/// How often a new place is looked for.
const TRIES: u32 = 30;
/// How near to another a unit does not begin, thousandths of an inch.
const APART: i32 = 3_000;
/// How near to another one does not lurk, thousandths of an inch: within touch all are seen.
const LURKS: i32 = 1_050;
/// How far from the edge of the table it stays, thousandths of an inch.
const FROM_EDGE: i32 = 4_000;

/// Dice with which one sees farthest.
struct Best;

impl Dice for Best {
    fn die(&self, _: u8, _: Purpose, _: &[&str], _: u32) -> u8 {
        6
    }
}

/// LOS-01 The same battle in the fog `line_of_sight`, without hidden movement.
pub fn in_fog(theatre: &Theatre) -> Arc<Theatre> {
    let scenario = &*theatre.scenario;
    let options = Options { fog: Fog::LineOfSight, hidden_movement: false, ..scenario.options.clone() };
    Theatre::new(Arc::new(Scenario { options, ..scenario.clone() }))
}

/// Plays one battle twice for so many turns in this fog, the second time with the enemy's unseen units elsewhere, and compares all
/// that one side is sent. When somebody who differs is seen, the second world begins again as the first stands. LOS-06
pub fn two_worlds_in_fog(theatre: &Arc<Theatre>, seed: u64, turns: u32) -> Result<Ran, Leak> {
    let theatre = in_fog(theatre);
    let mut chance = Chance::new(seed);
    let viewer = if chance.once_in(2) { Side::Union } else { Side::Confederate };
    let rules = theatre.scenario.edition.rules();
    let one = begin(&theatre, rules, &mut chance);
    let other = one.clone();
    let worlds =
        Worlds { rules, label: LABEL, seed, viewer, one, other, stage: Stage::Orders, chance, ran: Ran::default() };
    worlds.run(turns, &Fogged)
}

/// The battle as printed, half of both sides gone into the woods about their places.
fn begin(theatre: &Arc<Theatre>, rules: &Ruleset, chance: &mut Chance) -> Battle {
    let nothing = BySide::default();
    let mut battle = setup::start(theatre, rules, &Seating::one_each(), &BTreeSet::new(), &nothing);
    for ix in battle.table.units().map(|(ix, _)| ix).collect::<Vec<_>>() {
        if chance.once_in(2) || battle.table[ix].column.is_some() {
            continue;
        }
        let place = in_the_woods(&battle, battle.table[ix].footing.anchor, chance);
        if let Some(table) = put(&battle.table, ix, place, APART) {
            battle.table = table;
        }
    }
    let dice = dice(LABEL, 0, &battle);
    crate::stage::open(rules, battle, &dice).battle
}

/// The table with a unit, and the leaders with it, elsewhere; none if it has no room there.
fn put(table: &Table, ix: UnitIx, place: Point, apart: i32) -> Option<Table> {
    let mut table = table.clone();
    let (id, from) = (table[ix].id.clone(), table[ix].footing.anchor);
    let footing = &mut table[ix].footing;
    footing.anchor = place;
    footing.trail.clear();
    for leader in table.leaders.values_mut().filter(|leader| leader.attached.as_ref() == Some(&id)) {
        leader.at = Point::new(leader.at.x + place.x - from.x, leader.at.y + place.y - from.y);
        leader.at_turn_start = leader.at;
    }
    let ground = table.ground().ground();
    let inside = |at: Point| {
        (FROM_EDGE..ground.width - FROM_EDGE).contains(&at.x) && (FROM_EDGE..ground.height - FROM_EDGE).contains(&at.y)
    };
    let field = Field::before_dice(table.rules(), &table);
    let alone = field.near(field.extent(ix), apart).all(|other| other == ix);
    let is_whole = table.layout(ix).rects().flat_map(|rect| rect.corners).all(inside);
    (alone && is_whole).then_some(table)
}

/// The fog `line_of_sight`: the enemy's units out of sight.
struct Fogged;

impl Hidden for Fogged {
    /// The enemy's units whom the viewer does not see stand elsewhere out of his sight, some with fewer men, without cartridges or
    /// in disorder; his lone leaders ride elsewhere.
    fn exchange(&self, worlds: &mut Worlds<'_>) {
        if worlds.stage != Stage::Orders && !worlds.chance.once_in(3) {
            return;
        }
        let unseen: Vec<UnitIx> = unseen(&worlds.other.table, worlds.viewer);
        for ix in unseen {
            let unit = &worlds.other.table[ix];
            if unit.column.is_some() || unit.marks.in_melee || worlds.chance.once_in(3) {
                continue;
            }
            let anchor = unit.footing.anchor;
            // Half of them lurk about somebody of the viewer's, as near as they are not seen.
            let lurks = worlds.chance.once_in(2);
            let preys: Vec<Point> =
                worlds.other.table.units_of(worlds.viewer).map(|(_, unit)| unit.footing.anchor).collect();
            for _ in 0..TRIES {
                let prey = worlds.chance.one_of(&preys).filter(|_| lurks).copied();
                let (about, reach) = prey.map_or((anchor, 16_000), |prey| (prey, 6_000));
                let (x, y) = (worlds.chance.offset(reach), worlds.chance.offset(reach));
                let place = Point::new(about.x + x, about.y + y);
                let Some(table) = put(&worlds.other.table, ix, place, LURKS) else { continue };
                if !is_seen(worlds, &table, ix) {
                    worlds.other.table = table;
                    break;
                }
            }
            suffer(&mut worlds.other.table[ix], &mut worlds.chance);
            worlds.other.table[ix].footing.disorder |= worlds.chance.once_in(6);
        }
        ride_elsewhere(worlds);
        worlds.ran.exchanges += 1;
    }

    /// Fire at points, fire kept for a near enemy, marches that stop for one: all that an enemy who is not seen might set off.
    fn say_more(&self, known: &Known, draft: &mut Draft, chance: &mut Chance) {
        for (id, said) in &mut draft.units {
            let Some(unit) = known.table.unit(id) else { continue };
            if chance.once_in(4) {
                let at = unit.footing.anchor;
                let at = Point::new(at.x + chance.offset(12_000), at.y + chance.offset(12_000));
                said.instructions.unseen_fire = Some(UnseenFire::Point { at });
            }
            if chance.once_in(4) {
                let near = HoldTrigger::Within { distance: chance.below(9_000) };
                let any_of = vec![vec![near]];
                said.instructions.hold_fire = Some(HoldFire { any_of, only_if_charged: false, wait_for: None });
            }
            if chance.once_in(4) {
                let stops = [Stop::OnSight {}, Stop::Before { distance: chance.below(9_000) }, Stop::BeforeClose {}];
                said.instructions.stop = chance.one_of(&stops).cloned();
            }
        }
    }

    /// Some of those who are not seen do nothing where they march or fire in the first world.
    fn sealed_otherwise(&self, worlds: &mut Worlds<'_>, sealed: &Envelopes) -> Envelopes {
        let (enemy, table) = (worlds.viewer.enemy(), &worlds.other.table);
        let idle: Vec<UnitId> = unseen(table, worlds.viewer)
            .into_iter()
            .map(|ix| table[ix].id.clone())
            .filter(|_| worlds.chance.once_in(3))
            .collect();
        let mut sealed = sealed.clone();
        if let Some(draft) = sealed.get_mut(&seat(enemy)) {
            draft.units.retain(|id, _| !idle.contains(id));
            *draft = legal_part(&known(&worlds.other, enemy), worlds.rules, &seat(enemy), worlds.stage, draft).0;
        }
        sealed
    }

    fn compare_events(&self, worlds: &mut Worlds<'_>, one: &Outcome, other: &Outcome) -> Result<Course, Leak> {
        let mut course = Course::Alike;
        for viewer in worlds.viewers() {
            let [one, other] = [one, other].map(|outcome| view::events(&outcome.events, &viewer));
            let mut seen = InSight::at_the_start(&worlds.one, worlds.viewer);
            for n in 0..one.len().max(other.len()) {
                let pair = (one.get(n), other.get(n));
                let next = (one.get(n + 1), other.get(n + 1));
                if pair.0 != pair.1 && (seen.may_differ(pair) || is_cut_short(pair, next)) {
                    course = Course::Parted;
                    break;
                }
                worlds.compare(&format!("event {}", n + 1), json(&pair.0), json(&pair.1))?;
                let Some(event) = pair.0 else { continue };
                if let Some(name) = seen.names_somebody_else(event) {
                    return worlds.leak("a name", format!("{name} is out of sight: {}", json(event)), String::new());
                }
                if seen.take_in(event).iter().any(|id| worlds.one.table.unit(id) != worlds.other.table.unit(id)) {
                    course = Course::Parted;
                    break;
                }
            }
        }
        Ok(course)
    }
}

/// The viewer's enemies who ride alone and are not seen ride elsewhere, where nobody sees them.
fn ride_elsewhere(worlds: &mut Worlds<'_>) {
    let (table, viewer) = (&worlds.other.table, worlds.viewer);
    let seen = table.sights.as_ref().map(|sights| sights.get(viewer).leaders.clone()).unwrap_or_default();
    let alone = table.leaders_on_table().filter(|leader| leader.side != viewer && leader.attached.is_none());
    let alone: Vec<LeaderId> = alone.map(|leader| leader.id.clone()).filter(|id| !seen.contains(id)).collect();
    for id in alone {
        let Some(leader) = worlds.other.table.leaders.get(&id) else { continue };
        let mut leader = leader.clone();
        leader.at.x += worlds.chance.offset(6_000);
        leader.at.y += worlds.chance.offset(6_000);
        let stand = leader.stand();
        let ground = worlds.other.table.ground().ground();
        let inside = |at: Point| (0..ground.width).contains(&at.x) && (0..ground.height).contains(&at.y);
        let field = Field::new(worlds.rules, &worlds.other.table, &Best);
        let is_seen = field.enemies_of(leader.side).any(|(eye, _)| {
            field.leader_within(&leader, eye, APART) || field.sees_place(eye, leader.id.as_str(), &[stand])
        });
        if stand.corners.into_iter().all(inside) && !is_seen {
            worlds.other.table.leaders.insert(id, leader);
        }
    }
}

/// Whether any enemy would see a unit where it stands, by the dice of this turn.
fn is_seen(worlds: &Worlds<'_>, table: &Table, ix: UnitIx) -> bool {
    let dice = dice(worlds.label, worlds.seed, &worlds.other);
    let field = Field::new(worlds.rules, table, &dice);
    let mut enemies = field.enemies_outward(table[ix].side, field.extent(ix));
    enemies.any(|enemy| field.has_in_view(enemy, ix))
}

/// The units of the viewer's enemy on a table whom he does not see.
fn unseen(table: &Table, viewer: Side) -> Vec<UnitIx> {
    table.units_of(viewer.enemy()).filter(|(ix, _)| !table.knows_of(viewer, *ix)).map(|(ix, _)| ix).collect()
}

/// Whether one way is told in two worlds, and in one of them up to the place where somebody comes in sight who acts upon it.
fn is_cut_short(pair: (Option<&Shown>, Option<&Shown>), next: (Option<&Shown>, Option<&Shown>)) -> bool {
    let goes = |event: Option<&Shown>| match event.map(|event| &event.fact) {
        Some(Fact::Moved { unit, .. }) => Some(unit.clone()),
        _ => None,
    };
    let comes = |event: Option<&Shown>| match event.map(|event| &event.fact) {
        Some(Fact::Sighted { came, .. }) => !came.is_empty(),
        _ => false,
    };
    goes(pair.0).is_some() && goes(pair.0) == goes(pair.1) && (comes(next.0) || comes(next.1))
}

/// The enemies in sight as the viewer is told, and all whom he could see.
struct InSight {
    now: BTreeSet<UnitId>,
    /// And those who were in sight in this stage: their marches are told when the phase ends. LOS-11
    ever: BTreeSet<UnitId>,
    enemies: BTreeSet<UnitId>,
}

impl InSight {
    fn at_the_start(battle: &Battle, viewer: Side) -> InSight {
        let table = &battle.table;
        let enemies = table.all_units().filter(|(_, unit)| unit.side != viewer).map(|(_, unit)| unit.id.clone());
        let now = table.sights.as_ref().map(|sights| sights.get(viewer).units.clone()).unwrap_or_default();
        InSight { ever: now.clone(), now, enemies: enemies.collect() }
    }

    /// Whether one of two facts may be told in its world alone.
    fn may_differ(&self, pair: (Option<&Shown>, Option<&Shown>)) -> bool {
        [pair.0, pair.1].into_iter().flatten().any(|event| self.shows(event))
    }

    /// Whether a fact may be told in one world alone: somebody comes in sight or is lost from it, or an enemy in sight does what
    /// he does, which is his own affair.
    fn shows(&self, event: &Shown) -> bool {
        if matches!(event.fact, Fact::Sighted { .. } | Fact::Ended { .. }) {
            return true;
        }
        let (of, upon) = crate::los::units_of(&event.fact);
        let enemies = |units: &[&UnitId]| units.iter().filter(|id| self.enemies.contains(**id)).count();
        let seen = of.iter().chain(&upon).filter(|id| self.may_be_told_of(event).contains(**id)).count();
        0 < enemies(&of) && enemies(&of) == of.len() && seen == enemies(&of) + enemies(&upon)
    }

    /// Of whom a fact may be told.
    fn may_be_told_of(&self, event: &Shown) -> &BTreeSet<UnitId> {
        if matches!(event.fact, Fact::Moved { .. }) { &self.ever } else { &self.now }
    }

    /// An enemy out of sight whom a fact names.
    fn names_somebody_else(&self, event: &Shown) -> Option<UnitId> {
        if matches!(event.fact, Fact::Sighted { .. } | Fact::Ended { .. }) {
            return None;
        }
        let text = json(event);
        let unseen = self.enemies.difference(self.may_be_told_of(event));
        unseen.into_iter().find(|id| text.contains(&format!("\"{id}\""))).cloned()
    }

    /// Takes in who comes and who is lost. Who has come.
    fn take_in(&mut self, event: &Shown) -> Vec<UnitId> {
        let Fact::Sighted { came, lost, .. } = &event.fact else { return Vec::new() };
        let came: Vec<UnitId> = came.iter().map(|came| came.unit.clone()).collect();
        self.now.extend(came.iter().cloned());
        self.ever.extend(came.iter().cloned());
        self.now.retain(|id| !lost.contains(id));
        came
    }
}
