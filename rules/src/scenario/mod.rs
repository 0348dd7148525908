//! The scenario file: one TOML file for a battle, read with places, checked, typed.
//!
//! Owns the file's format (`docs/scenarios.md` says it to mappers), the closed vocabulary of its terms (SCN-01), and
//! every check that can be made before a game begins. [`read`] gives a [`Scenario`] or every fault that it found; a
//! file with faults loads nothing. It reads no disk, and never builds a battle: that is `setup`.
//!
//! Start at [`read`]. Reading is by hand and not by derive, so that one reading finds all faults, each with its line,
//! its column and the known words nearest to it, and so that inches never pass through a float.

pub mod case;
mod check;
mod columns;
mod entry;
mod fault;
mod force;
#[cfg(test)]
mod malformed;
mod map;
mod meaning;
mod options;
pub mod render;
mod shape;
mod terms;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::ids::{BrigadeId, BySide, LeaderId, ScenarioId, Side, UnitId};
use protocol::place::{Bearing, Point};
use serde::{Deserialize, Serialize};
use toml::de::DeTable;

pub use crate::battle::Post;
use crate::ground::Ground;
use crate::house::Edition;
use entry::{Entry, Names, Shared};
pub use fault::Fault;
pub use force::{
    Commander, Force, GUNS, LeaderArm, Standing, StartMorale, StartState, Strength, WEAPONS, Wagon, loss_order,
};
pub use options::{Fog, Options, Pace};
pub use terms::*;

/// The version of the format that this reader knows.
const FORMAT: i32 = 1;

/// A larger file is no scenario, bytes.
pub const MOST_BYTES: usize = 4 << 20;

/// A battle as data: checked, and known to both sides (HID-82). SCN-01
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scenario {
    /// Its word.
    pub id: ScenarioId,
    /// What players call it.
    pub title: String,
    /// The clock.
    pub clock: Clock,
    /// The stand widths' factor in thousandths. SCN-05
    pub frontage_factor: u32,
    /// Words for readers, which bind nobody.
    pub prose: Prose,
    /// The settings.
    pub options: Options,
    /// The rules by which it is played. SCN-20
    pub edition: Edition,
    /// The map.
    pub ground: Ground,
    /// What each side has by itself.
    pub sides: BySide<SideTerms>,
    /// How units begin.
    pub deployment: Deployment,
    /// Commanders, in the order of the file.
    pub commanders: Vec<Commander>,
    /// Regiments, battalions, detachments, then batteries, in the order of the file.
    pub forces: Vec<Force>,
    /// The brigade columns in which regiments begin, each from its head. TAC-34
    #[serde(default)]
    pub columns: Vec<Vec<UnitId>>,
    /// Ammunition wagons.
    pub wagons: Vec<Wagon>,
    /// Who comes later.
    pub arrivals: Vec<Arrival>,
    /// What is counted.
    pub victory: Vec<VictoryTerm>,
    /// Who has won.
    pub result: ResultRule,
    /// Special rules.
    pub specials: Vec<Special>,
}

/// SCN-03 When the battle is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// The day, as `1863-07-02`.
    pub date: String,
    /// Minutes after midnight at which turn 1 begins.
    pub start: u32,
    /// The last turn.
    pub turns: u32,
}

impl Clock {
    /// SCN-03 The hour at which a turn begins, as `17:10`.
    pub fn hour(&self, turn: u32) -> String {
        let minutes = (self.start + 20 * turn.saturating_sub(1)) % (24 * 60);
        format!("{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

/// Prose beside the terms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prose {
    /// The weather.
    pub weather: String,
    /// The ground in words.
    pub terrain: String,
    /// The deployment in words.
    pub deployment: String,
    /// The arrivals in words.
    pub reinforcements: String,
    /// Victory in words.
    pub victory: String,
    /// What happened.
    pub history: String,
    /// What is not known.
    pub uncertain: String,
    /// The special rules in words.
    pub special_rules: Vec<String>,
}

/// What a side has by itself. SCN-04
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideTerms {
    /// The way to the enemy. MOR-59
    pub enemy_bearing: Bearing,
    /// The edge by which it withdraws. LVL-05
    pub exit_edge: Stretch,
    /// Hasty works to place in the setup, thousandths of an inch. SCN-18, HID-64
    pub hasty_works: i32,
}

/// Whether players place their units. SCN-06
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Setup {
    /// All stands as printed.
    Fixed,
    /// Each side places its units in its zones.
    Free,
}

/// Who may begin on pickets. SCN-07
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HiddenStarts {
    /// Nobody.
    None,
    /// Every unit in good morale.
    Allowed,
    /// Those of `hidden_start` terms.
    Listed,
}

/// Who chooses what begins hidden, and where. HID-82
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HiddenPlaces {
    /// Each side, in its sealed setup.
    Owner,
    /// The server, by dice of the setup.
    Random,
}

/// How units begin. SCN-06, SCN-07
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deployment {
    /// Whether players place their units.
    pub setup: Setup,
    /// No enemy zone is nearer than this, thousandths of an inch.
    pub min_distance: i32,
    /// Who may begin on pickets.
    pub hidden: HiddenStarts,
    /// What is hidden, and where, is drawn by the server. HID-82
    pub hidden_at_random: bool,
    /// Where each side may place its units.
    pub zones: Vec<Zone>,
}

/// A part of the table in which a side may place units. SCN-06
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zone {
    /// Its word.
    pub id: String,
    /// Whose it is.
    pub side: Side,
    /// The units or commands it is for; empty: all of the side.
    pub only: Who,
    /// Its outline.
    pub outline: Vec<Point>,
}

/// A brigade, or a gun battalion when its commander's arm is artillery: the command of a commander of that post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brigade {
    /// Its word: that of its commander's post.
    pub id: BrigadeId,
    /// What players call it.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// Its commander.
    pub commander: LeaderId,
}

impl Default for Scenario {
    /// An empty table of no size, on which nobody fights.
    fn default() -> Self {
        let stretch = Stretch { edge: Edge::South, from: 0, to: 0 };
        Scenario {
            id: ScenarioId::new(""),
            title: String::new(),
            clock: Clock { date: String::new(), start: 0, turns: 1 },
            frontage_factor: 1000,
            prose: Prose::default(),
            options: Options::default(),
            edition: Edition::default(),
            ground: Ground::default(),
            sides: BySide::from_fn(|side| SideTerms {
                enemy_bearing: if side == Side::Union { Bearing::SOUTH } else { Bearing::NORTH },
                exit_edge: stretch,
                hasty_works: 0,
            }),
            deployment: Deployment {
                setup: Setup::Fixed,
                min_distance: 0,
                hidden: HiddenStarts::None,
                hidden_at_random: false,
                zones: Vec::new(),
            },
            commanders: Vec::new(),
            forces: Vec::new(),
            columns: Vec::new(),
            wagons: Vec::new(),
            arrivals: Vec::new(),
            victory: Vec::new(),
            result: ResultRule::MorePoints { tie: Tie::Draw },
            specials: Vec::new(),
        }
    }
}

impl Scenario {
    /// An empty table, for a battle that has not yet been given its scenario back by [`crate::archive`].
    pub fn empty_shared() -> Arc<Scenario> {
        Arc::new(Scenario::default())
    }

    /// The brigades and gun battalions, in the order of the file.
    pub fn brigades(&self) -> Vec<Brigade> {
        let brigades = self.commanders.iter().filter(|c| c.post == Post::Brigade);
        brigades
            .map(|c| Brigade {
                id: BrigadeId::new(c.id.as_str()),
                name: c.command.clone(),
                side: c.side,
                commander: c.id.clone(),
            })
            .collect()
    }

    /// The commander of a post.
    pub fn commander(&self, id: &str) -> Option<&Commander> {
        self.commanders.iter().find(|commander| commander.id.as_str() == id)
    }

    /// A unit or battery.
    pub fn force(&self, id: &str) -> Option<&Force> {
        self.forces.iter().find(|force| force.id.as_str() == id)
    }

    /// The arrival with which a unit or commander comes, if it does not begin on the table.
    pub fn arrival_of(&self, id: &str) -> Option<&Arrival> {
        self.arrivals.iter().find(|arrival| arrival.who.iter().any(|who| who == id))
    }

    /// Everybody above a unit or commander, nearest first.
    pub fn superiors(&self, under: Option<&LeaderId>) -> Vec<&Commander> {
        let mut above = Vec::new();
        let mut next = under;
        while let Some(commander) = next.and_then(|id| self.commander(id.as_str())) {
            above.push(commander);
            next = commander.under.as_ref();
        }
        above
    }

    /// SCNS-01 The units that a list of names means: a commander's id means all units under him.
    pub fn selected(&self, who: &[String]) -> BTreeSet<UnitId> {
        let named = |id: &str| who.iter().any(|who| who == id);
        let chosen = self.forces.iter().filter(|force| {
            named(force.id.as_str()) || self.superiors(Some(&force.under)).iter().any(|above| named(above.id.as_str()))
        });
        chosen.map(|force| force.id.clone()).collect()
    }

    /// HID-01, SCN-07 Whether hidden movement is played, and somebody may begin hidden.
    pub fn plays_hidden_movement(&self) -> bool {
        self.options.hidden_movement && self.deployment.hidden != HiddenStarts::None
    }

    /// SCN-12 Whether a unit takes part: all do but the optional ones that the game has not switched on, and those
    /// whose arrival is optional and off. `switched_on` names units, arrivals or special terms.
    pub fn takes_part(&self, force: &Force, switched_on: &BTreeSet<String>) -> bool {
        let arrival = self.arrival_of(force.id.as_str()).filter(|arrival| arrival.optional);
        let by_arrival = arrival.is_none_or(|arrival| switched_on.contains(&arrival.id));
        switched_on.contains(force.id.as_str()) || (!force.optional && by_arrival) || (arrival.is_some() && by_arrival)
    }
}

/// Reads a scenario file. SCN-01
///
/// # Errors
/// Every fault that was found, in the order of the file.
pub fn read(text: &str) -> Result<Scenario, Vec<Fault>> {
    let shared = Shared::new(text);
    let scenario = read_shared(text, &shared);
    match scenario {
        Some(scenario) if shared.faults.is_empty() => Ok(scenario),
        _ => Err(shared.faults.into_sorted()),
    }
}

fn read_shared(text: &str, shared: &Shared<'_>) -> Option<Scenario> {
    if MOST_BYTES < text.len() {
        shared.faults.add(0, "the file is too large", format!("a scenario has at most {MOST_BYTES} bytes"));
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
    let mut file = Entry::new(document.get_ref(), 0..0, "the file", shared);
    let format = file.int("format", 1..=1000);
    if format != FORMAT {
        file.fault(file.place_of("format"), format!("format {format} is not known"), "this reader knows `format = 1`");
        return None;
    }
    Some(document_parts(file))
}

/// The settings, and the rules by which the battle is played. SCN-20
fn played(file: &mut Entry<'_, '_>) -> (Options, Edition) {
    let (settings, sheet) = (file.table("options"), file.table("house_rules"));
    let at = file.place_of("house_rules");
    let (options, house) = options::settings(settings, sheet);
    let chart = file.chart();
    let edition = Edition::new(house, chart).unwrap_or_else(|complaints| {
        for complaint in complaints {
            file.fault(at, complaint.text, "choose otherwise");
        }
        Edition::default()
    });
    (options, edition)
}

fn document_parts(mut file: Entry<'_, '_>) -> Scenario {
    let shared = file.shared;
    file.need("scenario", "[scenario]");
    let head = file.table("scenario").map(head).unwrap_or_default();
    let (width, height) = shared.table.get();
    let (options, edition) = played(&mut file);
    file.need("map", "[map]");
    let (mut ground, named) = file.table("map").map(|e| map::map(e, width, height)).unwrap_or_default();
    let commanders: Vec<_> = file.tables("commander").into_iter().map(|e| (e.at, force::commander(e))).collect();
    let units = file.tables("unit").into_iter().map(|e| (e.at, force::unit(e))).collect::<Vec<_>>();
    let batteries = file.tables("battery").into_iter().map(|e| (e.at, force::battery(e)));
    let forces: Vec<_> = units.into_iter().chain(batteries).collect();
    let known: Vec<Force> = forces.iter().map(|(_, force)| force.clone()).collect();
    let (has_columns, at_column) = (file.has("column"), file.place_of("column"));
    let columns = columns::columns(&mut file, &known);
    let wagons: Vec<_> = file.tables("wagon").into_iter().map(|e| (e.at, force::wagon(e))).collect();
    let zones: Vec<_> = file.tables("zone").into_iter().map(|e| (e.at, zone(e))).collect();
    let arrivals: Vec<_> = file.tables("arrival").into_iter().map(|e| (e.at, terms::arrival(e))).collect();
    let victory = file.tables("victory_term").into_iter().map(|e| (e.at, terms::victory_term(e)));
    let (mut terms, mut results) = (Vec::new(), Vec::new());
    for (at, table) in victory {
        match table {
            VictoryTable::Term(term) => terms.push((at, term)),
            VictoryTable::Result(rule, at) => results.push((at, rule)),
        }
    }
    let specials: Vec<_> = file.tables("special").into_iter().map(|e| (e.at, terms::special(e))).collect();
    let told = file.table("sides").map(sides);
    let sums: Vec<_> = file.tables("brigade_total").into_iter().map(|e| (e.at, brigade_total(e))).collect();
    file.finish();

    check::Parts {
        shared,
        turns: head.clock.turns,
        named: &named,
        commanders: &commanders,
        forces: &forces,
        wagons: &wagons,
        zones: &zones,
        arrivals: &arrivals,
        victory: &terms,
        results: &results,
        specials: &specials,
        sums: &sums,
        min_distance: head.min_distance,
    }
    .check();

    meaning::check(shared, &ground, &forces, &specials);
    meaning::hidden(shared, head.hidden, &specials);
    ground.seen_as = meaning::trees_for_sight(&ground, &specials);
    let setup = head.setup.unwrap_or(if zones.is_empty() { Setup::Fixed } else { Setup::Free });
    if has_columns && setup == Setup::Free {
        let what = "a brigade column, while the players place their units";
        shared.faults.add(at_column, what, "leave it out, or give `setup = \"fixed\"` (SCN-06)");
    }
    let middles = check::middles(&commanders, &forces);
    Scenario {
        sides: BySide::from_fn(|side| check::side_terms(side, &middles, told.as_ref(), width, height)),
        id: ScenarioId::new(head.id),
        title: head.title,
        clock: head.clock,
        frontage_factor: head.frontage_factor,
        prose: head.prose,
        deployment: Deployment {
            setup,
            min_distance: head.min_distance,
            hidden: head.hidden.unwrap_or(match options.hidden_movement {
                true => HiddenStarts::Allowed,
                false => HiddenStarts::None,
            }),
            hidden_at_random: head.hidden_places == Some(HiddenPlaces::Random),
            zones: values(zones),
        },
        options,
        edition,
        ground,
        commanders: values(commanders),
        forces: values(forces),
        columns,
        wagons: values(wagons),
        arrivals: values(arrivals),
        victory: values(terms),
        result: results.first().map_or(ResultRule::MorePoints { tie: Tie::Draw }, |(_, rule)| *rule),
        specials: values(specials),
    }
}

fn values<T>(placed: Vec<(usize, T)>) -> Vec<T> {
    placed.into_iter().map(|(_, value)| value).collect()
}

/// What `[scenario]` says.
struct Head {
    id: String,
    title: String,
    clock: Clock,
    frontage_factor: u32,
    prose: Prose,
    setup: Option<Setup>,
    min_distance: i32,
    hidden: Option<HiddenStarts>,
    hidden_places: Option<HiddenPlaces>,
}

impl Default for Head {
    fn default() -> Self {
        Head {
            id: String::new(),
            title: String::new(),
            clock: Clock { date: String::new(), start: 0, turns: 1 },
            frontage_factor: 1000,
            prose: Prose::default(),
            setup: None,
            min_distance: 0,
            hidden: None,
            hidden_places: None,
        }
    }
}

fn head(mut e: Entry<'_, '_>) -> Head {
    let size: Vec<i32> = e.ints("table_inches", 4..=200);
    match size.as_slice() {
        [width, height] => e.shared.table.set((width * 1000, height * 1000)),
        _ => e.fault(
            e.place_of("table_inches"),
            "`table_inches` is no size",
            "give [width, height] in whole inches (SCN-02)",
        ),
    }
    let head = Head {
        id: e.id("id"),
        title: e.text("title"),
        clock: Clock { date: date(&mut e), start: start(&mut e), turns: e.int("turns", 1..=200).unsigned_abs() },
        frontage_factor: e.opt_decimal("frontage_factor", 100..=1000).map_or(1000, i32::unsigned_abs),
        setup: e.opt_word("setup"),
        min_distance: e.opt_decimal("min_distance", 0..=200_000).unwrap_or(0),
        hidden: e.opt_word("hidden"),
        hidden_places: e.opt_word("hidden_places"),
        prose: Prose {
            weather: e.text_or_empty("weather"),
            terrain: e.text_or_empty("terrain"),
            deployment: e.text_or_empty("deployment"),
            reinforcements: e.text_or_empty("reinforcements"),
            victory: e.text_or_empty("victory"),
            history: e.text_or_empty("history"),
            uncertain: e.text_or_empty("uncertain"),
            special_rules: e.texts("special_rules"),
        },
    };
    e.finish();
    head
}

fn date(e: &mut Entry<'_, '_>) -> String {
    let text = e.text("date");
    let parts: Vec<u32> = text.split('-').filter_map(|part| part.parse().ok()).collect();
    let sound = text.len() == 10
        && matches!(parts.as_slice(), [year, month, day]
            if (1800..=1900).contains(year) && (1..=12).contains(month) && (1..=31).contains(day));
    if !sound && !text.is_empty() {
        e.fault(e.place_of("date"), "`date` is no day", "write it as \"1863-07-02\"");
    }
    text
}

fn start(e: &mut Entry<'_, '_>) -> u32 {
    let text = e.text("start");
    let minutes = text.split_once(':').and_then(|(hour, minute)| {
        let (hour, minute) = (hour.parse::<u32>().ok()?, minute.parse::<u32>().ok()?);
        (text.len() == 5 && hour < 24 && minute < 60).then_some(hour * 60 + minute)
    });
    if minutes.is_none() && !text.is_empty() {
        e.fault(e.place_of("start"), "`start` is no hour", "write it as \"16:50\"");
    }
    minutes.unwrap_or(0)
}

fn zone(mut e: Entry<'_, '_>) -> Zone {
    let zone =
        Zone { id: e.id("id"), side: e.word("side"), only: e.names("for", Names::Who), outline: map::ring(&mut e) };
    e.opt_text("note");
    e.finish();
    zone
}

/// What `[sides.<side>]` may say instead of the defaults of SCN-04.
#[derive(Default)]
pub(super) struct Told {
    pub(super) enemy_bearing: Option<Bearing>,
    pub(super) exit_edge: Option<Stretch>,
    pub(super) hasty_works: i32,
}

fn sides(mut e: Entry<'_, '_>) -> BySide<Told> {
    let union = e.table("union").map(side).unwrap_or_default();
    let confederate = e.table("confederate").map(side).unwrap_or_default();
    e.finish();
    BySide { union, confederate }
}

fn side(mut e: Entry<'_, '_>) -> Told {
    let told = Told {
        enemy_bearing: e.opt_decimal("enemy_bearing", 0..=359_990).map(|degrees| Bearing::wrapping(degrees / 10)),
        exit_edge: terms::stretch(&mut e, "exit_edge"),
        hasty_works: e.opt_decimal("hasty_works_inches", 0..=200_000).unwrap_or(0),
    };
    e.finish();
    told
}

/// A published sum of men that the units under a commander must come to.
pub(super) struct BrigadeTotal {
    pub(super) under: String,
    pub(super) men: u32,
    pub(super) tolerance: u32,
}

fn brigade_total(mut e: Entry<'_, '_>) -> BrigadeTotal {
    let total = BrigadeTotal {
        under: e.name("under", Names::Commander),
        men: e.int("men", 1..=100_000).unsigned_abs(),
        tolerance: e.opt_int("tolerance", 0..=1000).map_or(0, i32::unsigned_abs),
    };
    e.opt_text("source");
    e.finish();
    total
}
