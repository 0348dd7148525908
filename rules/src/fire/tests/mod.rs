//! Tests of fire.
