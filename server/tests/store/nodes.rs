//! Two nodes on one Postgres. SQLite has one writer and knows no such race.

use server::store::{ClosedBy, StoreError};

use super::postgres::Cluster;
use super::table::{DEADLINE, NOON, Table};

/// Read committed shows neither of two transactions what the other has not committed yet: without the lock on the game
/// each would miss the other's envelope, and nobody would close the window.
#[test]
fn two_nodes_close_a_window_once_and_resolve_it_once() {
    let Some(cluster) = Cluster::start() else { return };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let url = cluster.database();
        let (one, other) = (Table::open(url.clone()).await, Table::open(url).await);
        for number in 0..60 {
            let key = one.game(number, None).await;
            let (first, second) =
                tokio::join!(one.seal(key, "meade", "one", NOON + 1), other.seal(key, "lee", "two", NOON + 1));
            let closed = [first, second].map(|sealed| sealed.map(|sealed| sealed.closed).expect("both seal"));
            assert_eq!(closed.iter().filter(|closed| **closed).count(), 1, "game {number}: {closed:?}");
            let (first, second) = tokio::join!(one.resolve(key, 2, 1), other.resolve(key, 2, 1));
            let recorded = [&first, &second].iter().filter(|result| result.is_ok()).count();
            assert_eq!(recorded, 1, "game {number}: {first:?} {second:?}");
            assert!([first, second].contains(&Err(StoreError::AlreadyResolved)));
            assert_eq!(one.store.outcomes(key.game, 1, 0, 9).await.map(|all| all.len()), Ok(2));
        }
        for number in 100..160 {
            let key = one.game(number, Some(DEADLINE)).await;
            let (first, second) = tokio::join!(
                one.store.close_window(key, ClosedBy::Deadline, DEADLINE),
                other.store.close_window(key, ClosedBy::Deadline, DEADLINE)
            );
            let closed = [first.expect("it can be closed"), second.expect("it can be closed")];
            assert_eq!(closed.iter().filter(|closed| **closed).count(), 1, "game {number}: {closed:?}");
        }
        one.store.close().await;
        other.store.close().await;
    });
}
