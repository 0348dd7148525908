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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(transparent)]
#[ts(export)]
pub struct PicketNumber(pub u32);
