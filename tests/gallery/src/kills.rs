//! The combat results table as lines: the mean of the figures killed, by row and modified roll. FIRE-14 to FIRE-18

use rules::ruleset::{CombatResult, Ruleset, Strength};

use crate::svg::{Hold, Sheet, Spot};

/// The highest roll that is drawn: the last column's.
const ROLLS: std::ops::RangeInclusive<i32> = 1..=24;

/// A colour a row, the strongest first: warm to cold, neighbours apart.
const COLOURS: [&str; 13] = [
    "#7f0000", "#b30000", "#d7301f", "#ef6548", "#fc8d59", "#d9a300", "#8a9a00", "#41ab5d", "#238b45", "#1d91c0",
    "#225ea8", "#6a51a3", "#54278f",
];

const WIDTH: i32 = 720;
const HEIGHT: i32 = 600;

/// The chart.
pub(crate) fn chart() -> String {
    let rules = Ruleset::standard();
    let title = "Figures killed on average, by modified roll";
    let mut sheet = Sheet::new(WIDTH, HEIGHT, title, &["FIRE-14", "FIRE-15", "FIRE-17"]);
    axes(&mut sheet);
    let mut lowest_label = 0;
    for (row, colour) in rules.crt.rows.iter().zip(COLOURS) {
        let mean = |roll: i32| sixths(rules, row.figures, roll);
        let line: Vec<Spot> = ROLLS.map(|roll| at(roll, mean(roll))).collect();
        sheet.line(&line, &format!("stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\""));
        // Labels stand beside the last point, pushed down where they would touch the one above.
        let (x, y) = at(*ROLLS.end(), mean(*ROLLS.end()));
        let label = y.max(lowest_label + 135);
        lowest_label = label;
        let words = if row.figures == 1 { "1 figure".to_owned() } else { row.figures.to_string() };
        sheet.line(&[(x + 20, y), (x + 120, label)], &format!("stroke=\"{colour}\" stroke-width=\".7\""));
        sheet.text((x + 140, label + 40), 12, Hold::Start, &format!("fill=\"{colour}\""), &words);
    }
    sheet.finish(title)
}

/// The mean of the figures killed by so many figures at a roll, in sixths.
fn sixths(rules: &Ruleset, figures: i32, roll: i32) -> i32 {
    let star = i32::try_from(rules.casualty.star_kills_on.len()).unwrap_or(0);
    match rules.crt.read(Strength::Figures(figures), roll).map(|cell| cell.result) {
        None | Some(CombatResult::Nothing | CombatResult::MoraleCheck) => 0,
        Some(CombatResult::Star) => star,
        Some(CombatResult::Killed(killed)) => 6 * i32::from(killed),
    }
}

/// Where a roll and a mean in sixths stand.
fn at(roll: i32, sixths: i32) -> Spot {
    (500 + (roll - 1) * 255, 5_400 - sixths * 200 / 6)
}

fn axes(sheet: &mut Sheet) {
    let (first, last) = (*ROLLS.start(), *ROLLS.end());
    for kills in (0..=24).step_by(2) {
        let (x, y) = at(first, 6 * kills);
        let style = if kills == 0 { "stroke=\"#222\"" } else { "stroke=\"#ddd\"" };
        sheet.line(&[(x, y), at(last, 6 * kills)], style);
        sheet.text((x - 80, y + 40), 11, Hold::End, "", &kills.to_string());
    }
    for roll in ROLLS {
        let (x, y) = at(roll, 0);
        sheet.line(&[(x, y), (x, y + 40)], "stroke=\"#222\"");
        sheet.text((x, y + 170), 11, Hold::Middle, "", &roll.to_string());
    }
    let (x, y) = at(12, 0);
    sheet.text((x, y + 370), 12, Hold::Middle, "", "sum of the dice with all modifiers");
    sheet.text(
        (140, 450),
        12,
        Hold::Start,
        "fill=\"#666\"",
        "figures killed, a 1* as half a figure; a line for each row of the table",
    );
}
