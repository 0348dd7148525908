//! `picket`: the server and its tools. See `server::cli`.

use std::process::ExitCode;

use clap::Parser as _;
use server::cli::{Cli, run};

#[tokio::main]
async fn main() -> ExitCode {
    run(Cli::parse()).await
}
