//! What must hold of every fire: mirrors, quarter turns and an exchange of sides change nothing; nor does the order of shots.

use protocol::ids::{Side, UnitId};
use protocol::orders::{HoldFire, HoldTrigger, Instructions, RangeBand, Stage};
use protocol::place::{Bearing, Point};
use protocol::words::Formation;

use super::{Candidates, HOLD, Occasion, Wishes, choose};
use crate::battle::{Table, Unit, UnitIx};
use crate::dice::{Dice, Purpose};
use crate::field::Field;
use crate::fire::hold::hold_shots_unsieved;
use crate::fire::{Holders, Shot, hold_shots, lay, shoot};
use crate::instant::{Instant, Proposed, When};
use crate::play::Play;
use crate::ruleset::Ruleset;
use crate::testing::{battery, battle, give, infantry, open_ground, table};

/// A small generator of numbers, the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Two crowds facing each other across the middle of the table, in all formations.
fn crowd(seed: u64) -> Vec<Unit> {
    let mut numbers = Numbers(seed);
    let mut units = Vec::new();
    let formations = [
        Formation::SingleLine,
        Formation::ExtendedLine,
        Formation::DoubleLine,
        Formation::SkirmishLine,
        Formation::MarchColumn,
        Formation::SingleLine,
    ];
    for n in 0..8_u64 {
        let side = if n % 2 == 0 { Side::Union } else { Side::Confederate };
        let formation = formations[numbers.below(6) as usize];
        let maker = if numbers.below(4) == 0 {
            battery(&format!("u{n}"), side)
        } else {
            infantry(&format!("u{n}"), side).figures(8 + numbers.below(9) as u32).formation(formation)
        };
        let facing = if side == Side::Union { 0 } else { 18_000 } + numbers.below(4) as i32 * 1_500 - 2_250;
        let y = if side == Side::Union { 26_000 } else { 33_000 } + numbers.below(4_000) as i32;
        units.push(maker.at(20_000 + numbers.below(20_000) as i32, y).facing(facing).unit());
    }
    units
}

fn table_of(units: Vec<Unit>) -> Table {
    let mut table = table(open_ground(), []);
    for unit in units {
        table.insert(unit);
    }
    table
}

/// Target, dice, modifiers, and the rest in words.
type Look = (String, u32, i32, String);

/// What each unit would fire at, and how: by names, so that a mirror can be compared.
fn looks(table: &Table) -> Vec<(String, Option<Look>)> {
    let field = Field::before_dice(Ruleset::standard(), table);
    let wishes = Wishes::default();
    let look = |ix| {
        let looking =
            Candidates { field: &field, unit: ix, order: &HOLD, wishes: &wishes, occasion: Occasion::Hold, dice: None };
        let shot = choose(&looking).ok()?;
        let laid = lay(&field, &shot, &super::Officers::Present).ok()?;
        let what = format!("{:?} {:?} {:?}", laid.strength, laid.flank, laid.band);
        Some((table[laid.shot.target].id.to_string(), laid.dice_count(), laid.modifiers.total(), what))
    };
    table.units().map(|(ix, unit)| (unit.id.to_string(), look(ix))).collect()
}

fn changed(units: &[Unit], change: impl Fn(&mut Unit)) -> Vec<Unit> {
    let mut units = units.to_vec();
    units.iter_mut().for_each(change);
    units
}

/// Mirrored about the north-south line through the middle of the table; stands from left to right change places.
fn mirrored(unit: &mut Unit) {
    unit.footing.anchor = Point::new(60_000 - unit.footing.anchor.x, unit.footing.anchor.y);
    unit.footing.facing = Bearing::wrapping(-(unit.footing.facing.hundredths() as i32));
    let front_rank = match unit.footing.formation {
        Formation::MarchColumn => 0,
        Formation::DoubleLine => unit.stands.len().div_ceil(2),
        _ => unit.stands.len(),
    };
    if 0 < front_rank {
        let (front, rear) = unit.stands.split_at_mut(front_rank);
        front.reverse();
        rear.reverse();
    }
}

fn turned(unit: &mut Unit) {
    let Point { x, y } = unit.footing.anchor;
    unit.footing.anchor = Point::new(y, 60_000 - x);
    unit.footing.facing = unit.footing.facing.turned(9_000);
}

#[test]
fn a_quarter_turn_a_mirror_and_an_exchange_of_sides_change_nothing() {
    let mut shots = 0;
    for seed in 1..=60 {
        let units = crowd(seed);
        let seen = looks(&table_of(units.clone()));
        shots += seen.iter().filter(|(_, shot)| shot.is_some()).count();
        assert_eq!(seen, looks(&table_of(changed(&units, turned))), "turned, seed {seed}");
        assert_eq!(seen, looks(&table_of(changed(&units, mirrored))), "mirrored, seed {seed}");
        let exchanged = changed(&units, |unit| unit.side = unit.side.enemy());
        assert_eq!(seen, looks(&table_of(exchanged)), "exchanged, seed {seed}");
    }
    assert!(100 < shots, "the crowds hardly fire: {shots}");
}

/// Dice that depend on their names alone.
struct Named;

impl Dice for Named {
    fn die(&self, phase: u8, purpose: Purpose, key: &[&str], n: u32) -> u8 {
        let mut hash: u32 = 2_166_136_261;
        let name = format!("{phase} {} {key:?} {n}", purpose.as_str());
        for byte in name.bytes() {
            hash = (hash ^ u32::from(byte)).wrapping_mul(16_777_619);
        }
        ((hash >> 8) % 6 + 1) as u8
    }
}

/// HOLDF-04 Nobody who would fire is passed over by the quick no, whatever he waits for, at any kind of instant.
#[test]
fn holdf_04_the_sieve_of_holders_keeps_all_who_fire() {
    let triggers = [
        HoldTrigger::At { band: RangeBand::Close },
        HoldTrigger::At { band: RangeBand::Normal },
        HoldTrigger::At { band: RangeBand::Long },
        HoldTrigger::Within { distance: 3_000 },
        HoldTrigger::Within { distance: 40_000 },
        HoldTrigger::OnFlank {},
        HoldTrigger::BeforeLeaving {},
        HoldTrigger::BeforeMove {},
        HoldTrigger::AfterMove {},
    ];
    let mut fired = 0;
    for seed in 1..=60 {
        let mut numbers = Numbers(seed);
        let mut start = battle(table_of(crowd(seed)));
        for (_, unit) in start.table.clone().units() {
            let mut clause = || vec![triggers[numbers.below(9) as usize].clone()];
            let any_of = vec![clause(), clause()];
            let hold_fire = Some(HoldFire { any_of, only_if_charged: false, wait_for: None });
            give(&mut start, unit.id.as_str(), HOLD, Instructions { hold_fire, ..Instructions::default() });
        }
        let mut play = Play::new(Ruleset::standard(), &Named, start, Stage::Movement);
        play.phase = 7;
        let step = |(ix, unit): (UnitIx, &Unit)| {
            let mut footing = unit.footing.clone();
            footing.anchor.y += 150;
            Proposed { unit: ix, footing }
        };
        let next: Vec<Proposed> = play.table().units().filter(|(ix, _)| ix.0 % 3 == 0).map(step).collect();
        for when in [When::Before, When::Segment(60), When::After] {
            for next in [&next[..], &[]] {
                let instant = Instant { when, next };
                let shots = hold_shots(&play, instant);
                fired += shots.len();
                assert_eq!(shots, hold_shots_unsieved(&play, instant), "seed {seed}, {when:?}");
            }
        }
    }
    assert!(300 < fired, "the crowds hardly fire: {fired}");
}

/// HOLDF-04 Who has aimed at earlier instants fires as one who has not, whoever has moved, turned, lost figures or order since.
#[test]
fn holdf_04_holders_who_have_aimed_before_fire_as_if_for_the_first_time() {
    let mut fired = 0;
    for seed in 1..=30 {
        let mut numbers = Numbers(seed);
        let mut start = battle(table_of(crowd(seed)));
        for (_, unit) in start.table.clone().units() {
            let any_of = vec![vec![HoldTrigger::At { band: RangeBand::Normal }], vec![HoldTrigger::BeforeLeaving {}]];
            let hold_fire = Some(HoldFire { any_of, only_if_charged: false, wait_for: None });
            give(&mut start, unit.id.as_str(), HOLD, Instructions { hold_fire, ..Instructions::default() });
        }
        let mut play = Play::new(Ruleset::standard(), &Named, start, Stage::Movement);
        play.phase = 7;
        let holders = Holders::of(&play);
        for segment in 1..=10 {
            let units: Vec<UnitIx> = play.table().units().map(|(ix, _)| ix).collect();
            for ix in units {
                let unit = &mut play.table_mut()[ix];
                match numbers.below(12) {
                    0 | 1 => unit.footing.anchor.y += 300,
                    2 => unit.footing.anchor.x -= 700,
                    3 => unit.footing.facing = unit.footing.facing.turned(900),
                    4 => unit.footing.disorder ^= true,
                    5 => unit.stands[0].figures = unit.stands[0].figures.saturating_sub(1).max(1),
                    6 => unit.marks.moved = true,
                    _ => {}
                }
            }
            let step = |(ix, unit): (UnitIx, &Unit)| {
                let mut footing = unit.footing.clone();
                footing.anchor.y += 300;
                Proposed { unit: ix, footing }
            };
            let next: Vec<Proposed> = play.table().units().filter(|(ix, _)| ix.0 % 4 == 0).map(step).collect();
            let instant = Instant { when: When::Segment(segment), next: &next };
            let shots = holders.shots(&play, instant);
            fired += shots.len();
            assert_eq!(shots, hold_shots_unsieved(&play, instant), "seed {seed}, segment {segment}");
        }
    }
    assert!(300 < fired, "the crowds hardly fire: {fired}");
}

#[test]
fn the_order_of_shots_in_a_group_changes_nothing() {
    for seed in 1..=30 {
        let table = table_of(crowd(seed));
        let field = Field::before_dice(Ruleset::standard(), &table);
        let wishes = Wishes::default();
        let mut shots: Vec<Shot> = Vec::new();
        for (ix, _) in table.units() {
            let looking = Candidates {
                field: &field,
                unit: ix,
                order: &HOLD,
                wishes: &wishes,
                occasion: Occasion::Hold,
                dice: None,
            };
            shots.extend(choose(&looking));
        }
        let outcome = |shots: Vec<Shot>| {
            let dice = Named;
            let mut play =
                Play::new(Ruleset::standard(), &dice, battle(table.clone()), protocol::orders::Stage::Movement);
            play.phase = 7;
            let happenings = shoot(&mut play, shots);
            (play.battle, play.events, happenings)
        };
        let one = outcome(shots.clone());
        shots.reverse();
        let other = outcome(shots);
        assert_eq!(one.0, other.0, "seed {seed}");
        assert_eq!(one.1, other.1, "seed {seed}");
        assert_eq!(one.2, other.2, "seed {seed}");
    }
}

/// Dice that know units by the names they had before names were exchanged.
struct FirstNames {
    exchanged: bool,
}

fn exchanged_name(name: &str) -> String {
    let number: u32 = name.trim_start_matches('u').parse().expect("units are called u0 to u7");
    format!("u{}", 7 - number)
}

impl Dice for FirstNames {
    fn die(&self, phase: u8, purpose: Purpose, key: &[&str], n: u32) -> u8 {
        let first = |name: &&str| if self.exchanged { exchanged_name(name) } else { (*name).to_owned() };
        let mut names: Vec<String> = key.iter().map(first).collect();
        if purpose == Purpose::VisibilityPair {
            names.sort();
        }
        Named.die(phase, purpose, &names.iter().map(String::as_str).collect::<Vec<_>>(), n)
    }
}

/// Shots are stored and told in the order of names. Under other names they are the same shots: none of them sees what
/// another did to its firer or target.
#[test]
fn fire_36_the_names_of_those_who_fire_at_once_change_nothing() {
    let mut lost = 0;
    for seed in 1..=30 {
        let fates = |exchanged: bool| {
            let name = |n: usize| if exchanged { format!("u{}", 7 - n) } else { format!("u{n}") };
            let units = crowd(seed).into_iter().map(|mut unit| {
                if exchanged {
                    unit.id = UnitId::new(exchanged_name(unit.id.as_str()));
                }
                unit
            });
            let table = table_of(units.collect());
            let dice = FirstNames { exchanged };
            let field = Field::before_dice(Ruleset::standard(), &table);
            let wishes = Wishes::default();
            let occasion = Occasion::Hold;
            let shots: Vec<Shot> = table
                .units()
                .filter_map(|(unit, _)| {
                    let looking =
                        Candidates { field: &field, unit, order: &HOLD, wishes: &wishes, occasion, dice: None };
                    choose(&looking).ok()
                })
                .collect();
            let mut play =
                Play::new(Ruleset::standard(), &dice, battle(table.clone()), protocol::orders::Stage::Movement);
            play.phase = 7;
            shoot(&mut play, shots);
            let fate = |n: usize| {
                let unit = play.table().unit(&UnitId::new(name(n))).expect("it stays in the list");
                (unit.stands.clone(), unit.guns.clone(), unit.ammunition_out_since, unit.marks.fires, unit.marks.kills)
            };
            (0..8).map(fate).collect::<Vec<_>>()
        };
        let one = fates(false);
        lost += one.iter().map(|fate| fate.4).sum::<u32>();
        assert_eq!(one, fates(true), "seed {seed}");
    }
    assert!(30 < lost, "the crowds hardly hit: {lost}");
}

#[test]
fn vis_13_of_two_hundred_units_in_closed_ranks_only_the_front_has_a_line_of_fire() {
    let mut units = Vec::new();
    for n in 0..100 {
        let x = 2_000 + 3_500 * (n % 14);
        let y = 27_000 - 4_000 * (n / 14);
        units.push(infantry(&format!("u{n:03}"), Side::Union).at(x, y).unit());
        units.push(infantry(&format!("c{n:03}"), Side::Confederate).at(x, 60_000 - y).facing(18_000).unit());
    }
    let seen = looks(&table_of(units));
    let firing = seen.iter().filter(|(_, shot)| shot.is_some()).count();
    // Only the front ranks have a line of fire.
    assert_eq!(firing, 28);
    assert!(seen.iter().flat_map(|(_, shot)| shot).all(|shot| shot.3.contains(&format!("{:?}", RangeBand::Long))));
}
