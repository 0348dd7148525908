//! The settings of a game as stored with it: never shown whole to a player.

use protocol::ids::{SeatId, Side};
use protocol::message::rest::CreateGame;
use protocol::message::{Deployment, Spectators};
use protocol::orders::Stage;
use protocol::words::Fog;
use rules::house::{Chart, Edition, Sheet};
use rules::ruleset::Complaint;
use rules::scenario::{HiddenStarts, Scenario, Setup};
use rules::setup::Seating;
use serde::{Deserialize, Serialize};

use super::Refused;

/// The longest time that a window may stay open by its deadline: a month.
const LONGEST_WINDOW_SECONDS: u32 = 31 * 24 * 3600;
/// The shortest: below, a client could not answer.
const SHORTEST_WINDOW_SECONDS: u32 = 5;
/// So many turns at most spectators are behind.
const LONGEST_DELAY: u32 = 20;

/// What was decided when the game was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The game's name.
    pub name: String,
    /// The stages whose windows open, in order; always with orders. TURN-06
    pub windows: Vec<Stage>,
    /// Whether a seal may be taken back while the window is open.
    pub unseal: bool,
    /// Seconds a window stays open; absent: no deadline.
    pub deadline_seconds: Option<u32>,
    /// Who places the units before turn 1. SCN-06
    #[serde(default)]
    pub deployment: Deployment,
    /// Whether hidden movement is played; absent: as the scenario has it. SCN-07, SCN-20
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_movement: Option<bool>,
    /// What is seen of the table; absent: as the scenario has it. LOS-01
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fog: Option<Fog>,
    /// The rules by which it is played, whole; absent in games made before there was a choice: as the scenario has it. SCN-20
    #[serde(default)]
    pub sheet: Option<Sheet>,
    /// Who commands what.
    pub seating: Seating,
    /// The seat that a bot plays.
    pub bot: Option<BotSeat>,
    /// Whether it has an umpire, who sees all.
    #[serde(default)]
    pub umpire: bool,
    /// Whether others may watch.
    #[serde(default)]
    pub spectators: Spectators,
    /// So many turns behind the game spectators are.
    #[serde(default)]
    pub spectator_delay_turns: u32,
}

/// A seat that the server's own bot plays.
#[derive(Clone, Serialize, Deserialize)]
pub struct BotSeat {
    /// The seat.
    pub seat: SeatId,
    /// Its token. Players' tokens are kept as hashes alone; this one the server has to present itself after a restart.
    pub token: String,
    /// The token of its invitation, so that a seat which a crash kept it from taking is taken at the next start.
    pub invitation: String,
    /// The seed of the bot's chance.
    pub seed: u64,
}

impl std::fmt::Debug for BotSeat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BotSeat").field("seat", &self.seat).finish_non_exhaustive()
    }
}

impl Settings {
    /// Settings from what a host asked for; a game that was given no name has the scenario's title.
    pub fn decide(asked: &CreateGame, scenario: &Scenario) -> Result<Settings, Refused> {
        let name = match &asked.name {
            Some(name) => super::names::clean(name)?,
            None => scenario.title.clone(),
        };
        if asked.deployment == Deployment::Players && scenario.deployment.setup == Setup::Fixed {
            let title = &scenario.title;
            let why = format!("refused (SCN-06): the setup of `{title}` is fixed; leave `deployment` out");
            return Err(Refused::new("bad_settings", why));
        }
        let hidden = plays_hidden(asked, scenario)?;
        let mut windows = asked.windows.clone().unwrap_or_else(|| vec![Stage::Orders]);
        windows.sort();
        windows.dedup();
        if windows.first() != Some(&Stage::Orders) {
            return Err(Refused::new("bad_settings", "the window `orders` opens in every game; add it to `windows`"));
        }
        if let Some(seconds) = asked.deadline_seconds {
            if asked.bot.is_some() {
                return Err(Refused::new("bad_settings", "a game against a bot has no deadline; leave it out"));
            }
            if !(SHORTEST_WINDOW_SECONDS..=LONGEST_WINDOW_SECONDS).contains(&seconds) {
                let limits = format!("from {SHORTEST_WINDOW_SECONDS} to {LONGEST_WINDOW_SECONDS}");
                return Err(Refused::new("bad_settings", format!("`deadline_seconds` may be {limits}, not {seconds}")));
            }
        }
        if asked.spectators == Spectators::Off && asked.spectator_delay_turns != 0 {
            let why = "nobody may watch this game; leave `spectator_delay_turns` out, or set `spectators` to `open`";
            return Err(Refused::new("bad_settings", why));
        }
        if LONGEST_DELAY < asked.spectator_delay_turns {
            let turns = asked.spectator_delay_turns;
            let why = format!("`spectator_delay_turns` may be from 0 to {LONGEST_DELAY}, not {turns}");
            return Err(Refused::new("bad_settings", why));
        }
        Ok(Settings {
            name,
            windows,
            unseal: asked.unseal.unwrap_or(true),
            deadline_seconds: asked.deadline_seconds,
            // HID-05, HID-73: what is hidden is said in a sealed setup.
            deployment: if hidden { Deployment::Players } else { asked.deployment },
            // LOS-01 Who asks for the fog alone plays without pickets.
            hidden_movement: if asked.fog == Some(Fog::LineOfSight) { Some(false) } else { asked.hidden_movement },
            fog: asked.fog,
            sheet: Some(sheet(asked, &scenario.edition)?),
            seating: Seating::one_each(),
            bot: None,
            umpire: asked.umpire,
            spectators: asked.spectators,
            spectator_delay_turns: asked.spectator_delay_turns,
        })
    }

    /// All seats with their sides, sorted by identifier: the order in which they enter the turn key.
    pub fn seats(&self) -> Vec<(SeatId, Side)> {
        let mut seats: Vec<(SeatId, Side)> =
            Side::BOTH.into_iter().map(|side| (self.seating.otherwise.get(side).clone(), side)).collect();
        seats.sort();
        seats
    }

    /// What a seat commands, in words.
    pub fn title(&self, side: Side) -> String {
        format!("The whole {side} side")
    }

    /// The first window's turn: 0 where the players place their units. It is the orders window of that turn, so that drafts,
    /// seals, deadlines and receipts are what they are in every other (docs/decisions/0002-deployment-is-turn-0.md).
    pub fn first_turn(&self) -> u32 {
        match self.deployment {
            Deployment::Players => 0,
            Deployment::Printed => 1,
        }
    }

    /// Whether the window of `stage` opens.
    pub fn opens(&self, stage: Stage) -> bool {
        self.windows.contains(&stage)
    }
}

/// SCN-07 Whether hidden movement is played in a game: as its host says, else as the scenario has it. LOS-01 Never in the fog
/// `line_of_sight`.
fn plays_hidden(asked: &CreateGame, scenario: &Scenario) -> Result<bool, Refused> {
    if asked.fog.unwrap_or(scenario.options.fog) == Fog::LineOfSight {
        if asked.hidden_movement == Some(true) {
            let why =
                "refused (LOS-01): in the fog `line_of_sight` nothing is under pickets; leave `hidden_movement` out";
            return Err(Refused::new("bad_settings", why));
        }
        return Ok(false);
    }
    let nobody = scenario.deployment.hidden == HiddenStarts::None;
    if asked.hidden_movement == Some(true) && nobody {
        let title = &scenario.title;
        let why = format!("refused (SCN-07): nobody begins hidden in `{title}`; leave `hidden_movement` out");
        return Err(Refused::new("bad_settings", why));
    }
    Ok(!nobody && asked.hidden_movement.unwrap_or(scenario.options.hidden_movement))
}

/// SCN-20 The rules of a game: those of its scenario, with what the host chose.
fn sheet(asked: &CreateGame, of_scenario: &Edition) -> Result<Sheet, Refused> {
    let refused = |why: String| Refused::new("bad_settings", format!("refused (SCN-20): {why}"));
    let house = of_scenario.house().clone().with(&asked.house_rules).map_err(|fault| refused(fault.to_string()))?;
    let chart = match &asked.chart {
        Some(text) => Some(Chart::read(text).map_err(|faults| refused(told("the chart", &faults)))?),
        None => of_scenario.chart().cloned(),
    };
    let edition = Edition::new(house, chart);
    let edition = edition.map_err(|faults| refused(told("the chart with these house rules", &faults)))?;
    Ok(edition.sheet().clone())
}

/// The first of several complaints, and how many there are.
fn told(what: &str, faults: &[Complaint]) -> String {
    let first = faults.first().map(ToString::to_string).unwrap_or_default();
    match faults.len() {
        0 | 1 => format!("{what}: {first}"),
        many => format!("{what}: {first} (and {} more)", many - 1),
    }
}

/// The number of a stage in storage keys.
pub fn stage_number(stage: Stage) -> u8 {
    match stage {
        Stage::Orders => 1,
        Stage::Reactions => 2,
        Stage::Charges => 3,
        Stage::Movement => 4,
    }
}

/// The stage of a number in storage keys; none for 0, the battle as it begins.
pub fn stage_of(number: u8) -> Option<Stage> {
    Stage::ALL.into_iter().find(|stage| stage_number(*stage) == number)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rules::house::HouseRules;

    use super::*;

    fn battle() -> Scenario {
        Scenario { title: "A Battle".to_owned(), ..Scenario::default() }
    }

    fn asked() -> CreateGame {
        CreateGame {
            scenario: "little_round_top".to_owned(),
            name: None,
            bot: None,
            windows: None,
            deadline_seconds: None,
            unseal: None,
            deployment: Deployment::Printed,
            hidden_movement: None,
            fog: None,
            house_rules: BTreeMap::new(),
            chart: None,
            umpire: false,
            spectators: Spectators::Off,
            spectator_delay_turns: 0,
        }
    }

    #[test]
    fn nothing_asked_is_correspondence_without_a_deadline() {
        let settings = Settings::decide(&asked(), &battle()).expect("defaults are good");
        assert_eq!((settings.name.as_str(), settings.unseal, settings.deadline_seconds), ("A Battle", true, None));
        assert_eq!(settings.windows, [Stage::Orders]);
        let seats: Vec<String> = settings.seats().into_iter().map(|(seat, _)| seat.0).collect();
        assert_eq!(seats, ["confederate", "union"]);
    }

    #[test]
    fn settings_that_nobody_could_play_with_are_refused() {
        let refused = [
            CreateGame { windows: Some(vec![Stage::Movement]), ..asked() },
            CreateGame { windows: Some(Vec::new()), ..asked() },
            CreateGame { deadline_seconds: Some(1), ..asked() },
            CreateGame { deadline_seconds: Some(60), bot: Some(Side::Union), ..asked() },
            CreateGame { name: Some(" \u{202e} ".to_owned()), ..asked() },
            CreateGame { spectator_delay_turns: 1, ..asked() },
            CreateGame { spectators: Spectators::Open, spectator_delay_turns: 21, ..asked() },
        ];
        for asked in refused {
            assert!(Settings::decide(&asked, &battle()).is_err(), "{asked:?}");
        }
    }

    #[test]
    fn scn_06_players_place_their_units_where_the_setup_is_free_and_not_unless_asked() {
        let asked_for = CreateGame { deployment: Deployment::Players, ..asked() };
        let mut scenario = battle();
        let refused = Settings::decide(&asked_for, &scenario).expect_err("the setup is fixed");
        let why = "refused (SCN-06): the setup of `A Battle` is fixed; leave `deployment` out";
        assert_eq!((refused.code, refused.message.as_str()), ("bad_settings", why));
        scenario.deployment.setup = Setup::Free;
        let turn = |asked| Settings::decide(&asked, &scenario).expect("good settings").first_turn();
        assert_eq!((turn(asked_for), turn(asked())), (0, 1));
    }

    #[test]
    fn scn_07_where_hidden_movement_is_played_the_players_place_their_units() {
        let mut scenario = battle();
        scenario.deployment.setup = Setup::Free;
        let decide = |scenario: &Scenario, hidden_movement| {
            let asked = CreateGame { hidden_movement, ..asked() };
            Settings::decide(&asked, scenario).map(|settings| settings.first_turn())
        };
        let refused = decide(&scenario, Some(true)).expect_err("nobody begins hidden in it");
        let why = "refused (SCN-07): nobody begins hidden in `A Battle`; leave `hidden_movement` out";
        assert_eq!((refused.code, refused.message.as_str()), ("bad_settings", why));
        scenario.deployment.hidden = HiddenStarts::Allowed;
        let turns = [None, Some(true), Some(false)].map(|asked| decide(&scenario, asked).expect("good settings"));
        assert_eq!(turns, [1, 0, 1], "open unless the game says so");
        scenario.options.hidden_movement = true;
        let turns = [None, Some(true), Some(false)].map(|asked| decide(&scenario, asked).expect("good settings"));
        assert_eq!(turns, [0, 0, 1], "hidden unless the game says otherwise");
    }

    #[test]
    fn los_01_a_game_in_the_fog_has_no_pickets() {
        let mut scenario = battle();
        scenario.deployment.hidden = HiddenStarts::Allowed;
        scenario.options.hidden_movement = true;
        let decide = |hidden_movement, fog| {
            let asked = CreateGame { hidden_movement, fog, ..asked() };
            Settings::decide(&asked, &scenario).map(|settings| (settings.first_turn(), settings.hidden_movement))
        };
        assert_eq!(decide(None, Some(Fog::LineOfSight)).expect("good settings"), (1, Some(false)));
        assert_eq!(decide(None, None).expect("good settings"), (0, None), "as the scenario has it");
        assert_eq!(decide(Some(true), Some(Fog::Tabletop)).expect("good settings"), (0, Some(true)));
        // A scenario of this fog is played with pickets only if its game asks for the other fog.
        let mut of_fog = scenario.clone();
        of_fog.options.hidden_movement = false;
        of_fog.options.fog = Fog::LineOfSight;
        let decide_of_fog = |hidden_movement, fog| {
            let asked = CreateGame { hidden_movement, fog, ..asked() };
            Settings::decide(&asked, &of_fog).map(|settings| settings.first_turn()).map_err(|refused| refused.code)
        };
        assert_eq!([decide_of_fog(None, None), decide_of_fog(Some(true), None)], [Ok(1), Err("bad_settings")]);
        assert_eq!(decide_of_fog(Some(true), Some(Fog::Tabletop)), Ok(0));
        let refused = decide(Some(true), Some(Fog::LineOfSight)).expect_err("two ways to hide");
        let why = "refused (LOS-01): in the fog `line_of_sight` nothing is under pickets; leave `hidden_movement` out";
        assert_eq!((refused.code, refused.message.as_str()), ("bad_settings", why));
    }

    #[test]
    fn scn_20_a_game_is_played_by_its_scenario_s_rules_and_what_its_host_chose() {
        let choices = |choices: &[(&str, &str)]| {
            choices.iter().map(|(id, word)| ((*id).to_owned(), (*word).to_owned())).collect::<BTreeMap<_, _>>()
        };
        let house = HouseRules::default().with(&choices(&[("order_limits", "on"), ("rally_two", "stays")]));
        let edition = Edition::new(house.expect("the sheet has them"), None).expect("they make sense");
        let scenario = Scenario { edition, ..battle() };
        let played = |chosen: &[(&str, &str)]| {
            let asked = CreateGame { house_rules: choices(chosen), ..asked() };
            Settings::decide(&asked, &scenario).map(|settings| settings.sheet.expect("every game has one now"))
        };
        let own = played(&[("rally_two", "routs"), ("fleeing_losses", "down")]).expect("good choices");
        let differing: Vec<&str> = own.house.differing().iter().map(|(switch, _)| switch.id).collect();
        assert_eq!(differing, ["order_limits", "fleeing_losses"]);
        let refused = played(&[("rally_two", "dies")]).expect_err("there is no such choice");
        let why = "refused (SCN-20): `rally_two` knows no `dies`, but `routs` and `stays`";
        assert_eq!((refused.code, refused.message.as_str()), ("bad_settings", why));
        assert!(played(&[("no_such", "on")]).is_err());
        let chart = |text: &str| {
            let asked = CreateGame { chart: Some(text.to_owned()), ..asked() };
            Settings::decide(&asked, &scenario).map(|settings| settings.sheet.expect("every game has one now"))
        };
        let own = chart("format = 1\n[dice]\nhold = 4\n").expect("a sound chart");
        let edition = Edition::try_from(own).expect("it was read before");
        assert_eq!((edition.rules().dice.hold, edition.house()), (4, scenario.edition.house()));
        let refused = chart("format = 1\n[dice]\nhold = 4\nhild = 3\n").expect_err("there is no such cell").message;
        assert_eq!(refused, "refused (SCN-20): the chart: line 4, column 1: `dice.hild` is no cell of the tables");
    }

    #[test]
    fn a_stored_sheet_is_the_one_that_comes_back() {
        let asked = CreateGame { house_rules: [("rally_two".to_owned(), "stays".to_owned())].into(), ..asked() };
        let settings = Settings::decide(&asked, &battle()).expect("good settings");
        let stored = serde_json::to_string(&settings).expect("settings are JSON");
        let read: Settings = serde_json::from_str(&stored).expect("they can be read");
        assert_eq!(read.sheet, settings.sheet);
        assert_ne!(read.sheet, Some(Sheet::default()));
    }

    #[test]
    fn settings_of_games_that_were_made_before_there_was_a_choice_can_be_read() {
        let settings = Settings::decide(&asked(), &battle()).expect("defaults are good");
        let mut stored = serde_json::to_value(&settings).expect("settings are JSON");
        for later in ["deployment", "sheet", "umpire", "spectators", "spectator_delay_turns"] {
            assert!(stored.as_object_mut().expect("an object").remove(later).is_some());
        }
        let read: Settings = serde_json::from_value(stored).expect("the old form can be read");
        assert_eq!((read.deployment, read.sheet), (Deployment::Printed, None));
        assert_eq!((read.umpire, read.spectators), (false, Spectators::Off));
    }
}
