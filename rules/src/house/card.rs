//! The sheet and the chart as they are shown: on a scenario's card and on a battle's.

use protocol::view::{ChartCard, ChartCellCard, HouseChoiceCard, HouseRuleCard};

use super::{Chart, ChartCell, HouseRules, SHEET};

/// Every line of the sheet, with what is played of it.
pub fn card(house: &HouseRules) -> Vec<HouseRuleCard> {
    let line = |switch: &super::Switch| HouseRuleCard {
        id: switch.id.to_owned(),
        kind: switch.kind.word().to_owned(),
        title: switch.title().to_owned(),
        rules: switch.rules.iter().map(|rule| (*rule).into()).collect(),
        choices: switch
            .choices
            .iter()
            .map(|choice| HouseChoiceCard { word: choice.word.to_owned(), meaning: choice.meaning().to_owned() })
            .collect(),
        default: switch.default_word().to_owned(),
        chosen: house.word(switch.id).unwrap_or_default().to_owned(),
    };
    SHEET.iter().map(line).collect()
}

impl Chart {
    /// What the chart changes.
    pub fn card(&self) -> ChartCard {
        let shown = |value: &Option<String>| value.clone().unwrap_or_default();
        let cell = |cell: &ChartCell| ChartCellCard {
            path: cell.path.clone(),
            printed: shown(&cell.printed),
            played: shown(&cell.played),
        };
        let cells: Vec<ChartCellCard> = self.cells().iter().map(cell).collect();
        ChartCard { title: self.title().to_owned(), differing: u32::try_from(cells.len()).unwrap_or(u32::MAX), cells }
    }
}
