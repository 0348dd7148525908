//! From the last seal to the view of the next turn, over a real socket and a durable SQLite file. `make bench`.
//!
//! Little Round Top, everybody holding: what is measured is the way of a turn through sockets, store and engine, not the
//! engine's worst turn, for which there is `rules/benches/turn.rs`.

#[path = "../tests/games/table.rs"]
#[expect(dead_code, reason = "shared with the tests, each uses its part")]
mod table;

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use protocol::message::{GamePhase, ServerMessage};
use protocol::orders::Draft;
use table::{Player, Server, orders_of, seal_message};

/// A game under way.
struct Game {
    union: Player,
    confederate: Player,
    turn: u32,
}

impl Game {
    async fn new(server: &Server) -> Game {
        let (union, confederate) = server.game_for_two(|_| {}).await;
        Game { union, confederate, turn: 1 }
    }

    /// Plays a turn. The time from sending the last seal until its sender hears of the next turn; and whether there is one.
    async fn turn(&mut self) -> (Duration, bool) {
        let at = orders_of(self.turn);
        self.union.seal(at, Draft::default()).await.expect("the Union may seal");
        let command = self.confederate.command();
        let begun = Instant::now();
        self.confederate.say(&seal_message(&command, at, Draft::default())).await;
        let next = self.turn + 1;
        let goes_on = self.confederate.hear_until(|message| match message {
            ServerMessage::State { status, .. } if status.phase == GamePhase::Ended => Some(false),
            ServerMessage::State { status, .. } if status.at == orders_of(next) => Some(true),
            _ => None,
        });
        let goes_on = goes_on.await;
        let taken = begun.elapsed();
        if goes_on {
            self.union.state_at(orders_of(next), GamePhase::Window).await;
        }
        self.turn = next;
        (taken, goes_on)
    }
}

fn seal_to_view(c: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = runtime.block_on(Server::start(&folder));
    let mut game = runtime.block_on(Game::new(&server));
    c.bench_function("little round top: seal to view", |b| {
        b.iter_custom(|turns| {
            runtime.block_on(async {
                let mut sum = Duration::ZERO;
                for _ in 0..turns {
                    let (taken, goes_on) = game.turn().await;
                    sum += taken;
                    if !goes_on {
                        game = Game::new(&server).await;
                    }
                }
                sum
            })
        });
    });
    runtime.block_on(server.running.stop());
}

criterion_group! {
    name = latency;
    config = Criterion::default().sample_size(20);
    targets = seal_to_view
}
criterion_main!(latency);
