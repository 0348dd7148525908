//! The schema: numbered files, embedded, applied at start in one transaction each.
//!
//! A released file is never edited: its hash is kept with its number and compared. A database from a newer version is
//! refused rather than guessed at.

use tracing::info;

use super::connection::{Connection, Failure, Sql, sql, values};
use super::{Hash, Millis, OpenError};

struct Migration {
    number: u32,
    name: &'static str,
    text: Sql,
}

macro_rules! migration {
    ($number:literal, $name:literal) => {
        Migration {
            number: $number,
            name: $name,
            text: Sql {
                sqlite: include_str!(concat!("../../../migrations/sqlite/", $name, ".sql")),
                postgres: include_str!(concat!("../../../migrations/postgres/", $name, ".sql")),
            },
        }
    };
}

const MIGRATIONS: &[Migration] = &[migration!(1, "0001_games"), migration!(2, "0002_watchers")];

/// Brings the database to this version's schema. Two servers may start at once: one waits for the other.
pub(crate) async fn migrate(db: &mut Connection, now: Millis) -> Result<(), OpenError> {
    let failed = |failure: Failure| OpenError(format!("the database's schema cannot be brought up to date: {failure}"));
    begin(db).await.map_err(failed)?;
    let outcome = apply(db, now).await;
    let end = if outcome.is_ok() { sql!("commit") } else { sql!("rollback") };
    db.run(end).await.map_err(failed)?;
    outcome
}

async fn begin(db: &mut Connection) -> Result<(), Failure> {
    db.run(Sql { sqlite: "begin immediate", postgres: "begin" }).await?;
    if let Connection::Postgres(_) = db {
        // The number is arbitrary and Picket's own.
        db.fetch(sql!("select 1::bigint from (select pg_advisory_xact_lock(7117463)) as locked"), vec![]).await?;
    }
    Ok(())
}

async fn apply(db: &mut Connection, now: Millis) -> Result<(), OpenError> {
    let failed = |failure: Failure| OpenError(format!("the database's schema cannot be brought up to date: {failure}"));
    db.run(Sql {
        sqlite: "create table if not exists schema_versions (number integer primary key, name text not null, \
                 hash blob not null, applied_at integer not null)",
        postgres: "create table if not exists schema_versions (number bigint primary key, name text not null, \
                   hash bytea not null, applied_at bigint not null)",
    })
    .await
    .map_err(failed)?;
    let rows = db
        .fetch(sql!("select number, name, hash from schema_versions order by number"), vec![])
        .await
        .map_err(failed)?;
    let mut applied = 0;
    for mut row in rows {
        let (number, name, hash): (u32, String, Hash) =
            (|| Ok((row.next()?, row.next()?, row.next()?)))().map_err(failed)?;
        let Some(migration) = MIGRATIONS.iter().find(|migration| migration.number == number) else {
            return Err(OpenError(format!(
                "the database has the schema of a newer version ({number}: {name}); start that version, or restore a backup"
            )));
        };
        if hash != hash_of(db, migration) {
            return Err(OpenError(format!(
                "the database's schema {number} ({name}) is not the one of this version; a released migration was edited"
            )));
        }
        applied = number;
    }
    for migration in MIGRATIONS.iter().filter(|migration| applied < migration.number) {
        db.run(migration.text).await.map_err(failed)?;
        let hash = hash_of(db, migration);
        db.execute(
            sql!("insert into schema_versions (number, name, hash, applied_at) values ($1, $2, $3, $4)"),
            values![migration.number, migration.name, hash, now],
        )
        .await
        .map_err(failed)?;
        info!(number = migration.number, name = migration.name, "store: schema applied");
    }
    Ok(())
}

fn hash_of(db: &Connection, migration: &Migration) -> Hash {
    match db {
        Connection::Sqlite(_) => Hash::of(migration.text.sqlite.as_bytes()),
        Connection::Postgres(_) => Hash::of(migration.text.postgres.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two folders say the same but for the names of types.
    #[test]
    fn both_databases_have_one_schema() {
        for migration in MIGRATIONS {
            let words = |text: &str| -> Vec<String> {
                let code: Vec<&str> = text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
                let code = code.join(" ");
                code.split_whitespace()
                    .map(|word| match word.trim_end_matches(',') {
                        "integer" | "bigint" => word.replace("integer", "bigint"),
                        "blob" | "bytea" | "uuid" => "bytes".to_owned(),
                        _ => word.to_owned(),
                    })
                    .collect()
            };
            assert_eq!(words(migration.text.sqlite), words(migration.text.postgres), "{}", migration.name);
        }
    }

    #[test]
    fn numbers_follow_one_another_and_open_the_names() {
        for (index, migration) in MIGRATIONS.iter().enumerate() {
            assert_eq!(migration.number as usize, index + 1);
            assert!(migration.name.starts_with(&format!("{:04}_", migration.number)), "{}", migration.name);
        }
    }
}
