//! What an operator can set: defaults, then `picket.toml`, then the environment, then flags; the later wins.
//!
//! Unknown keys are refused with their line. Nothing here acts; [`Config::load`] gives one value that holds all.

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Deserialize;

/// The file that is read when none is named and it is there.
pub const DEFAULT_FILE: &str = "picket.toml";

/// All settings, decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where the server keeps its files.
    pub data: PathBuf,
    /// The database.
    pub database: DatabaseUrl,
    /// The address under which players reach the server, without a slash at its end.
    pub public_url: String,
    /// How the log is written.
    pub log_format: LogFormat,
    /// What is logged, such as `info` or `server=debug`.
    pub log: String,
    /// Fixed dice, salts and identifiers: for tests and sandboxes only.
    pub seed: Option<u64>,
    /// One, two, four or eight times this after a window closed the outcomes of games with hidden things come out. LEAK-14
    pub release: Duration,
    /// What one client, or all together, may use up.
    pub limits: Limits,
}

/// A database url, whose password is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The url with its password, for the store.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((scheme, rest)) = self.0.split_once("://") else { return f.write_str(&self.0) };
        // The query may hold a password too.
        let rest = rest.split_once('?').map_or(rest, |(before, _)| before);
        let place = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
        write!(f, "{scheme}://{place}")
    }
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// A line to read.
    Text,
    /// A JSON object a line.
    Json,
}

/// What one client, or all together, may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at once; more are answered 503.
    pub connections: usize,
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// Bytes of a request's headers.
    pub header_bytes: usize,
    /// Time for a client to send its headers, and for an idle connection to send the next request.
    pub header_timeout: Duration,
    /// Time for a whole request, its body included, until it is answered. Sockets are not bound by it.
    pub request_timeout: Duration,
    /// Time for sockets and requests to end when the server stops.
    pub shutdown_timeout: Duration,
    /// Bytes of a socket's message before it has shown who it is.
    pub greeting_bytes: usize,
    /// Bytes of a seated socket's message.
    pub message_bytes: usize,
    /// Bytes of a socket's read and write buffers.
    pub socket_buffer_bytes: usize,
    /// Time for a socket to say who it is.
    pub greeting_timeout: Duration,
    /// How often a socket is asked whether its client is there; after two such times of silence it is closed.
    pub heartbeat: Duration,
    /// Commands that may wait to be written; more are refused.
    pub store_queue: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 4096,
            body_bytes: 256 * 1024,
            header_bytes: 16 * 1024,
            header_timeout: Duration::from_secs(10),
            request_timeout: Duration::from_secs(30),
            shutdown_timeout: Duration::from_secs(5),
            greeting_bytes: 4 * 1024,
            message_bytes: 256 * 1024,
            socket_buffer_bytes: 8 * 1024,
            greeting_timeout: Duration::from_secs(5),
            heartbeat: Duration::from_secs(20),
            store_queue: crate::store::DEFAULT_QUEUE,
        }
    }
}

/// The settings as flags and environment give them.
#[derive(Args, Clone, Debug, Default)]
pub struct ConfigArgs {
    /// Settings file [default: picket.toml, if it is there]
    #[arg(long, value_name = "FILE", env = "PICKET_CONFIG")]
    pub config: Option<PathBuf>,
    /// Address to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT", env = "PICKET_LISTEN")]
    pub listen: Option<SocketAddr>,
    /// Folder for the server's files [default: data]
    #[arg(long, value_name = "FOLDER", env = "PICKET_DATA")]
    pub data: Option<PathBuf>,
    /// Database: sqlite:FILE or postgres://USER@HOST/NAME [default: sqlite:<data>/picket.sqlite]
    #[arg(long, value_name = "URL", env = "PICKET_DATABASE", hide_env_values = true)]
    pub database: Option<String>,
    /// Address under which players reach the server, for links [default: http://<listen>]
    #[arg(long, value_name = "URL", env = "PICKET_PUBLIC_URL")]
    pub public_url: Option<String>,
    /// How the log is written [default: text]
    #[arg(long, value_enum, env = "PICKET_LOG_FORMAT")]
    pub log_format: Option<LogFormat>,
    /// What is logged, such as `warn` or `server=debug` [default: info]
    #[arg(long, value_name = "FILTER", env = "PICKET_LOG")]
    pub log: Option<String>,
    /// Fix dice, salts and identifiers by a number: for tests and sandboxes, never for a game that counts
    #[arg(long, value_name = "NUMBER", env = "PICKET_SEED")]
    pub seed: Option<u64>,
    /// Connections at once [default: 4096]
    #[arg(long, value_name = "COUNT", env = "PICKET_MAX_CONNECTIONS")]
    pub max_connections: Option<usize>,
}

/// The settings as the file gives them.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct ConfigFile {
    listen: Option<SocketAddr>,
    data: Option<PathBuf>,
    database: Option<String>,
    public_url: Option<String>,
    log_format: Option<LogFormat>,
    log: Option<String>,
    seed: Option<u64>,
    release_milliseconds: Option<u64>,
    #[serde(default)]
    limits: LimitsTable,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct LimitsTable {
    connections: Option<usize>,
    body_bytes: Option<usize>,
    header_bytes: Option<usize>,
    header_timeout_seconds: Option<u64>,
    request_timeout_seconds: Option<u64>,
    shutdown_timeout_seconds: Option<u64>,
    greeting_bytes: Option<usize>,
    message_bytes: Option<usize>,
    socket_buffer_bytes: Option<usize>,
    greeting_timeout_seconds: Option<u64>,
    heartbeat_seconds: Option<u64>,
    store_queue: Option<usize>,
}

/// Why the settings cannot be used: for the operator.
#[derive(Debug, PartialEq, Eq)]
pub struct ConfigError(String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Reads the file, if there is one, and lays environment and flags over it.
    pub fn load(args: &ConfigArgs) -> Result<Config, ConfigError> {
        let file = match &args.config {
            Some(path) => read(path)?,
            None if Path::new(DEFAULT_FILE).exists() => read(Path::new(DEFAULT_FILE))?,
            None => ConfigFile::default(),
        };
        Config::decide(args, file)
    }

    fn decide(args: &ConfigArgs, file: ConfigFile) -> Result<Config, ConfigError> {
        let ConfigFile { listen, data, database, public_url, log_format, log, seed, release_milliseconds, limits } =
            file;
        let listen = args.listen.or(listen).unwrap_or(SocketAddr::from(([127, 0, 0, 1], 8080)));
        let data = args.data.clone().or(data).unwrap_or_else(|| PathBuf::from("data"));
        let database = args
            .database
            .clone()
            .or(database)
            .unwrap_or_else(|| format!("sqlite:{}", data.join("picket.sqlite").display()));
        let public_url = args.public_url.clone().or(public_url).unwrap_or_else(|| format!("http://{listen}"));
        if !public_url.starts_with("http://") && !public_url.starts_with("https://") {
            return Err(ConfigError(format!(
                "public_url `{public_url}` does not begin with http:// or https://; write it as in a browser"
            )));
        }
        let mut limits = decide_limits(limits)?;
        if let Some(connections) = args.max_connections {
            limits.connections = connections;
        }
        if limits.connections == 0 {
            return Err(ConfigError("limits.connections is 0; nobody could connect".to_owned()));
        }
        let release = release_milliseconds.map_or(crate::games::RELEASE_STEP, Duration::from_millis);
        if release.is_zero() {
            return Err(ConfigError(
                "release_milliseconds is 0; the time of a computation would tell what is hidden".to_owned(),
            ));
        }
        Ok(Config {
            listen,
            data,
            database: DatabaseUrl(database),
            public_url: public_url.trim_end_matches('/').to_owned(),
            log_format: args.log_format.or(log_format).unwrap_or(LogFormat::Text),
            log: args.log.clone().or(log).unwrap_or_else(|| "info".to_owned()),
            seed: args.seed.or(seed),
            release,
            limits,
        })
    }
}

fn decide_limits(table: LimitsTable) -> Result<Limits, ConfigError> {
    let LimitsTable {
        connections,
        body_bytes,
        header_bytes,
        header_timeout_seconds,
        request_timeout_seconds,
        shutdown_timeout_seconds,
        greeting_bytes,
        message_bytes,
        socket_buffer_bytes,
        greeting_timeout_seconds,
        heartbeat_seconds,
        store_queue,
    } = table;
    let default = Limits::default();
    let seconds = |given: Option<u64>, default: Duration| given.map_or(default, Duration::from_secs);
    let limits = Limits {
        connections: connections.unwrap_or(default.connections),
        body_bytes: body_bytes.unwrap_or(default.body_bytes),
        header_bytes: header_bytes.unwrap_or(default.header_bytes),
        header_timeout: seconds(header_timeout_seconds, default.header_timeout),
        request_timeout: seconds(request_timeout_seconds, default.request_timeout),
        shutdown_timeout: seconds(shutdown_timeout_seconds, default.shutdown_timeout),
        greeting_bytes: greeting_bytes.unwrap_or(default.greeting_bytes),
        message_bytes: message_bytes.unwrap_or(default.message_bytes),
        socket_buffer_bytes: socket_buffer_bytes.unwrap_or(default.socket_buffer_bytes),
        greeting_timeout: seconds(greeting_timeout_seconds, default.greeting_timeout),
        heartbeat: seconds(heartbeat_seconds, default.heartbeat),
        store_queue: store_queue.unwrap_or(default.store_queue),
    };
    if limits.header_bytes < 8192 {
        return Err(ConfigError("limits.header_bytes is below 8192; browsers send more".to_owned()));
    }
    if limits.heartbeat.is_zero() {
        return Err(ConfigError("limits.heartbeat_seconds is 0; every socket would be closed at once".to_owned()));
    }
    if limits.store_queue == 0 {
        return Err(ConfigError("limits.store_queue is 0; nothing could be written".to_owned()));
    }
    Ok(limits)
}

fn read(path: &Path) -> Result<ConfigFile, ConfigError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| ConfigError(format!("`{}` cannot be read: {error}", path.display())))?;
    // The error of toml names line and column and shows the line.
    toml::from_str(&text)
        .map_err(|error| ConfigError(format!("`{}`: {}", path.display(), error.to_string().trim_end())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(args: ConfigArgs, file: &str) -> Result<Config, String> {
        let file = toml::from_str(file).map_err(|error| error.to_string())?;
        Config::decide(&args, file).map_err(|error| error.to_string())
    }

    #[test]
    fn nothing_set_listens_on_loopback_with_sqlite_in_data() {
        let config = decide(ConfigArgs::default(), "").expect("defaults are good");
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.database.expose(), "sqlite:data/picket.sqlite");
        assert_eq!(config.public_url, "http://127.0.0.1:8080");
        assert_eq!(config.limits, Limits::default());
    }

    #[test]
    fn flags_win_over_the_file_and_the_file_over_defaults() {
        let file = "listen = \"127.0.0.1:1\"\ndata = \"here\"\n[limits]\nconnections = 5\nheader_timeout_seconds = 2\n";
        let args = ConfigArgs { listen: Some(([127, 0, 0, 1], 2).into()), ..ConfigArgs::default() };
        let config = decide(args, file).expect("the file is good");
        assert_eq!(config.listen.port(), 2);
        assert_eq!(config.database.expose(), "sqlite:here/picket.sqlite");
        assert_eq!((config.limits.connections, config.limits.header_timeout), (5, Duration::from_secs(2)));
    }

    #[test]
    fn an_unknown_key_is_refused_with_its_line() {
        for (file, line, key) in
            [("log = \"info\"\nlisen = 1\n", "line 2", "lisen"), ("[limits]\nbody = 1\n", "line 2", "body")]
        {
            let error = decide(ConfigArgs::default(), file).expect_err("the key is unknown");
            assert!(error.contains(line) && error.contains(key), "{error}");
        }
    }

    #[test]
    fn a_password_is_never_printed() {
        for url in ["postgres://u:secret@host/db", "postgres://host/db?user=u&password=secret"] {
            let args = ConfigArgs { database: Some(url.to_owned()), ..ConfigArgs::default() };
            let config = decide(args, "").expect("the url is taken as it is");
            assert!(!format!("{config:?} {}", config.database).contains("secret"));
            assert!(config.database.to_string().ends_with("host/db"));
        }
    }

    #[test]
    fn settings_that_nobody_could_play_with_are_refused() {
        for file in [
            "release_milliseconds = 0",
            "public_url = \"example.org\"",
            "[limits]\nconnections = 0",
            "[limits]\nheader_bytes = 10",
        ] {
            assert!(decide(ConfigArgs::default(), file).is_err(), "{file}");
        }
    }
}
