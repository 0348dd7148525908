//! Charges: who charges whom, how the charge runs, and what happens where it strikes. CHG, CF, CC, IDD, MEL
//!
//! `phases::charges` plays the list of charges; this folder plays one. It knows no cavalry of its own (CAVC) yet.

pub mod clash;
pub mod pace;
pub mod sweep;
#[cfg(test)]
mod tests;
pub mod threat;
