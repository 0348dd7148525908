//! Columns in battles of random orders: whatever happens, the regiments of a column are one.

use protocol::ids::{BrigadeId, Side, UnitId};
use protocol::orders::{Draft, FormTask, MoveOrder, Order, Stage, UnitDraft};
use protocol::place::Point;
use protocol::words::Formation;

use super::{enemy, regiment};
use crate::archive;
use crate::battle::{Battle, Table};
use crate::column::footing_behind;
use crate::dice::{KeyedDice, SealedOrders, TurnSeed};
use crate::ruleset::Ruleset;
use crate::stage::{Envelopes, resolve};
use crate::testing::{self, battery, open_ground};

/// Two columns of four against each other, a regiment and a battery beside each.
fn start() -> Battle {
    let blue = (0..4).map(|n| regiment(&format!("u{n}"), 10_000 + 5_000 * n, 10_000));
    let grey = (0..4).map(|n| {
        let unit = enemy(&format!("c{n}"), 10_000 + 5_000 * n, 50_000);
        unit.with(|unit| unit.brigade = Some(BrigadeId::new("cheatham")))
    });
    let beside = [
        regiment("u8", 36_000, 27_000),
        enemy("c8", 24_000, 41_000),
        battery("u9", Side::Union).at(22_000, 26_000),
        battery("c9", Side::Confederate).at(38_000, 43_000).facing(18_000),
    ];
    let mut table = testing::table(open_ground(), blue.chain(grey).chain(beside));
    for (lead, y) in [("u0", 30_000), ("c0", 38_000)] {
        let head = testing::ix(&table, lead);
        table[head].footing.anchor = Point::new(30_000, y);
    }
    testing::in_column(&mut table, &["u0", "u1", "u2", "u3"]);
    testing::in_column(&mut table, &["c0", "c1", "c2", "c3"]);
    testing::battle(table)
}

/// A number below `limit`, from a small generator.
fn below(state: &mut u64, limit: u64) -> i32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    i32::try_from((*state >> 33) % limit).unwrap_or(0)
}

fn order(table: &Table, unit: &UnitId, chance: &mut u64) -> Option<Order> {
    let anchor = table.unit(unit)?.footing.anchor;
    let side = unit.as_str().chars().next()?;
    match below(chance, 14) {
        0 => None,
        1 => Some(Order::FirstFire {}),
        2 => Some(Order::Form {
            task: FormTask::Formation { formation: Formation::DoubleLine, facing: None, pivot: None, gap: None },
        }),
        3 | 4 => {
            let first = below(chance, 3);
            let regiments = (first..4).map(|n| UnitId::new(format!("{side}{n}"))).collect();
            Some(Order::Form { task: FormTask::BrigadeColumn { regiments } })
        }
        5..=7 => Some(Order::Charge { target: None, bearing: None, objective: None, support_of: None }),
        8 => Some(Order::Disengage { abandon_guns: false }),
        _ => {
            let mut offset = || below(chance, 8_000) - 4_000;
            let path = vec![Point::new(anchor.x + offset(), anchor.y + offset())];
            Some(Order::Move(MoveOrder { path, push: below(chance, 4) == 0, ..MoveOrder::default() }))
        }
    }
}

fn envelopes(battle: &Battle, chance: &mut u64) -> Envelopes {
    let draft = |side: Side, chance: &mut u64| {
        // Now and then one order is for all of a brigade, so that columns are formed anew.
        let same = (below(chance, 3) == 0).then(|| order(&battle.table, &UnitId::new("u0"), chance)).flatten();
        let units = battle.table.units_of(side).map(|(_, unit)| {
            // Those behind a lead are told something of their own only now and then: it may take them out.
            let follows = unit.follows_in_column() && below(chance, 8) != 0;
            let own = if follows { None } else { order(&battle.table, &unit.id, chance) };
            let order = same.clone().or(own);
            (unit.id.clone(), UnitDraft { order, ..UnitDraft::default() })
        });
        Draft { units: units.collect(), ..Draft::default() }
    };
    Side::BOTH.map(|side| (testing::seat(side), draft(side, chance))).into_iter().collect()
}

/// What holds of every table.
fn examine(table: &Table) {
    for (_, unit) in table.units() {
        let Some(column) = &unit.column else {
            assert_ne!(unit.footing.formation, Formation::BrigadeColumn, "{}", unit.id);
            continue;
        };
        assert_eq!(unit.footing.formation, Formation::BrigadeColumn, "{}", unit.id);
        assert!(2 <= column.ranks.len() && column.ranks[0].back == 0 && column.has(&unit.id), "{}", unit.id);
        let lead = column.lead().and_then(|lead| table.unit(lead)).expect("a column has a lead");
        for rank in &column.ranks {
            let member = table.unit(&rank.unit).expect("a column's regiments are on the list");
            assert!(member.on_table() && member.column.as_ref() == Some(column), "{} and {}", unit.id, member.id);
            assert_eq!((member.morale, member.is_unrouted()), (lead.morale, true), "{}", member.id);
            assert_eq!(member.footing, footing_behind(&lead.footing, rank.back), "{}", member.id);
        }
    }
}

#[test]
fn tac_28_to_34_whatever_happens_a_column_is_one_body() {
    let (mut marched, mut charged, mut fell_apart) = (0, 0, 0);
    for seed in 0..10_u8 {
        let mut chance = u64::from(seed);
        let mut battle = start();
        for _ in 0..2 {
            for stage in Stage::ALL {
                let orders = if stage == Stage::Orders { envelopes(&battle, &mut chance) } else { Envelopes::new() };
                let key = TurnSeed([seed; 32]).turn_key(
                    "columns",
                    battle.table.turn,
                    &[SealedOrders::ABSENT, SealedOrders::ABSENT],
                );
                let dice = KeyedDice::new(key);
                battle = resolve(Ruleset::standard(), stage, battle, &orders, &dice).battle;
                examine(&battle.table);
            }
            let stored = archive::store(&battle);
            let restored = archive::restore(&stored, battle.table.theatre.clone()).expect("it was just stored");
            assert_eq!(restored, battle);
            let of = |id: &str| battle.table.unit(&UnitId::new(id)).expect("it is on the list");
            let together = of("u0").column.is_some();
            marched += i32::from(together && of("u0").footing.anchor != Point::new(30_000, 30_000));
            fell_apart += i32::from(!together);
            charged += i32::from(of("u0").carried.charge_turns == 1);
        }
    }
    let all = [marched, charged, fell_apart];
    assert!(all.iter().all(|count| 0 < *count), "the battles are of every kind: {all:?}");
}
