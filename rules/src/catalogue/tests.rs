use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// Ids that once were and are never used again.
const RETIRED: [&str; 4] = ["ARTY-09", "ARTY-20", "ARTY-42", "SHARP-10"];

fn catalogue() -> &'static Catalogue {
    Catalogue::standard()
}

#[test]
fn an_id_is_its_text_in_every_form() {
    assert_eq!(FIRE_07.to_string(), "FIRE-07");
    assert_eq!("FIRE-07".parse(), Ok(FIRE_07));
    assert_eq!(serde_json::to_string(&FIRE_07).expect("an id is a string"), "\"FIRE-07\"");
    assert_eq!(serde_json::from_str::<RuleId>("\"ALG-CHARGE\"").expect("a known id"), ALG_CHARGE);
    assert_eq!(RuleRef::from(MOR_12).as_str(), "MOR-12");
    assert_eq!(ALG_CHARGE.chapter(), "ALG");
    assert!(FIRE_07 < FIRE_08 && ARTY_55 < FIRE_07);
}

#[test]
fn an_unknown_id_is_refused() {
    assert_eq!("FIRE-99".parse::<RuleId>(), Err(UnknownRule("FIRE-99".into())));
    let fault = serde_json::from_str::<RuleId>("\"FIRE-99\"").expect_err("no such rule");
    assert!(fault.to_string().contains("the catalogue has no rule `FIRE-99`"), "{fault}");
}

#[test]
fn scale_02_title_status_and_example_can_be_looked_up() {
    let rule = SCALE_02.rule().expect("SCALE-02 is a rule");
    assert_eq!(rule.title, "One inch is fifty yards");
    assert_eq!(rule.status, Status::Printed);
    assert_eq!(rule.phase, "any");
    assert!(rule.example.as_ref().is_some_and(|example| example.contains("200 yards -> 4.000 in")));
    assert_eq!(SCALE_03.rule().map(|rule| rule.status), Some(Status::Conflict));
    assert!(ALG_CHARGE.rule().is_none() && !ALG_CHARGE.title().is_empty());
}

#[test]
fn every_id_stands_once_and_the_list_is_sorted() {
    assert!(ALL.is_sorted_by(|a, b| a < b));
    let held = catalogue().rules.len() + catalogue().algorithms.len() + catalogue().leaks.len();
    assert_eq!(held, ALL.len(), "an id stands twice, or a constant has no entry");
    let written: usize = SOURCES.iter().map(|(_, text)| text.lines().filter(|line| is_entry(line)).count()).sum();
    assert_eq!(written, ALL.len());
}

fn is_entry(line: &str) -> bool {
    matches!(line, "[[rule]]" | "[[algorithm]]" | "[[leak]]")
}

#[test]
fn numbers_run_on_without_gaps_but_the_retired_ones() {
    let mut series: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for id in catalogue().rules.keys().chain(catalogue().leaks.keys()) {
        let number = id.as_str().rsplit_once('-').and_then(|(_, number)| number.parse().ok());
        series.entry(id.chapter()).or_default().insert(number.expect("a rule's id ends in a number"));
    }
    let mut gaps = BTreeSet::new();
    for (chapter, numbers) in &series {
        let last = *numbers.last().expect("a series has a number");
        gaps.extend((1..=last).filter(|n| !numbers.contains(n)).map(|n| format!("{chapter}-{n:02}")));
    }
    assert_eq!(gaps, RETIRED.map(str::to_owned).into());
}

#[test]
fn every_rule_that_is_not_printed_has_a_ruling() {
    let lacking: Vec<RuleId> = catalogue()
        .rules
        .values()
        .filter(|rule| rule.status != Status::Printed && rule.ruling.is_none())
        .map(|rule| rule.id)
        .collect();
    assert!(lacking.is_empty(), "no ruling: {lacking:?}");
}

#[test]
fn every_phase_is_any_setup_or_phases_of_the_turn() {
    for rule in catalogue().rules.values() {
        let is_word = |word: &str| matches!(word, "any" | "setup") || matches!(word.parse(), Ok(1..=9));
        assert!(rule.phase.split(',').all(is_word), "{}: phase {}", rule.id, rule.phase);
    }
}

#[test]
fn same_as_names_an_owner_that_owns_itself() {
    for rule in catalogue().rules.values() {
        let Some(owner) = rule.same_as else { continue };
        let owner = owner.rule().unwrap_or_else(|| panic!("{}: {owner} is no rule", rule.id));
        assert!(owner.same_as.is_none() && owner.id != rule.id, "{}: same_as {}", rule.id, owner.id);
    }
}

#[test]
fn every_decision_has_windows_and_a_default() {
    for rule in catalogue().rules.values() {
        let Some(decision) = &rule.decision else { continue };
        assert!(decision.contains("Windows: ") && decision.contains("Default"), "{}: {decision}", rule.id);
    }
}

#[test]
fn every_rule_that_a_text_names_exists() {
    let mut named = 0;
    for (file, text) in SOURCES {
        for (number, line) in text.lines().enumerate() {
            for word in line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
                if !looks_like_an_id(word) {
                    continue;
                }
                named += 1;
                assert!(word.parse::<RuleId>().is_ok(), "{file}:{}: no {word}", number + 1);
            }
        }
    }
    assert!(1000 < named, "only {named} references were found");
}

/// Two to six capitals, a hyphen, two digits.
fn looks_like_an_id(word: &str) -> bool {
    let Some((chapter, number)) = word.split_once('-') else { return false };
    (2..=6).contains(&chapter.len())
        && chapter.chars().all(|c| c.is_ascii_uppercase())
        && number.len() == 2
        && number.chars().all(|c| c.is_ascii_digit())
}

#[test]
fn every_algorithm_counts_its_steps() {
    for algorithm in catalogue().algorithms.values() {
        let number = |step: &String| step.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok());
        let numbers: Vec<usize> = algorithm.steps.iter().filter_map(number).collect();
        assert!(numbers.is_sorted(), "{}: steps {numbers:?}", algorithm.id);
        let distinct: BTreeSet<usize> = numbers.iter().copied().collect();
        assert_eq!(distinct, (1..=distinct.len()).collect(), "{}: steps", algorithm.id);
    }
}

#[test]
fn turn_08_a_posture_gives_arms_orders_and_instructions() {
    assert_eq!(catalogue().postures.len(), 14);
    for posture in &catalogue().postures {
        assert!(
            !posture.arms.is_empty() && !posture.orders.is_empty() && !posture.expands.is_empty(),
            "{}",
            posture.id
        );
        for order in &posture.orders {
            let known = ["FIRST FIRE", "HOLD", "DISENGAGE", "CHARGE", "MOVE", "FORM"];
            assert!(known.contains(&order.as_str()), "{}: order {order}", posture.id);
        }
    }
}

#[test]
fn scn_01_a_term_stands_once_in_a_table() {
    let mut seen = BTreeSet::new();
    for term in &catalogue().terms {
        assert!(["victory_term", "arrival", "special"].contains(&term.table.as_str()), "{}: {}", term.id, term.table);
        assert!(seen.insert((&term.table, &term.kind)), "{} {} stands twice", term.table, term.kind);
    }
}
