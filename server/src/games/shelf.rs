//! The scenarios that this server brings along, and the theatres prepared from scenario files.
//!
//! A game keeps the file it was made from: a later edition on the shelf does not reach it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use protocol::ids::BySide;
use protocol::message::rest::ScenarioCard;
use rules::battle::Theatre;
use rules::house::{self, Edition, Sheet};
use rules::scenario::{self, HiddenStarts, Options, Scenario, Setup};
use tracing::error;

use super::{Games, Refused, Settings, lock};
use crate::store::{GameRecord, Hash};

include!(concat!(env!("OUT_DIR"), "/scenario_files.rs"));

/// The files of the shelf.
pub(crate) fn shelf_files() -> &'static [&'static str] {
    FILES
}

/// A scenario ready to be played, with the file it came from.
#[derive(Clone)]
pub(super) struct Volume {
    pub(super) text: &'static str,
    pub(super) theatre: Arc<Theatre>,
}

/// Prepared theatres, by the hash of their file. There are as many as there are editions in use.
#[derive(Default)]
pub(super) struct Shelf {
    theatres: Mutex<HashMap<Hash, Arc<Theatre>>>,
    /// Theatres of games that play otherwise than their scenario, the oldest first.
    played: Mutex<VecDeque<(Played, Arc<Theatre>)>>,
    /// Files that a command has put beside those of the server.
    brought: Mutex<Vec<&'static str>>,
}

/// A scenario's file, the rules by which it is played, and its options, such as hidden movement.
type Played = (Arc<Scenario>, Sheet, Options);

/// So many theatres of house rules are kept ready: anybody may make a game with a sheet of his own.
const MOST_PLAYED: usize = 32;

impl Games {
    /// All scenarios of the shelf, in the order of their days. A file that this server cannot read is left out, and logged.
    pub async fn scenarios(&self) -> Result<Vec<ScenarioCard>, Refused> {
        let mut cards = Vec::new();
        for text in FILES {
            match self.theatre_of(text).await {
                Ok(theatre) => cards.push(card(&theatre.scenario)),
                Err(refused) if refused.code == "unavailable" => {}
                Err(refused) => return Err(refused),
            }
        }
        cards.sort_by(|one, other| (&one.date, &one.title).cmp(&(&other.date, &other.title)));
        Ok(cards)
    }

    /// Puts a scenario's file on the shelf for the life of the process, beside those of the server, and gives its
    /// identifier. For commands that play a file of their own; nobody on the network comes here.
    pub async fn bring(&self, file: String) -> Result<String, Refused> {
        let text: &'static str = file.leak();
        let theatre = self.theatre_of(text).await?;
        lock(&self.shared.shelf.brought).push(text);
        Ok(theatre.scenario.id.to_string())
    }

    /// The scenario of an identifier.
    pub(super) async fn volume(&self, id: &str) -> Result<Volume, Refused> {
        let brought = lock(&self.shared.shelf.brought).clone();
        for text in brought.into_iter().chain(FILES.iter().copied()).filter(|text| text.contains(id)) {
            let theatre = self.theatre_of(text).await?;
            if theatre.scenario.id.as_str() == id {
                return Ok(Volume { text, theatre });
            }
        }
        Err(Refused::new("no_such_scenario", format!("there is no scenario `{}`", id.escape_debug())))
    }

    /// The theatre of a game, from the file that is stored with it.
    pub(super) async fn theatre(&self, game: &GameRecord) -> Result<Arc<Theatre>, Refused> {
        let known = lock(&self.shared.shelf.theatres).get(&game.scenario_hash).map(Arc::clone);
        let theatre = match known {
            Some(theatre) => theatre,
            None => {
                let text = self.shared.store.scenario_text(game.id).await?;
                let text = String::from_utf8(text).map_err(|_| unreadable("it is not text"))?;
                self.prepare(game.scenario_hash, text).await?
            }
        };
        self.played(&theatre, &self.settings(game)?).await
    }

    /// A scenario's theatre as a game with these settings plays it: by the rules that were decided when it was made, with hidden
    /// movement or without. SCN-07, SCN-20
    pub(super) async fn played(&self, theatre: &Arc<Theatre>, settings: &Settings) -> Result<Arc<Theatre>, Refused> {
        let printed = &theatre.scenario;
        let sheet = settings.sheet.clone().unwrap_or_else(|| printed.edition.sheet().clone());
        let hidden = settings.hidden_movement.unwrap_or(printed.options.hidden_movement);
        let fog = settings.fog.unwrap_or(printed.options.fog);
        let options = Options { hidden_movement: hidden, fog, ..printed.options.clone() };
        if sheet == *printed.edition.sheet() && options == printed.options {
            return Ok(Arc::clone(theatre));
        }
        let wanted = |(of, _): &&(Played, Arc<Theatre>)| {
            Arc::ptr_eq(&of.0, &theatre.scenario) && of.1 == sheet && of.2 == options
        };
        let found = lock(&self.shared.shelf.played).iter().find(wanted).map(|(_, played)| Arc::clone(played));
        if let Some(found) = found {
            return Ok(found);
        }
        let key = (Arc::clone(&theatre.scenario), sheet.clone(), options.clone());
        let scenario = Arc::clone(&theatre.scenario);
        let prepare = move || {
            let edition = Edition::try_from(sheet)?;
            Ok::<_, String>(Theatre::new(Arc::new(Scenario { edition, options, ..(*scenario).clone() })))
        };
        let prepared = self.compute(prepare).await?.map_err(unreadable)?;
        let mut played = lock(&self.shared.shelf.played);
        if MOST_PLAYED <= played.len() {
            played.pop_front();
        }
        played.push_back((key, Arc::clone(&prepared)));
        Ok(prepared)
    }

    async fn theatre_of(&self, text: &'static str) -> Result<Arc<Theatre>, Refused> {
        let hash = Hash::of(text.as_bytes());
        let found = lock(&self.shared.shelf.theatres).get(&hash).map(Arc::clone);
        match found {
            Some(theatre) => Ok(theatre),
            None => self.prepare(hash, text.to_owned()).await,
        }
    }

    async fn prepare(&self, hash: Hash, text: String) -> Result<Arc<Theatre>, Refused> {
        let prepared =
            self.compute(move || scenario::read(&text).map(|scenario| Theatre::new(Arc::new(scenario)))).await?;
        let theatre =
            prepared.map_err(|faults| unreadable(faults.first().map_or(String::new(), ToString::to_string)))?;
        let mut theatres = lock(&self.shared.shelf.theatres);
        Ok(Arc::clone(theatres.entry(hash).or_insert(theatre)))
    }
}

fn unreadable(cause: impl std::fmt::Display) -> Refused {
    error!(%cause, "games: a scenario cannot be read");
    Refused::new("unavailable", "the scenario cannot be read by this version of the server; tell the host")
}

fn card(scenario: &Scenario) -> ScenarioCard {
    let units = BySide::from_fn(|side| scenario.forces.iter().filter(|force| force.side == side).count() as u32);
    ScenarioCard {
        id: scenario.id.to_string(),
        title: scenario.title.clone(),
        date: scenario.clock.date.clone(),
        turns: scenario.clock.turns,
        units,
        story: scenario.prose.history.clone(),
        free_setup: scenario.deployment.setup == Setup::Free,
        hidden_movement: scenario.options.hidden_movement && scenario.deployment.hidden != HiddenStarts::None,
        fog: scenario.options.fog,
        house_rules: house::card(scenario.edition.house()),
        chart: scenario.edition.chart().map(house::Chart::card),
    }
}
