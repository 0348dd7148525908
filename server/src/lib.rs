//! The Picket server: games, seats, clocks, storage, sockets and the command line. The only crate with I/O but `bot`.

pub mod store;
