//! Writes the generated files. Run as `make gen`.

use std::process::ExitCode;

use tests::generated::files;

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
    ExitCode::SUCCESS
}
