//! Games over real sockets and a real database: what is promised to players, and what is refused to everybody.

mod conversation;
mod deployment;
mod kill;
#[path = "../../../tests/src/postgres.rs"]
#[expect(unreachable_pub, reason = "the file is a public module of the crate `tests`")]
mod postgres;
mod refusals;
mod secrecy;
mod table;
mod turns;
