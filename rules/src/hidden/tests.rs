//! Hidden movement, by rule.

mod will;
