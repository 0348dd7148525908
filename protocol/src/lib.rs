//! The words on the wire: orders, views, events as seen, messages, identifiers.
//!
//! Owns every type that crosses a socket or the REST API, and the few plain words that the
//! rules share with it (sides, formations, points). It never computes anything and knows nobody:
//! no rule, no storage, no clock. Start at [`message`] for the conversation, at [`view`] for what
//! a viewer is shown, at [`orders`] for what a player may say.
//!
//! Conventions of the wire: whole numbers fit in a JavaScript number (`u32`, `i32`, or a string);
//! lengths are thousandths of a table inch; bearings are hundredths of a degree clockwise from
//! north; unknown keys of a client's message are refused.

pub mod event;
pub mod ids;
pub mod message;
pub mod needs;
pub mod orders;
pub mod padding;
pub mod place;
pub mod standing;
pub mod view;
pub mod words;
