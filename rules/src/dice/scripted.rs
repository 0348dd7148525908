//! Dice given in advance, for tests and for the adjudication tool.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{Dice, Purpose};

/// Dice read from a list. Every die must be asked for, and every die asked for must be there: [`ScriptedDice::finish`]
/// tells. A die that is missing shows 1 meanwhile, so that the stage can end and all faults are reported together.
#[derive(Debug, Default)]
pub struct ScriptedDice {
    given: BTreeMap<Throw, Vec<u8>>,
    asked: RefCell<BTreeMap<(Throw, u32), u32>>,
    missing: RefCell<BTreeSet<String>>,
}

/// A throw of the list: with a phase of its own, or for any phase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Throw {
    phase: Option<u8>,
    purpose: Purpose,
    key: Vec<String>,
}

impl fmt::Display for Throw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(phase) = self.phase {
            write!(f, "phase {phase} ")?;
        }
        write!(f, "{}", self.purpose.as_str())?;
        self.key.iter().try_for_each(|part| write!(f, " {part}"))
    }
}

/// What was wrong with a script, one line for each fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptFaults(pub Vec<String>);

impl fmt::Display for ScriptFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for ScriptFaults {}

impl ScriptedDice {
    /// No dice: nothing may be thrown.
    pub fn new() -> ScriptedDice {
        ScriptedDice::default()
    }

    /// Adds the faces of a throw in any phase, n = 1 first. More faces for the same throw follow those given before.
    #[must_use]
    pub fn with(mut self, purpose: Purpose, key: &[&str], faces: &[u8]) -> ScriptedDice {
        self.add(None, purpose, key, faces);
        self
    }

    /// Adds the faces of a throw in one phase, which come before those for any phase.
    #[must_use]
    pub fn with_in_phase(mut self, phase: u8, purpose: Purpose, key: &[&str], faces: &[u8]) -> ScriptedDice {
        self.add(Some(phase), purpose, key, faces);
        self
    }

    /// Reads a list: a throw a line, `fire.volley 20th_maine: 3 4`, or `phase 7 morale.hit 20th_maine: 6 1` for one
    /// phase only. Empty lines and lines that open with `#` are passed over.
    pub fn parse(list: &str) -> Result<ScriptedDice, ScriptFaults> {
        let mut dice = ScriptedDice::new();
        let mut faults = Vec::new();
        for line in list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match parse_line(line) {
                Ok((throw, faces)) => dice.given.entry(throw).or_default().extend(faces),
                Err(fault) => faults.push(format!("{fault} in `{line}`")),
            }
        }
        if faults.is_empty() { Ok(dice) } else { Err(ScriptFaults(faults)) }
    }

    /// The throws asked for so far, with their n, in the order of their names.
    pub fn asked(&self) -> Vec<String> {
        self.asked.borrow().keys().map(|(throw, n)| format!("{throw} #{n}")).collect()
    }

    /// Errs when a die was left over, asked for twice, or missing.
    ///
    /// A die of `visibility.pair` is a fact about two units, which many rules look up: it may be asked for again.
    pub fn finish(&self) -> Result<(), ScriptFaults> {
        let mut faults: Vec<String> = self.missing.borrow().iter().map(|die| format!("missing: {die}")).collect();
        let asked = self.asked.borrow();
        for ((throw, n), times) in asked.iter() {
            if 1 < *times && throw.purpose != Purpose::VisibilityPair {
                faults.push(format!("asked {times} times: {throw} #{n}"));
            }
        }
        for (throw, faces) in &self.given {
            for n in (1..).take(faces.len()).filter(|n| !asked.contains_key(&(throw.clone(), *n))) {
                faults.push(format!("left over: {throw} #{n}"));
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(ScriptFaults(faults)) }
    }

    fn add(&mut self, phase: Option<u8>, purpose: Purpose, key: &[&str], faces: &[u8]) {
        let key = key.iter().map(|part| (*part).to_owned()).collect();
        self.given.entry(Throw { phase, purpose, key }).or_default().extend(faces);
    }

    fn face(&self, throw: &Throw, n: u32) -> Option<u8> {
        let index = usize::try_from(n.checked_sub(1)?).ok()?;
        self.given.get(throw)?.get(index).copied()
    }
}

impl Dice for ScriptedDice {
    fn die(&self, phase: u8, purpose: Purpose, key: &[&str], n: u32) -> u8 {
        let in_phase = Throw { phase: Some(phase), purpose, key: key.iter().map(|part| (*part).to_owned()).collect() };
        let in_any = Throw { phase: None, ..in_phase.clone() };
        for throw in [&in_phase, &in_any] {
            if let Some(face) = self.face(throw, n) {
                *self.asked.borrow_mut().entry((throw.clone(), n)).or_default() += 1;
                return face;
            }
        }
        self.missing.borrow_mut().insert(format!("{in_phase} #{n}"));
        1
    }
}

fn parse_line(line: &str) -> Result<(Throw, Vec<u8>), String> {
    let (name, faces) = line.split_once(':').ok_or("no colon")?;
    let mut words = name.split_whitespace().peekable();
    let phase = match words.next_if_eq(&"phase") {
        None => None,
        Some(_) => Some(words.next().and_then(|word| word.parse().ok()).ok_or("no number after `phase`")?),
    };
    let purpose = words.next().ok_or("no purpose")?;
    let purpose = Purpose::from_word(purpose).ok_or_else(|| format!("unknown purpose `{purpose}`"))?;
    let faces = faces.split_whitespace().map(|face| match face.parse() {
        Ok(face @ 1..=6) => Ok(face),
        _ => Err(format!("`{face}` is no face of a die")),
    });
    let faces = faces.collect::<Result<Vec<u8>, String>>()?;
    Ok((Throw { phase, purpose, key: words.map(str::to_owned).collect() }, faces))
}
