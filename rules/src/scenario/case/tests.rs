use super::*;

const HEAD: &str = "[table]\nsize = [24, 24]\n";
const UNITS: &str = "[[unit]]\nid = \"me20\"\nside = \"union\"\nat = [12, 8]\nfacing = 0\n\
                     [[unit]]\nid = \"al15\"\nside = \"confederate\"\nat = [12, 11]\nfacing = 180\n";

fn told(more: &str) -> Vec<String> {
    let text = format!("{HEAD}{UNITS}{more}");
    match read(&text, |name| Err(format!("there is no {name}"))) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.iter().map(Fault::to_string).collect(),
    }
}

#[test]
fn the_short_form_is_the_plainest_of_its_arm() {
    let case = read(&format!("{HEAD}{UNITS}"), |_| Err(String::new())).unwrap();
    let force = case.scenario.force("me20").unwrap();
    assert_eq!(
        (force.arm, force.quality, force.formation),
        (protocol::words::Arm::Infantry, protocol::words::Quality::Veteran, protocol::words::Formation::SingleLine)
    );
    assert_eq!(force.figures(), 16);
    assert_eq!(case.phases, (1..=9).collect());
}

#[test]
fn a_fault_has_line_and_column_and_says_what_would_do() {
    assert_eq!(
        told("figurs = 12\n"),
        ["line 13, column 1: unit `al15`: unknown key `figurs`; did you mean `figures`?"]
    );
    assert_eq!(
        told("[[die]]\npurpose = \"fire.voley\"\nkey = [\"me20\"]\nfaces = [3]\n"),
        ["line 14, column 11: die: no die has the purpose `fire.voley`; did you mean `fire.volley`?"]
    );
    assert_eq!(
        told("[[die]]\npurpose = \"fire.volley\"\nkey = [\"me20\"]\nfaces = [7]\n"),
        ["line 16, column 10: die: `faces` is 7; wanted is a whole number from 1 to 6"]
    );
    assert_eq!(
        told("[orders.units.me2]\norder = { type = \"hold\" }\n"),
        ["line 13, column 15: the case: no unit of the case is called `me2`; did you mean `me20`?"]
    );
    assert_eq!(
        told("under = \"vincent\"\n"),
        ["line 13, column 9: unit `al15`: no leader is called `vincent`; there is none to name"]
    );
}

#[test]
fn words_of_the_wire_that_are_not_known_are_refused_at_their_place() {
    let told = told("[orders.units.me20]\norder = { type = \"hold\" }\ninstructions = { frie = false }\n");
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("line 15, column "), "{told:?}");
    assert!(told[0].contains("unknown field `frie`; expected one of `conditional_hold_if`"), "{told:?}");
    let told = self::told("[orders.units.me20]\norder = { type = \"hodl\" }\n");
    assert!(
        told[0].starts_with("line 14, column ") && told[0].contains("unknown variant `hodl`; expected one of"),
        "{told:?}"
    );
}

#[test]
fn what_contradicts_itself_is_refused() {
    let read = |text: &str| {
        let faults = read(text, |name| Err(format!("there is no {name}"))).unwrap_err();
        faults.iter().map(Fault::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        read("title = \"x\"\n"),
        ["line 1, column 1: the case: `table` is missing; add `table = ...`, [table], or name a scenario"]
    );
    assert_eq!(
        read("scenario = \"gettysburg\"\n"),
        [
            "line 1, column 12: the case: the scenario `gettysburg` cannot be read: there is no gettysburg; name a scenario file"
        ]
    );
    let both = format!("from = \"movement\"\nphases = [4]\n{HEAD}{UNITS}");
    assert_eq!(
        read(&both),
        ["line 2, column 10: the case: `from` and `phases` contradict each other; give one of them"]
    );
    let twice = format!("{HEAD}{UNITS}{UNITS}");
    assert_eq!(read(&twice).len(), 2);
}

#[test]
fn a_column_names_regiments_of_one_side_each_once() {
    let told = |regiments: &str| told(&format!("[[column]]\nregiments = {regiments}\n"));
    assert_eq!(told("[\"me20\", \"me2\"]").len(), 1);
    for wrong in ["[\"me20\"]", "[\"me20\", \"me20\"]", "[\"me20\", \"al15\"]"] {
        let faults = told(wrong);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with("line 14, column 13: column: "), "{faults:?}");
    }
}

#[test]
fn a_scenarios_troops_are_changed_by_name() {
    let text = include_str!("../../../../scenarios/little_round_top.toml");
    let case = "scenario = \"little_round_top\"\n[[unit]]\nid = \"me20\"\nmorale = \"shaken\"\n";
    let case = read(case, |_| Ok(text.to_owned())).unwrap();
    let force = case.scenario.force("me20").unwrap();
    assert_eq!(force.state.morale, super::super::StartMorale::Shaken);
    assert_eq!(force.name, "20th Maine");
    let unknown = "scenario = \"little_round_top\"\n[[unit]]\nid = \"me21\"\n";
    let faults = read(unknown, |_| Ok(text.to_owned())).unwrap_err();
    assert!(
        faults[0].to_string().starts_with("line 3, column 6: unit `me21`: the scenario has none of that id"),
        "{faults:?}"
    );
}

#[test]
fn only_what_the_scenario_has_as_optional_is_switched_on() {
    let text = include_str!("../../../../scenarios/little_round_top.toml");
    let case = |word: &str| format!("scenario = \"little_round_top\"\nswitched_on = [\"{word}\"]\n");
    let on = read(&case("ar03"), |_| Ok(text.to_owned())).unwrap().switched_on;
    assert_eq!(on.into_iter().collect::<Vec<_>>(), ["ar03"]);
    let faults = read(&case("me20"), |_| Ok(text.to_owned())).unwrap_err();
    assert_eq!(
        faults.iter().map(Fault::to_string).collect::<Vec<_>>(),
        [
            "line 2, column 15: the case: `me20` is nothing optional of this scenario; name an optional unit, arrival or special term"
        ]
    );
}
