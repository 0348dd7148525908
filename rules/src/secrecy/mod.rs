//! The check that nothing leaks: two worlds that a viewer cannot tell apart give him the same bytes. HID-14
//!
//! Owns random battles played twice side by side, the second with other things under the enemy's pickets, and the comparison of
//! all that the viewer is sent or may ask. It plays by the same doors as the server: drafts, [`crate::stage::resolve`],
//! [`crate::view`]. `picket secrecy-check` and `make secrecy` run it for as long as wanted.
//!
//! Start at [`two_worlds`].

mod chance;
mod exchange;
mod los;
mod players;
mod questions;
mod setting;
#[cfg(test)]
mod tests;
mod worlds;

pub use chance::Chance;
pub use los::{in_fog, two_worlds_in_fog};
pub use players::random_draft;
pub use worlds::{Leak, Ran, two_worlds};
