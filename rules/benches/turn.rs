//! What a turn costs: Little Round Top, and a made-up battle of 200 units. `make bench`.

#[path = "../tests/random_play/mod.rs"]
#[expect(unreachable_pub, dead_code, reason = "shared with the tests, each uses its part")]
mod random_play;

use criterion::{Criterion, criterion_group, criterion_main};
use protocol::ids::Side;
use protocol::orders::Stage;
use protocol::view::Viewer;
use random_play::{Chance, Table};
use rules::battle::{Battle, known};
use rules::orders::check;
use rules::ruleset::Ruleset;
use rules::view::view;
use rules::{archive, stage};

/// All four stages of a turn, with the same envelopes each time.
fn turn(table: &Table, battle: &Battle, envelopes: &stage::Envelopes) -> Battle {
    let mut battle = battle.clone();
    for stage in Stage::ALL {
        let nothing = stage::Envelopes::new();
        let said = if stage == Stage::Orders { envelopes } else { &nothing };
        battle = table.resolve(stage, battle, said, 42).battle;
    }
    battle
}

/// A battle some turns old, so that the sides have met.
fn after(table: &Table, turns: u32) -> Battle {
    let mut chance = Chance::new(42);
    let mut battle = table.start();
    for _ in 0..turns {
        let envelopes = table.random_envelopes(&battle, Stage::Orders, &mut chance);
        battle = turn(table, &battle, &envelopes);
    }
    battle
}

fn benches(c: &mut Criterion) {
    for (name, table) in [("little round top", Table::little_round_top()), ("200 units", Table::two_hundred_units())] {
        let battle = after(&table, 2);
        let envelopes = table.random_envelopes(&battle, Stage::Orders, &mut Chance::new(1));
        let rules = Ruleset::standard();
        let seat = table.seat(Side::Union);
        let viewer = Viewer::Seat { side: Side::Union, seat: seat.clone() };
        let own = known(&battle, Side::Union);
        let bytes = archive::store(&battle);
        c.bench_function(&format!("{name}: turn"), |b| b.iter(|| turn(&table, &battle, &envelopes)));
        c.bench_function(&format!("{name}: knowledge"), |b| b.iter(|| known(&battle, Side::Union)));
        c.bench_function(&format!("{name}: view"), |b| b.iter(|| view(rules, &battle, Stage::Orders, &viewer)));
        c.bench_function(&format!("{name}: check of a draft"), |b| {
            b.iter(|| check(&own, rules, &seat, Stage::Orders, &envelopes[&seat]));
        });
        c.bench_function(&format!("{name}: store"), |b| b.iter(|| archive::store(&battle)));
        c.bench_function(&format!("{name}: restore"), |b| {
            b.iter(|| archive::restore(&bytes, table.theatre.clone()).expect("stored by this version"));
        });
    }
}

criterion_group! {
    name = turns;
    config = Criterion::default().sample_size(20);
    targets = benches
}
criterion_main!(turns);
