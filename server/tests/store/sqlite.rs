//! What is SQLite's own: its file, and what happens when it cannot be written.

use std::path::Path;
use std::process::Command;

use server::store::{StageKey, Store, StoreError};

use super::table::{NOON, Table, new_game};

/// Set for the process in which writing is to fail; names its folder.
const FOLDER: &str = "PICKET_TEST_FULL_DISK";
const DATABASE: &str = "store.sqlite";
const ACKNOWLEDGED: &str = "acknowledged";

/// The file may not grow beyond 2 MiB. The server is told that its writer stopped, takes nothing more, and all that was
/// acknowledged before is in the file.
#[test]
fn a_failed_write_stops_the_store_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = std::env::current_exe().expect("a test has a program");
    // With the signal ignored, writing past the limit is an error as on a full disk.
    let status = Command::new("bash")
        .args(["-c", "trap '' XFSZ; ulimit -f 2048; exec \"$0\" --exact sqlite::writes_until_it_fails --nocapture"])
        .arg(program)
        .env(FOLDER, folder.path())
        .status()
        .expect("bash runs");
    assert!(status.success(), "the process with the small disk ended with {status}");
    let acknowledged = std::fs::read_to_string(folder.path().join(ACKNOWLEDGED)).expect("the process left its count");
    let acknowledged: u128 = acknowledged.trim().parse().expect("a number");
    assert!(10 < acknowledged, "only {acknowledged} games fit");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let table = Table::open(url(folder.path())).await;
        for number in 0..acknowledged {
            let game = new_game(number, None).id;
            let found = table.store.game(game).await.map(|game| game.window());
            assert_eq!(found, Ok(StageKey::new(game, 1, 1, 1)), "game {number} of {acknowledged}");
        }
        table.game(acknowledged + 1, None).await;
    });
}

/// The other half of the test above; on its own it has nothing to do.
#[tokio::test(flavor = "multi_thread")]
async fn writes_until_it_fails() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let store = Store::open(&url(folder), 64, NOON).await.expect("the store opens");
    let mut acknowledged = 0;
    let failure = loop {
        match store.create_game(new_game(acknowledged, None), NOON).await {
            Ok(_) => acknowledged += 1,
            Err(failure) => break failure,
        }
        assert!(acknowledged < 100_000, "the limit was never reached");
    };
    assert_eq!(failure, StoreError::Unavailable);
    let reason = store.stopped().await;
    assert!(reason.contains("failed"), "{reason}");
    assert!(!store.ready().await);
    let refused = store.create_game(new_game(acknowledged + 1, None), NOON).await;
    assert_eq!(refused, Err(StoreError::Unavailable));
    std::fs::write(folder.join(ACKNOWLEDGED), acknowledged.to_string()).expect("a small file fits");
}

/// A database that a newer version made is not guessed at.
#[tokio::test]
async fn a_newer_schema_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    Table::open(url(folder.path())).await.store.close().await;
    let mut db = connect(folder.path()).await;
    let newer =
        "insert into schema_versions (number, name, hash, applied_at) values (99, '0099_later', zeroblob(32), 0)";
    sqlx::Executor::execute(&mut db, newer).await.expect("it can be changed");
    sqlx::Connection::close(db).await.expect("it closes");
    let refused = Store::open(&url(folder.path()), 64, NOON).await.map(drop).map_err(|error| error.to_string());
    assert!(refused.as_ref().is_err_and(|error| error.contains("newer version")), "{refused:?}");
}

/// Neither a player's token nor an invitation stands in the file.
#[tokio::test]
async fn tokens_are_kept_as_hashes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = Table::open(url(folder.path())).await;
    table.game(1, None).await;
    let seated = server::store::TokenHash::of("token-of-ann-in-clear");
    let invitation = server::store::TokenHash::of("invite-meade-1");
    table.store.claim_invitation(invitation, "Ann".to_owned(), seated, NOON).await.expect("she is seated");
    table.store.close().await;
    let file = std::fs::read(folder.path().join(DATABASE)).expect("the file is there");
    let holds = |text: &str| file.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("Ann"));
    assert!(!holds("token-of-ann-in-clear") && !holds("invite-meade-1"));
}

async fn connect(folder: &Path) -> sqlx::SqliteConnection {
    <sqlx::SqliteConnection as sqlx::Connection>::connect(&url(folder)).await.expect("SQLite opens the file")
}

fn url(folder: &Path) -> String {
    format!("sqlite:{}", folder.join(DATABASE).display())
}
