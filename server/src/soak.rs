//! `picket bot`: a bot for one seat of any server, or both sides of a game of its own, for demonstrations and soak tests.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use protocol::ids::Side;
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
    let moves = games.listen(created.game);
    let mut told = 0;
    tell(games, created.game, &mut told).await.map_err(words)?;
    let telling = tell_as_it_goes(games, created.game, moves, &mut told);
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
        played = playing => played?,
        held = telling => return Err(held),
    }
    let last = tell(games, created.game, &mut told).await.map_err(words)?;
    let Some(last) = last else { return Err("the game has no stage".to_owned()) };
    if let Some(result) = &last.result {
        say_result(result);
    }
    say(&format!("{sealed} envelopes sealed, {refused} orders refused at first"));
    say(&format!("state hash {}", last.hash.hex()));
    Ok(())
}

/// Prints turns as they end. Ends only when something is wrong.
async fn tell_as_it_goes(games: &Games, game: GameId, mut moves: watch::Receiver<Moves>, told: &mut u32) -> String {
    loop {
        if moves.changed().await.is_err() {
            return "the server has stopped".to_owned();
        }
        if let Err(refused) = tell(games, game, told).await {
            return refused.message;
        }
        match games.held(game).await {
            Ok(Some(reason)) => return format!("the game is held: {reason}"),
            Ok(None) => {}
            Err(refused) => return refused.message,
        }
    }
}

/// Prints the stages that are new; gives the newest.
async fn tell(games: &Games, game: GameId, told: &mut u32) -> Result<Option<OutcomeSummary>, Refused> {
    let summaries = games.summaries(game, *told).await?;
    // The newest is read again next time, so that it can be given back.
    *told += summaries.len().saturating_sub(1) as u32;
    for summary in &summaries {
        say_stage(summary);
    }
    Ok(summaries.into_iter().next_back())
}

fn say_stage(summary: &OutcomeSummary) {
    let is_end_of_turn = stage_of(summary.key.stage).is_some_and(|stage| stage.next().is_none());
    if !is_end_of_turn && summary.result.is_none() {
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
