//! The wire's words written as TOML: envelopes, and values to compare with what is shown.
//!
//! Owns the step from a TOML value to a type of the protocol, with the place of what does not fit.

use protocol::orders::{Draft, Stage};
use serde::de::DeserializeOwned;
use toml::de::{DeValue, ValueDeserializer};

use crate::scenario::Scenario;
use crate::scenario::entry::{Entry, Value, shorten};
use crate::scenario::fault::nearest;

/// A value of the protocol; what does not fit is a fault at its place.
pub(super) fn value<T: DeserializeOwned>(e: &Entry<'_, '_>, key: &str, given: &Value<'_>) -> Option<T> {
    match T::deserialize(ValueDeserializer::from(given.clone())) {
        Ok(value) => Some(value),
        Err(error) => {
            let at = error.span().map_or(given.span().start, |span| span.start);
            // serde says what would do after the first comma.
            let (what, cure) = error.message().split_once(", ").unwrap_or((error.message(), "see the wire's words"));
            e.fault(at, format!("`{key}`: {}", what.trim()), cure.trim());
            None
        }
    }
}

/// The envelope of a window, `[orders.units.me20]` and so on; names must be those of the case.
pub(super) fn draft(file: &mut Entry<'_, '_>, stage: Stage, scenario: &Scenario) -> Option<Draft> {
    let key = window(stage);
    let given = file.get(key)?;
    let DeValue::Table(parts) = given.get_ref() else {
        file.fault(given.span().start, format!("`{key}` is no table"), format!("write [{key}.units.ID]"));
        return None;
    };
    let units: Vec<&str> = scenario.forces.iter().map(|force| force.id.as_str()).collect();
    let commanders: Vec<&str> = scenario.commanders.iter().map(|commander| commander.id.as_str()).collect();
    for (part, known, kind) in
        [("units", &units, "unit"), ("brigades", &commanders, "brigade"), ("leaders", &commanders, "leader")]
    {
        let Some(DeValue::Table(named)) = parts.get(part).map(|value| value.get_ref()) else { continue };
        for (name, _) in named.iter() {
            let text: &str = name.get_ref();
            if !known.contains(&text) {
                let what = format!("no {kind} of the case is called `{}`", shorten(text));
                file.fault(name.span().start, what, nearest(text, known.iter().copied()));
            }
        }
    }
    value(file, key, given)
}

/// The word of a window.
const fn window(stage: Stage) -> &'static str {
    match stage {
        Stage::Orders => "orders",
        Stage::Reactions => "reactions",
        Stage::Charges => "charges",
        Stage::Movement => "movement",
    }
}
