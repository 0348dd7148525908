//! The instants of phase 7 at which holding units may fire.
//!
//! Owns the words in which the clock of [`crate::movement`] asks [`crate::fire`] who fires now. It never decides who does.
//! HOLDF-04, ALG-MOVE 3, 7, 10, 12

use crate::battle::{Footing, UnitIx};

/// An instant at which all holders of both sides may fire at once. HOLDF-04
#[derive(Clone, Copy, Debug)]
pub struct Instant<'a> {
    /// Which instant it is.
    pub when: When,
    /// Where every mover would stand at the end of the next segment, as proposed and before any refusal; those that stay
    /// are left out. Only `before_leaving` looks at it, and it shows nobody anything. Empty at the last instant. ALG-MOVE 7
    pub next: &'a [Proposed],
}

/// Which instant of phase 7 it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// Before the first segment: `before_move`.
    Before,
    /// At the end of a segment, 1 to 120.
    Segment(u8),
    /// After the last segment: `after_move`.
    After,
}

/// A mover's proposed place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// The mover.
    pub unit: UnitIx,
    /// Where and how it would stand.
    pub footing: Footing,
}
