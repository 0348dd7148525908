//! Turns of Little Round Top, all arms and all phases, looked at otherwise: nothing depends on where on the table it
//! happens, which way north is, who wears blue, what units are called, or in which order a file lists them.
//!
//! A mirror is no symmetry of a whole turn: a march column forms line to a named side, ties of angle go clockwise.

#[expect(unreachable_pub, reason = "shared as other helpers of the tests are")]
mod look;
#[expect(unreachable_pub, dead_code, reason = "shared with the benchmark, each uses its part")]
mod random_play;

use std::collections::BTreeMap;

use look::{DiceOf, Look};
use protocol::orders::Stage;
use random_play::{Chance, Table};
use rules::archive;
use rules::battle::Battle;
use rules::ruleset::Ruleset;
use rules::scenario::Scenario;
use rules::stage::{Envelopes, Outcome, resolve};
use serde_json::{Value, json};

/// The side of the table: Little Round Top lies in its middle, and no march of these turns reaches an edge.
const SIDE: i64 = 140_000;

/// How many turns are played of each battle.
const TURNS: usize = 2;

/// Little Round Top in the middle of a large square, all optional troops taking part, as JSON. The Confederates have come
/// 5 inches nearer, so that there is fire at once.
fn scenario() -> Value {
    let text = include_str!("../../scenarios/little_round_top.toml");
    let scenario = rules::scenario::read(text).expect("the scenario is sound");
    let plain = serde_json::to_value(scenario).expect("a scenario is plain data");
    let mut large = Look { shift: (43_000, 50_000), ..Look::plain(SIDE) }.shows(&plain);
    for extent in ["width", "height"] {
        large["ground"][extent] = json!(SIDE);
    }
    for side in ["union", "confederate"] {
        large["sides"][side]["exit_edge"]["from"] = json!(0);
        large["sides"][side]["exit_edge"]["to"] = json!(SIDE);
    }
    for list in ["forces", "arrivals"] {
        for item in large[list].as_array_mut().expect("a list") {
            item["optional"] = json!(false);
        }
    }
    for force in large["forces"].as_array_mut().expect("a list") {
        if force["side"] == "confederate" && force["arm"] == "infantry" && !force["standing"].is_null() {
            let east = force["standing"]["at"]["x"].as_i64().expect("a number");
            force["standing"]["at"]["x"] = json!(east + 5_000);
        }
    }
    large
}

fn table(scenario: Value) -> Table {
    Table::of(serde_json::from_value::<Scenario>(scenario).expect("a scenario"))
}

/// What a stage leaves, told as the plain look would tell it: the battle, and the events in an order of their own.
/// Sentences are left out where they tell a bearing or names in the order of their words.
fn told(outcome: &Outcome, look: &Look, sentences: bool) -> (Value, Vec<String>) {
    let read = |bytes: &archive::StoredBytes| serde_json::from_slice::<Value>(bytes.as_bytes()).expect("it is JSON");
    let back = look.undone();
    let battle = back.shows(&read(&archive::store(&outcome.battle)));
    let events = back.shows(&read(&archive::store_events(&outcome.events)));
    let mut events: Vec<String> = events["events"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|event| {
            let mut event = event.clone();
            if !sentences {
                event["explanation"] = Value::Null;
            }
            sorted(&event).to_string()
        })
        .collect();
    events.sort_unstable();
    (sorted(&battle), events)
}

/// Lists of words in order: they are sets, and lie in the order of names.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            Value::Object(object.iter().map(|(key, value)| (key.clone(), sorted(value))).collect())
        }
        Value::Array(list) => {
            let mut list: Vec<Value> = list.iter().map(sorted).collect();
            let named = |item: &Value| item.as_str().or_else(|| item["id"].as_str()).map(str::to_owned);
            if list.iter().all(|item| named(item).is_some()) {
                list.sort_by_key(named);
            }
            Value::Array(list)
        }
        other => other.clone(),
    }
}

/// Plays both worlds side by side and compares them after every stage.
fn same_in(look: &Look, seed: u64, rearranged: impl Fn(Value) -> Value, sentences: bool) {
    let plain = table(scenario());
    let other = table(rearranged(look.shows(&scenario())));
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    let mut chance = Chance::new(seed);
    let (mut one, mut two): (Battle, Battle) = (plain.start(), other.start());
    for stage in Stage::ALL.into_iter().cycle().take(4 * TURNS) {
        let envelopes = plain.random_envelopes(&one, stage, &mut chance);
        let json = serde_json::to_value(&envelopes).expect("orders are plain data");
        let theirs: Envelopes = serde_json::from_value(look.shows(&json)).expect("orders");
        let turn = one.table.turn;
        let dice = plain.dice(turn, seed);
        let renamed = DiceOf { dice: &dice, names: &look.undone().names };
        let after = resolve(Ruleset::standard(), stage, one, &envelopes, &dice);
        let after_there = resolve(Ruleset::standard(), stage, two, &theirs, &renamed);
        let here = told(&after, &Look::plain(SIDE), sentences);
        let there = told(&after_there, look, sentences);
        let place = format!("seed {seed}, turn {turn}, {stage:?}");
        let missing = here.1.iter().find(|event| !there.1.contains(event));
        let added = there.1.iter().find(|event| !here.1.contains(event));
        assert_eq!((missing, added), (None, None), "{place}");
        assert_eq!(here.1.len(), there.1.len(), "{place}");
        assert_eq!(differences(&here.0, &there.0, ""), Vec::<String>::new(), "{place}");
        for event in &after.events {
            let fact = serde_json::to_value(&event.fact).expect("plain data");
            *kinds.entry(fact["type"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
        }
        (one, two) = (after.battle, after_there.battle);
    }
    // Where nothing happens everything is the same.
    for (kind, least) in [("volley", 6), ("morale_check", 3), ("moved", 6)] {
        let happened = kinds.get(kind).copied().unwrap_or(0);
        assert!(least <= happened, "only {happened} of `{kind}` in {kinds:?}");
    }
}

/// Where two values differ, by the way to the place.
fn differences(one: &Value, other: &Value, place: &str) -> Vec<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let keys = one.keys().chain(other.keys().filter(|key| !one.contains_key(*key)));
            let value = |of: &serde_json::Map<String, Value>, key: &str| of.get(key).cloned().unwrap_or(Value::Null);
            keys.flat_map(|key| differences(&value(one, key), &value(other, key), &format!("{place}/{key}"))).collect()
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let name = |n: usize, item: &Value| item["id"].as_str().map_or_else(|| n.to_string(), str::to_owned);
            let pairs = one.iter().zip(other).enumerate();
            pairs.flat_map(|(n, (one, other))| differences(one, other, &format!("{place}/{}", name(n, one)))).collect()
        }
        _ if one == other => Vec::new(),
        _ => vec![format!("{place}: {one} and {other}")],
    }
}

#[test]
fn turns_do_not_depend_on_the_place() {
    same_in(&Look { shift: (7_777, -3_331), ..Look::plain(SIDE) }, 1, |it| it, true);
}

#[test]
fn turns_do_not_depend_on_where_north_is() {
    for quarters in 1..4 {
        same_in(&Look { quarters, ..Look::plain(SIDE) }, u64::from(quarters), |it| it, false);
    }
}

#[test]
fn turns_do_not_depend_on_the_colour_of_the_sides() {
    same_in(&Look { sides_exchanged: true, ..Look::plain(SIDE) }, 1, |it| it, true);
}

#[test]
fn turns_do_not_depend_on_the_order_of_the_file() {
    let reversed = |mut scenario: Value| {
        let lists = ["commanders", "forces", "arrivals", "victory", "specials"];
        let ground = ["areas", "contours", "ways", "streams", "obstacles", "buildings", "places"];
        let reverse = |list: &mut Value| list.as_array_mut().expect("a list").reverse();
        lists.iter().for_each(|list| reverse(&mut scenario[*list]));
        ground.iter().for_each(|list| reverse(&mut scenario["ground"][*list]));
        scenario
    };
    same_in(&Look::plain(SIDE), 2, reversed, true);
}

/// Names in the opposite order, so that units and leaders are stored, asked and told the other way round.
#[test]
fn turns_do_not_depend_on_names() {
    let scenario = scenario();
    let of = |list: &str| {
        let items = scenario[list].as_array().expect("a list").iter();
        items.map(|item| item["id"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let mut names: Vec<String> = of("commanders").into_iter().chain(of("forces")).collect();
    names.sort_unstable();
    let renamed = names.iter().rev().enumerate().map(|(n, name)| (name.clone(), format!("n{n:02}")));
    same_in(&Look { names: renamed.collect(), ..Look::plain(SIDE) }, 3, |it| it, false);
}
