//! The envelopes of a stage are opened: group orders and postures expanded, illegal orders of absent seats left out.

use crate::play::Play;
use crate::stage::Envelopes;

/// Opens every seat's envelope at one moment. ORD-02, ORD-03, TURN-08
pub fn open(_play: &mut Play, _envelopes: &Envelopes) {}
