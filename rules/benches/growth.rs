//! How the stages of a turn grow with the number of units, as dense whatever their number. `make bench`.
//!
//! For each stage its processor time in milliseconds, the mean of some battles, and the exponent of its growth from one number
//! of units to the next: 1.0 is as the units, 2.0 as their pairs.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a benchmark measures time, which the rules may not ask for, and prints what it has measured"
)]

#[path = "../tests/random_play/mod.rs"]
#[expect(unreachable_pub, dead_code, reason = "shared with the tests, each uses its part")]
mod random_play;

use std::time::{Duration, Instant};

use protocol::orders::Stage;
use random_play::{Chance, Table};
use rules::battle::Battle;
use rules::stage::Envelopes;

/// Grounds side by side, each with 40 units.
const GROUNDS: [i32; 4] = [1, 2, 4, 8];
/// Turns before the one that is measured, so that the sides have met.
const TURNS_BEFORE: u32 = 2;
/// Battles of each size: what happens in a single one weighs as much as its size.
const BATTLES: u64 = 6;
/// Times that each is measured, of which the least counts.
const REPEATS: u32 = 2;

fn main() {
    println!("a turn, mean of {BATTLES} battles, ms; in brackets the exponent of growth");
    println!("{:>6}  {}", "units", Stage::ALL.map(|stage| format!("{:>18}", format!("{stage:?}"))).concat());
    let mut before: Option<(i32, [Duration; 4])> = None;
    for grounds in GROUNDS {
        let now = measured(grounds);
        let cells = (0..4).map(|n| {
            let grown = before.map(|(fewer, times)| exponent(fewer, grounds, times[n], now[n]));
            let grown = grown.map_or_else(String::new, |grown| format!(" ({grown:.1})"));
            format!("{:>18}", format!("{:.2}{grown}", now[n].as_secs_f64() * 1e3))
        });
        println!("{:>6}  {}", 40 * grounds, cells.collect::<String>());
        before = Some((grounds, now));
    }
}

fn exponent(fewer: i32, more: i32, shorter: Duration, longer: Duration) -> f64 {
    (longer.as_secs_f64() / shorter.as_secs_f64()).ln() / (f64::from(more) / f64::from(fewer)).ln()
}

/// The mean time of each stage.
fn measured(grounds: i32) -> [Duration; 4] {
    let table = Table::side_by_side(grounds);
    let battles: Vec<[Duration; 4]> = (0..BATTLES).map(|seed| of_battle(&table, 42 + seed)).collect();
    std::array::from_fn(|n| battles.iter().map(|times| times[n]).sum::<Duration>() / BATTLES as u32)
}

fn of_battle(table: &Table, seed: u64) -> [Duration; 4] {
    let mut chance = Chance::new(seed);
    let mut battle = table.start();
    for _ in 0..TURNS_BEFORE {
        let envelopes = table.random_envelopes(&battle, Stage::Orders, &mut chance);
        battle = turn(table, battle, &envelopes, seed).0;
    }
    let envelopes = table.random_envelopes(&battle, Stage::Orders, &mut chance);
    let mut least = [Duration::MAX; 4];
    for _ in 0..REPEATS {
        let (_, times) = turn(table, battle.clone(), &envelopes, seed);
        for (least, time) in least.iter_mut().zip(times) {
            *least = (*least).min(time);
        }
    }
    least
}

/// The processor's time of this thread where the system tells it, which other work does not stretch; else the wall clock's.
enum Clock {
    Processor(Duration),
    Wall(Instant),
}

impl Clock {
    fn now() -> Clock {
        processor_time().map_or_else(|| Clock::Wall(Instant::now()), Clock::Processor)
    }

    fn since(began: Clock) -> Duration {
        match (began, processor_time()) {
            (Clock::Processor(began), Some(now)) => now.saturating_sub(began),
            (Clock::Processor(_), None) => Duration::ZERO,
            (Clock::Wall(began), _) => began.elapsed(),
        }
    }
}

fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// A turn, and how long each of its stages took.
fn turn(table: &Table, mut battle: Battle, envelopes: &Envelopes, seed: u64) -> (Battle, [Duration; 4]) {
    let mut times = [Duration::ZERO; 4];
    for (time, stage) in times.iter_mut().zip(Stage::ALL) {
        let nothing = Envelopes::new();
        let said = if stage == Stage::Orders { envelopes } else { &nothing };
        let began = Clock::now();
        battle = table.resolve(stage, battle, said, seed).battle;
        *time = Clock::since(began);
    }
    (battle, times)
}
