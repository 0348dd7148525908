//! Hidden movement, by rule.

mod dice;
mod fire;
mod morale;
mod open;
mod score;
mod turn;
mod will;
mod world;
