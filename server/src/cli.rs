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
        Command::Serve(args) => {
            let config = match Config::load(&args.config) {
                Ok(config) => config,
                Err(complaint) => return refuse(&complaint.to_string()),
            };
            if let Err(complaint) = start_log(&config) {
                return refuse(&complaint);
            }
            match crate::serve::serve(config).await {
                Ok(()) => ExitCode::SUCCESS,
                Err(cause) => {
                    error!(%cause, "picket has to stop");
                    ExitCode::FAILURE
                }
            }
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

/// Complains to whoever typed the command, before there is a log.
#[expect(clippy::print_stderr, reason = "there is no log yet, and the complaint is for the terminal")]
fn refuse(complaint: &str) -> ExitCode {
    eprintln!("picket: {complaint}");
    ExitCode::from(2)
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
