//! Files that are wrong in every way that a mapper, or somebody who means harm, comes upon: each is refused with line, column
//! and clear words, and nothing panics. SCN-01

use super::tests::{faults_of, small};
use super::{HiddenStarts, SpecialKind, read};

/// A file with this added, and the words by which it is refused.
fn refused(extra: &str, words: &str) {
    let faults = faults_of(&small(extra));
    assert!(faults.iter().any(|fault| fault.contains(words)), "{extra}\n{faults:#?}");
    assert!(faults.iter().all(|fault| fault.starts_with("line ") && fault.contains(", column ")), "{faults:#?}");
}

/// The smallest file with one text changed.
fn changed(from: &str, to: &str) -> Vec<String> {
    let text = small("");
    assert!(text.contains(from), "{from}");
    faults_of(&text.replacen(from, to, 1))
}

fn area(ring: &str) -> String {
    format!(
        "[[map.area]]\nid = \"a\"\nname = \"A\"\nterrain = \"woods\"\ngeometry = {{ type = \"Polygon\", coordinates = [{ring}] }}\n"
    )
}

#[test]
fn scn_01_numbers_that_are_none_or_too_large_are_refused() {
    for value in
        ["nan", "inf", "-inf", "1e308", "99999999999999999999", "-1", "0.0001", "\"six\"", "[6]", "{}", "2147483648"]
    {
        let faults = changed("turns = 4", &format!("turns = {value}"));
        assert!(
            faults.iter().any(|fault| fault.starts_with("line 7, column 9: ") && fault.contains("`turns`")),
            "{faults:?}"
        );
        let faults = changed("at = [5, 6]", &format!("at = [{value}, 6]"));
        assert!(faults.iter().any(|fault| fault.contains("unit `va01`: `at` is")), "{value}: {faults:?}");
        let faults = changed("men = 360", &format!("men = {value}"));
        assert!(faults.iter().any(|fault| fault.contains("unit `va01`: `men` is")), "{value}: {faults:?}");
    }
}

#[test]
fn scn_01_words_that_are_nearly_right_are_answered_with_the_right_ones() {
    for (from, to, words) in [
        ("side = \"confederate\"", "side = \"confederat\"", "did you mean `confederate`?"),
        ("arm = \"infantry\"", "arm = \"infantery\"", "did you mean `infantry`?"),
        ("weapon = \"rifle_musket\"", "weapon = \"rifle_muskett\"", "did you mean `rifle_musket`?"),
        ("under = \"grey\"", "under = \"gray\"", "did you mean `grey`?"),
        ("facing = 0", "facng = 0", "did you mean `facing`?"),
        ("date = \"1863-07-02\"", "date = \"July 2nd\"", "write it as \"1863-07-02\""),
        ("start = \"09:00\"", "start = \"9 o'clock\"", "write it as \"16:50\""),
        ("table_inches = [30, 20]", "table_inches = [30]", "give [width, height]"),
        ("kind = \"road\"", "kind = \"lane\"", "known: `road`, `trail`"),
    ] {
        let faults = changed(from, to);
        assert!(faults.iter().any(|fault| fault.contains(words)), "{to}: {faults:?}");
    }
}

#[test]
fn scn_01_outlines_that_are_none_are_refused() {
    refused(&area("[[1, 1], [9, 9], [9, 1], [1, 9]]"), "area `a`");
    refused(&area("[[1, 1], [9, 9]]"), "area `a`");
    refused(&area("[]"), "area `a`");
    refused(&area("[[1, 1], [1, 1], [1, 1], [1, 1]]"), "area `a`");
    refused(&area("[[1, 1], [9, 1], [5000, 9]]"), "area `a`");
    refused(&area("[[1, 1], [9, 1], [nan, 9]]"), "area `a`");
    refused(&area("[[1, 1], [9, 1], [9]]"), "area `a`");
    let crowd = (0..30_000).map(|n| format!("[{}, {}]", n % 30, n % 19)).collect::<Vec<_>>().join(", ");
    refused(&area(&format!("[{crowd}]")), "area `a`");
}

#[test]
fn scn_01_terms_that_say_nothing_that_can_be_played_are_refused() {
    let special = |kind: &str, rest: &str| format!("[[special]]\nid = \"s\"\nkind = \"{kind}\"\n{rest}\n");
    for (kind, rest, words) in [
        (
            "roll",
            "on = \"crosses\"\nresult = \"cease\"\nfails = [1]\nplace = \"pike\"",
            "`result` means nothing at this event",
        ),
        ("roll", "on = \"crosses\"\nresult = \"halt\"\nfails = [1]", "does not say what is crossed"),
        ("roll", "on = \"fires\"\nresult = \"cease\"", "it takes one of `fails` and `against`"),
        ("roll", "on = \"fires\"\nresult = \"cease\"\nfails = [1]\nafter = 1\nnth = 2", "both `after` and `nth`"),
        ("roll", "on = \"fires\"\nresult = \"cease\"\nfails = [7]", "wanted is a whole number from 1 to 6"),
        ("modifier", "who = [\"va01\"]\non = \"luck\"\nvalue = 1", "`on` knows no word `luck`"),
        (
            "modifier",
            "who = [\"nobody\"]\non = \"rally\"\nvalue = 1",
            "no unit, battery or commander is called `nobody`",
        ),
        ("modifier", "who = [\"va01\"]\non = \"rally\"\nvalue = 1\nwhile = \"held_turns\"", "`while` is no condition"),
        ("terrain", "place = \"pike\"\nas = \"woods\"\nuse = [\"sight\"]", "for sight it names no area of the map"),
        ("terrain", "place = \"pike\"\nuse = [\"cover\"]", "neither `as` nor `wooded`"),
        ("restricted_place", "at = [5, 5]", "such a place has no direction"),
        ("exit_right", "who = [\"va01\"]\nwhen = \"turn 2\"\nplace = \"pike\"", "units leave by an edge"),
        ("start", "who = [\"va01\"]\nformation = \"limbered\"", "`va01` cannot stand in"),
        ("start", "who = [\"va01\"]\nformation = \"brigade_column\"", "a brigade column is formed in play"),
        ("start", "who = [\"va01\"]\nmounted = true", "`va01` has no horses to ride"),
        ("weapon", "who = [\"va01\"]\nweapon = \"smoothbore\"\nturns = [1, 2]", "it holds from the start, everywhere"),
        ("ammunition", "who = [\"va01\"]\ncanister_only = true", "`va01` has no canister"),
        ("ammunition", "who = [\"va01\"]", "it limits nothing"),
        ("leader", "who = [\"va01\"]\nany_brigade = true", "`va01` is no leader"),
        ("sight", "who = [\"va01\"]\ninches_per_pip = 4", "it concerns no unit"),
        ("sight", "inches_per_pip = 0", "`inches_per_pip` is 0"),
        ("as_book", "rule = \"the book\"", "`the book` is no rule"),
        (
            "off_table_battery",
            "sections = 99\ngun = \"napoleon_12\"\ndice = 2\nband = \"long\"\nclass = \"full\"",
            "`side` is missing",
        ),
        ("fog", "", "`kind` knows no word `fog`"),
    ] {
        refused(&special(kind, rest), words);
    }
}

#[test]
fn scn_01_all_faults_are_told_at_once() {
    let text = small("")
        .replacen("turns = 4", "turns = 0", 1)
        .replacen("facing = 0", "facing = 999", 1)
        .replacen("weapon = \"rifle_musket\"", "weapon = \"pike\"", 1)
        .replacen("kind = \"result\"", "kind = \"resullt\"", 1);
    let faults = faults_of(&text);
    for words in ["`turns`", "`facing`", "`pike`", "`resullt`"] {
        assert!(faults.iter().any(|fault| fault.contains(words)), "{words}: {faults:#?}");
    }
    assert!(faults.is_sorted_by_key(|fault| {
        fault.trim_start_matches("line ").split(',').next().and_then(|n| n.parse::<u32>().ok())
    }));
}

#[test]
fn scn_01_files_of_any_size_and_depth_are_read_or_refused_without_a_panic() {
    let many = (0..4_000).map(|n| format!("[[special]]\nid = \"s{n}\"\nkind = \"sight\"\ninches_per_pip = 4\n"));
    assert!(read(&small(&many.collect::<String>())).is_ok());
    let deep = format!("x = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(!faults_of(&small(&deep)).is_empty());
    let large = format!("# {}\n", "x".repeat(10 << 20));
    assert!(faults_of(&small(&large)).iter().any(|fault| fault.contains("too large")));
    let odd = small("[[special]]\nid = \"\u{202e}s\"\nkind = \"as_data\"\nfield = \"\u{0}\"\n");
    assert!(!faults_of(&odd).is_empty());
    let faults = faults_of(&"[[unit]]\n".repeat(5_000));
    assert!(faults.len() <= 200, "{}", faults.len());
}

#[test]
fn scn_07_and_scns_13_who_begins_hidden_is_said_by_setting_and_terms_alike() {
    let head = |word: &str| small(LISTED).replacen("turns = 4\n", &format!("turns = 4\nhidden = \"{word}\"\n"), 1);
    let scenario = read(&head("listed")).unwrap_or_else(|faults| panic!("{faults:#?}"));
    assert_eq!(scenario.deployment.hidden, HiddenStarts::Listed);
    assert!(matches!(scenario.specials[0].kind, SpecialKind::HiddenStart { until: Some(_) }));
    assert!(faults_of(&head("none")).iter().any(|fault| fault.contains("nobody begins hidden")));
    let nobody = small("").replacen("turns = 4\n", "turns = 4\nhidden = \"listed\"\n", 1);
    assert!(faults_of(&nobody).iter().any(|fault| fault.contains("no unit is listed")));
    // What the file does not say: allowed where hidden movement is played, else nobody.
    let default =
        |options: &str| read(&small(options)).unwrap_or_else(|faults| panic!("{faults:#?}")).deployment.hidden;
    assert_eq!(default(""), HiddenStarts::None);
    assert_eq!(default("[options]\nhidden_movement = true\n"), HiddenStarts::Allowed);
}

const LISTED: &str =
    "[[special]]\nid = \"unseen\"\nkind = \"hidden_start\"\nwho = [\"va01\"]\nuntil = \"leaves_woods\"\n";

#[test]
fn scn_21_and_scns_06_a_task_is_read_and_waits_for_an_umpire() {
    let task =
        "[[special]]\nid = \"dam\"\nkind = \"task\"\nwho = [\"va01\"]\naction = \"break_the_dam\"\nresult = \"both\"\n";
    let scenario = read(&small(task)).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let SpecialKind::Task { action, result } = &scenario.specials[0].kind else { panic!("it is a task") };
    assert_eq!((action.as_str(), *result), ("break_the_dam", super::TaskFailure::Both));
    refused(&task.replace("both", "nothing"), "`result` knows no word `nothing`");
    // It is carried out by an order in words, which goes to an umpire; there is none, so that order is refused. TC-12
    let theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
    let rules = crate::ruleset::Ruleset::standard();
    let nothing = protocol::ids::BySide::default();
    let battle =
        crate::setup::start(&theatre, rules, &crate::setup::Seating::one_each(), &Default::default(), &nothing);
    let known = crate::battle::known(&battle, protocol::ids::Side::Confederate);
    let order = protocol::orders::Order::Special { text: "Break the dam.".to_owned() };
    let said = protocol::orders::UnitDraft { order: Some(order), ..protocol::orders::UnitDraft::default() };
    let units = std::collections::BTreeMap::from([(protocol::ids::UnitId::new("va01"), said)]);
    let draft = protocol::orders::Draft { units, ..protocol::orders::Draft::default() };
    let seat = protocol::ids::SeatId::new("confederate");
    let refusals = crate::orders::check(&known, rules, &seat, protocol::orders::Stage::Orders, &draft);
    assert!(refusals.iter().any(|refusal| refusal.rule.to_string() == "TC-12"), "{refusals:?}");
}

#[test]
fn los_01_the_fog_is_not_played_with_hidden_movement() {
    let faults = faults_of(&small("[options]\nfog = \"line_of_sight\"\nhidden_movement = true\n"));
    assert!(faults.iter().any(|fault| fault.contains("not played together (LOS-01)")), "{faults:?}");
    for fog in ["tabletop", "line_of_sight"] {
        assert!(read(&small(&format!("[options]\nfog = \"{fog}\"\n"))).is_ok(), "{fog}");
    }
    assert!(read(&small("[options]\nfog = \"mist\"\n")).is_err());
}
