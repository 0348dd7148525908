//! `picket bot`: a bot for one seat of any server, or both sides of a game of its own, for demonstrations and soak tests.
//!
//! [`battle`] fights one, [`table`] many, to measure how well the bot plays.

mod battle;
mod table;

use std::path::PathBuf;

use bot::Manner;
use clap::{Args, ValueEnum};
use protocol::ids::{BySide, Side};
use protocol::message::Deployment;
use protocol::orders::Stage;
use protocol::words::Fog;

use crate::run::SideArg;
use battle::{Fought, Wanted};

/// Flags of `picket bot`.
#[derive(Args, Debug)]
pub struct BotArgs {
    /// Play both sides of a new game to its end, on a server of its own
    #[arg(long, conflicts_with_all = ["server", "game", "token"])]
    pub both: bool,
    /// Play so many such games, the first with --seed, and print a table of them
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["server", "game", "token", "keep", "turns"])]
    pub table: Option<u32>,
    /// Whom the bot plays against in them: another like itself, or one that only holds
    #[arg(long, value_enum, default_value_t = Against::Bot)]
    pub against: Against,
    /// The side that the bot has in them; the one that it plays against has the other
    #[arg(long, value_enum, default_value_t = SideArg::Confederate)]
    pub side: SideArg,
    /// The scenario of that game
    #[arg(long, default_value = "little_round_top")]
    pub scenario: String,
    /// The file of a scenario that the server does not bring along, to play that game by
    #[arg(long, value_name = "FILE", conflicts_with = "scenario")]
    pub file: Option<PathBuf>,
    /// Let the bots place their troops in the zones of the scenario before turn 1
    #[arg(long)]
    pub deploy: bool,
    /// Open the windows after the reveal too, before fires and before charges and before movement
    #[arg(long)]
    pub windows: bool,
    /// Play it in the fog `line_of_sight`: each side has before it only the enemies whom it sees [default: as the scenario has it]
    #[arg(long)]
    pub line_of_sight: bool,
    /// Log what the bots order and see, with why charges are made
    #[arg(long)]
    pub tell: bool,
    /// Stop after so many turns of it [default: its end]
    #[arg(long, value_name = "NUMBER", requires = "both")]
    pub turns: Option<u32>,
    /// A house rule of that game, such as rally_two=stays; may be given again and again
    #[arg(long = "house", value_name = "RULE=CHOICE", value_parser = house_rule)]
    pub house: Vec<(String, String)>,
    /// Folder in which that game is kept [default: a temporary one]
    #[arg(long, value_name = "FOLDER", requires = "both")]
    pub keep: Option<PathBuf>,
    /// The server of the seat that is played
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub server: String,
    /// The game
    #[arg(long, value_name = "ID", required_unless_present_any = ["both", "table"])]
    pub game: Option<String>,
    /// The seat's token
    #[arg(long, env = "PICKET_SEAT_TOKEN", hide_env_values = true, required_unless_present_any = ["both", "table"])]
    pub token: Option<String>,
    /// Fixes what the bots do; with --both also dice, salts and identifiers, so that two runs end alike
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Whom a bot plays against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Against {
    /// Another bot that plays to win
    Bot,
    /// A bot that stays where it is and fires
    Hold,
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
    match (args.table, args.both, &args.game, &args.token) {
        (Some(battles), ..) => table::play(&wanted(args)?, battles).await,
        (None, false, Some(game), Some(token)) => play_seat(args, game, token).await,
        _ => play_both(args).await,
    }
}

/// What the flags want to see fought.
fn wanted(args: &BotArgs) -> Result<Wanted, String> {
    let read = |path: &PathBuf| {
        std::fs::read_to_string(path).map_err(|error| format!("`{}` cannot be read: {error}", path.display()))
    };
    let side = Side::from(args.side);
    let manner = |of: Side| if args.against == Against::Hold && of != side { Manner::Holds } else { Manner::Plays };
    Ok(Wanted {
        scenario: args.scenario.clone(),
        file: args.file.as_ref().map(read).transpose()?,
        house: args.house.clone(),
        deployment: if args.deploy { Deployment::Players } else { Deployment::Printed },
        fog: args.line_of_sight.then_some(Fog::LineOfSight),
        windows: args.windows.then(|| Stage::ALL.to_vec()),
        turns: args.turns,
        keep: args.keep.clone(),
        seed: args.seed,
        manner: BySide::from_fn(manner),
        aloud: args.table.is_none(),
    })
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
    let Fought { last, reports } = battle::fight(&wanted(args)?).await?;
    let of = |count: fn(&bot::Report) -> u32| count(&reports.union) + count(&reports.confederate);
    let (sealed, refused, illegal) = (of(|one| one.sealed), of(|one| one.refused), of(|one| one.illegal));
    if 0 < sealed {
        say(&format!("{sealed} envelopes sealed, {refused} orders refused at first, {illegal} in the end"));
    }
    if let Some(result) = &last.result {
        say_result(result);
    }
    say(&format!("state hash {}", last.hash.hex()));
    Ok(())
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

#[expect(clippy::print_stdout, reason = "a command that reports to whoever runs it")]
fn say(line: &str) {
    println!("{line}");
}
