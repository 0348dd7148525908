//! A Postgres that crashes under load and comes back.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use server::store::{GameId, Store, StoreError};

use super::postgres::Cluster;
use super::table::{NOON, Table, new_game};

/// What was acknowledged before the crash is there after it, and the store goes on by itself.
#[test]
fn postgres_may_crash_and_come_back() {
    let Some(cluster) = Cluster::start() else { return };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let table = Arc::new(runtime.block_on(Table::open(cluster.database())));
    let stop = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..8_u128)
        .map(|writer| {
            let (table, stop) = (Arc::clone(&table), Arc::clone(&stop));
            runtime.spawn(async move {
                let mut acknowledged = BTreeSet::new();
                for number in 0.. {
                    if stop.load(Ordering::Acquire) {
                        break;
                    }
                    let game = new_game(writer << 64 | number, None);
                    let id = game.id;
                    match table.store.create_game(game, NOON).await {
                        Ok(_) => _ = acknowledged.insert(id),
                        Err(StoreError::Unavailable | StoreError::Overloaded) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
                acknowledged
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(300));
    cluster.crash().expect("the server can be killed");
    cluster.up().expect("the server starts again");
    runtime.block_on(async {
        let patience = std::time::Instant::now() + Duration::from_secs(20);
        let mut number = 0;
        // Each of the four writers has to find its way back.
        while number < 8 {
            let game = new_game(u128::from(u64::MAX) << 64 | number, None);
            match table.store.create_game(game, NOON).await {
                Ok(_) => number += 1,
                Err(error) => {
                    assert!(std::time::Instant::now() < patience, "the store did not come back: {error}");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
        stop.store(true, Ordering::Release);
        let mut acknowledged: BTreeSet<GameId> = BTreeSet::new();
        for writer in writers {
            acknowledged.extend(writer.await.expect("the writer ends"));
        }
        assert!(!acknowledged.is_empty());
        for game in acknowledged {
            assert!(table.store.game(game).await.is_ok(), "{game} was acknowledged and is gone");
        }
        table.store.close().await;
    });
}

/// Postgres may be told for each connection to answer before it has written: then it is no place for a seal.
#[test]
fn a_postgres_that_forgets_is_refused() {
    let Some(cluster) = Cluster::start() else { return };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let url = format!("{}&options=-c%20synchronous_commit%3Doff", cluster.database());
    let refused = runtime.block_on(Store::open(&url, 64, NOON)).map(drop).map_err(|error| error.to_string());
    assert!(refused.as_ref().is_err_and(|error| error.contains("synchronous_commit=off")), "{refused:?}");
}
