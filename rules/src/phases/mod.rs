//! The nine phases, one module each, in the book's order. TURN-01
//!
//! Each module owns the steps of its phase; the engines that several phases share (fire, morale, movement, command)
//! stand beside this folder.

pub mod charges;
pub mod disengage;
pub mod envelopes;
pub mod first_fire;
pub mod movement;
pub mod moving_fire;
pub mod officers;
pub mod rally;
pub mod reveal;
pub mod turn;
