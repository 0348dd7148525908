//! Opening a database: which one, with which settings, and whether they hold.
//!
//! Durability is set by name and read back. A database that does not promise to keep what it acknowledges is refused.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};

use super::OpenError;
use super::connection::{Connection, sql};

/// 3.7.0 to 3.51.2 can lose committed writes when one connection writes while another checkpoints.
const OLDEST_SQLITE: (u32, u32, u32) = (3, 51, 3);
/// Pages in the log at which a commit checkpoints by itself. Only a backstop: the writer does it when idle.
const AUTOCHECKPOINT_PAGES: &str = "4000";
/// How long a second process on the same SQLite file is waited for.
const BUSY: Duration = Duration::from_secs(5);

/// A database to connect to.
#[derive(Clone)]
pub(crate) enum Database {
    Sqlite(Box<SqliteConnectOptions>),
    Postgres(Box<PgConnectOptions>),
}

impl Database {
    /// Reads `sqlite:PATH` or `postgres://...`.
    pub(crate) fn parse(url: &str) -> Result<Self, OpenError> {
        if let Some(path) = url.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return match path {
                "" => Err(OpenError("the database url names no file; write `sqlite:data/picket.sqlite`".to_owned())),
                path => Ok(Database::sqlite(PathBuf::from(path))),
            };
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let options = PgConnectOptions::from_str(url)
                .map_err(|error| OpenError::new("the database url cannot be read", error))?
                .application_name("picket")
                .disable_statement_logging();
            return Ok(Database::Postgres(Box::new(options)));
        }
        Err(OpenError("the database url begins with neither `sqlite:` nor `postgres:`".to_owned()))
    }

    fn sqlite(path: PathBuf) -> Self {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY)
            .pragma("wal_autocheckpoint", AUTOCHECKPOINT_PAGES)
            .disable_statement_logging();
        Database::Sqlite(Box::new(options))
    }

    /// How many tasks write. SQLite has one writer by nature; Postgres overlaps the commits of several.
    pub(crate) fn writers(&self) -> usize {
        match self {
            Database::Sqlite(_) => 1,
            Database::Postgres(_) => 4,
        }
    }

    /// Connects to write, and checks that what is acknowledged will be kept.
    pub(crate) async fn connect_writer(&self) -> Result<Connection, OpenError> {
        let mut db = match self {
            Database::Sqlite(options) => {
                let db = options.connect().await.map_err(|error| self.failed(error))?;
                Connection::Sqlite(Box::new(db))
            }
            Database::Postgres(options) => {
                let db = options.connect().await.map_err(|error| self.failed(error))?;
                Connection::Postgres(Box::new(db))
            }
        };
        match self {
            Database::Sqlite(_) => check_sqlite(&mut db).await?,
            Database::Postgres(_) => check_postgres(&mut db).await?,
        }
        Ok(db)
    }

    /// Connects to read only.
    pub(crate) async fn connect_reader(&self) -> Result<Connection, OpenError> {
        match self {
            Database::Sqlite(options) => {
                let options = SqliteConnectOptions::clone(options).read_only(true).create_if_missing(false);
                let db = options.connect().await.map_err(|error| self.failed(error))?;
                Ok(Connection::Sqlite(Box::new(db)))
            }
            Database::Postgres(options) => {
                let options = PgConnectOptions::clone(options).options([("default_transaction_read_only", "on")]);
                let db = options.connect().await.map_err(|error| self.failed(error))?;
                Ok(Connection::Postgres(Box::new(db)))
            }
        }
    }

    fn failed(&self, cause: sqlx::Error) -> OpenError {
        match self {
            Database::Sqlite(options) => {
                OpenError::new(format!("the database `{}` cannot be opened", options.get_filename().display()), cause)
            }
            Database::Postgres(options) => {
                OpenError::new(format!("Postgres at `{}` cannot be reached", options.get_host()), cause)
            }
        }
    }
}

async fn check_sqlite(db: &mut Connection) -> Result<(), OpenError> {
    let version: String = setting(db, sql!("select sqlite_version()")).await?;
    check_sqlite_version(&version)?;
    let journal: String = setting(db, sql!("pragma journal_mode")).await?;
    if journal != "wal" {
        return Err(OpenError(format!(
            "SQLite keeps its journal as `{journal}` here, not as `wal`; is it a network disk?"
        )));
    }
    let synchronous: i64 = setting(db, sql!("pragma synchronous")).await?;
    if synchronous < 2 {
        return Err(OpenError(format!("SQLite runs with synchronous={synchronous}; FULL (2) was asked for")));
    }
    Ok(())
}

/// Refuses versions that can lose committed writes.
fn check_sqlite_version(version: &str) -> Result<(), OpenError> {
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let mut part = || parts.next().unwrap_or(0);
    let found = (part(), part(), part());
    if found < OLDEST_SQLITE {
        return Err(OpenError(format!(
            "this build carries SQLite {version}, which can lose committed writes; 3.51.3 or newer is needed"
        )));
    }
    Ok(())
}

async fn check_postgres(db: &mut Connection) -> Result<(), OpenError> {
    let settings = [
        ("fsync", sql!("select current_setting('fsync')")),
        ("full_page_writes", sql!("select current_setting('full_page_writes')")),
        ("synchronous_commit", sql!("select current_setting('synchronous_commit')")),
    ];
    for (name, query) in settings {
        let value: String = setting(db, query).await?;
        if value == "off" {
            return Err(OpenError(format!(
                "Postgres runs with {name}=off and can lose what it acknowledged; turn it on in postgresql.conf"
            )));
        }
    }
    Ok(())
}

async fn setting<T: super::connection::FromValue>(
    db: &mut Connection,
    query: super::connection::Sql,
) -> Result<T, OpenError> {
    let read = async {
        let Some(mut row) = db.fetch_optional(query, vec![]).await? else {
            return Err(super::connection::unexpected("a setting is missing"));
        };
        row.next()
    };
    read.await.map_err(|failure| OpenError(format!("the database's settings cannot be read: {failure}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_before_the_wal_reset_cure_are_refused() {
        for old in ["3.46.0", "3.51.2", "2.99.99", "nonsense"] {
            assert!(check_sqlite_version(old).is_err(), "{old}");
        }
        for new in ["3.51.3", "3.52.0", "4.0.0"] {
            assert!(check_sqlite_version(new).is_ok(), "{new}");
        }
    }

    /// A kill does not show it, a power cut would: what is committed is on the disk before it is acknowledged.
    #[tokio::test]
    async fn i2_sqlite_is_asked_for_full_durability_and_anything_less_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let url = format!("sqlite:{}", folder.path().join("a.sqlite").display());
        let database = Database::parse(&url).expect("an address");
        let mut db = database.connect_writer().await.expect("it opens");
        assert_eq!(setting::<i64>(&mut db, sql!("pragma synchronous")).await.expect("a number"), 2);
        for (weaker, complaint) in [
            (sql!("pragma synchronous = normal"), "synchronous=1"),
            (sql!("pragma synchronous = off"), "synchronous=0"),
        ] {
            db.run(weaker).await.expect("it can be set");
            let refused = check_sqlite(&mut db).await.map_err(|error| error.to_string());
            assert!(refused.as_ref().is_err_and(|error| error.contains(complaint)), "{refused:?}");
        }
        db.run(sql!("pragma synchronous = full")).await.expect("it can be set");
        db.fetch(sql!("pragma journal_mode = delete"), vec![]).await.expect("it can be set");
        let refused = check_sqlite(&mut db).await.map_err(|error| error.to_string());
        assert!(refused.as_ref().is_err_and(|error| error.contains("`delete`")), "{refused:?}");
    }

    #[test]
    fn a_database_url_names_its_kind() {
        assert!(matches!(Database::parse("sqlite:data/a.sqlite"), Ok(Database::Sqlite(_))));
        assert!(matches!(Database::parse("postgres://u@localhost/picket"), Ok(Database::Postgres(_))));
        for wrong in ["", "sqlite:", "mysql://localhost/picket", "data/a.sqlite"] {
            assert!(Database::parse(wrong).is_err(), "{wrong}");
        }
    }
}
