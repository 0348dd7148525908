//! `picket adjudicate`: a referee's bench for the terminal.
//!
//! Owns the reading of the case's file and of the scenario that it names, and what is printed. The case is read and settled by
//! [`rules::adjudicate`]; the form is in `docs/adjudicate.md`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use rules::adjudicate::{self, Case, Roll, Settled};

/// Flags of `picket adjudicate`.
#[derive(Args, Debug)]
pub struct AdjudicateArgs {
    /// The case, a TOML file
    pub case: PathBuf,
    /// Print it for reading instead of as JSON: a paragraph an event, sums and dice under it
    #[arg(long)]
    pub text: bool,
    /// Roll the dice from a seed of 1 to 64 hexadecimal digits, such as seed:7, and print them as lines of a case
    #[arg(long, value_name = "seed:HEX", value_parser = seed)]
    pub dice: Option<Roll>,
}

/// Settles the case and prints it. The exit code is 0 when it came out as the case expects, 1 when it came out otherwise, 2 when
/// the case has faults.
pub fn run(args: &AdjudicateArgs) -> ExitCode {
    let settled = match load(&args.case).and_then(|case| settle(args, &case)) {
        Ok(settled) => settled,
        Err(complaint) => {
            complain(&complaint);
            return ExitCode::from(2);
        }
    };
    let printed = match printed(args, &settled) {
        Ok(printed) => printed,
        Err(complaint) => {
            complain(&complaint);
            return ExitCode::FAILURE;
        }
    };
    if let Err(cause) = std::io::stdout().lock().write_all(printed.as_bytes()) {
        complain(&format!("the result cannot be printed: {cause}"));
        return ExitCode::FAILURE;
    }
    if settled.unmet.is_empty() {
        return ExitCode::SUCCESS;
    }
    complain(&format!("{} did not come out as it expects:\n{}", args.case.display(), settled.unmet.join("\n")));
    ExitCode::FAILURE
}

/// Reads a case, with the scenario that it names.
pub(crate) fn load(path: &Path) -> Result<Case, String> {
    let text = fs::read_to_string(path).map_err(|cause| format!("{} cannot be read: {cause}", path.display()))?;
    let beside = path.parent().unwrap_or(Path::new("."));
    adjudicate::read(&text, |name| scenario(beside, name)).map_err(|faults| {
        let lines: Vec<String> = faults.iter().map(|fault| format!("{}: {fault}", path.display())).collect();
        lines.join("\n")
    })
}

/// A scenario by its path, or by its word: beside the case, or in `scenarios/` where the command was given.
fn scenario(beside: &Path, name: &str) -> Result<String, String> {
    let word = format!("{name}.toml");
    let places =
        [beside.join(name), beside.join(&word), Path::new("scenarios").join(name), Path::new("scenarios").join(word)];
    let Some(path) = places.iter().find(|path| path.is_file()) else {
        let looked: Vec<String> = places.iter().map(|path| path.display().to_string()).collect();
        return Err(format!("there is no such file; looked for {}", looked.join(", ")));
    };
    fs::read_to_string(path).map_err(|cause| cause.to_string())
}

fn settle(args: &AdjudicateArgs, case: &Case) -> Result<Settled, String> {
    let roll = args.dice.clone().unwrap_or(Roll::Script);
    adjudicate::settle(case, case.rules(), &roll).map_err(|error| format!("{}: {error}", args.case.display()))
}

fn printed(args: &AdjudicateArgs, settled: &Settled) -> Result<String, String> {
    if !args.text {
        let json = serde_json::to_string_pretty(settled);
        return json.map(|json| json + "\n").map_err(|cause| format!("the result cannot be written as JSON: {cause}"));
    }
    let mut text = adjudicate::text(settled);
    if args.dice.is_some() {
        text.push_str("\nThe dice, as lines of a case\n\n");
        text.push_str(&settled.script());
    }
    Ok(text)
}

/// `seed:HEX`
fn seed(text: &str) -> Result<Roll, String> {
    let wanted = || "write seed: and 1 to 64 hexadecimal digits, such as seed:7".to_owned();
    let digits = text.strip_prefix("seed:").ok_or_else(wanted)?;
    if digits.is_empty() || 64 < digits.len() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(wanted());
    }
    let whole = format!("{digits:0>64}");
    let mut seed = [0; 32];
    for (n, byte) in seed.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&whole[2 * n..2 * n + 2], 16).map_err(|_| wanted())?;
    }
    Ok(Roll::Seed(seed))
}

#[expect(clippy::print_stderr, reason = "the complaint is for whoever typed the command")]
pub(crate) fn complain(complaint: &str) {
    eprintln!("picket: {complaint}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_hexadecimal() {
        let mut seven = [0; 32];
        seven[31] = 7;
        assert_eq!(seed("seed:7"), Ok(Roll::Seed(seven)));
        for wrong in ["7", "seed:", "seed:x", &format!("seed:{}", "0".repeat(65))] {
            assert!(seed(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_scenario_is_found_beside_the_case() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("hill.toml"), "format = 1\n").unwrap();
        assert_eq!(scenario(folder.path(), "hill"), Ok("format = 1\n".to_owned()));
        assert_eq!(scenario(folder.path(), "hill.toml"), Ok("format = 1\n".to_owned()));
        assert!(scenario(folder.path(), "dale").unwrap_err().starts_with("there is no such file"));
    }

    #[test]
    fn faults_of_a_case_are_told_with_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("case.toml");
        fs::write(&path, "title = 3\n").unwrap();
        let told = load(&path).unwrap_err();
        assert!(told.starts_with(&format!("{}: line 1, column ", path.display())), "{told}");
    }
}
