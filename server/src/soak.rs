//! `picket bot`: a bot for one seat of any server, or both sides of a game of its own, for demonstrations and soak tests.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use protocol::ids::Side;
use protocol::message::Deployment;
use protocol::message::rest::{CreateGame, Join};
use tokio::sync::watch;

use crate::clock::{SeededEntropy, SystemClock};
use crate::config::{Config, ConfigArgs};
use crate::games::{Games, Moves, OutcomeSummary, Refused, stage_of};
use crate::serve::Running;
use crate::store::GameId;

/// Flags of `picket bot`.
#[derive(Args, Debug)]
pub struct BotArgs {
    /// Play both sides of a new game to its end, on a server of its own
    #[arg(long, conflicts_with_all = ["server", "game", "token"])]
    pub both: bool,
    /// The scenario of that game
    #[arg(long, default_value = "little_round_top", requires = "both")]
    pub scenario: String,
    /// Stop after so many turns of it [default: its end]
    #[arg(long, value_name = "NUMBER", requires = "both")]
    pub turns: Option<u32>,
    /// A house rule of that game, such as rally_two=stays; may be given again and again
    #[arg(long = "house", value_name = "RULE=CHOICE", value_parser = house_rule, requires = "both")]
    pub house: Vec<(String, String)>,
    /// Folder in which that game is kept [default: a temporary one]
    #[arg(long, value_name = "FOLDER", requires = "both")]
    pub keep: Option<PathBuf>,
    /// The server of the seat that is played
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub server: String,
    /// The game
    #[arg(long, value_name = "ID", required_unless_present = "both")]
    pub game: Option<String>,
    /// The seat's token
    #[arg(long, env = "PICKET_SEAT_TOKEN", hide_env_values = true, required_unless_present = "both")]
    pub token: Option<String>,
    /// Fixes what the bots do; with --both also dice, salts and identifiers, so that two runs end alike
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// A choice of the house-rules sheet as a flag has it.
fn house_rule(text: &str) -> Result<(String, String), String> {
    let (id, word) = text.split_once('=').ok_or("a house rule is RULE=CHOICE, such as rally_two=stays")?;
    let one = [(id.to_owned(), word.to_owned())].into();
    rules::house::HouseRules::default().with(&one).map_err(|fault| fault.to_string())?;
    Ok((id.to_owned(), word.to_owned()))
}

/// Plays as the flags say. The error is for the terminal.
pub async fn run(args: &BotArgs) -> Result<(), String> {
    match (args.both, &args.game, &args.token) {
        (false, Some(game), Some(token)) => play_seat(args, game, token).await,
        _ => play_both(args).await,
    }
}

async fn play_seat(args: &BotArgs, game: &str, token: &str) -> Result<(), String> {
    let options = bot::Options::new(&args.server, game, token, args.seed);
    let report = bot::run(options).await.map_err(|error| error.to_string())?;
    let refused = report.refused;
    say(&format!("played to turn {}: {} envelopes sealed, {refused} orders refused", report.turn, report.sealed));
    if let Some(result) = report.result {
        say_result(&result);
    }
    Ok(())
}

async fn play_both(args: &BotArgs) -> Result<(), String> {
    let temporary = std::env::temp_dir().join(format!("picket-bot-{}", std::process::id()));
    let folder = args.keep.clone().unwrap_or_else(|| temporary.clone());
    let settings = ConfigArgs {
        listen: Some((Ipv4Addr::LOCALHOST, 0).into()),
        data: Some(folder.clone()),
        database: Some(format!("sqlite:{}", folder.join("picket.sqlite").display())),
        ..ConfigArgs::default()
    };
    let config = Config::load(&settings).map_err(|error| error.to_string())?;
    let entropy = Arc::new(SeededEntropy::new(args.seed));
    let running = Running::start(config, Arc::new(SystemClock::default()), entropy).await;
    let running = running.map_err(|error| error.to_string())?;
    let played = fight(&running, args).await;
    running.stop().await;
    if args.keep.is_none() {
        let removed = std::fs::remove_dir_all(&temporary);
        removed.map_err(|error| format!("`{}` stays behind: {error}", temporary.display()))?;
    }
    played
}

async fn fight(running: &Running, args: &BotArgs) -> Result<(), String> {
    let games = &running.app.games;
    let asked = CreateGame {
        scenario: args.scenario.clone(),
        name: None,
        bot: None,
        windows: None,
        deadline_seconds: None,
        unseal: None,
        deployment: Deployment::Printed,
        house_rules: args.house.iter().cloned().collect(),
        chart: None,
    };
    let (created, _) = games.make(asked).await.map_err(words)?;
    let mut players = tokio::task::JoinSet::new();
    for (_, side, invitation) in created.invitations {
        let name = format!("{side} bot");
        let joined = games.join(Join { invitation, name }, IpAddr::from(Ipv4Addr::LOCALHOST)).await.map_err(words)?;
        // Each side has a chance of its own.
        let seed = args.seed.wrapping_mul(2).wrapping_add(u64::from(side == Side::Confederate));
        let options = bot::Options::new(format!("http://{}", running.address), joined.game, joined.token, seed);
        players.spawn(bot::run(options));
    }
    let mut teller = Teller { games, game: created.game, turns: args.turns, next: 0, last: None };
    let (mut sealed, mut refused) = (0, 0);
    let playing = async {
        while let Some(played) = players.join_next().await {
            let report = played.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
            sealed += report.sealed;
            refused += report.refused;
        }
        Ok::<_, String>(())
    };
    tokio::select! {
        played = playing => {
            played?;
            teller.tell().await.map_err(words)?;
            say(&format!("{sealed} envelopes sealed, {refused} orders refused at first"));
        }
        told = teller.tell_as_it_goes() => told?,
    }
    let Some(last) = teller.last else { return Err("no turn was played".to_owned()) };
    if let Some(result) = &last.result {
        say_result(result);
    }
    say(&format!("state hash {}", last.hash.hex()));
    Ok(())
}

/// Prints the turns of a game as they end.
struct Teller<'a> {
    games: &'a Games,
    game: GameId,
    /// After how many turns it is enough.
    turns: Option<u32>,
    /// The place in the chain that is looked at next.
    next: u32,
    /// The newest stage, or the last of those that were wanted.
    last: Option<OutcomeSummary>,
}

impl Teller<'_> {
    /// Goes on until enough turns were played, or something is wrong; with the game's end it only falls silent.
    async fn tell_as_it_goes(&mut self) -> Result<(), String> {
        let mut moves: watch::Receiver<Moves> = self.games.listen(self.game);
        loop {
            if self.tell().await.map_err(words)? {
                return Ok(());
            }
            if let Some(reason) = self.games.held(self.game).await.map_err(words)? {
                return Err(format!("the game is held: {reason}"));
            }
            moves.changed().await.map_err(|_| "the server has stopped".to_owned())?;
        }
    }

    /// Prints what is new; true when it is enough.
    async fn tell(&mut self) -> Result<bool, Refused> {
        for summary in self.games.summaries(self.game, self.next).await? {
            if self.is_enough() {
                break;
            }
            self.next += 1;
            say_stage(&summary);
            self.last = Some(summary);
        }
        Ok(self.is_enough())
    }

    fn is_enough(&self) -> bool {
        let (Some(turns), Some(last)) = (self.turns, &self.last) else { return false };
        turns <= last.key.turn && is_end_of_turn(last)
    }
}

fn is_end_of_turn(summary: &OutcomeSummary) -> bool {
    stage_of(summary.key.stage).is_some_and(|stage| stage.next().is_none())
}

fn say_stage(summary: &OutcomeSummary) {
    if !is_end_of_turn(summary) && summary.result.is_none() {
        return;
    }
    let OutcomeSummary { key, hash, units, figures, points, result: _ } = summary;
    say(&format!(
        "turn {}: Union {} units {} figures {} points, Confederate {} units {} figures {} points, {}",
        key.turn,
        units.union,
        figures.union,
        points.union,
        units.confederate,
        figures.confederate,
        points.confederate,
        &hash.hex()[..16]
    ));
}

fn say_result(result: &protocol::view::ResultView) {
    match result.winner {
        Some(side) => {
            say(&format!("the {side} wins, {} to {}", result.points.get(side), result.points.get(side.enemy())))
        }
        None => say("a draw"),
    }
    for line in &result.lines {
        say(&format!("  {line}"));
    }
}

fn words(refused: Refused) -> String {
    refused.message
}

#[expect(clippy::print_stdout, reason = "a command that reports to whoever runs it")]
fn say(line: &str) {
    println!("{line}");
}
