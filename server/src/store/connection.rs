//! One database connection, SQLite or Postgres, behind one set of values.
//!
//! Statements are written once with `$1`, `$2` ... and run on both. Where the two must differ, a [`Sql`] holds both
//! texts. Nothing here knows a table.

use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqliteRow};
use sqlx::{Arguments, Column, Connection as _, Executor, Row as _, TypeInfo, ValueRef};
use uuid::Uuid;

use super::{GameId, Hash, Seed, Status, StoreError, StoredBytes, TokenHash};

/// A statement for both databases.
#[derive(Clone, Copy)]
pub(crate) struct Sql {
    pub(crate) sqlite: &'static str,
    pub(crate) postgres: &'static str,
}

/// A statement that reads the same in both databases.
macro_rules! sql {
    ($text:literal) => {
        $crate::store::connection::Sql { sqlite: $text, postgres: $text }
    };
}

/// A query whose rows stay locked to the end of the transaction. SQLite has one writer and needs no lock.
macro_rules! sql_locking {
    ($text:literal) => {
        $crate::store::connection::Sql { sqlite: $text, postgres: concat!($text, " for no key update") }
    };
}

pub(crate) use {sql, sql_locking};

/// A connection of either kind.
pub(crate) enum Connection {
    Sqlite(Box<SqliteConnection>),
    Postgres(Box<PgConnection>),
}

/// What a statement failed with, sorted by what to do about it.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A rule of the store refused: undo this command, answer, go on.
    Refused(StoreError),
    /// A key or check of the schema refused: undo this command, go on.
    Constraint(sqlx::Error),
    /// Two transactions stood in each other's way: run the batch again (Postgres only).
    Conflict(sqlx::Error),
    /// Disk, network or memory: nothing more may be done on this connection.
    Broken(sqlx::Error),
}

/// The database's own words, for the log and the operator; never for a player.
impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Refused(refusal) => refusal.fmt(f),
            Failure::Constraint(cause) | Failure::Conflict(cause) | Failure::Broken(cause) => cause.fmt(f),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure::Refused(error)
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        let Some(database) = error.as_database_error() else { return Failure::Broken(error) };
        if database.is_unique_violation() || database.is_foreign_key_violation() || database.is_check_violation() {
            return Failure::Constraint(error);
        }
        match database.code().as_deref() {
            // Postgres: serialization_failure, deadlock_detected. SQLite: busy, busy_recovery, busy_snapshot, which a
            // second process on the file can cause.
            Some("40001" | "40P01" | "5" | "261" | "517") => Failure::Conflict(error),
            _ => Failure::Broken(error),
        }
    }
}

/// A value on its way into or out of the database.
#[derive(Clone)]
pub(crate) enum Value {
    Int(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
    Id(Uuid),
}

/// Values for a statement: `values![game, line, turn]`.
macro_rules! values {
    ($($value:expr),* $(,)?) => { vec![$($crate::store::connection::Value::from($value)),*] };
}
pub(crate) use values;

impl Connection {
    /// Runs a statement and says how many rows it touched.
    pub(crate) async fn execute(&mut self, sql: Sql, values: Vec<Value>) -> Result<u64, Failure> {
        let touched = match self {
            Connection::Sqlite(db) => {
                let query = sqlx::query_with(sql.sqlite, sqlite_arguments(values)?);
                query.execute(&mut **db).await?.rows_affected()
            }
            Connection::Postgres(db) => {
                let query = sqlx::query_with(sql.postgres, postgres_arguments(values)?);
                query.execute(&mut **db).await?.rows_affected()
            }
        };
        Ok(touched)
    }

    /// Runs a query and gives all its rows.
    pub(crate) async fn fetch(&mut self, sql: Sql, values: Vec<Value>) -> Result<Vec<Row>, Failure> {
        match self {
            Connection::Sqlite(db) => {
                let query = sqlx::query_with(sql.sqlite, sqlite_arguments(values)?);
                query.fetch_all(&mut **db).await?.iter().map(sqlite_row).collect()
            }
            Connection::Postgres(db) => {
                let query = sqlx::query_with(sql.postgres, postgres_arguments(values)?);
                query.fetch_all(&mut **db).await?.iter().map(postgres_row).collect()
            }
        }
    }

    /// Runs a query that gives at most one row.
    pub(crate) async fn fetch_optional(&mut self, sql: Sql, values: Vec<Value>) -> Result<Option<Row>, Failure> {
        Ok(self.fetch(sql, values).await?.into_iter().next())
    }

    /// Begins, ends or marks a transaction.
    pub(crate) async fn control(&mut self, sql: Sql) -> Result<(), Failure> {
        match self {
            // Kept prepared: SQLite would parse the text each time.
            Connection::Sqlite(db) => sqlx::query(sql.sqlite).execute(&mut **db).await.map(drop)?,
            Connection::Postgres(db) => db.execute(sqlx::raw_sql(sql.postgres)).await.map(drop)?,
        }
        Ok(())
    }

    /// Runs statements without parameters and without keeping them prepared.
    pub(crate) async fn run(&mut self, sql: Sql) -> Result<(), Failure> {
        match self {
            Connection::Sqlite(db) => db.execute(sqlx::raw_sql(sql.sqlite)).await.map(drop)?,
            Connection::Postgres(db) => db.execute(sqlx::raw_sql(sql.postgres)).await.map(drop)?,
        }
        Ok(())
    }

    /// Says goodbye to the database.
    pub(crate) async fn close(self) -> Result<(), sqlx::Error> {
        match self {
            Connection::Sqlite(db) => db.close().await,
            Connection::Postgres(db) => db.close().await,
        }
    }
}

fn sqlite_arguments(values: Vec<Value>) -> Result<SqliteArguments, Failure> {
    let mut arguments = SqliteArguments::default();
    for value in values {
        match value {
            Value::Int(value) => arguments.add(value),
            Value::Text(value) => arguments.add(value),
            Value::Bytes(value) => arguments.add(value),
            Value::Id(value) => arguments.add(value),
        }
        .map_err(|error| Failure::Broken(sqlx::Error::Encode(error)))?;
    }
    Ok(arguments)
}

fn postgres_arguments(values: Vec<Value>) -> Result<PgArguments, Failure> {
    let mut arguments = PgArguments::default();
    for value in values {
        match value {
            Value::Int(value) => arguments.add(value),
            Value::Text(value) => arguments.add(value),
            Value::Bytes(value) => arguments.add(value),
            Value::Id(value) => arguments.add(value),
        }
        .map_err(|error| Failure::Broken(sqlx::Error::Encode(error)))?;
    }
    Ok(arguments)
}

/// One row, read from left to right into fields in the order of the query.
pub(crate) struct Row {
    values: std::vec::IntoIter<Value>,
}

impl Row {
    /// The next column.
    pub(crate) fn next<T: FromValue>(&mut self) -> Result<T, Failure> {
        let Some(value) = self.values.next() else { return Err(unexpected("a column is missing")) };
        T::from_value(value)
    }
}

fn sqlite_row(row: &SqliteRow) -> Result<Row, Failure> {
    let mut values = Vec::with_capacity(row.len());
    for column in 0..row.len() {
        let raw = row.try_get_raw(column)?;
        let value = if raw.is_null() {
            Value::Int(None)
        } else {
            match raw.type_info().name() {
                "INTEGER" => Value::Int(row.try_get_unchecked(column)?),
                "TEXT" => Value::Text(row.try_get_unchecked(column)?),
                "BLOB" => Value::Bytes(row.try_get_unchecked(column)?),
                other => return Err(unexpected(&format!("column {column} is {other}"))),
            }
        };
        values.push(value);
    }
    Ok(Row { values: values.into_iter() })
}

fn postgres_row(row: &PgRow) -> Result<Row, Failure> {
    let mut values = Vec::with_capacity(row.len());
    for (column, described) in row.columns().iter().enumerate() {
        let value = match described.type_info().name() {
            "INT8" => Value::Int(row.try_get(column)?),
            "INT4" => Value::Int(row.try_get::<Option<i32>, _>(column)?.map(i64::from)),
            "BOOL" => Value::Int(row.try_get::<Option<bool>, _>(column)?.map(i64::from)),
            "TEXT" => Value::Text(row.try_get(column)?),
            "BYTEA" => Value::Bytes(row.try_get(column)?),
            "UUID" => match row.try_get::<Option<Uuid>, _>(column)? {
                Some(id) => Value::Id(id),
                None => Value::Int(None),
            },
            other => return Err(unexpected(&format!("column {column} is {other}"))),
        };
        values.push(value);
    }
    Ok(Row { values: values.into_iter() })
}

/// What was stored is not what this version stores.
pub(crate) fn unexpected(what: &str) -> Failure {
    Failure::Broken(sqlx::Error::Protocol(format!("unexpected value in the database: {what}")))
}

/// A field that can be read from a column.
pub(crate) trait FromValue: Sized {
    fn from_value(value: Value) -> Result<Self, Failure>;
}

/// An absent value is an empty column; of which type does not matter.
fn is_null(value: &Value) -> bool {
    matches!(value, Value::Int(None) | Value::Text(None) | Value::Bytes(None))
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value) -> Result<Self, Failure> {
        if is_null(&value) { Ok(None) } else { T::from_value(value).map(Some) }
    }
}

impl FromValue for i64 {
    fn from_value(value: Value) -> Result<Self, Failure> {
        match value {
            Value::Int(Some(value)) => Ok(value),
            _ => Err(unexpected("not a whole number")),
        }
    }
}

impl FromValue for u32 {
    fn from_value(value: Value) -> Result<Self, Failure> {
        u32::try_from(i64::from_value(value)?).map_err(|_| unexpected("a number out of range"))
    }
}

impl FromValue for u8 {
    fn from_value(value: Value) -> Result<Self, Failure> {
        u8::try_from(i64::from_value(value)?).map_err(|_| unexpected("a number out of range"))
    }
}

impl FromValue for bool {
    fn from_value(value: Value) -> Result<Self, Failure> {
        Ok(i64::from_value(value)? != 0)
    }
}

impl FromValue for String {
    fn from_value(value: Value) -> Result<Self, Failure> {
        match value {
            Value::Text(Some(value)) => Ok(value),
            _ => Err(unexpected("not a text")),
        }
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: Value) -> Result<Self, Failure> {
        match value {
            Value::Bytes(Some(value)) => Ok(value),
            _ => Err(unexpected("not bytes")),
        }
    }
}

impl FromValue for [u8; 32] {
    fn from_value(value: Value) -> Result<Self, Failure> {
        Vec::from_value(value)?.try_into().map_err(|_| unexpected("not 32 bytes"))
    }
}

impl FromValue for GameId {
    fn from_value(value: Value) -> Result<Self, Failure> {
        match value {
            Value::Id(id) => Ok(GameId(id)),
            Value::Bytes(Some(bytes)) => {
                Uuid::from_slice(&bytes).map(GameId).map_err(|_| unexpected("not an identifier"))
            }
            _ => Err(unexpected("not an identifier")),
        }
    }
}

impl FromValue for Hash {
    fn from_value(value: Value) -> Result<Self, Failure> {
        <[u8; 32]>::from_value(value).map(Hash)
    }
}

impl FromValue for Seed {
    fn from_value(value: Value) -> Result<Self, Failure> {
        <[u8; 32]>::from_value(value).map(Seed)
    }
}

impl FromValue for TokenHash {
    fn from_value(value: Value) -> Result<Self, Failure> {
        <[u8; 32]>::from_value(value).map(TokenHash)
    }
}

impl FromValue for StoredBytes {
    fn from_value(value: Value) -> Result<Self, Failure> {
        Vec::from_value(value).map(StoredBytes::from_store)
    }
}

impl FromValue for protocol::ids::SeatId {
    fn from_value(value: Value) -> Result<Self, Failure> {
        String::from_value(value).map(protocol::ids::SeatId)
    }
}

impl FromValue for protocol::ids::Side {
    fn from_value(value: Value) -> Result<Self, Failure> {
        let text = String::from_value(value)?;
        protocol::ids::Side::BOTH.into_iter().find(|side| side_word(*side) == text).ok_or_else(|| unexpected("no side"))
    }
}

impl FromValue for Status {
    fn from_value(value: Value) -> Result<Self, Failure> {
        Status::parse(&String::from_value(value)?).ok_or_else(|| unexpected("no status"))
    }
}

impl FromValue for super::ClosedBy {
    fn from_value(value: Value) -> Result<Self, Failure> {
        super::ClosedBy::parse(&String::from_value(value)?).ok_or_else(|| unexpected("no cause of closing"))
    }
}

impl FromValue for super::EnvelopeSource {
    fn from_value(value: Value) -> Result<Self, Failure> {
        super::EnvelopeSource::parse(&String::from_value(value)?).ok_or_else(|| unexpected("no source"))
    }
}

impl FromValue for super::WatchRole {
    fn from_value(value: Value) -> Result<Self, Failure> {
        super::WatchRole::parse(&String::from_value(value)?).ok_or_else(|| unexpected("no role"))
    }
}

/// The word for a side in the database.
pub(crate) fn side_word(side: protocol::ids::Side) -> &'static str {
    match side {
        protocol::ids::Side::Union => "union",
        protocol::ids::Side::Confederate => "confederate",
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(Some(value))
    }
}

impl From<Option<i64>> for Value {
    fn from(value: Option<i64>) -> Self {
        Value::Int(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Value::Int(Some(i64::from(value)))
    }
}

impl From<u8> for Value {
    fn from(value: u8) -> Self {
        Value::Int(Some(i64::from(value)))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Int(Some(i64::from(value)))
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(Some(value.to_owned()))
    }
}

impl From<&String> for Value {
    fn from(value: &String) -> Self {
        Value::Text(Some(value.clone()))
    }
}

impl From<Vec<u8>> for Value {
    fn from(value: Vec<u8>) -> Self {
        Value::Bytes(Some(value))
    }
}

impl From<&[u8]> for Value {
    fn from(value: &[u8]) -> Self {
        Value::Bytes(Some(value.to_vec()))
    }
}

impl From<GameId> for Value {
    fn from(value: GameId) -> Self {
        Value::Id(value.0)
    }
}

impl From<Hash> for Value {
    fn from(value: Hash) -> Self {
        Value::from(value.0.as_slice())
    }
}

impl From<&Seed> for Value {
    fn from(value: &Seed) -> Self {
        Value::from(value.0.as_slice())
    }
}

impl From<TokenHash> for Value {
    fn from(value: TokenHash) -> Self {
        Value::from(value.0.as_slice())
    }
}

impl From<Option<TokenHash>> for Value {
    fn from(value: Option<TokenHash>) -> Self {
        Value::Bytes(value.map(|hash| hash.0.to_vec()))
    }
}

impl From<&StoredBytes> for Value {
    fn from(value: &StoredBytes) -> Self {
        Value::from(value.as_bytes())
    }
}

impl From<&protocol::ids::SeatId> for Value {
    fn from(value: &protocol::ids::SeatId) -> Self {
        Value::from(value.as_str())
    }
}

impl From<super::WatchRole> for Value {
    fn from(value: super::WatchRole) -> Self {
        Value::from(value.as_str())
    }
}

impl From<protocol::ids::Side> for Value {
    fn from(value: protocol::ids::Side) -> Self {
        Value::from(side_word(value))
    }
}
