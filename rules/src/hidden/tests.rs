//! Hidden movement, by rule.

mod entering;
mod plan;
mod stepping;
mod will;
