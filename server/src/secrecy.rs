//! `picket secrecy-check`: two worlds side by side, for as long as a host wants, on his own build. `docs/secrecy.md`
//!
//! Owns the choice of battles and seeds, the threads and the report; what is compared stands in [`rules::secrecy`].

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use clap::Args;
use rules::battle::Theatre;
use rules::secrecy::{Leak, Ran, two_worlds, two_worlds_in_fog};

use crate::games::shelf_files;

/// How often progress is said, battles.
const PROGRESS: u64 = 100;

/// Flags of `picket secrecy-check`.
#[derive(Args, Debug)]
pub struct SecrecyArgs {
    /// How many battles are played, each with a seed of its own
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub battles: u64,
    /// The first seed; with `--battles 1` it shows one failure again
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub from: u64,
    /// Turns of each battle
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub turns: u32,
    /// Only this battle of the shelf [default: all of them in turn]
    #[arg(long, value_name = "ID")]
    pub scenario: Option<String>,
    /// In the fog `line_of_sight`, with the enemy's unseen units elsewhere in the second world [default: under pickets]
    #[arg(long)]
    pub line_of_sight: bool,
}

/// What came of it.
#[derive(Default)]
struct Sums {
    battles: u64,
    ran: Ran,
    leaks: Vec<Leak>,
}

impl Sums {
    fn add(&mut self, result: Result<Ran, Leak>) {
        self.battles += 1;
        match result {
            Ok(Ran { stages, exchanges, compared, bytes, parted }) => {
                self.ran.stages += stages;
                self.ran.exchanges += exchanges;
                self.ran.compared += compared;
                self.ran.bytes += bytes;
                self.ran.parted += parted;
            }
            Err(leak) => self.leaks.push(leak),
        }
    }
}

/// Plays, reports, and fails if anything leaked.
#[expect(clippy::print_stdout, reason = "a command that answers whoever runs it")]
pub fn run(args: &SecrecyArgs) -> Result<(), String> {
    let battles = battles(args.scenario.as_deref())?;
    let began = Instant::now();
    let sums = Mutex::new(Sums::default());
    let next = AtomicU64::new(0);
    let work = || {
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if args.battles <= n {
                return;
            }
            let seed = args.from.wrapping_add(n);
            let theatre = &battles[(seed % battles.len() as u64) as usize];
            let result = match args.line_of_sight {
                true => two_worlds_in_fog(theatre, seed, args.turns),
                false => two_worlds(theatre, seed, args.turns),
            };
            let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
            sums.add(result);
            if sums.battles % PROGRESS == 0 {
                let seconds = began.elapsed().as_secs();
                println!(
                    "{} battles, {} stages, {} leaks, {seconds} s",
                    sums.battles,
                    sums.ran.stages,
                    sums.leaks.len()
                );
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let died = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        running.into_iter().filter_map(|thread| thread.join().err()).count()
    });
    let sums = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
    for leak in &sums.leaks {
        println!("{leak}");
    }
    let Sums { battles, ran: Ran { stages, exchanges, compared, bytes, parted }, leaks } = sums;
    println!(
        "{battles} battles of {} scenarios, {stages} stages, {exchanges} exchanges of the hidden truth; {compared} views, events \
         and answers compared, {bytes} bytes; {parted} times parted in public; {} leaks; {} s",
        theatres_in_words(args.scenario.as_deref()),
        leaks.len(),
        began.elapsed().as_secs()
    );
    match (leaks.len(), died) {
        (0, 0) => Ok(()),
        (0, died) => {
            Err(format!("{died} of {threads} threads died of a fault in the rules; the seed is in the message above"))
        }
        (leaks, _) => Err(format!("{leaks} leaks; `--from SEED --battles 1` shows one again")),
    }
}

fn theatres_in_words(only: Option<&str>) -> String {
    only.map_or_else(|| shelf_files().len().to_string(), |_| "1".to_owned())
}

/// The battles of the shelf, or the one of that identifier.
fn battles(only: Option<&str>) -> Result<Vec<Arc<Theatre>>, String> {
    let mut battles = Vec::new();
    for text in shelf_files() {
        let scenario = rules::scenario::read(text)
            .map_err(|faults| format!("a battle of the shelf cannot be read: {faults:?}"))?;
        if only.is_none_or(|only| scenario.id.as_str() == only) {
            battles.push(Theatre::new(Arc::new(scenario)));
        }
    }
    match (battles.is_empty(), only) {
        (true, Some(id)) => Err(format!("there is no battle `{id}` on the shelf")),
        _ => Ok(battles),
    }
}
