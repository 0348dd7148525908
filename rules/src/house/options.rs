//! The switches that a scenario file may also set under `[options]`, as files did before there was a sheet. SCN-20

use super::{Kind, SHEET, Switch};

/// The switches that `[options]` may set.
pub(crate) fn optional() -> impl Iterator<Item = &'static Switch> {
    SHEET.iter().filter(|switch| switch.kind == Kind::Optional)
}

impl Switch {
    /// The choice that a `true` or `false` of a file means; none: the switch is not one of on and off.
    pub(crate) fn flag(&self, on: bool) -> Option<&'static str> {
        let word = if on { "on" } else { "off" };
        self.choice(word).map(|choice| choice.word)
    }
}
