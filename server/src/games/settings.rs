//! The settings of a game as stored with it: never shown whole to a player.

use protocol::ids::{SeatId, Side};
use protocol::message::rest::CreateGame;
use protocol::orders::Stage;
use rules::setup::Seating;
use serde::{Deserialize, Serialize};

use super::Refused;

/// The longest time that a window may stay open by its deadline: a month.
const LONGEST_WINDOW_SECONDS: u32 = 31 * 24 * 3600;
/// The shortest: below, a client could not answer.
const SHORTEST_WINDOW_SECONDS: u32 = 5;

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
    /// Who commands what.
    pub seating: Seating,
    /// The seat that a bot plays.
    pub bot: Option<BotSeat>,
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
    /// Settings from what a host asked for; `title` is the name of a game that was given none.
    pub fn decide(asked: &CreateGame, title: &str) -> Result<Settings, Refused> {
        let name = match &asked.name {
            Some(name) => super::names::clean(name)?,
            None => title.to_owned(),
        };
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
        Ok(Settings {
            name,
            windows,
            unseal: asked.unseal.unwrap_or(true),
            deadline_seconds: asked.deadline_seconds,
            seating: Seating::one_each(),
            bot: None,
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

    /// Whether the window of `stage` opens.
    pub fn opens(&self, stage: Stage) -> bool {
        self.windows.contains(&stage)
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
    use super::*;

    fn asked() -> CreateGame {
        CreateGame {
            scenario: "little_round_top".to_owned(),
            name: None,
            bot: None,
            windows: None,
            deadline_seconds: None,
            unseal: None,
        }
    }

    #[test]
    fn nothing_asked_is_correspondence_without_a_deadline() {
        let settings = Settings::decide(&asked(), "A Battle").expect("defaults are good");
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
        ];
        for asked in refused {
            assert!(Settings::decide(&asked, "A Battle").is_err(), "{asked:?}");
        }
    }
}
