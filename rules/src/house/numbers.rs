//! What the choices of kind number change in the tables: read from `rules/tables/house_rules.toml`.

use std::sync::OnceLock;

use toml::{Table, Value};

use super::HouseRules;
use crate::ruleset::CellChange;

/// The changes' text as it was when the program was built.
const TEXT: &str = include_str!("../../tables/house_rules.toml");

/// The cells that a sheet changes, each with its new value, in the order of the sheet.
pub(crate) fn cells(house: &HouseRules) -> Vec<CellChange> {
    let mut cells = Vec::new();
    for (switch, choice) in house.differing() {
        let changed = numbers().get(switch.id).and_then(|switch| switch.get(choice.word)).and_then(Value::as_table);
        let changed = changed.into_iter().flatten().filter(|(path, _)| *path != "lines");
        cells.extend(changed.map(|(path, value)| CellChange { path: path.clone(), value: value.clone() }));
    }
    cells
}

/// The file: switch, choice, cell.
pub(super) fn numbers() -> &'static Table {
    static NUMBERS: OnceLock<Table> = OnceLock::new();
    NUMBERS.get_or_init(|| toml::from_str(TEXT).expect("the embedded changes are tested"))
}
