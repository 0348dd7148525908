//! Writes the generated files, and lets `gallery` write those that are made of the rules. Run as `make gen`.

use std::process::{Command, ExitCode};

use tests::generated::{files, repository};

#[expect(clippy::print_stderr, clippy::print_stdout, reason = "a command that speaks to whoever runs it")]
fn main() -> ExitCode {
    let files = match files() {
        Ok(files) => files,
        Err(fault) => {
            eprintln!("gen: {fault}");
            return ExitCode::FAILURE;
        }
    };
    for file in files.iter().filter(|file| file.is_stale()) {
        let location = file.location();
        let folder = location.parent().expect("a generated file lies in a folder");
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&location, &file.text));
        if let Err(fault) = written {
            eprintln!("gen: {}: {fault}", file.path);
            return ExitCode::FAILURE;
        }
        println!("wrote {}", file.path);
    }
    // The rules are built only now: their constants may have been stale until a moment ago.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    match Command::new(cargo).args(["run", "--quiet", "--package", "gallery"]).current_dir(repository()).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(fault) => {
            eprintln!("gen: the pages of the rules are not written: {fault}");
            ExitCode::FAILURE
        }
    }
}
