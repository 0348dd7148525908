//! `picket verify`: recomputes commitments, receipts and every die of a game that is over from what its server has disclosed. HID-72,
//! `docs/dice.md`
//!
//! Owns the comparison and its report; how a die is thrown is told by [`rules::dice`].

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use protocol::message::rest::{DisclosedEnvelope, DisclosedSeed, DisclosedThrow, Disclosure};
use protocol::orders::Stage;
use rules::dice::{Dice, Envelope, KeyedDice, Purpose, SealedOrders, TurnSeed};

/// Flags of `picket verify`.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// The record, as the server gives it at /api/games/GAME/record when the game is over
    #[arg(value_name = "FILE")]
    pub record: PathBuf,
}

/// What was compared, and what did not agree.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Commitments that fit their seeds.
    pub commitments: usize,
    /// Envelopes that fit the hashes on their receipts.
    pub envelopes: usize,
    /// Dice that come from seed and seals.
    pub dice: usize,
    /// Each thing that did not agree, in words.
    pub faults: Vec<String>,
}

/// Reads, compares, reports, and fails if anything does not agree.
#[expect(clippy::print_stdout, reason = "a command that answers whoever runs it")]
pub fn run(args: &VerifyArgs) -> Result<(), String> {
    let name = args.record.display();
    let text = std::fs::read_to_string(&args.record).map_err(|cause| format!("{name} cannot be read: {cause}"))?;
    let record: Disclosure =
        serde_json::from_str(&text).map_err(|cause| format!("{name} is no record of a game: {cause}"))?;
    let Verified { commitments, envelopes, dice, faults } = verify(&record);
    println!("game {}", record.game);
    println!("{commitments} of {} commitments fit their seeds", record.seeds.len());
    println!("{envelopes} of {} envelopes fit the hashes on their receipts", record.envelopes.len());
    println!("{dice} of {} dice come from the seeds and from what was sealed", count(&record.throws));
    println!("compare the commitments and the hashes with those that you were shown");
    for fault in &faults {
        println!("  {fault}");
    }
    match faults.len() {
        0 => Ok(()),
        faults => Err(format!("{faults} things of the record do not agree")),
    }
}

fn count(throws: &[DisclosedThrow]) -> usize {
    throws.iter().map(|throw| throw.dice.faces.len()).sum()
}

/// Compares all of a record with itself.
pub fn verify(record: &Disclosure) -> Verified {
    let mut verified = Verified::default();
    for seed in &record.seeds {
        match fits_its_seed(&record.game, seed) {
            true => verified.commitments += 1,
            false => verified.faults.push(format!("the commitment of line {}, turn {}", seed.line, seed.turn)),
        }
    }
    for envelope in &record.envelopes {
        match fits_its_hash(&record.game, envelope) {
            true => verified.envelopes += 1,
            false => {
                let at = &envelope.at;
                verified.faults.push(format!("the envelope of {} in turn {}, {:?}", envelope.seat, at.turn, at.stage));
            }
        }
    }
    verify_dice(record, &mut verified);
    verified
}

fn fits_its_seed(game: &str, seed: &DisclosedSeed) -> bool {
    let known = bytes(&seed.seed).zip(bytes(&seed.commitment));
    known.is_some_and(|(secret, commitment)| TurnSeed(secret).commitment(game, seed.turn) == commitment)
}

fn fits_its_hash(game: &str, envelope: &DisclosedEnvelope) -> bool {
    let DisclosedEnvelope { at, seat, hash, salt, nonce, content } = envelope;
    let (Some(salt), Some(nonce)) = (bytes(salt), bytes(nonce)) else { return false };
    let sealed = Envelope {
        salt: &salt,
        game,
        turn: at.turn,
        stage: at.stage,
        seat: seat.as_str(),
        nonce: &nonce,
        content: content.as_bytes(),
    };
    bytes(hash) == Some(sealed.hash())
}

/// What names a throw in the record: all of its dice go by one name and are numbered.
type Name<'r> = (u32, u32, u8, &'r str, &'r [String]);

/// Every die by its name; a purpose and key count within a phase, and the order in which they were entered is no part of it.
fn verify_dice(record: &Disclosure, verified: &mut Verified) {
    let mut thrown: BTreeMap<Name<'_>, Vec<u8>> = BTreeMap::new();
    for DisclosedThrow { line, turn, phase, side: _, dice } in &record.throws {
        let name = (*line, *turn, *phase, dice.purpose.as_str(), dice.key.as_slice());
        thrown.entry(name).or_default().extend(&dice.faces);
    }
    let mut keys: BTreeMap<(u32, u32), Option<KeyedDice>> = BTreeMap::new();
    for ((line, turn, phase, purpose, key), mut shown) in thrown {
        let dice = keys.entry((line, turn)).or_insert_with(|| dice_of(record, line, turn));
        let parts: Vec<&str> = key.iter().map(String::as_str).collect();
        let faces = |dice: &KeyedDice, phase: u8| -> Option<Vec<u8>> {
            let purpose = Purpose::from_word(purpose)?;
            let mut faces: Vec<u8> = (1..).take(shown.len()).map(|n| dice.die(phase, purpose, &parts, n)).collect();
            faces.sort_unstable();
            Some(faces)
        };
        // A die of sight is one for all of the turn, and has no phase in its name.
        let both = dice.as_ref().map(|dice| [faces(dice, phase), faces(dice, 0)]);
        shown.sort_unstable();
        match both.is_some_and(|both| both.contains(&Some(shown.clone()))) {
            true => verified.dice += shown.len(),
            false => verified.faults.push(format!("line {line}, turn {turn}, phase {phase}: {purpose} {key:?}")),
        }
    }
}

/// The dice of a turn: from its seed, and from what each seat sealed for its orders window. What happens before turn 1 without a window
/// of its own comes from the seed of turn 1 alone.
fn dice_of(record: &Disclosure, line: u32, turn: u32) -> Option<KeyedDice> {
    let seed_of = |line: u32, turn: u32| {
        let found = record.seeds.iter().find(|seed| (seed.line, seed.turn) == (line, turn))?;
        bytes(&found.seed).map(TurnSeed)
    };
    let Some(seed) = seed_of(line, turn) else {
        return seed_of(line, 1).filter(|_| turn == 0).map(|seed| KeyedDice::for_setup(&seed, &record.game));
    };
    let sealed = record.seats.iter().map(|seat| {
        let of_seat = |envelope: &&DisclosedEnvelope| {
            let at = &envelope.at;
            (at.line, at.turn, at.stage) == (line, turn, Stage::Orders) && envelope.seat == *seat
        };
        let found = record.envelopes.iter().find(of_seat);
        let known = found.map(|found| bytes(&found.nonce).zip(bytes(&found.hash)));
        match known {
            None => Some(SealedOrders::ABSENT),
            Some(known) => known.map(|(nonce, envelope_hash)| SealedOrders { nonce, envelope_hash }),
        }
    });
    let sealed: Vec<SealedOrders> = sealed.collect::<Option<_>>()?;
    Some(KeyedDice::new(seed.turn_key(&record.game, turn, &sealed)))
}

/// Thirty-two bytes in hexadecimal digits.
fn bytes(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    let mut bytes = [0; 32];
    if digits.len() != 2 * bytes.len() {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}
