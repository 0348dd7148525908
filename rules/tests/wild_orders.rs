//! Drafts that no client of ours would send: whatever the protocol lets through is judged, previewed and played.

#[expect(unreachable_pub, reason = "shared with the tests of the server")]
mod inventor;
#[expect(unreachable_pub, dead_code, reason = "shared with the benchmark, each uses its part")]
mod random_play;

use std::collections::BTreeMap;

use inventor::Inventor;
use protocol::ids::{Side, UnitId};
use protocol::orders::{Draft, MoveOrder, Order, Stage, UnitDraft};
use random_play::Table;
use rules::battle::{Battle, Known, known};
use rules::ruleset::Ruleset;
use rules::stage::Envelopes;
use rules::{movement, orders};

/// The battle's identifiers, both sides' alike, and some of nobody.
fn inventor(seed: u64, battle: &Battle) -> Inventor {
    let nobody = || ["nobody".to_owned(), String::new()].into_iter();
    let ground = &battle.table.scenario().ground;
    let units = battle.table.all_units().map(|(_, unit)| unit.id.to_string()).chain(nobody());
    let leaders = battle.table.leaders.keys().map(ToString::to_string).chain(nobody());
    let brigades = battle.table.brigades.keys().map(ToString::to_string).chain(nobody());
    let places = ground.places.iter().map(|place| place.id.to_string()).chain(nobody());
    let identifiers = vec![
        ("UnitId", units.collect()),
        ("LeaderId", leaders.collect()),
        ("BrigadeId", brigades.collect()),
        ("FeatureId", places.collect()),
    ];
    Inventor::new(seed, identifiers, ground.width.max(ground.height).unsigned_abs())
}

/// A draft of the whole schema, and words to every second unit of the side besides: most of their orders are marches
/// over the whole table, since hardly one of the others is legal. What the wire would not read is left out.
fn wild_draft(inventor: &mut Inventor, known: &Known) -> Draft {
    let mut draft = serde_json::from_value::<Draft>(inventor.invent("Draft")).unwrap_or_default();
    for (_, unit) in known.table.units_of(known.side) {
        if inventor.below(2) == 0 {
            let order = match inventor.below(3) {
                0 | 1 => Some(march(inventor)),
                _ => serde_json::from_value(inventor.invent("Order")).ok(),
            };
            let instructions = serde_json::from_value(inventor.invent("Instructions")).unwrap_or_default();
            draft.units.insert(unit.id.clone(), UnitDraft { order, instructions, posture: None });
        }
    }
    draft
}

fn march(inventor: &mut Inventor) -> Order {
    let path = (0..1 + inventor.below(3)).filter_map(|_| serde_json::from_value(inventor.invent("Point")).ok());
    Order::Move(MoveOrder { path: path.collect(), ..MoveOrder::default() })
}

/// Everything that is refused is refused with its rule; what is left is legal; no unit is lost to arithmetic.
#[test]
fn no_draft_however_wild_stops_a_stage() {
    let rules = Ruleset::standard();
    let table = Table::little_round_top();
    let (mut said, mut played, mut refused, mut meddling) = (0, 0, 0, 0);
    for seed in 0..8 {
        let mut battle = table.start();
        let mut inventor = inventor(seed, &battle);
        for stage in Stage::ALL.into_iter().cycle().take(8) {
            let mut envelopes = Envelopes::new();
            for side in Side::BOTH {
                let (known, seat) = (known(&battle, side), table.seat(side));
                let draft = wild_draft(&mut inventor, &known);
                said += draft.units.len();
                let (legal, refusals) = orders::legal_part(&known, rules, &seat, stage, &draft);
                assert!(refusals.iter().all(|it| !it.message.is_empty()), "{refusals:?}");
                refused += refusals.len();
                // The drafts speak to both sides' units and to nobody's: whoever let all of that pass judged nothing.
                let own = |id: &UnitId| known.table.unit(id).is_some_and(|unit| unit.side == side);
                let not_his = legal.units.keys().find(|id| !own(id));
                assert_eq!(not_his, None, "seed {seed}: words to a unit of another's were left");
                meddling += draft.units.keys().filter(|id| !own(id)).count();
                // Who cannot follow his brigade's order is left out of it each time: the order stays for the others.
                let alone = Draft { brigades: BTreeMap::new(), ..legal.clone() };
                let again = orders::check(&known, rules, &seat, stage, &alone);
                assert!(again.is_empty(), "seed {seed}: what was left is refused: {again:?}");
                played += legal.units.values().filter(|said| said.order.is_some()).count();
                envelopes.insert(seat, draft);
            }
            battle = table.resolve(stage, battle, &envelopes, seed).battle;
            let ground = &battle.table.scenario().ground;
            for (_, unit) in battle.table.units() {
                let at = unit.footing.anchor;
                let near = |at: i32, end: i32| (-3_000..=end + 3_000).contains(&at);
                assert!(near(at.x, ground.width) && near(at.y, ground.height), "seed {seed}: {} at {at:?}", unit.id);
            }
        }
    }
    assert!(400 < said && 30 < played, "only {said} units were spoken to, and {played} had orders");
    assert!(20 < meddling && meddling < refused, "{refused} refusals, and {meddling} words to units of another's");
}

#[test]
fn no_order_however_wild_stops_a_preview() {
    let table = Table::little_round_top();
    let battle = table.start();
    let mut inventor = inventor(1863, &battle);
    let mut asked = 0;
    for side in Side::BOTH {
        let known = known(&battle, side);
        let units: Vec<_> = known.table.units_of(side).map(|(_, unit)| unit.id.clone()).collect();
        for unit in units.iter().cycle().take(160) {
            let Ok(order) = serde_json::from_value::<Order>(inventor.invent("Order")) else { continue };
            let preview = movement::preview(&known, Ruleset::standard(), unit, &order);
            assert_eq!(preview.unit, *unit);
            asked += 1;
        }
    }
    assert!(200 < asked, "only {asked} orders were read");
}
