//! Writes down the dice as they are thrown.

use std::cell::RefCell;

use serde::Serialize;

use crate::dice::{Dice, Purpose};

/// Dice that were thrown for one purpose and key in one phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Thrown {
    /// The phase.
    pub phase: u8,
    /// What for.
    pub purpose: String,
    /// The parts of the key.
    pub key: Vec<String>,
    /// The faces, the first die first.
    pub faces: Vec<u8>,
}

/// Dice that remember what was asked of them.
pub(super) struct Recorder<'d> {
    source: &'d dyn Dice,
    thrown: RefCell<Vec<Thrown>>,
}

impl<'d> Recorder<'d> {
    pub(super) fn new(source: &'d dyn Dice) -> Self {
        Recorder { source, thrown: RefCell::new(Vec::new()) }
    }

    /// The throws, in the order in which each was first asked for.
    pub(super) fn thrown(self) -> Vec<Thrown> {
        self.thrown.into_inner()
    }
}

impl Dice for Recorder<'_> {
    fn die(&self, phase: u8, purpose: Purpose, key: &[&str], n: u32) -> u8 {
        let face = self.source.die(phase, purpose, key, n);
        let mut thrown = self.thrown.borrow_mut();
        let same = |one: &&mut Thrown| one.phase == phase && one.purpose == purpose.as_str() && one.key == key;
        // Dice of one key are asked for from the first on, so a die is either the next one or known already.
        match thrown.iter_mut().find(same) {
            Some(one) if one.faces.len() < n as usize => one.faces.push(face),
            Some(_) => {}
            None => thrown.push(Thrown {
                phase,
                purpose: purpose.as_str().to_owned(),
                key: key.iter().map(|part| (*part).to_owned()).collect(),
                faces: vec![face],
            }),
        }
        face
    }
}
