//! What holds on any table: a cascade ends, nobody checks twice for one happening, names and sides decide nothing.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::dice::Purpose;
use crate::testing::{Maker, infantry, open_ground, table};
use protocol::words::{Formation, Quality};

const SIZE: i32 = 60_000;

/// Dice that depend on their key alone, under the names that units had before they were given others.
struct NamedDice {
    seed: u64,
    first_names: BTreeMap<String, String>,
}

impl Dice for NamedDice {
    fn die(&self, phase: u8, purpose: Purpose, key: &[&str], n: u32) -> u8 {
        let mut names: Vec<&str> =
            key.iter().map(|part| self.first_names.get(*part).map_or(*part, String::as_str)).collect();
        if purpose == Purpose::VisibilityPair {
            names.sort_unstable();
        }
        let text = format!("{} {phase} {} {} {n}", self.seed, purpose.as_str(), names.join(" "));
        // FNV-1a, then its high bits.
        let hash = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        ((hash >> 33) % 6) as u8 + 1
    }
}

#[derive(Clone, Debug)]
struct Someone {
    side: bool,
    x: i32,
    y: i32,
    facing: i32,
    quality: u8,
    morale: u8,
    formation: u8,
    hit: bool,
}

fn someone() -> impl Strategy<Value = Someone> {
    let place = (0..12_i32, 0..12_i32);
    (any::<bool>(), place, 0..36_000_i32, 0..4_u8, 0..4_u8, 0..3_u8, any::<bool>()).prop_map(
        |(side, (x, y), facing, quality, morale, formation, hit)| Someone {
            side,
            x: 8_000 + x * 4_000,
            y: 8_000 + y * 4_000,
            facing,
            quality,
            morale,
            formation,
            hit,
        },
    )
}

fn company() -> impl Strategy<Value = Vec<Someone>> {
    prop::collection::vec(someone(), 2..12).prop_map(|mut all| {
        let mut taken = BTreeSet::new();
        all.retain(|one| taken.insert((one.x, one.y)));
        all
    })
}

/// The unit under that name; `exchanged` as its counterpart on the other side of the table's middle.
fn maker(one: &Someone, name: &str, exchanged: bool) -> Maker {
    let side = if one.side != exchanged { UNION } else { CONFEDERATE };
    let (x, y, facing) =
        if exchanged { (SIZE - one.x, SIZE - one.y, one.facing + 18_000) } else { (one.x, one.y, one.facing) };
    let quality = [Quality::Elite, Quality::Veteran, Quality::Green, Quality::Militia][usize::from(one.quality)];
    let morale = [Morale::Good, Morale::Good, Morale::Shaken, Morale::Routed][usize::from(one.morale)];
    let formation = [Formation::SingleLine, Formation::DoubleLine, Formation::SkirmishLine][usize::from(one.formation)];
    infantry(name, side).at(x, y).facing(facing).quality(quality).morale(morale).formation(formation)
}

/// Everybody of one side fires once at everybody who is hit, for one figure.
fn played(all: &[Someone], names: &[String], seed: u64, exchanged: bool) -> Played {
    played_in_order(all, names, seed, exchanged, |_| {})
}

/// As [`played`]; `reorder` turns the list of what happened in the step, which is all at once.
fn played_in_order(
    all: &[Someone],
    names: &[String],
    seed: u64,
    exchanged: bool,
    reorder: impl FnOnce(&mut Vec<Happening>),
) -> Played {
    let first_names = names.iter().enumerate().map(|(n, name)| (name.clone(), format!("u{n:02}"))).collect();
    let dice = NamedDice { seed, first_names };
    let table = table(open_ground(), all.iter().zip(names).map(|(one, name)| maker(one, name, exchanged)));
    let mut happened = Vec::new();
    for (one, name) in all.iter().zip(names).filter(|(one, _)| one.hit) {
        let firer = all.iter().zip(names).find(|(other, _)| other.side != one.side);
        if let Some((_, firer)) = firer {
            let hit = FiredOn { forces_hit_check: true, figures: 1, first_casualty: true, ..fire(&table, name, firer) };
            happened.push(fired(hit));
        }
    }
    reorder(&mut happened);
    play_with(7, table, &dice, |play| settle(play, happened))
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("u{n:02}")).collect()
}

/// What became of each unit, in the order of the company.
fn fates(played: &Played, names: &[String]) -> Vec<(Morale, bool, bool, Point, u32)> {
    names
        .iter()
        .map(|name| {
            let unit = played.unit(name);
            let footing = &unit.footing;
            (unit.morale, unit.on_table(), footing.disorder, footing.anchor, footing.facing.hundredths())
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn mor_36_a_cascade_ends_and_nobody_checks_twice_for_one_happening(all in company(), seed: u64) {
        let played = played(&all, &names(all.len()), seed, false);
        let (mut seen, mut routs) = (BTreeSet::new(), BTreeMap::new());
        for event in &played.events {
            if let Fact::Ran { unit, .. } = &event.fact {
                *routs.entry(unit.to_string()).or_insert(0_u32) += 1;
            }
            let Fact::MoraleCheck { unit, because, .. } = &event.fact else { continue };
            let key = event.explanation.dice[0].key.clone();
            // Who rallied at the table edge and routs again makes another happening.
            let rout = key.get(1).and_then(|other| routs.get(other)).copied();
            let new = seen.insert((unit.clone(), because.clone(), key, rout));
            prop_assert!(new, "twice: {unit} {because}: {:#?}", played.log());
        }
        for (_, unit) in played.table.units() {
            let near = |corner: &Point| {
                (-3_000..=SIZE + 3_000).contains(&corner.x) && (-3_000..=SIZE + 3_000).contains(&corner.y)
            };
            let on_the_table = unit.layout().corners().iter().flatten().all(near);
            prop_assert!(on_the_table);
        }
    }

    #[test]
    fn mor_34_names_and_the_order_of_storage_decide_nothing(all in company(), seed: u64) {
        let plain = names(all.len());
        let mut other = plain.clone();
        other.reverse();
        let (one, two) = (played(&all, &plain, seed, false), played(&all, &other, seed, false));
        prop_assert_eq!(fates(&one, &plain), fates(&two, &other));
    }

    #[test]
    fn mor_33_the_order_in_which_a_step_lists_what_happened_decides_nothing(all in company(), seed: u64) {
        let names = names(all.len());
        let one = played(&all, &names, seed, false);
        let two = played_in_order(&all, &names, seed, false, |happened| happened.reverse());
        prop_assert_eq!(fates(&one, &names), fates(&two, &names));
    }

    #[test]
    fn mor_36_a_cascade_is_bounded_by_the_number_of_units(all in company(), seed: u64) {
        let played = played(&all, &names(all.len()), seed, false);
        let count = |of: &dyn Fn(&Fact) -> bool| played.events.iter().filter(|event| of(&event.fact)).count();
        // Who rallies at the table edge may rout once more; else no unit runs twice.
        let rallied = count(&|fact| matches!(fact, Fact::Rally { after, .. } if *after != Morale::Routed));
        let ran = count(&|fact| matches!(fact, Fact::Ran { .. }));
        let removed = count(&|fact| matches!(fact, Fact::Removed { .. }));
        prop_assert!(ran <= all.len() + rallied && removed <= all.len(), "{ran} {removed}: {:#?}", played.log());
        // Each viewer checks at most once for each rout and each loss of each other unit.
        let saw = count(&|fact| matches!(fact, Fact::MoraleCheck { because, .. } if because.starts_with("saw")));
        prop_assert!(saw <= all.len() * (all.len() - 1 + rallied), "{:#?}", played.log());
        // A chain of causes goes back from a check to the rout that was seen, never round to where it came from.
        let mut depth: BTreeMap<String, usize> = BTreeMap::new();
        for event in &played.events {
            let Fact::MoraleCheck { unit, because, passed: false, .. } = &event.fact else { continue };
            let seen = event.explanation.dice[0].key.get(1).filter(|_| because.starts_with("saw"));
            let links = seen.map_or(0, |seen| depth.get(seen).copied().unwrap_or(0)) + 1;
            prop_assert!(links <= all.len() + rallied);
            depth.insert(unit.to_string(), links);
        }
    }

    #[test]
    fn mor_33_exchanging_the_sides_exchanges_the_results(all in company(), seed: u64) {
        let names = names(all.len());
        let one = fates(&played(&all, &names, seed, false), &names);
        let two = fates(&played(&all, &names, seed, true), &names);
        for (one, two) in one.iter().zip(&two) {
            prop_assert_eq!((one.0, one.1, one.2), (two.0, two.1, two.2));
            // Means of points are rounded, so that a place may differ by a thousandth or two.
            prop_assert!((one.3.x - (SIZE - two.3.x)).abs() <= 6 && (one.3.y - (SIZE - two.3.y)).abs() <= 6, "{one:?} {two:?}");
        }
    }
}
