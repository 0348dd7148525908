//! What holds of any clash: it ends, and neither names, nor sides, nor the order of storage decide anything.

use proptest::prelude::*;

use protocol::event::Morale;
use protocol::words::{Formation, Quality};

use super::*;
use crate::dice::Purpose;
use crate::testing::{cavalry, table};

/// Dice that depend on their key alone.
struct Hashed(u64);

impl Dice for Hashed {
    fn die(&self, phase: u8, purpose: Purpose, key: &[&str], n: u32) -> u8 {
        let text = format!("{} {phase} {} {} {n}", self.0, purpose.as_str(), key.join(" "));
        // FNV-1a, then its high bits.
        let hash = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        ((hash >> 33) % 6) as u8 + 1
    }
}

#[derive(Clone, Debug)]
struct Someone {
    figures: u32,
    quality: u8,
    formation: u8,
    disorder: bool,
    horse: bool,
}

fn someone() -> impl Strategy<Value = Someone> {
    (4..20_u32, 0..4_u8, 0..4_u8, any::<bool>(), any::<bool>()).prop_map(
        |(figures, quality, formation, disorder, horse)| Someone { figures, quality, formation, disorder, horse },
    )
}

fn maker(one: &Someone, id: &str, side: Side, at: (i32, i32)) -> Maker {
    let quality = [Quality::Elite, Quality::Veteran, Quality::Green, Quality::Militia][usize::from(one.quality)];
    let foot = [Formation::SingleLine, Formation::DoubleLine, Formation::AttackColumn, Formation::ExtendedLine];
    let horse = [Formation::SingleLine, Formation::DoubleLine, Formation::SingleLine, Formation::DoubleLine];
    let (maker, formations) = match one.horse {
        true => (cavalry(id, side), horse),
        false => (infantry(id, side).figures(one.figures), foot),
    };
    let facing = if side == Side::Union { 0 } else { 18_000 };
    let maker = maker.quality(quality).at(at.0, at.1).facing(facing).formation(formations[usize::from(one.formation)]);
    if one.disorder { maker.disordered() } else { maker }
}

/// `a` with its support `s` against `d` with its support `t`, and a friend of each who looks on.
fn units(all: &[Someone]) -> Vec<Maker> {
    let (union, confederate) = (Side::Union, Side::Confederate);
    vec![
        maker(&all[0], "a", union, (30_000, 30_000)),
        maker(&all[1], "s", union, (30_000, 23_000)),
        infantry("f", union).at(40_000, 27_000),
        maker(&all[2], "d", confederate, (30_000, 30_000)),
        maker(&all[3], "t", confederate, (30_000, 37_000)),
        infantry("g", confederate).at(22_000, 33_000).facing(18_000),
    ]
}

/// What became of a unit.
type Fate = (String, Morale, bool, u32, bool, (i32, i32));

fn fates(played: &Played) -> Vec<Fate> {
    let mut fates: Vec<Fate> = played
        .battle
        .table
        .all_units()
        .map(|(_, unit)| {
            let at = (unit.footing.anchor.x, unit.footing.anchor.y);
            (unit.id.to_string(), unit.morale, unit.on_table(), unit.figures(), unit.footing.disorder, at)
        })
        .collect();
    fates.sort();
    fates
}

/// The same clash with the roles of the two exchanged.
fn exchanged(clash: &Clash) -> Clash {
    let Clash { attacker, defender, ray, aspect } = clash.clone();
    Clash { attacker: defender, defender: attacker, ray: ray.times(-1), aspect }
}

fn played(units: Vec<Maker>, seed: u64, clash: impl Fn(&Table) -> Clash) -> Played {
    let table = table(open_ground(), units);
    let clash = clash(&table);
    play_step(ordered(table), &clash, &Hashed(seed), resolve)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn mel_09_a_clash_ends_and_a_melee_with_one_side_gone(all in prop::collection::vec(someone(), 4), seed: u64) {
        let played = played(units(&all), seed, |table| charge(table, &["s"], &["t"]));
        let left = |ids: [&str; 2]| ids.iter().any(|id| played.unit(id).on_table());
        if played.ending == Ending::Fought {
            prop_assert!(!left(["a", "s"]) || !left(["d", "t"]));
            prop_assert!(played.rounds().len() <= 400);
        }
        if played.ending == Ending::Broken {
            prop_assert!(!played.unit("d").on_table() || played.unit("d").marks.beaten);
        }
    }

    #[test]
    fn idd_03_the_order_of_storage_decides_nothing(all in prop::collection::vec(someone(), 4), seed: u64) {
        let mut reversed = units(&all);
        reversed.reverse();
        let one = played(units(&all), seed, |table| charge(table, &["s"], &["t"]));
        let two = played(reversed, seed, |table| charge(table, &["s"], &["t"]));
        prop_assert_eq!(fates(&one), fates(&two));
    }

    #[test]
    fn cc_19_of_two_who_charge_it_is_the_same_who_is_called_the_attacker(
        all in prop::collection::vec(someone(), 4),
        seed: u64,
    ) {
        let one = played(units(&all), seed, |table| countercharge(table, &["s"], &["t"]));
        let two = played(units(&all), seed, |table| exchanged(&countercharge(table, &["s"], &["t"])));
        prop_assert_eq!(fates(&one), fates(&two));
    }

    #[test]
    fn idd_03_the_odds_of_all_results_are_one(all in prop::collection::vec(someone(), 4)) {
        let table = table(open_ground(), units(&all));
        let clash = charge(&table, &["s"], &["t"]);
        let odds = with_field(&table, |field| crate::charge::clash::odds(field, &clash));
        prop_assert_eq!(odds.results.values().copied().sum::<crate::chance::Chance>(), crate::chance::Chance::CERTAIN);
    }
}
