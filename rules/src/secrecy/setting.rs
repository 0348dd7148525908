//! A battle to begin with: much of both sides goes under pickets, with dummies between.

use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::ids::{BySide, LeaderId, PicketNumber, Side, UnitId};
use protocol::orders::Hides;
use protocol::place::Point;
use protocol::view::Presence;

use super::chance::Chance;
use super::players::seat;
use crate::battle::{Battle, Leader, Picket, Theatre, Under, Unit};
use crate::ground::Wooded;
use crate::ruleset::Ruleset;
use crate::setup::{self, Seating};

/// Of so many units one stays in the open.
const IN_THE_OPEN: u32 = 4;

/// The battle as printed, after a random setup in hiding of both sides.
pub(super) fn begin(theatre: &Arc<Theatre>, rules: &Ruleset, chance: &mut Chance) -> Battle {
    let nothing = BySide::default();
    let mut battle = setup::start(theatre, rules, &Seating::one_each(), &BTreeSet::new(), &nothing);
    let mut numbers: Vec<u32> = (100..1000).collect();
    chance.shuffle(&mut numbers);
    for side in Side::BOTH {
        let units: Vec<UnitId> = battle.table.units_of(side).map(|(_, unit)| unit.id.clone()).collect();
        for id in units {
            if chance.once_in(IN_THE_OPEN) {
                continue;
            }
            let Some(number) = numbers.pop() else { break };
            hide(&mut battle, PicketNumber(number), side, &id, chance);
            for _ in 0..chance.below(3) {
                let Some(number) = numbers.pop() else { break };
                dummy(&mut battle, PicketNumber(number), side, chance);
            }
        }
    }
    battle
}

/// Tries to find woods for a marker.
const TRIES: u32 = 40;
/// How far from its printed place a unit goes to hide, thousandths of an inch.
const AWAY: i32 = 14_000;

/// A place in the woods near a point, well inside of them; the point itself if there is none.
pub(super) fn in_the_woods(battle: &Battle, near: Point, chance: &mut Chance) -> Point {
    let ground = battle.table.ground();
    let (width, height) = (ground.ground().width, ground.ground().height);
    let places = (0..TRIES).map(|_| {
        Point::new((near.x + chance.offset(AWAY)).clamp(0, width), (near.y + chance.offset(AWAY)).clamp(0, height))
    });
    let around = |place: Point| {
        [(0, 0), (2_500, 0), (-2_500, 0), (0, 2_500), (0, -2_500)].map(|(x, y)| Point::new(place.x + x, place.y + y))
    };
    let mut deep = places.filter(|place| around(*place).into_iter().all(|at| ground.wooded(at) != Wooded::None));
    deep.next().unwrap_or(near)
}

/// Puts a unit that stands openly under a picket, with the leaders who are with it.
fn hide(battle: &mut Battle, number: PicketNumber, side: Side, id: &UnitId, chance: &mut Chance) {
    let Some(ix) = battle.table.find(id) else { return };
    let place = in_the_woods(battle, battle.table[ix].footing.anchor, chance);
    // The name that keeps its place stands as printed.
    battle.table[ix].presence = Presence::Hidden;
    let mut unit = battle.table[ix].clone();
    unit.footing.anchor = place;
    unit.footing.trail.clear();
    let with_it: Vec<LeaderId> = battle
        .table
        .leaders_on_table()
        .filter(|leader| leader.attached.as_ref() == Some(id))
        .map(|leader| leader.id.clone())
        .collect();
    let mut leaders = Vec::new();
    for leader in with_it {
        if let Some(leader) = battle.table.leaders.get_mut(&leader) {
            leader.presence = Presence::Hidden;
            leaders.push(Leader { at: unit.footing.anchor, ..leader.clone() });
        }
    }
    let (formation, gap) = (unit.footing.formation, u32::try_from(unit.footing.gap).ok());
    let hides = Hides::Unit { unit: id.clone(), formation, gap };
    mark(battle, number, side, &unit);
    let under = Under { seat: seat(side), hides, units: vec![unit], leaders, salt: [0; 16] };
    battle.secrets.get_mut(side).open_mut().pickets.insert(number, under);
}

/// A dummy somewhere near some unit of its side.
fn dummy(battle: &mut Battle, number: PicketNumber, side: Side, chance: &mut Chance) {
    let units: Vec<Unit> =
        battle.table.all_units().map(|(_, unit)| unit).filter(|unit| unit.side == side).cloned().collect();
    let Some(model) = chance.one_of(&units) else { return };
    let mut beside = model.clone();
    beside.footing.anchor = in_the_woods(battle, model.footing.anchor, chance);
    mark(battle, number, side, &beside);
    let under =
        Under { seat: seat(side), hides: Hides::Dummy {}, units: Vec::new(), leaders: Vec::new(), salt: [0; 16] };
    battle.secrets.get_mut(side).open_mut().pickets.insert(number, under);
}

/// HID-03 The marker stands at the anchor of what it hides.
fn mark(battle: &mut Battle, number: PicketNumber, side: Side, unit: &Unit) {
    let picket = Picket {
        number,
        side,
        at: unit.footing.anchor,
        facing: unit.footing.facing,
        confirmed: None,
        shown: None,
        travelled: Vec::new(),
        commitment: String::new(),
    };
    battle.table.pickets.insert(number, picket);
}
