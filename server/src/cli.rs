//! The command line: one variant a command, each with its help.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use tracing::error;
use tracing_subscriber::EnvFilter;

use crate::config::{Config, ConfigArgs, LogFormat};

/// Play Johnny Reb III over the internet: hidden orders, revealed together, resolved by the book.
#[derive(Parser, Debug)]
#[command(name = "picket", version, arg_required_else_help = true)]
#[command(after_help = "`picket COMMAND --help` says more about a command.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What `picket` can do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Start the server
    ///
    /// Settings come from picket.toml, then from the environment, then from flags; the later wins. Without any, the
    /// server listens on http://127.0.0.1:8080 and keeps its games in data/picket.sqlite. To play over the internet,
    /// put a proxy with TLS in front and set --public-url.
    Serve(ServeArgs),
    /// Play Little Round Top against a bot, on this machine
    ///
    /// Starts a server, begins a battle, and prints the address that opens your seat. Started again, the same battle goes
    /// on at the same address. Settings as for `picket serve`; only warnings are logged unless --log says otherwise.
    Run(crate::run::RunArgs),
    /// Let a bot play a seat, or both sides of a game of its own
    Bot(crate::soak::BotArgs),
    /// Check or draw a scenario file
    Scenario(crate::scenario::ScenarioArgs),
    /// Check a club's own chart, or print every number of the game
    Tables(crate::tables::TablesArgs),
    /// Settle a situation of a real table: a case with its orders and dice
    ///
    /// Prints what the rules make of it, every sum and rule named, and how the units stand afterwards.
    Adjudicate(crate::adjudicate::AdjudicateArgs),
    /// Say what a volley would do, exactly, before a die is thrown
    ///
    /// Reads a case as `picket adjudicate` does, and prints how likely each loss of the target is and what may become of its
    /// morale, with every sum and rule named.
    Odds(crate::odds::OddsArgs),
    /// Say how a unit stands: what it must beat in a check, who commands it, who helps it, what its commands have lost
    ///
    /// Reads a case as `picket adjudicate` does, and answers from what the side of the unit knows.
    Standing(crate::standing::StandingArgs),
    /// Prove on this build that what is hidden stays hidden
    ///
    /// Plays random battles twice side by side, the second time with other things under the enemy's pickets, and compares every
    /// byte that a player would be sent, until something is opened to all. Fails, with the seed, if there is a difference.
    SecrecyCheck(crate::secrecy::SecrecyArgs),
    /// Recompute every die of a game that is over, from what its server has disclosed
    ///
    /// Reads the record that the server gives to the players of a game when it is over, and checks commitments, receipts and dice as
    /// docs/dice.md states them. Ends with 0 if all agrees, with 1 if something does not, with 2 if the file is no record.
    Verify(crate::verify::VerifyArgs),
}

/// Flags of `picket serve`.
#[derive(Args, Debug)]
pub struct ServeArgs {
    /// The settings.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// Carries out what the command line asks for.
pub async fn run(cli: Cli) -> ExitCode {
    match cli.command {
        Command::Adjudicate(args) => crate::adjudicate::run(&args),
        Command::Odds(args) => crate::odds::run(&args),
        Command::Standing(args) => crate::standing::run(&args),
        Command::SecrecyCheck(args) => finished(crate::secrecy::run(&args)),
        Command::Verify(args) => crate::verify::run(&args),
        Command::Serve(args) => match prepare(&args.config) {
            Ok(config) => match crate::serve::serve(config).await {
                Ok(()) => ExitCode::SUCCESS,
                Err(cause) => {
                    error!(%cause, "picket has to stop");
                    ExitCode::FAILURE
                }
            },
            Err(complaint) => refuse(&complaint),
        },
        Command::Run(mut args) => {
            args.config.log.get_or_insert_with(|| QUIET.to_owned());
            match prepare(&args.config) {
                Ok(config) => finished(crate::run::run(&args, config).await.map_err(|cause| cause.to_string())),
                Err(complaint) => refuse(&complaint),
            }
        }
        Command::Bot(args) => {
            let log = if args.tell { TOLD } else { QUIET };
            match prepare(&ConfigArgs { log: Some(log.to_owned()), ..ConfigArgs::default() }) {
                Ok(_) => finished(crate::soak::run(&args).await),
                Err(complaint) => refuse(&complaint),
            }
        }
        Command::Scenario(args) => finished(crate::scenario::run(&args)),
        Command::Tables(args) => finished(crate::tables::run(&args)),
    }
}

/// What commands log that speak to the terminal themselves.
const QUIET: &str = "warn";
/// The same with what a bot orders and sees.
const TOLD: &str = "warn,bot::play=debug";

/// The settings, with the log started as they say.
fn prepare(args: &ConfigArgs) -> Result<Config, String> {
    let config = Config::load(args).map_err(|complaint| complaint.to_string())?;
    start_log(&config)?;
    Ok(config)
}

fn finished(done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => {
            complain(&complaint);
            ExitCode::FAILURE
        }
    }
}

/// Writes the log to standard error, as the settings say.
pub fn start_log(config: &Config) -> Result<(), String> {
    let filter = EnvFilter::try_new(&config.log)
        .map_err(|error| format!("log `{}` is no filter: {error}; write `info` or `server=debug`", config.log))?;
    let colours = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(std::io::stderr);
    let started = match config.log_format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().try_init(),
    };
    started.map_err(|error| format!("the log cannot be started: {error}"))
}

/// Complains about a command that cannot be begun.
fn refuse(complaint: &str) -> ExitCode {
    complain(complaint);
    ExitCode::from(2)
}

#[expect(clippy::print_stderr, reason = "the complaint is for whoever typed the command")]
fn complain(complaint: &str) {
    eprintln!("picket: {complaint}");
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_flag_of_serve_says_what_it_does() {
        let mut command = Cli::command();
        command.build();
        let serve = command.find_subcommand("serve").expect("serve is a command");
        for argument in serve.get_arguments() {
            assert!(argument.get_help().is_some(), "--{} has no help", argument.get_id());
        }
    }
}
