//! One turn of a saved battle, for a machine that counts instructions: time is stretched by whatever else runs, counts are not.
//!
//! `count save DIR GROUNDS SEED` plays a battle until the sides have met and saves it with the orders of the next turn;
//! `count play DIR GROUNDS SEED` plays this turn, each stage in a call of its own of [`played`], and prints what came of it.
//! `docs/scripts/count.sh` runs both and tells each stage's instructions. As in the server the battle comes from its bytes, so
//! it begins with no line of sight remembered.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark keeps its battles in files, which the rules may not, and prints what came of them"
)]

#[path = "../tests/random_play/mod.rs"]
#[expect(unreachable_pub, dead_code, reason = "shared with the tests, each uses its part")]
mod random_play;

use std::error::Error;
use std::path::{Path, PathBuf};

use protocol::orders::Stage;
use random_play::{Chance, Table};
use rules::archive::{self, StoredBytes};
use rules::battle::Battle;
use rules::stage::{Envelopes, Outcome};
use sha2::{Digest, Sha256};

/// Turns before the one that is counted, so that the sides have met.
const TURNS_BEFORE: u32 = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let said: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match said.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["save", place, grounds, seed] => save(&Saved::named(place, grounds, seed)?),
        ["play", place, grounds, seed] => play(&Saved::named(place, grounds, seed)?),
        _ => {
            eprintln!("nothing to count: say `save DIR GROUNDS SEED` or `play DIR GROUNDS SEED`");
            Ok(())
        }
    }
}

/// A battle that is saved, or is to be. No ground at all stands for Little Round Top as it was.
struct Saved {
    file: PathBuf,
    table: Table,
    seed: u64,
}

impl Saved {
    fn named(place: &str, grounds: &str, seed: &str) -> Result<Saved, Box<dyn Error>> {
        let file = Path::new(place).join(format!("{grounds}-{seed}"));
        let table = match grounds.parse()? {
            0 => Table::little_round_top(),
            grounds => Table::side_by_side(grounds),
        };
        Ok(Saved { file, table, seed: seed.parse()? })
    }

    fn battle(&self) -> PathBuf {
        self.file.with_extension("battle")
    }

    fn orders(&self) -> PathBuf {
        self.file.with_extension("orders")
    }
}

fn save(saved: &Saved) -> Result<(), Box<dyn Error>> {
    let Saved { table, seed, .. } = saved;
    let mut chance = Chance::new(*seed);
    let mut battle = table.start();
    for _ in 0..TURNS_BEFORE {
        let mut envelopes = table.random_envelopes(&battle, Stage::Orders, &mut chance);
        for stage in Stage::ALL {
            battle = table.resolve(stage, battle, &envelopes, *seed).battle;
            envelopes = Envelopes::new();
        }
    }
    let envelopes = table.random_envelopes(&battle, Stage::Orders, &mut chance);
    std::fs::write(saved.battle(), archive::store(&battle).as_bytes())?;
    std::fs::write(saved.orders(), serde_json::to_vec(&envelopes)?)?;
    Ok(())
}

fn play(saved: &Saved) -> Result<(), Box<dyn Error>> {
    let Saved { table, seed, .. } = saved;
    let bytes = StoredBytes::from_store(std::fs::read(saved.battle())?);
    let mut battle = archive::restore(&bytes, table.theatre.clone())?;
    let mut envelopes: Envelopes = serde_json::from_slice(&std::fs::read(saved.orders())?)?;
    for stage in Stage::ALL {
        let outcome = played(table, stage, battle, &envelopes, *seed);
        println!("{stage:?} {} events, {}", outcome.events.len(), told(&outcome));
        (battle, envelopes) = (outcome.battle, Envelopes::new());
    }
    Ok(())
}

/// One stage. Instructions are counted from where this begins to where it ends.
#[inline(never)]
fn played(table: &Table, stage: Stage, battle: Battle, envelopes: &Envelopes, seed: u64) -> Outcome {
    table.resolve(stage, battle, envelopes, seed)
}

/// The same wherever the same has happened. The counts of a stage are written down when this begins.
#[inline(never)]
fn told(outcome: &Outcome) -> String {
    let mut hash = Sha256::new();
    hash.update(archive::store(&outcome.battle).as_bytes());
    hash.update(archive::store_events(&outcome.events).as_bytes());
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
