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
use protocol::ids::{BySide, Side, UnitId};
use protocol::orders::{Draft, Stage};
use protocol::place::Point;
use protocol::view::Viewer;

use super::chance::Chance;
use super::players::{random_draft, seat};
use super::questions::{ask, json};
use super::setting::in_the_woods;
use super::worlds::{Leak, Ran};
use crate::battle::{Battle, Table, Theatre, UnitIx, known};
use crate::dice::{Dice, KeyedDice, Purpose, SealedOrders, TurnSeed};
use crate::field::Field;
use crate::orders::legal_part;
use crate::ruleset::Ruleset;
use crate::scenario::{Fog, Options, Scenario};
use crate::setup::{self, Seating};
use crate::stage::{Envelopes, Outcome, resolve};
use crate::view;

/// How often a new place is looked for.
const TRIES: u32 = 30;
/// How near to another a unit is not put, thousandths of an inch.
const APART: i32 = 3_000;
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
    let mut worlds = Fogged { rules, seed, viewer, one, other, stage: Stage::Orders, chance, ran: Ran::default() };
    for _ in 0..turns {
        for stage in Stage::ALL {
            worlds.stage = stage;
            worlds.play()?;
            if worlds.one.table.ended.is_some() {
                return Ok(worlds.ran);
            }
        }
    }
    Ok(worlds.ran)
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
        if let Some(table) = put(&battle.table, ix, place) {
            battle.table = table;
        }
    }
    let dice = dice_of(0, &battle);
    crate::stage::open(rules, battle, &dice).battle
}

fn dice_of(seed: u64, battle: &Battle) -> KeyedDice {
    let mut secret = [0u8; 32];
    secret[..8].copy_from_slice(&seed.to_be_bytes());
    let sealed = [SealedOrders::ABSENT, SealedOrders::ABSENT];
    KeyedDice::new(TurnSeed(secret).turn_key("fog", battle.table.turn, &sealed))
}

/// The table with a unit, and the leaders with it, elsewhere; none if it has no room there.
fn put(table: &Table, ix: UnitIx, place: Point) -> Option<Table> {
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
    let alone = field.near(field.extent(ix), APART).all(|other| other == ix);
    let is_whole = table.layout(ix).rects().flat_map(|rect| rect.corners).all(inside);
    (alone && is_whole).then_some(table)
}

struct Fogged<'a> {
    rules: &'a Ruleset,
    seed: u64,
    viewer: Side,
    one: Battle,
    other: Battle,
    stage: Stage,
    chance: Chance,
    ran: Ran,
}

impl Fogged<'_> {
    /// A window and its stage in both worlds.
    fn play(&mut self) -> Result<(), Leak> {
        if self.stage == Stage::Orders {
            self.exchange();
            self.ran.exchanges += 1;
        }
        self.compare_views()?;
        self.compare_answers()?;
        let envelopes = self.envelopes();
        let one = self.resolve(self.one.clone(), &envelopes);
        let other = self.resolve(self.other.clone(), &envelopes);
        self.ran.stages += 1;
        if self.compare_events(&one, &other)? {
            self.ran.parted += 1;
            self.other = one.battle.clone();
            self.one = one.battle;
            return Ok(());
        }
        (self.one, self.other) = (one.battle, other.battle);
        self.compare_views()
    }

    /// The enemy's units whom the viewer does not see stand elsewhere out of his sight, some with fewer men or without cartridges.
    fn exchange(&mut self) {
        let enemy = self.viewer.enemy();
        let unseen: Vec<UnitIx> = self.unseen(&self.other.table, enemy);
        for ix in unseen {
            let unit = &self.other.table[ix];
            if unit.column.is_some() || unit.marks.in_melee || self.chance.once_in(3) {
                continue;
            }
            let anchor = unit.footing.anchor;
            for _ in 0..TRIES {
                let (x, y) = (self.chance.offset(16_000), self.chance.offset(16_000));
                let Some(table) = put(&self.other.table, ix, Point::new(anchor.x + x, anchor.y + y)) else { continue };
                if !Field::new(self.rules, &table, &Best).is_in_sight(ix) {
                    self.other.table = table;
                    break;
                }
            }
            self.suffer(ix);
        }
    }

    fn suffer(&mut self, ix: UnitIx) {
        let unit = &mut self.other.table[ix];
        if self.chance.once_in(3)
            && let Some(stand) = unit.stands.iter_mut().find(|stand| 1 < stand.figures)
        {
            stand.figures -= 1;
            unit.first_casualty_taken = true;
        }
        if self.chance.once_in(6) {
            unit.ammunition_out_since = Some(1);
        }
    }

    /// The units of the viewer's enemy on a table whom he does not see.
    fn unseen(&self, table: &Table, enemy: Side) -> Vec<UnitIx> {
        table.units_of(enemy).filter(|(ix, _)| !table.knows_of(self.viewer, *ix)).map(|(ix, _)| ix).collect()
    }

    /// Everybody who may know no more than the viewer's side.
    fn viewers(&self) -> [Viewer; 3] {
        let side = self.viewer;
        [Viewer::Seat { side, seat: seat(side) }, Viewer::Side { side }, Viewer::Public {}]
    }

    fn compare_views(&mut self) -> Result<(), Leak> {
        for viewer in self.viewers() {
            let view_of = |battle: &Battle| json(&view::view(self.rules, battle, self.stage, &viewer));
            let (one, other) = (view_of(&self.one), view_of(&self.other));
            self.compare("the view", one, other)?;
        }
        Ok(())
    }

    fn compare_answers(&mut self) -> Result<(), Leak> {
        let (side, asked) = (self.viewer, u64::from(self.chance.below(u32::MAX)));
        let answers =
            |battle: &Battle| ask(&known(battle, side), self.rules, &seat(side), self.stage, &mut Chance::new(asked));
        let (one, other) = (answers(&self.one), answers(&self.other));
        let text = |answers: Vec<super::questions::Answer>| -> Vec<String> {
            answers.into_iter().map(|answer| format!("{} {}", answer.asked, answer.bytes)).collect()
        };
        let (one, other) = (text(one), text(other));
        for n in 0..one.len().max(other.len()) {
            let at = |answers: &[String]| answers.get(n).cloned().unwrap_or_default();
            self.compare("an answer", at(&one), at(&other))?;
        }
        Ok(())
    }

    /// Drafts that are legal in both worlds, so that the same is ordered in both.
    fn envelopes(&mut self) -> Envelopes {
        let sealed = Side::BOTH.map(|side| {
            let seat = seat(side);
            let (one, other) = (known(&self.one, side), known(&self.other, side));
            let mut draft = random_draft(&one, &seat, self.stage, &mut self.chance);
            loop {
                let legal = |known, draft: &Draft| legal_part(known, self.rules, &seat, self.stage, draft).0;
                let kept = legal(&one, &legal(&other, &draft));
                if kept == draft {
                    return (seat, draft);
                }
                draft = kept;
            }
        });
        sealed.into_iter().collect()
    }

    fn resolve(&self, battle: Battle, envelopes: &Envelopes) -> Outcome {
        let dice = dice_of(self.seed, &battle);
        resolve(self.rules, self.stage, battle, envelopes, &dice)
    }

    /// Events one by one, up to the first that may differ. Whether there is one.
    fn compare_events(&mut self, one: &Outcome, other: &Outcome) -> Result<bool, Leak> {
        let mut parted = false;
        for viewer in self.viewers() {
            let [one, other] = [one, other].map(|outcome| view::events(&outcome.events, &viewer));
            let mut seen = InSight::at_the_start(&self.one, self.viewer);
            for n in 0..one.len().max(other.len()) {
                let pair = (one.get(n), other.get(n));
                if pair.0 != pair.1 && [pair.0, pair.1].into_iter().flatten().any(|event| seen.shows(event)) {
                    parted = true;
                    break;
                }
                self.compare(&format!("event {}", n + 1), json(&pair.0), json(&pair.1))?;
                let Some(event) = pair.0 else { continue };
                if let Some(name) = seen.names_somebody_else(event) {
                    return self.leak("a name", format!("{name} is out of sight: {}", json(event)), String::new());
                }
                if seen.take_in(event).iter().any(|id| self.one.table.unit(id) != self.other.table.unit(id)) {
                    parted = true;
                    break;
                }
            }
        }
        Ok(parted)
    }

    fn compare(&mut self, told_by: &str, one: String, other: String) -> Result<(), Leak> {
        self.ran.compared += 1;
        self.ran.bytes += one.len() as u64;
        if one == other { Ok(()) } else { self.leak(told_by, one, other) }
    }

    fn leak<T>(&self, told_by: &str, one: String, other: String) -> Result<T, Leak> {
        let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
        let from = same.saturating_sub(200);
        let part = |text: String| text.chars().skip(from).take(900).collect();
        let (turn, told_by) = (self.one.table.turn, told_by.to_owned());
        let (seed, viewer, stage) = (self.seed, self.viewer, self.stage);
        Err(Leak { seed, viewer, turn, stage, told_by, one: part(one), other: part(other) })
    }
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
