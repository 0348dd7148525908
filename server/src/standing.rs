//! `picket standing`: how a unit stands, before anything happens to it.
//!
//! Owns what is asked for on the command line and what is printed. The case is read as by [`crate::adjudicate`]; everything
//! is reckoned by [`rules::standing`].

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use protocol::ids::UnitId;
use rules::adjudicate;

use crate::adjudicate::{complain, load};

/// Flags of `picket standing`.
#[derive(Args, Debug)]
pub struct StandingArgs {
    /// The case, a TOML file as for `picket adjudicate`; its dice and what it expects are passed over
    pub case: PathBuf,
    /// The unit, by its id
    pub unit: String,
    /// Print the answer as JSON, as the socket's `standing` has it
    #[arg(long)]
    pub json: bool,
}

/// Answers and prints. The exit code is 0 when there is an answer; 2 when the case has faults or the unit is not in it.
pub fn run(args: &StandingArgs) -> ExitCode {
    let printed = match printed(args) {
        Ok(printed) => printed,
        Err(complaint) => {
            complain(&complaint);
            return ExitCode::from(2);
        }
    };
    if let Err(cause) = std::io::stdout().lock().write_all(printed.as_bytes()) {
        complain(&format!("the answer cannot be printed: {cause}"));
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn printed(args: &StandingArgs) -> Result<String, String> {
    let case = load(&args.case)?;
    let unit = UnitId::new(args.unit.as_str());
    let standing = adjudicate::standing(&case, case.rules(), &unit)
        .ok_or_else(|| format!("{}: there is no unit `{unit}` on the table", args.case.display()))?;
    if !args.json {
        return Ok(adjudicate::standing_text(&case, &standing));
    }
    let json = serde_json::to_string_pretty(&standing);
    json.map(|json| json + "\n").map_err(|cause| format!("the answer cannot be written as JSON: {cause}"))
}

#[cfg(test)]
mod tests {
    use protocol::standing::Standing;

    use super::*;

    /// The worked example of docs/standing.md: the case, the command's words, and what it prints.
    const DOCUMENT: &str = include_str!("../../docs/standing.md");

    fn block(language: &str) -> String {
        let begun = DOCUMENT.split(&format!("```{language}\n")).nth(1).expect("the document has it");
        begun.split("```").next().expect("a block ends").to_owned()
    }

    fn asked(unit: &str, json: bool) -> (StandingArgs, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let case = folder.path().join("line.toml");
        std::fs::write(&case, block("toml")).expect("it can be written");
        (StandingArgs { case, unit: unit.to_owned(), json }, folder)
    }

    #[test]
    fn the_documented_example_is_printed() {
        let (args, _folder) = asked("me20", false);
        assert_eq!(printed(&args).expect("an answer"), block("text"));
    }

    #[test]
    fn json_is_the_answer_of_the_socket() {
        let (args, _folder) = asked("me20", true);
        let read: Standing = serde_json::from_str(&printed(&args).expect("JSON")).expect("it is read again");
        assert!(read.own && read.command.is_some());
    }

    #[test]
    fn who_is_not_there_is_named() {
        let (args, _folder) = asked("nobody", false);
        assert!(printed(&args).expect_err("nobody").ends_with("there is no unit `nobody` on the table"));
    }
}
