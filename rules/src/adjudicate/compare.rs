//! What a case expects against what came out.
//!
//! Owns the comparing, word by word on the wire's own form, so that a case can pin whatever is shown. It never decides a rule.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::Event;
use protocol::message::Refusal;
use protocol::view::View;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::scenario::case::{Expect, ExpectedEvent, ExpectedState};

/// Where it came out otherwise, a line each; empty when all is as expected.
pub(super) fn unmet(expect: &Expect, refused: &[Refusal], events: &[Event], after: &View) -> Vec<String> {
    let mut unmet = Vec::new();
    let rules: Vec<&str> = refused.iter().map(|refusal| refusal.rule.as_str()).collect();
    if rules != expect.refused {
        let told: Vec<&str> = refused.iter().map(|refusal| refusal.message.as_str()).collect();
        unmet.push(format!("refusals by {:?} are expected; refused was [{}]", expect.refused, told.join("; ")));
    }
    unmet_events(expect, events, &mut unmet);
    for expected in &expect.units {
        let found = after.units.iter().find(|unit| unit.id.as_str() == expected.id);
        unmet_state(expected, "unit", found.map(unit_fields), &mut unmet);
    }
    for expected in &expect.leaders {
        let found = after.leaders.iter().find(|leader| leader.id.as_str() == expected.id);
        unmet_state(expected, "leader", found.map(fields_of), &mut unmet);
    }
    unmet
}

fn unmet_events(expect: &Expect, events: &[Event], unmet: &mut Vec<String>) {
    let kinds: BTreeSet<&str> = expect.events.iter().map(|event| event.kind.as_str()).collect();
    for kind in &expect.none {
        for event in events.iter().filter(|event| kind_of(event) == *kind) {
            unmet.push(format!("no {kind} is expected; there was: {}", event.explanation.sentence));
        }
    }
    for kind in kinds {
        let expected: Vec<&ExpectedEvent> = expect.events.iter().filter(|event| event.kind == kind).collect();
        let found: Vec<&Event> = events.iter().filter(|event| kind_of(event) == kind).collect();
        if expected.len() != found.len() {
            let told: Vec<&str> = found.iter().map(|event| event.explanation.sentence.as_str()).collect();
            unmet.push(format!("{} of {kind} expected, {} found: {}", expected.len(), found.len(), told.join(" / ")));
        }
        for (expected, found) in expected.into_iter().zip(found) {
            unmet_event(expected, found, unmet);
        }
    }
}

fn unmet_event(expected: &ExpectedEvent, found: &Event, unmet: &mut Vec<String>) {
    let ExpectedEvent { line, kind, fields, sums, says } = expected;
    let place = format!("line {line}, {kind}");
    let mut shown = fields_of(&found.fact);
    shown.insert("rule".to_owned(), Value::from(found.rule.as_str()));
    shown.insert("phase".to_owned(), Value::from(found.phase));
    shown.insert("segment".to_owned(), Value::from(found.segment));
    unmet_fields(&place, fields, &shown, unmet);
    for (label, total) in sums {
        let found = found.explanation.sums.iter().find(|sum| sum.label == *label).map(|sum| i64::from(sum.total));
        if found != Some(*total) {
            let found = found.map_or("no such sum".to_owned(), |total| total.to_string());
            unmet.push(format!("{place}: the sum `{label}` is expected to be {total}, found: {found}"));
        }
    }
    let notes = found.explanation.notes.iter().map(|note| note.text.as_str());
    let texts: Vec<&str> = std::iter::once(found.explanation.sentence.as_str()).chain(notes).collect();
    for words in says.iter().filter(|words| !texts.iter().any(|text| text.contains(words.as_str()))) {
        unmet.push(format!("{place}: `{words}` is expected to be said; said was: {}", texts.join(" / ")));
    }
}

fn unmet_state(expected: &ExpectedState, kind: &str, found: Option<Map<String, Value>>, unmet: &mut Vec<String>) {
    let place = format!("line {}, {kind} `{}`", expected.line, expected.id);
    match found {
        None => unmet.push(format!("{place}: there is none of that id")),
        Some(shown) => unmet_fields(&place, &expected.fields, &shown, unmet),
    }
}

fn unmet_fields(place: &str, fields: &BTreeMap<String, Value>, shown: &Map<String, Value>, unmet: &mut Vec<String>) {
    for (name, value) in fields {
        match shown.get(name) {
            Some(found) if agree(value, found) => {}
            Some(found) => unmet.push(format!("{place}: `{name}` is expected to be {value}, found: {found}")),
            None => {
                let known: Vec<&str> = shown.keys().map(String::as_str).collect();
                unmet.push(format!("{place}: it has no `{name}`, it has: {}", known.join(", ")));
            }
        }
    }
}

/// Whether a value is as expected. TOML has no word for nothing, so what is left out of a table must be absent.
fn agree(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            let given = expected.iter().all(|(name, value)| found.get(name).is_some_and(|found| agree(value, found)));
            given && found.iter().all(|(name, value)| expected.contains_key(name) || value.is_null())
        }
        (Value::Array(expected), Value::Array(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(one, other)| agree(one, other))
        }
        _ => expected == found,
    }
}

/// The type of an event's fact, such as `volley`.
pub(super) fn kind_of(event: &Event) -> String {
    match fields_of(&event.fact).get("type") {
        Some(Value::String(kind)) => kind.clone(),
        _ => String::new(),
    }
}

/// A unit's fields with those of its stance beside them, and `figures`: those left in all.
fn unit_fields(unit: &protocol::view::UnitView) -> Map<String, Value> {
    let mut fields = fields_of(unit);
    if let Some(stance) = &unit.stance {
        fields.extend(fields_of(stance).into_iter().filter(|(name, _)| name != "stands"));
    }
    fields.insert("figures".to_owned(), Value::from(unit.stands.iter().map(|stand| stand.figures).sum::<u32>()));
    fields.insert("stands".to_owned(), Value::from(unit.stands.len()));
    fields
}

fn fields_of(shown: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(shown) {
        Ok(Value::Object(fields)) => fields,
        // What is shown is made of structs and tagged enums, which are objects.
        Ok(_) | Err(_) => Map::new(),
    }
}
