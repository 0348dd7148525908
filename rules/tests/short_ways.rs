//! Answers that are found by a short way are those of the plain way: in several battles, on several grounds.

#[expect(unreachable_pub, dead_code, reason = "shared with the benchmark, each uses its part")]
mod random_play;

use std::sync::Arc;

use protocol::event::Fact;
use protocol::orders::{MoveOrder, Order, Stage};
use protocol::place::{Bearing, Point};
use random_play::{Chance, Table};
use rules::battle::{Battle, UnitIx};
use rules::field::Field;
use rules::geometry::{Distance, Rect, between_stands, in_arc};
use rules::ground::GroundNow;
use rules::morale::flight::{self, Mover, Stop};
use rules::morale::{reference, shelter};
use rules::movement::{SEGMENTS, advances, compile};
use rules::rout;
use rules::ruleset::Ruleset;
use rules::sight::{Block, SightLine, best_line, open_line, sight_line};
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
                assert_eq!(open_line(&remembering, &looker, &target), plain.ok(), "{one:?} {}, open", unit.name);
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

/// MOR-59 The nearest of all unrouted enemies that a unit sees, in the order of the list.
fn plainly_nearest(field: &Field<'_>, ix: UnitIx) -> Vec<UnitIx> {
    let enemies =
        field.enemies_of(field.unit(ix).side).filter(|(_, enemy)| enemy.is_unrouted()).map(|(enemy, _)| enemy);
    let seen: Vec<UnitIx> = enemies.filter(|enemy| field.sees(ix, *enemy)).collect();
    let least = seen.iter().map(|enemy| field.distance(ix, *enemy)).min();
    seen.into_iter().filter(|enemy| Some(field.distance(ix, *enemy)) == least).collect()
}

/// RALLY-15 to RALLY-17 By all enemies near that the unit sees; with none, by all friends.
fn plainly_behind_friendlies(field: &Field<'_>, ix: UnitIx) -> bool {
    let limit = field.rules.rally.no_enemy_within.thousandths();
    let unit = field.unit(ix);
    let enemies = field.enemies_of(unit.side).filter(|(_, enemy)| enemy.is_unrouted()).map(|(enemy, _)| enemy);
    let seen: Vec<UnitIx> =
        enemies.filter(|enemy| field.distance(ix, *enemy).closer_than(limit) && field.sees(ix, *enemy)).collect();
    let stands = field.stands(ix);
    if !seen.is_empty() {
        let screens = |enemy: &UnitIx| {
            shelter::is_screened(field, ix, &stands, std::iter::once(*enemy), |friend| friend.is_unrouted())
        };
        return seen.iter().filter(|enemy| screens(enemy)).count() == seen.len();
    }
    let front = if unit.is_unrouted() { unit.footing.facing } else { unit.footing.facing.reversed() };
    let is_before_it = |(friend, other): (UnitIx, &rules::battle::Unit)| {
        friend != ix
            && other.is_unrouted()
            && in_arc(field.center(ix), front, 4_500, field.center(friend))
            && field.distance(ix, friend).within(limit)
            && field.sees(ix, friend)
    };
    field.table.units_of(unit.side).any(is_before_it)
}

/// ROUT-06 By the distances of every end from all enemies in sight.
fn plainly_out(field: &Field<'_>, mover: &Mover) -> Bearing {
    let enemies = field.enemies_of(mover.body.side).filter(|(_, enemy)| enemy.is_unrouted()).map(|(enemy, _)| enemy);
    let seen: Vec<UnitIx> = enemies.filter(|enemy| field.sees(mover.unit, *enemy)).collect();
    let farness = |place: &[Rect]| {
        let distances = seen.iter().map(|enemy| flight::least_distance(place, &field.stands(*enemy)));
        distances.min().unwrap_or(Distance::ZERO)
    };
    let own = flight::stands_of(&mover.body);
    let way = |turn: i32| {
        let bearing = mover.reference.away.turned(turn);
        let (end, stop) = flight::reach(field, mover, bearing, mover.distance);
        let place = flight::carried(&own, flight::displacement(bearing, end));
        let is_sheltered = !seen.is_empty()
            && shelter::is_screened(field, mover.unit, &place, seen.iter().copied(), |friend| {
                friend.is_formed() && friend.is_unrouted()
            });
        let is_open = !matches!(stop, Some(Stop::Enemy(_) | Stop::Ground));
        is_open.then(|| ((is_sheltered, -turn.abs(), farness(&place)), bearing))
    };
    let ways = [0, 1_500, -1_500, 3_000, -3_000, 4_500, -4_500].into_iter().filter_map(way);
    // Of level ones the first.
    let best = ways.reduce(|best, next| if best.0 < next.0 { next } else { best });
    best.map_or(mover.reference.away, |(_, bearing)| bearing)
}

#[test]
fn rout_06_rally_15_mor_59_who_asks_few_finds_what_all_would_tell() {
    let (mut seeing, mut blind, mut behind, mut turned) = (0, 0, 0, 0);
    before_the_orders(|table, battle, _| {
        let dice = table.dice(battle.table.turn, 1);
        let now = Field::new(Ruleset::standard(), &battle.table, &dice);
        for (ix, unit) in battle.table.units() {
            // A look of its own for each question, so that no answer is one that was kept.
            let asked = || Field::new(Ruleset::standard(), &battle.table, &dice);
            let nearest = plainly_nearest(&now, ix);
            assert_eq!(asked().nearest_seen(ix), nearest, "{}", unit.name);
            assert_eq!(asked().sees_anybody(ix), !nearest.is_empty(), "{}", unit.name);
            assert_eq!(now.nearest_seen(ix), nearest, "{}, twice", unit.name);
            assert_eq!(now.sees_anybody(ix), !nearest.is_empty(), "{}, kept", unit.name);
            let is_behind = plainly_behind_friendlies(&now, ix);
            assert_eq!(shelter::behind_friendlies(&asked(), ix, &[]), is_behind, "{}", unit.name);
            let mover = rout::routed_move(&asked(), ix, reference::reference(&asked(), ix, &[], None));
            let mover = Mover { distance: 12_000, body: flight::turned(unit, mover.reference.away), ..mover };
            let way = plainly_out(&now, &mover);
            assert_eq!(rout::way_out(&asked(), &mover), way, "{}", unit.name);
            *if nearest.is_empty() { &mut blind } else { &mut seeing } += 1;
            behind += usize::from(is_behind);
            turned += usize::from(way != mover.reference.away);
        }
    });
    assert!(50 < seeing && 20 < blind && 20 < behind && 5 < turned, "{seeing} {blind} {behind} {turned}");
}

/// VIS-01 Who does not ask why somebody is seen is told the same as who does.
#[test]
fn vis_01_who_does_not_ask_why_sees_the_same() {
    let (mut seen, mut hidden) = (0, 0);
    before_the_orders(|table, battle, _| {
        let dice = table.dice(battle.table.turn, 1);
        let field = Field::new(Ruleset::standard(), &battle.table, &dice);
        for (looker, unit) in battle.table.units() {
            for (enemy, other) in field.enemies_of(unit.side) {
                let plain = field.sight(looker, enemy).seen;
                assert_eq!(field.sees(looker, enemy), plain, "{} looks at {}", unit.name, other.name);
                *if plain { &mut seen } else { &mut hidden } += 1;
            }
        }
    });
    assert!(500 < seen && 1_000 < hidden, "{seen} seen, {hidden} hidden");
}

/// HOLDF-04, ALG-CHARGE 4 What is remembered of aims and of charges that wait is found anew at each question wherever debug
/// assertions are on, and compared there: here for whole turns on several grounds.
#[test]
#[cfg_attr(not(debug_assertions), ignore = "nothing is compared in this build")]
fn holdf_04_chg_13_what_is_remembered_in_a_turn_is_what_would_be_found_anew() {
    let (mut fires, mut charges) = (0, 0);
    for (seed, table) in (11..).zip(tables()) {
        let (mut chance, mut battle) = (Chance::new(seed), table.start());
        for _ in 0..3 {
            for stage in Stage::ALL {
                let envelopes = table.random_envelopes(&battle, stage, &mut chance);
                let outcome = table.resolve(stage, battle, &envelopes, seed);
                let facts = || outcome.events.iter().map(|event| (event.phase, &event.fact));
                fires += facts().filter(|(phase, fact)| *phase == 7 && matches!(fact, Fact::Volley { .. })).count();
                charges += facts().filter(|(_, fact)| matches!(fact, Fact::ChargeBegan { .. })).count();
                battle = outcome.battle;
            }
        }
    }
    assert!(20 < fires && 10 < charges, "{fires} fires of holders, {charges} charges");
}
