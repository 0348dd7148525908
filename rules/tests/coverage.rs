//! Which rules of the catalogue have a test named after them.
//!
//! A test, or a case of `rules/cases`, serves the rules that its name says: `fire_07_long_range…`, `cover_03_and_04_…`,
//! `shk_02_to_04_…`, `tac_43_…_and_tac_39_…`. Where two rules are one (`same_as`), one test serves both. The table of all
//! chapters is printed by `cargo nextest run -p rules --test coverage --no-capture`.

#![expect(
    clippy::disallowed_methods,
    reason = "names of tests stand in files, which only a test of the rules may read"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rules::catalogue::{Catalogue, RuleId};

/// Chapters of which every rule has a test, but for [`EXCEPTIONS`].
const COMPLETE: &[&str] = &[
    "ADDF", "AMMO", "ARTY", "CAV", "CAVC", "CC", "CF", "CHG", "CMD", "COVER", "DIS", "ENF", "FF", "FIRE", "FORM",
    "HID", "HOLDF", "IDD", "IMP", "LEAD", "LOS", "LVL", "MEL", "MFIRE", "MOR", "MOVE", "MV", "OBS", "OFF", "ORD",
    "ORG", "PEN", "QRC", "RALLY", "REV", "ROUT", "SCALE", "SCN", "SCNS", "SCNV", "SHARP", "SHK", "TAC", "TC", "TURN",
    "VIS", "WORKS",
];

/// Rules of complete chapters that no test can serve, and why.
const EXCEPTIONS: &[(&str, &str)] = &[("ORG-07", "display only: the colours are the client's palette")];

/// Leaks that no test serves yet, and why.
const UNTESTED_LEAKS: &[(&str, &str)] = &[];

/// The names of all tests and cases of the crate.
fn names() -> BTreeSet<String> {
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut names = BTreeSet::new();
    for file in files(crate_root, "rs") {
        let text = fs::read_to_string(file).expect("source is text");
        names.extend(tests_of(&text));
    }
    for file in files(&crate_root.join("cases"), "toml") {
        let name = file.file_stem().expect("a case has a name");
        names.insert(name.to_string_lossy().into_owned());
    }
    names
}

/// The files of a folder and of those in it whose names end so.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the crate has its folders");
    let paths = entries.map(|entry| entry.expect("a folder lists its files").path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
    let wanted = files.into_iter().filter(|file| file.extension().is_some_and(|ends| ends == extension));
    wanted.chain(folders.iter().flat_map(|folder| self::files(folder, extension))).collect()
}

/// The functions of a source file that are tests: those below `#[test]`, and those of `proptest!`, which have it too.
fn tests_of(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_test = false;
    for line in source.lines().map(str::trim) {
        if line == "#[test]" || line.starts_with("#[tokio::test") {
            is_test = true;
        } else if let Some(rest) = line.strip_prefix("fn ").or_else(|| line.strip_prefix("async fn ")) {
            if is_test {
                names.extend(rest.split(['(', '<']).next().map(str::to_owned));
            }
            is_test = false;
        }
    }
    names
}

/// The rules that a name says, or the word of it that is no rule.
///
/// A chapter's letters and two digits are a rule; `and 04` and `to 04` after it go on in the same chapter.
fn rules_of(name: &str, chapters: &BTreeSet<String>) -> Result<BTreeSet<RuleId>, String> {
    let words: Vec<&str> = name.split('_').collect();
    let number = |n: usize| words.get(n).filter(|word| word.len() == 2).and_then(|word| word.parse::<u32>().ok());
    let mut found = BTreeSet::new();
    let mut n = 0;
    while n + 1 < words.len() {
        let chapter = words[n].to_uppercase();
        let Some(first) = number(n + 1).filter(|_| n == 0 || chapters.contains(&chapter)) else {
            n += 1;
            continue;
        };
        let mut numbers = vec![first];
        n += 2;
        while let (Some(&word), Some(next)) = (words.get(n), number(n + 1)) {
            match word {
                "and" => numbers.push(next),
                "to" => numbers.extend(numbers[numbers.len() - 1] + 1..=next),
                _ => break,
            }
            n += 2;
        }
        for number in numbers {
            let id = format!("{chapter}-{number:02}");
            found.insert(id.parse::<RuleId>().map_err(|_| id)?);
        }
    }
    Ok(found)
}

/// The chapters with their rules.
fn chapters() -> BTreeMap<String, Vec<RuleId>> {
    let mut chapters: BTreeMap<String, Vec<RuleId>> = BTreeMap::new();
    for id in Catalogue::standard().rules.keys() {
        chapters.entry(id.chapter().to_owned()).or_default().push(*id);
    }
    chapters
}

/// The rules that have a test: by name, or by the name of the rule that they are one with.
fn tested() -> BTreeSet<RuleId> {
    let chapters = chapters().into_keys().collect();
    let named: BTreeSet<RuleId> = names().iter().filter_map(|name| rules_of(name, &chapters).ok()).flatten().collect();
    let mut tested = named.clone();
    for rule in Catalogue::standard().rules.values() {
        let Some(owner) = rule.same_as else { continue };
        if named.contains(&owner) || named.contains(&rule.id) {
            tested.extend([owner, rule.id]);
        }
    }
    tested
}

#[test]
fn every_name_of_a_test_says_rules_of_the_catalogue() {
    let chapters = chapters().into_keys().collect();
    let wrong: Vec<String> = names()
        .iter()
        .filter_map(|name| rules_of(name, &chapters).err().map(|id| format!("{name}: the catalogue has no {id}")))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[expect(clippy::print_stdout, reason = "the table of all chapters is what a reader of the test asks for")]
fn complete_chapters_have_a_test_for_each_rule() {
    let tested = tested();
    let excepted = |id: &RuleId| EXCEPTIONS.iter().any(|(rule, _)| *rule == id.as_str());
    let mut faults = Vec::new();
    let mut all = (0, 0);
    for (chapter, rules) in chapters() {
        let missing: Vec<&RuleId> = rules.iter().filter(|id| !tested.contains(id)).collect();
        let open: Vec<&str> = missing.iter().filter(|id| !excepted(id)).map(|id| id.as_str()).collect();
        let covered = rules.len() - missing.len();
        all = (all.0 + covered, all.1 + rules.len());
        println!("{chapter:>6} {covered:>3}/{}", rules.len());
        match (COMPLETE.contains(&chapter.as_str()), open.is_empty()) {
            (true, false) => {
                faults.push(format!("{chapter} is complete, but no test is named after {}", open.join(", ")))
            }
            (false, true) => faults.push(format!("{chapter} is complete: add it to the list of complete chapters")),
            _ => {}
        }
    }
    println!("   all {:>3}/{}", all.0, all.1);
    for chapter in COMPLETE.iter().filter(|chapter| !chapters().contains_key(**chapter)) {
        faults.push(format!("{chapter} is no chapter of the catalogue"));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Tests of leaks stand where the leak would be: in the rules, the server, whole systems, or the browser client.
fn leaks_tested() -> BTreeSet<RuleId> {
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate_root.parent().expect("the crate stands in the project");
    let chapters: BTreeSet<String> = chapters().into_keys().chain(["LEAK".to_owned()]).collect();
    let mut names = names();
    for folder in ["protocol/src", "server/src", "server/tests", "tests", "bot/src"] {
        for file in files(&root.join(folder), "rs") {
            names.extend(tests_of(&fs::read_to_string(file).expect("source is text")));
        }
    }
    for file in files(&root.join("web-client/tests"), "ts") {
        names.extend(tests_of_client(&fs::read_to_string(file).expect("source is text")));
    }
    let found = names.iter().filter_map(|name| rules_of(name, &chapters).ok()).flatten();
    found.filter(|id| id.chapter() == "LEAK").collect()
}

/// The names of a test file of the client, written as those of Rust are: `test("LEAK-32 one picture")` is `leak_32_one_picture`.
fn tests_of_client(source: &str) -> Vec<String> {
    let named = source.lines().filter_map(|line| line.trim().strip_prefix("test(\"")?.split('"').next());
    named.map(|name| name.to_lowercase().replace(['-', ' '], "_")).collect()
}

#[test]
#[expect(clippy::print_stdout, reason = "the list of leaks is what a reader of the test asks for")]
fn each_leak_has_a_test_or_a_reason_why_not_yet() {
    let tested = leaks_tested();
    let leaks = &Catalogue::standard().leaks;
    let excepted = |id: &RuleId| UNTESTED_LEAKS.iter().any(|(leak, _)| *leak == id.as_str());
    println!("  LEAK {:>3}/{}", leaks.keys().filter(|id| tested.contains(id)).count(), leaks.len());
    let mut faults = Vec::new();
    for id in leaks.keys() {
        match (tested.contains(id), excepted(id)) {
            (false, false) => faults.push(format!("no test is named after {id}")),
            (true, true) => faults.push(format!("{id} has a test now: take it off the list")),
            _ => {}
        }
    }
    faults.extend(UNTESTED_LEAKS.iter().filter(|(_, why)| why.is_empty()).map(|(id, _)| format!("{id} has no reason")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_exception_is_needed() {
    let tested = tested();
    for (rule, reason) in EXCEPTIONS {
        let id: RuleId = rule.parse().unwrap_or_else(|_| panic!("the exception {rule} is no rule of the catalogue"));
        assert!(!tested.contains(&id), "{rule} has a test now: take the exception out");
        assert!(COMPLETE.contains(&id.chapter()), "{rule} is of no complete chapter: it needs no exception yet");
        assert!(!reason.is_empty(), "{rule} is excepted without a reason");
    }
}

/// A reader of names that finds everything would prove nothing.
#[test]
fn names_are_read_as_they_are_meant() {
    let chapters: BTreeSet<String> = ["FIRE", "ADDF", "TAC", "SHK"].map(str::to_owned).into();
    let read = |name: &str| {
        rules_of(name, &chapters).map(|rules| rules.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(read("fire_07_long_range"), Ok("FIRE-07".to_owned()));
    assert_eq!(read("fire_06_and_07_dice"), Ok("FIRE-06 FIRE-07".to_owned()));
    assert_eq!(read("fire_09_and_addf_06_a_die_less"), Ok("ADDF-06 FIRE-09".to_owned()));
    assert_eq!(read("shk_02_to_04_falls_back"), Ok("SHK-02 SHK-03 SHK-04".to_owned()));
    assert_eq!(read("tac_43_as_target_and_tac_39_as_firer"), Ok("TAC-39 TAC-43".to_owned()));
    assert_eq!(read("three_figures_are_lost"), Ok(String::new()));
    assert_eq!(read("fire_99_is_none"), Err("FIRE-99".to_owned()));
    assert_eq!(read("fired_12_is_none"), Err("FIRED-12".to_owned()));
    assert_eq!(tests_of("#[tokio::test(flavor = \"multi_thread\")]\nasync fn leak_11_x() {}\n"), ["leak_11_x"]);
    let source = "#[test]\nfn fire_01_a() {}\nfn fire_02_b() {}\n#[test]\n#[should_panic]\nfn fire_03_c() {}\n";
    assert_eq!(tests_of(source), ["fire_01_a", "fire_03_c"]);
}
