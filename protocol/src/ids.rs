//! Identifiers and the two sides.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One of the two sides of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Side {
    /// The United States.
    Union,
    /// The Confederate States.
    Confederate,
}

impl Side {
    /// Both sides, in the order in which they are listed everywhere.
    pub const BOTH: [Side; 2] = [Side::Union, Side::Confederate];

    /// The other side.
    pub fn enemy(self) -> Side {
        match self {
            Side::Union => Side::Confederate,
            Side::Confederate => Side::Union,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Union => "Union",
            Side::Confederate => "Confederate",
        })
    }
}

/// One value for each side: a struct instead of a map, so that neither can be missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct BySide<T> {
    /// The Union's value.
    pub union: T,
    /// The Confederate value.
    pub confederate: T,
}

impl<T> BySide<T> {
    /// Builds both values.
    pub fn from_fn(mut value: impl FnMut(Side) -> T) -> Self {
        BySide { union: value(Side::Union), confederate: value(Side::Confederate) }
    }

    /// The value of `side`.
    pub fn get(&self, side: Side) -> &T {
        match side {
            Side::Union => &self.union,
            Side::Confederate => &self.confederate,
        }
    }

    /// The value of `side`, to change it.
    pub fn get_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Union => &mut self.union,
            Side::Confederate => &mut self.confederate,
        }
    }
}

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
        #[serde(transparent)]
        #[ts(export)]
        pub struct $name(pub String);

        impl $name {
            /// Wraps the text of an identifier.
            pub fn new(text: impl Into<String>) -> Self {
                $name(text.into())
            }

            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                $name(text.to_owned())
            }
        }
    };
}

identifier!(
    /// A unit: regiment, battalion, battery, sharpshooter detachment or gun crew. The scenario's word, such as `20th_maine`.
    UnitId
);
identifier!(
    /// A leader's post, which outlives the man who holds it, such as `vincent`.
    LeaderId
);
identifier!(
    /// A brigade or gun battalion.
    BrigadeId
);
identifier!(
    /// A terrain feature, obstacle, building or objective of the map.
    FeatureId
);
identifier!(
    /// A player's place on a side.
    SeatId
);
identifier!(
    /// A scenario, such as `little_round_top`.
    ScenarioId
);
identifier!(
    /// A rule of the catalogue, such as `FIRE-07`.
    RuleRef
);

/// The public, random number on a picket marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, TS, JsonSchema)]
#[serde(transparent)]
#[ts(export)]
pub struct PicketNumber(pub u32);

/// As a number, or as the text that a key of a JSON object is: a message that is told by its `type` is read in two steps, and the
/// second finds its keys as they were written.
impl<'de> Deserialize<'de> for PicketNumber {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Number;
        impl serde::de::Visitor<'_> for Number {
            type Value = PicketNumber;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the number of a picket")
            }

            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<PicketNumber, E> {
                u32::try_from(value)
                    .map(PicketNumber)
                    .map_err(|_| E::invalid_value(serde::de::Unexpected::Unsigned(value), &self))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<PicketNumber, E> {
                text.parse().map(PicketNumber).map_err(|_| E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::ClientMessage;
    use crate::orders::Order;

    #[test]
    fn a_picket_is_told_by_its_number_in_a_message() {
        let told = r#"{"order":{"type":"first_fire"},"posture":null,"instructions":{}}"#;
        let message = format!(
            r#"{{"type":"check","request":"r","at":{{"line":1,"turn":1,"stage":"orders"}},"draft":{{"pickets":{{"417":{told}}}}}}}"#
        );
        let read: ClientMessage = serde_json::from_str(&message).expect("the message can be read");
        let ClientMessage::Check { draft, .. } = read else { panic!("{read:?}") };
        assert_eq!(draft.pickets[&PicketNumber(417)].order, Some(Order::FirstFire {}));
        let again: crate::orders::Draft =
            serde_json::from_str(&serde_json::to_string(&draft).expect("a draft is JSON")).expect("it is read again");
        assert_eq!(again, draft);
        for wrong in ["-1", "4.5", "\"x\"", "null", "99999999999"] {
            assert!(serde_json::from_str::<PicketNumber>(wrong).is_err(), "{wrong}");
        }
    }
}
