//! The Picket server: games, seats, clocks, storage, sockets and the command line. The only crate with I/O but `bot`.
//!
//! Start at [`cli`] for what `picket` does, at [`app`] for what a request passes, at [`store`] for what is kept.

pub mod app;
pub mod cli;
pub mod client;
pub mod clock;
pub mod config;
pub mod net;
pub mod serve;
pub mod shutdown;
pub mod store;
