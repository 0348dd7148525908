//! The fog `line_of_sight`: what no unit of a side can see is not there for it. Chapter LOS
//!
//! Owns who sees whom at which instant, what a side remembers, what is told to whom, and what is taken off a table before a
//! side may look at it. It plays no rule: the truth is the open table with everybody on it. In a battle with another fog
//! nothing of this module does anything, and nothing of it is stored.
//!
//! Start at [`look`] for what is seen, at [`veil`] for what a side knows, at [`tell`] for what it is told.

mod ground;
mod guns;
mod look;
mod memory;
mod score;
mod subjects;
mod tell;
#[cfg(test)]
mod tests;
mod veil;
mod vision;
mod words;

pub(crate) use guns::{remember_guns, tell_of_spiking};
pub(crate) use look::{begin_phase, begin_stage, end_phase, is_instant, look};
pub(crate) use memory::confidence;
pub(crate) use score::count;
pub(crate) use subjects::units_of;
pub(crate) use tell::{come_upon, meet, tell};
pub(crate) use veil::{Eyes, is_veiled, veil};
pub(crate) use vision::Vision;

use crate::battle::Table;
use crate::scenario::Fog;

/// LOS-01 Whether a battle is played in this fog.
pub(crate) fn is_played(table: &Table) -> bool {
    table.scenario().options.fog == Fog::LineOfSight
}
