//! The page for proof-reading, with and without a chart.

use super::*;

#[test]
fn without_a_chart_nothing_is_marked() {
    let page = page(None).expect("the tables are told whole");
    assert!(!page.contains("~~"));
    assert!(page.contains("| **12** | 6 |"));
}

/// The cell of 12 figures at 13 kills 2, and 1* kills with 4 to 6: a half on average.
#[test]
fn a_chart_s_cells_are_marked_where_they_stand_and_listed_with_what_they_kill() {
    let chart =
        Chart::read("format = 1\ntitle = \"Ours\"\n[crt.12]\n8 = \"1\"\n[dice]\nhold = 4\n").expect("a sound chart");
    let page = page(Some(&chart)).expect("the tables are told whole");
    assert!(page.contains("## Ours\n\nOwn chart: 2 cells differ."), "{page}");
    assert!(page.contains("| `crt.12.8` | 1\\* | 1 | 0.50 | 1.00 |"), "{page}");
    assert!(page.contains("| `dice.hold` | 3 | 4 |  |  |"), "{page}");
    assert!(page.contains("| hold | ~~3~~ **4** |"), "{page}");
    assert!(page.contains(" ~~1\\*~~ **1** |"), "{page}");
    let taken_back = page.replace("~~3~~ **4**", "3").replace("~~1\\*~~ **1**", "1\\*");
    let listed = own_chart(&chart);
    assert_eq!(taken_back.replace(&listed, ""), super::page(None).expect("the tables are told whole"));
}
