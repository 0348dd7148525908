//! A throw-away Postgres cluster for tests: made in a temporary folder, reached by a Unix socket, gone with its value.
//!
//! It needs only the standard library, so that tests of other crates can take this file in by its path.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A running cluster. Dropping it stops the server and removes its files.
pub struct Cluster {
    programs: PathBuf,
    folder: PathBuf,
    /// Whether the programs are run as user `postgres`, which they insist on when we are root.
    as_postgres: bool,
    databases: AtomicU32,
}

impl Cluster {
    /// Starts a cluster. Without Postgres' programs it says so in one line and gives none; with
    /// `PICKET_REQUIRE_POSTGRES=1` that is a failure instead.
    pub fn start() -> Option<Cluster> {
        match Cluster::try_start() {
            Ok(cluster) => Some(cluster),
            Err(why) if std::env::var("PICKET_REQUIRE_POSTGRES").is_ok_and(|value| value == "1") => {
                panic!("Postgres tests are required and cannot run: {why}")
            }
            Err(why) => {
                say(&format!("Postgres tests are passed over: {why}"));
                None
            }
        }
    }

    fn try_start() -> Result<Cluster, String> {
        let programs = find_programs().ok_or("no `initdb` is found; install Postgres to run them")?;
        let as_postgres = text(&run(&mut Command::new("id"), &["-u"])?).trim() == "0";
        if as_postgres {
            run(&mut Command::new("id"), &["-u", "postgres"])
                .map_err(|_| "we are root, and there is no user `postgres` to run them as")?;
        }
        let folder = new_folder()?;
        let cluster = Cluster { programs, folder, as_postgres, databases: AtomicU32::new(0) };
        if as_postgres {
            run(&mut Command::new("chown"), &["postgres", &cluster.folder.display().to_string()])?;
        }
        let data = cluster.data();
        cluster.program(
            "initdb",
            &["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-locale", "-D", &data],
        )?;
        cluster.up()?;
        Ok(cluster)
    }

    /// Makes an empty database and gives its url.
    pub fn database(&self) -> String {
        let name = format!("picket_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let socket = self.folder.display().to_string();
        self.program("createdb", &["-h", &socket, "-U", "postgres", &name]).expect("an empty database can be made");
        format!("postgres://postgres@localhost/{name}?host={socket}")
    }

    /// Kills the server at once, as a crash would. [`Cluster::up`] starts it again.
    pub fn crash(&self) -> Result<(), String> {
        self.program("pg_ctl", &["-D", &self.data(), "-m", "immediate", "-w", "stop"])
    }

    /// Starts the server and waits until it answers.
    pub fn up(&self) -> Result<(), String> {
        let options = format!("-k {} -c listen_addresses='' -c max_connections=50", self.folder.display());
        let log = self.folder.join("log").display().to_string();
        self.program("pg_ctl", &["-D", &self.data(), "-w", "-l", &log, "-o", &options, "start"])
    }

    fn data(&self) -> String {
        self.folder.join("data").display().to_string()
    }

    /// Runs one of Postgres' programs as the user it insists on.
    fn program(&self, name: &str, arguments: &[&str]) -> Result<(), String> {
        let path = self.programs.join(name);
        let mut command = if self.as_postgres {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        // The server would keep an inherited pipe open and the wait for it would never end.
        command.current_dir(&self.folder).stdin(std::process::Stdio::null());
        if name == "pg_ctl" {
            let status = command
                .args(arguments)
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .status()
                .map_err(|error| format!("`{name}` does not run: {error}"))?;
            return if status.success() { Ok(()) } else { Err(format!("`{name}` failed: {}", self.log())) };
        }
        run(&mut command, arguments).map(drop)
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_else(|_| "it left no log".to_owned())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // A cluster that was crashed by its test does not stop a second time.
        let _already_down = self.crash();
        if let Err(error) = std::fs::remove_dir_all(&self.folder) {
            say(&format!("{} stays behind: {error}", self.folder.display()));
        }
    }
}

/// The folder with Postgres' programs: where `initdb` really is, since most systems keep it out of the way.
fn find_programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|entries| entries.flatten().map(|entry| entry.path().join("bin")).collect())
        .unwrap_or_default();
    versions.sort();
    folders.extend(versions.into_iter().rev());
    let whole = |folder: &Path| ["initdb", "pg_ctl", "postgres", "createdb"].iter().all(|it| folder.join(it).exists());
    folders
        .iter()
        .filter_map(|folder| std::fs::canonicalize(folder.join("initdb")).ok())
        .filter_map(|initdb| initdb.parent().map(Path::to_path_buf))
        .find(|folder| whole(folder))
}

/// A new folder, short enough for the path of a socket.
fn new_folder() -> Result<PathBuf, String> {
    static FOLDERS: AtomicU32 = AtomicU32::new(0);
    for _ in 0..1000 {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("picket-pg-{}-{number}", std::process::id()));
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("no folder can be made for it: {error}")),
        }
    }
    Err("no folder can be made for it".to_owned())
}

fn run(command: &mut Command, arguments: &[&str]) -> Result<Output, String> {
    let output = command.args(arguments).output().map_err(|error| format!("{command:?} does not run: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)))
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[expect(clippy::print_stderr, reason = "whoever runs the tests has to see that some were passed over")]
fn say(line: &str) {
    eprintln!("{line}");
}
