//! Games over real sockets and a real database: what is promised to players, and what is refused to everybody.

mod conversation;
mod deployment;
mod disclosure;
mod doors;
mod eyes;
mod fairness;
mod fog;
mod hidden;
mod house;
#[path = "../../../rules/tests/inventor/mod.rs"]
#[expect(unreachable_pub, reason = "shared with the tests of the rules")]
mod inventor;
mod kill;
mod log;
mod nodes;
#[path = "../../../tests/src/postgres.rs"]
#[expect(unreachable_pub, reason = "the file is a public module of the crate `tests`")]
mod postgres;
mod refusals;
mod secrecy;
mod table;
mod turns;
mod watching;
mod worlds;
