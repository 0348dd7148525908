//! Writes the pictures. Run as part of `make gen`.

use std::path::Path;
use std::process::ExitCode;

#[expect(clippy::print_stderr, clippy::print_stdout, reason = "a command that speaks to whoever runs it")]
fn main() -> ExitCode {
    let pages = match gallery::pages() {
        Ok(pages) => pages,
        Err(fault) => {
            eprintln!("gallery: {fault}");
            return ExitCode::FAILURE;
        }
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("this crate lies in a folder of the repository");
    for page in pages {
        let location = root.join(&page.path);
        if std::fs::read_to_string(&location).ok().as_ref() == Some(&page.text) {
            continue;
        }
        let folder = location.parent().expect("a picture lies in a folder");
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&location, &page.text));
        if let Err(fault) = written {
            eprintln!("gallery: {}: {fault}", page.path);
            return ExitCode::FAILURE;
        }
        println!("wrote {}", page.path);
    }
    ExitCode::SUCCESS
}
