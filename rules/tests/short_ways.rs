//! Answers that are found by a short way are those of the plain way: in several battles, on several grounds.

#[expect(unreachable_pub, dead_code, reason = "shared with the benchmark, each uses its part")]
mod random_play;

use std::sync::Arc;

use protocol::orders::{MoveOrder, Order, Stage};
use protocol::place::Point;
use random_play::{Chance, Table};
use rules::battle::{Battle, UnitIx};
use rules::field::Field;
use rules::geometry::between_stands;
use rules::ground::GroundNow;
use rules::movement::{SEGMENTS, advances, compile};
use rules::ruleset::Ruleset;
use rules::sight::{Block, SightLine, best_line, sight_line};
use rules::stage::Envelopes;

/// Turns that are played of each battle.
const TURNS: u32 = 2;

/// Battles on several grounds: hills, woods, fields, and one hill twice, so that most who are far apart see nothing.
fn tables() -> Vec<Table> {
    let of = |text: &str| Table::of(rules::scenario::read(text).expect("the scenario is sound"));
    vec![
        Table::little_round_top(),
        Table::side_by_side(2),
        of(include_str!("../../scenarios/mcphersons_ridge.toml")),
        of(include_str!("../../scenarios/wilderness.toml")),
    ]
}

/// Shows each battle as it is before the orders of a turn are opened, with what is sealed.
fn before_the_orders(mut look: impl FnMut(&Table, &Battle, &Envelopes)) {
    for (seed, table) in (1..).zip(tables()) {
        let (mut chance, mut battle) = (Chance::new(seed), table.start());
        for turn in 0..TURNS {
            for stage in Stage::ALL {
                let envelopes = table.random_envelopes(&battle, stage, &mut chance);
                if stage == Stage::Orders {
                    look(&table, &battle, &envelopes);
                }
                if turn + 1 < TURNS {
                    battle = table.resolve(stage, battle, &envelopes, seed).battle;
                }
            }
        }
    }
}

/// VIS-03 Of all lines looked along one by one the first without trees, else that through the fewest; with none open, what
/// blocks the first.
fn plainly_best(ground: &GroundNow<'_>, looker: &[Point], target: &[Point]) -> Result<SightLine, Block> {
    let ends = looker.iter().flat_map(|from| target.iter().map(move |to| (*from, *to)));
    let lines: Vec<_> = ends.map(|(from, to)| sight_line(ground, from, to)).collect();
    let open = || lines.iter().flatten().copied();
    let best = open().find(|line| line.depth == 0).or(open().min_by_key(|line| (line.depth, line.woods)));
    best.ok_or_else(|| lines.iter().find_map(|line| line.err()).unwrap_or(Block::Nobody))
}

#[test]
fn vis_03_the_best_line_is_the_best_of_all() {
    let (mut open, mut blocked) = (0, 0);
    before_the_orders(|table, battle, _| {
        let bare = table.theatre.map.now(&battle.table.changes);
        let remembering = battle.table.ground();
        let centers = |ix: UnitIx| -> Arc<[Point]> { battle.table.looker(ix).centers };
        for (one, _) in battle.table.units() {
            for (other, unit) in battle.table.units().filter(|(other, _)| *other != one) {
                let (looker, target) = (centers(one), centers(other));
                let plain = plainly_best(&bare, &looker, &target);
                assert_eq!(best_line(&bare, &looker, &target), plain, "{one:?} {}", unit.name);
                assert_eq!(best_line(&remembering, &looker, &target), plain, "{one:?} {}, remembered", unit.name);
                *if plain.is_ok() { &mut open } else { &mut blocked } += 1;
            }
        }
    });
    assert!(1_000 < open && 1_000 < blocked, "{open} open, {blocked} blocked");
}

/// ORD-09, SHK-07 By the distances to all enemies in sight, and at every segment of the march.
fn plainly_advances(field: &Field<'_>, ix: UnitIx, march: &MoveOrder) -> bool {
    let unit = field.unit(ix);
    let is_seen = |enemy: UnitIx| field.table.units_of(unit.side).any(|(friend, _)| field.sees(friend, enemy));
    let unrouted = field.enemies_of(unit.side).filter(|(_, enemy)| enemy.is_unrouted()).map(|(enemy, _)| enemy);
    let seen: Vec<UnitIx> = unrouted.filter(|enemy| is_seen(*enemy)).collect();
    let Some(nearest) = seen.iter().map(|enemy| field.distance(ix, *enemy)).min() else { return false };
    let program = compile(field, ix, march);
    (1..=SEGMENTS).map(|segment| program.body_at(program.points_by(segment))).any(|body| {
        let there = body.layout(unit.stands.len() as u32);
        let is_nearer = |enemy: &UnitIx| {
            let distance = between_stands(there.rects(), field.layout(*enemy).rects());
            distance.is_some_and(|distance| distance.closer_than(nearest.rounded()))
        };
        body.footing.anchor != program.start.footing.anchor && seen.iter().any(is_nearer)
    })
}

#[test]
fn ord_09_an_advance_is_one_by_the_distances_to_all_in_sight() {
    let (mut nearer, mut not) = (0, 0);
    before_the_orders(|table, battle, envelopes| {
        let dice = table.dice(battle.table.turn, 1);
        let (before, now) = (
            Field::before_dice(Ruleset::standard(), &battle.table),
            Field::new(Ruleset::standard(), &battle.table, &dice),
        );
        for (id, said) in envelopes.values().flat_map(|draft| &draft.units) {
            let (Some(ix), Some(order @ Order::Move(march))) = (battle.table.find(id), &said.order) else { continue };
            for field in [&before, &now].into_iter().filter(|field| field.unit(ix).on_table()) {
                let plain = plainly_advances(field, ix, march);
                assert_eq!(advances(field, ix, order), plain, "{id}");
                *if plain { &mut nearer } else { &mut not } += 1;
            }
        }
    });
    assert!(50 < nearer && 50 < not, "{nearer} nearer, {not} not");
}
