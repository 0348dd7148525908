//! The form of a case: one situation on a table, the envelopes of one turn, the dice, and what is expected of them.
//!
//! Owns the reading of case files (`docs/adjudicate.md` says the form to clubs). A case becomes a small [`Scenario`], so that
//! one setup serves both. It settles nothing: that is [`crate::adjudicate`]. Start at [`read`].

mod expect;
#[cfg(test)]
mod tests;
mod troops;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use protocol::ids::{BySide, LeaderId, ScenarioId, UnitId};
use protocol::orders::{Draft, Stage};
use toml::de::DeTable;

pub use expect::{Expect, ExpectedEvent, ExpectedState};
pub use troops::{LeaderMark, UnitMarks};

use super::entry::{Entry, Shared, shorten};
use super::fault::nearest;
use super::{Clock, Fault, MOST_BYTES, Scenario, check, map};
use crate::catalogue::RuleId;
use crate::dice::Purpose;
use crate::ruleset::Ruleset;

/// The phases of a turn.
const PHASES: std::ops::RangeInclusive<i32> = 1..=9;

/// The last turn of a case's own table: late enough that no case ends a battle.
const LAST_TURN: i32 = 200;

/// A case: checked, ready to be settled.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it is called.
    pub title: String,
    /// The rule that it pins, where it pins one.
    pub rule: Option<RuleId>,
    /// Words for readers.
    pub note: String,
    /// The table and the troops.
    pub scenario: Arc<Scenario>,
    /// Optional troops, arrivals and special terms that are on. SCN-12
    pub switched_on: BTreeSet<String>,
    /// The turn.
    pub turn: u32,
    /// The phases that are played; the others are passed over.
    pub phases: BTreeSet<u8>,
    /// What is marked on units beside what a scenario can say.
    pub units: BTreeMap<UnitId, UnitMarks>,
    /// What is marked on leaders.
    pub leaders: BTreeMap<LeaderId, LeaderMark>,
    /// The brigade columns in which regiments stand, each from its head. TAC-34
    pub columns: Vec<Vec<UnitId>>,
    /// The envelopes, by window; both sides in one.
    pub envelopes: BTreeMap<Stage, Draft>,
    /// The dice.
    pub dice: Vec<Throw>,
    /// What is expected.
    pub expect: Expect,
}

/// Dice given in advance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Throw {
    /// For this phase only.
    pub phase: Option<u8>,
    /// What they are thrown for.
    pub purpose: Purpose,
    /// The parts of their key.
    pub key: Vec<String>,
    /// The faces, the first die first.
    pub faces: Vec<u8>,
}

impl Case {
    /// The tables and house rules by which it is settled. SCN-20
    pub fn rules(&self) -> &Ruleset {
        self.scenario.edition.rules()
    }
}

/// Reads a case. `scenario` gives the text of a scenario that the case names, or says why it cannot.
///
/// # Errors
/// Every fault that was found, in the order of the file.
pub fn read(text: &str, scenario: impl FnOnce(&str) -> Result<String, String>) -> Result<Case, Vec<Fault>> {
    let shared = Shared::new(text);
    let case = read_shared(text, &shared, scenario);
    match case {
        Some(case) if shared.faults.is_empty() => Ok(case),
        _ => Err(shared.faults.into_sorted()),
    }
}

fn read_shared(text: &str, shared: &Shared<'_>, scenario: impl FnOnce(&str) -> Result<String, String>) -> Option<Case> {
    if MOST_BYTES < text.len() {
        shared.faults.add(0, "the file is too large", format!("a case has at most {MOST_BYTES} bytes"));
        return None;
    }
    let (document, faults) = DeTable::parse_recoverable(text);
    for fault in &faults {
        let at = fault.span().map_or(0, |span| span.start);
        shared.faults.add(at, format!("this is not TOML: {}", fault.message()), "mend the line");
    }
    if !faults.is_empty() {
        return None;
    }
    let mut file = Entry::new(document.get_ref(), 0..0, "the case", shared);
    let named = file.opt_text("scenario").map(|name| (file.place_of("scenario"), name));
    let base = match named {
        Some((at, name)) => Some(load(&file, at, &name, scenario)?),
        None => None,
    };
    case(file, base)
}

fn load(
    file: &Entry<'_, '_>,
    at: usize,
    name: &str,
    scenario: impl FnOnce(&str) -> Result<String, String>,
) -> Option<Scenario> {
    let text = match scenario(name) {
        Ok(text) => text,
        Err(why) => {
            file.fault(at, format!("the scenario `{}` cannot be read: {why}", shorten(name)), "name a scenario file");
            return None;
        }
    };
    match super::read(&text) {
        Ok(scenario) => Some(scenario),
        Err(faults) => {
            let first = faults.first().map(Fault::to_string).unwrap_or_default();
            file.fault(at, format!("the scenario `{}` has faults: {first}", shorten(name)), "mend it first");
            None
        }
    }
}

fn case(mut file: Entry<'_, '_>, base: Option<Scenario>) -> Option<Case> {
    let shared = file.shared;
    let title = file.text_or_empty("title");
    let rule = file.opt_text("rule").and_then(|text| rule(&file, &text));
    let note = file.text_or_empty("note");
    let mut scenario = match base {
        Some(scenario) => of_scenario(&mut file, scenario),
        None => of_table(&mut file),
    };
    shared.table.set((scenario.ground.width, scenario.ground.height));
    let turns = scenario.clock.turns as i32;
    let turn = file.opt_int("turn", 1..=turns).map_or(1, i32::unsigned_abs);
    let phases = phases(&mut file);
    let troops = troops::troops(&mut file, &mut scenario);
    let columns = super::columns::columns(&mut file, &scenario.forces);
    let switched_on = switched_on(&mut file, &scenario);
    let mut envelopes = BTreeMap::new();
    for stage in Stage::ALL {
        if let Some(draft) = wire::draft(&mut file, stage, &scenario) {
            envelopes.insert(stage, draft);
        }
    }
    let dice = file.tables("die").into_iter().filter_map(throw).collect();
    let expect = file.table("expect").map(expect::expect).unwrap_or_default();
    file.finish();
    Some(Case {
        title,
        rule,
        note,
        scenario: Arc::new(scenario),
        switched_on,
        turn,
        phases,
        units: troops.units,
        leaders: troops.leaders,
        columns,
        envelopes,
        dice,
        expect,
    })
}

/// SCN-12 What a case switches on: only what its scenario has as optional.
fn switched_on(file: &mut Entry<'_, '_>, scenario: &Scenario) -> BTreeSet<String> {
    let forces = scenario.forces.iter().filter(|force| force.optional).map(|force| force.id.as_str());
    let arrivals = scenario.arrivals.iter().filter(|arrival| arrival.optional).map(|arrival| arrival.id.as_str());
    let specials = scenario.specials.iter().filter(|special| special.optional).map(|special| special.id.as_str());
    let optional: BTreeSet<&str> = forces.chain(arrivals).chain(specials).collect();
    let words: BTreeSet<String> = file.texts("switched_on").into_iter().collect();
    for word in words.iter().filter(|word| !optional.contains(word.as_str())) {
        let what = format!("`{}` is nothing optional of this scenario", shorten(word));
        file.fault(file.place_of("switched_on"), what, "name an optional unit, arrival or special term");
    }
    words
}

fn rule(file: &Entry<'_, '_>, text: &str) -> Option<RuleId> {
    let rule = text.parse().ok();
    if rule.is_none() {
        let what = format!("`{}` is no rule of the catalogue", shorten(text));
        file.fault(file.place_of("rule"), what, "cite one, such as \"FIRE-07\"");
    }
    rule
}

/// A table of the case's own.
fn of_table(file: &mut Entry<'_, '_>) -> Scenario {
    let shared = file.shared;
    file.need("table", "[table], or name a scenario");
    let (ground, _) = match file.table("table") {
        None => Default::default(),
        Some(mut table) => {
            let size: Vec<i32> = table.ints("size", 4..=200);
            let (width, height) = match size.as_slice() {
                [width, height] => (width * 1000, height * 1000),
                _ => {
                    table.fault(table.place_of("size"), "`size` is no size", "give [width, height] in whole inches");
                    (24_000, 24_000)
                }
            };
            shared.table.set((width, height));
            map::map(table, width, height)
        }
    };
    let (options, edition) = super::played(file);
    Scenario {
        id: ScenarioId::new("case"),
        title: "A case".to_owned(),
        clock: Clock { date: "1863-07-02".to_owned(), start: 12 * 60, turns: LAST_TURN.unsigned_abs() },
        ground,
        options,
        edition,
        ..Scenario::default()
    }
}

/// The table of a scenario, as it is: the case may not draw on it.
fn of_scenario(file: &mut Entry<'_, '_>, mut scenario: Scenario) -> Scenario {
    if file.has("house_rules") || file.has("chart") {
        scenario.edition = super::played(file).1;
    }
    for key in ["table", "options"] {
        if file.has(key) {
            let what = format!("`{key}` beside `scenario`");
            file.fault(file.place_of(key), what, format!("leave out `{key}`: the scenario has its own"));
        }
    }
    scenario
}

/// Which phases are played: all of them, those from a stage on, or those that are listed.
fn phases(file: &mut Entry<'_, '_>) -> BTreeSet<u8> {
    let from: Option<Stage> = file.opt_word("from");
    let listed = file.ints("phases", PHASES);
    if from.is_some() && file.has("phases") {
        file.fault(file.place_of("phases"), "`from` and `phases` contradict each other", "give one of them");
    }
    let byte = |phase: i32| phase.unsigned_abs() as u8;
    if !listed.is_empty() {
        return listed.into_iter().map(byte).collect();
    }
    let first = match from {
        None => 1,
        Some(Stage::Orders) => 2,
        Some(Stage::Reactions) => 4,
        Some(Stage::Charges) => 6,
        Some(Stage::Movement) => 7,
    };
    (first..=9).map(byte).collect()
}

/// Reads one `[[die]]`.
fn throw(mut e: Entry<'_, '_>) -> Option<Throw> {
    let word = e.text("purpose");
    let purpose = Purpose::from_word(&word);
    if purpose.is_none() && !word.is_empty() {
        let cure = nearest(&word, Purpose::ALL.iter().map(|purpose| purpose.as_str()));
        e.fault(e.place_of("purpose"), format!("no die has the purpose `{}`", shorten(&word)), cure);
    }
    let phase = e.opt_int("phase", PHASES).map(|phase| phase.unsigned_abs() as u8);
    let key = e.texts("key");
    e.need("faces", "a list of faces from 1 to 6");
    let faces: Vec<u8> = e.ints("faces", 1..=6).into_iter().map(|face| face.unsigned_abs() as u8).collect();
    e.opt_text("note");
    e.finish();
    Some(Throw { phase, purpose: purpose?, key, faces })
}

/// SCN-04 Where each side looks and leaves, from where its troops stand.
fn side_terms(scenario: &mut Scenario) {
    let commanders: Vec<_> = scenario.commanders.iter().map(|commander| (0, commander.clone())).collect();
    let forces: Vec<_> = scenario.forces.iter().map(|force| (0, force.clone())).collect();
    let middles = check::middles(&commanders, &forces);
    let (width, height) = (scenario.ground.width, scenario.ground.height);
    scenario.sides = BySide::from_fn(|side| check::side_terms(side, &middles, None, width, height));
}
