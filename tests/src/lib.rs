//! Whole-system tests, and what writes the files that are generated from the code.
//!
//! Owns the list of generated files ([`generated`]) and the fixtures of the tests in `tests/`.
//! Nothing of it is shipped.

pub mod generated;
pub mod postgres;
