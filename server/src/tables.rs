//! `picket tables`: a club's own chart, checked and laid out for proof-reading. The form is in `docs/house-rules.md`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use rules::house::Chart;
use rules::ruleset;

/// A larger file is not read, bytes; the reader says so of a smaller one that is still too large.
const MOST_BYTES: u64 = 1 << 20;

/// Flags of `picket tables`.
#[derive(Args, Debug)]
pub struct TablesArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: TablesCommand,
}

/// What can be done with the tables.
#[derive(Subcommand, Debug)]
pub enum TablesCommand {
    /// Read a club's own chart and say what is wrong with it
    Check {
        /// The chart, a TOML file
        file: PathBuf,
    },
    /// Print every number of the game for proof-reading, as Markdown
    Page {
        /// A club's own chart, whose cells are marked [default: none]
        file: Option<PathBuf>,
    },
}

/// Does it. The answer is for standard output, the error for the terminal.
pub fn answer(args: &TablesArgs) -> Result<String, String> {
    match &args.command {
        TablesCommand::Check { file } => {
            let chart = read(file)?;
            let cells = chart.cells().len();
            Ok(format!("{}: {} is good: {cells} cells differ\n", file.display(), chart.title()))
        }
        TablesCommand::Page { file } => {
            let chart = file.as_deref().map(read).transpose()?;
            ruleset::page(chart.as_ref())
        }
    }
}

/// Does it and prints the answer.
#[expect(clippy::print_stdout, reason = "a command that answers whoever runs it")]
pub fn run(args: &TablesArgs) -> Result<(), String> {
    print!("{}", answer(args)?);
    Ok(())
}

fn read(file: &Path) -> Result<Chart, String> {
    let unreadable = |error: std::io::Error| format!("`{}` cannot be read: {error}", file.display());
    let mut text = String::new();
    let opened = std::fs::File::open(file).map_err(unreadable)?;
    opened.take(MOST_BYTES).read_to_string(&mut text).map_err(unreadable)?;
    Chart::read(&text).map_err(|faults| {
        let lines: Vec<String> = faults.iter().map(|fault| format!("{}: {fault}", file.display())).collect();
        format!("`{}` is not a good chart\n{}", file.display(), lines.join("\n"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> PathBuf {
        let file = std::env::temp_dir().join(format!("picket-tables-{}-{name}.toml", std::process::id()));
        std::fs::write(&file, text).expect("a temporary folder can be written");
        file
    }

    #[test]
    fn a_good_chart_is_counted_and_a_bad_one_told_line_by_line() {
        let good = file("good", "format = 1\ntitle = \"Ours\"\n[dice]\nhold = 4\n");
        let told = answer(&TablesArgs { command: TablesCommand::Check { file: good.clone() } }).expect("it is good");
        assert_eq!(told, format!("{}: Ours is good: 1 cells differ\n", good.display()));
        let page = answer(&TablesArgs { command: TablesCommand::Page { file: Some(good.clone()) } }).expect("a page");
        assert!(page.contains("Own chart: 1 cells differ."));
        let bad = file("bad", "format = 1\n[dice]\nhild = 4\nmoved = true\n");
        let told = answer(&TablesArgs { command: TablesCommand::Check { file: bad.clone() } }).expect_err("it is not");
        let lines: Vec<&str> = told.lines().skip(1).collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].ends_with(": line 3, column 1: `dice.hild` is no cell of the tables"), "{told}");
        for file in [good, bad] {
            std::fs::remove_file(file).expect("it was written");
        }
    }
}
