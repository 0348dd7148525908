//! Charges on hand-made tables.

mod threats;
