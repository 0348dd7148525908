//! `picket scenario`: a mapper's tools. A file is read as the server reads it; every complaint has its line and column.

mod png;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use rules::scenario::{self, Scenario, render};

/// Flags of `picket scenario`.
#[derive(Args, Debug)]
pub struct ScenarioArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: ScenarioCommand,
}

/// What can be done with a scenario file.
#[derive(Subcommand, Debug)]
pub enum ScenarioCommand {
    /// Read a file and say what is wrong with it
    Check {
        /// The scenario file
        file: PathBuf,
    },
    /// Draw a file's map and deployment as SVG, or as PNG
    Render {
        /// The scenario file
        file: PathBuf,
        /// Draw a PNG instead of an SVG; names are written in the fonts of this machine
        #[arg(long)]
        png: bool,
        /// How wide the PNG is, in pixels
        #[arg(long, default_value_t = 2400, value_parser = clap::value_parser!(u32).range(100..=20_000), requires = "png")]
        width: u32,
        /// A font file for the names of the PNG, besides those of this machine; may be given again
        #[arg(long, value_name = "FILE", requires = "png")]
        font: Vec<PathBuf>,
        /// Where to write the drawing [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

/// Does it. The error is for the terminal.
pub fn run(args: &ScenarioArgs) -> Result<(), String> {
    match &args.command {
        ScenarioCommand::Check { file } => {
            let scenario = read(file)?;
            let units = scenario.forces.len();
            print(&format!(
                "{}: {} is good: {units} units, {} turns",
                file.display(),
                scenario.title,
                scenario.clock.turns
            ));
            Ok(())
        }
        ScenarioCommand::Render { file, png, width, font, output } => {
            let drawing = render::svg(&read(file)?);
            let bytes = if *png { png::png(&drawing, *width, font)? } else { drawing.into_bytes() };
            match output {
                Some(path) => std::fs::write(path, bytes)
                    .map_err(|error| format!("`{}` cannot be written: {error}", path.display())),
                None => {
                    let mut out = std::io::stdout().lock();
                    let written = out.write_all(&bytes).and_then(|()| out.flush());
                    written.map_err(|error| format!("the drawing cannot be written: {error}"))
                }
            }
        }
    }
}

/// Reads a file as the server does.
fn read(file: &Path) -> Result<Scenario, String> {
    let unreadable = |error: std::io::Error| format!("`{}` cannot be read: {error}", file.display());
    // What is too large to be a scenario is refused before it fills the memory.
    let size = std::fs::metadata(file).map_err(unreadable)?.len();
    if scenario::MOST_BYTES as u64 <= size.saturating_sub(1) {
        let most = scenario::MOST_BYTES;
        return Err(format!("`{}` is too large: a scenario has at most {most} bytes", file.display()));
    }
    let bytes = std::fs::read(file).map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("`{}` is no text: line {line} has a byte that is not UTF-8", file.display())
    })?;
    scenario::read(&text).map_err(|faults| {
        let lines: Vec<String> = faults.iter().map(|fault| format!("{}: {fault}", file.display())).collect();
        format!("`{}` is not a good scenario\n{}", file.display(), lines.join("\n"))
    })
}

#[expect(clippy::print_stdout, reason = "a command that answers whoever runs it")]
fn print(text: &str) {
    println!("{text}");
}
