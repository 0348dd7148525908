//! `picket scenario`: a mapper's tools. A file is read as the server reads it; every complaint has its line and column.

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
    /// Draw a file's map and deployment as SVG
    Render {
        /// The scenario file
        file: PathBuf,
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
        ScenarioCommand::Render { file, output } => {
            let drawing = render::svg(&read(file)?);
            match output {
                Some(path) => std::fs::write(path, drawing)
                    .map_err(|error| format!("`{}` cannot be written: {error}", path.display())),
                None => {
                    print(&drawing);
                    Ok(())
                }
            }
        }
    }
}

fn read(file: &Path) -> Result<Scenario, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("`{}` cannot be read: {error}", file.display()))?;
    scenario::read(&text).map_err(|faults| {
        let lines: Vec<String> = faults.iter().map(|fault| format!("{}: {fault}", file.display())).collect();
        format!("`{}` is not a good scenario\n{}", file.display(), lines.join("\n"))
    })
}

#[expect(clippy::print_stdout, reason = "a command that answers whoever runs it")]
fn print(text: &str) {
    println!("{text}");
}
