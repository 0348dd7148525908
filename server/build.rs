//! Lists the files that the binary carries: the built browser client, and every scenario of `scenarios/`. Without a built
//! client its list is empty, and the server says so on its page.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    scenarios(&Path::new(&manifest).join("../scenarios"))?;
    let dist = Path::new(&manifest).join("../web-client/dist");
    // Cargo rebuilds each time when a watched path is missing; an empty folder is watched well.
    fs::create_dir_all(&dist)?;
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut files = Vec::new();
    collect(&dist, &mut files)?;
    files.sort();
    let mut list = String::from("pub(super) static FILES: &[(&str, &[u8])] = &[\n");
    for file in files {
        let name = file.strip_prefix(&dist).map_err(io::Error::other)?.display().to_string().replace('\\', "/");
        // Maps are for whoever builds the client.
        if !name.ends_with(".map") {
            writeln!(list, "    ({name:?}, include_bytes!({:?})),", file.display().to_string())
                .map_err(io::Error::other)?;
        }
    }
    list.push_str("];\n");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("client_files.rs"), list)
}

/// The shelf: each TOML file of the folder, in the order of their names. A new file is on it with the next build.
fn scenarios(folder: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut list = String::from("/// The scenario files that come with the server.\nstatic FILES: &[&str] = &[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        writeln!(list, "    include_str!({:?}),", file.display().to_string()).map_err(io::Error::other)?;
    }
    list.push_str("];\n");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("scenario_files.rs"), list)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
