//! Steps that are played under seal: for what one picket hides, with dice and facts that only its side gets. HID-59, HID-68
//!
//! Owns the table on which a hidden unit is judged and the labels of its dice. What happens in a sealed step is kept for the
//! units and leaders of its picket alone; of everybody else nothing is changed, so that nothing shows. It knows no rule of fire
//! or morale. Start at [`under_seal`].

use std::collections::BTreeMap;

use protocol::ids::{PicketNumber, Side};
use protocol::view::Presence;

use crate::battle::{Battle, Leader, SideSecrets, Table, Unit, UnitIx};
use crate::dice::{Dice, Purpose};
use crate::geometry::{Frame, Rect};
use crate::play::Play;
use crate::ruleset::Ruleset;

/// HID-68 The labels of a side's hidden units and leaders in the keys of dice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seal {
    side: Option<Side>,
    /// By identifier: the number of the picket, a public name, under which its pairs have their visibility die. HID-37
    numbers: BTreeMap<String, String>,
    /// By identifier: number and identifier together, which only the side knows to belong together.
    labels: BTreeMap<String, String>,
}

impl Seal {
    fn of(side: Side, own: &SideSecrets) -> Seal {
        let mut seal = Seal { side: Some(side), ..Seal::default() };
        for (number, under) in &own.pickets {
            let units = under.units.iter().map(|unit| unit.id.to_string());
            for id in units.chain(under.leaders.iter().map(|leader| leader.id.to_string())) {
                seal.labels.insert(id.clone(), label(*number, &id));
                seal.numbers.insert(id, number.0.to_string());
            }
        }
        seal
    }

    /// Whose it is.
    pub(crate) fn side(&self) -> Option<Side> {
        self.side
    }

    /// HID-68 The key under which a die is thrown, and whether it is secret to the side.
    pub(crate) fn key(&self, purpose: Purpose, key: &[&str]) -> (Vec<String>, bool) {
        let names = if purpose == Purpose::VisibilityPair { &self.numbers } else { &self.labels };
        let secret = purpose != Purpose::VisibilityPair && key.iter().any(|part| names.contains_key(*part));
        let named = |part: &&str| names.get(*part).cloned().unwrap_or_else(|| (*part).to_owned());
        let mut key: Vec<String> = key.iter().map(named).collect();
        if purpose == Purpose::VisibilityPair {
            key.sort();
        }
        (key, secret)
    }
}

/// HID-68 The label of what a picket hides.
pub(crate) fn label(number: PicketNumber, id: &str) -> String {
    format!("{}:{id}", number.0)
}

/// Dice thrown under the labels of a seal.
struct Labelled<'d> {
    dice: &'d dyn Dice,
    seal: &'d Seal,
}

impl Dice for Labelled<'_> {
    fn die(&self, phase: u8, purpose: Purpose, key: &[&str], n: u32) -> u8 {
        let (key, _) = self.seal.key(purpose, key);
        let key: Vec<&str> = key.iter().map(String::as_str).collect();
        self.dice.die(phase, purpose, &key, n)
    }
}

/// HID-59, HID-68 Plays a step for what a real picket hides: on a table on which its side's hidden units stand in their places,
/// with secret dice, told to its side alone. None for a dummy.
///
/// HID-11 Of the side's leaders only those under the same picket are there.
pub(crate) fn under_seal<T>(
    play: &mut Play<'_>,
    number: PicketNumber,
    step: impl FnOnce(&mut Play<'_>) -> T,
) -> Option<T> {
    let side = play.table().pickets.get(&number)?.side;
    let own = play.battle.secrets.get(side).open();
    if own.pickets.get(&number)?.is_dummy() {
        return None;
    }
    let seal = Seal::of(side, own);
    let mut battle = behind(&play.battle, side);
    keep_leaders_of(&mut battle, side, number);
    // HID-64 Its works stand for it alone.
    battle.table.build_hidden(own.works.get(&number));
    let dice = Labelled { dice: play.dice, seal: &seal };
    let mut inner = Play::new(play.rules, &dice, battle, play.stage);
    (inner.phase, inner.segment) = (play.phase, play.segment);
    inner.events = std::mem::take(&mut play.events);
    inner.seal = Some(seal.clone());
    let result = step(&mut inner);
    let Play { battle, events, .. } = inner;
    play.events = events;
    keep(play, side, number, &battle.table);
    Some(result)
}

/// HID-52 What would be asked of a picket's units if it were placed now: a play on such a table, of which nothing is kept.
pub(crate) fn if_placed<T>(play: &Play<'_>, number: PicketNumber, ask: impl FnOnce(&Play<'_>) -> T) -> Option<T> {
    let side = play.table().pickets.get(&number)?.side;
    let own = play.battle.secrets.get(side).open();
    let under = own.pickets.get(&number)?;
    let mut battle = play.battle.clone();
    for unit in &under.units {
        stand(&mut battle.table, number, unit);
    }
    for leader in &under.leaders {
        let leader = Leader { presence: Presence::Table, ..leader.clone() };
        battle.table.leaders.insert(leader.id.clone(), leader);
    }
    give_orders(&mut battle, side);
    battle.table.build_hidden(own.works.get(&number));
    let numbers = Seal { labels: BTreeMap::new(), ..Seal::of(side, own) };
    let dice = Labelled { dice: play.dice, seal: &numbers };
    let mut trial = Play::new(play.rules, &dice, battle, play.stage);
    (trial.phase, trial.segment) = (play.phase, play.segment);
    Some(ask(&trial))
}

/// HID-21, HID-61 The battle with all that a side's pickets hide standing in its place.
pub(crate) fn behind(battle: &Battle, side: Side) -> Battle {
    let mut battle = battle.clone();
    let own = battle.secrets.get(side).open().clone();
    for (number, under) in &own.pickets {
        under.units.iter().for_each(|unit| stand(&mut battle.table, *number, unit));
        for leader in &under.leaders {
            let leader = Leader { presence: Presence::Table, ..leader.clone() };
            battle.table.leaders.insert(leader.id.clone(), leader);
        }
    }
    give_orders(&mut battle, side);
    battle
}

/// Puts a hidden unit in its place; it goes by its picket's number for the turn. HID-37
pub(crate) fn stand(table: &mut Table, number: PicketNumber, unit: &Unit) {
    let picket = Some((number, table.turn));
    table.insert(Unit { presence: Presence::Table, picket, ..unit.clone() });
}

/// HID-50 The orders of pickets are those of their units.
fn give_orders(battle: &mut Battle, side: Side) {
    let own = battle.secrets.get_mut(side).open_mut();
    for (number, under) in &own.pickets {
        let Some(orders) = own.picket_orders.get(number) else { continue };
        own.orders.extend(under.units.iter().map(|unit| (unit.id.clone(), orders.clone())));
    }
}

/// HID-11 Open leaders give nothing to hidden units, nor do those under other pickets.
fn keep_leaders_of(battle: &mut Battle, side: Side, number: PicketNumber) {
    let under = battle.secrets.get(side).open().pickets.get(&number);
    let here: Vec<_> = under.into_iter().flat_map(|under| &under.leaders).map(|leader| leader.id.clone()).collect();
    let others = battle.table.leaders.values_mut().filter(|leader| leader.side == side && !here.contains(&leader.id));
    others.for_each(|leader| leader.presence = Presence::ToCome);
}

/// What a sealed step made of the units and leaders of its picket.
fn keep(play: &mut Play<'_>, side: Side, number: PicketNumber, after: &Table) {
    let Some(under) = play.battle.secrets.get_mut(side).open_mut().pickets.get_mut(&number) else { return };
    for unit in &mut under.units {
        if let Some(after) = after.unit(&unit.id) {
            *unit = Unit { presence: Presence::Hidden, picket: unit.picket, ..after.clone() };
        }
    }
    for leader in &mut under.leaders {
        if let Some(after) = after.leaders.get(&leader.id) {
            *leader = Leader { presence: leader.presence, ..after.clone() };
        }
    }
}

/// The real pickets of a side, by number.
pub(crate) fn real_pickets(battle: &Battle, side: Side) -> Vec<PicketNumber> {
    let own = battle.secrets.get(side).open();
    own.pickets.iter().filter(|(_, under)| !under.is_dummy()).map(|(number, _)| *number).collect()
}

/// The real pickets of both sides, by number.
pub(crate) fn all_real_pickets(battle: &Battle) -> Vec<PicketNumber> {
    let mut all: Vec<PicketNumber> = Side::BOTH.into_iter().flat_map(|side| real_pickets(battle, side)).collect();
    all.sort_unstable();
    all
}

/// The units that a picket hides, as they stand in the list.
pub(crate) fn units_under(battle: &Battle, number: PicketNumber) -> Vec<UnitIx> {
    let Some(side) = battle.table.pickets.get(&number).map(|picket| picket.side) else { return Vec::new() };
    let under = battle.secrets.get(side).open().pickets.get(&number);
    under.into_iter().flat_map(|under| &under.units).filter_map(|unit| battle.table.find(&unit.id)).collect()
}

/// HID-03, MOR-63 A sealed table with every hidden unit of a side measured by the footprint of its marker.
pub(crate) fn by_footprints(rules: &Ruleset, behind: &Battle, side: Side) -> Table {
    let size = rules.hidden_movement.marker_footprint.thousandths();
    measured(behind, side, |front| Rect::from_front(front, size, size))
}

/// HID-21 As [`by_footprints`], by its marker's point.
pub(crate) fn by_points(behind: &Battle, side: Side) -> Table {
    measured(behind, side, |front| Rect::from_front(front, POINT, POINT))
}

/// The side of a rectangle that stands for a point, thousandths of an inch: as near to none as integers allow.
const POINT: i32 = 2;

fn measured(behind: &Battle, side: Side, rect: impl Fn(Frame) -> Rect) -> Table {
    let mut table = behind.table.clone();
    for (number, under) in &behind.secrets.get(side).open().pickets {
        let Some(picket) = behind.table.pickets.get(number) else { continue };
        for ix in under.units.iter().filter_map(|unit| behind.table.find(&unit.id)) {
            table.measure_as(ix, rect(Frame::new(picket.at, picket.facing)));
        }
    }
    table
}
