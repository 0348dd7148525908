//! Tests of what happens where a charge strikes.
//!
//! Owns the bench: a Union regiment `a` that has run north into the front of a Confederate regiment `d`.

mod beaten;
mod blows;
mod dice_down;
mod horse;
mod impact;
mod melee;
mod odds;
mod properties;
mod recoil;

use std::collections::BTreeSet;

use protocol::event::{Fact, FlankClass, Morale};
use protocol::ids::Side;
use protocol::orders::{Instructions, Order, Stage};
use protocol::place::Point;

use super::{Clash, Ending, Engaged, Front, Role, aspect, catch, impact_morale, resolve, resolve_among};
use crate::battle::{Battle, Leader, Table, Unit};
use crate::dice::{Dice, ScriptedDice};
use crate::field::Field;
use crate::geometry::forward;
use crate::ground::{Area, Ground, Obstacle, ObstacleKind, Terrain, Wooded};
use crate::play::{Event, Play};
use crate::ruleset::Ruleset;
use crate::testing::{Maker, battle, give, infantry, ix, leader, open_ground};

pub(super) const CHARGE: Order = Order::Charge { target: None, bearing: None, objective: None, support_of: None };

/// A veteran Union regiment of 16 with its front on y = 30, facing north. It has been under fire before.
pub(super) fn a() -> Maker {
    seasoned(infantry("a", Side::Union).at(30_000, 30_000))
}

/// A veteran Confederate regiment of 16 that touches the front of [`a`] with its own.
pub(super) fn d() -> Maker {
    seasoned(infantry("d", Side::Confederate).at(30_000, 30_000).facing(18_000))
}

/// With its first casualty taken and its opening volley used.
pub(super) fn seasoned(maker: Maker) -> Maker {
    maker.with(|unit| {
        unit.first_casualty_taken = true;
        unit.opening_volley_used = true;
    })
}

/// What became of a clash.
pub(super) struct Played {
    pub(super) ending: Ending,
    pub(super) battle: Battle,
    pub(super) events: Vec<Event>,
}

impl Played {
    pub(super) fn unit(&self, id: &str) -> &Unit {
        &self.battle.table[ix(&self.battle.table, id)]
    }

    pub(super) fn at(&self, id: &str) -> (i32, i32) {
        let at = self.unit(id).footing.anchor;
        (at.x, at.y)
    }

    pub(super) fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.events.iter().map(|event| &event.fact)
    }

    /// The checks and their outcome, as `unit why: thrown on point`.
    pub(super) fn checks(&self) -> Vec<String> {
        let checks = self.events.iter().filter_map(|event| match &event.fact {
            Fact::MoraleCheck { unit, because, after, .. } => {
                let thrown: u32 =
                    event.explanation.dice.iter().flat_map(|dice| &dice.faces).map(|face| u32::from(*face)).sum();
                let point = event.explanation.sums.first().map_or(0, |sum| sum.total);
                Some(format!("{unit} {because}: {thrown} on {point}, {}", word(*after)))
            }
            _ => None,
        });
        checks.collect()
    }

    /// The figures that counted in each round, the attacker's first.
    pub(super) fn rounds(&self) -> Vec<(u32, u32)> {
        let rounds = self.facts().filter_map(|fact| match fact {
            Fact::MeleeRound { attacker, defender, .. } => Some((attacker.figures, defender.figures)),
            _ => None,
        });
        rounds.collect()
    }

    /// The sums of the volley of that unit: its dice, its modifiers.
    pub(super) fn volley(&self, firer: &str) -> Option<(i32, i32)> {
        let volley = self.events.iter().find(|event| match &event.fact {
            Fact::Volley { firers, .. } => firers.iter().any(|unit| unit.as_str() == firer),
            _ => false,
        });
        volley.map(|event| (event.explanation.sums[0].total, event.explanation.sums[1].total))
    }

    pub(super) fn tells(&self, words: &str) -> bool {
        self.events.iter().any(|event| event.explanation.sentence.contains(words))
    }
}

pub(super) fn word(morale: Morale) -> &'static str {
    match morale {
        Morale::Good => "good",
        Morale::Shaken => "shaken",
        Morale::Routed => "routed",
    }
}

/// The battle of a table on which `a` was ordered to charge, and the others hold.
pub(super) fn ordered(table: Table) -> Battle {
    let mut battle = battle(table);
    give(&mut battle, "a", CHARGE, Instructions::default());
    battle
}

/// How a step of a clash is played.
pub(super) type Step = fn(&mut Play<'_>, &Clash) -> Ending;

pub(super) fn play_step(battle: Battle, clash: &Clash, dice: &dyn Dice, step: Step) -> Played {
    let mut play = Play::new(Ruleset::standard(), dice, battle, Stage::Charges);
    play.phase = 6;
    let ending = step(&mut play, clash);
    Played { ending, battle: play.battle, events: play.events }
}

/// Plays a clash with given dice, of which none may be missing or left over.
pub(super) fn play(battle: Battle, clash: &Clash, dice: &str) -> Played {
    play_by(battle, clash, dice, resolve)
}

/// A victor has run into a beaten unit. IDD-25
pub(super) fn caught(battle: Battle, clash: &Clash, dice: &str) -> Played {
    play_by(battle, clash, dice, |play, clash| catch(play, clash, &mut Engaged::default()))
}

fn play_by(battle: Battle, clash: &Clash, dice: &str, step: Step) -> Played {
    let dice = ScriptedDice::parse(dice).expect("the dice of a test can be read");
    let played = play_step(battle, clash, &dice, step);
    let told: Vec<&str> = played.events.iter().map(|event| event.explanation.sentence.as_str()).collect();
    assert_eq!(dice.finish().map_err(|faults| faults.to_string()), Ok(()), "{told:#?}");
    played
}

/// Plays the charge of `a` on `d` on a table of those units.
pub(super) fn charged(ground: Ground, units: Vec<Maker>, of_a: &[&str], of_d: &[&str], dice: &str) -> Played {
    let table = crate::testing::table(ground, units);
    let clash = charge(&table, of_a, of_d);
    play(ordered(table), &clash, dice)
}

/// One side as it stands.
pub(super) fn front(table: &Table, unit: &str, supports: &[&str]) -> Front {
    let supports = supports.iter().map(|support| ix(table, support)).collect();
    Front { unit: ix(table, unit), supports, charging: false, elan: false, forming: false }
}

/// The charge of `a` on `d`, which stands, each with those supports.
pub(super) fn charge(table: &Table, of_a: &[&str], of_d: &[&str]) -> Clash {
    let attacker = Front { charging: true, elan: true, ..front(table, "a", of_a) };
    let defender = front(table, "d", of_d);
    let ray = forward(table[attacker.unit].footing.facing);
    let aspect = with_field(table, |field| aspect(field, attacker.unit, defender.unit));
    Clash { attacker, defender, ray, aspect }
}

/// The same, met by a countercharge of `d`.
pub(super) fn countercharge(table: &Table, of_a: &[&str], of_d: &[&str]) -> Clash {
    let clash = charge(table, of_a, of_d);
    let defender = Front { charging: true, elan: true, ..clash.defender };
    Clash { defender, aspect: FlankClass::Front, ..clash }
}

pub(super) fn with_field<T>(table: &Table, ask: impl FnOnce(&Field<'_>) -> T) -> T {
    let dice = ScriptedDice::new();
    ask(&Field::new(Ruleset::standard(), table, &dice))
}

/// Both Impact Morales, the attacker's first.
pub(super) fn points(table: &Table, clash: &Clash) -> (i32, i32) {
    with_field(table, |field| {
        let point = |role| impact_morale(field, clash, role).total();
        (point(Role::Attacker), point(Role::Defender))
    })
}

/// The units charged by nobody else.
pub(super) fn nobody() -> BTreeSet<crate::battle::UnitIx> {
    BTreeSet::new()
}

/// A leader who stands there and began the turn with those units.
pub(super) fn officer(id: &str, side: Side, at: (i32, i32), level: u8, with: &[&str]) -> Leader {
    let mut officer = leader(id, side, at.0, at.1);
    officer.level = level;
    officer.marks.began_with = with.iter().map(|unit| (*unit).into()).collect();
    officer
}

pub(super) fn put(table: &mut Table, leader: Leader) {
    table.leaders.insert(leader.id.clone(), leader);
}

/// One kind of ground between two heights, from side to side.
pub(super) fn belt(terrain: Terrain, from: i32, to: i32) -> Ground {
    let outline = vec![Point::new(0, from), Point::new(60_000, from), Point::new(60_000, to), Point::new(0, to)];
    let wooded = if terrain == Terrain::Woods { Wooded::Light } else { Wooded::None };
    let area = Area { id: "belt".into(), name: "belt".into(), terrain, wooded, outline };
    Ground { areas: vec![area], ..open_ground() }
}

/// A straight obstacle from west to east; works along it face north. From east to west it is drawn with `facing_south`.
pub(super) fn line(kind: ObstacleKind, y: i32, facing_south: bool, ground: Ground) -> Ground {
    let mut line = vec![Point::new(20_000, y), Point::new(40_000, y)];
    if facing_south {
        line.reverse();
    }
    Ground { obstacles: vec![Obstacle { id: "line".into(), kind, line }], ..ground }
}
