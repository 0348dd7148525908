//! The Picket server: games, seats, clocks, storage, sockets and the command line. The only crate with I/O but `bot`.
//!
//! Start at [`cli`] for what `picket` does, at [`app`] for what a request passes, at [`games`] for what happens to a game,
//! at [`socket`] for a player's conversation, at [`store`] for what is kept.

pub mod adjudicate;
pub mod api;
pub mod app;
pub mod cli;
pub mod client;
pub mod clock;
pub mod config;
pub mod games;
pub mod net;
pub mod odds;
pub mod run;
pub mod scenario;
pub mod secrecy;
pub mod serve;
pub mod shutdown;
pub mod soak;
pub mod socket;
pub mod standing;
pub mod store;
pub mod tables;
pub mod verify;
