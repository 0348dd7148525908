//! Johnny Reb III as a pure function: state, nine phases, dice, geometry, views.
//!
//! This crate reads no file, clock, entropy, environment or hash order, starts no thread and prints
//! nothing; floats live in [`geometry`] alone. The same inputs give the same battle on every machine.

pub mod adjudicate;
pub mod archive;
pub mod arrivals;
pub mod battle;
pub mod catalogue;
pub mod chance;
pub mod charge;
pub mod column;
pub mod command;
pub mod competence;
pub(crate) mod crews;
pub(crate) mod crowd;
pub mod dice;
pub mod explain;
pub mod field;
pub mod fire;
pub mod formation;
pub mod geometry;
pub mod ground;
pub mod hidden;
pub(crate) mod holding;
pub mod house;
pub mod instant;
pub mod leaders;
pub mod levels;
pub(crate) mod los;
pub mod losses;
pub mod morale;
pub mod movement;
pub mod needs;
pub mod odds;
pub mod orders;
pub mod phases;
pub mod places;
pub mod play;
pub mod reform;
pub mod rout;
pub mod ruleset;
pub mod scenario;
pub mod secrecy;
pub mod settle;
pub mod setup;
pub mod shaken;
pub(crate) mod sharpshooters;
pub mod sight;
pub mod specials;
pub mod stage;
pub mod standing;
#[cfg(test)]
pub mod testing;
pub mod victory;
pub mod view;
pub(crate) mod wagons;
pub(crate) mod works;
