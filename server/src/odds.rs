//! `picket odds`: what a volley would do, before a die is thrown.
//!
//! Owns what is asked for on the command line and what is printed. The case is read as by [`crate::adjudicate`]; everything
//! is reckoned by [`rules::odds`].

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use protocol::ids::UnitId;
use protocol::message::{Odds, OddsFire};
use rules::adjudicate;
use rules::odds::NotAsked;

use crate::adjudicate::{complain, load};

/// Flags of `picket odds`.
#[derive(Args, Debug)]
pub struct OddsArgs {
    /// The case, a TOML file as for `picket adjudicate`; its dice and what it expects are passed over
    pub case: PathBuf,
    /// The unit that would fire, by its id
    pub firer: String,
    /// The enemy that it would fire at, by its id
    pub target: String,
    /// How it would fire; without it as the case orders it, else as on HOLD
    #[arg(long, value_enum)]
    pub fire: Option<Fire>,
    /// Print the answer as JSON, as the socket's `odds` has it
    #[arg(long)]
    pub json: bool,
}

/// By which order a volley is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Fire {
    /// On FIRST FIRE
    FirstFire,
    /// On HOLD
    Hold,
    /// After moving or forming
    Moving,
}

impl From<Fire> for OddsFire {
    fn from(fire: Fire) -> OddsFire {
        match fire {
            Fire::FirstFire => OddsFire::FirstFire,
            Fire::Hold => OddsFire::Hold,
            Fire::Moving => OddsFire::Moving,
        }
    }
}

/// Answers and prints. The exit code is 0 when there is an answer, be it that the unit would not fire; 2 when the case has
/// faults or the units are not in it.
pub fn run(args: &OddsArgs) -> ExitCode {
    let printed = match answer(args).and_then(|odds| printed(args, &odds)) {
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

fn answer(args: &OddsArgs) -> Result<Odds, String> {
    let case = load(&args.case)?;
    let (firer, target) = (UnitId::new(args.firer.as_str()), UnitId::new(args.target.as_str()));
    adjudicate::odds(&case, case.rules(), (&firer, &target), args.fire.map(OddsFire::from)).map_err(|error| {
        let told = match error {
            NotAsked::NotOwn => format!("there is no unit `{firer}` on the table"),
            NotAsked::NoSuchEnemy => format!("`{target}` is no enemy of `{firer}` on the table"),
        };
        format!("{}: {told}", args.case.display())
    })
}

fn printed(args: &OddsArgs, odds: &Odds) -> Result<String, String> {
    if !args.json {
        return Ok(adjudicate::odds_text(odds));
    }
    let json = serde_json::to_string_pretty(odds);
    json.map(|json| json + "\n").map_err(|cause| format!("the answer cannot be written as JSON: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of docs/odds.md: the case, the command's words, and what it prints.
    const DOCUMENT: &str = include_str!("../../docs/odds.md");

    fn block(language: &str) -> String {
        let begun = DOCUMENT.split(&format!("```{language}\n")).nth(1).expect("the document has it");
        begun.split("```").next().expect("a block ends").to_owned()
    }

    fn asked(target: &str, json: bool) -> (OddsArgs, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let case = folder.path().join("volley.toml");
        std::fs::write(&case, block("toml")).expect("it can be written");
        (OddsArgs { case, firer: "me20".to_owned(), target: target.to_owned(), fire: None, json }, folder)
    }

    #[test]
    fn the_documented_example_is_printed() {
        let (args, _folder) = asked("al15", false);
        assert_eq!(answer(&args).and_then(|odds| printed(&args, &odds)).expect("an answer"), block("text"));
    }

    #[test]
    fn json_is_the_answer_of_the_socket() {
        let (args, _folder) = asked("al15", true);
        let odds = answer(&args).expect("an answer");
        let read: Odds = serde_json::from_str(&printed(&args, &odds).expect("JSON")).expect("it is read again");
        assert_eq!(read, odds);
    }

    #[test]
    fn who_is_not_there_is_named() {
        let (args, _folder) = asked("nobody", false);
        assert!(answer(&args).expect_err("nobody").ends_with("`nobody` is no enemy of `me20` on the table"));
    }
}
