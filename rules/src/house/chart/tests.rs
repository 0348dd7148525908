//! Charts: what they may say, where their faults are told, and that they make no trouble whatever stands in them.

use proptest::prelude::*;

use super::*;
use crate::house::Edition;
use crate::ruleset::{CombatResult, Strength};

fn chart(cells: &str) -> Chart {
    Chart::read(&format!("format = 1\n{cells}")).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// The complaints of a chart whose cells begin in line 2.
fn complaints(cells: &str) -> Vec<String> {
    let faults = Chart::read(&format!("format = 1\n{cells}")).expect_err("it has faults");
    faults.iter().map(ToString::to_string).collect()
}

fn rules(chart: &Chart) -> Ruleset {
    chart.over(&HouseRules::default()).expect("it is sound")
}

fn told(chart: &Chart) -> Vec<(&str, Option<&str>, Option<&str>)> {
    chart.cells().iter().map(|cell| (cell.path.as_str(), cell.printed.as_deref(), cell.played.as_deref())).collect()
}

#[test]
fn scn_20_a_chart_changes_the_cells_that_it_names() {
    let chart = chart(
        "title = \"The Thursday chart\"\n[crt.12]\n16 = \"4\"\n[dice]\nhold = 4\n[small_arm.smoothbore]\nlong = 7.0\n",
    );
    assert_eq!(chart.title(), "The Thursday chart");
    let expected = [
        ("crt.12.16", Some("3"), Some("4")),
        ("dice.hold", Some("3"), Some("4")),
        ("small_arm.smoothbore.long", Some("6"), Some("7")),
    ];
    assert_eq!(told(&chart), expected);
    let rules = rules(&chart);
    let cell = rules.crt.read(Strength::Figures(12), 16).map(|cell| cell.result);
    assert_eq!((rules.dice.hold, cell), (4, Some(CombatResult::Killed(4))));
    assert_ne!(rules.hash, Ruleset::standard().hash);
}

#[test]
fn a_chart_that_says_what_is_printed_changes_nothing() {
    let chart = chart("[dice]\nhold = 3\n");
    assert!(chart.cells().is_empty());
    assert_eq!(rules(&chart).hash, Ruleset::standard().hash);
}

/// A row of six figures as strong as one of eight: twenty-two cells, and a whole table of two rows.
#[test]
fn rows_and_the_whole_table_of_results_can_be_replaced() {
    let row = "6 = [\"--\", \"--\", \"--\", \"--\", \"--\", \"--\", \"--\", \"MC\", \"1*\", \"1*\", \"1\", \"1\", \"1\", \"2\", \"2\", \"3\", \"3\", \"3\", \"4\", \"4\", \"5\", \"5\"]";
    let own = chart(&format!("[crt]\n{row}\n"));
    // Where the rows differ: columns 8, 9, 11, 14, 16, 17, 18, 19, 20 (4 for 3), 22 (5 for 4) and 24 (5 for 4).
    assert_eq!(
        own.cell("crt.6.16").map(|cell| (cell.printed.as_deref(), cell.played.as_deref())),
        Some((Some("2"), Some("3")))
    );
    assert!(own.cell("crt.6.10").is_none(), "1* in both");
    let whole = "[crt]\ncolumns = [1, 10]\nrows = [{ figures = 8, sections = 1, values = [\"MC\", \"2\"] }, { figures = 1, values = [\"--\", \"1\"] }]\n";
    let whole = rules(&chart(whole));
    let kills = |figures, roll| whole.crt.read(Strength::Figures(figures), roll).map(|cell| cell.result);
    assert_eq!([kills(20, 12), kills(7, 12)], [Some(CombatResult::Killed(2)), Some(CombatResult::Killed(1))]);
}

#[test]
fn unknown_cells_and_wrong_types_are_told_where_they_stand() {
    let expected = [
        "line 3, column 1: `dice.hild` is no cell of the tables",
        "line 4, column 1: `dice.moved` has another type; wanted is a whole number, such as 2",
        "line 6, column 1: `small_arm.smoothbore` is a whole table; name its cells",
        "line 8, column 1: `scale.men_per_figure` is no cell that may be changed",
    ];
    let cells = "[dice]\nhild = 3\nmoved = \"2\"\n[small_arm]\nsmoothbore = 3\n[scale]\nmen_per_figure = 20\n";
    assert_eq!(complaints(cells), expected);
    let told = complaints("[movement_limits]\nwheel_measure = \"elbow\"\n");
    assert!(
        told[0].starts_with("line 3, column 1: `movement_limits.wheel_measure` unknown variant `elbow`"),
        "{told:?}"
    );
    let told = complaints("[crt.12]\n16 = \"four\"\n");
    assert!(told[0].starts_with("line 3, column 1: `crt.12.16` invalid value: string \"four\""), "{told:?}");
    assert_eq!(complaints("[crt.13]\n16 = \"4\"\n"), ["line 3, column 1: `crt.13.16` is no cell of the tables"]);
}

/// The row of 12 figures has 3 at 14 to 16 and 4 at 17; the row of 14 has 4 at 15 and 16.
#[test]
fn a_table_of_results_must_not_fall() {
    let told = complaints("[crt.12]\n16 = \"2\"\n");
    let expected = "line 3, column 1: `crt.12.16` is 2, less than the 3 of a lower roll: it falls with a higher roll";
    assert!(told.iter().any(|told| told == expected), "{told:?}");
    let told = complaints("[crt.12]\n15 = \"5\"\n16 = \"5\"\n17 = \"5\"\n");
    let expected = "line 3, column 1: `crt.12.15` is 5 where more figures have 4: it lets 12 figures beat 14";
    assert!(told.iter().any(|told| told == expected), "{told:?}");
    // The stronger row is the one that was changed: the fault is told there.
    let told = complaints("[crt.14]\n17 = \"3\"\n");
    assert!(told.iter().all(|told| told.starts_with("line 3, column 1: ")), "{told:?}");
    assert!(told.iter().any(|told| told.contains("lets 12 figures beat 14")), "{told:?}");
    let told = complaints("[crt]\n6 = [\"--\", \"MC\"]\n");
    assert!(told.iter().any(|told| told.contains("`crt.6` has 2 cells for 22 columns")), "{told:?}");
    assert!(
        complaints("[crt.1]\n24 = \"2\"\n").iter().any(|told| told.contains("kills more than the 1 figures that fire"))
    );
}

#[test]
fn every_fault_is_told_at_once() {
    let told = complaints("[dice]\nhild = 3\nmax = 1000\n[crt.12]\n16 = \"2\"\n");
    let lines = ["line 3, column 1: `dice.hild`", "line 4, column 1: `dice.max`", "line 6, column 1: `crt.12.16`"];
    for line in lines {
        assert!(told.iter().any(|told| told.starts_with(line)), "{line}: {told:?}");
    }
}

#[test]
fn numbers_out_of_all_bounds_are_refused() {
    assert_eq!(
        complaints("[dice]\nmax = 1000000\n"),
        ["line 3, column 1: `dice.max` is 1000000; it may be from 0 to 200"]
    );
    assert!(complaints("[dice]\nhold = -1\n")[0].contains("from 0 to 200"));
    assert!(complaints("[small_arm.smoothbore]\nclose = 0.0\n")[0].contains("may be above 0 to 200.0"));
    for number in ["nan", "inf", "-2.0", "1e300", "0.00001"] {
        assert!(!complaints(&format!("[fire_zone]\nprimary_depth = {number}\n")).is_empty(), "{number}");
    }
}

#[test]
fn a_file_that_is_no_chart_is_told_so() {
    assert!(Chart::read("").expect_err("empty")[0].text.contains("`format = 1`"));
    assert!(Chart::read("format = 2\n").expect_err("another format")[0].text.contains("`format = 1`"));
    assert_eq!(Chart::read("format = = 1\n").expect_err("no TOML")[0].line, 1);
    let large = format!("format = 1\n# {}\n", "x".repeat(MOST_BYTES));
    assert!(Chart::read(&large).expect_err("too large")[0].text.contains("too large"));
    let many: String = (0..=MOST_CELLS).map(|n| format!("c{n} = 1\n")).collect();
    assert!(complaints(&many)[0].contains("more than 2000 cells"));
}

#[test]
fn a_chart_stands_over_the_house_rules() {
    let house = HouseRules { behind_friendlies: crate::house::BehindFriendlies::MinusFive, ..HouseRules::default() };
    let both = Edition::new(house.clone(), Some(chart("[dice]\nhold = 4\n"))).expect("sound");
    assert_eq!((both.rules().morale_modifier.behind_friendlies, both.rules().dice.hold), (-5, 4));
    let over = Edition::new(house, Some(chart("[morale_modifier]\nbehind_friendlies = -3\n"))).expect("sound");
    assert_eq!(over.rules().morale_modifier.behind_friendlies, -3);
    let stored = serde_json::to_string(&both).expect("an edition is JSON");
    let back: Edition = serde_json::from_str(&stored).expect("it can be read");
    assert_eq!((back.rules(), &back), (both.rules(), &both));
}

/// Situations with fire, morale, movement, rally and officers, without their dice.
const CASES: [&str; 5] = [
    include_str!("../../../cases/turn_04_wave_after_wave.toml"),
    include_str!("../../../cases/off_09_who_sees_an_officer_hit.toml"),
    include_str!("../../../cases/mor_54_half_of_the_stands_in_the_woods.toml"),
    include_str!("../../../cases/mv_06_fences_cost_an_inch.toml"),
    include_str!("../../../cases/sharp_07_the_target_s_formation_is_ignored.toml"),
];

/// Numbers at the bounds, for a sample of the cells: no chart that is read makes the rules panic.
#[test]
fn no_chart_that_is_read_makes_a_turn_panic() {
    let cases = CASES.map(|case| {
        let without_dice: Vec<&str> = case.split("\n\n").filter(|part| !part.starts_with("[[die]]")).collect();
        crate::adjudicate::read(&without_dice.join("\n\n"), |_| Err("none".to_owned())).expect("a sound case")
    });
    let printed = ruleset::written_standard();
    let mut played = 0;
    for (n, path) in ruleset::leaves(printed).keys().enumerate() {
        let values: &[&str] = match ruleset::cell(printed, path) {
            Some(Value::Integer(_)) => &["0", "200", "-200"],
            Some(Value::Float(_)) => &["0.0", "0.001", "200.0"],
            Some(Value::Boolean(true)) => &["false"],
            Some(Value::Boolean(false)) => &["true"],
            _ => &[],
        };
        for (k, value) in values.iter().enumerate().filter(|(k, _)| (n + k) % 23 == 0) {
            let Ok(chart) = Chart::read(&format!("format = 1\n{path} = {value}\n")) else { continue };
            let case = &cases[(n + k) / 23 % cases.len()];
            let _settled = crate::adjudicate::settle(case, &rules(&chart), &crate::adjudicate::Roll::Seed([7; 32]));
            played += 1;
        }
    }
    assert!(40 < played, "{played} charts were played");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever stands in a file: complaints or a chart, and never a panic.
    #[test]
    fn no_file_makes_the_reader_panic(path in "[a-z_.0-9]{0,24}", value in "[-0-9a-z.\"\\[\\], ]{0,16}", raw in ".{0,60}") {
        let _read = Chart::read(&format!("format = 1\n[crt.12]\n16 = {value}\n[dice]\n{path} = {value}\n"));
        let _read = Chart::read(&raw);
    }

    /// Any cell with any number in bounds can be read, or is refused.
    #[test]
    fn any_number_in_any_cell_is_read_or_refused(pick in any::<prop::sample::Index>(), number in -250_i64..250) {
        let printed = ruleset::leaves(ruleset::written_standard());
        let paths: Vec<&String> = printed.keys().collect();
        let path = paths[pick.index(paths.len())];
        for value in [format!("{number}"), format!("{number}.5"), format!("\"{number}\"")] {
            let quoted: Vec<String> = path.split('.').map(|part| format!("\"{part}\"")).collect();
            if let Ok(chart) = Chart::read(&format!("format = 1\n{} = {value}\n", quoted.join("."))) {
                prop_assert!(chart.over(&HouseRules::default()).is_ok());
            }
        }
    }
}
