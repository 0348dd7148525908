//! Words on the wire that nobody foresaw: values made from the protocol's schema, so that a new message, order or key is
//! tried as soon as it is in the schema.

use serde_json::{Map, Value};

const SCHEMA: &str = include_str!("../../../docs/protocol/schema.json");

/// Makes values of the schema's types, the same ones for the same seed.
pub struct Inventor {
    schema: Value,
    state: u64,
    /// Identifiers by the schema's name of their type, such as `UnitId`. Some that do not exist belong among them.
    identifiers: Vec<(&'static str, Vec<String>)>,
    /// How far over the table points lie, thousandths of an inch; one in four lies anywhere.
    reach: u32,
}

/// Whole numbers at which arithmetic goes wrong.
const NUMBERS: [i64; 12] = [
    0,
    1,
    -1,
    2,
    35_999,
    36_000,
    60_000,
    1_000_000_000,
    i32::MAX as i64,
    i32::MIN as i64,
    i32::MAX as i64 + 1,
    u32::MAX as i64,
];

const TEXTS: [&str; 8] = [
    "",
    "x",
    "two words",
    "\u{0}",
    "ü",
    "{}",
    "a_rather_long_identifier_that_no_scenario_would_ever_give_to_a_unit",
    "'",
];

impl Inventor {
    pub fn new(seed: u64, identifiers: Vec<(&'static str, Vec<String>)>, reach: u32) -> Inventor {
        let schema = serde_json::from_str(SCHEMA).expect("the schema is JSON");
        Inventor { schema, state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1863_0702, identifiers, reach }
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    /// One in `n`.
    fn chance(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A value of the schema's type of that name.
    pub fn invent(&mut self, name: &str) -> Value {
        match name {
            "Bearing" if !self.chance(40) => return self.below(36_000).into(),
            "Point" => {
                let anywhere = self.chance(4);
                let mut place = || match anywhere {
                    // The last two are too large for a point.
                    true => NUMBERS[self.below(NUMBERS.len() - 2)],
                    false => self.below(self.reach as usize) as i64,
                };
                return serde_json::json!({"x": place(), "y": place()});
            }
            _ => {}
        }
        if let Some(identifier) = self.identifier(name) {
            return identifier.into();
        }
        let shape = self.schema["$defs"][name].clone();
        assert!(!shape.is_null(), "the schema has no `{name}`");
        self.of_shape(&shape, "")
    }

    fn identifier(&mut self, name: &str) -> Option<String> {
        let place = self.identifiers.iter().position(|(of, _)| *of == name)?;
        let choice = self.below(self.identifiers[place].1.len());
        Some(self.identifiers[place].1[choice].clone())
    }

    fn of_shape(&mut self, shape: &Value, property: &str) -> Value {
        if let Some(name) = shape["$ref"].as_str() {
            return self.invent(name.trim_start_matches("#/$defs/"));
        }
        if let Some(only) = shape.get("const") {
            return only.clone();
        }
        for list in ["enum", "oneOf", "anyOf"] {
            let Some(choices) = shape[list].as_array() else { continue };
            let choice = choices[self.below(choices.len())].clone();
            return if list == "enum" { choice } else { self.of_shape(&choice, property) };
        }
        let kind = match &shape["type"] {
            Value::Array(kinds) => kinds[self.below(kinds.len())].as_str().unwrap_or_default().to_owned(),
            kind => kind.as_str().unwrap_or_default().to_owned(),
        };
        match kind.as_str() {
            "null" => Value::Null,
            "boolean" => self.chance(2).into(),
            "integer" | "number" => self.number(shape).into(),
            "string" => TEXTS[self.below(TEXTS.len())].into(),
            "array" => (0..self.below(4)).map(|_| self.of_shape(&shape["items"], property)).collect(),
            "object" => self.object(shape, property),
            other => panic!("the schema has a shape that the inventor does not know: `{other}` in {shape}"),
        }
    }

    fn number(&mut self, shape: &Value) -> i64 {
        let least = shape["minimum"].as_i64().unwrap_or(i64::from(i32::MIN));
        let most = if least < 0 { i64::from(i32::MAX) } else { i64::from(u32::MAX) };
        loop {
            let number = match self.below(2) {
                0 => self.below(8_000) as i64,
                _ => NUMBERS[self.below(NUMBERS.len())],
            };
            if (least..=most).contains(&number) {
                return number;
            }
        }
    }

    fn object(&mut self, shape: &Value, property: &str) -> Value {
        let mut made = Map::new();
        if let Some(properties) = shape["properties"].as_object() {
            let required = shape["required"].as_array().cloned().unwrap_or_default();
            // Of types with many keys a few at a time, so that all meet each other in the end.
            let rarely = if 12 < properties.len() { 6 } else { 2 };
            for (key, shape) in properties {
                if required.contains(&Value::from(key.as_str())) || self.chance(rarely) {
                    made.insert(key.clone(), self.of_shape(shape, key));
                }
            }
        }
        if shape["additionalProperties"].is_object() {
            let of = match property {
                "brigades" => "BrigadeId",
                "leaders" => "LeaderId",
                _ => "UnitId",
            };
            for _ in 0..self.below(12) {
                if let Some(key) = self.identifier(of) {
                    made.insert(key, self.of_shape(&shape["additionalProperties"], ""));
                }
            }
        }
        Value::Object(made)
    }
}
