//! The same battle looked at otherwise: elsewhere, turned, in the other colour, under other names, listed otherwise.
//!
//! Works on the JSON of scenarios, drafts, battles and events, where a point is an object of `x` and `y`, a bearing has one
//! of few keys, and a unit, a leader and a side are words. So nothing of a battle is left out because a test forgot it.

use std::collections::BTreeMap;

use rules::dice::{Dice, Purpose};
use serde_json::{Map, Value, json};

/// How a battle is looked at. A table is square, so that it may be turned.
#[derive(Clone)]
pub struct Look {
    /// The side of the table, thousandths of an inch.
    pub table: i64,
    /// How far everything is carried, thousandths of an inch.
    pub shift: (i64, i64),
    /// How many quarter turns clockwise the table is turned, after the shift.
    pub quarters: u8,
    /// Who was the Union is the Confederacy.
    pub sides_exchanged: bool,
    /// Other names for units and leaders.
    pub names: BTreeMap<String, String>,
}

impl Look {
    /// As it is.
    pub fn plain(table: i64) -> Look {
        Look { table, shift: (0, 0), quarters: 0, sides_exchanged: false, names: BTreeMap::new() }
    }

    /// The look that undoes this one, for looks that do one thing.
    pub fn undone(&self) -> Look {
        Look {
            shift: (-self.shift.0, -self.shift.1),
            quarters: (4 - self.quarters) % 4,
            names: self.names.iter().map(|(name, other)| (other.clone(), name.clone())).collect(),
            ..self.clone()
        }
    }

    /// A value as this look shows it.
    pub fn shows(&self, value: &Value) -> Value {
        match value {
            Value::Object(object) => self.object(object),
            Value::Array(list) => list.iter().map(|item| self.shows(item)).collect(),
            Value::String(word) => self.word(word).into(),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    fn object(&self, object: &Map<String, Value>) -> Value {
        if let (2, Some(x), Some(y)) = (object.len(), number(object, "x"), number(object, "y")) {
            let (x, y) = self.point((x, y));
            return json!({"x": x, "y": y});
        }
        let shown = object.iter().map(|(key, value)| {
            let bearing = matches!(key.as_str(), "facing" | "bearing" | "enemy_bearing");
            let value = match (bearing, value.as_i64(), key.as_str(), value.as_str()) {
                (true, Some(hundredths), ..) => json!((hundredths + 9_000 * i64::from(self.quarters)) % 36_000),
                (.., "edge", Some(edge)) => self.edge(edge).into(),
                _ => self.shows(value),
            };
            (self.word(key), value)
        });
        Value::Object(shown.collect())
    }

    fn point(&self, (x, y): (i64, i64)) -> (i64, i64) {
        let moved = (x + self.shift.0, y + self.shift.1);
        (0..self.quarters).fold(moved, |(x, y), _| (y, self.table - x))
    }

    fn edge(&self, edge: &str) -> &'static str {
        const CLOCKWISE: [&str; 4] = ["north", "east", "south", "west"];
        let from = CLOCKWISE.iter().position(|it| *it == edge).expect("an edge of the table");
        CLOCKWISE[(from + usize::from(self.quarters)) % 4]
    }

    fn word(&self, word: &str) -> String {
        if !self.names.is_empty() {
            // A condition of the scenario that came true for a unit is called by both. SCNS-03
            let name = |part: &str| self.names.get(part).map_or_else(|| part.to_owned(), String::clone);
            return word.split('/').map(name).collect::<Vec<_>>().join("/");
        }
        if !self.sides_exchanged {
            return word.to_owned();
        }
        // Texts that players read name the sides too.
        let pairs = [("union", "confederate"), ("Union", "Confederate")];
        pairs.iter().fold(word.to_owned(), |text, (one, other)| {
            let parts: Vec<String> = text.split(one).map(|part| part.replace(other, one)).collect();
            parts.join(other)
        })
    }
}

fn number(object: &Map<String, Value>, key: &str) -> Option<i64> {
    object.get(key).and_then(Value::as_i64)
}

/// Dice that know units and leaders by the names that a look has taken away.
pub struct DiceOf<'a> {
    /// The dice of the plain battle.
    pub dice: &'a dyn Dice,
    /// From a name to the one of the plain battle.
    pub names: &'a BTreeMap<String, String>,
}

impl Dice for DiceOf<'_> {
    fn die(&self, phase: u8, purpose: Purpose, key: &[&str], n: u32) -> u8 {
        let mut key: Vec<&str> = key.iter().map(|part| self.names.get(*part).map_or(*part, String::as_str)).collect();
        // VIS-02 A pair has one die, whoever looks: its key has no order but that of the names.
        if purpose == Purpose::VisibilityPair {
            key.sort_unstable();
        }
        self.dice.die(phase, purpose, &key, n)
    }
}
