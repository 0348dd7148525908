//! What a case expects: events, states, refusals, in the words of the wire.
//!
//! Owns the reading of `[expect]`. Comparing is [`crate::adjudicate`]'s.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use toml::de::DeValue;

use super::wire;
use crate::scenario::entry::Entry;

/// What is expected of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expect {
    /// Events. Of each type that is named here, all events of the case must be named, in their order.
    pub events: Vec<ExpectedEvent>,
    /// Types of events that must not occur.
    pub none: Vec<String>,
    /// Rules that refuse what was ordered, in the order of the refusals; none given: nothing may be refused.
    pub refused: Vec<String>,
    /// Units as they stand afterwards.
    pub units: Vec<ExpectedState>,
    /// Leaders as they stand afterwards.
    pub leaders: Vec<ExpectedState>,
}

/// One event that is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedEvent {
    /// The line of the file.
    pub line: usize,
    /// Its type, such as `volley`.
    pub kind: String,
    /// Fields of the event or of its fact, by name.
    pub fields: BTreeMap<String, Json>,
    /// Totals of its sums, by label.
    pub sums: BTreeMap<String, i64>,
    /// Words that its sentence or a note of it says.
    pub says: Vec<String>,
}

/// How a unit or a leader is expected to stand afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedState {
    /// The line of the file.
    pub line: usize,
    /// The unit or leader.
    pub id: String,
    /// Fields of what an umpire is shown of it, by name.
    pub fields: BTreeMap<String, Json>,
}

/// Reads `[expect]`.
pub(super) fn expect(mut e: Entry<'_, '_>) -> Expect {
    let expect = Expect {
        none: e.texts("none"),
        refused: e.texts("refused"),
        events: e.tables("event").into_iter().map(event).collect(),
        units: e.tables("unit").into_iter().map(state).collect(),
        leaders: e.tables("leader").into_iter().map(state).collect(),
    };
    e.finish();
    expect
}

fn event(mut e: Entry<'_, '_>) -> ExpectedEvent {
    let line = e.line();
    let kind = e.text("type");
    let says = e.texts("says");
    let sums = match e.get("sums") {
        Some(value) => wire::value(&e, "sums", value).unwrap_or_default(),
        None => BTreeMap::new(),
    };
    ExpectedEvent { line, kind, fields: fields(&e, &["type", "says", "sums"]), sums, says }
}

fn state(mut e: Entry<'_, '_>) -> ExpectedState {
    let line = e.line();
    let id = e.text("id");
    ExpectedState { line, id, fields: fields(&e, &["id"]) }
}

/// All other keys: which of them there are is known when they are compared.
fn fields(e: &Entry<'_, '_>, but: &[&str]) -> BTreeMap<String, Json> {
    let mut fields = BTreeMap::new();
    for (name, given) in e.all().filter(|(name, _)| !but.contains(name)) {
        if matches!(given.get_ref(), DeValue::Float(_)) {
            e.fault(given.span().start, format!("`{name}` has decimals"), "lengths are thousandths of an inch here");
        } else if let Some(value) = wire::value(e, name, given) {
            fields.insert(name.to_owned(), value);
        }
    }
    fields
}
