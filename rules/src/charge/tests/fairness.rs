//! No side and no name is first. TURN-02, TURN-05

use protocol::orders::{Countercharge, IfCharged, MoveOrder, PressOn, SupportCountercharge};
use protocol::place::Point;

use super::*;
use crate::dice::Dice;

/// Dice that go with the units, whatever these are called.
struct OfUnits {
    seed: u64,
    reversed: bool,
}

impl Dice for OfUnits {
    fn die(&self, phase: u8, purpose: Purpose, key: &[&str], n: u32) -> u8 {
        let unit = |part: &&str| number(part, self.reversed).map_or_else(|| (*part).to_owned(), |n| n.to_string());
        let mut parts: Vec<String> = key.iter().map(unit).collect();
        if purpose == Purpose::VisibilityPair {
            parts.sort();
        }
        let text = format!("{} {phase} {} {} {n}", self.seed, purpose.as_str(), parts.join(" "));
        let mixed = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        ((mixed >> 33) % 6) as u8 + 1
    }
}

/// The number of a unit of that name.
fn number(name: &str, reversed: bool) -> Option<usize> {
    let n: usize = name.strip_prefix('n')?.parse().ok()?;
    Some(if reversed { 9 - n } else { n })
}

/// A small generator of places and orders.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: i32) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit.unsigned_abs() as u64) as i32
    }
}

/// Four regiments a side, some of whom charge, with these sides and names: what happens in phase 6.
fn story(seed: u64, first: Side, reversed: bool) -> Vec<String> {
    events(seed, first, reversed, false).iter().filter_map(|event| told(&event.fact)).collect()
}

/// The same with horse among them, and squares.
fn story_of_horse(seed: u64, first: Side, reversed: bool) -> Vec<String> {
    events(seed, first, reversed, true).iter().filter_map(|event| told(&event.fact)).collect()
}

fn events(seed: u64, first: Side, reversed: bool, horse: bool) -> Vec<Event> {
    let name = |n: usize| format!("n{}", if reversed { 9 - n } else { n });
    let mut chance = Chance(seed);
    let mut units = Vec::new();
    let mut orders = Vec::new();
    for n in 0..8 {
        let south = n % 2 == 0;
        let (side, facing) = if south { (first, 0) } else { (first.enemy(), 18_000) };
        let (x, y) = (15_000 + chance.below(30_000), if south { 20_000 } else { 30_000 });
        let y = y + chance.below(6_000);
        let rides = horse && chance.below(3) != 0;
        let in_square = horse && !rides && chance.below(3) == 0;
        let maker = if rides { cavalry(&name(n), side) } else { infantry(&name(n), side) };
        let maker = if in_square { maker.formation(protocol::words::Formation::Square) } else { maker };
        let brigade = if horse { Some(protocol::ids::BrigadeId::new(side.to_string())) } else { None };
        let maker = maker.with(|unit| unit.brigade = brigade);
        units.push(seasoned(maker.at(x, y).facing(facing + chance.below(3_000))));
        let charge = Order::Charge { target: None, bearing: None, objective: None, support_of: None };
        let march = Order::Move(MoveOrder { path: vec![Point::new(x, y + 100)], ..MoveOrder::default() });
        let order = match chance.below(4) {
            0 | 1 => charge,
            2 => hold(),
            _ => march,
        };
        let said = Instructions {
            if_charged: [None, Some(IfCharged::Form), Some(IfCharged::Countercharge)][chance.below(3) as usize],
            countercharge: (chance.below(2) == 0).then_some(Countercharge::Always {}),
            press_on: Some(PressOn::Yes),
            support_countercharge: horse.then_some(SupportCountercharge::AnyInBrigade {}),
            ..Instructions::default()
        };
        orders.push((n, order, said));
    }
    let mut battle = battle(table(open_ground(), units));
    for (n, order, said) in orders {
        give(&mut battle, &name(n), order, said);
    }
    let dice = OfUnits { seed, reversed };
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Charges);
    play.phase = 3;
    phases::reveal::play(&mut play);
    play.phase = 6;
    crate::charge::play(&mut play);
    play.events.into_iter().filter(|event| event.phase == 6).collect()
}

#[test]
fn turn_02_neither_side_is_first_among_charges() {
    for seed in 0..12 {
        assert_eq!(story(seed, Side::Union, false), story(seed, Side::Confederate, false), "seed {seed}");
    }
}

#[test]
fn turn_02_neither_side_is_first_among_charges_of_horse() {
    for seed in 0..12 {
        let union = story_of_horse(seed, Side::Union, false);
        assert_eq!(union, story_of_horse(seed, Side::Confederate, false), "seed {seed}");
    }
}

/// CHG-03, CAVC-02 The charges end; nobody sets out twice, fires more than one volley at the same enemy, or counters twice.
#[test]
fn cavc_02_and_chg_03_the_charges_end_and_nobody_sets_out_twice() {
    let mut met = 0;
    for seed in 100..140 {
        let mut set_out: Vec<UnitId> = Vec::new();
        let mut volleys: Vec<(UnitId, UnitId)> = Vec::new();
        for event in events(seed, Side::Union, false, true) {
            match event.fact {
                Fact::ChargeBegan { unit, supports, .. } => {
                    set_out.push(unit);
                    set_out.extend(supports);
                }
                Fact::Countercharges { unit, .. } => {
                    met += 1;
                    // One that was to charge itself, and meets its attacker, has not been told to set out.
                    set_out.push(unit);
                }
                Fact::VolleyDistance { unit, charger, .. } => volleys.push((unit, charger)),
                _ => {}
            }
        }
        let twice = |count: usize, different: usize| assert_eq!(count, different, "seed {seed}");
        let count = set_out.len();
        set_out.sort();
        set_out.dedup();
        twice(count, set_out.len());
        let count = volleys.len();
        volleys.sort();
        volleys.dedup();
        twice(count, volleys.len());
    }
    assert!(10 < met, "{met} countercharges prove little");
}

#[test]
fn turn_05_no_name_is_first_among_charges() {
    no_name_is_first(story, 24);
}

#[test]
fn turn_05_no_name_is_first_among_charges_of_horse() {
    no_name_is_first(story_of_horse, 16);
}

fn no_name_is_first(story: fn(u64, Side, bool) -> Vec<String>, seeds: u64) {
    let mut charges = 0;
    for seed in 0..seeds {
        let there = story(seed, Side::Union, false);
        let back = story(seed, Side::Union, true);
        let renamed = |told: &String| {
            let name = |word: &str| number(word, true).map_or_else(|| word.to_owned(), |n| format!("n{n}"));
            told.split(' ').map(name).collect::<Vec<_>>().join(" ")
        };
        charges += there.iter().filter(|told| told.contains("charges")).count();
        // Facts of one instant are told in the order of the list of units.
        let sorted = |mut story: Vec<String>| {
            story.sort();
            story
        };
        assert_eq!(sorted(there), sorted(back.iter().map(renamed).collect()), "seed {seed}");
    }
    assert!(seeds < charges as u64, "{charges} charges prove little");
}
