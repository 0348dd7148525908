//! `picket verify`: recomputes commitments, receipts and every die of a game that is over from what its server has disclosed. HID-72,
//! `docs/dice.md`
//!
//! Owns the comparison and its report; how a die is thrown is told by [`rules::dice`]. The file may come from anybody: it is read up to
//! a size, and what it says is printed escaped.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use protocol::message::ErrorMessage;
use protocol::message::rest::{DisclosedEnvelope, DisclosedSeed, DisclosedThrow, Disclosure};
use protocol::orders::Stage;
use rules::dice::{Dice, Envelope, KeyedDice, Purpose, SealedOrders, TurnSeed};
use serde_json::error::Category;

#[cfg(test)]
mod tests;

/// Flags of `picket verify`.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// The record: the button at the end of a game gives it, or the server at /api/games/GAME/record
    #[arg(value_name = "FILE")]
    pub record: PathBuf,
}

/// A record is no larger: that of a long battle of 200 units has a few million bytes.
const MOST_BYTES: u64 = 256 << 20;
/// So many things that do not agree are named; the others are counted.
const MOST_NAMED: usize = 40;

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

/// What came of it, and so the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All agrees: 0.
    Agrees,
    /// It is a record, and something in it does not agree: 1.
    Differs,
}

/// Reads, compares and reports. Exit code 0: all agrees; 1: something does not; 2: the file is no record that can be read.
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a command that answers whoever runs it")]
pub fn run(args: &VerifyArgs) -> ExitCode {
    match examine(&args.record) {
        Ok((report, verdict)) => {
            print!("{report}");
            match verdict {
                Verdict::Agrees => ExitCode::SUCCESS,
                Verdict::Differs => ExitCode::FAILURE,
            }
        }
        Err(complaint) => {
            eprintln!("picket: {complaint}");
            ExitCode::from(2)
        }
    }
}

/// The report on a file, or why it can not be examined.
pub fn examine(path: &Path) -> Result<(String, Verdict), String> {
    let record = read(path)?;
    let verified = verify(&record);
    let verdict = if verified.faults.is_empty() { Verdict::Agrees } else { Verdict::Differs };
    Ok((report(&record, &verified), verdict))
}

fn read(path: &Path) -> Result<Disclosure, String> {
    let name = path.display();
    let text = bytes_of(path).map_err(|cause| format!("{name} cannot be read: {cause}"))?;
    if u64::try_from(text.len()).is_ok_and(|length| MOST_BYTES < length) {
        let most = MOST_BYTES >> 20;
        return Err(format!("{name} has more than {most} million bytes; no record of a game is so large"));
    }
    // Editors put a mark of their own before the text.
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text);
    let cause = match serde_json::from_slice::<Disclosure>(text) {
        Ok(record) => return Ok(record),
        Err(cause) => cause,
    };
    // Whoever asked too early, or without his token, has the server's words in his file.
    if let Ok(ErrorMessage { code, message, .. }) = serde_json::from_slice(text) {
        let (code, message) = (code.escape_debug(), message.escape_debug());
        return Err(format!("{name} holds no record, but what the server said instead of it: {message} ({code})"));
    }
    Err(match cause.classify() {
        Category::Eof if text.iter().all(u8::is_ascii_whitespace) => {
            format!("{name} is empty; download the record again")
        }
        Category::Eof => format!("{name} ends in the middle of the record; download it again"),
        Category::Syntax | Category::Io => format!("{name} is no record of a game, and no JSON at all: {cause}"),
        Category::Data => format!("{name} is JSON, and no record of a game: {cause}"),
    })
}

/// One byte more than may be, if there are so many.
fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut text)?;
    Ok(text)
}

fn report(record: &Disclosure, verified: &Verified) -> String {
    let Verified { commitments, envelopes, dice, faults } = verified;
    let mut lines = vec![
        format!("game {}", record.game.escape_debug()),
        format!("{commitments} of {} commitments fit their seeds", record.seeds.len()),
        format!("{envelopes} of {} envelopes fit the hashes on their receipts", record.envelopes.len()),
        format!("{dice} of {} dice come from the seeds and from what was sealed", count(&record.throws)),
    ];
    lines.extend(faults.iter().take(MOST_NAMED).map(|fault| format!("  {fault}")));
    if MOST_NAMED < faults.len() {
        lines.push(format!("  and {} more", faults.len() - MOST_NAMED));
    }
    lines.push(match faults.len() {
        0 => "All of the record agrees. That it is the game that was played, you see by what you were shown then: compare \
              your receipts and the commitments with those in the file. What no die can tell does not show here: a throw \
              left out, who saw a throw, what it needed."
            .to_owned(),
        1 => "One thing of the record does not agree: it is not what the server played, or the file was changed.".to_owned(),
        many => {
            format!("{many} things of the record do not agree: it is not what the server played, or the file was changed.")
        }
    });
    let mut text = String::new();
    for line in lines {
        let _written_to_memory = writeln!(text, "{line}");
    }
    text
}

fn count(throws: &[DisclosedThrow]) -> usize {
    throws.iter().map(|throw| throw.dice.faces.len()).sum()
}

/// Compares all of a record with itself.
pub fn verify(record: &Disclosure) -> Verified {
    let mut verified = Verified { faults: incomplete(record), ..Verified::default() };
    for seed in &record.seeds {
        match fits_its_seed(&record.game, seed) {
            true => verified.commitments += 1,
            false => {
                verified.faults.push(format!("{}: the commitment is not that of the seed", when(seed.line, seed.turn)))
            }
        }
    }
    for envelope in &record.envelopes {
        match fits_its_hash(&record.game, envelope) {
            true => verified.envelopes += 1,
            false => verified.faults.push(format!("{}: the hash is not that of the envelope", whose(envelope))),
        }
    }
    verify_dice(record, &mut verified);
    verified
}

fn when(line: u32, turn: u32) -> String {
    format!("line {line}, turn {turn}")
}

fn whose(envelope: &DisclosedEnvelope) -> String {
    let DisclosedEnvelope { at, seat, .. } = envelope;
    let window = match at.stage {
        Stage::Orders => "orders",
        Stage::Reactions => "reactions",
        Stage::Charges => "charges",
        Stage::Movement => "movement",
    };
    format!("{}, {window}, seat {}", when(at.line, at.turn), seat.as_str().escape_debug())
}

/// What a whole record has once, and this one not, or twice.
fn incomplete(record: &Disclosure) -> Vec<String> {
    let mut faults = Vec::new();
    if record.seeds.is_empty() {
        faults.push("there is no seed in it, so nothing can be recomputed".to_owned());
    }
    let mut turns: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for DisclosedSeed { line, turn, .. } in &record.seeds {
        if !turns.entry(*line).or_default().insert(*turn) {
            faults.push(format!("{}: there are two seeds", when(*line, *turn)));
        }
    }
    for (line, turns) in &turns {
        for (before, turn) in turns.iter().zip(turns.iter().skip(1)) {
            if before + 1 < *turn {
                faults.push(format!("line {line}: the seeds between turn {before} and turn {turn} are missing"));
            }
        }
    }
    let has_seed = |line: u32, turn: u32| turns.get(&line).is_some_and(|turns| turns.contains(&turn));
    let mut sealed = BTreeSet::new();
    let mut orphans = BTreeSet::new();
    for envelope in &record.envelopes {
        let DisclosedEnvelope { at, seat, .. } = envelope;
        if !sealed.insert((at.line, at.turn, at.stage, seat)) {
            faults.push(format!("{}: there are two envelopes", whose(envelope)));
        }
        if !record.seats.contains(seat) {
            faults.push(format!("{}: the game has no such seat", whose(envelope)));
        }
        if !has_seed(at.line, at.turn) {
            orphans.insert((at.line, at.turn));
        }
    }
    // Dice before turn 1 come from its seed, where the players do not place their units.
    let has_key = |(line, turn): &(u32, u32)| has_seed(*line, *turn) || (*turn == 0 && has_seed(*line, 1));
    let thrown = record.throws.iter().map(|throw| (throw.line, throw.turn));
    orphans.extend(thrown.filter(|when| !has_key(when)));
    faults.extend(orphans.into_iter().map(|(line, turn)| format!("{}: there is no seed", when(line, turn))));
    faults
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
        match both.as_ref().is_some_and(|both| both.contains(&Some(shown.clone()))) {
            true => verified.dice += shown.len(),
            false => {
                let name = format!("{}, phase {phase}: {} {key:?}", when(line, turn), purpose.escape_debug());
                verified.faults.push(format!("{name} shows {shown:?}{}", wanted(&both)));
            }
        }
    }
}

/// What the faces of a throw would be, in words.
fn wanted(both: &Option<[Option<Vec<u8>>; 2]>) -> String {
    match both {
        Some([Some(faces), _]) => format!(", and seed and seals give {faces:?}"),
        Some([None, _]) => ", and there is no such throw".to_owned(),
        None => ", and its turn has no key".to_owned(),
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
    if digits.len() != 2 * bytes.len() || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}
