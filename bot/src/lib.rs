//! A player made of code: a client of the public protocol, with a plan worth playing against.
//!
//! Owns a player's decisions and a client of the socket. It depends on `protocol` alone, so it cannot know
//! more than a player who sits in its seat: everything it decides comes from the card, the view and what it
//! remembers of earlier views. It asks the server whether its orders are legal (`Check`) and where they lead
//! (`Preview`) as any client may, and never reckons with the rules itself.
//!
//! Start at [`plan::plan`] for the decisions, at [`client::Client`] for the socket, at [`play::run`] for
//! the loop that joins the two.

pub mod chance;
pub mod client;
pub mod geometry;
pub mod ground;
pub mod plan;
pub mod play;
pub mod tally;

pub use play::{Manner, Options, Report, run};
