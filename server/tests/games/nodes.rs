//! Two servers over one Postgres: each serves one player of the same game.

use protocol::message::GamePhase;
use protocol::orders::Draft;

use super::table::*;

/// Both players seal at one instant, each at a node of his own: every stage is resolved once, and both see it.
#[test]
fn seals_at_two_nodes_at_one_instant_resolve_once() {
    let Some(cluster) = super::postgres::Cluster::start() else { return };
    let (one, other) = (tempfile::tempdir(), tempfile::tempdir());
    let (one, other) = (one.expect("a temporary folder"), other.expect("a temporary folder"));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let database = cluster.database();
        let first = Server::start_on(database.clone(), one.path(), 7, NOON).await;
        let second = Server::start_on(database, other.path(), 8, NOON).await;
        let (mut union, confederate) = first.game_for_two(|_| {}).await;
        let joined = confederate.joined.clone();
        confederate.close().await;
        let mut confederate = second.sit(&joined).await;
        for turn in 1..=3 {
            let at = orders_of(turn);
            let (ours, theirs) = tokio::join!(union.seal(at, Draft::default()), confederate.seal(at, Draft::default()));
            ours.expect("the Union may seal");
            theirs.expect("the Confederates may seal");
            union.state_at(orders_of(turn + 1), GamePhase::Window).await;
            confederate.state_at(orders_of(turn + 1), GamePhase::Window).await;
        }
        let expected: Vec<(u32, u8)> =
            std::iter::once((0, 0)).chain((1..=3).flat_map(|turn| (1..=4).map(move |stage| (turn, stage)))).collect();
        assert_eq!(first.stages(&joined.game).await, expected);
        first.running.stop().await;
        second.running.stop().await;
    });
}
