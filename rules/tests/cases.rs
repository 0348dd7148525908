//! Every case of `rules/cases`, and every case that `docs/adjudicate.md` prints, comes out as it says.

#![expect(clippy::disallowed_methods, reason = "the cases are files, which only a test of the rules may read")]

use std::fs;
use std::path::{Path, PathBuf};

use rules::adjudicate::{Case, Roll, Settled, read, settle, text};
use rules::ruleset::Ruleset;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read_case(text: &str) -> Result<Case, String> {
    let scenario = |name: &str| fs::read_to_string(project().join("scenarios").join(name)).map_err(|e| e.to_string());
    read(text, scenario).map_err(|faults| faults.iter().map(|fault| format!("{fault}\n")).collect())
}

fn settled(text: &str) -> Result<Settled, String> {
    let case = read_case(text)?;
    settle(&case, case.rules(), &Roll::Script).map_err(|error| error.to_string())
}

/// What is wrong with a case, in lines for whoever mends it.
fn complaints(case: &str) -> Vec<String> {
    match settled(case) {
        Err(error) => vec![error],
        Ok(settled) if settled.unmet.is_empty() => Vec::new(),
        Ok(settled) => settled.unmet.iter().cloned().chain([text(&settled)]).collect(),
    }
}

fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let entries = fs::read_dir(&folder).expect("the project has its cases");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder lists its files").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("a case has a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(&path).expect("a case is text"))
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn every_case_comes_out_as_it_says() {
    let files = files();
    assert!(12 <= files.len());
    let failed: Vec<String> = files
        .iter()
        .filter_map(|(name, case)| {
            let complaints = complaints(case);
            (!complaints.is_empty()).then(|| format!("== {name}\n{}", complaints.join("\n")))
        })
        .collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

#[test]
fn every_case_pins_a_rule_of_its_name_and_expects_something() {
    for (name, case) in files() {
        let case = read_case(&case).unwrap();
        let rule = case.rule.unwrap_or_else(|| panic!("{name} pins no rule")).to_string();
        assert!(name.to_uppercase().replace('_', "-").starts_with(&rule), "{name} pins {rule}");
        let expect = case.expect;
        let facts = expect.events.len() + expect.units.len() + expect.leaders.len() + expect.refused.len();
        assert!(0 < facts, "{name} expects nothing");
    }
}

/// A harness that is never displeased would prove nothing.
#[test]
fn a_case_that_comes_out_otherwise_is_told() {
    let (_, case) = files().into_iter().find(|(name, _)| name == "fire_19_first_fire").unwrap();
    let told = complaints(&case.replace("figures = 14", "figures = 13"));
    assert!(told[0].contains("`figures` is expected to be 13, found: 14"), "{told:?}");
    let told = complaints(&case.replace("modifiers = 2", "modifiers = 3"));
    assert!(told[0].contains("the sum `modifiers` is expected to be 3, found: 2"), "{told:?}");
    let told = complaints(&case.replace("target = \"al15\"", "target = \"me20\""));
    assert!(told[0].contains("`target` is expected to be \"me20\", found: \"al15\""), "{told:?}");
    let told = complaints(&case.replace("\"morale_check\"", "\"volley\""));
    assert!(told[0].starts_with("no volley is expected"), "{told:?}");
}

#[test]
fn dice_too_few_too_many_or_misnamed_are_errors_that_name_them() {
    let (_, case) = files().into_iter().find(|(name, _)| name == "fire_19_first_fire").unwrap();
    let told = settled(&case.replace("[3, 4, 4]", "[3, 4]")).unwrap_err();
    assert!(told.contains("missing: phase 4 fire.volley me20 #3"), "{told}");
    let told = settled(&case.replace("[3, 4, 4]", "[3, 4, 4, 6]")).unwrap_err();
    assert!(told.contains("left over: fire.volley me20 #4"), "{told}");
    let told = settled(&case.replace("key = [\"me20\"]", "key = [\"20me\"]")).unwrap_err();
    assert!(
        told.contains("missing: phase 4 fire.volley me20 #1") && told.contains("left over: fire.volley 20me #1"),
        "{told}"
    );
}

#[test]
fn dice_rolled_from_a_seed_can_be_pasted_as_a_script() {
    let (_, case) = files().into_iter().find(|(name, _)| name == "fire_36_both_fire_first").unwrap();
    let without: String =
        case.split("\n\n").filter(|part| !part.starts_with("[[die]]")).collect::<Vec<_>>().join("\n\n");
    let rolled = settle(&read_case(&without).unwrap(), Ruleset::standard(), &Roll::Seed([7; 32])).unwrap();
    let pasted = settled(&format!("{without}\n\n{}", rolled.script())).unwrap();
    assert!(!rolled.thrown.is_empty());
    assert_eq!((rolled.events, rolled.after), (pasted.events, pasted.after));
    let both = settle(&read_case(&case).unwrap(), Ruleset::standard(), &Roll::Seed([7; 32]));
    assert!(both.unwrap_err().to_string().contains("leave out the seed"));
}

/// Files that are cut off or torn give faults and never a panic. Every seventh file will do: they are alike in form.
#[test]
fn torn_cases_give_faults() {
    for (name, case) in files().into_iter().step_by(7) {
        let lines: Vec<&str> = case.lines().collect();
        for torn in (0..lines.len()).step_by(9) {
            let rest: Vec<&str> = lines.iter().enumerate().filter(|(n, _)| *n != torn).map(|(_, line)| *line).collect();
            if let Ok(case) = read_case(&rest.join("\n")) {
                // Whether its dice still fit is another matter.
                let _settled = settle(&case, Ruleset::standard(), &Roll::Script);
            }
        }
        for end in (0..case.len()).step_by(37).filter(|end| case.is_char_boundary(*end)) {
            let _read = read_case(&case[..end]);
        }
        assert!(read_case(&case).is_ok(), "{name}");
    }
}

/// The blocks of a language in a Markdown file, in order, each with what the next block is.
fn blocks(markdown: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in markdown.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((language.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, body)), None) => {
                body.push_str(line);
                body.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

/// In `docs/adjudicate.md` a block of TOML is a whole case, and a block of text after it is what `--text` prints.
#[test]
fn the_manual_prints_cases_that_come_out_so() {
    let manual = fs::read_to_string(project().join("docs/adjudicate.md")).unwrap();
    let blocks = blocks(&manual);
    let cases: Vec<usize> = (0..blocks.len()).filter(|n| blocks[*n].0 == "toml").collect();
    assert!(3 <= cases.len());
    for n in cases {
        let case = settled(&blocks[n].1).unwrap_or_else(|error| panic!("{}\n{error}", blocks[n].1));
        assert_eq!(case.unmet, Vec::<String>::new(), "{}", blocks[n].1);
        if let Some((_, printed)) = blocks.get(n + 1).filter(|(language, _)| language == "text") {
            assert_eq!(text(&case).trim_end(), printed.trim_end());
        }
    }
}
