//! `picket run`: a server on this machine with a battle against a bot, and the address that opens it.
//!
//! Owns the house: the one seat of whoever sits here, kept in the data folder, so that a start after a stop opens the
//! same seat of the same game by the same address.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use protocol::ids::Side;
use protocol::message::rest::CreateGame;
use protocol::message::{Deployment, Spectators};
use serde::{Deserialize, Serialize};

use crate::clock::SystemClock;
use crate::config::{Config, ConfigArgs};
use crate::games::{Games, House, Refused};
use crate::serve::{Running, ServeError, entropy_of};
use crate::store::GameId;

/// The battle that is fought.
const SCENARIO: &str = "little_round_top";
/// The file in the data folder that remembers the house's seat.
const HOUSE_FILE: &str = "run.json";

/// Flags of `picket run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// The side you command; the bot has the other
    #[arg(long, value_enum, default_value_t = SideArg::Union)]
    pub side: SideArg,
    /// Begin a new battle, even if one is under way
    #[arg(long)]
    pub new: bool,
    /// The settings.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// A side, as a flag names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SideArg {
    /// Hold the hill
    Union,
    /// Take the hill
    Confederate,
}

impl From<SideArg> for Side {
    fn from(side: SideArg) -> Side {
        match side {
            SideArg::Union => Side::Union,
            SideArg::Confederate => Side::Confederate,
        }
    }
}

/// The house's seat as remembered. Whoever reads the file can play the seat; so can whoever reads the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HouseFile {
    game: String,
    side: Side,
    invitation: String,
    seat_token: String,
}

/// Starts the server, finds or makes the battle, prints the address, and serves until told to stop.
pub async fn run(args: &RunArgs, config: Config) -> Result<(), ServeError> {
    let entropy = entropy_of(&config);
    let file = config.data.join(HOUSE_FILE);
    let running = Running::start(config, Arc::new(SystemClock::default()), Arc::clone(&entropy)).await?;
    let games = &running.app.games;
    let side = Side::from(args.side);
    let (house, goes_on) = match going_on(games, &file, side).await? {
        Some(house) if !args.new => (house, true),
        _ => {
            let house = begin(games, side, entropy.token()).await.map_err(refused)?;
            keep(&file, &house)?;
            (house, false)
        }
    };
    games.set_house(House { invitation: house.invitation.clone(), seat_token: house.seat_token.clone() });
    print_address(&running.app.config.public_url, &running.app.config.data, &house, goes_on);
    running.until_stopped().await
}

/// The battle under way, if the house has one for this side.
async fn going_on(games: &Games, file: &Path, side: Side) -> Result<Option<HouseFile>, ServeError> {
    let Some(house) = remembered(file)? else { return Ok(None) };
    let Ok(game) = house.game.parse::<GameId>() else { return Ok(None) };
    // Another database than last time does not know the game: then a new one begins.
    let unfinished = games.is_unfinished(game).await.map_err(refused)?;
    Ok((unfinished == Some(true) && house.side == side).then_some(house))
}

async fn begin(games: &Games, side: Side, seat_token: String) -> Result<HouseFile, Refused> {
    let asked = CreateGame {
        scenario: SCENARIO.to_owned(),
        name: None,
        bot: Some(side.enemy()),
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
    };
    let (created, _) = games.make(asked).await?;
    let own = created.invitations.into_iter().find(|(_, of, _)| *of == side);
    let Some((_, _, invitation)) = own else { return Err(Refused::new("unavailable", "the game has no seat for you")) };
    Ok(HouseFile { game: created.game.to_string(), side, invitation, seat_token })
}

fn remembered(file: &Path) -> Result<Option<HouseFile>, ServeError> {
    match std::fs::read(file) {
        Ok(bytes) => match serde_json::from_slice(&bytes) {
            Ok(house) => Ok(Some(house)),
            Err(fault) => Err(ServeError::new(format!(
                "`{}` cannot be read ({fault}); delete it to begin a new battle",
                file.display()
            ))),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ServeError::new(format!("`{}` cannot be read: {error}", file.display()))),
    }
}

/// Written whole or not at all, readable by nobody else.
fn keep(file: &Path, house: &HouseFile) -> Result<(), ServeError> {
    let failed = |error: std::io::Error| ServeError::new(format!("`{}` cannot be written: {error}", file.display()));
    let text = serde_json::to_vec_pretty(house).expect("four texts are JSON");
    let beside: PathBuf = file.with_extension("json.new");
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut new = options.open(&beside).map_err(failed)?;
    new.write_all(&text).and_then(|()| new.sync_all()).map_err(failed)?;
    std::fs::rename(&beside, file).map_err(failed)
}

fn refused(refused: Refused) -> ServeError {
    ServeError::new(refused.message)
}

#[expect(clippy::print_stdout, reason = "the address is what the command is for")]
fn print_address(url: &str, data: &Path, house: &HouseFile, goes_on: bool) {
    let word = if goes_on { "The battle goes on" } else { "The battle is ready" };
    println!();
    println!("  {word}: Little Round Top, 2 July 1863.");
    println!("  You command the {}, a bot the {}.", house.side, house.side.enemy());
    println!();
    println!("  Open  {url}/join/{}", house.invitation);
    println!();
    println!("  The address is yours alone: it is your seat, now and after a restart.");
    println!("  Ctrl-C stops the server. The battle is kept in {}.", data.display());
    println!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_house_is_remembered_and_a_broken_file_is_not_guessed_at() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join(HOUSE_FILE);
        assert_eq!(remembered(&file).expect("nothing is there yet"), None);
        let house = HouseFile {
            game: "g".to_owned(),
            side: Side::Union,
            invitation: "i".to_owned(),
            seat_token: "t".to_owned(),
        };
        keep(&file, &house).expect("it can be written");
        assert_eq!(remembered(&file).expect("it can be read"), Some(house));
        std::fs::write(&file, "{").expect("it can be written");
        assert!(remembered(&file).expect_err("that is no JSON").to_string().contains("delete it"));
    }
}
