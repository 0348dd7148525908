//! Charges on hand-made tables, with given dice; what happens at contact is given too.

mod across;
mod answers;
mod counters;
mod dismounted;
mod fairness;
mod foreseen;
mod groups;
mod horse;
mod legs;
mod obstacles;
mod riders;
mod riding;
mod squares;
mod threats;
mod victors;
mod volleys;

use std::cell::RefCell;

use protocol::event::{Fact, FlankClass, Morale};
use protocol::ids::{Side, UnitId};
use protocol::orders::{FireOnCharges, Instructions, Order, Stage};

use super::Contact;
use super::clash::{Clash, Ending, Engaged};
use crate::battle::{Battle, Unit};
use crate::dice::{Purpose, ScriptedDice};
use crate::phases;
use crate::play::{Event, Play};
use crate::ruleset::Ruleset;
use crate::testing::{Maker, battle, cavalry, give, infantry, open_ground, table};

/// A table under construction.
struct Field {
    ground: crate::ground::Ground,
    units: Vec<Maker>,
    orders: Vec<(&'static str, Order, Instructions)>,
    dice: ScriptedDice,
    endings: Vec<Ending>,
}

/// What came of it.
struct Played {
    battle: Battle,
    events: Vec<Event>,
    clashes: Vec<Clash>,
}

/// A Union regiment at (30, y) facing north.
fn union(id: &'static str, x: i32, y: i32) -> Maker {
    seasoned(infantry(id, Side::Union).at(x, y))
}

/// A Confederate regiment at (30, y) facing south.
fn confederate(id: &'static str, x: i32, y: i32) -> Maker {
    seasoned(infantry(id, Side::Confederate).at(x, y).facing(18_000))
}

/// A Union battalion of horse facing north.
fn rider(id: &'static str, x: i32, y: i32) -> Maker {
    seasoned(cavalry(id, Side::Union).at(x, y))
}

/// A Confederate battalion of horse facing south.
fn trooper(id: &'static str, x: i32, y: i32) -> Maker {
    seasoned(cavalry(id, Side::Confederate).at(x, y).facing(18_000))
}

/// It has fired and bled before, so that no opening volley and no first casualty come in.
fn seasoned(maker: Maker) -> Maker {
    maker.with(|unit| {
        unit.opening_volley_used = true;
        unit.first_casualty_taken = true;
    })
}

fn charge_at(target: &str) -> Order {
    Order::Charge { target: Some(UnitId::new(target)), bearing: None, objective: None, support_of: None }
}

fn in_support_of(point: &str) -> Order {
    Order::Charge { target: None, bearing: None, objective: None, support_of: Some(UnitId::new(point)) }
}

fn hold() -> Order {
    Order::Hold { task: None }
}

/// Holds, and does not fire at charges on others.
fn quiet() -> Instructions {
    Instructions { fire_on_charges: Some(FireOnCharges::Never), ..Instructions::default() }
}

/// Holds and does not fire at all.
fn silent() -> Instructions {
    Instructions { fire: Some(false), ..Instructions::default() }
}

impl Field {
    fn of(units: Vec<Maker>) -> Field {
        Field { ground: open_ground(), units, orders: Vec::new(), dice: ScriptedDice::new(), endings: Vec::new() }
    }

    fn on(mut self, ground: crate::ground::Ground) -> Field {
        self.ground = ground;
        self
    }

    fn order(mut self, unit: &'static str, order: Order, said: Instructions) -> Field {
        self.orders.push((unit, order, said));
        self
    }

    /// A charge.
    fn charges(self, unit: &'static str, target: &str) -> Field {
        self.order(unit, charge_at(target), Instructions::default())
    }

    /// On HOLD without a shot.
    fn silent(self, unit: &'static str) -> Field {
        self.order(unit, hold(), silent())
    }

    fn die(mut self, purpose: Purpose, key: &[&str], faces: &[u8]) -> Field {
        self.dice = self.dice.with(purpose, key, faces);
        self
    }

    fn bonus(self, unit: &str, faces: &[u8]) -> Field {
        self.die(Purpose::ChargeBonus, &[unit], faces)
    }

    fn ends(mut self, ending: Ending) -> Field {
        self.endings.push(ending);
        self
    }

    /// Plays phases 3 and 6. All dice must be thrown, and all endings met.
    fn play(self) -> Played {
        let mut battle = battle(table(self.ground, self.units));
        for (unit, order, said) in self.orders {
            give(&mut battle, unit, order, said);
        }
        let mut play = Play::new(Ruleset::standard(), &self.dice, battle, Stage::Charges);
        play.phase = 3;
        phases::reveal::play(&mut play);
        play.phase = 6;
        let clashes: RefCell<Vec<Clash>> = RefCell::new(Vec::new());
        let resolve = |play: &mut Play<'_>, clash: &Clash, _: &mut Engaged| {
            let n = clashes.borrow().len();
            clashes.borrow_mut().push(clash.clone());
            let ending = self.endings.get(n).cloned().expect("an ending is given for each contact");
            befall(play, clash, &ending);
            ending
        };
        super::play_with(&mut play, Contact { strike: &resolve, catch: &|_, _, _| Ending::Fought });
        let (battle, events) = (play.battle, play.events);
        assert_eq!(self.dice.finish(), Ok(()));
        let clashes = clashes.into_inner();
        assert_eq!(clashes.len(), self.endings.len(), "endings that were not met");
        Played { battle, events, clashes }
    }
}

/// What an ending does to the table, as little as a test needs: the beaten are off the way.
fn befall(play: &mut Play<'_>, clash: &Clash, ending: &Ending) {
    let beaten = match ending {
        Ending::Broken => vec![&clash.defender],
        Ending::Repelled => vec![&clash.attacker],
        Ending::Recoiled | Ending::Fought => Vec::new(),
    };
    for front in beaten {
        for ix in std::iter::once(front.unit).chain(front.supports.iter().copied()) {
            let unit = &mut play.table_mut()[ix];
            unit.marks.beaten = true;
            unit.morale = Morale::Shaken;
            // Two inches aside and behind the ray.
            unit.footing.anchor.x += 12_000;
        }
    }
    if *ending == Ending::Fought {
        for ix in [clash.attacker.unit, clash.defender.unit] {
            play.table_mut()[ix].marks.in_melee = true;
        }
    }
}

impl Played {
    fn unit(&self, id: &str) -> &Unit {
        self.battle.table.unit(&UnitId::new(id)).expect("the test has this unit")
    }

    fn anchor(&self, id: &str) -> (i32, i32) {
        let anchor = self.unit(id).footing.anchor;
        (anchor.x, anchor.y)
    }

    fn name(&self, ix: crate::battle::UnitIx) -> String {
        self.battle.table[ix].id.to_string()
    }

    /// The clash of that number: who strikes whom with whom, from where.
    fn clash(&self, n: usize) -> String {
        let Clash { attacker, defender, aspect, .. } = &self.clashes[n];
        let side = |front: &super::clash::Front| {
            let supports: Vec<String> = front.supports.iter().map(|ix| self.name(*ix)).collect();
            let mut words = self.name(front.unit);
            for (so, word) in [(front.charging, "charging"), (front.elan, "elan"), (front.forming, "forming")] {
                if so {
                    words = format!("{words} {word}");
                }
            }
            if supports.is_empty() { words } else { format!("{words} + {}", supports.join(" ")) }
        };
        format!("{} / {} / {aspect:?}", side(attacker), side(defender))
    }

    /// The story of phase 6, a word or two an event.
    fn story(&self) -> Vec<String> {
        let of_phase = self.events.iter().filter(|event| event.phase == 6);
        of_phase.filter_map(|event| told(&event.fact)).collect()
    }

    /// The sum of that label in the events of phase 6.
    fn sums(&self, label: &str) -> Vec<i32> {
        let of_phase = self.events.iter().filter(|event| event.phase == 6);
        let sums = of_phase.flat_map(|event| &event.explanation.sums);
        sums.filter(|sum| sum.label == label).map(|sum| sum.total).collect()
    }
}

fn told(fact: &Fact) -> Option<String> {
    Some(match fact {
        Fact::ChargeBegan { unit, total, disorder_at, .. } => match disorder_at {
            Some(at) => format!("{unit} charges {total} disorder {at}"),
            None => format!("{unit} charges {total}"),
        },
        Fact::Charged { unit, by } => format!("{unit} is charged by {by}"),
        Fact::VolleyDistance { unit, distance, wasted, .. } => {
            format!("{unit} fires at {distance}{}", if *wasted { " wasted" } else { "" })
        }
        Fact::Volley { firers, target, range, figures, .. } => {
            let target = target.as_ref().map_or("nobody".to_owned(), ToString::to_string);
            format!("{} hits {target} at {range}: {figures}", firers[0])
        }
        Fact::Moved { unit, track, .. } => {
            let end = track.last().expect("a way has an end").stance.anchor;
            format!("{unit} to {} {}", end.x, end.y)
        }
        Fact::Contact { unit, target, flank } => match flank {
            FlankClass::Front => format!("{unit} strikes {target}"),
            other => format!("{unit} strikes {target} {other:?}"),
        },
        Fact::ChargeEnded { unit, how } => format!("{unit} {how}"),
        Fact::Disorder { unit, .. } => format!("{unit} in disorder"),
        Fact::ConditionalHold { unit, forced } => format!("{unit} on hold{}", if *forced { " forced" } else { "" }),
        Fact::Competence { unit, passed, .. } => format!("{unit} {}", if *passed { "passes" } else { "fails" }),
        Fact::Formed { unit, .. } => format!("{unit} forms"),
        Fact::Countercharges { unit, charger, total } => format!("{unit} meets {charger} {total}"),
        Fact::MoraleCheck { unit, after, .. } => format!("{unit} checks, {after:?}"),
        Fact::FellBack { unit, .. } => format!("{unit} falls back"),
        Fact::SquareApproached { unit, square, thrown, broken } => {
            format!("{unit} comes on to {square} with {thrown}{}", if *broken { ", broken" } else { "" })
        }
        Fact::ObstacleMet { unit, obstacle, lost, stops } => {
            format!("{unit} loses {lost} at {obstacle}{}", if *stops { ", too much" } else { "" })
        }
        Fact::ObstacleChanged { obstacle, change, .. } => format!("{obstacle} {change:?}"),
        Fact::OrderVoid { unit } => format!("{unit} order void"),
        Fact::Removed { unit, how } => format!("{unit} {how}"),
        _ => return None,
    })
}
